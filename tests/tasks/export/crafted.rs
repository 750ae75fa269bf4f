//! Values and nulls of games that are written for a rule: what is expected is written beside each game.
//!
//! Expectations are JSON, as JSON lines have it; in the table of plies a column of a game is the list of its values.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value as Json, json};

use super::table;
use crate::common::{Dice, Scratch, run_in};

/// The rows of JSON lines, as objects.
fn objects(text: &[u8], args: &str) -> Vec<Json> {
    let scratch = Scratch::new();
    scratch.write("a.pgn", text);
    table::export(&scratch, &format!("{args} -q -o t.jsonl a.pgn"), &[]);
    let lines = fs::read_to_string(scratch.join("t.jsonl")).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The values of these columns in the table of games.
fn check_games(cases: &[(&[u8], Json)], args: &str) {
    let text: Vec<u8> = cases.iter().flat_map(|(text, _)| [*text, b"\n"].concat()).collect();
    let rows = objects(&text, &format!("--columns all {args}"));
    assert_eq!(rows.len(), cases.len(), "one row per game");
    for (row, (text, expected)) in rows.iter().zip(cases) {
        for (name, value) in expected.as_object().unwrap() {
            assert_eq!(row.get(name), Some(value), "{name} of {}", text.escape_ascii());
        }
    }
}

/// The values of these columns in the table of plies, as lists.
fn check_plies(cases: &[(&str, Json)], args: &str) {
    let text: String = cases.iter().map(|(text, _)| format!("{text}\n\n")).collect();
    let mut games: BTreeMap<i64, Vec<Json>> = BTreeMap::new();
    for row in objects(text.as_bytes(), &format!("--table plies --columns all {args}")) {
        games.entry(row["game"].as_i64().unwrap()).or_default().push(row);
    }
    for (number, (text, expected)) in cases.iter().enumerate() {
        let rows = games.remove(&(number as i64 + 1)).unwrap_or_default();
        for (name, values) in expected.as_object().unwrap() {
            let found: Json = rows.iter().map(|row| row[name].clone()).collect();
            assert_eq!(&found, values, "{name} of {text}");
        }
    }
    assert!(games.is_empty(), "rows of other games: {games:?}");
}

#[test]
fn numbers_dates_and_times_of_tag_pairs() {
    let case = |tags: &str| format!("[Event \"x\"]\n{tags}\n\n1. e4 *\n").into_bytes();
    let ratings = |tags: &str, values: [Option<i64>; 4]| {
        let names = ["WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff"];
        let expected: serde_json::Map<String, Json> = names
            .iter()
            .zip(values)
            .map(|(name, value)| (name.to_string(), value.into()))
            .collect();
        (case(tags), Json::Object(expected))
    };
    let instant = |date: &str, time: &str, expected: [Option<&str>; 3]| {
        let [date_value, time_value, both] = expected;
        let tags = format!("[UTCDate \"{date}\"]\n[UTCTime \"{time}\"]");
        (case(&tags), json!({"UTCDate": date_value, "UTCTime": time_value, "utc_timestamp": both}))
    };
    let control = |text: &str, expected: Option<(i64, i64)>| {
        let (initial, increment) = expected.unzip();
        (
            case(&format!("[TimeControl \"{text}\"]")),
            json!({"TimeControl": text, "time_initial": initial, "time_increment": increment}),
        )
    };
    let cases = [
        ratings("", [None; 4]),
        ratings(
            "[WhiteElo \"2400?\"]\n[BlackElo \"?\"]\n[WhiteRatingDiff \"\"]\n[BlackRatingDiff \"99999\"]",
            [None; 4],
        ),
        ratings(
            "[WhiteElo \"-\"]\n[BlackElo \"2000\"]\n[WhiteRatingDiff \"+7\"]\n[BlackRatingDiff \"-12\"]",
            [None, Some(2000), Some(7), Some(-12)],
        ),
        ratings(
            "[WhiteElo \"32767\"]\n[BlackElo \"32768\"]\n[WhiteRatingDiff \"-32768\"]\n[BlackRatingDiff \"-32769\"]",
            [Some(32_767), None, Some(-32_768), None],
        ),
        ratings(
            "[WhiteElo \"0\"]\n[BlackElo \"99999999999999999999\"]",
            [Some(0), None, None, None],
        ),
        // Of several pairs with one name the last counts.
        ratings("[WhiteElo \"1\"]\n[WhiteElo \"2\"]", [Some(2), None, None, None]),
        instant("2024.13.99", "12:00:00", [None, Some("12:00:00"), None]),
        instant(
            "2024.02.29",
            "23:59:59",
            [Some("2024-02-29"), Some("23:59:59"), Some("2024-02-29T23:59:59Z")],
        ),
        instant("2023.02.29", "00:00:00", [None, Some("00:00:00"), None]),
        instant("0000.01.01", "24:00:00", [None; 3]),
        instant("????.??.??", "??:??:??", [None; 3]),
        instant("2024.01.??", "12:34", [None; 3]),
        instant(
            "1969.12.31",
            "00:00:01",
            [Some("1969-12-31"), Some("00:00:01"), Some("1969-12-31T00:00:01Z")],
        ),
        instant("9999.12.31", "12:60:00", [Some("9999-12-31"), None, None]),
        instant("0001.01.01", "", [Some("0001-01-01"), None, None]),
        control("180+2", Some((180, 2))),
        control("0+1", Some((0, 1))),
        control("600", None),
        control("-", None),
        control("?", None),
        control("40/7200:3600", None),
        control("9999999999+1", None),
        control("180+-2", None),
    ];
    let cases: Vec<(&[u8], Json)> =
        cases.iter().map(|(text, expected)| (&text[..], expected.clone())).collect();
    check_games(&cases, "");
}

#[test]
fn texts_of_tag_pairs_and_movetext() {
    let long = "x".repeat(60_000);
    let long_text = format!("[Event \"{long}\"]\n[Remark \"{long}\"]\n\n1. e4 *\n");
    check_games(
        &[
            // No tag pair at all: nothing but the moves.
            (b"1. e4 e5 1-0\n", json!({
                "Event": null, "Site": null, "White": null, "Black": null, "Result": null, "ECO": null,
                "Opening": null, "Termination": null, "TimeControl": null, "Date": null, "Round": null,
                "Variant": null, "FEN": null, "WhiteTitle": null, "BlackTitle": null, "game_id": null,
                "movetext": "1. e4 e5 1-0", "moves": "e2e4 e7e5", "outcome": "1-0", "byte_offset": 0,
                "game": 1, "archive": "a.pgn", "tags": {}, "verdict": "accepted", "clocks": null,
                "evals_cp": null, "evals_mate": null, "ply_count": 2, "variation_plies": 0,
                "moves_packed": [796, 3364],
            })),
            (b"[White \"A \\\"B\\\" \\\\ C\"]\n\n*\n", json!({"White": "A \"B\" \\ C"})),
            (b"[White \"\"]\n[Black \"?\"]\n\n*\n", json!({"White": "", "Black": "?"})),
            // UTF-8 as it is; else Windows-1252.
            ("[White \"M\u{fc}ller\"]\n\n{\u{fc}} *\n".as_bytes(),
                json!({"White": "M\u{fc}ller", "movetext": "{\u{fc}} *"})),
            (b"[White \"M\xfcller \x80\"]\n\n1. e4 {\xfc \x80} *\n",
                json!({"White": "M\u{fc}ller \u{20ac}", "movetext": "1. e4 {\u{fc} \u{20ac}} *"})),
            (long_text.as_bytes(), json!({"Event": long, "tags": {"Remark": long}})),
            (b"[A \"1\"]\n[B \"2\"]\n[A \"3\"]\n[Link \"https://www.chess.com/game/live/77\"]\n[Result \"*\"]\n\n*\n",
                json!({"tags": {"A": "3", "B": "2", "Link": "https://www.chess.com/game/live/77"},
                    "game_id": "77"})),
            (b"[Site \"https://lichess.org/abcdEFGH\"]\n\n*\n", json!({"game_id": "abcdEFGH"})),
            (b"[Site \"Paris\"]\n\n*\n", json!({"game_id": null})),
            // The result token decides, then the tag pair.
            (b"[Result \"1-0\"]\n\n1. e4 0-1\n", json!({"Result": "1-0", "outcome": "0-1"})),
            (b"[Result \"1/2-1/2\"]\n\n1. e4\n", json!({"Result": "1/2-1/2", "outcome": "1/2-1/2"})),
            (b"[Event \"none\"]\n\n1. e4\n", json!({"Result": null, "outcome": "*"})),
            (b"[Event \"no moves\"]\n[Result \"0-1\"]\n\n0-1\n",
                json!({"moves": "", "moves_packed": [], "ply_count": 0, "outcome": "0-1",
                    "final_hash": 0x463b_9618_1691_fc9c_u64.cast_signed()})),
            (b"[Event \"line ends\"]\n\n1. e4\r\ne5\n\n2. Nf3 *\n\n",
                json!({"movetext": "1. e4\r\ne5\n\n2. Nf3 *", "moves": "e2e4 e7e5 g1f3"})),
            (b"[Event \"variations\"]\n\n1. e4 (1. d4 d5 (1... Nf6)) 1... e5 *\n",
                json!({"ply_count": 2, "variation_plies": 3, "moves": "e2e4 e7e5"})),
        ],
        "",
    );
    check_games(
        &[(
            b"[Event \"x\"]\n\n1. e4\r\ne5 ; to the end\n2. Nf3\n*\n",
            json!({"movetext": "1. e4 e5 ; to the end\n2. Nf3 *"}),
        )],
        "--one-line",
    );
}

#[test]
fn moves_of_every_kind() {
    check_games(
        &[
            // Chess960: the king takes the rook.
            (b"[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"1k6/8/8/8/8/8/PPPPPPPP/5KR1 w G - 0 1\"]\n\n1. O-O Kb7 *\n",
                json!({"moves": "f1g1 b8b7", "Variant": "Chess960"})),
            (b"[Event \"castling\"]\n\n1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. O-O O-O *\n",
                json!({"moves": "e2e4 e7e5 g1f3 g8f6 f1c4 f8c5 e1g1 e8g8", "moves_san": "e4 e5 Nf3 Nf6 Bc4 Bc5 O-O O-O"})),
            (b"[Event \"promotion\"]\n[SetUp \"1\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=N *\n",
                json!({"moves": "a7a8n", "moves_san": "a8=N"})),
            // Written in another notation: the columns are the same.
            (b"[MoveNotation \"uci\"]\n\n1. e2e4 e7e5 2. g1f3 *\n",
                json!({"moves": "e2e4 e7e5 g1f3", "moves_san": "e4 e5 Nf3", "movetext": "1. e2e4 e7e5 2. g1f3 *",
                    "tags": {"MoveNotation": "uci"}})),
            // Read as SAN first, then again in German, French.
            (b"[Event \"de\"]\n\n1. e4 e5 2. Sf3 Sc6 3. Lb5 *\n",
                json!({"moves": "e2e4 e7e5 g1f3 b8c6 f1b5", "moves_san": "e4 e5 Nf3 Nc6 Bb5", "ply_count": 5,
                    "moves_packed": [796, 3364, 405, 3690, 353]})),
            (b"[Event \"long\"]\n\n1. e2-e4 e7-e5 2. Ng1-f3 *\n",
                json!({"moves": "e2e4 e7e5 g1f3", "moves_san": "e4 e5 Nf3"})),
        ],
        "--notation san",
    );
}

/// A side that passes is a move too, wherever it does.
#[test]
fn null_moves_are_in_the_list_of_moves() {
    check_games(
        &[
            (b"[Event \"x\"]\n\n1. e4 -- 2. d4 *\n",
                json!({"moves": "e2e4 0000 d2d4", "moves_packed": [796, 0, 731], "ply_count": 2})),
            (b"[Event \"x\"]\n\n1. -- e5 2. d4 *\n",
                json!({"moves": "0000 e7e5 d2d4", "moves_packed": [0, 3364, 731]})),
            (b"[Event \"x\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 1\"]\n\n1... Kd8 2. Kd1 *\n",
                json!({"moves": "e8d8 e1d1"})),
            (b"[Event \"x\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K3 b - - 0 1\"]\n\n1... -- 2. Kd1 *\n",
                json!({"moves": "0000 e1d1"})),
        ],
        "--allow null-move-main-line",
    );
}

#[test]
fn commands_nags_and_comments_belong_to_their_ply() {
    let none: [Option<i64>; 2] = [None, None];
    let tagged = |movetext: &str| format!("[Event \"x\"]\n\n{movetext}");
    let cases = [
        (
            "1. e4 { [%clk 0:03:00] } e5 { [%clk 1:23:45.6] } *",
            json!({"clock_ms": [180_000, 5_025_600], "comment": none}),
        ),
        (
            "1. e4 {[%clk 0:00:01][%emt 0:00:02.5] good} {[%eval 1.47] move} e5 {[%eval #-3]} *",
            json!({"clock_ms": [1_000, null], "emt_ms": [2_500, null], "eval_cp": [147, null],
                "eval_mate": [null, -3], "comment": ["good move", null]}),
        ),
        (
            "1. e4 {[%eval 0.3,22]} e5 {[%eval 400.5]} *",
            json!({"eval_cp": [30, 32_767], "eval_mate": none}),
        ),
        // Of several of one kind the first that can be read.
        (
            "1. e4 {[%clk x]} {[%clk 0:00:05]} {[%clk 0:00:06]} e5 *",
            json!({"clock_ms": [5_000, null]}),
        ),
        // No value, and not closed.
        (
            "1. e4 {[%clk]} e5 {[%clk } 2. Nf3 {[%clk 0:00:10} Nc6 {[%emt ?] [%eval ]} *",
            json!({"clock_ms": [null, null, null, null], "emt_ms": [null, null, null, null],
                "eval_cp": [null, null, null, null]}),
        ),
        // In variations, before the first move, after the result: of no ply.
        (
            "{[%clk 0:00:01]} $7 1. e4 (1. d4 {[%clk 0:00:02]} $3) 1... e5 ({no move [%clk 0:00:03]} 1... c5) * {[%clk 0:00:04]}",
            json!({"clock_ms": none, "nags": [[], []], "comment": none}),
        ),
        (
            "1. e4 ; [%clk 0:00:07] to the end\ne5 ; and [%eval 0.5]\n*",
            json!({"clock_ms": [7_000, null], "eval_cp": [null, 50], "comment": ["to the end", "and"]}),
        ),
        (
            "1. e4 $1 $255 $99999999999 e5!? $32767 2. Nf3 ?? Nc6 $32768 $0 *",
            json!({"nags": [[1, 255], [5, 32_767], [4], [0]]}),
        ),
        (
            "1. e4! e5? 2. Nf3!! Nc6?? 3. Bb5!? a6?! *",
            json!({"nags": [[1], [2], [3], [4], [5], [6]]}),
        ),
        (
            "1. e4 {one} (1. d4 {not}) {two [%csl Gd4]} e5 { } {} *",
            json!({"comment": ["one two", null]}),
        ),
        ("1. e4 *", json!({"clock_ms": [null], "nags": [[]], "comment": [null], "ply": [1]})),
        (
            "1. e4 { nested { braces [%clk 0:00:08] } here } e5 *",
            json!({"clock_ms": [8_000, null]}),
        ),
        (
            "1. e4 {\u{fc} [%clk 0:00:09]} e5 *",
            json!({"clock_ms": [9_000, null], "comment": ["\u{fc}", null]}),
        ),
        ("*", json!({"ply": []})),
    ];
    let cases: Vec<(String, Json)> =
        cases.into_iter().map(|(movetext, expected)| (tagged(movetext), expected)).collect();
    let cases: Vec<(&str, Json)> =
        cases.iter().map(|(text, expected)| (&text[..], expected.clone())).collect();
    check_plies(&cases, "");
}

#[test]
fn lists_of_games_have_an_element_per_ply() {
    check_games(
        &[
            (b"[Event \"x\"]\n\n1. e4 {[%clk 0:03:00]} e5 2. Nf3 {[%clk 0:02:00] [%eval 0.1]} *\n",
                json!({"clocks": [180_000, null, 120_000], "evals_cp": [null, null, 10],
                    "evals_mate": [null, null, null]})),
            (b"[Event \"x\"]\n\n1. e4 {[%emt 0:00:01]} e5 *\n",
                json!({"clocks": null, "evals_cp": null, "evals_mate": null})),
            // There is one, although none that can be read.
            (b"[Event \"x\"]\n\n1. e4 {[%clk x]} e5 {[%eval y]} *\n",
                json!({"clocks": [null, null], "evals_cp": [null, null], "evals_mate": [null, null]})),
            // Of no ply: there is none.
            (b"[Event \"x\"]\n\n{[%clk 0:00:01]} 1. e4 (1. d4 {[%clk 0:00:02] [%eval 1]}) e5 * {[%clk 0:00:03]}\n",
                json!({"clocks": null, "evals_cp": null})),
        ],
        "",
    );
}

/// A game that is read again in another notation, or rejected after many plies, leaves no row and no value behind.
#[test]
fn rejected_games_and_games_read_again_leave_nothing() {
    let spoiled = "[Event \"rejected\"]\n[Remark \"gone\"]\n[WhiteElo \"x\"]\n\n\
        1. e4 {[%clk x] gone} $1 e5 {[%eval 1]} (1... c5) 2. Nf3 Nc6 3. Ke4 *\n\n";
    let again = "[Event \"again\"]\n\n1. e4 {[%clk 0:00:01] a} e5 $2 2. Sf3 {b} Sc6 *\n\n";
    let good = "[Event \"good\"]\n[Remark \"kept\"]\n\n1. d4 {c} d5 *\n\n";
    for order in [[spoiled, again, good], [good, spoiled, again], [again, spoiled, spoiled]] {
        let text = order.concat();
        let rows = objects(text.as_bytes(), "--table plies --columns all --notation descriptive");
        let plies: Vec<(&str, Option<&str>, i64)> = rows
            .iter()
            .map(|row| {
                let text = |name: &str| row[name].as_str();
                (text("san").unwrap(), text("comment"), row["game"].as_i64().unwrap())
            })
            .collect();
        let expected: Vec<_> = (1..)
            .zip(order)
            .flat_map(|(number, game)| match game {
                _ if game == good => vec![("d4", Some("c"), number), ("d5", None, number)],
                _ if game == again => vec![
                    ("e4", Some("a"), number),
                    ("e5", None, number),
                    ("Nf3", Some("b"), number),
                    ("Nc6", None, number),
                ],
                _ => Vec::new(),
            })
            .collect();
        assert_eq!(plies, expected);
        let games = objects(text.as_bytes(), "--columns all --notation descriptive");
        let kept: Vec<&&str> = order.iter().filter(|game| **game != spoiled).collect();
        assert_eq!(games.len(), kept.len());
        for (row, game) in games.iter().zip(kept) {
            let (moves, tags, clocks) = match *game {
                game if game == good => ("d2d4 d7d5", json!({"Remark": "kept"}), json!(null)),
                _ => ("e2e4 e7e5 g1f3 b8c6", json!({}), json!([1000, null, null, null])),
            };
            assert_eq!(row["moves"], moves);
            assert_eq!((&row["tags"], &row["clocks"]), (&tags, &clocks));
            let offset = row["byte_offset"].as_u64().unwrap() as usize;
            assert!(text[offset..].starts_with(game), "{offset}");
        }
    }
}

/// The number of a ply has 16 bits; nothing else depends on the length of a game.
#[test]
fn games_of_40_000_plies() {
    for plies in [5_000, 40_000] {
        let dance = "Nf3 {[%clk 0:00:01]} Nf6 Ng1 Ng8 ".repeat(plies / 4);
        let text = format!("[Event \"long\"]\n\n{dance}*\n\n[Event \"next\"]\n\n1. e4 *\n");
        let table = table::table_of(text.as_bytes(), "--table plies --columns all");
        assert_eq!(table.rows.len(), plies + 1);
        let numbers: Vec<Option<i64>> =
            table.column("ply").into_iter().map(table::Value::number).collect();
        for (index, number) in numbers[..plies].iter().enumerate() {
            let expected = Some(index as i64 + 1).filter(|&number| number <= 32_767);
            assert_eq!(*number, expected);
        }
        assert_eq!(numbers[plies], Some(1));
        let games = table::table_of(text.as_bytes(), "--columns all");
        assert_eq!(games.column("ply_count")[0].number(), Some(plies as i64));
        let clocks = games.column("clocks")[0];
        assert!(matches!(clocks, table::Value::List(clocks) if clocks.len() == plies));
        let moves = games.column("moves")[0].text().unwrap();
        assert_eq!(moves.split(' ').count(), plies);
    }
}

/// Comments, glyphs and clocks are those of their ply in whatever notation the moves are written.
#[test]
fn annotations_are_the_same_in_every_notation() {
    let scratch = Scratch::new();
    let text = b"[Event \"a\"]\n\n1. e4 $1 e5 {x} 2. Nf3 $2 {y [%clk 0:01:00]} 2... Nc6 3. Bb5 $14 $1 a6 $5 4. Ba4 ; z\n\
        4... Nf6 (4... b5 $3 {q}) 5. O-O {r} $7 Be7 $8 6. Re1 b5 $9 7. Bb3 d6 {1 $2} 8. c3 O-O $10 *\n";
    scratch.write("san.pgn", text);
    let columns = "--table plies --columns game,ply,nags,comment,clock_ms,san";
    let plies = |input: &str| {
        table::export(&scratch, &format!("{columns} -q --overwrite -o t.parquet {input}"), &[]);
        table::parquet(&scratch.join("t.parquet")).rows
    };
    let expected = plies("san.pgn");
    assert_eq!(expected.len(), 16);
    for notation in pgnmill::NOTATIONS {
        let name = notation.info().name;
        let args = ["convert", "--quiet", "--overwrite", "--to", name, "-o", "to.pgn", "san.pgn"];
        assert!(run_in(scratch.path(), &args, b"").status.success(), "{name}");
        assert_eq!(plies("to.pgn"), expected, "{name}");
    }
}

/// The null moves of the main line are in the lists of moves, whatever is between them: variations that have null moves
/// and results of their own, and comments.
#[test]
fn null_moves_are_counted_whatever_is_between_them() {
    const BETWEEN: &[&str] = &[
        "(-- 1-0) ",
        "{-- 1-0} ",
        "(-- (-- *) --) ",
        "(-- -- 1/2-1/2 ) {Z0} ",
        "$1 ",
        "; --\n",
        "",
    ];
    let mut dice = Dice::new(0x73);
    for _ in 0..40 {
        let (mut text, mut expected) = ("[Event \"a\"]\n\n".to_string(), Vec::new());
        // Each side moves its knight there and back.
        let mut moves = [["Nf3", "Ng1"].iter().cycle(), ["Nf6", "Ng8"].iter().cycle()];
        for ply in 0..16 {
            let is_null = dice.below(3) == 0;
            let next = if is_null { Some(&"--") } else { moves[ply % 2].next() };
            expected.extend(next.copied());
            text += &format!("{} ", next.unwrap());
            (0..dice.below(3)).for_each(|_| text += dice.one(BETWEEN));
        }
        text += "*\n";
        let found =
            objects(text.as_bytes(), "--columns game --notation san --allow null-move-main-line");
        assert_eq!(found[0]["moves_san"], expected.join(" "), "{text}");
    }
}

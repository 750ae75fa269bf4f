//! Lines of positions, EPD and FEN: what shakmaty and python-chess read of them, and which of them are written.
//!
//! In: random games of every ruleset that shakmaty has, which begin alike, and the generated archive. Laws: a line is the
//! position that shakmaty has before a ply, after it, or after the last one, in the order of the games; with `--distinct`
//! each position once, the first line of those that have it, the same bytes for any number of threads, memory and
//! container; an operation has the value of its column, and `bm` is a legal move; a string is the same for readers with
//! escapes and without them.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;

use pgnmill_needs::needs;
use shakmaty::fen::Fen;
use shakmaty::san::{San, SanPlus};
use shakmaty::variant::{Variant, VariantPosition as Theirs};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

use super::table;
use crate::common::variants::{SHARED, start_of_chess960, theirs_of};
use crate::common::{Dice, Scratch, boards, errors_of, exit_code, run_in, sample_text, trials};
use pgnmill_core::chess::rules::{BoardKind, VariantKind};

/// A game as it is written, its positions from the start to the end, and its moves.
struct Game {
    text: String,
    records: Vec<String>,
    moves: Vec<String>,
}

fn record(position: &Theirs) -> String {
    Fen::from_position(position, EnPassantMode::Legal).to_string()
}

/// A ruleset's name, its start.
fn start(dice: &mut Dice) -> (&'static str, Theirs) {
    match dice.below(SHARED.len() + 3) {
        0 => ("Standard", Theirs::new(Variant::Chess)),
        1 => {
            // Positions in which a capture en passant is legal, or is not because a rook is behind the pawns.
            let record =
                ["4k3/8/8/8/1p6/8/P1P5/4K2R w K - 3 30", "8/2p5/8/KP5r/8/8/8/7k b - - 0 9"];
            let record = record[dice.below(2)];
            let mode = CastlingMode::Standard;
            ("Standard", theirs_of(Variant::Chess, record, mode).unwrap())
        }
        2 => {
            let record =
                start_of_chess960(VariantKind::Atomic, &mut Dice::new(dice.below(2) as u64));
            let mode = CastlingMode::Chess960;
            ("Chess960", theirs_of(Variant::Chess, &record, mode).unwrap())
        }
        other => (SHARED[other - 3].0.name(), Theirs::new(SHARED[other - 3].1)),
    }
}

fn game(dice: &mut Dice, number: usize) -> Game {
    let (rules, mut position) = start(dice);
    let (mut records, mut moves) = (vec![record(&position)], Vec::new());
    let mut text = format!(
        "[Event \"{number}\"]\n[White \"a; {number}\"]\n[Variant \"{rules}\"]\n[SetUp \"1\"]\n[FEN \"{}\"]\n\n",
        records[0]
    );
    for _ in 0..dice.below(12) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        // Among the first ones, so that games meet.
        let mv = legal[dice.below(legal.len().min(4))];
        let san = SanPlus::from_move(position.clone(), mv).to_string();
        let _ = write!(text, "{san} ");
        moves.push(san);
        position.play_unchecked(mv);
        records.push(record(&position));
    }
    text += "*\n\n";
    Game { text, records, moves }
}

fn games(dice: &mut Dice, count: usize) -> Vec<Game> {
    (0..count).map(|number| game(dice, number)).collect()
}

fn text_of(games: &[Game]) -> String {
    games.iter().map(|game| game.text.as_str()).collect()
}

/// The record without its clocks.
fn position_of(record: &str) -> &str {
    let end = record.rmatch_indices(' ').nth(1).unwrap().0;
    &record[..end]
}

/// The lines of an archive.
fn lines(text: &[u8], args: &str, file: &str) -> Vec<String> {
    let scratch = Scratch::new();
    scratch.write("a.pgn", text);
    table::export(&scratch, &format!("{args} -q -o {file} a.pgn"), &[]);
    let found = fs::read_to_string(scratch.join(file)).unwrap();
    found.lines().map(str::to_string).collect()
}

/// Of several lines of one position the first.
fn firsts<'l>(lines: impl IntoIterator<Item = &'l str>, of: fn(&str) -> &str) -> Vec<&'l str> {
    let mut known = HashSet::new();
    lines.into_iter().filter(|line| known.insert(of(line).to_string())).collect()
}

#[test]
fn lines_are_the_positions_that_shakmaty_has() {
    let (mut dice, mut removed) = (Dice::new(1), 0);
    for _ in 0..trials(2, 10, 100) {
        let games = games(&mut dice, 60);
        let text = text_of(&games);
        let of = |choose: fn(&Game) -> &[String]| -> Vec<&str> {
            games.iter().flat_map(choose).map(String::as_str).collect()
        };
        let before = of(|game| &game.records[..game.moves.len()]);
        let after = of(|game| &game.records[1..]);
        let last = of(|game| &game.records[game.moves.len()..]);
        assert!(before.len() > 150 && last.len() == games.len());
        for (args, expected) in [
            ("--table plies", &before),
            ("--table plies --position before", &before),
            ("--table plies --position after", &after),
            ("--table games", &last),
        ] {
            assert_eq!(&lines(text.as_bytes(), args, "p.fen"), expected, "{args}");
            let positions: Vec<&str> = expected.iter().map(|record| position_of(record)).collect();
            assert_eq!(lines(text.as_bytes(), args, "p.epd"), positions, "{args}");
            let args = format!("{args} --distinct");
            let once = firsts(expected.iter().copied(), position_of);
            removed += expected.len() - once.len();
            assert_eq!(lines(text.as_bytes(), &args, "p.fen"), once, "{args}");
            let once = firsts(positions, |line| line);
            assert_eq!(lines(text.as_bytes(), &args, "p.epd"), once, "{args}");
        }
        // The column is the same, as far as there is one.
        let args = "--table plies --columns fen";
        assert_eq!(lines(text.as_bytes(), args, "p.csv")[1..], before);
        let args = "--table plies --plies 3 --position after";
        let third = games.iter().filter_map(|game| game.records.get(3));
        assert!(lines(text.as_bytes(), args, "p.fen").iter().eq(third));
    }
    assert!(removed > 20, "{removed}");
}

/// A game of Chess 99 has its own record, whose last field is the number of the move.
#[test]
fn records_of_chess_99_lose_the_number_of_the_move() {
    let text = "[Variant \"Chess 99\"]\n\n1. b24 Nh9g7 2. i24 Nb9a7 *\n";
    for (args, count) in [("--table plies", 4), ("--table plies --position after", 4), ("", 1)] {
        let [records, positions] =
            ["p.fen", "p.epd"].map(|file| lines(text.as_bytes(), args, file));
        assert_eq!((records.len(), positions.len()), (count, count));
        for (record, position) in records.iter().zip(&positions) {
            assert_eq!(record.rsplit_once(' ').unwrap().0, position);
        }
        let clocks = lines(text.as_bytes(), &format!("{args} --opcodes hmvc,fmvn"), "p.epd");
        for (line, record) in clocks.iter().zip(&records) {
            let (position, number) = record.rsplit_once(' ').unwrap();
            assert_eq!(*line, format!("{position} fmvn {number};"));
        }
    }
}

/// Records of boards that are given by a table have two clocks; lines are read again under their rules.
#[test]
fn records_of_other_boards_lose_their_clocks_and_are_read_again() {
    let mut dice = Dice::new(0xb0e);
    for &kind in BoardKind::ALL {
        let text = boards::games(kind, 3, 40, &mut dice);
        let args = "--table plies --opcodes hmvc,fmvn,bm";
        let records = lines(text.as_bytes(), "--table plies", "p.fen");
        let epd = lines(text.as_bytes(), args, "p.epd");
        assert!(records.len() > 3 && records.len() == epd.len());
        for (line, record) in epd.iter().zip(&records) {
            let fields: Vec<&str> = record.rsplitn(3, ' ').collect();
            let [number, clock, position] = fields[..] else { panic!("{record}") };
            assert!(line.starts_with(&format!("{position} hmvc {clock}; fmvn {number}; bm ")));
        }
        let scratch = Scratch::new();
        for (name, lines) in [("p.epd", &epd), ("p.fen", &records)] {
            scratch.write(name, (lines.join("\n") + "\n").as_bytes());
            let args = ["validate", "-q", "--strict", "--rules", kind.name(), name];
            let output = run_in(scratch.path(), &args, b"");
            assert_eq!(exit_code(&output), 0, "{}", errors_of(&output));
        }
    }
}

/// A record does not state its rules: games of several are warned of, except those of chess and Chess960, which are read
/// as each other, and unless an operation states them; a condition on `rules` leaves one.
#[test]
fn positions_of_several_rulesets_are_warned_of() {
    let names = ["", "Chess960", "Crazyhouse", "Atomic", "King of the Hill"];
    let rules = ["chess", "chess960", "crazyhouse", "atomic", "kingOfTheHill"];
    for chosen in 1_usize..1 << names.len() {
        let met: Vec<usize> = (0..names.len()).filter(|at| chosen >> at & 1 > 0).collect();
        let scratch = Scratch::new();
        let game = |at: &usize| match names[*at] {
            "" => "[White \"a\"]\n\n1. a4 a5 *\n\n".to_string(),
            name => format!("[White \"a\"]\n[Variant \"{name}\"]\n\n1. a4 a5 *\n\n"),
        };
        scratch.write("a.pgn", met.iter().map(game).collect::<String>().as_bytes());
        let said = |args: &str, file: &str| {
            let args = format!("export --overwrite --table plies {args} -o {file} a.pgn");
            let words: Vec<&str> = args.split_whitespace().collect();
            let ran = run_in(scratch.path(), &words, b"");
            assert_eq!(exit_code(&ran), 0, "{}", errors_of(&ran));
            let warning =
                errors_of(&ran).lines().find(|line| line.contains("rulesets")).map(String::from);
            (warning, fs::read_to_string(scratch.join(file)).unwrap())
        };
        let is_mixed = met.len() > 1 && met.iter().any(|&at| at > 1);
        let listed: Vec<&str> = met.iter().map(|&at| rules[at]).collect();
        let expected = format!("which no line states: {};", listed.join(", "));
        for file in ["p.epd", "p.fen"] {
            let (warning, _) = said("", file);
            assert_eq!(warning.is_some(), is_mixed, "{listed:?}: {warning:?}");
            assert!(warning.is_none_or(|it| it.contains(&expected)), "{listed:?}");
        }
        let (warning, lines) = said("--opcodes x=rules", "p.epd");
        assert_eq!(warning, None, "{listed:?}");
        for name in &listed {
            assert_eq!(lines.matches(&format!(" x \"{name}\";")).count(), 2, "{lines}");
            let condition = format!("--where rules==\"{name}\"");
            let (warning, lines) = said(&condition, "p.epd");
            assert_eq!((warning, lines.lines().count()), (None, 2), "{listed:?}: {name}");
        }
    }
}

/// What is warned of is one file with several rulesets: not files of one each, nor what an input that fails has had.
#[test]
fn rulesets_are_those_of_one_file() {
    let scratch = Scratch::new();
    let atomic = "[White \"a\"]\n[Variant \"Atomic\"]\n\n1. a4 a5 *\n\n".repeat(3_000);
    let chess = "[White \"a\"]\n\n1. a4 a5 *\n\n";
    scratch.write("a.pgn", atomic.as_bytes());
    scratch.write("c.pgn", chess.as_bytes());
    scratch.write("both.pgn", [chess, &atomic].concat().as_bytes());
    // Its frames are damaged behind the first.
    let frame = zstd::bulk::compress(atomic.as_bytes(), 1).unwrap();
    scratch.write("broken.pgn.zst", &[&frame[..], &frame[..frame.len() / 2]].concat());
    for (args, code, is_warned) in [
        ("-o one.epd a.pgn c.pgn", 0, true),
        ("-o many/ a.pgn c.pgn", 0, false),
        ("-o mixed/ a.pgn both.pgn c.pgn", 0, true),
        ("-o parts/ --partition-by rules both.pgn", 0, false),
        ("-o years/ --partition-by White both.pgn", 0, true),
        ("--keep-going -o kept/ broken.pgn.zst c.pgn", 2, false),
    ] {
        let args = format!("export --format epd {args}");
        let words: Vec<&str> = args.split_whitespace().collect();
        let ran = run_in(scratch.path(), &words, b"");
        assert_eq!(exit_code(&ran), code, "{args}: {}", errors_of(&ran));
        assert_eq!(
            errors_of(&ran).contains("several rulesets"),
            is_warned,
            "{args}: {}",
            errors_of(&ran)
        );
    }
}

/// The same bytes, however they are computed, and the lines are the first ones.
#[test]
fn distinct_positions_do_not_depend_on_how_they_are_found() {
    let mut text = sample_text()[..trials(600_000, 1_500_000, 6_000_000)].to_vec();
    // Many positions come again, far from where they were.
    text.extend_from_slice(b"\n\n[Event \"again\"]\n\n*\n\n");
    text.extend_from_within(..100_000);
    let scratch = Scratch::new();
    scratch.write("plain/a.pgn", &text);
    scratch.write("zst/a.pgn", &zstd::encode_all(&text[..], 1).unwrap());
    let line = |options: &str, file: &str, distinct: &str| {
        let args = format!(
            "export --table plies --opcodes bm,c0=game_index,c1=ply {distinct} --overwrite -q {options} -o {file} a.pgn"
        );
        args.split_whitespace().map(str::to_string).collect::<Vec<_>>()
    };
    let run = |folder: &str, options: &str, distinct: &str| {
        let words = line(options, "o.epd", distinct);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let output = run_in(&scratch.join(folder), &words, b"");
        assert!(exit_code(&output) < 2, "{}", errors_of(&output));
        fs::read_to_string(scratch.join(folder).join("o.epd")).unwrap()
    };
    let all = run("plain", "--threads 1", "");
    let of = |line: &str| line.match_indices(' ').nth(3).map_or(line.len(), |(at, _)| at);
    let mut known = HashSet::new();
    let once: Vec<&str> = all.lines().filter(|line| known.insert(&line[..of(line)])).collect();
    assert!(once.len() > 6_000 && once.len() < all.lines().count());
    let expected = once.join("\n") + "\n";
    let mut sorted = once;
    sorted.sort_by_key(|line| &line[..of(line)]);
    let sorted = sorted.join("\n") + "\n";
    for (folder, options) in [
        ("plain", "--threads 1"),
        ("plain", "--threads 2 --memory 1MiB"),
        ("zst", "--threads 7 --memory 1MiB"),
        ("plain", "--threads 3 --memory 3MiB --block-bytes 700 --range-bytes 4099"),
    ] {
        assert!(run(folder, options, "--distinct") == expected, "{folder} {options}");
        assert!(run(folder, options, "--distinct --sorted") == sorted, "{folder} {options}");
    }
    // The summary has the number of the lines.
    for options in ["--distinct", "--distinct --sorted"] {
        let words = line("--threads 2", "o.epd", options);
        let words: Vec<&str> = words.iter().map(String::as_str).filter(|it| *it != "-q").collect();
        let errors = errors_of(&run_in(&scratch.join("plain"), &words, b""));
        let count = format!("{} positions of ", sorted.lines().count());
        assert!(errors.replace(',', "").contains(&count), "{errors}");
    }
    // What exceeded the memory left nothing.
    let mut names = scratch.names();
    names.sort();
    assert_eq!(names, ["plain", "zst"]);
    let left = fs::read_dir(scratch.join("plain")).unwrap().count();
    assert_eq!(left, 2);
}

/// One file per input: each position once in each.
#[test]
fn each_input_has_its_own_positions() {
    let games = games(&mut Dice::new(4), 30);
    let scratch = Scratch::new();
    for (name, part) in [("in/a.pgn", &games[..20]), ("in/b.pgn", &games[10..])] {
        scratch.write(name, text_of(part).as_bytes());
    }
    table::export(
        &scratch,
        "--table plies --format fen --distinct -q -o out/ in/a.pgn in/b.pgn",
        &[],
    );
    for (name, part) in [("a", &games[..20]), ("b", &games[10..])] {
        let found = fs::read_to_string(scratch.join(&format!("out/{name}.plies.fen"))).unwrap();
        let records = part.iter().flat_map(|game| &game.records[..game.moves.len()]);
        let expected = firsts(records.map(String::as_str), position_of);
        assert!(found.lines().eq(expected));
    }
}

/// Reads the operations of a line as readers without escapes do: quotes toggle, a semicolon outside of them ends.
fn operations(line: &str) -> Vec<(String, String)> {
    let start = line.match_indices(' ').nth(3).map_or(line.len(), |(at, _)| at + 1);
    let (mut all, mut own, mut is_quoted) = (Vec::new(), String::new(), false);
    for character in line[start..].chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            ';' if !is_quoted => {
                let (name, value) = own.trim_start().split_once(' ').unwrap();
                all.push((name.to_string(), value.to_string()));
                own.clear();
                continue;
            }
            _ => {}
        }
        own.push(character);
    }
    assert!(own.is_empty() && !is_quoted, "{line}");
    all
}

/// Games with texts and evaluations of every kind.
const CRAFTED: &str = "[Event \"a \\\"b\\\"; c\\\\d\"]\n[White \"\u{e9}\"]\n[WhiteElo \"2400\"]\n\n\
    1. e4 {[%eval 0.17]} e5 {[%eval 0.30]} 2. Qh5 {[%eval -0.5]} Ke7 {[%eval #1]} 3. Qxe5# 1-0\n\n\
    [Event \"x\"]\n[SetUp \"1\"]\n[FEN \"6k1/5ppp/8/8/8/8/r4PPP/6K1 b - - 7 31\"]\n\n\
    31... Ra8 {[%eval #-2]} 32. h3 {[%eval #-1]} Ra1+ *\n\n";

#[test]
fn operations_have_the_values_of_their_columns() {
    let args = "--table plies --opcodes id=Event,bm,ce,dm,hmvc,fmvn,c0=White,v0=WhiteElo,c9=game_index,n=ply";
    let found = lines(CRAFTED.as_bytes(), args, "p.epd");
    let id = "\"a 'b'; c/d\"";
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    assert_eq!(
        found[0],
        format!("{start} id {id}; bm e4; hmvc 0; fmvn 1; c0 \"\u{e9}\"; v0 2400; c9 \"0\"; n 1;")
    );
    let of = |line: &str, name: &str| {
        let found = operations(line).into_iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value)
    };
    // Of the position, from the side to move: Black has what White has lost.
    let values = |lines: &[String], name: &str| -> Vec<Option<i64>> {
        lines.iter().map(|line| of(line, name).map(|it| it.parse().unwrap())).collect()
    };
    assert_eq!(values(&found, "ce"), [None, Some(-17), Some(30), Some(50), None, None, None, None]);
    // White mates in one before the fifth ply; Black's mate is none for White.
    let none = None;
    assert_eq!(values(&found, "dm"), [none, none, none, none, Some(1), none, none, Some(1)]);
    assert_eq!(values(&found[5..], "hmvc"), [Some(7), Some(8), Some(0)]);
    assert_eq!(values(&found[5..], "fmvn"), [Some(31), Some(32), Some(32)]);
    let args = "--table plies --position after --opcodes ce=eval_cp,dm=eval_mate";
    let after = lines(CRAFTED.as_bytes(), args, "p.epd");
    assert_eq!(values(&after, "ce"), [Some(-17), Some(30), Some(50), none, none, none, none, none]);
    assert_eq!(values(&after, "dm"), [none, none, none, Some(1), none, none, Some(1), none]);
    let games = lines(CRAFTED.as_bytes(), "--opcodes id=Event,c0=ply_count", "p.epd");
    assert!(games[0].ends_with(&format!(" id {id}; c0 \"5\";")), "{}", games[0]);
}

/// Neighbouring games of no, one and two plies: each line has the tag pair of its own game.
#[test]
fn lines_have_the_values_of_their_own_game() {
    for number in 0..27_usize {
        let (mut text, mut expected) = (String::new(), Vec::new());
        for (game, plies) in [number / 9, number / 3 % 3, number % 3].into_iter().enumerate() {
            text += &format!("[Event \"{game}\"]\n\n{} *\n\n", ["", "1. e4", "1. e4 e5"][plies]);
            expected.extend((0..plies).map(|_| format!("\"{game}\"")));
        }
        let found = lines(text.as_bytes(), "--table plies --opcodes id=Event", "p.epd");
        let ids: Vec<String> = found.iter().map(|line| operations(line).remove(0).1).collect();
        assert_eq!(ids, expected, "{text}");
    }
}

/// An opcode has 15 characters at most (PGN standard, 16.2.4).
#[test]
fn opcodes_have_the_length_of_the_standard() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", CRAFTED.as_bytes());
    for length in [1, 14, 15, 16, 30] {
        let opcode = format!("{}=Event", "n".repeat(length));
        let args = ["export", "-q", "--overwrite", "--opcodes", &opcode, "-o", "p.epd", "a.pgn"];
        let expected = if length <= 15 { 0 } else { 2 };
        assert_eq!(exit_code(&run_in(scratch.path(), &args, b"")), expected, "{length}");
    }
}

/// What an engine writes after its ply is of the position before it, whatever other operations a line has; `%eval` is
/// of the position after it, and goes before.
#[test]
fn an_engine_evaluates_the_position_before_its_ply() {
    let text = "[Event \"x\"]\n\n1. e4 {+0.30/12 1s} e5 {-0.20/11 1.5s} 2. Nf3 {+M3/20 1s} Nc6 \
                {[%eval 0.50] +0.10/9 1s} 3. Bb5 {+0.70/8 1s} a6 *\n\n";
    for (position, ce, dm) in [
        ("before", [Some(30), Some(-20), None, None, Some(50), None], [None, None, Some(2)]),
        ("after", [None, None, None, Some(50), None, None], [None; 3]),
    ] {
        for others in ["", ",acd=depth", ",c0=comment_form"] {
            let args = format!("--table plies --position {position} --opcodes ce,dm{others}");
            let found = lines(text.as_bytes(), &args, "p.epd");
            let value = |line: &String, name: &str| {
                let found = operations(line).into_iter().find(|(known, _)| known == name);
                found.map(|(_, value)| value.parse::<i64>().unwrap())
            };
            let values = |name: &str| found.iter().map(|it| value(it, name)).collect::<Vec<_>>();
            assert_eq!(values("ce"), ce, "{args}");
            assert_eq!(values("dm")[..3], dm, "{args}");
        }
    }
}

/// The move of a line is legal in its position for shakmaty, and is the one that was played.
#[test]
fn the_best_move_is_the_move_that_was_played() {
    let text = &sample_text()[..trials(40_000, 400_000, 4_000_000)];
    let lines_of = |args: &str, file: &str| lines(text, args, file);
    let found = lines_of("--table plies --opcodes bm", "p.epd");
    let played = lines_of("--table plies --columns san", "p.csv");
    let after = lines_of("--table plies --position after", "p.epd");
    assert!(found.len() > 700 && found.len() + 1 == played.len());
    for ((line, played), after) in found.iter().zip(&played[1..]).zip(&after) {
        let (position, san) = line.split_once(" bm ").unwrap();
        let san = san.strip_suffix(';').unwrap();
        assert_eq!(san, played);
        let fen: Fen = format!("{position} 0 1").parse().unwrap();
        let board: Chess = fen.into_position(CastlingMode::Standard).unwrap();
        let mv = San::from_ascii(san.trim_end_matches(['+', '#']).as_bytes()).unwrap();
        let board = board.clone().play(mv.to_move(&board).unwrap()).unwrap();
        let record = Fen::from_position(&board, EnPassantMode::Legal).to_string();
        assert_eq!(position_of(&record), after);
    }
}

/// What reads the lines, and what it has of each: the position again, and the operations.
const READER: &str = "\
import sys, chess
for line in open(sys.argv[1], encoding='utf-8'):
    board, operations = chess.Board.from_epd(line.rstrip('\\n'))
    assert board.is_valid() or board.status() & ~chess.STATUS_TOO_MANY_CHECKERS == 0, line
    moves = [board.san(move) for move in operations.get('bm', [])]
    print(board.epd(), '|', ' '.join(moves), '|', operations.get('id'), '|', operations.get('hmvc'),
          '|', operations.get('fmvn'), '|', operations.get('ce'))
";

#[needs("python-chess", command = "python3 -c 'import chess.pgn'")]
#[test]
fn python_chess_reads_every_line() {
    let mut text = CRAFTED.as_bytes().to_vec();
    text.extend_from_slice(&sample_text()[..trials(40_000, 400_000, 4_000_000)]);
    let args = "--table plies --opcodes bm,id=Event,hmvc,fmvn,ce";
    let found = lines(&text, args, "p.epd");
    let scratch = Scratch::new();
    scratch.write("p.epd", (found.join("\n") + "\n").as_bytes());
    scratch.write("read.py", READER.as_bytes());
    let mut python = std::process::Command::new("python3");
    let output = python.current_dir(scratch.path()).args(["read.py", "p.epd"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = String::from_utf8(output.stdout).unwrap();
    assert_eq!(read.lines().count(), found.len());
    for (line, read) in found.iter().zip(read.lines()) {
        let own = operations(line);
        let of = |name: &str| {
            let value = own.iter().find(|(known, _)| known == name);
            value.map_or("None", |(_, value)| value.trim_matches('"'))
        };
        let position = &line[..line.match_indices(' ').nth(3).unwrap().0];
        let expected = [position, of("bm"), of("id"), of("hmvc"), of("fmvn"), of("ce")].join(" | ");
        assert_eq!(read, expected);
    }
}

/// python-chess's own set of positions.
const SET: &str = "\
import sys, chess.pgn
positions = set()
with open(sys.argv[1], encoding='utf-8') as games:
    while game := chess.pgn.read_game(games):
        board = game.board()
        for move in game.mainline_moves():
            positions.add(board.epd())
            board.push(move)
print('\\n'.join(sorted(positions)))
";

#[needs("python-chess", command = "python3 -c 'import chess.pgn'")]
#[test]
fn python_chess_has_the_same_set_of_positions() {
    let text = &sample_text()[..trials(40_000, 400_000, 4_000_000)];
    let end = text.windows(2).rposition(|two| two == b"\n[").unwrap();
    let start = text[..end].windows(9).rposition(|it| it == b"\n\n[Event ").unwrap();
    let text = &text[..start + 2];
    let mut found = lines(text, "--table plies --distinct", "p.epd");
    found.sort();
    let scratch = Scratch::new();
    scratch.write("a.pgn", text);
    scratch.write("set.py", SET.as_bytes());
    let mut python = std::process::Command::new("python3");
    let output = python.current_dir(scratch.path()).args(["set.py", "a.pgn"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let expected = String::from_utf8(output.stdout).unwrap();
    assert!(found.len() > 1_000);
    assert!(found.iter().map(String::as_str).eq(expected.lines()));
}

//! `position in @FILE`: the games that it takes are those that shakmaty takes; what of a file cannot be read is named.
//!
//! In: random games of chess, Chess960 and another ruleset, with null moves; files of positions of them in every form of
//! EPD and FEN. Laws: a game is selected if and only if a position of its main line has the first four fields of a
//! line; with a file of one position the condition is `position("FEN")`.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs;

use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::variant::{Variant, VariantPosition as Theirs};
use shakmaty::{CastlingMode, EnPassantMode, Position as _};

use crate::common::variants::{start_of_chess960, theirs_of};
use crate::common::{Dice, Scratch, errors_of, exit_code, run_in, trials};
use pgnmill_core::chess::rules::VariantKind;
use pgnmill_core::select::{POSITIONS_MAX, PositionSet, PositionSetError};

struct Game {
    text: String,
    /// The first four fields of its positions; `None` in a game of other rules.
    positions: Option<Vec<String>>,
    records: Vec<String>,
}

fn game(dice: &mut Dice, number: usize) -> Game {
    let (variant, rules, record) = match dice.below(6) {
        0 => (Variant::Chess, "Chess960", {
            start_of_chess960(VariantKind::Atomic, &mut Dice::new(dice.below(2) as u64))
        }),
        1 => (Variant::Chess, "Standard", "8/2p1p3/8/KP1P3r/8/8/8/7k b - - 0 9".to_string()),
        2 => (Variant::Chess, "Standard", "r3k2r/8/8/8/1p6/8/P1P5/R3K2R w KQkq - 0 20".to_string()),
        3 => (Variant::KingOfTheHill, "King of the Hill", String::new()),
        _ => (Variant::Chess, "Standard", String::new()),
    };
    let mode = if rules == "Chess960" { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let mut position = match record.as_str() {
        "" => Theirs::new(variant),
        record => theirs_of(variant, record, mode).unwrap(),
    };
    let record = |position: &Theirs| Fen::from_position(position, EnPassantMode::Legal).to_string();
    let mut records = vec![record(&position)];
    let mut text = format!(
        "[Event \"{number}\"]\n[Variant \"{rules}\"]\n[SetUp \"1\"]\n[FEN \"{}\"]\n\n",
        records[0]
    );
    for _ in 0..dice.below(14) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[dice.below(legal.len().min(3))];
        let _ = write!(text, "{} ", SanPlus::from_move(position.clone(), mv));
        position.play_unchecked(mv);
        records.push(record(&position));
    }
    text += "*\n\n";
    let four = |record: &String| record.rsplitn(3, ' ').nth(2).unwrap().to_string();
    let positions = (variant == Variant::Chess).then(|| records.iter().map(four).collect());
    Game { text, positions, records }
}

/// The events of the games that an expression takes.
fn selected(scratch: &Scratch, expression: &str) -> Vec<String> {
    let args = ["export", "-q", "--columns", "Event", "--overwrite", "-o", "t.csv", "--allow"];
    let args = [&args[..], &["null-move-main-line", "--where", expression, "a.pgn"]].concat();
    let output = run_in(scratch.path(), &args, b"");
    assert!(exit_code(&output) < 2, "{}", errors_of(&output));
    let table = fs::read_to_string(scratch.join("t.csv")).unwrap();
    table.lines().skip(1).map(str::to_string).collect()
}

#[test]
fn a_game_is_selected_if_shakmaty_reaches_a_position_of_the_file() {
    let mut dice = Dice::new(8);
    let (mut taken, mut left) = (0, 0);
    for _ in 0..trials(3, 20, 200) {
        let games: Vec<Game> = (0..60).map(|number| game(&mut dice, number)).collect();
        let scratch = Scratch::new();
        let text: String = games.iter().map(|game| game.text.as_str()).collect();
        scratch.write("a.pgn", text.as_bytes());
        let mut lines = String::from("# positions\n\n");
        let mut known = HashSet::new();
        for game in &games {
            for (record, four) in game.records.iter().zip(game.positions.iter().flatten()) {
                if dice.below(40) > 0 {
                    continue;
                }
                known.insert(four.clone());
                lines += &match dice.below(4) {
                    0 => format!("{four}\n"),
                    1 => format!("{record}\r\n"),
                    2 => format!("{four} bm e4; id \"# 1\";\n\n"),
                    // A square that no capture reaches is no difference.
                    _ => format!(" {} 7 9 hmvc 3;\n", four),
                };
            }
        }
        scratch.write("in/my lines.epd", lines.as_bytes());
        let reaches = |game: &Game| {
            game.positions.as_ref().map(|all| all.iter().any(|it| known.contains(it)))
        };
        let events = |wanted: Option<bool>| -> Vec<String> {
            let games = games.iter().enumerate().filter(|(_, game)| reaches(game) == wanted);
            games.map(|(number, _)| number.to_string()).collect()
        };
        let (some, none) = (events(Some(true)), events(Some(false)));
        (taken, left) = (taken + some.len(), left + none.len());
        assert_eq!(selected(&scratch, "position in @'in/my lines.epd'"), some);
        assert_eq!(selected(&scratch, "position not in @\"in/my lines.epd\""), none);
        let missing = "(position in @'in/my lines.epd') is missing";
        assert_eq!(selected(&scratch, missing), events(None));
        let either =
            "not (position in @'in/my lines.epd') or position in @'in/my lines.epd' and true";
        assert_eq!(selected(&scratch, either).len(), some.len() + none.len());
    }
    assert!(taken > 30 && left > 30, "{taken} {left}");
}

/// After null moves too, and with squares that no pawn can capture on.
#[test]
fn one_position_of_a_file_is_the_function() {
    let mut dice = Dice::new(2);
    let scratch = Scratch::new();
    let mut text = String::new();
    for number in 0..40 {
        text += &game(&mut dice, number).text;
    }
    text += "1. e4 -- 2. d4 -- 3. d5 e5 4. h4 *\n\n[Event \"41\"]\n\n1. e4 -- 2. Nf3 -- *\n\n\
             [Event \"42\"]\n\n1. e4 c5 2. e5 d5 3. f4 *\n\n\
             [Event \"43\"]\n[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 *\n\n";
    scratch.write("a.pgn", text.as_bytes());
    let mut found = 0;
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -",
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3",
        "rnbqkbnr/pppppppp/8/8/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -",
        "rnbqkbnr/pppppppp/8/8/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -",
        "rnbqkbnr/pppppppp/8/8/3PP3/8/PPP2PPP/RNBQKBNR b KQkq -",
        "4k3/8/8/8/8/8/4P3/4K3 w - -",
        "4k3/8/8/8/4P3/8/8/4K3 b - -",
        "rnbqkbnr/pppp1ppp/8/3Pp3/4P3/8/PPP2PPP/RNBQKBNR w KQkq e6",
        "rnbqkbnr/pppp1ppp/8/3Pp3/4P3/8/PPP2PPP/RNBQKBNR w KQkq -",
        "rnbqkbnr/pp2pppp/8/2ppP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6",
        "rnbqkbnr/pp2pppp/8/2ppP3/8/8/PPPP1PPP/RNBQKBNR w KQkq -",
    ] {
        scratch.write("p.epd", format!("{fen}\n").as_bytes());
        let function = format!("position(\"{fen}\")");
        let of_file = selected(&scratch, "position in @p.epd");
        assert_eq!(of_file, selected(&scratch, &function), "{fen}");
        assert!(selected(&scratch, &format!("(position in @p.epd) != {function}")).is_empty());
        found += usize::from(!of_file.is_empty());
    }
    assert!(found >= 10, "{found}");
}

#[test]
fn what_cannot_be_read_is_named() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", b"1. e4 *\n");
    scratch.write("good.epd", b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n");
    scratch.write(
        "bad.epd",
        b"# a\n\n4k3/8/8/8/8/8/4P3/4K3 w - -\n4k3/8/8/8/8/8/8/8 w - - id \"x\";\n",
    );
    scratch.write("short.fen", b"4k3/8/8/8/8/8/4P3/4K3\n");
    scratch.write("empty.epd", b"\n# nothing\n");
    let long = [b"4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"".to_vec(), vec![b'x'; 3_000_000]].concat();
    scratch.write("long.epd", &long);
    for (expression, words) in [
        ("position in @no.epd", &["column 13", "cannot read no.epd"][..]),
        ("position in @bad.epd", &["bad.epd, line 4: each side needs exactly one king"]),
        ("position in @short.fen", &["short.fen, line 1: a position has four fields"]),
        ("position in @empty.epd", &["empty.epd, there is no position"]),
        ("position in @long.epd", &["long.epd, line 1 has more than 65536 bytes"]),
        ("White in @good.epd", &["column 1", "position in @FILE"]),
        ("position == @good.epd", &["a file is written after in"]),
        ("position in @", &["@ is followed by the name of a file"]),
        ("position in @\"\"", &["@ is followed by the name of a file"]),
        ("position in @'good.epd", &["no quote at its end"]),
    ] {
        let args = ["validate", "--where", expression, "a.pgn"];
        let output = run_in(scratch.path(), &args, b"");
        let errors = errors_of(&output);
        assert_eq!(exit_code(&output), 2, "{expression}: {errors}");
        assert!(words.iter().all(|word| errors.contains(word)), "{expression}: {errors}");
    }
    // An output does not replace the file.
    let args = ["select", "--where", "position in @good.epd", "--overwrite", "-o", "good.epd"];
    let output = run_in(scratch.path(), &[&args[..], &["a.pgn"]].concat(), b"");
    assert_eq!(exit_code(&output), 2);
    let summary = ["validate", "--where", "position in @good.epd", "--overwrite", "--summary"];
    let output = run_in(scratch.path(), &[&summary[..], &["good.epd", "a.pgn"]].concat(), b"");
    assert_eq!(exit_code(&output), 2);
    assert!(fs::read_to_string(scratch.join("good.epd")).unwrap().starts_with("4k3"));
    // The library reads no file by itself.
    let error = pgnmill::Selection::parse("position in @good.epd").unwrap_err().to_string();
    assert!(error.contains("files are not read"), "{error}");
}

/// A set has as many lines as it may; one more is refused. The limit itself is reached at the full depth: a million lines.
#[test]
fn a_set_has_as_many_positions_as_it_may() {
    let line = b"8/8/8/8/8/8/8/K1k5 w - -\n";
    let count = trials(1_000, POSITIONS_MAX, POSITIONS_MAX);
    let read = |count: usize| PositionSet::read(&line.repeat(count)[..]);
    assert_eq!(read(count).expect("as many as there may be").len(), 1);
    if count == POSITIONS_MAX {
        assert!(matches!(read(count + 1), Err(PositionSetError::TooMany)));
    }
}

/// A run that goes on is refused if the positions of the file are others.
#[test]
fn a_run_goes_on_with_the_same_positions() {
    let scratch = Scratch::new();
    for name in ["in/a.pgn", "in/b.pgn"] {
        scratch.write(name, b"1. e4 e5 *\n");
    }
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    scratch.write("p.epd", format!("{start}\n").as_bytes());
    let run = |inputs: &[&str]| {
        let args =
            ["convert", "--to", "uci", "-o", "o/", "--resume", "--where", "position in @p.epd"];
        run_in(scratch.path(), &[&args[..], inputs].concat(), b"")
    };
    let output = run(&["in/a.pgn", "in/b.pgn"]);
    assert_eq!(exit_code(&output), 0, "{}", errors_of(&output));
    scratch.write("p.epd", format!("# the same\n{start} id \"x\";\n").as_bytes());
    let output = run(&["in/a.pgn", "in/b.pgn"]);
    assert_eq!(exit_code(&output), 0, "{}", errors_of(&output));
    scratch.write("p.epd", b"4k3/8/8/8/8/8/4P3/4K3 w - -\n");
    let output = run(&["in/a.pgn", "in/b.pgn"]);
    assert_eq!(exit_code(&output), 2, "{}", errors_of(&output));
}

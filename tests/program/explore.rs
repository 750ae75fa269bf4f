//! `explore`: what it shows of a position is what the table has.
//!
//! Laws: in each format the rows of a position are those of its record in the CSV table, found by one look-up or by
//! many at once, whatever the row groups, and of these only such as may have the hash are read; a book's are its
//! entries; a tree's counts are those of the table along its lines; a position that is not there ends with exit code 1,
//! a slip in the moves with its ply; the table of every ruleset can be explored; of damaged and foreign files there are
//! rows or a message, never a panic.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use pgnmill_columns::{PositionRow, PositionTable, Wanted};
use pgnmill_core::chess::rules::RulesKind;
use pgnmill_core::chess::{Move, Position};
use pgnmill_core::tasks::positions::record_of;

use crate::common::{Dice, Scratch, errors_of, exit_code, here, run_in, trials};

mod rewritten_table;

/// A row of the CSV table by the names of its columns.
type CsvRow = BTreeMap<String, String>;

/// A directory with the tables of some games of masters.
fn tables() -> Scratch {
    let scratch = Scratch::new();
    let masters = here("data/masters.pgn.zst");
    let run = |args: &[&str]| {
        let output = run_in(scratch.path(), args, b"");
        assert_eq!(exit_code(&output), 0, "{args:?}: {}", errors_of(&output));
    };
    let head = trials(300, 1_500, 20_000).to_string();
    run(&["select", "-q", "--head", &head, "-o", "m.pgn", masters.to_str().unwrap()]);
    // Archives with names that a shell divides, and games with ratings and dates.
    let rated = fs::read(here("examples/games.pgn")).unwrap();
    let own = "[Event \"x\"]\n[Date \"2024.01.31\"]\n[WhiteElo \"2700\"]\n[BlackElo \"2651\"]\n\n1. e4 c5 2. Nf3 1-0\n\n";
    scratch.write("it's one.pgn", &[own.as_bytes(), &rated].concat());
    for (name, more) in [
        ("t.csv", &[][..]),
        ("t.parquet", &[]),
        ("t.arrow", &[]),
        ("t.jsonl", &[]),
        ("t.bin", &[]),
        ("s.csv", &["--sums"]),
        ("s.parquet", &["--sums"]),
        ("s.arrow", &["--sums"]),
    ] {
        let args = ["positions", "-q", "--max-ply", "24", "-o", name, "m.pgn", "it's one.pgn"];
        let output = run_in(scratch.path(), &[&args[..], more].concat(), b"");
        assert!(exit_code(&output) < 2, "{}", errors_of(&output));
    }
    scratch
}

/// The rows of a CSV table, by record.
fn rows_of(path: &Path) -> BTreeMap<String, Vec<CsvRow>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let mut rows: BTreeMap<String, Vec<CsvRow>> = BTreeMap::new();
    for row in reader.deserialize() {
        let row: CsvRow = row.unwrap();
        rows.entry(row["fen"].clone()).or_default().push(row);
    }
    rows
}

/// A row as the CSV table has it.
fn texts(row: &PositionRow) -> [String; 15] {
    let count = |count: Option<u64>| count.map_or(String::new(), |count| count.to_string());
    let real = |real: Option<f64>| real.map_or(String::new(), |real| real.to_string());
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    [
        row.uci.clone(),
        row.san.clone(),
        count(row.ply),
        count(row.games),
        count(row.white),
        count(row.draws),
        count(row.black),
        real(row.score),
        real(row.rating_mean),
        real(row.opponent_rating_mean),
        count(row.rated_games),
        text(&row.first_date),
        text(&row.last_date),
        text(&row.sample_archive),
        count(row.sample_offset),
    ]
}

const TEXTS: [&str; 15] = [
    "uci",
    "san",
    "ply",
    "games",
    "white",
    "draws",
    "black",
    "score",
    "rating_mean",
    "opponent_rating_mean",
    "rated_games",
    "first_date",
    "last_date",
    "sample_archive",
    "sample_offset",
];

/// The values of a row of the CSV table; a number as a shortest text.
fn expected(row: &CsvRow) -> [String; 15] {
    TEXTS.map(|name| match name {
        "score" | "rating_mean" | "opponent_rating_mean" if !row[name].is_empty() => {
            row[name].parse::<f64>().unwrap().to_string()
        }
        _ => row[name].clone(),
    })
}

fn wanted(fen: &str) -> Wanted {
    let (position, _) = Position::from_fen(fen.as_bytes()).unwrap();
    let rules = if position.is_chess960() { RulesKind::Chess960 } else { RulesKind::Chess };
    Wanted { rules, fen: fen.to_string(), hash: Some(position.polyglot_key_of_fen()) }
}

/// Compares what a table has with the CSV table: all positions at once, and some one by one.
fn compare(path: &Path, expected_rows: &BTreeMap<String, Vec<CsvRow>>, dice: &mut Dice) {
    let table = PositionTable::open(path).unwrap();
    let all: Vec<Wanted> = expected_rows.keys().map(|fen| wanted(fen)).collect();
    let found = table.rows_of(&all).unwrap();
    for ((fen, rows), found) in expected_rows.iter().zip(&found) {
        let found: Vec<_> = found.iter().map(texts).collect();
        let rows: Vec<_> = rows.iter().map(expected).collect();
        assert_eq!(found, rows, "{}: {fen}", path.display());
    }
    for _ in 0..trials(12, 60, 300) {
        let index = dice.below(all.len());
        let one = table.rows_of(&all[index..=index]).unwrap();
        assert_eq!(one, found[index..=index], "{}: {:?}", path.display(), all[index]);
    }
    // The same hash, another record; the same record, other rules.
    let other = Wanted { fen: all[0].fen.replace(" w ", " b "), ..all[0].clone() };
    let rules = Wanted { rules: RulesKind::Chess960, ..all[0].clone() };
    let other_fen = format!("{} ", all[0].fen);
    let longer = Wanted { fen: other_fen, ..all[0].clone() };
    for none in [other, rules, longer] {
        if all.contains(&none) {
            continue;
        }
        assert_eq!(table.rows_of(&[none]).unwrap(), [Vec::new()]);
    }
}

#[test]
fn the_rows_of_a_position_are_those_of_its_record() {
    let scratch = tables();
    let rows = rows_of(&scratch.join("t.csv"));
    assert!(rows.len() > 1_000);
    let mut dice = Dice::new(68);
    for name in ["t.parquet", "t.arrow", "t.csv", "t.jsonl", "s.parquet", "s.arrow", "s.csv"] {
        compare(&scratch.join(name), &rows, &mut dice);
    }
    // A name without an ending: the first bytes decide.
    for name in ["t.parquet", "t.arrow", "t.csv", "t.jsonl"] {
        fs::copy(scratch.join(name), scratch.join("table")).unwrap();
        compare(&scratch.join("table"), &rows, &mut dice);
    }
    // By the program: the same records.
    let columns = ["fen", "uci", "san", "games", "white", "draws", "black", "sample_offset"];
    for name in ["t.parquet", "t.arrow", "t.csv", "t.jsonl"] {
        for _ in 0..trials(2, 3, 40) {
            let fen = rows.keys().nth(dice.below(rows.len())).unwrap();
            let output = run_in(scratch.path(), &["explore", "--format", "csv", name, fen], b"");
            let mut reader = csv::Reader::from_reader(&output.stdout[..]);
            let found: Vec<CsvRow> = reader.deserialize().map(Result::unwrap).collect();
            let of = |row: &CsvRow| columns.map(|name| row[name].clone());
            let found: Vec<_> = found.iter().map(of).collect();
            assert_eq!(found, rows[fen].iter().map(of).collect::<Vec<_>>(), "{name}: {fen}");
        }
    }
}

/// Small row groups, as other programs may write them: other encodings, other pages, another compression.
#[test]
fn only_row_groups_that_may_have_the_hash_are_read() {
    let scratch = tables();
    let rows = rows_of(&scratch.join("t.csv"));
    let mut dice = Dice::new(69);
    for style in 0..rewritten_table::STYLES {
        let path = scratch.join("r.parquet");
        let rows_per_group = 20 + dice.below(200);
        rewritten_table::write(&scratch.join("t.csv"), &path, style, rows_per_group);
        compare(&path, &rows, &mut dice);
        for _ in 0..trials(20, 30, 400) {
            let fen = rows.keys().nth(dice.below(rows.len())).unwrap();
            let table = PositionTable::open(&path).unwrap();
            assert!(!table.rows_of(&[wanted(fen)]).unwrap()[0].is_empty());
            // The rows of a position can be in two row groups.
            let groups = 1 + rows[fen].len().div_ceil(rows_per_group);
            assert!(table.groups_read() <= groups, "{} of {groups}", table.groups_read());
        }
    }
}

#[test]
fn a_books_moves_are_its_entries() {
    let scratch = tables();
    let bytes = fs::read(scratch.join("t.bin")).unwrap();
    let mut entries: BTreeMap<u64, Vec<(u16, u16)>> = BTreeMap::new();
    for entry in bytes.chunks(16) {
        let key = u64::from_be_bytes(entry[..8].try_into().unwrap());
        let number = |at: usize| u16::from_be_bytes([entry[at], entry[at + 1]]);
        entries.entry(key).or_default().push((number(8), number(10)));
    }
    let table = PositionTable::open(scratch.join("t.bin")).unwrap();
    let rows = rows_of(&scratch.join("t.csv"));
    let all: Vec<Wanted> = rows.keys().map(|fen| wanted(fen)).collect();
    let mut found_count = 0;
    for (wanted, found) in all.iter().zip(table.rows_of(&all).unwrap()) {
        let expected = entries.get(&wanted.hash.unwrap()).cloned().unwrap_or_default();
        let found: Vec<_> =
            found.iter().map(|row| (row.book_move.unwrap(), row.weight.unwrap())).collect();
        found_count += found.len();
        assert_eq!(found, expected, "{wanted:?}");
    }
    assert_eq!(found_count, bytes.len() / 16);
    // By the program: each move is one of the table, with its texts.
    let mut dice = Dice::new(70);
    for _ in 0..trials(4, 10, 100) {
        let fen = rows.keys().nth(dice.below(rows.len())).unwrap();
        let output = run_in(scratch.path(), &["explore", "--format", "csv", "t.bin", fen], b"");
        let mut reader = csv::Reader::from_reader(&output.stdout[..]);
        for row in reader.deserialize() {
            let row: CsvRow = row.unwrap();
            let of_table = rows[fen].iter().find(|known| known["uci"] == row["uci"]);
            assert_eq!(of_table.unwrap()["san"], row["san"], "{fen}");
        }
    }
}

/// The counts of a tree, of the CSV table alone: for each line its games.
fn walk(
    rows: &BTreeMap<String, Vec<CsvRow>>,
    position: &Position,
    depth: usize,
    least: f64,
    line: &[String],
    found: &mut Vec<(String, String)>,
) {
    let record = record_of(&pgnmill::AnyPosition::Chess(*position));
    for row in rows.get(&record).into_iter().flatten().filter(|_| depth > 0) {
        if row["games"].parse::<f64>().unwrap() < least {
            continue;
        }
        let line = [line, &[row["san"].clone()]].concat();
        found.push((line.join(" "), row["games"].clone()));
        let mv = Move::from_uci(position, &row["uci"]).unwrap();
        walk(rows, &position.play(mv), depth - 1, least, &line, found);
    }
}

#[test]
fn a_trees_counts_are_those_of_the_table() {
    let scratch = tables();
    let rows = rows_of(&scratch.join("t.csv"));
    for name in ["t.parquet", "t.arrow", "t.csv", "t.jsonl"] {
        for (depth, share, moves) in
            [(1, 0.0, ""), (4, 1.0, ""), (6, 5.0, "1. e4 e5"), (3, 0.5, "d4"), (2, 100.0, "")]
        {
            let mut position = Position::initial();
            for word in moves.split(' ').filter(|word| !word.is_empty() && !word.ends_with('.')) {
                let uci = if word == "d4" {
                    "d2d4"
                } else if word == "e4" {
                    "e2e4"
                } else {
                    "e7e5"
                };
                position = position.play(Move::from_uci(&position, uci).unwrap());
            }
            let record = record_of(&pgnmill::AnyPosition::Chess(position));
            let games: f64 =
                rows[&record].iter().map(|row| row["games"].parse::<f64>().unwrap()).sum();
            let mut expected = Vec::new();
            walk(&rows, &position, depth, games * share / 100.0, &[], &mut expected);
            let (depth, share) = (depth.to_string(), share.to_string());
            let args =
                ["explore", "--depth", &depth, "--share", &share, "--format", "csv", name, moves];
            let output = run_in(scratch.path(), &args, b"");
            assert!(exit_code(&output) < 2, "{}", errors_of(&output));
            let mut reader = csv::Reader::from_reader(&output.stdout[..]);
            let found = reader.deserialize().map(|row| {
                let row: CsvRow = row.unwrap();
                (row["line"].clone(), row["games"].clone())
            });
            assert_eq!(found.collect::<Vec<_>>(), expected, "{args:?}");
        }
    }
    // More moves than a page has: those of the first plies, and that it is not all.
    let output =
        run_in(scratch.path(), &["explore", "--depth", "24", "--share", "0", "t.parquet"], b"");
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(page.contains("The tree ends after 2,000 moves"), "{page}");
}

#[test]
fn the_page_has_names_bars_and_a_command() {
    let scratch = tables();
    let run = |args: &[&str]| {
        let output = run_in(scratch.path(), &[&["explore"], args].concat(), b"");
        (exit_code(&output), String::from_utf8(output.stdout.clone()).unwrap(), errors_of(&output))
    };
    let (code, page, _) = run(&["t.parquet", "1. e4 c5 2. Nf3"]);
    assert_eq!(code, 0);
    assert!(page.starts_with("Sicilian Defense (B27)\n"), "{page}");
    assert!(
        page.contains("\nrnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -\n"),
        "{page}"
    );
    assert!(!page.contains('\u{1b}'));
    // The same position in other words.
    for words in [
        &["e4", "c5", "Nf3"][..],
        &["e2e4 c7c5 g1f3"],
        &["--from", "san-de", "1. e4 c5 2. Sf3"],
        &["rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2"],
        &["rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq"],
        &["rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R", "b", "KQkq", "-"],
    ] {
        let (_, other, errors) = run(&[&["t.parquet"], words].concat());
        let without_name = |page: &str| page.split_once('\n').unwrap().1.to_string();
        assert_eq!(without_name(&other), without_name(&page), "{words:?}: {errors}");
    }
    // The last opening that the moves were in, of moves that have left all of them.
    for (moves, name) in [
        ("1. e4 c5", "Sicilian Defense (B20)"),
        ("1. e4 c5 2. a3 h6", "Sicilian Defense: Mengarini Variation (B20)"),
        ("1. e4 c5 2. a3 h6 3. h3 h5", "Sicilian Defense: Mengarini Variation (B20)"),
    ] {
        let (_, page, errors) = run(&["t.parquet", moves]);
        assert_eq!(page.lines().next(), Some(name), "{moves}: {errors}");
    }
    // Colours are those of the option and the environment, and change no text.
    let (_, colored, _) = run(&["--color", "always", "t.parquet", "1. e4 c5 2. Nf3"]);
    let mut plain = String::new();
    let mut parts = colored.split('\u{1b}');
    plain += parts.next().unwrap();
    parts.for_each(|part| plain += part.split_once('m').unwrap().1);
    assert!(colored != page && plain == page, "{colored}");
    // The command of the last line shows a game; the archive's name is one word.
    let (_, first, _) = run(&["t.csv", "1. e4 c5"]);
    let command = first.lines().last().unwrap().strip_prefix("A game: pgnmill ").unwrap();
    assert!(command.starts_with("explain 'it'\\''s one.pgn' --at 0"), "{command}");
    let (at, archive) = ("0", "it's one.pgn");
    assert_eq!(exit_code(&run_in(scratch.path(), &["explain", archive, "--at", at], b"")), 0);
    // A position that is not there.
    for format in ["t.csv", "t.parquet", "t.arrow", "t.jsonl", "t.bin"] {
        let (code, page, _) = run(&[format, "1. a4 a5 2. Na3 b6 3. h4"]);
        let says = format!("The position is not in {format}.\n");
        assert!(code == 1 && page.ends_with(&says), "{page}");
        let (code, page, errors) = run(&[format, "--format", "json", "1. a4 a5 2. Na3 b6 3. h4"]);
        assert_eq!((code, &*page), (1, "[\n\n]\n"));
        assert!(errors.contains(&format!("the position is not in {format}")), "{errors}");
    }
    // Without castling rights it is another position.
    for (record, is_said) in [
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b", true),
        ("rnbqkbnr/pppppppp/8/8/4P3/P7/1PPP1PPP/RNBQKBNR b KQkq -", false),
        ("4k3/8/8/8/8/8/4P3/4K3 w", false),
        ("4k3/8/8/8/8/8/8/R2K3R w", false),
        ("3k4/8/8/8/8/8/8/1R2KR2 w", false),
        ("r3k3/8/8/8/8/8/8/4K3 w", true),
        ("4k3/8/8/8/8/8/8/r3K2r w", false),
    ] {
        let (code, page, errors) = run(&["t.parquet", record]);
        assert!(code == 1 && page.contains("is not in t.parquet."), "{record}: {page}{errors}");
        assert_eq!(page.contains("no castling rights"), is_said, "{record}: {page}");
    }
    // Slips.
    for (words, expected) in [
        ("1. e4 e5 2. Ke3", "ply 3: Ke3"),
        ("1. e4 e5 2. Nf3 Nc6 3. Qz9", "ply 5: "),
        ("1. e4 {x} e5", "without '{'"),
        ("1. e4 -- 2. d4", "ply 2: FIDE 1.3: no side may pass"),
        ("rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP b", "is no FEN record of Chess: the pieces"),
        ("hello", "hello"),
    ] {
        let (code, page, errors) = run(&["t.parquet", words]);
        assert!(code == 2 && page.is_empty() && errors.contains(expected), "{words}: {errors}");
    }
    for (args, expected) in [
        (&["none.csv"][..], "cannot open none.csv"),
        (&["."], ". is no file"),
        (&["-"], "name a file, not -"),
        (&["m.pgn"], "cannot read the table of positions m.pgn: it is an archive of games"),
        (&["t.bin", "--rules", "atomic"], "not of Atomic chess"),
        (&["t.csv", "--share", "5"], "--depth"),
        (&["t.csv", "--depth", "2", "--share", "100.5"], "0 to 100"),
        (&["t.csv", "--depth", "2", "--share=-1"], "0 to 100"),
        (&["t.csv", "--depth", "2", "--share", "nan"], "0 to 100"),
    ] {
        let (code, _, errors) = run(args);
        assert!(code == 2 && errors.contains(expected), "{args:?}: {errors}");
    }
}

/// Moves of each ruleset, with the value of its tag pair.
const RULESETS: [(&str, &str, &str); 14] = [
    ("chess", "Standard", "1. e4 e5 2. Nf3 Nc6"),
    ("chess960", "Chess960", "1. e4 e5 2. Nf3 Nc6 3. Be2 Nf6 4. O-O"),
    ("crazyhouse", "Crazyhouse", "1. e4 d5 2. exd5 Qxd5 3. P@e4"),
    ("atomic", "Atomic", "1. Nf3 f6 2. Nd4 c6"),
    ("antichess", "Antichess", "1. e3 b6 2. Nf3 Bb7"),
    ("giveaway", "Giveaway", "1. e3 b6 2. Nf3 Bb7"),
    ("suicide", "Suicide", "1. e3 b6 2. Nf3 Bb7"),
    ("kingOfTheHill", "King of the Hill", "1. e4 e5 2. Ke2 Ke7"),
    ("threeCheck", "Three-check", "1. e4 d6 2. Bb5+ c6"),
    ("horde", "Horde", "1. e5 e6 2. d5 d6"),
    ("racingKings", "Racing Kings", "1. Nf3 Nc3 2. Ng5"),
    ("chess99", "Chess 99", "1. e3 e86"),
    ("glinski", "Hexagonal", "1. f6 e6 2. Qd2"),
    ("raumschach", "Raumschach", "1. Bc3 Dc3 2. BDa3"),
];

#[test]
fn every_rulesets_table_can_be_explored() {
    let scratch = Scratch::new();
    let games: String = RULESETS
        .iter()
        .map(|(_, tag, moves)| format!("[Event \"a\"]\n[Variant \"{tag}\"]\n\n{moves} *\n\n"))
        .collect();
    scratch.write("g.pgn", games.as_bytes());
    for name in ["t.csv", "t.parquet", "t.arrow", "t.jsonl"] {
        let output = run_in(scratch.path(), &["positions", "-q", "-o", name, "g.pgn"], b"");
        assert_eq!(exit_code(&output), 0, "{}", errors_of(&output));
        for (rules, _, moves) in RULESETS {
            let words: Vec<&str> = moves.split(' ').filter(|word| !word.ends_with('.')).collect();
            let whole = if name == "t.parquet" { 0 } else { words.len() - 1 };
            for count in whole..=words.len() {
                let line = words[..count].join(" ");
                let args = ["explore", name, "--rules", rules, "--format", "csv", &line];
                let output = run_in(scratch.path(), &args, b"");
                let mut reader = csv::Reader::from_reader(&output.stdout[..]);
                let found: Vec<CsvRow> = reader.deserialize().map(Result::unwrap).collect();
                let found: Vec<_> = found
                    .iter()
                    .map(|row| (&*row["rules"], &*row["san"], &*row["games"]))
                    .collect();
                let expected: Vec<_> =
                    words.get(count).map(|next| (rules, *next, "1")).into_iter().collect();
                assert_eq!(found, expected, "{args:?}: {}", errors_of(&output));
                assert_eq!(exit_code(&output), i32::from(expected.is_empty()));
            }
            // Openings are those of chess, whatever the board looks like.
            let args = ["explore", name, "--rules", rules, "--depth", "9", "--format", "csv"];
            let output = run_in(scratch.path(), &args, b"");
            let mut reader = csv::Reader::from_reader(&output.stdout[..]);
            let tree: Vec<CsvRow> = reader.deserialize().map(Result::unwrap).collect();
            assert_eq!(tree.len(), words.len(), "{args:?}: {}", errors_of(&output));
            let named = tree.iter().filter(|row| !row["opening"].is_empty()).count();
            assert_eq!(named > 0, rules == "chess", "{args:?}: {tree:?}");
        }
    }
    let output =
        run_in(scratch.path(), &["explore", "t.parquet", "--rules", "horde", "--depth", "4"], b"");
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(page.contains("\n   2... d6") && page.contains(" --rules horde\n"), "{page}");
}

/// A row that is longer than a row may be, a position with more moves than one has.
#[test]
fn what_a_table_can_make_the_program_hold_is_bounded() {
    let scratch = Scratch::new();
    let header = "fen,uci,san,games,white,draws,black\n";
    let start = record_of(&pgnmill::AnyPosition::Chess(Position::initial()));
    let row = format!("{start},e2e4,e4,1,1,0,0\n");
    let json = format!(
        "{{\"fen\":\"{start}\",\"uci\":\"e2e4\",\"san\":\"e4\",\"games\":1,\"white\":1,\"draws\":0,\"black\":0}}\n"
    );
    let long = "x".repeat(3 << 20);
    for (name, text, expected) in [
        ("a.csv", format!("{header}{row}{start},{long},e4,1,1,0,0\n"), "a row has more than"),
        ("b.csv", format!("fen,uci,{long}"), "a row has more than"),
        ("c.jsonl", format!("{json}{{\"fen\":\"{long}\"}}\n"), "row 2: it has more than"),
        ("d.csv", format!("{header}{}", row.repeat(5_000)), "more than 4096 moves"),
        ("e.jsonl", json.repeat(5_000), "more than 4096 moves"),
        ("f.csv", format!("{header}{start},e2e4,e4,-1,1,0,0\n"), "row 1: games is no number"),
        ("g.jsonl", "[".repeat(100_000), "row 1: "),
        ("h.bin", "12345".to_string(), "entries of 16 bytes"),
        ("i.parquet", header.to_string(), "no Parquet file"),
        ("j.arrow", header.to_string(), "no Arrow file"),
        ("k.csv", String::new(), "no column fen"),
    ] {
        scratch.write(name, text.as_bytes());
        let output = run_in(scratch.path(), &["explore", name], b"");
        let errors = errors_of(&output);
        assert_eq!(exit_code(&output), 2, "{name}: {errors}");
        assert!(errors.contains(expected) && errors.contains(name), "{name}: {errors}");
    }
    // What the table names is no text for a terminal, and no word of a shell.
    let odd = format!("{header}{start},e2e4,\u{1b}[31me4,1,1,0,0\n");
    let odd = odd
        .replacen("black", "black,sample_archive,sample_offset", 1)
        .replace(",0,0\n", ",0,0,a;b $c.pgn,7\n");
    scratch.write("odd.csv", odd.as_bytes());
    let page = run_in(scratch.path(), &["explore", "odd.csv"], b"").stdout;
    let page = String::from_utf8(page).unwrap();
    assert!(!page.contains('\u{1b}'), "{page}");
    assert!(page.ends_with("\nA game: pgnmill explain 'a;b $c.pgn' --at 7\n"), "{page}");
}

/// A position that no table names has the opening of the moves that lead to it: on the page, and in the record of each
/// of its moves; without these moves it has none.
#[test]
fn moves_lead_to_an_opening_that_their_position_has_not() {
    let scratch = Scratch::new();
    let game = "[White \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. a3 a6 3. h3 h6 4. g3 g6 1-0\n\n";
    scratch.write("a.pgn", [game, &game.replace("4. g3", "4. b3")].concat().as_bytes());
    let made = run_in(scratch.path(), &["positions", "-q", "-o", "a.parquet", "a.pgn"], b"");
    assert_eq!(exit_code(&made), 0, "{}", errors_of(&made));
    let fen = "rnbqkbnr/1ppp1pp1/p6p/4p3/4P3/P6P/1PPP1PP1/RNBQKBNR w KQkq -";
    for (position, opening) in
        [("e4 e5 a3 a6 h3 h6", Some("King's Pawn Game: Mengarini's Opening")), (fen, None)]
    {
        let args = ["explore", "a.parquet", position];
        let shown =
            run_in(scratch.path(), &[&args[..], &["--format", "json"]].concat(), b"").stdout;
        let records: serde_json::Value = serde_json::from_slice(&shown).unwrap();
        let records = records.as_array().unwrap();
        assert_eq!(records.len(), 2, "{records:?}");
        for record in records {
            assert_eq!(record["opening"].as_str(), opening, "{position}");
            assert_eq!(record["eco"].as_str(), opening.map(|_| "C20"), "{position}");
        }
        let page = run_in(scratch.path(), &args, b"").stdout;
        let page = String::from_utf8(page).unwrap();
        assert_eq!(page.contains("Mengarini"), opening.is_some(), "{page}");
    }
}

/// Flipped bytes, cuts, bytes of other places: rows or a message.
#[test]
fn damaged_tables_have_rows_or_a_message() {
    let scratch = tables();
    let rows = rows_of(&scratch.join("t.csv"));
    let all: Vec<Wanted> = rows.keys().map(|fen| wanted(fen)).collect();
    let mut dice = Dice::new(71);
    // Small tables, not compressed too, so that damage reaches the decoders.
    let text = fs::read_to_string(scratch.join("t.csv")).unwrap();
    let few: Vec<&str> = text.split_inclusive('\n').take(400).collect();
    scratch.write("few.csv", few.concat().as_bytes());
    let mut names =
        ["t.parquet", "s.arrow", "t.csv", "t.jsonl", "t.bin"].map(String::from).to_vec();
    for style in 0..rewritten_table::STYLES {
        let name = format!("few{style}.parquet");
        rewritten_table::write(&scratch.join("few.csv"), &scratch.join(&name), style, 300);
        names.push(name);
    }
    let of_few: Vec<Wanted> =
        rows_of(&scratch.join("few.csv")).keys().map(|fen| wanted(fen)).collect();
    let (mut messages, mut reads) = (0, 0);
    for name in names {
        let whole = fs::read(scratch.join(&name)).unwrap();
        let ending = Path::new(&name).extension().unwrap();
        let path: PathBuf = scratch.join("d").with_extension(ending);
        // Of these every byte reaches a decoder.
        let is_plain = ["few2.parquet", "few3.parquet"].contains(&&*name);
        for _ in 0..trials(if is_plain { 200 } else { 40 }, if is_plain { 300 } else { 90 }, 60_000)
        {
            let mut bytes = whole.clone();
            damage(&mut bytes, &mut dice);
            fs::write(&path, &bytes).unwrap();
            let asked = dice.below(all.len());
            let asked = if name.starts_with("few") { &of_few[..] } else { &all[asked..=asked] };
            match PositionTable::open(&path).and_then(|table| table.rows_of(asked)) {
                Ok(_) => reads += 1,
                Err(error) => {
                    let text = error.to_string();
                    assert!(
                        text.contains("the table of positions") && !text.contains('\n'),
                        "{text}"
                    );
                    messages += 1;
                }
            }
        }
    }
    assert!(messages > 50 && reads > 50, "{messages} {reads}");
}

/// Every small number of the heads of an Arrow file, one less and one more: numbers of columns and buffers, offsets,
/// lengths. Rows or a message.
#[test]
fn every_number_of_an_arrow_file_may_be_another() {
    let scratch = tables();
    let whole = fs::read(scratch.join("s.arrow")).unwrap();
    let rows = rows_of(&scratch.join("t.csv"));
    let asked: Vec<Wanted> = rows.keys().take(3).map(|fen| wanted(fen)).collect();
    let path = scratch.join("d.arrow");
    let number = |at: usize| u32::from_le_bytes(whole[at..at + 4].try_into().unwrap());
    let is_head = |at: usize| at < 9_000 || at + 9_000 > whole.len();
    let places =
        (0..whole.len() - 4).step_by(4).filter(|&at| is_head(at) && (1..99).contains(&number(at)));
    let (mut messages, mut reads, mut reasons) = (0, 0, BTreeSet::new());
    for (turn, at) in places.enumerate() {
        for other in [number(at) - 1, number(at) + 1]
            .into_iter()
            .skip(trials(turn % 2, 0, 0))
            .step_by(trials(2, 1, 1))
        {
            let mut bytes = whole.clone();
            bytes[at..at + 4].copy_from_slice(&other.to_le_bytes());
            fs::write(&path, &bytes).unwrap();
            match PositionTable::open(&path).and_then(|table| table.rows_of(&asked)) {
                Ok(_) => reads += 1,
                Err(error) => {
                    reasons.insert(error.to_string());
                    messages += 1;
                }
            }
        }
    }
    let has = |words: &str| reasons.iter().any(|reason| reason.contains(words));
    assert!(has("other columns than the table"), "{reasons:#?}");
    assert!(messages > 50 && reads > 50, "{messages} {reads}");
}

/// Damages bytes, more often those of the end, where the footers are.
fn damage(bytes: &mut Vec<u8>, dice: &mut Dice) {
    let at = |bytes: &[u8], dice: &mut Dice| match dice.below(3) {
        0 => bytes.len() - 1 - dice.below(bytes.len().min(3_000)),
        1 => dice.below(bytes.len().min(300)),
        _ => dice.below(bytes.len()),
    };
    match dice.below(4) {
        0 => {
            let end = at(bytes, dice);
            bytes.truncate(end);
        }
        1 => {
            // A cut in the middle, with the end.
            let (from, count) = (at(bytes, dice), 1 + dice.below(40));
            let to = bytes.len().min(from + count);
            drop(bytes.drain(from..to));
        }
        _ => {
            for _ in 0..1 + dice.below(4) {
                let place = at(bytes, dice);
                bytes[place] =
                    [0, 0xff, 0x7f, 0x80, 1, bytes[place] ^ 1 << dice.below(8)][dice.below(6)];
            }
        }
    }
}

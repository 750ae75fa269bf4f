//! Values that cannot be read are counted and listed, in their order and at their offsets, and never a reason to reject
//! a game.

use std::collections::BTreeMap;
use std::fs;

use super::table;
use crate::common::{Scratch, errors_of, exit_code, run_in};

/// A row of `--faults`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Fault {
    offset: usize,
    line: usize,
    column: usize,
    game: usize,
    ply: usize,
    kind: String,
    text: String,
}

/// The rows of a table of faults.
fn faults(scratch: &Scratch, name: &str) -> Vec<Fault> {
    let mut reader = csv::Reader::from_path(scratch.join(name)).unwrap();
    let headers = reader.headers().unwrap().clone();
    let fault = |row: csv::StringRecord| {
        let field = |name: &str| {
            let index = headers.iter().position(|header| header == name).unwrap();
            row[index].to_string()
        };
        let number = |name: &str| field(name).parse().unwrap();
        Fault {
            offset: number("byte_offset"),
            line: number("line"),
            column: number("column"),
            game: number("game"),
            ply: number("ply"),
            kind: field("kind"),
            text: field("text"),
        }
    };
    reader.records().map(|row| fault(row.unwrap())).collect()
}

/// The numbers of unreadable values in a summary, by kind.
fn nulls(scratch: &Scratch, name: &str) -> BTreeMap<String, u64> {
    let text = fs::read_to_string(scratch.join(name)).unwrap();
    let rows = text.lines().filter_map(|row| row.strip_prefix("null:")?.split_once(','));
    rows.map(|(kind, count)| (kind.to_string(), count.parse().unwrap())).collect()
}

/// What is wrong in a text: after each `<kind|` follows a value up to `>`; both are removed from the text.
fn marked(text: &str) -> (String, Vec<Fault>) {
    let (mut plain, mut found) = (String::new(), Vec::new());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        plain.push_str(before);
        let (kind, after) = after.split_once('|').unwrap();
        let (value, after) = after.split_once('>').unwrap();
        let (kind, ply) = kind.split_once(' ').unwrap_or((kind, "0"));
        let line_start = plain.rfind('\n').map_or(0, |at| at + 1);
        found.push(Fault {
            offset: plain.len(),
            line: plain.matches('\n').count() + 1,
            column: plain.len() - line_start + 1,
            game: plain.matches("[Event ").count(),
            ply: ply.parse().unwrap(),
            kind: kind.to_string(),
            text: value.to_string(),
        });
        plain.push_str(value);
        rest = after;
    }
    plain.push_str(rest);
    (plain, found)
}

const MARKED: &str = "[Event \"1\"]\n[WhiteElo \"<rating-unreadable|2400?>\"]\n[BlackElo \"?\"]\n\
    [UTCTime \"<time-unreadable|24:00:00>\"]\n[WhiteRatingDiff \"<rating-difference-unreadable|many>\"]\n\
    [UTCDate \"<date-unreadable|2024.13.99>\"]\n[BlackRatingDiff \"-\"]\n\n\
    1. e4 { <clock-unreadable 1|[%clk]> [%clk 0:00:01] } e5 {<eval-unreadable 2|[%eval x]>}\n\
    2. Nf3 (2. d4 {[%clk y]}) { a <elapsed-unreadable 3|[%emt 1:2:3:4]> b\n<clock-unreadable 3|[%clk z]> } *\n\n\
    [Event \"2\"]\n[WhiteElo \"\"]\n[UTCDate \"????.??.??\"]\n\n1. d4 d5 *\n\n\
    [Event \"3\"]\n[WhiteElo \"bad\"]\n\n1. e4 {[%clk bad]} e5 2. <illegal 3|Ke4> *\n\n\
    [Event \"4\"]\n[BlackElo \"<rating-unreadable|-40000>\"]\n\n1. e4 e5 2. Sf3 {<clock-unreadable 3|[%clk q]>} Sc6 *\n\n";

#[test]
fn unreadable_values_are_listed_where_they_are() {
    let (text, mut expected) = marked(MARKED);
    let scratch = Scratch::new();
    scratch.write("a.pgn", text.as_bytes());
    for kind in ["plain", "frames"] {
        let input = if kind == "plain" { "a.pgn" } else { "a.pgn.zst" };
        let frames = text.as_bytes().chunks(50).flat_map(|part| zstd::encode_all(part, 1).unwrap());
        scratch.write("a.pgn.zst", &frames.collect::<Vec<u8>>());
        let args = "--columns all --faults f.csv --summary s.csv --overwrite -o t.parquet";
        let sizes = ["--block-bytes=40", "--range-bytes=90", "--threads=2", input];
        let printed = table::export(&scratch, args, &sizes);
        let mut found = faults(&scratch, "f.csv");
        // The verdict on a game has the name that `validate` gives it.
        for (expected, found) in expected.iter_mut().zip(&mut found) {
            if expected.kind == "illegal" {
                assert!(!found.kind.ends_with("-unreadable"), "{found:?}");
                expected.kind.clone_from(&found.kind);
            }
        }
        assert_eq!(found, expected, "{kind}");
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for fault in expected.iter().filter(|fault| fault.game != 3) {
            *counts.entry(fault.kind.clone()).or_default() += 1;
        }
        assert_eq!(nulls(&scratch, "s.csv"), counts, "{kind}");
        let table = table::parquet(&scratch.join("t.parquet"));
        let metadata: BTreeMap<String, u64> =
            serde_json::from_str(&table.metadata["pgnmill.unreadable"]).unwrap();
        assert_eq!(metadata, counts, "{kind}");
        for (kind, count) in &counts {
            let is_listed = |line: &str| {
                line.split_whitespace().collect::<Vec<_>>() == [&count.to_string(), kind, "null"]
            };
            assert!(printed.lines().any(is_listed), "{kind}: {printed}");
        }
        assert_eq!(table.rows.len(), 3, "{kind}");
    }
}

/// A table reports the values that its columns require, and no others; the verdicts are those of `validate`.
#[test]
fn only_values_that_a_column_requires_are_reported() {
    let (text, expected) = marked(MARKED);
    let scratch = Scratch::new();
    scratch.write("a.pgn", text.as_bytes());
    let all: Vec<&Fault> = expected.iter().filter(|fault| fault.game != 3).collect();
    let kinds = |kinds: &[&str]| {
        let is = |fault: &&&Fault| kinds.iter().any(|kind| fault.kind.starts_with(kind));
        all.iter().filter(is).count() as u64
    };
    let commands = ["clock", "elapsed", "eval"];
    for (args, expected) in [
        ("--columns Event", 0),
        ("--columns movetext,moves,final_hash", 0),
        ("--columns WhiteElo", 1),
        ("--columns BlackElo", 1),
        ("--columns UTCDate", 1),
        ("--columns utc_timestamp", 2),
        ("--columns hf", kinds(&["rating", "date", "time"])),
        ("--columns clocks", kinds(&commands)),
        ("--columns default", all.len() as u64),
        ("--table plies", kinds(&commands)),
        ("--table plies --columns nags", kinds(&commands)),
        ("--table plies --columns san,fen", 0),
        ("--columns Event --partition-by WhiteElo", 1),
        ("--columns White --partition-by Event", 0),
    ] {
        let place =
            if args.contains("partition") { format!("{expected}/") } else { "t.csv".into() };
        let output =
            format!("{args} --overwrite --summary s.csv --faults f.csv -q -o {place} a.pgn");
        let args: Vec<&str> = std::iter::once("export").chain(output.split(' ')).collect();
        let ran = run_in(scratch.path(), &args, b"");
        // One game is rejected.
        assert_eq!(exit_code(&ran), 1, "{output}: {}", errors_of(&ran));
        let counted: u64 = nulls(&scratch, "s.csv").values().sum();
        assert_eq!(counted, expected, "{output}");
        let is_value = |fault: &&Fault| fault.kind.ends_with("-unreadable");
        let faults = faults(&scratch, "f.csv");
        let listed: Vec<&Fault> = faults.iter().filter(is_value).collect();
        assert_eq!(listed.len() as u64, expected, "{output}");
        assert_eq!(faults.len() - listed.len(), 1, "{output}: the rejected game");
    }
    // Nothing but such values: all is well.
    let good = "[Event \"x\"]\n[WhiteElo \"x\"]\n\n1. e4 {[%clk]} *\n";
    scratch.write("good.pgn", good.as_bytes());
    for strict in ["", "--strict "] {
        let roster = ["Site", "Date", "Round", "White", "Black", "Result"];
        let roster: String = roster.iter().map(|name| format!("[{name} \"*\"]\n")).collect();
        let text = good.replace("[WhiteElo", &format!("{roster}[WhiteElo"));
        scratch.write("good.pgn", text.as_bytes());
        let line = format!("export {strict}-q --overwrite -o t.csv good.pgn");
        let ran = run_in(scratch.path(), &line.split(' ').collect::<Vec<_>>(), b"");
        let line = format!("validate {strict}-q good.pgn");
        let validated = run_in(scratch.path(), &line.split(' ').collect::<Vec<_>>(), b"");
        assert_eq!(exit_code(&ran), exit_code(&validated), "{}", errors_of(&ran));
    }
    assert_eq!(exit_code(&run_in(scratch.path(), &["validate", "-q", "good.pgn"], b"")), 0);
}

/// All are counted; a game lists a thousand.
#[test]
fn a_game_lists_a_thousand() {
    let scratch = Scratch::new();
    for (tags, count) in [("", 999), ("", 1_000), ("", 1_001), ("[WhiteElo \"x\"]\n", 30_000)] {
        let comments = "{[%clk x]} ".repeat(count);
        let text = format!(
            "[Event \"x\"]\n{tags}\n1. e4 {comments}e5 *\n\n[Event \"y\"]\n\n1. e4 {{[%clk]}} *\n\n"
        );
        scratch.write("a.pgn", text.as_bytes());
        let args = "-q --overwrite --faults f.csv --summary s.csv -o t.parquet a.pgn";
        table::export(&scratch, args, &[]);
        let found = faults(&scratch, "f.csv");
        let of_game = |game| found.iter().filter(|fault| fault.game == game).count();
        let of_tags = usize::from(!tags.is_empty());
        assert_eq!((of_game(1), of_game(2)), ((count + of_tags).min(1_000), 1), "{count}");
        assert!(found.iter().map(|fault| fault.offset).is_sorted());
        let counted = nulls(&scratch, "s.csv");
        assert_eq!(counted["clock-unreadable"], count as u64 + 1);
        assert_eq!(counted.values().sum::<u64>(), (count + of_tags) as u64 + 1);
        assert_eq!(
            found[0].kind,
            if of_tags > 0 { "rating-unreadable" } else { "clock-unreadable" }
        );
    }
}

/// The tables of faults and notes are Parquet if their names end so, with the same rows as CSV.
#[test]
fn faults_as_parquet_have_the_rows_of_the_csv() {
    let (text, _) = marked(MARKED);
    let scratch = Scratch::new();
    scratch.write("a.pgn", text.repeat(4_000).as_bytes());
    for ending in ["csv", "parquet"] {
        let tables =
            format!("--faults f.{ending} --notes n.{ending} -q -o t{ending}.parquet a.pgn");
        table::export(&scratch, &tables, &[]);
    }
    for (name, rows) in [("f", 9 * 4_000), ("n", 0)] {
        let found = table::parquet(&scratch.join(&format!("{name}.parquet")));
        let (last, groups) = found.groups.split_last().expect("a group");
        assert!(groups.iter().all(|&rows| rows == 16_384) && *last <= 16_384, "{:?}", found.groups);
        let mut csv = csv::Reader::from_path(scratch.join(&format!("{name}.csv"))).unwrap();
        assert_eq!(csv.headers().unwrap().iter().collect::<Vec<_>>(), found.names);
        let expected: Vec<csv::StringRecord> = csv.records().map(Result::unwrap).collect();
        assert!(found.rows.len() == expected.len() && found.rows.len() >= rows);
        for (found, expected) in found.rows.iter().zip(&expected) {
            let shown = found.iter().map(|value| match value {
                table::Value::Number(number) => number.to_string(),
                value => value.text().unwrap_or_default().to_string(),
            });
            assert!(shown.eq(expected.iter()), "{found:?}");
        }
        let integers = ["byte_offset", "line", "column", "game", "ply"];
        for field in found.schema.fields() {
            let is_integer = field.data_type() == &arrow_schema::DataType::Int64;
            assert_eq!(is_integer, integers.contains(&field.name().as_str()), "{field}");
        }
    }
}

//! All four formats hold the same values; their types and the limits of their groups.

use arrow_schema::{DataType, TimeUnit};
use pgnmill_columns::{GROUP_GAMES_MAX, GROUP_ROWS_MAX};
use pgnmill_needs::needs;

use super::table::{self, Table, Value};
use crate::common::{SAMPLE, SOURCES, Scratch, corpus, here, name_of, text_of};

/// Games with every kind of value: lists, nulls, empty texts, maps, line ends, quotes.
pub(super) const RICH: &str = "[Event \"a, \\\"quoted\\\" event\"]\n[Site \"https://lichess.org/abcdEFGH\"]\n\
    [Date \"2024.02.29\"]\n[Round \"\"]\n[White \"M\u{fc}ller\"]\n[Black \"?\"]\n[Result \"1-0\"]\n\
    [WhiteElo \"2400\"]\n[BlackElo \"2400?\"]\n[WhiteRatingDiff \"+3\"]\n[BlackRatingDiff \"-3\"]\n\
    [UTCDate \"2024.02.29\"]\n[UTCTime \"23:59:59\"]\n[ECO \"B90\"]\n[TimeControl \"180+2\"]\n\
    [Annotator \"a; b\"]\n[Z \"\"]\n[B \"2\"]\n\n\
    1. e4 $1 {[%clk 0:03:00] [%eval 0.17] good, \"best\"} c5 {[%clk 0:02:59.5]}\n\
    (1... e5 2. Nf3) 2. Nf3!? {[%emt 0:00:01][%eval #-3]}\n{two\nlines} d6 1-0\n\n\
    [Event \"no moves\"]\n[UTCDate \"1899.12.31\"]\n[UTCTime \"00:00:00\"]\n\n*\n\n\
    1. d4 d5 ; a tagless game\n2. c4 e6 1/2-1/2\n\n\
    [Event \"again\"]\n[ECO \"A/0=1:%\"]\n[UTCDate \"2024.13.99\"]\n[Result \"0-1\"]\n\n1. e4 {+0.31/12 0.5s, n=5, nps=7, pv=\"e4, e5\"}\n\
    e5 {d=24, sd=30, mt=5, tb=2, s=3 kN/s, wv=-M12,} 2. Sf3 {book} Sc6 {-0.10/9 3} 0-1\n\n\
    [Event \"rejected\"]\n[ECO \"C20\"]\n\n1. e4 {[%clk x]} e5 2. Ke3 *\n\n\
    [Event \"960\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"1k6/8/8/8/8/8/PPPPPPPP/5KR1 w G - 0 1\"]\n\n1. O-O Kb7 *\n\n\
    [Event \"uci\"]\n[MoveNotation \"uci\"]\n[ECO \"..\"]\n\n1. e2e4 e7e5 2. e1e2 {[%clk]} *\n\n";

/// A row as CSV can hold it: no empty texts. Maps in the order of their names, as `serde_json` reads them.
fn plain(rows: &[Vec<Value>], empty_is_null: bool) -> Vec<Vec<Value>> {
    let plain = |value: &Value| match value {
        Value::Text(text) if text.is_empty() && empty_is_null => Value::Null,
        Value::Map(entries) => {
            let mut entries = entries.clone();
            entries.sort();
            Value::Map(entries)
        }
        value => value.clone(),
    };
    rows.iter().map(|row| row.iter().map(plain).collect()).collect()
}

#[track_caller]
fn assert_same_rows(left: &[Vec<Value>], right: &[Vec<Value>], names: &[String], what: &str) {
    assert_eq!(left.len(), right.len(), "{what}: rows");
    for (row, (one, other)) in left.iter().zip(right).enumerate() {
        for (name, (one, other)) in names.iter().zip(one.iter().zip(other)) {
            assert_eq!(one, other, "{what}: row {row}, {name}");
        }
    }
}

/// Exports an archive in all formats; returns the Parquet table.
fn check(text: &[u8], args: &str, what: &str) -> Table {
    let scratch = Scratch::new();
    scratch.write("a.pgn", text);
    for name in ["t.parquet", "t.arrow", "t.csv", "t.jsonl"] {
        table::export(&scratch, &format!("{args} -q -o {name} a.pgn"), &[]);
    }
    let parquet = table::parquet(&scratch.join("t.parquet"));
    let arrow = table::arrow(&scratch.join("t.arrow"));
    let types = |table: &Table| -> Vec<DataType> {
        table.schema.fields().iter().map(|field| field.data_type().clone()).collect()
    };
    assert_eq!(types(&parquet), types(&arrow), "{what}");
    assert_eq!(parquet.groups, arrow.groups, "{what}");
    let facts = |table: &Table| {
        let mut facts = table.metadata.clone();
        facts.retain(|key, _| key.starts_with("pgnmill.") && key != "pgnmill.command");
        facts
    };
    assert!(facts(&parquet).len() > 8 && facts(&parquet) == facts(&arrow), "{what}");
    let csv = table::csv(&scratch.join("t.csv"), &parquet.schema);
    let json = table::json_lines(&scratch.join("t.jsonl"), &parquet.schema);
    for other in [&arrow, &csv, &json] {
        assert_eq!(parquet.names, other.names, "{what}");
    }
    let names = &parquet.names;
    assert_same_rows(&parquet.rows, &arrow.rows, names, &format!("{what}, arrow"));
    let lines = plain(&parquet.rows, false);
    assert_same_rows(&lines, &plain(&json.rows, false), names, &format!("{what}, jsonl"));
    let fields = plain(&parquet.rows, true);
    assert_same_rows(&fields, &plain(&csv.rows, true), names, &format!("{what}, csv"));
    // The sizes of the groups are in the file, and sum to its rows.
    assert!(parquet.groups.iter().all(|&rows| (1..=GROUP_ROWS_MAX).contains(&rows)), "{what}");
    assert_eq!(parquet.groups.iter().sum::<usize>(), parquet.rows.len(), "{what}");
    // A column that is never null has no null.
    for (name, field) in names.iter().zip(parquet.schema.fields()) {
        let has_null = parquet.column(name).contains(&&Value::Null);
        assert!(field.is_nullable() || !has_null, "{what}: {name}");
    }
    parquet
}

const EVERYTHING: [&str; 6] = [
    "--columns default",
    "--columns hf",
    "--columns all --notation san,descriptive,economical-squares",
    "--table plies",
    "--table plies --columns all --notation descriptive",
    "--table plies --columns san,ply,check",
];

#[test]
fn all_formats_hold_the_same_values() {
    for args in EVERYTHING {
        let table = check(RICH.as_bytes(), args, args);
        assert!(table.rows.len() > 5, "{args}");
        check(&std::fs::read(here(SOURCES)).unwrap(), args, args);
        // No games: a file with columns and no group.
        for text in [&b""[..], b"\n\n", b"[Event \"x\"]\n\n1. Ke4 *\n"] {
            let table = check(text, args, args);
            assert!(table.rows.is_empty() && table.groups.is_empty() && !table.names.is_empty());
        }
    }
}

#[needs("../shared/corpora")]
#[test]
fn all_formats_hold_the_same_values_of_archives() {
    let names = ["linares_2002.pgn", "lichess-org-database_2017-05.pgn", "chess960rwch.pgn"];
    let found = ["otb", "lichess", "chess960", "annotated", "engine"].into_iter().flat_map(corpus);
    let small = |path: &std::path::PathBuf| {
        names.contains(&name_of(path).as_str()) || std::fs::metadata(path).unwrap().len() < 8_000
    };
    let mut rows = 0;
    for path in found.filter(small) {
        let text = text_of(&path);
        let text = &text[..text.len().min(200_000)];
        for args in ["--columns all", "--table plies --columns all"] {
            rows += check(text, args, &format!("{args} {}", path.display())).rows.len();
        }
    }
    println!("{rows} rows in four formats");
    assert!(rows > 10_000);
}

/// The types that readers know: no unsigned numbers, no views, no 32-bit times except in the columns of the Hugging
/// Face dataset.
#[test]
fn types_are_those_of_the_documentation() {
    let all = table::table_of(RICH.as_bytes(), "--columns all");
    let plies = table::table_of(RICH.as_bytes(), "--table plies --columns all");
    let of = |table: &Table, name: &str| table.schema.field(table.index(name)).data_type().clone();
    let microseconds = DataType::Time64(TimeUnit::Microsecond);
    for (name, expected) in [
        ("Event", DataType::Utf8),
        ("WhiteElo", DataType::Int16),
        ("UTCDate", DataType::Date32),
        ("UTCTime", microseconds),
        ("byte_offset", DataType::Int64),
        ("game", DataType::Int64),
        ("time_initial", DataType::Int32),
        ("ply_count", DataType::Int32),
        ("final_hash", DataType::Int64),
        ("utc_timestamp", DataType::Timestamp(TimeUnit::Millisecond, Some("UTC".into()))),
    ] {
        assert_eq!(of(&all, name), expected, "{name}");
    }
    for (name, expected) in [
        ("ply", DataType::Int16),
        ("clock_ms", DataType::Int32),
        ("eval_cp", DataType::Int16),
        ("hash", DataType::Int64),
        ("legal_moves", DataType::Int16),
        ("board", DataType::FixedSizeBinary(64)),
        ("board_nibbles", DataType::FixedSizeBinary(32)),
        ("move_code", DataType::Int16),
        ("spent_ms", DataType::Int32),
        ("game_index", DataType::Int64),
    ] {
        assert_eq!(of(&plies, name), expected, "{name}");
    }
    for (table, name, element) in [
        (&all, "clocks", DataType::Int32),
        (&all, "evals_cp", DataType::Int16),
        (&all, "evals_mate", DataType::Int16),
        (&all, "moves_packed", DataType::Int16),
        (&plies, "nags", DataType::Int16),
    ] {
        let DataType::List(field) = of(table, name) else { panic!("{name} is a list") };
        assert_eq!((field.data_type(), field.is_nullable()), (&element, true), "{name}");
    }
    for (table, names) in [
        (&all, &["verdict", "outcome"][..]),
        (&plies, &["piece", "captured", "promotion", "check"]),
    ] {
        for name in names {
            let dictionary =
                DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8));
            assert_eq!(of(table, name), dictionary, "{name}");
        }
    }
    assert!(matches!(of(&all, "tags"), DataType::Map(..)));
    let hugging_face = table::table_of(RICH.as_bytes(), "--columns hf");
    assert_eq!(of(&hugging_face, "UTCTime"), DataType::Time32(TimeUnit::Second));
    assert_eq!(hugging_face.names.len(), 18);
}

/// Groups: at most so many games, so much text, so many rows; never empty, whatever the games are.
/// The types are those of the dataset whose columns were requested, whatever else was.
#[test]
fn columns_of_the_dataset_have_its_types_among_others() {
    let type_of = |columns: &str| {
        let schema = table::table_of(RICH.as_bytes(), &format!("--columns {columns}")).schema;
        schema.field_with_name("UTCTime").unwrap().data_type().clone()
    };
    let expected = type_of("hf");
    assert_ne!(type_of("default"), expected);
    for columns in ["hf,ply_count", "ply_count,hf", "hf,default", "hf,all", "game_id,hf,final_hash"]
    {
        assert_eq!(type_of(columns), expected, "{columns}");
    }
}

#[test]
fn groups_are_within_their_limits() {
    let tiny = "1. e4 *\n".repeat(2 * GROUP_GAMES_MAX + 5);
    let games = table::table_of(tiny.as_bytes(), "--columns ply_count,game");
    assert_eq!(games.groups, [GROUP_GAMES_MAX, GROUP_GAMES_MAX, 5]);
    let numbers = games.column("game").into_iter().map(|value| value.number().unwrap());
    assert!(numbers.eq(1..=games.rows.len() as i64));
    let plies = table::table_of(tiny.as_bytes(), "--table plies --columns san");
    assert_eq!(plies.groups, [GROUP_GAMES_MAX, GROUP_GAMES_MAX, 5]);
    // A game of more rows than a group, between others; games without rows.
    let dance = "Nf3 Nf6 Ng1 Ng8 ".repeat(75_000);
    let text =
        format!("1. e4 *\n[Event \"long\"]\n\n{dance}*\n[Event \"none\"]\n\n*\n1. d4 d5 *\n");
    let plies = table::table_of(text.as_bytes(), "--table plies --columns game,ply,san");
    let (whole, rest) = (300_000 / GROUP_ROWS_MAX, 300_000 % GROUP_ROWS_MAX);
    let expected = [vec![1], vec![GROUP_ROWS_MAX; whole], vec![rest + 2]].concat();
    assert_eq!(plies.groups, expected);
    let last: Vec<_> = plies.rows[300_001..].iter().map(|row| row[2].text().unwrap()).collect();
    assert_eq!((plies.rows.len(), last), (300_003, vec!["d4", "d5"]));
    // 16 MiB of text.
    let comment = "x".repeat(1_000_000);
    let text = format!("[Event \"x\"]\n\n1. e4 {{{comment}}} *\n\n").repeat(36);
    let games = table::table_of(text.as_bytes(), "--columns ply_count");
    assert_eq!(games.groups, [16, 16, 4]);
}

/// The whole generated archive: more than one group, and more than one job.
#[test]
fn the_sample_is_complete() {
    let text = text_of(&here(SAMPLE));
    let scratch = Scratch::new();
    scratch.write("a.pgn", &text);
    let args = "--columns byte_offset,game,movetext,Event -q --threads 2 -o t.parquet a.pgn";
    table::export(&scratch, args, &[]);
    let table = table::parquet(&scratch.join("t.parquet"));
    let starts: Vec<usize> =
        pgnmill_io::archive::games::Games::new(&text).map(|(start, _)| start).collect();
    assert_eq!(table.rows.len(), starts.len());
    for (index, (row, start)) in table.rows.iter().zip(&starts).enumerate() {
        assert_eq!(row[0], Value::Number(*start as i64), "game {index}");
        assert_eq!(row[1], Value::Number(index as i64 + 1));
        let end = starts.get(index + 1).copied().unwrap_or(text.len());
        let game = std::str::from_utf8(&text[*start..end]).unwrap();
        assert!(game.trim_end().ends_with(row[2].text().unwrap()), "game {index}");
        let event = format!("[Event \"{}\"]", row[3].text().unwrap());
        assert!(game.starts_with(&event), "game {index}");
    }
    assert!(table.groups.len() > 1, "{:?}", table.groups);
}

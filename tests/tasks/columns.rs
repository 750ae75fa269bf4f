//! The columns of `pgnmill export` are those that `docs/columns.md` describes, and other programs read them.
//!
//! The tests with Python run the scripts of `scripts/columns/`, on tables that they export; without the packages they
//! are skipped.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::sync::Mutex;

use crate::common::{self, Scratch, errors_of, exit_code, first_games, here, pgnmill, trials};
use pgnmill_columns::{
    GROUP_GAMES_MAX, GROUP_ROWS_MAX, GROUP_TEXT_BYTES_MAX, Kind, SCHEMA_VERSION, Table, docs,
};
use pgnmill_core::tables::docs::replaced;
use pgnmill_needs::needs;
use pgnmill_run::FILES_BY_VALUE_MAX;

const PAGE: &str = "docs/columns.md";
const TABLES: [Table; 2] = [Table::Games, Table::Plies];

/// Games that have the examples of all columns.
const EXAMPLES: &str = include_str!("columns/examples.pgn");
/// The name of their archive.
const ARCHIVE: &str = "lichess_2017-05.pgn.zst";

fn page() -> String {
    fs::read_to_string(here(PAGE)).unwrap()
}

/// Compares the page with these blocks, or writes them.
fn compare(blocks: Vec<(String, String)>, how: &str) {
    // Tests run at the same time.
    static PAGE_IN_USE: Mutex<()> = Mutex::new(());
    let _in_use = PAGE_IN_USE.lock();
    let page = page();
    let current = replaced(&page, blocks).unwrap_or_else(|error| panic!("{PAGE}: {error}"));
    if std::env::var_os("PGNMILL_WRITE_DOCS").is_some() {
        fs::write(here(PAGE), current).unwrap();
        return;
    }
    assert!(
        page == current,
        "{PAGE} is not current; write it:\n    PGNMILL_WRITE_DOCS=1 cargo test --test tasks columns:: {how}"
    );
}

/// Exports with these arguments to a file of the directory.
fn export(scratch: &Scratch, output: &str, args: &[&str]) -> PathBuf {
    let mut command = pgnmill();
    command.current_dir(scratch.path()).args(["export", "--overwrite", "--quiet", "-o", output]);
    let output_of = command.args(args).output().unwrap();
    assert_eq!(exit_code(&output_of), 0, "{args:?}: {}", errors_of(&output_of));
    scratch.join(output)
}

#[test]
fn the_page_of_the_columns_is_current() {
    compare(docs::blocks(), "the_page");
}

/// The limits in the text of the page are those of the program.
#[test]
fn the_page_has_the_limits_of_the_program() {
    let page = page().replace(',', "").replace('\n', " ");
    for limit in [
        format!("more than {GROUP_GAMES_MAX} games"),
        format!("{} MiB of their text", GROUP_TEXT_BYTES_MAX >> 20),
        format!("{GROUP_ROWS_MAX} rows"),
        format!("At most {FILES_BY_VALUE_MAX} partitions"),
        format!("when a column changes its name type or meaning; {SCHEMA_VERSION} |"),
    ] {
        assert!(page.contains(&limit), "{limit}");
    }
}

/// Every comment that opens or closes a block belongs to a block, so that no outdated one remains.
#[test]
fn every_block_of_the_page_is_generated() {
    let mut names: Vec<String> = docs::blocks().into_iter().map(|(name, _)| name).collect();
    names.extend(docs::QUERIES.map(|(name, _)| format!("result {name}")));
    let page = page();
    let comments = page.lines().filter_map(|line| line.strip_prefix("<!-- ")?.strip_suffix(" -->"));
    let mut count = 0;
    for comment in comments {
        let name = comment.strip_prefix('/').unwrap_or(comment);
        assert!(names.iter().any(|known| known == name), "{comment}");
        count += 1;
    }
    assert_eq!(count, 2 * names.len());
    let files = fs::read_dir(here("scripts/columns/queries")).unwrap();
    assert_eq!(files.count(), docs::QUERIES.len(), "a query is not on the page");
}

/// The example of each column is a value that the program writes into it.
#[test]
fn examples_are_values_of_their_columns() {
    let scratch = Scratch::new();
    scratch.write(ARCHIVE, EXAMPLES.as_bytes());
    for table in TABLES {
        let args = ["--table", table.name(), "--columns", "all", ARCHIVE];
        let rows = fs::read_to_string(export(&scratch, "rows.jsonl", &args)).unwrap();
        let rows: Vec<serde_json::Value> =
            rows.lines().map(|row| serde_json::from_str(row).unwrap()).collect();
        for column in table.columns() {
            let values: BTreeSet<String> = rows
                .iter()
                .map(|row| match &row[&*column.name] {
                    serde_json::Value::String(text) => text.clone(),
                    value => value.to_string(),
                })
                .collect();
            let example = column.example;
            let is_found = match example.strip_suffix('…') {
                Some(beginning) => values.iter().any(|value| value.starts_with(beginning)),
                None => values.contains(example),
            };
            assert!(is_found, "{}: {example} is none of {values:?}", column.name);
            assert!(!column.doc.is_empty() && !column.null.is_empty(), "{}", column.name);
            if column.null == "never" {
                assert!(!rows.iter().any(|row| row[&*column.name].is_null()), "{}", column.name);
            }
            let is_number = matches!(column.kind, Kind::Int16 | Kind::Int32 | Kind::Int64);
            assert!(is_number || column.kind != Kind::Int16List || example.starts_with('['));
        }
    }
}

/// A script of `scripts/columns/`, which must succeed. Returns what it prints.
fn script(name: &str, args: &[&str]) -> String {
    let mut command = Command::new("python3");
    // No caches beside the sources.
    command.env("PYTHONDONTWRITEBYTECODE", "1").env("PYTHONUTF8", "1");
    let output = command.arg(here("scripts/columns").join(name)).args(args).output().unwrap();
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = printed.lines().collect();
    let end = lines[lines.len().saturating_sub(30)..].join("\n");
    assert!(output.status.success(), "{name} {args:?}: {end}\n{}", errors_of(&output));
    printed
}

/// The two tables of the archives of `data/`, and the summary of their validation.
fn tables_of_data(scratch: &Scratch, columns: &str) -> [String; 3] {
    let data = here("data").display().to_string();
    let tables = TABLES.map(|table| {
        let (name, output) = (table.name(), format!("{}.parquet", table.name()));
        let path = export(scratch, &output, &["--table", name, "--columns", columns, &data]);
        path.display().to_string()
    });
    let summary = scratch.join("summary.csv").display().to_string();
    let run = pgnmill().args(["validate", "--quiet", "--summary", &summary, &data]).status();
    assert!(run.unwrap().success());
    let [games, plies] = tables;
    [games, plies, summary]
}

#[needs("DuckDB and pyarrow", command = "python3 -c 'import duckdb, pyarrow'")]
#[test]
fn queries_have_the_results_of_the_page() {
    let scratch = Scratch::new();
    let [games, plies, _] = tables_of_data(&scratch, "default");
    let folder = scratch.path().display().to_string();
    let args = ["--no-print", "--lines", "6", "--markdown", &folder, &games, &plies];
    script("run_queries.py", &args);
    let results = docs::QUERIES.map(|(name, _)| {
        let result = fs::read_to_string(scratch.join(&format!("{name}.md"))).unwrap();
        (format!("result {name}"), result)
    });
    compare(results.into(), "queries");
}

#[needs("DuckDB, Polars and pyarrow", command = "python3 -c 'import duckdb, polars, pyarrow'")]
#[test]
fn three_readers_count_what_validate_counts() {
    let scratch = Scratch::new();
    let [games, plies, summary] = tables_of_data(&scratch, "all");
    script("counts.py", &["--sample", "100", "--summary", &summary, &games, &plies]);
}

#[needs("datasets", command = "python3 -c 'import datasets, pyarrow'")]
#[test]
fn datasets_has_the_features_of_the_public_dataset() {
    let scratch = Scratch::new();
    let data = here("data").display().to_string();
    let games = export(&scratch, "hf.parquet", &["--columns", "hf", &data]);
    script("hf.py", &[&games.display().to_string()]);
}

/// A part of each archive: python-chess reads some hundred plies per second with all columns.
#[needs("python-chess and pyarrow", command = "python3 -c 'import chess.pgn, pyarrow'")]
#[test]
fn python_chess_has_the_same_values() {
    let scratch = Scratch::new();
    scratch.write(ARCHIVE, EXAMPLES.as_bytes());
    let examples = scratch.join("examples.pgn");
    fs::rename(scratch.join(ARCHIVE), &examples).unwrap();
    let mut archives = vec![examples, here(common::SAMPLE), here(common::SOURCES)];
    archives.extend(common::corpus("engine").into_iter().take(1));
    archives.extend(common::corpus("lichess").into_iter().take(1));
    for archive in archives {
        // The script reads all rows, also of games that it does not compare.
        let part = scratch.join(&common::name_of(&archive).replace(".zst", ""));
        let text = first_games(&common::text_of(&archive), trials(25, 400, usize::MAX));
        fs::write(&part, text).unwrap();
        let archive = part.display().to_string();
        let [games, plies] = TABLES.map(|table| {
            let (name, output) = (table.name(), format!("{}.parquet", table.name()));
            let args = ["--table", name, "--columns", "all", &archive];
            export(&scratch, &output, &args).display().to_string()
        });
        script("recount.py", &["--plies", trials("300", "1000", "9000"), &archive, &games, &plies]);
    }
}

/// The same counts by kind everywhere: in the summary, in the list of faults, in the metadata.
#[test]
fn values_that_cannot_be_read_are_listed() {
    let scratch = Scratch::new();
    let text = "[Event \"a\"]\n[WhiteElo \"2400?\"]\n[UTCDate \"2024.13.99\"]\n\n\
                1. e4 {[%clk ]} e5 {[%eval x] [%emt -1]} 2. Nf3 {[%clk 1]} *\n";
    scratch.write("a.pgn", text.as_bytes());
    let args = ["--faults", "F.csv", "--summary", "S.csv", "a.pgn"];
    let rows = fs::read_to_string(export(&scratch, "a.jsonl", &args)).unwrap();
    let row: serde_json::Value = serde_json::from_str(rows.trim()).unwrap();
    assert!(row["WhiteElo"].is_null() && row["UTCDate"].is_null(), "{row}");
    assert_eq!(row["clocks"], serde_json::json!([null, null, 1000]));
    let faults = fs::read_to_string(scratch.join("F.csv")).unwrap();
    let mut listed: BTreeMap<String, usize> = BTreeMap::new();
    for record in csv::Reader::from_reader(faults.as_bytes()).records().map(Result::unwrap) {
        let (offset, written) = (record[1].parse::<usize>().unwrap(), &record[7]);
        assert!(text[offset..].starts_with(written), "{record:?}");
        *listed.entry(record[6].to_string()).or_default() += 1;
    }
    let summary = fs::read_to_string(scratch.join("S.csv")).unwrap();
    for (kind, count) in &listed {
        assert!(summary.contains(&format!("null:{kind},{count}\n")), "{kind}: {summary}");
    }
    let page = page();
    assert!(listed.keys().all(|kind| page.contains(&format!("| `{kind}` |"))), "{listed:?}");
    assert_eq!(listed.values().sum::<usize>(), 5, "{listed:?}");
}

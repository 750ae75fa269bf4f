//! The declarations of the tables are what is written and what is documented.

use std::fs;

use crate::common::{SOURCES, Scratch, here, run_in};
use pgnmill::tables::{self, docs, games};

/// `docs/tables.md` has the current descriptions.
#[test]
fn the_page_of_the_tables_is_current() {
    let path = here("docs/tables.md");
    let page = fs::read_to_string(&path).unwrap();
    let current = docs::updated(&page).unwrap_or_else(|error| panic!("docs/tables.md: {error}"));
    if std::env::var_os("PGNMILL_WRITE_DOCS").is_some() {
        fs::write(&path, current).unwrap();
        return;
    }
    assert!(
        page == current,
        "docs/tables.md is not current; write it:\n    PGNMILL_WRITE_DOCS=1 cargo test --test tasks tables::"
    );
}

/// Every comment that opens or closes a block belongs to a block, so that no outdated one remains.
#[test]
fn every_block_of_the_page_is_generated() {
    let page = fs::read_to_string(here("docs/tables.md")).unwrap();
    let names: Vec<String> = docs::blocks().into_iter().map(|(name, _)| name).collect();
    let comments = page.lines().filter_map(|line| line.strip_prefix("<!-- ")?.strip_suffix(" -->"));
    let mut count = 0;
    for comment in comments {
        let name = comment.strip_prefix('/').unwrap_or(comment);
        assert!(names.iter().any(|known| known == name), "{comment}");
        count += 1;
    }
    assert_eq!(count, 2 * names.len());
}

/// What the program writes has the declared columns.
#[test]
fn written_tables_have_the_declared_header() {
    let scratch = Scratch::new();
    let sources = here(SOURCES).display().to_string();
    let run = |args: &[&str]| {
        let mut args = args.to_vec();
        args.extend(["--quiet", &sources]);
        let output = run_in(scratch.path(), &args, b"");
        assert!(matches!(output.status.code(), Some(0 | 1)), "{args:?}");
    };
    let header = |file: &str| {
        let text = fs::read_to_string(scratch.join(file)).unwrap();
        text.lines().next().unwrap().to_string()
    };
    run(&["measure", "--by=all", "--per-game", "--entropy", "--compress=zstd:1", "-o", "all"]);
    run(&["validate", "--faults", "F.csv", "--notes", "N.csv", "--summary", "S.csv"]);
    run(&["duplicates", "-o", "duplicates"]);
    let shown = run_in(scratch.path(), &["splits", &sources], b"").stdout;
    let split = String::from_utf8(shown).unwrap();
    run_in(scratch.path(), &["measure", "--quiet", "-o", "split", "--split", split.trim()], b"");
    for schema in tables::all() {
        let file = schema.file;
        let expected = match file.strip_prefix("--") {
            Some(option) => {
                assert_eq!(header(option.split(' ').nth(1).unwrap()), schema.header().join(","));
                continue;
            }
            None if file == games::SCHEMA.file => {
                games::header(pgnmill::notation::NOTATIONS.iter().map(|n| n.info().name))
            }
            None => schema.header().into_iter().map(String::from).collect(),
        };
        let folder = match file {
            file if file == tables::duplicates::SCHEMA.file => "duplicates",
            file if file == tables::ledger::SCHEMA.file => "split",
            _ => "all",
        };
        assert_eq!(header(&format!("{folder}/{file}")), expected.join(","));
    }
    assert_eq!(header("S.csv"), tables::summary::SCHEMA.header().join(","));
    // And there is no other table.
    let folders = ["all", "duplicates"].map(|folder| fs::read_dir(scratch.join(folder)).unwrap());
    for entry in folders.into_iter().flatten() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let is_journal = name == ".pgnmill-run.jsonl";
        assert!(is_journal || tables::find(&name).is_some(), "{name}");
    }
}

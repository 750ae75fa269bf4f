//! The declarations of the tables are what is written and what is documented; rows up to a limit are read, and errors
//! name their causes.

use std::error::Error;
use std::fs;

use crate::common::{SOURCES, Scratch, here, run_in, vocabulary};
use pgnmill_core::tables::by::SCHEMAS;
use pgnmill_core::tables::rows::{ROW_BYTES_MAX, Rows};
use pgnmill_core::tables::{self, Dimension, Product, Written, docs, games};

/// `docs/reference/tables.md` has the current descriptions.
#[test]
fn the_page_of_the_tables_is_current() {
    let path = here("docs/reference/tables.md");
    let page = fs::read_to_string(&path).unwrap();
    let current =
        docs::updated(&page).unwrap_or_else(|error| panic!("docs/reference/tables.md: {error}"));
    if std::env::var_os("PGNMILL_WRITE_DOCS").is_some() {
        fs::write(&path, current).unwrap();
        return;
    }
    assert!(
        page == current,
        "docs/reference/tables.md is not current; write it:\n    PGNMILL_WRITE_DOCS=1 cargo test --test tasks tables::"
    );
}

/// Every comment that opens or closes a block belongs to a block, so that no outdated one remains.
#[test]
fn every_block_of_the_page_is_generated() {
    let page = fs::read_to_string(here("docs/reference/tables.md")).unwrap();
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
    scratch.write("v.tiktoken", vocabulary::file().as_bytes());
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
    run(&[
        "measure",
        "--by=all,phase*length,source*phase*length",
        "--per-game",
        "--entropy",
        "--cluster=game,event,player",
        "--compress=zstd:1",
        "--codes",
        "--errors",
        "--writing",
        "--order=0",
        "--tokens=v.tiktoken",
        "-o",
        "all",
    ]);
    run(&["validate", "--faults", "F.csv", "--notes", "N.csv", "--summary", "S.csv"]);
    run(&["duplicates", "-o", "duplicates"]);
    run(&["stats", "-o", "stats"]);
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
                games::header(pgnmill_core::notation::NOTATIONS.iter().map(|n| n.info().name))
            }
            None => schema.header().into_iter().map(String::from).collect(),
        };
        if schema.written == Written::Standardised {
            // One of them is written here: all have the same columns.
            assert_eq!(header("all/standardised_source.csv"), expected.join(","));
            continue;
        }
        let folder = match file {
            file if file == tables::duplicates::SCHEMA.file => "duplicates",
            file if file == tables::stats::SCHEMA.file => "stats",
            file if file == tables::ledger::SCHEMA.file => "split",
            _ => "all",
        };
        assert_eq!(header(&format!("{folder}/{file}")), expected.join(","));
    }
    for names in [&["phase", "length"][..], &["source", "phase", "length"]] {
        let of: Vec<Dimension> = names.iter().filter_map(|it| Dimension::from_name(it)).collect();
        let product = Product::of(&of).unwrap();
        assert_eq!(header(&format!("all/{}", product.file())), product.schema().header().join(","));
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

/// A dimension is found by the file of its table, and by no other name.
#[test]
fn tables_by_dimension_are_found_by_their_files() {
    for dimension in Dimension::ALL {
        assert_eq!(Dimension::from_file(dimension.file()), Some(dimension));
        assert_eq!(Dimension::from_file(dimension.name()), None);
    }
    for schema in tables::all() {
        let is_by = SCHEMAS.iter().any(|by| by.file == schema.file);
        assert_eq!(Dimension::from_file(schema.file).is_some(), is_by, "{}", schema.file);
    }
}

/// A header of as many bytes as a row may have is read, and not one of more; at the end of the bytes as well.
#[test]
fn rows_are_read_up_to_their_limit() {
    for bytes in ROW_BYTES_MAX - 2..=ROW_BYTES_MAX + 2 {
        for end in ["", "\n"] {
            let text = "x".repeat(bytes - end.len()) + end;
            match Rows::new(text.as_bytes()) {
                Ok(rows) => {
                    assert!(bytes <= ROW_BYTES_MAX, "{bytes}");
                    assert_eq!(rows.header().iter().collect::<Vec<_>>(), [text.trim_end()]);
                }
                Err(error) => assert!(bytes > ROW_BYTES_MAX, "{bytes}: {error}"),
            }
        }
    }
}

/// The last of the causes of an error is in what it says.
#[test]
fn errors_of_tables_name_their_causes() {
    let long = "x".repeat(ROW_BYTES_MAX + 1);
    let mut causes = 0;
    for text in ["a,b\n1\n", "a,b\n1,2\n1,2,3\n", "a\n\u{0}", "a,b\n1,2", &long] {
        let found = Rows::new(text.as_bytes()).and_then(|mut rows| {
            while rows.next_row()?.is_some() {}
            Ok(())
        });
        let error = found.expect_err("a table that is wrong");
        let (said, mut last): (String, &dyn Error) = (error.to_string(), &error);
        while let Some(cause) = last.source() {
            (last, causes) = (cause, causes + 1);
        }
        assert!(said.contains(&last.to_string()), "{said}: {last}");
    }
    assert!(causes >= 3, "{causes}");
}

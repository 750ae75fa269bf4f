//! Ledgers: each field of each row of each ledger is compared with something, a merged ledger has the running sums,
//! and what is merged again is the same.
//!
//! In: archives in splits, in a directory each, with what is before each split; one field is changed, and the tables
//! are sealed again. Out: nothing; the merge is refused, and names the ledger or the table.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{
    SAMPLE, Scratch, errors_of, exit_code, here, name_of, reseal, run_in, text_of,
};

/// Runs the program; returns what it prints on standard output and on standard error.
pub(super) fn done(scratch: &Scratch, args: &[&str]) -> (String, String) {
    let output = run_in(scratch.path(), args, b"");
    assert!(exit_code(&output) < 2, "{args:?}: {}", errors_of(&output));
    (String::from_utf8_lossy(&output.stdout).into_owned(), errors_of(&output))
}

pub(super) fn refused(scratch: &Scratch, args: &[&str]) -> String {
    let output = run_in(scratch.path(), args, b"");
    assert_eq!(exit_code(&output), 2, "{args:?}: {}", errors_of(&output));
    errors_of(&output)
}

/// An archive of each kind: variations, rejected games, text between games, other encodings and line ends.
pub(super) fn archives(scratch: &Scratch) -> [&'static str; 2] {
    let sample = text_of(&here(SAMPLE));
    let other = b"[Event \"v\"]\n\n1. e4 (1. d4 d5) e5 *\n\nwords between\n\n[Event \"bad\"]\n\n1. e4 Ke3 *\n\n\
        1. d4 *\n\n[Event \"caf\xe9\"]\r\n\r\n1. c4 *\r\n\r\n[Event \"\xc3\xa9\"]\n\n1. Nf3 (1. a3) d5 *\n\n";
    scratch.write(
        "a.pgn",
        &[&sample[..8_000], b"\n\n*\n\n", &other[..], &sample[20_000..26_000]].concat(),
    );
    scratch.write("b.pgn", &[&other[..], &sample[40_000..45_000], b"\n\n*\n\n"].concat().repeat(2));
    ["a.pgn", "b.pgn"]
}

pub(super) fn splits(scratch: &Scratch, archive: &str, options: &[&str]) -> Vec<String> {
    let args = [&["splits", "--quiet", "--target", "3000"], options, &[archive]].concat();
    done(scratch, &args).0.lines().map(str::to_string).collect()
}

/// Directories of a command over all splits, each with its ledger.
pub(super) fn parts(
    scratch: &Scratch,
    name: &str,
    command: &[&str],
    all: &[String],
) -> Vec<String> {
    let mut found = Vec::new();
    for (number, split) in all.iter().enumerate() {
        let part = format!("{name}-{number}");
        fs::create_dir_all(scratch.join(&part)).unwrap();
        let of_run = match command[0] {
            "measure" => vec![format!("--output={part}")],
            _ => {
                vec![format!("--ledger={part}/ledger.csv"), format!("--summary={part}/summary.csv")]
            }
        };
        let of_run = of_run.iter().map(String::as_str);
        let tables = ["faults", "notes"].map(|table| format!("--{table}={part}/{table}.csv"));
        let args: Vec<&str> = command
            .iter()
            .copied()
            .chain(["--quiet", "--threads=1"])
            .chain(of_run)
            .chain(tables.iter().map(String::as_str))
            .chain(["--split", split])
            .collect();
        done(scratch, &args);
        found.push(part);
    }
    found
}

pub(super) fn merge<'a>(output: &'a str, options: &[&'a str], parts: &'a [String]) -> Vec<&'a str> {
    let begin = ["merge", "--overwrite", "-o", output];
    begin
        .into_iter()
        .chain(options.iter().copied())
        .chain(parts.iter().map(String::as_str))
        .collect()
}

/// Splits that know what is before them: from the ledger of a first reading.
fn splits_with_base(scratch: &Scratch, archives: &[&str]) -> Vec<String> {
    let plain: Vec<String> =
        archives.iter().flat_map(|archive| splits(scratch, archive, &[])).collect();
    let first = parts(scratch, "first", &["validate"], &plain);
    let ledgers: Vec<String> = first.iter().map(|part| format!("{part}/ledger.csv")).collect();
    done(scratch, &merge("bases", &[], &ledgers));
    let of = |archive: &&str| splits(scratch, archive, &["--ledger", "bases/ledger.csv"]);
    archives.iter().flat_map(of).collect()
}

/// The records of a table, its header first.
pub(super) fn table(path: &Path) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(path).unwrap();
    reader.records().map(|record| record.unwrap().iter().map(String::from).collect()).collect()
}

pub(super) fn write_table(path: &Path, records: &[Vec<String>]) {
    let mut writer = csv::Writer::from_path(path).unwrap();
    records.iter().for_each(|record| writer.write_record(record).unwrap());
    writer.flush().unwrap();
}

/// Another value of a field.
fn other(field: &str, value: &str) -> String {
    match value.parse::<u64>() {
        Ok(number) => (number + 1).to_string(),
        Err(_) if field == "container" && value == "text" => "zstd".to_string(),
        Err(_) => format!("{value}x"),
    }
}

/// Changes each field of each row of each ledger alone; those of `free` can be compared with nothing.
fn change_fields(
    scratch: &Scratch,
    ledgers: &[PathBuf],
    args: &[&str],
    seals: bool,
    free: &dyn Fn(&str, usize) -> bool,
) -> usize {
    let mut changed = 0;
    for (number, ledger) in ledgers.iter().enumerate() {
        let before = fs::read(ledger).unwrap();
        let records = table(ledger);
        let (header, rows) = records.split_first().unwrap();
        for row in 0..rows.len() {
            for (column, field) in header.iter().enumerate() {
                // A split without text may state where a game would begin that its range does not have.
                let has_text = records[row + 1]
                    [header.iter().position(|name| name == "text_bytes").unwrap()]
                    != "0";
                if free(field, number) || field.starts_with("before_") && !has_text {
                    continue;
                }
                let mut records = records.clone();
                let value = &mut records[row + 1][column];
                *value = other(field, value);
                let what = format!("{}: {field} is {value}", ledger.display());
                write_table(ledger, &records);
                if seals {
                    reseal(ledger.parent().unwrap());
                }
                let output = run_in(scratch.path(), args, b"");
                assert_eq!(exit_code(&output), 2, "{what}: {}", errors_of(&output));
                let errors = errors_of(&output);
                let directory = name_of(ledger.parent().unwrap());
                let is_named = errors.contains(&directory)
                    || errors.contains("split ")
                    || errors.contains("the splits of ");
                assert!(is_named, "{what}: {errors}");
                changed += 1;
            }
        }
        fs::write(ledger, before).unwrap();
        if seals {
            reseal(ledger.parent().unwrap());
        }
    }
    changed
}

#[test]
fn each_field_of_a_ledger_beside_tables_is_compared() {
    let scratch = Scratch::new();
    let names = archives(&scratch);
    let all = splits_with_base(&scratch, &names);
    let parts = parts(&scratch, "m", &["measure", "--notations=main"], &all);
    done(&scratch, &merge("sum", &[], &parts));
    let ledgers: Vec<PathBuf> =
        parts.iter().map(|part| scratch.join(part).join("ledger.csv")).collect();
    let of_a = all.iter().filter(|split| split.contains("a.pgn")).count();
    let lasts = [of_a - 1, all.len() - 1];
    // The summary has no lines, and no counts of the texts; what is after the last split is nothing.
    let free = |field: &str, number: usize| match field {
        "between_bytes" | "texts_between" | "games_without_tags" | "survey" | "tables" => true,
        "lines" => lasts.contains(&number),
        _ => false,
    };
    let args = merge("other", &[], &parts);
    let changed = change_fields(&scratch, &ledgers, &args, true, &free);
    assert!(changed > 200, "{changed}");
    // Without new seals there is nothing that could be changed.
    let args = merge("other", &[], &parts);
    change_fields(&scratch, &ledgers[2..4], &args, false, &|_, _| false);
    assert!(!scratch.join("other").exists());
}

#[test]
fn each_field_of_a_ledger_alone_is_compared() {
    let scratch = Scratch::new();
    let names = archives(&scratch);
    for has_base in [false, true] {
        let all = match has_base {
            true => splits_with_base(&scratch, &names),
            false => names.iter().flat_map(|archive| splits(&scratch, archive, &[])).collect(),
        };
        let name = if has_base { "based" } else { "plain" };
        let parts = parts(&scratch, name, &["validate"], &all);
        let ledgers: Vec<String> = parts.iter().map(|part| format!("{part}/ledger.csv")).collect();
        let free = |field: &str, _: usize| {
            let is_of_text = matches!(
                field,
                "between_bytes" | "texts_between" | "games_without_tags" | "survey"
            );
            is_of_text || matches!(field, "lines" | "plies" | "variation_plies" | "tables")
        };
        let paths: Vec<PathBuf> = ledgers.iter().map(|ledger| scratch.join(ledger)).collect();
        let args = merge("other", &[], &ledgers);
        assert!(change_fields(&scratch, &paths, &args, false, &free) > 150);
        done(&scratch, &args);
        running_sums(&scratch.join("other/ledger.csv"));
        fs::remove_dir_all(scratch.join("other")).unwrap();
    }
}

/// The columns `before_…` of a merged ledger are the sums of the rows before, archive by archive.
fn running_sums(ledger: &Path) {
    let records = table(ledger);
    let (header, rows) = records.split_first().unwrap();
    let column = |name: &str| header.iter().position(|other| other == name).unwrap();
    for name in ["text_bytes", "lines", "games"] {
        let (own, before) = (column(name), column(&format!("before_{name}")));
        let (mut archive, mut sum) = (String::new(), 0);
        for row in rows {
            if row[0] != archive {
                (archive, sum) = (row[0].clone(), 0);
            }
            assert_eq!(row[before], sum.to_string(), "{}: {name}: {row:?}", ledger.display());
            sum += row[own].parse::<u64>().unwrap();
        }
        assert!(sum > 0);
    }
}

/// Splits of two versions of an archive, of the same length and with the same text but for one byte, are not merged;
/// neither are text splits that are not all of its text, though their own numbers agree.
#[test]
fn splits_of_two_versions_and_texts_that_do_not_add_up_are_refused() {
    let scratch = Scratch::new();
    let names = archives(&scratch);
    let of_first =
        parts(&scratch, "one", &["measure", "--notations=main"], &splits(&scratch, names[0], &[]));
    let path = scratch.join(names[0]);
    let file = fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_modified(std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_000_000)).unwrap();
    let of_second =
        parts(&scratch, "two", &["measure", "--notations=main"], &splits(&scratch, names[0], &[]));
    assert_eq!(of_first.len(), of_second.len());
    for at in 0..of_first.len() {
        let mut mixed = of_first.clone();
        mixed[at] = of_second[at].clone();
        let errors = refused(&scratch, &merge("sum", &[], &mixed));
        assert!(errors.contains("two versions"), "{errors}");
    }
    // A byte of text more, in the ledger and in the summary.
    for part in &of_first {
        for file in ["ledger.csv", "summary.csv"] {
            let path = scratch.join(part).join(file);
            let mut records = table(&path);
            let column = records[0].iter().position(|name| name == "text_bytes");
            match column {
                Some(column) => records[1][column] = other("", &records[1][column]),
                None => {
                    let row = records.iter_mut().find(|row| row[0] == "text_bytes").unwrap();
                    row[1] = other("", &row[1]);
                }
            }
            fs::copy(&path, path.with_extension("kept")).unwrap();
            write_table(&path, &records);
        }
        reseal(&scratch.join(part));
        let errors = refused(&scratch, &merge("sum", &[], &of_first));
        let words = ["are not the whole archive", "bytes of text were before it"];
        assert!(words.iter().any(|words| errors.contains(words)), "{errors}");
        for file in ["ledger.csv", "summary.csv"] {
            let path = scratch.join(part).join(file);
            fs::rename(path.with_extension("kept"), path).unwrap();
        }
        reseal(&scratch.join(part));
    }
    done(&scratch, &merge("sum", &[], &of_first));
}

/// The tables of a directory by name.
pub(super) fn tables(directory: &Path) -> Vec<(String, String)> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let mut found: Vec<(String, String)> = entries
        .filter(|path| path.extension().is_some_and(|end| end == "csv"))
        .map(|path| (name_of(&path), fs::read_to_string(&path).unwrap()))
        .collect();
    found.sort();
    found
}

/// Merging what was merged changes no table, of whole archives and of splits, whatever was measured.
#[test]
fn what_was_merged_and_is_merged_again_stays_the_same() {
    let scratch = Scratch::new();
    let names = archives(&scratch);
    let all = splits_with_base(&scratch, &names);
    for (number, command) in [
        &["measure", "--by=all", "--per-game", "--entropy", "--cluster=event,player"][..],
        &["measure", "--notations=main", "--where=ply_count>2"],
        &["validate"],
        &["validate", "--where=White is present"],
    ]
    .into_iter()
    .enumerate()
    {
        let parts = parts(&scratch, &format!("x{number}"), command, &all);
        let [once, twice, thrice] =
            ["once", "twice", "thrice"].map(|name| format!("{name}-{number}"));
        done(&scratch, &merge(&once, &[], &parts));
        done(&scratch, &merge(&twice, &[], std::slice::from_ref(&once)));
        done(&scratch, &merge(&thrice, &[], std::slice::from_ref(&twice)));
        let expected = tables(&scratch.join(&once));
        assert!(expected.len() > 3, "{expected:?}");
        assert_eq!(tables(&scratch.join(&twice)), expected, "{command:?}");
        assert_eq!(tables(&scratch.join(&thrice)), expected, "{command:?}");
        running_sums(&scratch.join(&once).join("ledger.csv"));
    }
    // And of whole archives, without ledgers.
    let whole: Vec<String> = names.map(|name| format!("w-{}", &name[..1])).to_vec();
    for (name, directory) in names.iter().zip(&whole) {
        done(
            &scratch,
            &["measure", "--quiet", "--by=all", "--compress=zstd:1", "-o", directory, name],
        );
    }
    done(&scratch, &merge("whole", &[], &whole));
    done(&scratch, &merge("again", &[], &["whole".to_string()]));
    assert_eq!(tables(&scratch.join("again")), tables(&scratch.join("whole")));
}

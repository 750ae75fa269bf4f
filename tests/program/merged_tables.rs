//! The rows, columns and warnings of a merge: tables with rows are merged at once or not at all, tables with other
//! columns are refused, and what is warned of an archive is what one run warns of.
//!
//! In: archives in splits, in a directory each; tables whose headers were changed and that were sealed again. Out:
//! nothing.

use std::fs;

use super::ledger_fields::{
    archives, done, merge, parts, refused, splits, table, tables, write_table,
};
use crate::common::{SAMPLE, Scratch, here, reseal, text_of, thinned};

/// With `--partial` no table with a row per game, fault or note is merged: its numbers are not known.
#[test]
fn tables_with_rows_are_not_merged_partially() {
    let scratch = Scratch::new();
    let names = archives(&scratch);
    let all = splits(&scratch, names[0], &[]);
    let of_rows = parts(&scratch, "r", &["measure", "--notations=main", "--per-game"], &all);
    for kept in ["games.csv", "faults.csv", "notes.csv"] {
        for part in &of_rows {
            let from = scratch.join(part);
            let to = scratch.join(&format!("{kept}-{part}"));
            fs::create_dir_all(&to).unwrap();
            for (name, text) in tables(&from) {
                if name == kept
                    || !["games.csv", "faults.csv", "notes.csv"].contains(&name.as_str())
                {
                    fs::write(to.join(name), text).unwrap();
                }
            }
            reseal(&to);
        }
        let parts: Vec<String> = of_rows.iter().map(|part| format!("{kept}-{part}")).collect();
        for some in [&parts[..], &parts[..2]] {
            let errors = refused(&scratch, &merge("sum", &["--partial"], some));
            assert!(errors.contains("--partial") && errors.contains(kept), "{errors}");
        }
        done(&scratch, &merge("sum", &[], &parts));
        fs::remove_dir_all(scratch.join("sum")).unwrap();
    }
}

/// A table with another header than the others is refused by name: of splits and of whole archives.
#[test]
fn tables_with_other_columns_are_not_joined() {
    let scratch = Scratch::new();
    let names = archives(&scratch);
    let command = ["measure", "--notations=main", "--per-game"];
    let of_splits = parts(&scratch, "s", &command, &splits(&scratch, names[0], &[]));
    let mut whole = Vec::new();
    for name in names {
        let directory = format!("whole-{}", &name[..1]);
        done(&scratch, &[&command[..], &["--quiet", "-o", &directory, name]].concat());
        whole.push(directory);
    }
    for (parts, files) in
        [(&of_splits, &["games.csv", "faults.csv", "notes.csv"][..]), (&whole, &["games.csv"])]
    {
        done(&scratch, &merge("sum", &[], parts));
        fs::remove_dir_all(scratch.join("sum")).unwrap();
        for file in files {
            for part in [&parts[0], &parts[parts.len() - 1]] {
                let path = scratch.join(part).join(file);
                let before = fs::read(&path).unwrap();
                let records = table(&path);
                for column in thinned(3, 0..records[0].len()) {
                    let mut renamed = records.clone();
                    renamed[0][column] += "x";
                    write_table(&path, &renamed);
                    reseal(&scratch.join(part));
                    let errors = refused(&scratch, &merge("sum", &[], parts));
                    assert!(errors.contains(file), "{file}, column {column}: {errors}");
                    assert!(!scratch.join("sum").exists());
                }
                fs::write(&path, before).unwrap();
                reseal(&scratch.join(part));
            }
        }
    }
}

/// What is warned of an archive that is none of games is what one run over it warns of.
#[test]
fn remarks_on_archives_are_those_of_one_run() {
    let scratch = Scratch::new();
    let prose = "This is a book about chess.\nIt has many words, and 1. e4 e5 *\nin the middle of a line.\n\n";
    scratch.write("prose.txt", prose.repeat(150).as_bytes());
    scratch.write("none.txt", "words and more words\nwithout any game\n\n".repeat(300).as_bytes());
    scratch.write("empty.pgn", b"");
    scratch.write("games.pgn", &text_of(&here(SAMPLE))[..9_000]);
    let mut remarked = 0;
    for name in ["prose.txt", "none.txt", "empty.pgn", "games.pgn"] {
        let (_, one) = done(
            &scratch,
            &["measure", "--notations=main", "--no-progress", "-o", "one", "--overwrite", name],
        );
        let parts =
            parts(&scratch, name, &["measure", "--notations=main"], &splits(&scratch, name, &[]));
        let (_, merged) = done(&scratch, &merge("sum", &[], &parts));
        let remarks = |errors: &str| -> Vec<String> {
            let words = ["is empty", "holds no game", "seems to be prose"];
            let lines = errors.lines().filter(|line| words.iter().any(|word| line.contains(word)));
            lines.map(str::to_string).collect()
        };
        assert_eq!(remarks(&merged), remarks(&one), "{name}: {merged} {one}");
        remarked += remarks(&one).len();
    }
    assert!(remarked >= 2, "{remarked}");
}

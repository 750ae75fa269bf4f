//! Measuring some of the notations gives the rows that measuring all of them gives, byte for byte, and no others.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use crate::common::{self, SAMPLE, SOURCES, Scratch, here, run_in, text_of, trials};
use pgnmill_core::notation::{MAIN, NOTATIONS, without_languages};
use pgnmill_io::archive::games::Games;

/// The columns that hold a notation.
const NOTATION: [&str; 2] = ["notation", "code"];

/// A table as its header and its rows.
struct Csv {
    header: Vec<String>,
    rows: Vec<Vec<String>>,
}

impl Csv {
    fn of(text: &str) -> Csv {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let header = reader.headers().unwrap().iter().map(String::from).collect();
        let fields = |record: csv::StringRecord| record.iter().map(String::from).collect();
        Csv { header, rows: reader.records().map(|record| fields(record.unwrap())).collect() }
    }

    /// What it would be of these notations.
    fn of_notations(mut self, chosen: &BTreeSet<&str>) -> Csv {
        let is_out =
            |name: &str| NOTATIONS.iter().any(|n| n.info().name == name) && !chosen.contains(name);
        if let Some(place) = self.header.iter().position(|name| NOTATION.contains(&name.as_str())) {
            self.rows.retain(|row| !is_out(&row[place]));
        }
        // The columns of games.csv are named for notations, hyphens as underscores.
        let column = |name: &String| {
            let notation = name.strip_prefix("characters_").map(|name| name.replace('_', "-"));
            !notation.is_some_and(|name| is_out(&name))
        };
        let kept: Vec<bool> = self.header.iter().map(column).collect();
        let keep = |row: &mut Vec<String>| {
            let mut kept = kept.iter();
            row.retain(|_| *kept.next().unwrap());
        };
        keep(&mut self.header);
        self.rows.iter_mut().for_each(keep);
        self
    }
}

fn tables(directory: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    // Not the journal of the run.
    let entries = entries.filter(|path| !path.ends_with(".pgnmill-run.jsonl"));
    entries.map(|path| (common::name_of(&path), fs::read_to_string(&path).unwrap())).collect()
}

/// Standard error of a run that must end with this code.
fn run(scratch: &Scratch, args: &[&str], code: i32) -> String {
    let output = run_in(scratch.path(), args, b"");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{args:?}: {errors}");
    errors
}

/// Some games of the sample, those of the sources, one from a position, one without moves.
fn archive(scratch: &Scratch) {
    let sample = text_of(&here(SAMPLE));
    let mut text: Vec<u8> = Games::new(&sample)
        .take(trials(60, 200, 200))
        .flat_map(|(_, game)| game)
        .copied()
        .collect();
    text.extend(text_of(&here(SOURCES)));
    text.extend(
        b"\n[Event \"odd\"]\n[SetUp \"1\"]\n[FEN \"4k3/6P1/8/8/8/8/8/R3K3 w Q - 0 98\"]\n\n\
        98. g8=N Kd7 99. O-O-O+ Ke6 *\n\n[Event \"no moves\"]\n\n1/2-1/2\n",
    );
    scratch.write("a.pgn", &text);
}

const OPTIONS: [&str; 5] =
    ["--by", "all", "--per-game", "--entropy", "--compress=zstd:1,zstd:5:main"];

fn measure(scratch: &Scratch, directory: &str, notations: &str) -> String {
    let named = ["measure", "--no-progress", "--notations", notations, "-o", directory];
    run(scratch, &[&named[..], &OPTIONS[..], &["a.pgn"]].concat(), 0)
}

#[test]
fn a_selection_has_the_rows_of_all_and_no_others() {
    let scratch = Scratch::new();
    archive(&scratch);
    measure(&scratch, "all", "all");
    let all = tables(&scratch.join("all"));
    let written: Vec<&str> = without_languages().iter().map(|n| n.info().name).collect();
    let selections: [(&str, Vec<&str>); 6] = [
        ("main", MAIN.map(|notation| notation.info().name).to_vec()),
        ("written", written),
        ("san", vec![]),
        ("stamma,SAN-de", vec!["stamma", "san-de"]),
        ("geographical,economical-squares,fan", vec!["geographical", "economical-squares", "fan"]),
        ("descriptive-sides,chess99", vec!["descriptive-sides", "chess99"]),
    ];
    // Each alone: what its lengths follow from is counted though it is not measured.
    let alone = without_languages().iter().map(|notation| notation.info().name);
    let alone = alone
        .rev()
        .step_by(trials(5, 2, 1))
        .filter(|name| *name != "san")
        .map(|name| (name, vec![name]));
    for (typed, mut names) in selections.into_iter().chain(alone) {
        names.extend(["san", "economical-letters"]);
        let chosen: BTreeSet<&str> = names.into_iter().collect();
        let errors = measure(&scratch, typed, typed);
        headline_fits(&errors, &chosen);
        let some = tables(&scratch.join(typed));
        assert_eq!(some.keys().collect::<Vec<_>>(), all.keys().collect::<Vec<_>>(), "{typed}");
        let count = Csv::of(&some["notations.csv"]).rows.len();
        assert_eq!(count, chosen.len(), "{typed}");
        for (file, table) in &some {
            let (found, whole) = (Csv::of(table), Csv::of(&all[file]).of_notations(&chosen));
            assert_eq!(found.header, whole.header, "{typed}: {file}");
            match file.as_str() {
                // Statements about notations that were not measured are left out.
                "facts.csv" => {
                    let rest = whole.rows.iter().filter(|row| found.rows.contains(row));
                    assert_eq!(found.rows, rest.cloned().collect::<Vec<_>>(), "{typed}: {file}");
                    let about = |name| usize::from(chosen.contains(name));
                    let (squares, legal) =
                        (about("economical-squares"), about("economical-squares-legal"));
                    let priority =
                        about("economical-priority") * about("economical-priority-legal");
                    let expected = 4 + squares + legal + 2 * squares * legal + 2 * priority;
                    assert_eq!(found.rows.len(), expected, "{typed}");
                }
                "summary.csv" => {
                    assert!(table.contains("--notations "), "{typed}");
                    let bare = |csv: &Csv| {
                        csv.rows
                            .iter()
                            .filter(|row| row[0] != "options")
                            .cloned()
                            .collect::<Vec<_>>()
                    };
                    assert_eq!(bare(&found), bare(&whole), "{typed}");
                }
                // Their digests differ as they do.
                "tables.csv" => assert_eq!(found.rows.len(), whole.rows.len(), "{typed}"),
                _ => assert_eq!(found.rows, whole.rows, "{typed}: {file}"),
            }
        }
        for page in ["page.html", "page.md"] {
            let path = format!("{typed}/{page}");
            run(&scratch, &["report", "-o", &path, typed], 0);
            let page = fs::read_to_string(scratch.join(&path)).unwrap();
            assert!(chosen.iter().all(|name| page.contains(name)), "{path}");
        }
    }
}

/// The table at the end has 80 columns at most, and a row for each requested notation.
fn headline_fits(errors: &str, chosen: &BTreeSet<&str>) {
    let (_, headline) = errors.split_once("\n\n").unwrap();
    assert!(headline.lines().all(|line| line.chars().count() <= 80), "{headline}");
    for name in chosen {
        assert!(
            headline.lines().any(|line| line.starts_with(&format!("{name} "))),
            "{name}: {headline}"
        );
    }
}

#[test]
fn names_that_are_none_are_refused_with_the_nearest() {
    let scratch = Scratch::new();
    archive(&scratch);
    for (typed, near) in
        [("main,economical-square", "economical-squares"), ("", "uci"), ("ALLE", "all")]
    {
        let errors = run(&scratch, &["measure", "--notations", typed, "-o", "t", "a.pgn"], 2);
        let expected = if typed.is_empty() { "there is no notation" } else { near };
        assert!(errors.contains(expected), "{typed}: {errors}");
        assert!(!scratch.join("t").exists());
    }
}

#[test]
fn unlike_selections_are_not_added() {
    let scratch = Scratch::new();
    archive(&scratch);
    let measure = |directory: &str, options: &str| {
        let options: Vec<&str> = options.split_whitespace().collect();
        run(&scratch, &[&["measure", "-q", "-o", directory][..], &options, &["a.pgn"]].concat(), 0)
    };
    measure("main", "--notations main");
    measure("most", "--notations main,smith");
    measure(
        "again",
        &format!("--notations {}", MAIN.map(|notation| notation.info().name).join(",")),
    );
    measure("z", "--notations main,smith --compress zstd:1");
    measure("zm", "--notations main,smith --compress zstd:1:main");
    for pair in [["main", "most"], ["most", "main"]] {
        let errors = run(&scratch, &["merge", "-o", "sum", pair[0], pair[1]], 2);
        let words = ["most/notations.csv has smith", "main/notations.csv has not", "--notations"];
        assert!(words.iter().all(|word| errors.contains(word)), "{errors}");
    }
    let errors = run(&scratch, &["merge", "-o", "sum", "z", "zm"], 2);
    assert!(errors.contains("zm/compress.csv") && errors.contains("other notations"), "{errors}");
    assert!(!scratch.join("sum").exists());
    run(&scratch, &["merge", "-q", "-o", "sum", "main", "again"], 0);
    let sum = tables(&scratch.join("sum"));
    assert!(sum["summary.csv"].contains("\noptions,--notations main\n"), "{}", sum["summary.csv"]);
}

/// A measurement that overwrites one with more tables removes those tables.
#[test]
fn tables_of_an_earlier_run_do_not_stay() {
    let scratch = Scratch::new();
    archive(&scratch);
    measure(&scratch, "rich", "all");
    for directory in ["a", "b"] {
        run(&scratch, &["measure", "-q", "--by", "side", "-o", directory, "a.pgn"], 0);
    }
    fs::create_dir(scratch.join("merged")).unwrap();
    for (file, text) in tables(&scratch.join("rich")) {
        scratch.write(&format!("merged/{file}"), text.as_bytes());
    }
    scratch.write("merged/notes.txt", b"mine");
    scratch.write("rich/by_mine.csv", b"mine");
    // A file that would remain is reported before anything is written.
    fs::create_dir(scratch.join("rest")).unwrap();
    scratch.write("rest/tokens.csv", b"notation,token,plies\n");
    for command in ["measure", "merge"] {
        let errors = run(
            &scratch,
            &[command, "-q", "-o", "rest", if command == "merge" { "a" } else { "a.pgn" }],
            2,
        );
        assert!(errors.contains("rest/tokens.csv exists already"), "{errors}");
    }
    run(&scratch, &["merge", "-q", "--overwrite", "-o", "merged", "a", "b"], 0);
    run(&scratch, &["measure", "-q", "--overwrite", "--by", "side", "-o", "rich", "a.pgn"], 0);
    let names = |directory: &str| tables(&scratch.join(directory)).into_keys().collect::<Vec<_>>();
    let with = |mine: &str| {
        let mut names = names("a");
        names.push(mine.to_string());
        names.sort();
        names
    };
    assert_eq!(names("merged"), with("notes.txt"));
    assert_eq!(names("rich"), with("by_mine.csv"));
}

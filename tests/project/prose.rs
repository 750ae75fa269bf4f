//! Lists, places and limits in prose are those of the code.
//!
//! In: `README.md`, `ARCHITECTURE.md`, `CONTRIBUTING.md`, the documents below `docs/`, the help. A file that is named with its
//! crate exists; a limit in the table of `ARCHITECTURE.md` has the value of its constant; a list of containers, of rulesets
//! or of commands has all that there are.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use pgnmill_core::chess::rules::RulesKind;
use pgnmill_io::archive::Container;

use crate::common::reader::documents;
use crate::common::{here, run_in};

/// The crates, as text names them before a path.
const CRATES: [&str; 8] = ["core", "io", "run", "columns", "report", "cli", "simd", "state"];

/// The documents that name places of the code.
fn texts() -> Vec<(String, String)> {
    let own = [
        "README.md",
        "ARCHITECTURE.md",
        "CONTRIBUTING.md",
        "python/README.md",
        "benches/README.md",
    ];
    let own = own.map(here).into_iter();
    let read = |path: PathBuf| (path.display().to_string(), fs::read_to_string(&path).unwrap());
    own.chain(documents()).map(read).collect()
}

/// The place of a path within a crate.
fn place(krate: &str, path: &str) -> PathBuf {
    here(&format!("crates/pgnmill-{krate}/src")).join(path)
}

/// The places that a text names: a crate, then a path in backticks.
fn places(text: &str) -> Vec<(&str, &str)> {
    let mut found = Vec::new();
    for krate in CRATES {
        let begin = format!("{krate} `");
        for (at, _) in text.match_indices(&begin) {
            let is_word =
                !text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '-' || c == '`');
            let path = text[at + begin.len()..].split('`').next().unwrap_or("");
            let is_path = path.ends_with('/') || path.ends_with(".rs");
            if is_word && is_path && !path.contains('*') {
                found.push((krate, path));
            }
        }
    }
    found
}

#[test]
fn places_in_the_code_exist() {
    let mut count = 0;
    for (name, text) in texts() {
        for (krate, path) in places(&text) {
            assert!(place(krate, path).exists(), "{name}: {krate} `{path}` is not there");
            count += 1;
        }
    }
    assert!(count > 60, "{count}");
    assert_eq!(places("in core `a/b.rs`, score `c.rs`, io `d`"), [("core", "a/b.rs")]);
}

/// The value of a constant that is made of numbers, `<<` and `*`.
fn value(expression: &str) -> Option<u64> {
    let mut parts = expression.split(" << ");
    let product = |text: &str| {
        text.split(" * ")
            .map(|it| it.trim().replace('_', "").parse::<u64>().ok())
            .product::<Option<u64>>()
    };
    let first = product(parts.next()?)?;
    parts.try_fold(first, |value, shift| Some(value << product(shift)?))
}

/// The first number of a text, in its unit.
fn stated(text: &str) -> Option<u64> {
    let begin = text.find(|c: char| c.is_ascii_digit())?;
    let end = text[begin..]
        .find(|c: char| !c.is_ascii_digit() && c != ',')
        .map_or(text.len(), |end| begin + end);
    let number: u64 = text[begin..end].trim_end_matches(',').replace(',', "").parse().ok()?;
    let unit = text[end..].trim_start();
    Some(match () {
        () if unit.starts_with("KiB") => number << 10,
        () if unit.starts_with("MiB") => number << 20,
        () if unit.starts_with("GiB") => number << 30,
        () => number,
    })
}

/// The values of a constant in a file, or in the files of a folder.
fn values_in(path: &Path, name: &str) -> Vec<u64> {
    if path.is_dir() {
        let entries = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path());
        return entries.flat_map(|path| values_in(&path, name)).collect();
    }
    let text = fs::read_to_string(path).unwrap();
    let begin = format!("const {name}: ");
    let expressions = text.split(&begin).skip(1).filter_map(|rest| {
        let declared = rest.split(';').next()?;
        value(declared.split_once(" = ")?.1.trim())
    });
    expressions.collect()
}

#[test]
fn limits_have_the_values_of_their_constants() {
    let text = fs::read_to_string(here("ARCHITECTURE.md")).unwrap();
    let table = text.split("## Where limits are").nth(1).unwrap().split("\n## ").next().unwrap();
    let mut compared = 0;
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split(" | ").collect();
        let names: Vec<&str> = cells[0].split('`').skip(1).step_by(2).collect();
        let separator = if cells[1].contains(';') { "; " } else { ", " };
        for (name, text) in names.iter().zip(cells[1].split(separator)) {
            let found: Vec<u64> = places(cells[2])
                .into_iter()
                .flat_map(|(krate, path)| values_in(&place(krate, path), name))
                .collect();
            let Some(stated) = stated(text).filter(|_| !found.is_empty()) else { continue };
            assert!(found.contains(&stated), "{name} is {found:?}, not {text}");
            compared += 1;
        }
    }
    assert!(compared >= 25, "{compared} limits were compared");
    assert_eq!(
        [value("16 << 20"), value("2 * 1_024"), value("usize::MAX")],
        [Some(16 << 20), Some(2_048), None]
    );
    assert_eq!(
        [stated("31 (2 GiB)"), stated("48 MiB per thread"), stated("1,024")],
        [Some(31), Some(48 << 20), Some(1_024)]
    );
}

#[test]
fn lists_of_containers_are_complete() {
    let of_others: BTreeSet<&str> = Container::ALL
        .iter()
        .map(|it| it.name())
        .filter(|name| !["text", "zstd"].contains(name))
        .collect();
    let is_list = |text: &str| {
        let pairs =
            of_others.iter().flat_map(|one| of_others.iter().map(move |other| [one, other]));
        pairs.into_iter().any(|[one, other]| {
            [", ", " and ", " or "]
                .iter()
                .any(|between| text.contains(&format!("{one}{between}{other}")))
        })
    };
    let mut count = 0;
    for (name, text) in texts() {
        let paragraphs = text.split("\n\n").map(|text| text.replace('\n', " "));
        for paragraph in paragraphs.filter(|paragraph| is_list(&paragraph.replace('`', ""))) {
            let lacks = of_others.iter().find(|other| !paragraph.contains(**other));
            assert!(lacks.is_none(), "{name}: a list without {lacks:?}: {paragraph}");
            count += 1;
        }
    }
    assert!(count >= 5, "{count}");
    assert!(is_list("gzip, bzip2") && is_list("bzip2 or xz") && !is_list("gzip; bzip2"));
}

#[test]
fn the_help_of_rules_has_every_ruleset() {
    let help = run_in(&here("."), &["validate", "--help"], b"");
    let text = String::from_utf8(help.stdout).unwrap();
    let option = text.split("--rules <RULESET>").nth(1).unwrap().split("\n  -").next().unwrap();
    let words: BTreeSet<&str> = option
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    for name in RulesKind::NAMES {
        assert!(words.contains(name), "{name}");
    }
}

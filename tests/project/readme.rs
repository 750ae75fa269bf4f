//! The README is true: its commands run, its figures are those of the tables that are checked in, its links exist.
//!
//! Commands are run one after the other in a directory that has what a clone has (`data/`, `scripts/`) and, under the
//! names that the README uses for archives of the reader, small copies of `data/sources.pgn`. Figures are compared with
//! `docs/study.md`, the tables that it was made of, and `docs/performance.md`: `scripts/study` and `scripts/compare-peers`
//! write them.

#![allow(clippy::print_stdout, reason = "reports commands whose tools are absent")]

use std::fs;

use crate::common::reader::{self, blocks, clone_of_a_reader, lacking, shell};
use crate::common::{Scratch, here, needs, pgnmill, run_in};

pub(crate) fn document(path: &str) -> String {
    fs::read_to_string(here(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// What is between two markers of a document.
fn between<'a>(text: &'a str, name: &str) -> &'a str {
    let (open, close) = (format!("<!-- {name} -->"), format!("<!-- /{name} -->"));
    let found = text.split_once(&open).and_then(|(_, rest)| rest.split_once(&close));
    found.unwrap_or_else(|| panic!("nothing is between {open} and {close}")).0
}

// ---- commands

#[test]
fn every_command_runs_and_ends_with_the_code_that_is_stated() {
    let readme = document("README.md");
    let scratch = clone_of_a_reader();
    let mut commands_count = 0;
    for block in blocks(&readme) {
        let mut digests = Vec::new();
        for line in block {
            if let Some(tool) = lacking(line) {
                needs::part_skipped(&format!("{tool} for {line}"));
                continue;
            }
            let expected =
                line.split_once("# exit code ").map_or(0, |(_, code)| code.trim().parse().unwrap());
            let done = shell(scratch.path(), line);
            let (stdout, stderr) =
                (String::from_utf8_lossy(&done.stdout), String::from_utf8_lossy(&done.stderr));
            assert_eq!(done.status.code(), Some(expected), "{line}\n{stdout}{stderr}");
            if line.contains("sha256sum") {
                digests.push(stdout.into_owned());
            }
            commands_count += 1;
        }
        assert!(
            digests.windows(2).all(|pair| pair[0] == pair[1]),
            "there and back differ: {digests:?}"
        );
    }
    println!("{commands_count} commands");
    assert!(readme.lines().count() <= 120, "the README is longer than a reader reads");
    assert!(commands_count >= 9, "the README has lost its commands: {commands_count}");
}

/// The long options that a text names.
fn options(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '-'));
    words.filter(|word| word.starts_with("--") && !word.ends_with('-')).collect()
}

#[test]
fn options_and_names_that_the_text_mentions_exist() {
    let readme = document("README.md");
    let helps: String = [
        "validate",
        "convert",
        "select",
        "duplicates",
        "export",
        "measure",
        "merge",
        "splits",
        "report",
        "explain",
        "notations",
        "man",
    ]
    .iter()
    .map(|command| pgnmill().args([command, "--help"]).output().unwrap().stdout)
    .map(|help| String::from_utf8(help).unwrap())
    .collect();
    let (ours, known) = (options(&readme), options(&helps));
    // Of cargo and of zstd.
    let others = ["--release", "--path", "--no-deps", "--open", "--long"];
    for option in ours.iter().filter(|option| !others.contains(option)) {
        assert!(known.contains(option), "the README names {option}, which no command has");
    }
    assert!(ours.len() > 15);
    let count = format!("{} notations", pgnmill_core::notation::NOTATIONS.len());
    assert!(readme.contains(&count), "the README does not say {count}");
}

// ---- figures

/// The tables of a section, each row as its cells; without backticks and stars.
pub(crate) fn rows(text: &str) -> Vec<Vec<String>> {
    let cells = |line: &str| {
        let inner = line.trim().trim_matches('|');
        inner.split('|').map(|cell| cell.trim().replace(['`', '*'], "")).collect()
    };
    let is_rule = |line: &&str| !line.starts_with("|--") && !line.starts_with("| --");
    text.lines().filter(|line| line.starts_with('|')).filter(is_rule).map(cells).collect()
}

/// The section of a document with this heading.
pub(crate) fn section<'a>(text: &'a str, heading: &str) -> &'a str {
    let (_, rest) = text
        .split_once(&format!("\n## {heading}\n"))
        .unwrap_or_else(|| panic!("no section {heading}"));
    rest.split_once("\n## ").map_or(rest, |(section, _)| section)
}

/// A figure of the table whose header has `column`, in the first row that begins with these cells.
fn cell(tables: &[Vec<String>], begins: &[&str], column: &str) -> String {
    let mut at = None;
    for row in tables {
        at = row.iter().position(|name| name == column).or(at);
        if let Some(at) = at
            && row.len() > at
            && begins.iter().zip(row).all(|(expected, cell)| expected == cell)
        {
            return row[at].clone();
        }
    }
    panic!("no {column} of {begins:?}");
}

fn number(text: &str) -> f64 {
    let digits: String = text.chars().filter(|c| c.is_ascii_digit() || *c == '.').collect();
    digits.parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

/// The characters of whole movetext in a notation, of the tables of the study.
fn movetext_total(notation: &str) -> String {
    let mut table = csv::Reader::from_path(here("docs/study/movetext.csv")).unwrap();
    let header = table.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|column| column == name).unwrap();
    let columns = ["notation", "part", "characters"].map(column);
    let of = |row: csv::StringRecord| {
        (row[columns[0]] == *notation && row[columns[1]] == *"total")
            .then(|| row[columns[2]].parse::<u64>().unwrap())
    };
    let total = table.records().map(Result::unwrap).find_map(of);
    pgnmill_report::grouped(total.unwrap_or_else(|| panic!("no movetext in {notation}")))
}

/// A change in per cent as it is printed: negative is shorter.
fn change(short: f64, long: f64) -> String {
    format!("{:+.1} %", (short / long - 1.0) * 100.0).replace('-', "−")
}

#[test]
fn the_figures_of_the_first_table_are_those_of_the_study() {
    let (page, study) = (document("docs/measure.md"), document("docs/study.md"));
    let moves = rows(section(&study, "What a move costs"));
    let archives = rows(section(&study, "Whole archives"));
    let table = rows(between(&page, "figures"));
    let notations: Vec<&str> =
        table[0][1..].iter().map(String::as_str).filter(|name| *name != "change").collect();
    assert_eq!(notations[0], "san");
    for row in &table[1..] {
        let figures = row[1..].iter().map(String::as_str);
        let (counts, changes): (Vec<&str>, Vec<&str>) =
            figures.partition(|cell| !cell.ends_with('%'));
        assert_eq!(
            (counts.len(), changes.len()),
            (notations.len(), notations.len() - 1),
            "{row:?}"
        );
        for (name, count) in notations.iter().zip(&counts) {
            let label: Vec<&str> = row[0].split(": ").collect();
            let expected = match label[..] {
                ["texts of the moves"] => cell(&moves, &[name], "characters"),
                ["movetext", ..] => movetext_total(name),
                [archive, stored] => {
                    let archive = archive.split([' ', ',']).next().unwrap();
                    cell(&archives, &[archive, stored], name)
                }
                _ => panic!("a row of something else: {row:?}"),
            };
            assert_eq!(*count, expected, "{name}: {row:?}");
        }
        for (count, said) in counts[1..].iter().zip(changes) {
            assert_eq!(said, change(number(count), number(counts[0])), "{row:?}");
        }
    }
    assert!(table.len() >= 6);
    // What data/ gives.
    let others = rows(section(&study, "The sample in the clone"));
    let of = |name| number(&cell(&others, &["data"], name));
    let saved = change(of("economical-priority"), of("san"));
    assert!(page.contains(&format!("gives {saved}")), "{saved}");
    let fewer = saved.trim_start_matches('−');
    assert!(document("README.md").contains(&format!("takes {fewer} fewer characters")), "{fewer}");
}

#[test]
fn the_study_and_its_figures_are_what_its_command_writes() {
    let scratch = Scratch::new();
    let tables = here("docs/study").display().to_string();
    let args = ["report", "--study", "--figures", "docs/figures", "-o", "docs/study.md", &tables];
    fs::create_dir(scratch.join("docs")).unwrap();
    let done = run_in(scratch.path(), &args, b"");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let (study, written) =
        (document("docs/study.md"), fs::read_to_string(scratch.join("docs/study.md")).unwrap());
    let rest = study.strip_prefix(written.as_str());
    let rest = rest.expect("docs/study.md is not what is written today: scripts/study");
    assert!(rest.starts_with("\n## Where the games are from\n"));
    let mut names = Vec::new();
    for entry in fs::read_dir(here("docs/figures")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        assert!(
            study.contains(&format!("](figures/{name})")),
            "docs/study.md does not show {name}"
        );
        // That of other rules is of other tables.
        if name != "by-rules.svg" {
            let today = fs::read_to_string(scratch.join("docs/figures").join(&name));
            assert_eq!(fs::read_to_string(&path).unwrap(), today.unwrap(), "{name}: scripts/study");
        }
        names.push(name);
    }
    for link in study.split("](figures/").skip(1).map(|rest| rest.split(')').next().unwrap()) {
        assert!(names.iter().any(|name| name == link), "{link} is absent");
    }
    assert!(names.len() > 10, "{names:?}");
    // Its options are those of the script, so that the tables are those of the script's run.
    let script = document("scripts/study");
    let quoted = |name: &str| {
        let (_, rest) = script.split_once(&format!("\n{name} = ")).unwrap();
        rest.split('"').nth(1).unwrap().to_string()
    };
    let (_, options) = script.split_once("f\"--by {BY}").unwrap();
    let options = options.split_once('"').unwrap().0;
    let sorted_options = |words: &str| {
        // One error of each kind is the default.
        let words = words.replace('`', "").replace("--errors=1", "--errors");
        let options = words.split("--").map(str::trim).filter(|option| !option.is_empty());
        let mut options: Vec<String> = options.map(String::from).collect();
        options.sort();
        options
    };
    let (_, shown) = study.split_once("options: `--by ").unwrap();
    let shown = shown.split_once('`').unwrap().1.split_once(';').unwrap().0;
    assert_eq!(sorted_options(shown), sorted_options(options));
    let by = study.split_once("options: `--by ").unwrap().1.split_once('`').unwrap().0;
    let sorted = |names: &str| {
        let mut names: Vec<&str> = names.split(',').collect();
        names.sort_unstable();
        names.join(",")
    };
    assert_eq!(sorted(by), sorted(&quoted("BY")));
}

#[test]
fn the_picture_is_drawn_from_the_tables_of_the_study() {
    let (drawing, study) = (document("docs/study.svg"), document("docs/study.md"));
    let moves = rows(section(&study, "What a move costs"));
    let tree = roxmltree::Document::parse(&drawing).unwrap();
    let text = |class: &str| -> Vec<&str> {
        let of = |node: &roxmltree::Node<'_, '_>| {
            node.has_tag_name("text") && node.attribute("class") == Some(class)
        };
        tree.descendants().filter(of).filter_map(|node| node.text()).collect()
    };
    let title = tree.descendants().find(|node| node.has_tag_name("title")).unwrap().text().unwrap();
    let (words, list) = title.split_once(": ").unwrap();
    let drawn: Vec<(&str, &str)> =
        list.split(", ").map(|pair| pair.split_once(' ').unwrap()).collect();
    assert!(study.contains(words.rsplit(" on ").next().unwrap()), "{words}");
    assert!(drawn.len() >= 8);
    let bars = |class: &[&str]| -> Vec<f64> {
        let of = |node: &roxmltree::Node<'_, '_>| {
            node.attribute("height") == Some("17")
                && class.contains(&node.attribute("class").unwrap_or(""))
        };
        tree.descendants().filter(of).map(|node| number(node.attribute("width").unwrap())).collect()
    };
    let (short, long) = (bars(&["moves", "short"]), bars(&["rest"]));
    assert_eq!((short.len(), long.len()), (drawn.len(), drawn.len()));
    let labels = text("text in");
    let changes: Vec<&str> = [text("text end"), text("text end san")].concat();
    let (sans, plies) =
        (number(&cell(&moves, &["san"], "characters")), number(&cell(&moves, &["san"], "plies")));
    let whole_san = number(&movetext_total("san"));
    let scale = long[0] / number(&movetext_total(drawn[0].0));
    for (index, (name, per_ply)) in drawn.iter().enumerate() {
        let characters = number(&cell(&moves, &[name], "characters"));
        let total = number(&movetext_total(name));
        assert_eq!(*per_ply, format!("{:.3}", characters / plies), "{name}");
        assert_eq!(labels[index], *per_ply, "{name}");
        assert!((short[index] - characters * scale).abs() < 0.2, "{name}: a bar of another length");
        assert!((long[index] - total * scale).abs() < 0.2, "{name}: a bar of another length");
        if *name != "san" {
            assert!(changes.contains(&change(characters, sans).as_str()), "{name}");
            assert!(changes.contains(&change(total, whole_san).as_str()), "{name}");
        }
    }
}

#[test]
fn the_speeds_are_those_of_the_page_of_performance() {
    let page = document("docs/performance.md");
    assert_eq!(between(&document("README.md"), "speed"), between(&page, "speed"));
    // The reader of the page finds the table before anything else, and the machine with it.
    let before = page.split("<!-- speed -->").next().unwrap();
    assert!(before.lines().count() <= 4, "{before}");
    assert!(between(&page, "speed").contains(" cores of "));
}

// ---- links and words

#[test]
fn links_lead_to_files_and_every_document_is_linked() {
    let mut documents: Vec<String> =
        ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"]
            .into_iter()
            .chain(["benches/README.md", "data/README.md"])
            .map(str::to_owned)
            .collect();
    let here = here("");
    let below = reader::documents().into_iter();
    documents.extend(below.map(|path| path.strip_prefix(&here).unwrap().display().to_string()));
    let (readme, index) = (document("README.md"), document("docs/README.md"));
    let is_linked = |path: &str| {
        let from_docs =
            path.strip_prefix("docs/").map_or_else(|| format!("../{path}"), String::from);
        readme.contains(&format!("({path})")) || index.contains(&format!("({from_docs})"))
    };
    for path in &documents {
        let (text, folder) = (document(path), here.join(path).parent().unwrap().to_path_buf());
        for link in text.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            let target = link.split('#').next().unwrap();
            let outside = target.starts_with("http") || target.is_empty() || target.contains(' ');
            assert!(outside || folder.join(target).exists(), "{path}: {link} leads nowhere");
        }
        assert!(
            path == "README.md" || is_linked(path),
            "neither the README nor docs/README.md links {path}"
        );
    }
}

#[test]
fn the_readme_says_checks_and_not_proves() {
    let readme = document("README.md");
    let words: Vec<String> =
        readme.split(|c: char| !c.is_alphanumeric()).map(str::to_lowercase).collect();
    for banned in ["prove", "proves", "proved", "proof", "proven", "blanks", "dress", "glyphs"] {
        assert!(
            !words.iter().any(|word| word == banned),
            "{banned}: see the terms in CONTRIBUTING.md"
        );
    }
}

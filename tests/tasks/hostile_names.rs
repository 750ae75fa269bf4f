//! Whatever the texts of a measurement are, the page has them as texts: nothing of them becomes an element, an
//! attribute, code or another column.
//!
//! In: tables whose names of notations, compressors, sources and notes contain what HTML and Markdown read as their
//! own. Out: nothing; the page is parsed, and its text nodes are compared with the names.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::common::{SOURCES, Scratch, errors_of, exit_code, here, run_in, text_of};

/// A text of a table, and what takes its place.
const REPLACED: [(&str, &str); 3] = [
    ("uci", "u`<i>|\"&'x</i>"),
    ("zstd:1", "z`<b>`|\"&`</b>"),
    ("--entropy", "o`<script>|&\"</script>"),
];
/// The name of the archive, which is a key and part of rows of the summary.
const ARCHIVE: &str = "a<u>|\"&`'.pgn";

/// Replaces texts that are whole fields of the tables, or words of one.
fn replace_names(directory: &Path) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|end| end != "csv") {
            continue;
        }
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_path(&path).unwrap();
        let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let mut writer = csv::Writer::from_path(&path).unwrap();
        for record in records {
            let replaced = |field: &str| {
                let words = field.split(' ').map(|word| {
                    let found = REPLACED.iter().find(|(known, _)| *known == word);
                    found.map_or(word, |(_, hostile)| hostile)
                });
                words.collect::<Vec<_>>().join(" ")
            };
            writer.write_record(record.iter().map(replaced)).unwrap();
        }
        if path.ends_with("summary.csv") {
            writer.write_record(["note:n<i>|\"&`</i>", "7"]).unwrap();
        }
        writer.flush().unwrap();
    }
}

/// Tables with hostile names.
fn tables(scratch: &Scratch) {
    scratch.write(ARCHIVE, &text_of(&here(SOURCES)));
    let args = [
        "measure",
        "--quiet",
        "--by",
        "all",
        "--entropy",
        "--compress",
        "zstd:1",
        "-o",
        "t",
        ARCHIVE,
    ];
    let output = run_in(scratch.path(), &args, b"");
    assert_eq!(exit_code(&output), 0, "{}", errors_of(&output));
    replace_names(&scratch.join("t"));
}

fn report(scratch: &Scratch, page: &str) -> String {
    let output = run_in(scratch.path(), &["report", "-o", page, "t"], b"");
    assert_eq!(exit_code(&output), 0, "{}", errors_of(&output));
    fs::read_to_string(scratch.join(page)).unwrap()
}

#[test]
fn names_are_text_of_the_page() {
    let scratch = Scratch::new();
    tables(&scratch);
    let page = report(&scratch, "page.html");
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(&page, options).expect("well-formed");
    for element in document.descendants().filter(roxmltree::Node::is_element) {
        let name = element.tag_name().name();
        assert!(!["i", "b", "u", "script"].contains(&name), "<{name}> is of a table");
    }
    let texts: BTreeSet<&str> = document.descendants().filter_map(|node| node.text()).collect();
    for (_, hostile) in &REPLACED[..2] {
        assert!(texts.contains(hostile), "{hostile} is no text of the page: {texts:?}");
    }
    for part in [REPLACED[2].1, ARCHIVE, "n<i>|\"&`</i>"] {
        assert!(texts.iter().any(|text| text.contains(part)), "{part} is in no text of the page");
    }
    // Names of figures are attributes.
    let labels = document.descendants().filter_map(|element| element.attribute("aria-label"));
    assert!(labels.clone().count() > 5 && labels.clone().all(|label| !label.contains("&lt;")));
}

/// The columns of a row of Markdown: bars that no backslash precedes.
fn columns(row: &str) -> usize {
    let bars = row.match_indices('|').filter(|(at, _)| !row[..*at].ends_with('\\'));
    bars.count() - 1
}

#[test]
fn names_are_one_column_of_a_table_in_markdown() {
    let scratch = Scratch::new();
    tables(&scratch);
    let page = report(&scratch, "page.md");
    let (mut expected, mut rows) = (None, 0);
    for line in page.lines() {
        if !line.starts_with('|') {
            expected = None;
            continue;
        }
        rows += 1;
        let found = columns(line);
        assert_eq!(found, *expected.get_or_insert(found), "{line}");
    }
    assert!(rows > 50, "{rows}");
    for hostile in [REPLACED[0].1, REPLACED[1].1] {
        let escaped = hostile.replace('|', "\\|").replace('<', "&lt;");
        assert!(page.contains(&escaped), "{escaped}");
    }
    // Between fences that are longer than what is in the name.
    for row in page.lines().filter(|line| line.starts_with('|') && line.contains("u`&lt;i>")) {
        let name = REPLACED[0].1.replace('|', "\\|").replace('<', "&lt;");
        assert!(row.contains(&format!("``{name}``")), "{row}");
    }
    for tag in ["<i>", "<b>", "<u>", "<script>"] {
        let in_tables = page.lines().filter(|line| line.starts_with('|'));
        assert_eq!(in_tables.filter(|line| line.contains(tag)).count(), 0, "{tag}");
    }
}

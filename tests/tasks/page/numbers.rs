//! Which numbers a page may show: those of the tables, and what follows from them, computed again.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::Path;

type Row = HashMap<String, String>;

fn rows(path: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(|row| row.unwrap()).collect()
}

fn number(row: &Row, column: &str) -> f64 {
    row.get(column).and_then(|text| text.parse().ok()).unwrap_or(f64::NAN)
}

/// As the tables would write it: a plain minus, no commas, no sign before zero or more.
fn plain(shown: &str) -> String {
    let text = shown.replace(',', "").replace('−', "-").replace(" %", "").replace('+', "");
    match text.chars().all(|sign| "-0.".contains(sign)) {
        true => text.replace('-', ""),
        false => text,
    }
}

#[derive(Default)]
struct Known(HashSet<String>);

impl Known {
    fn add(&mut self, value: f64, digits: usize) {
        if value.is_finite() {
            self.0.insert(plain(&format!("{value:.digits$}")));
        }
    }

    /// Numbers of one row.
    fn row(&mut self, row: &Row) {
        self.0.extend(row.values().cloned());
        let of = |column| number(row, column);
        for column in ["characters", "bytes", "bytes_before", "bytes_after"] {
            self.add(of(column) / of("plies"), 3);
        }
        self.add(of("bits_per_ply"), 3);
        self.add(of("bits") / of("plies"), 3);
        self.add(of("entropy_bits_per_ply"), 3);
        self.add(80.0 * of("plies") / of("characters"), 2);
        self.add(100.0 * of("bytes_after") / of("bytes_before"), 1);
        self.add(100.0 * of("count") / of("of"), 2);
    }

    /// Numbers of the rows of one group: each against the two that are usual.
    fn group(&mut self, rows: &[&Row]) {
        for base in ["san", "economical-letters"] {
            let Some(than) = rows.iter().find(|row| row.get("notation").is_some_and(|n| n == base))
            else {
                continue;
            };
            for row in rows {
                let more = 100.0 * (number(row, "characters") / number(than, "characters") - 1.0);
                // One meaning everywhere: negative where it is shorter.
                for digits in [1, 2] {
                    self.add(more, digits);
                }
            }
        }
    }
}

/// Rows by the value of a column.
fn grouped<'a>(rows: &'a [Row], column: &str) -> Vec<Vec<&'a Row>> {
    let mut groups: HashMap<&str, Vec<&Row>> = HashMap::new();
    for row in rows {
        groups.entry(row.get(column).map_or("", String::as_str)).or_default().push(row);
    }
    groups.into_values().collect()
}

fn known(tables: &Path) -> Known {
    let mut known = Known::default();
    for entry in fs::read_dir(tables).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if !name.ends_with(".csv") {
            // The journal of the run.
            continue;
        }
        let rows = rows(&path);
        rows.iter().for_each(|row| known.row(row));
        let key = if name == "by_ply.csv" && !rows[0].contains_key("key") { "ply" } else { "key" };
        grouped(&rows, key).iter().for_each(|group| known.group(group));
        for (table, column) in [("lengths.csv", "notation"), ("disambiguation.csv", "role")] {
            for group in grouped(&rows, column).iter().filter(|_| name == table) {
                let all: f64 = group.iter().map(|row| number(row, "plies")).sum();
                group.iter().for_each(|row| known.add(100.0 * number(row, "plies") / all, 2));
            }
        }
        if name == "by_ply.csv" {
            for early in [true, false] {
                spans(&mut known, &rows, key, early);
            }
        }
    }
    known
}

/// The first twenty moves, or those after them.
fn spans(known: &mut Known, rows: &[Row], key: &str, early: bool) {
    let within: Vec<Row> =
        rows.iter().filter(|row| (number(row, key) <= 40.0) == early).cloned().collect();
    let sums: Vec<Row> = grouped(&within, "notation")
        .iter()
        .map(|rows| {
            let sum: f64 = rows.iter().map(|row| number(row, "characters")).sum();
            known.add(sum, 0);
            [("notation", rows[0]["notation"].clone()), ("characters", sum.to_string())]
                .map(|(column, text)| (column.to_string(), text))
                .into()
        })
        .collect();
    known.group(&sums.iter().collect::<Vec<_>>());
}

/// Numbers written as words.
fn in_words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|sign: char| sign.is_whitespace() || ";:()".contains(sign));
    let words = words.map(|word| plain(word.trim_end_matches([',', '.'])));
    words.filter(|word| word.parse::<f64>().is_ok())
}

/// Every number in the tables of the page, in the claims and in its figures is known.
pub(crate) fn are_in_the_tables(html: &str, tables: &Path) {
    let known = known(tables);
    let options = roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
    let document = roxmltree::Document::parse_with_options(html, options).unwrap();
    let text = |node: roxmltree::Node<'_, '_>| {
        let texts = node.descendants().filter(roxmltree::Node::is_text);
        texts.filter_map(|node| node.text().map(String::from)).collect::<String>()
    };
    let is = |node: &roxmltree::Node<'_, '_>, name| node.tag_name().name() == name;
    let mut seen = 0;
    let mut check = |shown: String, place: &str| {
        seen += 1;
        assert!(known.0.contains(&shown), "{shown} in {place} is in no table");
    };
    for row in document.descendants().filter(|node| is(node, "tr")) {
        let place = text(row);
        let cells = row.children().filter(roxmltree::Node::is_element);
        let is_number = |cell: &roxmltree::Node<'_, '_>| {
            is(cell, "td") && cell.attribute("class") == Some("number")
        };
        for shown in cells.filter(is_number).map(|cell| plain(&text(cell))) {
            if !shown.is_empty() {
                check(shown, &place);
            }
        }
    }
    let claims = document.descendants().filter(|node| is(node, "caption"));
    let claims =
        claims.filter(|caption| text(*caption).starts_with("Claims")).filter_map(|c| c.parent());
    for row in claims.flat_map(|table| table.descendants().collect::<Vec<_>>()) {
        let cells: Vec<_> = row.children().filter(|cell| is(cell, "td")).collect();
        // Claim, notation, claimed, measured, counted, difference; the first is a heading.
        for cell in cells.iter().skip(2).take(2) {
            in_words(&text(*cell)).for_each(|shown| check(shown, &text(row)));
        }
    }
    for title in document.descendants().filter(|node| is(node, "title")) {
        let place = text(title);
        in_words(&place).filter(|word| word.contains('.')).for_each(|shown| check(shown, &place));
    }
    assert!(seen > 500, "only {seen} numbers were seen");
}

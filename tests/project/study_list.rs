//! The list of the study's files, its page, its tables and the sentences about it have the same games.
//!
//! None of them can be changed alone: the list sums to the table “Where the games are from” of the page, that table to
//! `archives.csv`, that to `summary.csv`, and the number of measured games is in the README, in `docs/measure.md` and in
//! the picture. Every file has an address by commit, or is one of those that the page counts as not public.

use std::collections::BTreeMap;

use pgnmill_core::tables;

use crate::common::here;
use crate::readme::{document, rows, section};

type Row = BTreeMap<String, String>;

fn table(path: &str, delimiter: u8) -> Vec<Row> {
    let reader = csv::ReaderBuilder::new().delimiter(delimiter).from_path(here(path));
    reader.unwrap().deserialize().map(Result::unwrap).collect()
}

fn number(text: &str) -> u64 {
    text.replace(',', "").parse().unwrap_or_else(|_| panic!("{text} is no number"))
}

/// Files, games that were read, and games that are kept, by archive.
fn sums_of_the_list() -> BTreeMap<String, [u64; 3]> {
    let mut sums = BTreeMap::<String, [u64; 3]>::new();
    for row in table("docs/study/sources.tsv", b'\t') {
        let [games, distinct, kept] =
            ["games", "distinct_games", "kept_games"].map(|column| number(&row[column]));
        assert!(kept <= distinct && distinct <= games, "{row:?}");
        let sum = sums.entry(row["archive"].clone()).or_default();
        for (sum, more) in sum.iter_mut().zip([1, games, kept]) {
            *sum += more;
        }
    }
    sums
}

#[test]
fn list_page_and_tables_have_the_same_games() {
    let page = document("docs/study.md");
    let listed = sums_of_the_list();
    let shown = rows(section(&page, "Where the games are from"));
    let (head, shown) = shown.split_first().unwrap();
    let expected =
        ["archive", "files", "games read", "rejected", "left out, they repeat another", "kept"];
    assert_eq!(*head, expected);
    let (last, archives) = shown.split_last().unwrap();
    assert_eq!((archives.len(), last[0].as_str()), (listed.len(), "all"));
    let mut all = [0; 5];
    for row in archives {
        let numbers: Vec<u64> = row[1..].iter().map(|cell| number(cell)).collect();
        let [files, read, rejected, repeated, kept] = numbers[..] else { panic!("{row:?}") };
        assert_eq!(listed[&row[0]], [files, read, kept], "{}: the list, the page", row[0]);
        assert_eq!(read - rejected - repeated, kept, "{row:?}");
        for (sum, more) in all.iter_mut().zip(numbers) {
            *sum += more;
        }
    }
    assert_eq!(last[1..], all.map(pgnmill_report::grouped), "the sums of the page");

    let tabulated = table("docs/study/archives.csv", b',');
    assert_eq!(tabulated.len(), listed.len());
    let mut measured = 0;
    for row in &tabulated {
        let [_, _, kept] = listed[row["archive"].trim_end_matches(".pgn")];
        assert_eq!(number(&row["games"]), kept, "{}: the list, archives.csv", row["archive"]);
        measured += number(&row["measured"]);
    }
    let summary = table("docs/study/summary.csv", b',');
    let value = |key: &str| number(&summary.iter().find(|row| row["key"] == key).unwrap()["value"]);
    assert_eq!((value("games"), value("measured_games")), (all[4], measured));

    let measured = pgnmill_report::grouped(measured);
    for (path, words) in [
        ("docs/study.md", format!("\n\n{measured} games, ")),
        ("README.md", format!("the study of {measured} games](docs/study.md)")),
        ("docs/measure.md", format!("on {measured} games: [the study](study.md)")),
        ("docs/study.svg", format!(">{measured} games, ")),
    ] {
        assert!(document(path).contains(&words), "{path} does not say {words:?}");
    }
}

#[test]
fn every_file_of_the_list_has_an_address_that_does_not_change() {
    let is_hex = |text: &str, digits: usize| {
        text.len() == digits
            && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
    };
    let mut not_public = 0;
    for row in table("docs/study/sources.tsv", b'\t') {
        let (address, name) = (row["address"].as_str(), &row["name"]);
        assert!(is_hex(&row["sha256"], 64), "{name}: {}", row["sha256"]);
        let is_made = !row["made_by"].is_empty();
        assert_eq!(is_hex(&row["sha256_of_source"], 64), is_made, "{name}");
        assert!(!is_made || here("scripts/sources").join(&row["made_by"]).exists(), "{name}");
        assert!(row.values().all(|value| value.trim() == value), "{row:?}");
        if let Some(path) = address.strip_prefix("https://github.com/") {
            let parts: Vec<&str> = path.splitn(5, '/').collect();
            assert!(
                parts.len() == 5 && parts[2] == "blob" && is_hex(parts[3], 40),
                "{name}: {address}"
            );
            assert!(!address.contains([' ', '#', '?']), "{name}: {address}");
        } else if address.starts_with("at hand: ") {
            not_public += 1;
        } else {
            assert!(here(address).exists(), "{name}: {address}");
        }
    }
    assert_eq!(not_public, 2);
    assert!(document("docs/study.md").contains("Two files are not public, "));
}

/// The published tables are those of today: with every column that is declared, and a value in those of the page.
#[test]
fn published_tables_have_the_columns_of_today() {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(here("docs/study")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_string();
        if !name.ends_with(".csv") {
            continue;
        }
        let declared = tables::find(&name).unwrap_or_else(|| panic!("{name} is no table"));
        let mut published = csv::Reader::from_path(&path).unwrap();
        let header: Vec<String> = published.headers().unwrap().iter().map(String::from).collect();
        assert_eq!(header, declared.header(), "{name}: scripts/study --published");
        names.push(name);
    }
    for name in ["entropy.csv", "cross_source_by_rating.csv", "standardised_source.csv"] {
        assert!(names.iter().any(|it| it == name), "{name} in {names:?}");
    }
    let page = document("docs/study.md");
    let mut held_out = 0;
    for row in table("docs/study/entropy.csv", b',').iter().filter(|row| !row["types"].is_empty()) {
        let [bits, corrected, of_others] =
            ["bits_per_ply", "bits_per_ply_miller_madow", "bits_per_ply_held_out"]
                .map(|column| row[column].parse::<f64>().unwrap());
        // With the frequencies of other games no text is shorter than with its own.
        assert!(bits <= corrected && bits <= of_others && of_others < bits + 0.01, "{row:?}");
        held_out += 1;
    }
    assert!(held_out > 20 && page.contains("bits a ply, held out"), "{held_out}");
}

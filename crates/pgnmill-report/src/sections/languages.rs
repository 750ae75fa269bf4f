//! What SAN costs in the piece letters of languages.
//!
//! In: the rows of `writing.csv` and, if it is there, of `bpe_tokens.csv`. Out: a table in which languages of equal
//! length in characters and in bytes share a row: what differs within a row are the tokens.

use std::collections::BTreeMap;

use pgnmill_core::notation;
use pgnmill_core::tables;
use pgnmill_core::tables::notations::{is_localized, names};

use super::super::number::{ratio, signed};
use super::super::page::{Cell, Grid, Section};
use super::super::prose::literal;
use super::super::study::{Fact, Study};

/// Counts of `writing.csv`: plies, characters, bytes of UTF-8.
const COUNTS: [usize; 3] = [0, 1, 4];
/// Of `bpe_tokens.csv`.
const TOKENS: usize = 3;

/// The section, if more than one language was measured.
pub(super) fn section(study: &Study) -> Option<Section> {
    let facts = study.writing.as_ref()?;
    let san = facts.iter().find(|fact| fact.names[0] == names::SAN)?;
    let mut by_cost: BTreeMap<[u64; 2], Vec<&Fact>> = BTreeMap::new();
    let [plies, characters, bytes] = COUNTS;
    for fact in facts.iter().filter(|fact| is_localized(&fact.names[0]) && fact.counts[plies] > 0) {
        by_cost.entry([fact.counts[bytes], fact.counts[characters]]).or_default().push(fact);
    }
    if by_cost.values().map(Vec::len).sum::<usize>() < 2 {
        return None;
    }
    let vocabularies = vocabularies(study);
    let row = |facts: &Vec<&Fact>| {
        let of = |at: usize| ratio(facts[0].counts[at], facts[0].counts[plies]);
        let own: Vec<&str> = facts.iter().map(|fact| fact.names[0].as_str()).collect();
        let titles: Vec<&str> = own.iter().map(|name| language(name)).collect();
        let is_same = facts[0].counts[plies] == san.counts[plies];
        let base = ratio(san.counts[bytes], san.counts[plies]);
        let change = if is_same { 100.0 * (of(bytes) / base - 1.0) } else { f64::NAN };
        let mut row = vec![
            Cell::Text(titles.join(", ")),
            Cell::Ratio(of(characters), 3),
            Cell::Ratio(of(bytes), 3),
            Cell::Change(change, 1),
        ];
        row.extend(vocabularies.iter().map(|it| Cell::Text(changes(study, it, &own))));
        row
    };
    let mut section = Section::new(
        "Languages",
        "SAN in the piece letters of a language is as long as SAN where each piece has one letter, and takes more bytes where \
         letters are not ASCII. Changes are against `san`.",
    );
    let head = ["languages", "characters a ply", "bytes of UTF-8 a ply", "bytes, change"];
    let tokens = vocabularies.iter().map(|name| format!("tokens of {}, change", literal(name)));
    section.grid(Grid {
        caption: "SAN in the letters of languages".to_string(),
        is_open: true,
        source: tables::writing::SCHEMA.file.to_string(),
        note: String::new(),
        head: head.map(String::from).into_iter().chain(tokens).collect(),
        rows: by_cost.values().rev().map(row).collect(),
    });
    Some(section)
}

/// The name of the language of a notation.
fn language(name: &str) -> &str {
    let title = notation::find(name).map_or(name, |it| it.info().title);
    title.strip_prefix("SAN, ").unwrap_or(title)
}

/// The vocabularies in which languages were counted.
fn vocabularies(study: &Study) -> Vec<&str> {
    let facts = study.tokens.iter().flatten();
    let mut names: Vec<&str> =
        facts.filter(|it| is_localized(&it.names[1])).map(|it| it.names[0].as_str()).collect();
    names.dedup();
    names
}

/// The least and the largest change of the tokens of some notations against SAN.
fn changes(study: &Study, vocabulary: &str, own: &[&str]) -> String {
    let facts = || study.tokens.iter().flatten().filter(|fact| fact.names[0] == vocabulary);
    let Some(san) = facts().find(|fact| fact.names[1] == names::SAN) else { return String::new() };
    let comparable = facts().filter(|fact| {
        own.contains(&fact.names[1].as_str()) && fact.counts[..2] == san.counts[..2]
    });
    let base = san.counts[TOKENS];
    let change = |fact: &Fact| 100.0 * (ratio(fact.counts[TOKENS], base) - 1.0);
    let mut texts: Vec<(f64, String)> = comparable
        .map(|fact| (change(fact), format!("{} %", signed(change(fact), 1))))
        .filter(|(change, _)| change.is_finite())
        .collect();
    texts.sort_by(|a, b| a.0.total_cmp(&b.0));
    match &texts[..] {
        [] => String::new(),
        [(_, least), .., (_, largest)] if least != largest => format!("{least} to {largest}"),
        [(_, only), ..] => only.clone(),
    }
}

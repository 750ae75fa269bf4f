//! What movetext takes in tokens of byte-pair encoders.
//!
//! In: the rows of `bpe_tokens.csv`. Out: a table for each vocabulary, of notations that are not languages.

use pgnmill_core::tables;
use pgnmill_core::tables::notations::names;

use super::super::number::{decimal, in_words, ratio};
use super::super::page::{Cell, Grid, Section};
use super::super::prose::{code, literal};
use super::super::spread::SHOWN;
use super::super::study::{Fact, Study};

/// Plies, characters, tokens.
const COUNTS: [usize; 3] = [1, 2, 3];

/// The section, if the table is there.
pub(super) fn section(study: &Study) -> Option<Section> {
    let facts = study.tokens.as_ref()?;
    let is_shown =
        |fact: &&Fact| SHOWN.contains(&fact.names[1].as_str()) && fact.counts[COUNTS[0]] > 0;
    let facts: Vec<&Fact> = facts.iter().filter(is_shown).collect();
    let mut vocabularies: Vec<&str> = facts.iter().map(|fact| fact.names[0].as_str()).collect();
    vocabularies.dedup();
    if vocabularies.is_empty() {
        return None;
    }
    let mut section = Section::new(
        "What it costs in tokens",
        "A byte-pair encoder, the input of a language model, divides a text into tokens of its vocabulary. The movetext of \
         each game is one text: move numbers, moves, the result, with single spaces. Numbers and results are counted \
         with the moves, so that a notation saves a smaller share than of the texts of moves alone.",
    );
    for vocabulary in vocabularies {
        let rows: Vec<&Fact> =
            facts.iter().copied().filter(|fact| fact.names[0] == vocabulary).collect();
        let find = |name: &str| rows.iter().find(|fact| fact.names[1] == name).copied();
        if let (Some(san), Some(short)) = (find(names::SAN), find(names::PRIORITY)) {
            section.text(format!(
                "{}: `economical-priority` takes {} than `san`, {} tokens a ply.",
                code(vocabulary),
                in_words(change(short, san)),
                decimal(per_ply(short), 3)
            ));
        }
        section.grid(table(vocabulary, rows.clone(), find(names::SAN)));
    }
    Some(section)
}

fn per_ply(fact: &Fact) -> f64 {
    let [plies, _, tokens] = COUNTS.map(|at| fact.counts[at]);
    ratio(tokens, plies)
}

/// The change in per cent, in tokens.
fn change(fact: &Fact, base: &Fact) -> f64 {
    match fact.counts[..2] == base.counts[..2] {
        true => 100.0 * (ratio(fact.counts[COUNTS[2]], base.counts[COUNTS[2]]) - 1.0),
        false => f64::NAN,
    }
}

fn table(vocabulary: &str, mut rows: Vec<&Fact>, san: Option<&Fact>) -> Grid {
    // The most expensive first, as in the first table.
    rows.sort_by(|a, b| per_ply(b).total_cmp(&per_ply(a)));
    let row = |fact: &&Fact| {
        let [plies, characters, tokens] = COUNTS.map(|at| fact.counts[at]);
        vec![
            Cell::Name(fact.names[1].clone()),
            Cell::Ratio(ratio(tokens, plies), 3),
            Cell::Change(san.map_or(f64::NAN, |san| change(fact, san)), 1),
            Cell::Ratio(ratio(characters, tokens), 3),
            Cell::Count(tokens),
            Cell::Count(fact.counts[0]),
            Cell::Count(plies),
        ]
    };
    let head = [
        "notation",
        "tokens a ply",
        "against `san`",
        "characters a token",
        "tokens",
        "games",
        "plies",
    ];
    Grid {
        caption: format!("Tokens of {}", literal(vocabulary)),
        is_open: true,
        source: tables::bpe_tokens::SCHEMA.file.to_string(),
        note: String::new(),
        head: head.map(String::from).to_vec(),
        rows: rows.iter().map(row).collect(),
    }
}

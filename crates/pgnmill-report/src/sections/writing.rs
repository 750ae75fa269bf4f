//! What it costs to write the texts and to send them.
//!
//! In: the rows of `writing.csv`. Out: a table of what notations that are not languages take a ply.

use pgnmill_core::tables;
use pgnmill_core::tables::notations::is_localized;

use super::super::number::ratio;
use super::super::page::{Cell, Grid, Section};
use super::super::spread::SHOWN;
use super::super::study::{Fact, Study};

/// The section, if the table is there.
pub(super) fn section(study: &Study) -> Option<Section> {
    let facts = study.writing.as_ref()?;
    let is_shown = |fact: &&Fact| !is_localized(&fact.names[0]) && fact.counts[0] > 0;
    let mut rows: Vec<&Fact> = facts.iter().filter(is_shown).collect();
    if rows.is_empty() {
        return None;
    }
    let per_ply = |fact: &Fact, at: usize| ratio(fact.counts[at], fact.counts[0]);
    rows.retain(|fact| SHOWN.contains(&fact.names[0].as_str()));
    // The longest first, as in the first table.
    rows.sort_by(|a, b| per_ply(b, 1).total_cmp(&per_ply(a, 1)));
    let mut section = Section::new(
        "What it costs to write and to send",
        "A ply, in keys of a US keyboard with Shift as a key, in units of Morse code (ITU-R M.1677-1; a ply is a word), in \
         bytes of two encodings, and in bits of equally long codes for the characters that occur.",
    );
    let row = |fact: &&Fact| {
        let mut row = vec![Cell::Name(fact.names[0].clone())];
        row.extend([1, 2, 3, 4, 5].map(|at| Cell::Ratio(per_ply(fact, at), 3)));
        row.push(Cell::Count(fact.counts[6]));
        row.push(Cell::Ratio(per_ply(fact, 7), 3));
        row.extend([8, 9].map(|at| Cell::Count(fact.counts[at])));
        row
    };
    section.grid(Grid {
        caption: "Costs of a ply".to_string(),
        is_open: true,
        source: tables::writing::SCHEMA.file.to_string(),
        note: String::new(),
        head: [
            "notation",
            "characters",
            "keys",
            "units of Morse code",
            "bytes of UTF-8",
            "bytes of UTF-16",
            "different characters",
            "bits of equal length",
            "characters without a key",
            "without Morse code",
        ]
        .map(String::from)
        .to_vec(),
        rows: rows.iter().map(row).collect(),
    });
    Some(section)
}

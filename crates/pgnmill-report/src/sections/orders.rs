//! Bits of texts in models of order k.
//!
//! In: the rows of `orders.csv`. Out: a table of bits a ply, with a column for each order.

use std::collections::BTreeSet;

use pgnmill_core::tables;

use super::super::number::ratio;
use super::super::page::{Cell, Grid, Section};
use super::super::study::{Fact, Study};

/// The section, if the table is there.
pub(super) fn section(study: &Study) -> Option<Section> {
    let facts = study.orders.as_ref()?;
    let facts: Vec<&Fact> = facts.iter().filter(|fact| fact.counts[0] > 0).collect();
    let orders: BTreeSet<&str> = facts.iter().map(|fact| fact.names[1].as_str()).collect();
    let last = orders.last()?;
    let find = |name: &str, order: &str| {
        let is_it = |fact: &&&Fact| fact.names[0] == name && fact.names[1] == order;
        facts.iter().find(is_it).map_or(f64::NAN, |fact| ratio(fact.counts[2], fact.counts[0]))
    };
    let mut names: Vec<&str> = facts.iter().map(|fact| fact.names[0].as_str()).collect();
    names.dedup();
    names.sort_by(|a, b| find(b, last).total_cmp(&find(a, last)));
    let mut section = Section::new(
        "Models of order k",
        "Bits a ply of the texts of the moves, with a blank after each, in an adaptive model of order k: the probability of \
         what follows depends on the last k bytes, or on fewer where these have not occurred. Nothing is learnt at the \
         beginning of a block, as for general compressors.",
    );
    let row = |name: &&str| {
        let bits = orders.iter().map(|order| Cell::Ratio(find(name, order), 3));
        std::iter::once(Cell::Name(name.to_string())).chain(bits).collect()
    };
    let head = orders.iter().map(|order| format!("order {order}"));
    section.grid(Grid {
        caption: "Bits a ply in models of order k".to_string(),
        is_open: true,
        source: tables::orders::SCHEMA.file.to_string(),
        note: String::new(),
        head: std::iter::once("notation".to_string()).chain(head).collect(),
        rows: names.iter().map(row).collect(),
    });
    Some(section)
}

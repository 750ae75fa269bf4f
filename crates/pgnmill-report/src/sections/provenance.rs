//! What was measured, when, by which program, with which command.

use pgnmill_core::tables;

use super::super::page::{Cell, Grid, Section};
use super::super::prose::code;
use super::super::study::Study;

/// The keys that are shown first, with their labels.
const SAID: [(&str, &str); 5] = [
    ("measured_on", "measured on"),
    ("program_version", "by pgnmill"),
    ("command", "command"),
    ("options", "options"),
    ("schema_version", "layout of the tables"),
];

/// The section.
pub(super) fn section(study: &Study) -> Section {
    let said = SAID.iter().filter_map(|(key, name)| {
        let value = study.value(key).filter(|value| !value.is_empty())?;
        // Each option separately, so that a line does not break after its hyphens.
        let words = value.replace(" --", "\n--");
        let words: Vec<String> = words.split('\n').map(code).collect();
        Some(format!("{name}: {}", words.join(" ")))
    });
    let said: Vec<String> = said.collect();
    let mut section = Section::new(
        "What was measured, and how",
        "Every game was replayed by the rules of chess; only main lines of valid games are \
         counted. Texts are the canonical ones of each notation, whatever the archives were \
         written in.",
    );
    if !said.is_empty() {
        let mut text = said.join("; ");
        text.push('.');
        section.text(text);
    }
    let row = |(key, value): &(String, String)| match value.parse::<u64>() {
        Ok(number) => vec![Cell::Name(key.clone()), Cell::Count(number)],
        Err(_) => vec![Cell::Name(key.clone()), Cell::Text(value.clone())],
    };
    section.grid(Grid {
        caption: "The summary of the run".to_string(),
        is_open: false,
        source: tables::summary::SCHEMA.file.to_string(),
        note: String::new(),
        head: ["key", "value"].map(String::from).to_vec(),
        rows: study.summary.iter().map(row).collect(),
    });
    section
}

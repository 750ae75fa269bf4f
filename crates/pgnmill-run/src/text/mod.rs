//! Texts: what every part of a run writes, for people, programs and shells.
//!
//! In: values, names, texts of any bytes. Out: lines for a terminal, tables, records in CSV and JSON, words of a shell,
//! numbers with their units. May use: the host's [`crate::host::Screen`]. Invariant: nothing here knows what a run is.
//! Cost: the length of the texts.

pub(crate) mod json;
pub mod numbers;
pub mod records;
pub mod shell;
pub mod suggestion;
pub(crate) mod table;
pub mod terminal;

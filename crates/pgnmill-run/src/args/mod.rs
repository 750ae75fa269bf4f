//! Arguments: what was typed, or set by a caller, and has not been resolved.
//!
//! In: the words of a command line, or fields of a request. Out: values of their types, and back to texts by the names
//! of the options. May use: texts, ledgers. Invariants: nothing is read and nothing is decided here but what a value
//! is; the documentation comments of these files are the help texts. Cost: constant per word.

pub(crate) mod common;
pub(crate) mod defaults;
pub(crate) mod edits;
pub(crate) mod expression;
pub(crate) mod messages;
pub mod names;
pub(crate) mod options;
pub mod output_path;
pub(crate) mod sample;
pub(crate) mod summary;
pub(crate) mod values;
pub(crate) mod vocabularies;

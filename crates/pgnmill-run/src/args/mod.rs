//! Arguments: what was typed, or set by a caller, and is not yet resolved.
//!
//! In: the words of a command line, or fields of a request. Out: values of their types, and back to texts by the names
//! of the options. May use: texts, ledgers, the host. Invariants: a file of options is one capability, which a command
//! has or does not have; nothing is decided here but what a value is; the documentation comments of these files are the
//! help texts. Cost: constant per word.

pub(crate) mod capabilities;
pub(crate) mod edits;
pub(crate) mod files;
pub(crate) mod messages;
pub mod names;
pub(crate) mod options;
pub mod output_path;
pub(crate) mod reading;
pub(crate) mod resuming;
pub(crate) mod sample;
pub(crate) mod selecting;
pub(crate) mod splitting;
pub(crate) mod values;
pub(crate) mod writing;

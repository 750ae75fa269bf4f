//! What the forms of `select` share: the line with the counts.
//!
//! In: counts. Out: a line on standard error.

use std::io::Write as _;

use super::args;
use super::summary::{count, grouped};

/// Prints the games of the run.
pub(super) fn print_ledger(common: &args::Common, selected: u64, not_selected: u64, rejected: u64) {
    if common.quiet {
        return;
    }
    let rejected_too = match rejected {
        0 => String::new(),
        number => format!(" + {} too long or damaged", grouped(number)),
    };
    let text = format!(
        "{} selected + {} not selected{rejected_too} = {} read\n",
        count(selected, "game", "games"),
        grouped(not_selected),
        count(selected + not_selected + rejected, "game", "games"),
    );
    // An error of standard error cannot be reported.
    drop(std::io::stderr().write_all(text.as_bytes()));
}

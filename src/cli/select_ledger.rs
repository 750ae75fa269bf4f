//! What the forms of `select` share: the line with the counts.
//!
//! In: counts. Out: a line, and rows of the summary.

use super::args;
use super::host::Host;
use super::summary::{count, grouped};

/// Prints the games of the run: selected, not selected, rejected.
pub(super) fn print_ledger(common: &args::Common, counts: [u64; 3], host: &dyn Host) {
    let [selected, not_selected, rejected] = counts;
    let facts = [
        ("games", selected + not_selected + rejected),
        ("selected", selected),
        ("not_selected", not_selected),
        ("rejected", rejected),
    ];
    host.add_facts(&facts.map(|(key, number)| (key.to_string(), number.to_string())));
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
    host.print(&text);
}

//! What the forms of `select` share: the line with the counts.
//!
//! In: counts. Out: a line, and rows of the summary.

use super::common_args;
use super::host::Host;
use super::summary::{Fact, count, grouped};

/// The rows of the summary: the games that are selected, not selected, rejected, and all.
pub(super) fn facts(counts: [u64; 3]) -> Vec<Fact> {
    let [selected, not_selected, rejected] = counts;
    let facts = [
        ("games", selected + not_selected + rejected),
        ("selected", selected),
        ("not_selected", not_selected),
        ("rejected", rejected),
    ];
    facts.map(|(key, number)| (key.to_string(), number.to_string())).into()
}

/// Prints the games of the run: selected, not selected, rejected.
pub(super) fn print_ledger(common: &common_args::Common, counts: [u64; 3], host: &dyn Host) {
    let [selected, not_selected, rejected] = counts;
    host.add_facts(&facts(counts));
    if !common.prints_summary() {
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

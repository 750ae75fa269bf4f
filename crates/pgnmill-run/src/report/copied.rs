//! What the forms of `select` share: the line with the counts.
//!
//! In: counts. Out: a line, and the same numbers for the host.

use pgnmill_core::replay::Counts;

use crate::host::Host;
use crate::text::numbers::{count, grouped};

/// Prints the games of the run: selected, not selected, rejected. The host is given their numbers: of a run that ends
/// before the archives do it has no others.
pub(crate) fn print_ledger(prints: bool, counts: &Counts, host: &dyn Host) {
    let Counts { unread: selected, not_selected, rejected, .. } = *counts;
    let games = counts.games();
    let facts = [
        ("games", games),
        ("selected", selected),
        ("not_selected", not_selected),
        ("rejected", rejected),
    ];
    let facts: Vec<_> =
        facts.iter().map(|(key, number)| (key.to_string(), number.to_string())).collect();
    host.add_facts(&facts);
    if !prints {
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
        count(games, "game", "games"),
    );
    host.print(&text);
}

//! What a selection came to, where a person probably erred: it selected nothing, or a part of it was true of no game.
//!
//! In: a selection, and what was counted. Out: warnings, a line each. Cost: the number of its parts.

use pgnmill_core::engine::Counted;
use pgnmill_core::select::Selection;

use super::host::Host;
use super::summary::count;

/// Parts that a warning names, at most.
const PARTS_MAX: usize = 5;
/// Characters of a part, at most.
const PART_CHARACTERS: usize = 60;

/// What a selection came to.
#[derive(Debug)]
pub(super) struct Selected {
    games: u64,
    not_selected: u64,
    /// The tag pairs that are not known and that no game had.
    pub(super) unmet_tags: Vec<String>,
    /// Known tag pairs of the expression that no game had.
    absent_tags: Vec<String>,
    /// The expressions by which games are divided.
    keys: Vec<String>,
    /// The parts that were true of no game.
    never_true: Vec<String>,
}

/// Fields of the moves that a tag pair has the name of.
const COMPUTED: [(&str, &str); 4] = [
    ("Opening", "opening_computed"),
    ("ECO", "eco_computed"),
    ("PlyCount", "ply_count"),
    ("Variation", "opening_computed"),
];

impl Selected {
    /// That of these numbers.
    pub(super) fn of(selection: &Selection, counted: &Counted) -> Selected {
        let owned = |texts: Vec<&str>| texts.into_iter().map(str::to_string).collect();
        Selected {
            games: counted.counts.games(),
            not_selected: counted.counts.not_selected,
            unmet_tags: owned(selection.unmet_tags(counted.met)),
            absent_tags: owned(selection.absent_tags(counted.met)),
            keys: selection.key_texts().map(str::to_string).collect(),
            never_true: owned(selection.never_true(counted.met)),
        }
    }

    /// Warns.
    pub(super) fn warn(&self, host: &dyn Host) {
        for name in &self.unmet_tags {
            host.warn(format_args!("no game has the tag pair {name}"));
        }
        let is_none = self.games == self.not_selected;
        // That a pair is nowhere is what `is missing` looks for.
        let absent = self.absent_tags.iter().filter(|name| is_none || self.keys.contains(name));
        for name in absent {
            let computed = COMPUTED.iter().find(|(tag, _)| tag == name);
            let computed = computed
                .map_or(String::new(), |(_, field)| format!("; {field} is what the moves say"));
            host.warn(format_args!("no game has the tag pair {name}{computed}"));
        }
        let is_named = |part: &str| self.unmet_tags.iter().any(|name| part.contains(name.as_str()));
        let mut parts: Vec<String> =
            self.never_true.iter().filter(|part| !is_named(part)).map(|part| shown(part)).collect();
        let others_count = parts.len().saturating_sub(PARTS_MAX);
        parts.truncate(PARTS_MAX);
        let others = match others_count {
            0 => String::new(),
            more => format!(" and {more} more parts"),
        };
        let parts = format!("{}{others}", parts.join(", "));
        match (is_none, parts.is_empty()) {
            (true, true) => {
                let games = count(self.games, "game", "games");
                host.warn(format_args!("--where selected none of {games}"));
            }
            (true, false) => {
                let games = count(self.games, "game", "games");
                host.warn(format_args!(
                    "--where selected none of {games}: true of no game is {parts}"
                ));
            }
            (false, false) => host.warn(format_args!("--where: true of no game is {parts}")),
            (false, true) => {}
        }
    }
}

/// A part on one line, shortened.
fn shown(part: &str) -> String {
    let line = part.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(PART_CHARACTERS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

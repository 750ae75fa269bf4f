//! What a selection came to, where a person probably erred: it selected nothing, or a part of it was true of no game.
//!
//! In: a selection, and what was counted. Out: warnings, a line each. Cost: the number of its parts; where nothing was
//! selected, a pass over the tag pairs of the files for values that are similar to those sought.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use pgnmill_core::engine::Counted;
use pgnmill_core::select::{NearValues, Selection};
use pgnmill_io::archive::games::Games;
use pgnmill_io::archive::{Archive, Input, Options};

use crate::host::Host;
use crate::text::numbers::count;

/// Parts that a warning names, at most.
const PARTS_MAX: usize = 5;
/// Characters of a part, at most.
const PART_CHARACTERS: usize = 60;

/// What a selection came to.
#[derive(Debug)]
pub(crate) struct Selected {
    games: u64,
    not_selected: u64,
    /// The tag pairs that are not known and that no game had.
    pub(crate) unmet_tags: Vec<String>,
    /// Known tag pairs of the expression that no game had.
    absent_tags: Vec<String>,
    /// The expressions by which games are divided.
    keys: Vec<String>,
    /// The parts that were true of no game.
    never_true: Vec<String>,
    /// Games are not selected because their moves cannot be read.
    has_faulty: bool,
    /// Values of tag pairs that are similar to those of these parts, a warning for each.
    near: Vec<String>,
}

/// Text that is read again for such values, at most.
const NEAR_TEXT_BYTES_MAX: usize = 512 << 20;

/// The field, and the column, that the moves give in the place of a tag pair.
pub(crate) fn computed(tag: &str) -> Option<&'static str> {
    match tag {
        "Opening" | "Variation" => Some("opening_computed"),
        "ECO" => Some("eco_computed"),
        "PlyCount" => Some("ply_count"),
        _ => None,
    }
}

impl Selected {
    /// That of these numbers.
    pub(crate) fn of(selection: &Selection, counted: &Counted) -> Selected {
        let owned = |texts: Vec<&str>| texts.into_iter().map(str::to_string).collect();
        Selected {
            games: counted.counts.games(),
            not_selected: counted.counts.not_selected,
            unmet_tags: owned(selection.unmet_tags(counted.met)),
            absent_tags: owned(selection.absent_tags(counted.met)),
            keys: owned(selection.key_texts().chain(selection.order_texts()).collect()),
            never_true: owned(selection.never_true(counted.met)),
            has_faulty: counted.met.has_faulty(),
            near: Vec::new(),
        }
    }

    /// What was selected, with the values that were probably meant, if nothing was selected: those of the inputs that
    /// can be read again, as far as [`NEAR_TEXT_BYTES_MAX`]. What cannot be read was an error before.
    pub(crate) fn with_near(
        mut self,
        selection: &Selection,
        inputs: &[Input],
        options: &Options,
        stop: &AtomicBool,
    ) -> Selected {
        let parts: Vec<&str> = self.never_true.iter().map(String::as_str).collect();
        let near = if self.is_none() { NearValues::of(selection, &parts) } else { None };
        let Some(mut near) = near else { return self };
        let mut left = NEAR_TEXT_BYTES_MAX;
        for input in inputs.iter().filter(|input| can_be_read_again(input)) {
            // What cannot be read any more has no values.
            let _ = Archive::open(input, options).and_then(|archive| {
                archive.visit_in_order(&mut |block| {
                    Games::on(options.level, block.text).for_each(|(_, game)| near.read(game));
                    left = left.saturating_sub(block.text.len());
                    let is_done = left == 0 || stop.load(Ordering::Relaxed);
                    Ok(if is_done { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
                })
            });
            if left == 0 {
                break;
            }
        }
        let warning = |(part, values): (&str, Vec<(String, u64)>)| {
            let named = values
                .into_iter()
                .map(|(value, games)| format!("{value:?} ({})", count(games, "game", "games")));
            let named: Vec<String> = named.collect();
            format!("--where: {}: did you mean {}?", shown(part), named.join(" or "))
        };
        self.near = near.found().map(warning).take(PARTS_MAX).collect();
        self
    }

    /// Was nothing selected?
    fn is_none(&self) -> bool {
        self.games == self.not_selected
    }

    /// Warns.
    pub(crate) fn warn(&self, host: &dyn Host) {
        for name in &self.unmet_tags {
            host.warn(format_args!("no game has the tag pair {name}"));
        }
        let is_none = self.is_none();
        // That a pair is nowhere is what `is missing` looks for.
        let absent = self.absent_tags.iter().filter(|name| is_none || self.keys.contains(name));
        for name in absent {
            let field = computed(name);
            let computed = field.map(|field| format!("; {field} is that which the moves reach"));
            let computed = computed.unwrap_or_default();
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
        if self.has_faulty {
            // No slip: a line of the summary.
            host.print(
                "games with faults are not selected where their moves decide: `pgnmill validate` without --where names them\n",
            );
        }
        self.near.iter().for_each(|warning| host.warn(format_args!("{warning}")));
    }
}

/// Is it a file, with the same bytes each time?
fn can_be_read_again(input: &Input) -> bool {
    let is_file = |path: &Path| path.is_file();
    match input {
        Input::Path(path) => is_file(path),
        Input::Stdin => false,
        Input::Named(source) => source.file().is_some_and(is_file),
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

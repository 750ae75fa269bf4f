//! What a run is: by this the journal knows it, and ledgers, summaries and metadata of tables record it.
//!
//! In: a request, whose files are read. Out: an [`Identity`]. Invariants: two runs with the same identity over the same
//! inputs write the same bytes; it is derived once, and whatever records a run has it from here. Cost: the length of
//! the options.

use std::collections::BTreeSet;

use crate::args::capabilities::Capabilities;
use crate::args::options::{Options, options_of_outputs};
use crate::args::reading::Reading;
use crate::args::selecting::Expression;
use crate::text::shell::{flag, option, options};

/// A command and its options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Identity {
    pub(crate) command: &'static str,
    /// The options that decide about the bytes of the outputs, and their values: for the journal.
    pub(crate) options: Vec<(String, String)>,
    /// Those that decide what is counted or written of a game, as words of a shell: for ledgers, summaries, metadata.
    pub(crate) words: String,
}

impl Identity {
    /// That of a request. `resolved`: options with the values that they have when they are resolved, in place of those
    /// that were typed; `words`: those of the command alone.
    pub(super) fn of(
        command: &'static str,
        request: &impl Options,
        resolved: Vec<(&'static str, String)>,
        words: Vec<String>,
        games: Vec<String>,
    ) -> Identity {
        let mut options = options_of_outputs(request);
        for (name, value) in resolved {
            match options.iter_mut().find(|(known, _)| known == name) {
                Some(pair) => pair.1 = value,
                None => options.push((name.to_string(), value)),
            }
        }
        Identity { command, options, words: [words, games].concat().join(" ") }
    }
}

/// The options that decide which games are read, and which of them are rejected, as words of a shell. The expression of
/// `--where` is recorded byte for byte: white space in a text, and a line end after a comment, decide what is selected.
pub(super) fn words_of_games(of: Capabilities<'_>, condition: Option<&Expression>) -> Vec<String> {
    let condition = condition.map(|it| option("--where", it.text()));
    let mut words = words_with(of.reading, condition);
    words.extend(flag("--game-per-line", of.game_lines.is_some_and(|it| it.game_per_line)));
    words
}

/// Those that decide how a game is read.
pub(crate) fn words_of_reading(reading: &Reading) -> Vec<String> {
    words_with(reading, None)
}

fn words_with(reading: &Reading, condition: Option<String>) -> Vec<String> {
    let Reading { from, rules, strict, skip_damaged, allow, deny, .. } = reading;
    let mut words = Vec::new();
    words.extend((from != "auto").then(|| option("--from", from)));
    words.extend((rules != "chess").then(|| option("--rules", rules)));
    words.extend(flag("--strict", *strict));
    words.extend(condition);
    words.extend(flag("--skip-damaged", *skip_damaged));
    for (name, names) in [("--allow", allow), ("--deny", deny)] {
        words.extend(options(name, names.iter().collect::<BTreeSet<_>>()));
    }
    words
}

//! The arguments of `convert` and `select` that edit games.
//!
//! In: the words of the command line. Out: [`Edits`]. Invariant: tag pairs that decide how moves are read are not
//! edited.

use clap::ValueEnum;
use pgnmill_core::tasks::select::{Edits, FIXED_TAGS};
use pgnmill_io::error::{Error, Result};

use super::arg_values::Dropped;
use super::option_words;

/// What is changed in the games that are written, besides their moves.
#[derive(Debug, clap::Args)]
pub struct EditArgs {
    /// Drop comments, clocks, evals, nags or variations of the games that are written
    #[arg(long, value_enum, value_name = "WHAT,...", value_delimiter = ',')]
    pub drop: Vec<Dropped>,
    /// Set a tag pair of the games that are written; a comma belongs to the value
    #[arg(long, value_name = "Name=VALUE")]
    pub set: Vec<String>,
    /// Remove tag pairs of the games that are written
    #[arg(long, value_name = "Name,...", value_delimiter = ',')]
    pub remove: Vec<String>,
}

impl EditArgs {
    /// The options, as words of a shell.
    pub(super) fn options(&self) -> Vec<String> {
        let dropped = self.drop.iter().filter_map(ValueEnum::to_possible_value);
        let dropped: Vec<String> = dropped.map(|it| it.get_name().to_string()).collect();
        let mut words = option_words::options("--drop", &dropped);
        words.extend(option_words::options("--set", &self.set));
        words.extend(option_words::options("--remove", &self.remove));
        words
    }

    /// The edits of the arguments.
    ///
    /// # Errors
    /// What cannot be set or removed.
    pub fn edits(&self) -> Result<Edits> {
        let mut edits = Edits::default();
        for drop in &self.drop {
            match drop {
                Dropped::Comments => edits.comments = true,
                Dropped::Clocks => edits.clocks = true,
                Dropped::Evals => edits.evals = true,
                Dropped::Nags => edits.nags = true,
                Dropped::Variations => edits.variations = true,
            }
        }
        for pair in &self.set {
            let Some((name, value)) = pair.split_once('=') else {
                return Err(Error::usage(format!("--set takes Name=VALUE; not {pair}")));
            };
            if value.chars().any(char::is_control) {
                return Err(Error::usage(format!("--set {name}: a value is one line of text")));
            }
            edits.set.retain(|(known, _)| known != name);
            edits.set.push((name.to_string(), value.to_string()));
        }
        edits.remove.clone_from(&self.remove);
        for name in edits.set.iter().map(|(name, _)| name).chain(&edits.remove) {
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
            if name.is_empty() || !name.bytes().all(is_name) {
                let message = format!("{name:?} is no name of a tag pair: letters, digits and _");
                return Err(Error::usage(message));
            }
            if FIXED_TAGS.contains(&name.as_str()) {
                let message =
                    format!("the tag pair {name} decides how moves are read; it is not edited");
                return Err(Error::usage(message));
            }
        }
        if let Some(name) =
            edits.remove.iter().find(|name| edits.set.iter().any(|set| set.0 == **name))
        {
            return Err(Error::usage(format!("the tag pair {name} is both set and removed")));
        }
        Ok(edits)
    }
}

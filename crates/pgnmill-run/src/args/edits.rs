//! The arguments of `convert` and `select` that edit games.
//!
//! In: the words of the command line. Out: [`Edits`]. Invariant: tag pairs that decide how moves are read are not
//! edited; a name near a known one, and a value that its tag cannot have, are refused.

use clap::ValueEnum;
use pgnmill_core::facts::is_eco;
use pgnmill_core::pgn::tag_numbers::{date, rating, time};
use pgnmill_core::pgn::{Tag, TagKind, TimeControl};
use pgnmill_core::select::tags_near;
use pgnmill_core::tasks::select::{Edits, FIXED_TAGS};
use pgnmill_io::error::{Error, Result};

use crate::args::options::{named, options};
use crate::args::values::Dropped;
use crate::host::Host;
use crate::text::shell;

/// What is changed in the games that are written, besides their moves.
#[derive(Debug, clap::Args)]
pub struct EditArgs {
    /// Drop comments, clocks, evals, nags or variations of the games that are written
    #[arg(long, value_enum, value_name = "WHAT,...", value_delimiter = ',')]
    pub drop: Vec<Dropped>,
    /// Set a tag pair of the games that are written; a comma belongs to the value. A name near a known one and a value
    /// that
    /// the tag cannot have are refused; a name in double quotes is taken as it is, and its value too
    #[arg(long, value_name = "Name=VALUE")]
    pub set: Vec<String>,
    /// Remove tag pairs of the games that are written
    #[arg(long, value_name = "Name,...", value_delimiter = ',')]
    pub remove: Vec<String>,
}

named!(Dropped);
options!(EditArgs: drop set remove; without);

impl EditArgs {
    /// The options, as words of a shell.
    pub(crate) fn options(&self) -> Vec<String> {
        let dropped = self.drop.iter().filter_map(ValueEnum::to_possible_value);
        let dropped: Vec<String> = dropped.map(|it| it.get_name().to_string()).collect();
        let mut words = shell::options("--drop", &dropped);
        words.extend(shell::options("--set", &self.set));
        words.extend(shell::options("--remove", &self.remove));
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
            let exact = exact(name);
            if exact.is_none() {
                check_value(name, value)?;
            }
            let name = exact.unwrap_or(name);
            if edits.set.iter().any(|(known, _)| known == name) {
                return Err(Error::usage(format!("the tag pair {name} is set twice")));
            }
            edits.set.push((name.to_string(), value.to_string()));
        }
        let names = self.remove.iter().map(|name| exact(name).unwrap_or(name).to_string());
        edits.remove = names.collect();
        let set = self.set.iter().filter_map(|pair| Some(pair.split_once('=')?.0));
        set.chain(self.remove.iter().map(String::as_str)).try_for_each(check_name)?;
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

    /// Warns of pairs that were to be removed, and of what was to be dropped, if no game had them.
    pub(crate) fn warn_of_unmet(&self, edits: &Edits, host: &dyn Host) {
        for name in edits.unmet() {
            host.warn(format_args!(
                "no game that was written has a tag pair {name}: nothing was removed"
            ));
        }
        let undropped: Vec<&str> = edits.undropped().collect();
        if !undropped.is_empty() {
            host.warn(format_args!(
                "no game that was written has {}: nothing of that was dropped",
                undropped.join(" or ")
            ));
        }
    }
}

/// The name between double quotes, which is taken as it is.
fn exact(name: &str) -> Option<&str> {
    name.strip_prefix('"')?.strip_suffix('"')
}

/// Refuses a name that is not known and near one that is.
fn check_name(name: &str) -> Result<()> {
    if name.trim() != name {
        let trimmed = name.trim();
        let message =
            format!("there is no blank around the name of a tag pair: {trimmed}, and not {name:?}");
        return Err(Error::usage(message));
    }
    let near = if exact(name).is_some() { Vec::new() } else { tags_near(name) };
    match near.is_empty() {
        true => Ok(()),
        false => Err(Error::usage(format!(
            "there is no tag pair {name}; did you mean {}? A name in double quotes is taken as it is: '\"{name}\"'",
            near.join(" or ")
        ))),
    }
}

/// The name of a known tag pair that a value has after a comma, as if it were the next one: `A,Site=B`.
fn pair_within(value: &str) -> Option<&str> {
    let parts = value.split(',').skip(1).filter_map(|part| Some(part.split_once('=')?.0.trim()));
    parts.into_iter().find(|name| Tag::of(name).is_some())
}

/// Refuses a value that the tag pair cannot have.
fn check_value(name: &str, value: &str) -> Result<()> {
    if let Some(other) = pair_within(value) {
        return Err(Error::usage(format!(
            "the value of the tag pair {name} contains {other}=: each pair has a --set of its own; a name in double \
             quotes is taken as it is, and its value too: '\"{name}\"={value}'"
        )));
    }
    let is_unknown = value.trim().is_empty() || value.chars().all(|c| matches!(c, '?' | '-'));
    let form = match Tag::of(name) {
        Some(Tag::Result) => {
            return Err(Error::usage(
                "the tag pair Result says how the movetext ends: a value of its own would contradict it",
            ));
        }
        Some(tag) if !is_unknown => match tag.kind() {
            _ if tag == Tag::Eco && !is_eco(value) => "a letter from A to E and two digits",
            _ if tag == Tag::TimeControl && TimeControl::read(value.as_bytes()).is_none() => {
                "such as 180+2, 40/7200:3600 or *60, in seconds"
            }
            TagKind::Number if rating(value.as_bytes()).value().is_none() => {
                "a whole number up to 32767"
            }
            TagKind::Date if !is_date(value) => {
                "a day of the calendar as yyyy.mm.dd, with ? for digits that are not known"
            }
            TagKind::Time if time(value.as_bytes()).value().is_none() => "hh:mm:ss",
            _ => return Ok(()),
        },
        _ => return Ok(()),
    };
    Err(Error::usage(format!("the value of the tag pair {name} is {form}; not {value}")))
}

/// Is it a date as a tag pair has it?
fn is_date(value: &str) -> bool {
    let parts: Vec<&str> = value.split('.').collect();
    let [year, month, day] = parts[..] else { return false };
    let is_part = |part: &str, digits: usize, range: std::ops::RangeInclusive<u32>| {
        let is_number = || part.parse().is_ok_and(|number: u32| range.contains(&number));
        part.len() == digits && (part.bytes().all(|byte| byte == b'?') || is_number())
    };
    let is_year = year.len() == 4 && year.bytes().all(|byte| byte.is_ascii_digit() || byte == b'?');
    let is_complete = !value.contains('?');
    is_year
        && is_part(month, 2, 1..=12)
        && is_part(day, 2, 1..=31)
        && (!is_complete || date(value.as_bytes()).value().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(set: &[&str], remove: &[&str]) -> Option<String> {
        let list = |words: &[&str]| words.iter().map(ToString::to_string).collect();
        let args = EditArgs { drop: Vec::new(), set: list(set), remove: list(remove) };
        args.edits().err().map(|error| error.to_string())
    }

    /// Every known name after a comma; quotes, and names that are not known, are taken as they are.
    #[test]
    fn several_pairs_in_one_value_are_refused() {
        for tag in Tag::ALL.iter().map(|tag| tag.name()) {
            for comma in [",", ", ", ",x,"] {
                let value = format!("A{comma}{tag}=B");
                let text = refusal(&[&format!("Event={value}")], &[]).unwrap_or_default();
                assert!(text.contains(&format!("contains {tag}=")), "{value}: {text}");
                assert_eq!(refusal(&[&format!("\"Event\"={value}")], &[]), None, "{value}");
            }
        }
        for set in ["Event=a, b", "Event=a, b=c", "Event=Site=x", "Event=1,x=2"] {
            assert_eq!(refusal(&[set], &[]), None, "{set}");
        }
    }

    /// In any other case of letters a known name is refused, with the right one; as it is, it is taken.
    #[test]
    fn names_of_known_tags_in_another_case_are_refused() {
        for tag in Tag::ALL.iter().map(|tag| tag.name()) {
            for other in [tag.to_lowercase(), tag.to_uppercase()] {
                if other == tag {
                    continue;
                }
                for (set, remove) in [(Some(format!("{other}=x")), None), (None, Some(&other))] {
                    let set: Vec<&str> = set.iter().map(String::as_str).collect();
                    let remove: Vec<&str> = remove.into_iter().map(String::as_str).collect();
                    let text = refusal(&set, &remove).unwrap_or_default();
                    let is_fixed = text.contains("decides how moves are read");
                    assert!(text.contains(&format!("did you mean {tag}?")) || is_fixed, "{other}");
                }
                assert_eq!(refusal(&[], &[&format!("\"{other}\"")]), None, "{other}");
            }
        }
        for (set, remove, text) in [
            ("", "WhiteEl", "WhiteElo"),
            ("event=Test", "", "did you mean Event?"),
            ("Date=2024-05-01", "", "yyyy.mm.dd"),
            ("Date=2024.02.30", "", "yyyy.mm.dd"),
            ("UTCTime=noon", "", "hh:mm:ss"),
            ("WhiteElo=abc", "", "a whole number"),
            ("Result=1-0", "", "contradict"),
        ] {
            let refused = match set {
                "" => refusal(&[], &[remove]),
                set => refusal(&[set], &[]),
            };
            assert!(refused.as_ref().is_some_and(|it| it.contains(text)), "{set}: {refused:?}");
        }
        for set in [
            "Event=a, b",
            "Date=2024.05.01",
            "Date=2024.??.??",
            "Date=????.??.??",
            "EventDate=2024.05.??",
            "WhiteElo=2400",
            "WhiteElo=?",
            "WhiteElo=",
            "UTCTime=12:34:56",
            "Club=x",
            "\"Date\"=spring",
        ] {
            assert_eq!(refusal(&[set], &[]), None, "{set}");
        }
    }
}

//! The closed sets of names that options take: notations, languages, rulesets, deviations, dimensions, columns, fields.
//!
//! In: a name. Out: what it names, or an error with the names that may be meant; for completions and the manual the
//! names of each set. Invariant: a set is read from its registry, so that a new notation is found, suggested and
//! completed. Cost: a search in a short list.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use pgnmill_core::chess::rules::RulesKind;
use pgnmill_core::notation::{self, NOTATIONS, Notation};
use pgnmill_core::pgn::deviation::{Deviation, Profile, RULES};
use pgnmill_core::select::{fields, typed_tags};
use pgnmill_core::tables::{Dimension, Product, product};
use pgnmill_io::error::{Error, Result};

use crate::text::suggestion::{Known, sentence, shown, unknown};

/// What the names of notations that are languages begin with.
const LANGUAGE_PREFIX: &str = "san-";

/// A set of names: each with a few words about it.
type Names = fn() -> Vec<Known>;

/// The parser of a name. It accepts any text without the space around it: the run refuses one that names nothing,
/// with the names that may be meant. Completions list the names.
#[derive(Clone, Debug)]
pub struct NameParser(Names);

impl TypedValueParser for NameParser {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let text = StringValueParser::new().parse_ref(command, argument, value)?;
        Ok(text.trim().to_string())
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let value = |(name, words): Known| match words.is_empty() {
            true => PossibleValue::new(name),
            false => PossibleValue::new(name).help(words),
        };
        Some(Box::new((self.0)().into_iter().map(value)))
    }
}

fn known(name: &str, words: &str) -> Known {
    (name.to_string(), words.to_string())
}

fn notation_names() -> Vec<Known> {
    NOTATIONS.iter().map(|notation| known(notation.info().name, notation.info().title)).collect()
}

fn with(first: &[(&str, &str)], names: Vec<Known>) -> Vec<Known> {
    first.iter().map(|(name, words)| known(name, words)).chain(names).collect()
}

fn language_names() -> Vec<Known> {
    let code = |(name, title): Known| {
        let language = title.strip_prefix("SAN, ").unwrap_or(&title);
        Some(known(name.strip_prefix(LANGUAGE_PREFIX)?, language))
    };
    notation_names().into_iter().filter_map(code).collect()
}

fn rules_names() -> Vec<Known> {
    RulesKind::all().map(|rules| known(rules.name(), rules.title())).collect()
}

fn dimension_names() -> Vec<Known> {
    // ECO codes are of openings.
    let words = |key: Dimension| if key.name().starts_with("eco") { "opening" } else { "" };
    Dimension::ALL.into_iter().map(|key| known(key.name(), words(key))).collect()
}

/// The parser of `--to` and `--notation`.
pub fn a_notation() -> NameParser {
    NameParser(notation_names)
}

/// The parser of `--from`.
pub fn a_notation_or_auto() -> NameParser {
    NameParser(|| with(&[("auto", "That of the moves")], notation_names()))
}

/// The parser of `--notations`.
pub fn a_notation_or_set() -> NameParser {
    NameParser(set_names)
}

fn set_names() -> Vec<Known> {
    let sets = [
        ("all", "All notations"),
        ("written", "All except the languages"),
        ("languages", "SAN in the letters of other languages"),
        ("main", "The common ones of today and the 'Economical' ones"),
    ];
    with(&sets, notation_names())
}

/// The parser of `--language`.
pub fn a_language() -> NameParser {
    NameParser(language_names)
}

/// The parser of `--rules`.
pub fn a_ruleset() -> NameParser {
    NameParser(rules_names)
}

/// The parser of `--allow`.
pub fn an_allowable_deviation() -> NameParser {
    NameParser(|| {
        let is_allowable = |deviation: &Deviation| Profile::lenient().allow(*deviation);
        let names = Deviation::ALL.iter().filter(|deviation| is_allowable(deviation));
        names.map(|deviation| known(deviation.name(), "")).collect()
    })
}

/// The parser of `--deny`.
pub fn a_deniable_deviation() -> NameParser {
    NameParser(|| {
        let rules = Deviation::ALL.iter().filter(|deviation| !deviation.is_of_archive());
        rules.map(|deviation| known(deviation.name(), "")).collect()
    })
}

/// The parser of `--by`.
pub fn a_dimension() -> NameParser {
    NameParser(|| with(&[("all", "")], dimension_names()))
}

/// The parser of `--split-by`.
pub fn a_field() -> NameParser {
    NameParser(|| {
        let names = fields().map(|field| field.name).chain(typed_tags().map(|(name, _)| name));
        names.map(|name| known(name, "")).collect()
    })
}

/// The notation of a name.
///
/// # Errors
/// A name that is none.
pub fn find_notation(name: &str) -> Result<&'static dyn Notation> {
    notation::find(name).ok_or_else(|| match notation::find_of_games(name) {
        Some(of_games) => Error::usage(format!(
            "{name} is the text of a game, and no notation of movetext: `pgnmill convert` reads and writes it a game a \
             line (--from {name}, --to {name}), `pgnmill export --columns {name}` as a column; its cost \
             is in movetext.csv of `pgnmill measure`, whatever is measured",
            name = of_games.info().name
        )),
        None => {
            let of_games = notation::TCN.info();
            let names = with(&[(of_games.name, of_games.title)], notation_names());
            unknown("notation", name, &names, &all("notations", NOTATIONS.len()))
        }
    })
}

/// Is it the name of a notation of games, and of none of movetext, which lines alone have?
pub fn is_of_pairs(name: &str) -> bool {
    notation::find_of_games(name).is_some_and(|it| it.is_of_pairs())
}

/// SAN in the language of a code, such as `de`.
///
/// # Errors
/// A name that is no such code.
pub fn find_language(code: &str) -> Result<&'static dyn Notation> {
    let names = language_names();
    notation::find(&format!("{LANGUAGE_PREFIX}{code}")).ok_or_else(|| {
        let list = format!("`pgnmill notations` lists the {} languages as san-CODE", names.len());
        unknown("language", code, &names, &list)
    })
}

/// The names of `--notations`: of notations, or of sets.
///
/// # Errors
/// A name that is neither.
pub fn check_notations(option: &str, names: &[String]) -> Result<()> {
    let is_known = |name: &&String| {
        matches!(name.as_str(), "all" | "written" | "languages" | "main")
            || notation::find(name).is_some()
    };
    names.iter().find(|name| !is_known(name)).map_or(Ok(()), |name| {
        if notation::find_of_games(name).is_some() {
            return find_notation(name).map(|_| ());
        }
        let list = format!(
            "{}; all, written, languages and main are sets",
            all("notations", NOTATIONS.len())
        );
        let begin = format!("{option}: there is no notation {}", shown(name));
        Err(Error::usage(sentence(&begin, name, &set_names(), &list)))
    })
}

/// The ruleset of a name.
///
/// # Errors
/// A name that is none.
pub fn find_rules(name: &str) -> Result<RulesKind> {
    name.parse().map_err(|_| {
        let names: Vec<&str> = RulesKind::all().map(RulesKind::name).collect();
        let list = format!("the rulesets are {}", names.join(", "));
        unknown("ruleset", name, &rules_names(), &list)
    })
}

/// The dimension of `--by` of a name.
///
/// # Errors
/// A name that is none.
pub fn find_dimension(name: &str) -> Result<Dimension> {
    Dimension::from_name(name).ok_or_else(|| {
        let names: Vec<&str> = Dimension::ALL.iter().map(|key| key.name()).collect();
        let list = format!("--by takes all, or some of {}", names.join(", "));
        let begin = format!("--by: there is no dimension {}", shown(name));
        Error::usage(sentence(&begin, name, &dimension_names(), &list))
    })
}

/// The product of `--by` of names with `*` between them.
///
/// # Errors
/// A name that is no dimension; dimensions that have no product.
pub fn find_product(names: &str) -> Result<Product> {
    let dimensions = names.split(product::TIMES).map(|name| find_dimension(name.trim()));
    let dimensions: Vec<Dimension> = dimensions.collect::<Result<_>>()?;
    Product::of(&dimensions).map_err(|why| Error::usage(format!("--by: {}: {why}", shown(names))))
}

/// The profile that `--strict`, `--allow` and `--deny` make.
///
/// # Errors
/// A name of no deviation, or of one that cannot be allowed or denied.
pub fn profile(strict: bool, allow: &[String], deny: &[String]) -> Result<Profile> {
    let mut profile = if strict { Profile::strict() } else { Profile::lenient() };
    let find = |name: &str| {
        let names = || RULES.iter().map(|rule| known(rule.name, "")).collect::<Vec<_>>();
        Deviation::from_name(name)
            .ok_or_else(|| unknown("deviation", name, &names(), &all("deviations", RULES.len())))
    };
    if let Some(name) = allow.iter().find(|name| deny.contains(name)) {
        return Err(Error::usage(format!(
            "{name} is named for --allow and for --deny: games with it are accepted, or rejected"
        )));
    }
    for name in allow {
        if !profile.allow(find(name)?) {
            return Err(Error::usage(format!(
                "{name} cannot be allowed: nothing would be validated"
            )));
        }
    }
    for name in deny {
        let deviation = find(name)?;
        if deviation.is_of_archive() {
            return Err(Error::usage(format!(
                "{name} cannot be denied: it is of an archive, not of a game that could be rejected"
            )));
        }
        profile.deny(deviation);
    }
    Ok(profile)
}

/// Where all names are listed.
fn all(command: &str, names_count: usize) -> String {
    format!("`pgnmill {command}` lists all {names_count}")
}

#[cfg(feature = "columns")]
pub use of_columns::{a_column, a_partition, unknown_column};

/// The columns of an export.
#[cfg(feature = "columns")]
mod of_columns {
    use pgnmill_columns::{PartitionKey, Table};

    use super::Known;
    use super::NameParser;
    use super::known;
    use super::sentence;
    use super::with;

    fn names(table: Table) -> Vec<Known> {
        table.columns().iter().map(|column| known(&column.name, "")).collect()
    }

    /// The parser of `--columns`.
    pub fn a_column() -> NameParser {
        NameParser(|| {
            let sets = [("hf", "Those of the dataset"), ("default", ""), ("all", "")];
            let mut all = with(&sets, names(Table::Games));
            for name in names(Table::Plies) {
                if !all.iter().any(|other| other.0 == name.0) {
                    all.push(name);
                }
            }
            all
        })
    }

    /// The parser of `--partition-by`.
    pub fn a_partition() -> NameParser {
        NameParser(partitions)
    }

    pub(crate) fn partitions() -> Vec<Known> {
        let is_key =
            |(name, _): &Known| PartitionKey::find(name).is_some_and(|key| key.name() == *name);
        with(&[("Year", ""), ("Month", "")], names(Table::Games))
            .into_iter()
            .filter(is_key)
            .collect()
    }

    /// The message for a name that is no column of a table.
    pub fn unknown_column(begin: &str, name: &str, table: Option<Table>) -> String {
        let known = table.map_or_else(partitions, names);
        sentence(begin, name, &known, "`pgnmill columns` lists all of them")
    }
}

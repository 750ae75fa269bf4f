//! Which notations are measured.
//!
//! Input: names from the command line, or names of sets; output: a set of notations, displayed in one form whatever the
//! input. Invariant: SAN and `economical-letters` are in every selection, because the tables compare the others with
//! them.
//!
//! ```
//! use pgnmill_core::tasks::measure::tally::Selection;
//! let names = ["uci", "main"].map(String::from);
//! assert_eq!(Selection::parse(&names).unwrap().to_string(), "main");
//! assert_eq!(Selection::parse(&["uci".to_string()]).unwrap().to_string(), "san,uci,economical-letters");
//! assert!(Selection::parse(&["sam".to_string()]).unwrap_err().to_string().contains("san"));
//! ```

use std::fmt;

use crate::notation::{
    Chosen, ECONOMICAL_LETTERS, MAIN, NOTATIONS, Needs, Notation, SAN, find, is_same,
    without_languages,
};
use crate::select::distance;

/// Those that the others are compared with.
const BASES: [&dyn Notation; 2] = [SAN, ECONOMICAL_LETTERS];

/// A set of notations.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selection {
    /// One bit per index in the registry.
    set: u128,
    chosen: Chosen,
    has_history: bool,
}

impl Default for Selection {
    /// All of them.
    fn default() -> Selection {
        Selection::of(NOTATIONS)
    }
}

impl Selection {
    /// These notations, and those that are in every selection.
    pub fn of(notations: &[&dyn Notation]) -> Selection {
        let mut list = notations.to_vec();
        list.extend(BASES);
        let is_in = |notation: &dyn Notation| list.iter().any(|other| is_same(*other, notation));
        let places = NOTATIONS.iter().enumerate().filter(|(_, notation)| is_in(**notation));
        let set = places.fold(0, |set, (place, _)| set | 1 << place);
        let has_history = list.iter().any(|notation| notation.info().needs == Needs::Game);
        Selection { set, chosen: Chosen::of(&list), has_history }
    }

    /// The selection of these names and names of sets: `main`, `written` (all but the languages), `languages`,
    /// `all`.
    ///
    /// # Errors
    /// If a name is neither.
    pub fn parse(names: &[String]) -> Result<Selection, SelectionError> {
        let mut list = Vec::new();
        for name in names {
            match (name.as_str(), find(name)) {
                ("all", _) => list.extend(NOTATIONS),
                ("written", _) => list.extend(without_languages()),
                ("languages", _) => list.extend(languages()),
                ("main", _) => list.extend(MAIN),
                (_, Some(notation)) => list.push(notation),
                (_, None) => return Err(SelectionError::unknown(name)),
            }
        }
        Ok(Selection::of(&list))
    }

    /// Is the notation at this index of the registry in it?
    pub fn has(self, place: usize) -> bool {
        self.set >> place & 1 == 1
    }

    /// The indexes in the registry of its notations, in order.
    pub fn iter(self) -> impl Iterator<Item = usize> {
        (0..NOTATIONS.len()).filter(move |&place| self.has(place))
    }

    /// Does any of its notations need the history of a game?
    pub fn needs_history(self) -> bool {
        self.has_history
    }

    pub(super) fn chosen(self) -> Chosen {
        self.chosen
    }
}

/// SAN in the letters of other languages.
fn languages() -> Vec<&'static dyn Notation> {
    let is_written =
        |notation: &dyn Notation| without_languages().iter().any(|it| is_same(*it, notation));
    NOTATIONS.iter().copied().filter(|notation| !is_written(*notation)).collect()
}

impl fmt::Display for Selection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let languages = languages();
        let sets = [
            ("all", NOTATIONS),
            ("written", without_languages()),
            ("languages", &languages),
            ("main", &MAIN[..]),
        ];
        if let Some((name, _)) = sets.iter().find(|(_, set)| Selection::of(set) == *self) {
            return f.write_str(name);
        }
        let names: Vec<&str> = self.iter().map(|place| NOTATIONS[place].info().name).collect();
        f.write_str(&names.join(","))
    }
}

/// A name that is neither a notation nor a set of them.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct SelectionError {
    /// The name.
    pub name: String,
    /// The name that is nearest to it.
    pub nearest: Option<&'static str>,
}

impl SelectionError {
    fn unknown(name: &str) -> SelectionError {
        let names = NOTATIONS.iter().map(|notation| notation.info().name);
        let nearest = names.chain(["main", "written", "languages", "all"]).min_by_key(|other| {
            // Of names as near the one with the same first letter.
            (
                distance(&name.to_lowercase(), other),
                !other.starts_with(|first| name.starts_with(first)),
            )
        });
        SelectionError { name: name.to_string(), nearest }
    }
}

impl fmt::Display for SelectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "there is no notation {}", self.name)?;
        if let Some(nearest) = self.nearest {
            write!(f, "; did you mean {nearest}?")?;
        }
        f.write_str(
            " `pgnmill notations` lists all; main, written, languages and all are sets of them",
        )
    }
}

impl std::error::Error for SelectionError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_make_one_selection_whatever_their_form() {
        let parse =
            |names: &str| Selection::parse(&names.split(',').map(String::from).collect::<Vec<_>>());
        assert!(NOTATIONS.len() <= u128::BITS as usize);
        assert_eq!(parse("all").unwrap(), Selection::default());
        assert_eq!(parse("san,all,uci").unwrap().to_string(), "all");
        assert_eq!(parse("written").unwrap().to_string(), "written");
        let languages = parse("languages").unwrap();
        assert_eq!(languages.to_string(), "languages");
        // With the bases, which are written.
        assert_eq!(languages.iter().count(), NOTATIONS.len() - without_languages().len() + 2);
        assert_eq!(parse("written,languages").unwrap().to_string(), "all");
        assert_eq!(
            parse(&MAIN.map(|notation| notation.info().name).join(",")).unwrap().to_string(),
            "main"
        );
        assert_eq!(parse("iccf,SAN,iccf").unwrap().to_string(), "san,iccf,economical-letters");
        assert_eq!(parse("san-de,main").unwrap().iter().count(), MAIN.len() + 1);
        assert!(!parse("main").unwrap().needs_history());
        assert!(parse("stamma").unwrap().needs_history());
        for (typed, near) in [
            ("descriptiv", "descriptive"),
            ("mian", "main"),
            ("wirtten", "written"),
            ("ucci", "uci"),
        ] {
            let message = parse(typed).unwrap_err().to_string();
            assert!(message.contains(&format!("mean {near}?")), "{message}");
        }
    }
}

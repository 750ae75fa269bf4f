//! Values of tag pairs that are similar to a text that no game has: `White == "Adams, Micheal"`.
//!
//! In: a selection, what was met of it, the texts of games. Out: for each part that was true of no game the values that
//! were probably meant, with the numbers of their games. A value is similar if it has the same words in another order,
//! case or punctuation; the words sought and others, or some of them shortened; or if few letters differ. Invariant:
//! memory is bounded by [`VALUES_MAX`] values. Cost: a pass over the tag pairs, and a comparison per different value.
//!
//! ```
//! use pgnmill_core::select::{NearValues, Selection};
//! let selection = Selection::parse("White == \"Adams, Micheal\"").unwrap();
//! let mut near = NearValues::of(&selection, &["White == \"Adams, Micheal\""]).unwrap();
//! near.read(b"[White \"Adams, Michael\"]\n\n*\n");
//! let found: Vec<_> = near.found().collect();
//! assert_eq!(found, [("White == \"Adams, Micheal\"", vec![("Adams, Michael".to_string(), 1)])]);
//! ```

use std::collections::HashMap;

use crate::pgn::{TagPairs, lossy, tag_section_end, tag_value_bytes};

use super::Selection;
use super::near::{distance, has_same_letters};
use super::parser::{self, Comparison, Node, Tree};
use super::players;

/// Different values of a text that are compared, at most.
const VALUES_MAX: usize = 1 << 20;
/// Values of a part that are named, at most.
const NAMED_MAX: usize = 3;
/// Longer texts are similar to none.
const TEXT_CHARACTERS_MAX: usize = 80;

/// How near a value is, from the nearest: other letters, case or order; other letters count; more words.
type Rank = usize;
const SHORTENED: Rank = 1;
const MORE_WORDS: Rank = 4;

/// A text that is looked for.
#[derive(Debug)]
struct Sought {
    /// The part of the expression.
    part: String,
    tags: Vec<String>,
    text: String,
    /// Any value that has the text in it is one.
    within: bool,
    /// Each different value so far: how near it is, and the number of its games.
    values: HashMap<Vec<u8>, (Option<Rank>, u64)>,
}

/// Values of tag pairs that are similar to those sought.
#[derive(Debug)]
pub struct NearValues {
    sought: Vec<Sought>,
}

impl NearValues {
    /// Those of these parts of an expression, such as [`Selection::never_true`] gives; `None` if none of them
    /// compares a tag pair with a text.
    pub fn of(selection: &Selection, parts: &[&str]) -> Option<NearValues> {
        let mut sought = Vec::new();
        // It was read before.
        let tree = parser::parse(&selection.text).ok()?;
        visit(&tree, &selection.text, parts, &mut sought);
        (!sought.is_empty()).then_some(NearValues { sought })
    }

    /// Reads a game.
    pub fn read(&mut self, game: &[u8]) {
        for pair in TagPairs::new(game, 0..tag_section_end(game)) {
            let name = &game[pair.name];
            let sought = self.sought.iter_mut();
            for sought in sought.filter(|it| it.tags.iter().any(|tag| tag.as_bytes() == name)) {
                sought.add(&game[pair.value.clone()]);
            }
        }
    }

    /// The parts, and the values that were probably meant, the nearest first, with the numbers of their games. Parts
    /// without such values are left out.
    pub fn found(&self) -> impl Iterator<Item = (&str, Vec<(String, u64)>)> {
        self.sought.iter().filter_map(|sought| {
            let values = sought.values.iter();
            let mut near: Vec<_> = values
                .filter_map(|(value, &(rank, games))| {
                    Some((rank?, std::cmp::Reverse(games), lossy(&tag_value_bytes(value))))
                })
                .collect();
            near.sort_unstable();
            near.truncate(NAMED_MAX);
            let named = near.into_iter().map(|(_, games, value)| (value, games.0)).collect();
            (!sought.values.values().all(|(rank, _)| rank.is_none()))
                .then_some((sought.part.as_str(), named))
        })
    }
}

impl Sought {
    fn add(&mut self, value: &[u8]) {
        if let Some((_, games)) = self.values.get_mut(value) {
            *games += 1;
        } else if self.values.len() < VALUES_MAX {
            let rank = rank(&self.text, &lossy(&tag_value_bytes(value)), self.within);
            self.values.insert(value.to_vec(), (rank, 1));
        }
    }
}

/// Adds the texts of these parts of an expression.
fn visit(tree: &Tree, text: &str, parts: &[&str], sought: &mut Vec<Sought>) {
    let is_part = |tree: &Tree| parts.contains(&&text[tree.span.clone()]);
    let mut add = |tree: &Tree, value: &Tree, sought_text: &str, within: bool| {
        if let Some(tags) = players::tags_of(value).filter(|_| is_part(tree)) {
            sought.push(Sought {
                part: text[tree.span.clone()].to_string(),
                tags,
                text: sought_text.to_string(),
                within,
                values: HashMap::new(),
            });
        }
    };
    match &tree.node {
        Node::Not(part) => visit(part, text, parts, sought),
        Node::All(all) | Node::Any(all) => {
            all.iter().for_each(|part| visit(part, text, parts, sought));
        }
        Node::Compare(Comparison::Equal, sides) => match (&sides.0, &sides.1) {
            (value, Tree { node: Node::Text(text), .. })
            | (Tree { node: Node::Text(text), .. }, value) => add(tree, value, text, false),
            _ => {}
        },
        Node::InList(value, texts) => {
            for part in texts {
                if let Node::Text(text) = &part.node {
                    add(part, value, text, false);
                }
            }
        }
        Node::Match(value, regex, _) => {
            if let Some(plain) = plain_text(regex) {
                add(tree, value, &plain, true);
            }
        }
        _ => {}
    }
}

/// The text that a regular expression looks for, if it is little more than that text.
fn plain_text(regex: &str) -> Option<String> {
    let mut rest = regex;
    for prefix in ["(?i)", "(?si)", "(?s)", "^", ".*"] {
        rest = rest.strip_prefix(prefix).unwrap_or(rest);
    }
    for suffix in ["$", ".*"] {
        rest = rest.strip_suffix(suffix).unwrap_or(rest);
    }
    let plain: String = rest.replace('\\', "");
    let is_plain = !plain.is_empty() && regex::escape(&plain).replace('\\', "") == plain;
    let has_signs = rest.replace("\\", "").chars().any(|it| "[](){}|?*+^$".contains(it));
    (is_plain && !has_signs).then_some(plain)
}

/// The words of a text, in lower case.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|it: char| !it.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// The letters that may differ in a text of so many.
fn slips_max(characters: usize) -> usize {
    (characters / 4).clamp(usize::from(characters > 2), 3)
}

/// The letters that differ; two that have changed places are one slip.
fn slips(one: &str, other: &str) -> usize {
    match distance(one, other) {
        2 if has_same_letters(one, other) => 1,
        apart => apart,
    }
}

/// How near a value is to the text sought; `None` if it is not similar.
fn rank(sought: &str, value: &str, within: bool) -> Option<Rank> {
    let is_long = |text: &str| text.chars().nth(TEXT_CHARACTERS_MAX).is_some();
    if sought == value || value.is_empty() || is_long(sought) || is_long(value) {
        return None;
    }
    let (own, other) = (words(sought), words(value));
    let sorted = |words: &[String]| {
        let mut words = words.to_vec();
        words.sort_unstable();
        words
    };
    if own.is_empty() || other.is_empty() {
        return None;
    }
    if sorted(&own) == sorted(&other) {
        return Some(0);
    }
    let (joined, other_joined) = (own.join(" "), other.join(" "));
    let apart = slips(&joined, &other_joined);
    if apart <= slips_max(joined.chars().count()) {
        return Some(apart);
    }
    // `Carlsen, M` of `Carlsen, Magnus`, and the other way round.
    let shortens = |(one, two): (&String, &String)| {
        one.starts_with(two.as_str()) || two.starts_with(one.as_str())
    };
    let has_word = |(one, two): (&String, &String)| one == two && one.chars().count() > 2;
    if own.len() == other.len()
        && own.iter().zip(&other).all(shortens)
        && own.iter().zip(&other).any(has_word)
    {
        return Some(SHORTENED);
    }
    let near = |word: &String| {
        let length = word.chars().count();
        let most = if within { slips_max(length) } else { 0 };
        other.iter().map(|it| slips(word, it)).filter(|&apart| apart <= most).min()
    };
    let apart: Option<usize> = own.iter().map(near).sum();
    apart.map(|apart| MORE_WORDS + apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_values_are_those_that_a_slip_makes() {
        for (sought, value) in [
            ("Adams, Micheal", "Adams, Michael"),
            ("Michael Adams", "Adams, Michael"),
            ("adams, michael", "Adams, Michael"),
            ("Adams", "Adams, Michael"),
            ("Carlsen, M", "Carlsen, Magnus"),
            ("Carlsen, Magnus", "Carlsen,M"),
            ("Kasparow", "Kasparov"),
            ("London 1951", "London, 1851"),
        ] {
            assert!(rank(sought, value, false).is_some(), "{sought} {value}");
        }
        for (sought, value) in [
            ("Adams, Michael", "Adams, Michael"),
            ("Adams, Micheal", "Alekhine, Alexander"),
            ("B90", "C45"),
            ("Tal", "Euwe"),
            ("", "Tal"),
            ("?", "Tal"),
        ] {
            assert_eq!(rank(sought, value, false), None, "{sought} {value}");
        }
        assert!(rank("Micheal", "Adams, Michael", true) > rank("Micheal", "Michael", false));
        assert!(rank("Micheal", "Adams, Michael", true).is_some());
        assert_eq!(rank("Micheal", "Adams, Michael", false), None);
    }

    #[test]
    fn the_text_of_a_plain_pattern_is_known() {
        for (regex, text) in [
            ("Micheal", Some("Micheal")),
            ("(?i)^Tal, M", Some("Tal, M")),
            ("(?s)^.*Kasparow.*$", Some("Kasparow")),
            ("B9[0-9]", None),
            ("a|b", None),
            (".*", None),
        ] {
            assert_eq!(plain_text(regex).as_deref(), text, "{regex}");
        }
    }

    #[test]
    fn the_parts_have_the_values_of_their_tags_with_their_numbers() {
        let text =
            "not (White == \"Tall\") and (player =~ \"Euve\" or Event in (\"Hasting\", \"x\"))";
        let selection = Selection::parse(text).unwrap();
        let parts = ["White == \"Tall\"", "player =~ \"Euve\"", "\"Hasting\""];
        let mut near = NearValues::of(&selection, &parts).unwrap();
        let game = |white: &str, black: &str| {
            format!("[Event \"Hastings\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\n*\n\n")
        };
        for game in [game("Tal", "Euwe, M"), game("Euwe, M", "Tall"), game("Tal", "")] {
            near.read(game.as_bytes());
        }
        let value = |value: &str, games| vec![(value.to_string(), games)];
        let found: Vec<_> = near.found().collect();
        assert_eq!(
            found,
            [
                (parts[0], value("Tal", 2)),
                (parts[1], value("Euwe, M", 2)),
                (parts[2], value("Hastings", 3))
            ]
        );
        // Of values that are as near those of the most games are first, then in the order of letters.
        let mut near = NearValues::of(&selection, &parts[..1]).unwrap();
        for white in ["Tal", "Wall", "Talk", "Call", "Talk", "Tell", "Talk", "Call"] {
            near.read(game(white, "x").as_bytes());
        }
        let first =
            [("Talk", 3), ("Call", 2), ("Tal", 1)].map(|(it, games)| (it.to_string(), games));
        assert_eq!(near.found().collect::<Vec<_>>(), [(parts[0], first.to_vec())]);
        let none = Selection::parse("ply_count > 900").unwrap();
        assert!(NearValues::of(&none, &["ply_count > 900"]).is_none());
    }
}

//! The names of a closed set that a name which is none of them may mean.
//!
//! In: a name, the known names with words about each. Out: up to three of them, or the sentence of an error. Invariant:
//! a name is found however it is spelled; one that has nothing in common with any gives no suggestion. Cost: an edit
//! distance per known name; names longer than 40 bytes are compared with none.
//!
//! ```text
//! econ   → did you mean economical-letters, economical-squares or economical-priority?
//! german → did you mean de?
//! ```

use pgnmill_io::error::Error;

/// Suggestions, at most.
const SUGGESTIONS_MAX: usize = 3;
/// A longer name is a mistake of another kind.
const NAME_BYTES_MAX: usize = 40;

/// A name, and words about it, such as the title of a notation.
pub type Known = (String, String);

/// The error for a name that is none of a set: what it may mean, and where all names are listed.
pub fn unknown(what: &str, name: &str, known: &[Known], list: &str) -> Error {
    Error::usage(sentence(&format!("there is no {what} {}", shown(name)), name, known, list))
}

/// The beginning of a sentence, what a name may mean, and where all names are listed.
pub fn sentence(begin: &str, name: &str, known: &[Known], list: &str) -> String {
    let near = near(name, known);
    let meant = match &near[..] {
        [] => return format!("{begin}; {list}"),
        [one] => one.to_string(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    };
    format!("{begin}; did you mean {meant}? {}{}", list[..1].to_uppercase(), &list[1..])
}

/// A name as a message shows it: one that is empty or contains whitespace in quotation marks, a long one truncated.
pub fn shown(name: &str) -> String {
    let cut: String = name.chars().take(NAME_BYTES_MAX).collect();
    let dots = if cut.len() < name.len() { "..." } else { "" };
    match name.is_empty() || name.chars().any(|c| c.is_whitespace() || c.is_control()) {
        true => format!("{:?}", format!("{cut}{dots}")),
        false => format!("{cut}{dots}"),
    }
}

/// The most similar names, the best first.
fn near<'k>(name: &str, known: &'k [Known]) -> Vec<&'k str> {
    let name = folded(name);
    if name.is_empty() || name.len() > NAME_BYTES_MAX {
        return Vec::new();
    }
    let ranked =
        known.iter().filter_map(|(other, words)| Some((rank(&name, other, words)?, other)));
    let mut ranked: Vec<((usize, usize), &String)> = ranked.collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    // One that is the same but for its spelling is what was meant.
    let best = ranked.first().map_or(0, |(rank, _)| rank.0);
    let is_as_good = |&&((kind, _), _): &&((usize, usize), &String)| best > 0 || kind == 0;
    ranked.iter().take_while(is_as_good).take(SUGGESTIONS_MAX).map(|(_, name)| &name[..]).collect()
}

/// How far a known name is from a name that was given; `None` if they have nothing in common. The first number is how
/// they are similar: in all letters and digits; by few edits; by a beginning; by a part or by words about it.
fn rank(name: &str, other: &str, words: &str) -> Option<(usize, usize)> {
    let known = folded(other);
    let distance = strsim::damerau_levenshtein(name, &known);
    let edits_max = (name.chars().count() / 3).clamp(1, 3);
    let is_part = |whole: &str, part: &str| part.len() > 2 && whole.contains(part);
    let begins = |word: &str| name.len() > 2 && folded(word).starts_with(name);
    let has_word = || words.split(|c: char| !c.is_alphanumeric()).any(begins);
    match () {
        () if distance == 0 => Some((0, 0)),
        () if distance <= edits_max && distance < name.chars().count() => Some((1, distance)),
        () if known.starts_with(name) => Some((2, 0)),
        () if is_part(&known, name) || is_part(name, &known) || has_word() => Some((3, 0)),
        () => None,
    }
}

/// The letters and digits of a name, in small letters.
fn folded(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Vec<Known> {
        let of = |(name, words): &(&str, &str)| (name.to_string(), words.to_string());
        [
            ("san", "SAN"),
            ("economical-letters", "Economical, letters"),
            ("economical-priority", ""),
            ("san-de", "SAN, German"),
            ("move-illegal", ""),
            ("rating-difference", ""),
            ("rating", ""),
        ]
        .iter()
        .map(of)
        .collect()
    }

    #[test]
    fn misspelled_begun_and_described_names_are_found() {
        let known = known();
        let first = |name: &str| near(name, &known).first().copied();
        assert_eq!(first("sann"), Some("san"));
        assert_eq!(first("econ"), Some("economical-letters"));
        assert_eq!(first("german"), Some("san-de"));
        assert_eq!(first("move-ilegal"), Some("move-illegal"));
        assert_eq!(near("Rating_Difference", &known), ["rating-difference"]);
        assert_eq!(first("ratign"), Some("rating"));
        for name in ["", "x", "qqqq", "\u{1f600}", &"san".repeat(100)] {
            assert_eq!(first(name), None, "{name}");
        }
    }

    #[test]
    fn a_sentence_always_leads_to_the_list() {
        let text = |name| unknown("notation", name, &known(), "see `x`").to_string();
        assert_eq!(text("sann"), "there is no notation sann; did you mean san? See `x`");
        assert_eq!(text("qqqq"), "there is no notation qqqq; see `x`");
        assert_eq!(text(""), "there is no notation \"\"; see `x`");
        assert!(text(&"q".repeat(1 << 20)).len() < 100);
    }
}

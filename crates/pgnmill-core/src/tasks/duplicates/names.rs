//! The normal form of the names of players, and which dates are known; for comparisons alone.
//!
//! In: the values of tag pairs. Out: bytes that are equal where the names are the same. Rules: a name is its words,
//! in lower case and in alphabetical order; a word is a run of letters, digits and underscores. So `Carlsen, Magnus`
//! is `Magnus Carlsen`. `Carlsen, M.` is another name, with the same [`initials`]: it can be the same player's. Accents
//! are kept.
//!
//! ```
//! # use pgnmill_core::tasks::duplicates::name_key;
//! assert_eq!(name_key(b"Carlsen,Magnus"), name_key(b"magnus CARLSEN"));
//! assert_ne!(name_key(b"Carlsen, Magnus"), name_key(b"Carlsen, M."));
//! assert!(name_key(b"?").is_none() && name_key(b"N.N.").is_none());
//! ```

use crate::pgn::tag_value;

/// The words of a name that are compared one by one; of longer names the others must be equal.
pub(super) const WORDS_COUNT: usize = 3;

/// The words of the name of a player in lower case, in alphabetical order; none if the player is unknown: there is no
/// letter or digit, or the name is `NN` (PGN standard 8.1.1.5).
pub(super) fn name_words(value: &[u8]) -> Vec<String> {
    let value = tag_value(value);
    let lower: String = value.chars().flat_map(char::to_lowercase).collect();
    let words = lower.split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut words: Vec<String> =
        words.filter(|word| !word.is_empty()).map(ToString::to_string).collect();
    words.sort_unstable();
    let is_unknown = matches!(words.as_slice(), [word] if word == "nn")
        || matches!(words.as_slice(), [one, other] if one == "n" && other == "n");
    if is_unknown { Vec::new() } else { words }
}

/// The normal form of the name of a player; `None` if the player is unknown.
pub fn name_key(value: &[u8]) -> Option<String> {
    let words = name_words(value);
    (!words.is_empty()).then(|| words.join(" "))
}

/// Whether a word is an initial: one letter.
pub(super) fn is_initial(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_alphabetic) && letters.next().is_none()
}

/// What two names have in common if one can abbreviate the other: the first letters of their words. A name of one word
/// abbreviates nothing, and neither do words after the third: they are there in full.
pub(super) fn initials(words: &[String]) -> String {
    match words {
        [word] => word.clone(),
        _ => {
            let (first, rest) = words.split_at(WORDS_COUNT.min(words.len()));
            let letters = first.iter().filter_map(|word| word.chars().next());
            // A space, so that no name of one word is equal.
            letters.chain([' ']).chain(rest.join(" ").chars()).collect()
        }
    }
}

/// The date of a tag pair, without spaces around it; `None` if it has no digit. Question marks remain: a date of which
/// a part is unknown is equal only to one that is written in the same way.
pub fn known_date(value: &[u8]) -> Option<&[u8]> {
    let value = value.trim_ascii();
    value.iter().any(u8::is_ascii_digit).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words_in_any_order() {
        let key = |name: &str| name_key(name.as_bytes());
        assert_eq!(key("Vachier-Lagrave, Maxime"), key("Maxime Vachier Lagrave"));
        assert_eq!(key("  Tal,M"), key("M. Tal"));
        assert_eq!(key("ŠIROV, Alexei"), key("Alexei Širov"));
        assert_ne!(key("Širov"), key("Sirov"));
        assert_ne!(key("a_b"), key("a b"));
        // Latin-1.
        assert_eq!(name_key(b"M\xFCller"), key("Müller"));
        assert_eq!(key("a \\\"b\\\""), key("b a"));
        for unknown in ["", "?", " - ", "NN", "nn", "N, N", "n.n.", "..."] {
            assert_eq!(key(unknown), None, "{unknown}");
        }
        assert!(key("Nn Le").is_some() && key("0").is_some());
    }

    #[test]
    fn initials_are_those_of_the_words_in_any_order() {
        let of = |name: &str| initials(&name_words(name.as_bytes()));
        assert_eq!(of("Carlsen, Magnus"), of("M. Carlsen"));
        assert_eq!(of("Vachier-Lagrave, Maxime"), of("M.Vachier-Lagrave"));
        assert_ne!(of("Fischer, Robert James"), of("Fischer, R"));
        assert_ne!(of("tal"), of("t"));
        assert_ne!(of("A. B. Cde Fgh"), of("A. B. Cde F."));
        assert!(is_initial("é") && !is_initial("1") && !is_initial("ab") && !is_initial(""));
    }

    #[test]
    fn dates_without_digits_are_unknown() {
        assert_eq!(known_date(b" 1992.08.?? "), Some(&b"1992.08.??"[..]));
        for unknown in [&b"????.??.??"[..], b"", b"-", b"?"] {
            assert_eq!(known_date(unknown), None);
        }
    }
}

//! The normal form of the names of players, and which dates are known; for comparisons alone.
//!
//! In: the values of tag pairs. Out: bytes that are equal where the names are the same. Rules: a name is its words,
//! in lower case and in alphabetical order; a word is a run of letters, digits and underscores. So `Carlsen, Magnus`
//! is `Magnus Carlsen`, and not `Carlsen, M.`: initials could be those of another player. Accents are kept.
//!
//! ```
//! # use pgnmill_core::tasks::duplicates::name_key;
//! assert_eq!(name_key(b"Carlsen,Magnus"), name_key(b"magnus CARLSEN"));
//! assert_ne!(name_key(b"Carlsen, Magnus"), name_key(b"Carlsen, M."));
//! assert!(name_key(b"?").is_none() && name_key(b"N.N.").is_none());
//! ```

use crate::pgn::tag_value;

/// The normal form of the name of a player; `None` if the player is unknown: there is no letter or digit, or the name
/// is `NN` (PGN standard 8.1.1.5).
pub fn name_key(value: &[u8]) -> Option<String> {
    let value = tag_value(value);
    let lower: String = value.chars().flat_map(char::to_lowercase).collect();
    let words = lower.split(|c: char| !c.is_alphanumeric() && c != '_');
    let mut words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.sort_unstable();
    let is_unknown = matches!(words[..], [] | ["nn"] | ["n", "n"]);
    (!is_unknown).then(|| words.join(" "))
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
    fn dates_without_digits_are_unknown() {
        assert_eq!(known_date(b" 1992.08.?? "), Some(&b"1992.08.??"[..]));
        for unknown in [&b"????.??.??"[..], b"", b"-", b"?"] {
            assert_eq!(known_date(unknown), None);
        }
    }
}

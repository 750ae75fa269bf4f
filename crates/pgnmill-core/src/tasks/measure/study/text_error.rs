//! One error in the text of a move: what a typing error, a slip of the pen or a misheard letter makes of it.
//!
//! In: a text, the alphabet of its notation, and [`Dice`]. Out: another text, or none if the text admits no such error.
//! Invariants: the result differs from the text; each possible error of a kind is equally probable. Cost: some hundred
//! instructions.
//!
//! * A *substitution* replaces a character by another of the notation's alphabet; an *omission* leaves one out; a
//!   *transposition* exchanges two adjacent characters that differ. These are three of the four errors that Damerau
//!   counts ("A technique for computer detection and correction of spelling errors", CACM 7 (1964) 3); the fourth, an
//!   insertion, is not made.
//! * A *confusion* replaces a character by one of the notation's alphabet that looks like it in handwriting or sounds
//!   like it when English letters and numbers are dictated: [`CONFUSIONS`].
//!
//! ```ignore
//! // The only two characters that differ and are adjacent.
//! assert_eq!(TextError::Transposition.made("aab", "ab", Dice::default()).as_deref(), Some("aba"));
//! ```

use crate::tables::errors::KINDS;

use super::dice::Dice;

/// A kind of error, in the order of [`KINDS`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextError {
    /// One character by another of the notation's alphabet.
    Substitution,
    /// One character is left out.
    Omission,
    /// Two adjacent characters are exchanged.
    Transposition,
    /// One character by another of the alphabet that looks or sounds like it.
    Confusion,
}

/// Pairs of characters that are confused, each once. In handwriting: characters that differ in a stroke or in whether
/// a form is closed (1 and 7, 4 and 9, 3 and 8, a and d …). In dictation: letters whose English names rhyme (b, c, d,
/// e, g, p) or nearly agree (a and 8, k and q), and the numbers 5 and 9, which radiotelephony pronounces "fife" and
/// "niner" (ICAO Annex 10, volume II, 5.2.1.4.3). The table is this project's own: it names pairs, not their
/// frequencies.
pub const CONFUSIONS: [(char, char); 39] = [
    // Handwriting.
    ('1', '7'),
    ('2', '7'),
    ('3', '5'),
    ('3', '8'),
    ('4', '9'),
    ('5', '6'),
    ('6', '8'),
    ('0', '6'),
    ('0', 'O'),
    ('a', 'd'),
    ('b', 'h'),
    ('b', '6'),
    ('c', 'e'),
    ('g', 'q'),
    ('g', '8'),
    ('h', 'n'),
    ('B', '8'),
    ('B', 'R'),
    ('K', 'R'),
    ('K', 'N'),
    ('O', 'Q'),
    ('b', 'B'),
    ('k', 'K'),
    ('p', 'P'),
    ('-', '='),
    ('x', '+'),
    // Dictation.
    ('a', '8'),
    ('a', 'h'),
    ('b', 'c'),
    ('b', 'd'),
    ('b', 'e'),
    ('b', 'g'),
    ('b', 'p'),
    ('c', 'd'),
    ('d', 'e'),
    ('d', 'g'),
    ('e', '3'),
    ('5', '9'),
    ('k', 'q'),
];

impl TextError {
    /// All kinds.
    pub const ALL: [TextError; KINDS.len()] = [
        TextError::Substitution,
        TextError::Omission,
        TextError::Transposition,
        TextError::Confusion,
    ];

    /// The name in the table.
    pub const fn name(self) -> &'static str {
        KINDS[self as usize]
    }

    /// The text with one such error; `None` if none is possible, or if nothing would be left of the text.
    pub(super) fn made(self, text: &str, alphabet: &str, mut dice: Dice) -> Option<String> {
        let mut letters: Vec<char> = text.chars().collect();
        match self {
            TextError::Substitution => {
                let at = dice.below(letters.len());
                let letter = letters.get_mut(at)?;
                let others = alphabet.chars().filter(|other| other != letter);
                *letter = others.clone().nth(dice.below(others.count()))?;
            }
            TextError::Omission if letters.len() > 1 => {
                letters.remove(dice.below(letters.len()));
            }
            TextError::Omission => return None,
            TextError::Transposition => {
                let pairs = letters.windows(2).enumerate().filter(|(_, pair)| pair[0] != pair[1]);
                let places: Vec<usize> = pairs.map(|(at, _)| at).collect();
                let at = *places.get(dice.below(places.len()))?;
                letters.swap(at, at + 1);
            }
            TextError::Confusion => {
                let confused = |(at, letter): (usize, &char)| {
                    partners(*letter, alphabet).map(move |other| (at, other)).collect::<Vec<_>>()
                };
                let all: Vec<(usize, char)> =
                    letters.iter().enumerate().flat_map(confused).collect();
                let (at, other) = *all.get(dice.below(all.len()))?;
                letters[at] = other;
            }
        }
        Some(letters.into_iter().collect())
    }
}

/// The characters of an alphabet with which one is confused.
fn partners(letter: char, alphabet: &str) -> impl Iterator<Item = char> {
    let other = move |&(one, other): &(char, char)| match letter {
        letter if letter == one => Some(other),
        letter if letter == other => Some(one),
        _ => None,
    };
    CONFUSIONS.iter().filter_map(other).filter(move |&other| alphabet.contains(other))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::notation::without_languages;

    /// All texts that many dice make.
    fn all(kind: TextError, text: &str, alphabet: &str) -> BTreeSet<String> {
        let made = |seed: u64| kind.made(text, alphabet, Dice::default().with(seed));
        (0..400).filter_map(made).collect()
    }

    fn set(texts: &str) -> BTreeSet<String> {
        texts.split_whitespace().map(String::from).collect()
    }

    #[test]
    fn errors_are_all_those_of_their_kind_and_no_others() {
        assert_eq!(all(TextError::Substitution, "ab", "abc"), set("bb cb aa ac"));
        assert_eq!(all(TextError::Omission, "Nf3", "Nf3"), set("f3 N3 Nf"));
        assert_eq!(all(TextError::Transposition, "e88Q", "e8Q"), set("8e8Q e8Q8"));
        let alphabet = "abcdefgh12345678";
        assert_eq!(all(TextError::Confusion, "b1", alphabet), set("h1 61 c1 d1 e1 g1 b7"));
        assert_eq!(all(TextError::Confusion, "f2", alphabet), set("f7"));
        // Either of a pair becomes the other.
        assert_eq!(all(TextError::Confusion, "d7", alphabet), set("a7 b7 c7 e7 g7 d1 d2"));
        // Figurines are characters of several bytes.
        assert_eq!(all(TextError::Omission, "♘f3", "♘f3"), set("f3 ♘3 ♘f"));
        assert_eq!(all(TextError::Substitution, "♘", "♘♗f"), set("♗ f"));
    }

    #[test]
    fn a_text_without_such_an_error_has_none() {
        for (kind, text) in [
            (TextError::Omission, "e"),
            (TextError::Omission, ""),
            (TextError::Transposition, "44"),
            (TextError::Transposition, "e"),
            (TextError::Confusion, "xx"),
            (TextError::Substitution, ""),
        ] {
            assert_eq!(all(kind, text, "ex"), BTreeSet::new(), "{kind:?} {text:?}");
        }
        assert!(all(TextError::Substitution, "e", "e").is_empty());
    }

    #[test]
    fn confusions_are_pairs_of_characters_that_notations_have() {
        let pairs: BTreeSet<[char; 2]> = CONFUSIONS
            .iter()
            .map(|&(one, other)| if one < other { [one, other] } else { [other, one] })
            .collect();
        assert_eq!(pairs.len(), CONFUSIONS.len(), "a pair is listed twice");
        assert!(pairs.iter().all(|[one, other]| one != other));
        let both = |[one, other]: &[char; 2]| {
            without_languages().iter().any(|notation| {
                let alphabet = notation.info().alphabet;
                alphabet.contains(*one) && alphabet.contains(*other)
            })
        };
        let never: Vec<_> = pairs.iter().filter(|pair| !both(pair)).collect();
        assert!(never.is_empty(), "no notation has both: {never:?}");
    }
}

//! The pieces of a text that a byte-pair encoder takes one by one: no token reaches from one into the next.
//!
//! In: a text. Out: its pieces, which together are the text. The rules are those of the regular expressions in
//! tiktoken (`tiktoken_ext/openai_public.py`), written by hand because `regex` has no look-ahead; of several
//! alternatives the first one that matches is taken, as there. Letters and numbers are those of the standard library,
//! which for all characters of notations are those of Unicode's general categories L and N; combining marks, which no
//! notation has, are not letters here. Cost: one pass.
//!
//! | pattern | digits of a piece | letters of a piece | before letters |
//! |---|---|---|---|
//! | `r50k` | any number | any number | a space |
//! | `cl100k` | 3 at most | any number | any character but a digit and a line end |
//! | `o200k` | 3 at most | capitals, then small letters | the same |

use std::str::FromStr;

/// The rules by which a text is cut.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Pattern {
    /// That of `gpt2`, `r50k_base` and `p50k_base`.
    R50k,
    /// That of `cl100k_base`.
    Cl100k,
    /// That of `o200k_base`.
    O200k,
}

impl Pattern {
    /// All patterns.
    pub const ALL: [Pattern; 3] = [Pattern::R50k, Pattern::Cl100k, Pattern::O200k];

    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Pattern::R50k => "r50k",
            Pattern::Cl100k => "cl100k",
            Pattern::O200k => "o200k",
        }
    }

    /// The pattern of a vocabulary with this name: that with which the name begins, `r50k` for `gpt2` and `p50k`, and
    /// `cl100k` for all others.
    pub fn of_name(name: &str) -> Pattern {
        match name {
            _ if name.starts_with("o200k") => Pattern::O200k,
            _ if ["gpt2", "r50k", "p50k"].iter().any(|first| name.starts_with(first)) => {
                Pattern::R50k
            }
            _ => Pattern::Cl100k,
        }
    }

    /// The pieces of a text.
    pub fn pieces(self, text: &str) -> impl Iterator<Item = &str> {
        let mut rest = text;
        std::iter::from_fn(move || {
            let (piece, after) = rest.split_at_checked(self.piece_bytes(rest))?;
            rest = after;
            (!piece.is_empty()).then_some(piece)
        })
    }

    /// The bytes of the first piece.
    fn piece_bytes(self, text: &str) -> usize {
        let rest = Rest(text);
        let piece = match self {
            Pattern::R50k => rest.contraction(false).or_else(|| rest.spaced(Class::is_letter)),
            Pattern::Cl100k => rest.contraction(true).or_else(|| rest.led(|rest| rest.letters())),
            Pattern::O200k => rest.led(|rest| rest.cased()),
        };
        let numbers = || match self {
            Pattern::R50k => rest.spaced(Class::is_number),
            Pattern::Cl100k | Pattern::O200k => rest.digits(),
        };
        piece.or_else(numbers).or_else(|| rest.signs(self)).unwrap_or_else(|| rest.spaces(self))
    }
}

impl FromStr for Pattern {
    type Err = ();

    fn from_str(name: &str) -> Result<Pattern, ()> {
        Pattern::ALL.into_iter().find(|pattern| pattern.name() == name).ok_or(())
    }
}

/// What a character is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Class {
    /// A capital letter.
    Capital,
    /// A small letter.
    Small,
    /// A letter that is neither.
    Letter,
    Number,
    /// A line feed or a carriage return.
    LineEnd,
    /// Other whitespace.
    Space,
    Other,
}

impl Class {
    fn of(character: char) -> Class {
        match character {
            'A'..='Z' => Class::Capital,
            'a'..='z' => Class::Small,
            '0'..='9' => Class::Number,
            '\n' | '\r' => Class::LineEnd,
            _ if character.is_whitespace() => Class::Space,
            _ if character.is_ascii() => Class::Other,
            _ if character.is_numeric() => Class::Number,
            _ if !character.is_alphabetic() => Class::Other,
            _ if character.is_uppercase() => Class::Capital,
            _ if character.is_lowercase() => Class::Small,
            _ => Class::Letter,
        }
    }

    fn is_letter(self) -> bool {
        matches!(self, Class::Capital | Class::Small | Class::Letter)
    }

    fn is_number(self) -> bool {
        self == Class::Number
    }

    fn is_space(self) -> bool {
        matches!(self, Class::LineEnd | Class::Space)
    }

    fn is_sign(self) -> bool {
        self == Class::Other
    }
}

/// What is left of a text. Each method returns the bytes of a piece at its beginning, if there is such a piece.
#[derive(Clone, Copy)]
struct Rest<'t>(&'t str);

impl<'t> Rest<'t> {
    /// The bytes of the characters at the beginning that are of a class, and what follows.
    fn run(self, is_in: impl Fn(Class) -> bool) -> (usize, Rest<'t>) {
        let end = self.0.find(|character| !is_in(Class::of(character)));
        let bytes = end.unwrap_or(self.0.len());
        (bytes, self.after(bytes))
    }

    fn after(self, bytes: usize) -> Rest<'t> {
        Rest(self.0.get(bytes..).unwrap_or_default())
    }

    fn first(self) -> Option<char> {
        self.0.chars().next()
    }

    /// An apostrophe with the letters of an English contraction.
    fn contraction(self, any_case: bool) -> Option<usize> {
        let letters = self.0.strip_prefix('\'')?;
        let is_next = |word: &&str| {
            let found = letters.get(..word.len());
            found
                .is_some_and(|found| found == *word || any_case && found.eq_ignore_ascii_case(word))
        };
        let words = ["s", "d", "m", "t", "ll", "ve", "re"];
        words.iter().find(|word| is_next(word)).map(|word| 1 + word.len())
    }

    /// Characters of a class, perhaps after a space.
    fn spaced(self, is_in: fn(Class) -> bool) -> Option<usize> {
        let space = usize::from(self.0.starts_with(' '));
        let (bytes, _) = self.after(space).run(is_in);
        (bytes > 0).then_some(space + bytes)
    }

    /// Letters, perhaps after a character that is no letter, no number and no line end.
    fn led(self, letters: impl Fn(Rest<'t>) -> Option<usize>) -> Option<usize> {
        let first = self.first()?;
        let is_lead = matches!(Class::of(first), Class::Space | Class::Other);
        let lead = if is_lead { first.len_utf8() } else { 0 };
        letters(self.after(lead)).map(|bytes| lead + bytes)
    }

    fn letters(self) -> Option<usize> {
        let (bytes, _) = self.run(Class::is_letter);
        (bytes > 0).then_some(bytes)
    }

    /// Capital letters, then small ones, and a contraction.
    fn cased(self) -> Option<usize> {
        let (bytes, after) = self.run(|class| matches!(class, Class::Capital | Class::Letter));
        let (small, _) = after.run(|class| matches!(class, Class::Small | Class::Letter));
        let bytes = match small {
            // Letters that are neither are small ones, too: the piece ends with the last of them, if there is one.
            0 => {
                let capitals = self.0.get(..bytes).unwrap_or_default();
                let last = capitals.char_indices().rfind(|(_, it)| Class::of(*it) == Class::Letter);
                last.map_or(bytes, |(at, letter)| at + letter.len_utf8())
            }
            _ => bytes + small,
        };
        (bytes > 0).then(|| bytes + self.after(bytes).contraction(true).unwrap_or(0))
    }

    /// Three digits at most.
    fn digits(self) -> Option<usize> {
        let digits = self.0.chars().take(3).take_while(|digit| Class::of(*digit).is_number());
        let bytes: usize = digits.map(char::len_utf8).sum();
        (bytes > 0).then_some(bytes)
    }

    /// Characters that are no letters, numbers and whitespace, perhaps after a space, and line ends after them.
    fn signs(self, pattern: Pattern) -> Option<usize> {
        let bytes = self.spaced(Class::is_sign)?;
        let rest = self.after(bytes).0;
        let is_last = |character: char| match pattern {
            Pattern::R50k => false,
            Pattern::Cl100k => matches!(character, '\r' | '\n'),
            Pattern::O200k => matches!(character, '\r' | '\n' | '/'),
        };
        Some(bytes + rest.find(|character| !is_last(character)).unwrap_or(rest.len()))
    }

    /// Whitespace: up to its last line end; otherwise all but the last character, if another character follows; one
    /// character at least. Nothing is left for it but whitespace.
    fn spaces(self, pattern: Pattern) -> usize {
        let (bytes, after) = self.run(Class::is_space);
        let spaces = self.0.get(..bytes).unwrap_or_default();
        let line_end = spaces.rfind(['\r', '\n']).map(|at| at + 1);
        let line_end = line_end.filter(|_| pattern != Pattern::R50k);
        let is_last = after.0.is_empty();
        let last = spaces.chars().next_back().map_or(0, char::len_utf8);
        match line_end {
            // In this one the end of the text comes first.
            _ if is_last && pattern == Pattern::Cl100k => bytes,
            Some(end) => end,
            None if is_last || bytes == last => bytes,
            None => bytes - last,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::NOTATIONS;
    use pgnmill_dice::Dice;

    #[test]
    fn pieces_of_movetext_are_those_of_the_expressions() {
        for (pattern, text, pieces) in [
            (Pattern::R50k, "1. Nf3 1012. O-O", "1|.| Nf|3| 1012|.| O|-|O"),
            (Pattern::Cl100k, "1. Nf3 1012. O-O", "1|.| Nf|3| |101|2|.| O|-O"),
            (Pattern::O200k, "1. Nf3 1012. O-O", "1|.| Nf|3| |101|2|.| O|-O"),
            (Pattern::O200k, "dxe8=Q+ 0-1 ♞f3 КрF Крe", "dxe|8|=Q|+| |0|-|1| ♞|f|3| Кр|F| Крe"),
            (Pattern::Cl100k, "КрF it'S 'x", "КрF| it|'S| '|x"),
            (Pattern::O200k, "it'S ABc/\n/ حفA", "it'S| ABc|/\n/| حف|A"),
            (Pattern::R50k, "it'S a\n  b", "it|'|S| a|\n | b"),
            (Pattern::Cl100k, "a\n \n  b  ", "a|\n \n| | b|  "),
            (Pattern::O200k, "a\n \n  b \n ", "a|\n \n| | b| \n| "),
        ] {
            let found: Vec<&str> = pattern.pieces(text).collect();
            assert_eq!(found.join("|"), pieces, "{pattern:?} {text:?}");
        }
        assert_eq!(Pattern::Cl100k.pieces("").count(), 0);
    }

    /// The pieces are the text; a space between other characters begins one, whatever is around it.
    #[test]
    fn a_text_is_its_pieces_and_a_single_space_begins_one() {
        let mut dice = Dice::new(1);
        let some = ["a", "B", "1", "é", "ح", "♞", "'", "'ll", ".", "/", "=", "ß", "½"];
        let spaces = [" ", "  ", "\n", "\r\n", "\t", "\u{a0}"];
        for _ in 0..3_000 {
            let mut draw = |with_spaces: bool| {
                let count = 1 + dice.below(6);
                let draw = |_| match with_spaces && dice.below(3) == 0 {
                    true => spaces[dice.below(spaces.len())],
                    false => some[dice.below(some.len())],
                };
                (0..count).map(draw).collect::<String>()
            };
            let (any, one, other) = (draw(true), draw(false), draw(false));
            for pattern in Pattern::ALL {
                assert_eq!(pattern.pieces(&any).collect::<String>(), any);
                assert!(pattern.pieces(&any).all(|piece| !piece.is_empty()));
                let together = format!("{one} {other}");
                let apart = format!(" {other}");
                let apart: Vec<&str> = pattern.pieces(&one).chain(pattern.pieces(&apart)).collect();
                assert_eq!(pattern.pieces(&together).collect::<Vec<_>>(), apart, "{pattern:?}");
            }
        }
    }

    /// Where the classes of the standard library could differ from those of Unicode, no notation has a character.
    #[test]
    fn the_characters_of_notations_are_of_one_class() {
        let alphabets = NOTATIONS.iter().flat_map(|notation| notation.info().alphabet.chars());
        for character in alphabets.filter(|character| !character.is_ascii()) {
            let class = Class::of(character);
            let expected = match character {
                'À'..='Ö' | 'Ø'..='Þ' | 'Α'..='Ω' | 'А'..='Я' | 'Ĉ' | 'Ž' | 'Ş' | 'Ђ' => {
                    Class::Capital
                }
                'ß'..='ö' | 'ø'..='ÿ' | 'α'..='ω' | 'а'..='я' => Class::Small,
                'א'..='ת' | 'ء'..='ي' => Class::Letter,
                '½' => Class::Number,
                _ => Class::Other,
            };
            assert_eq!(class, expected, "{character}");
            assert!(class != Class::Other || !character.is_alphanumeric(), "{character}");
        }
    }
}

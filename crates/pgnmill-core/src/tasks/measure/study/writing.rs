//! What it costs to write texts and to send them: keys, Morse code, bytes, codes of equal length.
//!
//! In: `characters.csv` and `notations.csv` as [`Grid`]s. Out: `writing.csv`. Invariant: all follows from the number of
//! plies and of each character, so that the table of several runs is that of one run. Cost: the rows of the tables.
//!
//! * *Keys*: those of the US layout (ANSI INCITS 154), Shift included.
//! * *Morse code*: Recommendation ITU-R M.1677-1, part I: signals in section 1, durations in section 2. It has one
//!   signal for a small and a capital letter, so that a text of both can be ambiguous in it; the sign of multiplication
//!   has that of the letter x.
//!
//! ```
//! use pgnmill_core::tasks::measure::study::{keys, morse_units};
//! assert_eq!((keys('e'), keys('N'), keys('♘')), (Some(1), Some(2), None));
//! // A dash and a dot, with one unit between them.
//! assert_eq!((morse_units('N'), morse_units('#')), (Some(5), None));
//! ```

use std::io::Write;

use crate::tables::{Grid, writing};

/// Units between two characters of a word.
const BETWEEN_CHARACTERS: u64 = 3;
/// Units between two words.
const BETWEEN_WORDS: u64 = 7;

/// The signals of letters, figures and punctuation.
const SIGNALS: [(char, &str); 52] = [
    ('a', ".-"),
    ('b', "-..."),
    ('c', "-.-."),
    ('d', "-.."),
    ('e', "."),
    ('é', "..-.."),
    ('f', "..-."),
    ('g', "--."),
    ('h', "...."),
    ('i', ".."),
    ('j', ".---"),
    ('k', "-.-"),
    ('l', ".-.."),
    ('m', "--"),
    ('n', "-."),
    ('o', "---"),
    ('p', ".--."),
    ('q', "--.-"),
    ('r', ".-."),
    ('s', "..."),
    ('t', "-"),
    ('u', "..-"),
    ('v', "...-"),
    ('w', ".--"),
    ('x', "-..-"),
    ('y', "-.--"),
    ('z', "--.."),
    ('1', ".----"),
    ('2', "..---"),
    ('3', "...--"),
    ('4', "....-"),
    ('5', "....."),
    ('6', "-...."),
    ('7', "--..."),
    ('8', "---.."),
    ('9', "----."),
    ('0', "-----"),
    ('.', ".-.-.-"),
    (',', "--..--"),
    (':', "---..."),
    ('?', "..--.."),
    ('\'', ".----."),
    ('-', "-....-"),
    ('/', "-..-."),
    ('(', "-.--."),
    (')', "-.--.-"),
    ('"', ".-..-."),
    ('=', "-...-"),
    ('+', ".-.-."),
    ('×', "-..-"),
    ('@', ".--.-."),
    ('’', ".----."),
];

/// Keys pressed for a character on a US keyboard, Shift included; `None` if it has no key.
pub fn keys(character: char) -> Option<u64> {
    match character {
        'a'..='z' | '0'..='9' => Some(1),
        'A'..='Z' => Some(2),
        _ if " `-=[]\\;',./".contains(character) => Some(1),
        _ if "~!@#$%^&*()_+{}|:\"<>?".contains(character) => Some(2),
        _ => None,
    }
}

/// The duration of a character in Morse code, in units of a dot, without the gap after it; `None` if it has no signal.
pub fn morse_units(character: char) -> Option<u64> {
    let small = character.to_lowercase().next()?;
    let (_, signal) = SIGNALS.iter().find(|(other, _)| *other == small)?;
    let of_signals: u64 = signal.bytes().map(|signal| if signal == b'-' { 3 } else { 1 }).sum();
    Some(of_signals + signal.len() as u64 - 1)
}

/// What the texts of a notation cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Cost {
    plies: u64,
    characters: u64,
    keys: u64,
    morse_units: u64,
    utf8_bytes: u64,
    utf16_bytes: u64,
    without_key: u64,
    without_morse: u64,
    alphabet: u64,
}

impl Cost {
    fn add(&mut self, character: char, count: u64) {
        // Tables that are merged may be of any origin: a sum that would be too large stays the largest number.
        let add = |sum: &mut u64, each: u64| *sum = sum.saturating_add(count.saturating_mul(each));
        add(&mut self.characters, 1);
        add(&mut self.utf8_bytes, character.len_utf8() as u64);
        add(&mut self.utf16_bytes, 2 * character.len_utf16() as u64);
        self.alphabet += u64::from(count > 0);
        match keys(character) {
            Some(keys) => add(&mut self.keys, keys),
            None => add(&mut self.without_key, 1),
        }
        match morse_units(character) {
            Some(units) => add(&mut self.morse_units, units + BETWEEN_CHARACTERS),
            None => add(&mut self.without_morse, 1),
        }
    }

    /// The gap after the last character of a ply is that between words.
    fn add_plies(&mut self, plies: u64) {
        self.plies = self.plies.saturating_add(plies);
        let gaps = plies.saturating_mul(BETWEEN_WORDS - BETWEEN_CHARACTERS);
        self.morse_units = self.morse_units.saturating_add(gaps);
    }

    fn fields(&self) -> [String; 13] {
        let bits = self.characters as f64 * (self.alphabet.max(1) as f64).log2();
        let per_ply = |sum: f64| match self.plies {
            0 => String::new(),
            plies => format!("{:.3}", sum / plies as f64),
        };
        let counts = [
            self.plies,
            self.characters,
            self.keys,
            self.morse_units,
            self.utf8_bytes,
            self.utf16_bytes,
            self.without_key,
            self.without_morse,
            self.alphabet,
        ];
        let [a, b, c, d, e, f, g, h, i] = counts.map(|count| count.to_string());
        let means = [self.keys as f64, self.morse_units as f64, bits].map(per_ply);
        let [keys, units, mean_bits] = means;
        [a, b, c, d, e, f, g, h, i, format!("{bits:.0}"), keys, units, mean_bits]
    }
}

/// Writes `writing.csv`, from the tables of characters and of notations.
///
/// # Errors
/// Those of the writer.
pub fn write_writing<W: Write>(
    characters: &Grid,
    notations: &Grid,
    out: &mut csv::Writer<W>,
) -> csv::Result<()> {
    out.write_record(writing::SCHEMA.header())?;
    let rows = characters.sorted();
    for notation in notations.sorted() {
        let name = notations.key(&notation, 0);
        let mut cost = Cost::default();
        for row in rows.iter().filter(|row| characters.key(row, 0) == name) {
            let count = characters.sums(row).first().copied().unwrap_or_default();
            characters.key(row, 1).chars().for_each(|character| cost.add(character, count));
        }
        cost.add_plies(notations.sums(&notation).get(1).copied().unwrap_or_default());
        out.write_record([name.to_string()].iter().chain(&cost.fields()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signals and their durations, counted by hand.
    #[test]
    fn durations_are_those_of_the_recommendation() {
        for (character, units) in [
            ('e', 1),
            ('t', 3),
            ('i', 3),
            ('a', 5),
            ('N', 5),
            ('s', 5),
            ('m', 7),
            ('h', 7),
            ('K', 9),
            ('B', 9),
            ('R', 7),
            ('x', 11),
            ('×', 11),
            ('O', 11),
            ('Q', 13),
            ('5', 9),
            ('4', 11),
            ('6', 11),
            ('3', 13),
            ('7', 13),
            ('1', 17),
            ('9', 17),
            ('0', 19),
            ('+', 13),
            ('=', 13),
            ('-', 15),
            ('.', 17),
            ('/', 13),
        ] {
            assert_eq!(morse_units(character), Some(units), "{character}");
        }
        // PARIS and the gap after it are the usual word of 50 units.
        let paris: u64 = "PARIS".chars().filter_map(morse_units).sum();
        assert_eq!(paris + 4 * BETWEEN_CHARACTERS + BETWEEN_WORDS, 50);
        assert!("#*&♘Ф½".chars().all(|character| morse_units(character).is_none()));
    }

    #[test]
    fn signals_are_different_but_for_the_two_that_the_recommendation_equates() {
        let mut signals: Vec<&str> = SIGNALS.iter().map(|(_, signal)| *signal).collect();
        signals.sort_unstable();
        let equal = signals.windows(2).filter(|pair| pair[0] == pair[1]).count();
        // x and the sign of multiplication; the two forms of the apostrophe.
        assert_eq!(equal, 2);
    }

    #[test]
    fn keys_are_those_of_the_us_layout() {
        let of = |text: &str| text.chars().map(|it| keys(it).unwrap_or(100)).sum::<u64>();
        for (text, count) in [
            ("e4", 2),
            ("Nf3", 4),
            ("O-O", 5),
            ("0-0", 3),
            ("exd8=Q+", 9),
            ("Qxf7#", 7),
            ("N/KB3", 8),
            ("*", 2),
            ("♘f3", 102),
            ("×", 100),
        ] {
            assert_eq!(of(text), count, "{text}");
        }
        let all: String = (' '..='~').collect();
        assert_eq!(all.chars().filter(|it| keys(*it).is_none()).count(), 0);
        assert_eq!(all.chars().filter(|it| keys(*it) == Some(1)).count(), 26 + 10 + 11 + 1);
    }

    #[test]
    fn a_table_is_that_of_a_count_by_hand() {
        let mut grids =
            [&crate::tables::characters::SCHEMA, &crate::tables::notations::SCHEMA].map(Grid::new);
        // e4, Nf3, ♘f3: as if one notation wrote all three.
        for (character, count) in [("e", 1), ("4", 1), ("N", 1), ("f", 2), ("3", 2), ("♘", 1)] {
            grids[0].push(&["san", character], &[count]);
        }
        grids[1].push(&["san"], &[1, 3, 8, 10]);
        grids[1].push(&["uci"], &[0, 0, 0, 0]);
        let mut out = csv::Writer::from_writer(Vec::new());
        write_writing(&grids[0], &grids[1], &mut out).unwrap();
        let table = String::from_utf8(out.into_inner().unwrap()).unwrap();
        // e4: 1 + 3 + 11 + 7; Nf3: 5 + 3 + 9 + 3 + 13 + 7; f3: 9 + 3 + 13 + 7.
        let rows: Vec<&str> = table.lines().skip(1).collect();
        assert_eq!(rows[0], "san,3,8,8,94,10,16,1,1,6,21,2.667,31.333,6.893");
        assert_eq!(rows[1], "uci,0,0,0,0,0,0,0,0,0,0,,,");
    }
}

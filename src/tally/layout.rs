//! Which notations of the registry are written out to be measured, which follow from SAN, and the row of numbers in which
//! the costs of all of them are kept.
//!
//! A *row* has games, plies, SAN's letters, then a column a written notation for its characters, and one more for the
//! bytes of each whose alphabet is not ASCII alone. Rows add up, and the cost of every notation follows from one.

use std::sync::LazyLock;

use crate::notation::{LENGTHS_COUNT, NOTATIONS, Notation};

use super::game::Shape;
use super::sums::add_characters;
use super::{Cost, Length};

/// Where a row has games: all, and those with a history from the initial array.
pub(super) const GAMES: usize = 0;
/// Where a row has plies: all, and those of games with a history.
const PLIES: usize = 2;
/// Where a row counts the letters of SAN's texts, pawn to king.
const LETTERS: usize = 4;
/// Where a row has the characters of the written notations.
const CHARACTERS: usize = 10;

/// The economical notations without letters: by steps, and by legal moves.
pub(super) const SQUARES: [&str; 2] = ["economical-squares", "economical-squares-legal"];
/// Those with priority.
pub(super) const PRIORITY: [&str; 2] = ["economical-priority", "economical-priority-legal"];

/// The lengths of a notation's letters, pawn to king.
pub(super) type LetterLengths = [Length; 6];

/// How a notation is measured.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// It is written; its place among those that are.
    Written(usize),
    /// It is SAN with letters of these lengths.
    Lettered(&'static LetterLengths),
}

/// How all notations are measured.
#[derive(Debug)]
pub(super) struct Layout {
    /// Those that are written, SAN first.
    pub(super) written: Vec<&'static dyn Notation>,
    /// Those of them whose bytes are not their characters.
    wide: Vec<usize>,
    places: Vec<Result<usize, LetterLengths>>,
    /// Of the economical notations without letters and with priority: the places of the one that counts men by their
    /// steps, and of the one that asks whether they may legally move.
    pub(super) shorter: [[usize; 2]; 2],
}

static LAYOUT: LazyLock<Layout> = LazyLock::new(|| {
    let mut layout =
        Layout { written: Vec::new(), wide: Vec::new(), places: Vec::new(), shorter: [[0; 2]; 2] };
    for &notation in NOTATIONS {
        let place = match notation.san_letters() {
            Some(letters) => Err(letters.map(|letter| Length {
                characters: letter.chars().count() as u8,
                bytes: letter.len() as u8,
            })),
            None => {
                let index = layout.written.len();
                layout.written.push(notation);
                if !notation.info().alphabet.is_ascii() {
                    layout.wide.push(index);
                }
                Ok(index)
            }
        };
        layout.places.push(place);
    }
    layout.shorter = [SQUARES, PRIORITY].map(|names| names.map(|name| layout.written_place(name)));
    layout
});

impl Layout {
    pub(super) fn get() -> &'static Layout {
        &LAYOUT
    }

    /// How the notation at a place of the registry is measured.
    pub(super) fn place(&'static self, notation: usize) -> Place {
        match &self.places[notation] {
            Ok(index) => Place::Written(*index),
            Err(letters) => Place::Lettered(letters),
        }
    }

    /// The place among the written notations of one that is written.
    pub(super) fn written_place(&self, name: &str) -> usize {
        self.written.iter().position(|notation| notation.info().name == name).unwrap_or(0)
    }

    /// How many numbers a row has.
    pub(super) fn row_len(&self) -> usize {
        CHARACTERS + self.written.len() + self.wide.len()
    }

    /// An empty row.
    pub(super) fn row(&self) -> Vec<u64> {
        vec![0; self.row_len()]
    }

    /// Adds a ply to a row.
    #[inline(always)]
    pub(super) fn add_ply(
        &self,
        row: &mut [u64],
        lengths: &[Length; LENGTHS_COUNT],
        shape: Shape,
        history: u64,
    ) {
        let (fixed, rest) = row.split_at_mut(CHARACTERS);
        fixed[PLIES] += 1;
        fixed[PLIES + 1] += history;
        for letter in shape.letters() {
            fixed[LETTERS + letter.index()] += 1;
        }
        let (characters, bytes) = rest.split_at_mut(lengths.len());
        add_characters(characters, lengths);
        for (sum, &index) in bytes.iter_mut().zip(&self.wide) {
            *sum += u64::from(lengths[index].bytes);
        }
    }

    /// What a row says of the notation at a place of the registry.
    pub(super) fn cost(&'static self, row: &[u64], notation: usize) -> Cost {
        let whole = usize::from(NOTATIONS[notation].needs_lineage());
        let (fixed, rest) = row.split_at(CHARACTERS);
        let (characters, bytes) = match self.place(notation) {
            Place::Written(index) => {
                let wide = self.wide.iter().position(|&other| other == index);
                let bytes = wide.map_or(index, |place| self.written.len() + place);
                (rest[index], rest[bytes])
            }
            Place::Lettered(letters) => {
                // SAN comes first, and each letter of its is one character and one byte.
                let counts = &fixed[LETTERS..];
                let more = |length: fn(&Length) -> u8| {
                    let pairs = letters.iter().zip(counts);
                    pairs.fold(rest[0], |sum, (letter, &count)| {
                        sum + u64::from(length(letter)) * count - count
                    })
                };
                (more(|letter| letter.characters), more(|letter| letter.bytes))
            }
        };
        Cost { games: fixed[GAMES + whole], plies: fixed[PLIES + whole], characters, bytes }
    }
}

/// Counts one game in a row.
pub(super) fn add_game(row: &mut [u64], history: u64) {
    row[GAMES] += 1;
    row[GAMES + 1] += history;
}

/// In a row of one ply of every game there are as many games as plies.
pub(super) fn games_are_plies(row: &mut [u64]) {
    row.copy_within(PLIES..LETTERS, GAMES);
}

/// Adds rows, or any numbers, one by one.
pub(super) fn add(sums: &mut [u64], others: &[u64]) {
    for (sum, other) in sums.iter_mut().zip(others) {
        *sum += other;
    }
}

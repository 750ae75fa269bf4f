//! How the notations of the registry are measured, and the row of numbers in which the costs of all of them are kept.
//!
//! A *row* has games, then *lanes*: plies, SAN's letters, the characters of each notation whose lengths follow from a
//! ply's shape, the bytes of those of them whose alphabet is not ASCII, and the characters of each of the free notations.
//! The lanes that follow from the shape are looked up, a few bytes a shape. Rows add up, and the cost of every notation
//! follows from one.

use std::sync::LazyLock;

use crate::chess::Role;
use crate::notation::{FREE_COUNT, Length, NOTATIONS, Notation, SHAPED_COUNT, Shape, san::San};
use crate::tables::notations::names;

use super::cost::Cost;

/// Where the lanes have plies: all, and those of games with a history from the initial array.
const PLIES: usize = 0;
/// Where they count the letters of SAN's texts, pawn to king.
const LETTERS: usize = 2;
/// Where they have the characters of the shaped notations.
const SHAPED: usize = LETTERS + 6;
/// Notations whose texts have more bytes than characters; languages and figurines are none of them.
const WIDE_MAX: usize = 1;
/// How many lanes follow from the shape.
const SHAPED_LANES: usize = (SHAPED + SHAPED_COUNT + WIDE_MAX).next_multiple_of(8);
/// How many lanes there are.
pub(super) const LANES: usize = SHAPED_LANES + FREE_LANES;
/// How many of them are those of the free notations: a multiple of eight, so that they are words.
pub(super) const FREE_LANES: usize = FREE_COUNT.next_multiple_of(8);

/// Where a row has games: all, and those with a history.
pub(super) const GAMES: usize = 0;
/// Where a row has its lanes.
pub(super) const LANES_AT: usize = 2;
/// The numbers of many plies.
pub(super) type Row = [u64; LANES_AT + LANES];
/// A row without numbers.
pub(super) const EMPTY_ROW: Row = [0; LANES_AT + LANES];

/// The characters of a text in each of the free notations.
pub(super) type Free = [u8; FREE_LANES];

/// The economical notations without letters: by steps, and by legal moves.
pub(super) const SQUARES: [&str; 2] = [names::SQUARES, names::SQUARES_LEGAL];
/// Those with priority.
pub(super) const PRIORITY: [&str; 2] = [names::PRIORITY, names::PRIORITY_LEGAL];

/// The lengths of a notation's letters, pawn to king.
pub(super) type LetterLengths = [Length; 6];

/// How a notation is measured.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// By shape: the lanes of its characters and of its bytes.
    Shaped(usize, usize),
    /// Ply by ply: its place among the free notations.
    Free(usize),
    /// It is SAN with letters of these lengths.
    Lettered(LetterLengths),
}

/// How all notations are measured.
#[derive(Debug)]
pub(super) struct Layout {
    places: Vec<Place>,
    /// The lanes by shape: of games without a history, then of those with one.
    shapes: [Vec<[u8; SHAPED_LANES]>; 2],
}

static LAYOUT: LazyLock<Layout> = LazyLock::new(|| {
    let (mut places, mut next_shaped, mut next_free) = (Vec::new(), SHAPED, 0);
    let mut next_wide = SHAPED + SHAPED_COUNT;
    for notation in NOTATIONS {
        places.push(match notation.san_letters() {
            Some(letters) => Place::Lettered(letters.map(|letter| Length {
                characters: letter.chars().count() as u8,
                bytes: letter.len() as u8,
            })),
            None if Shape::from_index(0).and_then(|s| notation.shape_length(s)).is_some() => {
                let (lane, is_wide) = (next_shaped, !notation.info().alphabet.is_ascii());
                next_shaped += 1;
                next_wide += usize::from(is_wide);
                Place::Shaped(lane, if is_wide { next_wide - 1 } else { lane })
            }
            None => {
                next_free += 1;
                Place::Free(next_free - 1)
            }
        });
    }
    let without: Vec<_> = (0..Shape::COUNT).map(|index| lanes(index, &places)).collect();
    let mut with = without.clone();
    with.iter_mut().for_each(|lanes| lanes[PLIES + 1] = 1);
    let shapes = [without, with];
    Layout { places, shapes }
});

/// The lanes of a shape, of games without a history.
fn lanes(index: usize, places: &[Place]) -> [u8; SHAPED_LANES] {
    let mut lanes = [0; SHAPED_LANES];
    let Some(shape) = Shape::from_index(index) else { return lanes };
    lanes[PLIES] = 1;
    letters(shape).for_each(|role| lanes[LETTERS + role.index()] += 1);
    for (notation, place) in NOTATIONS.iter().zip(places) {
        if let (Place::Shaped(characters, bytes), Some(length)) =
            (place, notation.shape_length(shape))
        {
            (lanes[*bytes], lanes[*characters]) = (length.bytes, length.characters);
        }
    }
    lanes
}

/// The letters in the text of SAN.
fn letters(shape: Shape) -> impl Iterator<Item = Role> {
    let piece = shape.role() != Role::Pawn && shape.castling().is_none();
    piece.then_some(shape.role()).into_iter().chain(shape.promoted())
}

impl Layout {
    pub(super) fn get() -> &'static Layout {
        &LAYOUT
    }

    /// How the notation at a place of the registry is measured.
    pub(super) fn place(&'static self, notation: usize) -> &'static Place {
        &self.places[notation]
    }

    /// The lanes by shape, of games with a history or without one, those of the free notations apart.
    pub(super) fn shapes(&'static self, history: bool) -> &'static [[u8; SHAPED_LANES]] {
        &self.shapes[usize::from(history)]
    }

    /// What a row says of the notation at a place of the registry.
    pub(super) fn cost(&'static self, row: &Row, notation: usize) -> Cost {
        let whole = usize::from(NOTATIONS[notation].needs_lineage());
        let lanes = &row[LANES_AT..];
        let (characters, bytes) = match self.place(notation) {
            Place::Shaped(characters, bytes) => (lanes[*characters], lanes[*bytes]),
            Place::Free(place) => (lanes[SHAPED_LANES + place], lanes[SHAPED_LANES + place]),
            Place::Lettered(letters) => {
                // SAN comes first, and each letter of its is one character and one byte.
                let counts = &lanes[LETTERS..];
                let more = |length: fn(&Length) -> u8| {
                    let pairs = letters.iter().zip(counts);
                    pairs.fold(lanes[SHAPED], |sum, (letter, &count)| {
                        sum + u64::from(length(letter)) * count - count
                    })
                };
                (more(|letter| letter.characters), more(|letter| letter.bytes))
            }
        };
        Cost { games: row[GAMES + whole], plies: lanes[PLIES + whole], characters, bytes }
    }
}

/// The characters of SAN's text of this shape in letters of other lengths.
pub(super) fn lettered_characters(shape: Shape, letters_of: &LetterLengths) -> u8 {
    let san = San.shape_length(shape).unwrap_or_default().characters;
    letters(shape).fold(san, |sum, role| sum + letters_of[role.index()].characters - 1)
}

/// The lanes of a ply: those that its shape gives, and the free ones. In one piece, so that they are added as vectors.
#[inline(always)]
pub(super) fn lanes_of(shaped: &[u8; SHAPED_LANES], free: Free) -> [u8; LANES] {
    let mut lanes = [0; LANES];
    lanes[..SHAPED_LANES].copy_from_slice(shaped);
    lanes[SHAPED_LANES..].copy_from_slice(&free);
    lanes
}

/// Adds the lanes of a ply.
#[inline(always)]
pub(super) fn add_lanes(sums: &mut [u32; LANES], lanes: [u8; LANES]) {
    for (sum, lane) in sums.iter_mut().zip(lanes) {
        *sum += u32::from(lane);
    }
}

/// Adds the lanes of `plies` plies of one shape, their free lanes apart.
pub(super) fn add_shaped(row: &mut Row, shaped: &[u8; SHAPED_LANES], plies: u64) {
    for (sum, &lane) in row[LANES_AT..].iter_mut().zip(shaped) {
        *sum += plies * u64::from(lane);
    }
}

/// Adds sums of the free lanes.
pub(super) fn add_free(row: &mut Row, free: &[u64; FREE_LANES]) {
    add(&mut row[LANES_AT + SHAPED_LANES..], free);
}

/// Counts games in a row.
pub(super) fn set_games(row: &mut Row, games: [u64; 2]) {
    row[GAMES..LANES_AT].copy_from_slice(&games);
}

/// In a row of one ply of every game there are as many games as plies.
pub(super) fn games_are_plies(row: &mut Row) {
    row.copy_within(LANES_AT + PLIES..LANES_AT + LETTERS, GAMES);
}

/// Adds numbers one by one.
#[inline(always)]
pub(super) fn add(sums: &mut [u64], others: &[u64]) {
    for (sum, other) in sums.iter_mut().zip(others) {
        *sum += other;
    }
}

/// Adds rows of numbers one by one.
pub(super) fn add_all<const N: usize>(sums: &mut [[u64; N]], others: &[[u64; N]]) {
    for (sums, others) in sums.iter_mut().zip(others) {
        add(sums, others);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_notation_has_lanes_of_its_own() {
        let mut taken = Vec::new();
        for place in &Layout::get().places {
            match place {
                Place::Shaped(characters, bytes) if bytes == characters => taken.push(*bytes),
                Place::Shaped(characters, bytes) => taken.extend([*characters, *bytes]),
                Place::Free(place) => taken.push(SHAPED_LANES + place),
                Place::Lettered(_) => {}
            }
        }
        let count = taken.len();
        taken.sort_unstable();
        taken.dedup();
        assert_eq!(taken.len(), count);
        assert!(taken[0] == SHAPED && taken[count - 1] < LANES, "{taken:?}");
        assert!(
            matches!(Layout::get().places[0], Place::Shaped(SHAPED, SHAPED)),
            "SAN comes first"
        );
        let lanes = SHAPED + SHAPED_COUNT..SHAPED_LANES;
        assert!(taken.iter().filter(|lane| lanes.contains(lane)).count() <= WIDE_MAX);
    }
}

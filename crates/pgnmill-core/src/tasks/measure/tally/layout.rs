//! How the notations of the registry are measured, and the row of numbers in which the costs of all of them are kept.
//!
//! A *row* has games, then *columns*: plies, SAN's letters, the characters of each notation whose lengths follow from a
//! ply's shape, the bytes of those of them whose alphabet is not ASCII, and the characters of each of the free
//! notations. The columns that follow from the shape are looked up, a few bytes per shape. Rows add up, and the cost of
//! every notation follows from one.

use std::sync::LazyLock;

use crate::chess::Role;
use crate::notation::{
    DESCRIPTIVE, ECONOMICAL_PRIORITY, ECONOMICAL_PRIORITY_LEGAL, ECONOMICAL_SQUARES,
    ECONOMICAL_SQUARES_LEGAL, FREE_COUNT, Length, NOTATIONS, Notation, SAN, SHAPED_COUNT, Shape,
    free, is_same,
};

use super::cost::Cost;

/// Where the columns have plies: all, and those of games with a history from the starting position.
const PLIES: usize = 0;
/// Where they count the letters of SAN's texts, pawn to king.
const LETTERS: usize = 2;
/// Where they count by how much texts are shorter than in English descriptive: in the place of the letters of pawns, of
/// which SAN has none.
const SHORTER: usize = LETTERS;
/// Where they have the characters of the shaped notations.
const SHAPED: usize = LETTERS + 6;
/// Notations whose texts have more bytes than characters; languages and figurines are none of them.
const WIDE_MAX: usize = 1;
/// How many columns follow from the shape.
const SHAPED_COLUMNS: usize = (SHAPED + SHAPED_COUNT + WIDE_MAX).next_multiple_of(8);
/// How many columns there are.
pub(super) const COLUMNS: usize = SHAPED_COLUMNS + FREE_COLUMNS;
/// How many of them are those of the free notations: a multiple of eight, so that they are machine words.
pub(super) const FREE_COLUMNS: usize = FREE_COUNT.next_multiple_of(8);

/// Where a row has games: all, and those with a history.
pub(super) const GAMES: usize = 0;
/// Where a row has its columns.
pub(super) const COLUMNS_AT: usize = 2;
/// The sums of many plies.
pub(super) type CostRow = [u64; COLUMNS_AT + COLUMNS];
/// A row without numbers.
pub(super) const EMPTY_ROW: CostRow = [0; COLUMNS_AT + COLUMNS];

/// The characters of a text in each of the free notations.
pub(super) type Free = [u8; FREE_COLUMNS];

/// The economical notations without letters: by steps, and by legal moves.
pub(super) const SQUARES: [&dyn Notation; 2] = [ECONOMICAL_SQUARES, ECONOMICAL_SQUARES_LEGAL];
/// Those with priority.
pub(super) const PRIORITY: [&dyn Notation; 2] = [ECONOMICAL_PRIORITY, ECONOMICAL_PRIORITY_LEGAL];

/// The lengths of a notation's letters, pawn to king.
pub(super) type LetterLengths = [Length; 6];

/// How a notation is measured.
#[derive(Clone, Copy, Debug)]
pub(super) enum MeasuredBy {
    /// By shape: the columns of its characters and of its bytes.
    Shaped(usize, usize),
    /// Ply by ply: its index among the free notations.
    Free(usize),
    /// As the free notation at this index, English descriptive, but shorter by what the shape says.
    Translated(usize),
    /// It is SAN with letters of these lengths.
    Lettered(LetterLengths),
}

/// How all notations are measured.
#[derive(Debug)]
pub(super) struct Layout {
    places: Vec<MeasuredBy>,
    /// The columns by shape: of games without a history, then of those with one.
    shapes: [Vec<[u8; SHAPED_COLUMNS]>; 2],
}

static LAYOUT: LazyLock<Layout> = LazyLock::new(|| {
    let (mut places, mut next_shaped, mut next_free) = (Vec::new(), SHAPED, 0);
    let mut next_wide = SHAPED + SHAPED_COUNT;
    let english = free().position(|notation| is_same(notation, DESCRIPTIVE)).unwrap_or_default();
    for notation in NOTATIONS {
        places.push(match notation.san_letters() {
            Some(letters) => MeasuredBy::Lettered(letters.map(|letter| Length {
                characters: letter.chars().count() as u8,
                bytes: letter.len() as u8,
            })),
            None if Shape::from_index(0).and_then(|s| notation.shape_length(s)).is_some() => {
                let (column, is_wide) = (next_shaped, !notation.info().alphabet.is_ascii());
                next_shaped += 1;
                next_wide += usize::from(is_wide);
                MeasuredBy::Shaped(column, if is_wide { next_wide - 1 } else { column })
            }
            None if notation.is_translated() => MeasuredBy::Translated(english),
            None => {
                next_free += 1;
                MeasuredBy::Free(next_free - 1)
            }
        });
    }
    let without: Vec<_> = (0..Shape::COUNT).map(|index| columns(index, &places)).collect();
    let mut with = without.clone();
    with.iter_mut().for_each(|columns| columns[PLIES + 1] = 1);
    let shapes = [without, with];
    Layout { places, shapes }
});

/// The columns of a shape, of games without a history.
fn columns(index: usize, places: &[MeasuredBy]) -> [u8; SHAPED_COLUMNS] {
    let mut columns = [0; SHAPED_COLUMNS];
    let Some(shape) = Shape::from_index(index) else { return columns };
    columns[PLIES] = 1;
    letters(shape).for_each(|role| columns[LETTERS + role.index()] += 1);
    for (notation, place) in NOTATIONS.iter().zip(places) {
        if let Some(shorter) = notation.shorter_than_descriptive(shape) {
            columns[SHORTER] = shorter;
        }
        if let (MeasuredBy::Shaped(characters, bytes), Some(length)) =
            (place, notation.shape_length(shape))
        {
            (columns[*bytes], columns[*characters]) = (length.bytes, length.characters);
        }
    }
    columns
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

    /// How the notation at an index of the registry is measured.
    pub(super) fn place(&'static self, notation: usize) -> &'static MeasuredBy {
        &self.places[notation]
    }

    /// The columns by shape, of games with a history or without one, without those of the free notations.
    pub(super) fn shapes(&'static self, history: bool) -> &'static [[u8; SHAPED_COLUMNS]] {
        &self.shapes[usize::from(history)]
    }

    /// The cost of the notation at an index of the registry.
    pub(super) fn cost(&'static self, row: &CostRow, notation: usize) -> Cost {
        let whole = usize::from(NOTATIONS[notation].needs_lineage());
        let columns = &row[COLUMNS_AT..];
        let (characters, bytes) = match self.place(notation) {
            MeasuredBy::Shaped(characters, bytes) => (columns[*characters], columns[*bytes]),
            MeasuredBy::Free(place) => {
                (columns[SHAPED_COLUMNS + place], columns[SHAPED_COLUMNS + place])
            }
            MeasuredBy::Translated(place) => {
                // Without a length, that of a game which is not measured, nothing is shorter.
                let characters = columns[SHAPED_COLUMNS + place].saturating_sub(columns[SHORTER]);
                (characters, characters)
            }
            MeasuredBy::Lettered(letters) => {
                // SAN is the first shaped notation, and each of its letters is one character and one byte; pawns
                // have none.
                let counts = &columns[LETTERS..];
                let more = |length: fn(&Length) -> u8| {
                    let pairs = letters.iter().zip(counts).skip(1);
                    pairs.fold(columns[SHAPED], |sum, (letter, &count)| {
                        sum + u64::from(length(letter)) * count - count
                    })
                };
                (more(|letter| letter.characters), more(|letter| letter.bytes))
            }
        };
        Cost { games: row[GAMES + whole], plies: columns[PLIES + whole], characters, bytes }
    }
}

/// The characters of SAN's text of this shape in letters of other lengths.
pub(super) fn lettered_characters(shape: Shape, letters_of: &LetterLengths) -> u8 {
    let san = SAN.shape_length(shape).unwrap_or_default().characters;
    letters(shape).fold(san, |sum, role| sum + letters_of[role.index()].characters - 1)
}

/// The columns of a ply: those that its shape gives, and the free ones. In one piece, so that they are added as
/// vectors.
#[inline(always)]
pub(super) fn columns_of(shaped: &[u8; SHAPED_COLUMNS], free: Free) -> [u8; COLUMNS] {
    let mut columns = [0; COLUMNS];
    columns[..SHAPED_COLUMNS].copy_from_slice(shaped);
    columns[SHAPED_COLUMNS..].copy_from_slice(&free);
    columns
}

/// By how much the ply's text is shorter than in English descriptive.
#[inline(always)]
pub(super) fn shorter(shaped: &[u8; SHAPED_COLUMNS]) -> u8 {
    shaped[SHORTER]
}

/// Adds the columns of a ply.
#[inline(always)]
pub(super) fn add_columns(sums: &mut [u32; COLUMNS], columns: [u8; COLUMNS]) {
    for (sum, column) in sums.iter_mut().zip(columns) {
        *sum += u32::from(column);
    }
}

/// Adds the columns of `plies` plies of one shape, without their free columns.
pub(super) fn add_shaped(row: &mut CostRow, shaped: &[u8; SHAPED_COLUMNS], plies: u64) {
    for (sum, &column) in row[COLUMNS_AT..].iter_mut().zip(shaped) {
        *sum += plies * u64::from(column);
    }
}

/// Adds sums of the free columns.
pub(super) fn add_free(row: &mut CostRow, free: &[u64; FREE_COLUMNS]) {
    add(&mut row[COLUMNS_AT + SHAPED_COLUMNS..], free);
}

/// Counts games in a row.
pub(super) fn set_games(row: &mut CostRow, games: [u64; 2]) {
    row[GAMES..COLUMNS_AT].copy_from_slice(&games);
}

/// In a row of one ply of every game there are as many games as plies.
pub(super) fn games_are_plies(row: &mut CostRow) {
    row.copy_within(COLUMNS_AT + PLIES..COLUMNS_AT + LETTERS, GAMES);
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
    fn every_notation_has_columns_of_its_own() {
        let mut taken = Vec::new();
        for place in &Layout::get().places {
            match place {
                MeasuredBy::Shaped(characters, bytes) if bytes == characters => taken.push(*bytes),
                MeasuredBy::Shaped(characters, bytes) => taken.extend([*characters, *bytes]),
                MeasuredBy::Free(place) => taken.push(SHAPED_COLUMNS + place),
                MeasuredBy::Translated(_) | MeasuredBy::Lettered(_) => {}
            }
        }
        let count = taken.len();
        taken.sort_unstable();
        taken.dedup();
        assert_eq!(taken.len(), count);
        assert!(taken[0] == SHAPED && taken[count - 1] < COLUMNS, "{taken:?}");
        assert!(
            matches!(Layout::get().places[0], MeasuredBy::Shaped(SHAPED, SHAPED)),
            "SAN comes first"
        );
        let columns = SHAPED + SHAPED_COUNT..SHAPED_COLUMNS;
        assert!(taken.iter().filter(|column| columns.contains(column)).count() <= WIDE_MAX);
    }
}

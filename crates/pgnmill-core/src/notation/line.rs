//! Texts of many plies at once: what a notation can write from arrays, without a position per ply.
//!
//! In: for each ply of a line its origin, its target, and the pieces that could arrive there ([`LinePlies`]). Out: one
//! word per ply, the text in its lowest bytes and the number of these in its highest ([`word_of`]). A notation offers a
//! [`LineWriter`] if its texts follow from these arrays; plies that need more (promotions, captures en passant) are
//! written by [`Notation::encode_ply`](super::Notation::encode_ply) instead. Invariant: the same texts as that (a test
//! compares whole archives).
//!
//! Cost: some ten instructions per ply; the loops are without branches, so that the compiler makes vectors of them.

use pgnmill_simd::{Kernel, Level, Machine};

use super::MoveText;

/// What a writer of lines reads besides origins and targets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineNeeds {
    /// Nothing.
    Origins,
    /// [`LinePlies::arrivals`].
    Arrivals,
}

/// The plies of a line, in arrays of the same length.
#[derive(Clone, Copy, Debug)]
pub struct LinePlies<'a> {
    /// The square that the piece leaves, as a bit.
    pub origins: &'a [u64],
    /// The square that it reaches; of castling that of the king, or, for [`LineNeeds::Arrivals`], of the rook.
    pub targets: &'a [u8],
    /// The squares of the pieces, no heavier than that which moves, that have a pseudo-legal move to the target, the
    /// origin among them (order of weight: pawn, knight, bishop, rook, queen, king).
    pub arrivals: &'a [u64],
}

/// Writes the texts of a line.
#[derive(Clone, Copy, Debug)]
pub struct LineWriter {
    /// What it reads.
    pub needs: LineNeeds,
    /// Writes one word per ply. The arrays have the same length.
    pub write: fn(Level, &LinePlies<'_>, &mut [u64]),
}

/// The shift of the number of bytes in a word.
const COUNT_SHIFT: u32 = 56;

/// A text of at most seven bytes as a word; `None` if it is longer.
pub fn word_of(text: &MoveText) -> Option<u64> {
    let bytes = text.as_bytes();
    let word = bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
    (bytes.len() < 8).then_some(word | (bytes.len() as u64) << COUNT_SHIFT)
}

/// The bytes of a word, of which the first so many are the text.
#[inline(always)]
pub fn text_of(word: u64) -> ([u8; 8], usize) {
    (word.to_le_bytes(), (word >> COUNT_SHIFT) as usize & 7)
}

/// `a1` and so on, the file in the lowest byte.
#[inline(always)]
const fn name(square: u64) -> u64 {
    (square & 7 | (square << 5 & 0x700)) + 0x3161
}

/// Origin and target, as UCI writes them.
pub(super) static ORIGIN_AND_TARGET: LineWriter = LineWriter {
    needs: LineNeeds::Origins,
    write: |level, plies, words| {
        level.run(Each { plies, words, word: origin_and_target });
    },
};

/// The target, after the shortest disambiguation against the arrivals.
pub(super) static TARGET_AMONG_ARRIVALS: LineWriter = LineWriter {
    needs: LineNeeds::Arrivals,
    write: |level, plies, words| {
        level.run(Each { plies, words, word: target_among_arrivals });
    },
};

#[inline(always)]
fn origin_and_target(origin: u64, target: u8, _: u64) -> u64 {
    let origin = u64::from(origin.trailing_zeros());
    name(origin) | name(u64::from(target)) << 16 | 4 << COUNT_SHIFT
}

#[inline(always)]
fn target_among_arrivals(origin: u64, target: u8, arrivals: u64) -> u64 {
    let others = arrivals & !origin;
    let square = u64::from(origin.trailing_zeros());
    let on_file = others & 0x0101_0101_0101_0101 << (square & 7) != 0;
    let on_rank = others & 0xff << (square & 56) != 0;
    let (origin, target) = (name(square), name(u64::from(target)));
    // The file, or the rank if another piece is on the file.
    let letter = if on_file { origin >> 8 } else { origin & 0xff };
    let one = letter | target << 8 | 3 << COUNT_SHIFT;
    let two = origin | target << 16 | 4 << COUNT_SHIFT;
    let word = if on_file & on_rank { two } else { one };
    if others == 0 { target | 2 << COUNT_SHIFT } else { word }
}

/// One function for each ply.
struct Each<'a, F> {
    plies: &'a LinePlies<'a>,
    words: &'a mut [u64],
    word: F,
}

impl<F: Fn(u64, u8, u64) -> u64> Kernel for Each<'_, F> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let LinePlies { origins, targets, arrivals } = *self.plies;
        let plies = origins.iter().zip(targets).zip(arrivals);
        for (to, ((&origin, &target), &arrivals)) in self.words.iter_mut().zip(plies) {
            *to = (self.word)(origin, target, arrivals);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{Bitboard, Square};
    use crate::notation::Disambiguation;
    use crate::notation::ply::disambiguate;

    #[test]
    fn words_are_the_texts() {
        let mut seed = 9u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            seed ^ seed >> 31
        };
        for count in [0, 1, 7, 64, 500] {
            let origins: Vec<u64> = (0..count).map(|_| 1 << (random() % 64)).collect();
            let targets: Vec<u8> = (0..count).map(|_| (random() % 64) as u8).collect();
            let arrivals: Vec<u64> =
                origins.iter().map(|origin| origin | random() & random() & random()).collect();
            let arrivals: Vec<u64> = arrivals
                .iter()
                .zip(&origins)
                .enumerate()
                .map(|(i, (all, origin))| if i % 2 == 0 { *all } else { *origin })
                .collect();
            let plies = LinePlies { origins: &origins, targets: &targets, arrivals: &arrivals };
            for level in Level::all() {
                let mut words = vec![0; count];
                (ORIGIN_AND_TARGET.write)(level, &plies, &mut words);
                let mut others = vec![0; count];
                (TARGET_AMONG_ARRIVALS.write)(level, &plies, &mut others);
                for ply in 0..count {
                    let origin = Square::new(origins[ply].trailing_zeros() as u8);
                    let target = Square::new(targets[ply]);
                    let mut text = MoveText::default();
                    text.push_square(origin);
                    text.push_square(target);
                    assert_eq!(Some(words[ply]), word_of(&text));
                    let mut text = MoveText::default();
                    match disambiguate(origin, Bitboard(arrivals[ply] & !origins[ply])) {
                        Disambiguation::None => {}
                        Disambiguation::File => text.push(origin.file_letter()),
                        Disambiguation::Rank => text.push(origin.rank_digit()),
                        Disambiguation::Square => text.push_square(origin),
                    }
                    text.push_square(target);
                    assert_eq!(Some(others[ply]), word_of(&text));
                    let (bytes, length) = text_of(others[ply]);
                    assert_eq!(&bytes[..length], text.as_bytes());
                }
            }
        }
    }
}

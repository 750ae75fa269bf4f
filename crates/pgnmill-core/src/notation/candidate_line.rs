//! Plies as arrays from which the lengths of texts follow, without a position per ply.
//!
//! In: for each ply of a line its [`Shape`](super::Shape), its origin, and the pieces that could arrive on its target
//! ([`CandidateLine`]). Out: the lengths in the notations that disambiguate against these. Plies that the arrays do
//! not describe (promotions, captures en passant, plies near them) are [`OddPly`]s, with a position each. Invariant:
//! the same lengths as by [`Facts`](super::Facts) (`fuzz/laws/src/vector.rs` compares them ply by ply).
//!
//! Cost: some twenty instructions per ply, in a loop without branches that the compiler turns into vectors.

use pgnmill_simd::{Kernel, Level, Machine};

use crate::chess::{Color, Move, Position};

use super::facts::{Chosen, PackedLengths};
use super::{Check, Others, Ply};

/// The plies of a line, in arrays of the same length.
#[derive(Clone, Copy, Debug)]
pub struct CandidateLine<'a> {
    /// The side that moves first, and the number of that move.
    pub first: (Color, u32),
    /// The lower and the upper bytes of the number of each [`Shape`](super::Shape).
    pub shapes: [&'a [u8]; 2],
    /// The square that the piece leaves, as a bit.
    pub origins: &'a [u64],
    /// The squares of the pieces that have a pseudo-legal move to the target, the origin among them; of castling the
    /// king's alone.
    pub candidates: &'a [u64],
    /// Those of them that are no heavier than the piece that moves (pawn, knight, bishop, rook, queen, king).
    pub lighter: &'a [u64],
    /// The candidates whose move is legal.
    pub legal: &'a [u64],
    /// The pieces of White and of Black before each ply; without meaning unless requested.
    pub sides: [&'a [u64]; 2],
    /// The pawns of both sides before each ply; without meaning unless requested.
    pub pawns: &'a [u64],
    /// The plies whose entries in the arrays have no meaning, in any order.
    pub odd: &'a [OddPly],
}

impl CandidateLine<'_> {
    /// How many plies.
    #[inline(always)]
    pub fn plies(&self) -> usize {
        self.origins.len()
    }
}

/// A ply that arrays do not describe.
#[derive(Clone, Debug)]
pub struct OddPly {
    /// Its index in the line.
    pub index: usize,
    /// The position before the move.
    pub before: Position,
    /// The move.
    pub mv: Move,
    /// Its effect on the other king.
    pub check: Check,
}

impl OddPly {
    /// Calls `read` with the ply.
    pub fn with<T>(&self, read: impl FnOnce(&Ply<'_>) -> T) -> T {
        let after = self.before.play(self.mv);
        read(&Ply::new(&self.before, self.mv, &after, self.check))
    }
}

impl Chosen {
    /// Do the lengths in these notations follow from a [`CandidateLine`]?
    pub(crate) fn follow_from_lines(&self) -> bool {
        self.set == 0 && !self.descriptive
    }

    /// The lengths of the texts of a line in the free notations, one byte each; those of odd plies have no meaning.
    pub(crate) fn line_lengths(
        &self,
        level: Level,
        line: &CandidateLine<'_>,
        lengths: &mut Vec<PackedLengths>,
    ) {
        lengths.clear();
        lengths.resize(line.origins.len(), self.base);
        level.run(Lengths { chosen: self, line, lengths });
    }
}

struct Lengths<'a> {
    chosen: &'a Chosen,
    line: &'a CandidateLine<'a>,
    lengths: &'a mut [PackedLengths],
}

impl Kernel for Lengths<'_> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let Lengths {
            chosen,
            line: &CandidateLine { origins, candidates, lighter, legal, .. },
            ..
        } = self;
        let ones = |others: Others| chosen.disambiguated[others as usize];
        let sets = candidates.iter().zip(lighter).zip(legal);
        let plies = self.lengths.iter_mut().zip(origins).zip(sets);
        for ((lengths, &origin), ((&all, &lighter), &legal)) in plies {
            let square = origin.trailing_zeros();
            let file = 0x0101_0101_0101_0101 << (square & 7);
            let rank = 0xff << (square & 56);
            let mut add = |pieces: u64, ones: PackedLengths| {
                let others = pieces & !origin;
                let on_both = others & file != 0 && others & rank != 0;
                for (word, ones) in lengths.iter_mut().zip(ones) {
                    *word += if others != 0 { ones } else { 0 };
                    *word += if on_both { ones } else { 0 };
                }
            };
            add(all, ones(Others::All));
            add(lighter, ones(Others::NoHeavier));
            add(legal, ones(Others::Legal));
            add(legal & lighter, ones(Others::LegalNoHeavier));
        }
    }
}

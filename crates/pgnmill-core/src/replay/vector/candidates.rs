//! Which pieces could have made each move: what disambiguation, the economical notations and `measure` need.
//!
//! In: the boards and origins of a [`Record`], and the [`Moves`] that were played. Out: the arrays of
//! [`LinePlies`](crate::notation::LinePlies) and of [`CandidateLine`](crate::notation::CandidateLine), and as
//! [`OddPly`](crate::notation::OddPly) the plies that these do not describe. The plies do not depend on each other
//! here, so that several are in work at once. How much is found is a constant of the code (`record.rs`).
//!
//! ```text
//! board before ─► contents of the target's lanes ─► first of each ray ─► with a move there ─► squares
//!                 permutation                       subtraction         and with `rivals`     permutation
//! ```
//!
//! Legality: a piece other than that which moves is doubtful if it is the king, if it is pinned, or if the king is
//! attacked; it is moved then, and the king tested (`single.rs`).
//!
//! Cost: two permutations per ply; two more where another candidate is on a line of the king, since only such a piece
//! can be pinned.

use pgnmill_simd::Wide;

use crate::chess::Color;

use super::board::{bit, first_of_rays, squares};
use super::found::{Candidates, Source};
use super::moves::{Moves, PLIES_MAX, TAKES};
use super::rare_plies::{Before, Rare};
use super::record::{ARRIVALS, CANDIDATES, Record};
use super::single::{Single, is_near};
use super::tables::{BLACK, FILE_A, KING, OTHER_BIT, PAWN, PAWN_BIT, TABLES, Tables};

impl Candidates {
    /// Finds the candidates of `plies` plies that were played; returns of how many: plies from one on that cannot be
    /// read by itself count as not played.
    #[inline(always)]
    pub(super) fn find<W: Wide, const FIND: u8>(
        &mut self,
        moves: &mut Moves,
        record: &Record,
        source: &Source<'_>,
        plies: usize,
    ) -> usize {
        self.odd.clear();
        let tables: &Tables = std::hint::black_box(&TABLES);
        let turn = usize::from(source.first.turn() == Color::Black);
        if FIND >= ARRIVALS {
            self.all_arriving::<W, FIND>(moves, record, plies, turn, tables);
        }
        let mut before = Before::of::<W>(source.first);
        let mut index = 0;
        while index < plies {
            let rare = Rare::of::<W, FIND>(moves, record, index, turn, &mut before);
            let count = (plies - index).min(64);
            let inside = u64::MAX >> (64 - count);
            let mut castling = rare.castling & inside;
            while castling != 0 {
                let index = index + castling.trailing_zeros() as usize;
                self.castling::<FIND>(moves, record, index, (turn + index) & 1);
                castling &= castling - 1;
            }
            let doubtful = if FIND == CANDIDATES {
                let others = self.on_lines(index, count) & !(rare.castling | rare.checked);
                self.doubts::<W>(record, index, others, turn, tables)
            } else {
                0
            };
            let mut odd = rare.odd;
            let mut near = rare.near & inside;
            while near != 0 {
                let bit = near.trailing_zeros();
                let place = index + bit as usize;
                let is_odd = is_near::<W, FIND>(moves, record, place, (turn + place) & 1);
                odd |= u64::from(is_odd) << bit;
                near &= near - 1;
            }
            let mut rest = (odd | rare.checked | doubtful) & !rare.castling & inside;
            while rest != 0 {
                let bit = rest.trailing_zeros();
                let single = Single::<FIND> {
                    candidates: self,
                    moves,
                    record,
                    source,
                    index: index + bit as usize,
                    is_odd: odd >> bit & 1 != 0,
                    is_checked: rare.checked >> bit & 1 != 0,
                };
                if !W::apart(single) {
                    return index + bit as usize;
                }
                rest &= rest - 1;
            }
            index += 64;
        }
        plies
    }

    /// Keeps what could arrive, for so many plies, of which the first is of side `turn`.
    #[inline(always)]
    fn all_arriving<W: Wide, const FIND: u8>(
        &mut self,
        moves: &Moves,
        record: &Record,
        plies: usize,
        turn: usize,
        tables: &Tables,
    ) {
        let of_black = turn.min(plies);
        if of_black == 1 {
            self.arriving::<W, 1, FIND>(moves, record, 0, tables);
        }
        let mut index = of_black;
        while index < plies {
            self.arriving::<W, 0, FIND>(moves, record, index, tables);
            if index + 1 < plies {
                self.arriving::<W, 1, FIND>(moves, record, index + 1, tables);
            }
            index += 2;
        }
    }

    /// Which of `count` plies have another candidate that is the king, or on a line of the king.
    #[inline(always)]
    fn on_lines(&self, index: usize, count: usize) -> u64 {
        let mut bits = 0;
        for (bit, &doubt) in self.doubtful[index & (PLIES_MAX - 1)..][..count].iter().enumerate() {
            bits |= u64::from(doubt != 0) << bit;
        }
        bits
    }

    /// Which of these plies have a doubtful piece; keeps which pieces are.
    #[inline(always)]
    fn doubts<W: Wide>(
        &mut self,
        record: &Record,
        index: usize,
        mut plies: u64,
        turn: usize,
        tables: &Tables,
    ) -> u64 {
        let mut bits = 0;
        while plies != 0 {
            let ply = plies.trailing_zeros();
            let index = index + ply as usize;
            let king = usize::from(record.kings.at(index)) & 63;
            let them = (turn + index + 1) & 1;
            let doubt = bit(king) | pinned::<W>(record.pieces::<W>(index), king, them, tables);
            let doubtful = &mut self.doubtful[index & (PLIES_MAX - 1)];
            *doubtful &= doubt;
            bits |= u64::from(*doubtful != 0) << ply;
            plies &= plies - 1;
        }
        bits
    }

    /// The king's origin, and the square that the text names; no other piece could arrive.
    #[inline(always)]
    fn castling<const FIND: u8>(
        &mut self,
        moves: &mut Moves,
        record: &Record,
        index: usize,
        side: usize,
    ) {
        let is_long = moves.bytes.at(index) == 5;
        let (king, rook) = if is_long { (2, 0) } else { (6, 7) };
        let file = if FIND >= ARRIVALS { rook } else { king };
        moves.target.set(index, file + 56 * side as u8);
        let index = index & (PLIES_MAX - 1);
        let origin = record.origins[index];
        if FIND >= ARRIVALS {
            self.lighter[index] = origin;
        }
        if FIND == CANDIDATES {
            (self.all[index], self.legal[index]) = (origin, origin);
        }
    }

    /// Keeps the pieces that could arrive on a target, and which of them may be doubtful: without checks, and as if no
    /// pawn was on its seventh rank.
    #[inline(always)]
    fn arriving<W: Wide, const US: usize, const FIND: u8>(
        &mut self,
        moves: &Moves,
        record: &Record,
        index: usize,
        tables: &Tables,
    ) {
        let pieces = record.pieces::<W>(index);
        let (target, flags) = (usize::from(moves.target.at(index)) & 63, moves.kind.at(index));
        let around = W::permute(pieces, W::load(&tables.squares[target].rays.0));
        let first = first_of_rays::<W>(W::look_up(W::load(&tables.roles[US].0), around));
        // On a capture, on a double step's square, elsewhere.
        let class = if flags & TAKES != 0 { 2 } else { usize::from(target >> 3 == 3 + US) };
        let there = W::and(first, W::load(&tables.rivals[US][class].0));
        let there = W::permute(there, W::load(&tables.squares[target].lanes.0));
        let this = !bit(target);
        let no_heavier = W::fill(NO_HEAVIER[usize::from(flags & 15)]);
        let index = index & (PLIES_MAX - 1);
        self.lighter[index] = W::intersect(there, no_heavier) & this;
        if FIND != CANDIDATES {
            return;
        }
        let all = W::intersect(there, there) & this;
        (self.all[index], self.legal[index]) = (all, all);
        self.taken.set(index, record.piece(index, target));
        let king = usize::from(record.kings.at(index)) & 63;
        self.doubtful[index] = all & !record.origins[index] & tables.lines[king];
    }

    /// Keeps the squares of both sides and of pawns.
    #[inline(always)]
    pub(super) fn find_boards<W: Wide>(&mut self, record: &Record, plies: usize) {
        let mut index = 0;
        while index < plies.min(PLIES_MAX) {
            let pieces = record.pieces::<W>(index);
            let black = W::at_least(pieces, W::fill(BLACK));
            self.sides[0][index] = W::at_least(pieces, W::fill(1)) & !black;
            self.sides[1][index] = black;
            self.pawns[index] = W::equal(W::and(pieces, W::fill(7)), W::fill(PAWN));
            index += 1;
        }
    }
}

/// By kind: the bits of the pieces no heavier.
const NO_HEAVIER: [u8; 16] = {
    let mut masks = [PAWN_BIT; 16];
    let (mut role, mut bits) = (1, PAWN_BIT);
    while role <= KING as usize {
        bits |= 1 << (role - 1);
        masks[role] = bits;
        role += 1;
    }
    masks
};

/// The pieces between a king and a slider of `them`, alone: the second piece of a ray is a slider that moves along it.
#[inline(always)]
fn pinned<W: Wide>(pieces: W::Bytes, king: usize, them: usize, tables: &Tables) -> u64 {
    let around = W::permute(pieces, W::load(&tables.squares[king].rays.0));
    // One bit per piece; that of the first piece of each group is the lowest.
    let bits = W::look_up(W::load(&tables.roles[them].0), around);
    let behind = W::and(bits, W::add_words(bits, W::fill(0xff)));
    let second = W::and(behind, W::sub_words(W::fill(0), behind));
    let sliders = W::intersect(second, W::load(&tables.pins[them].0));
    let own = W::intersect(first_of_rays::<W>(bits), W::fill(OTHER_BIT));
    // Per group: all ones if it has a slider; it has one at most.
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let any = (((sliders & LOW) + LOW) | sliders) >> 7 & FILE_A;
    let lanes = own & (any * 0xff);
    squares::<W>(W::replace(W::fill(0), lanes, W::fill(1)), king, tables)
}

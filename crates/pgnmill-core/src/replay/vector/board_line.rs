//! A line of plies for a visitor that requires positions: the boards before them, as they were played.
//!
//! In: the [`Record`] of a stretch. Out: the pieces before each ply in the codes of [`Position::squares`], and whole
//! positions of those few plies for which one is required. Invariant: they equal what a replay ply by ply has
//! (`fuzz/laws/src/vector.rs`). Cost: one look-up per board; a position costs as many operations as plies precede it.

use std::fmt;

use pgnmill_simd::{Level, Wide, WideKernel};

use crate::chess::{Color, Position, Role, Square};
use crate::notation::{LineNeeds, LinePlies, LineWriter, Notation, OddPly};

use super::board::bit;
use super::moves::Moves;
use super::record::Record;
use super::tables::{BLACK, KING, KNIGHT, Lanes, PAWN};
use super::write_words;

/// By code of a piece: the code that [`Position::squares`] has.
const SQUARE_CODES: Lanes = {
    let mut codes = [0; 64];
    let mut at = 0;
    while at < 64 {
        let (code, black) = (at as u8 & 7, at as u8 & BLACK);
        codes[at] = match code {
            PAWN => 1,
            KNIGHT..=KING => code + 1,
            _ => 0,
        };
        if codes[at] > 0 && black != 0 {
            codes[at] += 6;
        }
        at += 1;
    }
    Lanes(codes)
};

/// Plies of the main line, in arrays of the same length, and the boards before them.
#[derive(Clone, Copy)]
pub struct BoardLine<'a> {
    pub(super) level: Level,
    pub(super) record: &'a Record,
    pub(super) moves: &'a Moves,
    /// The position before the first ply.
    pub first: &'a Position,
    /// The position after the last one.
    pub last: &'a Position,
    /// Where the text of each ply begins, if that is requested; the texts are canonical SAN.
    pub starts: &'a [usize],
    /// The bytes of each of these texts, with the check suffix.
    pub bytes: &'a [u8],
    /// The square that the piece leaves, as a bit; of castling that of the king.
    pub origins: &'a [u64],
    /// The square that it reaches; of castling that of the king.
    pub targets: &'a [u8],
    /// The promotions, in order.
    pub promotions: &'a [OddPly],
}

impl fmt::Debug for BoardLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BoardLine").field("plies", &self.plies()).finish_non_exhaustive()
    }
}

impl BoardLine<'_> {
    /// How many plies.
    #[inline]
    pub fn plies(&self) -> usize {
        self.origins.len()
    }

    /// The side that makes each move.
    pub fn sides(&self) -> impl Iterator<Item = Color> {
        let first = self.first.turn();
        (0..self.plies()).map(move |ply| if ply % 2 == 0 { first } else { first.other() })
    }

    /// The moves as [`AnyPly::move_code`](crate::notation::AnyPly::move_code) numbers them.
    #[inline]
    pub fn move_codes(&self) -> impl Iterator<Item = u16> {
        let mut promotions = self.promotions.iter().peekable();
        self.origins.iter().zip(self.targets).enumerate().map(move |(index, (origin, &target))| {
            let code = origin.trailing_zeros() as u16 & 63 | u16::from(target) << 6;
            match promotions.next_if(|ply| ply.index == index) {
                Some(ply) => code | ply.mv.promoted().map_or(0, |role| role.index() as u16) << 12,
                None => code,
            }
        })
    }

    /// Writes the text of each ply in a notation as a word: see [`text_of`](crate::notation::text_of). `writer` is that
    /// of the notation, and needs origins alone.
    pub fn words(&self, to: &'static dyn Notation, writer: &LineWriter, words: &mut Vec<u64>) {
        debug_assert!(writer.needs == LineNeeds::Origins, "arrivals are not found");
        let BoardLine { origins, targets, .. } = *self;
        let plies = LinePlies { origins, targets, arrivals: origins };
        write_words(self.level, to, writer, &plies, self.promotions, words);
    }

    /// Adds the pieces before each ply, 64 bytes for each, as [`Position::squares`].
    pub fn extend_squares(&self, out: &mut Vec<u8>) {
        out.reserve(64 * self.plies());
        self.run(Squares { record: self.record, plies: self.plies(), out });
    }

    /// White's pieces and the pawns of both sides after each of the first plies.
    pub fn whites_and_pawns(&self, plies: usize, after: &mut Vec<[u64; 2]>) {
        after.clear();
        let count = plies.min(self.plies());
        self.run(WhitesAndPawns {
            record: self.record,
            plies: 1..count.min(self.plies() - 1) + 1,
            after,
        });
        if count == self.plies() {
            let pawns = self.last.role(Role::Pawn);
            after.push([self.last.color(Color::White).0, pawns.0]);
        }
    }

    /// The position before a ply; after the last one, that after it.
    pub fn position(&self, index: usize) -> Position {
        match index {
            0 => *self.first,
            _ if index >= self.plies() => *self.last,
            _ => self.run(PositionBefore { line: *self, index }),
        }
    }

    /// The castling rights before each ply, as [`Position::castling_bits`].
    pub fn castling_bits(&self) -> impl Iterator<Item = usize> {
        let kings = [Color::White, Color::Black].map(|color| bit(self.first.king(color).index()));
        let mut watched = self.first.castling_rooks().0;
        watched |= if watched == 0 { 0 } else { kings[0] | kings[1] };
        let (mut touched, mut rights) = (0, self.first.castling_bits());
        (0..self.plies()).map(move |index| {
            if touched & watched != 0 {
                watched &= !touched;
                rights = self.position(index).castling_bits();
            }
            touched = self.origins[index] | bit(usize::from(self.targets[index]));
            rights
        })
    }

    /// The piece on a square before a ply, by its code.
    #[inline(always)]
    pub(super) fn piece(&self, index: usize, square: usize) -> u8 {
        self.record.piece(index, square)
    }

    /// The square on which a capture en passant is legal before a ply.
    pub fn legal_en_passant_square(&self, index: usize) -> Option<Square> {
        let Some(before) = index.checked_sub(1) else {
            return self.first.legal_en_passant_square();
        };
        let (origin, target) = (self.origins[before].trailing_zeros(), self.targets[before]);
        let piece = |at: usize, square: u8| self.record.piece(at, square.into());
        if origin ^ u32::from(target) != 16 || piece(before, origin as u8) & 7 != PAWN {
            return None;
        }
        let other = PAWN | !piece(before, origin as u8) & BLACK;
        let is_beside = |square: u8| square >> 3 == target >> 3 && piece(index, square) == other;
        if !is_beside(target.wrapping_sub(1)) && !is_beside(target + 1) {
            return None;
        }
        self.position(index).legal_en_passant_square()
    }

    pub(super) fn run<K: WideKernel>(&self, kernel: K) -> K::Output {
        self.level.run_wide(kernel).expect("a level that made the line")
    }
}

/// Writes the codes of boards.
struct Squares<'a> {
    record: &'a Record,
    plies: usize,
    out: &'a mut Vec<u8>,
}

impl WideKernel for Squares<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Wide>(self) {
        let codes = W::load(&SQUARE_CODES.0);
        for index in 0..self.plies {
            let mut squares = [0; 64];
            W::store(W::look_up(codes, self.record.pieces::<W>(index)), &mut squares);
            self.out.extend_from_slice(&squares);
        }
    }
}

struct WhitesAndPawns<'a> {
    record: &'a Record,
    plies: std::ops::Range<usize>,
    after: &'a mut Vec<[u64; 2]>,
}

impl WideKernel for WhitesAndPawns<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Wide>(self) {
        let record = self.record;
        self.after.extend(self.plies.map(|index| {
            let pieces = record.pieces::<W>(index);
            let whites = W::at_least(pieces, W::fill(1)) & !W::at_least(pieces, W::fill(BLACK));
            [whites, W::equal(W::and(pieces, W::fill(7)), W::fill(PAWN))]
        }));
    }
}

struct PositionBefore<'a> {
    line: BoardLine<'a>,
    index: usize,
}

impl WideKernel for PositionBefore<'_> {
    type Output = Position;

    #[inline(always)]
    fn run<W: Wide>(self) -> Position {
        let PositionBefore { line: BoardLine { record, moves, first, .. }, index } = self;
        let board = record.board::<W>(index, moves, first);
        board.position(first, index as u32, moves.quiet_plies(index) as u32)
    }
}

//! The keys of the positions of a line.
//!
//! In: a [`BoardLine`]. Out: for each ply the key of the position after it, as if nothing could be captured en passant;
//! or the position before it and the move as [`KeyedPly`]. Invariant: keys are the [`Position::polyglot_key`] of the
//! positions, and the planes those of [`PackedPosition`](crate::chess::PackedPosition) (`fuzz/laws/src/vector.rs`).
//! Cost: five numbers of a table per ply, and a look for a capture en passant after each pawn's move of two steps.
//! A line is never of Chess960 (`stretch.rs`), so that a king with a castling right is on the e-file.

use std::iter::Peekable;
use std::slice::Iter;

use pgnmill_simd::{Wide, WideKernel};

use crate::chess::polyglot::{PIECES, WHITE_TO_MOVE, castling_number, en_passant_number};
use crate::chess::{CastlingSide, Color, Position};
use crate::notation::OddPly;

use super::board::bit;
use super::board_line::BoardLine;
use super::record::Record;
use super::tables::{BLACK, KING, KNIGHT, Lanes, PAWN, ROOK};

/// A ply of chess: what its position and its move are known by.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct KeyedPly {
    /// The [`Position::polyglot_key_of_fen`] of the position before it.
    pub hash: u64,
    /// This position, as [`PackedPosition`](crate::chess::PackedPosition) has it.
    pub planes: [u64; 4],
    /// Origin and target, six bits each (castling: the square of the rook), and the piece that a pawn becomes.
    pub code: u16,
    /// Is it a capture or a move of a pawn?
    pub is_irreversible: bool,
}

/// By code of a piece and square: its number in the key of a position; of an empty square 0.
static PIECE_NUMBERS: [[u64; 64]; 16] = {
    let mut numbers = [[0; 64]; 16];
    let mut code = 0;
    while code < 16 {
        let role = code as u8 & 7;
        if role >= KNIGHT && role <= PAWN {
            let index = if role == PAWN { 0 } else { role as usize };
            numbers[code] = PIECES[2 * index + (code as u8 & BLACK == 0) as usize];
        }
        code += 1;
    }
    numbers
};

/// The number of a piece, by its code, in the key of a position.
#[inline(always)]
fn number(code: u8, square: usize) -> u64 {
    PIECE_NUMBERS[usize::from(code & 15)][square & 63]
}

impl BoardLine<'_> {
    /// The [`Position::polyglot_key`] after each ply, as if nothing could be captured en passant.
    pub fn keys_without_en_passant(&self) -> impl Iterator<Item = u64> {
        Keys::of(*self).map(|ply| ply.key_after)
    }

    /// Adds the first `plies_max` plies, each with the position before it.
    pub fn extend_keyed(&self, plies_max: usize, out: &mut Vec<KeyedPly>) {
        let plies = self.plies().min(plies_max);
        let start = out.len();
        out.reserve(plies);
        self.run(Planes { record: self.record, plies, out });
        let mut promotions = self.promotions.iter().peekable();
        for (index, (ply, keyed)) in Keys::of(*self).zip(&mut out[start..]).enumerate() {
            let en_passant = self.legal_en_passant_square(index);
            keyed.hash = ply.key_before ^ en_passant_number(en_passant);
            keyed.planes[3] |= en_passant.map_or(0, |square| bit(square.index()));
            keyed.planes[0] |= ply.castling_rooks;
            keyed.planes[1] |= ply.castling_rooks;
            let promotion = promotions.next_if(|odd| odd.index == index);
            let promotion = promotion.and_then(|odd| odd.mv.promoted());
            let promotion = promotion.map_or(0, |role| role.index());
            keyed.code = (ply.origin | ply.target << 6 | promotion << 12) as u16;
            keyed.is_irreversible = ply.is_irreversible;
        }
    }
}

/// Writes the planes of the first boards, without castling rights and squares of captures en passant.
struct Planes<'a> {
    record: &'a Record,
    plies: usize,
    out: &'a mut Vec<KeyedPly>,
}

impl WideKernel for Planes<'_> {
    type Output = ();

    #[inline(always)]
    fn run<W: Wide>(self) {
        let codes = W::load(&PLANE_CODES.0);
        self.out.extend((0..self.plies).map(|index| {
            let pieces = self.record.pieces::<W>(index);
            let roles = W::look_up(codes, pieces);
            let plane = |bits: u8| W::intersect(roles, W::fill(bits));
            let black = W::at_least(pieces, W::fill(BLACK));
            let planes = [plane(1), plane(2), plane(4)];
            let white = (planes[0] | planes[1] | planes[2]) & !black;
            let [low, middle, high] = planes;
            let planes = [low, middle, high, white];
            KeyedPly { hash: 0, planes, code: 0, is_irreversible: false }
        }));
    }
}

/// By code of a piece: the code of its role in [`PackedPosition`](crate::chess::PackedPosition).
const PLANE_CODES: Lanes = {
    let mut codes = [0; 64];
    let mut at = 0;
    while at < 64 {
        codes[at] = match at as u8 & 7 {
            PAWN => 1,
            code @ KNIGHT..=KING => code + 1,
            _ => 0,
        };
        at += 1;
    }
    Lanes(codes)
};

/// A ply, with the keys of the positions before and after it, as if nothing could be captured en passant.
struct PlyKeys {
    key_before: u64,
    key_after: u64,
    /// The squares of the rooks with which castling is allowed before it.
    castling_rooks: u64,
    origin: usize,
    /// Of castling, the square of the rook.
    target: usize,
    is_irreversible: bool,
}

/// The plies of a line with their keys.
struct Keys<'a> {
    line: BoardLine<'a>,
    /// The index of the next ply.
    index: usize,
    key: u64,
    rights: Rights,
    promotions: Peekable<Iter<'a, OddPly>>,
}

/// The castling rights, in the order of [`Position::castling_bits`].
#[derive(Clone, Copy)]
struct Rights {
    /// The squares of the kings, as bits.
    kings: [u64; 2],
    /// The square of the rook of each right, as a bit; 0 without the right.
    rooks: [u64; 4],
}

impl Rights {
    fn of(position: &Position) -> Rights {
        let colors = [Color::White, Color::Black];
        let sides = [CastlingSide::Short, CastlingSide::Long];
        let rook = |right: usize| position.castling_rook(colors[right / 2], sides[right % 2]);
        Rights {
            kings: colors.map(|color| bit(position.king(color).index())),
            rooks: [0, 1, 2, 3].map(|right| rook(right).map_or(0, |square| bit(square.index()))),
        }
    }

    /// The squares of pieces that lose a right when they move or are captured.
    fn watched(&self) -> u64 {
        let right = |index: usize| match self.rooks[index] {
            0 => 0,
            rook => rook | self.kings[index / 2],
        };
        right(0) | right(1) | right(2) | right(3)
    }

    /// The squares of all rooks.
    #[inline(always)]
    fn all(&self) -> u64 {
        self.rooks[0] | self.rooks[1] | self.rooks[2] | self.rooks[3]
    }

    fn bits(&self) -> usize {
        (0..4).map(|right| usize::from(self.rooks[right] != 0) << right).sum()
    }

    /// What is left after a move from and to these squares.
    fn after(&self, touched: u64) -> Rights {
        let mut rights = *self;
        for (index, rook) in rights.rooks.iter_mut().enumerate() {
            if touched & (*rook | self.kings[index / 2]) != 0 {
                *rook = 0;
            }
        }
        rights
    }
}

impl<'a> Keys<'a> {
    fn of(line: BoardLine<'a>) -> Keys<'a> {
        Keys {
            line,
            index: 0,
            key: line.first.key_without_en_passant(),
            rights: Rights::of(line.first),
            promotions: line.promotions.iter().peekable(),
        }
    }

    /// What a ply that loses a castling right changes in the key besides the pieces on both squares, and the square of
    /// the rook if it is castling.
    #[cold]
    fn rights_change(&mut self, piece: u8, origin: usize, target: usize) -> (u64, Option<usize>) {
        let before = self.rights;
        self.rights = before.after(bit(origin) | bit(target));
        let change = castling_number(before.bits()) ^ castling_number(self.rights.bits());
        // The king is on the e-file: a line is not of Chess960.
        if piece & 7 != KING || origin.abs_diff(target) != 2 {
            return (change, None);
        }
        let own = 2 * usize::from(piece & BLACK != 0);
        let (right, rook_target) = match target > origin {
            true => (own, target - 1),
            false => (own + 1, target + 1),
        };
        let rook_origin = before.rooks[right].trailing_zeros() as usize & 63;
        let rook = ROOK | piece & BLACK;
        (change ^ number(rook, rook_origin) ^ number(rook, rook_target), Some(rook_origin))
    }
}

impl Iterator for Keys<'_> {
    type Item = PlyKeys;

    #[inline]
    fn next(&mut self) -> Option<PlyKeys> {
        let index = self.index;
        let (&origin, &target) = (self.line.origins.get(index)?, self.line.targets.get(index)?);
        let (origin, mut target) = (origin.trailing_zeros() as usize & 63, usize::from(target));
        let [piece, captured] = [origin, target].map(|square| self.line.piece(index, square));
        let promotion = self.promotions.next_if(|ply| ply.index == index);
        let promoted = promotion.and_then(|ply| ply.mv.promoted());
        let arriving = promoted.map_or(piece, |role| role.index() as u8 | piece & BLACK);
        let mut key = self.key
            ^ WHITE_TO_MOVE
            ^ number(piece, origin)
            ^ number(arriving, target)
            ^ number(captured, target);
        if piece & 7 == PAWN && captured == 0 && (origin ^ target) & 7 != 0 {
            key ^= number(piece ^ BLACK, origin & 56 | target & 7);
        }
        let castling_rooks = self.rights.all();
        let is_irreversible = piece & 7 == PAWN || captured != 0;
        if (bit(origin) | bit(target)) & self.rights.watched() != 0 {
            let (change, rook) = self.rights_change(piece, origin, target);
            key ^= change;
            target = rook.unwrap_or(target);
        }
        let key_before = std::mem::replace(&mut self.key, key);
        self.index = index + 1;
        Some(PlyKeys {
            key_before,
            key_after: key,
            castling_rooks,
            origin,
            target,
            is_irreversible,
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.line.plies() - self.index;
        (left, Some(left))
    }
}

//! The keys of the positions of a line.
//!
//! In: a [`BoardLine`]. Out: for each ply the key of the position after it, as if nothing could be captured en passant.
//! Invariant: it is the [`Position::polyglot_key`] of that position (`fuzz/laws/src/vector.rs`). Cost: five numbers of
//! a table per ply; a whole position only for a king that moves from another file than e while its side may castle,
//! which in Chess960 may be castling of one step or none.

use std::iter::Peekable;
use std::slice::Iter;

use crate::chess::polyglot::{PIECES, WHITE_TO_MOVE, castling_number};
use crate::chess::{CastlingSide, Color, Position};
use crate::notation::OddPly;

use super::board::bit;
use super::board_line::BoardLine;
use super::tables::{BLACK, KING, KNIGHT, PAWN, ROOK};

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
        Keys::of(*self)
    }
}

/// The keys after each ply.
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

    /// What changes in the key besides the pieces on both squares, if a right is lost. `None`: only the position shows
    /// it.
    #[cold]
    fn rights_change(&mut self, piece: u8, origin: usize, target: usize) -> Option<u64> {
        let before = self.rights;
        self.rights = before.after(bit(origin) | bit(target));
        let change = castling_number(before.bits()) ^ castling_number(self.rights.bits());
        if piece & 7 != KING {
            return Some(change);
        }
        let own = usize::from(piece & BLACK != 0);
        match origin & 7 {
            4 if origin.abs_diff(target) != 2 => Some(change),
            4 => {
                let (right, rook_target) = match target > origin {
                    true => (2 * own, target - 1),
                    false => (2 * own + 1, target + 1),
                };
                let rook_origin = before.rooks[right].trailing_zeros() as usize;
                let rook = ROOK | piece & BLACK;
                // The king may come to where the rook was.
                let captured = self.line.piece(self.index, target);
                let rook = number(rook, rook_origin) ^ number(rook, rook_target);
                Some(change ^ rook ^ number(captured, target))
            }
            _ => None,
        }
    }
}

impl Iterator for Keys<'_> {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        let index = self.index;
        let (&origin, &target) = (self.line.origins.get(index)?, self.line.targets.get(index)?);
        let (origin, target) = (origin.trailing_zeros() as usize & 63, usize::from(target));
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
        if (bit(origin) | bit(target)) & self.rights.watched() != 0 {
            key = match self.rights_change(piece, origin, target) {
                Some(change) => key ^ change,
                None => self.line.position(index + 1).key_without_en_passant(),
            };
        }
        (self.key, self.index) = (key, index + 1);
        Some(key)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.line.plies() - self.index;
        (left, Some(left))
    }
}

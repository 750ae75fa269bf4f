//! A position in 32 bytes: what makes two positions the same, whatever moves led to them.
//!
//! In: a position. Out: four bitboards, and the position again, without its move clocks. Invariant: two positions have
//! the same bytes if and only if they have the same first four fields of FEN, the en passant square being there only
//! where a capture is legal, but for the side to move, which is [`PackedPosition`]'s own flag. Cost: some twenty
//! operations on whole boards, no loop over pieces.
//!
//! ```
//! use pgnmill_core::chess::{PackedPosition, Position};
//! let (position, _) = Position::from_fen(b"4k3/8/8/3pP3/8/8/8/R3K3 w Q d6 30 40")?;
//! let packed = PackedPosition::of(&position);
//! assert_eq!(packed.position().to_fen(), "4k3/8/8/3pP3/8/8/8/R3K3 w Q d6 0 1");
//! # Ok::<(), pgnmill_core::chess::FenError>(())
//! ```

use pgnmill_state::state;

use super::attacks::COLORS;
use super::clocks::Clocks;
use super::position::NO_SQUARE;
use super::{Bitboard, Color, Position, Role, Square};

/// The code of a rook with which castling is still allowed; those of the roles are below it, from 1.
const CASTLING_ROOK: u64 = 7;

/// A position without its move clocks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct PackedPosition {
    /// Three bits of the code of each square's piece, 0 for none, then White's pieces. The en passant square, which is
    /// empty, is set among White's pieces.
    pub planes: [u64; 4],
    /// Black is to move, in bit 0; it is a position of Chess960, in bit 1.
    pub flags: u8,
}

state!(PackedPosition { planes, flags });

impl PackedPosition {
    /// The position, whose en passant square counts only where a capture is legal.
    pub fn of(position: &Position) -> PackedPosition {
        PackedPosition::with(position, position.legal_en_passant_square())
    }

    /// The position with this en passant square.
    #[inline(always)]
    pub(crate) fn with(position: &Position, en_passant: Option<Square>) -> PackedPosition {
        let role = |role: Role| position.boards[role.index()];
        let castling = position.castling.0;
        let (queens, kings) = (role(Role::Queen), role(Role::King));
        let low = role(Role::Pawn) | role(Role::Bishop) | queens | castling;
        let middle = role(Role::Knight) | role(Role::Bishop) | kings | castling;
        let high = role(Role::Rook) | queens | kings;
        let white = position.boards[COLORS] | en_passant.map_or(0, |square| Bitboard::of(square).0);
        let flags = position.turn as u8 | u8::from(position.chess960) << 1;
        PackedPosition { planes: [low, middle, high, white], flags }
    }

    /// The side to move.
    pub fn turn(&self) -> Color {
        if self.flags & 1 == 0 { Color::White } else { Color::Black }
    }

    /// The position, with the clocks of a game that begins.
    pub fn position(&self) -> Position {
        let [low, middle, high, white] = self.planes;
        let of = |code: u64| {
            let plane = |bits: u64, bit: u64| if code >> bit & 1 == 0 { !bits } else { bits };
            plane(low, 0) & plane(middle, 1) & plane(high, 2)
        };
        let occupied = low | middle | high;
        let castling = of(CASTLING_ROOK);
        let mut boards = [0; 8];
        for role in Role::ALL {
            boards[role.index()] = of(role.index() as u64 + 1);
        }
        boards[Role::Rook.index()] |= castling;
        (boards[COLORS], boards[COLORS + 1]) = (white & occupied, !white & occupied);
        let passed = white & !occupied;
        let mut position = Position {
            boards,
            castling: Bitboard(castling),
            checkers: Bitboard::EMPTY,
            clocks: Clocks::new(0, 1),
            turn: self.turn(),
            en_passant: if passed == 0 { NO_SQUARE } else { passed.trailing_zeros() as u8 },
            chess960: self.flags & 2 != 0,
        };
        position.checkers = position.find_checkers();
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In random games, which castle, promote and capture en passant: a position comes back without its clocks, and two
    /// positions are equal when the first fields of their records are.
    #[test]
    fn positions_come_back_without_their_clocks() {
        let mut random = 9_u64;
        let mut next = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) as usize % below
        };
        let fields = |position: &Position| {
            let fen = position.to_fen();
            fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
        };
        let starts = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/1P4p1/8/2pP4/5Pp1/8/1p4P1/R3K2R w KQkq c6 0 1",
            "1r2k1r1/8/8/8/8/8/8/1R2K1R1 b GBgb - 0 1",
        ];
        let (mut packed, mut passing) = (std::collections::HashMap::new(), 0);
        for round in 0..300 {
            let (mut position, _) = Position::from_fen(starts[round % 3].as_bytes()).unwrap();
            for _ in 0..60 {
                let key = PackedPosition::of(&position);
                let back = key.position();
                assert_eq!(fields(&back), fields(&position));
                assert_eq!(back.checkers(), position.checkers());
                assert_eq!(back.is_chess960(), position.is_chess960());
                assert_eq!(PackedPosition::of(&back), key);
                passing += usize::from(back.en_passant_square().is_some());
                let text = (fields(&position), position.is_chess960());
                assert_eq!(packed.entry(key).or_insert_with(|| text.clone()), &text);
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves[next(moves.len())]);
            }
        }
        let texts: std::collections::HashSet<_> = packed.values().collect();
        assert_eq!(texts.len(), packed.len());
        assert!(passing > 20 && packed.len() > 5_000, "{passing} {}", packed.len());
    }
}

//! Positions and moves as Polyglot's opening books contain them (Michel Van den Bergh, "Polyglot book format").
//!
//! Input: a position, or a legal move. Output: the 64-bit key of the position, which many programs use as its identity,
//! and the move in 16 bits. The move clocks are not part of the key. In Chess960, where the format says nothing, a
//! castling right counts by its side of the king, as in python-chess.
//!
//! Cost: one table read per piece and right; nothing allocates.
//!
//! ```
//! use pgnmill_core::chess::Position;
//! assert_eq!(Position::initial().polyglot_key(), 0x463b_9618_1691_fc9c);
//! ```

use super::polyglot_random::{CASTLING, EN_PASSANT};
pub(crate) use super::polyglot_random::{PIECES, WHITE_TO_MOVE};
use super::{Color, Move, MoveKind, Position, Role, Square};

/// The numbers of [`CASTLING`] combined, by [`Position::castling_bits`].
static CORNERS: [u64; 16] = {
    let mut keys = [0; 16];
    let mut corners = 0;
    while corners < 16 {
        let mut right = 0;
        while right < 4 {
            if corners >> right & 1 != 0 {
                keys[corners] ^= CASTLING[right];
            }
            right += 1;
        }
        corners += 1;
    }
    keys
};

/// The part of a key for castling rights, by [`Position::castling_bits`].
#[inline]
pub(crate) fn castling_number(bits: usize) -> u64 {
    CORNERS[bits & 15]
}

/// The part of a key for an en passant square.
pub(crate) fn en_passant_number(square: Option<Square>) -> u64 {
    square.map_or(0, |square| EN_PASSANT[usize::from(square.file())])
}

impl Position {
    /// The Polyglot key of the position.
    ///
    /// The file of the en passant square is part of the key only if a pawn of the side to move is beside the pawn that
    /// has just made two steps, whether or not it may legally capture (the format's own rule).
    pub fn polyglot_key(&self) -> u64 {
        self.key_without_en_passant() ^ self.en_passant_key()
    }

    /// The Polyglot key of the position that the first four fields of its FEN record describe: as
    /// [`Position::polyglot_key`], but the en passant square counts only where a capture is legal.
    pub fn polyglot_key_of_fen(&self) -> u64 {
        self.key_without_en_passant() ^ en_passant_number(self.legal_en_passant_square())
    }

    /// The part of the key for everything but the en passant square.
    pub(crate) fn key_without_en_passant(&self) -> u64 {
        let mut key = CORNERS[self.castling_bits() & 15];
        if self.turn() == Color::White {
            key ^= WHITE_TO_MOVE;
        }
        for role in Role::ALL {
            for (offset, color) in [Color::Black, Color::White].into_iter().enumerate() {
                let numbers = &PIECES[2 * role.index() + offset];
                for square in self.role(role) & self.color(color) {
                    key ^= numbers[square.index()];
                }
            }
        }
        key
    }

    /// [`Position::key_without_en_passant`] of the position `after` a legal move of this one, whose own is `key`.
    #[inline(always)]
    pub(crate) fn key_after(&self, key: u64, mv: Move, after: &Position) -> u64 {
        if mv.kind() != MoveKind::Normal {
            return after.key_without_en_passant();
        }
        let (origin, target) = (mv.origin().index(), mv.target().index());
        let us = usize::from(self.turn() == Color::White);
        let mut next = key
            ^ WHITE_TO_MOVE
            ^ PIECES[2 * mv.role().index() + us][origin]
            ^ PIECES[2 * mv.arriving_role().index() + us][target];
        if self.them().has(mv.target()) {
            let captured = self.role_at(mv.target()).map_or(0, Role::index);
            next ^= PIECES[2 * captured + (us ^ 1)][target];
        }
        if self.castling != after.castling {
            next ^= CORNERS[self.castling_bits() & 15] ^ CORNERS[after.castling_bits() & 15];
        }
        next
    }

    /// The part of the key for the en passant square.
    fn en_passant_key(&self) -> u64 {
        match self.en_passant_square() {
            Some(square) if self.own_attackers(Role::Pawn, square).has_any() => {
                EN_PASSANT[usize::from(square.file())]
            }
            _ => 0,
        }
    }

    /// A legal move of this position in Polyglot's 16 bits: target in bits 0–5 and origin in bits 6–11, each a file
    /// below a rank; promotion in bits 12–14 (0 none, 1 knight, 2 bishop, 3 rook, 4 queen). Castling is the king's move
    /// to the square of its rook.
    ///
    /// ```
    /// use pgnmill_core::chess::Move;
    /// use pgnmill_core::chess::Position;
    /// let position = Position::initial();
    /// let mv = Move::from_uci(&position, "e2e4")?;
    /// assert_eq!(position.polyglot_move(mv), 12 << 6 | 28);
    /// # Ok::<(), pgnmill_core::chess::UciError>(())
    /// ```
    pub fn polyglot_move(&self, mv: Move) -> u16 {
        let promotion = mv.promoted().map_or(0, Role::index);
        (mv.target().index() | mv.origin().index() << 6 | promotion << 12) as u16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(moves: &str) -> Position {
        moves.split_whitespace().fold(Position::initial(), |position, text| {
            position.play(Move::from_uci(&position, text).expect("a legal move"))
        })
    }

    fn position(fen: &str) -> Position {
        Position::from_fen(fen.as_bytes()).expect("a position").0
    }

    /// The table of test data in the document of the format.
    #[test]
    fn the_keys_are_those_of_the_document_of_the_format() {
        for (moves, key) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            // En passant is possible.
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            assert_eq!(after(moves).polyglot_key(), key, "{moves}");
        }
    }

    #[test]
    fn castling_rights_count_by_their_side_also_in_chess960() {
        let board = "rk5r/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1";
        let key = |rights: &str| position(&format!("{board} w {rights} - 0 1")).polyglot_key();
        let all = key("KQkq");
        assert_eq!(all, key("GBha"));
        for (rights, right) in [("Qkq", 0), ("Kkq", 1), ("KQq", 2), ("KQk", 3)] {
            assert_eq!(key(rights), all ^ CASTLING[right], "{rights}");
        }
        assert_eq!(key("-"), CASTLING.iter().fold(all, |key, number| key ^ number));
        // The same in the corners, where a table has the combined numbers.
        let board = "r3k2r/8/8/8/8/8/8/R3K2R";
        let key = |rights: &str| position(&format!("{board} w {rights} - 0 1")).polyglot_key();
        for (rights, right) in [("K", 0), ("Q", 1), ("k", 2), ("q", 3)] {
            assert_eq!(key(rights), key("-") ^ CASTLING[right], "{rights}");
        }
    }

    #[test]
    fn en_passant_counts_if_a_pawn_is_beside_the_pushed_pawn() {
        let differs = |board: &str, square: &str| {
            let key = |square: &str| position(&format!("{board} {square} 0 1")).polyglot_key();
            let file = usize::from(square.as_bytes()[0] - b'a');
            match key(square) ^ key("-") {
                0 => false,
                difference => {
                    assert_eq!(difference, EN_PASSANT[file], "{board}");
                    true
                }
            }
        };
        assert!(differs("4k3/8/8/3Pp3/8/8/8/4K3 w -", "e6"));
        assert!(!differs("4k3/8/8/4p3/3P4/8/8/4K3 w -", "e6"));
        // A pawn on the other edge of the board is not beside it.
        assert!(!differs("4k3/8/8/p7/7P/8/8/4K3 w -", "a6"));
        assert!(!differs("4k3/8/7P/p7/8/8/8/4K3 w -", "a6"));
        // The capture is not legal, but counts: the pawn is pinned.
        assert!(differs("3rk3/8/8/3Pp3/8/8/8/3K4 w -", "e6"));
        assert!(differs("4k3/8/8/8/pP6/8/8/4K3 b -", "b3"));
    }

    /// In random games: the key that follows from that of the position before is that of the position.
    #[test]
    fn keys_follow_from_those_before() {
        let mut random = 3_u64;
        for round in 0..200 {
            let start = [
                "r3k2r/1P4p1/8/2pP4/5Pp1/8/1p4P1/R3K2R w KQkq c6",
                "rk5r/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 b KQkq -",
            ];
            let mut at = position(&format!("{} 0 1", start[round % 2]));
            let mut key = at.key_without_en_passant();
            for _ in 0..60 {
                let moves = at.legal_moves();
                if moves.is_empty() {
                    break;
                }
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let mv = moves[(random >> 33) as usize % moves.len()];
                let after = at.play(mv);
                key = at.key_after(key, mv, &after);
                assert_eq!(key, after.key_without_en_passant(), "{} {mv}", at.to_fen());
                let (of_fen, _) = Position::from_fen(after.to_fen().as_bytes()).unwrap();
                assert_eq!(after.polyglot_key_of_fen(), of_fen.polyglot_key_of_fen());
                at = after;
            }
        }
    }

    #[test]
    fn moves_are_packed_in_sixteen_bits() {
        let packed = |position: &Position, text: &str| {
            position.polyglot_move(Move::from_uci(position, text).expect("a legal move"))
        };
        assert_eq!(packed(&Position::initial(), "g1f3"), 6 << 6 | 21);
        let castles = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        assert_eq!(packed(&castles, "e1g1"), 4 << 6 | 7);
        assert_eq!(packed(&castles, "e1c1"), 4 << 6);
        let promotes = position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1");
        for (number, letter) in (1..).zip("nbrq".chars()) {
            let text = format!("a7a8{letter}");
            assert_eq!(packed(&promotes, &text), number << 12 | 48 << 6 | 56, "{text}");
        }
        let passes = after("e2e4 a7a6 e4e5 d7d5");
        assert_eq!(packed(&passes, "e5d6"), 36 << 6 | 43);
    }
}

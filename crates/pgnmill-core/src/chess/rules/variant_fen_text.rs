//! Positions of the Lichess variants as text (`variants.md`, 2).
//!
//! In: a [`VariantPosition`]. Out: its FEN record: that of chess, with `~` after promoted pieces and the pockets in
//! brackets (`[PNBRQpnbrq]`) in Crazyhouse, and with the checks that are still needed (`3+3`) before the clocks in
//! Three-check. Invariant: the record is read as the same position.
//!
//! ```
//! use pgnmill_core::chess::rules::VariantKind;
//! let record = "4k3/8/8/8/8/8/8/4K1N~1[NQp] w - - 0 1";
//! let (position, _) = VariantKind::Crazyhouse.from_fen(record.as_bytes(), false).unwrap();
//! assert_eq!(position.to_fen(), record);
//! ```

use super::variant_position::{CHECKS_MAX, VariantPosition};
use crate::chess::{CastlingSide, Color, Move, Role, Square};

/// The roles of a pocket, in the order of a record.
const POCKET: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

impl VariantPosition {
    /// The FEN record.
    pub fn to_fen(&self) -> String {
        let mut record = Vec::new();
        self.write_fen(&mut record);
        String::from_utf8_lossy(&record).into_owned()
    }

    /// Appends the FEN record to `out`: an en passant square only where such a capture is legal.
    pub fn write_fen(&self, out: &mut Vec<u8>) {
        let mut plain = Vec::with_capacity(96);
        self.base.write_fen_with(&mut plain, self.legal_en_passant_square());
        let board_end = plain.iter().position(|&byte| byte == b' ').unwrap_or(plain.len());
        let (board, rest) = plain.split_at(board_end);
        self.write_board(board, out);
        let rules = self.kind.rules();
        if rules.has_pockets {
            out.push(b'[');
            self.write_pocket(Color::White, out);
            self.write_pocket(Color::Black, out);
            out.push(b']');
        }
        if !rules.counts_checks {
            return out.extend_from_slice(rest);
        }
        // After the side to move, the rights and the en passant square.
        let is_space = |(_, byte): &(usize, &u8)| **byte == b' ';
        let clocks =
            rest.iter().enumerate().filter(is_space).nth(3).map_or(rest.len(), |(at, _)| at);
        let needed = self.checks.map(|given| b'0' + CHECKS_MAX.saturating_sub(given));
        out.extend_from_slice(&rest[..clocks]);
        out.extend_from_slice(&[b' ', needed[0], b'+', needed[1]]);
        out.extend_from_slice(&rest[clocks..]);
    }

    /// The en passant square, if a pawn can legally capture there.
    pub fn legal_en_passant_square(&self) -> Option<Square> {
        let square = self.base.en_passant_square()?;
        let mut pawns = self.base.own_attackers(Role::Pawn, square).into_iter();
        let can =
            pawns.any(|pawn| !self.is_over() && self.is_legal(Move::en_passant(pawn, square)));
        can.then_some(square)
    }

    /// The castling move of a side, if it is legal now.
    pub(crate) fn castle(&self, side: CastlingSide) -> Option<Move> {
        let mut found = None;
        self.visit_pseudo_legal(&mut |mv| {
            found = found.or(Some(mv).filter(|mv| mv.castling_side() == Some(side)));
            found.is_some()
        });
        found.filter(|_| !self.is_over())
    }

    /// The piece placement, with `~` after promoted pieces.
    fn write_board(&self, board: &[u8], out: &mut Vec<u8>) {
        let (mut file, mut rank) = (0, 7_u8);
        for &byte in board {
            out.push(byte);
            match byte {
                b'/' => (file, rank) = (0, rank.saturating_sub(1)),
                b'1'..=b'8' => file += byte - b'0',
                _ => {
                    if self.promoted.has(Square::at(file & 7, rank)) {
                        out.push(b'~');
                    }
                    file += 1;
                }
            }
        }
    }

    fn write_pocket(&self, color: Color, out: &mut Vec<u8>) {
        for role in POCKET {
            let letter = match color {
                Color::White => role.letter(),
                Color::Black => role.letter().to_ascii_lowercase(),
            };
            for _ in 0..self.in_pocket(color, role) {
                out.push(letter);
            }
        }
    }
}

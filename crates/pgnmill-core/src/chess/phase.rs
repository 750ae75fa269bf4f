//! What a position has: the phase of a game to which it belongs, and its material.
//!
//! In: a position, or its bitboards. Out: a number from 0 (opening) to 2 (endgame), a signature such as `KRPkr`,
//! points. Cost: some counts of bits; nothing allocates.
//!
//! ```
//! use pgnmill_core::chess::{Color, Position};
//! let (position, _) = Position::from_fen(b"8/8/8/4k3/7r/8/4KP2/4R3 w - - 0 1")?;
//! let mut signature = Vec::new();
//! position.write_material(&mut signature);
//! assert_eq!((&signature[..], position.phase(), position.points(Color::White)), (&b"KRPkr"[..], 2, 6));
//! # Ok::<(), pgnmill_core::chess::FenError>(())
//! ```

use super::{Bitboard, Color, Position, Role};

/// The roles in the order of a signature, with their points: those that are usual, which no rule states.
const ORDER: [(Role, u32); 6] = [
    (Role::King, 0),
    (Role::Queen, 9),
    (Role::Rook, 5),
    (Role::Bishop, 3),
    (Role::Knight, 3),
    (Role::Pawn, 1),
];

/// The phase of a position before a move: 0 opening, 1 middlegame, 2 endgame. The bounds are those of Lichess's
/// division of games, without its measure of how far the sides have mixed: the endgame has at most six pieces (neither
/// pawn nor king), the opening more than ten, and on each back rank at least four pieces of its side, pawns included.
#[inline(always)]
pub(crate) fn phase_of(pieces_count: u32, [white, black]: [Bitboard; 2]) -> usize {
    if pieces_count <= 6 {
        return 2;
    }
    let home = |color: Color, side: Bitboard| (side & Bitboard::rank(color.rank(0))).count();
    let is_sparse = home(Color::White, white) < 4 || home(Color::Black, black) < 4;
    usize::from(pieces_count <= 10 || is_sparse)
}

impl Position {
    /// The phase to which the position belongs: 0 opening, 1 middlegame, 2 endgame, as `measure --by phase` groups.
    pub fn phase(&self) -> usize {
        let pieces = self.occupied() & !self.role(Role::Pawn) & !self.role(Role::King);
        phase_of(pieces.count(), [Color::White, Color::Black].map(|color| self.color(color)))
    }

    /// Appends the signature of the pieces on the board, such as `KRPkr`: in the order KQRBNP, White in capital
    /// letters.
    pub fn write_material(&self, out: &mut Vec<u8>) {
        for color in [Color::White, Color::Black] {
            let side = self.color(color);
            for (role, _) in ORDER {
                let letter = role.letter() | if color == Color::Black { 0x20 } else { 0 };
                let count = (self.role(role) & side).count() as usize;
                out.resize(out.len() + count, letter);
            }
        }
    }

    /// The points of a side's pieces on the board: pawn 1, knight and bishop 3, rook 5, queen 9.
    pub fn points(&self, color: Color) -> u32 {
        let side = self.color(color);
        ORDER.iter().map(|&(role, points)| (self.role(role) & side).count() * points).sum()
    }
}

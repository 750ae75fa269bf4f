//! Colours and roles (kinds of piece).

use pgnmill_state::state;

/// White or Black.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Color {
    /// The side that begins.
    White = 0,
    /// The other side.
    Black = 1,
}

state!(enum Color { 0 => White, 1 => Black });

impl Color {
    /// The opponent.
    #[inline(always)]
    pub const fn other(self) -> Color {
        match self {
            Color::White => Color::Black,
            Color::Black => Color::White,
        }
    }

    /// 0 for White, 1 for Black.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rank (0 to 7) that `rank` is when counted from this side: `White.rank(1)` is the second rank,
    /// `Black.rank(1)` the seventh.
    #[inline(always)]
    pub const fn rank(self, rank: u8) -> u8 {
        match self {
            Color::White => rank,
            Color::Black => 7 - rank,
        }
    }
}

/// A kind of piece, pawn lowest: the order P N B R Q K of the priority notations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
#[repr(u8)]
pub enum Role {
    /// ♙
    Pawn = 0,
    /// ♘
    Knight = 1,
    /// ♗
    Bishop = 2,
    /// ♖
    Rook = 3,
    /// ♕
    Queen = 4,
    /// ♔
    King = 5,
}

impl Role {
    /// All roles, pawn to king.
    pub const ALL: [Role; 6] =
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King];

    /// The roles a pawn may be promoted to, knight to queen.
    pub const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

    /// 0 for the pawn … 5 for the king.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The role with this number, if it is below 6.
    #[inline(always)]
    pub const fn from_index(index: u8) -> Option<Role> {
        match index {
            0 => Some(Role::Pawn),
            1 => Some(Role::Knight),
            2 => Some(Role::Bishop),
            3 => Some(Role::Rook),
            4 => Some(Role::Queen),
            5 => Some(Role::King),
            _ => None,
        }
    }

    /// The English capital letter, `P` for the pawn (PGN standard 8.2.3.2).
    #[inline(always)]
    pub const fn letter(self) -> u8 {
        b"PNBRQK"[self as usize]
    }

    /// The role of an English letter, capital only.
    #[inline(always)]
    pub const fn from_letter(letter: u8) -> Option<Role> {
        match letter {
            b'P' => Some(Role::Pawn),
            b'N' => Some(Role::Knight),
            b'B' => Some(Role::Bishop),
            b'R' => Some(Role::Rook),
            b'Q' => Some(Role::Queen),
            b'K' => Some(Role::King),
            _ => None,
        }
    }
}

//! One move, packed in a word. Castling is stored as "king takes own rook", which is unambiguous in chess and in
//! Chess960.

use pgnmill_state::state;
use std::fmt;

use super::{Role, Square};

/// What is special about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum MoveKind {
    /// A piece goes from origin to target and captures what is there.
    Normal = 0,
    /// A pawn captures a pawn that has just passed it (FIDE law 3.7.4).
    EnPassant = 1,
    /// Castling with the rook on the h side.
    CastleShort = 2,
    /// Castling with the rook on the a side.
    CastleLong = 3,
}

/// The two sides of castling.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum CastlingSide {
    /// King to the g-file, rook to the f-file.
    Short,
    /// King to the c-file, rook to the d-file.
    Long,
}

impl CastlingSide {
    /// The king's arrival square on rank `rank` (0 or 7).
    #[inline(always)]
    pub const fn king_target(self, rank: u8) -> Square {
        match self {
            CastlingSide::Short => Square::at(6, rank),
            CastlingSide::Long => Square::at(2, rank),
        }
    }

    /// The rook's arrival square on the same rank.
    #[inline(always)]
    pub const fn rook_target(self, rank: u8) -> Square {
        match self {
            CastlingSide::Short => Square::at(5, rank),
            CastlingSide::Long => Square::at(3, rank),
        }
    }
}

/// A move. Two moves of a position are equal exactly when they are the same move.
///
/// Layout, low bits first: origin 6, target 6, role 3, promotion 3 (0 = none), kind 2, drop 1. A drop has its square as
/// origin and as target.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(u32);

state!(Move = bits);

impl Move {
    /// A move that is neither castling nor en passant nor a promotion.
    #[inline(always)]
    pub const fn normal(role: Role, origin: Square, target: Square) -> Move {
        Move(origin.index() as u32 | (target.index() as u32) << 6 | (role as u32) << 12)
    }

    /// [`Move::normal`] of the role with this index, which is below 6.
    #[inline(always)]
    pub(crate) const fn normal_of(role: usize, origin: usize, target: usize) -> Move {
        Move(origin as u32 & 63 | (target as u32 & 63) << 6 | (role as u32 & 7) << 12)
    }

    /// A promotion.
    #[inline(always)]
    pub const fn promotion(origin: Square, target: Square, to: Role) -> Move {
        Move(Move::normal(Role::Pawn, origin, target).0 | (to as u32) << 15)
    }

    /// A pawn captures en passant; the target is the square passed over.
    #[inline(always)]
    pub const fn en_passant(origin: Square, target: Square) -> Move {
        Move(Move::normal(Role::Pawn, origin, target).0 | 1 << 18)
    }

    /// Castling: the target is the square of the castling rook.
    #[inline(always)]
    pub const fn castle(side: CastlingSide, king: Square, rook: Square) -> Move {
        let kind = match side {
            CastlingSide::Short => 2,
            CastlingSide::Long => 3,
        };
        Move(Move::normal(Role::King, king, rook).0 | kind << 18)
    }

    /// A piece of a pocket is put on an empty square; only some rulesets have drops.
    #[inline(always)]
    pub const fn drop(role: Role, square: Square) -> Move {
        Move(Move::normal(role, square, square).0 | 1 << 20)
    }

    /// Is it a drop?
    #[inline(always)]
    pub const fn is_drop(self) -> bool {
        self.0 >> 20 & 1 != 0
    }

    /// The square that the piece leaves.
    #[inline(always)]
    pub const fn origin(self) -> Square {
        Square::new(self.0 as u8)
    }

    /// The square that the piece reaches; for castling, the square of the castling rook.
    #[inline(always)]
    pub const fn target(self) -> Square {
        Square::new((self.0 >> 6) as u8)
    }

    /// The moving role: the pawn for a promotion, the king for castling.
    #[inline(always)]
    pub const fn role(self) -> Role {
        match Role::from_index((self.0 >> 12 & 7) as u8) {
            Some(role) => role,
            None => Role::Pawn,
        }
    }

    /// The index of [`Move::role`], for tables of eight rows.
    #[inline(always)]
    pub(crate) const fn role_index(self) -> usize {
        (self.0 >> 12 & 7) as usize
    }

    /// The piece that a promoted pawn becomes.
    #[inline(always)]
    pub const fn promoted(self) -> Option<Role> {
        match self.0 >> 15 & 7 {
            0 => None,
            index => Role::from_index(index as u8),
        }
    }

    /// The role on the target afterwards: the promoted piece, or the moving one.
    #[inline(always)]
    pub const fn arriving_role(self) -> Role {
        match self.promoted() {
            Some(role) => role,
            None => self.role(),
        }
    }

    /// What is special about the move.
    #[inline(always)]
    pub const fn kind(self) -> MoveKind {
        match self.0 >> 18 & 3 {
            0 => MoveKind::Normal,
            1 => MoveKind::EnPassant,
            2 => MoveKind::CastleShort,
            _ => MoveKind::CastleLong,
        }
    }

    /// Is it neither a promotion nor en passant nor castling nor a drop?
    #[inline(always)]
    pub const fn is_plain(self) -> bool {
        self.0 >> 15 == 0
    }

    /// The side of castling, if it is castling.
    #[inline(always)]
    pub const fn castling_side(self) -> Option<CastlingSide> {
        match self.kind() {
            MoveKind::CastleShort => Some(CastlingSide::Short),
            MoveKind::CastleLong => Some(CastlingSide::Long),
            _ => None,
        }
    }

    /// The square of the moving piece afterwards: the target; for castling, the king's arrival square.
    #[inline(always)]
    pub const fn arrival(self) -> Square {
        match self.castling_side() {
            Some(side) => side.king_target(self.origin().rank()),
            None => self.target(),
        }
    }
}

/// UCI text in which castling is "king takes rook" (`e1h1`), since a move alone does not tell chess from Chess960.
/// [`super::UciMove`] writes castling for a position. A drop is `N@f3`.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_drop() {
            return write!(f, "{}@{}", self.role().letter() as char, self.target());
        }
        write!(f, "{}{}", self.origin(), self.target())?;
        match self.promoted() {
            Some(role) => write!(f, "{}", role.letter().to_ascii_lowercase() as char),
            None => Ok(()),
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} {}{}", self.role(), self.origin(), self.target())?;
        if let Some(role) = self.promoted() {
            write!(f, "={}", role.letter() as char)?;
        }
        if self.kind() != MoveKind::Normal {
            write!(f, " {:?}", self.kind())?;
        }
        Ok(())
    }
}

//! A play of Chess 99, with its wire form.
//!
//! In: squares, a promotion, what is special. Out: a [`Play99`], whose text is `e2e4`, `b8b9=B`, `c9=N` or `c9=Nd7` (a
//! late promotion), `a4b5*` (en passant), `K:e1d1&a1` (castling).

use std::fmt;

use super::square::{Role99, Square99};

/// What is special about a play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) enum Special {
    None,
    /// The piece that passed over the arrival square is captured.
    EnPassant,
    /// The target is the square of the king's partner.
    Castling,
}

/// A play. Two plays of a position are equal exactly when they are the same play.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Play99 {
    pub(super) origin: Square99,
    pub(super) target: Square99,
    /// What a pawn becomes; that of a pawn on its last rank is a late promotion.
    pub(super) promotion: Option<Role99>,
    pub(super) special: Special,
    /// Was the pawn on its last rank before?
    pub(super) is_late: bool,
}

impl Play99 {
    pub(super) fn new(origin: Square99, target: Square99) -> Play99 {
        Play99 { origin, target, promotion: None, special: Special::None, is_late: false }
    }

    pub(super) fn castling(king: Square99, partner: Square99) -> Play99 {
        Play99 { special: Special::Castling, ..Play99::new(king, partner) }
    }

    /// The square that the piece leaves; the king's in castling.
    pub fn origin(self) -> Square99 {
        self.origin
    }

    /// The square that the piece reaches; that of the king's partner in castling. It is the origin of a promotion in
    /// place.
    pub fn target(self) -> Square99 {
        self.target
    }

    /// What a pawn becomes.
    pub fn promotion(self) -> Option<Role99> {
        self.promotion
    }

    /// Is it the promotion of a pawn that was on its last rank?
    pub fn is_late_promotion(self) -> bool {
        self.is_late
    }

    /// Is a piece captured en passant?
    pub fn is_en_passant(self) -> bool {
        self.special == Special::EnPassant
    }

    /// Is it castling?
    pub fn is_castling(self) -> bool {
        self.special == Special::Castling
    }
}

impl fmt::Display for Play99 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Play99 { origin, target, promotion, is_late, .. } = *self;
        if self.is_castling() {
            let step = if target.file() > origin.file() { 1 } else { -1 };
            let beside = origin.step((step, 0)).unwrap_or(target);
            return write!(f, "K:{origin}{beside}&{target}");
        }
        let letter = promotion.map(|role| role.letter() as char);
        match letter {
            Some(letter) if is_late && origin == target => write!(f, "{origin}={letter}")?,
            Some(letter) if is_late => write!(f, "{origin}={letter}{target}")?,
            Some(letter) => write!(f, "{origin}{target}={letter}")?,
            None => write!(f, "{origin}{target}")?,
        }
        if self.is_en_passant() { f.write_str("*") } else { Ok(()) }
    }
}

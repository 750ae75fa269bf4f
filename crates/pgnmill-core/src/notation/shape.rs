//! The shape of a ply: one small number from which the lengths of most texts follow.
//!
//! Input: a [`Ply`]. Output: a [`Shape`]: the moving role, the capture, the promotion, the check, and SAN's
//! disambiguation. There are [`Shape::COUNT`] numbers, so that plies are counted by shape and the lengths of all
//! notations that follow from it are looked up when the tables are written. Cost: some tens of instructions per ply;
//! queries to a shape are made once per shape.
//!
//! ```
//! use pgnmill_core::chess::Position;
//! use pgnmill_core::chess::Role;
//! use pgnmill_core::notation::{self, Check, Disambiguation, Ply, Shape};
//! let san = notation::find("san").unwrap();
//! let position = Position::initial();
//! let mv = san.decode(&position, b"Nf3").unwrap();
//! let after = position.play(mv);
//! let shape = Shape::of(&Ply::new(&position, mv, &after, Check::None), Disambiguation::None);
//! assert_eq!(shape.role(), Role::Knight);
//! assert_eq!(san.shape_length(shape).unwrap().characters, 3);
//! ```

use crate::chess::{Bitboard, CastlingSide, Position, Role, Square};

use super::{Check, Disambiguation, Ply};

/// What the lengths of most texts depend on.
///
/// Layout, low bits first: check 2, SAN's disambiguation 2, action 4, role 3. The action of a pawn is 0 for one step
/// and 1 for two, 2 and 3 for the capture of a pawn or a piece, 4 en passant, 4 + the promoted role (knight 1 … queen
/// 4), and 8 + the same with a capture. That of a piece has bit 0 set if file and rank both change, and from bit 1 on
/// 0, 1 or 2 for no capture, a pawn, a piece. Castling is 8 on the h side, 9 if another rook is there too, 10 on the a
/// side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape(u16);

const DOUBLE: u16 = 1;
const TAKES: u16 = 1;
const EN_PASSANT: u16 = 4;
const PROMOTES: u16 = 4;
const TAKING: u16 = 4;
const CASTLES: u16 = 8;

impl Shape {
    /// How many numbers there are; not all are shapes of a ply.
    pub const COUNT: usize = 6 << 8;
    /// The shift of SAN's disambiguation in [`Shape::index`]: 0 for a pawn.
    pub const DISAMBIGUATION_SHIFT: u32 = 2;

    /// The shape of a ply with this disambiguation in SAN.
    #[inline(always)]
    pub fn of(ply: &Ply<'_>, disambiguation: Disambiguation) -> Shape {
        let (position, mv) = (ply.before(), ply.mv());
        if mv.is_plain() {
            return Shape::of_plain(ply, disambiguation);
        }
        let role = mv.role();
        let action = match (mv.castling_side(), mv.promoted()) {
            (Some(side), _) => castles(ply, side),
            (_, Some(role)) => {
                let takes = position.them().has(mv.target());
                PROMOTES + role.index() as u16 + if takes { TAKING } else { 0 }
            }
            _ => EN_PASSANT,
        };
        let check = ply.check() as u16;
        Shape(
            (role.index() as u16) << 8
                | action << 4
                | (disambiguation as u16) << Self::DISAMBIGUATION_SHIFT
                | check,
        )
    }

    /// The shape of a move that is neither castling nor en passant nor a promotion: by lookup, since roles are badly
    /// predicted.
    #[inline(always)]
    fn of_plain(ply: &Ply<'_>, disambiguation: Disambiguation) -> Shape {
        let (position, mv) = (ply.before(), ply.mv());
        let (role, origin, target) = (mv.role_index(), mv.origin().index(), mv.target());
        let taken = position.them() & Bitboard::of(target);
        // No capture, a pawn, a piece.
        let victim = usize::from(taken.has_any())
            + usize::from((taken & !position.role(Role::Pawn)).has_any());
        let (step, victim) = (STEPS[role][origin ^ target.index()], VICTIMS[role][victim]);
        Shape(
            step + victim
                + ((disambiguation as u16) << Self::DISAMBIGUATION_SHIFT)
                + ply.check() as u16,
        )
    }

    /// By the bytes of a shape (see `shape_bytes`): is it a capture by a pawn, not en passant, without promotion?
    #[inline(always)]
    pub fn is_usual_pawn_capture(low: u8, high: u8) -> bool {
        high == 0 && low & 0xe0 == shape_bytes::PAWN_TAKES_PAWN
    }

    /// The shape of this number, if a ply can have it.
    pub fn from_index(index: usize) -> Option<Shape> {
        let shape = Shape(index as u16);
        let is_action = match shape.action() {
            13.. => false,
            action if shape.is_pawn() => action < 13,
            action => action < 6 || shape.castling().is_some(),
        };
        (index < Shape::COUNT && index & 3 < 3 && is_action).then_some(shape)
    }

    /// Its number.
    #[inline(always)]
    pub fn index(self) -> u16 {
        self.0
    }

    const fn action(self) -> u16 {
        self.0 >> 4 & 15
    }

    const fn is_pawn(self) -> bool {
        self.0 >> 8 == 0
    }

    /// The moving role: king for castling, pawn for a promotion.
    pub fn role(self) -> Role {
        Role::from_index((self.0 >> 8) as u8).unwrap_or(Role::Pawn)
    }

    /// The effect on the other king.
    pub fn check(self) -> Check {
        match self.0 & 3 {
            0 => Check::None,
            1 => Check::Check,
            _ => Check::Mate,
        }
    }

    /// SAN's disambiguation of a piece.
    pub fn disambiguation(self) -> Disambiguation {
        match self.0 >> Self::DISAMBIGUATION_SHIFT & 3 {
            _ if self.is_pawn() => Disambiguation::None,
            0 => Disambiguation::None,
            1 => Disambiguation::File,
            2 => Disambiguation::Rank,
            _ => Disambiguation::Square,
        }
    }

    /// The side of castling.
    pub fn castling(self) -> Option<CastlingSide> {
        match self.action() {
            _ if self.is_pawn() => None,
            10 if self.role() == Role::King => Some(CastlingSide::Long),
            8 | 9 if self.role() == Role::King => Some(CastlingSide::Short),
            _ => None,
        }
    }

    /// Is it castling with a rook that must be named, because another rook is on the h side?
    pub(super) fn is_rook_named(self) -> bool {
        self.castling().is_some() && self.action() > 8
    }

    /// The piece that a pawn becomes.
    pub fn promoted(self) -> Option<Role> {
        match self.action() {
            5..13 if self.is_pawn() => Role::from_index(((self.action() - 5) % 4 + 1) as u8),
            _ => None,
        }
    }

    /// Does a pawn capture one that has just passed it?
    pub fn is_en_passant(self) -> bool {
        self.is_pawn() && self.action() == EN_PASSANT
    }

    /// Is it a capture?
    pub fn is_capture(self) -> bool {
        match self.action() {
            _ if self.is_pawn() => self.is_pawn_capture(),
            action => self.castling().is_none() && action >> 1 > 0,
        }
    }

    /// Is it a capture by a pawn?
    #[inline(always)]
    pub fn is_pawn_capture(self) -> bool {
        /// One bit per action: capture, en passant, capture with promotion.
        const CAPTURES: u16 = 0b1_1110_0001_1100;
        self.is_pawn() && CAPTURES >> self.action() & 1 == 1
    }

    /// Is a piece captured, not a pawn?
    pub(super) fn takes_piece(self) -> bool {
        match self.action() {
            action if self.is_pawn() => matches!(action, 3 | 9..=12),
            action => self.castling().is_none() && action >> 1 == 2,
        }
    }

    /// Does a pawn advance by two squares?
    pub(super) fn is_double(self) -> bool {
        self.is_pawn() && self.action() == DOUBLE
    }

    /// Does a piece change both file and rank?
    pub(super) fn is_oblique(self) -> bool {
        !self.is_pawn() && self.castling().is_none() && self.action() & 1 == 1
    }

    // Summands of lengths: 0 or 1.

    pub(super) fn piece(self) -> u8 {
        u8::from(!self.is_pawn())
    }

    pub(super) fn capture(self) -> u8 {
        u8::from(self.is_capture())
    }

    pub(super) fn promotion(self) -> u8 {
        u8::from(self.promoted().is_some())
    }

    /// Check or mate.
    pub(super) fn checks(self) -> u8 {
        u8::from(self.check() != Check::None)
    }

    /// The length of SAN's piece letter and disambiguation; for a pawn that captures, of its file.
    pub(super) fn san_origin(self) -> u8 {
        let origin = match self.disambiguation() {
            Disambiguation::None => 0,
            Disambiguation::File | Disambiguation::Rank => 1,
            Disambiguation::Square => 2,
        };
        if self.is_pawn() { self.capture() } else { 1 + origin }
    }

    /// The length of a text with castling `O-O` or `O-O-O`: 3 or 5 for castling, otherwise `other`.
    pub(super) fn castling_or(self, other: u8) -> u8 {
        match self.castling() {
            None => other,
            Some(CastlingSide::Short) => 3,
            Some(CastlingSide::Long) => 5,
        }
    }
}

/// The summands of the lower byte of [`Shape::index`], whose upper byte is the role, for code that finds the shapes of
/// many plies at once.
pub(crate) mod shape_bytes {
    use super::{CASTLES, DOUBLE, Disambiguation, Shape, TAKES};
    use crate::notation::Check;

    pub(crate) const CHECK: u8 = Check::Check as u8;
    pub(crate) const MATE: u8 = Check::Mate as u8;
    pub(crate) const FILE: u8 = (Disambiguation::File as u8) << Shape::DISAMBIGUATION_SHIFT;
    pub(crate) const RANK: u8 = (Disambiguation::Rank as u8) << Shape::DISAMBIGUATION_SHIFT;
    pub(crate) const SQUARE: u8 = (Disambiguation::Square as u8) << Shape::DISAMBIGUATION_SHIFT;
    pub(crate) const DOUBLE_STEP: u8 = (DOUBLE << 4) as u8;
    pub(crate) const PAWN_TAKES_PAWN: u8 = ((TAKES + 1) << 4) as u8;
    pub(crate) const PAWN_TAKES_PIECE: u8 = ((TAKES + 2) << 4) as u8;
    pub(crate) const OBLIQUE: u8 = 1 << 4;
    pub(crate) const TAKES_PAWN: u8 = 2 << 4;
    pub(crate) const TAKES_PIECE: u8 = 4 << 4;
    pub(crate) const CASTLES_SHORT: u8 = (CASTLES << 4) as u8;
    pub(crate) const CASTLES_LONG: u8 = ((CASTLES + 2) << 4) as u8;
}

/// By role and by the bits in which origin and target differ: the role, and the part of the action that depends on the
/// step. Of the steps of a pawn only the double one differs in the second bit of the rank alone.
static STEPS: [[u16; 64]; 8] = {
    let mut steps = [[0; 64]; 8];
    let mut role = 0;
    while role < 6 {
        let mut difference = 0;
        while difference < 64 {
            let is_oblique = difference & 7 != 0 && difference >> 3 != 0;
            let bit = if role == 0 { difference == 16 } else { is_oblique };
            steps[role][difference] = (role as u16) << 8 | (bit as u16) << 4;
            difference += 1;
        }
        role += 1;
    }
    steps
};

/// By role and by capture (none, pawn, piece): the part of the action that depends on it.
static VICTIMS: [[u16; 4]; 8] = {
    let mut victims = [[0, 2 << 4, 4 << 4, 0]; 8];
    victims[0] = [0, (TAKES + 1) << 4, (TAKES + 2) << 4, 0];
    victims
};

#[cold]
#[inline(never)]
fn castles(ply: &Ply<'_>, side: CastlingSide) -> u16 {
    match side {
        CastlingSide::Long => CASTLES + 2,
        CastlingSide::Short => {
            let rooks = short_rooks(ply.before(), ply.mv().origin());
            CASTLES + u16::from(rooks.several())
        }
    }
}

/// The rooks on the king's own rank, on its h side.
pub(super) fn short_rooks(position: &Position, king: Square) -> Bitboard {
    let east = Bitboard(0xfe_u64 << king.file() << (8 * king.rank()));
    position.ours(Role::Rook) & east & Bitboard::rank(king.rank())
}

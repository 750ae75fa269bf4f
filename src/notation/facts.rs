//! What the lengths of texts depend on, found once a ply and shared by all notations.
//!
//! What enters is a [`Ply`]; what leaves are numbers that add up to lengths, and the sets of men from which the moving man
//! has to be told. Invariant, held by the suite in `laws.rs`: the length that a notation says is the length of the text that
//! it writes. Cost: one look at the attackers of the arrival square; a legality test for each other man that could
//! arrive there, which most squares have none of.
//!
//! ```
//! use pgnmill::board::Position;
//! use pgnmill::notation::{self, Check, Facts, Ply};
//! let san = notation::find("san").unwrap();
//! let position = Position::initial();
//! let mv = san.decode(b"Nf3", &position).unwrap();
//! let after = position.play(mv);
//! let ply = Ply::new(&position, mv, &after, Check::None);
//! assert_eq!(san.length(&Facts::of(&ply)).characters, 3);
//! ```

use crate::board::{Bitboard, CastlingSide, Move, MoveKind, Position, Role};

use super::arrivals::{legal_rivals, no_heavier, rivals};
use super::ply::disambiguate;
use super::{Check, Disambiguation, MoveText, Notation, Ply, descriptive};

/// The length of one text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Length {
    /// Unicode scalar values.
    pub characters: u8,
    /// UTF-8 bytes.
    pub bytes: u8,
}

impl Length {
    /// Of a text in ASCII.
    #[inline(always)]
    pub const fn ascii(characters: u8) -> Length {
        Length { characters, bytes: characters }
    }

    /// Of a text as it stands.
    pub fn of(text: &MoveText) -> Length {
        Length { characters: text.characters_count() as u8, bytes: text.bytes_count() as u8 }
    }
}

/// What the lengths of a ply's texts depend on. Numbers are 0 or 1 where nothing else is said; those of castling say
/// nothing that its text would hold.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'p> {
    pub(super) ply: &'p Ply<'p>,
    pub(super) castling: Option<CastlingSide>,
    /// A piece moves, not a pawn.
    pub(super) piece: u8,
    pub(super) capture: u8,
    /// What is taken, en passant too.
    pub(super) victim: Option<Role>,
    pub(super) en_passant: u8,
    pub(super) promotion: u8,
    /// Check or mate.
    pub(super) check: u8,
    /// The other men that could arrive, as the economical notations count arrivals.
    pub(super) rivals: Bitboard,
    /// Those of them whose move is legal.
    pub(super) legal_rivals: Bitboard,
    /// The men that the order P N B R Q K does not put behind the moving one. Nothing if he has no rivals.
    pub(super) no_heavier: Bitboard,
    /// How many characters of SAN tell the man from others of his kind: 0 to 2.
    pub(super) said: u8,
    /// The lengths of the descriptive texts, without wings and with them, check marks apart.
    pub(super) descriptive: [u8; 2],
}

impl<'p> Facts<'p> {
    /// What is to be known of a ply.
    #[inline(always)]
    pub fn of(ply: &'p Ply<'p>) -> Facts<'p> {
        let (position, mv) = (ply.before(), ply.mv());
        let capture = position.is_capture(mv);
        let mut facts = Facts {
            ply,
            castling: mv.castling_side(),
            piece: u8::from(mv.role() != Role::Pawn),
            capture: u8::from(capture),
            victim: if capture { position.captured_role(mv) } else { None },
            en_passant: u8::from(mv.kind() == MoveKind::EnPassant),
            promotion: u8::from(mv.promoted().is_some()),
            check: u8::from(ply.check() != Check::None),
            rivals: rivals(position, mv),
            legal_rivals: Bitboard::EMPTY,
            no_heavier: Bitboard::EMPTY,
            said: 0,
            descriptive: [0; 2],
        };
        if facts.rivals.has_any() {
            facts.legal_rivals = legal_rivals(position, mv, facts.rivals);
            facts.no_heavier = no_heavier(position, mv.role());
            if !matches!(mv.role(), Role::Pawn | Role::King) {
                facts.said = facts.telling(facts.legal_rivals & position.role(mv.role()));
            }
        }
        if facts.castling.is_none() {
            let rivals = facts.legal_rivals;
            facts.descriptive = descriptive::lengths(position, mv, rivals, ply.lineage());
        }
        facts
    }

    /// The ply.
    #[inline(always)]
    pub fn ply(&self) -> &'p Ply<'p> {
        self.ply
    }

    /// The position before the move.
    #[inline(always)]
    pub(super) fn position(&self) -> &'p Position {
        self.ply.before()
    }

    /// The move.
    #[inline(always)]
    pub(super) fn mv(&self) -> Move {
        self.ply.mv()
    }

    /// What has to be said of the origin in SAN, as [`Ply::disambiguation`] has it.
    #[inline(always)]
    pub fn disambiguation(&self) -> Disambiguation {
        if self.said == 0 {
            return Disambiguation::None;
        }
        let role = self.position().role(self.mv().role());
        disambiguate(self.mv().origin(), self.legal_rivals & role)
    }

    /// How many characters tell the moving man from others: file, else rank, else square.
    #[inline(always)]
    pub(super) fn telling(&self, others: Bitboard) -> u8 {
        if others.is_empty() {
            return 0;
        }
        let origin = self.mv().origin();
        let alike = others & Bitboard::file(origin.file());
        let both = alike.has_any() && (others & Bitboard::rank(origin.rank())).has_any();
        1 + u8::from(both)
    }

    /// The piece letter of SAN and what tells the man apart; for a pawn that takes, its file.
    #[inline(always)]
    pub(super) fn san_origin(&self) -> u8 {
        if self.piece == 1 { 1 + self.said } else { self.capture }
    }

    /// Of a text whose castling is `O-O` or `O-O-O`: 3 or 5 then, `other` else.
    #[inline(always)]
    pub(super) fn castling_or(&self, other: u8) -> u8 {
        match self.castling {
            None => other,
            Some(CastlingSide::Short) => 3,
            Some(CastlingSide::Long) => 5,
        }
    }
}

/// The length of a notation's text by writing it. Of the ply alone: facts whose place nobody asks for stay in registers.
#[inline(never)]
pub(super) fn by_writing(notation: &dyn Notation, ply: &Ply<'_>) -> Length {
    let mut text = MoveText::default();
    notation.encode(ply, &mut text);
    Length::of(&text)
}

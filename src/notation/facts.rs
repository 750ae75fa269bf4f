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

use crate::board::{Bitboard, CastlingSide, Move, Position, Role};

use super::arrivals::{legal_rivals, no_heavier, rivals};
use super::ply::disambiguate;
use super::{Check, Disambiguation, MoveText, Notation, Ply, Shape, descriptive};

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

/// What a notation asks of [`Facts`] to say how long a text is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asks {
    /// The shape and the ply.
    Nothing,
    /// The other men that could arrive, too.
    Rivals,
    /// The lengths of descriptive texts, too.
    Descriptive,
}

/// The notations whose lengths are wanted, of those whose lengths do not follow from the shape alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chosen {
    /// By place among them.
    pub(super) set: u32,
    rivals: bool,
    descriptive: bool,
}

impl Chosen {
    /// All of them.
    pub const ALL: Chosen = Chosen { set: !0, rivals: true, descriptive: true };

    /// Those of the list.
    pub fn of(notations: &[&dyn Notation]) -> Chosen {
        let mut chosen = Chosen { set: 0, rivals: false, descriptive: false };
        let is_among = |name: &str| notations.iter().any(|other| other.info().name == name);
        for (place, notation) in super::free().enumerate().filter(|(_, n)| is_among(n.info().name))
        {
            chosen.set |= 1 << place;
            chosen.rivals |= notation.asks() != Asks::Nothing;
            chosen.descriptive |= notation.asks() == Asks::Descriptive;
        }
        chosen
    }
}

/// What the lengths of a ply's texts depend on. Numbers are 0 or 1 where nothing else is said; those of castling say
/// nothing that its text would hold.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'p> {
    pub(super) ply: &'p Ply<'p>,
    pub(super) shape: Shape,
    pub(super) castling: Option<CastlingSide>,
    /// A piece moves, not a pawn.
    pub(super) piece: u8,
    pub(super) promotion: u8,
    /// Check or mate.
    pub(super) check: u8,
    /// The other men that could arrive, as the economical notations count arrivals.
    pub(super) rivals: Bitboard,
    /// Those of them whose move is legal.
    pub(super) legal_rivals: Bitboard,
    /// The men that the order P N B R Q K does not put behind the moving one. Nothing if he has no rivals.
    pub(super) no_heavier: Bitboard,
    /// The lengths of the descriptive texts, without wings and with them, check marks apart.
    pub(super) descriptive: [u8; 2],
}

impl<'p> Facts<'p> {
    /// All that is to be known of a ply.
    #[inline(always)]
    pub fn of(ply: &'p Ply<'p>) -> Facts<'p> {
        Facts::asked(ply, Chosen::ALL)
    }

    /// What is to be known of a ply for the lengths that are wanted.
    #[inline(always)]
    pub fn asked(ply: &'p Ply<'p>, chosen: Chosen) -> Facts<'p> {
        let (position, mv) = (ply.before(), ply.mv());
        let (role, castling) = (mv.role(), mv.castling_side());
        let (mut rivals, mut legal) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let mut heavier_out = Bitboard::EMPTY;
        let mut said = Disambiguation::None;
        if !chosen.rivals {
            said = ply.disambiguation();
        } else {
            rivals = self::rivals(position, mv);
            if rivals.has_any() {
                legal = legal_rivals(position, mv, rivals);
                heavier_out = no_heavier(position, role);
                if !matches!(role, Role::Pawn | Role::King) {
                    said = disambiguate(mv.origin(), legal & position.role(role));
                }
            }
        }
        let mut facts = Facts {
            ply,
            shape: Shape::of(ply, said),
            castling,
            piece: u8::from(role != Role::Pawn),
            promotion: u8::from(mv.promoted().is_some()),
            check: u8::from(ply.check() != Check::None),
            rivals,
            legal_rivals: legal,
            no_heavier: heavier_out,
            descriptive: [0; 2],
        };
        if chosen.descriptive && castling.is_none() {
            facts.descriptive = descriptive::lengths(position, mv, legal, ply.lineage());
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

    /// The shape.
    #[inline(always)]
    pub fn shape(&self) -> Shape {
        self.shape
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
}

/// The length of a notation's text by writing it. Of the ply alone: facts whose place nobody asks for stay in registers.
#[inline(never)]
pub(super) fn by_writing(notation: &dyn Notation, ply: &Ply<'_>) -> Length {
    let mut text = MoveText::default();
    notation.encode(ply, &mut text);
    Length::of(&text)
}

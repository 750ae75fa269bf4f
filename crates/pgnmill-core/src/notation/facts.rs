//! What the lengths of texts depend on, computed once per ply and shared by all notations.
//!
//! Input: a [`Ply`]. Output: numbers that add up to lengths, and the sets of pieces against which the moving piece is
//! disambiguated. Invariant, tested in `laws.rs`: the length that a notation computes is the length of the text that it
//! writes. Cost: one lookup of the attackers of the arrival square; a legality test for each other piece that could
//! arrive there, usually none.
//!
//! ```
//! use pgnmill_core::chess::Position;
//! use pgnmill_core::notation::{self, Check, Facts, Ply};
//! let san = notation::find("san").unwrap();
//! let position = Position::initial();
//! let mv = san.decode(&position, b"Nf3").unwrap();
//! let after = position.play(mv);
//! let ply = Ply::new(&position, mv, &after, Check::None);
//! assert_eq!(san.length(&Facts::of(&ply)).characters, 3);
//! ```

use crate::chess::{Bitboard, CastlingSide, Move, Position, Role, Square};

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
    /// The length of an ASCII text.
    #[inline(always)]
    pub const fn ascii(characters: u8) -> Length {
        Length { characters, bytes: characters }
    }

    /// The length of a text.
    pub fn of(text: &MoveText) -> Length {
        Length { characters: text.characters_count() as u8, bytes: text.bytes_count() as u8 }
    }
}

/// What a notation requires of [`Facts`] to compute the length of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Requires {
    /// The shape and the ply.
    Nothing,
    /// The characters that disambiguate against these pieces, and nothing else: the length is their number plus the
    /// second field.
    Disambiguation(Others, u8),
    /// The other pieces that could arrive, too.
    Rivals,
    /// The lengths of descriptive texts, too.
    Descriptive,
}

/// Other pieces that could arrive, as the economical notations count arrivals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Others {
    /// All with a pseudo-legal move.
    All,
    /// Those of them that are no heavier than the moving piece in the order P N B R Q K.
    NoHeavier,
    /// All with a legal move.
    Legal,
    /// Those of them that are no heavier.
    LegalNoHeavier,
}

/// How many notations have lengths that do not follow from a ply's [`Shape`]; the registry asserts it.
pub(crate) const FREE_COUNT: usize = 8;

/// The lengths of the free notations, one byte each, in 64-bit words, so that eight are added at once.
pub(super) type PackedLengths = [u64; FREE_COUNT.div_ceil(8)];

/// The lengths of the free notations as bytes, followed by zeros.
pub type FreeLengths = [u8; FREE_COUNT.next_multiple_of(8)];

/// The free notations whose lengths are computed; made by the registry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Chosen {
    /// Those whose [`Notation::length`] is called: bit n for the n-th free notation.
    pub(super) set: u32,
    /// The lengths without disambiguation of the notations that require [`Requires::Disambiguation`].
    pub(super) base: PackedLengths,
    /// By [`Others`]: 1 in the byte of each notation that disambiguates against them.
    pub(super) disambiguated: [PackedLengths; 4],
    /// Are the other pieces that could arrive required?
    pub(super) rivals: bool,
    /// Are the lengths of descriptive texts required?
    pub(super) descriptive: bool,
}

/// What the lengths of a ply's texts depend on. Numbers are 0 or 1 unless stated otherwise; for castling they are those
/// of a text that its own text replaces.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'p> {
    pub(super) ply: Ply<'p>,
    pub(super) shape: Shape,
    pub(super) castling: Option<CastlingSide>,
    /// A piece moves, not a pawn.
    pub(super) piece: u8,
    pub(super) promotion: u8,
    /// Check or mate.
    pub(super) check: u8,
    /// The other pieces that could legally arrive, as the economical notations count arrivals.
    pub(super) legal_rivals: Bitboard,
    /// By [`Others`]: how many characters disambiguate against them, file, else rank, else square.
    pub(super) disambiguation: [u64; 4],
    /// The lengths of the notations for which this is enough.
    pub(super) packed: PackedLengths,
    /// The notations for which the facts were computed.
    pub(super) chosen: &'p Chosen,
    /// The lengths of the descriptive texts, without wings and with them, without check suffixes.
    pub(super) descriptive: [u8; 2],
}

impl<'p> Facts<'p> {
    /// The facts of a ply for the lengths in the chosen notations.
    #[inline(always)]
    pub(crate) fn for_notations(ply: &Ply<'p>, chosen: &'p Chosen) -> Facts<'p> {
        let (position, mv) = (ply.before(), ply.mv());
        let (role, castling) = (mv.role(), mv.castling_side());
        let mut legal = Bitboard::EMPTY;
        let (mut disambiguation, mut packed) = ([0; 4], chosen.base);
        let mut in_san = Disambiguation::None;
        if !chosen.rivals {
            in_san = ply.disambiguation();
        } else {
            let rivals = self::rivals(position, mv);
            if rivals.has_any() {
                legal = legal_rivals(position, mv, rivals);
                disambiguation = disambiguation_lengths(position, mv, rivals, legal);
                for (others, count) in chosen.disambiguated.iter().zip(disambiguation) {
                    packed.iter_mut().zip(others).for_each(|(word, ones)| *word += ones * count);
                }
                if !matches!(role, Role::Pawn | Role::King) {
                    in_san = disambiguate(mv.origin(), legal & position.role(role));
                }
            }
        }
        let mut facts = Facts {
            ply: *ply,
            shape: Shape::of(ply, in_san),
            castling,
            piece: u8::from(role != Role::Pawn),
            promotion: u8::from(mv.promoted().is_some()),
            check: u8::from(ply.check() != Check::None),
            legal_rivals: legal,
            disambiguation,
            packed,
            chosen,
            descriptive: [0; 2],
        };
        if chosen.descriptive && castling.is_none() {
            facts.descriptive = descriptive::lengths(position, mv, legal, ply.lineage());
        }
        facts
    }

    /// The ply.
    #[inline(always)]
    pub fn ply(&self) -> &Ply<'p> {
        &self.ply
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

    /// How many characters disambiguate the moving piece against others.
    #[inline(always)]
    pub(super) fn disambiguation_length(&self, others: Others) -> u8 {
        self.disambiguation[others as usize] as u8
    }
}

/// By [`Others`]: how many characters disambiguate against the rivals, of which `legal` are legal.
#[inline(always)]
fn disambiguation_lengths(
    position: &Position,
    mv: Move,
    rivals: Bitboard,
    legal: Bitboard,
) -> [u64; 4] {
    let lighter = no_heavier(position, mv.role());
    let count = |others| u64::from(disambiguation_length(mv.origin(), others));
    let by_steps = [count(rivals), count(rivals & lighter)];
    let by_law = if legal == rivals { by_steps } else { [count(legal), count(legal & lighter)] };
    [by_steps[0], by_steps[1], by_law[0], by_law[1]]
}

/// How many characters disambiguate the piece on `origin` against others: file, else rank, else square.
#[inline(always)]
pub(super) fn disambiguation_length(origin: Square, others: Bitboard) -> u8 {
    let alike = others & Bitboard::file(origin.file());
    let both = alike.has_any() & (others & Bitboard::rank(origin.rank())).has_any();
    u8::from(others.has_any()) + u8::from(both)
}

/// The length of a notation's text by writing it. Takes the ply by value, so that the facts can stay in registers.
#[inline(never)]
pub(super) fn by_writing<N: Notation + ?Sized>(notation: &N, ply: Ply<'_>) -> Length {
    let mut text = MoveText::default();
    notation.encode_ply(&ply, &mut text);
    Length::of(&text)
}

//! Ways to write a move: the contract that every notation keeps, and the registry of them all.
//!
//! What enters is a [`Ply`] (a legal move between two positions); what leaves is its text. The other way, a text
//! and a position give the move back. A notation is one file, or a value over a table in one file, and one line
//! in [`NOTATIONS`]; the suite in `laws.rs` then holds it to the laws:
//!
//! * *injective*: no two legal moves of a position share a text;
//! * *round trip* and *canonical*: reading what was written gives the move, writing what was read the text;
//! * *agreement*: the fast decoder says what the slow universal one ([`oracle`]) says;
//! * *bounded*: within the stated length and alphabet, without blanks;
//! * *total*: any bytes are answered;
//! * *faithful*: the examples of the source hold.
//!
//! ```
//! use pgnmill::chess::Position;
//! use pgnmill::notation;
//! let san = notation::find("san").unwrap();
//! let uci = notation::find("uci").unwrap();
//! let position = Position::initial();
//! let mv = san.decode(b"Nf3", &position).unwrap();
//! assert_eq!(notation::write(uci, &position, mv).as_bytes(), b"g1f3");
//! ```

mod algebraic;
pub mod arrivals;
mod chess99;
mod descriptive;
mod descriptive_rivals;
mod descriptive_text;
mod economical;
mod facts;
mod figurine;
mod fitting;
mod geographical;
mod iccf;
mod languages;
#[cfg(test)]
mod laws;
mod letters;
mod lineage;
mod localized;
mod long;
pub mod oracle;
pub(crate) mod packed_san;
mod ply;
pub mod san;
mod shape;
mod smith;
mod squares;
mod stamma;
mod text;
mod uci;
mod uedemann;

use std::fmt;

use crate::chess::{Move, Position};
use crate::pgn::deviation::{Deviation, DeviationSet};

pub use crate::pgn::Digits;
pub use algebraic::{Claim, claim};
pub use facts::{Asks, Chosen, Facts, FreeLengths, Length, Others};
pub use lineage::Lineage;
pub use localized::Localized;
pub(crate) use localized::begins_with_man;
pub use ply::{Check, Disambiguation, Ply};
pub use shape::Shape;
pub use text::{MOVE_TEXT_BYTES_MAX, MoveText};

/// All notations, in the order of every table. This list is the table of contents.
pub static NOTATIONS: &[&dyn Notation] =
    &with_languages::<{ ROOTS.len() + languages::LANGUAGES.len() }>(ROOTS);

/// The registry as a list of objects, and as one function in which every length is a direct call. The lengths of a
/// `shaped` notation follow from a ply's [`Shape`], those of a `free` one do not; a `lettered` one is SAN in all but its
/// letters, so that its lengths follow from SAN's; see [`Notation::san_letters`].
macro_rules! registry {
    ($($kind:ident $notation:expr;)*) => {
        /// All but the languages, which are rows of one table and come last.
        const ROOTS: &[&dyn Notation] = &[$(&$notation),*];

        /// How many notations have lengths that follow from a ply's shape, and SAN's letters apart.
        pub const SHAPED_COUNT: usize = 0 $(+ registry!(shaped $kind))*;
        /// How many have lengths that do not.
        pub const FREE_COUNT: usize = 0 $(+ registry!(free $kind))*;

        /// Which of [`ROOTS`] are free.
        const IS_FREE: &[bool] = &[$(registry!(free $kind) == 1),*];

        /// The lengths in the free notations of a set, those apart that are told by [`Asks::Telling`].
        #[inline(always)]
        fn lengths_asked(facts: &Facts<'_>, chosen: u32) -> [u8; FREE_COUNT] {
            let (mut lengths, mut index) = ([0; FREE_COUNT], 0);
            $(registry!(length $kind $notation, facts, chosen, lengths, index);)*
            let _ = index;
            lengths
        }
    };
    (shaped shaped) => { 1 };
    (shaped $other:ident) => { 0 };
    (free free) => { 1 };
    (free $other:ident) => { 0 };
    (length free $notation:expr, $facts:ident, $chosen:ident, $lengths:ident, $index:ident) => {
        let is_told = matches!(Notation::asks(&$notation), Asks::Telling(..));
        if !is_told && $chosen >> $index & 1 == 1 {
            $lengths[$index] = Notation::length(&$notation, $facts).characters;
        }
        $index += 1;
    };
    (length $other:ident $notation:expr, $facts:ident, $chosen:ident, $lengths:ident, $index:ident) => {};
}

registry! {
    shaped san::San;
    shaped long::Long;
    lettered figurine::FAN;
    lettered figurine::FAN_WHITE;
    shaped uci::Uci;
    shaped iccf::Iccf;
    shaped smith::Smith;
    shaped squares::REVERSIBLE;
    shaped squares::HALG;
    shaped squares::LALG;
    shaped squares::ELALG;
    shaped squares::XLALG;
    shaped squares::XOLALG;
    shaped chess99::Chess99;
    free geographical::Geographical;
    shaped uedemann::Uedemann;
    free stamma::Stamma;
    free descriptive::DESCRIPTIVE;
    free descriptive::SIDES;
    shaped letters::ECO;
    shaped letters::ECONOMICAL;
    free economical::SQUARES;
    free economical::PRIORITY;
    free economical::SQUARES_LEGAL;
    free economical::PRIORITY_LEGAL;
}

/// The notations whose lengths neither follow from a ply's shape nor from SAN's, in the order of the registry. They are
/// written in ASCII, so that their characters are their bytes.
pub fn free() -> impl Iterator<Item = &'static dyn Notation> {
    ROOTS.iter().zip(IS_FREE).filter(|(_, is_free)| **is_free).map(|(notation, _)| *notation)
}

const fn with_languages<const N: usize>(
    roots: &[&'static dyn Notation],
) -> [&'static dyn Notation; N] {
    let mut all = [roots[0]; N];
    let mut index = 0;
    while index < N {
        all[index] = if index < roots.len() {
            roots[index]
        } else {
            &languages::LANGUAGES[index - roots.len()]
        };
        index += 1;
    }
    all
}

/// What a notation says of itself.
#[derive(Debug)]
pub struct Info {
    /// Kebab-case name: the value on the command line, in the `MoveNotation` tag and in the tables.
    pub name: &'static str,
    /// The name in words.
    pub title: &'static str,
    /// The book, law or page that defines it.
    pub source: &'static str,
    /// One paragraph for the person at the terminal.
    pub about: &'static str,
    /// Every character a text may hold.
    pub alphabet: &'static str,
    /// The longest text, in characters.
    pub characters_max: usize,
    /// The longest text, in bytes.
    pub bytes_max: usize,
    /// What a reader must know besides the text.
    pub needs: Needs,
    /// What a text says of check.
    pub marks_check: bool,
    /// May a text begin with a digit, or be digits alone? Then a move number needs its full stop or blank.
    pub digits: Digits,
    /// FEN, move in UCI, text.
    pub examples: &'static [(&'static str, &'static str, &'static str)],
    /// Where a law of this module does not hold, and why; empty if they all do.
    pub exceptions: &'static str,
}

/// What has to be known to read a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// The text gives both squares.
    Nothing,
    /// The position before the move.
    Board,
    /// The history of the game: on which file each man began ([`Lineage`]).
    Game,
}

impl Needs {
    /// In words, for the tables.
    pub const fn words(self) -> &'static str {
        match self {
            Needs::Nothing => "no board",
            Needs::Board => "the board",
            Needs::Game => "the game",
        }
    }
}

/// A text that was read.
#[derive(Clone, Copy, Debug)]
pub struct Reading<M = Move> {
    /// The move: legal in the position.
    pub mv: M,
    /// The check mark that was written.
    pub mark: Mark,
    /// How the text departs from the canonical one, its check mark apart.
    pub deviations: DeviationSet,
}

impl Reading {
    /// The reading of a canonical text that says nothing of check.
    #[inline(always)]
    pub(crate) fn canonical(mv: Move) -> Reading {
        Reading { mv, mark: Mark::Silent, deviations: DeviationSet::EMPTY }
    }

    /// The reading of a text whose body, its check mark apart, is canonical or else another writer's.
    #[inline]
    pub(crate) fn of_body(mv: Move, mark: Mark, canonical: bool) -> Reading {
        let deviations = if canonical {
            DeviationSet::EMPTY
        } else {
            DeviationSet::of(Deviation::NotationVariant)
        };
        Reading { mv, mark, deviations }
    }
}

/// The check mark of a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mark {
    /// The notation has none, or the text's were judged already.
    Silent,
    /// No mark.
    None,
    /// The mark for check.
    Check,
    /// The mark for mate.
    Mate,
    /// Check, in another style: a dagger, `ch`.
    CheckStyle,
    /// Mate or double check, in another style: `++`, `mate`, a double dagger.
    MateStyle,
    /// The one mark of a notation that does not tell mate from check.
    CheckOrMate,
}

impl Mark {
    /// How the written mark departs from what the move does.
    #[inline(always)]
    pub fn deviation(self, check: Check) -> Option<Deviation> {
        match (self, check) {
            (Mark::Silent, _)
            | (Mark::None, Check::None)
            | (Mark::Check, Check::Check)
            | (Mark::Mate, Check::Mate)
            | (Mark::CheckOrMate, Check::Check | Check::Mate) => None,
            (Mark::None, _) => Some(Deviation::CheckMarkMissing),
            (_, Check::None) => Some(Deviation::CheckMarkExtra),
            _ => Some(Deviation::CheckMarkStyle),
        }
    }
}

/// Why a text is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DecodeError {
    /// It is not a text of this notation.
    Malformed,
    /// It fits no legal move.
    Illegal,
    /// It fits several legal moves.
    Ambiguous,
}

impl From<Deviation> for DecodeError {
    fn from(deviation: Deviation) -> DecodeError {
        match deviation {
            Deviation::MoveIllegal => DecodeError::Illegal,
            Deviation::MoveAmbiguous => DecodeError::Ambiguous,
            _ => DecodeError::Malformed,
        }
    }
}

/// A way to write moves.
pub trait Notation: Sync + Send + fmt::Debug {
    /// What the notation says of itself.
    fn info(&self) -> &'static Info;

    /// Adds the canonical text of a ply to `text`. Infallible; allocates nothing.
    fn encode(&self, ply: &Ply<'_>, text: &mut MoveText);

    /// The length of the canonical text, if it follows from the shape of the ply: for every ply, or for none.
    fn shape_length(&self, shape: Shape) -> Option<Length> {
        let _ = shape;
        None
    }

    /// The length of the canonical text, of which nothing is written where a notation can do without.
    fn length(&self, facts: &Facts<'_>) -> Length {
        let by_shape = self.shape_length(facts.shape());
        by_shape.unwrap_or_else(|| facts::by_writing(self.as_dyn(), *facts.ply()))
    }

    /// What [`Notation::length`] asks of the facts besides the shape and the ply.
    #[inline(always)]
    fn asks(&self) -> Asks {
        Asks::Nothing
    }

    /// Reads a text generously: whatever has one legal reading, with its deviations from the canonical text.
    /// Allocates nothing.
    ///
    /// # Errors
    /// The fault, where the text has no reading or several.
    fn read(&self, text: &[u8], position: &Position) -> Result<Reading, Deviation> {
        oracle::read(self.as_dyn(), text, position)
    }

    /// [`Notation::read`] with the history of the game, where there is one; most notations do not ask for it.
    ///
    /// # Errors
    /// As [`Notation::read`].
    fn read_in(
        &self,
        text: &[u8],
        position: &Position,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        let _ = lineage;
        self.read(text, position)
    }

    /// Must there be a [`Lineage`], that is, a game from the initial array? Without one such a notation writes
    /// nothing and answers every text with [`Deviation::NotationNeedsInitialArray`].
    fn needs_lineage(&self) -> bool {
        false
    }

    /// If this is SAN in all but its letters: White's, pawn to king. Black's are as long, in characters and in bytes.
    fn san_letters(&self) -> Option<&'static [&'static str; 6]> {
        self.localized().map(|localized| localized.letters[0])
    }

    /// If this is SAN in all but its letters: which they are.
    fn localized(&self) -> Option<&Localized> {
        None
    }

    /// This notation as an object; every implementation is `self`.
    fn as_dyn(&self) -> &dyn Notation;

    /// Reads a canonical text, and nothing else.
    ///
    /// # Errors
    /// [`DecodeError`] says why the text is not the canonical text of a legal move.
    fn decode(&self, text: &[u8], position: &Position) -> Result<Move, DecodeError> {
        self.decode_in(text, position, None)
    }

    /// [`Notation::decode`] with the history of the game.
    ///
    /// # Errors
    /// As [`Notation::decode`].
    fn decode_in(
        &self,
        text: &[u8],
        position: &Position,
        lineage: Option<&Lineage>,
    ) -> Result<Move, DecodeError> {
        let reading = self.read_in(text, position, lineage)?;
        if write_in(self.as_dyn(), position, reading.mv, lineage).as_bytes() == text {
            Ok(reading.mv)
        } else {
            Err(DecodeError::Malformed)
        }
    }
}

/// The notations of the main job: today's usual ones, and the 'Economical' modes in all their readings.
pub const MAIN: [&str; 8] = [
    "san",
    "long",
    "uci",
    "economical-letters",
    "economical-squares",
    "economical-priority",
    "economical-squares-legal",
    "economical-priority-legal",
];

/// All notations but the languages, in the order of the registry, of which they are the beginning.
pub fn without_languages() -> &'static [&'static dyn Notation] {
    ROOTS
}

/// The notation of this name. Capitals do not matter: BCP 47 has `zh-Hant`, the registry `san-zh-hant`.
pub fn find(name: &str) -> Option<&'static dyn Notation> {
    NOTATIONS.iter().copied().find(|notation| notation.info().name.eq_ignore_ascii_case(name))
}

/// The canonical text of a legal move.
pub fn write(notation: &dyn Notation, position: &Position, mv: Move) -> MoveText {
    write_in(notation, position, mv, None)
}

/// [`write()`] with the history of the game.
pub fn write_in(
    notation: &dyn Notation,
    position: &Position,
    mv: Move,
    lineage: Option<&Lineage>,
) -> MoveText {
    let after = position.play(mv);
    let mut text = MoveText::default();
    let ply = Ply::new(position, mv, &after, Check::of(&after)).with_lineage(lineage);
    notation.encode(&ply, &mut text);
    text
}

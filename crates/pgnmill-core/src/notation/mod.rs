//! Notations: the contract that each of them satisfies, and the registry of all.
//!
//! Input: a [`Ply`] (a legal move between two positions); output: its text. Reading is the inverse: a text and a
//! position give the move. A notation is one file, or a value over a table in one file, and one line in [`NOTATIONS`];
//! the suite in `laws.rs` then tests the laws:
//!
//! * *injective*: no two legal moves of a position share a text;
//! * *round trip* and *canonical*: reading what was written gives the move, writing what was read the text;
//! * *agreement*: the fast decoder and the slow universal one ([`oracle`]) agree;
//! * *bounded*: within the stated length and alphabet, without whitespace;
//! * *total*: any bytes are accepted or rejected, never a panic;
//! * *faithful*: the examples of the source hold.
//!
//! ```
//! use pgnmill_core::chess::Position;
//! use pgnmill_core::notation::{self, SAN, UCI};
//! let position = Position::initial();
//! let mv = SAN.decode(&position, b"Nf3")?;
//! assert_eq!(notation::write(UCI, &position, mv).as_bytes(), b"g1f3");
//! # Ok::<(), notation::DecodeError>(())
//! ```

mod algebraic;
mod arrivals;
mod boards;
mod body;
mod candidate_line;
mod chess99;
mod descriptive;
mod drops;
mod economical;
mod expresses;
mod facts;
mod figurine;
mod fitting;
mod geographical;
mod iccf;
mod languages;
#[cfg(test)]
mod laws;
mod letters;
mod line;
mod lineage;
mod localized;
mod long;
mod nine;
pub mod oracle;
pub(crate) mod packed_san;
mod ply;
mod reading;
mod registry;
pub mod san;
mod shape;
mod smith;
mod squares;
mod stamma;
mod tcn;
mod text;
mod uci;
mod uedemann;

use std::fmt;

use crate::chess::rules::{
    AnyPosition, Play99, Position99, Rules, RulesKind, TableMove, TablePosition, TableRules,
    VariantPosition,
};
use crate::chess::{Board, Move, Position};
use crate::pgn::deviation::Deviation;

pub use crate::pgn::Digits;
pub use algebraic::Claim;
pub use candidate_line::{CandidateLine, OddPly};
pub use expresses::{Expresses, expresses, rulesets_in_words};
pub(crate) use facts::{Chosen, FREE_COUNT};
pub use facts::{Facts, FreeLengths, Length, Others, Requires};
pub use line::{LineNeeds, LinePlies, LineWriter, text_of, word_of};
pub use lineage::Lineage;
pub use localized::Localized;
pub(crate) use localized::begins_with_piece_letter;
pub use ply::{AnyPly, Check, Disambiguation, OtherPly, Ply, Ply99, TablePly, VariantPly};
pub(crate) use reading::AT_ONCE_BYTES;
pub use reading::{AtOnce, CheckSuffix, Reading};
pub use registry::{
    CHESS99, ECONOMICAL_LETTERS, ECONOMICAL_PRIORITY, ECONOMICAL_PRIORITY_LEGAL,
    ECONOMICAL_SQUARES, ECONOMICAL_SQUARES_LEGAL, LONG, MAIN, NOTATIONS, SAN, TCN, UCI, find,
    find_of_games, is_same, without_languages,
};
pub(crate) use registry::{DESCRIPTIVE, SHAPED_COUNT, find_bytes, free};
pub use shape::Shape;
pub(crate) use shape::shape_bytes;
pub use text::{MOVE_TEXT_BYTES_MAX, MoveText};

/// The description of a notation.
#[derive(Debug)]
pub struct Info {
    /// Kebab-case name, for the command line, the `MoveNotation` tag and the tables.
    pub name: &'static str,
    /// The name in words.
    pub title: &'static str,
    /// The book, law or page that defines it.
    pub source: &'static str,
    /// One paragraph of description.
    pub about: &'static str,
    /// Every character that a text may contain.
    pub alphabet: &'static str,
    /// The longest text, in characters.
    pub characters_max: usize,
    /// The longest text, in bytes.
    pub bytes_max: usize,
    /// What a reader requires besides the text.
    pub needs: Needs,
    /// Does a text contain a check suffix?
    pub writes_check: bool,
    /// May a text begin with a digit, or be digits alone? Then a move number requires its full stop or a space.
    pub digits: Digits,
    /// FEN, move in UCI, text.
    pub examples: &'static [(&'static str, &'static str, &'static str)],
    /// Where a law of this module does not hold, and why; empty if all hold.
    pub exceptions: &'static str,
}

/// What a reader requires besides the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needs {
    /// The text gives both squares.
    Nothing,
    /// The position before the move.
    Board,
    /// The history of the game: the file on which each piece began ([`Lineage`]).
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

/// Why a text is not a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum DecodeError {
    /// It is not a text of this notation.
    Malformed,
    /// It fits no legal move.
    Illegal,
    /// It fits several legal moves.
    Ambiguous,
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DecodeError::Malformed => "not a canonical text of the notation",
            DecodeError::Illegal => "fits no legal move",
            DecodeError::Ambiguous => "fits several legal moves",
        })
    }
}

impl std::error::Error for DecodeError {}

impl From<Deviation> for DecodeError {
    fn from(deviation: Deviation) -> DecodeError {
        match deviation {
            Deviation::MoveIllegal => DecodeError::Illegal,
            Deviation::MoveAmbiguous => DecodeError::Ambiguous,
            _ => DecodeError::Malformed,
        }
    }
}

/// What is known of a notation without a text: its description, and the lengths of its texts.
pub trait Described: Sync + Send + fmt::Debug {
    /// The description of the notation.
    fn info(&self) -> &'static Info;

    /// Writes the texts of many plies at once, if they follow from arrays.
    fn line_writer(&self) -> Option<&'static LineWriter> {
        None
    }

    /// The length of the canonical text, if it follows from the shape of the ply: for every ply, or for none.
    fn shape_length(&self, shape: Shape) -> Option<Length> {
        let _ = shape;
        None
    }

    /// The length of the canonical text, where it can be computed without writing it.
    #[inline(always)]
    fn computed_length(&self, facts: &Facts<'_>) -> Option<Length> {
        self.shape_length(facts.shape())
    }

    /// What [`Described::computed_length`] requires of the facts besides the shape and the ply.
    #[inline(always)]
    fn requires(&self) -> Requires {
        Requires::Nothing
    }

    /// Is a [`Lineage`], and so a game from the starting position, required? Without one such a notation writes nothing
    /// and rejects every text with [`Deviation::NotationNeedsInitialArray`].
    fn needs_lineage(&self) -> bool {
        false
    }

    /// Is this Standard Algebraic Notation itself, which has a reader and a fast path of its own?
    fn is_san(&self) -> bool {
        false
    }

    /// Has each text two characters, with nothing between two texts? It is then the text of a game, in a line or a
    /// column of its own, and none of movetext: [`TCN`].
    fn is_of_pairs(&self) -> bool {
        false
    }

    /// What a text of this notation claims, whether or not it is legal; `None` if that cannot be determined. For
    /// messages.
    ///
    /// ```
    /// use pgnmill_core::chess::CastlingSide;
    /// use pgnmill_core::notation::Claim;
    /// use pgnmill_core::notation::SAN;
    /// assert_eq!(SAN.claim("0-0-0+"), Some(Claim::Castling(CastlingSide::Long)));
    /// assert_eq!(SAN.claim("Zz9"), None);
    /// ```
    fn claim(&self, text: &str) -> Option<Claim> {
        let _ = text;
        None
    }

    /// The deviation of a game that is written in this notation and has no tag pair with its name, for those notations
    /// in which such games are tried ([`Described::localized`], [`Digits::Only`]).
    fn undeclared(&self) -> Deviation {
        Deviation::NotationUndeclared
    }

    /// If this is English descriptive in other letters: by how many characters a text of this shape is shorter.
    fn shorter_than_descriptive(&self, shape: Shape) -> Option<u8> {
        let _ = shape;
        None
    }

    /// Is it English descriptive in other letters?
    fn is_translated(&self) -> bool {
        Shape::from_index(0).and_then(|shape| self.shorter_than_descriptive(shape)).is_some()
    }

    /// If this is SAN except for its letters: White's, pawn to king. Black's are as long, in characters and in bytes.
    fn san_letters(&self) -> Option<&'static [&'static str; 6]> {
        self.localized().map(|localized| localized.letters[0])
    }

    /// If this is SAN except for its letters: the letters.
    fn localized(&self) -> Option<&Localized> {
        None
    }
}

/// A notation for moves.
pub trait Notation: Described {
    /// Adds the canonical text of a ply to `text`. Infallible; allocates nothing.
    fn encode_ply(&self, ply: &Ply<'_>, text: &mut MoveText);

    /// Adds the canonical text of a ply of a variant on the board of chess to `text`.
    ///
    /// # Errors
    /// [`Deviation::MoveNotExpressible`] if the notation has no text for the move, such as a drop;
    /// [`Deviation::NotationNeedsInitialArray`] if it requires a history and there is none. `text` is then undefined.
    fn encode_variant(&self, ply: &VariantPly<'_>, text: &mut MoveText) -> Result<(), Deviation>;

    /// Adds the canonical text of a ply of Chess 99 to `text`.
    ///
    /// # Errors
    /// [`Deviation::NotationNotForBoard`] if the notation is for eight by eight squares alone.
    fn encode_99(&self, ply: &Ply99<'_>, text: &mut MoveText) -> Result<(), Deviation>;

    /// Reads any text that has exactly one legal reading, with its deviations from the canonical text. Most notations
    /// do not require the history of the game. Allocates nothing.
    ///
    /// # Errors
    /// The fault, if the text has no reading or several.
    fn read_in(
        &self,
        text: &[u8],
        position: &Position,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation>;

    /// Reads the text that a window begins with and the first whitespace in it ends, if [`Notation::read_in`] reads it
    /// without deviations. A plain move may leave its own king attacked; any other is legal. `None` leaves the text to
    /// [`Notation::read_in`]; only the time depends on it.
    fn read_at_once(
        &self,
        window: &[u8; 16],
        position: &Position,
        lineage: Option<&Lineage>,
    ) -> Option<AtOnce> {
        AtOnce::of(window, |text| self.read_in(text, position, lineage))
    }

    /// Reads a text in a game of a variant, as [`Notation::read_in`].
    ///
    /// # Errors
    /// As [`Notation::read_in`].
    fn read_variant(
        &self,
        text: &[u8],
        position: &VariantPosition,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation>;

    /// Reads a text in a game of Chess 99, as [`Notation::read`].
    ///
    /// # Errors
    /// As [`Notation::read`]; [`Deviation::NotationNotForBoard`].
    fn read_99(&self, text: &[u8], position: &Position99) -> Result<Reading<Play99>, Deviation>;

    /// Adds the canonical text of a ply on a board that is given by a table to `text`.
    ///
    /// # Errors
    /// [`Deviation::NotationNotForBoard`] if the notation has no texts for such boards.
    fn encode_table(&self, ply: &TablePly<'_>, text: &mut MoveText) -> Result<(), Deviation> {
        let _ = (ply, text);
        Err(Deviation::NotationNotForBoard)
    }

    /// Reads a text in a game on a board that is given by a table, as [`Notation::read`].
    ///
    /// # Errors
    /// As [`Notation::read`]; [`Deviation::NotationNotForBoard`].
    fn read_table(
        &self,
        text: &[u8],
        position: &TablePosition,
    ) -> Result<Reading<TableMove>, Deviation> {
        let _ = (text, position);
        Err(Deviation::NotationNotForBoard)
    }

    /// [`Notation::read_in`] without a history.
    ///
    /// # Errors
    /// As [`Notation::read_in`].
    #[inline]
    fn read(&self, text: &[u8], position: &Position) -> Result<Reading, Deviation> {
        self.read_in(text, position, None)
    }

    /// The length of the canonical text, computed without writing it where the notation allows that.
    #[inline(always)]
    fn length(&self, facts: &Facts<'_>) -> Length {
        self.computed_length(facts).unwrap_or_else(|| facts::by_writing(self, *facts.ply()))
    }

    /// Reads a canonical text, and nothing else.
    ///
    /// # Errors
    /// [`DecodeError`]: why the text is not the canonical text of a legal move.
    fn decode(&self, position: &Position, text: &[u8]) -> Result<Move, DecodeError> {
        self.decode_in(text, position, None)
    }

    /// Writes the canonical text of a legal move: what [`Notation::decode`] reads.
    ///
    /// ```
    /// use pgnmill_core::chess::Position;
    /// use pgnmill_core::notation::{Notation, SAN, UCI};
    /// let position = Position::initial();
    /// let mv = UCI.decode(&position, b"g1f3")?;
    /// assert_eq!(SAN.encode(&position, mv).to_string(), "Nf3");
    /// # Ok::<(), pgnmill_core::notation::DecodeError>(())
    /// ```
    fn encode(&self, position: &Position, mv: Move) -> MoveText {
        write(self, position, mv)
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
        match write_in(self, position, reading.mv, lineage).as_bytes() == text {
            true => Ok(reading.mv),
            false => Err(DecodeError::Malformed),
        }
    }
}

/// The canonical text of a legal move.
pub fn write<N: Notation + ?Sized>(notation: &N, position: &Position, mv: Move) -> MoveText {
    write_in(notation, position, mv, None)
}

/// The canonical text of a legal move in a position of any ruleset of the board of chess, without a history.
///
/// # Errors
/// The notation has no text for the move, or requires the history of the game, or the board is another one.
pub fn write_of_rules(
    notation: &dyn Notation,
    position: &AnyPosition,
    mv: Move,
) -> Result<MoveText, Deviation> {
    match position {
        AnyPosition::Chess(_) if notation.needs_lineage() => {
            Err(Deviation::NotationNeedsInitialArray)
        }
        AnyPosition::Chess(position) => Ok(write(notation, position, mv)),
        AnyPosition::Variant(position) => {
            let after = position.play(mv);
            let ply = VariantPly::new(position, mv, &after, position.effect(mv).into());
            let mut text = MoveText::default();
            notation.encode_variant(&ply, &mut text).map(|()| text)
        }
        AnyPosition::Chess99(_) | AnyPosition::Table(_) => Err(Deviation::NotationNotForBoard),
    }
}

/// The canonical text of a legal move on a board that is given by a table.
///
/// # Errors
/// [`Deviation::NotationNotForBoard`]: the notation has no texts for such boards.
pub fn write_on_board(
    notation: &dyn Notation,
    position: &TablePosition,
    mv: TableMove,
) -> Result<MoveText, Deviation> {
    let (after, mut text) = (position.play(mv), MoveText::default());
    let check = match TableRules::in_check(&after) {
        true if after.has_legal_move() => Check::Check,
        true => Check::Mate,
        false => Check::None,
    };
    notation.encode_table(&TablePly::new(position, mv, &after, check), &mut text).map(|()| text)
}

/// [`write()`] with the history of the game.
pub fn write_in<N: Notation + ?Sized>(
    notation: &N,
    position: &Position,
    mv: Move,
    lineage: Option<&Lineage>,
) -> MoveText {
    let after = position.play(mv);
    let mut text = MoveText::default();
    let ply = Ply::new(position, mv, &after, Check::of(&after)).with_lineage(lineage);
    notation.encode_ply(&ply, &mut text);
    text
}

/// A null move in a notation.
pub(crate) fn null_move(notation: &dyn Notation) -> &'static [u8] {
    if is_same(notation, UCI) { b"0000" } else { b"--" }
}

/// The notation of games of a ruleset in which no tag pair names one: SAN, and in Chess 99 its own.
pub fn usual(rules: RulesKind) -> &'static dyn Notation {
    if rules == RulesKind::Chess99 { CHESS99 } else { SAN }
}

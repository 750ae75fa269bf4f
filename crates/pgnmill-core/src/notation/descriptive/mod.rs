//! English descriptive notation: files are named by the pieces that begin on them, ranks are
//! counted from the mover.
//!
//! Sources: Capablanca, "Chess Fundamentals" (1921); Wikipedia, "Descriptive notation". A move is a piece, `-` and a
//! square (`P-K4`, `N-KB3`) or `x` and a piece (`QNxN`); `O-O`, `O-O-O`; `e.p.`; `=Q`; `ch`, `mate`. A text is no
//! longer than is required to distinguish the move from all other legal ones.
//!
//!
//! The writer takes the first text that fits no other legal move, in the order of effort. Efforts of a piece are
//!
//! * 0: the letter, `R`;
//! * 1: of a pawn the short name of its file, `BP`;
//! * 2: of a pawn its full name, `KBP`; of a piece, in `descriptive-sides`, its wing, `KR`;
//! * 3: the short name of its square, `R/B1`;
//! * 4: its full name, `R/KB1`;
//!
//! of an arrival square 0 (`B3`) and 1 (`KB3`), of a captured piece those of a piece; the effort of a text is their
//! sum, and of equal efforts the one with more on the goal comes first. The wing of a piece is that on which it began
//! the game, so `descriptive-sides` requires the history ([`Lineage`]); without one it writes what `descriptive`
//! writes. The slash replaces the brackets of books, `R(B1)`, which in movetext would begin a variation.

mod drops;
mod parts;
mod reader;
mod rivals;
mod writer;

use crate::chess::rules::VariantPosition;
use crate::chess::{Board, Move, Position};
use crate::pgn::deviation::Deviation;

use super::{
    Check, Digits, Facts, Info, Length, Lineage, MoveText, Needs, Notation, Ply, Reading, Requires,
    VariantPly,
};
pub(super) use writer::lengths;
use writer::write_body;

/// English descriptive notation, with or without the wings of pieces.
#[derive(Debug)]
pub(super) struct Descriptive {
    info: &'static Info,
    sides: bool,
}

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const BASE: Info = Info {
    name: "descriptive",
    title: "English descriptive notation",
    source: "Capablanca, Chess Fundamentals, 1921; Wikipedia, Descriptive notation",
    about: "The notation of English books until the 1980s: files named by the pieces that begin on \
            them, ranks counted from the mover, the captured piece named in place of its square. \
            Texts are as short as is unambiguous.",
    alphabet: "PNBRQK12345678-x/=Oe.pchmat",
    characters_max: 15,
    bytes_max: 15,
    needs: Needs::Board,
    writes_check: true,
    digits: Digits::Never,
    examples: &[
        (INITIAL, "e2e4", "P-K4"),
        (INITIAL, "g1f3", "N-KB3"),
        ("4k3/4q3/8/8/8/8/4R3/4K3 w - - 0 1", "e2e7", "RxQch"),
        ("4k3/8/8/6N1/8/8/8/4K1N1 w - - 0 1", "g5f3", "N/N5-B3"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "PxPe.p."),
    ],
    exceptions: "",
};

/// Pieces are disambiguated by their squares.
pub(super) static DESCRIPTIVE: Descriptive = Descriptive { info: &BASE, sides: false };

/// Rooks, bishops and knights are disambiguated by the wing on which they began.
pub(super) static SIDES: Descriptive = Descriptive {
    info: &Info {
        name: "descriptive-sides",
        title: "English descriptive notation, king's and queen's pieces",
        about: "As descriptive, but where rooks, bishops or knights have to be disambiguated, \
                the wing on which they began the game is named first: KR, QN. In games from another \
                position it is descriptive.",
        needs: Needs::Game,
        examples: &[(INITIAL, "e2e4", "P-K4"), (INITIAL, "g1f3", "N-KB3")],
        ..BASE
    },
    sides: true,
};

/// Writes a move or a drop without its check suffix.
#[inline(always)]
fn write_any<B: Board>(position: &B, mv: Move, lineage: Option<&Lineage>, text: &mut MoveText) {
    match !B::IS_STANDARD && mv.is_drop() {
        true => drops::write(position, mv, text),
        false => write_body(position, mv, lineage, text),
    }
}

impl Descriptive {
    #[inline(always)]
    fn encode_any<B: Board>(&self, ply: &Ply<'_, B>, text: &mut MoveText) {
        write_any(ply.before(), ply.mv(), self.lineage(ply.lineage()), text);
        match ply.check() {
            Check::None => {}
            Check::Check => text.push_bytes(b"ch"),
            Check::Mate => text.push_bytes(b"mate"),
        }
    }

    /// Reads any text of a move.
    fn read_on(
        &self,
        text: &[u8],
        position: &impl Board,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        let lineage = self.lineage(lineage);
        let found = reader::read(text, position, lineage)?;
        let mut canonical = MoveText::default();
        write_any(position, found.mv, lineage, &mut canonical);
        let canonical = text.get(..found.body_bytes) == Some(canonical.as_bytes());
        let mut reading = Reading::of_body(found.mv, found.check_suffix, canonical);
        if found.mv.castling_side().is_some() && !found.deviations.is_empty() {
            reading.deviations = found.deviations;
        }
        Ok(reading)
    }

    fn lineage<'a>(&self, lineage: Option<&'a Lineage>) -> Option<&'a Lineage> {
        lineage.filter(|_| self.sides)
    }
}

impl Notation for Descriptive {
    fn info(&self) -> &'static Info {
        self.info
    }

    fn encode(&self, ply: &Ply<'_>, text: &mut MoveText) {
        self.encode_any(ply, text);
    }

    fn encode_variant(&self, ply: &VariantPly<'_>, text: &mut MoveText) -> Result<(), Deviation> {
        self.encode_any(ply, text);
        Ok(())
    }

    fn read_variant(
        &self,
        text: &[u8],
        position: &VariantPosition,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        self.read_on(text, position, lineage)
    }

    fn requires(&self) -> Requires {
        Requires::Descriptive
    }

    #[inline(always)]
    fn length(&self, facts: &Facts<'_>) -> Length {
        let check_suffix = match facts.ply.check() {
            Check::None => 0,
            Check::Check => 2,
            Check::Mate => 4,
        };
        Length::ascii(
            facts.shape.castling_or(facts.descriptive[usize::from(self.sides)]) + check_suffix,
        )
    }

    fn read(&self, text: &[u8], position: &Position) -> Result<Reading, Deviation> {
        self.read_in(text, position, None)
    }

    fn read_in(
        &self,
        text: &[u8],
        position: &Position,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        self.read_on(text, position, lineage)
    }

    fn as_dyn(&self) -> &dyn Notation {
        self
    }
}

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

mod french;
mod lettering;
mod parts;
mod reader;
mod romance;
mod spanish;
mod writer;

use crate::chess::Board;
use crate::pgn::deviation::Deviation;

use super::body::{Body, Checks};
use super::ply::Step;
use super::{
    Check, Described, Digits, Facts, Info, Length, Lineage, MoveText, Needs, Reading, Requires,
};
pub(super) use french::FRENCH;
use lettering::ENGLISH;
pub(super) use spanish::SPANISH;
pub(super) use writer::lengths;

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

impl Described for Descriptive {
    fn info(&self) -> &'static Info {
        self.info
    }

    fn requires(&self) -> Requires {
        Requires::Descriptive
    }

    #[inline(always)]
    fn computed_length(&self, facts: &Facts<'_>) -> Option<Length> {
        let check_suffix = match facts.ply.check() {
            Check::None => 0,
            Check::Check => 2,
            Check::Mate => 4,
        };
        let body = facts.shape.castling_or(facts.descriptive[usize::from(self.sides)]);
        Some(Length::ascii(body + check_suffix))
    }
}

impl Body for Descriptive {
    const CHECKS: Checks = Checks::Words;

    fn write<B: Board>(&self, step: Step<'_, B>, text: &mut MoveText) -> Result<(), Deviation> {
        let lineage = step.lineage.filter(|_| self.sides);
        writer::write(step.before, step.mv, lineage, &ENGLISH, text);
        Ok(())
    }

    fn read<B: Board>(
        &self,
        text: &[u8],
        position: &B,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        let found = reader::read(text, position, lineage.filter(|_| self.sides), &ENGLISH)?;
        Ok(found.reading(self, text, position, lineage))
    }
}

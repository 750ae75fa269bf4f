//! The 'Economical' notation with start symbol: SAN without `x`, `+`, `#` and `=`.
//!
//! Source: random-starting.blogspot.com, "'Economical' chess notation" (`sources/002`), first mode. The page's
//! words "rank" and "file" are swapped there (`de4` shows the file); its castling is written with Greek letters
//! in the rules and Latin ones in the game: Latin is written, all are read.

use crate::board::{CastlingSide, Position};
use crate::fault::{Deviation, DeviationSet};

use super::{Digits, Info, Mark, MoveText, Needs, Notation, Ply, Reading, algebraic, san};

/// 'Economical' with letters.
#[derive(Debug)]
pub(super) struct EconomicalLetters;

static INFO: Info = Info {
    name: "economical-letters",
    title: "'Economical' notation, with start symbol",
    source: "random-starting.blogspot.com, 'Economical' chess notation, mode 1",
    about: "The classical short form: SAN without the marks for capture, check, mate and promotion. A pawn \
            that takes is written by its file and the arrival square.",
    alphabet: "abcdefgh12345678NBRQKO-",
    characters_max: 5,
    bytes_max: 5,
    needs: Needs::Board,
    marks_check: false,
    digits: Digits::Never,
    examples: &[
        ("rnbqkbnr/pp2pppp/2p5/3p4/3PP3/2N5/PPP2PPP/R1BQKBNR b KQkq - 1 3", "d5e4", "de4"),
        ("n3k3/1P6/8/8/8/8/7K/8 w - - 0 1", "b7a8n", "ba8N"),
    ],
    exceptions: "",
};

impl Notation for EconomicalLetters {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn encode(&self, ply: &Ply<'_>, text: &mut MoveText) {
        let mv = ply.mv();
        if let Some(side) = mv.castling_side() {
            return text.push_bytes(if side == CastlingSide::Short { b"O-O" } else { b"O-O-O" });
        }
        san::write_origin(ply, text, san::english);
        text.push_square(mv.target());
        if let Some(role) = mv.promoted() {
            text.push(role.letter());
        }
    }

    fn read(&self, text: &[u8], position: &Position) -> Result<Reading, Deviation> {
        if let Some(mv) = san::read_body::<false>(text, position) {
            return Ok(Reading { mv, mark: Mark::Silent, deviations: DeviationSet::EMPTY });
        }
        algebraic::read_as_variant(text, position)
    }

    fn as_dyn(&self) -> &dyn Notation {
        self
    }
}

//! UCI coordinates: origin, target, promotion letter.
//!
//! Source: the Universal Chess Interface (2006), "move format". Castling is the king's step of two squares in
//! chess (`e1g1`) and "king takes rook" in Chess960 (`e1h1`); both are read in both.

use crate::chess::rules::{Play99, Position99, VariantPosition};
pub(super) use crate::chess::uci::{arrival, find};
use crate::chess::{Board, Move, Position, Role, Square};
use crate::pgn::deviation::{Deviation, DeviationSet};

use super::line::{LineWriter, ORIGIN_AND_TARGET};
use super::{
    CheckSuffix, Claim, Digits, Info, Length, Lineage, MoveText, Needs, Notation, Ply, Ply99,
    Reading, Shape, VariantPly, algebraic, drops, nine, san,
};

/// UCI coordinate notation.
#[derive(Debug)]
pub(super) struct Uci;

static INFO: Info = Info {
    name: "uci",
    title: "UCI coordinate notation",
    source: "Universal Chess Interface, 2006",
    about: "Origin and arrival square, and a small letter for a promotion: what engines speak. Castling is the \
            king's move of two squares; in Chess960 the king takes its rook.",
    alphabet: "abcdefgh12345678nrq",
    characters_max: 5,
    bytes_max: 5,
    needs: Needs::Nothing,
    writes_check: false,
    digits: Digits::Never,
    examples: &[
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "e2e4"),
        ("n3k3/1P6/8/8/8/8/7K/8 w - - 0 1", "b7a8n", "b7a8n"),
    ],
    exceptions: "",
};

#[inline(always)]
fn write(position: &impl Board, mv: Move, text: &mut MoveText) {
    text.push_square(mv.origin());
    text.push_square(arrival(position, mv));
    if let Some(role) = mv.promoted() {
        text.push(role.letter().to_ascii_lowercase());
    }
}

impl Uci {
    /// Reads any text of a move.
    fn read_on<B: Board>(&self, text: &[u8], position: &B) -> Result<Reading, Deviation> {
        if !B::IS_STANDARD
            && let Some(drop) =
                drops::read(text, drops::PawnLetter::Written, CheckSuffix::Unspecified, position)
        {
            return drop;
        }
        let (squares, promoted) = match *text {
            [ref squares @ .., letter] if squares.len() == 4 => {
                let role = Role::from_letter(letter.to_ascii_uppercase());
                (squares, Some(role.ok_or(Deviation::MoveUnreadable)?))
            }
            _ => (text, None),
        };
        let [from_file, from_rank, to_file, to_rank] = *squares else {
            return Err(Deviation::MoveUnreadable);
        };
        let square = |file, rank| Square::from_ascii(file, rank).ok_or(Deviation::MoveUnreadable);
        let (origin, target) = (square(from_file, from_rank)?, square(to_file, to_rank)?);
        let mv = find(position, origin, target, promoted).ok_or(Deviation::MoveIllegal)?;
        let mut deviations = DeviationSet::EMPTY;
        if text.last().is_some_and(u8::is_ascii_uppercase) || arrival(position, mv) != target {
            deviations.add(Deviation::NotationVariant);
        }
        Ok(Reading { mv, check_suffix: CheckSuffix::Unspecified, deviations })
    }
}

impl Notation for Uci {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn encode(&self, ply: &Ply<'_>, text: &mut MoveText) {
        write(ply.before(), ply.mv(), text);
    }

    fn line_writer(&self) -> Option<&'static LineWriter> {
        Some(&ORIGIN_AND_TARGET)
    }

    fn shape_length(&self, shape: Shape) -> Option<Length> {
        Some(Length::ascii(4 + shape.promotion()))
    }

    fn encode_variant(&self, ply: &VariantPly<'_>, text: &mut MoveText) -> Result<(), Deviation> {
        if ply.mv().is_drop() {
            drops::write(ply.mv(), drops::PawnLetter::Written, text, san::english);
            return Ok(());
        }
        write(ply.before(), ply.mv(), text);
        Ok(())
    }

    fn read(&self, text: &[u8], position: &Position) -> Result<Reading, Deviation> {
        self.read_on(text, position)
    }

    fn read_variant(
        &self,
        text: &[u8],
        position: &VariantPosition,
        _: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        self.read_on(text, position)
    }

    fn claim(&self, text: &str) -> Option<Claim> {
        algebraic::claim(text.as_bytes())
    }

    fn encode_99(&self, ply: &Ply99<'_>, text: &mut MoveText) -> Result<(), Deviation> {
        nine::encode(ply, nine::write_uci, false, text);
        Ok(())
    }

    fn read_99(&self, text: &[u8], position: &Position99) -> Result<Reading<Play99>, Deviation> {
        nine::read(text, position, nine::write_uci, false)
    }

    fn as_dyn(&self) -> &dyn Notation {
        self
    }
}

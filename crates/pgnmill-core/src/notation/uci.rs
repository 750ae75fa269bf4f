//! UCI coordinates: origin, target, promotion letter.
//!
//! Source: the Universal Chess Interface (2006), "move format". Castling is the king's step of two squares in
//! chess (`e1g1`) and "king takes rook" in Chess960 (`e1h1`); both are read in both.

use crate::chess::uci::{arrival, find};
use crate::chess::{Board, Position, Role, Square};
use crate::pgn::deviation::Deviation;

use super::boards::{self, BoardTexts};
use super::body::Body;
use super::drops::{self, PawnLetter};
use super::fitting::{plain_move, two_squares};
use super::line::{LineWriter, ORIGIN_AND_TARGET};
use super::nine::{self, Nine};
use super::ply::Step;
use super::{
    AT_ONCE_BYTES, AtOnce, CheckSuffix, Claim, Described, Digits, Info, Length, Lineage, MoveText,
    Needs, Reading, Shape, algebraic, san,
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

impl Described for Uci {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn line_writer(&self) -> Option<&'static LineWriter> {
        Some(&ORIGIN_AND_TARGET)
    }

    fn shape_length(&self, shape: Shape) -> Option<Length> {
        Some(Length::ascii(4 + shape.promotion()))
    }

    fn claim(&self, text: &str) -> Option<Claim> {
        algebraic::claim(text.as_bytes())
    }
}

impl Body for Uci {
    const NINE: Option<&'static Nine> = Some(&nine::UCI);
    const BOARDS: Option<&'static BoardTexts> = Some(&boards::UCI);

    #[inline(always)]
    fn write<B: Board>(&self, step: Step<'_, B>, text: &mut MoveText) -> Result<(), Deviation> {
        if !B::IS_STANDARD && step.mv.is_drop() {
            drops::write(step.mv, PawnLetter::Written, text, san::english);
            return Ok(());
        }
        text.push_square(step.mv.origin());
        text.push_square(arrival(step.before, step.mv));
        if let Some(role) = step.mv.promoted() {
            text.push(role.letter().to_ascii_lowercase());
        }
        Ok(())
    }

    fn read<B: Board>(
        &self,
        text: &[u8],
        position: &B,
        _: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        let unspecified = CheckSuffix::Unspecified;
        if let Some(drop) = drops::read(text, PawnLetter::Written, unspecified, position) {
            return drop;
        }
        let (origin, target, tail) = two_squares(text, Square::from_ascii)?;
        let unreadable = Deviation::MoveUnreadable;
        let promoted = match *tail {
            [] => None,
            [letter] => Some(Role::from_letter(letter.to_ascii_uppercase()).ok_or(unreadable)?),
            _ => return Err(unreadable),
        };
        let mv = find(position, origin, target, promoted).ok_or(Deviation::MoveIllegal)?;
        let is_usual = arrival(position, mv) == target && !tail.iter().any(u8::is_ascii_uppercase);
        Ok(Reading::of_body(mv, unspecified, is_usual))
    }

    #[inline(always)]
    fn read_at_once(
        &self,
        window: &[u8; AT_ONCE_BYTES],
        position: &Position,
        _: Option<&Lineage>,
    ) -> Option<AtOnce> {
        AtOnce::four(window, |text| plain_move(text, Square::from_ascii, position))
            .or_else(|| AtOnce::of(window, |text| self.read(text, position, None)))
    }
}

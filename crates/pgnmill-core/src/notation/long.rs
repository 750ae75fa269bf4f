//! Long (fully expanded) algebraic notation: both squares, with `-` or `x` between them.
//!
//! Source: the first source document, "long algebraic notation": `e2-e4`, `Nb1-c3`, `Rd3xd7`. Castling is `0-0`
//! and `0-0-0`, a promotion `b7-b8Q`, both in FIDE's form; check and mate are marked, en passant is not.

use crate::chess::{Board, CastlingSide, Position, Role, Square};
use crate::pgn::deviation::{Deviation, DeviationSet};

use super::boards::{self, BoardTexts};
use super::body::{Body, Checks};
use super::drops::{self, PawnLetter};
use super::nine::{self, Nine};
use super::ply::Step;
use super::reading::split_symbol;
use super::squares::XLALG;
use super::{
    AT_ONCE_BYTES, AtOnce, Claim, Described, Digits, Info, Length, Lineage, MoveText, Needs,
    Reading, Shape, algebraic, san,
};

/// Long algebraic notation.
#[derive(Debug)]
pub(super) struct Long;

static INFO: Info = Info {
    name: "long",
    title: "Long algebraic notation",
    source: "Wikipedia, Algebraic notation (chess); FIDE Laws of Chess, appendix C",
    about: "Piece letter, origin, hyphen or x, arrival square. Clear without a board, and long.",
    alphabet: "abcdefgh12345678NBRQKx-0+#",
    characters_max: 7,
    bytes_max: 7,
    needs: Needs::Nothing,
    writes_check: true,
    digits: Digits::Never,
    examples: &[
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "e2-e4"),
        ("4k3/4q3/8/8/8/8/4R3/4K3 w - - 0 1", "e2e7", "Re2xe7+"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "0-0"),
    ],
    exceptions: "",
};

impl Described for Long {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn shape_length(&self, shape: Shape) -> Option<Length> {
        let other = shape.piece() + 5 + shape.promotion();
        Some(Length::ascii(shape.castling_or(other) + shape.checks()))
    }

    fn claim(&self, text: &str) -> Option<Claim> {
        algebraic::claim(text.as_bytes())
    }
}

impl Body for Long {
    const CHECKS: Checks = Checks::Symbols;
    const NINE: Option<&'static Nine> = Some(&nine::LONG);
    const BOARDS: Option<&'static BoardTexts> = Some(&boards::LONG);

    #[inline(always)]
    fn write<B: Board>(&self, step: Step<'_, B>, text: &mut MoveText) -> Result<(), Deviation> {
        let mv = step.mv;
        if let Some(side) = mv.castling_side() {
            text.push_bytes(if side == CastlingSide::Short { b"0-0" } else { b"0-0-0" });
        } else if !B::IS_STANDARD && mv.is_drop() {
            drops::write(mv, PawnLetter::Omitted, text, san::english);
        } else {
            if mv.role() != Role::Pawn {
                text.push(mv.role().letter());
            }
            text.push_square(mv.origin());
            text.push(if step.before.is_capture(mv) { b'x' } else { b'-' });
            text.push_square(mv.target());
            if let Some(role) = mv.promoted() {
                text.push(role.letter());
            }
        }
        Ok(())
    }

    fn read<B: Board>(
        &self,
        text: &[u8],
        position: &B,
        _: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        match read_canonical(text, position) {
            Some(reading) => Ok(reading),
            None => algebraic::read_as_variant(text, position, PawnLetter::Omitted),
        }
    }

    /// Plain moves have the texts of [`XLALG`].
    fn read_at_once(
        &self,
        window: &[u8; AT_ONCE_BYTES],
        position: &Position,
        lineage: Option<&Lineage>,
    ) -> Option<AtOnce> {
        XLALG
            .read_plain(window, position)
            .or_else(|| AtOnce::of(window, |text| self.read(text, position, lineage)))
    }
}

/// A canonical text; its check suffix may be wrong.
fn read_canonical(text: &[u8], position: &impl Board) -> Option<Reading> {
    let (body, check_suffix) = split_symbol(text);
    let mv = match *body {
        [b'0', b'-', b'0'] => position.castle(CastlingSide::Short)?,
        [b'0', b'-', b'0', b'-', b'0'] => position.castle(CastlingSide::Long)?,
        _ => {
            let (role, body) = match *body.first()? {
                b'P' => return None,
                letter @ b'A'..=b'Z' => (Role::from_letter(letter)?, &body[1..]),
                _ => (Role::Pawn, body),
            };
            let (squares, promoted) = match *body {
                [ref squares @ .., letter @ b'A'..=b'Z'] => {
                    (squares, Some(Role::from_letter(letter)?))
                }
                _ => (body, None),
            };
            let [from_file, from_rank, between, to_file, to_rank] = *squares else { return None };
            let origin = Square::from_ascii(from_file, from_rank)?;
            let target = Square::from_ascii(to_file, to_rank)?;
            let mv = position.legal_move(origin, target, promoted)?;
            let needed = if position.is_capture(mv) { b'x' } else { b'-' };
            if mv.role() != role || between != needed || mv.castling_side().is_some() {
                return None;
            }
            mv
        }
    };
    Some(Reading { mv, check_suffix, deviations: DeviationSet::EMPTY })
}

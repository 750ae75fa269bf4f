//! ICCF numeric notation: file and rank of both squares as digits, and a fifth digit for a
//! promotion.
//!
//! Source: the International Correspondence Chess Federation's rules (1 queen, 2 rook, 3 bishop, 4 knight). Castling is
//! the king's step (`5171`); in Chess960 the king goes to its rook, as in UCI. Texts are four or five digits, 1 to 8,
//! which no move number is.

use crate::chess::rules::VariantPosition;
use crate::chess::{Board, Move, Position, Role, Square};
use crate::pgn::deviation::Deviation;

use super::fitting::with_promotion;
use super::{
    Claim, Digits, Info, Length, Lineage, MoveText, Needs, Notation, Ply, Reading, Shape,
    VariantPly, algebraic, uci,
};

/// ICCF numeric notation.
#[derive(Debug)]
pub(super) struct Iccf;

/// The promotion digits, 1 first. The king's, in antichess, is our choice.
const PROMOTIONS: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::King];

static INFO: Info = Info {
    name: "iccf",
    title: "ICCF numeric notation",
    source: "International Correspondence Chess Federation, numeric notation",
    about: "Origin and arrival square as digits, file first, and a fifth digit for a promotion: 1 \
            queen, 2 rook, 3 bishop, 4 knight. The notation of correspondence chess, the same in \
            every language.",
    alphabet: "12345678",
    characters_max: 5,
    bytes_max: 5,
    needs: Needs::Nothing,
    writes_check: false,
    digits: Digits::Only,
    examples: &[
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "5254"),
        ("8/2P5/8/8/8/8/k6K/8 w - - 0 1", "c7c8q", "37381"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "5171"),
    ],
    exceptions: "",
};

fn push_square(square: Square, text: &mut MoveText) {
    text.push(b'1' + square.file());
    text.push(square.rank_digit());
}

fn square(file: u8, rank: u8) -> Result<Square, Deviation> {
    Square::from_ascii(file.wrapping_sub(b'1').wrapping_add(b'a'), rank)
        .ok_or(Deviation::MoveUnreadable)
}

fn write(position: &impl Board, mv: Move, text: &mut MoveText) {
    push_square(mv.origin(), text);
    push_square(uci::arrival(position, mv), text);
    for (digit, role) in (b'1'..).zip(PROMOTIONS) {
        if mv.promoted() == Some(role) {
            text.push(digit);
        }
    }
}

impl Iccf {
    /// Reads any text of a move.
    fn read_on<B: Board>(&self, text: &[u8], position: &B) -> Result<Reading, Deviation> {
        let (squares, promoted) = match *text {
            [ref squares @ .., digit @ b'1'..=b'5']
                if squares.len() == 4 && (digit < b'5' || !B::IS_STANDARD) =>
            {
                (squares, Some(PROMOTIONS[usize::from(digit - b'1')]))
            }
            _ => (text, None),
        };
        let [from_file, from_rank, to_file, to_rank] = *squares else {
            return Err(Deviation::MoveUnreadable);
        };
        let (origin, target) = (square(from_file, from_rank)?, square(to_file, to_rank)?);
        let mv = with_promotion(promoted, |promoted| {
            uci::find(position, origin, target, promoted).ok_or(Deviation::MoveIllegal)
        })?;
        Ok(Reading::of_body(
            mv,
            super::CheckSuffix::Unspecified,
            uci::arrival(position, mv) == target,
        ))
    }
}

impl Notation for Iccf {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn encode(&self, ply: &Ply<'_>, text: &mut MoveText) {
        write(ply.before(), ply.mv(), text);
    }

    fn shape_length(&self, shape: Shape) -> Option<Length> {
        Some(Length::ascii(4 + shape.promotion()))
    }

    fn encode_variant(&self, ply: &VariantPly<'_>, text: &mut MoveText) -> Result<(), Deviation> {
        if ply.mv().is_drop() {
            return Err(Deviation::MoveNotExpressible);
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
        algebraic::claim(&in_uci(text.as_bytes())?)
    }

    fn as_dyn(&self) -> &dyn Notation {
        self
    }
}

/// `57581` as UCI writes it: `e7e8q`.
fn in_uci(text: &[u8]) -> Option<Vec<u8>> {
    let [from_file, from_rank, to_file, to_rank, rest @ ..] = text else { return None };
    let file = |digit: &u8| digit.wrapping_sub(b'1').wrapping_add(b'a');
    let mut step = vec![file(from_file), *from_rank, file(to_file), *to_rank];
    match rest {
        [] => {}
        [digit @ b'1'..=b'4'] => step.push(b"qrbn"[usize::from(digit - b'1')]),
        _ => return None,
    }
    Some(step)
}

//! ICCF numeric notation: file and rank of both squares as digits, and a fifth digit for a
//! promotion.
//!
//! Source: the International Correspondence Chess Federation's rules (1 queen, 2 rook, 3 bishop, 4 knight). Castling is
//! the king's step (`5171`); in Chess960 the king goes to its rook, as in UCI. Texts are four or five digits, 1 to 8,
//! which no move number is.

use crate::chess::uci::arrival;
use crate::chess::{Board, Position, Role, Square};
use crate::pgn::deviation::Deviation;

use super::body::{Body, refuse_drop};
use super::fitting::{between, plain_move, two_squares};
use super::ply::Step;
use super::{
    AT_ONCE_BYTES, AtOnce, CheckSuffix, Claim, Described, Digits, Info, Length, Lineage, MoveText,
    Needs, Reading, Shape, algebraic,
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

fn square(file: u8, rank: u8) -> Option<Square> {
    Square::from_ascii(file.wrapping_sub(b'1').wrapping_add(b'a'), rank)
}

impl Described for Iccf {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn shape_length(&self, shape: Shape) -> Option<Length> {
        Some(Length::ascii(4 + shape.promotion()))
    }

    fn claim(&self, text: &str) -> Option<Claim> {
        algebraic::claim(&in_uci(text.as_bytes())?)
    }
}

impl Body for Iccf {
    fn write<B: Board>(&self, step: Step<'_, B>, text: &mut MoveText) -> Result<(), Deviation> {
        refuse_drop::<B>(step.mv)?;
        push_square(step.mv.origin(), text);
        push_square(arrival(step.before, step.mv), text);
        for (digit, role) in (b'1'..).zip(PROMOTIONS) {
            if step.mv.promoted() == Some(role) {
                text.push(digit);
            }
        }
        Ok(())
    }

    fn read<B: Board>(
        &self,
        text: &[u8],
        position: &B,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        let (origin, target, tail) = two_squares(text, square)?;
        let promoted = match *tail {
            [] => None,
            [digit @ b'1'..=b'5'] if digit < b'5' || !B::IS_STANDARD => {
                Some(PROMOTIONS[usize::from(digit - b'1')])
            }
            _ => return Err(Deviation::MoveUnreadable),
        };
        let mv = between(position, origin, target, promoted)?;
        let step = Step { before: position, mv, lineage };
        Ok(self.reading_of(text, step, CheckSuffix::Unspecified))
    }

    #[inline(always)]
    fn read_at_once(
        &self,
        window: &[u8; AT_ONCE_BYTES],
        position: &Position,
        lineage: Option<&Lineage>,
    ) -> Option<AtOnce> {
        AtOnce::four(window, |text| plain_move(text, square, position))
            .or_else(|| AtOnce::of(window, |text| self.read(text, position, lineage)))
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

//! Smith notation: both squares, then the captured piece, the side of castling, the promotion.
//!
//! Source: Warren Smith's notation as the Internet Chess Club describes it. After the squares: the captured piece in
//! small letters (`p n b r q`), `E` for en passant, `c` and `C` for castling short and long, the promoted piece in
//! capitals. A move can be undone without the game's history. In Chess960 the castling king goes to its rook, so that
//! the rook's square is not lost.

use crate::chess::uci::arrival;
use crate::chess::{Board, CastlingSide, Move, MoveKind, Position, Role, Square};
use crate::pgn::deviation::Deviation;

use super::body::{Body, refuse_drop};
use super::fitting::{between, plain_move, promotion, two_squares};
use super::ply::Step;
use super::{
    AT_ONCE_BYTES, AtOnce, CheckSuffix, Claim, Described, Digits, Info, Length, Lineage, MoveText,
    Needs, Reading, Shape, algebraic,
};

/// Smith notation.
#[derive(Debug)]
pub(super) struct Smith;

static INFO: Info = Info {
    name: "smith",
    title: "Smith notation",
    source: "Warren D. Smith; chessclub.com, Smith notation",
    about: "Origin and arrival square, then the captured piece in a small letter (E: en passant; c, \
            C: castling short, long) and the promoted piece in a capital, so that every move can \
            be undone.",
    alphabet: "abcdefgh12345678pnrqECNBRQ",
    characters_max: 6,
    bytes_max: 6,
    needs: Needs::Nothing,
    writes_check: false,
    digits: Digits::Never,
    examples: &[
        ("6n1/5P2/8/8/8/8/k6K/8 w - - 0 1", "f7g8q", "f7g8nQ"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "e5d6E"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "e1g1c"),
    ],
    exceptions: "",
};

/// The letter for the captured piece, or for castling.
fn suffix(position: &impl Board, mv: Move) -> Option<u8> {
    match mv.kind() {
        MoveKind::EnPassant => Some(b'E'),
        MoveKind::CastleShort => Some(b'c'),
        MoveKind::CastleLong => Some(b'C'),
        MoveKind::Normal => {
            position.captured_role(mv).map(|role| role.letter().to_ascii_lowercase())
        }
    }
}

/// The letter and the promotion that follow the squares. A lone small letter is a promotion, as in UCI, if the target
/// is empty.
fn split_tail<B: Board>(tail: &[u8], quiet: bool) -> Result<(Option<u8>, Option<Role>), Deviation> {
    // A king is captured in antichess alone.
    let is_suffix = |byte: u8| match byte {
        b'p' | b'n' | b'b' | b'r' | b'q' | b'E' | b'c' | b'C' => true,
        b'k' => !B::IS_STANDARD,
        _ => false,
    };
    match *tail {
        [] => Ok((None, None)),
        [letter @ (b'n' | b'b' | b'r' | b'q')] if quiet => {
            Ok((None, Some(promotion::<B>(letter.to_ascii_uppercase())?)))
        }
        [suffix] if is_suffix(suffix) => Ok((Some(suffix), None)),
        [letter] => Ok((None, Some(promotion::<B>(letter)?))),
        [suffix, letter] if is_suffix(suffix) => {
            Ok((Some(suffix), Some(promotion::<B>(letter.to_ascii_uppercase())?)))
        }
        _ => Err(Deviation::MoveUnreadable),
    }
}

impl Smith {
    /// A plain move with the captured piece as its last letter.
    fn read_plain(&self, window: &[u8; AT_ONCE_BYTES], position: &Position) -> Option<AtOnce> {
        let [a, b, c, d, last, next, ..] = *window;
        let mv = plain_move([a, b, c, d], Square::from_ascii, position)?;
        let written = (last > b' ').then_some(last);
        let is_end = last <= b' ' || next <= b' ';
        (is_end && suffix(position, mv) == written).then_some(AtOnce {
            mv,
            check_suffix: CheckSuffix::Unspecified,
            bytes: 4 + u8::from(written.is_some()),
        })
    }
}

impl Described for Smith {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn shape_length(&self, shape: Shape) -> Option<Length> {
        let suffix = shape.capture() + u8::from(shape.castling().is_some());
        Some(Length::ascii(4 + suffix + shape.promotion()))
    }

    fn claim(&self, text: &str) -> Option<Claim> {
        algebraic::claim(&in_uci(text.as_bytes())?)
    }
}

impl Body for Smith {
    fn write<B: Board>(&self, step: Step<'_, B>, text: &mut MoveText) -> Result<(), Deviation> {
        refuse_drop::<B>(step.mv)?;
        text.push_square(step.mv.origin());
        text.push_square(arrival(step.before, step.mv));
        if let Some(suffix) = suffix(step.before, step.mv) {
            text.push(suffix);
        }
        if let Some(role) = step.mv.promoted() {
            text.push(role.letter());
        }
        Ok(())
    }

    fn read<B: Board>(
        &self,
        text: &[u8],
        position: &B,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        let (origin, target, tail) = two_squares(text, Square::from_ascii)?;
        let (written, promoted) = split_tail::<B>(tail, !position.them().has(target))?;
        let castled = match written {
            Some(b'c') => position.castle(CastlingSide::Short),
            Some(b'C') => position.castle(CastlingSide::Long),
            _ => None,
        };
        // A castling king may arrive where another of its moves does, and its text may give the rook's square or its
        // own.
        let castled = castled.filter(|mv| mv.origin() == origin && promoted.is_none());
        let mv = match castled.filter(|mv| mv.target() == target || mv.arrival() == target) {
            Some(mv) => mv,
            None => between(position, origin, target, promoted)?,
        };
        if written.is_some() && written != suffix(position, mv) {
            return Err(Deviation::MoveIllegal);
        }
        let step = Step { before: position, mv, lineage };
        Ok(self.reading_of(text, step, CheckSuffix::Unspecified))
    }

    fn read_at_once(
        &self,
        window: &[u8; AT_ONCE_BYTES],
        position: &Position,
        lineage: Option<&Lineage>,
    ) -> Option<AtOnce> {
        self.read_plain(window, position)
            .or_else(|| AtOnce::of(window, |text| self.read(text, position, lineage)))
    }
}

/// `f7g8nQ` as UCI writes it: `f7g8q`. The captured piece is left out.
fn in_uci(text: &[u8]) -> Option<Vec<u8>> {
    let (squares, tail) = text.split_at_checked(4)?;
    let role = tail.last().filter(|letter| b"NBRQ".contains(letter));
    Some(squares.iter().copied().chain(role.map(u8::to_ascii_lowercase)).collect())
}

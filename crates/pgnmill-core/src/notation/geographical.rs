//! Geographical Chess Notation: the piece, the direction, the distance.
//!
//! Source: Abdul-Rahman Sibahi, 2007. A piece is its letter, and its number if its side has several of that letter,
//! counted from west to east and on one file from north to south. A quiet move is `-`, the direction and, if more than
//! one, the steps (`B2-nw3`; knights `nne`, `nee` …); a capture is `x` and the captured piece (`N2xP5`). Castling, en
//! passant and promotion are "as usual": `O-O`, no suffix, `=Q` (required, because nothing else distinguishes the
//! four). The source's spaces are not written, but read.
//!
//! A drop is the piece and the offset of the square from the own king: `N@s.ne3`, one north and three east of it; a
//! count of 1 and a leg of 0 are left out. Source: sources/003, note 1, `B @ s.n2e3`; details in `variants.md`, 6.2. A
//! piece in a pocket has no place, so that it has no number. Also read: without `s.`, with counts of 1. If the side has
//! several kings, the offset is from the first.

use crate::chess::{Bitboard, Board, CastlingSide, Color, Move, Role, Square};
use crate::pgn::deviation::{Deviation, DeviationSet};

use super::boards::{self, BoardTexts};
use super::body::{Body, Checks};
use super::drops::AT;
use super::facts::Facts;
use super::fitting::{UniqueMove, promotion, visit_legal, with_promotion};
use super::nine::{self, Nine};
use super::ply::Step;
use super::reading::without_spaces;
use super::{Described, Digits, Info, Length, Lineage, MoveText, Needs, Reading, algebraic};

/// Geographical Chess Notation.
#[derive(Debug)]
pub(super) struct Geographical;

const IMMORTAL_PLY_29: &str = "rnb1kbnr/p2p1ppp/8/1p3NqP/4PpP1/3P1Q2/PPP5/RNB2KR1 w kq - 3 15";

static INFO: Info = Info {
    name: "geographical",
    title: "Geographical Chess Notation",
    source: "Abdul-Rahman Sibahi, Geographical Chess Notation, chessvariants.com, 2007",
    about: "The piece (numbered from west to east, then north to south, if there are several), \
            the compass direction, the number of steps; a capture names the captured piece. No \
            square is named.",
    alphabet: "PNBRQK0123456789nsew-xO=+#",
    characters_max: 10,
    bytes_max: 10,
    needs: Needs::Board,
    writes_check: true,
    digits: Digits::Never,
    examples: &[
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e2e4", "P5-n2"),
        (IMMORTAL_PLY_29, "c1f4", "BxP5"),
        ("8/1P6/8/8/8/8/k6K/8 w - - 0 1", "b7b8q", "P-n=Q"),
    ],
    exceptions: "",
};

/// The pieces of one role of one side.
fn class(position: &impl Board, color: Color, role: Role) -> Bitboard {
    position.role(role) & position.color(color)
}

/// How many of `pieces` come before `square`: on files to its west, or on its file to its north.
fn before(pieces: Bitboard, square: Square) -> u32 {
    let (file, rank) = (square.file(), square.rank());
    let west = pieces & Bitboard(0x0101_0101_0101_0101 * ((1 << file) - 1));
    let north = pieces & Bitboard::file(file) & Bitboard((!0 << (8 * rank)) << 8);
    west.count() + north.count()
}

fn write_piece(
    position: &impl Board,
    color: Color,
    role: Role,
    square: Square,
    text: &mut MoveText,
) {
    text.push(role.letter());
    let pieces = class(position, color, role);
    if pieces.several() {
        let number = before(pieces, square) as u8 + 1;
        if number > 9 {
            text.push(b'0' + number / 10);
        }
        text.push(b'0' + number % 10);
    }
}

/// The length of what [`write_piece`] writes.
#[inline(always)]
fn piece_length(position: &impl Board, color: Color, role: Role, square: Square) -> u8 {
    let pieces = class(position, color, role);
    if !pieces.several() {
        return 1;
    }
    // A number has two digits only if there are ten pieces or more.
    2 + u8::from(pieces.count() > 9 && before(pieces, square) >= 9)
}

/// The length of what [`write_wind`] writes.
#[inline(always)]
fn wind_length(origin: Square, target: Square) -> u8 {
    let north = origin.rank().abs_diff(target.rank());
    let east = origin.file().abs_diff(target.file());
    if north != 0 && east != 0 && north != east {
        return 3;
    }
    u8::from(north != 0) + u8::from(east != 0) + u8::from(north.max(east) > 1)
}

/// The direction, north and south first; the longer leg of a knight's move twice; then the steps.
fn write_wind(origin: Square, target: Square, text: &mut MoveText) {
    let north = i32::from(target.rank()) - i32::from(origin.rank());
    let east = i32::from(target.file()) - i32::from(origin.file());
    let steps = north.abs().max(east.abs());
    let knight = north != 0 && east != 0 && north.abs() != east.abs();
    let (north_leg, east_leg) = if knight {
        (north.unsigned_abs(), east.unsigned_abs())
    } else {
        (north.unsigned_abs().min(1), east.unsigned_abs().min(1))
    };
    for _ in 0..north_leg {
        text.push(if north > 0 { b'n' } else { b's' });
    }
    for _ in 0..east_leg {
        text.push(if east > 0 { b'e' } else { b'w' });
    }
    if !knight && steps > 1 {
        text.push(b'0' + steps as u8);
    }
}

fn write_move(position: &impl Board, mv: Move, text: &mut MoveText) {
    if let Some(side) = mv.castling_side() {
        return text.push_bytes(if side == CastlingSide::Short { b"O-O" } else { b"O-O-O" });
    }
    let turn = position.turn();
    write_piece(position, turn, mv.role(), mv.origin(), text);
    match position.captured_square(mv).and_then(|at| Some((at, position.role_at(at)?))) {
        Some((square, role)) => {
            text.push(b'x');
            write_piece(position, turn.other(), role, square, text);
        }
        None => {
            text.push(b'-');
            write_wind(mv.origin(), mv.target(), text);
        }
    }
    if let Some(role) = mv.promoted() {
        text.push(b'=');
        text.push(role.letter());
    }
}

/// Reads a piece: the squares it may be on, one if it is numbered.
fn read_piece_text<'a>(
    text: &'a [u8],
    position: &impl Board,
    color: Color,
) -> Result<(Bitboard, &'a [u8]), Deviation> {
    let (&letter, mut rest) = text.split_first().ok_or(Deviation::MoveUnreadable)?;
    let role = Role::from_letter(letter).ok_or(Deviation::MoveUnreadable)?;
    let pieces = class(position, color, role);
    let mut number = 0u32;
    while let [digit @ b'0'..=b'9', ref after @ ..] = *rest {
        number = number.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
        rest = after;
    }
    if rest.len() + 1 == text.len() {
        return Ok((pieces, rest));
    }
    let piece = pieces.into_iter().find(|&piece| before(pieces, piece) + 1 == number);
    Ok((Bitboard::of(piece.ok_or(Deviation::MoveIllegal)?), rest))
}

/// A direction and the number of steps; what follows is left.
fn read_wind(text: &[u8]) -> Result<((i32, i32), &[u8]), Deviation> {
    let fail = Deviation::MoveUnreadable;
    let run = |text: &[u8], letters: [u8; 2]| match text.first() {
        Some(&letter) if letters.contains(&letter) => {
            let length = text.iter().take_while(|&&byte| byte == letter).count();
            (if letter == letters[0] { length as i32 } else { -(length as i32) }, length)
        }
        _ => (0, 0),
    };
    let (north, length) = run(text, *b"ns");
    let rest = &text[length..];
    let (east, length) = run(rest, *b"ew");
    let rest = &rest[length..];
    match (north.abs(), east.abs()) {
        (1, 2) | (2, 1) => Ok(((north, east), rest)),
        (1, 0) | (0, 1) | (1, 1) => {
            let (steps, rest) = match *rest {
                [digit @ b'1'..=b'7', ref rest @ ..] => (i32::from(digit - b'0'), rest),
                _ => (1, rest),
            };
            Ok(((north * steps, east * steps), rest))
        }
        _ => Err(fail),
    }
}

fn step(origin: Square, (north, east): (i32, i32)) -> Option<Square> {
    let file = u8::try_from(i32::from(origin.file()) + east).ok().filter(|&file| file < 8)?;
    let rank = u8::try_from(i32::from(origin.rank()) + north).ok().filter(|&rank| rank < 8)?;
    Some(Square::at(file, rank))
}

/// The promotion at the end of a text, and the suffix for en passant, which is read but not written.
fn read_tail<B: Board>(text: &[u8]) -> Result<Option<Role>, Deviation> {
    let text = algebraic::split_en_passant(text, &mut DeviationSet::default());
    match *text {
        [] => Ok(None),
        [b'=' | b'/', letter] | [b'(', letter, b')'] | [letter] => promotion::<B>(letter).map(Some),
        _ => Err(Deviation::MoveUnreadable),
    }
}

fn find<B: Board>(text: &[u8], position: &B) -> Result<Move, Deviation> {
    let (pieces, rest) = read_piece_text(text, position, position.turn())?;
    if let [b'x' | b'X' | b':', ref rest @ ..] = *rest {
        let (victims, rest) = read_piece_text(rest, position, position.turn().other())?;
        return with_promotion(read_tail::<B>(rest)?, |promoted| {
            let mut targets = victims;
            if let Some(square) = position.en_passant_square() {
                targets |= Bitboard::of(square);
            }
            let mut unique = UniqueMove::default();
            visit_legal(position, pieces, targets, promoted, |mv| {
                if position.captured_square(mv).is_some_and(|square| victims.has(square)) {
                    unique.add(mv);
                }
            });
            unique.answer()
        });
    }
    let dash = algebraic::dash_bytes(rest).ok_or(Deviation::MoveUnreadable)?;
    let (wind, rest) = read_wind(&rest[dash..])?;
    with_promotion(read_tail::<B>(rest)?, |promoted| {
        let mut unique = UniqueMove::default();
        for piece in pieces {
            let target = step(piece, wind).map_or(Bitboard::EMPTY, Bitboard::of);
            visit_legal(position, Bitboard::of(piece), target, promoted, |mv| {
                if !position.is_capture(mv) {
                    unique.add(mv);
                }
            });
        }
        unique.answer()
    })
}

/// The king from which offsets are counted: the first from west to east, then from north to south.
fn own_king(position: &impl Board) -> Option<Square> {
    let kings = position.ours(Role::King).into_iter();
    kings.min_by_key(|king| (king.file(), 7 - king.rank()))
}

/// Writes a drop without a check suffix.
fn write_drop(position: &impl Board, mv: Move, text: &mut MoveText) -> Result<(), Deviation> {
    let king = own_king(position).ok_or(Deviation::MoveNotExpressible)?;
    let square = mv.target();
    text.push(mv.role().letter());
    text.push_bytes(&[AT, b's', b'.']);
    let mut leg = |from: u8, to: u8, [ahead, back]: [u8; 2]| {
        let steps = from.abs_diff(to);
        if steps > 0 {
            text.push(if to > from { ahead } else { back });
        }
        if steps > 1 {
            text.push(b'0' + steps);
        }
    };
    leg(king.rank(), square.rank(), *b"ns");
    leg(king.file(), square.file(), *b"ew");
    Ok(())
}

/// Reads a drop without a check suffix.
fn read_drop(body: &[u8], position: &impl Board) -> Result<Move, Deviation> {
    let fail = Deviation::MoveUnreadable;
    let [letter, AT, offset @ ..] = body else { return Err(fail) };
    let role = Role::from_letter(*letter).ok_or(fail)?;
    let offset = offset.strip_prefix(b"s.").unwrap_or(offset);
    let king = own_king(position).ok_or(Deviation::MoveIllegal)?;
    let (north, rest) = read_leg(offset, *b"ns");
    let (east, rest) = read_leg(rest, *b"ew");
    if !rest.is_empty() || (north, east) == (0, 0) {
        return Err(fail);
    }
    let on_board = |from: u8, steps: i8| {
        u8::try_from(from as i8 + steps).ok().filter(|&to| to < 8).ok_or(Deviation::MoveIllegal)
    };
    let square = Square::at(on_board(king.file(), east)?, on_board(king.rank(), north)?);
    position.drop_of(role, square).ok_or(Deviation::MoveIllegal)
}

/// One leg: how far ahead, negative for the other letter; 0 if there is none.
fn read_leg(text: &[u8], [ahead, back]: [u8; 2]) -> (i8, &[u8]) {
    let [letter, rest @ ..] = text else { return (0, text) };
    if *letter != ahead && *letter != back {
        return (0, text);
    }
    let (steps, rest) = match rest {
        [digit @ b'1'..=b'7', rest @ ..] => ((digit - b'0') as i8, rest),
        _ => (1, rest),
    };
    (if *letter == ahead { steps } else { -steps }, rest)
}

impl Described for Geographical {
    fn info(&self) -> &'static Info {
        &INFO
    }

    #[inline(always)]
    fn computed_length(&self, facts: &Facts<'_>) -> Option<Length> {
        let (position, mv) = (facts.position(), facts.mv());
        if facts.castling.is_some() {
            return Some(Length::ascii(facts.shape.castling_or(0) + facts.check));
        }
        let turn = position.turn();
        let goal = match position.captured_square(mv).zip(position.captured_role(mv)) {
            Some((square, role)) => piece_length(position, turn.other(), role, square),
            None => wind_length(mv.origin(), mv.target()),
        };
        let piece = piece_length(position, turn, mv.role(), mv.origin());
        Some(Length::ascii(piece + 1 + goal + 2 * facts.promotion + facts.check))
    }
}

impl Body for Geographical {
    const CHECKS: Checks = Checks::Symbols;
    const NINE: Option<&'static Nine> = Some(&nine::GEOGRAPHICAL);
    const BOARDS: Option<&'static BoardTexts> = Some(&boards::GEOGRAPHICAL);

    fn write<B: Board>(&self, step: Step<'_, B>, text: &mut MoveText) -> Result<(), Deviation> {
        if !B::IS_STANDARD && step.mv.is_drop() {
            return write_drop(step.before, step.mv, text);
        }
        write_move(step.before, step.mv, text);
        Ok(())
    }

    fn read<B: Board>(
        &self,
        text: &[u8],
        position: &B,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        let joined = without_spaces(text)?;
        let (body, check_suffix) = algebraic::split_check_suffix(&joined);
        let mut deviations = DeviationSet::EMPTY;
        if joined.len() < text.len() {
            deviations.add(Deviation::NotationVariant);
        }
        if let Some((side, named)) = algebraic::read_castling(body) {
            let mv = position.castle(side).ok_or(Deviation::MoveIllegal)?;
            return Ok(Reading { mv, check_suffix, deviations: deviations.union(named) });
        }
        let mv = match !B::IS_STANDARD && body.contains(&AT) {
            true => read_drop(body, position)?,
            false => find(body, position)?,
        };
        let reading = self.reading_of(body, Step { before: position, mv, lineage }, check_suffix);
        Ok(Reading { deviations: reading.deviations.union(deviations), ..reading })
    }
}

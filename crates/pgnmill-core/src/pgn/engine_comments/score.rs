//! What forms have in common: an evaluation, a depth, the end of what is read.
//!
//! In: a cursor. Out: values; `None` where they do not follow. ChessBase breaks its lines after `.` and `/`, also
//! within a number: a line end is allowed there.

use crate::pgn::command::Eval;
use crate::pgn::cursor::{Cursor, clamp, is_whitespace};

/// The sign before an evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sign {
    /// `+`
    Plus,
    /// `-`
    Minus,
    /// None.
    Unsigned,
}

/// How an evaluation is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Unit {
    /// Pawns with decimals.
    Pawns,
    /// `M` and plies to the mate.
    Plies,
    /// `#` and moves to the mate.
    Moves,
}

/// An evaluation.
#[derive(Clone, Copy, Debug)]
pub(super) struct Score {
    pub(super) eval: Eval,
    pub(super) sign: Sign,
    pub(super) unit: Unit,
}

/// Reads an evaluation: `+1.16`, `-0.3`, `0.00`, `M13`, `-M12`, `#5`, `-#5`, `#-5`.
pub(super) fn score(cursor: &mut Cursor<'_>) -> Option<Score> {
    let mut sign = sign(cursor);
    if cursor.accept(b'M') {
        let moves = moves_of_plies(cursor.number()?);
        let eval = Eval::Mate(clamp(moves, sign == Sign::Minus));
        return Some(Score { eval, sign, unit: Unit::Plies });
    }
    if cursor.accept(b'#') {
        if sign == Sign::Unsigned && cursor.accept(b'-') {
            sign = Sign::Minus;
        }
        let eval = Eval::Mate(clamp(cursor.number()?, sign == Sign::Minus));
        return Some(Score { eval, sign, unit: Unit::Moves });
    }
    let pawns = cursor.number()?;
    if !cursor.accept(b'.') {
        return None;
    }
    line_end(cursor);
    if !cursor.peek()?.is_ascii_digit() {
        return None;
    }
    let hundredths = cursor.decimals::<2>();
    let eval = Eval::Centipawns(clamp(pawns * 100 + hundredths, sign == Sign::Minus));
    Some(Score { eval, sign, unit: Unit::Pawns })
}

/// Reads a sign, if there is one.
pub(super) fn sign(cursor: &mut Cursor<'_>) -> Sign {
    match () {
        () if cursor.accept(b'+') => Sign::Plus,
        () if cursor.accept(b'-') => Sign::Minus,
        () => Sign::Unsigned,
    }
}

/// The moves of a mate in so many plies, of either side: in 13 plies the mover mates with the seventh move, in 12 plies
/// the other side with its sixth (cutechess `UciEngine`, fastchess `Score`).
pub(super) fn moves_of_plies(plies: u32) -> u32 {
    plies.div_ceil(2)
}

/// Reads `/` and a depth.
pub(super) fn slash_depth(cursor: &mut Cursor<'_>) -> Option<i16> {
    if !cursor.accept(b'/') {
        return None;
    }
    line_end(cursor);
    Some(clamp(cursor.number()?, false))
}

/// Advances over a line end.
fn line_end(cursor: &mut Cursor<'_>) {
    cursor.accept(b'\r');
    cursor.accept(b'\n');
}

/// Advances over whitespace, of which there must be some.
pub(super) fn space(cursor: &mut Cursor<'_>) -> Option<()> {
    let start = cursor.at;
    cursor.skip_whitespace();
    (cursor.at > start).then_some(())
}

/// Advances over whitespace to the end of the text.
pub(super) fn end(cursor: &mut Cursor<'_>) -> Option<()> {
    cursor.skip_whitespace();
    (cursor.at == cursor.text.len()).then_some(())
}

/// Advances to the end of the text, or over one of the bytes that separate further text.
pub(super) fn end_or(cursor: &mut Cursor<'_>, separators: &[u8]) -> Option<()> {
    end(cursor).or_else(|| cursor.peek().filter(|byte| separators.contains(byte)).map(|_| ()))
}

/// Advances over a text in round brackets and the whitespace after it, if there are both: the span of the text.
pub(super) fn skip_bracketed(cursor: &mut Cursor<'_>) -> Option<(usize, usize)> {
    if cursor.peek() != Some(b'(') {
        return None;
    }
    let start = cursor.at + 1;
    let close = start + memchr::memchr2(b')', b'(', &cursor.text[start..])?;
    let is_text = close > start && cursor.text[close] == b')';
    let is_apart = cursor.text.get(close + 1).is_some_and(|&byte| is_whitespace(byte));
    if !is_text || !is_apart {
        return None;
    }
    cursor.at = close + 1;
    cursor.skip_whitespace();
    Some((start, close))
}

/// The value that a reader has of all of a text.
pub(super) fn whole<T>(text: &[u8], read: impl FnOnce(&mut Cursor<'_>) -> Option<T>) -> Option<T> {
    let mut cursor = Cursor { text, at: 0 };
    let value = read(&mut cursor)?;
    (cursor.at == text.len()).then_some(value)
}

/// A number, clamped to 32,767.
pub(super) fn short(text: &[u8]) -> Option<i16> {
    whole(text, |cursor| cursor.number()).map(|number| clamp(number, false))
}

/// A number that counts something: `Some(None)` if it is beyond 63 bits. Engines have written negative numbers as such
/// (`n=18446744072722328422`), which makes nothing else of the comment doubtful.
pub(super) fn count(text: &[u8]) -> Option<Option<i64>> {
    whole(text, counted)
}

/// As [`count`], from a cursor.
pub(super) fn counted(cursor: &mut Cursor<'_>) -> Option<Option<i64>> {
    let start = cursor.clone();
    cursor.number()?;
    let end = cursor.at;
    *cursor = start;
    let count = cursor.long_number();
    cursor.at = end;
    Some(count)
}

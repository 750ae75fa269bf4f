//! The syntax of the algebraic family: a text is cut into piece, origin, target, promotion and suffixes, and each
//! departure from SAN is named.
//!
//! Input: bytes; output: [`Parts`] or a [`Claim`]. No position is needed; nothing allocates.

use crate::chess::{CastlingSide, Role};
use crate::notation::CheckSuffix;
use crate::pgn::deviation::{Deviation, DeviationSet};

/// A parsed text. Files and ranks are 0 to 7.
#[derive(Debug, Default)]
pub(super) struct Parts {
    pub(super) role: Option<Role>,
    pub(super) origin_file: Option<u8>,
    pub(super) origin_rank: Option<u8>,
    pub(super) target_file: u8,
    /// Missing in `exd` and `ed`.
    pub(super) target_rank: Option<u8>,
    pub(super) promoted: Option<Role>,
    pub(super) capture_written: bool,
    pub(super) deviations: DeviationSet,
}

/// Splits the check suffix off, in any style.
pub(in crate::notation) fn split_check_suffix(text: &[u8]) -> (&[u8], CheckSuffix) {
    const STYLES: &[(&[u8], CheckSuffix)] = &[
        (b"dbl.ch.", CheckSuffix::MateStyle),
        (b"dbl.ch", CheckSuffix::MateStyle),
        (b"dblch", CheckSuffix::MateStyle),
        (b"dis.ch.", CheckSuffix::CheckStyle),
        (b"dis.ch", CheckSuffix::CheckStyle),
        (b"disch", CheckSuffix::CheckStyle),
        (b"mate", CheckSuffix::MateStyle),
        (b"ch.", CheckSuffix::CheckStyle),
        (b"ch", CheckSuffix::CheckStyle),
        (b"++", CheckSuffix::MateStyle),
        (b"##", CheckSuffix::MateStyle),
        (b"+#", CheckSuffix::MateStyle),
        (b"\xe2\x80\xa0", CheckSuffix::CheckStyle),
        (b"\xe2\x80\xa1", CheckSuffix::MateStyle),
        (b"+", CheckSuffix::Check),
        (b"#", CheckSuffix::Mate),
    ];
    for &(style, check_suffix) in STYLES {
        if let Some(body) = text.strip_suffix(style)
            && !body.is_empty()
        {
            return (body, check_suffix);
        }
    }
    (text, CheckSuffix::None)
}

/// What a text of the algebraic family claims, whether or not it can be played. Files and ranks are 0 to 7.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Claim {
    /// Castling on a side.
    Castling(CastlingSide),
    /// A move to a square.
    Step {
        /// The role; `None` for a pawn or, if both squares are given, for any piece.
        role: Option<Role>,
        /// The file of the origin.
        origin_file: Option<u8>,
        /// The rank of the origin.
        origin_rank: Option<u8>,
        /// The file of the target.
        target_file: u8,
        /// The rank of the target; missing in `exd`.
        target_rank: Option<u8>,
        /// What the pawn becomes.
        promoted: Option<Role>,
        /// Is a capture written?
        takes: bool,
    },
}

/// What a text claims; `None` if it is not of the family. For the words of a fault.
pub(in crate::notation) fn claim(text: &[u8]) -> Option<Claim> {
    let (body, _) = split_check_suffix(text);
    if let Some((side, _)) = read_castling(body) {
        return Some(Claim::Castling(side));
    }
    let parts = parse(body, false).ok()?;
    Some(Claim::Step {
        role: parts.role,
        origin_file: parts.origin_file,
        origin_rank: parts.origin_rank,
        target_file: parts.target_file,
        target_rank: parts.target_rank,
        promoted: parts.promoted,
        takes: parts.capture_written,
    })
}

/// One letter of castling: the deviation of a digit or look-alike, and its length in bytes.
fn castling_letter(text: &[u8]) -> Option<(Deviation, usize)> {
    match *text {
        [b'0', ..] => Some((Deviation::CastlingZeros, 1)),
        [b'o', ..] => Some((Deviation::CastlingLowerCase, 1)),
        // Greek Ο and ο, Cyrillic О and о.
        [0xce, 0x9f, ..] | [0xce, 0xbf, ..] | [0xd0, 0x9e, ..] | [0xd0, 0xbe, ..] => {
            Some((Deviation::CastlingLookalike, 2))
        }
        _ => None,
    }
}

/// The length of a dash: hyphen, en dash, em dash or minus sign.
pub(in crate::notation) fn dash_bytes(text: &[u8]) -> Option<usize> {
    match *text {
        [b'-', ..] => Some(1),
        [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] => Some(3),
        _ => None,
    }
}

/// Castling in any spelling: two or three letters with dashes between them; between zeros the dashes may be missing.
pub(in crate::notation) fn read_castling(mut text: &[u8]) -> Option<(CastlingSide, DeviationSet)> {
    let (mut characters, mut deviations) = (0, DeviationSet::EMPTY);
    let zeros = DeviationSet::of(Deviation::CastlingZeros);
    match text {
        b"00" => return Some((CastlingSide::Short, zeros)),
        b"000" => return Some((CastlingSide::Long, zeros)),
        _ => {}
    }
    loop {
        if let [b'O', rest @ ..] = text {
            text = rest;
        } else {
            let (deviation, bytes) = castling_letter(text)?;
            deviations.add(deviation);
            text = &text[bytes..];
        }
        characters += 1;
        if text.is_empty() {
            break;
        }
        let bytes = dash_bytes(text)?;
        if bytes > 1 {
            deviations.add(Deviation::CastlingLookalike);
        }
        text = &text[bytes..];
    }
    match characters {
        2 => Some((CastlingSide::Short, deviations)),
        3 => Some((CastlingSide::Long, deviations)),
        _ => None,
    }
}

/// Splits the suffix for en passant off: in French and English, and in Spanish (al paso).
pub(in crate::notation) fn split_en_passant<'a>(
    text: &'a [u8],
    deviations: &mut DeviationSet,
) -> &'a [u8] {
    for suffix in [&b"e.p."[..], b"e.p", b"ep.", b"ep", b"a.p.", b"a.p", b"ap.", b"ap"] {
        if let Some(body) = text.strip_suffix(suffix) {
            deviations.add(Deviation::EnPassantMark);
            return body;
        }
    }
    text
}

/// Cuts the promotion off: `=Q`, `Q`, `/Q`, `=q`, `(Q)`.
fn split_promotion<'a>(
    text: &'a [u8],
    parts: &mut Parts,
    kings: bool,
) -> Result<&'a [u8], Deviation> {
    let (body, letter, canonical) = match *text {
        [ref body @ .., b'=', letter] => (body, letter, letter.is_ascii_uppercase()),
        [ref body @ .., b'(', letter, b')'] => (body, letter, false),
        [ref body @ .., b'/', letter] => (body, letter, false),
        [.., b'1' | b'8', letter] if letter.is_ascii_alphabetic() => {
            (&text[..text.len() - 1], letter, false)
        }
        _ => return Ok(text),
    };
    let role = Role::from_letter(letter.to_ascii_uppercase())
        .filter(|role| Role::PROMOTIONS.contains(role) || kings && *role == Role::King)
        .ok_or(Deviation::MoveUnreadable)?;
    parts.promoted = Some(role);
    if !canonical {
        parts.deviations.add(Deviation::PromotionMark);
    }
    Ok(body)
}

/// Parses a text without its check suffix. `kings`: may a pawn become a king?
pub(super) fn parse(text: &[u8], kings: bool) -> Result<Parts, Deviation> {
    let mut parts = Parts::default();
    let mut text = split_en_passant(text, &mut parts.deviations);
    if let Some(body) = text.strip_suffix(b":") {
        parts.capture_written = true;
        parts.deviations.add(Deviation::CaptureColon);
        text = body;
    }
    text = split_promotion(text, &mut parts, kings)?;
    if let Some(role) = text.first().and_then(|&letter| Role::from_letter(letter)) {
        parts.role = Some(role);
        if role == Role::Pawn {
            parts.deviations.add(Deviation::PawnLetter);
        }
        text = &text[1..];
    }
    let (mut characters, mut count, mut separated) = ([0u8; 4], 0, false);
    // The number of characters before the `x` or the dash.
    let mut parted_at = None;
    while let Some(&byte) = text.first() {
        let mut bytes = 1;
        match byte {
            b'a'..=b'h' | b'1'..=b'8' => {
                *characters.get_mut(count).ok_or(Deviation::MoveUnreadable)? = byte;
                count += 1;
            }
            b'x' | b'X' | b':' if !parts.capture_written && !separated => {
                parts.capture_written = true;
                parted_at = Some(count);
                // A capital X breaks the same rule as a colon: captures are marked x.
                if byte != b'x' {
                    parts.deviations.add(Deviation::CaptureColon);
                }
            }
            _ => {
                bytes = dash_bytes(text).ok_or(Deviation::MoveUnreadable)?;
                if separated || parts.capture_written {
                    return Err(Deviation::MoveUnreadable);
                }
                separated = true;
                parted_at = Some(count);
            }
        }
        text = &text[bytes..];
    }
    assign(&characters[..count], &mut parts)?;
    // The `x` or the dash is right before the target: `Nxbd2` and `Nd2x` are no moves.
    let target_length = if parts.target_rank.is_some() { 2 } else { 1 };
    if parted_at.is_some_and(|at| at + target_length != count) {
        return Err(Deviation::MoveUnreadable);
    }
    // A dash belongs to the long form, even where the whole origin is needed: `Qh4-e1`.
    if separated && !parts.is_long() {
        return Err(Deviation::MoveUnreadable);
    }
    if separated {
        parts.deviations.add(Deviation::LongForm);
    }
    Ok(parts)
}

/// Says which of the files and ranks belong to the origin and which to the target.
fn assign(characters: &[u8], parts: &mut Parts) -> Result<(), Deviation> {
    let file = |byte: u8| (b'a'..=b'h').contains(&byte).then(|| byte - b'a');
    let rank = |byte: u8| (b'1'..=b'8').contains(&byte).then(|| byte - b'1');
    let fail = Deviation::MoveUnreadable;
    let pawn = matches!(parts.role, None | Some(Role::Pawn));
    match *characters {
        // `exd`, `ed`: only pawns are written so.
        [from, to] if pawn && file(from).is_some() && file(to).is_some() => {
            parts.origin_file = file(from);
            parts.target_file = file(to).ok_or(fail)?;
            parts.deviations.add(Deviation::PawnCaptureShort);
            return Ok(());
        }
        [ref hint @ .., to_file, to_rank] => {
            parts.target_file = file(to_file).ok_or(fail)?;
            parts.target_rank = Some(rank(to_rank).ok_or(fail)?);
            match *hint {
                [] => {}
                [character] if file(character).is_some() => parts.origin_file = file(character),
                [character] => parts.origin_rank = rank(character),
                [from_file, from_rank] => {
                    parts.origin_file = Some(file(from_file).ok_or(fail)?);
                    parts.origin_rank = Some(rank(from_rank).ok_or(fail)?);
                }
                _ => return Err(fail),
            }
        }
        _ => return Err(fail),
    }
    Ok(())
}

impl Parts {
    /// Are both the file and the rank of the origin written?
    pub(super) fn is_long(&self) -> bool {
        self.origin_file.is_some() && self.origin_rank.is_some()
    }
}

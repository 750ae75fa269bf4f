//! The generous reader of the algebraic family: every form that books, programs and people write, each departure
//! by its name.
//!
//! What enters is a text that the canonical reader refused. It is taken apart into piece, origin, target,
//! promotion and marks, and held against the list of legal moves: one that fits is the move, none is illegal,
//! several are ambiguous; nothing is guessed. Cost: the list of legal moves, so this is not the usual path.
//! Forms: `../shared/spec/algebraic.md` ("Reader of algebraic text") and the first source document.

use crate::chess::{CastlingSide, Move, MoveKind, Position, Role};
use crate::pgn::deviation::{Deviation, DeviationSet};

use super::ply::{disambiguate, legal_among};
use super::{CheckSuffix, Disambiguation, Reading};
use crate::chess::Bitboard;

/// A text taken apart. Files and ranks are 0 to 7.
#[derive(Debug, Default)]
struct Parts {
    role: Option<Role>,
    origin_file: Option<u8>,
    origin_rank: Option<u8>,
    target_file: u8,
    /// Missing in `exd` and `ed`.
    target_rank: Option<u8>,
    promoted: Option<Role>,
    capture_written: bool,
    deviations: DeviationSet,
}

/// Reads a text in any of the algebraic forms.
///
/// # Errors
/// The fault: unreadable, illegal, ambiguous, or a promotion that is none or lacks its piece.
#[inline(never)]
pub(super) fn read(text: &[u8], position: &Position) -> Result<Reading, Deviation> {
    let (body, check_suffix) = split_check_suffix(text);
    if let Some((side, deviations)) = read_castling(body) {
        let mv = position.castle(side).ok_or(Deviation::MoveIllegal)?;
        return Ok(Reading { mv, check_suffix, deviations });
    }
    let mut parts = take_apart(body)?;
    // `Xf6`: a pawn that takes is named by its file, and the sign may as well be somebody's piece letter.
    let bare = parts.role.is_none() && parts.origin_file.is_none() && parts.origin_rank.is_none();
    if bare && parts.capture_written {
        return Err(Deviation::MoveUnreadable);
    }
    let mv = resolve(&parts, position)?;
    judge(&mut parts, mv, position);
    Ok(Reading { mv, check_suffix, deviations: parts.deviations })
}

/// Reads a text of another writer of the family, for notations in which that is one deviation.
///
/// # Errors
/// As [`read`].
pub(super) fn read_as_variant(text: &[u8], position: &Position) -> Result<Reading, Deviation> {
    let reading = read(text, position)?;
    let deviations = DeviationSet::of(Deviation::NotationVariant);
    Ok(Reading { check_suffix: CheckSuffix::Unspecified, deviations, ..reading })
}

/// Cuts the check mark off, whatever its style.
pub(super) fn split_check_suffix(text: &[u8]) -> (&[u8], CheckSuffix) {
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
    /// A man goes to a square.
    Step {
        /// What goes; a pawn or, where both squares are given, any man if it is `None`.
        role: Option<Role>,
        /// The file he comes from.
        origin_file: Option<u8>,
        /// The rank he comes from.
        origin_rank: Option<u8>,
        /// The file he goes to.
        target_file: u8,
        /// The rank he goes to; missing in `exd`.
        target_rank: Option<u8>,
        /// What the pawn becomes.
        promoted: Option<Role>,
        /// Is a capture mark written?
        takes: bool,
    },
}

/// What a text claims; `None` if it is not of the family. For the words of a fault.
///
/// ```
/// use pgnmill::chess::CastlingSide;
/// use pgnmill::notation::{Claim, claim};
/// assert_eq!(claim(b"0-0-0+"), Some(Claim::Castling(CastlingSide::Long)));
/// assert_eq!(claim(b"Zz9"), None);
/// ```
pub fn claim(text: &[u8]) -> Option<Claim> {
    let (body, _) = split_check_suffix(text);
    if let Some((side, _)) = read_castling(body) {
        return Some(Claim::Castling(side));
    }
    let parts = take_apart(body).ok()?;
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

/// One sign of castling: which letter or digit it looks like, and its length in bytes.
fn castling_sign(text: &[u8]) -> Option<(Deviation, usize)> {
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
pub(super) fn dash_bytes(text: &[u8]) -> Option<usize> {
    match *text {
        [b'-', ..] => Some(1),
        [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] => Some(3),
        _ => None,
    }
}

/// Castling in any spelling: two or three signs with dashes between them; of zeros the dashes may be missing.
pub(super) fn read_castling(mut text: &[u8]) -> Option<(CastlingSide, DeviationSet)> {
    let (mut signs, mut deviations) = (0, DeviationSet::EMPTY);
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
            let (deviation, bytes) = castling_sign(text)?;
            deviations.add(deviation);
            text = &text[bytes..];
        }
        signs += 1;
        if text.is_empty() {
            break;
        }
        let bytes = dash_bytes(text)?;
        if bytes > 1 {
            deviations.add(Deviation::CastlingLookalike);
        }
        text = &text[bytes..];
    }
    match signs {
        2 => Some((CastlingSide::Short, deviations)),
        3 => Some((CastlingSide::Long, deviations)),
        _ => None,
    }
}

/// Cuts the en passant mark off.
pub(super) fn split_en_passant<'a>(text: &'a [u8], deviations: &mut DeviationSet) -> &'a [u8] {
    for mark in [&b"e.p."[..], b"e.p", b"ep.", b"ep"] {
        if let Some(body) = text.strip_suffix(mark) {
            deviations.add(Deviation::EnPassantMark);
            return body;
        }
    }
    text
}

/// Cuts the promotion off: `=Q`, `Q`, `/Q`, `=q`, `(Q)`.
fn split_promotion<'a>(text: &'a [u8], parts: &mut Parts) -> Result<&'a [u8], Deviation> {
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
        .filter(|role| Role::PROMOTIONS.contains(role))
        .ok_or(Deviation::MoveUnreadable)?;
    parts.promoted = Some(role);
    if !canonical {
        parts.deviations.add(Deviation::PromotionMark);
    }
    Ok(body)
}

/// Takes a text without its check mark apart.
fn take_apart(text: &[u8]) -> Result<Parts, Deviation> {
    let mut parts = Parts::default();
    let mut text = split_en_passant(text, &mut parts.deviations);
    if let Some(body) = text.strip_suffix(b":") {
        parts.capture_written = true;
        parts.deviations.add(Deviation::CaptureColon);
        text = body;
    }
    text = split_promotion(text, &mut parts)?;
    if let Some(role) = text.first().and_then(|&letter| Role::from_letter(letter)) {
        parts.role = Some(role);
        if role == Role::Pawn {
            parts.deviations.add(Deviation::PawnLetter);
        }
        text = &text[1..];
    }
    let (mut signs, mut count, mut separated) = ([0u8; 4], 0, false);
    // How many signs stood before the capture mark or the dash.
    let mut parted_at = None;
    while let Some(&byte) = text.first() {
        let mut bytes = 1;
        match byte {
            b'a'..=b'h' | b'1'..=b'8' => {
                *signs.get_mut(count).ok_or(Deviation::MoveUnreadable)? = byte;
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
    place(&signs[..count], &mut parts)?;
    // What parts origin from target stands right before the target: `Nxbd2` and `Nd2x` are no moves.
    let target_signs = if parts.target_rank.is_some() { 2 } else { 1 };
    if parted_at.is_some_and(|at| at + target_signs != count) {
        return Err(Deviation::MoveUnreadable);
    }
    // A dash belongs to the long form, even where the whole origin is needed: `Qh4-e1`.
    if separated && !is_long(&parts) {
        return Err(Deviation::MoveUnreadable);
    }
    if separated {
        parts.deviations.add(Deviation::LongForm);
    }
    Ok(parts)
}

/// Says which of the files and ranks belong to the origin and which to the target.
fn place(signs: &[u8], parts: &mut Parts) -> Result<(), Deviation> {
    let file = |byte: u8| (b'a'..=b'h').contains(&byte).then(|| byte - b'a');
    let rank = |byte: u8| (b'1'..=b'8').contains(&byte).then(|| byte - b'1');
    let fail = Deviation::MoveUnreadable;
    let pawn = matches!(parts.role, None | Some(Role::Pawn));
    match *signs {
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
                [sign] if file(sign).is_some() => parts.origin_file = file(sign),
                [sign] => parts.origin_rank = rank(sign),
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

/// Does a legal move fit what is written? Castling has its own signs.
fn fits(parts: &Parts, mv: Move, any_promotion: bool) -> bool {
    // Without a letter a text means a pawn; with both squares it may be any man: `g1f3`.
    let role_fits = match parts.role {
        Some(role) => mv.role() == role,
        None => mv.role() == Role::Pawn || is_long(parts),
    };
    // A pawn that takes is named by its file: `d5` and `xd5` are no captures; and `ed` names two files.
    let takes_aside = mv.origin().file() != mv.target().file();
    let pawn_fits = mv.role() != Role::Pawn
        || if takes_aside { parts.origin_file.is_some() } else { parts.target_rank.is_some() };
    role_fits
        && pawn_fits
        && mv.castling_side().is_none()
        && mv.target().file() == parts.target_file
        && parts.target_rank.is_none_or(|rank| mv.target().rank() == rank)
        && parts.origin_file.is_none_or(|file| mv.origin().file() == file)
        && parts.origin_rank.is_none_or(|rank| mv.origin().rank() == rank)
        && (any_promotion || mv.promoted() == parts.promoted)
}

fn is_long(parts: &Parts) -> bool {
    parts.origin_file.is_some() && parts.origin_rank.is_some()
}

fn resolve(parts: &Parts, position: &Position) -> Result<Move, Deviation> {
    let legal = position.legal_moves();
    let mut fitting = legal.iter().copied().filter(|&mv| fits(parts, mv, false));
    match (fitting.next(), fitting.next()) {
        (Some(mv), None) => Ok(mv),
        (Some(_), Some(_)) => Err(Deviation::MoveAmbiguous),
        (None, _) => match legal.iter().copied().find(|&mv| fits(parts, mv, true)) {
            Some(_) if parts.promoted.is_some() => Err(Deviation::PromotionNotAPromotion),
            Some(_) => Err(Deviation::PromotionPieceMissing),
            None => resolve_castling(parts, position),
        },
    }
}

/// `e1g1`, `Ke1-g1`: castling as the king's two squares.
fn resolve_castling(parts: &Parts, position: &Position) -> Result<Move, Deviation> {
    let is_king = matches!(parts.role, None | Some(Role::King)) && is_long(parts);
    let king = position.king(position.turn());
    let from_king =
        parts.origin_file == Some(king.file()) && parts.origin_rank == Some(king.rank());
    let sides = [CastlingSide::Short, CastlingSide::Long];
    sides
        .into_iter()
        .filter(|_| is_king && from_king && parts.promoted.is_none() && !parts.capture_written)
        .filter_map(|side| position.castle(side))
        .find(|mv| {
            let target = mv.arrival();
            target.file() == parts.target_file && Some(target.rank()) == parts.target_rank
        })
        .ok_or(Deviation::MoveIllegal)
}

/// Names the ways in which a text that was read departs from the canonical one.
fn judge(parts: &mut Parts, mv: Move, position: &Position) {
    let (capture, role) = (position.is_capture(mv), mv.role());
    let deviations = &mut parts.deviations;
    if mv.castling_side().is_some() {
        return deviations.add(Deviation::LongForm);
    }
    if capture && !parts.capture_written {
        let named = if role == Role::Pawn {
            Deviation::PawnCaptureShort
        } else {
            Deviation::CaptureMarkMissing
        };
        deviations.add(named);
    } else if !capture && parts.capture_written {
        deviations.add(Deviation::CaptureMarkExtra);
    }
    if mv.kind() != MoveKind::EnPassant && deviations.has(Deviation::EnPassantMark) {
        deviations.add(Deviation::CaptureMarkExtra);
    }
    let written = match (parts.origin_file, parts.origin_rank) {
        (None, None) => Disambiguation::None,
        (Some(_), None) => Disambiguation::File,
        (None, Some(_)) => Disambiguation::Rank,
        (Some(_), Some(_)) => Disambiguation::Square,
    };
    let needed = match role {
        Role::Pawn if capture => Disambiguation::File,
        Role::Pawn | Role::King => Disambiguation::None,
        _ => {
            let others = position.own_attackers(role, mv.target()) ^ Bitboard::of(mv.origin());
            disambiguate(mv.origin(), legal_among(position, role, others, mv.target()))
        }
    };
    if written != needed {
        if is_long(parts) {
            parts.deviations.add(Deviation::LongForm);
        } else if written != Disambiguation::None {
            parts.deviations.add(Deviation::DisambiguationExtra);
        }
    }
    // `g1f3` for a knight: the letter is missing, and only the long form can do without it.
    if parts.role.is_none() && role != Role::Pawn {
        parts.deviations.add(Deviation::LongForm);
    }
}

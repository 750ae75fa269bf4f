//! The generous reader of the algebraic family: every form that books, programs and people write, each departure
//! by its name.
//!
//! Input: a text that the canonical reader rejected. It is parsed into piece, origin, target, promotion and suffixes,
//! and compared with the legal moves: one that fits is the move, none is illegal, several are ambiguous; nothing is
//! guessed. Cost: the list of legal moves, which is acceptable because this is not the usual path.

mod syntax;

use crate::chess::{Board, CastlingSide, Move, MoveKind, Role, Square};
use crate::pgn::deviation::{Deviation, DeviationSet};

use super::drops::{self, PawnLetter};
use super::ply::disambiguation;
use super::{Disambiguation, Reading};
pub use syntax::Claim;
pub(super) use syntax::claim;
use syntax::{Parts, parse};
pub(super) use syntax::{dash_bytes, read_castling, split_check_suffix, split_en_passant};

/// Reads a text in any of the algebraic forms. `pawns`: how the notation writes the drop of a pawn.
///
/// # Errors
/// The fault: unreadable, illegal, ambiguous, or a promotion that is none or lacks its piece.
#[inline(never)]
pub(super) fn read<B: Board>(
    text: &[u8],
    position: &B,
    pawns: PawnLetter,
) -> Result<Reading, Deviation> {
    let (body, check_suffix) = split_check_suffix(text);
    if let Some(drop) = drops::read(body, pawns, check_suffix, position) {
        return drop;
    }
    if let Some((side, deviations)) = read_castling(body) {
        let mv = position.castle(side).ok_or(Deviation::MoveIllegal)?;
        return Ok(Reading { mv, check_suffix, deviations });
    }
    let mut parts = parse(body, !B::IS_STANDARD)?;
    // `Xf6`: a pawn that captures is named by its file, and the `X` may be a piece letter of some language.
    let bare = parts.role.is_none() && parts.origin_file.is_none() && parts.origin_rank.is_none();
    if bare && parts.capture_written {
        return Err(Deviation::MoveUnreadable);
    }
    let mv = resolve(&parts, position)?;
    judge(&mut parts, mv, position);
    Ok(Reading { mv, check_suffix, deviations: parts.deviations })
}

/// Reads a text of another writer of the family, for notations in which that is one deviation. The check suffix has
/// its own.
///
/// # Errors
/// As [`read`].
pub(super) fn read_as_variant(
    text: &[u8],
    position: &impl Board,
    pawns: PawnLetter,
) -> Result<Reading, Deviation> {
    let mut reading = read(text, position, pawns)?;
    if !reading.mv.is_drop() {
        reading.deviations = DeviationSet::of(Deviation::NotationVariant);
    }
    Ok(reading)
}

/// Does a legal move fit the text? Castling has a syntax of its own.
fn fits(parts: &Parts, mv: Move, any_promotion: bool) -> bool {
    // Without a letter a text means a pawn; with both squares it may be any piece: `g1f3`.
    let role_fits = match parts.role {
        Some(role) => mv.role() == role,
        None => mv.role() == Role::Pawn || parts.is_long(),
    };
    // A pawn that captures is named by its file: `d5` and `xd5` are no captures; and `ed` names two files.
    let takes_aside = mv.origin().file() != mv.target().file();
    let pawn_fits = mv.role() != Role::Pawn
        || if takes_aside { parts.origin_file.is_some() } else { parts.target_rank.is_some() };
    role_fits
        && pawn_fits
        && mv.castling_side().is_none()
        && !mv.is_drop()
        && mv.target().file() == parts.target_file
        && parts.target_rank.is_none_or(|rank| mv.target().rank() == rank)
        && parts.origin_file.is_none_or(|file| mv.origin().file() == file)
        && parts.origin_rank.is_none_or(|rank| mv.origin().rank() == rank)
        && (any_promotion || mv.promoted() == parts.promoted)
}

fn resolve<B: Board>(parts: &Parts, position: &B) -> Result<Move, Deviation> {
    let legal = position.legal_list();
    let legal = legal.as_ref();
    let mut fitting = legal.iter().copied().filter(|&mv| fits(parts, mv, false));
    match (fitting.next(), fitting.next()) {
        (Some(mv), None) => Ok(mv),
        (Some(_), Some(_)) => Err(Deviation::MoveAmbiguous),
        (None, _) => match legal.iter().copied().find(|&mv| fits(parts, mv, true)) {
            // Outside antichess no pawn becomes a king.
            Some(_) if parts.promoted == Some(Role::King) => Err(Deviation::MoveIllegal),
            Some(_) if parts.promoted.is_some() => Err(Deviation::PromotionNotAPromotion),
            Some(_) => Err(Deviation::PromotionPieceMissing),
            None => resolve_castling(parts, position),
        },
    }
}

/// `e1g1`, `Ke1-g1`: castling as the king's two squares; `e1h1`, `Ke1xh1`: as in Chess960, the king takes its
/// rook. Where a text may be either, it is the rook's square, as in UCI.
fn resolve_castling(parts: &Parts, position: &impl Board) -> Result<Move, Deviation> {
    let is_king = matches!(parts.role, None | Some(Role::King)) && parts.is_long();
    if !is_king || parts.promoted.is_some() {
        return Err(Deviation::MoveIllegal);
    }
    let sides = [CastlingSide::Short, CastlingSide::Long];
    let castling = || {
        let legal = sides.into_iter().filter_map(|side| position.castle(side));
        legal.filter(|mv| {
            let king = mv.origin();
            parts.origin_file == Some(king.file()) && parts.origin_rank == Some(king.rank())
        })
    };
    let is_target = |square: Square| {
        square.file() == parts.target_file && Some(square.rank()) == parts.target_rank
    };
    castling()
        .find(|mv| is_target(mv.target()))
        .or_else(|| castling().find(|mv| !parts.capture_written && is_target(mv.arrival())))
        .ok_or(Deviation::MoveIllegal)
}

/// Adds the deviations of a text from the canonical one.
fn judge<B: Board>(parts: &mut Parts, mv: Move, position: &B) {
    let (capture, role) = (position.is_capture(mv), mv.role());
    let deviations = &mut parts.deviations;
    if mv.castling_side().is_some() {
        let is_arrival = parts.target_file == mv.arrival().file() && !parts.capture_written;
        return deviations.add(if is_arrival {
            Deviation::LongForm
        } else {
            Deviation::CastlingTakesRook
        });
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
        _ => disambiguation(position, mv),
    };
    if written != needed {
        if parts.is_long() {
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

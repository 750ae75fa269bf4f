//! Drops, as most notations write them: the piece, `@`, the square.
//!
//! In: a drop, or a text with `@`. Out: its text without a check suffix, or the drop with the deviations of the text.
//! The letter of a pawn is written where the notation has it (`P@e4`), else not (`@e4`); both are read. Source:
//! `variants.md`, section 6, after sources/003, note 1.

use crate::chess::{Board, Move, Role, Square};
use crate::pgn::deviation::{Deviation, DeviationSet};

use super::{CheckSuffix, MoveText, Reading};

/// The byte between the piece and the square of a drop.
pub(super) const AT: u8 = b'@';

/// Does a drop of a pawn have a letter?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PawnLetter {
    /// `P@e4`.
    Written,
    /// `@e4`.
    Omitted,
}

/// Writes a drop without a check suffix, with roles as `letter` writes them.
pub(super) fn write(
    mv: Move,
    pawns: PawnLetter,
    text: &mut MoveText,
    letter: impl Fn(Role, &mut MoveText),
) {
    if mv.role() != Role::Pawn || pawns == PawnLetter::Written {
        letter(mv.role(), text);
    }
    text.push(AT);
    text.push_square(mv.target());
}

/// Reads a drop without a check suffix, with English letters. `None`: the text has no `@`, or the rules are those of
/// chess.
#[inline]
pub(super) fn read<B: Board>(
    body: &[u8],
    pawns: PawnLetter,
    check_suffix: CheckSuffix,
    position: &B,
) -> Option<Result<Reading, Deviation>> {
    if B::IS_STANDARD {
        return None;
    }
    let at = body.iter().position(|&byte| byte == AT)?;
    let read = read_parts(&body[..at], &body[at + 1..], pawns, position);
    Some(read.map(|(mv, deviations)| Reading { mv, check_suffix, deviations }))
}

fn read_parts(
    letter: &[u8],
    square: &[u8],
    pawns: PawnLetter,
    position: &impl Board,
) -> Result<(Move, DeviationSet), Deviation> {
    let mut deviations = DeviationSet::EMPTY;
    let role = match *letter {
        [] => Role::Pawn,
        [letter] => {
            if letter.is_ascii_lowercase() {
                deviations.add(Deviation::PieceLetterLowerCase);
            }
            Role::from_letter(letter.to_ascii_uppercase()).ok_or(Deviation::MoveUnreadable)?
        }
        _ => return Err(Deviation::MoveUnreadable),
    };
    if role == Role::Pawn && (pawns == PawnLetter::Written) == letter.is_empty() {
        deviations.add(Deviation::DropLetter);
    }
    let [file, rank] = *square else { return Err(Deviation::MoveUnreadable) };
    let square = Square::from_ascii(file, rank).ok_or(Deviation::MoveUnreadable)?;
    let mv = position.drop_of(role, square).ok_or(Deviation::MoveIllegal)?;
    Ok((mv, deviations))
}

//! The notations of Chess 99, on nine by nine squares (`chess99-game.md`, section 6).
//!
//! In: a [`Ply99`], or a text and a position. Out: a text, or the play that it means. Four notations can write these
//! games: `chess99`, `uci`, `long` and `geographical`. Invariant: no two plays of a position share a text. Cost: a
//! reader
//! writes each play of the position, at most some hundred, and compares.

mod geographical;
mod play_reader;
mod play_text;
mod squares;

use crate::chess::rules::{Chess99, Play99, Position99, Role99, Rules};
use crate::pgn::deviation::{Deviation, DeviationSet};

use super::{CheckSuffix, MoveText, Ply99, Reading, algebraic};

pub(super) use geographical::write as write_geographical;
pub(super) use play_reader::read as read_play;
pub(super) use play_text::write as write_play;
pub(super) use squares::{write_long, write_uci};

/// The symbol for a capture.
const TAKES: &[u8] = "×".as_bytes();

/// The letter of a piece in plays, where the paladin has `P` and a pawn none.
fn letter(role: Role99) -> Option<u8> {
    match role {
        Role99::Pawn => None,
        Role99::Paladin => Some(b'P'),
        role => Some(role.letter()),
    }
}

/// Is the other king in check after a play?
fn gives_check(ply: &Ply99<'_>) -> bool {
    ply.after().is_in_check(ply.after().turn())
}

/// Writes a play without its check suffix.
type Write = fn(&Position99, Play99, &mut MoveText);

/// The play whose text without a check suffix this is.
fn find(body: &[u8], position: &Position99, write: Write) -> Option<Play99> {
    let mut found = None;
    Chess99::visit_legal(position, &mut |play| {
        let mut text = MoveText::default();
        write(position, play, &mut text);
        if text.as_bytes() == body {
            found = Some(play);
        }
        found.is_some()
    });
    found
}

/// The canonical text in a notation whose only suffix is `+`, or that has none.
pub(super) fn encode(ply: &Ply99<'_>, write: Write, writes_check: bool, text: &mut MoveText) {
    write(ply.before(), ply.play(), text);
    if writes_check && gives_check(ply) {
        text.push(b'+');
    }
}

/// Reads a text in such a notation.
///
/// # Errors
/// [`Deviation::MoveIllegal`]: no play has this text.
pub(super) fn read(
    text: &[u8],
    position: &Position99,
    write: Write,
    writes_check: bool,
) -> Result<Reading<Play99>, Deviation> {
    let (body, suffix) = match writes_check {
        true => algebraic::split_check_suffix(text),
        false => (text, CheckSuffix::Unspecified),
    };
    let mv = find(body, position, write).ok_or(Deviation::MoveIllegal)?;
    let mut deviations = DeviationSet::EMPTY;
    let mut after = *position;
    Chess99::play_into(position, mv, &mut after);
    let ply = Ply99::new(position, mv, &after);
    match suffix {
        CheckSuffix::Unspecified => {}
        CheckSuffix::None if gives_check(&ply) => deviations.add(Deviation::CheckMarkMissing),
        CheckSuffix::None => {}
        _ if !gives_check(&ply) => deviations.add(Deviation::CheckMarkExtra),
        CheckSuffix::Check => {}
        _ => deviations.add(Deviation::CheckMarkStyle),
    }
    Ok(Reading { mv, check_suffix: CheckSuffix::Unspecified, deviations })
}

//! XBoard, WinBoard and what has their form: evaluation with its sign, depth, seconds without a unit.
//!
//! Source: XBoard `SaveGamePGN` (`backend.c`): `+` before every score that is not negative, the mover's view; a time
//! below 0.1 s is left out, one from a minute on is `1:05`, and with `cumulativeTimePGN` there is the time that is
//! left, with a sign, which is not read. cutechess's GUI has had the same with `M` and a plain `0.00`. In brackets
//! before may be the variation.
//!
//! ChessBase writes the same without a plus, from White's view (`chessbase.rs`): a negative evaluation and 0 could be
//! of both, and is read as that of the first comment of the game that could not.

use crate::pgn::command::Eval;
use crate::pgn::cursor::Cursor;

use super::comment::{EngineComment, EvalView};
use super::form::CommentForm;
use super::score::{Score, Sign, Unit, end_or, score, sign, skip_bracketed, slash_depth, space};

pub(super) const FORM: CommentForm = CommentForm {
    name: "xboard",
    writers: "XBoard, WinBoard, Arena, Banksia",
    examples: &["+0.25/18 45", "+0.25/18 1:05", "+0.25/18", "-M4/19 0.025", "(Nf6 d4) -0.25/18 45"],
    doc: "evaluation, depth, seconds; what is in brackets before is the variation; `M` has plies",
    view: "the mover. `-0.10/11 6` and `0.00/11 6` could be of `chessbase`: the first comment of the game that can be of one \
           alone decides; without one only 0 is an evaluation",
    is_ambiguous: true,
    read,
};

fn read(mut cursor: Cursor<'_>) -> Option<EngineComment> {
    let pv = skip_bracketed(&mut cursor);
    let score = score(&mut cursor)?;
    let view = view(score, pv.is_some())?;
    let depth = slash_depth(&mut cursor)?;
    let mut time = None;
    if space(&mut cursor).is_some() && cursor.peek().is_some_and(|byte| !b",;".contains(&byte)) {
        time = match sign(&mut cursor) {
            Sign::Unsigned => Some(seconds(&mut cursor)?),
            _ => {
                cursor.number()?;
                None
            }
        };
    }
    end_or(&mut cursor, b",;")?;
    let (eval, depth) = (Some(score.eval), Some(depth));
    Some(EngineComment { eval, view, depth, time, pv, ..EngineComment::default() })
}

/// Whose view it has, as far as this comment shows; `None` if it is of another form.
fn view(score: Score, has_variation: bool) -> Option<EvalView> {
    match (score.unit, score.sign, score.eval) {
        (Unit::Moves, ..) => None,
        (Unit::Plies, ..) | (_, Sign::Plus, _) => Some(EvalView::Mover),
        (_, Sign::Minus, _) | (_, _, Eval::Centipawns(0)) if has_variation => Some(EvalView::Mover),
        (_, Sign::Minus, _) | (_, _, Eval::Centipawns(0)) => Some(EvalView::OfGame),
        _ => None,
    }
}

/// Seconds, or minutes and seconds, in milliseconds.
fn seconds(cursor: &mut Cursor<'_>) -> Option<i32> {
    let start = cursor.at;
    let minutes = cursor.number()?;
    if !cursor.accept(b':') {
        cursor.at = start;
        return cursor.seconds();
    }
    let seconds = [cursor.digit()?, cursor.digit()?];
    let seconds = u64::from(minutes) * 60 + u64::from(seconds[0] * 10 + seconds[1]);
    i32::try_from(seconds * 1_000).ok()
}

//! c-chess-cli: hundredths of a pawn without a point, and milliseconds (`game_export_pgn`, verbosity 3, its default).
//! The score is the engine's, the mover's view; a mate has plies.
//!
//! With verbosity 2 it writes no time: `31/12`. That could be a date or a fraction in prose, and is not read.

use crate::pgn::command::Eval;
use crate::pgn::cursor::{Cursor, clamp};

use super::comment::{EngineComment, EvalView};
use super::form::CommentForm;
use super::score::{end, moves_of_plies, slash_depth, space};

pub(super) const FORM: CommentForm = CommentForm {
    name: "c-chess-cli",
    writers: "c-chess-cli",
    examples: &["31/12 35ms", "-M4/12 35ms"],
    doc: "evaluation in hundredths of a pawn, depth, time; `M` has plies",
    view: "the mover",
    is_ambiguous: false,
    read,
};

fn read(mut cursor: Cursor<'_>) -> Option<EngineComment> {
    let is_negative = cursor.accept(b'-');
    let eval = match cursor.accept(b'M') {
        true => Eval::Mate(clamp(moves_of_plies(cursor.number()?), is_negative)),
        false => Eval::Centipawns(clamp(cursor.number()?, is_negative)),
    };
    let depth = slash_depth(&mut cursor)?;
    space(&mut cursor)?;
    let time = i32::try_from(cursor.long_number()?).ok()?;
    if !(cursor.accept(b'm') && cursor.accept(b's')) {
        return None;
    }
    end(&mut cursor)?;
    let (eval, depth, time) = (Some(eval), Some(depth), Some(time));
    Some(EngineComment { eval, view: EvalView::Mover, depth, time, ..EngineComment::default() })
}

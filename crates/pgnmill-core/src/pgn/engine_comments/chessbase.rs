//! ChessBase and Fritz: evaluation without a plus, depth, seconds, and perhaps the move that was expected.
//!
//! Source: games of TCEC matches 1 and 3 that such a program has written (TCEC-Chess/tcecgames): of 3,219 pairs of
//! comments of adjacent plies, beyond 0.30 both, all have the same sign: White's view. `#` has moves. Lines are broken
//! after `.` and `/`, too.
//!
//! A negative evaluation without an expected move could be of XBoard: `xboard.rs` reads it.

use crate::pgn::command::Eval;
use crate::pgn::cursor::Cursor;

use super::comment::{EngineComment, EvalView};
use super::form::CommentForm;
use super::score::{Sign, Unit, end, score, slash_depth, space};

pub(super) const FORM: CommentForm = CommentForm {
    name: "chessbase",
    writers: "ChessBase, Fritz",
    examples: &["0.75/27 126 (Rh6)", "1.60/21 65", "#43/26 55"],
    doc: "evaluation, depth, seconds; `#` has moves",
    view: "White; see `xboard`",
    is_ambiguous: true,
    read,
};

fn read(mut cursor: Cursor<'_>) -> Option<EngineComment> {
    let score = score(&mut cursor)?;
    let depth = slash_depth(&mut cursor)?;
    space(&mut cursor)?;
    let time = cursor.seconds()?;
    let mut expects_move = false;
    if end(&mut cursor).is_none() {
        expected_move(&mut cursor)?;
        expects_move = true;
    }
    let is_own = match (score.unit, score.sign) {
        (Unit::Plies, _) | (_, Sign::Plus) => false,
        (Unit::Moves, _) => true,
        (Unit::Pawns, Sign::Unsigned) => expects_move || score.eval != Eval::Centipawns(0),
        (Unit::Pawns, Sign::Minus) => expects_move,
    };
    let (eval, depth, time) = (Some(score.eval), Some(depth), Some(time));
    is_own.then_some(EngineComment {
        eval,
        view: EvalView::White,
        depth,
        time,
        ..EngineComment::default()
    })
}

/// A move in brackets at the end of the text.
fn expected_move(cursor: &mut Cursor<'_>) -> Option<()> {
    cursor.skip_whitespace();
    if !cursor.accept(b'(') {
        return None;
    }
    let start = cursor.at;
    while cursor.peek().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"+#=-".contains(&byte))
    {
        cursor.at += 1;
    }
    let is_move = cursor.at > start && cursor.accept(b')');
    is_move.then(|| end(cursor)).flatten()
}

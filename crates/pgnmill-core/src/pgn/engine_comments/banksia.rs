//! BanksiaGUI: evaluation, depth, milliseconds, nodes. Source: its games in nguyenpham/Banksia (issue 25),
//! `+0.3/21 2424 1511177`.
//!
//! The program has no public source, and whose view it writes is not documented: in that game both sides have `+0.3` in
//! an equal opening, while the source of its predecessor, Banksia (`ChessBoard::toMoveListString`), writes the mover's.
//! So nothing but 0 is read as an evaluation. What Banksia itself writes, seconds without nodes, is of `xboard`.

use crate::pgn::cursor::Cursor;

use super::comment::{EngineComment, EvalView};
use super::form::CommentForm;
use super::score::{Unit, counted, end_or, score, slash_depth, space};

pub(super) const FORM: CommentForm = CommentForm {
    name: "banksia",
    writers: "BanksiaGUI",
    examples: &["+0.3/21 2424 1511177"],
    doc: "depth, milliseconds, nodes",
    view: "not known: only 0 is an evaluation",
    is_ambiguous: false,
    read,
};

fn read(mut cursor: Cursor<'_>) -> Option<EngineComment> {
    let score = score(&mut cursor)?;
    if score.unit == Unit::Moves {
        return None;
    }
    let depth = slash_depth(&mut cursor)?;
    space(&mut cursor)?;
    let time = i32::try_from(cursor.long_number()?).ok()?;
    space(&mut cursor)?;
    let nodes = counted(&mut cursor)?;
    end_or(&mut cursor, b",;")?;
    let (eval, depth, time) = (Some(score.eval), Some(depth), Some(time));
    Some(EngineComment {
        eval,
        view: EvalView::Unknown,
        depth,
        time,
        nodes,
        ..EngineComment::default()
    })
}

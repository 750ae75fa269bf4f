//! cutechess, fastchess, and what has their form: evaluation, depth, time with its unit, keys and values.
//!
//! Sources: cutechess `evalString` (`chessgame.cpp`) and `scoreText` (`moveevaluation.cpp`); fastchess
//! `PgnBuilder::createComment` and `Score`; of 2023 fastchess also with nodes, `+0.16/17/932682 338ms`. Both write the
//! engine's score, which is the mover's view.
//!
//! * A score is absent (`/12 0.5s`) or `ERR` where the engine gave none. cutechess writes the time alone (`1.2s`) if
//!   there is neither a score nor a depth.
//! * `M` has plies.
//! * Commented games of CCRL have the move or the variation in brackets before: `(h4) +0.59/28 20s`. They were played
//!   in many programs, and not all may have written the mover's view.
//! * After the time is the end, or a comma and items: `n=`, `sd=`, `nps=`, `tbhits=`, `pv="…"`, other keys, and how the
//!   game ended.

use crate::pgn::cursor::Cursor;

use super::comment::{EngineComment, EvalView};
use super::form::CommentForm;
use super::items::items;
use super::score::{Unit, count, counted, end, score, short, skip_bracketed, slash_depth, space};

pub(super) const FORM: CommentForm = CommentForm {
    name: "cutechess",
    writers: "cutechess, fastchess, fishtest, CCRL",
    examples: &[
        "+1.16/8 0.022s",
        "-M12/27 1.2s, White mates",
        "+0.25/12 0.010s, tl=9.990s, n=5000, sd=14, nps=500000, hashfull=3, tbhits=2, pv=\"e2e4 e7e5\"",
        "(Nf6) +0.59/28 20s",
        "/12 0.5s",
        "1.2s",
    ],
    doc: "evaluation, depth, time; `n`, `sd`, `nps`, `tbhits` or `tb`, `pv`; what is in brackets before is the variation; \
          `M` has plies",
    view: "the mover",
    is_ambiguous: false,
    read,
};

fn read(mut cursor: Cursor<'_>) -> Option<EngineComment> {
    let pv = skip_bracketed(&mut cursor);
    let mut comment = EngineComment { view: EvalView::Mover, pv, ..EngineComment::default() };
    let start = cursor.at;
    if head(&mut cursor, &mut comment).is_none() {
        // A time alone.
        cursor.at = start;
        comment = EngineComment { time: Some(cursor.seconds()?), ..EngineComment::default() };
        if pv.is_some() || !cursor.accept(b's') {
            return None;
        }
    }
    if end(&mut cursor).is_some() {
        return Some(comment);
    }
    if !cursor.accept(b',') {
        return None;
    }
    let text = cursor.text;
    items(&mut cursor, |key, span| {
        let value = &text[span.clone()];
        match key {
            b"n" => comment.nodes = count(value)?,
            b"sd" => comment.seldepth = Some(short(value)?),
            b"nps" => comment.speed = count(value)?,
            b"tbhits" | b"tb" => comment.tb_hits = count(value)?,
            b"pv" if !span.is_empty() => comment.pv = Some((span.start, span.end)),
            _ => {}
        }
        Some(())
    })?;
    Some(comment)
}

/// Evaluation, depth and time.
fn head(cursor: &mut Cursor<'_>, comment: &mut EngineComment) -> Option<()> {
    if cursor.text[cursor.at..].starts_with(b"ERR/") {
        cursor.at += 3;
    } else if cursor.peek() != Some(b'/') {
        let score = score(cursor)?;
        // `#` is ChessBase's.
        if score.unit == Unit::Moves {
            return None;
        }
        comment.eval = Some(score.eval);
    }
    comment.depth = Some(slash_depth(cursor)?);
    if cursor.accept(b'/') {
        comment.nodes = counted(cursor)?;
    }
    space(cursor)?;
    comment.time = Some(time(cursor)?);
    Some(())
}

/// A time in `s` or `ms`.
fn time(cursor: &mut Cursor<'_>) -> Option<i32> {
    let start = cursor.at;
    if let Some(time) = cursor.seconds()
        && cursor.accept(b's')
    {
        return Some(time);
    }
    cursor.at = start;
    let time = cursor.long_number()?;
    let has_unit = cursor.accept(b'm') && cursor.accept(b's');
    i32::try_from(time).ok().filter(|_| has_unit)
}

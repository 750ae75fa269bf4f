//! TCEC: keys and values. Sources: the games of all seasons (TCEC-Chess/tcecgames), and cutechess as TCEC has changed
//! it (coolchess123/tceccutechess, `ChessGame::evalString`).
//!
//! * Seasons 1 to 4: `ev=0.26, d=24, pd=cxd4, mt=00:09:24, tl=01:50:35, s=2062 kN/s, tb=0,`; later with `pv=`, `n=`.
//!   `ev` is White's view there: of 26,000 pairs of comments of adjacent plies in 8 files, beyond 0.30 both, 99 % have
//!   the same sign.
//! * Season 5 has `ev` and `wv`, of which `ev` is the mover's view: `wv` is read. Since season 6 there is `wv` alone.
//! * Since season 12 times are milliseconds, the speed is in nodes, and there is `sd`.
//! * `M` has plies, `#` (season 5) moves: the variations that end with mate have as many.
//!
//! The comment begins with `ev=` or `d=` and has `mt=`. Further keys, and texts without a key, which are how the game
//! ended, are not read. A value that is malformed makes all of the comment unreadable.

use crate::pgn::cursor::Cursor;

use super::comment::{EngineComment, EvalView};
use super::form::CommentForm;
use super::items::items;
use super::score::{count, score, short, whole};

pub(super) const FORM: CommentForm = CommentForm {
    name: "tcec",
    writers: "TCEC, seasons 1 to 29",
    examples: &[
        "d=24, sd=36, pd=O-O, mt=34888, tl=1731562, s=52975900, n=1848276209, pv=d6 Nc3 c5, tb=null, h=0.1, ph=50.0, \
         wv=0.31, R50=50, Rd=-11, Rr=-1000, mb=+0+0+0+0+0,",
        "ev=0.26, d=24, pd=cxd4, mt=00:09:24, tl=01:50:35, s=2062 kN/s, tb=0,",
        "d=23, mt=00:02:52, tl=01:55:32, s=4485 kN/s, n=758053230, pv=Nc3 a5, tb=0, R50=50, wv=-M12,, Black mates",
    ],
    doc: "`wv`, else `ev`, as the evaluation, `d`, `sd`, `n`, `mt` (milliseconds or `H:MM:SS`), `s` (also `kN/s`), `tb`, `pv`; \
          `M` has plies, `#` moves",
    view: "White: `wv`, or `ev` where there is no `wv`",
    is_ambiguous: false,
    read,
};

fn read(mut cursor: Cursor<'_>) -> Option<EngineComment> {
    let rest = &cursor.text[cursor.at..];
    if !rest.starts_with(b"d=") && !rest.starts_with(b"ev=") {
        return None;
    }
    let text = cursor.text;
    let mut comment = EngineComment { view: EvalView::White, ..EngineComment::default() };
    let (mut of_mover, mut of_white) = (None, None);
    items(&mut cursor, |key, span| {
        let value = &text[span.clone()];
        match key {
            b"ev" => of_mover = Some(whole(value, score)?.eval),
            b"wv" => of_white = Some(whole(value, score)?.eval),
            b"d" => comment.depth = Some(short(value)?),
            b"sd" => comment.seldepth = Some(short(value)?),
            b"mt" => comment.time = Some(time(value)?),
            b"n" => comment.nodes = count(value)?,
            b"s" => comment.speed = speed(value)?,
            b"tb" if value != b"null" => comment.tb_hits = count(value)?,
            b"pv" if !span.is_empty() => comment.pv = Some((span.start, span.end)),
            _ => {}
        }
        Some(())
    })?;
    comment.eval = of_white.or(of_mover);
    comment.time.is_some().then_some(comment)
}

/// Milliseconds, or hours, minutes and seconds.
fn time(value: &[u8]) -> Option<i32> {
    whole(value, |cursor| {
        let first = cursor.long_number()?;
        if !cursor.accept(b':') {
            return i32::try_from(first).ok();
        }
        let minutes = i64::from(cursor.number()?);
        if !cursor.accept(b':') {
            return None;
        }
        let seconds =
            first.checked_mul(3_600)?.checked_add(minutes * 60 + i64::from(cursor.number()?))?;
        i32::try_from(seconds.checked_mul(1_000)?).ok()
    })
}

/// Nodes per second, or thousands of them.
fn speed(value: &[u8]) -> Option<Option<i64>> {
    match value.strip_suffix(b" kN/s") {
        Some(thousands) => Some(count(thousands)?.and_then(|number| number.checked_mul(1_000))),
        None => count(value),
    }
}

//! Moves of two characters each, with nothing between them: lines of TCN.
//!
//! In: a line, and the line of play at its beginning. Out: plies, as from the general loop. Invariants: a line has
//! moves alone, no numbers, comments and results, which its characters would be; one of `*` alone has none. Cost: the
//! reading of each move by the notation.

use crate::pgn::Tokens;
use crate::pgn::deviation::{Deviation, quoted};

use super::Replayer;
use super::line::LineStack;
use super::ruleset::Ruleset;
use super::visitor::MovetextVisitor;

/// The line of a game without moves.
const EMPTY: &[u8] = b"*";

impl Replayer<'_> {
    /// Replays a line of pairs, from `tokens` on to its end.
    pub(super) fn pairs<R: Ruleset>(
        &mut self,
        lines: &mut LineStack<R>,
        tokens: &mut Tokens<'_>,
        text: &[u8],
        visitor: &mut dyn MovetextVisitor<R>,
    ) {
        let (mut at, end) = (tokens.at(), text.trim_ascii_end().len());
        tokens.go_to(text.len());
        if text.get(at..end) == Some(EMPTY) {
            return;
        }
        while at < end && !lines.line.dead {
            let span = at..end.min(at + 2);
            at = span.end;
            let (notation, line) = (lines.notation, &mut lines.line);
            match R::read(notation, &text[span.clone()], line.position(), line.lineage()) {
                Ok(reading) => self.play_reading(lines, text, span, &reading, visitor),
                Err(kind) => {
                    let position = line.position();
                    let is_over = kind == Deviation::MoveIllegal && R::end(position).is_some();
                    let kind = if is_over { Deviation::MovesAfterEnd } else { kind };
                    let token = quoted(&text[span.clone()]);
                    let why = || R::refusal(kind, &token, notation, position);
                    self.fail(kind, span, line.ply + 1, why);
                    line.dead = true;
                }
            }
        }
    }
}

//! The edits of a converted game: annotations are dropped, tag pairs set or removed, the opening is written.
//!
//! In: the plies of a game, and its converted text. Out: the edited text, in the part of the job. A game is converted
//! first, to a text of its own, and this text is edited; so the moves of the output are those of the conversion.
//! Invariant: a rejected game that is kept is not edited. Cost: two passes over the tokens of each game; conversions
//! without edits have none of it, and none of its code in their loops.

use crate::engine::TextPiece;
use crate::notation::Ply;
use crate::openings::{Opening, Tracker};
use crate::pgn::{Digits, tag_section_end};
use crate::replay::Verdict;
use crate::tasks::edits::{Edits, adapt_piece};

use super::rewritten::Rewritten;

/// Tag pairs of the opening.
const ECO: &str = "ECO";
const OPENING: &str = "Opening";

/// Edits the converted games of a block.
#[derive(Debug)]
pub(super) struct GameEditor<'b> {
    edits: &'b Edits,
    /// Where a move can begin with a digit in the notation that is written.
    digits: Digits,
    /// The edits of a game with an opening: those of the task, and the two pairs as the last ones.
    with_opening: Edits,
    tracker: Tracker,
    part: &'b mut Rewritten,
}

impl<'b> GameEditor<'b> {
    /// Adds the edited games to `part`.
    pub(super) fn new(edits: &'b Edits, digits: Digits, part: &'b mut Rewritten) -> GameEditor<'b> {
        let (with_opening, tracker) = (edits.clone(), Tracker::default());
        GameEditor { edits, digits, with_opening, tracker, part }
    }

    /// A game begins, perhaps again.
    pub(super) fn begin(&mut self) {
        self.tracker = Tracker::default();
    }

    /// A ply of a game whose opening is set.
    pub(super) fn ply(&mut self, ply: &Ply<'_>, depth: usize) {
        if depth == 0 {
            self.tracker.visit(ply.after());
        }
    }

    /// The game ends: its converted text, and its piece before edits.
    #[inline(never)]
    pub(super) fn game(&mut self, own: &[u8], mut piece: TextPiece, verdict: Verdict) {
        let edited = match verdict {
            Verdict::Rejected => own.to_vec(),
            _ => {
                let digits = self.digits;
                self.edits().apply(own, tag_section_end(own), digits)
            }
        };
        adapt_piece(&mut piece, &edited);
        self.part.push_game(&edited, &piece);
    }

    /// Text that belongs to no game.
    #[inline(never)]
    pub(super) fn copy(&mut self, text: &[u8], piece: &TextPiece) {
        self.part.push(text, piece);
    }

    /// The edits of the current game.
    fn edits(&mut self) -> &Edits {
        let Some(Opening { eco, name, .. }) = self.tracker.opening() else {
            return self.edits;
        };
        let edits = &mut self.with_opening;
        edits.set.retain(|(pair, _)| pair != ECO && pair != OPENING);
        edits.set.push((ECO.to_string(), (*eco).to_string()));
        edits.set.push((OPENING.to_string(), (*name).to_string()));
        edits
    }
}

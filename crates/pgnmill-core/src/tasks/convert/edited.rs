//! A conversion whose games are also edited: annotations are dropped, tag pairs set or removed, the opening is written.
//!
//! In: the replay of a block. Out: [`Rewritten::text`]. A game is converted first, to a text of its own, and this text
//! is edited; so the moves of the output are those of the conversion. Invariant: a rejected game that is kept is not
//! edited. Cost: that of the conversion, and two passes over the tokens of each game; conversions without edits have
//! none of it.

use std::ops::Range;

use crate::engine::{BlockGames, BlockVisitor, GamePlace, Part, Task, TextPiece};
use crate::notation::{Notation, OtherPly, Ply};
use crate::openings::{Opening, Tracker};
use crate::pgn::deviation::Deviation;
use crate::pgn::tag_section_end;
use crate::replay::{EachPly, Game, History, TagSection, Verdict};
use crate::tasks::edits::{Edits, adapt_piece};

use super::rewrite::{Convert, Rewrite, Rewritten};

/// Tag pairs of the opening.
const ECO: &str = "ECO";
const OPENING: &str = "Opening";

/// Writes games in another notation, with edits.
#[derive(Clone, Debug)]
pub struct EditedConvert {
    /// The conversion.
    pub convert: Convert,
    /// What is edited.
    pub edits: Edits,
    /// Set the tag pairs `ECO` and `Opening` of games whose moves reach an opening.
    pub sets_opening: bool,
}

/// Rewrites and edits the games of a block.
#[derive(Debug)]
struct EditedRewrite<'b> {
    inner: Rewrite<'b>,
    task: &'b EditedConvert,
    /// The edits of a game with an opening: those of the task, and the two pairs as the last ones.
    with_opening: Edits,
    tracker: Tracker,
    part: &'b mut Rewritten,
}

impl EditedRewrite<'_> {
    /// The edits of the current game.
    fn edits(&mut self) -> &Edits {
        let Some(Opening { eco, name, .. }) = self.tracker.opening() else {
            return &self.task.edits;
        };
        let edits = &mut self.with_opening;
        edits.set.retain(|(pair, _)| pair != ECO && pair != OPENING);
        edits.set.push((ECO.to_string(), (*eco).to_string()));
        edits.set.push((OPENING.to_string(), (*name).to_string()));
        edits
    }
}

impl BlockVisitor for EditedRewrite<'_> {
    type Reads = EachPly;

    fn begin(
        &mut self,
        text: &[u8],
        start: usize,
        tags: &TagSection,
        notation: &'static dyn Notation,
    ) {
        self.tracker = Tracker::default();
        self.inner.begin(text, start, tags, notation);
    }

    fn ply(&mut self, text: &[u8], span: Range<usize>, ply: &Ply<'_>, depth: usize) {
        if depth == 0 && self.task.sets_opening {
            self.tracker.visit(ply.after());
        }
        self.inner.ply(text, span, ply, depth);
    }

    fn other_ply(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        self.inner.other_ply(text, span, ply, depth)
    }

    fn non_move(&mut self, text: &[u8], span: Range<usize>) {
        self.inner.non_move(text, span);
    }

    fn redundant_suffix(&mut self, text: &[u8], span: Range<usize>) {
        self.inner.redundant_suffix(text, span);
    }

    fn long_number(&mut self, text: &[u8], span: Range<usize>) {
        self.inner.long_number(text, span);
    }

    fn needs_repair(&mut self, text: &[u8]) -> bool {
        self.inner.needs_repair(text)
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>, game_place: GamePlace) {
        self.inner.end(text, game, game_place);
        // Empty if the game is rejected and not kept.
        let own = self.inner.take_game();
        if own.is_empty() {
            return;
        }
        let edited = if game.verdict == Verdict::Rejected {
            own
        } else {
            let digits = self.task.convert.to.info().digits;
            self.edits().apply(&own, tag_section_end(&own), digits)
        };
        let mut piece = TextPiece::game(text, game, game_place.offset);
        adapt_piece(&mut piece, &edited);
        self.part.push_game(&edited, &piece);
    }

    fn copy(&mut self, text: &[u8], piece: TextPiece) {
        self.part.push(text, &piece);
        self.inner.copy(text, piece);
    }
}

impl Task for EditedConvert {
    type Context = Rewritten;
    type Part = Rewritten;

    fn history(&self) -> History {
        self.convert.history()
    }

    fn target(&self) -> Option<&'static dyn Notation> {
        self.convert.target()
    }

    fn visit(&self, games: BlockGames<'_, '_>, context: &mut Rewritten, part: &mut Rewritten) {
        let settings = games.settings();
        context.clear();
        games.visit(EditedRewrite {
            inner: Rewrite::new(&self.convert, settings, context),
            task: self,
            with_opening: self.edits.clone(),
            tracker: Tracker::default(),
            part,
        });
    }
}

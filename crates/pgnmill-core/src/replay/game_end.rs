//! The end of a game: its result against its tag and its last position, and its verdict.
//!
//! In: the state of the game after its movetext. Out: the deviations that only the end can show, and the [`Game`]
//! that the visitor receives.

use std::ops::Range;

use crate::chess::Color;
use crate::chess::rules::GameEnd;
use crate::pgn::deviation::Deviation;
use crate::pgn::{Outcome, Tag};

use super::bounds::last_byte;
use super::line::LineStack;
use super::ruleset::Ruleset;
use super::visitor::GameVisitor;
use super::{Game, Replayer, TagSection, Verdict};

impl Replayer<'_> {
    /// Finds what only the end of a game, at byte `at`, can show: a result that differs from the tag or from the
    /// position, a variation that is still open.
    pub(super) fn judge_end<R: Ruleset>(
        &mut self,
        text: &[u8],
        tags: &TagSection,
        lines: &LineStack<R>,
        at: usize,
    ) {
        let end = || last_byte(text, at);
        let ply = self.state.plies;
        if self.state.fault.is_some() {
            return;
        }
        let result = self.state.result.clone().map(|(_, span)| &text[span]);
        if self.truncated
            && self.state.next.is_none()
            && result.and_then(Outcome::from_canonical).is_none()
        {
            self.fail(Deviation::GameCut, end(), ply, || {
                "the end of the game lies in what is damaged".to_string()
            });
            return;
        }
        if lines.depth() > 0 {
            self.fail(Deviation::VariationUnclosed, end(), ply, || {
                "a variation is still open where the game ends".to_string()
            });
            return;
        }
        if self.state.plies == 0 {
            self.deviate(Deviation::GameWithoutMoves, end(), 0);
        }
        let found = self.state.result.clone().or_else(|| self.state.resigned.clone());
        let Some((outcome, span)) = found else {
            if !self.of_lines {
                self.deviate(Deviation::ResultMissing, end(), ply);
            }
            return;
        };
        let canonical = outcome.canonical().as_bytes();
        let is_token = self.state.result.is_some();
        if is_token && &text[span.clone()] != canonical {
            self.deviate(Deviation::ResultStyle, span.clone(), ply);
            // A score such as 0-0 has no canonical text.
            if outcome != Outcome::Unknown {
                self.set_canonical_text(&span, canonical);
            }
        }
        let tagged = tags.span(Tag::Result).map(|value| &text[value]);
        // Nearly always the tag has the same bytes.
        if tagged.is_some_and(|tagged| {
            tagged != canonical && Outcome::from_any(tagged).is_some_and(|tagged| tagged != outcome)
        }) {
            self.deviate(Deviation::ResultMismatch, span.clone(), ply);
        }
        if outcome != Outcome::Unknown
            && R::end(lines.line.position()).and_then(outcome_of).is_some_and(|it| it != outcome)
        {
            self.deviate(Deviation::ResultContradictsBoard, span, ply);
        }
    }

    /// Counts the game, and delivers it to the visitor.
    pub(super) fn finish(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        tags: &TagSection,
        visitor: &mut dyn GameVisitor,
    ) {
        self.state.repaired |= visitor.needs_repair(text);
        self.state.keep_within(text, &span);
        let verdict = if self.state.fault.is_some() {
            self.counts.rejected += 1;
            Verdict::Rejected
        } else if self.state.repaired {
            self.counts.repaired += 1;
            Verdict::Repaired
        } else {
            self.counts.accepted += 1;
            Verdict::Accepted
        };
        if verdict != Verdict::Rejected {
            self.counts.plies += u64::from(self.state.plies);
            self.counts.variation_plies += u64::from(self.state.variation_plies);
        }
        let (notes, notes_omitted) = match &mut self.state.notes {
            Some(notes) if verdict != Verdict::Rejected => notes.in_order(),
            _ => (&[][..], 0),
        };
        let game = Game {
            span,
            tags,
            verdict,
            fault: self.state.fault.as_ref(),
            plies: self.state.plies,
            variation_plies: self.state.variation_plies,
            result: self.state.result.as_ref().map(|(_, span)| span.clone()),
            notes,
            notes_omitted,
            closed: self.state.result.is_some() && !self.state.left_open,
            followed: self.state.next.is_some(),
        };
        visitor.end(text, &game);
    }
}

/// The outcome where one side has lost.
pub(super) fn lost_by(side: Color) -> Outcome {
    match side {
        Color::White => Outcome::BlackWins,
        Color::Black => Outcome::WhiteWins,
    }
}

/// The result of an end; `None` if it has none.
fn outcome_of(end: GameEnd) -> Option<Outcome> {
    match end {
        GameEnd::Win(side) => Some(lost_by(side.other())),
        GameEnd::Draw => Some(Outcome::Draw),
        GameEnd::Unscored => None,
    }
}

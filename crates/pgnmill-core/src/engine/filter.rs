//! The games of a block in a run with a selection: those that it excludes are counted, the others visited.
//!
//! In: a block, a [`Filter`] and the replay of the block. Out: calls of the task's visitor for selected games;
//! [`Counts::not_selected`](crate::replay::Counts). Invariants: which games are selected does not depend on the
//! division of the archive; every game is counted once; numbers, offsets and lines are those of the archive.
//!
//! ```text
//! text from a game start to the next ── one game for certain? ── tag pairs decide: excluded, or selected
//!                │ no, or the tag pairs do not decide                    └► visited
//!                └► game by game: a probe replays it and decides ──► selected: replayed again, for the task
//! ```
//!
//! Cost of a game that tag pairs exclude: one pass over them and one over the movetext, at the speed of `memchr`. A
//! game that its moves decide is replayed once, and once more if the task visits the moves of it.

use std::ops::Range;

use pgnmill_io::archive::games::Games;
use pgnmill_io::archive::{Block, Part};

use crate::facts::ReadGame;
use crate::notation::{Notation, OtherPly, Ply};
use crate::pgn::deviation::Deviation;
use crate::pgn::{Digits, NOTATION_TAG, TagPairs, opens_tag_pair, read_tag_section};
use crate::replay::{
    Counts, FastVisitor, Game, LineRequest, MoveLine, NonPly, PliesOrLines, ReplayVisitor,
    Replayer, TagSection, Verdict,
};
use crate::select::{Decision, GameView, MoveFacts, RequiredTags, Selection, Watch};

use super::block::{BlockReplay, LineCount};
use super::facts::Facts;
use super::moves_use::MovesUse;
use super::one_game::{closing_result, results_end};
use super::settings::Settings;
use super::visitor::BlockVisitor;

/// A selection on the games of one archive.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filter<'f> {
    pub(super) selection: &'f Selection,
    /// The name of the archive.
    pub(super) archive: &'f str,
    /// What the task requires of moves.
    pub(super) moves: MovesUse,
}

/// Memory that is used again from game to game.
struct Scratch {
    tags: RequiredTags,
    moves: MoveFacts,
    /// What is met of the expression in this block.
    watch: Watch,
}

/// The tag pairs at the beginning of a text.
struct TagScan {
    /// Where the last one ends.
    end: usize,
    /// Does one name a notation?
    names_notation: bool,
}

impl Filter<'_> {
    /// Visits the selected games of a block of whole games, and adds to the facts; the others are counted.
    pub(super) fn games<V: BlockVisitor>(
        &self,
        visitor: V,
        block: Block<'_>,
        settings: &Settings,
        replayer: &mut Replayer<'_>,
        facts: &mut Facts,
    ) {
        let games = replayer.counts.games();
        let mut replay = BlockReplay::new(visitor, block, settings, games, facts);
        let Filter { selection, .. } = self;
        let (tags, moves) = (selection.tags(), selection.move_facts());
        let mut scratch = Scratch { tags, moves, watch: selection.watch() };
        let of_moves = selection.is_of_moves_alone();
        let mut found = Games::on(replayer.level(), block.text);
        while let Some((start, text, ends)) = found.next_counted() {
            replay.text_start = start;
            replay.line = LineCount::default();
            let is_last = start + text.len() == block.text.len();
            let truncated = block.part == Part::Cut && is_last;
            if truncated
                || of_moves
                || !self.by_tags(&mut replay, text, ends.high, &mut scratch, replayer)
            {
                self.one_by_one(&mut replay, text, truncated, &mut scratch, replayer);
            }
            let counted = &mut replay.facts.counted;
            counted.lines += counted.survey.add(text, block.part, ends);
        }
        replay.facts.counted.met.merge(scratch.watch.met());
    }

    /// Decides a text that is one game for certain by its tag pairs, if they decide, and visits it if it is selected.
    /// Returns whether that was possible. `high`: it contains other bytes than ASCII.
    fn by_tags<V: BlockVisitor>(
        &self,
        replay: &mut BlockReplay<'_, V>,
        text: &[u8],
        high: bool,
        scratch: &mut Scratch,
        replayer: &mut Replayer<'_>,
    ) -> bool {
        if !opens_tag_pair(text, 0) {
            return false;
        }
        let scan = self.tags(text, &mut scratch.tags);
        if !results_end(text, scan.end, high) {
            return false;
        }
        if !self.selection.shares(text, scan.end) {
            replayer.counts.not_selected += 1;
            replay.games += 1;
            return true;
        }
        scratch.watch.tags(self.selection.tags_met(&scratch.tags));
        let watch = &scratch.watch;
        let RequiredTags { index, others } = &scratch.tags;
        let (tags, text_bytes) = (index.values(text), text.len());
        let game = ReadGame { tags, archive: self.archive, text_bytes, played: None };
        let game = GameView { text, game, others, moves: None, watch };
        match self.selection.decide(&game) {
            Decision::Open => false,
            Decision::Selected if self.selection.key_reads_moves() => false,
            Decision::Selected if self.moves != MovesUse::Unread => {
                replay.visitor.selected(self.selection, &game);
                replayer.replay_fast(text, replay);
                true
            }
            Decision::Selected => {
                let digits = replay.settings.from.map_or(Digits::Never, |from| from.info().digits);
                let is_plain = !scan.names_notation && digits == Digits::Never;
                let result = if is_plain { closing_result(text, scan.end) } else { None };
                let Some(result) = result else { return false };
                replay.visitor.selected(self.selection, &game);
                unread(replay, text, scan.end, result);
                replayer.counts.unread += 1;
                true
            }
            Decision::False | Decision::Missing | Decision::NotSelected => {
                replayer.counts.not_selected += 1;
                replay.games += 1;
                true
            }
        }
    }

    /// Reads the tag pairs at the beginning of a text, as a replay reads them.
    #[inline]
    fn tags(&self, text: &[u8], tags: &mut RequiredTags) -> TagScan {
        tags.clear(0);
        let mut names_notation = false;
        let end = read_tag_section(text, 0, |pair| {
            names_notation |= text[pair.name.clone()] == *NOTATION_TAG;
            self.selection.keep_tag(text, pair, tags);
        });
        TagScan { end, names_notation }
    }

    /// Decides and visits the games of a text one after the other.
    fn one_by_one<V: BlockVisitor>(
        &self,
        replay: &mut BlockReplay<'_, V>,
        text: &[u8],
        truncated: bool,
        scratch: &mut Scratch,
        replayer: &mut Replayer<'_>,
    ) {
        let mut at = 0;
        while at < text.len() {
            let before = replayer.counts.clone();
            let replay_of_task = &mut *replay;
            let (selected, has_plies) = (None, false);
            let mut probe =
                Probe { filter: self, replay: replay_of_task, scratch, selected, has_plies };
            let end = replayer.replay_one(text, at, truncated, &mut probe);
            let has_plies = probe.has_plies;
            match probe.selected {
                // Text without a game.
                None => {}
                Some(true) if self.moves == MovesUse::Visited => {
                    replayer.counts = before;
                    replayer.replay_one(text, at, truncated, replay);
                }
                // Its replay was that of the task too.
                Some(true) if self.moves == MovesUse::Checked => {}
                Some(selected) => {
                    let probed = std::mem::replace(&mut replayer.counts, before);
                    let counts = &mut replayer.counts;
                    keep_between(counts, &probed);
                    let tags = Deviation::GameWithoutTags as usize;
                    let is_untagged = probed.deviations[tags] > counts.deviations[tags];
                    let is_rejected = probed.rejected > counts.rejected;
                    let with_plies = match is_rejected {
                        true => &mut counts.untagged_with_fault,
                        false => &mut counts.untagged_with_plies,
                    };
                    *with_plies += u64::from(is_untagged && has_plies);
                    if selected {
                        counts.unread += 1;
                        keep(counts, &probed, Deviation::GameWithoutTags);
                    } else {
                        counts.not_selected += 1;
                        counts.untagged_not_selected += u64::from(is_untagged);
                    }
                    replay.games += 1;
                }
            }
            at = end;
        }
    }
}

/// Keeps what a replay counted of a deviation that tag pairs show.
fn keep(counts: &mut Counts, probed: &Counts, deviation: Deviation) {
    counts.deviations[deviation as usize] = probed.deviations[deviation as usize];
}

/// Keeps what a replay counted of text that belongs to no game.
fn keep_between(counts: &mut Counts, probed: &Counts) {
    counts.between_bytes = probed.between_bytes;
    for deviation in [Deviation::BytesBetweenGames, Deviation::EncodingBom] {
        keep(counts, probed, deviation);
    }
}

/// Visits a game whose moves are not read; `result`: the span of its result.
fn unread<V: BlockVisitor>(
    replay: &mut BlockReplay<'_, V>,
    text: &[u8],
    tags_end: usize,
    result: Range<usize>,
) {
    let tags = TagSection::ending_at(tags_end);
    let game = Game {
        span: 0..text.len(),
        tags: &tags,
        verdict: Verdict::Accepted,
        fault: None,
        plies: 0,
        variation_plies: 0,
        result: Some(result),
        notes: &[],
        notes_omitted: 0,
        followed: false,
        closed: true,
    };
    let place = replay.place(&game.span);
    replay.visitor.end(text, &game, place);
    replay.games += 1;
}

/// The replay of a block, as a probe calls it: without the type of the visitor, so that there is one probe.
trait Probed {
    /// See [`BlockVisitor::selected`].
    fn selected(&mut self, selection: &Selection, game: &GameView<'_>);

    /// A game ends whose moves the task does not read.
    fn end_unread(&mut self, text: &[u8], game: &Game<'_>);

    /// A game ends whose moves the task requires to be checked alone.
    fn end_checked(&mut self, text: &[u8], game: &Game<'_>);
}

impl<V: BlockVisitor> Probed for BlockReplay<'_, V> {
    fn selected(&mut self, selection: &Selection, game: &GameView<'_>) {
        self.visitor.selected(selection, game);
    }

    fn end_unread(&mut self, text: &[u8], game: &Game<'_>) {
        let place = self.place(&game.span);
        self.visitor.end(text, game, place);
    }

    fn end_checked(&mut self, text: &[u8], game: &Game<'_>) {
        ReplayVisitor::end(self, text, game);
    }
}

/// Replays one game to decide it.
struct Probe<'p, 'f> {
    filter: &'p Filter<'f>,
    replay: &'p mut dyn Probed,
    scratch: &'p mut Scratch,
    /// Is the game selected? `None` before its end.
    selected: Option<bool>,
    /// Has it a legal ply?
    has_plies: bool,
}

impl FastVisitor for Probe<'_, '_> {
    type Reads = PliesOrLines;
}

impl ReplayVisitor for Probe<'_, '_> {
    fn line_request(&self) -> Option<LineRequest> {
        self.scratch.moves.line_request()
    }

    fn line(&mut self, _: &[u8], line: &MoveLine<'_>) {
        self.scratch.moves.line(line);
    }

    fn begin(&mut self, text: &[u8], _: usize, tags: &TagSection, notation: &'static dyn Notation) {
        self.scratch.moves.begin(text, tags, notation);
    }

    #[inline(always)]
    fn ply(&mut self, _: &[u8], _: Range<usize>, ply: &Ply<'_>, depth: usize) {
        if depth == 0 {
            self.scratch.moves.ply(ply);
        }
    }

    fn other_ply(
        &mut self,
        _: &[u8],
        _: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        if depth == 0 {
            self.scratch.moves.other_ply(ply);
        }
        Ok(())
    }

    fn non_ply(&mut self, _: &[u8], _: Range<usize>, kind: NonPly) {
        if kind == NonPly::NullMove(0) {
            self.scratch.moves.null_move();
        }
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>) {
        let Filter { selection, archive, moves: used } = *self.filter;
        let Scratch { tags, moves, watch } = &mut *self.scratch;
        moves.end(text, game);
        self.has_plies = game.plies + game.variation_plies > 0;
        let section = game.span.start..game.tags.end.clamp(game.span.start, game.span.end);
        if !selection.shares(&text[game.span.clone()], section.len()) {
            self.selected = Some(false);
            return;
        }
        tags.clear(game.span.start);
        if selection.reads_tags() {
            for pair in TagPairs::new(text, section) {
                selection.keep_tag(text, &pair, tags);
            }
        }
        watch.tags(selection.tags_met(tags));
        let (values, text_bytes) = (tags.index.values(text), game.span.len());
        let read = ReadGame { tags: values, archive, text_bytes, played: moves.played() };
        let (others, moves) = (&tags.others, Some(&*moves));
        let view = GameView { text, game: read, others, moves, watch };
        let decision = selection.decide(&view);
        if decision == Decision::Missing && game.verdict == Verdict::Rejected {
            watch.faulty();
        }
        let is_selected = decision == Decision::Selected;
        self.selected = Some(is_selected);
        if is_selected {
            self.replay.selected(selection, &view);
            match used {
                MovesUse::Unread => self.replay.end_unread(text, game),
                MovesUse::Checked => self.replay.end_checked(text, game),
                MovesUse::Visited => {}
            }
        }
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

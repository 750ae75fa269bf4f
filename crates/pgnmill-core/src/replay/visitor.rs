//! What a replay delivers to, without its type: the general loop is compiled once per ruleset, not once per visitor.
//!
//! In: a [`ReplayVisitor`]. Out: its table of methods, with those of all rulesets, [`GameVisitor`]. What
//! must be compiled for the type of a visitor, so that its [`ReplayVisitor::ply`] is inlined, is the fast path alone: a
//! [`FastVisitor`] states by its [`Reads`] whether it has one of its own. All visitors that read no plies share one,
//! and so do all others ([`Erased`]). Cost: a call through the table per game and per entry of the fast path.
//!
//! ```text
//! ReplayVisitor ── FastVisitor: Reads = NoPlies │ EachPly │ PliesOrLines ──► GameVisitor: MovetextVisitor<R> of each R
//!         └─────── Erased: EachPly ─────────────────────────────────────────►┘
//! ```

use std::ops::Range;

use crate::chess::rules::{AnyVariant, Chess99, Standard, TableRules};
use crate::notation::{Notation, OtherPly, Ply, Ply99, TablePly, VariantPly};
use crate::pgn::deviation::Deviation;

use super::line::Line;
use super::ruleset::Ruleset;
use super::{Game, LineRequest, MoveLine, NonPly, ReplayVisitor, Replayer, TagSection};

/// Receives the movetext of games of one ruleset.
pub(super) trait MovetextVisitor<R: Ruleset>: ReplayVisitor {
    /// A ply. One that the visitor cannot represent is a fault of the game.
    fn play(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        ply: &R::Ply<'_>,
        depth: usize,
    ) -> Result<(), Deviation>;

    /// Replays from byte `at` as far as a fast path can, and returns where the general loop continues.
    fn fast_path(
        &mut self,
        replayer: &mut Replayer<'_>,
        line: &mut Line<R>,
        text: &[u8],
        at: usize,
        depth: usize,
    ) -> usize {
        let _ = (replayer, line, text, depth);
        at
    }

    /// As [`MovetextVisitor::fast_path`], for moves in another notation than SAN.
    fn fast_path_in(
        &mut self,
        notation: &dyn Notation,
        replayer: &mut Replayer<'_>,
        line: &mut Line<R>,
        text: &[u8],
        at: usize,
        depth: usize,
    ) -> usize {
        let _ = (notation, replayer, line, text, depth);
        at
    }
}

/// Receives games of any ruleset.
pub(super) trait GameVisitor:
    MovetextVisitor<Standard>
    + MovetextVisitor<AnyVariant>
    + MovetextVisitor<Chess99>
    + MovetextVisitor<TableRules>
{
}

impl<V: FastVisitor> GameVisitor for V {}

/// A visitor that may have a fast path of its own.
pub trait FastVisitor: ReplayVisitor {
    /// What it reads of main lines.
    type Reads: Reads;
}

/// What a visitor reads of main lines: [`NoPlies`], [`EachPly`] or [`PliesOrLines`].
pub trait Reads: FastPathOf {}

impl<R: FastPathOf> Reads for R {}

/// No ply: the method `ply` is not called for all of them.
#[derive(Debug)]
pub enum NoPlies {}

/// Every ply, one by one.
#[derive(Debug)]
pub enum EachPly {}

/// Lines, if the method `line_request` requests them, and the other plies one by one.
#[derive(Debug)]
pub enum PliesOrLines {}

/// Where a fast path begins: byte `at` of the text, on a line of play so deep in variations.
#[derive(Debug)]
pub struct PathStart<'s, 'p> {
    replayer: &'s mut Replayer<'p>,
    line: &'s mut Line<Standard>,
    text: &'s [u8],
    at: usize,
    depth: usize,
}

impl PathStart<'_, '_> {
    /// Delivers plies to a visitor as far as possible, and returns where the general loop continues.
    #[inline]
    fn plies(self, visitor: &mut impl ReplayVisitor) -> usize {
        let PathStart { replayer, line, text, at, depth } = self;
        replayer.fast_movetext(line, text, at, depth, visitor)
    }

    /// Replays movetext without plies: the path of all visitors that read none.
    fn no_plies(mut self) -> usize {
        if self.depth == 0 {
            let ended;
            (self.at, ended) = self.replayer.vector_check(self.line, self.text, self.at);
            if ended {
                return self.at;
            }
        }
        let PathStart { replayer, line, text, at, depth } = self;
        replayer.fast_movetext_without_plies(line, text, at, depth)
    }
}

/// The fast path for visitors that read so much.
pub trait FastPathOf {
    /// Replays from a start as far as possible, and returns where the general loop continues.
    fn fast_path<V: ReplayVisitor>(visitor: &mut V, start: PathStart<'_, '_>) -> usize;
}

impl FastPathOf for NoPlies {
    #[inline]
    fn fast_path<V: ReplayVisitor>(_: &mut V, start: PathStart<'_, '_>) -> usize {
        start.no_plies()
    }
}

impl FastPathOf for EachPly {
    #[inline]
    fn fast_path<V: ReplayVisitor>(visitor: &mut V, start: PathStart<'_, '_>) -> usize {
        start.plies(visitor)
    }
}

impl FastPathOf for PliesOrLines {
    #[inline]
    fn fast_path<V: ReplayVisitor>(visitor: &mut V, mut start: PathStart<'_, '_>) -> usize {
        if start.depth == 0
            && let Some(request) = visitor.line_request()
        {
            let PathStart { replayer, line, text, at, .. } = &mut start;
            let (end, ended) = replayer.vector_lines(line, text, *at, request, visitor);
            if ended {
                return end;
            }
            *at = end;
        }
        start.plies(visitor)
    }
}

/// A visitor that does nothing.
pub(super) struct Ignore;

impl ReplayVisitor for Ignore {}

/// Any visitor without its type: it shares its fast path with all others of them.
pub(super) struct Erased<'v>(pub(super) &'v mut dyn ReplayVisitor);

impl FastVisitor for Erased<'_> {
    type Reads = EachPly;
}

impl ReplayVisitor for Erased<'_> {
    fn line_request(&self) -> Option<LineRequest> {
        self.0.line_request()
    }

    fn line(&mut self, text: &[u8], line: &MoveLine<'_>) {
        self.0.line(text, line);
    }

    fn begin(
        &mut self,
        text: &[u8],
        start: usize,
        tags: &TagSection,
        notation: &'static dyn Notation,
    ) {
        self.0.begin(text, start, tags, notation);
    }

    #[inline(always)]
    fn ply(&mut self, text: &[u8], span: Range<usize>, ply: &Ply<'_>, depth: usize) {
        self.0.ply(text, span, ply, depth);
    }

    fn other_ply(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        self.0.other_ply(text, span, ply, depth)
    }

    fn non_ply(&mut self, text: &[u8], span: Range<usize>, kind: NonPly) {
        self.0.non_ply(text, span, kind);
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>) {
        self.0.end(text, game);
    }

    fn needs_repair(&mut self, text: &[u8]) -> bool {
        self.0.needs_repair(text)
    }

    fn between(&mut self, text: &[u8], span: Range<usize>) {
        self.0.between(text, span);
    }
}

impl<V: FastVisitor> MovetextVisitor<Standard> for V {
    fn play(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        ply: &Ply<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        self.ply(text, span, ply, depth);
        Ok(())
    }

    fn fast_path(
        &mut self,
        replayer: &mut Replayer<'_>,
        line: &mut Line<Standard>,
        text: &[u8],
        at: usize,
        depth: usize,
    ) -> usize {
        let start = PathStart { replayer, line, text, at, depth };
        <V::Reads as FastPathOf>::fast_path(self, start)
    }

    fn fast_path_in(
        &mut self,
        notation: &dyn Notation,
        replayer: &mut Replayer<'_>,
        line: &mut Line<Standard>,
        text: &[u8],
        at: usize,
        depth: usize,
    ) -> usize {
        replayer.fast_movetext_in(notation, line, text, at, depth, self)
    }
}

impl<V: FastVisitor> MovetextVisitor<AnyVariant> for V {
    fn play(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        ply: &VariantPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        self.other_ply(text, span, &OtherPly::Variant(*ply), depth)
    }
}

impl<V: FastVisitor> MovetextVisitor<Chess99> for V {
    fn play(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        ply: &Ply99<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        self.other_ply(text, span, &OtherPly::Chess99(*ply), depth)
    }
}

impl<V: FastVisitor> MovetextVisitor<TableRules> for V {
    fn play(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        ply: &TablePly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        self.other_ply(text, span, &OtherPly::Table(*ply), depth)
    }
}

//! Chess and Chess960 in the general movetext loop: the notations of the registry, and the fast path of SAN.

use std::ops::Range;

use crate::chess::rules::{AnyPosition, Standard};
use crate::chess::{Move, Position};
use crate::notation::{Check, CheckSuffix, Lineage, MoveText, Notation, Ply, Reading, san};
use crate::pgn::deviation::Deviation;

use super::line::Line;
use super::moves::FastPath;
use super::ruleset::{MovetextVisitor, Ruleset};
use super::{LineRequest, MoveLine, ReplayVisitor, Replayer, refusal, special_tokens};

impl Ruleset for Standard {
    type Lineage = Lineage;
    type Ply<'a> = Ply<'a>;

    const NO_LINEAGE: Lineage = Lineage::initial();

    fn lineage_of(position: &Position) -> Option<Lineage> {
        Lineage::of(position)
    }

    fn any_position(position: &Position) -> Option<AnyPosition> {
        Some(AnyPosition::Chess(*position))
    }

    #[inline(always)]
    fn lineage_after(lineage: &Lineage, mv: Move) -> Lineage {
        lineage.after(mv)
    }

    #[inline(always)]
    fn ply<'a>(
        before: &'a Position,
        mv: Move,
        after: &'a Position,
        check: Check,
        lineage: Option<&'a Lineage>,
    ) -> Ply<'a> {
        Ply::new(before, mv, after, check).with_lineage(lineage)
    }

    #[inline(always)]
    fn read(
        notation: &dyn Notation,
        text: &[u8],
        position: &Position,
        lineage: Option<&Lineage>,
    ) -> Result<Reading, Deviation> {
        notation.read_in(text, position, lineage)
    }

    #[inline(always)]
    fn encode(notation: &dyn Notation, ply: &Ply<'_>, text: &mut MoveText) {
        notation.encode(ply, text);
    }

    fn refusal(
        kind: Deviation,
        token: &str,
        notation: &dyn Notation,
        position: &Position,
    ) -> String {
        refusal(kind, token, notation, position)
    }

    /// Legal moves are generated only in check.
    #[inline(always)]
    fn check(after: &Position) -> Check {
        Check::of(after)
    }

    /// The captured pawn was on another square than the one that the capturing pawn is on now.
    fn is_en_passant(before: &Position, after: &Position) -> bool {
        let captured = before.them() ^ after.us();
        captured.has_any() && (captured & after.them()).is_empty()
    }

    fn read_usual_promotion(
        notation: &dyn Notation,
        token: &[u8],
        position: &Position,
    ) -> Option<Reading> {
        special_tokens::promote_to_queen(token, notation, position)
    }
}

impl FastPath for Standard {
    fn take_buffer(replayer: &mut Replayer<'_>) -> Vec<Line<Standard>> {
        std::mem::take(&mut replayer.buffer)
    }

    fn keep_buffer(replayer: &mut Replayer<'_>, buffer: Vec<Line<Standard>>) {
        replayer.buffer = buffer;
    }

    fn has_fast_path(notation: &dyn Notation) -> bool {
        notation.is_san()
    }

    #[inline(always)]
    fn read_canonical(token: &[u8], position: &Position) -> Option<(Move, CheckSuffix)> {
        san::read_canonical(token, position)
    }

    #[inline(always)]
    fn fast_path<V: MovetextVisitor<Standard>>(
        replayer: &mut Replayer<'_>,
        line: &mut Line<Standard>,
        text: &[u8],
        at: usize,
        depth: usize,
        visitor: &mut V,
    ) -> usize {
        let mut at = at;
        if (!V::READS_PLIES || V::TAKES_LINES) && depth == 0 {
            let ended;
            (at, ended) = replayer.vector_movetext(line, text, at, visitor);
            if ended {
                return at;
            }
        }
        replayer.fast_movetext(line, text, at, depth, visitor)
    }
}

impl<V: ReplayVisitor> MovetextVisitor<Standard> for V {
    const READS_PLIES: bool = V::READS_PLIES;
    const TAKES_LINES: bool = V::TAKES_LINES;

    fn line_request(&self) -> Option<LineRequest> {
        ReplayVisitor::line_request(self)
    }

    fn line(&mut self, text: &[u8], line: &MoveLine<'_>) {
        ReplayVisitor::line(self, text, line);
    }

    #[inline(always)]
    fn ply(&mut self, text: &[u8], span: Range<usize>, ply: &Ply<'_>, depth: usize) {
        ReplayVisitor::ply(self, text, span, ply, depth);
    }

    #[inline(always)]
    fn non_move(&mut self, text: &[u8], span: Range<usize>) {
        ReplayVisitor::non_move(self, text, span);
    }

    #[inline(always)]
    fn long_number(&mut self, text: &[u8], span: Range<usize>) {
        ReplayVisitor::long_number(self, text, span);
    }

    #[inline(always)]
    fn redundant_suffix(&mut self, text: &[u8], span: Range<usize>) {
        ReplayVisitor::redundant_suffix(self, text, span);
    }
}

//! Chess and Chess960 in the general movetext loop: the notations of the registry, and the fast path of SAN.

use crate::chess::rules::{AnyPosition, Standard};
use crate::chess::{Move, Position};
use crate::notation::{Check, CheckSuffix, Lineage, MoveText, Notation, Ply, Reading, san};
use crate::pgn::deviation::Deviation;

use super::line::Line;
use super::moves::{FastPath, GameRuleset};
use super::ruleset::Ruleset;
use super::visitor::{GameVisitor, MovetextVisitor};
use super::{Replayer, refusal, special_tokens};

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
        notation.encode_ply(ply, text);
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

    const FOR_ALL_NOTATIONS: bool = true;

    fn has_fast_path(notation: &dyn Notation) -> bool {
        notation.is_san()
    }

    #[inline(always)]
    fn read_canonical(token: &[u8], position: &Position) -> Option<(Move, CheckSuffix)> {
        san::read_canonical(token, position)
    }
}

impl GameRuleset for Standard {
    fn movetext_visitor(visitor: &mut dyn GameVisitor) -> &mut dyn MovetextVisitor<Self> {
        visitor
    }
}

//! A ply of a game of other rules than those of chess, for the tasks: what they count and write of it.
//!
//! In: a ply of a variant, or of Chess 99. Out: its texts and its properties. Cost: an enum, one branch per question.

use crate::chess::Color;
use crate::chess::rules::{AnyPosition, Chess99, GameEnd, Rules, RulesKind};
use crate::pgn::deviation::Deviation;

use super::{Check, MoveText, Notation, Ply99, VariantPly};

/// A ply of a game of other rules than those of chess.
#[derive(Clone, Copy, Debug)]
pub enum OtherPly<'a> {
    /// Of a variant on the board of chess.
    Variant(VariantPly<'a>),
    /// Of Chess 99.
    Chess99(Ply99<'a>),
}

impl OtherPly<'_> {
    /// Adds the canonical text in a notation to `text`.
    ///
    /// # Errors
    /// The fault, where the notation has no text for the ply: [`Deviation::MoveNotExpressible`],
    /// [`Deviation::NotationNotForBoard`] or [`Deviation::NotationNeedsInitialArray`].
    pub fn encode(&self, notation: &dyn Notation, text: &mut MoveText) -> Result<(), Deviation> {
        match self {
            OtherPly::Variant(ply) => notation.encode_variant(ply, text),
            OtherPly::Chess99(ply) => notation.encode_99(ply, text),
        }
    }

    /// The ruleset.
    pub fn rules(&self) -> RulesKind {
        match self {
            OtherPly::Variant(ply) => {
                let (kind, chess960) = (ply.before().kind(), ply.before().board().is_chess960());
                RulesKind::Variant { kind, chess960 }
            }
            OtherPly::Chess99(_) => RulesKind::Chess99,
        }
    }

    /// The side that moves.
    pub fn color(&self) -> Color {
        match self {
            OtherPly::Variant(ply) => ply.color(),
            OtherPly::Chess99(ply) => ply.color(),
        }
    }

    /// The number of the move.
    pub fn fullmove_number(&self) -> u32 {
        match self {
            OtherPly::Variant(ply) => ply.before().board().fullmove_number(),
            OtherPly::Chess99(ply) => Chess99::fullmove_number(ply.before()),
        }
    }

    /// What the move does to the other side. In Chess 99, which has no mate, a captured king is a win.
    pub fn check(&self) -> Check {
        match self {
            OtherPly::Variant(ply) => ply.check(),
            OtherPly::Chess99(ply) => match Chess99::end(ply.after()) {
                Some(GameEnd::Win(_)) => Check::Mate,
                _ if Chess99::in_check(ply.after()) => Check::Check,
                _ => Check::None,
            },
        }
    }

    /// The position before the move.
    pub fn before(&self) -> AnyPosition {
        match self {
            OtherPly::Variant(ply) => AnyPosition::Variant(*ply.before()),
            OtherPly::Chess99(ply) => AnyPosition::Chess99(*ply.before()),
        }
    }

    /// The position after the move.
    pub fn after(&self) -> AnyPosition {
        match self {
            OtherPly::Variant(ply) => AnyPosition::Variant(*ply.after()),
            OtherPly::Chess99(ply) => AnyPosition::Chess99(*ply.after()),
        }
    }

    /// How many moves are legal before it.
    pub fn legal_moves_count(&self) -> usize {
        let mut count = 0;
        match self {
            OtherPly::Variant(ply) => count = ply.before().legal_moves().len(),
            OtherPly::Chess99(ply) => {
                Chess99::visit_legal(ply.before(), &mut |_| {
                    count += 1;
                    false
                });
            }
        }
        count
    }
}

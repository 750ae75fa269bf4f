//! Three-check: the side that gives its third check wins (`variants.md`, 4.5). A double check is one.

use super::GameEnd;
use super::kind::VariantKind;
use super::variant::Variant;
use super::variant_position::{CHECKS_MAX, VariantPosition};
use crate::chess::{Color, Move};

/// The rules of Three-check.
#[derive(Clone, Copy, Debug)]
pub struct ThreeCheck;

impl Variant for ThreeCheck {
    const KIND: VariantKind = VariantKind::ThreeCheck;
    const COUNTS_CHECKS: bool = true;

    fn finish(before: &VariantPosition, _: Move, next: &mut VariantPosition) {
        if Self::checkers(next).has_any() {
            let given = &mut next.checks[before.turn().index()];
            *given = (*given + 1).min(CHECKS_MAX);
        }
    }

    fn special_end(position: &VariantPosition) -> Option<GameEnd> {
        let has_won = |color: &Color| position.checks_given(*color) >= CHECKS_MAX;
        [Color::White, Color::Black].into_iter().find(has_won).map(GameEnd::Win)
    }
}

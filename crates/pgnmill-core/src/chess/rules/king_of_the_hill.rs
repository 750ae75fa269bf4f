//! King of the Hill: a king that reaches one of the four squares in the middle wins (`variants.md`, 4.4).

use super::GameEnd;
use super::kind::VariantKind;
use super::variant::Variant;
use super::variant_position::VariantPosition;
use crate::chess::{Bitboard, Color};

/// d4, e4, d5, e5.
const HILL: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// The rules of King of the Hill.
#[derive(Clone, Copy, Debug)]
pub struct KingOfTheHill;

impl Variant for KingOfTheHill {
    const KIND: VariantKind = VariantKind::KingOfTheHill;

    fn special_end(position: &VariantPosition) -> Option<GameEnd> {
        let is_there = |color: &Color| (position.kings(*color) & HILL).has_any();
        [Color::White, Color::Black].into_iter().find(is_there).map(GameEnd::Win)
    }
}

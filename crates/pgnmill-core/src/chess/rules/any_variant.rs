//! Any Lichess variant as one ruleset: the position names it.
//!
//! In: a [`VariantPosition`]. Out: what the ruleset of the position gives. The replay is compiled once for all
//! variants.
//! Cost: an indirect call per question and per visited move.
//!
//! ```
//! use pgnmill_core::chess::rules::{AnyVariant, GameEnd, Rules, VariantKind};
//! use pgnmill_core::chess::Color;
//! let record = b"4k3/8/8/4K3/8/8/8/8 b - - 0 1";
//! let (position, _) = VariantKind::KingOfTheHill.from_fen(record, false).unwrap();
//! assert_eq!(AnyVariant::end(&position), Some(GameEnd::Win(Color::White)));
//! ```

use super::kind::VariantKind;
use super::variant_position::VariantPosition;
use super::{GameEnd, Rules};
use crate::chess::{Color, FenError, FenNotes, Move};

/// The rules of the variant that a position belongs to.
#[derive(Clone, Copy, Debug)]
pub struct AnyVariant;

impl Rules for AnyVariant {
    type Position = VariantPosition;
    type Move = Move;

    #[inline(always)]
    fn turn(position: &VariantPosition) -> Color {
        position.turn()
    }

    #[inline(always)]
    fn fullmove_number(position: &VariantPosition) -> u32 {
        position.board().fullmove_number()
    }

    fn visit_legal(position: &VariantPosition, visit: &mut impl FnMut(Move) -> bool) -> bool {
        (position.kind.rules().visit_legal)(position, visit)
    }

    fn play_into(position: &VariantPosition, mv: Move, next: &mut VariantPosition) {
        (position.kind.rules().play_into)(position, mv, next);
    }

    fn pass(position: &VariantPosition) -> Option<VariantPosition> {
        (position.kind.rules().pass)(position)
    }

    #[inline(always)]
    fn in_check(position: &VariantPosition) -> bool {
        position.checkers().has_any()
    }

    fn end(position: &VariantPosition) -> Option<GameEnd> {
        (position.kind.rules().end)(position)
    }
}

impl VariantKind {
    /// May a pawn become a king?
    pub fn promotes_to_kings(self) -> bool {
        self.rules().promotes_to_kings
    }

    /// The position of a game without a FEN record. `chess960`: with the castling of Chess960.
    pub fn initial(self, chess960: bool) -> VariantPosition {
        (self.rules().initial)(chess960)
    }

    /// The position of a FEN record, and how the record departs from the canonical one.
    ///
    /// # Errors
    /// The record cannot be read, or no game of these rules can continue from it.
    pub fn from_fen(
        self,
        record: &[u8],
        chess960: bool,
    ) -> Result<(VariantPosition, FenNotes), FenError> {
        (self.rules().from_fen)(record, chess960)
    }
}

impl VariantPosition {
    /// The legal moves, drops included; none once the game is over.
    pub fn legal_moves(&self) -> Vec<Move> {
        let mut moves = Vec::new();
        AnyVariant::visit_legal(self, &mut |mv| {
            moves.push(mv);
            false
        });
        moves
    }

    /// Visits every move that the pieces' movement allows, drops included, until `visit` returns `true`; castling only
    /// where it is legal. King safety, explosions and obligations are not considered.
    pub(crate) fn visit_pseudo_legal(&self, visit: &mut dyn FnMut(Move) -> bool) -> bool {
        (self.kind.rules().visit_pseudo)(self, visit)
    }

    /// Is a move of [`VariantPosition::visit_pseudo_legal`] legal? The game must not be over.
    pub(crate) fn is_legal(&self, mv: Move) -> bool {
        (self.kind.rules().is_legal)(self, mv)
    }

    /// Is the game over for another reason than a lack of moves?
    pub(crate) fn is_over(&self) -> bool {
        (self.kind.rules().special_end)(self).is_some()
    }

    /// Is the side to move in check, and no move legal?
    pub fn is_checkmate(&self) -> bool {
        AnyVariant::in_check(self) && !self.has_legal_move()
    }

    /// Is the side to move not in check, and no move legal, although the game is not over for another reason?
    pub fn is_stalemate(&self) -> bool {
        !AnyVariant::in_check(self) && !self.is_over() && !self.has_legal_move()
    }

    fn has_legal_move(&self) -> bool {
        AnyVariant::visit_legal(self, &mut |_| true)
    }

    /// The position after a legal move.
    pub fn play(&self, mv: Move) -> VariantPosition {
        let mut next = *self;
        AnyVariant::play_into(self, mv, &mut next);
        next
    }
}

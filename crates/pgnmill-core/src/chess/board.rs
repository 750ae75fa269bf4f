//! What notations require of a position: its pieces, and which moves are legal.
//!
//! In: a position of chess or of a variant on the same board. Out: answers about its pieces, from the pieces alone, and
//! about moves, from its rules. Code that is generic over [`Board`] is compiled for [`Position`] as if it was written
//! for it. Invariant: a side may have no king, or several, where [`Board::IS_STANDARD`] is `false`.

use super::rules::{AnyVariant, GameEnd, Rules, VariantKind, VariantPosition};
use super::{Bitboard, CastlingSide, Color, Move, Position, Role, Square};

/// What a move does to the other side.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Neither of the others.
    None,
    /// Check that can be met.
    Check,
    /// One side has won: checkmate, or what the ruleset declares.
    Win,
}

/// A position on eight by eight squares, with its rules.
pub trait Board: Copy + std::fmt::Debug {
    /// Are the rules those of chess?
    const IS_STANDARD: bool;

    /// The pieces, the side to move, castling rights, the en passant square and the clocks. Methods of [`Position`]
    /// that concern legality, kings or checks have a meaning only where the rules are those of chess.
    fn pieces(&self) -> &Position;

    /// Is a move legal that the pieces' movement allows? Castling is always: it is only made where it is legal.
    fn is_legal(&self, mv: Move) -> bool;

    /// Castling on a side, if it is legal now.
    fn castle(&self, side: CastlingSide) -> Option<Move>;

    /// The legal moves, in an order that depends on the position alone.
    fn legal_list(&self) -> impl AsRef<[Move]>;

    /// The legal move from one square to another, if there is one; see [`Position::legal_move`]. No drop.
    fn legal_move(&self, origin: Square, target: Square, promoted: Option<Role>) -> Option<Move>;

    /// The position after a legal move.
    fn after(&self, mv: Move) -> Self;

    /// Is the side to move in check, in the sense of the rules?
    fn in_check(&self) -> bool;

    /// The effect of a legal move.
    fn effect(&self, mv: Move) -> Effect;

    /// The pawn of the side to move that may advance to the empty square `target`, by one step or two.
    fn pawn_advancing_to(&self, target: Square) -> Option<Square>;

    /// May a pawn become this piece?
    fn can_become(&self, role: Role) -> bool;

    /// The drop of a piece of the own pocket, if it is legal.
    fn drop_of(&self, role: Role, square: Square) -> Option<Move>;

    /// The roles of the own pocket that may be dropped on an empty square, king safety apart, in the order P N B R Q.
    fn droppable(&self, square: Square) -> impl Iterator<Item = Role>;

    /// The side to move.
    #[inline(always)]
    fn turn(&self) -> Color {
        self.pieces().turn()
    }

    /// All pieces.
    #[inline(always)]
    fn occupied(&self) -> Bitboard {
        self.pieces().occupied()
    }

    /// The pieces of the side to move.
    #[inline(always)]
    fn us(&self) -> Bitboard {
        self.pieces().us()
    }

    /// The pieces of the other side.
    #[inline(always)]
    fn them(&self) -> Bitboard {
        self.pieces().them()
    }

    /// The pieces of one role, both colours.
    #[inline(always)]
    fn role(&self, role: Role) -> Bitboard {
        self.pieces().role(role)
    }

    /// The pieces of one colour.
    #[inline(always)]
    fn color(&self, color: Color) -> Bitboard {
        self.pieces().color(color)
    }

    /// The pieces of one role of the side to move.
    #[inline(always)]
    fn ours(&self, role: Role) -> Bitboard {
        self.pieces().ours(role)
    }

    /// The role of the piece on a square.
    #[inline(always)]
    fn role_at(&self, square: Square) -> Option<Role> {
        self.pieces().role_at(square)
    }

    /// See [`Position::own_attackers`].
    #[inline(always)]
    fn own_attackers(&self, role: Role, square: Square) -> Bitboard {
        self.pieces().own_attackers(role, square)
    }

    /// See [`Position::en_passant_square`].
    #[inline(always)]
    fn en_passant_square(&self) -> Option<Square> {
        self.pieces().en_passant_square()
    }

    /// See [`Position::castling_rooks`].
    #[inline(always)]
    fn castling_rooks(&self) -> Bitboard {
        self.pieces().castling_rooks()
    }

    /// Is the move a capture (en passant included)?
    #[inline(always)]
    fn is_capture(&self, mv: Move) -> bool {
        self.pieces().is_capture(mv)
    }

    /// The square of the piece that a move captures.
    #[inline(always)]
    fn captured_square(&self, mv: Move) -> Option<Square> {
        self.pieces().captured_square(mv)
    }

    /// The role of the piece that a move captures.
    #[inline(always)]
    fn captured_role(&self, mv: Move) -> Option<Role> {
        self.pieces().captured_role(mv)
    }
}

impl Board for Position {
    const IS_STANDARD: bool = true;

    #[inline(always)]
    fn pieces(&self) -> &Position {
        self
    }

    #[inline(always)]
    fn is_legal(&self, mv: Move) -> bool {
        self.is_safe(mv)
    }

    #[inline(always)]
    fn castle(&self, side: CastlingSide) -> Option<Move> {
        Position::castle(self, side)
    }

    fn legal_list(&self) -> impl AsRef<[Move]> {
        self.legal_moves()
    }

    #[inline(always)]
    fn legal_move(&self, origin: Square, target: Square, promoted: Option<Role>) -> Option<Move> {
        Position::legal_move(self, origin, target, promoted)
    }

    fn after(&self, mv: Move) -> Position {
        self.play(mv)
    }

    fn in_check(&self) -> bool {
        Position::in_check(self)
    }

    fn effect(&self, mv: Move) -> Effect {
        let after = self.play(mv);
        match after.in_check() {
            false => Effect::None,
            true if after.has_legal_move() => Effect::Check,
            true => Effect::Win,
        }
    }

    #[inline(always)]
    fn pawn_advancing_to(&self, target: Square) -> Option<Square> {
        Position::pawn_advancing_to(self, target)
    }

    #[inline(always)]
    fn can_become(&self, role: Role) -> bool {
        Role::PROMOTIONS.contains(&role)
    }

    #[inline(always)]
    fn drop_of(&self, _: Role, _: Square) -> Option<Move> {
        None
    }

    fn droppable(&self, _: Square) -> impl Iterator<Item = Role> {
        std::iter::empty()
    }
}

impl Board for VariantPosition {
    const IS_STANDARD: bool = false;

    #[inline(always)]
    fn pieces(&self) -> &Position {
        self.board()
    }

    fn is_legal(&self, mv: Move) -> bool {
        !self.is_over() && (mv.castling_side().is_some() || VariantPosition::is_legal(self, mv))
    }

    fn castle(&self, side: CastlingSide) -> Option<Move> {
        VariantPosition::castle(self, side)
    }

    fn legal_list(&self) -> impl AsRef<[Move]> {
        self.legal_moves()
    }

    fn legal_move(&self, origin: Square, target: Square, promoted: Option<Role>) -> Option<Move> {
        let mut found = None;
        self.visit_pseudo_legal(&mut |mv| {
            let fits = (mv.origin(), mv.target(), mv.promoted()) == (origin, target, promoted);
            found = found.or(Some(mv).filter(|mv| fits && !mv.is_drop()));
            found.is_some()
        });
        found.filter(|&mv| Board::is_legal(self, mv))
    }

    fn after(&self, mv: Move) -> VariantPosition {
        self.play(mv)
    }

    fn in_check(&self) -> bool {
        AnyVariant::in_check(self)
    }

    fn effect(&self, mv: Move) -> Effect {
        let after = self.play(mv);
        match AnyVariant::end(&after) {
            Some(GameEnd::Win(_)) => Effect::Win,
            _ if after.in_check() => Effect::Check,
            _ => Effect::None,
        }
    }

    fn pawn_advancing_to(&self, target: Square) -> Option<Square> {
        let (board, turn) = (self.board(), self.turn());
        board.pawn_advancing_to(target).or_else(|| {
            // The horde's pawns make two steps from the first rank, too.
            let on = |rank| Square::at(target.file(), turn.rank(rank));
            let is_possible = self.kind() == VariantKind::Horde
                && self.kings(turn).is_empty()
                && turn.rank(target.rank()) == 2
                && !board.occupied().has(target)
                && !board.occupied().has(on(1));
            Some(on(0)).filter(|&home| is_possible && board.ours(Role::Pawn).has(home))
        })
    }

    fn can_become(&self, role: Role) -> bool {
        Role::PROMOTIONS.contains(&role) || role == Role::King && self.kind().promotes_to_kings()
    }

    fn drop_of(&self, role: Role, square: Square) -> Option<Move> {
        let mv = Move::drop(role, square);
        let is_possible = self.droppable(square).any(|other| other == role);
        Some(mv).filter(|&mv| is_possible && Board::is_legal(self, mv))
    }

    fn droppable(&self, square: Square) -> impl Iterator<Item = Role> {
        let (turn, is_empty) = (self.turn(), !self.board().occupied().has(square));
        let roles = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
        roles.into_iter().filter(move |&role| {
            let may_stand = role != Role::Pawn || !Bitboard::BACK_RANKS.has(square);
            is_empty && may_stand && self.in_pocket(turn, role) > 0
        })
    }
}

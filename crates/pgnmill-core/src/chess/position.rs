//! A position: eight bitboards that change together, and the rights that the pieces do not show.
//!
//! Six bitboards hold the roles, two the colours. A move clears two squares in all eight and sets one in two of them,
//! which the compiler turns into a few vector operations. The checkers are stored, because every check suffix and every
//! legality test requires them.
//!
//! ```
//! use pgnmill_core::chess::Color;
//! use pgnmill_core::chess::Position;
//! let position = Position::initial();
//! assert_eq!(position.turn(), Color::White);
//! assert_eq!(position.legal_moves().len(), 20);
//! ```

use pgnmill_simd::{Baseline, Machine};
use pgnmill_state::state;

use super::attacks::{COLORS, TABLES};
use super::clocks::Clocks;
use super::{
    Bitboard, CastlingSide, Color, Move, MoveKind, Role, Square, advancing_from, line, rays,
};

/// The number for "no square".
pub(super) const NO_SQUARE: u8 = 64;

/// The pieces, the side to move, and the rights that the history left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Position {
    pub(super) boards: [u64; 8],
    /// The rooks with which castling is still allowed.
    pub(super) castling: Bitboard,
    /// The pieces that give check to the side to move.
    pub(super) checkers: Bitboard,
    pub(super) clocks: Clocks,
    pub(super) turn: Color,
    pub(super) en_passant: u8,
    pub(super) chess960: bool,
}

state!(Position { boards, castling, checkers, clocks, turn, en_passant, chess960 });

impl Position {
    /// The starting position of chess.
    pub const fn initial() -> Position {
        Position {
            boards: [
                0x00ff_0000_0000_ff00,
                0x4200_0000_0000_0042,
                0x2400_0000_0000_0024,
                0x8100_0000_0000_0081,
                0x0800_0000_0000_0008,
                0x1000_0000_0000_0010,
                0x0000_0000_0000_ffff,
                0xffff_0000_0000_0000,
            ],
            castling: Bitboard(0x8100_0000_0000_0081),
            checkers: Bitboard::EMPTY,
            clocks: Clocks::new(0, 1),
            turn: Color::White,
            en_passant: NO_SQUARE,
            chess960: false,
        }
    }

    /// The side to move.
    #[inline(always)]
    pub const fn turn(&self) -> Color {
        self.turn
    }

    /// All pieces.
    #[inline(always)]
    pub const fn occupied(&self) -> Bitboard {
        Bitboard(self.boards[COLORS] | self.boards[COLORS + 1])
    }

    /// The pieces of one colour.
    #[inline(always)]
    pub const fn color(&self, color: Color) -> Bitboard {
        Bitboard(self.boards[COLORS + color.index()])
    }

    /// The pieces of the side to move.
    #[inline(always)]
    pub const fn us(&self) -> Bitboard {
        self.color(self.turn)
    }

    /// The pieces of the other side.
    #[inline(always)]
    pub const fn them(&self) -> Bitboard {
        self.color(self.turn.other())
    }

    /// The pieces of one role, both colours.
    #[inline(always)]
    pub const fn role(&self, role: Role) -> Bitboard {
        Bitboard(self.boards[role.index()])
    }

    /// The pieces of one role of the side to move.
    #[inline(always)]
    pub fn ours(&self, role: Role) -> Bitboard {
        self.role(role) & self.us()
    }

    /// The role of the piece on a square.
    pub fn role_at(&self, square: Square) -> Option<Role> {
        Role::ALL.into_iter().find(|&role| self.role(role).has(square))
    }

    /// The colour of the piece on a square.
    pub fn color_at(&self, square: Square) -> Option<Color> {
        [Color::White, Color::Black].into_iter().find(|&color| self.color(color).has(square))
    }

    /// The king of a colour. Every position has one king per side.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        (self.role(Role::King) & self.color(color)).lowest()
    }

    /// The pieces that give check to the side to move.
    #[inline(always)]
    pub const fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Is the side to move in check?
    #[inline(always)]
    pub const fn in_check(&self) -> bool {
        self.checkers.has_any()
    }

    /// The square passed over by a pawn that has just made two steps, whether or not a capture there is possible (PGN
    /// standard 16.1.3.4).
    #[inline(always)]
    pub const fn en_passant_square(&self) -> Option<Square> {
        if self.en_passant < NO_SQUARE { Some(Square::new(self.en_passant)) } else { None }
    }

    /// [`Position::en_passant_square`] if a pawn can legally capture there: the square of the FEN record.
    pub fn legal_en_passant_square(&self) -> Option<Square> {
        self.en_passant_square().filter(|&square| {
            self.own_attackers(Role::Pawn, square)
                .into_iter()
                .any(|origin| self.is_safe(Move::en_passant(origin, square)))
        })
    }

    /// The rooks with which castling is still allowed, both colours.
    #[inline(always)]
    pub const fn castling_rooks(&self) -> Bitboard {
        self.castling
    }

    /// Allows castling with these rooks.
    pub(crate) fn set_castling_rooks(&mut self, rooks: Bitboard) {
        self.castling = rooks;
    }

    /// Plies since the last capture or pawn move.
    pub const fn halfmove_clock(&self) -> u32 {
        self.clocks.halfmove()
    }

    /// The move number, which grows after Black's move.
    pub const fn fullmove_number(&self) -> u32 {
        self.clocks.fullmove()
    }

    /// Is this a game of Chess960? It decides only how `uci` writes castling.
    #[inline(always)]
    pub const fn is_chess960(&self) -> bool {
        self.chess960
    }

    /// This position as one of Chess960 or of chess. A position with castling rights from squares other than those
    /// of the starting position stays one of Chess960.
    pub fn with_chess960(mut self, chess960: bool) -> Position {
        self.chess960 = chess960 || self.castles_from_unusual_squares();
        self
    }

    /// The pawn of the side to move that may advance to the empty square `target`, by one step or two.
    #[inline(always)]
    pub(crate) fn pawn_advancing_to(&self, target: Square) -> Option<Square> {
        if self.occupied().has(target) {
            return None;
        }
        let from = advancing_from(self.turn, Bitboard::of(target).0, self.occupied());
        (from & self.ours(Role::Pawn)).into_iter().next()
    }

    /// Is the move a capture (en passant included)?
    #[inline(always)]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.them().has(mv.target()) || mv.kind() == MoveKind::EnPassant
    }

    /// The square of the piece that a move captures.
    pub fn captured_square(&self, mv: Move) -> Option<Square> {
        match mv.kind() {
            MoveKind::EnPassant => Some(Square::at(mv.target().file(), mv.origin().rank())),
            MoveKind::Normal if self.them().has(mv.target()) => Some(mv.target()),
            _ => None,
        }
    }

    /// The role of the piece that a move captures.
    pub fn captured_role(&self, mv: Move) -> Option<Role> {
        self.captured_square(mv).and_then(|square| self.role_at(square))
    }

    /// Does a pseudo-legal move leave the mover's king safe? For castling, which is only made when it is legal, always
    /// `true`.
    #[inline(always)]
    pub(crate) fn is_safe(&self, mv: Move) -> bool {
        let (origin, target) = (mv.origin(), mv.target());
        let them = self.turn.other();
        if mv.role() == Role::King {
            return mv.castling_side().is_some()
                || !self.is_attacked(
                    target,
                    them,
                    self.them(),
                    self.occupied() ^ Bitboard::of(origin),
                );
        }
        let king = self.king(self.turn);
        // Not in check, a piece off the king's lines uncovers nothing; en passant empties two squares.
        if self.checkers.is_empty() && !rays(king).has(origin) && mv.kind() != MoveKind::EnPassant {
            return true;
        }
        self.is_safe_by_lines(mv, king)
    }

    /// For a piece on a line with its king, for a king in check, and for en passant.
    #[inline(always)]
    fn is_safe_by_lines(&self, mv: Move, king: Square) -> bool {
        if self.checkers.is_empty() && mv.kind() != MoveKind::EnPassant {
            // Only a piece between its king and a slider of this line can be pinned; a pinned piece may move along the
            // line.
            let line = line(king, mv.origin());
            let straight = king.file() == mv.origin().file() || king.rank() == mv.origin().rank();
            let movers = self.role(if straight { Role::Rook } else { Role::Bishop });
            let sliders = (movers | self.role(Role::Queen)) & self.them();
            if (line & sliders).is_empty() || line.has(mv.target()) {
                return true;
            }
        }
        self.is_safe_by_attackers(mv, king)
    }

    #[inline(never)]
    fn is_safe_by_attackers(&self, mv: Move, king: Square) -> bool {
        let mut taken = Bitboard::of(mv.target());
        let mut occupied = (self.occupied() ^ Bitboard::of(mv.origin())) | taken;
        if mv.kind() == MoveKind::EnPassant {
            taken = Bitboard::of(Square::at(mv.target().file(), mv.origin().rank()));
            occupied ^= taken;
        }
        !self.is_attacked(king, self.turn.other(), self.them() & !taken, occupied)
    }

    /// The position after a legal move.
    #[inline(always)]
    pub fn play(&self, mv: Move) -> Position {
        let mut next = *self;
        self.play_into(mv, &mut next);
        next
    }

    /// Makes `next` the position after a legal move, whatever it was before.
    ///
    /// All eight bitboards are computed at once without a branch: cleared on origin and target, set on the target for
    /// the arriving piece. Castling and en passant are corrected afterwards.
    #[inline(always)]
    pub fn play_into(&self, mv: Move, next: &mut Position) {
        self.play_board(mv, next);
        next.checkers = next.find_checkers();
    }

    /// [`Position::play_into`] without the checkers, which are those of before: for rulesets in which a side may have
    /// no king, or several.
    #[inline(always)]
    pub(super) fn play_board(&self, mv: Move, next: &mut Position) {
        self.play_common(mv.role(), mv.arriving_role(), mv.origin(), mv.target(), next);
        if mv.role() == Role::Pawn {
            next.finish_pawn_move(mv);
        } else if mv.castling_side().is_some() {
            next.finish_castling(mv);
        }
    }

    /// The part that all moves have in common; the checkers are not yet found.
    #[inline(always)]
    fn play_common(
        &self,
        role: Role,
        arrives: Role,
        origin: Square,
        target: Square,
        next: &mut Position,
    ) {
        let (from, to) = (Bitboard::of(origin).0, Bitboard::of(target).0);
        let us = self.turn;
        let keep = !(from | to);
        let capture = self.them().has(target);
        let board_masks = &TABLES.board_masks[us.index()][arrives.index()];
        Baseline::replace_bits(&self.boards, from | to, to, board_masks, &mut next.boards);
        next.castling = self.castling & Bitboard(keep);
        if role == Role::King {
            next.castling &= !Bitboard::rank(7 * us.index() as u8);
        }
        next.clocks = self.clocks.after(us, role != Role::Pawn && !capture);
        next.en_passant = NO_SQUARE;
        next.chess960 = self.chess960;
        next.turn = us.other();
    }

    /// Moves king and rook to their arrival squares: the common part has put a king on the rook's square.
    #[cold]
    fn finish_castling(&mut self, mv: Move) {
        let us = COLORS + self.turn.other().index();
        let side = match mv.kind() {
            MoveKind::CastleShort => CastlingSide::Short,
            _ => CastlingSide::Long,
        };
        let rank = mv.origin().rank();
        let rook_origin = Bitboard::of(mv.target()).0;
        let king = Bitboard::of(side.king_target(rank)).0;
        let rook = Bitboard::of(side.rook_target(rank)).0;
        self.boards[Role::King.index()] = self.boards[Role::King.index()] & !rook_origin | king;
        self.boards[Role::Rook.index()] |= rook;
        self.boards[us] = self.boards[us] & !rook_origin | king | rook;
    }

    #[inline(always)]
    fn finish_pawn_move(&mut self, mv: Move) {
        self.note_double_step(mv.origin(), mv.target());
        if mv.kind() == MoveKind::EnPassant {
            let victim = Bitboard::of(Square::at(mv.target().file(), mv.origin().rank())).0;
            self.boards[Role::Pawn.index()] &= !victim;
            self.boards[COLORS + self.turn.index()] &= !victim;
        }
    }

    /// Notes the square that a double step passed over.
    #[inline(always)]
    fn note_double_step(&mut self, origin: Square, target: Square) {
        let (origin, target) = (origin.index() as u8, target.index() as u8);
        if origin.abs_diff(target) == 16 {
            self.en_passant = (origin + target) / 2;
        }
    }

    /// Forgets that a pawn has made two steps.
    pub(super) fn forget_en_passant(&mut self) {
        self.en_passant = NO_SQUARE;
    }

    /// The position after a null move, which occurs in variations only; the side to move must not be in check.
    pub fn play_null(&self) -> Position {
        let mut next = *self;
        next.en_passant = NO_SQUARE;
        next.clocks = self.clocks.after(self.turn, true);
        next.turn = self.turn.other();
        next.checkers = next.find_checkers();
        next
    }

    /// Checkmate on the board?
    pub fn is_checkmate(&self) -> bool {
        self.in_check() && !self.has_legal_move()
    }

    /// Stalemate on the board?
    pub fn is_stalemate(&self) -> bool {
        !self.in_check() && !self.has_legal_move()
    }
}

const _: () = assert!(size_of::<Position>() == 96);

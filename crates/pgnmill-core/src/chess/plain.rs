//! Plain moves, nearly all of them: no castling, no en passant, no promotion. Played almost without a branch.
//!
//! Input: a position, and origin and target of a piece. Output: the next position, the same as [`Position::play_into`]
//! gives (a test compares the two). The side to move is a compile-time constant, and differences between roles are
//! table lookups, because a branch on the role is mispredicted every other time.
//!
//! Cost: no slider attacks are computed. A piece that leaves a square uncovers a king only if a slider is on the line
//! through both, and gives check only from a square that reaches the king on an empty board; both tests are a few
//! loads, and where they are inconclusive (one ply in five) the general method decides.

use pgnmill_simd::Machine;

use super::attacks::{BLACK_PAWN, COLORS, TABLES};
use super::position::NO_SQUARE;
use super::{Bitboard, Color, Move, Position, Role, Square, advancing_from, pawn_attacks};

/// A plain move: numbers that serve as indices, of any value where no move was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Plain {
    /// The role's index, below 8.
    pub(crate) role: usize,
    /// The square that the piece leaves: its bit and its number, below 64.
    pub(crate) from: u64,
    /// See `from`.
    pub(crate) origin: usize,
    /// The square that it reaches, below 64.
    pub(crate) target: usize,
}

impl Plain {
    /// From the bit of the origin, which is not zero.
    #[inline(always)]
    pub(crate) fn new(role: usize, from: u64, target: usize) -> Plain {
        Plain { role, from, origin: from.trailing_zeros() as usize & 63, target }
    }

    /// The move.
    #[inline(always)]
    pub(crate) fn mv(self) -> Move {
        Move::normal_of(self.role, self.origin, self.target)
    }
}

impl Position {
    /// The pieces of `among` with this role index, which is not the pawn's, that would attack `target` on an empty
    /// board; none if the index is no role's.
    #[inline(always)]
    pub(crate) fn pieces_aligned(&self, role: usize, target: usize, among: Bitboard) -> Bitboard {
        Bitboard(TABLES.reach[role & 7][target & 63] & self.boards[role & 7] & among.0)
    }

    /// The squares strictly between the lowest square of a set and the target; empty if the set is.
    #[inline(always)]
    pub fn path(from: u64, target: usize) -> Bitboard {
        Bitboard(TABLES.between[from.trailing_zeros() as usize][target & 63])
    }

    /// The plain move from one square to another, if the piece on the first makes one; it may leave its own king
    /// attacked. Without a branch on the role, except on a pawn.
    #[inline(always)]
    pub(crate) fn plain_move(&self, origin: Square, target: Square) -> Option<Move> {
        let (from, to) = (Bitboard::of(origin), Bitboard::of(target));
        if (self.us() & from).is_empty() || (self.us() & to).has_any() {
            return None;
        }
        let bit = |role: usize| (self.boards[role] >> origin.index() & 1) as usize;
        let role = bit(1) + 2 * bit(2) + 3 * bit(3) + 4 * bit(4) + 5 * bit(5);
        let reaches = if role == Role::Pawn.index() {
            let free = to & !(self.occupied() | Bitboard::BACK_RANKS);
            let taking = pawn_attacks(self.turn, origin) & self.them() & !Bitboard::BACK_RANKS;
            (advancing_from(self.turn, free.0, self.occupied()) & from | taking & to).has_any()
        } else {
            let path = Position::path(from.0, target.index());
            TABLES.reach[role & 7][target.index()] & from.0 != 0
                && (path & self.occupied()).is_empty()
        };
        reaches.then(|| Move::normal_of(role, origin.index(), target.index()))
    }

    /// Makes `next`, a position of the same game, the position after a pseudo-legal plain move. `WHITE`: White is to
    /// move; `PAWN`: a pawn moves. Returns whether the move leaves its own king safe; if not, `next` is of no use.
    #[inline(always)]
    #[must_use]
    pub(crate) fn play_plain_into<M: Machine, const WHITE: bool, const PAWN: bool>(
        &self,
        plain: Plain,
        next: &mut Position,
    ) -> bool {
        let Plain { role, from, origin, target } = plain;
        let (role, reach) = match (PAWN, WHITE) {
            (true, true) => (Role::Pawn.index(), Role::Pawn.index()),
            (true, false) => (Role::Pawn.index(), BLACK_PAWN),
            _ => (role & 7, role & 7),
        };
        let turn = if WHITE { Color::White } else { Color::Black };
        let (us, them) = (turn.index(), turn.other().index());
        let to = 1u64 << (target & 63);
        let left = from | to;
        let (ours, theirs) = (self.boards[COLORS + us], self.boards[COLORS + them]);
        let kings = self.boards[Role::King.index()];
        let (king, other_king) = (kings & ours, kings & theirs);

        let origin = origin & 63;
        let sliders = self.sliders_on_lines_of(origin);
        let uncovered = TABLES.line[king.trailing_zeros() as usize][origin] & sliders & theirs;
        // The rooks that lose their castling right by the move.
        let mut lost = left;
        if uncovered | self.checkers.0 | kings & from != 0 {
            if !self.is_plain_safe(role, origin, target) {
                return false;
            }
            if kings & from != 0 {
                lost |= Bitboard::rank(7 * turn.index() as u8).0;
            }
        }

        let number = other_king.trailing_zeros() as usize;
        let between = TABLES.between[number][target & 63] & (ours | theirs) & !from;
        let beyond_reach = other_king & !TABLES.reach[reach][target & 63];
        let uncovered = TABLES.line[number][origin] & sliders & ours;

        M::replace_bits(&self.boards, left, to, &TABLES.board_masks[us][role], &mut next.boards);
        next.castling = self.castling & !Bitboard(lost);
        next.checkers = Bitboard(if between | beyond_reach == 0 { to } else { 0 });
        next.clocks = self.clocks.after(turn, !PAWN && theirs & to == 0);
        next.turn = turn.other();
        next.en_passant = NO_SQUARE;
        if PAWN && origin.abs_diff(target) == 16 {
            next.en_passant = ((origin + target) / 2) as u8;
        }
        if uncovered != 0 {
            next.update_checkers();
        }
        true
    }

    /// The rooks, bishops and queens that would attack a square on an empty board.
    #[inline(always)]
    fn sliders_on_lines_of(&self, square: usize) -> u64 {
        let queens = self.role(Role::Queen).0;
        let straight =
            (self.role(Role::Rook).0 | queens) & TABLES.reach[Role::Rook.index()][square];
        let diagonal =
            (self.role(Role::Bishop).0 | queens) & TABLES.reach[Role::Bishop.index()][square];
        straight | diagonal
    }

    /// For a king move, in check, or with a slider on the line of king and piece.
    #[inline(never)]
    fn is_plain_safe(&self, role: usize, origin: usize, target: usize) -> bool {
        self.is_safe(Plain { role, from: 0, origin, target }.mv())
    }

    #[inline(never)]
    fn update_checkers(&mut self) {
        self.checkers = self.find_checkers();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::{MoveKind, Square};
    use pgnmill_simd::{Kernel, Level};

    struct Play<'p>(&'p Position, Move);

    impl Kernel for Play<'_> {
        type Output = Option<Position>;
        #[inline(always)]
        fn run<M: Machine>(self) -> Option<Position> {
            let Play(position, mv) = self;
            let mut next = Position::initial();
            let from = Bitboard::of(mv.origin()).0;
            let plain = Plain::new(mv.role().index(), from, mv.target().index());
            let play = match (position.turn(), mv.role()) {
                (Color::White, Role::Pawn) => Position::play_plain_into::<M, true, true>,
                (Color::White, _) => Position::play_plain_into::<M, true, false>,
                (Color::Black, Role::Pawn) => Position::play_plain_into::<M, false, true>,
                (Color::Black, _) => Position::play_plain_into::<M, false, false>,
            };
            let safe = play(position, plain, &mut next);
            safe.then_some(next)
        }
    }

    /// Checks that pseudo-legal moves that leave the king attacked are rejected; returns how many.
    fn assert_rejected(position: &Position, target: Square) -> usize {
        let mut refused = 0;
        if position.us().has(target) {
            return 0;
        }
        for role in &Role::ALL[1..] {
            for origin in position.own_attackers(*role, target) {
                let mv = Move::normal(*role, origin, target);
                if position.is_safe(mv) {
                    continue;
                }
                refused += 1;
                for level in Level::all() {
                    assert_eq!(level.run(Play(position, mv)), None, "{level:?}");
                }
            }
        }
        refused
    }

    /// The plain moves are the pseudo-legal moves that are plain, from any square to any other.
    #[test]
    fn plain_moves_are_pseudo_legal() {
        let (mut position, mut seed, mut found) = (Position::initial(), 9u64, 0);
        for _ in 0..200 {
            let mut expected = vec![];
            position.visit_pseudo_legal(&mut |mv| {
                expected.push(mv);
                false
            });
            // In check only what may end it is visited.
            for origin in (0..64).map(Square::new).filter(|_| !position.in_check()) {
                for target in (0..64).map(Square::new) {
                    let mut moves = expected.iter().copied().filter(|mv| mv.is_plain());
                    let mv = moves.find(|mv| (mv.origin(), mv.target()) == (origin, target));
                    assert_eq!(position.plain_move(origin, target), mv, "{position:?}");
                    found += usize::from(mv.is_some());
                }
            }
            let moves = position.legal_moves();
            if moves.is_empty() || position.halfmove_clock() > 60 {
                position = Position::initial();
                continue;
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position = position.play(moves[(seed >> 33) as usize % moves.len()]);
        }
        assert!(found > 3_000, "{found}");
    }

    /// In the positions of a random walk every plain move gives the position of the general method, on every machine
    /// level.
    #[test]
    fn plain_moves_lead_where_moves_lead() {
        let (mut position, mut seed, mut made) = (Position::initial(), 3u64, 0);
        let mut made_illegal = 0;
        for _ in 0..2_000 {
            let moves = position.legal_moves();
            if moves.is_empty() || position.halfmove_clock() > 60 {
                position = Position::initial();
                continue;
            }
            for &mv in moves.iter() {
                if mv.kind() != MoveKind::Normal || mv.promoted().is_some() {
                    continue;
                }
                let expected = position.play(mv);
                for level in Level::all() {
                    assert_eq!(level.run(Play(&position, mv)), Some(expected), "{level:?}");
                }
                made += 1;
            }
            for target in (0..64).map(Square::new) {
                made_illegal += assert_rejected(&position, target);
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position = position.play(moves[(seed >> 33) as usize % moves.len()]);
        }
        assert!(made > 20_000 && made_illegal > 100, "{made} {made_illegal}");
    }
}

//! Plain moves, which are nearly all: no castling, no en passant, no promotion. Made nearly without a branch.
//!
//! What enters are a position and where a man goes; what leaves is the next position, the same as
//! [`Position::play_into`] gives (a law in `tests` holds the two together). The side to move is known to the compiler,
//! and what differs between roles is looked up, since a branch on the role is guessed wrong every other time.
//!
//! Cost: no slider's attacks are made. A man that leaves a square uncovers a king only if a slider stands on the line
//! through both, and gives check only from a square that reaches the king on an empty board; both are one load, and
//! where they say perhaps (one ply in five) the general way decides.

use crate::machine::Machine;

use super::attacks::TABLES;
use super::position::{COLORS, NO_SQUARE, PLACES, RIGHTS_KEPT};
use super::{Bitboard, Color, Move, Position, Role, Square, between, line};

impl Position {
    /// The men of `role`, which is not the pawn, of the side to move that would attack `target` were the board empty.
    #[inline(always)]
    pub(crate) fn pieces_aligned(&self, role: Role, target: Square, us: Bitboard) -> Bitboard {
        Bitboard(TABLES.reach[role.index()][target.index()] & self.boards[role.index()] & us.0)
    }

    /// Makes `next` the position after a plain move that the men's steps allow. The side to move is White if `WHITE`, the man
    /// a pawn if `PAWN`, and otherwise of `role`. Says whether the move leaves its king safe; if not, `next` is of no use.
    #[inline(always)]
    #[must_use]
    pub(crate) fn play_plain_into<M: Machine, const WHITE: bool, const PAWN: bool>(
        &self,
        role: Role,
        origin: Square,
        target: Square,
        next: &mut Position,
    ) -> bool {
        let role = if PAWN { Role::Pawn } else { role };
        let (us, them) = (usize::from(!WHITE), usize::from(WHITE));
        let (from, to) = (Bitboard::of(origin).0, Bitboard::of(target).0);
        let keep = !(from | to);
        let (ours, theirs) = (self.boards[COLORS + us], self.boards[COLORS + them]);
        let kings = self.boards[Role::King.index()];

        let king = Bitboard(kings & ours).lowest();
        let uncovered = self.sliders_on(line(king, origin), king) & theirs;
        let simple = (PAWN || role != Role::King) && self.checkers.0 | uncovered == 0;
        if !simple && !self.is_plain_safe(role, origin, target) {
            return false;
        }

        let king = Bitboard(kings & theirs).lowest();
        let between = between(king, target).0 & (ours | theirs) & keep;
        let direct = TABLES.checks[us][role.index()][king.index()] & to;
        let uncovered = self.sliders_on(line(king, origin), king) & ours & keep;

        M::sweep(&self.boards, keep, to, &PLACES[us][role.index()], &mut next.boards);
        next.castling = self.castling & Bitboard(keep & RIGHTS_KEPT[us][role.index()]);
        next.checkers = Bitboard(if between == 0 { direct } else { 0 });
        let quiet = !PAWN && theirs & to == 0;
        next.halfmove_clock = self.halfmove_clock.wrapping_add(1) & u32::from(quiet).wrapping_neg();
        next.fullmove_number = self.fullmove_number.wrapping_add(us as u32);
        next.chess960 = self.chess960;
        next.turn = if WHITE { Color::Black } else { Color::White };
        next.en_passant = NO_SQUARE;
        if PAWN && origin.index().abs_diff(target.index()) == 16 {
            next.en_passant = ((origin.index() + target.index()) / 2) as u8;
        }
        if uncovered != 0 {
            next.look_for_checkers();
        }
        true
    }

    /// The rooks, bishops and queens on a line through the king that move along it.
    #[inline(always)]
    fn sliders_on(&self, line: Bitboard, king: Square) -> u64 {
        let queens = self.role(Role::Queen).0;
        let straight =
            (self.role(Role::Rook).0 | queens) & TABLES.reach[Role::Rook.index()][king.index()];
        let diagonal =
            (self.role(Role::Bishop).0 | queens) & TABLES.reach[Role::Bishop.index()][king.index()];
        (straight | diagonal) & line.0
    }

    /// The king moves, or answers a check, or a slider stands on his line with the man.
    #[inline(never)]
    fn is_plain_safe(&self, role: Role, origin: Square, target: Square) -> bool {
        self.is_safe(Move::normal(role, origin, target))
    }

    #[inline(never)]
    fn look_for_checkers(&mut self) {
        self.checkers = self.find_checkers();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::MoveKind;
    use crate::machine::{Level, Task};

    struct Play<'p>(&'p Position, Move);

    impl Task for Play<'_> {
        type Output = Option<Position>;
        #[inline(always)]
        fn run<M: Machine>(self) -> Option<Position> {
            let Play(position, mv) = self;
            let mut next = Position::initial();
            let (role, origin, target) = (mv.role(), mv.origin(), mv.target());
            let play = match (position.turn(), role) {
                (Color::White, Role::Pawn) => Position::play_plain_into::<M, true, true>,
                (Color::White, _) => Position::play_plain_into::<M, true, false>,
                (Color::Black, Role::Pawn) => Position::play_plain_into::<M, false, true>,
                (Color::Black, _) => Position::play_plain_into::<M, false, false>,
            };
            let safe = play(position, role, origin, target, &mut next);
            safe.then_some(next)
        }
    }

    /// Men that could go to the target but for their king are refused; returns how many.
    fn prove_unsafe(position: &Position, target: Square) -> usize {
        let mut refused = 0;
        if position.us().has(target) {
            return 0;
        }
        for role in &Role::ALL[1..] {
            for origin in position.men_attacking(*role, target) {
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

    /// In the positions of a walk every plain move leads where the general way leads, and is found by the target.
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
                made_illegal += prove_unsafe(&position, target);
            }
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            position = position.play(moves[(seed >> 33) as usize % moves.len()]);
        }
        assert!(made > 20_000 && made_illegal > 100, "{made} {made_illegal}");
    }
}

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
use super::{Bitboard, Color, Move, Position, Role, Square};

/// A plain move as it is read and made: numbers that serve as indices, and may be anything where nothing was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Plain {
    /// The role's index, below 8.
    pub(crate) role: usize,
    /// The square that the man leaves: its bit and its number, below 64.
    pub(crate) from: u64,
    /// See `from`.
    pub(crate) origin: usize,
    /// Where he goes, below 64.
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
        let role = Role::from_index(self.role as u8).unwrap_or(Role::Pawn);
        Move::normal(role, Square::new(self.origin as u8), Square::new(self.target as u8))
    }
}

/// For each role, all ones if a move of it is never known to be safe without a look: the king's.
static NEVER_SIMPLE: [u64; 8] = {
    let mut never = [0; 8];
    never[Role::King as usize] = u64::MAX;
    never
};

impl Position {
    /// The men of a role by its index, which is not the pawn's, of those given that would attack `target` were the board
    /// empty; none where the index is no role's.
    #[inline(always)]
    pub(crate) fn men_aligned(&self, role: usize, target: usize, among: Bitboard) -> Bitboard {
        Bitboard(TABLES.reach[role & 7][target & 63] & self.boards[role & 7] & among.0)
    }

    /// The squares strictly between origin and target.
    #[inline(always)]
    pub(crate) fn way(from: u64, target: usize) -> Bitboard {
        Bitboard(TABLES.between[from.trailing_zeros() as usize][target & 63])
    }

    /// Makes `next`, a position of the same game, the position after a plain move that the men's steps allow. The side to
    /// move is White if `WHITE`, the man a pawn if `PAWN`. Says whether the move leaves its king safe; if not, `next` is of no
    /// use.
    #[inline(always)]
    #[must_use]
    pub(crate) fn play_plain_into<M: Machine, const WHITE: bool, const PAWN: bool>(
        &self,
        plain: Plain,
        next: &mut Position,
    ) -> bool {
        let Plain { role, from, origin, target } = plain;
        let role = if PAWN { Role::Pawn.index() } else { role & 7 };
        let (us, them) = (usize::from(!WHITE), usize::from(WHITE));
        let to = 1u64 << (target & 63);
        let keep = !(from | to);
        let (ours, theirs) = (self.boards[COLORS + us], self.boards[COLORS + them]);
        let kings = self.boards[Role::King.index()];

        let uncovered = self.sliders_on((kings & ours).trailing_zeros(), origin) & theirs;
        let doubtful = if PAWN { 0 } else { NEVER_SIMPLE[role] } | self.checkers.0 | uncovered;
        if doubtful != 0 && !self.is_plain_safe(role, origin, target) {
            return false;
        }

        let king = (kings & theirs).trailing_zeros();
        let between = TABLES.between[king as usize][target & 63] & (ours | theirs) & keep;
        let direct = TABLES.checks[us][king as usize][role] & to;
        let uncovered = self.sliders_on(king, origin) & ours & keep;

        M::sweep(&self.boards, keep, to, &PLACES[us][role], &mut next.boards);
        next.castling = self.castling & Bitboard(keep & RIGHTS_KEPT[us][role]);
        next.checkers = Bitboard(if between == 0 { direct } else { 0 });
        let quiet = !PAWN && theirs & to == 0;
        next.halfmove_clock = self.halfmove_clock.wrapping_add(1) & u32::from(quiet).wrapping_neg();
        next.fullmove_number = self.fullmove_number.wrapping_add(us as u32);
        next.turn = if WHITE { Color::Black } else { Color::White };
        next.en_passant = NO_SQUARE;
        if PAWN && origin.abs_diff(target) == 16 {
            next.en_passant = ((origin + target) / 2) as u8;
        }
        if uncovered != 0 {
            next.look_for_checkers();
        }
        true
    }

    /// The rooks, bishops and queens that move along the line through a king, whose number is given, and a square.
    #[inline(always)]
    fn sliders_on(&self, king: u32, square: usize) -> u64 {
        let king = king as usize;
        let queens = self.role(Role::Queen).0;
        let straight = (self.role(Role::Rook).0 | queens) & TABLES.straight[king];
        let diagonal = (self.role(Role::Bishop).0 | queens) & TABLES.diagonal[king];
        (straight | diagonal) & TABLES.line[king][square & 63]
    }

    /// The king moves, or answers a check, or a slider stands on his line with the man.
    #[inline(never)]
    fn is_plain_safe(&self, role: usize, origin: usize, target: usize) -> bool {
        self.is_safe(Plain { role, from: 0, origin, target }.mv())
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

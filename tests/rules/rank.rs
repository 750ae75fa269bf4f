//! The order of the rank code, from its description in `docs/reference/tables.md` and shakmaty's attacks: what each legal move is
//! worth is worked out without a line of `tasks/measure/study/rank.rs`, and the place of every move must follow
//! from it.

#![allow(clippy::print_stdout, reason = "a test says what it compared")]

use pgnmill_core::chess::{Move, Position, Role as Piece, Square as Place};
use pgnmill_core::tasks::measure::study::rank;
use shakmaty::fen::Fen;
use shakmaty::{Bitboard, Board, CastlingMode, Chess, Color, Position as _, Role, Square};

fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 20,
    }
}

fn square(place: Place) -> Square {
    Square::new(u32::from(place.file()) + 8 * u32::from(place.rank()))
}

fn role(man: Piece) -> Role {
    [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King][man.index()]
}

/// The loss of a piece of this side on a square, while these squares are occupied.
fn stake(board: &Board, us: Color, at: Square, man: Role, occupied: Bitboard) -> i32 {
    let attackers = board.attacks_to(at, !us, occupied) & occupied;
    let lightest = attackers.into_iter().filter_map(|from| board.role_at(from)).map(value).min();
    let Some(lightest) = lightest else { return 0 };
    let mut guards = board.attacks_to(at, us, occupied) & occupied;
    guards.discard(at);
    let guarded = !guards.is_empty();
    (value(man) - if guarded { lightest } else { 0 }).max(0)
}

/// How near the middle: 0 on an edge of both kinds, 6 in the middle.
fn nearness(at: Square) -> i32 {
    let (file, rank) = (i32::from(at.file()), i32::from(at.rank()));
    file.min(7 - file) + rank.min(7 - rank)
}

fn worth(chess: &Chess, mv: Move) -> i32 {
    let (board, us) = (chess.board(), chess.turn());
    let (man, from, to) = (role(mv.role()), square(mv.origin()), square(mv.arrival()));
    let mut nearer = nearness(to) - nearness(from);
    if man == Role::King && !board.by_role(Role::Queen).is_empty() {
        nearer = -nearer;
    }
    if mv.castling_side().is_some() {
        return nearer + 4;
    }
    let en_passant = man == Role::Pawn && from.file() != to.file() && board.piece_at(to).is_none();
    let takes = if en_passant { 1 } else { board.role_at(to).map_or(0, value) };
    let becomes = mv.promoted().map_or(man, role);
    let promotes = if becomes == man { 0 } else { value(becomes) - 1 };
    let stood = if man == Role::King { 0 } else { stake(board, us, from, man, board.occupied()) };
    let mut left = board.occupied();
    left.discard(from);
    16 * (takes + promotes + stood - stake(board, us, to, becomes, left)) + nearer
}

/// Every legal move of a position has the place that its worth gives it; how many there were.
fn check(position: &Position) -> usize {
    let fen = position.to_fen();
    let setup: Fen = fen.parse().unwrap();
    let chess: Chess = setup.into_position(CastlingMode::Chess960).unwrap();
    let moves = position.legal_moves();
    let mut ordered: Vec<(i32, usize)> =
        moves.iter().enumerate().map(|(place, &mv)| (-worth(&chess, mv), place)).collect();
    ordered.sort_unstable();
    for (before, &(worth, place)) in ordered.iter().enumerate() {
        let found = rank(position, moves[place]);
        assert_eq!(
            (found.legal, found.before),
            (moves.len(), before),
            "{fen}: {:?}, worth {}",
            moves[place],
            -worth
        );
    }
    moves.len()
}

#[test]
fn places_are_those_of_the_description() {
    let starts = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1",
        "3qk3/8/8/8/8/8/8/3QK3 b - - 0 1",
        "8/8/4k3/8/8/3K4/4P3/8 w - - 0 1",
    ];
    let (mut positions, mut moves, mut of_kings) = (0, 0, [0; 2]);
    let mut state = 5u64;
    for start in starts {
        for _ in 0..12 {
            let (mut position, _) = Position::from_fen(start.as_bytes()).unwrap();
            for _ in 0..120 {
                let legal = position.legal_moves();
                if legal.is_empty() {
                    break;
                }
                moves += check(&position);
                positions += 1;
                let queens = position.role(Piece::Queen).has_any();
                of_kings[usize::from(queens)] +=
                    legal.iter().filter(|mv| mv.role() == Piece::King).count();
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                position = position.play(legal[(state >> 33) as usize % legal.len()]);
            }
        }
    }
    println!("{positions} positions, {moves} moves");
    assert!(positions > 5_000 && of_kings.iter().all(|&kings| kings > 3_000), "{of_kings:?}");
}

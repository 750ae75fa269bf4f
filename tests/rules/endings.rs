//! How games end, and the position after a null move: results against the board and against words, over random
//! positions.
//!
//! In: positions of few pieces, made by a fixed sequence. Out: nothing; each law is tested against the list of legal
//! moves and against FEN records, never against the code that it measures.

#![allow(clippy::print_stdout, reason = "reports what was counted")]

use std::ops::Range;

use pgnmill_core::chess::{Color, Position};
use pgnmill_core::notation::{NOTATIONS, Notation, Ply, write};
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_core::replay::{Game, History, ReplayVisitor, Replayer, TagSection, Verdict};
use pgnmill_laws::dice::Dice;

/// A position of both kings and a few pieces, often in a corner, where there may be no move.
fn few_pieces(dice: &mut Dice) -> Option<Position> {
    let mut board = [b'1'; 64];
    let mut put = |dice: &mut Dice, piece: u8, near: usize| {
        let (file, rank) = (dice.below(near), dice.below(near));
        let square = &mut board[8 * rank + file];
        let free = *square == b'1';
        if free {
            *square = piece;
        }
        free
    };
    let near = 3 + dice.below(6);
    let corner = 1 + dice.below(8);
    let mut sound = put(dice, b'k', corner) && put(dice, b'K', near);
    for _ in 0..1 + dice.below(6) {
        let piece = b"QRBNPqrbnpPPpp"[dice.below(14)];
        sound &= put(dice, piece, near);
    }
    let ranks: Vec<String> = board.chunks(8).map(|rank| rank.escape_ascii().to_string()).collect();
    let side = ["w", "b"][dice.below(2)];
    let record = format!("{} {side} - - 0 9", ranks.join("/"));
    if sound { Position::from_fen(record.as_bytes()).ok().map(|read| read.0) } else { None }
}

/// What was read of one game: its verdict and its deviations.
fn read(text: &str) -> (Option<Verdict>, Vec<Deviation>) {
    #[derive(Default)]
    struct Last(Option<Verdict>);
    impl ReplayVisitor for Last {
        fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {}
        fn ply(&mut self, _: &[u8], _: Range<usize>, _: &Ply<'_>, _: usize) {}
        fn end(&mut self, _: &[u8], game: &Game<'_>) {
            assert!(self.0.replace(game.verdict).is_none(), "one game");
        }
        fn between(&mut self, _: &[u8], _: Range<usize>) {}
    }
    let profile = Profile::lenient();
    let mut last = Last::default();
    let mut replayer = Replayer::new(&profile, None, History::Ignored);
    replayer.replay(text.as_bytes(), &mut last);
    let met = Deviation::ALL.iter().zip(replayer.counts.deviations).filter(|(_, count)| *count > 0);
    (last.0, met.map(|(odd, _)| *odd).collect())
}

fn contradicts(text: &str) -> bool {
    read(text).1.contains(&Deviation::ResultContradictsBoard)
}

#[test]
fn results_contradict_a_board_on_which_the_game_is_over_otherwise() {
    let mut dice = Dice::new(1);
    let (mut mates, mut stalemates, mut played) = (0, 0, 0);
    for _ in 0..400_000 {
        let Some(position) = few_pieces(&mut dice) else { continue };
        let over = position.legal_moves().is_empty();
        let fen = position.to_fen();
        assert_eq!(position.has_legal_move(), !over, "{fen}");
        assert_eq!(position.is_stalemate(), over && !position.in_check(), "{fen}");
        assert_eq!(position.is_checkmate(), over && position.in_check(), "{fen}");
        if !over && dice.below(500) > 0 {
            played += 1;
            continue;
        }
        let decided = match (over, position.in_check(), position.turn()) {
            (false, ..) => None,
            (true, false, _) => Some("1/2-1/2"),
            (true, true, Color::White) => Some("0-1"),
            (true, true, Color::Black) => Some("1-0"),
        };
        mates += u32::from(over && position.in_check());
        stalemates += u32::from(over && !position.in_check());
        for result in ["1-0", "0-1", "1/2-1/2", "*"] {
            let text = format!("[Event \"x\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{result}\n");
            let wanted = result != "*" && decided.is_some_and(|decided| decided != result);
            assert_eq!(contradicts(&text), wanted, "{fen} {result}");
        }
    }
    println!("{mates} mates, {stalemates} stalemates, {played} positions with moves");
    assert!(mates > 200 && stalemates > 200, "{mates} {stalemates}");
}

#[test]
fn resignation_is_a_loss() {
    let mut dice = Dice::new(2);
    for _ in 0..300 {
        let (mut position, mut moves) = (Position::initial(), String::new());
        for _ in 0..1 + dice.below(12) {
            let legal = position.legal_moves();
            let Some(&mv) = legal.get(dice.below(legal.len().max(1))) else { break };
            if position.turn() == Color::White {
                moves += &format!("{}. ", position.fullmove_number());
            }
            moves += &format!("{} ", write(NOTATIONS[0], &position, mv));
            position = position.play(mv);
        }
        let turn = position.turn();
        for (words, loser) in [
            ("Resigns", turn),
            ("resigns", turn),
            ("White resigns", Color::White),
            ("Black resigns", Color::Black),
            ("white\nresigns", Color::White),
            ("black  Resigns.", Color::Black),
            ("Black wins", Color::White),
            ("White won", Color::Black),
        ] {
            for (result, lost) in [("1-0", Color::Black), ("0-1", Color::White)] {
                let text = format!("[Event \"x\"]\n[Result \"{result}\"]\n\n{moves}{words}\n");
                let (verdict, odd) = read(&text);
                assert_ne!(verdict, Some(Verdict::Rejected), "{text} {odd:?}");
                assert!(odd.contains(&Deviation::ResultStyle), "{text}");
                assert_eq!(odd.contains(&Deviation::ResultMismatch), lost != loser, "{text}");
            }
        }
    }
}

/// The position of a record with the other side to move, nothing to take in passing, and one more ply without a
/// capture.
fn passed(position: &Position) -> Position {
    let fen = position.to_fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    let number = |index: usize| fields[index].parse::<u32>().expect("a counter");
    let black = fields[1] == "b";
    let (side, number, quiet) =
        (if black { "w" } else { "b" }, number(5) + u32::from(black), number(4) + 1);
    let record = format!("{} {side} {} - {quiet} {number}", fields[0], fields[2]);
    let position = Position::from_fen(record.as_bytes()).unwrap_or_else(|_| panic!("{record}"));
    position.0.with_chess960(false)
}

#[test]
fn a_null_move_leaves_nothing_to_take_in_passing() {
    let mut dice = Dice::new(3);
    let mut passable = 0;
    for _ in 0..2_000 {
        let mut position = Position::initial();
        for _ in 0..dice.below(40) {
            let legal = position.legal_moves();
            let Some(&mv) = legal.get(dice.below(legal.len().max(1))) else { break };
            position = position.play(mv);
            if position.in_check() {
                continue;
            }
            passable += u32::from(position.en_passant_square().is_some());
            assert_eq!(position.play_null(), passed(&position), "{}", position.to_fen());
        }
    }
    assert!(passable > 2_000, "{passable}");
}

#[test]
fn a_null_move_in_a_game_takes_the_right_to_take_in_passing() {
    // Black passes: the pawn on d5 can no more be taken, though White is to move again two plies later.
    for (moves, legal) in
        [("3. exd6", true), ("(2... -- 3. exd6)", false), ("3. -- -- 4. exd6", false)]
    {
        let text = format!("[Event \"x\"]\n\n1. e4 a6 2. e5 d5 {moves} *\n");
        let mut profile = Profile::lenient();
        assert!(profile.allow(Deviation::NullMoveMainLine));
        let mut replayer = Replayer::new(&profile, None, History::Ignored);
        replayer.replay(text.as_bytes(), &mut Quiet);
        assert_eq!(replayer.counts.rejected == 0, legal, "{text}");
    }
}

/// A visitor that does nothing.
struct Quiet;

impl ReplayVisitor for Quiet {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {}
    fn ply(&mut self, _: &[u8], _: Range<usize>, _: &Ply<'_>, _: usize) {}
    fn end(&mut self, _: &[u8], _: &Game<'_>) {}
    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

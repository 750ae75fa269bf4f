//! The second design of the replay against the general loop, on each level of the processor and on the emulation: games
//! of real archives, damaged at random; games from their middle on; comments and spaces at every place of a window.

use std::ops::Range;

use crate::common::{SAMPLE, here, text_of, thinned, trials};
use pgnmill_core::chess::{Color, Position, Role};
use pgnmill_core::notation::{Check, MoveText, Notation, Ply, SAN};
use pgnmill_core::pgn::deviation::Profile;
use pgnmill_core::replay::{Game, History, ReplayVisitor, Replayer, TagSection};
use pgnmill_io::archive::games::Games;
use pgnmill_laws::dice::Dice;
use pgnmill_laws::vector::agree;

/// Replaces a byte of movetext as typing, copying and conversion do.
const INSERTED: &[&str] = &[
    "",
    "+",
    "#",
    "++",
    "  ",
    "\n",
    "\r\n",
    "!",
    "?!",
    "!!!",
    " !? ",
    "=Q",
    " {x} ",
    "{x}",
    "{",
    "}",
    " $1 ",
    " ; x\n",
    "\n% x\n",
    " (1. e4) ",
    "x",
    "a",
    "1",
    "...",
    ".",
    "e.p.",
    "O-O",
    "O-O-O",
    "--",
    "1. ",
    "1... ",
    "\0",
    "\u{e9}",
    "\t",
    " 1-0 ",
    "8",
    "h",
    "K",
    "Q",
    "N",
    "ep ",
    "\n1. ",
    "1234 ",
    "S",
    "\u{2658}",
];

/// The canonical texts of a game, and the FEN records before each.
#[derive(Default)]
struct Moves {
    texts: Vec<String>,
    records: Vec<String>,
    numbers: Vec<(u32, bool)>,
}

impl ReplayVisitor for Moves {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {}

    fn ply(&mut self, text: &[u8], place: Range<usize>, ply: &Ply<'_>, depth: usize) {
        if depth == 0 {
            let before = ply.before();
            self.texts.push(String::from_utf8_lossy(&text[place]).into_owned());
            self.records.push(before.to_fen());
            let white = before.turn() == Color::White;
            self.numbers.push((before.fullmove_number(), white));
        }
    }

    fn end(&mut self, _: &[u8], _: &Game<'_>) {}

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

fn moves_of(game: &[u8]) -> Moves {
    let (profile, mut moves) = (Profile::lenient(), Moves::default());
    Replayer::new(&profile, None, History::Ignored).replay(game, &mut moves);
    moves
}

/// The movetext of a game from a ply on. `comments`: after every move.
fn movetext(moves: &Moves, from: usize, comments: bool) -> String {
    let mut text = String::new();
    let plies = moves.texts.iter().zip(&moves.numbers).enumerate().skip(from);
    for (ply, (san, &(number, white))) in plies {
        if white {
            text.push_str(&format!("{number}. "));
        } else if comments || ply == from {
            text.push_str(&format!("{number}... "));
        }
        text.push_str(san);
        text.push_str(if comments { " { [%clk 0:01:00] } " } else { " " });
    }
    text + "*\n\n"
}

fn sample() -> Vec<Vec<u8>> {
    let sample = text_of(&here(SAMPLE));
    Games::new(&sample).map(|(_, game)| game.to_vec()).collect()
}

/// Damages a game in one to three places of its movetext.
pub(crate) fn damaged(game: &[u8], dice: &mut Dice) -> Vec<u8> {
    let movetext = game.windows(2).rposition(|pair| pair == b"]\n").map_or(0, |at| at + 2);
    let mut game = game.to_vec();
    for _ in 0..1 + dice.below(3) {
        let at = movetext + dice.below(game.len() - movetext);
        let kept = at + dice.below(2);
        let inserted = INSERTED[dice.below(INSERTED.len())];
        game.splice(at..kept, inserted.bytes());
    }
    game
}

#[test]
fn damaged_games_are_read_alike() {
    let games = sample();
    let mut dice = Dice::new(0x21);
    let count = trials(250, 1_000, 20_000);
    let mut plies = 0;
    for number in 0..count {
        let game = &games[number % games.len()];
        let moves = moves_of(game);
        // Most archives have either comments after each move or none.
        let text = match number % 3 {
            0 => game.clone(),
            style => movetext(&moves, 0, style == 1).into_bytes(),
        };
        plies += agree(&damaged(&text, &mut dice), number % 5 == 0);
    }
    assert!(plies > 20 * count as u64, "{plies} plies");
}

#[test]
fn games_from_any_position_are_read_alike() {
    let games = sample();
    let mut dice = Dice::new(0x22);
    for game in games.iter().take(trials(100, 100, 400)) {
        let moves = moves_of(game);
        if moves.texts.len() < 20 {
            continue;
        }
        for comments in [false, true] {
            let from = dice.below(moves.texts.len() - 10);
            let tags = format!("[SetUp \"1\"]\n[FEN \"{}\"]\n\n", moves.records[from]);
            let text = tags + &movetext(&moves, from, comments);
            let plies = agree(text.as_bytes(), false);
            assert_eq!(plies, (moves.texts.len() - from) as u64, "{text}");
        }
    }
}

/// A random game, of which each move is legal: promotions, captures en passant and checks are frequent there.
fn random_game(dice: &mut Dice, plies: usize) -> (String, usize) {
    let (mut text, mut position, mut played) = (String::new(), Position::initial(), 0);
    while played < plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        // Pawns first, half of the time, so that some are promoted.
        let pawns: Vec<_> = moves.iter().filter(|mv| mv.role() == Role::Pawn).collect();
        let mv = match pawns.len() {
            count if count > 0 && dice.below(2) == 0 => *pawns[dice.below(count)],
            _ => moves[dice.below(moves.len())],
        };
        let after = position.play(mv);
        let mut san = MoveText::default();
        SAN.encode_ply(&Ply::new(&position, mv, &after, Check::of(&after)), &mut san);
        if position.turn() == Color::White {
            text.push_str(&format!("{}. ", position.fullmove_number()));
        }
        text.push_str(&format!("{san} "));
        (position, played) = (after, played + 1);
    }
    (text + "*\n", played)
}

#[test]
fn random_games_are_read_alike() {
    let (mut dice, mut suffixes) = (Dice::new(0x23), 0);
    let games = trials(35, 80, 1_000);
    for _ in 0..games {
        let (text, plies) = random_game(&mut dice, 160);
        assert_eq!(agree(text.as_bytes(), false), plies as u64, "{text}");
        // Check instead of mate, mate instead of check, neither.
        let places: Vec<usize> = text.match_indices(['+', '#']).map(|(at, _)| at).collect();
        for _ in 0..places.len().min(4) {
            let at = places[dice.below(places.len())];
            let other = if text.as_bytes()[at] == b'+' { "#" } else { "+" };
            let new = if dice.below(4) == 0 { "" } else { other };
            let mut changed = text.clone();
            changed.replace_range(at..at + 1, new);
            agree(changed.as_bytes(), false);
            suffixes += 1;
        }
    }
    assert!(suffixes > 2 * games, "{suffixes}");
}

/// A game moved through a window byte by byte, and ended at each byte.
#[test]
fn every_place_in_a_window_is_read_alike() {
    let games = sample();
    let game = games.iter().find(|game| game.len() > 1_500).expect("a long game");
    let moves = moves_of(game);
    for comments in [false, true] {
        let text = movetext(&moves, 0, comments);
        for spaces in thinned(3, 0..70) {
            agree((" ".repeat(spaces) + &text).as_bytes(), false);
            agree(
                text.replacen(" 3. ", &format!(" {} 3. ", " ".repeat(spaces)), 1).as_bytes(),
                false,
            );
            agree(
                text.replacen(" 5. ", &format!(" {{{}}} 5. ", "c".repeat(spaces)), 1).as_bytes(),
                false,
            );
        }
        for end in thinned(3, 0..text.len().min(600)) {
            agree(&text.as_bytes()[..end], false);
        }
    }
}

/// Games longer than the arrays, and move numbers beyond their texts.
#[test]
fn long_games_are_read_alike() {
    for (comments, moves) in
        [("", 900), ("", 1_400), (" {c}", 700), (" { a longer comment }", 3_000)]
    {
        let mut text = String::new();
        let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"];
        for number in 0..moves {
            let pair = &shuffle[number % 2 * 2..][..2];
            text.push_str(&format!("{}. {}{comments} ", number + 1, pair[0]));
            if !comments.is_empty() {
                text.push_str(&format!("{}... ", number + 1));
            }
            text.push_str(&format!("{}{comments} ", pair[1]));
        }
        text.push_str("1/2-1/2\n");
        assert_eq!(agree(text.as_bytes(), false), 2 * moves as u64);
    }
}

/// Castling in Chess960, of a king that moves four squares, two, one or none.
#[test]
fn castling_in_chess960_is_read_alike() {
    for (rank, moves) in [
        ("1rk2r2", "O-O O-O-O"),
        ("1rk2r2", "O-O-O O-O"),
        ("5k1r", "O-O O-O"),
        ("r3k1r1", "O-O O-O-O"),
        ("r3k1r1", "O-O-O O-O"),
    ] {
        let fen = format!("{rank}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", rank.to_uppercase());
        let fen = if rank == "5k1r" { fen.replace("KQkq", "Kk") } else { fen };
        let (white, black) = moves.split_once(' ').unwrap();
        let text = format!(
            "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. a3 a6 2. {white} {black} 3. b3 b6 4. c3 c6 \
             5. d3 d6 6. e3 e6 7. f3 f6 8. g3 g6 9. h3 h6 1-0\n"
        );
        assert_eq!(agree(text.as_bytes(), false), 18, "{text}");
    }
}

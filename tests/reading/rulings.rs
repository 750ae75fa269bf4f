//! The second design of the replay against the general loop, ruling by ruling: castling with each square around it
//! attacked or occupied, each check suffix and annotation after each move, en passant as an answer to a check, texts
//! near those of legal moves, numbers wherever they can stand.
//!
//! In: positions that are built for the ruling, not games that were damaged: what is rare in games is usual here. Out:
//! nothing; all levels of the processor and the emulation agree with the general loop.

use crate::common::trials;
use pgnmill_core::chess::{Color, MoveKind, Position};
use pgnmill_core::notation::{NOTATIONS, write};
use pgnmill_laws::dice::Dice;
use pgnmill_laws::vector::agree;

/// Games that are compared at once.
const GAMES_TOGETHER: usize = 16;

/// A board of letters, the square a1 first.
#[derive(Clone)]
struct Builder([u8; 64]);

impl Builder {
    fn new(pieces: &[(&str, u8)]) -> Builder {
        let mut builder = Builder([b'1'; 64]);
        pieces.iter().for_each(|&(square, piece)| assert!(builder.put(index(square), piece)));
        builder
    }

    /// Was the square free?
    fn put(&mut self, square: usize, piece: u8) -> bool {
        let is_free = self.0[square] == b'1';
        if is_free {
            self.0[square] = piece;
        }
        is_free
    }

    /// The position, if it is sound: with White to move, or the mirrored one with Black to move.
    fn position(&self, rights: &str, white: bool) -> Option<Position> {
        let ranks = self.0.chunks(8).map(|rank| rank.escape_ascii().to_string());
        let mut ranks: Vec<String> = ranks.collect();
        if white {
            ranks.reverse();
        }
        let (board, side) = (ranks.join("/"), if white { "w" } else { "b" });
        let other = |byte: char| match byte {
            _ if white => byte,
            'a'..='z' => byte.to_ascii_uppercase(),
            _ => byte.to_ascii_lowercase(),
        };
        let [board, rights] =
            [board.as_str(), rights].map(|t| t.chars().map(other).collect::<String>());
        let record = format!("{board} {side} {rights} - 0 5");
        let position = Position::from_fen(record.as_bytes()).ok()?.0;
        // A right without its rook, say, is refused or dropped.
        (position.to_fen().split(' ').nth(2) == Some(&rights)).then_some(position)
    }
}

fn index(square: &str) -> usize {
    let bytes = square.as_bytes();
    usize::from(bytes[0] - b'a') + 8 * usize::from(bytes[1] - b'1')
}

/// Games from positions, compared some at a time.
#[derive(Default)]
struct Compared {
    waiting: String,
    count: usize,
    games: u64,
    plies: u64,
}

impl Compared {
    /// A game of these moves from a position, with comments and without: these are decoded in two ways.
    fn add(&mut self, position: &Position, moves: &[String]) {
        self.add_game(position, moves, "");
        self.add_game(position, moves, " {c}");
        self.count += 1;
        if self.count == GAMES_TOGETHER {
            self.compare();
        }
    }

    fn add_game(&mut self, position: &Position, moves: &[String], comment: &str) {
        let fen = position.to_fen();
        self.waiting += &format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n");
        let mut number = position.fullmove_number();
        let mut white = position.turn() == Color::White;
        for (ply, text) in moves.iter().enumerate() {
            match (white, ply) {
                (true, _) => self.waiting += &format!("{number}. "),
                (false, ply) if ply == 0 || !comment.is_empty() => {
                    self.waiting += &format!("{number}... ");
                }
                _ => {}
            }
            self.waiting += &format!("{text}{comment} ");
            number += u32::from(!white);
            white = !white;
        }
        self.waiting += "*";
        // No tag pair is in the window of 64 bytes in which the last move is.
        self.waiting += &"\n".repeat(66);
        self.games += 1;
    }

    fn compare(&mut self) {
        self.plies += agree(self.waiting.as_bytes(), false);
        (self.waiting, self.count) = (String::new(), 0);
    }

    /// The games and the plies that were legal.
    fn done(mut self) -> (u64, u64) {
        self.compare();
        (self.games, self.plies)
    }
}

/// A legal move of the position, in SAN; none if there is none.
fn any_move(position: &Position) -> Option<String> {
    let legal = position.legal_moves();
    legal.first().map(|&mv| write(NOTATIONS[0], position, mv).to_string())
}

/// Both ways to castle, for both sides, with a piece of either side on each square, the other king where castling
/// gives check and where it does not; legal or not.
#[test]
fn castling_is_ruled_alike_whatever_stands_where() {
    let mut compared = Compared::default();
    let mut number = 0;
    for (turn, piece) in b"qrbnpkQRBNP".iter().copied().enumerate() {
        // At the short depth every third square, of the next piece others; the first rank always.
        let is_tried = |&square: &usize| square < 8 || (square + turn) % trials(3, 1, 1) == 0;
        for square in (0..64).filter(is_tried) {
            for king in ["c7", "d7", "f7"] {
                let mut board = Builder::new(&[("e1", b'K'), ("a1", b'R'), ("h1", b'R')]);
                // A second king: the other one's place.
                let is_placed = piece == b'k' || board.put(index(king), b'k');
                if !is_placed || !board.put(square, piece) || piece == b'k' && king != "c7" {
                    continue;
                }
                for (white, rights) in [(true, "KQ"), (false, "KQ"), (true, "K"), (false, "Q")] {
                    let Some(position) = board.position(rights, white) else { continue };
                    number += 1;
                    if rights.len() == 1 && number % 5 > 0 {
                        continue;
                    }
                    for castling in ["O-O", "O-O-O"] {
                        let mark = ["", "", "+", "!", "#"][number % 5];
                        compared.add(&position, &[castling.to_string() + mark]);
                    }
                }
            }
        }
    }
    let (games, plies) = compared.done();
    let least = trials(3_000, 10_000, 10_000);
    assert!(games > least && plies > least / 4 && plies < games, "{games} games, {plies} plies");
}

/// A position of few pieces, kings near each other, so that checks and mates are frequent.
fn few_pieces(dice: &mut Dice) -> Option<Position> {
    let mut board = Builder([b'1'; 64]);
    let near = 4 + dice.below(5);
    let mut sound = true;
    for piece in *b"kK" {
        sound &= board.put(dice.below(near) + 8 * dice.below(near), piece);
    }
    for _ in 0..2 + dice.below(6) {
        let piece = b"QRBNPqrbnpPP"[dice.below(12)];
        board.put(dice.below(near) + 8 * dice.below(near.max(7)), piece);
    }
    let white = dice.below(2) == 0;
    if sound { board.position("-", white) } else { None }
}

const MARKS: [&str; 4] = ["", "+", "#", "++"];
const GLYPHS: [&str; 6] = ["", "!", "?", "!?", "??", "="];

/// Each legal move of random positions with each check suffix, right or wrong, alone or before an annotation; a legal
/// move follows, if there is one.
#[test]
fn check_suffixes_are_ruled_alike_before_every_annotation() {
    let (mut dice, mut compared, mut checks) = (Dice::new(0x31), Compared::default(), 0);
    for _ in 0..trials(250, 600, 20_000) {
        let Some(position) = few_pieces(&mut dice) else { continue };
        let legal = position.legal_moves();
        // All that give check, and some that do not.
        for &mv in &legal {
            let after = position.play(mv);
            if !after.in_check() && dice.below(legal.len()) > 0 {
                continue;
            }
            checks += u64::from(after.in_check());
            let written = write(NOTATIONS[0], &position, mv).to_string();
            let body = written.trim_end_matches(['+', '#']);
            let reply = any_move(&after);
            for mark in MARKS {
                for glyph in ["", GLYPHS[dice.below(GLYPHS.len())]] {
                    let mut moves = vec![format!("{body}{mark}{glyph}")];
                    moves.extend(reply.clone());
                    compared.add(&position, &moves);
                }
            }
        }
    }
    let (games, plies) = compared.done();
    assert!(
        checks > trials(70, 200, 300) && games > trials(700, 2_000, 3_000) && plies > games,
        "{checks}, {games}, {plies}"
    );
}

/// Pawns that step two squares and give check, to a king beside which a pawn of its own may capture them in passing:
/// the suffix that is right depends on whether that is an answer, or the only one.
#[test]
fn en_passant_answers_checks_alike() {
    let (mut dice, mut compared) = (Dice::new(0x32), Compared::default());
    let (mut only, mut tried, wanted) = (0, 0, trials(120, 120, 2_000));
    while only < wanted {
        tried += 1;
        assert!(tried < 4_000_000, "{only} positions");
        let file = dice.below(8);
        let side = |dice: &mut Dice| file.checked_add_signed(1 - 2 * dice.below(2) as isize);
        let (Some(king), Some(pawn)) = (side(&mut dice), side(&mut dice)) else { continue };
        let mut board = Builder([b'1'; 64]);
        if king > 7 || pawn > 7 || !board.put(king + 32, b'k') || !board.put(file + 8, b'P') {
            continue;
        }
        board.put(pawn + 24, b'p');
        board.put(dice.below(64), b'K');
        for _ in 0..3 + dice.below(6) {
            board.put(dice.below(64), b"QRRBBNNPPp"[dice.below(10)]);
        }
        let white = dice.below(2) == 0;
        let Some(position) = board.position("-", white) else { continue };
        let origin = if white { file + 8 } else { file + 48 };
        let mut steps = position.legal_moves().into_iter();
        let step = steps.find(|mv| {
            let (from, to) = (mv.origin().index(), mv.target().index());
            from == origin && to.abs_diff(from) == 16
        });
        let Some(step) = step else { continue };
        let after = position.play(step);
        let replies = after.legal_moves();
        let passing = replies.iter().find(|mv| mv.kind() == MoveKind::EnPassant).copied();
        let is_only = replies.len() == 1 && passing.is_some();
        // Of the others, some: mates, and checks with several answers.
        if !after.in_check() || !is_only && dice.below(60) > 0 {
            continue;
        }
        only += usize::from(is_only);
        let written = write(NOTATIONS[0], &position, step).to_string();
        let body = written.trim_end_matches(['+', '#']);
        let reply = passing.map(|mv| write(NOTATIONS[0], &after, mv).to_string());
        for mark in MARKS {
            for glyph in ["", "!"] {
                let mut moves = vec![format!("{body}{mark}{glyph}")];
                moves.extend(reply.clone());
                compared.add(&position, &moves);
            }
        }
        // The check is given in the record, and the answer is the first ply.
        for text in reply.iter().chain(&any_move(&after)) {
            compared.add(&after, std::slice::from_ref(text));
        }
    }
    let (games, plies) = compared.done();
    assert!(plies > games, "{games} games, {plies} plies of {tried} positions");
}

/// A position with several pieces of a kind, so that texts disambiguate, with pawns that can capture, and with some on
/// their seventh rank.
fn ambiguous(dice: &mut Dice) -> Option<Position> {
    let mut board = Builder([b'1'; 64]);
    let mut sound = board.put(dice.below(64), b'K') && board.put(dice.below(64), b'k');
    let piece = b"NRQB"[dice.below(4)];
    for _ in 0..2 + dice.below(2) {
        board.put(dice.below(64), piece);
    }
    for _ in 0..2 + dice.below(4) {
        board.put(8 + dice.below(48), b"PPPPppnbr"[dice.below(9)]);
    }
    board.put(48 + dice.below(8), b'P');
    sound &= board.0[..8].iter().chain(&board.0[56..]).all(|byte| !b"pP".contains(byte));
    let white = dice.below(2) == 0;
    if sound { board.position("-", white) } else { None }
}

/// The text of a legal move with one byte more, less or another one: another move, an ambiguous one, one that is
/// disambiguated without need, or none. A move follows that is legal after the move of the unchanged text.
#[test]
fn texts_near_those_of_legal_moves_are_ruled_alike() {
    const BYTES: &[u8] = b"abcdefgh12345678xy-=NBRQKPO+#";
    let (mut dice, mut compared) = (Dice::new(0x33), Compared::default());
    for _ in 0..trials(30, 80, 5_000) {
        let Some(position) = ambiguous(&mut dice) else { continue };
        for mv in position.legal_moves() {
            let text = write(NOTATIONS[0], &position, mv).to_string();
            let reply = any_move(&position.play(mv));
            let capture = text.find('x');
            for kind in 0..5 {
                let mut near = text.clone().into_bytes();
                let (at, other) = (dice.below(near.len()), BYTES[dice.below(BYTES.len())]);
                match (kind, capture) {
                    (0, _) => drop(near.remove(at)),
                    (1, _) => near.insert(at + dice.below(2), other),
                    (2, _) => near[at] = other,
                    // A square nearby: where another piece or a pawn can go.
                    (3, _) => near[at] = near[at].wrapping_add_signed(1 - 2 * dice.below(2) as i8),
                    (_, Some(at)) => near[at] = dice.one(b"wy-:X"),
                    (_, None) => continue,
                }
                if near.is_ascii() {
                    let near = String::from_utf8(near).expect("ASCII");
                    let moves: Vec<String> = [near].into_iter().chain(reply.clone()).collect();
                    compared.add(&position, &moves);
                }
            }
        }
    }
    let (games, plies) = compared.done();
    assert!(
        games > trials(1_500, 5_000, 5_000) && plies > games / 6,
        "{games} games, {plies} plies"
    );
}

/// Numbers in other places than before each move of White: twice, with and without a comment between them; too high;
/// left out; before moves of Black as well, or, from a place on, instead, as if White had passed there.
#[test]
fn numbers_are_ruled_alike_wherever_they_stand() {
    let mut dice = Dice::new(0x34);
    let mut plies = 0;
    let games = trials(200, 200, 10_000);
    for game in 0..games {
        let mut position = Position::initial();
        // In every other game numbers count pairs of moves, or what is written as one.
        let (mut text, mut pairs, mut since) = (String::new(), 0, 2);
        for ply in 0..30 + dice.below(40) {
            let legal = position.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[dice.below(legal.len())];
            let number = position.fullmove_number();
            // Most are as usual, so that several are read at once.
            match (ply % 2, dice.below(30)) {
                (_, odd) if game % 2 == 0 && (since == 2 || odd < 4) => {
                    (pairs, since) = (pairs + 1, 0);
                    text += &format!("{pairs}. ");
                }
                _ if game % 2 == 0 => {}
                (0, 0) => text += &format!("{number}. {{c}} {number}. "),
                (0, 1) => text += &format!("{number}. {number}. "),
                (0, 2) => text += &format!("{}. ", number + 1),
                (0, 3) => {}
                (0, _) => text += &format!("{number}. "),
                (_, 0) => text += &format!("{number}... "),
                (_, 1) => text += &format!("{number}. "),
                _ => {}
            }
            since += 1;
            text += &format!("{} ", write(NOTATIONS[0], &position, mv));
            position = position.play(mv);
        }
        plies += agree((text + "*\n").as_bytes(), false);
    }
    assert!(plies > 20 * games as u64, "{plies} plies");
}

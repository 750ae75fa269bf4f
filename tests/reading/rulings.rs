//! The second design of the replay against the general loop, ruling by ruling: castling with each square around it
//! attacked or occupied, each check suffix and annotation after each move, en passant as an answer to a check.
//!
//! In: positions that are built for the ruling, not games that were damaged: what is rare in games is usual here. Out:
//! nothing; all levels of the processor and the emulation agree with the general loop.

use crate::common::trials;
use pgnmill::chess::{Color, MoveKind, Position};
use pgnmill::notation::{NOTATIONS, write};
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
    for piece in *b"qrbnpkQRBNP" {
        for square in 0..64 {
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
    assert!(games > 10_000 && plies > 3_000 && plies < games, "{games} games, {plies} plies");
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
    for _ in 0..trials(900, 20_000) {
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
    assert!(checks > 300 && games > 3_000 && plies > games, "{checks}, {games}, {plies}");
}

/// Pawns that step two squares and give check, to a king beside which a pawn of its own may capture them in passing:
/// the suffix that is right depends on whether that is an answer, or the only one.
#[test]
fn en_passant_answers_checks_alike() {
    let (mut dice, mut compared) = (Dice::new(0x32), Compared::default());
    let (mut only, mut tried, wanted) = (0, 0, trials(120, 2_000));
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

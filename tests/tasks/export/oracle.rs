//! Moves, positions and keys against shakmaty: the texts of an archive's moves, as the library's reader has them, are
//! replayed by shakmaty, and every column of both tables is computed a second time.

use std::path::{Path, PathBuf};

use pgnmill::{Event, Reader, Verdict};
use pgnmill_needs::needs;
use shakmaty::fen::Fen;
use shakmaty::san::{SanPlus, Suffix};
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, Color, EnPassantMode, Move, Position, Role, Square};

use super::table::{self, Table, Value};
use crate::common::{SAMPLE, Scratch, corpus, here, text_of, trials};

/// The games of one run, at most.
const GAMES_MAX: usize = 1_500;

/// A row of the table of plies, without its key; and the packed move.
type Row = (Vec<Value>, i64);

const COLUMNS: &str = "ply,san,uci,fen,board,board_nibbles,hash,legal_moves,piece,captured,promotion,check,\
                       mover,phase,material,material_balance,castling,en_passant,move_code";

fn role_name(role: Role) -> Value {
    let name = match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    };
    Value::Text(name.to_string())
}

fn text(text: impl ToString) -> Value {
    Value::Text(text.to_string())
}

fn key(position: &Chess) -> Value {
    let hash: Zobrist64 = position.zobrist_hash(EnPassantMode::PseudoLegal);
    Value::Number(hash.0.cast_signed())
}

/// A digit for each of 64 squares, from a1: those of Black's pieces are so much more.
fn board(position: &Chess, black: u32) -> Value {
    let nibble = |square: Square| {
        let piece = position.board().piece_at(square);
        let number = piece.map_or(0, |piece| {
            let side = if piece.color == Color::Black { black } else { 0 };
            side + piece.role as u32
        });
        char::from_digit(number, 16).unwrap()
    };
    Value::Text(Square::ALL.into_iter().map(nibble).collect())
}

/// Polyglot's packing: to file, to rank, from file, from rank, promotion, three bits each.
fn packed(mv: Move) -> i64 {
    let (from, to) = match mv {
        Move::Castle { king, rook } => (king, rook),
        _ => (mv.from().unwrap(), mv.to()),
    };
    let promotion = match mv.promotion() {
        None => 0,
        Some(role) => role as i64 - 1,
    };
    let square = |square: Square| {
        i64::from(u32::from(square.file())) + 8 * i64::from(u32::from(square.rank()))
    };
    i64::from((square(to) + 64 * square(from) + 4_096 * promotion) as u16 as i16)
}

fn number(number: usize) -> Value {
    Value::Number(number as i64)
}

/// Lichess's bounds of the phases.
fn phase(position: &Chess) -> &'static str {
    let board = position.board();
    let pieces = (board.occupied() & !board.pawns() & !board.kings()).count();
    let home = |color, rank| (board.by_color(color) & shakmaty::Bitboard::from(rank)).count();
    let (white, black) = (shakmaty::Rank::First, shakmaty::Rank::Eighth);
    match pieces {
        0..=6 => "endgame",
        11.. if home(Color::White, white) >= 4 && home(Color::Black, black) >= 4 => "opening",
        _ => "middlegame",
    }
}

/// The signature of the material, and the points of the side to move less those of the other.
fn material(position: &Chess) -> (String, i64) {
    let (mut signature, mut balance) = (String::new(), 0);
    for color in [Color::White, Color::Black] {
        for (letter, points) in [('K', 0), ('Q', 9), ('R', 5), ('B', 3), ('N', 3), ('P', 1)] {
            let piece = Role::from_char(letter.to_ascii_lowercase()).unwrap().of(color);
            let count = position.board().by_piece(piece).count();
            let letter = if color == Color::White { letter } else { letter.to_ascii_lowercase() };
            signature.extend(std::iter::repeat_n(letter, count));
            let sign = if color == position.turn() { 1 } else { -1 };
            balance += sign * points * count as i64;
        }
    }
    (signature, balance)
}

/// King's and queen's side of White, then of Black.
fn castling(position: &Chess) -> usize {
    use shakmaty::CastlingSide::{KingSide, QueenSide};
    let sides = [Color::White, Color::Black].into_iter();
    let sides = sides.flat_map(|color| [KingSide, QueenSide].map(|side| (color, side)));
    let has = |(color, side)| usize::from(position.castles().has(color, side));
    sides.enumerate().map(|(bit, of)| has(of) << bit).sum()
}

/// The squares of the text in UCI, and the promotion.
fn move_code(uci: &str) -> i64 {
    let bytes = uci.as_bytes();
    let square = |at: usize| i64::from(bytes[at] - b'a') + 8 * i64::from(bytes[at + 1] - b'1');
    let promotion = bytes.get(4).map_or(0, |letter| " nbrq".find(char::from(*letter)).unwrap());
    square(0) + 64 * square(2) + 4_096 * promotion as i64
}

/// The row of a move.
fn row(position: &Chess, mv: Move, ply: usize, mode: CastlingMode) -> Row {
    let san = SanPlus::from_move(position.clone(), mv);
    let fen = Fen::from_position(position, EnPassantMode::Legal);
    let none_or = |role: Option<Role>| role.map_or(Value::Null, role_name);
    let check = match san.suffix {
        None => "none",
        Some(Suffix::Check) => "check",
        Some(Suffix::Checkmate) => "mate",
    };
    let (signature, balance) = material(position);
    let values = vec![
        number(ply),
        text(san),
        text(mv.to_uci(mode)),
        text(fen),
        board(position, 6),
        board(position, 8),
        key(position),
        Value::Number(position.legal_moves().len() as i64),
        role_name(mv.role()),
        none_or(mv.capture()),
        none_or(mv.promotion()),
        text(check),
        text(if position.turn() == Color::White { "white" } else { "black" }),
        text(phase(position)),
        text(signature),
        Value::Number(balance),
        number(castling(position)),
        number(position.legal_ep_square().map_or(0, |square| 1 << u32::from(square.file()))),
        Value::Number(move_code(&mv.to_uci(mode).to_string())),
    ];
    (values, packed(mv))
}

/// The rows of a game; `None` if shakmaty does not read a text, or not the position in which the game begins.
fn replay(start: &str, chess960: bool, texts: &[Vec<u8>]) -> Option<(Vec<Row>, Value)> {
    let mode = if chess960 { CastlingMode::Chess960 } else { CastlingMode::Standard };
    let mut position: Chess =
        start.parse::<Fen>().ok()?.into_position(CastlingMode::Chess960).ok()?;
    let mut rows = Vec::new();
    for (index, text) in texts.iter().enumerate() {
        let mv = SanPlus::from_ascii(text).ok()?.san.to_move(&position).ok()?;
        rows.push(row(&position, mv, index + 1, mode));
        position.play_unchecked(mv);
    }
    Some((rows, key(&position)))
}

/// What the reader has of a game that is not rejected.
struct Played {
    offset: i64,
    start: String,
    chess960: bool,
    texts: Vec<Vec<u8>>,
}

fn played(path: &Path) -> Vec<Played> {
    let mut games = Reader::open(path).unwrap().games();
    let mut found = Vec::new();
    while let Some(game) = games.next().unwrap() {
        if game.verdict() == Verdict::Rejected {
            continue;
        }
        let main_line = game.events().filter_map(|event| match event {
            Event::Ply(ply) if ply.depth == 0 => Some(ply.text.to_vec()),
            _ => None,
        });
        let texts = main_line.collect();
        let Some(start) = game.start().map(|position| position.to_fen()) else { continue };
        let variant = game.tag("Variant").unwrap_or_default().to_lowercase();
        let chess960 = ["960", "fischer"].iter().any(|name| variant.contains(name));
        found.push(Played { offset: game.offset() as i64, start, chess960, texts });
    }
    found
}

/// Compares the tables of an archive; returns the plies and the games that were compared.
fn check(path: &Path) -> (usize, usize) {
    let scratch = Scratch::new();
    let name = path.display().to_string();
    let columns = format!("--table plies --columns byte_offset,{COLUMNS} -q -o p.parquet");
    table::export(&scratch, &columns, &[&name]);
    let games = "--columns byte_offset,moves,moves_packed,final_hash,ply_count -q -o g.parquet";
    table::export(&scratch, games, &[&name]);
    let plies = table::parquet(&scratch.join("p.parquet"));
    let games = table::parquet(&scratch.join("g.parquet"));
    let played = played(path);
    assert_eq!(played.len(), games.rows.len(), "{name}");
    let (mut compared, mut left_out, mut count, mut at) = (0, 0, 0, 0);
    for (game, summary) in played.iter().zip(&games.rows).take(GAMES_MAX) {
        let rows = &plies.rows[at..at + game.texts.len()];
        at += game.texts.len();
        assert!(rows.iter().all(|row| row[0] == Value::Number(game.offset)), "{name}");
        let Some((expected, last)) = replay(&game.start, game.chess960, &game.texts) else {
            left_out += 1;
            continue;
        };
        compare(&plies, rows, &expected, &format!("{name} at {}", game.offset));
        let moves: Vec<&str> = expected.iter().map(|(row, _)| row[2].text().unwrap()).collect();
        let packed = expected.iter().map(|(_, packed)| Some(*packed)).collect();
        let length = Value::Number(expected.len() as i64);
        let offset = Value::Number(game.offset);
        let wanted = vec![offset, text(moves.join(" ")), Value::List(packed), last, length];
        assert_eq!(*summary, wanted, "{name} at {}", game.offset);
        compared += 1;
        count += expected.len();
    }
    println!("{name}: {count} plies of {compared} games, {left_out} games left out");
    (count, compared)
}

fn compare(table: &Table, rows: &[Vec<Value>], expected: &[Row], what: &str) {
    for (row, (expected, _)) in rows.iter().zip(expected) {
        for (name, (found, expected)) in table.names[1..].iter().zip(row[1..].iter().zip(expected))
        {
            assert_eq!(found, expected, "{what}: {name} of {row:?}");
        }
    }
}

#[test]
fn rows_of_the_sample_are_those_of_shakmaty() {
    let scratch = Scratch::new();
    let sample = text_of(&here(SAMPLE));
    let path = scratch.write("a.pgn", &sample[..trials(400_000, 1_500_000, 12_000_000)]);
    let (plies, games) = check(&path);
    assert!(
        plies > trials(10_000, 40_000, 80_000) && games > trials(130, 500, 1_000),
        "{plies} plies of {games} games"
    );
}

#[needs("../shared/corpora")]
#[test]
fn rows_of_archives_are_those_of_shakmaty() {
    let folders = ["otb", "lichess", "chess960", "engine", "annotated"];
    let is_small = |path: &PathBuf| std::fs::metadata(path).unwrap().len() < 400_000;
    let paths = folders.into_iter().flat_map(corpus).filter(is_small);
    let (mut plies, mut games) = (0, 0);
    for path in paths {
        let found = check(&path);
        (plies, games) = (plies + found.0, games + found.1);
    }
    println!("{plies} plies of {games} games");
    assert!(plies > 20_000 && games > 2_000, "{plies} plies of {games} games");
}

//! Laws of compressed and coded texts: what was written is read again, its size is the one that is stated, and the
//! texts that come back are the games.
//!
//! In: games at random and real ones, in batches. A decoder is given the bytes, the starting positions and, for models
//! of order k, the length of the text.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::ops::ControlFlow;

use pgnmill_dice::{Dice, trials};
use pgnmill_io::archive::{Archive, Options};
use pgnmill_io::sink::HAS_XZ;

use super::compress::{Batch, Compression, Compressor, write_compress};
use super::orders::{self, ORDER_MAX, Orders};
use super::{GameMoves, Studied, notations};
use crate::chess::{Move, Position};
use crate::notation::{Check, Notation, Ply};
use crate::reader::Reader;

fn game_of(start: &Position, moves: &[Move]) -> GameMoves {
    let (mut game, mut before) = (GameMoves::default(), *start);
    for &mv in moves {
        let after = before.play(mv);
        game.push(&Ply::new(&before, mv, &after, Check::of(&after)));
        before = after;
    }
    game
}

/// The text that a compressor has made these bytes of.
fn decompressed(compressor: Compressor, bytes: Vec<u8>, length: usize) -> Vec<u8> {
    if let Compressor::Zstd(_) = compressor {
        return zstd::bulk::decompress(&bytes, length).unwrap();
    }
    let archive = Archive::from_reader("text", Cursor::new(bytes), &Options::default()).unwrap();
    let mut text = Vec::new();
    let mut add = |block: pgnmill_io::archive::Block<'_>| {
        text.extend_from_slice(block.text);
        Ok(ControlFlow::Continue(()))
    };
    archive.visit_in_order(&mut add).unwrap();
    text
}

/// The moves of a text are those of the games, of which it has a line each.
fn read_again(text: &[u8], notation: &dyn Notation, games: &[&GameMoves]) {
    let name = notation.info().name;
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    assert_eq!(lines.len(), games.len(), "{name}");
    for (line, game) in lines.into_iter().zip(games) {
        let &(mut position, mut lineage) = game.start().unwrap();
        let mut moves = Vec::new();
        for word in line.strip_suffix(b"\n").unwrap().split(|&byte| byte == b' ') {
            let mv = notation.decode_in(word, &position, lineage.as_ref()).unwrap();
            moves.push(mv);
            lineage = lineage.map(|lineage| lineage.after(mv));
            position = position.play(mv);
        }
        assert!(moves == game.moves(), "{name}: {}", String::from_utf8_lossy(line));
    }
}

/// Writes a batch in each notation, compresses and codes it, compares the sizes and reads all again.
fn hold(games: Vec<GameMoves>) {
    let names = ["zstd:1", "zstd:19", "xz:0", "xz:6"];
    let names = names.into_iter().filter(|name| HAS_XZ || !name.starts_with("xz"));
    let requests: Vec<Compression> = names.map(|name| Compression::parse(name).unwrap()).collect();
    let mut batch = Batch::default();
    games.into_iter().for_each(|game| assert!(batch.push(game).is_none()));
    let sizes = batch.compress(&requests, Studied::ALL).unwrap();
    let mut table = csv::Writer::from_writer(Vec::new());
    write_compress(&sizes, &mut table).unwrap();
    let table = table.into_inner().unwrap();
    let stated: BTreeMap<(String, String), [usize; 3]> = csv::Reader::from_reader(&table[..])
        .deserialize()
        .map(|row| {
            let (notation, compressor, plies, before, after) = row.unwrap();
            ((notation, compressor), [plies, before, after])
        })
        .collect();
    assert_eq!(stated.len(), requests.len() * notations().len());
    let coded = Orders::of(&batch, ORDER_MAX, Studied::ALL).grid();
    for notation in notations() {
        let name = notation.info().name;
        let is_written = |game: &&GameMoves| !notation.needs_lineage() || game.has_history();
        let games: Vec<&GameMoves> = batch.games().iter().filter(is_written).collect();
        let plies: usize = games.iter().map(|game| game.plies_count()).sum();
        let mut text = Vec::new();
        assert_eq!(batch.write(*notation, &mut text), plies as u64, "{name}");
        read_again(&text, *notation, &games);
        for request in &requests {
            let bytes = request.compressor.encode(&text).unwrap();
            // A text without games is not compressed.
            let after = if text.is_empty() { 0 } else { bytes.len() };
            let key = (name.to_string(), request.to_string());
            assert_eq!(stated[&key], [plies, text.len(), after], "{key:?}");
            assert!(decompressed(request.compressor, bytes, text.len()) == text, "{key:?}");
        }
        for (order, bytes) in orders::written(&text, ORDER_MAX).into_iter().enumerate() {
            let sums = [plies, text.len(), 8 * bytes.len()].map(|sum| sum as u64);
            assert_eq!(coded.get(&[name, &order.to_string()]), Some(&sums[..]), "{name} {order}");
            assert!(orders::read(&bytes, order, text.len()) == text, "{name} {order}");
        }
    }
}

/// Starting positions: the usual one, and some where promotions, castling and en passant are near.
const STARTS: [&[u8]; 4] = [
    b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    b"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    b"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    b"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
];

fn random_game(dice: &mut Dice) -> GameMoves {
    let start = Position::from_fen(STARTS[dice.below(STARTS.len())]).unwrap().0;
    let (mut position, mut moves) = (start, Vec::new());
    for _ in 0..1 + dice.below(60) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let mv = legal[dice.below(legal.len())];
        moves.push(mv);
        position = position.play(mv);
    }
    game_of(&start, &moves)
}

#[test]
fn games_at_random_come_back_from_every_text() {
    for seed in 0..trials(1, 5, 50) {
        let mut dice = Dice::new(seed);
        hold((0..12).map(|_| random_game(&mut dice)).collect());
    }
}

#[test]
fn no_game_comes_back_as_no_game() {
    hold(Vec::new());
    // Of these some notations can write none.
    let start = Position::from_fen(STARTS[3]).unwrap().0;
    hold(vec![game_of(&start, &[start.legal_moves()[0]])]);
}

/// Real games, of `data/`.
#[test]
fn real_games_come_back_from_every_text() {
    let path = format!("{}/../../data/masters.pgn.zst", env!("CARGO_MANIFEST_DIR"));
    let mut games = Reader::open(path).unwrap().games();
    let mut batch = Vec::new();
    while batch.len() < trials(5, 25, 1_000) as usize {
        let game = games.next().unwrap().unwrap();
        let moves: Vec<Move> =
            game.moves().filter(|ply| ply.depth == 0).map(|ply| ply.mv).collect();
        batch.extend(game.start().map(|start| game_of(&start, &moves)));
    }
    hold(batch);
}

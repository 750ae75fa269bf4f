//! Laws of the codes: what was written is read again, in one pass, and its bits are those that are stated.
//!
//! In: games at random and real ones. A decoder is given the bytes of a batch, the starting positions and the numbers
//! of plies.

use super::super::bits::Reader as BitReader;
use super::lichess::WordReader;
use super::*;
use crate::chess::{Move, Position};
use crate::notation::{self, Check, Ply};
use crate::reader::Reader;
use pgnmill_dice::{Dice, trials};

fn game_of(start: &Position, moves: &[Move]) -> GameMoves {
    let (mut game, mut before) = (GameMoves::default(), *start);
    for &mv in moves {
        let after = before.play(mv);
        game.push(&Ply::new(&before, mv, &after, Check::of(&after)));
        before = after;
    }
    game
}

fn moves_of(game: &GameMoves) -> (Position, Vec<Move>) {
    let (mut start, mut moves) = (Position::initial(), Vec::new());
    game.replay(|ply| {
        if moves.is_empty() {
            start = *ply.before();
        }
        moves.push(ply.mv());
    });
    (start, moves)
}

/// What a code reads with.
enum Decoder<'b> {
    Uniform(BitReader<'b>),
    Rank(BitReader<'b>, Places),
    Lichess(WordReader<'b>),
    Opening(BitReader<'b>, Openings),
    Context(BitReader<'b>, Contexts),
}

impl Decoder<'_> {
    fn new(code: Code, bytes: &[u8]) -> Decoder<'_> {
        let bits = BitReader::new(bytes);
        match code {
            Code::LegalMoves => Decoder::Uniform(bits),
            Code::RankAdaptive => Decoder::Rank(bits, Places::new()),
            Code::LichessHuffman => Decoder::Lichess(WordReader::new(bytes)),
            Code::OpeningRank => Decoder::Opening(bits, Openings::new()),
            Code::PlyContext => Decoder::Context(bits, Contexts::new()),
        }
    }

    fn place(&mut self, choices: &Choices) -> usize {
        let count = choices.count();
        match self {
            Decoder::Uniform(bits) => bits.below(count, 0),
            Decoder::Rank(bits, places) => places.code(bits, count, 0, &[]),
            Decoder::Lichess(words) => {
                let wanted = words.next();
                let moves = || choices.moves().iter().map(|choice| choice.mv);
                let is_it = |&mv: &Move| lichess::place(choices.position(), moves(), mv) == wanted;
                choices.place(moves().find(is_it).unwrap()).unwrap()
            }
            Decoder::Opening(bits, openings) => openings.code(bits, choices, 0),
            Decoder::Context(bits, contexts) => contexts.code(bits, choices, 0),
        }
    }

    fn game(&mut self, start: &Position, plies: usize) -> Vec<Move> {
        let (mut choices, mut moves) = (Choices::of(start), Vec::new());
        for _ in 0..plies {
            let place = self.place(&choices);
            moves.push(choices.moves()[place].mv);
            choices.play(place);
        }
        moves
    }
}

/// Writes a batch, checks the sums and reads it again.
fn hold(games: &[GameMoves]) {
    let mut coder = Coder::new();
    games.iter().for_each(|game| coder.game(game));
    let (coded, texts) = coder.finish();
    for (code, text) in Code::ALL.into_iter().zip(&texts) {
        let is_written = |game: &&GameMoves| code != Code::LichessHuffman || game.has_history();
        let written = || games.iter().filter(is_written);
        let size = coded.written(code);
        assert_eq!(size.games, written().filter(|game| !game.is_continued()).count() as u64);
        assert_eq!(size.plies, written().map(|game| game.plies_count() as u64).sum::<u64>());
        let bits =
            if code == Code::LichessHuffman { size.bits.next_multiple_of(8) } else { size.bits };
        assert_eq!(bits, 8 * text.len() as u64, "{code:?}");
        let counted = coded.symbols(code).map(|(_, plies)| plies).sum::<u64>();
        assert_eq!(counted, if code.has_symbols() { size.plies } else { 0 }, "{code:?}");
        let mut decoder = Decoder::new(code, text);
        for (number, game) in written().enumerate() {
            let (start, moves) = moves_of(game);
            assert!(decoder.game(&start, moves.len()) == moves, "{code:?}: game {number}");
        }
    }
}

/// Starting positions: the usual one, of Chess960, and some where promotions, castling and en passant are near.
const STARTS: [&[u8]; 8] = [
    b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    b"bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1",
    b"rkbbnnqr/pppppppp/8/8/8/8/PPPPPPPP/RKBBNNQR w KQkq - 0 1",
    b"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    b"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    b"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
    b"7k/5K2/8/6Q1/8/8/8/8 w - - 0 1",
    b"QQQQQQQQ/QQQQQQQQ/8/8/8/8/PPP5/k1K4Q w - - 0 1",
];

/// A game at random; `best`: how often one of the first moves by worth is taken, in percent.
fn random_game(dice: &mut Dice, best: usize) -> GameMoves {
    let index = if dice.below(2) == 0 { 0 } else { dice.below(STARTS.len()) };
    let start = Position::from_fen(STARTS[index]).unwrap().0;
    let (mut choices, mut moves) = (Choices::of(&start), Vec::new());
    for _ in 0..1 + dice.below(150) {
        let count = choices.count();
        if count == 0 {
            break;
        }
        let all = if dice.below(100) < best { count.min(3) } else { count };
        let place = dice.below(all);
        moves.push(choices.moves()[place].mv);
        choices.play(place);
    }
    game_of(&start, &moves)
}

#[test]
fn games_at_random_come_back_from_every_code() {
    let (mut castled, mut promoted, mut passed) = (0, 0, 0);
    for seed in 0..trials(4, 30, 300) {
        let mut dice = Dice::new(seed);
        let games: Vec<GameMoves> =
            (0..20).map(|_| random_game(&mut dice, (seed % 5 * 25) as usize)).collect();
        for game in &games {
            game.replay(|ply| {
                castled += usize::from(ply.mv().castling_side().is_some());
                promoted += usize::from(ply.mv().promoted().is_some());
                passed += usize::from(ply.mv().kind() == crate::chess::MoveKind::EnPassant);
            });
        }
        hold(&games);
    }
    assert!(castled > 3 && promoted > 10 && passed > 3, "{castled} {promoted} {passed}");
}

#[test]
fn no_game_and_games_of_one_ply_come_back() {
    hold(&[]);
    let start = Position::initial();
    let games: Vec<GameMoves> =
        start.legal_moves().iter().map(|&mv| game_of(&start, &[mv])).collect();
    hold(&games);
    hold(&games[..1]);
}

/// A game that is kept in parts is one game.
#[test]
fn parts_of_a_game_come_back() {
    let mut dice = Dice::new(8);
    let (mut parts, mut part, mut before) = (Vec::new(), GameMoves::default(), Position::initial());
    for step in 0..90 {
        let moves = before.legal_moves();
        let mv = moves[dice.below(moves.len())];
        let after = before.play(mv);
        part.push(&Ply::new(&before, mv, &after, Check::of(&after)));
        before = after;
        if step % 30 == 29 {
            parts.push(part.take_part());
        }
    }
    assert_eq!(Coded::of(&parts).written(Code::PlyContext).games, 1);
    hold(&parts);
}

/// Real games, of `data/`.
#[test]
fn real_games_come_back_from_every_code() {
    for name in ["masters", "lichess"] {
        let path = format!("{}/../../data/{name}.pgn.zst", env!("CARGO_MANIFEST_DIR"));
        let mut games = Reader::open(path).unwrap().games();
        let mut batch = Vec::new();
        while let Some(game) = games.next().unwrap() {
            let moves: Vec<Move> =
                game.moves().filter(|ply| ply.depth == 0).map(|ply| ply.mv).collect();
            // Games of other rules have moves that chess has not; a measurement does not code them.
            let is_of_chess = game.tag("Variant").is_none_or(|variant| variant == "Standard");
            let start = game.start().filter(|_| is_of_chess);
            batch.extend(start.map(|start| game_of(&start, &moves)));
            if batch.len() >= trials(40, 400, usize::MAX) {
                break;
            }
        }
        assert!(batch.len() >= 40);
        hold(&batch);
        let coded = Coded::of(&batch);
        let of = |code| coded.written(code).bits as f64 / coded.written(code).plies as f64;
        // The order that the study states; `ply-context` has learnt little of so few games.
        assert!(of(Code::PlyContext) < of(Code::OpeningRank), "{name}");
        assert!(of(Code::OpeningRank) < of(Code::RankAdaptive), "{name}");
        assert!(of(Code::RankAdaptive) < of(Code::LegalMoves), "{name}");
        assert!((4.2..4.8).contains(&of(Code::LichessHuffman)), "{name}");
    }
}

/// Batches add up, in any order; sums that do not fit are refused.
#[test]
fn sums_are_those_of_all_batches() {
    let mut dice = Dice::new(5);
    let games: Vec<GameMoves> = (0..12).map(|_| random_game(&mut dice, 60)).collect();
    let parts: Vec<Coded> = games.chunks(5).map(Coded::of).collect();
    let (mut forward, mut backward) = (Coded::default(), Coded::default());
    assert!(parts.iter().all(|part| forward.merge(part)));
    assert!(parts.iter().rev().all(|part| backward.merge(part)));
    assert_eq!(forward, backward);
    let bits = parts.iter().map(|part| part.written(Code::OpeningRank).bits).sum::<u64>();
    assert_eq!(forward.written(Code::OpeningRank).bits, bits);
    for code in Code::ALL.into_iter().filter(|code| code.has_symbols()) {
        let counted = forward.symbols(code).map(|(_, plies)| plies).sum::<u64>();
        assert_eq!(counted, forward.written(code).plies, "{code:?}");
    }
    assert!(!forward.add(Code::LegalMoves, CodeSize { bits: u64::MAX, ..CodeSize::default() }));
    assert!(!forward.add_symbol(Code::LegalMoves, 0, 1));
    assert!(!forward.add_symbol(Code::PlyContext, 1, 1));
    assert!(!forward.add_symbol(Code::LegalMoves, LEGAL_MOVES_MAX + 1, 1));
    for code in Code::ALL {
        assert_eq!(Code::find(code.name()), Some(code));
    }
}

/// Games and their bytes, the first with en passant, others with promotions and castling on either side, of the tests
/// of lichess-org/compression (`HuffmanPgnTest`).
const VECTORS: [(&str, &str); 5] = [
    (
        "e4 e6 d4 d6 Nc3 Nd7 Nf3 Ne7 Bd3 Ng6 Be3 Be7 Qd2 c6 O-O-O O-O h4 b5 h5 Nh8 Kb1 a5 e5 \
         d5 Bh6 Re8 Rh3 f5 exf6 Nxf6 Rg3 Bf8 Ne5 Nf7 Nxf7 Kxf7 Bg5 h6 Bg6+ Kg8 Bxe8 Qxe8 Bxf6 \
         Qxh5 Qf4 Qf5 Qxh6 Kf7",
        "KKlErsNbydzbX/cHneNuv2SepoijLP4Gl79+gA==",
    ),
    (
        "e4 d5 exd5 Qxd5 Nc3 Qd8 Nf3 Nf6 d4 g6 Bc4 Bg7 Bg5 O-O O-O Be6 Bxe6 fxe6 Re1 Nc6 d5 \
         e5 dxc6",
        "Hw15mn6XrBtZGTjK0A==",
    ),
    (
        "e4 e5 Bc4 Qf6 d3 Bc5 Qf3 d6 Nc3 c6 Bg5 Qxf3 Nxf3 h6 Bh4 g5 Bg3 Nf6 h4 g4 Nd2 h5 f3 \
         Nbd7 fxg4 Nxg4 Rf1 Ndf6 Nf3 Be6 Ng5 Bxc4 dxc4 O-O-O Bf2 Nxf2 Rxf2 Bxf2+ Kxf2 Ng4+ \
         Kg1 Rdf8 Rf1 f6 Ne6 Kd7 Nxf8+ Rxf8 Rf5 Ke6 Rxh5 Ne3 Rh7 Nxc4 b3 Ne3 Rxb7 Nxc2 Rxa7 \
         Rh8 g3 Rg8 Kh2 Ne3 Ra6 c5 Nb5 Rd8 h5 Ng4+ Kh3 f5 exf5+ Kxf5 Rxd6 Rxd6 Nxd6+ Kg5 a4 \
         Nf6 a5 Nd7 Ne4+ Kxh5 a6 Kg6 a7 Nb6 Nxc5 Kf5 Nd7 e4 Nxb6 e3 a8=Q e2 Qf3+",
        "BUL1i68rpzjsWPUJ2Pdk92pZJ6nCGB72yZwpuLCz0C7bn9wXPruaw0gbdav0rZ1ffFWg6A==",
    ),
    (
        "e4 c6 Nc3 d6 d4 g6 f4 Bg7 Nf3 Nf6 Bd3 O-O O-O Bg4 Qe1 Nbd7 Be3 c5 Rd1 cxd4 Bxd4 Qa5 \
         h3 Bxf3 Rxf3 e5 Be3 exf4 Bxf4 Ne5 Bxe5 dxe5 Nd5 Qxe1+ Rxe1 Nxd5 exd5 f5 Bc4 e4 Rb3 \
         b6 d6+ Kh8 d7 Rad8 Bb5 a6 Bc6 b5 Rd1 Rf6 Kf2 Rxc6 a4 Rc7 axb5 Rdxd7 Rxd7 Rxd7 bxa6 \
         Bd4+ Ke2 Ra7 Rb8+ Kg7 Rb7+ Rxb7 axb7 Ba7 c4 Kf7 b4 Ke7 c5 Kd7 b5 Kc7 c6 Bb8 Ke3 Kb6 \
         Kd4 Kxb5 Kd5 Kb6 Ke6 Kxc6 Kf7 f4 Kg7 e3 Kxh7 e2 Kxg6 e1=Q Kg5 Qg3+ Kf5 Qxg2 h4 f3",
        "LNob+KTfOVRolcRnunH82UEhJgrmfdm1znTvc+Bj8NIM1PQC1GHviouxfWOuL2gdrjoXyqS4",
    ),
    (
        "e3 e5 Nc3 Nf6 Bc4 d5 Bb3 c5 Ba4+ Bd7 Bxd7+ Qxd7 d4 exd4 exd4 cxd4 Qxd4 Qe6+ Be3 Ne4 \
         Nf3 Nxc3 Qxc3 Nc6 Nd4 Nxd4 Qxd4 a5 a3 b5 O-O Be7 Rad1 O-O Qxd5 Qxd5 Rxd5 b4 Rd7 Rfe8 \
         axb4 Bxb4 c3 Be7 Rfd1 a4 Ra1 h6 Rd4 Bf6 Rdxa4 Rxa4 Rxa4 g5 g3 h5 Kg2 Kg7 h4 gxh4 \
         gxh4 Bxh4 Rxh4 Kg6 b4 Re5 Bd4 Rg5+ Kf3 f5 c4 Rg4 Rxg4+ fxg4+ Kg3 Kg5 b5 h4+ Kg2 h3+ \
         Kh2 Kh4 Be5 Kg5 b6 Kf5 Bg3 Ke4 b7 Kf3 b8=Q Ke2 Qd8 Kf1 Qd1#",
        "Ugpnwa0n6QjIy8kUOHvF4vWAfNWGLlSpu4AGDXj+CUAfbz9YqN7Jq1sqLU2rqQmcfA==",
    ),
];

fn from_base64(text: &str) -> Vec<u8> {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut bits, mut count) = (Vec::new(), 0_u32, 0);
    for digit in text.bytes().filter_map(|byte| digits.iter().position(|&other| other == byte)) {
        (bits, count) = (bits << 6 | digit as u32, count + 6);
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

fn moves_in_san(text: &str) -> Vec<Move> {
    let mut position = Position::initial();
    let mut moves = Vec::new();
    for word in text.split_whitespace() {
        let is_it = |mv: &Move| notation::write(notation::SAN, &position, *mv).to_string() == word;
        let mv = position.legal_moves().iter().copied().find(is_it).unwrap();
        moves.push(mv);
        position = position.play(mv);
    }
    moves
}

#[test]
fn lichess_has_the_same_bytes() {
    for (text, bytes) in VECTORS {
        let (bytes, moves) = (from_base64(bytes), moves_in_san(text));
        let mut coder = Coder::new();
        coder.game(&game_of(&Position::initial(), &moves));
        let (_, texts) = coder.finish();
        assert_eq!(texts[2], bytes, "{text}");
        let decoded =
            Decoder::new(Code::LichessHuffman, &bytes).game(&Position::initial(), moves.len());
        assert_eq!(decoded, moves);
    }
    // Always the first place.
    let text = "e4 e5 Nf3 Nf6 Nxe5 Nxe4 Nxf7 Kxf7 d4 Nxf2 Kxf2 d5 Nc3 Nc6 Nxd5 Qxd5 Kg1 Nxd4 Qxd4 Qxd4+ \
                Be3 Qxe3#";
    let decoded = Decoder::new(Code::LichessHuffman, &[0; 6]).game(&Position::initial(), 22);
    assert_eq!(decoded, moves_in_san(text));
}

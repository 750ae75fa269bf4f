//! The positions on which the laws are tested: one list, the same on every run.
//!
//! Set up by hand (promotions, many queens, pins, en passant), the 960 starts of Chess960, random walks from these,
//! and, if the corpora are present, perft suites and positions of real games. Walks take seeded random numbers, so that
//! a failure can be reproduced.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::chess::{Move, Position};
use crate::notation::{Notation, san::San};

/// Marsaglia's xorshift (2003) on 64 bits.
#[derive(Debug)]
pub(super) struct Random(u64);

impl Random {
    /// Numbers that depend on the seed only.
    pub(super) fn seeded(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `limit`, which is above 0.
    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }
}

/// Set up by hand: what random walks and games seldom show.
pub(super) const SET_UP: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    // Promotions: adjacent, by capture both ways, with checks and mates, with pieces on the code squares.
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r1n1b1r1/1P1P1P1P/8/k7/7K/8/p1p1p1p1/1N1N1B1R w - - 0 1",
    "1r1r1r2/P1P1P1P1/7k/1R6/2N5/3B4/8/K7 w - - 0 1",
    "k7/8/8/3b4/2n4K/1r6/p1p1p1p1/1R1R1R2 b - - 0 1",
    "7K/8/7k/8/1r6/2n5/1p1p4/R1N1B3 b - - 0 1",
    "rbn5/1P1P3k/8/1Q6/1R6/8/8/4K3 w - - 0 1",
    "r3k3/1P6/8/2N5/1R6/8/8/4K3 w - - 0 1",
    // Several pieces of a role: disambiguation by file, rank or square; pins remove candidates.
    "1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "3Q4/1Q4Q1/4Q3/2Q4R/Q4Q2/3Q4/1Q4Rp/1K1BBNNk w - - 0 1",
    "kbQQQQQQ/rp5Q/Qn5Q/Q6Q/Q6Q/Q6Q/Q6Q/KQQQQQQQ w - - 0 1",
    "kq6/8/2N1N3/1N3N2/8/1N3N2/2N1N3/K6B w - - 0 1",
    "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1",
    "k3r3/8/4R3/2R1K1R1/4R3/8/8/b3r2b w - - 0 1",
    "B1B4k/8/B7/8/8/8/8/K1B1B1B1 w - - 0 1",
    // En passant: two capturing pawns, a pinned one, the rank opened, and as the answer to a check.
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",
    "8/8/8/1k6/3Pp3/8/8/4KQ2 b - d3 0 1",
    "1b1k4/8/8/1rPpK3/8/8/8/8 w - d6 0 1",
    "4k3/8/8/KPp4r/8/8/8/8 w - c6 0 1",
    // Castling: both sides, king and rook that hardly move, rook covering the king's path, mate by castling.
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
    "5krr/8/8/8/8/8/8/RK6 w A - 0 1",
    "4k3/8/8/8/8/8/8/1rRK4 w C - 0 1",
    "5k2/R7/8/8/B1B5/8/8/4K2R w K - 0 1",
    "rk2r3/8/8/8/8/8/8/RK2R3 b EAea - 0 1",
    "3k4/8/8/8/8/8/2P1P3/R3K2R w KQ - 0 1",
    "r1b1kb1r/p2nq3/2p1pnBp/8/3P4/5N2/PPP2PPP/R1BQ1RK1 b kq - 1 10",
];

/// Pieces of the first rank for a Scharnagl number below 960, as letters of White.
fn scharnagl(number: usize) -> [u8; 8] {
    let mut rank = [0u8; 8];
    let place = |pieces: &mut [u8; 8], nth: usize, letter: u8| {
        let free = (0..8).filter(|&file| pieces[file] == 0).nth(nth);
        pieces[free.expect("fewer than eight pieces are placed")] = letter;
    };
    let (rest, light) = (number / 4, number % 4);
    rank[light * 2 + 1] = b'B';
    let (rest, dark) = (rest / 4, rest % 4);
    rank[dark * 2] = b'B';
    place(&mut rank, rest % 6, b'Q');
    let pairs = (0..4).flat_map(|first| (first + 1..5).map(move |second| (first, second)));
    let (first, second) = pairs.into_iter().nth(rest / 6).expect("ten pairs");
    // The second knight's square is counted before the first is placed.
    place(&mut rank, second, b'N');
    place(&mut rank, first, b'N');
    for letter in *b"RKR" {
        place(&mut rank, 0, letter);
    }
    rank
}

/// The FEN of a start with these first ranks, which differ in "double" Chess960.
fn start(white: usize, black: usize) -> Position {
    let white = String::from_utf8_lossy(&scharnagl(white)).into_owned();
    let black = String::from_utf8_lossy(&scharnagl(black)).to_ascii_lowercase();
    read(&format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1"))
}

/// A position that must be readable.
pub(super) fn read(fen: &str) -> Position {
    let read = Position::from_fen(fen.as_bytes());
    let (position, notes) = read.unwrap_or_else(|error| panic!("{fen}: {error}"));
    assert!(!notes.rights_impossible && !notes.en_passant_impossible, "{fen}");
    position
}

/// Plays random moves, promotions first one time in two, and keeps every position passed.
fn walk(mut position: Position, plies: usize, random: &mut Random, kept: &mut Vec<Position>) {
    for _ in 0..plies {
        let moves = position.legal_moves();
        if moves.is_empty() {
            return;
        }
        let promotions: Vec<Move> =
            moves.iter().copied().filter(|mv| mv.promoted().is_some()).collect();
        let promote = !promotions.is_empty() && random.below(2) == 0;
        let from: &[Move] = if promote { &promotions } else { &moves };
        position = position.play(from[random.below(from.len())]);
        kept.push(position);
    }
}

/// A file of `../shared/corpora`, which is beside the checkout: a test of a member runs in the member's directory.
fn shared(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpora").join(name)
}

/// Reports a part of the laws that is not tested. Not by `println`, which the harness captures.
fn skipped(path: &Path) {
    let line = format!("skipped: notation::laws: needs {}\n", path.display());
    std::io::stderr().write_all(line.as_bytes()).expect("standard error");
}

/// The lines `epd FEN` of the shared perft suites, every `step`th.
fn suite(name: &str, step: usize, kept: &mut Vec<Position>) {
    let path = shared("variants/perft").join(name);
    let Ok(text) = fs::read_to_string(&path) else {
        return skipped(&path);
    };
    let records = text.lines().filter_map(|line| line.strip_prefix("epd "));
    kept.extend(records.step_by(step).map(read));
}

/// Positions of the games of an archive, every seventh ply, as far as the moves can be read.
fn games(name: &str, kept_max: usize, kept: &mut Vec<Position>) {
    let path = shared(name);
    let Ok(bytes) = fs::read(&path) else {
        return skipped(&path);
    };
    let (mut position, mut plies, limit) = (None, 0, kept.len() + kept_max);
    let mut comment = false;
    for line in bytes.split(|&byte| byte == b'\n') {
        if !comment && line.starts_with(b"[") {
            position = Some(Position::initial());
            continue;
        }
        for word in line.split(u8::is_ascii_whitespace) {
            comment = comment || word.starts_with(b"{");
            let ends = word.ends_with(b"}");
            let number = word.iter().take_while(|&&b| b.is_ascii_digit() || b == b'.').count();
            if !comment && number < word.len() {
                position = position.and_then(|before: Position| {
                    Some(before.play(San.read(&word[number..], &before).ok()?.mv))
                });
                plies += 1;
                if plies % 7 == 0 && kept.len() < limit {
                    kept.extend(position);
                }
            }
            comment = comment && !ends;
        }
    }
}

/// All positions, the ones set up by hand first.
pub(super) fn all() -> &'static [Position] {
    static ALL: OnceLock<Vec<Position>> = OnceLock::new();
    ALL.get_or_init(|| {
        let mut kept: Vec<Position> = SET_UP.iter().map(|fen| read(fen)).collect();
        let mut random = Random::seeded(1745);
        for fen in SET_UP {
            walk(read(fen), 40, &mut random, &mut kept);
        }
        for _ in 0..20 {
            walk(Position::initial(), 120, &mut random, &mut kept);
        }
        kept.extend((0..960).map(|number| start(number, number)));
        for _ in 0..30 {
            let (white, black) = (random.below(960), random.below(960));
            walk(start(white, white), 40, &mut random, &mut kept);
            walk(start(white, black).with_chess960(true), 40, &mut random, &mut kept);
        }
        suite("python-chess/tricky.perft", 1, &mut kept);
        suite("python-chess/random.perft", 8, &mut kept);
        games("otb/linares_2002.pgn", 700, &mut kept);
        games("lichess/lichess_elite_2014-12.pgn", 700, &mut kept);
        kept
    })
}

#[test]
fn the_positions_are_many() {
    println!("{} positions", all().len());
    assert!(all().len() >= 5_000, "{}", all().len());
}

#[test]
fn the_960_starts_are_those_of_the_shared_list() {
    let mut made: Vec<String> = (0..960).map(|number| start(number, number).to_fen()).collect();
    made.sort_unstable();
    made.dedup();
    assert_eq!(made.len(), 960);
    assert_eq!(start(518, 518), Position::initial());
    let path = shared("chess960/chess960_start_positions.sfens");
    let Ok(text) = fs::read_to_string(&path) else {
        return skipped(&path);
    };
    let mut listed: Vec<String> = text.lines().map(|line| read(line).to_fen()).collect();
    listed.sort_unstable();
    assert!(made == listed);
}

//! Leaves of the tree of legal moves, against counts that many engines agree on.
//!
//! The shared perft suites are run up to a node limit a line, so that the whole takes seconds; set
//! `PGNMILL_PERFT_NODES` for more.

#![allow(clippy::print_stdout, reason = "reports how much was compared")]

mod common;

use std::fs;
use std::path::Path;

use pgnmill::chess::{Position, perft};
use pgnmill_needs::needs;

fn check(fen: &str, expected: &[(u32, u64)]) {
    let (position, _) = Position::from_fen(fen.as_bytes()).unwrap_or_else(|e| panic!("{fen}: {e}"));
    for &(depth, nodes) in expected {
        assert_eq!(perft(&position, depth), nodes, "{fen} at depth {depth}");
    }
}

#[test]
fn the_initial_array_to_depth_six() {
    let counts = [(1, 20), (2, 400), (3, 8_902), (4, 197_281), (5, 4_865_609), (6, 119_060_324)];
    check("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", &counts);
}

#[test]
fn the_five_usual_test_positions() {
    check(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[(1, 48), (2, 2_039), (3, 97_862), (4, 4_085_603)],
    );
    check(
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        &[(1, 14), (2, 191), (3, 2_812), (4, 43_238), (5, 674_624), (6, 11_030_083)],
    );
    check(
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[(1, 6), (2, 264), (3, 9_467), (4, 422_333), (5, 15_833_292)],
    );
    check(
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[(1, 44), (2, 1_486), (3, 62_379), (4, 2_103_487)],
    );
    check(
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        &[(1, 46), (2, 2_079), (3, 89_890), (4, 3_894_594)],
    );
}

/// Lines `epd FEN` followed by `perft DEPTH NODES`; returns how many counts were compared.
fn run_suite(path: &Path, nodes_max: u64) -> usize {
    let text = fs::read_to_string(path).unwrap();
    let (mut position, mut compared) = (None, 0);
    for line in text.lines() {
        if let Some(epd) = line.strip_prefix("epd ") {
            let read = Position::from_fen(epd.as_bytes());
            position = Some(read.unwrap_or_else(|e| panic!("{epd}: {e}")).0);
        } else if let Some(rest) = line.strip_prefix("perft ") {
            let mut numbers = rest.split_whitespace().map(|n| n.parse::<u64>().unwrap());
            let (depth, nodes) = (numbers.next().unwrap(), numbers.next().unwrap());
            if nodes <= nodes_max {
                let position = position.as_ref().expect("epd comes first");
                assert_eq!(perft(position, depth as u32), nodes, "{line} of {}", position.to_fen());
                compared += 1;
            }
        }
    }
    compared
}

#[needs("../shared/corpora/variants/perft")]
#[test]
fn shared_perft_suites() {
    let folder = common::here("../shared/corpora/variants/perft");
    let nodes_max = std::env::var("PGNMILL_PERFT_NODES").ok().and_then(|n| n.parse().ok());
    let mut suites = 0;
    for origin in ["python-chess", "shakmaty", "scalachess"] {
        for name in ["chess960", "tricky", "random"] {
            let path = folder.join(origin).join(format!("{name}.perft"));
            if path.is_file() {
                let compared = run_suite(&path, nodes_max.unwrap_or(100_000));
                println!("{}: {compared} counts equal", path.display());
                assert!(compared > 0);
                suites += 1;
            }
        }
    }
    assert!(suites > 0, "no suite found");
}

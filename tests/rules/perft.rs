//! Leaves of the tree of legal moves, against counts that many engines agree on.
//!
//! The shared perft suites are run up to a node limit a line, so that the whole takes seconds; at night it is higher.

#![allow(clippy::print_stdout, reason = "reports how much was compared")]

use std::fs;
use std::path::Path;

use crate::common::{self, trials};
use pgnmill_core::chess::rules::{
    Antichess, Atomic, Chess99, Crazyhouse, Horde, RacingKings, Rules, Start, ThreeCheck,
};
use pgnmill_core::chess::{Position, perft};
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

/// The leaves of the tree of legal moves of any ruleset.
fn leaves<R: Rules>(position: &R::Position, depth: u32) -> u64 {
    let mut count = 0;
    R::visit_legal(position, &mut |mv| {
        let mut next = *position;
        if depth > 1 {
            R::play_into(position, mv, &mut next);
        }
        count += if depth <= 1 { 1 } else { leaves::<R>(&next, depth - 1) };
        false
    });
    count
}

/// Runs a suite up to a number of nodes a line; returns how many counts were compared.
type Suite = fn(&Path, u64) -> usize;

/// As [`run_suite`], for a ruleset.
fn run_variant<R: Start>(path: &Path, nodes_max: u64) -> usize {
    let text = fs::read_to_string(path).unwrap();
    let (mut position, mut record, mut compared) = (None, String::new(), 0);
    for line in text.lines() {
        if let Some(epd) = line.strip_prefix("epd ") {
            let read = R::from_fen(epd.as_bytes(), false);
            position = Some(read.unwrap_or_else(|e| panic!("{epd}: {e}")).0);
            record = epd.to_string();
        } else if let Some(rest) = line.strip_prefix("perft ") {
            let mut numbers = rest.split_whitespace().map(|n| n.parse::<u64>().unwrap());
            let (depth, nodes) = (numbers.next().unwrap(), numbers.next().unwrap());
            if nodes <= nodes_max {
                let position = position.as_ref().expect("epd comes first");
                assert_eq!(leaves::<R>(position, depth as u32), nodes, "{line} of {record}");
                compared += 1;
            }
        }
    }
    compared
}

/// The leaves of a line of a suite, at most.
fn nodes_max() -> u64 {
    trials(30_000, 100_000, 50_000_000)
}

#[needs("../shared/corpora/variants/perft")]
#[test]
fn shared_perft_suites_of_the_variants() {
    let folder = common::here("../shared/corpora/variants/perft");
    let nodes_max = nodes_max();
    let suites: [(&str, Suite); 8] = [
        ("python-chess/3check", run_variant::<ThreeCheck>),
        ("python-chess/atomic", run_variant::<Atomic>),
        ("python-chess/crazyhouse", run_variant::<Crazyhouse>),
        ("shakmaty/crazyhouse", run_variant::<Crazyhouse>),
        ("python-chess/giveaway", run_variant::<Antichess>),
        ("python-chess/horde", run_variant::<Horde>),
        ("python-chess/racingkings", run_variant::<RacingKings>),
        ("shakmaty/racingkings", run_variant::<RacingKings>),
    ];
    for (name, run) in suites {
        let path = folder.join(name).with_extension("perft");
        let compared = run(&path, nodes_max);
        println!("{}: {compared} counts equal", path.display());
        assert!(compared > 0);
    }
}

#[needs("../shared/corpora/variants/perft")]
#[test]
fn shared_perft_suites() {
    let folder = common::here("../shared/corpora/variants/perft");
    let mut suites = 0;
    for origin in ["python-chess", "shakmaty", "scalachess"] {
        for name in ["chess960", "tricky", "random"] {
            let path = folder.join(origin).join(format!("{name}.perft"));
            if path.is_file() {
                let compared = run_suite(&path, nodes_max());
                println!("{}: {compared} counts equal", path.display());
                assert!(compared > 0);
                suites += 1;
            }
        }
    }
    assert!(suites > 0, "no suite found");
}

/// `chess99.md`, 7, and twenty positions more.
#[test]
fn counts_of_chess_99() {
    let starting = "rnbakqbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR";
    for side in ["w", "b"] {
        check_99(&format!("{starting} {side} - 1"), &[26, 676, 20_217, 603_314]);
    }
    let records = [
        (
            "rnkb2bnr/2A1q1p2/p1aQ5/1p3p3/7pP/1P2P4/P2P1P1P1/2P3P2/RNB1K1BNR b i4",
            [57, 4_156, 234_128],
        ),
        ("2b1k1b2/r2n2p2/6n2/A2Q4r/9/NR7/9/q3KB3/R1B4N1 b -", [57, 4_543, 265_600]),
        ("r1b3bn1/1p4k2/N1Npa4/P3p2q1/3P2p1r/2P2p2p/R3PP3/6P1p/2BQKABNR b -", [64, 3_304, 209_610]),
        ("r3kR1PB/9/2n1a4/5b3/3A5/3b5/q5B2/3b5/1N2K1bN1 w -", [57, 4_640, 257_482]),
        ("1nba1k3/rB7/6N2/p3r4/P8/1p2P4/1P5P1/2PK5/RNQ2AqNR b -", [58, 3_232, 187_286]),
        ("r1b3bnr/Q3k4/n8/6pP1/2p3B2/1pN1Aq2R/1P7/9/1R2K1BN1 w -", [74, 3_990, 296_955]),
        ("rBb1kq1nr/4A2p1/pp2b4/1a1p4p/1P6Q/P3P2P1/8N/2P2p2P/RNBK4R w -", [67, 3_468, 227_739]),
        ("nbrkqabrn/ppppppppp/9/9/9/9/9/PPPPPPPPP/NRBAQKRBN b -", [24, 576, 16_328]),
        ("r1b5r/1a1k2q1P/p8/2p1n4/2n2p3/3P1b3/2N1A4/pp7/2KBQ1BNR w b3", [53, 3_732, 195_470]),
        ("rn2k2nr/7p1/R2P2pP1/1B2p1a2/2P5p/1bP3P2/2N2q3/2Q4b1/2B1AK1NR b -", [74, 5_224, 361_693]),
        ("2bAk2r1/9/5Pn2/1Q1r5/n7R/9/b2R2N2/3Bn4/4K4 w -", [78, 4_482, 336_671]),
        ("r1kbP2nr/6q1p/p1ap4R/P4B3/3p1nBQ1/9/3A2N2/6P2/RN3K3 w -", [92, 5_346, 470_735]),
        ("r7b/6k2/5B3/A3n4/P8/1R1q2R2/4b1N2/3B1B3/2K6 b -", [57, 3_244, 179_128]),
        ("4k3r/R8/r7b/1q4Ba1/1b3A3/3B5/5Q3/3B1R3/1N2K4 w -", [84, 5_198, 438_739]),
        ("9/8k/2b6/2r6/1r5Q1/8b/5R3/6K1R/4q4 b -", [72, 3_387, 233_364]),
        ("bnrkaqrbn/ppppppppp/9/9/9/9/9/PPPPPPPPP/NBRQAKRNB b -", [25, 625, 18_228]),
        ("r1bak1bnr/2p1p3p/8p/n4p3/1APpP1p2/1P1P5/P5Pq1/5P3/RNBQK1BNR b e4", [55, 2_990, 158_852]),
        ("r1baqkbnr/2pp5/2n6/pp2pBp1p/P6p1/1P5P1/4P1P1P/3PAP3/RN1QK1BNR w -", [48, 2_293, 111_926]),
        ("rn4q2/5Q3/4kBn2/3Pp4/9/p4K2r/B1N1B4/P1Pb2PpP/R4A2R b -", [53, 3_374, 176_396]),
        ("Pn3k2r/9/2p1R4/6an1/pN1P2p2/P8/3P4b/2Q1Pq1A1/2B1K1BNR w -", [68, 4_395, 295_209]),
    ];
    for (record, counts) in records {
        check_99(record, &counts);
    }
}

fn check_99(record: &str, counts: &[u64]) {
    let (position, _) = Chess99::from_fen(record.as_bytes(), false).expect(record);
    for (depth, &count) in (1..).zip(counts) {
        assert_eq!(leaves::<Chess99>(&position, depth), count, "{record} at depth {depth}");
    }
}

//! Slips that leave one reading: king takes rook, suffixes after illegal moves, braces in comments.
//!
//! In: texts of each kind, written here or built as products, and the finds of `../shared/finds`. Out: the
//! verdicts, the deviations, the messages and the bytes that the rules in `docs/reference/slips.md` state. Laws
//! for every text: all levels of the processor, numbers of threads and cuts read the same; no game is lost; what
//! is repaired is read again without a repair; an accepted text is converted to UCI and back to the byte.

use std::fs;

use pgnmill_core::engine::Rejects;
use pgnmill_core::notation::find;
use pgnmill_laws::scratch::Scratch;
use pgnmill_laws::support::{Ledger, Task, ledger_of, run_of, run_piped, to_san};
use pgnmill_needs::needs;
use pgnmill_simd::Level;

use crate::common::{here, thinned};

/// The ledger of a conversion to SAN, which is the same however the text is read.
#[track_caller]
fn read(text: &[u8]) -> Ledger {
    let shown = text.escape_ascii().to_string();
    let ledger = ledger_of(&to_san(Rejects::Apart), text);
    ledger.check(text.len(), &shown);
    for level in Level::all() {
        let mut how = to_san(Rejects::Apart);
        how.level = level;
        assert!(ledger_of(&how, text) == ledger, "{level:?} reads something else: {shown}");
    }
    for (range_bytes, threads) in [(16, 3), (61, 2), (1 << 20, 1)] {
        let mut how = to_san(Rejects::Apart);
        how.options.range_bytes = range_bytes;
        how.options.block_bytes = range_bytes.min(512);
        how.threads = threads;
        assert!(ledger_of(&how, text) == ledger, "cut into {range_bytes} bytes: {shown}");
    }
    assert!(run_piped(&to_san(Rejects::Apart), &Scratch::new(), text) == ledger, "piped: {shown}");
    let again = ledger_of(&to_san(Rejects::Apart), &ledger.out);
    let (accepted, repaired, _) = ledger.verdicts();
    assert_eq!(again.verdicts(), (accepted + repaired, 0, 0), "{shown}");
    assert_eq!(again.out, ledger.out, "{shown}");
    if repaired == 0 && ledger.verdicts().2 == 0 {
        assert_eq!(ledger.out, text, "{shown}");
        let to_uci = run_of(Task::convert(find("uci").expect("a notation")), Rejects::Apart);
        let uci = ledger_of(&to_uci, text);
        let back = ledger_of(&to_san(Rejects::Apart), &uci.out);
        assert_eq!(back.out.escape_ascii().to_string(), shown);
    }
    ledger
}

fn has(ledger: &Ledger, name: &str) -> bool {
    let names = ledger.deviations();
    names.iter().any(|found| found.split('*').next() == Some(name))
}

fn find_of(name: &str) -> Vec<u8> {
    fs::read(here("../shared/finds").join(name)).expect("a find")
}

#[test]
fn king_takes_rook_is_castling() {
    let chess960 = |fen: &str, moves: &str| {
        format!("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{moves} *\n")
    };
    let tags = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5";
    for (text, castling) in [
        (chess960("1r1k3r/8/8/8/8/8/8/1R1K3R w HBhb - 0 1", "1. d1h1 d8b8"), "1. O-O O-O-O"),
        (chess960("4k3/8/8/8/8/8/8/R4KR1 w GA - 0 1", "1. f1a1"), "1. O-O-O"),
        (chess960("4k3/8/8/8/8/8/8/R4KR1 w GA - 0 1", "1. Kf1xg1"), "1. O-O"),
        // The rook's square, not the king's arrival in the other castling.
        (chess960("4k3/8/8/8/8/8/8/RKR5 w CA - 0 1", "1. b1c1"), "1. O-O"),
        (format!("{tags} 4. e1h1 *\n"), "4. O-O"),
        (format!("{tags} 4. Ke1xh1 *\n"), "4. O-O"),
        (format!("{tags} 4. Ke1h1 *\n"), "4. O-O"),
    ] {
        let ledger = read(text.as_bytes());
        assert_eq!(ledger.verdicts(), (0, 1, 0), "{text}: {:?}", ledger.faults);
        assert!(has(&ledger, "castling-takes-rook"), "{text}: {:?}", ledger.deviations());
        assert!(String::from_utf8_lossy(&ledger.out).contains(castling), "{text}");
    }
    for refused in ["4. e1a1", "4. Kxh1", "4. Ke1xg1"] {
        let ledger = read(format!("{tags} {refused} *\n").as_bytes());
        assert_eq!(ledger.verdicts(), (0, 0, 1), "{refused}");
    }
}

#[needs("../shared/finds")]
#[test]
fn the_files_of_castling() {
    for (name, games) in [("74-960-uci.pgn", 1), ("74b-960-uci.pgn", 1), ("74c-uci.pgn", 2)] {
        let ledger = read(&find_of(name));
        assert_eq!(ledger.verdicts(), (0, games, 0), "{name}: {:?}", ledger.faults);
        assert!(has(&ledger, "castling-takes-rook"), "{name}");
    }
}

/// The reason of an illegal move does not depend on what is attached to it.
#[test]
fn suffixes_do_not_change_the_reason_of_an_illegal_move() {
    let suffixes = [
        "", ",", ".", "±", "∓", "⩲", "⩱", "∞", "□", "!?", "!!!", "+", "++", "#", "ch", "mate",
        "±.", "+,", "e.p.", "‼", "△",
    ];
    for (before, illegal) in [
        ("1. e4 e5 2.", "Be3"),
        ("1. e4 e5 2.", "Nd5"),
        ("1. e4 e5 2.", "Ng1e3"),
        ("1.", "e5"),
        ("1. e4 e5 2. Nf3 Nc6 3.", "exd6"),
        ("1.", "O-O"),
        ("1. e4 d5 2.", "e5=Q"),
    ] {
        let reason = |suffix: &str| {
            let text = format!("[Event \"a\"]\n\n{before} {illegal}{suffix} *\n");
            let ledger = read(text.as_bytes());
            assert_eq!(ledger.verdicts(), (0, 0, 1), "{text}");
            let fault = &ledger.faults[0];
            let (_, why) = fault.detail.split_once(' ').expect("a reason");
            (fault.kind, why.to_string())
        };
        let plain = reason("");
        assert_ne!(plain.0, "move-unreadable");
        for suffix in thinned(4, suffixes) {
            // En passant is claimed by it.
            if suffix == "e.p." && illegal != "exd6" {
                continue;
            }
            assert_eq!(reason(suffix), plain, "{illegal}{suffix}");
        }
    }
}

#[needs("../shared/finds")]
#[test]
fn the_file_of_suffixes() {
    let ledger = read(&find_of("43-illegal-suffix.pgn"));
    assert_eq!(ledger.verdicts(), (0, 0, 10));
    let blocked = "the bishop on c1 is blocked by the pawn on d2";
    let count = ledger.faults.iter().filter(|fault| fault.detail.ends_with(blocked)).count();
    assert_eq!(count, 9, "{:?}", ledger.faults);
    assert!(ledger.faults.iter().all(|fault| fault.kind == "move-illegal"));
}

/// An opening brace in a comment is noted always, and a fault behind it names the comment.
#[test]
fn braces_in_comments_are_noted_and_named() {
    for (comment, whole) in [
        ("{x {y}", true),
        ("{x {y} z}", true),
        ("{x {y} z {w} v}", true),
        ("{x {y} {w} v}", true),
        ("{x {y {z}} w}", true),
        ("{plain}", false),
    ] {
        let text = format!("[Event \"a\"]\n\n1. e4 {comment} e5 2. Nf3 *\n");
        let ledger = read(text.as_bytes());
        assert_eq!(ledger.verdicts(), (1, 0, 0), "{text}: {:?}", ledger.faults);
        assert_eq!(has(&ledger, "comment-nested"), whole, "{text}");
        // Behind other games, in the second line of the movetext.
        let text =
            format!("[Event \"z\"]\n\n*\n\n[Event \"a\"]\n\n1. e4\n e5 {comment}\n2. Nf4 *\n");
        let ledger = read(text.as_bytes());
        assert_eq!(ledger.verdicts(), (1, 0, 1), "{text}");
        let named = "; the comment that begins at 8:5 holds another `{`";
        let detail = &ledger.faults[0].detail;
        assert_eq!(detail.ends_with(named), whole, "{text}: {detail}");
        assert!(detail.starts_with("Nf4: no white knight can reach f4"), "{detail}");
    }
    // Behind the result, too.
    assert!(has(&read(b"[Event \"a\"]\n\n1. e4 * {x {y}\n"), "comment-nested"));
    // Braces with moves between are those of several comments.
    let text = b"[Event \"a\"]\n\n1. e4 {x {y} e5 {w} 2. Nf3 {v} Nc6 *\n";
    assert_eq!(read(text).counts.plies, 4);
    // A fault before the comment is not behind it.
    let ledger = read(b"[Event \"a\"]\n\n1. e5 {x {y} e5 *\n");
    assert!(!ledger.faults[0].detail.contains("comment"), "{}", ledger.faults[0].detail);
}

#[needs("../shared/finds")]
#[test]
fn the_files_of_braces() {
    let ledger = read(&find_of("44-nested-rejected.pgn"));
    assert_eq!(ledger.verdicts(), (1, 0, 1));
    assert!(has(&ledger, "comment-nested"));
    assert!(ledger.faults[0].detail.contains("begins at 7:7 holds another `{`"));
    let ledger = read(&find_of("23-comment-paren.pgn"));
    assert_eq!(ledger.verdicts(), (1, 0, 1));
    let detail = &ledger.faults[0].detail;
    assert!(detail.contains("the comment that begins at 9:53 holds another `{`"), "{detail}");
}

//! Slips of people and programs that leave one reading: tag pairs without their quotes or a bracket or over two lines,
//! blanks of Unicode between tokens, braces in comments, king takes rook, suffixes after illegal moves, `1)`, `\\$14`.
//!
//! In: texts of each kind, written here or built as products, and the finds of `../shared/finds`. Out: the
//! verdicts, the deviations, the messages and the bytes that the rules in `docs/reference/slips.md` state. Laws
//! for every text: all levels of the processor, numbers of threads and cuts read the same; no game is lost; what
//! is repaired is read again without a repair; an accepted text is converted to UCI and back to the byte.

use std::fs;

use pgnmill_core::engine::Rejects;
use pgnmill_core::notation::find;
use pgnmill_core::pgn::TagPairs;
use pgnmill_laws::scratch::Scratch;
use pgnmill_laws::support::{Ledger, Task, ledger_of, run_of, run_piped, to_san};
use pgnmill_needs::needs;
use pgnmill_simd::Level;

use crate::common::{here, thinned, trials};

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

#[track_caller]
fn assert_read(text: &[u8], verdicts: (u64, u64, u64), out: &str) {
    let ledger = read(text);
    let shown = text.escape_ascii().to_string();
    assert_eq!(ledger.verdicts(), verdicts, "{shown}: {:?}", ledger.faults);
    assert_eq!(String::from_utf8_lossy(&ledger.out), out, "{shown}");
}

fn has(ledger: &Ledger, name: &str) -> bool {
    let names = ledger.deviations();
    names.iter().any(|found| found.split('*').next() == Some(name))
}

fn find_of(name: &str) -> Vec<u8> {
    fs::read(here("../shared/finds").join(name)).expect("a find")
}

const QUOTES: &[(&str, &str)] = &[
    ("“", "”"),
    ("”", "”"),
    ("„", "“"),
    ("«", "»"),
    ("‘", "’"),
    ("'", "'"),
    ("`", "`"),
    ("`", "'"),
    ("“", "\""),
    ("\"", "”"),
    ("", ""),
    ("", "\""),
    ("“", ""),
    ("\"", ""),
];

/// Every quote, at both ends, at one or at none; every bracket missing; anywhere in the section: the game has
/// its tags.
#[test]
fn tag_pairs_with_a_missing_or_other_mark_are_repaired() {
    let whole =
        ["[Event \"a\"]", "[Site \"b\"]", "[Round \"3\"]", "[White \"Able, A\"]", "[Result \"*\"]"];
    let (names, values) =
        (["Event", "Site", "Round", "White", "Result"], ["a", "b", "3", "Able, A", "*"]);
    let before = "[Event \"z\"]\n\n1. d4 *\n\n";
    let wanted = format!("{before}{}\n\n1. e4 e5 *\n", whole.join("\n"));
    let brackets = [("[", "]"), ("[ ", " ]"), ("[", ""), ("", "]")];
    let products = QUOTES.iter().flat_map(|quotes| {
        (0..=whole.len()).flat_map(move |damaged| brackets.map(|it| (quotes, damaged, it)))
    });
    for (&(open, close), damaged, (left, right)) in products.into_iter().step_by(trials(9, 2, 1)) {
        let is_odd = |at: usize| damaged == at || damaged == whole.len();
        // A line without a bracket at its start begins no game; without one at its end, a text without a quote.
        if is_odd(0) && (left.is_empty() || right.is_empty() && open.is_empty()) {
            continue;
        }
        let lines = (0..whole.len()).map(|at| match is_odd(at) {
            true => format!("{left}{} {open}{}{close}{right}", names[at], values[at]),
            false => whole[at].to_string(),
        });
        let lines = lines.collect::<Vec<_>>().join("\n");
        let text = format!("{before}{lines}\n\n1. e4 e5 *\n");
        let ledger = read(text.as_bytes());
        assert_eq!(ledger.verdicts(), (1, 1, 0), "{lines}: {:?}", ledger.faults);
        let out = String::from_utf8_lossy(&ledger.out).replace("[ ", "[");
        assert_eq!(out, wanted, "{lines}");
    }
}

#[test]
fn tag_pairs_on_one_line_stay_apart() {
    let out = "[White \"Able\"] [Black \"Baker\"]\n\n1. e4 *\n";
    for line in [
        "[White Able] [Black Baker]",
        "[White Able] [Black \"Baker\"]",
        "[White “Able”] [Black \"Baker\"]",
        "[White \"Able] [Black \"Baker\"]",
        "[White \"Able\" [Black \"Baker\"]",
        "[White 'Able'] [Black «Baker»]",
    ] {
        let text = format!("{line}\n\n1. e4 *\n");
        assert_read(text.as_bytes(), (0, 1, 0), out);
    }
}

#[test]
fn tag_pairs_without_any_reading_are_named_as_such() {
    for (line, column) in [("[\"x\"]", 1), ("[%clk 1]", 1), ("[]", 1), ("[3]", 1)] {
        let text =
            format!("[Event \"a\"]\n{line}\n[White \"b\"]\n\n1. e4 *\n\n[Event \"c\"]\n\n*\n");
        let ledger = read(text.as_bytes());
        assert_eq!(ledger.verdicts(), (1, 0, 1), "{line}");
        let fault = &ledger.faults[0];
        assert_eq!((fault.kind, fault.line, fault.column), ("tag-unreadable", 2, column), "{line}");
        assert!(fault.detail.starts_with("a tag pair has a name"), "{}", fault.detail);
    }
    let ledger = read(b"[Event \"a\"]\n\n1. e4 [Nf3] e5 *\n");
    assert_eq!((ledger.verdicts(), ledger.faults[0].kind), ((0, 0, 1), "tag-unreadable"));
    // Where the canonical pair is none of the section, the other is none either: a note.
    let ledger = read(b"[Event \"a\"]\n\n1. e4 [Round 3]\ne5 *\n");
    assert_eq!(ledger.verdicts(), (1, 0, 0));
    assert!(has(&ledger, "tag-after-moves"));
}

#[test]
fn the_finds_of_tag_pairs() {
    assert_read(
        b"[Event \"a\"]\n[White \xE2\x80\x9CAble\xE2\x80\x9D]\n[Black \"B\"]\n\n1. e4 e5 1-0\n\n[Event \"b\"]\n\n1. d4 0-1\n",
        (1, 1, 0),
        "[Event \"a\"]\n[White \"Able\"]\n[Black \"B\"]\n\n1. e4 e5 1-0\n\n[Event \"b\"]\n\n1. d4 0-1\n",
    );
    assert_read(
        b"[Event \"a\"]\n\n1. e4 e5 1-0\n\n[White Able]\n[Event \"b\"]\n\n1. d4 0-1\n",
        (1, 1, 0),
        "[Event \"a\"]\n\n1. e4 e5 1-0\n\n[White \"Able\"]\n[Event \"b\"]\n\n1. d4 0-1\n",
    );
    assert_read(
        b"[Event 'Club night']\n[White 'A']\n\n1. e4 e5 *\n",
        (0, 1, 0),
        "[Event \"Club night\"]\n[White \"A\"]\n\n1. e4 e5 *\n",
    );
    assert_read(
        b"[White \x93M\xFCller\x94]\n\n1. e4 e5 *\n",
        (0, 1, 0),
        "[White \"M\u{fffd}ller\"]\n\n1. e4 e5 *\n",
    );
    assert_read(
        b"[Event \"a\"]\n\n1. e4 *\n\nEvent \"b\"]\n[White \"C\"]\n\n1. d4 *\n",
        (1, 1, 0),
        "[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n[White \"C\"]\n\n1. d4 *\n",
    );
    let bare_fen = b"[Event \"a\"]\n[FEN 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1]\n[SetUp \"1\"]\n\n1. e4 Ke7 2. Ke2 *\n";
    assert_eq!(read(bare_fen).verdicts(), (0, 1, 0));
}

#[needs("../shared/finds")]
#[test]
fn the_files_of_tag_pairs() {
    let verdicts = |name: &str| read(&find_of(name)).verdicts();
    let fen = read(&find_of("06b-unquoted-fen.pgn"));
    // Its second move is legal, from the position of the record.
    assert_eq!((fen.verdicts(), has(&fen, "tag-quote")), ((0, 1, 0), true), "{:?}", fen.faults);
    for name in ["06c-single-quote.pgn", "06d-curly-quote.pgn", "72b-quotes.pgn"] {
        assert_eq!(verdicts(name), (0, 1, 0), "{name}");
    }
    for name in ["72-one-curly.pgn", "72c-curly-mixed.pgn", "72d-bare.pgn"] {
        assert_eq!(verdicts(name), (1, 1, 0), "{name}");
    }
    let out = read(&find_of("72b-quotes.pgn")).out;
    assert!(String::from_utf8_lossy(&out).contains("[Site \"Hall\"]\n"));
}

/// A colon or an equals sign between a known name and a value in quotes: the game has its tags, whatever begins it.
#[test]
fn punctuation_after_a_name_is_left_out() {
    let wanted =
        "[Event \"z\"]\n\n1. d4 *\n\n[Event \"a\"]\n[White \"Able: B=C]\"]\n\n1. e4 e5 *\n";
    for mark in [":", "=", " : ", " = ", ": ", " =", ":\t"] {
        for (open, close) in [("\"", "\""), ("“", "”"), ("'", "'")] {
            let pair = |name: &str, value: &str| format!("[{name}{mark}{open}{value}{close}]\n");
            let pairs = [pair("Event", "a"), pair("White", "Able: B=C]")].concat();
            let text = format!("[Event \"z\"]\n\n1. d4 *\n\n{pairs}\n1. e4 e5 *\n");
            assert_read(text.as_bytes(), (1, 1, 0), wanted);
        }
    }
}

const BLANKS: &[&[u8]] = &[
    "\u{85}".as_bytes(),
    "\u{a0}".as_bytes(),
    "\u{1680}".as_bytes(),
    "\u{2000}".as_bytes(),
    "\u{2003}".as_bytes(),
    "\u{2009}".as_bytes(),
    "\u{200a}".as_bytes(),
    "\u{200b}".as_bytes(),
    "\u{200e}".as_bytes(),
    "\u{2028}".as_bytes(),
    "\u{2029}".as_bytes(),
    "\u{202f}".as_bytes(),
    "\u{205f}".as_bytes(),
    "\u{2060}".as_bytes(),
    "\u{3000}".as_bytes(),
    "\u{feff}".as_bytes(),
    b"\xA0",
    b"\x85",
    "\u{a0}\u{200b}".as_bytes(),
];

/// Each blank in each place between tokens: the same game as with a space, every byte kept, and a note.
#[test]
fn blanks_of_unicode_are_whitespace_with_a_note() {
    // `_` is the blank.
    let places = [
        "1._e4 e5 2. Nf3 Nc6 *\n",
        "1._ e4 e5 2. Nf3 Nc6 *\n",
        "1_e4 e5 2. Nf3 Nc6 *\n",
        "1. e4_e5 2. Nf3 Nc6 *\n",
        "1. e4 e5_ 2. Nf3 Nc6 *\n",
        "1. e4 e5_2. Nf3 Nc6 *\n",
        "1. e4 e5 2. Nf3_\nNc6 *\n",
        "1. e4 e5 2. Nf3\n_Nc6 *\n",
        "1. e4 e5 2. Nf3 Nc6_*\n",
        "1. e4 e5 2. Nf3 Nc6 *_\n",
        "1. e4 e5 2. Nf3 Nc6 *\n_\n",
        "1. e4 e5 2. Nf3 Nc6_1-0_",
        "1. e4 e5 2. Nf3 Nc6 1/2-1/2_\n",
        "1. e4 {c}_e5 2. Nf3_{c} Nc6 *\n",
        "1. e4 e5 (_1... c5_) 2. Nf3_$1 Nc6_! *\n",
        "_\n1. e4 e5 2. Nf3 Nc6 *\n",
        "_1. e4 e5 2. Nf3 Nc6 *\n",
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O_Be7 6. Re1 b5_7. Bb3 *\n",
    ];
    let products = places.iter().flat_map(|place| BLANKS.iter().map(move |blank| (place, blank)));
    for (place, blank) in products.into_iter().step_by(trials(9, 2, 1)) {
        let body: Vec<u8> = place
            .bytes()
            .flat_map(|byte| if byte == b'_' { blank.to_vec() } else { vec![byte] })
            .collect();
        let text = [b"[Event \"a\"]\n\n", &body[..], b"\n\n[Event \"b\"]\n\n1. d4 *\n"].concat();
        let ledger = read(&text);
        let shown = text.escape_ascii();
        assert_eq!(ledger.verdicts(), (2, 0, 0), "{shown}: {:?}", ledger.faults);
        // After a result a byte order mark may be that of the next game.
        let is_mark = *blank == "\u{feff}".as_bytes() && has(&ledger, "encoding-bom");
        assert!(is_mark || has(&ledger, "whitespace-unusual"), "{shown}");
        let between_bytes = ledger.counts.between_bytes;
        assert!(between_bytes == 0 || *blank == "\u{feff}".as_bytes(), "{shown}");
        let plain = place.replace('_', " ");
        let plain = format!("[Event \"a\"]\n\n{plain}\n\n[Event \"b\"]\n\n1. d4 *\n");
        assert_eq!(ledger.counts.plies, read(plain.as_bytes()).counts.plies, "{shown}");
    }
}

/// Around tag pairs they are whitespace, within values and comments they are text.
#[test]
fn blanks_of_unicode_around_and_in_tag_pairs() {
    for blank in BLANKS {
        for (place, noted) in [
            ("[Event_\"a\"]\n[White \"b\"]\n\n1. e4 *\n", true),
            ("[Event \"a\"]_\n[White \"b\"]\n\n1. e4 *\n", true),
            ("[Event \"a\"]\n_\n[White \"b\"]\n\n1. e4 *\n", true),
            ("[Event \"a\"]\n_[White \"b\"]\n\n1. e4 *\n", true),
            ("[Event \"a\"]\n[White \"b\"]\n_\n1. e4 *\n", true),
            ("_[Event \"a\"]\n[White \"b\"]\n\n1. e4 *\n", true),
            ("_\n[Event \"a\"]\n[White \"b\"]\n\n1. e4 *\n", true),
            ("[Event \"a_b\"]\n[White \"_b_\"]\n\n1. e4 {x_y} e5 ; a_b\n*\n", false),
        ] {
            let text: Vec<u8> = place
                .bytes()
                .flat_map(|byte| if byte == b'_' { blank.to_vec() } else { vec![byte] })
                .collect();
            let ledger = read(&text);
            let shown = text.escape_ascii();
            assert_eq!(ledger.verdicts(), (1, 0, 0), "{shown}: {:?}", ledger.faults);
            assert!(!has(&ledger, "game-without-tags"), "{shown}");
            let is_mark = *blank == "\u{feff}".as_bytes() && place.starts_with('_');
            assert_eq!(has(&ledger, "whitespace-unusual"), noted && !is_mark, "{shown}");
        }
    }
}

#[test]
fn what_has_no_ink_is_named_by_its_code() {
    let ledger = read("[Event \"a\"]\n\n1. e4 N\u{ad}f6 *\n".as_bytes());
    let fault = &ledger.faults[0];
    assert_eq!(fault.detail, "N<U+00AD>f6 cannot be read as a move");
    let ledger = read("[Event \"a\"]\n\n1. e4\u{a0}Nf3 *\n".as_bytes());
    assert_eq!(ledger.faults[0].text, "Nf3");
}

#[needs("../shared/finds")]
#[test]
fn the_files_of_blanks() {
    for name in ["61-nbsp.pgn", "61b-nbsp-latin1.pgn", "61c-zwsp.pgn", "61d-nbsp-tag.pgn"] {
        let ledger = read(&find_of(name));
        assert_eq!(ledger.verdicts(), (1, 0, 0), "{name}: {:?}", ledger.faults);
        assert!(has(&ledger, "whitespace-unusual"), "{name}");
    }
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

/// Between the parts of a pair without quotes, or with others, any blanks are.
#[test]
fn the_blanks_of_odd_pairs_are_any() {
    let wanted = "[Event \"a\"]\n[Round \"3\"]\n[White \"Able\"]\n\n1. e4 e5 *\n";
    for gap in [" ", "\t", "  ", " \t ", "\t\t", "\u{a0}", " \u{2009}", "\u{3000}\t"] {
        for end in ["", " ", "\t"] {
            let text = format!(
                "[Event \"a\"]\n[Round{gap}3{end}]\n[White{gap}“Able”{end}]\n\n1. e4 e5 *\n"
            );
            let ledger = read(text.as_bytes());
            assert_eq!(ledger.verdicts(), (0, 1, 0), "{text:?}: {:?}", ledger.faults);
            let out = String::from_utf8_lossy(&ledger.out).into_owned();
            // What is not part of a value stays.
            let out = out.replace('\t', " ").replace("  ", " ").replace("\" ]", "\"]");
            let out: String = out.chars().filter(|it| it.is_ascii()).collect();
            assert_eq!(out.replace("  ", " "), wanted, "{text:?}");
        }
    }
}

/// The names of the PGN standard (8.1 and 9) open a pair without quotes at the beginning of a game.
#[test]
fn every_name_of_the_standard_opens_a_pair() {
    let names = "Event Site Date Round White Black WhiteTitle BlackTitle WhiteElo BlackElo WhiteUSCF BlackUSCF \
                 WhiteNA BlackNA WhiteType BlackType EventDate EventSponsor Section Stage Board Opening Variation \
                 SubVariation ECO NIC Time UTCTime UTCDate TimeControl Termination Annotator Mode PlyCount";
    for name in names.split_whitespace() {
        let (text, wanted) = (
            format!("[{name} x]\n[Event \"b\"]\n\n1. e4 e5 *\n"),
            format!("[{name} \"x\"]\n[Event \"b\"]\n\n1. e4 e5 *\n"),
        );
        let ledger = read(text.as_bytes());
        let is_twice = name == "Event";
        assert_eq!(ledger.verdicts().2, 0, "{name}: {:?}", ledger.faults);
        assert!(is_twice || ledger.out == wanted.as_bytes(), "{}", ledger.out.escape_ascii());
    }
}

/// Every opening quote with every closing one, in Windows-1252 and in UTF-8, straight or missing.
#[test]
fn every_two_quotes_are_those_of_a_value() {
    let bytes: &[&[u8]] = &[
        b"", b"\"", b"\x93", b"\x94", b"\x84", b"\x91", b"\x92", b"\x82", b"\xAB", b"\xBB",
        b"\x8B", b"\x9B", b"\xB4",
    ];
    let characters = [
        "", "\"", "'", "`", "´", "“", "”", "„", "‟", "‘", "’", "‚", "‛", "«", "»", "‹", "›", "″",
        "′", "＂",
    ];
    let characters: Vec<&[u8]> = characters.iter().map(|it| it.as_bytes()).collect();
    let pairs = |quotes: &[&[u8]], name: &[u8]| -> Vec<(Vec<u8>, Vec<u8>)> {
        let products =
            quotes.iter().flat_map(|open| quotes.iter().map(move |close| (*open, *close)));
        // A quote alone at the end is part of the value; so is an apostrophe after the quote of the standard.
        let double: [&[u8]; 9] = [
            b"",
            b"\"",
            b"\x93",
            b"\x94",
            b"\xBB",
            "”".as_bytes(),
            "“".as_bytes(),
            "″".as_bytes(),
            "»".as_bytes(),
        ];
        let products = products.filter(|(open, close)| match *open {
            b"" => close.is_empty(),
            b"\"" => double.contains(close),
            _ => true,
        });
        products
            .map(|(open, close)| {
                let line = |open: &[u8], close: &[u8]| {
                    [b"[Event \"a\"]\n[White ", open, name, close, b"]\n\n1. e4 e5 *\n"].concat()
                };
                (line(open, close), line(b"\"", b"\""))
            })
            .collect()
    };
    let all = [pairs(bytes, b"M\xFCller"), pairs(&characters, "Müller".as_bytes())].concat();
    let is_straight =
        |(text, _): &(Vec<u8>, Vec<u8>)| memchr::memmem::find(text, b"White \"").is_some();
    let (straight, others): (Vec<_>, Vec<_>) = all.into_iter().partition(is_straight);
    for (text, wanted) in thinned(5, others).chain(straight) {
        let ledger = read(&text);
        assert_eq!(ledger.verdicts().2, 0, "{}: {:?}", text.escape_ascii(), ledger.faults);
        let shown = text.escape_ascii();
        assert_eq!(
            ledger.out.escape_ascii().to_string(),
            wanted.escape_ascii().to_string(),
            "{shown}"
        );
    }
}

/// What a section of tag pairs is made of, one line or two each; `_` is the line end.
const SECTION_LINES: &[(&str, &str)] = &[
    ("[Foo b]", "tag-quote"),
    ("[Foo b]_[Bar c d]", "tag-quote"),
    ("[Round 3", "tag-unterminated"),
    ("Round 3]", "tag-bracket"),
    ("[Site “s”]", "tag-quote"),
    ("[\"x\"]", "tag-unreadable"),
    ("[%clk 1]", "tag-unreadable"),
    ("[Site_\"s\"]", "tag-over-lines"),
    ("[Foo_\"s\"]", "tag-over-lines"),
    ("[Site \"s\"_]", "tag-over-lines"),
    ("[Site \"s\"|", "tag-bracket"),
    ("[Site \"s\"],", "tag-comma"),
    ("[Site \"s\"],_[Foo \"b\"],", "tag-comma"),
    ("; c_[Foo b]_% c_[Bar c]", "tag-quote"),
];

/// A section is of one game, whatever of it is no pair of the standard, whatever is before it, wherever `Event` is.
#[test]
fn no_line_of_a_section_divides_it() {
    let starts = ["", "[Event \"z\"]__1. d4 d5 *__", "[Event \"z\"]__1. d4 d5__", "1. d4 d5 1-0_"];
    let products = starts.iter().flat_map(|start| {
        SECTION_LINES
            .iter()
            .flat_map(move |line| ["\n", "\r\n", "\r"].iter().map(move |end| (start, line, end)))
    });
    for (start, (line, kind), end) in thinned(3, products) {
        for lines in [
            format!("[White \"A\"]_{line}_[Event \"G\"]_[Black \"B\"]__"),
            format!("[White \"A\"]_{line}_{line}_[Black \"B\"]_{line}_[Event \"G\"]__"),
        ] {
            let text = format!("{start}{lines}1. e4 e5 *_").replace('_', end);
            let ledger = read(text.as_bytes());
            let games = 1 + u64::from(!start.is_empty());
            assert_eq!(ledger.counts.games(), games, "{text:?}");
            assert!(has(&ledger, kind), "{text:?}: {:?}", ledger.deviations());
            let rejected = u64::from(*kind == "tag-unreadable");
            assert_eq!(ledger.verdicts().2, rejected, "{text:?}: {:?}", ledger.faults);
        }
    }
    // After an empty line it is prose, as ever.
    let text = b"[White \"A\"]\n\n[Foo b]\n[Event \"G\"]\n\n1. e4 *\n";
    assert_eq!(ledger_of(&to_san(Rejects::Apart), text).counts.games(), 2);
}

/// Whitespace with one line end is allowed wherever a pair has whitespace: the same tags, every byte kept, a note.
#[test]
fn pairs_over_two_lines_are_read_and_kept() {
    let pairs = ["[White^\"A\"]", "[^White \"A\"]", "[White \"A\"^]", "[White \"A \\\"x\\\"\"^]"];
    let places = [
        "[Event \"e\"]\n@\n[Black \"B\"]\n\n1. e4 e5 *\n",
        "@\n[Event \"e\"]\n[Black \"B\"]\n\n1. e4 e5 *\n",
        "[Event \"e\"]\n@\n\n1. e4 e5 *\n",
        "@\n\n1. e4 e5 *\n",
        "[Event \"z\"]\n\n1. d4 *\n\n@\n[Event \"e\"]\n\n1. e4 e5 *\n",
        "[Event \"z\"]\n\n1. d4 d5\n\n@\n\n1. e4 e5 *\n",
    ];
    let gaps = ["\n", " \n", "\n\t ", "\r\n", "\r", "\u{a0}\n\u{a0}"];
    let products = pairs.iter().flat_map(|pair| {
        let gaps = gaps.iter();
        places.iter().flat_map(move |place| gaps.clone().map(move |gap| (pair, place, gap)))
    });
    for (pair, place, gap) in products.into_iter().step_by(trials(9, 2, 1)) {
        let text = place.replace('@', &pair.replace('^', gap));
        let ledger = read(text.as_bytes());
        let games = 1 + u64::from(place.contains("[Event \"z\"]"));
        assert_eq!(ledger.verdicts(), (games, 0, 0), "{text:?}: {:?}", ledger.faults);
        assert!(has(&ledger, "tag-over-lines"), "{text:?}");
        assert_eq!(ledger.counts.between_bytes, 0, "{text:?}");
        let index = TagPairs::new(text.as_bytes(), 0..text.len());
        let mut white = index.filter(|pair| &text[pair.name.clone()] == "White");
        assert!(white.next().is_some_and(|pair| text[pair.value].starts_with('A')), "{text:?}");
    }
    // An empty line is in no pair, and prose opens none.
    for text in ["[White\n\n\"A\"]\n\n1. e4 *\n", "[see\n\"A\"]\n\n1. e4 *\n"] {
        let ledger = read(text.as_bytes());
        assert!(has(&ledger, "game-without-tags") && !has(&ledger, "tag-over-lines"), "{text:?}");
    }
}

/// A mark in place of the bracket that closes a pair.
#[test]
fn another_mark_for_the_last_bracket_is_repaired() {
    for mark in ["|", ")", "}", ">", " |", "| "] {
        for line in ["[Event \"G\"", "[Event \"G [x]\"", "[Event \"\"", "[Event \"A \"B\" C\""] {
            let text = format!("{line}{mark}\n[White \"A\"]\n\n1. e4 *\n");
            let ledger = read(text.as_bytes());
            assert_eq!(ledger.verdicts(), (0, 1, 0), "{text:?}: {:?}", ledger.faults);
            assert!(has(&ledger, "tag-bracket"), "{text:?}: {:?}", ledger.deviations());
            let out = String::from_utf8_lossy(&ledger.out).replace("\\\"", "\"");
            assert!(out.trim_end().starts_with(&format!("{line}]")), "{text:?}: {out:?}");
        }
    }
}

/// A comma behind tag pairs, as in a list: the same tags as without it, every byte kept, a note. `@` is the comma.
#[test]
fn a_comma_behind_a_pair_is_kept() {
    let places = [
        "[Event \"e\"]@\n[White \"A\"]@\n[Black \"B\"]@\n[Result \"1-0\"]@\n\n1. e4 e5 1-0\n",
        "[Event \"e\"]@\n[White \"A\"]\n[Black \"B\"]\n\n1. e4 e5 1-0\n",
        "[Event \"e\"]\n[White \"A\"]\n[Black \"B\"]@\n\n1. e4 e5 1-0\n",
        "[Event \"e\"]@ [White \"A\"]@[Black \"B\"]@\n\n1. e4 e5 1-0\n",
        "[White \"A\"]@\n[Black \"B\"]@\n1. e4 e5 1-0\n",
        "[Event \"z\"]@\n\n1. d4 d5 *\n\n[Event \"e\"]@\n[White \"A\"]@\n\n1. e4 e5 *\n",
        "[Event \"z\"]\n\n1. d4 d5\n\n[White \"A\"]@\n[Black \"B\"]@\n\n1. e4 e5 *\n",
        "[Event \"e\"]@\n; c\n[White \"A\"]@\n% x\n[Black \"B\"]@\n\n1. e4 e5 *\n",
        "[White \"A\"]@\n\n*\n",
        "[White \"A\"]@",
    ];
    let commas = [",", ", ", ",\t", ",\u{a0}"];
    let products = places.iter().flat_map(|place| commas.iter().map(move |comma| (place, comma)));
    let products =
        products.flat_map(|(place, comma)| ["\n", "\r\n", "\r"].map(|end| (place, comma, end)));
    for (place, comma, end) in products.into_iter().step_by(trials(9, 2, 1)) {
        let text = place.replace('@', comma).replace('\n', end);
        let ledger = read(text.as_bytes());
        let bare = ledger_of(&to_san(Rejects::Apart), place.replace('@', "").as_bytes());
        assert_eq!(ledger.verdicts(), bare.verdicts(), "{text:?}: {:?}", ledger.faults);
        assert_eq!(ledger.verdicts().1 + ledger.verdicts().2, 0, "{text:?}");
        assert!(has(&ledger, "tag-comma") && !has(&ledger, "suffix-unusual"), "{text:?}");
        assert_eq!(ledger.counts.between_bytes, 0, "{text:?}");
        let section = 0..text.find("1. ").unwrap_or(text.len());
        let pairs = TagPairs::new(text.as_bytes(), section.clone());
        assert_eq!(pairs.count(), text[section].matches(" \"").count(), "{text:?}");
    }
    // A pair that is written anew has no comma.
    assert_read(
        b"[White \x93A\x94],\n[Round 3],\n\n*\n",
        (0, 1, 0),
        "[White \"A\"]\n[Round \"3\"]\n\n*\n",
    );
    // Before moves, alone on a line, or twice it is none of a list.
    for text in ["[White \"A\"], 1. e4 *\n", "[White \"A\"]\n,\n\n*\n", "[White \"A\"],,\n\n*\n"] {
        assert!(
            !has(&ledger_of(&to_san(Rejects::Apart), text.as_bytes()), "tag-comma"),
            "{text:?}"
        );
    }
}

/// Kept to the byte and noted: a bracket as the mark of a move number, a backslash before a NAG.
#[test]
fn numbers_and_nags_in_other_spellings_are_kept() {
    for (moves, kind, plies) in [
        ("1) e4 e5 2) Nf3 Nc6 *", "move-number-style", 4),
        ("1)e4 e5 2)Nf3 {c} 2) ... Nc6 *", "move-number-style", 4),
        ("1. e4 e5 (1... c5 2. Nf3) 2) Nf3 Nc6 *", "move-number-style", 4),
        ("1. e4 \\$14 e5 *", "nag-escaped", 2),
        ("1. e4\\$14 e5\\$1 2. Nf3 $1 \\$2 *", "nag-escaped", 3),
        ("1. e4 (1. d4 \\$5) e5 *", "nag-escaped", 2),
    ] {
        let text = format!("[Event \"a\"]\n\n{moves}\n\n[Event \"b\"]\n\n1. d4 *\n");
        let ledger = read(text.as_bytes());
        assert_eq!(ledger.verdicts(), (2, 0, 0), "{text}: {:?}", ledger.faults);
        assert_eq!(ledger.counts.plies, plies + 1, "{text}");
        assert!(has(&ledger, kind), "{text}: {:?}", ledger.deviations());
    }
    for moves in [
        "1. e4) e5 *",
        "1. e4 $14) e5 *",
        "1. e4 \\ e5 *",
        "1. e4 \\$x e5 *",
        "1. e4 (1. d4 2) d5) *",
    ] {
        let ledger = read(format!("[Event \"a\"]\n\n{moves}\n").as_bytes());
        assert_eq!(ledger.verdicts(), (0, 0, 1), "{moves}");
    }
    // Without results each begins a game.
    let ledger = read(b"1) e4 e5\n\n1) d4 d5\n\n1) c4 c5\n");
    assert_eq!(ledger.verdicts(), (3, 0, 0), "{:?}", ledger.faults);
}

/// `[SetUp "0"]` beside a record: the record, unless the game is legal from the usual position alone. A record without
/// `SetUp`, and one with 1, always gives the position. The order of the pairs, the rules and options decide nothing.
#[test]
fn a_record_that_set_up_contradicts_is_used_where_the_moves_are_legal_from_it() {
    let records =
        ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "r1bqkbnr/pppp1ppp/2n5/8/8/8/8/4K3 b - - 3 8"];
    let unreadable = ["", "?", "startpos"];
    // Legal from the first record, from the usual position, from both, from none.
    let games = [
        ("1. e4 Ke7 2. Kd2 *", [true, false]),
        ("1. e4 e5 2. Nf3 {c} (2. f4) Nc6 *", [false, true]),
        ("1. e4 *", [true, true]),
        ("*", [true, true]),
        ("1. e4 Ke4 *", [false, false]),
        ("1. Sf3 Sf6 2. Sc3 *", [false, true]),
    ];
    let all = records.iter().chain(&unreadable).flat_map(|record| {
        games.iter().flat_map(move |game| {
            ["[SetUp \"0\"]\n", "", "[SetUp \"1\"]\n"].map(move |setup| (*record, game, setup))
        })
    });
    for (record, &(moves, [from_record, from_usual]), setup) in thinned(2, all) {
        let fen = format!("[FEN \"{record}\"]\n");
        for (variant, reversed) in [("", false), ("", true), ("[Variant \"Atomic\"]\n", false)] {
            let pairs = if reversed { [&fen, setup] } else { [setup, &fen] };
            let text = format!("[Event \"a\"]\n{variant}{}\n{moves}\n", pairs.concat());
            let ledger = read(text.as_bytes());
            // No move is legal from the second record, where Black begins.
            let is_legal = match record == records[0] {
                true => from_record,
                false => record == records[1] && moves == "*",
            };
            let is_void = setup.contains('0') && !is_legal && from_usual;
            let (accepted, repaired, rejected) = ledger.verdicts();
            let is_read = is_legal || is_void;
            assert_eq!(
                (accepted + repaired, rejected),
                (is_read.into(), (!is_read).into()),
                "{text}"
            );
            assert_eq!(has(&ledger, "fen-not-used"), is_void, "{text}: {:?}", ledger.deviations());
            let is_noted = !setup.contains('1') && !is_void;
            assert_eq!(has(&ledger, "fen-without-setup"), is_noted, "{text}");
            if is_read && repaired == 0 {
                assert_eq!(
                    ledger.out.escape_ascii().to_string(),
                    text.as_bytes().escape_ascii().to_string()
                );
            }
        }
    }
    assert_eq!(read(b"[Event \"a\"]\n[SetUp \"0\"]\n\n1. e4 e5 *\n").verdicts(), (1, 0, 0));
}

/// Entities of HTML: those of quotes are the quotes of a pair that has no other; within values and comments they are
/// text.
#[test]
fn entities_are_quotes_of_pairs_and_text_elsewhere() {
    let quotes = [
        ("&quot;", "&quot;"),
        ("&#34;", "&#34;"),
        ("&#x22;", "&#x22;"),
        ("&apos;", "&apos;"),
        ("&#39;", "&#39;"),
        ("&#039;", "&#039;"),
        ("&ldquo;", "&rdquo;"),
        ("&bdquo;", "&ldquo;"),
        ("&laquo;", "&raquo;"),
        ("&lsquo;", "&rsquo;"),
        ("&#8220;", "&#8221;"),
    ];
    let line_ends = ["\n", "\r\n", "\r"];
    let products = quotes.iter().flat_map(|quotes| line_ends.map(|line_end| (quotes, line_end)));
    for ((open, close), line_end) in thinned(3, products) {
        let of = |open: &str, close: &str| {
            let pair = |name: &str, value: &str| format!("[{name} {open}{value}{close}]{line_end}");
            let game = |white: &str| {
                let pairs = [pair("Event", "A &amp; B"), pair("White", white), pair("Foo", "")];
                format!(
                    "{}{line_end}1. e4 {{a &quot;b&quot;}} e5 1-0{line_end}{line_end}",
                    pairs.concat()
                )
            };
            game("Able, A.") + &game("B]C")
        };
        let ledger = read(of(open, close).as_bytes());
        assert_eq!(ledger.verdicts(), (0, 2, 0), "{open}: {:?}", ledger.faults);
        assert_eq!(String::from_utf8_lossy(&ledger.out), of("\"", "\""));
    }
    for entity in ["&quot;", "&amp;", "&#39;", "&lt;i&gt;", "&nbsp;", "&", "&;"] {
        let text = format!(
            "[Event \"a {entity} b\"]\n[White \"{entity}\"]\n\n1. e4 {{x {entity}}} e5 ; {entity}\n*\n"
        );
        let ledger = read(text.as_bytes());
        assert_eq!((ledger.verdicts(), &*ledger.out), ((1, 0, 0), text.as_bytes()));
    }
}

//! PGN as people write it: each case of a table is read to the verdicts, the deviations and the bytes it states.
//!
//! Laws for every case besides: the ledger balances; what is written for valid games and what is kept of
//! those that were not are all bytes of the archive; `--keep-rejects` leaves an archive without repairs as it is; every
//! level of the machine reads the same.

use crate::common::mutations::{mixture, mutate};
use crate::common::{Dice, trials};
use pgnmill::{Reader, Verdict};
use pgnmill_core::engine::Rejects;
use pgnmill_core::notation::{NOTATIONS, find};
use pgnmill_core::pgn::TagPair;
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_laws::scratch::Scratch;
use pgnmill_laws::support::{Convert, Task, ledger_of, run, run_of, to_san};
use pgnmill_simd::Level;

/// A full roster, so that only what a case is about is noted.
const TAGS: &str = "[Event \"a\"]\n[Site \"b\"]\n[Date \"c\"]\n[Round \"d\"]\n[White \"e\"]\n[Black \"f\"]\n\
                    [Result \"*\"]\n";

/// Accepted, repaired, rejected, bytes between games, and the deviations that occurred.
struct Want(u64, u64, u64, u64, &'static str);

/// `@` is replaced by the tag pairs of a full roster.
fn text_of(case: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    for &byte in case {
        if byte == b'@' { text.extend_from_slice(TAGS.as_bytes()) } else { text.push(byte) }
    }
    text
}

/// What is not as it should be.
fn breaches(case: &[u8], want: &Want) -> Vec<String> {
    let text = text_of(case);
    let name = case.escape_ascii().to_string();
    let name = &name[..name.len().min(200)];
    let mut breaches = Vec::new();
    let ledger = ledger_of(&to_san(Rejects::Apart), &text);
    ledger.check(text.len(), name);
    let found = (ledger.verdicts(), ledger.counts.between_bytes, ledger.deviations().join(" "));
    let wanted = ((want.0, want.1, want.2), want.3, want.4.to_string());
    if found != wanted {
        breaches
            .push(format!("{name}\n  wanted {wanted:?}\n  found  {found:?} {:?}", ledger.faults));
    }
    if want.1 == 0 && ledger.out.len() + ledger.rejects.len() != text.len() {
        breaches.push(format!("{name}\n  not all bytes are in the output and the rejects"));
    }
    let mut strict = to_san(Rejects::Kept);
    strict.profile = Profile::strict();
    let kept = ledger_of(&strict, &text);
    for level in Level::all() {
        let mut how = to_san(Rejects::Apart);
        how.level = level;
        strict.level = level;
        if ledger_of(&how, &text) != ledger || ledger_of(&strict, &text) != kept {
            breaches.push(format!("{name}\n  {level:?} reads something else"));
        }
    }
    kept.check(text.len(), name);
    if kept.out != text || kept.counts.repaired != 0 {
        breaches.push(format!("{name}\n  with nothing repaired, something changed"));
    }
    breaches
}

#[track_caller]
fn check_all(cases: &[(&[u8], Want)]) {
    let breaches: Vec<_> = cases.iter().flat_map(|(case, want)| breaches(case, want)).collect();
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
}

#[test]
fn line_ends_and_marks_at_the_beginning() {
    check_all(&[
        (b"@\n1. e4 *\n", Want(1, 0, 0, 0, "")),
        (b"\xEF\xBB\xBF@\n1. e4 *\n", Want(1, 0, 0, 0, "encoding-bom")),
        (b"\xEF\xBB\xBF1. e4 *\n", Want(1, 0, 0, 0, "game-without-tags encoding-bom")),
        (
            b"@\n1. e4 *\n\xEF\xBB\xBF@\n1. d4\n\xEF\xBB\xBF@1. c4 *\n",
            Want(3, 0, 0, 0, "result-missing encoding-bom*2"),
        ),
        (b"\xEF\xBB\xBF", Want(0, 0, 0, 3, "encoding-bom")),
        (b"", Want(0, 0, 0, 0, "")),
        (b"\n\n \t\n", Want(0, 0, 0, 5, "")),
        (b"@\n1. e4 *", Want(1, 0, 0, 0, "")),
        (b"@\n1. e4 *\x1a", Want(1, 0, 0, 0, "")),
        (b"\n\n\n@\n\n\n1. e4\n\n e5 *\n\n\n", Want(1, 0, 0, 3, "")),
    ]);
}

#[test]
fn encodings_and_line_ends() {
    check_all(&[
        (b"@\r\n1. e4 *\r\n", Want(1, 0, 0, 0, "line-end-mixed")),
        (b"[White \"a\"]\r\n\r\n1. e4 *\r\n", Want(1, 0, 0, 0, "roster-incomplete line-end-crlf")),
        (b"[White \"a\"]\r\r1. e4 *\r", Want(1, 0, 0, 0, "roster-incomplete line-end-cr")),
        (b"1. e4 *\n1. d4 *\r", Want(2, 0, 0, 0, "game-without-tags*2 line-end-mixed")),
        (b"@\n1. e4 {\xC3\xA9} *\n", Want(1, 0, 0, 0, "")),
        (b"@\n1. e4 {\xE9} *\n@\n*\n", Want(2, 0, 0, 0, "game-without-moves encoding-latin-1")),
        (b"@\n1. e4 {\xE9\x96} *\n", Want(1, 0, 0, 0, "encoding-windows-1252")),
        (b"@\n1. e4 {\xE9 \xC3\xA9} *\n", Want(1, 0, 0, 0, "encoding-mixed")),
        (b"@\n1. f3\xFC *\n", Want(0, 0, 1, 0, "move-unreadable encoding-latin-1")),
    ]);
}

#[test]
fn comments_and_tag_values_are_brought_to_utf8_and_nothing_else() {
    let text = b"[White \"M\xFCller\"]\n\n1. e4 {\x93gut\x94} e5 ; \xE9\n2. Nf3 *\n\n\
                 [White \"M\xC3\xBCller\"]\n\n1. Ke8 {\xFC} *\n";
    let mut how = to_san(Rejects::Kept);
    how.task = Task::Convert(Convert { to_utf8: true, ..Convert::to(NOTATIONS[0]) });
    let ledger = ledger_of(&how, text);
    let want = b"[White \"M\xC3\xBCller\"]\n\n1. e4 {\xE2\x80\x9Cgut\xE2\x80\x9D} e5 ; \xC3\xA9\n2. Nf3 *\n\n\
                 [White \"M\xC3\xBCller\"]\n\n1. Ke8 {\xFC} *\n";
    assert_eq!(ledger.out.escape_ascii().to_string(), want.escape_ascii().to_string());
}

#[test]
fn where_games_begin_and_end() {
    check_all(&[
        // A missing newline, or blank lines, between games.
        (
            b"@\n1. e4 *[Event \"x\"]\n\n1. d4 *\n",
            Want(1, 1, 0, 0, "roster-incomplete games-run-together"),
        ),
        (b"@1. e4 *\n@1. d4 *\n", Want(2, 0, 0, 0, "")),
        // A result that is attached to a fault, or behind one.
        (b"@1. e4 Qh9*\n\n1. d4 *\n", Want(1, 0, 1, 0, "move-unreadable game-without-tags")),
        (
            b"@1. e4 Qh9 2. d4 d5*\n\n1. d4 *\n",
            Want(1, 0, 1, 0, "move-unreadable game-without-tags"),
        ),
        (b"[Event \"a\"]\n\n[Site \"b\"]\n\n1. e4 *", Want(1, 0, 0, 0, "roster-incomplete")),
        // Games of tag pairs alone do not swallow the next.
        (b"@\n@\n1. e4 *\n", Want(2, 0, 0, 0, "result-missing game-without-moves")),
        (b"@\n*\n\n@\n1. e4 *\n", Want(2, 0, 0, 0, "game-without-moves")),
        (b"@\n1. e4\n\n@\n1. e4 *\n", Want(2, 0, 0, 0, "result-missing")),
        (b"1. e4 * 1. d4 * 1. c4 *", Want(1, 2, 0, 0, "game-without-tags*3 games-run-together*2")),
        (b"1. e4 1-0\n\n1. d4 0-1\n", Want(2, 0, 0, 0, "game-without-tags*2")),
        (b"@\n{only a comment} *\n", Want(1, 0, 0, 0, "game-without-moves")),
        (b"[Result \"1-0\"]\n\n1. e4 e5\n", Want(1, 0, 0, 0, "roster-incomplete result-missing")),
        (b"hello world\n\n@\n1. e4 *\n", Want(1, 0, 0, 13, "bytes-between-games")),
        (b"@\n1. e4 *\n\nhello world\n\n@\n1. e4 *\n", Want(2, 0, 0, 13, "bytes-between-games")),
    ]);
}

/// Where games begin is a matter of their text: a fault, or what is denied, moves no bound.
#[test]
fn games_begin_at_the_same_bytes_under_every_profile() {
    let mut dice = Dice::new(17);
    let stuck = "[Event \"x\"]\n\n1. e4 Qh9 2. d4 Nf6*\n\n1. e4 (1. d4 d5 1-0) e5 1-0 1. c4 --*\n";
    for round in 0..trials(400, 400, 20_000) {
        let mut text = mixture(&mut dice);
        if round % 3 == 0 {
            text.extend_from_slice(stuck.as_bytes());
        }
        mutate(&mut text, &mut dice);
        let begins = |profile: Profile| -> Vec<u64> {
            let reader = Reader::from_reader("text", std::io::Cursor::new(text.clone())).unwrap();
            let (mut games, mut begins) = (reader.profile(profile).games(), Vec::new());
            while let Some(game) = games.next().unwrap() {
                begins.push(game.offset());
            }
            begins
        };
        let lenient = begins(Profile::lenient());
        assert_eq!(begins(Profile::strict()), lenient, "strict: {}", text.escape_ascii());
        for _ in 0..4 {
            let mut profile = Profile::lenient();
            let denied = Deviation::ALL[dice.below(Deviation::ALL.len())];
            profile.deny(denied);
            let what = denied.name();
            assert_eq!(begins(profile), lenient, "{what} denied: {}", text.escape_ascii());
        }
    }
}

#[test]
fn tag_pairs() {
    check_all(&[
        (b"[White \"A \\\"B\\\" \\\\\"]\n1. e4 *", Want(1, 0, 0, 0, "roster-incomplete")),
        (b"[White \"A \"B\" C\"]\n1. e4 *", Want(0, 1, 0, 0, "tag-quote roster-incomplete")),
        (b"[White \"A]\n1. e4 *", Want(0, 1, 0, 0, "tag-unterminated roster-incomplete")),
        (
            b"[White \"A\n[Black \"B\"]\n1. e4 *",
            Want(0, 1, 0, 0, "tag-unterminated roster-incomplete"),
        ),
        (
            b"[White \"A",
            Want(
                0,
                1,
                0,
                0,
                "tag-unterminated roster-incomplete result-missing game-without-moves",
            ),
        ),
        (
            b"[White \"A\"][Black \"B\"] 1. e4 *",
            Want(1, 0, 0, 0, "tags-on-one-line roster-incomplete"),
        ),
        (
            b"[White \"A\"] [White \"B\"]\n1. e4 *",
            Want(1, 0, 0, 0, "tag-duplicate tags-on-one-line roster-incomplete"),
        ),
        (b"@\n1. e4 [Foo \"bar\"] e5 *", Want(1, 0, 0, 0, "tag-after-moves")),
        // At the beginning of a line a tag pair begins a game, wherever the text was cut.
        (
            b"@\n1. e4 e5\n[Foo \"bar\"]\n*\n",
            Want(2, 0, 0, 0, "roster-incomplete result-missing game-without-moves"),
        ),
        (b"@\n% an escape\n; a comment\n1. e4 *", Want(1, 0, 0, 0, "escape-line")),
        (b"@\n1. e4 {x} ; y { z\n% {\n1... e5 *", Want(1, 0, 0, 0, "escape-line")),
        (b"[]\n[ ]\n[x]\n@\n1. e4 *", Want(1, 0, 0, 11, "bytes-between-games")),
    ]);
}

#[test]
fn comments_variations_glyphs() {
    check_all(&[
        (b"@\n{before} 1. e4 {a ; b} e5 ; c } d\n2. Nf3 * {after}\n", Want(1, 0, 0, 0, "")),
        (b"@\n1. e4 {a {b} c} e5 *", Want(1, 0, 0, 0, "comment-nested")),
        (b"@\n1. e4 {a {b} e5 *", Want(1, 0, 0, 0, "comment-nested")),
        (b"@\n1. e4 {never closed\n\n@\n1. d4 *\n", Want(1, 0, 1, 0, "comment-unclosed")),
        (b"@\n1. e4 (1. d4\n\n@\n1. d4 *\n", Want(1, 0, 1, 0, "variation-unclosed")),
        (b"@\n1. e4 (1. d4 *\n\n@\n1. d4 *\n", Want(1, 0, 1, 0, "variation-unclosed")),
        // Without tag pairs a result and a new first number bound it.
        (
            b"1. e4 (1. d4 *\n\n1. d4 *\n\n1. c4 *",
            Want(2, 0, 1, 0, "variation-unclosed game-without-tags*3"),
        ),
        (
            b"1. e5 (1. d4 (1. c4 1-0\r\n\r\n1. d4 *",
            Want(1, 0, 1, 0, "move-illegal game-without-tags*2 line-end-crlf"),
        ),
        (b"1. e4 (1. d4 1-0) (1. c4 1-0\n\n) 1... e5 *", Want(1, 0, 0, 0, "game-without-tags")),
        (b"@\n1. e4 ) e5 *\n\n@\n1. d4 *\n", Want(1, 0, 1, 0, "variation-unopened")),
        (b"@\n(1. e4) 1. d4 *", Want(0, 0, 1, 0, "variation-misplaced")),
        (b"@\n1. e4 () e5 *", Want(1, 0, 0, 0, "")),
        (b"@\n1. e4 $0 $255 $ e5 !? $3! ?? *", Want(1, 0, 0, 0, "")),
        (b"@\n1. e4 (1. d4 d5 (1... Nf6) 2. c4) e5 *", Want(1, 0, 0, 0, "")),
        (b"@\n1. e4 -- *", Want(0, 0, 1, 0, "null-move-main-line")),
        (b"@\n1. e4 Z0 *", Want(0, 0, 1, 0, "null-move-main-line")),
        (b"@\n1. e4 (1. -- e5 2. d4) (1. Z0 d5) e5 *", Want(1, 0, 0, 0, "null-move*2")),
    ]);
    let deep =
        [b"@\n1. e4 ".as_slice(), &b"(1. d4 ".repeat(900), &b") ".repeat(900), b"*"].concat();
    check_all(&[(&deep, Want(1, 0, 0, 0, ""))]);
    let open = [b"@\n1. e4 ".as_slice(), &b"(1. d4 ".repeat(5000), b"\n\n@\n1. e4 *"].concat();
    check_all(&[(&open, Want(1, 0, 1, 0, "variation-too-deep"))]);
}

#[test]
fn move_numbers() {
    check_all(&[
        (b"@\n1.e4 e5 2.Nf3 *", Want(1, 0, 0, 0, "")),
        (b"@\n1 e4 e5 2 Nf3 *", Want(1, 0, 0, 0, "")),
        (b"@\n1. e4 1... e5 2. Nf3 2. ... Nc6 3 . Bb5 *", Want(1, 0, 0, 0, "")),
        (b"@\n1. e4 1\xE2\x80\xA6e5 2. Nf3 ... Nc6 *", Want(1, 0, 0, 0, "")),
        (b"@\ne4 e5 Nf3 *", Want(1, 0, 0, 0, "move-number-missing*2")),
        (b"@\n1. e4 e5 1. Nf3 7... Nc6 *", Want(1, 0, 0, 0, "move-number-wrong*2")),
        (b"@\n1e4 e5 2Nf3 *", Want(1, 0, 0, 0, "move-number-stuck*2")),
        (b"@\n99999999999999999999. e4 *", Want(1, 0, 0, 0, "move-number-wrong")),
    ]);
    let long = [b"@\n1. e4 {".as_slice(), &b"long ".repeat(6000), b"} e5 *\n@\n1. e4 *\n"].concat();
    check_all(&[(&long, Want(2, 0, 0, 0, ""))]);
}

#[test]
fn results() {
    check_all(&[
        (b"@\n1. e4 1-0", Want(1, 0, 0, 0, "result-mismatch")),
        (b"@\n1. e4 h6*", Want(1, 0, 0, 0, "result-stuck")),
        (b"@\n1. e4 h61-0\n", Want(1, 0, 0, 0, "result-mismatch result-stuck")),
        (
            b"@\n1. f3 e5 2. g4 Qh40-1\n",
            Want(0, 1, 0, 0, "check-mark-missing result-mismatch result-stuck"),
        ),
        (b"@\n1. e5*", Want(0, 0, 1, 0, "move-unreadable")),
        (b"@\n1. e4 1/2", Want(1, 0, 0, 0, "result-mismatch result-style")),
        (b"@\n1. e4 \xC2\xBD-\xC2\xBD", Want(1, 0, 0, 0, "result-mismatch result-style")),
        (
            b"@\n1. f3 e5 2. g4 Qh4# 1-0",
            Want(1, 0, 0, 0, "result-mismatch result-contradicts-board"),
        ),
        (b"@\n1. f3 e5 2. g4 Qh4# 3. a3 0-1", Want(0, 0, 1, 0, "moves-after-end")),
        (
            b"@\n1. e4 * {after} $1 ; and a line\n\n% escape\n@\n1. e4 *\n",
            Want(2, 0, 0, 0, "escape-line"),
        ),
    ]);
}

#[test]
fn positions_and_variants() {
    check_all(&[
        (
            b"[Variant \"Bughouse\"]\n\n1. e4 *\n",
            Want(0, 0, 1, 0, "roster-incomplete variant-unknown"),
        ),
        (b"[Variant \"Crazyhouse\"]\n\n1. e4 *\n", Want(1, 0, 0, 0, "roster-incomplete")),
        (b"[Variant \"From Position\"]\n\n1. e4 *\n", Want(1, 0, 0, 0, "roster-incomplete")),
        (b"[SetUp \"1\"]\n\n1. e4 *\n", Want(0, 0, 1, 0, "roster-incomplete setup-without-fen")),
        (
            b"[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n*\n",
            Want(0, 0, 1, 0, "roster-incomplete fen-without-setup fen-no-king"),
        ),
        (
            b"[SetUp \"1\"]\n[FEN \"nonsense\"]\n\n*\n",
            Want(0, 0, 1, 0, "roster-incomplete fen-unreadable"),
        ),
        (
            b"[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4r3/4K3 b - - 0 1\"]\n\n*\n",
            Want(0, 0, 1, 0, "roster-incomplete fen-side-not-to-move-in-check"),
        ),
        (
            b"[SetUp \"1\"]\n[FEN \"P3k3/8/8/8/8/8/8/4K3 b - - 0 1\"]\n\n*\n",
            Want(0, 0, 1, 0, "roster-incomplete fen-pawn-on-back-rank"),
        ),
        (
            b"[FEN \"4k3/8/8/8/8/8/8/4K3 w KQ\"]\n\n1. Kd2 *\n",
            Want(
                1,
                0,
                0,
                0,
                "roster-incomplete fen-without-setup fen-rights-impossible fen-fields-missing",
            ),
        ),
        (
            b"@[SetUp \"1\"]\n[FEN \"4k3/8/8/44/8/8/8/4K2R W KK - 007 0 x\"]\n\n1. Kd2 *\n",
            Want(
                1,
                0,
                0,
                0,
                "fen-fields-extra fen-digits-adjacent fen-side-upper-case fen-rights-style \
                 fen-counters-style",
            ),
        ),
    ]);
}

#[test]
fn files_that_are_no_archives() {
    check_all(&[
        (b"\0", Want(0, 0, 0, 1, "")),
        (b"\0\0\0\0", Want(0, 0, 0, 4, "")),
        (b"@\n1. e4\0e5 *", Want(1, 0, 0, 0, "")),
        (b"@\n1. e4 \xFF\xFE e5 *", Want(0, 0, 1, 0, "move-unreadable encoding-latin-1")),
        (b"{\"json\": [1, 2, 3]}", Want(0, 0, 0, 19, "bytes-between-games")),
        (b"<html>\n<body>x</body>\n", Want(0, 0, 0, 22, "bytes-between-games")),
        (
            b"7f1c,x\n8,y\n",
            Want(
                0,
                0,
                1,
                0,
                "move-unreadable move-number-wrong move-number-stuck*2 game-without-tags",
            ),
        ),
    ]);
    let refusal = |foreign: &[u8]| {
        let folder = Scratch::new();
        let error = run(&to_san(Rejects::Apart), &[folder.put("x.pgn", foreign)]);
        error.expect_err("refused by name").to_string()
    };
    for foreign in [b"\x04\x22\x4D\x18\0".as_slice(), b"\xFF\xFE[\0E\0"] {
        let error = refusal(foreign);
        assert!(error.contains("x.pgn is ") && error.contains("pgnmill ... -"), "{error}");
    }
    let error = refusal(b"PK\x03\x04\x14\0");
    assert!(error.contains("x.pgn: as a zip file: "), "{error}");
}

/// What a value means: a backslash before a quote or another backslash is removed.
fn unescaped(value: &[u8]) -> Vec<u8> {
    let (mut meaning, mut at) = (Vec::new(), 0);
    while at < value.len() {
        let escapes = value[at] == b'\\' && matches!(value.get(at + 1), Some(b'"' | b'\\'));
        at += usize::from(escapes);
        meaning.push(value[at]);
        at += 1;
    }
    meaning
}

#[test]
fn damaged_tag_pairs_are_written_as_they_should_be_and_mean_the_same() {
    let mut state = 7u64;
    let mut below = |limit: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit
    };
    let mut repaired = 0;
    for round in 0..trials(300, 1_000, 20_000) {
        let value: Vec<u8> = (0..below(9)).map(|_| b"ab\\\" \\\"]c\xfc"[below(10)]).collect();
        let name = ["White", "Event", "MoveNotation"][below(3)];
        let value = if name == "MoveNotation" { b"uci".to_vec() } else { value };
        let mut pairs = vec![b"[Site \"s\"]\n".to_vec(), b"[Result \"*\"]\n".to_vec()];
        let open = format!("[{name} \"");
        let close = ["\"]", "]", "", "\"", " ]", "  "][below(6)];
        let damaged = [open.as_bytes(), &value, close.as_bytes()].concat();
        pairs.insert(below(3), [&damaged[..], b"\n"].concat());
        let movetext = if name == "MoveNotation" { "e2e4" } else { "e4" };
        let text = [&pairs.concat()[..], format!("\n1. {movetext} *\n").as_bytes()].concat();
        let to = ["san", "uci", "iccf"][below(3)];
        let task = Task::convert(find(to).expect("registered"));
        let there = ledger_of(&run_of(task, Rejects::Apart), &text);
        let what = format!(
            "round {round} to {to}: {} became {}",
            text.escape_ascii(),
            there.out.escape_ascii()
        );
        if there.verdicts() != (0, 1, 0) {
            continue;
        }
        repaired += 1;
        let again = ledger_of(&to_san(Rejects::Apart), &there.out);
        assert_eq!(again.verdicts(), (1, 0, 0), "{what}");
        if name == "MoveNotation" {
            assert_eq!(there.out.windows(14).any(|part| part == b"[MoveNotation "), to != "san");
            continue;
        }
        let pair = |text: &[u8]| {
            let at = text.windows(open.len()).position(|part| part == open.as_bytes());
            let pair = TagPair::read(text, at.expect(&what)).expect(&what);
            (unescaped(&text[pair.value.clone()]), pair.deviation)
        };
        let (before, after) = (pair(&text), pair(&there.out));
        assert_eq!((before.0, None), after, "{what}");
    }
    assert!(repaired > trials(90, 300, 300), "{repaired}");
}

#[test]
fn a_notation_pair_is_left_out_only_where_the_text_is_read_as_the_same_games() {
    let event = "[MoveNotation \"uci\"]\n[Event \"c\"]\n";
    let against = "1. e2e4 *[MoveNotation \"uci\"]1. d2d4 *\n";
    for (text, wanted) in [
        // The pair parts a move number from the word or the result before it.
        ("E[MoveNotation \"uci\"]5\n".into(), "E[MoveNotation \"san\"]5\n".to_string()),
        ("E [MoveNotation \"uci\"]5\n".into(), "E 5\n".into()),
        (
            format!("[MoveNotation \"uci\"]\n{against}"),
            "1. e4 *[MoveNotation \"san\"]1. d4 *\n".into(),
        ),
        // Behind a blank line an `Event` pair begins a game.
        (
            format!("[A \"b\"]\n\n{event}[Site \"s\"]\n\n1. e2e4 *\n"),
            format!("[A \"b\"]\n\n{event}[Site \"s\"]\n\n1. e4 *\n").replace("uci", "san"),
        ),
        (
            format!("[A \"b\"]\n[MoveNotation \"uci\"]\n\n{event}\n1. e2e4 *\n"),
            format!("[A \"b\"]\n[MoveNotation \"uci\"]\n\n{event}\n1. e4 *\n")
                .replace("uci", "san"),
        ),
        (format!("{event}\n1. e2e4 *\n"), "[Event \"c\"]\n\n1. e4 *\n".into()),
        // Lines before the game count.
        (
            "x \"]\n; c\n[A \"b\"][MoveNotation \"uci\"] 1. e2e4 *\n".into(),
            "x \"]\n; c\n[A \"b\"] 1. e4 *\n".into(),
        ),
    ] {
        let text: String = text;
        let there = ledger_of(&to_san(Rejects::Apart), text.as_bytes());
        assert_eq!(String::from_utf8_lossy(&there.out), wanted, "{text}");
        let again = ledger_of(&to_san(Rejects::Apart), &there.out);
        assert_eq!(again.counts.games(), there.counts.games(), "{wanted}");
    }
}

/// Figurines, the letters of another language, and pawn letters (P is a knight in Dutch): each is allowed and denied by
/// its own name.
#[test]
fn figurines_are_allowed_and_denied_by_their_own_name() {
    let figurines = "[Event \"e\"]\n\n1. \u{2658}f3 \u{265e}f6 *\n";
    let letters = "[Event \"e\"]\n\n1. e4 e5 2. Sf3 Sc6 3. Lb5 *\n";
    let verdict = |text: &str, profile: Profile| {
        let reader = Reader::from_reader("text", std::io::Cursor::new(text.to_string())).unwrap();
        let mut games = reader.profile(profile).games();
        games.next().unwrap().expect("a game").verdict()
    };
    let (letter, figurine) = (Deviation::PieceLetterForeign, Deviation::PieceFigurine);
    let dutch = "[Event \"e\"]\n\n1. Pf3 Pf6 2. Pg5 Pg8 3. d4 d5 4. Lf4 *\n";
    let pawns = "[Event \"e\"]\n\n1. Pe4 Pe5 2. Nf3 *\n";
    let pawn = Deviation::PawnLetter;
    for (text, own, other) in [
        (figurines, figurine, letter),
        (letters, letter, figurine),
        (letters, letter, pawn),
        (dutch, letter, pawn),
        (pawns, pawn, letter),
    ] {
        let deny = |kind| {
            let mut profile = Profile::lenient();
            profile.deny(kind);
            profile
        };
        let mut allowed = Profile::strict();
        for kind in [own, Deviation::RosterIncomplete] {
            allowed.allow(kind);
        }
        assert_eq!(verdict(text, Profile::lenient()), Verdict::Repaired, "{text}");
        assert_eq!(verdict(text, deny(other)), Verdict::Repaired, "{text}");
        assert_eq!(verdict(text, deny(own)), Verdict::Rejected, "{text}");
        assert_eq!(verdict(text, allowed), Verdict::Repaired, "{text}");
        assert_eq!(verdict(text, Profile::strict()), Verdict::Rejected, "{text}");
    }
}

//! Archives joined at random, left out of at random, read again: no game is lost, none is made, each has its verdict.
//!
//! The law is that of `fuzz/laws/src/joins.rs`; here its texts are pieces of real archives, changed by what breaks
//! texts: lost line ends, cut ends, lost and doubled stretches, characters that open and close.

#![allow(clippy::print_stdout, reason = "reports what was counted")]

use std::fs;
use std::panic::catch_unwind;
use std::path::PathBuf;

use crate::common::{
    self, Dice, Scratch, corpus, here, run_in, text_of, thinned, trials, unpacked,
};
use pgnmill_core::engine::Rejects;
use pgnmill_core::notation::NOTATIONS;
use pgnmill_io::archive::GAME_BYTES_MAX;
use pgnmill_io::archive::games::Games;
use pgnmill_laws as laws;

/// Longer archives are left out.
const ARCHIVE_BYTES_MAX: u64 = 300_000;
/// No more of an archive is taken at once.
const TEXT_BYTES_MAX: usize = 6_000;

/// What breaks texts.
const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    ";",
    "%",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    " ",
    "*",
    "1-0",
    "1/2-1/2",
    "{x}",
    "; x\n",
    "\n% x\n",
    "[",
    "]",
    "\"",
    "1. e4",
    "1. d4 d5",
    " 2. ",
    "Resigns",
    "$1",
    "!",
    "[Event \"x\"]\n",
    "\n[White \"y\"]\n",
    "\n\n[Event \"z\"]\n\n",
    "[MoveNotation \"uci\"]\n",
    "[MoveNotation \"san\"]\n",
    "\u{feff}",
    "footer",
    "\n\n",
    "[FEN \"8/8\"]\n",
    "[Round 3]\n",
    "[Event Open]\n",
    "\n[White “Able”]\n",
    "[Site]",
    "[\"x\"]\n",
    "[Foo bar]\n",
    "Round \"3\"]\n",
    "[Round\n\"3\"]\n",
    "[Round \"3\"\n]\n",
    "[Round \"3\"|\n",
    "]\n",
    "White wins",
    "1) e4",
    "\\$1",
    "\u{a0}",
    "\n\u{200b}\n",
    "{x {y}",
    "{x {y} z {w} v}",
    "\0",
];

fn archives() -> Vec<Vec<u8>> {
    let small = |path: &PathBuf| fs::metadata(path).is_ok_and(|m| m.len() <= ARCHIVE_BYTES_MAX);
    let mut texts = vec![text_of(&here(common::SAMPLE)), text_of(&here(common::SOURCES))];
    texts.extend(corpus("").iter().filter(|path| small(path)).map(|path| text_of(path)));
    texts.retain(|text| !text.is_empty());
    texts
}

/// A few games of an archive, changed.
fn mutant(dice: &mut Dice, archive: &[u8]) -> Vec<u8> {
    let from = dice.below(archive.len());
    let near = &archive[from..archive.len().min(from + 3 * TEXT_BYTES_MAX)];
    let start = Games::new(near).nth(1).map_or(0, |(at, _)| at);
    let mut text = Vec::new();
    for (_, game) in Games::new(&near[start..]).take(1 + dice.below(5)) {
        text.extend_from_slice(&game[..game.len().min(TEXT_BYTES_MAX)]);
    }
    text.truncate(TEXT_BYTES_MAX);
    match dice.below(8) {
        0 => text = replaced(&text, b"\r\n"),
        1 => text = replaced(&text, b"\r"),
        _ => {}
    }
    for _ in 0..dice.below(5) {
        change(dice, &mut text);
    }
    // Most archives that lose games when they are joined lack the last line end.
    if dice.below(3) == 0 {
        text.truncate(text.trim_ascii_end().len());
    }
    text
}

pub(crate) fn replaced(text: &[u8], line_end: &[u8]) -> Vec<u8> {
    let text: Vec<u8> = text.iter().copied().filter(|&byte| byte != b'\r').collect();
    text.split(|&byte| byte == b'\n').collect::<Vec<_>>().join(line_end)
}

fn change(dice: &mut Dice, text: &mut Vec<u8>) {
    let at = dice.below(text.len() + 1);
    let end = (at + dice.below(60)).min(text.len());
    match dice.below(9) {
        0 => drop(text.drain(at..end)),
        1 => text.truncate(at),
        2 => drop(text.drain(..at)),
        3 => {
            let again = text[at..end].to_vec();
            text.splice(end..end, again);
        }
        4 if at < text.len() => text[at] = dice.below(256) as u8,
        // Tag pairs go, so that games follow each other without.
        5 => {
            let lines = text.split_inclusive(|&byte| byte == b'\n');
            *text = lines
                .filter(|line| line[0] != b'[' || dice.below(6) == 0)
                .flatten()
                .copied()
                .collect();
        }
        _ => {
            let piece = PIECES[dice.below(PIECES.len())];
            text.splice(at..at, piece.bytes());
        }
    }
}

#[test]
fn joined_archives_are_read_as_they_were() {
    let count = trials(40, 100, 600);
    let (archives, mut dice) = (archives(), Dice::new(0x9E37_79B9_7F4A_7C15));
    let (mut broken, mut mutants) = (0, 0);
    for join in 0..count {
        let texts: Vec<Vec<u8>> = (0..1 + dice.below(3))
            .map(|_| {
                let archive = dice.below(archives.len());
                mutant(&mut dice, &archives[archive])
            })
            .collect();
        mutants += texts.len();
        let choice = laws::joins::Choice {
            to: if dice.below(3) == 0 { 0 } else { dice.below(NOTATIONS.len()) },
            rejects: [Rejects::Apart, Rejects::Kept, Rejects::Dropped][dice.below(3)],
            compressed: dice.below(2) == 0,
            to_utf8: dice.below(4) == 0,
            block_bytes: 16 + dice.below(2_000),
        };
        let texts: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
        if catch_unwind(|| laws::joins::check(&texts, choice)).is_err() {
            broken += 1;
            println!("join {join} breaks the law");
        }
    }
    println!(
        "{count} joins of {mutants} mutants of {} archives: {broken} breaches",
        archives.len()
    );
    assert_eq!(broken, 0);
}

/// Texts as people have them: each lacks something that would have kept it apart from the next.
const ENDS: &[&str] = &[
    "[Event \"a\"]\n\n1. e4 e5",
    "[Event \"b\"]\n\n1. d4 d5 {a comment}",
    "[Event \"c\"]\n\n1. c4 ; a comment",
    "[Event \"d\"]\n\n1. c4 c5 *\n% an escape",
    "[Event \"e\"]\r\n\r\n1. Nf3 *\r\n\r\na footer",
    "[Event \"f\"]\r\r1. Nc3 1-0\r",
    "1. a4 a5",
    "1. b4 {a {b} *",
    "words } and 1. b3 b6",
    "{a comment} 1. g3 1/2-1/2",
    "[White \"g\"]\n\n",
    "[White \"h\"]\n[Result \"1-0\"]",
    "\u{feff}[Event \"i\"]\n\n1. f4 *",
    "\u{feff}1. f3",
    "\n \u{feff}1. f3 *",
    "\u{feff}{a comment} 1. c3 *",
    "\u{feff}{a comment} 1. e5 *",
    "\u{feff}[White \"q\"]\n\n1. a3 *",
    "[Event \"j\"] 1. h4 h5 *",
    "[Event \"k\"]\n\n1. e5 {never proved",
    "[Event \"l\"]\n\n1. e4 (1. d4",
    "[MoveNotation \"uci\"]\n",
    "[MoveNotation \"uci\"]\n[MoveNotation \"uci\"]\n\n1. e2e4 *\n",
    "[Event \"m\"]\n[MoveNotation \"uci\"]\n[MoveNotation \"san\"]\n\n1. e2e4 *\n",
    "1. e4 * [White \"n\"] 1. e4\n[White \"o\"]\n\n1. d4",
    "[Event \"p\"]\n\n1. e5 * %no escape 1. d4 *\n",
    "\n",
    "",
];

#[test]
fn every_end_meets_every_beginning() {
    let mut broken = Vec::new();
    for (i, first) in ENDS.iter().enumerate() {
        for (j, second) in ENDS.iter().enumerate() {
            // Each text meets others with both; each pair of texts has one of them, or both.
            let both = [Rejects::Apart, Rejects::Kept];
            let one = (i + j) % 2;
            // A third of the pairs at the short depth, each text among them as often on either side.
            if (i + j) % trials(5, 2, 1) > 0 {
                continue;
            }
            for &rejects in &both[trials(one, one, 0)..trials(one + 1, one + 1, 2)] {
                let to = [0, 1, 30][i % 3];
                let (compressed, to_utf8) = (i % 2 == 0, false);
                let choice =
                    laws::joins::Choice { to, rejects, compressed, to_utf8, block_bytes: 64 };
                let texts = [first.as_bytes(), second.as_bytes(), ENDS[i / 2].as_bytes()];
                if catch_unwind(|| laws::joins::check(&texts, choice)).is_err() {
                    broken.push((first, second, rejects));
                }
            }
        }
    }
    assert!(broken.is_empty(), "{broken:#?}");
}

/// Where a tag pair is put so that a text begins a game, an empty line follows it before moves and none before the tag
/// pairs of the text.
#[test]
fn a_tag_pair_that_is_put_stands_as_others_do() {
    let scratch = Scratch::new();
    let mut puts = 0;
    for first in ENDS {
        for second in thinned(3, ENDS.iter().filter(|text| !text.starts_with("[Event"))) {
            scratch.write("1.pgn", first.as_bytes());
            scratch.write("2.pgn", second.as_bytes());
            let args = ["convert", "--to", "san", "--keep-rejects", "--quiet", "-o", "-"];
            let args = [&args[..], &["1.pgn", "2.pgn"]].concat();
            let joined = run_in(scratch.path(), &args, b"").stdout;
            let joined = String::from_utf8_lossy(&joined).replace("\r\n", "\n").replace('\r', "\n");
            for (at, put) in joined.match_indices("[Event \"?\"]\n") {
                let rest = &joined[at + put.len()..];
                assert!(!rest.starts_with("\n["), "{first:?}, {second:?}: {joined}");
                assert!(rest.starts_with(['\n', '[']), "{first:?}, {second:?}: {joined}");
                puts += 1;
            }
        }
    }
    assert!(puts > 10, "{puts}");
}

/// Archives without tag pairs that are joined do not become a text that could be one game longer than a game may be,
/// whatever they begin and end with.
#[test]
fn runs_without_tag_pairs_stay_as_short_as_a_game() {
    const EASY: &str = "1. e4 e5 2. Nf3 Nc6 *\n";
    // At the short depth a tenth of the games, as long together.
    let comment = "a word ".repeat(30);
    let game = trials(format!("1. e4 e5 {{{comment}}} *\n"), EASY.to_string(), EASY.to_string());
    let games = game.repeat(3_000_000 / game.len());
    for (beginning, end) in [("", ""), ("\u{feff}", "1. d4\n"), ("\n \u{feff}", "")] {
        let scratch = Scratch::new();
        let archive = [beginning, &games, end].concat();
        scratch.write("run.pgn", archive.as_bytes());
        let args = ["convert", "--to", "san", "--quiet", "-o", "out.pgn"];
        let ran = run_in(scratch.path(), &[&args[..], &["run.pgn"; 8]].concat(), b"");
        assert!(ran.status.success());
        let joined = fs::read(scratch.join("out.pgn")).unwrap();
        assert!(joined.len() >= 8 * archive.len());
        let mut starts: Vec<usize> = memchr::memmem::find_iter(&joined, b"[Event ").collect();
        starts.insert(0, 0);
        starts.push(joined.len());
        let longest = starts.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap();
        let is_some = longest > GAME_BYTES_MAX / 2;
        assert!(longest <= GAME_BYTES_MAX && is_some, "{beginning:?}, {end:?}: {longest}");
    }
}

/// A byte is put only where two texts meet and would run together.
#[test]
fn nothing_is_put_where_texts_stay_apart() {
    let scratch = Scratch::new();
    let cases: &[(&[&str], &str)] = &[
        (&["1. e4 *\n", "1. d4 *\n"], "1. e4 *\n1. d4 *\n"),
        (&["1. e4 *", "1. d4 *"], "1. e4 *\n1. d4 *"),
        (&["1. e4 *\r", "\r1. d4 *"], "1. e4 *\r\r1. d4 *"),
        (
            &["[Event \"a\"]\r\n\r\n1. e4", "[Event \"b\"]\n\n*\n"],
            "[Event \"a\"]\r\n\r\n1. e4\r\n[Event \"b\"]\n\n*\n",
        ),
        (
            &["[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4\n", "1. d4 *\n"],
            "[Event \"a\"]\n[Result \"1-0\"]\n\n1. e4\n1-0\n1. d4 *\n",
        ),
        (
            &["[White \"a\"]\n\n", "[White \"b\"]\n\n*\n"],
            "[White \"a\"]\n\n*\n[White \"b\"]\n\n*\n",
        ),
        // What was left out was what kept the footer apart.
        (
            &["[Event \"a\"]\n\n1. e4\n\n[Event \"b\"]\n\n1. e5 *\na footer\n"],
            "[Event \"a\"]\n\n1. e4\n\n*\na footer\n",
        ),
    ];
    for (texts, joined) in cases {
        let names = ["1.pgn", "2.pgn"];
        for (text, name) in texts.iter().zip(names) {
            scratch.write(name, text.as_bytes());
        }
        let mut args = vec!["convert", "--to", "san", "--overwrite", "--quiet", "-o", "out.pgn"];
        args.extend(&names[..texts.len()]);
        run_in(scratch.path(), &args, b"");
        assert_eq!(fs::read_to_string(scratch.join("out.pgn")).unwrap(), *joined);
    }
}

/// Whatever is changed of the line ends of an archive is changed of those of its conversion, and nothing else.
#[test]
fn a_conversion_keeps_to_the_line_ends_of_its_archive() {
    let scratch = Scratch::new();
    let sample = text_of(&here(common::SAMPLE));
    let end = Games::new(&sample).nth(20).map_or(0, |(at, _)| at);
    let odd = b"[White \"a\"] [Black \"b\"] 1. e4 *\n\n1. d4 e5 2. dxe5 *\n\n[MoveNotation \"san\"]\n\n1. a4\n";
    let text = [&replaced(&sample[..end], b"\n")[..], odd].concat();
    let notations = ["san", "uci", "iccf", "economical-priority", "san-fr", "descriptive"];
    for to in notations {
        let converted = |line_end: &[u8]| -> Vec<u8> {
            scratch.write("in.pgn", &replaced(&text, line_end));
            let args = [
                "convert",
                "--to",
                to,
                "--overwrite",
                "--quiet",
                "-o",
                "out.pgn",
                "in.pgn",
                "in.pgn",
            ];
            assert!(matches!(run_in(scratch.path(), &args, b"").status.code(), Some(0 | 1)));
            fs::read(scratch.join("out.pgn")).unwrap()
        };
        let with_lf = converted(b"\n");
        assert!(with_lf.len() > text.len() && !with_lf.contains(&b'\r'), "{to}");
        for line_end in [b"\r" as &[u8], b"\r\n"] {
            assert!(converted(line_end) == replaced(&with_lf, line_end), "{to}: {line_end:?}");
        }
    }
}

/// A game too long to hold is written whole, and so are the adjacent games: in its place or apart, compressed or not.
#[test]
fn a_game_too_long_to_hold_is_kept_and_written_apart_whole() {
    let scratch = Scratch::new();
    let long =
        [b"[Event \"long\"]\n\n1. e4 {".to_vec(), b"a word \n".repeat(2_200_000), b"} *".to_vec()]
            .concat();
    assert!(long.len() > 16 << 20);
    scratch.write("a.pgn", &[b"[Event \"a\"]\n\n1. d4 *\n", &long[..]].concat());
    scratch.write("b.pgn", b"[Event \"b\"]\n\n1. c4 *\n");
    let whole =
        [b"[Event \"a\"]\n\n1. d4 *\n", &long[..], b"\n[Event \"b\"]\n\n1. c4 *\n"].concat();
    for out in ["out.pgn", "out.pgn.zst"] {
        let args =
            ["convert", "--to", "san", "--keep-rejects", "--quiet", "-o", out, "a.pgn", "b.pgn"];
        assert_eq!(run_in(scratch.path(), &args, b"").status.code(), Some(1));
        assert!(unpacked(&fs::read(scratch.join(out)).unwrap()) == whole, "{out}");
    }
    let args = [
        "convert",
        "--to",
        "san",
        "--rejects",
        "r.pgn",
        "--quiet",
        "-o",
        "o.pgn",
        "a.pgn",
        "b.pgn",
    ];
    assert_eq!(run_in(scratch.path(), &args, b"").status.code(), Some(1));
    assert!(fs::read(scratch.join("r.pgn")).unwrap() == long);
    let others = "[Event \"a\"]\n\n1. d4 *\n[Event \"b\"]\n\n1. c4 *\n";
    assert_eq!(fs::read_to_string(scratch.join("o.pgn")).unwrap(), others);
    let args = ["validate", "--quiet", "--rejects", "again.pgn", "out.pgn.zst"];
    assert_eq!(run_in(scratch.path(), &args, b"").status.code(), Some(1));
    let again = fs::read(scratch.join("again.pgn")).unwrap();
    assert!(again == [&long[..], b"\n"].concat(), "read again it is one game, too long to hold");
}

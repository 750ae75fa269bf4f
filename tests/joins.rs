//! Archives joined at random, left out of at random, read again: no game is lost, none is made, each has its verdict.
//!
//! The law is that of `fuzz/src/joins.rs`; here its texts are pieces of real archives, changed by what breaks texts: lost line
//! ends, cut ends, lost and doubled stretches, signs that open and close. `PGNMILL_JOINS=20000` asks for so many joins.

#![allow(clippy::print_stdout, reason = "a test says what it counted")]

mod common;

use std::env;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{Scratch, corpus, here, text_of};
use pgnmill::archive::games::Games;
use pgnmill::notation::NOTATIONS;
use pgnmill::pipeline::Rejects;

#[path = "../fuzz/src/lib.rs"]
#[allow(dead_code, unreachable_pub, reason = "it is a crate of its own as well")]
mod laws;

/// Joins in a usual run.
const JOINS: u64 = 600;
/// Longer archives are left out.
const ARCHIVE_BYTES_MAX: u64 = 300_000;
/// No more of an archive is taken at once.
const TEXT_BYTES_MAX: usize = 6_000;

struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        ((self.0 >> 20) % sides.max(1) as u64) as usize
    }
}

/// What breaks texts.
const SIGNS: &[&str] = &[
    "{", "}", "(", ")", ";", "%", "\n", "\r\n", "\r", "\n\n", " ", "*", "1-0", "1/2-1/2", "{x}", "; x\n", "\n% x\n", "[", "]",
    "\"", "1. e4", "1. d4 d5", " 2. ", "Resigns", "$1", "!", "[Event \"x\"]\n", "\n[White \"y\"]\n", "\n\n[Event \"z\"]\n\n",
    "[MoveNotation \"uci\"]\n", "[MoveNotation \"san\"]\n", "\u{feff}", "footer", "\n\n", "[FEN \"8/8\"]\n", "\0",
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
    let from = dice.roll(archive.len());
    let near = &archive[from..archive.len().min(from + 3 * TEXT_BYTES_MAX)];
    let start = Games::new(near).nth(1).map_or(0, |(at, _)| at);
    let mut text = Vec::new();
    for (_, game) in Games::new(&near[start..]).take(1 + dice.roll(5)) {
        text.extend_from_slice(&game[..game.len().min(TEXT_BYTES_MAX)]);
    }
    text.truncate(TEXT_BYTES_MAX);
    match dice.roll(8) {
        0 => text = replaced(&text, b"\r\n"),
        1 => text = replaced(&text, b"\r"),
        _ => {}
    }
    for _ in 0..dice.roll(5) {
        change(dice, &mut text);
    }
    // Most archives that lose games when they are joined lack the last line end.
    if dice.roll(3) == 0 {
        text.truncate(text.trim_ascii_end().len());
    }
    text
}

fn replaced(text: &[u8], line_end: &[u8]) -> Vec<u8> {
    let text: Vec<u8> = text.iter().copied().filter(|&byte| byte != b'\r').collect();
    text.split(|&byte| byte == b'\n').collect::<Vec<_>>().join(line_end)
}

fn change(dice: &mut Dice, text: &mut Vec<u8>) {
    let at = dice.roll(text.len() + 1);
    let end = (at + dice.roll(60)).min(text.len());
    match dice.roll(9) {
        0 => drop(text.drain(at..end)),
        1 => text.truncate(at),
        2 => drop(text.drain(..at)),
        3 => {
            let again = text[at..end].to_vec();
            text.splice(end..end, again);
        }
        4 if at < text.len() => text[at] = dice.roll(256) as u8,
        // Tag pairs go, so that games follow each other without.
        5 => {
            let lines = text.split_inclusive(|&byte| byte == b'\n');
            *text = lines.filter(|line| line[0] != b'[' || dice.roll(6) == 0).flatten().copied().collect();
        }
        _ => {
            let sign = SIGNS[dice.roll(SIGNS.len())];
            text.splice(at..at, sign.bytes());
        }
    }
}

#[test]
fn joined_archives_are_read_as_they_were() {
    let count = env::var("PGNMILL_JOINS").ok().and_then(|n| n.parse().ok()).unwrap_or(JOINS);
    let (archives, mut dice) = (archives(), Dice(0x9E37_79B9_7F4A_7C15));
    let (mut broken, mut mutants) = (0, 0);
    for join in 0..count {
        let texts: Vec<Vec<u8>> = (0..1 + dice.roll(3))
            .map(|_| {
                let archive = dice.roll(archives.len());
                mutant(&mut dice, &archives[archive])
            })
            .collect();
        mutants += texts.len();
        let choice = laws::joins::Choice {
            to: if dice.roll(3) == 0 { 0 } else { dice.roll(NOTATIONS.len()) },
            rejects: [Rejects::Apart, Rejects::Kept, Rejects::Dropped][dice.roll(3)],
            compressed: dice.roll(2) == 0,
            to_utf8: dice.roll(4) == 0,
            block_bytes: 16 + dice.roll(2_000),
        };
        let texts: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
        if catch_unwind(|| laws::joins::check(&texts, choice)).is_err() {
            broken += 1;
            println!("join {join} breaks the law");
        }
    }
    println!("{count} joins of {mutants} mutants of {} archives: {broken} breaches", archives.len());
    assert_eq!(broken, 0);
}

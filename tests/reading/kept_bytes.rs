//! Bytes that come back: the law of `fuzz/laws/src/kept_bytes.rs`, over sequences of what leaves a text open.
//!
//! In: pieces at random: games without results, unclosed quotes, brackets, braces and variations, blanks of Unicode, odd
//! tag pairs, text between games. Out: nothing; a text that breaks the law is shown with as few pieces as break it.

use pgnmill_core::notation::{Notation, find};
use pgnmill_laws::kept_bytes::breach;

use crate::common::{Dice, trials};

/// Pieces of text. `_` is a blank of Unicode, one for all of a text.
const PIECES: &[&str] = &[
    "[Event \"a\"]\n",
    "[White \"b\"]\n",
    "[Foo c]\n",
    "[Round 3]\n",
    "[Site]\n",
    "[White “d”]\n",
    "[Event \"e\n",
    "[Event \"f\"|\n",
    "[Black\n\"g\"]\n",
    "[Black \"g\"\n]\n",
    "[\"x\"]\n",
    "[White \"h\n",
    "Round \"3\"]\n",
    "_[Event \"i\"]\n",
    "_[White \"j\"]\n",
    "[Event \"k\"] ",
    "[Result \"1-0\"]\n",
    "_",
    "_\n",
    "\n",
    "\n\n",
    " ",
    "1. e4 e5",
    "1. e4 e5 *",
    "1. d4 d5 1-0\n",
    "1. c4 {c} c5 (1... e5) 2. Nf3 *\n\n",
    "1. Nf3 Nf6\n",
    "1. e5 *\n",
    "1. e5",
    "1. e4 (1. d4 d5\n",
    "1. e4 {open ",
    "1. e4 \"open ",
    "1. e4 [open ",
    "1. d4 White resigns\n",
    "1. d4 draw agreed\n",
    "1) e4 e5 2) Nf3 *\n",
    "1. f4 \\$14 f5 *\n",
    "*",
    "* ",
    "1-0\n",
    "0-1_",
    "{",
    "}",
    "(",
    ")",
    "\"",
    "[",
    "]",
    "{x {y}",
    "; x \"]\n",
    "% x\n",
    "\n% x\n",
    "footer\n",
    "words ",
    "5",
    "$1",
    "!",
    "\0",
    "[MoveNotation \"uci\"]\n",
    "[MoveNotation \"san\"]\n",
    "1. e2e4 e7e5 *\n",
];

const BLANKS: &[&str] = &["\u{a0}", "\u{200b}", "\u{3000}", "\u{2028}", " "];
const LINE_ENDS: &[&str] = &["\n", "\n", "\n", "\r\n", "\r"];

fn text_of(dice: &mut Dice) -> Vec<Vec<u8>> {
    let (blank, line_end) = (dice.one(BLANKS), dice.one(LINE_ENDS));
    let count = 1 + dice.below(9);
    let piece = |_| dice.one(PIECES).replace('_', blank).replace('\n', line_end).into_bytes();
    (0..count).map(piece).collect()
}

/// The fewest of these pieces that still break a law.
fn least(mut pieces: Vec<Vec<u8>>, to: &'static dyn Notation) -> Vec<Vec<u8>> {
    let mut at = 0;
    while at < pieces.len() {
        let mut fewer = pieces.clone();
        fewer.remove(at);
        if breach(&fewer.concat(), to).is_some() {
            pieces = fewer;
        } else {
            at += 1;
        }
    }
    pieces
}

#[test]
fn what_is_not_rewritten_comes_back() {
    let (mut dice, mut broken) = (Dice::new(0x6B65_7074), Vec::new());
    let notations = ["uci", "iccf", "economical-priority", "san-de"];
    let notations = notations.map(|name| find(name).expect("a notation"));
    for _ in 0..trials(200, 600, 60_000) {
        let (pieces, to) = (text_of(&mut dice), dice.one(&notations));
        if breach(&pieces.concat(), to).is_some() {
            let text = least(pieces, to).concat();
            let why = breach(&text, to).unwrap_or_default();
            broken.push(format!("{}: {}\n  {why}", to.info().name, text.escape_ascii()));
        }
    }
    assert!(broken.is_empty(), "{} breaches\n{}", broken.len(), broken.join("\n"));
}

/// What few sequences at random have: text that a pair on its next line would make one, if the game between them is left
/// out; a game of digits alone before a comment and the pair of a notation.
#[test]
fn what_is_left_out_makes_no_pair() {
    let texts = [
        "1. e4 *__Round \"3\"]_1. e5 *_[White \"b\"]__1. d4 *_",
        "1. e4 *__Round \"3\"]_[White \"b\"]__1. d4 *_",
        "[White \"a\"]__1. e4 *__Site \"x\"]_{c} 1. e5 *_[White \"b\"]_[Site \"y\"]__1. d4 *_",
    ];
    for text in texts {
        for line_end in ["\n", "\r\n", "\r"] {
            let text = text.replace('_', line_end);
            for name in ["san", "uci", "iccf", "economical-priority"] {
                let why = breach(text.as_bytes(), find(name).expect("a notation"));
                assert!(why.is_none(), "{name}: {text:?}\n{}", why.unwrap_or_default());
            }
        }
    }
}

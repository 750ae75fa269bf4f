//! The law of games.rs: the fast searches agree with the rule as it is written down, on any text
//! and however the text arrives.

use super::*;
use crate::archive::lines::closes;
use crate::archive::odd_pairs::is_bracketed;
use crate::archive::scanner::Scanner;
use pgnmill_dice::Dice;

/// The rule, line by line, with no regard for speed.
fn naive_starts(text: &[u8]) -> Vec<usize> {
    let mut starts = Vec::new();
    let (mut previous, mut blank, mut at) = (Previous::None, false, 0);
    while at < text.len() {
        let end =
            text[at..].iter().position(|b| b"\r\n".contains(b)).map_or(text.len(), |i| at + i);
        match head(&text[..end], at, true, true).unwrap() {
            Head::Blank => blank = true,
            Head::Comment => {}
            line_head => {
                let opens = matches!(line_head, Head::Opens { .. });
                let event = line_head == Head::Opens { event: true };
                let may_start = match previous {
                    Previous::Tag => event && blank,
                    Previous::Bracketed => event || blank,
                    _ => true,
                };
                if opens && may_start {
                    starts.push(at);
                }
                let line = &text[at..end];
                let is_more = is_bracketed(line) || is_lone_bracket(line);
                let in_section = previous == Previous::Tag && !blank && is_more;
                let other = if is_bracketed(line) { Previous::Bracketed } else { Previous::Plain };
                let tag = opens || closes(line) || in_section;
                (previous, blank) = (if tag { Previous::Tag } else { other }, false);
            }
        }
        at = end + if text[end..].starts_with(b"\r\n") { 2 } else { 1 };
    }
    starts
}

/// Is the line a bracket between blanks?
fn is_lone_bracket(line: &[u8]) -> bool {
    let text = String::from_utf8_lossy(line);
    let is_blank = |c: char| {
        matches!(c, ' ' | '\t')
            || !c.is_ascii() && c.is_whitespace()
            || "\u{200b}\u{2060}\u{feff}".contains(c)
    };
    line.len() <= 256 && text.trim_matches(is_blank) == "]"
}

fn check(text: &[u8]) {
    let expected = naive_starts(text);
    for level in Level::all() {
        assert_eq!(Starts::on(level, text).collect::<Vec<_>>(), expected, "forward, {level:?}");
    }
    for from in 0..=text.len() {
        let first = expected.iter().copied().find(|&start| start >= from);
        assert_eq!(first_start(Level::best(), text, from, text.len()), first, "first from {from}");
        for until in [from + 1, from + 7] {
            let first = first.filter(|&start| start < until);
            assert_eq!(
                first_start(Level::best(), text, from, until),
                first,
                "first in {from}..{until}"
            );
        }
    }
    check_pieces(text, &expected);
    check_unknown(text, &expected);
    check_backwards(text, &expected);
}

/// Text that arrives in pieces and is forgotten as soon as it may be.
fn check_pieces(text: &[u8], expected: &[usize]) {
    for piece in [1, 2, 3, 7] {
        let (mut scanner, mut gone, mut found) = (Scanner::at_start(), 0, Vec::new());
        let mut held = Vec::new();
        for bytes in text.chunks(piece) {
            held.extend_from_slice(bytes);
            while let Some(start) = scanner.next(&held, true) {
                found.push(gone + start);
            }
            let understood = scanner.understood(held.len());
            scanner.forget(understood);
            held.drain(..understood);
            gone += understood;
        }
        while let Some(start) = scanner.next(&held, false) {
            found.push(gone + start);
        }
        assert_eq!(found, expected, "pieces of {piece}");
    }
}

/// Cut anywhere, what is found without context is true, and nothing after it is missed.
fn check_unknown(text: &[u8], expected: &[usize]) {
    for cut in 0..text.len() {
        let mut scanner = Scanner::unknown();
        if let Some(first) = scanner.next(&text[cut..], false) {
            let mut found = vec![cut + first];
            while let Some(start) = scanner.next(&text[cut..], false) {
                found.push(cut + start);
            }
            let after: Vec<_> =
                expected.iter().copied().filter(|&start| start >= cut + first).collect();
            assert_eq!(found, after, "unknown from {cut}");
        }
    }
}

/// The last start, for every length of the text, with the floor of the last look and without.
fn check_backwards(text: &[u8], expected: &[usize]) {
    let mut floor = 0;
    let mut last_found = None;
    for len in 0..=text.len() {
        let seen = &text[..len];
        let mut forward = Scanner::at_start();
        let mut certain = None;
        while let Some(start) = forward.next(seen, true) {
            certain = Some(start).filter(|&start| start > 0);
        }
        assert_eq!(last_start(seen, 0).0, certain, "backwards, {len} bytes");
        let (found, next_floor) = last_start(seen, floor);
        last_found = found.or(last_found);
        assert_eq!(last_found, certain, "backwards from {floor}, {len} bytes");
        assert!(certain.is_none_or(|start| expected.contains(&start)));
        floor = next_floor;
    }
}

#[test]
fn the_specimens() {
    let specimens: &[&[u8]] = &[
        b"",
        b"\n",
        b"[Event \"a\"]",
        b"[Event \"a\"]\r\n[Site \"b\"]\r\n\r\n1. e4 *\r\n\r\n[Event \"c\"]\r\n\r\n*\r\n",
        b"[Event \"a\"]\r[Site \"b\"]\r\r1. e4 *\r\r[Event \"c\"]\r",
        b"\xEF\xBB\xBF[Event \"a\"]\n\n*\n[Site \"no event\"]\n*",
        b"\xEF\xBB\xBF%x\n\n[Event \"a\"]\n\n*\n",
        b"[Event \"tags only\"]\n\n[Event \"b\"]\n[Event \"c\"]\n\n[Site \"d\"]\n\n[Event \"e\"]\n",
        b"[Event \"a\"]\n\n{ never closed\n[Event \"b\"]\n\n[%clk \"x\"]\n[Site \"c\"]\n*\n",
        b"%x\n; y\n\n  [ Event  \"a\" ] \n;z\n[Site \"b\"]\n* [Event \"same line\"]\n[Event \"n\"]\n*",
    ];
    for text in specimens {
        check(text);
    }
    assert_eq!(Starts::new(specimens[7]).collect::<Vec<_>>(), [0, 21, 58]);
}

#[test]
fn pairs_without_their_quotes_start_games_and_divide_no_section() {
    let cases: &[(&str, &[usize])] = &[
        ("*\n[White Able]\n[Event \"b\"]\n\n*\n", &[2]),
        ("*\n\n[Event “a”]\n[White “Able”]\n[Black \"B\"]\n\n*\n", &[3]),
        ("[Event \"a\"]\n[Round 3]\n[White \"b\"]\n\n*\n", &[0]),
        ("[Event \"a\"]\n[Round 3]\n\n[White \"b\"]\n\n*\n", &[0]),
        ("[Event \"a\"]\n[Foo bar]\n[White \"b\"]\n\n*\n", &[0]),
        ("[Event \"a\"]\n[\"x\"]\n[White \"b\"]\n\n*\n", &[0]),
        ("[Event \"a\"]\n\u{a0}\n[White \"b\"]\n\n*\n", &[0]),
        ("[Event \"a\"]\n\n1. e4\n[Foo bar]\n[Event \"b\"]\n\n*\n", &[0, 29]),
        ("[Event \"a\"]\n\n1. e4\n[Foo bar]\n\n[White \"b\"]\n\n*\n", &[0, 30]),
        ("[Event \"a\"]\n\n1. e4 {\n[White's move]\n[see game 12]\n[Nf3]} *\n", &[0]),
        ("1. e4 *\n[White Able resigned\n*\n[Foo bar]\n*\n", &[]),
        // One section is no two games, whatever of it is no pair of the standard.
        ("[White \"a\"]\n[Foo b]\n[Event \"c\"]\n\n*\n", &[0]),
        ("[White \"a\"]\n[Foo b]\n; c\n[\"x\"]\n[Round 3\n[Event \"c\"]\n\n*\n", &[0]),
        ("[White \"a\"\n]\n[Event \"c\"]\n\n*\n", &[0]),
        ("[White \"a\"]\n[Foo b]\n\n[Event \"c\"]\n\n*\n", &[0, 21]),
        ("[White \"a\"]\n\n[Foo b]\n[Event \"c\"]\n\n*\n", &[0, 21]),
        ("[Foo b]\n[Event \"c\"]\n\n*\n", &[8]),
        ("[White \"a\"]\nx\n]\n[Site \"c\"]\n\n*\n", &[0, 16]),
    ];
    for &(text, starts) in cases {
        assert_eq!(Starts::new(text.as_bytes()).collect::<Vec<_>>(), starts, "{text}");
        check(text.as_bytes());
    }
}

#[test]
fn long_lines_are_understood_in_constant_memory() {
    let text = [
        b"[Event \"a\"]\n\n" as &[u8],
        &[b'x'; 3 * LINE_EDGE_BYTES],
        b"\"]\n[Event \"not after a closing line\"]\n%",
        &[b'y'; 2 * LINE_EDGE_BYTES],
        b"\n\n[Event \"b\"]\n[",
        &[b'n'; 2 * LINE_EDGE_BYTES],
        b" \"c\"\n[Event \"d\"]\n",
    ]
    .concat();
    let expected = naive_starts(&text);
    assert_eq!(expected.len(), 3);
    check_pieces(&text, &expected);
    check_backwards(&text, &expected);
}

#[test]
fn any_text_of_nasty_parts() {
    let mut dice = Dice::new(1);
    for _ in 0..1_500 {
        let parts = (0..dice.below(14)).map(|_| dice.one(PARTS)).collect::<Vec<_>>();
        check(&parts.concat());
    }
}

#[test]
fn any_text_of_nasty_bytes() {
    let mut dice = Dice::new(2);
    for _ in 0..1_500 {
        let text: Vec<u8> = (0..dice.below(60)).map(|_| dice.one(NASTY)).collect();
        check(&text);
    }
}

const NASTY: &[u8] = b"[]\"\n\r Event1.e4{}%;";

const PARTS: &[&[u8]] = &[
    b"[Event \"a\"]",
    b"[Site \"b\"]",
    b"\n",
    b"\r\n",
    b"\r",
    b"\n\n",
    b" ",
    b"\t",
    b"1. e4 *",
    b"{",
    b"}",
    b"%",
    b";",
    b"[",
    b"\"]",
    b"[Event \"",
    b"\xEF\xBB\xBF",
    b"[%clk 1]",
    b"[Round 3]",
    b"[Site]",
    b"[Event Open]",
    b"[Foo bar]",
    "[White “A”]".as_bytes(),
    b"[Event 'a",
    "[Event\u{a0}\"a\"]".as_bytes(),
    "\u{a0}".as_bytes(),
    b"\xA0",
    b"\xE2\x80",
    b"\x8B",
    b"White]",
    b"]",
    b"\n]\n",
    b"\n\xC2\xA0]\xE2\x80\x8B\n",
    b"\n[Foo bar]\n",
];

/// A comment line and the line after it may be in one block of the line scan, anywhere in it.
#[test]
fn a_marked_line_is_looked_through_wherever_it_stands() {
    for before in 0..140 {
        for mark in ["%", ";", "\u{feff}%"] {
            for end in ["\n", "\r\n", "\r"] {
                let head = format!("[A \"\"]{end}[B \"{:before$}\"]{end}{end}x{end}", "");
                let tail = format!("{mark} \"b\"]\n[C \"?\"]{end}[D \"1\"]{end}{end}*{end}");
                check(format!("{head}{tail}").as_bytes());
            }
        }
    }
}

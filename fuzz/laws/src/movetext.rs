//! Movetext taken apart the slow way: nothing in a move's place is passed over, and numbers are counted as they should
//! be.
//!
//! In: the movetext of a game, and the spans of the plies and other words that the replay reported. Out: how many move
//! numbers are missing, wrong, or attached to a word; a panic where a byte of a word was not reported. Nothing of the
//! program's tokens is used: this is what they are measured by.

use std::iter::Peekable;
use std::ops::Range;

use pgnmill_core::chess::{Color, Position};

/// What movetext consists of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `{…}`, `;…`, `%…` in the first column, `$1`, `!?`.
    Aside,
    /// `(`
    Open,
    /// `)`
    Close,
    /// Digits and full stops, or full stops alone.
    Number,
    /// All else.
    Word,
}

/// A ply that was reported: its span, and the positions before and after it.
#[derive(Clone, Debug)]
pub struct ReportedPly {
    /// The span of its text.
    pub place: Range<usize>,
    /// The position before it.
    pub before: Position,
    /// The position after it.
    pub after: Position,
}

/// Move numbers that are not what they should be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Numbers {
    /// White's moves without one.
    pub missing: u64,
    /// Those that are not the next move's.
    pub wrong: u64,
    /// Those without whitespace before the next word.
    pub stuck: u64,
}

/// Does a word end before this byte?
fn ends_word(byte: u8) -> bool {
    byte <= b' ' || b"{}[]();$!?".contains(&byte)
}

fn until(text: &[u8], at: usize, ends: impl Fn(u8) -> bool) -> usize {
    text[at..].iter().position(|&byte| ends(byte)).map_or(text.len(), |length| at + length)
}

/// Where a comment ends: at its first closing brace, or, if it holds opening ones, at as many more as follow with no
/// opening one between them.
fn comment_end(text: &[u8], start: usize) -> usize {
    let mut end = until(text, start, |byte| byte == b'}');
    let opened = text[start + 1..end].iter().filter(|&&byte| byte == b'{').count();
    for _ in 0..opened {
        let next = until(text, (end + 1).min(text.len()), |byte| matches!(byte, b'{' | b'}'));
        if text.get(next) != Some(&b'}') {
            break;
        }
        end = next;
    }
    (end + 1).min(text.len())
}

/// Where full stops end, an ellipsis in one character among them.
fn dots_end(text: &[u8], mut at: usize) -> usize {
    loop {
        if text[at..].starts_with(b".") {
            at += 1;
        } else if text[at..].starts_with("…".as_bytes()) {
            at += "…".len();
        } else {
            return at;
        }
    }
}

/// The next piece from `at` on. `digits`: may a word be digits alone?
fn next(text: &[u8], at: usize, digits: bool) -> Option<(Kind, Range<usize>)> {
    let start = until(text, at, |byte| byte > b' ');
    let first = *text.get(start)?;
    let first_column = start == 0 || matches!(text[start - 1], b'\n' | b'\r');
    let is_line_end = |byte| matches!(byte, b'\n' | b'\r');
    let (kind, end) = match first {
        b'(' => (Kind::Open, start + 1),
        b')' => (Kind::Close, start + 1),
        b'{' => (Kind::Aside, comment_end(text, start)),
        b';' => (Kind::Aside, until(text, start, is_line_end)),
        b'%' if first_column => (Kind::Aside, until(text, start, is_line_end)),
        b'$' => (Kind::Aside, until(text, start + 1, |byte| !byte.is_ascii_digit())),
        b'!' | b'?' => (Kind::Aside, until(text, start, |byte| !matches!(byte, b'!' | b'?'))),
        0xe2 if ["‼", "⁇", "⁈", "⁉"]
            .iter()
            .any(|sign| text[start..].starts_with(sign.as_bytes())) =>
        {
            (Kind::Aside, start + 3)
        }
        b'}' | b'[' | b']' => (Kind::Word, start + 1),
        _ if score_bytes(&text[start..]).is_some() => {
            (Kind::Word, start + score_bytes(&text[start..]).unwrap_or(0))
        }
        _ => {
            let digits_end = until(text, start, |byte| !byte.is_ascii_digit());
            let dots = dots_end(text, digits_end);
            let word = until(text, start, ends_word);
            // A text of so many digits is a number only if the replay reports one.
            let few = !is_long(&text[start..digits_end]) || !digits;
            let castles = matches!(&text[start..digits_end], b"00" | b"000" | b"0000");
            if dots > digits_end {
                (Kind::Number, dots)
            } else if word == digits_end && few && !castles {
                (Kind::Number, word)
            } else {
                (Kind::Word, word)
            }
        }
    };
    Some((kind, start..end))
}

/// The length in bytes of the annotation that a text begins with, if it is one character that is kept in its place.
fn sign_bytes(text: &[u8]) -> usize {
    let signs = ["‼", "⁇", "⁈", "⁉", "±", "∓", "⩲", "⩱", "∞", "□", "△", "∆", "⌓"];
    signs.iter().find(|sign| text.starts_with(sign.as_bytes())).map_or(0, |sign| sign.len())
}

/// Where the suffixes end that begin at `at`: annotations, and the backslash before a NAG, stay where they are and are
/// reported only as words of their own; the others are reported always.
fn attached_end<'w>(
    text: &[u8],
    mut at: usize,
    words: &mut Peekable<impl Iterator<Item = &'w Range<usize>>>,
) -> usize {
    loop {
        let is_suffix = |reported: &&Range<usize>| {
            reported.start == at && reported.end > at && !is_null_move(&text[(*reported).clone()])
        };
        if let Some(reported) = words.next_if(is_suffix) {
            at = reported.end;
            continue;
        }
        let is_escape = matches!(text[at..], [b'\\', b'$', b'0'..=b'9', ..]);
        let glyph = usize::from(is_escape || matches!(text.get(at), Some(b'!' | b'?')));
        match glyph + sign_bytes(&text[at..]) {
            0 => return at,
            bytes => at += bytes,
        }
    }
}

/// The length of a score, or of a half of one that is a draw, at the beginning of a text, by a list of all forms.
fn score_bytes(text: &[u8]) -> Option<usize> {
    let halves: [&[u8]; 7] =
        [b"0.5", b"1/2", "1\u{2044}2".as_bytes(), "\u{bd}".as_bytes(), b"\xbd", b"1", b"0"];
    let dashes = "-\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}".chars();
    let dashes = dashes.map(|dash| dash.to_string().into_bytes());
    let mut signs: Vec<Vec<u8>> = dashes.collect();
    signs.extend([vec![0x96], vec![0x97], vec![b':']]);
    let spaces = |at: usize| {
        let space = text[at..].iter().take_while(|&&byte| byte <= b' ').count();
        let space = &text[at..at + space];
        let lines = |end: u8| space.iter().filter(|&&byte| byte == end).count();
        (lines(b'\n') < 2 && lines(b'\r') < 2).then_some(at + space.len())
    };
    let half = |at: usize| {
        let found = halves.iter().find(|half| text[at..].starts_with(half))?;
        let end = at + found.len();
        (!text.get(end).is_some_and(u8::is_ascii_digit)).then_some((*found, end))
    };
    let is_end = |at: usize| text.get(at).is_none_or(|&byte| ends_word(byte));
    let (first, first_end) = half(0)?;
    let scores = spaces(first_end).and_then(|at| {
        let sign = signs.iter().find(|sign| text[at..].starts_with(sign))?;
        let (second, end) = half(spaces(at + sign.len())?)?;
        let marks = ["forfeit", "ff", "f"].into_iter().find_map(|mark| {
            let space = text[end..].iter().take_while(|byte| b" \t".contains(byte)).count();
            let mark_end = end + space + mark.len();
            let found = text.get(end + space..mark_end)?;
            (found.eq_ignore_ascii_case(mark.as_bytes()) && is_end(mark_end)).then_some(mark_end)
        });
        let dot = end + usize::from(text.get(end) == Some(&b'.'));
        let castles = first == b"0" && second == b"0" && sign != b":";
        marks.or(Some(dot).filter(|&end| is_end(end) && !castles))
    });
    let dot = first_end + usize::from(text.get(first_end) == Some(&b'.'));
    let alone = first.len() > 1 && first != b"0.5" || first == b"\xbd";
    scores.or((alone && is_end(dot)).then_some(dot))
}

fn is_result(word: &[u8]) -> bool {
    word == b"*" || score_bytes(word) == Some(word.len())
}

fn value(word: &[u8]) -> Option<u32> {
    let digits = &word[..until(word, 0, |byte| !byte.is_ascii_digit())];
    let number = |digits: &[u8]| std::str::from_utf8(digits).ok()?.parse().ok();
    // A number too large for a counter is no move number.
    if digits.is_empty() { None } else { Some(number(digits).unwrap_or(u32::MAX)) }
}

/// A line of play: the number of its next move, the side to move, and the text that its last move replaced.
#[derive(Clone, Copy)]
struct Line {
    next: (u32, Color),
    last: (u32, Color),
    numbered: bool,
}

impl Line {
    /// A move number was read; `dotted`: with a full stop.
    fn number(&mut self, number: u32, dotted: bool, word: &[u8], numbers: &mut Numbers) {
        let wrong = number != self.next.0;
        let is_move = wrong && !dotted && is_long(word);
        assert!(!is_move, "{} is passed over as a number", word.escape_ascii());
        numbers.wrong += u64::from(wrong);
        self.numbered = true;
    }
}

/// So many digits are a move in some notations.
fn is_long(digits: &[u8]) -> bool {
    digits.len() > 3
}

fn turn_of(position: &Position) -> (u32, Color) {
    (position.fullmove_number(), position.turn())
}

/// Takes the movetext of a game apart that was not rejected, from `at` to the end of `text`. `result`: its result.
///
/// # Panics
/// If a byte of a word was not reported, or a ply is reported where there is no word.
pub fn account(
    text: &[u8],
    at: usize,
    start: &Position,
    (plies, words): (&[ReportedPly], &[Range<usize>]),
    digits: bool,
    result: Option<Range<usize>>,
) -> Numbers {
    let mut numbers = Numbers::default();
    let mut line = Line { next: turn_of(start), last: turn_of(start), numbered: false };
    let (mut stack, mut at) = (Vec::new(), at);
    let (mut plies, mut words) = (plies.iter().peekable(), words.iter().peekable());
    while let Some((kind, place)) = next(text, at, digits) {
        at = place.end;
        let word = &text[place.clone()];
        // The result of the game is one whatever else its text could be.
        if let Some(result) = result.clone().filter(|result| result.start == place.start) {
            words.next_if(|reported| reported.start == place.start);
            at = result.end;
            continue;
        }
        match kind {
            Kind::Aside => {}
            Kind::Open => {
                stack.push(line);
                line = Line { next: line.last, last: line.last, numbered: false };
            }
            // `1)`.
            Kind::Close if stack.is_empty() => assert!(text[place.start - 1].is_ascii_digit()),
            Kind::Close => {
                line = stack.pop().expect("opened");
                line.numbered = true;
            }
            Kind::Number => {
                if let Some(number) = value(word) {
                    let dotted = !word.iter().all(u8::is_ascii_digit);
                    line.number(number, dotted, word, &mut numbers);
                }
            }
            Kind::Word if word == b"[" => {
                // A tag pair among the moves: to the last bracket of its line, or to the end of it.
                let end = until(text, at, |byte| matches!(byte, b'\n' | b'\r'));
                let usual = pgnmill_core::pgn::TagPair::read(text, place.start);
                at = usual.map_or(end, |pair| pair.end);
            }
            Kind::Word if is_result(word) => {
                if words.peek().is_some_and(|reported| reported.start == place.start) {
                    words.next();
                }
            }
            Kind::Word => {
                let of_ply = plies.next_if(|ply| ply.place.start < place.end);
                let reported = match of_ply {
                    Some(ply) => &ply.place,
                    None => {
                        words.next_if(|reported| reported.start < place.end).unwrap_or_else(|| {
                            panic!(
                                "{} is passed over in {}",
                                word.escape_ascii(),
                                text.escape_ascii()
                            )
                        })
                    }
                };
                assert!(
                    reported.start >= place.start && reported.end <= text.len(),
                    "{} at {place:?}, reported {reported:?} in {}",
                    word.escape_ascii(),
                    text.escape_ascii()
                );
                // A number may precede it.
                let before = &text[place.start..reported.start];
                assert!(before.iter().all(u8::is_ascii_digit), "{}", word.escape_ascii());
                if let Some(number) = value(before) {
                    numbers.stuck += 1;
                    line.number(number, false, before, &mut numbers);
                }
                at = reported.end;
                at = attached_end(text, at, &mut words);
                if let Some(ply) = of_ply {
                    assert_eq!(turn_of(&ply.before), line.next, "{}", word.escape_ascii());
                    let white = ply.before.turn() == Color::White;
                    numbers.missing += u64::from(white && !line.numbered);
                    line = Line { next: turn_of(&ply.after), last: line.next, numbered: false };
                } else if is_null_move(&text[reported.clone()]) {
                    let (number, color) = line.next;
                    let next = (number + u32::from(color == Color::Black), color.other());
                    line = Line { next, last: line.next, numbered: false };
                }
            }
        }
    }
    assert!(stack.is_empty() && plies.next().is_none(), "told beyond its end");
    numbers
}

fn is_null_move(word: &[u8]) -> bool {
    matches!(word, b"--" | b"Z0" | b"@@@@" | b"0000" | b"null" | b"pass")
}

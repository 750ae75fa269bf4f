//! The result of a game, in the form of the standard and in all forms that archives have.
//!
//! In: text. Out: an [`Outcome`], or where a result ends. One grammar: two points of `1`, `0`, `½`, `1/2` and `0.5`
//! with a hyphen, a dash, a minus sign or a colon between them; a draw as one of its halves, or as a word; and, for
//! games that were not played, two of `+`, `-` and `=`, with `/` or one of these between them. Whitespace may be around
//! the character in the middle, a line end on each side at most; `F` or `ff` (forfeit), or a full stop, may follow
//! points. Points that are no outcome of the standard (`0-0`, `1/2-0`) are [`Outcome::Unknown`].
//! `docs/reference/games.md` has the table. Cost: a few comparisons, and whitespace once.

use pgnmill_io::archive::blanks::blank_bytes;

/// The result of a game (PGN standard 8.2.6).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`
    Unknown,
}

impl Outcome {
    /// The form of the standard.
    pub const fn canonical(self) -> &'static str {
        match self {
            Outcome::WhiteWins => "1-0",
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Unknown => "*",
        }
    }

    /// Reads a result in the form of the standard.
    pub fn from_canonical(text: &[u8]) -> Option<Outcome> {
        match text {
            b"1-0" => Some(Outcome::WhiteWins),
            b"0-1" => Some(Outcome::BlackWins),
            b"1/2-1/2" => Some(Outcome::Draw),
            b"*" => Some(Outcome::Unknown),
            _ => None,
        }
    }

    /// Reads a result in any form that occurs in archives, with whitespace around it. A score that is none of the
    /// standard's four, such as `0-0`, is [`Outcome::Unknown`].
    ///
    /// ```
    /// use pgnmill_core::pgn::Outcome;
    /// assert_eq!(Outcome::from_any("½ – ½".as_bytes()), Some(Outcome::Draw));
    /// assert_eq!(Outcome::from_any(b"+:-"), Some(Outcome::WhiteWins));
    /// assert_eq!(Outcome::from_any(b"0-0"), Some(Outcome::Unknown));
    /// assert_eq!(Outcome::from_any(b"2-1"), None);
    /// ```
    pub fn from_any(text: &[u8]) -> Option<Outcome> {
        Outcome::from_canonical(text).or_else(|| {
            let text = text.trim_ascii();
            let score = Score::read(text, 0).filter(|score| score.end == text.len());
            score.map(Score::outcome).or_else(|| Outcome::from_canonical(text))
        })
    }
}

/// One half of a score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Half {
    One,
    Zero,
    Draw,
    Plus,
    Minus,
}

/// A result that was read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Score {
    halves: [Half; 2],
    /// Can the text be castling, `0-0`, perhaps with spaces?
    castles: bool,
    /// The byte after its last.
    pub(crate) end: usize,
}

impl Score {
    /// Reads a score or a word for one at byte `at`; `None` if none that ends as a word does begins there.
    pub(crate) fn read(text: &[u8], at: usize) -> Option<Score> {
        match text.get(at)? {
            b'+' | b'-' | b'=' => read_signs(text, at),
            b'd' | b'D' => read_draw(text, at),
            0xe2 => read_signs(text, at),
            b'(' => read_bracketed(text, at),
            _ => read_points(text, at),
        }
    }

    /// Reads a score that can be nothing else: no castling, no assessment of a position.
    #[inline]
    pub(crate) fn read_certain(text: &[u8], at: usize) -> Option<Score> {
        read_points(text, at).filter(|score| !score.castles)
    }

    /// Reads a score whose halves are in brackets, at an opening one.
    #[inline]
    pub(crate) fn read_in_brackets(text: &[u8], at: usize) -> Option<Score> {
        let may_be = matches!(text.get(at + 1), Some(b'+' | b'-' | b'='));
        if may_be { read_bracketed(text, at) } else { None }
    }

    /// The outcome.
    pub(crate) fn outcome(self) -> Outcome {
        match self.halves {
            [Half::One, Half::Zero] | [Half::Plus, Half::Minus] => Outcome::WhiteWins,
            [Half::Zero, Half::One] | [Half::Minus, Half::Plus] => Outcome::BlackWins,
            [Half::Draw, Half::Draw] => Outcome::Draw,
            _ => Outcome::Unknown,
        }
    }

    /// Have two texts the same score, `0-0` and `0:0`, or `+/-` and `+--`?
    pub(crate) fn is_same(self, other: Score) -> bool {
        self.halves == other.halves
    }

    /// Can the text be castling?
    pub(crate) fn castles(self) -> bool {
        self.castles
    }
}

/// `1-0`, `½ – ½`, `1/2:1/2`, `0-0F`; or `½` alone.
#[inline]
fn read_points(text: &[u8], at: usize) -> Option<Score> {
    let (first, first_end) = points(text, at)?;
    if let Some((separator, separator_end)) = between(text, first_end, separator)
        && let Some((second, end)) = points(text, separator_end)
        && let Some((marked, end)) = score_end(text, end)
    {
        let castles = [first, second] == [Half::Zero; 2] && separator != b':' && !marked;
        return Some(Score { halves: [first, second], castles, end });
    }
    let is_draw = first == Half::Draw && text[at] != b'0';
    let end = first_end + usize::from(text.get(first_end) == Some(&b'.'));
    (is_draw && ends(text, end)).then_some(Score { halves: [Half::Draw; 2], castles: false, end })
}

/// `+/-`, `- : +`, `+--`, `=`.
#[inline(never)]
fn read_signs(text: &[u8], at: usize) -> Option<Score> {
    let (first, first_end) = sign(text, at)?;
    let score = |second, end| Score { halves: [first, second], castles: false, end };
    let sign_separator = |text: &[u8], at: usize| match text.get(at)? {
        b'/' => Some((b'/', at + 1)),
        _ => separator(text, at),
    };
    // `+--` is `+` and `-` with a hyphen between them, `+-` has nothing between.
    if let Some((_, separator_end)) = between(text, first_end, sign_separator)
        && let Some((second, end)) = sign(text, separator_end)
        && ends(text, end)
    {
        return is_pair(first, second).then(|| score(second, end));
    }
    if let Some((second, end)) = space_end(text, first_end).and_then(|at| sign(text, at))
        && first != second
        && ends(text, end)
    {
        return is_pair(first, second).then(|| score(second, end));
    }
    (first == Half::Draw && ends(text, first_end)).then(|| score(Half::Draw, first_end))
}

/// `(+)-(-)`, as The Week in Chess marks games that were not played.
#[inline(never)]
fn read_bracketed(text: &[u8], at: usize) -> Option<Score> {
    let half = |at: usize| {
        let (half, end) = (text.get(at) == Some(&b'(')).then(|| sign(text, at + 1))??;
        (text.get(end) == Some(&b')')).then_some((half, end + 1))
    };
    let (first, first_end) = half(at)?;
    let (_, separator_end) = between(text, first_end, separator)?;
    let (second, end) = half(separator_end)?;
    let is_score = is_pair(first, second) && ends(text, end);
    is_score.then_some(Score { halves: [first, second], castles: false, end })
}

/// Both have won or lost by default, or neither.
fn is_pair(first: Half, second: Half) -> bool {
    first != Half::Plus && second != Half::Plus && (first == Half::Draw) == (second == Half::Draw)
        || matches!([first, second], [Half::Plus, Half::Minus] | [Half::Minus, Half::Plus])
}

#[inline(never)]
fn read_draw(text: &[u8], at: usize) -> Option<Score> {
    const WORD: &[u8] = b"draw";
    let end = at + WORD.len();
    let is_word = text.get(at..end)?.eq_ignore_ascii_case(WORD);
    let end = end + usize::from(text.get(end) == Some(&b'.'));
    (is_word && ends(text, end)).then_some(Score { halves: [Half::Draw; 2], castles: false, end })
}

/// The points of one side, and the byte after them.
fn points(text: &[u8], at: usize) -> Option<(Half, usize)> {
    let rest = text.get(at..)?;
    // Two of them in UTF-8, and ½ of Latin-1.
    let halves: [&[u8]; 6] = ["½".as_bytes(), b"\xbd", b"1/2", "1⁄2".as_bytes(), b"0.5", b"0,5"];
    let half = halves.into_iter().find(|half| rest.starts_with(half));
    let (points, end) = match (half, rest.first()?) {
        (Some(half), _) => (Half::Draw, at + half.len()),
        (None, b'1') => (Half::One, at + 1),
        (None, b'0') => (Half::Zero, at + 1),
        _ => return None,
    };
    (!text.get(end).is_some_and(u8::is_ascii_digit)).then_some((points, end))
}

/// What separates points, and the byte after it: a colon, a hyphen, a dash or a minus sign, those of Windows-1252
/// included.
fn separator(text: &[u8], at: usize) -> Option<(u8, usize)> {
    match *text.get(at..)? {
        [b':', ..] => Some((b':', at + 1)),
        [b'-' | 0x96 | 0x97, ..] => Some((b'-', at + 1)),
        [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..] => Some((b'-', at + 3)),
        _ => None,
    }
}

fn sign(text: &[u8], at: usize) -> Option<(Half, usize)> {
    match text.get(at)? {
        b'+' => Some((Half::Plus, at + 1)),
        b'=' => Some((Half::Draw, at + 1)),
        _ => {
            separator(text, at).filter(|&(kind, _)| kind == b'-').map(|(_, end)| (Half::Minus, end))
        }
    }
}

/// What `read` reads after whitespace, and the byte after the whitespace that follows it.
fn between<T>(
    text: &[u8],
    at: usize,
    read: impl Fn(&[u8], usize) -> Option<(T, usize)>,
) -> Option<(T, usize)> {
    let (found, end) = read(text, space_end(text, at)?)?;
    // At the end of the text nothing follows.
    Some((found, space_end(text, end)?))
}

/// Where whitespace from `at` on ends; `None` if an empty line is in it.
fn space_end(text: &[u8], at: usize) -> Option<usize> {
    let mut end = at;
    let (mut feeds, mut returns) = (0, 0);
    while let Some(&byte) = text.get(end) {
        (feeds, returns) = (feeds + u8::from(byte == b'\n'), returns + u8::from(byte == b'\r'));
        end += match byte {
            _ if feeds > 1 || returns > 1 => return None,
            0..=b' ' => 1,
            0x80.. => match blank_bytes(text, end) {
                0 => break,
                bytes => bytes,
            },
            _ => break,
        };
    }
    (at <= text.len()).then_some(end)
}

/// Does a word end at `at`?
fn ends(text: &[u8], at: usize) -> bool {
    text.get(at).is_none_or(|&byte| super::byte_class::ends_word(byte) || blank_bytes(text, at) > 0)
}

/// Where a score ends whose points end at `at`, and whether it is marked as a forfeit: `F`, or `ff` after a space.
fn score_end(text: &[u8], at: usize) -> Option<(bool, usize)> {
    let space = text[at..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    for mark in [&b"forfeit"[..], b"ff", b"f"] {
        let end = at + space + mark.len();
        let found = text.get(at + space..end);
        if found.is_some_and(|found| found.eq_ignore_ascii_case(mark)) && ends(text, end) {
            return Some((true, end));
        }
    }
    let end = at + usize::from(matches!(text.get(at), Some(b'.' | b',')));
    ends(text, end).then_some((false, end))
}

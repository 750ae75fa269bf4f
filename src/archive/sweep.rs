//! The one look that every byte of an archive gets before its game is read: where the next game starts, and how the lines
//! up to there end.
//!
//! In: a text that begins where a game does. Out: the offset of the next start, and [`LineEnds`] of the bytes before it.
//! Cost: vectors of bytes; what is not a line end or the first byte of a line is passed over without a branch.

use super::games::is_start;
use crate::machine::{self, Machine, Task};

/// Line ends of a text, and whether there is a byte beyond ASCII.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineEnds {
    /// Line feeds.
    pub feeds: u64,
    /// Carriage returns.
    pub returns: u64,
    /// Line feeds that follow a carriage return.
    pub pairs: u64,
    /// Is there a byte beyond ASCII?
    pub high: bool,
    /// The last byte was a carriage return.
    pending: bool,
}

impl LineEnds {
    /// Those of a whole text.
    pub fn of(level: machine::Level, text: &[u8]) -> LineEnds {
        level.run(Count(text))
    }

    /// Adds bytes, a bit for each of their feeds, returns and bytes beyond ASCII; `last_bit` is the last byte's.
    #[inline(always)]
    fn add(&mut self, feeds: u64, returns: u64, high: u64, last_bit: u32) {
        self.feeds += u64::from(feeds.count_ones());
        self.high |= high != 0;
        if returns != 0 || self.pending {
            let after_return = returns << 1 | u64::from(self.pending);
            self.returns += u64::from(returns.count_ones());
            self.pairs += u64::from((feeds & after_return).count_ones());
            self.pending = returns >> (last_bit & 63) & 1 != 0;
        }
    }
}

/// The bytes from `at` on, and how many of them are the text's; the last are filled up with zeros.
#[inline(always)]
fn load_filled<M: Machine>(text: &[u8], at: usize) -> Option<(M::Bytes, usize)> {
    if let Some(bytes) = M::load(text, at) {
        return Some((bytes, M::BYTES));
    }
    let rest = text.get(at..)?;
    let mut filled = [0u8; 64];
    filled[..rest.len()].copy_from_slice(rest);
    Some((M::load(&filled, 0)?, rest.len()))
}

struct Count<'t>(&'t [u8]);

impl Task for Count<'_> {
    type Output = LineEnds;

    #[inline(always)]
    fn run<M: Machine>(self) -> LineEnds {
        let (mut ends, mut at) = (LineEnds::default(), 0);
        while let Some((bytes, len)) = load_filled::<M>(self.0, at) {
            let (feeds, returns) = (M::equal(bytes, b'\n'), M::equal(bytes, b'\r'));
            ends.add(M::bits(feeds), M::bits(returns), M::bits(bytes), M::BYTES as u32 - 1);
            at += M::BYTES;
            if len < M::BYTES {
                break;
            }
        }
        ends.pending = false;
        ends
    }
}

/// The first start behind `from`, where a line begins, and the line ends before it.
pub(super) struct NextStart<'t> {
    pub(super) text: &'t [u8],
    pub(super) from: usize,
}

impl Task for NextStart<'_> {
    type Output = (Option<usize>, LineEnds);

    #[inline(always)]
    fn run<M: Machine>(self) -> (Option<usize>, LineEnds) {
        let NextStart { text, from } = self;
        let mut look = Look {
            text,
            // Looked through: what ends in such a line may be the end of no tag pair.
            marked: text.get(from) != Some(&b'['),
            line_begins: 0,
            ends: LineEnds::default(),
        };
        let mut at = from;
        while let Some(bytes) = M::load(text, at) {
            if let Some(start) = look.at::<M>(bytes, at) {
                return (Some(start), look.ends);
            }
            at += M::BYTES;
        }
        let start = load_filled::<M>(text, at).and_then(|(bytes, _)| look.at::<M>(bytes, at));
        (start, look.ends)
    }
}

/// What is known on the way.
struct Look<'t> {
    text: &'t [u8],
    marked: bool,
    /// 1 if a line begins at the next byte.
    line_begins: u64,
    ends: LineEnds,
}

impl Look<'_> {
    /// Looks at the bytes from `at` on; returns the start among them, if there is one. Lines that might open a tag pair are
    /// found by their first byte.
    #[inline(always)]
    fn at<M: Machine>(&mut self, bytes: M::Bytes, at: usize) -> Option<usize> {
        let feeds = M::bits(M::equal(bytes, b'\n'));
        let returns = M::bits(M::equal(bytes, b'\r'));
        let blank = M::or(M::equal(bytes, b' '), M::equal(bytes, b'\t'));
        let bracket = M::or(M::equal(bytes, b'['), M::equal(bytes, 0xEF));
        let mark = M::or(M::equal(bytes, b'%'), M::equal(bytes, b';'));
        let wanted = M::bits(M::or(mark, M::or(blank, bracket)));
        let mut found = ((feeds | returns) << 1 | self.line_begins) & wanted;
        self.line_begins = (feeds | returns) >> (M::BYTES - 1);
        while found != 0 {
            let bit = found.trailing_zeros();
            if self.starts(at + bit as usize) {
                let before = (1u64 << bit) - 1;
                self.ends.add(feeds & before, returns & before, M::bits(bytes) & before, 0);
                self.ends.pending = false;
                return Some(at + bit as usize);
            }
            found &= found - 1;
        }
        self.ends.add(feeds, returns, M::bits(bytes), M::BYTES as u32 - 1);
        None
    }

    /// Does this line start a game? Lines that follow the end of a tag pair at once start none, unless they are marked.
    #[inline(never)]
    fn starts(&mut self, line: usize) -> bool {
        let first = self.text[line];
        if first == b'[' && !self.marked && follows_tag_pair(self.text, line) {
            return false;
        }
        if (first == b'[' && is_usual_start(self.text, line)) || is_start(self.text, line) {
            return true;
        }
        match first {
            b'[' => self.marked = false,
            // A byte order mark may stand before the sign.
            b'%' | b';' | 0xEF => self.marked = true,
            _ => {}
        }
        false
    }
}

/// Does a line that begins with a bracket follow the end of a tag pair at once? Then it starts no game, unless the line before
/// is marked.
#[inline(always)]
fn follows_tag_pair(text: &[u8], at: usize) -> bool {
    let ending = |text: &[u8]| text.ends_with(b"\"]");
    match text[..at] {
        [ref line @ .., b'\r', b'\n'] => ending(line),
        [ref line @ .., b'\n' | b'\r'] => ending(line),
        _ => false,
    }
}

/// An `Event` behind an empty line: it starts a game whatever stands before.
#[inline(always)]
fn is_usual_start(text: &[u8], at: usize) -> bool {
    let (before, from) = text.split_at(at);
    from.starts_with(b"[Event \"") && (before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::Level;

    /// Up to every start, and in the whole, what a count byte by byte says.
    #[test]
    fn line_ends_are_counted_up_to_the_start() {
        let tails = ["\n", "\r\n", "\r", "\n\r", "\r\r\n", "\u{fc}\n", "x"];
        for before in 0..70 {
            for tail in tails {
                let head = format!("[A \"{:before$}\"]{tail}\n1. e4{tail}*\n\n", "");
                let text = format!("{head}[Event \"b\"]\n\n{:before$}*\n", "");
                for level in Level::all() {
                    let (start, ends) = level.run(NextStart { text: text.as_bytes(), from: 0 });
                    assert_eq!(start, Some(head.len()), "{text:?} {level:?}");
                    assert_eq!(ends, slowly(head.as_bytes()), "{head:?} {level:?}");
                    assert_eq!(LineEnds::of(level, text.as_bytes()), slowly(text.as_bytes()));
                }
            }
        }
    }

    fn slowly(text: &[u8]) -> LineEnds {
        let count = |byte: u8| text.iter().filter(|&&other| other == byte).count() as u64;
        LineEnds {
            feeds: count(b'\n'),
            returns: count(b'\r'),
            pairs: text.windows(2).filter(|two| two == b"\r\n").count() as u64,
            high: !text.is_ascii(),
            pending: false,
        }
    }
}

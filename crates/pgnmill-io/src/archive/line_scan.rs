//! The line scan: the only pass over the bytes of an archive before its games are read. It finds the next game start
//! and counts line ends.
//!
//! In: a text that begins where a game does. Out: the offset of the next start, and [`LineEnds`] of the bytes before
//! it. Cost: vectors of bytes; bytes that are neither a line end nor the first of a line take no branch.

use pgnmill_simd::{self, Kernel, Machine};

use super::lines::is_start;

/// The line ends of a text, and whether it has bytes beyond ASCII.
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
}

impl LineEnds {
    /// Those of all of a text.
    pub fn of(level: pgnmill_simd::Level, text: &[u8]) -> LineEnds {
        level.run(Count(text))
    }
}

/// How many bytes are scanned together.
const BLOCK_BYTES: usize = 64;
/// How far ahead of the scan text is fetched into the cache: the processor itself does so within one page (4 KiB).
const PREFETCH_BYTES: usize = 4096;

/// One bit for each byte of a block, the first byte's lowest.
#[derive(Clone, Copy, Default)]
struct Block {
    feeds: u64,
    returns: u64,
    /// Beyond ASCII.
    high: u64,
}

/// The sums of blocks.
#[derive(Default)]
struct Sums {
    feeds: u64,
    returns: u64,
    pairs: u64,
    high: u64,
    /// 1 if the last byte was a carriage return.
    after_return: u64,
}

impl Sums {
    #[inline(always)]
    fn add(&mut self, Block { feeds, returns, high }: Block) {
        let after_return = returns << 1 | self.after_return;
        self.feeds += u64::from(feeds.count_ones());
        self.returns += u64::from(returns.count_ones());
        self.pairs += u64::from((feeds & after_return).count_ones());
        self.high |= high;
        self.after_return = returns >> (BLOCK_BYTES - 1);
    }

    fn ends(&self) -> LineEnds {
        let Sums { feeds, returns, pairs, high, .. } = *self;
        LineEnds { feeds, returns, pairs, high: high != 0 }
    }
}

/// The bytes of a block by class, and a mask of those that `select` selects.
#[inline(always)]
fn classify<M: Machine>(
    bytes: &[u8; BLOCK_BYTES],
    select: impl Fn(M::Bytes) -> M::Bytes,
) -> (Block, u64) {
    let (mut block, mut selected) = (Block::default(), 0);
    for part in 0..BLOCK_BYTES / M::BYTES {
        let shift = part * M::BYTES;
        let Some(bytes) = M::load(bytes, shift) else { break };
        block.feeds |= M::bits(M::equal(bytes, b'\n')) << shift;
        block.returns |= M::bits(M::equal(bytes, b'\r')) << shift;
        block.high |= M::bits(bytes) << shift;
        selected |= M::bits(select(bytes)) << shift;
    }
    (block, selected)
}

/// Can there be a line end in the block (some other control bytes count as line ends), and, if not 0, is there a byte
/// beyond ASCII? Costs a fifth of [`classify`].
#[inline(always)]
fn ends_perhaps<M: Machine>(bytes: &[u8; BLOCK_BYTES]) -> Option<(bool, u64)> {
    let mut all = M::load(bytes, 0)?;
    let mut ends = M::below(all, b'\r' + 1);
    for part in 1..BLOCK_BYTES / M::BYTES {
        let bytes = M::load(bytes, part * M::BYTES)?;
        ends = M::or(ends, M::below(bytes, b'\r' + 1));
        all = M::or(all, bytes);
    }
    Some((M::bits(ends) != 0, M::bits(all)))
}

/// Fewer bytes than a block, filled up with zeros.
#[inline(always)]
fn filled(rest: &[u8]) -> [u8; BLOCK_BYTES] {
    let mut filled = [0; BLOCK_BYTES];
    filled[..rest.len()].copy_from_slice(rest);
    filled
}

struct Count<'t>(&'t [u8]);

impl Kernel for Count<'_> {
    type Output = LineEnds;

    #[inline(always)]
    fn run<M: Machine>(self) -> LineEnds {
        let mut sums = Sums::default();
        let (blocks, rest) = self.0.as_chunks();
        for bytes in blocks {
            sums.add(classify::<M>(bytes, |bytes| bytes).0);
        }
        sums.add(classify::<M>(&filled(rest), |bytes| bytes).0);
        sums.ends()
    }
}

/// The first start after `from`, where a line begins, and the line ends before it.
pub(super) struct NextStart<'t> {
    pub(super) text: &'t [u8],
    pub(super) from: usize,
}

impl Kernel for NextStart<'_> {
    type Output = (Option<usize>, LineEnds);

    #[inline(always)]
    fn run<M: Machine>(self) -> (Option<usize>, LineEnds) {
        let NextStart { text, from } = self;
        let mut scan = LineScan {
            text,
            // In a comment line, a tag pair may seem to end.
            after_comment: text.get(from) != Some(&b'['),
            line_begins: 0,
            sums: Sums::default(),
        };
        let mut at = from.min(text.len());
        loop {
            // No call for most blocks: the vectors to compare with stay in registers.
            if let Some((line, found)) = scan.pass::<M>(&mut at)
                && let Some(start) = scan.first_start_of(line, found)
            {
                return (Some(start), scan.sums.ends());
            }
            if text.len() - at < BLOCK_BYTES {
                break;
            }
        }
        let rest = &text[at..];
        let (block, lines) = scan.lines::<M>(&filled(rest));
        // The zeros are no lines.
        let start =
            scan.first_start_of(at, Candidates { block, lines: lines & ((1 << rest.len()) - 1) });
        (start, scan.sums.ends())
    }
}

/// A block with lines that may start a game.
#[derive(Clone, Copy)]
struct Candidates {
    block: Block,
    /// A mask of their first bytes.
    lines: u64,
}

/// The state of the scan.
struct LineScan<'t> {
    text: &'t [u8],
    after_comment: bool,
    /// 1 if a line begins at the next byte.
    line_begins: u64,
    sums: Sums,
}

impl LineScan<'_> {
    /// Scans the whole blocks from `at` on, up to one with a line that must be checked; `at` is then after it. Returns
    /// where that block begins, and its lines.
    #[inline(always)]
    fn pass<M: Machine>(&mut self, at: &mut usize) -> Option<(usize, Candidates)> {
        loop {
            let begin = *at;
            let bytes = self.text.get(begin..)?.first_chunk()?;
            M::prefetch(self.text, begin + PREFETCH_BYTES);
            let (block, lines) = self.lines::<M>(bytes);
            *at = begin + BLOCK_BYTES;
            // Mostly all of them are within tags. If not, they are checked one by one: a comment line affects the next
            // one.
            if lines != 0
                && (self.after_comment || lines & !within_tags::<M>(self.text, begin) != 0)
            {
                return Some((begin, Candidates { block, lines }));
            }
            self.sums.add(block);
            if block.feeds | block.returns == 0 {
                self.pass_without_ends::<M>(at);
            }
        }
    }

    /// Skips the blocks from `at` on, within a line, up to one with a possible line end.
    #[inline(always)]
    fn pass_without_ends<M: Machine>(&mut self, at: &mut usize) {
        while let Some(bytes) = self.text.get(*at..).and_then(|rest| rest.first_chunk())
            && let Some((false, high)) = ends_perhaps::<M>(bytes)
        {
            self.sums.high |= high;
            M::prefetch(self.text, *at + PREFETCH_BYTES);
            *at += BLOCK_BYTES;
        }
    }

    /// The classes of a block, and the lines that may open a tag pair or are comments, by their first byte.
    #[inline(always)]
    fn lines<M: Machine>(&mut self, bytes: &[u8; BLOCK_BYTES]) -> (Block, u64) {
        let (block, select) = classify::<M>(bytes, |bytes| {
            // Whitespace and `%`; the bytes between them begin a line so seldom that they may be checked in vain.
            let low = M::below(bytes, b'%' + 1);
            M::or(low, M::or(M::equal(bytes, b';'), M::equal(bytes, b'[')))
        });
        let ends = block.feeds | block.returns;
        // Beyond ASCII there is the byte order mark.
        let lines = (ends << 1 | self.line_begins) & (select | block.high) & !ends;
        self.line_begins = ends >> (BLOCK_BYTES - 1);
        (block, lines)
    }

    /// The first line of a block that starts a game; adds up the block, or what of it comes before.
    #[inline(never)]
    fn first_start_of(
        &mut self,
        at: usize,
        Candidates { block, mut lines }: Candidates,
    ) -> Option<usize> {
        while lines != 0 {
            let bit = lines.trailing_zeros();
            let line = at + bit as usize;
            if !self.is_within_tags(line) && self.starts(line) {
                let before = (1u64 << bit) - 1;
                let Block { feeds, returns, high } = block;
                let (feeds, returns) = (feeds & before, returns & before);
                self.sums.add(Block { feeds, returns, high: high & before });
                return Some(line);
            }
            lines &= lines - 1;
        }
        self.sums.add(block);
        None
    }

    /// Is it a line that opens a bracket directly after the end of a tag pair, as most do? It starts no game, unless
    /// the line before is a comment.
    #[inline(always)]
    fn is_within_tags(&self, line: usize) -> bool {
        !self.after_comment && self.text[line] == b'[' && follows_tag_pair(self.text, line)
    }

    /// Does this line, which is not within tags, start a game?
    fn starts(&mut self, line: usize) -> bool {
        let first = self.text[line];
        if (first == b'[' && is_usual_start(self.text, line)) || is_start(self.text, line) {
            return true;
        }
        match first {
            b'[' => self.after_comment = false,
            // A byte order mark may be before the `%` or `;`.
            b'%' | b';' | 0xEF => self.after_comment = true,
            _ => {}
        }
        false
    }
}

/// The bytes of the block at `begin` that are brackets and follow `"]` and a line end with a line feed: for
/// most lines of a block the same as [`LineScan::is_within_tags`], for all of them together.
#[inline(always)]
fn within_tags<M: Machine>(text: &[u8], begin: usize) -> u64 {
    const BEFORE_BYTES: usize = 4;
    let seen = begin.checked_sub(BEFORE_BYTES).and_then(|from| text.get(from..));
    let Some(seen) = seen.and_then(|seen| seen.first_chunk::<{ BEFORE_BYTES + BLOCK_BYTES }>())
    else {
        return 0;
    };
    let mut within = 0;
    for shift in (0..BLOCK_BYTES).step_by(M::BYTES) {
        let is = |before, byte| Some(M::equal(M::load(seen, BEFORE_BYTES + shift - before)?, byte));
        let found = || {
            let closed = M::and(is(2, b']')?, is(3, b'"')?);
            let with_return = M::and(is(2, b'\r')?, M::and(is(3, b']')?, is(4, b'"')?));
            let opens = M::and(is(0, b'[')?, is(1, b'\n')?);
            Some(M::bits(M::and(opens, M::or(closed, with_return))))
        };
        within |= found().unwrap_or(0) << shift;
    }
    within
}

/// Is a line directly after the end of a tag pair?
#[inline(always)]
fn follows_tag_pair(text: &[u8], at: usize) -> bool {
    let before = &text[..at];
    match before.last_chunk() {
        Some(&[b'"', b']', b'\r', b'\n'] | &[_, b'"', b']', b'\n' | b'\r']) => true,
        Some(_) => false,
        None => matches!(before, [b'"', b']', b'\n' | b'\r']),
    }
}

/// Is it an `Event` after an empty line? It starts a game whatever is before.
#[inline(always)]
fn is_usual_start(text: &[u8], at: usize) -> bool {
    let (before, from) = text.split_at(at);
    from.starts_with(b"[Event \"") && (before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgnmill_simd::Level;

    /// Up to every start, and in all of the text, the same as a count byte by byte.
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
        }
    }
}

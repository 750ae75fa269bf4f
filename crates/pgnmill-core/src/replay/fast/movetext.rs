//! The fast path of movetext: canonical SAN between spaces, move numbers with full stops, comments in braces.
//!
//! In: a line of play and the offset of its next token. Out: plies, and the offset at which the general loop of
//! `moves.rs` continues. At anything else the fast path ends, before it, so that it decides nothing otherwise than
//! the loop would. White's plies and Black's are two copies of the same code, so that the side to move is known to
//! the compiler and each side's positions stay in one slot. Cost: each byte once; no token is made.

use pgnmill_simd::{self, Kernel, Level, Machine};

use crate::chess::rules::Standard;
use crate::chess::{Color, Move, Position, Role};
use crate::notation::packed_san;
use crate::notation::{Check, CheckSuffix, Ply, san};

use super::super::line::{Line, PositionSlot};
use super::super::visitor::{Erased, Ignore};
use super::super::{ReplayVisitor, Replayer};
use super::numbers::{Expected, NumberText, number_end};

/// Bytes of the longest canonical text.
const RARE_BYTES_MAX: usize = 10;

/// So many bytes are loaded for a number and a move.
const WINDOW_BYTES: usize = 16;

/// So many bytes are loaded for a comment, a space, a number and a move; the comment ends in the first 64.
const COMMENT_WINDOW_BYTES: usize = 96;

impl Replayer<'_> {
    /// Replays movetext from byte `at` as far as the fast path leads; returns where the general loop continues.
    /// `depth`: how deep in variations.
    #[inline]
    pub(in crate::replay) fn fast_movetext(
        &mut self,
        line: &mut Line<Standard>,
        text: &[u8],
        at: usize,
        depth: usize,
        visitor: &mut impl ReplayVisitor,
    ) -> usize {
        let run = |stretch: Stretch<'_, _>, level: Level| {
            level.run_fastest(stretch).unwrap_or_else(|stretch| stretch.on_slow_level(level))
        };
        self.stretch(line, text, (at, depth), visitor, run)
    }

    /// The fast path without a visitor, compiled for all levels.
    pub(in crate::replay) fn fast_movetext_without_plies(
        &mut self,
        line: &mut Line<Standard>,
        text: &[u8],
        at: usize,
        depth: usize,
    ) -> usize {
        let run = |stretch: Stretch<'_, _>, level: Level| level.run(stretch);
        self.stretch(line, text, (at, depth), &mut Ignore, run)
    }

    #[inline(always)]
    fn stretch<V: ReplayVisitor>(
        &mut self,
        line: &mut Line<Standard>,
        text: &[u8],
        (at, depth): (usize, usize),
        visitor: &mut V,
        run: impl FnOnce(Stretch<'_, V>, Level) -> usize,
    ) -> usize {
        let plies_before = line.ply;
        let numbers_spaced = &mut self.numbers_spaced;
        let stretch = Stretch { line: &mut *line, text, at, depth, numbers_spaced, visitor };
        let at = run(stretch, self.level);
        let plies = line.ply - plies_before;
        if depth == 0 {
            self.state.plies += plies;
        } else {
            self.state.variation_plies += plies;
        }
        at
    }
}

/// Movetext from one entry of the fast path to its end.
struct Stretch<'l, V> {
    line: &'l mut Line<Standard>,
    text: &'l [u8],
    at: usize,
    depth: usize,
    numbers_spaced: &'l mut bool,
    visitor: &'l mut V,
}

impl<V: ReplayVisitor> Stretch<'_, V> {
    /// Runs it on a level whose speed matters little: all visitors share its code.
    #[cold]
    fn on_slow_level(self, level: Level) -> usize {
        let Stretch { line, text, at, depth, numbers_spaced, visitor } = self;
        erased_stretch(
            Stretch { line, text, at, depth, numbers_spaced, visitor: &mut Erased(visitor) },
            level,
        )
    }
}

#[inline(never)]
fn erased_stretch(stretch: Stretch<'_, Erased<'_>>, level: Level) -> usize {
    level.run(stretch)
}

impl<V: ReplayVisitor> Kernel for Stretch<'_, V> {
    type Output = usize;

    #[inline(always)]
    fn run<M: Machine>(self) -> usize {
        let Stretch { line, text, at, depth, numbers_spaced, visitor } = self;
        let white_first = line.position().turn() == Color::White;
        let (numbered, last) = (line.numbered && white_first, [0; WINDOW_BYTES]);
        let expected = Expected::new(line.position().fullmove_number(), *numbers_spaced);
        let mut walk = Walk { text, at, depth, expected, numbered, visitor, last };
        let first = ply_index(line.position());
        let has_lineage = line.has_lineage();
        let (now, other) = line.slots();
        let (white, black) = if white_first { (now, other) } else { (other, now) };
        let last = if has_lineage {
            walk.along::<M, true>(white, black, white_first)
        } else {
            walk.along::<M, false>(white, black, white_first)
        };
        let Walk { at, expected, numbered, .. } = walk;
        *numbers_spaced = expected.is_spaced();
        line.advance_by(last.wrapping_sub(first), numbered);
        // The text may end without the space after the last move.
        at.min(text.len())
    }
}

/// The state of the fast path.
struct Walk<'l, V> {
    text: &'l [u8],
    at: usize,
    depth: usize,
    /// The number of the next move. The position has it too, but the text need not wait for the position.
    expected: Expected,
    /// Has it been read? This matters only before a move of White.
    numbered: bool,
    visitor: &'l mut V,
    /// See [`last_window`].
    last: [u8; WINDOW_BYTES],
}

impl<V: ReplayVisitor> Walk<'_, V> {
    /// Plies by turns, as far as possible; White moves from one slot to the other, Black back. Returns the index of
    /// the ply at which it ends.
    #[inline(always)]
    fn along<M: Machine, const LINEAGE: bool>(
        &mut self,
        mut white: PositionSlot<'_, Standard>,
        mut black: PositionSlot<'_, Standard>,
        mut white_next: bool,
    ) -> u32 {
        loop {
            if white_next && self.ply::<M, LINEAGE, true>(&white, &mut black).is_none() {
                return ply_index(white.position);
            }
            if self.ply::<M, LINEAGE, false>(&black, &mut white).is_none() {
                return ply_index(black.position);
            }
            white_next = true;
        }
    }

    /// One ply, with what precedes it; `None` where the fast path ends.
    #[inline(always)]
    fn ply<M: Machine, const LINEAGE: bool, const WHITE: bool>(
        &mut self,
        now: &PositionSlot<'_, Standard>,
        next: &mut PositionSlot<'_, Standard>,
    ) -> Option<()> {
        let before = &*now.position;
        let (skipped, word) = self.move_word::<M, WHITE>()?;
        let (mv, check, len) = match packed_san::read::<WHITE>(word, before) {
            Some(found) => {
                let next = &mut *next.position;
                let safe = if found.plain.role == Role::Pawn.index() {
                    before.play_plain_into::<M, WHITE, true>(found.plain, next)
                } else {
                    before.play_plain_into::<M, WHITE, false>(found.plain, next)
                };
                if !safe {
                    return None;
                }
                let check = if next.in_check() || found.has_suffix() {
                    checked(found.check_suffix(word)?, next)?
                } else {
                    Check::None
                };
                (found.plain.mv(), check, found.len())
            }
            None => rare(self.text, self.at + skipped, word, before, next.position)?,
        };
        let after = &*next.position;
        let lineage = if LINEAGE { Some(&*now.lineage) } else { None };
        let ply = Ply::new(before, mv, after, check).with_lineage(lineage);
        let span = self.at + skipped..self.at + skipped + len;
        // The space after the move.
        self.at = span.end + 1;
        self.visitor.ply(self.text, span, &ply, self.depth);
        if LINEAGE {
            *next.lineage = now.lineage.after(mv);
        }
        if WHITE {
            self.numbered = false;
        } else {
            self.expected = self.expected.next();
        }
        Some(())
    }

    /// The eight bytes from the next move on, and how many bytes its number has, if nothing else precedes it;
    /// `self.at` is then not advanced. Otherwise whitespace, comments and the number are skipped.
    #[inline(always)]
    fn move_word<M: Machine, const WHITE: bool>(&mut self) -> Option<(usize, u64)> {
        let rest = self.text.get(self.at..)?;
        let window = match rest.first_chunk::<WINDOW_BYTES>() {
            Some(window) => window,
            None => last_window(rest, &mut self.last)?,
        };
        let word = u64_at(window, 0);
        if WHITE {
            let NumberText { text, mask, len } = *self.expected.white()?;
            let next = u64_at(window, len);
            if word as u32 & mask == text && opens_move(next as u8) {
                return Some((len, next));
            }
        } else if opens_move(word as u8) {
            return Some((0, word));
        }
        let word = self.move_word_after::<M, WHITE>(word as u8)?;
        (!WHITE || self.numbered).then_some((0, word))
    }

    /// Reads a move after a comment or a second space, as most archives have it; `first` is the next byte.
    #[inline(always)]
    fn move_word_after<M: Machine, const WHITE: bool>(&mut self, first: u8) -> Option<u64> {
        let known = if WHITE {
            let NumberText { text, mask, len } = *self.expected.white()?;
            NumberText { text: u64::from(text), mask: u64::from(mask), len }
        } else {
            *self.expected.black()?
        };
        let window = self.text.get(self.at..).and_then(|rest| rest.first_chunk());
        if let Some(window) = window
            && let Some((len, word)) = short_after::<M>(window, first, &known)
        {
            self.at += len;
            self.numbered = WHITE;
            return Some(word);
        }
        self.any_move_word::<M, WHITE>()
    }

    #[inline(always)]
    fn any_move_word<M: Machine, const WHITE: bool>(&mut self) -> Option<u64> {
        loop {
            let word = load(self.text, self.at)?;
            let first = word as u8;
            if first <= b' ' {
                self.at += 1;
            } else if first.is_ascii_digit() {
                self.at = number_end(self.text, self.at, word, self.expected)?;
                let spaced = self.text.get(self.at) == Some(&b' ');
                self.expected = self.expected.with_space(spaced);
                self.numbered = WHITE;
            } else if first == b'{' {
                self.at = comment_end::<M>(self.text, self.at)?;
            } else {
                return Some(word);
            }
        }
    }
}

/// The number of plies before a position in a game that begins with move 0; only differences have a meaning.
pub(super) fn ply_index(position: &Position) -> u32 {
    let black = u32::from(position.turn() == Color::Black);
    position.fullmove_number().wrapping_mul(2).wrapping_add(black)
}

/// The last bytes of a text, fewer than a window, filled with spaces, which end a token as the end of the text does.
#[cold]
fn last_window<'w>(
    rest: &[u8],
    window: &'w mut [u8; WINDOW_BYTES],
) -> Option<&'w [u8; WINDOW_BYTES]> {
    *window = [b' '; WINDOW_BYTES];
    window.get_mut(..rest.len())?.copy_from_slice(rest);
    (!rest.is_empty()).then_some(window)
}

/// May a move begin with this byte, and nothing else that the fast path reads?
#[inline(always)]
fn opens_move(byte: u8) -> bool {
    // The characters between capitals and small letters are rejected later.
    matches!(byte, b'A'..=b'z')
}

#[inline(always)]
fn u64_at(window: &[u8; WINDOW_BYTES], at: usize) -> u64 {
    let mut bytes = [0; 8];
    let at = at & 7;
    bytes.copy_from_slice(&window[at..at + 8]);
    u64::from_le_bytes(bytes)
}

#[inline(always)]
pub(super) fn load(text: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*text.get(at..)?.first_chunk()?))
}

/// A short comment or a space, perhaps another space, the number and a move: how many bytes precede the move, and the
/// eight from there on.
#[inline(always)]
fn short_after<M: Machine>(
    window: &[u8; COMMENT_WINDOW_BYTES],
    first: u8,
    known: &NumberText,
) -> Option<(usize, u64)> {
    let mut at = 0;
    if first == b'{' {
        let mut braces = 0;
        for part in 0..64 / M::BYTES {
            let bytes = M::load(window, part * M::BYTES)?;
            let found = M::or(M::equal(bytes, b'}'), M::equal(bytes, b'{'));
            braces |= M::bits(found) << (part * M::BYTES);
        }
        // The first is the opening brace.
        at = (braces & braces.wrapping_sub(1)).trailing_zeros() as usize & 63;
        if window[at] != b'}' {
            return None;
        }
        at += 1;
    }
    at += usize::from(window[at] <= b' ');
    let number = u64::from_le_bytes(*window.get(at..)?.first_chunk()?);
    if number & known.mask != known.text {
        return None;
    }
    at += known.len & 7;
    let word = u64::from_le_bytes(*window.get(at..)?.first_chunk()?);
    opens_move(word as u8).then_some((at, word))
}

/// The end of a comment without another opening brace.
#[inline(always)]
pub(super) fn comment_end<M: Machine>(text: &[u8], start: usize) -> Option<usize> {
    let brace = |bytes| M::or(M::equal(bytes, b'}'), M::equal(bytes, b'{'));
    let end = pgnmill_simd::find::<M>(text, start + 1, brace)?;
    (text[end] == b'}').then_some(end + 1)
}

/// The check that a move gives, if its check suffix agrees.
#[inline(never)]
pub(super) fn checked(check_suffix: CheckSuffix, after: &Position) -> Option<Check> {
    let check = Check::of(after);
    if check_suffix.deviation(check).is_some() { None } else { Some(check) }
}

/// A canonical move that is not plain: castling, en passant, a promotion, or one longer than eight bytes.
#[inline(never)]
fn rare(
    text: &[u8],
    at: usize,
    word: u64,
    before: &Position,
    next: &mut Position,
) -> Option<(Move, Check, usize)> {
    let rest = &text[at..];
    let len = match packed_san::length(word) {
        Some(len) => len,
        None => rest.iter().take(RARE_BYTES_MAX).position(|&byte| byte <= b' ')?,
    };
    let (mv, check_suffix) = san::read_canonical(&rest[..len], before)?;
    before.play_into(mv, next);
    let check = if next.in_check() || check_suffix != CheckSuffix::None {
        checked(check_suffix, next)?
    } else {
        Check::None
    };
    Some((mv, check, len))
}

#[cfg(test)]
mod tests {
    use super::*;
    use pgnmill_simd::Level;

    struct End<'t>(&'t [u8]);

    impl Kernel for End<'_> {
        type Output = Option<usize>;
        #[inline(always)]
        fn run<M: Machine>(self) -> Option<usize> {
            comment_end::<M>(self.0, 0)
        }
    }

    #[test]
    fn comments_end_at_the_first_brace() {
        for length in 0..100 {
            for filler in [b'y', 0x7f, b'a', 0xf9, 0xfb, 0x80, b' ', 0] {
                let mut text = vec![b'{'];
                text.extend(std::iter::repeat_n(filler, length));
                text.extend(b"} e4 d5 c4 {");
                for level in Level::all() {
                    assert_eq!(level.run(End(&text)), Some(length + 2), "{length} of {filler}");
                }
                text[length + 1] = b'{';
                for level in Level::all() {
                    assert_eq!(level.run(End(&text)), None, "{length} of {filler}");
                }
            }
        }
    }
}

//! The fast path of movetext in any other notation than SAN: canonical texts between spaces, move numbers, comments.
//!
//! In: a line of play, its notation, and the offset of its next token. Out: plies, and the offset at which the general
//! loop of `moves.rs` continues, as for SAN (`movetext.rs`). Invariant: a move is read here only if the general loop
//! reads it with the same move and without any deviation. What may be a result (`0-0`, `+-`) opens no move here, nor
//! does what may be the first move of the next game.
//!
//! Cost: as for SAN, and two calls through tables per ply: the notation reads a window of sixteen bytes by itself
//! ([`Notation::read_at_once`]), and the visitor is called without its type. So the code is compiled once for all
//! notations and visitors. It shares no code with that of SAN but what is called there: generic code for both took
//! 3 % more instructions for SAN.

use pgnmill_simd::{Kernel, Machine};

use crate::chess::rules::Standard;
use crate::chess::{Bitboard, Color, Plain, Position, Role};
use crate::notation::{AT_ONCE_BYTES, AtOnce, Check, CheckSuffix, Digits, Lineage, Notation, Ply};

use super::super::line::{Line, PositionSlot};
use super::super::{ReplayVisitor, Replayer};
use super::movetext::{checked, comment_end, load, ply_index};
use super::numbers::{Expected, NumberText, number_end};

impl Replayer<'_> {
    /// Replays movetext in a notation from byte `at` as far as the fast path leads; returns where the general loop
    /// continues. `depth`: how deep in variations.
    pub(in crate::replay) fn fast_movetext_in(
        &mut self,
        notation: &dyn Notation,
        line: &mut Line<Standard>,
        text: &[u8],
        at: usize,
        depth: usize,
        visitor: &mut dyn ReplayVisitor,
    ) -> usize {
        let plies_before = line.ply;
        let numbers_spaced = &mut self.numbers_spaced;
        let digits = notation.info().digits != Digits::Never;
        let needs_numbers = !self.of_lines;
        let stretch = Stretch {
            notation,
            digits,
            needs_numbers,
            line: &mut *line,
            text,
            at,
            depth,
            numbers_spaced,
            visitor,
        };
        let at = self.level.run(stretch);
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
struct Stretch<'l> {
    notation: &'l dyn Notation,
    digits: bool,
    needs_numbers: bool,
    line: &'l mut Line<Standard>,
    text: &'l [u8],
    at: usize,
    depth: usize,
    numbers_spaced: &'l mut bool,
    visitor: &'l mut dyn ReplayVisitor,
}

impl Kernel for Stretch<'_> {
    type Output = usize;

    #[inline(always)]
    fn run<M: Machine>(self) -> usize {
        let Stretch { notation, digits, needs_numbers, line, text, at, .. } = self;
        let Stretch { depth, numbers_spaced, visitor, .. } = self;
        let white_first = line.position().turn() == Color::White;
        let numbered = line.numbered && white_first;
        let expected = Expected::new(line.position().fullmove_number(), *numbers_spaced);
        let mut walk =
            Walk { notation, digits, needs_numbers, text, at, depth, expected, numbered, visitor };
        let first = ply_index(line.position());
        let has_lineage = line.has_lineage();
        let (now, other) = line.slots();
        let (white, black) = if white_first { (now, other) } else { (other, now) };
        let last = walk.along::<M>(has_lineage, white, black, white_first);
        let Walk { at, expected, numbered, .. } = walk;
        *numbers_spaced = expected.is_spaced();
        line.advance_by(last.wrapping_sub(first), numbered);
        // The text may end without the space after the last move.
        at.min(text.len())
    }
}

/// The state of the fast path.
struct Walk<'l> {
    notation: &'l dyn Notation,
    /// May texts begin with a digit?
    digits: bool,
    /// Is a move of White without a number left to the general loop, which notes it?
    needs_numbers: bool,
    text: &'l [u8],
    at: usize,
    depth: usize,
    /// The number of the next move.
    expected: Expected,
    /// Has it been read? This matters only before a move of White.
    numbered: bool,
    visitor: &'l mut dyn ReplayVisitor,
}

impl Walk<'_> {
    /// Plies by turns, as far as possible; White moves from one slot to the other, Black back. Returns the index of
    /// the ply at which it ends.
    #[inline(always)]
    fn along<M: Machine>(
        &mut self,
        lineage: bool,
        mut white: PositionSlot<'_, Standard>,
        mut black: PositionSlot<'_, Standard>,
        mut white_next: bool,
    ) -> u32 {
        loop {
            if white_next {
                if self.ply::<M, true>(lineage, &white, &mut black).is_none() {
                    return ply_index(white.position);
                }
            } else if self.ply::<M, false>(lineage, &black, &mut white).is_none() {
                return ply_index(black.position);
            }
            white_next = !white_next;
        }
    }

    /// One ply, with what precedes it; `None` where the fast path ends.
    #[inline(always)]
    fn ply<M: Machine, const WHITE: bool>(
        &mut self,
        has_lineage: bool,
        now: &PositionSlot<'_, Standard>,
        next: &mut PositionSlot<'_, Standard>,
    ) -> Option<()> {
        let before = &*now.position;
        let (text, at) = (self.text, self.move_start::<M, WHITE>()?);
        let is_first = !WHITE && self.depth == 0 && before.fullmove_number() == 1;
        if is_first && may_begin_game(text, at) {
            return None;
        }
        let lineage = if has_lineage { Some(&*now.lineage) } else { None };
        let AtOnce { mv, check_suffix, bytes } = read(self.notation, text, at, before, lineage)?;
        let after = &mut *next.position;
        if mv.is_plain() {
            let from = Bitboard::of(mv.origin()).0;
            let plain = Plain::new(mv.role_index(), from, mv.target().index());
            let safe = if plain.role == Role::Pawn.index() {
                before.play_plain_into::<M, WHITE, true>(plain, after)
            } else {
                before.play_plain_into::<M, WHITE, false>(plain, after)
            };
            if !safe {
                return None;
            }
        } else {
            before.play_into(mv, after);
        }
        let is_marked = !matches!(check_suffix, CheckSuffix::None | CheckSuffix::Unspecified);
        let check =
            if after.in_check() || is_marked { checked(check_suffix, after)? } else { Check::None };
        let ply = Ply::new(before, mv, after, check).with_lineage(lineage);
        let span = at..at + usize::from(bytes);
        // The space after the move.
        self.at = span.end + 1;
        self.visitor.ply(text, span, &ply, self.depth);
        if has_lineage {
            *next.lineage = now.lineage.after(mv);
        }
        if WHITE {
            self.numbered = false;
        } else {
            self.expected = self.expected.next();
        }
        Some(())
    }

    /// The offset of the next move. What precedes it, if more than its number, is skipped for good.
    #[inline(always)]
    fn move_start<M: Machine, const WHITE: bool>(&mut self) -> Option<usize> {
        if WHITE {
            let NumberText { text, mask, len } = *self.expected.white()?;
            if load(self.text, self.at)? as u32 & mask == text && self.opens_move(self.at + len) {
                return Some(self.at + len);
            }
        } else if self.opens_move(self.at) {
            return Some(self.at);
        }
        self.skip::<M, WHITE>()?;
        (!WHITE || self.numbered || !self.needs_numbers).then_some(self.at)
    }

    /// Skips whitespace, numbers and comments before a move.
    #[inline(always)]
    fn skip<M: Machine, const WHITE: bool>(&mut self) -> Option<()> {
        loop {
            let first = *self.text.get(self.at)?;
            if first <= b' ' {
                self.at += 1;
            } else if self.opens_move(self.at) {
                return Some(());
            } else if first.is_ascii_digit() {
                let word = load(self.text, self.at)?;
                self.at = number_end(self.text, self.at, word, self.expected)?;
                let spaced = self.text.get(self.at) == Some(&b' ');
                self.expected = self.expected.with_space(spaced);
                self.numbered = WHITE;
            } else if first == b'{' {
                self.at = comment_end::<M>(self.text, self.at)?;
            } else {
                return None;
            }
        }
    }

    /// May a move begin here, and nothing else that is read here?
    #[inline(always)]
    fn opens_move(&self, at: usize) -> bool {
        match self.text.get(at) {
            Some(b'A'..=b'z' | 0x80..) => true,
            // A full stop ends a number.
            Some(b'1'..=b'8') if self.digits => {
                !self.text[at + 1..].iter().take(3).any(|&byte| byte == b'.')
            }
            _ => false,
        }
    }
}

/// Reads the token at byte `at`.
#[inline(always)]
fn read(
    notation: &dyn Notation,
    text: &[u8],
    at: usize,
    position: &Position,
    lineage: Option<&Lineage>,
) -> Option<AtOnce> {
    let rest = text.get(at..)?;
    match rest.first_chunk() {
        Some(window) => notation.read_at_once(window, position, lineage),
        None => read_last(notation, rest, position, lineage),
    }
}

/// Reads a token in the last bytes of a text, whose end ends it as whitespace does.
#[inline(never)]
fn read_last(
    notation: &dyn Notation,
    rest: &[u8],
    position: &Position,
    lineage: Option<&Lineage>,
) -> Option<AtOnce> {
    let mut window = [b' '; AT_ONCE_BYTES];
    window.get_mut(..rest.len())?.copy_from_slice(rest);
    notation.read_at_once(&window, position, lineage)
}

/// May number 1 of White be before byte `at`? Then the next game may begin with it; see `unended.rs`.
#[inline(never)]
fn may_begin_game(text: &[u8], at: usize) -> bool {
    let before = text[..at].trim_ascii_end();
    let number = before.strip_suffix(b".").or_else(|| before.strip_suffix(b")"));
    number.unwrap_or(before).trim_ascii_end().ends_with(b"1")
}

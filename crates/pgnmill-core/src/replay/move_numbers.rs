//! Move numbers: each is compared with the position's.
//!
//! In: a token that is a number, and the line of play. Out: deviations; the side that begins, where the rules leave it
//! open. Cost: a comparison per number.

use std::ops::Range;

use crate::chess::Color;
use crate::pgn::deviation::Deviation;
use crate::pgn::{Token, ends_word};

use super::Replayer;
use super::line::{Line, LineStack};
use super::ruleset::Ruleset;

/// The number that a token begins with; `None` if it begins with no digit.
#[inline(always)]
fn number_of(token: &[u8]) -> Option<u32> {
    let mut number = None;
    for digit in token.iter().take_while(|byte| byte.is_ascii_digit()) {
        let value = number.unwrap_or(0u32).saturating_mul(10);
        number = Some(value.saturating_add(u32::from(digit - b'0')));
    }
    number
}

/// Is the byte at `at` directly after the digits of a number, as the bracket of `1)` is? Only outside variations, where
/// a bracket closes nothing, does that decide.
pub(super) fn ends_number(text: &[u8], at: usize) -> bool {
    let before = &text[..at];
    let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let word = before[..at - digits].last();
    (1..=4).contains(&digits) && word.is_none_or(|&byte| byte != b'$' && ends_word(byte))
}

impl Replayer<'_> {
    /// A number.
    #[inline(always)]
    pub(super) fn number_token<R: Ruleset>(
        &mut self,
        lines: &mut LineStack<R>,
        text: &[u8],
        token: Token,
    ) {
        if R::EITHER_SIDE_BEGINS {
            self.first_number(lines, text, token);
        }
        self.number(&mut lines.line, text, token);
    }

    /// Notes a move of White without a number, unless each game is a line. Returns whether that is accepted.
    #[cold]
    pub(super) fn number_missing(&mut self, ply: u32, span: Range<usize>) -> bool {
        self.of_lines || self.deviate(Deviation::MoveNumberMissing, span, ply)
    }

    #[inline(always)]
    pub(super) fn number<R: Ruleset>(&mut self, line: &mut Line<R>, text: &[u8], token: Token) {
        // Full stops alone, as in `1. ... e5`, continue a number.
        if let Some(number) = number_of(&text[token.start..token.end])
            && !line.dead
        {
            self.numbered(line, text, number, token);
        }
    }

    /// Digits without a full stop, so many that they could be a move: a number only if it is the expected one.
    #[cold]
    pub(super) fn long_number<R: Ruleset>(
        &mut self,
        lines: &mut LineStack<R>,
        text: &[u8],
        token: Token,
    ) {
        let span = token.start..token.end;
        if lines.line.dead {
            return;
        }
        let expected = R::fullmove_number(lines.line.position());
        if number_of(&text[span.clone()]) == Some(expected) {
            self.number(&mut lines.line, text, token);
        } else {
            self.refuse(lines, text, Deviation::MoveUnreadable, span);
        }
    }

    /// A number before the first move, where either side may begin: full stops after it mean Black, unless a record
    /// decides.
    fn first_number<R: Ruleset>(&mut self, lines: &mut LineStack<R>, text: &[u8], token: Token) {
        let written = &text[token.start..token.end];
        let is_blacks = written.ends_with(b"..") || written.ends_with("…".as_bytes());
        let line = &mut lines.line;
        if line.dead || line.ply > 0 || !is_blacks || R::turn(line.position()) == Color::Black {
            return;
        }
        match R::with_black_first(line.position()).filter(|_| !self.state.has_record) {
            Some(position) => line.begin_at(position),
            None => {
                self.deviate(Deviation::MoveNumberWrong, token.start..token.end, 1);
            }
        }
    }

    /// Compares the number of the next move with the position's.
    #[inline(always)]
    fn numbered<R: Ruleset>(&mut self, line: &mut Line<R>, text: &[u8], number: u32, token: Token) {
        line.numbered = true;
        if number != R::fullmove_number(line.position()) {
            self.number_wrong(line, text, token);
        }
    }

    #[cold]
    fn number_wrong<R: Ruleset>(&mut self, line: &mut Line<R>, text: &[u8], token: Token) {
        let span = token.start..token.end;
        if !self.deviate(Deviation::MoveNumberWrong, span.clone(), line.ply + 1) {
            line.dead = true;
        } else if self.state.notes.is_some() {
            let dots = text[span.clone()].trim_ascii_start();
            let digits = dots.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let mut canonical = R::fullmove_number(line.position()).to_string().into_bytes();
            canonical.extend_from_slice(&dots[digits..]);
            self.set_canonical_text(&span, &canonical);
        }
    }
}

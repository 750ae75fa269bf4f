//! The movetext of one game: moves, numbers, variations.

use std::ops::Range;

use crate::chess::{Color, Move};
use crate::notation::{Check, CheckSuffix, MoveText, Notation, Ply, san};
use crate::pgn::deviation::Deviation;
use crate::pgn::{Outcome, TagPair, Token, TokenKind, Tokens, is_digits_of_move};

use super::bounds::begins_anew;
use super::fast::ending::usual_end;
use super::suffixes::{GLYPH_BYTES_MAX, check_suffix_follows};
use super::{Line, ReplayVisitor, Replayer, VARIATION_DEPTH_MAX};

/// The number that a word begins with, if it begins with one.
#[inline(always)]
fn number_of(word: &[u8]) -> Option<u32> {
    let mut number = None;
    for digit in word.iter().take_while(|byte| byte.is_ascii_digit()) {
        let value = number.unwrap_or(0u32).saturating_mul(10);
        number = Some(value.saturating_add(u32::from(digit - b'0')));
    }
    number
}

impl Replayer<'_> {
    /// Replays movetext up to its result or the end of the text, along the main line, which stands at its beginning.
    pub(super) fn moves(
        &mut self,
        line: &mut Line,
        tokens: &mut Tokens<'_>,
        text: &[u8],
        notation: &'static dyn Notation,
        visitor: &mut impl ReplayVisitor,
    ) {
        if notation.is_san() {
            self.movetext::<true>(line, tokens, text, notation, visitor);
        } else {
            self.movetext::<false>(line, tokens, text, notation, visitor);
        }
    }

    /// The same. `SAN` says that the notation is SAN, whose reader is called directly.
    fn movetext<const SAN: bool>(
        &mut self,
        line: &mut Line,
        tokens: &mut Tokens<'_>,
        text: &[u8],
        notation: &'static dyn Notation,
        visitor: &mut impl ReplayVisitor,
    ) {
        if self.state.fault.is_some() {
            line.dead = true;
        }
        loop {
            if SAN && !line.dead && self.fast_path {
                let at = self.lane(line, text, tokens.at(), visitor);
                tokens.go_to(at);
                if self.stack.is_empty()
                    && let Some(result) = usual_end(text, at)
                {
                    tokens.go_to(text.len());
                    self.state.result = Some(result);
                    break;
                }
            }
            let Some(token) = tokens.next() else { break };
            match token.kind {
                TokenKind::Move => {
                    if line.dead {
                        continue;
                    }
                    let word = &text[token.start..token.end];
                    let reading = if SAN {
                        san::read_canonical(word, line.position())
                            .map(|(mv, check_suffix)| (mv, check_suffix, token.start..token.end))
                    } else {
                        None
                    };
                    match reading {
                        Some((mv, check_suffix, place)) => {
                            self.play(line, text, place, mv, check_suffix, visitor);
                        }
                        None => self.word(line, tokens, text, token, notation, visitor),
                    }
                }
                TokenKind::Number if is_digits_of_move(&text[token.start..token.end]) => {
                    self.long_number(line, text, token);
                    if !line.dead {
                        visitor.long_number(text, token.start..token.end);
                    }
                }
                TokenKind::Number => self.number(line, text, token),
                TokenKind::Comment | TokenKind::Nag => {}
                TokenKind::Suffix => {
                    if token.end - token.start > GLYPH_BYTES_MAX {
                        self.glyphs(line, token);
                    }
                }
                TokenKind::LineComment => self.state.comment_line_end = token.end,
                TokenKind::Open => self.open(line, token),
                TokenKind::Close => self.close(line, token),
                TokenKind::Result => {
                    if token.start > 0 && text[token.start - 1].is_ascii_digit() {
                        visitor.non_move(text, token.start..token.end);
                    }
                    if self.stack.is_empty() && self.state.skipped_depth == 0 {
                        let outcome = Outcome::from_any(&text[token.start..token.end]);
                        let outcome = outcome.unwrap_or(Outcome::Unknown);
                        self.state.result = Some((outcome, token.start..token.end));
                        break;
                    }
                    if begins_anew(text, token.end) {
                        self.left_open(line, text, token);
                        break;
                    }
                }
                _ => self.rare_token(line, tokens, text, token),
            }
        }
    }

    /// A result within a variation, and then a new game: the variation is never closed, and spoils this game alone.
    #[cold]
    fn left_open(&mut self, line: &Line, text: &[u8], token: Token) {
        let place = token.start..token.end;
        let outcome = Outcome::from_any(&text[place.clone()]).unwrap_or(Outcome::Unknown);
        self.state.result = Some((outcome, place.clone()));
        self.state.left_open = true;
        if self.state.fault.is_none() {
            self.fail(Deviation::VariationUnclosed, place, line.ply, || {
                "a variation is still open where the game ends".to_string()
            });
        }
    }

    #[cold]
    fn rare_token(&mut self, line: &mut Line, tokens: &mut Tokens<'_>, text: &[u8], token: Token) {
        let place = token.start..token.end;
        match token.kind {
            TokenKind::NumberStuck => {
                self.deviate(Deviation::MoveNumberStuck, place.clone(), line.ply + 1);
                if is_digits_of_move(&text[place]) {
                    self.long_number(line, text, token);
                } else {
                    self.number(line, text, token);
                }
            }
            TokenKind::CommentNested => {
                self.deviate(Deviation::CommentNested, place, line.ply);
            }
            TokenKind::CommentUnclosed => self.comment_unclosed(token),
            TokenKind::Escape => {
                self.state.comment_line_end = token.end;
                self.deviate(Deviation::EscapeLine, place, line.ply);
            }
            TokenKind::Tag => {
                self.deviate(Deviation::TagAfterMoves, place, line.ply);
                if let Some(pair) = TagPair::read(text, token.start) {
                    tokens.go_to(pair.end);
                }
            }
            _ => {
                if !line.dead {
                    self.refuse(line, text, Deviation::MoveUnreadable, place);
                }
            }
        }
        line.dead |= self.state.fault.is_some();
    }

    /// A legal move: plays it and tells the visitor.
    pub(super) fn play(
        &mut self,
        line: &mut Line,
        text: &[u8],
        place: Range<usize>,
        mv: Move,
        check_suffix: CheckSuffix,
        visitor: &mut impl ReplayVisitor,
    ) {
        let (ply, numbered) = (line.ply + 1, line.numbered);
        let (before, after, lineage) = line.play(mv);
        let check = Check::of(after);
        if let Some(odd) = check_suffix.deviation(check)
            && !(check_suffix == CheckSuffix::None && check_suffix_follows(text, place.end))
        {
            if !self.deviate(odd, place.clone(), ply) {
                line.dead = true;
                return;
            }
            self.set_canonical(&Ply::new(before, mv, after, check).with_lineage(lineage), &place);
        }
        if !numbered && before.turn() == Color::White && !self.number_missing(ply, place.clone()) {
            line.dead = true;
            return;
        }
        let depth = self.stack.len();
        let told = Ply::new(before, mv, after, check).with_lineage(lineage);
        visitor.ply(text, place, &told, depth);
        line.note_lineage(mv);
        line.turn();
        self.count_ply(depth);
    }

    /// The move whose text stands at `place`, and was just found to depart from the canonical one, is this.
    #[cold]
    pub(super) fn set_canonical(&mut self, told: &Ply<'_>, place: &Range<usize>) {
        if self.state.notes.is_some() {
            let mut canonical = MoveText::default();
            self.written_in.encode(told, &mut canonical);
            self.set_canonical_text(place, canonical.as_bytes());
        }
    }

    #[inline(always)]
    pub(super) fn count_ply(&mut self, depth: usize) {
        if depth == 0 {
            self.state.plies += 1;
        } else {
            self.state.variation_plies += 1;
        }
    }

    #[cold]
    pub(super) fn number_missing(&mut self, ply: u32, place: Range<usize>) -> bool {
        self.deviate(Deviation::MoveNumberMissing, place, ply)
    }

    #[inline(always)]
    fn number(&mut self, line: &mut Line, text: &[u8], token: Token) {
        // Full stops alone, as in `1. ... e5`, continue a number.
        if let Some(number) = number_of(&text[token.start..token.end])
            && !line.dead
        {
            self.numbered(line, text, number, token);
        }
    }

    /// Digits without a full stop, so many that they could be a move: a number only if it is the one that is expected.
    #[cold]
    fn long_number(&mut self, line: &mut Line, text: &[u8], token: Token) {
        let place = token.start..token.end;
        if line.dead {
            return;
        }
        if number_of(&text[place.clone()]) == Some(line.position().fullmove_number()) {
            self.number(line, text, token);
        } else {
            self.refuse(line, text, Deviation::MoveUnreadable, place);
        }
    }

    /// The next move's number was read.
    #[inline(always)]
    pub(super) fn numbered(&mut self, line: &mut Line, text: &[u8], number: u32, token: Token) {
        line.numbered = true;
        if number != line.position().fullmove_number() {
            self.number_wrong(line, text, token);
        }
    }

    #[cold]
    fn number_wrong(&mut self, line: &mut Line, text: &[u8], token: Token) {
        let place = token.start..token.end;
        if !self.deviate(Deviation::MoveNumberWrong, place.clone(), line.ply + 1) {
            line.dead = true;
        } else if self.state.notes.is_some() {
            let dots = text[place.clone()].trim_ascii_start();
            let digits = dots.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let mut canonical = line.position().fullmove_number().to_string().into_bytes();
            canonical.extend_from_slice(&dots[digits..]);
            self.set_canonical_text(&place, &canonical);
        }
    }

    fn open(&mut self, line: &mut Line, token: Token) {
        let place = token.start..token.end;
        if self.stack.len() == VARIATION_DEPTH_MAX && self.state.fault.is_none() {
            line.dead = true;
            self.fail(Deviation::VariationTooDeep, place.clone(), line.ply, || {
                format!("variations are nested more than {VARIATION_DEPTH_MAX} deep")
            });
        }
        if !line.moved && !line.dead {
            line.dead = true;
            self.fail(Deviation::VariationMisplaced, place, line.ply, || {
                "a variation replaces the move before it, and there is none".to_string()
            });
        }
        // A game that has failed is only skipped to its end: of its depth nothing but the number matters.
        if self.state.fault.is_some() {
            self.state.skipped_depth += 1;
            return;
        }
        self.stack.push(*line);
        *line = line.variation();
    }

    fn close(&mut self, line: &mut Line, token: Token) {
        if self.state.fault.is_some() {
            if self.state.skipped_depth > 0 {
                self.state.skipped_depth -= 1;
            } else {
                self.stack.pop();
            }
            line.dead = true;
            return;
        }
        match self.stack.pop() {
            Some(outer) => {
                *line = outer;
                // The move after a variation may carry its number again or not.
                line.numbered = true;
            }
            None => {
                line.dead = true;
                self.fail(Deviation::VariationUnopened, token.start..token.end, line.ply, || {
                    "a variation is closed that was never opened".to_string()
                });
            }
        }
    }
}

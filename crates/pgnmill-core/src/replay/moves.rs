//! The general movetext loop: moves, numbers, variations, comments, up to the result.
//!
//! In: tokens, and the line of play at its beginning. Out: plies for a [`MovetextVisitor`]; counts, deviations and
//! the result for the game's state. Generic over the [`Ruleset`]: what differs between rules is a call of the trait.
//! At its first fault a game is skipped to its end. Cost: each token once; nothing is allocated except variations and
//! faults.

use std::ops::Range;

use crate::chess::Color;
use crate::notation::{CheckSuffix, MoveText, Notation};
use crate::pgn::deviation::{Deviation, quoted};
use crate::pgn::{Outcome, TagPair, Token, TokenKind, Tokens, is_digits_of_move};

use super::bounds::begins_anew;
use super::fast::ending::usual_end;
use super::line::{Line, LineStack};
use super::move_numbers::ends_number;
use super::odd_result::may_be_result;
use super::ruleset::Ruleset;
use super::suffixes::{GLYPH_BYTES_MAX, check_suffix_follows};
use super::unended::{LineScan, is_first_number};
use super::visitor::{GameVisitor, MovetextVisitor};
use super::{NonPly, Replayer, VARIATION_DEPTH_MAX};

/// What a ruleset can do faster than the general loop; a ruleset without a fast path implements nothing.
pub(super) trait FastPath: Ruleset {
    /// Memory for variations, kept from game to game.
    fn take_buffer(replayer: &mut Replayer<'_>) -> Vec<Line<Self>> {
        let _ = replayer;
        Vec::new()
    }

    /// Keeps it.
    fn keep_buffer(replayer: &mut Replayer<'_>, buffer: Vec<Line<Self>>) {
        let _ = (replayer, buffer);
    }

    /// Is there a fast path, [`MovetextVisitor::fast_path_in`], for notations without one of their own?
    const FOR_ALL_NOTATIONS: bool = false;

    /// Are [`FastPath::read_canonical`] and [`MovetextVisitor::fast_path`] for moves in this notation?
    fn has_fast_path(notation: &dyn Notation) -> bool {
        let _ = notation;
        false
    }

    /// Reads a canonical text at once; `None` leaves it to [`Ruleset::read`].
    fn read_canonical(
        token: &[u8],
        position: &Self::Position,
    ) -> Option<(Self::Move, CheckSuffix)> {
        let _ = (token, position);
        None
    }
}

/// A ruleset whose games are delivered to visitors.
pub(super) trait GameRuleset: FastPath {
    /// The visitor of the movetext of its games.
    fn movetext_visitor(visitor: &mut dyn GameVisitor) -> &mut dyn MovetextVisitor<Self>;
}

/// Bytes of words that mean nothing in a line that is not replayed: letters, digits, `+`, `#`, `=`.
static OF_WORDS: [bool; 256] = {
    let mut of_words = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        of_words[byte] =
            matches!(byte as u8, b'+' | b'#' | b'=') || (byte as u8).is_ascii_alphanumeric();
        byte += 1;
    }
    of_words
};

/// The end of the words and numbers from `at` on that mean nothing in a line that is not replayed: words without other
/// marks, and numbers other than 1 with full stops. Only the time depends on it.
fn plain_end(text: &[u8], mut at: usize) -> usize {
    let after = |mut at: usize, is_of: fn(u8) -> bool| {
        while text.get(at).is_some_and(|&byte| is_of(byte)) {
            at += 1;
        }
        at
    };
    loop {
        let start = after(at, |byte| byte <= b' ');
        let Some(&first) = text.get(start) else { return at };
        let digits = after(start, |byte| byte.is_ascii_digit());
        let end = if digits == start && first.is_ascii_alphabetic() {
            after(start, |byte| OF_WORDS[usize::from(byte)])
        } else if first > b'1' && digits > start || digits > start + 1 && first == b'1' {
            after(digits, |byte| byte == b'.')
        } else {
            return at;
        };
        let is_end = match text.get(end) {
            Some(&byte) => {
                byte <= b' ' || end > digits && digits > start && byte.is_ascii_alphabetic()
            }
            None => false,
        };
        if !is_end || end == digits {
            return at;
        }
        at = end;
    }
}

impl Replayer<'_> {
    /// Replays movetext up to its result or the end of the text, along the main line, which is at its beginning.
    pub(super) fn movetext<R: FastPath>(
        &mut self,
        lines: &mut LineStack<R>,
        tokens: &mut Tokens<'_>,
        text: &[u8],
        visitor: &mut dyn MovetextVisitor<R>,
    ) {
        lines.line.dead |= self.state.fault.is_some();
        if self.of_lines && lines.notation.is_of_pairs() {
            return self.pairs(lines, tokens, text, visitor);
        }
        self.state.scan = LineScan::starting_at(tokens.at());
        if R::has_fast_path(lines.notation) {
            self.token_loop::<R, true>(lines, tokens, text, visitor);
        } else {
            self.token_loop::<R, false>(lines, tokens, text, visitor);
        }
        if let Some(next) = self.state.next {
            tokens.go_to(next);
        }
    }

    /// `FAST`: the ruleset has a fast path of its own for the notation.
    fn token_loop<R: FastPath, const FAST: bool>(
        &mut self,
        lines: &mut LineStack<R>,
        tokens: &mut Tokens<'_>,
        text: &[u8],
        visitor: &mut dyn MovetextVisitor<R>,
    ) {
        loop {
            if self.fast_tokens::<R, FAST>(lines, tokens, text, visitor) {
                break;
            }
            let Some(token) = tokens.next() else { break };
            match token.kind {
                TokenKind::Move => {
                    let end = R::token_end(text, token.start, token.end);
                    let token = Token { end, ..token };
                    tokens.go_to(end);
                    if lines.line.dead {
                        if self.ends_at_fault && self.state.fault.is_some() {
                            break;
                        }
                        self.unstick_result::<R>(tokens, text, token);
                        continue;
                    }
                    let span = token.start..token.end;
                    let read = if FAST {
                        R::read_canonical(&text[span.clone()], lines.line.position())
                    } else {
                        None
                    };
                    match read {
                        Some(read) => self.play(lines, text, span, read, visitor),
                        None if self.odd_token(lines, tokens, text, token, visitor) => break,
                        None => {}
                    }
                }
                TokenKind::Number if is_digits_of_move(&text[token.start..token.end]) => {
                    self.long_number(lines, text, token);
                    if !lines.line.dead {
                        visitor.non_ply(text, token.start..token.end, NonPly::LongNumber);
                    }
                }
                TokenKind::Number if self.ends_at_number(lines, tokens, text, token) => break,
                TokenKind::Number => self.number_token(lines, text, token),
                TokenKind::Suffix if token.end - token.start > GLYPH_BYTES_MAX => {
                    self.glyphs(&mut lines.line, token);
                }
                TokenKind::Nag if token.end - token.start == 1 && !lines.line.dead => {
                    visitor.non_ply(text, token.start..token.end, NonPly::NagWithoutNumber);
                }
                TokenKind::Comment | TokenKind::Nag | TokenKind::Suffix => {}
                TokenKind::LineComment => self.state.comment_line_end = token.end,
                TokenKind::Open => self.open(lines, token),
                TokenKind::Close => self.close(lines, text, token),
                TokenKind::Result => {
                    if token.start > 0 && text[token.start - 1].is_ascii_digit() {
                        visitor.non_ply(text, token.start..token.end, NonPly::NonMove);
                    }
                    if self.result(lines, text, token) {
                        break;
                    }
                }
                _ if self.rare_token(lines, tokens, text, token) => break,
                _ => {}
            }
        }
    }

    /// Reads as far as a fast path leads. Returns whether the game ends there.
    #[inline(always)]
    fn fast_tokens<R: FastPath, const FAST: bool>(
        &mut self,
        lines: &mut LineStack<R>,
        tokens: &mut Tokens<'_>,
        text: &[u8],
        visitor: &mut dyn MovetextVisitor<R>,
    ) -> bool {
        if !(FAST || R::FOR_ALL_NOTATIONS) || !self.fast_path {
            return false;
        }
        if lines.line.dead {
            if R::FOR_ALL_NOTATIONS {
                tokens.go_to(plain_end(text, tokens.at()));
            }
            return false;
        }
        let (depth, notation, line) = (lines.depth(), lines.notation, &mut lines.line);
        // The one of SAN leaves each move without a number to this loop.
        let at = if FAST && !(self.of_lines && R::FOR_ALL_NOTATIONS) {
            visitor.fast_path(self, line, text, tokens.at(), depth)
        } else {
            visitor.fast_path_in(notation, self, line, text, tokens.at(), depth)
        };
        tokens.go_to(at);
        let Some(result) = usual_end(text, at).filter(|_| lines.depth() == 0) else { return false };
        tokens.go_to(text.len());
        self.state.result = Some(result);
        true
    }

    /// A result. Returns whether the movetext ends with it.
    fn result<R: Ruleset>(&mut self, lines: &LineStack<R>, text: &[u8], token: Token) -> bool {
        if lines.depth() == 0 && self.state.skipped_depth == 0 {
            let outcome = Outcome::from_any(&text[token.start..token.end]);
            self.state.result = Some((outcome.unwrap_or(Outcome::Unknown), token.start..token.end));
            return true;
        }
        if begins_anew(text, token.end) {
            self.left_open(lines.line.ply, text, token);
            return true;
        }
        false
    }

    /// A result within a variation, and then a new game: the variation is never closed, which rejects this game alone.
    #[cold]
    fn left_open(&mut self, ply: u32, text: &[u8], token: Token) {
        let span = token.start..token.end;
        let outcome = Outcome::from_any(&text[span.clone()]).unwrap_or(Outcome::Unknown);
        self.state.result = Some((outcome, span.clone()));
        self.state.left_open = true;
        if self.state.fault.is_none() {
            self.fail(Deviation::VariationUnclosed, span, ply, || {
                "a variation is still open where the game ends".to_string()
            });
        }
    }

    /// A token in the place of a move that is not canonical. Returns whether the game ends with it, or before it.
    #[inline(always)]
    fn odd_token<R: FastPath>(
        &mut self,
        lines: &mut LineStack<R>,
        tokens: &mut Tokens<'_>,
        text: &[u8],
        token: Token,
        visitor: &mut dyn MovetextVisitor<R>,
    ) -> bool {
        if self.ends_at_move(lines, tokens, text, token) {
            return true;
        }
        self.move_token(lines, tokens, text, token, visitor);
        // The next game begins after words in the place of a result.
        self.state.next.is_some()
    }

    /// Does the game end with a token in the place of a move that is not canonical, or before it?
    #[inline(always)]
    fn ends_at_move<R: Ruleset>(
        &mut self,
        lines: &LineStack<R>,
        tokens: &mut Tokens<'_>,
        text: &[u8],
        token: Token,
    ) -> bool {
        may_be_result(text, token.start) && self.ends_with_result(lines, tokens, text, token)
            || lines.line.ply == 1 && self.begins_before_move(lines, text, token)
    }

    /// Does the game end with a number, as in `0 - 0`, or before it?
    #[inline(always)]
    fn ends_at_number<R: Ruleset>(
        &mut self,
        lines: &LineStack<R>,
        tokens: &mut Tokens<'_>,
        text: &[u8],
        token: Token,
    ) -> bool {
        is_first_number(text, token) && self.begins_with_number(lines, text, token)
            || text[token.start] == b'0' && self.ends_with_result(lines, tokens, text, token)
    }

    /// Any other token. Returns whether the next game begins there.
    #[cold]
    fn rare_token<R: Ruleset>(
        &mut self,
        lines: &mut LineStack<R>,
        tokens: &mut Tokens<'_>,
        text: &[u8],
        token: Token,
    ) -> bool {
        let span = token.start..token.end;
        match token.kind {
            TokenKind::NumberStuck => {
                if is_first_number(text, token) && self.begins_with_number(lines, text, token) {
                    return true;
                }
                self.deviate(Deviation::MoveNumberStuck, span.clone(), lines.line.ply + 1);
                if is_digits_of_move(&text[span]) {
                    self.long_number(lines, text, token);
                } else {
                    self.number(&mut lines.line, text, token);
                }
            }
            TokenKind::CommentNested => {
                if self.state.fault.is_none() {
                    self.state.comment_with_brace = Some(span.start);
                }
                self.deviate(Deviation::CommentNested, span, lines.line.ply);
            }
            TokenKind::CommentUnclosed => self.comment_unclosed(token),
            TokenKind::Blank => {
                self.deviate(Deviation::WhitespaceUnusual, span, lines.line.ply);
            }
            TokenKind::Escape => {
                self.state.comment_line_end = token.end;
                self.deviate(Deviation::EscapeLine, span, lines.line.ply);
            }
            TokenKind::Tag => self.tags_after_moves(lines, tokens, text, token),
            _ if lines.line.dead => {}
            _ if text[span.start] == b'}' => {
                let why = || "a comment is closed that was never opened".to_string();
                self.fail(Deviation::MoveUnreadable, span, lines.line.ply, why);
            }
            _ if text[span.start] == b'[' && lines.depth() == 0 => {
                let why = || "a bracket outside comments opens no tag pair".to_string();
                self.fail(Deviation::TagUnreadable, span, lines.line.ply, why);
            }
            _ => self.refuse(lines, text, Deviation::MoveUnreadable, span),
        }
        lines.line.dead |= self.state.fault.is_some();
        self.state.next.is_some()
    }

    /// Tag pairs behind movetext, of the next game or of this one.
    fn tags_after_moves<R: Ruleset>(
        &mut self,
        lines: &LineStack<R>,
        tokens: &mut Tokens<'_>,
        text: &[u8],
        token: Token,
    ) {
        let (begins, end) = self.begins_with_tags(lines, text, token.start);
        let mut at = token.start;
        while !begins && at < end {
            let Some(pair) = TagPair::read(text, at) else { break };
            self.deviate(Deviation::TagAfterMoves, at..at + 1, lines.line.ply);
            tokens.go_to(pair.end);
            at = pair.end + text[pair.end..].iter().take_while(|&&byte| byte <= b' ').count();
        }
    }

    /// Plays a legal move and delivers it. `read`: the move, and the check suffix that its text has.
    pub(super) fn play<R: Ruleset>(
        &mut self,
        lines: &mut LineStack<R>,
        text: &[u8],
        span: Range<usize>,
        read: (R::Move, CheckSuffix),
        visitor: &mut dyn MovetextVisitor<R>,
    ) {
        let (depth, notation, line) = (lines.depth(), lines.notation, &mut lines.line);
        let (mv, check_suffix) = read;
        let (ply, numbered) = (line.ply + 1, line.numbered);
        let (before, after, lineage) = line.play(mv);
        let check = R::check(after);
        if let Some(deviation) = check_suffix.deviation(check)
            && !(check_suffix == CheckSuffix::None && check_suffix_follows(text, span.end))
        {
            if !self.deviate(deviation, span.clone(), ply) {
                line.dead = true;
                return;
            }
            let played = R::ply(before, mv, after, check, lineage);
            self.set_canonical::<R>(notation, &played, &span);
        }
        if !numbered && R::turn(before) == Color::White && !self.number_missing(ply, span.clone()) {
            line.dead = true;
            return;
        }
        let played = R::ply(before, mv, after, check, lineage);
        if let Err(kind) = visitor.play(text, span.clone(), &played, depth) {
            line.dead = true;
            return self.unrepresentable(kind, text, span, ply);
        }
        line.advance_lineage(mv);
        line.advance();
        self.count_ply(depth);
    }

    /// A move that the visitor cannot represent.
    #[cold]
    fn unrepresentable(&mut self, kind: Deviation, text: &[u8], span: Range<usize>, ply: u32) {
        let token = quoted(&text[span.clone()]);
        self.fail(kind, span, ply, || match kind {
            Deviation::NotationNotForBoard => {
                "the notation has no texts for this board".to_string()
            }
            Deviation::NotationNeedsInitialArray => {
                "the notation names pieces by where they began, and the game begins elsewhere"
                    .to_string()
            }
            _ => format!("the notation that is written has no text for {token}"),
        });
    }

    /// Keeps the canonical text of a move whose text at `span` was just found to differ from it.
    #[cold]
    pub(super) fn set_canonical<R: Ruleset>(
        &mut self,
        notation: &dyn Notation,
        played: &R::Ply<'_>,
        span: &Range<usize>,
    ) {
        if self.state.notes.is_some() {
            let mut canonical = MoveText::default();
            R::encode(notation, played, &mut canonical);
            self.set_canonical_text(span, canonical.as_bytes());
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

    fn open<R: Ruleset>(&mut self, lines: &mut LineStack<R>, token: Token) {
        let span = token.start..token.end;
        let (is_full, line) = (lines.depth() == VARIATION_DEPTH_MAX, &mut lines.line);
        if is_full && self.state.fault.is_none() {
            line.dead = true;
            self.fail(Deviation::VariationTooDeep, span.clone(), line.ply, || {
                format!("variations are nested more than {VARIATION_DEPTH_MAX} deep")
            });
        }
        if !line.moved && !line.dead {
            line.dead = true;
            self.fail(Deviation::VariationMisplaced, span, line.ply, || {
                "a variation replaces the move before it, and there is none".to_string()
            });
        }
        // A game with a fault is only skipped to its end: of its variations only the depth matters.
        if self.state.fault.is_some() {
            self.state.skipped_depth += 1;
            return;
        }
        lines.open();
    }

    fn close<R: Ruleset>(&mut self, lines: &mut LineStack<R>, text: &[u8], token: Token) {
        if self.state.fault.is_some() {
            if self.state.skipped_depth > 0 {
                self.state.skipped_depth -= 1;
            } else {
                lines.drop_outer();
            }
            lines.line.dead = true;
            return;
        }
        if lines.close() {
            // The move after a variation may repeat its number or not.
            lines.line.numbered = true;
        } else {
            let ply = lines.line.ply;
            if ends_number(text, token.start) {
                let span = token.start..token.end;
                lines.line.dead |= !self.deviate(Deviation::MoveNumberStyle, span, ply + 1);
                return;
            }
            lines.line.dead = true;
            self.fail(Deviation::VariationUnopened, token.start..token.end, ply, || {
                "a variation is closed that was never opened".to_string()
            });
        }
    }
}

//! A game whose end is not written: where the next game begins.
//!
//! In: a token in the movetext of a game without a result so far. Out: does a game begin there? A line starts here also
//! with comments before its first other token. Behind movetext begin a game
//!
//! * tag pairs at the start of a line, in variations, too, and those within a line that move number 1 follows;
//! * move number 1, for White, at the start of a line after an empty line; elsewhere at the start of a line, and after
//!   one move, only if a move follows that can open a game. After one move it must be none of Black's either.
//!
//! Invariant: the text alone decides, not the position in which the game is, so that no fault and no profile moves the
//! beginning of a game. (PGN 8.2.6 ends each game with a result; `docs/reference/games.md` has the rule.) Cost: nothing
//! before the first such token of a game; from there on the tokens of the game are read once more, each once.
//!
//! ```text
//! [White "C"] 1. c4 e5
//!
//! [White "D"] 1. Nf3 Nf6
//! 1. e4 c5
//! ^ here, and at the second [
//! ```

use std::ops::Range;

use crate::chess::Position;
use crate::chess::rules::{AnyPosition, AnyVariant, Chess99, RulesKind, Standard, TableRules};
use crate::notation::{self, Digits, Notation};
use crate::pgn::deviation::Deviation;
use crate::pgn::{NOTATION_TAG, TagPair, Token, TokenKind, Tokens, is_digits_of_move};

use pgnmill_state::state;

use super::Replayer;
use super::bounds::{last_byte, looks_like_move};
use super::initials::{is_two_squares, piece_character};
use super::line::LineStack;
use super::move_numbers::ends_number;
use super::ruleset::Ruleset;
use super::special_tokens::stuck_result;
use super::suffixes::move_ends;

/// The starting position with Black to move.
const BLACK_BEGINS: &[u8] = b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";

/// What the tokens of a game's movetext are up to some token: each is read once, from one question to the next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct LineScan {
    /// Tokens before this offset were read.
    at: usize,
    /// The line ends in one stretch of whitespace since the last token that is no comment, two at most.
    line_ends: usize,
    /// Tokens in the place of moves, two at most.
    moves: usize,
    /// There was a token that is neither a comment nor a word without the shape of a move.
    has_begun: bool,
    /// Variations that are open.
    depth: usize,
    /// A comment without an end was read: what follows is in it.
    is_open: bool,
}

impl LineScan {
    /// Before the movetext, which begins at this offset.
    pub(super) fn starting_at(movetext: usize) -> LineScan {
        LineScan { at: movetext, ..LineScan::default() }
    }

    /// Reads on to the token that begins at `end`.
    fn go_to(&mut self, text: &[u8], end: usize, digits: Digits) {
        let mut tokens = Tokens::new(text, self.at, digits);
        while self.at <= end {
            let Some(token) = tokens.next() else { return };
            let space = &text[self.at..token.start.min(end).max(self.at)];
            self.line_ends = self.line_ends.max(line_ends(space));
            if token.start >= end {
                return;
            }
            if token.kind == TokenKind::Tag
                && let Some(pair) = TagPair::read(text, token.start)
            {
                tokens.go_to(pair.end);
            }
            let is_move = token.kind == TokenKind::Move
                || token.kind == TokenKind::Number
                    && is_digits_of_move(&text[token.start..token.end]);
            match token.kind {
                TokenKind::Open => self.depth += 1,
                TokenKind::Close => self.depth = self.depth.saturating_sub(1),
                TokenKind::CommentUnclosed => self.is_open = true,
                _ => {}
            }
            if !is_comment(token.kind) {
                // Words may be what is left of a damaged tag pair.
                let is_word = is_move && !looks_like_move(&text[token.start..token.end]);
                self.line_ends = 0;
                self.has_begun |= !is_word;
                self.moves = (self.moves + usize::from(is_move && self.has_begun)).min(2);
            }
            self.at = tokens.at();
        }
    }
}

/// Line ends in whitespace, two at most; CR LF is one.
fn line_ends(space: &[u8]) -> usize {
    let ends = |end: u8| space.iter().filter(|&&byte| byte == end).take(2).count();
    ends(b'\n').max(ends(b'\r'))
}

/// Is it a comment, or whitespace of Unicode?
fn is_comment(kind: TokenKind) -> bool {
    use TokenKind::{Blank, Comment, CommentNested, Escape, LineComment};
    matches!(kind, Comment | CommentNested | LineComment | Escape | Blank)
}

/// Is the token move number 1, and, if so, White's?
#[inline(always)]
pub(super) fn is_first_number(text: &[u8], token: Token) -> bool {
    matches!(&text[token.start..token.end], b"1" | b"1.")
}

/// The move after the number that ends at `at`; `None` if there is none, or if it is Black's.
fn numbered_move(text: &[u8], at: usize, digits: Digits) -> Option<Range<usize>> {
    // `1)` is a number, too.
    let bracket = usize::from(text.get(at) == Some(&b')') && ends_number(text, at));
    let mut tokens = Tokens::new(text, at + bracket, digits);
    let token = tokens.find(|token| {
        let is_dot = token.kind == TokenKind::Number && &text[token.start..token.end] == b".";
        !is_comment(token.kind) && token.kind != TokenKind::Nag && !is_dot
    })?;
    let span = token.start..token.end;
    let is_move = token.kind == TokenKind::Move
        || token.kind == TokenKind::Number && is_digits_of_move(&text[span.clone()]);
    is_move.then_some(span)
}

/// Where the text of a move may end in a token: with what is attached to it, or before that.
fn ends(token: &[u8]) -> impl Iterator<Item = usize> {
    std::iter::once(token.len()).chain(move_ends(token)).chain(stuck_result(token))
}

/// Is the token a knight's first move with a letter that English has not, as in `Sf3`?
fn is_foreign_knight(token: &[u8]) -> bool {
    let body = token.trim_ascii_end();
    let Some((letters, square)) = body.split_last_chunk::<2>() else { return false };
    matches!(square, [b'a' | b'c' | b'f' | b'h', b'3'])
        && letters.iter().all(|byte| byte.is_ascii_alphabetic() || !byte.is_ascii())
        && piece_character(token).is_some_and(|first| !matches!(first, b"K" | b"Q" | b"R" | b"B"))
}

impl Replayer<'_> {
    /// Does a game begin with move number 1, at `token`? The game's own moves are at `lines`.
    #[cold]
    #[inline(never)]
    pub(super) fn begins_with_number<R: Ruleset>(
        &mut self,
        lines: &LineStack<R>,
        text: &[u8],
        token: Token,
    ) -> bool {
        let line = &lines.line;
        if lines.depth() > 0 || self.state.skipped_depth > 0 {
            return false;
        }
        // Where the number is expected, the move after it decides: see `begins_before_move`.
        if !line.dead && R::fullmove_number(line.position()) == 1 {
            return false;
        }
        if !self.is_restart(text, token.start, token.end, lines.notation) {
            return false;
        }
        self.end_before(lines, text, token.start, token.end);
        true
    }

    /// Does a game begin with the number before `token`, which is not read as Black's first move?
    #[cold]
    #[inline(never)]
    pub(super) fn begins_before_move<R: Ruleset>(
        &mut self,
        lines: &LineStack<R>,
        text: &[u8],
        token: Token,
    ) -> bool {
        if lines.depth() > 0 || R::fullmove_number(lines.line.position()) != 1 {
            return false;
        }
        let before = text[..token.start].trim_ascii_end();
        let mark = before.strip_suffix(b".").or_else(|| before.strip_suffix(b")"));
        let number = mark.unwrap_or(before).trim_ascii_end();
        let Some(others) = number.strip_suffix(b"1") else { return false };
        let start = others.len();
        if others.last().is_some_and(u8::is_ascii_digit)
            || !self.is_restart(text, start, token.start, lines.notation)
            // The bracket of `1)` closed a variation.
            || self.state.scan.depth > 0
        {
            return false;
        }
        self.end_before(lines, text, start, token.start);
        true
    }

    /// Does a game begin at the tag pair at byte `at`? Returns also where the tag pairs end that follow each other
    /// there.
    #[cold]
    #[inline(never)]
    pub(super) fn begins_with_tags<R: Ruleset>(
        &mut self,
        lines: &LineStack<R>,
        text: &[u8],
        at: usize,
    ) -> (bool, usize) {
        let digits = lines.notation.info().digits;
        self.state.scan.go_to(text, at, digits);
        let LineScan { line_ends, has_begun, moves, .. } = self.state.scan;
        // After a line that closes a tag pair it is one more of that section.
        let before = text[..at].trim_ascii_end().strip_suffix(b"]");
        let is_after_pair = before.is_some_and(|pair| pair.trim_ascii_end().ends_with(b"\""));
        // A conversion names the notation before each game, whatever is before that.
        let names_notation = text[at + 1..].starts_with(NOTATION_TAG);
        let is_in_section = is_after_pair && !names_notation;
        // A word that was read as a move is none of a damaged pair, whatever moves are like in the notation.
        let has_begun = has_begun || self.state.plies > 0;
        if line_ends > 0 && has_begun && !is_in_section {
            self.state.next = Some(at);
            return (true, at);
        }
        let (mut end, mut tokens) = (at, Tokens::new(text, at, digits));
        // Before a line that names the notation, and so begins the next game, those of this one end.
        let mut is_ended = false;
        let number = loop {
            let Some(token) = tokens.next() else { break None };
            let Some(pair) = TagPair::read(text, token.start) else {
                break Some(token).filter(|&token| is_first_number(text, token));
            };
            let is_line = self::line_ends(&text[end..token.start]) > 0;
            is_ended |= is_line && end > at && text[pair.name.clone()] == *NOTATION_TAG;
            end = if is_ended { end } else { pair.end };
            tokens.go_to(pair.end);
        };
        let is_main_line = lines.depth() == 0 && self.state.skipped_depth == 0;
        let begins = is_main_line
            && line_ends == 0
            && moves > 0
            && number.is_some_and(|token| {
                let first = numbered_move(text, token.end, digits);
                first.is_some_and(|first| self.opens(&text[first], moves, lines.notation))
            });
        if begins {
            self.deviate(Deviation::GamesRunTogether, last_byte(text, at), self.state.plies);
            self.state.next = Some(at);
        }
        (begins, end)
    }

    /// Does a game begin at `token`, after a result? It is a tag pair at the start of a line, or number 1.
    pub(super) fn begins_game<R: Ruleset>(
        &mut self,
        lines: &LineStack<R>,
        text: &[u8],
        token: Token,
    ) -> bool {
        match token.kind {
            TokenKind::Tag => {
                self.state.scan.go_to(text, token.start, lines.notation.info().digits);
                self.state.scan.line_ends > 0
            }
            TokenKind::Number | TokenKind::NumberStuck => {
                is_first_number(text, token)
                    && self.is_restart(text, token.start, token.end, lines.notation)
            }
            _ => false,
        }
    }

    /// Does number 1 at `number`, before what begins at `after`, begin a game?
    fn is_restart(
        &mut self,
        text: &[u8],
        number: usize,
        after: usize,
        notation: &'static dyn Notation,
    ) -> bool {
        let digits = notation.info().digits;
        let Some(first) = numbered_move(text, after, digits) else { return false };
        self.state.scan.go_to(text, number, digits);
        let LineScan { line_ends, moves, .. } = self.state.scan;
        let after_empty_line = line_ends > 1 && moves > 1;
        line_ends > 0
            && moves > 0
            && (after_empty_line || self.opens(&text[first], moves, notation))
    }

    /// Can the token be the first move of a game without tag pairs, after a game of so many moves in this notation?
    fn opens(&self, token: &[u8], moves: usize, notation: &dyn Notation) -> bool {
        let usual = self.forced.unwrap_or_else(|| notation::usual(self.rules));
        let initial = AnyPosition::initial(self.rules);
        let reads = |notation: &dyn Notation, text: &[u8]| match &initial {
            AnyPosition::Chess(position) => reads_from::<Standard>(notation, text, position),
            AnyPosition::Variant(position) => reads_from::<AnyVariant>(notation, text, position),
            AnyPosition::Chess99(position) => reads_from::<Chess99>(notation, text, position),
            AnyPosition::Table(position) => reads_from::<TableRules>(notation, text, position),
        };
        let is_read =
            |notation: &dyn Notation| ends(token).any(|end| reads(notation, &token[..end]));
        let is_foreign = || {
            usual.is_san()
                && (is_foreign_knight(token)
                    || is_two_squares(token) && notation::find("iccf").is_some_and(is_read))
        };
        if !is_read(usual) && !is_foreign() {
            return false;
        }
        // After one move of White's the number is that of Black's, too.
        moves > 1
            || self.is_usual_start
                && self.rules == RulesKind::Chess
                && !(is_blacks(token, usual) || is_blacks(token, notation))
    }

    /// Ends the game before byte `number`, where the next one begins with move number 1. `after`: where its first move
    /// is looked for. A move that could also go on in this game is noted.
    fn end_before<R: Ruleset>(
        &mut self,
        lines: &LineStack<R>,
        text: &[u8],
        number: usize,
        after: usize,
    ) {
        self.state.next = Some(number);
        let (line, notation) = (&lines.line, lines.notation);
        let first = numbered_move(text, after, notation.info().digits);
        if let Some(first) = first.filter(|_| !line.dead) {
            let token = &text[first];
            let goes_on = ends(token).any(|end| {
                R::read(notation, &token[..end], line.position(), line.lineage()).is_ok()
            });
            if goes_on {
                self.deviate(Deviation::GameRestarted, last_byte(text, number), line.ply);
            }
        }
    }
}

/// What begins a game after one without a result, at the end of whose text this is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct UnendedEnd {
    /// Number 1 and a move.
    by_number: bool,
    /// A tag pair.
    by_tag: bool,
    /// A line ends between the last token that is no comment and the end of the text.
    line_ends: bool,
}

state!(UnendedEnd { by_number, by_tag, line_ends });

impl UnendedEnd {
    /// Does a line end after the last token that is no comment, so that what follows begins a line?
    pub(crate) fn ends_line(self) -> bool {
        self.line_ends
    }

    /// `game`: where the game begins in the text, which ends with it. `is_usual`: it is of chess, from its starting
    /// position.
    pub(crate) fn of(text: &[u8], game: usize, is_usual: bool) -> UnendedEnd {
        let mut scan = LineScan::starting_at(game);
        scan.go_to(text, text.len(), Digits::Never);
        let last = line_ends(&text[scan.at.min(text.len())..]);
        let moves_min = if is_usual { 1 } else { 2 };
        UnendedEnd {
            by_number: scan.moves >= moves_min && scan.depth == 0 && !scan.is_open,
            by_tag: scan.has_begun && !scan.is_open,
            line_ends: scan.line_ends.max(last) > 0,
        }
    }

    /// Is a text that begins so, and is a legal game in SAN, read as the next game?
    pub(crate) fn ends_before(self, next: GameHead) -> bool {
        let after_line_end = self.line_ends || next.after_line_end;
        match next.begins {
            Begins::Tag { number } => match after_line_end {
                true => self.by_tag,
                // Within a line only before number 1.
                false => self.by_number && number,
            },
            Begins::Number => after_line_end && self.by_number,
        }
    }
}

/// What a game begins with, as far as it ends the one before.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameHead {
    begins: Begins,
    /// A line ends before that.
    after_line_end: bool,
}

#[derive(Clone, Copy, Debug)]
enum Begins {
    /// A tag pair; `number`: the tag pairs are before number 1.
    Tag { number: bool },
    /// Number 1 and a move.
    Number,
}

impl GameHead {
    /// The head of the game at byte `at`; `None` if it ends no game without a result.
    pub(crate) fn of(text: &[u8], at: usize) -> Option<GameHead> {
        let (mut at, mut after_line_end) = (at, false);
        loop {
            let token = Tokens::new(text, at, Digits::Never).next()?;
            after_line_end |= line_ends(&text[at..token.start]) > 0;
            at = token.end;
            let begins = match token.kind {
                kind if is_comment(kind) => continue,
                TokenKind::Tag => Begins::Tag { number: number_after_tags(text, token.start) },
                TokenKind::Number if is_first_move(text, token) => Begins::Number,
                _ => return None,
            };
            return Some(GameHead { begins, after_line_end });
        }
    }
}

/// Is the token number 1, before a move of White's?
fn is_first_move(text: &[u8], token: Token) -> bool {
    is_first_number(text, token) && numbered_move(text, token.end, Digits::Never).is_some()
}

/// Does number 1, with a move, follow the tag pairs at byte `at`?
fn number_after_tags(text: &[u8], at: usize) -> bool {
    let mut tokens = Tokens::new(text, at, Digits::Never);
    while let Some(token) = tokens.next() {
        match TagPair::read(text, token.start) {
            Some(pair) => tokens.go_to(pair.end),
            None => return is_first_move(text, token),
        }
    }
    false
}

/// Can the token be Black's first move?
fn is_blacks(token: &[u8], notation: &dyn Notation) -> bool {
    let Ok((position, _)) = Position::from_fen(BLACK_BEGINS) else { return false };
    ends(token).any(|end| reads_from::<Standard>(notation, &token[..end], &position))
}

/// Is the text a legal move from this position, in this notation?
fn reads_from<R: Ruleset>(notation: &dyn Notation, text: &[u8], position: &R::Position) -> bool {
    R::read(notation, text, position, R::lineage_of(position).as_ref()).is_ok()
}

//! The bounds of games within a text that begins at a game start.
//!
//! In: text, or the tokens after a result. Out: the offset at which a game ends or begins. A result ends a game;
//! whitespace, comments and annotations after it belong to it, and so does the same result once more on its line; a tag
//! pair, a move number or a move then begins the next game. Other tokens belong to no game. Cost: each byte is read a
//! bounded number of times.

use std::ops::Range;

use crate::pgn::deviation::Deviation;
use crate::pgn::{
    BYTE_ORDER_MARK, Digits, Outcome, Token, TokenKind, Tokens, opens_tag_pair, opens_unbracketed,
};

use super::Replayer;

impl Replayer<'_> {
    /// Reads the comments, annotations and whitespace after a result. Returns where the game ends.
    pub(super) fn tail(&mut self, tokens: &mut Tokens<'_>, text: &[u8]) -> usize {
        // What is before the next token, blanks of Unicode included.
        let mut at = tokens.at();
        loop {
            let Some(token) = tokens.next() else { return text.len() };
            match token.kind {
                TokenKind::Comment
                | TokenKind::LineComment
                | TokenKind::Nag
                | TokenKind::Suffix => {}
                TokenKind::CommentNested => {
                    let span = token.start..token.end;
                    self.deviate(Deviation::CommentNested, span, self.state.plies);
                }
                TokenKind::Escape => {
                    let span = token.start..token.end;
                    self.deviate(Deviation::EscapeLine, span, self.state.plies);
                }
                TokenKind::Blank if !is_mark_of_game(text, token.start) => {
                    let span = token.start..token.end;
                    self.deviate(Deviation::WhitespaceUnusual, span, self.state.plies);
                    continue;
                }
                TokenKind::CommentUnclosed => {
                    self.comment_unclosed(token);
                    return text.len();
                }
                TokenKind::Result if self.repeats_result(text, at..token.start, token) => {
                    let span = token.start..token.end;
                    self.deviate(Deviation::ResultStyle, span, self.state.plies);
                }
                _ => {
                    let same_line = is_one_line(&text[at..token.start]);
                    if same_line && game_begins(text, token.start) {
                        let last = last_byte(text, token.start);
                        self.deviate(Deviation::GamesRunTogether, last, self.state.plies);
                    }
                    return token.start;
                }
            }
            at = tokens.at();
        }
    }
}

impl Replayer<'_> {
    /// Is a token after `space` the result of the game once more, on its line?
    fn repeats_result(&self, text: &[u8], space: Range<usize>, token: Token) -> bool {
        let outcome = self.state.result.as_ref().map(|(outcome, _)| *outcome);
        is_repeated(text, space, token, outcome)
    }
}

/// Is a token after `space` a result on the line of the text before it, with the same outcome?
fn is_repeated(text: &[u8], space: Range<usize>, token: Token, outcome: Option<Outcome>) -> bool {
    is_one_line(&text[space]) && Outcome::from_any(&text[token.start..token.end]) == outcome
}

fn is_one_line(space: &[u8]) -> bool {
    !space.iter().any(|byte| matches!(byte, b'\n' | b'\r'))
}

/// Does a game begin at a byte that is not whitespace, perhaps with a byte order mark?
fn game_begins(text: &[u8], at: usize) -> bool {
    let first = byte_order_mark_end(text, at).map_or(at, |end| whitespace_end(text, end));
    next_game(text, first) == Some(first)
}

/// Is a blank of Unicode the byte order mark of a game that begins after it, or of one after this text?
#[cold]
fn is_mark_of_game(text: &[u8], at: usize) -> bool {
    let rest = text[at..].strip_prefix(BYTE_ORDER_MARK);
    rest.is_some_and(|rest| rest.trim_ascii_end().is_empty() || game_begins(text, at))
}

/// Where that is reported which the text before byte `end` lacks: before its last byte that is not whitespace. At `end`
/// itself the next game begins, or none.
#[cold]
pub(super) fn last_byte(text: &[u8], end: usize) -> Range<usize> {
    let last = text[..end].iter().rposition(|&byte| byte > b' ').unwrap_or(0);
    last..last
}

/// Does a new game follow byte `at`: an empty line, and then move number 1? Within a variation, games without tag
/// pairs show their beginning in no other way.
pub(super) fn begins_anew(text: &[u8], at: usize) -> bool {
    let next = whitespace_end(text, at);
    let ends = |end: u8| text[at..next].iter().filter(|&&byte| byte == end).count();
    ends(b'\n').max(ends(b'\r')) > 1
        && matches!(&text[next..], [b'1', after, ..] if *after == b'.' || *after <= b' ')
}

/// The first byte from `at` on that is not whitespace.
pub(super) fn whitespace_end(text: &[u8], mut at: usize) -> usize {
    while text.get(at).is_some_and(|&byte| byte <= b' ') {
        at += 1;
    }
    at
}

/// Is all of it whitespace, that of Unicode included?
pub(super) fn is_whitespace(text: &[u8], span: Range<usize>) -> bool {
    text[span.clone()].iter().all(|&byte| byte <= b' ')
        || Tokens::new(&text[..span.end], span.start, Digits::Never)
            .all(|token| token.kind == TokenKind::Blank)
}

/// Where reading goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Resume {
    /// At text of which nothing was read: a run of games begins here, or text of no game.
    Text(usize),
    /// At the result of a game, which is read first, and then what follows it up to the next game.
    Result(usize),
}

/// The first token of the next game, comments apart: a tag pair, a move number, a result or a move. `None` if no game
/// follows, or if there is no result where one should be.
///
/// ```
/// use pgnmill_core::replay::{Resume, first_token};
/// assert_eq!(first_token(b"words {c} 1. e4", Resume::Text(0)), Some(10));
/// assert_eq!(first_token(b"* {c} 1. e4", Resume::Result(0)), Some(6));
/// assert_eq!(first_token(b"*5", Resume::Result(0)), None);
/// ```
pub fn first_token(text: &[u8], resume: Resume) -> Option<usize> {
    first_game(text, resume).map(|(_, token)| token)
}

/// The first token of a game, as [`first_token`], and where the game begins: with the comment before that token, if it
/// belongs to the game. A comment after a result belongs to the game that the result ends.
pub fn first_game(text: &[u8], resume: Resume) -> Option<(usize, usize)> {
    let at = match resume {
        Resume::Text(at) => at,
        Resume::Result(at) => tail_end(text, at)?,
    };
    let from = byte_order_mark_end(text, at).unwrap_or(at);
    find_game(text, from)
}

/// Where a game ends whose result stands at `at`, as [`Replayer::tail`] reads it; `None` if no result stands there.
fn tail_end(text: &[u8], at: usize) -> Option<usize> {
    let mut tokens = Tokens::new(text, at, Digits::Never);
    let result = tokens.next().filter(|token| token.kind == TokenKind::Result)?;
    let outcome = Outcome::from_any(&text[result.start..result.end]);
    loop {
        let space = tokens.at();
        let Some(token) = tokens.next() else { break };
        match token.kind {
            TokenKind::Result if is_repeated(text, space..token.start, token, outcome) => {}
            TokenKind::Blank if is_mark_of_game(text, token.start) => return Some(token.start),
            TokenKind::Comment
            | TokenKind::CommentNested
            | TokenKind::LineComment
            | TokenKind::Nag
            | TokenKind::Suffix
            | TokenKind::Blank
            | TokenKind::Escape => {}
            TokenKind::CommentUnclosed => break,
            _ => return Some(token.start),
        }
    }
    Some(text.len())
}

/// Behind a byte order mark at `at`, blanks before it apart.
pub(super) fn byte_order_mark_end(text: &[u8], at: usize) -> Option<usize> {
    let mark = whitespace_end(text, at);
    text[mark..].starts_with(BYTE_ORDER_MARK).then_some(mark + BYTE_ORDER_MARK.len())
}

/// The first byte from `at` on at which a game begins: a tag pair, a comment, a move number, a result or a move.
/// Other tokens belong to no game.
pub(super) fn next_game(text: &[u8], at: usize) -> Option<usize> {
    find_game(text, at).map(|(start, _)| start)
}

/// Where the next game begins, as [`next_game`], and its first token that is no comment.
fn find_game(text: &[u8], at: usize) -> Option<(usize, usize)> {
    // As nearly always.
    if opens_tag_pair(text, at) {
        return Some((at, at));
    }
    let mut comment = None;
    for token in Tokens::new(text, at, Digits::Never) {
        match token.kind {
            TokenKind::Tag
            | TokenKind::Number
            | TokenKind::NumberStuck
            | TokenKind::Result
            | TokenKind::CommentUnclosed => {
                return Some((comment.unwrap_or(token.start), token.start));
            }
            TokenKind::Move if looks_like_move(&text[token.start..token.end]) => {
                return Some((comment.unwrap_or(token.start), token.start));
            }
            TokenKind::Move if opens_unbracketed(text, token.start) => {
                return Some((comment.unwrap_or(token.start), token.start));
            }
            // A comment belongs to the game that follows it at once.
            TokenKind::Comment
            | TokenKind::CommentNested
            | TokenKind::LineComment
            | TokenKind::Escape => {
                comment = comment.or(Some(token.start));
            }
            TokenKind::Blank => {}
            _ => comment = None,
        }
    }
    None
}

/// Does a token have the shape of a move: does it contain a square, or castle?
pub(super) fn looks_like_move(token: &[u8]) -> bool {
    let body = token.trim_ascii_end();
    let has_square = body.windows(2).any(|pair| matches!(pair, [b'a'..=b'h', b'1'..=b'8']));
    let castles = matches!(body.first(), Some(b'O' | b'o' | b'0')) && body.contains(&b'-');
    body.len() <= 10 && (has_square || castles)
}

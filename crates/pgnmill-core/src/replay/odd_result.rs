//! Results whose text can also be something else: `0-0` is castling, `+/-` and `=` assess a position, `draw` is a word.
//!
//! In: a token that is no canonical move. Out: is it the result of the game? Only the last token of a game can be.
//! It is the result
//!
//! * if the `Result` tag pair has the same score, and no move number is directly before it;
//! * else if it can be nothing else: no legal move, no assessment. A tag pair with one of the standard's results, other
//!   than `*`, keeps an illegal `0-0` a move.
//!
//! Invariant: what follows is not affected, since the game ends there in either reading. Cost: only for tokens that
//! begin with such a character, and are not canonical.

use crate::pgn::{Outcome, Score, Token, TokenKind, Tokens};

use super::Replayer;
use super::line::LineStack;
use super::ruleset::Ruleset;
use super::special_tokens::{ResultWord, is_null_move, result_word_before};
use super::suffixes::is_suffix;

/// Can a token be a result though it is no result token?
#[inline(always)]
pub(super) fn may_be_result(text: &[u8], at: usize) -> bool {
    match text[at] {
        b'0' | b'+' | b'-' | b'=' => true,
        b'd' | b'D' => matches!(text.get(at + 1), Some(b'r' | b'R')),
        // Dashes, and the minus sign.
        0xe2 => matches!(text.get(at + 1), Some(0x80 | 0x88)),
        _ => false,
    }
}

impl Replayer<'_> {
    /// Does the game end with this token as its result, which is then recorded?
    #[cold]
    #[inline(never)]
    pub(super) fn ends_with_result<R: Ruleset>(
        &mut self,
        lines: &LineStack<R>,
        tokens: &mut Tokens<'_>,
        text: &[u8],
        token: Token,
    ) -> bool {
        let line = &lines.line;
        if line.dead || lines.depth() > 0 {
            return false;
        }
        let Some(score) = Score::read(text, token.start) else { return false };
        let tag = self.result_tag.clone().map(|value| &text[value]);
        let tagged = tag.map(<[u8]>::trim_ascii).and_then(|value| Score::read(value, 0));
        let is_tagged = tagged.is_some_and(|tagged| tagged.is_same(score));
        if !is_tagged || follows_number(text, token.start) {
            let bytes = &text[token.start..token.end];
            let is_suffix = score.end == token.end && (is_suffix(bytes) || is_null_move(bytes));
            if is_suffix || R::read(lines.notation, bytes, line.position(), line.lineage()).is_ok()
            {
                return false;
            }
            let other = tag.and_then(Outcome::from_canonical);
            if score.castles() && other.is_some_and(|other| other != Outcome::Unknown) {
                return false;
            }
        }
        if !self.is_last(lines, text, score.end) {
            return false;
        }
        self.state.result = Some((score.outcome(), token.start..score.end));
        tokens.go_to(score.end);
        true
    }

    /// Is a word in the place of a result?
    #[cold]
    pub(super) fn is_of_result<R: Ruleset>(
        &mut self,
        lines: &LineStack<R>,
        text: &[u8],
        token: Token,
        word: ResultWord,
    ) -> bool {
        let is_last = word.is_last() && word.follows(result_word_before(text, token.start));
        let Some(next) = next_token(lines, text, token.end) else { return is_last };
        match next.kind {
            TokenKind::Move if !word.is_last() => {
                let following = ResultWord::of(&text[next.start..next.end]);
                following.is_some_and(|following| word.precedes(following))
            }
            TokenKind::Result => is_last,
            TokenKind::Close => is_last && lines.depth() > 0,
            _ if !is_last || !self.begins_game(lines, text, next) => false,
            _ => {
                // The number could also be that of Black's first move.
                if lines.depth() == 0 && next.kind != TokenKind::Tag {
                    self.state.next = Some(next.start);
                }
                true
            }
        }
    }

    /// Does nothing of the game follow byte `at`, comments and annotations apart?
    fn is_last<R: Ruleset>(&mut self, lines: &LineStack<R>, text: &[u8], at: usize) -> bool {
        next_token(lines, text, at).is_none_or(|next| self.begins_game(lines, text, next))
    }
}

/// The next token from byte `at` on, comments and annotations apart.
fn next_token<R: Ruleset>(lines: &LineStack<R>, text: &[u8], at: usize) -> Option<Token> {
    Tokens::new(text, at, lines.notation.info().digits).find(|token| {
        use TokenKind::{Blank, Comment, CommentNested, Escape, LineComment, Nag, Suffix};
        let is_comment =
            matches!(token.kind, Comment | CommentNested | Escape | LineComment | Blank);
        !is_comment && !matches!(token.kind, Nag | Suffix)
    })
}

/// Is a move number directly before byte `at`?
fn follows_number(text: &[u8], at: usize) -> bool {
    let before = text[..at].trim_ascii_end();
    if before.ends_with(b".") || before.ends_with("…".as_bytes()) {
        return true;
    }
    let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let begins_word = before[..before.len() - digits].last().is_none_or(|&byte| byte <= b' ');
    digits > 0 && begins_word
}

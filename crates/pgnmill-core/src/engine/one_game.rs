//! Is a text one game for certain, and does its own result end it?
//!
//! In: the text from a game start to the next. Out: yes, or no where only a replay can decide. Invariant: yes is what a
//! replay would find. Cost: one search of the movetext, at the speed of `memchr`; for the result its tokens.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memchr3_iter;
use memchr::memmem::Finder;

use crate::pgn::{Digits, TagPair, TokenKind, Tokens, ends_word};

static ONE_COLON_NIL: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("1:0"));
static NIL_COLON_ONE: LazyLock<Finder<'static>> = LazyLock::new(|| Finder::new("0:1"));

/// Is a text that begins with a tag pair one game for certain? Only a result ends a game before the end of its text, so
/// it is one if nothing that looks like a result, in any spelling, is before the last token. May be `false` for one
/// game too, such as one with a result in a comment.
pub(super) fn results_end(text: &[u8], from: usize, high: bool) -> bool {
    let movetext = &text[from..];
    let end = movetext.iter().rposition(|&byte| byte > b' ').map_or(0, |last| last + 1);
    let movetext = &movetext[..end];
    let last = [&b"1/2-1/2"[..], b"1-0", b"0-1", b"*"];
    let body = last.iter().find_map(|result| movetext.strip_suffix(*result)).unwrap_or(movetext);
    let ends = |at: usize| body.get(at).is_none_or(|&byte| ends_word(byte) || byte == b'.');
    for at in memchr3_iter(b'-', b'/', b'*', body) {
        let is_result = match body[at] {
            b'*' => true,
            b'/' => at > 0 && body[at - 1] == b'1' && body.get(at + 1) == Some(&b'2'),
            _ => {
                at > 0
                    && matches!(
                        (body[at - 1], body.get(at + 1)),
                        (b'1', Some(b'0')) | (b'0', Some(b'1')) | (b'5', Some(b'0'))
                    )
                    && ends(at + 2)
            }
        };
        if is_result {
            return false;
        }
    }
    let has_colons = |finder: &Finder<'_>| finder.find_iter(body).any(|at| ends(at + 3));
    if has_colons(&ONE_COLON_NIL) || has_colons(&NIL_COLON_ONE) {
        return false;
    }
    // The results with ½, and with a dash instead of a hyphen.
    let is_half = |at: usize| {
        body[at..].starts_with("½".as_bytes()) || body[at..].starts_with("–".as_bytes())
    };
    !high || !memchr::memchr2_iter(0xc2, 0xe2, body).any(is_half)
}

/// The span of the result that ends the game, where it is the last token and neither a variation nor a comment is open.
pub(super) fn closing_result(text: &[u8], from: usize) -> Option<Range<usize>> {
    let mut tokens = Tokens::new(text, from, Digits::Never);
    let (mut depth, mut result) = (0_usize, None);
    while let Some(token) = tokens.next() {
        result = None;
        match token.kind {
            TokenKind::Open => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::CommentUnclosed => return None,
            TokenKind::Tag => {
                if let Some(pair) = TagPair::read(text, token.start) {
                    tokens.go_to(pair.end);
                }
            }
            TokenKind::Result if depth == 0 => result = Some(token.start..token.end),
            _ => {}
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_with_one_result_at_its_end_is_one_game() {
        let one = |movetext: &str| {
            let text = format!("[Event \"1-0\"]\n\n{movetext}");
            results_end(text.as_bytes(), 13, !text.is_ascii())
        };
        for movetext in [
            "1. e4 O-O 0-0 e5 1-0\n",
            "1. e4 {[%clk 0:10:00] [%eval -0.1] 2010-10} *\n\n",
            "1/2-1/2",
            "",
            "1. e4 é",
        ] {
            assert!(one(movetext), "{movetext}");
        }
        for movetext in [
            "1. e4 1-0 {c}",
            "* 1. e4 *",
            "1. e4 1/2 1-0",
            "1:0 1. e4 1-0",
            "0-1. 1-0",
            "½-½ 1-0",
            "1–0 1-0",
            "0.5-0.5 1-0",
            "0.5-0.5",
            "1. e4 {1-0} 1-0",
        ] {
            assert!(!one(movetext), "{movetext}");
        }
    }
}

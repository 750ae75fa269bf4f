//! Is a text one game for certain, and does its own result end it?
//!
//! In: the text from a game start to the next. Out: yes, or no where only a replay can decide. Invariant: yes is what a
//! replay would find. Cost: one search of the movetext, at the speed of `memchr`; for the result its tokens.

use std::ops::Range;

use memchr::{memchr_iter, memchr2, memchr2_iter, memchr3_iter};

use crate::pgn::{Digits, Score, TagPair, TokenKind, Tokens, ends_word};

/// Is a text that begins with a tag pair one game for certain? Only a result ends a game before the end of its text, or
/// what begins the next one: it is one game if nothing that looks like a result, in any spelling, is before the last
/// token, and after the first token neither a tag pair nor a line that begins with move number 1. May be `false` for
/// one game too, such as one with a result in a comment.
pub(super) fn results_end(text: &[u8], from: usize, high: bool) -> bool {
    let movetext = &text[from..];
    let end = movetext.iter().rposition(|&byte| byte > b' ').map_or(0, |last| last + 1);
    let movetext = &movetext[..end];
    let last = [&b"1/2-1/2"[..], b"1-0", b"0-1", b"*"];
    let body = last.iter().find_map(|result| movetext.strip_suffix(*result)).unwrap_or(movetext);
    let marks = memchr3_iter(b'-', b'/', b'*', body).chain(memchr_iter(b':', body));
    for at in marks {
        let is_result = match body[at] {
            b'*' => true,
            b'/' => at > 0 && body[at - 1] == b'1' && body.get(at + 1) == Some(&b'2'),
            _ => is_score(body, at),
        };
        if is_result {
            return false;
        }
    }
    !(begins_again(body) || high && has_other_score(body))
}

/// Do points stand on both sides of the hyphen or colon at byte `at`, which are not castling?
fn is_score(body: &[u8], at: usize) -> bool {
    let is_space = |byte: &&u8| **byte <= b' ';
    let before = &body[..at - body[..at].iter().rev().take_while(is_space).count()];
    let after = &body[at + 1..];
    let after = &after[after.iter().take_while(is_space).count()..];
    let ends = after
        .get(1)
        // Beyond ASCII there may be a blank of Unicode.
        .is_none_or(|&byte| ends_word(byte) || matches!(byte, b'.' | b'/' | b'f' | b'F' | 0x80..));
    match (before.last(), after.first()) {
        (Some(b'0'), Some(b'0')) => Score::read_certain(body, before.len() - 1).is_some(),
        (Some(b'0' | b'1' | b'2' | b'5'), Some(b'0' | b'1')) => ends,
        _ => false,
    }
}

/// Has the text a character that only some spellings of results have: ½, a dash, a minus sign, a fraction slash?
fn has_other_score(body: &[u8]) -> bool {
    let is_other = |at: usize| {
        let rest = &body[at..];
        let dashes = matches!(rest, [0xe2, 0x80, 0x90..=0x95, ..] | [0xe2, 0x88, 0x92, ..]);
        dashes || rest.starts_with("½".as_bytes()) || rest.starts_with("⁄".as_bytes())
    };
    // In Latin-1 and Windows-1252 they are bytes of their own.
    let is_bare = |at: usize| at == 0 || body[at - 1] < 0x80;
    memchr2_iter(0xc2, 0xe2, body).any(is_other)
        || memchr3_iter(0xbd, 0x96, 0x97, body).any(is_bare)
}

/// Can a game begin in movetext, after its first token? As the replay finds it where a game has no result
/// (`replay/unended.rs`), but comments are not read.
fn begins_again(movetext: &[u8]) -> bool {
    let first = movetext.iter().position(|&byte| byte > b' ').unwrap_or(movetext.len());
    // A bracket, a name, a quote.
    let is_tag_pair = |quote: usize| {
        let before = movetext[..quote].trim_ascii_end();
        let is_in_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
        let name = before.iter().rev().take_while(is_in_name).count();
        name > 0 && before[..before.len() - name].trim_ascii_end().last() == Some(&b'[')
    };
    let mut known = first;
    memchr_iter(b'"', movetext).any(is_tag_pair)
        || memchr2_iter(b'\n', b'\r', &movetext[first..]).any(|end| {
            let line = first + end + 1;
            // What is whitespace or a comment from an earlier line on is read once.
            line >= known && {
                let after = after_asides(movetext, line);
                known = after.unwrap_or(line);
                after.is_none_or(|at| {
                    movetext.get(at) == Some(&b'1')
                        && !movetext.get(at + 1).is_some_and(u8::is_ascii_digit)
                })
            }
        })
}

/// The first byte from `at` on that is neither whitespace nor part of a comment in braces; `None` if braces nest.
fn after_asides(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        match text.get(at) {
            Some(0..=b' ') => at += 1,
            Some(b'{') => match memchr2(b'{', b'}', &text[at + 1..]) {
                Some(length) if text[at + 1 + length] == b'{' => return None,
                Some(length) => at += length + 2,
                None => return Some(text.len()),
            },
            _ => return Some(at),
        }
    }
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
            "1. e4 0-0 0 - 0 f5 1-0\n",
            "1. e4 {[%clk 0:10:00] [%eval -0.1] 2010-10} *\n\n",
            "1/2-1/2",
            "",
            "1. e4 é",
            "\n1. e4 e5\n\n2. Nf3\n10. a4\n{\"[\"} [%clk 1] {1. e4} 0-1",
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
            "0:0 1-0",
            "1/2 : 0 1-0",
            "1 - 0 1-0",
            "0.5\n-\n0.5 1-0",
            "1—0 1-0",
            "0−1 1-0",
            "0-0 ff 1-0",
            "1-0F 1-0",
            "1. e4 {1-0} 1-0",
            "1. e4 c5\n1. d4",
            "1. e4 c5\n\n 1 d4",
            "1. e4 c5\r{c} {d}\r1d4",
            "1. e4 c5\n{c {d} e} 1. d4",
            "1. e4 c5 [ White \t\"A\"] 1. d4",
        ] {
            assert!(!one(movetext), "{movetext}");
        }
    }
}

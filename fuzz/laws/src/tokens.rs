//! Tokens: in order, apart from each other, of the shape their kind promises; only whitespace is between them.

use pgnmill_core::pgn::deviation::Deviation::{TagQuote, TagUnterminated};
use pgnmill_core::pgn::{Digits, Outcome, TagPair, Token, TokenKind, Tokens, opens_tag_pair};
use pgnmill_io::archive::blanks::blank_bytes;

/// The first byte chooses how numbers are cut; the rest is movetext.
pub fn hold(bytes: &[u8]) {
    let Some((&first, text)) = bytes.split_first() else { return };
    let digits = [Digits::Never, Digits::Lead, Digits::Only][usize::from(first) % 3];
    let mut end = 0;
    for token in Tokens::new(text, 0, digits) {
        assert!(end <= token.start && token.start < token.end && token.end <= text.len());
        assert!(text[end..token.start].iter().all(|&byte| byte <= b' '), "{token:?}: a gap");
        let again = Tokens::new(text, token.start, digits).next();
        assert_eq!(again, Some(token), "the same token when the reading begins at it");
        has_shape(text, token);
        end = token.end;
    }
    assert!(text[end..].iter().all(|&byte| byte <= b' '), "bytes are left at the end");
    let brackets = text.iter().enumerate().filter(|(_, byte)| **byte == b'[');
    brackets.for_each(|(at, _)| tag_pair(text, at));
}

fn ends_word(byte: u8) -> bool {
    byte <= b' ' || b"[](){};$!?".contains(&byte)
}

/// `3`, `3.`, `3...`, `…`
fn is_number(mut word: &[u8]) -> bool {
    while let [b'0'..=b'9', rest @ ..] = word {
        word = rest;
    }
    while let [b'.', rest @ ..] | [0xe2, 0x80, 0xa6, rest @ ..] = word {
        word = rest;
    }
    word.is_empty()
}

fn has_shape(text: &[u8], token: Token) {
    let word = &text[token.start..token.end];
    let next = text.get(token.end).copied();
    let first_column = token.start == 0 || b"\n\r".contains(&text[token.start - 1]);
    let to_line_end = |word: &[u8]| {
        !word.iter().any(|byte| b"\n\r".contains(byte)) && next.is_none_or(|b| b"\n\r".contains(&b))
    };
    let ends = |byte| ends_word(byte) || blank_bytes(text, token.end) > 0;
    let closing = word.iter().filter(|&&byte| byte == b'}').count();
    let opening = word.iter().filter(|&&byte| byte == b'{').count();
    let good = match token.kind {
        TokenKind::Move => {
            let has_blank = || (token.start..token.end).any(|at| blank_bytes(text, at) > 0);
            !word.iter().any(|&b| ends_word(b)) && !has_blank() && next.is_none_or(ends)
        }
        TokenKind::Number => is_number(word),
        TokenKind::NumberStuck => {
            word.iter().all(u8::is_ascii_digit) && next.is_some_and(|byte| !ends_word(byte))
        }
        TokenKind::Result => Outcome::from_any(word).is_some() && next.is_none_or(ends),
        TokenKind::Blank => {
            let mut at = token.start;
            while at < token.end && blank_bytes(text, at) > 0 {
                at += blank_bytes(text, at);
            }
            at == token.end && (at == text.len() || blank_bytes(text, at) == 0)
        }
        TokenKind::Comment => {
            word[0] == b'{' && word.ends_with(b"}") && closing == 1 && opening == 1
        }
        TokenKind::CommentNested => {
            word[0] == b'{'
                && word.ends_with(b"}")
                && opening > 1
                && closing <= opening
                && closing > 0
        }
        TokenKind::CommentUnclosed => word[0] == b'{' && closing == 0 && next.is_none(),
        TokenKind::LineComment => word[0] == b';' && to_line_end(word),
        TokenKind::Escape => word[0] == b'%' && first_column && to_line_end(word),
        TokenKind::Open => word == b"(",
        TokenKind::Close => word == b")",
        TokenKind::Nag => {
            word[0] == b'$'
                && word[1..].iter().all(u8::is_ascii_digit)
                && !next.is_some_and(|byte| byte.is_ascii_digit())
        }
        TokenKind::Suffix => {
            let is_sign = |byte: &u8| matches!(byte, b'!' | b'?');
            word.iter().all(is_sign) && !next.is_some_and(|byte| is_sign(&byte))
        }
        TokenKind::Tag => word == b"[" && opens_tag_pair(text, token.start),
        TokenKind::Stray => word.len() == 1 && ends_word(word[0]),
    };
    assert!(good, "{:?} is no {:?}, next {next:?}", word.escape_ascii().to_string(), token.kind);
}

/// A tag pair lies on one line, its name and value within it and in this order.
fn tag_pair(text: &[u8], at: usize) {
    let pair = TagPair::read(text, at);
    assert_eq!(pair.is_some(), opens_tag_pair(text, at));
    let Some(pair) = pair else { return };
    assert!(at < pair.name.start && pair.name.start < pair.name.end);
    assert!(pair.name.end <= pair.value.start && pair.value.start <= pair.value.end);
    assert_eq!(pair.start, at);
    assert!(pair.value.end <= pair.end && pair.end <= text.len());
    let name = &text[pair.name.clone()];
    assert!(name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_'));
    let is_quoted = text[pair.value.start - 1] == b'"';
    assert!(is_quoted || matches!(pair.deviation, Some(TagQuote | TagUnterminated)));
    assert!(!text[at..pair.end].iter().any(|byte| b"\n\r".contains(byte)), "it leaves its line");
    if pair.deviation.is_none() {
        assert_eq!((text[pair.value.end], text[pair.end - 1]), (b'"', b']'));
    }
}

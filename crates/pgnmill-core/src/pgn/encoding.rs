//! Comments and tag values in encodings other than UTF-8, converted to UTF-8.
//!
//! Input: the text of a game. Output: the same game, in which every comment and every tag value is UTF-8; nothing else
//! changes. Values that are UTF-8 stay; the others are read as Windows-1252, which is Latin-1 except for the bytes 0x80
//! to 0x9F (the WHATWG's table: the five unassigned bytes are controls). Each value is decided separately, so that
//! archives of mixed encodings are converted and no archive is read twice. Cost: one pass over a text that is UTF-8;
//! otherwise a few per byte.

use std::borrow::Cow;

use super::{Digits, TagPair, TokenKind, Tokens};

/// Windows-1252, 0x80 to 0x9F (WHATWG Encoding Standard, index windows-1252).
const CHARACTERS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
    '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text with its comments and tag values in UTF-8; `None` if the whole text is UTF-8.
///
/// ```
/// use pgnmill_core::pgn::to_utf8;
/// let game = b"[White \"M\xFCller\"]\n\n1. e4 {gut\x85} *\n";
/// assert_eq!(to_utf8(game).unwrap(), "[White \"Müller\"]\n\n1. e4 {gut…} *\n".as_bytes());
/// assert_eq!(to_utf8("1. e4 {schön} *".as_bytes()), None);
/// ```
pub fn to_utf8(text: &[u8]) -> Option<Vec<u8>> {
    if std::str::from_utf8(text).is_ok() {
        return None;
    }
    let mut new = Vec::with_capacity(text.len() + text.len() / 8);
    let mut copied = 0;
    let mut tokens = Tokens::new(text, 0, Digits::Lead);
    while let Some(token) = tokens.next() {
        let span = match token.kind {
            TokenKind::Comment
            | TokenKind::CommentNested
            | TokenKind::CommentUnclosed
            | TokenKind::LineComment => token.start..token.end,
            TokenKind::Tag => {
                let Some(pair) = TagPair::read(text, token.start) else { continue };
                tokens.go_to(pair.end);
                pair.value
            }
            _ => continue,
        };
        if std::str::from_utf8(&text[span.clone()]).is_err() {
            new.extend_from_slice(&text[copied..span.start]);
            text[span.clone()].iter().for_each(|&byte| push(&mut new, byte));
            copied = span.end;
        }
    }
    new.extend_from_slice(&text[copied..]);
    Some(new)
}

/// A comment or a tag value as a string: UTF-8, or Windows-1252 where it is not well-formed.
///
/// ```
/// use pgnmill_core::pgn::decode;
/// assert_eq!(decode(b"M\xFCller"), decode("Müller".as_bytes()));
/// ```
pub fn decode(text: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(text) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(text.iter().map(|&byte| character(byte)).collect()),
    }
}

/// The value of a tag pair without its escapes (PGN standard 7: `\"` and `\\`), in UTF-8: see [`decode`].
pub fn tag_value(value: &[u8]) -> Cow<'_, str> {
    let value = decode(value);
    if !value.contains('\\') {
        return value;
    }
    let (mut new, mut characters) = (String::with_capacity(value.len()), value.chars());
    while let Some(character) = characters.next() {
        let rest = characters.as_str();
        if character == '\\' && rest.starts_with(['"', '\\']) {
            new.extend(characters.next());
        } else {
            new.push(character);
        }
    }
    Cow::Owned(new)
}

/// Adds a byte of Windows-1252 in UTF-8.
fn push(new: &mut Vec<u8>, byte: u8) {
    new.extend_from_slice(character(byte).encode_utf8(&mut [0; 4]).as_bytes());
}

/// A byte of Windows-1252.
fn character(byte: u8) -> char {
    match byte {
        0x80..=0x9F => CHARACTERS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_value_is_judged_for_itself() {
        let game =
            b"[White \"M\xFCller\"]\n[Black \"M\xC3\xBCller\"]\n1. e4\xFC {\x80 {\xE9} ; \xE8\n*";
        let expected = b"[White \"M\xC3\xBCller\"]\n[Black \"M\xC3\xBCller\"]\n1. e4\xFC \
                         {\xE2\x82\xAC {\xC3\xA9} ; \xC3\xA8\n*";
        assert_eq!(
            to_utf8(game).unwrap().escape_ascii().to_string(),
            expected.escape_ascii().to_string()
        );
    }

    #[test]
    fn escapes_are_removed() {
        for (written, value) in [
            (&b"plain"[..], "plain"),
            (br#"a \"b\" c"#, r#"a "b" c"#),
            (br"a\\b\", r"a\b\"),
            (br"a\b", r"a\b"),
            (b"M\xFCller", "Müller"),
        ] {
            assert_eq!(tag_value(written), value);
        }
    }
}

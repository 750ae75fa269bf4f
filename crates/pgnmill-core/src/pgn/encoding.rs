//! Comments and tag values in encodings other than UTF-8, converted to UTF-8.
//!
//! Input: the text of a game. Output: the same game, in which every comment and every tag value is UTF-8; nothing else
//! changes. Values that are UTF-8 stay; the others are read as Windows-1252, which is Latin-1 except for the bytes 0x80
//! to 0x9F (the WHATWG's table: the five unassigned bytes are controls). Each value is decided separately, so that
//! archives of mixed encodings are converted and no archive is read twice. Cost: one pass over a text that is UTF-8;
//! otherwise a few per byte.
//!
//! Invariant: no `&str` is made of bytes that are not copied. They may be those of a map, which another program can
//! change after they were checked, and a `&str` that is not UTF-8 is undefined behaviour. So what is a `str` was
//! checked in its copy, and what is not copied is bytes. `tests/project/texts.rs` lists where else UTF-8 is checked.

use std::borrow::Cow;

use memchr::memchr;

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
pub fn decode(text: &[u8]) -> String {
    String::from_utf8(text.to_vec())
        .unwrap_or_else(|error| error.as_bytes().iter().map(|&byte| character(byte)).collect())
}

/// The value of a tag pair without its escapes (PGN standard 7: `\"` and `\\`), in UTF-8: see [`decode`].
pub fn tag_value(value: &[u8]) -> String {
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
    new
}

/// The bytes of [`tag_value`], for comparisons; not copied where they are the value as it is written. Nothing may
/// require that they are UTF-8: they are those of the archive, which another program may change.
pub fn tag_value_bytes(value: &[u8]) -> Cow<'_, [u8]> {
    match std::str::from_utf8(value) {
        Ok(_) if memchr(b'\\', value).is_none() => Cow::Borrowed(value),
        _ => Cow::Owned(tag_value(value).into_bytes()),
    }
}

/// Appends a text to a string: see [`decode`]. `own`: memory that is used again; what it contains is lost.
pub(crate) fn decode_to(text: &[u8], own: &mut Vec<u8>, out: &mut String) {
    own.clear();
    own.extend_from_slice(text);
    match std::str::from_utf8(own) {
        Ok(text) => out.push_str(text),
        Err(_) => out.extend(own.iter().map(|&byte| character(byte))),
    }
}

/// Appends a text in UTF-8 to bytes: see [`decode`].
pub(crate) fn decode_onto(text: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    out.extend_from_slice(text);
    if std::str::from_utf8(&out[start..]).is_err() {
        out.split_off(start).into_iter().for_each(|byte| push(out, byte));
    }
}

/// Appends the value of a tag pair to bytes: see [`tag_value`].
pub(crate) fn tag_value_onto(value: &[u8], out: &mut Vec<u8>) {
    let start = out.len();
    decode_onto(value, out);
    if memchr(b'\\', &out[start..]).is_some() {
        let value = out.split_off(start);
        out.extend_from_slice(tag_value(&value).as_bytes());
    }
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
            assert_eq!(*tag_value_bytes(written), *value.as_bytes());
            let mut onto = b"\\\"\xFC".to_vec();
            tag_value_onto(written, &mut onto);
            assert_eq!(onto, [b"\\\"\xFC", value.as_bytes()].concat());
            let (mut own, mut out) = (b"x".to_vec(), "y".to_string());
            decode_to(written, &mut own, &mut out);
            assert_eq!(out, format!("y{}", decode(written)));
        }
    }
}

//! Items separated by commas: `n=5000`, `pv="e2e4 e7e5"`, `White mates`.

use std::ops::Range;

use memchr::memchr;

use crate::pgn::cursor::{Cursor, is_whitespace};

/// Calls `item` with the key and the span of the value of each `key=value` up to the end of the text, without
/// whitespace and quotes. What has no key is skipped: it is how the game ended. `None` if `item` returns it, or a
/// quote is not closed.
pub(super) fn items<'t>(
    cursor: &mut Cursor<'t>,
    mut item: impl FnMut(&'t [u8], Range<usize>) -> Option<()>,
) -> Option<()> {
    loop {
        cursor.skip_whitespace();
        let text = cursor.text;
        let start = cursor.at;
        let key = text[start..].iter().position(|byte| !byte.is_ascii_alphanumeric());
        let key_end = key.map_or(text.len(), |length| start + length);
        let has_key = key_end > start && text.get(key_end) == Some(&b'=');
        if has_key && text.get(key_end + 1) == Some(&b'"') {
            let from = key_end + 2;
            let to = from + memchr(b'"', &text[from..])?;
            cursor.at = to + 1;
            item(&text[start..key_end], from..to)?;
        } else if has_key {
            let from = key_end + 1;
            let to = from + comma(&text[from..]);
            cursor.at = to;
            item(&text[start..key_end], trimmed(text, from..to))?;
        }
        cursor.at += comma(&text[cursor.at..]);
        if !cursor.accept(b',') {
            return Some(());
        }
    }
}

/// Values that are numbers have fewer bytes: for them a search by vectors takes longer than a loop.
const NUMBER_BYTES: usize = 16;

/// The offset of the first comma, or of the end.
#[inline]
fn comma(text: &[u8]) -> usize {
    let near = &text[..text.len().min(NUMBER_BYTES)];
    match near.iter().position(|&byte| byte == b',') {
        Some(offset) => offset,
        None => near.len() + memchr(b',', &text[near.len()..]).unwrap_or(text.len() - near.len()),
    }
}

/// A span without the whitespace at its ends.
fn trimmed(text: &[u8], span: Range<usize>) -> Range<usize> {
    let is_text = |&byte: &u8| !is_whitespace(byte);
    let inner = &text[span.clone()];
    let first = inner.iter().position(is_text).unwrap_or(inner.len());
    let last = inner.iter().rposition(is_text).map_or(first, |last| last + 1);
    span.start + first..span.start + last
}

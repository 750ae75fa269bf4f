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
            let to = memchr(b',', &text[from..]).map_or(text.len(), |length| from + length);
            cursor.at = to;
            item(&text[start..key_end], trimmed(text, from..to))?;
        }
        match memchr(b',', &text[cursor.at..]) {
            Some(length) => cursor.at += length + 1,
            None => {
                cursor.at = text.len();
                return Some(());
            }
        }
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

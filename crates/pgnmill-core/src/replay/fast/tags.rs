//! The fast path of tag pairs: `[Name "value"]` alone on its line, of 63 bytes at most, nothing escaped.
//!
//! In: text at the first byte of a line. Out: tag pairs in a [`TagSection`], and the offset after them. At anything
//! else, or at a second pair of a name of the roster, the fast path ends, before it, and `tag_reader.rs` continues;
//! the tests check that both agree. Cost: all bytes of a line at once.

use pgnmill_simd::{Kernel, Machine};

use crate::pgn::tag_names::{NAME_BYTES_MAX, NOTATION_NAME, name_number, slot_of};

use super::super::tag_section::TagSection;

/// Bytes that are examined at once.
const WINDOW_BYTES: usize = 64;

/// Tag pairs from `at` on.
pub(in crate::replay) struct TagLines<'l> {
    pub(in crate::replay) text: &'l [u8],
    pub(in crate::replay) at: usize,
    pub(in crate::replay) tags: &'l mut TagSection,
}

impl Kernel for TagLines<'_> {
    /// The offset after the last tag pair that was read, or after the line end that follows it.
    type Output = usize;

    #[inline(always)]
    fn run<M: Machine>(self) -> usize {
        let TagLines { text, mut at, tags } = self;
        while let Some(window) = text.get(at..).and_then(|rest| rest.first_chunk::<WINDOW_BYTES>())
        {
            let Some((slot, value, end)) = usual_pair::<M>(window) else { break };
            if !tags.add_usual(slot, at + value.0..at + value.1, at..at + end) {
                break;
            }
            at += end;
            // A line end, and another bracket after it.
            match window.get(end..end + 3) {
                Some([b'\n', b'[', _]) => at += 1,
                Some([b'\r', b'\n', b'[']) => at += 2,
                _ => break,
            }
        }
        at
    }
}

/// The slot of the name, if it has one; the span of the value, and the offset after the bracket.
#[inline(always)]
fn usual_pair<M: Machine>(
    window: &[u8; WINDOW_BYTES],
) -> Option<(Option<usize>, (usize, usize), usize)> {
    let quotes = mask::<M>(window, WINDOW_BYTES, |bytes| M::equal(bytes, b'"'))?;
    let after_first = quotes & quotes.wrapping_sub(1);
    if window[0] != b'[' || after_first == 0 {
        return None;
    }
    let (first, second) = (quotes.trailing_zeros() as usize, after_first.trailing_zeros() as usize);
    let unusual = mask::<M>(window, WINDOW_BYTES, |bytes| {
        M::or(M::equal(bytes, b'\\'), M::below(bytes, b' '))
    })?;
    // Up to the second quote, inclusive.
    let until_second = after_first ^ (after_first - 1);
    let name_len = first.wrapping_sub(2);
    let usual = unusual & until_second == 0
        && name_len.wrapping_sub(1) < NAME_BYTES_MAX
        && window[(name_len + 1) % WINDOW_BYTES] == b' '
        && window.get(second + 1) == Some(&b']')
        // A comma may belong to the pair.
        && window.get(second + 2).is_some_and(|&byte| byte != b',');
    if !usual {
        return None;
    }
    let (_, from_name) = window.split_first()?;
    let name = name_number(from_name.first_chunk()?, name_len);
    let slot = slot_of(name);
    // The characters of a known name need not be checked.
    let named = slot.is_some() || (name != NOTATION_NAME && is_name::<M>(window, name_len)?);
    named.then_some((slot, (first + 1, second), second + 2))
}

/// A bit for each of the first `len` bytes of the window that `matching` selects.
#[inline(always)]
fn mask<M: Machine>(
    window: &[u8; WINDOW_BYTES],
    len: usize,
    matching: impl Fn(M::Bytes) -> M::Bytes,
) -> Option<u64> {
    let (mut bits, mut at) = (0, 0);
    while at < len {
        bits |= M::bits(matching(M::load(window, at)?)) << at;
        at += M::BYTES;
    }
    Some(bits)
}

/// Is the name, after the bracket, of the characters of names, and the byte after it not?
#[inline(always)]
fn is_name<M: Machine>(window: &[u8; WINDOW_BYTES], name_len: usize) -> Option<bool> {
    let below = |byte| mask::<M>(window, 32, move |bytes| M::below(bytes, byte));
    let digits = below(b'9' + 1)? & !below(b'0')?;
    let capitals = below(b'Z' + 1)? & !below(b'A')?;
    let small = below(b'z' + 1)? & !below(b'a')?;
    let underscores = mask::<M>(window, 32, |bytes| M::equal(bytes, b'_'))?;
    let named = digits | capitals | small | underscores;
    Some((!(named >> 1)).trailing_zeros() as usize == name_len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::TagPair;
    use pgnmill_simd::Level;

    /// The fast path reads what the general reader reads, on every level.
    fn compare(text: &[u8]) -> usize {
        let mut expected = None;
        for level in Level::all() {
            let mut tags = TagSection::default();
            let end = level.run(TagLines { text, at: 0, tags: &mut tags });
            let (mut general, mut at) = (TagSection::default(), 0);
            while general.count < tags.count {
                let pair = TagPair::read(text, at).expect("the fast path has read one");
                assert_eq!(pair.deviation, None);
                assert!(general.add(text, at, &pair).is_empty());
                at = pair.end;
                while at < end && text[at] <= b' ' {
                    at += 1;
                }
            }
            assert_eq!(at, end, "{level:?}");
            assert_eq!(format!("{general:?}"), format!("{tags:?}"), "{level:?}");
            assert_eq!(*expected.get_or_insert(tags.count), tags.count);
        }
        expected.unwrap_or(0)
    }

    const TEXT: &str = "[Event \"Hastings\"]\n[Site \"\"]\r\n[Date \"1895.08.??\"]\n[Round \"1_2\"]\n\
        [White \"von Bardeleben, Curt\"]\n[Black \"Ste\u{ef}nitz\"]\n[Result \"0-1\"]\n[WhiteElo \"?\"]\n\
        [SetUp \"0\"]\n[UTC_Date2 \"x\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. c3 Nf6 5. d4 exd4 6. cxd4 0-1\n";

    #[test]
    fn usual_tag_pairs_are_all_read() {
        assert_eq!(compare(TEXT.as_bytes()), 10);
    }

    #[test]
    fn both_readers_agree_whatever_byte_is_changed() {
        let mut taken = 0;
        for at in pgnmill_dice::thinned(3, 0..200) {
            for byte in 0..=255 {
                let mut text = TEXT.as_bytes().to_vec();
                text[at] = byte;
                taken += compare(&text);
            }
        }
        assert!(taken > 100_000, "{taken}");
    }

    #[test]
    fn names_with_a_slot_are_found_by_their_hash() {
        for name in [
            "Event",
            "Result",
            "FEN",
            "SetUp",
            "Setup",
            "Variant",
            "WhiteElo",
            "ECO",
            "BlackRatingDiff",
        ] {
            let mut bytes = [b'"'; NAME_BYTES_MAX];
            bytes[..name.len()].copy_from_slice(name.as_bytes());
            assert!(slot_of(name_number(&bytes, name.len())).is_some(), "{name}");
        }
        assert_eq!(slot_of(name_number(b"WhiteEl0 \"15000\"", 8)), None);
        assert_eq!(compare(format!("[Event \"a\"]\n[Event \"b\"]\n{:80}", "").as_bytes()), 1);
        assert_eq!(compare(format!("[MoveNotation \"uci\"]\n{:80}", "").as_bytes()), 0);
        assert_eq!(compare(format!("[A23456789 \"uci\"]\n{:80}", "").as_bytes()), 1);
        assert_eq!(compare(format!("[A \"{:59}\"]\n{:80}", "", "").as_bytes()), 0);
        assert_eq!(compare(format!("[A \"{:50}\"]\n{:80}", "", "").as_bytes()), 1);
    }
}

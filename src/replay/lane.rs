//! The fast lane: the stretch of movetext that is what movetext nearly always is.
//!
//! Plain canonical SAN moves between blanks, move numbers with full stops, comments in braces. At anything else the lane
//! ends, before it, and the general loop of `moves.rs` goes on from there: the lane decides nothing that the loop would
//! decide otherwise. Cost: each byte once; no token is made.

use crate::board::Color;
use crate::notation::word::{self, bytes_before_blank};
use crate::notation::{Check, Mark, Ply};
use crate::pgn::{Token, TokenKind};

use super::{Line, Listener, Replayer};

/// A comment that ends within so many words of eight bytes is not worth a call.
const SHORT_COMMENT_WORDS: usize = 8;

impl Replayer<'_> {
    /// Goes on from `at` as far as the lane leads; returns where the general loop takes over.
    #[inline(always)]
    pub(super) fn lane(
        &mut self,
        line: &mut Line,
        text: &[u8],
        mut at: usize,
        listener: &mut impl Listener,
    ) -> usize {
        let depth = self.stack.len();
        while let Some(&bytes) = text.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
            let word = u64::from_le_bytes(bytes);
            let first = word as u8;
            if first <= b' ' {
                at += 1;
                continue;
            }
            if first.is_ascii_digit() {
                let Some(end) = self.lane_number(line, word, at) else { return at };
                at = end;
                continue;
            }
            if first == b'{' {
                let Some(end) = comment_end(text, at) else { return at };
                at = end;
                continue;
            }
            let len = bytes_before_blank(word);
            let Some((plain, mark)) = word::read(word, len, line.position()) else { return at };
            let numbered = line.numbered;
            let (before, after, lineage) = line.play_plain(plain);
            if !numbered && before.turn() == Color::White {
                return at;
            }
            let check = if after.in_check() || mark != Mark::None {
                let check = Check::of(after);
                if mark.deviation(check).is_some() {
                    return at;
                }
                check
            } else {
                Check::None
            };
            let place = at..at + len;
            let mv = plain.mv();
            let ply = Ply::new(before, mv, after, check).with_lineage(lineage);
            listener.ply(text, place, &ply, depth);
            line.note_lineage(mv);
            line.turn();
            self.count_ply(depth);
            at += len;
        }
        at
    }

    /// `12.` or `12...`, of up to four digits; anything else that begins with a digit is not for the lane.
    #[inline(always)]
    fn lane_number(&mut self, line: &mut Line, word: u64, start: usize) -> Option<usize> {
        let byte = |index: usize| (word >> (8 * index)) as u8;
        let (mut number, mut len) = (0, 0);
        while len < 5 && byte(len).is_ascii_digit() {
            number = number * 10 + u32::from(byte(len) - b'0');
            len += 1;
        }
        if len > 4 || byte(len) != b'.' {
            return None;
        }
        while len < 8 && byte(len) == b'.' {
            len += 1;
        }
        // The full stops may go on behind the word, or an ellipsis may follow.
        if len == 8 || byte(len) >= 0x80 {
            return None;
        }
        let token = Token { kind: TokenKind::Number, start, end: start + len };
        self.numbered(line, number, token);
        if line.dead { None } else { Some(start + len) }
    }
}

/// Where a comment ends that holds no opening brace.
#[inline(always)]
fn comment_end(text: &[u8], start: usize) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;
    let mut at = start + 1;
    for _ in 0..SHORT_COMMENT_WORDS {
        let bytes = text.get(at..)?.first_chunk::<8>()?;
        let word = u64::from_le_bytes(*bytes);
        // `{` and `}` are the only bytes in which these bits are these, but for `y` and DEL. The lowest byte that
        // is found is found truly.
        let braces = (word & (ONES * 0xf9)) ^ (ONES * 0x79);
        let mut found = braces.wrapping_sub(ONES) & !braces & HIGH;
        while found != 0 {
            let index = found.trailing_zeros() as usize / 8;
            match bytes[index] {
                b'}' => return Some(at + index + 1),
                b'{' => return None,
                _ => found &= found - 1,
            }
        }
        at += 8;
    }
    let rest = &text[at..];
    match memchr::memchr2(b'}', b'{', rest) {
        Some(length) if rest[length] == b'}' => Some(at + length + 1),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_end_at_the_first_brace_whatever_stands_before_it() {
        for length in 0..100 {
            for filler in [b'y', 0x7f, b'a', 0xf9, 0xfb, 0x80, b' '] {
                let mut text = vec![b'{'];
                text.extend(std::iter::repeat_n(filler, length));
                text.extend(b"} e4 d5 c4 {");
                assert_eq!(comment_end(&text, 0), Some(length + 2), "{length} of {filler}");
                text[length + 1] = b'{';
                assert_eq!(comment_end(&text, 0), None, "{length} of {filler}");
            }
        }
    }
}

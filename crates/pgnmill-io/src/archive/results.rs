//! Results: where a game without tag pairs follows another one, in text that is too long to be one game.
//!
//! In: text in which no tag pair starts a game. Out: offsets of first moves (`1.`) after a result. Such an offset is
//! taken for the beginning of a game only in a run that is longer than a game may be: elsewhere a block holds the whole
//! run, and its games are found as they are read, comments and variations included.
//!
//! Only [`RESULT_EDGE_BYTES`] before an offset are read, so that it does not depend on how the text was divided. Cost:
//! that of a search for two bytes.
//!
//! ```text
//! 1. e4 e5 1-0 1. d4 d5 *
//!              ^ here
//! ```

use memchr::memmem;

/// The most whitespace between a result and the next move number.
const WHITESPACE_MAX: usize = 16;

/// How many bytes before an offset, and at it, decide whether a game begins there.
pub(super) const RESULT_EDGE_BYTES: usize = 1 + LONGEST + WHITESPACE_MAX + FIRST_MOVE.len();

/// With what a game without tag pairs begins.
pub(super) const FIRST_MOVE: &[u8] = b"1.";
const RESULTS: [&[u8]; 4] = [b"1-0", b"0-1", b"1/2-1/2", b"*"];
const LONGEST: usize = 7;

/// The first offset after `from` at which a game begins after a result.
pub(super) fn first_after_result(text: &[u8], from: usize) -> Option<usize> {
    let searched = text.get(from..)?;
    let found = memmem::find_iter(searched, FIRST_MOVE).map(|at| from + at);
    found.into_iter().find(|&at| at > from && follows_result(&text[..at]))
}

/// The last offset but 0 at which a game begins after a result.
pub(super) fn last_after_result(text: &[u8]) -> Option<usize> {
    memmem::rfind_iter(text, FIRST_MOVE).find(|&at| at > 0 && follows_result(&text[..at]))
}

/// Does a text end with a result that is a token of its own, and whitespace?
fn follows_result(text: &[u8]) -> bool {
    let edge = &text[text.len().saturating_sub(RESULT_EDGE_BYTES - FIRST_MOVE.len())..];
    let whitespace = edge.iter().rev().take_while(|&&byte| byte <= b' ').count();
    let movetext = &edge[..edge.len() - whitespace];
    (1..=WHITESPACE_MAX).contains(&whitespace)
        && RESULTS.iter().any(|&result| {
            let before = movetext.strip_suffix(result);
            before
                .is_some_and(|before| matches!(before.last(), None | Some(0..=b' ' | b'}' | b')')))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str) -> Vec<usize> {
        let next = |&at: &usize| first_after_result(text.as_bytes(), at);
        std::iter::successors(next(&0), next).collect()
    }

    #[test]
    fn a_first_move_after_a_result_begins_a_game() {
        for result in ["1-0", "0-1", "1/2-1/2", "*"] {
            for whitespace in [" ", "\n", "\r\n\r\n", "\t  \n"] {
                let game = format!("1. e4 {{x}} {result}{whitespace}");
                let expected: Vec<usize> = (1..3).map(|number| number * game.len()).collect();
                assert_eq!(all(&game.repeat(3)), expected, "{game:?}");
                let text = game.repeat(3);
                assert_eq!(
                    last_after_result(text.as_bytes()),
                    expected.last().copied(),
                    "{game:?}"
                );
            }
        }
    }

    #[test]
    fn nothing_else_does() {
        for text in
            ["1. e4 11. e5", "1-01. e4", "1. e4 x* 1. e4", "1. e4 1-0 {c} 1. e4", "1. e4", ""]
        {
            assert_eq!(all(text), [0; 0], "{text}");
            assert_eq!(last_after_result(text.as_bytes()), None, "{text}");
        }
        let far = format!("*{}1. e4", " ".repeat(WHITESPACE_MAX + 1));
        assert_eq!(all(&far), [0; 0]);
    }

    /// No more of the text before an offset is read than is promised.
    #[test]
    fn the_edge_decides() {
        let text = format!("1. e4 1/2-1/2{}1. d4", " ".repeat(WHITESPACE_MAX));
        let at = text.len() - 5;
        assert_eq!(all(&text), [at]);
        let edge = at + FIRST_MOVE.len() - RESULT_EDGE_BYTES;
        assert_eq!(first_after_result(&text.as_bytes()[edge..], 0), Some(at - edge));
    }
}

//! Movetext on one line, for `--one-line`.
//!
//! In: movetext. Out: the same tokens, with spaces instead of line ends where a line end is only whitespace. Cost: the
//! tokens once.

use crate::pgn::{Digits, TokenKind, Tokens};

/// The movetext with spaces instead of line ends, except those that end a comment to the end of the line, and those
/// around an escape line, which begins in the first column (PGN standard 6).
pub(super) fn one_line(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut new = String::with_capacity(text.len());
    let mut copied = 0;
    for token in Tokens::new(bytes, 0, Digits::Lead) {
        let is_escape = token.kind == TokenKind::Escape;
        if !is_escape && token.kind != TokenKind::LineComment {
            continue;
        }
        let before = text[copied..token.start].trim_end_matches(['\r', '\n']);
        new.push_str(&spaced(before));
        let starts_line = new.is_empty() || new.ends_with('\n');
        new.push_str(if is_escape && !starts_line { "\n" } else { "" });
        new.push_str(&text[token.start..token.end]);
        let rest = &bytes[token.end..];
        let line_end = rest.iter().take_while(|&&byte| matches!(byte, b'\r' | b'\n')).count();
        new.push_str(if line_end > 0 { "\n" } else { "" });
        copied = token.end + line_end;
    }
    new.push_str(&spaced(&text[copied..]));
    new
}

/// The text with one space in place of each line end.
fn spaced(text: &str) -> String {
    text.replace("\r\n", " ").replace(['\n', '\r'], " ")
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn line_ends_become_spaces_except_after_comments_to_the_end_of_a_line() {
        for (text, expected) in [
            ("1. e4\ne5 *", "1. e4 e5 *"),
            ("1. e4\r\n{a\nb} e5 *", "1. e4 {a b} e5 *"),
            ("1. e4 ; best\n\ne5\n*", "1. e4 ; best\ne5 *"),
            ("1. e4 {; no}\ne5 ; end", "1. e4 {; no} e5 ; end"),
            ("1. e4\n% note\ne5\n*", "1. e4\n% note\ne5 *"),
            ("1. e4 ; a\r\n%b\r\n%c\n*", "1. e4 ; a\n%b\n%c\n*"),
        ] {
            assert_eq!(one_line(text), expected);
        }
    }
}

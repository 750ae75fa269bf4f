//! Sentences of a page, in which names are code and values of tables are literal.
//!
//! In: text with names between backticks, and values that [`literal`] or [`code`] have put into it. Out: the same as
//! HTML, as Markdown, or without markup. Invariant: whatever the bytes of a value, a reader has its characters, and
//! nothing of it is markup; control characters, which neither format has, are replaced. Cost: the length of the text.
//!
//! ```ignore
//! let text = format!("The file `x.csv` has the archive {}.", literal("a`b`c"));
//! assert_eq!(plain(&text), "The file x.csv has the archive a`b`c.");
//! ```

use std::fmt::Write as _;

use super::escape::{escaped, without_controls};

/// What a value has in place of its backticks. No value has a control character of its own.
const BACKTICK: char = '\u{1}';
/// Where a value begins, and where it ends.
const BEGIN: char = '\u{2}';
const END: char = '\u{3}';

/// A value of a table, for a sentence.
pub(super) fn literal(value: &str) -> String {
    let value = without_controls(value).replace('`', BACKTICK.encode_utf8(&mut [0; 4]));
    format!("{BEGIN}{value}{END}")
}

/// A value of a table as a name, for a sentence.
pub(super) fn code(value: &str) -> String {
    format!("`{}`", literal(value))
}

/// The text between backticks and that outside, in turns; the first is outside.
fn parts(text: &str) -> impl Iterator<Item = (bool, &str)> {
    text.split('`').enumerate().map(|(number, part)| (number % 2 == 1, part))
}

/// The characters that a reader has.
fn characters(part: &str) -> String {
    let shown = part.chars().filter(|sign| ![BEGIN, END].contains(sign));
    shown.map(|sign| if sign == BACKTICK { '`' } else { sign }).collect()
}

/// The text without markup.
pub(super) fn plain(text: &str) -> String {
    parts(text).map(|(_, part)| characters(part)).collect()
}

/// The text as HTML.
pub(super) fn html(text: &str) -> String {
    let mut html = String::new();
    for (is_code, part) in parts(text) {
        let part = escaped(&characters(part));
        let _ = if is_code { write!(html, "<code>{part}</code>") } else { write!(html, "{part}") };
    }
    html
}

/// The text as Markdown.
pub(super) fn markdown(text: &str) -> String {
    let mut markdown = String::new();
    for (is_code, part) in parts(text) {
        if is_code {
            markdown += &code_span(&characters(part));
            continue;
        }
        let (mut value, mut is_value) = (String::new(), false);
        for sign in part.chars() {
            match sign {
                BEGIN => is_value = true,
                END => {
                    markdown += &literal_markdown(&std::mem::take(&mut value));
                    is_value = false;
                }
                BACKTICK => value.push('`'),
                other if is_value => value.push(other),
                other => markdown.push(other),
            }
        }
    }
    markdown
}

/// A text as a code span of Markdown: its fence is longer than any run of backticks in it.
pub(super) fn code_span(text: &str) -> String {
    let text = without_controls(text);
    let longest = text.split(|sign| sign != '`').map(str::len).max().unwrap_or(0);
    // A span that begins or ends with a backtick, or is of spaces alone, has a space at either end.
    let has_pad = text.starts_with('`') || text.ends_with('`') || text.trim().is_empty();
    let pad = if has_pad { " " } else { "" };
    let fence = "`".repeat(longest + 1);
    format!("{fence}{pad}{text}{pad}{fence}")
}

/// A value as text of Markdown, in which nothing is markup.
pub(super) fn literal_markdown(value: &str) -> String {
    let value = without_controls(value);
    let mut text = String::with_capacity(value.len());
    let mut before = ' ';
    let mut signs = value.chars().peekable();
    while let Some(sign) = signs.next() {
        // An underscore within a word is no emphasis, nor is a star between spaces.
        let is_in_word = |next: Option<&char>| {
            before.is_alphanumeric() && next.is_some_and(|next| next.is_alphanumeric())
        };
        match sign {
            '<' => text.push_str("&lt;"),
            '_' if is_in_word(signs.peek()) => text.push(sign),
            '*' if before == ' ' && signs.peek().is_none_or(|next| *next == ' ') => text.push(sign),
            '&' if !signs.peek().is_some_and(|next| next.is_alphanumeric() || *next == '#') => {
                text.push(sign);
            }
            '\\' | '`' | '*' | '_' | '[' | ']' | '&' | '~' | '#' | '$' => {
                text.push('\\');
                text.push(sign);
            }
            other => text.push(other),
        }
        before = sign;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const VALUES: [&str; 8] =
        ["`x`", "a`b", "``", "```", "a <b>`c`</b> & \"d\"", "*_[x](y)_*", "", "\\`"];

    #[test]
    fn values_are_what_a_reader_has() {
        for value in VALUES {
            let text = format!("The `name` of {} and {}.", literal(value), code(value));
            assert_eq!(plain(&text), format!("The name of {value} and {value}."));
            let safe = escaped(value);
            let expected = format!("The <code>name</code> of {safe} and <code>{safe}</code>.");
            assert_eq!(html(&text), expected);
        }
        assert_eq!(plain(&literal("a\u{1}b\u{2}c\u{3}d\te")), "a\u{fffd}b\u{fffd}c\u{fffd}d e");
    }

    #[test]
    fn values_are_no_markup_of_markdown() {
        assert_eq!(markdown("The `name` is bold."), "The `name` is bold.");
        assert_eq!(markdown(&code("a`b")), "``a`b``");
        assert_eq!(markdown(&code("`x``")), "``` `x`` ```");
        assert_eq!(markdown(&literal("`x` <b> a_b _c_")), "\\`x\\` &lt;b> a_b \\_c\\_");
        assert_eq!(markdown(&literal("&lt; & *a*")), "\\&lt; & \\*a\\*");
        assert_eq!(markdown(&literal("*")), "*");
    }
}

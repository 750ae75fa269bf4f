//! Text as content of HTML and SVG.
//!
//! Input: any text; output: the same for elements and attributes, without control characters, which XML does not have.

/// Text that is escaped for elements and attributes.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for sign in text.chars() {
        match sign {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            other => safe.push(shown(other)),
        }
    }
    safe
}

/// Text without control characters.
pub(super) fn without_controls(text: &str) -> String {
    text.chars().map(shown).collect()
}

/// A character, or what is in its place: control characters are no characters of XML, nor are the last two.
fn shown(sign: char) -> char {
    match sign {
        '\t' | '\n' => ' ',
        '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}' => '\u{fffd}',
        other => other,
    }
}

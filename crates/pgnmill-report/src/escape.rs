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
            // Control characters are no characters of XML.
            '\t' | '\n' => safe.push(' '),
            '\0'..='\x1f' => safe.push('\u{fffd}'),
            other => safe.push(other),
        }
    }
    safe
}

//! Patterns of `like`, as in SQL.
//!
//! In: a pattern. Out: the same as a regular expression, or why it is probably not meant. Cost: linear.

/// The pattern of `like` as a regular expression: `%` is any text, `_` one character, `\` takes the next one as it is.
pub(super) fn regex_of_like(pattern: &str, any_case: bool) -> Result<String, String> {
    if !pattern.is_empty() && pattern.chars().all(|character| character == '%') {
        return Err("any text is like this: write is present".to_string());
    }
    let mut regex = if any_case { "(?si)^" } else { "(?s)^" }.to_string();
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '%' => regex += ".*",
            '_' => regex += ".",
            '*' => {
                let right = pattern.replace('*', "%");
                return Err(format!("% is any text here, and _ one character: like \"{right}\""));
            }
            '\\' => {
                let next = characters.next().unwrap_or('\\');
                regex += &regex::escape(next.encode_utf8(&mut [0; 4]));
            }
            other => regex += &regex::escape(other.encode_utf8(&mut [0; 4])),
        }
    }
    Ok(regex + "$")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn like_is_that_of_sql() {
        for (pattern, text, expected) in [
            ("B9%", "B90", true),
            ("B9%", "AB90", false),
            ("B9_", "B9", false),
            ("%a%", "bab", true),
            ("a.c", "abc", false),
            ("100\\%", "100%", true),
            ("100\\%", "1000", false),
            ("a\\\\b", "a\\b", true),
            ("%a%", "a\nb", true),
            ("", "", true),
        ] {
            let regex = regex_of_like(pattern, false).unwrap();
            let regex = regex::Regex::new(&regex).unwrap();
            assert_eq!(regex.is_match(text), expected, "{pattern} {text}");
        }
        assert!(regex_of_like("%", true).unwrap_err().contains("is present"));
        assert!(regex_of_like("B9*", false).unwrap_err().contains("\"B9%\""));
        let any_case = regex::Regex::new(&regex_of_like("b9%", true).unwrap()).unwrap();
        assert!(any_case.is_match("B90"));
    }
}

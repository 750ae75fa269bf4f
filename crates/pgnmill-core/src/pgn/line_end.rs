//! The line end of a text: `\n`, `\r\n` or `\r`.
//!
//! In: a text. Out: its first or its last line end; `None` if it has none. Cost: a search for one of two bytes.
//!
//! Example: the first of `a\r\nb\n` is `\r\n`, the last `\n`.

/// The first line end of a text.
pub(crate) fn first(text: &[u8]) -> Option<&'static [u8]> {
    let at = memchr::memchr2(b'\n', b'\r', text)?;
    Some(match (text[at], text.get(at + 1)) {
        (b'\n', _) => b"\n",
        (_, Some(b'\n')) => b"\r\n",
        _ => b"\r",
    })
}

/// The last line end of a text.
pub(crate) fn last(text: &[u8]) -> Option<&'static [u8]> {
    let at = memchr::memrchr2(b'\n', b'\r', text)?;
    Some(match (text[at], at.checked_sub(1).map(|before| text[before])) {
        (b'\n', Some(b'\r')) => b"\r\n",
        (b'\n', _) => b"\n",
        _ => b"\r",
    })
}

/// The length of the line end with which a text begins; 0 if it begins with none.
pub(crate) fn len(text: &[u8]) -> usize {
    match text {
        [b'\r', b'\n', ..] => 2,
        [b'\n' | b'\r', ..] => 1,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_ends_are_found_whatever_is_beside_them() {
        for (text, begins, ends) in [
            ("", None, None),
            ("a", None, None),
            ("\n", Some("\n"), Some("\n")),
            ("\r", Some("\r"), Some("\r")),
            ("a\r\nb\rc", Some("\r\n"), Some("\r")),
            ("\n\r", Some("\n"), Some("\r")),
            ("a\rb\r\n", Some("\r"), Some("\r\n")),
            ("\r\r\n", Some("\r"), Some("\r\n")),
        ] {
            assert_eq!(first(text.as_bytes()), begins.map(str::as_bytes), "{text:?}");
            assert_eq!(last(text.as_bytes()), ends.map(str::as_bytes), "{text:?}");
            let at_start = begins.filter(|end| text.starts_with(end));
            assert_eq!(len(text.as_bytes()), at_start.map_or(0, str::len), "{text:?}");
        }
    }
}

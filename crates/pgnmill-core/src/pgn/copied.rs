//! Text of archives as strings that are checked copies: see the invariant of `encoding.rs`.
//!
//! In: bytes, which may be those of a map. Out: strings of their own. Cost: a copy.

/// Text of an archive as messages quote it: bytes that are not UTF-8 become U+FFFD.
///
/// ```
/// assert_eq!(pgnmill_core::pgn::lossy(b"M\xFCller"), "M\u{fffd}ller");
/// ```
pub fn lossy(text: &[u8]) -> String {
    String::from_utf8(text.to_vec())
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Text of an archive, if it is UTF-8.
pub(crate) fn utf8(text: &[u8]) -> Option<String> {
    String::from_utf8(text.to_vec()).ok()
}

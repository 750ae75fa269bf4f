//! Files that are no archives of games, known by their first bytes: better refused by name than read as nonsense.
//!
//! In: the first bytes of a file. Out: nothing, or the error that says what the file is and how its text may be had.
//! Whatever is not in the list is read as text, and every byte of it accounted for.

use std::path::Path;

use crate::error::{Error, Result};

/// So many bytes are enough to know a file by.
pub(super) const MAGIC_BYTES: usize = 4;

/// First bytes, what they begin, and what helps.
const FOREIGN: &[(&[u8], &str, &str)] = &[
    (b"\x1F\x8B\x08", "compressed with gzip", "`gzip -dc FILE | pgnmill ... -` reads it"),
    (b"BZh", "compressed with bzip2", "`bzip2 -dc FILE | pgnmill ... -` reads it"),
    (b"\xFD7zX", "compressed with xz", "`xz -dc FILE | pgnmill ... -` reads it"),
    (b"\x04\x22\x4D\x18", "compressed with lz4", "`lz4 -dc FILE | pgnmill ... -` reads it"),
    (b"PK\x03\x04", "a zip file", "`unzip -p FILE | pgnmill ... -` reads it"),
    (b"7z\xBC\xAF", "a 7-Zip file", "`7z x -so FILE | pgnmill ... -` reads it"),
    (b"\xFF\xFE", "text in UTF-16", "`iconv -f UTF-16 -t UTF-8 FILE | pgnmill ... -` reads it"),
    (b"\xFE\xFF", "text in UTF-16", "`iconv -f UTF-16 -t UTF-8 FILE | pgnmill ... -` reads it"),
    (b"%PDF", "a PDF document", "it is no archive of games"),
    (b"\x89PNG", "a picture", "it is no archive of games"),
    (b"\x7FELF", "a program", "it is no archive of games"),
];

/// Refuses a file that begins with the bytes of another format.
///
/// # Errors
/// What the file is.
pub(super) fn refuse(path: &Path, stored: &[u8]) -> Result<()> {
    match FOREIGN.iter().find(|(magic, ..)| stored.starts_with(magic)) {
        None => Ok(()),
        Some((_, what, advice)) => {
            Err(Error::usage(format!("{} is {what}: {advice}", path.display())))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_formats_are_named_and_text_is_not() {
        let path = Path::new("x.pgn");
        let error = refuse(path, b"\x1F\x8B\x08\0").unwrap_err().to_string();
        assert!(error.starts_with("x.pgn is compressed with gzip: "), "{error}");
        for text in
            [b"".as_slice(), b"[Event \"x\"]", b"1. e4", b"\xEF\xBB\xBF[", b"\x28\xB5\x2F\xFD"]
        {
            assert!(refuse(path, text).is_ok());
        }
        assert!(FOREIGN.iter().all(|(magic, ..)| magic.len() <= MAGIC_BYTES));
    }
}

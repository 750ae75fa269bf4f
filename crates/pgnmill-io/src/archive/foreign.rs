//! Files that are no archives of games, recognised by their first bytes and rejected by the name of their format.
//!
//! In: the first bytes of a file. Out: nothing, or the error with the format of the file and a way to its text. A file
//! that is not in the list is read as text, and every byte of it is counted.

use std::path::Path;

use crate::error::Shown as _;
use crate::error::{Error, Result};

/// This many bytes decide the format.
pub(super) const MAGIC_BYTES: usize = 16;

/// Where the magic of a tar archive is (POSIX.1-1988, ustar).
const TAR_MAGIC_AT: usize = 257;

/// The advice about a format that is read with the feature `containers`: without it the feature is named, which a
/// caller of the library can have; with it the file is in another one, or cut off.
const fn contained(advice: &'static str) -> &'static str {
    match cfg!(feature = "containers") {
        true => advice,
        false => "the feature `containers`, which this build does not have, reads it",
    }
}

/// First bytes, the format, and advice.
const FOREIGN: &[(&[u8], &str, &str)] = &[
    (
        b"\x1F\x8B\x08",
        "compressed with gzip",
        contained("`gzip -dc FILE | pgnmill ... -` reads it"),
    ),
    (b"BZh", "compressed with bzip2", contained("`bzip2 -dc FILE | pgnmill ... -` reads it")),
    (b"\xFD7zX", "compressed with xz", contained("`xz -dc FILE | pgnmill ... -` reads it")),
    (b"\x04\x22\x4D\x18", "compressed with lz4", "`lz4 -dc FILE | pgnmill ... -` reads it"),
    // LZMA alone has properties and the size of the dictionary, of which the low bytes are zero.
    (b"\x5D\0\0", "compressed with lzma", "`xz -dc FILE | pgnmill ... -` reads it"),
    (b"LZIP", "compressed with lzip", "`lzip -dc FILE | pgnmill ... -` reads it"),
    (b"\x1F\x9D", "compressed with compress", "`gzip -dc FILE | pgnmill ... -` reads it"),
    (b"PK\x03\x04", "a zip file", contained("`unzip -p FILE | pgnmill ... -` reads it")),
    (b"7z\xBC\xAF", "a 7-Zip file", contained("`7z x -so FILE | pgnmill ... -` reads it")),
    // Before UTF-16: the byte order mark of UTF-32LE begins with that of UTF-16LE.
    (b"\xFF\xFE\0\0", "text in UTF-32", "`iconv -f UTF-32 -t UTF-8 FILE | pgnmill ... -` reads it"),
    (b"\0\0\xFE\xFF", "text in UTF-32", "`iconv -f UTF-32 -t UTF-8 FILE | pgnmill ... -` reads it"),
    (b"\xFF\xFE", "text in UTF-16", "`iconv -f UTF-16 -t UTF-8 FILE | pgnmill ... -` reads it"),
    (b"\xFE\xFF", "text in UTF-16", "`iconv -f UTF-16 -t UTF-8 FILE | pgnmill ... -` reads it"),
    (b"Rar!\x1A\x07", "a RAR file", "`unrar p -inul FILE | pgnmill ... -` reads it"),
    (b"PAR1", "a Parquet file", "it is a table, and no archive of games"),
    (b"ARROW1", "an Arrow file", "it is a table, and no archive of games"),
    (b"SQLite format 3\0", "a SQLite database", "it is no archive of games"),
    (b"%PDF", "a PDF document", "it is no archive of games"),
    (b"\x89PNG", "a picture", "it is no archive of games"),
    (b"\x7FELF", "a program", "it is no archive of games"),
];

/// Encodings without a byte order mark: the name for iconv, the bytes of a code unit, and which of them is the ASCII
/// character; the others are zero.
const WIDE: [(&str, usize, usize); 4] =
    [("UTF-32LE", 4, 0), ("UTF-32BE", 4, 3), ("UTF-16LE", 2, 0), ("UTF-16BE", 2, 1)];

/// The encoding without a byte order mark in which a file begins with ASCII characters, if it does.
fn wide(stored: &[u8]) -> Option<&'static str> {
    let stored = &stored[..stored.len().min(MAGIC_BYTES)];
    let fits = |&&(_, width, place): &&(&str, usize, usize)| {
        let is_sign = |unit: &[u8]| {
            let at_place = |(at, &byte): (usize, &u8)| match at == place {
                true => byte.is_ascii_graphic() || byte.is_ascii_whitespace(),
                false => byte == 0,
            };
            unit.iter().enumerate().all(at_place)
        };
        // Four bytes at least, so that one zero byte does not decide.
        stored.len() >= 4 && stored.chunks_exact(width).all(is_sign)
    };
    WIDE.iter().find(fits).map(|(name, ..)| *name)
}

/// Rejects text in a container that begins with the bytes of another format, or of another container.
///
/// # Errors
/// The format of the text.
#[cfg(feature = "containers")]
pub(super) fn refuse_held(path: &Path, text: &[u8]) -> Result<()> {
    if super::is_zstd(text) {
        let path = path.shown();
        return Err(Error::usage(format!("what {path} holds is compressed again, with zstd")));
    }
    refuse(path, text).map_err(|error| Error::usage(format!("what it holds is no text: {error}")))
}

/// Does a file begin with the header of a member of a tar archive?
fn is_tar(stored: &[u8]) -> bool {
    stored.get(TAR_MAGIC_AT..).is_some_and(|rest| rest.starts_with(b"ustar"))
}

/// Rejects a file that begins with the bytes of another format.
///
/// # Errors
/// The format of the file.
pub(super) fn refuse(path: &Path, stored: &[u8]) -> Result<()> {
    let path = path.shown();
    if let Some((_, what, advice)) = FOREIGN.iter().find(|(magic, ..)| stored.starts_with(magic)) {
        return Err(Error::usage(format!("{path} is {what}: {advice}")));
    }
    if is_tar(stored) {
        let advice = "`tar -xOf FILE | pgnmill ... -` reads it";
        return Err(Error::usage(format!("{path} is a tar archive: {advice}")));
    }
    if let Some(name) = wide(stored) {
        let advice = format!("`iconv -f {name} -t UTF-8 FILE | pgnmill ... -` reads it");
        return Err(Error::usage(format!("{path} is text in {name}: {advice}")));
    }
    Ok(())
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

    /// A caller of the library can have the feature; a command line, where it is there, has a pipe.
    #[test]
    fn a_missing_feature_is_named() {
        for magic in [&b"\x1F\x8B\x08"[..], b"BZh", b"\xFD7zX", b"PK\x03\x04", b"7z\xBC\xAF"] {
            let error = refuse(Path::new("x"), magic).unwrap_err().to_string();
            let is_named = error.contains("the feature `containers`");
            assert_eq!(is_named, cfg!(not(feature = "containers")), "{error}");
        }
        let error = refuse(Path::new("x"), b"Rar!\x1A\x07").unwrap_err().to_string();
        assert!(!error.contains("feature"), "{error}");
    }

    /// Whatever a text begins with, and however short it is: its encoding is named, with a byte order mark or without.
    #[test]
    fn wide_encodings_are_named() {
        for text in ["[Event \"x\"]\n\n1. e4 *\n", "1. e4", "\r\n\t%", "{♔}"] {
            for (name, width, place) in WIDE {
                let unit = |sign: char| {
                    let [.., b, c, d] = (sign as u32).to_be_bytes();
                    let big = [0, b, c, d];
                    let mut unit = big[4 - width..].to_vec();
                    if place == 0 {
                        unit.reverse();
                    }
                    unit
                };
                for mark in ["\u{feff}", ""] {
                    let stored: Vec<u8> = [mark, text].concat().chars().flat_map(unit).collect();
                    if mark.is_empty() && !text.is_ascii() {
                        continue;
                    }
                    let error = refuse(Path::new("x"), &stored).unwrap_err().to_string();
                    let plain = name.trim_end_matches(['L', 'B', 'E']);
                    let expected = if mark.is_empty() { name } else { plain };
                    assert!(error.starts_with(&format!("x is text in {expected}: ")), "{error}");
                }
            }
        }
        for text in [&b"\0\0\0\0"[..], b"1\0", b"ab\0\0", b"[\0E\0x\0\x01\x02", b"\0a\0b\0\x80"] {
            assert!(refuse(Path::new("x"), text).is_ok(), "{text:?}");
        }
    }
}

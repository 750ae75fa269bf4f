//! A text after xz, with the encoder that the feature `containers` brings.
//!
//! In: a text and a preset. Out: a file in the format of xz with this preset and a checksum of 64 bits.
//! The dictionary is no longer than the text, which changes no byte but its size in the header. Cost: that of the
//! encoder; some eleven times the text in memory.

use std::io;

/// Is there an encoder?
pub const HAS_XZ: bool = cfg!(feature = "containers");

/// A text after xz with a preset, 0 to 9.
///
/// # Errors
/// Those of the encoder; there is none without the feature `containers`.
#[cfg(feature = "containers")]
pub fn xz(text: &[u8], preset: u32) -> io::Result<Vec<u8>> {
    use std::io::Write as _;

    use lzma_rust2::{XzOptions, XzWriter};

    /// The shortest dictionary of the format.
    const DICTIONARY_BYTES_MIN: usize = 4 << 10;

    let mut options = XzOptions::with_preset(preset);
    let needed = text.len().max(DICTIONARY_BYTES_MIN).next_power_of_two();
    let dictionary = &mut options.lzma_options.dict_size;
    *dictionary = u32::try_from(needed).map_or(*dictionary, |needed| needed.min(*dictionary));
    let mut writer = XzWriter::new(Vec::new(), options)?;
    writer.write_all(text)?;
    writer.finish()
}

/// Refuses to compress: there is no encoder without the feature `containers`.
///
/// # Errors
/// Always.
#[cfg(not(feature = "containers"))]
pub fn xz(_: &[u8], _: u32) -> io::Result<Vec<u8>> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, feature = "containers"))]
mod tests {
    use super::*;
    use lzma_rust2::{XzOptions, XzReader, XzWriter};
    use std::io::{Read as _, Write as _};

    /// As many bytes as with the dictionary of the preset; they are read again.
    #[test]
    fn a_text_comes_back_and_a_short_dictionary_changes_no_size() {
        for bytes in [0, 1, 5_000, 70_000] {
            let text: Vec<u8> =
                (0..bytes as u32).map(|at| (at % 97 * (at / 500) % 61) as u8).collect();
            for preset in [0, 3, 6, 9] {
                let mut writer = XzWriter::new(Vec::new(), XzOptions::with_preset(preset)).unwrap();
                writer.write_all(&text).unwrap();
                let whole = writer.finish().unwrap().len();
                let short = xz(&text, preset).unwrap();
                assert_eq!(short.len(), whole, "{bytes} {preset}");
                let mut read = Vec::new();
                XzReader::new(&short[..], false).read_to_end(&mut read).unwrap();
                assert!(read == text, "{bytes} {preset}");
            }
        }
    }
}

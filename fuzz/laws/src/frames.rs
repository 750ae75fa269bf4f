//! Frames: whatever a mapped zstd file holds, its workers read what the reference decoder reads.
//!
//! The bytes are either stored as they are or are a recipe for frames, skippable frames and seek tables, some of them
//! damaged. An error comes where the reference has one, after whole games of the text before it.

use pgnmill_io::archive::seekable::SeekTable;
use pgnmill_io::archive::{Archive, Options};
use pgnmill_io::error::ErrorKind;

use crate::Choices;
use crate::archives::{Dribble, frame, holds_frame, ledger, options, reference};
use crate::scratch::Scratch;

/// Six bytes choose the sizes, one the kind; the rest is stored, or a recipe.
pub fn hold(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let options = options(&mut choices);
    let mut stored = match choices.byte() % 3 {
        0 => recipe(&mut choices),
        1 => b"\x28\xB5\x2F\xFD".to_vec(),
        _ => b"\x50\x2A\x4D\x18".to_vec(),
    };
    stored.extend_from_slice(choices.rest());
    read(&stored, &options);
}

/// Frames as they come one after the other.
fn recipe(choices: &mut Choices<'_>) -> Vec<u8> {
    let (mut stored, mut table) = (Vec::new(), SeekTable::new());
    while !choices.is_empty() {
        match choices.byte() % 8 {
            0 => {
                let bytes = piece(choices);
                stored.extend([0x50, 0x2A, 0x4D, 0x18]);
                stored.extend((bytes.len() as u32).to_le_bytes());
                stored.extend_from_slice(bytes);
            }
            1 => stored.extend(table.to_bytes()),
            2 if !stored.is_empty() => {
                let at = (choices.byte() << 8 | choices.byte()) % stored.len();
                stored[at] ^= choices.byte() as u8;
            }
            3 => stored.truncate(stored.len().saturating_sub(choices.byte())),
            4 => {
                // As a pipe would write it: without its size, with a checksum.
                let text = piece(choices);
                let mut encoder = zstd::stream::Encoder::new(Vec::new(), 1).expect("an encoder");
                encoder.include_checksum(true).expect("a parameter");
                std::io::Write::write_all(&mut encoder, text).expect("memory");
                stored.extend(encoder.finish().expect("memory"));
            }
            _ => {
                let text = piece(choices);
                let frame = frame(text);
                table.push_sizes(frame.len(), text.len());
                stored.extend(frame);
            }
        }
    }
    stored
}

/// The next piece: its first byte is its length.
fn piece<'b>(choices: &mut Choices<'b>) -> &'b [u8] {
    let len = choices.byte();
    choices.bytes(if len < 200 { len } else { (len - 199) * 64 })
}

fn read(stored: &[u8], options: &Options) {
    let Some((text, whole)) = reference(stored) else { return };
    let folder = Scratch::new();
    let input = folder.put("archive.zst", stored);
    let piped = Archive::from_reader("pipe", Dribble::new(stored.to_vec(), 7), options);
    for (archive, how) in [(Archive::open(&input, options), "mapped"), (piped, "piped")] {
        // What begins neither as a frame nor as text of games may be refused as another format.
        let Ok(archive) = archive else { continue };
        let is_zstd = stored.starts_with(b"\x28\xB5\x2F\xFD")
            || matches!(stored, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..]);
        let (found, error) = ledger(archive);
        if !is_zstd {
            if holds_frame(stored) {
                continue;
            }
            assert!(error.is_none() && found.text == stored, "{how}: plain text");
            continue;
        }
        assert!(text.starts_with(&found.text), "{how}: what was given is true");
        assert_eq!(error.is_none(), whole, "{how}: {error:?}");
        match error {
            None => assert_eq!(found.text.len(), text.len(), "{how}: all of it"),
            Some(error) => assert!(matches!(error.kind(), ErrorKind::Damaged { .. }), "{error}"),
        }
    }
}

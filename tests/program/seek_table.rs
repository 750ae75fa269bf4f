//! The seek table of a compressed output: an independent reader of the format finds every frame by it.
//!
//! In: outputs of `convert` that have one frame and several. The format is that of zstd's contrib/seekable_format: a
//! skippable frame at the end with an entry for each frame, of its stored length and the length of its text.

use crate::common::{self, Scratch, here, run_in, text_of};

/// A number of four bytes, the lowest first.
fn number(bytes: &[u8]) -> usize {
    u32::from_le_bytes(bytes[..4].try_into().unwrap()) as usize
}

#[test]
fn every_frame_is_in_the_seek_table_and_decodes_alone() {
    let scratch = Scratch::new();
    let sample = text_of(&here(common::SAMPLE));
    let mut frames_most = 0;
    for copies in [0, 1, 3] {
        let text = sample.repeat(copies);
        scratch.write("in.pgn", &text);
        let args =
            ["convert", "--quiet", "--overwrite", "--to", "san", "-o", "o.pgn.zst", "in.pgn"];
        assert_eq!(run_in(scratch.path(), &args, b"").status.code(), Some(0), "{copies}");
        let stored = std::fs::read(scratch.join("o.pgn.zst")).unwrap();
        // Footer: how many frames, a descriptor of zero (entries without checksums), the magic number.
        let (before, footer) = stored.split_at(stored.len() - 9);
        assert_eq!((number(&footer[5..]), footer[4]), (0x8f92_eab1, 0), "{copies}");
        let frames = number(footer);
        let (before, entries) = before.split_at(before.len() - 8 * frames);
        let (stored_frames, header) = before.split_at(before.len() - 8);
        assert_eq!((number(header), number(&header[4..])), (0x184d_2a5e, 8 * frames + 9));
        let (mut rest, mut decoded) = (stored_frames, Vec::new());
        for entry in entries.as_chunks::<8>().0 {
            let (frame, after) = rest.split_at(number(entry));
            let part = zstd::stream::decode_all(frame).unwrap();
            assert_eq!(part.len(), number(&entry[4..]), "{copies}");
            decoded.extend_from_slice(&part);
            rest = after;
        }
        assert!(rest.is_empty(), "{copies}: {} bytes are in no frame", rest.len());
        assert!(decoded == text, "{copies}: the frames are not the text");
        frames_most = frames_most.max(frames);
    }
    assert!(frames_most > 3, "{frames_most} frames at most");
}

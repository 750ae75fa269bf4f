//! The text of damaged frames; it does not depend on how much is requested at once.

use super::*;
use crate::archive::peek_buffer::Piped;
use std::io::{Cursor, Write};

/// What came of a source: pieces of text, and the damage between them.
type Found = (Vec<Vec<u8>>, Vec<Damage>);

fn salvage(stored: &[u8], piece: usize) -> Found {
    let path = Path::new("test");
    let buffer = Piped::new(Cursor::new(stored.to_vec()), path.into());
    let mut source = Salvage::new(path.into(), buffer, 100).unwrap();
    let (mut pieces, mut damages) = (vec![Vec::new()], Vec::new());
    let mut out = vec![0; piece];
    loop {
        let count = source.fill(&mut out).unwrap();
        pieces.last_mut().unwrap().extend_from_slice(&out[..count]);
        if count > 0 {
            continue;
        }
        let Some(damage) = source.damage() else {
            assert_eq!(source.stored(), stored.len() as u64);
            return (pieces, damages);
        };
        damages.push(damage);
        pieces.push(Vec::new());
    }
}

fn frame(text: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::stream::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// Text that does not repeat itself, of some blocks.
fn text(seed: u32) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        b'a' + (state >> 28) as u8
    };
    (0..400_000).map(|_| next()).collect()
}

#[test]
fn whole_frames_are_given_as_they_are() {
    let skippable = b"\x5A\x2A\x4D\x18\x02\0\0\0xy";
    let stored = [&frame(b"one "), skippable.as_slice(), &frame(b""), &frame(b"two")].concat();
    for piece in [1, 2, 5, 1000] {
        assert_eq!(salvage(&stored, piece), (vec![b"one two".to_vec()], vec![]));
    }
    assert_eq!(salvage(b"", 10), (vec![vec![]], vec![]));
}

#[test]
fn blocks_before_the_damage_are_given_and_none_behind_it() {
    let (one, two, three) = (text(1), text(2), text(3));
    let frames = [frame(&one), frame(&two), frame(&three)];
    let stored = frames.concat();
    let begin = frames[0].len();
    let mut seen = 0;
    for at in (0..frames[1].len()).step_by(frames[1].len() / 40) {
        let mut stored = stored.clone();
        let end = (begin + at + 30).min(begin + frames[1].len());
        stored[begin + at..end].fill(0xD7);
        let (pieces, damages) = salvage(&stored, 10_000);
        assert_eq!(salvage(&stored, 77), (pieces.clone(), damages.clone()), "{at}");
        let [before, after] = pieces.as_slice() else { panic!("{at}: {damages:?}") };
        assert_eq!(*after, three, "{at}");
        assert!(before.starts_with(&one) && two.starts_with(&before[one.len()..]), "{at}");
        let extent = &damages[0].stored;
        assert!((100 + begin as u64..=100 + (begin + at) as u64).contains(&extent.start), "{at}");
        assert_eq!(extent.end, 100 + (begin + frames[1].len()) as u64, "{at}");
        assert_eq!(damages[0].frame, 2, "{at}");
        seen += 1;
    }
    assert!(seen >= 40);
}

#[test]
fn a_wrong_checksum_takes_the_text_back() {
    let frames = [frame(b"one"), frame(&text(9)), frame(b"three")];
    let mut stored = frames.concat();
    let at = frames[0].len() + frames[1].len() - 1;
    stored[at] ^= 1;
    for piece in [1, 50_000, 1 << 20] {
        let (pieces, damages) = salvage(&stored, piece);
        assert_eq!(pieces, [b"one".to_vec(), b"three".to_vec()]);
        assert!(damages[0].why.ends_with("none of its text is read"), "{}", damages[0]);
    }
}

#[test]
fn a_size_that_lies_does_not_hide_the_next_frame() {
    let frames = [frame(b"one"), frame(&text(5)), frame(b"three"), frame(b"four")];
    let header = frame_header(&frames[1]).unwrap().len;
    for size in [0u32, 1, 5, 70_000, 131_072, 131_073, 2_000_000] {
        for kind in 0..4 {
            let mut stored = frames.concat();
            let block = (size << 3 | kind << 1).to_le_bytes();
            stored[frames[0].len() + header..][..3].copy_from_slice(&block[..3]);
            let (pieces, damages) = salvage(&stored, 4096);
            assert!(!damages.is_empty(), "{size} {kind}");
            assert!(pieces[0].starts_with(b"one"), "{size} {kind}");
            let last = pieces.last().unwrap();
            assert_eq!(last.as_slice(), b"threefour", "{size} {kind}: {damages:?}");
        }
    }
}

/// Many bytes that each look like a frame: every byte is read a bounded number of times.
#[test]
fn bytes_that_look_like_frames_end() {
    let stored = b"\x28\xB5\x2F\xFD\x00\x58\x29\x00\x00hi".repeat(20_000);
    let (pieces, damages) = salvage(&stored, 4096);
    assert!(damages.len() <= 20_000 && pieces.len() == damages.len() + 1);
    let blanks = [frame(b"a"), vec![0; 1 << 20], frame(b"b")].concat();
    let (pieces, damages) = salvage(&blanks, 4096);
    assert_eq!((pieces, damages.len()), (vec![b"a".to_vec(), b"b".to_vec()], 1));
}

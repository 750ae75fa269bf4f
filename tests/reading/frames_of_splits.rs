//! Every split begins where a frame begins, and ends where one ends: of archives in one file after another, with
//! tables and sizes that are of a part, damaged or wrong. And an object that changes is not read on.
//!
//! In: archives of frames in every container, joined in any order, with bytes in front, between and behind; sources
//! whose bytes change between two readings. Out: nothing; all splits together are the archive, or what is wrong is
//! refused.

use std::sync::{Arc, Mutex};

use crate::common::{Dice, trials};
use pgnmill::{ErrorKind, NamedSource, OpenRanged, RangedBytes, Result, Split, Version};
use pgnmill_io::archive::seekable::SeekTable;
use pgnmill_io::archive::{Archive, InOrder, Input, Options};

fn frame(text: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(text, 1).unwrap()
}

const SKIPPABLE: &[u8] = &[0x53, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3];

/// Bytes, with the offsets at which frames begin, skippable ones among them.
#[derive(Default, Clone)]
struct Stored {
    bytes: Vec<u8>,
    begins: Vec<u64>,
    text: Vec<u8>,
}

impl Stored {
    fn add(&mut self, frame: &[u8], text: &[u8]) {
        self.begins.push(self.bytes.len() as u64);
        self.bytes.extend_from_slice(frame);
        self.text.extend_from_slice(text);
    }

    fn join(&mut self, other: &Stored) {
        let base = self.bytes.len() as u64;
        self.begins.extend(other.begins.iter().map(|begin| base + begin));
        self.bytes.extend_from_slice(&other.bytes);
        self.text.extend_from_slice(&other.text);
    }
}

/// An archive of some frames, as one of the writers stores it; sizes and tables may be wrong.
fn archive(dice: &mut Dice, lies: bool) -> Stored {
    let mut stored = Stored::default();
    let (kind, mut table) = (dice.below(4), SeekTable::new());
    for number in 0..2 + dice.below(5) {
        let text = format!("[Event \"{number} {}\"]\n\n1. e4 *\n\n", dice.roll())
            .repeat(1 + dice.below(6));
        let data = frame(text.as_bytes());
        let is_wrong = lies && dice.below(3) == 0;
        let size = if is_wrong { data.len() / 2 + dice.below(data.len()) } else { data.len() };
        match kind {
            0 => {}
            1 => stored.add(SKIPPABLE, b""),
            2 => {
                let size = u32::try_from(size).unwrap().to_le_bytes();
                stored.add(&[&[0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0], &size[..]].concat(), b"");
            }
            _ => table.push_sizes(size, text.len()),
        }
        stored.add(&data, text.as_bytes());
    }
    if kind == 3 {
        stored.add(&table.to_bytes(), b"");
    }
    stored
}

/// The text of all splits, read one by one; an error of the first that is refused.
fn text_of_splits(stored: &[u8], splits: &[Split]) -> Result<Vec<u8>> {
    let mut text = Vec::new();
    for split in splits {
        let archive = Archive::open_split("x", stored.to_vec(), split, &Options::default())?;
        for item in archive.blocks() {
            let InOrder::Block(block) = item? else { panic!("damage is not skipped") };
            text.extend_from_slice(&block.text);
        }
    }
    Ok(text)
}

/// Archives that were written one after the other: the table at the end is of the last one alone.
#[test]
fn splits_of_joined_archives_begin_at_frames() {
    let (mut dice, mut count) = (Dice::new(0xe1), 0);
    for _ in 0..trials(500, 500, 20_000) {
        let mut stored = Stored::default();
        for _ in 0..1 + dice.below(3) {
            stored.join(&archive(&mut dice, false));
        }
        for target in [1, 40 + dice.below(200) as u64, stored.bytes.len() as u64 / 2] {
            let splits = Split::all("x", stored.bytes.as_slice(), target.max(1)).unwrap();
            let mut end = 0;
            for split in &splits {
                assert_eq!(split.begin, end);
                assert!(stored.begins.contains(&split.begin), "{splits:?} of {:?}", stored.begins);
                end = split.end;
            }
            assert_eq!(end, stored.bytes.len() as u64);
            let text = text_of_splits(&stored.bytes, &splits)
                .unwrap_or_else(|error| panic!("{error}: {splits:?}"));
            assert!(text == stored.text, "{splits:?}");
            count += splits.len();
        }
    }
    assert!(count > 3_000, "{count}");
}

/// Sizes that do not lead to a frame, and tables that are not of all frames, are not believed: the archive is divided
/// at its frames, or the sizes lead to other frames of it.
#[test]
fn wrong_sizes_that_lead_to_no_frame_are_not_believed() {
    let (mut dice, mut many) = (Dice::new(0xe2), 0);
    for _ in 0..trials(500, 500, 20_000) {
        let mut stored = archive(&mut dice, true);
        if dice.below(3) == 0 {
            stored.join(&archive(&mut dice, true));
        }
        let target = 1 + dice.below(300) as u64;
        let splits = Split::all("x", stored.bytes.as_slice(), target).unwrap();
        let is_table = stored.bytes.ends_with(&0x8F92_EAB1_u32.to_le_bytes());
        let is_wrong = |split: &Split| !stored.begins.contains(&split.begin);
        // The sizes of a table can add up and be wrong all the same: that is found when the split is decoded.
        let text = text_of_splits(&stored.bytes, &splits);
        if !is_table {
            assert!(!splits.iter().any(is_wrong), "{splits:?} of {:?}", stored.begins);
        }
        match text {
            Ok(text) => assert!(text == stored.text, "{splits:?}"),
            Err(error) => {
                let is_named = matches!(
                    error.kind(),
                    ErrorKind::WrongSplit { .. } | ErrorKind::Damaged { .. }
                );
                assert!(is_named, "{error}: {splits:?} of {:?}", stored.begins);
            }
        }
        many += usize::from(splits.len() > 1);
    }
    assert!(many > 200, "{many}");
}

/// A table that lacks the first or the last frames adds up to less than the archive.
#[test]
fn a_table_of_some_of_the_frames_is_not_believed() {
    for (skipped, dropped) in [(0, 1), (1, 0), (2, 1), (0, 3)] {
        let mut stored = Stored::default();
        let mut table = SeekTable::new();
        for number in 0..8 {
            let text = format!("[Event \"{number}\"]\n\n1. e4 *\n\n").repeat(3);
            let data = frame(text.as_bytes());
            if number >= skipped && number < 8 - dropped {
                table.push_sizes(data.len(), text.len());
            }
            stored.add(&data, text.as_bytes());
        }
        stored.add(&table.to_bytes(), b"");
        for target in [1, 60, 130] {
            let splits = Split::all("x", stored.bytes.as_slice(), target).unwrap();
            let begins: Vec<u64> = splits.iter().map(|split| split.begin).collect();
            assert!(
                begins.iter().all(|begin| stored.begins.contains(begin)),
                "{begins:?} of {:?}",
                stored.begins
            );
            assert!(text_of_splits(&stored.bytes, &splits).unwrap() == stored.text);
        }
    }
}

/// The bytes of an object, and its version.
type Object = (Vec<u8>, Version);

/// Bytes that are other ones when they are opened again.
#[derive(Clone, Debug)]
struct Changing(Arc<Mutex<Vec<Object>>>);

impl OpenRanged for Changing {
    fn open(&self) -> Result<(Box<dyn RangedBytes>, Version)> {
        let mut left = self.0.lock().unwrap();
        let (bytes, version) = if left.len() > 1 { left.remove(0) } else { left[0].clone() };
        Ok((Box::new(bytes), version))
    }
}

/// A named source whose length or version differs when it is opened again is refused; one that is the same is read.
#[test]
fn a_source_that_changed_between_two_readings_is_refused() {
    let text = |count: usize| "[Event \"a\"]\n\n1. e4 *\n\n".repeat(count).into_bytes();
    let etag = |tag: &str| Version::of_etag(tag);
    let none = Version::default;
    let cases = [
        (none(), text(3), none(), text(3), true),
        (none(), text(3), none(), text(4), false),
        (none(), text(3), none(), text(2), false),
        (etag("a"), text(3), etag("a"), text(3), true),
        (etag("a"), text(3), etag("b"), text(3), false),
        (etag("a"), text(3), etag("a"), text(4), false),
        (etag("a"), text(3), etag("b"), text(4), false),
    ];
    for (first, one, second, other, is_read) in cases {
        let lengths = (one.len(), other.len());
        let source =
            Changing(Arc::new(Mutex::new(vec![(one, first.clone()), (other, second.clone())])));
        let input = Input::Named(NamedSource::ranged("object", source));
        let open = || Archive::open(&input, &Options::default());
        open().expect("the first time");
        let again = open();
        assert_eq!(again.is_ok(), is_read, "{first:?} {second:?} {lengths:?}");
        if let Err(error) = again {
            assert!(error.to_string().contains("changed since it was first read"), "{error}");
        }
    }
}

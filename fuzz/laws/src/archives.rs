//! What the laws of archives share: stored bytes in all containers, and what reading them comes to.
//!
//! In: stored bytes, sizes. Out: a [`Ledger`] as one worker after the other gives it, text and game starts, and what
//! the reference decoder makes of the same bytes.

use std::io::{self, Cursor, Read};

use pgnmill_io::archive::games::Games;
use pgnmill_io::archive::{Archive, Block, InOrder, Options, Part};
use pgnmill_io::archive::{ArchiveSplit, Split, SplitBase, Version};
use pgnmill_io::error::Error;

use crate::Choices;

/// Texts that decode to more are left out: a fuzzer that finds a bomb looks at nothing else.
pub(crate) const TEXT_BYTES_MAX: usize = 1 << 20;

/// What an archive came to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Ledger {
    pub(crate) text: Vec<u8>,
    /// Where each game begins, and the text before the first.
    pub(crate) games: Vec<u64>,
    /// Where each game that is too long begins.
    pub(crate) long: Vec<u64>,
}

impl Ledger {
    fn add(&mut self, block: Block<'_>) {
        assert!(!block.text.is_empty());
        assert_eq!(block.offset, self.text.len() as u64, "blocks are adjacent");
        match block.part {
            Part::Games => {
                self.games.extend(Games::new(block.text).map(|(at, _)| block.offset + at as u64));
            }
            Part::OversizeFirst => {
                self.games.push(block.offset);
                self.long.push(block.offset);
            }
            Part::OversizeRest => assert!(!self.long.is_empty(), "a first piece came before"),
            Part::Cut | Part::Fragment | Part::Lines => panic!("games, and no damage is skipped"),
        }
        self.text.extend_from_slice(block.text);
    }
}

/// Reads an archive to its end, or to the error that ends it.
pub(crate) fn ledger(archive: Archive) -> (Ledger, Option<Error>) {
    let mut ledger = Ledger::default();
    for next in archive.blocks() {
        match next {
            Ok(InOrder::Block(block)) => ledger.add(block.as_block()),
            Ok(InOrder::Damage(_, damage)) => panic!("{damage}: damage is not skipped"),
            Err(error) => return (ledger, Some(error)),
        }
    }
    (ledger, None)
}

/// Reads the splits of an archive, one after the other, each with the base that follows from those before.
pub(crate) fn ledger_of_splits(
    stored: &[u8],
    target_bytes: u64,
    options: &Options,
) -> Result<Ledger, Error> {
    let mut ledger = Ledger::default();
    for split in Split::all("splits", stored, target_bytes)? {
        let mut split = ArchiveSplit::new("splits", Version::default(), split);
        let base = SplitBase { text_bytes: ledger.text.len() as u64, ..SplitBase::default() };
        split.base = Some(base);
        let (source, version) = (stored.to_vec(), Version::default());
        let archive = Archive::open_archive_split(source, &version, &split, options)?;
        for next in archive.blocks() {
            let InOrder::Block(block) = next? else { panic!("damage is not skipped") };
            ledger.add(block.as_block());
        }
    }
    Ok(ledger)
}

/// A pipe that gives a few bytes at a time.
pub(crate) struct Dribble(Cursor<Vec<u8>>, usize);

impl Dribble {
    pub(crate) fn new(stored: Vec<u8>, at_once: usize) -> Dribble {
        Dribble(Cursor::new(stored), at_once.max(1))
    }
}

impl Read for Dribble {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let len = out.len().min(self.1);
        self.0.read(&mut out[..len])
    }
}

/// Sizes, small ones for the most part: blocks, ranges, games, batches.
pub(crate) fn options(choices: &mut Choices<'_>) -> Options {
    let mut size = |factor: usize| 1 + factor * choices.byte();
    Options {
        block_bytes: size(1),
        range_bytes: size(2),
        game_bytes_max: size(8),
        batch_stored_bytes: size(4),
        frame_stored_bytes_max: 16 + size(16),
        frame_text_bytes_max: size(64) as u64,
        ..Options::default()
    }
}

/// What the reference decoder makes of stored frames, up to the first damage, and whether there is none. `None`: there
/// is more than [`TEXT_BYTES_MAX`] of it, or whether a frame is damaged depends on how it is read: where it holds less
/// than its header says, zstd itself detects that only in a large output buffer. It gets one byte at a time and
/// a buffer of one byte: a call that meets damage returns nothing of what it decoded, and of a raw block that is longer
/// than the header declares it takes its input, or nothing. So no other way of reading can return more.
pub(crate) fn reference(stored: &[u8]) -> Option<(Vec<u8>, bool)> {
    if stored.is_empty() {
        return Some((Vec::new(), true));
    }
    let (text, whole) = by_bytes(stored)?;
    let mut at_once = zstd::stream::read::Decoder::new(stored).expect("a decoder");
    at_once.window_log_max(31).expect("the largest window");
    let agrees = io::copy(&mut at_once, &mut io::sink()).is_ok() == whole;
    agrees.then_some((text, whole))
}

fn by_bytes(stored: &[u8]) -> Option<(Vec<u8>, bool)> {
    let mut text = Vec::new();
    let given = Dribble::new(stored.to_vec(), 1);
    let mut decoder = zstd::stream::read::Decoder::new(given).expect("a decoder");
    decoder.window_log_max(31).expect("the largest window");
    let mut byte = [0];
    while text.len() <= TEXT_BYTES_MAX {
        match decoder.read(&mut byte) {
            Ok(0) => return Some((text, true)),
            Ok(_) => text.push(byte[0]),
            Err(_) => return Some((text, false)),
        }
    }
    None
}

/// Do stored bytes hold the magic number of a frame, anywhere? Then a mapped file that begins with binary bytes may be
/// a zstd file whose beginning is damaged, and is not read as text.
pub(crate) fn holds_frame(stored: &[u8]) -> bool {
    let is_frame =
        |magic: &[u8]| matches!(magic, [0x28, 0xB5, 0x2F, 0xFD] | [0x50..=0x5F, 0x2A, 0x4D, 0x18]);
    stored.windows(4).any(is_frame)
}

/// A frame as the one-call compressor writes it.
pub(crate) fn frame(text: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(text, 1).expect("memory for a frame")
}

/// A frame for every `len` bytes of text.
pub(crate) fn frames(text: &[u8], len: usize) -> Vec<u8> {
    text.chunks(len.max(1)).flat_map(frame).collect()
}

//! Splits: all of them together are the archive, whatever its bytes, its container and the target; what is read of a
//! source, in calls and bytes.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::{self, trials};
use pgnmill::{
    ArchiveSplit, Division, Error, ErrorKind, RangedBytes, Split, SplitBase, Undivided, Version,
};
use pgnmill_io::archive::games::Games;
use pgnmill_io::archive::seekable::SeekTable;
use pgnmill_io::archive::{Archive, InOrder, Input, Options, Part};
use pgnmill_needs::needs;

/// Bytes, and what was read of them.
#[derive(Clone, Default)]
struct Counted {
    bytes: Arc<Vec<u8>>,
    calls: Arc<AtomicU64>,
    read: Arc<AtomicU64>,
    is_remote: bool,
}

impl Counted {
    fn new(bytes: Vec<u8>, is_remote: bool) -> Counted {
        Counted { bytes: Arc::new(bytes), is_remote, ..Counted::default() }
    }

    /// The calls and bytes since the last time.
    fn take(&self) -> (u64, u64) {
        (self.calls.swap(0, Ordering::Relaxed), self.read.swap(0, Ordering::Relaxed))
    }
}

impl RangedBytes for Counted {
    fn len(&self) -> u64 {
        self.bytes.as_slice().len() as u64
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<()> {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.read.fetch_add(out.len() as u64, Ordering::Relaxed);
        self.bytes.read_at(offset, out)
    }

    fn has_cheap_reads(&self) -> bool {
        !self.is_remote
    }
}

/// A text and the offsets of its games, pieces of long games once.
#[derive(Default, PartialEq, Eq)]
struct Rows {
    text: Vec<u8>,
    games: Vec<u64>,
}

impl Rows {
    /// Adds the blocks of an archive; their offsets are those in the whole text, plus `shift`.
    fn add(&mut self, archive: Archive, shift: u64) -> Result<(), Error> {
        for item in archive.blocks() {
            let InOrder::Block(block) = item? else { panic!("damage is not skipped") };
            let offset = shift + block.offset;
            assert_eq!(offset, self.text.len() as u64);
            match block.part {
                Part::Games => {
                    self.games.extend(Games::new(&block.text).map(|(at, _)| offset + at as u64));
                }
                Part::OversizeFirst => self.games.push(offset),
                _ => {}
            }
            self.text.extend_from_slice(&block.text);
        }
        Ok(())
    }

    fn of(stored: &[u8], options: &Options) -> Result<Rows, Error> {
        let mut rows = Rows::default();
        let archive = Archive::from_reader("whole", io::Cursor::new(stored.to_vec()), options)?;
        rows.add(archive, 0)?;
        Ok(rows)
    }

    /// The rows of all splits, read one by one with the bases that follow from those before.
    fn of_splits(
        stored: &(impl RangedBytes + Clone + 'static),
        splits: &[Split],
        options: &Options,
    ) -> Result<Rows, Error> {
        let mut rows = Rows::default();
        let (mut end, mut stored_bytes) = (0, 0);
        for split in splits {
            assert_eq!(split.begin, end);
            end = split.end;
            let mut split = ArchiveSplit::new("parts", Version::default(), split.clone());
            let mut base = SplitBase::default();
            (base.text_bytes, base.games) = (rows.text.len() as u64, rows.games.len() as u64);
            split.base = Some(base);
            let version = Version::default();
            let archive = Archive::open_archive_split(stored.clone(), &version, &split, options)?;
            stored_bytes += archive.stored_bytes().expect("it is known");
            rows.add(archive, 0)?;
        }
        assert_eq!((end, stored_bytes), (stored.len(), stored.len()));
        Ok(rows)
    }
}

/// Rows of all splits = rows of the whole.
fn check(stored: &[u8], target_bytes: u64, options: &Options, is_remote: bool) -> usize {
    let source = Counted::new(stored.to_vec(), is_remote);
    let splits = Split::all("x", source.clone(), target_bytes).unwrap();
    let found = Rows::of_splits(&source, &splits, options).unwrap();
    let whole = Rows::of(stored, options).unwrap();
    let name = || format!("{} by {target_bytes}", stored[..stored.len().min(300)].escape_ascii());
    assert!(found.text == whole.text, "text: {}", name());
    assert!(found.games == whole.games, "games: {}", name());
    splits.len()
}

fn frame(text: &[u8]) -> Vec<u8> {
    zstd::bulk::compress(text, 1).unwrap()
}

const SKIPPABLE: &[u8] = &[0x53, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3];

/// The text in frames, as four writers store them.
fn containers<'t>(pieces: impl Iterator<Item = &'t [u8]>) -> [Vec<u8>; 4] {
    let (mut plain, mut between, mut pzstd, mut seekable) = (vec![], vec![], vec![], vec![]);
    let mut table = SeekTable::new();
    for piece in pieces {
        let stored = frame(piece);
        table.push_sizes(stored.len(), piece.len());
        plain.extend_from_slice(&stored);
        between.extend_from_slice(&[SKIPPABLE, &stored].concat());
        pzstd.extend_from_slice(&sized(&stored));
        seekable.extend_from_slice(&stored);
    }
    seekable.extend(table.to_bytes());
    between.extend(SKIPPABLE);
    [plain, between, pzstd, seekable]
}

/// A frame as pzstd stores it.
fn sized(frame: &[u8]) -> Vec<u8> {
    let size = u32::try_from(frame.len()).unwrap();
    [&[0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0], &size.to_le_bytes()[..], frame].concat()
}

const TEXTS: &[&[u8]] = &[
    b"",
    b"\n",
    b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n[Site \"c\"]\n\n1. d4 *\n\n[Event \"d\"]\n*\n",
    b"\xEF\xBB\xBF[Event \"a\"]\r\n\r\n{ [Event \"no\r\n[Event \"x\"]\r\n } *\r\n[Event \"b\"]\r\n*",
    b"junk\n[\n\n[Event \"a\n\"]\n%[Event \"b\"]\n;\n[Event \"c\"]\n\n*\r[Event \"d\"]\r\r*",
];

#[test]
fn hostile_texts_cut_at_every_byte_are_whole() {
    let options =
        |bytes| Options { block_bytes: bytes, game_bytes_max: 2 * bytes, ..Options::default() };
    for &text in TEXTS {
        for target in 1..=text.len() as u64 + 1 {
            check(text, target, &options(9), false);
            check(text, target, &options(1000), true);
        }
    }
}

#[test]
fn hostile_texts_in_frames_cut_at_every_byte_are_whole() {
    let options = Options { block_bytes: 9, game_bytes_max: 18, ..Options::default() };
    for &text in TEXTS {
        for cut in 0..=text.len() {
            let (first, second) = text.split_at(cut);
            for stored in containers([first, second].into_iter()) {
                for target in [1, stored.len() as u64 / 2, u64::MAX] {
                    check(&stored, target, &options, false);
                    check(&stored, target, &options, true);
                }
            }
        }
        for len in 1..=7 {
            for stored in containers(text.chunks(len)) {
                for target in [1, 13, 14, 27, 50, 90] {
                    check(&stored, target, &options, target % 2 == 0);
                }
            }
        }
    }
}

/// Every size in a table is changed, so that the sum remains: what is read is the text, or ends with an error.
#[test]
fn sizes_that_lie_lose_and_double_no_game() {
    let text = b"[Event \"a\"]\n\n1. e4 *\n\n".repeat(8);
    let pieces: Vec<&[u8]> = text.chunks(40).collect();
    let frames: Vec<Vec<u8>> = pieces.iter().map(|piece| frame(piece)).collect();
    let options = Options::default();
    let (mut whole, mut refused) = (0, 0);
    let mut read = |stored: Vec<u8>, target| {
        let splits = Split::all("x", stored.as_slice(), target).unwrap();
        match Rows::of_splits(&stored, &splits, &options) {
            Ok(rows) => {
                assert!(rows.text == text && rows.games.len() == 8, "{splits:?}");
                whole += 1;
            }
            Err(error) => {
                let kind = error.kind();
                let is_named =
                    matches!(kind, ErrorKind::WrongSplit { .. } | ErrorKind::Damaged { .. });
                assert!(is_named, "{error}");
                refused += 1;
            }
        }
    };
    for (from, to) in [(0, 1), (1, 0), (1, 2), (3, 0)] {
        for amount in 0..=frames[from].len() {
            let mut table = SeekTable::new();
            for (index, frame) in frames.iter().enumerate() {
                let less = if index == from { amount } else { 0 };
                let more = if index == to { amount } else { 0 };
                table.push_sizes(frame.len() - less + more, 40);
            }
            let stored = [frames.concat(), table.to_bytes()].concat();
            for target in [1, 60, 100] {
                read(stored.clone(), target);
            }
        }
    }
    // A size of pzstd that spans several frames, and a frame within a skippable frame.
    let span = sized(&frames[..3].concat());
    let hidden =
        [&[0x51, 0x2A, 0x4D, 0x18], &(frames[0].len() as u32).to_le_bytes()[..], &frames[0]];
    for target in [1, 50, 1000] {
        read([span.clone(), frames[3..].concat()].concat(), target);
        let lying = [&sized(&frames[0])[..12], &hidden.concat(), &frames.concat()].concat();
        read(lying, target);
    }
    assert!(whole > 10 && refused > 10, "{whole} {refused}");
}

#[test]
fn archives_that_are_cut_short_end_with_an_error() {
    let text = b"[Event \"a\"]\n\n1. e4 *\n\n".repeat(4);
    for stored in containers(text.chunks(30)) {
        let splits = Split::all("x", stored.as_slice(), 40).unwrap();
        for len in 1..stored.len() {
            let cut = stored[..len].to_vec();
            let open = Archive::open_split("x", cut.clone(), &splits[0], &Options::default());
            let error = open.unwrap_err().to_string();
            assert!(
                error.contains("split 1 of ") && error.contains(&format!("has {len}")),
                "{error}"
            );
            let splits = Split::all("x", cut.as_slice(), 40).unwrap();
            let (parts, whole) = (
                Rows::of_splits(&cut, &splits, &Options::default()),
                Rows::of(&cut, &Options::default()),
            );
            assert_eq!(parts.is_ok(), whole.is_ok(), "{len}");
            if let (Ok(parts), Ok(whole)) = (parts, whole) {
                assert!(parts == whole, "{len}");
            }
        }
    }
}

#[test]
fn an_archive_that_is_not_divided_has_a_reason() {
    let text = b"[Event \"a\"]\n\n1. e4 *\n\n".repeat(50);
    let one = frame(&text);
    let [frames, between, pzstd, seekable] = containers(text.chunks(100));
    let divide = |stored: &[u8], is_remote, target| {
        let source = Counted::new(stored.to_vec(), is_remote);
        let Division { splits, undivided, .. } = Division::new("x", source, target).unwrap();
        (splits.len() > 1, undivided)
    };
    assert_eq!(divide(&one, false, 10), (false, Some(Undivided::OneFrame)));
    assert_eq!(divide(&one, false, 10_000), (false, None));
    assert_eq!(divide(&one, true, 10_000), (false, None));
    for stored in [&frames, &between] {
        assert_eq!(divide(stored, false, 50), (true, None));
        assert_eq!(divide(stored, true, 50), (false, Some(Undivided::SizesUnknown)));
    }
    for is_remote in [false, true] {
        assert_eq!(divide(&pzstd, is_remote, 50), (true, None));
        assert_eq!(divide(&seekable, is_remote, 50), (true, None));
        assert_eq!(divide(&text, is_remote, 50), (true, None));
    }
}

/// About 7, 100 and 1,000 splits of real archives, with targets that divide nothing evenly.
#[needs("../shared/corpora")]
#[test]
fn real_archives_in_many_splits_are_whole() {
    let mut seed = 19_u64;
    for name in [
        "../shared/corpora/lichess/lichess_db_1000k.pgn",
        "../shared/corpora/annotated/chess_db.pgn.zst",
        "../shared/corpora/engine/TCEC_Cup_3_Final.pgn",
    ] {
        let stored = std::fs::read(common::here(name)).unwrap();
        let options = Options::default();
        let whole = Rows::of(&stored, &options).unwrap();
        let frames = containers(whole.text.chunks(whole.text.len() / 1_009 + 1));
        for stored in frames.into_iter().chain([stored, whole.text.clone()]) {
            for about in [7, 100, 1_000] {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let most = stored.len() as u64 / about;
                let target = most - (seed >> 33) % (most / 7 + 1);
                let splits = Split::all(name, stored.as_slice(), target).unwrap();
                let found = Rows::of_splits(&Arc::new(stored.clone()), &splits, &options).unwrap();
                assert!(found == whole, "{name} in {} splits of {target}", splits.len());
            }
        }
    }
}

/// Games with comments that hardly compress, so that archives are as long as their text.
fn long_text(len: usize) -> Vec<u8> {
    let mut text = Vec::with_capacity(len + 4096);
    let mut state = 7_u64;
    while text.len() < len {
        text.extend_from_slice(b"[Event \"a\"]\n[Site \"b\"]\n\n1. e4 { ");
        for _ in 0..150 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let letters = (0..8).map(|index| b'0' + (state >> (16 + 6 * index)) as u8 % 64);
            text.extend(letters.map(|letter| if letter == b'[' { b'z' } else { letter }));
        }
        text.extend_from_slice(b" } e5 *\n\n");
    }
    text
}

/// What is read of archives of 130 MB and more by splits of 64 MiB, and to divide them; at the short depth of half of that.
#[test]
#[expect(clippy::print_stdout, reason = "the figures, for the documents")]
fn reads_are_few_and_large() {
    let text = long_text(trials(56 << 20, 80 << 20, 180 << 20));
    let target = trials(25 << 20, 34 << 20, 64 << 20);
    let [frames, _, pzstd, seekable] = containers(text.chunks(2 << 20));
    println!(
        "| container | stored | splits | calls per GB | bytes per GB | to divide: calls, bytes |"
    );
    for (name, stored, is_remote) in [
        ("plain text", text, true),
        ("seekable", seekable, true),
        ("pzstd", pzstd, true),
        ("frames, local", frames.clone(), false),
        ("frames, remote", frames, true),
    ] {
        let len = stored.len() as u64;
        let source = Counted::new(stored, is_remote);
        let splits = Split::all("x", source.clone(), target).unwrap();
        let (list_calls, list_bytes) = source.take();
        let options = Options::default();
        for split in &splits {
            let archive = Archive::open_split("x", source.clone(), split, &options).unwrap();
            for item in archive.blocks() {
                item.unwrap();
            }
        }
        let (calls, bytes) = source.take();
        let per_gb = |count: u64| (count as f64 * 1e9 / len as f64).round();
        println!(
            "| {name} | {len} | {} | {} | {} | {list_calls}, {list_bytes} |",
            splits.len(),
            per_gb(calls),
            per_gb(bytes)
        );
        assert!(len > trials(40_000_000, 56_000_000, 100_000_000));
        assert_eq!(splits.len() > 1, name != "frames, remote", "{name}");
        let listed = if name == "frames, local" { 0 } else { list_bytes };
        assert!(
            (bytes + listed) as f64 <= 1.02 * len as f64,
            "{name}: {bytes} + {listed} of {len}"
        );
        assert!(calls <= 5 + len.div_ceil(4 << 20) + 6 * splits.len() as u64, "{name}: {calls}");
    }
}

/// A split is an input of its own, with the name of its archive.
#[test]
fn a_split_is_an_input() {
    let path =
        pgnmill_laws::scratch::folder().join(format!("pgnmill-input-{}.pgn", std::process::id()));
    let text = b"[Event \"a\"]\n\n1. e4 *\n\n".repeat(5);
    std::fs::write(&path, &text).unwrap();
    let splits = Split::all("far/a.pgn", text.as_slice(), 30).unwrap();
    let mut rows = Rows::default();
    for split in splits {
        let split = ArchiveSplit::new("far/a.pgn", Version::default(), split);
        let source = pgnmill::NamedSource::archive_split_at(split.clone(), path.clone());
        let input = Input::Named(source);
        assert_eq!((input.name().as_str(), input.split()), ("far/a.pgn", Some(&split)));
        rows.add(Archive::open(&input, &Options::default()).unwrap(), 0).unwrap();
    }
    std::fs::remove_file(&path).unwrap();
    assert!(rows == Rows::of(&text, &Options::default()).unwrap());
}

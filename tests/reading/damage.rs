//! Damaged archives: each frame in turn, in every way, and every game that lies wholly outside it is still accepted.
//!
//! Real games are stored in frames of whole games, in frames that are cut anywhere (as pzstd cuts), with checksums and
//! without. One frame is damaged, the archive is read with damage skipped: from a map with one thread and with two, in
//! small jobs and large, and from a pipe. All must come to the same ledger, which must balance.

#![allow(clippy::print_stdout, reason = "reports what was counted")]

use std::io::Write;
use std::ops::Range;

use crate::common::{self, thinned, trials};
use pgnmill_core::engine::Rejects;
use pgnmill_core::pgn::deviation::Deviation;
use pgnmill_io::archive::Input;
use pgnmill_io::archive::games::Games;
use pgnmill_io::archive::seekable::{Cutter, FrameEncoder, SeekTable};
use pgnmill_io::error::ErrorKind;
use pgnmill_laws::scratch::Scratch;
use pgnmill_laws::support::{Ledger, Run, run, run_piped, to_san};

/// How much of the sample is taken.
const TEXT_BYTES: usize = 150_000;

/// An archive: its frames, each with the range of the text that it holds.
struct Stored {
    name: &'static str,
    frames: Vec<(Vec<u8>, Range<usize>)>,
    /// What follows the frames.
    tail: Vec<u8>,
    checksum: bool,
}

impl Stored {
    /// The bytes, with one frame replaced.
    fn with(&self, index: usize, frame: &[u8]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (i, (own, _)) in self.frames.iter().enumerate() {
            bytes.extend_from_slice(if i == index { frame } else { own });
        }
        bytes.extend_from_slice(&self.tail);
        bytes
    }

    /// Where a frame begins.
    fn at(&self, index: usize) -> usize {
        self.frames[..index].iter().map(|(frame, _)| frame.len()).sum()
    }
}

fn sample() -> Vec<u8> {
    let mut text = common::text_of(&common::here(common::SAMPLE));
    let end = Games::new(&text).map(|(at, _)| at).take_while(|&at| at <= TEXT_BYTES).last();
    text.truncate(end.expect("games"));
    text
}

fn frame(text: &[u8], checksum: bool) -> Vec<u8> {
    let mut encoder = zstd::stream::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(checksum).unwrap();
    encoder.write_all(text).unwrap();
    encoder.finish().unwrap()
}

/// Frames of `len` bytes of text, wherever that cuts; `sized`: each after a skippable frame that holds its size.
fn cut_anywhere(
    name: &'static str,
    text: &[u8],
    len: usize,
    checksum: bool,
    sized: bool,
) -> Stored {
    let mut frames = Vec::new();
    for (i, piece) in text.chunks(len).enumerate() {
        let data = frame(piece, checksum);
        let mut stored = Vec::new();
        if sized {
            stored.extend([0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0]);
            stored.extend((data.len() as u32).to_le_bytes());
        }
        stored.extend(data);
        frames.push((stored, i * len..i * len + piece.len()));
    }
    Stored { name, frames, tail: Vec::new(), checksum }
}

/// Frames of whole games, as this program writes them, with the seek table or without.
fn whole_games(name: &'static str, text: &[u8], table_wanted: bool) -> Stored {
    let ends: Vec<u64> = Games::new(text).map(|(at, game)| (at + game.len()) as u64).collect();
    let (mut cutter, mut cuts) = (Cutter::with_sizes(10_000, 1 << 20), Vec::new());
    cutter.push(text.to_vec(), &ends, &mut cuts);
    cuts.extend(cutter.finish());
    let (mut encoder, mut table) = (FrameEncoder::new(3).unwrap(), SeekTable::new());
    let (mut frames, mut at) = (Vec::new(), 0);
    for slices in cuts {
        let stored = encoder.encode(&slices).unwrap();
        table.push(&stored);
        let len: usize = slices.iter().map(|slice| slice.as_ref().len()).sum();
        frames.push((stored.stored.clone(), at..at + len));
        at += len;
    }
    let tail = if table_wanted { table.to_bytes() } else { Vec::new() };
    let checksum = frames[0].0[4] & 4 != 0;
    Stored { name, frames, tail, checksum }
}

/// Where the frame proper begins: behind the skippable one.
fn proper(frame: &[u8]) -> usize {
    if frame[0] == 0x50 { 12 } else { 0 }
}

/// One way to damage a frame, and whether that is noticed where there is no checksum.
type Way = (&'static str, fn(&mut Vec<u8>), bool);

const WAYS: &[Way] = &[
    ("first byte", |frame| frame[0] ^= 0x40, true),
    (
        "magic",
        |frame| {
            let at = proper(frame);
            frame[at + 2] ^= 1
        },
        true,
    ),
    (
        "descriptor",
        |frame| {
            let at = proper(frame);
            frame[at + 4] ^= 0x08
        },
        true,
    ),
    (
        "a bit in the middle",
        |frame| {
            let at = frame.len() / 2;
            frame[at] ^= 0x10
        },
        false,
    ),
    (
        "a bit near the end",
        |frame| {
            let at = frame.len() - 9;
            frame[at] ^= 1
        },
        false,
    ),
    (
        "a few bytes",
        |frame| {
            let at = frame.len() / 3;
            frame[at..at + 40].fill(0xA5)
        },
        false,
    ),
    (
        "zeros",
        |frame| {
            let at = frame.len() / 2;
            frame[at..].fill(0)
        },
        false,
    ),
    ("all zeros", |frame| frame.fill(0), true),
    (
        "a block's size",
        |frame| {
            let at = block(frame);
            frame[at + 1] ^= 0x55
        },
        false,
    ),
    (
        "a block's kind",
        |frame| {
            let at = block(frame);
            frame[at] |= 6
        },
        true,
    ),
    (
        "the last bytes",
        |frame| {
            let at = frame.len() - 2;
            frame[at] ^= 0xFF
        },
        false,
    ),
    ("its tail is gone", |frame| frame.truncate(frame.len() * 2 / 3), true),
    ("its beginning is gone", |frame| drop(frame.drain(..frame.len() / 3)), true),
    ("another program's bytes", |frame| *frame = b"GIF89a and so on".repeat(50), true),
    ("a byte too many", |frame| frame.insert(frame.len() / 2, b'x'), false),
    ("removed", Vec::clear, false),
];

/// Where the frame's first block begins.
fn block(frame: &[u8]) -> usize {
    let at = proper(frame);
    let descriptor = frame[at + 4];
    let single = descriptor & 0x20 != 0;
    let content = [usize::from(single), 2, 4, 8][usize::from(descriptor >> 6)];
    at + 5 + usize::from(!single) + content
}

fn skipping(threads: usize, batch_stored_bytes: usize) -> Run {
    let mut how = to_san(Rejects::Apart);
    how.threads = threads;
    how.options.skip_damaged = true;
    how.options.batch_stored_bytes = batch_stored_bytes;
    how
}

/// An archive to read, the expected report, and whether to read it from a pipe too.
struct Case {
    what: String,
    stored: Vec<u8>,
    piped: bool,
}

/// The ledgers from maps, the same with any number of threads and jobs of any size; and from pipes.
fn read(folder: &Scratch, cases: &[Case]) -> Vec<Ledger> {
    let put = |(i, case): (usize, &Case)| folder.put(&format!("{i}.zst"), &case.stored);
    let inputs: Vec<Input> = cases.iter().enumerate().map(put).collect();
    let ledgers = run(&skipping(1, 1), &inputs).unwrap();
    for (threads, batch) in [(2, 1), (1, 256 << 10), (2, 9_000)] {
        let again = run(&skipping(threads, batch), &inputs).unwrap();
        for ((again, ledger), case) in again.iter().zip(&ledgers).zip(cases) {
            let what = format!("{}: {threads} threads, jobs of {batch}", case.what);
            same(again, ledger, &what);
        }
    }
    for (case, ledger) in cases.iter().zip(&ledgers).filter(|(case, _)| case.piped) {
        let piped = run_piped(&skipping(2, 1), folder, &case.stored);
        same(&piped, ledger, &format!("{}: from a pipe", case.what));
    }
    ledgers
}

/// Ledgers are long: of two that differ, what they found is shown.
#[track_caller]
fn same(found: &Ledger, expected: &Ledger, what: &str) {
    let short = |ledger: &Ledger| {
        let (verdicts, faults) = (ledger.verdicts(), &ledger.faults);
        format!("{} bytes, {verdicts:?}, {faults:#?}", ledger.text_bytes)
    };
    assert!(found == expected, "{what}\nfound {}\nexpected {}", short(found), short(expected));
}

fn is_damaged(ledger: &Ledger) -> bool {
    ledger.counts.deviations[Deviation::FrameDamaged as usize] > 0
}

/// Holds what must hold of an archive one frame of which is damaged.
fn check(ledger: &Ledger, text: &[u8], lost: &Range<usize>, sure: bool, what: &str) {
    ledger.check(ledger.text_bytes as usize, what);
    let (out, rejects) = (ledger.out.len() as u64, ledger.rejects.len() as u64);
    assert_eq!(out + rejects, ledger.text_bytes, "{what}: every byte is somewhere");
    let mut from = 0;
    for (at, game) in Games::new(text) {
        if at + game.len() <= lost.start || at >= lost.end {
            let found = memchr::memmem::find(&ledger.out[from..], game);
            let found = found.unwrap_or_else(|| panic!("{what}: the game at {at} is lost"));
            from += found + game.len();
        }
    }
    if sure {
        for (at, game) in Games::new(&ledger.out) {
            let known = memchr::memmem::find(text, game.trim_ascii()).is_some();
            let tags = game.starts_with(b"[Event ");
            assert!(known || !tags, "{what}: at {at} {}", game.escape_ascii());
        }
    }
}

#[test]
fn every_game_outside_the_damaged_frame_is_accepted() {
    let text = sample();
    let archives = [
        whole_games("whole games, seek table", &text, true),
        whole_games("whole games", &text, false),
        cut_anywhere("cut anywhere, checksums", &text, 11_003, true, false),
        cut_anywhere("cut anywhere, sizes before", &text, 9_999, true, true),
        cut_anywhere("cut anywhere, no checksums", &text, 10_501, false, false),
    ];
    let folder = Scratch::new();
    let (mut damaged, mut unseen) = (0, 0);
    for (number, stored) in archives.iter().enumerate() {
        assert!(stored.frames.len() >= 12, "{}", stored.name);
        let mut cases = vec![Case {
            what: stored.name.into(),
            stored: stored.with(usize::MAX, b""),
            piped: true,
        }];
        // The first, the last and each sixth, or all.
        let frames_count = stored.frames.len();
        let step = trials(53, 17, 1);
        let indices: Vec<usize> = (0..frames_count)
            .filter(|index| index % step == 0 || index + 1 == frames_count)
            .collect();
        // At the short depth a frame is damaged in every other way, the next one in the others.
        let turn = trials(2, 1, 1);
        let in_turn = |place: usize| WAYS.iter().skip((number + place) % turn).step_by(turn);
        let places = indices.iter().enumerate();
        let damages: Vec<(usize, &Way)> = places
            .flat_map(|(place, &index)| in_turn(place).map(move |way| (index, way)))
            .collect();
        for &(index, (way, spoil, _)) in &damages {
            let mut frame = stored.frames[index].0.clone();
            spoil(&mut frame);
            let what = format!("{}, frame {}, {way}", stored.name, index + 1);
            cases.push(Case { what, stored: stored.with(index, &frame), piped: index % 12 == 0 });
        }
        let ledgers = read(&folder, &cases);
        assert!(ledgers[0].out == text && ledgers[0].damaged_bytes == 0, "{}", stored.name);
        let of_damages = ledgers.iter().zip(&cases).skip(1).zip(damages);
        for ((ledger, case), (index, &(way, _, noticed))) in of_damages {
            let (frame, lost) = &stored.frames[index];
            let seen = is_damaged(ledger);
            // A checksum notices everything but a frame that is not there.
            let noticed = noticed || stored.checksum && way != "removed";
            assert!(seen || !noticed, "{}: the damage is not seen", case.what);
            assert!(ledger.damaged_bytes <= frame.len() as u64 + 200, "{}", case.what);
            check(ledger, &text, lost, stored.checksum && seen, &case.what);
            damaged += u32::from(seen);
            unseen += u32::from(!seen);
        }
    }
    println!("{damaged} damaged archives, {unseen} in which nothing can be noticed");
}

/// Where the archive ends within a frame, what was decoded is read; the game that is cut is rejected.
#[test]
fn a_download_cut_short_is_read_to_its_end() {
    let text = sample();
    let folder = Scratch::new();
    let one = Stored {
        name: "one frame",
        frames: vec![(frame(&text, true), 0..text.len())],
        tail: Vec::new(),
        checksum: true,
    };
    let many = cut_anywhere("many frames", &text, 11_003, true, false);
    for stored in [&one, &many] {
        let bytes = stored.with(usize::MAX, b"");
        let case = |len: usize| {
            let what = format!("{}, cut to {len}", stored.name);
            Case { what, stored: bytes[..len].to_vec(), piped: len % 3 == 1 }
        };
        let cases: Vec<Case> = (4..bytes.len()).step_by(bytes.len() / 23).map(case).collect();
        for (ledger, case) in read(&folder, &cases).iter().zip(&cases) {
            let known = ledger.text_bytes as usize;
            check(ledger, &text, &(known..text.len()), true, &case.what);
            let boundary = (0..=stored.frames.len()).any(|i| stored.at(i) == case.stored.len());
            assert_eq!(is_damaged(ledger), !boundary, "{}", case.what);
        }
    }
    // A block is 128 KiB of text: half of the stored bytes of one frame give the first one.
    let bytes = one.with(usize::MAX, b"");
    let stored = bytes[..bytes.len() - 1000].to_vec();
    let cases = [Case { what: "the last block is cut".into(), stored, piped: true }];
    let ledger = &read(&folder, &cases)[0];
    assert_eq!(ledger.text_bytes, 128 << 10);
    assert!(ledger.counts.accepted > 40 && ledger.counts.rejected == 1, "{:?}", ledger.counts);
}

#[test]
fn without_the_flag_the_error_says_where() {
    let text = sample();
    let folder = Scratch::new();
    for sized in [false, true] {
        let stored = cut_anywhere("", &text, 11_003, true, sized);
        for index in [0, 1, 5, stored.frames.len() - 1] {
            let mut frame = stored.frames[index].0.clone();
            let at = frame.len() / 2;
            frame[at..at + 20].fill(0x5A);
            let input = [folder.put("archive.zst", &stored.with(index, &frame))];
            for (threads, batch) in [(1, 1), (2, 1), (2, 256 << 10)] {
                let mut how = skipping(threads, batch);
                how.options.skip_damaged = false;
                let error = run(&how, &input).unwrap_err();
                let ErrorKind::Damaged { path, stored_offset, frame, .. } = error.kind() else {
                    panic!("{error}")
                };
                assert!(path.ends_with("archive.zst"));
                let begin = stored.at(index) + if sized { 12 } else { 0 };
                assert_eq!((*stored_offset, *frame), (begin as u64, index as u64 + 1), "{error}");
                assert!(!error.to_string().contains("--"), "the library names no option: {error}");
            }
        }
    }
}

/// A frame whose header states the size of its text; its last block is `empty`, or holds text.
fn sized_frame(text: &[u8], checksum: bool, empty: bool) -> Vec<u8> {
    let mut encoder = zstd::stream::Encoder::new(Vec::new(), 1).unwrap();
    encoder.include_checksum(checksum).unwrap();
    encoder.set_pledged_src_size(Some(text.len() as u64)).unwrap();
    encoder.write_all(text).unwrap();
    if empty {
        encoder.flush().unwrap();
    }
    encoder.finish().unwrap()
}

/// Adds to the size that the header states.
fn restate(frame: &mut [u8], difference: i64) {
    let bytes = [1, 2, 4, 8][usize::from(frame[4] >> 6)];
    let end = block(frame);
    let field = &mut frame[end - bytes..end];
    let mut stated = [0; 8];
    stated[..bytes].copy_from_slice(field);
    let stated = u64::from_le_bytes(stated).wrapping_add_signed(difference);
    field.copy_from_slice(&stated.to_le_bytes()[..bytes]);
}

/// However the frame is decoded: by one call or by many, its last block empty or not.
#[test]
fn a_frame_that_states_another_size_is_damaged() {
    let sample = sample();
    let (long, folder) = (sample.repeat(12), Scratch::new());
    let mut cases = Vec::new();
    let lens = thinned(2, [0, 1, 20_000, 200, long.len(), 140_000]);
    for (place, len) in lens.enumerate() {
        let kinds = [(false, false), (false, true), (true, false), (true, true)];
        for (number, (checksum, empty)) in kinds.into_iter().enumerate() {
            // At the short depth every other one, in turn.
            let differences = [-140_000, -7, -1, 0, 1, 7, 140_000];
            let turn = trials(2, 1, 1);
            for difference in differences.into_iter().skip((place + number) % turn).step_by(turn) {
                let mut frame = sized_frame(&long[..len], checksum, empty);
                restate(&mut frame, difference);
                let around = sized_frame(&sample[..3_000], false, true);
                let what = format!("{len} bytes of text, {checksum} {empty}, stated {difference}");
                let stored = [&around, &frame, &around].map(Vec::as_slice).concat();
                cases.push((difference, Case { what, stored, piped: len != 20_000 }));
            }
        }
    }
    let (differences, cases): (Vec<i64>, Vec<Case>) = cases.into_iter().unzip();
    let ledgers = read(&folder, &cases);
    let mut named = 0;
    for ((ledger, case), difference) in ledgers.iter().zip(&cases).zip(differences) {
        let differs = difference != 0;
        assert_eq!(is_damaged(ledger), differs, "{}: {}", case.what, ledger.text_bytes);
        ledger.check(ledger.text_bytes as usize, &case.what);
        let input = [folder.put("archive.zst", &case.stored)];
        for (threads, batch) in [(1, 1), (2, 256 << 10)] {
            let mut how = skipping(threads, batch);
            how.options.skip_damaged = false;
            let read = run(&how, &input);
            assert_eq!(read.is_err(), differs, "{}: without the flag", case.what);
            // Where the message has both sizes, each is what it is called.
            if let Some(error) = read.err().map(|error| error.to_string())
                && let Some((_, sizes)) = error.split_once("it has ")
            {
                let sizes = sizes.split_once(" bytes of text, and its header states ").unwrap();
                let size = |text: &str| {
                    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
                    text[..digits].parse::<i64>().unwrap()
                };
                assert_eq!(size(sizes.0), size(&case.what), "{}: {error}", case.what);
                assert_ne!(size(sizes.1), size(&case.what), "{}: {error}", case.what);
                named += 1;
            }
        }
    }
    assert!(named > 0, "no message has both sizes");
}

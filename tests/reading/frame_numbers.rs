//! One numbering of zstd frames: whichever frame is damaged and however, every way to read the archive gives it the
//! same number, from 1, and the place where it begins.
//!
//! Archives of many frames, with skippable ones between and without; one is damaged in each way there is. They are read
//! from a map and from a pipe, by one worker and by two, in jobs of one frame and of many, by workers and in order; as
//! an error and, with damage skipped, as a fault.

use std::fs;
use std::process::Command;

use crate::common::{SAMPLE, here, text_of, thinned, trials};
use pgnmill_core::engine::Rejects;
use pgnmill_core::pgn::deviation::Deviation;
use pgnmill_io::archive::Input;
use pgnmill_io::error::{Error, ErrorKind};
use pgnmill_laws::scratch::Scratch;
use pgnmill_laws::support::{Ledger, Run, run, to_san};

const FRAMES: usize = 6;

/// The frames of an archive; each with the skippable frame before it, if there is one, and its own length.
fn frames(skippable: bool) -> Vec<(Vec<u8>, usize)> {
    let text = text_of(&here(SAMPLE));
    let pieces = text.chunks(9_001).take(FRAMES);
    let store = |piece: &[u8]| {
        let mut encoder = zstd::stream::Encoder::new(Vec::new(), 1).unwrap();
        encoder.include_checksum(true).unwrap();
        std::io::Write::write_all(&mut encoder, piece).unwrap();
        let frame = encoder.finish().unwrap();
        let before: &[u8] = if skippable { b"\x5A\x2A\x4D\x18\x04\0\0\0size" } else { b"" };
        (before.to_vec(), frame)
    };
    let join =
        |(before, frame): (Vec<u8>, Vec<u8>)| ([before, frame.clone()].concat(), frame.len());
    pieces.map(|piece| join(store(piece))).collect()
}

/// A way to damage a frame; returns whether nothing follows it.
type Way = (&'static str, fn(&mut Vec<u8>) -> bool);

const WAYS: [Way; 8] = [
    ("no magic number", |frame| {
        frame[..4].fill(0);
        false
    }),
    ("letters for the magic number", |frame| {
        frame[..4].copy_from_slice(b"[Eve");
        false
    }),
    ("the first byte of a skippable frame", |frame| {
        frame[0] = 0x5A;
        false
    }),
    ("a reserved bit of the header", |frame| {
        frame[4] |= 8;
        false
    }),
    ("the middle", |frame| {
        let at = frame.len() / 2;
        frame[at..at + 20].fill(0x5A);
        false
    }),
    ("the checksum", |frame| {
        *frame.last_mut().unwrap() ^= 1;
        false
    }),
    ("text in its place", |frame| {
        *frame = b"[Event \"x\"]\n\n1. e4 *\n".to_vec();
        false
    }),
    ("cut", |frame| {
        frame.truncate(frame.len() / 2);
        true
    }),
];

/// Every way to read it from a map: workers, jobs of one frame and of all, frames that are too long for a worker or
/// whose text is.
fn ways_to_read(skip_damaged: bool) -> Vec<Run> {
    let mut ways = Vec::new();
    for threads in [1, 2] {
        for (batch, stored_max, text_max) in [
            (1, 1 << 20, 1 << 20),
            (1 << 20, 1 << 20, 1 << 20),
            (1, 64, 1 << 20),
            (1, 1 << 20, 100),
        ] {
            let mut how = to_san(Rejects::Dropped);
            how.threads = threads;
            how.options.skip_damaged = skip_damaged;
            how.options.batch_stored_bytes = batch;
            how.options.frame_stored_bytes_max = stored_max;
            how.options.frame_text_bytes_max = text_max;
            ways.push(how);
        }
    }
    ways
}

/// What comes of an archive that is read from a pipe, whose writer may be left alone.
fn piped(how: &Run, folder: &Scratch, stored: &[u8]) -> Result<Ledger, Error> {
    let Input::Path(path) = folder.put("a pipe", b"") else { panic!("a path") };
    fs::remove_file(&path).unwrap();
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let found = std::thread::scope(|scope| {
        scope.spawn(|| drop(fs::write(&path, stored)));
        run(how, &[Input::Path(path.clone())]).map(|mut ledgers| ledgers.remove(0))
    });
    fs::remove_file(&path).unwrap();
    found
}

/// The number and the place that an error gives.
fn of_error(found: Result<Ledger, Error>) -> (u64, u64) {
    let error = found.expect_err("damage ends the run");
    match error.kind() {
        ErrorKind::Damaged { frame, stored_offset, .. } => (*frame, *stored_offset),
        _ => panic!("{error}"),
    }
}

/// The number that the first fault gives.
fn of_fault(found: &Ledger) -> u64 {
    let kind = Deviation::FrameDamaged.name();
    let fault = found.faults.iter().find(|fault| fault.kind == kind).expect("damage is a fault");
    let words = fault.detail.strip_prefix("zstd frame ").expect("the frame's number");
    words.split(',').next().unwrap().parse().unwrap()
}

#[test]
fn every_way_to_read_gives_a_damaged_frame_the_same_number() {
    let folder = Scratch::new();
    let mut cases = 0;
    for skippable in [false, true] {
        let frames = frames(skippable);
        for (index, (name, spoil)) in
            thinned(3, (0..FRAMES).flat_map(|index| WAYS.map(|way| (index, way))))
        {
            let what = format!("frame {} of {FRAMES}, {name}, skippable {skippable}", index + 1);
            let mut stored = Vec::new();
            let mut begin = 0;
            for (at, (frame, len)) in frames.iter().enumerate() {
                let before = frame.len() - len;
                stored.extend_from_slice(&frame[..before]);
                let mut frame = frame[before..].to_vec();
                let mut is_last = false;
                if at == index {
                    begin = stored.len() as u64;
                    is_last = spoil(&mut frame);
                }
                stored.extend_from_slice(&frame);
                if is_last {
                    break;
                }
            }
            let expected = (index as u64 + 1, begin);
            let input = [folder.put("archive", &stored)];
            for how in ways_to_read(false) {
                let found = run(&how, &input).map(|mut ledgers| ledgers.remove(0));
                assert_eq!(of_error(found), expected, "{what}, {how:?}");
            }
            let how = &ways_to_read(false)[0];
            assert_eq!(of_error(piped(how, &folder, &stored)), expected, "{what}, from a pipe");
            for how in ways_to_read(true) {
                let found = &run(&how, &input).unwrap()[0];
                assert_eq!(of_fault(found), expected.0, "{what}, {how:?}");
            }
            let found = piped(&ways_to_read(true)[0], &folder, &stored).unwrap();
            assert_eq!(of_fault(&found), expected.0, "{what}, skipped, from a pipe");
            cases += 1;
        }
    }
    assert!(
        cases
            == trials(
                2 * (FRAMES * WAYS.len()).div_ceil(3),
                2 * FRAMES * WAYS.len(),
                2 * FRAMES * WAYS.len()
            )
    );
}

/// A skippable frame that is damaged is none of the frames that are numbered: those behind it keep their numbers.
#[test]
fn a_damaged_skippable_frame_moves_no_number() {
    let folder = Scratch::new();
    let frames = frames(true);
    let mut stored = Vec::new();
    for (at, (frame, _)) in frames.iter().enumerate() {
        let mut frame = frame.clone();
        match at {
            // The length of the skippable frame is another.
            1 => frame[4] ^= 1,
            // The checksum of the frame behind one that is whole.
            3 | 5 => *frame.last_mut().unwrap() ^= 1,
            _ => {}
        }
        stored.extend_from_slice(&frame);
    }
    let input = [folder.put("archive", &stored)];
    let number = |detail: &str| -> u64 {
        let words = detail.strip_prefix("zstd frame ").expect("the frame's number");
        words.split(',').next().unwrap().parse().unwrap()
    };
    let check = |found: &Ledger, what: &str| {
        let kind = Deviation::FrameDamaged.name();
        let faults = found.faults.iter().filter(|fault| fault.kind == kind);
        let numbers: Vec<u64> = faults.map(|fault| number(&fault.detail)).collect();
        assert_eq!(numbers, [2, 4, 6], "{what}");
    };
    for how in ways_to_read(true) {
        check(&run(&how, &input).unwrap()[0], &format!("{how:?}"));
    }
    check(&piped(&ways_to_read(true)[0], &folder, &stored).unwrap(), "from a pipe");
}

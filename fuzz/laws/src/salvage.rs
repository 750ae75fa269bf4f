//! Salvage: of an archive of many frames, damaged anywhere, every game outside the damaged frames is still accepted.
//!
//! The bytes are a recipe: how many games, how the text is cut into frames, and what is done to the stored bytes. With
//! damage skipped the run goes through, the ledger balances to the byte, and is the same for any number of workers and
//! jobs of any size; without, the run fails exactly where damage can be detected.

use std::fmt::Write as _;
use std::io::Write as _;
use std::ops::Range;

use pgnmill_core::engine::Rejects;
use pgnmill_core::pgn::deviation::Deviation;
use pgnmill_io::archive::games::Games;
use pgnmill_io::error::ErrorKind;

use crate::Choices;
use crate::scratch::Scratch;
use crate::support::{Ledger, Run, run, to_san};

/// Movetexts of accepted games.
const MOVES: &[&str] = &[
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 1/2-1/2",
    "1. f3 e5 2. g4 Qh4# 0-1",
    "1. e4 { [%clk 0:03:00] } 1... c5 { [%clk 0:02:59] } 2. d4 cxd4 3. Qxd4 $6 (3. c3 dxc3) 3... Nc6 *",
    "1. d4 d5 2. c4\ne6 3. Nc3 Nf6\n4. Bg5 Be7 1-0",
    "*",
];
/// The first bytes of a file give its format: another law tests them.
const FIRST_BYTES: usize = 16;

/// Stored bytes, and the text that each range of them holds.
struct Stored {
    bytes: Vec<u8>,
    frames: Vec<(Range<usize>, Range<usize>)>,
}

/// Three bytes choose games, frames and sizes; then four bytes a damage.
pub fn hold(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let text = games(1 + choices.byte() % 60);
    let stored = stored(&text, 40 + 9 * choices.byte(), choices.byte() % 2 == 1);
    let (damaged, touched) = spoil(&stored, &mut choices);
    let folder = Scratch::new();
    let input = [folder.put("archive.zst", &damaged)];
    let read = |how: &Run| run(how, &input).unwrap_or_else(|error| panic!("{error}")).remove(0);
    let ledger = read(&skipping(1, 1));
    for (threads, batch_stored_bytes) in [(2, 1), (1, 1_000), (2, 1 << 20)] {
        let again = read(&skipping(threads, batch_stored_bytes));
        assert!(again == ledger, "{threads} threads, jobs of {batch_stored_bytes}");
    }
    balances(&ledger, damaged.len());
    // A file that is cut between two frames shows no damage: its last game may be one that is cut, and is read as it
    // is.
    assert!(ledger.counts.repaired as usize <= touched.len(), "sound games are accepted");
    let lost = |game: &Range<usize>| {
        let hit = |frame: &Range<usize>| frame.start < game.end && game.start < frame.end;
        touched.iter().any(|&index| hit(&stored.frames[index].1))
    };
    let mut from = 0;
    for (at, game) in Games::new(&text).filter(|(at, game)| !lost(&(*at..at + game.len()))) {
        let found = ledger.out[from..].windows(game.len()).position(|window| window == game);
        let found = found.unwrap_or_else(|| panic!("the game at {at} is lost"));
        from += found + game.len();
    }
    let mut strict = skipping(1, 1);
    strict.options.skip_damaged = false;
    match run(&strict, &input) {
        Ok(whole) => assert!(whole[0] == ledger && damages(&ledger) == 0, "damage is not told"),
        Err(error) => {
            assert!(matches!(error.kind(), ErrorKind::Damaged { .. }), "{error}");
            assert!(damages(&ledger) > 0, "{error}");
        }
    }
}

/// So many games, no two alike.
fn games(count: usize) -> Vec<u8> {
    let mut text = String::new();
    for number in 0..count {
        let moves = MOVES[number % MOVES.len()];
        let result = moves.rsplit(' ').next().unwrap_or("*");
        let _ = write!(text, "[Event \"{number}\"]\n[Result \"{result}\"]\n\n{moves}\n\n");
    }
    text.into_bytes()
}

/// Frames of `len` bytes of text, wherever that cuts, with checksums; each perhaps after a skippable one with its size.
fn stored(text: &[u8], len: usize, sized: bool) -> Stored {
    let (mut bytes, mut frames) = (Vec::new(), Vec::new());
    for (index, piece) in text.chunks(len).enumerate() {
        let mut encoder = zstd::stream::Encoder::new(Vec::new(), 1).expect("an encoder");
        encoder.include_checksum(true).expect("a parameter");
        encoder.write_all(piece).expect("memory");
        let frame = encoder.finish().expect("memory");
        let begin = bytes.len();
        if sized {
            bytes.extend([0x50, 0x2A, 0x4D, 0x18, 4, 0, 0, 0]);
            bytes.extend((frame.len() as u32).to_le_bytes());
        }
        bytes.extend(frame);
        frames.push((begin..bytes.len(), index * len..index * len + piece.len()));
    }
    Stored { bytes, frames }
}

/// Damages the bytes, last place first, so that places before keep their meaning. Returns them, and the frames that
/// were touched.
fn spoil(stored: &Stored, choices: &mut Choices<'_>) -> (Vec<u8>, Vec<usize>) {
    let (mut bytes, mut touched) = (stored.bytes.clone(), Vec::new());
    let mut end = bytes.len();
    while !choices.is_empty() && end > FIRST_BYTES {
        let (way, with) = (choices.byte(), choices.byte() as u8);
        let at = FIRST_BYTES + (choices.byte() << 8 | choices.byte()) % (end - FIRST_BYTES);
        let until = end.min(at + [1, 4, 40, 300][way / 8 % 4]);
        match way % 8 {
            0 | 1 => bytes[at] ^= with.max(1),
            2 | 3 => bytes[at..until].fill(with),
            4 => drop(bytes.drain(at..until)),
            5 => bytes.truncate(at),
            6 => drop(bytes.splice(at..at, std::iter::repeat_n(with, until - at))),
            _ => bytes[at..until].reverse(),
        }
        // What is cut off is gone, whatever was done to it before.
        let end_touched = if way % 8 == 5 { usize::MAX } else { until };
        let near = at - 1;
        let hit = |frame: &Range<usize>| frame.start < end_touched && near < frame.end;
        let hits = stored.frames.iter().enumerate().filter(|(_, (frame, _))| hit(frame));
        touched.extend(hits.map(|(index, _)| index));
        end = at;
    }
    (bytes, touched)
}

fn skipping(threads: usize, batch_stored_bytes: usize) -> Run {
    let mut how = to_san(Rejects::Apart);
    how.threads = threads;
    how.options.skip_damaged = true;
    how.options.batch_stored_bytes = batch_stored_bytes;
    how
}

fn damages(ledger: &Ledger) -> u64 {
    ledger.counts.deviations[Deviation::FrameDamaged as usize]
}

fn balances(ledger: &Ledger, stored_bytes: usize) {
    ledger.check(ledger.text_bytes as usize, "damaged");
    let (out, rejects) = (ledger.out.len() as u64, ledger.rejects.len() as u64);
    if ledger.counts.repaired == 0 {
        assert_eq!(out + rejects, ledger.text_bytes, "every byte is somewhere");
    }
    assert_eq!(rejects, ledger.rejected_bytes);
    assert!(ledger.damaged_bytes <= stored_bytes as u64);
    // Of a file that is cut short all that is there may have been read.
    assert!(ledger.damaged_bytes == 0 || damages(ledger) > 0);
}

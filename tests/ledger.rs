//! The ledger balances to the byte on files mutated at random, plain and compressed, with one thread and with two.
//!
//! The files are mixtures of small games whose bytes are flipped, deleted, inserted, cut off, or whose pieces change
//! places. The generator is a fixed sequence: what fails once fails again. `PGNMILL_LEDGER_SEED` begins another one.

#![allow(clippy::print_stdout, reason = "reports what was counted")]

use std::fs;

use pgnmill::archive::Input;
use pgnmill::engine::Rejects;
use pgnmill::pgn::deviation::Profile;
use pgnmill_laws::dice::Dice;
use pgnmill_laws::scratch::Scratch;
use pgnmill_laws::support::{Ledger, Run, run, run_piped, to_san};

/// How many files are mutated in all, and how many are read by one run.
const FILES: usize = 10_000;
const FILES_A_RUN: usize = 250;

/// What people write, good and bad.
const GAMES: &[&str] = &[
    "[Event \"a\"]\n[Site \"b\"]\n[Date \"2001.??.??\"]\n[Round \"1\"]\n[White \"e\"]\n[Black \"f\"]\n\
     [Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6 5. O-O f6 1-0\n\n",
    "[Event \"a\"]\r\n[Result \"0-1\"]\r\n\r\n1. f3 e5 2. g4 Qh4# 0-1\r\n\r\n",
    "[Event \"Rated\"]\n[White \"x\"]\n\n1. d4 { [%clk 0:10:00] } d5 { [%eval 0.1] } 2. c4 (2. Nf3 Nf6 \
     (2... e6 3. g3) 3. c4) 2... dxc4 $1 3. e4!? *\n\n",
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6 1/2-1/2\n",
    "[Event \"quotes\"]\n[White \"A \"B\" C\"]\n[Black \"D \\\"E\\\" F\"]\n\n1. 0-0 *\n\n",
    "[Event \"sixty\"]\n[SetUp \"1\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. a8=Q+ Kd7 2. O-O *\n\n",
    "% escape\n[Event \"x\"] [Site \"y\"]\n; line { comment\n1. e4 {nested {comment} here} e5 --\n*\n",
    "\u{feff}[Event \"bom\"]\n[White \"M\u{fc}ller\"]\n\n1. e2e4 e7e5 2. Ng1f3 \u{bd}-\u{bd}\n\n",
    "[Event \"960\"]\n[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/\
     NPP1P1PP/BQ1BNRKR w HFhf - 2 9\"]\n\n9. e4 O-O *\n\n",
    "[Event \"zh\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 e5 2. N@f3 *\n\n",
    "[Event \"moves in uci\"]\n[MoveNotation \"uci\"]\n\n1. e2e4 e7e5 2. g1f3 *\n\n",
    "[Event \"no moves\"]\n[Result \"1-0\"]\n\n1-0\n\n[Event \"none at all\"]\n\n",
    "no game at all, but text\n\n\t \n",
];

fn mixture(dice: &mut Dice) -> Vec<u8> {
    let mut text = Vec::new();
    for _ in 0..1 + dice.below(12) {
        text.extend_from_slice(GAMES[dice.below(GAMES.len())].as_bytes());
    }
    // Line ends of any kind.
    match dice.below(6) {
        0 => {
            String::from_utf8_lossy(&text).replace("\r\n", "\n").replace('\n', "\r\n").into_bytes()
        }
        1 => String::from_utf8_lossy(&text).replace("\r\n", "\n").replace('\n', "\r").into_bytes(),
        _ => text,
    }
}

/// The line and the column of a byte, counted one by one: a line ends with LF, CR LF or CR.
fn line_and_column(text: &[u8], offset: usize) -> (u64, u64) {
    let (mut line, mut column, mut at) = (1, 1, 0);
    while at < offset {
        if text[at] == b'\n' || text[at] == b'\r' && text.get(at + 1) != Some(&b'\n') {
            (line, column) = (line + 1, 1);
        } else {
            column += 1;
        }
        at += 1;
    }
    (line, column)
}

fn mutate(text: &mut Vec<u8>, dice: &mut Dice) {
    /// Bytes that mean something.
    const SIGNS: &[u8] = b"[]{}()\";%\\\r\n .*$!?-=+#0123456789abcdefghKQRBNO\0\xEF\xFF\xC2";
    for _ in 0..dice.below(8) {
        match dice.below(8) {
            0 if !text.is_empty() => {
                let at = dice.below(text.len());
                text[at] ^= 1 << dice.below(8);
            }
            1 if !text.is_empty() => {
                let at = dice.below(text.len());
                text[at] = SIGNS[dice.below(SIGNS.len())];
            }
            2 => {
                let gone = dice.range(text, 40);
                text.drain(gone);
            }
            3 => {
                let at = dice.below(text.len() + 1);
                let new: Vec<u8> =
                    (0..1 + dice.below(9)).map(|_| SIGNS[dice.below(SIGNS.len())]).collect();
                text.splice(at..at, new);
            }
            4 => {
                let at = dice.below(text.len() + 1);
                let new: Vec<u8> = (0..1 + dice.below(30)).map(|_| dice.roll() as u8).collect();
                text.splice(at..at, new);
            }
            5 if dice.below(4) == 0 => text.truncate(dice.below(text.len() + 1)),
            6 => {
                let moved = dice.range(text, 300);
                let piece: Vec<u8> = text.drain(moved).collect();
                let at = dice.below(text.len() + 1);
                text.splice(at..at, piece);
            }
            _ => {
                let again = dice.range(text, 100);
                let piece = text[again].to_vec();
                let at = dice.below(text.len() + 1);
                text.splice(at..at, piece);
            }
        }
    }
}

/// Frames of pieces that are cut anywhere.
fn compressed(text: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut stored = Vec::new();
    let mut at = 0;
    while at < text.len() || stored.is_empty() {
        let end = (at + 1 + dice.below(1500)).min(text.len());
        stored.extend(zstd::bulk::compress(&text[at..end], 1).unwrap());
        at = end;
    }
    stored
}

fn with_threads(mut how: Run, threads: usize) -> Run {
    how.threads = threads;
    how.options.batch_stored_bytes = 1;
    how
}

/// The runs whose ledgers must be the same, and one in which nothing may be repaired.
fn check_files(files: &[Vec<u8>], dice: &mut Dice) -> Vec<Ledger> {
    let folder = Scratch::new();
    let inputs = |kind: &str, stored: &mut dyn FnMut(&[u8]) -> Vec<u8>| -> Vec<Input> {
        let put = |(i, text): (usize, &Vec<u8>)| folder.put(&format!("{i}.{kind}"), &stored(text));
        files.iter().enumerate().map(put).collect()
    };
    let plain = inputs("pgn", &mut |text| text.to_vec());
    let zstd = inputs("zst", &mut |text| compressed(text, dice));
    let expected = run(&with_threads(to_san(Rejects::Apart), 1), &plain).unwrap();
    for (text, ledger) in files.iter().zip(&expected) {
        let what = text.escape_ascii().to_string();
        ledger.check(text.len(), &what);
        if ledger.counts.repaired == 0 && !what.contains("MoveNotation") {
            assert_eq!(ledger.out.len() + ledger.rejects.len(), text.len(), "{what}");
        }
        assert_eq!(ledger.rejects.len() as u64, ledger.rejected_bytes, "{what}");
        for fault in &ledger.faults {
            let counted = line_and_column(text, fault.offset as usize);
            assert_eq!((fault.line, fault.column), counted, "{fault:?} in {what}");
        }
    }
    for (threads, inputs) in [(2, &plain), (1, &zstd), (2, &zstd)] {
        let ledgers = run(&with_threads(to_san(Rejects::Apart), threads), inputs).unwrap();
        for (i, (found, expected)) in ledgers.iter().zip(&expected).enumerate() {
            let what = files[i].escape_ascii();
            assert_eq!(found, expected, "{threads} threads, {:?}\n{what}", inputs[i]);
        }
    }
    let mut strict = with_threads(to_san(Rejects::Kept), 1);
    strict.profile = Profile::strict();
    for (text, ledger) in files.iter().zip(run(&strict, &plain).unwrap()) {
        if !text.windows(12).any(|name| name == b"MoveNotation") {
            assert!(ledger.out == *text, "nothing changes: {}", text.escape_ascii());
        }
    }
    expected
}

#[test]
fn the_ledger_balances_on_mutated_files() {
    let mut dice = Dice::from_env("PGNMILL_LEDGER_SEED", 1);
    let (mut bytes, mut games, mut rejected) = (0, 0, 0);
    for _ in 0..FILES / FILES_A_RUN {
        let mut files = Vec::new();
        while files.len() < FILES_A_RUN {
            let mut text = mixture(&mut dice);
            mutate(&mut text, &mut dice);
            files.push(text);
        }
        for ledger in check_files(&files, &mut dice) {
            bytes += ledger.text_bytes;
            games += ledger.counts.games();
            rejected += ledger.counts.rejected;
        }
    }
    println!("{FILES} files, {bytes} bytes, {games} games, {rejected} rejected");
    assert!(rejected * 10 > games && games > FILES as u64, "the mutations are worth reading");
}

/// Compressed bytes that are damaged: an error, or a ledger that balances, and the same with any number of threads.
#[test]
fn damaged_frames_end_the_run_or_are_read() {
    let mut dice = Dice::new(7);
    let folder = Scratch::new();
    let (mut read, mut ended) = (0, 0);
    for i in 0..300 {
        let text = mixture(&mut dice);
        let mut stored = compressed(&text, &mut dice);
        for _ in 0..1 + dice.below(3) {
            let at = dice.below(stored.len());
            stored[at] ^= 1 << dice.below(8);
        }
        let input = folder.put(&format!("{i}.zst"), &stored);
        let one = run(&with_threads(to_san(Rejects::Apart), 1), std::slice::from_ref(&input));
        let two = run(&with_threads(to_san(Rejects::Apart), 2), std::slice::from_ref(&input));
        match (one, two) {
            (Ok(one), Ok(two)) => {
                one[0].check(one[0].text_bytes as usize, "damaged");
                assert_eq!(one, two);
                read += 1;
            }
            (Err(one), Err(two)) => {
                assert_eq!(one.to_string(), two.to_string());
                ended += 1;
            }
            (one, two) => panic!("{one:?}\n{two:?}"),
        }
    }
    println!("{read} read, {ended} ended the run");
    assert!(ended > 0);
}

/// Every tenth archive through a pipe.
fn check_piped(folder: &Scratch, inputs: &[Input], expected: &[Ledger]) {
    let stored = |input: &Input| match input {
        Input::Path(path) => fs::read(path).unwrap(),
        Input::Stdin => unreachable!("they are files"),
    };
    for (input, expected) in inputs.iter().zip(expected).step_by(10) {
        let stored = stored(input);
        let mut how = to_san(Rejects::Apart);
        how.options.skip_damaged = true;
        let found = run_piped(&how, folder, &stored);
        let (one, other) = (&found.faults, &expected.faults);
        assert!(found == *expected, "{input:?} from a pipe\n{one:#?}\nexpected {other:#?}");
    }
}

/// The same with damage skipped: every run goes through, and what is read balances whatever the stored bytes are.
#[test]
fn skipped_damage_balances_too() {
    let mut dice = Dice::from_env("PGNMILL_LEDGER_SEED", 11);
    let (mut damaged, mut games) = (0, 0);
    for _ in 0..8 {
        let folder = Scratch::new();
        let inputs: Vec<Input> = (0..FILES_A_RUN)
            .map(|i| {
                let text = mixture(&mut dice);
                let mut stored = compressed(&text, &mut dice);
                for _ in 0..1 + dice.below(4) {
                    let at = dice.below(stored.len());
                    match dice.below(6) {
                        0 => drop(stored.drain(at..(at + dice.below(60)).min(stored.len()))),
                        1 => stored.insert(at, dice.roll() as u8),
                        2 => stored.truncate(at.max(4)),
                        3 => stored.copy_within(..at / 2, at - at / 2),
                        _ => stored[at] ^= 1 << dice.below(8),
                    }
                    if stored.is_empty() {
                        break;
                    }
                }
                folder.put(&format!("{i}.zst"), &stored)
            })
            .collect();
        let read = |threads: usize, batch_stored_bytes: usize| {
            let mut how = with_threads(to_san(Rejects::Apart), threads);
            how.options.skip_damaged = true;
            how.options.batch_stored_bytes = batch_stored_bytes;
            run(&how, &inputs).unwrap()
        };
        let expected = read(1, 1);
        for (threads, batch) in [(2, 1), (2, 1_000), (1, 1 << 20)] {
            for (i, (found, expected)) in read(threads, batch).iter().zip(&expected).enumerate() {
                let what = format!("{threads} threads, jobs of {batch}, {:?}", inputs[i]);
                let (one, other) = (&found.faults, &expected.faults);
                assert!(found == expected, "{what}\n{one:#?}\nexpected {other:#?}");
            }
        }
        check_piped(&folder, &inputs, &expected);
        for (i, ledger) in expected.iter().enumerate() {
            ledger.check(ledger.text_bytes as usize, &format!("{:?}", inputs[i]));
            assert_eq!(ledger.rejects.len() as u64, ledger.rejected_bytes, "{:?}", inputs[i]);
            damaged += u64::from(ledger.damaged_bytes > 0);
            games += ledger.counts.games();
        }
    }
    println!("{damaged} of {} files damaged, {games} games found", 8 * FILES_A_RUN);
    assert!(damaged > 4 * FILES_A_RUN as u64, "the damage is worth reading");
}

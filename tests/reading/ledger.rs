//! The ledger balances to the byte on files mutated at random, plain and compressed, with one thread and with two.
//!
//! The files are mixtures of small games whose bytes are flipped, deleted, inserted, cut off, or whose pieces change
//! places. The generator is a fixed sequence: what fails once fails again. `PGNMILL_SEED` begins another one.

#![allow(clippy::print_stdout, reason = "reports what was counted")]

use std::fs;

use crate::common::mutations::{compressed, mixture, mutate};
use crate::common::trials;
use pgnmill_core::engine::Rejects;
use pgnmill_core::pgn::deviation::Profile;
use pgnmill_io::archive::Input;
use pgnmill_laws::dice::Dice;
use pgnmill_laws::scratch::Scratch;
use pgnmill_laws::support::{Ledger, Run, run, run_piped, to_san};

/// How many files are read by one run.
const FILES_A_RUN: usize = 250;

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
    #[cfg(feature = "containers")]
    let coded = {
        let mut at = 0;
        inputs("coded", &mut |text| {
            at += 1;
            crate::common::coded::CODERS[at % 3].1(text)
        })
    };
    #[cfg(not(feature = "containers"))]
    let coded = zstd.clone();
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
    for (threads, inputs) in [(2, &plain), (1, &zstd), (2, &zstd), (2, &coded)] {
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
    let mut dice = Dice::new(1);
    let (mut bytes, mut games, mut rejected) = (0, 0, 0);
    let runs = trials(1, 3, 40);
    for _ in 0..runs {
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
    let files = runs * FILES_A_RUN;
    println!("{files} files, {bytes} bytes, {games} games, {rejected} rejected");
    assert!(rejected * 10 > games && games > files as u64, "the mutations are worth reading");
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
        Input::Stdin | Input::Named(_) => unreachable!("they are files"),
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
    let mut dice = Dice::new(11);
    let (mut damaged, mut games) = (0, 0);
    let runs = trials(1, 2, 8);
    for _ in 0..runs {
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
    let files = runs * FILES_A_RUN;
    println!("{damaged} of {files} files damaged, {games} games found");
    assert!(damaged > files as u64 / 2, "the damage is worth reading");
}

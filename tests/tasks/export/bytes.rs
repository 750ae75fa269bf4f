//! Whatever the bytes are, the export of all columns ends, its ledger balances, and its rows do not depend on threads
//! and containers.

use pgnmill_columns::Table;
use pgnmill_core::engine::Rejects;
use pgnmill_io::archive::Input;
use pgnmill_laws::rows;
use pgnmill_laws::support::{Ledger, Run, Task, run, run_of};

use super::formats::RICH;
use crate::common::mutations::{compressed, mixture, mutate};
use crate::common::{Dice, Scratch, trials};

fn export(table: Table, threads: usize) -> Run {
    let mut how = run_of(Task::Export(rows::everything(table)), Rejects::Dropped);
    how.options.batch_stored_bytes = 1;
    how.threads = threads;
    how
}

/// A few games in which commands, tag values and NAGs are mutated too.
fn annotated(dice: &mut Dice) -> Vec<u8> {
    let starts: Vec<usize> = RICH.match_indices("[Event").map(|(at, _)| at).collect();
    let start = dice.below(starts.len());
    let end = start + dice.below(starts.len() - start);
    [&RICH.as_bytes()[starts[start]..starts[end]], &mixture(dice)].concat()
}

#[test]
fn mutated_archives_have_the_same_rows_in_all_containers() {
    let mut dice = Dice::new(16);
    let (mut games, mut rejected, mut unreadable) = (0, 0, 0);
    // A hundred files at a time.
    let rounds = trials(1, 2, 10);
    for _ in 0..rounds {
        let folder = Scratch::new();
        let files: Vec<Vec<u8>> = (0..100)
            .map(|_| {
                let mut text = annotated(&mut dice);
                mutate(&mut text, &mut dice);
                text
            })
            .collect();
        let put = |kind: &str, stored: &mut dyn FnMut(&[u8]) -> Vec<u8>| -> Vec<Input> {
            let file =
                |(i, text): (usize, &Vec<u8>)| folder.put(&format!("{i}.{kind}"), &stored(text));
            files.iter().enumerate().map(file).collect()
        };
        let plain = put("pgn", &mut |text| text.to_vec());
        let frames = put("zst", &mut |text| compressed(text, &mut dice));
        for table in [Table::Games, Table::Plies] {
            let expected = run(&export(table, 1), &plain).unwrap();
            for (threads, inputs) in [(2, &plain), (2, &frames)] {
                let found = run(&export(table, threads), inputs).unwrap();
                for (i, (found, expected)) in found.iter().zip(&expected).enumerate() {
                    let what = files[i].escape_ascii();
                    assert!(found == expected, "{threads} threads, {:?}\n{what}", inputs[i]);
                }
            }
            for (text, ledger) in files.iter().zip(&expected) {
                check(text, ledger, table);
                games += ledger.counts.games();
                rejected += ledger.counts.rejected;
                let is_value = |fault: &&pgnmill_laws::support::Fault| {
                    fault.kind.ends_with("-unreadable") && fault.detail.contains(" is ")
                };
                unreadable += ledger.faults.iter().filter(is_value).count();
            }
        }
    }
    println!("{games} games, {rejected} rejected, {unreadable} values unreadable");
    assert!(games > 300 * rounds as u64 && rejected * 10 > games && unreadable > 20 * rounds);
}

/// Every row is JSON with all columns, and its key is the offset of a game.
fn check(text: &[u8], ledger: &Ledger, table: Table) {
    assert_eq!(ledger.text_bytes, text.len() as u64);
    let columns = rows::everything(table).columns.len();
    let mut last = (-1, 0);
    for line in std::str::from_utf8(&ledger.out).unwrap().lines() {
        let row: serde_json::Map<String, serde_json::Value> = serde_json::from_str(line).unwrap();
        assert_eq!(row.len(), columns);
        let number = |name: &str| row[name].as_i64().unwrap();
        let place = (number("byte_offset"), number("game"));
        assert!(place.0 < text.len() as i64 && place.1 as u64 <= ledger.counts.games());
        let is_next = match table {
            Table::Games => place.0 > last.0 && place.1 > last.1,
            Table::Plies => place == last || place.0 > last.0 && place.1 > last.1,
        };
        assert!(is_next, "{place:?} after {last:?} in {}", text.escape_ascii());
        last = place;
    }
}

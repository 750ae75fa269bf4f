//! Over archives of others: the games that are found are those that an independent reader finds, file by file.
//!
//! `tests/reading/corpora.tsv` holds, for files below `../shared/corpora`, our count, both counts of python-chess
//! (`scripts/count-games.py`) and, where they differ, why. Every file, also one that the table does not name, is held
//! to the laws: its ledger balances, its games are those of a slow reading that is written here (`corpora/slow.rs`),
//! and there and back in another notation gives what conversion to SAN gives. `tests/reading/kokopu.tsv` holds what
//! kokopu's own tests report of each game of its fixtures, and what pgnmill reports. `docs/development/corpora.md` explains both.

#![allow(clippy::print_stdout, reason = "reports what was not compared")]

pub(crate) mod slow;

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::common::here;
use pgnmill_core::engine::Rejects;
use pgnmill_core::notation;
use pgnmill_core::pgn::deviation::Deviation;
use pgnmill_io::archive::{Input, Options};
use pgnmill_laws::scratch::Scratch;
use pgnmill_laws::support::{Ledger, Run, Task, run, run_of, to_san};
use pgnmill_needs::needs;

const TABLE: &str = include_str!("corpora.tsv");
const KOKOPU: &str = include_str!("kokopu.tsv");
/// Longer texts of files that the table names are not read slowly, nor there and back: other tests do that.
const SLOW_TEXT_BYTES_MAX: u64 = 2 << 20;

fn root() -> PathBuf {
    here("../shared/corpora")
}

/// Every archive below the folder, by its path there.
fn archives(root: &Path) -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    let mut pending = vec![root.to_path_buf()];
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let ending = path.extension().unwrap_or_default();
            if path.is_dir() {
                pending.push(path);
            } else if ending == "pgn" || ending == "zst" {
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                found.insert(name, path);
            }
        }
    }
    found
}

fn whole(mut how: Run) -> Run {
    how.options = Options::default();
    how.threads = 2;
    how
}

fn read(path: &Path) -> Ledger {
    let how = whole(run_of(Task::Validate, Rejects::Dropped));
    run(&how, &[Input::Path(path.to_path_buf())]).unwrap().remove(0)
}

/// The text of an archive, unpacked by the reference decoder.
fn text_of(path: &Path) -> Vec<u8> {
    let stored = fs::read(path).unwrap();
    if path.extension().is_none_or(|ending| ending != "zst") {
        return stored;
    }
    let mut decoder = zstd::stream::Decoder::new(&stored[..]).unwrap();
    decoder.window_log_max(31).unwrap();
    let mut text = Vec::new();
    decoder.read_to_end(&mut text).unwrap();
    text
}

/// Written in another notation and then in SAN, an archive is what it is when it is written in SAN at once, with the
/// same verdicts; rejected games stay in their places.
fn round_trip(path: &Path) -> Result<(), String> {
    let folder = Scratch::new();
    let once = |how: Run, input: Input| run(&whole(how), &[input]).unwrap().remove(0);
    let archive = || Input::Path(path.to_path_buf());
    let san = once(to_san(Rejects::Kept), archive());
    let to = notation::find("economical-priority").unwrap();
    let there = run_of(Task::convert(to), Rejects::Kept);
    let there = once(there, archive());
    let back = once(to_san(Rejects::Kept), folder.put("there.pgn", &there.out));
    let (before, after) = (san.counts.games(), back.counts.games());
    if before != after || san.counts.rejected != back.counts.rejected {
        return Err(format!("{before} games become {after}"));
    }
    // A suffix attached to a move is separated where the move could not be read otherwise; nothing else changes.
    let stuck = [Deviation::ResultStuck, Deviation::MoveNumberStuck];
    let is_stuck = stuck.iter().any(|&odd| san.counts.deviations[odd as usize] > 0);
    let words = |text: &[u8]| -> Vec<u8> {
        text.iter().copied().filter(|&byte| !is_stuck || byte > b' ').collect()
    };
    match words(&san.out) == words(&back.out) {
        true => Ok(()),
        false => Err("there and back is another text".to_string()),
    }
}

/// A row of the table.
struct Row<'t> {
    games: u64,
    reason: &'t str,
}

fn rows(table: &str) -> BTreeMap<&str, Row<'_>> {
    let mut rows = BTreeMap::new();
    for line in table.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [path, games, reader, without_blank_lines, reason] = fields[..] else {
            panic!("five fields: {line}")
        };
        assert!(games == reader || !reason.is_empty(), "{path}: a difference has a reason");
        assert!(reason != "blank lines" || games == without_blank_lines, "{path}: not the reason");
        rows.insert(path, Row { games: games.parse().unwrap(), reason });
    }
    rows
}

/// Holds every archive below the folder to its row, if it has one, and to the laws. Returns how many files and games.
fn hold(root: &Path, table: &str) -> (usize, u64) {
    let mut rows = rows(table);
    let mut breaches = Vec::new();
    let (mut files, mut games) = (0, 0);
    for (name, path) in archives(root) {
        let ledger = read(&path);
        ledger.check(ledger.text_bytes as usize, &name);
        let found = ledger.counts.games();
        let row = rows.remove(name.as_str());
        if let Some(Row { games, .. }) = row
            && games != found
        {
            breaches.push(format!("{name}: {found} games, in the table {games}"));
        }
        if row.is_none() || ledger.text_bytes <= SLOW_TEXT_BYTES_MAX {
            let text = text_of(&path);
            assert_eq!(ledger.text_bytes, text.len() as u64, "{name}");
            let slowly = slow::games(&text);
            // The slow reading closes comments at the end of a game, and finds no result attached to a word.
            let differs = ["", "blank lines"]
                .iter()
                .all(|known| row.as_ref().is_some_and(|row| row.reason != *known));
            if slowly != found && !differs {
                breaches.push(format!("{name}: {found} games, slowly {slowly}"));
            }
            if let Err(why) = round_trip(&path) {
                breaches.push(format!("{name}: {why}"));
            }
        }
        files += 1;
        games += found;
    }
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
    if !rows.is_empty() {
        let count = rows.len();
        println!("{count} files of tests/reading/corpora.tsv are not in the folder");
    }
    (files, games)
}

#[needs("../shared/corpora")]
#[test]
fn games_found_are_those_an_independent_reader_finds() {
    let root = root();
    let (files, _) = hold(&root, TABLE);
    assert!(files > 0);
}

/// The laws need no table: they are tested without one too, and a row with a wrong count is found.
#[test]
fn files_that_the_table_does_not_name_are_held_to_the_laws() {
    let data = here("data");
    let (files, games) = hold(&data, "path\n");
    assert!(files >= 2 && games > 3, "{files} files, {games} games");
    let folder = Scratch::new();
    let Input::Path(path) = folder.put("one.pgn", b"[Event \"x\"]\n\n1. e4 *\n") else { return };
    let wrong = "path\t\t\t\t\none.pgn\t2\t2\t2\t\n";
    let root = path.parent().unwrap().to_path_buf();
    assert!(std::panic::catch_unwind(|| hold(&root, wrong)).is_err());
}

/// `N.txt` is kokopu's dump of game N, `N.err` its error.
#[needs("../shared/corpora")]
#[test]
fn verdicts_are_those_of_kokopu_or_differ_for_a_reason() {
    let root = root();
    let root = root.join("pathological/kokopu/test/resources/pgns");
    let mut ledgers: BTreeMap<&str, Ledger> = BTreeMap::new();
    let (mut agreed, mut differ) = (0, 0);
    for line in KOKOPU.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [folder, game, kokopu, ours, reason] = fields[..] else {
            panic!("five fields: {line}")
        };
        let ending = if kokopu == "game" { "txt" } else { "err" };
        assert!(root.join(folder).join(format!("{game}.{ending}")).is_file(), "{line}");
        let ledger =
            ledgers.entry(folder).or_insert_with(|| read(&root.join(folder).join("database.pgn")));
        // A tag pair after movetext makes two games of kokopu's one: from there on ours are one ahead.
        let ahead = u64::from(folder == "syntactic-error-1" && game.parse::<u64>().unwrap() > 15);
        let number = game.parse::<u64>().unwrap() + 1 + ahead;
        let fault = ledger.faults.iter().find(|fault| fault.game == number);
        let found = match fault {
            Some(fault) => format!("rejected {}", fault.kind),
            None if number > ledger.counts.games() => "none".to_string(),
            None => "proved".to_string(),
        };
        assert_eq!(found, ours, "{folder} {game}");
        let agree = (kokopu == "game") == (found == "proved");
        assert!(agree || !reason.is_empty(), "{folder} {game}: a difference has a reason");
        agreed += u32::from(agree);
        differ += u32::from(!agree);
    }
    assert!(agreed > differ, "{agreed} games agreed on, {differ} not");
}

/// In pgn-extract's input files only whitespace and comments are between games.
#[needs("../shared/corpora")]
#[test]
fn no_game_of_pgn_extract_is_lost() {
    let root = root();
    let mut files = 0;
    for (name, path) in archives(&root.join("pathological/pgn-extract/test/infiles")) {
        let ledger = read(&path);
        let between = pgnmill_core::pgn::deviation::Deviation::BytesBetweenGames;
        assert_eq!(ledger.counts.deviations[between as usize], 0, "{name}");
        assert!(ledger.counts.games() > 0 || ledger.text_bytes == 0, "{name}");
        files += 1;
    }
    assert!(files > 30);
}

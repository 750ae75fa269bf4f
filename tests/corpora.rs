//! Over archives of others: the games that are found are those that an independent reader finds, file by file.
//!
//! `tests/corpora.tsv` holds, for every file below `../shared/corpora`, our count, both counts of python-chess
//! (`scripts/count-games.py`) and, where they differ, why. `tests/kokopu.tsv` holds what kokopu's own tests say of each
//! game of its fixtures, and what pgnmill says. `docs/corpora.md` explains both.

#![allow(clippy::print_stdout, reason = "a skipped test says so")]

mod support;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use pgnmill::archive::{Input, Options};
use pgnmill::pipeline::{Rejects, Run, Task};
use support::{Ledger, run, run_of};

const TABLE: &str = include_str!("corpora.tsv");
const KOKOPU: &str = include_str!("kokopu.tsv");

fn corpora() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpora");
    if path.is_dir() {
        return Some(path);
    }
    println!("skipped: ../shared/corpora is absent");
    None
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

fn validate() -> Run {
    let mut how = run_of(Task::Validate, Rejects::Dropped);
    how.options = Options::default();
    how.threads = 2;
    how
}

fn read(path: &Path) -> Ledger {
    run(&validate(), &[Input::Path(path.to_path_buf())]).unwrap().remove(0)
}

#[test]
fn games_found_are_those_an_independent_reader_finds() {
    let Some(root) = corpora() else { return };
    let mut rows: BTreeMap<&str, u64> = BTreeMap::new();
    for line in TABLE.lines().skip(1) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [path, games, reader, without_blank_lines, reason] = fields[..] else {
            panic!("five fields: {line}")
        };
        assert!(games == reader || !reason.is_empty(), "{path}: a difference has a reason");
        assert!(reason != "blank lines" || games == without_blank_lines, "{path}: not the reason");
        rows.insert(path, games.parse().unwrap());
    }
    let mut breaches = Vec::new();
    let (mut files, mut games) = (0, 0);
    for (name, path) in archives(&root) {
        let ledger = read(&path);
        ledger.check(ledger.text_bytes as usize, &name);
        if !name.ends_with(".zst") {
            assert_eq!(ledger.text_bytes, fs::metadata(&path).unwrap().len(), "{name}");
        }
        let found = ledger.counts.games();
        match rows.remove(name.as_str()) {
            Some(row) if row == found => {}
            row => breaches.push(format!("{name}\t{found}\tin the table {row:?}")),
        }
        files += 1;
        games += found;
    }
    println!("{files} files, {games} games");
    assert!(breaches.is_empty(), "\n{}", breaches.join("\n"));
    assert!(rows.is_empty(), "in the table and not in the folder: {rows:?}");
}

/// `N.txt` is kokopu's dump of game N, `N.err` its error.
#[test]
fn kokopu_and_we_say_the_same_of_its_games_or_why_not() {
    let Some(root) = corpora() else { return };
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
    println!("{agreed} games agreed on, {differ} not");
}

/// No byte of pgn-extract's input files that says anything lies outside a game.
#[test]
fn no_game_of_pgn_extract_is_lost() {
    let Some(root) = corpora() else { return };
    let mut files = 0;
    for (name, path) in archives(&root.join("pathological/pgn-extract/test/infiles")) {
        let ledger = read(&path);
        let between = pgnmill::fault::Deviation::BytesBetweenGames;
        assert_eq!(ledger.counts.deviations[between as usize], 0, "{name}");
        assert!(ledger.counts.games() > 0 || ledger.text_bytes == 0, "{name}");
        files += 1;
    }
    println!("{files} files");
    assert!(files > 30);
}

//! Memory does not grow with the archive: what is kept is bounded by the groups and the jobs in flight.
//!
//! In: a long archive that is made while it is read, through a pipe. Out: the peak of the resident memory, as Linux
//! counts it (`VmHWM`), from the last reading before the program ends.

#![cfg(all(feature = "export", unix))]
#![allow(clippy::print_stdout, reason = "reports what was counted")]

use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use pgnmill_needs::needs;

use crate::common::{SAMPLE, Scratch, here, pgnmill, text_of, thinned, trials};

/// The peak memory of a command that reads a text repeatedly, in MiB: when half of it was taken, and at the end.
fn peaks(args: &str, text: &[u8], times: usize) -> (u64, u64) {
    let scratch = Scratch::new();
    let mut child = pgnmill()
        .args(args.split(' '))
        .args(["-q", "-"])
        .current_dir(scratch.path())
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let (mut half, mut peak) = (0, 0);
    let written = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        let written = &written;
        scope.spawn(move || {
            for _ in 0..times {
                pipe.write_all(text).unwrap();
                written.fetch_add(1, Ordering::Relaxed);
            }
        });
        while child.try_wait().unwrap().is_none() {
            let status = fs::read_to_string(&status).unwrap_or_default();
            let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
            let kibibytes =
                line.and_then(|line| line.trim().split(' ').next()?.parse::<u64>().ok());
            peak = kibibytes.map_or(peak, |kibibytes| kibibytes >> 10);
            if written.load(Ordering::Relaxed) <= times / 2 {
                half = peak;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
    });
    let code = child.wait().unwrap().code();
    assert!(code.is_some_and(|code| code < 2), "{args}: {code:?}");
    (half, peak)
}

/// Commands, how often 10 MB are read, how many MiB the second half may add, and how many there may be, whatever the length of
/// the archive. As many groups of an export as are encoded at once have come to be after 100 MB, and the order in which
/// threads run adds something; a measurement keeps sums.
const RUNS: [(&str, usize, u64, u64); 5] = [
    ("export -o t.parquet --threads 2", 20, 80, 250),
    ("export -o t.csv --threads 2 --columns all", 20, 100, 400),
    ("export -o t.parquet --threads 2 --table plies --columns san,fen,clock_ms", 20, 60, 500),
    ("measure -o t --threads 2 --by all", 30, 2, 60),
    ("measure -o t --threads 2 --notations main --entropy", 15, 2, 60),
];

/// Twice as much text takes no more memory.
#[needs("/proc/self/status")]
#[test]
fn memory_does_not_grow_with_the_archive() {
    let text = text_of(&here(SAMPLE));
    let text = &text[..10_000_000.min(text.len())];
    // As short at first: the export of games alone is long enough for its groups.
    for (args, times, more, limit) in RUNS.into_iter().step_by(trials(8, 2, 1)) {
        let (short, long) = peaks(args, text, times);
        println!("{args}: {short} MiB of half of the text, {long} MiB of all");
        assert!(long <= short + more, "{args}: {short} MiB, then {long} MiB");
        assert!(long <= limit, "{args}: {long} MiB");
    }
}

/// The longest game that is read: its text, its rows, its groups.
#[needs("/proc/self/status")]
#[test]
fn the_longest_game_takes_bounded_memory() {
    let unit = "Nf3 {[%clk 0:00:01]} Nf6 Ng1 Ng8 ";
    // At the short depth a quarter, of which there may be a quarter.
    let (part, limit) = trials((4, 300), (1, 1_200), (1, 1_200));
    let dance = format!("[Event \"x\"]\n\n{}*\n\n", unit.repeat(15_000_000 / part / unit.len()));
    let comments =
        format!("[Event \"x\"]\n\n1. e4 {}*\n\n", "{[%clk x]} ".repeat(1_300_000 / part));
    let others = "[Event \"y\"]\n\n1. e4 e5 *\n\n".repeat(1_000);
    let [games, plies] = ["--columns all", "--table plies --columns all"];
    for (name, game, tables) in
        [("plies", &dance, [plies, games]), ("comments", &comments, [games, plies])]
    {
        let text = format!("{game}{others}");
        for args in thinned(2, tables) {
            let args = format!("export -o t.parquet --threads 2 {args}");
            let (_, found) = peaks(&args, text.as_bytes(), trials(1, 1, 2));
            println!("{args}, a game of {} MB, {name}: {found} MiB", game.len() / 1_000_000);
            assert!(found <= limit, "{args}, {name}: {found} MiB");
        }
    }
}

//! Batches that are not taken: the run that makes them ends with them, and begins only with as many threads as are
//! allowed.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use pgnmill::columns::{Batches, Export, Table};
use pgnmill::task::Settings;
use pgnmill::{Input, NamedSource, Selection};

/// A source of games without end, which counts what was read.
struct Endless(Arc<AtomicU64>);

impl Read for Endless {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        let text = b"[White \"a\"]\n\n1. e4 e5 *\n\n".repeat(1 + bytes.len() / 20);
        bytes.copy_from_slice(&text[..bytes.len()]);
        self.0.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        Ok(bytes.len())
    }
}

fn export() -> Export {
    let columns = Table::Games.select(&["White".to_string()], &[]).expect("known");
    Export {
        table: Table::Games,
        columns,
        partition_by: Vec::new(),
        plies: Default::default(),
        one_line: false,
        csv_safe: false,
        lines: Default::default(),
    }
}

/// When batches are dropped no more is read, whether games become rows or none does.
#[test]
fn a_run_ends_with_its_batches() {
    for expression in ["White == \"a\"", "White == \"b\""] {
        let read = Arc::new(AtomicU64::new(0));
        let selection = Some(Arc::new(Selection::parse(expression).expect("an expression")));
        let settings = Settings { selection, threads: 2, ..Settings::default() };
        let source = NamedSource::reader("endless", Endless(Arc::clone(&read)));
        let batches = Batches::start(export(), settings, vec![Input::Named(source)], false);
        let begun = Instant::now();
        while read.load(Ordering::Relaxed) == 0 && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(5));
        }
        drop(batches.expect("a run"));
        // What waited in `read` returns first.
        std::thread::sleep(Duration::from_millis(100));
        let before = read.load(Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(100));
        assert!(before > 0 && read.load(Ordering::Relaxed) == before, "{expression}");
    }
}

/// More threads than are allowed are refused, with their number.
#[test]
fn too_many_threads_are_refused() {
    for threads in [1_025, 2_000] {
        let settings = Settings { threads, ..Settings::default() };
        let error = Batches::start(export(), settings, Vec::new(), false).expect_err("too many");
        assert!(error.to_string().contains(&threads.to_string()), "{error}");
    }
}

//! From token to encoded text nothing is allocated, once memory has grown.
//!
//! One test, so that nothing else runs in the process while allocations are counted.

#![allow(unsafe_code, reason = "an allocator that counts is an unsafe trait")]

#[path = "../common/mod.rs"]
mod common;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use common::{SAMPLE, SOURCES, Scratch, here, text_of};
use pgnmill_core::engine::{Base, Facts, Rejects, Settings};
use pgnmill_core::notation::{MoveText, NOTATIONS, Notation, Ply, find};
use pgnmill_core::pgn::deviation::Profile;
use pgnmill_core::replay::{Game, History, ReplayVisitor, Replayer, TagSection};
use pgnmill_core::tasks::measure::tally::{Dimensions, GameLengths};
use pgnmill_io::archive::games::Games;
use pgnmill_io::archive::{Input, Options};
use pgnmill_laws::support::{AnyConsumer, AnyPart, Convert, Measure, Run, Task, run_alone};
use pgnmill_simd::Level;

/// The system's allocator, counting.
struct Counting;

/// Allocations of all threads.
static ALL: AtomicU64 = AtomicU64::new(0);

thread_local! {
    /// Allocations of this thread.
    static MINE: Cell<u64> = const { Cell::new(0) };
}

fn count() {
    ALL.fetch_add(1, Ordering::Relaxed);
    // The counter of a thread that ends no longer exists.
    let _ = MINE.try_with(|mine| mine.set(mine.get() + 1));
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `alloc`, which is the system's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the memory came from the system's allocator.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the memory came from the system's allocator.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// How many allocations this thread makes in a piece of work.
fn allocations<T>(work: impl FnOnce() -> T) -> (u64, T) {
    let before = MINE.get();
    let done = work();
    (MINE.get() - before, done)
}

/// Writes every ply in some notations, or only visits it.
struct Writer<'n> {
    notations: &'n [&'static dyn Notation],
    lengths: Option<GameLengths>,
    bytes: u64,
    games: u64,
}

impl Writer<'_> {
    fn new<'n>(notations: &'n [&'static dyn Notation]) -> Writer<'n> {
        Writer { notations, lengths: None, bytes: 0, games: 0 }
    }
}

impl ReplayVisitor for Writer<'_> {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {
        if let Some(lengths) = &mut self.lengths {
            lengths.clear();
        }
    }

    fn ply(&mut self, _: &[u8], _: Range<usize>, ply: &Ply<'_>, _: usize) {
        for notation in self.notations {
            let mut text = MoveText::default();
            notation.encode_ply(ply, &mut text);
            self.bytes += text.bytes_count() as u64;
        }
        if let Some(lengths) = &mut self.lengths {
            lengths.observe(ply);
        }
    }

    fn end(&mut self, _: &[u8], _: &Game<'_>) {
        self.games += 1;
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

/// Replays a text twice with one replayer and counts what the second time allocates.
fn second_time(text: &[u8], from: Option<&'static dyn Notation>, writer: &mut Writer<'_>) -> u64 {
    let profile = Profile::lenient();
    let mut replayer = Replayer::new(&profile, from, History::Optional);
    let mut all = |writer: &mut Writer<'_>| {
        for (_, game) in Games::new(text) {
            replayer.replay(game, writer);
        }
    };
    all(writer);
    let (counted, ()) = allocations(|| all(writer));
    assert_eq!(replayer.counts.rejected, 0);
    counted
}

/// Counts games; keeps the new text if `keep` is set.
#[derive(Default)]
struct Nothing {
    out: Vec<u8>,
    keep: bool,
    games: u64,
}

impl AnyConsumer for Nothing {
    fn result(&mut self, _: Base, facts: &mut Facts, part: &mut dyn AnyPart) {
        self.games += facts.counted.counts.games();
        if let Some(rewritten) = part.rewritten().filter(|_| self.keep) {
            self.out.extend_from_slice(&rewritten.text);
        }
    }
}

/// Runs a task over a file, in one job, on one worker.
fn run(task: Task, path: &std::path::Path, keep: bool) -> Nothing {
    let settings = Settings {
        rejects: Rejects::Apart,
        faults: false,
        faults_max: u64::MAX,
        notes: false,
        profile: Profile::lenient(),
        from: None,
        rules: pgnmill_core::chess::rules::RulesKind::Chess,
        options: Options { range_bytes: 64 << 20, ..Options::default() },
        threads: 1,
        level: Level::best(),
        selection: None,
    };
    let mut consumer = Nothing { keep, ..Nothing::default() };
    let inputs = [Input::Path(path.to_path_buf())];
    run_alone(&Run { task, settings }, &inputs, &mut consumer).unwrap();
    consumer
}

/// What a task allocates over a file, by all threads.
fn of_task(task: Task, path: &std::path::Path) -> (u64, u64) {
    let before = ALL.load(Ordering::Relaxed);
    let games = run(task, path, false).games;
    (ALL.load(Ordering::Relaxed) - before, games)
}

#[test]
fn nothing_is_allocated_from_token_to_encoded_text() {
    let mut text = text_of(&here(SOURCES));
    text.extend_from_slice(&text_of(&here(SAMPLE))[..300 << 10]);
    text.truncate(Games::new(&text).last().unwrap().0);
    text.extend_from_slice(
        b"[Event \"?\"]\n\n1. e4 (1. d4 d5 (1... Nf6 2. c4) 2. c4) e5 2. Nf3 *\n",
    );

    // The counter counts.
    assert_eq!(allocations(|| Vec::<u8>::with_capacity(9)).0, 1);
    // Validation alone, every notation alone, all of them together, and their lengths.
    assert_eq!(second_time(&text, None, &mut Writer::new(&[])), 0, "to validate");
    for notation in NOTATIONS {
        let mut writer = Writer::new(std::slice::from_ref(notation));
        assert_eq!(second_time(&text, None, &mut writer), 0, "to write {}", notation.info().name);
        assert!(writer.games > 200 && writer.bytes > 20_000, "{} games", writer.games);
    }
    let mut measurer = Writer::new(NOTATIONS);
    measurer.lengths = Some(GameLengths::default());
    assert_eq!(second_time(&text, None, &mut measurer), 0, "to measure");

    // The tasks, whole: what they allocate does not grow with the number of games. Eight times the text lets every
    // buffer double three times more.
    let scratch = Scratch::new();
    let (one, eight) = (scratch.write("1.pgn", &text), scratch.write("8.pgn", &text.repeat(8)));
    let san = find("san").unwrap();
    let mut tasks = vec![
        Task::Validate,
        Task::Measure(Measure::default()),
        Task::Measure(Measure { keys: Dimensions::ALL, ..Measure::default() }),
    ];
    tasks.extend(NOTATIONS.iter().map(|&to| Task::convert(to)));
    for task in tasks {
        let ((few, games), (many, more)) =
            (of_task(task.clone(), &one), of_task(task.clone(), &eight));
        assert_eq!(8 * games, more, "{task:?}");
        assert!(many < few + 64, "{task:?}: {few} for {games} games, {many} for {more}");
        let Task::Convert(Convert { to, .. }) = task else { continue };
        // Reading it back.
        let written = scratch.write("written.pgn", &run(task, &one, true).out);
        let back = run(Task::convert(san), &written, true).out;
        assert!(back == text, "{} and back", to.info().name);
        let read = text_of(&written);
        let counted = second_time(&read, None, &mut Writer::new(&[]));
        assert_eq!(counted, 0, "to read {}", to.info().name);
    }
}

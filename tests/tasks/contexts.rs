//! What a worker keeps from block to block does not grow with the number of blocks, and neither a panic of a task
//! nor an error of the consumer is lost.
//!
//! A run over a thousand blocks of few games each: after each block the buffers of the task hold no more than a few games. A
//! task that panics at one of the blocks, on whichever worker, ends the run with its own message.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pgnmill_core::engine::Pool;
use pgnmill_core::engine::{Base, Settings, Start};
use pgnmill_core::engine::{BlockGames, Consumer, JobResult, Task, run};
use pgnmill_core::notation::{Notation, UCI};
use pgnmill_core::replay::History;
use pgnmill_core::tasks::Validate;
use pgnmill_core::tasks::convert::{Convert, Rewritten};
use pgnmill_core::tasks::edits::Edits;
use pgnmill_io::archive::{Archive, Input, Options};
use pgnmill_io::error::{Error, Result};

use crate::common::Scratch;

/// A conversion with edits that measures its context after each block, and panics at the block of an index if there is one.
#[derive(Debug)]
struct Watched {
    task: Convert,
    panics_at: Option<usize>,
    blocks: AtomicUsize,
    bytes_max: AtomicUsize,
}

impl Watched {
    fn new(panics_at: Option<usize>) -> Watched {
        let edits = Edits { remove: vec!["Site".to_string()], ..Edits::default() };
        Watched {
            task: Convert { edits, ..Convert::to(UCI) },
            panics_at,
            blocks: AtomicUsize::new(0),
            bytes_max: AtomicUsize::new(0),
        }
    }
}

impl Task for Watched {
    type Context = <Convert as Task>::Context;
    type Part = Rewritten;

    fn history(&self) -> History {
        self.task.history()
    }

    fn target(&self) -> Option<&'static dyn Notation> {
        self.task.target()
    }

    fn visit(&self, games: BlockGames<'_, '_>, context: &mut Self::Context, part: &mut Rewritten) {
        self.task.visit(games, context, part);
        let index = self.blocks.fetch_add(1, Ordering::Relaxed);
        assert!(self.panics_at != Some(index), "the task's own message");
        self.bytes_max.fetch_max(context.0.text.len(), Ordering::Relaxed);
    }
}

/// Counts games.
struct Games(u64);

impl Consumer<Rewritten> for Games {
    fn begin(&mut self, _: &Archive) -> Result<()> {
        Ok(())
    }

    fn result(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Rewritten>,
        _: &Pool,
    ) -> Result<()> {
        assert_eq!(base.games, self.0);
        self.0 += result.facts.counted.counts.games();
        Ok(())
    }
}

const GAME: &str = "[Event \"e\"]\n[Site \"s\"]\n\n1. e4 e5 2. Nf3 {text of a comment} Nc6 1-0\n\n";

/// Runs over 4,000 games in blocks of a few; returns how many games were counted.
fn run_in_small_blocks(task: &Watched, threads: usize) -> Result<u64> {
    let scratch = Scratch::new();
    scratch.write("a.pgn", GAME.repeat(4_000).as_bytes());
    let options = Options { block_bytes: 400, range_bytes: 1_000, ..Options::default() };
    let settings = Settings { threads, options, ..Settings::default() };
    let inputs = [Input::Path(scratch.join("a.pgn"))];
    let mut games = Games(0);
    run(task, &settings, &inputs, &mut games, &AtomicBool::new(false))?;
    Ok(games.0)
}

#[test]
fn the_buffers_of_an_edited_conversion_are_emptied() {
    let task = Watched::new(None);
    assert_eq!(run_in_small_blocks(&task, 2).unwrap(), 4_000);
    let (blocks, bytes) = (task.blocks.into_inner(), task.bytes_max.into_inner());
    assert!(blocks > 500, "only {blocks} blocks");
    assert!(0 < bytes && bytes < 20 * GAME.len(), "{bytes} bytes are kept after a block");
}

#[test]
fn a_panic_of_the_task_is_raised_again_with_its_own_message() {
    for threads in [1, 2, 7] {
        for index in [0, 3, 300] {
            let task = Watched::new(Some(index));
            let panic = catch_unwind(AssertUnwindSafe(|| run_in_small_blocks(&task, threads)))
                .expect_err("a panic");
            assert_eq!(panic.downcast_ref::<&str>(), Some(&"the task's own message"));
        }
    }
}

/// A consumer that fails at one of its methods, with an error that an input could have as well.
#[derive(Debug)]
struct Failing {
    at: &'static str,
    /// Inputs that were given up.
    left_count: usize,
}

impl Failing {
    fn at(&self, method: &str) -> Result<()> {
        let full = || std::io::Error::from(std::io::ErrorKind::StorageFull);
        if self.at == method { Err(Error::io("write", "out", full())) } else { Ok(()) }
    }
}

impl<P> Consumer<P> for Failing {
    fn begin(&mut self, _: &Archive) -> Result<()> {
        self.at("begin")
    }

    fn result(&mut self, _: &str, _: Base, _: &mut JobResult<P>, _: &Pool) -> Result<()> {
        self.at("result")
    }

    fn failed(&mut self, _: &Input, _: Error, _: &Pool) -> Result<()> {
        self.left_count += 1;
        Ok(())
    }

    fn is_checkpoint_due(&mut self) -> bool {
        true
    }

    fn checkpoint(&mut self, start: Start, _: &Pool) -> Result<()> {
        self.at(if start.reader.is_some() { "checkpoint" } else { "checkpoint between archives" })
    }

    fn end(&mut self, _: &str, _: &Pool) -> Result<()> {
        self.at("end")
    }

    fn close(&mut self, _: &Pool) -> Result<()> {
        self.at("close")
    }
}

/// An error of the consumer ends the run, whichever method returns it: it is not taken for one of the input, after which
/// the next one is read.
#[test]
fn an_error_of_the_consumer_is_none_of_the_input() {
    let scratch = Scratch::new();
    let names = ["a.pgn", "b.pgn"];
    for name in names {
        scratch.write(name, GAME.repeat(200).as_bytes());
    }
    let inputs = names.map(|name| Input::Path(scratch.join(name)));
    let options = Options { block_bytes: 400, range_bytes: 1_000, ..Options::default() };
    let methods =
        ["begin", "result", "checkpoint", "end", "checkpoint between archives", "close", ""];
    for (at, threads) in methods.into_iter().flat_map(|at| [1, 3].map(|threads| (at, threads))) {
        let settings = Settings { threads, options: options.clone(), ..Settings::default() };
        let mut consumer = Failing { at, left_count: 0 };
        let ran = run(&Validate, &settings, &inputs, &mut consumer, &AtomicBool::new(false));
        assert_eq!((ran.is_err(), consumer.left_count), (!at.is_empty(), 0), "{at}");
    }
}

//! What a worker keeps from block to block does not grow with the number of blocks.
//!
//! A run over a thousand blocks of one game each: after each block the buffers of the task hold no more than a few games.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use pgnmill_core::engine::{Base, Settings};
use pgnmill_core::engine::{BlockGames, Consumer, JobResult, Task, run};
use pgnmill_core::notation::{Notation, UCI};
use pgnmill_core::replay::History;
use pgnmill_core::tasks::Convert;
use pgnmill_core::tasks::convert::{EditedConvert, Rewritten};
use pgnmill_core::tasks::edits::Edits;
use pgnmill_io::archive::{Archive, Input, Options};
use pgnmill_io::error::Result;
use rayon::ThreadPool;

use crate::common::Scratch;

/// A conversion with edits that measures its context after each block.
#[derive(Debug)]
struct Watched {
    task: EditedConvert,
    blocks: AtomicUsize,
    bytes_max: AtomicUsize,
}

impl Task for Watched {
    type Context = Rewritten;
    type Part = Rewritten;

    fn history(&self) -> History {
        self.task.history()
    }

    fn target(&self) -> Option<&'static dyn Notation> {
        self.task.target()
    }

    fn visit(&self, games: BlockGames<'_, '_>, context: &mut Rewritten, part: &mut Rewritten) {
        self.task.visit(games, context, part);
        self.blocks.fetch_add(1, Ordering::Relaxed);
        self.bytes_max.fetch_max(context.text.len(), Ordering::Relaxed);
    }
}

struct Nothing;

impl Consumer<Rewritten> for Nothing {
    fn begin(&mut self, _: &Archive) -> Result<()> {
        Ok(())
    }

    fn result(
        &mut self,
        _: &str,
        _: Base,
        _: &mut JobResult<Rewritten>,
        _: &ThreadPool,
    ) -> Result<()> {
        Ok(())
    }
}

#[test]
fn the_buffers_of_an_edited_conversion_are_emptied() {
    let scratch = Scratch::new();
    let game = "[Event \"e\"]\n[Site \"s\"]\n\n1. e4 e5 2. Nf3 {text of a comment} Nc6 1-0\n\n";
    scratch.write("a.pgn", game.repeat(4_000).as_bytes());
    let edits = Edits { remove: vec!["Site".to_string()], ..Edits::default() };
    let convert = Convert { to: UCI, to_utf8: false };
    let task = Watched {
        task: EditedConvert { convert, edits, sets_opening: false },
        blocks: AtomicUsize::new(0),
        bytes_max: AtomicUsize::new(0),
    };
    // Blocks of a few games.
    let options = Options { block_bytes: 400, ..Options::default() };
    let settings = Settings { threads: 2, options, ..Settings::default() };
    let stop = AtomicBool::new(false);
    run(&task, &settings, &[Input::Path(scratch.join("a.pgn"))], &mut Nothing, &stop).unwrap();
    let (blocks, bytes) = (task.blocks.into_inner(), task.bytes_max.into_inner());
    assert!(blocks > 500, "only {blocks} blocks");
    assert!(0 < bytes && bytes < 20 * game.len(), "{bytes} bytes are kept after a block");
}

//! A run over a sample of the selected games.
//!
//! In: a run, `--sample` and `--seed`. Out: the same run with another selection. Cost: nothing for a share; for a
//! number of games a reading of the inputs before the run, and memory for so many numbers.

use std::collections::BinaryHeap;
use std::sync::Arc;

use pgnmill_core::engine::{Base, JobResult, Task};
use pgnmill_core::select::Share;
use pgnmill_core::tasks::select::{GameNumbers, NumberGames};
use pgnmill_io::archive::{Archive, BLOCK_BYTES, Input};
use pgnmill_io::error::{Error, Result, Shown as _};
use rayon::ThreadPool;

use crate::args::sample::{SampleArgs, SampleSize};
use crate::host::Host;
use crate::run::outlets::PartSink;
use crate::run::task::Work;

/// The smallest numbers of games.
#[derive(Debug)]
struct Smallest {
    games_max: usize,
    numbers: BinaryHeap<u64>,
}

impl PartSink for Smallest {
    type Part = GameNumbers;

    fn begin(&mut self, _: &Archive) -> Result<()> {
        Ok(())
    }

    fn part(
        &mut self,
        _: &str,
        _: Base,
        result: &mut JobResult<GameNumbers>,
        _: &ThreadPool,
    ) -> Result<()> {
        for &number in &result.part.0 {
            if self.numbers.len() < self.games_max {
                self.numbers.push(number);
            } else if self.numbers.peek().is_some_and(|largest| number < *largest) {
                self.numbers.pop();
                self.numbers.push(number);
            }
        }
        Ok(())
    }
}

/// Refuses inputs that can be read once only.
pub(crate) fn refuse_read_once(inputs: &[Input]) -> Result<()> {
    // A path that does not exist is reported when it is opened.
    let is_read_once = |input: &&Input| match input {
        Input::Path(path) => path.exists() && !input.is_repeatable(),
        Input::Stdin | Input::Named(_) => !input.is_repeatable(),
    };
    let Some(input) = inputs.iter().find(is_read_once) else { return Ok(()) };
    let name = input.name();
    Err(Error::usage(format!(
        "--sample with a number reads the inputs twice, which {} does not allow: take a share, such as 10%",
        name.shown()
    )))
}

impl<'c, T: Task> Work<'c, T> {
    /// The same run over a sample of its games.
    ///
    /// # Errors
    /// A sample that is none; for a number of games inputs that can be read once only, splits, and what ends a reading.
    pub(crate) fn sampled(self, args: &SampleArgs, host: &Arc<dyn Host>) -> Result<Work<'c, T>> {
        let Some(size) = args.size()? else { return Ok(self) };
        let share = match size {
            SampleSize::Percent(percent) => Share::of(percent / 100.0, args.seed),
            SampleSize::Games(games) => {
                if self.inputs.iter().any(|input| input.split().is_some()) {
                    let message = "--sample of a split takes a share, such as 10%: the other games are elsewhere";
                    return Err(Error::usage(message));
                }
                refuse_read_once(&self.inputs)?;
                let games_max = usize::try_from(games).unwrap_or(usize::MAX);
                let task = NumberGames { seed: args.seed };
                let first = Work::new(self.common, task, BLOCK_BYTES, false)?;
                let first = first.with_selection(self.selection());
                let smallest = Smallest { games_max, numbers: BinaryHeap::new() };
                let largest = first.run_before(smallest, host)?.numbers.peek().copied();
                Share::to(largest, args.seed)
            }
        };
        let selection = self.selection().with_share(share);
        Ok(self.with_selection(selection))
    }
}

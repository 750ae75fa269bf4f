//! `--sample`: which of the selected games a run takes, with every command by one rule.
//!
//! In: a plan. Out: the settings of the engine with the games of the sample as their selection. Invariant: a game is
//! taken by a hash of its own text: the same games for any number of threads, order and division of the inputs. Cost:
//! nothing for a share; for a number of games a reading of the inputs before the run, and memory for so many numbers.

use std::collections::BinaryHeap;
use std::sync::Arc;

use pgnmill_core::engine::Pool;
use pgnmill_core::engine::{Base, JobResult, Rejects, Settings};
use pgnmill_core::select::Share;
use pgnmill_core::tasks::select::{GameNumbers, NumberGames};
use pgnmill_io::error::Result;

use crate::args::sample::SampleSize;
use crate::host::Host;
use crate::plan::Plan;
use crate::run::again::read_again;
use crate::run::outlets::PartSink;

/// The smallest numbers of games.
#[derive(Debug)]
struct Smallest {
    games_max: usize,
    numbers: BinaryHeap<u64>,
}

impl PartSink for Smallest {
    type Part = GameNumbers;

    fn part(
        &mut self,
        _: &str,
        _: Base,
        result: &mut JobResult<GameNumbers>,
        _: &Pool,
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

/// The settings of a run over a sample of its games.
///
/// # Errors
/// What ends a reading.
pub(super) fn sampled(plan: &Plan, host: &Arc<dyn Host>) -> Result<Settings> {
    let seed = plan.sample.seed;
    let share = match plan.sample.sample {
        None => return Ok(plan.settings.clone()),
        Some(SampleSize::Percent(percent)) => Share::of(percent / 100.0, seed),
        Some(SampleSize::Games(games)) => {
            let games_max = usize::try_from(games).unwrap_or(usize::MAX);
            let smallest = Smallest { games_max, numbers: BinaryHeap::new() };
            let task = NumberGames { seed };
            let smallest = read_again(plan, &task, smallest, Rejects::Dropped, host)?;
            Share::to(smallest.numbers.peek().copied(), seed)
        }
    };
    Ok(plan.settings_of(plan.selection().with_share(share)))
}

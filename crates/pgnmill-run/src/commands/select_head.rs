//! `select --head`: the first of the selected games, in one file.
//!
//! In: selected games. Out: a file. Invariants: the games are the first ones in the order of the inputs; nothing is
//! read after the job that has the last of them, and nothing after it is counted. Cost: that of copying the games.

use std::sync::Arc;

use pgnmill_core::engine::Pool;
use pgnmill_core::engine::{Base, JobResult};
use pgnmill_core::tasks::convert::{Output, Rewritten};
use pgnmill_core::tasks::select::{Copied, CopyGames};
use pgnmill_io::archive::Archive;
use pgnmill_io::error::Result;
use pgnmill_io::sink::Sink;

use crate::args::edits::EditArgs;
use crate::commands::rewriting::one_file;
use crate::host::{Completion, Host};
use crate::outputs::destination::Resumed;
use crate::plan::Plan;
use crate::report::copied::print_ledger;
use crate::run::{Executed, PartSink, execute};

/// Why such a run has no state.
pub(super) const REFUSAL: &str = "--head is not continued: begin again";

/// Counts of games as far as a run has read.
#[derive(Debug, Default)]
struct HeadCounts {
    selected: u64,
    /// Games of the archives before the current one, as far as they were read.
    read_before: u64,
    /// Games of the current archive.
    read: u64,
    rejected: u64,
}

/// The output of the first games.
#[derive(Debug)]
struct FirstGames {
    output: Option<Output>,
    /// Games that are still to be taken.
    left: u64,
    counts: HeadCounts,
}

impl PartSink for FirstGames {
    type Part = Copied;

    fn begin(&mut self, _: &Archive) -> Result<()> {
        self.counts.read_before += std::mem::take(&mut self.counts.read);
        self.output.iter_mut().for_each(Output::archive_begins);
        Ok(())
    }

    fn part(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Copied>,
        pool: &Pool,
    ) -> Result<()> {
        if self.is_done() {
            return Ok(());
        }
        let mut rewritten = JobResult::<Rewritten>::default();
        rewritten.facts.counted.damaged_bytes = result.facts.counted.damaged_bytes;
        let games = &result.part;
        self.counts.read = base.games + result.facts.counted.counts.games();
        for (index, piece) in games.pieces.iter().enumerate() {
            let Some(game) = &piece.game else { continue };
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            if self.left == 0 {
                self.counts.read = base.games + game.place.number + 1;
            }
            games.append_to(index, 0, &mut rewritten.part);
            self.counts.selected += 1;
        }
        if !self.is_done() {
            self.counts.rejected += result.facts.counted.counts.rejected;
        }
        self.output.iter_mut().try_for_each(|output| output.add(base, &mut rewritten, pool))
    }

    fn is_done(&self) -> bool {
        self.left == 0
    }

    fn close(&mut self, pool: &Pool) -> Result<()> {
        self.output.iter_mut().try_for_each(|output| output.finish(pool))
    }

    fn take_sinks(&mut self) -> Result<Vec<Sink>> {
        Ok(self.output.take().map(Output::into_sink).into_iter().collect())
    }
}

/// Copies the first games.
pub(super) fn head(
    plan: Plan,
    task: &CopyGames,
    games: u64,
    edits: &EditArgs,
    host: &Arc<dyn Host>,
) -> Result<Completion> {
    let sink = |plan: &Plan, _: Option<Resumed<'_, '_>>| {
        let (output, counts) = (one_file(plan, &**host)?, HeadCounts::default());
        Ok(FirstGames { output, left: games, counts })
    };
    let done = match execute(plan, task, sink, host)? {
        Executed::Now(done) => done,
        Executed::Before(completion) => return Ok(completion),
    };
    // The counts of the run are those of all jobs that were read, with what is beyond the last game.
    let mut done = done.with_counts(|counted, sink| {
        let HeadCounts { selected, read_before, read, rejected } = sink.counts;
        let counts = &mut counted.counts;
        counts.not_selected = (read_before + read).saturating_sub(selected + rejected);
        (counts.unread, counts.rejected) = (selected, rejected);
    });
    done.publish()?;
    print_ledger(done.plan.prints_summary(), &done.counted().counts, &**host);
    if !done.plan.messages.quiet {
        edits.warn_of_unmet(&task.edits, &**host);
    }
    Ok(done.completion())
}

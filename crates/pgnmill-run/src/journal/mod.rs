//! The journal of a run: what is complete, and from where the run can go on.
//!
//! In: the state of the run at checkpoints, complete outputs. Out: a file of records beside the outputs, and the saved
//! states (`docs/nights.md`). Invariants, in this order: the outputs are on disk up to the length that a state names,
//! then the state, then its record; an output is on disk and named in a record before it gets its name. So a run that
//! is ended at any moment can go on from the last record. Cost: a checkpoint is written on a thread of its own, while
//! the run goes on; there is one at a time.

mod begin;
mod earlier;
mod files;
mod records;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use pgnmill_core::engine::Counted;
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Sink, Snapshot, publish_all};

use crate::host::Host;
use crate::outputs::destination::Finished;

pub(crate) use begin::{Begun, Continued, begin, found};
pub(crate) use earlier::Saved;
pub(crate) use files::Steps;
use files::{Appended, Log};
pub(crate) use records::Outcome;
use records::{OutputFact, PublishFact, Record};

/// Complete outputs wait this long for their names, at most, so that many small ones get them together.
const PUBLISHED_AFTER: Duration = Duration::from_secs(1);

/// The first checkpoints of a run come sooner: an early end is not uncommon, and loses little then.
const FIRST_AFTER: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];

/// The journal of a run. The file is created with the first record.
#[derive(Debug)]
pub(crate) struct Journal {
    host: Arc<dyn Host>,
    log: Arc<Log>,
    /// The journal is kept as a record of the run: that of a directory; with `--resume` also that of a file, so that
    /// the same command can be given again, whenever this run is ended.
    is_record: bool,
    interval: Duration,
    /// When the last checkpoint was begun.
    last: Instant,
    number: u64,
    /// The number of the last checkpoint before this run.
    number_before: u64,
    writing: Option<JoinHandle<Result<Appended>>>,
    /// Another run has the journal: this one cannot be continued.
    is_lost: bool,
}

impl Journal {
    /// Is it time for a checkpoint? `waiting`: complete outputs wait for their names.
    pub(crate) fn is_due(&self, waiting: bool) -> bool {
        let interval = interval(self.number - self.number_before, self.interval, waiting);
        let is_writing = self.writing.as_ref().is_some_and(|writing| !writing.is_finished());
        !self.is_lost && !is_writing && self.last.elapsed() >= interval
    }

    /// Can a run that ends by an error be continued?
    pub(crate) fn can_go_on(&mut self) -> bool {
        // The error of the run is the one that is reported.
        drop(self.wait());
        !self.is_lost && self.log.is_open()
    }

    /// The files that a run which ends by an error leaves: the journal and its states, if they are of this run, and the
    /// temporary files that they name.
    pub(crate) fn files(&mut self) -> Vec<PathBuf> {
        drop(self.wait());
        let mut files = self.log.kept();
        if !self.is_lost && self.log.is_open() {
            files.push(self.log.names.journal());
            files.extend(self.log.names.states());
        }
        files
    }

    /// A step of a test that ends the program.
    pub(crate) fn step(&self) {
        self.log.steps.step();
    }

    /// Waits for the checkpoint that is being written.
    fn wait(&mut self) -> Result<()> {
        let Some(writing) = self.writing.take() else { return Ok(()) };
        let appended = writing.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        self.noted(appended);
        Ok(())
    }

    fn noted(&mut self, appended: Appended) {
        if appended == Appended::Lost && !self.is_lost {
            self.is_lost = true;
            self.host.warn(format_args!(
                "{} is the journal of another run, or cannot be locked; this run cannot be continued if it is ended",
                self.log.names.journal().shown()
            ));
        }
    }

    /// Writes a state, after which the run goes on with `input`. Does not wait for it.
    ///
    /// # Errors
    /// The error of the checkpoint before.
    pub(crate) fn checkpoint(&mut self, input: usize, snapshot: Snapshot) -> Result<()> {
        self.wait()?;
        self.number += 1;
        let (log, number) = (Arc::clone(&self.log), self.number);
        let work = move || log.commit(number, input, &snapshot, Vec::new());
        if self.interval.is_zero() {
            let appended = work()?;
            self.noted(appended);
        } else {
            let thread = Builder::new().name("checkpoint".to_string()).spawn(work);
            let failed = |error| Error::usage(format!("cannot start a thread: {error}"));
            self.writing = Some(thread.map_err(failed)?);
        }
        self.last = Instant::now();
        Ok(())
    }

    /// Writes a state, and gives complete outputs their names; `read` is what was read of the inputs, by index.
    ///
    /// # Errors
    /// What the system refuses, with the path.
    pub(crate) fn publish(
        &mut self,
        input: usize,
        snapshot: &Snapshot,
        finished: Vec<Finished>,
        read: &[(usize, Counted)],
    ) -> Result<()> {
        self.wait()?;
        let (sinks, facts) = synced(finished, read)?;
        self.number += 1;
        let appended = self.log.commit(self.number, input, snapshot, facts.clone())?;
        self.noted(appended);
        if appended == Appended::Yes {
            sinks.iter().for_each(Sink::keep);
        }
        self.name(sinks)?;
        let records: Vec<Record> = facts.into_iter().map(Record::Finished).collect();
        if appended == Appended::Yes {
            self.log.append(&records)?;
        }
        self.last = Instant::now();
        Ok(())
    }

    /// Gives outputs their names.
    fn name(&self, sinks: Vec<Sink>) -> Result<()> {
        if !self.log.steps.are_counted() {
            return publish_all(sinks);
        }
        for sink in sinks {
            publish_all(vec![sink])?;
            self.step();
        }
        Ok(())
    }

    /// Publishes the last outputs of a run and ends the journal.
    ///
    /// # Errors
    /// As [`publish_all`].
    pub(crate) fn end(
        &mut self,
        finished: Vec<Finished>,
        mut others: Vec<Sink>,
        read: &[(usize, Counted)],
        outcome: Outcome,
    ) -> Result<()> {
        self.wait()?;
        if self.is_lost || !(self.is_record || self.log.is_open()) {
            let sinks = finished.into_iter().map(|finished| finished.sink);
            return publish_all(sinks.chain(others).collect());
        }
        let (mut sinks, mut facts) = synced(finished, read)?;
        others.iter_mut().try_for_each(Sink::sync_to_disk)?;
        facts.extend(others.iter().map(fact));
        sinks.extend(others);
        let appended =
            self.log.append(&[Record::Publish(PublishFact { outputs: facts.clone(), outcome })])?;
        self.noted(appended);
        if appended == Appended::Yes {
            sinks.iter().for_each(Sink::keep);
        }
        self.name(sinks)?;
        if appended == Appended::Yes {
            self.close(facts, outcome)?;
        }
        Ok(())
    }

    /// Ends the journal: all outputs have their names, these as the last ones.
    fn close(&self, facts: Vec<OutputFact>, outcome: Outcome) -> Result<()> {
        // The last record needs no state.
        self.log.names.remove_states();
        self.log.remove_kept();
        if self.is_record {
            let mut records: Vec<Record> = facts.into_iter().map(Record::Finished).collect();
            records.push(Record::Done(outcome));
            self.log.append(&records)?;
        } else {
            let path = self.log.names.journal();
            std::fs::remove_file(&path).map_err(|error| Error::io("remove", &path, error))?;
        }
        Ok(())
    }
}

/// How long after the one before a checkpoint is due. `before`: those of this run.
fn interval(before: u64, interval: Duration, waiting: bool) -> Duration {
    let first = usize::try_from(before).ok().and_then(|before| FIRST_AFTER.get(before));
    let interval = first.map_or(interval, |first| interval.min(*first));
    if waiting { interval.min(PUBLISHED_AFTER) } else { interval }
}

impl Drop for Journal {
    fn drop(&mut self) {
        // A run that ends by an error reports that one.
        drop(self.wait());
    }
}

/// Complete outputs, synced to disk, and their records.
fn synced(
    finished: Vec<Finished>,
    read: &[(usize, Counted)],
) -> Result<(Vec<Sink>, Vec<OutputFact>)> {
    let (mut sinks, mut facts) = (Vec::new(), Vec::new());
    let read: HashMap<usize, &Counted> =
        read.iter().rev().map(|(index, counted)| (*index, counted)).collect();
    for Finished { input, mut sink } in finished {
        sink.sync_to_disk()?;
        let fact = OutputFact { input: Some(input), ..fact(&sink) };
        facts.push(match read.get(&input) {
            Some(counted) => fact.with(counted),
            None => fact,
        });
        sinks.push(sink);
    }
    Ok((sinks, facts))
}

/// The record of a complete output.
fn fact(sink: &Sink) -> OutputFact {
    let (bytes, digest) = sink.written();
    let part = sink.part().unwrap_or(sink.path()).to_path_buf();
    let output = sink.path().to_path_buf();
    OutputFact { output, part, bytes, digest, ..OutputFact::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_checkpoints_come_sooner() {
        let of = |seconds, waiting| {
            [0, 1, 2, 9]
                .map(|before| interval(before, Duration::from_secs(seconds), waiting).as_secs())
        };
        assert_eq!(of(30, false), [1, 5, 30, 30]);
        assert_eq!(of(3, false), [1, 3, 3, 3]);
        assert_eq!(of(0, false), [0; 4]);
        assert_eq!(of(30, true), [1; 4]);
    }
}

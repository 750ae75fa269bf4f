//! The host of a run that Python started: it keeps what the program would print.
//!
//! In: texts, warnings, events and figures of a run, on the threads of the run. Out: the same, for the calling thread.
//! Invariant: nothing is printed. Cost: a lock per job.

use std::fmt;
use std::io::Write;
use std::mem::take;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pgnmill::Result;
use pgnmill_run::{Event, Host, InputEnd, Recorded, Recorder, Snapshot};

use crate::calls::Calls;
use crate::ending::Run;

/// An event, for the calling thread.
#[derive(Debug, Clone)]
pub(crate) struct Step {
    /// `progress`, `input` or `end`.
    pub(crate) event: &'static str,
    pub(crate) seconds: f64,
    pub(crate) input: usize,
    pub(crate) inputs: usize,
    pub(crate) name: String,
    pub(crate) stored_bytes: u64,
    pub(crate) stored_bytes_total: Option<u64>,
    pub(crate) games: u64,
    pub(crate) rejected: u64,
    pub(crate) games_per_second: u64,
    pub(crate) remaining_seconds: Option<u64>,
    /// Of the end of an input: accepted and repaired games.
    pub(crate) counts: Option<(u64, u64)>,
    pub(crate) failed: Option<String>,
}

/// Steps that were not yet taken.
#[derive(Debug, Default)]
struct Steps {
    /// The ends of inputs, and of the run.
    ends: Vec<Step>,
    /// How far the run is.
    latest: Option<Step>,
}

/// Collects what a run reports.
#[derive(Debug)]
pub(crate) struct Collector {
    calls: Arc<Calls>,
    recorder: Recorder,
    /// `None` if progress is not required.
    steps: Option<Mutex<Steps>>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic of the run is raised when the run ends.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Collector {
    /// That of a run with these calls, whose flag ends it.
    pub(crate) fn new(calls: Arc<Calls>, with_progress: bool) -> Collector {
        Collector {
            calls,
            recorder: Recorder::default(),
            steps: with_progress.then(Mutex::default),
        }
    }

    /// What was reported since the last call.
    pub(crate) fn take(&self) -> Recorded {
        self.recorder.take()
    }

    /// The steps since the last call, in order.
    pub(crate) fn take_steps(&self) -> Vec<Step> {
        let Some(steps) = &self.steps else { return Vec::new() };
        let Steps { mut ends, latest } = take(&mut *locked(steps));
        // The last end may be that of the run, after which there is no progress.
        let at = ends.iter().position(|step| step.event == "end").unwrap_or(ends.len());
        ends.splice(at..at, latest);
        ends
    }
}

fn of_snapshot(event: &'static str, now: &Snapshot<'_>) -> Step {
    Step {
        event,
        seconds: now.seconds,
        input: now.input,
        inputs: now.inputs,
        name: now.name.to_string(),
        stored_bytes: now.stored_bytes,
        stored_bytes_total: now.stored_bytes_total,
        games: now.games,
        rejected: now.rejected,
        games_per_second: now.games_per_second,
        remaining_seconds: now.remaining_seconds,
        counts: None,
        failed: None,
    }
}

fn of_input_end(end: &InputEnd<'_>, latest: Option<&Step>) -> Step {
    Step {
        event: "input",
        seconds: latest.map_or(0.0, |step| step.seconds),
        input: end.input,
        inputs: end.inputs,
        name: end.name.to_string(),
        stored_bytes: latest.map_or(0, |step| step.stored_bytes),
        stored_bytes_total: latest.and_then(|step| step.stored_bytes_total),
        games: end.games,
        rejected: end.rejected,
        games_per_second: latest.map_or(0, |step| step.games_per_second),
        remaining_seconds: latest.and_then(|step| step.remaining_seconds),
        counts: Some((end.accepted, end.repaired)),
        failed: end.failed.map(str::to_string),
    }
}

impl Host for Collector {
    fn stop(&self) -> &AtomicBool {
        self.calls.flag()
    }

    fn print(&self, text: &str) {
        self.recorder.print(text);
    }

    fn warn(&self, message: fmt::Arguments<'_>) {
        self.recorder.warn(message);
    }

    fn show(&self, text: &str) -> Result<()> {
        self.recorder.show(text)
    }

    fn standard_output(&self) -> Box<dyn Write + Send> {
        self.recorder.standard_output()
    }

    fn add_facts(&self, rows: &[(String, String)]) {
        self.recorder.add_facts(rows);
    }

    fn add_event(&self, event: &Event<'_>) {
        let Some(steps) = &self.steps else { return };
        let mut steps = locked(steps);
        match event {
            Event::Progress(now) => steps.latest = Some(of_snapshot("progress", now)),
            Event::InputEnd(end) => {
                let step = of_input_end(end, steps.latest.as_ref());
                steps.ends.push(step);
            }
            Event::End(now) => steps.ends.push(of_snapshot("end", now)),
        }
    }
}

impl Run for Collector {
    fn end(&self) {
        // The thread that waits for the run is a use of the interpreter.
        self.calls.end();
    }
}

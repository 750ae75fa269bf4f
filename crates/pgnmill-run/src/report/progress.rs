//! What is shown while a run lasts: a bar, lines for people, or lines of JSON for programs.
//!
//! In: the names of the inputs, totals after each job, the end of each input. Out: what the host prints, or events for
//! the host. A bar is redrawn, and a line of JSON written, also while no job ends: a thread does so at a steady pace. A
//! bar is one line of the terminal: what does not fit is cut. Cost: three atomic writes per job.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crossbeam_channel::{Sender, bounded};
use indicatif::{ProgressBar, ProgressStyle};
use pgnmill_core::replay::Counts;
use pgnmill_io::archive::RecordKind;
use pgnmill_io::error::Shown as _;
use serde_json::json;

use crate::args::messages::Mode;
use crate::host::{Event, Host, InputEnd, Snapshot, Stream};
use crate::report::totals::Totals;
use crate::text::numbers::{count_of, grouped, rate};

/// The time left is the mean of what was read until then: before, nothing is known.
const ESTIMATE_AFTER: Duration = Duration::from_secs(2);
/// How often the bar is redrawn.
const REDRAW: Duration = Duration::from_millis(200);
/// How often a line of JSON is written.
const JSON_INTERVAL: Duration = Duration::from_secs(1);

/// The inputs of a run.
#[derive(Clone, Debug)]
pub(crate) struct Extent {
    /// Their names, in order.
    pub(crate) names: Vec<String>,
    /// Their stored bytes, if all are known.
    pub(crate) stored_bytes: Option<u64>,
    /// What they are divided into.
    pub(crate) records: RecordKind,
}

/// The state of a run, which the thread reads.
#[derive(Debug)]
struct State {
    extent: Extent,
    begun: Instant,
    /// What an earlier run had read before this one went on.
    games_before: AtomicU64,
    stored_bytes_before: AtomicU64,
    stored_bytes: AtomicU64,
    games: AtomicU64,
    rejected: AtomicU64,
    /// The number of inputs that have ended.
    inputs_ended: AtomicUsize,
}

impl State {
    fn set(&self, totals: &Totals) {
        self.stored_bytes.store(totals.stored_bytes, Ordering::Relaxed);
        self.games.store(totals.counted.counts.games(), Ordering::Relaxed);
        self.rejected.store(totals.counted.counts.rejected, Ordering::Relaxed);
    }

    /// The number of the current input, from 1, and its name; at the end those of the last one.
    fn input(&self) -> (usize, &str) {
        let names = &self.extent.names;
        let number = names.len().min(self.inputs_ended.load(Ordering::Relaxed) + 1);
        (number, names.get(number.wrapping_sub(1)).map_or("", String::as_str))
    }

    /// Games per second since the beginning.
    fn games_rate(&self) -> u64 {
        let seconds = self.begun.elapsed().as_secs_f64().max(0.001);
        // Both change when a run goes on, one after the other.
        let before = self.games_before.load(Ordering::Relaxed);
        let games = self.games.load(Ordering::Relaxed).saturating_sub(before);
        (games as f64 / seconds) as u64
    }

    /// Seconds to the end at the mean speed so far, where that can be estimated.
    fn remaining_seconds(&self) -> Option<u64> {
        let total = self.extent.stored_bytes?;
        let read = self.stored_bytes.load(Ordering::Relaxed);
        let left = total.saturating_sub(read) as f64;
        let now = read.saturating_sub(self.stored_bytes_before.load(Ordering::Relaxed));
        (now > 0).then(|| (self.begun.elapsed().as_secs_f64() * left / now as f64) as u64)
    }

    /// What is beside the bar, the most important first: what does not fit is cut.
    fn line(&self) -> String {
        let before = self.stored_bytes_before.load(Ordering::Relaxed);
        let read = self.stored_bytes.load(Ordering::Relaxed).saturating_sub(before);
        let elapsed = self.begun.elapsed();
        let mut parts = vec![rate(read as f64, elapsed.as_secs_f64())];
        let remaining = self.remaining_seconds().filter(|_| elapsed >= ESTIMATE_AFTER);
        parts.extend(remaining.map(|seconds| {
            let (minutes, seconds) = (seconds / 60, seconds % 60);
            match minutes {
                0..60 => format!("{minutes}:{seconds:02} left"),
                _ => format!("{}:{:02}:{seconds:02} left", minutes / 60, minutes % 60),
            }
        }));
        let games = self.games.load(Ordering::Relaxed);
        parts.push(match self.extent.records {
            RecordKind::Games | RecordKind::GameLines => format!("{} games", grouped(games)),
            RecordKind::Lines => format!("{} positions", grouped(games)),
        });
        parts.push(format!("{} rejected", grouped(self.rejected.load(Ordering::Relaxed))));
        let (number, name) = self.input();
        let inputs = self.extent.names.len();
        parts.extend((inputs > 1).then(|| format!("[{number}/{inputs}] {}", name.shown())));
        parts.join(", ")
    }

    fn snapshot(&self) -> Snapshot<'_> {
        let (input, name) = self.input();
        Snapshot {
            seconds: self.begun.elapsed().as_secs_f64(),
            input,
            inputs: self.extent.names.len(),
            name,
            stored_bytes: self.stored_bytes.load(Ordering::Relaxed),
            stored_bytes_total: self.extent.stored_bytes,
            games: self.games.load(Ordering::Relaxed),
            rejected: self.rejected.load(Ordering::Relaxed),
            games_per_second: self.games_rate(),
            remaining_seconds: self.remaining_seconds(),
        }
    }

    fn json(&self, event: &str) -> String {
        let now = self.snapshot();
        let line = json!({
            "event": event,
            "seconds": (now.seconds * 10.0).round() / 10.0,
            "input": now.input,
            "inputs": now.inputs,
            "name": now.name,
            "stored_bytes": now.stored_bytes,
            "stored_bytes_total": now.stored_bytes_total,
            "games": now.games,
            "rejected": now.rejected,
            "games_per_second": now.games_per_second,
            "remaining_seconds": now.remaining_seconds,
        });
        format!("{line}\n")
    }
}

/// Writes a line of JSON at a steady pace until it is dropped.
#[derive(Debug)]
struct Ticker {
    stop: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    fn start(state: Arc<State>, host: Arc<dyn Host>) -> Ticker {
        let (stop, stopped) = bounded::<()>(0);
        // Without a thread there is a line per input.
        let thread = thread::Builder::new().name("progress".to_string()).spawn(move || {
            // It ends when the sender is dropped.
            while stopped.recv_timeout(JSON_INTERVAL).is_err_and(|error| error.is_timeout()) {
                host.print(&state.json("progress"));
            }
        });
        Ticker { stop: Some(stop), thread: thread.ok() }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.stop.take();
        if let Some(thread) = self.thread.take() {
            // A panic of the thread has been printed.
            drop(thread.join());
        }
    }
}

/// Which inputs have a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum OfInputs {
    All,
    /// Those with rejected games, and those that failed.
    WithFaults,
    None,
}

impl OfInputs {
    /// Whether an input with these counts has a line.
    fn has(self, counts: &Counts, failure: Option<&str>) -> bool {
        match self {
            OfInputs::All => true,
            OfInputs::WithFaults => counts.rejected > 0 || failure.is_some(),
            OfInputs::None => false,
        }
    }
}

#[derive(Debug)]
enum Display {
    Nothing,
    Bar(ProgressBar, OfInputs),
    Lines(OfInputs),
    Json(Option<Ticker>),
    /// The host makes something of the events.
    Events,
}

/// Shows the progress of a run.
#[derive(Debug)]
pub(crate) struct Progress {
    host: Arc<dyn Host>,
    state: Arc<State>,
    display: Display,
}

impl Progress {
    /// The display of a run that begins.
    ///
    /// `verbose`: every input has a line.
    pub(crate) fn new(mode: Mode, verbose: bool, extent: Extent, host: &Arc<dyn Host>) -> Progress {
        let state = Arc::new(State {
            extent,
            begun: Instant::now(),
            games_before: AtomicU64::new(0),
            stored_bytes_before: AtomicU64::new(0),
            stored_bytes: AtomicU64::new(0),
            games: AtomicU64::new(0),
            rejected: AtomicU64::new(0),
            inputs_ended: AtomicUsize::new(0),
        });
        let extent = &state.extent;
        let lines = match extent.names.len() {
            0 | 1 => OfInputs::None,
            _ if verbose => OfInputs::All,
            _ => OfInputs::WithFaults,
        };
        let display = match mode {
            _ if host.takes_events() => Display::Events,
            Mode::Auto if host.screen(Stream::Errors).columns.is_some() => {
                Display::Bar(bar(extent), lines)
            }
            Mode::Auto => Display::Lines(lines),
            Mode::None => Display::Nothing,
            Mode::Lines => Display::Lines(OfInputs::All),
            Mode::Json => Display::Json(Some(Ticker::start(Arc::clone(&state), Arc::clone(host)))),
        };
        Progress { host: Arc::clone(host), state, display }
    }

    /// The run goes on with this input, after what an earlier one has read.
    pub(crate) fn begins_at(&self, input: usize, totals: &Totals) {
        self.state.inputs_ended.store(input, Ordering::Relaxed);
        self.state.games_before.store(totals.counted.counts.games(), Ordering::Relaxed);
        self.state.stored_bytes_before.store(totals.stored_bytes, Ordering::Relaxed);
        self.state.set(totals);
        if let Display::Bar(bar, _) = &self.display {
            // The rest is estimated from what this run reads.
            bar.set_position(totals.stored_bytes);
            bar.reset_eta();
        }
    }

    /// A job has ended.
    pub(crate) fn show(&self, totals: &Totals) {
        self.state.set(totals);
        if let Display::Events = &self.display {
            self.host.add_event(&Event::Progress(self.state.snapshot()));
        }
        if let Display::Bar(bar, _) = &self.display {
            bar.set_position(totals.stored_bytes);
            bar.set_message(self.state.line());
        }
    }

    /// The current input has ended with these counts, and with an error if it failed.
    pub(crate) fn input_ends(&self, counts: &Counts, failure: Option<&str>) {
        let (input, name) = self.state.input();
        let inputs = self.state.extent.names.len();
        self.state.inputs_ended.fetch_add(1, Ordering::Relaxed);
        let line = || {
            let counts = words_of(self.state.extent.records, counts);
            let failure = failure.map_or_else(String::new, |it| format!("; failed: {it}"));
            format!("[{input}/{inputs}] {}: {counts}{failure}\n", name.shown())
        };
        match &self.display {
            Display::Lines(of) if of.has(counts, failure) => self.host.print(&line()),
            Display::Bar(bar, of) if of.has(counts, failure) => {
                bar.suspend(|| self.host.print(&line()));
            }
            Display::Json(_) => {
                let line = json!({
                    "event": "input",
                    "input": input,
                    "name": name,
                    "games": counts.games(),
                    "accepted": counts.accepted,
                    "repaired": counts.repaired,
                    "rejected": counts.rejected,
                    "failed": failure,
                });
                self.host.print(&format!("{line}\n"));
            }
            Display::Events => self.host.add_event(&Event::InputEnd(InputEnd {
                input,
                inputs,
                name,
                games: counts.games(),
                accepted: counts.accepted,
                repaired: counts.repaired,
                rejected: counts.rejected,
                failed: failure,
            })),
            Display::Lines(_) | Display::Bar(..) | Display::Nothing => {}
        }
    }

    /// The current input has ended, of a reading before or after the one that reports it.
    pub(crate) fn input_passes(&self) {
        self.state.inputs_ended.fetch_add(1, Ordering::Relaxed);
    }

    /// The run has ended, or failed.
    pub(crate) fn finish(&mut self) {
        match &mut self.display {
            Display::Bar(bar, _) => bar.finish_and_clear(),
            Display::Json(ticker) => {
                if ticker.take().is_some() {
                    self.host.print(&self.state.json("end"));
                }
            }
            Display::Events => self.host.add_event(&Event::End(self.state.snapshot())),
            Display::Lines(_) | Display::Nothing => {}
        }
    }
}

/// A bar over the stored bytes of all inputs, or a spinner if their number is unknown.
fn bar(extent: &Extent) -> ProgressBar {
    let (bar, template) = match extent.stored_bytes {
        Some(bytes) => (ProgressBar::new(bytes), "{spinner} {percent:>3} % {bar:12} {wide_msg}"),
        None => (ProgressBar::new_spinner(), "{spinner} {wide_msg}"),
    };
    let style = ProgressStyle::with_template(template);
    let bar = bar.with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()));
    bar.enable_steady_tick(REDRAW);
    bar
}

/// The games of an input, in words.
fn words_of(records: RecordKind, counts: &Counts) -> String {
    let mut parts = Vec::new();
    let others = [(counts.unread, "selected"), (counts.not_selected, "not selected")];
    if others.iter().all(|(number, _)| *number == 0) || counts.games() > others[0].0 + others[1].0 {
        let verdicts = [counts.accepted, counts.repaired, counts.rejected].map(grouped);
        let [accepted, repaired, rejected] = verdicts;
        parts.push(format!("{accepted} accepted + {repaired} repaired + {rejected} rejected"));
    }
    let others = others.into_iter().filter(|(number, _)| *number > 0);
    parts.extend(others.map(|(number, what)| format!("{} {what}", grouped(number))));
    format!("{}: {}", count_of(records, counts.games()), parts.join(" + "))
}

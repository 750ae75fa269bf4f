//! The games of archives, read ahead on several threads, in order.
//!
//! In: archives and the settings of a run. Out: an iterator of [`OwnedGame`]s. Invariants: the games, their order and
//! the error at the end are the same for any number of threads; when the iterator is dropped, its threads end. Memory:
//! the jobs that are in flight, those of threads + 4 at most, and the games that the caller keeps.
//!
//! ```text
//! workers: Recording ──► Batches, on the thread of the run ── bounded channel ──► OwnedGames, on any thread
//! ```

use std::panic::resume_unwind;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;
use std::vec;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use pgnmill_io::archive::{Archive, Input};
use pgnmill_io::error::{Error, Result};

use crate::engine::{self, Counted, Pool, Rejects, Settings, THREADS_MAX};

use super::owned::{Fault, OwnedGame};
use super::recording::{Batch, Batches, Message, Recording};

/// Batches that wait for the caller, at most.
const BATCHES_WAITING_MAX: usize = 2;

/// What is read.
enum Source {
    Archive(Box<Archive>),
    Inputs(Vec<Input>),
}

/// The games of one or more archives, in order. After an error there are no more games; those before it were returned.
///
/// ```
/// use pgnmill_core::reader::Reader;
/// let mut games = Reader::open("../../data/sources.pgn")?.read_ahead()?;
/// let kept: Vec<_> = games.by_ref().collect::<Result<_, _>>()?;
/// assert_eq!(kept.len() as u64, games.totals().counts.games());
/// assert_eq!(kept[0].game().number(), 1);
/// # Ok::<(), pgnmill_io::error::Error>(())
/// ```
#[derive(Debug)]
pub struct OwnedGames {
    run: Option<Run>,
    games: vec::IntoIter<OwnedGame>,
    error: Option<Error>,
    totals: Counted,
    damage: Vec<Fault>,
}

/// The thread of a run.
#[derive(Debug)]
struct Run {
    messages: Receiver<Message>,
    thread: JoinHandle<()>,
    stop: Arc<AtomicBool>,
}

impl OwnedGames {
    /// Reads all inputs in order. Of the settings, what concerns rejected games, rows of faults and notes is not used.
    ///
    /// # Errors
    /// Too many threads, or none that the system starts. That an input cannot be opened is the error of the first game.
    pub fn open(inputs: Vec<Input>, settings: Settings) -> Result<OwnedGames> {
        OwnedGames::start(Source::Inputs(inputs), settings)
    }

    /// Reads an open archive, such as a split.
    ///
    /// # Errors
    /// Too many threads, or none that the system starts.
    pub fn of_archive(archive: Archive, settings: Settings) -> Result<OwnedGames> {
        OwnedGames::start(Source::Archive(Box::new(archive)), settings)
    }

    fn start(source: Source, settings: Settings) -> Result<OwnedGames> {
        let threads = settings.threads;
        if threads > THREADS_MAX {
            return Err(Error::usage(format!("{threads} threads are more than {THREADS_MAX}")));
        }
        // A game that is too long to be read is then delivered, and rows give the lines of faults.
        let settings = Settings { rejects: Rejects::Kept, faults: true, notes: false, ..settings };
        let (send, messages) = bounded(BATCHES_WAITING_MAX);
        let stop = Arc::new(AtomicBool::new(false));
        let stops = Arc::clone(&stop);
        let thread = Builder::new().name("reader".to_string()).spawn(move || {
            let mut batches = Batches::new(send.clone(), &settings);
            if let Err(error) = read(source, &settings, &mut batches, &stops) {
                // Without a receiver the reader was closed.
                drop(send.send(Message::Failed(error)));
            }
        });
        let thread =
            thread.map_err(|error| Error::usage(format!("cannot start a thread: {error}")))?;
        Ok(OwnedGames {
            run: Some(Run { messages, thread, stop }),
            games: Vec::new().into_iter(),
            error: None,
            totals: Counted::default(),
            damage: Vec::new(),
        })
    }

    /// No games, and then this error.
    pub(super) fn failed(error: Error) -> OwnedGames {
        OwnedGames {
            run: None,
            games: Vec::new().into_iter(),
            error: Some(error),
            totals: Counted::default(),
            damage: Vec::new(),
        }
    }

    /// Waits until `next` returns at once, for `limit` at most. Returns whether it does.
    ///
    /// # Panics
    /// A panic of the run is raised again.
    pub fn wait(&mut self, limit: Duration) -> bool {
        loop {
            if self.games.len() > 0 || self.error.is_some() {
                return true;
            }
            let Some(run) = &self.run else { return true };
            match run.messages.recv_timeout(limit) {
                Ok(Message::Games(batch)) => {
                    let Batch { games, totals, damage } = *batch;
                    (self.games, self.totals) = (games.into_iter(), totals);
                    self.damage.extend(damage);
                }
                Ok(Message::Failed(error)) => self.error = Some(error),
                Err(RecvTimeoutError::Timeout) => return false,
                Err(RecvTimeoutError::Disconnected) => self.join(),
            }
        }
    }

    /// Games, plies and deviations up to the end of the current batch. After the last game: of all archives.
    pub fn totals(&self) -> &Counted {
        &self.totals
    }

    /// Damage that was skipped so far.
    pub fn damage(&self) -> &[Fault] {
        &self.damage
    }

    /// Ends the reading, and waits until its threads have ended. There are no more games.
    pub fn close(&mut self) {
        if let Some(run) = &self.run {
            run.stop.store(true, Ordering::Relaxed);
        }
        (self.games, self.error) = (Vec::new().into_iter(), None);
        self.join();
    }

    /// Waits for the thread of the run, which has ended or cannot send.
    fn join(&mut self) {
        let Some(Run { messages, thread, .. }) = self.run.take() else { return };
        drop(messages);
        if let Err(panic) = thread.join()
            && !std::thread::panicking()
        {
            resume_unwind(panic);
        }
    }
}

/// Runs over the source.
fn read(
    source: Source,
    settings: &Settings,
    batches: &mut Batches<'_>,
    stop: &AtomicBool,
) -> Result<()> {
    match source {
        Source::Inputs(inputs) => engine::run(&Recording, settings, &inputs, batches, stop),
        Source::Archive(archive) => {
            let pool = Pool::new(settings.threads)?;
            engine::run_archive(&pool, &Recording, settings, *archive, batches, stop)
        }
    }
}

impl Iterator for OwnedGames {
    type Item = Result<OwnedGame>;

    fn next(&mut self) -> Option<Result<OwnedGame>> {
        while !self.wait(Duration::from_secs(3_600)) {}
        self.games.next().map(Ok).or_else(|| {
            let error = self.error.take()?;
            self.close();
            Some(Err(error))
        })
    }
}

impl Drop for OwnedGames {
    fn drop(&mut self) {
        self.close();
    }
}

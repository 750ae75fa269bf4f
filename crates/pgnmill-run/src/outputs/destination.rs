//! The files of a run that writes games: one for all inputs, or one per input.
//!
//! In: the beginnings and ends of inputs. Out: files, and of files of one input each those that wait for their names.
//! Invariants: a file is reserved before anything is read, or continued from a saved state; a file that is not
//! completed is removed. Cost: none per result.

use pgnmill_core::engine::Start;
use pgnmill_io::archive::Archive;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Reservation, Sink, Snapshot};
use pgnmill_state::Loader;

use crate::host::{self, Host};
use crate::plan::Plan;

/// Finished outputs that stay open until the end of the run, at most; the others are synced to disk and closed at once.
pub(crate) const OPEN_MAX: usize = 64;

/// A complete output of one input.
#[derive(Debug)]
pub(crate) struct Finished {
    /// The index of the input.
    pub(crate) input: usize,
    pub(crate) sink: Sink,
}

/// A state from which a run goes on.
#[derive(Debug)]
pub(crate) struct Resumed<'r, 'l> {
    /// The rest of the state.
    pub(crate) from: &'r mut Loader<'l>,
    pub(crate) start: &'r Start,
}

impl Resumed<'_, '_> {
    /// Was the last archive not at its end?
    fn is_within(&self) -> bool {
        self.start.reader.is_some()
    }

    /// The index of the first input that was not begun.
    fn first_input(&self) -> usize {
        self.start.input + usize::from(self.is_within())
    }
}

/// The files, of which each is an `F` while it is being written.
#[derive(Debug)]
pub(crate) struct Destination<F> {
    /// The file that is being written, boxed: a run moves its consumer.
    pub(crate) current: Option<Box<F>>,
    files: Files,
}

/// Which files there are.
#[derive(Debug)]
enum Files {
    /// One for all inputs: the complete one.
    One(Option<Box<Sink>>),
    /// One per input.
    PerInput {
        /// By index of the input; `None` after it is opened.
        reserved: Vec<Option<Reservation>>,
        /// The index of the current input.
        input: usize,
        /// Complete files, which wait for their names.
        finished: Vec<Finished>,
    },
}

impl<F> Destination<F> {
    /// Reserves the files, and opens or continues the one that is written first.
    ///
    /// # Errors
    /// What the system refuses; a state that cannot be read.
    pub(crate) fn begin(
        plan: &Plan,
        resumed: Option<Resumed<'_, '_>>,
        host: &dyn Host,
        open: impl FnOnce(Reservation) -> Result<F>,
        load: impl FnOnce(&mut Loader<'_>) -> Result<F>,
    ) -> Result<Destination<F>> {
        let (outputs, overwrite) = (&plan.outputs.paths, plan.files.overwrite);
        if !plan.outputs.place.is_directory() {
            let file = match resumed {
                Some(resumed) => load(resumed.from)?,
                None => {
                    let reserved = Reservation::all(outputs, overwrite)?.remove(0);
                    open(host::output(host, reserved))?
                }
            };
            return Ok(Destination { current: Some(Box::new(file)), files: Files::One(None) });
        }
        let first = resumed.as_ref().map_or(0, Resumed::first_input).min(outputs.len());
        let reserved = Reservation::all(&outputs[first..], overwrite)?.into_iter().map(Some);
        let reserved = (0..first).map(|_| None).chain(reserved).collect();
        let within = resumed.filter(Resumed::is_within);
        let current = within.map(|resumed| load(resumed.from)).transpose()?.map(Box::new);
        let files = Files::PerInput { reserved, input: 0, finished: Vec::new() };
        Ok(Destination { current, files })
    }

    /// Is it one file for all inputs?
    pub(crate) fn is_one(&self) -> bool {
        matches!(self.files, Files::One(_))
    }

    /// The input of this index is opened next.
    pub(crate) fn input(&mut self, index: usize) {
        if let Files::PerInput { input, .. } = &mut self.files {
            *input = index;
        }
    }

    /// An archive begins, and with it its file, if it has one.
    ///
    /// # Errors
    /// What the system refuses.
    pub(crate) fn archive_begins(
        &mut self,
        archive: &Archive,
        open: impl FnOnce(Reservation) -> Result<F>,
    ) -> Result<()> {
        let Files::PerInput { reserved, input, .. } = &mut self.files else { return Ok(()) };
        let missing = || Error::usage(format!("{} has no output", archive.name()));
        let reserved = reserved.get_mut(*input).and_then(Option::take).ok_or_else(missing)?;
        self.current = Some(Box::new(open(reserved)?));
        Ok(())
    }

    /// The archive ends, and with it its file.
    ///
    /// # Errors
    /// What the system refuses.
    pub(crate) fn archive_ends(&mut self, finish: impl FnOnce(F) -> Result<Sink>) -> Result<()> {
        let Files::PerInput { input, finished, .. } = &mut self.files else { return Ok(()) };
        let Some(file) = self.current.take() else { return Ok(()) };
        let mut sink = finish(*file)?;
        sink.complete(finished.len() < OPEN_MAX)?;
        finished.push(Finished { input: *input, sink });
        Ok(())
    }

    /// The current input could not be read: its file is removed. Returns whether there was one.
    pub(crate) fn archive_fails(&mut self) -> bool {
        let Files::PerInput { reserved, input, .. } = &mut self.files else { return false };
        reserved.get_mut(*input).map(Option::take);
        self.current.take().is_some()
    }

    /// All archives have ended.
    ///
    /// # Errors
    /// What the system refuses.
    pub(crate) fn close(&mut self, finish: impl FnOnce(F) -> Result<Sink>) -> Result<()> {
        let Files::One(complete) = &mut self.files else { return Ok(()) };
        let file = self.current.take().map(|file| finish(*file)).transpose()?;
        *complete = file.map(Box::new);
        Ok(())
    }

    /// The file of all inputs.
    pub(crate) fn take_sinks(&mut self) -> Vec<Sink> {
        match &mut self.files {
            Files::One(complete) => complete.take().map(|sink| *sink).into_iter().collect(),
            Files::PerInput { .. } => Vec::new(),
        }
    }

    /// Do complete files wait for their names?
    pub(crate) fn has_finished(&self) -> bool {
        matches!(&self.files, Files::PerInput { finished, .. } if !finished.is_empty())
    }

    /// The complete files of inputs.
    pub(crate) fn take_finished(&mut self) -> Vec<Finished> {
        match &mut self.files {
            Files::One(_) => Vec::new(),
            Files::PerInput { finished, .. } => std::mem::take(finished),
        }
    }

    /// Saves the file that is being written.
    ///
    /// # Errors
    /// What the system refuses.
    pub(crate) fn save(
        &mut self,
        out: &mut Snapshot,
        save: impl FnOnce(&mut F, &mut Snapshot) -> Result<()>,
    ) -> Result<()> {
        self.current.as_mut().map_or(Ok(()), |file| save(file, out))
    }
}

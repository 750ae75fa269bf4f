//! A consumer that notes whether it has failed itself, so that errors of inputs and of outputs are distinguished.
//!
//! In: the calls for one archive. Out: the same calls. Invariant: [`Noting::has_failed`] is set if and only if a method
//! of the consumer has returned an error. Cost: one more call per job.

use super::pool::Pool;
use pgnmill_io::archive::Archive;
use pgnmill_io::error::Result;

use super::facts::JobResult;
use super::settings::Base;
use super::start::Start;
use super::task::Consumer;

/// A consumer, and whether one of its methods has failed: such an error is not of an input.
pub(super) struct Noting<'c, P> {
    pub(super) consumer: &'c mut dyn Consumer<P>,
    pub(super) has_failed: bool,
}

impl<P> Noting<'_, P> {
    fn note<R>(&mut self, result: Result<R>) -> Result<R> {
        self.has_failed |= result.is_err();
        result
    }
}

impl<P> Consumer<P> for Noting<'_, P> {
    fn begin(&mut self, archive: &Archive) -> Result<()> {
        let begun = self.consumer.begin(archive);
        self.note(begun)
    }

    fn result(
        &mut self,
        archive: &str,
        base: Base,
        result: &mut JobResult<P>,
        pool: &Pool,
    ) -> Result<()> {
        let consumed = self.consumer.result(archive, base, result, pool);
        self.note(consumed)
    }

    fn is_done(&self) -> bool {
        self.consumer.is_done()
    }

    fn progress(&mut self, stored_bytes: u64) {
        self.consumer.progress(stored_bytes);
    }

    fn is_checkpoint_due(&mut self) -> bool {
        self.consumer.is_checkpoint_due()
    }

    fn saves_when_stopped(&self) -> bool {
        self.consumer.saves_when_stopped()
    }

    fn checkpoint(&mut self, start: Start, pool: &Pool) -> Result<()> {
        let saved = self.consumer.checkpoint(start, pool);
        self.note(saved)
    }

    fn end(&mut self, archive: &str, pool: &Pool) -> Result<()> {
        let ended = self.consumer.end(archive, pool);
        self.note(ended)
    }
}

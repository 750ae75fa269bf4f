//! `validate`: a run that reads every game and writes no archive.
//!
//! In: archives. Out: counts, and the tables that all runs can write. Cost: that of
//! [`pgnmill_core::tasks::Validate`].

use std::path::PathBuf;
use std::sync::Arc;

use pgnmill_core::tasks;
use pgnmill_io::archive::RANGE_BYTES;
use pgnmill_io::error::{Error, Result};

use super::common_args::Common;
use super::defaults::defaults;
use super::distinct::distinct;
use super::host::{Completion, Host};
use super::journal::Continued;
use super::summary_args::SummaryArgs;
use super::task::Work;

/// Validates every move of every game.
#[derive(Debug, clap::Args)]
pub struct Validate {
    /// What all runs have in common.
    #[command(flatten)]
    pub common: Common,
    /// How the counts are stated.
    #[command(flatten)]
    pub summary: SummaryArgs,
}

impl Validate {
    /// Archives; the other fields have the defaults of the command line.
    pub fn new(inputs: impl IntoIterator<Item = impl Into<PathBuf>>) -> Validate {
        let mut request: Validate = defaults();
        request.common.inputs = inputs.into_iter().map(Into::into).collect();
        request
    }

    /// Runs it.
    ///
    /// # Errors
    /// What the request cannot have; what ends the run.
    pub fn run(mut self, host: &Arc<dyn Host>) -> Result<Completion> {
        self.common.summary_format = self.summary.format;
        validate(self, host)
    }
}

fn validate(args: Validate, host: &Arc<dyn Host>) -> Result<Completion> {
    let common = &args.common;
    if common.resume {
        return Err(Error::usage("--resume: validate has no output that could be continued"));
    }
    let job = Work::new(common, tasks::Validate, RANGE_BYTES, false)?;
    distinct(common, &[], &job.inputs, host)?;
    let mut done = job.run("validate", |_| Ok(()), Continued::default(), host)?;
    done.publish(Vec::new())?;
    Ok(done.completion())
}

//! `validate`: a run that reads every game and writes no archive.
//!
//! In: archives. Out: counts, and the tables that all runs can write. Cost: that of
//! [`pgnmill_core::tasks::Validate`].

use std::path::PathBuf;
use std::sync::Arc;

use pgnmill_core::tasks;
use pgnmill_io::archive::RANGE_BYTES;
use pgnmill_io::error::{Error, Result};

use crate::args::common::Common;
use crate::args::defaults::defaults;
use crate::args::options::options;
use crate::args::summary::SummaryArgs;
use crate::commands::first_faults::{FAULTS_MAX, FirstFaults};
use crate::host::{Completion, Host};
use crate::journal::Continued;
use crate::plan::distinct::distinct;
use crate::plan::dry_run;
use crate::run::outlets::Outlets;
use crate::run::task::Work;

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
    let mut job = Work::new(common, tasks::Validate, RANGE_BYTES, false)?;
    // The lines and games of a split are counted from its beginning, which a person cannot look up.
    let is_split = job.inputs.iter().any(|input| input.split().is_some());
    let prints = common.prints_summary() && !is_split;
    if !job.settings.faults {
        (job.settings.faults, job.settings.faults_max) = (prints, FAULTS_MAX as u64);
    }
    distinct(common, &[], &job.inputs, host)?;
    if dry_run::is_shown(common, &job.inputs, &[], "", &**host)? {
        return Ok(Completion::of(true));
    }
    let faults = FirstFaults::default();
    let mut done = job.run("validate", |_| Ok(faults), Continued::default(), host)?;
    if prints {
        let Outlets { parts, totals, .. } = &done.outlets;
        parts.print(&totals.counted.counts, common, &**host);
    }
    done.publish(Vec::new())?;
    Ok(done.completion())
}

options!(Validate: common; without summary; not);

//! What a run over a split cannot do, because a split is a part of an archive.
//!
//! In: capabilities, inputs. Out: an error. Cost: constant.

use std::path::Path;

use pgnmill_io::archive::Input;
use pgnmill_io::error::{Error, Result, Shown as _};

use crate::args::capabilities::Capabilities;

/// Is a split read?
pub(crate) fn is_split(inputs: &[Input]) -> bool {
    inputs.iter().any(|input| input.split().is_some())
}

/// Refuses what a run over splits cannot do, before any work.
///
/// # Errors
/// If a split is read, and an option requires a whole archive.
pub(super) fn check(command: &str, of: Capabilities<'_>, inputs: &[Input]) -> Result<()> {
    let splits = inputs.iter().filter(|input| input.split().is_some()).count();
    if splits > 0 && of.splitting.is_none() {
        return Err(Error::usage(format!(
            "{command} reads whole archives: splits are for validate, stats, convert, measure, export and positions"
        )));
    }
    if of.splitting.is_some_and(|it| it.ledger.is_some()) && splits != 1 {
        return Err(Error::usage("--ledger: only a run over one split has a row of the ledger"));
    }
    if splits > 0 && inputs.len() > 1 {
        return Err(Error::usage(
            "a run reads one split: the ledger and the tables of several would be mixed",
        ));
    }
    let refusals = [
        (of.resumes(), "--resume: a split is short; what was not finished is read anew"),
        (of.failures.keep_going, "--keep-going: a split that fails is to be read anew"),
        (of.reading.skip_damaged, "--skip-damaged: damage is skipped in whole archives only"),
        (
            of.files.rejects.is_some(),
            "--rejects: the texts of rejected games of several splits would not join; --faults has their offsets",
        ),
    ];
    match refusals.into_iter().find(|(is_given, _)| splits > 0 && *is_given) {
        Some((_, why)) => Err(Error::usage(format!("a split does not go with {why}"))),
        None => Ok(()),
    }
}

/// Refuses a directory as the output of a split: all splits of an archive would have one name in it.
///
/// # Errors
/// If there is a split.
pub(super) fn refuse_directory(directory: &Path, inputs: &[Input]) -> Result<()> {
    inputs.iter().find_map(Input::split).map_or(Ok(()), |split| {
        Err(Error::usage(format!(
            "{split} is written to a file: in the directory {} all splits of the archive would have one name",
            directory.shown()
        )))
    })
}

//! What a run over a split cannot do, because a split is a part of an archive.
//!
//! In: arguments, inputs. Out: an error. Cost: constant.

use pgnmill_io::archive::Input;
use pgnmill_io::error::{Error, Result};

use crate::args::common::Common;

/// Refuses what a run over splits cannot do, before any work.
pub(crate) fn refuse_for_splits(common: &Common, inputs: &[Input]) -> Result<()> {
    let splits = inputs.iter().filter(|input| input.split().is_some()).count();
    if common.ledger.is_some() && splits != 1 {
        return Err(Error::usage("--ledger: only a run over one split has a row of the ledger"));
    }
    if splits > 0 && inputs.len() > 1 {
        return Err(Error::usage(
            "a run reads one split: the ledger and the tables of several would be mixed",
        ));
    }
    let refusals = [
        (common.resume, "--resume: a split is short; what was not finished is read anew"),
        (common.keep_going, "--keep-going: a split that fails is to be read anew"),
        (common.skip_damaged, "--skip-damaged: damage is skipped in whole archives only"),
        (
            common.rejects.is_some(),
            "--rejects: the texts of rejected games of several splits would not join; --faults has their offsets",
        ),
    ];
    match refusals.into_iter().find(|(is_given, _)| splits > 0 && *is_given) {
        Some((_, why)) => Err(Error::usage(format!("a split does not go with {why}"))),
        None => Ok(()),
    }
}

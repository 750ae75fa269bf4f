//! A run over a split: what it counts besides its totals, and what it cannot do.
//!
//! In: the inputs and options of a run. Out: counts for the ledger; an error for an option that depends on more than
//! the text of one split. Cost: constant.

use pgnmill_core::engine::Survey;
use pgnmill_io::archive::{Input, SplitBase};
use pgnmill_io::error::{Error, Result};

use super::args::Common;

/// What a run counts for the ledger besides its totals.
#[derive(Clone, Debug, Default)]
pub(super) struct OfSplit {
    /// The number of the split, for each input that is one.
    ordinals: Vec<Option<u64>>,
    /// What the rows of the tables begin with.
    pub(super) before: SplitBase,
    /// Line ends that were read.
    pub(super) lines: u64,
    /// The encodings and line ends of the text.
    pub(super) survey: Survey,
}

impl OfSplit {
    /// Of the inputs of a run.
    pub(super) fn of(inputs: &[Input]) -> OfSplit {
        let ordinal = |input: &Input| input.split().map(|split| split.split.ordinal);
        OfSplit { ordinals: inputs.iter().map(ordinal).collect(), ..OfSplit::default() }
    }

    /// The number of the split, if an input is one.
    pub(super) fn ordinal(&self, input: usize) -> Option<u64> {
        self.ordinals.get(input).copied().flatten()
    }
}

/// Refuses what a run over splits cannot do, before any work.
pub(super) fn refuse_for_splits(common: &Common, inputs: &[Input]) -> Result<()> {
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

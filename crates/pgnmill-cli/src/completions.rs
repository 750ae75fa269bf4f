//! `pgnmill completions`: a script with which a shell completes commands, options and names.
//!
//! In: a shell. Out: its script, on standard output. Invariant: it is made from the declarations of the arguments, with
//! the names of notations, languages, rulesets, deviations, dimensions, columns and fields. Cost: constant.

use pgnmill_io::error::{Error, Result};

use super::args::Completions;
use super::host::{Completion, Host};
use super::parser::command;

pub(super) fn completions(args: &Completions, host: &dyn Host) -> Result<Completion> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut command(), "pgnmill", &mut script);
    let script = String::from_utf8(script);
    let script = script.map_err(|_| Error::usage("the script of this shell is not UTF-8"))?;
    host.show(&script)?;
    Ok(Completion::of(true))
}

//! The request whose fields have the defaults of the command line.
//!
//! In: the declarations of its options. Out: the request; what must be given has a value without meaning. Cost: that of
//! a parser, which is built and used once.

use clap::{Args, Command, FromArgMatches};

/// What stands for an input, an output or a name that must be given.
const PLACEHOLDER: &str = "-";

/// The request without inputs.
///
/// # Panics
/// If a default is no value of its option, which is a mistake in the declarations that a test finds.
pub(crate) fn defaults<R: Args + FromArgMatches>() -> R {
    let command = R::augment_args(Command::new("defaults")).mut_args(|arg| {
        let is_option = arg.is_required_set() && !arg.is_positional();
        if is_option { arg.required(false).default_value(PLACEHOLDER) } else { arg }
    });
    let matches = command.try_get_matches_from(["", PLACEHOLDER]);
    let request = matches.and_then(|mut matches| R::from_arg_matches_mut(&mut matches));
    request.unwrap_or_else(|error| unreachable!("{error}"))
}

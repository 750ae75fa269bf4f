//! From a request to its plan.
//!
//! In: a request, archives of a caller, a host. Out: a [`Plan`] and the task; or the first thing that cannot be.
//! Invariants: files that arguments name with `@` are read here, and once; nothing is written. Cost: some calls of the
//! system per file.

use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgnmill_core::select::Selection;
use pgnmill_io::archive::{Expanded, Input};
use pgnmill_io::error::{Error, Result, Shown as _};
use pgnmill_io::sink::{FileKey, input_keys, output_keys};

use crate::args::capabilities::Capabilities;
use crate::args::messages::ListFormat;
use crate::args::output_path::{self, Written};
use crate::args::sample::{SampleArgs, SampleSize};
use crate::args::selecting::{Expression, digest_of};
use crate::args::values::needs;
use crate::host::Host;

use super::distinct::{distinct_files, keys_of, refuse_stdout, warn_of_left_overs};
use super::identity::{Identity, words_of_games};
use super::names::{Outputs, Place};
use super::positions;
use super::purpose::{Purpose, Request, Selects};
use super::settings::settings;
use super::splits;
use super::{FILES, Inputs, Plan, Resumption};

/// The plan of a request, and its task. `given`: archives of a caller in the same process, which are read in place of
/// those that the request names.
///
/// # Errors
/// Whatever the request cannot have.
pub(crate) fn resolve<R: Request>(
    request: &R,
    given: Option<Vec<Input>>,
    host: &Arc<dyn Host>,
) -> Result<(Plan, R::Task)> {
    let of = request.capabilities();
    of.check()?;
    needs(("--sample", request.draws()), &[("--seed", of.sample.seed != 0)])?;
    request.check()?;
    // Standard output is that of the process, not of the host.
    if given.is_some() || host.takes_events() {
        refuse_standard_output(of)?;
    }
    let condition = of.selecting.condition.as_deref();
    let condition = condition.map(|text| Expression::read("--where", text)).transpose()?;
    let Expanded { inputs, skipped, hidden_count } = archives(of, given, request.apart())?;
    splits::check(R::NAME, of, &inputs)?;
    check_sample(of.sample, &inputs)?;
    let records = positions::records(request, of, &inputs)?;
    let (purpose, task) = request.purpose(&inputs, &**host)?;
    let is_split = splits::is_split(&inputs);
    let mut settings = settings(of, &purpose, condition.as_ref(), is_split, &**host)?;
    settings.options.records = records;
    if let (Some(output), Some(written)) = (purpose.place.path(), purpose.written) {
        output_path::check(R::NAME, output, written.of(records))?;
    }
    let Purpose { is_text, level, .. } = purpose;
    let place = purpose.place.clone();
    let outputs = Outputs::of(place, is_text, level, &inputs, &of.reading.inputs)?;
    // A selection may write much less.
    let bytes = if condition.is_some() { 0 } else { outputs.bytes };
    let resolved = condition.iter().map(|it| ("--where", it.text().to_string()));
    let files = settings.selection.iter().flat_map(|it| it.files());
    let digests: Vec<String> = files.map(|(_, positions)| digest_of(positions)).collect();
    let digests = (!digests.is_empty()).then(|| (FILES, digests.join(" ")));
    let resolved = resolved.chain(digests).chain(purpose.resolved.iter().cloned()).collect();
    let games = words_of_games(of, condition.as_ref());
    let identity = Identity::of(R::NAME, request, resolved, purpose.words.clone(), games);
    let read = files_read(of, &inputs, &purpose, condition.as_ref(), settings.selection.as_deref());
    let split = match &inputs[..] {
        [input] => input.split().cloned(),
        _ => None,
    };
    let ledger = of.splitting.and_then(|it| it.ledger.clone());
    let plan = Plan {
        identity,
        inputs: Inputs { all: inputs, skipped, hidden_count, split, ledger, read },
        settings,
        sample: of.sample,
        outputs: Outputs { bytes, ..outputs },
        files: of.files.clone(),
        messages: *of.messages,
        format: of.format,
        keeps_going: of.failures.keep_going,
        journal: of.resuming.map(|&args| Resumption { args, refusal: purpose.refusal }),
    };
    check_outputs(&plan, purpose.shows_result, host)?;
    if !plan.keeps_going {
        check_inputs(&plan)?;
    }
    Ok((plan, task))
}

/// The archives to read.
fn archives(
    of: Capabilities<'_>,
    given: Option<Vec<Input>>,
    apart: Option<&Path>,
) -> Result<Expanded> {
    let paths = &of.reading.inputs;
    let split = of.splitting.filter(|it| it.split.is_some());
    let inputs = match (given, split) {
        (Some(given), None) => given,
        (None, None) if paths.is_empty() => {
            return Err(Error::usage("there is nothing to read: no archive is named"));
        }
        (Some(_), Some(_)) => {
            return Err(Error::usage("--split: the archives are given otherwise"));
        }
        (None, None) => return Expanded::of(paths, of.failures.keep_going, apart),
        (None, Some(split)) => split.source(paths)?.map(Input::Named).into_iter().collect(),
    };
    Ok(Expanded { inputs, ..Expanded::default() })
}

/// Refuses a sample of a number of games of what can be read once only, or of a split.
fn check_sample(args: SampleArgs, inputs: &[Input]) -> Result<()> {
    let Some(SampleSize::Games(_)) = args.size()? else { return Ok(()) };
    if splits::is_split(inputs) {
        let message =
            "--sample of a split takes a share, such as 10%: the other games are elsewhere";
        return Err(Error::usage(message));
    }
    // A path that does not exist is named after the options were checked.
    let is_read_once = |input: &&Input| match input {
        Input::Path(path) => path.exists() && !input.is_repeatable(),
        Input::Stdin | Input::Named(_) => !input.is_repeatable(),
    };
    let Some(input) = inputs.iter().find(is_read_once) else { return Ok(()) };
    let name = input.name();
    Err(Error::usage(format!(
        "--sample with a number reads the inputs twice, which {} does not allow: take a share, such as 10%",
        name.shown()
    )))
}

/// Refuses tables on standard output, which is that of the process of a caller.
fn refuse_standard_output(of: Capabilities<'_>) -> Result<()> {
    let ledger = of.splitting.and_then(|it| it.ledger.as_deref());
    let mut tables = of.files.tables().map(|(_, path, _)| path).chain(ledger);
    match tables.any(|path| path == Path::new("-")) {
        true => {
            Err(Error::usage("a table of the run is written to a file, not to standard output"))
        }
        false => Ok(()),
    }
}

/// The files that a run reads: its inputs, and those that its arguments name.
fn files_read(
    of: Capabilities<'_>,
    inputs: &[Input],
    purpose: &Purpose,
    condition: Option<&Expression>,
    selection: Option<&Selection>,
) -> HashSet<FileKey> {
    let key = match &purpose.selects {
        Selects::Keys(_, key) => Some(key),
        Selects::AsGiven | Selects::Each | Selects::Order(..) => None,
    };
    let expressions = [condition, key].into_iter().flatten().filter_map(Expression::path);
    let split = of.splitting.filter(|it| it.split.is_some());
    let places = split.iter().flat_map(|_| &of.reading.inputs).map(PathBuf::as_path);
    let named = expressions.chain(split.and_then(|it| it.file())).chain(places);
    let positions = selection.iter().flat_map(|it| it.files()).map(|(name, _)| Path::new(name));
    let named = named.chain(positions).chain(purpose.read.iter().map(PathBuf::as_path));
    inputs.iter().flat_map(keys_of).chain(named.flat_map(input_keys)).collect()
}

/// Refuses inputs that are not there, before anything is written: the last of many would be missed after hours.
fn check_inputs(plan: &Plan) -> Result<()> {
    plan.inputs.all.iter().try_for_each(|input| match input {
        Input::Path(path) => match path.metadata() {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(Error::io("open", path, error))
            }
            _ => Ok(()),
        },
        Input::Stdin | Input::Named(_) => Ok(()),
    })
}

/// Refuses outputs of which one would replace another or an input, and names that request another format.
fn check_outputs(plan: &Plan, shows_result: bool, host: &Arc<dyn Host>) -> Result<()> {
    let paths = plan.paths();
    let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    check_standard_output(plan, shows_result, &paths)?;
    let read = &plan.inputs.read;
    distinct_files(&paths, read)?;
    refuse_stdout(read)?;
    let ledger = plan.inputs.ledger.as_deref();
    let ledger = ledger.map(|path| ("--ledger", path, Written::CsvTable));
    let mut tables = plan.files.tables().chain(ledger);
    let of = |written: Written| written.of(plan.records());
    tables.try_for_each(|(option, path, written)| output_path::check(option, path, of(written)))?;
    // A run that goes on names those that it removes.
    if !plan.messages.quiet && !plan.resumes() {
        warn_of_left_overs(&paths, read, &**host);
    }
    Ok(())
}

/// Refuses two things on standard output: an output that is standard output by any name, and the summary as data or the
/// result of a command.
fn check_standard_output(plan: &Plan, shows_result: bool, outputs: &[&Path]) -> Result<()> {
    let stdout = output_keys(Path::new("-"));
    let is_taken = |path: &&Path| output_keys(path).iter().any(|key| stdout.contains(key));
    match outputs.iter().any(is_taken) {
        true if plan.format != ListFormat::Text => Err(Error::usage(
            "--format writes the summary to standard output, which an output named - takes: name a file, or take \
             --summary FILE",
        )),
        true if shows_result => Err(Error::usage(
            "the result is written to standard output, which an output named - takes: name a file",
        )),
        _ => Ok(()),
    }
}

impl Plan {
    /// Checks once more that the outputs are different files, now that their directories are there.
    ///
    /// # Errors
    /// Two names of one file.
    pub(crate) fn check_again(&self) -> Result<()> {
        let paths = self.paths();
        let paths: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
        distinct_files(&paths, &self.inputs.read)
    }

    /// The directory of files whose names turn out during the run.
    pub(crate) fn open_directory(&self) -> Option<&Path> {
        match &self.outputs.place {
            Place::ByValue { directory, .. } => Some(directory),
            _ => None,
        }
    }
}

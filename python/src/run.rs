//! Runs of commands: `validate`, `convert` and the others, in the process of Python.
//!
//! In: the words of a command, and sources. Out: the summary, the texts and the bytes of the run, as a tuple of which
//! `pgnmill._run` makes result objects. Invariants: the run is on threads of its own, and the interpreter lock is
//! free; an exception of a signal handler or of the callable for progress, and the end of the interpreter, end the run,
//! which leaves no output. Cost: that of the program.

use std::ffi::OsString;
use std::io::{self, Write};
use std::sync::Arc;

use pgnmill::{Error, ErrorKind, Input};
use pgnmill_cli::run_in;
use pgnmill_run::{Completion, Host, NamedRequest, Recorded};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::calls::Calls;
use crate::ending;
use crate::error::{to_python, usage};
use crate::guarded;
use crate::run_host::{Collector, Step};
use crate::source;
use crate::waiting::wait;

/// Adds the functions of this file.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(run_command, module)?)?;
    module.add_function(wrap_pyfunction!(options_of, module)?)?;
    module.add_function(wrap_pyfunction!(main, module)?)
}

/// What a run returns: is it clean; the inputs that failed; the rows of the summary, the warnings, the text that the
/// program prints, the text that it shows, the bytes of the output that is named `-`.
type Ran = (bool, u64, Vec<(String, String)>, Vec<String>, String, String, Py<PyBytes>);

/// Runs a command with these options: names without dashes, and texts. `source` is what to read, unless the options
/// name it; with `split` a part of it.
#[pyfunction]
#[pyo3(signature = (command, options, source, split, progress))]
fn run_command(
    py: Python<'_>,
    command: String,
    options: Vec<(String, Vec<OsString>)>,
    source: Option<&Bound<'_, PyAny>>,
    split: Option<&Bound<'_, PyAny>>,
    progress: Option<Py<PyAny>>,
) -> PyResult<Ran> {
    let calls = Calls::new();
    let inputs = source.map(|source| source::inputs(source, split, &calls)).transpose()?;
    let collector = Arc::new(Collector::new(Arc::clone(&calls), progress.is_some()));
    ending::watch(py, &collector);
    let report_progress = |py: Python<'_>| {
        let Some(progress) = &progress else { return Ok(()) };
        collector.take_steps().into_iter().try_for_each(|step| {
            let arguments = arguments_of(step).into_pyobject(py)?;
            guarded::call(progress.bind(py), &arguments).map(drop)
        })
    };
    let host: Arc<dyn Host> = Arc::clone(&collector) as _;
    let run = || run(&command, options, inputs, &host);
    let ran = wait(py, &calls, run, report_progress)?;
    let Completion { is_clean, failed_inputs, .. } =
        ran.map_err(|error| exception_of(py, &error, &command))?;
    // The run has ended, and its outputs have their names: an exception of the callable changes nothing.
    report_progress(py)?;
    let Recorded { text, warnings, shown, facts, output, .. } = collector.take();
    let output = PyBytes::new(py, &output).unbind();
    Ok((is_clean, failed_inputs, facts, warnings, text, shown, output))
}

/// Runs the request with this name; `explain`, which is no run, is a command of the program.
fn run(
    command: &str,
    options: Vec<(String, Vec<OsString>)>,
    inputs: Option<Vec<Input>>,
    host: &Arc<dyn Host>,
) -> Result<Completion, Error> {
    let Some(mut request) = NamedRequest::of(command) else {
        let mut words = vec![OsString::from(command)];
        for (name, texts) in options {
            words.extend(texts.into_iter().map(|text| {
                let mut word = OsString::from(format!("--{name}="));
                word.push(text);
                word
            }));
        }
        return run_in(words, inputs, Arc::clone(host));
    };
    for (name, texts) in options {
        request.set(&name, &texts)?;
    }
    if let Some(inputs) = inputs {
        request.set_archives(inputs)?;
    }
    request.run(host)
}

/// The arguments of the callable for progress.
type StepArguments = (
    (&'static str, f64, usize, usize, String, u64, Option<u64>, u64, u64, u64, Option<u64>),
    Option<(u64, u64)>,
    Option<String>,
);

fn arguments_of(step: Step) -> StepArguments {
    let Step { event, seconds, input, inputs, name, stored_bytes, stored_bytes_total, .. } = step;
    let Step { games, rejected, games_per_second, remaining_seconds, counts, failed, .. } = step;
    let numbers = (games, rejected, games_per_second, remaining_seconds);
    let (games, rejected, rate, remaining) = numbers;
    let fields = (
        event,
        seconds,
        input,
        inputs,
        name,
        stored_bytes,
        stored_bytes_total,
        games,
        rejected,
        rate,
        remaining,
    );
    (fields, counts, failed)
}

/// The exception of an error; options have the names that they have in Python.
pub(crate) fn exception_of(py: Python<'_>, error: &Error, command: &str) -> PyErr {
    match error.kind() {
        ErrorKind::Usage(message) => usage(py, &in_python(message, command)),
        _ => to_python(py, error),
    }
}

/// A message in which `--keep-rejects` is `keep_rejects`.
pub(crate) fn in_python(message: &str, command: &str) -> String {
    let options = pgnmill_cli::options_of(command).unwrap_or_default();
    let mut text = String::with_capacity(message.len());
    let mut rest = message;
    while let Some(at) = rest.find("--") {
        let (before, after) = (&rest[..at], &rest[at + 2..]);
        let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
        let end = after.find(|c| !is_name(c)).unwrap_or(after.len());
        let name = &after[..end];
        text.push_str(before);
        match options.iter().any(|option| option.name == name) {
            true => text.push_str(&keyword(name)),
            false => text.extend(["--", name]),
        }
        rest = &after[end..];
    }
    text + rest
}

/// The keyword of an option: `from` is a word of Python.
fn keyword(name: &str) -> String {
    match name {
        "from" => "from_notation".to_string(),
        name => name.replace('-', "_"),
    }
}

/// An option: its keyword, whether it takes a value, whether it takes several, its default, its values, its help.
type OptionRow = (String, bool, bool, Option<String>, Vec<String>, String);

/// The options of a command that the help lists.
#[pyfunction]
fn options_of(py: Python<'_>, command: &str) -> PyResult<Vec<OptionRow>> {
    let options = pgnmill_cli::options_of(command)
        .ok_or_else(|| usage(py, &format!("there is no command {command}")))?;
    let listed = options.into_iter().filter(|option| !option.is_hidden);
    let row = |option: pgnmill_cli::CommandOption| {
        let name = keyword(&option.name);
        let (takes_value, is_list) = (option.takes_value, option.is_list);
        (name, takes_value, is_list, option.default, option.choices, option.help)
    };
    Ok(listed.map(row).collect())
}

/// The program: runs the command of these words and returns the exit code. It handles signals, as the program does.
#[pyfunction]
fn main(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| {
        let code = pgnmill_cli::main_of(words);
        // The end of Python does not flush what Rust has buffered; an error was an error of the run before.
        drop(io::stdout().flush());
        code
    })
}

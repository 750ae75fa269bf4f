//! The program: one command per process.
//!
//! In: the words of the command line. Out: texts on standard output and standard error, an exit code. Signals of the
//! process are handled here and nowhere else. Cost: that of the run.

use std::error::Error as _;
use std::ffi::OsString;
use std::io::{self, IsTerminal as _, Write};
use std::num::ParseIntError;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use clap::error::{ContextKind, ContextValue};
use pgnmill_core::notation;
use pgnmill_core::pgn::Tag;
use pgnmill_core::select::{FieldKind, Selection, fields};
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, ErrorKind, Result};

use super::args::Args;
use super::habits;
use super::left_behind;
use super::messages::{self, Program};
use super::options;
use super::parser::{self, command_of};
use super::spellings;
use super::written_names::{as_written, error_as_written};
use pgnmill_run::host::{Completion, Host};
use pgnmill_run::text::numbers::count;
use pgnmill_run::text::suggestion::slips_of;

/// All games are valid.
const EXIT_CLEAN: u8 = 0;
/// The run succeeded, and some games were rejected.
const EXIT_FAULTS: u8 = 1;
/// The run failed.
const EXIT_ERROR: u8 = 2;
/// The run was interrupted: 128 + SIGINT.
const EXIT_INTERRUPTED: u8 = 130;

/// Files that a run may have open, where the system allows that: more than the outputs of any command.
const OPEN_FILES: u64 = 4_096;

/// Names of a directory among which a similar one is looked for, at most.
const NEAR_FILES_MAX: usize = 10_000;

/// Runs the command that this process was started with.
pub fn main() -> ExitCode {
    ExitCode::from(main_of(std::env::args_os()))
}

/// Runs the command of these words, of which the first one is the name of the program; returns the exit code. It
/// handles signals of the process, and can be called once.
pub fn main_of(words: impl IntoIterator<Item = OsString>) -> u8 {
    let words: Vec<OsString> = words.into_iter().collect();
    let mut command = command_of(&words);
    let parsed = match options::with_one_dash(&words) {
        None => parser::parse(command, &words),
        Some(name) => Err(command.error(
            clap::error::ErrorKind::UnknownArgument,
            format!("there is no option -{name}: a long name has two dashes, --{name}"),
        )),
    };
    let args = match parsed {
        Ok(args) => args,
        Err(error) => {
            let error = advised(error, &words);
            // Help is printed on standard output and is not an error; neither is a broken pipe.
            let code = if error.use_stderr() { EXIT_ERROR } else { EXIT_CLEAN };
            drop(error.print());
            return code;
        }
    };
    let is_short = args.command.is_quiet();
    let goes_on = args.command.resumes();
    let program = Arc::new(Program::new(args.color));
    match run(args, &program) {
        Ok(Completion { is_clean: true, .. }) => EXIT_CLEAN,
        Ok(_) => EXIT_FAULTS,
        Err(error) => match error.kind() {
            ErrorKind::PipeClosed => EXIT_CLEAN,
            kind => {
                let interrupted = matches!(kind, ErrorKind::Interrupted);
                let left = match program.take_left() {
                    Some(left) => left_behind::text(&left, is_short),
                    None if interrupted && goes_on => {
                        "; what the run before it has left is as it was".to_string()
                    }
                    None if interrupted => "; this run leaves no file".to_string(),
                    None => String::new(),
                };
                let advice = advice(kind, &words);
                let message = format!("{error}{advice}{left}");
                let message = as_written(message, &words);
                drop(writeln!(std::io::stderr(), "pgnmill: {message}"));
                if interrupted { EXIT_INTERRUPTED } else { EXIT_ERROR }
            }
        },
    }
}

/// The error of the parser, with what helps: a path in the place of a command is to be validated, and words of other
/// programs, or of other commands, mean something here.
pub(super) fn advised(error: clap::Error, words: &[OsString]) -> clap::Error {
    let mut error = error_as_written(error, words);
    // That a value can follow `--` is no help to one who means an option; and names that have some letters in common
    // are other names.
    for kind in
        [ContextKind::Suggested, ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand]
    {
        error.remove(kind);
    }
    let word = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.clone()),
        _ => None,
    };
    if error.kind() == clap::error::ErrorKind::ValueValidation
        && error.source().is_some_and(|why| why.is::<ParseIntError>())
        && let (Some(option), Some(value)) =
            (word(ContextKind::InvalidArg), word(ContextKind::InvalidValue))
    {
        let message = format!("{option} takes a whole number; not {}", value.shown());
        return failed(words, error.kind(), message);
    }
    if error.kind() == clap::error::ErrorKind::MissingRequiredArgument
        && let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg)
        && let Some(message) = missing_argument(missing, words)
    {
        return failed(words, error.kind(), message);
    }
    let command = word(ContextKind::InvalidSubcommand);
    let option = word(ContextKind::InvalidArg);
    let message = match (&command, &option) {
        (Some(word), _) if Path::new(word).exists() => {
            let word = word.shown();
            format!(
                "{word} is no command but a path: `pgnmill validate {word}` validates its games"
            )
        }
        (Some(word), _) => match habits::of_command(word).map(str::to_string).or(near(word)) {
            Some(advice) => format!("there is no command {}: {advice}", word.shown()),
            None => return error,
        },
        (None, Some(word)) if error.kind() == clap::error::ErrorKind::UnknownArgument => {
            match options::advice(word, words) {
                Some(advice) => format!("there is no option {} here: {advice}", word.shown()),
                None => return error,
            }
        }
        _ => return error,
    };
    failed(words, error.kind(), message)
}

/// An error with the usage of the command that was typed.
fn failed(words: &[OsString], kind: clap::error::ErrorKind, message: String) -> clap::Error {
    let mut program = parser::command();
    program.build();
    let own = spellings::command_of(words).filter(|name| program.find_subcommand(name).is_some());
    match own.and_then(|name| program.find_subcommand_mut(name)) {
        Some(own) => own.error(kind, message),
        None => program.error(kind, message),
    }
}

/// What is missing, and how it is named, if that is not clear from its name.
fn missing_argument(missing: &[String], words: &[OsString]) -> Option<String> {
    let is = |part: &str| missing.iter().any(|name| name.contains(part));
    let taken = taken_by_option(words);
    let input = format!("an INPUT is missing: a file, a directory, or - for standard input{taken}");
    let output = match is("--output <DIR>") {
        true => "--output is missing: -o DIR, a directory for the tables",
        false if spellings::has_directory(words) => {
            "--output is missing: -o DIR/, a directory for the files"
        }
        false => "--output is missing: -o FILE, or -o - to print",
    };
    if is("--game") && is("--at") {
        return Some(
            "--game N or --at BYTE is missing; `pgnmill validate FILE` lists the games with faults"
                .to_string(),
        );
    }
    if is("--to <") {
        return Some(
            "--to NOTATION is missing: `pgnmill notations` lists them; to SAN, what can be repaired included, is \
             `pgnmill repair`"
                .to_string(),
        );
    }
    if is("<TABLES>") {
        return Some(
            "TABLES are missing: a directory that `pgnmill measure -o DIR INPUT` writes, or a table that \
             `pgnmill positions -o TABLE.parquet INPUT` writes"
                .to_string(),
        );
    }
    if is("<DIR>") && !is("--output") {
        return Some(
            "a DIR is missing: a directory of tables, which `pgnmill measure -o DIR INPUT` writes"
                .to_string(),
        );
    }
    match (is("<INPUT>"), is("--output")) {
        (true, true) => Some(format!("{input}; {output}")),
        (true, false) => Some(input),
        (false, true) => Some(output.to_string()),
        (false, false) => None,
    }
}

/// The end of a sentence about a file that an option has taken as its value, where one to read is missing.
fn taken_by_option(words: &[OsString]) -> String {
    let is_option = |word: &OsString| word.as_encoded_bytes().starts_with(b"-");
    let taken = words.windows(2).find(|pair| is_option(&pair[0]) && Path::new(&pair[1]).exists());
    taken.map_or_else(String::new, |pair| {
        let [option, path] = [&pair[0], &pair[1]].map(|word| Path::new(word).shown());
        format!("; {path} is the value of {option}")
    })
}

/// The command of which a word is a slip.
fn near(word: &str) -> Option<String> {
    let command = parser::command();
    let names = command.get_subcommands().flat_map(|command| {
        std::iter::once(command.get_name()).chain(command.get_visible_aliases())
    });
    let names = slips_of(word, names);
    (!names.is_empty()).then(|| format!("did you mean {}?", names.join(" or ")))
}

/// The option that helps with an error; follows its message.
fn advice(kind: &ErrorKind, words: &[OsString]) -> String {
    if let ErrorKind::Io { path, source, .. } = kind
        && source.kind() == io::ErrorKind::NotFound
        && let Some(names) = names_with_commas(path)
    {
        return format!("; names of inputs have spaces between them and no commas: {names}");
    }
    if let ErrorKind::Io { path, source, .. } = kind
        && source.kind() == io::ErrorKind::NotFound
        && let Some(option) = option_before(path, words)
    {
        return format!("; the value of {option} has an equals sign: {option}={}", path.shown());
    }
    if let ErrorKind::Io { path, source, .. } = kind
        && source.kind() == io::ErrorKind::NotFound
        && is_last_of_several(path, words)
    {
        return "; is it the output? it is named with -o".to_string();
    }
    if let ErrorKind::Io { path, source, .. } = kind
        && source.kind() == io::ErrorKind::NotFound
        && !is_pattern(&path.to_string_lossy())
        && let Some(near) = near_file(path)
    {
        return format!("; did you mean {}?", near.shown());
    }
    let advice = match kind {
        ErrorKind::Damaged { frame: 0, .. } => "; --skip-damaged reads the games before that",
        ErrorKind::Damaged { .. } => "; --skip-damaged reads the others",
        ErrorKind::Exists(_) => "; give --overwrite to replace it",
        ErrorKind::Io { source, .. } if is_of_open_files(source) => {
            "; raise the limit on open files (ulimit -n), or write fewer outputs"
        }
        ErrorKind::Io { path, source, .. } if source.kind() == io::ErrorKind::NotFound => {
            let (directory, path) = (missing_directory(path), path.to_string_lossy());
            match () {
                () if Path::new(&*path).is_symlink() => "; it is a link to nothing",
                () if path.contains("://") => {
                    "; an address is not opened: curl -s ADDRESS | pgnmill … -"
                }
                () if is_expression(&path) => "; an expression follows --where",
                () if is_flag(&path) => "; a condition follows --where: --where mate",
                () if is_listed(&path) => {
                    "; names of a list have commas between them and no blanks: White,Black"
                }
                () if is_pattern(&path) => "; no file has a name of this pattern",
                () if directory.is_some() => {
                    let directory = directory.unwrap_or(Path::new("")).shown();
                    return format!("; there is no directory {directory}");
                }
                () => "",
            }
        }
        _ => "",
    };
    advice.to_string()
}

/// The option before a path that can have a value only behind an equals sign, and would have had this one.
fn option_before(path: &Path, words: &[OsString]) -> Option<String> {
    let pair = words.windows(2).find(|pair| Path::new(&pair[1]) == path)?;
    let (option, value) = (pair[0].to_str()?, pair[1].to_str()?);
    let command = parser::command();
    let command = command.find_subcommand(spellings::command_of(words)?)?;
    let argument = command
        .get_arguments()
        .find(|it| it.get_long().is_some_and(|long| option.strip_prefix("--") == Some(long)))?;
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit());
    (argument.is_require_equals_set() && is_number).then(|| option.to_string())
}

/// Is a path the last word of a command that writes games, after an input and without an output, as for `cp`?
fn is_last_of_several(path: &Path, words: &[OsString]) -> bool {
    let writes = spellings::command_of(words)
        .is_some_and(|name| ["convert", "repair", "select", "sort", "export"].contains(&name));
    let names_output = words.iter().any(|word| {
        let word = word.as_encoded_bytes();
        word.starts_with(b"-o") || word.starts_with(b"--output")
    });
    let [.., before, last] = words else { return false };
    writes && !names_output && Path::new(last) == path && Path::new(before).exists()
}

/// Has a path characters that a shell replaces by names, if there are such?
fn is_pattern(path: &str) -> bool {
    path.contains(['*', '?', '['])
}

/// The directory of a path, if there is none.
fn missing_directory(path: &Path) -> Option<&Path> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty())?;
    (!parent.exists() && !path.to_string_lossy().contains("://")).then_some(parent)
}

/// The names that commas separate in a path to nothing, if each is that of a file or directory.
fn names_with_commas(path: &Path) -> Option<String> {
    let names: Vec<&str> = path.to_str()?.split(',').map(str::trim).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
    let is_there = |name: &&str| Path::new(name).exists();
    let shown = |name: &&str| match name.contains(char::is_whitespace) {
        true => format!("'{}'", name.shown()),
        false => name.shown().to_string(),
    };
    let has_all = !names.is_empty() && names.iter().all(is_there);
    has_all.then(|| names.iter().map(shown).collect::<Vec<_>>().join(" "))
}

/// A file or directory beside a path to nothing, of whose name its own is a slip.
fn near_file(path: &Path) -> Option<PathBuf> {
    let (name, parent) = (path.file_name()?.to_str()?, path.parent()?);
    let directory = if parent.as_os_str().is_empty() { Path::new(".") } else { parent };
    let entries = std::fs::read_dir(directory).ok()?.take(NEAR_FILES_MAX);
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.retain(|other| other != name);
    names.sort_unstable();
    let near = slips_of(name, names.iter().map(String::as_str));
    near.first().map(|near| parent.join(near))
}

/// Is it an expression of `--where`, and no path?
fn is_expression(path: &str) -> bool {
    let operators = ["==", "!=", "=~", "!~", ">", "<", " like ", " in ", " is ", "("];
    operators.iter().any(|operator| path.contains(operator))
        && (path.contains("==") || Selection::parse(path).is_ok())
}

/// Is it a condition of one word, such as `mate`?
fn is_flag(path: &str) -> bool {
    fields().any(|field| field.name == path && field.kind == FieldKind::Bool)
}

/// Is it a name that a list of columns, fields or notations has?
fn is_listed(path: &str) -> bool {
    Tag::of(path).is_some()
        || fields().any(|field| field.name == path)
        || notation::find(path).is_some()
}

/// Has the process too many open files?
fn is_of_open_files(error: &io::Error) -> bool {
    cfg!(unix) && error.raw_os_error() == Some(libc::EMFILE)
}

/// Raises the limit on open files as far as the process may: one output per value of a field has more than is usual.
#[cfg(unix)]
fn raise_open_files() {
    use rustix::process::{Resource, getrlimit, setrlimit};
    let mut limit = getrlimit(Resource::Nofile);
    limit.current = limit.maximum.map(|most| most.min(OPEN_FILES)).or(Some(OPEN_FILES));
    if getrlimit(Resource::Nofile).current.is_some_and(|now| Some(now) < limit.current)
        && let Err(error) = setrlimit(Resource::Nofile, limit)
    {
        log::debug!("the limit on open files stays: {error}");
    }
}

#[cfg(not(unix))]
fn raise_open_files() {}

/// # Errors
/// What ends the run; inputs that could not be read to their end.
fn run(args: Args, program: &Arc<Program>) -> Result<Completion> {
    messages::set_log_level(args.log);
    raise_open_files();
    if !pgnmill_io::sink::fail_writes() {
        log::debug!("a limit on the size of files will end the program");
    }
    if !pgnmill_io::archive::install_truncation_guard() {
        log::debug!("a mapped file that becomes shorter will end the program");
    }
    let (interrupted, stopped) = (Arc::clone(program), Arc::clone(program));
    pgnmill_io::sink::stops_when(move || stopped.stop().load(Ordering::Relaxed));
    ctrlc::set_handler(move || {
        if !interrupted.stop().swap(true, Ordering::Relaxed) && io::stderr().is_terminal() {
            // What is being compressed and saved can take a moment.
            drop(io::stderr().write_all(b"stopping\xe2\x80\xa6\n"));
        }
    })
    .map_err(|error| Error::usage(format!("cannot listen for Ctrl-C: {error}")))?;
    let host: Arc<dyn Host> = Arc::clone(program) as _;
    let completion = args.command.run(&host, parser::command)?;
    match completion.failed_inputs {
        0 => Ok(completion),
        failed => {
            let inputs = count(completion.inputs, "input", "inputs");
            Err(Error::usage(format!("{failed} of {inputs} could not be read to the end")))
        }
    }
}

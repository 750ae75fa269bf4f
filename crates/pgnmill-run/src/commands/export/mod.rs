//! `export`: a run that writes games or plies as columns.
//!
//! In: archives. Out: a file, one per input, or one per value of some columns. Invariants: no file has its name before
//! it is complete; every game that is not rejected has its rows, and the metadata of each file states the
//! ledger. Cost: that of [`pgnmill_columns`].

pub(crate) mod args;
mod near_columns;
mod partition;
mod target;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgnmill_columns::{
    FRAME_STORED_BYTES_MAX, FRAME_TEXT_BYTES_MAX, Format, PartitionKey, PlyFilter, SelectionError,
    Table,
};
use pgnmill_core::select::Share;
use pgnmill_io::archive::{BLOCK_BYTES, Input};
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};

use crate::args::defaults::defaults;
use crate::args::names::{find_notation, unknown_column};
use crate::args::options::options_of_outputs;
use crate::args::output_path::{self, Written::Columns, is_directory};
use crate::args::sample::SampleSize;
use crate::args::values::level_of;
use crate::commands::convert::{directories_of, refuse_directory, unique};
use crate::commands::export::target::{FileKind, Target, print_ledger};
use crate::host::{Completion, Host, Stream};
use crate::journal::{self, Begun, Plan};
use crate::outputs::destination::{Paths, Resumed};
use crate::plan::distinct::distinct;
use crate::plan::dry_run;
use crate::run::task::Work;
use crate::text::shell::{flag, option};
use crate::text::suggestion;

impl args::Export {
    /// Archives, and the output; the other fields have the defaults of the command line.
    pub fn new(
        inputs: impl IntoIterator<Item = impl Into<PathBuf>>,
        output: impl Into<PathBuf>,
    ) -> args::Export {
        let mut request: args::Export = defaults();
        request.common.inputs = inputs.into_iter().map(Into::into).collect();
        request.output = output.into();
        request
    }

    /// Runs it.
    ///
    /// # Errors
    /// What the request cannot have; what ends the run.
    pub fn run(self, host: &Arc<dyn Host>) -> Result<Completion> {
        export(self, host)
    }
}

fn export(args: args::Export, host: &Arc<dyn Host>) -> Result<Completion> {
    let level = level_of(args.level)?;
    let common = &args.common;
    let task = task(&args)?;
    let format = format(&args)?;
    let is_partitioned = is_partitioned(&args);
    let into_directory = is_directory(&args.output) || is_partitioned;
    refuse_terminal(&args.output, format, &**host)?;
    refuse_one_file(&args)?;
    let job = Work::new(common, task.clone(), BLOCK_BYTES, false)?
        .with_frames_of(FRAME_STORED_BYTES_MAX, FRAME_TEXT_BYTES_MAX)
        .with_options(command(&args, format));
    if !is_partitioned {
        refuse_directory(&args.output, into_directory, &job.inputs)?;
    }
    let directory = directory_of(&args);
    let outputs = if !into_directory {
        vec![args.output.clone()]
    } else if !is_partitioned {
        unique(job.inputs.iter().map(|input| directory.join(file_name(&args, input, format))))?
    } else {
        Vec::new()
    };
    // Removed if the run fails, after their contents.
    let new_directories = directories_of(into_directory, directory, &outputs)?;
    if let Some(first) = task.partition_by.first() {
        refuse_partitions(directory, first.name())?;
    }
    let job = job.writing(&args.output, 0);
    distinct(common, &outputs, &job.inputs, host)?;
    if dry_run::is_shown(common, &job.inputs, &outputs, &partitions(&args), &**host)? {
        return Ok(Completion::of(true));
    }
    let command = command(&args, format);
    let plan = Plan {
        command: "export",
        options: options(&args, format),
        inputs: &job.inputs,
        output: &args.output,
        is_directory: into_directory,
        outputs: common.outputs(&outputs),
        refusal: is_partitioned.then_some("a run that writes partitions cannot be continued"),
    };
    let continued = match journal::begin(common, &plan, host)? {
        Begun::Run(continued) => *continued,
        Begun::Done(clean) => return Ok(Completion::of(clean)),
    };
    let job = job.sampled(&args.sample, host)?;
    let kind = file_kind(&args, task, format, level, command, host);
    let target = |resumed: Option<Resumed<'_, '_>>| {
        if is_partitioned {
            return Ok(Target::partitioned(kind, directory.into()));
        }
        let paths =
            Paths { outputs: &outputs, per_input: into_directory, overwrite: common.overwrite };
        Target::begin(kind, &paths, resumed, &**host)
    };
    let mut done = job.run("export", target, continued, host)?;
    done.publish(Vec::new())?;
    done.outlets.parts.keep_folders();
    new_directories.keep();
    if !common.quiet {
        print_ledger(&done.outlets.parts, &**host);
    }
    Ok(done.completion())
}

/// Refuses bytes that are no text on a terminal.
fn refuse_terminal(output: &Path, format: Format, host: &dyn Host) -> Result<()> {
    let is_terminal = output == Path::new("-") && host.screen(Stream::Output).columns.is_some();
    match is_terminal && format.is_binary() {
        false => Ok(()),
        true => Err(Error::usage(format!(
            "{} is no text for a terminal: name a file with -o, or give --format csv",
            format.name()
        ))),
    }
}

/// What more is written than the files that can be named.
fn partitions(args: &args::Export) -> String {
    match is_partitioned(args) {
        false => String::new(),
        true => format!(", and one per partition in {}", args.output.shown()),
    }
}

/// The directory of the outputs, if there may be several.
fn directory_of(args: &args::Export) -> &Path {
    match is_directory(&args.output) || is_partitioned(args) {
        true => &args.output,
        false => Path::new(""),
    }
}

/// What is written, and how.
fn file_kind(
    args: &args::Export,
    task: pgnmill_columns::Export,
    format: Format,
    level: i32,
    command: String,
    host: &Arc<dyn Host>,
) -> FileKind {
    FileKind {
        export: Arc::new(task),
        format,
        level,
        overwrite: args.common.overwrite,
        stdin_name: args.name.clone(),
        command,
        host: Arc::clone(host),
    }
}

/// The options that decide about the files; the format is that of the names if none is given.
fn options(args: &args::Export, format: Format) -> Vec<(String, String)> {
    let mut options = options_of_outputs(args);
    options.push(("--format".to_string(), format.name().to_string()));
    options
}

/// Refuses the name of one file for partitions.
fn refuse_one_file(args: &args::Export) -> Result<()> {
    if is_partitioned(args) && names_file(&args.output) {
        let output = args.output.shown();
        let option = if args.partition_by.is_empty() { "--parts" } else { "--partition-by" };
        return Err(Error::usage(format!(
            "{option} writes a directory of files; {output} names one file"
        )));
    }
    Ok(())
}

/// The task of these arguments.
fn task(args: &args::Export) -> Result<pgnmill_columns::Export> {
    let table = args.table;
    let notations = args.notation.iter().map(|name| find_notation(name));
    let notations = notations.collect::<Result<Vec<_>>>()?;
    let columns = table.select(&args.columns, &notations);
    let mut columns = columns.map_err(|error| {
        Error::usage(match &error {
            SelectionError::Unknown { name, near: None, .. } => {
                let (of, shown) = (table.name(), suggestion::shown(name));
                let begin = format!("--columns: the table {of} has no column {shown}");
                match near_columns::advice(name, table == Table::Games) {
                    Some(advice) => format!("{begin}; {advice}"),
                    None => unknown_column(&begin, name, Some(table)),
                }
            }
            SelectionError::Unknown { name, .. } if of_other(table, name).is_some() => {
                let other = of_other(table, name).map_or("", Table::name);
                format!("--columns: {error}: --table {other}; `pgnmill columns` lists all of them")
            }
            _ => format!("--columns: {error}; `pgnmill columns` lists all of them"),
        })
    })?;
    let key = |name: &String| {
        PartitionKey::find(name).ok_or_else(|| {
            let begin = format!(
                "--partition-by takes Year, Month, and columns of the table games with one short value per game; not {}",
                suggestion::shown(name)
            );
            Error::usage(unknown_column(&begin, name, None))
        })
    };
    let partition_by = args.partition_by.iter().map(key).collect::<Result<Vec<_>>>()?;
    let mut names = HashSet::new();
    if let Some(key) = partition_by.iter().find(|key| !names.insert(key.name())) {
        return Err(Error::usage(format!("--partition-by names {} twice", key.name())));
    }
    // As usual in such folders: the value is in the name of the folder.
    columns.retain(|column| {
        partition_by.iter().all(|key| !key.name().eq_ignore_ascii_case(&column.name))
    });
    if columns.is_empty() {
        return Err(Error::usage("--partition-by leaves no column for the files"));
    }
    let parts = args.parts.clone().map(PartitionKey::Parts);
    let partition_by = parts.into_iter().chain(partition_by).collect();
    let plies = ply_filter(args)?;
    let (one_line, csv_safe) = (args.one_line, args.csv_safe);
    Ok(pgnmill_columns::Export { table, columns, partition_by, plies, one_line, csv_safe })
}

/// The other table, if it has a column of this name.
fn of_other(table: Table, name: &str) -> Option<Table> {
    let has = |other: &Table| other.columns().iter().any(|column| column.name == name);
    Table::ALL.into_iter().find(|other| *other != table && has(other))
}

/// Are games divided into files by their values, or at random?
fn is_partitioned(args: &args::Export) -> bool {
    !args.partition_by.is_empty() || args.parts.is_some()
}

/// The plies that have a row.
fn ply_filter(args: &args::Export) -> Result<PlyFilter> {
    let options =
        [("--plies", args.plies.is_some()), ("--sample-plies", args.sample_plies.is_some())];
    if args.table == Table::Games
        && let Some((option, _)) = options.iter().find(|(_, is_given)| *is_given)
    {
        return Err(Error::usage(format!(
            "{option} selects rows of the table plies: --table plies"
        )));
    }
    let share = match args.sample_plies {
        None => None,
        Some(SampleSize::Percent(percent)) => Some(Share::of(percent / 100.0, args.sample.seed)),
        Some(SampleSize::Games(number)) => {
            return Err(Error::usage(format!(
                "--sample-plies takes a share, such as 1%; not {number}"
            )));
        }
    };
    Ok(PlyFilter { numbers: args.plies, share })
}

/// The format that is named; else that of the output's name; in a directory and on standard output Parquet.
fn format(args: &args::Export) -> Result<Format> {
    let is_file = !is_directory(&args.output) && !is_partitioned(args);
    let of_path = if is_file { Format::of_path(&args.output) } else { Ok(None) };
    let shown = args.output.shown();
    let is_new = !args.output.exists() && args.output != Path::new("-");
    let format = match (args.format, of_path) {
        (Some(format), Ok(Some(other))) if other != format => {
            let (format, other) = (format.name(), other.name());
            return Err(Error::usage(format!(
                "{shown} has the ending of {other}, and --format is {format}; name it {}",
                args.output.with_extension(format).shown()
            )));
        }
        // What is named decides, whatever another ending means; a compressed file is not written.
        (Some(format), _) => {
            output_path::check_compression("export", &args.output, Columns(format.name()))?;
            format
        }
        (None, Ok(Some(format))) => format,
        (None, Err(ending)) => {
            output_path::check_compression("export", &args.output, Columns("csv"))?;
            let ending = ending.display();
            return Err(Error::usage(format!(
                "no format has the ending .{ending}: the endings are parquet, arrow, csv and jsonl; name one with --format"
            )));
        }
        (None, Ok(None)) if is_file && is_new => {
            return Err(Error::usage(format!(
                "{shown} has no ending that names a format; name it {shown}.parquet or {shown}/, for a directory, or \
                 the format with --format"
            )));
        }
        (None, Ok(None)) => Format::Parquet,
    };
    if args.level.is_some() && format != Format::Parquet {
        return Err(Error::usage(format!(
            "--level is the compression of Parquet; {} files are not compressed",
            format.name()
        )));
    }
    if args.csv_safe && format != Format::Csv {
        let format = format.name();
        return Err(Error::usage(format!("--csv-safe is for CSV, and the output is {format}")));
    }
    Ok(format)
}

/// The path of the file of an input, in the directory of the outputs.
fn file_name(args: &args::Export, input: &Input, format: Format) -> PathBuf {
    let below = args.common.output_below(input, args.flat);
    let mut name = below.file_name().unwrap_or_default().as_encoded_bytes();
    for ending in [&b".zst"[..], b".pgn"] {
        name = name.strip_suffix(ending).unwrap_or(name);
    }
    let name = String::from_utf8_lossy(name);
    below.with_file_name(format!("{name}.{}.{}", args.table.name(), format.name()))
}

/// Does an output path name a file: standard output, or a name with the ending of a format?
fn names_file(path: &Path) -> bool {
    let has_format = matches!(Format::of_path(path), Ok(Some(_)));
    path == Path::new("-") || has_format && !is_directory(path)
}

/// Returns an error if the directory has partitions: those that this run does not replace would remain among its own.
fn refuse_partitions(directory: &Path, key: &str) -> Result<()> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) => return Err(Error::io("read", directory, error)),
    };
    let prefix = format!("{key}=");
    let is_partition = |name: &OsStr| name.as_encoded_bytes().starts_with(prefix.as_bytes());
    let found =
        entries.filter_map(|entry| entry.ok()).find(|entry| is_partition(&entry.file_name()));
    found.map_or(Ok(()), |entry| {
        Err(Error::usage(format!(
            "{} is a partition of another run; remove it or name another directory",
            entry.path().shown()
        )))
    })
}

/// The options that affect the rows, as words of a shell.
fn command(args: &args::Export, format: Format) -> String {
    let mut words = vec![
        "export".to_string(),
        option("--table", args.table.name()),
        option("--columns", args.columns.join(",")),
    ];
    let list = |name: &str, values: &[String]| {
        (!values.is_empty()).then(|| option(name, values.join(",")))
    };
    words.extend(list("--notation", &args.notation));
    words.push(option("--format", format.name()));
    words.extend(list("--partition-by", &args.partition_by));
    words.extend(args.parts.as_ref().map(|parts| option("--parts", parts)));
    words.extend(args.plies.map(|plies| option("--plies", plies)));
    words.extend(args.sample_plies.map(|share| option("--sample-plies", share)));
    words.extend(flag("--one-line", args.one_line));
    words.extend(flag("--csv-safe", args.csv_safe));
    words.extend(args.sample.options());
    words.extend(args.common.options_of_games());
    words.join(" ")
}

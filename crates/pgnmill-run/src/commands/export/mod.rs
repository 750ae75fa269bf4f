//! `export`: a run that writes games or plies as columns.
//!
//! In: archives. Out: a file, one per input, or one per value of some columns. Invariants: no file has its name before
//! it is complete; every game that is not rejected has its rows, and the metadata of each file states the
//! ledger. Cost: that of [`pgnmill_columns`].

pub(crate) mod args;
mod near_columns;
mod partition;
mod positions;
mod target;

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgnmill_columns::{
    Column, FRAME_STORED_BYTES_MAX, FRAME_TEXT_BYTES_MAX, Format, PartitionKey, PlyFilter,
    PositionLines, SelectionError, Source, Table,
};
use pgnmill_core::select::Share;
use pgnmill_io::archive::Input;
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};

use crate::args::capabilities::Capabilities;
use crate::args::names::{find_notation, unknown_column};
use crate::args::options::defaults;
use crate::args::output_path::{self, Written::Columns, is_directory};
use crate::args::sample::SampleSize;
use crate::args::values::level_of;
use crate::host::{Completion, Host, Stream};
use crate::outputs::destination::Resumed;
use crate::plan::{Place, Plan, Purpose, Request};
use crate::run::{Executed, execute};
use crate::text::shell::{flag, option};
use crate::text::suggestion;

use args::Export;
use target::{FileKind, Target, print_ledger};

impl Export {
    /// Examples of its help: what a command does, and the command.
    pub(crate) const EXAMPLES: &[(&str, &str)] = &[
        ("One row per game, as Parquet", "pgnmill export -o games.parquet games.pgn.zst"),
        (
            "One row per ply, some columns",
            "pgnmill export --table plies --columns archive,ply,san,fen -o plies.csv games.pgn.zst",
        ),
        (
            "JSON lines, to standard output",
            "pgnmill export --format jsonl --columns White,Black,Result -o - games.pgn",
        ),
        (
            "The positions after 16 plies as EPD",
            "pgnmill export --table plies --plies 16 --position after -o openings.epd games.pgn",
        ),
        (
            "One folder per year and month",
            "pgnmill export --partition-by Year,Month -o lake/ games.pgn.zst",
        ),
    ];

    /// Archives, and the output; the other fields have the defaults of the command line.
    pub fn new(
        inputs: impl IntoIterator<Item = impl Into<PathBuf>>,
        output: impl Into<PathBuf>,
    ) -> Export {
        let mut request: Export = defaults();
        request.reading.inputs = inputs.into_iter().map(Into::into).collect();
        request.output = output.into();
        request
    }
}

impl Request for Export {
    const NAME: &'static str = "export";
    type Task = (pgnmill_columns::Export, Format);

    fn capabilities(&self) -> Capabilities<'_> {
        Capabilities {
            failures: self.failures,
            game_lines: Some(self.game_lines),
            sample: self.sample,
            splitting: Some(&self.splitting),
            resuming: Some(&self.resuming),
            ..Capabilities::of(&self.reading, &self.selecting, &self.files, &self.messages)
        }
    }

    fn inputs_mut(&mut self) -> &mut Vec<PathBuf> {
        &mut self.reading.inputs
    }

    fn draws(&self) -> bool {
        self.sample.sample.is_some() || self.sample_plies.is_some()
    }

    fn check(&self) -> Result<()> {
        level_of(self.level).map(drop)
    }

    fn purpose(&self, inputs: &[Input], host: &dyn Host) -> Result<(Purpose, Self::Task)> {
        let format = format(self)?;
        positions::check(self, format, inputs)?;
        let task = task(self, format)?;
        refuse_terminal(&self.output, format, host)?;
        refuse_one_file(self)?;
        if self.flat && !is_directory(&self.output) {
            let output = self.output.shown();
            return Err(Error::usage(format!(
                "--flat is for a file per input: -o DIR/, not {output}"
            )));
        }
        if !self.messages.quiet {
            self.warn_of_no_effect(&task, inputs, host);
        }
        if let Some(first) = task.partition_by.first() {
            refuse_partitions(&self.output, first.name())?;
        }
        let purpose = Purpose {
            place: place(self, format),
            level: self.level,
            frame_stored_bytes_max: FRAME_STORED_BYTES_MAX,
            frame_text_bytes_max: FRAME_TEXT_BYTES_MAX,
            words: words(self, format),
            // The format is that of the names if none is given.
            resolved: vec![("--format", format.name().to_string())],
            refusal: refusal(self),
            ..Purpose::default()
        };
        Ok((purpose, (task, format)))
    }

    fn execute(
        self,
        plan: Plan,
        (task, format): Self::Task,
        host: &Arc<dyn Host>,
    ) -> Result<Completion> {
        let kind = FileKind {
            export: Arc::new(task.clone()),
            format,
            level: plan.outputs.level,
            overwrite: self.files.overwrite,
            named_tags: named_tags(&self.columns, &task),
            stdin_name: self.name,
            command: plan.identity.words.clone(),
            host: Arc::clone(host),
        };
        let target = |plan: &Plan, resumed: Option<Resumed<'_, '_>>| {
            Target::begin(kind, plan, resumed, &**host)
        };
        let mut done = match execute(plan, &task, target, host)? {
            Executed::Now(done) => done,
            Executed::Before(completion) => return Ok(completion),
        };
        done.publish()?;
        done.sink_mut().keep_folders();
        if !self.messages.quiet {
            print_ledger(done.sink(), &**host);
        }
        Ok(done.completion())
    }
}

/// The columns of tag pairs that are named, and not among those of a set, by their indexes.
fn named_tags(names: &[String], task: &pgnmill_columns::Export) -> Vec<usize> {
    let is_named = |column: &Column| {
        let is_tag = matches!(column.source, Source::Tag(_));
        is_tag && names.iter().any(|name| name.eq_ignore_ascii_case(&column.name))
    };
    (0..task.columns.len()).filter(|&index| is_named(&task.columns[index])).collect()
}

/// Why a run has no state that can be saved.
fn refusal(args: &Export) -> Option<&'static str> {
    match (is_partitioned(args), args.distinct) {
        (true, _) => Some("a run that writes partitions cannot be continued"),
        (_, true) => Some("a run with --distinct cannot be continued"),
        _ => None,
    }
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

impl Export {
    /// Warns of options that nothing of the run has a use for.
    fn warn_of_no_effect(&self, task: &pgnmill_columns::Export, inputs: &[Input], host: &dyn Host) {
        if self.one_line && !task.columns.iter().any(|column| column.name == "movetext") {
            host.warn(format_args!(
                "--one-line has no effect: it is for the column movetext (--columns default,movetext)"
            ));
        }
        let reads_stdin = inputs.iter().any(|input| matches!(input, Input::Stdin));
        if self.name.is_some() && !reads_stdin {
            host.warn(format_args!("--name has no effect: it is the name of standard input"));
        }
    }
}

/// Where the files are written.
fn place(args: &Export, format: Format) -> Place {
    let directory = args.output.clone();
    match (is_partitioned(args), is_directory(&args.output)) {
        (true, _) => {
            let files = format!("one per partition in {}", directory.shown());
            Place::ByValue { directory, files }
        }
        (false, true) => {
            let ending = Some(format!("{}.{}", args.table.name(), format.name()));
            Place::PerInput { directory, flat: args.flat, ending }
        }
        (false, false) => Place::File(directory),
    }
}

/// Refuses the name of one file for partitions.
fn refuse_one_file(args: &Export) -> Result<()> {
    if is_partitioned(args) && names_file(&args.output) {
        let output = args.output.shown();
        let option = if args.partition_by.is_empty() { "--parts" } else { "--partition-by" };
        return Err(Error::usage(format!(
            "{option} writes a directory of files; {output} names one file"
        )));
    }
    Ok(())
}

/// The columns of a table of values, by their names.
fn columns(args: &Export) -> Result<Vec<Column>> {
    let table = args.table;
    let notations = args.notation.iter().map(|name| find_notation(name));
    let notations = notations.collect::<Result<Vec<_>>>()?;
    table.select(&args.columns, &notations).map_err(|error| {
        Error::usage(match &error {
            SelectionError::Unknown { name, near: None, .. } => {
                let (of, shown) = (table.name(), suggestion::shown(name));
                let begin = format!("--columns: the table {of} has no column {shown}");
                match near_columns::advice(name, table) {
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
    })
}

/// The task of these arguments.
fn task(args: &Export, format: Format) -> Result<pgnmill_columns::Export> {
    let table = args.table;
    let (lines, mut columns) = match format.has_positions() {
        true => positions::lines(args)?,
        false => (PositionLines::default(), columns(args)?),
    };
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
        let is_key = |key: &PartitionKey| key.name().eq_ignore_ascii_case(&column.name);
        format.has_positions() || !partition_by.iter().any(is_key)
    });
    if columns.is_empty() {
        return Err(Error::usage("--partition-by leaves no column for the files"));
    }
    let parts = args.parts.clone().map(PartitionKey::Parts);
    let partition_by = parts.into_iter().chain(partition_by).collect();
    let plies = ply_filter(args)?;
    let (one_line, csv_safe) = (args.one_line, args.csv_safe);
    Ok(pgnmill_columns::Export { table, columns, partition_by, plies, one_line, csv_safe, lines })
}

/// The other table, if it has a column of this name.
fn of_other(table: Table, name: &str) -> Option<Table> {
    let has = |other: &Table| other.columns().iter().any(|column| column.name == name);
    Table::ALL.into_iter().find(|other| *other != table && has(other))
}

/// Are games divided into files by their values, or at random?
fn is_partitioned(args: &Export) -> bool {
    !args.partition_by.is_empty() || args.parts.is_some()
}

/// The plies that have a row.
fn ply_filter(args: &Export) -> Result<PlyFilter> {
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
fn format(args: &Export) -> Result<Format> {
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
            let is_book = ending.eq_ignore_ascii_case("bin");
            let book = if is_book { "; `pgnmill positions` writes books" } else { "" };
            let ending = ending.display();
            return Err(Error::usage(format!(
                "no format has the ending .{ending}: the endings are parquet, arrow, csv, jsonl, epd and fen; name one \
                 with --format{book}"
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

/// Does an output path name a file: standard output, or a name with the ending of a format?
fn names_file(path: &Path) -> bool {
    let has_format = matches!(Format::of_path(path), Ok(Some(_)));
    path == Path::new("-") || has_format && !is_directory(path)
}

/// Returns an error if the directory has partitions: those that this run does not replace would remain among its own.
fn refuse_partitions(directory: &Path, key: &str) -> Result<()> {
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
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
fn words(args: &Export, format: Format) -> Vec<String> {
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
    words.extend(positions::words(args));
    words.extend(flag("--one-line", args.one_line));
    words.extend(flag("--csv-safe", args.csv_safe));
    words.extend(args.sample.options());
    words
}

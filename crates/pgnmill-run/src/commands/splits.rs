//! `splits`: archives are divided into parts that other processes or machines read alone.
//!
//! In: archives; perhaps a ledger. Out: a line of JSON per split; an error for a run over a split with an option that
//! depends on more than its text. Invariant: the splits of an archive are all of it. Cost: that of [`Division`]; no
//! game is read.

use std::collections::HashMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use pgnmill_io::archive::{
    ArchiveSplit, Division, Input, RecordKind, SplitBase, Undivided, Version,
};
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{Reservation, input_keys, publish_all};

use crate::args::options::{defaults, options};
use crate::args::output_path;
use crate::args::values::size;
use crate::host::{self, Completion, Host};
use crate::ledger::split_json::split_json;
use crate::ledger::{self, Tiling};
use crate::plan::distinct::{distinct_files, keys_of, refuse_stdout};

/// Divides archives into splits, which other processes or machines read alone.
#[derive(Debug, clap::Args)]
pub struct Splits {
    /// Archives: files or directories
    #[arg(required = true, value_name = "INPUT")]
    pub inputs: Vec<PathBuf>,
    /// The stored bytes of a split, about, such as 64MiB
    #[arg(long, value_name = "SIZE", default_value = "64MiB", value_parser = size)]
    pub target: u64,
    /// Add to each split what is before it in its archive, from the ledger of a complete run: all tables then have the
    /// numbers of the whole archive
    #[arg(long, value_name = "L.csv")]
    pub ledger: Option<PathBuf>,
    /// The output: a file, or - for standard output
    #[arg(long, short, value_name = "FILE", default_value = "-")]
    pub output: PathBuf,
    /// Replace an existing output
    #[arg(long)]
    pub overwrite: bool,
    /// Print errors only
    #[arg(long, short, help_heading = "Messages")]
    pub quiet: bool,
}

options!(Splits: inputs ledger output; without target overwrite quiet);

impl Splits {
    /// Examples of its help: what a command does, and the command.
    pub(crate) const EXAMPLES: &[(&str, &str)] = &[
        ("One line per split", "pgnmill splits --target 64MiB games.pgn.zst"),
        (
            "Validate the first one",
            "pgnmill splits games.pgn.zst | head -n 1 > first.json; pgnmill validate --split @first.json",
        ),
    ];

    /// Archives; the other fields have the defaults of the command line.
    pub fn new(inputs: impl IntoIterator<Item = impl Into<PathBuf>>) -> Splits {
        let mut request: Splits = defaults();
        request.inputs = inputs.into_iter().map(Into::into).collect();
        request
    }

    /// Runs it.
    ///
    /// # Errors
    /// What the request cannot have; what ends the run.
    pub fn run(self, host: &Arc<dyn Host>) -> Result<Completion> {
        splits(&self, &**host)
    }
}

fn splits(args: &Splits, host: &dyn Host) -> Result<Completion> {
    if args.target == 0 {
        return Err(Error::usage("--target takes a number of bytes from 1 on; not 0"));
    }
    output_path::check("splits", &args.output, output_path::Written::Lines)?;
    let inputs = Input::expand(&args.inputs)?;
    let outputs = [args.output.clone()];
    let ledger = args.ledger.iter().flat_map(|path| input_keys(path));
    let read = inputs.iter().flat_map(keys_of).chain(ledger).collect();
    distinct_files(&[&args.output], &read)?;
    refuse_stdout(&read)?;
    let bases = args.ledger.as_deref().map(bases).transpose()?;
    let mut text = String::new();
    for input in &inputs {
        let Input::Path(path) = input else {
            let name = input.name();
            return Err(Error::usage(match input {
                Input::Stdin => "standard input cannot be divided: name a file".to_string(),
                _ => format!(
                    "{} is part of another file, which cannot be divided: unpack it",
                    name.shown()
                ),
            }));
        };
        if input.records() == RecordKind::Lines {
            let path = path.shown();
            return Err(Error::usage(format!(
                "{path} is read as positions, and only archives of games are divided"
            )));
        }
        let (splits, undivided) = divide(path, args.target)?;
        if let (Some(reason), false) = (undivided, args.quiet) {
            let path = path.shown();
            host.warn(format_args!(
                "{path} is one split: {reason}; `pgnmill select -o NEW.pgn.zst {path}` writes the same games in frames \
                 that can be divided"
            ));
        }
        for mut split in splits {
            if let Some(bases) = &bases {
                let base = bases.get(&(split.archive.clone(), split.seal()));
                let lacks = || Error::usage(format!("the ledger has no row of {split}"));
                split.base = Some(*base.ok_or_else(lacks)?);
            }
            text += &split_json(&split);
            text.push('\n');
        }
    }
    if args.output == Path::new("-") {
        host.show(&text)?;
        return Ok(Completion::of(true));
    }
    let reserved = Reservation::all(&outputs, args.overwrite)?.remove(0);
    let mut sink = host::output(host, reserved).open()?;
    sink.add(text.as_bytes())?;
    sink.complete(true)?;
    publish_all(vec![sink])?;
    if !args.quiet {
        crate::report::written::print(&outputs, host);
    }
    Ok(Completion::of(true))
}

/// All splits of a file, and why it is only one.
fn divide(path: &Path, target_bytes: u64) -> Result<(Vec<ArchiveSplit>, Option<Undivided>)> {
    let file = File::open(path).map_err(|error| Error::io("open", path, error))?;
    let metadata = file.metadata().map_err(|error| Error::io("open", path, error))?;
    let name = path.to_str().ok_or_else(|| {
        let path = path.shown();
        Error::usage(format!("the path {path} is not UTF-8: a split cannot name it"))
    })?;
    if !metadata.is_file() {
        return Err(Error::usage(format!("{name} is no file that can be divided")));
    }
    let version = Version::of_file(path, &file)?;
    let Division { splits, undivided, .. } = Division::new(name, file, target_bytes)?;
    let of_archive = |split| ArchiveSplit::new(name, version.clone(), split);
    Ok((splits.into_iter().map(of_archive).collect(), undivided))
}

/// What is before each split, by archive and seal.
fn bases(path: &Path) -> Result<HashMap<(String, u64), SplitBase>> {
    let names = [path.shown().to_string()];
    let tiling = Tiling::of(vec![ledger::read(path)?], &names, false)?;
    let known = tiling.splits.iter().filter_map(|found| {
        let split = &found.entry.split;
        Some(((split.archive.clone(), split.seal()), found.base?))
    });
    Ok(known.collect())
}

//! `merge`: the tables of several measurements become those of all of them.
//!
//! In: directories that `measure` or this command wrote. Out: one of the same kind. Only integers are read; derived
//! values are computed by the code of `measure`. Invariant: the tables are those of one measurement of all archives,
//! byte for byte; `games.csv` too, if the directories are in the order of the archives. Rejects tables that cannot be
//! added: of another version, of other dimensions, of other compressors. Cost: one read of all tables.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::error::{Error, Result};
use crate::sink::{FileSet, NewDirectories, Sink, publish_all};
use crate::tables::{self, Grid, SCHEMA_VERSION, Schema, added, games, notations};
use crate::tasks::measure::study::Studied;

use super::args::Merge;
use super::distinct::{distinct_files, warn_of_left_overs};
use super::host::{Completion, Host};
use super::measure::{refuse_existing, remove_others, warn_of_others, write};
use super::{headline, remarks, study, summary};

pub(super) fn merge(args: &Merge, host: &Arc<dyn Host>) -> Result<Completion> {
    let directories = &args.inputs;
    if !args.quiet {
        remarks::warn_of_tables(directories.iter().map(PathBuf::as_path), &**host);
    }
    let mut rows = Vec::new();
    for directory in directories {
        rows.push(read_summary(directory)?);
    }
    let names = same_notations(directories)?;
    let mut grids = Vec::new();
    for schema in added() {
        check(host)?;
        if in_all(directories, schema.file)? {
            grids.push(sum_of(directories, schema)?);
        }
    }
    let with_games = in_all(directories, games::SCHEMA.file)?;
    let (with_entropy, with_sizes) = studied(directories)?;
    let information = with_entropy
        .then(|| {
            study::added_information(directories, Studied::of(names.iter().map(String::as_str)))
        })
        .transpose()?;
    let sizes = with_sizes.then(|| study::added_sizes(directories)).transpose()?;
    // Removed if the run fails, after its contents.
    let directory = NewDirectories::create(&args.output)?;
    let files = grids.iter().map(|grid| grid.schema().file);
    let files = files.chain(with_games.then_some(games::SCHEMA.file));
    let files =
        files.chain(study::tables(with_entropy, with_sizes)).chain([tables::summary::SCHEMA.file]);
    let tables: Vec<PathBuf> = files.map(|file| args.output.join(file)).collect();
    refuse_existing(&args.output, args.overwrite)?;
    let outputs: Vec<&Path> = tables.iter().map(PathBuf::as_path).collect();
    distinct_files(&outputs, &HashSet::new())?;
    if !args.quiet {
        warn_of_left_overs(&outputs, &HashSet::new(), &**host);
    }
    warn_of_others(&args.output, &tables, args.quiet, &**host);
    let mut files = FileSet::reserve(&args.output, &tables, args.overwrite)?;
    if with_games {
        let mut sink = files.open(games::SCHEMA.file)?;
        join_games(directories, &mut sink, host)?;
        files.add(sink)?;
    }
    write(&mut files, &grids)?;
    let counts = study::Counts { information: information.as_ref(), sizes: sizes.as_ref() };
    study::write(&mut files, &counts)?;
    let rows = summary::merged(&rows);
    summary::write(&mut files, rows.clone())?;
    check(host)?;
    publish_all(files.into_written())?;
    host.add_facts(&rows);
    directory.keep();
    remove_others(&args.output, &tables)?;
    if !args.quiet {
        headline::print(&grids, &**host);
    }
    Ok(Completion::of(true))
}

/// The rows of a summary; an error if it is not one of a measurement that this program can add.
fn read_summary(directory: &Path) -> Result<Vec<summary::Fact>> {
    let path = directory.join(tables::summary::SCHEMA.file);
    let rows = summary::read(&path)?;
    let value = |key: &str| rows.iter().find(|row| row.0 == key).map_or("none", |row| &row.1);
    let version = value(tables::summary::SCHEMA_VERSION.name);
    if version != SCHEMA_VERSION.to_string() {
        return Err(Error::usage(format!(
            "{} is of schema version {version}, this program adds tables of version \
             {SCHEMA_VERSION}; measure anew",
            path.display()
        )));
    }
    let command = value(tables::summary::COMMAND.name);
    if command != "measure" {
        return Err(Error::usage(format!(
            "{} is of the command {command}, not of measure",
            path.display()
        )));
    }
    Ok(rows)
}

/// The notations that all directories have; directories with different notations have no sum.
fn same_notations(directories: &[PathBuf]) -> Result<Vec<String>> {
    let mut first: Option<(PathBuf, Vec<String>)> = None;
    for directory in directories {
        let schema = &notations::SCHEMA;
        let path = directory.join(schema.file);
        if !path.exists() {
            continue;
        }
        let grid = sum_of(std::slice::from_ref(directory), schema)?;
        let names: Vec<String> =
            grid.sorted().iter().map(|row| grid.key(row, 0).to_string()).collect();
        let Some((other_path, others)) = &first else {
            first = Some((path, names));
            continue;
        };
        let lacks = |names: &[String], others: &[String]| {
            others.iter().find(|name| !names.contains(name)).cloned()
        };
        let pairs = [(&path, &names, other_path, others), (other_path, others, &path, &names)];
        for (without, few, with, many) in pairs {
            if let Some(name) = lacks(few, many) {
                return Err(Error::usage(format!(
                    "{} has {name}, but {} has not: measure both with the same --notations",
                    with.display(),
                    without.display()
                )));
            }
        }
    }
    Ok(first.map_or_else(Vec::new, |(_, names)| names))
}

/// Is a table in all directories, or in none of them? A table in some of them has no sum.
fn in_all(directories: &[PathBuf], file: &str) -> Result<bool> {
    let has = |directory: &&PathBuf| directory.join(file).exists();
    let (with, without) = (directories.iter().find(has), directories.iter().find(|d| !has(d)));
    match (with, without) {
        (Some(with), Some(without)) => Err(Error::usage(format!(
            "{} is there, but {} is not: measure both with the same options",
            with.join(file).display(),
            without.join(file).display()
        ))),
        (with, _) => Ok(with.is_some()),
    }
}

/// Are the tables of `--entropy` there, and that of `--compress`? Of the former either all are or none.
fn studied(directories: &[PathBuf]) -> Result<(bool, bool)> {
    let mut found: Option<(&str, bool)> = None;
    for file in study::tables(true, false) {
        let there = in_all(directories, file)?;
        let (other, others) = *found.get_or_insert((file, there));
        if there != others {
            let (with, without) = if there { (file, other) } else { (other, file) };
            let directory = directories[0].display();
            return Err(Error::usage(format!(
                "{directory} holds {with}, but no {without}: measure anew with --entropy"
            )));
        }
    }
    let entropy = found.is_some_and(|(_, there)| there);
    let mut compress = study::tables(false, true);
    Ok((entropy, compress.try_fold(false, |_, file| in_all(directories, file))?))
}

/// The sum of a table over all directories.
fn sum_of(directories: &[PathBuf], schema: &'static Schema) -> Result<Grid> {
    let mut sum = Grid::new(schema);
    for directory in directories {
        let path = directory.join(schema.file);
        let file = File::open(&path).map_err(|error| Error::io("open", &path, error))?;
        let added = sum.add(BufReader::new(file));
        added.map_err(|error| Error::usage(format!("{}: {error}", path.display())))?;
    }
    Ok(sum)
}

/// The rows of all games, one directory after the other.
fn join_games(directories: &[PathBuf], sink: &mut Sink, host: &Arc<dyn Host>) -> Result<()> {
    let mut first: Option<Vec<u8>> = None;
    for directory in directories {
        let path = directory.join(games::SCHEMA.file);
        let file = File::open(&path).map_err(|error| Error::io("open", &path, error))?;
        let mut reader = BufReader::new(file);
        let mut header = Vec::new();
        let read = reader.read_until(b'\n', &mut header);
        read.map_err(|error| Error::io("read", &path, error))?;
        match &first {
            None => {
                sink.add(&header)?;
                first = Some(header);
            }
            Some(first) if *first == header => {}
            Some(_) => {
                let path = path.display();
                return Err(Error::usage(format!("{path} has other columns than those before")));
            }
        }
        loop {
            check(host)?;
            let read = reader.fill_buf().map_err(|error| Error::io("read", &path, error))?;
            if read.is_empty() {
                break;
            }
            sink.add(read)?;
            let read_bytes = read.len();
            reader.consume(read_bytes);
        }
    }
    Ok(())
}

/// The error of a run that was interrupted.
fn check(host: &Arc<dyn Host>) -> Result<()> {
    if host.stop().load(Ordering::Relaxed) { Err(Error::interrupted()) } else { Ok(()) }
}

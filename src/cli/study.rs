//! What `measure` and `merge` write besides lengths: frequencies, entropies, sizes after compression.
//!
//! What enters are the counts of a run, or the tables of several; what leaves are tables. Frequencies and sizes are read
//! again and added up; entropies follow from the frequencies and are never read.

use std::path::{Path, PathBuf};

use csv::StringRecord;

use crate::error::{Error, Result};
use crate::sink::FileSet;
use crate::tables::rows::Rows;
use crate::tasks::measure::study::{
    Compression, Compressor, Information, Sizes, Studied, write_compress, write_entropy,
    write_legal_moves, write_ranks, write_tokens,
};

use super::args::Measure;

/// The tables of `--entropy` that hold counts: their keys and `plies`.
const COUNTS: [(&str, &[&str]); 3] = [
    ("tokens.csv", &["notation", "token", "plies"]),
    ("legal_moves.csv", &["legal_moves", "plies"]),
    ("ranks.csv", &["rank", "plies"]),
];
/// The table that follows from them.
const ENTROPY: &str = "entropy.csv";
/// The table of `--compress`.
const COMPRESS: (&str, &[&str]) =
    ("compress.csv", &["notation", "compressor", "plies", "bytes_before", "bytes_after"]);

/// The compressors that were asked for, each once, the weakest first.
pub(super) fn compressors(args: &Measure) -> Vec<Compression> {
    let mut compressions = args.compress.clone();
    // Of one that is asked for in both ways the wider one comes first, and stays.
    compressions.sort_unstable();
    compressions.dedup_by_key(|compression| compression.compressor);
    compressions
}

/// What was counted, as far as it was asked for.
pub(super) struct Counts<'c> {
    /// Of `--entropy`.
    pub(super) information: Option<&'c Information>,
    /// Of `--compress`.
    pub(super) sizes: Option<&'c Sizes>,
}

/// The names of the tables that `--entropy` and `--compress` write.
pub(super) fn tables(entropy: bool, compress: bool) -> impl Iterator<Item = &'static str> {
    let of_entropy = COUNTS.into_iter().map(|(file, _)| file).chain([ENTROPY]);
    of_entropy.filter(move |_| entropy).chain(compress.then_some(COMPRESS.0))
}

/// Writes them.
pub(super) fn write(files: &mut FileSet, counts: &Counts<'_>) -> Result<()> {
    let mut write = |name, fill: &dyn Fn(&mut csv::Writer<Vec<u8>>) -> csv::Result<()>| {
        files.write_table(name, fill)
    };
    if let Some(information) = counts.information {
        write(COUNTS[0].0, &|table| write_tokens(information, table))?;
        write(COUNTS[1].0, &|table| write_legal_moves(information, table))?;
        write(COUNTS[2].0, &|table| write_ranks(information, table))?;
        write(ENTROPY, &|table| write_entropy(information, table))?;
    }
    match counts.sizes {
        Some(sizes) => write(COMPRESS.0, &|table| write_compress(sizes, table)),
        None => Ok(()),
    }
}

/// The frequencies of all directories together.
pub(super) fn added_information(directories: &[PathBuf], studied: Studied) -> Result<Information> {
    let mut information = Information::of(studied);
    for directory in directories {
        for (table, (file, columns)) in COUNTS.into_iter().enumerate() {
            read(&directory.join(file), columns, |fields| {
                let plies = number(&fields[columns.len() - 1])?;
                let added = match table {
                    0 => information.add_tokens(&fields[0], &fields[1], plies),
                    1 => information.add_legal_moves(place(&fields[0])?, plies),
                    _ => information.add_ranks(place(&fields[0])?, plies),
                };
                if added { Ok(()) } else { Err("no such row can be added".to_string()) }
            })?;
        }
    }
    Ok(information)
}

/// The sizes of all directories together, which must have the same compressors for the same notations.
pub(super) fn added_sizes(directories: &[PathBuf]) -> Result<Sizes> {
    let mut sum: Option<Sizes> = None;
    for directory in directories {
        let path = directory.join(COMPRESS.0);
        let mut sizes = Sizes::default();
        read(&path, COMPRESS.1, |fields| {
            let compressor = Compressor::parse(&fields[1])
                .ok_or_else(|| format!("{:?} is no compressor", &fields[1]))?;
            let counts = [number(&fields[2])?, number(&fields[3])?, number(&fields[4])?];
            let added = sizes.add(&fields[0], compressor, counts);
            if added { Ok(()) } else { Err("no such row can be added".to_string()) }
        })?;
        let refuse = |why: &str| Error::usage(format!("{} {why}", path.display()));
        match &mut sum {
            None => sum = Some(sizes),
            Some(sum) if !sum.is_like(&sizes) => {
                return Err(refuse(
                    "has other compressors than those before, or for other notations: measure all with the same options",
                ));
            }
            Some(sum) => {
                let fits = sum.merge(&sizes);
                fits.then_some(()).ok_or_else(|| refuse("has sums that are too large"))?;
            }
        }
    }
    Ok(sum.unwrap_or_default())
}

fn number(field: &str) -> Result<u64, String> {
    field.parse().map_err(|_| format!("{field:?} is no count"))
}

fn place(field: &str) -> Result<usize, String> {
    field.parse().map_err(|_| format!("{field:?} is no count"))
}

/// Shows the rows of a table that has these columns.
fn read(
    path: &Path,
    columns: &[&str],
    mut visit: impl FnMut(&StringRecord) -> Result<(), String>,
) -> Result<()> {
    let refuse = |why: String| Error::usage(format!("{}: {why}", path.display()));
    let file = std::fs::File::open(path).map_err(|error| Error::io("open", path, error))?;
    let mut rows = Rows::new(file).map_err(refuse)?;
    if rows.header() != columns {
        return Err(refuse(format!("its columns are not {}", columns.join(","))));
    }
    while let Some(record) = rows.next_row().map_err(refuse)? {
        let visited = visit(record);
        visited.map_err(|why| refuse(format!("line {}: {why}", rows.line())))?;
    }
    Ok(())
}

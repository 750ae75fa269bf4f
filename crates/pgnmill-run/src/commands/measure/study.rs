//! The tables of `--entropy`, `--compress` and `--codes`, and those that are computed from others (`writing.csv`,
//! `weights.csv`, `standardised_DIMENSION.csv`): how `measure` writes them and `merge` adds them.
//!
//! In: the counts of a run, or the tables of several. Out: tables. Invariant: frequencies and sizes are read and added;
//! entropies are computed from the frequencies and never read. Cost: one read of the tables.

use std::path::{Path, PathBuf};

use pgnmill_core::notation::MAIN;
use pgnmill_core::tables::{
    self, Dimension, Grid, Keys, Merging, Product, Products, Rows, Schema, TableError, Written,
    characters, code_symbols, codes, compress, entropy, legal_moves, notations, ranks, ratios, se,
    standardised, tokens, weights, writing,
};
use pgnmill_core::tasks::measure::study::{
    Code, CodeSize, Coded, Compression, Compressor, ErrorDraws, Information, Sizes, Studied,
    write_code_symbols, write_codes, write_compress, write_entropy, write_legal_moves, write_ranks,
    write_standardised, write_tokens, write_weights, write_writing,
};
use pgnmill_core::tasks::measure::tally::Selection;
use pgnmill_io::error::Shown as _;
use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::FileSet;

use super::args::Measure;
use crate::args::values::errors_per_game;

/// The requested compressors, each once, the weakest first.
pub(crate) fn compressors(args: &Measure) -> Vec<Compression> {
    let mut compressions = args.compress.clone();
    // A compressor for all notations is sorted before the same one for the main notations, and is kept.
    compressions.sort_unstable();
    compressions.dedup_by_key(|compression| compression.compressor);
    compressions
}

/// The errors that were requested: in the measured notations, or in those of `main` if all are measured.
///
/// # Errors
/// A number of errors that a caller in the same process has set and that is out of range.
pub(crate) fn error_draws(args: &Measure, measured: Selection) -> Result<Option<ErrorDraws>> {
    let Some(per_game) = args.errors else { return Ok(None) };
    errors_per_game(&per_game.to_string())
        .map_err(|why| Error::usage(format!("--errors: {why}")))?;
    let is_all = measured == Selection::default();
    let notations = if is_all { Selection::of(&MAIN) } else { measured };
    Ok(Some(ErrorDraws { notations, per_game }))
}

/// The counts that were requested.
pub(crate) struct Counts<'c> {
    /// Of `--entropy`.
    pub(crate) information: Option<&'c Information>,
    /// Of `--compress`.
    pub(crate) sizes: Option<&'c Sizes>,
    /// Of `--codes`.
    pub(crate) coded: Option<&'c Coded>,
    /// The tables that add up: others follow from them.
    pub(crate) grids: &'c [Grid],
}

/// Which of these options are given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Requested {
    /// `--entropy`.
    pub(crate) entropy: bool,
    /// `--compress`.
    pub(crate) compress: bool,
    /// `--codes`.
    pub(crate) codes: bool,
    /// `--writing`.
    pub(crate) writing: bool,
    /// `--cluster`.
    pub(crate) cluster: bool,
    /// The products of `--by`.
    pub(crate) products: Products,
}

impl Requested {
    /// None of them.
    pub(crate) fn none() -> Requested {
        let (entropy, compress, codes, writing, cluster) = (false, false, false, false, false);
        Requested { entropy, compress, codes, writing, cluster, products: Products::default() }
    }

    /// Those of a request.
    pub(crate) fn of(args: &Measure, products: Products) -> Requested {
        let Measure { entropy, codes, writing, .. } = *args;
        let (compress, cluster) = (!args.compress.is_empty(), !args.cluster.is_empty());
        Requested { entropy, compress, codes, writing, cluster, products }
    }
}

/// The file names of the tables that these options write, without those that a [`Grid`] adds.
pub(crate) fn tables(requested: Requested) -> impl Iterator<Item = &'static str> {
    let is_written = move |schema: &&Schema| match schema.written {
        Written::Entropy => requested.entropy,
        Written::Compress => requested.compress,
        Written::Codes => requested.codes,
        Written::Writing => requested.writing && is_computed(schema),
        Written::Cluster => requested.cluster && is_computed(schema),
        Written::Standardised => {
            let mut products = requested.products.iter().filter_map(standardised::of_product);
            products.any(|other| other.file == schema.file)
        }
        _ => false,
    };
    tables::all().filter(is_written).map(|schema| schema.file)
}

/// Does it follow from other tables, entropies apart?
fn is_computed(schema: &Schema) -> bool {
    matches!(schema.merging, Merging::Compute)
}

/// The file names of all of them.
pub(crate) fn all_tables() -> impl Iterator<Item = &'static str> {
    let is_one = |schema: &&Schema| match schema.written {
        Written::Entropy | Written::Compress | Written::Codes | Written::Standardised => true,
        Written::Writing | Written::Cluster => is_computed(schema),
        _ => false,
    };
    tables::all().filter(is_one).map(|schema| schema.file)
}

/// The products whose tables are in a directory, whatever wrote them.
pub(crate) fn products_in(directory: &Path) -> impl Iterator<Item = Product> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries.filter_map(|entry| Product::from_file(entry.file_name().to_str()?))
}

/// Writes the tables that follow from others of a measurement of products, and of `--cluster`.
fn write_computed(files: &mut FileSet, grids: &[Grid]) -> Result<()> {
    let grid = |schema: &Schema| grids.iter().find(|it| it.schema().file == schema.file);
    if let (Some(whole), Some(ratios)) = (grid(&se::SCHEMA), grid(&ratios::SCHEMA)) {
        let sources = grid(Dimension::Source.se_schema());
        let write = |table: &mut _| write_weights(whole, ratios, sources, table);
        files.write_table(weights::SCHEMA.file, write)?;
    }
    for grid in grids {
        let product = Product::from_file(grid.schema().file);
        if let Some((product, dimension)) = product.and_then(|it| Some((it, it.standardised()?)))
            && let Some(schema) = standardised::of_product(product)
        {
            let write = |table: &mut _| write_standardised(grid, product, dimension, table);
            files.write_table(schema.file, write)?;
        }
    }
    Ok(())
}

/// Writes the tables.
pub(crate) fn write(files: &mut FileSet, counts: &Counts<'_>) -> Result<()> {
    if let Some(information) = counts.information {
        files.write_table(tokens::SCHEMA.file, |table| write_tokens(information, table))?;
        files
            .write_table(legal_moves::SCHEMA.file, |table| write_legal_moves(information, table))?;
        files.write_table(ranks::SCHEMA.file, |table| write_ranks(information, table))?;
        files.write_table(entropy::SCHEMA.file, |table| write_entropy(information, table))?;
    }
    let grid = |schema: &Schema| counts.grids.iter().find(|it| it.schema().file == schema.file);
    if let (Some(characters), Some(notations)) =
        (grid(&characters::SCHEMA), grid(&notations::SCHEMA))
    {
        let write = |table: &mut _| write_writing(characters, notations, table);
        files.write_table(writing::SCHEMA.file, write)?;
    }
    write_computed(files, counts.grids)?;
    if let Some(sizes) = counts.sizes {
        files.write_table(compress::SCHEMA.file, |table| write_compress(sizes, table))?;
    }
    if let Some(coded) = counts.coded {
        files.write_table(codes::SCHEMA.file, |table| write_codes(coded, table))?;
        files.write_table(code_symbols::SCHEMA.file, |table| write_code_symbols(coded, table))?;
    }
    Ok(())
}

/// The frequencies of all directories together.
pub(crate) fn added_information(directories: &[PathBuf], studied: Studied) -> Result<Information> {
    let mut sum = Information::of(studied);
    for directory in directories {
        read(directory, &tokens::SCHEMA, |keys, plies| {
            fits(sum.add_tokens(keys[0], keys[1], [plies[0], plies[1]]))
        })?;
        read(directory, &legal_moves::SCHEMA, |keys, plies| {
            fits(sum.add_legal_moves(number(keys[0])?, plies[0]))
        })?;
        read(directory, &ranks::SCHEMA, |keys, plies| {
            fits(sum.add_ranks(number(keys[0])?, [plies[0], plies[1]]))
        })?;
    }
    Ok(sum)
}

/// The sizes of all directories together, which must have the same compressors for the same notations.
pub(crate) fn added_sizes(directories: &[PathBuf]) -> Result<Sizes> {
    let mut sum: Option<Sizes> = None;
    for directory in directories {
        let mut sizes = Sizes::default();
        read(directory, &compress::SCHEMA, |keys, sums| {
            let compressor = Compressor::parse(keys[1])
                .ok_or_else(|| TableError::Row(format!("{:?} is no compressor", keys[1])))?;
            fits(sizes.add(keys[0], compressor, [sums[0], sums[1], sums[2]]))
        })?;
        let path = directory.join(compress::SCHEMA.file);
        let refuse = |why: &str| Error::usage(format!("{} {why}", path.shown()));
        match &mut sum {
            None => sum = Some(sizes),
            Some(sum) if !sum.is_like(&sizes) => {
                return Err(refuse(
                    "has other compressors than those before, or for other notations: measure all \
                     with the same options",
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

/// What the codes of all directories wrote together.
pub(crate) fn added_codes(directories: &[PathBuf]) -> Result<Coded> {
    let code = |name: &str| {
        Code::find(name).ok_or_else(|| TableError::Row(format!("{name:?} is no code for moves")))
    };
    let mut sum = Coded::default();
    for directory in directories {
        read(directory, &codes::SCHEMA, |keys, sums| {
            let size = CodeSize { games: sums[0], plies: sums[1], bits: sums[2] };
            fits(sum.add(code(keys[0])?, size))
        })?;
        read(directory, &code_symbols::SCHEMA, |keys, plies| {
            fits(sum.add_symbol(code(keys[0])?, number(keys[1])?, plies[0]))
        })?;
    }
    Ok(sum)
}

/// An error if a row was not added.
fn fits(added: bool) -> Result<(), TableError> {
    added.then_some(()).ok_or_else(|| TableError::Row("no such row can be added".to_string()))
}

fn number(field: &str) -> Result<usize, TableError> {
    field.parse().map_err(|_| TableError::NotACount(field.to_string()))
}

/// Calls `visit` with the keys and the sums of each row of a table.
fn read(
    directory: &Path,
    schema: &'static Schema,
    mut visit: impl FnMut(&[&str], &[u64]) -> Result<(), TableError>,
) -> Result<()> {
    let path = directory.join(schema.file);
    let refuse = |error: TableError| Error::usage(format!("{}: {error}", path.shown()));
    let file = std::fs::File::open(&path).map_err(|error| Error::io("open", &path, error))?;
    let mut rows = Rows::of(file, schema).map_err(refuse)?;
    let (keys_count, sums_count) = (schema.keys_count(), schema.sums_count());
    let mut met = Keys::new(schema);
    while let Some(record) = rows.next_row().map_err(refuse)? {
        let keys: Vec<&str> = record.iter().take(keys_count).collect();
        let sums = record.iter().skip(keys_count).take(sums_count).map(tables::rows::count);
        let visited = sums.collect::<Result<Vec<u64>, _>>().and_then(|sums| visit(&keys, &sums));
        let visited = visited.and_then(|()| met.add_once(&keys));
        visited.map_err(|error| refuse(error.at_line(rows.line())))?;
    }
    Ok(())
}

//! What `measure` writes besides lengths: frequencies, entropies, sizes after compression.

use std::path::Path;

use crate::error::Result;
use crate::sink::write_table;
use crate::study::{
    Compressor, write_compress, write_entropy, write_legal_moves, write_ranks, write_tokens,
};

use super::args::Measure;
use super::drain::Outlets;

/// The compressors that were asked for, each once.
pub(super) fn compressors(args: &Measure) -> Vec<Compressor> {
    let mut compressors: Vec<Compressor> = Vec::new();
    for &compressor in &args.compress {
        if !compressors.contains(&compressor) {
            compressors.push(compressor);
        }
    }
    compressors
}

/// The tables that were asked for.
pub(super) fn tables(args: &Measure) -> impl Iterator<Item = &'static str> {
    let entropy = ["tokens.csv", "legal_moves.csv", "ranks.csv", "entropy.csv"];
    let compress = (!args.compress.is_empty()).then_some("compress.csv");
    entropy.into_iter().filter(|_| args.entropy).chain(compress)
}

/// Writes them.
pub(super) fn write(args: &Measure, outlets: &Outlets, overwrite: bool) -> Result<()> {
    let path = |name: &str| args.output.join(name);
    let write = |name, fill: &dyn Fn(&mut csv::Writer<Vec<u8>>) -> csv::Result<()>| {
        write_table(Path::new(&path(name)), overwrite, fill)
    };
    if args.entropy {
        let information = &outlets.information;
        write("tokens.csv", &|table| write_tokens(information, table))?;
        write("legal_moves.csv", &|table| write_legal_moves(information, table))?;
        write("ranks.csv", &|table| write_ranks(information, table))?;
        write("entropy.csv", &|table| write_entropy(information, table))?;
    }
    match &outlets.press {
        Some(press) => write("compress.csv", &|table| write_compress(press.sizes(), table)),
        None => Ok(()),
    }
}

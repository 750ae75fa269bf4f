//! Codes for moves as tables.
//!
//! In: [`Coded`]. Out: `codes.csv`, what each code wrote, and `code_symbols.csv`, how often each symbol was; both are
//! integers that add up, besides bits per ply, which follow. Cost: a pass over the symbols.

use std::io::Write;

use crate::tables::{code_symbols, codes};

use super::entropy::{order_0, sum};
use super::{Code, Coded};

/// The bits per ply that a code of the symbols cannot go below, if the symbols are counted: for the number of legal
/// moves its binary logarithm, for places their entropy of order 0.
fn entropy_bits(coded: &Coded, code: Code) -> Option<f64> {
    let plies = coded.symbols(code).fold(0, |sum: u64, (_, plies)| sum.saturating_add(plies));
    let bits = match code {
        Code::LegalMoves => {
            sum(coded.symbols(code).map(|(count, plies)| plies as f64 * (count as f64).log2()))
        }
        _ => order_0(coded.symbols(code).map(|(_, plies)| plies)).1,
    };
    (plies > 0).then(|| bits / plies as f64)
}

/// Writes `codes.csv`: games, plies and bits by code.
///
/// # Errors
/// Those of the writer.
pub fn write_codes<W: Write>(coded: &Coded, out: &mut csv::Writer<W>) -> csv::Result<()> {
    out.write_record(codes::SCHEMA.header())?;
    let decimal =
        |number: Option<f64>| number.map_or_else(String::new, |number| format!("{number:.4}"));
    for code in Code::ALL {
        let written = coded.written(code);
        let per_ply = (written.plies > 0).then(|| written.bits as f64 / written.plies as f64);
        out.write_record([
            code.name(),
            &written.games.to_string(),
            &written.plies.to_string(),
            &written.bits.to_string(),
            &decimal(per_ply),
            &decimal(entropy_bits(coded, code)),
        ])?;
    }
    Ok(())
}

/// Writes `code_symbols.csv`: plies by code and symbol.
///
/// # Errors
/// Those of the writer.
pub fn write_code_symbols<W: Write>(coded: &Coded, out: &mut csv::Writer<W>) -> csv::Result<()> {
    out.write_record(code_symbols::SCHEMA.header())?;
    for code in Code::ALL {
        for (symbol, plies) in coded.symbols(code) {
            out.write_record([code.name(), &symbol.to_string(), &plies.to_string()])?;
        }
    }
    Ok(())
}

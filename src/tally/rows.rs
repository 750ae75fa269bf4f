//! Tallies as tables: tidy CSV, one observation a row, integers plain, ratios with stated digits.

use std::io::Write;

use crate::notation::NOTATIONS;

use super::{Cost, GameLengths, Tally};

type Table<W> = csv::Writer<W>;

/// Where the registry holds a notation; both names are in it.
fn index_of(name: &str) -> usize {
    NOTATIONS.iter().position(|notation| notation.info().name == name).unwrap_or(0)
}

/// A ratio with three digits; empty where there is nothing to divide by.
fn ratio(numerator: u64, denominator: u64) -> String {
    match denominator {
        0 => String::new(),
        _ => format!("{:.3}", numerator as f64 / denominator as f64),
    }
}

/// How much smaller, in per cent with two digits; negative where it is larger.
fn saved_percent(characters: u64, than: u64) -> String {
    match than {
        0 => String::new(),
        _ => format!("{:.2}", 100.0 * (than as f64 - characters as f64) / than as f64),
    }
}

/// Writes `notations.csv`: what each notation cost in all.
///
/// # Errors
/// Those of the writer.
pub fn write_notations<W: Write>(tally: &Tally, out: &mut Table<W>) -> csv::Result<()> {
    out.write_record([
        "notation",
        "games",
        "plies",
        "characters",
        "bytes",
        "characters_per_ply",
        "saved_percent_vs_san",
        "saved_percent_vs_economical_letters",
    ])?;
    let all = [index_of("san"), index_of("economical-letters")].map(|index| tally.cost(index));
    for (index, notation) in NOTATIONS.iter().enumerate() {
        let cost = tally.cost(index);
        // A notation that cannot write every game has no total to compare with.
        let saved = |than: &Cost| match cost.plies == than.plies {
            true => saved_percent(cost.characters, than.characters),
            false => String::new(),
        };
        out.write_record([
            notation.info().name,
            &cost.games.to_string(),
            &cost.plies.to_string(),
            &cost.characters.to_string(),
            &cost.bytes.to_string(),
            &ratio(cost.characters, cost.plies),
            &saved(&all[0]),
            &saved(&all[1]),
        ])?;
    }
    Ok(())
}

/// Writes `lengths.csv`: how many texts of each notation have each length in characters.
///
/// # Errors
/// Those of the writer.
pub fn write_lengths<W: Write>(tally: &Tally, out: &mut Table<W>) -> csv::Result<()> {
    out.write_record(["notation", "characters", "plies"])?;
    for (index, notation) in NOTATIONS.iter().enumerate() {
        let cost = tally.cost(index);
        for (characters, plies) in cost.lengths.iter().enumerate().filter(|(_, plies)| **plies > 0)
        {
            let name = notation.info().name;
            out.write_record([name, &characters.to_string(), &plies.to_string()])?;
        }
    }
    Ok(())
}

/// Writes `by_ply.csv`: what each notation cost at each ply, counted from 1.
///
/// # Errors
/// Those of the writer.
pub fn write_by_ply<W: Write>(tally: &Tally, out: &mut Table<W>) -> csv::Result<()> {
    out.write_record(["notation", "ply", "plies", "characters"])?;
    for (index, notation) in NOTATIONS.iter().enumerate() {
        let texts = tally.by_ply(index).enumerate().filter(|(_, (plies, _))| *plies > 0);
        for (ply, (plies, characters)) in texts {
            out.write_record([
                notation.info().name,
                &(ply + 1).to_string(),
                &plies.to_string(),
                &characters.to_string(),
            ])?;
        }
    }
    Ok(())
}

/// One game, for `games.csv`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRow {
    /// Where the game begins in the archive's text, in bytes.
    pub offset: u64,
    /// Its number in the archive, from 1.
    pub game: u64,
    /// Plies of the main line.
    pub plies: u64,
    /// Characters by notation.
    pub characters: Vec<u64>,
}

impl GameRow {
    /// The row of a game.
    pub fn of(offset: u64, game: u64, lengths: &GameLengths) -> GameRow {
        let mut tally = Tally::default();
        tally.add(lengths);
        let characters = (0..NOTATIONS.len()).map(|index| tally.cost(index).characters).collect();
        GameRow { offset, game, plies: tally.plies(), characters }
    }

    /// The header of `games.csv`.
    pub fn header() -> Vec<String> {
        let fixed = ["archive", "byte_offset", "game", "plies"].map(String::from);
        let names =
            NOTATIONS.iter().map(|n| format!("characters_{}", n.info().name.replace('-', "_")));
        fixed.into_iter().chain(names).collect()
    }

    /// The row as it stands in `games.csv`.
    pub fn record(&self, archive: &str) -> Vec<String> {
        let fixed = [
            archive.to_string(),
            self.offset.to_string(),
            self.game.to_string(),
            self.plies.to_string(),
        ];
        fixed.into_iter().chain(self.characters.iter().map(u64::to_string)).collect()
    }
}

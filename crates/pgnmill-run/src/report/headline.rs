//! The table at the end of a measurement: the headline figures, in 80 columns.
//!
//! In: the tables of a measurement. Out: text; none if a table is missing. Cost: constant.

use std::fmt::Write as _;

use pgnmill_core::notation::{NOTATIONS, Notation};
use pgnmill_core::tables::notations::BASES;
use pgnmill_core::tables::{Grid, Schema, facts, movetext, notations};

use crate::host::Host;
use crate::text::numbers::grouped;

/// The facts and their texts.
const FACTS: [(&str, &str); 6] = [
    ("piece-and-square-enough", "plies for which piece type and target are enough"),
    ("square-enough", "plies for which the square of 'Economical' is enough"),
    ("pawn-capture-files-enough", "pawn captures for which the files are enough"),
    ("legality-shortens-squares", "plies that legality shortens, without letters"),
    ("legality-saves-squares", "characters that legality saves there"),
    ("legality-saves-priority", "characters that legality saves with priority"),
];

/// If there are more notations than this that are SAN with other letters, they are only in notations.csv.
const LETTERED_MAX: usize = 8;

/// Prints the headline figures.
pub(crate) fn print(grids: &[Grid], host: &dyn Host) {
    host.print(&text(grids));
}

fn text(grids: &[Grid]) -> String {
    let find = |schema: &Schema| grids.iter().find(|grid| grid.schema().file == schema.file);
    let (Some(notations), Some(movetext), Some(facts)) =
        (find(&notations::SCHEMA), find(&movetext::SCHEMA), find(&facts::SCHEMA))
    else {
        return String::new();
    };
    let per_ply = |sums: &[u64]| (sums[1] > 0).then(|| sums[2] as f64 / sums[1] as f64);
    let Some(san) = notations.get(&[BASES[0]]).and_then(per_ply) else { return String::new() };
    let mut text = format!(
        "\n{:<28}{:>16}{:>10}{:>11}{:>15}\n",
        "notation", "characters", "per ply", "vs san", "per line of 80"
    );
    let rows: Vec<(&'static dyn Notation, &[u64])> = NOTATIONS
        .iter()
        .filter_map(|notation| Some((*notation, notations.get(&[notation.info().name])?)))
        .collect();
    let lettered = rows.iter().filter(|(notation, _)| notation.san_letters().is_some()).count();
    let all_lettered = lettered > LETTERED_MAX;
    for (notation, sums) in rows {
        let name = notation.info().name;
        if all_lettered && notation.san_letters().is_some() {
            continue;
        }
        let Some(mean) = per_ply(sums) else { continue };
        let line = movetext
            .get(&[name, "total"])
            .map_or(0.0, |total| 80.0 * total[0] as f64 / total[1].max(1) as f64);
        let _ = writeln!(
            text,
            "{name:<28}{:>16}{mean:>10.3}{:>9.1} %{line:>9.1} plies",
            grouped(sums[2]),
            100.0 * (mean / san - 1.0)
        );
    }
    if all_lettered {
        text.push_str("Figurines and languages are SAN with other letters: see notations.csv.\n");
    }
    text.push('\n');
    for (fact, words) in FACTS {
        if let Some(&[count, of]) = facts.get(&[fact]).filter(|sums| sums[1] > 0) {
            let share = 100.0 * count as f64 / of as f64;
            let _ = writeln!(text, "{words:<60}{:>11}{share:>7.2} %", grouped(count));
        }
    }
    text
}

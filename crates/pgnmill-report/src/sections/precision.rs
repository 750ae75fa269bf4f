//! How sure the figures are, and how games differ from their mean.

use pgnmill_core::tables;
use pgnmill_core::tables::changes::SPANS;
use pgnmill_core::tables::notations::{BASES, names};
use pgnmill_core::tables::se::NORMAL_95;

use super::super::number::{decimal, grouped, signed};
use super::super::page::{Cell, Grid, Section};
use super::super::spread::{SHOWN, Spread};
use super::super::study::Study;
use super::measured;

const TITLE: &str = "How sure these numbers are";

/// The section.
pub(super) fn section(study: &Study) -> Section {
    let Some(spread) = &study.spread else {
        return Section::missing(TITLE, tables::se::SCHEMA.file, " --cluster game,event,player");
    };
    let mut section = Section::new(
        TITLE,
        "Games are drawn from more games of the same kind: standard errors of ratios of two sums, with games, events or \
         players as clusters, since the plies of a game, the games of an event and those of a player are alike. The \
         interval of 95 % is that of the largest of the three. Errors say nothing of how the archives were chosen.",
    );
    section.grid(grid_of_errors(study, spread));
    section.text(
        "The change of single games: the mean over games, each of which counts once whatever its length, and what so \
         many per cent of the games do not exceed. In steps of half a per cent.",
    );
    section.grid(grid_of_games(study, spread));
    section
}

fn number(error: Option<f64>, digits: usize) -> Cell {
    Cell::Ratio(error.unwrap_or(f64::NAN), digits)
}

/// The ends of an interval.
fn interval(middle: f64, error: Option<f64>, text: impl Fn(f64) -> String) -> Cell {
    let ends = error.map(|error| [-1.0, 1.0].map(|side| text(middle + side * NORMAL_95 * error)));
    Cell::Text(ends.map_or_else(String::new, |[low, high]| format!("{low} to {high}")))
}

fn grid_of_errors(study: &Study, spread: &Spread) -> Grid {
    let head = [
        "notation",
        "characters a ply",
        "error by game",
        "by event",
        "by player",
        "95 %",
        "against `san`",
        "error by game, points",
        "by event",
        "by player",
        "95 %",
    ];
    let row = |name: &&str| {
        let sum = study.total(name).copied().unwrap_or_default();
        let change = sum.change_percent(study.total(names::SAN).unwrap_or(&sum));
        let all =
            [spread.whole(name), spread.clustered("event", name), spread.clustered("player", name)];
        let means = all.map(|errors| errors.mean);
        let changes = all.map(|errors| errors.changes[0]);
        let largest = |errors: [Option<f64>; 3]| errors.into_iter().flatten().reduce(f64::max);
        let mut row = vec![Cell::Name(name.to_string()), Cell::Ratio(sum.per_ply(), 3)];
        row.extend(means.map(|error| number(error, 4)));
        row.push(interval(sum.per_ply(), largest(means), |end| decimal(end, 3)));
        row.push(Cell::Change(change, 2));
        row.extend(changes.map(|error| number(error, 3)));
        row.push(interval(change, largest(changes), |end| signed(end, 2)));
        row
    };
    Grid {
        caption: "Means and changes, with their standard errors".to_string(),
        is_open: true,
        source: tables::se::SCHEMA.file.to_string(),
        head: head.map(String::from).to_vec(),
        rows: measured(study, &SHOWN).iter().map(row).collect(),
    }
}

fn grid_of_games(study: &Study, spread: &Spread) -> Grid {
    let quantiles = [0.01, 0.05, 0.5, 0.95, 0.99];
    let mut rows = Vec::new();
    for base in BASES {
        for (span, _) in SPANS {
            for name in measured(study, &SHOWN) {
                let Some(changes) = spread.changes(span, base, name) else { continue };
                if matches!(name, names::LONG | names::UCI) && span != SPANS[0].0 {
                    continue;
                }
                let mut row = vec![
                    Cell::Name(name.to_string()),
                    Cell::Name(base.to_string()),
                    Cell::Text(span.replace('-', " ")),
                    Cell::Count(changes.games()),
                    Cell::Change(changes.mean(), 2),
                ];
                row.extend(quantiles.map(|share| Cell::Change(changes.quantile(share), 1)));
                rows.push(row);
            }
        }
    }
    let mut head: Vec<String> =
        ["notation", "against", "of the game", "games", "mean of games"].map(String::from).to_vec();
    head.extend(quantiles.map(|share| format!("{} %", grouped((100.0 * share) as u64))));
    Grid {
        caption: "Changes of single games".to_string(),
        is_open: false,
        source: tables::changes::SCHEMA.file.to_string(),
        head,
        rows,
    }
}

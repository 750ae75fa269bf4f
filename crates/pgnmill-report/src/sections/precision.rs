//! How sure the figures are, and how games differ from their mean.

use pgnmill_core::tables::changes::SPANS;
use pgnmill_core::tables::clusters_by;
use pgnmill_core::tables::notations::{BASES, names};
use pgnmill_core::tables::weights::WEIGHTS;
use pgnmill_core::tables::{self, Dimension};

use super::super::number::{decimal, grouped, signed};
use super::super::page::{Cell, Grid, Section};
use super::super::spread::{SHOWN, Spread};
use super::super::student::quantile_95;
use super::super::study::{Group, Study, Weighted};
use super::{FEW_GAMES, measured};

pub(super) const TITLE: &str = "How sure these numbers are";

/// The section.
pub(super) fn section(study: &Study) -> Section {
    let Some(spread) = &study.spread else {
        return Section::missing(TITLE, tables::se::SCHEMA.file, " --cluster game,event,player");
    };
    let mut section = Section::new(
        TITLE,
        "The games are treated as a random sample of games of the same kind. Plies of one game are alike, and so are \
         games of one event or player: these are the clusters of the standard errors, which are those of ratios of two \
         sums. An event is the tag `Event` in a year, which online is often no more than the kind of game; events and \
         players are counted in 256 random groups. The interval of 95 % is the widest of those by game, event and player, \
         by Student's t. None of them states how the archives were chosen.",
    );
    if let Some(text) = by_event(study, spread) {
        section.text(text);
    }
    if let (Some(events), Some(players)) = (spread.worth("event"), spread.worth("player")) {
        let t = |clusters: f64| decimal(quantile_95(clusters - 1.0).unwrap_or(f64::NAN), 2);
        section.text(format!(
            "The random groups are of unequal size: those of events are worth {} equal ones, those of players {}; the \
             fewer, the rougher is the error. Less one, these are the degrees of freedom: the ends of an interval by event \
             are {} errors from its middle, by player {}, and by game 1.96.",
            decimal(events, 0),
            decimal(players, 0),
            t(events),
            t(players)
        ));
    }
    if let Some(text) = by_archive(study) {
        section.text(text);
    }
    section.grid(grid_of_errors(study, spread));
    section.text(
        "The change of single games: the mean over games, each of which counts once whatever its length, and quantiles, \
         in steps of half a per cent. Whole games are those of 20 plies and more, the first 20 moves those of games of 40 \
         plies and more; what follows them is of games of 60 plies and more.",
    );
    section.grid(grid_of_games(study, spread));
    if let Some(weights) = &study.weights {
        section.text(
            "What the mean and the change are if each ply counts the same, as everywhere else on this page; if each game \
             does, whatever its length; or each archive, whatever its size, however few its games are. The change by game is \
             the mean of the changes of single games, not the change of the means.",
        );
        section.grid(grid_of_weights(study, weights));
    }
    section
}

/// How many times the error by game that by event is, for all games and for groups.
fn by_event(study: &Study, spread: &Spread) -> Option<String> {
    let of = |name: &&str| spread.times_by_event(name, |errors| errors.changes[0]);
    let times: Vec<f64> = measured(study, &SHOWN).iter().filter_map(of).collect();
    let [least, most] = ends(&times)?;
    let whole = format!(
        "For all games the error of the change against `san` by event is {} to {} times that by game.",
        decimal(least, 0),
        decimal(most, 0)
    );
    let own = of(&names::PRIORITY).map_or_else(String::new, |own| decimal(own, 1));
    let groups = spread.times_of_groups(names::PRIORITY, |dimension, group| {
        let groups = study.dimension(dimension).map_or(&[][..], |it| &it.groups);
        let group = groups.iter().find(|it| it.key == group);
        let sum = group.and_then(|group| group.sums.get(names::PRIORITY));
        sum.is_some_and(|sum| sum.games >= FEW_GAMES)
    });
    let factor = ends(&groups).map_or_else(String::new, |[least, most]| {
        format!(
            " For `economical-priority` it is {} to {} times that by game there, in groups of {FEW_GAMES} games and more.",
            decimal(least, 1),
            decimal(most, 1)
        )
    });
    let groups = match spread.has_events(None) {
        true => format!(
            "It is counted for each group of the dimensions with at most {} groups, too: in their tables, and in the bars \
             of the figures, which are the wider of both.{factor} In the tables of other dimensions the error by game is \
             beside the same times {own}, which is no count.",
            clusters_by::GROUPS_MAX
        ),
        false => format!(
            "By group, errors by event were not counted: bars in figures are by game, and so much too short. Beside the \
             error by game the tables by group have that error times {own}, as for the change of `economical-priority` of \
             all games. That is no count: where events are of one group, as of one speed, it is the order of size, and \
             where every game has a part in each group, as of phases, it may be less."
        ),
    };
    Some(format!(
        "{whole} {groups} A difference between two groups of less than three such errors, those of the less exact one, \
         means nothing."
    ))
}

/// The least and the greatest.
fn ends(numbers: &[f64]) -> Option<[f64; 2]> {
    let least = numbers.iter().copied().reduce(f64::min)?;
    Some([least, numbers.iter().copied().fold(least, f64::max)])
}

fn grid_of_weights(study: &Study, weights: &[Weighted]) -> Grid {
    let there: Vec<&str> = WEIGHTS
        .into_iter()
        .filter(|weight| weights.iter().any(|it| it.weight == *weight))
        .collect();
    let find = |weight: &str, name: &str| {
        weights.iter().find(|it| it.weight == weight && it.notation == name)
    };
    let row = |name: &&str| {
        let of = |weight: &&str| find(weight, name);
        let means = there.iter().map(|it| Cell::Ratio(of(it).map_or(f64::NAN, |it| it.mean), 4));
        let changes =
            there.iter().map(|it| Cell::Change(of(it).map_or(f64::NAN, |it| it.change), 3));
        [Cell::Name(name.to_string())].into_iter().chain(means).chain(changes).collect()
    };
    let units = |weight: &&str| {
        let units = weights.iter().find(|it| it.weight == *weight).map_or(0, |it| it.units);
        format!("a ply, by {weight} ({})", grouped(units))
    };
    let mut head = vec!["notation".to_string()];
    head.extend(there.iter().map(units));
    head.extend(there.iter().map(|weight| format!("against `san`, by {weight}")));
    Grid {
        caption: "Means and changes by what counts the same".to_string(),
        is_open: true,
        source: tables::weights::SCHEMA.file.to_string(),
        note: String::new(),
        head,
        rows: measured(study, &SHOWN).iter().map(row).collect(),
    }
}

/// What the archives have in common: the range of the change, and its mean if each of them counts once.
fn by_archive(study: &Study) -> Option<String> {
    let archives = study.dimension(Dimension::Source.name())?;
    let change = |group: &Group| {
        let sum = |name: &str| group.sums.get(name);
        let (short, san) = (sum(names::PRIORITY)?, sum(names::SAN)?);
        (san.games >= FEW_GAMES).then(|| short.change_percent(san))
    };
    let changes: Vec<f64> = archives.groups.iter().filter_map(change).collect();
    let (least, most) = changes
        .iter()
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &change| (a.min(change), b.max(change)));
    let count = changes.len() as f64;
    let mean = changes.iter().sum::<f64>() / count;
    let squares: f64 = changes.iter().map(|change| (change - mean).powi(2)).sum();
    let half = quantile_95(count - 1.0)? * (squares / (count - 1.0) / count).sqrt();
    Some(format!(
        "The archives differ by more than that: of {} archives of 500 games and more, `economical-priority` changes \
         `san` by {} to {} %; if each of them counts once, by {} %, with an interval of 95 % of {} to {} % if they were a \
         random sample of archives (t of {} {} of freedom), which they are not.",
        changes.len(),
        signed(most, 1),
        signed(least, 1),
        signed(mean, 1),
        signed(mean - half, 1),
        signed(mean + half, 1),
        changes.len() - 1,
        if changes.len() == 2 { "degree" } else { "degrees" }
    ))
}

fn number(error: Option<f64>, digits: usize) -> Cell {
    Cell::Ratio(error.unwrap_or(f64::NAN), digits)
}

/// The ends of an interval.
fn interval(middle: f64, half: Option<f64>, text: impl Fn(f64) -> String) -> Cell {
    let ends = half.map(|half| [-1.0, 1.0].map(|side| text(middle + side * half)));
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
        let all = spread.by_clusters(name);
        let half_of_mean = spread.half_95(name, |errors| errors.mean);
        let half_of_change = spread.half_95(name, |errors| errors.changes[0]);
        let mut row = vec![Cell::Name(name.to_string()), Cell::Ratio(sum.per_ply(), 3)];
        row.extend(all.map(|errors| number(errors.mean, 4)));
        row.push(interval(sum.per_ply(), half_of_mean, |end| decimal(end, 3)));
        row.push(Cell::Change(change, 2));
        row.extend(all.map(|errors| number(errors.changes[0], 3)));
        row.push(interval(change, half_of_change, |end| signed(end, 2)));
        row
    };
    Grid {
        caption: "Means and changes, with their standard errors".to_string(),
        is_open: true,
        source: tables::se::SCHEMA.file.to_string(),
        note: String::new(),
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
                let is_economical = !matches!(name, names::LONG | names::UCI | names::SAN);
                if !is_economical || base == names::SAN && name == names::LETTERS {
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
        is_open: true,
        source: tables::changes::SCHEMA.file.to_string(),
        note: String::new(),
        head,
        rows,
    }
}

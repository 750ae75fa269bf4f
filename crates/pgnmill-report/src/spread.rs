//! How games differ, from the tables of `measure --cluster`.
//!
//! Input: `se.csv`, `se_DIMENSION.csv`, `clusters.csv`, `clusters_by.csv` and `changes.csv` of a directory; output:
//! standard errors, and the distribution of changes over games. Invariant: errors are computed from the integers of the
//! tables, as the program that wrote them computed them. A table that is absent gives nothing.

use std::collections::BTreeMap;
use std::path::Path;

use pgnmill_core::notation::MAIN;
use pgnmill_core::tables::columns::{CHARACTERS, NOTATION, PLIES};
use pgnmill_core::tables::notations::{BASES, names};
use pgnmill_core::tables::se::{self, Errors};
use pgnmill_core::tables::{Dimension, by, changes, clusters, clusters_by};
use pgnmill_io::error::Result;

use super::student::quantile_95;
use super::table::Table;

/// Rows of `clusters.csv` and `changes.csv`; a measurement writes hardly half as many.
const ROWS_MAX: usize = 50_000;
/// Rows of a table by group; the longest has 10,000 archives.
const ROWS_BY_GROUP_MAX: usize = 100_000;
/// Rows of `clusters_by.csv`: of all dimensions with at most 32 groups.
const ROWS_OF_EVENTS_MAX: usize = 200_000;
/// The integers of a row of `se.csv`.
type Sums = [u64; se::SUMS.len()];
/// The errors by group and notation.
type ByGroup = BTreeMap<(String, String), Errors>;

/// Characters and plies by random group.
type RandomGroups = BTreeMap<u64, [u64; 2]>;

/// The error of a group by event.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByEvent {
    pub(super) errors: Errors,
    /// How many equal random groups those of the group are worth.
    worth: f64,
}

/// How games differ.
#[derive(Debug, Default)]
pub(super) struct Spread {
    /// Of all games, by notation.
    whole: BTreeMap<String, Errors>,
    /// By dimension.
    by: BTreeMap<&'static str, ByGroup>,
    /// The integers of all games, with an empty key, and of each archive, by archive and notation.
    sums: BTreeMap<(String, String), Sums>,
    /// With events and players as clusters, by notation: the mean, and the change against SAN.
    clusters: BTreeMap<String, BTreeMap<String, Errors>>,
    /// With events as clusters, by dimension, group and notation.
    events: BTreeMap<String, BTreeMap<(String, String), ByEvent>>,
    /// How many equal groups the random ones are worth, by kind: their plies are not equal.
    worth: BTreeMap<String, f64>,
    /// Games by ratio in per mille, by span, base and notation.
    changes: BTreeMap<(String, String, String), BTreeMap<u64, u64>>,
}

impl Spread {
    /// Reads the tables of a directory.
    ///
    /// # Errors
    /// If a table is malformed.
    pub(super) fn read(directory: &Path) -> Result<Option<Spread>> {
        let Some(table) = Table::read(directory, se::SCHEMA.file)? else { return Ok(None) };
        let sums = sums_of(&table, None)?;
        let whole = errors(&sums).into_iter().map(|((_, notation), e)| (notation, e)).collect();
        let mut spread = Spread { whole, sums, ..Spread::default() };
        for dimension in Dimension::ALL {
            if let Some(table) = Table::read(directory, dimension.se_schema().file)? {
                let sums = sums_of(&table, Some(by::KEY.name))?;
                spread.by.insert(dimension.name(), errors(&sums));
                if dimension == Dimension::Source {
                    spread.sums.extend(sums);
                }
            }
        }
        if let Some(table) = Table::read(directory, clusters::SCHEMA.file)? {
            spread.read_clusters(&table)?;
        }
        if let Some(table) = Table::read(directory, clusters_by::SCHEMA.file)? {
            spread.read_events(&table)?;
        }
        if let Some(table) = Table::read(directory, changes::SCHEMA.file)? {
            spread.read_changes(&table)?;
        }
        Ok(Some(spread))
    }

    /// The errors of all games in a notation, with games as clusters.
    pub(super) fn whole(&self, notation: &str) -> Errors {
        self.whole.get(notation).copied().unwrap_or_default()
    }

    /// Those of a group.
    pub(super) fn of_group(&self, dimension: &str, group: &str, notation: &str) -> Errors {
        let key = (group.to_string(), notation.to_string());
        self.by.get(dimension).and_then(|groups| groups.get(&key)).copied().unwrap_or_default()
    }

    /// That of a group with events as clusters; none of a dimension that has too many groups, or where it was not
    /// measured.
    pub(super) fn of_events(
        &self,
        dimension: &str,
        group: &str,
        notation: &str,
    ) -> Option<ByEvent> {
        let key = (group.to_string(), notation.to_string());
        self.events.get(dimension)?.get(&key).copied()
    }

    /// Was the error by event counted for the groups of a dimension, or of any?
    pub(super) fn has_events(&self, dimension: Option<&str>) -> bool {
        dimension.map_or(!self.events.is_empty(), |dimension| self.events.contains_key(dimension))
    }

    /// How many times its error by game the error of the change against `san` by event is, in each group of so many
    /// games.
    pub(super) fn times_of_groups(
        &self,
        notation: &str,
        has_enough: impl Fn(&str, &str) -> bool,
    ) -> Vec<f64> {
        let groups = self.events.iter().flat_map(|(dimension, groups)| {
            let of_notation = groups.iter().filter(|((_, name), _)| name == notation);
            of_notation.map(move |((group, _), by_event)| (dimension, group, by_event))
        });
        let enough = groups.filter(|(dimension, group, _)| has_enough(dimension, group));
        let times = enough.filter_map(|(dimension, group, by_event)| {
            let by_game = self.of_group(dimension, group, notation).changes[0]?;
            Some(by_event.errors.changes[0]? / by_game)
        });
        times.filter(|times| times.is_finite()).collect()
    }

    /// The half of an interval of 95 % of the mean of a group of so many games: the wider one of those with games and
    /// with events as clusters.
    pub(super) fn half_of_group(
        &self,
        [dimension, group, notation]: [&str; 3],
        games_count: u64,
    ) -> Option<f64> {
        let by_game = self.of_group(dimension, group, notation).mean;
        let by_game = by_game.zip(quantile_95(games_count as f64 - 1.0));
        let by_event = self.of_events(dimension, group, notation);
        let by_event =
            by_event.and_then(|it| it.errors.mean.zip(quantile_95((it.worth - 1.0).max(1.0))));
        [by_game, by_event].into_iter().flatten().map(|(error, t)| error * t).reduce(f64::max)
    }

    /// Those of all games with other clusters, `event` or `player`: the mean and the change against SAN.
    pub(super) fn clustered(&self, by: &str, notation: &str) -> Errors {
        let errors = self.clusters.get(by).and_then(|notations| notations.get(notation));
        errors.copied().unwrap_or_default()
    }

    /// The errors of all games but those of an archive, with games as clusters; none if that is not known.
    pub(super) fn without_source(&self, source: &str, notation: &str) -> Errors {
        let of = |name: &str| {
            let sums = |key: &str| self.sums.get(&(key.to_string(), name.to_string()));
            let (whole, own) = sums("").zip(sums(source))?;
            let mut rest = *whole;
            for (sum, own) in rest.iter_mut().zip(own) {
                *sum = sum.checked_sub(*own)?;
            }
            Some(rest)
        };
        let bases = BASES.map(of);
        let bases = bases.each_ref().map(|sums| sums.as_ref().map(|sums| sums.as_slice()));
        of(notation).map_or_else(Errors::default, |sums| Errors::of(&sums, bases))
    }

    /// How many times the error by game that by event is, for all games in a notation.
    pub(super) fn times_by_event(
        &self,
        notation: &str,
        of: impl Fn(&Errors) -> Option<f64>,
    ) -> Option<f64> {
        let by_event = of(&self.clustered(clusters::KINDS[0], notation))?;
        let times = by_event / of(&self.whole(notation))?;
        times.is_finite().then_some(times)
    }

    /// The errors of all games by game, by event and by player.
    pub(super) fn by_clusters(&self, notation: &str) -> [Errors; 1 + clusters::KINDS.len()] {
        let [event, player] = clusters::KINDS.map(|kind| self.clustered(kind, notation));
        [self.whole(notation), event, player]
    }

    /// The half of an interval of 95 % of all games: of errors by game, by event and by player the one that gives the
    /// widest, by Student's t with as many degrees of freedom as there are clusters of equal size less one.
    pub(super) fn half_95(
        &self,
        notation: &str,
        of: impl Fn(&Errors) -> Option<f64>,
    ) -> Option<f64> {
        let errors = self.by_clusters(notation).map(|errors| of(&errors));
        let games = self.sums.iter().find(|((source, _), _)| source.is_empty());
        let games = games.map(|(_, sums)| sums[0] as f64);
        let clusters = [games, self.worth(clusters::KINDS[0]), self.worth(clusters::KINDS[1])];
        let half = |(error, clusters): (Option<f64>, Option<f64>)| {
            Some(error? * quantile_95(clusters? - 1.0)?)
        };
        errors.into_iter().zip(clusters).filter_map(half).reduce(f64::max)
    }

    /// How many groups of equal size the random groups of events, or of players, are worth.
    pub(super) fn worth(&self, by: &str) -> Option<f64> {
        self.worth.get(by).copied()
    }

    /// The distribution over games.
    pub(super) fn changes(&self, span: &str, base: &str, notation: &str) -> Option<Changes<'_>> {
        let key = (span.to_string(), base.to_string(), notation.to_string());
        self.changes.get(&key).map(Changes)
    }

    fn read_clusters(&mut self, table: &Table) -> Result<()> {
        table.is_at_most(ROWS_MAX)?;
        let (by, cluster) = (table.column(&clusters::BY)?, table.column(&clusters::CLUSTER)?);
        let notation = table.column(&NOTATION)?;
        let (plies, characters) = (table.column(&PLIES)?, table.column(&CHARACTERS)?);
        // By kind and notation.
        let mut groups: BTreeMap<(String, String), RandomGroups> = BTreeMap::new();
        for row in 0..table.rows_count() {
            let key = (by.text(row).to_string(), notation.text(row).to_string());
            let sums = [characters.count(row)?, plies.count(row)?];
            groups.entry(key).or_default().insert(cluster.count(row)?, sums);
        }
        for ((by, notation), own) in &groups {
            self.worth.extend(worth(own).map(|worth| (by.clone(), worth)));
            let by_game = self.whole(notation);
            let is_by_player = by == clusters::KINDS[1];
            let of = |pairs: &[[u64; 2]], error_by_game: Option<f64>| match is_by_player {
                true => clusters::of_players(pairs, error_by_game?),
                false => clusters::of_groups(pairs),
            };
            let base = |name: &str| groups.get(&(by.clone(), name.to_string()));
            let errors = errors_of_clusters(own, base, by_game, of);
            self.clusters.entry(by.clone()).or_default().insert(notation.clone(), errors);
        }
        Ok(())
    }

    fn read_events(&mut self, table: &Table) -> Result<()> {
        table.is_at_most(ROWS_OF_EVENTS_MAX)?;
        let names = [clusters_by::DIMENSION, clusters_by::KEY];
        let [dimension, group] = [table.column(&names[0])?, table.column(&names[1])?];
        let (cluster, plies) = (table.column(&clusters::CLUSTER)?, table.column(&PLIES)?);
        let columns = clusters_by::CHARACTERS.iter().map(|column| table.column(column));
        let columns = columns.collect::<Result<Vec<_>>>()?;
        // By dimension and group: of each notation.
        let mut groups: BTreeMap<[String; 2], [RandomGroups; MAIN.len()]> = BTreeMap::new();
        for row in 0..table.rows_count() {
            let key = [dimension.text(row).to_string(), group.text(row).to_string()];
            let of_group = groups.entry(key).or_default();
            let (cluster, plies) = (cluster.count(row)?, plies.count(row)?);
            for (own, characters) in of_group.iter_mut().zip(&columns) {
                own.insert(cluster, [characters.count(row)?, plies]);
            }
        }
        for ([dimension, group], of_group) in &groups {
            let place = |name: &str| MAIN.iter().position(|main| main.info().name == name);
            let base = |name: &str| place(name).map(|place| &of_group[place]);
            let of = |pairs: &[[u64; 2]], _| clusters::of_groups(pairs);
            for (own, notation) in of_group.iter().zip(MAIN) {
                let errors = errors_of_clusters(own, base, Errors::default(), of);
                if let Some(worth) = worth(own) {
                    let key = (group.clone(), notation.info().name.to_string());
                    let by_event = ByEvent { errors, worth };
                    self.events.entry(dimension.clone()).or_default().insert(key, by_event);
                }
            }
        }
        Ok(())
    }

    fn read_changes(&mut self, table: &Table) -> Result<()> {
        table.is_at_most(ROWS_MAX)?;
        let names = [changes::SPAN, changes::AGAINST, NOTATION];
        let names = [table.column(&names[0])?, table.column(&names[1])?, table.column(&names[2])?];
        let ratio = table.column(&changes::LENGTH_PER_MILLE)?;
        let games = table.named("games")?;
        for row in 0..table.rows_count() {
            let [span, base, notation] = names.map(|name| name.text(row).to_string());
            let ratios = self.changes.entry((span, base, notation)).or_default();
            ratios.insert(ratio.count(row)?, games.count(row)?);
        }
        Ok(())
    }
}

/// How many groups of equal size random groups are worth.
fn worth(groups: &RandomGroups) -> Option<f64> {
    let plies =
        |power: i32| groups.values().map(|[_, plies]| (*plies as f64).powi(power)).sum::<f64>();
    let worth = plies(1).powi(2) / plies(2);
    worth.is_finite().then_some(worth)
}

/// The errors of the mean and of the changes of a notation, from its random groups and from those of the bases. `of`:
/// the error of a ratio, from its two sums by random group, and from its error by game.
fn errors_of_clusters<'g>(
    own: &RandomGroups,
    base: impl Fn(&str) -> Option<&'g RandomGroups>,
    by_game: Errors,
    of: impl Fn(&[[u64; 2]], Option<f64>) -> Option<f64>,
) -> Errors {
    let all: Vec<[u64; 2]> = own.values().copied().collect();
    let mut errors = Errors { mean: of(&all, by_game.mean), ..Errors::default() };
    for (place, name) in BASES.into_iter().enumerate() {
        let Some(bases) = base(name) else { continue };
        let pair = |(number, own): (&u64, &[u64; 2])| Some([own[0], bases.get(number)?[0]]);
        let pairs: Vec<[u64; 2]> = own.iter().filter_map(pair).collect();
        let error = of(&pairs, by_game.changes[place].map(|points| points / 100.0));
        errors.changes[place] = error.map(|error| 100.0 * error);
    }
    errors
}

/// The integers of each row of a table, by group and notation; `group`: the column of the group.
fn sums_of(table: &Table, group: Option<&str>) -> Result<BTreeMap<(String, String), Sums>> {
    table.is_at_most(ROWS_BY_GROUP_MAX)?;
    let group = group.map(|name| table.named(name)).transpose()?;
    let notation = table.column(&NOTATION)?;
    let columns = se::SUMS.iter().map(|column| table.column(column));
    let columns = columns.collect::<Result<Vec<_>>>()?;
    let mut rows: BTreeMap<(String, String), Sums> = BTreeMap::new();
    for row in 0..table.rows_count() {
        let mut sums = Sums::default();
        for (sum, column) in sums.iter_mut().zip(&columns) {
            *sum = column.count(row)?;
        }
        let group = group.map_or_else(String::new, |group| group.text(row).to_string());
        rows.insert((group, notation.text(row).to_string()), sums);
    }
    Ok(rows)
}

/// The errors of each row of a table.
fn errors(rows: &BTreeMap<(String, String), Sums>) -> ByGroup {
    let of = |(key, sums): (&(String, String), &Sums)| {
        let base = |name: &str| rows.get(&(key.0.clone(), name.to_string()));
        let bases = BASES.map(|name| base(name).map(|sums| sums.as_slice()));
        (key.clone(), Errors::of(sums, bases))
    };
    rows.iter().map(of).collect()
}

/// Games by the ratio of two lengths, in per mille.
#[derive(Clone, Copy, Debug)]
pub(super) struct Changes<'a>(&'a BTreeMap<u64, u64>);

impl Changes<'_> {
    /// How many games.
    pub(super) fn games(self) -> u64 {
        self.0.values().fold(0, |sum, &games| sum.saturating_add(games))
    }

    /// The mean of the changes, each game once, in per cent; steps of half a per cent are taken at their middle.
    pub(super) fn mean(self) -> f64 {
        let sum = self.0.iter().map(|(&ratio, &games)| games as f64 * change(ratio)).sum::<f64>();
        sum / self.games() as f64
    }

    /// The change that this share of the games does not exceed, in per cent.
    pub(super) fn quantile(self, share: f64) -> f64 {
        let wanted = (share * self.games() as f64).max(1.0);
        let mut met = 0;
        let mut at = |(&ratio, &games): (&u64, &u64)| {
            met = games.saturating_add(met);
            (met as f64 >= wanted).then_some(ratio)
        };
        self.0.iter().find_map(&mut at).map_or(f64::NAN, change)
    }

    /// The share of games that are shorter by more than this many per cent, in per cent; the games of the step in which
    /// that lies are not counted.
    pub(super) fn share_shorter(self, percent: f64) -> f64 {
        let end = (1_000.0 - 10.0 * percent).round() as u64;
        let end = end / changes::STEP_PER_MILLE * changes::STEP_PER_MILLE;
        let games = self.0.range(..end).fold(0, |sum: u64, (_, &games)| sum.saturating_add(games));
        100.0 * games as f64 / self.games() as f64
    }
}

/// The middle of a step, as a change in per cent.
fn change(per_mille: u64) -> f64 {
    (per_mille as f64 + changes::STEP_PER_MILLE as f64 / 2.0) / 10.0 - 100.0
}

/// The notations whose errors are on the page.
pub(super) const SHOWN: [&str; 8] = [
    names::LONG,
    names::UCI,
    names::SAN,
    names::LETTERS,
    names::SQUARES,
    names::SQUARES_LEGAL,
    names::PRIORITY,
    names::PRIORITY_LEGAL,
];

#[cfg(test)]
mod tests {
    use super::*;

    /// A speed with an error of the mean by game and by event, and of the change.
    fn with(spread: &mut Spread, group: &str, by_game: [f64; 2], by_event: [f64; 2]) {
        let key = || (group.to_string(), names::SAN.to_string());
        let errors = |[mean, change]: [f64; 2]| Errors {
            mean: Some(mean),
            changes: [Some(change); BASES.len()],
        };
        spread.by.entry("speed").or_default().insert(key(), errors(by_game));
        let by_event = ByEvent { errors: errors(by_event), worth: 5.0 };
        spread.events.entry("speed".to_string()).or_default().insert(key(), by_event);
    }

    #[test]
    fn the_interval_of_a_group_is_the_wider_one() {
        let mut spread = Spread::default();
        with(&mut spread, "blitz", [0.1, 1.0], [0.2, 3.0]);
        with(&mut spread, "rapid", [0.3, 2.0], [0.01, 1.0]);
        let half = |group| spread.half_of_group(["speed", group, names::SAN], 1_000_001).unwrap();
        // Four degrees of freedom; and a million.
        assert!((half("blitz") - 0.2 * 2.776).abs() < 0.001, "{}", half("blitz"));
        assert!((half("rapid") - 0.3 * 1.960).abs() < 0.001, "{}", half("rapid"));
        assert_eq!(spread.half_of_group(["phase", "opening", names::SAN], 9), None);
    }

    #[test]
    fn times_of_groups_are_of_those_that_have_enough_games() {
        let mut spread = Spread::default();
        with(&mut spread, "blitz", [0.1, 1.0], [0.2, 3.0]);
        with(&mut spread, "rapid", [0.3, 2.0], [0.01, 1.0]);
        assert_eq!(spread.times_of_groups(names::SAN, |_, _| true), [3.0, 0.5]);
        let has_enough = |dimension: &str, group: &str| dimension == "speed" && group == "rapid";
        assert_eq!(spread.times_of_groups(names::SAN, has_enough), [0.5]);
        assert_eq!(spread.times_of_groups(names::UCI, |_, _| true), [0.0; 0]);
        assert!(spread.has_events(None) && spread.has_events(Some("speed")));
        assert!(!spread.has_events(Some("phase")) && !Spread::default().has_events(None));
    }
}

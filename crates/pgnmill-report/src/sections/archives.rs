//! What was measured, archive by archive, so that a reader can judge what the figures are of.

use pgnmill_core::tables;
use pgnmill_core::tables::Dimension;
use pgnmill_core::tables::notations::names;

use super::super::number::{decimal, ratio, signed};
use super::super::page::{Cell, Grid, Section};
use super::super::prose::{code, literal};
use super::super::study::{Fact, Group, Study};
use super::super::sums::Sum;
use super::{COMPARED, LARGE_SHARE_PERCENT, measured, per_ply};

/// A table has no more archives that are left out in turn.
const LEFT_OUT_MAX: usize = 20;

/// The section; none if the table is absent, as in measurements of earlier versions.
pub(super) fn section(study: &Study) -> Option<Section> {
    let archives = study.archives.as_ref().filter(|archives| !archives.is_empty())?;
    let mut section = Section::new(
        "The archives",
        "People who play online draw few games and mate in many; over the board it is the reverse; engines draw many games and mate in many of the others.",
    );
    section.grid(grid(study, archives));
    if let Some(left_out) = left_out(study) {
        section.text(
            "What all archives come to if one of them is left out: how far the totals of this page are those of that archive. \
             The share is that of its plies in all. The errors are by game, as if events did not matter.",
        );
        section.grid(left_out);
    }
    Some(section)
}

fn grid(study: &Study, archives: &[Fact]) -> Grid {
    let all_games = archives.iter().filter_map(|fact| fact.counts.get(3)).sum::<u64>();
    let row = |fact: &Fact| {
        let [bytes, games, rejected, count, draws, mates, rated, first, last] = fact.counts[..]
        else {
            return Vec::new();
        };
        let share = |of: u64| Cell::Ratio(100.0 * ratio(of, count), 1);
        let name = fact.names.concat();
        vec![
            Cell::Text(name.clone()),
            Cell::Count(bytes),
            Cell::Count(games),
            Cell::Count(rejected),
            Cell::Count(count),
            Cell::Ratio(100.0 * ratio(count, all_games), 1),
            Cell::Ratio(share_of_plies(study, &name).unwrap_or(f64::NAN), 1),
            share(draws),
            share(mates),
            share(rated),
            Cell::Text(date(first)),
            Cell::Text(date(last)),
        ]
    };
    let head = [
        "archive",
        "bytes of text",
        "games",
        "rejected",
        "measured",
        "of all games, %",
        "of all plies, %",
        "drawn, %",
        "mates, %",
        "both rated, %",
        "from",
        "to",
    ];
    Grid {
        caption: "What was measured".to_string(),
        is_open: true,
        source: tables::archives::SCHEMA.file.to_string(),
        note: String::new(),
        head: head.map(String::from).to_vec(),
        rows: archives.iter().map(row).collect(),
    }
}

/// The archives with what was counted in each.
fn groups(study: &Study) -> &[Group] {
    study.dimension(Dimension::Source.name()).map_or(&[], |dimension| &dimension.groups)
}

fn plies(group: &Group) -> u64 {
    group.sums.values().map(|sum| sum.plies).max().unwrap_or(0)
}

fn all_plies(study: &Study) -> u64 {
    groups(study).iter().map(plies).fold(0, u64::saturating_add)
}

/// The share of an archive in all plies, in per cent.
fn share_of_plies(study: &Study, archive: &str) -> Option<f64> {
    let group = groups(study).iter().find(|group| group.key == archive)?;
    Some(100.0 * ratio(plies(group), all_plies(study)))
}

/// What all archives but one come to in a notation.
fn without(study: &Study, archive: &Group, notation: &str) -> Option<Sum> {
    study.total(notation)?.minus(archive.sums.get(notation)?)
}

/// The archive that has most of the plies, if it has many of them and there are others.
fn largest(study: &Study) -> Option<(&Group, f64)> {
    let most = groups(study).iter().max_by_key(|group| plies(group))?;
    let share = 100.0 * ratio(plies(most), all_plies(study));
    (groups(study).len() > 1 && share > LARGE_SHARE_PERCENT).then_some((most, share))
}

/// For a sentence about large archives: how much of the plies the largest has.
pub(super) fn largest_in_words(study: &Study) -> String {
    largest(study).map_or_else(String::new, |(archive, share)| {
        format!(" ({} has {} % of the plies)", literal(&archive.key), decimal(share, 1))
    })
}

/// The result without the archive that has most of the plies.
pub(super) fn without_largest(study: &Study) -> Option<String> {
    let (archive, share) = largest(study)?;
    let rest = |name: &str| without(study, archive, name);
    let (own, san) = rest(names::PRIORITY).zip(rest(names::SAN))?;
    let all = study.total(names::PRIORITY)?;
    let change = all.change_percent(study.total(names::SAN)?);
    let has_each = study.archives.is_some() && left_out(study).is_some();
    Some(format!(
        "Of the plies {} % are of the archive {}. Without it {} has {} characters a ply, {} % against SAN; with it {} and \
         {} %.{}",
        decimal(share, 1),
        literal(&archive.key),
        code(names::PRIORITY),
        decimal(own.per_ply(), 3),
        signed(own.change_percent(&san), 1),
        decimal(all.per_ply(), 3),
        signed(change, 1),
        if has_each { " “The archives” has the same of each of them." } else { "" }
    ))
}

/// The totals, and those without each of the archives.
fn left_out(study: &Study) -> Option<Grid> {
    let archives = groups(study);
    let names_there = measured(study, &COMPARED);
    let has_pair = [names::SAN, names::PRIORITY].iter().all(|name| names_there.contains(name));
    if archives.len() < 2 || archives.len() > LEFT_OUT_MAX || !has_pair {
        return None;
    }
    let row = |name: String, left_out: Option<&Group>| {
        let of = |notation: &str| match left_out {
            Some(archive) => without(study, archive, notation),
            None => study.total(notation).copied(),
        };
        let share =
            left_out.map_or(f64::NAN, |group| 100.0 * ratio(plies(group), all_plies(study)));
        let change = of(names::PRIORITY).zip(of(names::SAN));
        let change = change.map_or(f64::NAN, |(own, san)| own.change_percent(&san));
        let error = study.spread.as_ref().and_then(|spread| match left_out {
            Some(archive) => spread.without_source(&archive.key, names::PRIORITY).changes[0],
            None => spread.whole(names::PRIORITY).changes[0],
        });
        let count = |count: fn(&Sum) -> u64| Cell::Count(of(names::SAN).as_ref().map_or(0, count));
        let mut row = vec![Cell::Text(name), Cell::Ratio(share, 1)];
        row.extend([count(|sum| sum.games), count(|sum| sum.plies)]);
        row.extend(names_there.iter().map(|name| per_ply(of(name).as_ref())));
        row.push(Cell::Change(change, 2));
        row.extend(study.spread.is_some().then(|| Cell::Ratio(error.unwrap_or(f64::NAN), 3)));
        row
    };
    let mut rows = vec![row("none".to_string(), None)];
    rows.extend(archives.iter().map(|archive| row(archive.key.clone(), Some(archive))));
    let mut head = ["left out", "of all plies, %", "games", "plies"].map(String::from).to_vec();
    head.extend(names_there.iter().map(|name| code(name)));
    head.push("`economical-priority` against `san`".to_string());
    head.extend(study.spread.is_some().then(|| "error by game, points".to_string()));
    Some(Grid {
        caption: "All archives, and all but one".to_string(),
        is_open: true,
        source: Dimension::Source.file().to_string(),
        note: String::new(),
        head,
        rows,
    })
}

/// A date of the table, as far as it is known.
fn date(number: u64) -> String {
    let (year, month, day) = (number / 10_000, number / 100 % 100, number % 100);
    match (year, month, day) {
        (0, ..) => String::new(),
        (_, 0, _) => format!("{year:04}"),
        (_, _, 0) => format!("{year:04}-{month:02}"),
        _ => format!("{year:04}-{month:02}-{day:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_written_as_far_as_they_are_known() {
        let dates = [0, 18_210_000, 20_211_200, 20_211_231].map(date);
        assert_eq!(dates, ["", "1821", "2021-12", "2021-12-31"]);
    }
}

//! Ratings and archives: which of both a difference between bands of ratings is of.
//!
//! Input: the groups of ratings, and those of archives and ratings at once if they were measured; output: sentences.
//! Bands of fewer than [`FEW_GAMES`] games, and games without ratings, are left out.

use std::collections::BTreeMap;

use pgnmill_core::tables::Dimension;
use pgnmill_core::tables::notations::names;

use super::super::crossed::Crossed;
use super::super::number::{decimal, ratio, signed};
use super::super::prose::{code, literal};
use super::super::study::{Breakdown, Study};
use super::super::sums::Sum;
use super::FEW_GAMES;

/// What a figure of ratings states, wherever it is read.
pub(super) const NOTE: &str =
    "Bands differ in their archives: a difference between bands is not of ratings alone.";

/// A band of ratings and its change against SAN, in per cent.
type Band<'s> = (&'s str, f64);

/// The product of archives and ratings.
fn by_archive(study: &Study) -> Option<&Crossed> {
    let is_it = |crossed: &&Crossed| {
        crossed.product.dimensions().eq([Dimension::Source, Dimension::Rating])
    };
    study.crossed.iter().find(is_it)
}

/// The change of a band, if it is one of ratings and has enough games.
fn band<'s>(key: &'s str, of: impl Fn(&str) -> Option<&'s Sum>) -> Option<Band<'s>> {
    let (own, san) = (of(names::PRIORITY)?, of(names::SAN)?);
    let is_rated = key.starts_with(|first: char| first.is_ascii_digit());
    (is_rated && san.games >= FEW_GAMES).then(|| (key, own.change_percent(san)))
}

/// From the lowest to the highest band, in words; none if there is one alone.
fn from_to(bands: &[Band<'_>]) -> Option<String> {
    let [(low, of_low), .., (high, of_high)] = bands else { return None };
    let (of_low, of_high) = (signed(*of_low, 1), signed(*of_high, 1));
    Some(format!("{of_low} % at {} to {of_high} % at {}", literal(low), literal(high)))
}

/// The archive with most of the plies of a band, and its share in per cent.
fn largest<'s>(crossed: &'s Crossed, band: &str) -> Option<(&'s str, f64)> {
    let groups = crossed.groups.iter().filter(|group| group.keys[1] == band);
    let plies = groups
        .filter_map(|group| Some((group.keys[0].as_str(), group.sums.get(names::SAN)?.plies)));
    let plies: Vec<(&str, u64)> = plies.collect();
    let all = plies.iter().fold(0, |sum: u64, (_, plies)| sum.saturating_add(*plies));
    let (archive, most) = plies.into_iter().max_by_key(|(_, plies)| *plies)?;
    Some((archive, 100.0 * ratio(most, all)))
}

/// That bands differ in their archives: how much, and what is left within each archive.
pub(super) fn confounding(study: &Study, ratings: &Breakdown) -> Vec<String> {
    let all = ratings.groups.iter().filter_map(|group| band(&group.key, |it| group.sums.get(it)));
    let all: Vec<Band<'_>> = all.collect();
    let Some(of_all) = from_to(&all) else { return Vec::new() };
    let own = code(names::PRIORITY);
    let mut words = vec![format!("Against SAN, {own} changes from {of_all}.")];
    let Some(crossed) = by_archive(study) else {
        words.push(
            "How much of that is of the archives, in which the bands differ, was not counted: \
             `pgnmill measure --by source*rating` does so."
                .to_string(),
        );
        return vec![words.join(" ")];
    };
    let (low, high) = (all[0].0, all[all.len() - 1].0);
    if let (Some((first, share)), Some((last, share_of_last))) =
        (largest(crossed, low), largest(crossed, high))
    {
        words.push(format!(
            "But rating and archive go together: of the plies of the lowest of these bands {} % are of {}, of the highest {} % of {}.",
            decimal(share, 1),
            literal(first),
            decimal(share_of_last, 1),
            literal(last)
        ));
    }
    let mut archives: BTreeMap<&str, Vec<Band<'_>>> = BTreeMap::new();
    for group in &crossed.groups {
        let band = band(&group.keys[1], |it| group.sums.get(it));
        archives.entry(&group.keys[0]).or_default().extend(band);
    }
    let within = archives.iter().filter_map(|(archive, bands)| {
        Some(format!("{} from {}", literal(archive), from_to(bands)?))
    });
    let within: Vec<String> = within.collect();
    if !within.is_empty() {
        words.push(format!(
            "Within one archive: {}. What is not also there may be of the archives, not of the ratings. “By archive and rating” has all bands.",
            within.join("; ")
        ));
    }
    vec![words.join(" ")]
}

//! The sections of the page.
//!
//! Input: the counts of a study; output: text, figures and tables. Words that judge are chosen by the counts.

mod archives;
mod claims;
mod crossed;
mod errors;
mod glossary;
mod groups;
mod headline;
mod holdings;
mod information;
mod languages;
mod lengths;
mod orders;
mod plies;
mod precision;
mod provenance;
mod ratings;
mod sizes;
mod standardised;
mod tokens;
mod writing;

use pgnmill_core::tables::notations::{is_localized, names};

use super::holdings::Holdings;
use super::number::grouped;
use super::page::{Cell, MARK, Page, TABLES_ON_PAPER};
use super::study::Study;
use super::sums::Sum;

/// The notations of the figures that compare: what is usual, and the three of the claims.
const COMPARED: [&str; 4] = [names::SAN, names::LETTERS, names::SQUARES, names::PRIORITY];
/// The notations of the tables that break down.
const TABULATED: [&str; 6] =
    [names::LONG, names::UCI, names::SAN, names::LETTERS, names::SQUARES, names::PRIORITY];

/// Nothing is concluded from a group of fewer games: it is hollow in figures and marked in tables.
const FEW_GAMES: u64 = 500;
/// What the marks of tables mean.
const NOTE_OF_MARKS: &str = "†: fewer than 500 games, of which nothing is concluded.";
/// An archive with more of the plies is named beside the result.
const LARGE_SHARE_PERCENT: f64 = 33.0;

/// Where the names are explained.
const WHERE_EXPLAINED: &str = " What each notation is: “The notations”, near the end.";

pub(super) use holdings::page_of_archives;

/// Makes the page of a study, and of what is in its archives. `has_claims`: with what the sources claim.
pub(super) fn page(study: &Study, holdings: Option<&Holdings>, has_claims: bool) -> Page {
    let (games, plies) =
        study.notations.iter().map(|(_, sum)| (sum.games, sum.plies)).max().unwrap_or_default();
    let mut sections = vec![headline::section(study)];
    sections.extend(archives::section(study));
    sections.push(precision::section(study));
    sections.extend(has_claims.then(|| claims::section(study)));
    sections.push(lengths::section(study));
    sections.push(plies::section(study, has_claims));
    sections.extend(groups::sections(study));
    sections.extend(crossed::sections(study));
    sections.extend(groups::absent(study));
    sections.push(sizes::section(study, has_claims));
    sections.extend(information::sections(study));
    sections.extend(orders::section(study));
    sections.extend(errors::section(study));
    sections.extend(writing::section(study));
    sections.extend(tokens::section(study));
    sections.extend(languages::section(study));
    sections.extend(holdings.map(holdings::section));
    let glossary = glossary::section(study);
    let where_explained = if glossary.is_some() { WHERE_EXPLAINED } else { "" };
    sections.extend(glossary);
    sections.push(provenance::section(study));
    let of_chess = if study.has_other_rules() { " of chess and Chess960" } else { "" };
    let page = Page {
        title: "What chess notations cost".to_string(),
        lead: headline::sentence(study).into_iter().chain([
            format!(
                "{} games{}{}, {} plies{of_chess}, every move validated, measured in each of {} notations.",
                grouped(games),
                without_moves(study, games),
                of_valid(study, games),
                grouped(plies),
                grouped(study.notations.len() as u64)
            ),
            "A ply is one half-move of a main line. Characters are those of a move's text alone, \
             check suffixes included: no move numbers, spaces or results. A change against \
             another notation is in per cent of the other; it is negative where this one is \
             shorter. Every ply counts once, so that long games and large archives count more"
                .to_string()
                + &archives::largest_in_words(study)
                + "; means of games are under “How sure these numbers are”."
                + where_explained,
        ]).collect(),
        measured: format!("{} games, {} plies{of_chess}", grouped(games), grouped(plies)),
        on_paper: TABLES_ON_PAPER,
        sections,
    };
    page.with_different_names()
}

/// How many of the games have no move.
fn without_moves(study: &Study, games: u64) -> String {
    let first = study.dimension("ply").and_then(|plies| plies.groups.first());
    let with_moves = first.and_then(|group| group.sums.values().map(|sum| sum.games).max());
    match with_moves.map(|with_moves| games.saturating_sub(with_moves)) {
        None | Some(0) => String::new(),
        Some(without) => format!(", {} of them without a move", grouped(without)),
    }
}

/// How many valid games there were if not all are counted: the others have other rules.
fn of_valid(study: &Study, games: u64) -> String {
    let count = |key: &str| study.value(key).and_then(|value| value.parse::<u64>().ok());
    let valid = count("accepted").zip(count("repaired")).map(|(a, b)| a + b);
    valid.filter(|&valid| valid > games).map_or_else(String::new, |valid| {
        format!(" (of {} valid games; the others have other rules)", grouped(valid))
    })
}

/// Those of the names that were measured.
fn measured<'a>(study: &Study, names: &[&'a str]) -> Vec<&'a str> {
    names
        .iter()
        .copied()
        .filter(|name| study.total(name).is_some_and(|sum| sum.plies > 0))
        .collect()
}

/// The notations of the tables that break down: the usual ones, and others up to the number of columns.
fn tabulated(study: &Study) -> Vec<&str> {
    let mut names = measured(study, &TABULATED);
    let others = study.notations.iter().map(|(name, _)| name.as_str());
    for name in measured(study, &others.filter(|name| !is_localized(name)).collect::<Vec<_>>()) {
        if names.len() < TABULATED.len() && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Characters a ply, with the digits that every table here has.
fn per_ply(sum: Option<&Sum>) -> Cell {
    Cell::Ratio(sum.map_or(f64::NAN, Sum::per_ply), 3)
}

/// The name of a group of so many games, with a mark if they are few.
fn marked(name: &str, games: u64) -> Cell {
    match games < FEW_GAMES {
        true => Cell::Text(format!("{name}{MARK}")),
        false => Cell::Text(name.to_string()),
    }
}

/// What the marks of a table mean, if it has groups of so few games.
fn note_of_marks(games: impl IntoIterator<Item = u64>) -> String {
    let has_few = games.into_iter().any(|games| games < FEW_GAMES);
    if has_few { NOTE_OF_MARKS.to_string() } else { String::new() }
}

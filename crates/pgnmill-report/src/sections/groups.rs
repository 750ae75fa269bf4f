//! A section for each dimension but the ply: what each notation costs in each group.

use pgnmill_core::tables::Dimension;
use pgnmill_core::tables::notations::names;
use pgnmill_core::tables::se::Errors;

use super::super::draw::{Dot, Dots};
use super::super::ink::Ink;
use super::super::number::{decimal, grouped};
use super::super::page::{Cell, Chart, Figure, Grid, Layout, Section};
use super::super::prose::{code, literal};
use super::super::study::{Breakdown, Group, Study, dimensions};
use super::super::sums::Sum;
use super::{COMPARED, FEW_GAMES, marked, measured, note_of_marks, per_ply, ratings, tabulated};

/// A figure has no more groups than this.
const GROUPS_MAX: usize = 24;
/// A name in a figure has no more letters than this.
const NAME_MAX: usize = 16;

/// How the charts of all dimensions are read: the page states it once, each file what applies to it.
const SCALES: [&str; 2] = [
    "In this chart and those below, each notation has its own scale, which does not begin at 0.",
    "Each notation has its own scale, which does not begin at 0.",
];
const MEAN: &str = "Dashed: the mean of all plies.";
const MEAN_OF_CHESS: &str = "Dashed: the mean of all plies of chess and Chess960.";
const INTERVAL: &str = "A bar is the interval of 95 % with games as clusters, where it was measured; with an arrow it goes on.";
const INTERVAL_OF_EVENTS: &str = "A bar is the interval of 95 %: the wider one of those with games and with events as clusters, where it was measured; with \
     an arrow it goes on.";
const SMALL: &str = "Grey and hollow: a group of fewer than 500 games, of which nothing is concluded; the number after \
                     its name is that of its games.";

/// The heading of a dimension.
fn title(key: &str) -> String {
    let title = match key {
        "move" => "By move number",
        "phase" => "By phase of the game",
        "side" => "By side",
        "role" => "By piece type",
        "kind" => "By kind of move",
        "check" => "By check given",
        "rating" => "By rating",
        "rating-difference" => "By difference in rating",
        "speed" => "By speed",
        "title" => "By title of the players",
        "result" => "By result",
        "year" => "By year",
        "month" => "By month",
        "length" => "By length of the game",
        "eco-letter" => "By opening of the tag, letter",
        "eco" => "By opening of the tag, code",
        "eco-computed-letter" => "By opening that the moves reach, letter",
        "eco-computed" => "By opening that the moves reach, code",
        "opening-name" => "By opening that the moves reach, name",
        "rules" => "By ruleset: what each notation costs in each variant",
        "source" => "By archive",
        other => return format!("By {}", literal(&other.replace('-', " "))),
    };
    title.to_string()
}

/// How games and plies are put into groups; `docs/reference/tables.md` has it in full.
fn about(key: &str) -> &'static str {
    match key {
        "move" => "Tens of moves, counted from where the game begins.",
        "phase" => {
            "The phase is that of the position before the move, by its pieces (neither pawns nor kings): six or \
             fewer are an endgame; more than ten, with four or more pieces of each side, its king \
             included, on that side's own back rank, an opening; all else is a middlegame."
        }
        "side" => "The side to move.",
        "role" => "The piece type; the king for castling.",
        "kind" => "The first that fits of castling, en passant, promotion, capture, quiet.",
        "check" => "Whether the move gives check or mate.",
        "rating" => {
            "The mean of both ratings, in bands of 200. Ratings of different sites, federations and lists of engines are \
             not one scale: bands differ in their archives, too."
        }
        "rating-difference" => "How far the ratings are apart, in bands of 100.",
        "speed" => {
            "As Lichess has it, base time and 40 times the increment: ultrabullet up to 29 seconds, bullet 179, blitz \
             479, rapid 1,499, classical above; correspondence has no clock, or an hour and more a move. Engines are \
             among them; unknown is what has no such tag, as most games over the board: speeds differ in their archives, too."
        }
        "title" => {
            "Whether both players have a title, one or none; a game of a program (BOT) is its own \
             group."
        }
        "result" => "The result at the end of the game, or else that of its tag pair.",
        "year" | "month" => "Of the tag `Date`; of `UTCDate` where `Date` has no year.",
        "eco-letter" | "eco" => {
            "The code of the opening in the Encyclopaedia of Chess Openings, from the tag `ECO`."
        }
        "length" => "Plies of the main line.",
        "eco-computed" | "eco-computed-letter" | "opening-name" => {
            "The opening of the last position, among the first 40 plies, that the tables of \
             openings contain; the tag pairs do not matter."
        }
        "rules" => {
            "A game with a move that a notation cannot write, such as a drop, is not counted for that \
             notation. The other sections are of chess and Chess960 alone."
        }
        "source" => "As they were named on the command line.",
        _ => "As the table has it.",
    }
}

/// The sections.
pub(super) fn sections(study: &Study) -> Vec<Section> {
    let there = study.dimensions.iter().filter(|dimension| dimension.key != Dimension::Ply.name());
    let mut sections: Vec<Section> = there.map(|dimension| section(study, dimension)).collect();
    if let Some(first) = sections.iter_mut().find_map(Section::first_figure) {
        // The figure of rulesets has another average, or none.
        let mean = if first.measured.is_some() { "" } else { MEAN };
        let interval = interval(study, None);
        let words = [SCALES[0], mean, &interval, SMALL, &first.note];
        let words = words.iter().copied().filter(|part| !part.is_empty());
        first.note = words.collect::<Vec<_>>().join(" ");
    }
    sections
}

/// What a bar of a dimension is, or of all, and how much too short it is where games of one event are alike and that
/// was not counted.
fn interval(study: &Study, dimension: Option<&str>) -> String {
    let spread = study.spread.as_ref();
    if spread.is_some_and(|it| it.has_events(dimension)) {
        return INTERVAL_OF_EVENTS.to_string();
    }
    let of = |name: &&str| spread.and_then(|it| it.times_by_event(name, |errors| errors.mean));
    let times: Vec<f64> = measured(study, &COMPARED).iter().filter_map(of).collect();
    let Some(least) = times.iter().copied().reduce(f64::min) else { return INTERVAL.to_string() };
    format!(
        "{INTERVAL} With events as clusters it was counted for all games alone, of which it is {} to {} times as wide.",
        decimal(least, 0),
        decimal(times.iter().copied().fold(least, f64::max), 0)
    )
}

/// The dimensions that were not measured.
pub(super) fn absent(study: &Study) -> Option<Section> {
    let absent: Vec<&str> = dimensions()
        .filter(|&dimension| dimension != Dimension::Ply)
        .map(Dimension::name)
        .filter(|key| study.dimension(key).is_none())
        .collect();
    (!absent.is_empty()).then(|| {
        let text = format!(
            "Not broken down by {}. `pgnmill measure --by {}` does so.",
            absent.join(", "),
            absent.join(",")
        );
        Section::new("Not broken down", text)
    })
}

/// The largest groups, in the order of the table.
fn largest(dimension: &Breakdown) -> Vec<&Group> {
    let mut places: Vec<usize> = (0..dimension.groups.len()).collect();
    places.sort_by_key(|&place| std::cmp::Reverse(plies(&dimension.groups[place])));
    places.truncate(GROUPS_MAX);
    places.sort_unstable();
    places.into_iter().map(|place| &dimension.groups[place]).collect()
}

fn plies(group: &Group) -> u64 {
    group.sums.values().map(|sum| sum.plies).max().unwrap_or(0)
}

/// A name shortened to the width before a dot; the table has the whole name. A small group has its number of games.
fn label(key: &str, group: &Group, sum: &Sum) -> String {
    let games = match is_small(sum) {
        true => format!(" · {}", grouped(sum.games)),
        false => String::new(),
    };
    let name = short(key, &group.key, NAME_MAX.saturating_sub(games.chars().count()));
    format!("{name}{games}")
}

fn is_small(sum: &Sum) -> bool {
    sum.games < FEW_GAMES
}

fn short(key: &str, name: &str, letters_max: usize) -> String {
    // The end of a path is the most specific.
    let last = match key {
        "source" => name.rsplit('/').next().unwrap_or(name),
        _ => name,
    };
    let last =
        [".zst", ".pgn"].iter().fold(last, |last, end| last.strip_suffix(end).unwrap_or(last));
    match last.chars().count() > letters_max {
        true => last.chars().take(letters_max.saturating_sub(1)).chain(['…']).collect(),
        false => last.to_string(),
    }
}

/// Has the ruleset's figure a mean? It is that of chess, which a measurement of other rules has not.
fn has_mean(dimension: &Breakdown) -> bool {
    !is_of_rules(dimension) || dimension.groups.iter().any(|group| group.key == "chess")
}

fn is_of_rules(dimension: &Breakdown) -> bool {
    dimension.key == Dimension::Rules.name()
}

/// How one figure is read that is not on the page.
fn note_in_file(
    study: &Study,
    dimension: &Breakdown,
    groups: &[&Group],
    notes: &[String],
) -> String {
    let names = measured(study, &COMPARED);
    let has_bar = |group: &&Group| {
        let spread = study.spread.as_ref();
        let error = |name| spread.and_then(|it| it.of_group(&dimension.key, &group.key, name).mean);
        names.iter().any(|name| error(name).is_some())
    };
    let mut words = vec![SCALES[1]];
    words.extend((!is_of_rules(dimension)).then_some(MEAN));
    let interval = interval(study, Some(&dimension.key));
    words.extend(groups.iter().any(has_bar).then_some(interval.as_str()));
    let is_hollow = |group: &&Group| {
        let mut sums = names.iter().filter_map(|&name| group.sums.get(name));
        sums.any(|sum| sum.plies > 0 && is_small(sum))
    };
    words.extend(groups.iter().any(is_hollow).then_some(SMALL));
    words.extend(notes.iter().map(String::as_str));
    words.join(" ")
}

/// How much the groups of a figure of rulesets come to: more than the chess of the other figures.
fn measured_by_rules(dimension: &Breakdown) -> String {
    let most = |of: fn(&Sum) -> u64| {
        let of_group = |group: &Group| group.sums.values().map(of).max().unwrap_or(0);
        grouped(dimension.groups.iter().map(of_group).fold(0, u64::saturating_add))
    };
    format!("{} games, {} plies of all rulesets", most(|sum| sum.games), most(|sum| sum.plies))
}

fn chart(study: &Study, dimension: &Breakdown, groups: &[&Group], notation: &str) -> Chart {
    let key = dimension.key.as_str();
    let dot = |group: &&Group| {
        let sum = group.sums.get(notation).copied().unwrap_or_default();
        let spread = study.spread.as_ref();
        let half = spread.and_then(|it| it.half_of_group([key, &group.key, notation], sum.games));
        let end = |side: f64, half: f64| sum.per_ply() + side * half;
        Dot {
            name: label(key, group, &sum),
            value: sum.per_ply(),
            interval: half.map(|half| (end(-1.0, half), end(1.0, half))),
            is_faint: is_small(&sum),
            hover: format!(
                "{}: {} characters a ply in {notation}, {} plies of {} games",
                group.key,
                decimal(sum.per_ply(), 3),
                grouped(sum.plies),
                grouped(sum.games)
            ),
        }
    };
    let dots = Dots {
        hover: format!("Characters a ply in {notation}, a dot a group"),
        ink: Ink::of(notation),
        dots: groups.iter().map(dot).collect(),
        mean: match has_mean(dimension) {
            true => study.total(notation).map_or(f64::NAN, Sum::per_ply),
            false => f64::NAN,
        },
    };
    let (wide, narrow) = (dots.draw(230), dots.draw(350));
    Chart { caption: code(notation), wide, narrow }
}

fn section(study: &Study, dimension: &Breakdown) -> Section {
    let title = title(&dimension.key);
    let groups = largest(dimension);
    if groups.is_empty() {
        return Section::new(&title, "No ply was measured.");
    }
    let mut section = Section::new(&title, about(&dimension.key));
    if groups.len() < 2 {
        // Nothing is compared.
        section.grid(grid(study, dimension));
        return section;
    }
    let mut notes = Vec::new();
    let is_confounded = dimension.key == Dimension::Rating.name();
    notes.extend(is_confounded.then(|| ratings::NOTE.to_string()));
    notes
        .extend((is_of_rules(dimension) && has_mean(dimension)).then(|| MEAN_OF_CHESS.to_string()));
    notes.extend((groups.len() < dimension.groups.len()).then(|| {
        let all = grouped(dimension.groups.len() as u64);
        format!("Of {all} groups the {GROUPS_MAX} with the most plies are drawn.")
    }));
    // What none of the notations can write has no row, and nothing is drawn of notations without a total.
    let compared = measured(study, &COMPARED);
    let is_written = |group: &&Group| {
        compared.iter().any(|&name| group.sums.get(name).is_some_and(|sum| sum.plies > 0))
    };
    let (groups, unwritten): (Vec<&Group>, Vec<&Group>) = groups.into_iter().partition(is_written);
    notes.extend((!unwritten.is_empty()).then(|| {
        let names: Vec<String> = unwritten.iter().map(|group| literal(&group.key)).collect();
        format!("Not drawn, without a ply in these notations: {}.", names.join(", "))
    }));
    let charts: Vec<Chart> =
        compared.iter().map(|name| chart(study, dimension, &groups, name)).collect();
    let name = format!("by-{}", dimension.key);
    if !charts.is_empty() && !groups.is_empty() {
        section.figure(Figure {
            note: notes.join(" "),
            note_in_file: note_in_file(study, dimension, &groups, &notes),
            measured: is_of_rules(dimension).then(|| measured_by_rules(dimension)),
            ..Figure::new(&name, caption(&dimension.key), Layout::Row, charts)
        });
    }
    section.grid(grid(study, dimension));
    if dimension.key == Dimension::Rating.name() {
        ratings::confounding(study, dimension).into_iter().for_each(|text| section.text(text));
    }
    section
}

fn caption(key: &str) -> String {
    format!("Characters a ply, {}", title(key).to_lowercase())
}

fn grid(study: &Study, dimension: &Breakdown) -> Grid {
    let mut names = tabulated(study);
    // The own notation of Chess 99, which no other table has.
    let is_of_rules = is_of_rules(dimension);
    let has_it = study.notations.iter().any(|(name, _)| name == names::CHESS99);
    names.extend(
        (is_of_rules && has_it && !names.contains(&names::CHESS99)).then_some(names::CHESS99),
    );
    let spread = study.spread.as_ref();
    let pair = measured(study, &[names::PRIORITY, names::SAN]);
    let has_pair = pair.len() == 2;
    let change_error = |errors: &Errors| errors.changes[0];
    let has_events = has_pair && spread.is_some_and(|it| it.has_events(Some(&dimension.key)));
    let times = spread.and_then(|it| it.times_by_event(names::PRIORITY, change_error));
    let times = times.filter(|_| has_pair && !has_events);
    let mut head: Vec<String> =
        [dimension.key.as_str(), "games", "plies"].map(String::from).to_vec();
    head.extend(names.iter().map(|name| code(name)));
    head.extend(has_pair.then(|| "`economical-priority` against `san`".to_string()));
    head.extend((has_pair && spread.is_some()).then(|| "error by game, points".to_string()));
    head.extend(has_events.then(|| "by event".to_string()));
    head.extend(times.map(|times| format!("times {}, as by event", decimal(times, 1))));
    let games = |group: &Group| group.sums.values().map(|sum| sum.games).max().unwrap_or(0);
    let row = |group: &Group| {
        let of = |name: &str| group.sums.get(name).copied().unwrap_or_default();
        let mut row = vec![
            marked(&group.key, games(group)),
            Cell::Count(games(group)),
            Cell::Count(plies(group)),
        ];
        row.extend(names.iter().map(|name| per_ply(group.sums.get(*name))));
        let change = of(names::PRIORITY).change_percent(&of(names::SAN));
        row.extend(has_pair.then_some(Cell::Change(change, 1)));
        let error = spread.filter(|_| has_pair).map(|it| {
            let errors = it.of_group(&dimension.key, &group.key, names::PRIORITY);
            change_error(&errors).unwrap_or(f64::NAN)
        });
        row.extend(error.map(|error| Cell::Ratio(error, 2)));
        let by_event = spread.filter(|_| has_events).map(|it| {
            let by_event = it.of_events(&dimension.key, &group.key, names::PRIORITY);
            by_event.and_then(|it| change_error(&it.errors)).unwrap_or(f64::NAN)
        });
        row.extend(by_event.map(|error| Cell::Ratio(error, 2)));
        row.extend(times.zip(error).map(|(times, error)| Cell::Ratio(times * error, 2)));
        row
    };
    Grid {
        caption: caption(&dimension.key),
        is_open: false,
        source: format!("by_{}.csv", dimension.key),
        note: note_of_marks(dimension.groups.iter().map(games)),
        head,
        rows: dimension.groups.iter().map(row).collect(),
    }
}

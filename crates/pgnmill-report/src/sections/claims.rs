//! What the sources claim, and what was counted.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use pgnmill_core::tables;
use pgnmill_core::tables::changes;
use pgnmill_core::tables::notations::names;
use pgnmill_core::tables::se::NORMAL_95;

use super::super::number::{decimal, grouped, in_words, ratio, signed};
use super::super::page::{Cell, Grid, Section, absent};
use super::super::study::{Fact, Group, Study};
use super::super::sums::Sum;

/// The claimed averages, in characters a move; the last is a slip for 2.23 (0.77 · 2 + 0.23 · 3).
pub(super) const AVERAGES: [(&str, f64); 3] =
    [(names::LETTERS, 2.84), (names::SQUARES, 2.46), (names::PRIORITY, 2.13)];
/// What the shares of the last claim give.
pub(super) const PRIORITY_AVERAGE: f64 = 2.23;
/// The moves that the source counted.
const MOVES_OF_CLAIM: f64 = 100.0;
/// The notations that a claim can be of: the source does not say whether pieces that are pinned count.
const READINGS: [(&str, &[&str]); 3] = [
    (names::LETTERS, &[names::LETTERS]),
    (names::SQUARES, &[names::SQUARES, names::SQUARES_LEGAL]),
    (names::PRIORITY, &[names::PRIORITY, names::PRIORITY_LEGAL]),
];
/// The claimed shares of texts of two, three, four and five characters, in per cent.
const SHARES: [(&str, [f64; 4]); 3] = [
    (names::LETTERS, [20.0, 76.0, 4.0, 0.0]),
    (names::SQUARES, [55.0, 44.0, 1.0, 0.0]),
    (names::PRIORITY, [77.0, 23.0, 0.0, 0.0]),
];
/// The characters of the moves of the source's example, the sixth game of Deep Blue and Kasparov of 1997, as it prints
/// them, with letters and then in the other two.
const EXAMPLE_LETTERS: u64 = 104;
const EXAMPLE: [(&str, u64); 2] = [(names::SQUARES, 93), (names::PRIORITY, 84)];
/// The claimed changes in per cent: in the first moves, and the most later.
pub(super) const CHANGES: [f64; 2] = [-10.0, -20.0];
/// The last ply of the first twenty moves.
pub(super) const EARLY_PLIES: u64 = 40;
/// The claimed share of moves that piece and arrival square determine.
const ENOUGH: f64 = 96.0;

/// A claim and its test.
#[derive(Default)]
struct Claim<'a> {
    claim: String,
    notation: &'a str,
    claimed: String,
    measured: String,
    counted: String,
    difference: String,
    /// How far the claim may be off by the number of moves that the source counted, and the distance of both in
    /// standard errors.
    test: Option<(String, f64)>,
    /// A verdict that follows from no test.
    verdict: &'a str,
}

/// The rows of the table.
type Rows = Vec<Vec<Cell>>;

impl Claim<'_> {
    fn add_to(self, rows: &mut Rows) {
        let verdict = match &self.test {
            Some((_, z)) if z.abs() < NORMAL_95 => "not rejected",
            Some(_) => "rejected",
            None => self.verdict,
        };
        let (error, z) =
            self.test.map_or_else(Default::default, |(error, z)| (error, signed(z, 1)));
        rows.push(vec![
            Cell::Prose(self.claim),
            match self.notation {
                "" => Cell::Text(String::new()),
                name => Cell::Name(name.to_string()),
            },
            Cell::Text(self.claimed),
            Cell::Text(self.measured),
            Cell::Text(self.counted),
            Cell::Text(self.difference),
            Cell::Text(error),
            Cell::Text(z),
            Cell::Text(verdict.to_string()),
        ]);
    }
}

/// The readings of the claims that were measured, with the name of the claim.
fn readings(study: &Study) -> impl Iterator<Item = (&'static str, &'static str)> {
    let all =
        READINGS.iter().flat_map(|(name, readings)| readings.iter().map(move |it| (*name, *it)));
    all.filter(|(_, reading)| study.total(reading).is_some_and(|sum| sum.plies > 0))
}

/// How far what was measured is from what was claimed, in per cent of it.
fn distance(measured: f64, claimed: f64) -> String {
    let off = 100.0 * (measured / claimed - 1.0);
    if off.abs() < 0.05 {
        "as claimed".to_string()
    } else {
        format!("{} than claimed", in_words(off))
    }
}

/// How far apart two shares are, in points of a hundred.
fn points(measured: f64, claimed: f64) -> String {
    format!("{} points", signed(measured - claimed, 2))
}

/// The standard deviation of the lengths of texts.
fn deviation(histogram: &BTreeMap<u64, u64>) -> f64 {
    let all = histogram.values().map(|&plies| plies as f64).sum::<f64>();
    let mean = |of: fn(f64) -> f64| {
        histogram.iter().map(|(&length, &plies)| of(length as f64) * plies as f64).sum::<f64>()
            / all
    };
    (mean(|length| length * length) - mean(|length| length).powi(2)).max(0.0).sqrt()
}

fn averages(study: &Study, rows: &mut Rows) {
    for (name, reading) in readings(study) {
        let Some((_, printed)) = AVERAGES.iter().find(|(other, _)| *other == name) else {
            continue;
        };
        average(study, reading, *printed, name, rows);
        if name == names::PRIORITY {
            average(study, reading, PRIORITY_AVERAGE, "", rows);
        }
    }
}

/// A claimed mean. `name`: the notation of a printed one; empty for what its shares give.
fn average(study: &Study, reading: &'static str, claimed: f64, name: &str, rows: &mut Rows) {
    let sum = study.total(reading).copied().unwrap_or_default();
    let words = match name {
        names::SQUARES => " (the sum is printed as 245, a slip for 246)",
        names::PRIORITY => " as printed",
        "" => " by the shares that it states",
        _ => "",
    };
    let histogram = study.lengths.as_ref().and_then(|lengths| lengths.get(reading));
    let error = histogram.map(|histogram| deviation(histogram) / MOVES_OF_CLAIM.sqrt());
    let own = study.spread.as_ref().and_then(|spread| spread.whole(reading).mean).unwrap_or(0.0);
    let z = |error: f64| (sum.per_ply() - claimed) / error.hypot(own);
    Claim {
        claim: "characters a move".to_string(),
        notation: reading,
        claimed: format!("{}{words}", decimal(claimed, 2)),
        measured: decimal(sum.per_ply(), 3),
        counted: format!("{} / {} plies", grouped(sum.characters), grouped(sum.plies)),
        difference: distance(sum.per_ply(), claimed),
        // What is misprinted was not claimed.
        test: error
            .filter(|_| name != names::PRIORITY)
            .map(|error| (decimal(error, 3), z(error)))
            .filter(|(_, z)| z.is_finite()),
        verdict: if name == names::PRIORITY { "a misprint of 2.23" } else { "" },
    }
    .add_to(rows);
}

fn shares(study: &Study, rows: &mut Rows) {
    let Some(lengths) = &study.lengths else { return };
    for (name, reading) in readings(study) {
        let Some((_, claimed)) = SHARES.iter().find(|(other, _)| *other == name) else { continue };
        let Some(histogram) = lengths.get(reading) else { continue };
        let all = histogram.values().fold(0, |sum: u64, &plies| sum.saturating_add(plies));
        for (length, &claimed) in (2..).zip(claimed) {
            let plies = histogram.get(&length).copied().unwrap_or(0);
            if plies == 0 && claimed == 0.0 {
                continue;
            }
            let share = ratio(plies, all);
            // Of so few moves, a share is off by its binomial error.
            let error = (share * (1.0 - share) / MOVES_OF_CLAIM).sqrt();
            let z = (share - claimed / 100.0) / error;
            Claim {
                claim: format!("moves of {length} characters"),
                notation: reading,
                claimed: format!("{} %", decimal(claimed, 0)),
                measured: format!("{} %", decimal(100.0 * share, 2)),
                counted: format!("{} of {} plies", grouped(plies), grouped(all)),
                difference: points(100.0 * share, claimed),
                test: z.is_finite().then(|| (format!("{} points", decimal(100.0 * error, 2)), z)),
                verdict: "",
            }
            .add_to(rows);
        }
    }
}

/// What notations came to in some plies of every game.
fn over(study: &Study, notation: &str, plies: RangeInclusive<u64>) -> Option<Sum> {
    let groups = study.dimension("ply")?.groups.iter();
    // The last group, which has all later plies, is named by its first one.
    let first = |group: &Group| group.key.trim_end_matches('+').parse();
    let within = groups.filter(|group| first(group).is_ok_and(|ply| plies.contains(&ply)));
    within.filter_map(|group| group.sums.get(notation)).copied().reduce(|sum, more| sum.plus(&more))
}

fn changes_of_games(study: &Study, rows: &mut Rows) {
    for base in [names::LETTERS, names::SAN] {
        for name in [names::SQUARES, names::PRIORITY] {
            let of = |notation| over(study, notation, 1..=EARLY_PLIES);
            let Some((sum, than)) = of(name).zip(of(base)) else { continue };
            let change = sum.change_percent(&than);
            Claim {
                claim: format!("change in the first 20 moves, against `{base}`"),
                notation: name,
                claimed: "−10 %".to_string(),
                measured: format!("{} %", signed(change, 2)),
                counted: counted(&sum, &than),
                difference: points(change, CHANGES[0]),
                verdict: "claimed of one game: a mean does not test it",
                ..Claim::default()
            }
            .add_to(rows);
        }
    }
    for base in [names::LETTERS, names::SAN] {
        for name in [names::SQUARES, names::PRIORITY] {
            most_later(study, base, name, rows);
        }
    }
    examples(study, rows);
}

fn counted(sum: &Sum, than: &Sum) -> String {
    format!("{} of {} characters", grouped(sum.characters), grouped(than.characters))
}

/// “Up to 20 %”, which is of single games: how many of them reach it. Without the table of single games, the mean.
fn most_later(study: &Study, base: &str, name: &str, rows: &mut Rows) {
    let later = changes::SPANS[2].0;
    let games = study.spread.as_ref().and_then(|spread| spread.changes(later, base, name));
    let of = |notation| over(study, notation, EARLY_PLIES + 1..=u64::MAX);
    let Some((sum, than)) = of(name).zip(of(base)) else { return };
    let change = sum.change_percent(&than);
    let claim = format!("change from move 21 on, against `{base}`");
    let claimed = "up to −20 %".to_string();
    let Some(games) = games else {
        Claim {
            claim,
            notation: name,
            claimed,
            measured: format!("{} % of all characters there", signed(change, 2)),
            counted: counted(&sum, &than),
            ..Claim::default()
        }
        .add_to(rows);
        return;
    };
    let share = games.share_shorter(-CHANGES[1]);
    Claim {
        claim,
        notation: name,
        claimed,
        measured: format!(
            "{} % of all characters there; {} % of games save more than 20 %",
            signed(change, 2),
            decimal(share, 1)
        ),
        counted: format!("{} games of 60 plies and more", grouped(games.games())),
        difference: format!("median {} %", signed(games.quantile(0.5), 1)),
        verdict: if share > 0.0 { "agrees: it can be, and more" } else { "no game does" },
        ..Claim::default()
    }
    .add_to(rows);
}

/// The source's own example among all games.
fn examples(study: &Study, rows: &mut Rows) {
    let Some(spread) = &study.spread else { return };
    for (name, characters) in EXAMPLE {
        let whole = changes::SPANS[0].0;
        let Some(games) = spread.changes(whole, names::LETTERS, name) else { continue };
        let change = 100.0 * (ratio(characters, EXAMPLE_LETTERS) - 1.0);
        let share = games.share_shorter(-change);
        Claim {
            claim: "change in the source's example, against `economical-letters`".to_string(),
            notation: name,
            claimed: format!(
                "{} % ({characters} of {EXAMPLE_LETTERS} characters)",
                signed(change, 1)
            ),
            measured: format!("{} % in the mean of games", signed(games.mean(), 1)),
            counted: format!("{} games of 20 plies and more", grouped(games.games())),
            difference: format!("at least {} % of games save more", decimal(share, 1)),
            verdict: "claimed of one game: a mean does not test it",
            ..Claim::default()
        }
        .add_to(rows);
    }
}

/// The sum of counts of a table, which may be of any origin.
fn sum_of<'f>(facts: impl Iterator<Item = &'f Fact>) -> u64 {
    facts.fold(0, |sum: u64, fact| sum.saturating_add(fact.counts[0]))
}

fn facts(study: &Study, rows: &mut Rows) {
    let fact = |name: &str| {
        let facts = study.facts.as_ref()?;
        let found = facts.iter().find(|fact| fact.names[0] == name)?;
        Some((found.counts[0], found.counts[1]))
    };
    let enough = [
        ("piece-and-square-enough", "piece and arrival square determine the move"),
        ("piece-and-square-enough-for-pieces", "the same, of moves of pieces alone"),
    ];
    for (name, claim) in enough {
        let Some((count, of)) = fact(name) else { continue };
        let share = 100.0 * ratio(count, of);
        Claim {
            claim: claim.to_string(),
            claimed: "about 96 %".to_string(),
            measured: format!("{} %", decimal(share, 2)),
            counted: format!("{} of {} plies", grouped(count), grouped(of)),
            difference: points(share, ENOUGH),
            verdict: "counted here",
            ..Claim::default()
        }
        .add_to(rows);
    }
    let stated = |claim: &str, measured: String, counted: String, verdict| Claim {
        claim: claim.to_string(),
        claimed: "no number".to_string(),
        measured,
        counted,
        verdict,
        ..Claim::default()
    };
    if let Some((count, of)) = fact("pawn-capture-files-enough") {
        let measured = format!("{} %", decimal(100.0 * ratio(count, of), 2));
        let counted = format!("{} of {} captures by pawns", grouped(count), grouped(of));
        let claim = "a pawn's capture may be given by files alone when that is unambiguous";
        stated(claim, measured, counted, "counted here").add_to(rows);
    }
    if let Some(origins) = &study.disambiguation {
        let all = sum_of(origins.iter());
        let both = origins.iter().filter(|fact| fact.names[1] == "square");
        let both = sum_of(both);
        let claim = "file and rank of the origin are both needed only after promotions";
        let measured = format!("{} plies", grouped(both));
        let counted = format!("{} of {} plies need both", grouped(both), grouped(all));
        stated(claim, measured, counted, "counted here").add_to(rows);
    }
    if let (Some(long), Some(san)) = (study.total(names::LONG), study.total(names::SAN)) {
        let more = long.change_percent(san);
        let counted =
            format!("{} against {} characters", grouped(long.characters), grouped(san.characters));
        let verdict = if more > 0.0 { "agrees" } else { "does not agree" };
        let claim =
            stated("long takes more space", format!("{} %", signed(more, 1)), counted, verdict);
        Claim { notation: names::LONG, ..claim }.add_to(rows);
    }
}

/// The section.
pub(super) fn section(study: &Study) -> Section {
    let mut section = Section::new(
        "What the sources claim, and what was counted",
        "The article on 'Economical' notation gives averages of 100 moves and savings against \
         “classical” notation, which is read here as `economical-letters` (it is of the same \
         length) and as `san` (today's). The article on algebraic notation says that the long \
         form takes more space and that a pawn's capture may be given by files alone.",
    );
    section.text(
        "The article on 'Economical' notation: `random-starting.blogspot.com`, “'Economical' chess notation”; it says: “In \
         the first 20 moves of the game the economy compared with the classical chess notation is 10% and from there can \
         be up to 20%. In 100 random moves for these three modes the result is the following comparison table”. That on \
         algebraic notation is Wikipedia's.",
    );
    section.text(
        "A hundred moves are few: the error of the claim is what such a sample is off by if its moves are independent, z \
         the count less the claim in standard errors of both. “Rejected” is beyond 1.96, “not rejected” says little: so \
         small a sample rejects only means that are some 0.1 characters off, and finds these half of the time. The rows \
         are not independent, since shares sum to 100 and give the mean. The source does not say whether pinned pieces \
         count: `-legal` is the other reading. What the table has of pieces and squares that are enough is in “What would have \
         been enough”, too, there without claims but with all counts of that kind.",
    );
    let mut rows = Rows::new();
    averages(study, &mut rows);
    shares(study, &mut rows);
    changes_of_games(study, &mut rows);
    facts(study, &mut rows);
    if rows.is_empty() {
        section.text("Nothing that they claim was measured.");
        return section;
    }
    section.grid(Grid {
        caption: "Claims, counts and how far they are apart".to_string(),
        is_open: true,
        source: tables::notations::SCHEMA.file.to_string(),
        note: String::new(),
        head: [
            "claim",
            "notation",
            "claimed",
            "measured",
            "counted",
            "difference",
            "error of the claim",
            "z",
            "verdict",
        ]
        .map(String::from)
        .to_vec(),
        rows,
    });
    if study.facts.is_none() {
        section.text(absent(tables::facts::SCHEMA.file, ""));
    }
    section
}

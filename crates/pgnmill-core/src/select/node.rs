//! Compiled expressions: nodes with a type each, and their values on a game.
//!
//! In: a [`GameView`]. Out: a [`Truth`], a number, a text, a date or a time. Invariant: a node is as deep as the
//! expression is nested. Cost: no allocation, except for texts that are changed (`lower`, escapes, FEN records).

use std::borrow::Cow;

use regex::Regex;

use crate::chess::Position;
use crate::openings::Opening;
use crate::pgn::tag_numbers::{self, civil, speed, time_control};
use crate::replay::Verdict;

use super::dates::{certain, compare, date_is, dates};
use super::lexer::Days;
use super::moves::{self, MoveCount, MoveFacts, MoveFlag};
use super::parser::Comparison;
use super::truth::{Known, Truth};
use super::view::GameView;

/// The names of speeds, as the dimension `speed` of a measurement has them.
pub const SPEEDS: [&str; 6] =
    ["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"];
/// The names of verdicts.
pub(super) const VERDICTS: [&str; 3] = ["accepted", "repaired", "rejected"];
/// The results.
pub(super) const OUTCOMES: [&str; 4] = ["1-0", "0-1", "1/2-1/2", "*"];

/// A part of an expression with its type.
#[derive(Clone, Debug)]
pub(super) enum Typed {
    Bool(BoolNode),
    Number(NumberNode),
    Text(TextNode),
    Date(DateNode),
    Time(TimeNode),
}

impl Typed {
    /// The name of the type.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Typed::Bool(_) => "true or false",
            Typed::Number(_) => "a number",
            Typed::Text(_) => "a text",
            Typed::Date(_) => "a date",
            Typed::Time(_) => "a time",
        }
    }
}

#[derive(Clone, Debug)]
pub(super) enum BoolNode {
    Literal(bool),
    Not(Box<BoolNode>),
    All(Vec<BoolNode>),
    Any(Vec<BoolNode>),
    Same(Box<(BoolNode, BoolNode)>),
    Numbers(Comparison, Box<(NumberNode, NumberNode)>),
    NumberIn(Box<NumberNode>, Vec<NumberNode>),
    Texts(Comparison, Box<(TextNode, TextNode)>),
    /// The list is sorted.
    TextIn(Box<TextNode>, Vec<String>),
    Contains(Affix, Box<(TextNode, TextNode)>),
    Matches(Box<TextNode>, Regex),
    /// A date and a day, month or year.
    DateIs(Comparison, DateNode, Days),
    DateIn(DateNode, Vec<Days>),
    Dates(Comparison, DateNode, DateNode),
    Times(Comparison, TimeNode, TimeNode),
    TimeIn(TimeNode, Vec<i32>),
    Present(Box<Typed>),
    Flag(MoveFlag),
    /// The target of this number was reached.
    Reached(usize),
}

/// Where a text contains another.
#[derive(Clone, Copy, Debug)]
pub(super) enum Affix {
    Anywhere,
    Start,
    End,
}

#[derive(Clone, Debug)]
pub(super) enum NumberNode {
    Literal(f64),
    Sum(Vec<(bool, NumberNode)>),
    Tag(usize),
    /// Of both ratings: the lower, the higher, half the sum, the distance.
    Ratings(fn(f64, f64) -> f64, [usize; 2]),
    /// Of the first of two dates whose year is known.
    Year([usize; 2]),
    Month([usize; 2]),
    /// The time and the increment of a time control.
    Initial(usize),
    Increment(usize),
    GameBytes,
    Count(MoveCount),
}

#[derive(Clone, Debug)]
pub(super) enum TextNode {
    Literal(String),
    Tag(usize),
    Archive,
    Verdict,
    Outcome,
    Speed(usize),
    Variant(usize),
    FinalFen,
    FinalMaterial,
    EcoComputed,
    OpeningComputed,
    Lower(Box<TextNode>),
}

/// The slot of a date.
#[derive(Clone, Copy, Debug)]
pub(super) struct DateNode(pub(super) usize);

#[derive(Clone, Copy, Debug)]
pub(super) enum TimeNode {
    Literal(i32),
    Tag(usize),
}

impl BoolNode {
    pub(super) fn truth(&self, game: &GameView<'_>) -> Truth {
        match self {
            BoolNode::Literal(value) => Truth::of(Known::Value(*value)),
            BoolNode::Not(negated) => negated.truth(game).not(),
            BoolNode::All(parts) => {
                let mut all = Truth::TRUE;
                for part in parts {
                    all = all.and(part.truth(game));
                    if all == Truth::FALSE {
                        break;
                    }
                }
                all
            }
            BoolNode::Any(parts) => {
                let mut any = Truth::FALSE;
                for part in parts {
                    any = any.or(part.truth(game));
                    if any == Truth::TRUE {
                        break;
                    }
                }
                any
            }
            BoolNode::Same(sides) => {
                let (one, other) = (sides.0.truth(game), sides.1.truth(game));
                one.and(other).or(one.not().and(other.not()))
            }
            BoolNode::Present(value) => value.presence(game),
            simple => Truth::of(simple.known(game)),
        }
    }

    /// The value of a node that is not made of others of its kind.
    fn known(&self, game: &GameView<'_>) -> Known<bool> {
        match self {
            BoolNode::Numbers(comparison, sides) => {
                let sides = sides.0.value(game).zip(sides.1.value(game));
                sides.map(|(one, other)| compare(*comparison, one, other))
            }
            BoolNode::NumberIn(number, list) => number
                .value(game)
                .map(|number| list.iter().any(|value| value.value(game) == Known::Value(number))),
            BoolNode::Texts(comparison, sides) => {
                let sides = sides.0.value(game).zip(sides.1.value(game));
                sides.map(|(one, other)| compare(*comparison, one, other))
            }
            BoolNode::TextIn(text, list) => text
                .value(game)
                .map(|text| list.binary_search_by(|value| value.as_str().cmp(&text)).is_ok()),
            BoolNode::Contains(affix, sides) => {
                let sides = sides.0.value(game).zip(sides.1.value(game));
                sides.map(|(text, part)| match affix {
                    Affix::Anywhere => text.contains(&*part),
                    Affix::Start => text.starts_with(&*part),
                    Affix::End => text.ends_with(&*part),
                })
            }
            BoolNode::Matches(text, regex) => text.value(game).map(|text| regex.is_match(&text)),
            BoolNode::DateIs(comparison, date, days) => {
                date.value(game).map_or(Known::Missing, |date| date_is(*comparison, date, *days))
            }
            BoolNode::DateIn(date, list) => date.value(game).map_or(Known::Missing, |date| {
                let is = |days: &Days| date_is(Comparison::Equal, date, *days);
                let always = list.iter().any(|days| is(days) == Known::Value(true));
                let never = list.iter().all(|days| is(days) == Known::Value(false));
                certain(always, never)
            }),
            BoolNode::Dates(comparison, one, other) => {
                let both = one.value(game).zip(other.value(game));
                both.map_or(Known::Missing, |(one, other)| dates(*comparison, one, other))
            }
            BoolNode::Times(comparison, one, other) => {
                let both = one.value(game).zip(other.value(game));
                Known::of(both.map(|(one, other)| compare(*comparison, one, other)))
            }
            BoolNode::TimeIn(time, list) => {
                Known::of(time.value(game).map(|time| list.contains(&time)))
            }
            BoolNode::Flag(flag) => moves::known_if(game.moves, |facts| facts.flag(*flag)),
            BoolNode::Reached(target) => {
                moves::known_if(game.moves, |facts| facts.reached(*target))
            }
            // `truth` has these.
            _ => Known::Later,
        }
    }
}

impl Typed {
    /// Is there a value?
    fn presence(&self, game: &GameView<'_>) -> Truth {
        fn of<T>(value: Known<T>) -> Truth {
            match value {
                Known::Value(_) => Truth::TRUE,
                Known::Missing => Truth::FALSE,
                Known::Later => Truth::EITHER,
            }
        }
        match self {
            Typed::Bool(node) => {
                let truth = node.truth(game);
                let (present, missing) =
                    (truth.can_be(Truth::EITHER), truth.can_be(Truth::MISSING));
                match (present, missing) {
                    (true, true) => Truth::EITHER,
                    (true, false) => Truth::TRUE,
                    (false, _) => Truth::FALSE,
                }
            }
            Typed::Number(node) => of(node.value(game)),
            Typed::Text(node) => of(node.value(game)),
            Typed::Date(node) => of(Known::of(node.value(game))),
            Typed::Time(node) => of(Known::of(node.value(game))),
        }
    }

    /// The value as a text, for the name of a file; `None` if it is missing.
    pub(super) fn shown(&self, game: &GameView<'_>) -> Option<String> {
        let value = |value: Known<String>| match value {
            Known::Value(value) => Some(value),
            Known::Missing | Known::Later => None,
        };
        match self {
            Typed::Bool(node) => match node.truth(game) {
                Truth::TRUE => Some("true".to_string()),
                Truth::FALSE => Some("false".to_string()),
                _ => None,
            },
            Typed::Number(node) => value(node.value(game).map(|number| number.to_string())),
            Typed::Text(node) => value(node.value(game).map(Cow::into_owned)),
            Typed::Date(node) => node.value(game).map(|(first, last)| {
                let [(year, month, day), (_, end, _)] =
                    [first, last].map(|days| civil(days.into()));
                match (first == last, month == end) {
                    (true, _) => format!("{year:04}-{month:02}-{day:02}"),
                    (false, true) => format!("{year:04}-{month:02}"),
                    (false, false) => format!("{year:04}"),
                }
            }),
            Typed::Time(node) => node
                .value(game)
                .map(|time| format!("{:02}:{:02}:{:02}", time / 3600, time / 60 % 60, time % 60)),
        }
    }
}

impl NumberNode {
    pub(super) fn value(&self, game: &GameView<'_>) -> Known<f64> {
        match self {
            NumberNode::Literal(number) => Known::Value(*number),
            NumberNode::Sum(terms) => terms.iter().fold(Known::Value(0.0), |sum, term| {
                let (subtracted, term) = term;
                let both = sum.zip(term.value(game));
                both.map(|(sum, term)| if *subtracted { sum - term } else { sum + term })
            }),
            NumberNode::Tag(slot) => Known::of(game.number(*slot)),
            NumberNode::Ratings(of, [white, black]) => {
                let ratings = game.number(*white).zip(game.number(*black));
                Known::of(ratings.map(|(white, black)| of(white, black)))
            }
            NumberNode::Year(slots) => {
                Known::of(year_and_month(game, *slots).map(|(year, _)| year))
            }
            NumberNode::Month(slots) => {
                Known::of(year_and_month(game, *slots).and_then(|(_, month)| month))
            }
            NumberNode::Initial(slot) => {
                let control = game.bytes(*slot).and_then(time_control);
                Known::of(control.map(|(initial, _)| f64::from(initial)))
            }
            NumberNode::Increment(slot) => {
                let control = game.bytes(*slot).and_then(time_control);
                Known::of(control.map(|(_, increment)| f64::from(increment)))
            }
            NumberNode::GameBytes => {
                game.game_bytes.map_or(Known::Later, |bytes| Known::Value(bytes as f64))
            }
            NumberNode::Count(count) => {
                moves::known(game.moves, |facts| facts.count(*count)).map(f64::from)
            }
        }
    }
}

/// Year and month of the first of the dates whose year is known; the month may be unknown.
fn year_and_month(game: &GameView<'_>, slots: [usize; 2]) -> Option<(f64, Option<f64>)> {
    let (year, month) = tag_numbers::year_and_month(slots.map(|slot| game.bytes(slot)))?;
    Some((f64::from(year), month.map(f64::from)))
}

impl TextNode {
    pub(super) fn value<'v>(&'v self, game: &GameView<'v>) -> Known<Cow<'v, str>> {
        let position = |write: fn(&Position) -> String| {
            moves::known_if(game.moves, |facts| facts.last_position().map(write)).map(Cow::Owned)
        };
        match self {
            TextNode::Literal(text) => Known::Value(Cow::Borrowed(text)),
            TextNode::Tag(slot) => Known::of(game.text(*slot)),
            TextNode::Archive => Known::Value(Cow::Borrowed(game.archive)),
            TextNode::Verdict => game.moves.map_or(Known::Later, |facts| {
                Known::Value(Cow::Borrowed(match facts.verdict() {
                    Verdict::Accepted => VERDICTS[0],
                    Verdict::Repaired => VERDICTS[1],
                    Verdict::Rejected => VERDICTS[2],
                }))
            }),
            TextNode::Outcome => {
                moves::known(game.moves, |facts| Cow::Borrowed(facts.outcome().canonical()))
            }
            TextNode::Speed(slot) => {
                let speed = game.bytes(*slot).and_then(speed);
                let name = speed.and_then(|speed| SPEEDS.get(speed as usize));
                Known::of(name.map(|name| Cow::Borrowed(*name)))
            }
            TextNode::Variant(slot) => {
                Known::Value(game.text(*slot).unwrap_or(Cow::Borrowed("standard")))
            }
            TextNode::FinalFen => position(Position::to_fen),
            TextNode::FinalMaterial => position(super::material::signature_of),
            TextNode::EcoComputed => opening(game, |opening| opening.eco),
            TextNode::OpeningComputed => opening(game, |opening| opening.name),
            TextNode::Lower(text) => text.value(game).map(|text| {
                match text.bytes().any(|b| !b.is_ascii() || b.is_ascii_uppercase()) {
                    true => Cow::Owned(text.to_lowercase()),
                    false => text,
                }
            }),
        }
    }
}

/// A text of the opening that the moves reach.
fn opening<'g>(game: &GameView<'g>, of: fn(&Opening) -> &'static str) -> Known<Cow<'g, str>> {
    moves::known_if(game.moves, MoveFacts::opening).map(|opening| Cow::Borrowed(of(opening)))
}

impl DateNode {
    fn value(self, game: &GameView<'_>) -> Option<(i32, i32)> {
        game.date(self.0)
    }
}

impl TimeNode {
    fn value(self, game: &GameView<'_>) -> Option<i32> {
        match self {
            TimeNode::Literal(time) => Some(time),
            TimeNode::Tag(slot) => game.time(slot),
        }
    }
}

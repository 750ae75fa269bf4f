//! Compiled expressions: nodes with a type each, and their values on a game.
//!
//! In: a [`GameView`]. Out: a [`Truth`], a number, a text, a date or a time. Invariant: a node is as deep as the
//! expression is nested. Cost: no allocation, except for texts that are changed (`lower`, escapes, FEN records).

use std::borrow::Cow;
use std::ops::Range;

use memchr::memmem;
use regex::Regex;

use crate::chess::{Color, Position, Role};
use crate::facts::{Fact, Value};
use crate::pgn::tag_numbers::civil;
use crate::pgn::{Outcome, lossy};

use super::dates::{certain, compare, date_is, dates};
use super::error::Fault;
use super::lexer::Days;
use super::moves::{self, MoveCount, MoveFlag};
use super::parser::Comparison;
use super::truth::{Known, Truth};
use super::view::{GameView, Slot};
use super::watch::Part;

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

    /// The node of a number.
    ///
    /// # Errors
    /// Another type; `span` is where the value is.
    pub(super) fn into_number(self, span: &Range<usize>) -> Result<NumberNode, Fault> {
        match self {
            Typed::Number(node) => Ok(node),
            other => Err(other.is_not("a number", span)),
        }
    }

    /// The node of a text.
    ///
    /// # Errors
    /// Another type; `span` is where the value is.
    pub(super) fn into_text(self, span: &Range<usize>) -> Result<TextNode, Fault> {
        match self {
            Typed::Text(node) => Ok(node),
            other => Err(other.is_not("a text", span)),
        }
    }

    fn is_not(&self, required: &str, span: &Range<usize>) -> Fault {
        Fault::new(span.clone(), format!("this is {}, where {required} is required", self.kind()))
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
    /// The list is sorted; the first of its parts, if they are watched.
    TextIn(Box<TextNode>, Vec<String>, Option<Part>),
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
    /// Has the side won? The fact is the result.
    Won(&'static Fact, Color),
    /// The target of this number was reached.
    Reached(usize),
    /// A comment matches the search of this number.
    Commented(usize),
    /// A part that is watched.
    Watched(Part, Box<BoolNode>),
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
    /// A function of two numbers.
    OfTwo(fn(f64, f64) -> f64, Box<(NumberNode, NumberNode)>),
    Tag(Slot),
    Fact(&'static Fact),
    Count(MoveCount),
    /// Pieces of the last position.
    Pieces(Color, Role),
}

#[derive(Clone, Debug)]
pub(super) enum TextNode {
    Literal(String),
    Tag(Slot),
    Fact(&'static Fact),
    FinalFen,
    FinalMaterial,
    Lower(Box<TextNode>),
}

/// The slot of a date.
#[derive(Clone, Copy, Debug)]
pub(super) struct DateNode(pub(super) Slot);

#[derive(Clone, Copy, Debug)]
pub(super) enum TimeNode {
    Literal(i32),
    Tag(Slot),
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
                    if all == Truth::FALSE && !game.watch.waits() {
                        break;
                    }
                }
                all
            }
            BoolNode::Any(parts) => {
                let mut any = Truth::FALSE;
                for part in parts {
                    any = any.or(part.truth(game));
                    if any == Truth::TRUE && !game.watch.waits() {
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
            BoolNode::Watched(part, inner) => {
                let truth = inner.truth(game);
                game.watch.part(*part, truth);
                truth
            }
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
            BoolNode::TextIn(text, list, first) => {
                let value = text.value(game);
                let found = value
                    .map(|text| list.binary_search_by(|value| value.as_bytes().cmp(&text)).ok());
                if let Some(first) = first {
                    game.watch.list(*first, list.len(), found);
                }
                found.map(|found| found.is_some())
            }
            BoolNode::Contains(affix, sides) => {
                let sides = sides.0.value(game).zip(sides.1.value(game));
                sides.map(|(text, part)| match affix {
                    Affix::Anywhere => memmem::find(&text, &part).is_some(),
                    Affix::Start => text.starts_with(&part),
                    Affix::End => text.ends_with(&part),
                })
            }
            BoolNode::Matches(text, regex) => {
                text.value(game).map(|text| regex.is_match(&lossy(&text)))
            }
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
            BoolNode::Won(fact, side) => game.fact(fact, |game| match game.played?.outcome {
                Outcome::WhiteWins => Some(*side == Color::White),
                Outcome::BlackWins => Some(*side == Color::Black),
                Outcome::Draw => Some(false),
                Outcome::Unknown => None,
            }),
            BoolNode::Flag(flag) => moves::known_if(game.moves, |facts| facts.flag(*flag)),
            BoolNode::Reached(target) => {
                moves::known_if(game.moves, |facts| facts.reached(*target))
            }
            BoolNode::Commented(search) => {
                moves::known(game.moves, |facts| facts.commented(*search))
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
            Typed::Text(node) => value(node.value(game).map(|text| lossy(&text))),
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
            NumberNode::OfTwo(function, sides) => {
                let sides = sides.0.value(game).zip(sides.1.value(game));
                sides.map(|(one, other)| function(one, other))
            }
            NumberNode::Tag(slot) => Known::of(game.number(*slot)),
            NumberNode::Fact(fact) => game.fact(fact, |game| match fact.value {
                Value::Int(value) => value(game).map(f64::from),
                Value::Real(value) => value(game),
                Value::Text(_) | Value::Name(..) | Value::Grouped => None,
            }),
            NumberNode::Count(count) => {
                moves::known(game.moves, |facts| facts.count(*count)).map(f64::from)
            }
            NumberNode::Pieces(color, role) => {
                moves::known_if(game.moves, |facts| facts.pieces(*color, *role)).map(f64::from)
            }
        }
    }
}

impl TextNode {
    /// In UTF-8, unless the archive changes while it is read; therefore bytes.
    pub(super) fn value<'v>(&'v self, game: &GameView<'v>) -> Known<Cow<'v, [u8]>> {
        let position = |write: fn(&Position) -> String| {
            let text = moves::known_if(game.moves, |facts| facts.last_position().map(write));
            text.map(|text| Cow::Owned(text.into_bytes()))
        };
        match self {
            TextNode::Literal(text) => Known::Value(Cow::Borrowed(text.as_bytes())),
            TextNode::Tag(slot) => Known::of(game.text(*slot)),
            TextNode::Fact(fact) => game.fact(fact, |game| match fact.value {
                Value::Text(value) => value(game),
                Value::Name(names, value) => {
                    Some(Cow::Borrowed(names.get(value(game)?)?.as_bytes()))
                }
                Value::Int(_) | Value::Real(_) | Value::Grouped => None,
            }),
            TextNode::FinalFen => position(Position::to_fen),
            TextNode::FinalMaterial => position(super::material::signature_of),
            TextNode::Lower(text) => text.value(game).map(|text| {
                match text.iter().any(|b| !b.is_ascii() || b.is_ascii_uppercase()) {
                    true => Cow::Owned(lossy(&text).to_lowercase().into_bytes()),
                    false => text,
                }
            }),
        }
    }
}

impl DateNode {
    pub(super) fn value(self, game: &GameView<'_>) -> Option<(i32, i32)> {
        game.date(self.0)
    }
}

impl TimeNode {
    pub(super) fn value(self, game: &GameView<'_>) -> Option<i32> {
        match self {
            TimeNode::Literal(time) => Some(time),
            TimeNode::Tag(slot) => game.time(slot),
        }
    }
}

//! The types of an expression: a tree becomes nodes that can be evaluated.
//!
//! In: [`Tree`]. Out: [`Typed`] and [`Reads`], or a [`Fault`]: an unknown name with similar ones, a wrong type, a
//! regular expression, FEN record or signature that cannot be read. Cost: linear, and the compilation of regular
//! expressions, whose size is bounded.

use std::ops::Range;

use regex::{Regex, RegexBuilder};

use crate::pgn::{Tag, TagKind};

use super::call::Call;
use super::comments;
use super::error::Fault;
use super::fields::{Field, Make, fields};
use super::functions::FUNCTIONS;
use super::literals::{days, is_above};
use super::moves::TARGETS_MAX;
use super::near::unknown;
use super::node::{BoolNode, DateNode, NumberNode, TextNode, TimeNode, Typed};
use super::parser::{Comparison, Node, Tree};
use super::players::{self, Divided};
use super::reads::Reads;
use super::slips::{
    check_tag, check_value, glob_warning, order_warning, pattern_warning, refuse_unquoted,
};
use super::target::Target;

/// The size of a compiled regular expression, in bytes, at most.
const REGEX_BYTES_MAX: usize = 1 << 20;

/// The sizes of all compiled regular expressions together, in bytes, at most.
const REGEXES_BYTES_MAX: usize = 32 << 20;
/// The number of regular expressions, at most: each thread has memory for each.
const REGEXES_MAX: usize = 256;
/// What a regular expression remembers while it is applied, in bytes, at most.
const REGEX_CACHE_BYTES_MAX: usize = 256 << 10;

/// Compiles a regular expression; or why it cannot be used.
fn regex(pattern: &str, reads: &mut Reads) -> Result<Regex, String> {
    if reads.regexes == REGEXES_MAX {
        return Err(format!("there are more than {REGEXES_MAX}"));
    }
    // The size of a compiled one is not known; it is below the first limit that it keeps.
    for limit in [16 << 10, 128 << 10, REGEX_BYTES_MAX] {
        let left = REGEXES_BYTES_MAX - reads.regex_bytes;
        let mut builder = RegexBuilder::new(pattern);
        builder.size_limit(limit).dfa_size_limit(REGEX_CACHE_BYTES_MAX).nest_limit(100);
        match builder.build() {
            Ok(_) if limit > left => {
                return Err(format!(
                    "all together are larger than {REGEXES_BYTES_MAX} bytes when they are compiled"
                ));
            }
            Ok(regex) => {
                (reads.regexes, reads.regex_bytes) = (reads.regexes + 1, reads.regex_bytes + limit);
                return Ok(regex);
            }
            Err(regex::Error::CompiledTooBig(_)) if limit < REGEX_BYTES_MAX => {}
            Err(error) => {
                let reason = error.to_string();
                let reason = reason.lines().last().unwrap_or_default();
                return Err(reason.trim_start_matches("error: ").to_string());
            }
        }
    }
    Err(format!("it is larger than {REGEX_BYTES_MAX} bytes when it is compiled"))
}

/// Compiles a condition.
pub(super) fn condition(tree: &Tree, reads: &mut Reads) -> Result<BoolNode, Fault> {
    match value(tree, reads)? {
        Typed::Bool(node) => Ok(node),
        other => Err(Fault::new(
            tree.span.clone(),
            format!("this is {}; a condition is true or false", other.kind()),
        )),
    }
}

/// Compiles a value of any type.
pub(super) fn value(tree: &Tree, reads: &mut Reads) -> Result<Typed, Fault> {
    if let Some(divided) = players::divided(tree)? {
        return of_players(divided, reads);
    }
    if let Some(search) = comments::search_of(tree)? {
        return commented(search, &tree.span, reads);
    }
    Ok(match &tree.node {
        Node::Bool(value) => Typed::Bool(BoolNode::Literal(*value)),
        Node::Number(number) => Typed::Number(NumberNode::Literal(*number)),
        Node::Time(time) => Typed::Time(TimeNode::Literal(*time)),
        Node::Text(text) => Typed::Text(TextNode::Literal(text.clone())),
        Node::Date(_) => {
            let message =
                "a date is compared with a field such as Date; a difference needs spaces around -";
            return Err(Fault::new(tree.span.clone(), message));
        }
        Node::Name(name) => named(name, &tree.span, reads)?,
        Node::Call(name, span, arguments) => call(name, span, arguments, &tree.span, reads)?,
        Node::Not(negated) => Typed::Bool(BoolNode::Not(Box::new(condition(negated, reads)?))),
        Node::All(parts) => Typed::Bool(BoolNode::All(conditions(parts, reads)?)),
        Node::Any(parts) => Typed::Bool(BoolNode::Any(conditions(parts, reads)?)),
        Node::Sum(terms) => {
            let terms =
                terms.iter().map(|(subtracted, term)| Ok((*subtracted, number(term, reads)?)));
            Typed::Number(NumberNode::Sum(terms.collect::<Result<_, _>>()?))
        }
        Node::Compare(comparison, sides) => {
            Typed::Bool(compare(*comparison, &sides.0, &sides.1, &tree.span, reads)?)
        }
        Node::InList(left, list) => Typed::Bool(in_list(left, list, reads)?),
        Node::InFile(left, name, span) => in_file(left, name, span, &tree.span, reads)?,
        Node::InRange(parts) => {
            let (left, low, high) = &**parts;
            if is_above(low, high) {
                let message = "nothing is in this range: its first value is above its second";
                return Err(Fault::new(low.span.start..high.span.end, message));
            }
            [low, high].into_iter().try_for_each(refuse_unquoted)?;
            let low = compare(Comparison::GreaterOrEqual, left, low, &tree.span, reads)?;
            let high = compare(Comparison::LessOrEqual, left, high, &tree.span, reads)?;
            Typed::Bool(BoolNode::All(vec![low, high]))
        }
        Node::Match(left, pattern, span) => {
            let text = text(left, reads)?;
            glob_warning(pattern).into_iter().for_each(|it| reads.warn(it));
            let regex = usable(pattern, span, reads)?;
            Typed::Bool(reads.watched(BoolNode::Matches(Box::new(text), regex), &tree.span))
        }
        Node::Present(left) => Typed::Bool(BoolNode::Present(Box::new(value(left, reads)?))),
        Node::Won(side) => reads.won(*side),
    })
}

/// A regular expression of the expression.
fn usable(pattern: &str, span: &Range<usize>, reads: &mut Reads) -> Result<Regex, Fault> {
    regex(pattern, reads).map_err(|reason| {
        Fault::new(span.clone(), format!("the regular expression cannot be used: {reason}"))
    })
}

/// A position that is one of those of a file.
fn in_file(
    left: &Tree,
    name: &str,
    span: &Range<usize>,
    whole: &Range<usize>,
    reads: &mut Reads,
) -> Result<Typed, Fault> {
    if !matches!(&left.node, Node::Name(name) if name == "position") {
        let message = "in @FILE is for positions, and is written position in @FILE";
        return Err(Fault::new(left.span.clone(), message));
    }
    let Some((_, set)) = reads.files.iter().find(|(known, _)| known == name) else {
        return Err(Fault::new(span.clone(), "files are not read for this expression"));
    };
    let target = Target::Set(set.clone());
    reads.reached(target, whole).map(Typed::Bool)
}

/// Conditions on White and on Black, of which one, or neither, is to be true.
fn of_players(divided: Divided, reads: &mut Reads) -> Result<Typed, Fault> {
    let (others, sides, is_negated) = match divided {
        Divided::Condition(sides, is_negated) => (Vec::new(), sides, is_negated),
        Divided::All(others, sides) => (others, sides, false),
    };
    let mut all = conditions(&others, reads)?;
    let any = BoolNode::Any(conditions(&sides, reads)?);
    all.push(if is_negated { BoolNode::Not(Box::new(any)) } else { any });
    Ok(Typed::Bool(BoolNode::All(all)))
}

/// A search in comments.
fn commented(
    search: comments::Search,
    span: &Range<usize>,
    reads: &mut Reads,
) -> Result<Typed, Fault> {
    let comments::Search { pattern, span: at } = search;
    let regex = usable(&pattern, &at, reads)?;
    if reads.comments.len() == TARGETS_MAX {
        let message = format!("there are more than {TARGETS_MAX} searches in comments");
        return Err(Fault::new(span.clone(), message));
    }
    reads.comments.push(regex);
    (reads.demand.moves, reads.demand.annotations) = (true, true);
    let node = BoolNode::Commented(reads.comments.len() - 1);
    Ok(Typed::Bool(reads.watched(node, span)))
}

fn conditions(parts: &[Tree], reads: &mut Reads) -> Result<Vec<BoolNode>, Fault> {
    parts.iter().map(|part| condition(part, reads)).collect()
}

fn number(tree: &Tree, reads: &mut Reads) -> Result<NumberNode, Fault> {
    value(tree, reads)?.into_number(&tree.span)
}

fn text(tree: &Tree, reads: &mut Reads) -> Result<TextNode, Fault> {
    value(tree, reads)?.into_text(&tree.span)
}

/// A tag pair, or a field.
fn named(name: &str, span: &Range<usize>, reads: &mut Reads) -> Result<Typed, Fault> {
    if name.starts_with(|first: char| first.is_ascii_uppercase()) {
        let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if !is_name {
            return Err(Fault::new(span.clone(), "the names of tag pairs have ASCII letters only"));
        }
        let is_known = check_tag(name, span)?;
        let slot = reads.tag(name, is_known);
        return Ok(match Tag::of(name).map(Tag::kind) {
            Some(TagKind::Number) => Typed::Number(NumberNode::Tag(slot)),
            Some(TagKind::Date) => Typed::Date(DateNode(slot)),
            Some(TagKind::Time) => Typed::Time(TimeNode::Tag(slot)),
            Some(TagKind::Text) | None => Typed::Text(TextNode::Tag(slot)),
        });
    }
    match fields().find(|field| field.name == name).map(|field| field.make) {
        Some(Make::Fact(fact)) => return Ok(reads.fact(fact)),
        Some(Make::Plies(make)) => return Ok(make(reads)),
        Some(Make::Replaced) => {
            let message = format!(
                "{name} is for conditions, such as {name} {}",
                match name {
                    "comment" => "=~ \"novelty\"",
                    "player" | "opponent" => "== \"Tal, Mihail\"",
                    "player_title" | "opponent_title" => "== \"GM\"",
                    _ => ">= 2700",
                }
            );
            return Err(Fault::new(span.clone(), message));
        }
        Some(Make::Function(_)) | None => {}
    }
    let function = |field: &&Field| field.name.split('(').next() == Some(name);
    if let Some(field) = FUNCTIONS.iter().find(function) {
        return Err(Fault::new(span.clone(), format!("{name} is a function: {}", field.name)));
    }
    if matches!(name, "game" | "byte_offset") {
        let message = format!(
            "{name} cannot be selected by: games are read in parallel, and their numbers and offsets in the archive are \
             known only afterwards"
        );
        return Err(Fault::new(span.clone(), message));
    }
    Err(Fault::new(span.clone(), unknown(name, "name")))
}

fn call(
    name: &str,
    span: &Range<usize>,
    arguments: &[Tree],
    whole: &Range<usize>,
    reads: &mut Reads,
) -> Result<Typed, Fault> {
    let function = |field: &&Field| field.name.split('(').next() == Some(name);
    let Some(declared) = FUNCTIONS.iter().find(function) else {
        let is_field = fields().any(|field| field.name == name);
        let message = match is_field {
            true => format!("{name} is no function; it is written without parentheses"),
            false => unknown(name, "function"),
        };
        return Err(Fault::new(span.clone(), message));
    };
    if arguments.len() != 1 + declared.name.matches(',').count() {
        return Err(Fault::new(whole.clone(), format!("this is written {}", declared.name)));
    }
    match declared.make {
        Make::Function(make) => make(&mut Call { arguments, whole, reads, value, refuse_unquoted }),
        _ => Err(Fault::new(span.clone(), format!("{name} is no function"))),
    }
}

fn compare(
    comparison: Comparison,
    left: &Tree,
    right: &Tree,
    span: &Range<usize>,
    reads: &mut Reads,
) -> Result<BoolNode, Fault> {
    // A date of the expression is a set of days, not a value of its own.
    let is_date = |tree: &Tree| matches!(tree.node, Node::Date(_));
    if is_date(left) && is_date(right) {
        let message = "one side is a field: this comparison is the same for every game";
        return Err(Fault::new(span.clone(), message));
    }
    if is_date(left) {
        return compare(comparison.exchanged(), right, left, span, reads);
    }
    refuse_unquoted(right)?;
    let one = value(left, reads)?;
    if let Typed::Date(date) = one {
        if let Some(days) = days(right) {
            return Ok(BoolNode::DateIs(comparison, date, days));
        }
    } else if is_date(right) {
        return Err(Fault::new(left.span.clone(), format!("this is {}, not a date", one.kind())));
    }
    let other = value(right, reads)?;
    let is_ordered = !matches!(comparison, Comparison::Equal | Comparison::NotEqual);
    Ok(match (one, other) {
        (Typed::Number(one), Typed::Number(other)) => {
            BoolNode::Numbers(comparison, Box::new((one, other)))
        }
        (Typed::Text(one), Typed::Text(other)) => {
            check_value(comparison, &one, &other, right)?;
            check_value(comparison, &other, &one, left)?;
            texts(comparison, one, other, span, reads)
        }
        (Typed::Date(one), Typed::Date(other)) => BoolNode::Dates(comparison, one, other),
        (Typed::Number(_), Typed::Date(date)) if let Some(days) = days(left) => {
            BoolNode::DateIs(comparison.exchanged(), date, days)
        }
        (Typed::Time(one), Typed::Time(other)) => BoolNode::Times(comparison, one, other),
        (Typed::Bool(one), Typed::Bool(other)) if !is_ordered => {
            let same = BoolNode::Same(Box::new((one, other)));
            match comparison {
                Comparison::Equal => same,
                _ => BoolNode::Not(Box::new(same)),
            }
        }
        (one, other) => return Err(incomparable(&one, &other, span)),
    })
}

/// The comparison of two texts. What is watched is the equality, not its negation.
fn texts(
    comparison: Comparison,
    one: TextNode,
    other: TextNode,
    span: &Range<usize>,
    reads: &mut Reads,
) -> BoolNode {
    if !matches!(comparison, Comparison::Equal | Comparison::NotEqual) {
        [&one, &other].into_iter().filter_map(order_warning).for_each(|it| reads.warn(it));
        return BoolNode::Texts(comparison, Box::new((one, other)));
    }
    [&one, &other].into_iter().filter_map(pattern_warning).for_each(|it| reads.warn(it));
    let equal = BoolNode::Texts(Comparison::Equal, Box::new((one, other)));
    let equal = reads.watched(equal, span);
    match comparison {
        Comparison::Equal => equal,
        _ => BoolNode::Not(Box::new(equal)),
    }
}

/// Two types that cannot be compared.
fn incomparable(one: &Typed, other: &Typed, span: &Range<usize>) -> Fault {
    let hint = match (one, other) {
        (Typed::Number(_), Typed::Text(_)) => "; a number is written without quotes",
        (Typed::Date(_), Typed::Text(_)) => "; a date is written 2024-05-01, without quotes",
        (Typed::Date(_), Typed::Number(_)) => "; a date is written 2024-05-01 or 2024-05",
        (Typed::Text(_), Typed::Number(_)) => "; a text is written in quotes",
        (Typed::Bool(_), Typed::Bool(_)) => "; these have no order",
        _ => "",
    };
    let message = format!("{} cannot be compared with {}{hint}", one.kind(), other.kind());
    Fault::new(span.clone(), message)
}

fn in_list(left: &Tree, list: &[Tree], reads: &mut Reads) -> Result<BoolNode, Fault> {
    let wrong = |tree: &Tree, kind: &str| {
        Fault::new(tree.span.clone(), format!("{kind} is required here, as on the left"))
    };
    Ok(match value(left, reads)? {
        Typed::Number(number_node) => {
            let list = list.iter().map(|item| match number(item, reads)? {
                // Evaluated for each game: of literals alone.
                node @ (NumberNode::Literal(_) | NumberNode::Sum(_)) if is_constant(&node) => {
                    Ok(node)
                }
                _ => Err(wrong(item, "a number")),
            });
            BoolNode::NumberIn(Box::new(number_node), list.collect::<Result<_, _>>()?)
        }
        Typed::Text(field) => {
            let mut texts = Vec::with_capacity(list.len());
            for item in list {
                let Node::Text(text) = &item.node else {
                    refuse_unquoted(item)?;
                    return Err(wrong(item, "a text in quotes"));
                };
                let literal = TextNode::Literal(text.clone());
                check_value(Comparison::Equal, &field, &literal, item)?;
                pattern_warning(&literal).into_iter().for_each(|it| reads.warn(it));
                texts.push((text.clone(), item.span.clone()));
            }
            texts.sort_by(|one, other| one.0.cmp(&other.0));
            texts.dedup_by(|one, other| one.0 == other.0);
            let (texts, spans): (Vec<_>, Vec<_>) = texts.into_iter().unzip();
            let first = reads.parts.add(spans.into_iter());
            BoolNode::TextIn(Box::new(field), texts, first)
        }
        Typed::Date(date) => {
            let list = list.iter().map(|item| days(item).ok_or_else(|| wrong(item, "a date")));
            BoolNode::DateIn(date, list.collect::<Result<_, _>>()?)
        }
        Typed::Time(time) => {
            let list = list.iter().map(|item| match item.node {
                Node::Time(time) => Ok(time),
                _ => Err(wrong(item, "a time")),
            });
            BoolNode::TimeIn(time, list.collect::<Result<_, _>>()?)
        }
        Typed::Bool(_) => {
            return Err(Fault::new(left.span.clone(), "true or false is in no list"));
        }
    })
}

fn is_constant(node: &NumberNode) -> bool {
    match node {
        NumberNode::Literal(_) => true,
        NumberNode::Sum(terms) => terms.iter().all(|(_, term)| is_constant(term)),
        _ => false,
    }
}

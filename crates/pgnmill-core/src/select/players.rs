//! Conditions on a player, whichever side that is: `player == "Tal, Mihail" and player_won`.
//!
//! In: a condition. Out: the same of White and of Black, of which one is to be true. Rule: a condition on a player, or
//! the conditions of an `and`, are of one player: they are true if they are so of White, or so of Black. A condition
//! that is negated (`not`, `!=`, `not in`, `!~`, `is missing`) is true if it is so of neither player, unless the `and`
//! in which it is has another condition on a player: then it is of that one. Invariant: De Morgan's laws hold, because
//! an `and` of negated conditions alone is not divided. Cost: linear for each level of nesting.

use crate::chess::Color;
use crate::facts;

use super::error::Fault;
use super::parser::{Comparison, Node, Tree};

/// What a name is of White; of Black it is the other one.
#[derive(Clone, Copy, Debug)]
enum Of {
    /// Tag pairs.
    Tags([&'static str; 2]),
    /// Who has won.
    Won([Color; 2]),
}

/// The names, and what they are with the player as White and as Black.
const OF_BOTH: [(&str, Of); 8] = [
    ("player", Of::Tags(["White", "Black"])),
    ("player_rating", Of::Tags(["WhiteElo", "BlackElo"])),
    ("player_title", Of::Tags(["WhiteTitle", "BlackTitle"])),
    ("player_won", Of::Won([Color::White, Color::Black])),
    ("player_lost", Of::Won([Color::Black, Color::White])),
    ("opponent", Of::Tags(["Black", "White"])),
    ("opponent_rating", Of::Tags(["BlackElo", "WhiteElo"])),
    ("opponent_title", Of::Tags(["BlackTitle", "WhiteTitle"])),
];

/// A condition that is divided.
pub(super) enum Divided {
    /// The condition, of White and of Black; whether it is to be true of neither.
    Condition([Tree; 2], bool),
    /// The conditions of an `and`: those that are on no player, and the others, of White and of Black.
    All(Vec<Tree>, [Tree; 2]),
}

/// What a condition is divided into, if it is on a player.
///
/// # Errors
/// Two names for the one player.
pub(super) fn divided(tree: &Tree) -> Result<Option<Divided>, Fault> {
    if let Node::All(parts) = &tree.node {
        return all(parts, tree);
    }
    let is_condition = match &tree.node {
        Node::Name(name) => matches!(of_name(name), Some(Of::Won(_))),
        Node::Compare(..)
        | Node::InList(..)
        | Node::InFile(..)
        | Node::InRange(..)
        | Node::Match(..)
        | Node::Present(..)
        | Node::Call(..) => values(tree).into_iter().any(is_of_player),
        _ => false,
    };
    if !is_condition {
        return Ok(None);
    }
    let mut tree = tree.clone();
    let is_negated = match &mut tree.node {
        Node::Compare(comparison @ Comparison::NotEqual, _) => {
            *comparison = Comparison::Equal;
            true
        }
        _ => false,
    };
    Ok(Some(Divided::Condition([0, 1].map(|side| of_side(&tree, side)), is_negated)))
}

/// A value of a player, such as the name, with White and with Black.
pub(super) fn sides_of_value(tree: &Tree) -> Option<[Tree; 2]> {
    is_of_player(tree).then(|| [0, 1].map(|side| of_side(tree, side)))
}

/// The tag pairs whose value it is, with either player.
pub(super) fn tags_of(value: &Tree) -> Option<Vec<String>> {
    match &value.node {
        Node::Name(name) => Some(match of_name(name) {
            Some(Of::Tags(tags)) => tags.map(str::to_string).to_vec(),
            _ => vec![name.clone()],
        }),
        Node::Call(name, _, values) => match (name.as_str(), &values[..]) {
            ("tag", [Tree { node: Node::Text(tag), .. }]) => Some(vec![tag.clone()]),
            ("lower", [value]) => tags_of(value),
            _ => None,
        },
        _ => None,
    }
}

/// The field that a name is where games are divided: `Year` is the key of partitions, and no tag pair.
pub(super) fn as_field(tree: &Tree) -> Tree {
    let named = |name: &str| facts::ALL.iter().find(|fact| fact.partition == Some(name));
    let node = match &tree.node {
        Node::Name(name) => named(name).map(|fact| Node::Name(fact.name.to_string())),
        _ => None,
    };
    Tree { node: node.unwrap_or_else(|| tree.node.clone()), span: tree.span.clone() }
}

/// The conditions of an `and`, if several are on a player, and not all of them are negated.
fn all(parts: &[Tree], tree: &Tree) -> Result<Option<Divided>, Fault> {
    let (own, others): (Vec<&Tree>, Vec<&Tree>) = parts.iter().partition(|part| is_on_player(part));
    if let [won] = own[..] {
        refuse_any_winner(won, &others)?;
    }
    if own.len() < 2 || own.iter().all(|part| is_negated(part)) {
        return Ok(None);
    }
    refuse_two_names(&own)?;
    let sides = [0, 1].map(|side| {
        let parts = own.iter().map(|part| of_side(part, side)).collect();
        Tree { node: Node::All(parts), span: tree.span.clone() }
    });
    Ok(Some(Divided::All(others.into_iter().cloned().collect(), sides)))
}

/// `Black == "Tal" and player_won` would be true of games that Tal has lost: whoever has won is a player who has.
fn refuse_any_winner(condition: &Tree, others: &[&Tree]) -> Result<(), Fault> {
    let Node::Name(name) = &condition.node else { return Ok(()) };
    let Some(Of::Won(winners)) = of_name(name) else { return Ok(()) };
    let names = |part: &Tree, side: &str| {
        values(part).into_iter().filter_map(tags_of).flatten().any(|tag| tag == side)
    };
    for (side, winner) in ["White", "Black"].into_iter().zip(winners) {
        if others.iter().any(|part| names(part, side)) {
            let result = if winner == Color::White { "1-0" } else { "0-1" };
            return Err(Fault::new(
                condition.span.clone(),
                format!(
                    "{name} is of either player, not of {side}: write outcome == \"{result}\", or player in place of {side}"
                ),
            ));
        }
    }
    Ok(())
}

/// `player == "Tal" and player == "Euwe"` is true of no game: the other player is the opponent.
fn refuse_two_names(parts: &[&Tree]) -> Result<(), Fault> {
    let named = |part: &Tree| match &part.node {
        Node::Compare(is, sides) => match (&sides.0.node, &sides.1.node) {
            (Node::Name(name), Node::Text(text)) if name == "player" => Some((*is, text.clone())),
            _ => None,
        },
        _ => None,
    };
    let equal = parts.iter().find_map(|part| match named(part) {
        Some((Comparison::Equal, name)) => Some((part, name)),
        _ => None,
    });
    let Some((first, name)) = equal else { return Ok(()) };
    for part in parts.iter().filter(|part| part.span != first.span) {
        let sign = match named(part) {
            Some((Comparison::Equal, other)) if other != name => "==",
            Some((Comparison::NotEqual, _)) => "!=",
            _ => continue,
        };
        let other = named(part).map(|(_, other)| other).unwrap_or_default();
        let message = format!(
            "player is the same player here, {name:?}; the other one: opponent {sign} {other:?}"
        );
        return Err(Fault::new(part.span.clone(), message));
    }
    Ok(())
}

/// Is a condition true if something is not so?
fn is_negated(tree: &Tree) -> bool {
    match &tree.node {
        Node::Not(negated) => !is_negated(negated),
        Node::Compare(comparison, _) => *comparison == Comparison::NotEqual,
        Node::All(parts) | Node::Any(parts) => {
            parts.iter().filter(|part| is_on_player(part)).all(is_negated)
        }
        _ => false,
    }
}

fn of_name(name: &str) -> Option<Of> {
    OF_BOTH.iter().find(|(known, _)| *known == name).map(|(_, of)| *of)
}

/// The parts of a part.
fn values(tree: &Tree) -> Vec<&Tree> {
    match &tree.node {
        Node::Compare(_, sides) => vec![&sides.0, &sides.1],
        Node::InList(value, _)
        | Node::InFile(value, ..)
        | Node::Match(value, ..)
        | Node::Present(value) => vec![value],
        Node::InRange(parts) => vec![&parts.0, &parts.1, &parts.2],
        Node::Call(_, _, parts) | Node::All(parts) | Node::Any(parts) => parts.iter().collect(),
        Node::Sum(terms) => terms.iter().map(|(_, term)| term).collect(),
        Node::Not(negated) => vec![negated],
        _ => Vec::new(),
    }
}

/// Is a number or a text of a player? A condition within a comparison is divided by itself.
fn is_of_player(value: &Tree) -> bool {
    match &value.node {
        Node::Name(name) => matches!(of_name(name), Some(Of::Tags(_))),
        Node::Sum(_) => values(value).into_iter().any(is_of_player),
        Node::Call(name, ..) if name == "lower" => values(value).into_iter().any(is_of_player),
        _ => false,
    }
}

/// Is anything in it of a player?
fn is_on_player(tree: &Tree) -> bool {
    match &tree.node {
        Node::Name(name) => of_name(name).is_some(),
        _ => values(tree).into_iter().any(is_on_player),
    }
}

fn of_side(tree: &Tree, side: usize) -> Tree {
    let of = |tree: &Tree| of_side(tree, side);
    let list = |parts: &[Tree]| parts.iter().map(of).collect();
    let node = match &tree.node {
        Node::Name(name) => match of_name(name) {
            Some(Of::Tags(tags)) => Node::Name(tags[side].to_string()),
            Some(Of::Won(colors)) => Node::Won(colors[side]),
            None => tree.node.clone(),
        },
        Node::Compare(comparison, sides) => {
            Node::Compare(*comparison, Box::new((of(&sides.0), of(&sides.1))))
        }
        Node::InList(value, list) => Node::InList(Box::new(of(value)), list.clone()),
        Node::InFile(value, name, span) => {
            Node::InFile(Box::new(of(value)), name.clone(), span.clone())
        }
        Node::InRange(parts) => Node::InRange(Box::new((of(&parts.0), of(&parts.1), of(&parts.2)))),
        Node::Match(value, pattern, span) => {
            Node::Match(Box::new(of(value)), pattern.clone(), span.clone())
        }
        Node::Present(value) => Node::Present(Box::new(of(value))),
        Node::Call(name, span, arguments) => {
            Node::Call(name.clone(), span.clone(), list(arguments))
        }
        Node::Sum(terms) => {
            Node::Sum(terms.iter().map(|(subtracted, term)| (*subtracted, of(term))).collect())
        }
        Node::Not(negated) => Node::Not(Box::new(of(negated))),
        Node::All(parts) => Node::All(list(parts)),
        Node::Any(parts) => Node::Any(list(parts)),
        Node::Bool(_)
        | Node::Number(_)
        | Node::Date(_)
        | Node::Time(_)
        | Node::Text(_)
        | Node::Won(_) => tree.node.clone(),
    };
    Tree { node, span: tree.span.clone() }
}

//! Conditions on a player, whichever side that is: `player == "Tal, Mihail"`, `player_rating >= 2700`.
//!
//! In: a condition without `and`, `or` and `not`. Out: the same on White and on Black, of which one is to be true. So
//! `player != "Tal"` and `player not in […]` are true if neither player is one of them.

use super::parser::{Node, Tree};

/// The names, and those of the tag pairs of White and Black.
pub(super) const OF_BOTH: [(&str, [&str; 2]); 2] =
    [("player", ["White", "Black"]), ("player_rating", ["WhiteElo", "BlackElo"])];

/// The condition on White and on Black, if it is on a player.
pub(super) fn sides(tree: &Tree) -> Option<[Tree; 2]> {
    let is_condition = matches!(
        tree.node,
        Node::Compare(..)
            | Node::InList(..)
            | Node::InRange(..)
            | Node::Match(..)
            | Node::Present(..)
            | Node::Call(..)
    );
    (is_condition && is_on_player(tree)).then(|| [0, 1].map(|side| of_side(tree, side)))
}

/// The parts of a condition that are values.
fn values(tree: &Tree) -> Vec<&Tree> {
    match &tree.node {
        Node::Compare(_, sides) => vec![&sides.0, &sides.1],
        Node::InList(value, _) | Node::Match(value, ..) | Node::Present(value) => vec![value],
        Node::InRange(parts) => vec![&parts.0, &parts.1, &parts.2],
        Node::Call(_, _, arguments) => arguments.iter().collect(),
        Node::Sum(terms) => terms.iter().map(|(_, term)| term).collect(),
        _ => Vec::new(),
    }
}

fn is_on_player(tree: &Tree) -> bool {
    values(tree).into_iter().any(|value| match &value.node {
        Node::Name(name) => OF_BOTH.iter().any(|(known, _)| known == name),
        // A condition of its own is divided where it is compiled.
        Node::Sum(_) | Node::Call(..) => is_on_player(value),
        _ => false,
    })
}

fn of_side(tree: &Tree, side: usize) -> Tree {
    let of = |tree: &Tree| of_side(tree, side);
    let node = match &tree.node {
        Node::Name(name) => match OF_BOTH.iter().find(|(known, _)| known == name) {
            Some((_, tags)) => Node::Name(tags[side].to_string()),
            None => tree.node.clone(),
        },
        Node::Compare(comparison, sides) => {
            Node::Compare(*comparison, Box::new((of(&sides.0), of(&sides.1))))
        }
        Node::InList(value, list) => Node::InList(Box::new(of(value)), list.clone()),
        Node::InRange(parts) => Node::InRange(Box::new((of(&parts.0), of(&parts.1), of(&parts.2)))),
        Node::Match(value, pattern, span) => {
            Node::Match(Box::new(of(value)), pattern.clone(), span.clone())
        }
        Node::Present(value) => Node::Present(Box::new(of(value))),
        Node::Call(name, span, arguments) => {
            Node::Call(name.clone(), span.clone(), arguments.iter().map(of).collect())
        }
        Node::Sum(terms) => {
            Node::Sum(terms.iter().map(|(subtracted, term)| (*subtracted, of(term))).collect())
        }
        other => other.clone(),
    };
    Tree { node, span: tree.span.clone() }
}

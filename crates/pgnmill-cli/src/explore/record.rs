//! `explore --format`: moves as records for programs.
//!
//! In: the moves of a position, or a tree. Out: a record per move: the line from the position that was asked for, the
//! columns of the table, the share of the games. Invariant: all records have the same fields; what a table does not
//! have is null. Cost: the length of the text.

use pgnmill_core::openings::Openings;
use pgnmill_core::tasks::positions::record_of;
use pgnmill_run::text::records::Records;
use serde_json::Value;

use super::asked_position::AskedPosition;
use super::tree::{Node, Tree, games_of};

const FIELDS: [&str; 23] = [
    "line",
    "rules",
    "fen",
    "eco",
    "opening",
    "ply",
    "uci",
    "san",
    "games",
    "share",
    "white",
    "draws",
    "black",
    "score",
    "rating_mean",
    "opponent_rating_mean",
    "rated_games",
    "first_date",
    "last_date",
    "sample_archive",
    "sample_offset",
    "weight",
    "depth",
];

/// The moves, each after those that lead to it.
pub(super) fn records(asked: &AskedPosition, tree: &Tree) -> Records {
    let mut records = Records::of(&FIELDS);
    tree.visit(|node, before| records.add(values(asked, tree, node, before)));
    records
}

/// A move in the usual notation, or as a table has it.
pub(super) fn text_of(node: &Node) -> &str {
    if node.row.san.is_empty() { &node.row.uci } else { &node.row.san }
}

fn values(
    asked: &AskedPosition,
    tree: &Tree,
    node: &Node,
    before: &[&Node],
) -> [Value; FIELDS.len()] {
    let row = &node.row;
    let line: Vec<&str> = before.iter().copied().chain([node]).map(text_of).collect();
    let position = node.before.chess().filter(|position| !position.is_chess960());
    let opening = match before {
        [] => asked.opening,
        _ => position.and_then(|position| Openings::standard().find(position)),
    };
    let share = (tree.games > 0).then(|| games_of(row) as f64 / tree.games as f64);
    [
        line.into(),
        node.before.rules().name().into(),
        record_of(&node.before).into(),
        opening.map(|opening| opening.eco).into(),
        opening.map(|opening| opening.name).into(),
        row.ply.into(),
        row.uci.as_str().into(),
        row.san.as_str().into(),
        row.games.into(),
        share.into(),
        row.white.into(),
        row.draws.into(),
        row.black.into(),
        row.score.into(),
        row.rating_mean.into(),
        row.opponent_rating_mean.into(),
        row.rated_games.into(),
        row.first_date.clone().into(),
        row.last_date.clone().into(),
        row.sample_archive.clone().into(),
        row.sample_offset.into(),
        row.weight.into(),
        (before.len() + 1).into(),
    ]
}

//! The descriptions of columns in `docs/columns.md`, from their declarations.
//!
//! Output: blocks of Markdown with their names, as [`tables::docs`](crate::tables::docs) has them; what is outside of
//! the blocks of the page is written by hand. A test (`tests/tasks/columns.rs`) compares the page with the
//! declarations, and exports games that have the examples.

use std::fmt::Write as _;

use crate::pgn::ValueFault;
use crate::pgn::engine_comments::{CommentForm, FORMS};

use super::column::{Column, Set};
use super::selection::Table;

/// The name of a query and its text.
macro_rules! query {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../queries/", $name, ".sql")))
    };
}

/// The queries of the page, in its order: files of `queries/`.
pub const QUERIES: [(&str, &str); 5] = [
    query!("result_by_rating_difference"),
    query!("clock_at_move_20"),
    query!("evaluation_swing"),
    query!("openings_by_month"),
    query!("shortest_mates"),
];

/// The blocks that are made from declarations and queries.
pub fn blocks() -> Vec<(String, String)> {
    let tables = [Table::Games, Table::Plies];
    let mut blocks: Vec<(String, String)> =
        tables.map(|table| (format!("table {}", table.name()), describe(table))).into();
    blocks.push(("forms of comments".to_string(), forms()));
    blocks.push(("values that cannot be read".to_string(), unreadable()));
    blocks
        .extend(QUERIES.map(|(name, sql)| (format!("query {name}"), format!("```sql\n{sql}```"))));
    blocks
}

/// The columns of a table.
fn describe(table: Table) -> String {
    let mut text = String::from(
        "| column | set | type | unit | null | example | meaning |\n|---|---|---|---|---|---|---|\n",
    );
    for column in table.columns() {
        let Column { name, kind, unit, null, example, doc, .. } = &column;
        let set = match column.set {
            Set::HuggingFaceAlone => "hf",
            Set::HuggingFace => "hf, default",
            Set::Default => "default",
            Set::OptIn => "",
        };
        let kind = kind.arrow_name().replace('<', "&lt;").replace('>', "&gt;");
        let example = if example.is_empty() { String::new() } else { format!("`{example}`") };
        let _ =
            writeln!(text, "| `{name}` | {set} | {kind} | {unit} | {null} | {example} | {doc} |");
    }
    text
}

/// The forms of comments that engines leave.
fn forms() -> String {
    let mut text = String::from(
        "| form | written by | examples | what is read | whose view |\n|---|---|---|---|---|\n",
    );
    for CommentForm { name, writers, examples, doc, view, .. } in &FORMS {
        let examples: Vec<String> = examples.iter().map(|text| format!("`{{{text}}}`")).collect();
        let examples = examples.join(", ");
        let _ = writeln!(text, "| `{name}` | {writers} | {examples} | {doc} | {view} |");
    }
    text
}

/// The kinds of values that cannot be read.
fn unreadable() -> String {
    let mut text = String::from("| kind | what is required |\n|---|---|\n");
    for fault in ValueFault::ALL {
        let (name, detail) = (fault.name(), fault.detail());
        let detail = detail.replace("[%", "`[%").replace(']', "]`");
        let _ = writeln!(text, "| `{name}` | {detail} |");
    }
    text
}

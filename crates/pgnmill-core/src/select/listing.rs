//! The list of fields, for `docs/select.md` and for a terminal.
//!
//! In: the declarations. Out: text.

use std::fmt::Write as _;

use super::fields::{Cost, FieldKind, fields, typed_tags};
use super::functions::FUNCTIONS;

/// The fields and functions as a table in Markdown.
pub fn markdown() -> String {
    let mut text = String::from("| name | type | reads | meaning |\n|---|---|---|---|\n");
    for (name, kind, cost, doc) in rows() {
        let _ = writeln!(text, "| `{name}` | {kind} | {cost} | {doc} |");
    }
    text
}

/// The fields and functions as a list for a terminal.
pub fn list() -> String {
    let mut text = String::new();
    for (name, kind, cost, doc) in rows() {
        let _ = writeln!(text, "{name:<28} {kind:<7} {cost:<6} {}", doc.replace('`', ""));
    }
    text
}

type Row = (String, &'static str, &'static str, String);

fn rows() -> impl Iterator<Item = Row> {
    let tags = typed_tags().map(|(name, kind)| {
        (name.to_string(), kind.name(), Cost::Tags.name(), format!("the tag pair `{name}`"))
    });
    let other = "any other name that begins with a capital letter: the tag pair of that name";
    let others = ["Event", "Site", "White", "Black", "Result", "ECO", "…"].join(", ");
    let others =
        std::iter::once((others, FieldKind::Text.name(), Cost::Tags.name(), other.to_string()));
    let own = fields().chain(FUNCTIONS.iter().cloned()).map(|field| {
        (field.name.to_string(), field.kind.name(), field.cost.name(), field.doc.to_string())
    });
    tags.chain(others).chain(own)
}

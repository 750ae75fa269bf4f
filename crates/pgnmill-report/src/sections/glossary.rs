//! What the notations of the page are: what a text contains, an example, what its reader requires.
//!
//! In: the names of the measured notations. Out: a table, from the registry. A notation that the registry does not
//! have, in tables of another origin, has no row.

use pgnmill_core::notation;
use pgnmill_core::tables::notations::is_localized;

use super::super::page::{Cell, Grid, Section};
use super::super::prose::code;
use super::super::study::Study;

/// The section; none if nothing was measured that the registry describes.
pub(super) fn section(study: &Study) -> Option<Section> {
    let written = study.notations.iter().filter(|(_, sum)| sum.plies > 0);
    let (languages, others): (Vec<&str>, Vec<&str>) =
        written.map(|(name, _)| name.as_str()).partition(|name| is_localized(name));
    let rows: Vec<Vec<Cell>> = others.into_iter().filter_map(row).collect();
    if rows.is_empty() {
        return None;
    }
    let mut section = Section::new(
        "The notations",
        "What a text is in each notation, as pgnmill writes it, with a move in UCI (its two squares, and the piece of a \
         promotion) and its text. “Board”: its reader must have the position, “game”: all moves before, “nothing”: the \
         text gives both squares. `pgnmill notations NAME` prints the source of the rules and the positions of the \
         examples.",
    );
    if let Some(first) = languages.first() {
        section.text(format!(
            "{} and others of this form: SAN with the piece letters of a language.",
            code(first)
        ));
    }
    let head = ["notation", "its texts", "move", "text", "needs"];
    section.grid(Grid {
        caption: "The notations of this page".to_string(),
        is_open: true,
        source: "pgnmill notations".to_string(),
        note: String::new(),
        head: head.map(String::from).to_vec(),
        rows,
    });
    Some(section)
}

fn row(name: &str) -> Option<Vec<Cell>> {
    let info = notation::find(name)?.info();
    // The last example is the one that the list of the command has.
    let (mv, text) = info.examples.last().map_or(("", ""), |&(_, mv, text)| (mv, text));
    Some(vec![
        Cell::Name(name.to_string()),
        Cell::Prose(format!("{}. {}", info.title, info.about)),
        Cell::Name(mv.to_string()),
        Cell::Name(text.to_string()),
        Cell::Text(info.needs.words().trim_start_matches("the ").replace("no board", "nothing")),
    ])
}

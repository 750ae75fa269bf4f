//! Lists on standard output: the notations, the deviations.
//!
//! In: the registry of notations, the table of deviations. Out: Markdown tables; the description of one notation. Cost:
//! constant.

use std::fmt::Write as _;

use crate::chess::Position;
use crate::error::{Error, Result};
use crate::notation::{self, NOTATIONS, Notation};
use crate::pgn::deviation::RULES;
use crate::select;

use super::host::{Completion, Host};

/// `pgnmill notations`: the registry as a table, or the description of one notation.
pub(super) fn notations(name: Option<&str>, host: &dyn Host) -> Result<Completion> {
    let text = match name {
        None => table(),
        Some(name) => {
            let found = notation::find(name).ok_or_else(|| {
                Error::usage(format!("there is no notation {name}; `pgnmill notations` lists them"))
            })?;
            description(found)
        }
    };
    host.show(&text)?;
    Ok(Completion::of(true))
}

/// The registry as a table in Markdown, which docs/notations.md contains too.
pub(crate) fn table() -> String {
    let mut text =
        String::from("| notation | title | to read it | longest | rulesets | example |\n");
    text.push_str("|---|---|---|---|---|---|\n");
    for notation in NOTATIONS {
        let info = notation.info();
        let example = info.examples.last().map_or("", |example| example.2);
        let _ = writeln!(
            text,
            "| `{}` | {} | {} | {} | {} | `{example}` |",
            info.name,
            info.title,
            info.needs.words(),
            info.characters_max,
            notation::rulesets_in_words(*notation)
        );
    }
    text
}

fn description(notation: &dyn Notation) -> String {
    let info = notation.info();
    let mut text = String::new();
    let _ = writeln!(text, "{}: {}\n", info.name, info.title);
    let _ = writeln!(text, "{}\n", info.about);
    let _ = writeln!(text, "source      {}", info.source);
    let _ = writeln!(text, "alphabet    {}", info.alphabet);
    let _ =
        writeln!(text, "longest     {} characters, {} bytes", info.characters_max, info.bytes_max);
    let _ = writeln!(text, "to read it  {}", info.needs.words());
    let _ = writeln!(text, "rulesets    {}", notation::rulesets_in_words(notation));
    let check = if info.writes_check { "marked" } else { "not marked" };
    let _ = writeln!(text, "check       {check}");
    if !info.exceptions.is_empty() {
        let _ = writeln!(text, "exceptions  {}", info.exceptions);
    }
    let _ = writeln!(text, "\nexamples");
    for (fen, uci, written) in info.examples {
        let san = fen.parse::<Position>().ok().and_then(|position| {
            let mv = notation::UCI.read(uci.as_bytes(), &position).ok()?.mv;
            Some(notation::write(notation::SAN, &position, mv).to_string())
        });
        let san = san.unwrap_or_default();
        let _ = writeln!(text, "  {written:<10} SAN {san:<8} in {fen}");
    }
    text
}

/// `pgnmill deviations`: all rules with their classes in both profiles.
pub(super) fn deviations(host: &dyn Host) -> Result<Completion> {
    let mut text =
        String::from("| name | lenient | strict | example | source |\n|---|---|---|---|---|\n");
    for rule in RULES {
        let _ = writeln!(
            text,
            "| `{}` | {}{} | {} | {} | {} |",
            rule.name,
            rule.lenient.name(),
            if rule.lenient == crate::pgn::deviation::Class::Fault && rule.allowable {
                " (`--allow`)"
            } else {
                ""
            },
            rule.strict.name(),
            rule.example,
            rule.source
        );
    }
    host.show(&text)?;
    Ok(Completion::of(true))
}

/// `pgnmill fields`: the names of the language of `--where`.
pub(super) fn fields(host: &dyn Host) -> Result<Completion> {
    host.show(&select::list())?;
    Ok(Completion::of(true))
}

/// `pgnmill columns`: the columns of both tables of `export`.
#[cfg(feature = "export")]
pub(super) fn columns(host: &dyn Host) -> Result<Completion> {
    use crate::tasks::export::{Set, Table};
    let mut text = String::new();
    for table in [Table::Games, Table::Plies] {
        let _ = writeln!(text, "--table {}", table.name());
        for column in table.columns() {
            let set = match column.set {
                Set::HuggingFace => "hf",
                Set::Default => "default",
                Set::OptIn => "",
            };
            let (name, kind, doc) = (&column.name, column.kind.arrow_name(), &column.doc);
            let _ = writeln!(text, "  {name:<16} {set:<8} {kind:<18} {doc}");
        }
        text.push('\n');
    }
    let _ = writeln!(
        text,
        "hf: in --columns hf and default; default: in --columns default; the others: by name, or with all\n\
         --notation NAME adds the column moves_NAME of games, or NAME of plies"
    );
    host.show(&text)?;
    Ok(Completion::of(true))
}

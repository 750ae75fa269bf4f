//! Lists on standard output: the notations, the deviations, the fields of `--where`, the columns of `export`.
//!
//! In: the registries. Out: records as JSON or CSV; as text aligned columns on a terminal, and elsewhere the Markdown
//! tables that the documents contain; the rows that a word selects; the description of one notation. Cost: constant.

use std::fmt::Write as _;

use pgnmill_core::chess::Position;
use pgnmill_core::notation::{self, NOTATIONS, Notation};
use pgnmill_core::pgn::deviation::{Class, RULES};
use pgnmill_core::select::{self, FUNCTIONS, typed_tags};
use pgnmill_io::error::{Error, Result};
use serde_json::Value;

use super::comparison::Comparison;
use pgnmill_run::ListFormat;
use pgnmill_run::args::names::{self, find_notation};
use pgnmill_run::host::{Completion, Host, Stream};
use pgnmill_run::text::records::{Records, object};
use pgnmill_run::text::suggestion::{Known, unknown};
use pgnmill_run::text::terminal::lines_of;

/// The argument of all lists.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct ListArgs {
    /// The format on standard output: text, csv or json
    ///
    /// Text has aligned columns of the terminal's width on a terminal. csv and json have the same records: see
    /// docs/reference/terminal.md.
    #[arg(
        long = "format",
        value_enum,
        default_value = "text",
        value_name = "FORMAT",
        hide_possible_values = true
    )]
    pub(super) format: ListFormat,
}

/// The arguments of a list of which a word selects rows.
#[derive(Debug, clap::Args)]
pub(super) struct Rows {
    /// The row of this name, else the rows that contain the word: in their name, else anywhere
    #[arg(value_name = "NAME")]
    pub(super) name: Option<String>,
    #[command(flatten)]
    pub(super) list: ListArgs,
}

#[derive(Debug, clap::Args)]
pub(super) struct Notations {
    /// The notation to describe
    #[arg(value_name = "NAME", value_parser = names::a_notation(), hide_possible_values = true)]
    pub(super) name: Option<String>,
    /// Show a move in all notations: 'FEN|MOVE', or a MOVE from the starting position
    #[arg(long, value_name = "FEN|MOVE", conflicts_with = "name")]
    pub(super) compare: Option<String>,
    /// With --compare: the ruleset
    #[arg(
        long, value_name = "RULESET", default_value = "chess", requires = "compare",
        value_parser = names::a_ruleset(), hide_possible_values = true
    )]
    pub(super) rules: String,
    /// With --compare: the notation of MOVE; auto: the usual one of the ruleset, or UCI
    #[arg(
        long, value_name = "NOTATION", default_value = "auto", requires = "compare",
        value_parser = names::a_notation_or_auto(), hide_possible_values = true
    )]
    pub(super) from: String,
    #[command(flatten)]
    pub(super) list: ListArgs,
}

/// Shows records in a format: as text on a terminal these fields below their headings, elsewhere `text`.
fn show(
    records: &Records,
    format: ListFormat,
    headings: &[(&str, &str)],
    text: impl FnOnce() -> String,
    host: &dyn Host,
) -> Result<Completion> {
    let screen = host.screen(Stream::Output);
    host.show(&match (format, screen.columns) {
        (ListFormat::Json, _) => records.json(),
        (ListFormat::Csv, _) => records.csv()?,
        (ListFormat::Text, Some(columns)) => records.columns(headings, columns, screen),
        (ListFormat::Text, None) => text(),
    })?;
    Ok(Completion::of(true))
}

/// A list of which a word selects rows.
struct List<'l> {
    records: Records,
    /// What a row describes.
    what: &'static str,
    /// The command that lists them.
    command: &'static str,
    headings: &'l [(&'l str, &'l str)],
}

impl List<'_> {
    /// Shows all rows, elsewhere than on a terminal as `text`, or those that a word selects.
    fn show(
        mut self,
        args: &Rows,
        text: impl FnOnce() -> String,
        host: &dyn Host,
    ) -> Result<Completion> {
        let Some(word) = &args.name else {
            return show(&self.records, args.list.format, self.headings, text, host);
        };
        self.select(word)?;
        let List { records, headings, .. } = self;
        let screen = host.screen(Stream::Output);
        let columns = screen.columns.unwrap_or(COMPARE_COLUMNS);
        let text = || records.columns(headings, columns, screen);
        show(&records, args.list.format, headings, text, host)
    }

    /// Keeps the rows of this name, else those with the word in their name, else those with it in any text.
    fn select(&mut self, word: &str) -> Result<()> {
        let wanted = word.to_lowercase();
        let records = &mut self.records;
        let names = records.texts_of("name");
        let is_name = |name: &str| name.to_lowercase() == wanted;
        let contains = |text: &str| text.to_lowercase().contains(&wanted);
        let is_found = !wanted.is_empty()
            && (records.keep(&["name"], is_name)
                || records.keep(&["name"], contains)
                || records.keep(&[], contains));
        if is_found {
            return Ok(());
        }
        let known: Vec<Known> = names.into_iter().map(|name| (name, String::new())).collect();
        let list = format!("`pgnmill {}` lists all {}", self.command, known.len());
        Err(unknown(self.what, word, &known, &list))
    }
}

/// `pgnmill notations`: the registry, the description of one notation, or a move in all of them.
pub(super) fn notations(args: &Notations, host: &dyn Host) -> Result<Completion> {
    let format = args.list.format;
    if let Some(text) = &args.compare {
        return compare(&Comparison::of(text, &args.rules, &args.from)?, format, host);
    }
    let Some(name) = &args.name else {
        let headings = [
            ("name", "notation"),
            ("title", "title"),
            ("needs", "to read it"),
            ("characters_max", "longest"),
            ("rulesets", "rulesets"),
            ("example", "example"),
        ];
        return show(&notation_records(NOTATIONS), format, &headings, table, host);
    };
    let found = find_notation(name).map_err(|error| {
        match Comparison::of(name, &args.rules, &args.from).is_ok() {
            true => Error::usage(format!(
                "{error}; `pgnmill notations --compare {name}` writes this move in all of them"
            )),
            false => error,
        }
    })?;
    let records = notation_records(&[found]);
    host.show(&match format {
        ListFormat::Text => description(found),
        ListFormat::Csv => records.csv()?,
        ListFormat::Json => records.json_object(),
    })?;
    Ok(Completion::of(true))
}

/// The records of notations.
fn notation_records(notations: &[&dyn Notation]) -> Records {
    let mut records = Records::of(&[
        "name",
        "title",
        "needs",
        "characters_max",
        "bytes_max",
        "writes_check",
        "rulesets",
        "example",
        "alphabet",
        "exceptions",
        "about",
        "source",
    ]);
    for notation in notations {
        let info = notation.info();
        records.add([
            info.name.into(),
            info.title.into(),
            info.needs.words().into(),
            info.characters_max.into(),
            info.bytes_max.into(),
            info.writes_check.into(),
            notation::rulesets_in_words(*notation).into(),
            info.examples.last().map_or("", |example| example.2).into(),
            info.alphabet.into(),
            info.exceptions.into(),
            info.about.into(),
            info.source.into(),
        ]);
    }
    records
}

/// A move in all notations.
fn compare(comparison: &Comparison, format: ListFormat, host: &dyn Host) -> Result<Completion> {
    let mut records = Records::of(&["notation", "text", "characters", "bytes", "title", "reason"]);
    for (notation, text) in &comparison.texts {
        let info = notation.info();
        let (length, reason) = match text {
            Ok(text) => ([text.chars().count().into(), text.len().into()], Value::Null),
            Err(reason) => ([Value::Null, Value::Null], (*reason).into()),
        };
        let [characters, bytes] = length;
        let text = text.as_ref().map_or(Value::Null, |text| text.as_str().into());
        records.add([info.name.into(), text, characters, bytes, info.title.into(), reason]);
    }
    let Comparison { rules, fen, usual, .. } = comparison;
    let screen = host.screen(Stream::Output);
    host.show(&match format {
        ListFormat::Csv => records.csv()?,
        ListFormat::Json => {
            let values = [rules.name(), fen.as_str(), usual.as_str()].map(Value::from);
            let begin = object(&["rules", "fen", "move"], &values);
            let begin = begin.trim_end_matches('}');
            format!("{begin},\"notations\":{}}}\n", records.json().trim_end())
        }
        ListFormat::Text => {
            let headings = [
                ("notation", "notation"),
                ("text", "text"),
                ("characters", "length"),
                ("title", "title"),
                ("reason", "no text because it"),
            ];
            let columns = screen.columns.unwrap_or(COMPARE_COLUMNS);
            let heading = format!("{usual} in {fen}, {}", rules.title());
            let heading = lines_of(&heading, columns).join("\n") + "\n\n";
            heading + &records.columns(&headings, columns, screen)
        }
    })?;
    Ok(Completion::of(true))
}

/// The width of a comparison, and of rows that a word selects, in a file or a pipe.
const COMPARE_COLUMNS: usize = 100;

/// The registry as a table in Markdown, which docs/reference/notations.md contains too.
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
pub(super) fn deviations(args: &Rows, host: &dyn Host) -> Result<Completion> {
    let mut records = Records::of(&["name", "lenient", "strict", "allowable", "example", "source"]);
    let mut text =
        String::from("| name | lenient | strict | example | source |\n|---|---|---|---|---|\n");
    for rule in RULES {
        let is_allowable = rule.lenient == Class::Fault && rule.allowable;
        let (lenient, strict) = (rule.lenient.name(), rule.strict.name());
        let allowed = if is_allowable { " (`--allow`)" } else { "" };
        let (name, example, source) = (rule.name, rule.example, rule.source);
        let _ =
            writeln!(text, "| `{name}` | {lenient}{allowed} | {strict} | {example} | {source} |");
        let classes = [lenient, strict].map(Value::from);
        let [lenient, strict] = classes;
        let (allowable, example) = (is_allowable.into(), example.into());
        records.add([name.into(), lenient, strict, allowable, example, source.into()]);
    }
    let headings = &["name", "lenient", "strict", "example", "source"].map(|name| (name, name));
    let list = List { records, what: "deviation", command: "deviations", headings };
    list.show(args, || text, host)
}

/// `pgnmill fields`: the names of the language of `--where`.
pub(super) fn fields(args: &Rows, host: &dyn Host) -> Result<Completion> {
    let mut records = Records::of(&["name", "type", "reads", "meaning"]);
    for (name, kind) in typed_tags() {
        let meaning = format!("the tag pair {name}");
        records.add([name.into(), kind.name().into(), "tags".into(), meaning.into()]);
    }
    for field in select::fields().chain(FUNCTIONS.iter().cloned()) {
        let meaning = field.doc.replace('`', "");
        let (kind, cost) = (field.kind.name(), field.cost.name());
        records.add([field.name.into(), kind.into(), cost.into(), meaning.into()]);
    }
    let headings = &["name", "type", "reads", "meaning"].map(|name| (name, name));
    let list = List { records, what: "field", command: "fields", headings };
    list.show(args, select::list, host)
}

/// `pgnmill columns`: the columns of both tables of `export`.
#[cfg(feature = "columns")]
pub(super) fn columns(args: &Rows, host: &dyn Host) -> Result<Completion> {
    use pgnmill_columns::{Set, Table};
    let mut records = Records::of(&["table", "name", "set", "type", "meaning"]);
    let mut text = String::new();
    for table in [Table::Games, Table::Plies] {
        let _ = writeln!(text, "--table {}", table.name());
        for column in table.columns() {
            let set = match column.set {
                Set::HuggingFaceAlone => "only hf",
                Set::HuggingFace => "hf",
                Set::Default => "default",
                Set::OptIn => "",
            };
            let (name, kind, doc) = (&column.name, column.kind.arrow_name(), &column.doc);
            let _ = writeln!(text, "  {name:<20} {set:<8} {kind:<18} {doc}");
            let (name, kind, doc) = (name.to_string(), kind.to_string(), doc.to_string());
            records.add([table.name().into(), name.into(), set.into(), kind.into(), doc.into()]);
        }
        text.push('\n');
    }
    let sets = "hf: in --columns hf and default (only hf: not in default); default: in --columns default; the others: by name, or \
         with all\n\
         --notation NAME adds the column moves_NAME of games, or NAME of plies\n";
    text += sets;
    let headings = &["table", "name", "set", "type", "meaning"].map(|name| (name, name));
    let list = List { records, what: "column", command: "columns", headings };
    list.show(args, || text, host)
}

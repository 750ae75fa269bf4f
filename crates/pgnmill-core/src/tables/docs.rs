//! The descriptions of the tables in `docs/reference/tables.md`, from their declarations.
//!
//! Output: blocks of Markdown, each with the name of the block, which the page has as `<!-- NAME -->` before and
//! `<!-- /NAME -->` after it. Everything between is generated; everything else in the page is written by hand. A test
//! (`tests/tasks/tables.rs`) compares the page with the declarations.

use std::fmt::{self, Write as _};

use super::schema::{Kind, Merging, Role, Schema, Written};
use super::summary::{self, Known};
use super::{Dimension, Product, all, by, facts, se, standardised};

/// The name of the block that describes the tables by dimension.
const BY: &str = "by_DIMENSION.csv";

/// The name of the block that describes the tables of standard errors by dimension.
const SE: &str = "se_DIMENSION.csv";

/// The name of the block that describes the tables of products.
const CROSSED: &str = "cross_A_by_B.csv";

/// The name of the block that describes the standardised tables.
const STANDARDISED: &str = "standardised_DIMENSION.csv";

/// The table of a product that stands for those of all.
fn example_of_products() -> Option<&'static Schema> {
    Product::of(&[Dimension::Phase, Dimension::Length]).ok().map(Product::schema)
}

/// The blocks: name and Markdown.
pub fn blocks() -> Vec<(String, String)> {
    let mut blocks = vec![("tables".to_string(), index())];
    for schema in singles() {
        blocks.push((schema.file.to_string(), table(schema)));
    }
    blocks.push((BY.to_string(), table(&by::SCHEMAS[0])));
    blocks.push((SE.to_string(), table(&se::SCHEMAS[0])));
    blocks.extend(example_of_products().map(|it| (CROSSED.to_string(), table(it))));
    blocks.extend(standardised::SCHEMAS.first().map(|it| (STANDARDISED.to_string(), table(it))));
    let of_plies = |is_of_plies: bool| {
        Dimension::ALL.into_iter().filter(move |dimension| dimension.is_of_plies() == is_of_plies)
    };
    blocks.push(("dimensions of plies".to_string(), dimensions(of_plies(true))));
    blocks.push(("dimensions of games".to_string(), dimensions(of_plies(false))));
    blocks.push(("facts".to_string(), list_of_facts()));
    let keys = || summary::KEYS.iter().copied();
    let in_all = keys().filter(|key| !key.measured).chain([
        summary::OF_DEVIATIONS,
        summary::OF_VALUES,
        summary::OF_FAILURES,
    ]);
    blocks.push(("keys of summary.csv".to_string(), keys_of_summary(in_all)));
    let measured = keys().filter(|key| key.measured);
    blocks.push(("keys of a measurement".to_string(), keys_of_summary(measured)));
    blocks
}

/// A block that the page does not have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MissingBlock {
    /// Its name.
    pub name: String,
}

impl fmt::Display for MissingBlock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MissingBlock { name } = self;
        write!(f, "the page has no <!-- {name} --> that ends with <!-- /{name} -->")
    }
}

impl std::error::Error for MissingBlock {}

/// The page with current blocks.
///
/// # Errors
/// The first block that the page does not have.
pub fn updated(page: &str) -> Result<String, MissingBlock> {
    replaced(page, blocks())
}

/// A page with these blocks instead of its own.
///
/// # Errors
/// The first block that the page does not have.
pub fn replaced(page: &str, blocks: Vec<(String, String)>) -> Result<String, MissingBlock> {
    blocks.into_iter().try_fold(page.to_string(), |page, (name, block)| {
        let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
        let between = page
            .split_once(&open)
            .and_then(|(before, rest)| rest.split_once(&close).map(|(_, after)| (before, after)));
        let (before, after) = between.ok_or(MissingBlock { name })?;
        Ok(format!("{before}{open}\n{block}\n{close}{after}"))
    })
}

/// The tables that have a block of their own.
fn singles() -> impl Iterator<Item = &'static Schema> {
    all().filter(|schema| !is_by(schema))
}

/// Is it one of the tables by dimension?
fn is_by(schema: &Schema) -> bool {
    let all = by::SCHEMAS.iter().chain(&se::SCHEMAS).chain(standardised::SCHEMAS.iter());
    all.into_iter().any(|other| other.file == schema.file)
}

/// All tables: what writes them, and how those of several runs become one.
fn index() -> String {
    let mut text = String::from("| table | written by | rows | merged |\n|---|---|---|---|\n");
    let (by_ply, se_by_ply) = (by::SCHEMAS[0].file, se::SCHEMAS[0].file);
    for schema in all() {
        match schema.file {
            file if file == se_by_ply => row(&mut text, SE, schema),
            file if file == by_ply => {
                row(&mut text, file, schema);
                row(&mut text, BY, &by::SCHEMAS[1]);
                example_of_products().into_iter().for_each(|it| row(&mut text, CROSSED, it));
                let standardised = standardised::SCHEMAS.first();
                standardised.into_iter().for_each(|it| row(&mut text, STANDARDISED, it));
            }
            file if !is_by(schema) => row(&mut text, file, schema),
            _ => {}
        }
    }
    text
}

fn row(text: &mut String, file: &str, schema: &Schema) {
    let written = match schema.written {
        Written::Always => "`measure`",
        Written::By => "`measure --by DIMENSION,...`",
        Written::Crossed => "`measure --by A*B,...`",
        Written::Standardised => "`measure --by DIMENSION*phase*length`",
        Written::PerGame => "`measure --per-game`",
        Written::BySource => "`measure --by source`",
        Written::Cluster => "`measure --cluster`",
        Written::ClusterBy => "`measure --cluster --by DIMENSION,...`",
        Written::ClusterEvents => "`measure --cluster event --by DIMENSION,...`",
        Written::Entropy => "`measure --entropy`",
        Written::Compress => "`measure --compress`",
        Written::Orders => "`measure --order`",
        Written::Codes => "`measure --codes`",
        Written::Errors => "`measure --errors`",
        Written::Writing => "`measure --writing`",
        Written::Tokens => "`measure --tokens`",
        Written::Summary => "`measure` and `duplicates`; `--summary` of the other commands",
        Written::Faults => "`--faults`",
        Written::Notes => "`--notes`",
        Written::Split => "`measure --split`; `--ledger` of the other commands",
        Written::Duplicates => "`duplicates`",
        Written::Stats => "`stats -o`",
    };
    let merged = match schema.merging {
        Merging::Add { .. } | Merging::Count => "rows of equal keys are added",
        Merging::Compute => "computed anew from the other tables",
        Merging::Append => "rows follow each other",
        Merging::Ledger => "rows of different splits; the splits must be those of whole archives",
        Merging::OfSplits => "of splits: rows follow each other",
        Merging::Never => "no",
    };
    let purpose = schema.purpose.trim_end_matches('.');
    let _ = writeln!(text, "| `{file}` | {written} | {purpose} | {merged} |");
}

/// The purpose of a table and its columns.
fn table(schema: &Schema) -> String {
    let mut text = format!("{}\n\n", schema.purpose);
    text.push_str("| column | role | type | unit | meaning |\n|---|---|---|---|---|\n");
    for column in schema.columns {
        let role = match column.role {
            Role::Key(_) => "key",
            Role::Sum => "sum",
            Role::Least => "least",
            Role::Greatest => "greatest",
            Role::Derived => "derived",
            Role::Value => "value",
        };
        let kind = match column.kind {
            Kind::Text => "text".to_string(),
            Kind::Count => "integer".to_string(),
            Kind::Decimal(digits) => format!("{digits} decimals"),
        };
        let (name, unit, doc) = (column.name, column.unit, column.doc);
        let _ = writeln!(text, "| `{name}` | {role} | {kind} | {unit} | {doc} |");
    }
    text
}

fn dimensions(dimensions: impl Iterator<Item = Dimension>) -> String {
    let mut text = String::from("| dimension | table | groups |\n|---|---|---|\n");
    for dimension in dimensions {
        let (name, file, doc) = (dimension.name(), dimension.file(), dimension.doc());
        let _ = writeln!(text, "| `{name}` | `{file}` | {doc} |");
    }
    text
}

fn list_of_facts() -> String {
    let mut text = String::from("| fact | unit | holds where | of |\n|---|---|---|---|\n");
    for (name, unit, holds, of) in facts::MEANINGS {
        let _ = writeln!(text, "| `{name}` | {unit} | {holds} | {of} |");
    }
    text
}

fn keys_of_summary(keys: impl Iterator<Item = Known>) -> String {
    let mut text = String::from("| key | unit | meaning |\n|---|---|---|\n");
    for Known { name, unit, doc, .. } in keys {
        let _ = writeln!(text, "| `{name}` | {unit} | {doc} |");
    }
    text
}

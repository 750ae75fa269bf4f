//! `pgnmill explore`: what was played in a position, of a table that `positions` has written.
//!
//! In: a table or a book, a position as a record or as the moves that lead to it. Out: its moves, or a tree of them,
//! for people or as records; the end is clean if the position is in the table. Cost: a look-up in the table, and one
//! more for each ply of a tree.
//!
//! ```text
//! POSITION ──► AskedPosition ──► Tree (PositionTable, level by level) ──► page, or records
//! ```

mod asked_position;
mod game_shares;
mod page;
mod record;
mod tree;

use std::path::{Path, PathBuf};

use pgnmill_columns::PositionTable;
use pgnmill_io::error::{Error, Result, Shown as _};
use pgnmill_run::ListFormat;
use pgnmill_run::args::names::{self, find_notation, find_rules};
use pgnmill_run::host::{Completion, Host, Stream};
use pgnmill_run::text::terminal::COLUMNS;

use super::listing::ListArgs;
use asked_position::AskedPosition;
use page::Page;
use tree::{Tree, TreeRequest};

/// Lines of a tree, at most.
const LINES_MAX: usize = 2_000;

/// The share of the games, in percent, that a move of a tree has, where none is given.
const SHARE_MIN: f64 = 1.0;

/// Reads a share of the games, in percent.
fn share(text: &str) -> Result<f64, &'static str> {
    let number = text.strip_suffix('%').unwrap_or(text).parse();
    let share = number.ok().filter(|share| (0.0..=100.0).contains(share));
    share.ok_or("a number of percent, 0 to 100")
}

#[derive(Debug, clap::Args)]
pub(super) struct Explore {
    /// The table: a file that `pgnmill positions` has written, or a Polyglot book
    #[arg(value_name = "TABLE")]
    pub(super) table: PathBuf,
    /// The position: a FEN record, or the moves that lead to it; by default that of the start
    #[arg(value_name = "POSITION")]
    pub(super) position: Vec<String>,
    /// Show a tree of so many plies
    #[arg(
        long, value_name = "PLIES",
        value_parser = clap::value_parser!(u32).range(1..)
    )]
    pub(super) depth: Option<u32>,
    /// With --depth: the moves that at least so many percent of the games of the position play [default: 1]
    #[arg(long, value_name = "PERCENT", requires = "depth", value_parser = share)]
    pub(super) share: Option<f64>,
    /// The notation of moves in POSITION; auto: the usual one of the ruleset, or UCI
    #[arg(
        long, value_name = "NOTATION", default_value = "auto", help_heading = "How moves are read",
        value_parser = names::a_notation_or_auto(), hide_possible_values = true
    )]
    pub(super) from: String,
    /// The ruleset of the position
    #[arg(
        long, value_name = "RULESET", default_value = "chess", help_heading = "How moves are read",
        value_parser = names::a_ruleset(), hide_possible_values = true
    )]
    pub(super) rules: String,
    #[command(flatten)]
    pub(super) list: ListArgs,
}

/// Runs the command; the end is clean if the position is in the table.
pub(super) fn explore(args: &Explore, host: &dyn Host) -> Result<Completion> {
    let rules = find_rules(&args.rules)?;
    let from = match args.from.as_str() {
        "auto" => None,
        name => Some(find_notation(name)?),
    };
    if args.table == Path::new("-") {
        return Err(Error::usage("a table is read at several places: name a file, not -"));
    }
    let asked = AskedPosition::of(&args.position.join(" "), rules, from)?;
    let table = PositionTable::open(&args.table)?;
    if table.is_book() && asked.position.chess().is_none() {
        let title = asked.position.rules().title();
        return Err(Error::usage(format!(
            "a Polyglot book has positions of chess and Chess960 alone, not of {title}"
        )));
    }
    let request = TreeRequest {
        depth: args.depth.unwrap_or(1),
        share_min: match args.depth {
            Some(_) => args.share.unwrap_or(SHARE_MIN),
            None => 0.0,
        },
        lines_max: if args.depth.is_some() { LINES_MAX } else { usize::MAX },
    };
    let tree = Tree::read(&table, &asked.position, request, host.stop())?;
    let is_found = tree.games > 0 || !tree.nodes.is_empty();
    let screen = host.screen(Stream::Output);
    let shown = args.table.shown();
    match args.list.format {
        ListFormat::Text => {
            let columns = screen.columns.unwrap_or(COLUMNS).clamp(20, COLUMNS);
            let table = shown.to_string();
            let is_tree = args.depth.is_some();
            let page = Page { asked: &asked, tree: &tree, table: &table, is_tree, screen, columns };
            host.show(&page.text())?;
        }
        format => {
            let records = record::records(&asked, &tree);
            host.show(&match format {
                ListFormat::Csv => records.csv()?,
                _ => records.json(),
            })?;
            if !is_found {
                host.warn(format_args!("the position is not in {shown}"));
            }
        }
    }
    Ok(Completion::of(is_found))
}

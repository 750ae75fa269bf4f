//! `pgnmill explore`: what was played in a position, of a table that `positions` has written.
//!
//! In: a table or a book, a position as a record or as the moves that lead to it. Out: its moves, or a tree of them,
//! for people or as records; the end is clean if the position is in the table. Cost: a look-up in the table, and one
//! more for each ply of a tree.
//!
//! ```text
//! words ──► Explore (pgnmill-run) ──► Explored ──► page, or records
//! ```

mod game_shares;
mod page;

use std::path::{Path, PathBuf};
use std::str::FromStr as _;

use pgnmill_io::error::{Error, Result, Shown as _};
use pgnmill_run::args::names::{self, find_notation, find_rules};
use pgnmill_run::explore::{Explore, Explored};
use pgnmill_run::host::{Completion, Host, Stream};
use pgnmill_run::text::terminal::COLUMNS;
use pgnmill_run::{ListFormat, Screen, Share};

use super::listing::ListArgs;
use page::Page;

#[derive(Debug, clap::Args)]
pub(super) struct ExploreArgs {
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
    #[arg(long, value_name = "PERCENT", requires = "depth", value_parser = Share::from_str)]
    pub(super) share: Option<Share>,
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
pub(super) fn explore(args: &ExploreArgs, host: &dyn Host) -> Result<Completion> {
    let rules = find_rules(&args.rules)?;
    let from = match args.from.as_str() {
        "auto" => None,
        name => Some(find_notation(name)?),
    };
    if args.table == Path::new("-") {
        return Err(Error::usage("a table is read at several places: name a file, not -"));
    }
    let explore = Explore {
        from,
        rules,
        depth: args.depth,
        share: args.share.map(|share| share.0),
        ..Explore::new(&args.table, args.position.join(" "))
    };
    let explored = explore.answer(host.stop())?;
    let shown = args.table.shown();
    match args.list.format {
        ListFormat::Text => {
            let screen = host.screen(Stream::Output);
            host.show(&page_of(&explored, &shown.to_string(), screen))?;
        }
        format => {
            let records = explored.records();
            host.show(&match format {
                ListFormat::Csv => records.csv()?,
                _ => records.json(),
            })?;
            if !explored.is_found() {
                host.warn(format_args!("the position is not in {shown}"));
            }
        }
    }
    Ok(Completion::of(explored.is_found()))
}

/// What was played in a position, for people: the page of `explore`. `table`: its name.
pub fn page_of(explored: &Explored, table: &str, screen: Screen) -> String {
    let columns = screen.columns.unwrap_or(COLUMNS).clamp(20, COLUMNS);
    Page { explored, table, screen, columns }.text()
}

//! `report`: a page with the tables of a measurement, or of a table of positions.
//!
//! In: a directory of tables, or a table. Out: an HTML or Markdown file, and with `--figures` an SVG file for each
//! figure. Invariants: an error in the tables is reported before an output is created; page and figures are published
//! together. Cost: one read of the tables; of a table of positions that of its look-up.

#[cfg(feature = "columns")]
mod positions;
mod source;

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr as _;
use std::sync::Arc;

use pgnmill_io::error::{Error, Result, Shown as _};
use pgnmill_io::sink::{FileKey, NewDirectories, Reservation, input_keys, publish_all};
use pgnmill_report::{Format, PLIES_MAX, Report as Page};

use crate::args::names;
use crate::args::options::{defaults, displayed, options};
use crate::args::output_path;
use crate::args::values::Share;
use crate::host::{self, Completion, Host};
use crate::plan::distinct::{distinct_files, warn_of_left_overs};

use source::Source;

displayed! {
    Share, Share::EXPECTED, |text: &str| text.parse().ok();
}

/// Reads a number of plies.
fn plies(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|plies| (1..=PLIES_MAX as usize).contains(plies));
    number.ok_or_else(|| format!("a number of plies, 1 to {PLIES_MAX}"))
}

/// Writes a page with the tables of a measurement or of `stats`, or of a table of positions.
#[derive(Debug, clap::Args)]
pub struct Report {
    /// The directory of the tables, or a table that `pgnmill positions` has written
    #[arg(value_name = "TABLES", value_hint = clap::ValueHint::AnyPath)]
    pub tables: PathBuf,
    /// The output: HTML, or Markdown if it ends in .md, or - for standard output
    ///
    /// Without it report.html, or standard output if that is a file or a pipe: `pgnmill report tables > x.html`.
    #[arg(long, short, value_name = "FILE", default_value = "report.html")]
    pub output: PathBuf,
    /// The name of the file that standard output is, if it is one: of it an output named `-` has the format.
    #[arg(skip)]
    pub stdout_name: Option<PathBuf>,
    /// Also write each figure as an SVG file to this directory; Markdown then shows them
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub figures: Option<PathBuf>,
    /// Also compare with what the documents that describe the 'Economical' notations claim
    #[arg(long)]
    pub study: bool,
    /// The position: a FEN record, or the moves that lead to it; by default that of the start
    #[arg(long, value_name = "POSITION", help_heading = OF_POSITIONS)]
    pub position: Option<String>,
    /// The plies of the tree of moves [default: 4]
    #[arg(long, value_name = "PLIES", value_parser = plies, help_heading = OF_POSITIONS)]
    pub depth: Option<usize>,
    /// The tree has the moves that at least so many percent of the games of the position play [default: 1]
    #[arg(long, value_name = "PERCENT", value_parser = Share::from_str, help_heading = OF_POSITIONS)]
    pub share: Option<Share>,
    /// The notation of moves in --position; auto: the usual one of the ruleset, or UCI [default: auto]
    #[arg(
        long, value_name = "NOTATION", help_heading = OF_POSITIONS,
        value_parser = names::a_notation_or_auto(), hide_possible_values = true
    )]
    pub from: Option<String>,
    /// The ruleset of the position [default: chess]
    #[arg(
        long, value_name = "RULESET", help_heading = OF_POSITIONS,
        value_parser = names::a_ruleset(), hide_possible_values = true
    )]
    pub rules: Option<String>,
    /// Replace existing outputs
    #[arg(long)]
    pub overwrite: bool,
}

options!(Report:
    tables output figures study position depth share from rules; without overwrite; not stdout_name);

/// The heading of the options that belong to tables of positions.
const OF_POSITIONS: &str = "Of a table of positions";

impl Report {
    /// Examples of its help: what a command does, and the command.
    pub(crate) const EXAMPLES: &[(&str, &str)] = &[
        ("A page for a browser", "pgnmill report january/ -o report.html"),
        (
            "An opening explorer of your own games",
            "pgnmill positions -o own.parquet games.pgn && pgnmill report own.parquet -o explorer.html",
        ),
        (
            "Markdown, with figures beside it",
            "pgnmill report january/ --figures figures/ -o page.md",
        ),
    ];

    /// The directory of the tables; the other fields have the defaults of the command line.
    pub fn new(tables: impl Into<PathBuf>) -> Report {
        let mut request: Report = defaults();
        request.tables = tables.into();
        request
    }

    /// Runs it.
    ///
    /// # Errors
    /// What the request cannot have; what ends the run.
    pub fn run(self, host: &Arc<dyn Host>) -> Result<Completion> {
        report(&self, &**host)
    }
}

fn report(args: &Report, host: &dyn Host) -> Result<Completion> {
    let Contents { page: report, read, is_found } = Contents::of(args, host)?;
    let name = match &args.stdout_name {
        Some(name) if args.output == Path::new("-") => name,
        _ => &args.output,
    };
    let page = match (Format::of(name), &args.figures) {
        (Format::Markdown, Some(directory)) => {
            report.markdown_with_figures(&folder(directory, &args.output)?)
        }
        (format, _) => report.write(format),
    };
    output_path::check("report", &args.output, output_path::Written::Page)?;
    if let Some(directory) = &args.figures {
        output_path::check("--figures", directory, output_path::Written::Directory)?;
    }
    // The page is published last: it links to the figures.
    let mut written: Vec<(PathBuf, String)> = Vec::new();
    if let Some(directory) = &args.figures {
        let figures = report.figures().into_iter();
        written.extend(figures.map(|figure| (directory.join(figure.name), figure.svg)));
    }
    written.push((args.output.clone(), page));
    let directories = args.figures.as_deref().map(NewDirectories::create).transpose()?;
    let paths: Vec<PathBuf> = written.iter().map(|(path, _)| path.clone()).collect();
    let outputs: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    distinct_files(&outputs, &read)?;
    warn_of_left_overs(&outputs, &read, host);
    let reserved = Reservation::all(&paths, args.overwrite)?;
    let mut sinks = Vec::with_capacity(reserved.len());
    for (reservation, (_, text)) in reserved.into_iter().zip(&written) {
        let mut sink = host::output(host, reservation).open()?;
        sink.add(text.as_bytes())?;
        sinks.push(sink);
    }
    publish_all(sinks)?;
    directories.into_iter().for_each(NewDirectories::keep);
    crate::report::written::print(&paths, host);
    Ok(Completion::of(is_found))
}

/// What is written.
struct Contents {
    page: Page,
    /// The files that were read.
    read: HashSet<FileKey>,
    /// Is the position in the table? Of a measurement always.
    is_found: bool,
}

impl Contents {
    fn of(args: &Report, host: &dyn Host) -> Result<Contents> {
        match Source::of(&args.tables)? {
            Source::Positions => Contents::of_positions(args, host),
            Source::Directory => Contents::of_directory(args),
        }
    }

    fn of_directory(args: &Report) -> Result<Contents> {
        let given = [
            ("--position", args.position.is_some()),
            ("--depth", args.depth.is_some()),
            ("--share", args.share.is_some()),
            ("--from", args.from.is_some()),
            ("--rules", args.rules.is_some()),
        ];
        if let Some((name, _)) = given.into_iter().find(|(_, is_given)| *is_given) {
            let path = args.tables.shown();
            return Err(Error::usage(format!(
                "{name} is of a table that `pgnmill positions` has written: {path} is none"
            )));
        }
        let page = match args.study {
            true => Page::read_with_claims(&args.tables)?,
            false => Page::read(&args.tables)?,
        };
        let tables = std::fs::read_dir(&args.tables).into_iter().flatten().flatten();
        let tables = tables.map(|entry| entry.path());
        let tables = tables.filter(|path| path.extension().is_some_and(|ending| ending == "csv"));
        let read = tables.flat_map(|path| input_keys(&path)).collect();
        Ok(Contents { page, read, is_found: true })
    }

    #[cfg(feature = "columns")]
    fn of_positions(args: &Report, host: &dyn Host) -> Result<Contents> {
        if args.study {
            let path = args.tables.shown();
            return Err(Error::usage(format!(
                "--study is of the tables of a measurement, which are in a directory: {path} is a file"
            )));
        }
        let explorer = positions::explorer(args, host)?;
        let read = input_keys(&args.tables).into_iter().collect();
        let is_found = !explorer.moves.is_empty();
        Ok(Contents { page: Page::of_positions(&explorer), read, is_found })
    }

    #[cfg(not(feature = "columns"))]
    fn of_positions(args: &Report, _: &dyn Host) -> Result<Contents> {
        let path = args.tables.shown();
        let why = "this program was built without columns, and reads no tables of positions";
        Err(Error::usage(format!("{path}: {why}")))
    }
}

/// How links of a page name a directory, with a slash at the end: from the directory of the page, or from the current
/// one if the page is written to standard output.
fn folder(directory: &Path, page: &Path) -> Result<String> {
    let absolute =
        |path: &Path| std::path::absolute(path).map_err(|error| Error::io("find", path, error));
    let base = match page.parent() {
        Some(parent) if page != Path::new("-") => absolute(&Path::new(".").join(parent))?,
        _ => absolute(Path::new("."))?,
    };
    let target = absolute(directory)?;
    let (target, base) = (plain(&target), plain(&base));
    let same = target.iter().zip(&base).take_while(|(one, other)| one == other).count();
    let mut links = "../".repeat(base.len() - same);
    for name in &target[same..] {
        links.push_str(&name.to_string_lossy());
        links.push('/');
    }
    Ok(links)
}

/// The names in a path, without those that `..` takes back.
fn plain(path: &Path) -> Vec<&std::ffi::OsStr> {
    let mut names = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => names.push(name),
            Component::ParentDir => drop(names.pop()),
            _ => {}
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_from_the_page_to_its_figures() {
        let link =
            |directory: &str, page: &str| folder(Path::new(directory), Path::new(page)).unwrap();
        assert_eq!(link("figures", "study.md"), "figures/");
        assert_eq!(link("docs/figures", "docs/study.md"), "figures/");
        assert_eq!(link("figures", "docs/study.md"), "../figures/");
        assert_eq!(link("a/../docs/figures", "./docs/study.md"), "figures/");
        assert_eq!(link("docs", "docs/study.md"), "");
        assert_eq!(link("/x/figures", "/x/docs/study.md"), "../figures/");
        assert_eq!(link("figures", "-"), "figures/");
    }
}

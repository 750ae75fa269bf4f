//! `report`: a page with the tables of a measurement.
//!
//! In: a directory of tables. Out: an HTML or Markdown file, and with `--figures` an SVG file for each figure.
//! Invariants: an error in the tables is reported before an output is created; page and figures are published together.
//! Cost: one read of the tables.

use std::collections::HashSet;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use pgnmill_io::error::{Error, Result};
use pgnmill_io::sink::{FileKey, NewDirectories, Reservation, input_keys, publish_all};
use pgnmill_report::{Format, Report as Page};

use crate::args::options::{defaults, options};
use crate::args::output_path;
use crate::host::{self, Completion, Host};
use crate::plan::distinct::{distinct_files, warn_of_left_overs};

/// Writes a page with the tables of a measurement, or of `stats`.
#[derive(Debug, clap::Args)]
pub struct Report {
    /// The directory of the tables
    #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
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
    /// Replace existing outputs
    #[arg(long)]
    pub overwrite: bool,
}

options!(Report: tables output figures study; without overwrite; not stdout_name);

impl Report {
    /// Examples of its help: what a command does, and the command.
    pub(crate) const EXAMPLES: &[(&str, &str)] = &[
        ("A page for a browser", "pgnmill report january/ -o report.html"),
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
    let report = match args.study {
        true => Page::read_with_claims(&args.tables)?,
        false => Page::read(&args.tables)?,
    };
    let tables = std::fs::read_dir(&args.tables).into_iter().flatten().flatten();
    let tables = tables.map(|entry| entry.path());
    let tables = tables.filter(|path| path.extension().is_some_and(|ending| ending == "csv"));
    let read: HashSet<FileKey> = tables.flat_map(|path| input_keys(&path)).collect();
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
    Ok(Completion::of(true))
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

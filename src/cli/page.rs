//! `report`: a page with the tables of a measurement.
//!
//! In: a directory of tables. Out: an HTML or Markdown file. Invariant: an error in the tables is reported before the
//! output is created. Cost: one read of the tables.

use std::collections::HashSet;

use crate::error::Result;
use crate::report::{Format, Report};
use crate::sink::{FileKey, Reservation, input_keys};

use super::args;
use super::distinct::{distinct_files, warn_of_left_overs};
use super::host::{self, Completion, Host};
use super::output_path;

pub(super) fn report(args: &args::Report, host: &dyn Host) -> Result<Completion> {
    let report = Report::read(&args.tables)?;
    let tables = std::fs::read_dir(&args.tables).into_iter().flatten().flatten();
    let tables = tables.map(|entry| entry.path());
    let tables = tables.filter(|path| path.extension().is_some_and(|ending| ending == "csv"));
    let read: HashSet<FileKey> = tables.flat_map(|path| input_keys(&path)).collect();
    distinct_files(&[&args.output], &read)?;
    output_path::check("report", &args.output, output_path::Written::Page)?;
    warn_of_left_overs(&[&args.output], &read, host);
    let mut reserved = Reservation::all(std::slice::from_ref(&args.output), args.overwrite)?;
    let mut page = host::output(host, reserved.remove(0)).open()?;
    page.add(report.write(Format::of(&args.output)).as_bytes())?;
    page.publish()?;
    Ok(Completion::of(true))
}

//! The task that makes a page of tables.

use crate::error::Result;
use crate::report::{Format, Report};
use crate::sink::Sink;

use super::args;

pub(super) fn report(args: &args::Report) -> Result<bool> {
    // What is wrong with the tables is said before the output is begun.
    let report = Report::read(&args.tables)?;
    let mut page = Sink::create(&args.output, args.overwrite)?;
    page.add(report.write(Format::of(&args.output)).as_bytes())?;
    page.publish()?;
    Ok(true)
}

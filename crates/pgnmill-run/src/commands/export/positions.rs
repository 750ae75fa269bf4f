//! Positions in place of columns: what `export` writes as EPD and FEN.
//!
//! In: the arguments of `export`. Out: the columns and operations of a line, or what does not go together. Invariant:
//! an option without effect is refused. Cost: some steps per option.

use pgnmill_columns::{Column, Format, OpcodeError, PositionLines, Table};
use pgnmill_core::tasks::sorter::Spill;
use pgnmill_io::archive::Input;
use pgnmill_io::error::{Error, Result};

use crate::args::names::unknown_column;
use crate::args::output_path::is_directory;
use crate::args::values::Size;
use crate::outputs::beside;
use crate::text::shell::{flag, option};
use crate::text::suggestion;

use super::args::{Export, PositionOfPly};
use super::is_partitioned;

/// The least memory of distinct positions, in bytes.
const MEMORY_MIN: u64 = 1 << 20;
/// Their memory where none is given.
const MEMORY: u64 = 1 << 30;

/// Refuses options of positions for columns, of columns for positions, and what does not go together.
///
/// # Errors
/// The first such option.
pub(super) fn check(args: &Export, format: Format, inputs: &[Input]) -> Result<()> {
    let name = format.name();
    let refuse = |why: String| Err(Error::usage(why));
    let of_positions = [
        ("--position", args.position.is_some()),
        ("--opcodes", !args.opcodes.is_empty()),
        ("--distinct", args.distinct),
    ];
    if let Some((option, _)) = of_positions.iter().find(|(_, is_given)| *is_given)
        && !format.has_positions()
    {
        return refuse(format!("{option} is for EPD and FEN, and the output is {name}"));
    }
    for (option, is_given) in [("--memory", args.memory.is_some()), ("--sorted", args.sorted)] {
        if is_given && !args.distinct {
            return refuse(format!("{option} goes with --distinct"));
        }
    }
    if args.memory.is_some_and(|Size(bytes)| bytes < MEMORY_MIN) {
        return refuse("--memory is 1MiB or more".to_string());
    }
    if !format.has_positions() {
        return Ok(());
    }
    if format == Format::Fen && !args.opcodes.is_empty() {
        return refuse("--opcodes are of EPD, and the output is fen".to_string());
    }
    if args.columns != ["default"] || !args.notation.is_empty() {
        let option = if args.notation.is_empty() { "--columns" } else { "--notation" };
        let instead = if format == Format::Epd { "; --opcodes names what a line has" } else { "" };
        return refuse(format!("{option} is not for {name}, whose lines are positions{instead}"));
    }
    if args.table == Table::Games && args.position.is_some() {
        return refuse(
            "--position is of plies: with --table games a line has the position after the last move"
                .to_string(),
        );
    }
    check_distinct(args, inputs)
}

/// Refuses several files whose positions would be the same, where each is to be written once.
fn check_distinct(args: &Export, inputs: &[Input]) -> Result<()> {
    if !args.distinct {
        return Ok(());
    }
    if is_partitioned(args) {
        return Err(Error::usage(
            "--distinct writes one file, or one per input: a position can be of several partitions",
        ));
    }
    match inputs.iter().any(|input| input.split().is_some()) {
        true => {
            Err(Error::usage("a split does not go with --distinct: a position can be in several"))
        }
        false => Ok(()),
    }
}

/// What a line has, and the columns that it is made of.
///
/// # Errors
/// An operation that cannot be written.
pub(super) fn lines(args: &Export) -> Result<(PositionLines, Vec<Column>)> {
    let position = args.position.map(PositionOfPly::position).unwrap_or_default();
    let made = PositionLines::of(args.table, position, &args.opcodes);
    let (lines, columns) = made.map_err(|error| {
        Error::usage(match &error {
            OpcodeError::NoColumn(name) => {
                let begin = format!(
                    "--opcodes: there is no column {} with one value per line",
                    suggestion::shown(name)
                );
                unknown_column(&begin, name, None)
            }
            OpcodeError::OfPlies(_) => format!("--opcodes: {error}: --table plies"),
            OpcodeError::OfBefore(_) => format!("--opcodes: {error}: --position before"),
            OpcodeError::Refused(why) => format!("--opcodes: {why}"),
        })
    })?;
    let distinct = args.distinct.then(|| spill(args));
    Ok((PositionLines { distinct, sorted: args.sorted, ..lines }, columns))
}

/// The temporary files: beside the output, or among those of the system.
fn spill(args: &Export) -> Spill {
    let bytes = args.memory.map_or(MEMORY, |Size(bytes)| bytes);
    let bytes_max = usize::try_from(bytes).unwrap_or(usize::MAX);
    let name = args.output.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let directory = match is_directory(&args.output) {
        true => args.output.clone(),
        false => beside(&args.output),
    };
    Spill { directory, name, bytes_max }
}

/// The options that affect the lines, as words of a shell.
pub(super) fn words(args: &Export) -> impl Iterator<Item = String> {
    let position = args.position.map(|which| match which {
        PositionOfPly::Before => option("--position", "before"),
        PositionOfPly::After => option("--position", "after"),
    });
    let opcodes = (!args.opcodes.is_empty()).then(|| option("--opcodes", args.opcodes.join(",")));
    position
        .into_iter()
        .chain(opcodes)
        .chain(flag("--distinct", args.distinct))
        .chain(flag("--sorted", args.sorted))
}

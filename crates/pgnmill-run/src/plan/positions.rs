//! Inputs that are files of positions, or of a game a line.
//!
//! In: a request, its inputs. Out: what these are divided into. Invariant: a run reads games or positions, never both:
//! its counts, its tables and its outputs are of one kind. Cost: none.

use pgnmill_io::archive::{Input, RecordKind};
use pgnmill_io::error::{Error, Result, Shown as _};

use crate::args::capabilities::Capabilities;
use crate::args::sample::SampleArgs;

use super::purpose::Request;

/// What the inputs of a request are divided into.
///
/// # Errors
/// Inputs of both kinds, of a command that reads both; an option that goes with games alone.
pub(super) fn records<R: Request>(
    request: &R,
    of: Capabilities<'_>,
    inputs: &[Input],
) -> Result<RecordKind> {
    let find = |records| inputs.iter().find(|input| input.records() == records);
    if of.reads_game_lines() {
        return game_lines(of, find(RecordKind::Lines));
    }
    let (Some(positions), Some(allowed)) = (find(RecordKind::Lines), request.check_positions())
    else {
        return Ok(RecordKind::Games);
    };
    let positions = positions.name();
    if let Some(games) = find(RecordKind::Games) {
        let (games, positions) = (games.name(), positions.shown());
        return Err(Error::usage(format!(
            "{positions} is read as positions and {} as games: read them in two runs",
            games.shown()
        )));
    }
    refuse(&of_games(of))
        .and(allowed)
        .map_err(|error| Error::usage(format!("{}, which are in {}", error, positions.shown())))?;
    Ok(RecordKind::Lines)
}

/// The options that go with archives of PGN alone.
fn of_games(of: Capabilities<'_>) -> [(&'static str, bool); 3] {
    let SampleArgs { sample, .. } = of.sample;
    [
        ("--where", of.selecting.condition.is_some()),
        ("--sample", sample.is_some()),
        ("--split", of.splitting.is_some_and(|it| it.split.is_some())),
    ]
}

/// What inputs of a game a line are divided into. `positions`: an input that is of these.
///
/// # Errors
/// An input of positions; an option that does not go with a game a line.
fn game_lines(of: Capabilities<'_>, positions: Option<&Input>) -> Result<RecordKind> {
    if let Some(positions) = positions.map(Input::name) {
        return Err(Error::usage(format!(
            "--game-per-line, --from tcn: {} is read as positions",
            positions.shown()
        )));
    }
    let is_named = of.game_lines.is_some_and(|it| it.game_per_line);
    let how = if is_named {
        "--game-per-line".to_string()
    } else {
        format!("--from {}", of.reading.from)
    };
    let directory = of.reading.inputs.iter().find(|input| input.is_dir());
    if let Some(directory) = directory {
        return Err(Error::usage(format!(
            "{how} reads files that are named: {} is a directory, which is searched for archives of PGN",
            directory.shown()
        )));
    }
    let rejects = ("--rejects", of.files.rejects.is_some());
    match of_games(of).iter().chain([&rejects]).find(|(_, is_given)| *is_given) {
        None => Ok(RecordKind::GameLines),
        Some((option, _)) => Err(Error::usage(format!(
            "{option} does not go with {how}: `pgnmill convert` makes an archive of the lines"
        ))),
    }
}

/// Refuses options that do not go with positions.
///
/// # Errors
/// The first of them that is given.
pub(crate) fn refuse(options: &[(&str, bool)]) -> Result<()> {
    match options.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => {
            Err(Error::usage(format!("{option} goes with games, not with positions")))
        }
    }
}

//! The first faults of a run, as compilers print them: `games.pgn:12:5: Ke3: the king …  (Tal – Fischer, 1959)`.
//!
//! In: the rows of faults of jobs, in order. Out: lines, how many more there are, and the command that explains the
//! first one. Cost: the first rows of each job are collected.

use std::path::Path;

use pgnmill_core::engine::Pool;
use pgnmill_core::engine::{Base, JobResult, ListedRow, RowKind};
use pgnmill_core::pgn::deviation::Deviation;
use pgnmill_core::replay::Counts;
use pgnmill_io::error::{Result, Shown as _};

use crate::args::reading::{GameLines, Reading};
use crate::host::{Host, Ink, Stream};
use crate::plan::words_of_reading;
use crate::run::PartSink;
use crate::text::numbers::count;
use crate::text::shell::{flag, quoted};

/// How many are printed.
pub(crate) const FAULTS_MAX: usize = 10;

/// A fault as it is printed.
#[derive(Debug)]
struct Line {
    /// The archive, the line and the column.
    place: String,
    /// The reason, the players and the year.
    text: String,
    archive: String,
    /// The number of the game, from 1; none of damage, which belongs to no game.
    game: Option<u64>,
}

/// The first faults.
#[derive(Debug, Default)]
pub(crate) struct FirstFaults(Vec<Line>);

impl Line {
    fn of(archive: &str, base: Base, row: &ListedRow) -> Line {
        let (line, column) = (base.lines + row.lines + 1, row.column + 1);
        let names = &row.names;
        let year = names.date.get(..4).filter(|year| year.bytes().all(|it| it.is_ascii_digit()));
        let year = year.map_or_else(String::new, |year| format!(", {year}"));
        let players = match (names.white.as_str(), names.black.as_str()) {
            ("", "") => String::new(),
            (white, black) => format!(" ({} – {}{year})", white.shown(), black.shown()),
        };
        let detail = row.reason(line);
        let reason = if row.detail.is_empty() { row.kind.name() } else { &*detail };
        Line {
            place: format!("{}:{line}:{column}:", archive.shown()),
            text: format!("{}{players}", reason.shown()),
            archive: archive.to_string(),
            game: (row.kind != RowKind::Fault(Deviation::FrameDamaged))
                .then_some(base.games + row.game + 1),
        }
    }
}

impl FirstFaults {
    /// Prints them.
    pub(crate) fn print(
        &self,
        counts: &Counts,
        reading: &Reading,
        lines: GameLines,
        host: &dyn Host,
    ) {
        let screen = host.screen(Stream::Errors);
        if self.0.is_empty() {
            return;
        }
        let mut text = String::new();
        for Line { place, text: reason, .. } in &self.0 {
            text += &format!("{} {reason}\n", screen.paint(Ink::Bold, place));
        }
        let damaged = counts.deviations[Deviation::FrameDamaged as usize];
        let more = (counts.rejected + damaged).saturating_sub(self.0.len() as u64);
        if more > 0 {
            let table = "--faults FILE lists all";
            text += &format!("and {}: {table}\n", count(more, "more fault", "more faults"));
        }
        // A file, or a member of one.
        let is_named = |archive: &str| {
            !archive.contains(char::is_control) && Path::new(archive).ancestors().any(Path::is_file)
        };
        let first = self.0.iter().find_map(|line| Some((&line.archive, line.game?)));
        if let Some((archive, game)) = first.filter(|(archive, _)| is_named(archive)) {
            let lines = flag("--game-per-line", lines.game_per_line);
            let options = words_of_reading(reading).into_iter().chain(lines);
            let options: String = options.map(|option| format!(" {option}")).collect();
            let path = quoted(archive);
            text += &format!("the first: pgnmill explain {path} --game {game}{options}\n");
        }
        host.print(&text);
    }
}

impl PartSink for FirstFaults {
    type Part = ();

    fn part(
        &mut self,
        archive: &str,
        base: Base,
        result: &mut JobResult<()>,
        _: &Pool,
    ) -> Result<()> {
        if self.0.len() == FAULTS_MAX {
            return Ok(());
        }
        result.facts.faults.visit(|row| {
            if self.0.len() < FAULTS_MAX {
                self.0.push(Line::of(archive, base, row));
            }
            Ok(())
        })
    }
}

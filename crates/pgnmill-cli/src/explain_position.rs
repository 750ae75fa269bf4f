//! `pgnmill explain` of a line of an EPD or FEN file: the position, its fault, its operations.
//!
//! In: a file of positions, and the number of a position or a byte offset. Out: a page or a record, as of a game.
//! Invariant: the line is found, numbered and read as in a run. Cost: the lines before it, which are not read.

use std::ops::ControlFlow;
use std::sync::atomic::Ordering;

use pgnmill_core::chess::rules::RulesKind;
use pgnmill_core::engine::FoundLines;
use pgnmill_core::notation::{self, Notation};
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_core::pgn::lossy;
use pgnmill_core::replay::{History, PositionLine, Replayer, Verdict};
use pgnmill_io::archive::{Archive, Input, Options, Part};
use pgnmill_io::error::{Error, Result, Shown as _};
use pgnmill_run::ListFormat;
use pgnmill_run::host::{Completion, Host, Stream};

use super::explain_record;
use super::game_view::{self, Focus, GameView};

/// What is explained.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// A byte of the text.
    pub(super) at: Option<u64>,
    /// The number of the position, from 1.
    pub(super) game: Option<u64>,
    pub(super) figurines: bool,
    pub(super) format: ListFormat,
}

/// How a line is read and shown.
pub(super) struct Reading<'r> {
    pub(super) profile: &'r Profile,
    pub(super) from: Option<&'static dyn Notation>,
    pub(super) rules: RulesKind,
    /// The width of the page.
    pub(super) columns: usize,
}

/// What was found.
enum Found {
    /// A line, its offset, its number.
    Line(Vec<u8>, u64, u64),
    /// The byte is in a blank line or in a comment, which is this one, at this offset.
    Between(Vec<u8>, u64),
}

/// Runs the command; the end is clean if the line is valid.
pub(super) fn explain(
    wanted: Wanted,
    input: &Input,
    options: &Options,
    reading: &Reading<'_>,
    host: &dyn Host,
) -> Result<Completion> {
    let archive = Archive::open(input, options)?;
    let name = archive.name().to_string();
    let (text, offset, number) = match find(wanted, archive, &name, host)? {
        Found::Line(text, offset, number) => (text, offset, number),
        Found::Between(text, offset) => {
            let at = wanted.at.unwrap_or(offset);
            let inside = (at - offset) as usize;
            host.show(&match wanted.format {
                ListFormat::Text => {
                    game_view::show_between_lines(&name, at, &text, inside, reading.columns)
                }
                format => explain_record::between(&name, at, format)?,
            })?;
            return Ok(Completion::of(true));
        }
    };
    let usual = notation::usual(reading.rules);
    let replayer = Replayer::new(reading.profile, reading.from, History::Ignored);
    let mut replayer = replayer.with_rules(reading.rules).writing(Some(usual));
    let line = replayer.position_line(&text, 0..text.len());
    let operations = operations(&text, &line);
    let (fault, verdict) = (line.fault.cloned(), line.verdict);
    // A byte of the line end, or of a mark of the encoding, is not shown.
    let at = wanted.at.and_then(|at| usize::try_from(at.checked_sub(offset)?).ok());
    let at = at.filter(|at| *at < text.len());
    let focus = Focus {
        text: fault.as_ref().map(|it| it.text.clone()).or(at.map(|at| at..at + 1)),
        ply: fault.as_ref().map_or(0, |fault| fault.ply),
        position: fault.as_ref().and_then(|fault| fault.position).or(line.position),
        is_fault: fault.is_some(),
        ..Focus::default()
    };
    let deviations: Vec<(Deviation, u64)> = Deviation::ALL
        .iter()
        .map(|&kind| (kind, replayer.counts.deviations[kind as usize]))
        .filter(|&(_, times)| times > 0)
        .collect();
    let view = GameView {
        archive: &name,
        offset,
        number: Some(number),
        text: &text,
        tags: 0,
        verdict,
        fault: fault.as_ref(),
        notation: reading.from.unwrap_or(usual),
        deviations: &deviations,
        profile: reading.profile,
        focus: &focus,
        figurines: wanted.figurines,
        columns: reading.columns,
        operations: Some(&operations),
    };
    host.show(&explain_record::text_of(&view, wanted.format, host.screen(Stream::Output))?)?;
    Ok(Completion::of(verdict != Verdict::Rejected))
}

/// The opcodes of a line, and their operands: moves in the usual notation, others as they are.
fn operations(text: &[u8], line: &PositionLine<'_>) -> Vec<(String, String)> {
    let words = |(index, operation): (usize, &pgnmill_core::chess::EpdOperation)| {
        let moves = line.moves.iter().filter(|mv| mv.operation == index);
        let moves: Vec<String> = moves.map(|mv| mv.text.to_string()).collect();
        let operands = match moves.is_empty() {
            true => lossy(&text[operation.operands.clone()]),
            false => moves.join(" "),
        };
        (lossy(&text[operation.opcode.clone()]), operands)
    };
    let named = line.operations.iter().enumerate().filter(|(_, it)| !it.opcode.is_empty());
    named.map(words).collect()
}

/// Finds the line with a number, or with a byte.
fn find(wanted: Wanted, archive: Archive, name: &str, host: &dyn Host) -> Result<Found> {
    if wanted.game == Some(0) {
        return Err(Error::usage("positions are numbered from 1"));
    }
    let (mut number, mut found) = (0, None);
    archive.visit_in_order(&mut |block| {
        if host.stop().load(Ordering::Relaxed) {
            return Err(Error::interrupted());
        }
        let has = |begin: u64, end: u64| wanted.at.is_some_and(|at| (begin..end).contains(&at));
        if block.part != Part::Lines {
            let end = block.offset + block.text.len() as u64;
            number += u64::from(block.part != Part::OversizeRest);
            if has(block.offset, end) || wanted.game == Some(number) {
                return Err(unread(name, block.offset, block.part));
            }
            return Ok(ControlFlow::Continue(()));
        }
        let end = block.offset + block.text.len() as u64;
        let is_before = wanted.at.is_some_and(|at| at >= end);
        for line in FoundLines::of(block.text) {
            number += u64::from(!line.is_skipped);
            if is_before {
                continue;
            }
            let begin = |at: usize| block.offset + at as u64;
            let offset = begin(line.content.start);
            let text = block.text[line.content.clone()].to_vec();
            if has(begin(line.span.start), begin(line.span.end)) {
                found = Some(match line.is_skipped {
                    true => {
                        let start = begin(line.span.start);
                        Found::Between(block.text[line.span].to_vec(), start)
                    }
                    false => Found::Line(text, offset, number),
                });
            } else if !line.is_skipped && wanted.game == Some(number) {
                found = Some(Found::Line(text, offset, number));
            }
            if found.is_some() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    })?;
    let shown = name.shown();
    found.ok_or_else(|| match (wanted.at, wanted.game) {
        (Some(at), _) => Error::usage(format!("{shown}: the text ends before byte {at}")),
        (None, game) => {
            let game = game.unwrap_or_default();
            Error::usage(format!("{shown} holds {number} positions; there is no position {game}"))
        }
    })
}

fn unread(name: &str, offset: u64, part: Part) -> Error {
    let why = match part {
        Part::Fragment => "is partly in a damaged frame",
        _ => "is longer than a line may be",
    };
    Error::usage(format!("{}: the line at byte {offset} {why}; it is not read", name.shown()))
}

//! The lines of a block of a file of positions: read, visited by the task, and counted.
//!
//! In: a block of whole lines and the [`BlockVisitor`] of a task. Out: [`Facts`], as of games: rows of faults and
//! notes, the text of rejected lines. Invariants: every byte of the block is accounted for; a line is read once; blank
//! lines and comments that begin with `#` are text between lines. Cost: that of [`Replayer::position_line`].

use std::ops::Range;

use pgnmill_io::archive::Block;
use pgnmill_io::archive::line_scan::LineEnds;
use pgnmill_io::archive::text_lines::TextLines;

use crate::chess::rules::AnyPosition;
use crate::chess::{EpdLine, LINE_BYTES_MAX};
use crate::pgn::BYTE_ORDER_MARK;
use crate::pgn::deviation::{Class, Deviation, quoted};
use crate::replay::{PositionLine, Replayer, Verdict};

use super::block::{BlockReplay, beginning};
use super::facts::Facts;
use super::listed_rows::{ListedRow, RowKind};
use super::settings::{Rejects, Settings};
use super::text_piece::TextPiece;
use super::visitor::{BlockVisitor, GamePlace};

/// A line of a file of positions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundLine {
    /// All of it, with its line end.
    pub span: Range<usize>,
    /// What is read: without the line end, and without a byte order mark, which begins an archive, or one that was
    /// joined to others.
    pub content: Range<usize>,
    /// Is it blank, or a comment?
    pub is_skipped: bool,
}

/// The lines of a text of whole lines, such as a block of [`Part::Lines`](pgnmill_io::archive::Part::Lines).
#[derive(Clone, Debug)]
pub struct FoundLines<'t> {
    text: &'t [u8],
    lines: TextLines<'t>,
}

impl<'t> FoundLines<'t> {
    /// The lines of `text`.
    pub fn of(text: &'t [u8]) -> FoundLines<'t> {
        FoundLines { text, lines: TextLines::new(text) }
    }
}

impl Iterator for FoundLines<'_> {
    type Item = FoundLine;

    fn next(&mut self) -> Option<FoundLine> {
        let Range { start, end } = self.lines.next()?;
        let has_mark = self.text[start..end].starts_with(BYTE_ORDER_MARK);
        let begin = start + if has_mark { BYTE_ORDER_MARK.len() } else { 0 };
        let line = &self.text[begin..end];
        let content = line.strip_suffix(b"\n").unwrap_or(line);
        let content = content.strip_suffix(b"\r").unwrap_or(content);
        // What is in a line that is too long does not matter: it may not be held.
        let is_skipped = content.len() <= LINE_BYTES_MAX && EpdLine::is_skipped(content);
        Some(FoundLine { span: start..end, content: begin..begin + content.len(), is_skipped })
    }
}

/// Visits the lines of one block, and adds to the facts.
pub(super) fn visit<V: BlockVisitor>(
    visitor: V,
    block: Block<'_>,
    settings: &Settings,
    replayer: &mut Replayer<'_>,
    facts: &mut Facts,
) {
    let games = replayer.counts.games();
    let mut replay = BlockReplay::new(visitor, block, settings, games, facts);
    for found in FoundLines::of(block.text) {
        let FoundLine { span, content, is_skipped } = found;
        if content.start > span.start {
            replayer.counts.deviations[Deviation::EncodingBom as usize] += 1;
        }
        if is_skipped {
            replay.between_lines(block.text, span, replayer);
            continue;
        }
        let read = replayer.position_line(block.text, content);
        replay.line_read(block.text, span, &read);
    }
    let ends = LineEnds::of(replayer.level(), block.text);
    let counted = &mut facts.counted;
    counted.lines += counted.survey.add(block.text, block.part, ends);
}

impl<V: BlockVisitor> BlockReplay<'_, V> {
    /// Text between lines.
    fn between_lines(&mut self, text: &[u8], span: Range<usize>, replayer: &mut Replayer<'_>) {
        replayer.counts.between_bytes += span.len() as u64;
        let offset = self.place(&span).offset;
        let piece = TextPiece::line(offset..offset + span.len() as u64);
        self.visitor.copy(&text[span], piece);
    }

    /// A line that was read, all of which is at `span`.
    fn line_read(&mut self, text: &[u8], span: Range<usize>, line: &PositionLine<'_>) {
        let GamePlace { offset, number } = self.place(&span);
        if line.verdict == Verdict::Rejected {
            self.rejected_line(text, span.clone(), line, offset);
        }
        if !line.notes.is_empty() {
            self.notes_of_line(text, line);
        }
        self.visitor.position(text, span, line, GamePlace { offset, number });
        self.games += 1;
    }

    /// Adds the row and the text of a rejected line, if they are requested.
    fn rejected_line(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        line: &PositionLine<'_>,
        offset: u64,
    ) {
        if let Some(fault) = line.fault.filter(|_| self.settings.lists_fault(&self.facts.faults)) {
            let row = self.row(text, fault.text.start, RowKind::Fault(fault.kind), fault.ply);
            self.facts.faults.add(&ListedRow {
                text: beginning(&text[fault.text.clone()]),
                detail: fault.detail.clone(),
                fen: fault.position.as_ref().map_or_else(String::new, AnyPosition::to_fen),
                ..row
            });
        }
        let facts = &mut *self.facts;
        facts.counted.rejected_bytes += span.len() as u64;
        if self.settings.rejects == Rejects::Apart {
            let start = facts.rejects.len();
            facts.rejects.extend_from_slice(&text[span.clone()]);
            let piece = TextPiece::line(offset..offset + span.len() as u64);
            facts.reject_seams.piece(&facts.rejects, start, &piece);
        }
    }

    /// Adds the rows of a line's notes and repairs.
    #[cold]
    fn notes_of_line(&mut self, text: &[u8], line: &PositionLine<'_>) {
        for noted in line.notes {
            let kind = match noted.class {
                Class::Repair => RowKind::Repair(noted.kind),
                _ => RowKind::Note(noted.kind),
            };
            let row = ListedRow {
                text: quoted(&text[noted.text.clone()]),
                detail: noted.canonical.clone(),
                ..self.row(text, noted.text.start, kind, noted.ply)
            };
            self.facts.notes.add(&row);
        }
        if line.notes_omitted > 0 {
            let row = self.row(text, line.span.start, RowKind::Omitted, 0);
            self.facts.notes.add(&ListedRow { text: line.notes_omitted.to_string(), ..row });
        }
    }
}

//! The games of a block: replayed, visited by the task, and counted.
//!
//! In: a block and the [`BlockVisitor`] of a task. Out: [`Facts`], which are common to all tasks: rows of faults and
//! notes, the text of rejected games, encodings and line ends. Invariant: every byte of the block is accounted for,
//! also if a game is too long to be read or its beginning is lost. Cost: the replay, and a second scan of games that
//! have rows.

use std::ops::Range;

use pgnmill_io::archive::games::Games;
use pgnmill_io::archive::line_scan::LineEnds;
use pgnmill_io::archive::{Block, Part, RecordKind};

use crate::chess::rules::AnyPosition;
use crate::notation::{Notation, OtherPly, Ply};
use crate::pgn::deviation::{Class, Deviation, quoted};
use crate::pgn::{BYTE_ORDER_MARK, Tag, lossy};
use crate::replay::{
    FastVisitor, Game, LINE_TOO_LONG, LineRequest, MoveLine, NonPly, ReplayVisitor, Replayer,
    TagSection, Verdict,
};

use super::facts::Facts;
use super::listed_rows::{ListedRow, Names, RowKind};
use super::settings::{Rejects, Settings};
use super::text_piece::{End, Kind, TextPiece, is_first_column};
use super::unreadable::Unreadable;
use super::visitor::{BlockVisitor, GamePlace};

/// Bytes of the offending text in a row, at most.
const FAULT_TEXT_BYTES_MAX: usize = 32;

/// Visits the replay of one block.
pub(super) struct BlockReplay<'d, V> {
    pub(super) visitor: V,
    pub(super) settings: &'d Settings,
    pub(super) facts: &'d mut Facts,
    /// Offset of the current text in the block.
    pub(super) text_start: usize,
    pub(super) line: LineCount,
    /// Offset of the block in the job's text.
    offset: u64,
    /// Games before the current one in the job.
    pub(super) games: u64,
    /// Text between games is not visited.
    pub(super) games_only: bool,
}

/// Lines of the current text, counted as far as its rows need them, so that each byte is read once.
#[derive(Default)]
pub(super) struct LineCount {
    /// Lines that ended before `at`: with LF, with CR LF, or with CR.
    lines: u64,
    at: usize,
    /// Offset of the beginning of the line at `at`.
    start: usize,
}

impl LineCount {
    /// That of a text after so many lines of the block.
    pub(super) fn after(lines: u64) -> LineCount {
        LineCount { lines, ..LineCount::default() }
    }

    /// Counts the lines up to byte `at` of the text.
    fn go_to(&mut self, text: &[u8], at: usize) {
        let from = self.at.min(at);
        for end in memchr::memchr2_iter(b'\n', b'\r', &text[from..at]) {
            self.start = from + end + 1;
            // The line feed of a pair counts, not its carriage return.
            let pair = text[from + end] == b'\r' && text.get(self.start) == Some(&b'\n');
            self.lines += u64::from(!pair);
        }
        self.at = at;
    }
}

impl<'d, V> BlockReplay<'d, V> {
    pub(super) fn new(
        visitor: V,
        block: Block<'_>,
        settings: &'d Settings,
        games: u64,
        facts: &'d mut Facts,
    ) -> BlockReplay<'d, V> {
        let (line, offset) = (LineCount::default(), block.offset);
        BlockReplay {
            visitor,
            settings,
            facts,
            text_start: 0,
            line,
            offset,
            games,
            games_only: settings.selection.is_some(),
        }
    }

    /// The position of the current game, whose text is at `span`.
    #[inline(always)]
    pub(super) fn place(&self, span: &Range<usize>) -> GamePlace {
        let offset = self.offset + (self.text_start + span.start) as u64;
        GamePlace { offset, number: self.games }
    }

    /// A row of the current game about the text at `at`, without texts.
    pub(super) fn row(&mut self, text: &[u8], at: usize, kind: RowKind, ply: u32) -> ListedRow {
        // The lines of the preceding texts are counted already.
        self.line.go_to(text, at);
        ListedRow {
            offset: self.offset + (self.text_start + at) as u64,
            lines: self.facts.counted.lines + self.line.lines,
            column: (at - self.line.start) as u64,
            game: self.games,
            ply,
            ..ListedRow::of(kind)
        }
    }

    fn fault(&mut self, text: &[u8], game: &Game<'_>) {
        let Some(fault) = game.fault else { return };
        let comment = fault.comment.map(|at| self.row(text, at, RowKind::Fault(fault.kind), 0));
        let row = self.row(text, fault.text.start, RowKind::Fault(fault.kind), fault.ply);
        let comment = comment.map(|it| [row.lines - it.lines, it.column + 1]);
        self.facts.faults.add(&ListedRow {
            text: beginning(&text[fault.text.clone()]),
            detail: fault.detail.clone(),
            comment,
            fen: fault.position.as_ref().map_or_else(String::new, AnyPosition::to_fen),
            names: names(text, game.tags),
            ..row
        });
    }

    /// Adds the row and the text of a rejected game, if they are requested.
    fn rejected(&mut self, text: &[u8], game: &Game<'_>, offset: u64) {
        if self.settings.lists_fault(&self.facts.faults) {
            self.fault(text, game);
        }
        let facts = &mut *self.facts;
        facts.counted.rejected_bytes += game.span.len() as u64;
        if self.settings.rejects == Rejects::Apart {
            let start = facts.rejects.len();
            facts.rejects.extend_from_slice(&text[game.span.clone()]);
            let piece = TextPiece::game(text, game, offset);
            facts.reject_seams.piece(&facts.rejects, start, &piece);
        }
    }

    #[cold]
    fn unreadable_row(&mut self, text: &[u8], game: &Game<'_>, value: &Unreadable) {
        let row = self.row(text, value.span.start, RowKind::Value(value.fault), value.ply);
        self.facts.faults.add(&ListedRow {
            text: beginning(&text[value.span.clone()]),
            detail: value.fault.detail().to_string(),
            names: names(text, game.tags),
            ..row
        });
    }

    /// Adds the rows of a game's notes and repairs.
    #[cold]
    fn notes(&mut self, text: &[u8], game: &Game<'_>) {
        let mut row =
            ListedRow { names: names(text, game.tags), ..ListedRow::of(RowKind::Omitted) };
        for noted in game.notes {
            let kind = match noted.class {
                Class::Repair => RowKind::Repair(noted.kind),
                _ => RowKind::Note(noted.kind),
            };
            row = ListedRow {
                text: quoted(&text[noted.text.clone()]),
                detail: noted.canonical.clone(),
                names: row.names,
                ..self.row(text, noted.text.start, kind, noted.ply)
            };
            self.facts.notes.add(&row);
        }
        if game.notes_omitted > 0 {
            row.kind = RowKind::Omitted;
            row.text = game.notes_omitted.to_string();
            row.detail.clear();
            self.facts.notes.add(&row);
        }
    }
}

impl<V: BlockVisitor> BlockReplay<'_, V> {
    /// Counts the values of a game that the task could not read, and adds their rows, if they are requested.
    #[inline(always)]
    fn unreadable(&mut self, text: &[u8], game: &Game<'_>) {
        let Some(values) = self.visitor.unreadable() else { return };
        self.facts.counted.unreadable.merge(&values.counts);
        if self.settings.lists_fault(&self.facts.faults) {
            values.listed.iter().for_each(|value| self.unreadable_row(text, game, value));
        }
    }
}

impl<V: BlockVisitor> FastVisitor for BlockReplay<'_, V> {
    type Reads = V::Reads;
}

impl<V: BlockVisitor> ReplayVisitor for BlockReplay<'_, V> {
    fn line_request(&self) -> Option<LineRequest> {
        self.visitor.line_request()
    }

    fn line(&mut self, text: &[u8], line: &MoveLine<'_>) {
        self.visitor.line(text, line);
    }

    fn begin(
        &mut self,
        text: &[u8],
        start: usize,
        tags: &TagSection,
        notation: &'static dyn Notation,
    ) {
        self.visitor.begin(text, start, tags, notation);
    }

    #[inline(always)]
    fn ply(&mut self, text: &[u8], span: Range<usize>, ply: &Ply<'_>, depth: usize) {
        self.visitor.ply(text, span, ply, depth);
    }

    fn other_ply(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        self.visitor.other_ply(text, span, ply, depth)
    }

    fn non_ply(&mut self, text: &[u8], span: Range<usize>, kind: NonPly) {
        self.visitor.non_ply(text, span, kind);
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>) {
        let GamePlace { offset, number } = self.place(&game.span);
        if game.verdict == Verdict::Rejected {
            self.rejected(text, game, offset);
        }
        if !game.notes.is_empty() {
            self.notes(text, game);
        }
        self.visitor.end(text, game, GamePlace { offset, number });
        self.unreadable(text, game);
        self.games += 1;
    }

    fn needs_repair(&mut self, text: &[u8]) -> bool {
        self.visitor.needs_repair(text)
    }

    fn between(&mut self, text: &[u8], span: Range<usize>) {
        if self.games_only {
            return;
        }
        let offset = self.offset + (self.text_start + span.start) as u64;
        let piece = TextPiece {
            kind: Kind::Between,
            end: End::Between,
            followed: false,
            usual_start: false,
            source: offset..offset + span.len() as u64,
            starts: false,
            first_column: is_first_column(text, span.start),
        };
        self.visitor.copy(&text[span], piece);
    }
}

/// The beginning of an offending text.
pub(super) fn beginning(text: &[u8]) -> String {
    lossy(&text[..text.len().min(FAULT_TEXT_BYTES_MAX)])
}

fn names(text: &[u8], tags: &TagSection) -> Names {
    let value = |tag| tags.index.values(text).bytes(tag).map_or_else(String::new, quoted);
    Names {
        event: value(Tag::Event),
        site: value(Tag::Site),
        white: value(Tag::White),
        black: value(Tag::Black),
        date: value(Tag::Date),
    }
}

/// Visits the games of a block of whole games, all of them.
pub(super) fn games<V: BlockVisitor>(
    visitor: V,
    block: Block<'_>,
    settings: &Settings,
    replayer: &mut Replayer<'_>,
    facts: &mut Facts,
) {
    let games = replayer.counts.games();
    let mut replay = BlockReplay::new(visitor, block, settings, games, facts);
    let mut found = Games::on(replayer.level(), block.text);
    while let Some((start, text, ends)) = found.next_counted() {
        replay.text_start = start;
        replay.line = LineCount::default();
        let is_last = start + text.len() == block.text.len();
        replayer.replay_truncated(text, block.part == Part::Cut && is_last, &mut replay);
        let counted = &mut replay.facts.counted;
        counted.lines += counted.survey.add(text, block.part, ends);
    }
}

/// A part of a game that is too long for the memory, or whose beginning is lost: rejected unread.
pub(super) fn unreadable<V: BlockVisitor>(
    mut visitor: V,
    block: Block<'_>,
    settings: &Settings,
    replayer: &mut Replayer<'_>,
    facts: &mut Facts,
) {
    facts.counted.rejected_bytes += block.text.len() as u64;
    let of_lines = settings.options.records == RecordKind::Lines;
    let first = match block.part {
        Part::OversizeFirst if of_lines => Some((Deviation::LineTooLong, LINE_TOO_LONG)),
        Part::Fragment if of_lines => {
            Some((Deviation::LineCut, "a part of the line lies in what is damaged"))
        }
        Part::OversizeFirst => {
            Some((Deviation::GameTooLong, "the game is longer than a game may be; it was not read"))
        }
        Part::Fragment => {
            Some((Deviation::GameCut, "the beginning of the game lies in what is damaged"))
        }
        _ => None,
    };
    if let Some((kind, detail)) = first {
        let game = replayer.counts.games();
        replayer.counts.rejected += 1;
        replayer.counts.deviations[kind as usize] += 1;
        let has_mark = kind == Deviation::LineTooLong && block.text.starts_with(BYTE_ORDER_MARK);
        let mark_bytes = if has_mark { BYTE_ORDER_MARK.len() } else { 0 };
        replayer.counts.deviations[Deviation::EncodingBom as usize] += u64::from(has_mark);
        if settings.lists_fault(&facts.faults) {
            let (text, offset) = (&block.text[mark_bytes..], block.offset + mark_bytes as u64);
            let read = Block { text, offset, ..block };
            let row = unread(read, kind, detail, game, facts.counted.lines);
            facts.faults.add(&ListedRow { column: mark_bytes as u64, ..row });
        }
    }
    let ends = LineEnds::of(replayer.level(), block.text);
    let counted = &mut facts.counted;
    counted.lines += counted.survey.add(block.text, block.part, ends);
    let rest = !matches!(block.part, Part::OversizeFirst | Part::Fragment);
    let piece = TextPiece {
        kind: match rest {
            true => Kind::Rest,
            false if of_lines => Kind::Line,
            false => Kind::Game { rejected: true },
        },
        end: End::Unbounded,
        followed: false,
        usual_start: false,
        source: block.offset..block.offset + block.text.len() as u64,
        starts: !of_lines && block.part == Part::OversizeFirst && block.text[0] == b'[',
        first_column: true,
    };
    match settings.rejects {
        Rejects::Apart => {
            let start = facts.rejects.len();
            facts.rejects.extend_from_slice(block.text);
            facts.reject_seams.piece(&facts.rejects, start, &piece);
        }
        Rejects::Kept => visitor.copy(block.text, piece),
        Rejects::Dropped => {}
    }
}

/// The row of a game that was not read; `game` and `lines` are the games and line ends before it.
fn unread(block: Block<'_>, kind: Deviation, detail: &str, game: u64, lines: u64) -> ListedRow {
    // The length of a fragment depends on the division into jobs: none of it is in the row.
    let is_cut = matches!(kind, Deviation::GameCut | Deviation::LineCut);
    let quoted_max = if is_cut { 0 } else { FAULT_TEXT_BYTES_MAX };
    ListedRow {
        offset: block.offset,
        lines,
        game,
        text: beginning(&block.text[..block.text.len().min(quoted_max)]),
        detail: detail.to_string(),
        ..ListedRow::of(RowKind::Fault(kind))
    }
}

//! What is done with the games of a block: nothing but proof, new text, or lengths.
//!
//! A [`Desk`] hears the replay of one block and fills a [`Report`]; what is special to the task is a [`BlockVisitor`]'s.

use std::ops::Range;

use crate::archive::games::Games;
use crate::archive::line_scan::LineEnds;
use crate::archive::{Block, Part};
use crate::notation::{Notation, Ply};
use crate::pgn::Outcome;
use crate::pgn::deviation::{Deviation, quoted};
use crate::replay::{Game, ReplayVisitor, Replayer, TagSection, Verdict};
use crate::tasks::convert::Rewrite;
use crate::tasks::measure::Measure;
use crate::tasks::measure::study::GameMoves;
use crate::tasks::measure::tally::GameLengths;

use super::faults::{FaultRow, Names};
use super::joint::{End, Kind, TextPiece};
use super::notes::NoteRow;
use super::report::Report;
use super::{Rejects, Run, Task};

/// The offending text is quoted up to here.
const FAULT_TEXT_BYTES_MAX: usize = 32;

/// What one worker keeps from job to job.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) buffers: crate::archive::Buffers,
    lengths: GameLengths,
    score: GameMoves,
}

/// What is special to a task.
pub(crate) trait BlockVisitor {
    /// A game begins at `start`.
    fn begin(&mut self, report: &mut Report, text: &[u8], start: usize, tags: &TagSection);
    /// A ply, whose text is at `place`.
    fn ply(
        &mut self,
        report: &mut Report,
        text: &[u8],
        place: Range<usize>,
        ply: &Ply<'_>,
        depth: usize,
    );
    /// See [`ReplayVisitor::non_move`].
    fn non_move(&mut self, report: &mut Report, text: &[u8], place: Range<usize>) {
        let _ = (report, text, place);
    }
    /// See [`ReplayVisitor::redundant_suffix`].
    fn redundant_suffix(&mut self, report: &mut Report, text: &[u8], place: Range<usize>) {
        let _ = (report, text, place);
    }
    /// See [`ReplayVisitor::long_number`].
    fn long_number(&mut self, report: &mut Report, text: &[u8], place: Range<usize>) {
        let _ = (report, text, place);
    }
    /// The game is over; `offset` is where it begins in the report's text, `number` how many came before it.
    fn end(&mut self, report: &mut Report, text: &[u8], game: &Game<'_>, offset: u64, number: u64);
    /// Text that is of no game, or of a game that cannot be read.
    fn copy(&mut self, report: &mut Report, text: &[u8], piece: TextPiece) {
        let _ = (report, text, piece);
    }
    /// See [`ReplayVisitor::needs_repair`].
    fn needs_repair(&mut self, report: &mut Report, text: &[u8]) -> bool {
        let _ = (report, text);
        false
    }
}

/// Proof alone.
struct Prove;

impl BlockVisitor for Prove {
    fn begin(&mut self, _: &mut Report, _: &[u8], _: usize, _: &TagSection) {}
    #[inline(always)]
    fn ply(&mut self, _: &mut Report, _: &[u8], _: Range<usize>, _: &Ply<'_>, _: usize) {}
    fn end(&mut self, _: &mut Report, _: &[u8], _: &Game<'_>, _: u64, _: u64) {}
}

/// Hears the replay of one block.
struct Desk<'d, S> {
    scribe: S,
    run: &'d Run,
    report: &'d mut Report,
    /// Where the text at hand begins in the block.
    text_start: usize,
    line: LineCount,
    /// Where the block begins in the report's text.
    offset: u64,
    /// Games before the one at hand in the report.
    games: u64,
}

/// Lines of the text at hand, counted as its faults come, so that no byte is looked at twice.
#[derive(Default)]
struct LineCount {
    /// Lines that ended before `at`: with LF, with CR LF, or with CR.
    lines: u64,
    at: usize,
    /// Where the line at `at` begins.
    start: usize,
}

impl LineCount {
    /// Goes on to byte `at` of the text.
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

impl<S> Desk<'_, S> {
    fn fault(&mut self, text: &[u8], game: &Game<'_>) {
        let Some(fault) = game.fault else { return };
        let at = self.text_start + fault.text.start;
        // The lines of the texts before are in the report already.
        self.line.go_to(text, fault.text.start);
        let quoted = &text[fault.text.clone()];
        let quoted = &quoted[..quoted.len().min(FAULT_TEXT_BYTES_MAX)];
        let row = FaultRow {
            kind: fault.kind,
            offset: self.offset + at as u64,
            lines: self.report.lines + self.line.lines,
            column: (fault.text.start - self.line.start) as u64,
            game: self.games,
            ply: fault.ply,
            text: String::from_utf8_lossy(quoted).into_owned(),
            detail: fault.detail.clone(),
            fen: fault.position.map_or_else(String::new, |position| position.to_fen()),
            names: names(text, game.tags),
        };
        self.report.faults.add(&row);
    }

    /// The rows of a game's notes and repairs.
    #[cold]
    fn notes(&mut self, text: &[u8], game: &Game<'_>) {
        self.report.notes.add_game(&names(text, game.tags));
        let mut row = NoteRow { game: self.games, ..NoteRow::default() };
        for noted in game.notes {
            self.line.go_to(text, noted.text.start);
            row.kind = Some(noted.kind);
            row.class = Some(noted.class);
            row.offset = self.offset + (self.text_start + noted.text.start) as u64;
            row.lines = self.report.lines + self.line.lines;
            row.column = (noted.text.start - self.line.start) as u64;
            row.ply = noted.ply;
            row.written = quoted(&text[noted.text.clone()]);
            row.canonical.clone_from(&noted.canonical);
            self.report.notes.add(&row);
        }
        if game.notes_omitted > 0 {
            (row.kind, row.class) = (None, None);
            row.written = game.notes_omitted.to_string();
            row.canonical.clear();
            self.report.notes.add(&row);
        }
    }
}

impl<S: BlockVisitor> ReplayVisitor for Desk<'_, S> {
    fn begin(&mut self, text: &[u8], start: usize, tags: &TagSection, _: &'static dyn Notation) {
        self.scribe.begin(self.report, text, start, tags);
    }

    #[inline(always)]
    fn ply(&mut self, text: &[u8], place: Range<usize>, ply: &Ply<'_>, depth: usize) {
        self.scribe.ply(self.report, text, place, ply, depth);
    }

    fn non_move(&mut self, text: &[u8], place: Range<usize>) {
        self.scribe.non_move(self.report, text, place);
    }

    fn redundant_suffix(&mut self, text: &[u8], place: Range<usize>) {
        self.scribe.redundant_suffix(self.report, text, place);
    }

    fn long_number(&mut self, text: &[u8], place: Range<usize>) {
        self.scribe.long_number(self.report, text, place);
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>) {
        let offset = self.offset + (self.text_start + game.span.start) as u64;
        if game.verdict == Verdict::Rejected {
            if self.run.faults {
                self.fault(text, game);
            }
            self.report.rejected_bytes += game.span.len() as u64;
            if self.run.rejects == Rejects::Apart {
                let report = &mut *self.report;
                let start = report.rejects.len();
                report.rejects.extend_from_slice(&text[game.span.clone()]);
                let piece = TextPiece::game(text, game, offset);
                report.reject_seams.piece(&report.rejects, start, &piece);
            }
        }
        if !game.notes.is_empty() {
            self.notes(text, game);
        }
        self.scribe.end(self.report, text, game, offset, self.games);
        self.games += 1;
    }

    fn needs_repair(&mut self, text: &[u8]) -> bool {
        self.scribe.needs_repair(self.report, text)
    }

    fn between(&mut self, text: &[u8], place: Range<usize>) {
        let offset = self.offset + (self.text_start + place.start) as u64;
        let piece = TextPiece {
            kind: Kind::Between,
            end: End::Between,
            source: offset..offset + place.len() as u64,
            starts: false,
            first_column: is_first_column(text, place.start),
        };
        self.scribe.copy(self.report, &text[place], piece);
    }
}

fn is_first_column(text: &[u8], at: usize) -> bool {
    at == 0 || matches!(text[at - 1], b'\n' | b'\r')
}

impl TextPiece {
    /// A game as it stands in `text`; `offset` is where it begins in the report's text.
    pub(crate) fn game(text: &[u8], game: &Game<'_>, offset: u64) -> TextPiece {
        let rejected = game.verdict == Verdict::Rejected;
        let end = match game.closed {
            true => End::Closed,
            false if rejected => End::Wild,
            false => End::Open(game.result_of_tag(text).unwrap_or(Outcome::Unknown).canonical()),
        };
        TextPiece {
            kind: Kind::Game { rejected },
            end,
            source: offset..offset + game.span.len() as u64,
            starts: game.span.start == 0 && text[0] == b'[',
            first_column: is_first_column(text, game.span.start),
        }
    }
}

fn names(text: &[u8], tags: &TagSection) -> Names {
    let value = |place: &Option<Range<usize>>| {
        place.clone().map_or_else(String::new, |place| quoted(&text[place]))
    };
    Names {
        event: value(&tags.event()),
        site: value(&tags.site()),
        white: value(&tags.white()),
        black: value(&tags.black()),
    }
}

/// Does with one block what the task asks for.
pub(super) fn work(
    block: Block<'_>,
    run: &Run,
    replayer: &mut Replayer<'_>,
    scratch: &mut Scratch,
    report: &mut Report,
) {
    match run.task {
        Task::Validate => desk(Prove, block, run, replayer, report),
        Task::Convert { to, to_utf8 } => {
            let scribe = Rewrite::new(to, run.rejects == Rejects::Kept, to_utf8);
            desk(scribe, block, run, replayer, report);
        }
        Task::Measure(wanted) => {
            let scribe =
                Measure::new(wanted, &mut scratch.lengths, &mut scratch.score, replayer.level());
            desk(scribe, block, run, replayer, report);
        }
    }
    report.text_bytes += block.text.len() as u64;
}

fn desk<S: BlockVisitor>(
    scribe: S,
    block: Block<'_>,
    run: &Run,
    replayer: &mut Replayer<'_>,
    report: &mut Report,
) {
    let games = replayer.counts.games();
    if !matches!(block.part, Part::Games | Part::Cut) {
        return unreadable(scribe, block, run, replayer, report);
    }
    let mut desk = Desk {
        scribe,
        run,
        report,
        text_start: 0,
        line: LineCount::default(),
        offset: block.offset,
        games,
    };
    let mut found = Games::on(replayer.level(), block.text);
    while let Some((start, text, ends)) = found.next_counted() {
        desk.text_start = start;
        desk.line = LineCount::default();
        let is_last = start + text.len() == block.text.len();
        replayer.replay_truncated(text, block.part == Part::Cut && is_last, &mut desk);
        desk.report.lines += desk.report.survey.look(text, block.part, ends);
    }
}

/// A piece of a game that is too long to hold, or whose beginning is lost: rejected as it stands.
fn unreadable<S: BlockVisitor>(
    mut scribe: S,
    block: Block<'_>,
    run: &Run,
    replayer: &mut Replayer<'_>,
    report: &mut Report,
) {
    report.rejected_bytes += block.text.len() as u64;
    let first = match block.part {
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
        if run.faults {
            report.faults.add(&unread(block, kind, detail, game, report.lines));
        }
    }
    let ends = LineEnds::of(replayer.level(), block.text);
    report.lines += report.survey.look(block.text, block.part, ends);
    let rest = !matches!(block.part, Part::OversizeFirst | Part::Fragment);
    let piece = TextPiece {
        kind: if rest { Kind::Rest } else { Kind::Game { rejected: true } },
        end: End::Wild,
        source: block.offset..block.offset + block.text.len() as u64,
        starts: block.part == Part::OversizeFirst && block.text[0] == b'[',
        first_column: true,
    };
    match run.rejects {
        Rejects::Apart => {
            let start = report.rejects.len();
            report.rejects.extend_from_slice(block.text);
            report.reject_seams.piece(&report.rejects, start, &piece);
        }
        Rejects::Kept => scribe.copy(report, block.text, piece),
        Rejects::Dropped => {}
    }
}

/// The row of a game that was not read, before which there are so many games and line ends.
fn unread(block: Block<'_>, kind: Deviation, detail: &str, game: u64, lines: u64) -> FaultRow {
    // How much of a fragment comes at once depends on where the text was cut into jobs: none of it is quoted.
    let quoted_max = if kind == Deviation::GameCut { 0 } else { FAULT_TEXT_BYTES_MAX };
    let quoted = &block.text[..block.text.len().min(quoted_max)];
    FaultRow {
        kind,
        offset: block.offset,
        lines,
        column: 0,
        game,
        ply: 0,
        text: String::from_utf8_lossy(quoted).into_owned(),
        detail: detail.to_string(),
        fen: String::new(),
        names: Names::default(),
    }
}

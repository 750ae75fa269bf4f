//! What is done with the games of a block: nothing but proof, new text, or lengths.
//!
//! A [`Desk`] hears the replay of one block and fills a [`Report`]; what is special to the task is a [`Scribe`]'s.

use std::ops::Range;

use crate::archive::games::Games;
use crate::archive::{Block, Part};
use crate::fault::Deviation;
use crate::notation::{Digits, MoveText, Notation, Ply};
use crate::pgn::NOTATION_TAG;
use crate::replay::{Game, Listener, Replayer, TagSection, Verdict};
use crate::tally::{GameLengths, GameRow, Tally};

use super::report::{FaultRow, Report};
use super::{Rejects, Task};

/// The offending text is quoted up to here.
const FAULT_TEXT_BYTES_MAX: usize = 32;

/// What one worker keeps from job to job.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    pub(super) buffers: crate::archive::Buffers,
    lengths: GameLengths,
}

/// What is special to a task.
trait Scribe {
    fn begin(&mut self, report: &mut Report, text: &[u8], start: usize, tags: &TagSection);
    fn ply(
        &mut self,
        report: &mut Report,
        text: &[u8],
        place: Range<usize>,
        ply: &Ply<'_>,
        depth: usize,
    );
    /// The game is over; `offset` is where it begins in the report's text, `number` how many came before it.
    fn end(&mut self, report: &mut Report, text: &[u8], game: &Game<'_>, offset: u64, number: u64);
    fn copy(&mut self, report: &mut Report, text: &[u8]);
    /// See [`Listener::mended`].
    fn mended(&self) -> bool {
        false
    }
}

/// Proof alone.
struct Prove;

impl Scribe for Prove {
    fn begin(&mut self, _: &mut Report, _: &[u8], _: usize, _: &TagSection) {}
    #[inline(always)]
    fn ply(&mut self, _: &mut Report, _: &[u8], _: Range<usize>, _: &Ply<'_>, _: usize) {}
    fn end(&mut self, _: &mut Report, _: &[u8], _: &Game<'_>, _: u64, _: u64) {}
    fn copy(&mut self, _: &mut Report, _: &[u8]) {}
}

/// New text: everything but the moves is copied byte for byte.
struct Rewrite {
    to: &'static dyn Notation,
    keep_rejects: bool,
    /// Text up to here is in the output.
    copied: usize,
    /// Where the game begins in the output.
    out_start: usize,
    /// A game has begun and not ended.
    begun: bool,
    /// A blank was put into it.
    mended: bool,
}

impl Rewrite {
    fn copy_to(&mut self, report: &mut Report, text: &[u8], end: usize) {
        report.out.extend_from_slice(&text[self.copied..end]);
        self.copied = end;
    }
}

impl Scribe for Rewrite {
    fn begin(&mut self, report: &mut Report, text: &[u8], start: usize, tags: &TagSection) {
        self.copied = start;
        if self.begun {
            report.out.truncate(self.out_start);
        }
        self.begun = true;
        self.mended = false;
        self.out_start = report.out.len();
        let name = self.to.info().name;
        if let Some(value) = tags.notation.clone() {
            if name != "san" {
                self.copy_to(report, text, value.start);
                report.out.extend_from_slice(name.as_bytes());
                self.copied = value.end;
            } else if let Some(pair) = tags.notation_pair.clone() {
                self.copy_to(report, text, pair.start);
                self.copied = pair.end;
            }
        } else if name != "san" {
            self.copy_to(report, text, tags.end);
            let end = line_end(&text[tags.end..]);
            // After the last tag pair there is a line end already; where there is no pair, one must follow.
            let (before, after): (&[u8], &[u8]) =
                if tags.count > 0 { (end, b"") } else { (b"", end) };
            for piece in [before, b"[", NOTATION_TAG, b" \"", name.as_bytes(), b"\"]", after] {
                report.out.extend_from_slice(piece);
            }
        }
    }

    #[inline(always)]
    fn ply(
        &mut self,
        report: &mut Report,
        text: &[u8],
        place: Range<usize>,
        ply: &Ply<'_>,
        _: usize,
    ) {
        self.copy_to(report, text, place.start);
        let mut new = MoveText::default();
        self.to.encode(ply, &mut new);
        // A digit would fuse with a text that begins with one, and a move number with any text of a notation in
        // which moves begin with digits.
        let fuses = new.as_bytes().first().is_some_and(u8::is_ascii_digit)
            || self.to.info().digits != Digits::Never;
        if fuses && report.out.last().is_some_and(u8::is_ascii_digit) {
            report.out.push(b' ');
            self.mended = true;
        }
        report.out.extend_from_slice(new.as_bytes());
        self.copied = place.end;
    }

    fn end(&mut self, report: &mut Report, text: &[u8], game: &Game<'_>, _: u64, _: u64) {
        self.begun = false;
        if game.verdict != Verdict::Rejected {
            self.copy_to(report, text, game.span.end);
        } else {
            report.out.truncate(self.out_start);
            if !self.keep_rejects {
                return;
            }
            report.out.extend_from_slice(&text[game.span.clone()]);
        }
        report.game_ends.push(report.out.len() as u32);
    }

    fn mended(&self) -> bool {
        self.mended
    }

    fn copy(&mut self, report: &mut Report, text: &[u8]) {
        report.out.extend_from_slice(text);
    }
}

/// The first line end in a text: the archive's own kind.
fn line_end(text: &[u8]) -> &'static [u8] {
    match memchr::memchr2(b'\n', b'\r', text) {
        Some(at) if text[at] == b'\n' => b"\n",
        Some(at) if text.get(at + 1) == Some(&b'\n') => b"\r\n",
        Some(_) => b"\r",
        None => b"\n",
    }
}

/// Lengths of all texts.
struct Measure<'s> {
    lengths: &'s mut GameLengths,
    per_game: bool,
}

impl Scribe for Measure<'_> {
    fn begin(&mut self, _: &mut Report, _: &[u8], _: usize, _: &TagSection) {
        self.lengths.clear();
    }

    #[inline(always)]
    fn ply(&mut self, _: &mut Report, _: &[u8], _: Range<usize>, ply: &Ply<'_>, depth: usize) {
        if depth == 0 {
            self.lengths.observe(ply);
        }
    }

    fn end(&mut self, report: &mut Report, _: &[u8], game: &Game<'_>, offset: u64, number: u64) {
        if game.verdict == Verdict::Rejected {
            return;
        }
        report.tally.get_or_insert_with(Tally::default).add(self.lengths);
        if self.per_game {
            report.rows.push(GameRow::of(offset, number, self.lengths));
        }
    }

    fn copy(&mut self, _: &mut Report, _: &[u8]) {}
}

/// Hears the replay of one block.
struct Desk<'d, S> {
    scribe: S,
    report: &'d mut Report,
    rejects: Rejects,
    /// The block, and where the text at hand begins in it.
    block: &'d [u8],
    text_start: usize,
    /// Where the block begins in the report's text, and how many line ends come before it there.
    offset: u64,
    lines: u64,
    /// Line ends of the block counted so far, and up to where.
    counted: (u64, usize),
    /// Games before the one at hand in the report.
    games: u64,
}

impl<S> Desk<'_, S> {
    fn lines_before(&mut self, at: usize) -> u64 {
        let (lines, counted) = self.counted;
        let lines = lines + count_lines(self.block, counted..at);
        self.counted = (lines, at);
        self.lines + lines
    }

    fn fault(&mut self, text: &[u8], game: &Game<'_>) {
        let Some(fault) = game.fault else { return };
        let at = self.text_start + fault.text.start;
        let line_start = memchr::memrchr2(b'\n', b'\r', &self.block[..at]).map_or(0, |n| n + 1);
        let quoted = &text[fault.text.clone()];
        let quoted = &quoted[..quoted.len().min(FAULT_TEXT_BYTES_MAX)];
        let row = FaultRow {
            kind: fault.kind,
            offset: self.offset + at as u64,
            lines: self.lines_before(at),
            column: (at - line_start) as u64,
            game: self.games,
            ply: fault.ply,
            text: String::from_utf8_lossy(quoted).into_owned(),
            detail: fault.detail.clone(),
            headers: headers(text, game.tags),
        };
        self.report.faults.push(row);
    }
}

impl<S: Scribe> Listener for Desk<'_, S> {
    fn begin(&mut self, text: &[u8], start: usize, tags: &TagSection, _: &'static dyn Notation) {
        self.scribe.begin(self.report, text, start, tags);
    }

    #[inline(always)]
    fn ply(&mut self, text: &[u8], place: Range<usize>, ply: &Ply<'_>, depth: usize) {
        self.scribe.ply(self.report, text, place, ply, depth);
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>) {
        let offset = self.offset + (self.text_start + game.span.start) as u64;
        if game.verdict == Verdict::Rejected {
            self.fault(text, game);
            self.report.rejected_bytes += game.span.len() as u64;
            if self.rejects == Rejects::Apart {
                self.report.rejects.extend_from_slice(&text[game.span.clone()]);
            }
        }
        self.scribe.end(self.report, text, game, offset, self.games);
        self.games += 1;
    }

    fn mended(&self) -> bool {
        self.scribe.mended()
    }

    fn between(&mut self, text: &[u8], place: Range<usize>) {
        self.scribe.copy(self.report, &text[place]);
    }
}

fn headers(text: &[u8], tags: &TagSection) -> String {
    let value = |place: &Option<Range<usize>>| {
        place.clone().map(|place| String::from_utf8_lossy(&text[place]).into_owned())
    };
    let (white, black) = (value(&tags.white), value(&tags.black));
    let players = white.zip(black).map(|(white, black)| format!("{white} - {black}"));
    let parts = [players, value(&tags.event), value(&tags.site)];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Line ends in a part of a block: line feeds, and carriage returns that no line feed follows. What a block holds besides
/// the part makes no difference, so that line numbers do not depend on how the archive was cut.
fn count_lines(block: &[u8], part: Range<usize>) -> u64 {
    let feeds = memchr::memchr_iter(b'\n', &block[part.clone()]).count();
    let returns = memchr::memchr_iter(b'\r', &block[part.clone()])
        .filter(|at| block.get(part.start + at + 1) != Some(&b'\n'))
        .count();
    (feeds + returns) as u64
}

/// Does with one block what the task asks for.
pub(super) fn work(
    block: Block<'_>,
    task: &Task,
    rejects: Rejects,
    replayer: &mut Replayer<'_>,
    scratch: &mut Scratch,
    report: &mut Report,
) {
    let lines = &mut scratch.lengths;
    match *task {
        Task::Validate => desk(Prove, block, rejects, replayer, report),
        Task::Convert { to } => {
            let keep_rejects = rejects == Rejects::Kept;
            let scribe =
                Rewrite { to, keep_rejects, copied: 0, out_start: 0, begun: false, mended: false };
            desk(scribe, block, rejects, replayer, report);
        }
        Task::Measure { per_game } => {
            desk(Measure { lengths: lines, per_game }, block, rejects, replayer, report);
        }
    }
    report.text_bytes += block.text.len() as u64;
    report.lines += count_lines(block.text, 0..block.text.len());
}

fn desk<S: Scribe>(
    scribe: S,
    block: Block<'_>,
    rejects: Rejects,
    replayer: &mut Replayer<'_>,
    report: &mut Report,
) {
    let (lines, games) = (report.lines, replayer.counts.games());
    if block.part != Part::Games {
        return oversize(scribe, block, rejects, replayer, report);
    }
    let mut desk = Desk {
        scribe,
        report,
        rejects,
        block: block.text,
        text_start: 0,
        offset: block.offset,
        lines,
        counted: (0, 0),
        games,
    };
    for (start, text) in Games::new(block.text) {
        desk.text_start = start;
        replayer.replay(text, &mut desk);
    }
}

/// A piece of a game that is too long to hold: rejected as it stands.
fn oversize<S: Scribe>(
    mut scribe: S,
    block: Block<'_>,
    rejects: Rejects,
    replayer: &mut Replayer<'_>,
    report: &mut Report,
) {
    report.rejected_bytes += block.text.len() as u64;
    if block.part == Part::OversizeFirst {
        let kind = Deviation::GameTooLong;
        let game = replayer.counts.games();
        replayer.counts.rejected += 1;
        replayer.counts.deviations[kind as usize] += 1;
        let quoted = &block.text[..block.text.len().min(FAULT_TEXT_BYTES_MAX)];
        report.faults.push(FaultRow {
            kind,
            offset: block.offset,
            lines: report.lines,
            column: 0,
            game,
            ply: 0,
            text: String::from_utf8_lossy(quoted).into_owned(),
            detail: "the game is longer than a game may be; it was not read".to_string(),
            headers: String::new(),
        });
    }
    match rejects {
        Rejects::Apart => report.rejects.extend_from_slice(block.text),
        Rejects::Kept => scribe.copy(report, block.text),
        Rejects::Dropped => {}
    }
}

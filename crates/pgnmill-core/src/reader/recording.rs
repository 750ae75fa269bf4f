//! The task that keeps the games of each job, and the consumer that gives each its place in the archive.
//!
//! In: the games of a job. Out: [`OwnedGame`]s in the order of the text, with numbers, offsets and lines of the
//! archive. Invariant: every game that a run counts and a selection does not exclude is delivered once, also one that
//! is too long to be read. Cost: one copy of the text of each game.

use std::ops::Range;
use std::sync::Arc;

use crate::engine::Pool;
use crossbeam_channel::Sender;
use pgnmill_io::archive::Archive;
use pgnmill_io::error::{Error, Result};

use crate::engine::{
    Base, BlockGames, BlockVisitor, Consumer, Counted, GamePlace, JobResult, ListedRow, Part,
    RowKind, Settings, Task, TextPiece,
};
use crate::notation::{Notation, OtherPly, Ply};
use crate::pgn::deviation::Deviation;
use crate::replay::{self, EachPly, NonPly, TagSection};

use super::owned::{Fault, Origin, OwnedGame};
use super::record::{GameRecord, PlyRecord, Recorder};

/// A game of a job, placed in the text of the job.
#[derive(Debug)]
struct Recorded {
    text: Box<[u8]>,
    record: GameRecord,
    plies: Box<[PlyRecord]>,
    place: GamePlace,
}

/// The games of a job.
#[derive(Debug, Default)]
pub(super) struct Recordings {
    games: Vec<Recorded>,
    /// Parts of games that were not read: the offset in the job's text, and the text.
    unread: Vec<(u64, Box<[u8]>)>,
}

impl Part for Recordings {
    fn clear(&mut self) {
        self.games.clear();
        self.unread.clear();
    }
}

/// The task that keeps games.
#[derive(Debug)]
pub(super) struct Recording;

impl Task for Recording {
    type Context = Recorder;
    type Part = Recordings;

    fn visit(&self, games: BlockGames<'_, '_>, recorder: &mut Recorder, part: &mut Recordings) {
        games.visit(RecordingVisitor { recorder, part });
    }
}

/// Keeps the games of a block.
#[derive(Debug)]
pub(super) struct RecordingVisitor<'b> {
    recorder: &'b mut Recorder,
    part: &'b mut Recordings,
}

impl BlockVisitor for RecordingVisitor<'_> {
    type Reads = EachPly;

    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, notation: &'static dyn Notation) {
        self.recorder.begin(notation);
    }

    #[inline(always)]
    fn ply(&mut self, _: &[u8], span: Range<usize>, ply: &Ply<'_>, depth: usize) {
        self.recorder.ply(&span, ply.mv(), depth);
    }

    fn other_ply(
        &mut self,
        _: &[u8],
        span: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> std::result::Result<(), Deviation> {
        self.recorder.other_ply(&span, ply, depth)
    }

    fn non_ply(&mut self, text: &[u8], span: Range<usize>, kind: NonPly) {
        self.recorder.non_ply(text, &span, kind);
    }

    fn end(&mut self, text: &[u8], game: &replay::Game<'_>, place: GamePlace) {
        self.recorder.end(text, game);
        if let Some(record) = self.recorder.games.pop() {
            let text = text[record.span.clone()].into();
            let (record, plies) = record.alone(&self.recorder.plies);
            self.part.games.push(Recorded { text, record, plies, place });
        }
        self.recorder.clear();
    }

    fn copy(&mut self, text: &[u8], piece: TextPiece) {
        if piece.is_game() {
            self.part.unread.push((piece.offset(), text.into()));
        }
    }
}

/// What the thread of a run sends.
#[derive(Debug)]
pub(super) enum Message {
    /// The games of a job.
    Games(Box<Batch>),
    /// The run has ended with an error.
    Failed(Error),
}

/// The games of a job, with what is known after them.
#[derive(Debug, Default)]
pub(super) struct Batch {
    pub(super) games: Vec<OwnedGame>,
    /// Those of all archives up to here.
    pub(super) totals: Counted,
    /// Damage that was skipped in the job.
    pub(super) damage: Vec<Fault>,
}

/// Sends the games of the jobs.
#[derive(Debug)]
pub(super) struct Batches<'s> {
    messages: Sender<Message>,
    settings: &'s Settings,
    origin: Arc<Origin>,
    totals: Counted,
}

impl Batches<'_> {
    pub(super) fn new(messages: Sender<Message>, settings: &Settings) -> Batches<'_> {
        let origin = Origin::new("", settings);
        Batches { messages, settings, origin, totals: Counted::default() }
    }

    /// The game of a record.
    fn game(&self, base: Base, recorded: Recorded, fault: Option<Fault>) -> OwnedGame {
        let Recorded { text, record, plies, place } = recorded;
        OwnedGame {
            text,
            record,
            plies,
            offset: base.offset + place.offset,
            number: base.games + place.number + 1,
            fault: fault.map(Box::new),
            origin: Arc::clone(&self.origin),
        }
    }

    /// The games of a job with their faults, and the games that were not read, of which there are only faults.
    fn games(&self, base: Base, part: &mut Recordings, rows: Vec<ListedRow>) -> Vec<OwnedGame> {
        let mut games = Vec::with_capacity(part.games.len() + part.unread.len());
        let mut rows = rows.into_iter().peekable();
        for recorded in part.games.drain(..) {
            let number = recorded.place.number;
            while let Some(row) = rows.next_if(|row| row.game < number) {
                games.extend(self.unread(base, &mut part.unread, &row));
            }
            let row = rows.next_if(|row| row.game == number);
            let fault = row.map(|row| Fault::of(&row, base));
            games.push(self.game(base, recorded, fault));
        }
        for row in rows {
            games.extend(self.unread(base, &mut part.unread, &row));
        }
        games
    }

    /// The game of a row that was not read.
    #[cold]
    fn unread(
        &self,
        base: Base,
        texts: &mut Vec<(u64, Box<[u8]>)>,
        row: &ListedRow,
    ) -> Option<OwnedGame> {
        let RowKind::Fault(kind) = row.kind else { return None };
        let index = texts.iter().position(|(offset, _)| *offset == row.offset);
        let text = index.map(|index| texts.swap_remove(index).1).unwrap_or_default();
        let record = GameRecord::unread(text.len(), kind, &row.detail);
        let place = GamePlace { offset: row.offset, number: row.game };
        let recorded = Recorded { text, record, plies: Box::default(), place };
        Some(self.game(base, recorded, Some(Fault::of(row, base))))
    }
}

impl Consumer<Recordings> for Batches<'_> {
    fn begin(&mut self, archive: &Archive) -> Result<()> {
        self.origin = Origin::new(archive.name(), self.settings);
        Ok(())
    }

    fn result(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Recordings>,
        _: &Pool,
    ) -> Result<()> {
        self.totals.merge(&result.facts.counted);
        let (mut rows, mut damage) = (Vec::new(), Vec::new());
        result.facts.faults.visit(|row| {
            match row.kind {
                RowKind::Fault(Deviation::FrameDamaged) => damage.push(Fault::of(row, base)),
                RowKind::Fault(_) => rows.push(row.clone()),
                _ => {}
            }
            Ok(())
        })?;
        let games = self.games(base, &mut result.part, rows);
        let batch = Batch { games, totals: self.totals.clone(), damage };
        // Without a receiver the reader was closed.
        self.messages.send(Message::Games(Box::new(batch))).map_err(|_| Error::interrupted())
    }
}

//! Streams: one reader or decoder for all of the text, in order.
//!
//! In: a [`Source`]. Out: owned pieces of text, each a run of whole games, or a piece of a game that is too long to
//! hold; workers divide them into blocks.
//!
//! A stream can begin in the middle of an archive, after frames that are decoded elsewhere: its first pieces are then
//! *heads*, text before the first certain start, which the seams join to the text before.
//!
//! Cost: text is copied once, and the buffers are reused through the [`Pool`].

use super::Part;
use super::damage::Damage;
use super::deliver::{Run, Sizes};
use super::inflate::Source;
use super::place::Place;
use super::scanner::Scanner;
use super::splitter::Splitter;
use crate::error::Result;
use std::sync::{Arc, Mutex, PoisonError};

/// How much text is dropped at once.
const DROPPED_BYTES: usize = 1 << 20;

/// Buffers to be reused.
#[derive(Debug, Default)]
pub(super) struct Pool(Mutex<Vec<Vec<u8>>>);

impl Pool {
    /// The most buffers that are kept.
    const SPARES_MAX: usize = 64;
    /// A buffer that has grown with a long game is released.
    const SPARE_BYTES_MAX: usize = 4 << 20;

    fn take(&self) -> Vec<u8> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default()
    }

    /// Returns a buffer.
    pub(super) fn give(&self, buffer: Vec<u8>) {
        let mut spares = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if spares.len() < Pool::SPARES_MAX && buffer.capacity() <= Pool::SPARE_BYTES_MAX {
            spares.push(buffer);
        }
    }
}

/// One piece of a stream.
#[derive(Debug)]
pub(super) enum StreamPiece {
    /// Text, perhaps none, that continues the text before; `split`: a game starts directly after it.
    Head { text: Vec<u8>, split: bool },
    /// A run of whole games, or a piece of a long one.
    Run { text: Vec<u8>, run: Run },
    /// The next piece does not continue the last one.
    Damage(Damage),
}

/// A source that is divided into pieces.
pub(super) struct Stream {
    source: Box<dyn Source>,
    splitter: Splitter,
    sizes: Sizes,
    /// The search for the first certain start, until it is found.
    head: Option<Scanner>,
    more: bool,
    /// The damage after the text held.
    damage: Option<Damage>,
    /// The stored bytes of the pieces that were returned.
    stored: u64,
    /// Where the source begins in the stored bytes, if it can be opened again there.
    begin: Option<u64>,
    /// The text of the pieces that were returned, in bytes.
    returned: u64,
    /// Text that is decoded and dropped before the first piece, in bytes.
    dropped: u64,
    /// A piece of a long game was returned last: the text after it does not begin where a game begins.
    in_long_game: bool,
    pool: Arc<Pool>,
}

impl Stream {
    /// A stream over `source`; `at_start`: it begins where the archive begins.
    pub(super) fn new(source: Box<dyn Source>, at_start: bool, sizes: Sizes) -> Stream {
        let head = (!at_start).then(Scanner::unknown);
        let splitter = Splitter::new(sizes, Vec::new());
        Stream {
            source,
            splitter,
            sizes,
            head,
            more: true,
            damage: None,
            stored: 0,
            begin: None,
            returned: 0,
            dropped: 0,
            in_long_game: false,
            pool: Arc::default(),
        }
    }

    /// This stream, whose source begins at this stored byte and can be opened again there.
    pub(super) fn begun_at(mut self, begin: u64) -> Stream {
        self.begin = Some(begin);
        self
    }

    /// This stream after so many bytes of text and stored bytes: the text before is decoded and dropped. A game begins
    /// there.
    pub(super) fn after(mut self, text: u64, stored: u64) -> Stream {
        self.head = None;
        (self.returned, self.dropped, self.stored) = (text, text, stored);
        self
    }

    /// The place after the piece that was returned last, if the reading can go on there.
    pub(super) fn place(&self) -> Option<Place> {
        let begin = self.begin.filter(|_| self.head.is_none() && !self.in_long_game)?;
        Some(Place::Stream { begin, text: self.returned, stored: self.stored })
    }

    /// Decodes the text before the first piece.
    fn drop_text(&mut self) -> Result<()> {
        let mut text = vec![0; DROPPED_BYTES.min(self.dropped as usize)];
        while self.dropped > 0 {
            let len = text.len().min(self.dropped as usize);
            let filled = self.source.fill(&mut text[..len])?;
            if filled == 0 {
                // The text has become shorter, and ends here.
                self.dropped = 0;
            }
            self.dropped -= filled as u64;
        }
        Ok(())
    }

    /// The pool to which the buffers of pieces are returned.
    pub(super) fn pool(&self) -> &Arc<Pool> {
        &self.pool
    }

    /// The next piece and the stored bytes that were consumed for it; `None` at the end.
    ///
    /// # Errors
    /// Those of the source, after all whole games before the failure were returned.
    pub(super) fn next_piece(&mut self) -> Result<Option<(StreamPiece, u64)>> {
        if self.dropped > 0 {
            self.drop_text()?;
        }
        loop {
            let piece = if self.head.is_some() { self.head_piece() } else { self.run_piece() };
            let piece = piece.or_else(|| self.damage.take().map(|damage| self.cut(damage)));
            if let Some(piece) = piece {
                if let StreamPiece::Head { text, .. } | StreamPiece::Run { text, .. } = &piece {
                    self.returned += text.len() as u64;
                }
                let is_whole = |part| matches!(part, Part::Games | Part::Lines);
                let is_long = |run: &Run| !is_whole(run.part) || run.is_divided;
                self.in_long_game = matches!(&piece, StreamPiece::Run { run, .. } if is_long(run));
                // The decoder of a run that goes on may be behind the one that had read on.
                let stored = self.source.stored().max(self.stored);
                let consumed = stored - std::mem::replace(&mut self.stored, stored);
                return Ok(Some((piece, consumed)));
            }
            if !self.more {
                return Ok(self.stored_rest());
            }
            self.more = self.splitter.fill(&mut *self.source)? > 0;
            if !self.more {
                self.damage = self.source.damage();
            }
        }
    }

    /// A piece without text for the stored bytes after the last piece, so that all are counted.
    fn stored_rest(&mut self) -> Option<(StreamPiece, u64)> {
        let stored = self.source.stored().max(self.stored);
        let rest = stored - std::mem::replace(&mut self.stored, stored);
        (rest > 0).then(|| (StreamPiece::Head { text: Vec::new(), split: false }, rest))
    }

    /// Begins again after damage; all text before it was returned.
    fn cut(&mut self, damage: Damage) -> StreamPiece {
        self.head = None;
        self.more = true;
        self.splitter.restart_after_damage();
        StreamPiece::Damage(damage)
    }

    fn run_piece(&mut self) -> Option<StreamPiece> {
        let of_lines = self.sizes.records.of_lines() && self.damage.is_some();
        let next = self.splitter.next_run(self.more || of_lines);
        let cut = || self.splitter.cut_line().filter(|_| of_lines);
        let mut run = next.or_else(cut)?;
        if self.damage.is_some() && run.len == self.splitter.text().len() {
            run.part = run.part.before_damage();
        }
        let text = self.splitter.take_front(run.len, self.pool.take());
        Some(StreamPiece::Run { text, run })
    }

    fn head_piece(&mut self) -> Option<StreamPiece> {
        let scanner = self.head.as_mut()?;
        let text = self.splitter.text();
        let (len, split) = match scanner.next(text, self.more) {
            Some(start) => (start, true),
            None if !self.more => (text.len(), false),
            None if text.len() > self.sizes.game_bytes_max => {
                (scanner.understood(text.len()), false)
            }
            None => (0, false),
        };
        if split {
            self.head = None;
        } else if len == 0 {
            return None;
        } else {
            scanner.forget(len);
        }
        let text = self.splitter.take_front(len, self.pool.take());
        Some(StreamPiece::Head { text, split })
    }
}

impl std::fmt::Debug for Stream {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Stream").field("splitter", &self.splitter).finish_non_exhaustive()
    }
}

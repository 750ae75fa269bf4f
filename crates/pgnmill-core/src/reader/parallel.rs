//! A visitor on all processors; the visitors are merged in the order of the archive.
//!
//! In: a function that creates a visitor, and one that merges it. Out: calls of the second one, in order, on the
//! calling thread. Each job of the archive, some megabytes of text, has a visitor of its own. Invariant: the games of
//! a visitor may depend on the archive's container, never on the number of threads. Cost: that of [`super::Games`],
//! divided by the threads.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use crate::engine::Pool;
use pgnmill_io::archive::Archive;
use pgnmill_io::error::Result;

use crate::engine::{
    self, Base, BlockGames, BlockVisitor, Consumer, Counted, GamePlace, JobResult, Part, Task,
};
use crate::notation::{Notation, OtherPly, Ply};
use crate::pgn::deviation::Deviation;
use crate::replay::{self, EachPly, NonPly, TagSection};

use super::Reader;
use super::game::Game;
use super::record::Recorder;
use super::visitor::Visitor;

impl Reader {
    /// Visits all games on several threads. `make` creates a visitor for each job. After the job `merge` takes it, on
    /// the calling thread and in the order of the archive, with the offset of the job's text and the number of games
    /// before it.
    ///
    /// Numbers and offsets of games are relative to the job of the visitor: add those of the [`Base`] in `merge`.
    ///
    /// ```
    /// use pgnmill_core::reader::Game;
    /// use pgnmill_core::reader::Reader;
    /// use pgnmill_core::reader::Visitor;
    /// #[derive(Default)]
    /// struct Plies(u64);
    /// impl Visitor for Plies {
    ///     fn ply(&mut self, _: &pgnmill_core::reader::PlayedMove<'_>) {
    ///         self.0 += 1;
    ///     }
    /// }
    /// let archive = "[Event \"a\"]\n\n1. e4 e5 (1... c5) 2. f4 *\n";
    /// let mut plies = 0;
    /// let reader = Reader::from_reader("archive", archive.as_bytes())?;
    /// let totals = reader.par_visit(Plies::default, |_, visitor| plies += visitor.0)?;
    /// assert_eq!((plies, totals.counts.games()), (4, 1));
    /// # Ok::<(), pgnmill_io::error::Error>(())
    /// ```
    ///
    /// # Errors
    /// An archive that cannot be read to its end; too many threads.
    ///
    /// # Panics
    /// A panic of a visitor is raised again, with its own message.
    pub fn par_visit<V: Visitor + Send>(
        self,
        make: impl Fn() -> V + Sync,
        merge: impl FnMut(Base, V),
    ) -> Result<Counted> {
        let (archive, settings) = self.settings()?;
        let mut merged = Merge { merge, totals: Counted::default() };
        let pool = Pool::new(settings.threads)?;
        let (task, stop) = (Visiting { make, visitor: PhantomData }, AtomicBool::new(false));
        engine::run_archive(&pool, &task, &settings, archive, &mut merged, &stop)?;
        Ok(merged.totals)
    }
}

/// The task that creates a visitor for each job.
struct Visiting<F, V> {
    make: F,
    visitor: PhantomData<fn() -> V>,
}

impl<F, V> fmt::Debug for Visiting<F, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Visiting").finish_non_exhaustive()
    }
}

/// The visitor of a job; `None` if the job has no game.
struct Visited<V>(Option<V>);

impl<V> Default for Visited<V> {
    fn default() -> Visited<V> {
        Visited(None)
    }
}

impl<V> fmt::Debug for Visited<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Visited").field(&self.0.is_some()).finish()
    }
}

impl<V: Send> Part for Visited<V> {
    fn clear(&mut self) {
        self.0 = None;
    }
}

impl<V: Visitor + Send, F: Fn() -> V + Sync> Task for Visiting<F, V> {
    type Context = Recorder;
    type Part = Visited<V>;

    fn visit(&self, games: BlockGames<'_, '_>, context: &mut Recorder, part: &mut Visited<V>) {
        games.visit(KnownGames {
            visitor: part.0.get_or_insert_with(&self.make),
            recorder: context,
        });
    }
}

/// Passes the games of a block to a visitor, each when its verdict is known.
struct KnownGames<'b, V> {
    visitor: &'b mut V,
    recorder: &'b mut Recorder,
}

impl<V: Visitor> BlockVisitor for KnownGames<'_, V> {
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

    fn end(&mut self, text: &[u8], game: &replay::Game<'_>, game_place: GamePlace) {
        self.recorder.end(text, game);
        if let Some(record) = self.recorder.games.last() {
            let GamePlace { offset, number } = game_place;
            let plies = &self.recorder.plies[record.plies.clone()];
            Game { text, record, plies, offset, number: number + 1 }.visit(self.visitor);
        }
        self.recorder.clear();
    }
}

/// Merges visitors, in order.
struct Merge<M> {
    merge: M,
    totals: Counted,
}

impl<V: Send, M: FnMut(Base, V)> Consumer<Visited<V>> for Merge<M> {
    fn begin(&mut self, _: &Archive) -> Result<()> {
        Ok(())
    }

    fn result(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Visited<V>>,
        _: &Pool,
    ) -> Result<()> {
        self.totals.merge(&result.facts.counted);
        if let Some(visitor) = result.part.0.take() {
            (self.merge)(base, visitor);
        }
        Ok(())
    }
}

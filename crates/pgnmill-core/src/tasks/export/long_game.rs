//! A game of very many plies: what is kept of it until its rows are made, and how they are passed on.
//!
//! In: a game of the table of plies with more than [`PART_PLIES`] plies of its main line, after its end. Out: its
//! [`Rows`], so many plies at a time. A fault of the last ply rejects a game, so that no row may leave before its end;
//! and its rows together need some hundred times the memory of its text. So the first replay makes no rows after the
//! first part; what is kept is the text. A second replay (`read_again.rs`) makes the rows when it is their turn.
//! Invariants: the same rows as at once; of a rejected game none. Cost: a copy of the text, two replays, the memory of
//! one part.

use pgnmill_io::error::{Error, Result};
use pgnmill_simd::Level;

use crate::chess::rules::RulesKind;
use crate::engine::Settings;
use crate::notation::Notation;
use crate::pgn::deviation::Profile;
use crate::replay::{History, Replayer};

use super::engine_notes::Style;
use super::played_ply::Players;
use super::request::Export;
use super::rows::{GamePart, Rows};

/// Plies of a part: more than the longest game that the laws of FIDE allow has (17,697).
const PART_PLIES: usize = 1 << 15;

/// Bytes of text before and after a game that are kept with it: what is on its first line, and what ends it.
pub(super) const CONTEXT_BYTES: usize = 1 << 16;

/// Plies of a part; tests have others.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartPlies(pub(super) usize);

impl Default for PartPlies {
    fn default() -> PartPlies {
        PartPlies(PART_PLIES)
    }
}

/// How the games of a run are read.
#[derive(Clone, Debug)]
pub(super) struct Reader {
    profile: Profile,
    from: Option<&'static dyn Notation>,
    rules: RulesKind,
    level: Level,
}

impl Reader {
    pub(super) fn of(settings: &Settings) -> Reader {
        let Settings { profile, from, rules, level, .. } = settings;
        Reader { profile: profile.clone(), from: *from, rules: *rules, level: *level }
    }

    pub(super) fn replayer(&self, history: History) -> Replayer<'_> {
        Replayer::new(&self.profile, self.from, history).with_rules(self.rules).on(self.level)
    }
}

/// A game that was accepted or repaired, whose rows are made later.
#[derive(Clone, Debug)]
pub(super) struct LongGame {
    pub(super) export: Export,
    pub(super) reader: Reader,
    /// Its text, between some of what precedes and follows it.
    pub(super) text: Vec<u8>,
    /// Where it begins in `text`.
    pub(super) start: usize,
    /// Where in `text` ends what annotates its last ply. The second replay may not find it, if what follows the game is
    /// not in `text` to its end.
    pub(super) end: usize,
    /// How often it began: twice if it was read again in another notation.
    pub(super) begins: usize,
    pub(super) rows_count: usize,
    pub(super) players: Players,
    /// Whose view evaluations have that alone do not show it: known at the end.
    pub(super) style: Option<Style>,
    /// The values of the columns of the game.
    pub(super) of_game: Rows,
    pub(super) part_plies: PartPlies,
}

/// The parts of a game on their way.
pub(super) struct Sender<'s> {
    pub(super) game: &'s LongGame,
    take: &'s mut dyn FnMut(Rows) -> Result<()>,
    /// Rows of the parts before.
    pub(super) rows_count: usize,
    /// Of `take`; after it no rows are made.
    pub(super) failure: Option<Error>,
}

impl std::fmt::Debug for Sender<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sender").field("rows_count", &self.rows_count).finish_non_exhaustive()
    }
}

impl<'s> Sender<'s> {
    pub(super) fn new(game: &'s LongGame, take: &'s mut dyn FnMut(Rows) -> Result<()>) -> Self {
        Sender { game, take, rows_count: 0, failure: None }
    }

    /// Are rows of no use any more?
    pub(super) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Passes on a part, whose columns of plies have their values; those of the game are added.
    pub(super) fn send(&mut self, mut rows: Rows, rows_count: usize) {
        if rows_count == 0 || self.has_failed() {
            return;
        }
        let LongGame { export, of_game, .. } = self.game;
        let columns = rows.columns.iter_mut().zip(&of_game.columns);
        for ((buffer, value), column) in columns.zip(&export.columns) {
            if column.has_game_value() {
                buffer.append(value, 0..1);
            }
        }
        rows.game_ends.push(rows_count as u32);
        rows.game_bytes.clone_from(&of_game.game_bytes);
        rows.folders.clone_from(&of_game.folders);
        let (rows_before, game_rows) = (self.rows_count, self.game.rows_count);
        rows.part = Some(GamePart { rows_before, rows_count: game_rows });
        self.rows_count += rows_count;
        self.failure = (self.take)(rows).err();
    }
}

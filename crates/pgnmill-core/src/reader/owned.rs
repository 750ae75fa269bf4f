//! A game that owns its text: it is kept, sent to another thread, saved and loaded.
//!
//! In: a game of a run, its record and the row of its fault. Out: [`OwnedGame`], which gives the same [`Game`] as
//! [`super::Games`] at any time. Invariant: a game that was saved and loaded is equal. Cost: the bytes of the text and
//! 16 bytes per ply; what all games of an archive have in common is shared.

use std::sync::Arc;

use crate::chess::rules::RulesKind;
use crate::engine::{Base, ListedRow, Settings};
use crate::notation::Notation;
use crate::pgn::deviation::Profile;

use super::game::Game;
use super::record::{GameRecord, PlyRecord};

/// What the games of one archive in one run have in common.
#[derive(Debug)]
pub(super) struct Origin {
    /// The name of the archive.
    pub(super) archive: String,
    pub(super) profile: Profile,
    /// The notation of games whose tag pairs name none.
    pub(super) from: Option<&'static dyn Notation>,
    /// The ruleset of games without a `Variant` tag pair.
    pub(super) rules: RulesKind,
}

impl Origin {
    pub(super) fn new(archive: &str, settings: &Settings) -> Arc<Origin> {
        let Settings { profile, from, rules, .. } = settings;
        let profile = profile.clone();
        Arc::new(Origin { archive: archive.into(), profile, from: *from, rules: *rules })
    }
}

/// Why a game was rejected, and where: a row of the table of faults.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Fault {
    /// The name of the deviation.
    pub kind: &'static str,
    /// The reason, for a person.
    pub detail: String,
    /// The offending text: its first 32 bytes; bytes that are not UTF-8 are shown as U+FFFD.
    pub text: String,
    /// Offset of the offending text in the text of the archive, in bytes.
    pub offset: u64,
    /// Its line in the archive, from 1.
    pub line: u64,
    /// Its position in the line in bytes, from 1.
    pub column: u64,
    /// The ply of the fault, from 1; 0 before the first move.
    pub ply: u32,
    /// The position before the fault, where the fault is in the moves; else empty.
    pub fen: String,
}

impl Fault {
    /// The fault of a row whose job begins at `base`.
    pub(super) fn of(row: &ListedRow, base: Base) -> Fault {
        Fault {
            kind: row.kind.name(),
            detail: row.reason(base.lines + row.lines + 1).into_owned(),
            text: row.text.clone(),
            offset: base.offset + row.offset,
            line: base.lines + row.lines + 1,
            column: row.column + 1,
            ply: row.ply,
            fen: row.fen.clone(),
        }
    }
}

/// A game that owns its text and what its replay found.
#[derive(Clone, Debug)]
pub struct OwnedGame {
    pub(super) text: Box<[u8]>,
    pub(super) record: GameRecord,
    pub(super) plies: Box<[PlyRecord]>,
    pub(super) offset: u64,
    pub(super) number: u64,
    pub(super) fault: Option<Box<Fault>>,
    pub(super) origin: Arc<Origin>,
}

impl OwnedGame {
    /// The game.
    pub fn game(&self) -> Game<'_> {
        Game {
            text: &self.text,
            record: &self.record,
            plies: &self.plies,
            offset: self.offset,
            number: self.number,
        }
    }

    /// The name of its archive: the path as it was given.
    pub fn archive(&self) -> &str {
        &self.origin.archive
    }

    /// Why it was rejected, and where.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_deref()
    }
}

/// Equal texts at equal places with the same readings.
impl PartialEq for OwnedGame {
    fn eq(&self, other: &OwnedGame) -> bool {
        let facts = |game: &OwnedGame| (game.offset, game.number, game.record.verdict);
        facts(self) == facts(other)
            && self.origin.archive == other.origin.archive
            && self.text == other.text
            && self.plies == other.plies
            && self.fault == other.fault
    }
}

impl Eq for OwnedGame {}

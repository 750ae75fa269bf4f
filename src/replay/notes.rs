//! The deviations that the game at hand was let pass with, kept where somebody wants a list of them.
//!
//! In: each note and repair, as it is met. Out: those of one game in the order of the text, [`NOTES_PER_GAME_MAX`] at most,
//! and how many more there were. Nothing is kept, nor allocated, where no list is wanted.

use std::ops::Range;

use crate::fault::{Class, Deviation};

/// Of a game with more notes and repairs, only the number of the others is kept.
pub const NOTES_PER_GAME_MAX: usize = 1_000;

/// A deviation that a game was let pass with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noted {
    /// What it is.
    pub kind: Deviation,
    /// Note or repair.
    pub class: Class,
    /// Where it stands in the text that was replayed; empty where something lacks, or where the game as a whole is meant.
    pub text: Range<usize>,
    /// The ply it stands at, counted from 1; 0 before the first move.
    pub ply: u32,
    /// The canonical text for these bytes, in the notation of the game; empty where there is none.
    pub canonical: String,
}

/// The notes and repairs of the game at hand.
#[derive(Debug, Default)]
pub(super) struct Notes {
    wanted: bool,
    kept: Vec<Noted>,
    left_out: u64,
    /// How many there were, and were left out, when the movetext began.
    mark: (usize, u64),
}

impl Notes {
    /// None so far, of a list that is wanted.
    pub(super) fn wanted() -> Notes {
        Notes { wanted: true, ..Notes::default() }
    }

    pub(super) fn are_wanted(&self) -> bool {
        self.wanted
    }

    /// Those of the next game: none.
    #[inline(always)]
    pub(super) fn taken(&mut self) -> Notes {
        if !self.wanted {
            return Notes::default();
        }
        let mut notes = std::mem::take(self);
        notes.kept.clear();
        notes.left_out = 0;
        notes
    }

    /// The movetext begins.
    pub(super) fn mark(&mut self) {
        self.mark = (self.kept.len(), self.left_out);
    }

    /// Without those of the movetext, which is to be read anew.
    pub(super) fn before_movetext(mut self) -> Notes {
        self.kept.truncate(self.mark.0);
        self.left_out = self.mark.1;
        self
    }

    pub(super) fn add(&mut self, kind: Deviation, class: Class, text: Range<usize>, ply: u32) {
        if !self.wanted {
            return;
        }
        if self.kept.len() == NOTES_PER_GAME_MAX {
            self.left_out += 1;
            return;
        }
        self.kept.push(Noted { kind, class, text, ply, canonical: String::new() });
    }

    /// The canonical text of the word at `place`, whose deviations were added last.
    pub(super) fn set_canonical(&mut self, place: &Range<usize>, canonical: &[u8]) {
        for noted in self.kept.iter_mut().rev().take_while(|noted| noted.text == *place) {
            // What is stuck to the word is not part of it.
            if !matches!(noted.kind, Deviation::ResultStuck | Deviation::MoveNumberStuck) {
                noted.canonical = String::from_utf8_lossy(canonical).into_owned();
            }
        }
    }

    /// Those of the whole game in the order of the text, and how many were left out.
    pub(super) fn in_order(&mut self) -> (&[Noted], u64) {
        self.kept.sort_by_key(|noted| noted.text.start);
        (&self.kept, self.left_out)
    }
}

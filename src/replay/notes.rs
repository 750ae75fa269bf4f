//! The deviations of the game at hand: counted, judged by the profile, and kept where somebody wants a list of them.
//!
//! In: each deviation, as it is met. Out: the game's first fault; its notes and repairs in the order of the text,
//! [`NOTES_PER_GAME_MAX`] at most, and how many more there were. No list is kept, nor allocated, where none is wanted.

use std::ops::Range;

use crate::pgn::deviation::{Class, Deviation, Profile};

use super::{Counts, GameFault, Replayer, State};

/// Of a game with more notes and repairs, only the number of the others is kept.
pub const NOTES_PER_GAME_MAX: usize = 1_000;

/// A deviation that a game was let pass with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
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
    kept: Vec<Occurrence>,
    left_out: u64,
    /// How many there were, and were left out, when the movetext began.
    mark: (usize, u64),
}

impl Notes {
    /// The next game begins.
    pub(super) fn clear(&mut self) {
        self.kept.clear();
        self.left_out = 0;
    }

    /// The movetext begins.
    pub(super) fn mark(&mut self) {
        self.mark = (self.kept.len(), self.left_out);
    }

    /// The movetext is to be read anew: forgets what it showed.
    pub(super) fn back_to_mark(&mut self) {
        self.kept.truncate(self.mark.0);
        self.left_out = self.mark.1;
    }

    pub(super) fn add(&mut self, kind: Deviation, class: Class, text: Range<usize>, ply: u32) {
        if self.kept.len() == NOTES_PER_GAME_MAX {
            self.left_out += 1;
            return;
        }
        self.kept.push(Occurrence { kind, class, text, ply, canonical: String::new() });
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
    pub(super) fn in_order(&mut self) -> (&[Occurrence], u64) {
        self.kept.sort_by_key(|noted| noted.text.start);
        (&self.kept, self.left_out)
    }
}

impl State {
    fn note(&mut self, kind: Deviation, class: Class, place: Range<usize>, ply: u32) {
        if let Some(notes) = &mut self.notes {
            notes.add(kind, class, place, ply);
        }
    }
}

impl Replayer<'_> {
    /// Counts a deviation and does with the game what the profile says. Says whether the game can go on.
    #[cold]
    pub(super) fn deviate(&mut self, kind: Deviation, place: Range<usize>, ply: u32) -> bool {
        deviate(&mut self.counts, &mut self.state, self.profile, kind, place, ply)
    }

    /// The word at `place` was just found to depart from this text.
    pub(super) fn set_canonical_text(&mut self, place: &Range<usize>, canonical: &[u8]) {
        if let Some(notes) = &mut self.state.notes {
            notes.set_canonical(place, canonical);
        }
    }

    /// Counts what is a fault in any profile, with the words that explain it.
    #[cold]
    pub(super) fn fail(
        &mut self,
        kind: Deviation,
        text: Range<usize>,
        ply: u32,
        why: impl FnOnce() -> String,
    ) {
        self.counts.deviations[kind as usize] += 1;
        if self.state.fault.is_none() {
            self.state.fault = Some(GameFault { kind, text, ply, detail: why(), position: None });
        }
    }
}

#[cold]
pub(super) fn deviate(
    counts: &mut Counts,
    state: &mut State,
    profile: &Profile,
    kind: Deviation,
    place: Range<usize>,
    ply: u32,
) -> bool {
    counts.deviations[kind as usize] += 1;
    match profile.class(kind) {
        Class::Note => {
            state.note(kind, Class::Note, place, ply);
            true
        }
        Class::Repair => {
            state.repaired = true;
            state.note(kind, Class::Repair, place, ply);
            true
        }
        Class::Fault => {
            if state.fault.is_none() {
                let rule = kind.rule();
                let detail = format!("{} (such as {})", rule.source, rule.example);
                state.fault = Some(GameFault { kind, text: place, ply, detail, position: None });
            }
            false
        }
    }
}

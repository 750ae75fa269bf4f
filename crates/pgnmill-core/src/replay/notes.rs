//! The deviations of the current game: counted, classified by the profile, and kept where a list is requested.
//!
//! In: each deviation as it is found. Out: the game's first fault; its notes and repairs in the order of the text,
//! [`NOTES_PER_GAME_MAX`] at most, and how many more there were. No list is allocated where none is requested.

use std::ops::Range;

use crate::pgn::deviation::{Class, Deviation, Profile};
use crate::pgn::lossy;

use super::bounds::last_byte;
use super::{Counts, GameFault, Replayer, State};

/// Of a game with more notes and repairs, only the number of the others is kept.
pub const NOTES_PER_GAME_MAX: usize = 1_000;

/// A note or repair of a game that is not rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occurrence {
    /// The kind of deviation.
    pub kind: Deviation,
    /// Note or repair.
    pub class: Class,
    /// Its span in the text that was replayed; empty where something is missing, or where it concerns the whole game.
    pub text: Range<usize>,
    /// Its ply, counted from 1; 0 before the first move.
    pub ply: u32,
    /// The canonical text of these bytes, in the notation of the game; empty where there is none.
    pub canonical: String,
}

/// The notes and repairs of the current game.
#[derive(Debug, Default)]
pub(super) struct Notes {
    kept: Vec<Occurrence>,
    omitted: u64,
    /// How many were kept, and omitted, before the movetext.
    before_movetext: (usize, u64),
}

impl Notes {
    /// The next game begins.
    pub(super) fn clear(&mut self) {
        self.kept.clear();
        self.omitted = 0;
    }

    /// Marks the beginning of the movetext, for [`Notes::forget_movetext`].
    pub(super) fn begin_movetext(&mut self) {
        self.before_movetext = (self.kept.len(), self.omitted);
    }

    /// Removes what was added since the movetext began.
    pub(super) fn forget_movetext(&mut self) {
        self.kept.truncate(self.before_movetext.0);
        self.omitted = self.before_movetext.1;
    }

    pub(super) fn add(&mut self, kind: Deviation, class: Class, text: Range<usize>, ply: u32) {
        if self.kept.len() == NOTES_PER_GAME_MAX {
            self.omitted += 1;
            return;
        }
        self.kept.push(Occurrence { kind, class, text, ply, canonical: String::new() });
    }

    /// Sets the canonical text of the token at `span`, whose deviations were added last.
    pub(super) fn set_canonical(&mut self, span: &Range<usize>, canonical: &[u8]) {
        for noted in self.kept.iter_mut().rev().take_while(|noted| noted.text == *span) {
            // What is stuck to the token is not part of it.
            if !matches!(noted.kind, Deviation::ResultStuck | Deviation::MoveNumberStuck) {
                noted.canonical = lossy(canonical);
            }
        }
    }

    /// Those of the whole game in the order of the text, and how many were omitted.
    pub(super) fn in_order(&mut self) -> (&[Occurrence], u64) {
        self.kept.sort_by_key(|noted| noted.text.start);
        (&self.kept, self.omitted)
    }
}

impl State {
    /// Moves what was found at the end of the game, where nothing of it is, to its last byte.
    pub(super) fn keep_within(&mut self, text: &[u8], span: &Range<usize>) {
        let notes = self.notes.iter_mut().flat_map(|notes| &mut notes.kept);
        let places = notes.map(|noted| &mut noted.text);
        for place in places.chain(self.fault.as_mut().map(|fault| &mut fault.text)) {
            if place.start >= span.end {
                *place = last_byte(text, span.end);
            }
        }
    }

    fn note(&mut self, kind: Deviation, class: Class, span: Range<usize>, ply: u32) {
        if let Some(notes) = &mut self.notes {
            notes.add(kind, class, span, ply);
        }
    }
}

impl Replayer<'_> {
    /// Counts a deviation and applies the profile. Returns whether the game can continue.
    #[cold]
    pub(super) fn deviate(&mut self, kind: Deviation, span: Range<usize>, ply: u32) -> bool {
        deviate(&mut self.counts, &mut self.state, self.profile, kind, span, ply)
    }

    /// Sets the canonical text of the token at `span`, whose deviation was just found.
    pub(super) fn set_canonical_text(&mut self, span: &Range<usize>, canonical: &[u8]) {
        if let Some(notes) = &mut self.state.notes {
            notes.set_canonical(span, canonical);
        }
    }

    /// Counts what is a fault in any profile. `why`: the reason, for a person.
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
            let (detail, comment) = (why(), self.state.comment_with_brace);
            let fault = GameFault { kind, text, ply, detail, position: None, comment };
            self.state.fault = Some(fault);
        }
    }
}

#[cold]
pub(super) fn deviate(
    counts: &mut Counts,
    state: &mut State,
    profile: &Profile,
    kind: Deviation,
    span: Range<usize>,
    ply: u32,
) -> bool {
    counts.deviations[kind as usize] += 1;
    match profile.class(kind) {
        Class::Note => {
            state.note(kind, Class::Note, span, ply);
            true
        }
        Class::Repair => {
            state.repaired = true;
            state.note(kind, Class::Repair, span, ply);
            true
        }
        Class::Fault => {
            if state.fault.is_none() {
                let rule = kind.rule();
                let detail = format!("{} (such as {})", rule.source, rule.example);
                let comment = state.comment_with_brace;
                let fault = GameFault { kind, text: span, ply, detail, position: None, comment };
                state.fault = Some(fault);
            }
            false
        }
    }
}

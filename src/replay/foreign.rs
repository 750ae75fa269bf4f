//! Games in the letters of another language, or in figurines, that do not say so.
//!
//! What enters is the movetext of a game that SAN's reader gave up at a foreign letter; what leaves is the notation
//! that reads all of it, if all that do read the same moves: `Sf3` is German, Danish or Swedish, and a knight in each. A
//! game that two languages read differently, or none to its end, stays as it is. Cost: one replay a language, most of
//! which end at the first letter that is not theirs; only such games pay it.

use std::ops::Range;

use crate::board::{Move, Position, Role};
use crate::fault::{Class, Deviation};
use crate::notation::{Lineage, NOTATIONS, Notation, Ply};
use crate::pgn::{Digits, Tokens};

use super::game::Line;
use super::{Game, Listener, Replayer, State, TagSection};

/// Hears which moves were made, and nothing else.
struct Moves {
    /// The moves, folded into a number (FNV-1a).
    digest: u64,
}

impl Moves {
    fn hear(&mut self, mv: Move, depth: usize) {
        let promoted = mv.promoted().map_or(0, |role: Role| role.index() + 1);
        for part in [mv.origin().index(), mv.target().index(), promoted, depth] {
            self.digest = (self.digest ^ part as u64).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl Listener for Moves {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {}

    fn ply(&mut self, _: &[u8], _: Range<usize>, ply: &Ply<'_>, depth: usize) {
        self.hear(ply.mv(), depth);
    }

    fn end(&mut self, _: &[u8], _: &Game<'_>) {}

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

/// Does a word begin with a letter that stands for a piece elsewhere, but not in English?
fn is_foreign(word: &[u8]) -> bool {
    match word.first() {
        Some(first) if first.is_ascii_uppercase() => !b"KQRBNPOZ".contains(first),
        Some(first) => !first.is_ascii(),
        None => false,
    }
}

impl Replayer<'_> {
    /// The notation that reads the movetext from `at` on, where SAN gave up at a foreign letter, and how to call
    /// that. The state is afterwards that of a game not begun if there is one, and untouched if there is none.
    #[cold]
    pub(super) fn foreign(
        &mut self,
        text: &[u8],
        at: usize,
        start: &(Position, Option<Lineage>),
    ) -> Option<(&'static dyn Notation, Deviation)> {
        let fault = self.state.fault.as_ref()?;
        let tried = self.profile.class(Deviation::PieceLetterForeign) != Class::Fault
            && fault.kind == Deviation::MoveUnreadable
            && is_foreign(&text[fault.text.clone()]);
        if !tried {
            return None;
        }
        let counts = self.counts.clone();
        let given_up = std::mem::take(&mut self.state);
        let mut found: Option<(&'static dyn Notation, u64)> = None;
        let mut same = true;
        for &notation in NOTATIONS.iter().filter(|notation| notation.san_letters().is_some()) {
            self.state = State::default();
            self.stack.clear();
            let mut moves = Moves { digest: 0xcbf2_9ce4_8422_2325 };
            let mut tokens = Tokens::new(text, at, Digits::Never);
            let mut line = Line::new(&start.0, start.1.as_ref());
            self.movetext::<false>(&mut line, &mut tokens, text, notation, &mut moves);
            if self.state.fault.is_some() || !self.stack.is_empty() {
                continue;
            }
            match found {
                None => found = Some((notation, moves.digest)),
                Some((_, digest)) => same &= digest == moves.digest,
            }
        }
        self.counts = counts;
        self.stack.clear();
        self.state = State::default();
        let Some((notation, _)) = found.filter(|_| same) else {
            self.state = given_up;
            return None;
        };
        // The unreadable move was counted as a fault; it was none.
        let unreadable = &mut self.counts.deviations[Deviation::MoveUnreadable as usize];
        *unreadable = unreadable.saturating_sub(1);
        let figurines = notation.info().name.starts_with("fan");
        let kind = if figurines { Deviation::PieceFigurine } else { Deviation::PieceLetterForeign };
        Some((notation, kind))
    }
}

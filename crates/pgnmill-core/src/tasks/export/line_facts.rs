//! Many plies of a game at once: for the functions that write columns of plies.
//!
//! In: a [`BoardLine`] and its text. Out: the texts of its plies in SAN, and in notations that follow from origins and
//! targets. Invariant: the same values as ply by ply (`fuzz/laws/src/rows.rs`). Cost: some operations per ply.

use crate::notation::{self, LineNeeds, LineWriter, Notation, SAN, text_of};
use crate::replay::BoardLine;

use super::values::Texts;

/// Plies of the main line of a game, one after the other.
#[derive(Clone, Copy, Debug)]
pub struct LineFacts<'l> {
    /// The text of the games.
    pub text: &'l [u8],
    /// The plies.
    pub line: &'l BoardLine<'l>,
    /// The number of the first of them, from 1.
    pub number: usize,
}

/// How the texts of a notation follow from a line.
#[derive(Clone, Copy)]
pub(super) enum LineTexts {
    /// They are those of the line.
    Same,
    /// By a writer.
    Written(&'static LineWriter),
}

impl LineTexts {
    /// `None` if the notation requires more than a line has.
    pub(super) fn of(to: &'static dyn Notation) -> Option<LineTexts> {
        if notation::is_same(to, SAN) {
            return Some(LineTexts::Same);
        }
        let writer = to.line_writer().filter(|writer| writer.needs == LineNeeds::Origins);
        writer.map(LineTexts::Written)
    }
}

impl LineFacts<'_> {
    /// Adds a row for the text of each ply; `words` is memory.
    pub(super) fn write_texts(
        &self,
        to: &'static dyn Notation,
        words: &mut Vec<u64>,
        texts: &mut Texts,
    ) {
        match LineTexts::of(to) {
            Some(LineTexts::Same) => {
                let spans = self.line.starts.iter().zip(self.line.bytes);
                texts.short_rows(spans.map(|(&start, &bytes)| {
                    let from = self.text.get(start..).unwrap_or_default();
                    let short = || {
                        let mut short = [0; 8];
                        short[..from.len()].copy_from_slice(from);
                        short
                    };
                    (from.first_chunk().copied().unwrap_or_else(short), usize::from(bytes))
                }));
            }
            Some(LineTexts::Written(writer)) => {
                self.line.words(to, writer, words);
                texts.short_rows(words.iter().map(|&word| text_of(word)));
            }
            None => {}
        }
    }
}

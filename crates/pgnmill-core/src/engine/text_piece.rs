//! Pieces of text: what a [`Joiner`](super::Joiner) requires about the text that it joins.
//!
//! In: a game, or text between games, and its offset in the job. Out: [`TextPiece`], its kind, its span in the source
//! and how it ends. Cost: constant; the text is not scanned.

use std::ops::Range;

use pgnmill_state::{Loader, State};

use crate::pgn::Outcome;
use crate::replay::{Game, Verdict};

/// The kind of a piece of text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Game {
        rejected: bool,
    },
    Between,
    /// The continuation of the preceding piece.
    Rest,
    /// A line of a file of positions.
    Line,
}

/// How a text ends, as far as the reading of the following text depends on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// With a game whose end is part of its own text.
    Closed,
    /// With text that belongs to no game.
    Between,
    /// With a game that continues until another one starts; this result can end it.
    Open(&'static str),
    /// With a game that only the start of another one can end.
    Unbounded,
}

impl End {
    /// Can text follow without becoming part of the piece?
    pub(super) fn is_settled(self) -> bool {
        matches!(self, End::Closed | End::Between)
    }
}

impl State for End {
    fn save(&self, out: &mut Vec<u8>) {
        match self {
            End::Closed => 0_u8.save(out),
            End::Between => 1_u8.save(out),
            End::Open(result) => (2_u8, result.to_string()).save(out),
            End::Unbounded => 3_u8.save(out),
        }
    }

    fn load(from: &mut Loader<'_>) -> Option<End> {
        Some(match from.value::<u8>()? {
            0 => End::Closed,
            1 => End::Between,
            2 => {
                let result: String = from.value()?;
                let outcome = Outcome::from_any(result.as_bytes())?;
                End::Open(outcome.canonical())
            }
            3 => End::Unbounded,
            _ => return None,
        })
    }
}

/// A piece of text and its source.
#[derive(Clone, Debug)]
pub struct TextPiece {
    pub(crate) kind: Kind,
    /// How it ends; not used for text between games.
    pub(crate) end: End,
    /// Is it a game without a result, which ends where the next piece begins a game? Only in its source.
    pub(crate) followed: bool,
    /// Is it a game of chess from its starting position?
    pub(crate) usual_start: bool,
    /// Its span in the text of the job.
    pub(crate) source: Range<u64>,
    /// Does it begin at a game start that `pgnmill_io::archive` finds?
    pub(crate) starts: bool,
    /// Was its first byte in the first column?
    pub(crate) first_column: bool,
}

impl State for TextPiece {
    fn save(&self, out: &mut Vec<u8>) {
        let kind: u8 = match self.kind {
            Kind::Game { rejected } => rejected.into(),
            Kind::Between => 2,
            Kind::Rest => 3,
            Kind::Line => 4,
        };
        (kind, (self.source.start, self.source.end)).save(out);
        self.end.save(out);
        [self.followed, self.usual_start, self.starts, self.first_column].save(out);
    }

    fn load(from: &mut Loader<'_>) -> Option<TextPiece> {
        let (kind, (start, end)): (u8, (u64, u64)) = from.value()?;
        let kind = match kind {
            0 | 1 => Kind::Game { rejected: kind == 1 },
            2 => Kind::Between,
            3 => Kind::Rest,
            4 => Kind::Line,
            _ => return None,
        };
        let (own_end, flags) = (from.value()?, from.value::<[bool; 4]>()?);
        let [followed, usual_start, starts, first_column] = flags;
        let source = start..end;
        Some(TextPiece { kind, end: own_end, followed, usual_start, source, starts, first_column })
    }
}

/// Is a byte the first of its line?
pub(super) fn is_first_column(text: &[u8], at: usize) -> bool {
    at == 0 || matches!(text[at - 1], b'\n' | b'\r')
}

impl TextPiece {
    /// Is it a game, or the beginning of one, and not text between games or the continuation of a game?
    pub fn is_game(&self) -> bool {
        matches!(self.kind, Kind::Game { .. })
    }

    /// Offset of its first byte in the text of the job.
    pub fn offset(&self) -> u64 {
        self.source.start
    }

    /// The piece of a line, or of its beginning; `source`: its span in the text of the job.
    pub(crate) fn line(source: Range<u64>) -> TextPiece {
        TextPiece {
            kind: Kind::Line,
            end: End::Between,
            followed: false,
            usual_start: false,
            source,
            starts: false,
            first_column: true,
        }
    }

    /// The piece of a game that was written anew and ends with its result and an empty line; `source`: the span in the
    /// text of the job of what it was made from.
    pub(crate) fn whole_game(source: Range<u64>) -> TextPiece {
        TextPiece {
            kind: Kind::Game { rejected: false },
            end: End::Closed,
            starts: true,
            ..TextPiece::line(source)
        }
    }

    /// The piece of a game in `text`; `offset` is that of the game in the text of the job.
    pub(crate) fn game(text: &[u8], game: &Game<'_>, offset: u64) -> TextPiece {
        let rejected = game.verdict == Verdict::Rejected;
        let end = match game.closed {
            true => End::Closed,
            false if rejected => End::Unbounded,
            false => End::Open(game.result_of_tag(text).unwrap_or(Outcome::Unknown).canonical()),
        };
        TextPiece {
            kind: Kind::Game { rejected },
            end,
            followed: game.followed,
            usual_start: game.tags.is_usual_start(),
            source: offset..offset + game.span.len() as u64,
            starts: game.span.start == 0 && text[0] == b'[',
            first_column: is_first_column(text, game.span.start),
        }
    }
}

//! The task of the last reading: the text of games, of which the members of groups are known only in order.
//!
//! In: games. Out: for each job its text in pieces, one per game; [`Copied::divide`] gives those to two outputs. Cost:
//! the replay, and one copy of the text; a second one for jobs that contain duplicates.

use std::ops::Range;

use crate::engine::{BlockGames, BlockVisitor, GamePlace, Part, Rejects, Task, TextPiece};
use crate::pgn::{Tag, TagIndex};
use crate::replay::{Game, NoPlies, Verdict};
use crate::tasks::convert::Rewritten;

/// Copies games.
#[derive(Clone, Copy, Debug)]
pub struct CopyGames {
    /// Copy the text; otherwise the tag pairs alone.
    pub text: bool,
}

/// A piece of a job's text.
#[derive(Clone, Debug)]
pub struct CopiedPiece {
    /// The piece.
    pub piece: TextPiece,
    /// Its offset in the copied text.
    pub start: usize,
    /// Is it a game, perhaps a rejected one?
    pub is_game: bool,
    /// The game, unless it is rejected.
    pub game: Option<CopiedGame>,
}

/// A game that is not rejected.
#[derive(Clone, Copy, Debug)]
pub struct CopiedGame {
    /// Its position in the job.
    pub place: GamePlace,
    /// Plies of its main line.
    pub plies: u32,
    /// Bytes of its tag pairs and what is before them.
    pub tags_bytes: u32,
}

/// The text of a job.
#[derive(Debug, Default)]
pub struct Copied {
    /// All pieces, in the form in which they are written.
    pub all: Rewritten,
    /// The pieces.
    pub pieces: Vec<CopiedPiece>,
}

/// The values of a game in the table of groups.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RowTags {
    /// `White`, `Black`, `Date`, `Result`: empty if there is none.
    pub values: [String; 4],
}

impl Part for Copied {
    fn clear(&mut self) {
        self.all.clear();
        self.pieces.clear();
    }
}

impl Copied {
    /// The tag pairs of a game.
    pub fn tags(&self, piece: &CopiedPiece) -> RowTags {
        let tags_bytes = piece.game.map_or(0, |game| game.tags_bytes as usize);
        let section = piece.start..piece.start + tags_bytes;
        let (text, index) = (&self.all.text[..], TagIndex::of(&self.all.text, section));
        let value = |tag| index.values(text).text(tag).unwrap_or_default().into_owned();
        RowTags { values: [Tag::White, Tag::Black, Tag::Date, Tag::Result].map(value) }
    }

    /// The span of a piece in the copied text.
    fn span(&self, index: usize) -> Range<usize> {
        let end = self.pieces.get(index + 1).map_or(self.all.text.len(), |next| next.start);
        self.pieces[index].start..end
    }

    /// The pieces for which `is_duplicate` is not set, and the others. One entry of `is_duplicate` per piece.
    pub fn divide(self, is_duplicate: &[bool]) -> (Rewritten, Rewritten) {
        let mut outputs = (Rewritten::default(), Rewritten::default());
        if !is_duplicate.contains(&true) {
            outputs.0 = self.all;
            return outputs;
        }
        for (index, (piece, &is_duplicate)) in self.pieces.iter().zip(is_duplicate).enumerate() {
            let output = if is_duplicate { &mut outputs.1 } else { &mut outputs.0 };
            add(output, &self.all.text[self.span(index)], &piece.piece, piece.is_game);
        }
        outputs
    }
}

/// Adds a piece to a text.
fn add(output: &mut Rewritten, text: &[u8], piece: &TextPiece, is_game: bool) {
    match is_game {
        true => output.push_game(text, piece),
        false => output.push(text, piece),
    }
}

/// Copies the games of a block.
#[derive(Debug)]
struct CopyVisitor<'b> {
    copy: CopyGames,
    keep_rejects: bool,
    part: &'b mut Copied,
}

impl Task for CopyGames {
    type Context = ();
    type Part = Copied;

    fn visit(&self, games: BlockGames<'_, '_>, (): &mut (), part: &mut Copied) {
        let settings = games.settings();
        games.visit(CopyVisitor {
            copy: *self,
            keep_rejects: settings.rejects == Rejects::Kept,
            part,
        });
    }
}

impl CopyVisitor<'_> {
    fn add(&mut self, text: &[u8], piece: TextPiece, is_game: bool, game: Option<CopiedGame>) {
        let start = self.part.all.text.len();
        add(&mut self.part.all, text, &piece, is_game);
        self.part.pieces.push(CopiedPiece { piece, start, is_game, game });
    }
}

impl BlockVisitor for CopyVisitor<'_> {
    type Reads = NoPlies;

    fn end(&mut self, text: &[u8], game: &Game<'_>, place: GamePlace) {
        let is_rejected = game.verdict == Verdict::Rejected;
        if is_rejected && !(self.keep_rejects && self.copy.text) {
            return;
        }
        let piece = TextPiece::game(text, game, place.offset);
        let tags_end = if game.tags.count > 0 { game.tags.end } else { game.span.start };
        let tags_bytes = (tags_end - game.span.start) as u32;
        let copied = CopiedGame { place, plies: game.plies, tags_bytes };
        let end = if self.copy.text { game.span.end } else { tags_end };
        self.add(&text[game.span.start..end], piece, true, (!is_rejected).then_some(copied));
    }

    fn copy(&mut self, text: &[u8], piece: TextPiece) {
        if self.copy.text {
            self.add(text, piece, false, None);
        }
    }
}

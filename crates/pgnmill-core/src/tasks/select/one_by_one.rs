//! The task that copies games one by one, for a consumer that takes some of them, or divides them.
//!
//! In: games. Out: for each job its text in pieces, one per game, of which [`Copied::append_to`] takes one, and
//! [`Copied::divide`] gives each to one of two outputs. Cost: one copy of the text, and the replay if moves are read; a
//! second copy of what is taken.

use std::ops::Range;

use crate::engine::{
    BlockGames, BlockVisitor, GamePlace, MovesUse, Part, Rejects, Task, TextPiece,
};
use crate::pgn::{Tag, TagIndex};
use crate::replay::{Game, NoPlies, Verdict};
use crate::select::{GameView, Selection};
use crate::tasks::convert::Rewritten;

use super::{Editor, Edits};

/// Copies games one by one.
#[derive(Clone, Debug, Default)]
pub struct CopyGames {
    /// Read the moves: a rejected game is left out, or kept unchanged. Otherwise games have no verdict.
    pub moves: bool,
    /// Copy the text; otherwise the tag pairs alone.
    pub text: bool,
    /// What is changed in the text.
    pub edits: Edits,
}

/// A piece of a job's text.
#[derive(Clone, Debug)]
pub struct CopiedPiece {
    piece: TextPiece,
    /// Its offset in the copied text.
    start: usize,
    /// Is it a game, perhaps a rejected one?
    is_game: bool,
    /// The game, unless it is rejected.
    pub game: Option<CopiedGame>,
}

/// A game that is not rejected.
#[derive(Clone, Debug)]
pub struct CopiedGame {
    /// Its position in the job.
    pub place: GamePlace,
    /// Plies of its main line, if moves are read.
    pub plies: u32,
    /// The values by which games are divided, where they are known: one list, or one per player.
    pub keys: Vec<Vec<Option<String>>>,
    /// What it is sorted by, if the games are.
    pub(super) order: Vec<u8>,
    /// Bytes of its tag pairs and what is before them, in the source.
    tags_bytes: u32,
}

/// The text of a job.
#[derive(Debug, Default)]
pub struct Copied {
    /// All pieces, in the form in which they are written.
    all: Rewritten,
    /// The pieces.
    pub pieces: Vec<CopiedPiece>,
}

impl Part for Copied {
    fn clear(&mut self) {
        self.all.clear();
        self.pieces.clear();
    }
}

impl Copied {
    /// The values of tag pairs of a game whose text is not edited; empty if there is none.
    pub fn tags<const N: usize>(&self, piece: &CopiedPiece, tags: [Tag; N]) -> [String; N] {
        let tags_bytes = piece.game.as_ref().map_or(0, |game| game.tags_bytes as usize);
        let section = piece.start..piece.start + tags_bytes;
        let (text, index) = (&self.all.text[..], TagIndex::of(&self.all.text, section));
        tags.map(|tag| index.values(text).text(tag).unwrap_or_default())
    }

    /// The game of a piece, and how it is written, if it is one that is not rejected.
    pub(super) fn game(&self, index: usize) -> Option<(&TextPiece, &CopiedGame)> {
        let CopiedPiece { piece, game, .. } = self.pieces.get(index)?;
        game.as_ref().map(|game| (piece, game))
    }

    /// The text of a piece.
    pub(super) fn text_of(&self, index: usize) -> &[u8] {
        &self.all.text[self.span(index)]
    }

    /// The span of a piece in the copied text.
    fn span(&self, index: usize) -> Range<usize> {
        let end = self.pieces.get(index + 1).map_or(self.all.text.len(), |next| next.start);
        self.pieces[index].start..end
    }

    /// Appends a piece to `output`, whose offsets are those of a job `base` bytes earlier.
    pub fn append_to(&self, index: usize, base: u64, output: &mut Rewritten) {
        let CopiedPiece { piece, is_game, .. } = &self.pieces[index];
        let mut piece = piece.clone();
        piece.source = base + piece.source.start..base + piece.source.end;
        add(output, self.text_of(index), &piece, *is_game);
    }

    /// The pieces for which `is_other` is not set, and the others. One entry of `is_other` per piece.
    pub fn divide(self, is_other: &[bool]) -> (Rewritten, Rewritten) {
        if !is_other.contains(&true) {
            return (self.all, Rewritten::default());
        }
        let mut outputs = (Rewritten::default(), Rewritten::default());
        for (index, &is_other) in is_other.iter().enumerate().take(self.pieces.len()) {
            self.append_to(index, 0, if is_other { &mut outputs.1 } else { &mut outputs.0 });
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
    task: &'b CopyGames,
    editor: Editor<'b>,
    keep_rejects: bool,
    keys: Vec<Vec<Option<String>>>,
    order: Vec<u8>,
    part: &'b mut Copied,
}

impl Task for CopyGames {
    type Context = ();
    type Part = Copied;

    fn moves(&self) -> MovesUse {
        if self.moves { MovesUse::Visited } else { MovesUse::Unread }
    }

    fn visit(&self, games: BlockGames<'_, '_>, (): &mut (), part: &mut Copied) {
        let settings = games.settings();
        games.visit(CopyVisitor {
            task: self,
            editor: Editor { edits: &self.edits, from: settings.from },
            keep_rejects: settings.rejects == Rejects::Kept,
            keys: Vec::new(),
            order: Vec::new(),
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

    fn selected(&mut self, selection: &Selection, game: &GameView<'_>) {
        self.keys = selection.keys_of(game);
        self.order = selection.order_of(game);
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>, place: GamePlace) {
        let (keys, order) = (std::mem::take(&mut self.keys), std::mem::take(&mut self.order));
        let is_rejected = self.task.moves && game.verdict == Verdict::Rejected;
        if is_rejected && !(self.keep_rejects && self.task.text) {
            return;
        }
        let tags_end = if game.tags.count > 0 { game.tags.end } else { game.span.start };
        let tags_bytes = (tags_end - game.span.start) as u32;
        let copied = CopiedGame { place, plies: game.plies, keys, order, tags_bytes };
        let copied = (!is_rejected).then_some(copied);
        if self.task.text {
            let (own, piece) = self.editor.edited(text, game, place);
            self.add(&own, piece, true, copied);
        } else {
            let piece = TextPiece::game(text, game, place.offset);
            self.add(&text[game.span.start..tags_end], piece, true, copied);
        }
    }

    fn copy(&mut self, text: &[u8], piece: TextPiece) {
        if self.task.text {
            self.add(text, piece, false, None);
        }
    }
}

//! What engines left in the comments of a game's plies, and whose view their evaluations have.
//!
//! In: comments, ply by ply, and the sides that moved. Out: [`EngineNote`]s, and for each ply White's evaluation.
//! Invariant: where a comment alone does not show whose view it has, the first comment of the game decides that does;
//! the parts of a game that is read in parts have the form that its first reading found. Cost: nothing for plies
//! without such comments.

use crate::chess::Color;
use crate::pgn::engine_comments::{CommentForm, EngineComment, EvalView};
use crate::pgn::{Eval, decode_to};

/// What an engine left after a ply.
#[derive(Clone, Copy, Debug)]
pub struct EngineNote {
    /// What was read.
    pub comment: EngineComment,
    /// The form, unless neither the comment nor the game decides between two.
    pub form: Option<&'static CommentForm>,
    /// The index of its ply among those that are kept.
    pub(super) ply: usize,
    pv: [u32; 2],
}

/// Those of a game, in the order of their plies.
#[derive(Debug, Default)]
pub(super) struct EngineNotes {
    notes: Vec<EngineNote>,
    /// What decides about comments of [`EvalView::OfGame`].
    style: Option<Style>,
    variations: String,
    own: Vec<u8>,
}

/// A form and its view, that of a game's comments.
#[derive(Clone, Copy, Debug)]
pub(super) struct Style {
    form: &'static CommentForm,
    view: EvalView,
}

impl EngineNotes {
    /// Forgets the game.
    pub(super) fn clear(&mut self) {
        self.clear_notes();
        self.style = None;
    }

    /// Forgets the notes of a part of the game.
    pub(super) fn clear_notes(&mut self) {
        self.notes.clear();
        self.variations.clear();
    }

    /// What decides in the game so far.
    pub(super) fn style(&self) -> Option<Style> {
        self.style
    }

    /// Decides before the game is read.
    pub(super) fn set_style(&mut self, style: Option<Style>) {
        self.style = style;
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.notes.len()
    }

    /// The note of this index.
    pub(super) fn get(&self, index: usize) -> Option<&EngineNote> {
        self.notes.get(index)
    }

    /// Adds a note of a ply; `text`: of the comment, of which the variation is kept if `keeps_pv`.
    pub(super) fn add(
        &mut self,
        ply: usize,
        form: &'static CommentForm,
        comment: EngineComment,
        text: &[u8],
        keeps_pv: bool,
    ) {
        let is_ambiguous = comment.view == EvalView::OfGame;
        if self.style.is_none() && form.is_style() && !is_ambiguous {
            self.style = Some(Style { form, view: comment.view });
        }
        let start = self.variations.len() as u32;
        if keeps_pv && let Some(span) = comment.pv_span() {
            self.add_variation(&text[span]);
        }
        let pv = [start, self.variations.len() as u32];
        let form = (!is_ambiguous).then_some(form);
        self.notes.push(EngineNote { comment, form, ply, pv });
    }

    /// Adds the words of a variation, separated by one space.
    fn add_variation(&mut self, text: &[u8]) {
        let is_blank = |byte: &u8| *byte <= b' ';
        let start = self.variations.len();
        for word in text.split(is_blank).filter(|word| !word.is_empty()) {
            if self.variations.len() > start {
                self.variations.push(' ');
            }
            decode_to(word, &mut self.own, &mut self.variations);
        }
    }

    /// The variation of a note.
    pub(super) fn variation(&self, note: &EngineNote) -> Option<&str> {
        let [start, end] = note.pv.map(|offset| offset as usize);
        (start < end).then(|| &self.variations[start..end])
    }

    /// Decides the form and the view of the notes from this one on, and calls `set` with the ply of each that has an
    /// evaluation, the value from White's side and whose view it was written from. `movers`: the sides that moved with
    /// the plies from `first_ply` on, from which plies are counted.
    pub(super) fn settle(
        &mut self,
        from: usize,
        first_ply: usize,
        movers: &[Color],
        mut set: impl FnMut(usize, Eval, EvalView),
    ) {
        let style = self.style;
        for note in self.notes.iter_mut().skip(from) {
            if note.comment.view == EvalView::OfGame {
                note.form = style.map(|style| style.form);
                note.comment.view = style.map_or(EvalView::Unknown, |style| style.view);
            }
            let ply = note.ply - first_ply;
            let eval = note.comment.eval.zip(movers.get(ply));
            if let Some((eval, &mover)) = eval
                && let Some(white) = of_white(eval, note.comment.view, mover)
            {
                set(ply, white, note.comment.view);
            }
        }
    }
}

/// An evaluation from White's side.
fn of_white(eval: Eval, view: EvalView, mover: Color) -> Option<Eval> {
    let is_negated = match view {
        EvalView::White => false,
        EvalView::Mover => mover == Color::Black,
        EvalView::OfGame | EvalView::Unknown => {
            return (eval == Eval::Centipawns(0)).then_some(eval);
        }
    };
    Some(match eval {
        Eval::Centipawns(value) if is_negated => Eval::Centipawns(value.saturating_neg()),
        Eval::Mate(value) if is_negated => Eval::Mate(value.saturating_neg()),
        eval => eval,
    })
}

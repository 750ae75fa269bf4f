//! A form of comment: its declaration, from which the column `comment_form` and the table of `docs/columns.md` are
//! made.

use crate::pgn::cursor::Cursor;

use super::comment::EngineComment;

/// A form of comment.
#[derive(Debug)]
pub struct CommentForm {
    /// Its name in the column `comment_form`.
    pub name: &'static str,
    /// The programs that write it.
    pub writers: &'static str,
    /// Comments of this form, without braces. A test reads them.
    pub examples: &'static [&'static str],
    /// What is read of it.
    pub doc: &'static str,
    /// Whose view an evaluation has, for the documentation.
    pub view: &'static str,
    /// Is it one of the two between which a comment of [`EvalView::OfGame`](super::EvalView::OfGame) does not decide?
    pub(super) is_ambiguous: bool,
    /// Reads a whole comment; `None` if it is not of this form.
    pub(super) read: fn(Cursor<'_>) -> Option<EngineComment>,
}

impl PartialEq for CommentForm {
    fn eq(&self, other: &CommentForm) -> bool {
        self.name == other.name
    }
}

impl CommentForm {
    /// Does a comment of this form, if its view is known, decide about those of the game that alone do not?
    pub fn is_style(&self) -> bool {
        self.is_ambiguous
    }
}

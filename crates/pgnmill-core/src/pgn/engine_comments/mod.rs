//! What chess engines leave in the comments of their games: an evaluation, a depth, a time, nodes, a variation.
//!
//! In: the text of one comment without its braces. Out: [`Found`]: what was read and by which [`CommentForm`]; or that
//! the text has the look of a form and is none; or nothing. Invariants: a comment is read as a whole or not at all, so
//! that prose is never taken for an evaluation; whose view the writer has follows from the form, where the form does
//! not decide it from the game ([`EvalView`]), and where neither does there is no evaluation. Cost: a byte for a
//! comment that begins otherwise; else a small number of readings of the comment, whatever its bytes are. Nothing is
//! allocated.
//!
//! A form is a file, and a line of `FORMS`. Whitespace is every byte up to the space.
//!
//! ```
//! use pgnmill_core::pgn::engine_comments::{Found, EvalView, engine_comment};
//! use pgnmill_core::pgn::Eval;
//! let Found::Comment(form, read) = engine_comment(b"+1.16/8 0.022s") else { panic!("cutechess") };
//! assert_eq!((form.name, read.view), ("cutechess", EvalView::Mover));
//! assert_eq!((read.eval, read.depth, read.time), (Some(Eval::Centipawns(116)), Some(8), Some(22)));
//! assert_eq!(engine_comment(b"+1.16/8 or so"), Found::Unreadable);
//! assert_eq!(engine_comment(b"+- is winning"), Found::Nothing);
//! ```

mod banksia;
mod book;
mod c_chess_cli;
mod chessbase;
mod comment;
mod cutechess;
mod form;
mod items;
mod score;
mod tcec;
mod xboard;

pub use comment::{EngineComment, EvalView};
pub use form::CommentForm;

use super::cursor::{Cursor, is_whitespace};
use score::{score, skip_bracketed};

/// The forms, in the order in which they are tried: of a text that two could read the first decides.
pub static FORMS: [CommentForm; FORMS_COUNT] = [
    tcec::FORM,
    c_chess_cli::FORM,
    cutechess::FORM,
    xboard::FORM,
    chessbase::FORM,
    banksia::FORM,
    book::FORM,
];

const FORMS_COUNT: usize = 7;

/// The name of the command `%eval` among those of [`FORM_NAMES`].
const EVAL: &str = "eval";

/// The names of all forms: the command `%eval`, which is no form of this module, then those of [`FORMS`] in their
/// order.
pub const FORM_NAMES: [&str; FORMS_COUNT + 1] = {
    let mut names = [EVAL; FORMS_COUNT + 1];
    let mut index = 0;
    while index < FORMS_COUNT {
        names[index + 1] = FORMS[index].name;
        index += 1;
    }
    names
};

impl CommentForm {
    /// Its index in [`FORM_NAMES`].
    pub fn index(&self) -> usize {
        // Each form has a name of its own, and is one of them.
        FORM_NAMES.iter().position(|name| *name == self.name).unwrap_or_default()
    }
}

/// What a comment is.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Found {
    /// Not of an engine.
    Nothing,
    /// It begins as a form does, and is none: nothing is read of it.
    Unreadable,
    /// What was read, and the form.
    Comment(&'static CommentForm, EngineComment),
}

/// Reads the text of a comment without its braces, and without what follows its first command (`[%`).
pub fn engine_comment(text: &[u8]) -> Found {
    let start = text.iter().position(|&byte| !is_whitespace(byte)).unwrap_or(text.len());
    let begins = |byte: &u8| byte.is_ascii_digit() || b"+-(#MEdeb/".contains(byte);
    if !text.get(start).is_some_and(begins) {
        return Found::Nothing;
    }
    for form in &FORMS {
        if let Some(read) = (form.read)(Cursor { text, at: start }) {
            return Found::Comment(form, read);
        }
    }
    if is_near(Cursor { text, at: start }) { Found::Unreadable } else { Found::Nothing }
}

/// Does a text that is of no form begin as one: with an evaluation and `/` before a digit, or with the keys of TCEC?
/// Integers alone are too usual in prose: `1/2`, `12/3 was better`.
fn is_near(mut cursor: Cursor<'_>) -> bool {
    match &cursor.text[cursor.at..] {
        [b'e', b'v', b'=', ..] => return true,
        [b'd', b'=', depth, ..] => return depth.is_ascii_digit(),
        _ => skip_bracketed(&mut cursor),
    };
    score(&mut cursor).is_some() && cursor.accept(b'/') && cursor.digit().is_some()
}

#[cfg(test)]
mod tests;

//! A move of an opening book: `book`, which cutechess, fastchess, CCRL and TCEC write. TCEC adds items: `book, mb=+0,`.

use crate::pgn::cursor::Cursor;

use super::comment::EngineComment;
use super::form::CommentForm;
use super::score::end;

pub(super) const FORM: CommentForm = CommentForm {
    name: "book",
    writers: "cutechess, fastchess, CCRL, TCEC",
    examples: &["book", "book, mb=+0+0+0+0+0,", "book 0s"],
    doc: "nothing but that it is a move of a book",
    view: "",
    is_ambiguous: false,
    read,
};

fn read(mut cursor: Cursor<'_>) -> Option<EngineComment> {
    let rest = cursor.text[cursor.at..].strip_prefix(b"book")?;
    cursor.at += b"book".len();
    let is_book =
        end(&mut cursor).is_some() || rest.starts_with(b", mb=") || rest.trim_ascii() == b"0s";
    is_book.then(EngineComment::default)
}

//! Is an edited text still one game, which neither joins its neighbours nor vanishes?
//!
//! In: the text of a game before and after its edit. Out: whether the edit can be used; the piece of text that joints
//! are made from. Invariant: where games begin is decided by the code that divides archives. Cost: one pass over both
//! texts.

use pgnmill_io::archive::games::Starts;

use crate::engine::{End, TextPiece};
use crate::pgn::{
    BYTE_ORDER_MARK, Digits, Outcome, TagPair, TagPairs, TokenKind, Tokens, opens_tag_pair,
    tag_section_end,
};
use crate::replay::{Resume, first_token};

use super::FIXED_TAGS;

/// The end of a byte order mark at the beginning, whitespace before it included; 0 if there is none.
pub(super) fn mark_end(text: &[u8]) -> usize {
    let mark = text.len() - text.trim_ascii_start().len();
    match text[mark..].starts_with(BYTE_ORDER_MARK) {
        true => mark + BYTE_ORDER_MARK.len(),
        false => 0,
    }
}

/// The first byte that is neither whitespace nor a byte order mark.
fn first_byte(text: &[u8]) -> usize {
    let mark = mark_end(text);
    mark + text[mark..].iter().take_while(|byte| byte.is_ascii_whitespace()).count()
}

/// Is an edited text one game from its beginning on, with the moves of the text before? `tags_end`: where its tag pairs
/// should end.
pub(super) fn is_one_game(text: &[u8], edited: &[u8], tags_end: usize) -> bool {
    let inner_starts = |text| Starts::new(text).filter(|&start| start > 0).count();
    if inner_starts(edited) > inner_starts(text) {
        return false;
    }
    // What the game now ends or begins with must not run together with the adjacent games.
    let is_space = |byte: Option<&u8>| byte.is_none_or(|byte| *byte <= b' ');
    let ends_alike = is_space(edited.last()) || edited.last() == text.last();
    let was_pair = text.first() == Some(&b'[') && edited.first() != Some(&b'[');
    if !ends_alike || was_pair && !is_space(edited.first()) {
        return false;
    }
    // A game must not vanish, nor begin later.
    let is_comment = |kind| {
        use TokenKind::{Comment, CommentNested, Escape, LineComment};
        matches!(kind, Comment | CommentNested | LineComment | Escape)
    };
    // Without its tag pairs a game would begin with a comment or an escape line, which belongs to the game before it.
    let begins_with_pair = |text: &[u8]| opens_tag_pair(text, first_byte(text));
    let mark = mark_end(edited);
    let begins_with_comment = || {
        let first = Tokens::new(edited, mark, Digits::Never).next();
        first.is_some_and(|it| is_comment(it.kind) || it.kind == TokenKind::CommentUnclosed)
    };
    if begins_with_pair(text) && !begins_with_pair(edited) && begins_with_comment() {
        return false;
    }
    let first = Tokens::new(edited, mark, Digits::Never).find(|token| !is_comment(token.kind));
    if first.is_none() || first.map(|token| token.start) != first_token(edited, Resume::Text(0)) {
        return false;
    }
    !decides_moves(edited, tags_end)
}

/// Do pairs after `tags_end`, where the tag pairs of the text before ended, decide about the moves? Pairs after a
/// comment that was dropped are now of the tag section.
pub(super) fn decides_moves(edited: &[u8], tags_end: usize) -> bool {
    let start = tags_end.max(mark_end(edited));
    let joined = start..tag_section_end(edited).max(start);
    let is_fixed = |pair: TagPair| {
        let name = &edited[pair.name];
        name == b"Result" || FIXED_TAGS.iter().any(|fixed| fixed.as_bytes() == name)
    };
    TagPairs::new(edited, joined).any(is_fixed)
}

/// Adapts the piece of a game to its edited text.
pub(crate) fn adapt_piece(piece: &mut TextPiece, edited: &[u8]) {
    piece.starts &= edited.first() == Some(&b'[');
    // What the next game begins with may no longer end an edited one.
    piece.followed = false;
    if let End::Open(result) = &mut piece.end {
        let section = mark_end(edited)..tag_section_end(edited).max(mark_end(edited));
        let last = TagPairs::new(edited, section)
            .filter(|pair| &edited[pair.name.clone()] == b"Result")
            .last();
        let outcome = last.and_then(|pair| Outcome::from_canonical(&edited[pair.value]));
        *result = outcome.unwrap_or(Outcome::Unknown).canonical();
    }
}

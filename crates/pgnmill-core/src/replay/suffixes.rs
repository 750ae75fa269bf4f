//! Suffixes: what is written after a move and belongs to it (`docs/reference/suffixes.md` has the table).
//!
//! In: a token after a move, or the end of a move's token. Out: its parts, each kept or removed in conversion, by the
//! same rule whether attached to the move or not. A check suffix and `e.p.` are content of the canonical text, so
//! that another spelling of them is a repair; punctuation has no content; the rest is annotation and kept where it
//! is. Cost: only tokens that are no move are examined.

use std::ops::Range;

use crate::notation::{Check, Reading};
use crate::pgn::deviation::Deviation;
use crate::pgn::{Digits, Token, TokenKind, Tokens};

use super::line::{Line, LineStack};
use super::ruleset::Ruleset;
use super::visitor::MovetextVisitor;
use super::{NonPly, Replayer};

/// The six annotations of the standard have one or two characters.
pub(super) const GLYPH_BYTES_MAX: usize = 2;

/// No text of a move is longer, with its suffixes.
const JOINED_BYTES_MAX: usize = 64;

/// The meaning of a suffix.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Suffix {
    /// Check, double check, discovered check or mate.
    Check,
    /// En passant.
    EnPassant,
    /// None: `.`, `,`.
    Punctuation,
    /// An annotation: it is kept.
    #[default]
    Annotation,
}

/// Texts that may be attached to a move and to each other, the longer before those they begin or end with.
const ATTACHED: &[(&str, Suffix)] = &[
    ("dbl.ch.", Suffix::Check),
    ("dis.ch.", Suffix::Check),
    ("dbl.ch", Suffix::Check),
    ("dis.ch", Suffix::Check),
    ("dblch.", Suffix::Check),
    ("disch.", Suffix::Check),
    ("dblch", Suffix::Check),
    ("disch", Suffix::Check),
    ("check", Suffix::Check),
    ("mate", Suffix::Check),
    ("e.p.", Suffix::EnPassant),
    ("e.p", Suffix::EnPassant),
    ("ep.", Suffix::EnPassant),
    ("ep", Suffix::EnPassant),
    ("a.p.", Suffix::EnPassant),
    ("a.p", Suffix::EnPassant),
    ("ap.", Suffix::EnPassant),
    ("ap", Suffix::EnPassant),
    ("ch.", Suffix::Check),
    ("ch", Suffix::Check),
    ("++", Suffix::Check),
    ("##", Suffix::Check),
    ("+#", Suffix::Check),
    ("†", Suffix::Check),
    ("‡", Suffix::Check),
    ("+", Suffix::Check),
    ("#", Suffix::Check),
    (".", Suffix::Punctuation),
    (",", Suffix::Punctuation),
    ("‼", Suffix::Annotation),
    ("⁇", Suffix::Annotation),
    ("⁈", Suffix::Annotation),
    ("⁉", Suffix::Annotation),
    ("±", Suffix::Annotation),
    ("∓", Suffix::Annotation),
    ("⩲", Suffix::Annotation),
    ("⩱", Suffix::Annotation),
    ("∞", Suffix::Annotation),
    ("□", Suffix::Annotation),
    ("△", Suffix::Annotation),
    ("∆", Suffix::Annotation),
    ("⌓", Suffix::Annotation),
];

/// Texts that are a suffix only as a token of their own. Attached to a move, letters would be piece letters, and
/// evaluations could be read as check or promotion (`Qxd5+=+`).
const DETACHED: &[(&str, Suffix)] = &[
    ("dbl", Suffix::Check),
    ("dbl.", Suffix::Check),
    ("dis", Suffix::Check),
    ("dis.", Suffix::Check),
    ("N", Suffix::Annotation),
    ("TN", Suffix::Annotation),
    ("D", Suffix::Annotation),
    ("RR", Suffix::Annotation),
    ("only", Suffix::Annotation),
    ("move", Suffix::Annotation),
    ("inf", Suffix::Annotation),
    ("=", Suffix::Annotation),
    ("+-", Suffix::Annotation),
    ("-+", Suffix::Annotation),
    ("+−", Suffix::Annotation),
    ("−+", Suffix::Annotation),
    ("+/-", Suffix::Annotation),
    ("-/+", Suffix::Annotation),
    ("+=", Suffix::Annotation),
    ("=+", Suffix::Annotation),
    ("=/+", Suffix::Annotation),
    ("+/=", Suffix::Annotation),
];

/// At most so many suffixes are attached to one move, or to each other; a token with more is no suffix.
pub(super) const ATTACHED_MAX: usize = 8;

/// The suffixes that a token consists of, and their bytes in it; empty if it does not consist of suffixes.
pub(super) fn suffixes(token: &[u8]) -> impl Iterator<Item = (Suffix, Range<usize>)> {
    let parts = parts(token).unwrap_or_default();
    let ends = parts.map(|(_, end)| end);
    (0..).zip(parts).map_while(move |(index, (suffix, end))| {
        let start = if index == 0 { 0 } else { ends[index - 1] };
        (end > start).then_some((suffix, start..end))
    })
}

/// Does a token consist of suffixes?
pub(super) fn is_suffix(token: &[u8]) -> bool {
    parts(token).is_some()
}

/// Is a check suffix among those that a token consists of?
pub(super) fn has_check(token: &[u8]) -> bool {
    suffixes(token).any(|(suffix, _)| suffix == Suffix::Check)
}

/// Does a word behind a move begin with a suffix that is not in a canonical text?
pub(crate) fn begins_with_redundant(word: &[u8]) -> bool {
    suffixes(word).next().is_some_and(|(suffix, _)| suffix != Suffix::Annotation)
}

/// The suffixes of a token and the end of each; unused ones are empty.
type Parts = [(Suffix, usize); ATTACHED_MAX];

fn parts(token: &[u8]) -> Option<Parts> {
    // Most moves end so, and no suffix.
    if token.last().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let mut parts = Parts::default();
    let mut free = parts.iter_mut();
    let mut at = 0;
    // A token of the second list may have punctuation after it.
    let bare = token.len() - token.iter().rev().take_while(|byte| b".,".contains(byte)).count();
    for whole in [token, &token[..bare]] {
        if let Some(&(_, suffix)) = DETACHED.iter().find(|(text, _)| text.as_bytes() == whole)
            && at == 0
        {
            at = whole.len();
            *free.next()? = (suffix, at);
        }
    }
    while at < token.len() {
        let rest = &token[at..];
        let (text, suffix) = ATTACHED.iter().find(|(text, _)| rest.starts_with(text.as_bytes()))?;
        at += text.len();
        *free.next()? = (*suffix, at);
    }
    (at > 0).then_some(parts)
}

/// Where a token may end as a move, the longest first, if what follows are suffixes.
pub(super) fn move_ends(token: &[u8]) -> impl Iterator<Item = usize> {
    let mut end = token.len();
    std::iter::from_fn(move || {
        let texts = ATTACHED.iter().map(|(text, _)| text.as_bytes());
        let longest = texts.filter(|text| token[..end].ends_with(text)).map(<[u8]>::len).max()?;
        end -= longest;
        (end > 0).then_some(end)
    })
    .take(ATTACHED_MAX)
}

/// The suffixes after a move that ends at `at`: tokens up to the first that is no suffix, comment or annotation.
fn following(text: &[u8], at: usize) -> impl Iterator<Item = &[u8]> {
    let mut tokens = Tokens::new(text, at, Digits::Never);
    std::iter::from_fn(move || {
        loop {
            let token = tokens.next()?;
            let bytes = &text[token.start..token.end];
            match token.kind {
                TokenKind::Comment | TokenKind::Nag | TokenKind::Suffix | TokenKind::Blank => {}
                TokenKind::Number if bytes.starts_with(b".") => {}
                TokenKind::Move if is_suffix(bytes) => return Some(bytes),
                _ => return None,
            }
        }
    })
}

/// Does a check suffix follow a move that ends at `at`? Then the move has one, though not the canonical one.
#[cold]
pub(super) fn check_suffix_follows(text: &[u8], at: usize) -> bool {
    following(text, at).any(has_check)
}

impl Replayer<'_> {
    /// The deviations, one or two, of a suffix whose spelling is not that of the canonical text.
    fn suffix_deviations<R: Ruleset>(
        lines: &LineStack<R>,
        suffix: Suffix,
    ) -> [Option<Deviation>; 2] {
        match suffix {
            Suffix::Annotation => [Some(Deviation::SuffixUnusual), None],
            Suffix::Punctuation => [Some(Deviation::SuffixPunctuation), None],
            Suffix::EnPassant if lines.line.took_en_passant() => {
                [Some(Deviation::EnPassantMark), None]
            }
            Suffix::EnPassant => {
                [Some(Deviation::EnPassantMark), Some(Deviation::CaptureMarkExtra)]
            }
            Suffix::Check => {
                let is_written = lines.notation.info().writes_check;
                let checks = is_written && R::check(lines.line.position()) != Check::None;
                let kind =
                    if checks { Deviation::CheckMarkStyle } else { Deviation::CheckMarkExtra };
                [Some(kind), None]
            }
        }
    }

    /// Reads a token that fits several moves together with the suffixes after it: in some notations these disambiguate
    /// (`PxP e.p.`).
    #[cold]
    pub(super) fn read_joined<R: Ruleset>(
        &self,
        lines: &LineStack<R>,
        text: &[u8],
        token: Token,
    ) -> Option<Reading<R::Move>> {
        let mut joined = [0; JOINED_BYTES_MAX];
        let mut end = 0;
        let first = &text[token.start..token.end];
        for part in std::iter::once(first).chain(following(text, token.end)) {
            joined.get_mut(end..end + part.len())?.copy_from_slice(part);
            end += part.len();
        }
        let line = &lines.line;
        R::read(lines.notation, &joined[..end], line.position(), line.lineage()).ok()
    }

    /// Annotation characters that are none of the standard's six annotations.
    #[cold]
    pub(super) fn glyphs<R: Ruleset>(&mut self, line: &mut Line<R>, token: Token) {
        let span = token.start..token.end;
        if !line.dead && !self.deviate(Deviation::SuffixUnusual, span, line.ply) {
            line.dead = true;
        }
    }

    /// Suffixes of the last move: annotations are kept where they are; what the canonical text of the move contains in
    /// its own spelling is redundant.
    #[cold]
    pub(super) fn suffixes<R: Ruleset>(
        &mut self,
        lines: &mut LineStack<R>,
        text: &[u8],
        token: Range<usize>,
        attached: bool,
        visitor: &mut dyn MovetextVisitor<R>,
    ) {
        // Before the first move a suffix belongs to none. After a comment that ends with its line nothing can be
        // removed without a line that is empty or begins otherwise.
        let spaces = text[..token.start].iter().rev().take_while(|&&byte| byte <= b' ').count();
        let is_kept = !lines.line.moved || self.state.comment_line_end + spaces >= token.start;
        for (suffix, part) in suffixes(&text[token.clone()]) {
            if lines.line.dead {
                return;
            }
            let span = token.start + part.start..token.start + part.end;
            let suffix = if is_kept { Suffix::Annotation } else { suffix };
            let mut kinds = Self::suffix_deviations(lines, suffix).into_iter().flatten();
            if !kinds.all(|kind| self.deviate(kind, span.clone(), lines.line.ply)) {
                lines.line.dead = true;
            } else if suffix != Suffix::Annotation {
                visitor.non_ply(text, span, NonPly::RedundantSuffix);
            } else if !attached {
                visitor.non_ply(text, span, NonPly::NonMove);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_of_suffixes_are_split_from_end_to_end() {
        let first: Vec<&str> = ATTACHED.iter().map(|(text, _)| *text).collect();
        for one in &first {
            for other in &first {
                let token = format!("{one}{other}");
                let mut end = 0;
                for (_, place) in suffixes(token.as_bytes()) {
                    assert_eq!(place.start, end);
                    end = place.end;
                }
                assert_eq!(end, token.len(), "{token}");
                assert!(is_suffix(token.as_bytes()));
                // The split from the other end is the same.
                let body = format!("Nf3{token}");
                assert!(move_ends(body.as_bytes()).any(|end| end == 3), "{body}");
            }
        }
        for (text, suffix) in ATTACHED.iter().chain(DETACHED) {
            assert_eq!(suffixes(text.as_bytes()).next().map(|(suffix, _)| suffix), Some(*suffix));
            assert_eq!(suffixes(text.as_bytes()).count(), 1, "{text}");
        }
        for token in ["", "e4", "+=+", "N+", "+N", "TNN", "o", "++-"] {
            assert!(!is_suffix(token.as_bytes()) && suffixes(token.as_bytes()).next().is_none());
        }
        assert!(!is_suffix("+".repeat(2 * ATTACHED_MAX + 1).as_bytes()));
        assert_eq!(suffixes(b"mate.").count(), 2);
        assert_eq!(suffixes(b"TN,").map(|(suffix, _)| suffix).last(), Some(Suffix::Punctuation));
    }
}

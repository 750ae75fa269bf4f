//! Suffixes: what is written after a move and says something of it (`docs/suffixes.md` has the table).
//!
//! In: a word after a move, or the end of a move's word. Out: its parts, each kept or left out in conversion. One rule holds
//! whether a suffix is attached to the move or not. A check suffix and `e.p.` are part of what the canonical text of a move
//! says, so that another spelling of them is a repair; punctuation says nothing; the rest is annotation, kept where it is.
//! Cost: only words that are no move come here.

use std::ops::Range;

use crate::notation::{Check, Reading};
use crate::pgn::deviation::Deviation;
use crate::pgn::{Digits, Token, TokenKind, Tokens};

use super::game::Line;
use super::{ReplayVisitor, Replayer};

/// The six annotations of the standard are one or two signs, in any order.
pub(super) const GLYPH_BYTES_MAX: usize = 2;

/// No text of a move is longer, with its suffixes.
const JOINED_BYTES_MAX: usize = 64;

/// What a suffix says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Suffix {
    /// Check, double check, discovered check or mate.
    Check,
    /// En passant.
    EnPassant,
    /// Nothing: `.`, `,`.
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

/// Texts that are a suffix as a word of their own. Attached to a move, letters would be piece letters and signs of evaluation
/// could be taken for check or promotion (`Qxd5+=+`).
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

/// So many suffixes may be attached to one move, or to each other: a word with more is none.
pub(super) const ATTACHED_MAX: usize = 8;

/// The suffixes that a word consists of, with their bytes in it; nothing if it does not consist of suffixes.
pub(super) fn suffixes(word: &[u8]) -> impl Iterator<Item = (Suffix, Range<usize>)> {
    let parts = parts(word).unwrap_or_default();
    let ends = parts.map(|(_, end)| end);
    (0..).zip(parts).map_while(move |(index, (suffix, end))| {
        let start = if index == 0 { 0 } else { ends[index - 1] };
        (end > start).then_some((suffix, start..end))
    })
}

/// Does a word consist of suffixes?
pub(super) fn is_suffix(word: &[u8]) -> bool {
    parts(word).is_some()
}

/// Is a check suffix among those that a word consists of?
pub(super) fn has_check(word: &[u8]) -> bool {
    suffixes(word).any(|(suffix, _)| suffix == Suffix::Check)
}

/// The suffixes of a word and where each ends; those that are not there are empty.
type Parts = [(Suffix, usize); ATTACHED_MAX];

fn parts(word: &[u8]) -> Option<Parts> {
    let mut parts = Parts::default();
    let mut free = parts.iter_mut();
    let mut at = 0;
    // A word of the second list may have punctuation after it.
    let bare = word.len() - word.iter().rev().take_while(|byte| b".,".contains(byte)).count();
    for whole in [word, &word[..bare]] {
        if let Some(&(_, suffix)) = DETACHED.iter().find(|(text, _)| text.as_bytes() == whole)
            && at == 0
        {
            at = whole.len();
            *free.next()? = (suffix, at);
        }
    }
    while at < word.len() {
        let rest = &word[at..];
        let (text, suffix) = ATTACHED.iter().find(|(text, _)| rest.starts_with(text.as_bytes()))?;
        at += text.len();
        *free.next()? = (*suffix, at);
    }
    (at > 0).then_some(parts)
}

/// Where a word may end as a move, the longest first, if what follows are suffixes.
pub(super) fn move_ends(word: &[u8]) -> impl Iterator<Item = usize> {
    let mut end = word.len();
    std::iter::from_fn(move || {
        let texts = ATTACHED.iter().map(|(text, _)| text.as_bytes());
        let longest = texts.filter(|text| word[..end].ends_with(text)).map(<[u8]>::len).max()?;
        end -= longest;
        (end > 0).then_some(end)
    })
    .take(ATTACHED_MAX)
}

/// The suffixes that follow a move which ends at `at`: words, up to the next token that is no suffix, comment or annotation.
fn following(text: &[u8], at: usize) -> impl Iterator<Item = &[u8]> {
    let mut tokens = Tokens::new(text, at, Digits::Never);
    std::iter::from_fn(move || {
        loop {
            let token = tokens.next()?;
            let word = &text[token.start..token.end];
            match token.kind {
                TokenKind::Comment | TokenKind::Nag | TokenKind::Suffix => {}
                TokenKind::Number if word.starts_with(b".") => {}
                TokenKind::Move if is_suffix(word) => return Some(word),
                _ => return None,
            }
        }
    })
}

/// Does a check suffix follow a move that ends at `at`? Then the move has one, if not the canonical one.
#[cold]
pub(super) fn check_suffix_follows(text: &[u8], at: usize) -> bool {
    following(text, at).any(has_check)
}

impl Replayer<'_> {
    /// What a suffix in another spelling than that of the canonical text departs by, once or twice.
    fn suffix_deviations(&self, line: &Line, suffix: Suffix) -> [Option<Deviation>; 2] {
        match suffix {
            Suffix::Annotation => [Some(Deviation::SuffixUnusual), None],
            Suffix::Punctuation => [Some(Deviation::SuffixPunctuation), None],
            Suffix::EnPassant if line.took_en_passant() => [Some(Deviation::EnPassantMark), None],
            Suffix::EnPassant => {
                [Some(Deviation::EnPassantMark), Some(Deviation::CaptureMarkExtra)]
            }
            Suffix::Check => {
                let is_marked = self.written_in.info().writes_check;
                let checks = is_marked && Check::of(line.position()) != Check::None;
                let odd =
                    if checks { Deviation::CheckMarkStyle } else { Deviation::CheckMarkExtra };
                [Some(odd), None]
            }
        }
    }

    /// Reads a word that fits several moves together with the suffixes after it: where a notation goes by them, they may be
    /// what disambiguates (`PxP e.p.`).
    #[cold]
    pub(super) fn read_joined(&self, line: &Line, text: &[u8], token: Token) -> Option<Reading> {
        let mut joined = [0; JOINED_BYTES_MAX];
        let mut end = 0;
        let word = &text[token.start..token.end];
        for part in std::iter::once(word).chain(following(text, token.end)) {
            joined.get_mut(end..end + part.len())?.copy_from_slice(part);
            end += part.len();
        }
        self.written_in.read_in(&joined[..end], line.position(), line.lineage()).ok()
    }

    /// Signs of annotation that are none of the six.
    #[cold]
    pub(super) fn glyphs(&mut self, line: &mut Line, token: Token) {
        let place = token.start..token.end;
        if !line.dead && !self.deviate(Deviation::SuffixUnusual, place, line.ply) {
            line.dead = true;
        }
    }

    /// Suffixes of the last move: annotations are kept where they are, what the canonical text of the move contains in its own
    /// spelling is left out.
    #[cold]
    pub(super) fn suffixes(
        &mut self,
        line: &mut Line,
        text: &[u8],
        word: Range<usize>,
        attached: bool,
        visitor: &mut impl ReplayVisitor,
    ) {
        // Before the first move a suffix belongs to none. After a comment that ends with its line nothing can be left out
        // without a line that is empty or begins otherwise.
        let blanks = text[..word.start].iter().rev().take_while(|&&byte| byte <= b' ').count();
        let is_kept = !line.moved || self.state.comment_line_end + blanks >= word.start;
        for (suffix, place) in suffixes(&text[word.clone()]) {
            if line.dead {
                return;
            }
            let place = word.start + place.start..word.start + place.end;
            let suffix = if is_kept { Suffix::Annotation } else { suffix };
            let mut odd = self.suffix_deviations(line, suffix).into_iter().flatten();
            if !odd.all(|odd| self.deviate(odd, place.clone(), line.ply)) {
                line.dead = true;
            } else if suffix != Suffix::Annotation {
                visitor.redundant_suffix(text, place);
            } else if !attached {
                visitor.non_move(text, place);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_suffixes_are_taken_apart_from_end_to_end() {
        let first: Vec<&str> = ATTACHED.iter().map(|(text, _)| *text).collect();
        for one in &first {
            for other in &first {
                let word = format!("{one}{other}");
                let mut end = 0;
                for (_, place) in suffixes(word.as_bytes()) {
                    assert_eq!(place.start, end);
                    end = place.end;
                }
                assert_eq!(end, word.len(), "{word}");
                assert!(is_suffix(word.as_bytes()));
                // From the other end it begins there too.
                let body = format!("Nf3{word}");
                assert!(move_ends(body.as_bytes()).any(|end| end == 3), "{body}");
            }
        }
        for (text, suffix) in ATTACHED.iter().chain(DETACHED) {
            assert_eq!(suffixes(text.as_bytes()).next().map(|(suffix, _)| suffix), Some(*suffix));
            assert_eq!(suffixes(text.as_bytes()).count(), 1, "{text}");
        }
        for word in ["", "e4", "+=+", "N+", "+N", "TNN", "o", "++-"] {
            assert!(!is_suffix(word.as_bytes()) && suffixes(word.as_bytes()).next().is_none());
        }
        assert!(!is_suffix("+".repeat(2 * ATTACHED_MAX + 1).as_bytes()));
        assert_eq!(suffixes(b"mate.").count(), 2);
        assert_eq!(suffixes(b"TN,").map(|(suffix, _)| suffix).last(), Some(Suffix::Punctuation));
    }
}

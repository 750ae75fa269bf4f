//! The tag section of a game: its tag pairs, the notation they name, and the history that this notation requires.
//!
//! In: the text at the first byte of a game. Out: a [`TagSection`], the offset of the movetext, and deviations.
//! Nearly all pairs are read by the fast path (`fast/tags.rs`), the others one by one.

use crate::chess::rules::RulesKind;
use crate::notation::{self, Notation};
use crate::pgn::deviation::{Deviation, quoted};
use crate::pgn::{Digits, TagPair, Token, TokenKind, Tokens, unreadable_end, unreadable_reason};

use super::bounds::whitespace_end;
use super::fast::tags::TagLines;
use super::ruleset::Ruleset;
use super::{History, Replayer, TagSection};

impl Replayer<'_> {
    /// Reads the tag pairs from byte `start` on into `tags`; returns the offset of the movetext.
    pub(super) fn tags(&mut self, text: &[u8], start: usize, tags: &mut TagSection) -> usize {
        let mut tokens = Tokens::new(text, start, Digits::Never);
        loop {
            let mut at = whitespace_end(text, tokens.at());
            // The fast path reads lines, so it begins at a line's first byte.
            if tags.count == 0 || matches!(text[at - 1], b'\n' | b'\r') {
                at = self.level.run(TagLines { text, at, tags });
                at = whitespace_end(text, at);
            }
            if let Some(pair) = TagPair::read_in_section(text, at) {
                let found = tags.add(text, at, &pair);
                if pair.deviation.is_some() || !found.is_empty() {
                    for kind in pair.deviation.into_iter().chain(found.iter()) {
                        self.deviate(kind, at..pair.end, 0);
                    }
                }
                tokens.go_to(pair.end);
                continue;
            }
            if tags.count > 0
                && text.get(at) == Some(&b'[')
                && let Some(end) = unreadable_end(text, at)
            {
                self.fail(Deviation::TagUnreadable, at..end, 0, || {
                    unreadable_reason(&text[at..end]).to_string()
                });
                tokens.go_to(end);
                continue;
            }
            tokens.go_to(at);
            match tokens.next() {
                Some(token) if is_between_tags(token) => {
                    let noted = match token.kind {
                        TokenKind::Escape => Some(Deviation::EscapeLine),
                        TokenKind::Blank => Some(Deviation::WhitespaceUnusual),
                        _ => None,
                    };
                    if let Some(kind) = noted {
                        self.deviate(kind, token.start..token.end, 0);
                    }
                }
                _ => {
                    let missing = match tags.count {
                        _ if self.of_lines => None,
                        0 => Some(Deviation::GameWithoutTags),
                        _ if !tags.has_roster() => Some(Deviation::RosterIncomplete),
                        _ => None,
                    };
                    if let Some(kind) = missing {
                        self.deviate(kind, start..start, 0);
                    }
                    return at;
                }
            }
        }
    }

    /// The notation of the moves: the tag pair's, else that of the run, else the usual one of the rules: SAN, and in
    /// Chess 99 its own, which the run does not change.
    pub(super) fn notation(&mut self, text: &[u8], tags: &TagSection) -> &'static dyn Notation {
        let usual = notation::usual(tags.rules);
        let Some(span) = tags.notation.clone() else {
            let is_forced = self.of_lines || tags.rules != RulesKind::Chess99;
            return self.forced.filter(|_| is_forced).unwrap_or(usual);
        };
        if let Some(other) = tags.notation_against.clone() {
            self.fail(Deviation::NotationAmbiguous, other, 0, || {
                "two MoveNotation tag pairs differ, or there are more than two".to_string()
            });
        }
        let value = &text[span.clone()];
        notation::find_bytes(value).unwrap_or_else(|| {
            self.fail(Deviation::NotationUnknown, span, 0, || {
                let name = quoted(value);
                format!("there is no notation {name}; `pgnmill notations` lists them")
            });
            usual
        })
    }

    /// The history at the beginning of the game, where a notation that is read or written requires it.
    pub(super) fn lineage<R: Ruleset>(
        &mut self,
        position: &R::Position,
        notation: &'static dyn Notation,
        start: usize,
    ) -> Option<R::Lineage> {
        let read = History::of(notation);
        if read == History::Ignored && self.history == History::Ignored {
            return None;
        }
        let lineage = R::lineage_of(position);
        if lineage.is_none() && (read == History::Required || self.history == History::Required) {
            self.fail(Deviation::NotationNeedsInitialArray, start..start, 0, || {
                "the notation names pieces by where they began, and the game begins elsewhere"
                    .to_string()
            });
        }
        lineage
    }

    /// Refuses a game of which the moves alone are written, if these do not state where it begins: with other rules
    /// than those of the run, or elsewhere than in their array.
    #[cold]
    pub(super) fn check_array<R: Ruleset>(
        &mut self,
        tags: &TagSection,
        position: &R::Position,
        start: usize,
    ) {
        let begins_in_array = !self.state.has_record || R::lineage_of(position).is_some();
        if tags.rules != self.rules || !begins_in_array {
            let kind = Deviation::NotationNeedsInitialArray;
            self.fail(kind, start..start, 0, || {
                "the moves alone do not state where the game begins, or by which rules it is played"
                    .to_string()
            });
        }
    }
}

/// Is the token allowed between tag pairs?
fn is_between_tags(token: Token) -> bool {
    matches!(token.kind, TokenKind::Escape | TokenKind::LineComment | TokenKind::Blank)
}

//! Edits of a game's text: comments, clocks, evaluations, NAGs and variations are dropped, tag pairs set or removed.
//!
//! In: the text of a game, and where its movetext begins. Out: the edited text. Invariants: the tokens that are kept,
//! and their order, are those of the text (each edited movetext is read again, and left as it was where this would not
//! hold); what is not closed is kept; an edit of edited text changes nothing. Cost: two passes over the tokens of the
//! game.
//!
//! Between two kept tokens remains the line break that was there, else one space. A number of a move by Black (`1...`)
//! after dropped text is dropped too if a move is before it.
//!
//! ```
//! use pgnmill_core::tasks::select::Edits;
//! let edits = Edits { comments: true, ..Edits::default() };
//! let text = b"[Event \"a\"]\n\n1. e4 {c} 1... e5 *\n";
//! let edited = edits.apply(text, 11, pgnmill_core::pgn::Digits::Never);
//! assert_eq!(edited, b"[Event \"a\"]\n\n1. e4 e5 *\n");
//! ```

mod one_game;
mod tag_section;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::pgn::{
    CommandKind, Digits, TagPair, Token, TokenKind, Tokens, commands, tag_section_end,
};

pub(crate) use one_game::adapt_piece;
use one_game::{decides_moves, is_one_game, mark_end};

/// Tag pairs that decide how the moves are read: they are not edited.
pub const FIXED_TAGS: [&str; 5] = ["FEN", "SetUp", "Setup", "Variant", "MoveNotation"];

/// What is edited.
#[derive(Clone, Debug, Default)]
pub struct Edits {
    /// Drop all comments.
    pub comments: bool,
    /// Drop the commands `%clk` and `%emt` of comments, and comments in which nothing else is.
    pub clocks: bool,
    /// Likewise `%eval`.
    pub evals: bool,
    /// Drop NAGs: `$n`, `!`, `?` and so on.
    pub nags: bool,
    /// Drop variations.
    pub variations: bool,
    /// Names and values of tag pairs that are set.
    pub set: Vec<(String, String)>,
    /// Names of tag pairs that are removed.
    pub remove: Vec<String>,
    /// Which of the first 64 of these a game had: a bit for each, of all copies of this value.
    pub removed: Arc<AtomicU64>,
    /// Of which kinds something was dropped: bits of `Found`, of all copies of this value.
    pub dropped: Arc<AtomicU64>,
}

/// The kinds of text that a game has of those that are dropped: a bit for each of [`KINDS`].
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
struct Found(u64);

/// The names of what can be dropped, in the order of their bits.
const KINDS: [&str; 5] = ["comments", "clocks", "evals", "nags", "variations"];

impl Found {
    const COMMENT: u64 = 1;
    const CLOCK: u64 = 2;
    const EVAL: u64 = 4;
    const NAG: u64 = 8;
    const VARIATION: u64 = 16;
}

/// What becomes of tag pairs that are removed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Removed {
    Gone,
    /// They have the value `?`: a game may need a pair at its beginning.
    Emptied,
}

/// What becomes of a token.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Kept,
    Dropped,
    /// A comment without some of its commands.
    Cut,
}

impl Edits {
    /// Is nothing edited?
    pub fn is_none(&self) -> bool {
        !self.edits_movetext() && self.set.is_empty() && self.remove.is_empty()
    }

    /// The names that are to be removed and that no game had so far.
    pub fn unmet(&self) -> impl Iterator<Item = &str> {
        let met = self.removed.load(Ordering::Relaxed);
        let names = self.remove.iter().take(u64::BITS as usize).enumerate();
        names.filter(move |(index, _)| met >> index & 1 == 0).map(|(_, name)| name.as_str())
    }

    /// What is to be dropped and was in no game so far, as the words of `--drop`.
    pub fn undropped(&self) -> impl Iterator<Item = &'static str> {
        let met = self.dropped.load(Ordering::Relaxed);
        let kinds = [self.comments, self.clocks, self.evals, self.nags, self.variations];
        let kinds = kinds.into_iter().zip(KINDS).enumerate();
        kinds.filter(move |(bit, (drops, _))| *drops && met >> bit & 1 == 0).map(|(_, it)| it.1)
    }

    /// Something of these kinds was dropped from a game.
    fn dropped(&self, Found(bits): Found) {
        if self.dropped.load(Ordering::Relaxed) & bits != bits {
            self.dropped.fetch_or(bits, Ordering::Relaxed);
        }
    }

    /// A game has a pair that is removed.
    fn meets(&self, index: usize) {
        let bit = 1_u64.checked_shl(index as u32).unwrap_or(0);
        if self.removed.load(Ordering::Relaxed) & bit != bit {
            self.removed.fetch_or(bit, Ordering::Relaxed);
        }
    }

    fn edits_movetext(&self) -> bool {
        self.comments || self.clocks || self.evals || self.nags || self.variations
    }

    /// The edited text of a game, whose tag pairs end at `tags_end`. Where it would not be one game, pairs that are to
    /// be removed have the value `?` instead; else only the tag pairs are edited; where that would not be one game
    /// either, nothing is.
    pub fn apply(&self, text: &[u8], tags_end: usize, digits: Digits) -> Vec<u8> {
        let applied = |edits: &Edits| {
            let by = |removed| edits.applied(text, tags_end, digits, removed);
            by(Removed::Gone).or_else(|| by(Removed::Emptied))
        };
        if let Some(edited) = applied(self) {
            return edited;
        }
        let (set, remove) = (self.set.clone(), self.remove.clone());
        let removed = Arc::clone(&self.removed);
        let of_tags = Edits { set, remove, removed, ..Edits::default() };
        applied(&of_tags).unwrap_or_else(|| text.to_vec())
    }

    /// The edited text, if it is one game.
    fn applied(
        &self,
        text: &[u8],
        tags_end: usize,
        digits: Digits,
        removed: Removed,
    ) -> Option<Vec<u8>> {
        let (mut edited, mut start, found) = self.edited(text, tags_end, digits, removed);
        // Pairs after a comment that was dropped belong to the tag section now.
        let section_end = tag_section_end(&edited).max(mark_end(&edited));
        let edits_tags = !self.set.is_empty() || !self.remove.is_empty();
        if section_end > start && edits_tags {
            if decides_moves(&edited, start) {
                return None;
            }
            let (mut again, rest) = self.tags(&edited, section_end, removed);
            start = again.len();
            again.extend_from_slice(&edited[rest..]);
            edited = again;
        }
        if edited != text && !is_one_game(text, &edited, start) {
            return None;
        }
        self.dropped(found);
        Some(edited)
    }

    /// The edited text, where its tag pairs end, and what was dropped.
    fn edited(
        &self,
        text: &[u8],
        tags_end: usize,
        digits: Digits,
        removed: Removed,
    ) -> (Vec<u8>, usize, Found) {
        let (mut edited, tags_end) = self.tags(text, tags_end.max(mark_end(text)), removed);
        let movetext = &text[tags_end..];
        if !self.edits_movetext() {
            let start = edited.len();
            edited.extend_from_slice(movetext);
            return (edited, start, Found::default());
        }
        let start = edited.len();
        // Read again each time: a list of the tokens would take many times the memory of the text.
        let tokens = WholeTokens::new(text, tags_end, digits);
        let (fates, mut found) = self.fates(text, &tokens);
        self.movetext(text, tags_end, tokens.clone().zip(fates.iter().copied()), &mut edited);
        // Whatever the text is: the edit must not change what is kept.
        let kept = tokens.zip(fates).filter(|(_, fate)| *fate != Fate::Dropped);
        let kept = kept.map(|(token, fate)| (token.kind, self.written(text, &token, fate)));
        let read = WholeTokens::new(&edited, start, digits);
        let read = read.map(|token| (token.kind, Cow::Borrowed(&edited[token.start..token.end])));
        if !read.eq(kept) {
            edited.truncate(start);
            edited.extend_from_slice(movetext);
            found = Found::default();
        }
        (edited, start, found)
    }

    /// What becomes of each token, and what is dropped.
    fn fates(&self, text: &[u8], tokens: &WholeTokens<'_>) -> (Vec<Fate>, Found) {
        let (mut fates, mut found) = (Vec::<Fate>::new(), Found::default());
        let mut opened: Vec<u32> = Vec::new();
        // The first and the last token of the outermost whole variations; only whole ones are dropped.
        let mut variations: Vec<(u32, u32)> = Vec::new();
        for token in tokens.clone() {
            // A game has fewer bytes than a `u32` can count.
            let index = fates.len() as u32;
            fates.push(match token.kind {
                TokenKind::Open if self.variations => {
                    opened.push(index);
                    Fate::Kept
                }
                TokenKind::Close => {
                    if let Some(open) = opened.pop() {
                        while variations.pop_if(|inner| inner.0 > open).is_some() {}
                        variations.push((open, index));
                    }
                    Fate::Kept
                }
                TokenKind::Nag | TokenKind::Suffix if self.nags => {
                    found.0 |= Found::NAG;
                    Fate::Dropped
                }
                TokenKind::Comment | TokenKind::CommentNested | TokenKind::LineComment => {
                    self.fate_of_comment(&text[token.start..token.end], &mut found)
                }
                _ => Fate::Kept,
            });
        }
        for (open, close) in variations {
            found.0 |= Found::VARIATION;
            fates[open as usize..=close as usize].fill(Fate::Dropped);
        }
        // Numbers after dropped text; `true` while the last kept token is a move or what belongs to one.
        let mut after_move = false;
        for (index, Token { kind, start, end }) in tokens.clone().enumerate() {
            if fates[index] == Fate::Dropped {
                continue;
            }
            let after_dropped = index > 0 && fates[index - 1] == Fate::Dropped;
            let is_of_black = kind == TokenKind::Number
                && text[start..end].first().is_some_and(u8::is_ascii_digit)
                && text[start..end].ends_with(b"..");
            if after_dropped && after_move && is_of_black {
                fates[index] = Fate::Dropped;
                continue;
            }
            if kind == TokenKind::Blank {
                continue;
            }
            after_move = matches!(kind, TokenKind::Move | TokenKind::Nag | TokenKind::Suffix);
        }
        (fates, found)
    }

    /// The text of a token that is kept.
    fn written<'t>(&self, text: &'t [u8], token: &Token, fate: Fate) -> Cow<'t, [u8]> {
        let written = &text[token.start..token.end];
        match fate {
            Fate::Cut => Cow::Owned(self.cut(written)),
            Fate::Kept | Fate::Dropped => Cow::Borrowed(written),
        }
    }

    fn fate_of_comment(&self, comment: &[u8], found: &mut Found) -> Fate {
        let dropped = || commands(comment).filter(|command| self.drops(command.kind));
        if self.comments {
            found.0 |= Found::COMMENT;
            dropped().for_each(|command| found.0 |= bit_of(command.kind));
            return Fate::Dropped;
        }
        if dropped().next().is_none() {
            return Fate::Kept;
        }
        let cut = self.cut(comment);
        let inner = cut.strip_prefix(b"{").and_then(|cut| cut.strip_suffix(b"}"));
        let inner = inner.or_else(|| cut.strip_prefix(b";")).unwrap_or(&cut);
        if cut == comment {
            return Fate::Kept;
        }
        let closed = dropped().filter(|command| comment[command.span.end - 1] == b']');
        closed.for_each(|command| found.0 |= bit_of(command.kind));
        if inner.trim_ascii().is_empty() { Fate::Dropped } else { Fate::Cut }
    }

    fn drops(&self, kind: CommandKind) -> bool {
        match bit_of(kind) {
            Found::CLOCK => self.clocks,
            _ => self.evals,
        }
    }

    /// A comment without the commands that are dropped, and the whitespace before each; at the beginning of a comment
    /// that after it.
    fn cut(&self, comment: &[u8]) -> Vec<u8> {
        let mut cut = Vec::with_capacity(comment.len());
        // The length of the comment so far without the whitespace at its end.
        let (mut copied, mut bare) = (0, 0);
        for command in commands(comment) {
            let Range { start, end } = command.span;
            if !self.drops(command.kind) || comment[end - 1] != b']' {
                continue;
            }
            let before = &comment[copied..start];
            match before.trim_ascii_end().len() {
                0 => {}
                len => bare = cut.len() + len,
            }
            cut.extend_from_slice(before);
            copied = end;
            if bare > 1 {
                cut.truncate(bare);
            } else {
                let rest = &comment[end..];
                copied += rest.len() - rest.trim_ascii_start().len();
            }
        }
        cut.extend_from_slice(&comment[copied..]);
        cut
    }

    /// Appends the edited movetext: of its tokens those that are kept, with the whitespace between them.
    fn movetext(
        &self,
        text: &[u8],
        from: usize,
        tokens: impl Iterator<Item = (Token, Fate)>,
        out: &mut Vec<u8>,
    ) {
        let begin = out.len();
        let (mut last_kind, mut copied, mut dropped) = (None, from, false);
        // The whitespace with the most line ends since the last kept token.
        let mut gap = Gap::default();
        for (token, fate) in tokens {
            let space = Gap::of(text, copied..token.start);
            if space.lines > gap.lines || gap.span.is_empty() {
                gap = space;
            }
            copied = token.end;
            if fate == Fate::Dropped {
                dropped = true;
                continue;
            }
            // A token that began no line must not begin one if that gives it another meaning.
            let is_first = token.start == 0 || matches!(text[token.start - 1], b'\n' | b'\r');
            let next = text[token.start];
            let separator = match () {
                () if !dropped => &text[gap.span.clone()],
                () if matches!(next, b'%' | b'[' | b';') && !is_first => b" ",
                () if gap.lines > 0 => &text[gap.span.clone()],
                () if out.len() == begin && begin == 0 => b"",
                () if next == b')' || out.last() == Some(&b'(') => b"",
                () => b" ",
            };
            // What ends in a line break needs no space before it.
            let separator = if dropped && gap.lines > 0 { trimmed(separator) } else { separator };
            // An empty line between a result in a variation and a number would begin a new game.
            let separator = match dropped && last_kind == Some(TokenKind::Result) {
                true => &separator[..separator.len().min(1)],
                false => separator,
            };
            out.extend_from_slice(separator);
            out.extend_from_slice(&self.written(text, &token, fate));
            last_kind = Some(token.kind);
            (dropped, gap) = (false, Gap::default());
        }
        let rest = Gap::of(text, copied..text.len());
        if rest.lines >= gap.lines {
            gap = rest;
        }
        let end = &text[gap.span.clone()];
        out.extend_from_slice(if dropped && gap.lines > 0 {
            trimmed(end)
        } else if dropped {
            // The next game may follow on the same line.
            if text.last().is_some_and(|byte| *byte <= b' ') { b" " } else { b"" }
        } else {
            end
        });
    }
}

/// What a command of a comment is among what is dropped.
fn bit_of(kind: CommandKind) -> u64 {
    match kind {
        CommandKind::Clock | CommandKind::Elapsed | CommandKind::Timestamp => Found::CLOCK,
        CommandKind::Eval => Found::EVAL,
    }
}

/// The tokens of movetext, each tag pair as one token: its value is not movetext.
#[derive(Clone)]
struct WholeTokens<'t> {
    text: &'t [u8],
    tokens: Tokens<'t>,
}

impl<'t> WholeTokens<'t> {
    fn new(text: &'t [u8], from: usize, digits: Digits) -> WholeTokens<'t> {
        WholeTokens { text, tokens: Tokens::new(text, from, digits) }
    }
}

impl Iterator for WholeTokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let mut token = self.tokens.next()?;
        if token.kind == TokenKind::Tag
            && let Some(pair) = TagPair::read(self.text, token.start)
        {
            self.tokens.go_to(pair.end);
            token.end = pair.end;
        }
        Some(token)
    }
}

/// Whitespace between tokens.
#[derive(Clone, Default)]
struct Gap {
    span: Range<usize>,
    /// Its line ends.
    lines: usize,
}

impl Gap {
    fn of(text: &[u8], span: Range<usize>) -> Gap {
        let space = &text[span.clone()];
        let feeds = space.iter().filter(|&&byte| byte == b'\n').count();
        let returns = space.iter().filter(|&&byte| byte == b'\r').count();
        Gap { span, lines: feeds.max(returns) }
    }
}

/// Whitespace from its first line end on.
fn trimmed(space: &[u8]) -> &[u8] {
    let first = space.iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(0);
    &space[first..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::tag_section_end;

    fn edit(edits: &Edits, text: &str) -> String {
        let apply = |text: &[u8]| edits.apply(text, tag_section_end(text), Digits::Never);
        let once = apply(text.as_bytes());
        let twice = apply(&once);
        let (once, twice) = (String::from_utf8(once).unwrap(), String::from_utf8(twice).unwrap());
        assert_eq!(once, twice, "{text}");
        once
    }

    #[test]
    fn annotations_are_dropped() {
        let comments = Edits { comments: true, ..Edits::default() };
        let clocks = Edits { clocks: true, ..Edits::default() };
        let nags = Edits { nags: true, ..Edits::default() };
        let variations = Edits { variations: true, ..Edits::default() };
        for (edits, text, expected) in [
            (&comments, "1. e4 {a} 1... e5 {b}\n2. Nf3 *", "1. e4 e5\n2. Nf3 *"),
            (&comments, "1. e4 {a\nb} e5 *\n\n", "1. e4 e5 *\n\n"),
            (&comments, "1. e4{a}e5 *", "1. e4 e5 *"),
            (&comments, "1. e4 ; a\ne5 *", "1. e4\ne5 *"),
            (&comments, "{a}\n\n1. e4 *", "\n\n1. e4 *"),
            (&comments, "1. e4 * {a}\n\n", "1. e4 *\n\n"),
            (&comments, "1. e4 *\n{a}\n\n", "1. e4 *\n\n"),
            (&comments, "1. e4 ({a} 1. d4 {b}) *", "1. e4 (1. d4) *"),
            (&comments, "1. e4 {open *", "1. e4 {open *"),
            (&comments, "1. e4\n{a} [x *", "1. e4 [x *"),
            (
                &clocks,
                "1. e4 { [%eval 0.1] [%clk 0:03:00] } e5 {[%clk 1]} *",
                "1. e4 { [%eval 0.1] } e5 *",
            ),
            (&clocks, "1. e4 {[%clk 0:03:00] text} *", "1. e4 {text} *"),
            (&clocks, "1. e4 {a [%clk 0:03:00] b} *", "1. e4 {a b} *"),
            (&clocks, "1. e4 {a} {[%x 1]} *", "1. e4 {a} {[%x 1]} *"),
            (&nags, "1. e4! $14 e5?? *", "1. e4 e5 *"),
            (&nags, "1. e4!e5 *", "1. e4 e5 *"),
            (&variations, "1. e4 (1. d4 (1. c4) d5) 1... e5 *", "1. e4 e5 *"),
            (&variations, "1. e4 (1. d4 *", "1. e4 (1. d4 *"),
            (&variations, "1. e4 {a} (1. d4) 1... e5 *", "1. e4 {a} 1... e5 *"),
        ] {
            assert_eq!(edit(edits, text), expected, "{text}");
        }
    }

    #[test]
    fn tag_pairs_are_set_and_removed() {
        let pair = |name: &str, value: &str| (name.to_string(), value.to_string());
        let set = |pairs: &[(String, String)]| Edits { set: pairs.to_vec(), ..Edits::default() };
        let text = "[Event \"a\"]\n[Site \"b\"]\n\n1. e4 *\n";
        assert_eq!(
            edit(&set(&[pair("Event", "x\\\"y")]), text),
            text.replace("\"a\"", "\"x\\\\\\\"y\"")
        );
        assert_eq!(
            edit(&set(&[pair("Source", "s")]), text),
            text.replace("[Site \"b\"]", "[Site \"b\"]\n[Source \"s\"]")
        );
        assert_eq!(edit(&set(&[pair("Source", "s")]), "1. e4 *"), "[Source \"s\"]\n\n1. e4 *");
        let remove = |name: &str| Edits { remove: vec![name.to_string()], ..Edits::default() };
        assert_eq!(edit(&remove("Site"), text), "[Event \"a\"]\n\n1. e4 *\n");
        assert_eq!(edit(&remove("Event"), text), "[Site \"b\"]\n\n1. e4 *\n");
        assert_eq!(edit(&remove("Round"), text), text);
    }

    #[test]
    fn tag_pairs_after_a_comment_stay_as_they_are() {
        let comments = Edits { comments: true, nags: true, variations: true, ..Edits::default() };
        let pairs = "\n[Site \"x; y\"]\n[White \"Smith (jr) !\"]\n\n1. f3 *\n";
        assert_eq!(
            edit(&comments, &format!("[Event \"a\"] {{c}}{pairs}")),
            format!("[Event \"a\"]{pairs}")
        );
        // A pair that would decide about the moves only without the comment.
        let fen = "[Event \"a\"] {c}\n[FEN \"x\"]\n\n1. f3 *\n";
        assert_eq!(edit(&comments, fen), fen);
    }

    #[test]
    fn an_edited_game_is_one_game() {
        let remove = |name: &str| Edits { remove: vec![name.to_string()], ..Edits::default() };
        let set = Edits { set: vec![("Event".to_string(), "x".to_string())], ..Edits::default() };
        let clocks = Edits { clocks: true, ..Edits::default() };
        let between = "[Event \"e\"]\n[White \"w\"] {c}\n[Black \"b\"]\n\n1. e4 e5 1-0\n";
        let clock = "[Event \"e\"]\n\n1. e4 {\n[%clk 0:01:00] [White \"x\"] y} e5 1-0\n";
        let lone = "[Event \"x\"]\n\n";
        assert_eq!(edit(&clocks, clock), clock);
        // A pair that the game needs at its place has no value any more.
        let emptied = "[Event \"e\"]\n[White \"?\"] {c}\n[Black \"b\"]\n\n1. e4 e5 1-0\n";
        assert_eq!(edit(&remove("White"), between), emptied);
        assert_eq!(edit(&remove("Event"), lone), "[Event \"?\"]\n\n");
        let marked = set.apply("\u{feff}1. e4 e5 1-0\n".as_bytes(), 0, Digits::Never);
        assert_eq!(marked, "\u{feff}[Event \"x\"]\n\n1. e4 e5 1-0\n".as_bytes());
    }

    /// Random movetext: what is kept is read as before, and editing again changes nothing.
    #[test]
    fn edits_keep_the_other_tokens() {
        let pieces = [
            "e4",
            "1.",
            "1...",
            "{c}",
            "{[%clk 1:00] x}",
            "{ [%eval 1] }",
            "(",
            ")",
            "!",
            "?!",
            "$1",
            "*",
            "1-0",
            ";x\n",
            "%y\n",
            "\n",
            "\n\n",
            " ",
            "{",
            "}",
            "[A \"b\"]",
            "[",
            "\r\n",
            "½",
        ];
        let mut seed = 5_u64;
        let mut random = |below: usize| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) as usize % below
        };
        for _ in 0..30_000 {
            let glue = ["", " "][random(2)];
            let count = random(14) + 1;
            let text: String =
                (0..count).map(|_| [pieces[random(pieces.len())], glue].concat()).collect();
            let edits = Edits {
                comments: random(2) == 0,
                clocks: random(2) == 0,
                evals: random(2) == 0,
                nags: random(2) == 0,
                variations: random(2) == 0,
                ..Edits::default()
            };
            let once = edits.apply(text.as_bytes(), 0, Digits::Never);
            let twice = edits.apply(&once, 0, Digits::Never);
            assert_eq!(once, twice, "{text:?} {edits:?}");
        }
    }
}

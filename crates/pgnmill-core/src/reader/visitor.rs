//! The contents of the movetext of a game, in order, when the verdict is known.
//!
//! In: the record of a game and its text. Out: [`Event`]s, or the calls of a [`Visitor`]. Positions are computed
//! again from the moves; comments, NAGs and parentheses are read from the text between them. Invariant: the moves,
//! and the positions before and after them, are those of the replay (`tests/reading/reader.rs`). Cost: per ply, one
//! move and a scan of the bytes before it.

use std::fmt::Write as _;
use std::ops::Range;

use crate::chess::rules::{AnyPosition, Extras};
use crate::chess::{Color, Move, Position};
use crate::notation::{Lineage, Notation};
use crate::pgn::{self, Outcome, Token, TokenKind, Tokens};
use crate::replay;

use super::game::{Game, PlayedMove};
use super::record::PlyRecord;

/// An element of a movetext.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "one at a time, and nearly all are moves")]
pub enum Event<'g> {
    /// A move.
    Ply(PlayedMove<'g>),
    /// A null move: the side to move passes.
    NullMove,
    /// A comment, without its braces or semicolon.
    Comment(String),
    /// A numeric annotation glyph, NAG (PGN standard 8.2.4), also one that is written as `!?`.
    Nag(u8),
    /// A variation begins: it replaces the last move.
    VariationStart,
    /// The variation ends.
    VariationEnd,
}

/// Visits games. Every method has a default that does nothing: implement those that are needed.
///
/// A game is visited when its verdict is known, so no call is ever void.
pub trait Visitor {
    /// A game begins; returns whether it is to be visited. The default skips rejected games.
    fn game_start(&mut self, game: &Game<'_>) -> bool {
        game.verdict() != crate::replay::Verdict::Rejected
    }

    /// A tag pair.
    fn tag(&mut self, name: &str, value: &str) {
        let _ = (name, value);
    }

    /// A move, of the main line or of a variation.
    fn ply(&mut self, ply: &PlayedMove<'_>) {
        let _ = ply;
    }

    /// The side to move passes.
    fn null_move(&mut self) {}

    /// A comment, without its braces or semicolon.
    fn comment(&mut self, text: &str) {
        let _ = text;
    }

    /// A numeric annotation glyph.
    fn nag(&mut self, nag: u8) {
        let _ = nag;
    }

    /// A variation begins: it replaces the last move.
    fn variation_start(&mut self) {}

    /// The variation ends.
    fn variation_end(&mut self) {}

    /// The game ends.
    fn game_end(&mut self, game: &Game<'_>) {
        let _ = game;
    }
}

impl<'g> Game<'g> {
    /// The moves of the main line, in order; for a rejected game those before the fault. Moves on other boards than
    /// that of chess are not read: a game with some is rejected here (`notation-not-for-board`).
    pub fn moves(&self) -> impl Iterator<Item = PlayedMove<'g>> + use<'g> {
        let mut events = self.events();
        let is_one_line = self.record.is_one_line;
        std::iter::from_fn(move || {
            if is_one_line {
                // No event between two moves can change the position.
                return match events.ply(events.next?)? {
                    Event::Ply(ply) => Some(ply),
                    _ => None,
                };
            }
            events.find_map(|event| match event {
                Event::Ply(ply) if ply.depth == 0 => Some(ply),
                _ => None,
            })
        })
    }

    /// The plies of the main line, in order, null moves included: the position before each, and its move, `None` for a
    /// null move.
    pub fn main_line(&self) -> impl Iterator<Item = (Position, Option<PlayedMove<'g>>)> + use<'g> {
        let mut events = self.events();
        let is_one_line = self.record.is_one_line;
        std::iter::from_fn(move || {
            if is_one_line {
                return match events.ply(events.next?)? {
                    Event::Ply(ply) => Some((ply.before, Some(ply))),
                    _ => None,
                };
            }
            loop {
                match events.next()? {
                    Event::Ply(ply) if ply.depth == 0 => return Some((ply.before, Some(ply))),
                    Event::NullMove if events.stack.is_empty() => {
                        return events.line.map(|line| (line.before.0, None));
                    }
                    _ => {}
                }
            }
        })
    }

    /// The positions and moves of the main line, as [`Self::main_line`], with the positions of the ruleset of the game:
    /// those of a variant have its pockets and checks.
    pub fn line_of_rules(
        &self,
    ) -> impl Iterator<Item = (AnyPosition, Option<PlayedMove<'g>>)> + use<'g> {
        let mut now = self.start_of_rules();
        self.main_line().filter_map(move |(before, ply)| {
            let position = now?;
            now = Some(match (&ply, &position) {
                (Some(ply), _) => ply.after_of_rules(),
                (None, AnyPosition::Variant(position)) => {
                    AnyPosition::Variant(replay::after_null(position))
                }
                (None, _) => AnyPosition::Chess(before.play_null()),
            });
            Some((position, ply))
        })
    }

    /// The position after the last ply of the main line, of the ruleset of the game; `None` as in [`Game::start`].
    pub fn end_of_rules(&self) -> Option<AnyPosition> {
        let end = self.line_of_rules().last().map(|(before, ply)| match (ply, before) {
            (Some(ply), _) => ply.after_of_rules(),
            (None, AnyPosition::Variant(before)) => {
                AnyPosition::Variant(replay::after_null(&before))
            }
            (None, AnyPosition::Chess(before)) => AnyPosition::Chess(before.play_null()),
            (None, other) => other,
        });
        end.or_else(|| self.start_of_rules())
    }

    /// The spans of the texts of the plies of the main line in [`Game::text`], null moves included.
    pub fn ply_spans(&self) -> Vec<Range<u32>> {
        let base = self.record.span.start as u32;
        let span = |ply: &PlyRecord| {
            let Range { start, end } = ply.text();
            start as u32 - base..end as u32 - base
        };
        if self.record.is_one_line {
            return self.plies.iter().map(span).collect();
        }
        let (mut events, mut spans) = (self.events(), Vec::new());
        loop {
            let next = events.next;
            match events.next() {
                None => return spans,
                Some(Event::Ply(_) | Event::NullMove) if events.stack.is_empty() => {
                    spans.extend(next.as_ref().map(span));
                }
                Some(_) => {}
            }
        }
    }

    /// The offset in [`Game::text`] at which the movetext ends: that of the result token; without one, the length of
    /// the text.
    pub fn movetext_end(&self) -> usize {
        self.record.movetext_end - self.record.span.start
    }

    /// The comments, in order, without their braces.
    pub fn comments(&self) -> impl Iterator<Item = String> + use<'g> {
        self.events().filter_map(|event| match event {
            Event::Comment(text) => Some(text),
            _ => None,
        })
    }

    /// All elements of the movetext, in order.
    pub fn events(&self) -> Events<'g> {
        Events::new(self)
    }

    /// The main line in a notation, with move numbers and the result: `1. e4 e5 2. Nf3 *`. A null move is `--`.
    ///
    /// A move is written in SAN if the notation requires the history since the starting position, and the game has
    /// none, or if it has no text for a move of a variant.
    pub fn movetext(&self, notation: &dyn Notation) -> String {
        let mut text = String::new();
        for (index, (before, ply)) in self.main_line().enumerate() {
            let number = before.fullmove_number();
            if before.turn() == Color::White {
                let _ = write!(text, "{number}. ");
            } else if index == 0 {
                let _ = write!(text, "{number}... ");
            }
            match ply {
                Some(ply) => {
                    let _ = write!(text, "{} ", ply.text_in(notation));
                }
                None => text.push_str("-- "),
            }
        }
        text.push_str(self.result().unwrap_or(Outcome::Unknown).canonical());
        text
    }

    /// Visits the game.
    pub fn visit(&self, visitor: &mut impl Visitor) {
        if !visitor.game_start(self) {
            return;
        }
        for tag in self.tags() {
            visitor.tag(&tag.name, &tag.value);
        }
        for event in self.events() {
            match event {
                Event::Ply(ply) => visitor.ply(&ply),
                Event::NullMove => visitor.null_move(),
                Event::Comment(text) => visitor.comment(&text),
                Event::Nag(nag) => visitor.nag(nag),
                Event::VariationStart => visitor.variation_start(),
                Event::VariationEnd => visitor.variation_end(),
            }
        }
        visitor.game_end(self);
    }
}

/// A line of play: the position before its last move, and after it, with what a variant adds to them.
#[derive(Clone, Copy, Debug)]
struct Line {
    before: (Position, Option<Lineage>),
    now: (Position, Option<Lineage>),
    extras: Option<[Extras; 2]>,
}

impl Line {
    /// Plays a move of a variant.
    #[cold]
    fn play_variant(&mut self, extras: [Extras; 2], mv: Option<Move>) -> [Extras; 2] {
        let position = extras[1].with(self.now.0);
        let after = match mv {
            Some(mv) => position.play(mv),
            None => replay::after_null(&position),
        };
        let extras = [extras[1], after.extras()];
        (self.now.0, self.extras) = (*after.board(), Some(extras));
        extras
    }
}

/// The events of a game.
#[derive(Clone, Debug)]
pub struct Events<'g> {
    text: &'g [u8],
    end: usize,
    tokens: Tokens<'g>,
    /// `None` if the game has no initial position: then there are no moves.
    line: Option<Line>,
    stack: Vec<Line>,
    plies: std::slice::Iter<'g, PlyRecord>,
    next: Option<PlyRecord>,
}

impl<'g> Events<'g> {
    pub(super) fn new(game: &Game<'g>) -> Events<'g> {
        let record = game.record;
        let text = &game.text[..record.span.end];
        let lineage = |start: &Position| match record.extras {
            None => Lineage::of(start),
            Some(extras) => replay::variant_lineage(&extras.with(*start)),
        };
        let start = record.start.map(|start| (start, lineage(&start)));
        let mut plies = game.plies.iter();
        let next = plies.next().copied();
        Events {
            text,
            end: record.span.end,
            tokens: Tokens::new(text, record.tags_end, record.notation.info().digits),
            line: start.map(|start| Line {
                before: start,
                now: start,
                extras: record.extras.map(|extras| [extras; 2]),
            }),
            stack: Vec::new(),
            plies,
            next,
        }
    }

    /// The next move, whose text the tokens have reached.
    fn ply(&mut self, record: PlyRecord) -> Option<Event<'g>> {
        self.next = self.plies.next().copied();
        let span = record.text();
        self.tokens.go_to(span.end);
        let line = self.line.as_mut()?;
        let (before, lineage) = line.now;
        line.before = line.now;
        let extras = line.extras.map(|extras| line.play_variant(extras, record.mv));
        let Some(mv) = record.mv else {
            if extras.is_none() {
                line.now.0 = before.play_null();
            }
            return Some(Event::NullMove);
        };
        let after = if extras.is_none() { before.play(mv) } else { line.now.0 };
        line.now = (after, lineage.map(|lineage| lineage.after(mv)));
        let (text, depth) = (&self.text[span], self.stack.len());
        Some(Event::Ply(PlayedMove { before, mv, after, text, depth, lineage, extras }))
    }

    /// The event of a token between two moves, if it has one.
    fn token(&mut self, token: Token) -> Option<Event<'g>> {
        let text = &self.text[token.start..token.end];
        match token.kind {
            TokenKind::Open => {
                let line = self.line.as_mut()?;
                self.stack.push(*line);
                line.now = line.before;
                line.extras = line.extras.map(|[before, _]| [before; 2]);
                Some(Event::VariationStart)
            }
            TokenKind::Close => {
                self.line = Some(self.stack.pop()?);
                Some(Event::VariationEnd)
            }
            TokenKind::Comment
            | TokenKind::CommentNested
            | TokenKind::CommentUnclosed
            | TokenKind::LineComment => Some(Event::Comment(pgn::decode(comment(text)))),
            TokenKind::Nag => {
                pgn::nag_number(text).and_then(|number| number.try_into().ok()).map(Event::Nag)
            }
            TokenKind::Suffix => nag_of(text).map(Event::Nag),
            _ => None,
        }
    }
}

impl<'g> Iterator for Events<'g> {
    type Item = Event<'g>;

    fn next(&mut self) -> Option<Event<'g>> {
        loop {
            let at = self.tokens.at();
            let next = self.next.map_or(self.end, |ply| ply.text().start);
            // The usual case: a move number only.
            let gap = &self.text[at.min(next)..next];
            let is_plain = |byte: &u8| matches!(byte, b' ' | b'.' | b'0'..=b'9' | b'\n');
            if let Some(ply) = self.next
                && gap.iter().all(is_plain)
            {
                return self.ply(ply);
            }
            match self.tokens.next() {
                Some(token) if token.start < next => {
                    if let Some(event) = self.token(token) {
                        return Some(event);
                    }
                }
                _ => return self.next.and_then(|ply| self.ply(ply)),
            }
        }
    }
}

/// A comment without its delimiters.
fn comment(text: &[u8]) -> &[u8] {
    match text {
        [b'{', inner @ .., b'}'] | [b'{' | b';', inner @ ..] => inner,
        _ => text,
    }
}

/// The NAG of an annotation that is written in characters (PGN standard 8.2.3.8).
fn nag_of(text: &[u8]) -> Option<u8> {
    const GLYPHS: [&[u8]; 6] = [b"!", b"?", b"!!", b"??", b"!?", b"?!"];
    GLYPHS.iter().position(|glyph| *glyph == text).map(|index| index as u8 + 1)
}

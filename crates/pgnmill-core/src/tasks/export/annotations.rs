//! What annotates the plies of the main line: commands, NAGs and comments.
//!
//! In: the text of a game, the spans of its plies and the sides that moved. Out: [`Annotations`]: for each ply its
//! clock, the time that it took, an evaluation, what an engine left, NAGs and the rest of its comments. Invariants:
//! what is in variations is not read; of several commands of one kind the first that can be read counts; a command that
//! cannot be read is counted and reported, never a reason to reject a game; what follows a null move of the main line
//! belongs to no ply. Cost: the bytes between plies once; the usual comment, alone between two moves, is read without
//! tokens.

use std::ops::Range;

use crate::chess::Color;
use crate::engine::{Unreadable, Unreadables};
use crate::pgn::engine_comments::{CommentForm, EvalView, Found, engine_comment};
use crate::pgn::{
    Command, CommandKind, CommandValue, Digits, Eval, Token, TokenKind, Tokens, ValueFault,
    commands, decode_to, nag_number, without_commands,
};
use crate::replay::is_null_move;
use memchr::{memchr, memchr2};

use super::engine_notes::{EngineNote, EngineNotes, Style};

/// The span of a ply's text.
pub(super) type Span = Range<u32>;

/// What annotates one ply.
#[derive(Clone, Debug, Default)]
pub struct PlyNotes {
    /// `%clk`, in milliseconds.
    pub clock: Option<i32>,
    /// `%emt`, in milliseconds.
    pub elapsed: Option<i32>,
    /// `%timestamp`, in milliseconds.
    pub timestamp: Option<i32>,
    /// `%eval`, else what an engine left, from White's side.
    pub eval: Option<Eval>,
    /// Whose view the writer of `eval` has.
    pub eval_view: EvalView,
    /// The depth of `%eval`.
    pub depth: Option<i16>,
    /// Is `eval` that of the command `%eval`?
    is_command: bool,
    /// The number of the engine's note, from 1; 0 if there is none.
    engine: u32,
    nags: Range<u32>,
    comment: Range<u32>,
}

impl PlyNotes {
    /// The evaluation in hundredths of a pawn, unless it is a mate.
    pub fn centipawns(&self) -> Option<i16> {
        match self.eval {
            Some(Eval::Centipawns(value)) => Some(value),
            _ => None,
        }
    }

    /// Is the evaluation that of the command `%eval`, which is of the position after the ply?
    pub(super) fn has_command(&self) -> bool {
        self.is_command
    }

    /// The moves to a mate.
    pub fn mate(&self) -> Option<i16> {
        match self.eval {
            Some(Eval::Mate(value)) => Some(value),
            _ => None,
        }
    }
}

/// What is kept besides commands.
#[derive(Clone, Copy, Debug, Default)]
pub struct Kept {
    /// NAGs.
    pub nags: bool,
    /// The text of comments.
    pub comments: bool,
    /// What engines left.
    pub engines: bool,
    /// Their variations, too.
    pub variations: bool,
}

/// What annotates the plies of one game; its memory is used again.
#[derive(Debug, Default)]
pub struct Annotations {
    /// One per ply of the main line.
    pub plies: Vec<PlyNotes>,
    /// Is there any `%clk`, also one that cannot be read?
    pub has_clock: bool,
    /// Is there any `%eval`, also one that cannot be read, or an evaluation of an engine?
    pub has_eval: bool,
    /// Values that cannot be read.
    unreadable: Unreadables,
    nags: Vec<i16>,
    comments: String,
    engines: EngineNotes,
    /// Plies of the game before the first of `plies`.
    plies_before: usize,
    /// The comment that is being decoded.
    own: Vec<u8>,
    kept: Kept,
}

impl Annotations {
    /// Forgets the last game.
    pub fn clear(&mut self) {
        self.plies.clear();
        (self.has_clock, self.has_eval) = (false, false);
        self.unreadable.clear();
        self.nags.clear();
        self.comments.clear();
        self.engines.clear();
        self.plies_before = 0;
    }

    /// Forgets so many plies, and the NAGs, comments and notes of engines of all.
    pub(super) fn drop_first(&mut self, count: usize) {
        self.plies.drain(..count);
        self.plies_before += count;
        self.nags.clear();
        self.comments.clear();
        self.engines.clear_notes();
        self.plies.iter_mut().for_each(|notes| {
            (notes.nags, notes.comment, notes.engine) = (0..0, 0..0, 0);
        });
    }

    /// Reads what follows each ply, up to the next one, to a null move or to `end`. What follows a null move is that of
    /// a ply only if its span is among `plies`. `movers`: the sides that moved, as many as there are plies if `kept`
    /// has engines; without them there is no evaluation of an engine.
    pub fn read(
        &mut self,
        text: &[u8],
        plies: &[Span],
        movers: &[Color],
        end: usize,
        digits: Digits,
        kept: Kept,
    ) {
        self.kept = kept;
        let (first_ply, first_note) = (self.plies.len(), self.engines.count());
        for (index, ply) in plies.iter().enumerate() {
            let next = plies.get(index + 1).map_or(end, |next| next.start as usize);
            let (nags, comment) = (self.nags.len() as u32, self.comments.len() as u32);
            self.plies.push(PlyNotes {
                nags: nags..nags,
                comment: comment..comment,
                ..PlyNotes::default()
            });
            self.gap(text, ply.end as usize, next, digits);
        }
        let new = &mut self.plies[first_ply..];
        let mut is_any = false;
        self.engines.settle(first_note, first_ply, movers, |ply, eval, view| {
            is_any = true;
            let notes = &mut new[ply];
            if !notes.is_command {
                (notes.eval, notes.eval_view) = (Some(eval), view);
            }
        });
        self.has_eval |= is_any;
    }

    /// Adds values of tag pairs that cannot be read, before those of comments.
    pub fn report_first(&mut self, found: Vec<(Range<usize>, ValueFault)>) {
        for (span, fault) in found.into_iter().rev() {
            self.unreadable.insert_first(Unreadable { fault, span, ply: 0 });
        }
    }

    /// The values that cannot be read, if there are any; none are left.
    pub fn take_unreadable(&mut self) -> Option<Unreadables> {
        let is_any = !self.unreadable.listed.is_empty();
        is_any.then(|| std::mem::take(&mut self.unreadable))
    }

    /// The NAGs of a ply, in the order of the text.
    pub fn nags_of(&self, notes: &PlyNotes) -> &[i16] {
        &self.nags[notes.nags.start as usize..notes.nags.end as usize]
    }

    /// The comments of a ply without commands, joined by spaces; `None` if nothing is left.
    pub fn comment_of(&self, notes: &PlyNotes) -> Option<&str> {
        let comment = &self.comments[notes.comment.start as usize..notes.comment.end as usize];
        (!comment.is_empty()).then_some(comment)
    }

    /// What an engine left after a ply.
    pub fn engine_of(&self, notes: &PlyNotes) -> Option<&EngineNote> {
        self.engines.get((notes.engine as usize).checked_sub(1)?)
    }

    /// The variation that an engine left after a ply.
    pub fn variation_of(&self, notes: &PlyNotes) -> Option<&str> {
        self.engine_of(notes).and_then(|note| self.engines.variation(note))
    }

    /// The index in [`FORM_NAMES`](crate::pgn::engine_comments::FORM_NAMES) of the form that was read after a ply:
    /// `%eval`, else that of an engine's comment.
    pub fn form_of(&self, notes: &PlyNotes) -> Option<usize> {
        match notes.is_command {
            true => Some(0),
            false => self.engine_of(notes)?.form.map(CommentForm::index),
        }
    }

    /// The depth after a ply: that of `%eval`, else an engine's.
    pub fn depth_of(&self, notes: &PlyNotes) -> Option<i16> {
        notes.depth.or_else(|| self.engine_of(notes)?.comment.depth)
    }

    /// What decides whose view evaluations have that alone do not show it.
    pub(super) fn style(&self) -> Option<Style> {
        self.engines.style()
    }

    /// Decides that before the game is read.
    pub(super) fn set_style(&mut self, style: Option<Style>) {
        self.engines.set_style(style);
    }

    /// The text between a ply and the next one.
    fn gap(&mut self, text: &[u8], start: usize, end: usize, digits: Digits) {
        let mut at = start;
        while at < end {
            match text[at] {
                b' ' | b'\n' | b'\r' | b'\t' | b'.' => at += 1,
                // A zero begins no move number, but perhaps the null move `0000`.
                b'1'..=b'9' => {
                    at += 1;
                    while at < end && text[at].is_ascii_digit() {
                        at += 1;
                    }
                }
                b'{' => {
                    let inner = &text[at + 1..end];
                    match memchr2(b'}', b'{', inner) {
                        Some(length) if inner[length] == b'}' => {
                            self.comment(text, at + 1..at + 1 + length);
                            at += length + 2;
                        }
                        _ => return self.tokens(text, at, end, digits),
                    }
                }
                _ => return self.tokens(text, at, end, digits),
            }
        }
    }

    /// Adds what is in a gap token by token: variations, NAGs, null moves, and comments of every form.
    fn tokens(&mut self, text: &[u8], start: usize, end: usize, digits: Digits) {
        let mut depth = 0_usize;
        for token in Tokens::new(&text[..end], start, digits) {
            match token.kind {
                TokenKind::Open => depth += 1,
                TokenKind::Close => depth = depth.saturating_sub(1),
                _ if depth > 0 => {}
                TokenKind::Comment | TokenKind::CommentNested => {
                    self.comment(text, token.start + 1..token.end - 1);
                }
                TokenKind::LineComment | TokenKind::CommentUnclosed => {
                    self.comment(text, token.start + 1..token.end);
                }
                TokenKind::Nag | TokenKind::Suffix => self.nag(text, token),
                // The rest annotates the null move, which is no ply.
                TokenKind::Move if is_null_move(&text[token.start..token.end]) => return,
                _ => {}
            }
        }
    }

    fn nag(&mut self, text: &[u8], token: Token) {
        if !self.kept.nags {
            return;
        }
        let written = &text[token.start..token.end];
        let number = match token.kind {
            TokenKind::Nag => nag_number(written),
            _ => glyph(written),
        };
        if let (Some(number), Some(notes)) = (number, self.plies.last_mut()) {
            self.nags.push(number);
            notes.nags.end += 1;
        }
    }

    /// A comment, without its braces.
    fn comment(&mut self, text: &[u8], span: Range<usize>) {
        let inner = &text[span.clone()];
        // Most comments without a command have no bracket at all.
        let bracket = memchr(b'[', inner);
        // It is before the commands in the text, and so among values that cannot be read.
        if self.kept.engines {
            self.engine(inner, bracket, span.start);
        }
        if bracket.is_some() {
            commands(inner).for_each(|command| self.command(command, span.start));
        }
        let Some(notes) = self.plies.last_mut() else { return };
        if self.kept.comments {
            let rest = without_commands(inner);
            let rest = rest.trim_ascii();
            if !rest.is_empty() {
                if !notes.comment.is_empty() {
                    self.comments.push(' ');
                }
                decode_to(rest, &mut self.own, &mut self.comments);
                notes.comment.end = self.comments.len() as u32;
            }
        }
    }

    /// What an engine left in a comment that begins at `base`. `bracket`: where its first `[` is.
    fn engine(&mut self, inner: &[u8], bracket: Option<usize>, base: usize) {
        let opens = |from: usize| inner[from..].windows(2).position(|pair| pair == b"[%");
        let end = bracket.and_then(|from| opens(from).map(|length| from + length));
        let text = &inner[..end.unwrap_or(inner.len())];
        let ply = self.plies.len();
        let Some(notes) = self.plies.last_mut().filter(|notes| notes.engine == 0) else { return };
        match engine_comment(text) {
            Found::Nothing => {}
            Found::Comment(form, comment) => {
                self.engines.add(ply - 1, form, comment, text, self.kept.variations);
                notes.engine = self.engines.count() as u32;
            }
            Found::Unreadable => {
                let ply = (self.plies_before + ply) as u32;
                let span = base..base + text.trim_ascii_end().len();
                self.unreadable.add(Unreadable { fault: ValueFault::EngineComment, span, ply });
            }
        }
    }

    /// A command of a comment that begins at `base`.
    fn command(&mut self, command: Command, base: usize) {
        self.has_clock |= command.kind == CommandKind::Clock;
        self.has_eval |= command.kind == CommandKind::Eval;
        let ply = (self.plies_before + self.plies.len()) as u32;
        let Some(notes) = self.plies.last_mut() else { return };
        match (command.kind, command.value) {
            (CommandKind::Clock, Some(CommandValue::Milliseconds(time))) => {
                notes.clock.get_or_insert(time);
            }
            (CommandKind::Elapsed, Some(CommandValue::Milliseconds(time))) => {
                notes.elapsed.get_or_insert(time);
            }
            (CommandKind::Eval, Some(CommandValue::Eval(eval))) if !notes.is_command => {
                (notes.eval, notes.eval_view) = (Some(eval), EvalView::White);
                (notes.depth, notes.is_command) = (command.depth, true);
            }
            (CommandKind::Eval, Some(_)) => {}
            (CommandKind::Timestamp, Some(CommandValue::Milliseconds(time))) => {
                notes.timestamp.get_or_insert(time);
            }
            (kind, _) => {
                let fault = match kind {
                    CommandKind::Clock => ValueFault::Clock,
                    CommandKind::Elapsed => ValueFault::Elapsed,
                    CommandKind::Eval => ValueFault::Eval,
                    // It has no column of its own: without it the clocks count.
                    CommandKind::Timestamp => return,
                };
                let span = base + command.span.start..base + command.span.end;
                self.unreadable.add(Unreadable { fault, span, ply });
            }
        }
    }
}

/// The NAG of an annotation in characters (PGN standard 8.2.3.8 and 10: `!` is `$1`, …).
fn glyph(written: &[u8]) -> Option<i16> {
    const GLYPHS: [&[u8]; 6] = [b"!", b"?", b"!!", b"??", b"!?", b"?!"];
    GLYPHS.iter().position(|glyph| *glyph == written).map(|index| index as i16 + 1)
}

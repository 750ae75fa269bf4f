//! The conversion: its options, and the visitor that rewrites the moves of a block.
//!
//! In: the replay of a block. Out: [`Rewritten::text`], with the moves in another notation; the tag pair that names
//! the notation is added, changed or removed; comments and tag values are converted to UTF-8 if requested. Invariants:
//! all other bytes are copied; a rejected game is removed, or copied unchanged; the text contains no joints, which an
//! [`Output`](super::Output) inserts. Cost: one copy of the text, and the encoding of each ply.

use std::ops::Range;

use pgnmill_io::archive::games::{is_tag_line, line_of};
use pgnmill_simd::Level;

use crate::engine::{
    BlockGames, BlockVisitor, GamePlace, Part as _, Rejects, Settings, Task, TextPiece,
};
use crate::notation::{self, Digits, MoveText, Notation, OtherPly, Ply, text_of};
use crate::pgn::deviation::Deviation;
use crate::pgn::{NOTATION_TAG, ends_word, line_end, to_utf8};
use crate::replay::{
    Game, History, LineMove, LineRequest, MoveLine, NonPly, PliesOrLines, PositionLine, TagSection,
    TextLine, Verdict, begins_with_redundant,
};
use crate::tasks::edits::Edits;

use super::game_editor::GameEditor;
use super::moves_alone::{MovesAlone, Movetext};
use super::preceding::Preceding;
use super::rewritten::Rewritten;

/// Text between two moves up to this length (a number, a short comment) is copied in one operation.
const GAP_BYTES: usize = 64;
const SHORT_GAP_BYTES: usize = 16;

/// A word, copied whole.
const WORD_BYTES: usize = 8;

/// Writes games in another notation, perhaps with edits.
#[derive(Clone, Debug)]
pub struct Convert {
    /// The notation that is written.
    pub to: &'static dyn Notation,
    /// Convert comments and tag values to UTF-8.
    pub to_utf8: bool,
    /// What is edited in the converted games.
    pub edits: Edits,
    /// Set the tag pairs `ECO` and `Opening` of games whose moves reach an opening.
    pub sets_opening: bool,
    /// What is written of a game.
    pub form: Form,
}

/// What a conversion writes of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// Its text, with other moves.
    #[default]
    Edited,
    /// Its moves alone, as a line.
    Line,
    /// Its moves and its tag pairs, as PGN: of texts that are lines.
    Pgn,
}

impl Convert {
    /// Writes games in this notation, without edits.
    pub fn to(to: &'static dyn Notation) -> Convert {
        let (edits, form) = (Edits::default(), Form::Edited);
        Convert { to, to_utf8: false, edits, sets_opening: false, form }
    }
}

/// The last line that was scanned, so that many games on one line share one scan.
#[derive(Debug, Default)]
struct LastLine {
    /// Address and length of the text.
    text: (usize, usize),
    line: Range<usize>,
    /// Its end, or a line feed where the text ends.
    end: &'static [u8],
    is_tag: bool,
}

impl LastLine {
    /// The line that contains the byte before `at`, or begins at `at`.
    fn at(&mut self, text: &[u8], at: usize) -> &LastLine {
        let identity = (text.as_ptr() as usize, text.len());
        let is_known = self.text == identity && (self.line.start..=self.line.end).contains(&at);
        if !is_known || self.end.is_empty() {
            self.line = line_of(text, at);
            self.text = identity;
            self.end = line_end::first(&text[self.line.end..]).unwrap_or(b"\n");
            self.is_tag = is_tag_line(text, self.line.clone());
        }
        self
    }
}

/// A `MoveNotation` pair that was removed.
#[derive(Debug)]
struct RemovedPair {
    /// The removed bytes: the pair and its line end.
    pair: Range<usize>,
    value: Range<usize>,
    /// Its offset in the output.
    at: usize,
}

/// Rewrites the moves of the games of a block. `TRACKS`: the editor requires the plies; the loop of all other
/// conversions is compiled without it.
#[derive(Debug)]
struct Rewrite<'r, const TRACKS: bool> {
    part: &'r mut Rewritten,
    to: &'static dyn Notation,
    /// Can the text of a move begin with a digit?
    digits: bool,
    keep_rejects: bool,
    level: Level,
    to_utf8: bool,
    /// The text up to this offset is in the output.
    copied: usize,
    /// Offset of the game in the output.
    out_start: usize,
    /// A game has begun and has not ended.
    begun: bool,
    /// The `MoveNotation` pairs that were removed from this game, in order.
    removed: Vec<RemovedPair>,
    preceding: Preceding,
    /// Was a space or a full stop inserted into the game?
    repaired: bool,
    /// The new text of the last move, and the span of the old one if the new one is not yet in the output. It is
    /// copied one move later: a wide read of bytes that were just written one by one waits until they have reached
    /// the cache.
    new: MoveText,
    span: Option<Range<usize>>,
    line: LastLine,
    /// What edits each game of `part`, in runs with edits.
    editor: Option<GameEditor<'r>>,
}

impl<'r, const TRACKS: bool> Rewrite<'r, TRACKS> {
    fn new(
        task: &'r Convert,
        settings: &Settings,
        part: &'r mut Rewritten,
        editor: Option<GameEditor<'r>>,
    ) -> Rewrite<'r, TRACKS> {
        let Convert { to, to_utf8, .. } = *task;
        let digits = to.info().digits != Digits::Never;
        Rewrite {
            part,
            to,
            digits,
            keep_rejects: settings.rejects == Rejects::Kept,
            level: settings.level,
            to_utf8,
            copied: 0,
            out_start: 0,
            begun: false,
            removed: Vec::new(),
            preceding: Preceding::default(),
            repaired: false,
            new: MoveText::default(),
            span: None,
            line: LastLine::default(),
            editor,
        }
    }

    #[inline(always)]
    fn copy_to(&mut self, text: &[u8], end: usize) {
        self.part.text.extend_from_slice(&text[self.copied..end]);
        self.copied = end;
    }

    /// Copies tag pairs; damaged ones are repaired.
    fn copy_tags_to(&mut self, text: &[u8], tags: &TagSection, end: usize) {
        for pair in &tags.repaired {
            if self.copied < pair.value.start && pair.end <= end {
                // `[White: "A"]` is written anew from its bracket on.
                let between = &text[pair.name.end..pair.value.start];
                let is_opened = text[pair.start] == b'['
                    && between.ends_with(b"\"")
                    && memchr::memchr2(b':', b'=', between).is_none();
                if is_opened {
                    self.copy_to(text, pair.value.start);
                } else {
                    self.copy_to(text, pair.start);
                    for piece in [b"[", &text[pair.name.clone()], b" \""] {
                        self.part.text.extend_from_slice(piece);
                    }
                }
                pair.append_value(text, &mut self.part.text);
                self.part.text.extend_from_slice(b"\"]");
                self.copied = pair.end;
            }
        }
        self.copy_to(text, end);
    }

    /// Copies the new text of the last move, and the text before it.
    #[inline(always)]
    fn copy_move(&mut self, text: &[u8]) {
        let Some(span) = self.span.take() else { return };
        // The text between two moves is mostly a space and a number, or a short comment: it is faster to copy a
        // constant number of bytes and to truncate than to copy the exact number.
        let gap = span.start - self.copied;
        if gap.wrapping_sub(1) < GAP_BYTES
            && let Some(between) = text[self.copied..].first_chunk::<GAP_BYTES>()
            && let Some(chunk) = self.new.as_chunk()
        {
            let fuses =
                between[gap - 1].is_ascii_digit() && (self.digits || chunk[0].is_ascii_digit());
            if !fuses {
                let start = self.part.text.len();
                if let (..=SHORT_GAP_BYTES, Some(short)) = (gap, between.first_chunk()) {
                    let short: &[u8; SHORT_GAP_BYTES] = short;
                    self.part.text.extend_from_slice(short);
                } else {
                    self.part.text.extend_from_slice(between);
                }
                self.part.text.truncate(start + gap);
                self.part.text.extend_from_slice(chunk);
                self.part.text.truncate(start + gap + self.new.bytes_count());
                self.copied = span.end;
                return;
            }
        }
        self.copy_to(text, span.start);
        let new = &self.new;
        // A digit would become part of a move that begins with one, and a move number part of any move of a notation in
        // which moves can begin with digits.
        let fuses = new.as_bytes().first().is_some_and(u8::is_ascii_digit) || self.digits;
        if fuses && self.part.text.last().is_some_and(u8::is_ascii_digit) {
            self.part.text.push(b' ');
            self.repaired = true;
        }
        new.append_to(&mut self.part.text);
        self.copied = span.end;
    }
}

impl<const TRACKS: bool> Rewrite<'_, TRACKS> {
    /// Inserts the removed `MoveNotation` pairs again, with the usual notation as their value, if the text without
    /// them is not read as
    /// one game.
    fn restore_pairs(&mut self, text: &[u8], game: &Game<'_>, game_place: GamePlace) {
        let tags = game.tags;
        let is_line_end = |at: usize| matches!(text.get(at), Some(b'\n' | b'\r'));
        match self.removed.as_slice() {
            [] => return,
            // The usual case: the pair was a line between another pair and the rest.
            [only] if is_line_end(only.pair.start) && is_line_end(tags.end) => return,
            _ => {}
        }
        let run = game_place.offset - game.span.start as u64;
        if self.preceding.reads_as_one(
            self.level,
            &self.part.text,
            self.out_start,
            run..game_place.offset,
        ) {
            return;
        }
        // From the last one on: the offsets of the others stay valid.
        for RemovedPair { pair, value, at } in self.removed.drain(..).rev() {
            let damaged = tags.repaired.iter().find(|damaged| damaged.value == value);
            let (close, rest): (&[u8], usize) =
                damaged.map_or((b"", value.end), |damaged| (b"\"]", damaged.end));
            let name = self.to.info().name.as_bytes();
            let again = [&text[pair.start..value.start], name, close, &text[rest..pair.end]];
            self.part.text.splice(at..at, again.concat());
        }
    }

    /// A token in the place of a move.
    fn non_move(&mut self, text: &[u8], span: Range<usize>) {
        // As above: `7--` would be read as one token.
        self.copy_to(text, span.start);
        // `*` ends the text of a move in every notation.
        let token = &text[span];
        if token == b"*" {
            return;
        }
        // A resignation in Chess 99 is a token of its own.
        if token == b"#" && !self.part.text.last().is_some_and(|&byte| byte <= b' ' || byte == b'.')
        {
            self.part.text.push(b' ');
            self.repaired = true;
        }
        if self.digits && self.part.text.last().is_some_and(u8::is_ascii_digit) {
            self.part.text.push(b' ');
            self.repaired = true;
        }
    }

    /// `e8(Q)Kh6`: the bracket, which is not written, has divided the move from what follows.
    fn divide(&mut self, text: &[u8], at: usize) {
        let rest = &text[at..];
        let word = &rest[..rest.iter().take_while(|&&byte| !ends_word(byte)).count()];
        if !word.is_empty() && !begins_with_redundant(word) {
            self.copy_to(text, at);
            self.part.text.push(b' ');
            self.repaired = true;
        }
    }

    /// `$Nc6`: a digit behind the sign would be its number.
    fn lone_glyph(&mut self, text: &[u8], end: usize) {
        if self.digits && text.get(end).is_some_and(|&next| !ends_word(next)) {
            self.copy_to(text, end);
            self.part.text.push(b' ');
            self.repaired = true;
        }
    }

    /// Leaves a suffix out, and the whitespace before it.
    fn redundant_suffix(&mut self, text: &[u8], span: Range<usize>) {
        let is_space = |byte: u8| byte <= b' ';
        let next = text.get(span.end).copied().unwrap_or(b' ');
        let before = &text[self.copied..span.start];
        let spaces_count = before.iter().rev().take_while(|&&byte| is_space(byte)).count();
        let end = span.start - spaces_count;
        // Separate tokens must not become one: annotations, or the rest of the token and the text before it.
        let is_glyph = |byte: u8| matches!(byte, b'!' | b'?');
        let fuses = is_glyph(next) && end > 0 && is_glyph(text[end - 1]) || !ends_word(next);
        self.copy_to(text, if fuses { span.start } else { end });
        self.copied = span.end;
        if fuses && spaces_count == 0 && is_glyph(next) {
            self.part.text.push(b' ');
        }
    }
}

impl<const TRACKS: bool> BlockVisitor for Rewrite<'_, TRACKS> {
    type Reads = PliesOrLines;

    fn line_request(&self) -> Option<LineRequest> {
        (!TRACKS).then_some(LineRequest::Texts(self.to))
    }

    fn line(&mut self, text: &[u8], line: &MoveLine<'_>) {
        let MoveLine::Texts(line) = line else { return };
        self.copy_move(text);
        self.copied = copy_line(text, self.copied, line, &mut self.part.text);
    }

    fn begin(&mut self, text: &[u8], start: usize, tags: &TagSection, _: &'static dyn Notation) {
        self.copied = start;
        if self.begun {
            self.part.text.truncate(self.out_start);
        }
        self.begun = true;
        self.span = None;
        self.repaired = false;
        self.removed.clear();
        self.editor.iter_mut().for_each(GameEditor::begin);
        self.out_start = self.part.text.len();
        let name = self.to.info().name;
        // The usual notation of the rules needs no tag pair.
        let is_usual = notation::is_same(self.to, notation::usual(tags.rules));
        if let Some(value) = tags.notation.clone() {
            let pairs = tags.notation_pair.clone().map(|pair| (value, pair));
            for (value, pair) in pairs.into_iter().chain(tags.notation_again.clone()) {
                if !is_usual {
                    self.copy_tags_to(text, tags, value.start);
                    self.part.text.extend_from_slice(name.as_bytes());
                    self.copied = value.end;
                    if let Some(pair) = tags.repaired.iter().find(|pair| pair.value == value) {
                        self.part.text.extend_from_slice(b"\"]");
                        self.copied = pair.end;
                    }
                } else {
                    // The line end between two pairs may have been removed with either.
                    self.copy_tags_to(text, tags, pair.start.max(self.copied));
                    self.copied = pair.end;
                    self.removed.push(RemovedPair { pair, value, at: self.part.text.len() });
                }
            }
        } else if !is_usual {
            let LastLine { end, is_tag, line: Range { start: line_start, .. }, .. } =
                *self.line.at(text, tags.end);
            // After the last tag pair there is a line end already; without a pair one is added. A pair in a line with
            // other text gets none: that line must not become a line of tag pairs, after which no game starts.
            let (at, before, after): (usize, &[u8], &[u8]) = match tags.count {
                // The rest of a line of tag pairs stays on that line: otherwise a game could start after it.
                0 if is_tag && line_start < tags.end => (tags.end, b"", b""),
                0 => (tags.end, b"", end),
                _ if is_tag => (tags.end, end, b""),
                _ => (tags.last_start, b"", b""),
            };
            self.copy_tags_to(text, tags, at);
            for piece in [before, b"[", NOTATION_TAG, b" \"", name.as_bytes(), b"\"]", after] {
                self.part.text.extend_from_slice(piece);
            }
        }
        if !tags.repaired.is_empty() {
            self.copy_tags_to(text, tags, tags.end.max(self.copied));
        }
    }

    #[inline(always)]
    fn ply(&mut self, text: &[u8], span: Range<usize>, ply: &Ply<'_>, depth: usize) {
        if TRACKS && let Some(editor) = &mut self.editor {
            editor.ply(ply, depth);
        }
        self.copy_move(text);
        self.new.clear();
        self.to.encode_ply(ply, &mut self.new);
        self.span = Some(span);
    }

    fn other_ply(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        ply: &OtherPly<'_>,
        _: usize,
    ) -> Result<(), Deviation> {
        self.copy_move(text);
        self.new.clear();
        ply.encode(self.to, &mut self.new)?;
        self.span = Some(span);
        Ok(())
    }

    fn non_ply(&mut self, text: &[u8], span: Range<usize>, kind: NonPly) {
        self.copy_move(text);
        match kind {
            NonPly::NullMove(_) | NonPly::NonMove => self.non_move(text, span),
            NonPly::LongNumber => {
                if self.to.info().digits == Digits::Only {
                    self.copy_to(text, span.end);
                    self.part.text.push(b'.');
                    self.repaired = true;
                }
            }
            NonPly::RedundantSuffix => self.redundant_suffix(text, span),
            NonPly::BracketEnd => self.divide(text, span.end),
            NonPly::NagWithoutNumber => self.lone_glyph(text, span.end),
        }
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>, game_place: GamePlace) {
        self.begun = false;
        // From the result on the text is copied byte for byte.
        let mut rest_bytes = game.result.as_ref().map(|result| game.span.end - result.start);
        if game.verdict != Verdict::Rejected {
            self.copy_to(text, game.span.end);
            self.restore_pairs(text, game, game_place);
            if self.to_utf8
                && let Some(new) = to_utf8(&self.part.text[self.out_start..])
            {
                rest_bytes = rest_bytes.map(|bytes| {
                    let rest = &self.part.text[self.part.text.len() - bytes..];
                    to_utf8(rest).map_or(bytes, |rest| rest.len())
                });
                self.part.text.truncate(self.out_start);
                self.part.text.extend_from_slice(&new);
            }
        } else {
            self.part.text.truncate(self.out_start);
            if !self.keep_rejects {
                return;
            }
            self.part.text.extend_from_slice(&text[game.span.clone()]);
        }
        let mut piece = TextPiece::game(text, game, game_place.offset);
        piece.starts &= self.part.text.get(self.out_start) == Some(&b'[');
        self.part.end_game(self.out_start, &piece);
        let end = self.part.text.len();
        let run = game_place.offset - game.span.start as u64;
        let result = rest_bytes.map(|bytes| end - bytes);
        let is_usual = game.tags.is_usual_start();
        self.preceding.game(run, piece.source, self.out_start, result, is_usual);
        if let Some(editor) = &mut self.editor {
            let own = &self.part.text[self.out_start..];
            editor.game(own, TextPiece::game(text, game, game_place.offset), game.verdict);
        }
    }

    fn needs_repair(&mut self, text: &[u8]) -> bool {
        self.copy_move(text);
        self.repaired
    }

    fn position(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        line: &PositionLine<'_>,
        place: GamePlace,
    ) {
        let PositionLine { verdict, moves, .. } = line;
        let piece = TextPiece::line(place.offset..place.offset + span.len() as u64);
        if *verdict == Verdict::Rejected {
            if self.keep_rejects {
                self.part.push_game(&text[span], &piece);
            }
            return;
        }
        let (start, mut copied) = (self.part.text.len(), span.start);
        for LineMove { span: old, text: new, .. } in *moves {
            self.part.text.extend_from_slice(&text[copied..old.start]);
            new.append_to(&mut self.part.text);
            copied = old.end;
        }
        self.part.text.extend_from_slice(&text[copied..span.end]);
        self.part.end_game(start, &piece);
    }

    fn copy(&mut self, text: &[u8], piece: TextPiece) {
        if let Some(editor) = &mut self.editor {
            editor.copy(text, &piece);
        }
        let start = self.part.text.len();
        self.part.push(text, &piece);
        self.preceding.text(piece.source, start);
    }
}

impl Task for Convert {
    /// The converted games of a block before their edits, and the moves of a game.
    type Context = (Rewritten, Movetext);
    type Part = Rewritten;

    fn history(&self) -> History {
        History::of(self.to)
    }

    fn target(&self) -> Option<&'static dyn Notation> {
        (self.form == Form::Edited).then_some(self.to)
    }

    fn writes_moves_alone(&self) -> bool {
        self.form == Form::Line
    }

    fn visit(
        &self,
        games: BlockGames<'_, '_>,
        (context, movetext): &mut (Rewritten, Movetext),
        part: &mut Rewritten,
    ) {
        let settings = games.settings();
        if self.form != Form::Edited {
            let is_pgn = self.form == Form::Pgn;
            return games.visit(MovesAlone::new(self.to, is_pgn, movetext, part));
        }
        if self.edits.is_none() && !self.sets_opening {
            return games.visit(Rewrite::<false>::new(self, settings, part, None));
        }
        context.clear();
        let editor = Some(GameEditor::new(&self.edits, self.to.info().digits, part));
        match self.sets_opening {
            true => games.visit(Rewrite::<true>::new(self, settings, context, editor)),
            false => games.visit(Rewrite::<false>::new(self, settings, context, editor)),
        }
    }
}

/// Adds the text from `copied` on to the end of a line; returns that end. Before each text of a line is whitespace or a
/// full stop, so that no text becomes part of a number. Cost: one copy of sixteen bytes and one word per ply, mostly.
fn copy_line(text: &[u8], copied: usize, line: &TextLine<'_>, out: &mut Vec<u8>) -> usize {
    let TextLine { starts, bytes, words } = *line;
    let Some(&last) = starts.last() else { return copied };
    let begin = out.len();
    // Room for whole operations at the end.
    out.resize(begin + last - copied + WORD_BYTES * starts.len() + GAP_BYTES, 0);
    let (mut at, mut to) = (copied, begin);
    for ((&start, &bytes), &word) in starts.iter().zip(bytes).zip(words) {
        let gap = start - at;
        copy_gap(&text[at..], &mut out[to..], gap);
        to += gap;
        let (new, count) = text_of(word);
        out[to..to + WORD_BYTES].copy_from_slice(&new);
        to += count;
        at = start + usize::from(bytes);
    }
    out.truncate(to);
    at
}

/// Copies the first `gap` bytes.
#[inline(always)]
fn copy_gap(from: &[u8], to: &mut [u8], gap: usize) {
    if gap <= SHORT_GAP_BYTES
        && let (Some(from), Some(to)) = (from.first_chunk(), to.first_chunk_mut())
    {
        let from: &[u8; SHORT_GAP_BYTES] = from;
        *to = *from;
    } else if gap <= GAP_BYTES
        && let (Some(from), Some(to)) = (from.first_chunk(), to.first_chunk_mut())
    {
        let from: &[u8; GAP_BYTES] = from;
        *to = *from;
    } else {
        to[..gap].copy_from_slice(&from[..gap]);
    }
}

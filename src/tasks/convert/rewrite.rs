//! New text: everything but the moves is copied byte for byte.
//!
//! In: the games of a block as the replay tells them. Out: [`Rewritten::text`], in which moves stand in another notation and the
//! tag pair that names the notation is added, changed or removed; comments and tag values are brought to UTF-8 if that was
//! asked for. A rejected game is taken back, or copied as it stood.

use std::ops::Range;

use crate::archive::games::{is_tag_line, line_of};
use crate::machine::Level;
use crate::notation::{Digits, MoveText, Notation, Ply, SAN};
use crate::pgn::{NOTATION_TAG, ends_word, to_utf8};
use crate::replay::{Game, History, TagSection, Verdict};

use super::options::{Convert, Rewritten};
use super::preceding::Preceding;

use crate::engine::{BlockVisitor, GamePlace, Rejects, Settings, Task, TextPiece};

/// What stands between two moves is copied at once if it is no longer: a number, a short comment.
const GAP_BYTES: usize = 64;
const SHORT_GAP_BYTES: usize = 16;

/// A `MoveNotation` pair that was left out.
#[derive(Debug)]
struct LeftOut {
    /// What was left out: the pair, and the line end that went with it.
    pair: Range<usize>,
    value: Range<usize>,
    /// Where it stood in the output.
    at: usize,
}

/// New text: everything but the moves is copied byte for byte.
#[derive(Debug)]
pub struct Rewrite<'r> {
    part: &'r mut Rewritten,
    to: &'static dyn Notation,
    /// May a text begin with a digit?
    digits: bool,
    keep_rejects: bool,
    level: Level,
    to_utf8: bool,
    /// Text up to here is in the output.
    copied: usize,
    /// Where the game begins in the output.
    out_start: usize,
    /// A game has begun and not ended.
    begun: bool,
    /// The `MoveNotation` pairs of this game that were left out, in order.
    left_out: Vec<LeftOut>,
    preceding: Preceding,
    /// A blank or a full stop was put into it.
    mended: bool,
    /// The new text of the last move, and where the old one stands, if it is not yet in the output. It is copied a move later:
    /// bytes that have just been written one by one could not be read at once before they have reached the cache.
    new: MoveText,
    place: Option<Range<usize>>,
    line: LastLine,
}

impl<'r> Rewrite<'r> {
    pub(super) fn new(task: &Convert, settings: &Settings, part: &'r mut Rewritten) -> Rewrite<'r> {
        let Convert { to, to_utf8 } = *task;
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
            left_out: Vec::new(),
            preceding: Preceding::default(),
            mended: false,
            new: MoveText::default(),
            place: None,
            line: LastLine::default(),
        }
    }

    #[inline(always)]
    fn copy_to(&mut self, text: &[u8], end: usize) {
        self.part.text.extend_from_slice(&text[self.copied..end]);
        self.copied = end;
    }

    /// Copies tag pairs; those that are damaged are written as they should be.
    fn copy_tags_to(&mut self, text: &[u8], tags: &TagSection, end: usize) {
        for pair in &tags.repaired {
            if self.copied < pair.value.start && pair.end <= end {
                self.copy_to(text, pair.value.start);
                pair.append_value(text, &mut self.part.text);
                self.part.text.extend_from_slice(b"\"]");
                self.copied = pair.end;
            }
        }
        self.copy_to(text, end);
    }

    /// Copies the new text of the last move, and what stands before it.
    #[inline(always)]
    fn settle(&mut self, text: &[u8]) {
        let Some(place) = self.place.take() else { return };
        // What stands between two moves is mostly a blank and a number, or a short comment too: so many bytes are copied, and
        // those that are too many taken back, faster than just those that are wanted.
        let gap = place.start - self.copied;
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
                self.copied = place.end;
                return;
            }
        }
        self.copy_to(text, place.start);
        let new = &self.new;
        // A digit would fuse with a text that begins with one, and a move number with any text of a notation in
        // which moves begin with digits.
        let fuses = new.as_bytes().first().is_some_and(u8::is_ascii_digit) || self.digits;
        if fuses && self.part.text.last().is_some_and(u8::is_ascii_digit) {
            self.part.text.push(b' ');
            self.mended = true;
        }
        new.append_to(&mut self.part.text);
        self.copied = place.end;
    }
}

impl Rewrite<'_> {
    /// Puts the `MoveNotation` pairs back, with the value `san`, where without them the text is not read as this one game.
    fn put_back(&mut self, text: &[u8], game: &Game<'_>, place: GamePlace) {
        let tags = game.tags;
        let is_line_end = |at: usize| matches!(text.get(at), Some(b'\n' | b'\r'));
        match self.left_out.as_slice() {
            [] => return,
            // As nearly always: the pair was a line between those of another pair and of whatever follows.
            [only] if is_line_end(only.pair.start) && is_line_end(tags.end) => return,
            _ => {}
        }
        let run = place.offset - game.span.start as u64;
        if self.preceding.reads_as_one(
            self.level,
            &self.part.text,
            self.out_start,
            run..place.offset,
        ) {
            return;
        }
        // From the last one on: the places of the others stay.
        for LeftOut { pair, value, at } in self.left_out.drain(..).rev() {
            let damaged = tags.repaired.iter().find(|damaged| damaged.value == value);
            let (close, rest): (&[u8], usize) =
                damaged.map_or((b"", value.end), |damaged| (b"\"]", damaged.end));
            let name = SAN.info().name.as_bytes();
            let again = [&text[pair.start..value.start], name, close, &text[rest..pair.end]];
            self.part.text.splice(at..at, again.concat());
        }
    }
}

impl BlockVisitor for Rewrite<'_> {
    fn begin(&mut self, text: &[u8], start: usize, tags: &TagSection, _: &'static dyn Notation) {
        self.copied = start;
        if self.begun {
            self.part.text.truncate(self.out_start);
        }
        self.begun = true;
        self.place = None;
        self.mended = false;
        self.left_out.clear();
        self.out_start = self.part.text.len();
        let name = self.to.info().name;
        if let Some(value) = tags.notation.clone() {
            let pairs = tags.notation_pair.clone().map(|pair| (value, pair));
            for (value, pair) in pairs.into_iter().chain(tags.notation_again.clone()) {
                if !self.to.is_san() {
                    self.copy_tags_to(text, tags, value.start);
                    self.part.text.extend_from_slice(name.as_bytes());
                    self.copied = value.end;
                    if let Some(pair) = tags.repaired.iter().find(|pair| pair.value == value) {
                        self.part.text.extend_from_slice(b"\"]");
                        self.copied = pair.end;
                    }
                } else {
                    // The line end between two pairs may go with either.
                    self.copy_tags_to(text, tags, pair.start.max(self.copied));
                    self.copied = pair.end;
                    self.left_out.push(LeftOut { pair, value, at: self.part.text.len() });
                }
            }
        } else if !self.to.is_san() {
            let LastLine { end, is_tag, line: Range { start: line_start, .. }, .. } =
                *self.line.at(text, tags.end);
            // After the last tag pair there is a line end already; where there is no pair, one must follow. A pair within a
            // line that is otherwise text gets none: that line must not become one of tag pairs, behind which no game starts.
            let (at, before, after): (usize, &[u8], &[u8]) = match tags.count {
                // The rest of a line of tag pairs stays on that line: else a game could start behind it.
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
    fn ply(&mut self, text: &[u8], place: Range<usize>, ply: &Ply<'_>, _: usize) {
        self.settle(text);
        self.new.clear();
        self.to.encode(ply, &mut self.new);
        self.place = Some(place);
    }

    fn non_move(&mut self, text: &[u8], place: Range<usize>) {
        self.settle(text);
        // As above: `7--` would be read as one word.
        self.copy_to(text, place.start);
        if self.digits && self.part.text.last().is_some_and(u8::is_ascii_digit) {
            self.part.text.push(b' ');
            self.mended = true;
        }
    }

    fn redundant_suffix(&mut self, text: &[u8], place: Range<usize>) {
        self.settle(text);
        let is_blank = |byte: u8| byte <= b' ';
        let next = text.get(place.end).copied().unwrap_or(b' ');
        let before = &text[self.copied..place.start];
        let blanks = before.iter().rev().take_while(|&&byte| is_blank(byte)).count();
        let end = place.start - blanks;
        // What stood apart must not become one: annotations, or the rest of the word and what stands before it.
        let is_glyph = |byte: u8| matches!(byte, b'!' | b'?');
        let fuses = is_glyph(next) && end > 0 && is_glyph(text[end - 1]) || !ends_word(next);
        self.copy_to(text, if fuses { place.start } else { end });
        self.copied = place.end;
        if fuses && blanks == 0 && is_glyph(next) {
            self.part.text.push(b' ');
        }
    }

    fn long_number(&mut self, text: &[u8], place: Range<usize>) {
        self.settle(text);
        if self.to.info().digits == Digits::Only {
            self.copy_to(text, place.end);
            self.part.text.push(b'.');
            self.mended = true;
        }
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>, place: GamePlace) {
        self.begun = false;
        // What stands from the result on is copied byte for byte.
        let mut rest_bytes = game.result.as_ref().map(|result| game.span.end - result.start);
        if game.verdict != Verdict::Rejected {
            self.copy_to(text, game.span.end);
            self.put_back(text, game, place);
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
        let mut piece = TextPiece::game(text, game, place.offset);
        piece.starts &= self.part.text.get(self.out_start) == Some(&b'[');
        self.part.seams.piece(&self.part.text, self.out_start, &piece);
        let end = self.part.text.len();
        let run = place.offset - game.span.start as u64;
        let result = rest_bytes.map(|bytes| end - bytes);
        self.preceding.game(run, piece.source, self.out_start, result);
        self.part.game_ends.push(end as u64);
    }

    fn needs_repair(&mut self, text: &[u8]) -> bool {
        self.settle(text);
        self.mended
    }

    fn copy(&mut self, text: &[u8], piece: TextPiece) {
        let start = self.part.text.len();
        self.part.text.extend_from_slice(text);
        self.part.seams.piece(&self.part.text, start, &piece);
        self.preceding.text(piece.source, start);
    }
}

impl Task for Convert {
    type Context = ();
    type Part = Rewritten;
    type Visitor<'b> = Rewrite<'b>;

    fn history(&self) -> History {
        History::of(self.to)
    }

    fn visitor<'b>(
        &'b self,
        settings: &'b Settings,
        (): &'b mut (),
        part: &'b mut Rewritten,
    ) -> Rewrite<'b> {
        Rewrite::new(self, settings, part)
    }
}

/// The line that was looked at last, so that many games on one line share one look.
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
    /// The line that holds the byte before `at`, or begins there.
    fn at(&mut self, text: &[u8], at: usize) -> &LastLine {
        let identity = (text.as_ptr() as usize, text.len());
        let is_known = self.text == identity && (self.line.start..=self.line.end).contains(&at);
        if !is_known || self.end.is_empty() {
            self.line = line_of(text, at);
            self.text = identity;
            self.end = line_end(&text[self.line.end..]);
            self.is_tag = is_tag_line(text, self.line.clone());
        }
        self
    }
}

/// The first line end in a text: the archive's own kind.
fn line_end(text: &[u8]) -> &'static [u8] {
    match memchr::memchr2(b'\n', b'\r', text) {
        Some(at) if text[at] == b'\n' => b"\n",
        Some(at) if text.get(at + 1) == Some(&b'\n') => b"\r\n",
        Some(_) => b"\r",
        None => b"\n",
    }
}

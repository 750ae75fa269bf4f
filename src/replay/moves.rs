//! The movetext of one game: moves, numbers, variations.

use std::ops::Range;

use crate::board::{Color, Move};
use crate::fault::{Class, Deviation, quoted};
use crate::notation::{Check, Mark, Notation, Ply, Reading, san};
use crate::pgn::{Outcome, TagPair, Token, TokenKind, Tokens, is_digits_of_move};

use super::bounds::begins_anew;
use super::ending::{lost_by, usual_end};
use super::reason::refusal;
use super::words::{
    bracketed_promotion, is_annotation, is_null_move, promote_to_queen, resignation, stuck_result,
};
use super::{Line, Listener, Replayer, VARIATION_DEPTH_MAX};

/// What a word in a move's place turned out to be.
enum Word {
    Move(Reading, Range<usize>),
    Null,
    /// An annotation, or a word whose fault is recorded.
    Nothing,
}

/// Is this the notation that has a reader and a lane of its own here?
pub(super) fn is_san(notation: &dyn Notation) -> bool {
    notation.info().name == "san"
}

impl Replayer<'_> {
    /// Replays movetext up to its result or the end of the text, along the main line, which stands at its beginning.
    pub(super) fn moves(
        &mut self,
        line: &mut Line,
        tokens: &mut Tokens<'_>,
        text: &[u8],
        notation: &'static dyn Notation,
        listener: &mut impl Listener,
    ) {
        if is_san(notation) {
            self.movetext::<true>(line, tokens, text, notation, listener);
        } else {
            self.movetext::<false>(line, tokens, text, notation, listener);
        }
    }

    /// The same. `SAN` says that the notation is SAN, whose reader is called directly.
    fn movetext<const SAN: bool>(
        &mut self,
        line: &mut Line,
        tokens: &mut Tokens<'_>,
        text: &[u8],
        notation: &'static dyn Notation,
        listener: &mut impl Listener,
    ) {
        if self.state.fault.is_some() {
            line.dead = true;
        }
        loop {
            if SAN && !line.dead {
                let at = self.lane(line, text, tokens.at(), listener);
                tokens.go_to(at);
                if self.stack.is_empty()
                    && let Some(result) = usual_end(text, at)
                {
                    tokens.go_to(text.len());
                    self.state.result = Some(result);
                    break;
                }
            }
            let Some(token) = tokens.next() else { break };
            match token.kind {
                TokenKind::Move => {
                    if line.dead {
                        continue;
                    }
                    let word = &text[token.start..token.end];
                    let reading = if SAN {
                        san::read_canonical(word, line.position())
                            .map(|(mv, mark)| (mv, mark, token.start..token.end))
                    } else {
                        None
                    };
                    match reading {
                        Some((mv, mark, place)) => {
                            self.play(line, text, place, mv, mark, listener);
                        }
                        None => self.word(line, tokens, text, token, notation, listener),
                    }
                }
                TokenKind::Number => {
                    self.number(line, text, token);
                    let place = token.start..token.end;
                    if !line.dead && is_digits_of_move(&text[place.clone()]) {
                        listener.number(text, place);
                    }
                }
                TokenKind::Comment
                | TokenKind::Nag
                | TokenKind::Suffix
                | TokenKind::LineComment => {}
                TokenKind::Open => self.open(line, token),
                TokenKind::Close => self.close(line, token),
                TokenKind::Result => {
                    if token.start > 0 && text[token.start - 1].is_ascii_digit() {
                        listener.aside(text, token.start..token.end);
                    }
                    if self.stack.is_empty() && self.state.skipped_depth == 0 {
                        let outcome = Outcome::from_any(&text[token.start..token.end]);
                        let outcome = outcome.unwrap_or(Outcome::Unknown);
                        self.state.result = Some((outcome, token.start..token.end));
                        break;
                    }
                    if begins_anew(text, token.end) {
                        self.left_open(line, text, token);
                        break;
                    }
                }
                _ => self.rare_token(line, tokens, text, token),
            }
        }
    }

    /// A result within a variation, and then a new game: the variation is never closed, and spoils this game alone.
    #[cold]
    fn left_open(&mut self, line: &Line, text: &[u8], token: Token) {
        let place = token.start..token.end;
        let outcome = Outcome::from_any(&text[place.clone()]).unwrap_or(Outcome::Unknown);
        self.state.result = Some((outcome, place.clone()));
        self.state.left_open = true;
        if self.state.fault.is_none() {
            self.fail(Deviation::VariationUnclosed, place, line.ply, || {
                "a variation is still open where the game ends".to_string()
            });
        }
    }

    #[cold]
    fn rare_token(&mut self, line: &mut Line, tokens: &mut Tokens<'_>, text: &[u8], token: Token) {
        let place = token.start..token.end;
        match token.kind {
            TokenKind::NumberStuck => {
                self.deviate(Deviation::MoveNumberStuck, place, line.ply + 1);
                self.number(line, text, token);
            }
            TokenKind::CommentNested => {
                self.deviate(Deviation::CommentNested, place, line.ply);
            }
            TokenKind::CommentUnclosed => self.comment_unclosed(token),
            TokenKind::Escape => {
                self.deviate(Deviation::EscapeLine, place, line.ply);
            }
            TokenKind::Tag => {
                self.deviate(Deviation::TagAfterMoves, place, line.ply);
                if let Some(pair) = TagPair::read(text, token.start) {
                    tokens.go_to(pair.end);
                }
            }
            _ => {
                if !line.dead {
                    self.refuse(line, text, Deviation::MoveUnreadable, place);
                }
            }
        }
        line.dead |= self.state.fault.is_some();
    }

    /// A legal move: plays it and tells the listener.
    fn play(
        &mut self,
        line: &mut Line,
        text: &[u8],
        place: Range<usize>,
        mv: Move,
        mark: Mark,
        listener: &mut impl Listener,
    ) {
        let (ply, numbered) = (line.ply + 1, line.numbered);
        let (before, after, lineage) = line.play(mv);
        let check = Check::of(after);
        if let Some(odd) = mark.deviation(check)
            && !self.deviate(odd, place.clone(), ply)
        {
            line.dead = true;
            return;
        }
        if !numbered && before.turn() == Color::White && !self.number_missing(ply, place.clone()) {
            line.dead = true;
            return;
        }
        let depth = self.stack.len();
        let told = Ply::new(before, mv, after, check).with_lineage(lineage);
        listener.ply(text, place, &told, depth);
        line.note_lineage(mv);
        line.turn();
        self.count_ply(depth);
    }

    #[inline(always)]
    pub(super) fn count_ply(&mut self, depth: usize) {
        if depth == 0 {
            self.state.plies += 1;
        } else {
            self.state.variation_plies += 1;
        }
    }

    #[cold]
    pub(super) fn number_missing(&mut self, ply: u32, place: Range<usize>) -> bool {
        self.deviate(Deviation::MoveNumberMissing, place, ply)
    }

    /// A word that SAN's fast reader did not take, or any word of another notation.
    fn word(
        &mut self,
        line: &mut Line,
        tokens: &mut Tokens<'_>,
        text: &[u8],
        token: Token,
        notation: &'static dyn Notation,
        listener: &mut impl Listener,
    ) {
        match self.read_word(line, text, token, notation) {
            Word::Move(reading, place) => {
                tokens.go_to(place.end);
                for odd in reading.deviations.iter() {
                    if !self.deviate(odd, place.clone(), line.ply + 1) {
                        line.dead = true;
                        return;
                    }
                }
                self.play(line, text, place, reading.mv, reading.mark, listener);
            }
            Word::Null => {
                self.null_move(line, token);
                if !line.dead {
                    listener.aside(text, token.start..token.end);
                }
            }
            Word::Nothing => {
                line.dead |= self.state.fault.is_some();
                if !line.dead {
                    listener.aside(text, token.start..token.end);
                }
            }
        }
    }

    fn read_word(
        &mut self,
        line: &mut Line,
        text: &[u8],
        token: Token,
        notation: &'static dyn Notation,
    ) -> Word {
        let place = token.start..token.end;
        let word = &text[place.clone()];
        if is_null_move(word) {
            return Word::Null;
        }
        let refused = match notation.read_in(word, line.position(), line.lineage()) {
            Ok(reading) => return Word::Move(reading, place),
            Err(deviation) => deviation,
        };
        if refused == Deviation::PromotionPieceMissing
            && let Some(end) = bracketed_promotion(text, token.end)
            && let Ok(reading) =
                notation.read_in(&text[token.start..end], line.position(), line.lineage())
        {
            return Word::Move(reading, token.start..end);
        }
        if let Some(end) = stuck_result(word)
            && let Ok(mut reading) = notation.read_in(&word[..end], line.position(), line.lineage())
        {
            reading.deviations.add(Deviation::ResultStuck);
            return Word::Move(reading, token.start..token.start + end);
        }
        if let Some(resigned) = resignation(word) {
            self.deviate(Deviation::ResultStyle, place.clone(), line.ply);
            if self.stack.is_empty() {
                let outcome = lost_by(line.position().turn());
                self.state.resigned = resigned.then_some((outcome, place));
            }
            return Word::Nothing;
        }
        if is_annotation(word) {
            self.deviate(Deviation::SuffixUnusual, place, line.ply);
            return Word::Nothing;
        }
        if refused == Deviation::PromotionPieceMissing
            && self.profile.class(refused) != Class::Fault
            && let Some(reading) = promote_to_queen(word, notation, line.position())
        {
            return Word::Move(reading, place);
        }
        self.refuse(line, text, refused, place);
        Word::Nothing
    }

    /// A word that is no legal move: a fault, or, in a variation where that is allowed, the end of what is proved.
    #[cold]
    fn refuse(&mut self, line: &mut Line, text: &[u8], kind: Deviation, place: Range<usize>) {
        line.dead = true;
        if !self.stack.is_empty() && self.profile.class(Deviation::VariationIllegal) != Class::Fault
        {
            self.deviate(Deviation::VariationIllegal, place, line.ply + 1);
            return;
        }
        let over = !line.position().has_legal_move();
        let kind =
            if over && kind == Deviation::MoveIllegal { Deviation::MovesAfterEnd } else { kind };
        let position = *line.position();
        let word = quoted(&text[place.clone()]);
        let notation = self.written_in;
        self.fail(kind, place, line.ply + 1, || refusal(kind, &word, notation, &position));
    }

    #[cold]
    fn null_move(&mut self, line: &mut Line, token: Token) {
        let place = token.start..token.end;
        let kind =
            if self.stack.is_empty() { Deviation::NullMoveMainLine } else { Deviation::NullMove };
        if line.position().in_check() {
            line.dead = true;
            self.fail(Deviation::MoveIllegal, place, line.ply + 1, || {
                "nobody may pass while in check".to_string()
            });
        } else if self.deviate(kind, place, line.ply + 1) {
            line.pass();
        } else {
            line.dead = true;
        }
    }

    #[inline(always)]
    fn number(&mut self, line: &mut Line, text: &[u8], token: Token) {
        let mut number = 0u32;
        let mut at = token.start;
        while at < token.end && text[at].is_ascii_digit() {
            number = number.saturating_mul(10).saturating_add(u32::from(text[at] - b'0'));
            at += 1;
        }
        // Full stops alone, as in `1. ... e5`, continue a number.
        if at > token.start && !line.dead {
            self.numbered(line, number, token);
        }
    }

    /// The next move's number was read.
    #[inline(always)]
    pub(super) fn numbered(&mut self, line: &mut Line, number: u32, token: Token) {
        line.numbered = true;
        if number != line.position().fullmove_number() {
            self.number_wrong(line, token);
        }
    }

    #[cold]
    fn number_wrong(&mut self, line: &mut Line, token: Token) {
        if !self.deviate(Deviation::MoveNumberWrong, token.start..token.end, line.ply + 1) {
            line.dead = true;
        }
    }

    fn open(&mut self, line: &mut Line, token: Token) {
        let place = token.start..token.end;
        if self.stack.len() == VARIATION_DEPTH_MAX && self.state.fault.is_none() {
            line.dead = true;
            self.fail(Deviation::VariationTooDeep, place.clone(), line.ply, || {
                format!("variations are nested more than {VARIATION_DEPTH_MAX} deep")
            });
        }
        if !line.moved && !line.dead {
            line.dead = true;
            self.fail(Deviation::VariationMisplaced, place, line.ply, || {
                "a variation replaces the move before it, and there is none".to_string()
            });
        }
        // A game that has failed is only skipped to its end: of its depth nothing but the number matters.
        if self.state.fault.is_some() {
            self.state.skipped_depth += 1;
            return;
        }
        self.stack.push(*line);
        *line = line.variation();
    }

    fn close(&mut self, line: &mut Line, token: Token) {
        if self.state.fault.is_some() {
            if self.state.skipped_depth > 0 {
                self.state.skipped_depth -= 1;
            } else {
                self.stack.pop();
            }
            line.dead = true;
            return;
        }
        match self.stack.pop() {
            Some(outer) => {
                *line = outer;
                // The move after a variation may carry its number again or not.
                line.numbered = true;
            }
            None => {
                line.dead = true;
                self.fail(Deviation::VariationUnopened, token.start..token.end, line.ply, || {
                    "a variation is closed that was never opened".to_string()
                });
            }
        }
    }
}

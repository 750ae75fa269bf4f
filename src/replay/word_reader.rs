//! A word in a move's place that the fast reader of SAN did not take, or any word of another notation.
//!
//! In: a word and the position. Out: a move with its deviations, suffixes of the last move, a null move, a resignation, or a
//! fault. Cost: one call of the notation's reader, and one per suffix that is attached.

use std::ops::Range;

use crate::notation::{Check, Notation, Ply, Reading};
use crate::pgn::deviation::{Class, Deviation, quoted};
use crate::pgn::{Token, Tokens};

use super::fast::ending::{lost_by, resigning};
use super::reason::refusal;
use super::special_tokens::{
    bracketed_promotion, is_null_move, promote_to_queen, resignation, stuck_result,
};
use super::suffixes::{is_suffix, move_ends};
use super::{Line, ReplayVisitor, Replayer};

/// What a word in a move's place turned out to be.
enum Word {
    Move(Reading, Range<usize>),
    /// A move with suffixes attached that its reader does not take: where these are.
    WithSuffixes(Reading, Range<usize>, Range<usize>),
    Null,
    Suffixes,
    /// A resignation, or a word whose fault is recorded.
    Nothing,
}

impl Replayer<'_> {
    /// A word that SAN's fast reader did not take, or any word of another notation.
    pub(super) fn word(
        &mut self,
        line: &mut Line,
        tokens: &mut Tokens<'_>,
        text: &[u8],
        token: Token,
        notation: &'static dyn Notation,
        visitor: &mut impl ReplayVisitor,
    ) {
        match self.read_word(line, text, token, notation) {
            Word::Move(reading, place) => {
                tokens.go_to(place.end);
                self.play_reading(line, text, place, &reading, visitor);
            }
            Word::WithSuffixes(reading, place, attached) => {
                self.play_reading(line, text, place, &reading, visitor);
                self.suffixes(line, text, attached, true, visitor);
            }
            Word::Suffixes => self.suffixes(line, text, token.start..token.end, false, visitor),
            Word::Null => {
                self.null_move(line, token);
                if !line.dead {
                    visitor.non_move(text, token.start..token.end);
                }
            }
            Word::Nothing => {
                line.dead |= self.state.fault.is_some();
                if !line.dead {
                    visitor.non_move(text, token.start..token.end);
                }
            }
        }
    }

    /// Plays a move whose text is not canonical.
    fn play_reading(
        &mut self,
        line: &mut Line,
        text: &[u8],
        place: Range<usize>,
        reading: &Reading,
        visitor: &mut impl ReplayVisitor,
    ) {
        for odd in reading.deviations.iter() {
            if !self.deviate(odd, place.clone(), line.ply + 1) {
                line.dead = true;
                return;
            }
        }
        if !reading.deviations.is_empty() && self.state.notes.is_some() {
            let (before, after) = (line.position(), line.position().play(reading.mv));
            let told = Ply::new(before, reading.mv, &after, Check::of(&after));
            self.set_canonical(&told.with_lineage(line.lineage()), &place);
        }
        self.play(line, text, place, reading.mv, reading.check_suffix, visitor);
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
        let mut refused = match notation.read_in(word, line.position(), line.lineage()) {
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
        for end in move_ends(word).filter(|&end| is_suffix(&word[end..])) {
            // A shorter text of fewer moves would be a guess: in descriptive notation a move without `ch` gives no check.
            if refused == Deviation::MoveAmbiguous {
                break;
            }
            let body = token.start..token.start + end;
            match notation.read_in(&word[..end], line.position(), line.lineage()) {
                Ok(reading) => {
                    return Word::WithSuffixes(reading, body.clone(), body.end..token.end);
                }
                Err(Deviation::MoveAmbiguous) => refused = Deviation::MoveAmbiguous,
                Err(_) => {}
            }
        }
        if refused == Deviation::MoveAmbiguous
            && let Some(reading) = self.read_joined(line, text, token)
        {
            return Word::Move(reading, place);
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
                let outcome = lost_by(resigning(text, place.start, line.position().turn()));
                self.state.resigned = resigned.then_some((outcome, place));
            }
            return Word::Nothing;
        }
        if is_suffix(word) {
            return Word::Suffixes;
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
    pub(super) fn refuse(
        &mut self,
        line: &mut Line,
        text: &[u8],
        kind: Deviation,
        place: Range<usize>,
    ) {
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
}

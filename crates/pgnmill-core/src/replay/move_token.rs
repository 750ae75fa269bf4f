//! A token in the place of a move that was not read at once: no canonical SAN, or another notation.
//!
//! In: a token and the position. Out: a move with its deviations, suffixes of the last move, a null move, a
//! word of a result, or a fault. Cost: one call of the notation's reader, and one per suffix that is attached.

use std::ops::Range;

use crate::notation::Reading;
use crate::pgn::deviation::{Class, Deviation, quoted};
use crate::pgn::{Token, Tokens, widthless_blanks_end};

use super::game_end::lost_by;
use super::line::{Line, LineStack};
use super::ruleset::Ruleset;
use super::special_tokens::{
    ResultWord, bracketed_promotion, is_null_move, nag_escape, result_word_before, stuck_result,
};
use super::suffixes::{is_suffix, move_ends};
use super::visitor::MovetextVisitor;
use super::{NonPly, Replayer};

/// What a token in the place of a move is.
enum MoveToken<M> {
    Move(Reading<M>, Range<usize>),
    /// A move with suffixes attached that its reader does not read: the span of each.
    WithSuffixes(Reading<M>, Range<usize>, Range<usize>),
    Null,
    Suffixes,
    /// A backslash before a NAG, perhaps after a move: the span of each.
    Escape(Option<(Reading<M>, Range<usize>)>, Range<usize>),
    /// A word in the place of a result, or a token whose fault is recorded.
    Nothing,
}

impl Replayer<'_> {
    /// Replays a token that is no canonical SAN, or any token of another notation.
    pub(super) fn move_token<R: Ruleset>(
        &mut self,
        lines: &mut LineStack<R>,
        tokens: &mut Tokens<'_>,
        text: &[u8],
        token: Token,
        visitor: &mut dyn MovetextVisitor<R>,
    ) {
        let span = token.start..token.end;
        let read = match &text[span.clone()] {
            bytes if is_null_move(bytes) => MoveToken::Null,
            bytes => match R::resigned(bytes, lines.line.position()) {
                Some(position) => {
                    self.resign_by_mark(lines, text, span.clone(), position);
                    MoveToken::Nothing
                }
                None => nag_token(lines, text, &span)
                    .unwrap_or_else(|| self.read_token(lines, text, token)),
            },
        };
        match read {
            MoveToken::Move(reading, span) => {
                tokens.go_to(span.end);
                let end = span.end;
                self.play_reading(lines, text, span, &reading, visitor);
                if text[..end].ends_with(b")") && !lines.line.dead {
                    visitor.non_ply(text, end..end, NonPly::BracketEnd);
                }
            }
            MoveToken::WithSuffixes(reading, span, attached) => {
                self.play_reading(lines, text, span, &reading, visitor);
                self.suffixes(lines, text, attached, true, visitor);
            }
            MoveToken::Suffixes => self.suffixes(lines, text, span, false, visitor),
            MoveToken::Escape(reading, escape) => {
                let is_attached = reading.is_some();
                if let Some((reading, span)) = reading {
                    self.play_reading(lines, text, span, &reading, visitor);
                }
                self.nag_escape(lines, text, escape, is_attached, visitor);
            }
            MoveToken::Null => {
                let in_variation = lines.depth() > 0;
                self.null_move(&mut lines.line, in_variation, span.clone());
                if !lines.line.dead {
                    visitor.non_ply(text, span, NonPly::NullMove(lines.depth()));
                }
            }
            MoveToken::Nothing => {
                lines.line.dead |= self.state.fault.is_some();
                self.unstick_result::<R>(tokens, text, token);
                if !lines.line.dead {
                    visitor.non_ply(text, span, NonPly::NonMove);
                }
            }
        }
    }

    /// A backslash before a NAG, which is kept where it is.
    #[cold]
    fn nag_escape<R: Ruleset>(
        &mut self,
        lines: &mut LineStack<R>,
        text: &[u8],
        span: Range<usize>,
        attached: bool,
        visitor: &mut dyn MovetextVisitor<R>,
    ) {
        if lines.line.dead {
            return;
        }
        if !self.deviate(Deviation::NagEscaped, span.clone(), lines.line.ply) {
            lines.line.dead = true;
        } else if !attached {
            visitor.non_ply(text, span, NonPly::NonMove);
        }
    }

    /// Behind a fault no move is read, and a result that is attached to one ends the game all the same: where a game
    /// ends does not depend on what is a fault.
    pub(super) fn unstick_result<R: Ruleset>(
        &self,
        tokens: &mut Tokens<'_>,
        text: &[u8],
        token: Token,
    ) {
        if R::RESULTS_MAY_STICK
            && self.state.fault.is_some()
            && let Some(end) = stuck_result(&text[token.start..token.end])
        {
            tokens.go_to(token.start + end);
        }
    }

    /// Plays a move whose text may differ from the canonical one.
    pub(super) fn play_reading<R: Ruleset>(
        &mut self,
        lines: &mut LineStack<R>,
        text: &[u8],
        span: Range<usize>,
        reading: &Reading<R::Move>,
        visitor: &mut dyn MovetextVisitor<R>,
    ) {
        let line = &mut lines.line;
        for deviation in reading.deviations.iter() {
            if self.ends_at_variants
                && matches!(deviation, Deviation::PawnLetter | Deviation::NotationVariant)
            {
                line.dead = true;
                return self.fail(deviation, span, line.ply + 1, String::new);
            }
            if !self.deviate(deviation, span.clone(), line.ply + 1) {
                line.dead = true;
                return;
            }
        }
        if !reading.deviations.is_empty() && self.state.notes.is_some() {
            let before = line.position();
            let mut after = *before;
            R::play_into(before, reading.mv, &mut after);
            let played = R::ply(before, reading.mv, &after, R::check(&after), line.lineage());
            self.set_canonical::<R>(lines.notation, &played, &span);
        }
        self.play(lines, text, span, (reading.mv, reading.check_suffix), visitor);
    }

    fn read_token<R: Ruleset>(
        &mut self,
        lines: &mut LineStack<R>,
        text: &[u8],
        token: Token,
    ) -> MoveToken<R::Move> {
        let (notation, line) = (lines.notation, &lines.line);
        let read = |text: &[u8]| R::read(notation, text, line.position(), line.lineage());
        let span = token.start..token.end;
        let bytes = &text[span.clone()];
        // Whether the text without it is a move, too: `PxC(D)` is a capture that promotes, if there is one.
        if let Some(end) = bracketed_promotion(text, token.end)
            && let Ok(reading) = read(&text[token.start..end])
        {
            return MoveToken::Move(reading, token.start..end);
        }
        let mut refused = match read(bytes) {
            Ok(reading) => return MoveToken::Move(reading, span),
            Err(deviation) => deviation,
        };
        for end in move_ends(bytes).filter(|&end| is_suffix(&bytes[end..])) {
            // A shorter text of fewer moves would be a guess: in descriptive notation a move without `ch` gives no
            // check.
            if refused == Deviation::MoveAmbiguous {
                break;
            }
            let body = token.start..token.start + end;
            match read(&bytes[..end]) {
                Ok(reading) => {
                    return MoveToken::WithSuffixes(reading, body.clone(), body.end..token.end);
                }
                Err(Deviation::MoveAmbiguous) => refused = Deviation::MoveAmbiguous,
                // What is attached is no reason: `Be3,` is as illegal as `Be3`.
                Err(kind) if refused == Deviation::MoveUnreadable => refused = kind,
                Err(_) => {}
            }
        }
        if refused == Deviation::MoveAmbiguous
            && let Some(reading) = self.read_joined(lines, text, token)
        {
            return MoveToken::Move(reading, span);
        }
        if let Some(end) = stuck_result(bytes).filter(|_| R::RESULTS_MAY_STICK)
            && let Ok(mut reading) = read(&bytes[..end])
        {
            reading.deviations.add(Deviation::ResultStuck);
            return MoveToken::Move(reading, token.start..token.start + end);
        }
        if let Some(word) = ResultWord::of(bytes)
            && self.is_of_result(lines, text, token, word)
        {
            self.result_by_word(lines, text, span, word);
            return MoveToken::Nothing;
        }
        if is_suffix(bytes) && is_part_of_word(text, token) {
            self.refuse(lines, text, Deviation::MoveUnreadable, word_around(text, token));
            return MoveToken::Nothing;
        }
        if is_suffix(bytes) {
            return MoveToken::Suffixes;
        }
        if refused == Deviation::PromotionPieceMissing
            && self.profile.class(refused) != Class::Fault
            && let Some(reading) = R::read_usual_promotion(notation, bytes, line.position())
        {
            return MoveToken::Move(reading, span);
        }
        self.refuse(lines, text, refused, span);
        MoveToken::Nothing
    }

    /// A word in the place of a result. The outcome that the last one names is compared with the tag pair and the
    /// board, and written nowhere.
    #[cold]
    fn result_by_word<R: Ruleset>(
        &mut self,
        lines: &LineStack<R>,
        text: &[u8],
        span: Range<usize>,
        word: ResultWord,
    ) {
        self.deviate(Deviation::ResultStyle, span.clone(), lines.line.ply);
        if lines.depth() == 0 {
            let before = result_word_before(text, span.start);
            let outcome = word.outcome(before, R::turn(lines.line.position()));
            self.state.resigned = word.is_last().then_some((outcome, span));
        }
    }

    /// A mark in the place of a move by which the side to move resigns.
    #[cold]
    fn resign_by_mark<R: Ruleset>(
        &mut self,
        lines: &mut LineStack<R>,
        text: &[u8],
        span: Range<usize>,
        position: R::Position,
    ) {
        let (depth, line) = (lines.depth(), &mut lines.line);
        if R::end(line.position()).is_some() {
            return self.refuse(lines, text, Deviation::MoveIllegal, span);
        }
        let is_attached = span.start > 0 && !is_space_before(text, span.start);
        if is_attached && !self.deviate(Deviation::ResignationAttached, span.clone(), line.ply) {
            line.dead = true;
            return;
        }
        if depth == 0 {
            self.state.resigned = Some((lost_by(R::turn(line.position())), span));
        }
        line.replace(position);
    }

    /// A token that is no legal move: a fault, or, in a variation where the profile accepts it, the end of the
    /// replayed line.
    #[cold]
    pub(super) fn refuse<R: Ruleset>(
        &mut self,
        lines: &mut LineStack<R>,
        text: &[u8],
        kind: Deviation,
        span: Range<usize>,
    ) {
        let in_variation = lines.depth() > 0;
        let (notation, line) = (lines.notation, &mut lines.line);
        line.dead = true;
        if in_variation && self.profile.class(Deviation::VariationIllegal) != Class::Fault {
            let target = self.target.filter(|to| to.info().name != notation.info().name);
            let other = target.filter(|to| {
                let bytes = &text[span.clone()];
                let read = |text| R::read(*to, text, line.position(), line.lineage()).is_ok();
                // With other rules for digits the text has other tokens.
                to.info().digits != notation.info().digits
                    || read(bytes)
                    || move_ends(bytes).any(|end| read(&bytes[..end]))
            });
            if let Some(to) = other {
                let (token, to) = (quoted(&text[span.clone()]), to.info().name);
                let why = || format!("the text is kept, and {token} could be a move in {to}");
                self.fail(Deviation::VariationIllegal, span, line.ply + 1, why);
            } else {
                self.deviate(Deviation::VariationIllegal, span, line.ply + 1);
            }
            return;
        }
        let is_over = kind == Deviation::MoveIllegal && R::end(line.position()).is_some();
        let kind = if is_over { Deviation::MovesAfterEnd } else { kind };
        // What is read as a number is part of what cannot be read: `1/2-1/`.
        let is_word = text[span.start].is_ascii_alphabetic();
        let digits = text[..span.start].iter().rev().take_while(|byte| byte.is_ascii_digit());
        let digits = if is_word || kind != Deviation::MoveUnreadable { 0 } else { digits.count() };
        let span = span.start - digits..span.end;
        let token = quoted(&text[span.clone()]);
        let position = line.position();
        self.fail(kind, span, line.ply + 1, || R::refusal(kind, &token, notation, position));
    }

    #[cold]
    fn null_move<R: Ruleset>(
        &mut self,
        line: &mut Line<R>,
        in_variation: bool,
        span: Range<usize>,
    ) {
        let kind = if in_variation { Deviation::NullMove } else { Deviation::NullMoveMainLine };
        match R::pass(line.position()) {
            None => {
                line.dead = true;
                let position = line.position();
                let (kind, why) = if R::end(position).is_some() {
                    (Deviation::MovesAfterEnd, "a null move after the end of the game")
                } else if R::in_check(position) {
                    (Deviation::MoveIllegal, "neither side may pass while in check")
                } else {
                    (Deviation::MoveIllegal, "these rules have no null move")
                };
                self.fail(kind, span, line.ply + 1, || why.to_string());
            }
            Some(passed) if self.deviate(kind, span, line.ply + 1) => line.pass(passed),
            Some(_) => line.dead = true,
        }
    }
}

/// A backslash before a NAG, perhaps after a move.
fn nag_token<R: Ruleset>(
    lines: &LineStack<R>,
    text: &[u8],
    span: &Range<usize>,
) -> Option<MoveToken<R::Move>> {
    let escape = nag_escape(text, span)?;
    if escape == span.start {
        return Some(MoveToken::Escape(None, span.clone()));
    }
    let (notation, line) = (lines.notation, &lines.line);
    let body = span.start..escape;
    let reading = R::read(notation, &text[body.clone()], line.position(), line.lineage()).ok()?;
    Some(MoveToken::Escape(Some((reading, body)), escape..span.end))
}

/// Is a word of suffixes, such as the `N` of a novelty, probably the piece of the move after it? It is if nothing that
/// can be seen is between them, or if it is behind a move number.
#[cold]
fn is_part_of_word(text: &[u8], token: Token) -> bool {
    let word = &text[token.start..token.end];
    let blanks = widthless_blanks_end(text, token.end);
    let is_joined = blanks > token.end && text.get(blanks).is_some_and(u8::is_ascii_alphabetic);
    is_joined && word.iter().all(u8::is_ascii_alphabetic)
        || word == b"N" && follows_move_number(text, token.start)
}

/// Is a move number with its full stops directly before byte `at`? Four digits are a move in some notations.
fn follows_move_number(text: &[u8], at: usize) -> bool {
    let before = text[..at].trim_ascii_end();
    let dots = before.iter().rev().take_while(|&&byte| byte == b'.').count();
    let number = &before[..before.len() - dots];
    let digits = number.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let begins_word = number[..number.len() - digits].last().is_none_or(|&byte| byte <= b' ');
    number.len() < before.len() && (1..4).contains(&digits) && begins_word
}

/// The token, and the word after it if no space is between them.
fn word_around(text: &[u8], token: Token) -> Range<usize> {
    let blanks = widthless_blanks_end(text, token.end);
    let word = text[blanks..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    token.start..if blanks > token.end { blanks + word } else { token.end }
}

/// Is there whitespace, or what ends a number, a comment or a variation, before this byte?
fn is_space_before(text: &[u8], at: usize) -> bool {
    matches!(text[at - 1], 0..=b' ' | b'.' | b'}' | b')' | b'(')
}

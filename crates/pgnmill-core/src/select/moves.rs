//! The facts of a game's moves: what a selection requires of a replay.
//!
//! In: the calls of a replay. Out: [`MoveFacts`]: verdict, result, counts, the last position, which targets were
//! reached. Variations are not considered, except by the counts of comments, commands, NAGs and variations. Invariants:
//! of a rejected game everything but the verdict is missing; what is of the last position depends on that position
//! alone, not on the moves that led to it. Cost: what the expression requires, no more: a few
//! comparisons per ply for positions and material, one pass over the tokens of the movetext for counts of annotations.

use std::borrow::Cow;
use std::sync::Arc;

use crate::chess::rules::AnyPosition;
use regex::Regex;

use crate::chess::{Color, Move, MoveKind, Position, Role};
use crate::facts::Played;
use crate::notation::{Notation, OtherPly, Ply};
use crate::openings::Tracker;
use crate::pgn::{CommandKind, Digits, TokenKind, Tokens, commands, decode};
use crate::replay::{BoardLine, Game, LineRequest, MoveLine, TagSection, Verdict};

use super::material;
use super::target::{Target, is_equal};
use super::truth::Known;

/// The maximum number of positions, lines and signatures of material in one expression, and of searches in comments.
pub const TARGETS_MAX: usize = 64;

/// What an expression requires of the moves.
#[derive(Clone, Debug, Default)]
pub(super) struct Demand {
    /// The moves have to be read.
    pub(super) moves: bool,
    /// What happens in single plies.
    pub(super) plies: bool,
    /// The position after the last ply.
    pub(super) last: bool,
    /// Comments, commands, NAGs, variations.
    pub(super) annotations: bool,
    /// The opening that the positions reach.
    pub(super) opening: bool,
    pub(super) targets: Arc<[Target]>,
    /// Is one of them a line of moves?
    pub(super) lines: bool,
    /// Is one of them a set of positions, or a whole position?
    pub(super) keys: bool,
    /// Is one of them neither, so that every position is compared with it?
    pub(super) boards: bool,
    /// What comments are searched for.
    pub(super) comments: Arc<[Regex]>,
}

/// A property of the game, true or false.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MoveFlag {
    Promotion,
    Underpromotion,
    CastlingShort,
    CastlingLong,
    EnPassant,
    Mate,
    Stalemate,
    Check,
    InsufficientMaterial,
}

/// A count of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum MoveCount {
    Comments,
    Variations,
    Clocks,
    Evals,
    Nags,
}

/// How many counts there are.
const TOKEN_COUNTS: usize = MoveCount::Nags as usize + 1;

/// The facts of one game's moves; its memory is used again.
#[derive(Debug)]
pub struct MoveFacts {
    demand: Demand,
    digits: Digits,
    /// The position at the end of the main line so far, in a game of chess.
    last: Option<Position>,
    /// Its key without the en passant square, where a target has keys.
    key: u64,
    /// The last position in a game of other rules.
    other_last: Option<AnyPosition>,
    /// A bit per [`MoveFlag`], as far as plies show it.
    flags: u16,
    reached: u64,
    /// A bit per line of moves that the game has left, or that it did not begin at its beginning.
    left: u64,
    /// The plies of the main line so far.
    plies: usize,
    /// A bit per search that a comment matches.
    commented: u64,
    opening: Tracker,
    /// The position after the null moves that follow the last ply.
    passed: Option<Position>,
    counts: [u32; TOKEN_COUNTS],
    /// Of the last game that ended.
    played: Option<Played>,
    /// The comment that is searched.
    own: Vec<u8>,
}

/// A fact, if the moves were read and the game was not rejected.
pub(super) fn known<'g, T>(
    moves: Option<&'g MoveFacts>,
    fact: impl FnOnce(&'g MoveFacts) -> T,
) -> Known<T> {
    match moves {
        None => Known::Later,
        Some(facts) if facts.is_rejected() => Known::Missing,
        Some(facts) => Known::Value(fact(facts)),
    }
}

/// A fact that the game may not have, computed once for each game.
pub(super) fn known_if<'g, T>(
    moves: Option<&'g MoveFacts>,
    fact: impl FnOnce(&'g MoveFacts) -> Option<T>,
) -> Known<T> {
    match known(moves, fact) {
        Known::Value(value) => Known::of(value),
        Known::Missing => Known::Missing,
        Known::Later => Known::Later,
    }
}

/// A bit per search that a comment matches. `own`: memory for the comment, which is checked in its copy.
fn matches(searches: &[Regex], comment: &[u8], own: &mut Vec<u8>) -> u64 {
    if searches.is_empty() {
        return 0;
    }
    own.clear();
    own.extend_from_slice(comment.trim_ascii());
    // In UTF-8, or Windows-1252, as in columns.
    let comment = match std::str::from_utf8(own) {
        Ok(comment) => Cow::Borrowed(comment),
        Err(_) => Cow::Owned(decode(own)),
    };
    let bits = searches.iter().enumerate();
    bits.fold(0, |all, (index, search)| all | u64::from(search.is_match(&comment)) << index)
}

impl MoveFacts {
    pub(super) fn new(demand: &Demand) -> MoveFacts {
        MoveFacts {
            demand: demand.clone(),
            digits: Digits::Never,
            last: None,
            key: 0,
            other_last: None,
            flags: 0,
            reached: 0,
            left: 0,
            plies: 0,
            commented: 0,
            opening: Tracker::default(),
            passed: None,
            counts: [0; TOKEN_COUNTS],
            played: None,
            own: Vec::new(),
        }
    }

    /// What is required of lines of plies; `None`: each ply, one by one.
    pub(crate) fn line_request(&self) -> Option<LineRequest> {
        let Demand { plies, opening, lines, boards, keys, .. } = self.demand;
        match plies || opening || lines || boards {
            true => None,
            false if keys && !self.all_reached() => Some(LineRequest::Boards { texts: false }),
            false => Some(LineRequest::Last),
        }
    }

    /// Are all targets reached, so that no further position decides anything?
    fn all_reached(&self) -> bool {
        self.reached.count_ones() as usize == self.demand.targets.len()
    }

    /// Plies of the main line, as requested.
    pub(crate) fn line(&mut self, line: &MoveLine<'_>) {
        match line {
            MoveLine::Boards(line) => self.boards(line),
            MoveLine::Last(last) => self.last = Some(**last),
            MoveLine::Texts(_) | MoveLine::Candidates(_) => {}
        }
        self.passed = None;
    }

    fn boards(&mut self, line: &BoardLine<'_>) {
        for (index, key) in line.keys_without_en_passant().enumerate() {
            self.key = key;
            for (target, reached) in self.demand.targets.iter().zip(0..) {
                if self.reached >> reached & 1 == 0 && target.may_be_of(key) {
                    let is_reached = target.is_of(&line.position(index + 1), key);
                    self.reached |= u64::from(is_reached) << reached;
                }
            }
            // The key is not required any more.
            if self.all_reached() {
                break;
            }
        }
        self.last = Some(*line.last);
    }

    fn requires_positions(&self) -> bool {
        self.demand.last || !self.demand.targets.is_empty()
    }

    /// A game begins, perhaps again.
    pub(crate) fn begin(&mut self, text: &[u8], tags: &TagSection, notation: &dyn Notation) {
        self.digits = notation.info().digits;
        (self.flags, self.reached, self.passed) = (0, 0, None);
        (self.left, self.plies) = (0, 0);
        (self.last, self.other_last) = (None, None);
        self.opening = Tracker::default();
        if self.requires_positions() {
            // A game without a legal starting position is rejected.
            match tags.initial_position(text, |_| ()) {
                Ok(AnyPosition::Chess(start)) => {
                    self.last = Some(start);
                    if self.demand.lines && !is_equal(&start, &Position::initial()) {
                        self.left = u64::MAX;
                    }
                    if self.demand.keys {
                        self.key = start.key_without_en_passant();
                    }
                    self.reach(&start, self.key);
                }
                Ok(other) => self.other_last = Some(other),
                Err(_) => {}
            }
        }
    }

    fn reach(&mut self, position: &Position, key: u64) {
        for (index, target) in self.demand.targets.iter().enumerate() {
            self.reached |= u64::from(target.is_of(position, key)) << index;
        }
    }

    /// The position after a ply of the main line, for the lines of moves.
    fn follow(&mut self, position: &Position) {
        for (index, target) in self.demand.targets.iter().enumerate() {
            let Some(line) = target.line() else { continue };
            let Some(expected) = line.get(self.plies) else { continue };
            let is_left = self.left >> index & 1 != 0 || !is_equal(expected, position);
            self.left |= u64::from(is_left) << index;
            self.reached |= u64::from(!is_left && self.plies + 1 == line.len()) << index;
        }
        self.plies += 1;
    }

    /// A ply of the main line.
    #[inline]
    pub(crate) fn ply(&mut self, ply: &Ply<'_>) {
        if self.demand.plies {
            self.kind_of_ply(ply);
        }
        if self.demand.opening {
            self.opening.visit(ply.after());
        }
        if self.requires_positions() {
            if self.demand.keys {
                let before = ply.before();
                let key = match self.passed {
                    None => self.key,
                    Some(_) => before.key_without_en_passant(),
                };
                self.key = before.key_after(key, ply.mv(), ply.after());
            }
            self.passed = None;
            self.reach(ply.after(), self.key);
            if self.demand.lines {
                self.follow(ply.after());
            }
            self.last = Some(*ply.after());
        }
    }

    /// A ply of the main line of a game of other rules than those of chess. Positions, material and openings are facts
    /// of games of chess.
    pub(crate) fn other_ply(&mut self, ply: &OtherPly<'_>) {
        if self.demand.plies
            && let OtherPly::Variant(ply) = ply
        {
            self.kind_of_move(ply.mv());
        }
        if self.demand.last {
            self.other_last = Some(ply.after());
        }
    }

    fn kind_of_ply(&mut self, ply: &Ply<'_>) {
        self.kind_of_move(ply.mv());
    }

    fn kind_of_move(&mut self, mv: Move) {
        let mut set = |flag: MoveFlag| self.flags |= 1 << flag as u16;
        match mv.kind() {
            MoveKind::Normal => {}
            MoveKind::EnPassant => set(MoveFlag::EnPassant),
            MoveKind::CastleShort => set(MoveFlag::CastlingShort),
            MoveKind::CastleLong => set(MoveFlag::CastlingLong),
        }
        if let Some(role) = mv.promoted() {
            set(MoveFlag::Promotion);
            if matches!(role, Role::Rook | Role::Bishop | Role::Knight) {
                set(MoveFlag::Underpromotion);
            }
        }
    }

    /// A null move of the main line, which is no ply but leads to a position.
    pub(crate) fn null_move(&mut self) {
        let Some(before) = self.passed.or(self.last) else { return };
        let after = before.play_null();
        let key = if self.demand.keys { after.key_without_en_passant() } else { 0 };
        self.reach(&after, key);
        self.left = u64::MAX;
        self.passed = Some(after);
    }

    /// The game ends.
    pub(crate) fn end(&mut self, text: &[u8], game: &Game<'_>) {
        self.played = Some(Played::of(text, game, self.opening.opening()));
        if self.demand.annotations && game.verdict != Verdict::Rejected {
            let start = game.tags.end.clamp(game.span.start, game.span.end);
            self.annotations(&text[..game.span.end], start);
        }
    }

    fn annotations(&mut self, text: &[u8], start: usize) {
        (self.counts, self.commented) = ([0; TOKEN_COUNTS], 0);
        let mut add = |count: MoveCount| self.counts[count as usize] += 1;
        for token in Tokens::new(text, start, self.digits) {
            match token.kind {
                TokenKind::Open => add(MoveCount::Variations),
                TokenKind::Nag | TokenKind::Suffix => add(MoveCount::Nags),
                TokenKind::Comment
                | TokenKind::CommentNested
                | TokenKind::CommentUnclosed
                | TokenKind::LineComment => {
                    add(MoveCount::Comments);
                    let is_closed =
                        matches!(token.kind, TokenKind::Comment | TokenKind::CommentNested);
                    let end = token.end - usize::from(is_closed);
                    let comment = &text[token.start + 1..end];
                    self.commented |= matches(&self.demand.comments, comment, &mut self.own);
                    for command in commands(comment) {
                        match command.kind {
                            CommandKind::Clock => add(MoveCount::Clocks),
                            CommandKind::Eval => add(MoveCount::Evals),
                            CommandKind::Elapsed | CommandKind::Timestamp => {}
                        }
                    }
                }
                _ => {}
            }
        }
    }

    fn is_rejected(&self) -> bool {
        self.played.is_some_and(|played| played.verdict == Verdict::Rejected)
    }

    /// What the moves came to.
    pub(crate) fn played(&self) -> Option<Played> {
        self.played
    }

    /// The position after the last move; the starting position of a game without moves.
    pub(super) fn last_position(&self) -> Option<&Position> {
        self.last.as_ref()
    }

    /// Was the target reached? `None` in a game of other rules: positions and material are facts of chess.
    pub(super) fn reached(&self, target: usize) -> Option<bool> {
        self.last.map(|_| self.reached >> target & 1 != 0)
    }

    /// `None` if the rules of the game have no such fact.
    pub(super) fn flag(&self, flag: MoveFlag) -> Option<bool> {
        let last = |of_chess: fn(&Position) -> bool, of_any: fn(&AnyPosition) -> bool| {
            let chess = self.last.as_ref().map(of_chess);
            chess.or_else(|| self.other_last.as_ref().map(of_any))
        };
        match flag {
            MoveFlag::Mate => last(Position::is_checkmate, AnyPosition::is_checkmate),
            MoveFlag::Stalemate => last(Position::is_stalemate, AnyPosition::is_stalemate),
            MoveFlag::Check => last(Position::in_check, AnyPosition::in_check),
            MoveFlag::InsufficientMaterial => self.last.as_ref().map(material::is_insufficient),
            of_plies => Some(self.flags >> of_plies as u16 & 1 != 0),
        }
    }

    /// Does a comment match the search of this number?
    pub(super) fn commented(&self, search: usize) -> bool {
        self.commented >> search & 1 != 0
    }

    /// The pieces of a role in the last position; `None` in a game of other rules.
    pub(super) fn pieces(&self, color: Color, role: Role) -> Option<u32> {
        self.last.map(|last| (last.color(color) & last.role(role)).count())
    }

    pub(super) fn count(&self, count: MoveCount) -> u32 {
        self.counts[count as usize]
    }
}

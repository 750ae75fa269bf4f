//! From tokens to plies: every move of every game proved, variations included.
//!
//! What enters is the text of one or more games (a run that begins at a game start); what leaves, through a
//! [`ReplayVisitor`], are games and plies. A game stops being proved at its first fault and is then skipped to its end, so
//! that it never spoils its neighbour. Invariants: every byte of the text belongs to one game or lies between
//! games; every game gets one verdict. Variations are kept on a stack of bounded depth, never by recursion. After
//! the stack has grown once nothing is allocated, but for the words of a fault.
//!
//! Where one game ends and the next begins, apart from the starts that the archive room finds: a result ends a game,
//! and what then looks like a game (a tag pair, a move number, a move) begins the next.
//!
//! ```text
//! tags ──► initial position ──► movetext: number · move · ( variation ) · comment · NAG … ──► result ──► tail
//!                                         │
//!                                         └► SAN or another notation ► legal move ► next position ► check mark
//! ```

mod bounds;
mod counts;
mod fast;
mod foreign;
mod game;
mod history;
mod moves;
mod notes;
mod obstacle;
mod reason;
mod record;
mod setup;
mod special_tokens;
mod suffixes;
mod word_reader;

use std::ops::Range;

use crate::chess::Position;
use crate::machine::Level;
use crate::notation::{self, Lineage, Notation};
use crate::pgn::deviation::{Deviation, Profile, quoted};
use crate::pgn::{Digits, Outcome, TagPair, Token, TokenKind, Tokens};

pub use bounds::{Resume, first_token};
use bounds::{blanks_end, byte_order_mark_end, next_game};
pub use counts::Counts;
use fast::ending::contradicts;
use fast::tags::TagLane;
use game::Line;
pub use game::{Game, GameFault, ReplayVisitor, Verdict};
pub use history::History;
pub use notes::{NOTES_PER_GAME_MAX, Occurrence};
use notes::{Notes, deviate};
pub use reason::{claimed, fits, refusal};
pub use setup::TagSection;
pub(crate) use special_tokens::is_null_move;

/// Variations may be nested this deep.
pub const VARIATION_DEPTH_MAX: usize = 1_000;

/// Replays games. One for each worker; its stack and its counts go on from text to text.
#[derive(Debug)]
pub struct Replayer<'p> {
    profile: &'p Profile,
    forced: Option<&'static dyn Notation>,
    history: History,
    level: Level,
    /// What was counted so far.
    pub counts: Counts,
    stack: Vec<Line>,
    state: State,
    /// What the moves of the game at hand are written in.
    written_in: &'static dyn Notation,
    /// The text may end within a game.
    cut: bool,
    /// A blank stood behind the last move number that the lane looked at.
    numbers_spaced: bool,
    fast_path: bool,
}

/// What is known of the game at hand.
#[derive(Debug, Default)]
struct State {
    repaired: bool,
    fault: Option<GameFault>,
    plies: u32,
    variation_plies: u32,
    result: Option<(Outcome, Range<usize>)>,
    /// Who resigned, in words; it stands for a result where there is no other.
    resigned: Option<(Outcome, Range<usize>)>,
    /// Variations opened since the fault of a game that is skipped to its end.
    skipped_depth: usize,
    /// What the game was let pass with, where somebody wants to know.
    notes: Option<Box<Notes>>,
    /// Where the last comment or escape ends that runs to the end of its line.
    comment_line_end: usize,
    /// A variation or a comment is still open where the game ends.
    left_open: bool,
}

impl<'p> Replayer<'p> {
    /// A replayer for a run. `forced` is the notation of games whose tag pairs name none; SAN if it is `None`.
    pub fn new(
        profile: &'p Profile,
        forced: Option<&'static dyn Notation>,
        history: History,
    ) -> Replayer<'p> {
        Replayer {
            profile,
            forced,
            history,
            level: Level::best(),
            counts: Counts::default(),
            stack: Vec::new(),
            state: State::default(),
            written_in: notation::SAN,
            cut: false,
            numbers_spaced: true,
            fast_path: true,
        }
    }

    /// The same, on another machine than the best; it decides nothing but the time.
    pub fn on(self, level: Level) -> Replayer<'p> {
        Replayer { level, ..self }
    }

    /// The same without the fast path of SAN; it decides nothing but the time.
    pub fn without_fast_path(self) -> Replayer<'p> {
        Replayer { fast_path: false, ..self }
    }

    /// The same, keeping the notes and repairs of each game for [`Game::notes`].
    #[must_use]
    pub fn with_notes(mut self) -> Replayer<'p> {
        self.state.notes = Some(Box::default());
        self
    }

    /// The machine that it works with.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Replays all games of a text that ends within one, if `cut`: a game without a result is then rejected.
    pub fn replay_truncated(&mut self, text: &[u8], cut: bool, visitor: &mut impl ReplayVisitor) {
        self.cut = cut;
        self.replay(text, visitor);
        self.cut = false;
    }

    /// Replays all games of a text that begins where a game does, or where an archive does.
    pub fn replay(&mut self, text: &[u8], visitor: &mut impl ReplayVisitor) {
        let mut at = 0;
        while at < text.len() {
            let from = self.after_byte_order_mark(text, at);
            match next_game(text, from) {
                None => {
                    self.between(text, at..text.len(), from, visitor);
                    return;
                }
                Some(start) => {
                    // Blank bytes before the first game go with it, so that every byte has its place.
                    let blank = text[from..start].iter().all(|&byte| byte <= b' ');
                    if !blank {
                        self.between(text, at..start, from, visitor);
                    }
                    let first = if blank { at } else { start };
                    at = self.game(text, first, start, visitor);
                }
            }
        }
    }

    /// Passes over a byte order mark, which begins an archive, or, where archives were joined, a line.
    fn after_byte_order_mark(&mut self, text: &[u8], at: usize) -> usize {
        let Some(end) = byte_order_mark_end(text, at) else { return at };
        self.counts.deviations[Deviation::EncodingBom as usize] += 1;
        end
    }

    /// Bytes of no game; what stands before `from` is accounted for already.
    fn between(
        &mut self,
        text: &[u8],
        place: Range<usize>,
        from: usize,
        visitor: &mut impl ReplayVisitor,
    ) {
        if text[from..place.end].iter().any(|&byte| byte > b' ') {
            self.counts.deviations[Deviation::BytesBetweenGames as usize] += 1;
        }
        self.counts.between_bytes += place.len() as u64;
        visitor.between(text, place);
    }

    /// One game: its text runs from `first`, its tokens from `start`. Returns where it ends.
    fn game(
        &mut self,
        text: &[u8],
        first: usize,
        start: usize,
        visitor: &mut impl ReplayVisitor,
    ) -> usize {
        self.state = State { notes: self.state.notes.take(), ..State::default() };
        self.state.notes.iter_mut().for_each(|notes| notes.clear());
        self.stack.clear();
        let mut tags = TagSection::default();
        let movetext = self.tags(text, start, &mut tags);
        let notation = self.notation(text, &tags);
        let position = tags.initial_position(text, |odd| {
            deviate(&mut self.counts, &mut self.state, self.profile, odd, start..start, 0);
        });
        let position = position.unwrap_or_else(|(kind, place, why)| {
            self.fail(kind, place, 0, || why);
            Position::initial()
        });
        let lineage = self.lineage(&position, notation, start);
        self.written_in = notation;
        let (sound, repaired) = (self.state.fault.is_none(), self.state.repaired);
        let pawn_letters = self.counts.deviations[Deviation::PawnLetter as usize];
        self.state.notes.iter_mut().for_each(|notes| notes.mark());
        visitor.begin(text, first, &tags, notation);
        let mut tokens = Tokens::new(text, movetext, notation.info().digits);
        let begun = (position, lineage);
        let mut line = Line::new(&begun.0, begun.1.as_ref());
        self.moves(&mut line, &mut tokens, text, notation, visitor);
        let doubted = self.state.fault.is_some()
            || self.counts.deviations[Deviation::PawnLetter as usize] != pawn_letters;
        if notation.is_san()
            && sound
            && doubted
            && let Some((language, kind)) =
                self.foreign(text, movetext..tokens.at(), &begun, repaired)
        {
            self.deviate(kind, start..start, 0);
            visitor.begin(text, first, &tags, language);
            tokens = Tokens::new(text, movetext, language.info().digits);
            line = Line::new(&begun.0, begun.1.as_ref());
            self.moves(&mut line, &mut tokens, text, language, visitor);
        }
        let end =
            if self.state.result.is_some() { self.tail(&mut tokens, text) } else { text.len() };
        // Who looked for the end has read the first token of the next game.
        self.judge_end(text, &tags, &line, tokens.at().min(end));
        // At its fault a line stands still, and so do the variations it is in.
        if sound && let Some(fault) = &mut self.state.fault {
            fault.position = Some(*line.position());
        }
        self.finish(text, first..end, &tags, visitor);
        end
    }

    /// Reads the tag pairs; returns where the movetext begins.
    fn tags(&mut self, text: &[u8], start: usize, tags: &mut TagSection) -> usize {
        tags.end = start;
        let mut tokens = Tokens::new(text, start, Digits::Never);
        loop {
            let mut at = blanks_end(text, tokens.at());
            // Behind a line end, or as the first of all, tag pairs can be looked at line by line.
            if tags.count == 0 || matches!(text[at - 1], b'\n' | b'\r') {
                at = self.level.run(TagLane { text, at, tags });
                at = blanks_end(text, at);
            }
            if let Some(pair) = TagPair::read(text, at) {
                let odd = tags.add(text, at, &pair);
                if pair.deviation.is_some() || !odd.is_empty() {
                    for odd in pair.deviation.into_iter().chain(odd.iter()) {
                        self.deviate(odd, at..pair.end, 0);
                    }
                }
                tokens.go_to(pair.end);
                continue;
            }
            tokens.go_to(at);
            match tokens.next() {
                Some(token) if setup::is_between_tags(token) => {
                    if token.kind == TokenKind::Escape {
                        self.deviate(Deviation::EscapeLine, token.start..token.end, 0);
                    }
                }
                _ => {
                    let odd = match tags.count {
                        0 => Some(Deviation::GameWithoutTags),
                        _ if !tags.has_roster() => Some(Deviation::RosterIncomplete),
                        _ => None,
                    };
                    if let Some(odd) = odd {
                        self.deviate(odd, start..start, 0);
                    }
                    return at;
                }
            }
        }
    }

    /// The notation that the moves are written in.
    fn notation(&mut self, text: &[u8], tags: &TagSection) -> &'static dyn Notation {
        let san = notation::SAN;
        let Some(place) = tags.notation.clone() else { return self.forced.unwrap_or(san) };
        if let Some(other) = tags.notation_against.clone() {
            self.fail(Deviation::NotationAmbiguous, other, 0, || {
                "two MoveNotation tag pairs differ, or there are more than two".to_string()
            });
        }
        let value = &text[place.clone()];
        std::str::from_utf8(value).ok().and_then(notation::find).unwrap_or_else(|| {
            self.fail(Deviation::NotationUnknown, place, 0, || {
                let name = quoted(value);
                format!("there is no notation {name}; `pgnmill notations` lists them")
            });
            san
        })
    }

    /// The history at the beginning of the game, where a notation that is read or written asks for it.
    fn lineage(
        &mut self,
        position: &Position,
        notation: &'static dyn Notation,
        start: usize,
    ) -> Option<Lineage> {
        let read = History::of(notation);
        if read == History::Ignored && self.history == History::Ignored {
            return None;
        }
        let lineage = Lineage::of(position);
        if lineage.is_none() && (read == History::Required || self.history == History::Required) {
            self.fail(Deviation::NotationNeedsInitialArray, start..start, 0, || {
                "the notation names men by where they began, and the game begins elsewhere"
                    .to_string()
            });
        }
        lineage
    }

    fn comment_unclosed(&mut self, token: Token) {
        let ply = self.state.plies;
        self.state.left_open = true;
        self.fail(Deviation::CommentUnclosed, token.start..token.end, ply, || {
            "the comment that begins here is never closed".to_string()
        });
    }

    /// What can only be said at the end: the result against the tag and against the board, what was left open.
    fn judge_end(&mut self, text: &[u8], tags: &TagSection, line: &Line, at: usize) {
        let end = at..at;
        let ply = self.state.plies;
        if self.state.fault.is_some() {
            return;
        }
        let result = self.state.result.clone().map(|(_, place)| &text[place]);
        if self.cut && result.and_then(Outcome::from_canonical).is_none() {
            self.fail(Deviation::GameCut, end, ply, || {
                "the end of the game lies in what is damaged".to_string()
            });
            return;
        }
        if !self.stack.is_empty() {
            self.fail(Deviation::VariationUnclosed, end, ply, || {
                "a variation is still open where the game ends".to_string()
            });
            return;
        }
        if self.state.plies == 0 {
            self.deviate(Deviation::GameWithoutMoves, end.clone(), 0);
        }
        let tagged = tags.result().map(|value| &text[value]);
        let said = self.state.result.clone().or_else(|| self.state.resigned.clone());
        let Some((outcome, place)) = said else {
            self.deviate(Deviation::ResultMissing, end, ply);
            return;
        };
        let canonical = outcome.canonical().as_bytes();
        let in_words = self.state.result.is_none();
        if !in_words && &text[place.clone()] != canonical {
            self.deviate(Deviation::ResultStyle, place.clone(), ply);
            self.set_canonical_text(&place, canonical);
        }
        // Mostly the tag says the same in the same bytes.
        if tagged.is_some_and(|tagged| {
            tagged != canonical && Outcome::from_any(tagged).is_some_and(|tagged| tagged != outcome)
        }) {
            self.deviate(Deviation::ResultMismatch, place.clone(), ply);
        }
        if outcome != Outcome::Unknown && contradicts(line.position(), outcome) {
            self.deviate(Deviation::ResultContradictsBoard, place, ply);
        }
    }

    fn finish(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        tags: &TagSection,
        visitor: &mut impl ReplayVisitor,
    ) {
        self.state.repaired |= visitor.needs_repair(text);
        let verdict = if self.state.fault.is_some() {
            self.counts.rejected += 1;
            Verdict::Rejected
        } else if self.state.repaired {
            self.counts.repaired += 1;
            Verdict::Repaired
        } else {
            self.counts.accepted += 1;
            Verdict::Accepted
        };
        if verdict != Verdict::Rejected {
            self.counts.plies += u64::from(self.state.plies);
            self.counts.variation_plies += u64::from(self.state.variation_plies);
        }
        let (notes, notes_omitted) = match &mut self.state.notes {
            Some(notes) if verdict != Verdict::Rejected => notes.in_order(),
            _ => (&[][..], 0),
        };
        let game = Game {
            span,
            tags,
            verdict,
            fault: self.state.fault.as_ref(),
            plies: self.state.plies,
            variation_plies: self.state.variation_plies,
            result: self.state.result.as_ref().map(|(_, place)| place.clone()),
            notes,
            notes_omitted,
            closed: self.state.result.is_some() && !self.state.left_open,
        };
        visitor.end(text, &game);
    }
}

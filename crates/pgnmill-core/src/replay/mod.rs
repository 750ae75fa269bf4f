//! From text to plies: every move of every game is validated, variations included.
//!
//! In: the text of one or more games, from a game start on. Out, to a [`ReplayVisitor`]: games and plies. After its
//! first fault a game is skipped to its end, so that it does not affect adjacent games. Invariants: every byte of the
//! text belongs to one game or lies between games; every game has one verdict. Variations are a stack of bounded
//! depth, never a recursion. Once the stack has grown, nothing is allocated except the text of a fault.
//!
//! A result ends a game; what then looks like a game (a tag pair, a move number, a move) begins the next. Where no
//! result is written, tag pairs or move number 1 do so (`unended.rs`). Starts of games that need no replay to be found
//! are those of `archive` in `pgnmill-io`.
//!
//! The general loop is generic over the ruleset (`ruleset.rs`); `standard.rs` implements it for chess. The fast path
//! (`fast/`) is for chess alone, one walk for SAN and one for all other notations; its second design (`vector/`), for
//! SAN alone, is for processors with vectors of 64 bytes and visitors that read no plies one by one.
//!
//! ```text
//! tags ──► starting position ──► movetext: number · move · ( variation ) · comment · NAG … ──► result ──► tail
//!                                          │
//!                                          └► SAN or another notation ► legal move ► next position ► check suffix
//! ```

mod bounds;
mod counts;
mod fast;
mod fen_fault;
mod foreign;
mod game;
mod game_end;
mod history;
mod initials;
mod line;
mod move_numbers;
mod move_token;
mod moves;
mod notes;
mod null_moves;
mod obstacle;
mod odd_result;
mod other_boards;
#[cfg(test)]
mod other_rules;
mod pairs;
mod position_line;
mod refusal;
mod ruleset;
mod setup;
mod special_tokens;
mod standard;
mod suffixes;
mod tag_reader;
mod tag_section;
mod unended;
mod vector;
mod visitor;

use std::ops::Range;

use pgnmill_simd::Level;

use crate::chess::Position;
use crate::chess::rules::{RulesKind, Standard};
use crate::notation::Notation;
use crate::pgn::deviation::{Deviation, Profile};
use crate::pgn::{Digits, Outcome, Tag, Token, Tokens};

pub use bounds::{Resume, first_game, first_token};
use bounds::{byte_order_mark_end, is_whitespace, next_game};
pub use counts::Counts;
use foreign::{Candidates, Moves};
pub use game::{Game, GameFault, LineRequest, MoveLine, NonPly, ReplayVisitor, TextLine, Verdict};
pub use history::History;
use line::{Line, LineStack};
use moves::GameRuleset;
use notes::Notes;
pub use notes::{NOTES_PER_GAME_MAX, Occurrence};
pub use null_moves::null_moves;
pub(crate) use other_boards::{after_null, lineage_of as variant_lineage, write as write_variant};
use position_line::LineMemory;
pub use position_line::{LINE_TOO_LONG, LineMove, OPCODES_OF_MOVES, PositionLine};
pub use refusal::{claimed, fits, refusal};
pub use setup::SetupError;
pub use special_tokens::is_null_move;
pub(crate) use suffixes::begins_with_redundant;
pub use tag_section::TagSection;
use unended::LineScan;
pub(crate) use unended::{GameHead, UnendedEnd};
pub use vector::{BoardLine, KeyedPly};
pub use visitor::{EachPly, FastPathOf, FastVisitor, NoPlies, PathStart, PliesOrLines, Reads};
use visitor::{Erased, GameVisitor, MovetextVisitor};

/// Variations may be nested this deep.
pub const VARIATION_DEPTH_MAX: usize = 1_000;

/// Where a game of chess begins that has no record of another position.
const INITIAL: Position = Position::initial();

/// Replays games: one per worker. Its counts and its memory are kept from text to text.
#[derive(Debug)]
pub struct Replayer<'p> {
    profile: &'p Profile,
    forced: Option<&'static dyn Notation>,
    /// The notation that the text is rewritten in.
    target: Option<&'static dyn Notation>,
    /// The ruleset of games without a `Variant` tag pair.
    rules: RulesKind,
    history: History,
    level: Level,
    /// The counts so far.
    pub counts: Counts,
    /// Memory for variations.
    buffer: Vec<Line<Standard>>,
    state: State,
    /// The text may end within a game.
    truncated: bool,
    /// The current game is of chess, from its starting position.
    is_usual_start: bool,
    /// The value of its `Result` tag pair.
    result_tag: Option<Range<usize>>,
    /// The last move number in the fast path was followed by a space.
    numbers_spaced: bool,
    fast_path: bool,
    /// A game is read no further than to its first fault: of a notation that is tried nothing more counts.
    ends_at_fault: bool,
    /// A variant spelling, or the letter of a pawn, counts as a fault.
    ends_at_variants: bool,
    /// A game without a result is as it is meant to be: each is a line.
    of_lines: bool,
    /// Only the moves are written, which do not state where a game begins.
    writes_moves_alone: bool,
    /// The notations that were tried last for a game without a tag pair that names one.
    candidates: Candidates,
    /// Memory for lines of positions.
    line_memory: LineMemory,
    /// Memory of the second design, from the first game on that it reads.
    vectors: Option<Box<vector::Vectors>>,
}

/// Where the parts of a game are, and how its moves are written.
struct GameStart {
    /// Its text.
    first: usize,
    /// Its first token.
    start: usize,
    movetext: usize,
    notation: &'static dyn Notation,
}

/// What is known of the current game.
#[derive(Debug, Default)]
struct State {
    repaired: bool,
    fault: Option<GameFault>,
    plies: u32,
    variation_plies: u32,
    result: Option<(Outcome, Range<usize>)>,
    /// The outcome that words name (`White resigns`), which is the result where there is no other.
    resigned: Option<(Outcome, Range<usize>)>,
    /// Variations opened since the fault of a game.
    skipped_depth: usize,
    /// The notes and repairs, where they are requested.
    notes: Option<Box<Notes>>,
    /// The end of the last comment or escape that runs to the end of its line.
    comment_line_end: usize,
    /// A variation or a comment is still open where the game ends.
    left_open: bool,
    /// Where the last comment begins that holds another opening brace.
    comment_with_brace: Option<usize>,
    /// A FEN record gives the position in which the game begins.
    has_record: bool,
    /// The rest of the game is not read by the second design.
    leaves_vectors: bool,
    /// Where the next game begins, if that alone ends this one.
    next: Option<usize>,
    /// What is known of the lines of the movetext.
    scan: LineScan,
}

impl<'p> Replayer<'p> {
    /// A replayer for a run. `forced`: the notation of games whose tag pairs name none; SAN if it is `None`. `history`:
    /// what the visitor requires.
    pub fn new(
        profile: &'p Profile,
        forced: Option<&'static dyn Notation>,
        history: History,
    ) -> Replayer<'p> {
        Replayer {
            profile,
            forced,
            target: None,
            rules: RulesKind::Chess,
            history,
            level: Level::best(),
            counts: Counts::default(),
            buffer: Vec::new(),
            state: State::default(),
            truncated: false,
            is_usual_start: true,
            result_tag: None,
            numbers_spaced: true,
            fast_path: true,
            ends_at_fault: false,
            ends_at_variants: false,
            of_lines: false,
            writes_moves_alone: false,
            candidates: Candidates::default(),
            line_memory: LineMemory::default(),
            vectors: None,
        }
    }

    /// This replayer with other processor instructions than the best; only the time depends on them.
    pub fn on(self, level: Level) -> Replayer<'p> {
        Replayer { level, ..self }
    }

    /// This replayer with another ruleset than chess for games without a `Variant` tag pair.
    pub fn with_rules(self, rules: RulesKind) -> Replayer<'p> {
        Replayer { rules, ..self }
    }

    /// This replayer for games of a line each, of which none has to end with a result.
    pub fn of_lines(self, of_lines: bool) -> Replayer<'p> {
        Replayer { of_lines, ..self }
    }

    /// This replayer for a visitor that writes nothing but moves: a game that does not begin in the array of the rules
    /// of the run is rejected.
    pub fn writing_moves_alone(self, writes_moves_alone: bool) -> Replayer<'p> {
        Replayer { writes_moves_alone, ..self }
    }

    /// This replayer for a visitor that rewrites the moves in this notation. The text of a variation that the profile
    /// accepts though a move of it is illegal is kept as it is: a game is rejected if that move, read in this
    /// notation, could be another one.
    pub fn writing(self, target: Option<&'static dyn Notation>) -> Replayer<'p> {
        Replayer { target, ..self }
    }

    /// This replayer without the fast path; only the time depends on it.
    pub fn without_fast_path(self) -> Replayer<'p> {
        Replayer { fast_path: false, ..self }
    }

    /// This replayer, which keeps the notes and repairs of each game for [`Game::notes`].
    #[must_use]
    pub fn with_notes(mut self) -> Replayer<'p> {
        self.state.notes = Some(Box::default());
        self
    }

    /// The processor instructions that it uses.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Replays all games of a text that begins where a game or an archive begins. All visitors share one fast path,
    /// which calls their methods through a table.
    pub fn replay(&mut self, text: &[u8], visitor: &mut dyn ReplayVisitor) {
        self.replay_truncated(text, false, &mut Erased(visitor));
    }

    /// As [`Replayer::replay`], with the fast path that the visitor states.
    pub fn replay_fast(&mut self, text: &[u8], visitor: &mut impl FastVisitor) {
        self.replay_truncated(text, false, visitor);
    }

    /// As [`Replayer::replay_fast`]. `truncated`: the text ends within a game, so that a game without a result is
    /// rejected.
    pub fn replay_truncated(
        &mut self,
        text: &[u8],
        truncated: bool,
        visitor: &mut impl FastVisitor,
    ) {
        self.truncated = truncated;
        let mut at = 0;
        while at < text.len() {
            at = self.replay_next(text, at, visitor);
        }
        self.truncated = false;
    }

    /// As [`Replayer::replay_truncated`], from `at` on, where a game of that text ends, to the end of the next game.
    /// Returns that end.
    pub(crate) fn replay_one(
        &mut self,
        text: &[u8],
        at: usize,
        truncated: bool,
        visitor: &mut impl FastVisitor,
    ) -> usize {
        self.truncated = truncated;
        let end = self.replay_next(text, at, visitor);
        self.truncated = false;
        end
    }

    /// As [`Replayer::replay`], from `at` on, where a game of that text begins, to the end of that game, which the text
    /// after it can decide. `truncated` as for [`Replayer::replay_truncated`].
    pub fn replay_at(
        &mut self,
        text: &[u8],
        at: usize,
        truncated: bool,
        visitor: &mut dyn ReplayVisitor,
    ) {
        self.replay_one(text, at, truncated, &mut Erased(visitor));
    }

    /// The text between games from `at` on, and the next game, if there is one. Returns where it ends.
    fn replay_next(&mut self, text: &[u8], at: usize, visitor: &mut dyn GameVisitor) -> usize {
        let from = self.after_byte_order_mark(text, at);
        // Whatever a line begins with is of its game.
        let start = match self.of_lines {
            true => (from..text.len()).find(|&at| text[at] > b' '),
            false => next_game(text, from),
        };
        match start {
            None => {
                self.between(text, at..text.len(), from, visitor);
                text.len()
            }
            Some(start) => {
                // Whitespace before a game belongs to it, so that every byte belongs to something.
                let is_space = is_whitespace(text, from..start);
                if !is_space {
                    self.between(text, at..start, from, visitor);
                }
                let first = if is_space { at } else { start };
                self.game(text, first, start, visitor)
            }
        }
    }

    /// Skips a byte order mark, which begins an archive, or a line where archives were concatenated.
    fn after_byte_order_mark(&mut self, text: &[u8], at: usize) -> usize {
        let Some(end) = byte_order_mark_end(text, at) else { return at };
        self.counts.deviations[Deviation::EncodingBom as usize] += 1;
        end
    }

    /// Bytes of no game, those before `from` being a byte order mark.
    fn between(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        from: usize,
        visitor: &mut dyn GameVisitor,
    ) {
        if text[from..span.end].iter().any(|&byte| byte > b' ') {
            let kind = match is_whitespace(text, from..span.end) {
                true => Deviation::WhitespaceUnusual,
                false => Deviation::BytesBetweenGames,
            };
            self.counts.deviations[kind as usize] += 1;
        }
        self.counts.between_bytes += span.len() as u64;
        visitor.between(text, span);
    }

    /// Notes the blanks of Unicode before the first token of a game, a byte order mark apart.
    #[cold]
    fn blanks_before(&mut self, text: &[u8], span: Range<usize>) {
        let from = byte_order_mark_end(text, span.start).unwrap_or(span.start);
        for token in Tokens::new(&text[..span.end], from, Digits::Never) {
            self.deviate(Deviation::WhitespaceUnusual, token.start..token.end, 0);
        }
    }

    /// One game: its text begins at byte `first`, its first token at `start`. Returns where it ends.
    fn game(
        &mut self,
        text: &[u8],
        first: usize,
        start: usize,
        visitor: &mut dyn GameVisitor,
    ) -> usize {
        self.state = State { notes: self.state.notes.take(), ..State::default() };
        self.state.notes.iter_mut().for_each(|notes| notes.clear());
        if start > first && text[first..start].iter().any(|&byte| byte >= 0x80) {
            self.blanks_before(text, first..start);
        }
        let mut tags = TagSection::starting_at(start, self.rules);
        // A line of pairs has no tag pairs: their characters are those of moves.
        let is_of_pairs = self.of_lines && self.forced.is_some_and(|from| from.is_of_pairs());
        let movetext = if is_of_pairs { start } else { self.tags(text, start, &mut tags) };
        if tags.span(Tag::Variant).is_some() {
            self.find_rules(text, &mut tags);
        }
        let notation = self.notation(text, &tags);
        let place = GameStart { first, start, movetext, notation };
        self.result_tag = tags.span(Tag::Result);
        self.is_usual_start = tags.is_usual_start();
        let end = if self.is_usual_start {
            // Nearly all games: no position is copied.
            self.play_game::<Standard>(text, &tags, &place, &INITIAL, visitor)
        } else {
            self.play_set_up(text, &mut tags, &place, visitor)
        };
        self.finish(text, first..end, &tags, visitor);
        end
    }

    /// The movetext of one game, and what follows it. Returns where the game ends.
    fn play_game<R: GameRuleset>(
        &mut self,
        text: &[u8],
        tags: &TagSection,
        place: &GameStart,
        position: &R::Position,
        visitor: &mut dyn GameVisitor,
    ) -> usize
    where
        Moves: MovetextVisitor<R>,
    {
        let GameStart { first, start, movetext, notation } = *place;
        self.state.has_record = tags.span(Tag::Fen).is_some() && !tags.record_is_void;
        let lineage = match tags.rules {
            RulesKind::Chess99 | RulesKind::Board(_) => None,
            _ => self.lineage::<R>(position, notation, start),
        };
        if self.writes_moves_alone {
            self.check_array::<R>(tags, position, start);
        }
        let (sound, repaired) = (self.state.fault.is_none(), self.state.repaired);
        self.state.notes.iter_mut().for_each(|notes| notes.begin_movetext());
        visitor.begin(text, first, tags, notation);
        let mut tokens = Tokens::new(text, movetext, notation.info().digits);
        let begun = (position, lineage.as_ref());
        let buffer = R::take_buffer(self);
        let line = Line::new(begun.0, begun.1);
        let mut lines = LineStack::<R>::new(line, notation, buffer);
        self.movetext(&mut lines, &mut tokens, text, R::movetext_visitor(visitor));
        if R::HAS_LANGUAGES
            && notation.is_san()
            && sound
            && self.state.fault.is_some()
            && let Some((language, kind)) =
                self.foreign(&mut lines, text, movetext..tokens.at(), begun, repaired)
        {
            self.deviate(kind, start..start, 0);
            visitor.begin(text, first, tags, language);
            tokens = Tokens::new(text, movetext, language.info().digits);
            lines.restart(Line::new(begun.0, begun.1), language);
            self.movetext(&mut lines, &mut tokens, text, R::movetext_visitor(visitor));
        }
        let end = match self.state.next {
            _ if self.state.result.is_some() => self.tail(&mut tokens, text),
            next => next.unwrap_or(text.len()),
        };
        // To find the end, the first token of the next game may have been read.
        self.judge_end(text, tags, &lines, tokens.at().min(end));
        // At its fault a line stops, and so do the variations around it.
        if sound && let Some(fault) = &mut self.state.fault {
            fault.position = R::any_position(lines.line.position());
        }
        R::keep_buffer(self, lines.into_buffer());
        end
    }

    fn comment_unclosed(&mut self, token: Token) {
        let ply = self.state.plies;
        self.state.left_open = true;
        self.fail(Deviation::CommentUnclosed, token.start..token.end, ply, || {
            "the comment that begins here is never closed".to_string()
        });
    }
}

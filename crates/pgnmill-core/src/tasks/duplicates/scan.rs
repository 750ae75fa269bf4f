//! The task of the first and second reading: the keys of games, or their moves.
//!
//! In: games. Out: for each game that can have duplicates its keys, or the bytes of its line. Cost: the replay, two
//! bytes of memory per ply, two hashes of them.

use std::ops::Range;

use crate::chess::rules::AnyPosition;
use crate::engine::{BlockGames, BlockVisitor, GamePlace, Part, Task};
use crate::notation::{Digits, Notation, OtherPly, Ply};
use crate::pgn::deviation::Deviation;
use crate::replay::{EachPly, Game, NonPly, TagSection, Verdict, is_null_move, null_moves};

use super::keys::{Keys, START_BYTES};
use super::records::GameKey;

/// Scans games.
#[derive(Clone, Debug)]
pub struct Scan {
    /// The keys of the run: those of all readings are the same.
    pub keys: Keys,
    /// Return the moves instead of the keys.
    pub moves: bool,
}

/// A game of a job.
#[derive(Clone, Copy, Debug)]
pub struct ScannedGame {
    /// Games before it in the job.
    pub number: u64,
    /// Its keys, without the number among all games; empty if moves are requested.
    pub keys: GameKey,
    /// The end of its line in [`Scanned::lines`].
    pub line_end: usize,
}

/// The games of a job, in order: those that can have duplicates.
#[derive(Debug, Default)]
pub struct Scanned {
    /// The games.
    pub games: Vec<ScannedGame>,
    /// Their lines, if moves are requested.
    pub lines: Vec<u8>,
    /// The number after that of the job's last game, also if that can have no duplicates.
    pub end: u64,
}

impl Part for Scanned {
    fn clear(&mut self) {
        self.games.clear();
        self.lines.clear();
        self.end = 0;
    }
}

/// The line of the current game.
#[derive(Debug, Default)]
pub struct LineBuffer {
    line: Vec<u8>,
}

/// Scans the games of a block.
#[derive(Debug)]
struct ScanVisitor<'b> {
    scan: &'b Scan,
    context: &'b mut LineBuffer,
    part: &'b mut Scanned,
    digits: Digits,
    /// The end of the last token of the main line that was added.
    last_end: usize,
    /// The game has null moves, perhaps in variations only.
    has_null_moves: bool,
}

impl Task for Scan {
    type Context = LineBuffer;
    type Part = Scanned;

    fn visit(&self, games: BlockGames<'_, '_>, context: &mut LineBuffer, part: &mut Scanned) {
        let (digits, last_end, has_null_moves) = (Digits::Lead, 0, false);
        games.visit(ScanVisitor { scan: self, context, part, digits, last_end, has_null_moves });
    }
}

impl ScanVisitor<'_> {
    /// Adds the null moves of the main line that follow its last ply in `text`.
    #[cold]
    fn add_null_moves(&mut self, text: &[u8]) {
        for _ in 0..null_moves(text, self.last_end, self.digits) {
            Keys::add_null_move(&mut self.context.line);
        }
    }
}

impl BlockVisitor for ScanVisitor<'_> {
    type Reads = EachPly;

    fn begin(&mut self, _: &[u8], _: usize, tags: &TagSection, notation: &'static dyn Notation) {
        // The starting position is written at the end, when the game is known to be valid.
        self.context.line.clear();
        self.context.line.resize(START_BYTES, 0);
        self.digits = notation.info().digits;
        self.last_end = tags.end;
        self.has_null_moves = false;
    }

    #[inline(always)]
    fn ply(&mut self, text: &[u8], span: Range<usize>, ply: &Ply<'_>, depth: usize) {
        if depth > 0 {
            return;
        }
        if self.has_null_moves {
            self.add_null_moves(&text[..span.start]);
        }
        self.last_end = span.end;
        Keys::add_move(&mut self.context.line, ply.mv());
    }

    fn other_ply(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        if depth == 0 {
            if self.has_null_moves {
                self.add_null_moves(&text[..span.start]);
            }
            self.last_end = span.end;
            Keys::add_other(&mut self.context.line, ply);
        }
        Ok(())
    }

    fn non_ply(&mut self, text: &[u8], span: Range<usize>, kind: NonPly) {
        self.has_null_moves |= kind.is_in_place_of_move() && is_null_move(&text[span]);
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>, game_place: GamePlace) {
        self.part.end = game_place.number + 1;
        if game.verdict == Verdict::Rejected {
            return;
        }
        if self.has_null_moves {
            self.add_null_moves(&text[..game.span.end]);
        }
        // A game that is not rejected has a position.
        let start = game.tags.initial_position(text, |_| ());
        let start = start.unwrap_or(AnyPosition::initial(game.tags.rules));
        let line = &mut self.context.line;
        match &start {
            AnyPosition::Chess(start) => {
                self.scan.keys.begin_line(&mut line[..START_BYTES], start);
            }
            other => self.scan.keys.begin_other_line(&mut line[..START_BYTES], other),
        }
        let keys = match self.scan.moves {
            true => Some(GameKey::default()),
            false => self.scan.keys.of_game(text, game, line),
        };
        let Some(keys) = keys else { return };
        if self.scan.moves {
            self.part.lines.extend_from_slice(line);
        }
        let line_end = self.part.lines.len();
        self.part.games.push(ScannedGame { number: game_place.number, keys, line_end });
    }
}

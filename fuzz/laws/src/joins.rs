//! Joins: archives converted into one output, read again, are the games of each, in order, with the same verdicts.
//!
//! What is left out, kept in its place or written apart changes nothing of the games beside it; nor do the container,
//! the number of workers and the sizes of blocks change a byte of what is written.

use std::fs;
use std::ops::Range;
use std::sync::atomic::AtomicBool;

use pgnmill_core::engine::{self, Base, Consumer, JobResult, Joiner, Rejects, Settings};
use pgnmill_io::archive::games::Games;
use pgnmill_io::archive::{Archive, Input};

use pgnmill_core::engine::Pool;
use pgnmill_core::notation::{self, MoveText, NOTATIONS, Notation, OtherPly, Ply};
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_core::replay::{Game, History, ReplayVisitor, Replayer, TagSection, Verdict};
use pgnmill_core::tasks::convert::{Output, Rewritten};

use crate::Choices;
use crate::scratch::Scratch;
use crate::support::{Convert, Task, run_of, workers};

/// Between the texts of a recipe.
const SEPARATOR: u8 = 0x1E;

/// How texts are joined.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The notation's number.
    pub to: usize,
    /// What becomes of rejects.
    pub rejects: Rejects,
    /// Is the output compressed?
    pub compressed: bool,
    /// Are comments and values brought to UTF-8?
    pub to_utf8: bool,
    /// The sizes of blocks.
    pub block_bytes: usize,
}

/// Four bytes choose; the rest is texts.
pub fn hold(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let (to, how, sizes) = (choices.byte(), choices.byte(), choices.byte());
    let choice = Choice {
        to: to % NOTATIONS.len(),
        rejects: [Rejects::Apart, Rejects::Kept, Rejects::Dropped][how % 3],
        compressed: how / 3 % 2 == 1,
        to_utf8: how / 6 % 4 == 1,
        block_bytes: 16 + 8 * sizes,
    };
    let texts: Vec<&[u8]> = choices.rest().split(|&byte| byte == SEPARATOR).take(4).collect();
    check(&texts, choice);
}

/// A game that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
struct ReplayedGame {
    verdict: Verdict,
    /// The moves, with the depth of each, in UCI.
    moves: Vec<u8>,
    /// Where it lies in its text.
    place: Range<usize>,
}

/// Reads a text by itself, game by game, in one piece.
struct Reader {
    /// The notation of the output, which may have no text for a game of other rules.
    to: &'static dyn Notation,
    games: Vec<ReplayedGame>,
    moves: Vec<u8>,
    start: usize,
}

impl ReplayVisitor for Reader {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {
        self.moves.clear();
    }

    fn ply(&mut self, _: &[u8], _: Range<usize>, ply: &Ply<'_>, depth: usize) {
        let uci = notation::find("uci").expect("it is there");
        self.moves.push(b'0' + depth.min(70) as u8);
        self.moves.extend_from_slice(notation::write(uci, ply.before(), ply.mv()).as_bytes());
    }

    fn other_ply(
        &mut self,
        _: &[u8],
        _: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        ply.encode(self.to, &mut MoveText::default())?;
        let mut text = MoveText::default();
        ply.encode(notation::UCI, &mut text)?;
        self.moves.push(b'0' + depth.min(70) as u8);
        self.moves.extend_from_slice(text.as_bytes());
        Ok(())
    }

    fn end(&mut self, _: &[u8], game: &Game<'_>) {
        let place = self.start + game.span.start..self.start + game.span.end;
        let moves = if game.verdict == Verdict::Rejected { Vec::new() } else { self.moves.clone() };
        self.games.push(ReplayedGame { verdict: game.verdict, moves, place });
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

fn read(text: &[u8], to: &'static dyn Notation) -> Vec<ReplayedGame> {
    let profile = Profile::lenient();
    let mut replayer = Replayer::new(&profile, None, History::of(to));
    let mut reader = Reader { to, games: Vec::new(), moves: Vec::new(), start: 0 };
    for (start, game) in Games::new(text) {
        reader.start = start;
        replayer.replay(game, &mut reader);
    }
    reader.games
}

/// One output for all archives, and rejects apart.
struct Join {
    output: Output,
    rejects: Vec<u8>,
    joiner: Joiner,
}

impl Consumer<Rewritten> for Join {
    fn begin(&mut self, _: &Archive) -> pgnmill_io::error::Result<()> {
        self.output.archive_begins();
        self.joiner.archive_begins();
        Ok(())
    }

    fn result(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<Rewritten>,
        pool: &Pool,
    ) -> pgnmill_io::error::Result<()> {
        let facts = &mut result.facts;
        self.joiner.join(base.offset, &mut facts.rejects, &mut facts.reject_seams, &mut []);
        self.rejects.extend_from_slice(&facts.rejects);
        self.output.add(base, result, pool)
    }

    fn close(&mut self, pool: &Pool) -> pgnmill_io::error::Result<()> {
        self.output.finish(pool)
    }
}

/// The text of the output, and of the rejects; `None` where an input is no archive.
pub(crate) fn join(
    folder: &Scratch,
    (task, how): (&Convert, &Settings),
    inputs: &[Input],
    compressed: bool,
) -> Option<[Vec<u8>; 2]> {
    let path = folder.join(if compressed { "out.pgn.zst" } else { "out.pgn" });
    let output = Output::create(&path, true, 1).expect("a place to write");
    let mut join = Join { output, rejects: Vec::new(), joiner: Joiner::default() };
    let stop = AtomicBool::new(false);
    engine::run_on(workers(how.threads), task, how, inputs, &mut join, &stop).ok()?;
    join.output.publish().expect("room on the disk");
    let stored = fs::read(&path).expect("what was written");
    let text = if compressed { zstd::decode_all(&stored[..]).expect("frames") } else { stored };
    Some([text, join.rejects])
}

/// Holds the law for these texts.
pub fn check(texts: &[&[u8]], choice: Choice) {
    let folder = Scratch::new();
    let put = |(i, text): (usize, &&[u8])| folder.put(&format!("{i}.pgn"), text);
    let inputs: Vec<Input> = texts.iter().enumerate().map(put).collect();
    let to = NOTATIONS[choice.to % NOTATIONS.len()];
    let task = Convert { to_utf8: choice.to_utf8, ..Convert::to(to) };
    let mut how = run_of(Task::Convert(task.clone()), choice.rejects).settings;
    how.options.block_bytes = choice.block_bytes;
    how.options.range_bytes = 2 * choice.block_bytes;
    let Some([out, rejects]) = join(&folder, (&task, &how), &inputs, choice.compressed) else {
        return;
    };
    let alone: Vec<Vec<ReplayedGame>> = texts.iter().map(|text| read(text, to)).collect();

    let what = || {
        let texts: Vec<String> = texts.iter().map(|text| text.escape_ascii().to_string()).collect();
        format!("{choice:?}\n{}\nOUT\n{}", texts.join("\n+\n"), out.escape_ascii())
    };
    let kept = choice.rejects == Rejects::Kept;
    let is_rejected = |game: &&ReplayedGame| game.verdict == Verdict::Rejected;
    // Text before the first game of an archive falls into a rejected game before it that leaves its end open.
    let falls = |i: usize| {
        i > 0
            && alone[..i].iter().flatten().next_back().is_some_and(|game| is_rejected(&game))
            && alone[i].first().is_none_or(|game| game.place.start > 0)
    };
    if !(kept && (0..texts.len()).any(falls)) {
        let wanted = alone.iter().flatten().filter(|game| kept || !is_rejected(game));
        let wanted: Vec<_> = wanted.map(|game| (is_rejected(&game), &game.moves)).collect();
        let found = read(&out, to);
        let found_games: Vec<_> =
            found.iter().map(|game| (is_rejected(&game), &game.moves)).collect();
        assert!(found_games == wanted, "{} games, then {}\n{}", wanted.len(), found.len(), what());
    }
    if choice.rejects == Rejects::Apart {
        let wanted = alone.iter().flatten().filter(is_rejected).count();
        let found = read(&rejects, to);
        // A byte order mark within a line is a word; a game that began with it begins a line now, where it is a mark.
        let marks_within = texts.iter().any(|text| has_byte_order_mark_within_a_line(text));
        assert!(
            found.len() == wanted && (marks_within || found.iter().all(|game| is_rejected(&game))),
            "{wanted} rejects, then {}\n{}\nREJECTS\n{}",
            found.len(),
            what(),
            rejects.escape_ascii()
        );
    }
    how.threads = 2;
    how.options.block_bytes = 1 << 20;
    how.options.range_bytes = 1 << 20;
    let again = join(&folder, (&task, &how), &inputs, false).expect("as before");
    assert!(again == [out.clone(), rejects], "other blocks, other bytes\n{}", what());
}

/// Is there a byte order mark after something else than whitespace on its line?
fn has_byte_order_mark_within_a_line(text: &[u8]) -> bool {
    let mut lines = text.split(|byte| matches!(byte, b'\n' | b'\r'));
    lines.any(|line| {
        let lead = line.iter().take_while(|&&byte| byte <= b' ').count();
        line.get(lead + 1..)
            .is_some_and(|rest| rest.windows(3).any(|at| at == "\u{feff}".as_bytes()))
    })
}

//! The lines of a block of which each is a text of its own: a game a line.
//!
//! In: a block of whole lines and the [`BlockVisitor`] of a task. Out: [`Facts`], as of games. Invariants: what a line
//! holds is read as if nothing were around it, with tag pairs, numbers, comments and a result if it has them; it is a
//! game at most, unless results divide it; every byte of the block is accounted for; blank lines, lines that begin
//! with `#`, and line ends are text between games. Cost: that of the replay of each line.

use pgnmill_io::archive::Block;
use pgnmill_io::archive::line_scan::LineEnds;

use crate::chess::EpdLine;
use crate::pgn::deviation::Deviation;
use crate::replay::Replayer;

use super::block::{BlockReplay, LineCount};
use super::facts::Facts;
use super::lines::{FoundLine, FoundLines};
use super::settings::Settings;
use super::visitor::BlockVisitor;

/// Visits the games of one block, and adds to the facts.
pub(super) fn visit<V: BlockVisitor>(
    visitor: V,
    block: Block<'_>,
    settings: &Settings,
    replayer: &mut Replayer<'_>,
    facts: &mut Facts,
) {
    let games = replayer.counts.games();
    let mut replay = BlockReplay::new(visitor, block, settings, games, facts);
    for (before, found) in FoundLines::of(block.text).enumerate() {
        let FoundLine { span, content, .. } = found;
        let is_skipped = EpdLine::is_skipped(&block.text[content.clone()]);
        // A byte order mark is read with the line.
        let read = if is_skipped { span.start..span.start } else { span.start..content.end };
        if is_skipped && content.start > span.start {
            replayer.counts.deviations[Deviation::EncodingBom as usize] += 1;
        }
        replay.text_start = read.start;
        replay.line = LineCount::after(before as u64);
        replayer.replay_truncated(&block.text[read.clone()], false, &mut replay);
        replayer.counts.between_bytes += (span.len() - read.len()) as u64;
    }
    let ends = LineEnds::of(replayer.level(), block.text);
    let counted = &mut facts.counted;
    counted.lines += counted.survey.add(block.text, block.part, ends);
}

//! The games of a block, as a task receives them.
//!
//! In: a block and what its job has. Out: the block visited by the visitor that the task gives. Invariant: games that a
//! selection excludes are counted and not visited. Cost: the replay, which is compiled for each visitor, in the crate
//! that calls [`BlockGames::visit`].

use pgnmill_io::archive::{Block, Part, RecordKind};

use crate::replay::Replayer;

use super::block;
use super::facts::Facts;
use super::filter::Filter;
use super::game_lines;
use super::lines;
use super::settings::Settings;
use super::visitor::BlockVisitor;

/// The games of one block, before they are visited.
#[derive(Debug)]
pub struct BlockGames<'g, 'r> {
    pub(super) block: Block<'g>,
    pub(super) settings: &'g Settings,
    /// What decides which games are visited, in runs with a selection.
    pub(super) filter: Option<Filter<'g>>,
    pub(super) replayer: &'g mut Replayer<'r>,
    pub(super) facts: &'g mut Facts,
}

impl<'g> BlockGames<'g, '_> {
    /// The settings of the run.
    pub fn settings(&self) -> &'g Settings {
        self.settings
    }

    /// Replays the games for this visitor. Their facts, and the games that a selection excludes, are counted here. Of a
    /// file of positions all lines are read.
    pub fn visit<V: BlockVisitor>(self, visitor: V) {
        let BlockGames { block, settings, filter, replayer, facts } = self;
        match (block.part, filter) {
            (Part::Lines, _) if settings.options.records == RecordKind::GameLines => {
                game_lines::visit(visitor, block, settings, replayer, facts);
            }
            (Part::Lines, _) => lines::visit(visitor, block, settings, replayer, facts),
            (Part::Games | Part::Cut, None) => {
                block::games(visitor, block, settings, replayer, facts);
            }
            (Part::Games | Part::Cut, Some(filter)) => {
                filter.games(visitor, block, settings, replayer, facts);
            }
            // A part of a game that was not read is rejected, whatever is selected.
            _ => block::unreadable(visitor, block, settings, replayer, facts),
        }
        facts.counted.text_bytes += block.text.len() as u64;
    }
}

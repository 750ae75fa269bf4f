//! The games of an archive, one after the other, on the calling thread.
//!
//! In: blocks of complete games. Out: [`Game`]s, borrowed until the next call. Invariant: every game that a run over
//! the archive counts is returned once, rejected games included. Cost: each block is replayed at once, and the records
//! of its games are kept; memory: that of [`archive::Blocks`](pgnmill_io::archive::Blocks) and 16 bytes per ply of a
//! block.

use pgnmill_io::archive::games::Games as GameTexts;
use pgnmill_io::archive::{Archive, Blocks, Damage, InOrder, OwnedBlock, Part};
use pgnmill_io::error::Result;

use crate::engine::Settings;
use crate::pgn::deviation::Deviation;
use crate::replay::{Counts, History, Replayer};

use super::game::Game;
use super::record::{GameRecord, Recorder};

/// The games of an archive. Not an [`Iterator`]: each game borrows from the reader.
///
/// ```
/// use pgnmill_core::reader::Reader;
/// let archive = "[White \"Anderssen\"]\n\n1. e4 e5 2. f4 *\n\n[White \"?\"]\n\n1. e5 *\n";
/// let mut games = Reader::from_reader("archive", archive.as_bytes())?.games();
/// while let Some(game) = games.next()? {
///     println!("{:?} {:?} {}", game.tag("White"), game.verdict(), game.moves().count());
/// }
/// assert_eq!((games.counts().accepted, games.counts().repaired, games.counts().rejected), (1, 0, 1));
/// # Ok::<(), pgnmill_io::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Games {
    blocks: Blocks,
    settings: Settings,
    block: OwnedBlock,
    recorder: Recorder,
    next: usize,
    counts: Counts,
    number: u64,
    damages: Vec<Damage>,
}

impl Games {
    /// `settings`: how moves are read, and on which processor instructions.
    pub(super) fn new(archive: Archive, settings: Settings) -> Games {
        let block = OwnedBlock { text: Vec::new(), offset: 0, part: Part::Games };
        Games {
            blocks: archive.blocks(),
            settings,
            block,
            recorder: Recorder::default(),
            next: 0,
            counts: Counts::default(),
            number: 0,
            damages: Vec::new(),
        }
    }

    /// The next game; `None` at the end of the archive.
    ///
    /// # Errors
    /// An archive that cannot be read further; the games before were returned.
    #[expect(clippy::should_implement_trait, reason = "a game borrows: this is no iterator")]
    pub fn next(&mut self) -> Result<Option<Game<'_>>> {
        while self.next >= self.recorder.games.len() {
            match self.blocks.next().transpose()? {
                None => return Ok(None),
                Some(InOrder::Damage(_, damage)) => self.damages.push(damage),
                Some(InOrder::Block(block)) => self.read(block),
            }
        }
        let record = &self.recorder.games[self.next];
        self.next += 1;
        self.number += 1;
        Ok(Some(Game {
            text: &self.block.text,
            record,
            plies: &self.recorder.plies[record.plies.clone()],
            offset: self.block.offset + record.span.start as u64,
            number: self.number,
        }))
    }

    /// Games, deviations and plies up to the end of the current block. After the last game: of the archive.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Damage that was skipped.
    pub fn damages(&self) -> &[Damage] {
        &self.damages
    }

    fn read(&mut self, block: OwnedBlock) {
        self.block = block;
        self.recorder.clear();
        self.next = 0;
        let OwnedBlock { text, part, .. } = &self.block;
        let unread = match part {
            Part::Games | Part::Cut => None,
            Part::OversizeFirst => {
                Some((Deviation::GameTooLong, "the game is longer than a game may be"))
            }
            Part::Fragment => {
                Some((Deviation::GameCut, "the beginning of the game lies in what is damaged"))
            }
            // It belongs to a game that was returned before; lines have none.
            Part::OversizeRest | Part::Lines => return,
        };
        if let Some((kind, detail)) = unread {
            self.counts.rejected += 1;
            self.counts.deviations[kind as usize] += 1;
            self.recorder.games.push(GameRecord::unread(text.len(), kind, detail));
            return;
        }
        let Settings { profile, from, rules, level, .. } = &self.settings;
        let replayer = Replayer::new(profile, *from, History::Ignored);
        let mut replayer = replayer.with_rules(*rules).on(*level);
        for (start, game) in GameTexts::on(replayer.level(), text) {
            let is_cut = *part == Part::Cut && start + game.len() == text.len();
            self.recorder.set_base(start);
            replayer.replay_truncated(game, is_cut, &mut self.recorder);
        }
        self.counts.merge(&replayer.counts);
    }
}

//! Reading archives: a loop over games, or a visitor on all processors.
//!
//! ```text
//! Reader ── games() ────────────────► Game, Game, …    one thread, each game borrowed until the next
//!        ├─ read_ahead() ────────────► OwnedGame, …      read on all threads, each game kept as long as it is used
//!        └─ par_visit(make, merge) ─► Visitor per job ──► merge, in the order of the archive
//! ```
//!
//! In: an archive. Out: [`Game`]s with tag pairs by name, moves with positions, comments, NAGs, variations, verdict,
//! fault and offset. Invariant: rejected games are returned too, with their fault: no game is lost. Cost: see
//! [`Games`] and [`Reader::par_visit`].

mod ahead;
mod game;
mod games;
mod owned;
mod parallel;
mod record;
mod recording;
mod saved;
mod visitor;

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use pgnmill_io::archive::{Archive, Input, Options};
use pgnmill_io::error::{Error, Result};
use pgnmill_simd::Level;

use crate::chess::rules::RulesKind;
use crate::engine::{Settings, THREADS_MAX};
use crate::notation::Notation;
use crate::pgn::deviation::Profile;
use crate::select::Selection;

pub use ahead::OwnedGames;
pub use game::{Game, PlayedMove, Tag, Tags};
pub use games::Games;
pub use owned::{Fault, OwnedGame};
pub use visitor::{Event, Events, Visitor};

/// An open archive, and the options for reading it.
///
/// ```
/// use pgnmill_core::reader::Reader;
/// let archive = "[Event \"a\"]\n\n1. e4 {best by test} e5 *\n";
/// let mut games = Reader::from_reader("archive", archive.as_bytes())?.games();
/// let game = games.next()?.expect("a game");
/// assert_eq!(game.tag("Event").as_deref(), Some("a"));
/// assert_eq!(game.comments().collect::<Vec<_>>(), ["best by test"]);
/// let uci = pgnmill_core::notation::find("uci").expect("registered");
/// assert_eq!(game.movetext(uci), "1. e2e4 e7e5 *");
/// # Ok::<(), pgnmill_io::error::Error>(())
/// ```
#[derive(Debug)]
pub struct Reader {
    archive: Archive,
    profile: Profile,
    from: Option<&'static dyn Notation>,
    rules: RulesKind,
    level: Level,
    threads: usize,
    selection: Option<Arc<Selection>>,
}

impl Reader {
    /// Opens a file: plain text or compressed, which its first bytes decide, whatever its name.
    ///
    /// # Errors
    /// An error of the system; a file of another format.
    pub fn open(path: impl AsRef<Path>) -> Result<Reader> {
        Reader::open_with(path, &Options::default())
    }

    /// As [`Reader::open`], with other options: sizes of blocks, whether damaged frames are skipped.
    ///
    /// # Errors
    /// As [`Reader::open`].
    pub fn open_with(path: impl AsRef<Path>, options: &Options) -> Result<Reader> {
        let input = Input::Path(path.as_ref().to_path_buf());
        Ok(Reader::of(Archive::open(&input, options)?))
    }

    /// An archive from a byte stream: standard input, a socket, bytes in memory. `name` is used in messages.
    ///
    /// # Errors
    /// An error of the stream; text of another format.
    pub fn from_reader(name: &str, reader: impl Read + Send + 'static) -> Result<Reader> {
        Ok(Reader::of(Archive::from_reader(name, reader, &Options::default())?))
    }

    /// An archive that is open already.
    pub fn of(archive: Archive) -> Reader {
        Reader {
            archive,
            profile: Profile::lenient(),
            from: None,
            rules: RulesKind::Chess,
            level: Level::best(),
            threads: 0,
            selection: None,
        }
    }

    /// Sets the rules for accepted, repaired and rejected games; the default is [`Profile::lenient`].
    #[must_use]
    pub fn profile(mut self, profile: Profile) -> Reader {
        self.profile = profile;
        self
    }

    /// Sets the notation of games whose tag pairs name none; the default is SAN.
    #[must_use]
    pub fn notation(mut self, notation: &'static dyn Notation) -> Reader {
        self.from = Some(notation);
        self
    }

    /// Sets the ruleset of games without a `Variant` tag pair; the default is chess.
    #[must_use]
    pub fn rules(mut self, rules: RulesKind) -> Reader {
        self.rules = rules;
        self
    }

    /// Sets the processor instructions that are used; the default is [`Level::best`]. Only the time depends on them.
    #[must_use]
    pub fn level(mut self, level: Level) -> Reader {
        self.level = level;
        self
    }

    /// Sets the games that [`Reader::read_ahead`] and [`Reader::par_visit`] read; the others are counted alone. A part
    /// of a game that is too long to be read is rejected, whatever is selected.
    #[must_use]
    pub fn selection(mut self, selection: Selection) -> Reader {
        self.selection = Some(Arc::new(selection));
        self
    }

    /// Sets the number of threads of [`Reader::read_ahead`] and [`Reader::par_visit`]; 0, the default, is one per
    /// processor.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Reader {
        self.threads = threads;
        self
    }

    /// The games, one after the other, on the calling thread; a selection is not used.
    pub fn games(self) -> Games {
        let Reader { archive, profile, from, rules, level, .. } = self;
        Games::new(archive, Settings { profile, from, rules, level, ..Settings::default() })
    }

    /// The games, in order, read ahead on several threads. Each owns its text.
    ///
    /// # Errors
    /// Too many threads, or none that the system starts.
    pub fn read_ahead(self) -> Result<OwnedGames> {
        let (archive, settings) = self.settings()?;
        OwnedGames::of_archive(archive, settings)
    }

    /// The archive, and the settings of a run over it.
    fn settings(self) -> Result<(Archive, Settings)> {
        let Reader { archive, profile, from, rules, level, threads, selection } = self;
        if threads > THREADS_MAX {
            return Err(Error::usage(format!("{threads} threads are more than {THREADS_MAX}")));
        }
        let options = archive.options().clone();
        let mut settings =
            Settings { profile, from, rules, level, options, selection, ..Settings::default() };
        if threads > 0 {
            settings.threads = threads;
        }
        Ok((archive, settings))
    }
}

/// As [`Reader::read_ahead`], whose error is that of the first game.
///
/// ```
/// use pgnmill_core::reader::Reader;
/// let mut plies = 0;
/// for game in Reader::open("../../data/sources.pgn")? {
///     plies += game?.game().main_line().count();
/// }
/// assert_eq!(plies, 205);
/// # Ok::<(), pgnmill_io::error::Error>(())
/// ```
impl IntoIterator for Reader {
    type Item = Result<OwnedGame>;
    type IntoIter = OwnedGames;

    fn into_iter(self) -> OwnedGames {
        self.read_ahead().unwrap_or_else(OwnedGames::failed)
    }
}

//! What an archive is divided into: games, or lines of one of two kinds.
//!
//! In: the name of an input. Out: [`RecordKind`]. Invariant: what is read is decided by names alone, before anything is
//! opened: a file of positions has no first bytes that no other text has. Cost: none.
//!
//! ```
//! use pgnmill_io::archive::{Input, RecordKind};
//! assert_eq!(Input::Path("suite.epd.zst".into()).records(), RecordKind::Lines);
//! assert_eq!(Input::Path("games.pgn".into()).records(), RecordKind::Games);
//! ```

use std::path::Path;

use super::Input;
use super::names::is_positions_name;

/// What an archive is divided into.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum RecordKind {
    /// Games.
    #[default]
    Games,
    /// Lines, each of which is one record: the positions of an EPD or FEN file.
    Lines,
    /// Lines, each of which is a text of its own: a game a line. No name states it: a caller does.
    GameLines,
}

impl RecordKind {
    /// Is a line what is read as a whole?
    pub const fn of_lines(self) -> bool {
        !matches!(self, RecordKind::Games)
    }
}

impl Input {
    /// What its name says that it holds: lines if it ends in `.epd` or `.fen`, perhaps with that of a container after
    /// it, else games.
    pub fn records(&self) -> RecordKind {
        let is_of_lines = match self {
            Input::Path(path) => is_positions_name(path),
            Input::Stdin => false,
            Input::Named(source) => is_positions_name(Path::new(source.name())),
        };
        if is_of_lines { RecordKind::Lines } else { RecordKind::Games }
    }
}

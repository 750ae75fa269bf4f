//! Columns that several tables have, and the ratios that tables derive.

use super::order::Order;
use super::schema::{Column, Kind};

/// The notation of a row.
pub const NOTATION: Column = Column::key("notation", Order::Registry, "the name of the notation");
/// Games.
pub const GAMES: Column = Column::sum("games", "games", "number of games");
/// Plies.
pub const PLIES: Column = Column::sum("plies", "plies", "number of plies");
/// Characters.
pub const CHARACTERS: Column = Column::sum("characters", "characters", "sum over all move texts");
/// Bytes.
pub const BYTES: Column = Column::sum("bytes", "bytes", "sum over all move texts");
/// The mean length of a text.
pub const CHARACTERS_PER_PLY: Column = Column::derived(
    "characters_per_ply",
    Kind::Decimal(3),
    "characters per ply",
    "`characters` / `plies`; empty if there are no plies",
);

/// The change against SAN.
pub const CHANGE_VS_SAN: Column = Column::derived(
    "change_percent_vs_san",
    Kind::Decimal(2),
    "per cent",
    "100 · (this − san) / san, in characters; negative where this notation is shorter, as on the terminal and on the \
     page; empty if there are no plies, or if this notation cannot write all of them",
);
/// The change against the notation that the article on 'Economical' notation calls classical.
pub const CHANGE_VS_LETTERS: Column = Column::derived(
    "change_percent_vs_economical_letters",
    Kind::Decimal(2),
    "per cent",
    "the same against `economical-letters`",
);

/// The archive of a row that is listed.
pub const ARCHIVE: Column = Column::text("archive", "the archive");
/// An offset in an archive's text.
pub const BYTE_OFFSET: Column =
    Column::count("byte_offset", "bytes", "offset in the archive's text");
/// The number of a game in its archive.
pub const GAME: Column = Column::count("game", "", "the number of the game in the archive, from 1");
/// The line of an archive.
pub const LINE: Column =
    Column::count("line", "", "the line in the archive, from 1; lines end with LF, CR LF or CR");
/// The column of a line.
pub const COLUMN: Column = Column::count("column", "bytes", "the position in the line, from 1");
/// The ply of a game.
pub const PLY: Column =
    Column::count("ply", "plies", "the number of the ply, from 1; 0 before the first move");
/// The name of a deviation.
pub const KIND: Column =
    Column::text("kind", "the name of the deviation; `pgnmill deviations` lists all of them");
/// What tag pairs contain.
pub const EVENT: Column = Column::text("event", "the tag `Event`; empty if there is none");
/// What tag pairs contain.
pub const SITE: Column = Column::text("site", "the tag `Site`; empty if there is none");
/// What tag pairs contain.
pub const WHITE: Column = Column::text("white", "the tag `White`; empty if there is none");
/// What tag pairs contain.
pub const BLACK: Column = Column::text("black", "the tag `Black`; empty if there is none");

/// A ratio with this many decimals; empty where the denominator is 0.
pub(super) fn ratio(numerator: u64, denominator: u64, digits: usize) -> String {
    match denominator {
        0 => String::new(),
        _ => format!("{:.digits$}", numerator as f64 / denominator as f64),
    }
}

/// A share in per cent with two decimals; empty where the whole is 0.
pub(super) fn percent(count: u64, of: u64) -> String {
    match of {
        0 => String::new(),
        _ => format!("{:.2}", 100.0 * count as f64 / of as f64),
    }
}

/// The change against another notation in per cent with two decimals; negative where this one is shorter.
pub(super) fn change_percent(characters: u64, base: u64) -> String {
    match base {
        0 => String::new(),
        _ => format!("{:.2}", 100.0 * (characters as f64 - base as f64) / base as f64),
    }
}

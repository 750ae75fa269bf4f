//! `disambiguation.csv`: what SAN writes of the origin.

use super::columns::PLIES;
use super::order::Order;
use super::schema::{Column, Schema};

/// What moves: the piece types, then castling.
pub const MOVERS: [&str; 7] = ["pawn", "knight", "bishop", "rook", "queen", "king", "castling"];
/// What SAN writes of the origin.
pub const ORIGINS: [&str; 4] = ["none", "file", "rank", "square"];

/// What moves.
pub const ROLE: Column =
    Column::key("role", Order::Listed(&MOVERS), "the piece type, `pawn` … `king`, or `castling`");
/// What SAN writes of the origin.
pub const SAID: Column = Column::key(
    "said",
    Order::Listed(&ORIGINS),
    "what the text contains of the origin: `none`, `file`, `rank`, `square`",
);

/// One row per piece type and part of the origin.
pub static SCHEMA: Schema = Schema::added(
    "disambiguation.csv",
    "One row per piece type and part of the origin that occurs: what SAN writes of the origin.",
    &[ROLE, SAID, PLIES],
);

//! `export`: the laws of its tables, over crafted games, generated games and archives.
//!
//! `table`: the four formats, read back by other code into one form. `formats`: all hold the same values, in groups
//! within their limits. `books`: the ledger, and the join with `measure --per-game`. `oracle`: moves, positions and
//! keys as shakmaty has them. `crafted`: values and nulls of games that are written for a rule. `annotated`: what
//! annotates which ply. `engines`: what engines left in comments. `movers`: columns of the player who moves. `drawn`:
//! which plies and games are taken. `openings`: what the positions of a game reach. `epd`: lines of positions.
//! `unreadable`: values that cannot be read. `again`: rows written back as PGN. `partitions`: one file per value.
//! `long_games`: games of very many plies. `refusals`: what is refused, in which words. `bytes`: mutated archives.
//! That a file has the same bytes for any number of threads and any container is in `determinism.rs`; how files get
//! their names, in `outputs.rs` and `outside.rs`; memory, in `space.rs`.

#![cfg(all(feature = "export", unix))]
#![allow(clippy::print_stdout, reason = "reports what was counted")]

mod again;
mod annotated;
mod batches;
mod books;
mod bytes;
mod crafted;
mod drawn;
mod engines;
mod epd;
mod formats;
mod long_games;
mod movers;
mod openings;
mod oracle;
mod partitions;
mod refusals;
mod rulesets;
pub(crate) mod table;
mod unreadable;

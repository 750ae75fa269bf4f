//! Positions, PGN text, notations, the replay of games, and the tasks that are run on them.
//!
//! In: texts of games. Out: verdicts, plies, rewritten games, tables. May use: `pgnmill-state`, `pgnmill-simd`,
//! `pgnmill-io`; no module prints or reads arguments. Invariant: imports run from a module to those above it in the
//! table, never back.
//!
//! | module | for | the next one is added |
//! |---|---|---|
//! | [`chess`] | positions, moves, rulesets | a ruleset: a file of `chess/rules/` and a row of its table |
//! | [`pgn`] | tokens, tag pairs, deviations | a deviation: a row of `pgn/deviation` |
//! | [`notation`], [`openings`] | how a move is written and read | a notation: its file and a row of the registry |
//! | [`replay`] | every move of every game is checked | |
//! | [`facts`] | what is known of a game: fields, columns, groups | a fact: a row of `facts/rows.rs` |
//! | [`select`] | conditions on games | a field of single plies: a row of `select/fields.rs` |
//! | [`engine`], [`reader`] | jobs on all processors, in order | |
//! | [`tables`] | the tables that a measurement writes | a table: its schema and a row of the list |
//! | [`tasks`] | validate, convert, select, duplicates, measure | a task: its file, an `engine::Task` |
//!
//! One crate, because what is hot crosses all of these modules: divided into a crate per module, `measure` took 7 %
//! more instructions even with link-time optimisation (`benches/README.md`).

pub mod chess;
pub mod engine;
pub mod facts;
pub mod notation;
pub mod openings;
pub mod pgn;
pub mod reader;
pub mod replay;
pub mod select;
pub mod tables;
pub mod tasks;

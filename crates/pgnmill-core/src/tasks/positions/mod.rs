//! The task that counts what was played in which position, and how it ended.
//!
//! In: games. Out: a row for each pair of a position and a move ([`Rows`]), in the order of `hash`, `fen`, `games` and
//! `uci`; a Polyglot book ([`book`]). Definitions: `docs/positions.md`.
//!
//! ```text
//! game ──► Occurrence per ply ──► Part: blocks, in buckets by the first bits of the key
//!                                      │ in order; Pairs holds what fits into the memory
//!                                      ▼
//!      bucket by bucket, on the workers: Occurrence ──► Pair (sums) ──sort──► rows, or a run on disk ──merge──► rows
//!
//! tables of sums ──► StoredRow ──► Pair (sums) ──merge──► rows
//! ```
//!
//! Invariants: two positions are one row only if they are equal, whatever their hashes; sums are integers, added in any
//! order; the rows do not depend on the memory, the number of threads or the division of the inputs. Cost: the replay;
//! 48 bytes per ply that is counted, up to the memory; the sort of the hashes of a bucket.

mod block_pairs;
pub mod book;
mod bucket;
mod digest;
mod key;
mod pair;
mod pairs;
mod result_shares;
mod row;
mod stored_row;
mod tables;
mod task;

pub use digest::digest_of_text;
pub use key::{ChessKey, OtherKey, record_of};
pub use pair::{NO_DATES, Pair, Sample, Sums};
pub use pairs::{Limits, Pairs, Stop};
pub use result_shares::result_shares;
pub use row::{Rows, Shape, mean};
pub use stored_row::{RowReader, StoredPair, StoredRow};
pub use tables::{Disorder, TablePairs, TableRows};
pub use task::{CountPositions, Counted, CurrentBlock};

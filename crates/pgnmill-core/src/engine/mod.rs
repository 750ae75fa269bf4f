//! The engine: archives in, jobs to the workers, results consumed in order.
//!
//! ```text
//! feeder thread            rayon workers                          calling thread
//! jobs ──bounded──► job ─► blocks ► games ► result ─Ordered─► Driver: interiors, seams ─► Consumer
//!                                              (threads + 2 in flight)
//! ```
//!
//! A worker processes a job from decoding to the task's part. Results are consumed in the order of the jobs
//! ([`Ordered`]). Workers never block, and the number of jobs in flight bounds the memory. Blocks that span two jobs
//! are visited on the calling thread. Invariant: the results are the same for any number of threads. Cost: that of
//! the task, and one channel per job.
//!
//! The processing of games is a [`Task`]; the engine depends on no particular one.

mod block;
mod block_games;
mod counted;
mod facts;
mod filter;
mod game_lines;
mod insertions;
mod joiner;
mod joint;
mod lines;
mod listed_rows;
mod moves_use;
mod one_game;
mod ordered;
pub(crate) mod packed;
mod pool;
mod queue;
mod run;
mod settings;
mod start;
mod survey;
mod task;
mod text_piece;
mod text_seams;
mod unreadable;
mod visitor;
mod workers;

pub use block_games::BlockGames;
pub use counted::Counted;
pub use facts::{Facts, JobResult};
pub use joiner::Joiner;
pub use lines::{FoundLine, FoundLines};
pub use listed_rows::{ListedRow, ListedRows, Names, RowKind};
pub use moves_use::MovesUse;
pub use ordered::Ordered;
pub use pool::Pool;
pub use run::{run, run_archive, run_from, run_on};
pub use settings::{Base, Rejects, Settings, THREADS_MAX};
pub use start::{ReaderState, Start};
pub use survey::Survey;
pub use task::{Consumer, Part, Task};
pub(crate) use text_piece::End;
pub use text_piece::TextPiece;
pub use text_seams::TextSeams;
pub use unreadable::{Unreadable, UnreadableCounts, Unreadables};
pub use visitor::{BlockVisitor, GamePlace};

//! The engine: archives in, jobs to the workers, results consumed in order.
//!
//! ```text
//! feeder thread            rayon workers                          calling thread
//! jobs ──bounded──► job ──► blocks ► games ► result ──Ordered──► Driver: interiors, seams ──► Consumer
//!                                                   (threads + 2 in flight)
//! ```
//!
//! A worker takes a job from decoding to the task's part. Results come in the order of the jobs ([`Ordered`]), whatever the
//! workers do; no worker ever blocks, and memory is bounded by the number in flight. Blocks that lie across two jobs are visited
//! on the calling thread. What is consumed is the same for any number of threads.
//!
//! What is done with games is a [`Task`], of which the engine knows nothing else.

mod block;
mod facts;
mod faults;
pub(crate) mod joint;
mod joints;
mod notes;
mod ordered;
pub(crate) mod packed;
mod queue;
mod run;
mod settings;
mod survey;
mod task;
mod workers;

pub use facts::{Facts, JobResult};
pub use faults::{FaultRow, FaultRows, Names};
pub use joint::{Joiner, TextPiece, TextSeams};
pub use notes::{NoteRow, NoteRows};
pub use ordered::Ordered;
pub use run::{run, run_archive, run_on};
pub use settings::{Base, Rejects, Settings, THREADS_MAX};
pub use survey::Survey;
pub use task::{BlockVisitor, Consumer, GamePlace, Part, Task};

//! The search for duplicate games: in one archive, and across archives.
//!
//! In: games. Out: groups of duplicates, the table of their members, and the text of the games with or without them.
//! Definitions and costs: `docs/duplicates.md`.
//!
//! ```text
//! reading 1: Scan ► GameKey per game ──sort by moves, initials, tag pairs──► classes of equal games ► Member
//!                                                            └──sort by players, date, result──► Candidate
//! reading 2: Scan ► the moves of the candidates ──sort──► prefixes ► Links (groups of classes)
//! reading 3: tasks::select::CopyGames ► text of all games, in order; the members, in order, decide where each goes
//! ```
//!
//! Invariants: two games are compared by their keys alone, in sorted order, never pair by pair; the groups, their
//! numbers and their order depend on the games and the order of the inputs alone. Cost: two or three readings, and
//! sorts that write to disk what exceeds their memory ([`Sorter`](super::sorter::Sorter)).

mod classes;
mod descriptions;
mod keys;
mod links;
mod members;
mod names;
mod records;
mod scan;

pub use classes::{Classes, ExactCounts, Joined, candidates};
pub use descriptions::Description;
pub use keys::{Criteria, Keys, Same};
pub use links::{Keep, Links};
pub use members::{Member, MemberKind, Members};
pub use names::{known_date, name_key};
pub use records::{Candidate, CandidateLine, ClassMember, GameKey, GroupRow, NearKey};
pub use scan::{LineBuffer, Scan, Scanned, ScannedGame};

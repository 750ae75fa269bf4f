//! What a task requires of the moves of games: the less, the less is replayed.
//!
//! In: the task's own answer, [`Task::moves`](super::Task::moves). Out: which games a run with a selection replays for
//! the task. Invariant: what is counted of a game, and its rows, do not depend on it, but for [`MovesUse::Unread`].

/// What a task requires of the moves of games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MovesUse {
    /// Nothing: the visitor gets `BlockVisitor::end` alone, without a verdict, and only in runs with a selection.
    Unread,
    /// That they are legal: the visitor gets `BlockVisitor::end` alone, with the verdict. A game whose moves a
    /// selection has read is not replayed again.
    Checked,
    /// The visitor gets them.
    Visited,
}

//! What an engine's comment has.

use std::ops::Range;

use crate::pgn::command::Eval;

/// Whose view an evaluation has that is positive.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EvalView {
    /// That of the player who moved.
    Mover,
    /// White's.
    White,
    /// That of other comments of the game: this one alone does not show whether `xboard` or `chessbase` wrote it.
    OfGame,
    /// Not known: nothing but 0 is an evaluation.
    #[default]
    Unknown,
}

/// What was read of a comment; `None` is what it does not have.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct EngineComment {
    /// The evaluation, as it is written: positive if the side of `view` is better.
    pub eval: Option<Eval>,
    /// Whose view that is.
    pub view: EvalView,
    /// The depth in plies, clamped to 32,767.
    pub depth: Option<i16>,
    /// The selective depth in plies, clamped to 32,767.
    pub seldepth: Option<i16>,
    /// Positions that were searched.
    pub nodes: Option<i64>,
    /// The time that the engine took, in milliseconds.
    pub time: Option<i32>,
    /// Positions per second.
    pub speed: Option<i64>,
    /// Positions that tablebases have answered.
    pub tb_hits: Option<i64>,
    /// The span of the principal variation in the text.
    pub pv: Option<(usize, usize)>,
}

impl EngineComment {
    /// The span of the principal variation in the text.
    pub fn pv_span(&self) -> Option<Range<usize>> {
        self.pv.map(|(start, end)| start..end)
    }
}

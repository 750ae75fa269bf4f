//! One ply of a game of Chess 99: a play between two positions.

use crate::chess::Color;
use crate::chess::rules::{Play99, Position99, Role99};

/// One ply of a game of Chess 99, its positions borrowed.
#[derive(Clone, Copy, Debug)]
pub struct Ply99<'a> {
    before: &'a Position99,
    play: Play99,
    after: &'a Position99,
}

impl<'a> Ply99<'a> {
    /// The ply in which `play`, legal in `before`, leads to `after`.
    pub fn new(before: &'a Position99, play: Play99, after: &'a Position99) -> Ply99<'a> {
        Ply99 { before, play, after }
    }

    /// The position before the play.
    pub fn before(&self) -> &'a Position99 {
        self.before
    }

    /// The position after the play.
    pub fn after(&self) -> &'a Position99 {
        self.after
    }

    /// The play.
    pub fn play(&self) -> Play99 {
        self.play
    }

    /// The piece that plays; the king in castling.
    pub fn role(&self) -> Role99 {
        self.before.mover(self.play)
    }

    /// The piece that is captured.
    pub fn captured_role(&self) -> Option<Role99> {
        self.before.captured(self.play)
    }

    /// The side that plays.
    pub fn color(&self) -> Color {
        self.before.turn()
    }
}

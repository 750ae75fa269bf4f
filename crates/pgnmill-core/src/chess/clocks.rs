//! The last two numbers of a FEN record: plies since the last capture or pawn move, and the number of the move.
//!
//! Both in one word, so that a move changes them together: the halfmove clock in the upper half, the move number in the
//! lower. Neither overflows: FEN allows at most a thousand million, and no text holds as many plies as would be needed.
//!
//! ```
//! use pgnmill_core::chess::Position;
//! let position = Position::initial();
//! assert_eq!((position.halfmove_clock(), position.fullmove_number()), (0, 1));
//! ```

use pgnmill_state::state;

use super::Color;

/// Both clocks in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub(super) struct Clocks(u64);

state!(Clocks = clocks);

impl Clocks {
    /// From both numbers.
    pub(super) const fn new(halfmove: u32, fullmove: u32) -> Clocks {
        Clocks((halfmove as u64) << 32 | fullmove as u64)
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub(super) const fn halfmove(self) -> u32 {
        (self.0 >> 32) as u32
    }

    /// The number of the move.
    #[inline(always)]
    pub(super) const fn fullmove(self) -> u32 {
        self.0 as u32
    }

    /// After a ply of this colour; `quiet` means neither a capture nor a pawn move.
    #[inline(always)]
    pub(super) const fn after(self, color: Color, quiet: bool) -> Clocks {
        let counted = if quiet { self.0.wrapping_add(1 << 32) } else { self.0 as u32 as u64 };
        Clocks(counted.wrapping_add(color as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_number_touches_the_other() {
        let clocks = Clocks::new(7, 40);
        assert_eq!(clocks.after(Color::White, true), Clocks::new(8, 40));
        assert_eq!(clocks.after(Color::White, false), Clocks::new(0, 40));
        assert_eq!(clocks.after(Color::Black, true), Clocks::new(8, 41));
        assert_eq!(clocks.after(Color::Black, false), Clocks::new(0, 41));
        assert_eq!((clocks.halfmove(), clocks.fullmove()), (7, 40));
    }
}

//! What a notation came to: games, plies, characters, bytes; and the columns of a table that have these.
//!
//! In: a table. Out: a [`Sum`] per row. Invariant: ratios are computed from counts, never read. Cost: a row each.

use pgnmill_core::tables::columns::{BYTES, CHARACTERS, GAMES, PLIES};
use pgnmill_io::error::Result;

use super::number::ratio;
use super::table::{Column, Table};

/// The counts of one notation, of all games or of one group.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Sum {
    /// Games; where it is given.
    pub(super) games: u64,
    /// Plies.
    pub(super) plies: u64,
    /// Characters.
    pub(super) characters: u64,
    /// Bytes; where it is given.
    pub(super) bytes: u64,
}

impl Sum {
    /// Characters a ply.
    pub(super) fn per_ply(&self) -> f64 {
        ratio(self.characters, self.plies)
    }

    /// The change against another notation, in per cent; negative where this one is shorter.
    pub(super) fn change_percent(&self, base: &Sum) -> f64 {
        // A notation that cannot write every game has no total to compare with.
        match self.plies == base.plies {
            true => 100.0 * (ratio(self.characters, base.characters) - 1.0),
            false => f64::NAN,
        }
    }

    /// What is left without a part; none if that is more than the whole.
    pub(super) fn minus(self, part: &Sum) -> Option<Sum> {
        Some(Sum {
            games: self.games.checked_sub(part.games)?,
            plies: self.plies.checked_sub(part.plies)?,
            characters: self.characters.checked_sub(part.characters)?,
            bytes: self.bytes.checked_sub(part.bytes)?,
        })
    }

    /// The sum; the largest number if it does not fit.
    pub(super) fn plus(self, other: &Sum) -> Sum {
        Sum {
            games: self.games.saturating_add(other.games),
            plies: self.plies.saturating_add(other.plies),
            characters: self.characters.saturating_add(other.characters),
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }
}

/// The columns of a [`Sum`].
pub(super) struct Sums<'a> {
    plies: Column<'a>,
    characters: Column<'a>,
    games: Option<Column<'a>>,
    bytes: Option<Column<'a>>,
}

impl<'a> Sums<'a> {
    pub(super) fn of(table: &'a Table) -> Result<Sums<'a>> {
        Ok(Sums {
            plies: table.column(&PLIES)?,
            characters: table.column(&CHARACTERS)?,
            games: table.column(&GAMES).ok(),
            bytes: table.column(&BYTES).ok(),
        })
    }

    pub(super) fn at(&self, row: usize) -> Result<Sum> {
        Ok(Sum {
            games: self.games.map_or(Ok(0), |games| games.count(row))?,
            plies: self.plies.count(row)?,
            characters: self.characters.count(row)?,
            bytes: self.bytes.map_or(Ok(0), |bytes| bytes.count(row))?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_has_all_plies_has_a_change() {
        let sum = |plies: u64, characters: u64| Sum { plies, characters, ..Sum::default() };
        assert!((sum(100, 231).change_percent(&sum(100, 308)) + 25.0).abs() < 1e-9);
        assert!(sum(99, 231).change_percent(&sum(100, 308)).is_nan());
        assert!(sum(101, 231).change_percent(&sum(100, 308)).is_nan());
    }
}

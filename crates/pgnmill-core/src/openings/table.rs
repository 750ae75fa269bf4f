//! The tables of openings, by position.
//!
//! In: lines of `code`, `name`, `moves`, with tabs between. Out: [`Openings`]. Invariant: every line of the tables is a
//! position (a test reads them all); of two lines with one position the later one counts.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::chess::{Bitboard, Color};
use crate::chess::{Position, Role};
use crate::notation::san;

/// The tables, as they are published.
const TABLES: [&str; 5] = [
    include_str!("../../openings/a.tsv"),
    include_str!("../../openings/b.tsv"),
    include_str!("../../openings/c.tsv"),
    include_str!("../../openings/d.tsv"),
    include_str!("../../openings/e.tsv"),
];

/// Bits of the filter that excludes most positions: 1 in 16 is set.
const FILTER_BITS: u32 = 16;

/// An opening.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Opening {
    /// The code: a letter from A to E and two digits.
    pub eco: &'static str,
    /// The name, such as `Sicilian Defense: Najdorf Variation`.
    pub name: &'static str,
    /// The index of the name in [`Openings::names`].
    pub name_index: u32,
}

/// All openings.
#[derive(Debug)]
pub struct Openings {
    /// By Polyglot key.
    by_key: HashMap<u64, Opening>,
    /// A bit for each [`sketch`] that occurs.
    filter: Box<[u64]>,
    /// In ascending order.
    names: Vec<&'static str>,
}

static STANDARD: LazyLock<Openings> = LazyLock::new(|| Openings::read(&TABLES));

impl Openings {
    /// Different names in the tables that are part of the program, known without reading them.
    pub const NAMES_COUNT: u32 = 3_174;

    /// The tables that are part of the program.
    pub fn standard() -> &'static Openings {
        &STANDARD
    }

    /// The opening of a position, if it is in the tables.
    #[inline]
    pub fn find(&self, position: &Position) -> Option<&Opening> {
        let is_possible = self.may_have(whites_and_pawns(position));
        if is_possible { self.by_key.get(&position.polyglot_key()) } else { None }
    }

    /// May a position with these squares of White's pieces and of the pawns of both sides be in the tables?
    #[inline]
    pub fn may_have(&self, whites_and_pawns: [u64; 2]) -> bool {
        let bit = sketch(whites_and_pawns);
        self.filter[bit / 64] >> (bit % 64) & 1 != 0
    }

    /// All names, each once, in ascending order.
    pub fn names(&self) -> &[&'static str] {
        &self.names
    }

    /// Lines that are no position are left out.
    fn read(tables: &[&'static str]) -> Openings {
        let lines = tables.iter().flat_map(|table| table.lines().skip(1));
        let found: Vec<(&str, &str, Position)> = lines.filter_map(read_line).collect();
        let mut names: Vec<&str> = found.iter().map(|(_, name, _)| *name).collect();
        names.sort_unstable();
        names.dedup();
        let mut filter = vec![0; 1 << FILTER_BITS >> 6].into_boxed_slice();
        let mut by_key = HashMap::with_capacity(found.len());
        for (eco, name, position) in found {
            let bit = sketch(whites_and_pawns(&position));
            filter[bit / 64] |= 1 << (bit % 64);
            let name_index = names.partition_point(|other| *other < name) as u32;
            by_key.insert(position.polyglot_key(), Opening { eco, name, name_index });
        }
        Openings { by_key, filter, names }
    }
}

/// A number of [`FILTER_BITS`] bits from White's pieces and from the pawns.
#[inline]
fn sketch([whites, pawns]: [u64; 2]) -> usize {
    // The odd number nearest to 2^64 divided by the golden ratio.
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let mixed = (whites ^ pawns.rotate_left(23)).wrapping_mul(MULTIPLIER);
    (mixed >> (u64::BITS - FILTER_BITS)) as usize
}

#[inline]
fn whites_and_pawns(position: &Position) -> [u64; 2] {
    let Bitboard(whites) = position.color(Color::White);
    let Bitboard(pawns) = position.role(Role::Pawn);
    [whites, pawns]
}

/// Code, name and position of a line; `None` if it is not one.
fn read_line(line: &'static str) -> Option<(&'static str, &'static str, Position)> {
    let mut fields = line.split('\t');
    let (eco, name, moves) = (fields.next()?, fields.next()?, fields.next()?);
    let mut position = Position::initial();
    for word in moves.split_ascii_whitespace().filter(|word| !word.ends_with('.')) {
        let (mv, _) = san::read_canonical(word.as_bytes(), &position)?;
        position = position.play(mv);
    }
    Some((eco, name, position))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_tables_is_a_position() {
        let openings = Openings::standard();
        let lines = || TABLES.iter().flat_map(|table| table.lines().skip(1));
        assert_eq!(lines().count(), 3_807);
        for line in lines() {
            let (eco, name, position) = read_line(line).expect(line);
            let found = openings.find(&position).expect(line);
            assert_eq!((found.eco, found.name), (eco, name));
            assert_eq!(openings.names()[found.name_index as usize], name);
            assert!(matches!(eco.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']), "{line}");
        }
        assert_eq!(openings.by_key.len(), lines().count());
        assert_eq!(openings.names().len(), Openings::NAMES_COUNT as usize);
    }

    #[test]
    fn few_positions_pass_the_filter() {
        let openings = Openings::standard();
        let set: u32 = openings.filter.iter().map(|word| word.count_ones()).sum();
        assert!(set < 1 << FILTER_BITS >> 4, "{set}");
    }

    #[test]
    fn the_initial_position_has_no_name() {
        assert_eq!(Openings::standard().find(&Position::initial()), None);
    }
}

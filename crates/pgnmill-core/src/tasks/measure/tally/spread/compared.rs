//! The lengths of a ply in the notations that are compared, those of `--notations main`.
//!
//! Input: the record of a ply; output: its lengths in these notations, 0 in one that is free and not measured. Cost: a
//! look-up.

use std::sync::LazyLock;

use crate::notation::{MAIN, NOTATIONS, Shape, is_same};

use super::super::layout::{CostRow, Layout, MeasuredBy};
use super::super::ply_record::PlyRecord;
use super::moments::{COMPARED, GameSum, SAN};

/// How the notations that are compared are measured.
#[derive(Debug)]
pub(in super::super) struct Compared {
    /// The indexes in the registry.
    pub(in super::super) places: [usize; COMPARED],
    /// The lengths by shape; 0 in the free notations.
    by_shape: Vec<[u8; COMPARED]>,
    /// The free ones: the place among those that are compared, and among the free ones.
    free: Vec<(usize, usize)>,
}

static ALL: LazyLock<Compared> = LazyLock::new(|| {
    let layout = Layout::get();
    let places = MAIN.map(|notation| {
        NOTATIONS.iter().position(|other| is_same(*other, notation)).unwrap_or_default()
    });
    let mut free = Vec::new();
    for (at, &place) in places.iter().enumerate() {
        if let MeasuredBy::Free(index) = layout.place(place) {
            free.push((at, *index));
        }
    }
    let of_shape = |index| {
        let shape = Shape::from_index(index);
        places.map(|place| {
            let length = shape.and_then(|shape| NOTATIONS[place].shape_length(shape));
            length.unwrap_or_default().characters
        })
    };
    Compared { places, by_shape: (0..Shape::COUNT).map(of_shape).collect(), free }
});

impl Compared {
    pub(in super::super) fn get() -> &'static Compared {
        &ALL
    }

    /// The lengths of a ply.
    #[inline(always)]
    pub(in super::super) fn lengths(&self, record: &PlyRecord) -> [u8; COMPARED] {
        let mut lengths = self.by_shape[record.index()];
        let free = record.free();
        for &(at, index) in &self.free {
            lengths[at] = free[index];
        }
        lengths
    }

    /// The sums of plies that are counted in a row.
    pub(in super::super) fn sum_of(&self, row: &CostRow) -> GameSum {
        let costs = self.places.map(|place| Layout::get().cost(row, place));
        GameSum { plies: costs[SAN].plies, characters: costs.map(|cost| cost.characters) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::moments::LETTERS;
    use super::*;
    use crate::tables::notations::BASES;

    #[test]
    fn the_bases_have_their_places() {
        let names = Compared::get().places.map(|place| NOTATIONS[place].info().name);
        assert_eq!([names[SAN], names[LETTERS]], BASES);
    }
}

//! What a game keeps of a ply until its verdict: index, place and the lengths in the free notations.
//!
//! Input: a ply; output: a record of a few machine words.

use pgnmill_simd::{Kernel, Machine};

use crate::notation::{CandidateLine, Chosen, Facts, Ply};

use super::layout::Free;
use super::traits::{index_in_line, index_of, place_of};

/// What is kept of a ply.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlyRecord {
    /// Its index, and in the upper half its place: two narrow stores that are read back as one word would stall.
    what: u64,
    /// Its lengths in the free notations, eight to a word; 0 in those that are not measured.
    free: u64,
}

const _: () = assert!(size_of::<Free>() == size_of::<u64>());

impl PlyRecord {
    #[inline(always)]
    pub(super) fn of(ply: &Ply<'_>, chosen: &Chosen, with_place: bool) -> PlyRecord {
        let facts = Facts::for_notations(ply, chosen);
        let index = index_of(ply, facts.shape());
        let place = if with_place { place_of(ply.before()) } else { 0 };
        let free = facts.free_lengths();
        PlyRecord::new(index, place, u64::from_le_bytes(free))
    }

    #[inline(always)]
    fn new(index: u16, place: u8, free: u64) -> PlyRecord {
        PlyRecord { what: u64::from(index) | u64::from(place) << 16, free }
    }

    /// Its lengths in the free notations; 0 in those that are not measured.
    #[inline(always)]
    pub(super) fn free(&self) -> Free {
        self.free.to_le_bytes()
    }

    /// No ply.
    pub(super) const EMPTY: PlyRecord = PlyRecord { what: 0, free: 0 };

    /// Adds a place; see [`place_of`].
    pub(super) fn set_place(&mut self, place: u8) {
        self.what |= u64::from(place) << 16;
    }

    /// Its shape, and the flags of a pawn's capture; see [`index_of`].
    #[inline(always)]
    pub(super) fn index(&self) -> usize {
        usize::from(self.what as u16)
    }

    /// Its index and its lengths as one number.
    #[inline(always)]
    pub(super) fn without_place(&self) -> u64 {
        self.free ^ u64::from(self.what as u16).rotate_right(16)
    }

    /// Its side and phase; see [`place_of`]. 0 if no dimension needs them.
    #[inline(always)]
    pub(super) fn place(&self) -> usize {
        (self.what >> 16) as usize
    }

    #[cold]
    #[inline(never)]
    pub(super) fn of_rare(ply: Ply<'_>, chosen: &Chosen, with_place: bool) -> PlyRecord {
        PlyRecord::of(&ply, chosen, with_place)
    }
}

/// Sets the records of the plies of a line, which have these lengths, without places; those that are odd have no
/// meaning. The arrays are of the same length.
pub(super) struct InLine<'a> {
    pub(super) line: &'a CandidateLine<'a>,
    pub(super) lengths: &'a [[u64; 1]],
    pub(super) records: &'a mut [PlyRecord],
}

impl Kernel for InLine<'_> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let InLine { line, lengths, records } = self;
        let &CandidateLine { shapes: [low, high], origins, legal, lighter, .. } = line;
        let plies = records.len();
        // All of the length that the compiler knows, so that the loop has no bounds checks and becomes vectors.
        let (low, high, lengths) = (&low[..plies], &high[..plies], &lengths[..plies]);
        let (origins, legal, lighter) = (&origins[..plies], &legal[..plies], &lighter[..plies]);
        for index in 0..plies {
            let rivals = legal[index] & lighter[index] & !origins[index];
            let what = index_in_line(low[index], high[index], rivals);
            records[index] = PlyRecord { what, free: lengths[index][0] };
        }
    }
}

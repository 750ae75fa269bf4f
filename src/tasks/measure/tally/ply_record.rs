//! What a game keeps of a ply until its verdict: index, place and the lengths in the free notations.
//!
//! Input: a ply; output: a record of a few machine words.

use crate::notation::{Chosen, Facts, Ply};

use super::layout::Free;
use super::traits::{index_of, place_of};

/// What is kept of a ply.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlyRecord {
    /// Its index, and in the upper half its place: two narrow stores that are read back as one word would stall.
    what: u32,
    /// Its lengths in the free notations; 0 in those that are not measured.
    pub(super) free: Free,
}

impl PlyRecord {
    #[inline(always)]
    pub(super) fn of(ply: &Ply<'_>, chosen: &Chosen, with_place: bool) -> PlyRecord {
        let facts = Facts::for_notations(ply, chosen);
        let index = index_of(ply, facts.shape());
        let place = if with_place { place_of(ply.before()) } else { 0 };
        let free = facts.free_lengths();
        PlyRecord { what: u32::from(index) | u32::from(place) << 16, free }
    }

    /// Its shape, and the flags of a pawn's capture; see [`index_of`].
    #[inline(always)]
    pub(super) fn index(&self) -> usize {
        usize::from(self.what as u16)
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

//! What a game keeps of a ply until its verdict: index, place and the lengths in the free notations, in a few words.

use crate::notation::{Chosen, Facts, Ply};

use super::layout::Free;
use super::traits::{index_of, place_of};

/// What is kept of a ply.
#[derive(Clone, Copy, Debug)]
pub(super) struct PlyRecord {
    /// Its index, and above it its place, in one word: narrow stores that are read again as a word must wait for each other.
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

    /// Its shape, and what is said of a pawn's capture; see [`index_of`].
    #[inline(always)]
    pub(super) fn index(&self) -> usize {
        usize::from(self.what as u16)
    }

    /// Its side and phase; see [`place_of`]. 0 if nobody asked for them.
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

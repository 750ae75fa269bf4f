//! What was played in the same position before: `opening+rank`.
//!
//! In: choices and places. Out: decisions. In a position that occurred before it is coded first whether one of the
//! moves played there is played again, then which; otherwise, and in a position that did not occur, the place is coded
//! as by [`Places`], without those moves. With t games that had the position and k different moves, a new move has the
//! probability k / (t + k) (A. Moffat, "Implementing the PPM data compression scheme", 1990: method C). Invariants: a
//! probability depends on the plies before alone; memory is fixed. Cost: a key of the position and a look-up per ply.

use super::super::bits::Bits;
use super::choices::Choices;
use super::places::Places;

/// Plies of a game from its start whose positions are kept: later ones hardly recur.
const OPENING_PLIES: usize = 60;
/// Positions that are kept.
const POSITIONS: usize = 1 << 16;
/// Moves of a position that are kept.
const MOVES: usize = 8;

/// A position that occurred.
#[derive(Clone, Copy, Debug, Default)]
struct Known {
    key: u32,
    /// The places of the moves, the first played first.
    places: [u16; MOVES],
    counts: [u16; MOVES],
}

impl Known {
    fn moves_count(&self) -> usize {
        self.counts.iter().take_while(|&&count| count > 0).count()
    }

    fn total(&self) -> u64 {
        self.counts.iter().map(|&count| u64::from(count)).sum()
    }

    fn add(&mut self, place: usize) {
        let of =
            |&(index, count): &(usize, &u16)| *count == 0 || self.places[index] as usize == place;
        let Some((index, &count)) = self.counts.iter().enumerate().find(of) else { return };
        self.places[index] = place as u16;
        self.counts[index] = count.saturating_add(1);
    }
}

/// The positions that occurred, and how often each place was.
#[derive(Clone, Debug)]
pub(super) struct Openings {
    known: Vec<Known>,
    places: Places,
}

impl Openings {
    /// Nothing occurred yet.
    pub(super) fn new() -> Openings {
        Openings { known: vec![Known::default(); POSITIONS], places: Places::new() }
    }

    /// Codes the place of the played move.
    pub(super) fn code(&mut self, bits: &mut impl Bits, choices: &Choices, place: usize) -> usize {
        let count = choices.count();
        if choices.ply() >= OPENING_PLIES || count < 2 {
            return self.places.code(bits, count, place, &[]);
        }
        let key = choices.position().polyglot_key();
        let (slot, key) = self.slot(key);
        let known = if self.known[slot].key == key { self.known[slot] } else { Known::default() };
        let moves_count = known.moves_count();
        let coded = match again(bits, &known, moves_count, place) {
            Some(coded) if coded < count => coded,
            _ => self.places.code(bits, count, place, &known.places[..moves_count]),
        };
        self.known[slot] = Known { key, ..known };
        self.known[slot].add(coded);
        coded
    }

    /// Where a position is kept: in the second of two slots if it is there, or if the first one has a position that
    /// occurred more often. Also the part of the key that distinguishes positions of a slot.
    fn slot(&self, key: u64) -> (usize, u32) {
        let (first, short) = (key as usize % POSITIONS, (key >> 32) as u32);
        let second = first ^ 1;
        let [one, other] = [first, second].map(|slot| &self.known[slot]);
        let takes_second = one.key != short && (other.key == short || other.total() < one.total());
        (if takes_second { second } else { first }, short)
    }
}

/// Codes whether a move is played again, and which.
fn again(bits: &mut impl Bits, known: &Known, moves_count: usize, place: usize) -> Option<usize> {
    if moves_count == 0 {
        return None;
    }
    let (total, new) = (known.total(), moves_count as u64);
    let places = &known.places[..moves_count];
    let is_again = places.iter().any(|&other| other as usize == place);
    if !bits.bit((total << 32) / (total + new), is_again) {
        return None;
    }
    let (mut rest, mut coded) = (total, 0);
    for (&other, &count) in places.iter().zip(&known.counts) {
        coded = other as usize;
        let count = u64::from(count);
        if count == rest || bits.bit((count << 32) / rest, coded == place) {
            break;
        }
        rest -= count;
    }
    Some(coded)
}

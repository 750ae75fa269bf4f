//! Moves in the context of their ply, mixed: `ply-context`.
//!
//! In: choices and places. Out: decisions with probabilities: for each legal move, the best by estimated worth first,
//! whether it is the one that was played. What a decision has in common with earlier ones is stated by 13 contexts:
//! the place with the number of moves and with the places of the moves before; the piece with its squares, its worth,
//! its attackers; the move with the position, the pieces of one side, the pawns, the last moves. Each has an adaptive
//! probability; these are mixed in the logistic domain, by weights that are learnt (M. Mahoney, "Adaptive weighing of
//! context models for lossless data compression", 2005). Invariants: a probability depends on the decisions before
//! alone; integers only; memory is fixed. Cost: some hundred instructions per decision, of which a ply has about
//! seven.

use crate::chess::{Bitboard, Color, Move, Position, Role, Square};

use super::super::bits::Bits;
use super::choices::{Choice, Choices, Played};
use super::logistic::{Logistic, STRETCH_MAX};

/// Contexts of a decision.
const CONTEXTS: usize = 13;
/// Probabilities of a context.
const SLOTS: usize = 1 << 18;
/// Classes by how often a context occurred, each with weights of its own.
const AGES: usize = 8;
/// Sets of weights of each of three mixers: by the place of the move, by the number of the ply, and by how often the
/// move occurred in the position and with the pieces of the side to move.
const SETS: [usize; 3] = [16, 64, AGES * AGES];
/// The contexts of that third mixer.
const OF_POSITION: [usize; 2] = [4, 5];
/// The weight 1.
const UNIT: i32 = 1 << 16;

/// A probability that adapts, in 2^-16, and how often it did.
#[derive(Clone, Copy, Debug)]
struct Slot {
    check: u8,
    age: u8,
    likely: u16,
}

impl Slot {
    fn new(check: u8) -> Slot {
        Slot { check, age: 0, likely: 1 << 15 }
    }

    /// The class of its age.
    fn class(self) -> usize {
        match self.age {
            0 => 0,
            1 => 1,
            2 => 2,
            3..=4 => 3,
            5..=9 => 4,
            10..=24 => 5,
            25..=80 => 6,
            _ => 7,
        }
    }

    /// Adapts, the faster the younger it is.
    fn learn(&mut self, decision: bool) {
        const AGE_MAX: u8 = 250;
        let target = if decision { 65_535 } else { 0 };
        let (likely, age) = (i32::from(self.likely), i32::from(self.age));
        let more = (target - likely) * 2 / (2 * age + 3);
        self.likely = (likely + more).clamp(16, 65_519) as u16;
        self.age = (self.age + 1).min(AGE_MAX);
    }
}

/// The weights of one set: by context and age.
type Weights = [[i32; AGES]; CONTEXTS + 1];

/// The probabilities and the weights.
#[derive(Clone, Debug)]
pub(super) struct Contexts {
    slots: Vec<Slot>,
    mixers: [Vec<Weights>; 3],
    logistic: Logistic,
}

/// What is mixed for a decision.
struct Mix {
    slots: [usize; CONTEXTS],
    inputs: [(usize, i32); CONTEXTS + 1],
    sets: [usize; 3],
    dots: [i32; 3],
}

impl Contexts {
    /// Nothing learnt yet.
    pub(super) fn new() -> Contexts {
        let weights = [[UNIT / 5; AGES]; CONTEXTS + 1];
        Contexts {
            slots: vec![Slot::new(0); CONTEXTS * SLOTS],
            mixers: SETS.map(|count| vec![weights; count]),
            logistic: Logistic::new(),
        }
    }

    /// Codes the place of the played move.
    pub(super) fn code(&mut self, bits: &mut impl Bits, choices: &Choices, place: usize) -> usize {
        let last = choices.count().saturating_sub(1);
        let ply = PlyContext::of(choices);
        for this in 0..last {
            let mix = self.mix(&ply, choices, this);
            let likely = self.likely(&mix);
            let decision = bits.bit(u64::from(likely) << 16, this == place);
            self.learn(&mix, decision);
            if decision {
                return this;
            }
        }
        last
    }

    fn mix(&mut self, ply: &PlyContext, choices: &Choices, place: usize) -> Mix {
        let hashes = ply.contexts(choices, place);
        let (mut slots, mut inputs) = ([0; CONTEXTS], [(0, 256); CONTEXTS + 1]);
        for (context, hash) in hashes.into_iter().enumerate() {
            let index = context * SLOTS + (hash as usize & (SLOTS - 1));
            let check = (hash >> 56) as u8;
            let slot = &mut self.slots[index];
            if slot.check != check {
                *slot = Slot::new(check);
            }
            slots[context] = index;
            inputs[context] = (slot.class(), self.logistic.stretch(slot.likely));
        }
        let known = OF_POSITION.map(|context| inputs[context].0);
        let sets = [
            place.min(SETS[0] - 1),
            (choices.ply() / 8).min(SETS[1] - 1),
            known[0] * AGES + known[1],
        ];
        let mut dots = [0; 3];
        for ((dot, mixer), set) in dots.iter_mut().zip(&self.mixers).zip(sets) {
            let terms = inputs.iter().zip(&mixer[set]);
            let sum: i64 = terms.map(|(&(age, x), w)| i64::from(x) * i64::from(w[age])).sum();
            *dot = (sum >> 16).clamp(-i64::from(STRETCH_MAX), i64::from(STRETCH_MAX)) as i32;
        }
        Mix { slots, inputs, sets, dots }
    }

    /// The mean of the mixers.
    fn likely(&self, mix: &Mix) -> u16 {
        self.logistic.squash(mix.dots.iter().sum::<i32>() / 3)
    }

    fn learn(&mut self, mix: &Mix, decision: bool) {
        mix.slots.iter().for_each(|&slot| self.slots[slot].learn(decision));
        for ((mixer, set), dot) in self.mixers.iter_mut().zip(mix.sets).zip(mix.dots) {
            let target = if decision { 65_535 } else { 0 };
            let error = target - i32::from(self.logistic.squash(dot));
            for (&(age, input), weights) in mix.inputs.iter().zip(&mut mixer[set]) {
                let more = (i64::from(input) * i64::from(error)) >> LEARNING_SHIFT;
                weights[age] = (weights[age] + more as i32).clamp(-16 * UNIT, 16 * UNIT);
            }
        }
    }
}

/// How slowly weights are learnt.
const LEARNING_SHIFT: u32 = 15;

/// What all decisions of a ply have in common.
struct PlyContext {
    /// A hash of all pieces.
    position: u64,
    /// A hash of the pieces of the side to move.
    pieces: u64,
    pawns: u64,
    /// The last move, and the one before, which the side to move played.
    last: u64,
    own: u64,
    /// How many pieces and queens there are, and moves, in classes.
    phase: u64,
    count: u64,
    /// Was the last move a capture? Is there check?
    state: u64,
    /// The worth of the best move.
    best: i32,
}

/// Mixes a number into a hash.
fn hash(sum: u64, number: u64) -> u64 {
    let word = u128::from(sum ^ number ^ 0x6a09_e667_f3bc_c908);
    let product = word.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39d);
    (product ^ (product >> 64)) as u64
}

fn hash_all(numbers: &[u64]) -> u64 {
    numbers.iter().fold(0, |sum, &number| hash(sum, number))
}

/// A move without its position: piece, squares, promotion.
fn number(mv: Move) -> u64 {
    let promoted = mv.promoted().map_or(0, Role::index);
    (mv.role().index() << 16 | mv.origin().index() << 10 | mv.target().index() << 4 | promoted)
        as u64
}

impl PlyContext {
    fn of(choices: &Choices) -> PlyContext {
        let position = choices.position();
        let (us, them) = (position.us(), position.them());
        let of_side = |side: Bitboard| {
            let boards = Role::ALL.map(|role| (position.role(role) & side).0);
            hash_all(&boards)
        };
        let number_of = |plies| choices.before(plies).map_or(0, |played| 1 + number(played.mv));
        let captured = choices.before(1).is_some_and(|played| played.is_capture);
        let pieces = position.occupied().count();
        let queens = position.role(Role::Queen).count().min(2);
        PlyContext {
            position: hash_all(&[of_side(us), of_side(them)]),
            pieces: of_side(us),
            pawns: position.role(Role::Pawn).0,
            last: number_of(1),
            own: number_of(2),
            phase: u64::from(pieces / 5 * 3 + queens),
            count: match choices.count() {
                count @ ..4 => count as u64,
                count => (4 + count / 6) as u64,
            },
            state: u64::from(captured) | u64::from(position.in_check()) << 1,
            best: choices.moves().first().map_or(0, |best| best.worth),
        }
    }

    /// The contexts of the decision on one move.
    fn contexts(&self, choices: &Choices, place: usize) -> [u64; CONTEXTS] {
        let Choice { mv, worth } = choices.moves()[place];
        let position = choices.position();
        let side = if position.turn() == Color::White { 0 } else { 56 };
        let [origin, target] = [mv.origin(), mv.target()].map(|it| (it.index() ^ side) as u64);
        let promoted = mv.promoted().map_or(0, Role::index);
        let piece = (mv.role().index() << 3 | promoted) as u64;
        let taken = position.captured_role(mv).map_or(6, Role::index) as u64;
        let level = worth.clamp(-400, 400) as u64;
        let lag = ((self.best - worth) / 8).min(40) as u64;
        let exact = number(mv);
        let gives_check = u64::from(position.play(mv).in_check());
        let is = |played: Option<Played>, what: fn(Move, Move) -> bool| {
            u64::from(played.is_some_and(|played| what(played.mv, mv)))
        };
        let retakes = is(choices.before(1), |last, mv| last.target() == mv.target());
        let follows = is(choices.before(2), |own, mv| own.arrival() == mv.origin());
        let [from, from_own, to, to_own] = attackers(position, mv);
        let (place, recent) = (place as u64, choices.recent_places() as u64);
        [
            hash_all(&[place, self.count, self.state]),
            hash_all(&[piece, level, self.phase]),
            hash_all(&[piece, target, taken, retakes, gives_check]),
            hash_all(&[piece, taken, lag, retakes, gives_check, follows]),
            hash_all(&[self.position, exact]),
            hash_all(&[self.pieces, exact]),
            hash_all(&[self.pawns, exact]),
            hash_all(&[self.last, exact]),
            hash_all(&[self.own, exact]),
            hash_all(&[piece, taken, from, from_own.min(2), to, to_own, gives_check]),
            hash_all(&[piece, origin, target, taken, self.state, retakes]),
            hash_all(&[place, recent]),
            hash_all(&[piece, origin, target, from, to]),
        ]
    }
}

/// The lightest piece that attacks the origin and the target of a move, of the other side and of one's own: its number,
/// or 6.
fn attackers(position: &Position, mv: Move) -> [u64; 4] {
    let (us, them, occupied) = (position.turn(), position.turn().other(), position.occupied());
    let left = occupied & !Bitboard::of(mv.origin());
    let lightest = |square: Square, color: Color, occupied: Bitboard| {
        let attackers = position.attackers(square, color, occupied) & occupied;
        let is_among = |role: Role| (attackers & position.role(role)).has_any();
        Role::ALL.into_iter().position(is_among).unwrap_or(Role::ALL.len()) as u64
    };
    [
        lightest(mv.origin(), them, occupied),
        lightest(mv.origin(), us, occupied),
        lightest(mv.arrival(), them, left),
        lightest(mv.arrival(), us, left),
    ]
}

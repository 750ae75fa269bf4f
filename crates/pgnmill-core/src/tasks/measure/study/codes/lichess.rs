//! The code for moves of lichess.org: the place of the move in a fixed order of the legal ones, as a code word.
//!
//! In: a position and a legal move. Out: its place, and the bits of the place. Source: repository
//! lichess-org/compression (`game/Move`, `game/Encoder`, `game/Huffman`), described in "Developer update: 275% improved
//! game compression" (lichess.org/blog, 2018), which states 4.40 bits a ply on its own games, of 4.38 of entropy. From
//! it are the order and the numbers; the program is written from this description:
//!
//! * first come promotions, to queen, rook, bishop, knight; then captures, en passant included;
//! * then moves to squares that no enemy pawn attacks; then to others, a pawn's first, a king's last;
//! * then by the gain in the table of squares, the greatest first: the value of the moving piece on the target less
//!   that on the origin. A promoting pawn counts as a pawn; a castling king moves to the square of its rook;
//! * then the later target (a1, b1, … h8) and the later origin.
//!
//! The table has no code for other starting positions. A game is a string of code words, from the first bit of each
//! byte on, filled up with zeros; the number of plies is not in it. Cost: an estimate for each legal move.

use crate::chess::{Color, Move, Position, Role, pawn_attacks};

use super::lichess_words::WORDS;

/// The values of squares by role, from White's side: a8 first, h1 last.
static SQUARES: [[i8; 64]; 6] = [
    [
        0, 0, 0, 0, 0, 0, 0, 0, //
        50, 50, 50, 50, 50, 50, 50, 50, //
        10, 10, 20, 30, 30, 20, 10, 10, //
        5, 5, 10, 25, 25, 10, 5, 5, //
        0, 0, 0, 20, 21, 0, 0, 0, //
        5, -5, -10, 0, 0, -10, -5, 5, //
        5, 10, 10, -31, -31, 10, 10, 5, //
        0, 0, 0, 0, 0, 0, 0, 0,
    ],
    [
        -50, -40, -30, -30, -30, -30, -40, -50, //
        -40, -20, 0, 0, 0, 0, -20, -40, //
        -30, 0, 10, 15, 15, 10, 0, -30, //
        -30, 5, 15, 20, 20, 15, 5, -30, //
        -30, 0, 15, 20, 20, 15, 0, -30, //
        -30, 5, 10, 15, 15, 11, 5, -30, //
        -40, -20, 0, 5, 5, 0, -20, -40, //
        -50, -40, -30, -30, -30, -30, -40, -50,
    ],
    [
        -20, -10, -10, -10, -10, -10, -10, -20, //
        -10, 0, 0, 0, 0, 0, 0, -10, //
        -10, 0, 5, 10, 10, 5, 0, -10, //
        -10, 5, 5, 10, 10, 5, 5, -10, //
        -10, 0, 10, 10, 10, 10, 0, -10, //
        -10, 10, 10, 10, 10, 10, 10, -10, //
        -10, 5, 0, 0, 0, 0, 5, -10, //
        -20, -10, -10, -10, -10, -10, -10, -20,
    ],
    [
        0, 0, 0, 0, 0, 0, 0, 0, //
        5, 10, 10, 10, 10, 10, 10, 5, //
        -5, 0, 0, 0, 0, 0, 0, -5, //
        -5, 0, 0, 0, 0, 0, 0, -5, //
        -5, 0, 0, 0, 0, 0, 0, -5, //
        -5, 0, 0, 0, 0, 0, 0, -5, //
        -5, 0, 0, 0, 0, 0, 0, -5, //
        0, 0, 0, 5, 5, 0, 0, 0,
    ],
    [
        -20, -10, -10, -5, -5, -10, -10, -20, //
        -10, 0, 0, 0, 0, 0, 0, -10, //
        -10, 0, 5, 5, 5, 5, 0, -10, //
        -5, 0, 5, 5, 5, 5, 0, -5, //
        0, 0, 5, 5, 5, 5, 0, -5, //
        -10, 5, 5, 5, 5, 5, 0, -10, //
        -10, 0, 5, 0, 0, 0, 0, -10, //
        -20, -10, -10, -5, -5, -10, -10, -20,
    ],
    [
        -30, -40, -40, -50, -50, -40, -40, -30, //
        -30, -40, -40, -50, -50, -40, -40, -30, //
        -30, -40, -40, -50, -50, -40, -40, -30, //
        -30, -40, -40, -50, -50, -40, -40, -30, //
        -20, -30, -30, -40, -40, -30, -30, -20, //
        -10, -20, -20, -20, -20, -20, -20, -10, //
        20, 20, 0, 0, 0, 0, 20, 20, //
        0, 30, 10, 0, 0, 10, 30, 0,
    ],
];

/// The order of a move: of two legal moves of a position the greater comes first.
fn order(position: &Position, mv: Move) -> (usize, bool, usize, i32, usize, usize) {
    let (role, us) = (mv.role(), position.turn());
    let (origin, target) = (mv.origin(), mv.target());
    let enemy_pawns = position.role(Role::Pawn) & position.them();
    let is_attacked = (pawn_attacks(us, target) & enemy_pawns).has_any();
    let safety = if is_attacked { Role::King.index() - role.index() } else { Role::ALL.len() };
    let value = |square: usize| {
        let seen = if us == Color::White { square ^ 56 } else { square };
        i32::from(SQUARES[role.index()][seen])
    };
    let gain = value(target.index()) - value(origin.index());
    let promoted = mv.promoted().map_or(0, Role::index);
    (promoted, position.is_capture(mv), safety, gain, target.index(), origin.index())
}

/// How many of these legal moves come before one of them.
pub(super) fn place(position: &Position, moves: impl Iterator<Item = Move>, mv: Move) -> usize {
    let own = order(position, mv);
    moves.filter(|&other| order(position, other) > own).count()
}

/// Code words, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Words {
    bytes: Vec<u8>,
    bits: u64,
}

impl Words {
    /// Writes the code word of a place. Returns whether there is one.
    pub(super) fn write(&mut self, place: usize) -> bool {
        let Some(&word) = WORDS.get(place) else { return false };
        for bit in (0..word.ilog2()).rev() {
            if self.bits.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(byte) = self.bytes.last_mut() {
                *byte |= ((word >> bit & 1) as u8) << (7 - self.bits % 8);
            }
            self.bits += 1;
        }
        true
    }

    /// The bytes, and how many bits were written.
    pub(super) fn finish(self) -> (Vec<u8>, u64) {
        (self.bytes, self.bits)
    }
}

/// Reads code words.
#[cfg(test)]
#[derive(Debug)]
pub(super) struct WordReader<'b> {
    bytes: &'b [u8],
    bit: usize,
}

#[cfg(test)]
impl<'b> WordReader<'b> {
    /// Reads from the first bit on; after the last byte zeros follow.
    pub(super) fn new(bytes: &'b [u8]) -> WordReader<'b> {
        WordReader { bytes, bit: 0 }
    }

    /// The place of the next code word.
    pub(super) fn next(&mut self) -> usize {
        let mut word = 1;
        loop {
            let byte = self.bytes.get(self.bit / 8).copied().unwrap_or(0);
            word = word << 1 | u32::from(byte >> (7 - self.bit % 8) & 1);
            self.bit += 1;
            if let Some(place) = WORDS.iter().position(|&other| other == word) {
                return place;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_string_of_bits_begins_with_one_code_word() {
        let share = |word: &u32| 1_u64 << (40 - word.ilog2());
        assert_eq!(WORDS.iter().map(share).sum::<u64>(), 1 << 40);
        for (place, word) in WORDS.iter().enumerate() {
            let begins = |other: &&u32| {
                word.ilog2() <= other.ilog2() && *other >> (other.ilog2() - word.ilog2()) == *word
            };
            assert_eq!(WORDS.iter().filter(begins).count(), 1, "{place}");
        }
        assert!(!Words::default().write(256));
    }

    #[test]
    fn places_are_all_different() {
        let fens: [&[u8]; 3] = [
            b"r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            b"n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            b"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
        ];
        for fen in fens {
            let position = Position::from_fen(fen).unwrap().0;
            let moves = position.legal_moves();
            let all = || moves.iter().copied();
            let mut places: Vec<usize> = all().map(|mv| place(&position, all(), mv)).collect();
            places.sort_unstable();
            assert_eq!(places, (0..moves.len()).collect::<Vec<_>>());
        }
    }
}

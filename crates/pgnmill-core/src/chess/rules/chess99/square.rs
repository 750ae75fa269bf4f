//! The squares and the kinds of pieces of Chess 99.
//!
//! In: files and ranks, letters of a record. Out: [`Square99`], [`Role99`]. Cost: a byte each.

use std::fmt;

/// Files and ranks.
pub(super) const SIDE: u8 = 9;
pub(super) const SQUARES: usize = 81;

/// One of the 81 squares, numbered a1 = 0, b1 = 1 … i9 = 80.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square99(u8);

impl Square99 {
    /// The square on a file and a rank, both from 0 to 8; `None` outside the board.
    pub fn at(file: i8, rank: i8) -> Option<Square99> {
        let is_there = |number: i8| (0..SIDE as i8).contains(&number);
        (is_there(file) && is_there(rank)).then(|| Square99(rank as u8 * SIDE + file as u8))
    }

    /// The square named by two ASCII bytes such as `i9`.
    pub fn from_ascii(file: u8, rank: u8) -> Option<Square99> {
        let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
        (file < SIDE && rank < SIDE).then(|| Square99(rank * SIDE + file))
    }

    /// All squares, a1 to i9.
    pub fn all() -> impl Iterator<Item = Square99> {
        (0..SQUARES as u8).map(Square99)
    }

    /// The number, below 81.
    pub fn index(self) -> usize {
        usize::from(self.0) % SQUARES
    }

    /// 0 for the a-file.
    pub fn file(self) -> u8 {
        self.0 % SIDE
    }

    /// 0 for the first rank.
    pub fn rank(self) -> u8 {
        self.0 / SIDE
    }

    /// The square so many files and ranks away.
    pub fn step(self, (files, ranks): (i8, i8)) -> Option<Square99> {
        Square99::at(self.file() as i8 + files, self.rank() as i8 + ranks)
    }
}

impl fmt::Display for Square99 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, (b'1' + self.rank()) as char)
    }
}

impl fmt::Debug for Square99 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A kind of piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Role99 {
    /// Moves one or two squares straight ahead.
    Pawn,
    /// As in chess.
    Knight,
    /// As in chess.
    Bishop,
    /// As in chess.
    Rook,
    /// Bishop and knight.
    Paladin,
    /// As in chess.
    Queen,
    /// As in chess.
    King,
}

impl Role99 {
    /// All roles, pawn to king.
    pub const ALL: [Role99; 7] = [
        Role99::Pawn,
        Role99::Knight,
        Role99::Bishop,
        Role99::Rook,
        Role99::Paladin,
        Role99::Queen,
        Role99::King,
    ];

    /// What a pawn may become.
    pub const PROMOTIONS: [Role99; 2] = [Role99::Bishop, Role99::Knight];

    /// The letter in a record: `A` for the paladin.
    pub fn letter(self) -> u8 {
        b"PNBRAQK"[self as usize]
    }

    /// The role of a letter of a record, in upper case.
    pub fn from_letter(letter: u8) -> Option<Role99> {
        Role99::ALL.into_iter().find(|role| role.letter() == letter)
    }
}

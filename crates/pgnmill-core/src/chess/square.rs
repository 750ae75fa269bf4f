//! One of the sixty-four squares, numbered a1 = 0, b1 = 1 … h8 = 63.

use std::fmt;

/// A square of the board. The number is always below 64.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square on a file (0 = a … 7 = h) and a rank (0 = first … 7 = eighth); only the low three bits of
    /// each count.
    #[inline(always)]
    pub const fn at(file: u8, rank: u8) -> Square {
        Square((rank & 7) << 3 | (file & 7))
    }

    /// The square with this number; only the low six bits count.
    #[inline(always)]
    pub const fn new(number: u8) -> Square {
        Square(number & 63)
    }

    /// The square named by two ASCII bytes such as `e4`, or `None`.
    ///
    /// ```
    /// use pgnmill_core::chess::Square;
    /// assert_eq!(Square::from_ascii(b'e', b'4'), Some(Square::at(4, 3)));
    /// assert_eq!(Square::from_ascii(b'E', b'4'), None);
    /// ```
    #[inline(always)]
    pub const fn from_ascii(file: u8, rank: u8) -> Option<Square> {
        let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
        if (file | rank) < 8 { Some(Square(rank << 3 | file)) } else { None }
    }

    /// The square's number, below 64.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The file: 0 = a … 7 = h.
    #[inline(always)]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// The rank: 0 = first … 7 = eighth, counted from White.
    #[inline(always)]
    pub const fn rank(self) -> u8 {
        (self.0 >> 3) & 7
    }

    /// The file's letter, `a` to `h`.
    #[inline(always)]
    pub const fn file_letter(self) -> u8 {
        b'a' + self.file()
    }

    /// The rank's digit, `1` to `8`.
    #[inline(always)]
    pub const fn rank_digit(self) -> u8 {
        b'1' + self.rank()
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file_letter() as char, self.rank_digit() as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

//! The positions of a file: what `position in @FILE` compares those of a game with.
//!
//! In: lines of EPD or FEN. Out: a [`PositionSet`]. Invariants: a position is in the set if and only if it is equal to
//! one of the file in pieces, side to move, castling rights, and the en passant square where a capture is legal; a key
//! decides only that it is not. Memory: 32 bytes and some bits for each position, and one line. Cost: a look at a word
//! for each position of a game; for one whose key has its bits there, some in a hundred, a binary search.
//!
//! ```
//! use pgnmill_core::chess::Position;
//! use pgnmill_core::select::PositionSet;
//! let text = "# openings\nrnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"start\";\n";
//! let set = PositionSet::read(text.as_bytes())?;
//! assert!(set.len() == 1 && set.has(&Position::initial()));
//! # Ok::<(), pgnmill_core::select::PositionSetError>(())
//! ```

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::Arc;

pub use crate::chess::LINE_BYTES_MAX;
use crate::chess::{EpdError, EpdLine, PackedPosition, Position};

/// The positions of an expression, at most.
pub const POSITIONS_MAX: usize = 1_000_000;
/// Bits of the filter for each position, at least.
const FILTER_BITS: usize = 16;
/// The flag of the side to move; whether a position is of Chess960 is no part of it.
const SIDE_FLAG: u8 = 1;

/// Positions of a file.
#[derive(Clone)]
pub struct PositionSet(Arc<Positions>);

struct Positions {
    /// In order, each once.
    sorted: Vec<PackedPosition>,
    /// Bits for each key, in one word.
    filter: Vec<u64>,
}

/// Why a file has no positions that can be compared.
#[derive(Debug)]
pub enum PositionSetError {
    /// It cannot be read.
    Read(io::Error),
    /// A line, from 1, is no position.
    Line(u64, EpdError),
    /// A line is too long.
    LineTooLong(u64),
    /// There are more positions than an expression may have.
    TooMany,
    /// There is no position.
    Empty,
}

impl fmt::Display for PositionSetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionSetError::Read(error) => error.fmt(f),
            PositionSetError::Line(line, error) => write!(f, "line {line}: {error}"),
            PositionSetError::LineTooLong(line) => {
                write!(f, "line {line} has more than {LINE_BYTES_MAX} bytes")
            }
            PositionSetError::TooMany => write!(f, "there are more than {POSITIONS_MAX} positions"),
            PositionSetError::Empty => f.write_str("there is no position in it"),
        }
    }
}

impl std::error::Error for PositionSetError {}

impl fmt::Debug for PositionSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PositionSet of {}", self.len())
    }
}

/// What of a position is compared.
fn packed(position: &Position) -> PackedPosition {
    let packed = PackedPosition::of(position);
    PackedPosition { flags: packed.flags & SIDE_FLAG, ..packed }
}

impl PositionSet {
    /// Reads lines of EPD or FEN; blank lines and those that begin with `#` are skipped, operations are not read.
    ///
    /// # Errors
    /// A line that is no position, or is longer than [`LINE_BYTES_MAX`]; more than [`POSITIONS_MAX`] lines; none; the
    /// errors of `from`.
    pub fn read(from: impl Read) -> Result<PositionSet, PositionSetError> {
        let mut from = BufReader::new(from);
        let (mut line, mut number) = (Vec::new(), 0);
        let (mut positions, mut keys) = (Vec::new(), Vec::new());
        loop {
            line.clear();
            let most = LINE_BYTES_MAX as u64 + 2;
            let read = from.by_ref().take(most).read_until(b'\n', &mut line);
            if read.map_err(PositionSetError::Read)? == 0 {
                break;
            }
            number += 1;
            if line.trim_ascii_end().len() > LINE_BYTES_MAX || line.len() as u64 == most {
                return Err(PositionSetError::LineTooLong(number));
            }
            // A mark of the encoding is no part of the first line.
            let text = line.strip_prefix(b"\xef\xbb\xbf").filter(|_| number == 1).unwrap_or(&line);
            if EpdLine::is_skipped(text) {
                continue;
            }
            if positions.len() == POSITIONS_MAX {
                return Err(PositionSetError::TooMany);
            }
            let read = EpdLine::read(text);
            let EpdLine { position, .. } =
                read.map_err(|error| PositionSetError::Line(number, error))?;
            positions.push(packed(&position));
            keys.push(position.key_without_en_passant());
        }
        if positions.is_empty() {
            return Err(PositionSetError::Empty);
        }
        positions.sort_unstable();
        positions.dedup();
        let mut filter = vec![0; (FILTER_BITS * keys.len()).next_power_of_two().div_ceil(64)];
        for key in keys {
            let (word, bits) = place(&filter, key);
            filter[word] |= bits;
        }
        Ok(PositionSet(Arc::new(Positions { sorted: positions, filter })))
    }

    /// The number of different positions.
    pub fn len(&self) -> usize {
        self.0.sorted.len()
    }

    /// Is there none? There always is one.
    pub fn is_empty(&self) -> bool {
        self.0.sorted.is_empty()
    }

    /// The positions, in an order of their own.
    pub fn positions(&self) -> &[PackedPosition] {
        &self.0.sorted
    }

    /// Is the position one of these?
    pub fn has(&self, position: &Position) -> bool {
        self.has_key(position, position.key_without_en_passant())
    }

    /// The same of a position with this key, without its en passant square.
    #[inline]
    pub(super) fn has_key(&self, position: &Position, key: u64) -> bool {
        self.may_have(key) && self.0.sorted.binary_search(&packed(position)).is_ok()
    }

    /// Can a position with this key, without its en passant square, be one of these?
    #[inline]
    pub(super) fn may_have(&self, key: u64) -> bool {
        let filter = &self.0.filter;
        let (word, bits) = place(filter, key);
        filter[word] & bits == bits
    }
}

/// The word of a filter, and up to three bits in it, of a key. The number of words is a power of two.
#[inline]
fn place(filter: &[u64], key: u64) -> (usize, u64) {
    let bits = [key, key >> 6, key >> 12].map(|bits| 1 << (bits & 63));
    ((key >> 18) as usize & (filter.len() - 1), bits[0] | bits[1] | bits[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions of random games, of which a part is in a file: each is found if and only if its record is there,
    /// whatever bits of the filter are set.
    #[test]
    fn a_position_is_there_if_its_record_is() {
        let mut random = 5_u64;
        let mut next = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (random >> 33) as usize % below
        };
        let fields = |position: &Position| {
            let fen = position.to_fen();
            fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
        };
        let start = "r3k2r/1P4p1/8/2pP4/5Pp1/8/1p4P1/R3K2R w KQkq c6 0 1";
        let (start, _) = Position::from_fen(start.as_bytes()).unwrap();
        let mut reached = Vec::new();
        for _ in 0..60 {
            let mut position = start;
            for _ in 0..30 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position = position.play(moves[next(moves.len())]);
                reached.push(position);
            }
        }
        let mut text = String::from("\u{feff}# positions\n\n");
        let mut known = std::collections::HashSet::new();
        for position in &reached {
            if next(3) > 0 {
                continue;
            }
            known.insert(fields(position));
            text += &match next(3) {
                0 => fields(position) + " bm e4; # \"x\"\r\n",
                1 => position.to_fen() + "\n",
                _ => format!("  {}  hmvc 4;\n\t\n", fields(position)),
            };
        }
        let set = PositionSet::read(text.as_bytes()).unwrap();
        assert!(set.len() == known.len() && known.len() > 100);
        let all_bits = Positions { sorted: set.0.sorted.clone(), filter: vec![u64::MAX; 4] };
        let unfiltered = PositionSet(Arc::new(all_bits));
        let mut found = 0;
        for position in &reached {
            let is_known = known.contains(&fields(position));
            found += usize::from(is_known);
            assert_eq!(set.has(position), is_known);
            assert_eq!(unfiltered.has(position), is_known);
        }
        assert!(found > known.len() && found < reached.len());
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let good = "4k3/8/8/8/8/8/4P3/4K3 w - -\n";
        for (text, words) in [
            ("", "no position"),
            ("# nothing\n\n", "no position"),
            (&format!("\n{good}1. e4\n"), "line 3: "),
            (&format!("{good}8/8/8/8/8/8/8/8 w - -"), "line 2: each side"),
            (&format!("{good}{good}4k3/8/8/8 w"), "line 3: a position has four fields"),
        ] {
            let error = PositionSet::read(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
        // A line without end is given up, not held.
        let endless = io::repeat(b'x');
        let error = PositionSet::read(endless).unwrap_err().to_string();
        assert!(error.contains("line 1 has more than"), "{error}");
        let long = format!("{good}4k3/8/8/8/8/8/4P3/4K3 w - - c0 \"{}\";\n", "x".repeat(60_000));
        assert_eq!(PositionSet::read(long.as_bytes()).unwrap().len(), 1);
        let many = good.repeat(POSITIONS_MAX / 1_000);
        assert!(PositionSet::read(many.as_bytes()).is_ok());
    }
}

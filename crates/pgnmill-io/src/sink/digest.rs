//! The digest of a file: a check that its bytes are those that were written.
//!
//! In: bytes, in any pieces. Out: 64 bits. The bytes are read as little-endian words of 64 bits in eight columns; each
//! column has the sum of its words and the sum of these sums (Fletcher's checksum, as in ZFS); at the end both, the
//! rest of the bytes and the length are mixed. Any one damaged word is found, and words that are missing or exchanged.
//! It protects against accidents, not against forgery. Cost: two additions per word, less than 1 % of any task.

use std::io::{self, Read};

use pgnmill_simd::{self, Level, Machine};
use pgnmill_state::state;

/// Columns of words.
const COLUMNS: usize = 8;
/// Bytes of a row of words.
const ROW_BYTES: usize = 8 * COLUMNS;

/// The digest of the bytes so far.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Digest {
    sums: [u64; COLUMNS],
    sums_of_sums: [u64; COLUMNS],
    /// The bytes of a row that is not complete.
    rest: Vec<u8>,
    bytes_count: u64,
}
state!(Digest { sums, sums_of_sums, rest, bytes_count });

/// Adds rows of words, with the instruction set of a level.
struct AddRows<'a> {
    sums: &'a mut [u64; COLUMNS],
    sums_of_sums: &'a mut [u64; COLUMNS],
    bytes: &'a [u8],
}

impl pgnmill_simd::Kernel for AddRows<'_> {
    type Output = ();

    #[inline(always)]
    fn run<M: Machine>(self) {
        let (mut sums, mut sums_of_sums) = (*self.sums, *self.sums_of_sums);
        for row in self.bytes.as_chunks::<ROW_BYTES>().0 {
            for (column, word) in row.as_chunks::<8>().0.iter().enumerate() {
                sums[column] = sums[column].wrapping_add(u64::from_le_bytes(*word));
                sums_of_sums[column] = sums_of_sums[column].wrapping_add(sums[column]);
            }
        }
        (*self.sums, *self.sums_of_sums) = (sums, sums_of_sums);
    }
}

impl Digest {
    /// Adds bytes.
    pub fn add(&mut self, mut bytes: &[u8]) {
        self.bytes_count += bytes.len() as u64;
        if !self.rest.is_empty() {
            let (first, others) = bytes.split_at(bytes.len().min(ROW_BYTES - self.rest.len()));
            self.rest.extend_from_slice(first);
            bytes = others;
            if self.rest.len() < ROW_BYTES {
                return;
            }
            let mut row = [0; ROW_BYTES];
            row.copy_from_slice(&self.rest);
            self.rest.clear();
            self.add_rows(&row);
        }
        let rows = bytes.len() - bytes.len() % ROW_BYTES;
        self.add_rows(&bytes[..rows]);
        self.rest.extend_from_slice(&bytes[rows..]);
    }

    /// Adds complete rows.
    fn add_rows(&mut self, bytes: &[u8]) {
        let Digest { sums, sums_of_sums, .. } = self;
        Level::best().run(AddRows { sums, sums_of_sums, bytes });
    }

    /// The digest of all bytes of a reader.
    ///
    /// # Errors
    /// What the system refuses.
    pub fn read(mut from: impl Read) -> io::Result<Digest> {
        let (mut digest, mut buffer) = (Digest::default(), vec![0; 1 << 18]);
        loop {
            match from.read(&mut buffer) {
                Ok(0) => return Ok(digest),
                Ok(read) => digest.add(&buffer[..read]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// The number of bytes.
    pub fn bytes_count(&self) -> u64 {
        self.bytes_count
    }

    /// The digest, as 16 hexadecimal digits.
    pub fn text(&self) -> String {
        // The odd numbers nearest to 2^64 divided by the golden ratio, and of MurmurHash3's finaliser.
        let mut mixed = self.bytes_count;
        let mut add = |word: u64| {
            mixed = (mixed ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            mixed = (mixed ^ mixed >> 32).wrapping_mul(0xff51_afd7_ed55_8ccd);
            mixed ^= mixed >> 29;
        };
        self.sums.into_iter().chain(self.sums_of_sums).for_each(&mut add);
        self.rest.iter().for_each(|&byte| add(u64::from(byte)));
        format!("{mixed:016x}")
    }

    /// The digest of all these bytes.
    pub fn of(bytes: &[u8]) -> String {
        let mut digest = Digest::default();
        digest.add(bytes);
        digest.text()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_digest_depends_on_the_bytes_and_not_on_the_pieces() {
        let bytes: Vec<u8> = (0..1_000_u32).map(|n| ((n * n) >> 3) as u8).collect();
        let expected = Digest::of(&bytes);
        for piece in [1, 7, 63, 64, 65, 200, 1_000] {
            let mut digest = Digest::default();
            bytes.chunks(piece).for_each(|piece| digest.add(piece));
            assert_eq!(digest.text(), expected, "{piece}");
        }
        let mut others = vec![Digest::of(&bytes[..999]), Digest::of(&[&bytes[..], &[0]].concat())];
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            others.push(Digest::of(&changed));
        }
        let mut exchanged = bytes.clone();
        exchanged.rotate_left(64);
        others.push(Digest::of(&exchanged));
        assert!(!others.contains(&expected));
    }
}

//! The texts of each notation before and after a compressor.
//!
//! What enters are the moves of games; what leaves are bytes before and after, by notation and compressor. Games are gathered
//! in batches that are cut by their length in SAN alone, so that a batch holds the same games for every notation, and each
//! is compressed for itself. What is compressed are the texts of the main line, one blank between two of them and a line feed
//! at the end of a game; no numbers, no results. Cost: the compressors', many times; one text of a batch at a time is held.
//!
//! ```
//! use pgnmill::study::Compressor;
//! assert_eq!(Compressor::parse("zstd:19").unwrap().to_string(), "zstd:19");
//! assert!(Compressor::parse("zstd:0").is_none());
//! ```

use std::fmt;
use std::io::{self, Write};

use zstd::bulk;

use crate::notation::{MoveText, Notation};

use super::{Score, notations};

/// A batch is full when it holds so much text in SAN.
const BATCH_SAN_BYTES: usize = 1 << 20;
/// The strongest level of zstd.
const LEVEL_MAX: i32 = 22;

/// A compressor at a level. Weaker levels come first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Compressor {
    level: i32,
}

impl Compressor {
    /// Reads `zstd:LEVEL`, 1 to 22.
    pub fn parse(text: &str) -> Option<Compressor> {
        let level = text.strip_prefix("zstd:")?.parse().ok()?;
        (1..=LEVEL_MAX).contains(&level).then_some(Compressor { level })
    }
}

impl fmt::Display for Compressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "zstd:{}", self.level)
    }
}

/// What one notation and compressor came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Size {
    plies: u64,
    before: u64,
    after: u64,
}

/// Bytes before and after, by compressor and notation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sizes {
    compressors: Vec<Compressor>,
    /// Notation by notation for the first compressor, then for the next.
    sizes: Vec<Size>,
}

impl Sizes {
    /// Nothing compressed yet.
    pub fn new(compressors: &[Compressor]) -> Sizes {
        let sizes = vec![Size::default(); compressors.len() * notations().len()];
        Sizes { compressors: compressors.to_vec(), sizes }
    }

    /// The compressors, in the order of the table.
    pub fn compressors(&self) -> &[Compressor] {
        &self.compressors
    }

    /// Adds a row of `compress.csv`: plies, bytes before and after. A compressor that is new follows the others. Says whether
    /// there is such a notation and the sums fit.
    pub fn add(&mut self, notation: &str, compressor: Compressor, counts: [u64; 3]) -> bool {
        let index = notations().iter().position(|other| other.info().name == notation);
        let Some(index) = index else { return false };
        let place = self.compressors.iter().position(|&other| other == compressor);
        let place = place.unwrap_or_else(|| {
            self.compressors.push(compressor);
            self.sizes.resize(self.compressors.len() * notations().len(), Size::default());
            self.compressors.len() - 1
        });
        let size = &mut self.sizes[place * notations().len() + index];
        [&mut size.plies, &mut size.before, &mut size.after].into_iter().zip(counts).all(
            |(sum, more)| {
                let together = sum.checked_add(more);
                *sum = together.unwrap_or(*sum);
                together.is_some()
            },
        )
    }

    /// Adds what others came to, with the same compressors.
    pub fn merge(&mut self, other: &Sizes) {
        for (mine, theirs) in self.sizes.iter_mut().zip(&other.sizes) {
            mine.plies += theirs.plies;
            mine.before += theirs.before;
            mine.after += theirs.after;
        }
    }
}

/// Games that are compressed together.
#[derive(Debug, Default)]
pub struct Batch {
    scores: Vec<Score>,
    san_bytes: usize,
}

impl Batch {
    /// Adds a game, and gives the batch away if it is full then.
    pub fn push(&mut self, score: Score) -> Option<Batch> {
        self.san_bytes += score.san_bytes();
        self.scores.push(score);
        if self.san_bytes >= BATCH_SAN_BYTES { self.take() } else { None }
    }

    /// Gives the batch away, unless it is empty.
    pub fn take(&mut self) -> Option<Batch> {
        let batch = std::mem::take(self);
        (!batch.scores.is_empty()).then_some(batch)
    }

    /// Writes the games in every notation and compresses each text with every compressor.
    ///
    /// # Errors
    /// A compressor's own.
    pub fn compress(&self, compressors: &[Compressor]) -> io::Result<Sizes> {
        let mut sizes = Sizes::new(compressors);
        let mut encoders = Vec::with_capacity(compressors.len());
        for compressor in compressors {
            encoders.push(bulk::Compressor::new(compressor.level)?);
        }
        let mut text = Vec::new();
        for (index, notation) in notations().iter().enumerate() {
            let plies = self.write(*notation, &mut text);
            for (place, encoder) in encoders.iter_mut().enumerate() {
                let after = if text.is_empty() { 0 } else { encoder.compress(&text)?.len() };
                sizes.sizes[place * notations().len() + index] =
                    Size { plies, before: text.len() as u64, after: after as u64 };
            }
        }
        Ok(sizes)
    }

    /// The text in one notation, without the games that it cannot write; how many plies it holds.
    fn write(&self, notation: &dyn Notation, text: &mut Vec<u8>) -> u64 {
        text.clear();
        let mut plies = 0;
        for score in &self.scores {
            if notation.needs_lineage() && !score.has_history() {
                continue;
            }
            score.replay(|ply| {
                let mut token = MoveText::default();
                notation.encode(ply, &mut token);
                text.extend_from_slice(token.as_bytes());
                text.push(b' ');
            });
            if let Some(last) = text.last_mut() {
                *last = b'\n';
            }
            plies += score.plies_count() as u64;
        }
        plies
    }
}

/// Writes `compress.csv`: bytes before and after, by notation and compressor.
///
/// # Errors
/// Those of the writer.
pub fn write_compress<W: Write>(sizes: &Sizes, out: &mut csv::Writer<W>) -> csv::Result<()> {
    out.write_record(["notation", "compressor", "plies", "bytes_before", "bytes_after"])?;
    for (index, notation) in notations().iter().enumerate() {
        for (place, compressor) in sizes.compressors.iter().enumerate() {
            let size = sizes.sizes[place * notations().len() + index];
            out.write_record([
                notation.info().name,
                &compressor.to_string(),
                &size.plies.to_string(),
                &size.before.to_string(),
                &size.after.to_string(),
            ])?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Position;
    use crate::notation::{self, Check, Ply};

    /// A walk that each seed makes differently, and its texts.
    fn walk(seed: usize, notation: &dyn Notation) -> (Score, String) {
        let (mut position, mut score) = (Position::initial(), Score::default());
        let mut texts = Vec::new();
        for step in 0..80 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[(step * 7 + seed * 13) % moves.len()];
            let after = position.play(mv);
            score.push(&Ply::new(&position, mv, &after, Check::of(&after)));
            texts.push(notation::write(notation, &position, mv).to_string());
            position = after;
        }
        (score, texts.join(" ") + "\n")
    }

    #[test]
    fn sizes_are_those_of_the_texts_by_hand() {
        let compressors = ["zstd:3", "zstd:19"].map(|name| Compressor::parse(name).unwrap());
        let uci = notation::find("uci").unwrap();
        let place = notations().iter().position(|other| other.info().name == "uci").unwrap();
        let (mut batch, mut text, mut plies) = (Batch::default(), String::new(), 0);
        for seed in 0..30 {
            let (score, written) = walk(seed, uci);
            plies += score.plies_count() as u64;
            text.push_str(&written);
            assert!(batch.push(score).is_none());
        }
        let sizes = batch.compress(&compressors).unwrap();
        for (index, level) in [3, 19].into_iter().enumerate() {
            let after = zstd::bulk::compress(text.as_bytes(), level).unwrap().len() as u64;
            let size = sizes.sizes[index * notations().len() + place];
            assert_eq!(size, Size { plies, before: text.len() as u64, after });
        }
        // Its rows give it back.
        let mut read = Sizes::new(&[]);
        for (row, size) in sizes.sizes.iter().enumerate() {
            let notation = notations()[row % notations().len()].info().name;
            let compressor = compressors[row / notations().len()];
            assert!(read.add(notation, compressor, [size.plies, size.before, size.after]));
        }
        assert_eq!(read, sizes);
        assert!(!read.add("none", compressors[0], [0; 3]));
        assert!(!read.add("uci", compressors[0], [u64::MAX; 3]));
    }

    #[test]
    fn batches_are_cut_by_their_length_in_san() {
        let san = notation::find("san").unwrap();
        let (score, text) = walk(1, san);
        assert_eq!(score.san_bytes(), text.len());
        let games = BATCH_SAN_BYTES.div_ceil(text.len());
        let mut batch = Batch::default();
        assert!((1..games).all(|_| batch.push(score.clone()).is_none()));
        assert_eq!(batch.push(score).unwrap().scores.len(), games);
        assert!(batch.take().is_none());
    }
}

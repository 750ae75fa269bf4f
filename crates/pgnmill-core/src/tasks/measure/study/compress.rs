//! The texts of each notation before and after a compressor.
//!
//! Input: the moves of games; output: bytes before and after, by notation and compressor: zstd, and xz where the
//! program reads it. Games are gathered in batches that end by their length in SAN alone, so that a batch has the same
//! games for every notation; each is compressed by itself. Compressed are the texts of the main line, one space between
//! two of them and a line feed at the end of a game; no numbers, no results. Cost: that of the compressors; one text of
//! a batch at a time is in memory.
//!
//! ```
//! use pgnmill_core::tasks::measure::study::Compressor;
//! assert_eq!(Compressor::parse("zstd:19").unwrap().to_string(), "zstd:19");
//! assert!(Compressor::parse("zstd:0").is_none());
//! ```

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::ops::RangeInclusive;

use zstd::bulk;

use crate::notation::{MAIN, MoveText, Notation, is_same};

use pgnmill_io::sink::{HAS_XZ, xz};
use pgnmill_state::state;

use crate::tables::compress;

use super::{GameMoves, Studied, notations};

/// A batch is full when it has this much text in SAN.
const BATCH_SAN_BYTES: usize = 1 << 20;
/// The levels of zstd.
const ZSTD_LEVELS: RangeInclusive<i32> = 1..=22;
/// The presets of xz.
const XZ_PRESETS: RangeInclusive<u32> = 0..=9;

/// A compressor at a level. Weaker levels come first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Compressor {
    /// zstd at a level.
    Zstd(i32),
    /// xz with a preset; its dictionary is no longer than the text requires.
    Xz(u32),
}

state!(enum Compressor { 0 => Zstd(level), 1 => Xz(preset) });

impl Compressor {
    /// Reads `zstd:LEVEL`, 1 to 22, or `xz:LEVEL`, 0 to 9, if the program has it.
    pub fn parse(text: &str) -> Option<Compressor> {
        match text.split_once(':')? {
            ("zstd", level) => {
                let level = level.parse().ok().filter(|level| ZSTD_LEVELS.contains(level));
                level.map(Compressor::Zstd)
            }
            ("xz", preset) if HAS_XZ => {
                let preset = preset.parse().ok().filter(|preset| XZ_PRESETS.contains(preset));
                preset.map(Compressor::Xz)
            }
            _ => None,
        }
    }
}

impl Compressor {
    /// A text after it, as long as the sizes of a batch state.
    ///
    /// # Errors
    /// The compressor's own; there is no xz without the feature `containers`.
    pub fn encode(self, text: &[u8]) -> io::Result<Vec<u8>> {
        Encoder::new(self)?.encode(text)
    }
}

impl fmt::Display for Compressor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Compressor::Zstd(level) => write!(f, "zstd:{level}"),
            Compressor::Xz(preset) => write!(f, "xz:{preset}"),
        }
    }
}

/// A compressor with its buffers.
enum Encoder {
    Zstd(Box<bulk::Compressor<'static>>),
    Xz(u32),
}

impl Encoder {
    fn new(compressor: Compressor) -> io::Result<Encoder> {
        Ok(match compressor {
            Compressor::Zstd(level) => Encoder::Zstd(Box::new(bulk::Compressor::new(level)?)),
            Compressor::Xz(preset) => Encoder::Xz(preset),
        })
    }

    /// A compressed text.
    fn encode(&mut self, text: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Encoder::Zstd(encoder) => encoder.compress(text),
            Encoder::Xz(preset) => xz(text, *preset),
        }
    }
}

/// A compressor, and whether it is for the notations of the main job alone: the strongest are slow.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Compression {
    /// The compressor.
    pub compressor: Compressor,
    /// Only the notations of [`MAIN`]?
    pub main_only: bool,
}

impl Compression {
    /// Reads a compressor, with `:main` after it or not.
    pub fn parse(text: &str) -> Option<Compression> {
        let (text, main_only) = match text.strip_suffix(":main") {
            Some(text) => (text, true),
            None => (text, false),
        };
        Some(Compression { compressor: Compressor::parse(text)?, main_only })
    }

    /// Is it requested for this notation?
    fn takes(self, notation: &dyn Notation) -> bool {
        !self.main_only || MAIN.iter().any(|main| is_same(*main, notation))
    }
}

impl fmt::Display for Compression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.compressor, if self.main_only { ":main" } else { "" })
    }
}

/// The sizes of one notation and compressor.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Size {
    plies: u64,
    before: u64,
    after: u64,
}

/// Bytes before and after, by notation and compressor.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sizes(BTreeMap<(usize, Compressor), Size>);

state!(Size { plies, before, after });

state!(Sizes = sizes);

impl Sizes {
    /// Nothing compressed yet, of these notations.
    pub fn new(compressions: &[Compression], studied: Studied) -> Sizes {
        let mut sizes = Sizes::default();
        for (place, notation) in studied.iter() {
            for compression in compressions.iter().filter(|request| request.takes(notation)) {
                sizes.0.insert((place, compression.compressor), Size::default());
            }
        }
        sizes
    }

    /// Adds a row of `compress.csv`: plies, bytes before and after. Returns whether there is such a notation and the
    /// sums fit.
    pub fn add(&mut self, notation: &str, compressor: Compressor, counts: [u64; 3]) -> bool {
        let index = notations().iter().position(|other| other.info().name == notation);
        let Some(index) = index else { return false };
        let size = self.0.entry((index, compressor)).or_default();
        [&mut size.plies, &mut size.before, &mut size.after].into_iter().zip(counts).all(
            |(sum, more)| {
                let together = sum.checked_add(more);
                *sum = together.unwrap_or(*sum);
                together.is_some()
            },
        )
    }

    /// Has the other the same notations and compressors?
    pub fn is_like(&self, other: &Sizes) -> bool {
        self.0.keys().eq(other.0.keys())
    }

    /// Adds other sizes. Returns whether the sums fit.
    pub fn merge(&mut self, other: &Sizes) -> bool {
        other.0.iter().all(|(&(place, compressor), size)| {
            let counts = [size.plies, size.before, size.after];
            self.add(notations()[place].info().name, compressor, counts)
        })
    }
}

/// Games that are compressed together.
#[derive(Debug, Default)]
pub struct Batch {
    games: Vec<GameMoves>,
    san_bytes: usize,
}

state!(Batch { games, san_bytes });

impl Batch {
    /// Adds a game, and returns the batch if it is full then.
    pub fn push(&mut self, game: GameMoves) -> Option<Batch> {
        self.san_bytes += game.san_bytes();
        self.games.push(game);
        if self.san_bytes >= BATCH_SAN_BYTES { self.take() } else { None }
    }

    /// Returns the batch, unless it is empty.
    pub fn take(&mut self) -> Option<Batch> {
        let batch = std::mem::take(self);
        (!batch.games.is_empty()).then_some(batch)
    }

    /// The games.
    pub fn games(&self) -> &[GameMoves] {
        &self.games
    }

    /// Writes the games in every notation that is studied and compresses each text.
    ///
    /// # Errors
    /// A compressor's own.
    pub fn compress(&self, compressions: &[Compression], studied: Studied) -> io::Result<Sizes> {
        let mut sizes = Sizes::new(compressions, studied);
        let mut encoders = Vec::with_capacity(compressions.len());
        for compression in compressions {
            encoders.push(Encoder::new(compression.compressor)?);
        }
        let mut text = Vec::new();
        for (place, notation) in studied.iter() {
            let plies = self.write(notation, &mut text);
            let requests = compressions.iter().zip(&mut encoders);
            for (compression, encoder) in requests.filter(|(request, _)| request.takes(notation)) {
                let after = match text.is_empty() {
                    true => 0,
                    false => encoder.encode(&text)?.len() as u64,
                };
                let size = Size { plies, before: text.len() as u64, after };
                sizes.0.insert((place, compression.compressor), size);
            }
        }
        Ok(sizes)
    }

    /// The text in one notation, without the games that it cannot write; how many plies it has.
    pub(super) fn write(&self, notation: &dyn Notation, text: &mut Vec<u8>) -> u64 {
        text.clear();
        let mut plies = 0;
        for game in &self.games {
            if notation.needs_lineage() && !game.has_history() {
                continue;
            }
            game.replay(|ply| {
                let mut token = MoveText::default();
                notation.encode_ply(ply, &mut token);
                text.extend_from_slice(token.as_bytes());
                text.push(b' ');
            });
            if let Some(last) = text.last_mut() {
                *last = b'\n';
            }
            plies += game.plies_count() as u64;
        }
        plies
    }
}

/// Writes `compress.csv`: bytes before and after, by notation and compressor.
///
/// # Errors
/// Those of the writer.
pub fn write_compress<W: Write>(sizes: &Sizes, out: &mut csv::Writer<W>) -> csv::Result<()> {
    out.write_record(compress::SCHEMA.header())?;
    for ((place, compressor), size) in &sizes.0 {
        out.write_record([
            notations()[*place].info().name,
            &compressor.to_string(),
            &size.plies.to_string(),
            &size.before.to_string(),
            &size.after.to_string(),
        ])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::Position;
    use crate::notation::{self, Check, Ply};

    /// A walk, different for each seed, and its texts.
    fn walk(seed: usize, notation: &dyn Notation) -> (GameMoves, String) {
        let (mut position, mut game) = (Position::initial(), GameMoves::default());
        let mut texts = Vec::new();
        for step in 0..80 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[(step * 7 + seed * 13) % moves.len()];
            let after = position.play(mv);
            game.push(&Ply::new(&position, mv, &after, Check::of(&after)));
            texts.push(notation::write(notation, &position, mv).to_string());
            position = after;
        }
        (game, texts.join(" ") + "\n")
    }

    #[test]
    fn sizes_are_those_of_the_texts_by_hand() {
        let requests = ["zstd:3", "zstd:19:main"].map(|name| Compression::parse(name).unwrap());
        let uci = notation::find("uci").unwrap();
        let (mut batch, mut text, mut plies) = (Batch::default(), String::new(), 0);
        for seed in 0..30 {
            let (game, written) = walk(seed, uci);
            plies += game.plies_count() as u64;
            text.push_str(&written);
            assert!(batch.push(game).is_none());
        }
        let sizes = batch.compress(&requests, Studied::ALL).unwrap();
        let place = notations().iter().position(|other| other.info().name == "uci").unwrap();
        for request in requests {
            let Compressor::Zstd(level) = request.compressor else { panic!("{request}") };
            let after = zstd::bulk::compress(text.as_bytes(), level).unwrap().len() as u64;
            let size = Size { plies, before: text.len() as u64, after };
            assert_eq!(sizes.0[&(place, request.compressor)], size);
        }
        // The strong one for the main notations alone.
        assert_eq!(sizes.0.len(), notations().len() + MAIN.len());
        let few = batch.compress(&requests, Studied::of(["smith", "uci"])).unwrap();
        assert_eq!(few.0.len(), 3);
        assert!(few.0.iter().all(|(key, size)| sizes.0[key] == *size));
        assert!(!few.is_like(&sizes));
        // Reading its rows gives the same sizes.
        let mut read = Sizes::default();
        assert!(read.merge(&sizes) && read.is_like(&sizes));
        assert_eq!(read, sizes);
        let weak = requests[0].compressor;
        assert!(!read.add("none", weak, [0; 3]));
        assert!(!read.add("uci", weak, [u64::MAX; 3]));
        assert_eq!(requests.map(|request| request.to_string()), ["zstd:3", "zstd:19:main"]);
    }

    /// Each compressor has the text of its name, weaker ones first; a level that it has not is none.
    #[test]
    fn compressors_have_names() {
        let all: Vec<String> = (1..=22).map(|level| format!("zstd:{level}")).collect();
        let presets = (0..=9).filter(|_| HAS_XZ).map(|preset| format!("xz:{preset}"));
        let all: Vec<String> = all.into_iter().chain(presets).collect();
        let read: Vec<Compressor> =
            all.iter().map(|name| Compressor::parse(name).unwrap()).collect();
        assert!(read.is_sorted());
        assert!(read.iter().zip(&all).all(|(compressor, name)| compressor.to_string() == *name));
        for odd in
            ["zstd", "zstd:", "zstd:0", "zstd:23", "xz:10", "xz:-1", "xz:", "gzip:1", "3", ""]
        {
            assert_eq!(Compressor::parse(odd), None, "{odd}");
        }
    }

    #[test]
    fn batches_are_cut_by_their_length_in_san() {
        let san = notation::find("san").unwrap();
        let (game, text) = walk(1, san);
        assert_eq!(game.san_bytes(), text.len());
        let games = BATCH_SAN_BYTES.div_ceil(text.len());
        let mut batch = Batch::default();
        assert!((1..games).all(|_| batch.push(game.clone()).is_none()));
        assert_eq!(batch.push(game).unwrap().games.len(), games);
        assert!(batch.take().is_none());
    }
}

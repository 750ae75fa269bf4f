//! What the benches read: the first games of each archive at hand, and what is in them.
//!
//! In: `tests/generated/lichess-sample.pgn.zst`, and the archives of `../shared/corpora/bench` where that folder is. Out:
//! [`Sample`]s of whole games, each also written plain and as zstd frames for the benches that read files. What a
//! sample holds is counted by pgn-reader, which shares no code with this project, and every bench asserts it: one
//! that is fast and wrong fails.

#![allow(dead_code, reason = "each bench uses what it needs")]

use std::fs::{self, File};
use std::io::Read;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use criterion::Throughput;
use pgn_reader::{Reader, SanPlus, Skip, Visitor};
use pgnmill_io::archive::games::Games;
use pgnmill_io::archive::seekable::{Cutter, FrameEncoder, SeekTable};

/// Where archives are looked for; the first is part of the project.
const ARCHIVES: [&str; 5] = [
    "tests/generated/lichess-sample.pgn.zst",
    "../shared/corpora/bench/lichess-plain.pgn.zst",
    "../shared/corpora/bench/lichess-clocks.pgn.zst",
    "../shared/corpora/bench/masters.pgn.zst",
    "../shared/corpora/bench/engines.pgn.zst",
];
/// A sample is about as long. Fewer than a thousand games would flatter: they are learnt by heart.
const SAMPLE_BYTES: u64 = 8 << 20;
/// zstd windows up to here are read, as `pgnmill` does.
const WINDOW_LOG_MAX: u32 = 31;
/// How much text a frame of the zstd file holds, about.
const FRAME_TEXT_BYTES: usize = 1 << 20;

/// The first games of an archive.
#[derive(Debug)]
pub(crate) struct Sample {
    /// The archive's name without its endings.
    pub(crate) name: String,
    /// Whole games, from the beginning of the archive.
    pub(crate) text: Vec<u8>,
    /// How many games.
    pub(crate) games: u64,
    /// How many moves, variations included.
    pub(crate) plies: u64,
}

impl Sample {
    /// What one pass over the sample takes in.
    pub(crate) fn throughput(&self) -> Throughput {
        Throughput::ElementsAndBytes { elements: self.plies, bytes: self.text.len() as u64 }
    }

    /// The sample as a plain file.
    pub(crate) fn plain(&self) -> PathBuf {
        let path = self.path("pgn");
        fs::write(&path, &self.text).expect("the target folder can be written");
        path
    }

    /// The sample as a zstd file of several frames.
    pub(crate) fn frames(&self) -> PathBuf {
        let ends: Vec<u64> =
            Games::new(&self.text).map(|(at, text)| (at + text.len()) as u64).collect();
        let mut cutter = Cutter::with_sizes(FRAME_TEXT_BYTES, 2 * FRAME_TEXT_BYTES);
        let mut cuts = Vec::new();
        cutter.push(self.text.clone(), &ends, &mut cuts);
        cuts.extend(cutter.finish());
        let (mut encoder, mut table, mut file) =
            (FrameEncoder::new(3).expect("level 3 is one"), SeekTable::new(), Vec::new());
        for slices in cuts {
            let frame = encoder.encode(&slices).expect("a frame of a sample fits in memory");
            table.push(&frame);
            file.extend_from_slice(&frame.stored);
        }
        file.extend_from_slice(&table.to_bytes());
        let path = self.path("pgn.zst");
        fs::write(&path, &file).expect("the target folder can be written");
        path
    }

    fn path(&self, ending: &str) -> PathBuf {
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sample-{}.{ending}", self.name))
    }
}

/// The samples of all archives that are there.
///
/// # Panics
/// If none is there, or one cannot be read.
#[allow(clippy::print_stderr, reason = "reports a skipped sample")]
pub(crate) fn all() -> Vec<Sample> {
    let mut samples = Vec::new();
    for archive in ARCHIVES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(archive);
        if path.is_file() {
            samples.push(read(&path));
        } else {
            eprintln!("skipped: {archive} is not there");
        }
    }
    assert!(!samples.is_empty(), "data/ is part of the project");
    samples
}

fn read(path: &Path) -> Sample {
    let file = File::open(path).expect("an archive that is there opens");
    let mut decoder = zstd::Decoder::new(file).expect("an archive is zstd");
    decoder.window_log_max(WINDOW_LOG_MAX).expect("the greatest window is allowed");
    let mut text = Vec::new();
    decoder.take(SAMPLE_BYTES).read_to_end(&mut text).expect("an archive decodes");
    if text.len() as u64 == SAMPLE_BYTES {
        // The last game is cut.
        let last = Games::new(&text).last().map_or(0, |(at, _)| at);
        text.truncate(last);
    }
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let name = name.split('.').next().unwrap_or_default().to_string();
    let (games, plies) = count(&text);
    Sample { name, text, games, plies }
}

/// Games and moves, as pgn-reader counts them.
fn count(text: &[u8]) -> (u64, u64) {
    let mut reader = Reader::new(text);
    let (mut games, mut plies) = (0, 0);
    while let Some(moves) = reader.read_game(&mut Moves).expect("memory can be read") {
        games += 1;
        plies += moves;
    }
    (games, plies)
}

/// Counts the moves of a game, variations included.
struct Moves;

impl Visitor for Moves {
    type Tags = ();
    type Movetext = u64;
    type Output = u64;

    fn begin_tags(&mut self) -> ControlFlow<u64> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, _: ()) -> ControlFlow<u64, u64> {
        ControlFlow::Continue(0)
    }

    fn san(&mut self, moves: &mut u64, _: SanPlus) -> ControlFlow<u64> {
        *moves += 1;
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut u64) -> ControlFlow<u64, Skip> {
        ControlFlow::Continue(Skip(false))
    }

    fn end_game(&mut self, moves: u64) -> u64 {
        moves
    }
}

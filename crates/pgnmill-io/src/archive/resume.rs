//! Positions: where the reading of an archive can go on later, in another process.
//!
//! In: a job that was taken, and the seams after it. Out: a [`Position`], and the archive from there on. Law: the
//! blocks up to a position and those from there on, joined, are the blocks of the archive (tests below).
//!
//! | plan | position | what is read again |
//! |---|---|---|
//! | ranges of a map | the end of a range | nothing |
//! | frames of a map | the end of a batch of frames, and the text that the seams hold | nothing |
//! | one decoder over a map | where it begins, and the text that it has returned | the text before is decoded again |
//!
//! There is no position in what cannot be opened again or was not mapped, in a stream that skips damage, and within a
//! game that is too long to hold. Cost: a copy of the text that the seams hold, a game or two.

use std::sync::Arc;

use super::jobs::{self, Plan};
pub use super::place::Place;
use pgnmill_state::state;

use super::seams::SeamsState;
use super::{Archive, Kind};
use crate::error::{Error, Result};

/// A position between two jobs of an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    pub(super) place: Place,
    pub(super) seams: SeamsState,
}
state!(Position { place, seams });

impl Archive {
    /// Reads from this position on; the bytes of the archive must be those of the run that saved it.
    ///
    /// # Errors
    /// An archive that is not read in the manner of the position.
    pub fn go_to(&mut self, position: &Position) -> Result<()> {
        let other = || Error::usage(format!("{} is not read as it was before", self.name));
        let map = self.watch.map.clone().ok_or_else(other)?;
        let within = |at: u64| usize::try_from(at).ok().filter(|&at| at <= map.len());
        let plan = match (position.place, self.kind) {
            (Place::Range(at), Kind::Plain) => {
                within(at).map(|at| Plan::Ranges(Arc::clone(&map), at))
            }
            // Of lines, which are read in order.
            (Place::Stream { begin, text, .. }, Kind::Plain) => {
                within(begin.saturating_add(text)).map(|at| Plan::Ranges(Arc::clone(&map), at))
            }
            (Place::Frames(at), Kind::ZstdFrames) => {
                within(at).map(|at| Plan::Frames(Arc::clone(&map), at))
            }
            (Place::Stream { begin, text, stored }, Kind::ZstdFrames | Kind::Stream { .. }) => {
                let begin = within(begin).ok_or_else(other)?;
                let stream = jobs::stream_from(Arc::clone(&map), begin, &self.path, &self.options)?;
                Some(Plan::Stream(Box::new(stream.after(text, stored))))
            }
            _ => None,
        };
        self.plan = plan.ok_or_else(other)?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::archive::{Block, Buffers, Damage, Driver, Handler, Input, OwnedBlock, Part};
    use crate::archive::{Options, games::Games};
    use pgnmill_state::{Loader, State};
    use std::fs;
    use std::io::Write;
    use std::path::{Path, PathBuf};

    /// The blocks so far, and the numbers of the damaged frames.
    #[derive(Default)]
    struct Read(Vec<OwnedBlock>, Vec<u64>);

    impl Handler<Vec<OwnedBlock>> for Read {
        fn interior(&mut self, base: u64, interior: Vec<OwnedBlock>) -> Result<()> {
            let absolute = |block: OwnedBlock| OwnedBlock { offset: base + block.offset, ..block };
            self.0.extend(interior.into_iter().map(absolute));
            Ok(())
        }

        fn seam(&mut self, block: Block<'_>) -> Result<()> {
            self.0.push(block.into());
            Ok(())
        }

        fn damage(&mut self, _: u64, damage: &Damage) -> Result<()> {
            self.1.push(damage.frame);
            Ok(())
        }
    }

    /// The text, and the offset and text of each game; pieces of a long game are joined.
    type Found = (Vec<u8>, Vec<(u64, Vec<u8>)>);

    fn found(blocks: &[OwnedBlock]) -> Found {
        let (mut text, mut games) = (Vec::new(), Vec::<(u64, Vec<u8>)>::new());
        for OwnedBlock { text: block, offset, part } in blocks {
            assert_eq!(text.len() as u64, *offset);
            text.extend_from_slice(block);
            match part {
                Part::Games | Part::Cut => games.extend(
                    Games::new(block).map(|(at, game)| (offset + at as u64, game.to_vec())),
                ),
                Part::OversizeRest => games.last_mut().unwrap().1.extend_from_slice(block),
                _ => games.push((*offset, block.clone())),
            }
        }
        (text, games)
    }

    /// Blocks, damaged frames and stored bytes before a position, and the position.
    type Saved = (usize, usize, u64, Vec<u8>);

    /// What there is from a position on, and the positions after each job with what is before them and the stored bytes
    /// so far.
    fn read(path: &Path, options: &Options, from: Option<&Position>) -> (Read, Vec<Saved>, u64) {
        let mut archive = Archive::open(&Input::Path(path.to_path_buf()), options).unwrap();
        let mut driver = match from {
            None => Driver::new(&archive),
            Some(position) => {
                archive.go_to(position).unwrap();
                Driver::at(&archive, position.clone())
            }
        };
        let (mut all, mut positions, mut stored) = (Read::default(), Vec::new(), 0);
        let mut buffers = Buffers::default();
        for job in archive.jobs() {
            let job = job.unwrap();
            let next = job.next();
            stored += job.stored_bytes();
            let mut interior = Vec::new();
            let outcome = job.run(&mut buffers, &mut |block| {
                interior.push(block.into());
                Ok(())
            });
            driver.job(outcome, interior, &mut all).unwrap();
            if let Some(position) = driver.position(next) {
                let mut bytes = Vec::new();
                position.save(&mut bytes);
                positions.push((all.0.len(), all.1.len(), stored, bytes));
            }
        }
        driver.finish(&mut all).unwrap();
        (all, positions, stored)
    }

    /// Reads on from every position, and returns how many there are.
    fn every_position(path: &Path, options: &Options) -> usize {
        let (all, positions, stored) = read(path, options, None);
        let expected = found(&all.0);
        for (blocks, damages, stored_before, bytes) in &positions {
            let position: Position = Loader::new(bytes).value().unwrap();
            let (rest, _, stored_after) = read(path, options, Some(&position));
            let joined = [&all.0[..*blocks], &rest.0[..]].concat();
            assert!(found(&joined) == expected, "{position:?} of {}", path.display());
            assert_eq!([&all.1[..*damages], &rest.1[..]].concat(), all.1, "{position:?}");
            assert_eq!(stored_before + stored_after, stored, "{position:?}");
        }
        positions.len()
    }

    fn text() -> Vec<u8> {
        let mut text = b"% a comment\n\n".to_vec();
        for number in 0..60_usize {
            let moves =
                "1. e4 e5 {a [Event \"x\"]\n} ".repeat(number % 7 + usize::from(number == 30) * 60);
            let end = if number % 3 == 0 { "\r\n\r\n" } else { "\n\n" };
            text.extend(format!("[Event \"{number}\"]\n[Site \"?\"]\n\n{moves}*{end}").bytes());
            if number == 45 {
                // Too long to be one game.
                text.extend("1. d4 d5 {b} 1/2-1/2\n1. c4 *\r\n".repeat(40).bytes());
            }
        }
        text
    }

    fn file(name: &str, stored: &[u8]) -> PathBuf {
        let path =
            std::env::temp_dir().join(format!("pgnmill-resume-{name}-{}", std::process::id()));
        fs::write(&path, stored).unwrap();
        path
    }

    /// Plain text, one frame, frames that divide the text anywhere, and small frames before a long one; blocks, ranges
    /// and batches of several sizes; a game that is too long.
    #[test]
    fn an_archive_is_read_on_from_every_position() {
        let text = text();
        let frame = |text: &[u8]| zstd::encode_all(text, 1).unwrap();
        let frames = |len: usize| text.chunks(len).flat_map(frame).collect::<Vec<u8>>();
        let mixed = [frames(700)[..].to_vec(), frame(&text), frame(&text[13..])].concat();
        let archives = [
            ("plain", text.clone()),
            ("one", frame(&text)),
            ("frames", frames(311)),
            ("tiny", frames(37)),
            ("mixed", mixed),
            ("bare", b"1. e4 e5 1-0\n".repeat(90)),
            ("bare frames", b"1. e4 e5 1-0\n".repeat(90).chunks(50).flat_map(frame).collect()),
        ];
        for (name, stored) in archives {
            let path = file(name, &stored);
            for (bytes, game_bytes_max) in [(150, 1 << 20), (400, 1 << 20), (90, 700)] {
                let options = Options {
                    block_bytes: bytes,
                    range_bytes: bytes,
                    batch_stored_bytes: bytes,
                    frame_stored_bytes_max: 600,
                    game_bytes_max,
                    ..Options::default()
                };
                let positions = every_position(&path, &options);
                let positions_min = if name.starts_with("bare") { 0 } else { 4 };
                assert!(positions >= positions_min, "{name}: {positions}");
            }
            fs::remove_file(&path).unwrap();
        }
    }

    fn with_checksum(text: &[u8]) -> Vec<u8> {
        let mut encoder = zstd::stream::Encoder::new(Vec::new(), 1).unwrap();
        encoder.include_checksum(true).unwrap();
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    /// A damaged frame has its number in the archive wherever the reading began.
    #[test]
    fn damage_has_the_number_of_its_frame_from_every_position() {
        let frames: Vec<Vec<u8>> = text().chunks(311).map(with_checksum).collect();
        let mut stored = Vec::new();
        for (number, frame) in frames.iter().enumerate() {
            let start = stored.len();
            stored.extend_from_slice(frame);
            if [4, 17, 18].contains(&number) {
                stored[start + frame.len() / 2] ^= 0x5a;
                stored[start + frame.len() / 2 + 1] ^= 0xa5;
            }
        }
        let path = file("damaged", &stored);
        for bytes in [90, 400, 1_000] {
            let options = Options {
                block_bytes: bytes,
                batch_stored_bytes: bytes,
                skip_damaged: true,
                ..Options::default()
            };
            let numbers = read(&path, &options, None).0.1;
            assert_eq!(numbers, [5, 18, 19], "{bytes}");
            assert!(every_position(&path, &options) > 1, "{bytes}");
        }
        fs::remove_file(&path).unwrap();
    }

    #[test]
    fn a_position_of_another_file_is_an_error() {
        let path = file("other", &text());
        let options = Options { range_bytes: 500, ..Options::default() };
        let (_, positions, _) = read(&path, &options, None);
        let position: Position = Loader::new(&positions[2].3).value().unwrap();
        fs::write(&path, b"*\n").unwrap();
        let mut archive = Archive::open(&Input::Path(path.clone()), &options).unwrap();
        assert!(archive.go_to(&position).is_err());
        fs::remove_file(&path).unwrap();
    }
}

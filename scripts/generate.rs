//! Makes the archive of generated games on which the tests, the benches and the README run.
//!
//! In: a number of games and a seed. Out: PGN in the Lichess export format, the same bytes on every
//! machine. Moves are chosen by a player that searches one ply ([`player`]), after common openings
//! ([`book`]); results, clocks, ratings and evaluations fit the moves. Nothing in it is a record of a real game: sites are
//! at `example.org`, names are made of syllables. The rules of chess are the library's.
//!
//! ```text
//! cargo run --release --example generate -- OUTPUT [GAMES [SEED]]
//! ```
//!
//! An output that ends in `.zst` is written as by pzstd: frames of [`FRAME_TEXT_BYTES`] of text that do not end at
//! games, each after a skippable frame of 12 bytes with its length.

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::Path;

use pgnmill_core::pgn::Outcome;

#[path = "generate/book.rs"]
mod book;
#[path = "generate/chance.rs"]
mod chance;
#[path = "generate/clock.rs"]
mod clock;
#[path = "generate/export.rs"]
mod export;
#[path = "generate/game.rs"]
mod game;
#[path = "generate/people.rs"]
mod people;
#[path = "generate/player.rs"]
mod player;
#[path = "generate/worth.rs"]
mod worth;

use book::Book;
use chance::Chance;
use clock::{CONTROLS, Control};
use export::{Labels, export, result, termination};
use people::People;

/// Games of the archive in `data/`.
pub(crate) const GAMES: usize = 10_000;
/// The seed of the archive in `data/`.
pub(crate) const SEED: u64 = 19_970_511;
/// Bytes of text in a frame.
pub(crate) const FRAME_TEXT_BYTES: usize = 4 << 20;
/// The compression level of the Lichess archives.
const LEVEL: i32 = 19;
/// Games in a thousand that were analysed.
const ANALYSED: u64 = 80;
/// Games in a thousand that belong to a tournament.
const IN_TOURNAMENT: u64 = 200;

/// The games, one after the other: an endless archive.
#[derive(Debug)]
pub(crate) struct Generator {
    chance: Chance,
    book: Book,
    people: People,
    tournaments: Vec<(Control, String)>,
    /// Seconds since the first day began.
    time: u64,
}

impl Generator {
    /// The archive of a seed.
    pub(crate) fn new(seed: u64) -> Generator {
        let mut chance = Chance::new(seed);
        let people = People::invent(&mut chance);
        let tournaments = (0..32).map(|_| (control(&mut chance), chance.word(8))).collect();
        Generator { chance, book: Book::open(), people, tournaments, time: 0 }
    }
}

fn control(chance: &mut Chance) -> Control {
    let index = chance.weighted(CONTROLS.iter().map(|control| control.0));
    Control { base: CONTROLS[index].1, increment: CONTROLS[index].2 }
}

impl Iterator for Generator {
    type Item = String;

    fn next(&mut self) -> Option<String> {
        let chance = &mut self.chance;
        self.time += chance.below(17);
        let (control, event) = if chance.per_mille(IN_TOURNAMENT) {
            let (control, id) = chance.one_of(&self.tournaments);
            let place = format!("tournament https://example.org/tournament/{id}");
            (*control, format!("Rated {} {place}", control.speed()))
        } else {
            let control = control(chance);
            (control, format!("Rated {} game", control.speed()))
        };
        let pair = self.people.pair(chance);
        let ratings = pair.map(|index| self.people.get(index).rating);
        let site = format!("https://example.org/{}", chance.word(8));
        // One stream per game, so that a change of the play does not change the players.
        let mut own = Chance::new(chance.number());
        let played = game::play(self.book.choose(chance), ratings, control, &mut own);
        let points = match played.outcome {
            Outcome::WhiteWins => 2,
            Outcome::BlackWins => 0,
            Outcome::Draw | Outcome::Unknown => 1,
        };
        let differences = self.people.settle(pair, points);
        let people = pair.map(|index| self.people.get(index));
        let day = format!("2025.03.{:02}", 1 + self.time / 86_400 % 31);
        let (hour, minute, second) = (self.time / 3600 % 24, self.time / 60 % 60, self.time % 60);
        let opening = self.book.name(&played.moves).map(|opening| (opening.eco, opening.name));
        let (eco, opening) = opening.unwrap_or(("?", "?"));
        let mut tags = vec![
            ("Event", event),
            ("Site", site),
            ("Date", day.clone()),
            ("Round", "-".to_string()),
            ("White", people[0].name.clone()),
            ("Black", people[1].name.clone()),
            ("Result", result(played.outcome).to_string()),
            ("UTCDate", day),
            ("UTCTime", format!("{hour:02}:{minute:02}:{second:02}")),
            ("WhiteElo", ratings[0].to_string()),
            ("BlackElo", ratings[1].to_string()),
            ("WhiteRatingDiff", format!("{:+}", differences[0])),
            ("BlackRatingDiff", format!("{:+}", differences[1])),
        ];
        for (name, person) in ["WhiteTitle", "BlackTitle"].into_iter().zip(people) {
            tags.extend(person.title.map(|title| (name, title.to_string())));
        }
        tags.extend([
            ("ECO", eco.to_string()),
            ("Opening", opening.to_string()),
            ("TimeControl", control.tag()),
            ("Termination", termination(played.termination).to_string()),
        ]);
        let evals = self.chance.per_mille(ANALYSED);
        Some(export(&played, &Labels { tags, clocks: control.base > 0, evals }))
    }
}

/// Text as pzstd stores it.
pub(crate) fn store(text: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut stored = Vec::new();
    for piece in text.chunks(FRAME_TEXT_BYTES) {
        let mut encoder = zstd::stream::Encoder::new(Vec::new(), LEVEL)?;
        encoder.include_checksum(true)?;
        encoder.write_all(piece)?;
        let frame = encoder.finish()?;
        // pzstd, SkippableFrame.h: magic, the length of what follows, the length of the next frame.
        stored.extend_from_slice(&0x184D_2A50_u32.to_le_bytes());
        stored.extend_from_slice(&4_u32.to_le_bytes());
        stored.extend_from_slice(&(frame.len() as u32).to_le_bytes());
        stored.extend_from_slice(&frame);
    }
    Ok(stored)
}

/// Writes an archive.
pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let output = args.next().ok_or("usage: generate OUTPUT [GAMES [SEED]]")?;
    let games = args.next().map_or(Ok(GAMES), |games| games.parse())?;
    let seed = args.next().map_or(Ok(SEED), |seed| seed.parse())?;
    let text: String = Generator::new(seed).take(games).collect();
    let compressed = Path::new(&output).extension().is_some_and(|ending| ending == "zst");
    let stored = if compressed { store(text.as_bytes())? } else { text.into_bytes() };
    fs::write(output, stored)?;
    Ok(())
}

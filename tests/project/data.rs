//! The files of `data/` are as `data/README.md` states: made by the generator, canonical, and like chess.

use std::collections::HashSet;

use crate::common::{SAMPLE, SOURCES, errors_of, here, pgnmill, text_of, trials};
use pgnmill_core::notation::{Check, Notation, Ply};
use pgnmill_core::pgn::deviation::Profile;
use pgnmill_core::replay::{Game, History, ReplayVisitor, Replayer, TagSection, Verdict};
use pgnmill_io::archive::games::Games;
use pgnmill_needs::needs;

mod crazyhouse;
#[allow(dead_code, reason = "the program's own entry is not used here")]
#[path = "../../scripts/generate.rs"]
mod generate;

/// Games of another ruleset, which do not name it.
const CRAZYHOUSE: &str = "data/crazyhouse.txt";

/// What the games have in them.
#[derive(Debug, Default)]
struct Events {
    plies: u64,
    captures: u64,
    castlings: u64,
    promotions: HashSet<Option<pgnmill_core::chess::Role>>,
    en_passant: u64,
    mates: u64,
    stalemates: u64,
    over: Option<bool>,
    worst: Option<Verdict>,
}

impl ReplayVisitor for Events {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {}

    fn ply(&mut self, _: &[u8], _: std::ops::Range<usize>, ply: &Ply<'_>, _: usize) {
        self.plies += 1;
        self.captures += u64::from(ply.is_capture());
        self.castlings += u64::from(ply.mv().castling_side().is_some());
        self.en_passant += u64::from(ply.mv().kind() == pgnmill_core::chess::MoveKind::EnPassant);
        self.promotions.insert(ply.mv().promoted());
        self.over = (!ply.after().has_legal_move()).then_some(ply.check() == Check::Mate);
    }

    fn end(&mut self, _: &[u8], game: &Game<'_>) {
        match self.over.take() {
            Some(true) => self.mates += 1,
            Some(false) => self.stalemates += 1,
            None => {}
        }
        if game.verdict != Verdict::Accepted {
            self.worst = Some(game.verdict);
        }
    }

    fn between(&mut self, _: &[u8], _: std::ops::Range<usize>) {}
}

#[test]
fn the_generator_reproduces_the_beginning_of_the_sample() {
    let text = text_of(&here(SAMPLE));
    let games_count = trials(7, 15, 5_000);
    let generated: String = generate::Generator::new(generate::SEED).take(games_count).collect();
    assert!(generated.len() > games_count * 1_000, "{}", generated.len());
    if let Some(at) = generated.bytes().zip(&text).position(|(new, &old)| new != old) {
        let (old, new) = (&text[at..at + 40], &generated.as_bytes()[at..at + 40]);
        panic!("at byte {at}: {:?} in data/, {:?} anew", old.escape_ascii(), new.escape_ascii());
    }
}

#[test]
fn the_sample_is_stored_as_pzstd_stores_it() {
    let stored = std::fs::read(here(SAMPLE)).unwrap();
    assert!(stored.len() < 6_000_000, "{}", stored.len());
    let text = text_of(&here(SAMPLE));
    let (mut at, mut frames) = (0, 0);
    while at < stored.len() {
        assert_eq!(stored[at..at + 8], *b"\x50\x2a\x4d\x18\x04\0\0\0", "a skippable frame at {at}");
        let length = u32::from_le_bytes(stored[at + 8..at + 12].try_into().unwrap()) as usize;
        let frame = &stored[at + 12..at + 12 + length];
        assert_eq!(zstd::zstd_safe::find_frame_compressed_size(frame), Ok(length));
        assert_eq!(zstd::zstd_safe::get_frame_content_size(frame).ok().flatten(), None);
        at += 12 + length;
        frames += 1;
    }
    assert_eq!(frames, text.len().div_ceil(generate::FRAME_TEXT_BYTES));
    assert!(frames > 4, "{frames} frames");
}

#[test]
fn every_game_of_the_sample_is_canonical_chess() {
    let text = text_of(&here(SAMPLE));
    let profile = Profile::strict();
    let mut replayer = Replayer::new(&profile, None, History::Ignored);
    let mut events = Events::default();
    for (_, game) in Games::new(&text) {
        replayer.replay(game, &mut events);
    }
    let counts = &replayer.counts;
    assert_eq!(counts.accepted, generate::GAMES as u64);
    assert_eq!((counts.repaired, counts.rejected, counts.between_bytes), (0, 0, 0));
    assert_eq!(events.worst, None);
    assert!(counts.deviations.iter().all(|&number| number == 0), "nothing to note either");

    // Like chess: everything that can happen does. (Stalemate is rarer than among people: 10 games.)
    let Events { plies, captures, castlings, en_passant, mates, stalemates, .. } = events;
    let games = counts.accepted;
    assert!((50..120).contains(&(plies / games)), "{plies} plies");
    assert!((10..40).contains(&(100 * captures / plies)), "{captures} captures");
    assert!(castlings > games / 2, "{castlings} castlings");
    assert!(en_passant > 100, "{en_passant} captures en passant");
    assert!(mates > games / 20 && mates < games / 2, "{mates} mates");
    assert!(stalemates > 0, "no stalemate");
    assert_eq!(events.promotions.len(), 5, "none, queen, rook, bishop, knight");
}

#[test]
fn the_games_of_the_sources_are_as_printed() {
    let text = String::from_utf8(text_of(&here(SOURCES))).unwrap();
    let profile = Profile::strict();
    let mut replayer = Replayer::new(&profile, None, History::Ignored);
    replayer.replay(text.as_bytes(), &mut Events::default());
    assert_eq!((replayer.counts.accepted, replayer.counts.games()), (3, 3));
    assert_eq!(replayer.counts.plies, 45 + 37 + 123);
}

/// Written by this test, if `PGNMILL_WRITE_DOCS` is set.
#[test]
fn the_games_of_crazyhouse_are_those_of_random_play() {
    let games = crazyhouse::games();
    let path = here(CRAZYHOUSE);
    if std::env::var_os("PGNMILL_WRITE_DOCS").is_some() {
        std::fs::write(&path, &games).unwrap();
    }
    assert!(std::fs::read_to_string(path).unwrap() == games, "{CRAZYHOUSE} has other games");
    assert!(["@", "+", "#", "="].iter().all(|sign| games.contains(sign)));
    let run = |rules: &[&str]| {
        let args = ["validate", "--strict", "--summary", "-", "--quiet"];
        pgnmill().args(args).args(rules).arg(here(CRAZYHOUSE)).output().unwrap()
    };
    let (ours, chess) = (run(&["--rules", "crazyhouse"]), run(&[]));
    assert_eq!(ours.status.code(), Some(0), "{}", errors_of(&ours));
    let accepted = format!("accepted,{}\n", crazyhouse::GAMES);
    assert!(String::from_utf8_lossy(&ours.stdout).contains(&accepted));
    assert_eq!(chess.status.code(), Some(1), "{}", errors_of(&chess));
}

/// The game that the source documents print in SAN, word for word.
#[needs("../shared/sources")]
#[test]
fn the_game_printed_in_san_is_in_the_documents() {
    let text = String::from_utf8(text_of(&here(SOURCES))).unwrap();
    let entries = std::fs::read_dir(here("../shared/sources")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let documents: Vec<String> = paths.map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let words = text.rsplit("\n\n1. ").next().unwrap().split_whitespace();
    let printed = format!("1. {}", words.collect::<Vec<_>>().join(" "));
    assert!(documents.iter().any(|document| document.contains(&printed)), "{printed}");
}

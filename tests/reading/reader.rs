//! The library's reader: what it lends is what a run over the archive counts, and what the replay delivered.
//!
//! Laws, over the vendored archives and those of ../shared/corpora where they exist, as plain text, as one zstd frame
//! and as many: the games that are lent, in order, are those of the replay with the same verdicts, offsets and texts;
//! the moves with their positions, comments, glyphs and variations that are made again from a game's record are those
//! that the replay delivered; a parallel visitor gets the same, whatever the number of threads.

#![allow(clippy::print_stdout, reason = "what is left out is said")]

use std::ops::Range;

use crate::common::{SAMPLE, SOURCES, corpus, here, text_of, trials};
use pgnmill::{ErrorKind, Event, Game, PlayedMove, Reader, Visitor};
use pgnmill_core::notation::{NOTATIONS, Notation, OtherPly, Ply, find};
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_core::replay::{self, History, ReplayVisitor, Replayer, TagSection, Verdict};
use pgnmill_io::archive::games::Games as GameTexts;
use pgnmill_io::archive::{Archive, Options};
use pgnmill_laws::dice::Dice;
use pgnmill_laws::scratch::Scratch;
use pgnmill_laws::support::{ledger_of, to_san};

/// A game as one of the two delivers it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Seen {
    offset: u64,
    bytes: usize,
    verdict: Option<Verdict>,
    /// FEN before the move, the move, FEN after it, its text, its depth.
    plies: Vec<(String, String, String, Vec<u8>, usize)>,
}

/// Takes what the replay delivers.
#[derive(Default)]
struct Delivered {
    start: usize,
    game: Seen,
    games: Vec<Seen>,
}

impl ReplayVisitor for Delivered {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {
        self.game.plies.clear();
    }

    fn ply(&mut self, text: &[u8], place: Range<usize>, ply: &Ply<'_>, depth: usize) {
        self.game.plies.push((
            ply.before().to_fen(),
            format!("{:?}", ply.mv()),
            ply.after().to_fen(),
            text[place].to_vec(),
            depth,
        ));
    }

    /// The board of a variant; the moves of Chess 99 are refused.
    fn other_ply(
        &mut self,
        text: &[u8],
        place: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        let OtherPly::Variant(ply) = ply else { return Err(Deviation::NotationNotForBoard) };
        self.game.plies.push((
            ply.before().board().to_fen(),
            format!("{:?}", ply.mv()),
            ply.after().board().to_fen(),
            text[place].to_vec(),
            depth,
        ));
        Ok(())
    }

    fn end(&mut self, _: &[u8], game: &replay::Game<'_>) {
        let mut seen = std::mem::take(&mut self.game);
        seen.offset = (self.start + game.span.start) as u64;
        seen.bytes = game.span.len();
        seen.verdict = Some(game.verdict);
        self.games.push(seen);
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

fn delivered(text: &[u8]) -> Vec<Seen> {
    let profile = Profile::lenient();
    let mut replayer = Replayer::new(&profile, None, History::Ignored);
    let mut delivered = Delivered::default();
    for (start, game) in GameTexts::new(text) {
        delivered.start = start;
        replayer.replay(game, &mut delivered);
    }
    delivered.games
}

fn ply_of(ply: &PlayedMove<'_>) -> (String, String, String, Vec<u8>, usize) {
    let (before, after) = (ply.before.to_fen(), ply.after.to_fen());
    assert_eq!(ply.is_white(), before.contains(" w "), "{before}");
    (before, format!("{:?}", ply.mv), after, ply.text.to_vec(), ply.depth)
}

fn lent(game: &Game<'_>) -> Seen {
    let plies = game.events().filter_map(|event| match event {
        Event::Ply(ply) => Some(ply_of(&ply)),
        _ => None,
    });
    let (offset, bytes) = (game.offset(), game.text().len());
    Seen { offset, bytes, verdict: Some(game.verdict()), plies: plies.collect() }
}

fn options() -> Options {
    Options { block_bytes: 4_096, range_bytes: 16_384, ..Options::default() }
}

/// The archive as plain text, as one frame, and as frames that are cut anywhere.
fn containers(text: &[u8]) -> Vec<Vec<u8>> {
    let one = zstd::encode_all(text, 1).expect("memory");
    let many = text.chunks(10_007).flat_map(|part| zstd::encode_all(part, 1).expect("memory"));
    vec![text.to_vec(), one, many.collect()]
}

/// Visits everything, rejected games too.
#[derive(Default)]
struct Everything {
    games: Vec<Seen>,
    game: Seen,
}

impl Visitor for Everything {
    fn game_start(&mut self, game: &Game<'_>) -> bool {
        self.game = Seen { offset: game.offset(), ..Seen::default() };
        true
    }

    fn ply(&mut self, ply: &PlayedMove<'_>) {
        self.game.plies.push(ply_of(ply));
    }

    fn game_end(&mut self, game: &Game<'_>) {
        self.game.verdict = Some(game.verdict());
        self.game.bytes = game.text().len();
        self.games.push(std::mem::take(&mut self.game));
    }
}

/// Holds the laws for one text.
fn check(name: &str, text: &[u8]) {
    let expected = delivered(text);
    let folder = Scratch::new();
    for (container, stored) in containers(text).iter().enumerate() {
        let input = folder.put(&format!("{container}"), stored);
        let open = || Archive::open(&input, &options()).expect("an archive");
        let mut games = Reader::of(open()).games();
        let mut count = 0;
        while let Some(game) = games.next().expect("it is read to its end") {
            assert_eq!(lent(&game), expected[count], "{name}, container {container}, {count}");
            count += 1;
            assert_eq!(game.number(), count as u64);
            assert_eq!(game.fault().is_some(), game.verdict() == Verdict::Rejected);
        }
        assert_eq!(count, expected.len(), "{name}, container {container}");
        let ledger = ledger_of(&to_san(pgnmill_core::engine::Rejects::Dropped), stored);
        let counts = games.counts();
        let verdicts = (counts.accepted, counts.repaired, counts.rejected);
        // Games of Chess 99 have no texts in SAN, so that their conversion rejects them.
        if !name.contains("chess99") {
            assert_eq!(verdicts, ledger.verdicts(), "{name}, container {container}");
        }
        for threads in [1, 2, 7] {
            let mut found = Vec::new();
            let reader = Reader::of(open()).threads(threads);
            let totals = reader.par_visit(Everything::default, |base, part| {
                found.extend(
                    part.games
                        .into_iter()
                        .map(|game| Seen { offset: game.offset + base.offset, ..game }),
                );
            });
            assert!(found == expected, "{name}, container {container}, {threads} threads");
            assert_eq!(totals.expect("as before").counts.games(), count as u64);
        }
    }
}

#[test]
fn games_and_moves_are_those_of_the_replay() {
    let mut text = text_of(&here(SOURCES));
    text.extend_from_slice(b"\n\n");
    text.extend_from_slice(&text_of(&here(SAMPLE))[..100_000]);
    check("vendored archives", &text);
    check("nothing", b"");
    check("no game", b"some prose\n\nand more\n");
    let mut checked = 0;
    let folders = ["annotated", "variants", "lichess", "pathological"];
    for path in folders.into_iter().flat_map(corpus).step_by(trials(9, 2, 1)) {
        let text = text_of(&path);
        if text.len() < 300_000 {
            check(&path.display().to_string(), &text);
            checked += 1;
        }
    }
    println!("{checked} archives of ../shared/corpora");
}

/// What is in a game, move by move and between the moves.
fn events_of(game: &Game<'_>) -> Vec<String> {
    let shown = |event: Event<'_>| match event {
        Event::Ply(ply) => format!("{:?}", ply_of(&ply)),
        other => format!("{other:?}"),
    };
    game.events().map(shown).collect()
}

/// A visitor gets every event of each game that the reader lends, null moves and what is between moves too.
#[test]
fn visitors_get_the_events_of_the_reader() {
    #[derive(Default)]
    struct Events(Vec<Vec<String>>);
    impl Visitor for Events {
        fn game_start(&mut self, _: &Game<'_>) -> bool {
            true
        }

        fn game_end(&mut self, game: &Game<'_>) {
            self.0.push(events_of(game));
        }
    }
    const BETWEEN: &[&str] =
        &["", "{a} ", "-- ", "$5 ", "(-- d5) ", "(Nc3 {b} -- (-- -- $1)) ", "; c\n", "! ", "Z0 "];
    let mut dice = Dice::new(0x35);
    let mut text = String::new();
    for _ in 0..500 {
        text += "[Event \"a\"]\n\n";
        for mv in ["Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "] {
            text += mv;
            (0..dice.below(3)).for_each(|_| text += dice.one(BETWEEN));
        }
        text += "*\n\n";
    }
    let mut profile = Profile::lenient();
    assert!(profile.allow(Deviation::NullMoveMainLine));
    let open = || {
        let text = std::io::Cursor::new(text.clone());
        Reader::from_reader("text", text).expect("text").profile(profile.clone())
    };
    let (mut expected, mut games) = (Vec::new(), open().games());
    while let Some(game) = games.next().expect("text") {
        expected.push(events_of(&game));
    }
    let nulls = expected.iter().flatten().filter(|event| event.as_str() == "NullMove").count();
    assert!(expected.len() == 500 && nulls > 500, "{nulls} null moves");
    for threads in [1, 3] {
        let mut found = Vec::new();
        let totals =
            open().threads(threads).par_visit(Events::default, |_, part| found.extend(part.0));
        totals.expect("text");
        assert!(found == expected, "{threads} threads");
    }
}

/// A visitor with one method gets nothing of a rejected game, and everything of the others.
#[test]
fn one_method_is_enough() {
    #[derive(Default)]
    struct Plies(u32);
    impl Visitor for Plies {
        fn ply(&mut self, _: &PlayedMove<'_>) {
            self.0 += 1;
        }
    }
    let text =
        "[A \"1\"]\n\n1. e4 (1. d4) e5 *\n\n[A \"2\"]\n\n1. e4 e4 *\n\n[A \"3\"]\n\n1. d4 *\n";
    let mut plies = 0;
    let reader = Reader::from_reader("text", text.as_bytes()).expect("text");
    let totals = reader.par_visit(Plies::default, |_, part| plies += part.0).expect("read");
    assert_eq!((plies, totals.counts.rejected), (4, 1));
}

#[test]
fn everything_in_a_movetext_comes_in_its_order() {
    let text = "[White \"A \\\"B\\\" C\"]\n[Black \"M\u{fc}ller\"]\n\n{first} 1. e4 $1 {a} (1. d4! ; b\n \
                (1. c4 d5?!) -- 2. c4) e5 2. Nf3 {c {d} 1-0\n";
    let mut games = Reader::from_reader("text", text.as_bytes()).expect("text").games();
    let game = games.next().expect("read").expect("a game");
    let events: Vec<String> = game
        .events()
        .map(|event| match event {
            Event::Ply(ply) => ply.text_in(NOTATIONS[0]).to_string(),
            Event::NullMove => "null".to_string(),
            Event::Comment(text) => format!("{{{text}}}"),
            Event::Nag(nag) => format!("${nag}"),
            Event::VariationStart => "(".to_string(),
            Event::VariationEnd => ")".to_string(),
        })
        .collect();
    assert_eq!(
        events.join(" "),
        "{first} e4 $1 {a} ( d4 $1 { b} ( c4 d5 $6 ) null c4 ) e5 Nf3 {c {d}"
    );
    assert_eq!(game.tag("White").as_deref(), Some("A \"B\" C"));
    assert_eq!(game.tag("Black").as_deref(), Some("Müller"));
    assert_eq!(game.tag("Event"), None);
    let uci = find("uci").expect("registered");
    assert_eq!(game.movetext(uci), "1. e2e4 e7e5 2. g1f3 1-0");
    assert!(games.next().expect("read").is_none());
}

/// The text of a rejected game and of its fault; what the next game is does not depend on it.
#[test]
fn a_rejected_game_has_its_fault() {
    let text = "[A \"1\"]\n\n1. e4 e5 2. Ke3 *\n\n[A \"2\"]\n\n1. d4 *\n";
    let mut games = Reader::from_reader("text", text.as_bytes()).expect("text").games();
    let game = games.next().expect("read").expect("a game");
    assert_eq!(game.verdict(), Verdict::Rejected);
    assert_eq!(game.fault_text(), Some(&b"Ke3"[..]));
    assert_eq!(game.fault().map(|fault| fault.ply), Some(3));
    assert_eq!(game.moves().count(), 2);
    let game = games.next().expect("read").expect("another");
    assert_eq!((game.number(), game.moves().count()), (2, 1));
}

#[test]
fn the_first_tag_pair_behind_a_byte_order_mark_is_read() {
    let text =
        "\u{feff}[Event \"a\"]\n[White \"b\"]\n\n1. e4 *\n\n\u{feff}[Event \"c\"]\n\n1. d4 *\n";
    let mut games = Reader::from_reader("text", text.as_bytes()).expect("text").games();
    let mut found = Vec::new();
    while let Some(game) = games.next().expect("text") {
        found.push(game.tags().map(|tag| tag.value).collect::<Vec<_>>());
        assert_eq!(game.tag("Event").as_deref(), Some(found.last().unwrap()[0].as_str()));
    }
    assert_eq!(found, [vec!["a", "b"], vec!["c"]]);
}

/// More threads than are allowed are refused, however the games are read.
#[test]
fn too_many_threads_are_refused() {
    for threads in [1_025, 2_000] {
        let open = || {
            let text = Reader::from_reader("text", &b"1. e4 *\n"[..]).expect("text");
            text.threads(threads)
        };
        let visited = open().par_visit(Everything::default, |_, _| ());
        let ahead = open().read_ahead().map(|_| ());
        for error in [visited.map(|_| ()), ahead].map(|result| result.expect_err("too many")) {
            assert!(matches!(error.kind(), ErrorKind::Usage(_)), "{error}");
            assert!(error.to_string().contains(&threads.to_string()), "{error}");
        }
    }
}

/// The types of which the documentation says that they are read from a text and displayed as one are so.
#[test]
fn the_types_that_are_texts_are_those_of_the_documentation() {
    fn text<T: std::str::FromStr + std::fmt::Display>() -> String {
        let name = std::any::type_name::<T>().rsplit("::").next().unwrap();
        format!("[`{name}`]")
    }
    let types =
        [text::<pgnmill::Position>(), text::<pgnmill::Square>(), text::<pgnmill::UciMove>()];
    let source = std::fs::read_to_string(here("src/lib.rs")).unwrap();
    let row = source.lines().find(|line| line.contains("`FromStr` and `Display`")).unwrap();
    let stated = row.split(" | ").nth(2).unwrap().split(':').next().unwrap();
    assert_eq!(stated, types.join(", "));
}

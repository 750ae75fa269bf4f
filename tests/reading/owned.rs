//! Games that own their text, read ahead on several threads.
//!
//! Laws, over the vendored archives and those of ../shared/corpora where they exist, in three containers: the games are
//! those that the reader returns one by one, for any number of threads; a game that was saved and loaded is equal and
//! has the same moves, and games at other places are others; a reader that is dropped half-way ends its threads; an
//! error follows the games before it.

#![allow(clippy::print_stdout, reason = "what is left out is said")]

use std::time::{Duration, Instant};

use crate::common::{SAMPLE, SOURCES, Scratch, corpus, here, text_of, trials};
use pgnmill::{
    Counts, Deviation, ErrorKind, Event, Game, Level, OwnedGame, Reader, RulesKind, Selection,
    Verdict, Visitor,
};
use pgnmill_io::archive::{Archive, Options};

fn options() -> Options {
    let (block_bytes, range_bytes, game_bytes_max) = (4_096, 16_384, 50_000);
    Options { block_bytes, range_bytes, game_bytes_max, ..Options::default() }
}

/// Everything that a game gives.
fn facts(game: &Game<'_>) -> String {
    use std::fmt::Write as _;
    let mut facts = format!(
        "{} {} {:?} {:?} {} {:?}",
        game.number(),
        game.offset(),
        game.verdict(),
        game.result(),
        game.notation().info().name,
        game.tags().map(|tag| (tag.name, tag.value)).collect::<Vec<_>>(),
    );
    for event in game.events() {
        let written = match event {
            Event::Ply(ply) => write!(facts, "{:?}{:?}{}", ply.mv, ply.text, ply.after),
            other => write!(facts, "{other:?}"),
        };
        written.expect("memory");
    }
    facts
}

/// The texts at the spans of the plies are those of the main line.
fn check_spans(game: &Game<'_>) {
    let line: Vec<_> = game.main_line().collect();
    let spans = game.ply_spans();
    assert_eq!(spans.len(), line.len());
    let moves: Vec<_> = game.moves().map(|ply| ply.text).collect();
    let played = spans.iter().zip(&line).filter(|(_, (_, ply))| ply.is_some());
    let texts = played.map(|(span, _)| &game.text()[span.start as usize..span.end as usize]);
    assert_eq!(texts.collect::<Vec<_>>(), moves);
    assert!(spans.last().is_none_or(|span| span.end as usize <= game.movetext_end()));
}

fn check(name: &str, text: &[u8]) {
    let folder = Scratch::new();
    let one = zstd::encode_all(text, 1).expect("memory");
    let many = text.chunks(10_007).flat_map(|part| zstd::encode_all(part, 1).expect("memory"));
    for (container, stored) in [text.to_vec(), one, many.collect()].iter().enumerate() {
        let input = folder.put(&format!("{container}"), stored);
        let open = || Reader::of(Archive::open(&input, &options()).expect("an archive"));
        let mut expected = Vec::new();
        let mut games = open().games();
        while let Some(game) = games.next().expect("it is read to its end") {
            expected.push((facts(&game), game.text().to_vec()));
        }
        for threads in [1, 2, 7] {
            let mut ahead = open().threads(threads).read_ahead().expect("threads");
            let kept: Vec<OwnedGame> = ahead.by_ref().map(|game| game.expect("read")).collect();
            assert_eq!(kept.len(), expected.len(), "{name}, {container}");
            for pair in kept.windows(2) {
                assert!(pair[0] != pair[1], "{name}: two games at two places");
            }
            for (game, (facts_of, text)) in kept.iter().zip(&expected) {
                let what = format!("{name}, {container}, {}", game.game().number());
                assert!(facts(&game.game()) == *facts_of, "{what}");
                assert!(game.game().text() == text, "{what}");
                assert_eq!(game.fault().is_some(), game.game().verdict() == Verdict::Rejected);
                // Nothing in a game that was not read is the reason.
                if game.fault().is_some_and(|fault| fault.kind == Deviation::GameTooLong.name()) {
                    assert_eq!(game.game().fault_text(), Some(&b""[..]), "{what}");
                }
                if threads == 2 {
                    check_spans(&game.game());
                    let loaded = OwnedGame::from_bytes(&game.to_bytes()).expect("saved");
                    assert!(loaded == *game, "{what}");
                    assert!(facts(&loaded.game()) == *facts_of, "{what}");
                }
            }
            // A run over an archive also counts what is known at its end alone, such as mixed encodings.
            let (found, expected) = (&ahead.totals().counts, games.counts());
            let sums = |counts: &Counts| {
                let Counts { accepted, repaired, rejected, plies, .. } = *counts;
                (accepted, repaired, rejected, plies)
            };
            assert_eq!(sums(found), sums(expected), "{name}, {container}");
        }
    }
}

#[test]
fn owned_games_are_those_of_the_reader() {
    let mut text = text_of(&here(SOURCES));
    text.extend_from_slice(b"\n\n");
    text.extend_from_slice(&text_of(&here(SAMPLE))[..100_000]);
    check("vendored archives", &text);
    check("nothing", b"");
    check("no game", b"some prose\n\nand more\n");
    let long = "1. Nf3 Nf6 2. Ng1 Ng8 ".repeat(3_000);
    check(
        "too long",
        format!("[A \"1\"]\n\n*\n\n[A \"2\"]\n\n{long}*\n\n[A \"3\"]\n\n*\n").as_bytes(),
    );
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

#[test]
fn a_selection_counts_the_others_alone() {
    let selection = Selection::parse("White == \"b\"").expect("an expression");
    let text = "[White \"a\"]\n\n1. e4 *\n\n[White \"b\"]\n\n1. e5 *\n\n[White \"b\"]\n\n*\n";
    let reader = Reader::from_reader("text", text.as_bytes()).expect("text");
    let mut games = reader.selection(selection).read_ahead().expect("threads");
    let found: Vec<_> = games.by_ref().map(|game| game.expect("read")).collect();
    let places: Vec<_> = found.iter().map(|game| game.game().number()).collect();
    assert_eq!(places, [2, 3]);
    let fault = found[0].fault().expect("an illegal move");
    assert_eq!((fault.line, fault.column, fault.ply, &*fault.text), (7, 4, 1, "e5"));
    assert_eq!(games.totals().counts.not_selected, 1);
}

#[test]
fn a_reader_that_is_dropped_ends_its_threads() {
    let begun = Instant::now();
    let text = "[A \"1\"]\n\n1. e4 e5 *\n\n".repeat(200_000);
    for taken in [0, 1, 5_000] {
        let bytes = std::io::Cursor::new(text.clone());
        let reader = Reader::from_reader("text", bytes).expect("text").threads(2);
        let mut games = reader.read_ahead().expect("threads");
        assert_eq!(games.by_ref().take(taken).filter(Result::is_ok).count(), taken);
        games.close();
        assert!(games.wait(Duration::ZERO) && games.next().is_none());
    }
    assert!(begun.elapsed() < Duration::from_secs(60));
}

#[test]
fn an_error_follows_the_games_before_it() {
    let text = "[A \"1\"]\n\n1. e4 e5 *\n\n".repeat(20_000);
    let mut stored = Vec::new();
    for part in text.as_bytes().chunks(44_000) {
        stored.extend(zstd::encode_all(part, 1).expect("memory"));
    }
    let at = stored.len() - 60;
    stored[at..].fill(0x55);
    let folder = Scratch::new();
    let input = folder.put("damaged", &stored);
    // One job per frame.
    let options = Options { batch_stored_bytes: 1, ..Options::default() };
    let reader = Reader::of(Archive::open(&input, &options).expect("an archive"));
    let mut games = reader.read_ahead().expect("threads");
    let good = games.by_ref().take_while(Result::is_ok).count();
    assert!(good > 10_000, "{good}");
    assert!(games.next().is_none());
    let mut again = Reader::open("no such file").err().into_iter();
    assert!(matches!(again.next().expect("an error").kind(), ErrorKind::Io { .. }));
}

#[test]
fn any_bytes_are_a_game_or_none() {
    let text = "[White \"a\"]\n\n1. e4 {x} (1. d4) e5 2. Ke3 *\n";
    let reader = Reader::from_reader("text", text.as_bytes()).expect("text");
    let game = reader.read_ahead().expect("threads").next().expect("a game").expect("read");
    let saved = game.to_bytes();
    for at in 0..saved.len() {
        assert!(OwnedGame::from_bytes(&saved[..at]).is_none());
        for value in [0, 1, 2, 255] {
            let mut other = saved.clone();
            other[at] = value;
            if let Some(game) = OwnedGame::from_bytes(&other) {
                facts(&game.game());
            }
        }
    }
    // A byte less before the text, and a number before it that says so: if that is a game, it is saved as these bytes.
    let mut games = 0;
    for left_out in 1..saved.len() - text.len() {
        for counted in 0..left_out {
            let mut other = saved.clone();
            other.remove(left_out);
            other[counted] = other[counted].wrapping_sub(1);
            if let Some(game) = OwnedGame::from_bytes(&other) {
                assert!(game.to_bytes() == other, "{counted}, {left_out}");
                games += 1;
            }
        }
    }
    assert!(games > 10, "{games}");
}

/// The ruleset of games that name none, and the level of the processor, are those of the reader in all ways to read; a
/// game that was saved knows its ruleset.
#[test]
fn the_ruleset_and_the_level_are_those_of_the_reader() {
    struct Games(Vec<String>);
    impl Visitor for Games {
        fn game_start(&mut self, game: &Game<'_>) -> bool {
            self.0.push(facts(game));
            false
        }
    }
    let archive =
        "[Event \"a\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *\n\n[Event \"b\"]\n\n1. e4 e5 *\n";
    for (rules, accepted) in [(RulesKind::Chess, 1), ("crazyhouse".parse().expect("rules"), 2)] {
        for level in Level::all() {
            let reader = || {
                let reader = Reader::from_reader("archive", archive.as_bytes()).expect("memory");
                reader.rules(rules).level(level).threads(2)
            };
            let mut expected = Vec::new();
            let mut games = reader().games();
            while let Some(game) = games.next().expect("read") {
                expected.push(facts(&game));
            }
            assert_eq!(games.counts().accepted, accepted, "{rules:?} {level:?}");
            let ahead = reader().read_ahead().expect("threads").map(|game| game.expect("read"));
            let ahead: Vec<OwnedGame> = ahead.collect();
            let saved: Vec<_> =
                ahead.iter().map(|it| OwnedGame::from_bytes(&it.to_bytes())).collect();
            let found = |game: &OwnedGame| facts(&game.game());
            assert_eq!(ahead.iter().map(found).collect::<Vec<_>>(), expected);
            let loaded: Vec<OwnedGame> = saved.into_iter().map(|it| it.expect("saved")).collect();
            assert_eq!(loaded.iter().map(found).collect::<Vec<_>>(), expected);
            let mut visited = Vec::new();
            let ended =
                reader().par_visit(|| Games(Vec::new()), |_, games| visited.extend(games.0));
            assert_eq!(ended.expect("read").counts.accepted, accepted);
            // Numbers and offsets of a visitor are relative to its job.
            let rest = |facts: &String| facts.splitn(3, ' ').last().map(str::to_string);
            let [visited, expected] = [&visited, &expected].map(|all| all.iter().map(rest));
            assert!(visited.eq(expected));
        }
    }
}

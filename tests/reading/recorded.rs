//! The three ways in which a game can be had: one by one, read ahead on other threads, saved and loaded. All facts
//! that can be asked of it are the same, over archives of several jobs that are damaged and have rejected games, games
//! of other rules and notations, null moves, and every kind of line end.
//!
//! In: archives that are made by a fixed sequence. Out: nothing. The lines of faults are compared with those that are
//! counted in the text.

use std::fmt::Write as _;

use crate::common::{Dice, Scratch, trials};
use pgnmill::{Deviation, Event, Game, OwnedGame, Profile, Reader};
use pgnmill_core::notation::{Notation, find};
use pgnmill_io::archive::{Archive, Options};

/// Games of every kind, in SAN.
const GAMES: &[&str] = &[
    "[White \"a\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 (2... d6 3. d4) 3. Bb5 {c} a6!? 1-0\n\n",
    "[White \"b\"]\n\n1. e4 -- 2. d4 e5 3. -- Nf6 *\n\n",
    "[White \"c\"]\n\n1. e4 e5 (1... -- 2. d4) 2. Nf3 *\n\n",
    "[White \"d\"]\n\n1. e4 e5 2. Ke3 Nc6 0-1\n\n",
    "[White \"e\"]\n\n1. e4 {a\nb} e5\n2. Nf3\n Nc9 *\n\n",
    "[White \"f\"]\n[Variant \"Atomic\"]\n\n1. e4 e5 2. Nf3 *\n\n",
    "[White \"g\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@e4 *\n\n",
    "[White \"h\"]\n[MoveNotation \"uci\"]\n\n1. e2e4 e7e5 2. g1f3 *\n\n",
    "[White \"i\"]\n[SetUp \"1\"]\n[FEN \"4k3/6P1/8/8/8/8/8/R3K3 w Q - 0 98\"]\n\n98. g8=N Kd7 99. O-O-O+ *\n\n",
    "[White \"j\"]\n[SetUp \"1\"]\n[FEN \"no position\"]\n\n1. e4 *\n\n",
    "[White \"k\"]\n\n1/2-1/2\n\n",
    "[White \"l\"]\n\n1. e4 (1. -- e5 (1... --)) -- 2. -- -- 3. d4 ; the end\n*\n\n",
    "[White \"m\"]\n\n1. e4 {never closed\n\n",
    "words between games\n\n[White \"n\"]\n\n1. d4 +- $14 d5 *\n\n",
];

/// All facts that a game provides.
fn facts(game: &Game<'_>) -> String {
    let mut facts = format!(
        "{} {} {:?} {:?} {} {:?} {:?}\n{:?}\n",
        game.number(),
        game.offset(),
        game.verdict(),
        game.result(),
        game.notation().info().name,
        game.start().map(|start| start.to_fen()),
        game.movetext_end(),
        game.tags().map(|tag| (tag.name, tag.value)).collect::<Vec<_>>(),
    );
    if let Some(fault) = game.fault() {
        let fen = fault.position.as_ref().map(|position| position.to_fen());
        let shown = (fault.kind, fault.ply, &fault.detail, fen, game.fault_text());
        writeln!(facts, "{shown:?}").unwrap();
    }
    for event in game.events() {
        match event {
            Event::Ply(ply) => {
                let (before, after) = (ply.before.to_fen(), ply.after.to_fen());
                writeln!(facts, "{} {:?} {before} {after} {:?}", ply.depth, ply.mv, ply.text)
            }
            other => writeln!(facts, "{other:?}"),
        }
        .unwrap();
    }
    writeln!(facts, "{:?} {:?}", game.ply_spans(), game.comments().collect::<Vec<_>>()).unwrap();
    facts
}

/// The main line is what the events have at depth 0, null moves included.
fn check_main_line(game: &Game<'_>) {
    let (mut depth, mut expected) = (0, Vec::new());
    for event in game.events() {
        match event {
            Event::VariationStart => depth += 1,
            Event::VariationEnd => depth -= 1,
            Event::Ply(ply) if depth == 0 => expected.push(Some(ply.mv)),
            Event::NullMove if depth == 0 => expected.push(None),
            _ => {}
        }
    }
    let line: Vec<_> = game.main_line().map(|(_, ply)| ply.map(|ply| ply.mv)).collect();
    assert_eq!(line, expected, "{}", game.text().escape_ascii());
    let moves: Vec<_> = game.moves().map(|ply| Some(ply.mv)).collect();
    let played: Vec<_> = expected.iter().copied().filter(Option::is_some).collect();
    assert_eq!(moves, played, "{}", game.text().escape_ascii());
    assert_eq!(game.ply_spans().len(), expected.len());
}

/// The line and the column of an offset, from 1: lines end with LF, CR or both.
fn line_of(text: &[u8], offset: usize) -> (u64, u64) {
    let (mut line, mut start) = (1, 0);
    for at in 0..offset {
        let is_pair = text[at] == b'\r' && text.get(at + 1) == Some(&b'\n');
        if matches!(text[at], b'\n' | b'\r') && !(is_pair && at + 1 < offset) {
            line += u64::from(!is_pair || at + 1 == offset);
            start = at + 1;
        }
    }
    (line, (offset - start + 1) as u64)
}

/// How an archive is read.
#[derive(Clone, Copy)]
struct How {
    allows_null_moves: bool,
    from: Option<&'static dyn Notation>,
}

impl How {
    fn reader(self, archive: Archive) -> Reader {
        let mut profile = Profile::lenient();
        if self.allows_null_moves {
            assert!(profile.allow(Deviation::NullMoveMainLine));
        }
        let reader = Reader::of(archive).profile(profile);
        self.from.into_iter().fold(reader, Reader::notation)
    }
}

/// All ways give the same; `text`: that of an archive without damage. Returns the games and the damages.
fn check(stored: &[u8], options: &Options, how: How, text: Option<&[u8]>) -> (usize, usize) {
    let folder = Scratch::new();
    let input = folder.put("a.pgn", stored);
    let open = || how.reader(Archive::open(&input, options).expect("an archive"));
    let (mut expected, mut games) = (Vec::new(), open().games());
    while let Some(game) = games.next().expect("it is read to its end") {
        check_main_line(&game);
        expected.push((facts(&game), game.text().to_vec()));
    }
    for threads in [1, 3] {
        let mut ahead = open().threads(threads).read_ahead().expect("threads");
        let kept: Vec<OwnedGame> = ahead.by_ref().map(|game| game.expect("read")).collect();
        assert_eq!(kept.len(), expected.len());
        for (game, (facts_of, text_of)) in kept.iter().zip(&expected) {
            assert_eq!(facts(&game.game()), *facts_of);
            assert_eq!(game.game().text(), text_of);
            let saved = game.to_bytes();
            let loaded = OwnedGame::from_bytes(&saved).expect("saved");
            assert_eq!(facts(&loaded.game()), *facts_of);
            assert!(loaded == *game && loaded.to_bytes() == saved, "{facts_of}");
            check_main_line(&loaded.game());
            let of_game = game.game();
            assert_eq!(
                game.fault().map(|fault| fault.kind),
                of_game.fault().map(|it| it.kind.name())
            );
            if let (Some(fault), Some(text)) = (game.fault(), text) {
                let place = line_of(text, fault.offset as usize);
                assert_eq!((fault.line, fault.column), place, "{fault:?}");
            }
        }
        let shown = |why: &str| why.to_string();
        let damages: Vec<String> =
            games.damages().iter().map(|damage| shown(&damage.why)).collect();
        let ahead_of: Vec<&String> = ahead.damage().iter().map(|fault| &fault.detail).collect();
        assert_eq!(ahead_of.len(), damages.len(), "{ahead_of:?} {damages:?}");
        for (fault, damage) in ahead_of.iter().zip(&damages) {
            assert!(fault.contains(damage.as_str()), "{fault:?} {damage:?}");
        }
    }
    (expected.len(), games.damages().len())
}

/// Games in random order.
fn archive(dice: &mut Dice, games: usize, line_end: &str) -> Vec<u8> {
    let mut text = String::new();
    for _ in 0..games {
        text += dice.one(GAMES);
    }
    text.replace('\n', line_end).into_bytes()
}

/// Small blocks and jobs.
fn options(dice: &mut Dice) -> Options {
    let range_bytes = [200, 700, 4_000][dice.below(3)];
    let batch_stored_bytes = [1, 300, 1_000][dice.below(3)];
    let block_bytes = [64, 300, 2_000][dice.below(3)];
    let skip_damaged = true;
    Options { block_bytes, range_bytes, batch_stored_bytes, skip_damaged, ..Options::default() }
}

fn how(dice: &mut Dice) -> How {
    let from = dice.one(&[None, None, find("uci"), find("iccf")]);
    How { allows_null_moves: dice.below(2) == 0, from }
}

#[test]
fn games_have_the_same_facts_in_every_way() {
    let mut dice = Dice::new(0x51);
    for round in 0..trials(50, 150, 1_000) {
        let text = archive(&mut dice, 30, ["\n", "\r\n", "\r"][round % 3]);
        let (options, how) = (options(&mut dice), how(&mut dice));
        let (games, _) = check(&text, &options, how, Some(&text));
        assert!(games >= 20, "{games}");
        let frames = text.chunks(150 + dice.below(900));
        let frames: Vec<u8> = frames.flat_map(|part| zstd::encode_all(part, 1).unwrap()).collect();
        assert_eq!(check(&frames, &options, how, Some(&text)).0, games);
    }
}

/// Games of one notation in an archive without tag pairs that name it.
#[test]
fn games_of_another_notation_have_the_same_facts_in_every_way() {
    let text = "[White \"a\"]\n\n1. e2e4 e7e5 2. g1f3 (2. d2d4) b8c6 *\n\n".repeat(20);
    let text = text + "[White \"b\"]\n\n1. e2e4 e7e5 2. e1e3 *\n\n";
    let mut dice = Dice::new(0x52);
    for allows_null_moves in [false, true] {
        let how = How { allows_null_moves, from: find("uci") };
        let games = check(text.as_bytes(), &options(&mut dice), how, Some(text.as_bytes())).0;
        assert_eq!(games, 21);
    }
}

/// Several frames are damaged, in jobs of their own: all damage is reported, and games that were cut stay cut.
#[test]
fn games_of_damaged_archives_have_the_same_facts_in_every_way() {
    let (mut dice, mut damages, mut cut) = (Dice::new(0x53), 0, 0);
    for _ in 0..trials(80, 250, 1_500) {
        let text = archive(&mut dice, 40, "\n");
        let mut stored = Vec::new();
        for part in text.chunks(200 + dice.below(300)) {
            let mut frame = zstd::encode_all(part, 1).unwrap();
            if dice.below(5) == 0 {
                let middle = frame.len() / 2;
                frame[middle..].fill(0x55);
            }
            stored.extend(frame);
        }
        let (options, how) = (options(&mut dice), how(&mut dice));
        let (games, found) = check(&stored, &options, how, None);
        damages += found;
        cut += usize::from(games > 0);
    }
    assert!(damages > trials(90, 300, 300) && cut > trials(60, 200, 200), "{damages} {cut}");
}

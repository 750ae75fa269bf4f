//! A game whose end is not written does not swallow the next one (`docs/reference/games.md` has the rule).
//!
//! Law: two texts of games, the first without a result, and between them what begins the second one, are read as each
//! alone: the same moves, tags and verdicts, in every profile, from any blocks, on every level of the processor, and
//! after a conversion. What goes on with a game stays in it.

use crate::common::{Dice, Scratch, here, run_in, text_of};
use crate::joins::replaced;
use pgnmill_core::engine::Rejects;
use pgnmill_core::notation::{NOTATIONS, Ply, UCI, write};
use pgnmill_core::pgn::Tag;
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_core::replay::{Game, History, ReplayVisitor, Replayer, TagSection, Verdict};
use pgnmill_io::archive::games::Games;
use pgnmill_laws as laws;
use pgnmill_needs::needs;
use std::ops::Range;

/// A game as it is read: its White tag, its moves in UCI, its verdict, its result, its notes.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Read {
    pub(crate) white: String,
    pub(crate) moves: String,
    pub(crate) is_rejected: bool,
    pub(crate) result: String,
    pub(crate) notes: Vec<Deviation>,
}

#[derive(Default)]
struct Reader {
    games: Vec<Read>,
    game: Read,
}

impl ReplayVisitor for Reader {
    fn begin(
        &mut self,
        text: &[u8],
        _: usize,
        tags: &TagSection,
        _: &'static dyn pgnmill_core::notation::Notation,
    ) {
        let white = tags.index.values(text).bytes(Tag::White).unwrap_or(b"");
        self.game = Read { white: String::from_utf8_lossy(white).into(), ..Read::default() };
    }

    fn ply(&mut self, _: &[u8], _: Range<usize>, ply: &Ply<'_>, depth: usize) {
        let depth = if depth == 0 { String::new() } else { format!("({depth})") };
        self.game.moves += &format!("{depth}{} ", write(UCI, ply.before(), ply.mv()));
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>) {
        let mut read = std::mem::take(&mut self.game);
        read.is_rejected = game.verdict == Verdict::Rejected;
        if read.is_rejected {
            read.moves.clear();
        }
        let result = game.result.clone().map_or(&b""[..], |span| &text[span]);
        read.result = String::from_utf8_lossy(result).into();
        read.notes = game.notes.iter().map(|noted| noted.kind).collect();
        self.games.push(read);
    }
}

pub(crate) fn read_in(profile: &Profile, text: &[u8]) -> Vec<Read> {
    let mut replayer = Replayer::new(profile, None, History::Optional).with_notes();
    let mut reader = Reader::default();
    for (_, run) in Games::new(text) {
        replayer.replay(run, &mut reader);
    }
    reader.games
}

pub(crate) fn read(text: &[u8]) -> Vec<Read> {
    read_in(&Profile::lenient(), text)
}

fn plies(text: &str) -> Vec<usize> {
    let count = |game: &Read| if game.is_rejected { 0 } else { game.moves.matches(' ').count() };
    read(text.as_bytes()).iter().map(count).collect()
}

#[needs("../shared/finds")]
#[test]
fn games_of_the_finds_are_not_swallowed() {
    let find = |name: &str| read(&text_of(&here(&format!("../shared/finds/{name}"))));
    let tags_and_moves = find("27b-tags-moves-two.pgn");
    let of: Vec<_> = tags_and_moves.iter().map(|g| (&g.white[..], &g.moves[..])).collect();
    let wanted = [("A", "e2e4 e7e5 g1f3 "), ("C", "d2d4 d7d5 c2c4 "), ("E", "c2c4 c7c5 ")];
    assert_eq!(of, wanted);
    assert!(tags_and_moves.iter().all(|g| g.notes.contains(&Deviation::ResultMissing)));
    let records: Vec<String> = find("92-fen-line.pgn").into_iter().map(|g| g.moves).collect();
    assert_eq!(records, ["e2e4 e8d7 ", "e1d2 e8e7 "]);
}

/// Texts, and the plies of the games in each; a rejected game has none.
#[test]
fn what_begins_a_game_and_what_goes_on() {
    let cases: &[(&str, &[usize])] = &[
        ("[White \"C\"] 1. c4 e5\n\n[White \"D\"] 1. Nf3 Nf6\n", &[2, 2]),
        (
            "[White \"A\"] [Black \"B\"] 1. e4 e5 2. Nf3\n\n[White \"C\"] [Black \"D\"] 1. d4 d5 2. c4\n\n\
          [White \"E\"] [Black \"F\"]\n1. c4 c5\n",
            &[3, 3, 2],
        ),
        ("1. e4 c5\n\n1. d4 Nf6", &[2, 2]),
        ("1. e4 c5\n1. d4 Nf6\n1. c4", &[2, 2, 1]),
        // The move could go on.
        ("1. e4 e5\n\n1. Nf3 Nf6 2. c4", &[2, 3]),
        ("1. e4 e5 2. Nf3 {c}\n{d} 1. h3", &[3, 1]),
        ("1 e4 c5\n\n1 d4 Nf6\n\n1e4", &[2, 2, 1]),
        // After one move the number is that of Black's move, too.
        ("1. e4\n\n1. d4 d5", &[1, 2]),
        ("1. e4\n1. d4 d5", &[1, 2]),
        ("1. e4\n\n1. e5 2. Nf3", &[3]),
        ("1. e4\n\n1... e5 2. Nf3", &[3]),
        ("1. e4\n\n1. ... e5\n\n2. Nf3\n\n2... Nc6", &[4]),
        ("1) e4\n\n1) d4 d5", &[1, 2]),
        ("1) e4 c5\n\n1) d4 Nf6", &[2, 2]),
        ("1. Sf3 Sf6\n\n1. Sc3 d5", &[2, 2]),
        // A game with a fault ends there, too.
        ("1. e4 Ke9 2. d4\n\n1. d4 Nf6", &[0, 2]),
        ("1. e4 e5\n\n1. Ke5 d5", &[2, 0]),
        ("1. e4 (1. d4\n\n[White \"B\"] 1. d4 Nf6", &[0, 2]),
        ("[White \"A\"] 1. e4 (1. d4\n\n[White \"B\"] 1. d4 Nf6", &[0, 2]),
        // Within a line only tag pairs and number 1 begin one.
        ("[White \"A\"] 1. e4 e5 [White \"B\"] [Black \"C\"] 1. d4 d5 *", &[2, 2]),
        ("[White \"A\"] 1. e4 e5 [White \"B\"] 2. d4 d5 *", &[4]),
        ("1. e4 e5 1. Nf3 Nf6 *", &[4]),
        // Pairs within a line belong to the game, the line that names the notation to the next one.
        ("1. e4 e5 [White \"B\"]\n[MoveNotation \"uci\"]\n\ne2e4 *", &[2, 1]),
        ("1. e4 c5 2. d4\n\n1. $1 d4 Nf6", &[3, 2]),
        // In a variation number 1 begins none.
        ("1. e4 e5 2. Nf3 (2. d4 exd4\n\n1. c3) 2... Nc6 *", &[4]),
        ("1. e4 (\n\n1. d4 d5) 1... e5 *", &[2]),
        // Empty lines alone begin none.
        ("1. e4 e5\n\n2. Nf3\n\n\n2... Nc6\n\n3. Bb5 *", &[5]),
        ("1. e4 e5 {a\n\n1. d4\n\n} 2. Nf3 *", &[3]),
        ("1. Nf3 Nf6 2. Ng1 Ng8\n\n3. Nf3 *", &[5]),
        ("1. Nf3 Nf6 2. Ng1 Ng8\n\n1. Nf3 *", &[4, 1]),
    ];
    for (text, wanted) in cases {
        for line_end in [&b"\n"[..], b"\r\n", b"\r"] {
            let text = replaced(text.as_bytes(), line_end);
            let text = String::from_utf8(text).unwrap();
            let mut found = plies(&text);
            // Plies of variations are counted apart.
            if text.contains('(') && !text.contains("[White") {
                found = read(text.as_bytes())
                    .iter()
                    .map(|g| {
                        g.moves.split(' ').filter(|m| !m.is_empty() && !m.starts_with('(')).count()
                    })
                    .collect();
            }
            assert_eq!(found, *wanted, "{text:?}");
        }
    }
}

#[test]
fn a_move_that_could_go_on_is_noted() {
    let notes = |text: &str| read(text.as_bytes())[0].notes.clone();
    let could = notes("1. e4 e5\n\n1. Nf3 *");
    assert!(could.contains(&Deviation::GameRestarted) && could.contains(&Deviation::ResultMissing));
    let could_not = notes("1. e4 e5\n\n1. e4 *");
    assert!(!could_not.contains(&Deviation::GameRestarted));
    assert!(could_not.contains(&Deviation::ResultMissing));
}

/// Games without a result, legal and not.
const FIRST: &[&str] = &[
    "1. e4 c5",
    "1. e4 c5 2. Nf3",
    "1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 4.Ba4 Nf6 5.O-O Be7 6.Re1 b5 7.Bb3 d6 8.c3 O-O 9.h3 Nb8 10.d4 Nbd7",
    "1 e4 e5 2 Nf3",
    "e4 e5 Nf3",
    "1. e4 e5 (1... c5 2. Nf3) 2. Nf3 $1",
    "1. e4 {a comment} e5 {another}",
    "1. e4 c5 ; a comment",
    "1. d4 d5 2. Ke5",
    "1. d4 Zz 2. c4",
    "[White \"a\"] 1. e4 c5",
    "[White \"a\"] [Black \"b\"]\n1. e4 c5 2. Nf3",
    "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] [SetUp \"1\"] 1. e4 Kd7 2. Kd2",
    "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"] [SetUp \"1\"] 1... Kd7 2. Kd2",
    "[FEN \"none\"] [SetUp \"1\"] 1. e4 e5 2. d4",
    "[MoveNotation \"uci\"] 1. e2e4 c7c5",
    "[Variant \"Atomic\"] 1. e4 c5 2. Nf3",
    "1. Sf3 d5 2. Sc3",
];
const BETWEEN: &[&str] = &["\n", "\n\n", "\n\n\n", "\n \t\n", "\n{c}\n", "\n\n{c} ", " {c}\n; d\n"];
/// Games that number 1 begins.
const SECOND: &[&str] = &[
    "1. d4 Nf6",
    "1. e4 e5 2. Nf3 Nc6 *",
    "1.Nf3 d5 1-0",
    "1 c4",
    "1. e4! {c} c5 1/2-1/2",
    "1. {c} d4 d5",
    "1. d4 Ke5",
    "1. a3 (1. a4) 1... a6",
];
/// Games that tag pairs begin.
const TAGGED: &[&str] = &[
    "[White \"b\"] 1. Nf3 Nf6",
    "[White \"b\"]\n\n5. d4 Nf6",
    "[Black \"b\"] *",
    "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"] [SetUp \"1\"] 1. Kd2 Ke7",
    "[MoveNotation \"uci\"] 1. d2d4",
];

fn pairs() -> impl Iterator<Item = [&'static str; 3]> {
    FIRST.iter().flat_map(|first| {
        BETWEEN.iter().flat_map(move |between| {
            SECOND.iter().chain(TAGGED).map(move |second| [*first, *between, *second])
        })
    })
}

fn denied(kind: Deviation) -> Profile {
    let mut profile = Profile::lenient();
    profile.deny(kind);
    profile
}

/// Two texts are read as each alone; what can only follow from the seam is left out of the notes.
#[test]
fn a_game_without_a_result_does_not_swallow_the_next() {
    let profiles = [
        Profile::lenient(),
        Profile::strict(),
        denied(Deviation::GameRestarted),
        denied(Deviation::GameWithoutTags),
        denied(Deviation::MoveNumberMissing),
    ];
    let mut count = 0;
    for [first, between, second] in pairs() {
        let text = [first, between, second].concat();
        for (index, profile) in profiles.iter().enumerate() {
            let mut wanted = read_in(profile, first.as_bytes());
            wanted.extend(read_in(profile, second.as_bytes()));
            let mut found = read_in(profile, text.as_bytes());
            for game in found.iter_mut().chain(&mut wanted) {
                game.notes.clear();
                // The note of the seam rejects the first game where it is denied.
                if index > 0 {
                    game.is_rejected = false;
                    game.moves.clear();
                }
            }
            assert_eq!(found, wanted, "{text:?}");
            count += 1;
        }
    }
    assert!(count > 5_000, "{count}");
}

/// The laws of the other modules over these texts: every level and path, any blocks and threads, there and back.
#[test]
fn the_laws_hold_where_games_have_no_end() {
    let mut dice = Dice::new(65);
    let pairs: Vec<_> = pairs().collect();
    for round in 0..crate::common::trials(90, 400, 12_000) {
        let mut text = String::new();
        for _ in 0..1 + dice.below(3) {
            text += &pairs[dice.below(pairs.len())].concat();
            text += BETWEEN[dice.below(BETWEEN.len())];
        }
        let text = match round % 5 {
            0 => replaced(text.as_bytes(), b"\r\n"),
            1 => replaced(text.as_bytes(), b"\r"),
            _ => text.into_bytes(),
        };
        laws::vector::agree(&text, round % 2 == 1);
        let with = |choices: &[u8]| [choices, &text].concat();
        laws::replay::hold(&with(&[dice.below(2) as u8, dice.below(256) as u8]));
        laws::pipeline::hold(&with(&[3, dice.below(24) as u8, dice.below(20) as u8, 0]));
        let to = if round % 2 == 0 { 0 } else { dice.below(NOTATIONS.len()) };
        let choice = laws::joins::Choice {
            to,
            rejects: [Rejects::Apart, Rejects::Kept, Rejects::Dropped][round % 3],
            compressed: false,
            to_utf8: false,
            block_bytes: 16 + dice.below(200),
        };
        laws::joins::check(&[&text], choice);
    }
}

/// A game whose moves contain no square, as `5254` and `P5-n2`, has begun: the pair that names the notation, after a comment, begins the next one.
#[test]
fn games_of_moves_without_squares_are_not_part_of_the_next() {
    for text in [
        "e4 e5 Nf3\n\n{c} 1. e4 c5 1/2-1/2\n",
        "e4 e5 Nf3\n\n{c} 1. e4! {c} c5 1/2-1/2 {c}\n; d\n1. d4 d5 2. Ke5\n{c}\n1 c4\n\n\n",
    ] {
        for to in 0..NOTATIONS.len() {
            for rejects in [Rejects::Apart, Rejects::Kept, Rejects::Dropped] {
                let choice = laws::joins::Choice {
                    to,
                    rejects,
                    compressed: false,
                    to_utf8: false,
                    block_bytes: 109,
                };
                laws::joins::check(&[text.as_bytes()], choice);
            }
        }
    }
}

/// What is accepted is written as it was, without a byte between its games.
#[test]
fn nothing_is_written_between_games_without_an_end() {
    let scratch = Scratch::new();
    let converted = |text: &str| -> String {
        scratch.write("in.pgn", text.as_bytes());
        let args = ["convert", "--to", "san", "--overwrite", "--quiet", "-o", "out.pgn", "in.pgn"];
        run_in(scratch.path(), &args, b"");
        std::fs::read_to_string(scratch.join("out.pgn")).unwrap()
    };
    for text in ["1. e4 c5\n\n1. d4 Nf6\n", "[White \"C\"] 1. c4 e5\n\n[White \"D\"] 1. Nf3 Nf6\n"]
    {
        assert_eq!(converted(text), text);
    }
    // On one line the second gets a line of its own; where the second is left out, a result ends the first.
    let on_one = converted("[White \"A\"] 1. e4 e5 [White \"B\"] 1. d4 d5 *\n");
    assert_eq!(on_one, "[White \"A\"] 1. e4 e5 \n[White \"B\"] 1. d4 d5 *\n");
    assert_eq!(converted("1. e4 c5\n\n1. d4 Ke9\n\n1. c4 *\n"), "1. e4 c5\n\n*\n1. c4 *\n");
}

/// All first moves of White, in the letters of each language, at the start of a line after a game without a result.
#[test]
fn every_first_move_begins_a_game() {
    let pawns = ('a'..='h').flat_map(|file| ['3', '4'].map(|rank| format!("{file}{rank}")));
    let knights = ["a3", "c3", "f3", "h3"];
    let letters = ["N", "S", "C", "K", "J"];
    let knights = letters.iter().flat_map(|letter| knights.map(|to| format!("{letter}{to}")));
    let kings = ["Kc3", "Kf3", "Ka3", "Kh3"];
    for first in pawns.chain(knights).filter(|first| !kings.contains(&first.as_str())) {
        let text = format!("[Event \"a\"]\n\n1. e4 e5 2. d4 d5\n1. {first} e5 *\n");
        let games = read(text.as_bytes());
        assert_eq!(games.len(), 2, "{text}: {games:?}");
        assert_eq!(games[0].moves, "e2e4 e7e5 d2d4 d7d5 ", "{text}");
    }
}

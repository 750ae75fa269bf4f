//! Games in other notations than SAN, which the fast path reads too, against the general loop alone: named and not
//! named, damaged at random, on each level of the processor; and games in undeclared letters, whatever game came
//! before.

use std::ops::Range;

use crate::common::{SAMPLE, here, text_of, trials};
use crate::vector::damaged;
use pgnmill_core::chess::{Position, Square};
use pgnmill_core::engine::Rejects;
use pgnmill_core::notation::{Digits, NOTATIONS, Notation, Ply, UCI, find, without_languages};
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_core::replay::{Game, History, ReplayVisitor, Replayer, TagSection};
use pgnmill_io::archive::games::Games;
use pgnmill_laws::dice::Dice;
use pgnmill_laws::notations;
use pgnmill_laws::support::{Task, ledger_of, run_of, to_san};
use pgnmill_laws::vector::agree;

/// Games of the sample as SAN.
fn games(count: usize) -> Vec<u8> {
    let sample = text_of(&here(SAMPLE));
    let games: Vec<&[u8]> = Games::new(&sample).map(|(_, game)| game).take(count).collect();
    ledger_of(&to_san(Rejects::Apart), &games.concat()).out
}

/// Each game in another notation, named or not.
fn written(text: &[u8], to: &'static dyn Notation, named: bool) -> Vec<Vec<u8>> {
    let text = ledger_of(&run_of(Task::convert(to), Rejects::Apart), text).out;
    let is_kept = |line: &&[u8]| named || !line.starts_with(b"[MoveNotation ");
    let line_ends = |&byte: &u8| byte == b'\n';
    Games::new(&text)
        .map(|(_, game)| {
            game.split_inclusive(line_ends).filter(is_kept).collect::<Vec<_>>().concat()
        })
        .collect()
}

/// May games in this notation bear no name?
fn may_be_unnamed(notation: &dyn Notation) -> bool {
    notation.localized().is_some() || notation.info().digits == Digits::Only
}

#[test]
fn damaged_games_of_every_notation_are_read_alike() {
    let text = games(trials(3, 8, 60));
    let mut dice = Dice::new(0x33);
    let mut plies = 0;
    for &to in &NOTATIONS[1..] {
        for named in [true, false] {
            if !named && !may_be_unnamed(to) {
                continue;
            }
            for (number, game) in written(&text, to, named).iter().enumerate() {
                // One in four is as it was written.
                let game = if number % 4 == 3 { game.clone() } else { damaged(game, &mut dice) };
                plies += agree(&game, number % 5 == 0);
            }
        }
    }
    assert!(plies > 5_000, "{plies}");
}

/// What is attached to a move, and what looks like the end of a game or the beginning of the next.
#[test]
fn what_is_near_a_move_is_read_alike() {
    const BEFORE: &[&str] =
        &["1. ", "1.", "1... ", "{c} ", "1. -- 1... ", "(1. {} ) ", "\n1. ", "0. "];
    const BETWEEN: &[&str] = &[
        " ",
        "\n1. ",
        " (1. @)\n\n1. ",
        " (1. @)\n\n1.\n",
        " (1. @) \n\n1) ",
        " 1... ",
        " 1. ... ",
        " {c} 1... ",
        " 1 ",
        "\n1) ",
        "!? ",
        " $1 ",
        "+ ",
        "# ",
        "\u{a0}",
        "\u{2026} ",
        " (1. ",
        ") ",
        ";x\n",
        "\n% x\n",
        " 1. ",
        ". ",
    ];
    const AFTER: &[&str] = &[
        " 1-0\n",
        " 0-1",
        " *\n\n",
        "*",
        "",
        "\n",
        " 1/2-1/2\n\n[Event \"b\"]\n\n1. e4 *\n",
        " 2. ",
        " White resigns\n",
        " draw\n",
        " 0-0\n",
        "\n\n1. e4 e5 *\n",
        " 2.",
        "\u{a0}",
        "\0",
    ];
    let mut count = 0;
    for name in
        ["uci", "long", "iccf", "san-de", "san-ru", "fan", "eco", "smith", "stamma", "descriptive"]
    {
        let to = find(name).expect("a notation");
        let game = written(b"[Event \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n", to, true).remove(0);
        let game = String::from_utf8(game).expect("text");
        let (tags, moves) = game.trim_end().split_once("\n\n").expect("movetext");
        let words: Vec<&str> = moves.split(' ').collect();
        let (white, black) = (words[1], words[2]);
        for (before, between) in BEFORE.iter().flat_map(|b| BETWEEN.iter().map(move |c| (b, c))) {
            let after = AFTER[count % AFTER.len()];
            for second in [black, white] {
                let between = between.replace('@', white);
                let text = format!("{tags}\n\n{before}{white}{between}{second}{after}");
                agree(text.as_bytes(), count % 7 == 0);
            }
            count += 1;
        }
    }
}

/// The letters of pawns, and of other languages, that are read besides a set's own.
#[test]
fn undeclared_variant_letters_are_read_alike() {
    let mut plies = 0;
    for (index, notation) in NOTATIONS.iter().enumerate().step_by(trials(3, 1, 1)) {
        let Some([pawn, knight, bishop, _, queen, _]) = notation.san_letters() else { continue };
        let own = format!("2. {knight}f3 {knight}c6 3. {bishop}b5 a6 4. {queen}e2");
        for (white, black) in [("e4", "e5"), (&*format!("{pawn}e4"), "e5"), ("Pe4", "Be5")] {
            for odd in [pawn, knight, "♟", "K", "T", "S", "P", "N"] {
                for end in ["*", "5. c3 N *", "5. Pc3 *"] {
                    let text = format!("1. {white} {black} {own} {odd}f6 {end}");
                    let text = format!("[Event \"a\"]\n\n{text}\n\n");
                    plies += agree(text.as_bytes(), index % 2 == 0);
                }
            }
        }
    }
    assert!(plies > 500, "{plies}");
}

/// What a notation reads at once is what it reads.
#[test]
fn texts_are_read_at_once_as_they_are_read() {
    let mut dice = Dice::new(0x35);
    for _ in 0..trials(20_000, 60_000, 400_000) {
        // Languages are many, and read alike.
        let among = if dice.below(4) == 0 { NOTATIONS } else { without_languages() };
        let notation = dice.below(among.len());
        let alphabet: Vec<char> = NOTATIONS[notation].info().alphabet.chars().collect();
        let mut choices: Vec<u8> = vec![notation as u8];
        choices.extend((0..46).map(|_| dice.below(256) as u8));
        // A start and so many moves, a legal move, and what is kept of its text.
        choices[2] = dice.below(40) as u8;
        choices.truncate(3 + usize::from(choices[2]) + 3);
        let mut inserted = String::new();
        for _ in 0..dice.below(3) {
            inserted.push(alphabet[dice.below(alphabet.len())]);
        }
        choices.extend(inserted.bytes());
        notations::hold(&choices);
    }
}

/// Any two squares, whether or not a piece can go from one to the other; and texts that lack a byte.
#[test]
fn near_texts_are_read_at_once_as_they_are_read() {
    const STARTS: [&str; 3] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    ];
    for fen in STARTS {
        let position: Position = fen.parse().expect("a position");
        for (origin, target) in (0..64).flat_map(|from| (0..64).map(move |to| (from, to))) {
            let text = format!("{}{}", Square::new(origin), Square::new(target));
            notations::at_once(UCI, text.as_bytes(), &position, None);
        }
        for notation in without_languages().iter().filter(|notation| !notation.needs_lineage()) {
            for &mv in &position.legal_moves() {
                let text = notation.encode(&position, mv);
                for at in 0..text.bytes_count() {
                    let mut shorter = text.as_bytes().to_vec();
                    shorter.remove(at);
                    notations::at_once(*notation, &shorter, &position, None);
                }
            }
        }
    }
}

/// The games of a replay in words.
#[derive(Default)]
struct Verdicts {
    games: Vec<String>,
    notation: &'static str,
    moves: Vec<String>,
}

impl ReplayVisitor for Verdicts {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, notation: &'static dyn Notation) {
        self.notation = notation.info().name;
        self.moves.clear();
    }

    fn ply(&mut self, text: &[u8], span: Range<usize>, ply: &Ply<'_>, depth: usize) {
        let written = text[span].escape_ascii();
        self.moves.push(format!("{depth} {written} {:?} {:?}", ply.mv(), ply.check()));
    }

    fn end(&mut self, text: &[u8], game: &Game<'_>) {
        let moves = std::mem::take(&mut self.moves);
        let written = text[game.span.clone()].escape_ascii();
        let Game { verdict, fault, notes, result, .. } = game;
        let fault = fault.map(|fault| format!("{:?} {} {}", fault.kind, fault.ply, fault.detail));
        let notes: Vec<_> =
            notes.iter().map(|note| (note.kind, note.ply, &note.canonical)).collect();
        let has_result = result.is_some();
        self.games.push(format!(
            "{written}: {} {verdict:?} {fault:?} {notes:?} {has_result} {moves:?}",
            self.notation
        ));
    }
}

/// Whatever is kept from game to game changes nothing: each game has the result and the counts of a replayer of its own.
#[test]
fn undeclared_letters_are_read_the_same_after_any_game() {
    let text = games(trials(4, 12, 100));
    let undeclared = |to: &&&'static dyn Notation| may_be_unnamed(**to);
    let mut all: Vec<Vec<u8>> = written(&text, NOTATIONS[0], false);
    let mut dice = Dice::new(0x34);
    for to in NOTATIONS.iter().filter(undeclared) {
        for game in written(&text, *to, false) {
            let pick = dice.below(3);
            all.push(if pick == 0 { damaged(&game, &mut dice) } else { game });
        }
    }
    // What sets of letters read differently, and what none reads.
    for movetext in
        ["1. Pf3 d5 2. Pd4 e5 3. Pb5 Dd7 *", "1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lc7 Sf6 *"]
    {
        all.push(format!("[Event \"a\"]\n\n{movetext}\n\n").into_bytes());
    }
    let fen = "3qk2r/8/8/8/8/8/8/R2QK3 w - - 0 1";
    all.push(format!("[FEN \"{fen}\"]\n[SetUp \"1\"]\n\n1. Va4 *\n\n").into_bytes());
    for game in &all[all.len() - 3..] {
        agree(game, false);
    }
    let profile = Profile::lenient();
    let replayer = || Replayer::new(&profile, None, History::Ignored).with_notes();
    for _ in 0..2 {
        let mut shared = replayer();
        let mut verdicts = Verdicts::default();
        let mut alone = Vec::new();
        let mut counts = vec![0; Deviation::ALL.len()];
        for game in &all {
            shared.replay(game, &mut verdicts);
            let mut own = replayer();
            let mut own_verdicts = Verdicts::default();
            own.replay(game, &mut own_verdicts);
            alone.append(&mut own_verdicts.games);
            for (sum, count) in counts.iter_mut().zip(own.counts.deviations) {
                *sum += count;
            }
            assert_eq!(verdicts.games.len(), alone.len());
            assert_eq!(verdicts.games.last(), alone.last());
        }
        assert_eq!(shared.counts.deviations.to_vec(), counts);
        // In another order.
        for at in (1..all.len()).rev() {
            all.swap(at, dice.below(at + 1));
        }
    }
}

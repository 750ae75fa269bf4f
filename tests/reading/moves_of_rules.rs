//! The moves that the library gives of games of all rulesets: no game that is accepted with moves is empty.
//!
//! In: random games of each variant, with its castling of chess and of Chess960, with variations, null moves where the
//! rules allow one, and comments. Out: the moves, texts and positions with which the games were made; the same of
//! games that were saved and loaded, and of those that a visitor receives. A game of another board is rejected, with a
//! reason.

use std::io::Cursor;

use crate::common::{Dice, trials};
use pgnmill::{
    AnyPosition, Game, OwnedGame, PlayedMove, Reader, RulesKind, SAN, UCI, Verdict, Visitor,
    write_move_of_rules,
};
use pgnmill_core::chess::rules::VariantKind;

/// A game: its text, the moves of its main line in SAN and UCI, the positions before and after them.
struct Known {
    text: String,
    san: Vec<String>,
    uci: Vec<String>,
    records: Vec<String>,
}

fn random(rules: RulesKind, dice: &mut Dice) -> Known {
    let AnyPosition::Variant(mut position) = AnyPosition::initial(rules) else {
        panic!("{rules:?} is no variant")
    };
    let suffix = if position.board().is_chess960() { " 960" } else { "" };
    let mut text = format!("[Variant \"{}{suffix}\"]\n\n", rules.name());
    let mut known = Known {
        text: String::new(),
        san: Vec::new(),
        uci: Vec::new(),
        records: vec![position.to_fen()],
    };
    for _ in 0..dice.below(60) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let [mv, other] = [0, 1].map(|_| legal[dice.below(legal.len())]);
        let written = |notation| {
            write_move_of_rules(notation, &AnyPosition::Variant(position), mv).unwrap().to_string()
        };
        known.san.push(written(SAN));
        known.uci.push(written(UCI));
        let before = AnyPosition::Variant(position);
        let (number, dots) = match position.turn() {
            pgnmill::Color::White => (before.fullmove_number(), "."),
            pgnmill::Color::Black => (before.fullmove_number(), "..."),
        };
        text += &format!("{number}{dots} {} ", written(SAN));
        if dice.below(8) == 0 {
            let other = write_move_of_rules(SAN, &before, other).unwrap();
            text += &format!("{{a}} ({number}{dots} {other} {{b}}) ");
        }
        position = position.play(mv);
        known.records.push(position.to_fen());
    }
    known.text = text + "*\n\n";
    known
}

/// Is it the game that was made?
fn check(game: &Game<'_>, known: &Known) {
    let shown = String::from_utf8_lossy(game.text());
    assert_ne!(game.verdict(), Verdict::Rejected, "{shown}: {:?}", game.fault());
    let moves: Vec<PlayedMove<'_>> = game.moves().collect();
    let texts = |notation| -> Vec<String> {
        moves.iter().map(|ply| ply.written(notation).unwrap().to_string()).collect()
    };
    assert_eq!(texts(SAN), known.san, "{shown}");
    assert_eq!(texts(UCI), known.uci, "{shown}");
    let before = game.line_of_rules().map(|(before, _)| before.to_fen());
    let records: Vec<String> = before.chain(game.end_of_rules().map(|end| end.to_fen())).collect();
    assert_eq!(records, known.records, "{shown}");
    for (ply, record) in moves.iter().zip(&known.records[1..]) {
        assert_eq!(&ply.after_of_rules().to_fen(), record, "{shown}");
    }
    let movetext = game.movetext(UCI);
    let words = movetext.split(' ').filter(|word| !word.ends_with('.') && *word != "*");
    assert_eq!(words.collect::<Vec<_>>(), known.uci, "{shown}");
}

/// Counts what a visitor receives.
#[derive(Default)]
struct Counting {
    plies: usize,
    games: usize,
}

impl Visitor for Counting {
    fn ply(&mut self, ply: &PlayedMove<'_>) {
        self.plies += usize::from(ply.depth == 0);
    }

    fn game_end(&mut self, _: &Game<'_>) {
        self.games += 1;
    }
}

#[test]
fn games_of_all_variants_have_their_moves() {
    let mut dice = Dice::new(0x74);
    for &kind in VariantKind::ALL {
        for chess960 in [false, true] {
            let rules = RulesKind::Variant { kind, chess960 };
            let games: Vec<Known> =
                (0..trials(20, 20, 200)).map(|_| random(rules, &mut dice)).collect();
            let text: String = games.iter().map(|game| game.text.as_str()).collect();
            let reader = || Reader::from_reader("text", Cursor::new(text.clone())).unwrap();
            let owned: Vec<OwnedGame> =
                reader().threads(1).read_ahead().unwrap().map(|game| game.unwrap()).collect();
            assert_eq!(owned.len(), games.len());
            let mut lent = reader().games();
            let mut counted = Counting::default();
            for (owned, known) in owned.iter().zip(&games) {
                check(&owned.game(), known);
                let again = OwnedGame::from_bytes(&owned.to_bytes()).unwrap();
                check(&again.game(), known);
                let lent = lent.next().unwrap().unwrap();
                check(&lent, known);
                lent.visit(&mut counted);
            }
            let plies: usize = games.iter().map(|game| game.san.len()).sum();
            assert_eq!((counted.plies, counted.games), (plies, games.len()), "{rules:?}");
            assert!(plies > games.len() * 5, "{rules:?}");
        }
    }
}

#[test]
fn the_game_of_atomic_has_its_moves() {
    let text = "[Variant \"Atomic\"]\n\n1. e4 d5 2. exd5 Qd2+ 1-0\n";
    let [game] = &Reader::from_reader("text", Cursor::new(text))
        .unwrap()
        .read_ahead()
        .unwrap()
        .map(|game| game.unwrap())
        .collect::<Vec<_>>()[..]
    else {
        panic!("one game")
    };
    let game = game.game();
    assert_ne!(game.verdict(), Verdict::Rejected);
    let movetext = game.movetext(UCI);
    assert!(movetext.starts_with("1. e2e4 d7d5 2. e4d5"), "{movetext}");
    assert_eq!(game.main_line().count(), game.moves().count());
}

#[test]
fn a_game_of_another_board_is_rejected_with_its_reason() {
    for (variant, mv) in [("Chess 99", "e5"), ("Hexagonal", "f6"), ("Raumschach", "Bc3")] {
        let tag = format!("[Variant \"{variant}\"]\n\n");
        let text = format!("{tag}1. {mv} *\n\n{tag}*\n");
        let reader = Reader::from_reader("text", Cursor::new(text)).unwrap();
        let games: Vec<OwnedGame> =
            reader.read_ahead().unwrap().map(|game| game.unwrap()).collect();
        for owned in &games {
            let game = owned.game();
            let has_moves = game.text().windows(2).any(|pair| pair == b"1.");
            assert_eq!(game.verdict() == Verdict::Rejected, has_moves, "{variant}");
            assert_eq!(game.fault().is_some(), has_moves, "{variant}");
        }
        assert_eq!(games.len(), 2);
    }
}

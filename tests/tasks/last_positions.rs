//! Facts of the last position and of single moves in every ruleset: `--where` has what shakmaty computes.
//!
//! In: random games of each ruleset from random records, and the records of their last positions as games without
//! moves. Laws: `check`, `mate` and `stalemate` are those of shakmaty, whether or not a move was played; so are the
//! facts of single moves; facts of material and positions are missing where the rules are not those of chess. Giveaway
//! and Suicide, which shakmaty does not have, move as Antichess does without castling rights. In Chess 99 the check is
//! that of the text of the last play, and there is no mate.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use crate::common::variants::{SHARED, random_record, start_of_chess960, theirs_of};
use crate::common::{Dice, Scratch, errors_of, exit_code, run_in, trials};
use pgnmill_core::chess::rules::{AnyPosition, Chess99, Play99, Rules, RulesKind, VariantKind};
use pgnmill_core::notation::{CHESS99, MoveText, OtherPly, Ply99};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::variant::{Variant, VariantPosition as Theirs};
use shakmaty::{CastlingMode, CastlingSide, EnPassantMode, Move, Position as _, Role};

/// The facts that are true or false in every ruleset, in the order of [`Game::facts`].
const FACTS: [&str; 8] = [
    "check",
    "mate",
    "stalemate",
    "promotion",
    "underpromotion",
    "castling_short",
    "castling_long",
    "en_passant",
];
/// The facts of chess alone.
const OF_CHESS: [&str; 6] = [
    "insufficient_material",
    "material(\"Kk\")",
    "material_any_colour(\"KQk\")",
    "position(\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\")",
    "final_fen",
    "final_material",
];

/// A ruleset: what random records are made for, its rules here, its rules in shakmaty, its tag value.
#[derive(Clone, Copy)]
struct Ruleset {
    kind: VariantKind,
    rules: RulesKind,
    variant: Variant,
    tag: &'static str,
}

fn rulesets() -> Vec<Ruleset> {
    let of = |kind: VariantKind, variant| Ruleset {
        kind,
        rules: RulesKind::Variant { kind, chess960: false },
        variant,
        tag: kind.name(),
    };
    let chess = Ruleset {
        rules: RulesKind::Chess,
        tag: "Standard",
        ..of(VariantKind::KingOfTheHill, Variant::Chess)
    };
    let losing = [VariantKind::Giveaway, VariantKind::Suicide];
    let others = SHARED.map(|(kind, variant)| of(kind, variant));
    let losing = losing.map(|kind| of(kind, Variant::Antichess));
    [chess].into_iter().chain(others).chain(losing).collect()
}

/// A game and what shakmaty has of it.
struct Game {
    ruleset: Ruleset,
    record: String,
    movetext: String,
    facts: [bool; FACTS.len()],
    insufficient: bool,
}

impl Game {
    /// The game without moves of a record; `None` if it is refused here or there.
    fn of(ruleset: Ruleset, record: &str) -> Option<(Game, Theirs)> {
        AnyPosition::from_fen(record.as_bytes(), ruleset.rules).ok()?;
        let position = theirs_of(ruleset.variant, record, CastlingMode::Standard)
            .or_else(|| theirs_of(ruleset.variant, record, CastlingMode::Chess960))?;
        let record = record.to_string();
        let (facts, movetext) = ([false; FACTS.len()], String::new());
        let mut game = Game { ruleset, record, movetext, facts, insufficient: false };
        game.end(&position);
        Some((game, position))
    }

    /// The facts of the last position.
    fn end(&mut self, position: &Theirs) {
        self.facts[0] = position.is_check();
        self.facts[1] = position.is_checkmate();
        self.facts[2] = position.is_stalemate();
        self.insufficient = position.is_insufficient_material();
    }

    fn play(&mut self, position: &mut Theirs, mv: Move) {
        use Role::{Bishop, Knight, Rook};
        self.facts[3] |= mv.promotion().is_some();
        self.facts[4] |= matches!(mv.promotion(), Some(Rook | Bishop | Knight));
        self.facts[5] |= mv.castling_side() == Some(CastlingSide::KingSide);
        self.facts[6] |= mv.castling_side() == Some(CastlingSide::QueenSide);
        self.facts[7] |= mv.is_en_passant();
        let san = SanPlus::from_move_and_play_unchecked(position, mv);
        let _ = write!(self.movetext, "{san} ");
        self.end(position);
    }

    fn text(&self, number: usize) -> String {
        let Game { ruleset: Ruleset { tag, .. }, record, movetext, .. } = self;
        format!(
            "[Event \"{number}\"]\n[Variant \"{tag}\"]\n[SetUp \"1\"]\n[FEN \"{record}\"]\n\n{movetext}*\n\n"
        )
    }
}

/// A random legal move; often one that ends the game or gives check.
fn chosen(position: &Theirs, dice: &mut Dice) -> Option<Move> {
    let moves = position.legal_moves();
    let leads = |goal: fn(&Theirs) -> bool| {
        moves.iter().copied().find(|&mv| {
            let mut after = position.clone();
            after.play_unchecked(mv);
            goal(&after)
        })
    };
    let preferred = match dice.below(5) {
        0 => leads(|after| after.legal_moves().is_empty()),
        1 => leads(|after| after.is_stalemate()),
        2 => leads(|after| after.is_check()),
        _ => None,
    };
    preferred.or_else(|| moves.get(dice.below(moves.len())).copied())
}

/// A random game, and its last position as a game without moves.
fn random_games(ruleset: Ruleset, dice: &mut Dice, games: &mut Vec<Game>) {
    let is_antichess = ruleset.variant == Variant::Antichess;
    let record = match dice.below(8) {
        // Stalemate is a move away.
        7 => "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1".to_string(),
        0 | 4 if !is_antichess => match ruleset.rules {
            RulesKind::Chess => AnyPosition::initial(RulesKind::Chess).to_fen(),
            _ => ruleset.kind.initial(false).to_fen(),
        },
        1 | 5
            if !matches!(ruleset.kind, VariantKind::Horde | VariantKind::RacingKings)
                && !is_antichess =>
        {
            start_of_chess960(ruleset.kind, dice)
        }
        _ => {
            let pieces_max = 1 + dice.below(20);
            random_record(ruleset.kind, pieces_max, dice)
        }
    };
    let Some((mut game, mut position)) = Game::of(ruleset, &record) else { return };
    for _ in 0..dice.below(120) {
        let Some(mv) = chosen(&position, dice) else { break };
        game.play(&mut position, mv);
    }
    let last = Fen::from_position(&position, EnPassantMode::Legal).to_string();
    games.push(game);
    games.extend(Game::of(ruleset, &last).map(|(game, _)| game));
}

/// The numbers of the games that an expression selects.
fn selected(scratch: &Scratch, expression: &str) -> BTreeSet<usize> {
    let output =
        run_in(scratch.path(), &["select", "-q", "--where", expression, "-o", "-", "a.pgn"], b"");
    assert_eq!(exit_code(&output), 0, "{expression}: {}", errors_of(&output));
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers =
        text.lines().filter_map(|line| line.strip_prefix("[Event \"")?.strip_suffix("\"]"));
    numbers.map(|number| number.parse().unwrap()).collect()
}

/// An expression is true of these games, missing for those, false for all others.
fn holds(scratch: &Scratch, games: &[Game], fact: &str, value: impl Fn(&Game) -> Option<bool>) {
    for (expression, wanted) in [
        (fact.to_string(), Some(true)),
        (format!("not {fact}"), Some(false)),
        (format!("({fact}) is missing"), None),
    ] {
        let found = selected(scratch, &expression);
        for (number, game) in games.iter().enumerate() {
            let is_found = found.contains(&number);
            assert_eq!(is_found, value(game) == wanted, "{expression}: {}", game.text(number));
        }
    }
}

#[test]
fn facts_of_the_last_position_are_those_of_shakmaty_in_every_ruleset() {
    let mut games = Vec::new();
    for ruleset in rulesets() {
        let mut dice = Dice::new(2_000 + ruleset.kind as u64);
        let first = games.len();
        while games.len() < first + trials(300, 300, 3_000) {
            random_games(ruleset, &mut dice, &mut games);
        }
    }
    let texts: String = games.iter().enumerate().map(|(number, game)| game.text(number)).collect();
    let scratch = Scratch::new();
    scratch.write("a.pgn", texts.as_bytes());
    assert_eq!(selected(&scratch, "verdict == 'rejected'"), BTreeSet::new());
    for (index, fact) in FACTS.into_iter().enumerate() {
        holds(&scratch, &games, fact, |game| Some(game.facts[index]));
    }
    let is_chess = |game: &Game| game.ruleset.rules == RulesKind::Chess;
    holds(&scratch, &games, OF_CHESS[0], |game| is_chess(game).then_some(game.insufficient));
    for fact in OF_CHESS {
        let missing = selected(&scratch, &format!("({fact}) is missing"));
        for (number, game) in games.iter().enumerate() {
            assert_eq!(missing.contains(&number), !is_chess(game), "{fact}: {}", game.text(number));
        }
    }
    has_every_case(&games);
}

/// Each fact of the last position is true of games with moves and without, in every ruleset that has it.
fn has_every_case(games: &[Game]) {
    let mut met: BTreeMap<(&str, &str, bool), usize> = BTreeMap::new();
    for game in games {
        for (fact, _) in FACTS.into_iter().zip(game.facts).take(3).filter(|(_, value)| *value) {
            *met.entry((game.ruleset.tag, fact, game.movetext.is_empty())).or_default() += 1;
        }
    }
    for Ruleset { tag, variant, .. } in rulesets() {
        let facts: &[&str] = match variant {
            Variant::Antichess | Variant::RacingKings => &["stalemate"],
            _ => &FACTS[..3],
        };
        for fact in facts {
            for has_no_moves in [false, true] {
                assert!(met.contains_key(&(tag, *fact, has_no_moves)), "{tag}, {fact}: {met:?}");
            }
        }
    }
}

/// A random game of Chess 99: its movetext, whether the text of its last play has the sign of check, and the record of
/// its last position, unless the game is over.
pub(super) fn game_of_99(dice: &mut Dice) -> (String, bool, Option<String>) {
    let AnyPosition::Chess99(mut position) = AnyPosition::initial(RulesKind::Chess99) else {
        unreachable!("the position of another ruleset")
    };
    let (mut movetext, mut last) = (String::new(), String::new());
    for ply in 0..dice.below(90) {
        let mut plays: Vec<Play99> = Vec::new();
        Chess99::visit_legal(&position, &mut |play| {
            plays.push(play);
            false
        });
        let after = |play| {
            let mut after = position;
            Chess99::play_into(&position, play, &mut after);
            after
        };
        let gives_check = |play: &Play99| Chess99::in_check(&after(*play));
        let check = plays.iter().copied().find(gives_check).filter(|_| dice.below(3) == 0);
        let Some(play) = check.or_else(|| plays.get(dice.below(plays.len())).copied()) else {
            break;
        };
        let (after, mut text) = (after(play), MoveText::default());
        let played = OtherPly::Chess99(Ply99::new(&position, play, &after));
        played.encode(CHESS99, &mut text).expect("its own notation");
        last = text.to_string();
        if ply % 2 == 0 {
            let _ = write!(movetext, "{}. ", ply / 2 + 1);
        }
        let _ = write!(movetext, "{last} ");
        position = after;
    }
    let is_over = Chess99::end(&position).is_some();
    (movetext, last.ends_with('+'), (!is_over).then(|| position.to_string()))
}

#[test]
fn games_of_chess99_have_the_check_of_their_last_play_and_no_mate() {
    let mut dice = Dice::new(99);
    let mut games: Vec<(String, bool)> = Vec::new();
    for _ in 0..trials(300, 300, 3_000) {
        let (movetext, is_check, record) = game_of_99(&mut dice);
        let tags = "[Event \"x\"]\n[Variant \"Chess 99\"]\n";
        games.push((format!("{tags}\n{movetext}*\n\n"), is_check));
        let without = |record| format!("{tags}[SetUp \"1\"]\n[FEN \"{record}\"]\n\n*\n\n");
        games.extend(record.map(|record| (without(record), is_check)));
    }
    let numbered = games
        .iter()
        .enumerate()
        .map(|(number, (text, _))| text.replace("[Event \"x\"]", &format!("[Event \"{number}\"]")));
    let scratch = Scratch::new();
    scratch.write("a.pgn", numbered.collect::<String>().as_bytes());
    for expression in ["verdict == 'rejected'", "mate", "mate is missing", "stalemate"] {
        assert_eq!(selected(&scratch, expression), BTreeSet::new(), "{expression}");
    }
    let numbers =
        (0..).zip(&games).filter(|(_, (_, is_check))| *is_check).map(|(number, _)| number);
    let checks: BTreeSet<usize> = numbers.collect();
    assert!(checks.len() > games.len() / 20, "{} of {}", checks.len(), games.len());
    assert_eq!(selected(&scratch, "check"), checks);
    let missing = selected(&scratch, "insufficient_material is missing");
    assert_eq!(missing, (0..games.len()).collect());
}

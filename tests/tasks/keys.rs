//! What `duplicates` compares, property by property: of two games that differ in one property, the second is a
//! duplicate exactly if the key that `docs/duplicates.md` states lacks that property. And every move of every ruleset
//! is another move.
//!
//! In: a game and copies of it with one change; all legal moves of positions as games of one ply. Out: nothing.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::common::games::{HARD, position};
use crate::common::{Dice, Scratch, errors_of, exit_code, run_in, trials};
use pgnmill_core::chess::rules::{AnyVariant, Rules, VariantKind, VariantPosition};
use pgnmill_core::chess::{Color, Move};
use pgnmill_core::notation::{Check, MoveText, UCI, VariantPly, write};

/// A game: its tag pairs, moves, result token.
#[derive(Clone)]
struct Game {
    tags: Vec<(&'static str, String)>,
    moves: &'static str,
    token: &'static str,
}

impl Game {
    fn new(moves: &'static str) -> Game {
        let tags = [
            ("Event", "e"),
            ("Site", "s"),
            ("Date", "2001.02.03"),
            ("UTCDate", "2001.02.04"),
            ("Round", "1"),
            ("White", "Tal, Mikhail"),
            ("Black", "Bronstein, David"),
            ("Result", "1-0"),
            ("UTCTime", "10:20:30"),
            ("ECO", "A00"),
            ("Annotator", "x"),
        ];
        Game {
            tags: tags.map(|(name, value)| (name, value.to_string())).to_vec(),
            moves,
            token: "1-0",
        }
    }

    fn with(&self, name: &'static str, value: Option<&str>) -> Game {
        let mut game = self.clone();
        game.tags.retain(|(known, _)| value.is_some() || *known != name);
        for (known, old) in &mut game.tags {
            if *known == name {
                *old = value.unwrap_or_default().to_string();
            }
        }
        game
    }

    fn with_token(&self, token: &'static str) -> Game {
        Game { token, ..self.clone() }
    }

    fn text(&self) -> String {
        let pairs = self.tags.iter().map(|(name, value)| format!("[{name} \"{value}\"]\n"));
        pairs.collect::<String>() + &format!("\n{} {}\n\n", self.moves, self.token)
    }
}

/// Standard error of a run that must go through, by the rule of moves alone as far as no other is given.
fn find(scratch: &Scratch, args: &[&str]) -> String {
    let rule = [["--same", "moves"], ["--min-plies", "1"], ["--near", "1"]];
    let absent = rule.iter().filter(|[name, _]| !args.contains(name)).flatten();
    find_as_is(scratch, &args.iter().chain(absent).copied().collect::<Vec<_>>())
}

/// The same with the rules of the program.
fn find_as_is(scratch: &Scratch, args: &[&str]) -> String {
    drop(fs::remove_dir_all(scratch.join("o")));
    let output = run_in(scratch.path(), &[&["duplicates"], args].concat(), b"");
    assert!(matches!(exit_code(&output), 0 | 1), "{args:?}: {}", errors_of(&output));
    errors_of(&output)
}

/// The rows of `groups.csv`, by column.
fn groups(scratch: &Scratch) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(scratch.join("o/groups.csv")).unwrap();
    let header = reader.headers().unwrap().clone();
    let row = |record: csv::StringRecord| {
        header.iter().map(String::from).zip(record.iter().map(String::from)).collect()
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

/// Are two games duplicates?
fn are_duplicates(scratch: &Scratch, options: &[&str], one: &Game, other: &Game) -> bool {
    scratch.write("a.pgn", format!("{}{}", one.text(), other.text()).as_bytes());
    find(scratch, &[&["-q", "a.pgn", "-o", "o"], options].concat());
    !groups(scratch).is_empty()
}

/// The tag pairs, and another value of each.
const CHANGES: [(&str, &str); 11] = [
    ("Event", "f"),
    ("Site", "t"),
    ("Date", "2001.02.05"),
    ("UTCDate", "2001.02.06"),
    ("Round", "2"),
    ("White", "Tal, M"),
    ("Black", "Smyslov, Vasily"),
    ("Result", "0-1"),
    ("UTCTime", "10:20:31"),
    ("ECO", "B00"),
    ("Annotator", "y"),
];

/// A kind of comparison: options, the moves of both games, what is compared.
type Kind = (&'static [&'static str], [&'static str; 2], &'static [&'static str]);

#[test]
fn games_that_differ_in_one_property_are_duplicates_if_it_is_not_compared() {
    let scratch = Scratch::new();
    let (long, short) = ("1. e4 e5 2. Nf3", "1. e4 e5");
    let kinds: [Kind; 4] = [
        (&["--near", "no"], [long, long], &[]),
        (
            &["--near", "no", "--same", "moves-and-players"],
            [long, long],
            &["Black", "Date", "Result", "UTCTime"],
        ),
        (&[], [long, short], &["White", "Black", "Date", "UTCTime", "Result"]),
        (&[], ["", ""], &["White", "Black", "Date", "Result", "Event", "Site", "Round", "UTCTime"]),
    ];
    for (options, [moves, others], compared) in kinds {
        let (one, other) = (Game::new(moves), Game::new(others));
        assert!(are_duplicates(&scratch, options, &one, &other), "{options:?}");
        for (name, value) in CHANGES {
            let expected = !compared.contains(&name);
            let changed = other.with(name, Some(value));
            let what = format!("{options:?} {moves:?}: {name}");
            assert_eq!(are_duplicates(&scratch, options, &one, &changed), expected, "{what}");
            assert_eq!(are_duplicates(&scratch, options, &changed, &one), expected, "{what}");
        }
        // The token counts where there is no tag pair, and only if results are compared.
        let compares_results = compared.contains(&"Result");
        let changed = other.with_token("0-1");
        assert!(
            are_duplicates(&scratch, options, &one, &changed),
            "{options:?}: token beside Result"
        );
        let [one_of, without] = [&one, &other].map(|game| game.with("Result", None));
        let changed = without.with_token("1/2-1/2");
        let found = are_duplicates(&scratch, options, &one_of, &changed);
        assert_eq!(found, !compares_results, "{options:?} {moves:?}: token without Result");
        assert!(
            are_duplicates(&scratch, options, &one_of, &without),
            "{options:?}: without Result"
        );
        // And `UTCDate` where `Date` is unknown.
        let compares_dates = compared.contains(&"Date");
        let [one_of, without] = [&one, &other].map(|game| game.with("Date", Some("????.??.??")));
        let changed = without.with("UTCDate", Some("2001.02.06"));
        let found = are_duplicates(&scratch, options, &one_of, &changed);
        assert_eq!(found, !compares_dates, "{options:?} {moves:?}: UTCDate");
        assert!(are_duplicates(&scratch, options, &one_of, &without), "{options:?}: unknown Date");
    }
}

/// Of several tag pairs of one name the last counts, in what is compared and in what is shown.
#[test]
fn of_several_tag_pairs_the_last_is_compared_and_shown() {
    let scratch = Scratch::new();
    let last = Game::new("1. e4 e5 2. Nf3");
    for name in ["White", "Black", "Date", "Result"] {
        let mut doubled = last.clone();
        let first = ("Z", "2222.01.01", "0-1");
        let value = match name {
            "Date" => first.1,
            "Result" => first.2,
            _ => first.0,
        };
        doubled.tags.insert(0, (name, value.to_string()));
        let short = Game { moves: "1. e4 e5", ..doubled.clone() };
        assert!(are_duplicates(&scratch, &[], &doubled, &short), "{name}");
        for row in groups(&scratch) {
            let expected = ["Tal, Mikhail", "Bronstein, David", "2001.02.03", "1-0"];
            let found = ["white", "black", "date", "result"].map(|column| row[column].as_str());
            assert_eq!(found, expected, "{name}");
        }
    }
}

/// Games of one ply each, twice, in random order: each is the duplicate of its copy, and of no other.
fn check_moves(
    scratch: &Scratch,
    tags: &str,
    number: &str,
    moves: &BTreeSet<String>,
    dice: &mut Dice,
) {
    let mut games: Vec<&String> = moves.iter().chain(moves).collect();
    for at in (1..games.len()).rev() {
        games.swap(at, dice.below(at + 1));
    }
    let text: String = games.iter().map(|mv| format!("{tags}\n{number} {mv} *\n\n")).collect();
    scratch.write("a.pgn", text.as_bytes());
    find(scratch, &["-q", "a.pgn", "-o", "o", "--near", "no", "--allow", "null-move-main-line"]);
    let mut members: BTreeMap<String, Vec<&String>> = BTreeMap::new();
    for row in groups(scratch) {
        let game: usize = row["game"].parse().unwrap();
        members.entry(row["group"].clone()).or_default().push(games[game - 1]);
    }
    assert_eq!(members.len(), moves.len(), "{tags}: {members:?}");
    for members in members.values() {
        assert!(members.len() == 2 && members[0] == members[1], "{tags}: {members:?}");
    }
}

#[test]
fn every_move_of_a_position_of_chess_is_another_move() {
    let (scratch, mut dice) = (Scratch::new(), Dice::new(0xc1));
    for fen in HARD {
        let position = position(fen);
        let uci = pgnmill_core::notation::find("uci").expect("registered");
        let mut moves: BTreeSet<String> = position
            .legal_moves()
            .iter()
            .map(|&mv| write(uci, &position, mv).to_string())
            .collect();
        if !position.in_check() {
            moves.insert("--".to_string());
        }
        let variant = if position.is_chess960() { "[Variant \"Chess960\"]\n" } else { "" };
        let tags = format!("{variant}[SetUp \"1\"]\n[FEN \"{fen}\"]\n[MoveNotation \"uci\"]\n");
        let number = if position.turn() == Color::White { "1." } else { "1..." };
        check_moves(&scratch, &tags, number, &moves, &mut dice);
    }
}

/// A position of a ruleset after random moves, from which the game goes on.
fn walked(kind: VariantKind, dice: &mut Dice) -> VariantPosition {
    let mut position = kind.initial(false);
    for _ in 0..20 + dice.below(60) {
        let legal = position.legal_moves();
        // Drops empty the pockets.
        let kept: Vec<Move> = legal.iter().copied().filter(|mv| !mv.is_drop()).collect();
        let Some(&mv) = kept.get(dice.below(kept.len().max(1))) else { break };
        let next = position.play(mv);
        if AnyVariant::end(&next).is_some() {
            break;
        }
        position = next;
    }
    position
}

#[test]
fn every_move_and_drop_of_a_position_of_a_variant_is_another_move() {
    let (scratch, mut dice, mut drops) = (Scratch::new(), Dice::new(0xc2), 0);
    let variants = pgnmill_core::chess::rules::RulesKind::all()
        .filter_map(|rules| Some((rules.variant()?, rules.title())));
    for (kind, title) in variants {
        for _ in 0..trials(4, 4, 40) {
            let position = walked(kind, &mut dice);
            let mut moves = BTreeSet::new();
            for mv in position.legal_moves() {
                let (after, mut text) = (position.play(mv), MoveText::default());
                let ply = VariantPly::new(&position, mv, &after, Check::None);
                UCI.encode_variant(&ply, &mut text).expect("UCI writes all moves");
                drops += usize::from(mv.is_drop());
                moves.insert(text.to_string());
            }
            if AnyVariant::pass(&position).is_some() {
                moves.insert("--".to_string());
            }
            let tags = format!(
                "[Variant \"{title}\"]\n[SetUp \"1\"]\n[FEN \"{}\"]\n[MoveNotation \"uci\"]\n",
                position.to_fen()
            );
            let dots = if position.turn() == Color::White { "." } else { "..." };
            let number = format!("{}{dots}", position.board().fullmove_number());
            check_moves(&scratch, &tags, &number, &moves, &mut dice);
        }
    }
    assert!(drops > 60, "{drops}");
}

/// Two runs with other options have other options in their summaries, and each option is there by name.
#[test]
fn the_summary_has_every_option_that_decides_about_groups() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", Game::new("1. e4 e5").text().as_bytes());
    let mut seen = BTreeMap::new();
    for near in ["", "--near 2", "--near 3", "--near 1", "--near no", "--min-plies 7 --near 2"] {
        for same in ["", "--same moves"] {
            for keep in ["", "--keep longest"] {
                for more in ["", "--strict", "--from uci"] {
                    let options = [near, same, keep, more].join(" ");
                    let args: Vec<&str> = options.split_whitespace().collect();
                    find_as_is(&scratch, &[&["-q", "a.pgn", "-o", "o"], &args[..]].concat());
                    let summary = fs::read_to_string(scratch.join("o/summary.csv")).unwrap();
                    let row = summary.lines().find_map(|line| line.strip_prefix("options,"));
                    let row = row.unwrap_or_else(|| panic!("{summary}")).to_string();
                    for option in [near, same, keep, more] {
                        assert!(row.contains(option), "{option} is not in {row}");
                    }
                    let before = seen.insert(row.clone(), options.clone());
                    assert_eq!(before, None, "{row} is of {options}, too");
                }
            }
        }
    }
}

/// Rejected games that no output has are warned of, with their number; where one has them, they are not.
#[test]
fn rejected_games_that_are_nowhere_are_warned_of() {
    let scratch = Scratch::new();
    let bad = Game::new("1. e4 Ke3");
    let good = Game::new("1. e4 e5");
    for (rejected, text) in
        [(0, good.text()), (1, good.text() + &bad.text()), (2, bad.text() + &bad.text())]
    {
        scratch.write("a.pgn", text.as_bytes());
        for (options, keeps) in [
            (&["--keep", "first"][..], false),
            (&["--keep", "longest"], false),
            (&["--keep", "first", "--keep-rejects"], true),
            (&["--keep", "first", "--rejects", "r.pgn", "--overwrite"], true),
            (&[], true),
        ] {
            let errors = find(&scratch, &[&["a.pgn", "-o", "o"], options].concat());
            let is_warned = errors.contains("not in the archive; --rejects FILE");
            let words = ["", "1 rejected game is not", "2 rejected games are not"][rejected];
            assert!(!is_warned || errors.contains(words), "{errors}");
            assert_eq!(is_warned, rejected > 0 && !keeps, "{options:?}: {errors}");
        }
    }
}

//! Selections: the laws of `--where`, against a second evaluation of the same expressions, and `select` itself.
//!
//! In: archives, real and crafted, and random expressions. The second evaluation reads games one by one with the
//! library's
//! reader and shares no code with the selection but that reader.

use std::fs;
use std::process::Output;
use std::sync::Arc;

use crate::common::{
    self, Dice, SAMPLE, SOURCES, Scratch, errors_of, exit_code, run_in, text_of, thinned, trials,
};
use pgnmill::{Outcome, Position, Reader, Selection, Verdict};
use pgnmill_core::engine::Rejects;
use pgnmill_core::tasks::select::{Edits, Select};
use pgnmill_laws::support::{Run, Task, ledger_of, run_of};

/// Games in every form that delimits them: by tag pairs, by results alone, on one line, with text between, with open
/// comments and variations, rejected ones among them.
const CRAFTED: &str = "words before\n\
[Event \"a\"]\n[White \"Ann\"]\n[WhiteElo \"2000\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0\n\n\
1. d4 d5 0-1 2. c4 *\n\n\
[Event \"b\"]\n[WhiteElo \"?\"]\n[Result \"*\"]\n\n1. e4 {1-0} e5 * {c} 1. c4 1/2-1/2\n\n\
[Event \"c\"]\n[WhiteElo \"1500\"]\n[BlackElo \"1600\"]\n[Date \"2024.05.??\"]\n\n1. e4 Ke2 1-0\n\n\
[Event \"d\"]\n[WhiteElo \"1500\"]\n[Result \"0-1\"][White \"x\"] 1. f3 e5 2. g4 Qh4# 0-1 [Event \"e\"] 1. e4 *\n\n\
[Event \"f\"]\n[WhiteElo \"2400\"]\n\n1. e4 (1. d4 *\n\n\
[Event \"g\"]\n[WhiteElo \"2500\"]\n\n1. e4 {open *\n\n\
[Event \"h\"]\n[WhiteElo \"2600\"]\n[ECO \"B00\"]\n[ECO \"C00\"]\n\n1. a4 b5 2. axb5 a6 3. bxa6 Bb7 4. axb7 Nc6 5. bxa8=N 1:0\n\n\
[Event \"i\"]\n[WhiteElo \"99999\"]\n\n";

/// An expression that the test evaluates too.
#[derive(Debug)]
enum Expression {
    Elo(bool, &'static str, i64),
    Event(&'static str),
    Missing(&'static str),
    Mate,
    Underpromotion,
    Plies(&'static str, u32),
    Verdict(&'static str),
    Outcome(&'static str),
    Not(Box<Expression>),
    And(Box<Expression>, Box<Expression>),
    Or(Box<Expression>, Box<Expression>),
}

use Expression::*;

/// What the test knows of a game.
struct Facts {
    tags: Vec<(String, String)>,
    verdict: Verdict,
    last: Option<Position>,
    underpromotion: bool,
    plies: u32,
    outcome: Outcome,
}

impl Facts {
    fn tag(&self, name: &str) -> Option<&str> {
        let found = self.tags.iter().rev().find(|(known, _)| known == name);
        found
            .map(|(_, value)| value.as_str())
            .filter(|value| !value.chars().all(|c| c == '?' || c <= ' '))
    }

    fn is_read<T>(&self, value: T) -> Option<T> {
        (self.verdict != Verdict::Rejected).then_some(value)
    }
}

fn compare<T: PartialOrd>(operator: &str, one: T, other: T) -> bool {
    match operator {
        "<" => one < other,
        "<=" => one <= other,
        ">" => one > other,
        ">=" => one >= other,
        "==" => one == other,
        _ => one != other,
    }
}

impl Expression {
    fn random(dice: &mut Dice, depth: usize) -> Expression {
        let mut below = |n: usize| dice.below(n);
        let operator = ["<", "<=", ">", ">=", "==", "!="][below(6)];
        match below(if depth == 0 { 8 } else { 12 }) {
            0 => Elo(below(2) == 0, operator, [1500, 2000, 2400][below(3)]),
            1 => Event(["a", "b", "Rated Blitz game"][below(3)]),
            2 => Missing(["WhiteElo", "Event", "ECO", "Black"][below(4)]),
            3 => Mate,
            4 => Underpromotion,
            5 => Plies(operator, [2, 8, 60][below(3)]),
            6 => Verdict(["accepted", "repaired", "rejected"][below(3)]),
            7 => Outcome(["1-0", "0-1", "*"][below(3)]),
            8 | 9 => Not(Box::new(Expression::random(dice, depth - 1))),
            10 => And(
                Box::new(Expression::random(dice, depth - 1)),
                Box::new(Expression::random(dice, depth - 1)),
            ),
            _ => Or(
                Box::new(Expression::random(dice, depth - 1)),
                Box::new(Expression::random(dice, depth - 1)),
            ),
        }
    }

    fn text(&self) -> String {
        let elo = |white: &bool| if *white { "WhiteElo" } else { "BlackElo" };
        match self {
            Elo(white, operator, number) => format!("{} {operator} {number}", elo(white)),
            Event(text) => format!("Event == \"{text}\""),
            Missing(name) => format!("{name} is missing"),
            Mate => "mate".to_string(),
            Underpromotion => "underpromotion".to_string(),
            Plies(operator, number) => format!("ply_count {operator} {number}"),
            Verdict(name) => format!("verdict == '{name}'"),
            Outcome(name) => format!("outcome == '{name}'"),
            Not(one) => format!("not ({})", one.text()),
            And(one, other) => format!("({}) and ({})", one.text(), other.text()),
            Or(one, other) => format!("({}) or ({})", one.text(), other.text()),
        }
    }

    fn value(&self, game: &Facts) -> Option<bool> {
        match self {
            Elo(white, operator, number) => {
                let elo = game.tag(if *white { "WhiteElo" } else { "BlackElo" })?;
                let elo = i64::from(elo.trim_ascii().parse::<i16>().ok()?);
                Some(compare(operator, elo, *number))
            }
            Event(text) => game.tag("Event").map(|event| event == *text),
            Missing(name) => Some(match (game.tag(name), name.ends_with("Elo")) {
                (None, _) => true,
                (Some(value), true) => value.trim_ascii().parse::<i16>().is_err(),
                (Some(_), false) => false,
            }),
            Mate => game.is_read(game.last.is_some_and(|last| last.is_checkmate())),
            Underpromotion => game.is_read(game.underpromotion),
            Plies(operator, number) => game.is_read(compare(operator, game.plies, *number)),
            Verdict(name) => Some(format!("{:?}", game.verdict).to_lowercase() == *name),
            Outcome(name) => game.is_read(game.outcome.canonical() == *name),
            Not(one) => one.value(game).map(|value| !value),
            And(one, other) => match (one.value(game), other.value(game)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
            Or(one, other) => match (one.value(game), other.value(game)) {
                (Some(true), _) | (_, Some(true)) => Some(true),
                (Some(false), Some(false)) => Some(false),
                _ => None,
            },
        }
    }
}

/// The facts of all games of a text, and their texts.
fn games_of(text: &[u8]) -> Vec<(Facts, Vec<u8>)> {
    let mut games =
        Reader::from_reader("text", std::io::Cursor::new(text.to_vec())).unwrap().games();
    let mut found = Vec::new();
    while let Some(game) = games.next().unwrap() {
        let pairs = game.tags().map(|tag| (tag.name.to_string(), tag.value.to_string())).collect();
        let (mut last, mut plies, mut underpromotion) = (game.start(), 0, false);
        for played in game.moves() {
            last = Some(played.after);
            plies += 1;
            let promoted = played.mv.promoted();
            underpromotion |= promoted.is_some_and(|role| role != pgnmill::Role::Queen);
        }
        let outcome = game.result().or_else(|| Outcome::from_any(game.tag("Result")?.as_bytes()));
        let outcome = outcome.unwrap_or(Outcome::Unknown);
        let facts =
            Facts { tags: pairs, verdict: game.verdict(), last, underpromotion, plies, outcome };
        found.push((facts, game.text().to_vec()));
    }
    found
}

fn validating(expression: &str) -> Run {
    let selection = Selection::parse(expression).unwrap_or_else(|error| panic!("{error}"));
    let mut run = run_of(Task::Validate, Rejects::Dropped);
    run.settings.selection = Some(Arc::new(selection));
    run
}

fn texts() -> Vec<Vec<u8>> {
    let sample = text_of(&common::here(SAMPLE));
    let sources = fs::read(common::here(SOURCES)).unwrap();
    let crlf = CRAFTED.replace('\n', "\r\n");
    vec![CRAFTED.as_bytes().to_vec(), crlf.into_bytes(), sample[..200_000].to_vec(), sources]
}

/// For any expression: the games that it selects, those that its negation selects and those for which it is missing
/// are all
/// games; their numbers are those of the second evaluation, however the archive is divided.
#[test]
fn random_expressions_select_what_a_second_evaluation_selects() {
    let mut dice = Dice::new(17);
    for text in texts() {
        let games = games_of(&text);
        let all = games.len() as u64;
        for round in 0..common::trials(9, 27, 60) {
            let expression = Expression::random(&mut dice, 3);
            let source = expression.text();
            let count = |value: Option<bool>| {
                games.iter().filter(|(facts, _)| expression.value(facts) == value).count() as u64
            };
            let forms = [
                (source.clone(), Some(true)),
                (format!("not ({source})"), Some(false)),
                (format!("({source}) is missing"), None),
            ];
            for (form, value) in forms {
                let mut run = validating(&form);
                run.settings.threads = 1 + round % 3;
                run.settings.options.block_bytes = [64, 512, 1 << 20][round % 3];
                run.settings.options.range_bytes = [100, 3_000, 4 << 20][round / 3 % 3];
                let counts = ledger_of(&run, &text).counts;
                assert_eq!(counts.games(), all, "{form}");
                assert_eq!(counts.games() - counts.not_selected, count(value), "{form}");
            }
        }
    }
}

/// The same for mutated text of every form: the parts are all games, and each is as large as the second evaluation
/// gives.
#[test]
fn mutated_archives_are_divided_by_an_expression() {
    let mut dice = Dice::new(99);
    for _ in 0..trials(130, 400, 10_000) {
        let mut text = match dice.below(3) {
            0 => CRAFTED.as_bytes().to_vec(),
            _ => common::mutations::mixture(&mut dice),
        };
        common::mutations::mutate(&mut text, &mut dice);
        // Games of other rules have no moves in the reader, which the second evaluation uses.
        if memchr::memmem::find(&text, b"Crazyhouse").is_some() {
            continue;
        }
        let games = games_of(&text);
        let expression = Expression::random(&mut dice, 2);
        let source = expression.text();
        let count =
            |value| games.iter().filter(|(facts, _)| expression.value(facts) == value).count();
        let forms = [
            (source.clone(), Some(true)),
            (format!("not ({source})"), Some(false)),
            (format!("({source}) is missing"), None),
        ];
        for (form, value) in forms {
            let shown = || format!("{form}\n{}", String::from_utf8_lossy(&text));
            let mut run = validating(&form);
            run.settings.options.block_bytes = 64;
            let counts = ledger_of(&run, &text).counts;
            assert_eq!(counts.games(), games.len() as u64, "{}", shown());
            assert_eq!(counts.games() - counts.not_selected, count(value) as u64, "{}", shown());
            run.task = Task::Select(&COPY);
            let copied = ledger_of(&run, &text);
            assert_eq!(copied.counts.unread, count(value) as u64, "{}", shown());
            assert_eq!(copied.counts.games(), games.len() as u64, "{}", shown());
        }
    }
}

/// The first games and a sample are the same for any number of threads and any division.
#[test]
fn the_first_games_and_a_sample_do_not_depend_on_threads() {
    let folder = Scratch::new();
    let sample = text_of(&common::here(SAMPLE));
    fs::write(folder.join("a.pgn"), &sample).unwrap();
    fs::write(folder.join("b.pgn"), CRAFTED).unwrap();
    let of = |args: &[&str], threads: &str, bytes: &str| {
        let common = ["--threads", threads, "--range-bytes", bytes, "--block-bytes", bytes];
        let all = [&["select", "-o", "-"], args, &common, &["b.pgn", "a.pgn", "b.pgn"]].concat();
        let out = run_in(&folder.join("."), &all, b"");
        assert_eq!(exit_code(&out), 0, "{}", errors_of(&out));
        (out.stdout.clone(), errors_of(&out))
    };
    let cases = [
        &["--head", "7"][..],
        &["--head", "15", "--where", "WhiteElo > 1000"],
        &["--head", "20", "--where", "mate or Event == 'h'"],
        &["--sample", "11", "--seed", "3"],
        &["--sample", "5", "--where", "WhiteElo > 1000"],
    ];
    for args in thinned(2, cases) {
        let expected = of(args, "1", "100000");
        assert!(!expected.0.is_empty());
        assert_eq!(of(args, "2", "100000"), expected, "{args:?}");
        assert_eq!(of(args, "3", "3000"), expected, "{args:?}");
    }
    let one = of(&["--sample", "11", "--seed", "3"], "1", "100000");
    assert_ne!(of(&["--sample", "11", "--seed", "4"], "1", "100000").0, one.0);
}

/// A condition on comments has the text that the column of comments has, whatever kind of comment it is.
#[test]
fn comments_of_conditions_are_those_of_the_column() {
    let folder = Scratch::new();
    for (written, comment) in [
        ("{a b}", "a b"),
        ("{a {b} c}", "a {b} c"),
        ("{a {b}}", "a {b}"),
        ("{a {{b} c} d}", "a {{b} c} d"),
        ("; a b\n", "a b"),
        ("{}", ""),
    ] {
        fs::write(folder.join("a.pgn"), format!("[White \"x\"]\n\n1. e4 {written} e5 *\n"))
            .unwrap();
        let export = ["export", "-q", "--table", "plies", "--columns", "ply,comment"];
        let export = [&export[..], &["--format", "csv", "-o", "-", "a.pgn"]].concat();
        let ran = run_in(folder.path(), &export, b"");
        let mut rows = csv::Reader::from_reader(&ran.stdout[..]);
        let first = rows.records().next().unwrap().unwrap();
        assert_eq!(first[1].trim(), comment, "{written}: {}", errors_of(&ran));
        let (begin, end) = (comment.chars().next(), comment.chars().next_back());
        for (condition, is_selected) in [
            (format!("starts_with(comment, \"{}\")", begin.unwrap_or(' ')), begin.is_some()),
            (format!("ends_with(comment, \"{}\")", end.unwrap_or(' ')), end.is_some()),
            (format!("ends_with(comment, \"{comment}}}\")"), false),
        ] {
            // A comment to the end of its line begins with its blank.
            if written.starts_with(';') && condition.starts_with("starts") {
                continue;
            }
            let ran = run_in(
                folder.path(),
                &["select", "-q", "--where", &condition, "-o", "-", "a.pgn"],
                b"",
            );
            assert_eq!(exit_code(&ran), 0, "{condition}: {}", errors_of(&ran));
            assert_eq!(!ran.stdout.is_empty(), is_selected, "{written}: {condition}");
        }
    }
}

/// What is said of the first games is what was read up to the last of them, wherever an archive ends.
#[test]
fn the_first_games_are_counted_over_archives() {
    let (folder, mut dice) = (Scratch::new(), Dice::new(24));
    let game = |value: &str| format!("[White \"{value}\"]\n\n1. e4 *\n\n");
    for _ in 0..trials(12, 40, 400) {
        let names = &["a.pgn", "b.pgn", "c.pgn", "d.pgn"][..1 + dice.below(4)];
        let mut wanted = Vec::new();
        for name in names {
            let values: Vec<bool> = (0..1 + dice.below(5)).map(|_| dice.below(2) == 0).collect();
            let text = values.iter().map(|&is_wanted| game(if is_wanted { "x" } else { "y" }));
            fs::write(folder.join(name), text.collect::<String>()).unwrap();
            wanted.extend(values);
        }
        let head = 1 + dice.below(8);
        let places: Vec<usize> = (0..wanted.len()).filter(|&place| wanted[place]).collect();
        let selected = places.len().min(head);
        let read = places.get(head - 1).map_or(wanted.len(), |place| place + 1);
        let words = format!("select --head {head} --where White=='x' --overwrite -o o.pgn");
        let words: Vec<&str> = words.split(' ').chain(names.iter().copied()).collect();
        let ran = run_in(folder.path(), &words, b"");
        let games = |count: usize| if count == 1 { "game" } else { "games" };
        let expected = format!(
            "{selected} {} selected + {} not selected = {read} {} read",
            games(selected),
            read - selected,
            games(read)
        );
        let said = errors_of(&ran);
        assert!(said.lines().any(|line| line.starts_with(&expected)), "{expected}; {said}");
        let written = fs::read_to_string(folder.join("o.pgn")).unwrap();
        assert_eq!(written.matches("[White \"x\"]").count(), selected);
    }
}

static COPY: std::sync::LazyLock<Select> = std::sync::LazyLock::new(Select::default);

/// `select` copies exactly the texts of the selected games, in order, and keeps them apart.
#[test]
fn select_copies_the_texts_of_the_selected_games() {
    let mut dice = Dice::new(5);
    for text in texts() {
        let games = games_of(&text);
        let random: Vec<Expression> =
            (0..common::trials(6, 16, 40)).map(|_| Expression::random(&mut dice, 2)).collect();
        let cases = [("true".to_string(), None, true), ("false".to_string(), None, false)];
        let random = random.iter().map(|expression| (expression.text(), Some(expression), false));
        for (source, expression, all) in cases.into_iter().chain(random) {
            let selected = games.iter().filter(|(facts, _)| match expression {
                Some(expression) => expression.value(facts) == Some(true),
                None => all,
            });
            let mut outputs = Vec::new();
            for (threads, bytes) in [(1, 100), (2, 1_000), (1, 1 << 20)] {
                let mut run = validating(&source);
                run.task = Task::Select(&COPY);
                run.settings.threads = threads;
                (run.settings.options.block_bytes, run.settings.options.range_bytes) =
                    (bytes, bytes);
                let ledger = ledger_of(&run, &text);
                assert_eq!(ledger.counts.unread + ledger.counts.not_selected, games.len() as u64);
                outputs.push(ledger.out);
            }
            assert!(outputs.iter().all(|out| *out == outputs[0]), "{source}");
            // Joints are inserted between texts; no byte of a game is lost or changed.
            let mut rest = &outputs[0][..];
            let mut count = 0;
            for (_, game) in selected {
                let game = game.trim_ascii();
                let at = memchr::memmem::find(rest, game);
                let at =
                    at.unwrap_or_else(|| panic!("{source}: {}", String::from_utf8_lossy(game)));
                assert!(at < 40, "{source}: {}", String::from_utf8_lossy(&rest[..at]));
                rest = &rest[at + game.len()..];
                count += 1;
            }
            // Reading the output gives as many games again.
            let again = ledger_of(&run_of(Task::Validate, Rejects::Dropped), &outputs[0]).counts;
            assert_eq!(again.games(), count, "{source}");
        }
    }
}

/// A selection of every game is no selection, except for text between games.
#[test]
fn every_game_selected_is_as_without_a_selection() {
    for text in texts() {
        let plain = run_of(Task::convert(pgnmill::find_notation("uci").unwrap()), Rejects::Apart);
        let without = ledger_of(&plain, &text);
        let mut selecting = run_of(plain.task, Rejects::Apart);
        for source in ["true", "verdict is present", "ply_count >= 0 or verdict == 'rejected'"] {
            selecting.settings.selection = Some(Arc::new(Selection::parse(source).unwrap()));
            let with = ledger_of(&selecting, &text);
            assert_eq!(with.counts, without.counts, "{source}");
            assert_eq!(with.faults, without.faults, "{source}");
            if without.counts.between_bytes == 0 {
                assert_eq!(
                    (&with.out, &with.rejects),
                    (&without.out, &without.rejects),
                    "{source}"
                );
            }
        }
    }
}

/// Edits change neither the number of games, nor their moves and results, nor the verdict of a game that is not
/// rejected.
#[test]
fn edited_archives_have_the_same_games() {
    let edits = Edits {
        comments: true,
        clocks: true,
        evals: true,
        nags: true,
        variations: true,
        set: vec![("Source".to_string(), "a \"b\" \\".to_string())],
        remove: vec!["Round".to_string()],
        ..Edits::default()
    };
    let select: &'static Select = Box::leak(Box::new(Select { edits }));
    for text in texts() {
        let mut run = validating("verdict != 'rejected'");
        run.task = Task::Select(select);
        let edited = ledger_of(&run, &text).out;
        let before =
            games_of(&text).into_iter().filter(|(facts, _)| facts.verdict != Verdict::Rejected);
        let after = games_of(&edited);
        let before: Vec<_> = before.collect();
        assert_eq!(before.len(), after.len());
        for ((one, text), (other, edited)) in before.iter().zip(&after) {
            let what =
                format!("{}\n{}", String::from_utf8_lossy(text), String::from_utf8_lossy(edited));
            assert_eq!(
                (one.plies, one.last, one.outcome),
                (other.plies, other.last, other.outcome),
                "{what}"
            );
            assert_ne!(other.verdict, Verdict::Rejected, "{what}");
            assert_eq!(other.tag("Source"), Some("a \"b\" \\"), "{what}");
            assert_eq!(other.tag("Round"), None, "{what}");
        }
        let again = ledger_of(&run, &edited).out;
        assert_eq!(again, edited);
    }
}

/// The table of fields in docs/select.md is that of the declarations.
#[test]
fn the_fields_of_the_page_are_the_declared_ones() {
    let path = common::here("docs/select.md");
    let page = fs::read_to_string(&path).unwrap();
    let (begin, end) = ("<!-- fields -->\n", "<!-- end -->");
    let start = page.find(begin).unwrap() + begin.len();
    let stop = page.find(end).unwrap();
    let table = pgnmill::select::markdown();
    if std::env::var_os("PGNMILL_WRITE_DOCS").is_some() {
        fs::write(&path, [&page[..start], &table, &page[stop..]].concat()).unwrap();
        return;
    }
    assert!(page[start..stop] == table, "set PGNMILL_WRITE_DOCS=1 to write docs/select.md");
}

const TWO: &str = "[Event \"a\"]\n[ECO \"B00\"]\n[WhiteElo \"2000\"]\n\n1. e4 *\n\n[Event \"b\"]\n\n1. d4 *\n\n\
                   [Event \"c\"]\n[ECO \"B00\"]\n\n1. c4 *\n\n";

/// Commas divide a list of expressions; those within one do not.
#[test]
fn games_are_divided_by_a_list_of_expressions() {
    let folder = Scratch::new();
    fs::write(folder.join("in.pgn"), TWO).unwrap();
    let split = |by: &str| {
        run_in(&folder.join("."), &["select", "--split-by", by, "-o", "out", "in.pgn"], b"")
    };
    let out = split("ECO in ('B00', 'C00'), tag(\"Event\")");
    assert_eq!(exit_code(&out), 0, "{}", errors_of(&out));
    let games: Vec<&str> = TWO.split_inclusive("*\n\n").collect();
    for (name, game) in ["true-a.pgn", "missing-b.pgn", "true-c.pgn"].iter().zip(games) {
        assert_eq!(fs::read_to_string(folder.join("out").join(name)).unwrap(), game, "{name}");
    }
    fs::remove_dir_all(folder.join("out")).unwrap();
    for (by, expected) in [
        ("year,Event, year", "column 13: year is there twice"),
        ("Event,", "column 7: the expression ends where"),
        (",Event", "column 1: , is found where"),
        ("Event ECO", "and, or, or the end"),
        ("0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17", "16 expressions at most"),
        ("year,yeer", "column 6: there is no name yeer; did you mean year?"),
    ] {
        let out = split(by);
        assert_eq!(exit_code(&out), 2, "{by}");
        assert!(errors_of(&out).contains(expected), "{by}: {}", errors_of(&out));
        assert!(!folder.join("out").exists(), "{by}");
    }
}

#[test]
fn the_command_copies_games() {
    let folder = Scratch::new();
    fs::write(folder.join("in.pgn"), TWO).unwrap();
    let run = |args: &[&str]| run_in(&folder.join("."), args, b"");
    let printed = |out: &Output| String::from_utf8_lossy(&out.stdout).into_owned();
    let out = run(&["select", "--where", "ECO == 'B00'", "-o", "out.pgn", "in.pgn"]);
    assert_eq!(exit_code(&out), 0, "{}", errors_of(&out));
    let errors = errors_of(&out);
    assert!(errors.contains("2 games selected + 1 not selected = 3 games read"), "{errors}");
    let games: Vec<&str> = TWO.split_inclusive("*\n\n").collect();
    assert_eq!(fs::read_to_string(folder.join("out.pgn")).unwrap(), [games[0], games[2]].concat());
    // The first game, to standard output.
    let out = run(&["select", "--head", "1", "--where", "ECO is missing", "-o", "-", "in.pgn"]);
    assert_eq!(printed(&out), games[1]);
    assert!(errors_of(&out).contains("1 game selected + 1 not selected = 2 games read"));
    // One file per value.
    let out = run(&["select", "--split-by", "ECO", "-o", "eco", "in.pgn"]);
    assert_eq!(exit_code(&out), 0, "{}", errors_of(&out));
    let of = |name: &str| fs::read_to_string(folder.join("eco").join(name)).unwrap();
    assert_eq!(of("B00.pgn"), [games[0], games[2]].concat());
    assert_eq!(of("missing.pgn"), games[1]);
    // A tag pair that no game has, and what the moves say in its place.
    let out = run(&["select", "--split-by", "Opening", "-o", "none", "in.pgn"]);
    assert!(
        errors_of(&out).contains("no game has the tag pair Opening; opening_computed is"),
        "{}",
        errors_of(&out)
    );
    // A sample of all is all, in order.
    let out = run(&["select", "--sample", "9", "--seed", "4", "-o", "-", "in.pgn"]);
    assert_eq!(printed(&out), TWO);
    let out = run(&["select", "--sample", "2", "--seed", "4", "-o", "-", "in.pgn", "in.pgn"]);
    assert_eq!(printed(&out).matches("[Event").count(), 2);
    // Errors show the column.
    let out = run(&["validate", "--where", "ECO == 'B00' and Elo > 3", "in.pgn"]);
    assert_eq!(exit_code(&out), 2);
    assert!(errors_of(&out).contains("column 18"), "{}", errors_of(&out));
    let out = run(&["select", "--sample", "2", "-o", "x.pgn", "-"]);
    assert!(errors_of(&out).contains("standard input"), "{}", errors_of(&out));
    // An expression from a file; edits.
    fs::write(folder.join("e.txt"), "# a comment\nEvent == 'b'\n").unwrap();
    let edits = ["--set", "Site=x", "--remove", "Event", "--drop", "comments,nags"];
    let args = [&["select", "--where", "@e.txt", "-o", "-", "in.pgn"], &edits[..]].concat();
    assert_eq!(printed(&run(&args)), "[Site \"x\"]\n\n1. d4 *\n\n");
    let out = run(&["select", "--set", "FEN=x", "-o", "-", "in.pgn"]);
    assert!(errors_of(&out).contains("FEN"), "{}", errors_of(&out));
    let listed = printed(&run(&["fields"]));
    assert!(listed.contains("rating_min") && listed.contains("WhiteElo"));
}

/// Expressions are data of anybody: what they need is bounded, and their files are inputs.
#[test]
fn expressions_are_bounded_and_their_files_are_not_overwritten() {
    let folder = Scratch::new();
    fs::write(folder.join("in.pgn"), TWO).unwrap();
    let run = |args: &[&str]| run_in(&folder.join("."), args, b"");
    let many =
        |count: usize, pattern: &str| vec![format!("White =~ {pattern:?}"); count].join(" or ");
    for (expression, why) in [
        (many(257, "a"), "more than 256"),
        (many(6_000, "[a-z]{9999}"), "the regular expression cannot be used"),
        (many(200, "[a-z]{4000}"), "all together are larger than"),
    ] {
        fs::write(folder.join("expr.txt"), expression).unwrap();
        let out = run(&["select", "--where", "@expr.txt", "-o", "-", "in.pgn"]);
        assert_eq!(exit_code(&out), 2);
        assert!(errors_of(&out).contains(why), "{}", errors_of(&out));
        assert!(errors_of(&out).contains("column"), "{}", errors_of(&out));
    }
    let out = run(&["select", "--where", "@/dev/zero", "-o", "-", "in.pgn"]);
    assert_eq!(exit_code(&out), 2);
    assert!(errors_of(&out).contains("has more than 1048576 bytes"), "{}", errors_of(&out));
    let text = "ECO == 'B00'";
    fs::write(folder.join("expr.txt"), text).unwrap();
    fs::create_dir(folder.join("split")).unwrap();
    fs::write(folder.join("split/key.pgn"), "ECO").unwrap();
    let cases: [&[&str]; 4] = [
        &["select", "--where", "@expr.txt", "in.pgn", "-o", "expr.txt"],
        &["validate", "--where", "@expr.txt", "in.pgn", "--summary", "./expr.txt"],
        &["select", "--split-by", "@split/key.pgn", "-o", "split", "--set", "Event=key", "in.pgn"],
        &["select", "--split-by", "ECO", "-o", "split", "--rejects", "split/B00.pgn", "in.pgn"],
    ];
    for args in cases {
        let out = run(&[args, &["--overwrite"]].concat());
        let is_split = args.contains(&"@split/key.pgn");
        assert_eq!(exit_code(&out), if is_split { 0 } else { 2 }, "{}", errors_of(&out));
        assert_eq!(fs::read_to_string(folder.join("expr.txt")).unwrap(), text);
        assert_eq!(fs::read_to_string(folder.join("split/key.pgn")).unwrap(), "ECO");
    }
}

/// A game that is divided by what is of a player is in the files of both players, once if they are the same.
#[test]
fn games_are_divided_by_both_players() {
    let mut dice = Dice::new(0x75);
    let names = ["Ann", "Bob", "Zoe, A.", "?"];
    let folder = Scratch::new();
    let mut games = Vec::new();
    for number in 0..200 {
        let [white, black] = [0, 1].map(|_| dice.one(&names));
        let text =
            format!("[Event \"{number}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\n*\n\n");
        games.push((white, black, text));
    }
    let text: String = games.iter().map(|(.., text)| text.as_str()).collect();
    fs::write(folder.join("in.pgn"), text).unwrap();
    let words = ["select", "--split-by", "player", "-o", "out", "in.pgn"];
    let out = run_in(&folder.join("."), &words, b"");
    assert_eq!(exit_code(&out), 0, "{}", errors_of(&out));
    let mut copies = 0;
    for (name, file) in names.iter().zip(["Ann", "Bob", "Zoe, A.", "missing"]) {
        let of_name: Vec<&str> = games
            .iter()
            .filter(|(white, black, _)| white == name || black == name)
            .map(|(.., text)| text.as_str())
            .collect();
        copies += of_name.len();
        let paths = fs::read_dir(folder.join("out")).unwrap().map(|entry| entry.unwrap().path());
        let written: Vec<String> = paths.map(|path| fs::read_to_string(path).unwrap()).collect();
        let found = written.iter().filter(|text| text.trim() == of_name.concat().trim()).count();
        assert_eq!(found, 1, "{file}");
    }
    let said = errors_of(&out);
    assert!(said.contains(&format!("both its players: {copies} games in all files")), "{said}");
}

/// The key of partitions is a field here, and a field that of partitions.
#[test]
fn years_have_both_spellings() {
    let folder = Scratch::new();
    fs::write(folder.join("in.pgn"), "[Date \"2024.05.01\"]\n\n*\n").unwrap();
    for (by, out) in [("year", "a"), ("Year", "b"), ("Year,Month", "c")] {
        let words = ["select", "-q", "--split-by", by, "-o", out, "in.pgn"];
        let run = run_in(&folder.join("."), &words, b"");
        assert_eq!(exit_code(&run), 0, "{by}: {}", errors_of(&run));
    }
    assert!(folder.join("a/2024.pgn").is_file() && folder.join("b/2024.pgn").is_file());
    assert!(folder.join("c/2024-05.pgn").is_file());
    #[cfg(feature = "export")]
    for (by, out) in [("year", "d"), ("Year", "e")] {
        let words = ["export", "-q", "--partition-by", by, "-o", out, "in.pgn"];
        let run = run_in(&folder.join("."), &words, b"");
        assert_eq!(exit_code(&run), 0, "{by}: {}", errors_of(&run));
        assert!(folder.join(out).join("Year=2024").is_dir(), "{by}");
    }
}

/// Files of another run do not stay beside those that replace others, and nothing is replaced then.
#[test]
fn a_directory_has_the_files_of_one_run() {
    let folder = Scratch::new();
    fs::write(folder.join("in.pgn"), TWO).unwrap();
    fs::write(folder.join("other.pgn"), TWO.replace("B00", "B01")).unwrap();
    let split = |input: &str| {
        let words = ["select", "-q", "--split-by", "ECO", "--overwrite", "-o", "out", input];
        run_in(&folder.join("."), &words, b"")
    };
    assert_eq!(exit_code(&split("in.pgn")), 0);
    assert_eq!(exit_code(&split("in.pgn")), 0);
    let before = fs::read_to_string(folder.join("out/missing.pgn")).unwrap();
    let out = split("other.pgn");
    assert_eq!(exit_code(&out), 2);
    assert!(errors_of(&out).contains("B00.pgn is of another run"), "{}", errors_of(&out));
    assert_eq!(fs::read_to_string(folder.join("out/missing.pgn")).unwrap(), before);
    assert!(!folder.join("out/B01.pgn").exists());
}

/// What is no archive is said, in a run that reads no moves too.
#[test]
fn a_document_that_is_selected_is_said_to_be_none() {
    let folder = Scratch::new();
    let prose = fs::read(common::here("README.md")).unwrap();
    fs::write(folder.join("prose.pgn"), prose).unwrap();
    fs::write(folder.join("bare.pgn"), "1. e4 e5 *\n\n1. d4 d5 *\n").unwrap();
    fs::write(folder.join("tags.pgn"), format!("stray words\n\n{TWO}")).unwrap();
    // Some have moves, but none has a tag pair, and words are between them.
    fs::write(folder.join("mixed.pgn"), "1. e4 e5 *\n\nwords\n\n1. d4 d5 *\n").unwrap();
    let words = ["select", "--overwrite", "-o", "out.pgn", "mixed.pgn"];
    let out = run_in(&folder.join("."), &words, b"");
    assert!(errors_of(&out).contains("perhaps no archive"), "{}", errors_of(&out));
    assert_eq!(exit_code(&out), 0);
    for (name, is_said) in [("prose.pgn", true), ("bare.pgn", false), ("tags.pgn", false)] {
        let words = ["select", "--overwrite", "-o", "out.pgn", name];
        let out = run_in(&folder.join("."), &words, b"");
        assert_eq!(errors_of(&out).contains("seems to be prose"), is_said, "{name}");
        assert_eq!(exit_code(&out), i32::from(is_said), "{name}");
    }
}

/// What edits removed nothing is said; a table has the ending of its format.
#[test]
fn edits_and_endings_that_are_slips_are_said() {
    let folder = Scratch::new();
    fs::write(folder.join("in.pgn"), TWO).unwrap();
    for command in [&["select"][..], &["convert", "--to", "san"]] {
        let words = ["--overwrite", "--remove", "Annotator,Event", "-o", "out.pgn", "in.pgn"];
        let out = run_in(&folder.join("."), &[command, &words].concat(), b"");
        let said = errors_of(&out);
        assert!(said.contains("tag pair Annotator: nothing was removed"), "{said}");
        assert!(!said.contains("tag pair Event"), "{said}");
    }
    #[cfg(feature = "export")]
    {
        let words = ["export", "--format", "csv", "-o", "q.parquet", "in.pgn"];
        let out = run_in(&folder.join("."), &words, b"");
        assert_eq!(exit_code(&out), 2);
        assert!(errors_of(&out).contains("name it q.csv"), "{}", errors_of(&out));
    }
}

/// Where nothing was selected, the values that were probably meant are named, in every container, if the input can be
/// read again.
#[test]
fn values_near_those_sought_are_named() {
    let folder = Scratch::new();
    let text = "[White \"Adams, Michael\"]\n[Black \"Tal, Mihail\"]\n\n1. e4 *\n\n".repeat(3);
    fs::write(folder.join("in.pgn"), &text).unwrap();
    fs::write(folder.join("in.pgn.zst"), zstd::encode_all(text.as_bytes(), 1).unwrap()).unwrap();
    let said = |words: &[&str], condition: &str, stdin: &[u8]| {
        let words = [words, &["--where", condition]].concat();
        errors_of(&run_in(&folder.join("."), &words, stdin))
    };
    let select = ["select", "--overwrite", "-o", "out.pgn"];
    for (condition, value) in [
        ("White == \"Adams, Micheal\"", Some("\"Adams, Michael\" (3 games)")),
        ("player == \"Tal\" and ply_count > 0", Some("\"Tal, Mihail\" (3 games)")),
        ("Black =~ \"Michail\"", Some("\"Tal, Mihail\" (3 games)")),
        ("White == \"Euwe\"", None),
        ("White == \"Adams, Michael\" and ply_count > 9", None),
    ] {
        for input in ["in.pgn", "in.pgn.zst"] {
            for command in [&select[..], &["validate"], &["stats"]] {
                let said = said(&[command, &[input]].concat(), condition, b"");
                match value {
                    Some(value) => assert!(said.contains(value), "{condition}: {said}"),
                    None => assert!(!said.contains("did you mean"), "{condition}: {said}"),
                }
            }
        }
        let piped = said(&[&select[..], &["-"]].concat(), condition, text.as_bytes());
        assert!(!piped.contains("did you mean"), "{piped}");
    }
}

/// Comments are searched as columns have them: in UTF-8, or Windows-1252 where they are not well-formed.
#[test]
fn comments_in_windows_1252_are_searched() {
    let folder = Scratch::new();
    let text = b"[Event \"a\"]\n\n1. e4 {sch\xf6n} *\n\n[Event \"b\"]\n\n1. d4 {sch\xc3\xb6n} *\n\n[Event \"c\"]\n\n1. c4 *\n";
    fs::write(folder.join("in.pgn"), text).unwrap();
    for condition in
        ["comment =~ \"^schön$\"", "contains(comment, \"ö\")", "comment like \"sch_n\""]
    {
        let words = ["select", "--overwrite", "--where", condition, "-o", "out.pgn", "in.pgn"];
        let out = run_in(&folder.join("."), &words, b"");
        assert!(errors_of(&out).contains("2 games selected + 1 not selected"), "{condition}");
    }
}

/// Ordinary chess has one name, however its tag pair names it.
#[test]
fn ordinary_chess_is_one_variant() {
    let folder = Scratch::new();
    let names = ["", "Standard", "standard", "chess", "Normal", "From Position"];
    let tag = |name: &str| match name {
        "" => String::new(),
        name => format!("[Variant \"{name}\"]\n"),
    };
    let text: String =
        names.iter().map(|name| format!("[Event \"a\"]\n{}\n1. e4 *\n\n", tag(name))).collect();
    fs::write(folder.join("in.pgn"), text + "[Event \"a\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n")
        .unwrap();
    let words = ["select", "--split-by", "variant", "-o", "out", "in.pgn"];
    assert_eq!(exit_code(&run_in(&folder.join("."), &words, b"")), 0);
    let mut names: Vec<String> = fs::read_dir(folder.join("out"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["Atomic.pgn", "standard.pgn"]);
}

/// What contradicts itself, or what a tag pair cannot have, is refused.
#[test]
fn values_that_are_slips_are_refused() {
    let folder = Scratch::new();
    fs::write(folder.join("in.pgn"), TWO).unwrap();
    fs::write(folder.join("m.parquet"), b"PAR1 and more").unwrap();
    for (line, message) in [
        ("select --set ECO=hello -o - in.pgn", "from A to E"),
        ("select --set TimeControl=blitz -o - in.pgn", "180+2"),
        ("select --set WhiteElo=99999 -o - in.pgn", "up to 32767"),
        ("select --set Date=2024.13.45 -o - in.pgn", "a day of the calendar"),
        ("select --set White=A --set White=B -o - in.pgn", "set twice"),
        ("select --head 0 -o - in.pgn", "--head"),
        ("convert --dry-run --to uci -o a.pgn missing.pgn", "cannot open missing.pgn"),
        ("validate im.pgn", "did you mean in.pgn?"),
        ("select mate -o a.pgn", "--where mate"),
        ("validate m.parquet", "is a Parquet file"),
        ("validate", "- for standard input"),
        ("validate --force in.pgn", "--overwrite"),
        ("export --fields White in.pgn", "--columns"),
    ] {
        let words: Vec<&str> = line.split(' ').collect();
        let out = run_in(&folder.join("."), &words, b"");
        assert_eq!(exit_code(&out), 2, "{line}");
        assert!(errors_of(&out).contains(message), "{line}: {}", errors_of(&out));
    }
    for set in ["TimeControl=40/7200:3600+30", "TimeControl=180+2", "TimeControl=-", "ECO=B07a"] {
        let words = ["select", "--overwrite", "--set", set, "-o", "out.pgn", "in.pgn"];
        let out = run_in(&folder.join("."), &words, b"");
        assert_eq!(exit_code(&out), 0, "{set}: {}", errors_of(&out));
    }
}

/// A file of a directory that a person may take for an archive, and that is not read, is named.
#[test]
fn files_that_may_be_archives_are_named() {
    let folder = Scratch::new();
    fs::create_dir(folder.join("d")).unwrap();
    for name in ["a.pgn", "b.pgn.txt", "c.gz", "d.tar.gz", "e.tgz", "f.txt", "g.csv.gz"] {
        fs::write(folder.join("d").join(name), TWO).unwrap();
    }
    let out = run_in(&folder.join("."), &["validate", "d"], b"");
    let said = errors_of(&out);
    for (name, is_named) in [
        ("b.pgn.txt", true),
        ("c.gz", true),
        ("d.tar.gz", true),
        ("e.tgz", true),
        ("f.txt", false),
        ("g.csv.gz", false),
    ] {
        assert_eq!(said.contains(name), is_named, "{name}: {said}");
    }
}

//! `measure --errors`: what an error does is what a reader of the whole game with that error finds.
//!
//! Laws: every error that was drawn is written into a game in PGN, which the library's ordinary reader then reads in
//! the strict profile: it rejects the game at that ply, at the counted later one, or nowhere; the counts add up; they
//! are the same for any number of threads, any order of archives, and splits that are merged; a long game is read
//! in time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::common::{SOURCES, Scratch, errors_of, exit_code, here, run_in, text_of, trials};
use pgnmill_core::chess::Move;
use pgnmill_core::notation::{Check, Digits, MAIN, NOTATIONS, Notation, Ply, without_languages};
use pgnmill_core::pgn::deviation::Profile;
use pgnmill_core::reader::Reader;
use pgnmill_core::tasks::measure::study::{
    ErrorDraws, GameMoves, Outcome, READ_ON_PLIES_MAX, TextError, visit_errors,
};
use pgnmill_core::tasks::measure::tally::Selection;
use pgnmill_io::archive::games::Games;

const MASTERS: &str = "data/masters.pgn.zst";
const OUTCOMES: [&str; 4] = ["refused_at_once", "refused_later", "never", "same_move"];

/// A game as the library reads it: its moves, and its texts in every notation.
struct Read {
    moves: GameMoves,
    texts: Vec<Vec<String>>,
    played: Vec<Move>,
}

/// Reads the first games of an archive.
fn games_of(archive: &[u8], games_count: usize) -> Vec<Read> {
    let mut reader =
        Reader::from_reader("games", std::io::Cursor::new(archive.to_vec())).unwrap().games();
    let mut games = Vec::new();
    while let Some(game) = reader.next().unwrap().filter(|_| games.len() < games_count) {
        let mut read = Read {
            moves: GameMoves::default(),
            texts: vec![Vec::new(); without_languages().len()],
            played: Vec::new(),
        };
        for played in game.moves().filter(|played| played.depth == 0) {
            read.played.push(played.mv);
            let check = Check::of(&played.after);
            read.moves.push(&Ply::new(&played.before, played.mv, &played.after, check));
            for (texts, notation) in read.texts.iter_mut().zip(without_languages()) {
                texts.push(played.text_in(*notation).to_string());
            }
        }
        games.push(read);
    }
    games
}

/// A game in PGN.
fn pgn(notation: &dyn Notation, texts: &[String]) -> String {
    let mut pgn = format!("[Event \"a\"]\n[MoveNotation \"{}\"]\n\n", notation.info().name);
    for (moves, pair) in texts.chunks(2).enumerate() {
        pgn += &format!("{}. {} ", moves + 1, pair.join(" "));
    }
    pgn + "*\n\n"
}

/// An error that was made, and the game with it.
struct Case {
    notation: &'static dyn Notation,
    kind: TextError,
    ply: usize,
    mv: Move,
    text: String,
    outcome: Outcome,
    pgn: String,
}

/// Errors in some games: in each notation those of every fourth game, in the bases of comparison those of all.
fn cases(games: &[Read]) -> Vec<Case> {
    let mut cases = Vec::new();
    for (number, game) in games.iter().enumerate() {
        let notations: Vec<&dyn Notation> =
            without_languages().iter().copied().skip(number % 4).step_by(4).collect();
        let draws = ErrorDraws { notations: Selection::of(&notations), per_game: 1 };
        visit_errors(&[&game.moves], draws, |made| {
            let notation = NOTATIONS[made.notation];
            let mut texts = game.texts[made.notation].clone();
            texts[made.ply] = made.text.to_string();
            let (kind, ply, outcome) = (made.kind, made.ply, made.outcome);
            let (text, pgn) = (made.text.to_string(), pgn(notation, &texts));
            cases.push(Case { notation, kind, ply, mv: game.played[ply], text, outcome, pgn });
        });
    }
    cases
}

/// The plies at which a reader rejects the games of the cases; none for those that it does not reject. And the last
/// positions of these.
fn rejected(cases: &[Case], profile: Profile) -> Vec<(Option<usize>, Option<Move>)> {
    let archive: String = cases.iter().map(|case| case.pgn.as_str()).collect();
    let archive = std::io::Cursor::new(archive.into_bytes());
    let mut games = Reader::from_reader("cases", archive).unwrap().profile(profile).games();
    let mut plies = Vec::new();
    while let Some(game) = games.next().unwrap() {
        let ply = cases[plies.len()].ply;
        // Behind the result that an error made, the rest is a game without tag pairs.
        if game.tag("Event").is_none() {
            continue;
        }
        plies.push((
            game.fault().map(|fault| fault.ply as usize),
            game.moves().nth(ply).map(|played| played.mv),
        ));
    }
    assert_eq!(plies.len(), cases.len());
    plies
}

/// Is a text with an error another token of movetext: a word for check that belongs to the ply before, a novelty's
/// sign, a move number, a result? What is read then is not the text of a move.
fn is_other_token(text: &str) -> bool {
    text == "ch" || text == "f" || text.ends_with('*') || text.bytes().all(|b| b.is_ascii_digit())
}

#[test]
fn an_error_does_what_a_reader_of_the_whole_game_finds() {
    let games = games_of(&text_of(&here(MASTERS)), trials(160, 600, 3_000));
    let cases = cases(&games);
    let (strict, lenient) =
        (rejected(&cases, Profile::strict()), rejected(&cases, Profile::lenient()));
    let (mut others, mut outcomes) = (0, BTreeMap::<(&str, &str), BTreeSet<&str>>::new());
    for (case, ((found, _), (repaired, read))) in cases.iter().zip(strict.iter().zip(&lenient)) {
        let Case { notation, kind, text, outcome, .. } = case;
        let (name, at) = (notation.info().name, case.ply + 1);
        let expected = match outcome {
            Outcome::AtOnce | Outcome::SameMove => Some(at),
            Outcome::Later(plies) => Some(at + *plies as usize),
            Outcome::Never => None,
        };
        let what = format!("{name}, {}, ply {at}: {text} is {outcome:?}", kind.name());
        if *found != expected && is_other_token(text) && notation.info().digits != Digits::Only {
            assert_eq!(*outcome, Outcome::AtOnce, "{what}");
            others += 1;
            continue;
        }
        assert_eq!(*found, expected, "{what}\n{}", case.pgn);
        // A digit before the text is read as a move number that touches it.
        if !text.starts_with(|c: char| c.is_ascii_digit()) {
            let is_same = repaired.is_none() && *read == Some(case.mv);
            assert_eq!(is_same, *outcome == Outcome::SameMove, "{what}\n{}", case.pgn);
        }
        let named = OUTCOMES[match outcome {
            Outcome::AtOnce => 0,
            Outcome::Later(_) => 1,
            Outcome::Never => 2,
            Outcome::SameMove => 3,
        }];
        outcomes.entry((name, kind.name())).or_default().insert(named);
    }
    assert!(others < cases.len() / 300, "{others} of {}", cases.len());
    assert_eq!(outcomes.len(), 4 * without_languages().len());
    let all: BTreeSet<&str> = outcomes.values().flatten().copied().collect();
    assert_eq!(all.len(), OUTCOMES.len(), "an outcome never occurs: {all:?}");
}

/// The rows of the table: notation and kind, then the integers by their names.
fn rows(directory: &std::path::Path) -> BTreeMap<(String, String), BTreeMap<String, u64>> {
    let mut table = csv::Reader::from_path(directory.join("errors.csv")).unwrap();
    let header = table.headers().unwrap().clone();
    let row = |row: csv::StringRecord| {
        let counts = header.iter().zip(&row).skip(2).take(6);
        let counts = counts.map(|(name, field)| (name.to_string(), field.parse().unwrap()));
        ((row[0].to_string(), row[1].to_string()), counts.collect())
    };
    table.records().map(|record| row(record.unwrap())).collect()
}

/// The shares of a row and the ends of their intervals are those of its counts: an end is where the share is 1.96
/// standard errors of that end away.
fn shares_are_of_their_counts(directory: &std::path::Path) {
    let mut table = csv::Reader::from_path(directory.join("errors.csv")).unwrap();
    let mut ends_count = 0;
    for row in table.deserialize::<BTreeMap<String, String>>() {
        let row = row.unwrap();
        let number = |name: &str| row[name].parse::<f64>().unwrap();
        let errors = number("errors");
        for outcome in OUTCOMES {
            let shown = number(&format!("{outcome}_percent"));
            let share = number(outcome) / errors;
            assert!((shown - 100.0 * share).abs() < 0.006, "{row:?}");
            let Some(low) = row.get(&format!("{outcome}_ci_low")) else { continue };
            let ends = [low, &row[&format!("{outcome}_ci_high")]].map(|end| end.parse().unwrap());
            let [low, high]: [f64; 2] = ends;
            assert!(low <= shown && shown <= high, "{row:?}");
            for end in [low, high].map(|end| end / 100.0).into_iter().filter(|end| *end > 0.01) {
                // Ends are rounded to a hundredth of a per cent.
                let apart = 1.959_964 * (end * (1.0 - end) / errors).sqrt();
                assert!(((share - end).abs() - apart).abs() < 0.000_1 || end == 1.0, "{row:?}");
                ends_count += 1;
            }
        }
    }
    assert!(ends_count > 20, "{ends_count}");
}

#[test]
fn counts_add_up_for_any_threads_order_and_splits() {
    let scratch = Scratch::new();
    let run = |args: &str| {
        let words: Vec<&str> = args.split_whitespace().collect();
        let ran = run_in(scratch.path(), &words, b"");
        assert_eq!(exit_code(&ran), 0, "{args}: {}", errors_of(&ran));
        String::from_utf8(ran.stdout).unwrap()
    };
    let masters = text_of(&here(MASTERS));
    let starts: Vec<usize> = Games::new(&masters).map(|(start, _)| start).take(301).collect();
    scratch.write("a.pgn", &masters[..starts[100]]);
    scratch.write("b.pgn", &masters[starts[100]..starts[300]]);
    let measure = |directory: &str, options: &str, archives: &str| {
        run(&format!("measure -q --notations main --errors=2 -o {directory} {options} {archives}"));
        fs::read_to_string(scratch.join(directory).join("errors.csv")).unwrap()
    };
    let whole = measure("one", "--threads 1", "a.pgn b.pgn");
    assert_eq!(measure("two", "--threads 2", "a.pgn b.pgn"), whole);
    assert_eq!(measure("seven", "--threads 7", "b.pgn a.pgn"), whole);
    for (notation_and_kind, row) in rows(&scratch.join("one")) {
        let sum: u64 = OUTCOMES.iter().map(|outcome| row[*outcome]).sum();
        assert_eq!(row["errors"], sum, "{notation_and_kind:?}");
        assert!(row["plies_until_refused"] >= row["refused_later"], "{notation_and_kind:?}");
        let all = notation_and_kind.1 == "confusion" || row["errors"] == 2 * 300;
        assert!(all && row["errors"] > 2 * 290, "{notation_and_kind:?}: {row:?}");
    }
    assert_eq!(rows(&scratch.join("one")).len(), 4 * MAIN.len());
    shares_are_of_their_counts(&scratch.join("one"));
    measure("a", "", "a.pgn");
    measure("b", "", "b.pgn");
    run("merge -q -o sum b a");
    assert_eq!(fs::read_to_string(scratch.join("sum/errors.csv")).unwrap(), whole);
    let mut parts: Vec<String> = Vec::new();
    for (number, split) in run("splits --target 40KiB b.pgn").lines().enumerate() {
        parts.push(format!("split-{number}"));
        let words = ["measure", "-q", "--notations", "main", "--errors=2", "--split", split, "-o"];
        let words = [&words[..], &[&parts[number]]].concat();
        assert_eq!(exit_code(&run_in(scratch.path(), &words, b"")), 0);
    }
    assert!(parts.len() > 2);
    run(&format!("merge -q -o of-splits {}", parts.join(" ")));
    let [split, b] = ["of-splits", "b"].map(|it| fs::read(scratch.join(it).join("errors.csv")));
    assert_eq!(split.unwrap(), b.unwrap());
}

/// Without the option there is no table, and no other table or column differs with it.
#[test]
fn without_the_option_nothing_changes() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", &text_of(&here(SOURCES)));
    let tables = |options: &[&str], directory: &str| {
        let words = [&["measure", "-q", "--by=all", "-o", directory], options, &["a.pgn"]].concat();
        assert!(exit_code(&run_in(scratch.path(), &words, b"")) < 2);
        let entries = fs::read_dir(scratch.join(directory)).unwrap().map(Result::unwrap);
        let named = entries.map(|it| (it.file_name(), fs::read(it.path()).unwrap()));
        let tables: BTreeMap<_, _> = named.collect();
        tables
    };
    let (without, mut with) = (tables(&[], "without"), tables(&["--errors"], "with"));
    assert!(with.remove(std::ffi::OsStr::new("errors.csv")).is_some());
    assert!(without.keys().eq(with.keys()));
    for (name, table) in &without {
        let name = name.to_str().unwrap();
        let differs = ["summary.csv", "tables.csv", ".pgnmill-run.jsonl"].contains(&name);
        assert!(differs || with[std::ffi::OsStr::new(name)] == *table, "{name}");
    }
}

/// However long a game is, what is read after an error is bounded.
#[test]
fn errors_in_a_long_game_cost_no_more_than_its_plies() {
    let scratch = Scratch::new();
    let moves = trials(40_000, 80_000, 800_000);
    let text = format!("[Event \"a\"]\n\n{}*\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(moves / 2));
    scratch.write("long.pgn", text.as_bytes());
    let words = ["measure", "-q", "--notations", "main", "--errors=100", "-o", "t", "long.pgn"];
    assert_eq!(exit_code(&run_in(scratch.path(), &words, b"")), 0);
    let rows = rows(&scratch.join("t"));
    assert!(rows.values().all(|row| {
        row["plies_until_refused"] <= row["refused_later"] * READ_ON_PLIES_MAX as u64
    }));
    let substitutions = &rows[&("economical-priority".to_string(), "substitution".to_string())];
    assert!(substitutions["errors"] == 100 && substitutions["never"] > 0, "{substitutions:?}");
}

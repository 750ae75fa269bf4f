//! The rule of `duplicates` by default: equal moves, and nothing in the tag pairs contradicts that two games are one.
//!
//! In: games whose names are abbreviated, whose dates and results are partly known. Out: nothing. The groups are
//! computed naively from the definitions of `docs/duplicates.md`: names by trying every order of their words.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::common::mutations::{compressed, mixture, mutate};
use crate::common::{Dice, Scratch, errors_of, exit_code, run_in, trials};
use crate::duplicates::{Row, fact, files, find_as_is, game, rows};

/// A game as the definitions know it.
#[derive(Clone, PartialEq, Debug)]
struct Known {
    moves: Vec<&'static str>,
    players: [Vec<&'static str>; 2],
    date: &'static str,
    time: &'static str,
    result: &'static str,
}

/// Spellings of names, with their words.
const NAMES: [(&str, &[&str]); 17] = [
    ("Carlsen, Magnus", &["carlsen", "magnus"]),
    ("MAGNUS carlsen", &["carlsen", "magnus"]),
    ("Carlsen, M.", &["carlsen", "m"]),
    ("M.Carlsen", &["carlsen", "m"]),
    ("Carlsen, Mark", &["carlsen", "mark"]),
    ("Carlsen", &["carlsen"]),
    ("C. Magnus", &["c", "magnus"]),
    ("C, M", &["c", "m"]),
    ("Fischer, Robert James", &["fischer", "james", "robert"]),
    ("R. J. Fischer", &["fischer", "j", "r"]),
    ("Fischer, Robert J", &["fischer", "j", "robert"]),
    ("Fischer, R", &["fischer", "r"]),
    ("tal", &["tal"]),
    ("T", &["t"]),
    ("?", &[]),
    ("NN", &[]),
    ("Carlsen, Magnus Jr Xaver", &["carlsen", "jr", "magnus", "xaver"]),
];
const DATES: [&str; 8] = [
    "1960.05.12",
    "1960.05.13",
    "1960.05.??",
    "1960.??.??",
    "1961.??.??",
    "????.??.??",
    "1960-05-12",
    "May",
];
const TIMES: [&str; 3] = ["", "10:20:30", "10:20:31"];
const RESULTS: [&str; 3] = ["1-0", "0-1", "*"];
const LINES: [&str; 3] = [
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7 a4",
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7",
    "e4 e5 Nf3",
];

/// Year, month and day, as far as they are known.
fn parts(date: &str) -> [Option<u32>; 3] {
    let mut parts = date.split(['.', '-']).map(|part| part.parse().ok());
    std::array::from_fn(|_| parts.next().flatten())
}

/// Equal, or unknown in one of them.
fn agrees<T: PartialEq>(one: &Option<T>, other: &Option<T>) -> bool {
    one == other || one.is_none() || other.is_none()
}

/// Whether some order of the words of one name is the other, initials allowed, with a word in full.
fn is_one_name(one: &[&str], other: &[&str]) -> bool {
    fn pairs(one: &[&str], other: &mut Vec<&str>, in_full: bool) -> bool {
        let Some((word, rest)) = one.split_first() else { return in_full };
        (0..other.len()).any(|at| {
            let found = other.remove(at);
            let abbreviates = |short: &str, long: &str| short.len() == 1 && long.starts_with(short);
            let is_one = *word == found || abbreviates(word, found) || abbreviates(found, word);
            let in_full = in_full || (*word == found && word.len() > 1);
            let is_possible = is_one && pairs(rest, other, in_full);
            other.insert(at, found);
            is_possible
        })
    }
    one == other || (one.len() == other.len() && pairs(one, &mut other.to_vec(), false))
}

impl Known {
    /// What is compared as text for equality: two spellings of one statement are one description.
    fn description(&self) -> String {
        let Known { players, date, time, result, .. } = self;
        format!("{players:?} {:?} {time} {result}", parts(date))
    }

    fn is_compatible(&self, other: &Known) -> bool {
        let time = |game: &Known| Some(game.time).filter(|time| !time.is_empty());
        let result = |game: &Known| Some(game.result).filter(|result| *result != "*");
        let dates = parts(self.date).into_iter().zip(parts(other.date));
        (0..2).all(|side| is_one_name(&self.players[side], &other.players[side]))
            && dates.into_iter().all(|(one, other)| agrees(&one, &other))
            && agrees(&time(self), &time(other))
            && agrees(&result(self), &result(other))
    }

    fn can_be_duplicate(&self, plies_min: usize) -> bool {
        self.moves.len() >= plies_min || self.players.iter().all(|words| !words.is_empty())
    }

    fn is_near(&self, other: &Known, plies: usize) -> bool {
        let (short, long) =
            if self.moves.len() < other.moves.len() { (self, other) } else { (other, self) };
        self.players.iter().all(|words| !words.is_empty())
            && self.date.contains(|c: char| c.is_ascii_digit())
            && self.players == other.players
            && (self.date, self.time, self.result) == (other.date, other.time, other.result)
            && short.moves.len() >= plies
            && long.moves.starts_with(&short.moves)
    }
}

fn random_games(dice: &mut Dice, count: usize) -> (Vec<Known>, String) {
    let (mut games, mut archive) = (Vec::new(), String::new());
    // Of few names, dates and results many are compatible, of many few.
    let [names, dates] = [1 + dice.below(NAMES.len()), 1 + dice.below(DATES.len())];
    for _ in 0..count {
        let moves: Vec<&str> = LINES[dice.below(3)].split(' ').collect();
        let [white, black] = [0; 2].map(|_| NAMES[dice.below(names)]);
        let date = DATES[dice.below(dates)];
        let time = if dice.below(3) == 0 { TIMES[dice.below(3)] } else { "" };
        let result = RESULTS[dice.below(3)];
        let text: Vec<String> = moves.iter().map(ToString::to_string).collect();
        let text = game(white.0, black.0, date, result, &text.join(" "));
        archive += &match time {
            "" => text,
            _ => text.replacen("[White", &format!("[UTCTime \"{time}\"]\n[White"), 1),
        };
        let players = [white.1.to_vec(), black.1.to_vec()];
        games.push(Known { moves, players, date, time, result });
    }
    (games, archive)
}

/// For each game the first game with which it is one by exact duplicates alone, and by all.
fn naive(games: &[Known], plies_min: usize, near: usize) -> [Vec<usize>; 2] {
    let of_moves = |one: usize, other: usize| games[one].moves == games[other].moves;
    let compatible = |one: usize| -> Vec<usize> {
        let is = |other: &usize| of_moves(one, *other) && games[one].is_compatible(&games[*other]);
        (0..games.len()).filter(is).collect()
    };
    let compatible: Vec<Vec<usize>> = (0..games.len()).map(compatible).collect();
    let is_clear = |one: usize| {
        let known = &compatible[one];
        known.iter().all(|a| known.iter().all(|b| games[*a].is_compatible(&games[*b])))
    };
    let clear: Vec<bool> = (0..games.len()).map(is_clear).collect();
    let mut groups = [(0..games.len()).collect::<Vec<usize>>(), (0..games.len()).collect()];
    let join = |group: &mut Vec<usize>, one: usize, other: usize| {
        let (from, to) = (group[one].max(group[other]), group[one].min(group[other]));
        group.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
    };
    for one in 0..games.len() {
        for other in 0..one {
            let is_same = games[one].description() == games[other].description();
            let is_one =
                is_same || (clear[one] && clear[other] && compatible[one].contains(&other));
            let is_exact = of_moves(one, other) && is_one && games[one].can_be_duplicate(plies_min);
            if is_exact {
                join(&mut groups[0], one, other);
            }
            if is_exact || games[one].is_near(&games[other], near) {
                join(&mut groups[1], one, other);
            }
        }
    }
    groups
}

/// The groups of rows, as numbers of games from 0.
fn groups_of(rows: &[Row]) -> BTreeSet<Vec<usize>> {
    let mut groups: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    rows.iter().for_each(|row| groups.entry(row.group).or_default().push(row.game - 1));
    groups.into_values().collect()
}

#[test]
fn games_are_one_exactly_if_nothing_contradicts_it() {
    let (mut dice, mut joined) = (Dice::new(0xd0_91), 0);
    for trial in 0..trials(20, 45, 2_000) {
        let count = 2 + dice.below(if trial % 4 == 0 { 120 } else { 30 });
        let (games, archive) = random_games(&mut dice, count);
        let [plies_min, near] = [[20, 20], [1, 20], [20, 1], [21, 3]][trial % 4];
        let [exact, all] = naive(&games, plies_min, near);
        let scratch = Scratch::new();
        scratch.write("a.pgn", archive.as_bytes());
        let (plies, near) = (plies_min.to_string(), near.to_string());
        let threads = ["1", "2", "7"][trial % 3];
        let args = ["a.pgn", "-o", "o", "--min-plies", &plies, "--near", &near];
        let more = ["--threads", threads, "--sort-bytes", ["0", "900", "100000"][trial / 3 % 3]];
        let output = find_as_is(&scratch, &[&args[..], &more].concat(), 0);
        let rows = rows(&scratch.join("o/groups.csv"));
        let mut expected: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        all.iter().enumerate().for_each(|(game, &of)| expected.entry(of).or_default().push(game));
        expected.retain(|_, members| members.len() > 1);
        let expected: BTreeSet<Vec<usize>> = expected.into_values().collect();
        assert_eq!(groups_of(&rows), expected, "{trial}:\n{archive}");
        for row in &rows {
            let (game, of) = (row.game - 1, row.of.as_ref().map(|(_, of)| of - 1));
            let kind = match exact[game] {
                _ if all[game] == game => "kept",
                first if first == game => "near",
                _ => "exact",
            };
            assert_eq!(row.kind, kind, "{trial}: {row:?}\n{archive}");
            if kind == "exact" {
                assert_eq!(of, Some(exact[game]), "{trial}: {row:?}\n{archive}");
                joined +=
                    usize::from(games[game].description() != games[exact[game]].description());
            }
        }
        // What is kept has no exact duplicates.
        let kept = ["-q", "o2/kept.pgn", "-o", "again", "--near", "no", "--min-plies", &plies];
        let first = ["-q", "a.pgn", "-o", "o2", "--near", "no", "--min-plies", &plies];
        find_as_is(&scratch, &[&first[..], &["--keep", "first"]].concat(), 0);
        find_as_is(&scratch, &kept, 0);
        assert_eq!(
            fact(&scratch.join("again/summary.csv"), "duplicates"),
            0,
            "{trial}:\n{archive}"
        );
        // What each rule would remove is there before the archives are.
        let removed = exact.iter().enumerate().filter(|(game, first)| game != *first).count();
        let mut lines = BTreeSet::new();
        let long = games.iter().filter(|game| game.moves.len() >= plies_min);
        let by_moves = long.filter(|game| !lines.insert(&game.moves)).count();
        let summary = scratch.join("o/summary.csv");
        assert_eq!(fact(&summary, "exact_duplicates"), removed as u64, "{trial}");
        assert_eq!(fact(&summary, "by_moves_alone"), by_moves as u64, "{trial}");
        let errors = errors_of(&output);
        let words = format!("moves and players: {removed} duplicate");
        assert!(errors.contains(&words), "{words}: {errors}");
        let near_count = fact(&summary, "near_duplicates");
        assert!(errors.contains(&format!(": {near_count} duplicate")), "{near_count}: {errors}");
    }
    assert!(joined > trials(40, 100, 100), "{joined}");
}

/// The games of other people that were removed before: their moves are few, and equal.
#[test]
fn other_peoples_games_are_kept() {
    let long = LINES[0];
    let archive = [
        game("Speelman, Jonathan", "Short, Nigel", "1979.??.??", "1/2-1/2", "1. e4"),
        game("Aydin, A", "Kadam, B", "2022.01.01", "1-0", "1. e4"),
        game("Speelman, J.", "N. Short", "????.??.??", "*", "1. e4"),
        game("?", "?", "????.??.??", "*", "1. e4"),
        game("?", "?", "????.??.??", "*", "1. e4"),
        game("Ivanov, Alexander", "Tal, M", "1960.??.??", "1-0", long),
        game("Ivanov, Andrei", "Tal, M", "1960.??.??", "1-0", long),
        game("Ivanov, A", "Tal, Mikhail", "1960.??.??", "1-0", long),
        game("?", "?", "1960.??.??", "*", long),
        game("NN", "", "1960.05.??", "0-1", long),
    ];
    let scratch = Scratch::new();
    scratch.write("a.pgn", archive.concat().as_bytes());
    let pairs = |args: &[&str]| -> Vec<String> {
        let args = [&["-q", "a.pgn", "--overwrite", "-o", "o"], args].concat();
        find_as_is(&scratch, &args, 0);
        let rows = rows(&scratch.join("o/groups.csv")).into_iter();
        rows.filter_map(|row| Some(format!("{} of {}", row.game, row.of?.1))).collect()
    };
    // Which Ivanov the third one is, nothing shows.
    assert_eq!(pairs(&[]), ["3 of 1", "10 of 9"]);
    assert_eq!(pairs(&["--min-plies", "1"]), ["3 of 1", "5 of 4", "10 of 9"]);
    assert_eq!(pairs(&["--same", "moves"]), ["7 of 6", "8 of 6", "9 of 6", "10 of 6"]);
    let all = ["2 of 1", "3 of 1", "4 of 1", "5 of 1", "7 of 6", "8 of 6", "9 of 6", "10 of 6"];
    assert_eq!(pairs(&["--same", "moves", "--min-plies", "1"]), all);
}

/// Many games of the same moves: of the same initials, of one player, of all kinds of descriptions. The order of the
/// inputs does not decide which games are one, and the time is not quadratic.
#[test]
fn many_descriptions_of_the_same_moves_take_no_quadratic_time() {
    let scratch = Scratch::new();
    let name = |at: usize| {
        let letters = [at / 676, at / 26, at].map(|at| char::from(b'a' + (at % 26) as u8));
        format!("A{}, B", letters.iter().collect::<String>())
    };
    // 17,576 descriptions with the same initials: equal ones alone are compared. And each twice.
    let games: Vec<String> =
        (0..17_576).map(|at| game(&name(at), "Tal, M", "1960.01.01", "1-0", "1. e4 e5")).collect();
    scratch.write("a.pgn", games.concat().as_bytes());
    scratch.write("b.pgn", games.iter().rev().map(String::as_str).collect::<String>().as_bytes());
    let bounded = ["--sort-bytes", "20000"];
    find_as_is(&scratch, &[&["-q", "a.pgn", "b.pgn", "-o", "o"][..], &bounded].concat(), 0);
    assert_eq!(fact(&scratch.join("o/summary.csv"), "exact_duplicates"), 17_576);
    // 64 that are compatible, in any order, and one more.
    let dated =
        |day: usize| game("Carlsen, M", "Tal, M", &format!("19{day:02}.??.??"), "1-0", "e4");
    let vague = game("Carlsen, Magnus", "Tal, M", "????.??.??", "*", "e4");
    for (count, expected) in [(1, 1), (2, 0), (63, 0), (64, 0)] {
        let mut games: Vec<String> = (0..count).map(dated).collect();
        games.insert(count / 2, vague.clone());
        scratch.write("c.pgn", games.concat().as_bytes());
        find_as_is(&scratch, &["-q", "--overwrite", "c.pgn", "-o", "o"], 0);
        assert_eq!(fact(&scratch.join("o/summary.csv"), "exact_duplicates"), expected, "{count}");
    }
    // The same groups in any order of the inputs, with any memory and number of threads.
    let (_, archive) = random_games(&mut Dice::new(7), 400);
    let games: Vec<&str> = archive.split_inclusive("\n\n[").collect();
    let whole: Vec<String> = games
        .iter()
        .enumerate()
        .map(|(at, game)| {
            let begin = if at == 0 { "" } else { "[" };
            format!("{begin}{}", game.strip_suffix('[').unwrap_or(game))
        })
        .collect();
    let [one, other] = [&whole[..150], &whole[150..]].map(|games| games.concat());
    scratch.write("d.pgn", one.as_bytes());
    scratch.write("e.pgn", other.as_bytes());
    let groups = |inputs: [&str; 2], options: &[&str], directory: &str| {
        find_as_is(&scratch, &[&["-q", "-o", directory], &inputs[..], options].concat(), 0);
        let mut groups: BTreeMap<u64, BTreeSet<(String, usize)>> = BTreeMap::new();
        for row in rows(&scratch.join(&format!("{directory}/groups.csv"))) {
            groups.entry(row.group).or_default().insert((row.archive, row.game));
        }
        groups.into_values().collect::<BTreeSet<_>>()
    };
    let expected = groups(["d.pgn", "e.pgn"], &[], "de");
    assert!(expected.len() > 10, "{}", expected.len());
    assert_eq!(groups(["e.pgn", "d.pgn"], &["--threads", "2"], "ed"), expected);
    groups(["d.pgn", "e.pgn"], &["--threads", "7", "--sort-bytes", "0"], "small");
    assert!(files(&scratch.join("de")) == files(&scratch.join("small")));
    assert!(fs::metadata(scratch.join("de/groups.csv")).unwrap().len() > 1_000);
}

/// Archives of any bytes, rulesets and line ends, some games twice, damaged frames among them: every game is kept, a
/// duplicate or rejected, and the files are the same for any container, memory and number of threads.
#[test]
fn archives_of_any_bytes_lose_no_game() {
    let (mut dice, mut removed_count) = (Dice::new(0xd0_92), 0);
    for trial in 0..trials(14, 40, 2_000) {
        let scratch = Scratch::new();
        let players =
            b"[White \"Tal, M\"]\n[Black \"Short, Nigel\"]\n\n1. e4 e5 2. Nf3 0.5-0.5\n\n";
        let mut text = [mixture(&mut dice), players.to_vec(), mixture(&mut dice)].concat();
        text.extend(text.clone());
        mutate(&mut text, &mut dice);
        let is_damaged = trial % 3 == 0;
        if is_damaged {
            // A game without a result would end in what is damaged.
            text.extend(b"\n\n[Event \"last\"]\n\n1. e4 *\n");
        }
        scratch.write("a.pgn", &text);
        let mut stored = compressed(&text, &mut dice);
        if is_damaged {
            stored.extend(b"\x28\xb5\x2f\xfd\x04\x00\xff\xff\xff\xff\xff");
        }
        scratch.write("b.zst", &stored);
        let options = ["", "--strict", "--where text_bytes>50", "--allow null-move-main-line"];
        let options = options[dice.below(options.len())];
        let find = |output: &str, words: &str| {
            let line = format!(
                "duplicates -q --skip-damaged {options} --keep first --removed {words} -o {output}"
            );
            let run = run_in(scratch.path(), &line.split_whitespace().collect::<Vec<_>>(), b"");
            assert!(exit_code(&run) < 2, "{line}: {}", errors_of(&run));
            let mut files = files(&scratch.join(output));
            // The names of the inputs, and what is stored, differ.
            let summary = files.remove("summary.csv").unwrap();
            files.remove("groups.csv");
            (files, String::from_utf8(summary).unwrap())
        };
        let (expected, summary) = find("o1", "a.pgn");
        let of = |key: &str| {
            let row = summary.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(','));
            row.map_or(0, |number| number.parse::<u64>().unwrap())
        };
        let [games, not_selected] = ["games", "not_selected"].map(of);
        let parts = ["kept", "duplicates", "rejected"].map(of);
        let shown = String::from_utf8_lossy(&text).into_owned();
        assert_eq!(games, not_selected + parts.iter().sum::<u64>(), "{summary}{shown:?}");
        removed_count += parts[1];
        for (output, words) in [
            ("o2", "a.pgn --threads 1 --sort-bytes 0"),
            ("o3", "a.pgn --threads 7 --block-bytes 60 --sort-bytes 700"),
            ("o4", "b.zst --threads 2 --block-bytes 200"),
        ] {
            let (found, _) = find(output, words);
            assert!(found == expected, "{words}: {shown:?}");
        }
    }
    assert!(removed_count > trials(7, 20, 20), "{removed_count}");
}

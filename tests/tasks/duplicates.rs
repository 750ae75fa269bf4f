//! `pgnmill duplicates`: every game is kept, a duplicate or rejected; the groups are those of the definitions, computed
//! naively; the files do not depend on threads, blocks or memory.

use pgnmill_needs::needs;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Output;

use crate::common::{
    self, Dice, SAMPLE, Scratch, errors_of, exit_code, here, run_in, text_of, trials,
};
use pgnmill_core::tasks::duplicates::{CandidateLine, GroupRow};
use pgnmill_core::tasks::sorter::Stored as _;

/// A row of `groups.csv`.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    pub(crate) group: u64,
    pub(crate) kind: String,
    pub(crate) archive: String,
    pub(crate) game: usize,
    pub(crate) offset: usize,
    pub(crate) plies: usize,
    pub(crate) of: Option<(String, usize)>,
}

/// The rule of moves alone, for games of any length, as far as no other is given.
const BY_MOVES: [[&str; 2]; 3] = [["--same", "moves"], ["--min-plies", "1"], ["--near", "1"]];

/// Runs the command; its exit code is `code`.
fn find(scratch: &Scratch, args: &[&str], code: i32) -> Output {
    let absent = BY_MOVES.iter().filter(|[name, _]| !args.contains(name)).flatten();
    find_as_is(scratch, &args.iter().chain(absent).copied().collect::<Vec<_>>(), code)
}

/// The same with the rules of the program.
pub(crate) fn find_as_is(scratch: &Scratch, args: &[&str], code: i32) -> Output {
    let args = [&["duplicates"], args].concat();
    let output = run_in(scratch.path(), &args, b"");
    assert_eq!(exit_code(&output), code, "{args:?}: {}", errors_of(&output));
    output
}

pub(crate) fn rows(path: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let names = reader.headers().unwrap().clone();
    let at = |name: &str| names.iter().position(|other| other == name).unwrap();
    let row = |record: csv::StringRecord| {
        let field = |name: &str| record[at(name)].to_string();
        let of = field("of_game").parse().ok();
        Row {
            group: field("group").parse().unwrap(),
            kind: field("kind"),
            archive: field("archive"),
            game: field("game").parse().unwrap(),
            offset: field("byte_offset").parse().unwrap(),
            plies: field("plies").parse().unwrap(),
            of: of.map(|of| (field("of_archive"), of)),
        }
    };
    reader.records().map(|record| row(record.unwrap())).collect()
}

/// The rows of a run over one archive, as `GROUP KIND GAME of GAME`.
fn found(archive: &str, args: &[&str]) -> Vec<String> {
    let scratch = Scratch::new();
    scratch.write("a.pgn", archive.as_bytes());
    find(&scratch, &[&["-q", "a.pgn", "-o", "o"], args].concat(), 0);
    let row = |row: &Row| {
        let of = row.of.as_ref().map_or(String::new(), |(_, of)| format!(" of {of}"));
        format!("{} {} {}{of}", row.group, row.kind, row.game)
    };
    rows(&scratch.join("o/groups.csv")).iter().map(row).collect()
}

/// A game: players, date, result, moves.
pub(crate) fn game(white: &str, black: &str, date: &str, result: &str, moves: &str) -> String {
    format!(
        "[Event \"?\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Date \"{date}\"]\n\
         [Result \"{result}\"]\n\n{moves} {result}\n\n"
    )
}

/// A game between the same players.
fn same(result: &str, moves: &str) -> String {
    game("Tal, Mikhail", "Bronstein, David", "1968.01.01", result, moves)
}

/// The value of a key in `summary.csv`.
pub(crate) fn fact(path: &Path, key: &str) -> u64 {
    let text = fs::read_to_string(path).unwrap();
    let line = text.lines().find_map(|line| line.strip_prefix(&format!("{key},")));
    line.unwrap_or_else(|| panic!("no {key} in {text}")).parse().unwrap()
}

/// All files of a directory.
pub(crate) fn files(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap());
    let name = |entry: &fs::DirEntry| entry.file_name().into_string().unwrap();
    entries.map(|entry| (name(&entry), fs::read(entry.path()).unwrap())).collect()
}

#[test]
fn exact_duplicates_have_the_same_moves_whatever_else_is_written() {
    let archive = [
        same("1-0", "1. e4 e5 2. Nf3"),
        game("A", "B", "", "0-1", "1. e4 {c} e5 (1... c5 2. Nf3 (2. Nc3)) 2. Nf3! $6"),
        game("?", "?", "????.??.??", "*", "1.e4 e5 2.Ng1f3"),
        same("1-0", "1. e4 e5 2. Nc3"),
        format!("[MoveNotation \"uci\"]\n{}", same("1-0", "1. e2e4 e7e5 2. g1f3")),
        format!(
            "[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7 9\"]\n{}",
            same("1-0", "9. e4 e5 10. Nf3")
        ),
        format!(
            "[SetUp \"1\"]\n[FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1\"]\n{}",
            same("1-0", "1. e4 e5 2. Nf3")
        ),
        "1. e4 e5 2. Nf3 *\n".to_string(),
    ];
    let exact = ["2", "3", "5", "6", "8"].map(|game| format!("1 exact {game} of 1"));
    let expected: Vec<String> = [&["1 kept 1".to_string()][..], &exact].concat();
    assert_eq!(found(&archive.concat(), &[]), expected);
    // Nobody knows who played the others.
    let expected = ["1 kept 1", "1 exact 5 of 1", "1 exact 6 of 1", "2 kept 3", "2 exact 8 of 3"];
    assert_eq!(found(&archive.concat(), &["--same", "moves-and-players"]), expected);
    let scratch = Scratch::new();
    scratch.write("a.pgn", archive.concat().as_bytes());
    let output = find(&scratch, &["a.pgn", "-o", "o"], 0);
    assert_eq!(fact(&scratch.join("o/summary.csv"), "exact_of_other_players"), 3);
    let words = "3 exact duplicates have other players";
    assert!(errors_of(&output).contains(words), "{}", errors_of(&output));
}

#[test]
fn near_duplicates_have_players_date_and_result_in_common_and_one_begins_the_other() {
    let archive = [
        same("1-0", "1. e4 e5"),
        game("Mikhail Tal", "BRONSTEIN David", "1968.01.01", "1-0", "1. e4 e5 2. Nf3 Nc6"),
        same("1/2-1/2", "1. e4 e5 2. Nf3"),
        game("Tal, M", "Bronstein, David", "1968.01.01", "1-0", "1. e4"),
        game("Tal, Mikhail", "Bronstein, David", "1968.01.02", "1-0", "1. e4 e5 2. Nf3 Nc6 3. Bb5"),
        same("1-0", "1. e4 e5 2. Nc3"),
        same("1-0", "1. e4 e6"),
        same("1-0", "1. e4 e5 2. Nf3 Nc6 3. Bc4"),
    ]
    .concat();
    let expected = ["1 kept 1", "1 near 2 of 1", "1 near 6 of 1", "1 near 8 of 2"];
    assert_eq!(found(&archive, &[]), expected);
    let expected = ["1 near 1 of 2", "1 near 2 of 8", "1 near 6 of 1", "1 kept 8"];
    assert_eq!(found(&archive, &["--keep", "longest"]), expected);
    assert_eq!(found(&archive, &["--near", "3"]), ["1 kept 2", "1 near 8 of 2"]);
    assert_eq!(found(&archive, &["--near", "no"]), [""; 0]);
}

#[test]
fn unknown_players_and_dates_have_no_near_duplicates() {
    let pair = |white: &str, date: &str| {
        [game(white, "B", date, "1-0", "1. e4"), game(white, "B", date, "1-0", "1. e4 e5")].concat()
    };
    let known = [("A", "2000.01.01"), ("A", "2000.??.??"), ("NN, A", "2000.01.??")];
    let unknown = [
        ("?", "2000.01.01"),
        ("", "2000.01.01"),
        ("NN", "2000.01.01"),
        ("N. N.", "2000.01.01"),
        ("A", "????.??.??"),
        ("A", ""),
        ("A", "?"),
    ];
    for (white, date) in known {
        assert_eq!(found(&pair(white, date), &[]).len(), 2, "{white} {date}");
    }
    for (white, date) in unknown {
        assert_eq!(found(&pair(white, date), &[]), [""; 0], "{white} {date}");
    }
    // UTCDate is used where Date is unknown.
    let utc = pair("A", "????.??.??").replace("[Event", "[UTCDate \"2020.02.02\"]\n[Event");
    assert_eq!(found(&utc, &[]).len(), 2);
    // A date of which a part is unknown is not that of another spelling.
    let other = [
        game("A", "B", "2000.01.01", "1-0", "1. e4"),
        game("A", "B", "2000.01.??", "1-0", "1. e4 e5"),
    ];
    assert_eq!(found(&other.concat(), &[]), [""; 0]);
}

#[test]
fn games_without_moves_are_duplicates_only_if_their_tag_pairs_show_it() {
    let empty = |white: &str, event: &str| {
        game(white, "B", "2000.01.01", "1-0", "").replacen("\"?\"", &format!("\"{event}\""), 1)
    };
    let archive = [
        empty("A", "x"),
        empty("A", "y"),
        empty("?", "x"),
        empty("?", "x"),
        empty("a", "x"),
        "*\n*\n".to_string(),
        empty("A", "y"),
        game("A", "B", "2000.01.01", "1-0", "1. e4"),
    ];
    let expected = ["1 kept 1", "1 exact 5 of 1", "2 kept 2", "2 exact 8 of 2"];
    assert_eq!(found(&archive.concat(), &[]), expected);
}

#[test]
fn null_moves_are_part_of_the_moves() {
    let allow = ["--allow", "null-move-main-line"];
    let archive = [
        same("1-0", "1. e4 -- 2. d4"),
        same("1-0", "1. e4 Z0 2. d4 {c}"),
        same("1-0", "1. e4 e5 2. d4"),
        same("1-0", "1. e4 -- 2. d4 --"),
        same("1-0", "1. e4 -- 2. -- e5"),
        same("1-0", "1. e4 e5 (1... -- 2. Nf3) 2. d4"),
    ]
    .concat();
    let expected = ["1 kept 1", "1 exact 2 of 1", "1 near 4 of 1", "2 kept 3", "2 exact 6 of 3"];
    assert_eq!(found(&archive, &allow), expected);
}

/// The games of the sample, some of them several times, changed, truncated or faulty; text between games.
fn mixed(seed: u64) -> Vec<String> {
    let text = String::from_utf8(text_of(&here(SAMPLE))).unwrap();
    let games: Vec<String> =
        text.split_inclusive("\n\n[Event ").map(ToString::to_string).take(400).collect();
    let last = games.len() - 1;
    let whole = |(at, game): (usize, &String)| {
        let begin = if at == 0 { "" } else { "[Event " };
        let end = game.strip_suffix("[Event ").filter(|_| at < last).unwrap_or(game);
        format!("{begin}{}\n\n", end.trim_end())
    };
    let games: Vec<String> = games.iter().enumerate().map(whole).collect();
    let (mut dice, mut mixed) = (Dice::new(seed), Vec::new());
    for _ in 0..700 {
        let game = &games[dice.below(games.len())];
        mixed.push(match dice.below(6) {
            0 => game.replace("[Site ", "[Annotator \"x\"]\n[Site "),
            1 => game.replacen("1. ", "1. e4 e4 ", 1),
            2 => game.replacen(" 2. ", " {another comment} 2. ", 1),
            3 if dice.below(9) == 0 => "; a line that belongs to no game\n\n".to_string(),
            _ => game.clone(),
        });
    }
    mixed
}

#[test]
fn kept_games_duplicates_and_rejects_are_all_games_byte_for_byte() {
    for (seed, keep) in [(1, "first"), (2, "longest")] {
        let scratch = Scratch::new();
        let games = mixed(seed);
        let archive = games.concat();
        scratch.write("a.pgn", archive.as_bytes());
        let args = ["a.pgn", "--keep", keep, "--removed", "--rejects", "rejects.pgn", "-o", "o"];
        let output = find(&scratch, &args, 1);
        let read = |name: &str| fs::read(scratch.join(name)).unwrap();
        let written = [read("o/kept.pgn"), read("o/duplicates.pgn"), read("rejects.pgn")];
        assert_eq!(written.iter().map(Vec::len).sum::<usize>(), archive.len());
        let mut parts: Vec<String> = Vec::new();
        for text in written {
            let text = String::from_utf8(text).unwrap();
            parts.extend(text.split_inclusive("\n\n").map(ToString::to_string));
        }
        let mut expected: Vec<String> =
            archive.split_inclusive("\n\n").map(ToString::to_string).collect();
        parts.sort();
        expected.sort();
        assert!(parts == expected);
        let summary = scratch.join("o/summary.csv");
        let [read, kept, duplicates, rejected, exact, near] =
            ["games", "kept", "duplicates", "rejected", "exact_duplicates", "near_duplicates"]
                .map(|key| fact(&summary, key));
        assert_eq!(read, kept + duplicates + rejected);
        assert_eq!(duplicates, exact + near);
        assert!(duplicates > 100 && rejected > 20 && kept > 200, "{kept} {duplicates} {rejected}");
        let line = format!("{kept} games kept + {duplicates} duplicates + {rejected} rejected");
        assert!(errors_of(&output).contains(&line), "{}", errors_of(&output));
        let rows = rows(&scratch.join("o/groups.csv"));
        assert_eq!(
            rows.iter().filter(|row| row.kind == "kept").count() as u64,
            fact(&summary, "duplicate_groups")
        );
        for row in &rows {
            assert!(archive[row.offset..].starts_with("[Event "), "{row:?}");
        }
        // What is kept has no duplicates.
        find(&scratch, &["-q", "o/kept.pgn", "-o", "again", "--keep", keep], 0);
        assert_eq!(fact(&scratch.join("again/summary.csv"), "duplicates"), 0);
        assert_eq!(
            fs::read(scratch.join("again/kept.pgn")).unwrap(),
            fs::read(scratch.join("o/kept.pgn")).unwrap()
        );
        // With rejected games in their places nothing but the duplicates is missing.
        let args = ["-q", "a.pgn", "-o", "all", "--keep", keep, "--keep-rejects", "--removed"];
        find(&scratch, &args, 1);
        let [kept, removed] = ["all/kept.pgn", "all/duplicates.pgn"]
            .map(|name| fs::read(scratch.join(name)).unwrap().len());
        assert_eq!(kept + removed, archive.len());
    }
}

#[test]
fn the_files_do_not_depend_on_threads_blocks_or_memory() {
    let scratch = Scratch::new();
    let games = mixed(3);
    let (one, other) = games.split_at(games.len() / 3);
    scratch.write("in/a.pgn", one.concat().as_bytes());
    let frames: Vec<u8> = other
        .chunks(50)
        .flat_map(|games| zstd::bulk::compress(games.concat().as_bytes(), 1).unwrap())
        .collect();
    scratch.write("in/b.pgn.zst", &frames);
    let common = ["-q", "in", "--keep", "longest", "--removed", "-o"];
    find(&scratch, &[&common[..], &["expected"]].concat(), 1);
    let mut expected = files(&scratch.join("expected"));
    assert_eq!(expected.len(), 4);
    for (number, options) in [
        ["--threads", "1", "--sort-bytes", "0"],
        ["--threads", "2", "--sort-bytes", "500"],
        ["--threads", "7", "--sort-bytes", "20000"],
        ["--block-bytes", "1000", "--range-bytes", "5000"],
        ["--block-bytes", "100", "--sort-bytes", "1"],
    ]
    .iter()
    .enumerate()
    {
        let directory = format!("o{number}");
        find(&scratch, &[&common[..], &[&directory], options].concat(), 1);
        assert!(files(&scratch.join(&directory)) == expected, "{options:?}");
    }
    // Compressed archives have the same text.
    find(&scratch, &[&common[..], &["z", "--zst", "--level", "1"]].concat(), 1);
    for (name, text) in files(&scratch.join("z")) {
        let plain = name.strip_suffix(".zst").unwrap_or(&name);
        let expected = expected.remove(plain).unwrap();
        assert!(common::unpacked(&text) == expected, "{name}");
    }
}

#[test]
fn the_order_of_inputs_decides_which_game_is_first_and_nothing_else() {
    let scratch = Scratch::new();
    let games = mixed(4);
    for (name, games) in ["a.pgn", "b.pgn", "c.pgn"].iter().zip(games.chunks(250)) {
        scratch.write(name, games.concat().as_bytes());
    }
    let groups = |inputs: [&str; 3], directory: &str| {
        find(&scratch, &[&["-q", "-o", directory][..], &inputs].concat(), 1);
        let rows = rows(&scratch.join(&format!("{directory}/groups.csv")));
        let mut groups: BTreeMap<u64, BTreeSet<(String, usize)>> = BTreeMap::new();
        for row in &rows {
            groups.entry(row.group).or_default().insert((row.archive.clone(), row.game));
        }
        for group in groups.values() {
            assert!(group.len() > 1);
        }
        let across = rows
            .iter()
            .filter(|row| row.of.as_ref().is_some_and(|(archive, _)| *archive != row.archive));
        assert!(across.count() > 20);
        (
            groups.into_values().collect::<BTreeSet<_>>(),
            fact(&scratch.join(&format!("{directory}/summary.csv")), "exact_duplicates"),
        )
    };
    let expected = groups(["a.pgn", "b.pgn", "c.pgn"], "abc");
    assert_eq!(groups(["c.pgn", "a.pgn", "b.pgn"], "cab"), expected);
    assert_eq!(groups(["c.pgn", "b.pgn", "a.pgn"], "cba"), expected);
}

/// Games that cannot have duplicates at the end of one archive are not taken for those of the next.
#[test]
fn archives_may_end_with_games_that_have_no_duplicates() {
    let scratch = Scratch::new();
    let rejected = same("1-0", "1. e4 e4");
    scratch.write("a.pgn", [&same("1-0", "1. e4 e5"), "*\n*\n", &rejected].concat().as_bytes());
    scratch.write("b.pgn", [&rejected, "*\n*\n"].concat().as_bytes());
    scratch.write("c.pgn", b"");
    scratch.write(
        "d.pgn",
        [same("1-0", "1. e4 e5 2. d4"), same("1-0", "1. e4 e5")].concat().as_bytes(),
    );
    let inputs = ["a.pgn", "b.pgn", "c.pgn", "d.pgn"];
    find(&scratch, &[&["-q", "-o", "o", "--keep", "longest"][..], &inputs].concat(), 1);
    let rows = rows(&scratch.join("o/groups.csv"));
    let rows =
        rows.iter().map(|row| format!("{} {} {} {}", row.group, row.kind, row.archive, row.game));
    assert_eq!(rows.collect::<Vec<_>>(), ["1 near a.pgn 1", "1 kept d.pgn 1", "1 exact d.pgn 2"]);
    assert_eq!(fact(&scratch.join("o/summary.csv"), "kept"), 5);
}

#[test]
fn games_in_another_notation_are_the_same_games() {
    let scratch = Scratch::new();
    let text = String::from_utf8(text_of(&here(SAMPLE))).unwrap();
    let end = text.match_indices("\n\n[Event ").nth(200).unwrap().0 + 2;
    scratch.write("a.pgn", &text.as_bytes()[..end]);
    let output =
        run_in(scratch.path(), &["convert", "-q", "--to", "uci", "-o", "b.pgn", "a.pgn"], b"");
    assert_eq!(exit_code(&output), 0);
    find(&scratch, &["-q", "b.pgn", "a.pgn", "--keep", "first", "--near", "no", "-o", "o"], 0);
    let summary = scratch.join("o/summary.csv");
    assert!(fact(&summary, "exact_duplicates") >= 201);
    assert_eq!(fact(&summary, "games"), 402);
    // The result is in the notation of what was first.
    assert!(fs::read_to_string(scratch.join("o/kept.pgn")).unwrap().contains(" e2e4"));
}

// ---- the definitions, computed naively

/// Lines with common beginnings.
const LINES: [&str; 6] = [
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Nb8 d4 Nbd7",
    "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5 Bb3 d6 c3 O-O h3 Na5 Bc2 c5",
    "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6",
    "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6",
    "d4 d5 c4 e6 Nc3 Nf6 Bg5 Be7 e3 O-O",
    "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O f6",
];

#[derive(Clone, PartialEq, Eq, Debug)]
struct Known {
    moves: Vec<&'static str>,
    /// Players, date and result; `None` if one of them is unknown.
    near: Option<(usize, usize, usize)>,
}

fn random_games(seed: u64, count: usize) -> (Vec<Known>, String) {
    let mut dice = Dice::new(seed);
    let (mut games, mut archive) = (Vec::new(), String::new());
    for _ in 0..count {
        let line: Vec<&str> = dice.one(&LINES).split(' ').collect();
        let moves = line[..1 + dice.below(line.len())].to_vec();
        let (player, date, result) = (dice.below(4), dice.below(4), dice.below(2));
        let white = dice
            .one(&[["Tal, M", "M. TAL"], ["Euwe, Max", "max euwe"], ["A", "a"], ["?", ""]][player]);
        let date_text = ["1960.01.01", "1960.01.02", "1960.??.??", "????.??.??"][date];
        let result_text = ["1-0", "1/2-1/2"][result];
        let text = moves.iter().enumerate().map(|(at, mv)| match at % 2 {
            0 => format!("{}. {mv}", at / 2 + 1),
            _ => (*mv).to_string(),
        });
        let text: Vec<String> = text.collect();
        write!(archive, "{}", game(white, "B", date_text, result_text, &text.join(" "))).unwrap();
        let near = (player < 3 && date < 3).then_some((player, date, result));
        games.push(Known { moves, near });
    }
    (games, archive)
}

/// For each game the first game of its group, by the definitions.
fn naive_groups(games: &[Known], near_plies: usize) -> Vec<usize> {
    let mut group: Vec<usize> = (0..games.len()).collect();
    let is_near = |a: &Known, b: &Known| {
        let (short, long) = if a.moves.len() < b.moves.len() { (a, b) } else { (b, a) };
        a.near.is_some()
            && a.near == b.near
            && short.moves.len() >= near_plies
            && long.moves.starts_with(&short.moves)
    };
    for one in 0..games.len() {
        for other in 0..one {
            let (a, b) = (&games[one], &games[other]);
            if a.moves == b.moves || is_near(a, b) {
                let (from, to) = (group[one].max(group[other]), group[one].min(group[other]));
                group.iter_mut().filter(|group| **group == from).for_each(|group| *group = to);
            }
        }
    }
    group
}

#[test]
fn groups_are_those_of_the_definitions() {
    for seed in 0..24 {
        let near_plies = [1, 4, 11][seed as usize % 3];
        let (games, archive) = random_games(seed, 20 + 12 * seed as usize);
        let groups = naive_groups(&games, near_plies);
        let scratch = Scratch::new();
        scratch.write("a.pgn", archive.as_bytes());
        for keep in ["first", "longest"] {
            let sort_bytes = ["0", "300", "100000"][seed as usize / 3 % 3];
            let near = near_plies.to_string();
            let args = [
                "-q",
                "a.pgn",
                "-o",
                keep,
                "--keep",
                keep,
                "--near",
                &near,
                "--sort-bytes",
                sort_bytes,
            ];
            find(&scratch, &args, 0);
            let rows = rows(&scratch.join(&format!("{keep}/groups.csv")));
            check_groups(&games, &groups, &rows, keep);
        }
    }
}

/// Compares the rows with the first game of each game's group.
fn check_groups(games: &[Known], groups: &[usize], rows: &[Row], keep: &str) {
    let mut expected: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    groups
        .iter()
        .enumerate()
        .for_each(|(game, &group)| expected.entry(group).or_default().push(game));
    expected.retain(|_, members| members.len() > 1);
    let members = |group: &Vec<usize>| group.iter().map(|game| game + 1).collect::<Vec<usize>>();
    let expected: Vec<Vec<usize>> = expected.values().map(members).collect();
    let mut found: Vec<Vec<usize>> = vec![Vec::new(); expected.len()];
    rows.iter().for_each(|row| found[row.group as usize - 1].push(row.game));
    assert_eq!(found, expected);
    let moves = |game: usize| &games[game - 1].moves;
    for row in rows {
        assert_eq!(row.plies, moves(row.game).len());
        let group = &expected[row.group as usize - 1];
        let longest = group.iter().map(|game| moves(*game).len()).max().unwrap();
        let kept = match keep {
            "first" => group[0],
            _ => *group.iter().find(|game| moves(**game).len() == longest).unwrap(),
        };
        let first = *group.iter().find(|game| moves(**game) == moves(row.game)).unwrap();
        let kind = match row.game {
            game if game == kept => "kept",
            game if game == first => "near",
            _ => "exact",
        };
        assert_eq!(row.kind, kind);
        let of = row.of.as_ref().map_or(row.game, |(_, of)| *of);
        match kind {
            "kept" => assert_eq!(row.of, None),
            "exact" => assert_eq!(of, first),
            _ => {
                let (a, b) = (moves(row.game), moves(of));
                assert!(a.starts_with(b) != b.starts_with(a), "{row:?}");
                assert!(group.contains(&of));
            }
        }
    }
}

// ---- hostile archives

#[test]
fn many_equal_games_and_many_games_of_one_key_take_no_quadratic_time() {
    let scratch = Scratch::new();
    let equal = trials(60_000, 200_000, 200_000);
    scratch.write("equal.pgn", "1. e4 e5 *\n".repeat(equal as usize).as_bytes());
    find(
        &scratch,
        &["-q", "equal.pgn", "-o", "equal", "--keep", "first", "--sort-bytes", "100000"],
        0,
    );
    assert_eq!(fact(&scratch.join("equal/summary.csv"), "exact_duplicates"), equal - 1);
    assert_eq!(fs::read(scratch.join("equal/kept.pgn")).unwrap(), b"1. e4 e5 *\n");
    // Games of knights that go and return, in one key: none is a prefix of another; then all prefixes of one.
    let knights = |bits: usize| {
        let step =
            |at: usize| if bits >> at & 1 == 0 { "Nf3 Nf6 Ng1 Ng8" } else { "Nc3 Nc6 Nb1 Nb8" };
        (0..14).map(step).collect::<Vec<_>>().join(" ")
    };
    let different = (0..1 << trials(12, 14, 14)).map(|bits| same("1-0", &knights(bits)));
    let different: String = different.collect();
    scratch.write("key.pgn", different.as_bytes());
    find(&scratch, &["-q", "key.pgn", "-o", "key", "--sort-bytes", "100000"], 0);
    assert_eq!(fact(&scratch.join("key/summary.csv"), "duplicates"), 0);
    let long: Vec<&str> = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(trials(200, 400, 400));
    let nested: String =
        (1..long.len()).rev().map(|plies| same("1-0", &long[..plies].join(" "))).collect();
    scratch.write("nested.pgn", nested.as_bytes());
    find(
        &scratch,
        &["-q", "nested.pgn", "-o", "nested", "--keep", "longest", "--sort-bytes", "3000"],
        0,
    );
    let summary = scratch.join("nested/summary.csv");
    assert_eq!(
        [fact(&summary, "near_duplicates"), fact(&summary, "kept")],
        [long.len() as u64 - 2, 1]
    );
}

#[test]
fn damaged_frames_are_the_same_at_every_reading() {
    let scratch = Scratch::new();
    let frame = |game: String| zstd::bulk::compress(game.as_bytes(), 1).unwrap();
    let damaged = b"\x28\xb5\x2f\xfd\x04\x00\xff\xff\xff\xff\xff".to_vec();
    let one = || frame(same("1-0", "1. e4 e5"));
    let stored = [one(), damaged, one(), frame(same("1-0", "1. e4 e5 2. d4")), one()].concat();
    scratch.write("a.zst", &stored);
    let args = ["a.zst", "-o", "o", "--keep", "longest", "--removed"];
    let output = find(&scratch, &args, 2);
    assert!(errors_of(&output).contains("--skip-damaged"), "{}", errors_of(&output));
    assert!(!scratch.join("o").exists());
    find(&scratch, &[&args[..], &["--skip-damaged"]].concat(), 1);
    assert_eq!(
        fs::read_to_string(scratch.join("o/kept.pgn")).unwrap(),
        same("1-0", "1. e4 e5 2. d4")
    );
    let removed = same("1-0", "1. e4 e5").repeat(3);
    assert_eq!(fs::read_to_string(scratch.join("o/duplicates.pgn")).unwrap(), removed);
}

#[test]
fn games_that_become_neighbours_stay_apart() {
    let scratch = Scratch::new();
    let archive =
        "[Event \"a\"]\n\n1. e4\n\n[Event \"b\"]\n\n1. e4 *\n\n1. d4 d5 * 1. d4 d5 * 1. c4 {x";
    scratch.write("a.pgn", archive.as_bytes());
    let args =
        ["-q", "a.pgn", "-o", "o", "--keep", "first", "--removed", "--allow", "result-missing"];
    find(&scratch, &args, 1);
    let [kept, duplicates] =
        ["kept", "duplicates"].map(|key| fact(&scratch.join("o/summary.csv"), key));
    assert_eq!(duplicates, 2);
    for (name, expected) in [("o/kept.pgn", kept), ("o/duplicates.pgn", duplicates)] {
        let args = ["validate", "-q", name, "--summary", "s.csv", "--overwrite"];
        assert_eq!(exit_code(&run_in(scratch.path(), &args, b"")), 0);
        assert_eq!(fact(&scratch.join("s.csv"), "games"), expected, "{name}");
    }
}

// ---- refusals

#[needs("a null device", command = "test -c /dev/null")]
#[test]
fn inputs_that_cannot_be_read_twice_are_refused_by_name() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", same("1-0", "1. e4").as_bytes());
    let refused = |args: &[&str], words: &str| {
        let output = find(&scratch, args, 2);
        assert!(errors_of(&output).contains(words), "{args:?}: {}", errors_of(&output));
        assert!(!scratch.join("o").exists(), "{args:?}");
    };
    refused(&["a.pgn", "-", "-o", "o"], "standard input is no file");
    refused(&["absent.pgn", "-o", "o"], "absent.pgn");
    #[cfg(unix)]
    refused(&["/dev/null", "-o", "o"], "/dev/null is no file");
    refused(&["a.pgn", "-o", "o", "--near", "0"], "at least 1, or no");
    refused(&["a.pgn", "-o", "o", "--removed"], "--keep");
    refused(&["a.pgn", "-o", "o", "--zst"], "--keep");
    refused(
        &["a.pgn", "-o", "o", "--keep", "first", "--keep-rejects", "--rejects", "r"],
        "--keep-rejects does not go with --rejects",
    );
    refused(&["a.pgn", "-o", "a.pgn"], "a.pgn");
}

#[test]
fn the_files_of_a_directory_are_of_one_run() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", [same("1-0", "1. e4"), same("1-0", "1. e4 e5")].concat().as_bytes());
    find(&scratch, &["-q", "a.pgn", "-o", "o", "--keep", "first"], 0);
    let before = files(&scratch.join("o"));
    assert_eq!(before.keys().collect::<Vec<_>>(), ["groups.csv", "kept.pgn", "summary.csv"]);
    let output = find(&scratch, &["a.pgn", "-o", "o", "--keep", "longest"], 2);
    assert!(errors_of(&output).contains("exists already"), "{}", errors_of(&output));
    // An archive that would not be replaced would not fit the new table.
    for args in [&["--overwrite"][..], &["--overwrite", "--keep", "longest", "--zst"]] {
        let output = find(&scratch, &[&["a.pgn", "-o", "o"], args].concat(), 2);
        assert!(
            errors_of(&output).contains("kept.pgn is of another run"),
            "{}",
            errors_of(&output)
        );
    }
    // An output that is an input.
    let output = find(&scratch, &["o", "-o", "o", "--keep", "first", "--overwrite"], 2);
    assert!(errors_of(&output).contains("is an input"), "{}", errors_of(&output));
    assert_eq!(files(&scratch.join("o")), before);
    find(&scratch, &["-q", "a.pgn", "-o", "o", "--keep", "longest", "--overwrite"], 0);
    assert_ne!(files(&scratch.join("o"))["kept.pgn"], before["kept.pgn"]);
}

#[test]
fn the_tables_of_all_commands_are_those_of_the_first_reading() {
    let scratch = Scratch::new();
    let games = [same("1-0", "1. e4 e4"), same("1-0", "1. e4 e5"), same("1-0", "1. e4 e5 2.Ng1f3")];
    scratch.write("a.pgn", games.concat().as_bytes());
    let tables =
        ["--faults", "f.csv", "--notes", "n.csv", "--rejects", "r.pgn", "--summary", "s.csv"];
    find(&scratch, &[&["-q", "a.pgn", "-o", "o", "--keep", "longest"], &tables[..]].concat(), 1);
    let outputs = ["f.csv", "n.csv", "r.pgn"].map(|name| fs::read(scratch.join(name)).unwrap());
    let expected = ["validate", "-q", "a.pgn", "--overwrite"];
    run_in(scratch.path(), &[&expected[..], &tables[..6]].concat(), b"");
    assert!(
        outputs == ["f.csv", "n.csv", "r.pgn"].map(|name| fs::read(scratch.join(name)).unwrap())
    );
    assert_eq!(fact(&scratch.join("s.csv"), "games"), 3);
    assert_eq!(fs::read_to_string(scratch.join("o/kept.pgn")).unwrap(), games[2]);
}

/// What separates the games that are kept follows from these games alone, not from the division of the archive: open
/// rejected games, text between games and games without tag pairs, any of them removed, in jobs of any length.
#[test]
fn what_is_kept_does_not_depend_on_the_division_of_the_archive() {
    const PIECES: &[&str] = &[
        "[Event \"a\"]\n\n1. c4 c5 0-1\n\n",
        "[Event \"a\"]\n\n1. c4 c5 0-1\n\n",
        "[Event \"r\"]\n\n1. e4 Zz\n\n",
        "[Event \"r\"]\n\n1. e4 {open\n\n",
        "[Event \"r\"]\n\n1. e4 (1. Zz\n\n",
        "Some prose here\n",
        "; a line\n",
        "% an escape\n",
        "{a comment}\n",
        "a brace } here\n",
        "1. g3 d5 1-0\n\n",
        "1. g3 d5 *",
        "1. g3 d5 {x}\n\n",
        "[Event \"o\"]\n\n1. d4 d5\n\n",
        " ",
        "\r\n",
    ];
    const HARD: [&str; 6] = [PIECES[0], PIECES[0], PIECES[2], PIECES[5], PIECES[9], PIECES[12]];
    let (mut dice, mut kept_games, mut removed_games) = (Dice::new(0x0D1F_F3E1), 0, 0);
    for archive in 0..common::trials(9, 28, 1_000) {
        let scratch = Scratch::new();
        // Most archives consist of the pieces with which the most can go wrong.
        let from = if archive % 4 > 0 { &HARD[..] } else { PIECES };
        let pieces = (0..5 + dice.below(8)).map(|_| from[dice.below(from.len())]);
        let text: String = std::iter::once(PIECES[0]).chain(pieces).collect();
        scratch.write("a.pgn", text.as_bytes());
        let whole = zstd::encode_all(text.as_bytes(), 1).unwrap();
        scratch.write("b.pgn.zst", &whole);
        let run = |input: &str, range_bytes: usize, block_bytes: usize| {
            let (range, block) = (range_bytes.to_string(), block_bytes.to_string());
            let args = [
                &["duplicates", "-q", "--overwrite", "--near", "no", "--keep", "first"][..],
                &["--same", "moves", "--min-plies", "1"],
                &["--keep-rejects", "--range-bytes", &range, "--block-bytes", &block],
                &["--removed", "-o", "o", input],
            ];
            let output = run_in(scratch.path(), &args.concat(), b"");
            assert!(exit_code(&output) < 2, "{text:?}: {}", errors_of(&output));
            ["kept", "duplicates"].map(|name| {
                let bytes = fs::read(scratch.join(&format!("o/{name}.pgn"))).unwrap();
                String::from_utf8(bytes).unwrap()
            })
        };
        let usual = run("a.pgn", 1 << 20, 1 << 20);
        for _ in 0..common::trials(10, 10, 40) {
            let input = ["a.pgn", "b.pgn.zst"][dice.below(2)];
            let (range, block) = (20 + dice.below(120), 1 + dice.below(text.len() + 9));
            assert_eq!(
                run(input, range, block),
                usual,
                "{archive}: {input} {range} {block} {text:?}"
            );
        }
        // Every game is in one of the files.
        let games = |path: &Path| -> u64 {
            let args =
                ["validate", "-q", "--summary", "s.csv", "--overwrite", path.to_str().unwrap()];
            run_in(scratch.path(), &args, b"");
            fact(&scratch.join("s.csv"), "games")
        };
        let removed = games(&scratch.join("o/duplicates.pgn"));
        let kept = games(&scratch.join("o/kept.pgn"));
        assert_eq!(kept + removed, games(&scratch.join("a.pgn")), "{text:?}\n{usual:?}");
        (kept_games, removed_games) = (kept_games + kept, removed_games + removed);
    }
    assert!(
        kept_games > trials(30, 100, 100) && removed_games > trials(6, 20, 20),
        "{kept_games} {removed_games}"
    );
}

/// What a sort counts as the memory of an item is not less than what the item holds.
#[test]
fn items_of_a_sort_count_what_they_hold() {
    for bytes in [0, 1, 100, 40_000] {
        let line = CandidateLine { group: 1, moves: vec![7; bytes], node: 2 };
        assert!(line.memory_bytes() >= bytes + size_of::<CandidateLine>(), "{bytes}");
        let row = GroupRow { group: 1, id: 2, fields: vec!["x".repeat(bytes); 3] };
        assert!(row.memory_bytes() >= 3 * bytes + size_of::<GroupRow>(), "{bytes}");
    }
}

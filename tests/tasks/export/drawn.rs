//! Which plies and games are written: `--plies`, `--sample-plies`, `--parts`.
//!
//! Laws: the rows are those of the whole table that are to be taken, in their order, with the same values, over any
//! games, columns, threads and containers; a share does not depend on the order of the games; parts are disjoint, and
//! together all.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::formats::RICH;
use super::table::{self, Value};
use crate::common::{Dice, SAMPLE, Scratch, errors_of, exit_code, here, run_in, text_of, trials};

const ALL: &str = "--table plies --columns all --allow null-move-main-line";

/// Games of the sample, of other rulesets, rejected games, and games without plies.
fn games() -> Vec<u8> {
    let mut text = text_of(&here(SAMPLE))[..trials(150_000, 300_000, 300_000)].to_vec();
    text.truncate(text.windows(2).rposition(|pair| pair == b"\n[").unwrap() + 1);
    let others = [
        RICH,
        "[Event \"x\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 P@e4 4. Nxd5 *\n\n",
        "[Event \"y\"]\n[Variant \"Chess 99\"]\n\n1. b24 Nh9g7 2. i24 Nb9a7 *\n\n",
        "[Event \"z\"]\n\n1. e4 -- 2. d4 d5 3. Ke8 *\n\n",
        "[Event \"z\"]\n\n1. e4 {[%clk 0:01:00]} -- 2. d4 {[%eval 1]} d5 *\n\n[Event \"none\"]\n\n*\n\n",
    ];
    others.iter().for_each(|other| text.extend(other.bytes()));
    text
}

/// The rows of a run over a text.
fn rows(text: &[u8], args: &str) -> Vec<Vec<Value>> {
    table::table_of(text, args).rows
}

#[test]
fn rows_of_numbered_plies_are_those_of_the_table() {
    let text = games();
    let whole = table::table_of(&text, ALL);
    let ply = whole.index("ply");
    for (option, numbers) in [
        ("10..60", 10..=60),
        ("1..1", 1..=1),
        ("..7", 1..=7),
        ("40..", 40..=i64::MAX),
        ("3", 3..=3),
    ] {
        let expected: Vec<_> =
            whole.rows.iter().filter(|row| numbers.contains(&row[ply].number().unwrap())).collect();
        assert!(!expected.is_empty());
        for threads in [1, 7] {
            let args = format!("{ALL} --plies {option} --threads {threads} --range-bytes 5000");
            let found = rows(&text, &args);
            assert!(found.iter().eq(expected.iter().copied()), "{option}");
        }
    }
    assert!(rows(&text, &format!("{ALL} --plies 9999..")).is_empty());
}

/// The rows of a share are rows of the table; whatever else is read, and in which order.
#[test]
fn a_share_of_plies_depends_on_the_game_and_its_moves_alone() {
    let text = games();
    let whole = rows(&text, ALL);
    let mut before = Vec::new();
    for percent in [0.5, 5.0, 40.0, 100.0] {
        let args = format!("{ALL} --sample-plies {percent}%");
        let found = rows(&text, &args);
        let expected = whole.len() as f64 * percent / 100.0;
        let difference = (found.len() as f64 - expected).abs();
        assert!(difference < 5.0 * expected.sqrt() + 1.0, "{} of {}", found.len(), whole.len());
        let mut rest = whole.iter();
        assert!(found.iter().all(|row| rest.any(|of_table| of_table == row)), "{percent}");
        // A smaller share is a part of a larger one.
        let larger: BTreeSet<_> = found.iter().collect();
        assert!(before.iter().all(|row| larger.contains(row)));
        let other =
            rows(&text, &format!("{args} --threads 7 --block-bytes 900 --range-bytes 4000"));
        assert!(found == other, "{percent}");
        before = found;
    }
    let seeds = [0, 1].map(|seed| rows(&text, &format!("{ALL} --sample-plies 5% --seed {seed}")));
    assert_ne!(seeds[0], seeds[1]);
}

/// With both options the rows are those that each takes: a share does not depend on which plies were asked for.
#[test]
fn numbered_plies_and_a_share_are_taken_together() {
    let text = games();
    for share in ["3%", "40%", "40% --seed 7"] {
        let drawn: BTreeSet<_> =
            rows(&text, &format!("{ALL} --sample-plies {share}")).into_iter().collect();
        for numbers in ["1..1", "2..9", "10..60", "30.."] {
            let numbered = rows(&text, &format!("{ALL} --plies {numbers}"));
            let expected: Vec<_> = numbered.iter().filter(|row| drawn.contains(*row)).collect();
            let both = rows(&text, &format!("{ALL} --plies {numbers} --sample-plies {share}"));
            assert!(both.iter().eq(expected.iter().copied()), "{numbers}, {share}");
        }
    }
}

/// Games of every length beside each other: each ply has the offset and the number of its game, and a game as many
/// rows as plies, also where there are as many rows as games.
#[test]
fn plies_are_those_of_their_games_whatever_the_lengths_beside_them() {
    const MOVES: [&str; 4] = ["Nf3", "Nf6", "Ng1", "Ng8"];
    const COLUMNS: &str = "archive,byte_offset,game";
    let mut dice = Dice::new(0x0707);
    for round in 0..crate::common::trials(12, 60, 2_000) {
        let lengths: Vec<usize> = match round {
            // As many rows as games, or nearly so.
            0 => vec![0, 2, 1],
            1 => vec![2, 0, 1, 1],
            2 => vec![1; 5],
            _ => (0..1 + dice.below(7)).map(|_| dice.one(&[0, 0, 1, 1, 2, 3, 20])).collect(),
        };
        let game = |(number, plies): (usize, &usize)| {
            let moves: String = (0..*plies).map(|ply| format!("{} ", MOVES[ply % 4])).collect();
            format!("[White \"w{number}\"]\n\n{moves}1-0\n\n")
        };
        let text: String = lengths.iter().enumerate().map(game).collect();
        let games = rows(text.as_bytes(), &format!("--columns {COLUMNS}"));
        assert_eq!(games.len(), lengths.len(), "{text}");
        let plies = rows(text.as_bytes(), &format!("--table plies --columns {COLUMNS}"));
        let expected =
            games.iter().zip(&lengths).flat_map(|(game, &plies)| std::iter::repeat_n(game, plies));
        assert!(plies.iter().eq(expected), "{lengths:?}");
    }
}

/// The time that a ply took is computed from the clocks: also none at all, and never less.
#[test]
fn a_ply_takes_what_the_clocks_and_the_increment_say() {
    for (increment, differences) in [(0, [0, 1, 30]), (2, [0, 1, 2]), (5, [5, 4, 0])] {
        for difference in differences {
            let clock =
                |seconds: i32| format!("{{[%clk 0:{:02}:{:02}]}}", seconds / 60, seconds % 60);
            let (first, then) = (clock(600), clock(600 - difference));
            let text = format!(
                "[TimeControl \"600+{increment}\"]\n\n1. e4 {first} e5 {first} 2. d4 {then} d5 {then} *\n"
            );
            let found = rows(text.as_bytes(), "--table plies --columns ply,spent_ms");
            let spent = |row: &[Value]| row[1].number();
            assert_eq!(spent(&found[0]), None, "{text}");
            let expected = Some(i64::from(difference + increment) * 1_000);
            assert_eq!((spent(&found[2]), spent(&found[3])), (expected, expected), "{text}");
        }
    }
}

/// The games in any order, some of them left out: the plies of a game that are taken are the same.
#[test]
fn a_share_of_plies_does_not_depend_on_the_archive() {
    let text = String::from_utf8(games()).unwrap();
    let mut games: Vec<&str> = text.split("\n\n[").collect();
    let columns = "--table plies --columns ply,san,fen,clock_ms,material --sample-plies 20%";
    let in_order = |games: &[&str]| -> Vec<Vec<Value>> {
        let game = |game: &&str| format!("[{}\n\n", game.trim_start_matches('['));
        let text: String = games.iter().map(game).collect();
        let mut rows = rows(text.as_bytes(), columns);
        rows.sort();
        rows
    };
    let first = in_order(&games);
    assert!(first.len() > 500, "{}", first.len());
    let mut dice = Dice::new(3);
    for index in (1..games.len()).rev() {
        games.swap(index, dice.below(index + 1));
    }
    assert!(first == in_order(&games));
}

/// All columns at once are those of each alone.
#[test]
fn columns_of_drawn_plies_are_independent() {
    let text = games();
    let drawn = "--plies 2..30 --sample-plies 30% --allow null-move-main-line";
    let all = table::table_of(&text, &format!("--table plies --columns all {drawn}"));
    for name in &all.names {
        let one = table::table_of(&text, &format!("--table plies --columns {name} {drawn}"));
        assert!(all.column(name) == one.column(name), "{name}");
    }
}

/// The rows of each part, by its name.
fn parts(scratch: &Scratch, kind: &str, args: &str) -> BTreeMap<String, Vec<Vec<Value>>> {
    let parts =
        format!("--table {kind} --parts train:0.8,val:0.15,test:5% --overwrite -q -o out {args}");
    drop(fs::remove_dir_all(scratch.join("out")));
    table::export(scratch, &parts, &["a.pgn"]);
    let folders = fs::read_dir(scratch.join("out")).unwrap().map(|entry| entry.unwrap().path());
    let part = |folder: std::path::PathBuf| {
        let rows = table::parquet(&folder.join(format!("{kind}.parquet"))).rows;
        (folder.file_name().unwrap().to_str().unwrap().to_string(), rows)
    };
    folders.map(part).collect()
}

#[test]
fn parts_are_disjoint_and_together_all() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", &games());
    let mut of_table = Vec::new();
    for kind in ["games", "plies"] {
        let args = "--columns byte_offset,game --threads 1";
        let found = parts(&scratch, kind, args);
        assert!(found.keys().eq(["part=test", "part=train", "part=val"]), "{kind}");
        let other = "--columns byte_offset,game --threads 7 --range-bytes 4000 --block-bytes 900";
        assert!(found == parts(&scratch, kind, other));
        let whole = rows(&games(), &format!("--table {kind} {args}"));
        let mut all: Vec<_> = found.values().flatten().cloned().collect();
        all.sort();
        let mut expected = whole.clone();
        expected.sort();
        assert!(all == expected, "{kind}");
        let games = found.into_iter().map(|(name, rows)| (name, BTreeSet::from_iter(rows)));
        of_table.push(games.collect::<BTreeMap<_, _>>());
    }
    // No game is in two parts, and its plies are in the part of the game.
    let [games, plies] = &of_table[..] else { unreachable!() };
    for (name, plies) in plies {
        assert!(plies.is_subset(&games[name]), "{name}");
        let others = games.iter().filter(|(other, _)| *other != name);
        assert!(others.flat_map(|(_, rows)| rows).all(|row| !plies.contains(row)), "{name}");
    }
    let counts = ["part=train", "part=val", "part=test"].map(|name| games[name].len());
    let all: usize = counts.iter().sum();
    assert!(counts[0] * 10 > all * 7 && counts[1] > counts[2] && counts[2] > 0, "{counts:?}");
}

/// Parts do not depend on a sample of games, nor on the other keys.
#[test]
fn parts_go_with_samples_and_partitions() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", &games());
    let columns = "--columns byte_offset,White";
    let whole = parts(&scratch, "games", columns);
    let sampled = parts(&scratch, "games", &format!("{columns} --sample 40%"));
    let count =
        |parts: &BTreeMap<String, Vec<Vec<Value>>>| parts.values().map(Vec::len).sum::<usize>();
    assert!(count(&sampled) * 5 > count(&whole) && count(&sampled) * 2 < count(&whole));
    for (name, rows) in &sampled {
        assert!(rows.iter().all(|row| whole[name].contains(row)), "{name}");
    }
    // Most of a sample is not in one part: the hashes are independent.
    assert!(sampled["part=train"].len() * 10 < count(&sampled) * 9);
    let args = "--parts a:0.5,b:0.5 --partition-by outcome -q -o both a.pgn";
    table::export(&scratch, args, &[]);
    for folder in ["part=a/outcome=1-0", "part=b/outcome=0-1"] {
        assert!(scratch.join("both").join(folder).join("games.parquet").is_file(), "{folder}");
    }
}

#[test]
fn what_is_no_part_and_no_number_is_refused() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", b"[Event \"x\"]\n\n1. e4 *\n");
    for (args, expected) in [
        (
            "--table plies --plies 0..3",
            "the numbers of the first and the last ply, such as 10..60, 10.. or ..60, or a condition such as ply == 16",
        ),
        ("--table plies --plies ..", "the numbers of the first and the last ply"),
        ("--table plies --plies 9..3", "the numbers of the first and the last ply"),
        ("--plies 1..3", "--plies selects rows of the table plies: --table plies"),
        ("--sample-plies 1%", "--sample-plies selects rows of the table plies: --table plies"),
        ("--table plies --sample-plies 1000", "a share of the plies, such as 1%"),
        ("--table plies --sample-plies 0%", "a share of the plies, such as 1%"),
        ("--parts train:0.9", "the shares add to 0.9, not to 1"),
        ("--parts train", "\"train\" is no name with a share; an example is train:0.98,val:0.02"),
        ("--seed 3", "--sample"),
        (
            "--split train:0.9,val:0.1",
            "parts such as train:0.9,val:0.1 are those of `export --parts`",
        ),
        ("--parts a:1 --resume", "a run that writes partitions cannot be continued"),
    ] {
        let output = if args.contains("parts") { "-o out" } else { "-o t.parquet" };
        let words: Vec<&str> =
            "export a.pgn".split(' ').chain(output.split(' ')).chain(args.split(' ')).collect();
        let ran = run_in(scratch.path(), &words, b"");
        let errors = errors_of(&ran).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(exit_code(&ran), 2, "{args}: {errors}");
        assert!(errors.contains(expected), "{args}: {errors}");
    }
    let ran =
        run_in(scratch.path(), &["export", "a.pgn", "--parts", "a:1", "-o", "x.parquet"], b"");
    assert!(
        errors_of(&ran).contains("--parts writes a directory of files; x.parquet names one file")
    );
}

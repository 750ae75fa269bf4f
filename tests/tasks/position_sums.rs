//! Tables of `positions --sums` add up: whatever archives and splits are counted apart, in whatever format, with
//! whatever threads and memory, and in whatever order and tree the tables are added, the sum is what one run writes,
//! byte for byte; and what has no exact sum, or is damaged, is refused.
//!
//! In: random archives of all rulesets, plain and in frames. Out: tables, books.

use std::fs;
use std::sync::Arc;

use pgnmill::run::Recorder;

use super::last_positions::game_of_99;
use super::positions::archive;
use crate::common::{Dice, Scratch, here, sample_text, trials};

/// Runs a command in this process; returns what it shows and warns of, or why it fails.
fn run(words: &[String]) -> Result<(String, Vec<String>), String> {
    let host = Arc::new(Recorder::default());
    let words = words.iter().map(String::as_str);
    let ran = pgnmill_cli::run_in(words, None::<Vec<pgnmill::Input>>, host.clone());
    ran.map_err(|error| error.to_string())?;
    let recorded = host.take();
    Ok((recorded.shown, recorded.warnings))
}

/// Runs a command, whose words are separated by spaces, with the paths of these files behind them.
fn done(scratch: &Scratch, words: &str, files: &[String]) -> (String, Vec<String>) {
    let words = words_of(scratch, words, files);
    run(&words).unwrap_or_else(|error| panic!("{words:?}: {error}"))
}

/// The same, of a command that is refused.
fn refused(scratch: &Scratch, words: &str, files: &[String]) -> String {
    let words = words_of(scratch, words, files);
    run(&words).expect_err(&format!("{words:?}"))
}

/// `=NAME` in the words is the path of a file; so are `files`.
fn words_of(scratch: &Scratch, words: &str, files: &[String]) -> Vec<String> {
    let path = |name: &str| scratch.join(name).to_str().unwrap().to_string();
    let words = words.split_whitespace().map(|word| match word.strip_prefix('=') {
        Some(name) => path(name),
        None => word.to_string(),
    });
    words.chain(files.iter().map(|name| path(name))).collect()
}

fn bytes(scratch: &Scratch, name: &str) -> Vec<u8> {
    fs::read(scratch.join(name)).unwrap()
}

/// A file with this text: plain, or in frames.
fn write_archive(scratch: &Scratch, dice: &mut Dice, name: &str, text: &str) -> String {
    if dice.below(2) == 0 {
        scratch.write(&format!("{name}.pgn"), text.as_bytes());
        return format!("{name}.pgn");
    }
    scratch.write(&format!("{name}.pgn.zst"), &frames(text, 5));
    format!("{name}.pgn.zst")
}

/// A text in about so many frames.
fn frames(text: &str, count: usize) -> Vec<u8> {
    let parts = text.as_bytes().chunks(1 + text.len() / count);
    parts.flat_map(|part| zstd::encode_all(part, 1).unwrap()).collect()
}

/// The last files that are written: a name, options.
const OUTPUTS: [(&str, &str); 8] = [
    ("sum.parquet", "--sums"),
    ("sum.arrow", "--sums"),
    ("sum.csv", ""),
    ("sum.jsonl", "--sums"),
    ("sum.parquet", "--min-games 2 --level 1"),
    ("sum.csv", "--min-games 3 --sums"),
    ("sum.bin", "--min-games 2"),
    ("sum.bin", "--only white --min-score 30 --uniform"),
];

/// A number of threads, and a memory.
fn way(dice: &mut Dice) -> (usize, &'static str) {
    (dice.one(&[1, 2, 7]), dice.one(&["1MiB", "1GiB"]))
}

/// Adds tables in a random tree; returns the name of the sum, which is another table if there are several.
fn tree(
    scratch: &Scratch,
    dice: &mut Dice,
    tables: &[String],
    options: &str,
    next: &mut usize,
) -> String {
    if let [one] = tables {
        return one.clone();
    }
    let mut parts = Vec::new();
    let mut rest = tables;
    while !rest.is_empty() {
        // Fewer than all, so that it ends.
        let most = rest.len().min(tables.len() - 1);
        let (part, others) = rest.split_at(1 + dice.below(most));
        parts.push(tree(scratch, dice, part, options, next));
        rest = others;
    }
    *next += 1;
    let name = format!("node{next}.{}", dice.one(&["parquet", "arrow"]));
    let (threads, _) = way(dice);
    done(scratch, &format!("merge -q --sums --threads {threads} {options} -o ={name}"), &parts);
    name
}

fn shuffle<T>(dice: &mut Dice, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        items.swap(last, dice.below(last + 1));
    }
}

/// What is counted: options, and whether a book can be written of it.
fn counted(dice: &mut Dice) -> (&'static str, bool) {
    dice.one(&[
        ("--max-ply 0", false),
        ("--max-ply 9 --variations", false),
        ("--where variant!=\"atomic\"", false),
        ("--where variant=~\"standard|Chess960\"", true),
        ("--where variant=\"standard\" --max-ply 12", true),
    ])
}

#[test]
fn tables_of_archives_are_those_of_one_run() {
    let mut dice = Dice::new(68);
    let mut moves_count = 0;
    for trial in 0..trials(4, 20, 600) {
        let scratch = Scratch::new();
        let mut archives: Vec<String> = (0..2 + dice.below(4))
            .map(|number| {
                let games = dice.one(&[0, 1, 30, 90]);
                let (mut text, _) = archive(&mut dice, games, true, 24);
                for _ in 0..dice.below(4) {
                    let (movetext, ..) = game_of_99(&mut dice);
                    text += &format!("[Event \"x\"]\n[Variant \"Chess 99\"]\n\n{movetext}*\n\n");
                }
                write_archive(&scratch, &mut dice, &format!("a{number}"), &text)
            })
            .collect();
        shuffle(&mut dice, &mut archives);
        let (options, has_book) = counted(&mut dice);
        let mut tables = Vec::new();
        let mut rest = &archives[..];
        while !rest.is_empty() {
            let (part, others) = rest.split_at(1 + dice.below(rest.len()));
            let ((threads, memory), format) = (way(&mut dice), dice.one(&["parquet", "arrow"]));
            let name = format!("leaf{}.{format}", tables.len());
            let words = format!(
                "positions -q --sums {options} --threads {threads} --memory {memory} -o ={name}"
            );
            done(&scratch, &words, part);
            tables.push(name);
            rest = others;
        }
        let sum = match tables.len() {
            // The last step is below.
            1 | 2 => tables.clone(),
            _ => {
                let (part, others) = tables.split_at(2);
                let node = tree(&scratch, &mut dice, part, "", &mut 0);
                [&[node], others].concat()
            }
        };
        for (at, (name, more)) in OUTPUTS.into_iter().enumerate() {
            let is_left_out = at % trials(2, 1, 1) != trial % trials(2, 1, 1);
            if is_left_out || name.ends_with(".bin") && !has_book {
                continue;
            }
            let words = format!("positions -q {options} {more} -o =one-{name} --overwrite");
            done(&scratch, &words, &archives);
            let (threads, _) = way(&mut dice);
            let words = format!("merge -q --threads {threads} {more} -o ={name} --overwrite");
            done(&scratch, &words, &sum);
            let (found, expected) =
                (bytes(&scratch, name), bytes(&scratch, &format!("one-{name}")));
            assert!(found == expected, "{trial}: {name} {options} {more}: {tables:?}");
            moves_count += found.len();
        }
    }
    assert!(moves_count > 10_000);
}

/// More tables than are read at the same time.
#[test]
fn many_tables_are_those_of_one_run() {
    let scratch = Scratch::new();
    let mut dice = Dice::new(71);
    let (mut archives, mut tables) = (Vec::new(), Vec::new());
    for number in 0..trials(40, 200, 2_000) {
        let (text, _) = archive(&mut dice, 4, false, 12);
        archives.push(write_archive(&scratch, &mut dice, &format!("a{number}"), &text));
        tables.push(format!("t{number}.{}", dice.one(&["parquet", "arrow"])));
        let words = format!("positions -q --sums --max-ply 8 -o ={}", tables[number]);
        done(&scratch, &words, &archives[number..]);
    }
    done(&scratch, "positions -q --sums --max-ply 8 -o =one.parquet", &archives);
    done(&scratch, "merge -q --sums -o =sum.parquet", &tables);
    assert!(bytes(&scratch, "sum.parquet") == bytes(&scratch, "one.parquet"));
    // A damaged one among them.
    let mut damaged = bytes(&scratch, &tables[30]);
    damaged.truncate(damaged.len() / 2);
    scratch.write(&tables[30], &damaged);
    let why = refused(&scratch, "merge -q -o =lost.parquet", &tables);
    assert!(why.contains(&tables[30]) && !scratch.join("lost.parquet").exists(), "{why}");
}

/// The splits of archives, each in a file.
fn splits(scratch: &Scratch, archives: &[String], target: usize) -> Vec<String> {
    let (lines, _) = done(scratch, &format!("splits -q --target {target}"), archives);
    let names = lines.lines().enumerate().map(|(number, line)| {
        let name = format!("split{number}.json");
        scratch.write(&name, line.as_bytes());
        name
    });
    names.collect()
}

#[test]
fn tables_of_splits_are_those_of_one_run() {
    let mut dice = Dice::new(69);
    let mut splits_count = 0;
    for trial in 0..trials(4, 15, 400) {
        let scratch = Scratch::new();
        let is_plain = trial % 2 == 0;
        let archives: Vec<String> = (0..1 + trial % 3)
            .map(|number| {
                let (text, _) = archive(&mut dice, 80, false, 24);
                if is_plain {
                    let name = format!("a{number}.pgn");
                    scratch.write(&name, text.as_bytes());
                    return name;
                }
                let name = format!("a{number}.pgn.zst");
                scratch.write(&name, &frames(&text, 7));
                name
            })
            .collect();
        // The offsets of frames are those of a split, which has a frame or more.
        let target = if is_plain { 5_000 } else { 900 };
        let splits = splits(&scratch, &archives, target + dice.below(target));
        let options = "--max-ply 14";
        let mut tables: Vec<String> = Vec::new();
        for (number, split) in splits.iter().enumerate() {
            let format = dice.one(&["parquet", "arrow"]);
            let name = format!("leaf{number}.{format}");
            let split = scratch.join(split);
            let (threads, memory) = way(&mut dice);
            let words = format!(
                "positions -q --sums {options} --threads {threads} --memory {memory} -o ={name} --split @{}",
                split.display()
            );
            done(&scratch, &words, &[]);
            tables.push(name);
        }
        splits_count += tables.len();
        // The archives are in the order in which they are first named: a split of the first one is the first table.
        let (first, others) = tables.split_at_mut(1);
        shuffle(&mut dice, others);
        let of = |table: &String| {
            let number = table.trim_start_matches("leaf").split('.').next().unwrap();
            let split = fs::read_to_string(scratch.join(&format!("split{number}.json"))).unwrap();
            archives.iter().position(|archive| split.contains(&format!("{archive}\""))).unwrap()
        };
        let mut order: Vec<usize> = Vec::new();
        for table in first.iter().chain(others.iter()) {
            if !order.contains(&of(table)) {
                order.push(of(table));
            }
        }
        // The offsets of plain text are known without the other splits. A part decides between equal games by its own
        // order of archives: it has that of all.
        let rank = |table: &String| order.iter().position(|&at| at == of(table));
        let sum = match tables.split_at(tables.len() / 2) {
            (half, rest) if is_plain && !half.is_empty() => {
                let mut half = half.to_vec();
                half.sort_by_key(rank);
                let node = tree(&scratch, &mut dice, &half, "--partial", &mut 0);
                [&[node], rest].concat()
            }
            _ => tables.clone(),
        };
        let archives: Vec<String> = order.iter().map(|&at| archives[at].clone()).collect();
        for (name, more) in OUTPUTS {
            if name.ends_with(".bin") {
                continue;
            }
            done(
                &scratch,
                &format!("positions -q {options} {more} -o =one-{name} --overwrite"),
                &archives,
            );
            done(&scratch, &format!("merge -q {more} -o ={name} --overwrite"), &sum);
            let (found, expected) =
                (bytes(&scratch, name), bytes(&scratch, &format!("one-{name}")));
            assert!(found == expected, "{trial}: {name} {more}: {sum:?}");
        }
        // One of them is missing, or there twice.
        let is_one_of_many =
            |table: &&String| tables.iter().filter(|it| of(it) == of(table)).count() > 1;
        if let Some(one) = tables.iter().find(is_one_of_many) {
            let left: Vec<String> = tables.iter().filter(|table| *table != one).cloned().collect();
            let why = refused(&scratch, "merge -q -o =lost.csv", &left);
            assert!(why.contains("is missing: no ledger has it"), "{why}");
            if is_plain {
                let why = refused(&scratch, "merge -q --partial -o =part.csv", &left);
                assert!(why.contains("give --sums too"), "{why}");
            }
            fs::copy(scratch.join(one), scratch.join(&format!("copy-{one}"))).unwrap();
            let twice = [&tables[..], &[format!("copy-{one}")]].concat();
            let why = refused(&scratch, "merge -q -o =twice.csv", &twice);
            assert!(why.contains("is there twice"), "{why}");
        }
    }
    assert!(splits_count > 12, "{splits_count}");
}

/// A table with some rows of chess and of another ruleset, and its archives.
fn small(scratch: &Scratch, name: &str, seed: u64, options: &str) {
    let (text, _) = archive(&mut Dice::new(seed), 12, false, 12);
    scratch.write("small.pgn", text.as_bytes());
    let words = format!("positions -q --max-ply 6 {options} -o ={name} --overwrite =small.pgn");
    done(scratch, &words, &[]);
}

/// Whatever byte of a table is another one, and wherever it is cut: it is refused, or the sum is what it is without
/// that.
#[test]
fn a_damaged_table_never_has_a_wrong_sum() {
    let scratch = Scratch::new();
    let mut dice = Dice::new(70);
    small(&scratch, "other.parquet", 1, "--sums");
    for format in ["parquet", "arrow"] {
        let name = format!("t.{format}");
        small(&scratch, &name, 2, "--sums");
        let whole = bytes(&scratch, &name);
        let stated = whole.windows(9).rposition(|part| part == b"\"counted\"").unwrap();
        let merge = |of: &str, others: &[&str]| {
            let files = [of].iter().chain(others).map(|it| it.to_string()).collect::<Vec<_>>();
            words_of(&scratch, "merge -q --overwrite --sums -o =sum.parquet", &files)
        };
        let sum_of = |others: &[&str]| {
            run(&merge(&name, others)).unwrap();
            bytes(&scratch, "sum.parquet")
        };
        let expected = [sum_of(&[]), sum_of(&["other.parquet"])];
        let damaged = format!("damaged.{format}");
        let (mut refused_count, cases_count) = (0, trials(150, 800, 40_000));
        for case in 0..cases_count {
            let mut bytes_of = whole.clone();
            match case % 5 {
                0 => bytes_of.truncate(dice.below(whole.len())),
                1 => {
                    let at = dice.below(whole.len());
                    bytes_of[at] = dice.roll() as u8;
                }
                2 => {
                    let at = dice.below(whole.len());
                    bytes_of[at] ^= 1 << dice.below(8);
                }
                3 => {
                    // What the table states of its sums.
                    let at = stated + dice.below(30);
                    bytes_of[at] = b" 1a,\"/"[dice.below(6)];
                }
                _ => {
                    let (to, from) = (dice.below(whole.len() - 8), dice.below(whole.len() - 8));
                    bytes_of.copy_within(from..from + 8, to);
                }
            }
            scratch.write(&damaged, &bytes_of);
            let _ = fs::remove_file(scratch.join("sum.parquet"));
            let with = case % 2;
            match run(&merge(&damaged, &["other.parquet"][..with])) {
                Err(why) => {
                    assert!(why.contains("damaged."), "{why}");
                    assert!(!scratch.join("sum.parquet").exists());
                    refused_count += 1;
                }
                Ok(_) => {
                    let found = bytes(&scratch, "sum.parquet");
                    assert!(found == expected[with], "{format} {case}");
                }
            }
        }
        assert!(refused_count > cases_count / 4, "{format}: {refused_count}");
    }
}

#[test]
fn what_has_no_exact_sum_is_refused_by_name() {
    let scratch = Scratch::new();
    small(&scratch, "a.parquet", 1, "--sums");
    small(&scratch, "b.arrow", 2, "--sums");
    small(&scratch, "means.parquet", 2, "");
    small(&scratch, "rare.parquet", 2, "--sums --min-games 2");
    small(&scratch, "sums.csv", 2, "--sums");
    small(&scratch, "sums.jsonl", 2, "--sums");
    small(&scratch, "white.arrow", 2, "--sums --where White=\"x\"");
    scratch.write("plies.pgn", b"1. e4 e5 *\n");
    done(&scratch, "positions -q --sums --max-ply 7 -o =seven.parquet =plies.pgn", &[]);
    done(
        &scratch,
        "positions -q --sums --max-ply 6 --rules atomic -o =atomic.parquet =plies.pgn",
        &[],
    );
    done(&scratch, "export -q -o =games.parquet =plies.pgn", &[]);
    scratch.write("nothing.parquet", b"");
    scratch.write("half.arrow", &bytes(&scratch, "b.arrow")[..900]);
    fs::create_dir(scratch.join("folder")).unwrap();
    fs::copy(scratch.join("a.parquet"), scratch.join("copy.parquet")).unwrap();
    let before = fs::read_dir(scratch.path()).unwrap().count();
    for (words, says) in [
        (
            "-o =o.parquet =a.parquet =means.parquet",
            "is no table of sums: `pgnmill positions --sums`",
        ),
        (
            "-o =o.parquet =a.parquet =rare.parquet",
            "rare.parquet has no moves of fewer than 2 games",
        ),
        ("-o =o.parquet =sums.csv =a.parquet", "csv does not state what was counted"),
        ("-o =o.csv =sums.csv =sums.csv", "are the same file"),
        ("-o =o.csv =sums.csv", "csv does not state what was counted"),
        ("-o =o.parquet =sums.jsonl", "jsonl does not state what was counted"),
        ("-o =o.parquet =white.arrow =a.parquet", "a.parquet was counted with --max-ply 6,"),
        ("-o =o.parquet =a.parquet =seven.parquet", "seven.parquet was counted with --max-ply 7, "),
        (
            "-o =o.parquet =a.parquet =atomic.parquet",
            "was counted with --max-ply 6 --rules atomic, ",
        ),
        (
            "-o =o.parquet =a.parquet =games.parquet",
            "games.parquet: it is a table of games: it has no column",
        ),
        (
            "-o =o.parquet =nothing.parquet",
            "nothing.parquet: the file is no Parquet file: it is too short",
        ),
        ("-o =o.parquet =half.arrow", "half.arrow: the file is no Arrow file, or truncated"),
        ("-o =o.parquet =a.parquet =a.parquet", "are the same file"),
        (
            "-o =o.parquet =a.parquet =folder",
            "folder is a directory, and tables of positions are added",
        ),
        ("-o =o.parquet =missing.parquet", "missing.parquet"),
        ("-o =folder/ =a.parquet", "the sum of tables of positions is one file, such as"),
        ("-o =o.xyz =a.parquet", "no ending that names a format"),
        ("-o =o.csv --only white =a.parquet", "--only is for a book"),
        ("-o =o.bin --sums =a.parquet", "--sums is for a table"),
        ("-o =o.bin =a.parquet", "there are games of "),
        ("-o =o.parquet --partial =a.parquet", "--partial is for splits"),
        ("-o =a.parquet --overwrite =a.parquet", "a.parquet"),
        ("-o =folder --sums =folder", "--sums is for tables of positions"),
        ("-o =folder --threads 2 =folder", "--threads is for tables of positions"),
    ] {
        let why = refused(&scratch, &format!("merge -q {words}"), &[]);
        assert!(why.contains(says), "{words}: {why}");
        assert_eq!(fs::read_dir(scratch.path()).unwrap().count(), before, "{words}");
    }
    // A copy may be of another archive with the same name.
    let (_, warnings) = done(&scratch, "merge -o =o.parquet =a.parquet =copy.parquet", &[]);
    assert!(warnings.iter().any(|it| it.contains("its games are counted twice")), "{warnings:?}");
}

/// A table per input, which together are the table of all.
#[test]
fn a_directory_has_a_table_per_input() {
    let scratch = Scratch::new();
    let text = sample_text();
    scratch.write("in/a.pgn", &text[..text.len().min(60_000)]);
    scratch.write("in/more/b.pgn.zst", &fs::read(here("data/lichess.pgn.zst")).unwrap());
    scratch.write("in/more/c.pgn", b"");
    let options = "--max-ply 12 --sums";
    done(&scratch, &format!("positions -q {options} -o =all.parquet =in"), &[]);
    done(&scratch, &format!("positions -q {options} -o =out/ =in"), &[]);
    let names = ["a", "more/b", "more/c"].map(|name| format!("out/{name}.positions.parquet"));
    done(&scratch, "merge -q --sums -o =sum.parquet", &names);
    assert!(bytes(&scratch, "sum.parquet") == bytes(&scratch, "all.parquet"));
    done(&scratch, &format!("positions -q {options} -o =one.parquet =in/a.pgn"), &[]);
    assert!(bytes(&scratch, "one.parquet") == bytes(&scratch, &names[0]));
    let only = "--where variant=\"standard\"";
    done(
        &scratch,
        &format!("positions -q --max-ply 12 {only} --flat --format bin -o =books/ =in"),
        &[],
    );
    assert!(bytes(&scratch, "books/b.positions.bin").len() > 320);
    let why = refused(&scratch, "positions -q --resume -o =x.parquet =in", &[]);
    assert!(why.contains("-o DIR/ writes one per input"), "{why}");
}

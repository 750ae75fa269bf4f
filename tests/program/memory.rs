//! Memory and tables do not grow with a game: whatever an archive or a table holds, 128 MiB of address space beyond the
//! mapped archive are enough, or the run ends with a message.
//!
//! The program runs under `ulimit -v`: asking for more ends it with a signal, or with an error if we can help it.

#![cfg(unix)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::{self, Scratch, reseal, thinned, trials, twin};
use pgnmill_needs::needs;

/// Address space beyond the archive: the program, the stacks of its threads, and all that it allocates. A run at the full
/// depth has 68 of 128 MiB, and a third of the bytes or rows; one at the short depth 60, and a sixth. The program needs
/// 52 MiB: less is left to what grows than at full size, also in proportion.
fn space_kibibytes() -> u64 {
    trials(60, 68, 128) as u64 * 1024
}

/// The full space. Tables have no less: how many of their rows are read is a number of its own.
const FULL_KIBIBYTES: u64 = 128 << 10;

/// Bytes or rows.
fn sized(full: usize) -> usize {
    trials(full / 8, full / 4, full)
}

/// Runs the program with this address space beyond the bytes of this archive.
fn limited(scratch: &Scratch, args: &str, archive: Option<&str>) -> Output {
    let map = archive.map_or(0, |name| fs::metadata(scratch.join(name)).unwrap().len());
    limited_to(space_kibibytes() + map / 1024, scratch, args)
}

/// Runs the program with this address space.
fn limited_to(space: u64, scratch: &Scratch, args: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_pgnmill");
    // The C library sets 64 MiB of addresses aside for each thread; they are no memory, but count here.
    let script = format!("export MALLOC_ARENA_MAX=1; ulimit -v {space}; exec \"$0\" {args}");
    Command::new("sh").args(["-c", &script, program]).current_dir(scratch.path()).output().unwrap()
}

/// The rows of each table.
fn rows(directory: &Path) -> BTreeMap<String, usize> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    // Not the journal of the run.
    let entries = entries.filter(|path| path.extension().is_some_and(|end| end == "csv"));
    let lines = |path: &Path| fs::read_to_string(path).unwrap().lines().count();
    entries.map(|path| (common::name_of(&path), lines(&path))).collect()
}

/// A game of repeated moves.
fn dance(tags: &str, unit: &str, bytes: usize) -> Vec<u8> {
    format!("[Event \"x\"]\n{tags}\n{}*\n", unit.repeat(bytes / unit.len())).into_bytes()
}

#[needs("ulimit -v", command = "ulimit -v 1000000 && test $(ulimit -v) = 1000000")]
#[test]
fn no_game_is_too_long_for_128_mebibytes() {
    let scratch = Scratch::new();
    let unit = "Nf3 Nf6 Ng1 Ng8 ";
    scratch.write("usual.pgn", &dance("", unit, 11_000 * 4));
    let long_bytes = trials(1_000_000, 5_000_000, 15_000_000);
    let long = dance("", unit, long_bytes);
    scratch.write("long.pgn", &long);
    scratch.write("long.pgn.zst", &zstd::encode_all(long.as_slice(), 3).unwrap());
    let moves = "[MoveNotation \"uci\"]\n";
    scratch.write("uci.pgn", &dance(moves, "g1f3 g8f6 f3g1 f6g8 ", long_bytes));
    let runs = [
        ("--by all --per-game", 25, trials(2, 4, 4)),
        ("--entropy --compress zstd:3 --codes", 13, trials(2, 2, 4)),
    ];
    for (options, files, archives_count) in runs {
        let mut expected = None;
        // A container and a notation matter to reading, which is the same for all tables.
        let archives = ["usual.pgn", "long.pgn", "long.pgn.zst", "uci.pgn"];
        for archive in archives.into_iter().take(archives_count) {
            let args = format!("measure -q --threads 2 --overwrite -o t {options} {archive}");
            let done = limited(&scratch, &args, Some(archive));
            let errors = String::from_utf8_lossy(&done.stderr).into_owned();
            assert_eq!(
                done.status.code(),
                Some(0),
                "{archive} {options}: {:?} {errors}",
                done.status
            );
            // As many rows, whatever the length of the game.
            let found = rows(&scratch.join("t"));
            assert!(found.len() >= files.min(11), "{found:?}");
            assert_eq!(found, *expected.get_or_insert_with(|| found.clone()), "{archive}");
            // Their tables are the same, whatever the archive.
            if archive != "long.pgn" {
                continue;
            }
            twin(&scratch.join("t"), &scratch.join("u"));
            for args in ["merge -q --overwrite -o sum t u", "report --overwrite -o page.html t"] {
                let done = limited(&scratch, args, None);
                let errors = String::from_utf8_lossy(&done.stderr).into_owned();
                assert_eq!(done.status.code(), Some(0), "{args}: {errors}");
            }
        }
    }
}

/// Rows of a table need more than a hundred times the memory of the games: a job's are compressed when they are many,
/// and without that these need 1.7 GB.
#[needs("ulimit -v", command = "ulimit -v 1000000 && test $(ulimit -v) = 1000000")]
#[test]
fn no_number_of_tiny_games_has_too_many_rows_for_768_mebibytes() {
    let scratch = Scratch::new();
    let text = "*\n".repeat(trials(1 << 17, 1 << 21, 1 << 22));
    scratch.write("a.pgn", text.as_bytes());
    scratch.write("a.pgn.zst", &zstd::encode_all(text.as_bytes(), 3).unwrap());
    for archive in ["a.pgn", "a.pgn.zst"] {
        let args = format!("export -q --threads 2 --overwrite -o a.parquet {archive}");
        let done = limited_to(768 << 10, &scratch, &args);
        assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    }
}

/// The rows of a game leave in parts: together they need some hundred times the memory of its text. What is allowed is
/// the text three times, and what three groups of rows and those that are being encoded need.
#[cfg(feature = "export")]
#[needs("ulimit -v", command = "ulimit -v 1000000 && test $(ulimit -v) = 1000000")]
#[test]
fn no_game_has_too_many_plies_for_320_mebibytes() {
    let scratch = Scratch::new();
    let game = dance("", "Nf3 Nf6 Ng1 Ng8 ", trials(600_000, 2_000_000, 15_000_000));
    scratch.write("a.pgn", &game);
    scratch.write("a.pgn.zst", &zstd::encode_all(game.as_slice(), 3).unwrap());
    let space = trials(220 << 10, 320 << 10, 320 << 10) + (game.len() * 4 / 1_024) as u64;
    let runs =
        [("jsonl", "a.pgn"), ("csv", "a.pgn"), ("parquet", "a.pgn.zst"), ("arrow", "a.pgn.zst")];
    for (format, archive) in thinned(2, runs) {
        let args = format!(
            "export -q --threads 2 --table plies --columns all --format {format} -o - {archive} >/dev/null"
        );
        let done = limited_to(space, &scratch, &args);
        let errors = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(0), "{format}: {errors}");
    }
}

/// What is kept of each game until its job's turn comes is packed: rows of rejected, noted and measured games, and what
/// is put between games.
#[needs("ulimit -v", command = "ulimit -v 1000000 && test $(ulimit -v) = 1000000")]
#[test]
fn no_number_of_tiny_games_is_too_large_for_128_mebibytes() {
    let scratch = Scratch::new();
    // On one line, so that all are one job, whatever the container.
    let write = |name: &str, unit: &str, bytes: usize| {
        let text = unit.repeat(bytes / unit.len()).into_bytes();
        scratch.write(&format!("{name}.pgn"), &text);
        scratch.write(&format!("{name}.pgn.zst"), &zstd::encode_all(text.as_slice(), 3).unwrap());
        (text.len() / unit.len()) as u64
    };
    write("rejected", "1. Ke4 * ", sized(5_000_000));
    write("accepted", "1. e4 * ", sized(5_000_000));
    write("mixed", "1. e4 * 1. Ke4 * ", sized(5_000_000));
    let noted = write("noted", "1. Pe4 * ", sized(600_000));
    let runs = [
        ("validate", "rejected", 1),
        ("validate --faults t.csv", "rejected", 1),
        ("validate --notes t.csv", "noted", 0),
        ("measure -o t", "accepted", 0),
        ("measure --per-game --notations san -o t", "accepted", 0),
        ("convert --to san -o t.pgn", "rejected", 1),
        ("convert --to san -o t.pgn", "mixed", 1),
        ("convert --to san --keep-rejects -o t.pgn.zst", "mixed", 1),
        ("convert --to san --rejects r.pgn -o t.pgn", "mixed", 1),
    ];
    for (number, (args, archive, code)) in runs.into_iter().enumerate() {
        // At the short depth in one of both containers, in turn.
        for container in
            ["pgn", "pgn.zst"].into_iter().skip(trials(number % 2, 0, 0)).take(trials(1, 2, 2))
        {
            let archive = format!("{archive}.{container}");
            let args = format!("{args} -q --threads 2 --overwrite {archive}");
            let done = limited(&scratch, &args, Some(&archive));
            let errors = String::from_utf8_lossy(&done.stderr).into_owned();
            assert_eq!(done.status.code(), Some(code), "{args}: {:?} {errors}", done.status);
            if archive.starts_with("noted") {
                let table = fs::read_to_string(scratch.join("t.csv")).unwrap();
                assert!(table.lines().count() as u64 > noted, "{args}");
            }
        }
    }
}

/// Tables that no measurement wrote end `merge` and `report` with a message.
#[needs("ulimit -v", command = "ulimit -v 1000000 && test $(ulimit -v) = 1000000")]
#[test]
fn no_table_is_too_large_for_128_mebibytes() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", b"[Event \"x\"]\n\n1. e4 e5 *\n");
    let args = "measure -q --by all --entropy --compress zstd:1 --codes -o t a.pgn";
    assert_eq!(limited(&scratch, args, Some("a.pgn")).status.code(), Some(0));
    let header = |table: &str| {
        let text = fs::read_to_string(scratch.join("t").join(table)).unwrap();
        text.lines().next().unwrap().to_string() + "\n"
    };
    let by = "key,notation,games,plies,characters,bytes\n";
    let counted =
        |count: usize, row: fn(u32) -> String| (0..count as u32).map(row).collect::<String>();
    // Made one by one: each is up to 100 MB.
    type Text<'a> = Box<dyn Fn() -> String + 'a>;
    let hostile: [(&str, Text); 19] = [
        (
            "by_ply.csv",
            Box::new(|| by.to_string() + &counted(3_000_000, |n| format!("{n},san,1,1,1,1\n"))),
        ),
        (
            "by_ply.csv",
            Box::new(|| {
                by.to_string() + &counted(100_000, |n| format!("{},san,1,1,1,1\n", 8 - n % 2))
            }),
        ),
        (
            "by_source.csv",
            Box::new(|| by.to_string() + &counted(2_000_000, |n| format!("{n},san,1,1,1,1\n"))),
        ),
        (
            "by_month.csv",
            Box::new(|| by.to_string() + &counted(2_000_000, |n| format!("{n}-01,{n},1,1,1,1\n"))),
        ),
        ("by_eco.csv", Box::new(|| by.to_string() + &"x".repeat(100_000_000))),
        ("by_year.csv", Box::new(|| by.to_string() + "\"" + &"\n".repeat(100_000_000))),
        ("by_side.csv", Box::new(|| "x,".repeat(50_000_000))),
        (
            "by_kind.csv",
            Box::new(|| {
                by.to_string()
                    + "quiet,san,1,18446744073709551615,1,1\nquiet,uci,1,1,1,1\ncapture,san,1,1,1,1\n"
            }),
        ),
        ("lengths.csv", Box::new(|| header("lengths.csv") + "san,18446744073709551615,1\n")),
        (
            "lengths.csv",
            Box::new(|| header("lengths.csv") + &counted(2_000_000, |n| format!("san,{n},1,0\n"))),
        ),
        (
            "facts.csv",
            Box::new(|| header("facts.csv") + &counted(2_000_000, |n| format!("{n},1,1,1\n"))),
        ),
        (
            "summary.csv",
            Box::new(|| header("summary.csv") + &counted(2_000_000, |n| format!("{n},1\n"))),
        ),
        (
            "notations.csv",
            Box::new(|| {
                header("notations.csv") + &counted(2_000_000, |n| format!("{n},1,1,1,1,1,1,1\n"))
            }),
        ),
        (
            "tokens.csv",
            Box::new(|| header("tokens.csv") + &counted(5_000_000, |n| format!("san,{n},1\n"))),
        ),
        ("legal_moves.csv", Box::new(|| header("legal_moves.csv") + "18446744073709551615,1\n")),
        (
            "ranks.csv",
            Box::new(|| header("ranks.csv") + &counted(2_000_000, |n| format!("{n},1,0\n"))),
        ),
        (
            "entropy.csv",
            Box::new(|| header("entropy.csv") + &counted(2_000_000, |n| format!("{n},1,1,1\n"))),
        ),
        (
            "codes.csv",
            Box::new(|| header("codes.csv") + &counted(2_000_000, |n| format!("{n},1,1,1,1,1\n"))),
        ),
        (
            "compress.csv",
            Box::new(|| {
                header("compress.csv") + &counted(2_000_000, |n| format!("san,zstd:{n},1,1,1\n"))
            }),
        ),
    ];
    for (table, text) in hostile.into_iter().step_by(trials(7, 2, 1)) {
        let text = text();
        let path = scratch.join("t").join(table);
        let kept = fs::read(&path).unwrap();
        fs::write(&path, &text).unwrap();
        reseal(&scratch.join("t"));
        twin(&scratch.join("t"), &scratch.join("u"));
        let start: String = text.chars().take(60).collect();
        for (args, reads) in [
            // What follows from others is not read by one of them.
            ("merge -q -o sum t u", table != "entropy.csv"),
            (
                "report -o page.html t",
                !["tokens.csv", "legal_moves.csv", "ranks.csv"].contains(&table),
            ),
        ] {
            let done = limited_to(FULL_KIBIBYTES, &scratch, args);
            let errors = String::from_utf8_lossy(&done.stderr).into_owned();
            let code = done.status.code();
            if reads {
                assert_eq!(code, Some(2), "{args}, {table} {start:?}: {errors}");
                assert!(
                    errors.contains(table) || errors.contains("one run"),
                    "{args}, {table}: {errors}"
                );
            } else {
                assert_eq!(code, Some(0), "{args}, {table}: {errors}");
            }
            drop(fs::remove_dir_all(scratch.join("sum")));
            drop(fs::remove_file(scratch.join("page.html")));
        }
        fs::write(&path, kept).unwrap();
    }
}

/// Games without tag pairs in one run: the memory is that of a game, not of the run.
#[needs("ulimit -v", command = "ulimit -v 1000000 && test $(ulimit -v) = 1000000")]
#[test]
fn no_run_without_tag_pairs_is_too_long_for_192_mebibytes() {
    let scratch = Scratch::new();
    let archive = "1. e4 e5 1-0\n".repeat(trials(1_000_000, 3_000_000, 3_000_000));
    scratch.write("a.pgn", archive.as_bytes());
    // A mapped file takes addresses; the limit of a game counts at first, in what is read and what is written of it.
    let space = FULL_KIBIBYTES + (64 << 10) + (archive.len() >> 10) as u64;
    let done = limited_to(space, &scratch, "convert -q --threads 2 --to uci -o out.pgn a.pgn");
    let errors = String::from_utf8_lossy(&done.stderr).into_owned();
    assert_eq!(done.status.code(), Some(0), "{errors}");
}

/// The pairs of positions and moves that a game repeats count once, and take the memory of one: here in a cycle of 80
/// plies, more than a ply is compared with.
#[needs("ulimit -v", command = "ulimit -v 1000000 && test $(ulimit -v) = 1000000")]
#[test]
fn positions_that_a_game_repeats_take_no_memory() {
    let scratch = Scratch::new();
    let white = "Nh3 Ng5 Ne4 Nc5 Nd3 Ne5 Nf3 Ng1".split(' ').cycle();
    let black = "Nc6 Nd4 Nf5 Nd6 Nc4 Nb6 Nd5 Nb4 Na6 Nb8".split(' ').cycle();
    let cycle = white.zip(black).take(40).map(|(white, black)| format!("{white} {black} "));
    let game = dance("", &cycle.collect::<String>(), sized(15_000_000));
    scratch.write("a.pgn", &game);
    let args = "positions -q --threads 2 --max-ply 0 --memory 8MiB -o a.csv a.pgn";
    let done = limited(&scratch, args, Some("a.pgn"));
    assert_eq!(done.status.code(), Some(0), "{}", String::from_utf8_lossy(&done.stderr));
    let table = fs::read_to_string(scratch.join("a.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + 80);
}

/// An edit takes no more memory for a game of many tokens than for one of few.
#[needs("ulimit -v", command = "ulimit -v 1000000 && test $(ulimit -v) = 1000000")]
#[test]
fn no_game_has_too_many_tokens_to_be_edited_in_256_mebibytes() {
    let scratch = Scratch::new();
    let space = trials(120 << 10, 256 << 10, 256 << 10);
    let units =
        ["! ", "$1 ", "{} ", "(e4) ", "( ", "{[%clk 1:00]}", ";\n", "1... ", "Nf3 Nf6 Ng1 Ng8 "];
    for (number, unit) in thinned(2, units).enumerate() {
        let game = dance("", &format!("1. e4 {}", unit.repeat(1_000)), sized(15_000_000));
        scratch.write("a.pgn", &game);
        let space = space + (game.len() >> 10) as u64;
        let commands = ["select -q", "convert -q --to uci --keep-rejects"];
        for (place, command) in commands.into_iter().enumerate() {
            // At the short depth each command drops one of both, in turn.
            let drops = ["clocks", "comments,nags,variations"].into_iter();
            for drop in drops.skip((number + place) % trials(2, 1, 1)).take(trials(1, 2, 2)) {
                let args =
                    format!("{command} --overwrite --threads 2 --drop {drop} -o out.pgn a.pgn");
                let done = limited_to(space, &scratch, &args);
                let errors = String::from_utf8_lossy(&done.stderr).into_owned();
                assert!(matches!(done.status.code(), Some(0 | 1)), "{args} {unit:?}: {errors}");
            }
        }
    }
}

/// A few bytes that are much text are read in the memory of any archive.
#[cfg(feature = "containers")]
#[needs("ulimit -v", command = "ulimit -v 1000000 && test $(ulimit -v) = 1000000")]
#[test]
fn no_compressed_text_is_too_long_for_128_mebibytes() {
    let scratch = Scratch::new();
    for (ending, store) in common::coded::CODERS {
        // Of many members at the short depth, so that they are made in a tenth of the time.
        let times = trials(10, 1, 1);
        let text = vec![b'\n'; sized(trials(270_000_000, 360_000_000, 360_000_000)) / times];
        let stored = store(&text).repeat(times);
        assert!(stored.len() * 90 < text.len() * times, "{ending}: {}", stored.len());
        scratch.write("a.pgn", &stored);
        let space = trials(92 << 10, FULL_KIBIBYTES, FULL_KIBIBYTES);
        let done = limited_to(space, &scratch, "validate -q --threads 2 a.pgn");
        let errors = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(1), "{ending}: {:?} {errors}", done.status);
    }
}

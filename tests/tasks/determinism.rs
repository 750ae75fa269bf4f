//! The same bytes come out for any number of threads, any block and range size, and any container.
//!
//! One text is stored in six ways under one name, each in a directory of its own, and every task is run on it in many
//! ways. Everything a run writes is compared, byte for byte; only the archive's name where the text came through a pipe
//! and the number of stored bytes may differ.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use crate::common::{
    Depth, SAMPLE, Scratch, corpus, here, name_of, run_in, text_of, trials, vocabulary,
};
use pgnmill_io::archive::games::Games;
use pgnmill_io::archive::seekable::{Cutter, FrameEncoder, SeekTable};

/// What one run writes, by file name; standard output and the exit code too.
type Written = BTreeMap<String, Vec<u8>>;

/// How a text is stored.
const CONTAINERS: &[&str] = &["plain", "one-frame", "pzstd", "tiny-frames", "seekable", "long"];

/// The tasks, as they are typed, without their input.
const TASKS: &[&str] = &[
    "validate --faults f.csv --rejects r.pgn --summary s.csv",
    "validate --strict --faults f.csv --summary s.csv",
    "convert --to economical-priority -o out.pgn --faults f.csv --rejects r.pgn",
    "convert --to uci -o out.pgn.zst --keep-rejects --summary s.csv",
    "convert --to san -o -",
    "sort --by -Event,ply_count -o out.pgn.zst --faults f.csv --summary s.csv",
    "select --where true -o out.pgn --rejects r.pgn --summary s.csv",
    "measure --per-game --by all,source*phase*length --cluster game,event,player -o . --faults f.csv",
    "measure --sample 33% --by speed,eco,role --errors --writing -o .",
    "measure --entropy --compress zstd:1,zstd:3 --codes -o .",
    "measure --order 2 --tokens ../v.tiktoken,../w.tiktoken:o200k -o .",
];

/// Tasks of a feature: every format of both tables.
#[cfg(feature = "export")]
const EXPORTS: &[&str] = &[
    "export --name games -o out.parquet --faults f.csv --summary s.csv",
    "export --name games --columns all --notation san,economical-priority -o out.parquet",
    "export --name games --columns all --one-line -o out.arrow",
    "export --name games --columns hf --strict -o out.csv",
    "export --name games --columns all -o out.jsonl --summary s.csv",
    "export --name games --table plies --columns all -o out.parquet --faults f.csv",
    "export --name games --table plies --columns all --notation descriptive -o out.arrow",
    "export --name games --table plies -o out.jsonl",
    "export --name games --table plies --columns all --format csv -o -",
    "export --name games --table plies --opcodes bm,id=Event,ce,c0=game_index,hmvc,fmvn -o out.epd --faults f.csv",
    "export --name games --table plies --distinct --position after --memory 1MiB --format fen -o -",
    "export --name games --opcodes id=White,c1=archive,c2=moves --distinct --sorted -o out.epd",
];
#[cfg(not(feature = "export"))]
const EXPORTS: &[&str] = &[];

/// The sizes that archives are cut by: blocks, ranges.
const SIZES: &[(usize, usize)] = &[(1, 211), (700, 4_099), (70_000, 100_003)];

/// Frames of about so much text, one after the other, each behind a skippable frame if it is to look like pzstd's.
fn frames(text: &[u8], text_bytes: usize, skippable: bool) -> Vec<u8> {
    let mut stored = Vec::new();
    for piece in text.chunks(text_bytes) {
        let frame = zstd::encode_all(piece, 1).unwrap();
        if skippable {
            stored.extend_from_slice(b"\x50\x2a\x4d\x18\x04\0\0\0");
            stored.extend_from_slice(&(frame.len() as u32).to_le_bytes());
        }
        stored.extend_from_slice(&frame);
    }
    stored
}

fn seekable(text: &[u8]) -> Vec<u8> {
    let mut cutter = Cutter::with_sizes(50_000, 200_000);
    let ends: Vec<u64> = Games::new(text).skip(1).map(|(start, _)| start as u64).collect();
    let mut cuts = Vec::new();
    cutter.push(text.to_vec(), &ends, &mut cuts);
    cuts.extend(cutter.finish());
    let (mut encoder, mut table) = (FrameEncoder::new(3).unwrap(), SeekTable::new());
    let mut stored = Vec::new();
    for slices in cuts {
        let frame = encoder.encode(&slices).unwrap();
        table.push(&frame);
        stored.extend_from_slice(&frame.stored);
    }
    stored.extend_from_slice(&table.to_bytes());
    stored
}

/// One frame with a long window, as `zstd --long=27` writes it.
fn long(text: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::stream::Encoder::new(Vec::new(), 1).unwrap();
    encoder.window_log(27).unwrap();
    std::io::Write::write_all(&mut encoder, text).unwrap();
    encoder.finish().unwrap()
}

/// One text in all containers.
struct Shelf(Scratch);

impl Shelf {
    fn new(text: &[u8]) -> Shelf {
        let scratch = Scratch::new();
        scratch.write("v.tiktoken", vocabulary::file().as_bytes());
        scratch.write("w.tiktoken", vocabulary::file().as_bytes());
        for container in CONTAINERS {
            let stored = match *container {
                "one-frame" => zstd::encode_all(text, 1).unwrap(),
                "pzstd" => frames(text, 100_000, true),
                "tiny-frames" => frames(text, 777, false),
                "seekable" => seekable(text),
                "long" => long(text),
                _ => text.to_vec(),
            };
            scratch.write(&format!("{container}/games"), &stored);
        }
        Shelf(scratch)
    }

    /// Runs a task on a container, through a pipe if requested, and removes its output.
    fn run(&self, task: &str, container: &str, pipe: bool, options: &[String]) -> Written {
        let directory = self.0.join(container);
        let stored = if pipe { fs::read(directory.join("games")).unwrap() } else { Vec::new() };
        let mut args: Vec<&str> = task.split(' ').collect();
        args.extend(["--quiet"]);
        args.extend(options.iter().map(String::as_str));
        args.push(if pipe { "-" } else { "games" });
        let output = run_in(&directory, &args, &stored);
        let errors = String::from_utf8_lossy(&output.stderr);
        // Nothing but why the run does not end with 0.
        let is_reason = errors.lines().count() == 1 && errors.ends_with("(exit code 1)\n");
        let is_expected =
            if output.status.code() == Some(1) { is_reason } else { errors.is_empty() };
        assert!(is_expected, "{args:?} in {container} errors {errors}");
        let mut written = Written::new();
        written.insert("stdout".to_string(), output.stdout);
        written.insert("code".to_string(), format!("{:?}", output.status.code()).into_bytes());
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if name_of(&path).ends_with(".pgnmill-run.jsonl") {
                // The journal has the time of modification of the input, and random names.
                fs::remove_file(path).unwrap();
            } else if name_of(&path) != "games" {
                written.insert(name_of(&path), leveled(&path, pipe));
                fs::remove_file(path).unwrap();
            }
        }
        written
    }
}

/// A file without what may differ: the name of the archive, where it had none, and the number of stored bytes.
fn leveled(path: &PathBuf, pipe: bool) -> Vec<u8> {
    let bytes = fs::read(path).unwrap();
    if path.extension().is_none_or(|end| end != "csv") {
        return bytes;
    }
    let table = String::from_utf8(bytes).unwrap();
    // Digests of tables that have the name of the archive, and its stored bytes.
    if path.ends_with("tables.csv") {
        let row = |row: &str| row.split(',').next().unwrap_or_default().to_string() + "\n";
        return table.lines().map(row).collect::<String>().into_bytes();
    }
    let table = if pipe { table.replace("standard input,", "games,") } else { table };
    let rows = table.lines().filter(|row| !row.starts_with("stored_bytes,"));
    rows.flat_map(|row| [row, "\n"]).collect::<String>().into_bytes()
}

fn assert_same(left: &Written, right: &Written, what: &str) {
    let names = |written: &Written| written.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(left), names(right), "{what}: files");
    for (name, bytes) in left {
        let other = &right[name];
        let at = bytes.iter().zip(other).position(|(a, b)| a != b);
        let lengths = (bytes.len(), other.len());
        assert!(bytes == other, "{what}: {name} differs at byte {at:?}, {lengths:?} bytes");
    }
}

fn threads(number: usize) -> String {
    format!("--threads={number}")
}

fn sizes((block, range): (usize, usize)) -> [String; 2] {
    [format!("--block-bytes={block}"), format!("--range-bytes={range}")]
}

/// Every task on every container, and on the plain text and the frames with every number of threads and every size.
fn check(text: &[u8]) {
    let shelf = Shelf::new(text);
    // At the short depth each task meets a seventh of the ways to read, and each way a seventh of the tasks.
    let has_turn = |number: usize| number.is_multiple_of(trials(9, 2, 1));
    for (at, task) in TASKS.iter().chain(EXPORTS).enumerate() {
        let expected = shelf.run(task, "plain", false, &[threads(1)]);
        assert!(expected.values().any(|bytes| bytes.len() > 100), "{task} writes something");
        for (number, container) in CONTAINERS.iter().enumerate() {
            for (turn, pipe) in [false, true].into_iter().enumerate() {
                if !has_turn(at + number + turn) {
                    continue;
                }
                let options = [threads([1, 2, 7][(number + turn) % 3])];
                let written = shelf.run(task, container, pipe, &options);
                let what = format!("{task}, {container}, pipe: {pipe}, {options:?}");
                assert_same(&expected, &written, &what);
            }
        }
        let cut = [("plain", false), ("tiny-frames", false), ("one-frame", true)];
        for (number, (container, pipe)) in cut.into_iter().enumerate() {
            for (turn, &size) in SIZES.iter().enumerate() {
                if !has_turn(at + number + turn) {
                    continue;
                }
                let [block, range] = sizes(size);
                let options = [threads([2, 7, 1][turn]), block, range];
                let written = shelf.run(task, container, pipe, &options);
                let what = format!("{task}, {container}, pipe: {pipe}, {options:?}");
                assert_same(&expected, &written, &what);
            }
        }
    }
}

/// Games with every kind of damage among good ones, and bytes between them.
fn damaged() -> Vec<u8> {
    let sample = text_of(&here(SAMPLE));
    let mut text = b"\xef\xbb\xbf% an archive\n\n".to_vec();
    for (number, (_, game)) in Games::new(&sample).take(trials(16, 24, 160)).enumerate() {
        let game = String::from_utf8(game.to_vec()).unwrap();
        let game = match number % 16 {
            1 => game.replacen(" 2. ", " 2. Zz9 ", 1),
            2 => game.replace('\n', "\r"),
            3 => game.replacen("} 1... ", "} (1. h4 (1. a4 a5) 1... h5 2. Ke2) 1... ", 1),
            4 => game.replacen("{ ", "{ { ", 1).replacen(" }", "", 3),
            5 => game.replace('\n', "\r\n"),
            6 => game.replacen("+ {", " {", 1),
            7 => game.replacen("O-O", "0-0", 1),
            8 => game.replacen("\n\n1.", "\n[SetUp \"1\"]\n\n1.", 1),
            9 => format!("{game}words that belong to nobody\n\n"),
            10 => game.trim_end().to_string(),
            11 => format!("{game}1. e4 e5 2. Nf3 *\n\n"),
            12 => game.replacen("[Round \"-\"]\n", "", 1),
            13 => game.replacen(" 1-0\n", " 0-1\n", 1),
            14 => game.replacen("[White \"", "[White \"\u{e9}\\\" \"", 1),
            _ => game,
        };
        text.extend_from_slice(game.as_bytes());
    }
    text
}

#[test]
fn damaged_games_among_good_ones() {
    check(&damaged());
}

#[test]
fn real_archives() {
    // Long comments and variations; games without Event tags; Chess960.
    let names = ["linares_2002.pgn", "lichess-org-database_2017-05.pgn", "chess960rwch.pgn"];
    let folders = ["otb", "lichess", "chess960"];
    for path in folders.into_iter().flat_map(corpus) {
        if names[..trials(1, 2, 3)].contains(&name_of(&path).as_str()) {
            let text = text_of(&path);
            check(&text[..text.len().min(trials(12_000, 12_000, 200_000))]);
        }
    }
}

/// The first frames of a pzstd archive, each with the skippable frame before it.
fn first_frames(stored: &[u8], count: usize) -> &[u8] {
    let mut end = 0;
    for _ in 0..count {
        let Some(len) = stored.get(end + 8..end + 12) else { break };
        end += 12 + u32::from_le_bytes(len.try_into().unwrap()) as usize;
    }
    &stored[..end]
}

/// The sample, as it is stored: nothing may depend on which worker was faster.
#[test]
fn the_sample_with_one_thread_two_and_seven() {
    let scratch = Scratch::new();
    let stored = fs::read(here(SAMPLE)).unwrap();
    let frames = first_frames(&stored, trials(1, 2, usize::MAX));
    let sample = scratch.write("lichess-sample.pgn.zst", frames).display().to_string();
    // The last game of the first frames is cut.
    let is_read = |output: &std::process::Output| matches!(output.status.code(), Some(0 | 1));
    let run = |threads: usize| {
        let directory = format!("{threads}");
        let output = format!("{directory}/out.pgn.zst");
        let (tables, threads) = (format!("{directory}/tables"), format!("--threads={threads}"));
        scratch.write(&format!("{directory}/here"), b"");
        let convert = ["convert", "--to", "economical-squares", "-o", &output, &threads, &sample];
        assert!(is_read(&run_in(scratch.path(), &convert, b"")));
        let measure = [
            "measure",
            "--per-game",
            "--entropy",
            "--compress=zstd:1",
            "-o",
            &tables,
            &threads,
            &sample,
        ];
        assert!(is_read(&run_in(scratch.path(), &measure, b"")));
        let names = [
            "notations",
            "lengths",
            "by_ply",
            "games",
            "summary",
            "tokens",
            "legal_moves",
            "ranks",
            "entropy",
            "compress",
        ];
        let files =
            names.map(|name| fs::read(scratch.join(&format!("{tables}/{name}.csv"))).unwrap());
        (fs::read(scratch.join(&output)).unwrap(), files)
    };
    let (one, seven) = (run(1), run(7));
    assert!(Depth::current() == Depth::Short || one == run(2), "one thread and two");
    assert!(one == seven, "one thread and seven");
    assert!(
        one.0.len() > trials(300_000, 1_000_000, 1_000_000)
            && one.1.iter().all(|table| table.len() > 200)
    );
}

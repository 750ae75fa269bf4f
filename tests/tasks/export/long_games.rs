//! Games of more plies than a part has (32,768), whose rows are made and written part by part.
//!
//! In: games of repeated moves just below and above a part, two of them and a group, with what annotates their plies.
//! Out: nothing. Laws: rows are those that are computed here ply by ply, in every container, for any number of threads
//! and as partitions; a fault of the last ply leaves none; Parquet and Arrow have the same groups as games of the same
//! number of rows that are not divided.

use std::fs;

use super::table::{Value, arrow, parquet};
use crate::common::{Scratch, exit_code, run_in, thinned, trials};

/// Plies of a part.
const PART: usize = 1 << 15;

const DANCE: [&str; 4] = ["Nf3", "Nf6", "Ng1", "Ng8"];

/// The seconds of the clock after a ply, where one is written.
fn clock(ply: usize) -> Option<usize> {
    (ply % 7 != 3).then_some(3_000 - ply / 2 % 50 * 7)
}

fn game(plies: usize, last: &str) -> String {
    let mut text = String::from("[Event \"x\"]\n[TimeControl \"180+2\"]\n[WhiteElo \"2000\"]\n\n");
    for ply in 0..plies {
        text += DANCE[ply % 4];
        if let Some(clock) = clock(ply) {
            text += &format!("{{[%clk 0:{:02}:{:02}]c{ply}}}", clock / 60, clock % 60);
        }
        text += if ply % 10 == 9 { "\n" } else { " " };
    }
    text + last + "\n\n"
}

/// The columns that are compared, as JSON.
const COLUMNS: &str = "game,ply,san,clock_ms,spent_ms,outcome,mover_rating,comment";

fn rows(number: usize, plies: usize) -> String {
    let mut rows = String::new();
    for ply in 0..plies {
        let ms = clock(ply).map(|seconds| seconds as i64 * 1_000);
        let before = ply.checked_sub(2).and_then(clock).map(|seconds| seconds as i64 * 1_000);
        let spent = ms.zip(before).map(|(after, before)| before + 2_000 - after);
        let shown = |value: Option<i64>| value.map_or("null".to_string(), |it| it.to_string());
        let (outcome, rating) = if ply % 2 == 0 { (1, Some(2_000)) } else { (-1, None) };
        let comment = ms.map_or("null".to_string(), |_| format!("\"c{ply}\""));
        rows += &format!(
            "{{\"game\":{number},\"ply\":{},\"san\":\"{}\",\"clock_ms\":{},\"spent_ms\":{},\"outcome\":{outcome},\
             \"mover_rating\":{},\"comment\":{comment}}}\n",
            shown(i16::try_from(ply + 1).ok().map(i64::from)),
            DANCE[ply % 4],
            shown(ms),
            shown(spent.filter(|spent| *spent >= 0)),
            shown(rating),
        );
    }
    rows
}

fn export(scratch: &Scratch, args: &str) -> i32 {
    let line = format!("export -q --overwrite --table plies --name a {args}");
    exit_code(&run_in(scratch.path(), &line.split(' ').collect::<Vec<_>>(), b""))
}

/// Around the end of a part, and a fault after as many plies, between games of a few.
#[test]
fn rows_around_the_end_of_a_part_are_those_of_their_plies() {
    let scratch = Scratch::new();
    let sizes = [PART - 1, PART, PART + 1, PART + 2, 2 * PART, 2 * PART + 1];
    for (index, plies) in thinned(3, sizes).enumerate() {
        let text = game(3, "1-0") + &game(plies, "Ke4 1-0") + &game(plies, "1-0") + &game(2, "1-0");
        let wanted = rows(1, 3) + &rows(3, plies) + &rows(4, 2);
        scratch.write("a.pgn", text.as_bytes());
        scratch.write("a.pgn.zst", &zstd::encode_all(text.as_bytes(), 1).unwrap());
        for (run, archive) in ["a.pgn", "a.pgn.zst"].into_iter().enumerate() {
            let threads = [1, 2, 7][(index + run) % 3];
            let args = format!(
                "--columns {COLUMNS} --threads {threads} --faults f.csv -o o.jsonl {archive}"
            );
            assert_eq!(export(&scratch, &args), 1);
            let found = fs::read_to_string(scratch.join("o.jsonl")).unwrap();
            assert!(found == wanted, "{plies} {archive} {threads}");
            let faults = fs::read_to_string(scratch.join("f.csv")).unwrap();
            assert_eq!(faults.lines().count(), 2, "{faults}");
        }
    }
}

/// The files of partitions have the rows; and so has a selection of plies.
#[test]
fn partitions_and_selections_have_the_rows_of_long_games() {
    let scratch = Scratch::new();
    let plies = PART + 100;
    let text = game(2, "1-0") + &game(plies, "1-0") + &game(3, "0-1") + &game(1, "1-0");
    scratch.write("a.pgn", text.as_bytes());
    let args = format!("--columns {COLUMNS} --format jsonl --partition-by outcome -o p/ a.pgn");
    assert_eq!(export(&scratch, &args), 0);
    let found = fs::read_to_string(scratch.join("p/outcome=1-0/plies.jsonl")).unwrap();
    // The column that divides is not in the files.
    let wanted = (rows(1, 2) + &rows(2, plies) + &rows(4, 1)).replace("\"outcome\":1,", "");
    assert!(found == wanted.replace("\"outcome\":-1,", ""));
    for (chosen, from, to) in [("5..", 4, plies), ("32760..32780", 32_759, 32_780), ("9", 8, 9)] {
        let args = format!("--columns {COLUMNS} --plies {chosen} -o o.jsonl a.pgn");
        assert_eq!(export(&scratch, &args), 0);
        let all = rows(2, plies);
        let wanted: String = all.split_inclusive('\n').take(to).skip(from).collect();
        let found = fs::read_to_string(scratch.join("o.jsonl")).unwrap();
        assert!(found == wanted, "{chosen}");
    }
}

/// Splits of an archive have together the rows of the whole, wherever the games of many plies are divided.
#[test]
fn splits_have_the_rows_of_long_games() {
    let scratch = Scratch::new();
    let text =
        game(5, "1-0") + &game(PART + 9, "1-0") + &game(PART + 9, "Ke4 1-0") + &game(3, "1-0");
    let frames = text.as_bytes().chunks(text.len() / 23);
    let frames: Vec<u8> = frames.flat_map(|frame| zstd::encode_all(frame, 1).unwrap()).collect();
    scratch.write("a.pgn.zst", &frames);
    // The numbers of games are those of a split.
    let columns = COLUMNS.trim_start_matches("game,");
    assert_eq!(export(&scratch, &format!("--columns {columns} -o o.jsonl a.pgn.zst")), 1);
    let whole = fs::read_to_string(scratch.join("o.jsonl")).unwrap();
    assert_eq!(whole.lines().count(), 5 + PART + 9 + 3);
    for divisor in thinned(2, [3, 2, 9]) {
        let target = (frames.len() / divisor).to_string();
        let args = ["splits", "--quiet", "--target", &target, "a.pgn.zst"];
        let splits = String::from_utf8(run_in(scratch.path(), &args, b"").stdout).unwrap();
        assert!(splits.lines().count() > 1, "{splits}");
        let mut joined = String::new();
        for split in splits.lines() {
            scratch.write("split.json", split.as_bytes());
            let code =
                export(&scratch, &format!("--columns {columns} -o o.jsonl --split @split.json"));
            assert!(code <= 1, "{split}");
            joined += &fs::read_to_string(scratch.join("o.jsonl")).unwrap();
        }
        assert!(joined == whole, "{divisor}");
    }
}

/// In formats with groups a long game has those that its number of rows gives, and all formats have the same values.
#[test]
fn a_long_game_has_the_groups_of_its_rows() {
    let scratch = Scratch::new();
    let group = 1 << 17;
    let sizes = trials(vec![group + 1], vec![group, group + 1], vec![group - 1, group, group + 1]);
    for plies in sizes {
        let text = game(9, "1-0") + &game(plies, "1-0") + &game(5, "1-0");
        scratch.write("a.pgn", text.as_bytes());
        let wanted = match plies {
            _ if plies > group => vec![9, group, plies - group + 5],
            _ => vec![9, plies, 5],
        };
        for format in ["parquet", "arrow"] {
            let args = format!("--columns ply,san,clock_ms -o o.{format} a.pgn");
            assert_eq!(export(&scratch, &args), 0);
            let path = scratch.join(&format!("o.{format}"));
            let table = if format == "arrow" { arrow(&path) } else { parquet(&path) };
            assert_eq!(table.groups, wanted, "{format} {plies}");
            let clocks = table.column("clock_ms");
            let wanted = (0..9).chain(0..plies).chain(0..5);
            let wanted = wanted.map(|ply| clock(ply).map(|seconds| seconds as i64 * 1_000));
            assert!(clocks.into_iter().map(Value::number).eq(wanted), "{format} {plies}");
        }
    }
}

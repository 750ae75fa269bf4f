//! `--sample` means the same with `select`, `measure` and `export`.
//!
//! In: the games of the generated archive, divided in many ways. Out: nothing.

use std::collections::BTreeSet;
use std::fs;

use pgnmill_io::archive::games::Games;

use crate::common::mutations::{compressed, mixture, mutate};
use crate::common::{
    Dice, SAMPLE, Scratch, errors_of, exit_code, here, run_in, text_of, thinned, trials,
};

/// The games of the first ones of the archive.
fn games(count: usize) -> Vec<Vec<u8>> {
    let sample = text_of(&here(SAMPLE));
    Games::new(&sample).map(|(_, game)| game.to_vec()).take(count).collect()
}

/// Runs a command; its standard output.
fn run(scratch: &Scratch, words: &str) -> Vec<u8> {
    let output = run_in(scratch.path(), &words.split_whitespace().collect::<Vec<_>>(), b"");
    assert!(exit_code(&output) < 2, "{words}: {}", errors_of(&output));
    output.stdout
}

/// The sites of the games of an archive: each game has another.
fn sites(text: &[u8]) -> BTreeSet<String> {
    let text = String::from_utf8_lossy(text).into_owned();
    text.lines().filter(|line| line.starts_with("[Site ")).map(str::to_string).collect()
}

fn exported(scratch: &Scratch, words: &str) -> BTreeSet<String> {
    let command = format!("export -q --columns Site --format csv {words} -o -");
    let rows = String::from_utf8(run(scratch, &command)).unwrap();
    rows.lines().skip(1).map(|site| format!("[Site \"{site}\"]")).collect()
}

fn measured(scratch: &Scratch, words: &str) -> u64 {
    run(scratch, &format!("measure -q --overwrite --notations main {words} -o m"));
    let summary = fs::read_to_string(scratch.join("m/summary.csv")).unwrap();
    let row = summary.lines().find_map(|line| line.strip_prefix("measured_games,"));
    row.unwrap().parse().unwrap()
}

#[test]
fn a_share_has_the_same_games_with_each_command_and_in_any_division() {
    let scratch = Scratch::new();
    let games = games(trials(300, 800, 800));
    let all = games.concat();
    scratch.write("all.pgn", &all);
    scratch.write("all.zst", &zstd::encode_all(&all[..], 1).unwrap());
    let mut dice = Dice::new(0x5a);
    let mut shuffled = games.clone();
    for at in (1..shuffled.len()).rev() {
        shuffled.swap(at, dice.below(at + 1));
    }
    let frames =
        shuffled.chunks(37).flat_map(|games| zstd::bulk::compress(&games.concat(), 1).unwrap());
    scratch.write("parts/b.zst", &frames.collect::<Vec<u8>>()[..]);
    let mut kept = Vec::new();
    for sample in ["20%", "20% --seed 1", "20% --where WhiteElo>1600", "0.5% --where mate", "100%"]
    {
        let expected = sites(&run(&scratch, &format!("select -q --sample {sample} all.pgn -o -")));
        for (threads, input) in
            thinned(2, [(2, "all.zst"), (1, "all.pgn"), (7, "parts"), (2, "parts")])
        {
            for division in
                thinned(2, ["", "--block-bytes 3000 --range-bytes 9000", "--block-bytes 500"])
            {
                let words = format!("--sample {sample} --threads {threads} {division} {input}");
                assert_eq!(
                    sites(&run(&scratch, &format!("select -q {words} -o -"))),
                    expected,
                    "{words}"
                );
                assert_eq!(exported(&scratch, &words), expected, "{words}");
            }
            let words = format!("--sample {sample} --threads {threads} {input}");
            assert_eq!(measured(&scratch, &words), expected.len() as u64, "{words}");
        }
        run(
            &scratch,
            &format!("select -q --overwrite --sample {sample} --split-by Result -o by/ all.pgn"),
        );
        let by: BTreeSet<String> = fs::read_dir(scratch.join("by"))
            .unwrap()
            .flat_map(|entry| sites(&fs::read(entry.unwrap().path()).unwrap()))
            .collect();
        assert_eq!(by, expected, "{sample}");
        drop(fs::remove_dir_all(scratch.join("by")));
        kept.push(expected);
    }
    let count = games.len();
    let is_a_fifth = kept[0].len().abs_diff(count / 5) < count * 3 / 40;
    assert!(is_a_fifth && kept[4].len() == count, "{}", kept[0].len());
    assert!(kept[1] != kept[0] && kept[2].is_subset(&kept[0]) && kept[2].len() < kept[0].len());
    // The ledger: what is not taken is not selected.
    let output = run_in(scratch.path(), &["select", "--sample", "20%", "-o", "-", "all.pgn"], b"");
    let line = format!("{} games selected + {} not selected", kept[0].len(), count - kept[0].len());
    assert!(errors_of(&output).contains(&line), "{line}: {}", errors_of(&output));
    // Of a pipe too, and of splits.
    let args = ["select", "-q", "--sample", "20%", "-o", "-", "-"];
    assert_eq!(sites(&run_in(scratch.path(), &args, &all).stdout), kept[0]);
    let splits = String::from_utf8(run(&scratch, "splits --target 50000 all.pgn")).unwrap();
    let mut of_splits = BTreeSet::new();
    for split in splits.lines() {
        let args = ["export", "-q", "--columns", "Site", "--format", "csv", "-o", "-"];
        let args = [&args[..], &["--sample", "20%", "--split", split]].concat();
        let rows = String::from_utf8(run_in(scratch.path(), &args, b"").stdout).unwrap();
        of_splits.extend(rows.lines().skip(1).map(|site| format!("[Site \"{site}\"]")));
    }
    assert_eq!(of_splits, kept[0]);
}

/// Games that tag pairs alone do not decide, because a comment looks like a result, are sampled as others are.
#[test]
fn games_that_are_replayed_to_be_divided_are_sampled_too() {
    let scratch = Scratch::new();
    let text = String::from_utf8(games(400).concat()).unwrap();
    scratch.write("a.pgn", text.replace("\n\n1. ", "\n\n{1-0} 1. ").as_bytes());
    for sample in ["20%", "20% --where WhiteElo>1000", "20% --where ply_count>1"] {
        let selected = sites(&run(&scratch, &format!("select -q --sample {sample} -o - a.pgn")));
        assert!((40..120).contains(&selected.len()), "{sample}: {}", selected.len());
        let words = format!("--sample {sample} --block-bytes 900 --threads 2 a.pgn");
        assert_eq!(exported(&scratch, &words), selected, "{sample}");
        assert_eq!(measured(&scratch, &words), selected.len() as u64, "{sample}");
    }
}

#[test]
fn a_number_of_games_is_that_number() {
    let scratch = Scratch::new();
    let games = games(300);
    scratch.write("a.pgn", &games[..100].concat());
    scratch.write("b.pgn", &games[100..].concat());
    for (sample, expected) in [("1", 1), ("77", 77), ("299", 299), ("5000", 300)] {
        let one = exported(&scratch, &format!("--sample {sample} --threads 1 a.pgn b.pgn"));
        assert_eq!(one.len(), expected, "{sample}");
        assert_eq!(exported(&scratch, &format!("--sample {sample} --threads 7 b.pgn a.pgn")), one);
        assert_eq!(measured(&scratch, &format!("--sample {sample} a.pgn b.pgn")), expected as u64);
        let selected =
            sites(&run(&scratch, &format!("select -q --sample {sample} -o - a.pgn b.pgn")));
        assert_eq!(selected, one, "{sample}");
        let by =
            format!("select -q --sample {sample} --split-by Result -o by-{sample}/ b.pgn a.pgn");
        run(&scratch, &by);
        let by = fs::read_dir(scratch.join(&format!("by-{sample}"))).unwrap();
        let by = by.flat_map(|entry| sites(&fs::read(entry.unwrap().path()).unwrap()));
        assert_eq!(by.collect::<BTreeSet<_>>(), one, "{sample}");
        let per_input = format!("select -q --sample {sample} -o each-{sample}/ a.pgn b.pgn");
        run(&scratch, &per_input);
        let each = ["a.pgn", "b.pgn"].map(|name| scratch.join(&format!("each-{sample}/{name}")));
        let each = each.iter().flat_map(|path| sites(&fs::read(path).unwrap()));
        assert_eq!(each.collect::<BTreeSet<_>>(), one, "{sample}");
        let other = exported(&scratch, &format!("--sample {sample} --seed 9 a.pgn b.pgn"));
        assert_eq!(other.len(), expected);
        assert!(other != one || expected == 300, "{sample}");
    }
    let some = exported(&scratch, "--sample 20 --where Result==\"1-0\" a.pgn b.pgn");
    let all = exported(&scratch, "--where Result==\"1-0\" a.pgn b.pgn");
    assert!(some.len() == 20 && some.is_subset(&all));
    // A run that goes on draws the same games.
    run(&scratch, "export -q --sample 50 --columns Site --resume -o x.csv a.pgn b.pgn");
    assert_eq!(fs::read_to_string(scratch.join("x.csv")).unwrap().lines().count(), 51);
    for (words, expected) in [
        ("export --sample 5 -o x.csv -", "take a share, such as 10%"),
        ("measure --sample 0 -o t a.pgn", "a number of games from 1 on"),
        ("select --sample 101% -o x.pgn a.pgn", "or a share of them, such as 10%"),
        ("measure --seed 3 -o t a.pgn", "--sample"),
    ] {
        let output = run_in(scratch.path(), &words.split_whitespace().collect::<Vec<_>>(), b"");
        let errors = errors_of(&output);
        assert!(exit_code(&output) == 2 && errors.contains(expected), "{words}: {errors}");
    }
}

/// The games that a command does not take, and the games that it reads.
fn left(scratch: &Scratch, words: &str) -> [u64; 2] {
    run(scratch, &format!("{words} -q --overwrite --summary s.csv"));
    let summary = fs::read_to_string(scratch.join("s.csv")).unwrap();
    ["not_selected,", "games,"].map(|key| {
        let row = summary.lines().find_map(|line| line.strip_prefix(key));
        row.unwrap().parse().unwrap()
    })
}

/// Archives of any bytes, rulesets and line ends, damaged frames among them: each command takes the same games, however
/// the archive is divided, and no game is lost.
#[test]
fn archives_of_any_bytes_are_sampled_alike_by_each_command() {
    let (mut dice, mut taken, mut all) = (Dice::new(0x5a3b), 0, 0);
    for trial in 0..trials(8, 24, 2_000) {
        let scratch = Scratch::new();
        let mut text = [mixture(&mut dice), mixture(&mut dice)].concat();
        mutate(&mut text, &mut dice);
        scratch.write("a.pgn", &text);
        let mut stored = compressed(&text, &mut dice);
        if trial % 3 == 0 {
            stored.extend(b"\x28\xb5\x2f\xfd\x04\x00\xff\xff\xff\xff\xff");
            stored.extend(compressed(&mixture(&mut dice), &mut dice));
        }
        scratch.write("b.zst", &stored);
        let condition = ["", "--where text_bytes>60", "--where ply_count<5"][dice.below(3)];
        let allow = ["", "--strict", "--allow null-move-main-line"][dice.below(3)];
        for input in ["a.pgn", "b.zst"] {
            let sample =
                format!("--sample 40% --seed {trial} --skip-damaged {condition} {allow} {input}");
            let expected = left(&scratch, &format!("select {sample} -o one.pgn"));
            for (command, threads, block) in [
                ("select -o other.pgn", 7, 40),
                ("select -o other.pgn", 2, 300),
                ("export -o x.csv", 1, 100_000),
                ("export --table plies -o x.jsonl", 2, 64),
                ("export -o x.parquet", 7, 500),
                ("measure --notations main --by rules -o m", 2, 90),
            ] {
                let words = format!("{command} {sample} --threads {threads} --block-bytes {block}");
                let shown = String::from_utf8_lossy(&text).into_owned();
                assert_eq!(left(&scratch, &words), expected, "{words}: {shown:?}");
                if command.starts_with("select") {
                    let [one, other] =
                        ["one.pgn", "other.pgn"].map(|name| fs::read(scratch.join(name)).unwrap());
                    assert!(one == other, "{words}: {shown:?}");
                }
            }
            (taken, all) = (taken + expected[1] - expected[0], all + expected[1]);
        }
    }
    assert!(taken > trials(16, 100, 100) && all > 3 * taken / 2, "{taken} of {all}");
}

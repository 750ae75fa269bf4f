//! Every command that reads archives, with everything that there is: containers, threads, cuts, rulesets, damage, runs that are
//! ended and go on, splits.
//!
//! The commands are those of the program: one that is added fails here until it has a form. What is compared is all that a
//! run writes, byte for byte, with what one thread writes of plain text; only stored bytes may differ. The sum of the
//! verdicts is the number of games. Cost: a few runs of the program per case; the cases are drawn at random, so that each
//! depth has all pairs of a command and a way, and a deeper one more triples.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use super::resume::{self, tree};
use crate::common::mutations::{compressed, mixture, mutate};
use crate::common::{Dice, Scratch, errors_of, exit_code, run_in, sample_text, trials};

/// A command as it is typed, without its input. What it writes is in the directory `o`, the summary is `o/s.csv`.
const FORMS: &[&str] = &[
    "validate --faults o/f.csv --notes o/n.csv --rejects o/r.pgn",
    "stats -o o/tables --faults o/f.csv",
    "convert --to economical-priority -o o/out.pgn --faults o/f.csv --rejects o/r.pgn",
    "convert --to uci --keep-rejects -o o/out/ --notes o/n.csv",
    "select --where ply_count>2 -o o/out.pgn.zst --rejects o/r.pgn",
    "select --sample 40% --seed 2 -o o/out.pgn",
    "select --split-by White -o o/out/",
    "select --games-per-file 2 -o o/out/",
    "sort --by -Event,ply_count -o o/out.pgn",
    "duplicates --keep first --removed --min-plies 1 -o o/out/",
    "measure --by phase,rules,eco-computed --cluster game -o o/out/ --faults o/f.csv",
    #[cfg(feature = "export")]
    "export --columns all --format jsonl -o o/out.jsonl --faults o/f.csv",
    #[cfg(feature = "export")]
    "export --table plies --columns game,ply,uci,san,fen -o o/out.parquet",
    #[cfg(feature = "export")]
    "export --table plies --distinct --opcodes bm,c0=game_index -o o/out.epd --faults o/f.csv",
    #[cfg(feature = "export")]
    "export --opcodes id=White,c0=game -o o/out.epd",
    #[cfg(feature = "export")]
    "export --table plies --position after --format fen -o o/out/",
    #[cfg(feature = "export")]
    "positions --max-ply 0 --variations --sums -o o/out.parquet --faults o/f.csv",
    #[cfg(feature = "export")]
    "positions --max-ply 0 --format csv -o o/out/",
];

/// Commands that have `--threads`, and why they have no form.
const WITHOUT_FORM: &[(&str, &str)] = &[("merge", "it reads tables, no archives")];

/// Moves that are legal at the start of each ruleset, with the value of its tag pair.
const RULESETS: [(&str, &str); 12] = [
    ("Standard", "1. e4 e5 2. Nf3 Nc6 3. Bb5"),
    ("Chess960", "1. e4 e5 2. Nf3 Nc6 3. Be2 Nf6 4. O-O"),
    ("Crazyhouse", "1. e4 d5 2. exd5 Qxd5 3. P@e4"),
    ("Atomic", "1. Nf3 f6 2. Nd4 c6"),
    ("Antichess", "1. e3 b6 2. Nf3 Bb7"),
    ("Giveaway", "1. e3 b6 2. Nf3 Bb7"),
    ("Suicide", "1. e3 b6 2. Nf3 Bb7"),
    ("King of the Hill", "1. e4 e5 2. Ke2 Ke7"),
    ("Three-check", "1. e4 d6 2. Bb5+ c6"),
    ("Horde", "1. e5 e6 2. d5 d6"),
    ("Racing Kings", "1. Nf3 Nc3 2. Nd4"),
    ("Standard", "1. Nf3 Nf3 2. Ng5"),
];

/// Games of every ruleset, some with a fault.
fn games_of_rulesets(dice: &mut Dice) -> Vec<u8> {
    let mut text = String::new();
    for number in 0..40 {
        let (rules, moves) = RULESETS[dice.below(RULESETS.len())];
        let white = ["Ann", "Ben", "Cy"][dice.below(3)];
        let end = ["*", "1-0", "Zz9 *", "1/2-1/2", ""][dice.below(5)];
        text += &format!(
            "[Event \"{number}\"]\n[White \"{white}\"]\n[Variant \"{rules}\"]\n\n{moves} {end}\n\n"
        );
    }
    text.into_bytes()
}

/// Texts of different kinds.
fn text(dice: &mut Dice, kind: usize) -> Vec<u8> {
    match kind % 4 {
        0 => games_of_rulesets(dice),
        1 => {
            let from = dice.below(400_000);
            sample_text()[from..from + 25_000].to_vec()
        }
        2 => resume::tiny(60),
        _ => {
            let mut text: Vec<u8> = (0..5).flat_map(|_| mixture(dice)).collect();
            mutate(&mut text, dice);
            text
        }
    }
}

/// A text in containers, by the name of the container.
fn stored(text: &[u8], dice: &mut Dice) -> Vec<(&'static str, Vec<u8>)> {
    let mut all = vec![
        ("plain", text.to_vec()),
        ("one frame", zstd::encode_all(text, 1).unwrap()),
        ("frames", compressed(text, dice)),
    ];
    #[cfg(feature = "containers")]
    all.extend(crate::common::coded::CODERS.map(|(ending, store)| (ending, store(text))));
    all.rotate_left(dice.below(3));
    all
}

/// What a run writes, without what depends on the stored bytes; and its exit code.
type Written = (i32, BTreeMap<String, Vec<u8>>);

/// What is in the directory of outputs.
fn written(scratch: &Scratch, code: i32) -> Written {
    let mut found = tree(&scratch.join("o"));
    for (name, bytes) in &mut found {
        if name.ends_with(".csv") {
            let text = String::from_utf8_lossy(bytes);
            let is_kept = |line: &&str| {
                !["stored_bytes", "summary.csv", "tables.csv"].iter().any(|it| line.starts_with(it))
            };
            *bytes = text.lines().filter(is_kept).collect::<Vec<_>>().join("\n").into_bytes();
        }
    }
    (code, found)
}

fn words<'a>(form: &'a str, more: &'a str) -> Vec<&'a str> {
    form.split(' ').chain(more.split(' ')).filter(|word| !word.is_empty()).collect()
}

/// A run of a form over an archive.
fn run(form: &str, archive: &[u8], options: &str) -> Written {
    let scratch = Scratch::new();
    scratch.write("a.pgn", archive);
    fs::create_dir(scratch.join("o")).unwrap();
    let more = format!("{options} --summary o/s.csv -q a.pgn");
    let ran = run_in(scratch.path(), &words(form, &more), b"");
    let code = exit_code(&ran);
    assert!(code < 2, "{form} {more}: {}", errors_of(&ran));
    written(&scratch, code)
}

/// A run that is ended again and again, and goes on.
fn interrupted(form: &str, archive: &[u8], dice: &mut Dice) -> Written {
    let scratch = Scratch::new();
    scratch.write("a.pgn", archive);
    fs::create_dir(scratch.join("o")).unwrap();
    let line = words(form, "--summary o/s.csv -q a.pgn");
    let mut steps = || 11 + dice.below(60) as u64;
    resume::until_done(&scratch, &line, &mut steps);
    // The last run has its own exit code; that of a whole one is the same if nothing was to do.
    let again = run_in(scratch.path(), &[&line[..], &["--resume"]].concat(), b"");
    written(&scratch, exit_code(&again))
}

/// The rows of a summary add up.
fn adds_up(what: &str, written: &Written) {
    let text = String::from_utf8_lossy(&written.1["s.csv"]).into_owned();
    let value = |key: &str| {
        let row = text.lines().find_map(|line| line.strip_prefix(&format!("{key},")));
        row.and_then(|value| value.parse::<u64>().ok()).unwrap_or(0)
    };
    let verdicts: u64 = ["accepted", "repaired", "rejected"].map(value).iter().sum();
    // Games that are copied without their moves being read have no verdict.
    let read = if verdicts == 0 { value("selected") } else { verdicts };
    assert_eq!(value("games"), read + value("not_selected"), "{what}: {text}");
}

/// The commands whose help has an option.
fn commands_with(option: &str) -> BTreeSet<String> {
    let help = run_in(Scratch::new().path(), &["--help"], b"");
    let text = String::from_utf8(help.stdout).unwrap();
    let names = text.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names: BTreeSet<&str> = names
        .filter(|name| !name.is_empty() && !name.starts_with('-') && *name != "help")
        .collect();
    let has = |name: &&&str| {
        let help = run_in(Scratch::new().path(), &[**name, "--help"], b"");
        help.status.success() && String::from_utf8_lossy(&help.stdout).contains(option)
    };
    names.iter().filter(has).map(|name| name.to_string()).collect()
}

fn command_of(form: &str) -> &str {
    form.split(' ').next().unwrap_or_default()
}

#[test]
fn every_command_that_reads_archives_has_a_form() {
    let known: BTreeSet<String> = FORMS
        .iter()
        .map(|form| command_of(form))
        .chain(WITHOUT_FORM.iter().map(|(name, _)| *name))
        .map(str::to_string)
        .collect();
    assert_eq!(commands_with("--threads <N>"), known);
}

/// All forms over texts of all kinds: the same for any container, any number of threads and any cut.
#[test]
fn outputs_depend_on_the_text_alone() {
    let mut dice = Dice::new(0x9_0D);
    for round in 0..trials(1, 3, 60) {
        for (at, form) in FORMS.iter().enumerate() {
            let text = text(&mut dice, at + round);
            let expected = run(form, &text, "--threads 1");
            adds_up(form, &expected);
            for (container, bytes) in &stored(&text, &mut dice)[..trials(2, 4, 6)] {
                let threads = [1, 2, 7][dice.below(3)];
                let (block, range) = (300 + dice.below(9_000), 1 + dice.below(30_000));
                let options =
                    format!("--threads {threads} --block-bytes {block} --range-bytes {range}");
                let found = run(form, bytes, &options);
                let what = format!("{form}, {container}, {options}");
                assert_eq!(found.0, expected.0, "{what}");
                resume::same(&found.1, &expected.1, &what);
            }
        }
    }
}

/// All forms that can be continued: what is written is what an undisturbed run writes.
#[test]
fn runs_that_are_ended_go_on() {
    let can_resume = commands_with("--resume");
    let mut dice = Dice::new(0x2E5);
    let mut count = 0;
    for round in 0..trials(1, 3, 40) {
        for (at, form) in FORMS.iter().enumerate() {
            let is_refused = ["--sample", "--split-by", "--games-per-file", "--distinct"]
                .iter()
                .any(|option| form.contains(option));
            // One table of all inputs cannot be continued.
            let is_one_table = command_of(form) == "positions" && !form.ends_with('/');
            if !can_resume.contains(command_of(form)) || is_refused || is_one_table {
                continue;
            }
            let text = text(&mut dice, at + round + 1);
            let stored = &stored(&text, &mut dice)[0];
            let expected =
                run(form, &stored.1, "--threads 2 --range-bytes 30000 --block-bytes 9000");
            let found = interrupted(form, &stored.1, &mut dice);
            resume::same(&found.1, &expected.1, &format!("{form}, {}", stored.0));
            count += 1;
        }
    }
    assert!(count >= 3, "{count}");
}

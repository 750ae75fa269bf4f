//! The options that ledgers record: runs with the same text are the same runs, and a shell runs them again.
//!
//! In: pairs of options that look alike, commands, splits. Out: nothing. Laws: splits are added if and only if they
//! were read with the same options; what is recorded, given to a shell, reads and records the same; what is merged of
//! splits is what one run has, the notes on the archive included.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use crate::common::{Scratch, errors_of, exit_code, run_in, trials};

/// Selections that select different games and look alike, in pairs.
const ALIKE: [[&str; 2]; 6] = [
    ["White != \"Ann  B\"", "White != \"Ann B\""],
    ["White == \"Ann\tB\"", "White == \"Ann B\""],
    ["ply_count == 2 # x\nor Round == \"2\"", "ply_count == 2 # x or Round == \"2\""],
    ["White == \" + \"", "White == \"+\""],
    ["White == \"it's\"", "White == \"its\""],
    ["White == \"$(x) `y` \\\\ !\"", "White == \"$(x) `y` \\\\  !\""],
];

/// Options without a selection.
const OTHERS: [&[&str]; 4] = [
    &[],
    &["--strict", "--allow", "tag-quote,move-number-wrong"],
    &["--deny=move-number-wrong", "--from=uci", "--rules", "chess960"],
    &["--sample", "50%", "--seed", "3"],
];

fn archive(scratch: &Scratch) {
    let names = ["Ann  B", "Ann B", "Ann\tB", " + ", "+", "it's", "its", "$(x) `y` \\\\ !", "C"];
    let games = names.iter().enumerate().map(|(number, name)| {
        format!("[White \"{name}\"]\n[Round \"{}\"]\n\n1. e4 e{} *\n\n", number % 3, 5 + number % 2)
    });
    scratch.write("a.pgn", games.collect::<String>().as_bytes());
}

/// The words of a run over a split, with its tables in a directory.
fn words(command: &str, directory: &str) -> Vec<String> {
    let ledger = format!("--ledger={directory}/ledger.csv");
    let words: Vec<String> = match command {
        "measure" => vec!["measure".into(), "--notations=main".into(), format!("-o={directory}")],
        "stats" => vec!["stats".into(), ledger, format!("-o={directory}")],
        "convert" => vec![
            "convert".into(),
            "--to=uci".into(),
            "--keep-rejects".into(),
            "--set=Site=it's  + #".into(),
            ledger,
            format!("-o={directory}/c.pgn"),
        ],
        "export" => vec!["export".into(), ledger, format!("-o={directory}/e.csv")],
        _ => vec![command.into(), ledger],
    };
    words.into_iter().chain(["--quiet".into(), "--overwrite".into()]).collect()
}

/// Reads a split; the options of the ledger.
fn read(scratch: &Scratch, command: &str, options: &[&str], split: &str, part: &str) -> String {
    fs::create_dir_all(scratch.join(part)).unwrap();
    let own = words(command, part);
    let own: Vec<&str> = own.iter().map(String::as_str).collect();
    let args = [&own[..], options, &["--split", split]].concat();
    let ran = run_in(scratch.path(), &args, b"");
    assert!(exit_code(&ran) < 2, "{args:?}: {}", errors_of(&ran));
    recorded(scratch, part)
}

fn recorded(scratch: &Scratch, part: &str) -> String {
    let mut rows = csv::Reader::from_path(scratch.join(&format!("{part}/ledger.csv"))).unwrap();
    let column = rows.headers().unwrap().iter().position(|name| name == "options").unwrap();
    rows.records().next().unwrap().unwrap()[column].to_string()
}

fn splits(scratch: &Scratch, archive: &str, target: usize) -> Vec<String> {
    let target = target.to_string();
    let ran = run_in(scratch.path(), &["splits", "-q", "--target", &target, archive], b"");
    String::from_utf8(ran.stdout).unwrap().lines().map(str::to_string).collect()
}

const COMMANDS: [&str; 4] = ["validate", "measure", "export", "stats"];

/// Commands × pairs of selections.
#[test]
fn splits_are_added_if_they_were_read_with_the_same_options() {
    let scratch = Scratch::new();
    archive(&scratch);
    let splits = splits(&scratch, "a.pgn", 200);
    let [first, others @ ..] = &splits[..] else { panic!("no split") };
    assert!(!others.is_empty());
    for command in COMMANDS {
        for pair in ALIKE {
            for other in pair {
                read(&scratch, command, &["--where", pair[0]], first, "p0");
                let mut parts = vec!["p0/ledger.csv".to_string()];
                for (number, split) in others.iter().enumerate() {
                    let part = format!("p{}", number + 1);
                    read(&scratch, command, &["--where", other], split, &part);
                    parts.push(format!("{part}/ledger.csv"));
                }
                let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
                let args = [&["merge", "-q", "--overwrite", "-o", "m"], &parts[..]].concat();
                let merged = run_in(scratch.path(), &args, b"");
                let expected = if pair[0] == other { 0 } else { 2 };
                assert_eq!(
                    exit_code(&merged),
                    expected,
                    "{command} {pair:?}: {}",
                    errors_of(&merged)
                );
                assert_eq!(errors_of(&merged).contains("options"), expected == 2, "{pair:?}");
            }
        }
    }
}

/// Commands × options: a shell runs what is recorded, and its run records the same and writes the same tables.
#[test]
fn what_is_recorded_can_be_run_again() {
    let scratch = Scratch::new();
    archive(&scratch);
    let split = &splits(&scratch, "a.pgn", 1 << 20)[0];
    scratch.write("split.json", split.as_bytes());
    let mut texts = Vec::new();
    let selections = ALIKE.concat();
    let selections: Vec<Vec<&str>> =
        selections.iter().map(|selection| vec!["--where", selection]).collect();
    let all = selections.iter().map(Vec::as_slice).chain(OTHERS);
    let step = trials(2, 2, 1);
    for command in COMMANDS.into_iter().chain(["convert"]) {
        for options in all.clone().step_by(step) {
            let refuses = match options.first() {
                Some(&"--sample") => matches!(command, "validate" | "convert"),
                Some(&"--where") => command == "convert",
                _ => false,
            };
            if refuses {
                continue;
            }
            let options_recorded = read(&scratch, command, options, split, "one");
            let (name, text) = (format!("{command} {options:?}"), options_recorded.clone());
            let text = text.strip_prefix("export ").unwrap_or(&text);
            let _ = fs::remove_dir_all(scratch.join("again"));
            fs::create_dir_all(scratch.join("again")).unwrap();
            let own = words(command, "again");
            // What decides the outputs is recorded: only where they are is not.
            let own = own.iter().filter(|word| {
                !["--notations", "--to=", "--set", "--keep-rejects"]
                    .iter()
                    .any(|it| word.starts_with(it))
            });
            let own: Vec<&str> = own.map(String::as_str).collect();
            let script = format!("\"$PROGRAM\" {} {text} --split @split.json", own.join(" "));
            let ran = Command::new("sh")
                .args(["-c", &script])
                .env("PROGRAM", env!("CARGO_BIN_EXE_pgnmill"))
                .env("SOURCE_DATE_EPOCH", "0")
                .current_dir(scratch.path())
                .output()
                .unwrap();
            assert!(exit_code(&ran) < 2, "{name}: {script}: {}", errors_of(&ran));
            assert_eq!(recorded(&scratch, "again"), options_recorded, "{name}");
            for entry in fs::read_dir(scratch.join("one")).unwrap() {
                let file = entry.unwrap().file_name().into_string().unwrap();
                let other = scratch.join(&format!("again/{file}"));
                let is_same = fs::read(scratch.join(&format!("one/{file}"))).unwrap()
                    == fs::read(&other).unwrap_or_default();
                assert!(is_same || !other.exists(), "{name}: {file}");
            }
            texts.push((command, options_recorded));
        }
    }
    let count = texts.len();
    texts.sort();
    texts.dedup();
    assert_eq!(texts.len(), count, "other options have another text");
}

/// The summary of whole archives has every option that decides how games are read, each in its words, and no other.
#[test]
fn a_summary_has_the_options_of_reading() {
    let scratch = Scratch::new();
    archive(&scratch);
    let options: [&[&str]; 8] = [
        &[],
        &["--skip-damaged"],
        &["--strict"],
        &["--from=uci"],
        &["--rules=chess960"],
        &["--deny=move-number-wrong"],
        &["--allow=null-move-main-line"],
        &["--strict", "--skip-damaged"],
    ];
    for threads in ["1", "3"] {
        for options in options {
            let args = ["measure", "-q", "--notations=main", "--overwrite", "-o", "m", "a.pgn"];
            let args = [&args[..], options, &["--threads", threads]].concat();
            let ran = run_in(scratch.path(), &args, b"");
            assert!(exit_code(&ran) < 2, "{args:?}: {}", errors_of(&ran));
            let mut rows = csv::Reader::from_path(scratch.join("m/summary.csv")).unwrap();
            let row = rows.records().map(Result::unwrap).find(|row| &row[0] == "options").unwrap();
            let recorded = row[1].replace('=', " ");
            let words: BTreeSet<&str> = recorded.split(' ').collect();
            let given = options.join(" ").replace('=', " ") + " --notations main";
            assert_eq!(words, given.split_whitespace().collect(), "{row:?}");
        }
    }
}

/// Texts of sums: what is in quotes is one text, whatever it holds.
#[test]
fn sums_of_other_options_name_each_once() {
    let scratch = Scratch::new();
    archive(&scratch);
    let selection = "White == \" + \"";
    for (part, options) in
        [("x", &["--where", selection][..]), ("y", &[]), ("z", &["--where", selection])]
    {
        let args =
            [&["measure", "-q", "--notations", "main", "-o", part], options, &["a.pgn"]].concat();
        assert_eq!(exit_code(&run_in(scratch.path(), &args, b"")), 0);
    }
    let options = |directory: &str| {
        let text = fs::read(scratch.join(&format!("{directory}/summary.csv"))).unwrap();
        let mut rows = csv::Reader::from_reader(&text[..]);
        let found = rows.records().map(Result::unwrap).find(|row| &row[0] == "options").unwrap();
        found[1].to_string()
    };
    for (sum, parts) in [("xz", ["x", "z"]), ("xy", ["x", "y"]), ("xyz", ["xy", "z"])] {
        let args = [&["merge", "-q", "-o", sum], &parts[..]].concat();
        assert_eq!(exit_code(&run_in(scratch.path(), &args, b"")), 0);
    }
    assert_eq!(options("xz"), options("x"));
    assert_eq!(options("xy"), format!("{} + {}", options("y"), options("x")));
    assert_eq!(options("xyz"), options("xy"));
}

/// Encodings × line ends × sizes of splits: what is merged is what one run has, also with sums in between.
#[test]
fn counts_of_splits_have_the_notes_on_the_whole_archive() {
    let scratch = Scratch::new();
    let encodings: [&[&[u8]]; 5] = [
        &[b"Ann"],
        &[b"J\xc3\xbcrgen"],
        &[b"J\xfcrgen", b"Ann"],
        &[b"\x93J\xfc\x94"],
        &[b"\xfc", b"\xc3\xbc"],
    ];
    let ends: [&[&[u8]]; 4] = [&[b"\n"], &[b"\r\n"], &[b"\r"], &[b"\n", b"\r\n"]];
    for (encoding, names) in encodings.into_iter().enumerate() {
        // At the short depth each encoding has half of the line ends, and each of them half of the encodings.
        for (end, line_ends) in
            ends.into_iter().enumerate().skip(trials(encoding % 2, 0, 0)).step_by(trials(2, 1, 1))
        {
            let mut text = Vec::new();
            for game in 0..12 {
                let (name, line_end) =
                    (names[game % names.len()], line_ends[game % line_ends.len()]);
                for line in [&[b"[White \"", name, b"\"]"].concat()[..], b"", b"1. e4 *", b""] {
                    text.extend_from_slice(line);
                    text.extend_from_slice(line_end);
                }
            }
            scratch.write("a.pgn", &text);
            let name = format!("encoding {encoding}, line ends {end}");
            let args = "stats -q --overwrite -o one --summary one/summary.csv a.pgn";
            let one = run_in(scratch.path(), &args.split(' ').collect::<Vec<_>>(), b"");
            assert_eq!(exit_code(&one), 0, "{name}: {}", errors_of(&one));
            for target in [60, 150] {
                let mut parts = Vec::new();
                for (number, split) in splits(&scratch, "a.pgn", target).iter().enumerate() {
                    let part = format!("{target}-{number}");
                    let tables = [format!("{part}/ledger.csv"), format!("{part}/summary.csv")];
                    fs::create_dir_all(scratch.join(&part)).unwrap();
                    let args = ["stats", "-q", "--overwrite", "-o", &part, "--split", split];
                    let args =
                        [&args[..], &["--ledger", &tables[0], "--summary", &tables[1]]].concat();
                    let ran = run_in(scratch.path(), &args, b"");
                    assert_eq!(exit_code(&ran), 0, "{name}: {}", errors_of(&ran));
                    parts.push(part);
                }
                assert!(parts.len() > 1, "{name}");
                let merge = |output: &str, options: &[&str], parts: &[String]| {
                    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
                    let args =
                        [&["merge", "-q", "--overwrite", "-o", output], options, &parts].concat();
                    let ran = run_in(scratch.path(), &args, b"");
                    assert_eq!(exit_code(&ran), 0, "{name} {args:?}: {}", errors_of(&ran));
                };
                merge("all", &[], &parts);
                let (some, rest) = parts.split_at(parts.len() / 2);
                merge("some", &["--partial"], some);
                merge("again", &[], &[&["some".to_string()], rest].concat());
                for sum in ["all", "again"] {
                    for table in ["stats.csv", "summary.csv"] {
                        let [one, sum] = ["one", sum].map(|directory| {
                            let path = scratch.join(&format!("{directory}/{table}"));
                            String::from_utf8(fs::read(path).unwrap()).unwrap()
                        });
                        assert_eq!(sum, one, "{name}, splits of {target}: {table}");
                    }
                }
            }
        }
    }
}

/// The ledger has each option that was given, and no other: one that is missing would let splits be added that were read
/// in different ways.
#[test]
fn the_ledger_has_the_options_that_were_given_and_no_others() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", &b"[Event \"a\"]\n[Site \"b\"]\n\n1. e4 {c} e5 *\n\n".repeat(9));
    let split = &splits(&scratch, "a.pgn", 200)[0];
    let convert = "convert --to san --keep-rejects -o out.pgn";
    // What `measure` counts is in its summary, which `merge` compares.
    let forms: [(&str, &[&str]); 3] = [
        (
            convert,
            &[
                "--to-utf8",
                "--set-eco",
                "--language=de",
                "--drop=comments",
                "--set=Site=x",
                "--remove=Site",
            ],
        ),
        (
            "validate",
            &["--strict", "--from=uci", "--rules=atomic", "--allow=tag-quote", "--deny=tag-quote"],
        ),
        ("stats -o t", &["--where=ply_count>1", "--sample=50%"]),
    ];
    let recorded = |form: &str, option: Option<&str>| -> BTreeSet<String> {
        let mut words: Vec<&str> = form.split(' ').collect();
        words.extend(["-q", "--overwrite", "--ledger", "l.csv", "--split", split]);
        words.extend(option);
        let ran = run_in(scratch.path(), &words, b"");
        assert!(exit_code(&ran) < 2, "{words:?}: {}", errors_of(&ran));
        let mut table = csv::Reader::from_path(scratch.join("l.csv")).unwrap();
        let column = table.headers().unwrap().iter().position(|name| name == "options").unwrap();
        let row = table.records().next().unwrap().unwrap();
        let names = row[column].split(' ').filter(|word| word.starts_with("--"));
        names.map(|word| word.split('=').next().unwrap_or(word).to_string()).collect()
    };
    for (form, options) in forms {
        let without = recorded(form, None);
        for option in options {
            let name = option.split('=').next().unwrap_or(option).to_string();
            let mut expected = without.clone();
            expected.insert(name);
            assert_eq!(recorded(form, Some(option)), expected, "{form} {option}");
        }
    }
}

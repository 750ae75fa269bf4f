//! Outputs appear whole or not at all, and no run spoils an input, another output or another run's.
//!
//! What files are called, how they are spelled, which links lead to them, what a killed run left, which output fails
//! and when: for all of them the same laws hold. The order of writing is taken from the calls of the system, where
//! `strace` is installed.

#![cfg(unix)]
#![allow(clippy::print_stdout, reason = "reports what was not tested")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{Scratch, errors_of, exit_code, pgnmill, run_in, thinned, trials, twin};
use pgnmill_needs::needs;

const GAME: &str = "[Event \"a\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"*\"]\n\n1. e4 e5 *\n\n";
const CONVERTED: &str = "1. e2e4 e7e5 *";
/// A frame that cannot be decoded.
const DAMAGED: &[u8] = b"\x28\xb5\x2f\xfd\x04\x00\xff\xff\xff\xff\xff";

/// All files, directories and links below a directory, with what they hold.
fn tree(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut pending = vec![root.to_path_buf()];
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let kind = fs::symlink_metadata(&path).unwrap();
            let held = match () {
                () if kind.is_symlink() => {
                    fs::read_link(&path).unwrap().display().to_string().into_bytes()
                }
                () if kind.is_dir() => Vec::new(),
                () => fs::read(&path).unwrap(),
            };
            if kind.is_dir() {
                pending.push(path.clone());
            }
            found.insert(path.strip_prefix(root).unwrap().display().to_string(), held);
        }
    }
    found
}

/// Runs a command that must be rejected: exit code 2, these words, all files unchanged.
fn refused(scratch: &Scratch, args: &[&str], stdin: &str, words: &[&str]) {
    let before = tree(scratch.path());
    let output = with_stdin(scratch, args, stdin);
    assert_eq!(exit_code(&output), 2, "{args:?}: {}", errors_of(&output));
    for word in words {
        assert!(errors_of(&output).contains(word), "{args:?}: {}", errors_of(&output));
    }
    assert_eq!(tree(scratch.path()), before, "{args:?}");
}

/// Runs the program with a file of the directory as standard input, or none.
fn with_stdin(scratch: &Scratch, args: &[&str], stdin: &str) -> Output {
    let mut command = pgnmill();
    command.args(args).current_dir(scratch.path());
    if !stdin.is_empty() {
        command.stdin(fs::File::open(scratch.join(stdin)).unwrap());
    }
    command.output().unwrap()
}

/// Is it a temporary file of a run?
fn is_temporary(name: &str) -> bool {
    name.contains(".pgnmill-") && name.ends_with(".part")
}

/// A run that waits for more of its standard input after a game.
struct Waiting(Option<Child>);

impl Waiting {
    /// Starts it, and returns when it has made this temporary file, and those of all outputs that it names.
    fn start(scratch: &Scratch, args: &[&str], output: &str) -> Waiting {
        let mut child = pgnmill()
            .args(args)
            .current_dir(scratch.path())
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.as_mut().unwrap().write_all(GAME.as_bytes()).unwrap();
        let begun = Instant::now();
        let is_output = |word: &&&str| word.contains('.') && !scratch.join(word).exists();
        let outputs: Vec<&str> = args.iter().filter(is_output).copied().chain([output]).collect();
        let has_begun = |output: &&str| {
            let beginning = format!("{output}.pgnmill-");
            tree(scratch.path()).keys().any(|name| name.starts_with(&beginning))
        };
        while !outputs.iter().all(has_begun) {
            assert!(begun.elapsed() < Duration::from_secs(60), "{args:?} begins no {output}");
            assert!(child.try_wait().unwrap().is_none(), "{args:?} ended");
            std::thread::sleep(Duration::from_millis(5));
        }
        // The directory is locked as long as files are added that belong together.
        let path = scratch.join(output);
        fs::File::open(path.parent().unwrap()).unwrap().lock().unwrap();
        Waiting(Some(child))
    }

    fn signal(&self, name: &str) {
        let id = self.0.as_ref().unwrap().id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    /// Waits for its end; standard input stays open.
    fn wait(mut self) -> (Option<i32>, String) {
        let mut child = self.0.take().unwrap();
        let mut words = String::new();
        child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
        (child.wait().unwrap().code(), words)
    }

    /// Ends its standard input, and waits for its end.
    fn finish(mut self) -> (Option<i32>, String) {
        drop(self.0.as_mut().unwrap().stdin.take());
        self.wait()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            drop(child.kill());
            drop(child.wait());
        }
    }
}

/// Every way to write a run's files: the arguments, and the file that is written.
fn ways(input: &str) -> Vec<(Vec<String>, &'static str)> {
    let words = |text: &str| text.split(' ').map(String::from).collect::<Vec<_>>();
    let way = |text: &str, output| (words(&text.replace("IN", input)), output);
    let mut ways = vec![
        way("convert --to uci -o g.pgn IN", "g.pgn"),
        way("convert --to uci -o g.pgn.zst IN", "g.pgn.zst"),
        way("validate --faults w.csv IN", "w.csv"),
        way("validate --rejects r.pgn IN", "r.pgn"),
        way("validate --summary s.csv IN", "s.csv"),
        way("measure --per-game --notations main -o t IN", "t/games.csv"),
        way("measure --per-game --notations main -o t IN", "t/summary.csv"),
    ];
    if cfg!(feature = "export") {
        ways.push(way("export -o g.parquet IN", "g.parquet"));
        ways.push(way("export --table plies --columns all -o g.arrow IN", "g.arrow"));
        ways.push(way("export --table plies --format csv -o g.txt IN", "g.txt"));
        ways.push(way("export -o g.jsonl --faults w.csv IN", "w.csv"));
    }
    ways
}

fn as_strs(args: &[String]) -> Vec<&str> {
    args.iter().map(String::as_str).collect()
}

/// An input is an input, whatever it is called.
#[test]
fn inputs_called_like_temporary_files_are_kept() {
    let endings = [".part", ".pgnmill-0123456789abcdef.part", ".tmp", "~"];
    for (number, ending) in endings.into_iter().enumerate() {
        for piped in [false, true] {
            // At the short depth each ending has half of the outputs by name, and the others through a pipe.
            let turn = trials((number + usize::from(piped)) % 2, 0, 0);
            for (_, output) in thinned(2, ways("").into_iter().skip(turn)) {
                let scratch = Scratch::new();
                let name = format!("{output}{ending}");
                scratch.write(&name, GAME.as_bytes());
                let ways = ways(if piped { "-" } else { &name });
                let (args, _) = ways.iter().find(|way| way.1 == output).unwrap();
                let ran = with_stdin(&scratch, &as_strs(args), if piped { &name } else { "" });
                assert_eq!(exit_code(&ran), 0, "{args:?} < {name}: {}", errors_of(&ran));
                assert!(!errors_of(&ran).contains("killed"), "{args:?}: {}", errors_of(&ran));
                assert_eq!(fs::read_to_string(scratch.join(&name)).unwrap(), GAME, "{args:?}");
                assert!(scratch.join(output).is_file(), "{args:?}");
            }
        }
    }
}

/// What lies where earlier versions wrote their temporary files is not touched, be it a link. Files are named; no run
/// makes links.
#[test]
fn nothing_that_is_there_is_followed_truncated_or_reused() {
    for (args, output) in ways("in.pgn") {
        for is_link in [true, false] {
            let scratch = Scratch::new();
            scratch.write("in.pgn", GAME.as_bytes());
            scratch.write("victim", b"precious");
            scratch.write("t/unrelated", b"");
            let endings = [".part", ".pgnmill-00000000000000ff.part"];
            for left in endings.map(|ending| format!("{output}{ending}")) {
                match is_link {
                    true => symlink(scratch.join("victim"), scratch.join(&left)).unwrap(),
                    false => drop(scratch.write(&left, b"precious")),
                }
            }
            let before = tree(scratch.path());
            let ran = with_stdin(&scratch, &as_strs(&args), "");
            let errors = errors_of(&ran);
            assert_eq!(exit_code(&ran), 0, "{args:?}: {errors}");
            let after = tree(scratch.path());
            for (name, held) in &before {
                assert_eq!(after.get(name), Some(held), "{args:?}: {name}");
            }
            for left in endings {
                let left = format!("{output}{left} looks like what a run that was killed left");
                assert_eq!(errors.contains(&left), !is_link, "{args:?}: {errors}");
            }
        }
    }
}

/// A file has many names: its path, others, through linked directories, hard links, symbolic links.
fn spellings(scratch: &Scratch, name: &str) -> Vec<String> {
    let path = scratch.join(name);
    drop(symlink(".", scratch.join("here")));
    let mut all = vec![
        name.to_string(),
        format!("./{name}"),
        path.display().to_string(),
        format!("here/{name}"),
        format!("here/../{}/{name}", scratch.path().file_name().unwrap().display()),
    ];
    if path.exists() {
        symlink(name, scratch.join("soft.pgn")).unwrap();
        fs::hard_link(&path, scratch.join("hard.pgn")).unwrap();
        all.extend(["soft.pgn".to_string(), "hard.pgn".to_string()]);
    }
    all
}

#[test]
fn one_file_under_two_names_is_not_written_twice_nor_read_and_written() {
    // Not there yet, and there.
    for exists in [false, true] {
        let scratch = Scratch::new();
        scratch.write("in.pgn", GAME.as_bytes());
        if exists {
            scratch.write("y.pgn", b"old");
        }
        let names = spellings(&scratch, "y.pgn");
        for one in &names {
            for two in &names {
                for option in ["--rejects", "--faults", "--summary"] {
                    let args =
                        ["convert", "--overwrite", "--to", "uci", "-o", one, option, two, "in.pgn"];
                    let words = if one == two { "named for two" } else { "the same output" };
                    refused(&scratch, &args, "", &[words]);
                }
            }
        }
    }
    let scratch = Scratch::new();
    scratch.write("y.pgn", GAME.as_bytes());
    let names = spellings(&scratch, "y.pgn");
    for output in &names {
        for input in names.iter().map(String::as_str).chain(["-"]) {
            let stdin = if input == "-" { "y.pgn" } else { "" };
            for option in ["--rejects", "--faults", "--summary"] {
                let args = ["validate", "--overwrite", option, output, input];
                refused(&scratch, &args, stdin, &["is an input"]);
            }
            let args = ["convert", "--overwrite", "--to", "uci", "-o", output, input];
            refused(&scratch, &args, stdin, &["is an input"]);
        }
    }
    // A shell that appends to the input.
    let append = fs::OpenOptions::new().append(true).open(scratch.join("y.pgn")).unwrap();
    let mut command = pgnmill();
    command.args(["convert", "--to", "uci", "-o", "-", "y.pgn"]).current_dir(scratch.path());
    assert_eq!(command.stdout(append).status().unwrap().code(), Some(2));
    assert_eq!(fs::read_to_string(scratch.join("y.pgn")).unwrap(), GAME);
}

#[test]
fn a_report_does_not_replace_its_tables() {
    let scratch = Scratch::new();
    scratch.write("in.pgn", GAME.as_bytes());
    run_in(scratch.path(), &["measure", "-q", "--notations", "main", "-o", "t", "in.pgn"], b"");
    symlink("t/lengths.csv", scratch.join("page.html")).unwrap();
    let why = ["csv is not written here", "csv is not written here", "is an input"];
    for (output, why) in ["t/lengths.csv", "./t/../t/summary.csv", "page.html"].iter().zip(why) {
        refused(&scratch, &["report", "t", "--overwrite", "-o", output], "", &[why]);
    }
    assert_eq!(exit_code(&run_in(scratch.path(), &["report", "t", "-o", "t/page.html"], b"")), 0);
}

/// An output belongs to one run at a time; the other reports that.
#[test]
fn of_two_runs_on_one_output_one_is_refused() {
    for (args, output) in ways("-") {
        let scratch = Scratch::new();
        let first = Waiting::start(&scratch, &as_strs(&args), output);
        symlink(".", scratch.join("here")).unwrap();
        for overwrite in [false, true] {
            for linked in ["", "here/"] {
                let place = |word: &String| match word.contains('.') || word == "t" {
                    true => format!("{linked}{word}"),
                    false => word.clone(),
                };
                let mut second: Vec<String> = args.iter().map(place).collect();
                second.extend(overwrite.then(|| "--overwrite".to_string()));
                let before = tree(scratch.path());
                let refused = with_stdin(&scratch, &as_strs(&second), "");
                assert_eq!(exit_code(&refused), 2, "{second:?}: {}", errors_of(&refused));
                assert!(
                    errors_of(&refused).contains("written by another run"),
                    "{}",
                    errors_of(&refused)
                );
                assert!(!errors_of(&refused).contains("killed"), "{}", errors_of(&refused));
                assert_eq!(tree(scratch.path()), before, "{second:?}");
            }
        }
        let (code, words) = first.finish();
        assert_eq!(code, Some(0), "{args:?}: {words}");
        let after = tree(scratch.path());
        assert!(after.contains_key(output) && !after.keys().any(|name| is_temporary(name)));
    }
}

/// Whatever the moment, exactly one of several runs writes an output that may not be replaced.
#[test]
fn of_runs_that_start_together_one_goes_through() {
    for round in 0..12 {
        let scratch = Scratch::new();
        scratch.write("in.pgn", GAME.repeat(2000).as_bytes());
        let outputs = ["./g.pgn", "g.pgn", "dir/../g.pgn"];
        fs::create_dir(scratch.join("dir")).unwrap();
        let start = |output: &&str| {
            pgnmill()
                .args(["convert", "-q", "--threads=1", "--to", "uci", "-o", output, "in.pgn"])
                .args((round % 2 == 1).then_some("--overwrite"))
                .current_dir(scratch.path())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap()
        };
        let runs: Vec<Child> = outputs.iter().map(start).collect();
        let ended: Vec<Output> =
            runs.into_iter().map(|run| run.wait_with_output().unwrap()).collect();
        let through = ended.iter().filter(|output| output.status.success()).count();
        let words: Vec<String> = ended.iter().map(errors_of).collect();
        if round % 2 == 0 {
            assert_eq!(through, 1, "{words:?}");
        }
        assert!(through >= 1, "{words:?}");
        for words in words.iter().filter(|words| !words.is_empty()) {
            let known = words.contains("another run") || words.contains("exists already");
            assert!(known, "{words}");
        }
        let text = fs::read_to_string(scratch.join("g.pgn")).unwrap();
        assert_eq!(text.matches(CONVERTED).count(), 2000);
        assert!(!text.contains('\0'));
        assert_eq!(scratch.names(), ["dir", "g.pgn", "in.pgn"]);
    }
}

#[test]
fn what_a_killed_run_left_is_named_and_not_used() {
    for (args, output) in ways("-") {
        let scratch = Scratch::new();
        let run = Waiting::start(&scratch, &as_strs(&args), output);
        run.signal("-KILL");
        assert_eq!(run.wait().0, None);
        let left = tree(scratch.path());
        let names: Vec<&String> = left.keys().filter(|name| is_temporary(name)).collect();
        assert!(!names.is_empty(), "{args:?}");
        let ran = run_in(scratch.path(), &as_strs(&args), GAME.as_bytes());
        assert_eq!(exit_code(&ran), 0, "{args:?}: {}", errors_of(&ran));
        let named = names.iter().filter(|name| errors_of(&ran).contains(name.as_str())).count();
        assert!(named == names.len().min(5), "{args:?}: {}", errors_of(&ran));
        let after = tree(scratch.path());
        for name in names {
            assert_eq!(after[name], left[name], "{args:?}: {name}");
        }
        let quiet = [&as_strs(&args)[..], &["--overwrite", "--quiet"]].concat();
        let ran = run_in(scratch.path(), &quiet, GAME.as_bytes());
        assert_eq!((exit_code(&ran), errors_of(&ran)), (0, String::new()), "{args:?}");
    }
}

/// A left-over of a table that this run does not write is named too.
#[test]
fn measure_and_merge_name_what_lies_beside_their_tables() {
    let scratch = Scratch::new();
    scratch.write("in.pgn", GAME.as_bytes());
    scratch.write("t/games.csv.part", b"stale");
    scratch.write("sum/tokens.csv.part", b"stale");
    let ran = run_in(scratch.path(), &["measure", "--notations=main", "-o", "t", "in.pgn"], b"");
    assert!(
        exit_code(&ran) == 0 && errors_of(&ran).contains("t/games.csv.part"),
        "{}",
        errors_of(&ran)
    );
    twin(&scratch.join("t"), &scratch.join("u"));
    let ran = run_in(scratch.path(), &["merge", "-o", "sum", "t", "u"], b"");
    assert!(
        exit_code(&ran) == 0 && errors_of(&ran).contains("sum/tokens.csv.part"),
        "{}",
        errors_of(&ran)
    );
    for left in ["t/games.csv.part", "sum/tokens.csv.part"] {
        assert_eq!(fs::read(scratch.join(left)).unwrap(), b"stale");
    }
}

/// The outputs of every command that has many, in a directory that is not there yet.
const MANY: &[&str] = &[
    "convert --to uci -o new/dir/ --faults f.csv --rejects r.pgn --summary s.csv",
    "measure --per-game --notations main --entropy -o new/dir --faults f.csv --summary s.csv",
    "convert --to uci -o out.pgn.zst --faults f.csv --rejects r.pgn --summary s.csv",
    #[cfg(feature = "export")]
    "export -o new/dir/ --faults f.csv --rejects r.pgn --summary s.csv",
    #[cfg(feature = "export")]
    "export --table plies -o out.arrow --faults f.csv --rejects r.pgn --summary s.csv",
    #[cfg(feature = "export")]
    "export --partition-by ECO -o new/dir/ --faults f.csv --rejects r.pgn --summary s.csv",
];

/// Whichever input cannot be read: no output of the others is there, no directory that was made for them.
#[test]
fn one_input_that_fails_leaves_no_output_of_the_others() {
    for command in MANY {
        for failing in 0..4 {
            for (bad, held) in [("bad.pgn.zst", DAMAGED), ("missing.pgn", b"")] {
                let scratch = Scratch::new();
                let mut args: Vec<String> = command.split(' ').map(String::from).collect();
                for number in 0..4 {
                    let name = format!("{number}.pgn");
                    scratch.write(&name, GAME.as_bytes());
                    args.push(if number == failing { bad.to_string() } else { name });
                }
                if !held.is_empty() {
                    scratch.write(bad, held);
                }
                refused(&scratch, &as_strs(&args), "", &[bad]);
                // What was there stays: a directory, and what is in it.
                scratch.write("new/mine.txt", b"mine");
                refused(&scratch, &as_strs(&args), "", &[bad]);
            }
        }
    }
    let scratch = Scratch::new();
    scratch.write("empty/x", b"");
    refused(&scratch, &["merge", "-o", "new/sum", "empty"], "", &["empty/summary.csv"]);
    refused(&scratch, &["report", "empty", "-o", "page.html"], "", &["empty"]);
}

#[test]
fn an_interrupted_run_leaves_no_file_and_no_directory() {
    for (number, signal) in ["-INT", "-TERM", "-HUP"].into_iter().enumerate() {
        for command in MANY.iter().skip(number % trials(3, 1, 1)).step_by(trials(3, 1, 1)) {
            let scratch = Scratch::new();
            let args: Vec<&str> = command.split(' ').chain(["-"]).collect();
            let run = Waiting::start(&scratch, &args, "s.csv");
            run.signal(signal);
            assert_eq!(
                run.wait(),
                (Some(130), "pgnmill: interrupted; this run leaves no file\n".to_string()),
                "{args:?}"
            );
            assert_eq!(scratch.names(), [""; 0], "{args:?}");
        }
    }
}

/// A merge that waits for the rows of games, which come through a pipe.
#[test]
fn an_interrupted_merge_leaves_nothing() {
    let scratch = Scratch::new();
    scratch.write("in.pgn", GAME.as_bytes());
    let measure = ["measure", "-q", "--per-game", "--notations", "main", "-o", "t", "in.pgn"];
    assert_eq!(exit_code(&run_in(scratch.path(), &measure, b"")), 0);
    let games = fs::read(scratch.join("t/games.csv")).unwrap();
    fs::remove_file(scratch.join("t/games.csv")).unwrap();
    let pipe = Command::new("mkfifo").arg(scratch.join("t/games.csv")).status();
    assert!(pipe.is_ok_and(|status| status.success()), "a named pipe");
    let child = pgnmill()
        .args(["merge", "-q", "-o", "new/sum", "t"])
        .current_dir(scratch.path())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let run = Waiting(Some(child));
    // It is opened by both sides at once.
    let mut pipe = fs::OpenOptions::new().write(true).open(scratch.join("t/games.csv")).unwrap();
    let header = games.iter().position(|&byte| byte == b'\n').unwrap() + 1;
    pipe.write_all(&games[..header]).unwrap();
    run.signal("-INT");
    // Rows are written until the pipe is broken.
    let begun = Instant::now();
    while pipe.write_all(&games[header..]).is_ok() && begun.elapsed() < Duration::from_secs(30) {
        std::thread::sleep(Duration::from_millis(20));
    }
    drop(pipe);
    assert_eq!(
        run.wait(),
        (Some(130), "pgnmill: interrupted; this run leaves no file\n".to_string())
    );
    assert_eq!(scratch.names(), ["in.pgn", "t"]);
}

/// Whichever output cannot get its name, since a file appeared: it is kept, and no other output is published.
#[test]
fn outputs_are_published_together_or_not_at_all() {
    for command in MANY {
        let args: Vec<&str> = command.split(' ').chain(["-"]).collect();
        let scratch = Scratch::new();
        let ran = run_in(scratch.path(), &args, GAME.as_bytes());
        assert_eq!(exit_code(&ran), 0, "{}", errors_of(&ran));
        let is_file = |name: &String| scratch.join(name).is_file();
        let outputs: Vec<String> = tree(scratch.path()).into_keys().filter(is_file).collect();
        assert!(outputs.len() >= 4, "{outputs:?}");
        for appears in &outputs {
            let scratch = Scratch::new();
            let run = Waiting::start(&scratch, &args, "s.csv");
            scratch.write(appears, b"of another program");
            let (code, words) = run.finish();
            assert_eq!(code, Some(2), "{appears}: {words}");
            // The run looks for it at its end, and once more when it has just begun.
            let why = words.contains("kept") || words.contains("exists already");
            assert!(words.contains(appears) && why, "{appears}: {words}");
            let mut after = tree(scratch.path());
            after.retain(|_, held| !held.is_empty());
            let expected = BTreeMap::from([(appears.clone(), b"of another program".to_vec())]);
            assert_eq!(after, expected);
            // One that may be replaced is, unless it cannot be.
            let scratch = Scratch::new();
            let run = Waiting::start(&scratch, &[&args[..], &["--overwrite"]].concat(), "s.csv");
            fs::create_dir_all(scratch.join(appears)).unwrap();
            let (code, words) = run.finish();
            assert!(code == Some(2) && words.contains(appears), "{appears}: {words}");
            let mut after = tree(scratch.path());
            after.retain(|name, _| scratch.join(name).is_file());
            assert_eq!(after, BTreeMap::new(), "{appears}");
        }
    }
}

/// The file that a link leads to is written, with the permissions that it had; the link stays.
#[test]
fn links_and_permissions_stay() {
    let scratch = Scratch::new();
    scratch.write("in.pgn", GAME.as_bytes());
    scratch.write("far/real.pgn", b"old");
    fs::set_permissions(scratch.join("far/real.pgn"), fs::Permissions::from_mode(0o600)).unwrap();
    symlink("far/real.pgn", scratch.join("link.pgn")).unwrap();
    symlink("nowhere.pgn", scratch.join("broken.pgn")).unwrap();
    let args = ["convert", "-q", "--to", "uci", "-o", "link.pgn", "in.pgn"];
    refused(&scratch, &args, "", &["exists already"]);
    let broken = ["convert", "-q", "--overwrite", "--to", "uci", "-o", "broken.pgn", "in.pgn"];
    refused(&scratch, &broken, "", &["symbolic link broken.pgn"]);
    let ran = run_in(scratch.path(), &[&args[..], &["--overwrite"]].concat(), b"");
    assert_eq!(exit_code(&ran), 0, "{}", errors_of(&ran));
    assert!(fs::symlink_metadata(scratch.join("link.pgn")).unwrap().is_symlink());
    assert!(fs::read_to_string(scratch.join("far/real.pgn")).unwrap().contains(CONVERTED));
    let mode = fs::metadata(scratch.join("far/real.pgn")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert_eq!(fs::read_dir(scratch.join("far")).unwrap().count(), 1);
}

/// More outputs than a process may have open.
#[test]
fn a_directory_takes_more_outputs_than_can_be_open() {
    let scratch = Scratch::new();
    for number in 0..300 {
        scratch.write(&format!("in/{number}.pgn"), GAME.as_bytes());
    }
    let program = env!("CARGO_BIN_EXE_pgnmill");
    let line = "ulimit -n 120; exec \"$0\" convert -q --threads 2 --to uci -o out/ in";
    let mut shell = Command::new("sh");
    let ran = shell.args(["-c", line, program]).current_dir(scratch.path()).output().unwrap();
    assert_eq!(exit_code(&ran), 0, "{}", errors_of(&ran));
    let mut outputs = tree(&scratch.join("out"));
    outputs.retain(|name, _| !is_journal(name));
    assert_eq!(outputs.len(), 300);
    assert!(outputs.values().all(|text| String::from_utf8_lossy(text).contains(CONVERTED)));
}

/// A name may be as long as the file system allows, less what is added to it.
#[test]
fn long_names_are_written() {
    let scratch = Scratch::new();
    scratch.write("in.pgn", GAME.as_bytes());
    let long = [format!("{}.pgn", "a".repeat(251)), format!("{}.pgn", "ü".repeat(125))];
    for name in &long {
        let args = ["convert", "-q", "--to", "uci", "-o", name, "in.pgn"];
        let ran = run_in(scratch.path(), &args, b"");
        assert_eq!(exit_code(&ran), 0, "{}", errors_of(&ran));
    }
    assert_eq!(scratch.names().len(), 3);
}

/// Is it a journal, or a saved state beside it?
fn is_journal(path: &str) -> bool {
    path.contains(".pgnmill-run.")
}

/// A call of the system: its name, and the paths in it.
pub(super) struct Call {
    pub(super) line: String,
    pub(super) name: String,
    pub(super) paths: Vec<String>,
}

/// The calls that a run makes, in order; none where they cannot be had.
pub(super) fn calls(scratch: &Scratch, args: &[&str]) -> Option<Vec<Call>> {
    let traced = "trace=openat,open,creat,write,pwrite64,writev,fsync,fdatasync,rename,renameat,renameat2,link,linkat";
    let mut command = Command::new("strace");
    command.args(["-f", "-y", "-qq", "-s", "4000", "-e", traced, "-o", "calls.txt"]);
    command.arg(env!("CARGO_BIN_EXE_pgnmill")).args(args).current_dir(scratch.path());
    let ran = command.stdin(Stdio::null()).output();
    let text = fs::read_to_string(scratch.join("calls.txt")).unwrap_or_default();
    let ran = ran.ok().filter(|_| text.contains("openat("))?;
    assert_eq!(exit_code(&ran), 0, "{}", errors_of(&ran));
    fs::remove_file(scratch.join("calls.txt")).unwrap();
    // strace writes bytes that are not ASCII in octal.
    let text = without_octal(&text);
    let root = format!("{}/", fs::canonicalize(scratch.path()).unwrap().display());
    let call = |line: &str| {
        // A process, a name, what it was called with: descriptors as 3</path>, paths in quotes.
        let (_, call) = line.split_once(' ')?;
        let (name, rest) = call.trim_start().split_once('(')?;
        // The end of a call that another thread's came between: `<... openat resumed>) = -1 ENOENT (No such …)`.
        if name.starts_with('<') {
            return None;
        }
        let descriptor = rest.split_once('<').filter(|(digits, _)| digits.parse::<u32>().is_ok());
        let mut paths: Vec<String> = Vec::new();
        paths
            .extend(descriptor.and_then(|(_, rest)| rest.split_once('>')).map(|p| p.0.to_string()));
        if !name.contains("write") {
            paths.extend(rest.split('"').skip(1).step_by(2).map(String::from));
        }
        let paths = paths.iter().map(|path| path.replace(&root, "")).collect();
        Some(Call { line: line.to_string(), name: name.to_string(), paths })
    };
    Some(text.lines().filter_map(call).collect())
}

/// The text in which each byte that is written as `\\` and three octal digits, 200 to 377, is that byte.
fn without_octal(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let digits = after.get(..3).filter(|_| byte == b'\\');
        let value =
            digits.and_then(|digits| u8::from_str_radix(str::from_utf8(digits).ok()?, 8).ok());
        let value = value.filter(|value| !value.is_ascii());
        bytes.push(value.unwrap_or(byte));
        rest = if value.is_some() { &after[3..] } else { after };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Each file is on the disk, with all that was written, before it has its name, is created exclusively, and is not
/// written afterwards; the summary gets its name when the names of all others are on the disk. Only at a checkpoint,
/// which a run of more than a second has, is a file synced that is written further.
#[needs("strace", command = "strace -o /dev/null true")]
#[test]
fn files_reach_the_disk_before_their_names_and_the_summary_is_last() {
    let runs = [
        (
            "convert --to uci -o out.pgn.zst --faults f.csv --rejects r.pgn --summary s.csv in",
            "s.csv",
        ),
        ("convert --overwrite --to uci -o new/dir/ --faults f.csv --summary s.csv in", "s.csv"),
        ("convert --to uci -o many/ --summary s.csv many-in", "s.csv"),
        ("validate --faults f.csv --rejects r.pgn --summary sub/s.csv in", "sub/s.csv"),
        (
            "measure --per-game --notations main --entropy -o t --faults f.csv --summary s.csv in",
            "s.csv",
        ),
        ("measure --per-game --notations main -o t in", "t/summary.csv"),
        ("convert --checkpoint 0 --to uci -o out.pgn --faults f.csv --summary s.csv in", "s.csv"),
        ("convert --checkpoint 0 --to uci -o many/ --summary s.csv in", "s.csv"),
        ("measure --checkpoint 0 --per-game --notations main -o t in", "t/summary.csv"),
        ("merge -o sum one two", "sum/summary.csv"),
        ("report -o page.html one", "page.html"),
    ];
    for (command, last) in runs {
        let scratch = Scratch::new();
        scratch.write("in/a.pgn", GAME.as_bytes());
        scratch.write("in/b.pgn", GAME.as_bytes());
        scratch.write("sub/x", b"");
        for number in 0..if command.contains("many") { 80 } else { 0 } {
            scratch.write(&format!("many-in/{number}.pgn"), GAME.as_bytes());
        }
        run_in(scratch.path(), &["measure", "-q", "--per-game", "-o", "one", "in"], b"");
        twin(&scratch.join("one"), &scratch.join("two"));
        let before = tree(scratch.path());
        let args: Vec<&str> = command.split(' ').collect();
        let calls = calls(&scratch, &args).expect("a trace of system calls");
        let is_naming =
            |call: &&Call| call.name.starts_with("rename") || call.name.starts_with("link");
        let mut after = tree(scratch.path());
        let is_output = |name: &str| !is_journal(name) && scratch.join(name).is_file();
        after.retain(|name, _| !before.contains_key(name) && is_output(name));
        let named: Vec<&Call> =
            calls.iter().filter(is_naming).filter(|call| !is_journal(&call.paths[1])).collect();
        assert_eq!(named.len(), after.len(), "{command}: every output gets its name once");
        assert_eq!(named.last().unwrap().paths[1], last, "{command}");
        let is_state = |call: &&Call| is_naming(call) && is_journal(&call.paths[1]);
        let has_checkpoints = calls.iter().any(|call| is_state(&call));
        assert!(has_checkpoints || !command.contains("--checkpoint"), "{command}");
        let mut pending: Vec<&str> = Vec::new();
        let mut synced: Vec<&str> = Vec::new();
        let mut names: Vec<&str> = Vec::new();
        for call in &calls {
            let path = call.paths.first().map_or("", String::as_str);
            match call.name.as_str() {
                "fsync" | "fdatasync" => {
                    synced.push(path);
                    pending.retain(|directory| *directory != path);
                }
                "openat" | "open" | "creat" => {
                    let makes = call.line.contains("O_CREAT") || call.name == "creat";
                    assert!(!makes || call.line.contains("O_EXCL"), "{command}: {}", call.line);
                    assert!(!call.line.contains("O_TRUNC"), "{command}: {}", call.line);
                }
                // A journal is added to.
                name if name.contains("write") && !is_journal(path) => {
                    let is_synced = synced.contains(&path);
                    assert!(
                        !is_synced || has_checkpoints,
                        "{command}: {} after its fsync",
                        call.line
                    );
                    assert!(!names.contains(&path), "{command}: {} after its name", call.line);
                    // It has to be synced again before it has its name.
                    synced.retain(|other| *other != path);
                }
                name if name.contains("write") => {}
                _ => {
                    let (from, to) = (&*call.paths[0], &*call.paths[1]);
                    assert!(synced.contains(&from), "{command}: {from} is named before its fsync");
                    names.push(to);
                    if to == last {
                        assert!(pending.is_empty(), "{command}: {to} comes before {pending:?}");
                    }
                    let root = scratch.path().to_str().unwrap();
                    let directory = to.rsplit_once('/').map_or(root, |(directory, _)| directory);
                    pending.push(directory);
                }
            }
        }
        assert!(pending.is_empty(), "{command}: no fsync of {pending:?}");
    }
}

/// Every option that names a file to read, beside every option that names a file to write: an output that is such a file
/// is refused under every name of it, and the file keeps its bytes.
#[test]
fn no_output_replaces_a_file_that_the_run_reads() {
    /// Options of outputs with the endings of their files.
    type Outputs = &'static [(&'static str, &'static str)];
    const TABLES: Outputs = &[
        ("--faults", "csv"),
        ("--notes", "csv"),
        ("--rejects", "pgn"),
        ("--ledger", "csv"),
        ("--summary", "csv"),
    ];
    const GAMES: Outputs = &[("-o", "pgn"), ("--head 1 -o", "pgn")];
    const SOME: Outputs = &[("-o", "pgn"), ("--sample 1 -o", "pgn")];
    let scratch = Scratch::new();
    scratch.write("games.pgn", GAME.as_bytes());
    scratch.write("where", b"White == \"Tal\"");
    scratch.write("key", b"White");
    fs::create_dir(scratch.join("in")).unwrap();
    scratch.write("in/b.pgn", GAME.as_bytes());
    let made = [
        "splits --quiet -o split.json games.pgn",
        "measure --quiet -o m --ledger ledger.csv --split @split.json",
        "measure --quiet -o k games.pgn",
    ];
    for made in made {
        let output = with_stdin(&scratch, &made.split(' ').collect::<Vec<_>>(), "");
        assert_eq!(exit_code(&output), 0, "{made}: {}", errors_of(&output));
    }
    // What is read, the rest of the command, and the options with the endings of their files.
    let commands: [(&str, &str, Outputs); 17] = [
        ("games.pgn", "splits games.pgn", &[("-o", "json")]),
        ("in/b.pgn", "splits in", &[("-o", "jsonl")]),
        ("ledger.csv", "splits --ledger ledger.csv games.pgn", &[("-o", "json")]),
        ("games.pgn", "validate games.pgn", TABLES),
        ("in/b.pgn", "validate in", TABLES),
        ("split.json", "validate --split @split.json", TABLES),
        ("games.pgn", "validate --split @split.json", TABLES),
        ("where", "validate --where @where games.pgn", TABLES),
        ("split.json", "convert --to uci --keep-rejects --split @split.json", &[("-o", "pgn")]),
        ("where", "convert --to uci --where @where games.pgn", &[("-o", "pgn")]),
        ("games.pgn", "select games.pgn", GAMES),
        ("where", "select --where @where games.pgn", SOME),
        ("games.pgn", "export games.pgn", &[("-o", "csv"), ("-o", "parquet")]),
        ("split.json", "export --split @split.json", &[("-o", "arrow")]),
        ("where", "export --where @where games.pgn", &[("-o", "jsonl")]),
        ("split.json", "measure -o n --split @split.json", TABLES),
        ("k/lengths.csv", "report k", &[("-o", "html"), ("-o", "md")]),
    ];
    for (read, command, outputs) in commands {
        for (output, ending) in outputs {
            let links = ["soft", "hard"].map(|name| scratch.join(&format!("{name}.{ending}")));
            symlink(scratch.join(read), &links[0]).unwrap();
            fs::hard_link(scratch.join(read), &links[1]).unwrap();
            let itself = scratch.join(read);
            for place in links.iter().chain(Some(&itself).filter(|path| path.ends_with(ending))) {
                let args = command.split(' ').chain(output.split(' '));
                let args: Vec<&str> =
                    args.chain([place.to_str().unwrap(), "--overwrite"]).collect();
                // Only a split has a row of the ledger, and none has texts of rejected games.
                let words: &[&str] = match (*output, command.contains("--split")) {
                    ("--ledger", false) | ("--rejects", true) => &[output],
                    _ => &["is an input"],
                };
                refused(&scratch, &args, "", words);
            }
            links.iter().for_each(|link| fs::remove_file(link).unwrap());
        }
    }
    // The names of these outputs are values of games.
    symlink(scratch.join("key"), scratch.join("missing.pgn")).unwrap();
    let args = ["select", "--split-by", "@key", "-o", ".", "--overwrite", "games.pgn"];
    refused(&scratch, &args, "", &["is an input"]);
}

/// A game is read twice for a sample: what can be read once is refused, under every name.
#[test]
fn no_sample_of_what_is_read_once() {
    let scratch = Scratch::new();
    scratch.write("games.pgn", GAME.as_bytes());
    let sample = "select --sample 1 -o o.pgn";
    for (input, pipe) in [("-", true), ("-", false), ("/dev/stdin", true)] {
        let shell = format!("'{}' {sample} {input}", pgnmill().get_program().to_str().unwrap());
        let shell = match pipe {
            true => format!("cat games.pgn | {shell}"),
            false => format!("{shell} < games.pgn"),
        };
        let output =
            Command::new("sh").args(["-c", &shell]).current_dir(scratch.path()).output().unwrap();
        assert_eq!(exit_code(&output), 2, "{shell}: {}", errors_of(&output));
        assert!(errors_of(&output).contains("reads the inputs twice"), "{}", errors_of(&output));
        assert!(!scratch.join("o.pgn").exists(), "{shell}");
    }
    let fifo = Command::new("mkfifo").arg(scratch.join("fifo.pgn")).status().unwrap();
    assert!(fifo.success());
    let args: Vec<&str> = sample.split(' ').chain(["fifo.pgn"]).collect();
    let output = with_stdin(&scratch, &args, "");
    assert_eq!(exit_code(&output), 2, "{}", errors_of(&output));
}

/// Two outputs into one pipe would be mixed: standard output under all of its names.
#[test]
fn one_pipe_is_one_output() {
    let scratch = Scratch::new();
    scratch.write("games.pgn", GAME.as_bytes());
    let program = format!("'{}'", pgnmill().get_program().to_str().unwrap());
    let outputs = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];
    let run = |args: String| {
        let shell = format!("{program} {args} games.pgn | cat");
        let mut command = Command::new("bash");
        command.args(["-o", "pipefail", "-c", &shell]).current_dir(scratch.path());
        let output = command.output().unwrap();
        assert_eq!(exit_code(&output), 2, "{shell}: {}", errors_of(&output));
        assert!(output.stdout.is_empty(), "{shell}");
    };
    for one in outputs {
        for other in outputs {
            run(format!("convert --to uci -o {one} --faults {other}"));
            run(format!("validate --notes {one} --faults {other}"));
        }
        run(format!("validate --format csv --faults {one}"));
    }
}

/// What a shell appends to a file is an output too, whatever a command writes there.
#[test]
fn standard_output_is_no_input() {
    let scratch = Scratch::new();
    scratch.write("games.pgn", GAME.as_bytes());
    fs::hard_link(scratch.join("games.pgn"), scratch.join("other.pgn")).unwrap();
    let program = format!("'{}'", pgnmill().get_program().to_str().unwrap());
    let commands = [
        "validate",
        "validate --format csv --quiet",
        "convert --to uci -o -",
        "convert --to uci -o x.pgn",
        "select -o -",
        "export --format csv -o -",
        "measure -o m",
        "duplicates -o d",
        "sort --by date -o -",
        "sort --by date -o x.pgn",
        "splits",
        "splits -o s.json",
        "explain --game 1",
    ];
    for command in commands {
        let is_of_many = |input: &&str| *input == "." && command.starts_with("explain");
        let is_of_files = |input: &&str| input.starts_with('-') && command.starts_with("splits");
        let is_read_twice = |input: &&str| input.starts_with('-') && command.starts_with("dup");
        let inputs = ["games.pgn", "other.pgn", ".", "- < other.pgn"].into_iter();
        let inputs = inputs.filter(|input| !is_of_many(input) && !is_of_files(input));
        for input in inputs.filter(|input| !is_read_twice(input)) {
            let shell = format!("{program} {command} {input} >> games.pgn");
            let mut shell_command = Command::new("sh");
            shell_command.args(["-c", &shell]).current_dir(scratch.path());
            let output = shell_command.output().unwrap();
            assert_eq!(exit_code(&output), 2, "{shell}: {}", errors_of(&output));
            assert!(errors_of(&output).contains("is an input"), "{shell}: {}", errors_of(&output));
            assert_eq!(fs::read(scratch.join("games.pgn")).unwrap(), GAME.as_bytes(), "{shell}");
        }
    }
}

/// What is discarded is not mixed.
#[needs("a null device", command = "test -c /dev/null")]
#[test]
fn the_null_device_takes_any_number_of_outputs() {
    let scratch = Scratch::new();
    scratch.write("games.pgn", GAME.as_bytes());
    let args =
        "convert --quiet --to uci -o /dev/null --rejects /dev/null --faults /dev/null games.pgn";
    let output = with_stdin(&scratch, &args.split(' ').collect::<Vec<_>>(), "");
    assert_eq!(exit_code(&output), 0, "{}", errors_of(&output));
}

/// Two names of one file in a directory that the run creates: a link leads to it only then.
#[cfg(unix)]
#[test]
fn two_names_of_a_file_in_a_new_directory_are_refused() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", GAME.as_bytes());
    std::os::unix::fs::symlink("new", scratch.join("link")).unwrap();
    let args = ["convert", "--to", "uci", "-o", "new/", "--rejects", "link/a.pgn", "a.pgn"];
    let ran = run_in(scratch.path(), &args, b"");
    assert_eq!(exit_code(&ran), 2, "{}", errors_of(&ran));
    assert!(errors_of(&ran).contains("a.pgn"), "{}", errors_of(&ran));
    assert_eq!(scratch.names(), ["a.pgn", "link"], "{}", errors_of(&ran));
}

//! Help, completions, the manual, and what the program answers to a name that is none.

use std::fs;
use std::process::Command;

use crate::common::reader::{clone_of_a_reader, lacking, shell};
use crate::common::{
    SOURCES, Scratch, errors_of, exit_code, here, needs, pgnmill, run_in, thinned,
};
use pgnmill_needs::needs;

fn text(args: &[&str]) -> String {
    let output = pgnmill().args(args).output().unwrap();
    assert_eq!(exit_code(&output), 0, "{args:?}: {}", errors_of(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// The commands that the help of the program lists, `help` excepted.
fn commands() -> Vec<String> {
    let help = text(&["-h"]);
    let (_, rest) = help.split_once("Games:\n").unwrap();
    let (list, _) = rest.split_once("Options:\n").unwrap();
    let names = list.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names = names.filter(|name| !name.is_empty() && *name != "help");
    let names: Vec<String> = names.map(str::to_string).collect();
    assert!(names.len() >= 16, "{names:?}");
    names
}

/// The long options of a help, hidden ones excepted.
fn options(help: &str) -> Vec<&str> {
    let lines = help.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
    let long =
        lines.filter_map(|line| line.split([' ', ',', '[']).find(|word| word.starts_with("--")));
    long.collect()
}

/// What the examples name.
fn directory() -> Scratch {
    let scratch = clone_of_a_reader();
    scratch.write("archives/one.pgn", &fs::read(here(SOURCES)).unwrap());
    scratch.write("suite.epd", b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n");
    for name in ["january", "february"] {
        fs::copy(here(SOURCES), scratch.join(&format!("{name}.pgn"))).unwrap();
    }
    for folder in [".local/share/bash-completion/completions", ".zfunc", ".config/fish/completions"]
    {
        fs::create_dir_all(scratch.join(folder)).unwrap();
    }
    scratch
}

/// Adds a table of positions and a book, which other examples write.
fn add_tables(scratch: &Scratch) {
    let masters = here("data/masters.pgn.zst");
    let masters = masters.to_str().unwrap();
    let first = ["select", "-q", "--head", "300", "-o", "masters.pgn", masters];
    run_in(scratch.path(), &first, b"");
    for table in ["explorer.parquet", "book.bin"] {
        run_in(scratch.path(), &["positions", "-q", "-o", table, "masters.pgn"], b"");
    }
}

/// Adds tables of positions that can be added.
fn add_sums(scratch: &Scratch) {
    for month in ["january", "february"] {
        let (table, archive) = (format!("{month}.parquet"), format!("{month}.pgn"));
        run_in(scratch.path(), &["positions", "-q", "--sums", "-o", &table, &archive], b"");
    }
}

#[test]
fn every_help_has_examples_and_every_example_runs() {
    let mut examples_count = 0;
    for command in commands().iter().map(String::as_str).chain([""]) {
        let args: Vec<&str> = [command, "--help"].into_iter().filter(|it| !it.is_empty()).collect();
        let help = text(&args);
        let (_, examples) = help.split_once("Examples:\n").unwrap_or_else(|| panic!("{command}"));
        let scratch = directory();
        if command == "explore" {
            add_tables(&scratch);
        }
        if command == "merge" {
            add_sums(&scratch);
        }
        for line in examples.lines().filter_map(|line| line.strip_prefix("    ")) {
            assert!(command.is_empty() || line.contains(&format!("pgnmill {command}")), "{line}");
            if lacking(line).is_some()
                || (line.contains("| man ") && !has("printf '.TH x 1\\n' | man -l -"))
            {
                needs::part_skipped(&format!("a tool for {line}"));
                continue;
            }
            let line = format!("HOME='{}'; {line}", scratch.path().display());
            let done = shell(scratch.path(), &line);
            assert_eq!(done.status.code(), Some(0), "{line}\n{}", errors_of(&done));
            examples_count += 1;
        }
    }
    assert!(examples_count >= 35, "{examples_count}");
}

fn has(command: &str) -> bool {
    Command::new("sh").args(["-c", command]).output().unwrap().status.success()
}

/// What is for tests is in no script, no page and no help; an option that was meant by a slip of it is none.
#[test]
fn options_for_tests_are_proposed_nowhere() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = text(&["completions", shell]);
        assert!(!script.contains("abort") && script.contains("checkpoint"), "{shell}");
    }
    for command in ["convert", "select", "measure"] {
        let help = text(&[command, "--help"]) + &text(&["man", command]);
        assert!(!help.contains("abort-after") && !help.contains("abort\\-after"), "{command}");
    }
    for slip in ["--abort-aftr", "--abort", "--abort-afters"] {
        for command in ["convert", "validate", "sort"] {
            let ran =
                pgnmill().args([command, slip, "3", "-o", "x.pgn", "y.pgn"]).output().unwrap();
            assert_eq!(exit_code(&ran), 2);
            let errors = errors_of(&ran).replace(slip, "");
            assert!(!errors.contains("abort"), "{errors}");
        }
    }
}

/// A word after the name of a list selects the row of this name, else the rows with it in their name, else those with
/// it in any field, in every format; a slip of a name is answered with that name.
#[test]
fn a_word_selects_rows_of_a_list() {
    let lists = [
        "deviations",
        "fields",
        #[cfg(feature = "export")]
        "columns",
    ];
    for list in lists {
        let rows = |args: &[&str]| -> Vec<Vec<String>> {
            let whole = text(&[&[list, "--format", "csv"], args].concat());
            let mut rows = csv::Reader::from_reader(whole.as_bytes());
            rows.records().map(|row| row.unwrap().iter().map(str::to_string).collect()).collect()
        };
        let all = rows(&[]);
        let header = text(&[list, "--format", "csv"]);
        let at = header.lines().next().unwrap().split(',').position(|it| it == "name").unwrap();
        let names: Vec<&str> = all.iter().map(|row| &row[at][..]).collect();
        let words = ["tag", "white", "MOVE", "PGN", "rating", "zstd", "integer", "illegal"];
        for word in thinned(12, names.iter().copied()).chain(words) {
            let folded = word.to_lowercase();
            let has = |text: &String| text.to_lowercase().contains(&folded);
            let fits = |row: &Vec<String>, tier: usize| match tier {
                0 => row[at].to_lowercase() == folded,
                1 => has(&row[at]),
                _ => row.iter().any(has),
            };
            let of = |tier| -> Vec<Vec<String>> {
                all.iter().filter(|row| fits(row, tier)).cloned().collect()
            };
            let expected = (0..3).map(of).find(|rows| !rows.is_empty());
            let Some(expected) = expected else {
                let ran = pgnmill().args([list, word]).output().unwrap();
                assert_eq!(exit_code(&ran), 2, "{list} {word}");
                continue;
            };
            assert_eq!(rows(&[word]), expected, "{list} {word}");
            let shown = text(&[list, word]);
            assert!(expected.iter().all(|row| shown.contains(&row[at])), "{list} {word}: {shown}");
            let json = text(&[list, word, "--format", "json"]);
            assert_eq!(json.matches("\"name\":").count(), expected.len(), "{list} {word}");
        }
        for name in thinned(25, names.iter().copied().filter(|name| name.len() > 8)) {
            let letter = if name[4..].starts_with('q') { 'z' } else { 'q' };
            let slip = format!("{}{letter}{}", &name[..4], &name[5..]);
            let ran = pgnmill().args([list, &slip]).output().unwrap();
            let errors = errors_of(&ran);
            assert_eq!(exit_code(&ran), 2, "{list} {slip}: {errors}");
            assert!(errors.contains("did you mean ") && errors.contains(name), "{slip}: {errors}");
        }
        let ran = pgnmill().args([list, ""]).output().unwrap();
        assert_eq!(exit_code(&ran), 2, "{}", errors_of(&ran));
    }
}

/// `-h` is the short form; every option is in the long one, in the manual and in the completions.
#[test]
fn the_short_help_is_short_and_the_manual_is_complete() {
    let scratch = Scratch::new();
    let directory = scratch.join("man1");
    text(&["man", "-o", directory.to_str().unwrap()]);
    let bash = text(&["completions", "bash"]);
    for command in commands() {
        let (short, long) = (text(&[&command, "-h"]), text(&[&command, "--help"]));
        assert!(short.lines().count() < long.lines().count(), "{command}");
        assert!(short.lines().count() <= 60, "{command} -h has {} lines", short.lines().count());
        let page = fs::read_to_string(directory.join(format!("pgnmill-{command}.1"))).unwrap();
        assert_eq!(page, text(&["man", &command]), "{command}");
        for option in options(&long) {
            assert!(
                page.contains(&option.replace('-', "\\-")),
                "{command}: {option} in the manual"
            );
            assert!(bash.contains(option), "{command}: {option} in the completions");
        }
        assert!(page.contains(".SH EXAMPLES\n"), "{command}");
        // Escape sequences of the help do not belong to the manual.
        assert!(!page.contains('\u{1b}'), "{command}");
    }
    let main = fs::read_to_string(directory.join("pgnmill.1")).unwrap();
    assert_eq!(main, text(&["man"]));
    assert!(commands().iter().all(|command| main.contains(&format!("pgnmill\\-{command}(1)"))));
    assert_eq!(fs::read_dir(&directory).unwrap().count(), commands().len() + 1);
    let again = pgnmill().args(["man", "-o", directory.to_str().unwrap()]).output().unwrap();
    assert_eq!(exit_code(&again), 2);
    assert!(errors_of(&again).contains("exists already"), "{}", errors_of(&again));
}

/// Names of all closed sets: notations, languages, rulesets, deviations, dimensions, columns, fields.
#[test]
fn completions_have_the_names_of_all_closed_sets() {
    let names = [
        "economical-priority",
        "san-zh-hant",
        "kingOfTheHill",
        "promotion-piece-missing",
        "castling-zeros",
        "rating-difference",
        "WhiteElo",
        "final_material",
        "moves-and-players",
        "jsonl",
    ];
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = text(&["completions", shell]);
        for name in names {
            // PowerShell's generator completes options and commands only, as Elvish's.
            let is_complete = !matches!(shell, "powershell" | "elvish");
            assert!(!is_complete || script.contains(name), "{shell}: {name}");
        }
        assert!(script.contains("duplicates") && script.contains("--where"), "{shell}");
    }
    // What bash completes after some words.
    let complete = |words: &str| {
        let script = "source <(\"$PGNMILL\" completions bash); COMP_WORDS=($1); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); \
                      _pgnmill pgnmill \"${COMP_WORDS[COMP_CWORD]}\" \"${COMP_WORDS[COMP_CWORD-1]}\"; \
                      echo \"${COMPREPLY[@]}\"";
        let done = Command::new("bash")
            .args(["-c", script, "bash", words])
            .env("PGNMILL", env!("CARGO_BIN_EXE_pgnmill"))
            .output()
            .unwrap();
        String::from_utf8(done.stdout).unwrap().trim().to_string()
    };
    assert_eq!(complete("pgnmill convert --to economical-l"), "economical-letters");
    assert_eq!(complete("pgnmill convert --language zh"), "zh-hant");
    assert_eq!(complete("pgnmill validate --rules cra"), "crazyhouse");
    assert_eq!(complete("pgnmill validate --deny castling-z"), "castling-zeros");
    assert_eq!(complete("pgnmill measure --by rating-d"), "rating-difference");
    assert_eq!(complete("pgnmill notations dvorak"), "");
    assert_eq!(complete("pgnmill val"), "validate");
}

#[needs("zsh", command = "zsh -c true")]
#[test]
fn zsh_reads_its_completions() {
    let scratch = Scratch::new();
    let script = scratch.write("_pgnmill", text(&["completions", "zsh"]).as_bytes());
    let done = Command::new("zsh").arg("-n").arg(script).output().unwrap();
    assert!(done.status.success(), "{}", errors_of(&done));
}

/// A name that is none gives those that may be meant.
#[test]
fn every_closed_set_has_suggestions() {
    let scratch = Scratch::new();
    fs::copy(here(SOURCES), scratch.join("games.pgn")).unwrap();
    let cases: [(&[&str], &str); 33] = [
        (&["convert", "--to", "sann", "-o", "x.pgn", "games.pgn"], "did you mean san"),
        (&["convert", "--to", "german", "-o", "x.pgn", "games.pgn"], "did you mean san-de?"),
        (&["notations", "econ"], "economical-letters"),
        (&["notations", "Economical_Priority"], "did you mean economical-priority?"),
        (&["validate", "--allow", "move-ilegal", "games.pgn"], "did you mean move-illegal?"),
        (&["validate", "--deny", "castling-zero", "games.pgn"], "did you mean castling-zeros?"),
        (
            &["convert", "--to", "san", "--language", "german", "-o", "x.pgn", "games.pgn"],
            "did you mean de?",
        ),
        (
            &["convert", "--to", "san", "--language", "chinese", "-o", "x.pgn", "games.pgn"],
            "did you mean zh-hant?",
        ),
        (&["measure", "--by", "opening", "-o", "t", "games.pgn"], "did you mean opening-name"),
        (&["measure", "--by", "ratign", "-o", "t", "games.pgn"], "did you mean rating"),
        (&["measure", "--notations", "mian", "-o", "t", "games.pgn"], "did you mean main?"),
        (&["validate", "--rules", "crazy", "games.pgn"], "did you mean crazyhouse?"),
        (&["validate", "--from", "icfc", "games.pgn"], "did you mean iccf?"),
        (&["export", "--columns", "Wite", "-o", "x.csv", "games.pgn"], "White"),
        (&["export", "--notation", "ucci", "-o", "x.csv", "games.pgn"], "did you mean uci"),
        (&["export", "--partition-by", "yaer", "-o", "x", "games.pgn"], "did you mean Year?"),
        (&["export", "--table", "game", "-o", "x.csv", "games.pgn"], "games"),
        (&["export", "--format", "jsonlines", "-o", "x.csv", "games.pgn"], "jsonl"),
        (&["select", "--split-by", "yeer", "-o", "x", "games.pgn"], "did you mean year?"),
        (&["select", "--drop", "comment", "-o", "x.pgn", "games.pgn"], "comments"),
        (&["man", "valdate"], "did you mean validate?"),
        (&["vaildate", "games.pgn"], "validate"),
        (&["convert", "--to", "de", "-o", "x.pgn", "games.pgn"], "did you mean san-de?"),
        (&["export", "--csv", "-o", "x.csv", "games.pgn"], "such as games.csv"),
        (&["export", "--csv", "-o", "x.csv", "games.pgn"], "Usage: pgnmill export "),
        (&["measure", "-o", "t", "--errors", "3", "games.pgn"], "an equals sign: --errors=3"),
        (&["measure", "-o", "t", "--errors", "gamse.pgn"], "did you mean games.pgn?"),
        (&["repair", "games.pgn", "repaired.pgn"], "is it the output? it is named with -o"),
        (
            &["select", "--where", "eval > 3", "-o", "x.pgn", "games.pgn"],
            "on their number; did you mean",
        ),
        (
            &["select", "--where", "clock < 10", "-o", "x.pgn", "games.pgn"],
            "on their number; did you mean",
        ),
        (
            &["select", "--set", "White = Me", "-o", "x.pgn", "games.pgn"],
            "no blank around the name",
        ),
        (&["select", "--black", "Tal", "-o", "x.pgn", "games.pgn"], "--where EXPR selects games"),
        #[cfg(feature = "export")]
        (&["explore", "games.pgn", "1. e4"], "it is an archive of games"),
    ];
    for (args, words) in cases {
        let output = run_in(scratch.path(), args, b"");
        let errors = errors_of(&output);
        assert_eq!(exit_code(&output), 2, "{args:?}: {errors}");
        assert!(errors.contains(words), "{args:?}: {errors}");
        // Never a list of all notations.
        assert!(errors.len() < 450, "{args:?}: {errors}");
        assert_eq!(scratch.names(), ["games.pgn"], "{args:?}");
    }
}

/// `--option a,b`, `--option a --option b` and, with spaces, `--option 'a, b'` are the same.
#[test]
fn lists_are_given_with_commas_or_by_repetition() {
    let scratch = Scratch::new();
    let game = "[Event \"x\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"*\"]\n\n1. e4 {c} e5 $1 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 *\n\n";
    scratch.write("g.pgn", game.as_bytes());
    let lists: [(&[&str], &str, [&str; 2]); 10] = [
        (&["validate"], "--allow", ["promotion-piece-missing", "tag-too-long"]),
        (&["validate"], "--deny", ["castling-zeros", "move-number-missing"]),
        (&["convert", "--to", "uci"], "--drop", ["comments", "nags"]),
        (&["select"], "--remove", ["White", "Black"]),
        (&["export"], "--columns", ["White", "Black"]),
        (&["export"], "--notation", ["uci", "iccf"]),
        (&["export"], "--partition-by", ["White", "Black"]),
        (&["measure"], "--notations", ["uci", "iccf"]),
        (&["measure"], "--by", ["side", "role"]),
        (&["measure"], "--compress", ["zstd:1", "zstd:2"]),
    ];
    for (command, option, [one, two]) in lists {
        // A deviation that cannot be allowed is refused in every form.
        let mut results = Vec::new();
        let comma = format!("{one},{two}");
        let spaced = format!("{one}, {two}");
        let forms: [&[&str]; 3] =
            [&[option, &comma], &[option, one, option, two], &[option, &spaced]];
        let trims = !matches!(option, "--compress" | "--drop" | "--remove");
        for form in forms.iter().take(if trims { 3 } else { 2 }) {
            let out = match (command[0], option) {
                ("validate", _) => None,
                ("measure", _) | (_, "--partition-by") => Some("out"),
                ("export", _) => Some("out.csv"),
                _ => Some("out.pgn"),
            };
            let mut args = command.to_vec();
            args.extend(*form);
            args.extend(["--quiet", "g.pgn"]);
            args.extend(out.iter().flat_map(|out| ["-o", out]));
            let output = run_in(scratch.path(), &args, b"");
            let mut files = Vec::new();
            gather(&scratch.join("out"), &mut files);
            files.extend(
                out.and_then(|out| fs::read(scratch.join(out)).ok()).map(|it| ("".into(), it)),
            );
            drop(fs::remove_dir_all(scratch.join("out")));
            drop(fs::remove_file(scratch.join("out.csv")));
            drop(fs::remove_file(scratch.join("out.pgn")));
            assert!(out.is_none() || !files.is_empty(), "{args:?}: {}", errors_of(&output));
            results.push((exit_code(&output), errors_of(&output), files));
        }
        let endings: Vec<_> = results.iter().map(|(code, errors, _)| (code, errors)).collect();
        assert!(results.windows(2).all(|pair| pair[0] == pair[1]), "{option}: {endings:?}");
    }
    // Both names count: one alone gives another result.
    let code = |args: &[&str]| exit_code(&run_in(scratch.path(), args, b""));
    assert_eq!(code(&["validate", "-q", "g.pgn"]), 0);
    assert_eq!(
        code(&["validate", "-q", "--deny", "move-number-missing,castling-zeros", "g.pgn"]),
        1
    );
    assert_eq!(
        code(&["validate", "-q", "--deny", "castling-zeros,move-number-missing", "g.pgn"]),
        1
    );
    assert_eq!(code(&["validate", "-q", "--deny", "castling-zeros,", "g.pgn"]), 2);
    // A value may contain a comma.
    let set =
        ["select", "-q", "--set", "White=Carlsen, Magnus", "--set", "Black=b", "-o", "-", "g.pgn"];
    let written = run_in(scratch.path(), &set, b"");
    assert!(String::from_utf8_lossy(&written.stdout).contains("[White \"Carlsen, Magnus\"]"));
}

fn gather(directory: &std::path::Path, files: &mut Vec<(String, Vec<u8>)>) {
    let Ok(entries) = fs::read_dir(directory) else { return };
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            gather(&path, files);
        } else if !path.file_name().unwrap().to_string_lossy().starts_with('.') {
            files.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
    files.sort();
}

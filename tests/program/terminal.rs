//! What the program prints: for programs as JSON and CSV, for people in the terminal's width and colours; the names of
//! outputs that it takes; hostile words.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Stdio};

use crate::common::{SOURCES, Scratch, errors_of, exit_code, here, pgnmill, run_in};
use pgnmill_needs::needs;
use serde_json::Value;

const FAULTY: &str = "[Event \"a\"]\n\n1. e4 e5 *\n\n[Event \"b\"]\n\n1. e4 e5 2. Ke3 *\n\n[Event \"c\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0 *\n\n";

fn directory() -> Scratch {
    let scratch = Scratch::new();
    fs::copy(here(SOURCES), scratch.join("games.pgn")).unwrap();
    scratch.write("faulty.pgn", FAULTY.as_bytes());
    scratch
}

fn json(text: &[u8]) -> Value {
    serde_json::from_slice(text)
        .unwrap_or_else(|error| panic!("{error}: {}", String::from_utf8_lossy(text)))
}

fn records(text: &[u8]) -> Vec<Vec<String>> {
    let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text);
    let rows = reader.records().map(|row| row.unwrap().iter().map(String::from).collect());
    rows.collect()
}

/// A value of JSON as CSV has it.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Array(list) => list.iter().map(plain).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

#[test]
fn lists_are_the_same_records_in_json_and_csv() {
    let scratch = directory();
    let lists: [(&[&str], usize); 5] = [
        (&["notations"], pgnmill_core::notation::NOTATIONS.len()),
        (&["deviations"], pgnmill_core::pgn::deviation::RULES.len()),
        (&["fields"], 40),
        (&["columns"], 60),
        (&["notations", "san"], 1),
    ];
    for (args, least) in lists {
        let run = |format| {
            let output = run_in(scratch.path(), &[args, &["--format", format]].concat(), b"");
            assert_eq!((exit_code(&output), errors_of(&output)), (0, String::new()), "{args:?}");
            output.stdout
        };
        let (things, rows) = (json(&run("json")), records(&run("csv")));
        let things = if things.is_array() { things } else { Value::from(vec![things]) };
        let things = things.as_array().unwrap();
        assert!(
            things.len() >= least && things.len() == rows.len() - 1,
            "{args:?}: {}",
            things.len()
        );
        for (thing, row) in things.iter().zip(&rows[1..]) {
            assert_eq!(thing.as_object().unwrap().len(), row.len());
            for (field, cell) in rows[0].iter().zip(row) {
                assert_eq!(plain(&thing[field]), *cell, "{args:?}: {field}");
            }
        }
        // Pipes have the text of the documents.
        let text = run("text");
        assert_eq!(text, run_in(scratch.path(), args, b"").stdout);
    }
}

/// The summary as data is on standard output, and balances; as a file it is the same.
#[test]
fn summaries_are_data_on_standard_output() {
    let scratch = directory();
    let run = |args: &[&str]| run_in(scratch.path(), args, b"");
    let files = ["faulty.pgn", "games.pgn"];
    let commands: [&[&str]; 8] = [
        &["validate", "--overwrite"],
        &["convert", "--to", "uci", "-o", "uci.pgn", "--overwrite"],
        &["select", "--where", "Event == \"a\"", "-o", "a.pgn", "--overwrite"],
        &["select", "--sample", "2", "-o", "sample.pgn", "--overwrite"],
        &["sort", "--by", "Event", "-o", "sorted.pgn", "--overwrite"],
        &["select", "--split-by", "Event", "-o", "split", "--overwrite"],
        &["measure", "--notations", "main", "-o", "tables", "--overwrite"],
        &["duplicates", "-o", "found", "--overwrite"],
    ];
    for command in commands {
        let name = command[0];
        let with = |more: &[&str]| run(&[command, more, &files].concat());
        let text = with(&["--quiet", "--summary", "s.csv"]);
        let summary = json(&with(&["--format", "json", "--summary", "s.json"]).stdout);
        let quiet = with(&["--format", "json", "--quiet"]);
        assert_eq!(json(&quiet.stdout), summary, "{name}");
        // With an exit code that is not 0 one line is the reason.
        assert_eq!(exit_code(&quiet), exit_code(&text));
        let lines = usize::from(exit_code(&quiet) != 0);
        assert_eq!(errors_of(&quiet).lines().count(), lines, "{}", errors_of(&quiet));
        let count = |key: &str| summary[key].as_u64().unwrap_or_else(|| panic!("{name}: {key}"));
        let games: u64 = ["accepted", "repaired", "rejected", "not_selected", "selected"]
            .iter()
            .filter_map(|key| summary[key].as_u64())
            .sum();
        assert_eq!((count("games"), count("games")), (games, 6), "{name}: {summary}");
        assert_eq!(count("text_bytes"), count("game_bytes") + count("between_bytes"));
        assert_eq!(summary["is_clean"], Value::from(exit_code(&text) == 0), "{name}");
        let rows = records(&with(&["--format", "csv"]).stdout);
        assert_eq!(rows[0], ["key", "value"]);
        for row in &rows[1..] {
            if let Some((class, deviation)) = row[0].split_once(':') {
                let listed = summary["deviations"].as_array().unwrap().iter();
                let listed = listed.filter(|it| it["name"] == deviation && it["class"] == class);
                assert_eq!(
                    listed.map(|it| plain(&it["count"])).collect::<Vec<_>>(),
                    [row[1].clone()]
                );
            } else {
                assert_eq!(plain(&summary[&row[0]]), row[1], "{name}: {}", row[0]);
            }
        }
        // The file of a run with other counts of its own has the counts of all commands.
        if name == "validate" || name == "convert" {
            assert_eq!(records(&fs::read(scratch.join("s.csv")).unwrap()), rows, "{name}");
            assert_eq!(json(&fs::read(scratch.join("s.json")).unwrap()), summary, "{name}");
        }
        drop(fs::remove_file(scratch.join("s.csv")));
    }
    for args in [
        &["validate", "--format", "json", "--summary", "-", "games.pgn"][..],
        &["convert", "--to", "uci", "--format", "csv", "-o", "-", "games.pgn"],
        &["select", "--head", "1", "--format", "json", "-o", "x.pgn", "games.pgn"],
        &["convert", "--to", "uci", "--resume", "--format", "csv", "-o", "x.pgn", "games.pgn"],
    ] {
        let output = run(args);
        assert_eq!((exit_code(&output), &output.stdout[..]), (2, &b""[..]), "{args:?}");
        assert!(errors_of(&output).contains("--format"), "{args:?}");
    }
}

#[test]
fn a_game_is_a_record() {
    let scratch = directory();
    let run =
        |args: &[&str]| run_in(scratch.path(), &[&["explain", "faulty.pgn"], args].concat(), b"");
    let fault = run(&["--game", "2", "--format", "json"]);
    assert_eq!(exit_code(&fault), 1);
    let game = json(&fault.stdout);
    assert_eq!(game["verdict"], "rejected");
    assert_eq!(game["fault"], "move-illegal");
    assert_eq!(game["fault_text"], "Ke3");
    assert_eq!(game["fault_offset"], FAULTY.find("Ke3").unwrap());
    assert_eq!((&game["turn"], &game["ply"]), (&Value::from("white"), &Value::from(3)));
    assert!(game["near"].as_array().unwrap().iter().any(|mv| mv == "Ke2"));
    let begin = game["byte_offset"].as_u64().unwrap() as usize;
    let end = game["byte_end"].as_u64().unwrap() as usize;
    assert_eq!(game["text"], &FAULTY[begin..end]);
    let repaired = json(&run(&["--game", "3", "--format", "json"]).stdout);
    assert_eq!(repaired["deviations"]["castling-zeros"], 1);
    assert_eq!((&repaired["fault"], &repaired["near"]), (&Value::Null, &Value::Null));
    let rows = records(&run(&["--game", "2", "--format", "csv"]).stdout);
    assert_eq!(
        (rows.len(), &rows[1][4], &rows[1][5]),
        (2, &"rejected".into(), &"move-illegal".into())
    );
    scratch.write("prose.pgn", b"words\n\n[Event \"x\"]\n\n1. e4 *\n");
    let between =
        run_in(scratch.path(), &["explain", "prose.pgn", "--at", "1", "--format", "json"], b"");
    assert_eq!(json(&between.stdout)["verdict"], Value::Null);
}

/// What is no move is refused for the reason that the usual notation of the ruleset has.
#[test]
fn what_cannot_be_compared_has_the_reason_of_the_usual_notation() {
    let scratch = directory();
    for rules in pgnmill_core::chess::rules::RulesKind::all() {
        let usual = pgnmill_core::notation::usual(rules).info().name;
        for text in ["Qh9", "Kd8", "Ne4", "h5", "x", "e7e6", "Zz3"] {
            let reason = |from: &str| {
                let rules = ["--rules", rules.name(), "--from", from];
                let args = [&["notations", "--compare", text], &rules[..]].concat();
                let output = run_in(scratch.path(), &args, b"");
                (exit_code(&output), errors_of(&output))
            };
            let (found, expected) = (reason("auto"), reason(usual));
            // A text of UCI alone may be a move.
            assert!(found == expected || found.0 == 0, "{rules:?} {text}: {found:?} {expected:?}");
            assert!(
                expected.0 == 2 || text == "h5" || text == "Ne4",
                "{rules:?} {text}: {expected:?}"
            );
        }
    }
}

#[test]
fn a_move_is_compared_in_all_notations_of_all_rulesets() {
    let scratch = directory();
    let compare = |text: &str, more: &[&str]| {
        let args = [&["notations", "--compare", text, "--format", "json"], more].concat();
        let output = run_in(scratch.path(), &args, b"");
        (exit_code(&output), output)
    };
    let text_of = |output: &std::process::Output, name: &str| {
        let value = json(&output.stdout);
        let list = value["notations"].as_array().unwrap().clone();
        assert_eq!(list.len(), pgnmill_core::notation::NOTATIONS.len());
        for it in &list {
            // Either a text or a reason.
            assert!(it["text"].is_string() != it["reason"].is_string(), "{it}");
        }
        list.into_iter().find(|it| it["notation"] == name).unwrap()
    };
    let (code, initial) = compare("Nf3", &[]);
    assert_eq!((code, &text_of(&initial, "uci")["text"]), (0, &Value::from("g1f3")));
    assert!(text_of(&initial, "stamma")["text"].is_string());
    let (_, castling) = compare("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1|O-O", &[]);
    assert_eq!(text_of(&castling, "uci")["text"], "e1g1");
    assert!(plain(&text_of(&castling, "stamma")["reason"]).contains("history"));
    let (_, uci) = compare("e2e4", &[]);
    assert_eq!(json(&uci.stdout)["move"], "e4");
    let (_, german) = compare("Sf3", &["--from", "san-de"]);
    assert_eq!(text_of(&german, "uci")["text"], "g1f3");
    for rules in pgnmill_core::chess::rules::RulesKind::all() {
        let mv = match rules.name() {
            "racingKings" => "Nxc2",
            "chess99" | "horde" => "",
            _ => "e4",
        };
        let mv = match rules.name() {
            "chess99" => "e24",
            "glinski" => "f6",
            "raumschach" => "Bc3",
            "horde" => "e5",
            _ => mv,
        };
        let (code, output) = compare(mv, &["--rules", rules.name()]);
        assert_eq!(code, 0, "{}: {}", rules.name(), errors_of(&output));
        assert_eq!(json(&output.stdout)["rules"], rules.name());
        text_of(&output, "san");
    }
    let drop = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBN1[R] w Qkq - 0 1|R@h1";
    let (_, drop) = compare(drop, &["--rules", "crazyhouse"]);
    assert_eq!(text_of(&drop, "san")["text"], "R@h1");
    assert!(plain(&text_of(&drop, "iccf")["reason"]).contains("no text for such a move"));
    for (text, words) in [
        ("e5", "e5"),
        ("", "no move"),
        ("e4 e5", "no move"),
        ("nonsense|e4", "fen-unreadable"),
        ("e4\u{7}", "no move"),
        ("8/8/8/8/8/8/8/8 w - - 0 1|e4", "king"),
        ("8/8\"]\n[Event \"x/8 w - - 0 1|e4", "one line"),
        ("|", "no move"),
        ("*", ""),
        ("{e4}", "no move"),
    ] {
        let (code, output) = compare(text, &[]);
        assert_eq!(code, 2, "{text:?}: {}", errors_of(&output));
        assert!(errors_of(&output).contains(words), "{text:?}: {}", errors_of(&output));
        assert!(!errors_of(&output).contains("panicked"));
    }
}

#[test]
fn colours_are_only_where_they_are_requested() {
    let scratch = directory();
    let commands: [&[&str]; 5] = [
        &["validate", "faulty.pgn"],
        &["explain", "faulty.pgn", "--game", "2"],
        &["notations"],
        &["--help"],
        &["validate", "--help"],
    ];
    for args in commands {
        let escapes = |color: &[&str], variables: &[(&str, &str)]| {
            let mut command = pgnmill();
            command.current_dir(scratch.path()).args(args).args(color);
            command.env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE").env_remove("CLICOLOR");
            let output = command.envs(variables.iter().copied()).output().unwrap();
            assert!(matches!(exit_code(&output), 0 | 1), "{args:?}: {}", errors_of(&output));
            [output.stdout, output.stderr].concat().contains(&0x1b)
        };
        assert!(!escapes(&[], &[]), "{args:?}");
        assert!(!escapes(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]), "{args:?}");
        assert!(!escapes(&[], &[("NO_COLOR", "1"), ("CLICOLOR_FORCE", "1")]), "{args:?}");
        // The Markdown of a list has no colours.
        if args != ["notations"] {
            assert!(escapes(&["--color", "always"], &[]), "{args:?}");
            assert!(escapes(&[], &[("CLICOLOR_FORCE", "1")]), "{args:?}");
        }
    }
    let data = ["validate", "--color", "always", "--format", "json", "-q", "faulty.pgn"];
    json(&run_in(scratch.path(), &data, b"").stdout);
}

/// What a terminal of so many columns shows.
fn on_a_terminal(scratch: &Scratch, columns: usize, command: &str) -> String {
    let program = env!("CARGO_BIN_EXE_pgnmill");
    let line = format!("stty rows 24 cols {columns}; '{program}' {command}");
    let mut script = Command::new("script");
    script.args(["-qec", &line, "/dev/null"]).current_dir(scratch.path()).stdin(Stdio::null());
    script.env_remove("NO_COLOR").env_remove("COLUMNS").env("TERM", "xterm");
    let text = String::from_utf8(script.output().unwrap().stdout).unwrap();
    text.replace('\r', "")
}

#[needs("script", command = "script -qec true /dev/null")]
#[test]
fn lists_have_the_width_of_the_terminal() {
    let scratch = directory();
    for columns in [20, 40, 80, 132] {
        for command in ["notations", "deviations", "fields", "columns", "notations --compare Nf3"] {
            let text = on_a_terminal(&scratch, columns, &format!("{command} --color never"));
            assert!(
                text.contains("san") || text.contains("name") || text.contains("games"),
                "{text}"
            );
            assert!(!text.contains("|---") && !text.contains('\u{1b}'), "{command}");
            for line in text.lines() {
                // Letters of all scripts are at most as many as columns.
                assert!(line.chars().count() <= columns, "{command}, {columns}: {line}");
            }
        }
        let game = on_a_terminal(&scratch, columns, "explain faulty.pgn --game 2 --color never");
        let wide = game.lines().filter(|line| line.chars().count() > columns.max(26));
        assert_eq!(wide.collect::<Vec<_>>(), Vec::<&str>::new(), "{columns}");
        assert!(game.contains("move-illegal"), "{game}");
    }
    assert!(on_a_terminal(&scratch, 80, "notations").contains('\u{1b}'));
    // The help at 40 columns.
    let help = on_a_terminal(&scratch, 40, "--color never -h");
    assert!(help.lines().all(|line| line.chars().count() <= 40), "{help}");
}

/// An output whose name requests another format is refused, and nothing is written.
#[needs("a null device", command = "test -c /dev/null")]
#[test]
fn outputs_with_the_names_of_other_formats_are_refused() {
    let scratch = directory();
    let run = |args: &[&str]| run_in(scratch.path(), args, b"");
    assert_eq!(exit_code(&run(&["measure", "-q", "-o", "tables", "games.pgn"])), 0);
    fs::create_dir(scratch.join("there")).unwrap();
    scratch.write("file", b"x");
    let before = scratch.names();
    let cases: [(&[&str], &str, &str); 17] = [
        (
            &["convert", "--to", "uci"],
            "x.pgn.gz x.pgn.bz2 x.xz x.7z x.zip x.csv x.json x.html x.parquet new",
            ".pgn",
        ),
        (&["select"], "x.pgn.gz x.csv x.json x.tar new", ".pgn"),
        (&["select", "--head", "1"], "x.csv new", ".pgn"),
        (&["select", "--head", "1"], "new/ there", "one file"),
        (&["select", "--split-by", "Event"], "x.pgn x.csv file -", ""),
        (&["export"], "x.pgn x.xlsx x.parquet.zst new", "parquet"),
        (&["export"], "x.csv.gz", "x.csv"),
        (&["export", "--format", "csv"], "x.csv.gz x.zip x.csv.zst", "csv"),
        (&["measure"], "t.csv t.html t.json file -", "directory"),
        (&["duplicates"], "t.csv t.pgn file -", "directory"),
        (&["sort", "--by", "date"], "x.csv x.pgn.gz", ".pgn"),
        (&["sort", "--by", "date"], "new/ there", "one file"),
        (&["validate"], "", ""),
        (&["validate", "--faults"], "f.json f.csv.gz f.pgn f.xlsx there", "csv"),
        (&["validate", "--rejects"], "r.pgn.zst r.csv r.pgn.gz there/", "pgn"),
        (&["validate", "--summary"], "s.parquet s.html s.json.gz", "json"),
        (&["validate", "--summary"], "there", "one file"),
    ];
    for (command, names, words) in cases {
        for name in names.split(' ').filter(|name| !name.is_empty()) {
            let is_option = command.len() == 2 && command[0] == "validate";
            let output: &[&str] = if is_option { &[name] } else { &["-o", name] };
            let args = [command, output, &["games.pgn"]].concat();
            refuse(&scratch, &args, words, &before);
        }
    }
    for name in ["x.pdf", "x.csv", "x.html.gz", "new/", "there", "new"] {
        refuse(&scratch, &["report", "tables", "-o", name], "html", &before);
    }
    for name in ["x.csv", "x.parquet", "new", "new/"] {
        refuse(&scratch, &["splits", "games.pgn", "-o", name], "json", &before);
    }
    for name in ["x.csv", "file"] {
        refuse(&scratch, &["merge", "tables", "-o", name], "directory", &before);
    }
    for (args, files) in [
        (
            &["convert", "--to", "uci", "games.pgn", "-o"][..],
            "a.pgn b.pgn.zst c/ there /dev/null -",
        ),
        (&["select", "games.pgn", "-o"], "d.pgn e.zst f/ games.2024"),
        (&["export", "games.pgn", "-o"], "g.csv h.parquet i.jsonl j.arrow k/"),
        (&["measure", "games.pgn", "-o"], "l m/"),
        (&["report", "tables", "-o"], "n.html o.md p.HTM"),
        (&["splits", "games.pgn", "-o"], "q.jsonl r.json -"),
        (&["validate", "games.pgn", "--summary"], "s.csv t.json -"),
        (&["validate", "games.pgn", "--faults"], "u.csv v.parquet w"),
    ] {
        for file in files.split(' ') {
            let output = run(&[args, &[file]].concat());
            assert_eq!(exit_code(&output), 0, "{args:?} {file}: {}", errors_of(&output));
            let path = scratch.join(file);
            assert!(file == "-" || path.exists(), "{file}");
            assert!(!file.ends_with('/') || path.is_dir(), "{file}");
        }
    }
    assert_eq!(fs::read(scratch.join("v.parquet")).unwrap()[..4], *b"PAR1");
    json(&fs::read(scratch.join("t.json")).unwrap());
}

fn refuse(scratch: &Scratch, args: &[&str], words: &str, before: &[String]) {
    let output = run_in(scratch.path(), args, b"");
    assert_eq!(exit_code(&output), 2, "{args:?}: {}", errors_of(&output));
    assert!(errors_of(&output).contains(words), "{args:?}: {}", errors_of(&output));
    assert!(output.stdout.is_empty());
    assert_eq!(scratch.names(), before, "{args:?}");
}

#[test]
fn hostile_words_and_closed_pipes_end_with_a_message() {
    let scratch = directory();
    let odd = OsStr::from_bytes(b"\xff\xfe.pgn");
    fs::write(scratch.path().join(odd), FAULTY).unwrap();
    let run = |args: &[&OsStr]| pgnmill().current_dir(scratch.path()).args(args).output().unwrap();
    let word = OsStr::new;
    // A path of any bytes is read.
    let output = run(&[word("validate"), odd]);
    assert_eq!(exit_code(&output), 1, "{}", errors_of(&output));
    let output = run(&[word("validate"), word("--format"), word("json"), odd]);
    json(&output.stdout);
    // A name of any bytes is none.
    for option in ["--to", "--language", "--allow", "--rules", "--from", "--color"] {
        let output = run(&[word("convert"), word(option), odd, word("games.pgn")]);
        assert_eq!(exit_code(&output), 2, "{option}");
        assert!(!errors_of(&output).contains("panicked") && !errors_of(&output).is_empty());
    }
    for args in [
        &["notations", "--compare", "Nf3"][..],
        &["notations", "--format", "json"],
        &["completions", "zsh"],
        &["man"],
        &["validate", "--help"],
        &["validate", "--format", "json", "games.pgn"],
    ] {
        let mut child = pgnmill()
            .args(args)
            .current_dir(scratch.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(exit_code(&output), 0, "{args:?}: {}", errors_of(&output));
        assert!(!errors_of(&output).contains("panicked"), "{args:?}: {}", errors_of(&output));
    }
    let empty = run_in(scratch.path(), &["validate", "--format", "json", "-"], b"");
    assert_eq!(json(&empty.stdout)["games"], 0);
    assert_eq!(json(&empty.stdout)["remarks"][0]["is_fault"], false);
}

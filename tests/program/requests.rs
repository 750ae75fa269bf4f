//! Typed requests (`pgnmill::run`): they write the bytes that the program writes for the same options, and report the
//! same counts.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use pgnmill::columns::Table;
use pgnmill::run::{
    Completion, Convert, Dropped, Duplicates, Event, Export, Host, KeepName, Measure, Merge,
    NamedRequest, NearPlies, Recorded, Recorder, Report, SameName, SampleArgs, SampleSize, Select,
    Splits, Validate,
};
use pgnmill::{ErrorKind, Input, NamedSource};

use crate::common::{Depth, SAMPLE, SOURCES, Scratch, here, pgnmill, sample_text, trials, twin};

type Result = pgnmill::Result<Completion>;

/// Runs a request with a host of its own.
fn recorded(run: impl FnOnce(&Arc<dyn Host>) -> Result) -> (Result, Recorded) {
    let recorder = Arc::new(Recorder::default());
    let host: Arc<dyn Host> = Arc::clone(&recorder) as _;
    (run(&host), recorder.take())
}

/// The files of a folder, and of those in it.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        // A run in a process writes a journal only if `--resume` is given.
        if name.starts_with(".pgnmill-run") {
            continue;
        }
        if path.is_dir() {
            found.extend(
                files(&path).into_iter().map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)),
            );
        } else {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
    found
}

/// Compares a request with the program. `words` follow its name; OUT is the folder of the outputs, GAMES the archives.
#[track_caller]
fn same(words: &str, request: impl FnOnce(&Path, &Path, &Arc<dyn Host>) -> Result) {
    let scratch = Scratch::new();
    let games = scratch.join("games");
    fs::create_dir_all(&games).unwrap();
    fs::copy(here(SOURCES), games.join("sources.pgn")).unwrap();
    match Depth::current() {
        Depth::Short => {
            let text = zstd::encode_all(&sample_text()[..2_000_000], 1).unwrap();
            fs::write(games.join("sample.pgn.zst"), text).unwrap();
        }
        _ => drop(fs::copy(here(SAMPLE), games.join("sample.pgn.zst")).unwrap()),
    }
    let damaged = "[White \"A\"]\n\n1. e4 e5 {c} 2. Ke3 *\n\n[White \"B\"]\n\n1. e4! e5 *\n";
    fs::write(games.join("rejected.pgn"), damaged).unwrap();
    let (program, library) = (scratch.join("program"), scratch.join("library"));
    for folder in [&program, &library] {
        fs::create_dir_all(folder).unwrap();
    }
    let words = words.split(' ').map(|word| {
        let word = word.replace("OUT", program.to_str().unwrap());
        word.replace("GAMES", games.to_str().unwrap())
    });
    let done = pgnmill().args(words).env_remove("SOURCE_DATE_EPOCH").output().unwrap();
    let text = String::from_utf8_lossy(&done.stderr).into_owned();
    let (completion, recorded) = recorded(|host| request(&library, &games, host));
    let completion = completion.unwrap();
    assert_eq!(done.status.code(), Some(i32::from(!completion.is_clean)), "{text}");
    assert_eq!(String::from_utf8_lossy(&done.stdout), recorded.shown);
    let (expected, found) = (files(&program), files(&library));
    assert!(expected.keys().eq(found.keys()), "{:?} {:?}", expected.keys(), found.keys());
    for (name, bytes) in &expected {
        assert!(found[name] == *bytes, "{name} differs");
    }
    let games = recorded.fact("games").map_or(u64::MAX, |games| games.parse().unwrap());
    assert!(games > trials(600, 10_000, 10_000), "{:?}", recorded.facts);
}

#[test]
fn validate_is_the_command() {
    let scratch = Scratch::new();
    let rejects = scratch.join("r1.pgn");
    let words =
        "validate --deny tag-quote --faults OUT/f.csv --summary OUT/s.csv --threads 2 GAMES";
    let words = format!("{words} --rejects {}", rejects.display());
    same(&words, |out, games, host| {
        let mut request = Validate::new([games]);
        request.reading.deny = vec!["tag-quote".into()];
        request.files.faults = Some(out.join("f.csv"));
        request.files.summary = Some(out.join("s.csv"));
        request.files.rejects = Some(scratch.join("r2.pgn"));
        request.reading.threads = 1;
        request.run(host)
    });
    assert_eq!(
        fs::read(scratch.join("r1.pgn")).unwrap(),
        fs::read(scratch.join("r2.pgn")).unwrap()
    );
}

#[test]
fn convert_is_the_command() {
    let words = "convert --to economical-priority --keep-rejects --drop clocks,nags --set Site=x --set-eco --level 5 \
                 -o OUT/all.pgn.zst --summary OUT/s.csv GAMES";
    same(words, |out, games, host| {
        let request = Convert::new([games], "economical-priority", out.join("all.pgn.zst"));
        let mut request = Convert { keep_rejects: true, set_eco: true, ..request };
        request.writing.level = Some(5);
        request.edits.drop = vec![Dropped::Clocks, Dropped::Nags];
        request.edits.set = vec!["Site=x".into()];
        request.files.summary = Some(out.join("s.csv"));
        request.run(host)
    });
    same("convert --to uci --keep-rejects -o OUT/dir/ GAMES", |out, games, host| {
        let output = out.join("dir/");
        Convert { keep_rejects: true, ..Convert::new([games], "uci", output) }.run(host)
    });
}

#[test]
fn select_is_the_command() {
    let condition = || Some("ply_count > 90".to_string());
    same(
        "select --where ply_count>90 --sample 50 --seed 3 -o OUT/a.pgn GAMES",
        |out, games, host| {
            let request = Select::new([games], out.join("a.pgn"));
            let sample = SampleArgs { sample: Some(SampleSize::Games(50)), seed: 3 };
            let mut request = Select { sample, ..request };
            request.selecting.condition = condition();
            request.run(host)
        },
    );
    same("select --where ply_count>90 --split-by Result -o OUT/by/ GAMES", |out, games, host| {
        let request = Select::new([games], out.join("by/"));
        let mut request = Select { split_by: Some("Result".into()), ..request };
        request.selecting.condition = condition();
        request.run(host)
    });
}

#[test]
fn export_is_the_command() {
    let words = "export --table plies --columns ply,san,fen --notation uci -o OUT/p.parquet GAMES";
    same(words, |out, games, host| {
        let request = Export::new([games], out.join("p.parquet"));
        let columns = ["ply", "san", "fen"].map(String::from).to_vec();
        Export { table: Table::Plies, columns, notation: vec!["uci".into()], ..request }.run(host)
    });
    same("export --partition-by Result --one-line -o OUT/by GAMES", |out, games, host| {
        let request = Export::new([games], out.join("by"));
        Export { partition_by: vec!["Result".into()], one_line: true, ..request }.run(host)
    });
}

#[test]
fn duplicates_is_the_command() {
    let words = "duplicates --keep longest --same moves --min-plies 4 --near no --removed --zst -o OUT/d GAMES GAMES/sources.pgn";
    same(words, |out, games, host| {
        let request = Duplicates::new([games, &games.join("sources.pgn")], out.join("d"));
        let (keep, same, near) = (Some(KeepName::Longest), SameName::Moves, NearPlies(None));
        let request = Duplicates { keep, same, near, min_plies: 4, ..request };
        Duplicates { removed: true, zst: true, ..request }.run(host)
    });
}

#[test]
fn measure_merge_and_report_are_the_commands() {
    let measure = |output: &Path, games: &Path, host: &Arc<dyn Host>| {
        let request = Measure::new([games], output);
        let (notations, by) = (vec!["main".into()], vec!["speed".into(), "result".into()]);
        Measure { notations, by, per_game: true, ..request }.run(host)
    };
    let words = "measure --notations main --by speed,result --per-game -o OUT/m GAMES";
    same(words, |out, games, host| measure(&out.join("m"), games, host));
    let scratch = Scratch::new();
    let tables = scratch.join("tables");
    recorded(|host| measure(&tables, &here("data"), host)).0.unwrap();
    let (tables_word, other) = (tables.display(), scratch.join("other"));
    twin(&tables, &other);
    same(&format!("merge -o OUT/sum {tables_word} {}", other.display()), |out, _, host| {
        Merge::new([&tables, &other], out.join("sum")).run(host)
    });
    same(&format!("report {tables_word} -o OUT/page.md --figures OUT/figures"), |out, _, host| {
        let request = Report { output: out.join("page.md"), ..Report::new(&tables) };
        Report { figures: Some(out.join("figures")), ..request }.run(host)
    });
}

#[test]
fn splits_is_the_command() {
    let name = here(SAMPLE);
    same(&format!("splits --target 200kB {}", name.display()), |_, _, host| {
        Splits { target: 200_000, ..Splits::new([&name]) }.run(host)
    });
}

#[test]
fn what_a_request_cannot_have_is_an_error_and_leaves_nothing() {
    let scratch = Scratch::new();
    let out = scratch.join("new/out.pgn");
    let request = || Convert::new([here("data/sources.pgn")], "uci", &out);
    let refused = |request: Convert| {
        let (ended, _) = recorded(|host| request.run(host));
        let error = ended.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Usage(_)), "{error}");
        assert!(!out.exists());
        error.to_string()
    };
    assert!(refused(Convert { to: "econ".into(), ..request() }).contains("did you mean"));
    let mut wrong = request();
    wrong.edits.remove = vec!["A B".into()];
    assert!(refused(wrong).contains("is no name of a tag pair"));
    let mut wrong = request();
    wrong.reading.machine = "z80".into();
    assert!(refused(wrong).contains("not z80"));
    let rejects = Some(scratch.join("r.pgn"));
    let mut wrong = Convert { keep_rejects: true, ..request() };
    wrong.files.rejects = rejects.clone();
    assert_eq!(refused(wrong), "--keep-rejects does not go with --rejects");
    let mut wrong = request();
    wrong.reading.inputs.clear();
    assert!(refused(wrong).contains("nothing to read"));
    let mut wrong = request();
    wrong.resuming.verify = true;
    assert_eq!(refused(wrong), "--verify goes with --resume");
    for level in [0, 23, -1] {
        let mut wrong = request();
        wrong.writing.level = Some(level);
        assert!(refused(wrong).contains("level"));
    }
}

/// A request by name is the typed one; what it does not have is an error that names the option.
#[test]
fn a_request_by_name_is_the_request() {
    let by_name = |command: &str, options: &[(&str, &[&str])]| {
        let mut request = NamedRequest::of(command).expect("a command");
        for (name, texts) in options {
            let texts: Vec<OsString> = texts.iter().map(OsString::from).collect();
            request.set(name, &texts)?;
        }
        Ok::<_, pgnmill::Error>(request)
    };
    let words = "convert --to uci --keep-rejects --drop clocks,nags --set Site=x,y --level 5 -o OUT/a.pgn.zst GAMES";
    same(words, |out, games, host| {
        let (output, games) = (out.join("a.pgn.zst"), games.display().to_string());
        let options: [(&str, &[&str]); 7] = [
            ("to", &["uci"]),
            ("keep-rejects", &["true"]),
            ("drop", &["clocks", "nags"]),
            ("set", &["Site=x,y"]),
            ("level", &["5"]),
            ("output", &[output.to_str().unwrap()]),
            ("inputs", &[&games]),
        ];
        by_name("convert", &options)?.run(host)
    });
    let refused = |command: &str, name: &str, value: &str| {
        by_name(command, &[(name, &[value])]).map(drop).unwrap_err().to_string()
    };
    assert_eq!(refused("convert", "levle", "3"), "there is no option --levle");
    assert_eq!(refused("convert", "level", "x"), "--level takes a whole number; not x");
    assert_eq!(refused("select", "head", "-1"), "--head takes a whole number from 0 on; not -1");
    assert_eq!(refused("duplicates", "keep", "x"), "--keep takes first, longest; not x");
    assert!(NamedRequest::of("conver").is_none());
    let mut request = NamedRequest::of("convert").expect("a command");
    request.set("to", &["uci".into()]).unwrap();
    let ended = recorded(|host| request.run(host)).0;
    assert_eq!(ended.unwrap_err().to_string(), "--output must be given");
}

/// Each option of a command can be set by name, with its default.
#[test]
fn every_option_can_be_set_by_name() {
    let commands = [
        "validate",
        "stats",
        "convert",
        "select",
        "sort",
        "export",
        "positions",
        "duplicates",
        "measure",
        "merge",
        "report",
    ];
    for command in commands {
        let mut count = 0;
        for option in pgnmill_cli::options_of(command).expect("a command") {
            let value = match (option.default, option.choices.first()) {
                _ if !option.takes_value => "true".to_string(),
                (Some(default), _) => default,
                (None, Some(choice)) => choice.clone(),
                (None, None) if option.name == "parts" => "a:1".to_string(),
                (None, None) => "1".to_string(),
            };
            // Options of the program, not of a run.
            if matches!(option.name.as_str(), "log" | "color" | "help" | "compress") {
                continue;
            }
            let mut request = NamedRequest::of(command).expect("a command");
            let name = &option.name;
            request
                .set(name, &[value.into()])
                .unwrap_or_else(|error| panic!("{command} --{name}: {error}"));
            count += 1;
        }
        assert!(count >= 3, "{command}");
    }
}

/// Options with numbers of one type take those of their own range.
#[test]
fn numbers_have_the_range_of_their_option() {
    for (command, name, taken, refused) in [
        (
            "positions",
            "max-ply",
            &["0", "60", "101", "4294967295"][..],
            &["-1", "x", "4294967296"][..],
        ),
        ("positions", "min-score", &["0", "100", "55%"], &["101", "5.5"]),
        ("merge", "min-score", &["0", "100"], &["101"]),
        ("measure", "errors", &["1", "100"], &["0", "101"]),
    ] {
        let set = |text: &str| {
            let mut request = NamedRequest::of(command).expect("a command");
            request.set(name, &[text.into()])
        };
        for text in taken {
            set(text).unwrap_or_else(|error| panic!("{command} {name} {text}: {error}"));
        }
        for text in refused {
            let error = set(text).expect_err(text).to_string();
            assert!(error.starts_with(&format!("--{name} takes ")), "{error}");
        }
    }
}

/// What is not named is not read: neither standard input nor anything else stands for it.
#[test]
fn a_request_by_name_without_inputs_is_an_error() {
    let scratch = Scratch::new();
    for command in [
        "validate",
        "convert",
        "select",
        "sort",
        "export",
        "positions",
        "duplicates",
        "measure",
        "merge",
    ] {
        let mut request = NamedRequest::of(command).expect("a command");
        if command == "convert" {
            request.set("to", &["uci".into()]).unwrap();
        }
        if command == "sort" {
            request.set("by", &["date".into()]).unwrap();
        }
        if command != "validate" {
            let output = if command == "sort" { "out/sorted.pgn" } else { "out/" };
            request.set("output", &[scratch.join(output).into()]).unwrap();
        }
        let error = recorded(|host| request.run(host)).0.unwrap_err().to_string();
        assert!(error.starts_with("there is nothing to "), "{command}: {error}");
        assert!(!scratch.join("out").exists(), "{command}");
    }
    let report = NamedRequest::of("report").expect("a command");
    let error = recorded(|host| report.run(host)).0.unwrap_err();
    assert_eq!(error.to_string(), "--tables must be given");
}

/// Each with a ruleset, a selection, damage that is skipped, several threads, a split, and archives that are given.
#[test]
fn what_all_runs_have_in_common_is_that_of_the_commands() {
    let scratch = Scratch::new();
    let sample = fs::read(here(SAMPLE)).unwrap();
    let damaged = scratch.join("damaged.pgn.zst");
    let mut bytes = sample.clone();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 100].fill(0x55);
    fs::write(&damaged, bytes).unwrap();
    let name = damaged.display().to_string();
    for threads in [1, 2, 7] {
        let words = format!(
            "convert --to uci --keep-rejects --skip-damaged --rules atomic --where ply_count>30 \
             --faults OUT/f.csv -o OUT/a.pgn {name} GAMES"
        );
        same(&words, |out, games, host| {
            let request = Convert::new([damaged.as_path(), games], "uci", out.join("a.pgn"));
            let mut request = Convert { keep_rejects: true, ..request };
            let reading = &mut request.reading;
            (reading.skip_damaged, reading.rules, reading.threads) =
                (true, "atomic".into(), threads);
            request.selecting.condition = Some("ply_count>30".to_string());
            request.files.faults = Some(out.join("f.csv"));
            request.run(host)
        });
    }
    let (_, splits) =
        recorded(|host| Splits { target: 300_000, ..Splits::new([here(SAMPLE)]) }.run(host));
    let split = scratch.join("split.json");
    fs::write(&split, splits.shown.lines().nth(1).expect("a second split")).unwrap();
    let word = format!("@{}", split.display());
    let place = here(SAMPLE);
    let run = |out: &Path, host: &Arc<dyn Host>| {
        let mut request = Measure::new([&place], out.join("m"));
        request.notations = vec!["main".into()];
        (request.splitting.split, request.splitting.ledger) =
            (Some(word.clone()), Some(out.join("l.csv")));
        request.run(host)
    };
    let (program, library) = (scratch.join("p"), scratch.join("l"));
    fs::create_dir_all(&program).unwrap();
    fs::create_dir_all(&library).unwrap();
    let mut command = pgnmill();
    command.env_remove("SOURCE_DATE_EPOCH").args([
        "measure",
        "--notations",
        "main",
        "--split",
        &word,
    ]);
    command.arg("--ledger").arg(program.join("l.csv")).arg("-o").arg(program.join("m")).arg(&place);
    assert_eq!(command.output().unwrap().status.code(), Some(0));
    assert!(recorded(|host| run(&library, host)).0.unwrap().is_clean);
    assert_eq!(files(&program), files(&library));
    let (mut named, recorder) =
        (NamedRequest::of("validate").unwrap(), Arc::new(Recorder::default()));
    named.set_archives(vec![Input::Named(NamedSource::bytes("memory", sample))]).unwrap();
    let host: Arc<dyn Host> = Arc::clone(&recorder) as _;
    assert!(named.run(&host).unwrap().is_clean);
    assert_eq!(recorder.take().fact("games"), Some("10000"));
}

/// Ends the run with an input.
#[derive(Debug, Default)]
struct Ending {
    recorder: Recorder,
    input: usize,
}

impl Host for Ending {
    fn stop(&self) -> &AtomicBool {
        self.recorder.stop()
    }

    fn print(&self, text: &str) {
        self.recorder.print(text);
    }

    fn warn(&self, message: std::fmt::Arguments<'_>) {
        self.recorder.warn(message);
    }

    fn show(&self, text: &str) -> pgnmill::Result<()> {
        self.recorder.show(text)
    }

    fn standard_output(&self) -> Box<dyn std::io::Write + Send> {
        self.recorder.standard_output()
    }

    fn add_facts(&self, rows: &[(String, String)]) {
        self.recorder.add_facts(rows);
    }

    fn add_event(&self, event: &Event<'_>) {
        if matches!(event, Event::InputEnd(end) if end.input == self.input) {
            self.stop().store(true, Ordering::Relaxed);
        }
    }
}

/// A request that was ended goes on, as a request and as the command, whatever the command line calls its options; the
/// files are those of a run that was not ended.
#[test]
fn a_request_that_was_ended_goes_on_as_either() {
    let scratch = Scratch::new();
    let inputs: Vec<_> = (0..5)
        .map(|index| {
            let path = scratch.join(&format!("in-{index}.pgn"));
            fs::write(&path, fs::read(here("data/sources.pgn")).unwrap().repeat(20 + index))
                .unwrap();
            path
        })
        .collect();
    let convert = |output: &Path| {
        let mut request = Convert::new(&inputs, "economical-priority", output);
        (request.keep_rejects, request.resuming.resume) = (true, true);
        request.resuming.checkpoint = 0.0;
        request
    };
    for (ending, is_file) in [("one.pgn", true), ("many/", false)] {
        let whole = scratch.join(&format!("whole-{ending}"));
        let mut request = convert(&whole);
        request.resuming.resume = false;
        recorded(|host| request.run(host)).0.unwrap();
        for (input, by_command) in [(1, false), (2, true), (3, false), (4, true)] {
            let output = scratch.join(&format!("{input}-{ending}"));
            let host = Arc::new(Ending { input, ..Ending::default() });
            let ended = convert(&output).run(&(Arc::clone(&host) as _));
            assert!(matches!(ended.unwrap_err().kind(), ErrorKind::Interrupted), "{input}");
            if by_command {
                let mut command = pgnmill();
                command.args(["convert", "--to", "economical-priority", "--keep-rejects"]);
                command.args(["--resume", "-o"]).arg(&output).args(&inputs);
                let done = command.output().unwrap();
                let errors = String::from_utf8_lossy(&done.stderr);
                assert_eq!(done.status.code(), Some(0), "{errors}");
                assert!(errors.contains("goes on with input"), "{input}: {errors}");
            } else {
                let (ended, recorded) = recorded(|host| convert(&output).run(host));
                ended.unwrap();
                assert!(recorded.text.contains("goes on with input"), "{input}: {recorded:?}");
            }
            if is_file {
                assert!(fs::read(&output).unwrap() == fs::read(&whole).unwrap(), "{input}");
            } else {
                assert!(files(&output) == files(&whole), "{input}");
            }
        }
    }
}

/// What the command line refuses with its parser, a request refuses when it runs; nothing is written.
#[test]
fn options_that_do_not_go_together_are_errors() {
    let (scratch, games) = (Scratch::new(), here("data/sources.pgn"));
    let out = scratch.join("out");
    let refused = |run: &dyn Fn(&Arc<dyn Host>) -> Result, expected: &str| {
        let error = recorded(run).0.unwrap_err();
        assert_eq!(error.to_string(), expected);
        assert!(!out.exists(), "{expected}");
    };
    let select = || Select::new([&games], &out);
    let head = Some(1);
    let of = |size, seed| SampleArgs { sample: size, seed };
    let by = || Some("Result".to_string());
    let cases: [(&dyn Fn() -> Select, &str); 3] = [
        (&|| Select { head, split_by: by(), ..select() }, "--head does not go with --split-by"),
        (&|| Select { head: Some(0), ..select() }, "--head takes a whole number from 1 on; not 0"),
        (&|| Select { sample: of(None, 1), ..select() }, "--seed goes with --sample"),
    ];
    for (request, expected) in cases {
        refused(&|host| request().run(host), expected);
    }
    let duplicates = || Duplicates::new([&games], &out);
    let keep = Some(KeepName::First);
    let cases: [(&dyn Fn() -> Duplicates, &str); 4] = [
        (&|| Duplicates { removed: true, ..duplicates() }, "--removed goes with --keep"),
        (&|| Duplicates { zst: true, ..duplicates() }, "--zst goes with --keep"),
        (&|| Duplicates { keep_rejects: true, ..duplicates() }, "--keep-rejects goes with --keep"),
        (&|| Duplicates { keep, level: Some(0), ..duplicates() }, "--level takes 1 to 22; not 0"),
    ];
    for (request, expected) in cases {
        refused(&|host| request().run(host), expected);
    }
    let rejects = || {
        let mut request = Duplicates { keep, keep_rejects: true, ..duplicates() };
        request.files.rejects = Some(scratch.join("r.pgn"));
        request
    };
    refused(&|host| rejects().run(host), "--keep-rejects does not go with --rejects");
    for (size, shown) in [(SampleSize::Games(0), "0"), (SampleSize::Percent(101.0), "101%")] {
        let measure = || Measure { sample: of(Some(size), 0), ..Measure::new([&games], &out) };
        let expected = format!("--sample takes a number from 1 on, or a share; not {shown}");
        refused(&|host| measure().run(host), &expected);
    }
    let splits = || Splits { target: 0, output: out.clone(), ..Splits::new([&games]) };
    refused(&|host| splits().run(host), "--target takes a number of bytes from 1 on; not 0");
    let export = || Export { level: Some(23), ..Export::new([&games], &out) };
    refused(&|host| export().run(host), "--level takes 1 to 22; not 23");
}

#[test]
fn a_later_fact_replaces_the_one_before_it() {
    let recorder = Recorder::default();
    for value in ["1", "2"] {
        recorder.add_facts(&[("games".to_string(), value.to_string())]);
    }
    let recorded = recorder.take();
    assert_eq!((recorded.fact("games"), recorded.fact("plies")), (Some("2"), None));
    assert_eq!(recorder.take(), Recorded::default());
}

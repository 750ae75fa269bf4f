//! Typed requests (`pgnmill::run`): they write the bytes that the program writes for the same options, and report the
//! same counts.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use pgnmill::ErrorKind;
use pgnmill::columns::Table;
use pgnmill::run::{
    Completion, Convert, Dropped, Duplicates, Export, Expression, Host, KeepName, Measure, Merge,
    NamedRequest, NearPlies, Recorded, Recorder, Report, SameName, Select, Splits, Validate,
};

use crate::common::{Scratch, here, pgnmill};

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
    for name in ["sources.pgn", "lichess-sample.pgn.zst"] {
        fs::copy(here("data").join(name), games.join(name)).unwrap();
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
    assert!(games > 10_000, "{:?}", recorded.facts);
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
        request.common.deny = vec!["tag-quote".into()];
        request.common.faults = Some(out.join("f.csv"));
        request.common.summary = Some(out.join("s.csv"));
        request.common.rejects = Some(scratch.join("r2.pgn"));
        request.common.threads = 1;
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
        let mut request = Convert { keep_rejects: true, set_eco: true, level: 5, ..request };
        request.edits.drop = vec![Dropped::Clocks, Dropped::Nags];
        request.edits.set = vec!["Site=x".into()];
        request.common.summary = Some(out.join("s.csv"));
        request.run(host)
    });
    same("convert --to uci --keep-rejects -o OUT/dir/ GAMES", |out, games, host| {
        let output = out.join("dir/");
        Convert { keep_rejects: true, ..Convert::new([games], "uci", output) }.run(host)
    });
}

#[test]
fn select_is_the_command() {
    let condition = || Expression::read("ply_count > 90").ok();
    same(
        "select --where ply_count>90 --sample 50 --seed 3 -o OUT/a.pgn GAMES",
        |out, games, host| {
            let request = Select::new([games], out.join("a.pgn"));
            let mut request = Select { sample: Some(50), seed: 3, ..request };
            request.common.condition = condition();
            request.run(host)
        },
    );
    same("select --where ply_count>90 --split-by Result -o OUT/by/ GAMES", |out, games, host| {
        let request = Select::new([games], out.join("by/"));
        let mut request = Select { split_by: Some("Result".into()), ..request };
        request.common.condition = condition();
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
    let words = "duplicates --keep longest --same moves-and-players --near no --removed --zst -o OUT/d GAMES GAMES/sources.pgn";
    same(words, |out, games, host| {
        let request = Duplicates::new([games, &games.join("sources.pgn")], out.join("d"));
        let (keep, same, near) =
            (Some(KeepName::Longest), SameName::MovesAndPlayers, NearPlies(None));
        Duplicates { keep, same, near, removed: true, zst: true, ..request }.run(host)
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
    let tables_word = tables.display();
    same(&format!("merge -o OUT/sum {tables_word} {tables_word}"), |out, _, host| {
        Merge::new([&tables, &tables], out.join("sum")).run(host)
    });
    same(&format!("report {tables_word} -o OUT/page.md --figures OUT/figures"), |out, _, host| {
        let request = Report { output: out.join("page.md"), ..Report::new(&tables) };
        Report { figures: Some(out.join("figures")), ..request }.run(host)
    });
}

#[test]
fn splits_is_the_command() {
    let name = here("data/lichess-sample.pgn.zst");
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
    wrong.edits.remove = vec!["White Elo".into()];
    assert!(refused(wrong).contains("is no name of a tag pair"));
    let mut wrong = request();
    wrong.common.machine = "z80".into();
    assert!(refused(wrong).contains("not z80"));
    let rejects = Some(scratch.join("r.pgn"));
    let mut wrong = Convert { keep_rejects: true, ..request() };
    wrong.common.rejects = rejects.clone();
    assert_eq!(refused(wrong), "--keep-rejects does not go with --rejects");
    let mut wrong = request();
    wrong.common.inputs.clear();
    assert!(refused(wrong).contains("nothing to read"));
    let mut wrong = request();
    wrong.common.verify = true;
    assert_eq!(refused(wrong), "--verify goes with --resume");
    for level in [0, 23, -1] {
        assert!(refused(Convert { level, ..request() }).contains("level"));
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
    let commands =
        ["validate", "convert", "select", "export", "duplicates", "measure", "merge", "report"];
    for command in commands {
        let mut count = 0;
        for option in pgnmill_cli::options_of(command).expect("a command") {
            let value = match (option.default, option.choices.first()) {
                _ if !option.takes_value => "true".to_string(),
                (Some(default), _) => default,
                (None, Some(choice)) => choice.clone(),
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

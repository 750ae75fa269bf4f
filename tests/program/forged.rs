//! Files that others can have left: a journal, a state or a temporary file in a directory that others can write.
//!
//! In: what a run that was ended has left, changed as somebody else could. Out: nothing; the run that goes on is
//! refused, or goes on as if the file was not there, and changes no file that an output of it cannot have made.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
use std::path::Path;

use serde_json::{Value, json};

use super::resume::{SMALL, archives, code, same, tree};
use crate::common::{Scratch, errors_of, run_in};

const TO_DIRECTORY: [&str; 6] = ["convert", "in", "-o", "out/", "--to", "uci"];
const TO_FILE: [&str; 6] = ["convert", "in", "-o", "all.pgn", "--to", "uci"];

fn run(scratch: &Scratch, args: &[&str], more: &[&str]) -> std::process::Output {
    run_in(scratch.path(), &[args, more].concat(), b"")
}

/// A run that was ended in the middle.
fn ended(args: &[&str]) -> Scratch {
    let scratch = Scratch::new();
    archives(&scratch);
    let ran = run(&scratch, args, &[&SMALL[..], &["--abort-after", "75"]].concat());
    assert_eq!(code(&ran), None, "{}", errors_of(&ran));
    scratch
}

fn journal_of(args: &[&str]) -> &'static str {
    if args[3].ends_with('/') { "out/.pgnmill-run.jsonl" } else { ".all.pgn.pgnmill-run.jsonl" }
}

fn records(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn write_records(path: &Path, records: &[Value]) {
    let lines: String = records.iter().map(|record| format!("{record}\n")).collect();
    fs::write(path, lines).unwrap();
}

/// Every place of a record that names a file, and every file that is none of the run's.
#[test]
fn a_journal_reads_renames_and_removes_no_file_that_an_output_cannot_have_made() {
    let part = "x.pgnmill-0123456789abcdef.part";
    for args in [TO_DIRECTORY, TO_FILE] {
        let scratch = ended(&args);
        let journal = scratch.join(journal_of(&args));
        let own = records(&journal);
        let last = own.iter().rposition(|record| record["record"] == "checkpoint").unwrap();
        let absolute = scratch.write("victim", b"text").display().to_string();
        for name in ["in/g", "out/g.txt", &format!("in/{part}"), &format!("out/{part}"), part] {
            scratch.write(name, b"text");
        }
        let victims = [
            &absolute,
            "victim",
            "out/../victim",
            "in/a.pgn",
            "in/g",
            "out/g.txt",
            &format!("in/{part}"),
            &format!("out/{part}"),
            &format!("out/../{part}"),
            part,
        ];
        for victim in victims {
            let output = |part: &str, output: &str| json!({"output": output, "part": part, "bytes": 4, "digest": ""});
            let mut all: Vec<Vec<Value>> = Vec::new();
            for checkpoint in
                [last, own.iter().position(|one| one["record"] == "checkpoint").unwrap()]
            {
                let mut parts = own.clone();
                parts[checkpoint]["parts"].as_array_mut().unwrap().push(json!(victim));
                all.push(parts);
            }
            for planned in ["out/a.pgn", "all.pgn", victim] {
                let mut named = own.clone();
                named[last]["publish"] = json!([output(victim, planned)]);
                all.push(named);
                let outputs = json!([output(victim, planned)]);
                let publish = json!({"record": "publish", "outputs": outputs, "clean": true, "failed_inputs": 0});
                all.push([&own[..], &[publish]].concat());
            }
            for forged in all {
                write_records(&journal, &forged);
                let before = tree(scratch.path());
                for more in [&["--resume"][..], &["--resume", "--overwrite"]] {
                    let ran = run(&scratch, &args, more);
                    let errors = errors_of(&ran);
                    assert_eq!(code(&ran), Some(2), "{victim}: {errors}");
                    let why = ["is no output of this run", "is not a temporary file of"];
                    assert!(why.iter().any(|why| errors.contains(why)), "{victim}: {errors}");
                    same(&tree(scratch.path()), &before, victim);
                }
            }
        }
        write_records(&journal, &own);
        assert_eq!(code(&run(&scratch, &args, &["--resume"])), Some(1));
        assert_eq!(fs::read(scratch.join("victim")).unwrap(), b"text");
    }
}

/// What others can write, or what belongs to others, is not continued. Root alone can give a file away.
#[test]
fn journals_states_and_parts_are_those_of_the_user_alone() {
    let undisturbed = Scratch::new();
    archives(&undisturbed);
    run(&undisturbed, &TO_FILE, &[]);
    let expected = tree(undisturbed.path());
    let is_root = fs::metadata(undisturbed.path()).unwrap().uid() == 0;
    let is_left = |name: &str, kind: &str| match kind {
        "journal" => name.ends_with("run.jsonl"),
        "state" => name.contains(".state-"),
        _ => name.ends_with(".part"),
    };
    for kind in ["journal", "state", "part"] {
        for change in [Some(0o602), Some(0o620), Some(0o666), None] {
            let scratch = ended(&TO_FILE);
            let names = fs::read_dir(scratch.path()).unwrap();
            let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let left: Vec<String> = names.filter(|name| is_left(name, kind)).collect();
            assert!(!left.is_empty(), "{kind}");
            let change_all = |mode: Option<u32>, owner: u32| {
                for path in left.iter().map(|name| scratch.join(name)) {
                    let before = fs::metadata(&path).unwrap();
                    assert_eq!(
                        before.mode() & 0o77,
                        if owner == 0 { mode.unwrap_or(0) & 0o77 } else { 0 }
                    );
                    match mode {
                        Some(mode) => {
                            fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap()
                        }
                        None => chown(&path, Some(owner), None).unwrap(),
                    }
                }
            };
            if change.is_none() && !is_root {
                continue;
            }
            change_all(change, 12_345);
            let before = tree(scratch.path());
            let ran = run(&scratch, &TO_FILE, &["--resume"]);
            let errors = errors_of(&ran);
            let why =
                if change.is_none() { "belongs to another user" } else { "others can write it" };
            assert!(errors.contains(why), "{kind}: {errors}");
            if kind == "state" {
                // Without a state the run begins again.
                assert_eq!(code(&ran), Some(1), "{errors}");
            } else {
                assert_eq!(code(&ran), Some(2), "{kind}: {errors}");
                same(&tree(scratch.path()), &before, kind);
                for path in left.iter().map(|name| scratch.join(name)) {
                    fs::set_permissions(&path, PermissionsExt::from_mode(0o600)).unwrap();
                    let owner = fs::metadata(scratch.path()).unwrap().uid();
                    chown(&path, Some(owner), None).unwrap();
                }
                assert_eq!(code(&run(&scratch, &TO_FILE, &["--resume"])), Some(1), "{kind}");
            }
            assert_eq!(fs::read(scratch.join("all.pgn")).unwrap(), expected["all.pgn"], "{kind}");
        }
    }
}

/// A run that needs no journal does not end because somebody else has left one.
#[test]
fn a_journal_of_others_is_warned_of_and_stays() {
    for more in [&[][..], &["--overwrite"]] {
        let scratch = ended(&TO_FILE);
        let journal = scratch.join(journal_of(&TO_FILE));
        let text = fs::read(&journal).unwrap();
        fs::set_permissions(&journal, PermissionsExt::from_mode(0o666)).unwrap();
        let ran = run(&scratch, &TO_FILE, more);
        assert_eq!(code(&ran), Some(1), "{}", errors_of(&ran));
        assert!(errors_of(&ran).contains("others can write it"), "{}", errors_of(&ran));
        assert_eq!(fs::read(&journal).unwrap(), text);
    }
}

/// Strings of a journal are shown as names are.
#[test]
fn strings_of_a_journal_are_escaped() {
    let scratch = ended(&TO_FILE);
    let journal = scratch.join(journal_of(&TO_FILE));
    let own = records(&journal);
    let odd = "a\u{1b}[31m\u{202e}\n\u{85}\u{2066}z";
    let mut forged: Vec<Value> = Vec::new();
    for name in ["program_version", "command"] {
        let mut run = own[0].clone();
        run[name] = json!(odd);
        forged.push(run);
    }
    let mut option = own[0].clone();
    option["options"][odd] = json!(odd);
    let mut value = own[0].clone();
    value["options"]["--to"] = json!(odd);
    let mut input = own[0].clone();
    input["inputs"][0]["path"] = json!(odd);
    for run_record in forged.into_iter().chain([option, value, input]) {
        write_records(&journal, &[&[run_record][..], &own[1..]].concat());
        let ran = run(&scratch, &TO_FILE, &["--resume"]);
        let errors = errors_of(&ran);
        assert_eq!(code(&ran), Some(2), "{errors}");
        assert!(errors.contains("a\\u{1b}[31m\\u{202e}\\n\\u{85}\\u{2066}z"), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
    }
}

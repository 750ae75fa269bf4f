//! Journals: the order of the system calls at a checkpoint, any damage of a journal and its states, ends between two
//! system calls, inputs that look like temporary files, and the counts that the journal has of each output.
//!
//! In: runs that are ended after a number of steps, and what a crash can leave of their files. Out: nothing; a run
//! that goes on writes what an undisturbed one writes, or is refused, and changes no file but to give a complete
//! output its name.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;

use pgnmill_needs::needs;
use serde_json::Value;

use super::outputs::calls;
use super::resume::{SMALL, code, frames, law_of, same, tiny, tree};
use crate::common::{Dice, Scratch, errors_of, exit_code, run_in, trials};

const TO_DIRECTORY: [&str; 6] = ["convert", "in", "-o", "out/", "--to", "uci"];
const TO_FILE: [&str; 6] = ["convert", "in", "-o", "all.pgn", "--to", "uci"];

/// Archives of a few jobs each, so that outputs are complete after few steps.
fn archives(scratch: &Scratch) {
    scratch.write("in/a.pgn", &tiny(2_000));
    scratch.write("in/b.pgn.zst", &frames(&tiny(600), 7_000));
    scratch.write("in/c.pgn", &tiny(50));
    scratch.write("in/d.pgn", b"");
    scratch.write("in/e.pgn", &tiny(1_000));
}

fn run(scratch: &Scratch, args: &[&str], more: &[&str]) -> std::process::Output {
    run_in(scratch.path(), &[args, more].concat(), b"")
}

/// What an undisturbed run over the archives writes.
fn undisturbed(args: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let scratch = Scratch::new();
    archives(&scratch);
    let ran = run(&scratch, args, &[]);
    assert_eq!(code(&ran), Some(1), "{}", errors_of(&ran));
    tree(scratch.path())
}

/// A run that was ended after so many steps; `None` if it had fewer.
fn ended(args: &[&str], steps: u64) -> Option<Scratch> {
    let scratch = Scratch::new();
    archives(&scratch);
    let ran = run(&scratch, args, &[&SMALL[..], &["--abort-after", &steps.to_string()]].concat());
    code(&ran).is_none().then_some(scratch)
}

fn journal_of(args: &[&str]) -> &'static str {
    if args[3].ends_with('/') { "out/.pgnmill-run.jsonl" } else { ".all.pgn.pgnmill-run.jsonl" }
}

fn records(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// The files of the system are written, then synced, then named in a state that is synced and renamed: what a state
/// refers to is on the disk before the state has its name.
#[needs("strace", command = "strace -o /dev/null true")]
#[test]
fn outputs_are_on_the_disk_before_the_state_that_names_them() {
    let scratch = Scratch::new();
    let text = "[Event \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n".repeat(3_000);
    scratch.write("in/a.pgn", text.as_bytes());
    scratch.write("in/b.pgn.zst", &frames(text.as_bytes(), 20_000));
    for args in [&TO_DIRECTORY[..], &TO_FILE, &["measure", "in", "-o", "t", "--per-game"]] {
        let args = [args, &SMALL[..], &["--threads", "1", "--quiet", "--overwrite"]].concat();
        let calls = calls(&scratch, &args).expect("a trace of system calls");
        let (mut pending, mut states): (Vec<&str>, usize) = (Vec::new(), 0);
        for call in &calls {
            let path = call.paths.first().map_or("", String::as_str);
            let is_state = path.contains(".pgnmill-run.state-");
            match call.name.as_str() {
                "fsync" | "fdatasync" => pending.retain(|waiting| *waiting != path),
                name if name.contains("write") && (path.ends_with(".part") || is_state) => {
                    pending.retain(|waiting| *waiting != path);
                    pending.push(path);
                }
                name if name.starts_with("rename") && is_state => {
                    states += 1;
                    assert!(
                        pending.is_empty(),
                        "{args:?}: {path} is named before the sync of {pending:?}"
                    );
                }
                _ => {}
            }
        }
        assert!(states > 5, "{args:?}: {states} states");
        for left in ["out", "t"] {
            drop(fs::remove_dir_all(scratch.join(left)));
        }
        for name in scratch.names().iter().filter(|name| name.contains("all.pgn")) {
            fs::remove_file(scratch.join(name)).unwrap();
        }
    }
}

/// A last line of which a crash left a part, of any length, perhaps with other bytes: the run goes on, is ended again,
/// and goes on again.
#[test]
fn a_torn_last_line_is_gone_when_the_run_goes_on_twice() {
    let mut dice = Dice::new(0xd1);
    for args in [&TO_DIRECTORY[..], &TO_FILE] {
        let expected = undisturbed(args);
        for _ in 0..trials(8, 8, 60) {
            let Some(scratch) = ended(args, 8 + dice.below(30) as u64) else { continue };
            let path = scratch.join(journal_of(args));
            let text = fs::read(&path).unwrap_or_default();
            let last = text[..text.len() - 1]
                .iter()
                .rposition(|&byte| byte == b'\n')
                .map_or(0, |at| at + 1);
            // A record before outputs get their names is whole when they have them.
            let record = records(&path).pop().unwrap_or_default();
            let publishes = record["publish"].as_array().is_some_and(|outputs| !outputs.is_empty());
            let is_early =
                record["record"] == "checkpoint" && !publishes || record["record"] == "finished";
            let mut torn = match dice.below(if is_early { 3 } else { 2 }) {
                // A part of the last record, a part of one more, zeros where a line was to be.
                2 => text[..last + 1 + dice.below(text.len() - last - 1)].to_vec(),
                1 => {
                    [&text[..], &text[last..last + 1 + dice.below(text.len() - last - 1)]].concat()
                }
                _ => [&text[..], &[0; 30]].concat(),
            };
            if torn.last() == Some(&b'\n') {
                torn.pop();
            }
            fs::write(&path, &torn).unwrap();
            let steps = (9 + dice.below(9)).to_string();
            let again = run(&scratch, args, &[&SMALL[..], &["--abort-after", &steps]].concat());
            assert!(code(&again).is_none_or(|code| code < 2), "{}", errors_of(&again));
            for _ in 0..2 {
                let ran = run(&scratch, args, &["--resume"]);
                assert_eq!(code(&ran), Some(1), "{}", errors_of(&ran));
            }
            same(
                &tree(scratch.path()),
                &expected,
                &format!("{args:?}, {} of {} bytes", torn.len(), text.len()),
            );
        }
    }
}

/// The states are damaged, one or both, after any step: what comes out is that of an undisturbed run, or the run is
/// refused with advice, and begins again with `--overwrite`.
#[test]
fn damaged_states_lead_to_the_same_files_or_to_a_refusal() {
    let (mut dice, mut refused, mut went_on) = (Dice::new(0xd2), 0, 0);
    for args in [&TO_DIRECTORY[..], &TO_FILE] {
        let expected = undisturbed(args);
        for _ in 0..trials(9, 25, 400) {
            let Some(scratch) = ended(args, 3 + dice.below(45) as u64) else { continue };
            let stem = journal_of(args).replace("jsonl", "state-");
            let which = [&[0][..], &[1], &[0, 1]][dice.below(3)];
            let mut damaged = 0;
            for number in which {
                let path = scratch.join(&format!("{stem}{number}"));
                let Ok(mut bytes) = fs::read(&path) else { continue };
                let at = dice.below(bytes.len());
                match dice.below(3) {
                    0 => bytes.truncate(at),
                    1 => bytes[at] ^= 1,
                    _ => bytes.push(0),
                }
                fs::write(&path, bytes).unwrap();
                damaged += 1;
            }
            let before = tree(scratch.path());
            let ran = run(&scratch, args, &["--resume", "--verify"]);
            let what = format!("{args:?}, {damaged} damaged: {}", errors_of(&ran));
            match code(&ran) {
                Some(1) => went_on += 1,
                Some(2) => {
                    refused += 1;
                    let errors = errors_of(&ran);
                    assert!(errors.contains("the saved state is damaged"), "{what}");
                    assert!(errors.contains("begin again with --overwrite"), "{what}");
                    // Complete outputs may have got their names: nothing else is changed.
                    for (name, bytes) in tree(scratch.path()) {
                        let is_same = before.get(&name).or(expected.get(&name)) == Some(&bytes);
                        assert!(is_same, "{name}: {what}");
                    }
                    let ran = run(&scratch, args, &["--overwrite"]);
                    assert_eq!(code(&ran), Some(1), "{}", errors_of(&ran));
                }
                _ => panic!("{what}"),
            }
            same(&tree(scratch.path()), &expected, &what);
        }
    }
    assert!(refused > 0 && went_on > trials(8, 20, 20), "{refused} {went_on}");
}

/// The process ends between the call that gives an output its name and the one that removes the temporary name.
#[test]
fn an_output_may_have_both_names_when_the_run_goes_on() {
    for args in [&TO_DIRECTORY[..], &TO_FILE] {
        let (expected, mut linked) = (undisturbed(args), 0);
        for steps in 1.. {
            // The last run needs no more.
            let Some(scratch) = ended(args, steps) else { break };
            let last = records(&scratch.join(journal_of(args))).pop().unwrap_or_default();
            let publish =
                if last["record"] == "publish" { &last["outputs"] } else { &last["publish"] };
            let mut has_linked = false;
            for output in publish.as_array().into_iter().flatten() {
                let path = |name: &str| scratch.join(output[name].as_str().unwrap());
                let (part, output) = (path("part"), path("output"));
                if part.exists() && !output.exists() {
                    fs::hard_link(&part, &output).unwrap();
                    has_linked = true;
                }
            }
            if !has_linked {
                continue;
            }
            linked += 1;
            let ran = run(&scratch, args, &["--resume"]);
            assert_eq!(code(&ran), Some(1), "{args:?}, {steps} steps: {}", errors_of(&ran));
            same(&tree(scratch.path()), &expected, &format!("{args:?}, {steps} steps"));
        }
        assert!(linked > 0, "{args:?}");
    }
}

/// An input may have the name of a temporary file of an output: it is read, and stays as it is, however the run
/// begins.
#[test]
fn inputs_that_look_like_temporary_files_stay() {
    let name = "all.pgn.pgnmill-0123456789abcdef.part";
    for steps in [0, 3, 9, 15, 25] {
        for more in [&["--resume"][..], &["--overwrite"], &["--resume", "--overwrite"]] {
            let scratch = Scratch::new();
            archives(&scratch);
            scratch.write(name, &tiny(200));
            let args = ["convert", "in", name, "-o", "all.pgn", "--to", "uci"];
            if steps > 0 {
                let steps = steps.to_string();
                let ran = run(&scratch, &args, &[&SMALL[..], &["--abort-after", &steps]].concat());
                assert_eq!(code(&ran), None, "{}", errors_of(&ran));
            }
            let ran = run(&scratch, &args, more);
            assert_eq!(code(&ran), Some(1), "{steps} {more:?}: {}", errors_of(&ran));
            assert_eq!(fs::read(scratch.join(name)).unwrap(), tiny(200), "{steps} {more:?}");
        }
    }
}

/// The numbers of the summary of one archive.
fn summary_of(scratch: &Scratch, input: &str) -> Value {
    let output = run_in(scratch.path(), &["validate", "--format", "json", input], b"");
    assert!(exit_code(&output) < 2, "{}", errors_of(&output));
    let shown = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    serde_json::from_slice(&shown).expect("one object")
}

/// Of each output the journal has the counts of its own input, however often the run was ended.
#[test]
fn the_journal_has_the_counts_of_each_output() {
    // With checkpoints each output is published alone; without, all together at the end.
    for (steps, more) in
        [(None, &SMALL[..]), (None, &["--resume"]), (Some(12), &SMALL), (Some(25), &SMALL)]
    {
        let scratch = match steps {
            None => {
                let scratch = Scratch::new();
                archives(&scratch);
                scratch
            }
            Some(steps) => ended(&TO_DIRECTORY, steps).expect("more steps"),
        };
        let ran = run(&scratch, &TO_DIRECTORY, more);
        assert_eq!(code(&ran), Some(1), "{}", errors_of(&ran));
        let records = records(&scratch.join(journal_of(&TO_DIRECTORY)));
        let inputs = records[0]["inputs"].as_array().unwrap();
        let mut counted = vec![false; inputs.len()];
        for record in records.iter().filter(|record| record["record"] == "finished") {
            let index = record["input"].as_u64().unwrap() as usize;
            counted[index] = true;
            let input = inputs[index]["path"].as_str().unwrap();
            let output = record["output"].as_str().unwrap();
            assert_eq!(Path::new(input).file_name(), Path::new(output).file_name());
            let expected = summary_of(&scratch, input);
            for key in ["accepted", "repaired", "rejected", "text_bytes"] {
                assert_eq!(record[key], expected[key], "{steps:?}, {input}: {key}");
            }
        }
        assert!(counted.iter().all(|is_counted| *is_counted), "{steps:?}: {counted:?}");
    }
}

/// Archives whose games have one kind of line end, in every container.
fn with_line_ends(line_end: &str) -> impl Fn(&Scratch) {
    move |scratch| {
        let text = String::from_utf8(tiny(300)).unwrap().replace('\n', line_end).into_bytes();
        scratch.write("in/a.pgn", &text.repeat(6));
        scratch.write("in/b.pgn.zst", &frames(&text.repeat(3), 5_000));
        scratch.write("in/c.pgn.zst", &frames(&text.repeat(3), 1 << 20));
    }
}

/// What is held between two texts of an output is saved and loaded, whatever its line ends are.
#[test]
fn runs_over_archives_of_every_line_end_go_on() {
    type Prepare = fn(&Scratch);
    let prepared: [(&str, Prepare); 3] = [
        ("LF", |scratch| with_line_ends("\n")(scratch)),
        ("CRLF", |scratch| with_line_ends("\r\n")(scratch)),
        ("CR", |scratch| with_line_ends("\r")(scratch)),
    ];
    let commands = [
        "convert in -o all.pgn --to uci --rejects r.pgn",
        "select in -o all.pgn --where ply_count>0",
        "convert in -o out/ --to san --faults f.csv",
    ];
    for (number, (_, prepare)) in prepared.into_iter().enumerate() {
        for command in commands {
            law_of(prepare, &command.split(' ').collect::<Vec<_>>(), 300 + number as u64, 11);
        }
    }
}

/// Long frames of text that hardly compresses, so that each is a job of its own; some are damaged.
fn damaged_frames(scratch: &Scratch) {
    let mut dice = Dice::new(0xd3);
    let mut stored = Vec::new();
    for number in 0..14 {
        let mut text = String::new();
        while text.len() < 380_000 {
            let noise = (0..8).map(|_| format!("{:x}", dice.roll())).collect::<String>();
            text += &format!("[Event \"{number}\"]\n\n1. e4 {{{noise}}} e5 *\n\n");
        }
        let mut encoder = zstd::stream::Encoder::new(Vec::new(), 1).unwrap();
        encoder.include_checksum(true).unwrap();
        encoder.write_all(text.as_bytes()).unwrap();
        let mut frame = encoder.finish().unwrap();
        if matches!(number, 2 | 5 | 11) {
            let middle = frame.len() / 2;
            frame[middle..middle + 50].fill(0x55);
        }
        stored.extend(frame);
    }
    scratch.write("in/a.pgn.zst", &stored);
    let args = ["validate", "--quiet", "--skip-damaged", "--summary", "-", "in/a.pgn.zst"];
    let shown = run_in(scratch.path(), &args, b"");
    assert!(
        String::from_utf8_lossy(&shown.stdout).contains("frame-damaged,3"),
        "{}",
        errors_of(&shown)
    );
}

/// The numbers of frames, games and lines after damage are those of an undisturbed run.
#[test]
fn runs_over_damaged_frames_have_the_tables_of_an_undisturbed_one() {
    let line =
        "convert in -o out/ --to uci --skip-damaged --faults f.csv --notes n.csv --summary s.csv";
    law_of(damaged_frames, &line.split(' ').collect::<Vec<_>>(), 400, 9);
}

/// A run that ends by an error while its first checkpoint is being written can go on, whether or not it reports anything:
/// the outputs that the checkpoint names are kept.
#[needs("strace", command = "strace -o /dev/null true")]
#[test]
fn an_error_during_the_first_checkpoint_loses_nothing() {
    for quiet in [true, false] {
        let scratch = Scratch::new();
        scratch.write("a.pgn", &tiny(20_000));
        scratch.write("b.pgn.zst", b"\x28\xb5\x2f\xfd\x04\x00\xff\xff\xff\xff\xff");
        let convert = "convert a.pgn b.pgn.zst --to uci --threads 1 --block-bytes 2000 --range-bytes 2000 -o o.pgn \
                       --checkpoint 0.001 --resume";
        let args: Vec<&str> = convert.split_whitespace().chain(quiet.then_some("-q")).collect();
        // Each of the first calls takes half a second; the damage is found meanwhile.
        let delay = "inject=fdatasync:delay_enter=500000:when=1..2";
        let mut traced = std::process::Command::new("strace");
        traced.args(["-f", "-qq", "-o", "/dev/null", "-e", "trace=fdatasync", "-e", delay]);
        traced.arg(env!("CARGO_BIN_EXE_pgnmill")).args(&args).current_dir(scratch.path());
        let first = traced.output().unwrap();
        assert_eq!(code(&first), Some(2), "{}", errors_of(&first));
        assert!(errors_of(&first).contains("b.pgn.zst"), "{}", errors_of(&first));
        let left = fs::read_dir(scratch.path()).unwrap().map(|entry| entry.unwrap().file_name());
        let left: Vec<String> = left.map(|name| name.into_string().unwrap()).collect();
        assert!(left.iter().any(|name| name.ends_with(".part")), "{quiet} {left:?}");
        // It goes on, and ends at the damage again.
        let again = run(&scratch, &args, &[]);
        assert!(errors_of(&again).contains("b.pgn.zst"), "{quiet} {}", errors_of(&again));
        assert!(!errors_of(&again).contains("cannot continue"), "{quiet} {}", errors_of(&again));
    }
}

//! The commands of the documents below `docs/` are true: each one in a block of code runs, or is listed here with the reason why not.
//!
//! A block is between lines of three backticks without the name of another language, or is indented by four spaces.
//! The commands of a block run one after the other in a directory as a reader has it. A transcript, a line `$ COMMAND`
//! and what follows it in a block, is what the program prints.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;
use std::sync::OnceLock;

use pgnmill_io::archive::games::Games;

use crate::common::reader::{clone_of_a_reader, documents, lacking, shell};
use crate::common::{Depth, SOURCES, Scratch, here, name_of, needs, text_of};

/// Commands that do not run here, nor what follows them in their block: the document, a part of the command, the reason.
const NOT_RUN: [(&str, &str, &str); 9] = [
    (
        "duplicates.md",
        "scripts/duplicates/plant.py",
        "needs python-chess and two third-party archives",
    ),
    ("cluster.md", "parallel --sshloginfile", "needs other machines"),
    ("cluster.md", "# on each machine", "needs other machines"),
    ("cluster.md", "$SLURM_", "needs Slurm"),
    ("performance.md", "$work/", "the templates of scripts/compare-peers, which runs them"),
    ("dependencies.md", "scripts/lock", "needs a registry; .ci/run runs it"),
    ("measure.md", "--tokens", "needs vocabularies that are not in the clone"),
    ("robustness.md", "scripts/", "hours; their results are on the page"),
    ("robustness.md", "cargo test", "is a test of its own"),
];

/// GNU parallel, as far as the documents use it: `-a FILE 'COMMAND {} {#}'`.
const PARALLEL: &str = r#"#!/bin/bash
number=0
while IFS= read -r line; do
  number=$((number + 1))
  quoted=$(printf %q "$line")
  command=${3//'{#}'/$number}
  bash -c "${command//'{}'/$quoted}" || exit
done <"$2"
"#;

/// The commands of a document, block by block.
fn blocks(text: &str) -> Vec<Vec<String>> {
    let (mut found, mut current) = (Vec::new(), Vec::<String>::new());
    let (mut fence, mut continued) = (None::<bool>, false);
    for line in text.lines().chain([""]) {
        let indented = line.strip_prefix("    ").filter(|_| fence.is_none());
        match (line.strip_prefix("```"), fence) {
            (Some(_), Some(_)) => fence = None,
            (Some(language), None) => fence = Some(matches!(language, "" | "sh" | "bash")),
            (None, Some(true)) => add(&mut current, line, &mut continued),
            (None, Some(false)) => {}
            (None, None) => match indented {
                Some(line) => add(&mut current, line, &mut continued),
                None => found.push(std::mem::take(&mut current)),
            },
        }
    }
    found.retain(|block: &Vec<String>| !block.is_empty());
    found
}

/// Adds a line of a block if it is a command, or continues one.
fn add(block: &mut Vec<String>, line: &str, continued: &mut bool) {
    const PROGRAMS: [&str; 8] =
        ["pgnmill", "parallel", "cargo", "zstd", "zstdcat", "cat", "curl", "xz"];
    let first = line.split_whitespace().next().unwrap_or_default();
    // The templates of `performance.md` begin with their names.
    let is_command =
        PROGRAMS.contains(&first) || first.starts_with("scripts/") || line.contains(" pgnmill ");
    let (text, goes_on) = match line.strip_suffix('\\') {
        Some(text) => (text, true),
        None => (line, false),
    };
    match (*continued, block.last_mut()) {
        (true, Some(last)) => last.push_str(text),
        _ if is_command => block.push(text.to_string()),
        _ => {}
    }
    *continued = goes_on && (is_command || *continued);
}

/// What the documents name besides what the README names.
fn directory() -> Scratch {
    let scratch = clone_of_a_reader();
    let text = fs::read(here(SOURCES)).unwrap();
    let packed = zstd::encode_all(&text[..], 3).unwrap();
    for name in ["lichess_2017-05", "more", "lichess_db_standard_rated_2026-10"] {
        scratch.write(&format!("{name}.pgn.zst"), &packed);
    }
    scratch.write("archives/one.pgn", &text);
    let parallel = scratch.write("bin/parallel", PARALLEL.as_bytes());
    fs::set_permissions(parallel, fs::Permissions::from_mode(0o755)).unwrap();
    scratch
}

/// The same; at the short depth with a tenth of the games of `data/`.
fn short_directory() -> Scratch {
    static DATA: OnceLock<Vec<(String, Option<Vec<u8>>)>> = OnceLock::new();
    let scratch = directory();
    if Depth::current() == Depth::Short {
        fs::remove_file(scratch.join("data")).unwrap();
        fs::create_dir(scratch.join("data")).unwrap();
        for (name, bytes) in DATA.get_or_init(short_data) {
            match bytes {
                Some(bytes) => drop(scratch.write(name, bytes)),
                None => symlink(here(name), scratch.join(name)).unwrap(),
            }
        }
    }
    scratch
}

/// What `data/` holds: of archives every tenth game, of other files the name.
fn short_data() -> Vec<(String, Option<Vec<u8>>)> {
    let shortened = |path: &PathBuf| {
        path.extension().filter(|ending| *ending == "zst")?;
        let text = text_of(path);
        let games: Vec<&[u8]> = Games::new(&text).step_by(10).map(|(_, game)| game).collect();
        let frame = |games: &[&[u8]]| zstd::encode_all(&games.concat()[..], 1).unwrap();
        Some(games.chunks(50).flat_map(frame).collect())
    };
    let paths = fs::read_dir(here("data")).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (format!("data/{}", name_of(&path)), shortened(&path))).collect()
}

#[test]
fn every_command_of_the_documents_runs_or_has_a_reason() {
    let (mut runs_count, mut reasons) = (0, vec![0; NOT_RUN.len()]);
    for path in documents() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let text = fs::read_to_string(&path).unwrap();
        for block in blocks(&text) {
            let (mut scratch, mut is_left_out) = (None, false);
            for line in block {
                let is_listed = |(document, part, _): &(&str, &str, &str)| {
                    *document == name && line.contains(part)
                };
                if let Some(at) = NOT_RUN.iter().position(is_listed) {
                    reasons[at] += 1;
                    is_left_out = true;
                }
                if is_left_out {
                    continue;
                }
                if let Some(tool) = lacking(&line) {
                    needs::part_skipped(&format!("{tool} for {line}"));
                    continue;
                }
                let scratch = scratch.get_or_insert_with(short_directory);
                // The lines of `duplicates.md` are alternatives.
                drop(fs::remove_dir_all(scratch.join("found")));
                let done = shell(scratch.path(), &line);
                let expected = line
                    .split_once("# exit code ")
                    .map_or(0, |(_, code)| code.trim().parse().unwrap());
                let errors = String::from_utf8_lossy(&done.stderr);
                assert_eq!(done.status.code(), Some(expected), "{name}: {line}\n{errors}");
                runs_count += 1;
            }
        }
    }
    assert!(runs_count >= 20, "the documents have lost their commands: {runs_count}");
    for ((document, part, _), times) in NOT_RUN.iter().zip(reasons) {
        assert!(times > 0, "{document} has no command {part} any more");
    }
}

/// The commands of the index of `docs/`: those between backticks in the second cell of a row.
fn indexed(text: &str) -> Vec<&str> {
    let cells = text.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").nth(1));
    cells.filter_map(|cell| cell.strip_prefix('`')?.strip_suffix('`')).collect()
}

#[test]
fn every_command_of_the_index_runs_and_says_what_it_did() {
    let text = fs::read_to_string(here("docs/README.md")).unwrap();
    let (commands, scratch) = (indexed(&text), directory());
    assert!(commands.len() >= 20, "the index has lost its commands: {commands:?}");
    for command in commands {
        // The game that is explained has a fault.
        let expected = i32::from(command.starts_with("pgnmill explain"));
        let done = shell(scratch.path(), command);
        let printed = String::from_utf8([done.stdout, done.stderr].concat()).unwrap();
        assert_eq!(done.status.code(), Some(expected), "{command}\n{printed}");
        assert!(!printed.trim().is_empty(), "{command} says nothing");
    }
}

/// Every document and what it shows; those for who works on the project may name what lies beside a clone.
fn published() -> Vec<PathBuf> {
    let (mut found, mut pending) =
        (vec![here("README.md"), here("python/README.md")], vec![here("docs")]);
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { pending.push(path) } else { found.push(path) }
        }
    }
    found
}

/// Documents name what a clone has. A command is run in the clone: there is nothing above it.
#[test]
fn no_document_names_what_a_clone_does_not_have() {
    for path in published() {
        let text = fs::read_to_string(&path).unwrap();
        assert!(!text.contains("../shared"), "{}", path.display());
        for command in blocks(&text).concat() {
            assert!(!command.contains("../"), "{}: {command}", path.display());
        }
    }
}

/// The transcripts of a document: each command, and the lines after it up to the next one or the end of the block.
fn transcripts(text: &str) -> Vec<(&str, Vec<&str>)> {
    let (mut found, mut is_open) = (Vec::<(&str, Vec<&str>)>::new(), false);
    for line in text.lines() {
        match line.strip_prefix("$ ") {
            Some(command) => {
                found.push((command, Vec::new()));
                is_open = true;
            }
            None if line.starts_with("```") => is_open = false,
            None if is_open => found.last_mut().expect("it is open").1.push(line),
            None => {}
        }
    }
    found
}

/// A line without what differs from run to run: the speed of `validate`.
fn without_speed(line: &str) -> &str {
    line.split_once(" plies validated in ").map_or(line, |(count, _)| count)
}

#[test]
fn transcripts_are_what_the_program_prints() {
    let mut transcripts_count = 0;
    for path in documents().into_iter().chain([here("README.md")]) {
        for (command, lines) in transcripts(&fs::read_to_string(&path).unwrap()) {
            // As on a screen: both streams in the order in which they are written.
            let done = shell(directory().path(), &format!("{{ {command}; }} 2>&1"));
            let printed = String::from_utf8(done.stdout).unwrap();
            let printed: Vec<&str> = printed.lines().map(without_speed).collect();
            let lines: Vec<&str> = lines.into_iter().map(without_speed).collect();
            assert_eq!(printed, lines, "{}: {command}", path.display());
            transcripts_count += 1;
        }
    }
    assert!(transcripts_count > 0, "the documents have lost their transcripts");
}

#[test]
fn commands_are_found_in_all_kinds_of_blocks() {
    let text = "x\n\n    pgnmill a\n    note\n    pgnmill: message\n\n```sh\npgnmill b \\\n  c\n```\n\n\
                ```python\nimport pgnmill\npgnmill x\n```\n\n```\nparallel 'pgnmill d'\n```\n`pgnmill e`\n";
    assert_eq!(
        blocks(text),
        [vec!["pgnmill a"], vec!["pgnmill b   c"], vec!["parallel 'pgnmill d'"]]
    );
}

#[test]
fn transcripts_end_with_their_block() {
    let text = "```text\n$ a b\n1\n\n$ c\n```\nx\n```\ny\n```\n";
    assert_eq!(transcripts(text), [("a b", vec!["1", ""]), ("c", vec![])]);
}

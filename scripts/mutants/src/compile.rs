//! The package with its mutants, compiled.
//!
//! In: the package and the mutants. Out: a copy of the package with all mutants that the compiler accepts, and the test
//! programs. A mutant that does not compile is found by the position of the compiler's message.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::rewrite::{Mutant, Placed, SWITCH, rewritten};

/// Tests that read the sources, which are different in the copy.
const LEFT_OUT: [&str; 1] = ["tests/project/tidy.rs"];

/// Is it the library of a crate that may have mutants? The package on top of them only exports what they have.
fn is_library(name: &str) -> bool {
    name.starts_with("crates/") && name.ends_with("/src/lib.rs")
}

/// A source as it is in the copy: each library has the switch.
fn with_switch(name: &str, mut text: String) -> String {
    if is_library(name) {
        text.push_str("\nmod mutant;\n");
    }
    text
}

/// A program of tests.
#[derive(Clone, Debug)]
pub struct TestProgram {
    pub name: String,
    pub path: PathBuf,
    /// The folder of its package, in which cargo runs it.
    pub folder: PathBuf,
}

/// Writes a file unless it is the same already, so that cargo does not compile it again.
fn put(path: &Path, text: &[u8]) {
    if fs::read(path).ok().as_deref() != Some(text) {
        fs::create_dir_all(path.parent().expect("a file in a folder")).expect("a folder");
        fs::write(path, text).expect("a file of the copy");
    }
}

/// Copies the files that git tracks or would add.
pub fn copy(package: &Path, copy: &Path, rewritten: &BTreeSet<String>) {
    let listed = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(package)
        .output()
        .expect("git");
    let listed = String::from_utf8(listed.stdout).expect("names in UTF-8");
    let names: BTreeSet<&str> = listed.split('\0').filter(|name| !name.is_empty()).collect();
    for name in names {
        if is_library(name) {
            put(&copy.join(name).with_file_name("mutant.rs"), SWITCH.as_bytes());
        }
        let skipped = rewritten.contains(name) || name.starts_with("scripts/mutants");
        if LEFT_OUT.contains(&name) {
            // Its test program declares the module.
            put(&copy.join(name), b"//! Left out.\n");
            continue;
        }
        // Links lead to files of the package, and to folders, which cannot be read.
        if let Ok(target) = fs::read_link(package.join(name)) {
            let link = copy.join(name);
            if fs::read_link(&link).ok() != Some(target.clone()) {
                fs::create_dir_all(link.parent().expect("a file in a folder")).expect("a folder");
                let _ = fs::remove_file(&link);
                std::os::unix::fs::symlink(target, link).expect("a link");
            }
        } else if is_library(name) && !skipped {
            let text = fs::read_to_string(package.join(name)).expect("a source");
            put(&copy.join(name), with_switch(name, text).as_bytes());
        } else if let (false, Ok(bytes)) = (skipped, fs::read(package.join(name))) {
            put(&copy.join(name), &bytes);
            // Executable files stay executable.
            let mode = fs::metadata(package.join(name)).expect("it was read").permissions();
            fs::set_permissions(copy.join(name), mode).expect("the copy is ours");
        }
    }
    put(&copy.join("Cargo.lock"), &fs::read(package.join("Cargo.lock")).unwrap_or_default());
    // The provided archives lie beside the package.
    let shared = copy.with_file_name("shared");
    if let (Ok(there), Err(_)) =
        (package.join("../shared").canonicalize(), fs::symlink_metadata(&shared))
    {
        std::os::unix::fs::symlink(there, shared).expect("a link");
    }
}

/// Writes the mutants into the copy, and removes those that do not compile, until it compiles.
pub fn put_in(package: &Path, copy: &Path, target: &Path, mutants: &mut Vec<Mutant>) {
    loop {
        let mut files: BTreeMap<String, Vec<Mutant>> = BTreeMap::new();
        for mutant in mutants.iter() {
            files.entry(mutant.file.clone()).or_default().push(mutant.clone());
        }
        let mut all_placed = BTreeMap::new();
        for (name, mutants) in &files {
            let source = fs::read_to_string(package.join(name)).expect("a source");
            let (text, placed) = rewritten(&source, mutants);
            put(&copy.join(name), with_switch(name, text).as_bytes());
            all_placed.insert(name.clone(), placed);
        }
        let messages = cargo(copy, target, &["check", "--lib"]);
        let errors: Vec<&Value> = messages
            .iter()
            .map(|message| &message["message"])
            .filter(|message| message["level"] == "error")
            .collect();
        if errors.is_empty() {
            // A file that lost its last mutant is unchanged again.
            return;
        }
        let mut wrong = BTreeSet::new();
        for error in &errors {
            let found = blamed(error, &all_placed);
            if found.is_empty() && error["spans"].as_array().is_some_and(|spans| !spans.is_empty())
            {
                println!("{} {}", error["message"], error["spans"][0]["text"][0]["text"]);
            }
            wrong.extend(found);
        }
        assert!(!wrong.is_empty(), "the copy does not compile, and no mutant is the reason");
        println!("{} mutants are no programs", wrong.len());
        mutants.retain(|mutant| !wrong.contains(&mutant.number));
        for name in files.keys() {
            if mutants.iter().all(|mutant| &mutant.file != name) {
                let text = fs::read_to_string(package.join(name)).expect("a source");
                put(&copy.join(name), with_switch(name, text).as_bytes());
            }
        }
    }
}

/// The mutants of a message: those whose own branch contains one of its spans, or else those nearest to it.
fn blamed(error: &Value, placed: &BTreeMap<String, Vec<Placed>>) -> BTreeSet<u32> {
    let mut spans: Vec<&Value> = error["spans"].as_array().into_iter().flatten().collect();
    spans.sort_by_key(|span| !span["is_primary"].as_bool().unwrap_or(false));
    let places = spans.iter().filter_map(|span| {
        let file = placed.get(span["file_name"].as_str()?)?;
        let at = |name: &str| span[name].as_u64().map(|at| at as usize);
        Some((file, at("byte_start")?..at("byte_end")?))
    });
    let places: Vec<_> = places.collect();
    for (file, span) in &places {
        let own = file.iter().filter(|m| m.own.start <= span.start && span.end <= m.own.end);
        let own: BTreeSet<u32> = own.map(|mutant| mutant.number).collect();
        if !own.is_empty() {
            return own;
        }
    }
    for (file, span) in &places {
        let inside = file.iter().filter(|m| span.start <= m.whole.start && m.whole.end <= span.end);
        let inside: BTreeSet<u32> = inside.map(|mutant| mutant.number).collect();
        let around = file.iter().filter(|m| m.whole.start <= span.start && span.end <= m.whole.end);
        let around = around.min_by_key(|mutant| mutant.whole.len()).map(|mutant| mutant.number);
        if !inside.is_empty() || around.is_some() {
            return inside.into_iter().chain(around).collect();
        }
    }
    BTreeSet::new()
}

/// The test programs of the copy.
pub fn tests(copy: &Path, target: &Path) -> Vec<TestProgram> {
    let messages = cargo(copy, target, &["test", "--no-run", "--lib", "--tests"]);
    let programs = messages.iter().filter(|message| message["profile"]["test"] == true);
    let programs = programs.filter_map(|message| {
        let path = PathBuf::from(message["executable"].as_str()?);
        let kind = message["target"]["kind"][0].as_str()?;
        // Unit tests have the name of their crate, with `unit_` before it.
        let name = message["target"]["name"].as_str()?.to_string();
        let folder = Path::new(message["manifest_path"].as_str()?).parent()?.to_path_buf();
        (kind != "bin").then(|| TestProgram { name, path, folder })
    });
    programs.collect()
}

fn cargo(copy: &Path, target: &Path, args: &[&str]) -> Vec<Value> {
    let output = Command::new("cargo")
        .args(args)
        .args(["--message-format=json", "--target-dir"])
        .arg(target)
        // After a change of a test only that test is compiled.
        .env("CARGO_INCREMENTAL", "1")
        .envs([("CARGO_PROFILE_DEV_DEBUG", "0"), ("CARGO_PROFILE_TEST_DEBUG", "0")])
        // A mutant may break every lint, also those that are errors, such as an overflow that is certain.
        .env("RUSTFLAGS", "--cap-lints=allow")
        .current_dir(copy)
        .stderr(Stdio::null())
        .output()
        .expect("cargo");
    let lines = output.stdout.split(|&byte| byte == b'\n');
    lines.filter_map(|line| serde_json::from_slice(line).ok()).collect()
}

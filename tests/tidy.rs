//! The house is kept: imports run one way, files and functions stay short, every file says what it is.
//!
//! The sources are read as text, comments and literals blanked first, and the test modules at the end of files left out.
//! This is no parser of Rust: it knows this project's style, which `cargo fmt` keeps.

mod common;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use common::{here, pgnmill};

/// Lines of a file, its test module apart.
const FILE_LINES_MAX: usize = 450;
/// Lines of a function, from its `fn` to its closing brace.
const FUNCTION_LINES_MAX: usize = 80;

/// Which modules a module may import. `error` imports none.
const MAY_USE: &[(&str, &[&str])] = &[
    ("main", &["cli"]),
    (
        "cli",
        &[
            "tasks", "engine", "archive", "replay", "report", "tables", "sink", "notation", "pgn",
            "chess", "machine", "error",
        ],
    ),
    (
        "tasks",
        &[
            "engine", "archive", "replay", "tables", "sink", "notation", "pgn", "chess", "machine",
            "error",
        ],
    ),
    ("engine", &["tasks", "archive", "replay", "sink", "notation", "pgn", "machine", "error"]),
    ("reader", &["engine", "archive", "replay", "notation", "pgn", "chess", "error"]),
    ("replay", &["pgn", "chess", "notation", "machine"]),
    // It reads what a run wrote, perhaps another version's: of the program it knows nothing.
    ("report", &["tables", "error"]),
    // Of PGN a notation may know the vocabulary: how tokens of digits are cut, and the names of deviations.
    ("notation", &["chess", "pgn", "machine"]),
    ("pgn", &["machine"]),
    ("chess", &["machine"]),
    ("archive", &["machine", "error"]),
    ("machine", &[]),
    ("sink", &["error"]),
    // The order of notations, and which there are.
    ("tables", &["notation"]),
    ("error", &[]),
];

/// Rust files below a folder of the repository, in order.
fn files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![here(folder)];
    while let Some(directory) = pending.pop() {
        let Ok(entries) = fs::read_dir(directory) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                // What a build leaves in a folder of sources is none.
                pending.extend((path.file_name().unwrap() != "target").then_some(path));
            } else if path.extension().is_some_and(|end| end == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

fn shown(path: &Path) -> String {
    path.strip_prefix(here("")).unwrap().display().to_string()
}

/// The source with comments and literals blanked, line by line as it was.
fn code_of(source: &str) -> String {
    let bytes = source.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let end = match &bytes[at..] {
            [b'/', b'/', ..] => at + source[at..].find('\n').unwrap_or(source.len() - at),
            [b'/', b'*', ..] => at + source[at..].find("*/").map_or(source.len() - at, |n| n + 2),
            [b'r', b'"', ..] => at + 2 + source[at + 2..].find('"').unwrap() + 1,
            [b'r', b'#', b'"', ..] => at + 3 + source[at + 3..].find("\"#").unwrap() + 2,
            [b'"', ..] => string_end(bytes, at + 1, b'"'),
            // A character, not a lifetime.
            [b'\'', b'\\', ..] => string_end(bytes, at + 1, b'\''),
            [b'\'', ..] => match source[at + 1..].chars().next() {
                Some(sign) if bytes.get(at + 1 + sign.len_utf8()) == Some(&b'\'') => {
                    at + 2 + sign.len_utf8()
                }
                _ => at,
            },
            _ => at,
        };
        for byte in &mut code[at..end] {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
        at = end.max(at + 1);
    }
    String::from_utf8(code).unwrap()
}

/// The byte after the quote that ends a literal.
fn string_end(bytes: &[u8], mut at: usize, quote: u8) -> usize {
    while bytes[at] != quote {
        at += 1 + usize::from(bytes[at] == b'\\');
    }
    at + 1
}

/// Is a file, or the file of the folder it lies in, declared behind `#[cfg(test)]`?
fn is_for_tests(path: &Path) -> bool {
    let folder = path.parent().unwrap();
    let name = path.file_stem().unwrap().to_string_lossy().into_owned();
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let declares = |sibling: PathBuf| {
        let source = fs::read_to_string(sibling).unwrap();
        source.split("#[cfg(test)]\n").skip(1).any(|declared| {
            let item = declared.split(';').next().unwrap_or_default();
            item.ends_with(&format!("mod {name}")) || item.contains(&format!("\"{name}.rs\""))
        })
    };
    entries.filter(|sibling| sibling.extension().is_some_and(|end| end == "rs")).any(declares)
        || folder != here("src") && folder.starts_with(here("src")) && is_for_tests(folder)
}

/// The file's code without its test module; none if it is for tests.
fn without_tests(path: &Path) -> Option<String> {
    if is_for_tests(path) {
        return None;
    }
    let source = fs::read_to_string(path).unwrap();
    let code = code_of(&source);
    let end = code.find("#[cfg(test)]\nmod tests {").unwrap_or(code.len());
    Some(code[..end].to_string())
}

/// The room a file of `src/` belongs to.
fn room_of(path: &Path) -> String {
    let inside = path.strip_prefix(here("src")).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_string()
}

/// The items of a list in braces, its opening brace taken off, with what stands in inner braces left out.
fn outermost(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let ends = list.find(|sign| {
        depth += i32::from(sign == '{') - i32::from(sign == '}');
        depth < 0
    });
    let mut inner = 0;
    list[..ends.unwrap_or(list.len())]
        .split(move |sign| {
            inner += i32::from(sign == '{') - i32::from(sign == '}');
            inner == 0 && sign == ','
        })
        .map(str::trim)
}

/// Names that follow `prefix` in the code, those in braces too.
fn named_after(code: &str, prefix: &str) -> BTreeSet<String> {
    let is_name = |sign: char| sign.is_alphanumeric() || sign == '_';
    let name = |text: &str| text.trim().split(|sign| !is_name(sign)).next().unwrap().to_string();
    let mut names = BTreeSet::new();
    for (at, _) in code.match_indices(prefix) {
        if code[..at].ends_with(is_name) {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        match rest.strip_prefix('{') {
            Some(list) => names.extend(outermost(list).map(name)),
            None => drop(names.insert(name(rest))),
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

#[test]
fn imports_run_one_way() {
    for path in files("src") {
        let room = room_of(&path);
        let Some(code) = without_tests(&path).filter(|_| room != "lib") else { continue };
        let (_, may_use) = MAY_USE
            .iter()
            .find(|entry| entry.0 == room)
            .unwrap_or_else(|| panic!("{}: no rule for the room {room}", shown(&path)));
        let own_crate = if room == "main" { "pgnmill::" } else { "crate::" };
        for used in named_after(&code, own_crate) {
            let known = used == room || may_use.contains(&used.as_str());
            assert!(known, "{}: {room} may not use {used}", shown(&path));
        }
        // A file at the top has its room's neighbours above it.
        let depth = path.strip_prefix(here("src")).unwrap().components().count();
        let out = "super::".repeat(depth);
        assert!(!code.contains(&out), "{}: leaves its room by {out}", shown(&path));
    }
}

#[test]
fn every_room_has_a_rule_and_every_rule_a_room() {
    let rooms: BTreeSet<String> = files("src").iter().map(|path| room_of(path)).collect();
    let ruled: BTreeSet<String> = MAY_USE.iter().map(|entry| entry.0.to_string()).collect();
    let with_lib: BTreeSet<String> = ruled.into_iter().chain(["lib".to_string()]).collect();
    assert_eq!(rooms, with_lib);
}

#[test]
fn nothing_below_the_command_line_prints() {
    for path in files("src") {
        let room = room_of(&path);
        let Some(code) = without_tests(&path) else { continue };
        for word in ["println!", "print!", "dbg!", "stderr()", "process::exit"] {
            let prints = code.contains(word) && (room != "cli" || word.ends_with('!'));
            assert!(!prints, "{}: {word}", shown(&path));
        }
        // An output named `-` is standard output.
        let writes = code.contains("stdout()") && room != "cli" && room != "sink";
        assert!(!writes, "{}: stdout()", shown(&path));
    }
}

#[test]
fn chess_reads_no_files_and_pgn_knows_no_chess() {
    for path in files("src/pgn") {
        let code = without_tests(&path).unwrap_or_default();
        for word in ["chess", "notation", "Position", "Square", "Role"] {
            let names =
                named_after(&code, "::").contains(word) || named_after(&code, "").contains(word);
            assert!(!names, "{}: {word}", shown(&path));
        }
    }
    for path in files("src/chess") {
        let code = without_tests(&path).unwrap_or_default();
        assert!(!code.contains("std::fs") && !code.contains("std::io"), "{}", shown(&path));
    }
}

#[test]
fn files_are_short() {
    for path in files("src") {
        let Some(code) = without_tests(&path) else { continue };
        let lines = code.lines().count();
        assert!(lines <= FILE_LINES_MAX, "{} has {lines} lines", shown(&path));
    }
}

/// Functions with their first line, from 0, and how many lines they have.
fn functions(code: &str) -> Vec<(String, usize, usize)> {
    let lines: Vec<&str> = code.lines().collect();
    let mut found = Vec::new();
    for (first, line) in lines.iter().enumerate() {
        let Some((before, after)) = line.split_once("fn ") else { continue };
        let opens = before.split_whitespace().all(|word| {
            word.starts_with("pub")
                || ["const", "unsafe", "extern", "async"].contains(&word)
                || word.ends_with(')')
        });
        if !opens {
            continue;
        }
        let name = after.split(['(', '<']).next().unwrap_or_default().to_string();
        let mut depth = 0;
        let mut opened = false;
        for (last, line) in lines.iter().enumerate().skip(first) {
            for sign in line.chars() {
                match sign {
                    '{' => (depth, opened) = (depth + 1, true),
                    '}' => depth -= 1,
                    _ => {}
                }
            }
            let declared = !opened && line.ends_with(';');
            if opened && depth == 0 || declared {
                found.push((name, first, last - first + 1));
                break;
            }
        }
    }
    found
}

#[test]
fn functions_are_short() {
    let mut count = 0;
    for path in files("src").into_iter().chain(files("scripts")) {
        let Some(code) = without_tests(&path) else { continue };
        for (name, first, lines) in functions(&code) {
            count += 1;
            let place = format!("{}:{}", shown(&path), first + 1);
            assert!(lines <= FUNCTION_LINES_MAX, "{place}: {name} has {lines} lines");
        }
    }
    assert!(count > 300, "only {count} functions were seen");
}

#[test]
fn every_file_says_what_it_is() {
    for folder in ["src", "tests", "scripts", "benches", "fuzz"] {
        for path in files(folder) {
            let source = fs::read_to_string(&path).unwrap();
            assert!(source.starts_with("//! "), "{} opens without `//! `", shown(&path));
        }
    }
}

#[test]
fn every_notation_file_is_declared() {
    let declared = code_of(&fs::read_to_string(here("src/notation/mod.rs")).unwrap());
    let names = named_after(&declared, "mod ");
    for path in files("src/notation") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        // Deeper files are declared by the files above them.
        if name != "mod" && path.parent() == Some(&here("src/notation")) {
            assert!(names.contains(&name), "src/notation/mod.rs has no `mod {name};`");
        }
    }
}

#[test]
fn the_table_of_notations_in_the_documents_is_current() {
    let (open, close) = ("<!-- notations -->", "<!-- /notations -->");
    let page = fs::read_to_string(here("docs/notations.md")).unwrap_or_default();
    let between = page.split_once(open).and_then(|(_, rest)| rest.split_once(close));
    let Some((table, _)) = between else {
        panic!(
            "docs/notations.md must hold the output of `pgnmill notations` between {open} and {close}"
        );
    };
    let output = pgnmill().arg("notations").output().unwrap();
    let current = String::from_utf8(output.stdout).unwrap();
    assert!(
        table.trim() == current.trim(),
        "the table between {open} and {close} in docs/notations.md is not the output of `pgnmill notations`:\n{current}"
    );
}

#[test]
fn literals_and_comments_are_blanked() {
    let source = "let a = \"{ \\\" fn\"; // fn {\nlet b: &'a str = r#\"}\"#; let c = '{'; let d = '\\''; /* } */ x";
    let code = code_of(source);
    assert_eq!(code.len(), source.len());
    assert!(!code.contains(['{', '}', '"']) && code.contains("&'a str") && code.ends_with(" x"));
    assert_eq!(code.matches('\n').count(), 1);
    let body =
        "fn a() {\n}\n    pub(super) const fn b<T>(\n    ) -> u8 {\n        {}\n    }\nfn c();\n";
    let found = functions(body);
    let expected = [("a", 0, 2), ("b", 2, 4), ("c", 6, 1)];
    assert_eq!(found, expected.map(|(name, first, lines)| (name.to_string(), first, lines)));
    let used =
        named_after("use crate::{board::{X, Z}, fault}; crate::pgn::Y; mycrate::z", "crate::");
    assert_eq!(used.into_iter().collect::<Vec<_>>(), ["board", "fault", "pgn"]);
}

//! The layout that CONTRIBUTING describes: imports in one direction, no circles between files, short files, functions and
//! lines, and a purpose at the top of every file.
//!
//! The sources are read as text: comments and literals are replaced by spaces, and the test modules at the end of files are
//! excluded. This is not a parser of Rust: it depends on the style that `cargo fmt` writes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{here, pgnmill};

/// Lines of a file, without its test module.
const FILE_LINES_MAX: usize = 800;
/// Lines of a function, from its `fn` to its closing brace.
const FUNCTION_LINES_MAX: usize = 70;
/// Parameters of a function, without `self`. A chart has seven: its texts, its axes and its rows.
const PARAMETERS_MAX: usize = 7;
/// Characters of a line of code: rustfmt keeps 100, except in the rows of macros and in lines with long literals, which it
/// does not break.
const CODE_COLUMNS_MAX: usize = 110;
/// Characters of a line with a comment.
const COMMENT_COLUMNS_MAX: usize = 120;

/// Pairs of files that may import each other: the tests of the guard read a map; the methods of a position and of a
/// replayer are in several files; the facts of a ply use the descriptive names of squares; a value of a tag pair
/// ends where another pair opens, of either kind.
const MAY_BE_CIRCLES: &[[&str; 2]] = &[
    ["archive/map", "archive/truncation_guard"],
    ["chess/attackers", "chess/position"],
    ["notation/descriptive", "notation/facts"],
    ["pgn/odd_pair", "pgn/tag"],
    ["replay/game", "replay/notes"],
];

/// Which crates of the project a crate may use: cargo refuses circles, not what is merely unwanted.
const CRATE_MAY_USE: &[(&str, &[&str])] = &[
    ("pgnmill", &["cli", "columns", "core", "io", "run", "simd"]),
    ("cli", &["columns", "core", "io", "run"]),
    ("run", &["columns", "core", "io", "report", "simd", "state"]),
    ("columns", &["core", "io", "state"]),
    // It reads the tables of a run, perhaps of another version; of the core it knows their declarations alone.
    ("report", &["core", "io"]),
    ("core", &["io", "simd", "state"]),
    ("io", &["simd", "state"]),
    // Values as bytes, for a run that goes on later.
    ("state", &[]),
    ("simd", &[]),
];

/// Which modules of the core a module of it may import, and which other crates.
const MODULE_MAY_USE: &[(&str, &[&str])] = &[
    (
        "tasks",
        &[
            "engine", "facts", "replay", "tables", "select", "openings", "notation", "pgn",
            "chess", "io", "simd", "state",
        ],
    ),
    ("engine", &["facts", "replay", "select", "notation", "pgn", "chess", "io", "simd", "state"]),
    // A language about games: it knows PGN and the replay, not archives or tasks.
    ("select", &["facts", "replay", "openings", "notation", "pgn", "chess", "state"]),
    // What a replay says of a game, as values: fields, columns and groups are made from it.
    ("facts", &["replay", "openings", "pgn", "chess"]),
    ("reader", &["engine", "replay", "select", "notation", "pgn", "chess", "io", "simd", "state"]),
    ("replay", &["pgn", "chess", "notation", "simd", "state"]),
    // Of PGN a notation may use the vocabulary: the rules for tokens of digits, and the names of deviations.
    ("notation", &["chess", "pgn", "simd", "state"]),
    // Which line opens a tag pair, and what is blank, is one rule for archives and for tokens.
    ("pgn", &["io", "simd"]),
    ("chess", &["simd", "state"]),
    // The registry of notations and its order; the names of openings.
    ("tables", &["facts", "openings", "notation", "chess"]),
    ("openings", &["chess", "notation"]),
];

/// The rooms of pgnmill-run, of which each may import those before it.
const ROOMS_OF_RUN: &[&str] = &[
    "host", "text", "explore", "ledger", "args", "plan", "outputs", "report", "journal", "run",
    "commands",
];
/// Files of a room of pgnmill-run, `mod.rs` included, without those of its folders.
const ROOM_FILES_MAX: usize = 15;

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Rust files below a folder of the repository, in order.
fn files(folder: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending = vec![here(folder)];
    while let Some(directory) = pending.pop() {
        let Ok(entries) = fs::read_dir(directory) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            if path.is_dir() {
                // The output of a build in a folder of sources.
                pending.extend((path.file_name().unwrap() != "target").then_some(path));
            } else if path.extension().is_some_and(|end| end == "rs") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

pub(crate) fn shown(path: &Path) -> String {
    path.strip_prefix(here("")).unwrap().display().to_string()
}

/// The source with comments and literals replaced by spaces, with the same lines.
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
                Some(c) if bytes.get(at + 1 + c.len_utf8()) == Some(&b'\'') => {
                    at + 2 + c.len_utf8()
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

/// Is a file, or the module of its folder, declared with `#[cfg(test)]`?
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
        || !folder.ends_with("src")
            && folder.components().any(|it| it.as_os_str() == "src")
            && is_for_tests(folder)
}

/// The code of a file without its test module; `None` if the file is for tests.
pub(crate) fn without_tests(path: &Path) -> Option<String> {
    if is_for_tests(path) {
        return None;
    }
    let source = fs::read_to_string(path).unwrap();
    let code = code_of(&source);
    let end = code.find("#[cfg(test)]\nmod tests {").unwrap_or(code.len());
    Some(code[..end].to_string())
}

/// The Rust files of all crates, in order.
pub(crate) fn sources() -> Vec<PathBuf> {
    let crates = CRATE_MAY_USE.iter().filter(|(name, _)| *name != "pgnmill");
    let crates = crates.map(|(name, _)| format!("crates/pgnmill-{name}/src"));
    crates.chain(["src".to_string()]).flat_map(|folder| files(&folder)).collect()
}

/// The crate of a file, without `pgnmill-`, and the folder of its sources.
fn crate_of(path: &Path) -> (String, PathBuf) {
    let folder = path.ancestors().find(|it| it.ends_with("src")).unwrap().to_path_buf();
    let name = folder.parent().filter(|it| *it != here("")).and_then(Path::file_name);
    let name = name.map(|it| it.to_string_lossy().trim_start_matches("pgnmill-").to_string());
    (name.unwrap_or_else(|| "pgnmill".to_string()), folder)
}

/// The top module of a file of the core.
fn top_module_of(path: &Path) -> String {
    let inside = path.strip_prefix(crate_of(path).1).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_string()
}

/// The items of a list in braces, without its opening brace.
fn outermost(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0;
    let ends = list.find(|c| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        depth < 0
    });
    let mut inner = 0;
    list[..ends.unwrap_or(list.len())]
        .split(move |c| {
            inner += i32::from(c == '{') - i32::from(c == '}');
            inner == 0 && c == ','
        })
        .map(str::trim)
}

/// Names that follow `prefix` in the code, also in braces.
fn named_after(code: &str, prefix: &str) -> BTreeSet<String> {
    let name = |text: &str| text.trim().split(|c| !is_name(c)).next().unwrap().to_string();
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

/// The crates of the project that code names, without `pgnmill_`.
fn crates_used(code: &str) -> BTreeSet<String> {
    let parts = code.split("pgnmill_").skip(1);
    parts
        .filter_map(|part| Some(part.split_once("::")?.0.to_string()))
        .filter(|it| it.chars().all(is_name))
        .collect()
}

#[test]
fn imports_have_one_direction() {
    let rule = |rules: &'static [(&str, &[&str])], name: &str, path: &Path| {
        let found = rules.iter().find(|entry| entry.0 == name);
        found.unwrap_or_else(|| panic!("{}: no rule for {name}", shown(path))).1
    };
    for path in sources() {
        let Some(code) = without_tests(&path) else { continue };
        let (own_crate, folder) = crate_of(&path);
        let used = crates_used(&code);
        let may_use = rule(CRATE_MAY_USE, &own_crate, &path);
        for used in &used {
            assert!(
                may_use.contains(&used.as_str()),
                "{}: {own_crate} may not use {used}",
                shown(&path)
            );
        }
        let module = top_module_of(&path);
        if own_crate == "core" && module != "lib" {
            let may_use = rule(MODULE_MAY_USE, &module, &path);
            for used in used.into_iter().chain(named_after(&code, "crate::")) {
                let known = used == module || may_use.contains(&used.as_str());
                assert!(known, "{}: {module} may not use {used}", shown(&path));
            }
            // `super` of a file directly in `src/` is the crate.
            let depth = path.strip_prefix(folder).unwrap().components().count();
            let out = "super::".repeat(depth);
            assert!(!code.contains(&out), "{}: leaves its module by {out}", shown(&path));
        }
    }
}

#[test]
fn every_module_has_a_rule_and_every_rule_a_module() {
    let of_core = files("crates/pgnmill-core/src");
    let modules: BTreeSet<String> = of_core.iter().map(|path| top_module_of(path)).collect();
    let ruled: BTreeSet<String> = MODULE_MAY_USE.iter().map(|entry| entry.0.to_string()).collect();
    let with_lib: BTreeSet<String> = ruled.into_iter().chain(["lib".to_string()]).collect();
    assert_eq!(modules, with_lib);
    let folders = fs::read_dir(here("crates")).unwrap().map(|entry| entry.unwrap().file_name());
    let crates: BTreeSet<String> = folders.map(|it| it.to_string_lossy().into_owned()).collect();
    let ruled = CRATE_MAY_USE.iter().filter(|entry| entry.0 != "pgnmill");
    assert_eq!(crates, ruled.map(|entry| format!("pgnmill-{}", entry.0)).collect());
}

/// The rooms of pgnmill-run import one way, and each can be read at one sitting.
#[test]
fn rooms_of_runs_have_one_order_and_few_files() {
    let folder = "crates/pgnmill-run/src";
    let mut counts: BTreeMap<PathBuf, usize> = BTreeMap::new();
    let mut rooms = BTreeSet::new();
    for path in files(folder) {
        let room = top_module_of(&path);
        *counts.entry(path.parent().unwrap().to_path_buf()).or_default() += 1;
        if room == "lib" {
            continue;
        }
        let place = |room: &str| ROOMS_OF_RUN.iter().position(|known| *known == room);
        let own = place(&room).unwrap_or_else(|| panic!("{}: no such room", shown(&path)));
        rooms.insert(room.clone());
        let Some(code) = without_tests(&path) else { continue };
        for used in named_after(&code, "crate::") {
            let Some(other) = place(&used) else { continue };
            assert!(other <= own, "{}: {room} may not use {used}", shown(&path));
        }
    }
    assert_eq!(rooms.len(), ROOMS_OF_RUN.len());
    for (folder, count) in counts {
        assert!(count <= ROOM_FILES_MAX, "{} has {count} files", shown(&folder));
    }
}

/// The lists of the walks name files that are there, and types that they declare.
#[test]
fn the_walks_of_the_architecture_are_those_of_the_code() {
    let page = fs::read_to_string(here("ARCHITECTURE.md")).unwrap();
    let section = page.split("### How long the walks are").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let mut count = 0;
    for link in section.split("[`").skip(1) {
        let (name, rest) = link.split_once("`](").unwrap();
        let path = rest.split(')').next().unwrap();
        let code = fs::read_to_string(here(path)).unwrap_or_else(|_| panic!("{path} is missing"));
        let last = name.rsplit("::").next().unwrap();
        let declares = ["struct", "enum", "fn", "trait"]
            .iter()
            .any(|what| code.contains(&format!("{what} {last}")));
        assert!(declares || path.ends_with(name), "{path} declares no {name}");
        count += 1;
    }
    assert!(count > 12, "{count}");
}

/// The page of scripts has each program, and nothing that is not there.
#[test]
fn every_script_is_run_by_somebody() {
    let page = fs::read_to_string(here("scripts/README.md")).unwrap();
    let rows = page.lines().filter(|line| line.starts_with("| `"));
    let cells = rows.filter_map(|line| line.split('|').nth(1));
    let named: BTreeSet<String> =
        cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_string).collect();
    let mut found = BTreeSet::new();
    let mut pending = vec![here("scripts")];
    while let Some(folder) = pending.pop() {
        for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.strip_prefix(here("scripts")).unwrap().display().to_string();
            let ending = path.extension().map(|it| it.to_string_lossy().into_owned());
            let is_program = matches!(ending.as_deref(), None | Some("py" | "rs" | "cpp"));
            match path.is_dir() {
                true if !["target", "queries", "__pycache__"]
                    .iter()
                    .any(|it| path.ends_with(it)) =>
                {
                    pending.push(path);
                }
                false if is_program && !name.contains("/.") && !name.starts_with('.') => {
                    found.insert(name);
                }
                _ => {}
            }
        }
    }
    assert_eq!(named, found);
}

#[test]
fn only_the_command_line_prints() {
    for path in sources() {
        let (module, _) = crate_of(&path);
        let Some(code) = without_tests(&path) else { continue };
        // A user can name the open file of standard error as an output: its copy is no message.
        let code = code.replace("stderr().as_fd()", "");
        for word in ["println!", "print!", "dbg!", "stderr()", "process::exit"] {
            let prints = code.contains(word) && (module != "cli" || word.ends_with('!'));
            assert!(!prints, "{}: {word}", shown(&path));
        }
        // An output named `-` is standard output.
        let writes = code.contains("stdout()")
            && module != "cli"
            && !path.parent().unwrap().ends_with("sink")
            && !path.ends_with("sink.rs");
        assert!(!writes, "{}: stdout()", shown(&path));
    }
}

#[test]
fn chess_reads_no_files_and_pgn_uses_no_chess() {
    for path in files("crates/pgnmill-core/src/pgn") {
        let code = without_tests(&path).unwrap_or_default();
        for word in ["chess", "notation", "Position", "Square", "Role"] {
            let names =
                named_after(&code, "::").contains(word) || named_after(&code, "").contains(word);
            assert!(!names, "{}: {word}", shown(&path));
        }
    }
    for path in files("crates/pgnmill-core/src/chess") {
        let code = without_tests(&path).unwrap_or_default();
        assert!(!code.contains("std::fs") && !code.contains("std::io"), "{}", shown(&path));
    }
}

#[test]
fn files_are_short() {
    for path in sources() {
        let Some(code) = without_tests(&path) else { continue };
        let lines = code.lines().count();
        assert!(lines <= FILE_LINES_MAX, "{} has {lines} lines", shown(&path));
    }
}

/// A function in the code.
#[derive(PartialEq, Debug)]
struct Function {
    name: String,
    /// Its first line, from 0.
    first: usize,
    lines: usize,
    /// Parameters without `self`.
    parameters: usize,
}

/// The number of parameters, without `self`, of a function whose code begins after `fn`.
fn parameters(code: &str) -> usize {
    let (mut depth, mut count, mut is_list, mut current) = (0, 0, false, String::new());
    let mut previous = ' ';
    for c in code.chars() {
        match c {
            '(' | '[' | '{' | '<' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            '>' if previous != '-' => depth -= 1,
            _ => {}
        }
        if !is_list {
            // The list begins after the generic parameters.
            is_list = c == '(' && depth == 1;
        } else if depth == 0 || depth == 1 && c == ',' {
            let name = current.trim();
            let is_self =
                name.trim_start_matches(['&', ' ']).split([':', ' ']).any(|w| w == "self");
            count += usize::from(!name.is_empty() && !is_self);
            current.clear();
            if depth == 0 {
                break;
            }
        } else {
            current.push(c);
        }
        previous = c;
    }
    count
}

fn functions(code: &str) -> Vec<Function> {
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
            for c in line.chars() {
                match c {
                    '{' => (depth, opened) = (depth + 1, true),
                    '}' => depth -= 1,
                    _ => {}
                }
            }
            let declared = !opened && line.ends_with(';');
            if opened && depth == 0 || declared {
                let signature = [after, "\n", &lines[first + 1..=last].join("\n")].concat();
                let parameters = parameters(&signature);
                found.push(Function { name, first, lines: last - first + 1, parameters });
                break;
            }
        }
    }
    found
}

#[test]
fn functions_are_short() {
    let mut count = 0;
    for path in sources().into_iter().chain(files("scripts")) {
        let Some(code) = without_tests(&path) else { continue };
        for Function { name, first, lines, parameters } in functions(&code) {
            count += 1;
            let function = format!("{}:{}: {name}", shown(&path), first + 1);
            assert!(lines <= FUNCTION_LINES_MAX, "{function} has {lines} lines");
            assert!(parameters <= PARAMETERS_MAX, "{function} has {parameters} parameters");
        }
    }
    assert!(count > 300, "only {count} functions were found");
}

#[test]
fn lines_are_short() {
    for path in sources().into_iter().filter(|path| !is_for_tests(path)) {
        let source = fs::read_to_string(&path).unwrap();
        let code = code_of(&source);
        for (number, (line, code)) in source.lines().zip(code.lines()).enumerate() {
            let is_comment = code.trim().is_empty() && line.trim_start().starts_with("//");
            let columns = line.chars().count();
            let columns = if is_comment { columns } else { columns.min(code.trim_end().len()) };
            // rustfmt leaves a line alone that has a long literal.
            let columns = if !is_comment && line.contains('"') { 0 } else { columns };
            let columns_max = if is_comment { COMMENT_COLUMNS_MAX } else { CODE_COLUMNS_MAX };
            assert!(columns <= columns_max, "{}:{}: {columns} columns", shown(&path), number + 1);
        }
    }
}

/// A module path, without `crate`.
type ModulePath = Vec<String>;

/// The paths of a `use` tree: each with the name that it declares.
fn expand(prefix: &[String], tree: &str, paths: &mut Vec<(ModulePath, String)>) {
    let tree = tree.trim();
    let Some((head, rest)) = tree.split_once("::") else {
        if let Some(list) = tree.strip_prefix('{') {
            outermost(list).for_each(|item| expand(prefix, item, paths));
        } else if !tree.is_empty() {
            let (name, alias) = tree.split_once(" as ").unwrap_or((tree, tree));
            let own = (name != "self").then(|| name.to_string());
            let path: ModulePath = prefix.iter().cloned().chain(own).collect();
            let declared = if alias == "self" { path.last().cloned() } else { None };
            paths.push((path, declared.unwrap_or_else(|| alias.trim().to_string())));
        }
        return;
    };
    match tree.strip_prefix('{') {
        Some(list) => outermost(list).for_each(|item| expand(prefix, item, paths)),
        None => expand(&[prefix, &[head.trim().to_string()]].concat(), rest, paths),
    }
}

/// What a file imports, and what it exports under another path.
#[derive(Default)]
struct Imports {
    used: Vec<ModulePath>,
    exported: BTreeMap<String, ModulePath>,
}

/// A file and its modules: `sources` has the code of each module.
struct Graph {
    sources: BTreeMap<ModulePath, String>,
    imports: BTreeMap<ModulePath, Imports>,
}

impl Graph {
    fn of(sources: BTreeMap<ModulePath, String>) -> Graph {
        let mut graph = Graph { sources, imports: BTreeMap::new() };
        let imports = graph.sources.iter().map(|(own, code)| (own.clone(), graph.read(own, code)));
        graph.imports = imports.collect();
        graph
    }

    /// The imports of a module: those of its `use` items, and paths in its code.
    fn read(&self, own: &[String], code: &str) -> Imports {
        let mut imports = Imports::default();
        let mut rest = String::new();
        for (index, item) in code.split("use ").enumerate() {
            let before = if index == 0 { "" } else { rest.rsplit('\n').next().unwrap_or_default() };
            let is_use = before.trim().is_empty() || before.trim_start().starts_with("pub");
            let Some((tree, after)) = item.split_once(';').filter(|_| index > 0 && is_use) else {
                rest.push_str(item);
                continue;
            };
            let is_public = before.trim_start().starts_with("pub");
            let mut paths = Vec::new();
            expand(&[], tree, &mut paths);
            for (path, name) in paths {
                let Some(path) = self.absolute(own, &path) else { continue };
                if is_public {
                    imports.exported.insert(name, path);
                } else {
                    imports.used.push(path);
                }
            }
            rest.push_str(after);
        }
        let children = self.sources.keys().filter(|path| path.starts_with(own));
        let children = children.filter(|path| path.len() == own.len() + 1);
        let heads = children.map(|path| path[own.len()].clone());
        for head in heads.chain(["crate", "super", "self"].map(String::from)) {
            for (at, _) in rest.match_indices(&format!("{head}::")) {
                if rest[..at].ends_with(|c| is_name(c) || c == ':' || c == '$') {
                    continue;
                }
                let path = rest[at..].split(|c| !is_name(c) && c != ':').next().unwrap_or_default();
                let path: ModulePath = path.split("::").map(str::to_string).collect();
                imports.used.extend(self.absolute(own, &path));
            }
        }
        imports
    }

    /// The absolute path of a path in a module; `None` if it is of another crate.
    fn absolute(&self, own: &[String], path: &[String]) -> Option<ModulePath> {
        match path.first()?.as_str() {
            "crate" => Some(path[1..].to_vec()),
            "self" => self.absolute_in(own, &path[1..]),
            "super" => self.absolute_in(&own[..own.len().checked_sub(1)?], &path[1..]),
            head => {
                let is_child = self.sources.contains_key(&[own, &[head.to_string()]].concat());
                is_child.then(|| [own, path].concat())
            }
        }
    }

    fn absolute_in(&self, module: &[String], path: &[String]) -> Option<ModulePath> {
        match path.first().map(String::as_str) {
            Some("super") => self.absolute(module, path),
            _ => Some([module, path].concat()),
        }
    }

    /// The module that declares an item: re-exports are followed.
    fn owner(&self, path: &[String], depth: usize) -> Option<ModulePath> {
        let len = (0..=path.len()).rev().find(|&len| self.sources.contains_key(&path[..len]))?;
        let exported = path.get(len).and_then(|name| self.imports[&path[..len]].exported.get(name));
        match exported {
            Some(other) if depth < 8 => self.owner(&[other, &path[len + 1..]].concat(), depth + 1),
            _ => Some(path[..len].to_vec()),
        }
    }

    /// The imports between files that are part of a circle, but for what a submodule imports from its own
    /// module: a module may use its submodules, and they its names, as one unit.
    fn circles(&self) -> BTreeSet<(ModulePath, ModulePath)> {
        let mut edges: BTreeSet<(ModulePath, ModulePath)> = BTreeSet::new();
        for (own, imports) in &self.imports {
            let owners = imports.used.iter().filter_map(|path| self.owner(path, 0));
            edges.extend(
                owners.filter(|other| !own.starts_with(other)).map(|other| (own.clone(), other)),
            );
        }
        loop {
            let count = edges.len();
            let from: BTreeSet<ModulePath> = edges.iter().map(|edge| edge.0.clone()).collect();
            let to: BTreeSet<ModulePath> = edges.iter().map(|edge| edge.1.clone()).collect();
            edges.retain(|(one, other)| to.contains(one) && from.contains(other));
            if edges.len() == count {
                break;
            }
        }
        let mut reached: BTreeMap<ModulePath, BTreeSet<ModulePath>> = BTreeMap::new();
        for (one, _) in &edges {
            let mut pending = vec![one.clone()];
            let reached = reached.entry(one.clone()).or_default();
            while let Some(file) = pending.pop() {
                let next = edges.iter().filter(|edge| edge.0 == file).map(|edge| edge.1.clone());
                pending.extend(next.filter(|other| reached.insert(other.clone())));
            }
        }
        edges.retain(|(one, other)| reached.get(other).is_some_and(|files| files.contains(one)));
        edges
    }
}

/// Two files that import each other can only be read together. Re-exports are not imports, and a submodule may use names of
/// its own module.
#[test]
fn files_do_not_import_in_circles() {
    let mut of_crates: BTreeMap<String, BTreeMap<ModulePath, String>> = BTreeMap::new();
    for path in sources() {
        let Some(code) = without_tests(&path) else { continue };
        let (own_crate, folder) = crate_of(&path);
        let inside = path.strip_prefix(folder).unwrap().with_extension("");
        let names = inside.components().map(|name| name.as_os_str().to_string_lossy().into_owned());
        // The root of a crate is the empty path.
        let module: ModulePath = names.filter(|name| name != "mod" && name != "lib").collect();
        of_crates.entry(own_crate).or_default().insert(module, code);
    }
    let may_be = |one: &str, other: &str| {
        MAY_BE_CIRCLES.iter().any(|pair| pair.contains(&one) && pair.contains(&other))
    };
    let mut edges = 0;
    for (name, sources) in of_crates {
        let graph = Graph::of(sources);
        edges += graph.imports.values().map(|imports| imports.used.len()).sum::<usize>();
        let mut circles = graph.circles();
        circles.retain(|(one, other)| !may_be(&one.join("/"), &other.join("/")));
        let shown =
            circles.iter().map(|(one, other)| format!("{} -> {}", one.join("/"), other.join("/")));
        assert!(circles.is_empty(), "circles of {name}:\n{}", shown.collect::<Vec<_>>().join("\n"));
    }
    assert!(edges > 500, "only {edges} imports were found");
}

#[test]
fn circles_are_found() {
    let graph = |sources: [(&str, &str); 4]| {
        let path = |name: &str| -> ModulePath { name.split('/').map(str::to_string).collect() };
        Graph::of(sources.map(|(name, code)| (path(name), code.to_string())).into()).circles()
    };
    let facade = ("a", "mod b;\npub use b::X;\npub(crate) use c::{self, Y as Z};\nmod c;\n");
    let one = ("a/b", "use super::c::{self, Y};\nuse std::fmt;\n");
    assert!(graph([facade, one, ("a/c", ""), ("d", "use crate::a::{X, Z};\n")]).is_empty());
    // Through the facade, through a path in the code, and through two files.
    for (c, d) in [
        ("use crate::a::X;\n", ""),
        ("fn f(x: super::b::X) {}", ""),
        ("use crate::d;\n", "use crate::{\n    a::{X},\n};\n"),
    ] {
        assert!(!graph([facade, one, ("a/c", c), ("d", d)]).is_empty(), "{c} {d}");
    }
    // Through a module that uses its submodule.
    let uses = ("a", "mod b;\nfn f() { b::g() }\n");
    let others = [("a/b", "use crate::d;\n"), ("c", "")];
    assert!(!graph([uses, others[0], others[1], ("d", "use crate::a::f;\n")]).is_empty());
    assert!(graph([uses, others[0], others[1], ("d", "")]).is_empty());
}

#[test]
fn every_file_begins_with_its_purpose() {
    for folder in ["src", "crates", "tests", "scripts", "benches", "fuzz"] {
        for path in files(folder) {
            let source = fs::read_to_string(&path).unwrap();
            assert!(source.starts_with("//! "), "{} opens without `//! `", shown(&path));
        }
    }
}

#[test]
fn every_notation_file_is_declared() {
    let declared =
        code_of(&fs::read_to_string(here("crates/pgnmill-core/src/notation/mod.rs")).unwrap());
    let names = named_after(&declared, "mod ");
    for path in files("crates/pgnmill-core/src/notation") {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        // Deeper files are declared by the files above them.
        if name != "mod" && path.parent() == Some(&here("crates/pgnmill-core/src/notation")) {
            assert!(names.contains(&name), "notation/mod.rs has no `mod {name};`");
        }
    }
}

#[test]
fn the_table_of_notations_in_the_documents_is_current() {
    let (open, close) = ("<!-- notations -->", "<!-- /notations -->");
    let page = fs::read_to_string(here("docs/reference/notations.md")).unwrap_or_default();
    let between = page.split_once(open).and_then(|(_, rest)| rest.split_once(close));
    let Some((table, _)) = between else {
        panic!(
            "docs/reference/notations.md must hold the output of `pgnmill notations` between {open} and {close}"
        );
    };
    let output = pgnmill().arg("notations").output().unwrap();
    let current = String::from_utf8(output.stdout).unwrap();
    assert!(
        table.trim() == current.trim(),
        "the table between {open} and {close} in docs/reference/notations.md is not the output of `pgnmill notations`:\n{current}"
    );
}

#[test]
fn literals_and_comments_are_replaced_by_spaces() {
    let source = "let a = \"{ \\\" fn\"; // fn {\nlet b: &'a str = r#\"}\"#; let c = '{'; let d = '\\''; /* } */ x";
    let code = code_of(source);
    assert_eq!(code.len(), source.len());
    assert!(!code.contains(['{', '}', '"']) && code.contains("&'a str") && code.ends_with(" x"));
    assert_eq!(code.matches('\n').count(), 1);
    let body = "fn a() {\n}\n    pub(super) const fn b<T>(&mut self, a: (A, B), b: impl Fn(C, D) -> E,\n    ) -> u8 {\n        {}\n    }\nfn c();\n";
    let found = functions(body);
    let expected = [("a", 0, 2, 0), ("b", 2, 4, 2), ("c", 6, 1, 0)];
    let expected = expected.map(|(name, first, lines, parameters)| {
        let name = name.to_string();
        Function { name, first, lines, parameters }
    });
    assert_eq!(found, expected);
    let used =
        named_after("use crate::{board::{X, Z}, fault}; crate::pgn::Y; mycrate::z", "crate::");
    assert_eq!(used.into_iter().collect::<Vec<_>>(), ["board", "fault", "pgn"]);
}

//! Mutation tests: small changes of the code, one at a time, each of which a test should notice.
//!
//! In: the package, the number of mutants, a seed. Out: `target/mutants/results.tsv`, one line per mutant with its outcome, and
//! a summary. All mutants are compiled at once, each with a switch that the environment enables (mutant schemata), because the
//! package takes a minute to compile and a test often less than a second. A run that was stopped continues from there.
//!
//! `scripts/mutants/run --count 420 --seed 1 --minutes 60 --modules notation,replay,tasks,columns,engine,sink`

mod compile;
mod find;
mod rewrite;
mod run;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use find::{Candidate, Change, candidates};
use rewrite::Mutant;
use run::Runner;

/// The options.
#[derive(Debug)]
struct Options {
    count: usize,
    seed: u64,
    minutes: u64,
    /// The number of stages of tests, from the shortest; a run with more stages tests the mutants that are left.
    stages: usize,
    /// `true` if the mutants are only listed.
    list: bool,
    /// Mutants at a time.
    jobs: usize,
    modules: Vec<String>,
    /// Numbers of mutants; all if empty.
    only: Vec<u32>,
    /// Parts of names of tests; all if empty.
    tests: Vec<String>,
}

fn options() -> Options {
    let mut options = Options {
        count: 420,
        seed: 1,
        minutes: 60,
        stages: 4,
        list: false,
        jobs: 2,
        modules: Vec::new(),
        only: Vec::new(),
        tests: Vec::new(),
    };
    let mut modules = "notation,replay,tasks,columns,engine,sink".to_string();
    let mut args = std::env::args().skip(1);
    while let Some(name) = args.next() {
        let value = args.next().unwrap_or_default();
        match name.as_str() {
            "--count" => options.count = value.parse().expect("a count"),
            "--seed" => options.seed = value.parse().expect("a seed"),
            "--minutes" => options.minutes = value.parse().expect("minutes"),
            "--list" => options.list = value == "yes",
            "--stages" => options.stages = value.parse().expect("1 to 4"),
            "--jobs" => options.jobs = value.parse().expect("a number"),
            "--modules" => modules = value,
            "--only" => {
                options.only = value.split(',').map(|n| n.parse().expect("numbers")).collect()
            }
            "--tests" => options.tests = value.split(',').map(String::from).collect(),
            _ => panic!(
                "{name}? --count, --seed, --minutes, --stages, --list, --jobs, --modules, --only, --tests"
            ),
        }
    }
    options.modules = modules.split(',').map(String::from).collect();
    options
}

/// Where the modules of the crates are searched, in this order: some names are those of a file of the command line, too.
const CRATES: [&str; 8] = ["core", "io", "columns", "report", "simd", "state", "run", "cli"];

/// The file and the folder of a module at the top of a crate, as far as they exist; of a crate, named without `pgnmill-`, all.
fn places(package: &Path, module: &str) -> Vec<PathBuf> {
    let folder = |name: &str| package.join(format!("crates/pgnmill-{name}/src"));
    let of_crate =
        |name: &str| vec![folder(name).join(format!("{module}.rs")), folder(name).join(module)];
    let all = std::iter::once(vec![folder(module)]).chain(CRATES.map(of_crate));
    let existing = |paths: Vec<PathBuf>| paths.into_iter().filter(|path| path.exists()).collect();
    let found = all.map(existing).find(|paths: &Vec<PathBuf>| !paths.is_empty());
    found.unwrap_or_else(|| panic!("no crate is {module} or has this module"))
}

/// The sources of the modules, those that are compiled for tests only left out; in the order of the modules.
fn sources(package: &Path, modules: &[String]) -> Vec<String> {
    let mut found = Vec::new();
    for module in modules {
        let mut pending = places(package, module);
        let mut files = Vec::new();
        while let Some(path) = pending.pop() {
            if path.is_dir() {
                let entries = fs::read_dir(path).expect("a folder");
                pending.extend(entries.map(|entry| entry.expect("an entry").path()));
            } else if path.extension().is_some_and(|end| end == "rs") {
                files.push(path);
            }
        }
        files.sort();
        found.extend(files);
    }
    let tests: Vec<PathBuf> = found.iter().flat_map(|path| test_files(path)).collect();
    found.retain(|path| {
        !tests.iter().any(|test| path.starts_with(test) || *path == test.with_extension("rs"))
    });
    let name = |path: &PathBuf| path.strip_prefix(package).expect("in it").display().to_string();
    found.iter().map(name).collect()
}

/// The modules that a file declares for tests, as paths without an ending.
fn test_files(path: &Path) -> Vec<PathBuf> {
    let source = fs::read_to_string(path).expect("a source");
    let folder = match path.file_stem().and_then(|stem| stem.to_str()) {
        Some("mod" | "lib") => path.parent().expect("a folder").to_path_buf(),
        _ => path.with_extension(""),
    };
    let declared = source.split("#[cfg(test)]\n").skip(1).filter_map(|rest| {
        let item = rest.split_once(';')?.0;
        let named = item.split_once("path = \"").and_then(|(_, rest)| rest.split_once(".rs\""));
        let module = item.trim().rsplit_once("mod ")?.1;
        Some(match named {
            Some((file, _)) => path.with_file_name(file),
            None => folder.join(module),
        })
    });
    declared.filter(|path| !path.to_string_lossy().contains(['{', '\n'])).collect()
}

/// Random numbers with a seed (SplitMix64).
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }
}

/// A sample: from each file in proportion to the square root of its mutants, so that short files are included.
fn sample(
    files: &BTreeMap<usize, Vec<Candidate>>,
    count: usize,
    seed: u64,
) -> Vec<(usize, Candidate)> {
    let weight = |candidates: &Vec<Candidate>| (candidates.len() as f64).sqrt();
    let sum: f64 = files.values().map(weight).sum();
    let mut dice = Dice(seed);
    let mut taken = Vec::new();
    for (&file, candidates) in files {
        let share = (count as f64 * weight(candidates) / sum).ceil() as usize;
        let mut rest = candidates.clone();
        let mut mine = Vec::new();
        while mine.len() < share && !rest.is_empty() {
            let place = (dice.roll() % rest.len() as u64) as usize;
            mine.push((file, rest.swap_remove(place)));
        }
        mine.sort_by_key(|(_, found)| (found.start, std::cmp::Reverse(found.end)));
        taken.extend(mine);
    }
    taken
}

/// The sampled mutants with their numbers.
fn chosen(package: &Path, options: &Options) -> Vec<Mutant> {
    let names = sources(package, &options.modules);
    let texts: Vec<String> = names
        .iter()
        .map(|name| fs::read_to_string(package.join(name)).expect("a source"))
        .collect();
    let found: BTreeMap<usize, Vec<Candidate>> =
        texts.iter().map(|text| candidates(text)).enumerate().collect();
    let all: usize = found.values().map(Vec::len).sum();
    let taken = sample(&found, options.count, options.seed);
    println!("{} of {all} mutants, in {} files", taken.len(), names.len());
    let mutants = taken.into_iter().enumerate().map(|(index, (file, found))| {
        let source = &texts[file];
        let before = match found.change {
            Change::Replace(_) | Change::Delete => source[found.start..found.end].to_string(),
            Change::Return(_) => function_name(source, found.start),
            Change::Arm => {
                source[..found.start].rsplit('\n').next().unwrap_or_default().to_string()
            }
        };
        let after = match &found.change {
            Change::Replace(text) => text.clone(),
            Change::Delete => "(left out)".into(),
            Change::Return(text) => format!("return {text}"),
            Change::Arm => "(never)".into(),
        };
        let line = |text: String| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (before, after) = (line(before), line(after));
        Mutant { number: index as u32 + 1, file: names[file].clone(), found, before, after }
    });
    mutants.collect()
}

fn function_name(source: &str, at: usize) -> String {
    let name = source[..at].rsplit("fn ").next().unwrap_or_default();
    format!("fn {}", name.split(['(', '<']).next().unwrap_or_default())
}

/// The beginning of a line of the results.
fn label(mutant: &Mutant) -> String {
    let Mutant { number, file, found, before, after, .. } = mutant;
    // The crate and the file in it.
    let file = file.trim_start_matches("crates/pgnmill-").replacen("/src/", "/", 1);
    format!("{number}\t{file}:{}\t{}\t{before}\t{after}", found.line, found.operator)
}

fn main() {
    let options = options();
    let package =
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("a package");
    let home = package.join("target/mutants");
    let copy = home.join("copy/pgnmill");
    fs::create_dir_all(&copy).expect("a folder");
    let mut mutants = chosen(&package, &options);
    if options.list {
        mutants.iter().for_each(|mutant| println!("{}", label(mutant)));
        return;
    }
    let names: BTreeSet<String> = mutants.iter().map(|mutant| mutant.file.clone()).collect();
    compile::copy(&package, &copy, &names);
    // Mutants that did not compile in an earlier run: otherwise the tests would be compiled again.
    let refused = home.join("refused.tsv");
    let known = fs::read_to_string(&refused).unwrap_or_default();
    mutants.retain(|mutant| !known.lines().any(|line| line == label(mutant)));
    let before: Vec<String> = mutants.iter().map(label).collect();
    compile::put_in(&package, &copy, &home.join("build"), &mut mutants);
    let after: BTreeSet<String> = mutants.iter().map(label).collect();
    let refused_now = before.into_iter().filter(|label| !after.contains(label));
    let lines: String =
        known.lines().map(String::from).chain(refused_now).map(|l| l + "\n").collect();
    fs::write(refused, lines).expect("a file");
    println!("{} mutants compile; building the tests", mutants.len());
    let programs = compile::tests(&copy, &home.join("build"));
    assert!(!programs.is_empty(), "the tests do not compile");

    let memory = Path::new("/dev/shm");
    let scratch = if memory.is_dir() { memory } else { &home };
    let scratch = scratch.join(format!("pgnmill-mutants-{}", std::process::id()));
    let runner = Runner { programs, copy, scratch: scratch.clone() };
    let measured = home.join("tests.tsv");
    let mut hasher = DefaultHasher::new();
    mutants.iter().map(label).for_each(|label| label.hash(&mut hasher));
    let of = format!("of the mutants {:016x}\n", hasher.finish());
    let known = run::load(&measured, &runner.programs, &of);
    let tests = runner.measure(&options.tests, options.jobs, known);
    run::save(&measured, &runner.programs, &of, &tests);
    let tests: Vec<run::Test> = tests
        .into_iter()
        .filter(|test| {
            let full = format!("{}::{}", runner.programs[test.program].name, test.name);
            options.tests.is_empty() || options.tests.iter().any(|part| full.contains(part))
        })
        .collect();
    println!("{} tests, {:.0} s", tests.len(), tests.iter().map(|test| test.seconds).sum::<f64>());
    judge_all(&options, &home, &runner, &tests, &mutants);
    let _ = fs::remove_dir_all(scratch);
}

/// Tests the mutants that no earlier run has tested, some at a time, and prints the number of each outcome.
fn judge_all(
    options: &Options,
    home: &Path,
    runner: &Runner,
    tests: &[run::Test],
    mutants: &[Mutant],
) {
    let results = home.join("results.tsv");
    let known = fs::read_to_string(&results).unwrap_or_default();
    let file = fs::OpenOptions::new().create(true).append(true).open(&results).expect("a file");
    let end = Instant::now() + Duration::from_secs(60 * options.minutes);
    let counts: Mutex<BTreeMap<String, usize>> = Mutex::default();
    let queue = Mutex::new(mutants.iter());
    let work = &|worker: usize| {
        while let Some(mutant) = queue.lock().expect("no worker panics").next() {
            let label = label(mutant);
            let asked = options.only.contains(&mutant.number);
            if !asked && !options.only.is_empty() {
                continue;
            }
            let before = known.lines().rfind(|line| line.starts_with(&format!("{label}\t")));
            let before = before.map(|line| &line[label.len() + 1..]).unwrap_or_default();
            let before = before.split('\t').next().unwrap_or_default();
            let judged = before.strip_prefix("left ").map(|stages| stages.parse().unwrap_or(0));
            // A tested mutant is not tested again, unless its number is requested.
            let from = if asked { 0 } else { judged.unwrap_or(0) };
            let is_known = !before.is_empty() && judged.is_none() || from >= options.stages;
            let outcome = match before {
                known if is_known && !asked => known.to_string(),
                _ if Instant::now() > end => continue,
                _ => {
                    let start = Instant::now();
                    let (outcome, by) =
                        runner.judge(mutant.number, tests, from..options.stages, worker).named();
                    let seconds = start.elapsed().as_secs_f64();
                    // One call, so that lines of several workers stay whole.
                    let line = format!("{label}\t{outcome}\t{by}\t{seconds:.1}\n");
                    // A selection of tests can kill a mutant; that it survives implies nothing about the other tests.
                    let counts = options.tests.is_empty() || by.contains("::");
                    if counts {
                        (&file).write_all(line.as_bytes()).expect("the results");
                    }
                    if asked {
                        print!("{line}");
                    }
                    outcome
                }
            };
            *counts.lock().expect("no worker panics").entry(outcome).or_default() += 1;
        }
    };
    std::thread::scope(|scope| {
        for worker in 0..options.jobs {
            scope.spawn(move || work(worker));
        }
    });
    println!("{:?}", counts.lock().expect("no worker panics"));
}

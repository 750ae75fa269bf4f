//! Runs the tests that reach a mutant, one mutant after the other.
//!
//! In: the test programs. Out: for each mutant the test that failed, or that it survived. First each test runs alone without a
//! mutant and records which mutants it reaches and how long it takes: a mutant requires only those tests, the shortest first.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::ops::Range;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::compile::TestProgram;

/// No mutant may take more memory than this, or write longer files.
const MEMORY_MAX: u64 = 8 << 30;
const FILE_MAX: u64 = 2 << 30;
/// A test that takes longer without a mutant is left out.
const BASE_MAX: Duration = Duration::from_secs(400);
/// Limits of the stages, by the total time of their tests, in seconds.
const STAGES: [f64; 4] = [1.0, 5.0, 25.0, f64::INFINITY];
/// Bytes of the map of reached mutants; as in the switch.
const MAP_BYTES: usize = 1 << 16;

/// One test of a program.
#[derive(Clone, Debug)]
pub struct Test {
    pub program: usize,
    pub name: String,
    pub seconds: f64,
    pub reached: Vec<u32>,
}

/// The outcome of a mutant.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A test failed: its name and stage.
    Killed {
        by: String,
        stage: usize,
    },
    /// A test took too long.
    Endless {
        by: String,
        stage: usize,
    },
    Survived,
    /// The tests of the longer stages were not run.
    Left {
        stages: usize,
    },
    /// No test reaches it.
    Unreached,
}

impl Outcome {
    /// The outcome and the test that decided it, for the list.
    pub fn named(self) -> (String, String) {
        match self {
            Outcome::Killed { by, stage } => (format!("killed {}", stage + 1), by),
            Outcome::Endless { by, stage } => (format!("endless {}", stage + 1), by),
            Outcome::Left { stages } => (format!("left {stages}"), String::new()),
            Outcome::Survived => ("survived".into(), String::new()),
            Outcome::Unreached => ("unreached".into(), String::new()),
        }
    }
}

/// The test programs and their folder.
#[derive(Debug)]
pub struct Runner {
    pub programs: Vec<TestProgram>,
    pub copy: PathBuf,
    pub scratch: PathBuf,
}

enum Ended {
    Passed,
    Failed(String),
    TimedOut,
}

impl Runner {
    fn command(&self, program: usize) -> Command {
        let TestProgram { path, folder, .. } = &self.programs[program];
        let mut command = Command::new(path);
        command
            .current_dir(folder)
            .env("CARGO_MANIFEST_DIR", folder)
            .env("PROPTEST_DISABLE_FAILURE_PERSISTENCE", "1")
            .env("PROPTEST_RNG_SEED", "1")
            .env("PROPTEST_MAX_SHRINK_ITERS", "0")
            .env_remove("PGNMILL_MUTANT")
            .env_remove("PGNMILL_REACHED")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .process_group(0);
        let limit = |what, most| {
            let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
            // SAFETY: the limit is valid for the call.
            unsafe { libc::setrlimit(what, &limit) };
        };
        // SAFETY: a system call, which allocates nothing, between fork and exec.
        unsafe {
            command.pre_exec(move || {
                limit(libc::RLIMIT_AS, MEMORY_MAX);
                limit(libc::RLIMIT_FSIZE, FILE_MAX);
                limit(libc::RLIMIT_CORE, 0);
                Ok(())
            });
        }
        command
    }

    /// Runs tests until one fails or the time is over; ends all their processes.
    fn run(&self, mut command: Command, limit: Duration, worker: usize) -> Ended {
        let scratch = self.scratch.join(worker.to_string());
        let _ = fs::remove_dir_all(&scratch);
        fs::create_dir_all(&scratch).expect("a folder for the tests");
        command.env("TMPDIR", scratch);
        let mut child = command.spawn().expect("a test program");
        let (send, receive) = channel();
        let stdout = child.stdout.take().expect("it is piped");
        let reader = std::thread::spawn(move || {
            for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
                if send.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    break;
                }
            }
        });
        let end = Instant::now() + limit;
        let ended = loop {
            match receive.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(line) => {
                    if let Some(name) =
                        line.strip_suffix("FAILED").and_then(|l| l.strip_prefix("test "))
                        && !name.starts_with("result")
                    {
                        break Ended::Failed(name.trim_end_matches([' ', '.']).to_string());
                    }
                }
                Err(RecvTimeoutError::Timeout) => break Ended::TimedOut,
                Err(RecvTimeoutError::Disconnected) => match child.wait() {
                    Ok(status) if status.success() => break Ended::Passed,
                    _ => break Ended::Failed("the program ended".into()),
                },
            }
        };
        // SAFETY: the group is that of the child, which was not waited for unless it ended by itself.
        unsafe { libc::kill(-(child.id() as i32), libc::SIGKILL) };
        let _ = child.wait();
        drop(receive);
        let _ = reader.join();
        ended
    }

    /// Every test without an earlier measurement, with the mutants that it reaches; tests that fail without a mutant are left out.
    pub fn measure(&self, only: &[String], jobs: usize, known: Vec<Test>) -> Vec<Test> {
        let mut names = Vec::new();
        for program in 0..self.programs.len() {
            let listed = self.command(program).args(["--list", "--format", "terse"]).output();
            let listed = String::from_utf8(listed.expect("a test program").stdout).expect("names");
            for name in listed.lines().filter_map(|line| line.strip_suffix(": test")) {
                let full = format!("{}::{name}", self.programs[program].name);
                let is_known =
                    known.iter().any(|test| test.program == program && test.name == name);
                if !is_known && (only.is_empty() || only.iter().any(|part| full.contains(part))) {
                    names.push((program, name.to_string(), full));
                }
            }
        }
        let (queue, tests) = (Mutex::new(names.into_iter()), Mutex::new(known));
        let next = || queue.lock().expect("no worker panics").next();
        let work = &|worker: usize| {
            while let Some((program, name, full)) = next() {
                match self.measure_one(program, &name, worker) {
                    Some(test) => tests.lock().expect("no worker panics").push(test),
                    None => println!("left out: {full} fails without a mutant"),
                }
            }
        };
        std::thread::scope(|scope| {
            for worker in 0..jobs {
                scope.spawn(move || work(worker));
            }
        });
        let mut tests = tests.into_inner().expect("no worker panics");
        tests.sort_by(|one: &Test, other| one.seconds.total_cmp(&other.seconds));
        tests
    }

    fn measure_one(&self, program: usize, name: &str, worker: usize) -> Option<Test> {
        let map = self.copy.with_file_name(format!("reached-{worker}"));
        fs::write(&map, vec![0; MAP_BYTES]).expect("a file for the reached mutants");
        let mut command = self.command(program);
        command.args(["--exact", name]).env("PGNMILL_REACHED", &map);
        let start = Instant::now();
        let ended = self.run(command, BASE_MAX, worker);
        let seconds = start.elapsed().as_secs_f64();
        let bytes = fs::read(&map).expect("it was written");
        let reached = (0..MAP_BYTES as u32).filter(|&n| bytes[n as usize] != 0).collect();
        let passed = matches!(ended, Ended::Passed);
        passed.then(|| Test { program, name: name.to_string(), seconds, reached })
    }

    /// Runs the tests of these stages that reach the mutant, shortest first, until one fails.
    pub fn judge(
        &self,
        number: u32,
        tests: &[Test],
        stages: Range<usize>,
        worker: usize,
    ) -> Outcome {
        let reaching: Vec<&Test> =
            tests.iter().filter(|test| test.reached.contains(&number)).collect();
        if reaching.is_empty() {
            return Outcome::Unreached;
        }
        let mut rest = reaching.as_slice();
        for (stage, most) in STAGES.into_iter().enumerate() {
            if rest.is_empty() {
                break;
            }
            if stage == stages.end {
                return Outcome::Left { stages: stage };
            }
            let mut sum = 0.0;
            let taken = rest.iter().take_while(|test| {
                sum += test.seconds;
                sum <= most
            });
            let (now, later) = rest.split_at(taken.count());
            rest = later;
            if stage < stages.start {
                continue;
            }
            let mut groups: BTreeMap<usize, Vec<&Test>> = BTreeMap::new();
            for test in now {
                groups.entry(test.program).or_default().push(test);
            }
            for (program, tests) in groups {
                let seconds: f64 = tests.iter().map(|test| test.seconds).sum();
                let mut command = self.command(program);
                command.arg("--exact").args(tests.iter().map(|test| &test.name));
                command.env("PGNMILL_MUTANT", number.to_string());
                let by = |name: &str| format!("{}::{name}", self.programs[program].name);
                let limit = Duration::from_secs_f64(30.0 + 6.0 * seconds);
                match self.run(command, limit, worker) {
                    Ended::Passed => {}
                    Ended::Failed(name) => return Outcome::Killed { by: by(&name), stage },
                    Ended::TimedOut => return Outcome::Endless { by: by(&tests[0].name), stage },
                }
            }
        }
        Outcome::Survived
    }
}

/// Tests that were measured before with the same mutants, so that a run can continue.
pub fn load(path: &Path, programs: &[TestProgram], mutants: &str) -> Vec<Test> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let tests = text.strip_prefix(mutants).unwrap_or_default().lines().map(|line| {
        let mut fields = line.split('\t');
        let program = fields.next()?;
        let program = programs.iter().position(|other| other.name == program)?;
        let (name, seconds) = (fields.next()?.to_string(), fields.next()?.parse().ok()?);
        let reached = fields.next()?.split_whitespace().filter_map(|n| n.parse().ok()).collect();
        Some(Test { program, name, seconds, reached })
    });
    tests.flatten().collect()
}

/// Saves the measurements.
pub fn save(path: &Path, programs: &[TestProgram], mutants: &str, tests: &[Test]) {
    let lines = tests.iter().map(|test| {
        let reached: Vec<String> = test.reached.iter().map(u32::to_string).collect();
        let program = &programs[test.program].name;
        format!("{program}\t{}\t{:.3}\t{}\n", test.name, test.seconds, reached.join(" "))
    });
    fs::write(path, mutants.to_string() + &lines.collect::<String>()).expect("a file");
}

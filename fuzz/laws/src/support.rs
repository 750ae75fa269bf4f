//! Runs archives through the whole pipeline, in this process, and keeps what came of each.
//!
//! In: stored bytes, a [`Run`], that is a task and its settings. Out: a [`Ledger`] for each archive. The files lie in a
//! folder of their own that is gone when it is dropped.

use std::fs;
use std::ops::{Deref, DerefMut};
use std::process::Command;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use pgnmill::archive::{Archive, Input, Options};
use pgnmill::engine::{self, Base, Consumer, Facts, JobResult, Rejects, Settings};
use pgnmill::error::Result;
use pgnmill::machine::Level;
use pgnmill::notation::{NOTATIONS, Notation};
use pgnmill::pgn::deviation::{Deviation, Profile};
use pgnmill::replay::Counts;
use pgnmill::tasks::convert::Rewritten;
use pgnmill::tasks::export::Rows;
use pgnmill::tasks::measure::Measured;
pub use pgnmill::tasks::{Convert, Export, Measure, Validate};
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::scratch::Scratch;

/// What an archive came to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    pub text_bytes: u64,
    pub rejected_bytes: u64,
    pub damaged_bytes: u64,
    pub counts: Counts,
    pub out: Vec<u8>,
    pub rejects: Vec<u8>,
    pub faults: Vec<Fault>,
}

/// A rejected game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: &'static str,
    pub offset: u64,
    pub line: u64,
    pub column: u64,
    pub game: u64,
    pub ply: u32,
    pub text: String,
    pub detail: String,
}

impl Ledger {
    /// The deviations that occurred, `name` or `name*3`, in the order of the list.
    pub fn deviations(&self) -> Vec<String> {
        let met = |&deviation: &Deviation| match self.counts.deviations[deviation as usize] {
            0 => None,
            1 => Some(deviation.name().to_string()),
            n => Some(format!("{}*{n}", deviation.name())),
        };
        Deviation::ALL.iter().filter_map(met).collect()
    }

    /// Accepted, repaired, rejected.
    pub fn verdicts(&self) -> (u64, u64, u64) {
        (self.counts.accepted, self.counts.repaired, self.counts.rejected)
    }

    /// Holds what must hold on any bytes: `text` is what the archive's text is known to be.
    #[track_caller]
    pub fn check(&self, text_bytes: usize, what: &str) {
        assert_eq!(self.text_bytes, text_bytes as u64, "{what}: every byte is read");
        assert!(self.counts.between_bytes <= self.text_bytes, "{what}");
        assert!(self.rejected_bytes <= self.text_bytes - self.counts.between_bytes, "{what}");
        let damages = self.counts.deviations[Deviation::FrameDamaged as usize];
        let rejects = self.faults.len() as u64 - damages;
        assert_eq!(rejects, self.counts.rejected, "{what}: a fault a reject");
        for fault in &self.faults {
            assert!(fault.offset <= self.text_bytes, "{what}");
            // Damage has the number of the game that comes next.
            let next = u64::from(fault.kind == Deviation::FrameDamaged.name());
            assert!(fault.game <= self.counts.games() + next, "{what}");
        }
    }
}

/// A task, chosen when the test runs.
#[derive(Clone, Copy, Debug)]
pub enum Task {
    Validate,
    Convert(Convert),
    Measure(Measure),
    Export(&'static Export),
}

impl Task {
    pub fn convert(to: &'static dyn Notation) -> Task {
        Task::Convert(Convert { to, to_utf8: false })
    }
}

/// A task and its settings.
#[derive(Debug)]
pub struct Run {
    pub task: Task,
    pub settings: Settings,
}

impl Deref for Run {
    type Target = Settings;

    fn deref(&self) -> &Settings {
        &self.settings
    }
}

impl DerefMut for Run {
    fn deref_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }
}

/// The part of any task, for a test that takes what there is of it.
pub trait AnyPart {
    /// New text, if the task writes some.
    fn rewritten(&mut self) -> Option<&mut Rewritten> {
        None
    }

    /// What was measured, if the task measures.
    fn measured(&self) -> Option<&Measured> {
        None
    }
}

impl AnyPart for () {}

impl AnyPart for Rows {}

impl AnyPart for Rewritten {
    fn rewritten(&mut self) -> Option<&mut Rewritten> {
        Some(self)
    }
}

impl AnyPart for Measured {
    fn measured(&self) -> Option<&Measured> {
        Some(self)
    }
}

/// Consumes the results of any task.
pub trait AnyConsumer {
    fn begin(&mut self) {}

    fn result(&mut self, base: Base, facts: &mut Facts, part: &mut dyn AnyPart);
}

/// As the engine calls it.
struct Adapter<'c>(&'c mut dyn AnyConsumer);

impl<P: AnyPart> Consumer<P> for Adapter<'_> {
    fn begin(&mut self, _: &Archive) -> Result<()> {
        self.0.begin();
        Ok(())
    }

    fn result(
        &mut self,
        _: &str,
        base: Base,
        result: &mut JobResult<P>,
        _: &ThreadPool,
    ) -> Result<()> {
        let JobResult { facts, part } = result;
        self.0.result(base, facts, part);
        Ok(())
    }
}

/// Takes everything.
#[derive(Debug, Default)]
pub(crate) struct Collect {
    pub(crate) ledgers: Vec<Ledger>,
}

impl AnyConsumer for Collect {
    fn begin(&mut self) {
        self.ledgers.push(Ledger::default());
    }

    fn result(&mut self, base: Base, facts: &mut Facts, part: &mut dyn AnyPart) {
        let ledger = self.ledgers.last_mut().expect("begun");
        assert_eq!(base.games, ledger.counts.games());
        let visited = facts.faults.visit(|row| {
            ledger.faults.push(Fault {
                kind: row.kind.name(),
                offset: base.offset + row.offset,
                line: base.lines + row.lines + 1,
                column: row.column + 1,
                game: base.games + row.game + 1,
                ply: row.ply,
                text: row.text.clone(),
                detail: row.detail.clone(),
            });
            Ok(())
        });
        visited.expect("rows are unpacked");
        ledger.text_bytes += facts.text_bytes;
        ledger.rejected_bytes += facts.rejected_bytes;
        ledger.damaged_bytes += facts.damaged_bytes;
        ledger.counts.merge(&facts.counts);
        ledger.rejects.extend_from_slice(&facts.rejects);
        if let Some(rewritten) = part.rewritten() {
            ledger.out.extend_from_slice(&rewritten.text);
        }
    }
}

/// A run of a task in the lenient profile, cut in small pieces.
pub fn run_of(task: Task, rejects: Rejects) -> Run {
    let settings = Settings {
        rejects,
        faults: true,
        notes: false,
        profile: Profile::lenient(),
        from: None,
        options: Options { block_bytes: 512, range_bytes: 2048, ..Options::default() },
        threads: 1,
        level: Level::best(),
    };
    Run { task, settings }
}

/// Conversion to SAN.
pub fn to_san(rejects: Rejects) -> Run {
    run_of(Task::convert(NOTATIONS[0]), rejects)
}

/// The ledger of each input, or what ended the run. The workers stay for the next run: fuzzers make thousands.
pub fn run(run: &Run, inputs: &[Input]) -> Result<Vec<Ledger>> {
    if let Task::Export(export) = run.task {
        return crate::rows::run(run, export, inputs);
    }
    let mut collect = Collect::default();
    run_into(run, inputs, &mut collect)?;
    Ok(collect.ledgers)
}

/// Runs with another consumer.
pub fn run_into(run: &Run, inputs: &[Input], consumer: &mut dyn AnyConsumer) -> Result<()> {
    let (pool, stop) = (workers(run.threads), AtomicBool::new(false));
    let mut adapter = Adapter(consumer);
    match &run.task {
        Task::Validate => engine::run_on(pool, &Validate, run, inputs, &mut adapter, &stop),
        Task::Convert(task) => engine::run_on(pool, task, run, inputs, &mut adapter, &stop),
        Task::Measure(task) => engine::run_on(pool, task, run, inputs, &mut adapter, &stop),
        Task::Export(task) => engine::run_on(pool, *task, run, inputs, &mut adapter, &stop),
    }
}

/// Runs with another consumer and new workers, as the program does.
pub fn run_alone(run: &Run, inputs: &[Input], consumer: &mut dyn AnyConsumer) -> Result<()> {
    let (mut adapter, stop) = (Adapter(consumer), AtomicBool::new(false));
    match &run.task {
        Task::Validate => engine::run(&Validate, run, inputs, &mut adapter, &stop),
        Task::Convert(task) => engine::run(task, run, inputs, &mut adapter, &stop),
        Task::Measure(task) => engine::run(task, run, inputs, &mut adapter, &stop),
        Task::Export(task) => engine::run(*task, run, inputs, &mut adapter, &stop),
    }
}

/// A pool of this many threads, the same at each call.
pub fn workers(threads: usize) -> &'static ThreadPool {
    const POOLS: usize = 9;
    static KEPT: [OnceLock<ThreadPool>; POOLS] = [const { OnceLock::new() }; POOLS];
    KEPT[threads].get_or_init(|| {
        ThreadPoolBuilder::new().num_threads(threads).build().expect("threads for workers")
    })
}

/// The ledger of one archive that comes through a pipe.
pub fn run_piped(how: &Run, folder: &Scratch, stored: &[u8]) -> Ledger {
    let path = folder.join("a pipe");
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let ledger = std::thread::scope(|scope| {
        scope.spawn(|| fs::write(&path, stored).unwrap());
        run(how, &[Input::Path(path.clone())]).unwrap().pop().unwrap()
    });
    fs::remove_file(&path).unwrap();
    ledger
}

/// The ledger of one text.
#[track_caller]
pub fn ledger_of(how: &Run, stored: &[u8]) -> Ledger {
    let folder = Scratch::new();
    let mut ledgers = run(how, &[folder.put("archive", stored)]).expect("the run goes through");
    ledgers.pop().expect("one archive")
}

//! Runs archives through the whole pipeline, in this process, and keeps what came of each.
//!
//! In: stored bytes, a [`Run`], that is a task and its settings. Out: a [`Ledger`] for each archive. The files lie in a
//! folder of their own that is gone when it is dropped.

use std::fs;
use std::ops::{Deref, DerefMut};
use std::process::Command;
use std::sync::atomic::AtomicBool;

pub use pgnmill_columns::Export;
use pgnmill_core::engine::Pool;
use pgnmill_core::engine::{self, Base, Consumer, JobResult, Rejects, Settings};
use pgnmill_core::notation::{NOTATIONS, Notation};
use pgnmill_core::pgn::deviation::Profile;
pub use pgnmill_core::tasks::select::Select;
pub use pgnmill_core::tasks::{Convert, Measure, Validate};
use pgnmill_io::archive::{Archive, Input, Options};
use pgnmill_io::error::Result;
use pgnmill_simd::Level;

use crate::ledger::Collect;
pub use crate::ledger::{AnyConsumer, AnyPart, Fault, Ledger, workers};
use crate::scratch::Scratch;

/// A task, chosen when the test runs.
#[derive(Clone, Debug)]
pub enum Task {
    Validate,
    Convert(Convert),
    Measure(Measure),
    Export(&'static Export),
    Select(&'static Select),
}

impl Task {
    pub fn convert(to: &'static dyn Notation) -> Task {
        Task::Convert(Convert::to(to))
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

/// As the engine calls it.
struct Adapter<'c>(&'c mut dyn AnyConsumer);

impl<P: AnyPart> Consumer<P> for Adapter<'_> {
    fn begin(&mut self, _: &Archive) -> Result<()> {
        self.0.begin();
        Ok(())
    }

    fn result(&mut self, _: &str, base: Base, result: &mut JobResult<P>, _: &Pool) -> Result<()> {
        let JobResult { facts, part } = result;
        self.0.result(base, facts, part);
        Ok(())
    }
}

/// A run of a task in the lenient profile, cut in small pieces.
pub fn run_of(task: Task, rejects: Rejects) -> Run {
    let settings = Settings {
        rejects,
        faults: true,
        faults_max: u64::MAX,
        notes: false,
        profile: Profile::lenient(),
        from: None,
        rules: pgnmill_core::chess::rules::RulesKind::Chess,
        options: Options { block_bytes: 512, range_bytes: 2048, ..Options::default() },
        threads: 1,
        level: Level::best(),
        selection: None,
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
        Task::Select(task) => engine::run_on(pool, *task, run, inputs, &mut adapter, &stop),
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
        Task::Select(task) => engine::run(*task, run, inputs, &mut adapter, &stop),
    }
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

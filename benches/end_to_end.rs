//! End to end: a file on disk through the whole pipeline, everything but the writing of the output.
//!
//! One worker and two, from a plain file and from zstd frames, for the three tasks. The bench asserts the games, the
//! plies, and that the bytes of the output are as many each time.

mod sample;

use std::hint::black_box;
use std::sync::atomic::AtomicBool;

use criterion::{Criterion, criterion_group, criterion_main};
use pgnmill::archive::{Archive, Input, Options};
use pgnmill::engine::{self, Base, Consumer, JobResult, Rejects, Settings, Task};
use pgnmill::error::Result;
use pgnmill::machine::Level;
use pgnmill::notation;
use pgnmill::pgn::deviation::Profile;
use pgnmill::replay::Counts;
use pgnmill::tasks::convert::Rewritten;
use pgnmill::tasks::measure::Measured;
use pgnmill::tasks::measure::tally::Tally;
use pgnmill::tasks::{Convert, Measure, Validate};
use rayon::ThreadPool;

/// Adds up what it is given.
#[derive(Default)]
struct Sum {
    counts: Counts,
    out_bytes: u64,
    tallied: u64,
}

/// The new text and the measured plies of a part, of which a task has one or none.
trait Made {
    fn out_bytes(&self) -> u64 {
        0
    }

    fn measured_plies(&self) -> u64 {
        0
    }
}

impl Made for () {}

impl Made for Rewritten {
    fn out_bytes(&self) -> u64 {
        black_box(&self.text).len() as u64
    }
}

impl Made for Measured {
    fn measured_plies(&self) -> u64 {
        self.tally.as_ref().map_or(0, Tally::plies)
    }
}

impl<P: Made> Consumer<P> for Sum {
    fn begin(&mut self, _: &Archive) -> Result<()> {
        Ok(())
    }

    fn result(
        &mut self,
        _: &str,
        _: Base,
        result: &mut JobResult<P>,
        _: &ThreadPool,
    ) -> Result<()> {
        self.counts.merge(&result.facts.counts);
        self.out_bytes += result.part.out_bytes();
        self.tallied += result.part.measured_plies();
        Ok(())
    }
}

#[derive(Clone, Copy)]
enum AnyTask {
    Validate,
    Convert(Convert),
    Measure(Measure),
}

fn run(task: AnyTask, threads: usize, inputs: &[Input]) -> Sum {
    match task {
        AnyTask::Validate => run_task(&Validate, threads, inputs),
        AnyTask::Convert(task) => run_task(&task, threads, inputs),
        AnyTask::Measure(task) => run_task(&task, threads, inputs),
    }
}

fn run_task<T: Task<Part: Made>>(task: &T, threads: usize, inputs: &[Input]) -> Sum {
    let settings = Settings {
        rejects: Rejects::Dropped,
        faults: false,
        notes: false,
        profile: Profile::lenient(),
        from: None,
        options: Options::default(),
        threads,
        level: Level::best(),
    };
    let mut sum = Sum::default();
    let done = engine::run(task, &settings, inputs, &mut sum, &AtomicBool::new(false));
    done.expect("a sample goes through");
    sum
}

fn end_to_end(criterion: &mut Criterion) {
    let to = notation::find("economical-priority").expect("it is in the registry");
    let tasks = [
        ("validate", AnyTask::Validate),
        ("convert", AnyTask::Convert(Convert { to, to_utf8: false })),
        ("measure", AnyTask::Measure(Measure::default())),
    ];
    for sample in sample::all() {
        let mut group = criterion.benchmark_group(format!("end_to_end/{}", sample.name));
        group.throughput(sample.throughput());
        group.sample_size(20);
        for (kind, path) in [("plain", sample.plain()), ("frames", sample.frames())] {
            let inputs = [Input::Path(path)];
            for (name, task) in tasks {
                let out_bytes = run(task, 1, &inputs).out_bytes;
                assert_eq!(out_bytes > 0, name == "convert");
                for threads in [1, 2] {
                    group.bench_function(format!("{name}/{kind}/{threads}"), |bench| {
                        bench.iter(|| {
                            let sum = run(task, threads, &inputs);
                            let counts = &sum.counts;
                            assert_eq!((counts.games(), counts.rejected), (sample.games, 0));
                            assert_eq!(counts.plies + counts.variation_plies, sample.plies);
                            assert_eq!(sum.out_bytes, out_bytes);
                            assert_eq!(
                                sum.tallied,
                                if name == "measure" { counts.plies } else { 0 }
                            );
                        });
                    });
                }
            }
        }
        group.finish();
    }
}

criterion_group!(benches, end_to_end);
criterion_main!(benches);

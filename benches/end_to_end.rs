//! End to end: a file on disk through the whole pipeline, everything but the writing of the output.
//!
//! One worker and two, from a plain file and from zstd frames, for the three tasks. The bench asserts the games, the
//! plies, and that the bytes of the output are as many each time.

mod sample;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use pgnmill_io::archive::{Input, Options};
use pgnmill_core::engine::{Base, Facts, Rejects, Settings};
use pgnmill_simd::Level;
use pgnmill_core::notation;
use pgnmill_core::pgn::deviation::Profile;
use pgnmill_core::replay::Counts;
use pgnmill_core::tasks::measure::tally::Tally;
use pgnmill_laws::support::{AnyConsumer, AnyPart, Measure, Run, Task, run_alone};

/// Sums over all jobs.
#[derive(Default)]
struct Sum {
    counts: Counts,
    out_bytes: u64,
    measured_plies: u64,
}

impl AnyConsumer for Sum {
    fn result(&mut self, _: Base, facts: &mut Facts, part: &mut dyn AnyPart) {
        self.counts.merge(&facts.counted.counts);
        if let Some(rewritten) = part.rewritten() {
            self.out_bytes += black_box(&rewritten.text).len() as u64;
        }
        if let Some(measured) = part.measured() {
            self.measured_plies += measured.tally.as_ref().map_or(0, Tally::plies);
        }
    }
}

fn run(task: Task, threads: usize, inputs: &[Input]) -> Sum {
    let settings = Settings {
        rejects: Rejects::Dropped,
        faults: false,
        notes: false,
        profile: Profile::lenient(),
        from: None,
        rules: pgnmill_core::chess::rules::RulesKind::Chess,
        options: Options::default(),
        threads,
        level: Level::best(),
        selection: None,
    };
    let mut sum = Sum::default();
    run_alone(&Run { task, settings }, inputs, &mut sum).expect("a sample has no error");
    sum
}

fn end_to_end(criterion: &mut Criterion) {
    let to = notation::find("economical-priority").expect("it is in the registry");
    let tasks = [
        ("validate", Task::Validate),
        ("convert", Task::convert(to)),
        ("measure", Task::Measure(Measure::default())),
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
                                sum.measured_plies,
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

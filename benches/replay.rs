//! Replaying: every move of every game validated, which is all that `validate` does with a block.
//!
//! One thread, in memory. The bench asserts that every game is accepted, and counts the plies.

mod sample;

use std::hint::black_box;
use std::ops::Range;

use criterion::{Criterion, criterion_group, criterion_main};
use pgnmill_io::archive::games::Games;
use pgnmill_core::notation::{Notation, Ply};
use pgnmill_core::pgn::deviation::Profile;
use pgnmill_core::replay::{
    Counts, FastVisitor, Game, History, NoPlies, ReplayVisitor, Replayer, TagSection,
};

/// A visitor that does nothing.
struct Ignore;

// As `validate`.
impl FastVisitor for Ignore {
    type Reads = NoPlies;
}

impl ReplayVisitor for Ignore {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {}
    #[inline(always)]
    fn ply(&mut self, _: &[u8], _: Range<usize>, _: &Ply<'_>, _: usize) {}
    fn end(&mut self, _: &[u8], _: &Game<'_>) {}
    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

fn prove(text: &[u8], profile: &Profile) -> Counts {
    let mut replayer = Replayer::new(profile, None, History::Ignored);
    for (_, game) in Games::new(text) {
        replayer.replay_fast(game, &mut Ignore);
    }
    replayer.counts
}

fn replay(criterion: &mut Criterion) {
    let profile = Profile::lenient();
    let mut group = criterion.benchmark_group("replay");
    for sample in sample::all() {
        group.throughput(sample.throughput());
        group.bench_function(&sample.name, |bench| {
            bench.iter(|| {
                let counts = prove(black_box(&sample.text), &profile);
                assert_eq!((counts.games(), counts.rejected), (sample.games, 0));
                assert_eq!(counts.plies + counts.variation_plies, sample.plies);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, replay);
criterion_main!(benches);

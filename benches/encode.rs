//! Encoding: plies that are known written in each notation of the registry, and nothing else.
//!
//! One thread, in memory. Each ply is built again for each notation, so that none uses a result that another
//! computed. The bench asserts the characters written, counted beforehand by the tally.

mod sample;

use std::hint::black_box;
use std::ops::Range;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use pgnmill_io::archive::games::Games;
use pgnmill_core::chess::{Move, Position};
use pgnmill_core::notation::{Check, Lineage, MoveText, NOTATIONS, Notation, Ply};
use pgnmill_core::pgn::deviation::Profile;
use pgnmill_core::replay::{Game, History, ReplayVisitor, Replayer, TagSection};
use pgnmill_core::tasks::measure::tally::{GameLengths, Labels, Tally};

/// A sample's games are read until there are as many plies: more than a cache holds, as in an archive.
const PLIES_MAX: usize = 200_000;

/// What a ply is made of.
struct Step {
    before: Position,
    after: Position,
    mv: Move,
    check: Check,
    lineage: Option<Lineage>,
}

/// The plies of main lines, and what the tally counts of them.
#[derive(Default)]
struct Plies {
    steps: Vec<Step>,
    lengths: GameLengths,
    tally: Tally,
}

impl ReplayVisitor for Plies {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {
        self.lengths.clear();
    }

    fn ply(&mut self, _: &[u8], _: Range<usize>, ply: &Ply<'_>, depth: usize) {
        if depth == 0 {
            let (before, after) = (*ply.before(), *ply.after());
            let (mv, check, lineage) = (ply.mv(), ply.check(), ply.lineage().copied());
            self.steps.push(Step { before, after, mv, check, lineage });
            self.lengths.observe(ply);
        }
    }

    fn end(&mut self, _: &[u8], game: &Game<'_>) {
        assert!(game.fault.is_none(), "every game of a sample is proved");
        self.tally.add(&self.lengths, &Labels::default());
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

impl Plies {
    fn of(text: &[u8]) -> Plies {
        let profile = Profile::lenient();
        let mut replayer = Replayer::new(&profile, None, History::Optional);
        let mut plies = Plies::default();
        for (_, game) in Games::new(text) {
            if plies.steps.len() >= PLIES_MAX {
                break;
            }
            replayer.replay(game, &mut plies);
        }
        assert_eq!(plies.steps.len() as u64, replayer.counts.plies);
        plies
    }
}

/// How many characters the notation takes for all plies.
fn write(notation: &dyn Notation, steps: &[Step]) -> u64 {
    let mut text = MoveText::default();
    let mut characters = 0;
    for step in steps {
        text.clear();
        let ply = Ply::new(&step.before, step.mv, &step.after, step.check);
        notation.encode_ply(&ply.with_lineage(step.lineage.as_ref()), &mut text);
        characters += text.characters_count() as u64;
    }
    characters
}

fn encode(criterion: &mut Criterion) {
    for sample in sample::all() {
        let plies = Plies::of(&sample.text);
        let mut group = criterion.benchmark_group(format!("encode/{}", sample.name));
        group.throughput(Throughput::Elements(plies.steps.len() as u64));
        for (index, &notation) in NOTATIONS.iter().enumerate() {
            let cost = plies.tally.cost(index);
            group.bench_function(notation.info().name, |bench| {
                bench.iter(|| {
                    assert_eq!(write(notation, black_box(&plies.steps)), cost.characters);
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, encode);
criterion_main!(benches);

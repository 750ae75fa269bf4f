//! Splitting: where games start in a text in memory, and blocks from a plain file and from zstd frames.
//!
//! One thread. The bench asserts the games found and the bytes delivered.

mod sample;

use std::hint::black_box;
use std::ops::ControlFlow;
use std::path::PathBuf;

use criterion::{Criterion, criterion_group, criterion_main};
use pgnmill_io::archive::games::{Games, Starts};
use pgnmill_io::archive::{Archive, Input, Options};
use pgnmill_io::error::Result;

/// Games and bytes of an archive.
fn read(path: PathBuf) -> Result<(u64, u64)> {
    let options = Options::default();
    let archive = Archive::open(&Input::Path(path), &options)?;
    let (mut games, mut bytes) = (0, 0);
    archive.visit_in_order(&mut |block| {
        games += Games::new(block.text).count() as u64;
        bytes += black_box(block.text).len() as u64;
        Ok(ControlFlow::Continue(()))
    })?;
    Ok((games, bytes))
}

fn split(criterion: &mut Criterion) {
    for sample in sample::all() {
        let mut group = criterion.benchmark_group(format!("split/{}", sample.name));
        group.throughput(criterion::Throughput::Bytes(sample.text.len() as u64));
        group.bench_function("memory", |bench| {
            bench.iter(|| {
                let starts = Starts::new(black_box(&sample.text)).count();
                assert_eq!(starts as u64, sample.games);
            });
        });
        let (plain, frames) = (sample.plain(), sample.frames());
        for (name, path) in [("plain file", plain), ("zstd frames", frames)] {
            group.bench_function(name, |bench| {
                bench.iter(|| {
                    let found = read(path.clone()).expect("a sample is read");
                    assert_eq!(found, (sample.games, sample.text.len() as u64));
                });
            });
        }
        group.finish();
    }
}

criterion_group!(benches, split);
criterion_main!(benches);

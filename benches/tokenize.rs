//! Tokenizing: the tag pairs and the movetext of every game, cut into tokens and looked at no further.
//!
//! One thread, in memory. The bench asserts the moves and the results.

mod sample;

use std::hint::black_box;

use criterion::{Criterion, criterion_group, criterion_main};
use pgnmill_io::archive::games::Games;
use pgnmill_core::pgn::{Digits, TagPair, TokenKind, Tokens};

/// Moves and results of a text.
fn read(text: &[u8]) -> (u64, u64) {
    let (mut moves, mut results) = (0, 0);
    for (_, game) in Games::new(text) {
        let mut tokens = Tokens::new(game, 0, Digits::Never);
        while let Some(token) = tokens.next() {
            match token.kind {
                TokenKind::Move => moves += 1,
                TokenKind::Result => results += 1,
                TokenKind::Tag => {
                    if let Some(pair) = black_box(TagPair::read(game, token.start)) {
                        tokens.go_to(pair.end);
                    }
                }
                _ => {}
            }
        }
    }
    (moves, results)
}

fn tokenize(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("tokenize");
    for sample in sample::all() {
        group.throughput(sample.throughput());
        group.bench_function(&sample.name, |bench| {
            bench.iter(|| {
                assert_eq!(read(black_box(&sample.text)), (sample.plies, sample.games));
            });
        });
    }
    group.finish();
}

criterion_group!(benches, tokenize);
criterion_main!(benches);

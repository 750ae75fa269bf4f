//! Counted positions as record batches, and the answer about one, as values: those of the program's files.
//!
//! In: archives of masters and of two other rulesets. Laws: the batches are those of the Arrow file that `positions`
//! writes, but for the column `rules`, whatever the number of threads and the memory; what `Explore` answers is what
//! `explore` prints; a position that cannot be read is refused before the table is; a search that is to end does.

use std::fs::File;
use std::sync::atomic::{AtomicBool, Ordering};

use arrow_array::RecordBatch;
use pgnmill::columns::PositionBatches;
use pgnmill::run::Explore;
use pgnmill::task::{CountPositions, Settings};
use pgnmill::{ErrorKind, Input};

use crate::common::{Scratch, errors_of, exit_code, here, run_in, trials};

/// A directory with games: of masters, and of two rulesets.
fn games() -> Scratch {
    let scratch = Scratch::new();
    let masters = here("data/masters.pgn.zst");
    let sample = trials(500, 3_000, 6_000).to_string();
    let args = ["select", "-q", "--sample", &sample, "-o", "m.pgn", masters.to_str().unwrap()];
    let output = run_in(scratch.path(), &args, b"");
    assert_eq!(exit_code(&output), 0, "{}", errors_of(&output));
    let house = "[Variant \"Crazyhouse\"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@d4 1-0\n\n1. e4 e5 1-0\n";
    scratch.write("other.pgn", house.as_bytes());
    scratch
}

/// The batches of an Arrow file, without its metadata.
fn batches_of_file(scratch: &Scratch, args: &[&str]) -> Vec<RecordBatch> {
    let args = [&["positions", "-q", "--overwrite", "-o", "t.arrow"], args].concat();
    let output = run_in(scratch.path(), &args, b"");
    assert_eq!(exit_code(&output), 0, "{}", errors_of(&output));
    let file = File::open(scratch.join("t.arrow")).unwrap();
    let reader = arrow_ipc::reader::FileReader::try_new(file, None).unwrap();
    reader.map(Result::unwrap).collect()
}

/// The columns of a batch that are not `rules`, with their names.
fn columns(batch: &RecordBatch) -> Vec<(String, arrow_array::ArrayRef)> {
    let names = batch.schema().fields().iter().map(|it| it.name().clone()).collect::<Vec<_>>();
    let all = names.into_iter().zip(batch.columns().to_vec());
    all.filter(|(name, _)| name != "rules").collect()
}

#[test]
fn batches_are_those_of_the_file() {
    let scratch = games();
    let default = PositionBatches::default;
    let all = CountPositions { plies_max: u32::MAX, variations: true };
    let requests: [(&[&str], PositionBatches); 4] = [
        (&["m.pgn"], default()),
        (&["--max-ply", "0", "--variations", "m.pgn"], PositionBatches { count: all, ..default() }),
        (&["--min-games", "3", "m.pgn"], PositionBatches { games_min: 3, ..default() }),
        (&["--sums", "m.pgn", "other.pgn"], PositionBatches { sums: true, ..default() }),
    ];
    for (args, request) in requests {
        let expected = batches_of_file(&scratch, args);
        assert!(expected.iter().map(RecordBatch::num_rows).sum::<usize>() > 100, "{args:?}");
        let inputs = args.iter().filter(|it| it.ends_with(".pgn"));
        // Archives have the names that a user gave.
        let inputs: Vec<_> = inputs.map(|name| Input::Path(scratch.join(name))).collect();
        for (threads, bytes_max) in [(1, 1 << 30), (2, 1 << 20), (7, 1 << 30)] {
            let mut request = request.clone();
            request.spill.bytes_max = bytes_max;
            let settings = Settings { threads, ..Settings::default() };
            let batches = request.start(settings, inputs.clone(), false).unwrap();
            let found: Vec<RecordBatch> = batches.map(Result::unwrap).collect();
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found.schema().field(0).name(), "rules");
                for (own, other) in columns(found).iter().zip(columns(expected)) {
                    let is_name = own.0 == "sample_archive";
                    assert!(*own == other || is_name, "{args:?} {threads}: {}", own.0);
                }
            }
        }
    }
}

#[test]
fn what_explore_answers_is_what_the_program_prints() {
    let scratch = games();
    for table in ["t.parquet", "t.csv", "t.bin"] {
        let args = ["positions", "-q", "-o", table, "m.pgn"];
        assert_eq!(exit_code(&run_in(scratch.path(), &args, b"")), 0);
        for (position, depth, share) in [
            ("", None, None),
            ("1. e4 c5", None, None),
            ("1. e4", Some(4), Some(2.5)),
            ("a3 a6 a4 a5", None, None),
        ] {
            let mut words = vec!["explore".to_string(), "--format=json".into(), table.into()];
            words.extend((!position.is_empty()).then(|| position.to_string()));
            words.extend(depth.map(|depth: u32| format!("--depth={depth}")));
            words.extend(share.map(|share: f64| format!("--share={share}")));
            let words: Vec<&str> = words.iter().map(String::as_str).collect();
            let output = run_in(scratch.path(), &words, b"");
            let explore = Explore { depth, share, ..Explore::new(scratch.join(table), position) };
            let explored = explore.answer(&AtomicBool::new(false)).unwrap();
            assert_eq!(explored.records().json().as_bytes(), output.stdout, "{words:?}");
            assert_eq!(exit_code(&output) == 0, explored.is_found());
            let mut sum = 0;
            explored.tree.visit(|of, before| {
                assert!(before.len() < depth.unwrap_or(1) as usize);
                let own = of.row.games.or(of.row.weight.map(u64::from)).unwrap();
                sum += if before.is_empty() { own } else { 0 };
            });
            assert!(share.is_some() && sum <= explored.tree.games || sum == explored.tree.games);
            assert_eq!(explored.total().games, Some(explored.tree.games));
        }
    }
}

#[test]
fn what_cannot_be_answered_is_an_error() {
    let none = "no such table.parquet";
    let answer = |position: &str| Explore::new(none, position).answer(&AtomicBool::new(false));
    let error = answer("1. e4 e5 2. Ke3").unwrap_err();
    assert!(error.to_string().starts_with("ply 3: Ke3"), "{error}");
    let error = answer("8/8/8/8/8/8/8/K7 w - -").unwrap_err();
    assert!(error.to_string().contains("is no FEN record of "), "{error}");
    let error = answer("1. e4").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io { .. }) && error.to_string().contains(none));
    // A search that is to end does, in every format.
    let scratch = games();
    for table in ["t.parquet", "t.arrow", "t.csv", "t.jsonl"] {
        let args = ["positions", "-q", "-o", table, "m.pgn"];
        assert_eq!(exit_code(&run_in(scratch.path(), &args, b"")), 0);
        let stop = AtomicBool::new(true);
        let error = Explore::new(scratch.join(table), "").answer(&stop).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Interrupted), "{table}: {error}");
        stop.store(false, Ordering::Relaxed);
        assert!(Explore::new(scratch.join(table), "").answer(&stop).unwrap().is_found());
    }
}

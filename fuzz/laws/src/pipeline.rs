//! The pipeline: the same ledger from plain and compressed bytes, with one thread and with two, and it balances.

use pgnmill_columns::Table;
use pgnmill_core::engine::Rejects;
use pgnmill_core::notation::NOTATIONS;
use pgnmill_core::pgn::deviation::Profile;
use pgnmill_core::tasks::measure::tally::Dimensions;

use crate::Choices;
use crate::archives::frames;
use crate::rows;
use crate::scratch::Scratch;
use crate::support::{Convert, Ledger, Measure, Run, Task, run, run_of, to_san};

/// What is quoted of a game too long to hold is its first piece, which depends on the container where games are shorter
/// than twice what is looked at of a line (see `archive/lines.rs`): no such limit is ever set.
const SIGHT_BYTES: usize = 512;

/// Four bytes choose task, profile, frames and the longest game; the rest is an archive's text.
pub fn hold(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let (task, profile) = (choices.byte(), choices.byte());
    let (frame_bytes, game_bytes) = (choices.byte(), choices.byte());
    let text = choices.rest();
    let how = |threads: usize| {
        let rejects = [Rejects::Apart, Rejects::Kept, Rejects::Dropped][profile / 2 % 3];
        let mut how = run_of(chosen(task), rejects);
        if profile % 2 == 1 {
            how.profile = Profile::strict();
        }
        if game_bytes > 0 {
            how.options.game_bytes_max = SIGHT_BYTES + 8 * game_bytes;
        }
        how.options.block_bytes = 64;
        how.options.range_bytes = 200;
        how.options.batch_stored_bytes = 1;
        how.threads = threads;
        how
    };
    let folder = Scratch::new();
    let plain = [folder.put("plain", text)];
    // Bytes that are zstd or another format are for other laws.
    let Ok(mut expected) = run(&how(1), &plain) else { return };
    let expected = expected.pop().expect("one archive");
    if text.starts_with(b"\x28\xB5\x2F\xFD") || matches!(text, [0x50..=0x5F, 0x2A, ..]) {
        return;
    }
    expected.check(text.len(), "plain");
    // One comparison per input, so that more inputs are tested.
    match profile / 6 % 4 {
        0 => balances(text, &plain[0]),
        1 => assert_eq!(run(&how(2), &plain).expect("as with one thread")[0], expected),
        threads if !text.is_empty() => {
            let zstd = [folder.put("frames", &frames(text, 1 + 8 * frame_bytes))];
            let found = run(&how(threads - 1), &zstd).unwrap_or_else(|e| panic!("{e}"));
            assert_eq!(found[0], expected, "{} threads, zstd", threads - 1);
        }
        _ => {}
    }
}

fn chosen(task: usize) -> Task {
    match task {
        0 => Task::Validate,
        1 => Task::Measure(Measure {
            per_game: true,
            keys: Dimensions::ALL,
            information: true,
            ..Measure::default()
        }),
        2 => Task::Export(rows::everything(Table::Games)),
        3 => Task::Export(rows::everything(Table::Plies)),
        _ => Task::Convert(Convert {
            to_utf8: task >= 128,
            ..Convert::to(NOTATIONS[task % NOTATIONS.len()])
        }),
    }
}

/// To SAN: what was neither repaired nor written elsewhere is there, to the byte.
fn balances(text: &[u8], input: &pgnmill_io::archive::Input) {
    let ledger = |how: &Run| -> Ledger {
        let inputs = std::slice::from_ref(input);
        run(how, inputs).unwrap_or_else(|e| panic!("{e}")).pop().expect("one archive")
    };
    let renamed = text.windows(12).any(|name| name == b"MoveNotation");
    let apart = ledger(&to_san(Rejects::Apart));
    assert_eq!(apart.rejects.len() as u64, apart.rejected_bytes);
    if apart.counts.repaired == 0 && !renamed {
        assert_eq!(apart.out.len() + apart.rejects.len(), text.len(), "no byte is lost");
    }
    if !renamed {
        let mut strict = to_san(Rejects::Kept);
        strict.profile = Profile::strict();
        assert!(ledger(&strict).out == text, "nothing is repaired, and nothing changes");
    }
}

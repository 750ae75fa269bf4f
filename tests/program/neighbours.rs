//! The effects of one game, one byte or one limit of the system, and that adjacent games are not affected.

use std::process::{Command, Stdio};

use crate::common::{self, Scratch, here, text_of};
use pgnmill_core::engine::Rejects;
use pgnmill_laws::support::{Task, ledger_of, run_of, to_san};

/// Games of every verdict: canonical, noted, repaired in tag pairs or moves, in foreign letters, rejected.
const GAMES: [&str; 9] = [
    "[Event \"a\"]\n\n1. e4 e5 2. Nf3 *\n\n",
    "[Event \"b\"]\n\n1. e4 e5 Nf3 *\n\n",
    "[Event \"c\"]\n\n1. e4 e5 2. Ng1f3 Nc6 *\n\n",
    "[Event \"d\"]\n\n1. e4 e5 2. Sf3 Sc6 3. Lb5 *\n\n",
    "[Event \"e\"]\n\n1. e4 e5 2. Nf6 *\n\n",
    "[Event \"f\"]\n[MoveNotation \"uci\"]\n\n1. e2e4 e7e5 2. g1f3 *\n\n",
    "[Event \"g\"]\n\n*\n\n",
    "[Event \"h\"]\n\n1e4 e5 2Nf3 *\n\n",
    "[Event \"i\"]\n\n1 e4 e5 2 Nf3 *\n\n",
];

#[test]
fn a_game_has_the_same_result_whatever_is_beside_it() {
    for (name, rejects) in ["san", "uci", "iccf"]
        .into_iter()
        .flat_map(|name| [(name, Rejects::Apart), (name, Rejects::Kept)])
    {
        let to = pgnmill_core::notation::find(name).expect("it is registered");
        let mut how = run_of(Task::convert(to), rejects);
        // Games in one block, and each in a block of its own.
        for block_bytes in [16, 1 << 20] {
            how.options.block_bytes = block_bytes;
            let alone = GAMES.map(|game| ledger_of(&how, game.as_bytes()));
            let all = GAMES.len();
            for places in (0..all * all).map(|number| [number / all, number % all]) {
                let text: String = places.iter().map(|&place| GAMES[place]).collect();
                let ledger = ledger_of(&how, text.as_bytes());
                let parts = || places.iter().map(|&place| &alone[place]);
                let sums = parts().fold((0, 0, 0), |sum, part| {
                    let (accepted, repaired, rejected) = part.verdicts();
                    (sum.0 + accepted, sum.1 + repaired, sum.2 + rejected)
                });
                assert_eq!(ledger.verdicts(), sums, "{name}: {text}");
                let out: Vec<u8> = parts().flat_map(|part| part.out.clone()).collect();
                assert!(ledger.out == out, "{name}: {text}: {}", ledger.out.escape_ascii());
                let rejects: Vec<u8> = parts().flat_map(|part| part.rejects.clone()).collect();
                assert!(ledger.rejects == rejects, "{name}: {text}");
                let plies: u64 = parts().map(|part| part.counts.plies).sum();
                assert_eq!(ledger.counts.plies, plies, "{name}: {text}");
            }
        }
    }
}

#[test]
fn a_byte_that_is_no_utf_8_shows_its_encoding() {
    for byte in 0x80..=0xff_u8 {
        let text = [b"[Event \"a\"]\n\n1. e4 {", &[byte][..], b"} e5 *\n"].concat();
        let met = ledger_of(&to_san(Rejects::Apart), &text).deviations();
        // From 0x80 to 0x9f Latin-1 has control characters only.
        let (is, is_not) = match byte {
            0x80..0xa0 => ("encoding-windows-1252", "encoding-latin-1"),
            _ => ("encoding-latin-1", "encoding-windows-1252"),
        };
        let has = |name: &str| met.iter().any(|met| met == name);
        assert!(has(is) && !has(is_not), "{byte:#x}: {met:?}");
    }
}

#[test]
fn a_limit_on_the_size_of_files_is_an_error_of_the_output() {
    let scratch = Scratch::new();
    scratch.write("in.pgn", &text_of(&here(common::SAMPLE)));
    // The unit is 512 or 1024 bytes.
    let line = "ulimit -f 64; exec \"$0\" convert --to uci --quiet -o out.pgn in.pgn";
    let output = Command::new("sh")
        .args(["-c", line, env!("CARGO_BIN_EXE_pgnmill")])
        .current_dir(scratch.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("out.pgn") && errors.lines().count() == 1, "{errors}");
    assert_eq!(scratch.names(), ["in.pgn"]);
}

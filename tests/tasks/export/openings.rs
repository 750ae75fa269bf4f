//! `eco_computed` and `opening_computed` as columns: what the positions of each game reach, by the library's reader.
//!
//! In: games of `data/`, games from records, of other rules, in another notation, with null moves, with a fault, and
//! one that is read in parts. Laws: the values are those of the last of 40 positions that the tables contain, found
//! here ply by ply; missing if there is none; the same for any number of threads and as the key of a partition.

use std::collections::BTreeSet;
use std::fs;
use std::io::Cursor;

use pgnmill::openings::Openings;
use pgnmill::{AnyPosition, OwnedGame, Reader, Verdict};

use crate::common::{Scratch, errors_of, exit_code, here, run_in, text_of, trials};

const CRAFTED: &str = "\
[Event \"from a record\"]
[SetUp \"1\"]
[FEN \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]

2. Nc3 h6 *

[Event \"the tables do not have its positions\"]
[SetUp \"1\"]
[FEN \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"]

1. Kd2 *

[Event \"without moves\"]

*

[Event \"a fault after the opening\"]

1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ke8 *

[Event \"other rules\"]
[Variant \"Atomic\"]

1. e4 e5 *

[Event \"German\"]
[MoveNotation \"san-de\"]

1. e4 e5 2. Sf3 Sc6 3. Lc4 Lc5 *

[Event \"null moves and variations\"]

1. d4 (1. -- e5) (1. e4 c5) 1... Nf6 2. c4 e6 3. Nc3 Bb4 *

";

/// A game of more plies than a part has, of whose first 40 the last in the tables is an early one.
fn long_game() -> String {
    let dance = " Ng1 Ng8 Nf3 Nf6".repeat(9_000);
    format!("[Event \"long\"]\n\n1. Nf3 Nf6{dance} *\n\n")
}

/// The opening of each game that is not rejected: code and name, empty if there is none.
fn expected(text: &[u8]) -> Vec<[String; 2]> {
    let reader = Reader::from_reader("a.pgn", Cursor::new(text.to_vec())).unwrap();
    let games = reader.read_ahead().unwrap().map(|game| game.unwrap());
    let games = games.filter(|game| game.game().verdict() != Verdict::Rejected);
    let opening = |game: OwnedGame| {
        let game = game.game();
        let is_chess = !matches!(game.start_of_rules(), Some(AnyPosition::Variant(_)));
        let after = game.moves().take(40).filter(|_| is_chess).map(|ply| ply.after);
        let found = after.filter_map(|after| Openings::standard().find(&after)).last();
        found.map_or_else(Default::default, |it| [it.eco.to_string(), it.name.to_string()])
    };
    games.map(opening).collect()
}

/// The rows that the program writes.
fn exported(scratch: &Scratch, more: &[&str]) -> Vec<[String; 2]> {
    let words = ["export", "-q", "--columns", "eco_computed,opening_computed", "--format", "csv"];
    let ran = run_in(scratch.path(), &[&words[..], more, &["-o", "-", "a.pgn"]].concat(), b"");
    assert!(exit_code(&ran) < 2, "{}", errors_of(&ran));
    let mut reader = csv::Reader::from_reader(&ran.stdout[..]);
    let row = |row: csv::StringRecord| [row[0].to_string(), row[1].to_string()];
    reader.records().map(|record| row(record.unwrap())).collect()
}

#[test]
fn columns_of_openings_are_what_the_positions_reach() {
    let scratch = Scratch::new();
    let masters = String::from_utf8(text_of(&here("data/masters.pgn.zst"))).unwrap();
    // The last game of the part is cut, and is as good as another.
    let masters: String = masters.chars().take(trials(100_000, 3_000_000, 3_000_000)).collect();
    let text = format!("{CRAFTED}{}{masters}", long_game());
    fs::write(scratch.join("a.pgn"), &text).unwrap();
    let expected = expected(text.as_bytes());
    let codes: Vec<&str> = expected.iter().map(|[code, _]| code.as_str()).take(7).collect();
    assert_eq!(codes, ["B23", "", "", "", "C50", "E20", "A05"]);
    assert!(expected.iter().filter(|[code, _]| !code.is_empty()).count() > 100);
    for more in [&["--threads", "1"][..], &["--range-bytes", "20000", "--threads", "3"]] {
        assert_eq!(exported(&scratch, more), expected, "{more:?}");
    }
    // A table of plies is divided by them as it is without them, though it is not read in lines.
    let parts = ["--table", "plies", "--partition-by", "eco_computed", "--columns", "san"];
    let words = [&["export", "-q", "-o", "parts/"][..], &parts[..], &["a.pgn"]].concat();
    assert!(exit_code(&run_in(scratch.path(), &words, b"")) < 2);
    let folders = fs::read_dir(scratch.join("parts")).unwrap().map(|it| it.unwrap().file_name());
    let folders: BTreeSet<String> = folders.map(|it| it.into_string().unwrap()).collect();
    let named = expected.iter().filter(|[code, _]| !code.is_empty());
    let named: BTreeSet<String> = named.map(|[code, _]| format!("eco_computed={code}")).collect();
    assert!(named.is_subset(&folders), "{:?}", named.difference(&folders));
}

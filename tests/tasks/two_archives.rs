//! A run over two archives writes what a run over the first and a run over the second write, one after the other.
//!
//! In: ends of archives (with and without line ends, results, open comments) × beginnings (tag pairs, moves, text of no
//! game, a byte order mark). Law, for each output: the games of both runs, in order, with the same texts but for white
//! space and the `[Event "?"]` that separates games; the rows of both, with the name of their archive; the counts of a
//! good
//! archive do not depend on one beside it that cannot be read.

use std::fs;

use crate::common::{Scratch, errors_of, exit_code, run_in, trials};

/// The first archive, up to its end.
const ENDS: &[&str] = &[
    "[Event \"a\"]\n\n1. e4 Zz 1-0",
    "[Event \"a\"]\n\n1. e4 Zz 1-0\n",
    "[Event \"a\"]\r\n\r\n1. e4 Zz 1-0\r\n\r\n",
    "[Event \"a\"]\n\n1. d4 d5 *\n\n[Event \"b\"]\n\n1. e4 Zz {open",
    "[Event \"a\"]\n\n1. d4 d5",
    "1. c4 c5 *\n1. Zz *",
    "[Event \"a\"]\n\n1. e4 (1. Zz",
    "[Event \"a\"]\n\n1. d4 d5 1-0\n; a line",
];

/// The second one, from its beginning.
const BEGINNINGS: &[&str] = &[
    "[Event \"x\"]\n\n1. Zz *\n",
    "[White \"y\"]\n\n1. d4 d5 1-0\n\n[Event \"z\"]\n\n1. Zz *\n",
    "1. Zz *\n\n[Event \"x\"]\n\n1. c4 *\n",
    "\u{feff}[Event \"x\"]\n\n1. Zz *\n",
    "{intro} 1. Zz 0-1\n",
    "\n\n  [Event \"x\"]\n\n1. Nf3 Zz *\n",
];

/// Without white space, without the tag pair that separates games, and without the result that ends one that has none.
fn squeezed(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).replace("[Event \"?\"]", "").replace('\u{feff}', "");
    text.chars().filter(|sign| !sign.is_whitespace() && *sign != '*').collect()
}

fn run(scratch: &Scratch, line: &str) {
    let ran = run_in(scratch.path(), &line.split(' ').collect::<Vec<_>>(), b"");
    assert!(exit_code(&ran) < 2, "{line}: {}", errors_of(&ran));
}

/// A file, or nothing where there is none.
fn read(scratch: &Scratch, name: &str) -> Vec<u8> {
    fs::read(scratch.join(name)).unwrap_or_default()
}

/// How many games a file has.
fn games(scratch: &Scratch, name: &str) -> u64 {
    if read(scratch, name).is_empty() {
        return 0;
    }
    let ran = run_in(scratch.path(), &["validate", "--format", "csv", "-q", name], b"");
    let text = String::from_utf8(ran.stdout).unwrap();
    let row = text.lines().find_map(|line| line.strip_prefix("games,")).expect("a count of games");
    row.parse().unwrap()
}

/// The commands, with the file that is compared; `BY` is a directory of files by a value.
const RUNS: &[(&str, &str)] = &[
    ("validate -q --rejects OUT", "r.pgn"),
    ("convert -q --to uci --rejects OUT -o other.pgn", "r.pgn"),
    ("convert -q --to san --keep-rejects -o OUT", "c.pgn"),
    ("select -q --where verdict=='rejected' -o OUT", "s.pgn"),
    ("select -q --split-by verdict -o OUT", "by/rejected.pgn"),
];

#[test]
fn games_of_two_archives_are_those_of_the_first_and_of_the_second() {
    let pairs =
        ENDS.iter().flat_map(|end| BEGINNINGS.iter().map(move |beginning| (end, beginning)));
    // Each end and each beginning occur among them.
    for (end, beginning) in pairs.into_iter().step_by(trials(9, 2, 1)) {
        let scratch = Scratch::new();
        scratch.write("a.pgn", end.as_bytes());
        scratch.write("b.pgn", beginning.as_bytes());
        for (command, file) in RUNS {
            let mut found = Vec::new();
            for (run_name, inputs) in [("one", "a.pgn"), ("two", "b.pgn"), ("both", "a.pgn b.pgn")]
            {
                let out = format!("{run_name}-{file}");
                let named = out.split('/').next().unwrap();
                run(&scratch, &format!("{} --overwrite {inputs}", command.replace("OUT", named)));
                found.push((squeezed(&read(&scratch, &out)), games(&scratch, &out)));
            }
            let shown = || format!("{command}: {end:?}, {beginning:?}");
            assert_eq!(found[2].0, format!("{}{}", found[0].0, found[1].0), "{}", shown());
            assert_eq!(found[2].1, found[0].1 + found[1].1, "{}", shown());
        }
    }
}

/// An archive that begins with as many bytes of a game that is not written as the archive before it has: the next game
/// begins at the offset at which the text before has ended, in another archive. It has a line of its own.
#[test]
fn texts_of_two_archives_are_not_adjacent_whatever_their_offsets_are() {
    // Without what separates games.
    let lines = |bytes: &[u8]| -> Vec<String> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let lines = text.split(['\r', '\n']).map(str::trim);
        let is_own = |line: &&str| !["", "*", "[Event \"?\"]"].contains(line);
        lines.filter(is_own).map(String::from).collect()
    };
    for (index, end) in ENDS.iter().enumerate() {
        let filler = format!("{:1$}\n", "1. d4 *\n", end.len() - 1);
        for (command, file) in [RUNS[0], RUNS[4]] {
            let beginning = format!("{filler}{}", BEGINNINGS[index % 3]);
            let scratch = Scratch::new();
            scratch.write("a.pgn", end.as_bytes());
            scratch.write("b.pgn", beginning.as_bytes());
            let [one, two, both] = ["a.pgn", "b.pgn", "a.pgn b.pgn"].map(|inputs| {
                let out = file.split('/').next().unwrap();
                run(&scratch, &format!("{} --overwrite {inputs}", command.replace("OUT", out)));
                lines(&read(&scratch, file))
            });
            assert_eq!(both, [one, two].concat(), "{command}: {end:?}, {beginning:?}");
        }
    }
}

/// Rows name their archive; the first row of an archive says nothing of the one before.
#[test]
fn rows_of_two_archives_are_those_of_the_first_and_of_the_second() {
    let pairs =
        ENDS.iter().flat_map(|end| BEGINNINGS.iter().map(move |beginning| (end, beginning)));
    // Each end and each beginning occur among them.
    for (end, beginning) in pairs.into_iter().step_by(trials(9, 2, 1)) {
        let scratch = Scratch::new();
        scratch.write("a.pgn", end.as_bytes());
        scratch.write("b.pgn", beginning.as_bytes());
        for command in [
            "validate -q --faults OUT",
            "validate -q --notes OUT",
            "export -q --columns archive,byte_offset,Event,moves -o OUT",
            "export -q --table plies --columns archive,byte_offset,ply,san -o OUT",
        ] {
            let rows = |inputs: &str| -> Vec<String> {
                run(&scratch, &format!("{} --overwrite {inputs}", command.replace("OUT", "t.csv")));
                let text = String::from_utf8(read(&scratch, "t.csv")).unwrap();
                text.lines().skip(1).map(str::to_string).collect()
            };
            let (one, two, both) = (rows("a.pgn"), rows("b.pgn"), rows("a.pgn b.pgn"));
            assert_eq!(both, [one, two].concat(), "{command}: {end:?}, {beginning:?}");
        }
    }
}

/// In any order, the counts of a good archive are its own.
#[test]
fn an_archive_that_cannot_be_read_leaves_the_counts_of_the_others() {
    let scratch = Scratch::new();
    scratch.write("good.pgn", format!("{}\n{}", ENDS[3], BEGINNINGS[1]).as_bytes());
    scratch.write("other.pgn", BEGINNINGS[2].as_bytes());
    // Games, and then bytes that are no frame.
    let mut damaged =
        zstd::encode_all("[Event \"d\"]\n\n1. e4 Zz *\n\n".repeat(40).as_bytes(), 1).unwrap();
    damaged.extend(b"\x28\xb5\x2f\xfd\x04\x00\xff\xff\xff\xff\xff");
    scratch.write("bad.zst", &damaged);
    let lines_of = |inputs: &str| -> Vec<String> {
        let line = format!("validate -v --keep-going {inputs}");
        let ran = run_in(scratch.path(), &line.split(' ').collect::<Vec<_>>(), b"");
        // `[2/3] good.pgn: 3 games: …`
        let errors = errors_of(&ran);
        let lines = errors.lines().filter_map(|line| line.split_once("] ")).map(|(_, line)| line);
        let is_of = |line: &&str| line.starts_with("good.pgn: ") || line.starts_with("other.pgn: ");
        lines.filter(is_of).filter(|line| line.contains(" game")).map(str::to_string).collect()
    };
    let expected = lines_of("good.pgn other.pgn");
    assert!(expected.len() == 2, "{expected:?}");
    for inputs in [
        "bad.zst good.pgn other.pgn",
        "good.pgn bad.zst other.pgn",
        "missing.pgn good.pgn bad.zst other.pgn",
    ] {
        assert_eq!(lines_of(inputs), expected, "{inputs}");
    }
}

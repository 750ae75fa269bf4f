//! Archives with games of several rulesets, as a user converts them.
//!
//! In: the games of `../shared/corpora/variants` and games of chess in one archive; random games of the boards that
//! are given by a table. Laws: the same outputs from any container and any number of threads; every notation and back
//! gives the very bytes, where a game that a notation cannot write is rejected by name before anything of it is
//! written.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{Dice, SOURCES, Scratch, boards, here, thinned, trials};
use pgnmill_core::chess::rules::BoardKind;
use pgnmill_core::notation::NOTATIONS;
use pgnmill_io::archive::games::Games;
use pgnmill_needs::needs;

const GAMES: &str = "../shared/corpora/variants/games";
const RULESETS: [&str; 7] =
    ["crazyhouse", "atomic", "antichess", "kingOfTheHill", "threeCheck", "racingKings", "horde"];

/// The first games of an archive of one ruleset.
fn first_games(rules: &str, count: usize) -> Vec<u8> {
    let file = fs::File::open(here(&format!("{GAMES}/generated-{rules}.pgn.zst"))).unwrap();
    let text = zstd::decode_all(file).unwrap();
    let end = Games::new(&text).nth(count).map_or(text.len(), |(start, _)| start);
    text[..end].to_vec()
}

/// Games of all rulesets of the board of chess, those of chess between them.
fn mixed(count: usize) -> Vec<u8> {
    let chess = fs::read(here(SOURCES)).unwrap();
    let chess = String::from_utf8_lossy(&chess).replace("\r\n", "\n").into_bytes();
    let mut text = Vec::new();
    for rules in RULESETS {
        text.extend(first_games(rules, count));
        text.extend_from_slice(&chess);
        text.push(b'\n');
    }
    text
}

/// Runs the program in a folder; the text is its standard input, if there is one.
fn run(folder: &Path, args: &str, input: Option<&[u8]>) -> Option<i32> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pgnmill"));
    command.args(args.split_whitespace()).current_dir(folder);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    command.stdin(if input.is_some() { Stdio::piped() } else { Stdio::null() });
    let mut child = command.spawn().unwrap();
    if let (Some(text), Some(mut pipe)) = (input, child.stdin.take()) {
        pipe.write_all(text).unwrap();
    }
    child.wait().unwrap().code()
}

#[needs("../shared/corpora/variants")]
#[test]
fn every_notation_and_back_gives_the_very_bytes() {
    let scratch = Scratch::new();
    let folder = scratch.join("");
    let text = mixed(12);
    // Canonical first: games of chess in this archive may be repaired.
    scratch.write("raw.pgn", &text);
    run(&folder, "convert -q --keep-rejects --to san -o in.pgn raw.pgn", None);
    let expected = fs::read(folder.join("in.pgn")).unwrap();
    for notation in NOTATIONS {
        let name = notation.info().name;
        let there = format!(
            "convert -q --overwrite --keep-rejects --faults f.csv --to {name} -o there.pgn in.pgn"
        );
        assert!(matches!(run(&folder, &there, None), Some(0 | 1)), "{name}");
        let back = "convert -q --overwrite --keep-rejects --to san -o back.pgn there.pgn";
        assert!(matches!(run(&folder, back, None), Some(0 | 1)), "{name}");
        let found = fs::read(folder.join("back.pgn")).unwrap();
        assert!(found == expected, "{name} and back");
        let mut faults = csv::Reader::from_path(folder.join("f.csv")).unwrap();
        let kinds = faults.headers().unwrap().iter().position(|column| column == "kind").unwrap();
        for row in faults.records().map(Result::unwrap) {
            let known = ["move-not-expressible", "notation-needs-initial-array"];
            assert!(known.contains(&&row[kinds]), "{name}: {row:?}");
        }
    }
}

#[needs("../shared/corpora/variants")]
#[test]
fn chess99_is_written_in_its_notations_and_back() {
    let scratch = Scratch::new();
    let folder = scratch.join("");
    let text = first_games("chess99", usize::MAX);
    scratch.write("in.pgn", &text);
    for name in ["uci", "long", "geographical", "chess99"] {
        let there = format!("convert -q --overwrite --to {name} -o there.pgn in.pgn");
        assert_eq!(run(&folder, &there, None), Some(0), "{name}");
        let back = "convert -q --overwrite --to chess99 -o back.pgn there.pgn";
        assert_eq!(run(&folder, back, None), Some(0), "{name}");
        assert!(fs::read(folder.join("back.pgn")).unwrap() == text, "{name} and back");
        let is_same = fs::read(folder.join("there.pgn")).unwrap() == text;
        assert_eq!(is_same, name == "chess99", "{name}");
    }
    let refused = "convert -q --overwrite --faults f.csv --to san -o there.pgn in.pgn";
    assert_eq!(run(&folder, refused, None), Some(1));
    assert!(fs::read(folder.join("there.pgn")).unwrap().is_empty());
    let faults = fs::read_to_string(folder.join("f.csv")).unwrap();
    assert_eq!(faults.matches("notation-not-for-board").count(), 500);
}

/// Every notation that has texts for these boards, and back; the others reject the games by name.
#[test]
fn games_of_other_boards_are_written_in_their_notations_and_back() {
    const NAMES: [&str; 4] = ["uci", "long", "geographical", "san"];
    let mut dice = Dice::new(0xb0a);
    for &kind in BoardKind::ALL {
        let scratch = Scratch::new();
        let folder = scratch.join("");
        let text = boards::games(kind, trials(40, 100, 500), trials(60, 150, 200), &mut dice);
        scratch.write("in.pgn", text.as_bytes());
        for name in NAMES {
            let there = format!("convert -q --overwrite --to {name} -o there.pgn in.pgn");
            assert_eq!(run(&folder, &there, None), Some(0), "{name}");
            let back = "convert -q --overwrite --to san -o back.pgn there.pgn";
            assert_eq!(run(&folder, back, None), Some(0), "{name}");
            assert!(fs::read(folder.join("back.pgn")).unwrap() == text.as_bytes(), "{name}");
            let is_same = fs::read(folder.join("there.pgn")).unwrap() == text.as_bytes();
            assert_eq!(is_same, name == "san", "{name}");
        }
        let names = NOTATIONS.iter().map(|notation| notation.info().name);
        for name in thinned(9, names.filter(|name| !NAMES.contains(name))) {
            let refused =
                format!("convert -q --overwrite --faults f.csv --to {name} -o there.pgn in.pgn");
            assert_eq!(run(&folder, &refused, None), Some(1), "{name}");
            assert!(fs::read(folder.join("there.pgn")).unwrap().is_empty(), "{name}");
            let faults = fs::read_to_string(folder.join("f.csv")).unwrap();
            let count = faults.matches("notation-not-for-board").count();
            assert_eq!(count, text.matches("[Variant").count(), "{name}");
        }
    }
}

/// The facts of the last position are those of the suffix of the last move; rulesets are counted by name.
#[test]
fn facts_of_games_of_other_boards_are_those_of_their_texts() {
    let mut dice = Dice::new(0xb0d);
    for &kind in BoardKind::ALL {
        let scratch = Scratch::new();
        let folder = scratch.join("");
        let count = trials(60, 300, 2_000);
        let text = boards::games(kind, count, 120, &mut dice);
        // A mate that random play would not find.
        let mate = match kind {
            BoardKind::Glinski => "1. Qc3 Qc6 2. b2 b6 3. Bb1 e6 4. Qxf9# 1-0",
            BoardKind::Raumschach => "1. Bc3 *",
        };
        let tags = format!("[Event \"a\"]\n[Variant \"{}\"]", kind.title());
        let text = format!("{text}{tags}\n\n{mate}\n");
        scratch.write("in.pgn", text.as_bytes());
        let ends = |suffixes: &[char]| -> usize {
            let movetexts = text.split("\n\n").filter(|part| !part.starts_with('['));
            let last = |movetext: &str| {
                let (mut depth, mut main) = (0, String::new());
                for character in movetext.chars() {
                    depth += i32::from("({".contains(character));
                    main.extend(Some(character).filter(|_| depth == 0));
                    depth -= i32::from(")}".contains(character));
                }
                let mut words = main.split_whitespace();
                words.rfind(|word| word.starts_with(char::is_alphabetic)).map(str::to_string)
            };
            movetexts.filter_map(last).filter(|text| text.ends_with(suffixes)).count()
        };
        for (expression, expected) in [
            ("check", ends(&['+', '#'])),
            ("mate", ends(&['#'])),
            ("stalemate", 0),
            ("insufficient_material is missing", count + 1),
            ("verdict == 'rejected'", 0),
        ] {
            let mut command = Command::new(env!("CARGO_BIN_EXE_pgnmill"));
            command.args(["select", "-q", "--overwrite", "--where", expression, "-o", "out.pgn"]);
            command.arg("in.pgn").current_dir(&folder);
            let output = command.output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let found = fs::read_to_string(folder.join("out.pgn")).unwrap();
            assert_eq!(found.matches("[Event ").count(), expected, "{kind:?}: {expression}");
        }
        assert_eq!(run(&folder, "stats -q -o stats in.pgn", None), Some(0));
        let stats = fs::read_to_string(folder.join("stats/stats.csv")).unwrap();
        assert!(stats.contains(kind.name()), "{stats}");
    }
}

/// A game that is damaged does not affect adjacent games, and its text is kept.
#[test]
fn a_damaged_game_of_another_board_is_rejected_alone() {
    let mut dice = Dice::new(0xb0b);
    for &kind in BoardKind::ALL {
        let scratch = Scratch::new();
        let folder = scratch.join("");
        let games: Vec<String> = (0..12).map(|_| boards::games(kind, 1, 40, &mut dice)).collect();
        for (odd, with) in
            [("\n\n1. ", "\n\n1. Zz9 "), ("[Result", "[SetUp \"1\"]\n[FEN \"6/7 w\"]\n[Result")]
        {
            let mut damaged = games.clone();
            damaged[5] = damaged[5].replacen(odd, with, 1);
            scratch.write("in.pgn", damaged.concat().as_bytes());
            let convert =
                "convert -q --overwrite --to uci --keep-rejects --faults f.csv -o out.pgn in.pgn";
            assert_eq!(run(&folder, convert, None), Some(1));
            let faults = fs::read_to_string(folder.join("f.csv")).unwrap();
            assert_eq!(faults.lines().count(), 2, "{faults}");
            let back = "convert -q --overwrite --to san --keep-rejects -o back.pgn out.pgn";
            assert_eq!(run(&folder, back, None), Some(1));
            assert!(fs::read_to_string(folder.join("back.pgn")).unwrap() == damaged.concat());
        }
    }
}

#[needs("../shared/corpora/variants")]
#[test]
fn outputs_do_not_depend_on_containers_or_threads() {
    let scratch = Scratch::new();
    let folder = scratch.join("");
    let mut text = mixed(20);
    text.extend(first_games("chess99", 20));
    let mut dice = Dice::new(0xb0c);
    text.extend(
        BoardKind::ALL.iter().flat_map(|&kind| boards::games(kind, 20, 60, &mut dice).into_bytes()),
    );
    scratch.write("plain.pgn", &text);
    scratch.write("one.pgn.zst", &zstd::encode_all(&text[..], 3).unwrap());
    let many = text.chunks(10_007).flat_map(|part| zstd::encode_all(part, 1).unwrap());
    scratch.write("many.pgn.zst", &many.collect::<Vec<u8>>());
    let inputs = ["plain.pgn", "one.pgn.zst", "many.pgn.zst", "-"].map(str::to_string);
    let mut inputs = inputs.to_vec();
    #[cfg(feature = "containers")]
    inputs.extend(crate::common::coded::CODERS.map(|(ending, store)| {
        let name = format!("coded.pgn.{ending}");
        scratch.write(&name, &store(&text));
        name
    }));
    let mut outputs = Vec::new();
    for input in &inputs {
        for threads in [1, 2, 7] {
            let common = format!("-q --overwrite --threads {threads} --block-bytes 4096");
            let piped = (input.as_str() == "-").then_some(&text[..]);
            let convert = format!(
                "convert {common} --keep-rejects --to uci -o out.pgn --faults f.csv {input}"
            );
            assert!(matches!(run(&folder, &convert, piped), Some(0 | 1)), "{convert}");
            let measure =
                format!("measure {common} --by rules,source --notations main -o t {input}");
            assert!(matches!(run(&folder, &measure, piped), Some(0 | 1)), "{measure}");
            let read = |name: &str| fs::read(folder.join(name)).unwrap();
            // The first column of the faults is the name of the archive.
            let faults = String::from_utf8(read("f.csv")).unwrap();
            let faults = faults.replace(input.as_str(), "archive").replace("<stdin>", "archive");
            outputs.push((read("out.pgn"), faults.len(), read("t/by_rules.csv")));
            assert!(outputs[0] == outputs[outputs.len() - 1], "{input}, {threads} threads");
        }
    }
    let by_rules = String::from_utf8(outputs[0].2.clone()).unwrap();
    let others = ["chess", "chess99"].into_iter().chain(BoardKind::NAMES.iter().copied());
    for rules in RULESETS.into_iter().chain(others) {
        assert!(by_rules.contains(&format!("\n{rules},")), "{rules}: {by_rules}");
    }
}

//! `explain` has of each game what a run has: verdict, fault, notes and repairs.
//!
//! In: mutated archives, plain and compressed, whose games are often joined without a line end between them. Law: for
//! each game, by its number and by its first byte, the record of `explain` has the fault that `validate --faults`
//! lists, or the notes and repairs that `--notes` lists, and the verdict that follows from them, with the lenient
//! profile and with the strict one.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;

use serde_json::Value as Json;

use crate::common::{Dice, Scratch, errors_of, exit_code, mutations, run_in, thinned, trials};

/// What a run lists of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Listed {
    /// Kind, offset and reason.
    fault: Option<(String, u64, String)>,
    is_repaired: bool,
    /// The notes and repairs: how many of each kind.
    notes: BTreeMap<String, u64>,
}

impl Listed {
    fn verdict(&self) -> &'static str {
        match (&self.fault, self.is_repaired) {
            (Some(_), _) => "rejected",
            (None, true) => "repaired",
            (None, false) => "accepted",
        }
    }
}

/// The rows of a table, by the names of its columns.
fn rows(scratch: &Scratch, name: &str) -> Vec<BTreeMap<String, String>> {
    let text = fs::read_to_string(scratch.join(name)).unwrap();
    csv::Reader::from_reader(text.as_bytes()).deserialize().map(Result::unwrap).collect()
}

/// What a run lists of each game of `a.pgn` that it lists something of.
fn listed(scratch: &Scratch, text: &[u8], profile: &[&str]) -> BTreeMap<u64, Listed> {
    let args = ["validate", "-q", "--overwrite", "--faults", "f.csv", "--notes", "n.csv", "a.pgn"];
    let ran = run_in(scratch.path(), &[&args[..], profile].concat(), b"");
    assert!(exit_code(&ran) < 2, "{}", errors_of(&ran));
    let mut games = BTreeMap::<u64, Listed>::new();
    for row in rows(scratch, "f.csv") {
        let game = games.entry(row["game"].parse().unwrap()).or_default();
        let offset = row["byte_offset"].parse().unwrap();
        assert!(game.fault.is_none(), "two faults of a game: {row:?}");
        game.fault = Some((row["kind"].clone(), offset, by_byte(&row["detail"], text)));
    }
    for row in rows(scratch, "n.csv") {
        let game = games.entry(row["game"].parse().unwrap()).or_default();
        game.is_repaired |= row["class"] == "repair";
        *game.notes.entry(row["kind"].clone()).or_default() += 1;
    }
    games
}

/// The record of a game; `None` if there is no such game.
fn explained(scratch: &Scratch, which: [&str; 2], profile: &[&str]) -> Option<Json> {
    let args = ["explain", "a.pgn", "--format", "json", which[0], which[1]];
    let ran = run_in(scratch.path(), &[&args[..], profile].concat(), b"");
    if exit_code(&ran) == 2 {
        let errors = errors_of(&ran);
        assert!(errors.contains("there is no game"), "{which:?}: {errors}");
        return None;
    }
    Some(serde_json::from_slice(&ran.stdout).unwrap())
}

/// The reason with the comment that it names by its byte, as `explain` has it: a run over the archive has its line and
/// column.
fn by_byte(detail: &str, text: &[u8]) -> String {
    const BEGINS: &str = "the comment that begins at ";
    let Some((before, rest)) = detail.split_once(BEGINS) else { return detail.to_string() };
    let (place, rest) = rest.split_once(" holds").unwrap();
    let Some((line, column)) = place.split_once(':') else { return detail.to_string() };
    let (line, column): (usize, usize) = (line.parse().unwrap(), column.parse().unwrap());
    let ends = (0..text.len()).filter(|&at| match text[at] {
        b'\n' => true,
        b'\r' => text.get(at + 1) != Some(&b'\n'),
        _ => false,
    });
    let start = std::iter::once(0).chain(ends.map(|end| end + 1)).nth(line - 1).unwrap();
    format!("{before}{BEGINS}byte {} holds{rest}", start + column - 1)
}

/// The same as a run lists it.
fn as_listed(record: &Json) -> (Listed, &str) {
    let text = |name: &str| record[name].as_str().map(str::to_string);
    let fault = text("fault")
        .map(|kind| (kind, record["fault_offset"].as_u64().unwrap()))
        .map(|(kind, at)| (kind, at, text("detail").unwrap()));
    let times = record["deviations"].as_object().unwrap().iter();
    let notes = times.map(|(kind, times)| (kind.clone(), times.as_u64().unwrap())).collect();
    let verdict = record["verdict"].as_str().unwrap();
    // Of a rejected game a run lists no notes.
    let notes = if fault.is_some() { BTreeMap::new() } else { notes };
    (Listed { fault, is_repaired: verdict == "repaired", notes }, verdict)
}

/// An archive whose games are often joined to the ones before them, mutated or not.
fn archive(dice: &mut Dice) -> Vec<u8> {
    let mut text = mutations::mixture(dice);
    for line_ends in ["\n\n", "\r\n\r\n", "\r\r"] {
        let found: Vec<usize> = memchr::memmem::find_iter(&text, line_ends).collect();
        for at in found.into_iter().rev() {
            let between = dice.one(&["", " ", "\t", " {comment} "]);
            if dice.below(4) == 0 {
                text.splice(at..at + line_ends.len(), between.bytes());
            }
        }
    }
    if dice.below(2) == 0 {
        mutations::mutate(&mut text, dice);
    }
    text
}

#[test]
fn explain_has_the_verdict_and_the_reasons_of_a_run() {
    let mut dice = Dice::new(31);
    let mut met = BTreeMap::<String, u64>::new();
    for _ in 0..trials(8, 30, 400) {
        let scratch = Scratch::new();
        let text = archive(&mut dice);
        let stored =
            if dice.below(4) == 0 { mutations::compressed(&text, &mut dice) } else { text.clone() };
        scratch.write("a.pgn", &stored);
        for profile in [&[][..], &["--strict"]] {
            let mut games = listed(&scratch, &text, profile);
            for number in 1.. {
                let which = number.to_string();
                let Some(record) = explained(&scratch, ["--game", &which], profile) else { break };
                let expected = games.remove(&number).unwrap_or_default();
                let shown = text.escape_ascii();
                let (found, verdict) = as_listed(&record);
                assert_eq!((&found, verdict), (&expected, expected.verdict()), "{record}: {shown}");
                if number < trials(2, 9, 99) {
                    let words = ["explain", "a.pgn", "--game", &which];
                    let ran = run_in(scratch.path(), &[&words[..], profile].concat(), b"");
                    check_page(&String::from_utf8_lossy(&ran.stdout), &record);
                }
                let at = record["byte_offset"].to_string();
                let by_offset = explained(&scratch, ["--at", &at], profile).expect("the game");
                for field in ["game", "byte_offset", "byte_end", "verdict", "fault", "deviations"] {
                    assert_eq!(by_offset[field], record[field], "{field} at byte {at}: {shown}");
                }
                let kinds = expected.fault.map(|fault| fault.0).into_iter();
                for kind in kinds.chain(expected.notes.into_keys()) {
                    *met.entry(format!("{kind} {profile:?}")).or_default() += 1;
                }
            }
            assert!(games.is_empty(), "of no game: {games:?}");
        }
    }
    for profile in ["[]", "[\"--strict\"]"] {
        let joined = met.get(&format!("games-run-together {profile}"));
        assert!(joined.is_some_and(|&games| games > trials(0, 10, 10)), "{met:?}");
    }
}

/// The rows of a run that skips damaged frames are found by their offsets, with the same option.
#[test]
fn games_around_damaged_frames_are_found() {
    let game = |number: usize| {
        let moves = if number.is_multiple_of(3) { "1. e4 e5 2. Ke3 *" } else { "1. e4 e5 *" };
        format!("[Event \"{number}\"]\n\n{moves}\n\n")
    };
    let text: String = (0..240).map(game).collect();
    // Frames end within games.
    let frames: Vec<Vec<u8>> = text
        .as_bytes()
        .chunks(text.len() / 12 + 1)
        .map(|text| zstd::bulk::compress(text, 3).unwrap())
        .collect();
    let scratch = Scratch::new();
    for damaged in thinned(2, [0, 5, 11]) {
        let mut stored = frames.clone();
        let middle = stored[damaged].len() / 2;
        stored[damaged][middle..][..10].fill(0x5A);
        scratch.write("a.pgn.zst", &stored.concat());
        let options = ["--skip-damaged", "--overwrite", "--faults", "f.csv", "a.pgn.zst"];
        let ran = run_in(scratch.path(), &[&["validate", "-q"], &options[..]].concat(), b"");
        assert_eq!(exit_code(&ran), 1, "{}", errors_of(&ran));
        let mut games = 0;
        for row in rows(&scratch, "f.csv").iter().filter(|row| row["kind"] == "move-illegal") {
            let args = ["explain", "--skip-damaged", "--format", "json", "--at"];
            let which = [row["byte_offset"].as_str(), "a.pgn.zst"];
            let ran = run_in(scratch.path(), &[&args[..], &which].concat(), b"");
            let record: Json = serde_json::from_slice(&ran.stdout)
                .unwrap_or_else(|_| panic!("{row:?}: {}", errors_of(&ran)));
            let (found, verdict) = as_listed(&record);
            let (kind, offset, detail) = found.fault.expect("a fault");
            assert_eq!((verdict, &kind, &detail), ("rejected", &row["kind"], &row["detail"]));
            assert_eq!(
                (offset.to_string(), record["game"].to_string()),
                (row["byte_offset"].clone(), row["game"].clone())
            );
            games += 1;
        }
        assert!(games >= 70, "{games}");
    }
}

/// The game in which a damaged archive ends is the one that a run rejects, for the same reason: among its tag pairs, in
/// its moves, in a comment, behind its result.
#[test]
fn a_game_that_is_cut_is_rejected_as_in_a_run() {
    let game = |number: usize| {
        format!(
            "[Event \"{number}\"]\n[Site \"?\"]\n\n1. e4 {{a comment of game {number}}} e5 2. Nf3 *\n\n"
        )
    };
    let text: String = (0..9).map(game).collect();
    let scratch = Scratch::new();
    let mut met = BTreeMap::<String, u64>::new();
    let cuts = (text.len() / 2..text.len() / 2 + 2 * game(0).len()).step_by(trials(7, 1, 1));
    for (turn, cut) in cuts.enumerate() {
        // What follows is no frame.
        let mut stored = match turn % 2 {
            0 => zstd::bulk::compress(&text.as_bytes()[..cut], 3).unwrap(),
            _ => {
                let mut encoder =
                    flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                encoder.write_all(&text.as_bytes()[..cut]).unwrap();
                encoder.finish().unwrap()
            }
        };
        stored.extend_from_slice(&[0x5A; 40]);
        scratch.write("a.pgn", &stored);
        let args =
            ["validate", "-q", "--skip-damaged", "--overwrite", "--faults", "f.csv", "a.pgn"];
        let ran = run_in(scratch.path(), &args, b"");
        assert_eq!(exit_code(&ran), 1, "{}", errors_of(&ran));
        for row in rows(&scratch, "f.csv").iter().filter(|row| row["kind"] != "frame-damaged") {
            for which in [["--game", &row["game"]], ["--at", &row["byte_offset"]]] {
                let args = ["explain", "--skip-damaged", "--format", "json", "a.pgn"];
                let ran = run_in(scratch.path(), &[&args[..], &which].concat(), b"");
                let record: Json = serde_json::from_slice(&ran.stdout)
                    .unwrap_or_else(|_| panic!("{row:?}: {}", errors_of(&ran)));
                let (found, verdict) = as_listed(&record);
                let (kind, offset, detail) =
                    found.fault.unwrap_or_else(|| panic!("{row:?}: {record}"));
                let expected = ("rejected", &row["kind"], by_byte(&row["detail"], text.as_bytes()));
                assert_eq!((verdict, &kind, detail), expected, "{cut}");
                assert_eq!(offset.to_string(), row["byte_offset"], "{cut}");
                *met.entry(kind).or_default() += 1;
            }
        }
    }
    assert!(met["game-cut"] > 6 && met.len() > 1, "{met:?}");
}

/// Of games without a result that are in one block with a game that is cut, the last alone is rejected.
#[test]
fn games_before_one_that_is_cut_are_not_cut() {
    let scratch = Scratch::new();
    let text = "[White \"a\"]\n\n1. e4 e5\n\n[White \"b\"]\n\n1. d4 d5\n\n[White \"c\"]\n[Bl";
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    let frame = zstd::bulk::compress(text.as_bytes(), 3).unwrap();
    for stored in [frame, encoder.finish().unwrap()] {
        scratch.write("a.pgn", &[&stored[..], &[0x5A; 40]].concat());
        let starts = text.match_indices("[White").map(|(at, _)| at.to_string());
        for (number, at) in (1..).zip(starts) {
            let expected = if number == 3 { "rejected" } else { "accepted" };
            for which in [["--game", &number.to_string()], ["--at", &at]] {
                let args = ["explain", "--skip-damaged", "--format", "json", "a.pgn"];
                let ran = run_in(scratch.path(), &[&args[..], &which].concat(), b"");
                let record: Json = serde_json::from_slice(&ran.stdout).expect("a record");
                assert_eq!(as_listed(&record).1, expected, "{which:?}: {record}");
            }
        }
    }
}

/// The command that a run advises of its first fault explains that game; of damage alone none is advised.
#[test]
fn the_command_that_is_advised_explains_a_game() {
    let scratch = Scratch::new();
    let whole = "[White \"a\"]\n\n1. e4 e5 *\n\n";
    let (mut advised, mut silent) = (0, 0);
    for begun in [
        "",
        "[White \"b\"]\n\n1. e4 e5 2. N",
        "[White \"b\"]\n[Bla",
        "[White \"b\"]\n\n1. e4 e5 2. Ke3 *",
    ] {
        let text = [whole, begun].concat();
        let frame = zstd::bulk::compress(text.as_bytes(), 3).unwrap();
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text.as_bytes()).unwrap();
        let member = encoder.finish().unwrap();
        let cut = &member[..member.len() - 9];
        for stored in [&frame, &member, cut] {
            // Text behind it, which is no frame; nothing.
            for rest in [whole.repeat(2), String::new()] {
                scratch.write("a.pgn", &[stored, rest.as_bytes()].concat());
                let ran = run_in(scratch.path(), &["validate", "--skip-damaged", "a.pgn"], b"");
                let errors = errors_of(&ran);
                let advice =
                    errors.lines().find_map(|line| line.strip_prefix("the first: pgnmill "));
                let has_fault = !errors.contains(" + 0 rejected");
                assert_eq!(advice.is_some(), has_fault, "{errors}");
                let Some(advice) = advice else {
                    silent += usize::from(errors.contains("frame-damaged"));
                    continue;
                };
                let words: Vec<&str> = advice.split(' ').collect();
                let shown = run_in(scratch.path(), &words, b"");
                assert_eq!(exit_code(&shown), 1, "{advice}: {}", errors_of(&shown));
                advised += 1;
            }
        }
    }
    assert!(advised > 9 && silent > 2, "{advised}, {silent}");
}

/// The page for people states the numbers of the record: offsets, how often each deviation occurs, and how many moves
/// are near.
fn check_page(page: &str, record: &Json) {
    let number = |name: &str| record[name].as_u64().unwrap();
    let place = format!(
        "game {} at bytes {} to {}, {}",
        number("game"),
        number("byte_offset"),
        number("byte_end"),
        record["verdict"].as_str().unwrap()
    );
    assert!(page.contains(&place), "{place}: {page}");
    if let Some(at) = record["fault_offset"].as_u64() {
        assert!(page.contains(&format!("rejected at byte {at}, ")), "{at}: {page}");
    }
    // A part of the page from a word on, on one line.
    let part = |begin: &str| {
        let lines = page.lines().skip_while(|line| !line.starts_with(begin));
        let rest = |line: &&str| line.starts_with(begin) || line.starts_with("      ");
        let part = lines.take_while(rest).map(str::trim).collect::<Vec<_>>().join(" ");
        part.strip_prefix(begin).unwrap_or_default().trim().to_string()
    };
    let also: BTreeMap<String, u64> = part("also")
        .split(", ")
        .filter(|noted| !noted.is_empty() && *noted != "nothing: the game is canonical")
        .map(|noted| {
            let words: Vec<&str> = noted.split(' ').collect();
            let times = match words[..] {
                [_, times, "times", _] => times.parse().unwrap(),
                [_, _] => 1,
                _ => panic!("{noted}: {page}"),
            };
            assert!(words.len() == 2 || times > 1, "{noted}");
            (words[0].to_string(), times)
        })
        .collect();
    let fault = record["fault"].as_str();
    let deviations = record["deviations"].as_object().unwrap().iter();
    let expected: BTreeMap<String, u64> = deviations
        .filter(|(kind, _)| Some(kind.as_str()) != fault)
        .map(|(kind, times)| (kind.clone(), times.as_u64().unwrap()))
        .collect();
    assert_eq!(also, expected, "{page}");
    if let Some(near) = record["near"].as_array() {
        let listed = part("near").replace("no legal move comes near", "");
        let (listed, more) = listed.split_once(" and ").unwrap_or((&listed, "0 more"));
        let more: usize = more.strip_suffix(" more").unwrap().parse().unwrap();
        let shown = listed.split(' ').filter(|mv| !mv.is_empty()).count();
        assert_eq!(shown + more, near.len(), "{page}");
    }
}

#[test]
fn the_page_has_the_numbers_of_the_record() {
    let scratch = Scratch::new();
    let text = "[Event \"a\"]\n\n1. e4 e5 *\n\n[Event \"b\"]\n\n1. e2e4 e7e5 2. Pf4 Xyz *\n\n[Event \"c\"]\n\n\
                1. e2e4 e7-e5 2. g1f3 0-1\n\n[Event \"d\"]\n[FEN \"r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w \
                KQkq - 4 4\"]\n[SetUp \"1\"]\n\n4. Xyz *\n\n[Event \"e\"]\n[FEN \"7k/8/8/8/8/8/8/K7 w - - 0 1\"]\n[SetUp \"1\"]\n\n\
                1. Xyz *\n";
    scratch.write("a.pgn", text.as_bytes());
    let mut more = 0;
    for number in 1..=5 {
        let which = number.to_string();
        let record = explained(&scratch, ["--game", &which], &[]).expect("a game");
        let ran = run_in(scratch.path(), &["explain", "a.pgn", "--game", &which], b"");
        let page = String::from_utf8(ran.stdout).unwrap();
        check_page(&page, &record);
        more += usize::from(page.contains(" more\n"));
    }
    assert!(more > 0);
}

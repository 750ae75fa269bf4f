//! `stats`: its counts are those of other commands, and of a second computation.
//!
//! Laws: groups are the games of `measure --by`; texts, lengths and repeated games those of the table of games; the
//! same bytes for any number of threads, sizes of jobs and containers; the three formats have the same counts.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use pgnmill_core::pgn::deviation::Deviation;
use pgnmill_core::tasks::stats::{SECTIONS, Section};
use pgnmill_needs::needs;

use crate::common::coded::CODERS;
use crate::common::{
    Dice, SAMPLE, Scratch, corpus, errors_of, exit_code, here, run_in, text_of, thinned, trials,
};

type Counts = BTreeMap<String, BTreeMap<String, u64>>;

/// Runs the program in a directory; what it writes to standard output.
#[track_caller]
fn run(scratch: &Scratch, args: &str) -> Vec<u8> {
    let words: Vec<&str> = args.split_whitespace().collect();
    let ran = run_in(scratch.path(), &words, b"");
    assert!(exit_code(&ran) < 2, "{args}: {}", errors_of(&ran));
    ran.stdout
}

/// The rows of a table of sections.
fn counts(csv: &[u8]) -> Counts {
    let mut counts = Counts::new();
    for row in csv::Reader::from_reader(csv).records().map(Result::unwrap) {
        let values = counts.entry(row[0].to_string()).or_default();
        assert_eq!(values.insert(row[1].to_string(), row[2].parse().unwrap()), None, "{row:?}");
    }
    counts
}

/// The rows of a CSV file, by the names of its columns.
fn table(path: &std::path::Path) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

fn is_known(value: &str) -> bool {
    let value = value.trim();
    !value.trim_matches('?').is_empty() && value != "-"
}

/// The counts of an archive, computed from the tables of other commands.
fn expected(scratch: &Scratch, archive: &str) -> (Counts, u64) {
    let mut expected = Counts::new();
    let by = "result,year,rating,speed,opening-name,eco-computed,rules";
    run(scratch, &format!("measure -q --notations san --by {by} -o m {archive}"));
    let files = [
        ("result", "by_result"),
        ("year", "by_year"),
        ("rating", "by_rating"),
        ("speed", "by_speed"),
        ("opening", "by_opening_name"),
        ("eco", "by_eco_computed"),
        ("rules", "by_rules"),
    ];
    for (section, file) in files {
        for row in table(&scratch.join(&format!("m/{file}.csv"))) {
            if row["notation"] == "san" && row["games"] != "0" {
                let games = row["games"].parse().unwrap();
                expected.entry(section.into()).or_default().insert(row["key"].clone(), games);
            }
        }
    }
    let columns = "White,Black,Event,Site,TimeControl,Termination,WhiteElo,BlackElo,year,ply_count,variation_plies,moves,\
                   movetext,WhiteTitle,BlackTitle,FEN,Variant,outcome";
    run(scratch, &format!("export -q --columns {columns} -o g.csv {archive}"));
    let mut add = |section: &str, value: &str| {
        *expected.entry(section.into()).or_default().entry(value.into()).or_default() += 1;
    };
    let (mut seen, mut repeated) = (BTreeSet::new(), 0);
    for row in table(&scratch.join("g.csv")) {
        for (section, column) in [
            ("player", "White"),
            ("player", "Black"),
            ("event", "Event"),
            ("site", "Site"),
            ("time-control", "TimeControl"),
            ("termination", "Termination"),
        ] {
            let value = &row[column];
            let is_dash = column == "TimeControl" && value.trim() == "-";
            let is_address = column == "Site" && value.contains("://");
            if (is_known(value) || is_dash) && !is_address {
                add(section, value.trim());
            }
        }
        let plies: u32 = row["ply_count"].parse().unwrap();
        let first = plies.saturating_sub(1) / 20 * 20 + 1;
        match plies {
            0 => add("length", "0"),
            1..=400 => add("length", &format!("{first}-{}", first + 19)),
            _ => add("length", "400+"),
        }
        let movetext = &row["movetext"];
        let rating = |name: &str| row[name].parse::<i32>().is_ok_and(|rating| rating > 0);
        let has_comment = movetext.contains(['{', ';']);
        for (name, has) in [
            ("moves", plies > 0),
            ("clocks", has_comment && movetext.contains("[%clk")),
            ("evaluations", has_comment && movetext.contains("[%eval")),
            ("comments", has_comment),
            ("variations", row["variation_plies"] != "0"),
            ("ratings", rating("WhiteElo") && rating("BlackElo")),
            ("date", !row["year"].is_empty()),
            ("title", is_known(&row["WhiteTitle"]) || is_known(&row["BlackTitle"])),
        ] {
            if has {
                add("has", name);
            }
        }
        let moves = format!("{} {} {}", row["moves"], row["FEN"], row["Variant"]);
        repeated += u64::from(plies >= 20 && !seen.insert(moves));
    }
    (expected, repeated)
}

/// Compares the counts of an archive; returns its games.
fn check(archive: &std::path::Path) -> u64 {
    let scratch = Scratch::new();
    let archive = archive.display().to_string();
    let mut found = counts(&run(&scratch, &format!("stats -q --format csv {archive}")));
    let notations = found.remove("notation").unwrap_or_default();
    let [verdicts, deviations] =
        ["verdict", "deviation"].map(|section| found.remove(section).unwrap_or_default());
    let (expected, repeated) = expected(&scratch, &archive);
    // Games of other rulesets are in one table of a measurement alone.
    let is_chess =
        expected["rules"].keys().all(|rules| rules.starts_with("chess") && rules != "chess99");
    let of_groups = ["result", "year", "rating", "speed", "opening", "eco"];
    for (section, values) in &expected {
        if is_chess || !of_groups.contains(&section.as_str()) {
            assert_eq!(found.get(section), Some(values), "{section} of {archive}");
        }
    }
    for section in of_groups {
        assert_eq!(found[section].values().sum::<u64>(), found["rules"].values().sum::<u64>());
    }
    assert!(found.keys().all(|section| expected.contains_key(section)), "{archive}");
    let json = run(&scratch, &format!("stats -q --format json {archive}"));
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!(json["repeated_games"], repeated, "{archive}");
    run(&scratch, &format!("validate -q --summary s.csv --overwrite {archive}"));
    let summary = table(&scratch.join("s.csv"));
    for row in &summary {
        let (key, games) = (&row["key"], row["value"].parse().unwrap_or(0));
        if ["accepted", "repaired", "rejected"].contains(&key.as_str()) {
            assert_eq!(verdicts.get(key).copied().unwrap_or(0), games, "{key} of {archive}");
        }
        if Deviation::ALL.iter().any(|deviation| deviation.name() == key) {
            assert_eq!(deviations.get(key).copied().unwrap_or(0), games, "{key} of {archive}");
        }
    }
    let games: u64 = expected["length"].values().sum();
    assert_eq!(notations.values().sum::<u64>(), games);
    assert_eq!(json["accepted"].as_u64().unwrap() + json["repaired"].as_u64().unwrap(), games);
    for row in json["result"]["values"].as_array().unwrap() {
        assert_eq!(found["result"][row["value"].as_str().unwrap()], row["games"].as_u64().unwrap());
    }
    games
}

#[test]
fn counts_are_those_of_other_commands() {
    let scratch = Scratch::new();
    let path =
        scratch.write("a.pgn", &text_of(&here(SAMPLE))[..trials(800_000, 2_000_000, 12_000_000)]);
    assert!(check(&path) > trials(200, 600, 600));
    for name in ["data/masters.pgn.zst", "data/lichess.pgn.zst", "data/sources.pgn"] {
        check(&here(name));
    }
    let rules = scratch.write(
        "rules.pgn",
        b"[Variant \"Crazyhouse\"]\n[White \"?\"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 P@e4 *\n\n\
          [Variant \"Atomic\"]\n[Event \"-\"]\n\n1. e4 *\n\n[White \" A \\\"B\\\" \"]\n\n1. e2-e4 {[%clk 0:01:00]} (1. d4) 1-0\n\n\
          [White \"J\xfcrgen\"]\n[Site \"https://lichess.org/abcdefgh\"]\n[TimeControl \"-\"]\n\n*\n\n1. Ke3 *\n",
    );
    assert_eq!(check(&rules), 4);
}

#[needs("../shared/corpora")]
#[test]
fn counts_of_archives_are_those_of_other_commands() {
    let folders = ["otb", "lichess", "chess960", "engine", "annotated"];
    let is_small = |path: &std::path::PathBuf| fs::metadata(path).unwrap().len() < 1_000_000;
    let games: u64 =
        folders.into_iter().flat_map(corpus).filter(is_small).map(|path| check(&path)).sum();
    assert!(games > 3_000, "{games}");
}

/// The longest game and the sum of plies are those of all archives, in whatever order they are read.
#[test]
fn lengths_are_those_of_all_archives() {
    let scratch = Scratch::new();
    for lengths in [[1, 2, 3], [3, 2, 1], [1, 3, 2], [0, 2, 0], [2, 2, 2]] {
        let mut command = "stats -q --format json".to_string();
        for (archive, plies) in lengths.into_iter().enumerate() {
            let moves = ["e4 ", "e5 ", "d4 "][..plies].concat();
            scratch.write(
                &format!("{archive}.pgn"),
                format!("[Event \"x\"]\n\n{moves}*\n").as_bytes(),
            );
            command += &format!(" {archive}.pgn");
        }
        let json: serde_json::Value = serde_json::from_slice(&run(&scratch, &command)).unwrap();
        assert_eq!(json["plies_max"], lengths.into_iter().max().unwrap(), "{lengths:?}: {json}");
        assert_eq!(json["plies"], lengths.into_iter().sum::<usize>(), "{lengths:?}: {json}");
    }
}

/// A title, a rating or a date that is not known is none: each value beside each.
#[test]
fn what_is_not_known_is_not_counted() {
    let scratch = Scratch::new();
    let values =
        [None, Some(""), Some(" "), Some("-"), Some("?"), Some("??"), Some("GM"), Some("0")];
    let (mut text, mut titled) = (String::new(), 0);
    for white in values {
        for black in values {
            text += "[Event \"x\"]\n";
            for (name, value) in [("WhiteTitle", white), ("BlackTitle", black)] {
                text.extend(value.map(|value| format!("[{name} \"{value}\"]\n")));
            }
            text += "\n*\n\n";
            titled += u64::from([white, black].iter().flatten().any(|value| is_known(value)));
        }
    }
    scratch.write("a.pgn", text.as_bytes());
    let has = &counts(&run(&scratch, "stats -q --format csv a.pgn"))["has"];
    assert_eq!(has.get("title"), Some(&titled), "{has:?}");
}

/// Games with equal moves are repeated from 20 plies on, not below.
#[test]
fn games_are_repeated_from_twenty_plies_on() {
    let scratch = Scratch::new();
    for plies in 17..24 {
        let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(6)[..plies].join(" ");
        scratch.write("a.pgn", format!("[Event \"x\"]\n\n{moves} *\n\n").repeat(3).as_bytes());
        let json = run(&scratch, "stats -q --format json a.pgn");
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        let repeated = if plies < 20 { 0 } else { 2 };
        assert_eq!(json["repeated_games"], repeated, "{plies} plies: {json}");
    }
}

/// The same moves of another ruleset or from another position are those of another game.
#[test]
fn games_of_other_starts_repeat_none() {
    let scratch = Scratch::new();
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"].repeat(6).join(" ");
    let variants = ["", "Three-check", "King of the Hill", "Atomic", "Crazyhouse"];
    let fens = ["", "rnbqkbnr/1ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"];
    let game = |variant: &str, fen: &str| {
        let pair = |name: &str, value: &str| match value {
            "" => String::new(),
            _ => format!("[{name} \"{value}\"]\n"),
        };
        let set_up = if fen.is_empty() { "" } else { "1" };
        let pairs = [("Variant", variant), ("SetUp", set_up), ("FEN", fen)];
        let pairs: String = pairs.map(|(name, value)| pair(name, value)).concat();
        format!("[Event \"x\"]\n{pairs}\n{moves} *\n\n")
    };
    let all = variants.iter().flat_map(|variant| fens.map(|fen| game(variant, fen)));
    let all: Vec<String> = all.collect();
    for times in 1..3 {
        scratch.write("a.pgn", all.concat().repeat(times).as_bytes());
        let json = run(&scratch, "stats -q --format json a.pgn");
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        assert_eq!(json["repeated_games"], all.len() * (times - 1), "{json}");
        assert_eq!(json["games"], all.len() * times, "{json}");
    }
}

/// The screen says that there are more values than it lists where there are, and lists them all where there are not.
#[test]
fn a_number_of_different_values_is_stated_where_not_all_are_listed() {
    let scratch = Scratch::new();
    let mut stated = Vec::new();
    for count in 1..10 {
        let games = (0..count).map(|player| format!("[White \"p{player}\"]\n\n*\n\n"));
        scratch.write("a.pgn", games.collect::<String>().as_bytes());
        let page = String::from_utf8(run(&scratch, "stats -q a.pgn")).unwrap();
        let line = page.lines().find(|line| line.trim_start().starts_with("player")).unwrap();
        let listed = (0..count).filter(|player| line.contains(&format!("p{player} ("))).count();
        let is_stated = line.contains(&format!("{count} different"));
        assert_eq!(is_stated, listed < count, "{count}: {line}");
        stated.push(is_stated);
    }
    assert!(stated.contains(&true) && stated.contains(&false));
}

/// JSON, the screen and the page state as many values as the table has rows, however many of them they list.
#[test]
fn every_form_states_how_many_values_there_are() {
    let scratch = Scratch::new();
    for count in [1, 20, 21, 100, 101, 5_000, 5_001] {
        let games = (0..count).map(|event| format!("[Event \"e{event}\"]\n\n*\n\n"));
        scratch.write("a.pgn", games.collect::<String>().as_bytes());
        let of_csv = counts(&run(&scratch, "stats -q --format csv a.pgn"))["event"].len();
        assert_eq!(of_csv, count);
        let json = run(&scratch, "stats -q --format json a.pgn");
        let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
        assert_eq!(json["event"]["different"], count, "{count}");
        if [1, 101, 5_000, 5_001].contains(&count) {
            run(&scratch, "stats -q --overwrite -o t a.pgn");
            run(&scratch, "report --overwrite -o page.html t");
            let page = fs::read_to_string(scratch.join("page.html")).unwrap();
            let grouped = match count {
                1_000.. => format!("{},{:03}", count / 1_000, count % 1_000),
                _ => count.to_string(),
            };
            // Where not all rows are shown, the page says of how many.
            assert!(
                page.contains(&grouped),
                "{count} values of the table are not those of the page"
            );
        }
    }
}

/// Players are counted game by game, and the most frequent ones are named in every form, as many as `--top` states, for
/// any threads; the table of a directory has all of them.
#[test]
fn the_most_frequent_players_are_named() {
    let scratch = Scratch::new();
    let mut dice = Dice::new(81);
    let mut games = String::new();
    let mut expected: BTreeMap<String, u64> = BTreeMap::new();
    for _ in 0..400 {
        // Some are much more frequent than others, and many are equally so.
        let [white, black] = [dice.below(60), dice.below(60)].map(|one| {
            let number = if one < 30 { one / 10 } else { one };
            format!("Player, Nr {number}")
        });
        games += &format!("[White \"{white}\"]\n[Black \"{black}\"]\n\n1. e4 *\n\n");
        [white, black].into_iter().for_each(|name| *expected.entry(name).or_default() += 1);
    }
    scratch.write("a.pgn", games.as_bytes());
    let mut ranked: Vec<(&String, &u64)> = expected.iter().collect();
    ranked.sort_by_key(|(name, games)| (std::cmp::Reverse(**games), *name));
    let all = run(&scratch, "stats -q --format csv a.pgn");
    for top in [1, 2, 7, ranked.len() - 1, ranked.len(), 1_000] {
        let named = &ranked[..top.min(ranked.len())];
        let shown: Vec<String> =
            named.iter().map(|(name, games)| format!("{name} ({games})")).collect();
        for threads in thinned(2, [1, 2, 7]) {
            let args = format!("--top {top} --threads {threads} --block-bytes 700 a.pgn");
            let page = String::from_utf8(run(&scratch, &format!("stats -q {args}"))).unwrap();
            let words = page.split_whitespace().collect::<Vec<_>>().join(" ");
            let line = words.split("player ").nth(1).unwrap().split(" opening").next().unwrap();
            let count = match top < ranked.len() {
                true => format!("{} different; most games: ", ranked.len()),
                false => String::new(),
            };
            assert_eq!(line, format!("{count}{}", shown.join("; ")), "{top}");
            let csv = run(&scratch, &format!("stats -q --format csv {args}"));
            let rows: BTreeMap<String, u64> =
                named.iter().map(|(name, games)| (name.to_string(), **games)).collect();
            assert_eq!(counts(&csv)["player"], rows, "{top}");
            let json = run(&scratch, &format!("stats -q --format json {args}"));
            let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
            assert_eq!(json["player"]["different"], ranked.len());
            let values = json["player"]["values"].as_array().unwrap().iter();
            let values: Vec<String> = values
                .map(|row| format!("{} ({})", row["value"].as_str().unwrap(), row["games"]))
                .collect();
            assert_eq!(values, shown, "{top}");
        }
        run(&scratch, &format!("stats -q --overwrite --top {top} -o t a.pgn"));
        assert!(fs::read(scratch.join("t/stats.csv")).unwrap() == all, "{top}");
    }
    let none = run_in(scratch.path(), &["stats", "--top", "0", "a.pgn"], b"");
    assert_eq!(exit_code(&none), 2);
}

/// The page has the sections of the program, in their order, and so has Python.
#[test]
fn the_sections_are_documented() {
    let page = fs::read_to_string(here("docs/check.md")).unwrap();
    let row = |section: &Section| format!("| `{}` | {} |\n", section.name, section.doc);
    let rows: String = SECTIONS.iter().map(row).collect();
    assert!(page.contains(&format!("|---|---|\n{rows}\n")), "{rows}");
    let module = fs::read_to_string(here("python/pgnmill/_run_types.py")).unwrap();
    let listed = module.split("SECTIONS = (").nth(1).unwrap().split(')').next().unwrap();
    let listed: Vec<&str> = listed.split('"').skip(1).step_by(2).collect();
    assert_eq!(listed, SECTIONS.map(|section| section.name));
}

/// Any number of threads, any sizes, any container, a pipe.
#[test]
fn the_same_bytes_for_any_threads_and_containers() {
    let scratch = Scratch::new();
    let text = &text_of(&here(SAMPLE))[..trials(150_000, 600_000, 600_000)];
    scratch.write("a.pgn", text);
    let expected = run(&scratch, "stats -q --format csv a.pgn");
    let screen = run(&scratch, "stats -q a.pgn");
    let frames: Vec<u8> =
        text.chunks(9_000).flat_map(|part| zstd::encode_all(part, 1).unwrap()).collect();
    let coded = CODERS.into_iter().map(|(name, encode)| (name, encode(text)));
    for (name, bytes) in coded.chain([("zst", frames)]) {
        scratch.write(&format!("a.pgn.{name}"), &bytes);
        for threads in thinned(2, [1, 2, 7]) {
            let args =
                format!("--threads {threads} --block-bytes 900 --range-bytes 4000 a.pgn.{name}");
            assert!(run(&scratch, &format!("stats -q --format csv {args}")) == expected, "{args}");
            assert!(run(&scratch, &format!("stats -q {args}")) == screen, "{args}");
        }
    }
    let piped = run_in(scratch.path(), &["stats", "-q", "--format", "csv", "-"], text);
    assert!(piped.stdout == expected);
    run(&scratch, "stats -q -o t a.pgn");
    assert!(fs::read(scratch.join("t/stats.csv")).unwrap() == expected);
    // Twice the archive: twice the games, all of which but the first are repeated.
    let twice = counts(&run(&scratch, "stats -q --format csv a.pgn a.pgn.gz"));
    for (section, values) in counts(&expected) {
        let doubled = values.into_iter().map(|(value, games)| (value, 2 * games)).collect();
        assert_eq!(twice[&section], doubled, "{section}");
    }
}

#[test]
fn selections_samples_and_refusals() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", &text_of(&here(SAMPLE))[..600_000]);
    let all = counts(&run(&scratch, "stats -q --format csv a.pgn"));
    let blitz = run_in(
        scratch.path(),
        &["stats", "-q", "--format", "csv", "--where", "speed == \"blitz\"", "a.pgn"],
        b"",
    );
    let blitz = counts(&blitz.stdout);
    assert_eq!(blitz["speed"], BTreeMap::from([("blitz".to_string(), all["speed"]["blitz"])]));
    let mut sampled = counts(&run(&scratch, "stats -q --format csv --sample 25% a.pgn"));
    run(&scratch, "select -q --sample 25% -o s.pgn a.pgn");
    let read = |counts: &Counts| counts["verdict"].values().sum::<u64>();
    assert_eq!(read(&sampled), read(&all));
    assert!(sampled.get_mut("verdict").unwrap().remove("not-selected").is_some());
    assert_eq!(sampled, counts(&run(&scratch, "stats -q --format csv s.pgn")));
    for (args, expected) in [
        ("stats --resume a.pgn", "stats has no output that could be continued"),
        ("stats -o a.pgn a.pgn", "a.pgn"),
        ("stats --format xml a.pgn", "xml"),
        ("stats", "INPUT"),
        ("stats none.pgn", "none.pgn"),
    ] {
        let ran = run_in(scratch.path(), &args.split(' ').collect::<Vec<_>>(), b"");
        assert_eq!(exit_code(&ran), 2, "{args}: {}", errors_of(&ran));
        assert!(errors_of(&ran).contains(expected), "{args}: {}", errors_of(&ran));
    }
    run(&scratch, "stats -q -o t a.pgn");
    let again = run_in(scratch.path(), &["stats", "-q", "-o", "t", "a.pgn"], b"");
    assert_eq!(exit_code(&again), 2, "{}", errors_of(&again));
    run(&scratch, "stats -q --overwrite -o t a.pgn");
    // An archive without a legal game.
    scratch.write("bad.pgn", b"1. Ke3 *\n");
    let bad = run_in(scratch.path(), &["stats", "-q", "bad.pgn"], b"");
    assert_eq!(
        String::from_utf8_lossy(&bad.stdout),
        "games         1: 0 accepted, 0 repaired, 1 rejected\n"
    );
    assert_eq!(exit_code(&bad), 1);
}

/// The tables of parts add up to that of the whole, byte for byte, in any order and from sums; splits too.
#[test]
fn tables_add_up() {
    let scratch = Scratch::new();
    let text = text_of(&here(SAMPLE));
    let cut = |at: usize| at + text[at..].windows(8).position(|it| it == b"\n[Event ").unwrap() + 1;
    let cuts = [0, cut(200_000), cut(500_000), cut(900_000)];
    for (index, part) in cuts.windows(2).enumerate() {
        scratch.write(&format!("{index}.pgn"), &text[part[0]..part[1]]);
        run(&scratch, &format!("stats -q -o t{index} {index}.pgn"));
    }
    let odd = b"[White \"(others)\"]\n[Black \"a \\\"b\\\" \\\\ c\"]\n[Event \"\xfc\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n\n1. Ke3 *\n";
    scratch.write("3.pgn", odd);
    run(&scratch, "stats -q -o t3 3.pgn");
    run(&scratch, "stats -q -o all 0.pgn 1.pgn 2.pgn 3.pgn");
    let expected = fs::read(scratch.join("all/stats.csv")).unwrap();
    let players = counts(&expected).remove("player").unwrap();
    assert!(players.contains_key("a \"b\" \\ c"), "{players:?}");
    run(&scratch, "merge -q -o m t0 t1 t2 t3");
    run(&scratch, "merge -q -o m12 t2 t1");
    run(&scratch, "merge -q -o again t3 m12 t0");
    for merged in ["m", "again"] {
        assert!(fs::read(scratch.join(&format!("{merged}/stats.csv"))).unwrap() == expected);
    }
    let splits = run(&scratch, "splits -q --target 100000 1.pgn");
    let splits = String::from_utf8(splits).unwrap();
    let mut directories = Vec::new();
    for (index, split) in splits.lines().enumerate() {
        let directory = format!("s{index}");
        let args = ["stats", "-q", "--split", split, "-o", &directory, "--ledger"];
        let ran = run_in(
            scratch.path(),
            &[&args[..], &[&format!("{directory}/ledger.csv")]].concat(),
            b"",
        );
        assert!(exit_code(&ran) < 2, "{}", errors_of(&ran));
        directories.push(directory);
    }
    assert!(directories.len() > 2, "{directories:?}");
    run(&scratch, &format!("merge -q -o whole {}", directories.join(" ")));
    let whole = fs::read(scratch.join("whole/stats.csv")).unwrap();
    assert!(whole == fs::read(scratch.join("t1/stats.csv")).unwrap());
    for (table, expected) in [
        (
            "section,value,games\nresult,1-0,1\nresult,2-0,1\n",
            "no section result of stats has the value 2-0",
        ),
        ("section,value,games\nnone,a,1\n", "no section none"),
        ("section,value,games\nresult,1-0,x\n", "x"),
        ("section,value\nresult,1-0\n", "columns"),
        ("section,value,games\nresult,1-0,1", "stats.csv"),
    ] {
        scratch.write("bad/stats.csv", table.as_bytes());
        let ran = run_in(scratch.path(), &["merge", "-o", "none", "t0", "bad"], b"");
        assert_eq!(exit_code(&ran), 2, "{table}: {}", errors_of(&ran));
        assert!(errors_of(&ran).contains(expected), "{table}: {}", errors_of(&ran));
        assert!(!scratch.join("none").exists());
    }
    let one = run_in(scratch.path(), &["merge", "-o", "none", "t0", "."], b"");
    assert!(errors_of(&one).contains("stats.csv"), "{}", errors_of(&one));
}

/// The table of a split without its row of the ledger could be added though others are missing.
#[test]
fn the_table_of_a_split_has_a_ledger() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", b"[Event \"x\"]\n\n1. e4 *\n\n".repeat(20).as_slice());
    let splits = String::from_utf8(run(&scratch, "splits -q --target 100 a.pgn")).unwrap();
    let split = splits.lines().next().unwrap();
    let args = ["stats", "-q", "--split", split, "-o", "t"];
    let ran = run_in(scratch.path(), &args, b"");
    assert!(exit_code(&ran) == 2 && errors_of(&ran).contains("--ledger t/ledger.csv"));
    let ran = run_in(scratch.path(), &["stats", "-q", "--split", split], b"");
    assert_eq!(exit_code(&ran), 0, "{}", errors_of(&ran));
}

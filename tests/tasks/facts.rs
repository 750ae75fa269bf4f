//! One value of each fact for all its readers: `--where`, `measure --by`, `export`, `--partition-by` and the library's
//! `Reader` read a tag value alike, whatever is written there.
//!
//! In: games with one odd value each. Law: what one reader returns for the fact, the others return too, or nothing.

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value as Json;

use crate::common::{Dice, Scratch, errors_of, exit_code, run_in, trials};
use pgnmill::Reader;

/// Dates of all kinds.
const DATES: [&str; 20] = [
    "2022.01.02",
    "2021.12.31",
    "2023.02.29",
    "2020.13.01",
    "1958.??.??",
    "1958.07.??",
    "????.07.01",
    "2024",
    "2024.05",
    "2024-05-06",
    "2024/05/06",
    " 2024.05.06 ",
    "24.05.06",
    "9999.01.01",
    "0000.01.01",
    "",
    "?",
    "-",
    "May 2024",
    "1999.7.4",
];
/// Ratings.
const RATINGS: [&str; 14] = [
    "2400", "+2400", " 2400 ", "-2400", "2400?", "?", "-", "", "0", "99", "5000", "024 00",
    "40000", "2400.0",
];
/// Results, of games without a token.
const RESULTS: [&str; 10] = ["1-0", "1-0 ", " 0-1", "1/2-1/2", "1/2", "*", "?", "", "white", "½-½"];
/// Time controls.
const CONTROLS: [&str; 14] = [
    "180+2",
    "300",
    "40/7200:3600",
    "-",
    "?",
    "",
    "1/86400",
    "1/0",
    "0/300",
    "*60",
    "0+1",
    "60+",
    "10+0.1",
    "600 ",
];

/// The rows of an export, as JSON.
fn exported(scratch: &Scratch) -> Vec<BTreeMap<String, Json>> {
    let args = ["export", "-q", "--columns", "all", "--overwrite", "-o", "t.jsonl", "a.pgn"];
    ran(scratch, &args);
    let lines = fs::read_to_string(scratch.join("t.jsonl")).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn ran(scratch: &Scratch, args: &[&str]) -> String {
    let output = run_in(scratch.path(), args, b"");
    assert!(exit_code(&output) < 2, "{args:?}: {}", errors_of(&output));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The value of a fact of the language, of a single game; `None` if it is missing.
fn selected(scratch: &Scratch, fact: &str) -> Option<String> {
    drop(fs::remove_dir_all(scratch.join("by")));
    ran(scratch, &["select", "-q", "--split-by", fact, "-o", "by", "a.pgn"]);
    let mut names =
        fs::read_dir(scratch.join("by")).unwrap().map(|entry| entry.unwrap().file_name());
    let name = names.next().unwrap().into_string().unwrap();
    let value = name.strip_suffix(".pgn").unwrap().replace("%2F", "/").replace("%2A", "*");
    assert!(names.next().is_none(), "{fact}");
    (value != "missing").then_some(value)
}

/// The group of a dimension, of a single game; `None` if it is unknown.
fn group(scratch: &Scratch, dimension: &str) -> Option<String> {
    ran(scratch, &["measure", "-q", "--overwrite", "--by", dimension, "-o", "t", "a.pgn"]);
    let file = format!("t/by_{}.csv", dimension.replace('-', "_"));
    let table = fs::read_to_string(scratch.join(&file)).unwrap();
    let key = table.lines().nth(1).unwrap().split(',').next().unwrap().to_string();
    (key != "unknown").then_some(key)
}

/// The value of a key in the name of a folder, of a single game.
fn partition(scratch: &Scratch, key: &str) -> Option<String> {
    drop(fs::remove_dir_all(scratch.join("lake")));
    ran(scratch, &["export", "-q", "--partition-by", key, "-o", "lake", "a.pgn"]);
    let mut names =
        fs::read_dir(scratch.join("lake")).unwrap().map(|entry| entry.unwrap().file_name());
    let names = names.find_map(|name| {
        name.into_string().ok()?.strip_prefix(&format!("{key}=")).map(str::to_string)
    });
    names.filter(|value| value != "__HIVE_DEFAULT_PARTITION__")
}

fn with(tags: &str, movetext: &str) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("a.pgn", format!("[Event \"x\"]\n{tags}\n{movetext}\n").as_bytes());
    scratch
}

#[test]
fn a_date_has_one_year_and_one_month() {
    for (at, date) in DATES.iter().enumerate() {
        let utc_dates = [None, Some(DATES[(at + 1) % DATES.len()]), Some("2013.01.31")];
        // Each date meets one of them at the short depth.
        for (number, utc) in utc_dates.into_iter().enumerate() {
            if (at + number) % trials(3, 1, 1) > 0 {
                continue;
            }
            let utc = utc.map_or(String::new(), |utc| format!("[UTCDate \"{utc}\"]\n"));
            let tags = format!("[Date \"{date}\"]\n{utc}");
            let scratch = with(&tags, "1. e4 *");
            let year = selected(&scratch, "year");
            assert_eq!(group(&scratch, "year"), year, "{tags}");
            assert_eq!(partition(&scratch, "Year"), year, "{tags}");
            let month = selected(&scratch, "month");
            let padded = year.zip(month.clone()).map(|(year, month)| format!("{year}-{month:0>2}"));
            assert_eq!(group(&scratch, "month"), padded, "{tags}");
            assert_eq!(partition(&scratch, "Month"), month, "{tags}");
        }
    }
}

#[test]
fn a_rating_is_one_for_all_or_for_none() {
    for rating in RATINGS {
        let tags = format!("[WhiteElo \"{rating}\"]\n[BlackElo \"{rating}\"]\n");
        let scratch = with(&tags, "1. e4 *");
        let value = selected(&scratch, "rating_mean").map(|value| value.parse::<i64>().unwrap());
        let rows = exported(&scratch);
        assert_eq!(rows[0]["WhiteElo"].as_i64(), value, "{tags}");
        // Groups are from 100 to 4999.
        let band = value.filter(|value| (100..5000).contains(value)).map(|value| {
            let low = value / 200 * 200;
            format!("{low}-{}", low + 199)
        });
        assert_eq!(group(&scratch, "rating"), band, "{tags}");
        assert_eq!(partition(&scratch, "WhiteElo"), value.map(|value| value.to_string()), "{tags}");
    }
}

#[test]
fn a_result_and_a_speed_are_one() {
    for result in RESULTS {
        let scratch = with(&format!("[Result \"{result}\"]\n"), "1. e4");
        let value = selected(&scratch, "outcome");
        let rows = exported(&scratch);
        assert_eq!(rows[0]["outcome"].as_str(), value.as_deref(), "{result:?}");
        let known = value.filter(|value| value != "*");
        assert_eq!(group(&scratch, "result").filter(|value| value != "*"), known, "{result:?}");
        let mut games = Reader::open(scratch.join("a.pgn")).unwrap().games();
        let game = games.next().unwrap().unwrap();
        let found = game.result().map(|outcome| outcome.canonical().to_string());
        assert_eq!(found.filter(|value| value != "*"), known, "{result:?}");
    }
    for control in CONTROLS {
        let scratch = with(&format!("[TimeControl \"{control}\"]\n"), "1. e4 *");
        assert_eq!(group(&scratch, "speed"), selected(&scratch, "speed"), "{control:?}");
        let rows = exported(&scratch);
        let initial = selected(&scratch, "time_initial").map(|value| value.parse::<i64>().unwrap());
        assert_eq!(rows[0]["time_initial"].as_i64(), initial, "{control:?}");
    }
    // The estimate of an online site: the times of all periods, and 40 times the first increment that is written.
    let speed = |seconds: u64| match seconds {
        0..30 => "ultrabullet",
        30..180 => "bullet",
        180..480 => "blitz",
        480..1_500 => "rapid",
        1_500..21_600 => "classical",
        _ => "correspondence",
    };
    let mut dice = Dice::new(0x53);
    for _ in 0..trials(60, 200, 2_000) {
        let periods: Vec<(u64, u64)> = (0..1 + dice.below(3))
            .map(|_| (dice.one(&[1, 10, 60, 170, 300, 900, 5_400]), dice.one(&[0, 0, 1, 2, 5, 60])))
            .collect();
        let last = periods.len() - 1;
        let texts = periods.iter().enumerate().map(|(at, (time, added))| {
            let moves = if at < last { "40/" } else { "" };
            let added = if *added > 0 { format!("+{added}") } else { String::new() };
            format!("{moves}{time}{added}")
        });
        let control = texts.collect::<Vec<_>>().join(":");
        let added = periods.iter().map(|(_, added)| *added).find(|added| *added > 0);
        let seconds = periods.iter().map(|(time, _)| time).sum::<u64>() + 40 * added.unwrap_or(0);
        let found = selected(&with(&format!("[TimeControl \"{control}\"]\n"), "*"), "speed");
        assert_eq!(found.as_deref(), Some(speed(seconds)), "{control}");
    }
    for control in ["1/0", "0/300"] {
        assert_eq!(selected(&with(&format!("[TimeControl \"{control}\"]\n"), "*"), "speed"), None);
    }
}

/// A time control of random parts, of which some are none.
fn odd_control(dice: &mut Dice) -> String {
    let period = |dice: &mut Dice| {
        let moves = dice.one(&["", "", "", "40/", "1/", "0/", "x/"]);
        let time = dice.one(&[
            "0",
            "1",
            "60",
            "180",
            "5400",
            "86400",
            "0.5",
            "999999999",
            "",
            "x",
            "*60",
            "hg60",
        ]);
        let added = dice.one(&["", "", "+0", "+2", "+30", "+0.1", "+", "+x", "/move"]);
        format!("{moves}{time}{added}")
    };
    match dice.below(12) {
        0 => {
            dice.one(&["-", "?", "", "inf", "0", "0+0", "5/move", "1/86400", " 180+2 "]).to_string()
        }
        1 | 2 => [period(dice), period(dice)].join(":"),
        _ => period(dice),
    }
}

/// All columns, the speed and the time of a ply are of one reading of the time control: what has no kind has none of
/// them, and numbers of two columns are those of one period.
#[test]
fn a_time_control_is_one() {
    let mut dice = Dice::new(0x71);
    let controls: Vec<String> =
        (0..trials(400, 2_000, 20_000)).map(|_| odd_control(&mut dice)).collect();
    let scratch = Scratch::new();
    let moves = "1. e4 {[%clk 1:00:00]} e5 2. d4 {[%clk 0:59:00]} *";
    let game =
        |control: &String| format!("[Event \"x\"]\n[TimeControl \"{control}\"]\n\n{moves}\n\n");
    scratch.write("a.pgn", controls.iter().map(game).collect::<String>().as_bytes());
    let rows = |more: &[&str]| -> Vec<BTreeMap<String, Json>> {
        let args = ["export", "-q", "--overwrite", "-o", "t.jsonl", "a.pgn"];
        ran(&scratch, &[&args[..], more].concat());
        let lines = fs::read_to_string(scratch.join("t.jsonl")).unwrap();
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    };
    let names = "game,time_initial,time_increment,time_kind,time_base_ms,time_increment_ms,time_moves,time_periods";
    let games = rows(&["--columns", names]);
    let plies = rows(&["--table", "plies", "--columns", "game,ply,spent_ms"]);
    let mut spent = BTreeMap::new();
    for ply in plies.iter().filter(|ply| ply["ply"] == 3) {
        spent.insert(ply["game"].as_i64().unwrap(), ply["spent_ms"].as_i64());
    }
    let mut speeds = BTreeMap::new();
    for speed in ["ultrabullet", "bullet", "blitz", "rapid", "classical", "correspondence"] {
        let condition = format!("speed == \"{speed}\"");
        for row in rows(&["--columns", "game", "--where", &condition]) {
            speeds.insert(row["game"].as_i64().unwrap(), speed);
        }
    }
    let mut kinds = BTreeMap::<String, usize>::new();
    for (number, control) in (1_i64..).zip(&controls) {
        let row = &games[number as usize - 1];
        let [initial, increment, base_ms, increment_ms, moves, periods] = [
            "time_initial",
            "time_increment",
            "time_base_ms",
            "time_increment_ms",
            "time_moves",
            "time_periods",
        ]
        .map(|name| row[name].as_i64());
        let (kind, speed) = (row["time_kind"].as_str(), speeds.get(&number).copied());
        *kinds.entry(kind.unwrap_or_default().to_string()).or_default() += 1;
        if kind.is_none() {
            let all = [initial, increment, base_ms, increment_ms, moves, periods, spent[&number]];
            assert_eq!((all, speed), ([None; 7], None), "{control:?}");
            continue;
        }
        // An hour, less 59 minutes, and the increment.
        if let Some(spent) = spent[&number] {
            assert_eq!(Some(spent - 60_000), increment_ms, "{control:?}");
        }
        if let Some(initial) = initial {
            assert_eq!((kind, periods, moves), (Some("game"), Some(1), None), "{control:?}");
            assert!(base_ms.is_none_or(|ms| ms == initial * 1_000), "{control:?}");
            assert_eq!(increment_ms, increment.map(|it| it * 1_000), "{control:?}");
            let seconds = initial + 40 * increment.unwrap();
            assert_eq!(speed == Some("blitz"), (180..480).contains(&seconds), "{control:?}");
        }
        let has_sandclock = control.contains('*') || control.contains("hg");
        assert_eq!(speed.is_none(), has_sandclock, "{control:?}");
        assert!(kind != Some("unlimited") || speed == Some("correspondence"), "{control:?}");
    }
    let all = kinds.values().all(|count| *count > 2);
    assert!(all && kinds.len() == 5 && spent.values().flatten().count() > 20, "{kinds:?}");
}

/// Of a tag pair given twice all readers take the last.
#[test]
fn of_a_tag_pair_given_twice_the_last_counts() {
    let tags = "[White \"a\"]\n[ECO \"A00\"]\n[WhiteElo \"1000\"]\n[White \"b\"]\n[ECO \"B01\"]\n[WhiteElo \"2000\"]\n";
    let scratch = with(tags, "1. e4 *");
    assert_eq!(selected(&scratch, "White").as_deref(), Some("b"));
    let rows = exported(&scratch);
    assert_eq!((rows[0]["White"].as_str(), rows[0]["WhiteElo"].as_i64()), (Some("b"), Some(2000)));
    assert_eq!(group(&scratch, "eco").as_deref(), Some("B01"));
    let mut games = Reader::open(scratch.join("a.pgn")).unwrap().games();
    let game = games.next().unwrap().unwrap();
    assert_eq!(game.tag("White").as_deref(), Some("b"));
}

/// A file of an expression is read once, a pipe too; what is recorded is what ran.
#[test]
fn an_expression_of_a_pipe_is_read_once() {
    let scratch = with("[White \"b\"]\n", "1. e4 *");
    let program = env!("CARGO_BIN_EXE_pgnmill");
    for command in ["convert --to uci -o out.pgn", "select -o few.pgn", "export -o t.csv"] {
        let line = format!("'{program}' {command} -q --where @<(echo 'White == \"b\"') a.pgn");
        let mut shell = std::process::Command::new("bash");
        shell.args(["-c", &line]).current_dir(scratch.path());
        let output = shell.output().unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
    for name in ["out.pgn", "few.pgn"] {
        assert!(
            fs::read_to_string(scratch.join(name)).unwrap().contains("[White \"b\"]"),
            "{name}"
        );
    }
}

/// Ranges in which nothing can be are errors; others are not.
#[test]
fn a_range_without_a_value_is_an_error() {
    let scratch = with("[White \"b\"]\n", "1. e4 *");
    for (expression, code) in [
        ("WhiteElo in 2500..2400", 2),
        ("WhiteElo in 2400..2500", 0),
        ("WhiteElo in 2400..2400", 0),
        ("WhiteElo in -5..-10", 2),
        ("Date in 2024..2023", 2),
        ("Date in 2024-05..2024", 0),
        ("Date in 2024-05-02..2024-05-01", 2),
        ("UTCTime in 20:00..19:00", 2),
        ("ECO in \"B99\"..\"B90\"", 2),
        ("ECO in \"B90\"..\"B99\"", 0),
    ] {
        let args = ["select", "-q", "--where", expression, "-o", "-", "a.pgn"];
        let output = run_in(scratch.path(), &args, b"");
        assert_eq!(exit_code(&output), code, "{expression}: {}", errors_of(&output));
    }
}

/// Positions before, between and after null moves are reached.
#[test]
fn positions_of_null_moves_are_reached() {
    let text = "[Event \"x\"]\n\n1. -- -- 2. e4 -- 3. -- *\n\n";
    let scratch = Scratch::new();
    scratch.write("a.pgn", text.as_bytes());
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
    for (record, games) in [
        (format!("{board} w KQkq - 0 1"), 1),
        (format!("{board} b KQkq - 0 1"), 1),
        (format!("{after} b KQkq - 0 1"), 1),
        (format!("{after} w KQkq - 0 1"), 1),
        (format!("{after} w - - 0 1"), 0),
    ] {
        let expression = format!("position(\"{record}\")");
        let args = [
            "select",
            "--allow",
            "null-move-main-line",
            "--where",
            &expression,
            "-o",
            "-",
            "a.pgn",
            "-q",
        ];
        assert_eq!(ran(&scratch, &args).matches("[Event").count(), games, "{record}");
    }
}

/// A null move of a variation leads to no position of the game.
#[test]
fn null_moves_of_variations_reach_nothing() {
    let scratch = with("", "1. e4 (1. e4 --) 1... d5 *");
    for (turn, games) in [("b", 1), ("w", 0)] {
        let board = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR";
        let expression = format!("position(\"{board} {turn} KQkq - 0 1\")");
        let args = ["select", "--where", &expression, "-o", "-", "a.pgn", "-q"];
        assert_eq!(ran(&scratch, &args).matches("[Event").count(), games, "{turn}");
    }
}

//! A game a line: `convert --moves-only` writes it, `--game-per-line` reads it.
//!
//! In: games of `data/` and crafted ones, in every notation; lines of any bytes. Laws: a line has the moves of the main
//! line, as the library writes them, with a space between two; read back it is the same game, whatever the threads, the
//! blocks and the container; a game whose start a line cannot state is rejected; every line has the result that it has
//! alone, and a fault has the place that it has in the file.

use std::fs;
use std::io::Cursor;

use pgnmill::{NOTATIONS, Notation, Reader, TCN, Verdict};

use crate::common::{Dice, Scratch, errors_of, exit_code, here, run_in, text_of, thinned, trials};

/// Runs the program, which must not fail, and returns what it prints.
fn run(scratch: &Scratch, words: &[&str]) -> String {
    let ran = run_in(scratch.path(), words, b"");
    assert!(exit_code(&ran) < 2, "{words:?}: {}", errors_of(&ran));
    String::from_utf8(ran.stdout).unwrap()
}

/// The moves of the main line of each game that is not rejected, in a notation, as lines.
fn lines_of(text: &str, to: &'static dyn Notation) -> String {
    let reader = Reader::from_reader("a.pgn", Cursor::new(text.as_bytes().to_vec())).unwrap();
    let games = reader.read_ahead().unwrap().map(|game| game.unwrap());
    let games = games.filter(|game| game.game().verdict() != Verdict::Rejected);
    let line = |game: pgnmill::OwnedGame| {
        let moves = game.game().moves().map(|ply| ply.text_in(to).to_string());
        let moves: Vec<String> = moves.collect();
        let between = if to.is_of_pairs() { "" } else { " " };
        if moves.is_empty() { "*\n".to_string() } else { moves.join(between) + "\n" }
    };
    games.map(line).collect()
}

/// Games of the masters, with what a line does not have.
fn games(count: usize) -> String {
    let masters = String::from_utf8(text_of(&here("data/masters.pgn.zst"))).unwrap();
    let end = masters.match_indices("\n\n[Event").nth(count).map_or(masters.len(), |it| it.0 + 2);
    let dressed = "[Event \"x\"]\n\n{a} 1. e4 $1 {b} (1. d4 d5) 1... e5 2. 0-0 Nf6 *\n\n\
                   [Event \"x\"]\n\n{a} 1. e4 $1 {b} (1. d4 d5) 1... e5 2. Nf3 Nc6 ; c\n 3. Bb5 1-0\n\n\
                   [Event \"x\"]\n\n*\n\n";
    format!("{dressed}{}", &masters[..end])
}

#[test]
fn lines_have_the_moves_and_are_read_back() {
    let scratch = Scratch::new();
    let text = games(trials(12, 100, 1000));
    fs::write(scratch.join("a.pgn"), &text).unwrap();
    let san = lines_of(&text, NOTATIONS[0]);
    for &to in thinned(3, NOTATIONS).chain([&TCN]) {
        let name = to.info().name;
        let written =
            run(&scratch, &["convert", "-q", "--to", name, "--moves-only", "-o", "-", "a.pgn"]);
        assert_eq!(written, lines_of(&text, to), "{name}");
        fs::write(scratch.join("lines.txt"), &written).unwrap();
        let from = ["convert", "-q", "--from", name, "--game-per-line", "--to", "san"];
        let lines = run(&scratch, &[&from[..], &["--moves-only", "-o", "-", "lines.txt"]].concat());
        assert_eq!(lines, san, "{name}");
        let pgn = run(&scratch, &[&from[..], &["-o", "-", "lines.txt"]].concat());
        assert_eq!(lines_of(&pgn, NOTATIONS[0]), san, "{name}");
        fs::write(scratch.join("back.pgn"), &pgn).unwrap();
        let strict = ["validate", "--strict", "-q", "--format", "json", "back.pgn"];
        let counts: serde_json::Value = serde_json::from_str(&run(&scratch, &strict)).unwrap();
        assert_eq!(counts["rejected"], 0, "{name}: {counts}");
        // Nothing of a line is a deviation but a game without moves.
        let strict = ["--strict", "--allow", "game-without-moves", "--format", "json", "lines.txt"];
        let strict = [&["validate", "--from", name, "--game-per-line"][..], &strict].concat();
        let counts: serde_json::Value = serde_json::from_str(&run(&scratch, &strict)).unwrap();
        assert_eq!(counts["rejected"], 0, "{name}: {counts}");
        let noted = counts["deviations"].as_array().unwrap().iter().map(|it| &it["name"]);
        assert_eq!(noted.collect::<Vec<_>>(), ["game-without-moves"], "{name}");
    }
}

/// TCN as a column is the line of each game, and null where a move has no text; a table states how lines were read.
/// What `measure` counts of a code of pairs is what its lines take, whatever is measured and wherever it is added.
#[test]
fn the_cost_of_a_line_is_that_of_its_text() {
    let scratch = Scratch::new();
    let text = games(trials(50, 200, 1000)).replace("[Event \"x\"]\n\n*\n\n", "");
    fs::write(scratch.join("a.pgn"), &text).unwrap();
    for (directory, selection) in [("all", "all"), ("main", "main"), ("one", "san-de")] {
        let words = ["measure", "-q", "--notations", selection, "-o", directory, "a.pgn"];
        run(&scratch, &words);
        let table = fs::read_to_string(scratch.join(directory).join("movetext.csv")).unwrap();
        let row = |key: &str| {
            let row = table.lines().find_map(|row| row.strip_prefix(key)).expect("a row");
            row.split(',').take(3).map(|cell| cell.parse().unwrap()).collect::<Vec<usize>>()
        };
        let line = lines_of(&text, TCN);
        assert!(line.lines().all(|line| line != "*"), "a game without moves");
        let plies: usize = line.lines().map(|line| line.len() / 2).sum();
        assert_eq!(row("tcn,total,"), [plies, line.len(), line.len()]);
        assert_eq!(row("tcn,moves,"), [plies, 2 * plies, 2 * plies]);
        assert_eq!(row("tcn,separators,"), [plies, line.lines().count(), line.lines().count()]);
        for none in ["tcn,numbers,", "tcn,results,"] {
            assert_eq!(row(none), [plies, 0, 0]);
        }
        assert_eq!(row("san,total,")[0], plies);
    }
    run(&scratch, &["convert", "-q", "--to", "uci", "-o", "b.pgn", "a.pgn"]);
    run(&scratch, &["measure", "-q", "--notations", "main", "-o", "main2", "b.pgn"]);
    run(&scratch, &["merge", "-q", "-o", "twice", "main", "main2"]);
    let of = |directory: &str| {
        let table = fs::read_to_string(scratch.join(directory).join("movetext.csv")).unwrap();
        let row = table.lines().find_map(|row| row.strip_prefix("tcn,total,")).unwrap();
        row.split(',').nth(1).unwrap().parse::<usize>().unwrap()
    };
    assert_eq!(of("twice"), of("main") + of("main2"));
    let ran = run_in(scratch.path(), &["measure", "--notations", "tcn", "-o", "t", "a.pgn"], b"");
    assert_eq!(exit_code(&ran), 2);
    assert!(errors_of(&ran).contains("movetext.csv"), "{}", errors_of(&ran));
}

#[test]
fn columns_and_tables_of_lines() {
    let scratch = Scratch::new();
    let null = "[Event \"x\"]\n\n1. e4 -- 2. d4 *\n\n";
    let text = games(20) + null;
    fs::write(scratch.join("a.pgn"), &text).unwrap();
    let words = ["export", "-q", "--allow", "null-move-main-line", "--columns", "tcn,moves"];
    let table = run(&scratch, &[&words[..], &["--format", "csv", "-o", "-", "a.pgn"]].concat());
    let mut rows = csv::Reader::from_reader(table.as_bytes());
    let rows: Vec<[String; 2]> =
        rows.records().map(|row| row.unwrap()).map(|row| [row[0].into(), row[1].into()]).collect();
    let lines = lines_of(&games(20), TCN);
    let expected = lines.lines().map(|line| if line == "*" { "" } else { line }).chain([""]);
    assert_eq!(
        rows.iter().map(|[tcn, _]| tcn.as_str()).collect::<Vec<_>>(),
        expected.collect::<Vec<_>>()
    );
    assert_eq!(rows.last().unwrap()[1], "e2e4 0000 d2d4");
    let plies = ["export", "-q", "--table", "plies", "--columns", "tcn", "--format", "csv"];
    let plies = run(&scratch, &[&plies[..], &["-o", "-", "a.pgn"]].concat());
    let joined: String = plies.lines().skip(1).map(|cell| cell.trim_matches('"')).collect();
    assert_eq!(joined.replace("\"\"", "\""), lines.replace(['*', '\n'], ""));
    fs::write(scratch.join("l.txt"), lines_of(&text, NOTATIONS[0])).unwrap();
    run(&scratch, &["measure", "-q", "--game-per-line", "--notations", "san", "-o", "m", "l.txt"]);
    let summary = fs::read_to_string(scratch.join("m/summary.csv")).unwrap();
    assert!(summary.contains("--game-per-line"), "{summary}");
}

/// Games whose start a line cannot state, and those whose it can because the run has their rules.
#[test]
fn a_game_that_a_line_cannot_state_is_rejected() {
    let scratch = Scratch::new();
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let elsewhere = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    for (pairs, moves, rules, line) in [
        (String::new(), "1. e4", "chess", Some("e4")),
        (format!("[FEN \"{fen}\"]\n"), "1. e4", "chess", Some("e4")),
        (format!("[FEN \"{elsewhere}\"]\n[SetUp \"1\"]\n"), "1. e4", "chess", None),
        ("[Variant \"Atomic\"]\n".to_string(), "1. e4", "chess", None),
        ("[Variant \"Atomic\"]\n".to_string(), "1. e4", "atomic", Some("e4")),
        ("[Variant \"Standard\"]\n".to_string(), "1. e4", "atomic", None),
        (String::new(), "1. e4", "atomic", Some("e4")),
        (
            "[Variant \"Crazyhouse\"]\n".to_string(),
            "1. e4 d5 2. exd5 Qxd5 3. P@e4",
            "crazyhouse",
            Some("e4 d5 exd5 Qxd5 P@e4"),
        ),
        ("[Variant \"Horde\"]\n".to_string(), "1. e5", "horde", Some("e5")),
        ("[Variant \"Chess99\"]\n".to_string(), "1. e24", "chess99", Some("e24")),
        ("[Variant \"Chess99\"]\n".to_string(), "1. e24", "chess", None),
        // In Chess 99 either side may begin.
        ("[Variant \"Chess99\"]\n".to_string(), "1. ... i7", "chess99", None),
        ("[Variant \"Glinski\"]\n".to_string(), "1. c4 b5", "glinski", Some("c4 b5")),
        ("[Variant \"Glinski\"]\n".to_string(), "1. c4 b5", "chess", None),
    ] {
        let text = format!("[Event \"a\"]\n{pairs}\n{moves} *\n\n");
        fs::write(scratch.join("a.pgn"), text).unwrap();
        let to = if rules == "chess99" { "chess99" } else { "san" };
        let how = ["--rules", rules, "--to", to, "--moves-only", "-o", "-", "a.pgn"];
        let words = [&["convert", "-q"][..], &how].concat();
        let ran = run_in(scratch.path(), &words, b"");
        let written = String::from_utf8(ran.stdout.clone()).unwrap();
        let expected = line.map_or(String::new(), |line| format!("{line}\n"));
        assert_eq!(written, expected, "{pairs} {rules}: {}", errors_of(&ran));
        assert_eq!(exit_code(&ran), i32::from(line.is_none()), "{pairs} {rules}");
        fs::write(scratch.join("lines.txt"), &written).unwrap();
        let back = ["validate", "-q", "--game-per-line", "--rules", rules, "--from", "auto"];
        let back = run_in(scratch.path(), &[&back[..], &["lines.txt"]].concat(), b"");
        assert_eq!(exit_code(&back), 0, "{}", errors_of(&back));
    }
}

/// The PGN that is made of lines: tag pairs as the line has them, else the roster; results; numbers from the position.
#[test]
fn pgn_of_lines_has_what_the_lines_have() {
    let scratch = Scratch::new();
    let roster = |result: &str| {
        let pairs = ["Event", "Site", "Date", "Round", "White", "Black"];
        let value = |name: &str| if name == "Date" { "????.??.??" } else { "?" };
        let pairs = pairs.map(|name| format!("[{name} \"{}\"]\n", value(name)));
        format!("{}[Result \"{result}\"]\n", pairs.concat())
    };
    let fen = "[FEN \"4k3/8/8/8/8/8/4p3/K7 b - - 0 30\"]";
    for (line, to, expected) in [
        ("e4 e5 1-0", "san", format!("{}\n1. e4 e5 1-0\n\n", roster("1-0"))),
        ("e4 e5", "san", format!("{}\n1. e4 e5 *\n\n", roster("*"))),
        ("*", "san", format!("{}\n*\n\n", roster("*"))),
        (
            "e4 {c} e5 (d5)",
            "uci",
            format!("{}[MoveNotation \"uci\"]\n\n1. e2e4 e7e5 *\n\n", roster("*")),
        ),
        (
            "[White \"A \\\"B\\\"\"] [Black \"C\"] 1. e4 0-1",
            "san",
            "[White \"A \\\"B\\\"\"]\n[Black \"C\"]\n[Result \"0-1\"]\n\n1. e4 0-1\n\n".to_string(),
        ),
        (
            "[Result \"1-0\"] [MoveNotation \"san\"] d4",
            "san",
            "[Result \"1-0\"]\n\n1. d4 1-0\n\n".to_string(),
        ),
        (
            &format!("[SetUp \"1\"] {fen} e1=Q Kb2"),
            "san",
            format!("[SetUp \"1\"]\n{fen}\n[Result \"*\"]\n\n30... e1=Q+ 31. Kb2 *\n\n"),
        ),
    ] {
        fs::write(scratch.join("l.txt"), format!("{line}\n")).unwrap();
        let words = ["convert", "-q", "--game-per-line", "--to", to, "-o", "-", "l.txt"];
        assert_eq!(run(&scratch, &words), expected, "{line}");
    }
    // Lines of movetext are as long as they may be.
    let san = lines_of(&games(9), NOTATIONS[0]);
    fs::write(scratch.join("l.txt"), &san).unwrap();
    let pgn =
        run(&scratch, &["convert", "-q", "--game-per-line", "--to", "san", "-o", "-", "l.txt"]);
    let (mut full, lines) = (0, pgn.lines().collect::<Vec<_>>());
    for pair in lines.windows(2) {
        assert!(pair[0].len() <= 79, "{}", pair[0]);
        if !pair[0].is_empty() && !pair[0].starts_with('[') && !pair[1].is_empty() {
            let word = pair[1].split(' ').next().unwrap();
            assert!(pair[0].len() + 1 + word.len() > 79, "{pair:?}");
            full += usize::from(pair[0].len() == 79);
        }
    }
    assert!(full > 0);
}

/// Words of lines: moves, numbers, results, brackets, and what is nothing.
const WORDS: [&str; 24] = [
    "e4",
    "e5",
    "Nf3",
    "Nc6",
    "Bb5",
    "d4",
    "d5",
    "1.",
    "2.",
    "1-0",
    "*",
    "{",
    "}",
    "(",
    ")",
    "$1",
    "[A \"b\"]",
    "\"]",
    "%",
    ";",
    "#",
    "Zz",
    "\u{a0}",
    "1. e4",
];

/// The counts and the faults of lines: number of games, and (game, line, column, kind, text) of each fault.
fn read(scratch: &Scratch, lines: &str, more: &[&str]) -> (u64, Vec<[String; 5]>) {
    fs::write(scratch.join("l.txt"), lines).unwrap();
    let words = [
        "validate",
        "-q",
        "--overwrite",
        "--game-per-line",
        "--faults",
        "f.csv",
        "--summary",
        "s.json",
    ];
    let ran = run_in(scratch.path(), &[&words[..], more, &["l.txt"]].concat(), b"");
    assert!(exit_code(&ran) < 2, "{}", errors_of(&ran));
    let summary = fs::read_to_string(scratch.join("s.json")).unwrap();
    let summary: serde_json::Value = serde_json::from_str(&summary).unwrap();
    let number = |name: &str| summary[name].as_u64().unwrap();
    let games = number("games");
    assert_eq!(games, number("accepted") + number("repaired") + number("rejected"));
    assert_eq!(number("text_bytes"), lines.len() as u64);
    let mut faults = csv::Reader::from_path(scratch.join("f.csv")).unwrap();
    let faults = faults.records().map(|row| {
        let row = row.unwrap();
        let at: usize = row[1].parse().unwrap();
        let before = &lines.as_bytes()[..at];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        let column =
            at - before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1) + 1;
        assert_eq!(
            [&row[2], &row[3]],
            [line.to_string(), column.to_string()],
            "{row:?}: {lines:?}"
        );
        [4, 2, 3, 6, 7].map(|field| row[field].to_string())
    });
    (games, faults.collect())
}

/// Lines of TCN, most of them damaged: each is accepted if it has pairs alone that are legal moves one after the other,
/// and else has its fault at the first other pair.
#[test]
fn lines_of_pairs_are_legal_pair_by_pair() {
    let scratch = Scratch::new();
    let mut dice = Dice::new(71);
    let whole = lines_of(&games(8), TCN);
    let whole: Vec<&str> = whole.lines().filter(|line| line.len() > 9).collect();
    let (mut lines, mut expected) = (String::new(), Vec::new());
    for number in 1..=trials(60, 250, 2_000) {
        let mut line: Vec<char> = dice.one(&whole).chars().collect();
        match dice.below(5) {
            0 => {}
            1 => line.truncate(1 + dice.below(line.len())),
            2 => drop(line.remove(dice.below(line.len()))),
            _ => {
                let at = dice.below(line.len());
                line[at] = dice.one(&['a', 'K', '7', '!', '{', '[', '+', '=', '*', ' ', ';', 'é']);
            }
        }
        // What a line begins with can make it a blank one, or a comment; what it ends with is not read.
        let line: String = line.into_iter().collect();
        if line.starts_with([' ', '#']) || line.ends_with(' ') {
            continue;
        }
        let (mut position, mut at) = (pgnmill::Position::initial(), 0);
        let bytes = line.as_bytes();
        while let Some(pair) = bytes.get(at..(at + 2).min(bytes.len())).filter(|it| !it.is_empty())
        {
            let Ok(mv) = TCN.decode(&position, pair) else { break };
            position = position.play(mv);
            at += 2;
        }
        if at < bytes.len() {
            expected.push([number.to_string(), (lines.len() + at).to_string()]);
        }
        lines += &format!("{line}\n");
    }
    fs::write(scratch.join("l.tcn"), &lines).unwrap();
    let ran = run(&scratch, &["validate", "-q", "--from", "tcn", "--faults", "-", "l.tcn"]);
    let mut faults = csv::Reader::from_reader(ran.as_bytes());
    let faults = faults.records().map(|row| row.unwrap()[1].to_string());
    let offsets: Vec<String> = expected.iter().map(|[_, at]| at.clone()).collect();
    assert!(expected.len() > 20, "{}", expected.len());
    assert_eq!(faults.collect::<Vec<_>>(), offsets);
}

/// Lines of any words: each has the games and the faults that it has alone, whatever the threads and the blocks.
#[test]
fn a_line_is_read_as_if_it_were_alone() {
    let scratch = Scratch::new();
    let mut dice = Dice::new(70);
    let (mut found, mut faulty) = (0, 0);
    for _ in 0..trials(6, 30, 400) {
        let line = |dice: &mut Dice| {
            let words: Vec<&str> = (0..dice.below(7)).map(|_| dice.one(&WORDS)).collect();
            let mark = if dice.below(9) == 0 { "\u{feff}" } else { "" };
            format!("{mark}{}", words.join(" "))
        };
        let lines: Vec<String> = (0..1 + dice.below(12)).map(|_| line(&mut dice)).collect();
        let mut alone = (0, Vec::new());
        for (index, line) in lines.iter().enumerate() {
            let (games, faults) = read(&scratch, &format!("{line}\n"), &[]);
            for [game, _, column, kind, text] in faults {
                let game = alone.0 + game.parse::<u64>().unwrap();
                alone.1.push([game.to_string(), (index + 1).to_string(), column, kind, text]);
            }
            alone.0 += games;
        }
        let text = lines.join("\n") + "\n";
        for more in [&[][..], &["--threads", "1"], &["--block-bytes", "7", "--threads", "3"]] {
            let whole = read(&scratch, &text, more);
            assert_eq!(whole, alone, "{more:?} {lines:#?}");
        }
        found += alone.0;
        faulty += alone.1.len();
    }
    assert!(found > 20 && faulty > 5, "{found} games, {faulty} faults");
}

/// The bytes do not depend on threads, blocks and containers, and a run that was stopped goes on.
#[test]
fn lines_are_the_same_from_any_container() {
    let scratch = Scratch::new();
    let text = games(trials(60, 600, 4000));
    fs::write(scratch.join("a.pgn"), &text).unwrap();
    let lines =
        run(&scratch, &["convert", "-q", "--to", "uci", "--moves-only", "-o", "-", "a.pgn"]);
    fs::write(scratch.join("lines.txt"), &lines).unwrap();
    run(
        &scratch,
        &["convert", "-q", "--to", "uci", "--moves-only", "-o", "lines.txt.zst", "a.pgn"],
    );
    let words = ["convert", "-q", "--overwrite", "--from", "uci", "--game-per-line", "--to", "san"];
    let whole = run(&scratch, &[&words[..], &["-o", "-", "lines.txt"]].concat());
    for (input, more) in [
        ("lines.txt", &["--threads", "1"][..]),
        ("lines.txt", &["--block-bytes", "1000", "--threads", "3"]),
        ("lines.txt.zst", &["--threads", "2"]),
    ] {
        let all = run(&scratch, &[&words[..], more, &["-o", "-", input]].concat());
        assert!(all == whole, "{input} {more:?}");
    }
    run(&scratch, &[&words[..], &["-o", "night.pgn", "lines.txt.zst"]].concat());
    assert_eq!(fs::read_to_string(scratch.join("night.pgn")).unwrap(), whole);
    // Tables have the games of the archive.
    let table = |words: &[&str]| {
        let columns =
            ["export", "-q", "--columns", "moves,ply_count", "--format", "csv", "-o", "-"];
        run(&scratch, &[&columns[..], words].concat())
    };
    let of_lines = table(&["--from", "uci", "--game-per-line", "--notation", "san", "lines.txt"]);
    let of_games = table(&["--notation", "san", "a.pgn"]);
    let plies = |text: &str| {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        rows.iter()
            .map(|row| row.iter().skip(1).map(str::to_string).collect())
            .collect::<Vec<Vec<String>>>()
    };
    assert_eq!(plies(&of_lines), plies(&of_games));
}

/// Lines are read in the notation that is named, also of rules that have one of their own; the characters of TCN are no
/// comments; PGN of lines has names of PGN.
#[test]
fn lines_have_the_notation_and_the_names_that_are_given() {
    let scratch = Scratch::new();
    fs::write(scratch.join("n.txt"), "e2e3 d8d7 b1c3\n").unwrap();
    let uci = ["convert", "-q", "--rules", "chess99", "--from", "uci", "--game-per-line"];
    let rest = ["--to", "chess99", "--moves-only", "-o", "-", "n.txt"];
    assert_eq!(run(&scratch, &[&uci[..], &rest].concat()), "e3 d7 Nb1c3\n");
    let promotes = "mC0Kgv5QfH!0eg0UlB9RBKQKvKRKnDYQHAKYdN8!DLUKcM78LTZJT2JAMVKUNM1T2{89";
    fs::write(scratch.join("p.tcn"), format!("{promotes}\n{}\n# c\n", "#".repeat(70_000))).unwrap();
    let stats = run(&scratch, &["stats", "-q", "--from", "tcn", "--format", "csv", "p.tcn"]);
    assert!(stats.contains("has,moves,1\n") && !stats.contains("has,comments"), "{stats}");
    run(&scratch, &["convert", "-q", "--from", "tcn", "--to", "san", "-o", "out/", "p.tcn"]);
    run(&scratch, &["convert", "-q", "--to", "uci", "--moves-only", "-o", "lines/", "out/p.pgn"]);
    assert!(scratch.join("lines/p.txt").exists());
    // Lines of a file that is called PGN are read, with a warning.
    fs::write(scratch.join("l.pgn"), "e4 e5\n").unwrap();
    let ran = run_in(scratch.path(), &["validate", "--game-per-line", "l.pgn"], b"");
    assert!(
        errors_of(&ran).contains("l.pgn has the name of PGN, and each of its lines"),
        "{}",
        errors_of(&ran)
    );
}

/// What does not go with a game a line is refused before anything is written.
#[test]
fn what_does_not_go_with_lines_is_refused() {
    let scratch = Scratch::new();
    fs::write(scratch.join("l.txt"), "e4 e5\n").unwrap();
    fs::write(scratch.join("p.epd"), "4k3/8/8/8/8/8/8/4K3 w - -\n").unwrap();
    fs::create_dir(scratch.join("d")).unwrap();
    fs::write(scratch.join("d/g.pgn"), "e4 e5\n").unwrap();
    for (words, message) in [
        (&["convert", "--to", "tcn", "-o", "x.tcn", "p.epd"][..], "--to tcn goes with games"),
        (
            &["validate", "--from", "tcn", "--where", "true", "l.txt"],
            "--where does not go with --from tcn",
        ),
        (&["validate", "--game-per-line", "d"], "d is a directory"),
        (
            &["convert", "--to", "uci", "--moves-only", "-o", "x.pgn.zst", "l.txt"],
            "pgn is not written",
        ),
        (
            &["convert", "--to", "tcn", "--allow", "null-move-main-line", "-o", "x.tcn", "l.txt"],
            "null move",
        ),
        (&["measure", "--notations", "tcn", "-o", "m", "l.txt"], "the text of a game"),
        (&["validate", "--from", "tnc", "l.txt"], "did you mean tcn?"),
        (&["select", "--from", "TCN", "-o", "x.pgn", "l.txt"], "--from tcn, --to tcn"),
    ] {
        let ran = run_in(scratch.path(), words, b"");
        assert_eq!(exit_code(&ran), 2, "{words:?}: {}", errors_of(&ran));
        assert!(errors_of(&ran).contains(message), "{words:?}: {}", errors_of(&ran));
    }
    for (words, message) in [
        (
            &["validate", "--game-per-line", "--where", "ply_count > 3", "l.txt"][..],
            "--where does not go with",
        ),
        (&["stats", "--game-per-line", "--sample", "10%", "l.txt"], "--sample does not go with"),
        (
            &["validate", "--game-per-line", "--rejects", "r.pgn", "l.txt"],
            "--rejects does not go with",
        ),
        (&["validate", "--game-per-line", "p.epd"], "p.epd is read as positions"),
        (&["select", "--game-per-line", "-o", "x.pgn", "l.txt"], "`convert`"),
        (&["convert", "--to", "san", "--moves-only", "-o", "x.pgn", "l.txt"], "name it x.txt"),
        (
            &["convert", "--to", "san", "--moves-only", "-o", "x.txt", "p.epd"],
            "--moves-only goes with games",
        ),
        (
            &["convert", "--to", "san", "--moves-only", "--keep-rejects", "-o", "x.txt", "l.txt"],
            "--keep-rejects does not go with",
        ),
        (
            &[
                "convert",
                "--to",
                "san",
                "--game-per-line",
                "--drop",
                "comments",
                "-o",
                "x.pgn",
                "l.txt",
            ],
            "--drop does not go with",
        ),
    ] {
        let ran = run_in(scratch.path(), words, b"");
        assert_eq!(exit_code(&ran), 2, "{words:?}: {}", errors_of(&ran));
        assert!(errors_of(&ran).contains(message), "{words:?}: {}", errors_of(&ran));
        assert_eq!(scratch.names(), ["d", "l.txt", "p.epd"], "{words:?}");
    }
}

//! Every notation over games from every kind of start: there and back, or the fault with the reason.
//!
//! In: random games from the starting position, from FENs and from starts of Chess960. A notation that names pieces by
//! where they began cannot write a game that begins elsewhere; every other notation writes every game, and what it
//! wrote is read as the same game.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::process::Command;

use crate::common::Dice;
use crate::common::games::{HARD, Moment, position, registered, walk};
use pgnmill_core::chess::{Color, Move, MoveKind, Position, Role};
use pgnmill_core::engine::Rejects;
use pgnmill_core::notation::{Check, NOTATIONS, Ply};
use pgnmill_core::tasks::measure::tally::{GameLengths, Labels, Tally};
use pgnmill_laws::scratch::Scratch;
use pgnmill_laws::support::{Ledger, Run, Task, run, run_of, to_san};

/// A game as an archive holds it, and its plies.
struct Played {
    text: String,
    plies: Vec<(Moment, Move)>,
    result: &'static str,
}

/// A random game from this start.
fn game(number: usize, start: Position, plies: usize, random: &mut Dice) -> Played {
    let result = if number.is_multiple_of(2) { "*" } else { "1/2-1/2" };
    let mut text = format!("[Event \"{number}\"]\n[Result \"{result}\"]\n");
    if start.to_fen() != Position::initial().to_fen() {
        if start.is_chess960() {
            text.push_str("[Variant \"Chess960\"]\n");
        }
        write!(text, "[SetUp \"1\"]\n[FEN \"{}\"]\n", start.to_fen()).unwrap();
    }
    text.push('\n');
    let moments = walk(start, plies + 1, random);
    let made = moments.windows(2).map(|pair| {
        let next = pair[1].position.to_fen();
        let moves = pair[0].position.legal_moves();
        let mv = moves.iter().find(|mv| pair[0].position.play(**mv).to_fen() == next);
        (pair[0], *mv.expect("the walk is of legal moves"))
    });
    let plies: Vec<(Moment, Move)> = made.collect();
    for (index, (moment, mv)) in plies.iter().enumerate() {
        text.push_str(&number_of(&moment.position, index == 0));
        write!(text, "{} ", moment.write(registered("san"), *mv)).unwrap();
    }
    write!(text, "{result}\n\n").unwrap();
    Played { text, plies, result }
}

/// The move number before a move and the space after it; empty before a move of Black that follows one of White.
fn number_of(position: &Position, is_first: bool) -> String {
    match position.turn() {
        Color::White => format!("{}. ", position.fullmove_number()),
        Color::Black if is_first => format!("{}... ", position.fullmove_number()),
        Color::Black => String::new(),
    }
}

/// The ledger of one archive.
fn ledger(how: &Run, text: &str) -> Ledger {
    let folder = Scratch::new();
    let input = folder.put("games.pgn", text.as_bytes());
    run(how, &[input]).expect("an archive that can be read").remove(0)
}

#[test]
fn every_notation_writes_every_game_or_reports_a_fault() {
    let mut random = Dice::new(14);
    let homes = (0..4).map(|number| game(number, Position::initial(), 12, &mut random).text);
    let homes: Vec<String> = homes.collect();
    let elsewhere = HARD.iter().enumerate();
    let elsewhere = elsewhere.map(|(n, fen)| game(n, position(fen), 12, &mut random).text);
    let elsewhere: Vec<String> = elsewhere.collect();
    let interleaved = homes[..2].iter().chain(&elsewhere).chain(&homes[2..]);
    let archive: String = interleaved.cloned().collect();
    let (all, home) = ((homes.len() + elsewhere.len()) as u64, homes.len() as u64);
    assert_eq!(ledger(&to_san(Rejects::Apart), &archive).verdicts(), (all, 0, 0));
    for notation in NOTATIONS {
        let name = notation.info().name;
        let to = run_of(Task::convert(*notation), Rejects::Apart);
        let there = ledger(&to, &archive);
        let written = String::from_utf8(there.out.clone()).expect("UTF-8");
        let back = ledger(&to_san(Rejects::Apart), &written);
        let back_text = String::from_utf8(back.out.clone()).expect("UTF-8");
        if notation.needs_lineage() {
            assert_eq!(there.verdicts(), (home, 0, all - home), "{name}");
            let because = |kind: &str| kind == "notation-needs-initial-array";
            assert!(there.faults.iter().all(|fault| because(fault.kind)), "{name}");
            assert_eq!(there.rejects, elsewhere.concat().as_bytes(), "{name}");
            assert_eq!(back_text, homes.concat(), "{name}");
            // The same where such a text is read.
            let fen = format!("[SetUp \"1\"]\n[FEN \"{}\"]\n\n", HARD[0]);
            let claimed = written.replace("\n\n1.", &format!("\n{fen}1."));
            let read = ledger(&to_san(Rejects::Apart), &claimed);
            assert_eq!(read.verdicts(), (0, 0, home), "{name}: {claimed}");
            assert!(read.faults.iter().all(|fault| because(fault.kind)), "{name}");
        } else {
            assert_eq!(there.verdicts(), (all, 0, 0), "{name}: {:?}", there.faults.first());
            assert_eq!(back_text, archive, "{name}");
        }
        assert_eq!(back.verdicts(), (there.verdicts().0, 0, 0), "{name}");
    }
}

/// What a table must hold: by its keys, in the order of its columns.
type Expected = BTreeMap<Vec<String>, Vec<u64>>;

/// Adds to what is expected of some keys.
fn add(table: &mut Expected, keys: &[&str], counts: &[u64]) {
    let keys = keys.iter().map(|key| key.to_string()).collect();
    let sums = table.entry(keys).or_insert_with(|| vec![0; counts.len()]);
    sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
}

/// The integers of a table by its keys; rows of nothing but zeros left out, as those that are expected.
fn table(folder: &std::path::Path, name: &str, keys: usize, counts: usize) -> Expected {
    let mut reader = csv::Reader::from_path(folder.join(name)).unwrap();
    let records = reader.records().map(Result::unwrap).map(|record| {
        let key = record.iter().take(keys).map(String::from).collect();
        let counts = record.iter().skip(keys).take(counts).map(|field| field.parse().unwrap());
        (key, counts.collect::<Vec<u64>>())
    });
    without_zeros(records.collect())
}

fn without_zeros(table: Expected) -> Expected {
    table.into_iter().filter(|(_, counts)| counts.iter().any(|&count| count > 0)).collect()
}

/// The piece type and the disambiguation of a SAN.
fn said(san: &str, mv: Move) -> (&'static str, &'static str) {
    const ROLES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
    if mv.castling_side().is_some() {
        return ("castling", "none");
    }
    let body = san.trim_end_matches(['+', '#']).split('=').next().unwrap_or_default();
    let origin = body[..body.len() - 2].replace('x', "");
    let origin = origin.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    let said = match origin.as_bytes() {
        [] => "none",
        [b'a'..=b'h'] => "file",
        [_] => "rank",
        _ => "square",
    };
    (ROLES[mv.role().index()], said)
}

/// The groups of a ply, by their definitions there.
fn groups_of(moment: &Moment, mv: Move, index: usize) -> [(&'static str, String); 5] {
    let san = moment.write(registered("san"), mv);
    let band = index / 20 * 10;
    let side = if moment.position.turn() == Color::White { "white" } else { "black" };
    let role = match said(&san, mv).0 {
        "castling" => "king",
        role => role,
    };
    let kind = match mv.kind() {
        _ if mv.castling_side().is_some() => "castling",
        MoveKind::EnPassant => "en-passant",
        _ if mv.promoted().is_some() => "promotion",
        _ if san.contains('x') => "capture",
        _ => "quiet",
    };
    let check = match san.as_bytes().last() {
        Some(b'#') => "mate",
        Some(b'+') => "check",
        _ => "none",
    };
    let band = format!("{}-{}", band + 1, band + 10);
    [
        ("move", band),
        ("side", side.into()),
        ("role", role.into()),
        ("kind", kind.into()),
        ("check", check.into()),
    ]
}

/// The facts of a ply, by their definitions in docs/reference/tables.md: what holds, and among what.
fn facts_of(moment: &Moment, mv: Move) -> [(&'static str, u64, u64); 10] {
    let position = &moment.position;
    let moves = position.legal_moves();
    let others = || moves.iter().filter(|other| other.origin() != mv.origin());
    let castles = |mv: &Move| mv.castling_side().is_some();
    let alike = others().any(|other| {
        (other.role(), other.target(), castles(other)) == (mv.role(), mv.target(), castles(&mv))
    });
    let enough = u64::from(castles(&mv) || !alike);
    let is_piece = u64::from(mv.role() != Role::Pawn && !castles(&mv));
    let takes = mv.role() == Role::Pawn && position.is_capture(mv);
    let rivals = || others().filter(|mv| mv.role() == Role::Pawn && position.is_capture(**mv));
    let files = |mv: &Move| (mv.origin().file(), mv.target().file());
    let square = takes && !rivals().any(|other| other.target() == mv.target());
    let file = takes && !rivals().any(|other| files(other) == files(&mv));
    let length = |name: &str| moment.write(registered(name), mv).len() as u64;
    let (squares, squares_legal) =
        (length("economical-squares"), length("economical-squares-legal"));
    let (priority, priority_legal) =
        (length("economical-priority"), length("economical-priority-legal"));
    [
        ("piece-and-square-enough", enough, 1),
        ("piece-and-square-enough-for-pieces", enough * is_piece, is_piece),
        ("square-enough", u64::from(squares_legal == 2), 1),
        ("square-enough-by-steps", u64::from(squares == 2), 1),
        ("pawn-capture-square-enough", u64::from(square), u64::from(takes)),
        ("pawn-capture-files-enough", u64::from(file), u64::from(takes)),
        ("legality-shortens-squares", u64::from(squares_legal < squares), 1),
        ("legality-saves-squares", squares - squares_legal, squares),
        ("legality-shortens-priority", u64::from(priority_legal < priority), 1),
        ("legality-saves-priority", priority - priority_legal, priority),
    ]
}

/// Holds a column of ratios against its definition, to the last of its decimals.
fn check_ratios(
    folder: &std::path::Path,
    name: &str,
    column: &str,
    of: impl Fn(&[u64], &str) -> Option<f64>,
    decimals: usize,
) {
    let mut reader = csv::Reader::from_path(folder.join(name)).unwrap();
    let header = reader.headers().unwrap().clone();
    let place = header.iter().position(|other| other == column).expect(column);
    for record in reader.records().map(Result::unwrap) {
        let counts: Vec<u64> = record.iter().filter_map(|field| field.parse().ok()).collect();
        let expected = of(&counts, &record[1]).map(|ratio| format!("{ratio:.decimals$}"));
        let expected = expected.unwrap_or_default();
        // A half in the last place may be rounded either way.
        let near = match (expected.parse::<f64>(), record[place].parse::<f64>()) {
            (Ok(one), Ok(other)) => {
                (one - other).abs() < 1.5 * 0.1_f64.powi(decimals as i32)
                    && record[place].len() == expected.len()
            }
            _ => record[place] == expected,
        };
        assert!(near, "{name}: {record:?}: {column} is not {expected}");
    }
}

#[test]
fn what_is_measured_is_what_is_written() {
    let mut random = Dice::new(36);
    let mut games: Vec<Played> =
        (0..6).map(|number| game(number, Position::initial(), 50, &mut random)).collect();
    // Numbers that gain a digit, after a first move of White and of Black; a game without a move.
    for (number, fen) in ["w KQkq - 0 8", "b KQkq - 0 9", "b KQkq - 0 98"].iter().enumerate() {
        let start = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR {fen}");
        games.push(game(number, position(&start), 24, &mut random));
    }
    games.extend(HARD.iter().enumerate().map(|(n, fen)| game(n, position(fen), 30, &mut random)));
    games.extend((0..2).map(|plies| game(0, Position::initial(), plies, &mut random)));

    let (mut notations, mut lengths, mut by_ply, mut movetext, mut per_game) =
        (Expected::new(), Expected::new(), Expected::new(), Expected::new(), Vec::new());
    let (mut disambiguation, mut facts, mut groups) =
        (Expected::new(), Expected::new(), Expected::new());
    for (moment, mv) in games.iter().flat_map(|played| &played.plies) {
        let (role, said) = said(&moment.write(registered("san"), *mv), *mv);
        add(&mut disambiguation, &[role, said], &[1]);
        facts_of(moment, *mv).iter().for_each(|(fact, n, of)| add(&mut facts, &[fact], &[*n, *of]));
    }
    for played in &games {
        let mut row = vec![played.plies.len() as u64];
        let history = played.plies.first().is_none_or(|(moment, _)| moment.lineage.is_some());
        for notation in NOTATIONS {
            let name = notation.info().name;
            if notation.needs_lineage() && !history {
                row.push(0);
                continue;
            }
            let (mut plies, mut characters, mut bytes) = (0, 0, 0);
            let (mut numbers, mut number_characters) = (0, 0);
            let mut met = BTreeSet::new();
            for (index, (moment, mv)) in played.plies.iter().enumerate() {
                let text = moment.write(*notation, *mv);
                let count = text.chars().count() as u64;
                let counts = [1, 1, count, text.len() as u64];
                add(&mut lengths, &[name, &count.to_string()], &[1]);
                add(&mut by_ply, &[&(index + 1).to_string(), name], &counts);
                for (key, group) in groups_of(moment, *mv, index) {
                    let is_first = u64::from(met.insert((key, group.clone())));
                    let counts = [is_first, 1, count, text.len() as u64];
                    add(&mut groups, &[key, &group, name], &counts);
                }
                let number = number_of(&moment.position, index == 0).trim_end().len() as u64;
                numbers += u64::from(number > 0);
                (plies, number_characters) = (plies + 1, number_characters + number);
                (characters, bytes) = (characters + count, bytes + text.len() as u64);
            }
            add(&mut notations, &[name], &[1, plies, characters, bytes]);
            let (separators, result) = (plies + numbers + 1, played.result.len() as u64);
            let others = separators + number_characters + result;
            for (part, characters, bytes) in [
                ("moves", characters, bytes),
                ("separators", separators, separators),
                ("numbers", number_characters, number_characters),
                ("results", result, result),
                ("total", characters + others, bytes + others),
            ] {
                add(&mut movetext, &[name, part], &[plies, characters, bytes]);
            }
            if name == "san" {
                // The code of a game: two characters a move, and the end of the line.
                let (moves, ends) = (2 * plies, 1);
                for (part, count) in ["moves", "separators", "numbers", "results", "total"]
                    .into_iter()
                    .zip([moves, ends, 0, 0, moves + ends])
                {
                    add(&mut movetext, &["tcn", part], &[plies, count, count]);
                }
            }
            row.push(characters);
        }
        per_game.push(row);
    }

    let folder = Scratch::new();
    let archive: String = games.iter().map(|played| &played.text[..]).collect();
    let pgnmill_io::archive::Input::Path(input) = folder.put("games.pgn", archive.as_bytes())
    else {
        unreachable!("it was put there");
    };
    let tables = input.with_file_name("tables");
    let mut command = Command::new(env!("CARGO_BIN_EXE_pgnmill"));
    command.args(["measure", "--quiet", "--per-game", "--by", "move,side,role,kind,check"]);
    command.args(["--compress", "zstd:1", "-o"]).arg(&tables).arg(&input);
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for key in ["move", "side", "role", "kind", "check"] {
        let of_key = groups.iter().filter(|(keys, _)| keys[0] == key);
        let of_key = of_key.map(|(keys, counts)| (keys[1..].to_vec(), counts.clone()));
        assert_eq!(table(&tables, &format!("by_{key}.csv"), 2, 4), of_key.collect(), "{key}");
    }
    // Of a text and the space or line end after it.
    let compressed = notations.iter().map(|(name, counts)| {
        ([&name[..], &["zstd:1".to_string()]].concat(), vec![counts[1], counts[3] + counts[1]])
    });
    let studied = table(&tables, "compress.csv", 2, 2);
    let compressed = compressed.filter(|(keys, _)| studied.contains_key(keys));
    assert_eq!(studied, compressed.collect());
    assert!(studied.len() > 10, "{} notations were compressed", studied.len());
    let summary = std::fs::read_to_string(tables.join("summary.csv")).unwrap();
    assert!(summary.contains(&format!("\nmeasured_games,{}\n", games.len())), "{summary}");
    assert_eq!(table(&tables, "notations.csv", 1, 4), without_zeros(notations));
    assert_eq!(table(&tables, "lengths.csv", 2, 1), lengths);
    assert_eq!(table(&tables, "by_ply.csv", 2, 4), by_ply);
    assert_eq!(table(&tables, "movetext.csv", 2, 3), without_zeros(movetext));
    assert_eq!(table(&tables, "disambiguation.csv", 2, 1), disambiguation);
    assert_eq!(table(&tables, "facts.csv", 1, 2), without_zeros(facts));
    let share = |part: u64, of: u64, times: f64| (of > 0).then(|| times * part as f64 / of as f64);
    let per_ply = |counts: &[u64], _: &str| share(counts[2], counts[1], 1.0);
    check_ratios(&tables, "notations.csv", "characters_per_ply", per_ply, 3);
    let per_ply = |counts: &[u64], _: &str| share(counts[1], counts[0], 1.0);
    check_ratios(&tables, "movetext.csv", "characters_per_ply", per_ply, 3);
    let per_line = |counts: &[u64], part: &str| match part {
        "total" => share(counts[0], counts[1], 80.0),
        _ => None,
    };
    check_ratios(&tables, "movetext.csv", "plies_per_line", per_line, 2);
    check_ratios(&tables, "facts.csv", "percent", |n, _| share(n[0], n[1], 100.0), 2);
    let mut reader = csv::Reader::from_path(tables.join("games.csv")).unwrap();
    let rows = reader.records().map(Result::unwrap).map(|record| {
        record.iter().skip(3).map(|field| field.parse().unwrap()).collect::<Vec<u64>>()
    });
    assert_eq!(rows.collect::<Vec<_>>(), per_game);
}

#[test]
fn adding_and_merging_come_to_the_same_by_turns() {
    let mut random = Dice::new(3);
    let games: Vec<GameLengths> = (0..9)
        .map(|number| {
            let played = game(number, Position::initial(), 8 * number, &mut random);
            let mut lengths = GameLengths::default();
            lengths.clear();
            for (moment, mv) in &played.plies {
                let after = moment.position.play(*mv);
                let ply = Ply::new(&moment.position, *mv, &after, Check::of(&after));
                lengths.observe(&ply.with_lineage(moment.lineage.as_ref()));
            }
            lengths
        })
        .collect();
    let of = |games: &[GameLengths]| {
        let mut tally = Tally::default();
        games.iter().for_each(|game| tally.add(game, &Labels::default()));
        tally
    };
    let by_ply = |tally: &Tally| -> Vec<String> {
        (0..NOTATIONS.len())
            .flat_map(|notation| tally.by_ply(notation).map(|cost| format!("{cost:?}")))
            .collect()
    };
    let together = of(&games);
    for (first, second) in (0..9).flat_map(|first| (first..9).map(move |second| (first, second))) {
        let mut tally = of(&games[..first]);
        tally.merge(&of(&games[first..second]));
        games[second..].iter().for_each(|game| tally.add(game, &Labels::default()));
        assert_eq!(tally.games(), together.games());
        assert_eq!(by_ply(&tally), by_ply(&together), "{first}, {second}");
    }
}

//! Columns that are "A, or else B": with each of A and B known, unknown, unreadable or absent, in either order in the
//! text. And annotations at every depth: those of the main line belong to their ply, whatever variations are between.
//!
//! In: games for each pair of values, and random movetexts with nested variations. Out: nothing; the columns of an
//! export are compared with what the documentation states.

use std::fs;
use std::path::Path;

use crate::common::{Dice, Scratch, errors_of, exit_code, run_in, trials};
use pgnmill_columns::Table;

/// The rows of an export, as the fields of these columns.
fn export(scratch: &Scratch, args: &[&str]) -> Vec<Vec<String>> {
    let all =
        [&["export", "--quiet", "--overwrite", "--format", "csv", "-o", "o.csv"], args, &["a.pgn"]]
            .concat();
    let output = run_in(scratch.path(), &all, b"");
    assert_eq!(exit_code(&output), 0, "{args:?}: {}", errors_of(&output));
    let mut reader = csv::Reader::from_path(scratch.join("o.csv")).unwrap();
    reader.records().map(|record| record.unwrap().iter().map(String::from).collect()).collect()
}

/// A game with two tag pairs, each absent if it is `None`, in both orders.
fn with_pairs(pairs: [(&str, Option<&str>); 2], movetext: &str) -> [String; 2] {
    let written = pairs.map(|(name, value)| {
        value.map_or(String::new(), |value| format!("[{name} \"{value}\"]\n"))
    });
    let [one, other] = &written;
    [format!("{one}{other}"), format!("{other}{one}")]
        .map(|tags| format!("[Event \"x\"]\n{tags}\n{movetext}\n\n"))
}

#[test]
fn the_identity_of_a_game_is_that_of_its_site_or_else_of_its_link() {
    let scratch = Scratch::new();
    let addresses = [
        (Some("https://lichess.org/abcdefgh"), Some("abcdefgh")),
        (Some("https://lichess.org/ijklmnop/black"), Some("ijklmnop")),
        (Some("https://www.chess.com/game/live/123456"), Some("123456")),
        (Some("https://www.chess.com/game/daily/987"), Some("987")),
        (Some("Moscow"), None),
        (Some("?"), None),
        (Some(""), None),
        (None, None),
    ];
    let (mut text, mut expected) = (String::new(), Vec::new());
    for (site, of_site) in addresses {
        for (link, of_link) in addresses {
            for game in with_pairs([("Site", site), ("Link", link)], "1. e4 *") {
                text += &game;
                expected.push(of_site.or(of_link).unwrap_or("").to_string());
            }
        }
    }
    scratch.write("a.pgn", text.as_bytes());
    for table in ["games", "plies"] {
        let rows = export(&scratch, &["--table", table, "--columns", "game_id"]);
        let found: Vec<String> = rows.into_iter().map(|mut row| row.remove(0)).collect();
        assert_eq!(found, expected, "{table}");
    }
}

#[test]
fn the_outcome_is_the_token_or_else_the_tag_pair() {
    let scratch = Scratch::new();
    let (mut text, mut expected) = (String::new(), Vec::new());
    for token in ["1-0", "0-1", "1/2-1/2", "*", ""] {
        for tag in [Some("1-0"), Some("0-1"), Some("1/2-1/2"), Some("*"), Some("?"), None] {
            let game =
                &with_pairs([("Result", tag), ("Round", Some("1"))], &format!("1. e4 {token}"))[0];
            text += game;
            let of_tag = tag.filter(|tag| *tag != "?").unwrap_or("*");
            expected.push(if token.is_empty() { of_tag } else { token }.to_string());
        }
    }
    scratch.write("a.pgn", text.as_bytes());
    let rows = export(&scratch, &["--columns", "outcome"]);
    let found: Vec<String> = rows.into_iter().map(|mut row| row.remove(0)).collect();
    assert_eq!(found, expected);
}

/// The Rounds of the games in the files of a folder.
fn rounds(directory: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(rounds(&path));
        } else {
            let mut reader = csv::Reader::from_path(path).unwrap();
            found.extend(reader.records().map(|record| record.unwrap()[0].to_string()));
        }
    }
    found
}

#[test]
fn a_partition_by_year_and_month_is_of_the_date_or_else_of_the_date_in_utc() {
    let scratch = Scratch::new();
    let dates = [
        (Some("2013.01.31"), Some((2013, Some(1)))),
        (Some("1851.??.??"), Some((1851, None))),
        (Some("2020.07.??"), Some((2020, Some(7)))),
        (Some("????.12.01"), None),
        (Some("?"), None),
        (None, None),
    ];
    let (mut text, mut expected, mut number) = (String::new(), Vec::new(), 0);
    for (date, of_date) in dates {
        for (utc, of_utc) in dates {
            for game in with_pairs([("Date", date), ("UTCDate", utc)], "1. e4 *") {
                number += 1;
                text +=
                    &game.replace("[Event \"x\"]", &format!("[Event \"x\"]\n[Round \"{number}\"]"));
                expected.push((number.to_string(), of_date.or(of_utc)));
            }
        }
    }
    scratch.write("a.pgn", text.as_bytes());
    let args = [
        "export",
        "--quiet",
        "--format",
        "csv",
        "--columns",
        "Round",
        "--partition-by",
        "Year,Month",
        "-o",
        "parts",
        "a.pgn",
    ];
    let output = run_in(scratch.path(), &args, b"");
    assert_eq!(exit_code(&output), 0, "{}", errors_of(&output));
    let null = "__HIVE_DEFAULT_PARTITION__";
    for (round, of) in expected {
        let year = of.map_or(null.to_string(), |(year, _): (i32, _)| year.to_string());
        let month = of
            .and_then(|(_, month)| month)
            .map_or(null.to_string(), |month: i32| month.to_string());
        let folder =
            scratch.join("parts").join(format!("Year={year}")).join(format!("Month={month}"));
        assert!(rounds(&folder).contains(&round), "{round} is not in {}", folder.display());
    }
    assert_eq!(rounds(&scratch.join("parts")).len(), number);
}

/// Annotations after a ply, and what belongs to the ply of the main line.
struct Annotated {
    text: String,
    comments: Vec<String>,
    nags: Vec<String>,
    next: u32,
}

impl Annotated {
    /// Comments, NAGs and variations in random order; `depth` is that of the ply.
    fn annotate(&mut self, dice: &mut Dice, depth: usize, black: bool) {
        for _ in 0..dice.below(if depth == 0 { 6 } else { 4 }) {
            self.next += 1;
            let number = self.next;
            match dice.below(4) {
                0 => {
                    self.text += &format!(" {{c{number}}}");
                    if depth == 0 {
                        self.comments.push(format!("c{number}"));
                    }
                }
                1 => {
                    let nag = 1 + number % 200;
                    self.text += &format!(" ${nag}");
                    if depth == 0 {
                        self.nags.push(nag.to_string());
                    }
                }
                _ if depth < 4 => {
                    // A pawn move that is legal whatever the knights do.
                    let file = ["a", "b", "c", "d"][depth];
                    self.text += &format!(" ({file}{}", if black { 6 } else { 3 });
                    self.annotate(dice, depth + 1, black);
                    self.text += ")";
                }
                _ => {}
            }
        }
    }
}

#[test]
fn annotations_of_the_main_line_belong_to_their_ply_at_every_depth() {
    let (scratch, mut dice) = (Scratch::new(), Dice::new(0xb1));
    let (mut text, mut expected) = (String::new(), Vec::new());
    for _ in 0..trials(300, 300, 3_000) {
        text += "[Event \"x\"]\n\n";
        for ply in 0..4 {
            let mut after =
                Annotated { text: String::new(), comments: vec![], nags: vec![], next: 100 * ply };
            after.annotate(&mut dice, 0, ply % 2 == 1);
            text += [" 1. Nf3", " Nf6", " 2. Ng1", " Ng8"][ply as usize];
            text += &after.text;
            let nags = format!("[{}]", after.nags.join(","));
            expected.push((after.comments.join(" "), nags));
        }
        text += " *\n\n";
    }
    scratch.write("a.pgn", text.as_bytes());
    let rows = export(&scratch, &["--table", "plies", "--columns", "comment,nags"]);
    let found: Vec<(String, String)> = rows
        .into_iter()
        .map(|row| {
            (row[0].clone(), if row[1].is_empty() { "[]".to_string() } else { row[1].clone() })
        })
        .collect();
    assert_eq!(found.len(), expected.len());
    let odd = found.iter().zip(&expected).position(|(one, other)| one != other);
    assert_eq!(odd.map(|at| (&found[at], &expected[at])), None);
}

/// Whatever columns are chosen: a row per game, or per ply.
#[test]
fn every_column_alone_has_all_rows() {
    let scratch = Scratch::new();
    let text = "[Event \"x\"]\n\n1. e4 {[%clk 0:01:00]} e5 2. Nf3 *\n\n[Event \"y\"]\n\n1. d4 $1 *\n\n*\n\n";
    scratch.write("a.pgn", text.as_bytes());
    for (table, rows) in [(Table::Games, 3), (Table::Plies, 4)] {
        for column in table.columns() {
            let args = ["--table", table.name(), "--columns", &column.name, "--format", "jsonl"];
            let all = [&["export", "--quiet", "-o", "-"], &args[..], &["a.pgn"]].concat();
            let output = run_in(scratch.path(), &all, b"");
            let lines = output.stdout.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
            assert_eq!(lines.count(), rows, "{args:?}: {}", errors_of(&output));
        }
    }
}

//! A selection that tag pairs decide and the same one that only the moves decide give the same games, counts, rows and
//! bytes, on hostile archives: several games in one text, prose between games, games that were cut by damage.
//!
//! In: `--where E`, and `E` with a fact of the moves that is always true. Out: nothing; both runs
//! are compared in everything that a user can see, and with the games that the library's reader returns.

use std::collections::BTreeMap;
use std::fs;

use crate::common::{Dice, Scratch, exit_code, run_in, thinned, trials};

/// Texts that hold games; some hold several, some hold prose as well.
const TEXTS: [&str; 12] = [
    "[White \"a\"]\n[Site \"x\"]\n\n1. e4 e5 1-0\n\n",
    "[White \"b\"]\n\n1. d4 *\n\n1. c4 c5 (1... e5) 0-1\n\n1. Nf3 *\n\n",
    "[White \"a\"]\n\n1. e4 {1-0} e5 1/2-1/2\n\nwords between games\nand more\n\n",
    "1. e4 * 1. d4 * 1. c4 *\n\n",
    "[White \"c\"]\n\n1. e4 Ke3 1-0\n\n",
    "[White \"b\"]\n[Result \"1-0\"]\n\n1. e4\n\n",
    "% an escaped line\n\n[White \"a\"]\n\n1. e4 e5 2. Nf3 Nc6 *\n\n",
    "[White \"c\"]\n\n{a comment} *\n\n{between}\n\n",
    "[White \"b\"][Site \"y\"] 1. f3 e5 2. g4 Qh4# 0-1 [White \"a\"] 1. e4 *\n\n",
    "[White \"a\"]\n[White \"b\"]\n\n1. e4 e5 (1... c5 *\n\n",
    "[White \"c\"]\n\n1. e4 {never closed *\n\n",
    "\u{feff}[White \"a\"]\n\n1. e4 \u{e9} e5 *\n\n",
];

fn archive(dice: &mut Dice) -> Vec<u8> {
    let text: String = (0..30).map(|_| dice.one(&TEXTS)).collect();
    let line_end = dice.one(&["\n", "\n", "\r\n", "\r"]);
    text.replace('\n', line_end).into_bytes()
}

/// Frames of a text, some of them damaged.
fn frames(text: &[u8], dice: &mut Dice, damage: bool) -> Vec<u8> {
    let mut stored = Vec::new();
    for part in text.chunks(100 + dice.below(400)) {
        let mut frame = zstd::encode_all(part, 1).unwrap();
        if damage && dice.below(4) == 0 {
            let middle = frame.len() / 2;
            frame[middle..].fill(0x55);
        }
        stored.extend(frame);
    }
    stored
}

/// Expressions that tag pairs decide.
const BY_TAGS: [&str; 7] = [
    "White == \"a\"",
    "White == \"b\"",
    "White is missing",
    "not (White == \"a\")",
    "Site == \"x\"",
    "text_bytes < 40",
    "text_bytes >= 30 and White != \"c\"",
];

/// What a run writes: its files, standard output and the summary; the columns that name the options are left out.
fn outputs(scratch: &Scratch, args: &[&str]) -> BTreeMap<String, Vec<u8>> {
    let directory = scratch.join("o");
    drop(fs::remove_dir_all(&directory));
    fs::create_dir(&directory).unwrap();
    let output = run_in(scratch.path(), args, b"");
    let mut found = BTreeMap::new();
    found.insert("exit code".to_string(), exit_code(&output).to_string().into_bytes());
    found.insert("standard output".to_string(), output.stdout);
    for entry in fs::read_dir(&directory).unwrap() {
        let path = entry.unwrap().path();
        let mut bytes = fs::read(&path).unwrap();
        if path.ends_with("s.csv") {
            let text = String::from_utf8(bytes).unwrap();
            let rows = text.lines().filter(|line| !line.starts_with("options,"));
            bytes = rows.collect::<Vec<_>>().join("\n").into_bytes();
        }
        found.insert(path.file_name().unwrap().to_string_lossy().into_owned(), bytes);
    }
    found
}

const TABLES: [&str; 6] = ["--faults", "o/f.csv", "--notes", "o/n.csv", "--summary", "o/s.csv"];

fn same(found: &BTreeMap<String, Vec<u8>>, expected: &BTreeMap<String, Vec<u8>>, what: &str) {
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>(), "{what}");
    for (name, bytes) in expected {
        let shown = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!(shown(&found[name]), shown(bytes), "{what}: {name}");
    }
}

/// For `select`, `convert` and `validate`, whole and damaged archives, in small jobs.
#[test]
fn it_does_not_matter_whether_tag_pairs_or_moves_decide() {
    let (scratch, mut dice) = (Scratch::new(), Dice::new(0xa1));
    for round in 0..trials(13, 40, 400) {
        let text = archive(&mut dice);
        let stored = match round % 3 {
            0 => text.clone(),
            kind => frames(&text, &mut dice, kind == 2),
        };
        scratch.write("a.pgn", &stored);
        let bytes = ["60", "300", "5000", "1000000"][dice.below(4)];
        let sizes = [
            "--quiet",
            "--skip-damaged",
            "--threads",
            "1",
            "--range-bytes",
            bytes,
            "--block-bytes",
            bytes,
        ];
        for command in [
            &["select", "-o", "-"][..],
            &["convert", "--to", "uci", "-o", "o/c.pgn"],
            &["convert", "--to", "san", "-o", "-", "--rejects", "o/r.pgn"],
            &["validate", "--rejects", "o/r.pgn"],
        ] {
            let expression = dice.one(&BY_TAGS);
            // A fact of the moves that is always true, or, of a rejected game, of the verdict.
            let by_moves =
                format!("({expression}) and verdict in [\"accepted\", \"repaired\", \"rejected\"]");
            let run = |expression: &str| {
                let selects = ["--where", expression, "a.pgn"];
                outputs(&scratch, &[command, &TABLES, &sizes, &selects].concat())
            };
            let what = format!("{command:?} {expression}, round {round}, {bytes}");
            same(&run(&by_moves), &run(expression), &what);
        }
    }
}

/// The numbers of a summary, by key.
fn numbers(rows: &[u8]) -> BTreeMap<String, u64> {
    let text = String::from_utf8_lossy(rows).into_owned();
    let of_row = |row: &str| {
        let (key, value) = row.split_once(',')?;
        Some((key.to_string(), value.parse().ok()?))
    };
    text.lines().filter_map(of_row).collect()
}

/// What belongs to no game is counted alike with a selection and without: bytes between games, texts, lines.
#[test]
fn text_between_games_is_counted_whatever_is_selected() {
    let (scratch, mut dice) = (Scratch::new(), Dice::new(0xa2));
    for round in 0..trials(10, 30, 300) {
        scratch.write("a.pgn", &archive(&mut dice));
        let bytes = ["60", "300", "5000", "1000000"][round % 4];
        let run = |selects: &[&str]| {
            let args =
                ["validate", "--quiet", "--range-bytes", bytes, "--block-bytes", bytes, "a.pgn"];
            numbers(&outputs(&scratch, &[&args, selects, &TABLES].concat())["s.csv"])
        };
        let all = run(&[]);
        for expression in
            ["ply_count > 1", "White == \"a\"", "mate", "true", "false", "outcome == \"*\""]
        {
            let found = run(&["--where", expression]);
            for key in [
                "text_bytes",
                "between_bytes",
                "games",
                "note:bytes-between-games",
                "repair:bytes-between-games",
            ] {
                assert_eq!(found.get(key), all.get(key), "{expression}: {key}, round {round}");
            }
        }
    }
}

/// The length of a game's text is that of its own text, in `--where` as in the reader.
#[test]
fn text_bytes_are_those_of_the_game_alone() {
    let mut dice = Dice::new(0xa3);
    for _ in 0..trials(10, 30, 300) {
        let text = archive(&mut dice);
        let reader =
            || pgnmill::Reader::from_reader("text", std::io::Cursor::new(text.clone())).unwrap();
        let (mut lengths, mut games) = (Vec::new(), reader().games());
        while let Some(game) = games.next().unwrap() {
            lengths.push(game.text().len());
        }
        let bound = lengths[dice.below(lengths.len())];
        for source in [
            "text_bytes < N",
            "text_bytes < N and ply_count >= 0",
            "text_bytes == N and verdict is present",
        ] {
            let source = source.replace('N', &bound.to_string());
            let selection = pgnmill::Selection::parse(&source).unwrap();
            let found = reader().selection(selection).read_ahead().unwrap();
            let found: Vec<u64> = found.map(|game| game.unwrap().game().number()).collect();
            let fits = |&(_, len): &(u64, &usize)| {
                if source.contains("==") { *len == bound } else { *len < bound }
            };
            let expected = (1..).zip(&lengths).filter(fits).map(|(number, _)| number);
            let mut expected: Vec<u64> = expected.collect();
            if source.contains("ply_count") {
                // Facts of the moves of rejected games are missing.
                expected.retain(|number| found.contains(number));
            }
            assert_eq!(found, expected, "{source}");
        }
    }
}

/// `--split-by` a fact of the moves: each game is in the file of its value, whatever decides that it is selected.
#[test]
fn games_are_split_by_their_moves_whatever_selects_them() {
    let scratch = Scratch::new();
    let mut text = String::new();
    for (number, (moves, result)) in [
        ("1. e4 c5", "1-0"),
        ("1. d4", "0-1"),
        ("1. e4 Ke3", "*"),
        ("", "1/2-1/2"),
        ("1. e4 c5 2. Nf3", "*"),
    ]
    .into_iter()
    .enumerate()
    {
        text += &format!("[White \"a\"]\n[Round \"{number}\"]\n\n{moves} {result}\n\n");
        text += &format!("[White \"b\"]\n\n{moves} {result}\n\n");
    }
    scratch.write("a.pgn", text.as_bytes());
    for field in ["eco_computed", "outcome", "ply_count", "opening_computed"] {
        let split = |expression: &str| {
            let args = [
                "select",
                "--quiet",
                "--where",
                expression,
                "--split-by",
                field,
                "-o",
                "o",
                "a.pgn",
            ];
            outputs(&scratch, &args)
        };
        let by_tags = split("White == \"a\"");
        let by_moves = split("White == \"a\" and verdict is present");
        same(&by_tags, &by_moves, field);
        assert!(by_tags.len() > 4, "{field}: {:?}", by_tags.keys());
    }
}

/// `archive` is the name of the archive that a game is in, whatever decides the selection: of several archives it selects
/// the games of the one alone.
#[test]
fn the_archive_of_a_game_is_the_one_that_it_is_in() {
    let scratch = Scratch::new();
    let mut dice = Dice::new(11);
    let names = ["a.pgn", "b.pgn", "c.pgn.zst"];
    for name in names {
        let text = archive(&mut dice);
        let stored = if name.ends_with("zst") { frames(&text, &mut dice, false) } else { text };
        scratch.write(name, &stored);
    }
    let run = |args: &str, condition: &str, inputs: &[&str]| {
        let words = args.split(' ').chain(["--quiet", "--where", condition]);
        let words: Vec<&str> = words.chain(inputs.iter().copied()).collect();
        outputs(&scratch, &words).remove("standard output").unwrap()
    };
    for command in [
        "select -o -",
        "convert --to uci -o -",
        "convert --to uci --drop nags -o -",
        "export --columns archive,White,moves --format csv -o -",
    ] {
        for name in names {
            for threads in thinned(2, ["1", "2", "7"]) {
                let command = format!("{command} --threads {threads} --block-bytes 300");
                for more in ["", " and verdict is present"] {
                    let found = run(&command, &format!("archive == \"{name}\"{more}"), &names);
                    let expected = run(&command, &format!("true{more}"), &[name]);
                    assert!(found.len() > 100, "{command} {name}: {} bytes", found.len());
                    assert!(found == expected, "{command} {name}{more}");
                }
            }
        }
    }
}

//! `convert --drop`, `--set`, `--remove` and `--set-eco`: the moves are those of the conversion, the rest is edited.

use crate::common::{SAMPLE, Scratch, errors_of, exit_code, here, run_in};

const GAME: &str = "[Event \"a \\\"b\\\"\"]\n[ECO \"A00\"]\n\n1. e4! {best [%clk 0:01:00]} 1... c5 $14 (1... e5 {x}) 2. Nf3 *\n";

fn convert(scratch: &Scratch, args: &str, input: &str) -> String {
    let words: Vec<&str> = args.split('|').chain(["-o", "-", "--overwrite", input]).collect();
    let words = [&["convert", "--quiet"], &words[..]].concat();
    let output = run_in(scratch.path(), &words, b"");
    assert_eq!(exit_code(&output), 0, "{args}: {}", errors_of(&output));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn annotations_are_dropped_and_tag_pairs_edited() {
    let scratch = Scratch::new();
    scratch.write("g.pgn", GAME.as_bytes());
    let head = "[Event \"a \\\"b\\\"\"]\n[ECO \"A00\"]\n";
    let uci = "[MoveNotation \"uci\"]\n";
    for (args, tags, moves) in [
        ("--to|san|--drop|comments", "", "1. e4! c5 $14 (1... e5) 2. Nf3 *"),
        ("--to|uci|--drop|comments,nags,variations", uci, "1. e2e4 c7c5 2. g1f3 *"),
        ("--to|san|--drop|clocks,nags", "", "1. e4 {best} 1... c5 (1... e5 {x}) 2. Nf3 *"),
        (
            "--to|san|--set|Site=x \"y\"|--drop|comments,variations,nags",
            "[Site \"x \\\"y\\\"\"]\n",
            "1. e4 c5 2. Nf3 *",
        ),
    ] {
        let found = convert(&scratch, args, "g.pgn");
        assert_eq!(found, format!("{head}{tags}\n{moves}\n"), "{args}");
    }
    let found = convert(&scratch, "--to|san|--remove|ECO", "g.pgn");
    assert_eq!(found, GAME.replace("[ECO \"A00\"]\n", ""));
}

#[test]
fn openings_are_set_by_the_moves() {
    let scratch = Scratch::new();
    scratch.write("g.pgn", GAME.as_bytes());
    scratch.write("none.pgn", b"[ECO \"X\"]\n\n*\n");
    for to in ["san", "uci", "economical-priority"] {
        let found = convert(&scratch, &format!("--to|{to}|--set-eco"), "g.pgn");
        assert!(found.contains("[ECO \"B27\"]\n") && !found.contains("A00"), "{found}");
        assert!(found.contains("[Opening \"Sicilian Defense\"]\n"), "{found}");
    }
    // A game whose moves reach no opening keeps its tag pairs.
    assert!(convert(&scratch, "--to|san|--set-eco", "none.pgn").contains("[ECO \"X\"]\n\n*"));
}

/// In every notation: without the annotations the archive has the same games, and an edit of edited games changes
/// nothing.
#[test]
fn edited_archives_are_read_again_in_every_notation() {
    let scratch = Scratch::new();
    let sample = here(SAMPLE).display().to_string();
    let head = ["select", "--quiet", "--head", "60", "-o", "few.pgn", &sample];
    assert_eq!(exit_code(&run_in(scratch.path(), &head, b"")), 0);
    scratch.write("g.pgn", GAME.as_bytes());
    let san = "--to|san|--drop|comments,nags,variations|--set|Event=x";
    for input in ["few.pgn", "g.pgn"] {
        let expected = convert(&scratch, san, input);
        for notation in pgnmill::NOTATIONS {
            let name = notation.info().name;
            let edited = convert(&scratch, &san.replace("|san|", &format!("|{name}|")), input);
            scratch.write("edited.pgn", edited.as_bytes());
            assert_eq!(convert(&scratch, "--to|san", "edited.pgn"), expected, "{name}");
            let again =
                convert(&scratch, &san.replace("|san|", &format!("|{name}|")), "edited.pgn");
            assert_eq!(again, edited, "{name}");
        }
    }
}

#[test]
fn tag_pairs_that_decide_about_moves_are_not_edited() {
    let scratch = Scratch::new();
    scratch.write("g.pgn", GAME.as_bytes());
    for option in ["--set=FEN=x", "--remove=MoveNotation", "--set=no value", "--set=A-b=c"] {
        let args = ["convert", "--to", "san", option, "-o", "x.pgn", "g.pgn"];
        let output = run_in(scratch.path(), &args, b"");
        assert_eq!(exit_code(&output), 2, "{option}");
        assert!(!scratch.join("x.pgn").exists(), "{option}");
    }
}

/// The bytes that join two games do not depend on the division of the archive.
#[test]
fn joints_do_not_depend_on_the_division_of_the_archive() {
    let scratch = Scratch::new();
    let texts: [&[u8]; 3] = [
        b"2\r[t\"]1-0[t\"",
        b"[Event \"a\"]\r\n\r\n1. e4 *\r[t \"x\"] 1. d4 1-0 [Event \"b\"]\n\n1. c4 *\n",
        b"1. e4 *\r\n1. d4 * [Event \"b\"]\n\n1. c4 *\r[A \"b\"] *[B \"c\"]",
    ];
    for text in texts {
        scratch.write("plain.pgn", text);
        for command in ["select", "convert|--to|san"] {
            let output = |args: &[&str]| {
                let words: Vec<&str> = command.split('|').chain(args.iter().copied()).collect();
                run_in(scratch.path(), &words, b"").stdout
            };
            let expected = output(&["--quiet", "plain.pgn", "-o", "-"]);
            for bytes in ["1", "2", "5", "9"] {
                let cut = output(&["--quiet", "--range-bytes", bytes, "plain.pgn", "-o", "-"]);
                assert_eq!(cut.escape_ascii().to_string(), expected.escape_ascii().to_string());
            }
            for frame_bytes in [1, 2, 3, 5, 9] {
                let frames: Vec<u8> = text
                    .chunks(frame_bytes)
                    .flat_map(|frame| zstd::encode_all(frame, 1).unwrap())
                    .collect();
                scratch.write("frames.pgn.zst", &frames);
                let cut = output(&["--quiet", "frames.pgn.zst", "-o", "-"]);
                assert_eq!(cut.escape_ascii().to_string(), expected.escape_ascii().to_string());
            }
        }
    }
}

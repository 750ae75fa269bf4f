//! The command line: messages, files, exit codes.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Output, Stdio};
use std::time::{Duration, Instant};

use crate::common::{
    SAMPLE, SOURCES, Scratch, errors_of, exit_code, here, pgnmill, run_in, text_of, unpacked,
};

/// Three games: a legal one, one with a word that is no move, one in which a king moves next to a pawn.
const BAD: &str = "\
[Event \"good\"]
[Site \"?\"]
[Date \"????.??.??\"]
[Round \"?\"]
[White \"Ann\"]
[Black \"Bob\"]
[Result \"1-0\"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

[Event \"a word\"]
[Site \"here\"]
[Date \"????.??.??\"]
[Round \"?\"]
[White \"Carl\"]
[Black \"Dora\"]
[Result \"*\"]

1. d4 d5
2. c4 Zz9 *

[Event \"two kings\"]
[Site \"?\"]
[Date \"????.??.??\"]
[Round \"?\"]
[White \"Eve\"]
[Black \"Fay\"]
[Result \"*\"]

1. e4 (1. d4 d5) 1... e5 2. Ke2 Ke7
{three} 3. Ke3 Ke6 4. Kd4 Kd5 *

";

/// The message of a run that is interrupted and leaves nothing.
const INTERRUPTED: &str = "pgnmill: interrupted; this run leaves no file\n";

fn sources() -> String {
    here(SOURCES).display().to_string()
}

fn sample() -> String {
    here(SAMPLE).display().to_string()
}

/// Runs a command that must fail: exit code 2, these words on standard error, the directory unchanged.
fn refused(scratch: &Scratch, args: &[&str], words: &[&str]) {
    let before = scratch.names();
    let output = run_in(scratch.path(), args, b"");
    assert_eq!(exit_code(&output), 2, "{args:?}: {}", errors_of(&output));
    for word in words {
        assert!(errors_of(&output).contains(word), "{args:?} says {}", errors_of(&output));
    }
    assert!(!errors_of(&output).contains("panicked"), "{args:?} says {}", errors_of(&output));
    assert_eq!(scratch.names(), before, "{args:?} leaves nothing behind");
}

#[test]
fn clean_archives_end_with_0_and_bad_games_with_1() {
    let scratch = Scratch::new();
    scratch.write("bad.pgn", BAD.as_bytes());
    let clean = run_in(scratch.path(), &["validate", &sources()], b"");
    assert_eq!(exit_code(&clean), 0);
    assert!(errors_of(&clean).starts_with("3 games read"), "{}", errors_of(&clean));
    assert!(clean.stdout.is_empty());
    let bad = run_in(scratch.path(), &["validate", "bad.pgn"], b"");
    assert_eq!(exit_code(&bad), 1);
    assert!(
        errors_of(&bad).contains("1 accepted + 0 repaired + 2 rejected"),
        "{}",
        errors_of(&bad)
    );
    let quiet = run_in(scratch.path(), &["validate", "--quiet", "bad.pgn"], b"");
    let reason = "pgnmill: 2 of 3 games are rejected (exit code 1)\n".to_string();
    assert_eq!((exit_code(&quiet), errors_of(&quiet)), (1, reason));
}

#[test]
fn faults_give_byte_offset_and_reason() {
    let scratch = Scratch::new();
    scratch.write("bad.pgn", BAD.as_bytes());
    let args = ["validate", "--faults", "f.csv", "--rejects", "r.pgn", "bad.pgn"];
    assert_eq!(exit_code(&run_in(scratch.path(), &args, b"")), 1);
    let word = BAD.find("Zz9").unwrap();
    let illegal = BAD.find("Kd4").unwrap();
    let line = |at: usize| BAD[..at].matches('\n').count() + 1;
    let column = |at: usize| at - BAD[..at].rfind('\n').unwrap();
    let (after_c4, after_ke6) = (
        "rnbqkbnr/ppp1pppp/8/3p4/2PP4/8/PP2PPPP/RNBQKBNR b KQkq - 0 2",
        "rnbq1bnr/pppp1ppp/4k3/4p3/4P3/4K3/PPPP1PPP/RNBQ1BNR w - - 4 4",
    );
    let expected = format!(
        "archive,byte_offset,line,column,game,ply,kind,text,detail,fen,event,site,white,black\n\
         bad.pgn,{word},{},{},2,4,move-unreadable,Zz9,\
         Zz9: Z is the letter of no piece,{after_c4},a word,here,Carl,Dora\n\
         bad.pgn,{illegal},{},{},3,7,move-illegal,Kd4,\
         Kd4: d4 is attacked by the pawn on e5,{after_ke6},two kings,?,Eve,Fay\n",
        line(word),
        column(word),
        line(illegal),
        column(illegal),
    );
    assert_eq!(fs::read_to_string(scratch.join("f.csv")).unwrap(), expected);
    assert_eq!((line(word), column(word), line(illegal)), (20, 7, 31));
    let rejects = &BAD[BAD.find("[Event \"a word\"]").unwrap()..];
    assert_eq!(fs::read_to_string(scratch.join("r.pgn")).unwrap(), rejects);
}

/// A page of HTML is no valid archive; an empty file is one.
#[test]
fn text_without_a_game_is_reported() {
    let scratch = Scratch::new();
    scratch.write("page.pgn", b"<html>not found</html>\n");
    scratch.write("empty.pgn", b"\n\n");
    let output = run_in(scratch.path(), &["validate", "empty.pgn", "page.pgn"], b"");
    assert_eq!(exit_code(&output), 1);
    assert!(
        errors_of(&output).contains("page.pgn holds no game: none of its 23 bytes"),
        "{}",
        errors_of(&output)
    );
    assert!(errors_of(&output).contains("empty.pgn is empty"), "{}", errors_of(&output));
    let blank = run_in(scratch.path(), &["validate", "empty.pgn"], b"");
    assert_eq!(exit_code(&blank), 0);
    let quiet = run_in(scratch.path(), &["validate", "-q", "page.pgn"], b"");
    let reason =
        "pgnmill: page.pgn holds no game: none of its 23 bytes belong to one (exit code 1)\n";
    assert_eq!((exit_code(&quiet), errors_of(&quiet)), (1, reason.to_string()));
}

/// Every byte of an archive has its page, plain and compressed; a fault's byte shows the fault.
#[test]
fn explain_shows_the_game_the_place_and_why() {
    let scratch = Scratch::new();
    scratch.write("bad.pgn", BAD.as_bytes());
    scratch.write("bad.pgn.zst", &zstd::encode_all(BAD.as_bytes(), 1).unwrap());
    let page = |args: &[&str]| {
        let output = run_in(scratch.path(), args, b"");
        (exit_code(&output), String::from_utf8(output.stdout.clone()).unwrap(), errors_of(&output))
    };
    let illegal = BAD.find("Kd4").unwrap().to_string();
    let (plain, text, _) = page(&["explain", "bad.pgn", "--at", &illegal]);
    assert_eq!(plain, 1);
    for words in [
        "[White \"Eve\"]",
        "{three} 3. Ke3 Ke6 4. Kd4 Kd5 *\n                      ^~~\n",
        "Ply 7, move 4. White to move\n",
        "  6  . . . . k . . .\n  5  . . . . p . . .\n",
        "FEN   rnbq1bnr/pppp1ppp/4k3/4p3/4P3/4K3/PPPP1PPP/RNBQ1BNR w - - 4 4\n",
        "why   Kd4: d4 is attacked by the pawn on e5\n",
        "near  d4 Ke2 Kd3 Kf3\n",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let (packed, same, _) = page(&["explain", "bad.pgn.zst", "--at", &illegal]);
    assert_eq!((packed, same), (1, text.replacen("bad.pgn:", "bad.pgn.zst:", 1)));
    let (_, numbered, _) = page(&["explain", "bad.pgn", "--game", "3"]);
    assert!(numbered == text && text.contains("bad.pgn: game 3 at bytes "), "{numbered}");
    let (clean, ply, _) = page(&["explain", "bad.pgn", "--game", "1", "--ply", "7"]);
    assert!(
        clean == 0 && ply.contains("White to move and plays Qxf7#") && ply.contains("accepted")
    );
    let (_, drawn, _) = page(&["explain", "bad.pgn", "--game", "1", "--figurines"]);
    assert!(drawn.contains("  7  ♟ ♟ ♟ ♟ . ♕ ♟ ♟\n"), "{drawn}");
    for at in (0..BAD.len()).step_by(7) {
        let (_, text, _) = page(&["explain", "bad.pgn", "--at", &at.to_string()]);
        assert!(text.contains(" ^") || text.contains("\n^"), "{at}: {text}");
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{at}: {text}");
    }
    let end = BAD.len().to_string();
    refused(&scratch, &["explain", "bad.pgn", "--at", &end], &["ends before byte"]);
    refused(&scratch, &["explain", "bad.pgn", "--game", "4"], &["holds 3 games"]);
    refused(&scratch, &["explain", "bad.pgn", "--game", "1", "--ply", "8"], &["no ply 8"]);
    refused(&scratch, &["explain", "bad.pgn"], &["--at"]);
    refused(&scratch, &["explain", "none.pgn", "--at", "0"], &["cannot open none.pgn"]);
}

#[test]
fn the_summary_adds_up() {
    let scratch = Scratch::new();
    scratch.write("bad.pgn", BAD.as_bytes());
    run_in(scratch.path(), &["validate", "--summary", "s.csv", "bad.pgn"], b"");
    let table = fs::read_to_string(scratch.join("s.csv")).unwrap();
    let value = |key: &str| {
        let row = table.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(','));
        row.unwrap_or_else(|| panic!("{key} in {table}")).parse::<usize>().unwrap()
    };
    assert!(table.starts_with("key,value\nschema_version,3\n"), "{table}");
    assert_eq!((value("archives"), value("games")), (1, 3));
    assert_eq!((value("accepted"), value("repaired"), value("rejected")), (1, 0, 2));
    assert_eq!((value("text_bytes"), value("stored_bytes")), (BAD.len(), BAD.len()));
    assert_eq!(value("game_bytes") + value("between_bytes"), BAD.len());
    assert_eq!(value("rejected_bytes"), BAD.len() - BAD.find("[Event \"a word\"]").unwrap());
    assert_eq!(value("plies"), 7);
    assert_eq!((value("fault:move-unreadable"), value("fault:move-illegal")), (1, 1));
}

#[test]
fn inputs_that_cannot_be_had_are_named() {
    let scratch = Scratch::new();
    scratch.write("empty/notes.txt", b"no archive");
    refused(&scratch, &["validate", "missing.pgn"], &["cannot open missing.pgn", "No such file"]);
    refused(&scratch, &["validate", "empty"], &["empty holds no .pgn"]);
    refused(&scratch, &["validate"], &["INPUT"]);
    refused(&scratch, &["validate", &sources(), "gone.pgn"], &["gone.pgn"]);
    let output = ["convert", "--to", "uci", "-o", "out.pgn", "missing.pgn"];
    refused(&scratch, &output, &["missing.pgn"]);
    let both = ["convert", "--to", "uci", "-o", "out.zst", &sources(), "missing.pgn"];
    refused(&scratch, &both, &["missing.pgn"]);
    let outlets =
        ["validate", "--faults", "f.csv", "--rejects", "r.pgn", "--summary", "s.csv", "no.pgn"];
    refused(&scratch, &outlets, &["no.pgn"]);
}

#[test]
fn requests_that_make_no_sense_are_refused() {
    let scratch = Scratch::new();
    let source = &sources();
    let klingon = ["convert", "--to", "klingon", "-o", "x.pgn", source];
    refused(&scratch, &klingon, &["no notation klingon", "pgnmill notations"]);
    refused(&scratch, &["validate", "--from", "klingon", source], &["no notation klingon"]);
    refused(&scratch, &["notations", "klingon"], &["no notation klingon"]);
    refused(&scratch, &["validate", "--deny", "boredom", source], &["no deviation boredom"]);
    refused(&scratch, &["validate", "--allow", "move-illegal", source], &["move-illegal"]);
    refused(&scratch, &["measure", source], &["--output"]);
    refused(&scratch, &["validate", "--threads", "many", source], &["many"]);
    refused(&scratch, &["grind", source], &["grind"]);
    refused(&scratch, &["measure", "-o", "t", "--by", "moon", source], &["moon", "eco-letter"]);
    refused(&scratch, &["measure", "-o", "t", "--sample", "0", source], &["--sample"]);
    let level = ["convert", "--to", "uci", "--level", "99", "-o", "x.zst", source];
    refused(&scratch, &level, &["99"]);
    // Two outputs of one name.
    let twice = ["convert", "--to", "uci", "-o", "x.pgn", "--rejects", "x.pgn", source];
    refused(&scratch, &twice, &["x.pgn is named for two outputs"]);
    let pipes = ["convert", "--to", "uci", "-o", "-", "--faults", "-", source];
    refused(&scratch, &pipes, &["- is named for two outputs"]);
    // Two inputs of one name would become one output.
    scratch.write("a/x.pgn", BAD.as_bytes());
    scratch.write("b/x.pgn", BAD.as_bytes());
    scratch.write("out/kept.txt", b"");
    refused(&scratch, &["convert", "--to", "uci", "-o", "out/", "a", "b"], &["two inputs"]);
    assert_eq!(fs::read_dir(scratch.join("out")).unwrap().count(), 1);
}

#[test]
fn outputs_that_exist_are_kept_without_overwrite() {
    let scratch = Scratch::new();
    let source = &sources();
    for name in ["out.pgn", "f.csv", "r.pgn", "s.csv", "t/notations.csv"] {
        scratch.write(name, b"mine");
    }
    let words = ["exists already", "--overwrite"];
    refused(&scratch, &["convert", "--to", "uci", "-o", "out.pgn", source], &words);
    refused(&scratch, &["validate", "--faults", "f.csv", source], &words);
    refused(&scratch, &["validate", "--rejects", "r.pgn", source], &words);
    refused(&scratch, &["measure", "-o", "t", source], &words);
    refused(&scratch, &["validate", "--summary", "s.csv", source], &words);
    for name in ["out.pgn", "f.csv", "r.pgn", "s.csv", "t/notations.csv"] {
        assert_eq!(fs::read(scratch.join(name)).unwrap(), b"mine", "{name}");
    }
    let args = ["convert", "--to", "uci", "--overwrite", "-o", "out.pgn", source];
    assert_eq!(exit_code(&run_in(scratch.path(), &args, b"")), 0);
    let args = ["measure", "--overwrite", "-o", "t", source];
    assert_eq!(exit_code(&run_in(scratch.path(), &args, b"")), 0);
    assert!(fs::read_to_string(scratch.join("out.pgn")).unwrap().contains("1. e2e4 e7e5"));
    let names: Vec<String> = fs::read_dir(scratch.join("t"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        // The journal of the run.
        .filter(|name| name != ".pgnmill-run.jsonl")
        .collect();
    assert_eq!(names.len(), 8, "{names:?}");
}

/// Runs what fails, until it does so before the first state is saved: after a second there is a journal, with which the
/// run can go on. It must leave the archives alone.
fn left_nothing(scratch: &Scratch, args: &[&str]) -> Output {
    let archives = scratch.names();
    for _ in 0..20 {
        let begun = Instant::now();
        let output = run_in(scratch.path(), args, b"");
        assert_eq!(exit_code(&output), 2, "{}", errors_of(&output));
        if begun.elapsed() < Duration::from_secs(1) {
            assert_eq!(scratch.names(), archives, "{args:?}");
            return output;
        }
        for name in scratch.names().into_iter().filter(|name| !archives.contains(name)) {
            let path = scratch.join(&name);
            if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.unwrap();
        }
    }
    panic!("the machine is too busy: no run of {args:?} ended within a second");
}

#[test]
fn a_run_that_fails_leaves_nothing_half_written() {
    let scratch = Scratch::new();
    let mut stored = fs::read(here(SAMPLE)).unwrap();
    // Inside the third frame.
    let middle = stored.len() / 2;
    stored[middle..middle + 64].fill(0xff);
    scratch.write("damaged.pgn.zst", &stored);
    scratch.write("cut.pgn.zst", &fs::read(here(SAMPLE)).unwrap()[..1_000_000]);
    for name in ["damaged.pgn.zst", "cut.pgn.zst"] {
        for output in ["out.pgn", "out.pgn.zst", "dir/"] {
            let args = ["convert", "--to", "uci", "--faults", "f.csv", "-o", output, name];
            let output = left_nothing(&scratch, &args);
            assert!(errors_of(&output).contains(name), "{}", errors_of(&output));
            assert!(errors_of(&output).contains("stored byte"), "{}", errors_of(&output));
        }
        left_nothing(&scratch, &["measure", "--per-game", "-o", "dir", name]);
    }
    // An output that cannot be written: a directory that is not there.
    let source = &sources();
    let nowhere = ["convert", "--to", "uci", "-o", "no/where.pgn", source];
    refused(&scratch, &nowhere, &["cannot write no/where.pgn", "No such file"]);
    // The last table that cannot be written is known before the first byte is read.
    scratch.write("s.csv", b"mine");
    for summary in ["s.csv", "no/s.csv"] {
        let args = ["convert", "--to", "uci", "-o", "out.pgn", "--summary", summary, source];
        refused(&scratch, &args, &[summary]);
    }
}

#[test]
fn a_dash_is_standard_input_and_standard_output() {
    let scratch = Scratch::new();
    let text = text_of(&here(SOURCES));
    let there = run_in(scratch.path(), &["convert", "--to", "uci", "-o", "-", "-"], &text);
    assert_eq!(exit_code(&there), 0, "{}", errors_of(&there));
    assert!(String::from_utf8_lossy(&there.stdout).contains("[MoveNotation \"uci\"]"));
    let back = run_in(scratch.path(), &["convert", "--to", "san", "-o", "-", "-"], &there.stdout);
    assert!(back.stdout == text, "there and back through pipes");
    // zstd is detected by its first bytes, from a pipe too.
    let stored = zstd::encode_all(&text[..], 1).unwrap();
    let again = run_in(scratch.path(), &["convert", "--to", "uci", "-o", "-", "-"], &stored);
    assert!(again.stdout == there.stdout);
    // Among files, and into a directory.
    scratch.write("one.pgn", BAD.as_bytes());
    let args = ["convert", "--to", "san", "--keep-rejects", "-o", "dir/", "one.pgn", "-"];
    assert_eq!(exit_code(&run_in(scratch.path(), &args, &text)), 1);
    assert_eq!(fs::read_to_string(scratch.join("dir/one.pgn")).unwrap(), BAD);
    assert!(fs::read(scratch.join("dir/stdin.pgn")).unwrap() == text);
    let empty = run_in(scratch.path(), &["validate", "-"], b"");
    assert_eq!(exit_code(&empty), 0);
    assert!(errors_of(&empty).starts_with("0 games read"), "{}", errors_of(&empty));
}

#[test]
fn several_inputs_become_one_output_in_their_order() {
    let scratch = Scratch::new();
    let text = text_of(&here(SOURCES));
    scratch.write("in/b.pgn", BAD.as_bytes());
    scratch.write("in/a.pgn.zst", &zstd::encode_all(&text[..], 1).unwrap());
    scratch.write("in/notes.txt", b"not an archive");
    let args = ["convert", "--to", "san", "--keep-rejects", "-o", "all.pgn.zst", "in", "in/b.pgn"];
    assert_eq!(exit_code(&run_in(scratch.path(), &args, b"")), 1);
    let expected = [&text, BAD.as_bytes(), BAD.as_bytes()].concat();
    assert!(unpacked(&fs::read(scratch.join("all.pgn.zst")).unwrap()) == expected);
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let scratch = Scratch::new();
    let mut child = pgnmill()
        .args(["convert", "--to", "uci", "-o", "-", &sample()])
        .current_dir(scratch.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::with_capacity(64, child.stdout.take().unwrap()).read_line(&mut first).unwrap();
    assert!(first.starts_with("[Event \"Rated"), "{first}");
    // The pipe is closed now; the program still has megabytes to write.
    let output = child.wait_with_output().unwrap();
    assert_eq!((exit_code(&output), errors_of(&output)), (0, String::new()));
    assert_eq!(scratch.names(), [""; 0]);
    for args in [["notations"], ["deviations"], ["--help"]] {
        let mut child = pgnmill().args(args).stdout(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        assert_eq!(child.wait().unwrap().code(), Some(0), "{args:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_run_and_leaves_nothing() {
    let scratch = Scratch::new();
    scratch.write("old.pgn", b"mine");
    let text = text_of(&here(SAMPLE));
    for output in ["out.pgn", "out.zst", "dir/", "old.pgn"] {
        let mut child = pgnmill()
            .args(["convert", "--to", "uci", "--faults", "f.csv", "--overwrite"])
            .args(["-o", output, "-"])
            .current_dir(scratch.path())
            .stdin(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // In the middle of an archive, with more to come.
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(&text[..6 << 20]).unwrap();
        let started = || scratch.names().iter().any(|name| name.starts_with("f.csv.pgnmill-"));
        assert!(started(), "the run goes on, in temporary files");
        let pid = child.id().to_string();
        let kill = std::process::Command::new("kill").args(["-INT", &pid]).status().unwrap();
        assert!(kill.success());
        // The pipe stays open: the program must not wait for it.
        let mut words = String::new();
        child.stderr.take().unwrap().read_to_string(&mut words).unwrap();
        let status = child.wait().unwrap();
        assert_eq!((status.code(), words.as_str()), (Some(130), INTERRUPTED));
        drop(pipe);
    }
    assert_eq!(scratch.names(), ["old.pgn"]);
    assert_eq!(fs::read(scratch.join("old.pgn")).unwrap(), b"mine");
}

#[test]
fn lists_go_to_standard_output() {
    let scratch = Scratch::new();
    for (args, word) in [
        (&["notations"][..], "| `economical-priority` |"),
        (&["notations", "economical-squares"], "examples"),
        (&["deviations"], "| `castling-zeros` |"),
        (&["--help"], "Usage"),
        (&["--version"], env!("CARGO_PKG_VERSION")),
    ] {
        let output = run_in(scratch.path(), args, b"");
        assert_eq!((exit_code(&output), errors_of(&output)), (0, String::new()), "{args:?}");
        assert!(String::from_utf8_lossy(&output.stdout).contains(word), "{args:?}");
    }
}

#[test]
fn profiles_decide_what_is_a_fault() {
    let scratch = Scratch::new();
    let text = BAD[..BAD.find("[Event \"a word\"]").unwrap()].replace("Qxf7#", "Qxf7");
    scratch.write("mark.pgn", text.as_bytes());
    let run = |args: &[&str]| exit_code(&run_in(scratch.path(), args, b""));
    assert_eq!(run(&["validate", "mark.pgn"]), 0);
    assert_eq!(run(&["validate", "--strict", "mark.pgn"]), 1);
    assert_eq!(run(&["validate", "--deny", "check-mark-missing", "mark.pgn"]), 1);
    let allowed = ["validate", "--strict", "--allow", "check-mark-missing", "mark.pgn"];
    assert_eq!(run(&allowed), 0);
    assert_eq!(run(&["convert", "--to", "san", "-o", "san.pgn", "mark.pgn"]), 0);
    let repaired = fs::read_to_string(scratch.join("san.pgn")).unwrap();
    assert_eq!(repaired, text.replace("Qxf7", "Qxf7#"));
}

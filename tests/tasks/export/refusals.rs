//! What `export` refuses, in which words; names of outputs; standard output.

use std::fs;
use std::io::Read;
use std::process::{Output, Stdio};

use super::formats::RICH;
use super::table;
use crate::common::{SAMPLE, Scratch, errors_of, exit_code, here, pgnmill, run_in};

fn run(scratch: &Scratch, line: &str) -> Output {
    run_in(scratch.path(), &line.split(' ').collect::<Vec<_>>(), RICH.as_bytes())
}

/// Each ends with exit code 2, these words, and no file.
#[test]
fn what_is_refused_is_named() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", RICH.as_bytes());
    scratch.write("in/a.pgn", RICH.as_bytes());
    scratch.write("in/b/a.pgn.zst", &zstd::encode_all(RICH.as_bytes(), 1).unwrap());
    scratch.write("there.csv", b"mine");
    let names = scratch.names();
    for (line, words) in [
        ("--columns nonsense -o t.csv a.pgn", &["--columns", "nonsense"][..]),
        ("--columns Event,event -o t.csv a.pgn", &["no column event"]),
        ("--columns ply -o t.csv a.pgn", &["no column ply"]),
        ("--table plies --columns hf -o t.csv a.pgn", &["hf"]),
        ("--table plies --columns movetext -o t.csv a.pgn", &["movetext"]),
        ("--notation nonsense -o t.csv a.pgn", &["nonsense"]),
        ("--columns moves_nonsense -o t.csv a.pgn", &["moves_nonsense"]),
        ("--partition-by movetext -o d a.pgn", &["--partition-by", "movetext"]),
        ("--partition-by clocks -o d a.pgn", &["clocks"]),
        ("--partition-by archive -o d a.pgn", &["archive"]),
        ("--partition-by years -o d a.pgn", &["years"]),
        ("--partition-by year,Year -o d a.pgn", &["--partition-by names Year twice"]),
        ("--format csv -o t.parquet a.pgn", &["t.parquet", "csv", "name it t.csv"]),
        ("--partition-by Year,Year -o d a.pgn", &["--partition-by names Year twice"]),
        ("--columns ECO --partition-by ECO -o d a.pgn", &["leaves no column"]),
        ("--level 5 -o t.csv a.pgn", &["--level", "csv"]),
        ("--level 5 --format arrow -o t.x a.pgn", &["--level", "arrow"]),
        ("--level 0 -o t.parquet a.pgn", &["--level", "0"]),
        ("--level 23 -o t.parquet a.pgn", &["--level", "23"]),
        ("--format orc -o t.orc a.pgn", &["orc"]),
        ("-o t.json a.pgn", &[".json", "--format"]),
        // A file for one reader, a directory for another.
        ("-o t a.pgn", &["t.parquet", "t/", "--format"]),
        ("--format csv -o t.csv.gz a.pgn", &["gz is not written", "t.csv"]),
        ("--partition-by Year -o - a.pgn", &["--partition-by", "-"]),
        ("--partition-by Year -o t.parquet a.pgn", &["--partition-by", "t.parquet"]),
        ("--columns white -o t.csv a.pgn", &["has White"]),
        ("--columns ply -o t.csv a.pgn", &["the table plies has ply"]),
        ("--table moves -o t.csv a.pgn", &["moves"]),
        ("-o there.csv a.pgn", &["there.csv", "exists already"]),
        ("--format csv -o a.pgn --overwrite a.pgn", &["a.pgn", "is an input"]),
        ("--format csv -o in/ --overwrite a.pgn in/a.pgn", &["a.games.csv"]),
        ("-o d/ in/a.pgn in/b/a.pgn.zst", &["a.games.parquet"]),
        ("-o t.csv --summary t.csv a.pgn", &["t.csv"]),
        ("-o t.csv missing.pgn", &["missing.pgn"]),
        ("--flat -o t.csv a.pgn", &["--flat", "-o DIR/", "t.csv"]),
        ("--opcodes id=Event -o t.csv a.pgn", &["--opcodes is for EPD and FEN", "csv"]),
        ("--distinct -o t.parquet a.pgn", &["--distinct is for EPD and FEN"]),
        ("--position after -o t.jsonl a.pgn", &["--position is for EPD and FEN"]),
        ("--opcodes id=Event -o t.fen a.pgn", &["--opcodes are of EPD"]),
        ("--opcodes bm -o t.epd a.pgn", &["bm is of plies", "--table plies"]),
        ("--table plies --position after --opcodes bm -o t.epd a.pgn", &["--position before"]),
        ("--opcodes id=Evnt -o t.epd a.pgn", &["no column Evnt", "Event"]),
        ("--opcodes id=tags -o t.epd a.pgn", &["tags is neither"]),
        ("--columns Event -o t.epd a.pgn", &["--columns is not for epd", "--opcodes"]),
        ("--notation uci -o t.fen a.pgn", &["--notation is not for fen"]),
        ("--position before -o t.fen a.pgn", &["--position is of plies"]),
        ("--memory 2MiB -o t.fen a.pgn", &["--memory goes with --distinct"]),
        ("--sorted -o t.fen a.pgn", &["--sorted goes with --distinct"]),
        ("--memory 1KiB --distinct -o t.fen a.pgn", &["--memory is 1MiB or more"]),
        (
            "--distinct --partition-by Year --format fen -o d/ a.pgn",
            &["--distinct writes one file"],
        ),
        ("--distinct --resume -o t.fen a.pgn", &["--distinct cannot be continued"]),
        ("--level 3 -o t.epd a.pgn", &["--level is the compression of Parquet"]),
        ("-o t.bin a.pgn", &[".bin", "epd and fen", "`pgnmill positions` writes books"]),
        ("--format epd -o t.fen a.pgn", &["t.fen", "epd"]),
        ("-o t.csv", &["INPUT"]),
    ] {
        let ran = run(&scratch, &format!("export {line}"));
        let errors = errors_of(&ran);
        assert_eq!(exit_code(&ran), 2, "{line}: {errors}");
        assert!(words.iter().all(|word| errors.contains(word)), "{line}: {errors}");
        assert_eq!(scratch.names(), names, "{line}: {errors}");
        assert_eq!(fs::read(scratch.join("there.csv")).unwrap(), b"mine", "{line}");
        assert_eq!(fs::read(scratch.join("a.pgn")).unwrap(), RICH.as_bytes(), "{line}");
    }
    let ran = run(&scratch, "export -q --overwrite -o there.csv a.pgn");
    assert_eq!(exit_code(&ran), 1, "{}", errors_of(&ran));
    assert!(fs::read_to_string(scratch.join("there.csv")).unwrap().starts_with("Event,"));
}

/// The format is the one that is named, then that of the output's name; in a directory Parquet.
#[test]
fn the_format_is_that_of_the_name_unless_it_is_named() {
    let scratch = Scratch::new();
    scratch.write("in/a.pgn", RICH.as_bytes());
    scratch.write("in/b.pgn.zst", &zstd::encode_all(RICH.as_bytes(), 1).unwrap());
    for (line, file, begins) in [
        ("-o t.parquet", "t.parquet", &b"PAR1"[..]),
        ("-o t.arrow", "t.arrow", b"ARROW1"),
        ("-o t.csv", "t.csv", b"Event,Site"),
        ("-o t.JSONL", "t.JSONL", b"{\"Event\""),
        ("-o t.EPD", "t.EPD", b"rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -\n"),
        (
            "--format fen -o e.fen",
            "e.fen",
            b"rnbqkbnr/pp2pppp/3p4/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3",
        ),
        ("--format epd -o g/", "g/a.games.epd", b"rnbqkbnr/"),
        (
            "--table plies --format fen --partition-by Year -o h",
            "h/Year=2024/plies.fen",
            b"rnbqkbnr/",
        ),
        ("--format parquet -o t", "t", b"PAR1"),
        ("--format csv -o x.txt", "x.txt", b"Event,Site"),
        ("--format parquet -o x.PARQUET", "x.PARQUET", b"PAR1"),
        ("--format jsonl -o d/", "d/a.games.jsonl", b"{\"Event\""),
        ("--table plies -o e/", "e/b.plies.parquet", b"PAR1"),
        (
            "--table plies --format arrow --partition-by Year -o f",
            "f/Year=2024/plies.arrow",
            b"ARROW1",
        ),
    ] {
        let ran = run(&scratch, &format!("export -q {line} in"));
        assert_eq!(exit_code(&ran), 1, "{line}: {}", errors_of(&ran));
        let written = fs::read(scratch.join(file)).unwrap();
        assert!(written.starts_with(begins), "{line}: {}", written[..20].escape_ascii());
    }
    // One file per input has the rows, and the ledger, of its input.
    let table = table::parquet(&scratch.join("e/a.plies.parquet"));
    assert_eq!(table.fact("games_read"), 7);
    let archives = &table.metadata["pgnmill.archives"];
    assert!(archives.contains("in/a.pgn") && !archives.contains("b.pgn"), "{archives}");
}

/// An option that nothing has a use for is warned of, and no other one.
#[test]
fn options_without_effect_are_warned_of() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", RICH.as_bytes());
    for (line, warning) in [
        ("--one-line a.pgn", "--one-line has no effect"),
        ("--one-line --columns default,movetext a.pgn", ""),
        ("--name b a.pgn", "--name has no effect"),
        ("--name b -", ""),
        ("a.pgn", ""),
    ] {
        let line = format!("export --overwrite -o t.csv {line}");
        let ran = run_in(scratch.path(), &line.split(' ').collect::<Vec<_>>(), RICH.as_bytes());
        let said = errors_of(&ran);
        assert_eq!(said.contains("has no effect"), !warning.is_empty(), "{line}: {said}");
        assert!(said.contains(warning), "{line}: {said}");
    }
}

/// Standard output is the file; with `--name`, the rows of standard input are those of a file.
#[test]
fn standard_input_and_output_are_files() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", RICH.as_bytes());
    for format in ["parquet", "arrow", "csv", "jsonl"] {
        for table in ["games", "plies"] {
            let args = format!("export -q --table {table} --columns all --format {format}");
            let file = run(&scratch, &format!("{args} --overwrite -o t a.pgn"));
            assert_eq!(exit_code(&file), 1, "{}", errors_of(&file));
            let expected = fs::read(scratch.join("t")).unwrap();
            let printed = run(&scratch, &format!("{args} -o - a.pgn"));
            assert!(printed.stdout == expected, "{args}");
            let piped = run(&scratch, &format!("{args} --name a.pgn -o - -"));
            assert!(piped.stdout == expected, "{args} < a.pgn");
            let unnamed = run(&scratch, &format!("{args} -o - -"));
            assert!(exit_code(&unnamed) == 1 && unnamed.stdout != expected, "{args}");
        }
    }
    // The reader ends early.
    let mut child = pgnmill()
        .args(["export", "--table", "plies", "--format", "csv", "-o", "-"])
        .arg(here(SAMPLE))
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut pipe = child.stdout.take().unwrap();
    pipe.read_exact(&mut [0; 1_000]).unwrap();
    drop(pipe);
    let convert_code = {
        let mut child = pgnmill()
            .args(["convert", "--to", "uci", "-o", "-"])
            .arg(here(SAMPLE))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut pipe = child.stdout.take().unwrap();
        pipe.read_exact(&mut [0; 1_000]).unwrap();
        drop(pipe);
        child.wait_with_output().unwrap().status
    };
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status, convert_code, "{}", errors_of(&output));
    assert!(!errors_of(&output).contains("panicked"));
}

/// A file that cannot be written is the same error in every format: the file, and the reason that the system gives.
#[cfg(unix)]
#[test]
fn a_file_that_may_not_grow_is_named_with_the_reason() {
    let scratch = Scratch::new();
    let sample = here(SAMPLE).display().to_string();
    for format in ["parquet", "arrow", "csv", "jsonl"] {
        let program = pgnmill().get_program().to_os_string();
        let run = std::process::Command::new("sh")
            // In blocks of 512 bytes or of 1,024.
            .args(["-c", "ulimit -f 20; exec \"$0\" \"$@\""])
            .arg(program)
            .args(["export", "--quiet", "-o", &format!("out.{format}"), &sample])
            .current_dir(scratch.path())
            .output()
            .unwrap();
        let said = errors_of(&run);
        assert_eq!(exit_code(&run), 2, "{said}");
        // A machine that is slow enough saves the state of the run first, beside the output.
        let names = [format!("out.{format}: "), format!(".out.{format}.pgnmill-run.state-1: ")];
        let named = names.map(|name| said.starts_with(&format!("pgnmill: cannot write {name}")));
        assert!(named.contains(&true), "{said}");
        assert_eq!(said.matches("out.").count(), 1, "{said}");
    }
    assert!(scratch.names().is_empty(), "{:?}", scratch.names());
}

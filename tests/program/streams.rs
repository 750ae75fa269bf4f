//! Standard streams and open files by their numbers, as outputs: a shell may have redirected them to files.
//!
//! Laws: what is written to a stream is added to it, whatever it is; the bytes are those of a file; `report` writes the
//! page to standard output if that is a file or a pipe.

#![cfg(unix)]

use std::fs;
use std::process::{Command, Output, Stdio};

use pgnmill_needs::needs;

use crate::common::{Scratch, errors_of, exit_code, run_in};

const TEXT: &str = "[Event \"a\"]\n\n1. e4 e5 *\n\n[Event \"b\"]\n\n1. e4 e5 2. Ke3 *\n\n";

/// Runs a line of a shell in which `pgnmill` is the program.
fn shell(scratch: &Scratch, line: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_pgnmill");
    let script = format!("pgnmill() {{ '{program}' \"$@\"; }}; {line}");
    let mut sh = Command::new("sh");
    sh.args(["-c", &script]).current_dir(scratch.path()).stdin(Stdio::null());
    sh.output().unwrap()
}

/// Every output of a file, every name of a stream, a new file and one that is appended to.
#[needs("open files by number", command = "test -e /dev/fd/1 && test -e /proc/self/fd/1")]
#[test]
fn what_is_written_to_a_stream_is_added_to_its_file() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", TEXT.as_bytes());
    let commands = [
        "validate -q a.pgn --faults",
        "validate -q a.pgn --notes",
        "validate -q a.pgn --rejects",
        "validate -q a.pgn --summary",
        "convert -q --to uci a.pgn -o",
        "select -q a.pgn -o",
        "select -q --head 1 a.pgn -o",
        "splits -q a.pgn -o",
        #[cfg(feature = "export")]
        "export -q --format csv a.pgn -o",
    ];
    let streams = [
        ("/dev/stdout", 1),
        ("/dev/fd/1", 1),
        ("/dev/stderr", 2),
        ("/proc/self/fd/2", 2),
        ("/dev/fd/3", 3),
        ("/proc/self/fd/7", 7),
    ];
    for command in commands {
        let kind = if command.contains("--summary") { "csv" } else { "x" };
        let file = format!("expected.{kind}");
        let words: Vec<&str> = command.split(' ').chain([file.as_str()]).collect();
        let output = run_in(scratch.path(), &words, b"");
        assert!(exit_code(&output) < 2, "{command}: {}", errors_of(&output));
        let expected = fs::read(scratch.join(&file)).unwrap();
        fs::remove_file(scratch.join(&file)).unwrap();
        // Of a stream, the reason of the exit code follows.
        let rest = errors_of(&output);
        for (name, number) in streams {
            for (redirect, before) in [(">", ""), (">>", "earlier\n")] {
                scratch.write("out", b"earlier\n");
                let line = format!("pgnmill {command} {name} {number}{redirect} out");
                let ran = shell(&scratch, &line);
                assert_eq!(exit_code(&ran), exit_code(&output), "{line}: {}", errors_of(&ran));
                let rest = if number == 2 { rest.as_str() } else { "" };
                let text = [before.as_bytes(), &expected, rest.as_bytes()].concat();
                let found = fs::read(scratch.join("out")).unwrap();
                assert!(found == text, "{line}: {}", String::from_utf8_lossy(&found));
                assert_eq!(scratch.names(), ["a.pgn", "out"], "{line}");
            }
        }
    }
    let shut = shell(&scratch, "pgnmill validate -q --faults /dev/fd/9 a.pgn 9>&-");
    assert!(exit_code(&shut) == 2 && errors_of(&shut).contains("/dev/fd/9"), "{shut:?}");
}

/// What cannot be written is an error of every command that prints: a standard output that is open for reading alone,
/// or is full.
#[needs("a full device", command = "test -c /dev/full")]
#[test]
fn a_standard_output_that_cannot_be_written_is_an_error() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", TEXT.as_bytes());
    scratch.write("other", b"text");
    assert_eq!(exit_code(&run_in(scratch.path(), &["measure", "-q", "-o", "t", "a.pgn"], b"")), 1);
    for command in [
        "validate --format json a.pgn",
        "validate --summary - a.pgn",
        "stats a.pgn",
        "stats --format csv a.pgn",
        "convert --to uci -o - a.pgn",
        "select -o - a.pgn",
        "splits a.pgn",
        "explain a.pgn --game 1",
        "report -o - t",
        "notations",
        "deviations --format json",
        "fields",
        "completions bash",
        "man",
        #[cfg(feature = "export")]
        "export --format csv -o - a.pgn",
    ] {
        for redirect in ["1< other", "> /dev/full"] {
            let ran = shell(&scratch, &format!("pgnmill {command} {redirect}"));
            let errors = errors_of(&ran);
            assert_eq!(exit_code(&ran), 2, "{command} {redirect}: {errors}");
            assert!(errors.contains("cannot write "), "{command} {redirect}: {errors}");
        }
    }
}

/// A file by its name, a pipe; a device is not where a page is read.
#[test]
fn a_redirected_report_is_the_page() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", TEXT.as_bytes());
    let measured = run_in(scratch.path(), &["measure", "-q", "-o", "t", "a.pgn"], b"");
    assert_eq!(exit_code(&measured), 1);
    for name in ["page.html", "page.md"] {
        assert_eq!(exit_code(&run_in(scratch.path(), &["report", "t", "-o", name], b"")), 0);
    }
    let read = |name: &str| fs::read(scratch.join(name)).unwrap();
    let (html, markdown) = (read("page.html"), read("page.md"));
    assert!(html != markdown);
    for (line, file, page) in [
        ("pgnmill report t > x.html", "x.html", &html),
        ("pgnmill report t > x", "x", &html),
        ("pgnmill report t | cat > y.html", "y.html", &html),
        ("pgnmill report t > x.md", "x.md", &markdown),
        ("pgnmill report t -o - > z.md", "z.md", &markdown),
        ("pgnmill report t -o z.html > none", "z.html", &html),
        ("pgnmill report t > /dev/null", "report.html", &html),
    ] {
        let ran = shell(&scratch, line);
        assert_eq!(exit_code(&ran), 0, "{line}: {}", errors_of(&ran));
        assert!(read(file) == **page, "{line}");
        let has_name = scratch.join("report.html").exists();
        assert_eq!(has_name, file == "report.html", "{line}");
    }
    assert!(read("none").is_empty());
}

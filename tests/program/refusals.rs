//! Arguments that are refused: deviations that no game can be rejected for, and names that are none, of any length.

use pgnmill::Deviation;

use crate::common::{Scratch, errors_of, exit_code, run_in};

/// A deviation can be denied exactly if a game can be rejected for it.
#[test]
fn deviations_of_archives_cannot_be_denied() {
    let scratch = Scratch::new();
    let text =
        b"\xef\xbb\xbf[Event \"caf\xe9\"]\r\n\r\n1. e4 *\n\nwords\n\n[Event \"\xc3\xa9\"]\n\n1. e4 *\n";
    scratch.write("a.pgn", text);
    let mut refused = 0;
    for deviation in Deviation::ALL {
        let output =
            run_in(scratch.path(), &["validate", "--deny", deviation.name(), "a.pgn"], b"");
        let errors = errors_of(&output);
        if exit_code(&output) == 2 {
            assert!(errors.contains("cannot be denied"), "{errors}");
            refused += 1;
        } else {
            // What is denied rejects a game; what is of the archive would be counted as a fault of none.
            let faults = errors.lines().filter(|line| line.trim_end().ends_with(" fault"));
            let denied =
                faults.filter(|line| line.contains(&format!(" {} ", deviation.name()))).count();
            let rejected = !errors.contains("+ 0 rejected");
            assert!(denied == 0 || rejected, "{}: {errors}", deviation.name());
        }
        assert_eq!(
            exit_code(&output) == 2,
            deviation.is_of_archive(),
            "{}: {errors}",
            deviation.name()
        );
    }
    assert!(refused > 5, "{refused}");
}

/// A name that is none is shown whole, or its beginning and dots.
#[test]
fn unknown_names_are_shown_whole_or_with_dots() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", b"1. e4 *\n");
    let options: [&[&str]; 6] = [
        &["convert", "-o", "o.pgn", "--to"],
        &["validate", "--from"],
        &["validate", "--deny"],
        &["measure", "-o", "t", "--by"],
        &["measure", "-o", "t", "--notations"],
        &["export", "-o", "o.csv", "--columns"],
    ];
    for args in options {
        for len in [1, 5, 39, 40, 41, 42, 80, 200, 5_000] {
            for letter in ["q", "\u{e9}"] {
                let name = letter.repeat(len);
                let output = run_in(scratch.path(), &[args, &[&name, "a.pgn"]].concat(), b"");
                let errors = errors_of(&output);
                assert_eq!(exit_code(&output), 2, "{errors}");
                let most = errors
                    .split(|c: char| !c.to_string().contains(letter))
                    .max_by_key(|run| run.len());
                let most = most.unwrap_or_default();
                assert!(errors.len() < 3_000 && !most.is_empty(), "{args:?}: {errors}");
                let is_cut = most.len() < name.len();
                assert!(
                    !is_cut || errors.contains(&format!("{most}...")),
                    "{args:?}, {len}: {errors}"
                );
            }
        }
    }
}

/// A dry run refuses what the run refuses, with the same words.
#[test]
fn a_dry_run_refuses_what_the_run_refuses() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", b"[Event \"a\"]\n[Date \"2001.01.01\"]\n\n1. e4 e5 *\n");
    let refused = [
        ("select --head 20 --resume -o x.pgn a.pgn", "--resume: --head is not continued"),
        ("select --split-by ECO --resume -o xx a.pgn", "--resume: "),
        ("select --games-per-file 2 --resume -o xx a.pgn", "--resume: --games-per-file is not"),
        ("select --games-per-file 2 -o - a.pgn", "--games-per-file writes a directory; - is none"),
        ("select --games-per-file 2 --head 3 -o xx a.pgn", "does not go with"),
        ("select --games-per-file 0 -o xx a.pgn", "--games-per-file"),
        ("convert --to uci --resume -o - a.pgn", "--resume: - is no file"),
        ("convert --to uci --resume -o /dev/null a.pgn", "--resume: /dev/null is no file"),
        #[cfg(feature = "export")]
        ("export --partition-by Year --resume -o t a.pgn", "--resume: "),
        ("validate --where @none a.pgn", "--where @none: cannot read none"),
        ("select --where @ -o x.pgn a.pgn", "--where @: @ is followed by the name of a file"),
        ("select --split-by @none -o xx a.pgn", "--split-by @none: cannot read none"),
    ];
    for (line, why) in refused {
        let words: Vec<&str> = line.split(' ').collect();
        let run = run_in(scratch.path(), &words, b"");
        assert_eq!(exit_code(&run), 2, "{line}");
        assert!(errors_of(&run).contains(why), "{line}: {}", errors_of(&run));
        let dry = run_in(scratch.path(), &[&words[..], &["--dry-run"]].concat(), b"");
        assert_eq!((exit_code(&dry), errors_of(&dry)), (2, errors_of(&run)), "{line}");
        assert_eq!(scratch.names(), ["a.pgn"], "{line}");
    }
}

/// The reading that draws a sample does not replay the games: it finds no fault.
#[test]
fn a_sample_is_drawn_without_reading_moves() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", &b"[Event \"a\"]\n\n1. e4 Ke2 *\n\n".repeat(9));
    let args = ["stats", "--sample", "3", "--progress", "json", "--format", "csv", "a.pgn"];
    let ran = run_in(scratch.path(), &args, b"");
    let text = errors_of(&ran);
    let ends: Vec<&str> = text.lines().filter(|line| line.contains("\"end\"")).collect();
    assert_eq!(ends.len(), 2, "{text}");
    assert!(ends[0].contains("\"rejected\":0"), "{text}");
    assert!(!ends[1].contains("\"rejected\":0"), "{text}");
}

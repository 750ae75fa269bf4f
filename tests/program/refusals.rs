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

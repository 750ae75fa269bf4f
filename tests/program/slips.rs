//! Slips at the command line: what a person probably errs in ends with a message that names it, and never in silence.
//!
//! Laws: with `--quiet` one line states why an exit code is not 0; a compression level is refused exactly where nothing
//! is compressed; a deviation is not allowed and denied at once; commas, archives and fields in the place of something
//! else are answered with what to write.

use std::fs;
use std::io::Write as _;

use pgnmill::Deviation;

use crate::common::{Scratch, errors_of, exit_code, run_in};

const GOOD: &str = "[Event \"a\"]\n[White \"Ann\"]\n\n1. e4 e5 *\n\n";
const BAD: &str = "[Event \"b\"]\n\n1. e4 e5 2. Ke3 *\n\n";

/// Runs the words of a line, which have no spaces in them: the code, standard error, standard output.
fn run(scratch: &Scratch, line: &str) -> (i32, String, Vec<u8>) {
    let words: Vec<&str> = line.split(' ').collect();
    let output = run_in(scratch.path(), &words, b"");
    (exit_code(&output), errors_of(&output), output.stdout.clone())
}

/// Each command that reads games, over each reason for which a run does not end with 0, and several at once.
#[test]
fn a_quiet_run_states_why_its_end_is_not_clean() {
    let scratch = Scratch::new();
    scratch.write("good.pgn", GOOD.repeat(3).as_bytes());
    scratch.write("bad.pgn", [GOOD, BAD].concat().as_bytes());
    scratch.write("prose.pgn", b"<html>not found</html>\n");
    let frame = |count: usize| {
        let mut encoder = zstd::stream::Encoder::new(Vec::new(), 1).unwrap();
        encoder.include_checksum(true).unwrap();
        encoder.write_all(GOOD.repeat(count).as_bytes()).unwrap();
        encoder.finish().unwrap()
    };
    // The checksum of the first frame is another one.
    let mut damaged = frame(50);
    *damaged.last_mut().unwrap() ^= 1;
    damaged.extend(frame(40));
    scratch.write("damaged.pgn.zst", &damaged);
    let commands = [
        "validate",
        "stats",
        "convert --to uci -o o.pgn",
        "convert --to uci --resume -o out/",
        "select -o o.pgn",
        "select --head 2 -o o.pgn",
        "select --split-by Event -o split",
        "duplicates -o found",
        "measure --notations main -o tables",
        #[cfg(feature = "export")]
        "export -o o.csv",
    ];
    let inputs: [(&str, &[&str]); 7] = [
        ("good.pgn", &[]),
        ("bad.pgn", &["1 of 2 games is rejected"]),
        ("prose.pgn", &["prose.pgn holds no game"]),
        ("--skip-damaged damaged.pgn.zst", &["damaged bytes are skipped"]),
        ("--where Zorn==\"Ann\" good.pgn", &["no game has the tag pair Zorn"]),
        ("bad.pgn prose.pgn", &["rejected", "prose.pgn holds no game"]),
        ("none.pgn", &["none.pgn"]),
    ];
    let mut unclean = 0;
    for command in commands {
        for (input, reasons) in inputs {
            let line = format!("{command} --overwrite {input}");
            let (code, errors, _) = run(&scratch, &format!("{line} -q"));
            assert_eq!(errors.lines().count(), usize::from(code != 0), "{line}: {errors}");
            if code == 1 {
                unclean += 1;
                assert!(errors.ends_with(" (exit code 1)\n"), "{line}: {errors}");
                // `select` does not read all moves, and counts what it reads.
                let is_named = |reason: &&&str| errors.contains(**reason);
                let is_select = command.starts_with("select");
                assert!(is_select || reasons.iter().all(|it| is_named(&it)), "{line}: {errors}");
            }
            assert_eq!(code, run(&scratch, &line).0, "{line}");
        }
    }
    assert!(unclean > 25, "{unclean}");
    // A run that was complete before.
    run(&scratch, "convert --to uci --resume -o again/ bad.pgn");
    let (code, errors, _) = run(&scratch, "convert --to uci --resume -q -o again/ bad.pgn");
    assert!(code == 1 && errors.lines().count() == 1, "{errors}");
    assert!(errors.contains("the run was complete before"), "{errors}");
}

/// A message about an option has the name that was written, if it is one that the help does not list.
#[test]
fn a_message_names_the_option_as_it_was_written() {
    let scratch = Scratch::new();
    scratch.write("g.pgn", GOOD.as_bytes());
    for (line, written, first) in [
        ("select --partition-by Evnt -o d g.pgn", "--partition-by", "--split-by"),
        ("select --partition-by=ECO -o g.pgn g.pgn", "--partition-by", "--split-by"),
        ("select --partition-by", "--partition-by", "--split-by"),
        ("select --partition-by ECO --head 3 -o d g.pgn", "--partition-by", "--split-by"),
        ("measure --notation klingon -o d g.pgn", "--notation", "--notations"),
        #[cfg(feature = "export")]
        ("export --split-by Zorn -o d/ g.pgn", "--split-by", "--partition-by"),
        #[cfg(feature = "export")]
        ("export --split-by", "--split-by", "--partition-by"),
        #[cfg(feature = "export")]
        ("export --notations", "--notations", "--notation"),
    ] {
        let has = |text: &str, option: &str| {
            let is_of_name = |c: char| c.is_ascii_alphanumeric() || c == '-';
            text.split(|c: char| !is_of_name(c)).any(|word| word == option)
        };
        let (code, errors, _) = run(&scratch, line);
        assert_eq!(code, 2, "{line}: {errors}");
        assert!(has(&errors, written) && !has(&errors, first), "{line}: {errors}");
        let (code, errors, _) = run(&scratch, &line.replacen(written, first, 1));
        assert_eq!(code, 2, "{line}: {errors}");
        assert!(has(&errors, first) && !has(&errors, written), "{line}: {errors}");
    }
}

/// Every command with a level, every kind of output.
#[test]
fn a_level_is_refused_where_nothing_is_compressed() {
    let scratch = Scratch::new();
    scratch.write("in/a.pgn", GOOD.as_bytes());
    scratch.write("zst/a.pgn.zst", &zstd::encode_all(GOOD.as_bytes(), 1).unwrap());
    let cases = [
        ("convert --to uci -o o.pgn in", false),
        ("convert --to uci -o - in", false),
        ("convert --to uci -o o.zst in", true),
        ("convert --to uci -o d/ in", false),
        ("convert --to uci -o e/ zst", true),
        ("select -o p.pgn in", false),
        ("select -o p.pgn.zst in", true),
        ("select --head 1 -o q.pgn in", false),
        ("select --head 1 -o q.pgn.zst in", true),
        ("select --sample 1 -o r.pgn in", false),
        ("select --sample 1 -o r.pgn.zst in", true),
        ("select --sample 50% -o r.pgn in", false),
        ("select --split-by Event -o s in", false),
        ("duplicates -o t in", false),
        ("duplicates --keep first -o v in", false),
        ("duplicates --keep first --zst -o w in", true),
        #[cfg(feature = "export")]
        ("export -o u.csv in", false),
        #[cfg(feature = "export")]
        ("export -o u.parquet in", true),
    ];
    for (line, is_compressed) in cases {
        let names = scratch.names();
        for level in [1, 3, 22] {
            let (code, errors, shown) =
                run(&scratch, &format!("{line} --overwrite --level {level}"));
            assert_eq!(code, if is_compressed { 0 } else { 2 }, "{line}: {errors}");
            if !is_compressed {
                assert!(errors.contains("--level"), "{line}: {errors}");
                assert!(scratch.names() == names && shown.is_empty(), "{line}");
            }
        }
        let (code, errors, _) = run(&scratch, &format!("{line} --overwrite"));
        assert_eq!(code, 0, "{line}: {errors}");
    }
}

#[test]
fn a_deviation_is_not_allowed_and_denied_at_once() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", GOOD.as_bytes());
    let mut accepted = 0;
    for deviation in Deviation::ALL {
        let name = deviation.name();
        for other in [name, "castling-zeros", "no-such"] {
            let line = format!("validate --strict --allow {name} --deny tag-quote,{other} a.pgn");
            let (code, errors, _) = run(&scratch, &line);
            let both = format!("{other} is named for --allow and for --deny");
            assert_eq!(errors.contains(&both), other == name, "{line}: {errors}");
            assert!(code == 2 || other == "castling-zeros", "{line}: {errors}");
            accepted += usize::from(code == 0);
        }
    }
    assert!(accepted > 10, "{accepted}");
}

/// What is written in the place of something else is answered with what to write.
#[test]
fn what_is_probably_meant_is_named() {
    let scratch = Scratch::new();
    for name in ["a.pgn", "b.pgn", "c d.pgn"] {
        scratch.write(name, GOOD.as_bytes());
    }
    fs::create_dir(scratch.join("dir")).unwrap();
    let hint = "names of inputs have spaces between them and no commas: ";
    fs::create_dir(scratch.join("t")).unwrap();
    let args: [(&[&str], String); 31] = [
        (&["validate", "no*.pgn"], "no file has a name of this pattern".to_string()),
        (&["select", "-o", "no/x.pgn", "a.pgn"], "there is no directory no\n".to_string()),
        (&["report"], "TABLES are missing: a directory that `pgnmill measure".to_string()),
        (&["-q", "validate", "a.pgn"], "pgnmill validate -q …".to_string()),
        (&["validate", "-o", "x", "a.pgn"], "`select`, `sort`, `duplicates`, ".to_string()),
        (&["convert", "-to", "uci", "a.pgn"], "a long name has two dashes, --to".to_string()),
        (&["select", "-output", "x.pgn", "a.pgn"], "two dashes, --output".to_string()),
        (&["explain", "a.pgn"], "--game N or --at BYTE is missing".to_string()),
        (&["explain", "a.pgn", "5"], "--game 5 shows the game".to_string()),
        (&["merge", "t"], "-o DIR, a directory for the tables".to_string()),
        (&["convert", "--to", "uci", "-q"], "an INPUT is missing".to_string()),
        (&["validate", "--summary", "a.pgn"], "; a.pgn is the value of --summary".to_string()),
        (&["notations", "Nf3"], "`pgnmill notations --compare Nf3` writes".to_string()),
        (&["validate", "a.pgn,", "b.pgn"], format!("{hint}a.pgn\n")),
        (&["validate", "a.pgn,b.pgn"], format!("{hint}a.pgn b.pgn\n")),
        (&["validate", "a.pgn, c d.pgn,dir"], format!("{hint}a.pgn 'c d.pgn' dir\n")),
        (&["convert", "--to", "uci", "-o", "x.pgn", "a.pgn,b.pgn"], hint.to_string()),
        (&["stats", ","], "cannot open ,".to_string()),
        (&["validate", "a.pgn,z.pgn"], "cannot open a.pgn,z.pgn".to_string()),
        (&["merge", "-o", "m", "a.pgn", "b.pgn"], "select -o all.pgn a.pgn b.pgn`".to_string()),
        (&["merge", "-o", "m", "c d.pgn"], "select -o all.pgn 'c d.pgn'`".to_string()),
        (&["merge", "-o", "m", "a.pgn", "a.pgn"], "are the same file".to_string()),
        #[cfg(feature = "export")]
        (
            &["export", "--columns", "rating", "-o", "x.csv", "a.pgn"],
            "did you mean WhiteElo,BlackElo?".to_string(),
        ),
        #[cfg(feature = "export")]
        (
            &["export", "--columns", "num_moves", "-o", "x.csv", "a.pgn"],
            "did you mean ply_count?".to_string(),
        ),
        (
            &["merge", "-o", "all.pgn", "a.pgn", "b.pgn"],
            "select -o all.pgn a.pgn b.pgn`".to_string(),
        ),
        #[cfg(feature = "export")]
        (
            &["explore", "x.parquet", "--moves", "1. e4"],
            "explore takes a position as words after the table".to_string(),
        ),
        (
            &["select", "--where", "select * where White = 'a'", "-o", "x.pgn", "a.pgn"],
            "what follows WHERE in SQL".to_string(),
        ),
        #[cfg(feature = "export")]
        (
            &["export", "--columns", "rating_mean", "-o", "x.csv", "a.pgn"],
            "it is a field of --where; write WhiteElo,BlackElo\n".to_string(),
        ),
        #[cfg(feature = "export")]
        (&["export", "--columns", "Annotator", "-o", "x.csv", "a.pgn"], "write tags".to_string()),
        #[cfg(feature = "export")]
        (
            &["export", "--table", "plies", "--columns", "speed", "-o", "x.csv", "a.pgn"],
            "of the table games".to_string(),
        ),
        #[cfg(feature = "export")]
        (
            &["export", "--columns", "ply", "-o", "x.csv", "a.pgn"],
            "the table plies has ply: --table plies".to_string(),
        ),
    ];
    let before = scratch.names();
    for (words, expected) in args {
        let output = run_in(scratch.path(), words, b"");
        let errors = errors_of(&output);
        assert!(exit_code(&output) == 2 && errors.contains(&expected), "{words:?}: {errors}");
        assert_eq!(scratch.names(), before, "{words:?}");
    }
}

/// An archive that is changed after it was divided: the message has the dates of both.
#[test]
fn the_time_of_a_changed_archive_is_a_date() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", GOOD.as_bytes());
    let change = |seconds: u64| {
        let file = fs::File::options().write(true).open(scratch.join("a.pgn")).unwrap();
        let time = std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
        file.set_modified(time).unwrap();
    };
    change(951_782_400);
    let (_, _, split) = run(&scratch, "splits -q a.pgn");
    let split = String::from_utf8(split).unwrap();
    change(1_700_000_000);
    let output = run_in(scratch.path(), &["validate", "--split", split.trim()], b"");
    let errors = errors_of(&output);
    let dates = ["2023-11-14 22:13:20.000000000 UTC", "2000-02-29 00:00:00.000000000 UTC"];
    assert!(dates.iter().all(|date| errors.contains(date)), "{errors}");
}

/// The last word of a text without a result may be the beginning of a move: so it is only at the end of the text.
#[test]
fn an_archive_that_is_cut_short_is_advised_of_as_such() {
    let scratch = Scratch::new();
    for (text, is_cut) in [
        ("[White \"A\"]\n\n1. e4 e5 2. N", true),
        ("[White \"A\"]\n\n1. e4 e5 2. Nf\n\n", true),
        ("[White \"A\"]\n\n1. e4 e5 2. N *\n", false),
        ("[White \"A\"]\n\n1. e4 e5 2. N Nc6\n", false),
        ("[White \"A\"]\n\n1. e4 e5 2. Qa8\n", false),
    ] {
        fs::write(scratch.join("a.pgn"), text).unwrap();
        let output = run_in(scratch.path(), &["explain", "a.pgn", "--game", "1"], b"");
        let page = String::from_utf8(output.stdout).unwrap().replace("\n      ", " ");
        assert_eq!(page.contains("is cut short, get it whole"), is_cut, "{text}: {page}");
    }
}

/// A drop in a game of chess is a move of Crazyhouse, whose ruleset the advice names; other words are no drops.
#[test]
fn a_drop_in_a_game_of_chess_is_advised_of_as_such() {
    let scratch = Scratch::new();
    for (text, is_drop) in [
        ("1. e4 d5 2. exd5 Qxd5 3. P@e4 *", true),
        ("1. e4 d5 2. exd5 Qxd5 3. @e4 *", true),
        ("1. e4 N@f6+ *", true),
        ("1. e4 K@f6 *", false),
        ("1. e4 N@f *", false),
        ("1. e4 Nf@6 *", false),
    ] {
        for (head, is_chess) in [("[White \"A\"]\n", true), ("[Variant \"Atomic\"]\n", false)] {
            fs::write(scratch.join("a.pgn"), format!("{head}\n{text}\n")).unwrap();
            let output = run_in(scratch.path(), &["explain", "a.pgn", "--game", "1"], b"");
            assert_eq!(exit_code(&output), 1, "{text}");
            let page = String::from_utf8(output.stdout).unwrap().replace("\n      ", " ");
            assert_eq!(page.contains("--rules crazyhouse"), is_drop && is_chess, "{text}: {page}");
        }
    }
}

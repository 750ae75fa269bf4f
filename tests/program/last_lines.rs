//! The last lines of a run, or those instead of one: the first faults, what was written, what would be; other names of
//! commands and options; hidden archives.

use std::collections::BTreeSet;
use std::fs;

use pgnmill_needs::needs;

use crate::common::{SOURCES, Scratch, errors_of, exit_code, here, run_in};

/// Games of which every third one is rejected, in an archive of several blocks.
fn faulty(games: usize) -> String {
    let one = |index: usize| {
        let moves = if index % 3 == 2 { "1. e4 e5 2. Ke3 *" } else { "1. e4 e5 *" };
        let date = if index.is_multiple_of(2) { "1999.01.02" } else { "????.??.??" };
        format!("[White \"W{index}\"]\n[Black \"B\"]\n[Date \"{date}\"]\n\n{moves}\n\n")
    };
    (0..games).map(one).collect()
}

fn run(scratch: &Scratch, words: &str) -> (i32, String, Vec<u8>) {
    let words: Vec<&str> = words.split(' ').collect();
    let output = run_in(scratch.path(), &words, b"");
    (exit_code(&output), errors_of(&output), output.stdout)
}

/// The first ten are the first rows of the table of faults, however the archive is divided; the command that is named
/// shows the first one.
#[test]
fn the_first_faults_are_those_of_the_table() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", faulty(90).as_bytes());
    scratch.write("b c.pgn", faulty(3).as_bytes());
    run(&scratch, "validate -q --faults f.csv a.pgn");
    let rows = fs::read_to_string(scratch.join("f.csv")).unwrap();
    let rows: Vec<Vec<&str>> = rows.lines().skip(1).map(|row| row.split(',').collect()).collect();
    assert_eq!(rows.len(), 30);
    let mut texts = BTreeSet::new();
    for more in
        ["-j 1", "-j 2", "-j 7 --block-bytes 200 --range-bytes 700", "--faults g.csv --overwrite"]
    {
        let (code, errors, _) = run(&scratch, &format!("validate {more} a.pgn"));
        assert_eq!(code, 1);
        let lines: Vec<String> = errors.lines().take(12).map(str::to_string).collect();
        for (line, row) in lines.iter().zip(&rows).take(10) {
            let index: usize = row[12].trim_start_matches('W').parse().unwrap();
            let year = if index.is_multiple_of(2) { ", 1999" } else { "" };
            let expected =
                format!("a.pgn:{}:{}: {} ({} – B{year})", row[2], row[3], row[8], row[12]);
            assert_eq!(*line, expected);
        }
        assert_eq!(lines[10], "and 20 more faults: --faults FILE lists all");
        assert_eq!(lines[11], "the first: pgnmill explain a.pgn --game 3");
        texts.insert(lines);
    }
    assert_eq!(texts.len(), 1);
    let (_, _, page) = run(&scratch, "explain a.pgn --game 3");
    assert!(String::from_utf8_lossy(&page).contains("no white king can reach e3"));
    // A name with a space is quoted; the options that decide about the verdict are named; a quiet run prints its end.
    let strict = run_in(scratch.path(), &["validate", "--strict", "b c.pgn"], b"");
    assert!(
        errors_of(&strict).contains("pgnmill explain 'b c.pgn' --game 3 --strict\n"),
        "{}",
        errors_of(&strict)
    );
    let quiet = run(&scratch, "validate -q a.pgn").1;
    assert!(quiet.lines().count() == 1 && quiet.ends_with("(exit code 1)\n"), "{quiet}");
    let (_, errors, _) = run(&scratch, "validate --format json a.pgn");
    assert!(!errors.contains("Ke3"), "{errors}");
    fs::copy(here(SOURCES), scratch.join("clean.pgn")).unwrap();
    assert!(!run(&scratch, "validate clean.pgn").1.contains("clean.pgn:"));
    // Damage is a fault of the table, and counts.
    let frame = |games: usize| zstd::encode_all(faulty(games).as_bytes(), 1).unwrap();
    let mut damaged = frame(9);
    damaged[4..].fill(0xFF);
    scratch.write("d.pgn.zst", &[frame(36), damaged, frame(9)].concat());
    run(&scratch, "validate -q --skip-damaged --faults d.csv d.pgn.zst");
    let rows = csv::Reader::from_path(scratch.join("d.csv")).unwrap().into_records().count();
    assert!(rows > 12 + 3, "{rows}");
    let (_, errors, _) = run(&scratch, "validate --skip-damaged d.pgn.zst");
    assert!(errors.contains(&format!("\nand {} more faults: ", rows - 10)), "{errors}");
    // The lines of a split are not those of its archive.
    let (_, _, splits) = run(&scratch, "splits --target 2KiB a.pgn");
    let splits = String::from_utf8(splits).unwrap();
    let last = splits.lines().last().unwrap();
    let of_split = run_in(scratch.path(), &["validate", "--split", last], b"");
    assert!(!errors_of(&of_split).contains("Ke3"), "{}", errors_of(&of_split));
}

/// Commands that write, with the files that they name at their end: all with their sizes, or their number.
#[test]
fn runs_end_with_what_they_wrote_and_dry_runs_write_nothing() {
    let commands = [
        "convert --to uci -o one.pgn.zst --rejects r.pgn --summary s.csv",
        "convert --to uci -o new/",
        "select --where ply_count>1 -o some.pgn --faults f.csv",
        "select --head 1 -o one.pgn",
        "select --split-by White -o new",
        "measure -o new/tables",
        "duplicates --keep first -o new/unique",
        #[cfg(feature = "export")]
        "export -o new/",
        #[cfg(feature = "export")]
        "export --partition-by White -o new/parts/",
    ];
    for command in commands {
        let scratch = Scratch::new();
        scratch.write("a.pgn", faulty(4).as_bytes());
        scratch.write("b.pgn", faulty(2).as_bytes());
        let before = scratch.names();
        let (code, dry, shown) = run(&scratch, &format!("{command} --dry-run a.pgn b.pgn"));
        assert_eq!((code, shown.len()), (0, 0), "{command}: {dry}");
        assert_eq!(scratch.names(), before, "{command}");
        assert!(
            dry.starts_with("would read 2 inputs (") && dry.contains("\n    b.pgn (text, "),
            "{dry}"
        );
        let (_, errors, _) = run(&scratch, &format!("{command} a.pgn b.pgn"));
        let last = errors.lines().last().unwrap_or_default();
        let mut files = Vec::new();
        let mut pending = vec![scratch.path().to_path_buf()];
        while let Some(directory) = pending.pop() {
            for entry in fs::read_dir(directory).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(scratch.path()).unwrap().display().to_string();
                match path.is_dir() {
                    true => pending.push(path),
                    // The inputs, and the record of a directory.
                    false
                        if name.len() == 5
                            && name != "r.pgn"
                            && name != "s.csv"
                            && name != "f.csv" => {}
                    false if name.contains("pgnmill-run") => {}
                    false => files.push((name, path.metadata().unwrap().len())),
                }
            }
        }
        let list = last.strip_prefix("wrote ").unwrap_or_else(|| panic!("{command}: {errors}"));
        let total: u64 = files.iter().map(|(_, bytes)| bytes).sum();
        if files.len() <= 3 {
            for (name, bytes) in &files {
                let size = match *bytes {
                    0..10_000 => format!("{bytes} bytes"),
                    _ => format!("{:.1} kB", *bytes as f64 / 1_000.0),
                };
                assert!(list.contains(&format!("{name} ({size})")), "{command}: {last} {files:?}");
            }
        } else {
            let size = if total < 10_000 {
                format!("{total} bytes")
            } else {
                format!("{:.1} kB", total as f64 / 1e3)
            };
            assert!(
                list.starts_with(&format!("{} files in ", files.len())),
                "{command}: {last} {files:?}"
            );
            assert!(list.ends_with(&format!(" ({size})")), "{command}: {last} {total}");
        }
        // What a dry run names is what is written.
        for name in dry.lines().skip_while(|line| !line.starts_with("would write")).skip(1) {
            assert!(
                files.iter().any(|(file, _)| file == name.trim()),
                "{command}: {name} {files:?}"
            );
        }
        let (code, again, _) =
            run(&scratch, &format!("{command} --dry-run --overwrite a.pgn b.pgn"));
        let is_named = !command.contains("split-by") && !command.contains("partition-by");
        assert!(
            code == 2 || !is_named || again.contains("in place of the one that is there"),
            "{command}: {again}"
        );
        let (_, quiet, _) = run(&scratch, &format!("{command} -q --overwrite a.pgn b.pgn"));
        assert!(!quiet.contains("wrote"), "{command}: {quiet}");
    }
}

/// Commands that write files, and make no dry run: they name them with their sizes, unless they are to be quiet.
#[test]
fn other_commands_end_with_what_they_wrote() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", faulty(4).as_bytes());
    run(&scratch, "measure -q -o t a.pgn");
    run(&scratch, "measure -q -o v a.pgn");
    for (command, file) in [
        ("splits -o s.json a.pgn", "s.json"),
        ("report t -o p.html", "p.html"),
        ("merge -o u t v", "files in u"),
    ] {
        let (_, errors, _) = run(&scratch, &format!("{command} --overwrite"));
        let last = errors.lines().last().unwrap_or_default();
        assert!(last.starts_with("wrote ") && last.contains(file), "{command}: {errors}");
        // A page is written by a command that has nothing else to say.
        if !command.starts_with("report") {
            let (_, quiet, _) = run(&scratch, &format!("{command} --overwrite --quiet"));
            assert_eq!(quiet, "", "{command}");
        }
    }
}

/// Of many inputs and outputs a dry run names some, and how many more there are.
#[test]
fn dry_runs_name_some_of_many_files_and_count_the_rest() {
    for files in [1, 2, 19, 20, 21, 37] {
        let scratch = Scratch::new();
        for number in 0..files {
            scratch.write(&format!("in/{number}.pgn"), faulty(1).as_bytes());
        }
        let (_, dry, _) = run(&scratch, "convert --dry-run --to uci -o out/ in");
        let (inputs, outputs) = dry.split_once("would write").expect("outputs");
        for part in [inputs, outputs] {
            let named = part.matches(".pgn").count();
            let more = part
                .lines()
                .find_map(|line| line.trim().strip_prefix("and ")?.strip_suffix(" more"));
            let more: usize = more.map_or(0, |more| more.parse().expect("a number"));
            assert_eq!(named + more, files, "{dry}");
            assert!(more > 0 || !part.contains(" more"), "{dry}");
        }
    }
}

/// A dry run states what a run would be refused for.
#[test]
fn dry_runs_name_what_is_in_the_way() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", faulty(1).as_bytes());
    scratch.write("b.pgn", b"mine");
    let (_, dry, _) = run(&scratch, "convert --dry-run --to uci -o b.pgn a.pgn");
    assert!(dry.contains("b.pgn, which is there: it is refused without --overwrite"), "{dry}");
    let (_, dry, _) = run(&scratch, "convert --dry-run --to uci -o no/b.pgn a.pgn");
    assert!(dry.contains("no/b.pgn, whose directory is not there: it is refused"), "{dry}");
    assert_eq!(fs::read(scratch.join("b.pgn")).unwrap(), b"mine");
}

/// A dry run prints the plan of each command over archives: inputs with containers and sizes, tables, what it would go
/// on with; and refuses what the run would refuse.
#[test]
fn dry_runs_print_the_plan_of_each_command() {
    let scratch = Scratch::new();
    let text = faulty(40);
    scratch.write("a.pgn", text.as_bytes());
    scratch.write("b.zst", &zstd::encode_all(text.as_bytes(), 1).unwrap());
    for command in [
        "validate",
        "stats",
        "stats -o tables",
        "convert --to uci -o new/",
        "select --sample 3 -o a2.pgn",
        "sort --by White -o sorted.pgn",
        "duplicates -o found",
        "measure -o measured",
        #[cfg(feature = "export")]
        "export -o new/",
    ] {
        let before = scratch.names();
        let words = format!("{command} --dry-run --faults f.csv a.pgn b.zst");
        let (code, dry, shown) = run(&scratch, &words);
        assert_eq!((code, shown.len()), (0, 0), "{command}: {dry}");
        assert!(
            dry.contains("\n    a.pgn (text, ") && dry.contains("\n    b.zst (zstd, "),
            "{dry}"
        );
        assert!(dry.contains("\n    f.csv\n") && !dry.contains("refused"), "{dry}");
        assert_eq!(scratch.names(), before, "{command}");
        let (code, dry, _) = run(&scratch, &format!("{command} --dry-run --faults a.pgn a.pgn"));
        assert!(code == 2 && dry.contains("a.pgn is an input"), "{command}: {dry}");
    }
    // What it would go on with.
    let convert = "convert --to uci --keep-rejects -o out/";
    let words = format!("{convert} --checkpoint 0 --abort-after 9 a.pgn b.zst");
    let ended = run_in(scratch.path(), &words.split(' ').collect::<Vec<_>>(), b"");
    assert!(!ended.status.success(), "{}", errors_of(&ended));
    let (code, dry, _) = run(&scratch, &format!("{convert} --dry-run a.pgn b.zst"));
    assert!(code == 2 && dry.contains("go on with --resume"), "{dry}");
    let (code, dry, _) = run(&scratch, &format!("{convert} --dry-run --resume a.pgn b.zst"));
    assert!(code == 0 && dry.contains("would go on: with"), "{dry}");
    let (code, dry, _) = run(&scratch, &format!("{convert} --dry-run --resume a.pgn"));
    assert!(code == 2 && dry.contains("the input b.zst is missing"), "{dry}");
    let (code, done, _) = run(&scratch, &format!("{convert} --resume a.pgn b.zst"));
    assert!(code < 2, "{done}");
    let (_, dry, _) = run(&scratch, &format!("{convert} --dry-run --resume a.pgn b.zst"));
    assert!(dry.contains("the run is complete: nothing is left to do"), "{dry}");
}

/// An option that a command does not have is not in its help, and is answered with the reason.
#[test]
fn options_that_a_command_has_not_are_not_in_its_help() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", faulty(1).as_bytes());
    for (command, options, why) in [
        ("validate", &["--resume", "--checkpoint=1"][..], "has no output that could be continued"),
        ("stats", &["--resume"], "has no output that could be continued"),
        ("sort --by White -o b.pgn", &["--resume"], "before it has read everything"),
        ("sort --by White -o b.pgn", &["--split={}"], "reads whole archives"),
        ("select -o b.pgn", &["--split={}", "--ledger=l.csv"], "reads whole archives"),
        ("duplicates -o d", &["--keep-going"], "reads the inputs several times"),
        ("convert --to uci -o b.pgn", &["--sample=3"], "and `measure` have it"),
    ] {
        for option in options {
            let (code, errors, _) = run(&scratch, &format!("{command} {option} a.pgn"));
            assert!(code == 2 && errors.contains(why), "{command} {option}: {errors}");
            let name = option.split('=').next().unwrap_or_default();
            let command = command.split(' ').next().unwrap_or_default();
            let (_, _, help) = run(&scratch, &format!("{command} --help"));
            assert!(
                !String::from_utf8_lossy(&help).contains(&format!("{name} ")),
                "{command} {name}"
            );
        }
    }
}

/// One name for one option: the names that it has with other commands are names of it too, and not in the help.
#[test]
fn options_have_the_names_of_other_commands_too() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", faulty(9).as_bytes());
    for (command, own, other, files) in [
        ("select -q -o OUT", "--split-by Result", "--partition-by Result", "1-0.pgn"),
        #[cfg(feature = "export")]
        ("export -q -o OUT", "--partition-by White", "--split-by White", ""),
        #[cfg(feature = "export")]
        ("export -q --format csv -o OUT/a.csv", "--notation uci", "--notations uci", "a.csv"),
        ("measure -q -o OUT", "--notations main", "--notation main", "notations.csv"),
    ] {
        let [one, two] = [("one", own), ("two", other)].map(|(folder, option)| {
            fs::create_dir_all(scratch.join(folder)).unwrap();
            let words = format!("{} {option} a.pgn", command.replace("OUT", folder));
            let (code, errors, _) = run(&scratch, &words);
            assert!(code < 2, "{words}: {errors}");
            let mut names: Vec<_> = fs::read_dir(scratch.join(folder)).unwrap().collect();
            let names: Vec<_> = names.drain(..).map(|it| it.unwrap().file_name()).collect();
            let text = fs::read(scratch.join(folder).join(files)).unwrap_or_default();
            drop(fs::remove_dir_all(scratch.join(folder)));
            (names.len(), text)
        });
        assert!(one.0 > 0 && one == two, "{command}");
        let name = other.split(' ').next().unwrap_or_default();
        let command = command.split(' ').next().unwrap_or_default();
        let (_, _, help) = run(&scratch, &format!("{command} --help"));
        assert!(!String::from_utf8_lossy(&help).contains(&format!("{name} <")), "{command}");
    }
}

/// Without `-o` what is redirected is the output; the same bytes as with `-o -`.
#[test]
fn a_redirected_run_writes_to_standard_output() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", faulty(9).as_bytes());
    for words in ["convert --to uci a.pgn", "repair a.pgn", "select -n 2 a.pgn", "filter a.pgn"] {
        let (code, errors, shown) = run(&scratch, words);
        let (expected_code, _, expected) = run(&scratch, &format!("{words} -o -"));
        assert_eq!((code, &shown), (expected_code, &expected), "{words}: {errors}");
        assert!(code < 2 && !shown.is_empty(), "{words}: {errors}");
    }
    let (code, errors, _) = run(&scratch, "select --split-by ECO a.pgn");
    assert!(code == 2 && errors.contains("--output is missing"), "{errors}");
}

/// Other names do what the names do.
#[test]
fn other_names_are_the_same_commands() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", faulty(9).replace("1. e4 e5 *", "1. e4! e7-e5 *").as_bytes());
    for (habit, words, output) in [
        ("check --json a.pgn", "validate --format json a.pgn", ""),
        ("filter -n 2 -j 1 -o 1.pgn a.pgn", "select --head 2 --threads 1 -o 2.pgn a.pgn", "pgn"),
        ("repair --overwrite -o 1.pgn a.pgn", "convert --to san --overwrite -o 2.pgn a.pgn", "pgn"),
        ("dedup -o one a.pgn", "duplicates -o two a.pgn", ""),
    ] {
        let (one, other) = (run(&scratch, habit), run(&scratch, words));
        let lines = |(code, _, shown): &(i32, String, Vec<u8>)| (*code, shown.clone());
        assert_eq!(lines(&one), lines(&other), "{habit}: {}", one.1);
        if output == "pgn" {
            let read = |name: &str| fs::read(scratch.join(name)).unwrap();
            assert!(read("1.pgn") == read("2.pgn") && !read("1.pgn").is_empty(), "{habit}");
        }
    }
    let (code, errors, _) = run(&scratch, "a.pgn");
    assert!(
        code == 2 && errors.contains("`pgnmill validate a.pgn` validates its games"),
        "{errors}"
    );
    for (input, advice) in [
        ("https://x.org/a.pgn", "curl -s ADDRESS | pgnmill"),
        ("no*.pgn", "no file has a name of this pattern"),
    ] {
        let (code, errors, _) = run(&scratch, &format!("validate {input}"));
        assert!(code == 2 && errors.contains(advice), "{errors}");
    }
    // Words of other programs: what does the same here, and nothing that does harm.
    for (line, advice) in [
        ("split a.pgn", "select --split-by FIELD"),
        ("grep Tal a.pgn", "select --where"),
        ("players a.pgn", "pgnmill stats"),
        ("duplicates -D -o d a.pgn", "pgnmill duplicates"),
        ("validate --limit=5 a.pgn", "select --head N"),
        ("validate -r .", "directories are read"),
        ("report a.pgn", "measure -o TABLES a.pgn"),
        ("report .", "measure -o TABLES INPUT"),
        ("export -o a.csv.gz a.pgn", "is not written"),
        ("export --columns fen,uci -o x.csv a.pgn", "the table plies has fen: --table plies"),
    ] {
        let (code, errors, _) = run(&scratch, line);
        assert!(code == 2 && errors.contains(advice), "{line}: {errors}");
    }
    scratch.write("d/a.pgn", b"1. e4 *\n");
    scratch.write("d/b.pgn", b"1. e4 *\n");
    let (code, errors, _) = run(&scratch, "explain d --game 1");
    assert!(code == 2 && errors.contains("explain takes one, such as d/a.pgn"), "{errors}");
    let (code, errors, _) = run(&scratch, "validate -x a.pgn");
    assert!(code == 2 && !errors.contains("-- -x"), "{errors}");
    let (_, _, help) = run(&scratch, "--help");
    let help = String::from_utf8_lossy(&help).into_owned();
    assert!(
        ["check", "filter", "dedup", "repair"].iter().all(|name| help.contains(name)),
        "{help}"
    );
}

/// Hidden files and directories are read if they are named, and counted if not.
#[test]
fn hidden_archives_are_counted_and_not_read() {
    let scratch = Scratch::new();
    for name in
        ["d/a.pgn", "d/.b.pgn", "d/.h/c.pgn", "d/.h/e/f.pgn.zst", "d/.h/no.txt", "d/.x/.pgn"]
    {
        scratch.write(name, faulty(1).as_bytes());
    }
    let (code, errors, _) = run(&scratch, "validate d");
    assert_eq!(code, 0, "{errors}");
    assert!(errors.contains("warn: 3 hidden archives are not read"), "{errors}");
    assert!(errors.contains("1 game read"), "{errors}");
    let (_, errors, _) = run(&scratch, "validate d/.h d/.b.pgn");
    assert!(errors.contains("3 games read") && !errors.contains("hidden"), "{errors}");
    let (code, errors, _) = run(&scratch, "validate d/.x");
    assert!(
        code == 2
            && errors.contains(
                "holds no .pgn, .pgn.zst, .zst, .pgn.gz, .pgn.bz2, .pgn.xz, .zip or .7z file\n"
            ),
        "{errors}"
    );
    fs::remove_file(scratch.join("d/a.pgn")).unwrap();
    let (code, errors, _) = run(&scratch, "validate d");
    assert!(
        code == 2 && errors.contains(".pgn.xz, .zip or .7z file that is not hidden"),
        "{errors}"
    );
    // A directory that is named by a dot is not hidden.
    scratch.write("a.pgn", faulty(1).as_bytes());
    let (code, errors, _) = run(&scratch, "validate .");
    assert!(code == 0 && errors.contains("1 game read"), "{errors}");
}

/// Bytes that are no text are not written to a terminal.
#[cfg(feature = "export")]
#[needs("the command script", command = "command -v script")]
#[test]
fn columns_are_not_written_to_a_terminal() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", faulty(2).as_bytes());
    let program = env!("CARGO_BIN_EXE_pgnmill");
    for (format, is_refused) in
        [("parquet", true), ("arrow", true), ("csv", false), ("jsonl", false)]
    {
        let line = format!("{program} export --format {format} -o - a.pgn");
        let output = std::process::Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .current_dir(scratch.path())
            .output()
            .unwrap();
        let shown = String::from_utf8_lossy(&output.stdout);
        assert_eq!(shown.contains("is no text for a terminal"), is_refused, "{format}: {shown}");
        assert_eq!(output.status.code(), Some(if is_refused { 2 } else { 0 }), "{format}");
    }
}

/// A directory of outputs has the folders of a directory that is read; each file is what its input alone gives.
#[test]
fn a_directory_of_outputs_mirrors_the_inputs() {
    let commands = [
        ("convert --to uci", ["a/x.pgn", "b/c/x.pgn", "b/y.pgn.zst", "z.pgn"]),
        ("select --where ply_count>1", ["a/x.pgn", "b/c/x.pgn", "b/y.pgn.zst", "z.pgn"]),
        #[cfg(feature = "export")]
        (
            "export --format csv --columns White,moves",
            ["a/x.games.csv", "b/c/x.games.csv", "b/y.games.csv", "z.games.csv"],
        ),
    ];
    let inputs = ["a/x.pgn", "b/c/x.pgn", "b/y.pgn.zst", "z.pgn"];
    for (command, outputs) in commands {
        let scratch = Scratch::new();
        for (index, name) in inputs.iter().enumerate() {
            let text = faulty(3 + index);
            let stored = zstd::encode_all(text.as_bytes(), 1).unwrap();
            let bytes = if name.ends_with("zst") { &stored[..] } else { text.as_bytes() };
            scratch.write(&format!("in/{name}"), bytes);
        }
        let read = |path: &str| fs::read(scratch.join(path)).unwrap();
        for threads in ["1", "2", "7"] {
            drop(fs::remove_dir_all(scratch.join("out")));
            let (_, errors, _) = run(&scratch, &format!("{command} -j {threads} -o out/ in/"));
            assert!(errors.ends_with(')') || errors.contains("wrote 4 files in out ("), "{errors}");
            for (input, output) in inputs.iter().zip(outputs) {
                let alone = format!("alone.{}", output.split_once('.').unwrap().1);
                run(&scratch, &format!("{command} -q --overwrite -o {alone} in/{input}"));
                assert!(read(&format!("out/{output}")) == read(&alone), "{command}: {output}");
            }
        }
        // Again: there is nothing to do. By name, and without folders.
        let (_, errors, _) = run(&scratch, &format!("{command} --resume -o out/ in/"));
        assert!(!errors.contains("wrote"), "{errors}");
        let (code, errors, _) = run(&scratch, &format!("{command} --flat -o flat/ in/"));
        assert!(code == 2 && errors.contains("two inputs would be written to"), "{errors}");
        assert!(!scratch.join("flat").exists());
        fs::remove_file(scratch.join("in/b/c/x.pgn")).unwrap();
        run(&scratch, &format!("{command} --flat -o flat/ in"));
        let name = |path: &str| path.rsplit('/').next().unwrap().to_string();
        assert!(scratch.join(&format!("flat/{}", name(outputs[0]))).is_file());
        run(&scratch, &format!("{command} -o named/ in/a/x.pgn in/b"));
        assert!(scratch.join(&format!("named/{}", name(outputs[0]))).is_file(), "{command}");
        assert!(scratch.join(&format!("named/{}", name(outputs[2]))).is_file(), "{command}");
        // A run that fails leaves no folder.
        scratch.write("in/b/w.pgn.zst", b"\x28\xb5\x2f\xfd damaged");
        let (code, errors, _) = run(&scratch, &format!("{command} -o failed/ in"));
        assert!(code == 2 && !scratch.join("failed").exists(), "{errors}");
    }
}

/// A mirrored run that is ended at any step goes on to the same files.
#[test]
fn mirrored_runs_go_on() {
    let scratch = Scratch::new();
    for name in ["in/a/x.pgn", "in/b/x.pgn", "in/b/c/y.pgn"] {
        scratch.write(name, faulty(40).as_bytes());
    }
    let small = "--checkpoint 0 --block-bytes 500 --range-bytes 1500 -j 2";
    run(&scratch, "convert -q --to uci -o whole/ in");
    let mut went_on = 0;
    for steps in (1..60).step_by(6) {
        drop(fs::remove_dir_all(scratch.join("out")));
        let words = format!("convert --to uci {small} --abort-after {steps} -o out/ in");
        drop(run_in(scratch.path(), &words.split(' ').collect::<Vec<_>>(), b""));
        let (code, errors, _) =
            run(&scratch, &format!("convert --to uci {small} --resume -o out/ in"));
        assert!(code == 1 || code == 0, "{steps}: {errors}");
        went_on += u32::from(errors.contains("goes on with input"));
        for name in ["a/x.pgn", "b/x.pgn", "b/c/y.pgn"] {
            let read = |folder: &str| fs::read(scratch.join(&format!("{folder}/{name}"))).unwrap();
            assert!(read("out") == read("whole"), "{steps}: {name}");
        }
    }
    assert!(went_on > 2, "{went_on}");
}

/// Faults are before repairs, repairs before notes; notes are one line, and `-v` counts each, as `summary.csv` does.
#[test]
fn deviations_are_in_the_order_of_their_weight_and_notes_are_one_line() {
    let scratch = Scratch::new();
    let text = "[Event \"a\"]\n\n1. e4 e5 2. Ng1f3 3. Nc6 Ke3 *\n\n[Event \"b\"]\n\n1. e2e4 1/2\n{c}\n1. d4 Ke3 *\n\n(1. e4) e4";
    scratch.write("a.pgn", text.as_bytes());
    let run = |words: &[&str]| {
        let args = [&["validate", "a.pgn", "--summary", "s.csv", "--overwrite"], words].concat();
        errors_of(&run_in(scratch.path(), &args, b""))
    };
    let class_of = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let classes = ["fault", "repair", "note"];
        classes.iter().position(|class| words.len() == 3 && words[2] == *class)
    };
    let (short, long) = (run(&[]), run(&["-v"]));
    let classes = |shown: &str| shown.lines().filter_map(class_of).collect::<Vec<_>>();
    assert!(classes(&long).is_sorted() && classes(&long).contains(&2), "{long}");
    assert!(classes(&short).is_sorted() && classes(&short).contains(&0), "{short}");
    assert!(!classes(&short).contains(&2) && classes(&short).contains(&1), "{short}");
    let summary = fs::read_to_string(scratch.join("s.csv")).unwrap();
    let notes = summary.lines().filter(|line| line.starts_with("note:"));
    let notes: u64 =
        notes.map(|line| line.rsplit(',').next().unwrap().parse::<u64>().unwrap()).sum();
    assert!(notes > 1 && short.contains(&format!("{notes} notes: -v counts them")), "{short}");
    for words in ["in variations)", "between games"] {
        assert!(long.contains(words) && !short.contains(words), "{words}: {short}{long}");
    }
}

/// Standard output that a shell redirects to a file is that file, by all its names; a table has the format of its ending.
#[cfg(target_os = "linux")]
#[test]
fn standard_output_is_a_stream_where_a_shell_redirects_it() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", faulty(3).as_bytes());
    let redirected = |line: &str, file: &str| {
        let script = format!("exec \"$0\" {line} > {file}");
        let program = env!("CARGO_BIN_EXE_pgnmill");
        let ran = std::process::Command::new("sh")
            .args(["-c", &script, program])
            .current_dir(scratch.path())
            .output()
            .unwrap();
        assert!(exit_code(&ran) < 2, "{line}: {}", errors_of(&ran));
        std::fs::read(scratch.join(file)).unwrap()
    };
    let faults = redirected("validate -q --faults - a.pgn", "expected");
    assert!(!faults.is_empty());
    for name in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"] {
        assert_eq!(
            redirected(&format!("validate -q --faults {name} a.pgn"), "f"),
            faults,
            "{name}"
        );
    }
    #[cfg(feature = "export")]
    for (file, begin) in
        [("t.csv", &b"Event,"[..]), ("t.jsonl", b"{"), ("t.parquet", b"PAR1"), ("t", b"PAR1")]
    {
        let table = redirected("export -q -o - a.pgn", file);
        assert!(table.starts_with(begin), "{file}: {}", table[..20].escape_ascii());
    }
}

/// Games whose moves would decide and cannot be read are no silent part of those that are not selected.
#[test]
fn games_with_faults_that_are_not_selected_are_mentioned() {
    let scratch = Scratch::new();
    scratch.write("good.pgn", b"[Event \"a\"]\n\n1. e4 e5 *\n");
    scratch.write("bad.pgn", b"[Event \"a\"]\n\n1. e4 e5 *\n\n[Event \"b\"]\n\n1. e4 Ke9 *\n");
    for (archive, condition, is_said) in [
        ("bad.pgn", "ply_count>0", true),
        ("bad.pgn", "Event==\"a\"", false),
        ("bad.pgn", "Event==\"a\" and ply_count>0", false),
        ("good.pgn", "ply_count>0", false),
    ] {
        for words in ["validate", "select --overwrite -o out.pgn"] {
            let args: Vec<&str> = words.split(' ').chain(["--where", condition, archive]).collect();
            let ran = run_in(scratch.path(), &args, b"");
            let errors = errors_of(&ran);
            assert_eq!(
                errors.contains("games with faults are not selected"),
                is_said,
                "{args:?}: {errors}"
            );
        }
    }
}

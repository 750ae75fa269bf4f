//! What is reported of inputs besides their games: empty ones, prose, files that are named twice, other encodings,
//! damage at the very end, and more threads than there can be.

use std::fs;

use crate::common::{
    Dice, SAMPLE, SOURCES, Scratch, corpus, errors_of, exit_code, here, run_in, text_of, thinned,
    trials, twin, unpacked,
};

const GAME: &str = "[Event \"x\"]\n\n1. e4 e5 *\n";

#[test]
fn a_file_under_several_names_is_named() {
    let scratch = Scratch::new();
    scratch.write("d/a.pgn", GAME.as_bytes());
    scratch.write("d/b.pgn", GAME.as_bytes());
    fs::hard_link(scratch.join("d/a.pgn"), scratch.join("hard.pgn")).unwrap();
    std::os::unix::fs::symlink("d/a.pgn", scratch.join("soft.pgn")).unwrap();
    let same = ["d/a.pgn", "d/../d/a.pgn", "./d//a.pgn", "hard.pgn", "soft.pgn"];
    for (at, one) in same.iter().enumerate() {
        for other in &same[..=at] {
            let output = run_in(scratch.path(), &["validate", "d/b.pgn", other, one], b"");
            let words = errors_of(&output);
            assert!(words.contains(one) && words.contains(other), "{words}");
            assert!(
                words.contains("read more than once") && words.starts_with("pgnmill: warn: "),
                "{words}"
            );
            assert_eq!(exit_code(&output), 0);
            assert!(words.contains("3 games read"), "{words}");
        }
    }
    let directory = run_in(scratch.path(), &["validate", "d/a.pgn", "d/b.pgn", "d"], b"");
    let warnings = errors_of(&directory).matches("are read more than once").count();
    assert_eq!(warnings, 2, "{}", errors_of(&directory));
    // Files of the same bytes are not the same file.
    let apart = run_in(scratch.path(), &["validate", "d"], b"");
    assert!(!errors_of(&apart).contains("warn: "), "{}", errors_of(&apart));
    let quiet = run_in(scratch.path(), &["validate", "-q", "d/a.pgn", "d/a.pgn"], b"");
    assert_eq!((exit_code(&quiet), errors_of(&quiet)), (0, String::new()));
}

/// Links to directories are not followed, and named; of a link to nothing it is said that it is one.
#[test]
fn links_are_named() {
    let scratch = Scratch::new();
    scratch.write("d/a.pgn", GAME.as_bytes());
    scratch.write("elsewhere/b.pgn", GAME.as_bytes());
    for (target, link) in [
        ("../elsewhere", "d/more"),
        ("../elsewhere", "d/more.pgn"),
        ("../elsewhere", "d/.hidden"),
        ("none", "nothing.pgn"),
    ] {
        std::os::unix::fs::symlink(target, scratch.join(link)).unwrap();
    }
    let ran = run_in(scratch.path(), &["validate", "d"], b"");
    let said = errors_of(&ran);
    assert!(exit_code(&ran) == 0 && said.contains("1 game read"), "{said}");
    for link in ["d/more", "d/more.pgn"] {
        let named = format!("{link} is not read: it is a link to a directory");
        assert!(said.contains(&named), "{named}; {said}");
    }
    assert!(!said.contains("hidden"), "{said}");
    let ran = run_in(scratch.path(), &["validate", "nothing.pgn"], b"");
    let said = errors_of(&ran);
    assert!(exit_code(&ran) == 2 && said.contains("it is a link to nothing"), "{said}");
    assert!(!said.contains("did you mean"), "{said}");
}

/// Whatever the case of its ending: a name that ends in .zst is that of a compressed file.
#[test]
fn an_ending_in_capitals_is_the_same_ending() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", GAME.as_bytes());
    for command in [&["convert", "--to", "uci"][..], &["select"], &["sort", "--by", "White"]] {
        let of = |name: &str| {
            let args = [command, &["-q", "--level", "7", "-o", name, "a.pgn"]].concat();
            let ran = run_in(scratch.path(), &args, b"");
            assert_eq!(exit_code(&ran), 0, "{args:?}: {}", errors_of(&ran));
            let bytes = fs::read(scratch.join(name)).unwrap();
            fs::remove_file(scratch.join(name)).unwrap();
            bytes
        };
        let expected = of("x.pgn.zst");
        assert!(expected.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]), "{command:?}");
        for name in ["x.ZST", "x.pgn.Zst", "X.PGN.ZST"] {
            assert_eq!(of(name), expected, "{command:?} {name}");
        }
    }
}

/// Commands that copy games say that they have skipped damage, as those that count them do.
#[test]
fn damage_that_is_skipped_is_said() {
    let scratch = Scratch::new();
    let mut text = zstd::encode_all(GAME.repeat(50).as_bytes(), 1).unwrap();
    text.truncate(text.len() - 8);
    let whole = zstd::encode_all(GAME.as_bytes(), 1).unwrap();
    scratch.write("a.pgn.zst", &[whole, text].concat());
    for command in [
        &["validate"][..],
        &["select", "-o", "s.pgn"],
        &["select", "--head", "90", "-o", "h.pgn"],
        &["select", "--split-by", "White", "-o", "w/"],
        &["sort", "--by", "White", "-o", "o.pgn"],
        &["convert", "--to", "uci", "-o", "u.pgn"],
    ] {
        for quiet in [&[][..], &["-q"]] {
            let args = [command, quiet, &["--skip-damaged", "a.pgn.zst"]].concat();
            let ran = run_in(scratch.path(), &args, b"");
            let said = errors_of(&ran);
            assert!(exit_code(&ran) == 1 && said.contains("damage"), "{args:?}: {said}");
            for file in ["s.pgn", "h.pgn", "o.pgn", "u.pgn"] {
                drop(fs::remove_file(scratch.join(file)));
            }
            drop(fs::remove_dir_all(scratch.join("w")));
        }
    }
}

/// A directory of outputs within a directory of inputs: a second run reads what the first one read.
#[test]
fn outputs_below_the_inputs_are_not_read_again() {
    let scratch = Scratch::new();
    let games = "[Event \"x\"]\n[White \"A\"]\n\n1. e4 e5 *\n";
    for name in ["d/a.pgn", "d/b.pgn", "d/deep/c.pgn"] {
        scratch.write(name, games.as_bytes());
    }
    let kinds: [(&[&str], bool); 3] = [
        (&["convert", "--to", "uci"], true),
        (&["select", "--where", "ply_count > 0"], true),
        (&["select", "--split-by", "White"], false),
    ];
    for (number, (command, resumes)) in kinds.iter().enumerate() {
        let output = format!("d/deep/out{number}/");
        let run = |inputs: &str, option: &[&str]| {
            let args = [*command, &["-o", output.as_str(), inputs], option].concat();
            run_in(scratch.path(), &args, b"")
        };
        let first = run("d", &[]);
        assert!(exit_code(&first) == 0 && !errors_of(&first).contains("warn"), "{first:?}");
        let files = || {
            let entries = fs::read_dir(scratch.join(&output)).unwrap().map(|entry| entry.unwrap());
            let names = entries
                .map(|entry| entry.path())
                .filter(|path| path.extension().is_some_and(|ending| ending == "pgn"));
            let mut files: Vec<_> =
                names.map(|path| (path.clone(), fs::read(path).unwrap())).collect();
            files.sort();
            files
        };
        let written = files();
        assert!(!written.is_empty());
        let again: &[&str] = if *resumes { &["--overwrite", "--resume"] } else { &["--overwrite"] };
        for option in again {
            let second = run("d", &[option]);
            let errors = errors_of(&second);
            assert_eq!(exit_code(&second), 0, "{command:?} {option}: {errors}");
            assert_eq!(files(), written, "{command:?} {option}");
            let is_said = errors.contains("the outputs of this run are written there");
            assert_eq!(is_said, *option == "--overwrite", "{command:?} {option}: {errors}");
        }
        // It is an input if it is named; its files would replace themselves.
        let named = run(&output, &["--overwrite"]);
        assert_eq!(exit_code(&named), 2, "{command:?}: {}", errors_of(&named));
        fs::remove_dir_all(scratch.join(&output)).unwrap();
    }
}

#[test]
fn tables_that_are_merged_twice_are_refused() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", GAME.as_bytes());
    let measure = ["measure", "-q", "--notations", "main", "-o", "t", "a.pgn"];
    assert_eq!(exit_code(&run_in(scratch.path(), &measure, b"")), 0);
    std::os::unix::fs::symlink("t", scratch.join("s")).unwrap();
    for other in ["t", "./t/", "s"] {
        let args = ["merge", "--overwrite", "-o", "m", "t", other];
        let output = run_in(scratch.path(), &args, b"");
        assert_eq!(exit_code(&output), 2);
        let expected = format!("pgnmill: t and {other} are the same directory: its counts would");
        assert!(errors_of(&output).starts_with(&expected), "{}", errors_of(&output));
        assert!(!scratch.join("m").exists());
    }
    // Copies of tables of whole archives can be of others with the same counts.
    twin(&scratch.join("t"), &scratch.join("copy"));
    let output = run_in(scratch.path(), &["merge", "-o", "m", "t", "copy"], b"");
    let words = "t and copy are the same in all tables";
    assert!(exit_code(&output) == 0 && errors_of(&output).contains(words), "{output:?}");
}

/// The tables of one split are added once, wherever they are; those of two splits with equal games are two.
#[test]
fn a_split_that_is_merged_twice_is_refused_and_equal_splits_are_not() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", GAME.repeat(3_000).as_bytes());
    let splits = run_in(scratch.path(), &["splits", "-q", "--target", "20000", "a.pgn"], b"");
    let splits = String::from_utf8(splits.stdout).unwrap();
    let commands: [&[&str]; 2] =
        [&["measure", "-q", "--notations", "main"], &["stats", "-q", "--format", "json"]];
    for (number, command) in commands.into_iter().enumerate() {
        let mut directories = Vec::new();
        for (index, split) in splits.lines().enumerate() {
            let directory = format!("{number}-{index}");
            let ledger = format!("{directory}/ledger.csv");
            let output = ["-o", &directory, "--split", split];
            let more: &[&str] = if number == 0 { &[] } else { &["--ledger", &ledger] };
            let ran = run_in(scratch.path(), &[command, &output, more].concat(), b"");
            assert!(exit_code(&ran) < 2, "{}", errors_of(&ran));
            directories.push(directory);
        }
        assert!(directories.len() > 2);
        let merge = |directories: &[&str]| {
            let args = [&["merge", "--overwrite", "-o", "sum"][..], directories].concat();
            let ran = run_in(scratch.path(), &args, b"");
            (exit_code(&ran), errors_of(&ran))
        };
        let mut all: Vec<&str> = directories.iter().map(String::as_str).collect();
        let (code, errors) = merge(&all);
        assert!(code == 0 && !errors.contains("more than once"), "{errors}");
        all.push(&directories[1]);
        let (code, errors) = merge(&all);
        assert!(code == 2 && errors.contains("the same directory"), "{errors}");
        let copy = format!("copy-{number}");
        twin(&scratch.join(&directories[1]), &scratch.join(&copy));
        all.pop();
        all.push(&copy);
        let (code, errors) = merge(&all);
        assert!(code == 2 && errors.contains("is there twice"), "{errors}");
    }
}

#[test]
fn an_empty_archive_is_reported() {
    let scratch = Scratch::new();
    let frame = zstd::bulk::compress(b"", 3).unwrap();
    for (name, stored) in [("none.pgn", &b""[..]), ("blank.pgn", b" \r\n\n"), ("none.zst", &frame)]
    {
        scratch.write(name, stored);
        let output = run_in(scratch.path(), &["validate", name], b"");
        assert!(errors_of(&output).contains(&format!("{name} is empty")), "{}", errors_of(&output));
        assert_eq!(exit_code(&output), 0);
    }
}

/// Words that hold move numbers and squares are no archive of accepted games; real archives are not taken for prose.
#[test]
fn prose_is_reported_and_archives_are_not() {
    let scratch = Scratch::new();
    let sentence = "A result such as 1-0 ends a game.\n\nSo does * where nobody knows it.\n";
    let list = "# Things\n\nSome of them:\n\n* one thing\n* another, of which e4 is a part\n";
    let book = "He began with\n\n1. e4 e5 *\n\nwhich nobody had expected of him at the time, and he won.\n";
    for (name, words) in [("sentence", sentence), ("list", list), ("book", book)] {
        scratch.write(name, words.as_bytes());
        let output = run_in(scratch.path(), &["validate", "--no-progress", name], b"");
        assert_eq!(exit_code(&output), 1, "{}", errors_of(&output));
        let is_told = errors_of(&output).contains(&format!("{name} seems to be prose"));
        assert!(is_told, "{}", errors_of(&output));
    }
    scratch.write("bare.pgn", b"1. e4 e5 *\n\nafter which\n\n1. d4 *\n");
    scratch.write(
        "tagged.pgn",
        b"from a magazine of that time, as it was printed\n\n[Event \"x\"]\n\n*\n",
    );
    let folders =
        ["annotated", "chess960", "engine", "lichess", "localized", "otb", "pathological"];
    let mut archives = vec![here(SAMPLE), here(SOURCES)];
    archives.extend(["bare.pgn", "tagged.pgn"].map(|name| scratch.join(name)));
    archives.extend(folders.into_iter().chain(["variants"]).flat_map(corpus));
    let paths: Vec<String> = archives.iter().map(|path| path.display().to_string()).collect();
    let mut args = vec!["validate", "--no-progress"];
    args.extend(paths.iter().map(String::as_str));
    let output = run_in(scratch.path(), &args, b"");
    assert!(!errors_of(&output).contains("seems to be prose"), "{}", errors_of(&output));
}

/// Runs of every kind: those that read moves and those that do not, over all games, over some and over none.
const READERS: [&str; 16] = [
    "validate",
    "validate --where ply_count>1000",
    "validate --where White==\"A\"",
    "stats",
    "convert --to uci -o o.pgn",
    "select -o o.pgn",
    "select --where ply_count>=0 -o o.pgn",
    "select --where White==\"A\" -o o.pgn",
    "select --sample 1 -o o.pgn",
    "select --head 100 -o o.pgn",
    "select --split-by White -o split",
    "select --games-per-file 2 -o split",
    "sort --by White -o o.pgn",
    "duplicates -o found",
    "measure --notations main -o tables",
    #[cfg(feature = "export")]
    "export --columns White -o o.csv",
];

/// An input that holds text and not one game ends each run with exit code 1, and is named; blanks, and archives whose
/// games have no tag pairs or words between them, do not. The counts are those of the text: nothing is left out.
#[test]
fn every_command_tells_prose_from_archives() {
    let scratch = Scratch::new();
    let readme = fs::read_to_string(here("README.md")).unwrap();
    let inputs = [
        ("page", "<html>not found</html>\n", true),
        ("comment", "{ no game }\n", true),
        ("list", "# Things\n\nSome of them:\n\n* one thing\n* another, with e4\n", true),
        ("words", "A result such as 1-0 ends a game.\n\nSo does * where nobody knows it.\n", true),
        (
            "book",
            "He began with\n\n1. e4 e5 *\n\nwhich nobody had expected of him, and won.\n",
            true,
        ),
        ("readme", &readme, true),
        ("blank", " \n\t\n", false),
        ("bare", "1. e4 e5 2. Nf3 Nc6 *\n\nthen\n\n1. d4 d5 *\n", false),
        ("untagged", "1. e4 e5 *\n\n1. d4 *\n", false),
        ("tagged", "words of an editor before the first game\n\n[White \"A\"]\n\n*\n", false),
    ];
    inputs.iter().for_each(|(name, text, _)| {
        scratch.write(name, text.as_bytes());
    });
    let products = inputs.iter().flat_map(|input| READERS.iter().map(move |line| (input, line)));
    for ((name, _, is_prose), line) in thinned(3, products) {
        let words: Vec<&str> = line.split(' ').chain(["--overwrite", name]).collect();
        let run = |words: &[&str]| {
            // The files of another run are not replaced there.
            fs::remove_dir_all(scratch.join("split")).ok();
            run_in(scratch.path(), words, b"")
        };
        let output = run(&words);
        let errors = errors_of(&output);
        assert_eq!(exit_code(&output), i32::from(*is_prose), "{line} {name}: {errors}");
        let is_told =
            ["holds no game: none", "seems to be prose"].iter().any(|it| errors.contains(it));
        assert_eq!(is_told, *is_prose, "{line} {name}: {errors}");
        // One of several inputs, and what a quiet run states.
        let output = run(&[&words[..], &["untagged", "-q"]].concat());
        assert_eq!(exit_code(&output), i32::from(*is_prose), "{line} {name}");
        assert_eq!(errors_of(&output).lines().count(), usize::from(*is_prose), "{line} {name}");
    }
}

/// A file of positions that is given as an archive is named, with what takes positions; beside games it is refused by
/// commands that read positions.
#[test]
fn every_command_names_files_of_positions() {
    let scratch = Scratch::new();
    scratch.write("a.epd", b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n");
    scratch.write("b.Fen", b"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n");
    scratch.write("c.pgn", b"[White \"A\"]\n\n1. e4 *\n");
    for (line, name) in READERS.iter().zip(["a.epd", "b.Fen"].iter().cycle()) {
        let words: Vec<&str> = line.split(' ').chain(["--overwrite", name, "c.pgn"]).collect();
        fs::remove_dir_all(scratch.join("split")).ok();
        let errors = errors_of(&run_in(scratch.path(), &words, b""));
        let reads_positions = ["validate", "stats", "convert"].contains(&words[0]);
        let told = match reads_positions {
            true => format!("{name} is read as positions and c.pgn as games"),
            false => format!("position in @{name}'"),
        };
        assert_eq!(errors.matches(&told).count(), 1, "{line}: {errors}");
        assert!(!errors.contains("@c.pgn"), "{line}: {errors}");
    }
}

/// Texts of any pieces: a run that reads no moves, or selects none of the games, names as prose what validation does,
/// and never an archive that validation accepts.
#[test]
fn prose_is_the_same_whether_or_not_moves_are_read() {
    const PIECES: [&str; 7] = [
        "1. e4 e5 *\n\n",
        "1. e4 e5 2. Ke3 *\n\n",
        "Rd1\n\n",
        "words without any sense, which say much\n\n",
        "* an item\n",
        "1-0\n",
        "[White \"A\"]\n\n1. d4 *\n\n",
    ];
    let (scratch, mut dice) = (Scratch::new(), Dice::new(0x9805E));
    let (mut prose, mut archives) = (0, 0);
    for _ in 0..trials(25, 60, 2_000) {
        let count = 1 + dice.below(5);
        // Without the last piece more often than not: it makes an archive of any text.
        let kinds = PIECES.len() - usize::from(dice.below(3) > 0);
        let text: String = (0..count).map(|_| PIECES[dice.below(kinds)]).collect();
        scratch.write("t", text.as_bytes());
        let run = |line: &str| {
            let words: Vec<&str> = line.split(' ').chain(["--overwrite", "t"]).collect();
            let output = run_in(scratch.path(), &words, b"");
            (exit_code(&output), errors_of(&output).contains("seems to be prose"))
        };
        let (code, is_prose) = run("validate");
        for line in ["select -o o.pgn", "sort --by White -o o.pgn", "validate --where ply_count>9"]
        {
            let (own_code, is_told) = run(line);
            assert!(is_told || !is_prose, "{line}: {text:?}");
            assert!(code == 1 || !is_told, "{line}: {text:?}");
            assert!(own_code == 1 || !is_told, "{line}: {text:?}");
        }
        prose += usize::from(is_prose);
        archives += usize::from(code == 0);
    }
    assert!(prose > 1 && archives > 1, "{prose} {archives}");
}

#[test]
fn more_threads_than_there_can_be_are_refused() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", GAME.as_bytes());
    for threads in ["1025", "40000", "100000", "18446744073709551615"] {
        for command in
            [&["validate"][..], &["measure", "-o", "t"], &["convert", "--to", "uci", "-o", "o"]]
        {
            let args = [command, &["--threads", threads, "a.pgn"]].concat();
            let refused = run_in(scratch.path(), &args, b"");
            assert_eq!(exit_code(&refused), 2, "{}", errors_of(&refused));
            assert!(errors_of(&refused).contains("0 to 1,024"), "{}", errors_of(&refused));
            assert_eq!(scratch.names(), ["a.pgn"]);
        }
    }
    let help = run_in(scratch.path(), &["validate", "--help"], b"");
    assert!(String::from_utf8_lossy(&help.stdout).contains("1,024"));
    let many = run_in(scratch.path(), &["validate", "-q", "--threads", "100", "a.pgn"], b"");
    assert_eq!(exit_code(&many), 0);
}

/// Wherever a compressed archive is cut, the bytes that are stored are accounted for.
#[test]
fn an_archive_without_its_end_accounts_for_its_bytes() {
    let scratch = Scratch::new();
    let text = text_of(&here(SAMPLE));
    let mut encoder = zstd::stream::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(true).unwrap();
    std::io::Write::write_all(&mut encoder, &text[..20_000]).unwrap();
    let stored = encoder.finish().unwrap();
    assert_eq!(unpacked(&stored), &text[..20_000]);
    for lost in [1, 2, 3, 4, 5, 100, stored.len() - 4] {
        let cut = &stored[..stored.len() - lost];
        scratch.write("cut.zst", cut);
        let output = run_in(scratch.path(), &["validate", "--skip-damaged", "cut.zst"], b"");
        let words = errors_of(&output);
        assert_eq!(exit_code(&output), 1, "{lost}: {words}");
        let line = words.lines().find(|line| line.contains("stored bytes =")).unwrap_or_default();
        let line = line.replace(',', "");
        let numbers: Vec<usize> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
        assert_eq!(numbers.len(), 3, "{lost}: {words}");
        assert_eq!(
            (numbers[0], numbers[1] + numbers[2]),
            (cut.len(), cut.len()),
            "{lost}: {words}"
        );
    }
}

/// An input that is not there is found before anything is read or written, wherever it is named: neither a file nor a
/// byte on standard output is of the others.
#[test]
fn a_missing_input_is_found_first() {
    let scratch = Scratch::new();
    scratch.write("games.pgn", "[Event \"a\"]\n\n1. e4 *\n\n".repeat(40).as_bytes());
    for reader in READERS {
        for inputs in [["games.pgn", "none.pgn"], ["none.pgn", "games.pgn"]] {
            let words: Vec<&str> = reader.split(' ').chain(inputs).collect();
            let ran = run_in(scratch.path(), &words, b"");
            assert_eq!(exit_code(&ran), 2, "{words:?}");
            assert!(errors_of(&ran).contains("cannot open none.pgn"), "{}", errors_of(&ran));
            assert!(ran.stdout.is_empty(), "{words:?}");
            assert_eq!(scratch.names(), ["games.pgn"], "{words:?}");
        }
    }
    let ran = run_in(scratch.path(), &["convert", "--to", "uci", "games.pgn", "none.pgn"], b"");
    assert_eq!((exit_code(&ran), ran.stdout.len()), (2, 0), "{}", errors_of(&ran));
}

/// The first five files that are not read are named, and the others counted if there are others.
#[test]
fn files_that_are_left_out_are_named_or_counted() {
    for count in [1, 5, 6, 7] {
        let scratch = Scratch::new();
        scratch.write("d/a.pgn", GAME.as_bytes());
        (0..count).for_each(|number| drop(scratch.write(&format!("d/{number}.tar.gz"), b"x")));
        let errors = errors_of(&run_in(scratch.path(), &["validate", "d"], b""));
        assert_eq!(errors.matches(".tar.gz is not read: ").count(), count.min(5), "{errors}");
        let others = format!("warn: {} more like these are not read\n", count.saturating_sub(5));
        assert_eq!(errors.contains(&others), count > 5, "{errors}");
        assert_eq!(errors.contains("more like these"), count > 5, "{errors}");
    }
}

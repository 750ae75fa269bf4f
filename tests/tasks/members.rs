//! The members of zip and 7-Zip files have names of their own: as inputs, as outputs, in warnings.
//!
//! In: members of any names, files in any folders. Out: nothing. Laws: each member is read once and has a name that no
//! other has; outputs in a directory have the path of the member, in which the file is a folder; what is left out is
//! named as in a directory of the same files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use pgnmill::Input;

use crate::common::coded::{PACKERS, Pack};
use crate::common::{Dice, Scratch, errors_of, exit_code, run_in, sample_text, trials};

/// The files below a directory.
fn files(root: &Path) -> BTreeMap<String, Vec<u8>> {
    let (mut found, mut pending) = (BTreeMap::new(), vec![root.to_path_buf()]);
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => pending.push(path),
                false => {
                    let name = path.strip_prefix(root).unwrap().display().to_string();
                    found.insert(name, fs::read(path).unwrap());
                }
            }
        }
    }
    found.retain(|name, _| !name.contains(".pgnmill-run"));
    found
}

/// Runs a command; its exit code, and what it says.
fn run(scratch: &Scratch, line: &str) -> (i32, String) {
    let ran = run_in(scratch.path(), &line.split(' ').collect::<Vec<_>>(), b"");
    (exit_code(&ran), errors_of(&ran))
}

fn game(number: usize) -> Vec<u8> {
    format!("[White \"{number}\"]\n\n1. e4 *\n\n").into_bytes()
}

fn packed(pack: Pack, members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    pack(&members.iter().map(|(name, text)| (*name, &text[..])).collect::<Vec<_>>())
}

/// What a command reads twice is the same both times: a sample of members is that of the same files in a directory, and
/// one of all games has the games before damage, too.
#[test]
fn members_are_read_twice_alike() {
    /// So many that a 7-Zip file has several chunks for each.
    const MEMBER_BYTES: usize = 500_000;
    let names = ["a.pgn", "b.pgn", "c.pgn"];
    let of_member = |member: usize| sample_text()[member * MEMBER_BYTES..][..MEMBER_BYTES].to_vec();
    for (ending, _, pack) in PACKERS {
        let scratch = Scratch::new();
        fs::create_dir(scratch.join("plain")).unwrap();
        let members: Vec<_> =
            names.iter().zip(0..).map(|(name, at)| (*name, of_member(at))).collect();
        for (name, text) in &members {
            scratch.write(&format!("plain/{name}"), text);
        }
        let stored = packed(pack, &members);
        let file = format!("x.{ending}");
        scratch.write(&file, &stored);
        for command in [
            "select --sample 17 --seed 3 -o o.pgn",
            "export --sample 17 --seed 3 --columns White,Black,moves -o o.csv",
            "measure --sample 17 --seed 3 --notations main -o o",
            "duplicates --keep first -o o",
        ] {
            let of = |input: &str| {
                let (code, errors) =
                    run(&scratch, &format!("{command} --quiet --overwrite {input}"));
                assert!(code < 2, "{command} {input}: {errors}");
                match command.rsplit(' ').next().unwrap() {
                    "o" => fs::read(scratch.join("o/summary.csv")).map_or(0, |it| it.len().min(1)),
                    output => {
                        let bytes = fs::read(scratch.join(output)).unwrap();
                        scratch.write(&format!("{}.kept", input.replace('/', "_")), &bytes);
                        bytes.len()
                    }
                }
            };
            assert_eq!(of(&file), of("plain"), "{command}");
            let kept = |input: &str| fs::read(scratch.join(&format!("{input}.kept"))).ok();
            assert_eq!(kept(&file), kept("plain"), "{command}");
        }
        let mut before_damage = 0;
        for percent in [10, 20, 45, 55, 60, 90] {
            let mut stored = stored.clone();
            let at = stored.len() * percent / 100;
            stored[at] ^= 0x55;
            scratch.write(&file, &stored);
            let all = |options: &str| {
                let line =
                    format!("select --quiet --keep-going --overwrite {options}-o o.pgn {file}");
                let (code, errors) = run(&scratch, &line);
                assert!(code == 2 || code == 0, "{line}: {errors}");
                fs::read(scratch.join("o.pgn")).unwrap()
            };
            let (once, twice) = (all(""), all("--sample 1000000 "));
            assert!(
                once == twice,
                "{ending}, {percent}: {} bytes, then {}",
                once.len(),
                twice.len()
            );
            before_damage += usize::from(!once.is_empty());
        }
        assert!(before_damage > 0, "{ending}");
    }
}

/// What a run over a damaged file comes to: its exit code, what it says of the file, its counts, its files.
#[derive(Debug, PartialEq)]
struct Outcome {
    code: i32,
    words: Vec<String>,
    counts: Vec<String>,
    files: BTreeMap<String, Vec<u8>>,
}

/// That of a command over `x.ending`. The files are those of games and of rows: others have the options of the run.
fn outcome(scratch: &Scratch, line: &str) -> Outcome {
    fs::remove_dir_all(scratch.join("o")).ok();
    fs::create_dir(scratch.join("o")).unwrap();
    let (code, errors) = run(scratch, line);
    let is_of_file =
        |line: &&str| line.contains("cannot read") || line.contains("could not be read");
    let words = errors.lines().filter(is_of_file).map(str::to_string).collect();
    let mut files = files(&scratch.join("o"));
    let summary = files.remove("s.csv").unwrap_or_default();
    let is_count = |line: &&str| {
        let names =
            ["game", "accepted", "re", "selected", "text", "plies", "lines", "failed:", "damaged"];
        names.iter().any(|name| line.starts_with(name))
    };
    let summary = String::from_utf8_lossy(&summary);
    let counts = summary.lines().filter(is_count).map(str::to_string).collect();
    files
        .retain(|name, _| name.ends_with(".pgn") || name.ends_with("games.csv") || name == "o.csv");
    Outcome { code, words, counts, files }
}

/// A file with members that is damaged anywhere: a command that reads its inputs twice has the counts, the messages and
/// the games of the command that reads them once, for any threads and sizes of blocks; one that does not go on after
/// damage ends as validation does, with the same message and without a file; one that would continue is refused.
#[test]
fn damage_is_the_same_in_each_reading() {
    const MEMBER_BYTES: usize = 40_000;
    let pairs = [
        ("select -o o/o.pgn", "--sample 1000000"),
        ("select --where White!=\"x\" -o o/o.pgn", "--sample 1000000 --seed 7"),
        ("measure --notations san,uci -o o/t", "--sample 1000000"),
        #[cfg(feature = "export")]
        ("export --columns White,ply_count -o o/o.csv", "--sample 1000000"),
    ];
    let mut dice = Dice::new(0xDA7A);
    for (ending, _, pack) in PACKERS {
        let of = |at: usize| sample_text()[at * MEMBER_BYTES..][..MEMBER_BYTES].to_vec();
        let names = ["a.pgn", "b.pgn", "stored.pgn", "d.pgn", "e.pgn"];
        let members: Vec<_> = names.iter().zip(0..).map(|(name, at)| (*name, of(at))).collect();
        let whole = packed(pack, &members);
        let (scratch, file) = (Scratch::new(), format!("x.{ending}"));
        let (mut games, mut failed) = (0, 0);
        for trial in 0..trials(2, 4, 300) {
            let mut stored = whole.clone();
            // The last bytes have the names of the members: without them nothing is read.
            let at = stored.len() * (trial * 31 % 90 + 5) / 100 + dice.below(50);
            let end = stored.len().min(at + [1, 300][dice.below(2)]);
            stored[at..end].iter_mut().for_each(|byte| *byte ^= 0x55);
            scratch.write(&file, &stored);
            for (once, again) in pairs {
                // How many games are read before damage depends on the size of blocks alone.
                let block = ["", "--block-bytes 700 "][dice.below(2)];
                let of = |options: &str| {
                    let line =
                        format!("{once} --keep-going --summary o/s.csv {block}{options} {file}");
                    outcome(&scratch, &line)
                };
                let expected = of("--threads 1");
                for options in [format!("{again} --threads 1"), format!("{again} --threads 3")] {
                    let found = of(&options);
                    assert_eq!(found.words, expected.words, "{once} {options}");
                    let rows = |it: &Outcome| -> Vec<String> {
                        // Without a selection there is no count of what is not selected.
                        it.counts.iter().filter(|row| !row.ends_with(",0")).cloned().collect()
                    };
                    assert_eq!(rows(&found), rows(&expected), "{once} {options}");
                    assert_eq!(found.code, expected.code, "{once} {options}");
                    assert!(found.files == expected.files, "{once} {options}");
                }
                failed += usize::from(expected.counts.iter().any(|row| row.starts_with("failed:")));
                let has = |name: &str| expected.counts.iter().any(|row| row.starts_with(name));
                games += usize::from(has("games,") && !has("games,0"));
            }
            let validated = outcome(&scratch, &format!("validate {file}"));
            let found = outcome(&scratch, &format!("duplicates --keep first -o o/d {file}"));
            assert_eq!(found, validated, "{ending} {at}");
            assert_eq!(validated.code, 2, "{ending} {at}");
            let (code, why) = run(&scratch, &format!("convert --to uci --resume -o o/ {file}"));
            assert!(code == 2 && why.contains("is part of another file"), "{why}");
        }
        assert!(failed > 5 && games > 5, "{ending}: {failed} {games}");
    }
}

/// Names that are drawn from few: many are equal, and many look like numbered ones.
#[test]
fn each_member_is_read_and_has_a_name_of_its_own() {
    const NAMES: [&str; 9] = [
        "x.pgn",
        "x (2).pgn",
        "x (3).pgn",
        "x (2) (2).pgn",
        "a/x.pgn",
        "b/x.pgn",
        "b/x (2).pgn",
        "x.pgn.zst",
        "d.e/x.pgn",
    ];
    let mut dice = Dice::new(0x2A3E);
    for trial in 0..trials(8, 12, 300) {
        let (ending, _, pack) = PACKERS[trial % 2];
        let scratch = Scratch::new();
        let count = 1 + dice.below(12);
        let names: Vec<&str> = (0..count).map(|_| NAMES[dice.below(NAMES.len())]).collect();
        let members: Vec<_> =
            names.iter().enumerate().map(|(number, name)| (*name, game(number))).collect();
        let file = format!("x.{ending}");
        let path = scratch.write(&file, &packed(pack, &members));
        let inputs = Input::expand([&path]).unwrap();
        let found: Vec<String> = inputs.iter().map(Input::name).collect();
        assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), count, "{names:?}: {found:?}");
        // The first of a name keeps it; by its name each is the same again.
        for (index, name) in names.iter().enumerate() {
            let own = format!("{}/{name}", path.display());
            let is_first = !names[..index].contains(name);
            assert_eq!(found[index] == own, is_first, "{names:?}: {found:?}");
            let named = Input::expand([&found[index]]).unwrap();
            assert_eq!(named.iter().map(Input::name).collect::<Vec<_>>(), found[index..=index]);
        }
        let (code, errors) = run(&scratch, &format!("select -q -o out/ {file}"));
        assert_eq!(code, 0, "{names:?}: {errors}");
        let written = files(&scratch.join("out"));
        let mut games: Vec<&Vec<u8>> = written.values().collect();
        let mut expected: Vec<&Vec<u8>> = members.iter().map(|(_, text)| text).collect();
        games.retain(|text| !text.starts_with(b"\x28\xb5\x2f\xfd"));
        expected.retain(|text| games.contains(text));
        games.sort();
        expected.sort();
        assert_eq!(games, expected, "{names:?}");
        assert_eq!(written.len(), count, "{names:?}: {:?}", written.keys());
        let (code, errors) =
            run(&scratch, &format!("export -q --columns archive,byte_offset -o t.csv {file}"));
        assert_eq!(code, 0, "{errors}");
        let mut rows = csv::Reader::from_path(scratch.join("t.csv")).unwrap();
        let rows: Vec<csv::StringRecord> = rows.records().map(Result::unwrap).collect();
        let keys: BTreeSet<Vec<&str>> = rows.iter().map(|row| row.iter().collect()).collect();
        assert_eq!((rows.len(), keys.len()), (count, count), "a key of games: {names:?}");
    }
}

/// The outputs of files with members are those of directories of these names with the same files, wherever they are.
#[test]
fn outputs_have_the_paths_of_members() {
    for (ending, _, pack) in PACKERS {
        let (zipped, plain) = (Scratch::new(), Scratch::new());
        let holds = [
            ("in/a/x", &["games.pgn", "a/x.pgn", "b/x.pgn"][..]),
            ("in/b/y", &["games.pgn"]),
            ("in/b/z", &["games.pgn", "c/d/e.pgn"]),
        ];
        let mut number = 0;
        for (file, names) in holds {
            let file = format!("{file}.{ending}");
            let mut members = Vec::new();
            for name in names {
                number += 1;
                plain.write(&format!("{file}/{name}"), &game(number));
                members.push((*name, game(number)));
            }
            zipped.write(&file, &packed(pack, &members));
        }
        for command in ["select", "convert --to uci", "export --format csv"] {
            let [expected, found] = [&plain, &zipped].map(|scratch| {
                let (code, errors) = run(scratch, &format!("{command} -q -o {ending}/ in"));
                assert_eq!(code, 0, "{command}: {errors}");
                files(&scratch.join(ending)).into_keys().collect::<Vec<_>>()
            });
            assert_eq!(found, expected, "{command}");
            assert_eq!(found.len(), number, "{command}: {found:?}");
            fs::remove_dir_all(plain.join(ending)).unwrap();
            fs::remove_dir_all(zipped.join(ending)).unwrap();
        }
        // Named one by one, the usual case of downloads: the folder is the file, and no other.
        let line =
            format!("select -q -o one/ in/b/y.{ending} in/b/z.{ending} in/a/x.{ending}/b/x.pgn");
        let (code, errors) = run(&zipped, &line);
        assert_eq!(code, 0, "{errors}");
        let names = ["x.E/b/x.pgn", "y.E/games.pgn", "z.E/c/d/e.pgn", "z.E/games.pgn"];
        let names = names.map(|name| name.replace('E', ending));
        assert_eq!(files(&zipped.join("one")).into_keys().collect::<Vec<_>>(), names);
        let (code, errors) = run(&zipped, &format!("select -q --flat -o flat/ in/b/z.{ending}"));
        assert_eq!(code, 0, "{errors}");
        assert_eq!(
            files(&zipped.join("flat")).into_keys().collect::<Vec<_>>(),
            ["e.pgn", "games.pgn"]
        );
        let (code, errors) = run(&zipped, "select -q --flat -o no/ in");
        assert!(code == 2 && errors.contains("two inputs would be written to no/"), "{errors}");
    }
}

/// A file named twice, and a member beside its file.
#[test]
fn members_that_are_read_twice_are_warned_of() {
    for (ending, _, pack) in PACKERS {
        let scratch = Scratch::new();
        scratch.write("x.zip", &packed(pack, &[("a.pgn", game(1)), ("b.pgn", game(2))]));
        scratch.write("y.zip", &packed(pack, &[("a.pgn", game(1)), ("b.pgn", game(2))]));
        for (line, expected) in [
            ("x.zip", &[][..]),
            ("x.zip y.zip", &[]),
            ("x.zip/a.pgn x.zip/b.pgn y.zip/a.pgn", &[]),
            ("x.zip x.zip", &["x.zip/a.pgn and x.zip/a.pgn are the same", "x.zip/b.pgn and"]),
            ("x.zip ./x.zip/b.pgn", &["x.zip/b.pgn and ./x.zip/b.pgn are the same file"]),
            (". x.zip/a.pgn", &["./x.zip/a.pgn and x.zip/a.pgn are the same file"]),
        ] {
            let (code, errors) = run(&scratch, &format!("validate {line}"));
            assert_eq!(code, 0, "{ending} {line}: {errors}");
            for words in expected {
                assert!(errors.contains(words), "{ending} {line}: {errors}");
            }
            assert_eq!(errors.matches("are the same").count(), expected.len(), "{line}: {errors}");
        }
    }
}

/// What is left out of a file with members is named as what is left out of a directory, and can be read if it is named.
#[test]
fn what_is_left_out_is_named() {
    let inner = packed(PACKERS[0].2, &[("a.pgn", game(9))]);
    for (ending, _, pack) in PACKERS {
        let scratch = Scratch::new();
        let members = [
            ("a.pgn", game(1)),
            ("two.zip", inner.clone()),
            (".hidden.pgn", game(2)),
            (".h/b.pgn", game(3)),
            ("c/.pgn", game(4)),
            ("readme.txt", b"x".to_vec()),
            ("__MACOSX/._a.pgn", b"x".to_vec()),
        ];
        let file = format!("x.{ending}");
        scratch.write(&format!("in/{file}"), &packed(pack, &members));
        for input in ["in".to_string(), format!("in/{file}")] {
            let (code, errors) = run(&scratch, &format!("validate {input}"));
            assert_eq!(code, 0, "{errors}");
            for words in [
                format!("in/{file}/two.zip is not read: it is in another such file"),
                format!("in/{file}/c/.pgn is not read: it has no name before the ending"),
                "2 hidden archives are not read: name what is to be read".to_string(),
                "1 game read".to_string(),
            ] {
                assert!(errors.contains(&words), "{input}: {words}: {errors}");
            }
            assert!(!errors.contains("readme") && !errors.contains("MACOSX"), "{errors}");
        }
        for name in [".hidden.pgn", ".h/b.pgn", "c/.pgn"] {
            let (code, errors) = run(&scratch, &format!("validate in/{file}/{name}"));
            assert!(code == 0 && errors.contains("1 game read"), "{name}: {errors}");
        }
        // Nothing but what is left out: a file and a directory of such files.
        for (rest, why) in [
            (&members[5..], "it contains no .pgn file"),
            (&members[1..2], "it contains no .pgn file"),
            (&members[2..4], "it contains no .pgn file that is not hidden"),
        ] {
            let scratch = Scratch::new();
            scratch.write(&format!("in/none.{ending}"), &packed(pack, rest));
            let (code, errors) = run(&scratch, &format!("validate in/none.{ending}"));
            assert!(code == 2 && errors.contains(why), "{errors}");
            let (code, errors) = run(&scratch, "validate in");
            assert_eq!(code, 2, "a directory without an archive: {errors}");
            assert!(errors.contains("in holds no .pgn"), "{errors}");
            scratch.write("in/a.pgn", &game(1));
            let (code, errors) = run(&scratch, "validate in");
            assert!(
                code == 0 && errors.contains(&format!("none.{ending} is not read: {why}")),
                "{errors}"
            );
        }
    }
}

/// The command that explains the first fault is printed for members too, and runs.
#[test]
fn the_first_fault_of_a_member_is_explained() {
    for (ending, _, pack) in PACKERS {
        let scratch = Scratch::new();
        let bad = b"1. e4 *\n\n1. Ke3 *\n".to_vec();
        let file = format!("it's x.{ending}");
        let members = [("m.pgn", game(1)), ("m.pgn", bad.clone()), ("n.pgn", bad)];
        scratch.write(&file, &packed(pack, &members));
        let ran = run_in(scratch.path(), &["validate", &file], b"");
        let errors = errors_of(&ran);
        let command = format!("explain 'it'\\''s x.{ending}/m (2).pgn' --game 2");
        assert!(errors.contains(&format!("the first: pgnmill {command}\n")), "{errors}");
        let script = format!("'{}' {command}", env!("CARGO_BIN_EXE_pgnmill"));
        let explained = std::process::Command::new("sh")
            .args(["-c", &script])
            .current_dir(scratch.path())
            .output()
            .unwrap();
        let shown = String::from_utf8_lossy(&explained.stdout).into_owned();
        assert!(shown.contains("Ke3"), "{shown} {}", errors_of(&explained));
    }
}

/// Files of `--split-by` are read again with the directory, whatever the value: none is hidden.
#[test]
fn files_of_values_are_not_hidden() {
    let scratch = Scratch::new();
    let values =
        [".hidden", "..", ".", "...x", "a.b", "%2Ehidden", "-x", "missing", "?", ".pgn", "a/b"];
    let text: String =
        values.iter().map(|value| format!("[White \"{value}\"]\n\n1. e4 *\n\n")).collect();
    scratch.write("a.pgn", text.as_bytes());
    for (fields, directory) in [("White", "one/"), ("White,Result", "two/")] {
        let (code, errors) =
            run(&scratch, &format!("select -q --split-by {fields} -o {directory} a.pgn"));
        assert_eq!(code, 0, "{errors}");
        let names: Vec<String> = files(&scratch.join(directory)).into_keys().collect();
        assert!(names.iter().all(|name| !name.starts_with('.')), "{names:?}");
        assert!(names.len() >= values.len() - 1, "{names:?}");
        let (code, errors) = run(&scratch, &format!("validate {directory}"));
        let read = format!("{} games read", values.len());
        assert!(code == 0 && errors.contains(&read), "{errors}");
        assert!(!errors.contains("hidden"), "{errors}");
    }
}

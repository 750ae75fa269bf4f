//! The same games, whatever contains them: plain text, zstd, gzip, bzip2, xz, zip, 7-Zip, a pipe.
//!
//! Archives of one name in a directory per container; every file that each command writes is compared.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::common::coded::{CODERS, PACKERS, Pack};
use crate::common::mutations::{compressed, mixture, mutate};
use crate::common::{Dice, Scratch, errors_of, exit_code, run_in, sample_text, trials};
use crate::duplicates::files;

/// The commands, and their options.
const COMMANDS: [&str; 10] = [
    "validate --faults o/faults.csv --notes o/notes.csv --rejects o/rejects.pgn",
    "convert --to uci --keep-rejects -o o/uci.pgn.zst",
    "convert --to san --strict -o o/",
    "select --where ply_count>3 -o o/some.pgn",
    "select --sample 40% --seed 3 -o o/part.pgn",
    "select --head 5 -o o/first.pgn",
    "measure --by eco,side -o o/tables/",
    "sort --by -Event -o o/sorted.pgn",
    "duplicates --keep first --removed --min-plies 1 -o o/found/",
    "export --table plies --format csv -o o/plies.csv",
];

/// The files that a command writes, without the rows of stored bytes.
fn outputs(scratch: &Scratch, line: &str, input: &[u8]) -> (i32, BTreeMap<String, Vec<u8>>) {
    fs::remove_dir_all(scratch.join("o")).ok();
    fs::create_dir(scratch.join("o")).unwrap();
    let words: Vec<&str> = line.split(' ').collect();
    let ran = run_in(scratch.path(), &words, input);
    let mut found = BTreeMap::new();
    let mut pending = vec![scratch.join("o")];
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let name =
                path.display().to_string().replace(&scratch.path().display().to_string(), "");
            if path.is_dir() {
                pending.push(path);
            } else if !name.ends_with(".pgnmill-run.jsonl") {
                found.insert(name, fs::read(path).unwrap());
            }
        }
    }
    for (name, text) in &mut found {
        // The list of tables has the seals of the summary and of itself.
        if name.ends_with("summary.csv") || name.ends_with("/tables.csv") {
            let shown = String::from_utf8_lossy(text);
            let kept = shown.lines().filter(|line| {
                !line.starts_with("stored_bytes")
                    && !line.starts_with("summary.csv")
                    && !line.starts_with("tables.csv")
            });
            *text = kept.collect::<Vec<_>>().join("\n").into_bytes();
        }
    }
    let code = exit_code(&ran);
    assert!(code < 2, "{line}: {}", errors_of(&ran));
    (code, found)
}

/// The files that differ.
fn differing(
    found: &BTreeMap<String, Vec<u8>>,
    expected: &BTreeMap<String, Vec<u8>>,
) -> Vec<String> {
    let names = found.keys().chain(expected.keys());
    let mut names: Vec<String> =
        names.filter(|&name| found.get(name) != expected.get(name)).cloned().collect();
    names.dedup();
    names
}

/// Archives of any bytes: each command writes the same files for every container, number of threads and size of blocks.
#[test]
fn every_container_gives_the_same_files() {
    let mut dice = Dice::new(0xC0DE);
    for trial in 0..trials(1, 2, 60) {
        let mut text = match trial % 3 {
            0 => sample_text()[..60_000].to_vec(),
            _ => (0..6).flat_map(|_| mixture(&mut dice)).collect(),
        };
        if trial > 0 {
            mutate(&mut text, &mut dice);
        }
        let mut stored = vec![("plain", text.clone()), ("zst", compressed(&text, &mut dice))];
        stored.extend(CODERS.map(|(ending, store)| (ending, store(&text))));
        for (at, command) in COMMANDS.into_iter().enumerate() {
            let mut expected = None;
            for (number, (container, bytes)) in stored.iter().enumerate() {
                let scratch = Scratch::new();
                // Recognised by its bytes, whatever its name.
                scratch.write("in/a.pgn", bytes);
                // At the short depth one of them for each container and command, in turn.
                let first = trials((number + at + trial) % 3, 0, 0);
                let divisions = [(1, 1 << 20), (2, 300), (7, 5_000)];
                for (threads, block) in divisions.into_iter().skip(first).take(trials(1, 3, 3)) {
                    let line =
                        format!("{command} -q --threads {threads} --block-bytes {block} in/a.pgn");
                    let found = outputs(&scratch, &line, b"");
                    let expected = expected.get_or_insert_with(|| found.clone());
                    let names = differing(&found.1, &expected.1);
                    let shown = text.escape_ascii();
                    assert!(found == *expected, "{container}: {line}: {names:?} of {shown}");
                }
            }
            if command.starts_with("validate") || command.contains("select --where") {
                let line = format!("{command} -q -");
                let scratch = Scratch::new();
                let mut expected = None;
                for (container, bytes) in &stored {
                    let found = outputs(&scratch, &line, bytes);
                    let expected = expected.get_or_insert_with(|| found.clone());
                    assert!(found == *expected, "{container}: {line}");
                }
            }
        }
    }
}

/// The members of a zip or 7-Zip file are archives: each command writes the same files as for a directory of the same
/// name with files of these names.
#[test]
fn members_of_a_file_are_archives() {
    let mut dice = Dice::new(0x21F);
    for trial in 0..trials(1, 3, 80) {
        let (ending, _, pack) = PACKERS[trial % 2];
        let mut text = || match trial {
            0 | 1 => sample_text()[..40_000].to_vec(),
            _ => (0..3).flat_map(|_| mixture(&mut dice)).collect(),
        };
        let [one, two, three] = [text(), text(), text()];
        let coded = CODERS[trial % 3].1(&three);
        let members = [
            ("a.pgn", &one[..]),
            ("b/stored.pgn", &two),
            ("c.pgn.zst", &compressed(&one, &mut dice)),
            ("d.pgn.gz", &coded),
            ("readme.txt", b"1. e4 *\n"),
            ("z.PGN", &three),
        ];
        let (zipped, plain) = (Scratch::new(), Scratch::new());
        let file = format!("x.{ending}");
        zipped.write(&file, &pack(&members));
        members.iter().for_each(|(name, bytes)| {
            plain.write(&format!("{file}/{name}"), bytes);
        });
        for (at, command) in COMMANDS.into_iter().enumerate() {
            // In a directory of outputs such a file is a folder; of a directory that is named only what is in it.
            let input = if command.ends_with("-o o/") { "." } else { &file };
            let expected = outputs(&plain, &format!("{command} -q {input}"), b"");
            // At the short depth two of them, in turn.
            let left_out = trials((at + trial) % 3, 3, 3);
            let divisions = [(1, 1 << 20), (2, 300), (7, 5_000)].into_iter().enumerate();
            let divisions = divisions.filter(|(number, _)| *number != left_out);
            for (_, (threads, block)) in divisions {
                let line =
                    format!("{command} -q --threads {threads} --block-bytes {block} {input}");
                let found = outputs(&zipped, &line, b"");
                let names = differing(&found.1, &expected.1);
                assert!(found == expected, "{line}: {names:?}");
            }
        }
        // One of them, and some in another order; then in a directory of such files.
        for names in [&["b/stored.pgn"][..], &["d.pgn.gz", "a.pgn", "c.pgn.zst", "b/stored.pgn"]] {
            let names: Vec<String> = names.iter().map(|name| format!("{file}/{name}")).collect();
            let line = format!("validate --faults o/f.csv --notes o/n.csv -q {}", names.join(" "));
            assert_eq!(outputs(&zipped, &line, b""), outputs(&plain, &line, b""));
        }
        let line = "validate --faults o/f.csv --notes o/n.csv -q .";
        let (found, expected) = (outputs(&zipped, line, b""), outputs(&plain, line, b""));
        assert_eq!(differing(&found.1, &expected.1), Vec::<String>::new());
    }
}

/// Bytes of a zip or 7-Zip file that are cut or altered: an error that names the file, or a member; never a game less
/// without one.
#[test]
fn damage_of_a_file_with_members_is_named() {
    for (ending, _, pack) in PACKERS {
        damage_is_named(ending, pack);
    }
}

fn damage_is_named(ending: &str, pack: Pack) {
    let file = &format!("x.{ending}");
    let mut dice = Dice::new(0xD21F);
    let text = &sample_text()[..60_000];
    let whole = pack(&[("a.pgn", text), ("stored.pgn", text)]);
    let scratch = Scratch::new();
    scratch.write(file, &whole);
    let expected = run_in(scratch.path(), &["validate", "--format", "csv", file], b"").stdout;
    let mut refused = 0;
    for _ in 0..trials(40, 60, 3_000) {
        let mut stored = whole.clone();
        let at = dice.below(stored.len());
        match dice.below(2) {
            0 => stored.truncate(at),
            _ => stored[at] ^= 1 << dice.below(8),
        }
        scratch.write(file, &stored);
        let ran = run_in(scratch.path(), &["validate", "--format", "csv", file], b"");
        if exit_code(&ran) == 2 {
            assert!(errors_of(&ran).contains(file), "{}", errors_of(&ran));
            refused += 1;
            // The others are read, and what was read is counted.
            let ran = run_in(scratch.path(), &["validate", "--keep-going", file], b"");
            assert_eq!(exit_code(&ran), 2, "{}", errors_of(&ran));
        } else {
            // A byte that is not read: a time, an attribute, a name.
            let games = |csv: &[u8]| -> Vec<String> {
                let text = String::from_utf8_lossy(csv).into_owned();
                let is_count =
                    |line: &&str| line.starts_with("games,") || line.starts_with("accepted,");
                text.lines().filter(is_count).map(str::to_string).collect()
            };
            let is_whole = games(&ran.stdout) == games(&expected);
            let is_renamed = exit_code(&ran) < 2;
            assert!(is_whole || is_renamed, "{}", errors_of(&ran));
        }
    }
    assert!(refused > trials(20, 30, 30), "{refused}");
}

/// A member without a byte of text is checked as others are: the checksum and the length in the list of members.
#[test]
fn an_empty_member_is_checked() {
    let whole = PACKERS[0].2(&[("a.pgn", b"")]);
    let list = whole.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    let scratch = Scratch::new();
    for (changed, code) in [(None, 0), (Some(list + 16), 2), (Some(list + 24), 2)] {
        let mut stored = whole.clone();
        changed.into_iter().for_each(|at| stored[at] ^= 1);
        scratch.write("x.zip", &stored);
        let ran = run_in(scratch.path(), &["validate", "x.zip"], b"");
        assert_eq!(exit_code(&ran), code, "{changed:?}: {}", errors_of(&ran));
        let is_named = errors_of(&ran).contains("its length or its checksum is another");
        assert_eq!(is_named, code == 2, "{changed:?}: {}", errors_of(&ran));
    }
}

/// What is in a file with members and no archive, and what cannot be done with its members.
#[test]
fn files_with_members_are_refused_by_name() {
    for (ending, kind, pack) in PACKERS {
        let scratch = Scratch::new();
        let game = b"[Event \"a\"]\n\n1. e4 *\n";
        let none =
            [("readme.txt", &b"x"[..]), ("inner.zip", b"PK"), (".h/a.pgn", game), ("x.7z", b"7z")];
        scratch.write(&format!("none.{ending}"), &pack(&none));
        // The writer of zip files has no such names.
        let outer = if ending == "zip" { "QQ/a.pgn" } else { "../a.pgn" };
        let members = [(outer, &game[..]), ("a.pgn", game), ("a.pgn", game), ("b.pgn", game)];
        let mut stored = pack(&members);
        while let Some(at) = stored.windows(8).position(|name| name == b"QQ/a.pgn") {
            stored[at..at + 2].copy_from_slice(b"..");
        }
        scratch.write(&format!("x.{ending}"), &stored);
        let run = |line: &str| {
            let line = line.replace(".zip", &format!(".{ending}"));
            let ran = run_in(scratch.path(), &line.split(' ').collect::<Vec<_>>(), b"");
            (exit_code(&ran), errors_of(&ran).replace(&format!(".{ending}"), ".zip"))
        };
        let no_archive = format!("none.zip is {kind}: it contains no .pgn file");
        for (line, expected) in [
            ("validate none.zip", &*no_archive),
            ("validate x.zip/c.pgn", "x.zip contains no archive of the name x.zip/c.pgn"),
            (
                "convert --to uci --resume -o o.pgn x.zip",
                "is part of another file: unpack it, to continue runs",
            ),
            ("splits x.zip", "is part of another file, which cannot be divided: unpack it"),
            ("convert --to uci --overwrite -o x.zip x.zip", "x.zip"),
            ("validate --faults x.zip --overwrite x.zip", "x.zip is an input"),
        ] {
            let (code, errors) = run(line);
            assert!(code == 2 && errors.contains(expected), "{line}: {errors}");
        }
        let (code, errors) = run("convert --to uci --flat -o o/ x.zip");
        // Two members have one name without their folders.
        assert!(code == 2 && errors.contains("a.pgn"), "{errors}");
        let (code, errors) = run("validate -v x.zip");
        assert!(code == 0 && errors.contains("x.zip/a (2).pgn: 1 game"), "{errors}");
        let (code, errors) = run("explain x.zip/a.pgn --game 1");
        assert_eq!(code, 0, "{errors}");
        let (code, errors) = run("convert --to uci -o o/ x.zip/../a.pgn");
        assert_eq!(code, 0, "{errors}");
        // Nothing is written above the folder.
        let output = scratch.join(&format!("o/x.{ending}/%2E%2E/a.pgn"));
        assert!(output.is_file() && !scratch.join("o/a.pgn").exists());
    }
}

/// Files of 7-Zip 16.02 with one game in `t.pgn`, in hexadecimal digits, and what is said of them: another method, a
/// password, a password for the names too, a dictionary of 4 GiB.
const SEVEN_ZIP_FILES: [(&str, &str); 4] = [
    (
        "377abcaf271c000402b9592618000000000000005200000000000000cc8aaa00005ae93c257157b52aa00969ca0d4e8a \
         ae5ab714216615680104060001091800070b010001230304010506000001000c1500080a01b49c8d9b00000501190600 \
         0000000000110d0074002e00700067006e000000140a0100c9379aa26f7edd01150601002080a4810000",
        "x.7z/t.pgn: it is compressed with PPMD: extract it",
    ),
    (
        "377abcaf271c0004adb8d2c020000000000000006200000000000000b4823dcfdbf3a4e0913e80d95f81535e20d21809 \
         d08d7414f4c838d8301f8331c8733daa0104060001092000070b0100022406f1070112530fc61c0f7cd689e17d48ccfd \
         d85f44e4452121010001000c191500080a01b49c8d9b00000501190100110d0074002e00700067006e000000140a0100 \
         c9379aa26f7edd01150601002080a4810000",
        "x.7z/t.pgn: it is encrypted: extract it",
    ),
    (
        "377abcaf271c00044a47eb0390000000000000002e00000000000000ddfbe43413b4382d1b3095570be85530ae7e5541 \
         5192961ec765a59a24b037a80ad7194a91fba83054e3c3d842b821a3170ac1721f2d4ed236ccb3f496ccb4797bb987af \
         7e9ba4ad3eb7b90c21950ebf1a6c0b11730095a15fd338f7faa8c431bd8a8e681937dd84aeae784e7d8e80a41bfba2d4 \
         f1b1c6681e6c4c5296fad50e548093e26e2d91f44c4ae225ca3d52d20b63661417062001097000070b0100012406f107 \
         0112530ff707bdc4c86cfb9f28d1ac665bf1be1f0c620a01585dc6820000",
        "x.7z: as a 7-Zip file: the names in it are encrypted: extract it",
    ),
    (
        "377abcaf271c0004c1becaf619000000000000005200000000000000eb0f93de0100145b4576656e74202261225d0a0a \
         312e206534202a0a000104060001091900070b010001212101280c1500080a01b49c8d9b00000501190c000000000000 \
         000000000000110d0074002e00700067006e000000140a0100c9379aa26f7edd01150601002080a4810000",
        "x.7z/t.pgn: the 7-Zip file cannot be decoded: its decoder needs 4194407 KiB of memory, more than 327680",
    ),
];

#[test]
fn members_that_are_not_decoded_are_named() {
    let scratch = Scratch::new();
    for (digits, expected) in SEVEN_ZIP_FILES {
        let digits: Vec<u8> = digits.bytes().filter(u8::is_ascii_hexdigit).collect();
        let byte =
            |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        scratch.write("x.7z", &digits.chunks(2).map(byte).collect::<Vec<_>>());
        scratch.write("y.pgn", b"1. e4 *\n");
        let ran = run_in(scratch.path(), &["validate", "--keep-going", "x.7z", "y.pgn"], b"");
        let errors = errors_of(&ran);
        assert!(exit_code(&ran) == 2 && errors.contains(expected), "{errors}");
        assert!(errors.contains("1 game: 1 accepted") || errors.contains("1 accepted"), "{errors}");
    }
}

/// Stored bytes that are cut at any place or altered: the games before the damage are those of the text, nothing is
/// lost, the damage is named, and all of it is the same for any threads, blocks and pieces of a pipe.
#[test]
fn damage_ends_the_games_and_is_named() {
    let mut dice = Dice::new(0xDA_3A6E);
    let text = &sample_text()[..120_000];
    let scratch = Scratch::new();
    scratch.write("a.pgn", text);
    let line = ["convert", "--to", "san", "--keep-rejects", "-q", "a.pgn", "-o", "o.pgn"];
    assert!(exit_code(&run_in(scratch.path(), &line, b"")) < 2);
    let whole = fs::read(scratch.join("o.pgn")).unwrap();
    let mut damaged_count = 0;
    for trial in 0..trials(9, 18, 600) {
        let (ending, store) = CODERS[trial % 3];
        let mut stored = store(text);
        let (kind, whole_bytes) = (dice.below(3), stored.len());
        let is_altered = kind == 1;
        match kind {
            0 => stored.truncate(1 + dice.below(stored.len() - 1)),
            1 => {
                let at = 12 + dice.below(stored.len() - 12);
                stored[at] ^= 1 << dice.below(8);
            }
            _ => stored.extend(b"behind the end"),
        }
        let scratch = Scratch::new();
        scratch.write("a.pgn", &stored);
        let mut expected = None;
        for (threads, block, input) in [(1, 1 << 20, "a.pgn"), (7, 200, "a.pgn"), (2, 9_000, "-")] {
            let whole = format!("validate -q --threads {threads} --block-bytes {block} {input}");
            let ran = run_in(scratch.path(), &whole.split(' ').collect::<Vec<_>>(), &stored);
            let errors = errors_of(&ran).replace("standard input", "a.pgn");
            let is_damaged = exit_code(&ran) == 2;
            assert!(!is_damaged || errors.contains("a.pgn is damaged at stored byte "), "{errors}");
            let line = format!(
                "convert --to san --skip-damaged --keep-rejects --overwrite -q --summary s.csv --faults f.csv -o o.pgn \
                 --threads {threads} --block-bytes {block} {input}"
            );
            let ran = run_in(scratch.path(), &line.split(' ').collect::<Vec<_>>(), &stored);
            assert!(exit_code(&ran) < 2, "{line}: {}", errors_of(&ran));
            let read = |name: &str| fs::read(scratch.join(name)).unwrap();
            let faults =
                String::from_utf8(read("f.csv")).unwrap().replace("standard input", "a.pgn");
            let rows = faults.lines().filter(|row| row.contains(",frame-damaged,")).count();
            assert_eq!(rows, usize::from(is_damaged), "{ending}: {faults}");
            let summary = String::from_utf8(read("s.csv")).unwrap();
            let of = |key: &str| {
                let row = summary.lines().find_map(|row| row.strip_prefix(key)?.strip_prefix(','));
                row.map_or(0, |number| number.parse::<u64>().unwrap())
            };
            assert_eq!(of("games"), of("accepted") + of("repaired") + of("rejected"), "{summary}");
            assert_eq!(of("stored_bytes"), stored.len() as u64, "{ending}: {summary}");
            // Where a file is cut short, the damage begins; what follows the last member is damage from there on.
            let place = match kind {
                0 => stored.len()..stored.len() + 1,
                _ if is_altered => 0..stored.len() + 1,
                _ => whole_bytes..stored.len() + 1,
            };
            if is_damaged {
                let at = errors.split("stored byte ").nth(1).unwrap().split(':').next().unwrap();
                assert!(place.contains(&at.parse().unwrap()), "{ending}: {errors} {place:?}");
            }
            let found = (is_damaged, errors, faults, read("o.pgn"));
            damaged_count += usize::from(is_damaged);
            let expected = expected.get_or_insert_with(|| found.clone());
            assert!(
                found == *expected,
                "{ending} {threads} {block} {input}: {found:?}\n{expected:?}"
            );
        }
        let converted = fs::read(scratch.join("o.pgn")).unwrap();
        // What follows an altered byte is known to be wrong at the end of its member or block alone.
        if is_altered {
            continue;
        }
        // Up to the game that was cut nothing differs from what the text gives.
        let same = converted.iter().zip(&whole).take_while(|(a, b)| a == b).count();
        assert!(converted.len() - same < 10_000, "{ending}: {same} of {}", converted.len());
    }
    assert!(damaged_count > trials(20, 25, 25), "{damaged_count}");
}

/// A file that requires much memory is refused.
#[test]
fn a_dictionary_that_is_too_large_is_named() {
    let scratch = Scratch::new();
    // XZ file format 1.1.0, 5.3.1: the size of the dictionary, here 4 GiB - 1, and the CRC32 of the header.
    let mut stored = CODERS[2].1(b"1. e4 *\n");
    let at = 12 + stored[12..].windows(2).position(|pair| pair == [0x21, 1]).unwrap();
    stored[at + 2] = 40;
    let end = 12 + 4 * usize::from(stored[12]);
    let mut crc = flate2::Crc::new();
    crc.update(&stored[12..end]);
    stored[end..end + 4].copy_from_slice(&crc.sum().to_le_bytes());
    scratch.write("a.pgn", &stored);
    let ran = run_in(scratch.path(), &["validate", "a.pgn"], b"");
    assert!(
        errors_of(&ran).contains("it needs more than 320 MiB of memory"),
        "{}",
        errors_of(&ran)
    );
}

/// Text that is none.
#[test]
fn what_is_no_archive_within_a_container_is_named() {
    let scratch = Scratch::new();
    for (ending, store) in CODERS {
        let mut tar = vec![0; 257];
        tar.extend(b"ustar\x0000rest of the archive");
        let zstd = zstd::bulk::compress(b"1. e4 *", 1).unwrap();
        for (text, words) in [
            (store(b"1. e4 *"), "compressed"),
            (zstd, "compressed again, with zstd"),
            (b"PK\x03\x04rest".to_vec(), "is a zip file"),
            (tar, "is a tar archive"),
            (b"[\0E\0v\0e\0n\0t\0 \0\"\0".to_vec(), "UTF-16"),
        ] {
            // As the first member alone: the others have no header of their own.
            let once = store(&[&text[..], &[0; 2000]].concat());
            scratch.write("a.pgn", &once);
            let ran = run_in(scratch.path(), &["validate", "a.pgn"], b"");
            let errors = errors_of(&ran);
            assert_eq!(exit_code(&ran), 2, "{ending}: {errors}");
            assert!(errors.contains("a.pgn") && errors.contains(words), "{ending}: {errors}");
        }
    }
}

/// In a directory, archives are found by their names; outputs are named as what they are.
#[test]
fn archives_of_a_directory_have_outputs_without_the_ending() {
    let scratch = Scratch::new();
    let text = b"[Event \"a\"]\n\n1. e4 *\n\n";
    for (ending, store) in CODERS {
        scratch.write(&format!("in/x/{ending}.pgn.{}", ending.to_uppercase()), &store(text));
        scratch.write(&format!("in/notes.{ending}"), b"no archive of games");
    }
    let ran = run_in(scratch.path(), &["convert", "--to", "uci", "-q", "in", "-o", "out/"], b"");
    assert_eq!(exit_code(&ran), 0, "{}", errors_of(&ran));
    let out = files(&scratch.join("out/x"));
    assert_eq!(out.keys().collect::<Vec<_>>(), ["bz2.pgn", "gz.pgn", "xz.pgn"]);
    assert!(
        out.values().all(|text| text == b"[Event \"a\"]\n[MoveNotation \"uci\"]\n\n1. e2e4 *\n\n"),
        "{out:?}"
    );
    // Two that would have one name are refused.
    scratch.write("in/x/gz.pgn", text);
    let ran = run_in(scratch.path(), &["convert", "--to", "uci", "in", "-o", "two/"], b"");
    assert_eq!(exit_code(&ran), 2);
    assert!(errors_of(&ran).contains("gz.pgn"), "{}", errors_of(&ran));
    // They are one split, which is said, and which skips no damage.
    let ran = run_in(scratch.path(), &["splits", "-q", "in/x/xz.pgn.XZ"], b"");
    let split = String::from_utf8(ran.stdout).unwrap();
    for (options, code) in [(&["-q"][..], 0), (&["--skip-damaged"], 2)] {
        let args = [&["validate", "--split", split.trim()], options].concat();
        let ran = run_in(scratch.path(), &args, b"");
        assert_eq!(exit_code(&ran), code, "{options:?}: {}", errors_of(&ran));
    }
    let ran = run_in(scratch.path(), &["splits", "--target", "10", "in/x/xz.pgn.XZ"], b"");
    assert!(errors_of(&ran).contains("xz is decoded from its beginning on"), "{}", errors_of(&ran));
}

/// What is behind the last member or stream: zeros are padding, another one follows, anything else is damage that is named
/// as what it is. Streams without text are nothing, however many.
#[test]
fn what_is_behind_the_end_is_padding_or_is_named() {
    let game = b"[Event \"a\"]\n\n1. e4 *\n\n";
    let empty = b"BZh9\x17\x72\x45\x38\x50\x90\0\0\0\0";
    for (ending, store) in &CODERS[..2] {
        let (whole, next) = (store(game), store(game));
        let zeros = |count: usize| vec![0; count];
        let mut cases = vec![
            (zeros(1), 1, None),
            (zeros(512), 1, None),
            (zeros(65_536 - whole.len()), 1, None),
            (zeros(200_000), 1, None),
            ([zeros(9), next.clone()].concat(), 2, None),
            ([zeros(70_000), next.clone(), zeros(3)].concat(), 2, None),
            (b"x".to_vec(), 1, Some("other bytes follow its end")),
            (b"words behind the end".to_vec(), 1, Some("other bytes follow its end")),
            ([&zeros(65_530)[..], b"x"].concat(), 1, Some("other bytes follow its end")),
            (next[..2].to_vec(), 1, Some("it is cut short")),
            (next[..next.len() / 2].to_vec(), 1, Some("it is cut short")),
        ];
        if *ending == "bz2" {
            cases.extend([
                (empty.to_vec(), 1, None),
                (empty.repeat(20_000), 1, None),
                ([empty.repeat(9_999), next.clone(), empty.repeat(3), zeros(2)].concat(), 2, None),
                (empty[..13].to_vec(), 1, Some("it is cut short")),
                ([&empty.repeat(5)[..], b"x"].concat(), 1, Some("other bytes follow its end")),
            ]);
        }
        for (number, (behind, games, damage)) in cases.into_iter().enumerate() {
            let stored = [&whole[..], &behind].concat();
            let scratch = Scratch::new();
            scratch.write("a.pgn", &stored);
            for input in ["a.pgn", "-"] {
                let name = format!("{ending} {number} {input}");
                let ran = run_in(scratch.path(), &["validate", input], &stored);
                let errors = errors_of(&ran);
                assert_eq!(
                    exit_code(&ran),
                    if damage.is_some() { 2 } else { 0 },
                    "{name}: {errors}"
                );
                match damage {
                    None => assert!(errors.contains(&format!("{games} game")), "{name}: {errors}"),
                    Some(words) => assert!(errors.contains(words), "{name}: {errors}"),
                }
                let args = ["validate", "--format", "json", "--skip-damaged", input];
                let skipped = run_in(scratch.path(), &args, &stored);
                let found: serde_json::Value = serde_json::from_slice(&skipped.stdout).unwrap();
                assert_eq!(found["accepted"], games, "{name}: {found}");
                assert_eq!(found["stored_bytes"], stored.len(), "{name}: {found}");
                let is_damaged = found["damaged_bytes"] != 0
                    || found["deviations"].to_string().contains("frame-damaged");
                assert_eq!(is_damaged, damage.is_some(), "{name}: {found}");
            }
        }
    }
}

/// The byte that is named is where the decoder stopped: after the damage, wherever that is.
#[test]
fn damage_of_a_member_is_named_where_it_is() {
    const DAMAGE_BYTES: usize = 3_000;
    let (_, _, pack) = PACKERS.iter().find(|(ending, ..)| *ending == "zip").expect("zip files");
    let scratch = Scratch::new();
    let text = &sample_text()[..2_000_000];
    let (whole, mut places) = (pack(&[("a.pgn", text)]), Vec::new());
    let mut dice = Dice::new(0x21);
    for _ in 0..trials(12, 40, 400) {
        let at = dice.below(whole.len() - 2 * DAMAGE_BYTES);
        let mut stored = whole.clone();
        stored[at..at + DAMAGE_BYTES].iter_mut().for_each(|byte| *byte = dice.below(256) as u8);
        scratch.write("a.zip", &stored);
        let ran = run_in(scratch.path(), &["validate", "-q", "a.zip"], b"");
        let errors = errors_of(&ran);
        // What is decoded to its end is found by its checksum.
        if errors.contains("its checksum") {
            continue;
        }
        let named =
            errors.split("damaged before byte ").nth(1).and_then(|rest| rest.split(':').next());
        let named: usize = named.unwrap_or_else(|| panic!("{at}: {errors}")).parse().unwrap();
        assert!(named > at, "{at}: {errors}");
        places.push(named);
    }
    // Where the decoder stops differs as the damage does, within one buffer too.
    let different: BTreeSet<&usize> = places.iter().collect();
    assert!(places.len() > 3 && different.len() == places.len(), "{places:?}");
}

/// What is written into a directory has the name of its input without the ending of a container that it is not in.
#[test]
fn names_of_outputs_are_those_of_what_is_in_them() {
    let scratch = Scratch::new();
    let game = b"[Event \"a\"]\n\n1. e4 e5 *\n".to_vec();
    let line = b"4k3/8/8/8/8/8/4P3/4K3 w - - bm e4;\n".to_vec();
    fs::create_dir(scratch.join("in")).unwrap();
    for (kind, text) in [("pgn", &game), ("epd", &line), ("fen", &line)] {
        let mut expected = BTreeMap::new();
        let mut names = vec![format!("in/plain.{kind}")];
        scratch.write(&names[0], text);
        expected.insert(format!("plain.{kind}"), text.clone());
        for (ending, store) in CODERS {
            for name in [ending.to_string(), ending.to_uppercase()] {
                names.push(format!("in/{name}.{kind}.{name}"));
                scratch.write(&names[names.len() - 1], &store(text));
                expected.insert(format!("{name}.{kind}"), text.clone());
            }
        }
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let words = ["convert", "-q", "--to", "san", "-o", "out/"];
        let ran = run_in(scratch.path(), &[&words[..], &names].concat(), b"");
        assert_eq!(exit_code(&ran), 0, "{}", errors_of(&ran));
        let files = fs::read_dir(scratch.join("out")).unwrap().map(Result::unwrap);
        let found: BTreeMap<String, Vec<u8>> = files
            .map(|file| (file.file_name().into_string().unwrap(), fs::read(file.path()).unwrap()))
            .filter(|(name, _)| !name.starts_with('.'))
            .collect();
        assert_eq!(found, expected);
        fs::remove_dir_all(scratch.join("out")).unwrap();
    }
}

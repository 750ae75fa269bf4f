//! Partitions: the union of their rows is the table; the folders have the names that Apache Hive gives them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::formats::RICH;
use super::table::{self, Value};
use crate::common::{SAMPLE, Scratch, errors_of, exit_code, here, run_in, text_of, trials};

const NULL: &str = "__HIVE_DEFAULT_PARTITION__";

/// The files below a folder, by their path there.
fn files(root: &Path) -> BTreeMap<String, PathBuf> {
    let (mut found, mut pending) = (BTreeMap::new(), vec![root.to_path_buf()]);
    while let Some(folder) = pending.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                pending.push(path);
            } else {
                found.insert(path.strip_prefix(root).unwrap().display().to_string(), path);
            }
        }
    }
    found
}

/// What a folder's name says of a key, with its escapes removed; `None` for null.
fn key_value(folder: &str, key: &str) -> Option<String> {
    let part = folder.split('/').find_map(|part| part.strip_prefix(&format!("{key}="))).unwrap();
    let (mut bytes, mut at) = (Vec::new(), 0);
    while at < part.len() {
        if part.as_bytes()[at] == b'%' {
            bytes.push(u8::from_str_radix(&part[at + 1..at + 3], 16).unwrap());
            at += 3;
        } else {
            bytes.push(part.as_bytes()[at]);
            at += 1;
        }
    }
    (part != NULL).then(|| String::from_utf8(bytes).unwrap())
}

/// Year and month of a day since 1970, searched from the end.
fn year_and_month(days: i64) -> [i64; 2] {
    let begun = |year: i64, month: i64| table::days(&format!("{year}-{month}-1")) <= days;
    let year = (1..2_200).rev().find(|&year| begun(year, 1)).unwrap();
    [year, (1..13).rev().find(|&month| begun(year, month)).unwrap()]
}

/// The value of a key, as a folder has it: the calendar of `Year` and `Month` is that of `UTCDate`, or of `Date`.
fn expected_key(table: &table::Table, row: &[Value], key: &str) -> Option<String> {
    let text = |name: &str| row[table.index(name)].text().map(str::to_string);
    // The year is known if it is a number of four digits, the month if it is one of the calendar.
    let of_date = |date: Option<String>| {
        let date = date?;
        let fields: Vec<&str> = date.split(['.', '-', '/']).collect();
        let number = |at: usize| fields.get(at).and_then(|field| field.parse::<i64>().ok());
        let year = number(0).filter(|year| (1400..=2100).contains(year) && fields[0].len() == 4)?;
        Some([Some(year), number(1).filter(|month| (1..=12).contains(month))])
    };
    match key {
        "Year" | "Month" => {
            let utc =
                || row[table.index("UTCDate")].number().map(|days| year_and_month(days).map(Some));
            // Its `UTCDate`, 2024.13.99, is null in the table, but has a year.
            let of_month_13 = || (text("Event")? == "again").then_some([Some(2024), None]);
            let [year, month] = of_date(text("Date")).or_else(utc).or_else(of_month_13)?;
            let value = if key == "Year" { year } else { month };
            value.map(|value| value.to_string())
        }
        _ => match &row[table.index(key)] {
            Value::Null => None,
            Value::Number(days) if key == "UTCDate" => {
                let [year, month] = year_and_month(*days);
                let day = days - table::days(&format!("{year}-{month}-1")) + 1;
                Some(format!("{year:04}-{month:02}-{day:02}"))
            }
            Value::Number(number) => Some(number.to_string()),
            Value::Text(text) => Some(text.clone()).filter(|text| !text.is_empty()),
            other => panic!("{key}: {other:?}"),
        },
    }
}

/// Partitions an archive: the rows of each file are, in order, those of the whole table with its values.
fn check(text: &[u8], keys: &str, plies: bool) -> usize {
    let scratch = Scratch::new();
    scratch.write("in/a.pgn", text);
    let keys: Vec<&str> = keys.split(',').collect();
    let kind = if plies { "plies" } else { "games" };
    let columns = if plies { "byte_offset,san,ply,clock_ms" } else { "all" };
    let by = keys.join(",");
    let rows = format!("--table {kind} --columns {columns} -q in/a.pgn --threads");
    table::export(&scratch, &format!("{rows} 1 --partition-by {by} -o one"), &[]);
    // The same bytes, whatever the number of threads, the sizes, and the container.
    table::export(
        &scratch,
        &format!("{rows} 7 --partition-by {by} -o seven --block-bytes 900 --range-bytes 4000"),
        &[],
    );
    let frames: Vec<u8> =
        text.chunks(5_000).flat_map(|part| zstd::encode_all(part, 1).unwrap()).collect();
    scratch.write("frames/in/a.pgn", &frames);
    let args = format!("export {rows} 2 --partition-by {by} -o ../two");
    let ran = run_in(&scratch.join("frames"), &args.split(' ').collect::<Vec<_>>(), b"");
    assert!(exit_code(&ran) < 2, "{}", errors_of(&ran));
    let one = files(&scratch.join("one"));
    for other in ["seven", "two"] {
        let other_files = files(&scratch.join(other));
        assert!(one.keys().eq(other_files.keys()), "{keys:?} {other}");
        for (name, path) in &other_files {
            assert!(fs::read(&one[name]).unwrap() == fs::read(path).unwrap(), "{other}/{name}");
        }
    }
    // The table of games has the keys; that of plies is joined by offset.
    let games = "--columns all -q in/a.pgn -o games.parquet";
    table::export(&scratch, games, &[]);
    let games = table::parquet(&scratch.join("games.parquet"));
    let folder_of = |row: &[Value]| -> Vec<Option<String>> {
        keys.iter().map(|key| expected_key(&games, row, key)).collect()
    };
    let offset = games.index("byte_offset");
    let by_offset: BTreeMap<&Value, Vec<Option<String>>> =
        games.rows.iter().map(|row| (&row[offset], folder_of(row))).collect();
    table::export(&scratch, &format!("{rows} 2 -o whole.parquet"), &[]);
    let whole = table::parquet(&scratch.join("whole.parquet"));
    let mut expected: BTreeMap<Vec<Option<String>>, Vec<Vec<Value>>> = BTreeMap::new();
    for values in by_offset.values() {
        expected.entry(values.clone()).or_default();
    }
    for (row, kept) in whole.rows.iter().zip(whole.without(&keys)) {
        let values = &by_offset[&row[whole.index("byte_offset")]];
        expected.get_mut(values).unwrap().push(kept);
    }
    let mut found = BTreeMap::new();
    for (name, path) in &one {
        let (folder, file) = name.rsplit_once('/').unwrap();
        assert_eq!(file, format!("{kind}.parquet"));
        let table = table::parquet(path);
        assert!(keys.iter().all(|key| !table.names.contains(&key.to_string())), "{name}");
        assert_eq!(table.fact("rows"), table.rows.len() as u64, "{name}");
        let values: Vec<Option<String>> = keys.iter().map(|key| key_value(folder, key)).collect();
        assert!(found.insert(values, table.rows).is_none(), "{name}: two folders with one value");
    }
    let keys_of = |rows: &BTreeMap<Vec<Option<String>>, Vec<Vec<Value>>>| {
        rows.iter().map(|(key, rows)| (key.clone(), rows.len())).collect::<Vec<_>>()
    };
    assert_eq!(keys_of(&found), keys_of(&expected), "{keys:?}");
    assert!(found == expected, "{keys:?}");
    found.len()
}

#[test]
fn the_partitions_are_the_table() {
    let odd = [
        "..",
        ".",
        "a/b",
        "a=b",
        "%41",
        "\u{fc}",
        " space ",
        "-",
        "~",
        "a\\\\b",
        "*",
        "con",
        "a:b",
        "?",
        "\u{1f600}",
    ];
    let odd: String = odd
        .iter()
        .map(|value| format!("[Event \"{value}\"]\n[ECO \"{value}\"]\n\n1. e4 e5 *\n\n"))
        .collect();
    let text = format!("{RICH}{odd}{RICH}[Event \"no date\"]\n[Date \"1999.12.31\"]\n\n*\n");
    for (number, (keys, folders)) in [
        ("Year,Month", 5),
        ("ECO", 18),
        ("outcome", 4),
        ("Result,verdict", 5),
        ("Event", 21),
        ("WhiteElo", 2),
    ]
    .into_iter()
    .enumerate()
    {
        let found = check(text.as_bytes(), keys, false);
        println!("{keys}: {found} folders");
        assert!(found >= folders - 2, "{keys}: {found}");
        // The plies of every other one, or of all.
        if number.is_multiple_of(trials(2, 1, 1)) {
            check(text.as_bytes(), keys, true);
        }
    }
    let sample = &text_of(&here(SAMPLE))[..trials(150_000, 400_000, 1_000_000)];
    assert!(check(sample, "ECO", false) > 20);
    check(sample, "UTCDate,outcome", false);
    check(sample, "ECO", true);
}

/// The rows of a partition that has games of several archives name the archive of each.
#[test]
fn rows_of_a_partition_name_their_archives() {
    let scratch = Scratch::new();
    let game = |eco: &str, round: usize| {
        format!("[Event \"e\"]\n[Round \"{round}\"]\n[ECO \"{eco}\"]\n\n1. e4 *\n\n")
    };
    let codes = ["B20", "C50", "B20", "A00", "C50", "B20"];
    let names = ["a.pgn", "b.pgn", "c.pgn"];
    for (index, name) in names.iter().enumerate() {
        let text: String =
            codes[index..].iter().zip(1..).map(|(eco, round)| game(eco, round)).collect();
        scratch.write(name, text.as_bytes());
    }
    let rows = "-q --columns archive,game,Round,ECO a.pgn b.pgn c.pgn --threads";
    table::export(&scratch, &format!("{rows} 2 -o whole.parquet"), &[]);
    let whole = table::parquet(&scratch.join("whole.parquet"));
    let eco = whole.index("ECO");
    for threads in [1, 2, 7] {
        let out = format!("by{threads}");
        table::export(&scratch, &format!("{rows} {threads} --partition-by ECO -o {out}"), &[]);
        let found = files(&scratch.join(&out));
        assert_eq!(found.len(), 3);
        for (name, path) in &found {
            let value = key_value(name.rsplit_once('/').unwrap().0, "ECO").unwrap();
            let rows = whole.rows.iter().zip(whole.without(&["ECO"]));
            let of_value = rows.filter(|(row, _)| row[eco].text() == Some(&value));
            let expected: Vec<Vec<Value>> = of_value.map(|(_, kept)| kept).collect();
            assert!(expected.len() > 2, "{name}");
            assert!(table::parquet(path).rows == expected, "{threads}: {name}");
        }
    }
}

/// Values that begin alike keep different folders, however long they are.
#[test]
fn long_values_have_folders_of_their_own() {
    let scratch = Scratch::new();
    let values =
        ["x".repeat(60_000), "x".repeat(60_001), "\u{fc}".repeat(400), "\u{fc}".repeat(401)];
    let text: String =
        values.iter().map(|value| format!("[Event \"{value}\"]\n\n1. e4 *\n\n")).collect();
    scratch.write("a.pgn", text.as_bytes());
    table::export(&scratch, "-q --columns Event,game --partition-by Event -o d a.pgn", &[]);
    let found = files(&scratch.join("d"));
    assert_eq!(found.len(), 4);
    assert!(found.keys().all(|name| name.starts_with("Event=") && name.is_ascii()));
}

#[test]
fn too_many_and_existing_partitions_are_refused() {
    let scratch = Scratch::new();
    let games = |count: usize| -> String {
        (0..count).map(|number| format!("[Event \"{number}\"]\n\n*\n\n")).collect()
    };
    scratch.write("600.pgn", games(600).as_bytes());
    scratch.write("601.pgn", games(601).as_bytes());
    let export = |line: &str| run_in(scratch.path(), &line.split(' ').collect::<Vec<_>>(), b"");
    let many = export("export --partition-by Event -o d 601.pgn");
    assert_eq!(exit_code(&many), 2);
    assert!(errors_of(&many).contains("more than 600 files"), "{}", errors_of(&many));
    assert_eq!(scratch.names(), ["600.pgn", "601.pgn"]);
    // What was there stays.
    scratch.write("d/mine", b"mine");
    assert_eq!(exit_code(&export("export --partition-by Event -o d 601.pgn")), 2);
    assert_eq!(files(&scratch.join("d")).len(), 1);
    assert_eq!(fs::read_dir(scratch.join("d")).unwrap().count(), 1);
    assert_eq!(exit_code(&export("export -q --partition-by Event -o d 600.pgn")), 0);
    assert_eq!(files(&scratch.join("d")).len(), 601);
    for overwrite in ["", "--overwrite "] {
        let again = export(&format!("export -q {overwrite}--partition-by Event -o d 600.pgn"));
        let words = errors_of(&again);
        assert!(
            exit_code(&again) == 2 && words.contains("is a partition of another run"),
            "{words}"
        );
    }
    assert_eq!(exit_code(&export("export -q --partition-by ECO -o d 600.pgn")), 0);
    assert!(scratch.join(&format!("d/ECO={NULL}/games.parquet")).is_file());
}

/// A value that is written like the folder of null has another one, and no key is there twice.
#[test]
fn the_folder_of_null_is_of_null_alone() {
    let scratch = Scratch::new();
    let game = |eco: &str| format!("[Event \"x\"]\n{eco}\n1. e4 *\n\n");
    let text = [game(&format!("[ECO \"{NULL}\"]\n")), game("")].concat();
    scratch.write("a.pgn", text.as_bytes());
    table::export(&scratch, "--partition-by ECO -q -o lake a.pgn", &[]);
    let found: Vec<Option<String>> =
        files(&scratch.join("lake")).keys().map(|folder| key_value(folder, "ECO")).collect();
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(found.contains(&None) && found.contains(&Some(NULL.to_string())), "{found:?}");
    for keys in ["ECO,ECO", "Year,ECO,Year"] {
        let args = ["export", "--partition-by", keys, "-q", "-o", "twice", "a.pgn"];
        let ran = run_in(scratch.path(), &args, b"");
        assert!(exit_code(&ran) == 2 && errors_of(&ran).contains("twice"), "{}", errors_of(&ran));
    }
}

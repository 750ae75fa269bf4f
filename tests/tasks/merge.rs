//! Tables add up: measuring some archives and merging equals measuring them together, byte for byte, however they are
//! split into runs. And the tables by dimension sum to the whole.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{self, Depth, SAMPLE, SOURCES, Scratch, corpus, here, run_in, text_of, trials};
use pgnmill_io::archive::games::Games;

/// The tables in a directory, by name.
fn tables(directory: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    // Not the journal of the run.
    let entries = entries.filter(|path| path.extension().is_some_and(|end| end == "csv"));
    entries.map(|path| (common::name_of(&path), fs::read_to_string(&path).unwrap())).collect()
}

/// Runs the program and expects it to go through, rejected games or not.
fn run(scratch: &Scratch, args: &[&str]) {
    let output = run_in(scratch.path(), args, b"");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(0 | 1)), "{args:?}: {said}");
}

fn measure(scratch: &Scratch, directory: &str, options: &str, archives: &[&str]) {
    let mut args = vec!["measure", "--quiet", "--threads=2", "-o", directory];
    args.extend(options.split_whitespace());
    args.extend(archives);
    run(scratch, &args);
}

/// Archives of many kinds: pieces of the sample, the sources, real games of every export format if they exist, damage.
fn archives(scratch: &Scratch, games_count: usize) -> Vec<String> {
    let sample = text_of(&here(SAMPLE));
    let starts: Vec<usize> =
        Games::new(&sample).map(|(start, _)| start).take(7 * games_count).collect();
    let mut names = Vec::new();
    for (number, piece) in starts.windows(games_count + 1).step_by(games_count).enumerate() {
        let name = format!("sample-{number}.pgn");
        scratch.write(&name, &sample[piece[0]..piece[games_count]]);
        names.push(name);
    }
    scratch.write("v.tiktoken", common::vocabulary::file().as_bytes());
    scratch.write("sources.pgn", &text_of(&here(SOURCES)));
    let odd = b"[Event \"odd\"]\n[WhiteElo \"99999\"]\n[Date \"0000.99.99\"]\n[ECO \"Z99\"]\n\n1. e4 e5 2. Ke3 *\n\n\
        [Event \"\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 b Q - 0 98\"]\n[TimeControl \"?\"]\n\n\
        98... Kd7 99. O-O-O+ Ke7 100. Re1+ Kd6 *\n\n[Event \"no moves\"]\n\n1/2-1/2\n";
    scratch.write("odd.pgn", odd);
    names.extend(["sources.pgn".to_string(), "odd.pgn".to_string()]);
    // Games that are longer than a tally holds ply by ply, one of them without a history.
    let dance = |game: &str, moves: usize| {
        format!("[Event \"long\"]\n{game}\n{}*\n\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(moves / 2))
    };
    let fen = "[SetUp \"1\"]\n[FEN \"4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 1\"]\n";
    let long = [
        dance("", 300),
        dance("", 302),
        dance(fen, trials(4_600, 6_000, 9_000)),
        dance("", trials(5_000, 9_000, 70_000)),
    ]
    .concat();
    scratch.write("long.pgn", long.as_bytes());
    names.push("long.pgn".to_string());
    for (number, path) in
        ["lichess", "otb", "engine", "chess960"].into_iter().flat_map(corpus).enumerate()
    {
        let text = text_of(&path);
        let end = Games::new(&text)
            .take(games_count)
            .last()
            .map_or(0, |(start, game)| start + game.len());
        let name = format!("real-{number}.pgn");
        scratch.write(&name, &text[..end]);
        names.push(name);
    }
    names
}

/// A number below `bound`, as good as drawn by lot.
fn next(state: &mut u64, bound: usize) -> usize {
    *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as usize % bound
}

#[test]
fn merging_equals_measuring_together_for_any_split() {
    let scratch = Scratch::new();
    let names = archives(&scratch, trials(5, 6, 100));
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut state = 6;
    let all_options = [
        "--by all --per-game --cluster game,event,player",
        "",
        "--by all --sample 33%",
        "--by eco,role --strict",
        "--by all",
        "--entropy",
        "--compress zstd:3,zstd:1,zstd:3 --sample 50% --seed 4",
        "--by side --entropy --compress zstd:1 --per-game",
        "--notations main --by all --per-game --codes --errors=3 --writing --tokens v.tiktoken --order 1",
        "--notations written --by phase --entropy --compress zstd:1,zstd:2:main --codes",
    ];
    // One of two at the short depth, among them each option.
    for (round, options) in all_options.into_iter().step_by(trials(4, 2, 1)).enumerate() {
        let dir = |what: &str| format!("{what}-{round}");
        measure(&scratch, &dir("together"), options, &names);
        let expected = tables(&scratch.join(&dir("together")));
        assert!(expected.len() >= 7, "{:?}", expected.keys());
        measured_as_requested(&expected, options);
        // Adjacent runs, so that games.csv keeps its order; then any runs at all.
        let runs_count = 2 + next(&mut state, 4);
        let mut cuts: Vec<usize> =
            (1..runs_count).map(|_| 1 + next(&mut state, names.len() - 1)).collect();
        cuts.extend([0, names.len()]);
        cuts.sort_unstable();
        cuts.dedup();
        let runs: Vec<Vec<&str>> =
            cuts.windows(2).map(|cut| names[cut[0]..cut[1]].to_vec()).collect();
        // At the short depth one of both: neighbours with the first options, which have games.csv.
        if Depth::current() > Depth::Short || round == 0 {
            let neighbours = merged(&scratch, &dir("neighbours"), options, &runs);
            assert_eq!(neighbours, expected, "{options}: {runs:?}");
        }
        if Depth::current() == Depth::Short && round == 0 {
            continue;
        }
        let mut runs = vec![Vec::new(); runs_count];
        for name in &names {
            runs[next(&mut state, runs_count)].push(*name);
        }
        runs.retain(|run| !run.is_empty());
        let mut scattered = merged(&scratch, &dir("scattered"), options, &runs);
        if let Some(games) = scattered.remove("games.csv") {
            let sorted = |table: &str| {
                let mut rows: Vec<String> = table.lines().map(String::from).collect();
                rows.sort();
                rows
            };
            assert_eq!(sorted(&games), sorted(&expected["games.csv"]));
            // And so is its digest.
            for table in ["games.csv", "tables.csv"] {
                scattered.insert(table.to_string(), expected[table].clone());
            }
        }
        assert_eq!(scattered, expected, "{options}: {runs:?}");
    }
}

/// Whatever was studied is all that was measured: every ply has a token, a place among the legal moves, and went
/// through each compressor, in texts that are as long as the notation's, with one character after each.
#[test]
fn what_is_studied_is_what_is_measured() {
    let scratch = Scratch::new();
    let names = archives(&scratch, 100);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let number = |row: &BTreeMap<String, String>, column: &str| row[column].parse::<u64>().unwrap();
    // Of each archive, the batch at its end is hardly begun; of all together, several are full before.
    for (round, archives) in [&names[..1], &["odd.pgn"], &["long.pgn"], &names].iter().enumerate() {
        let directory = format!("t{round}");
        measure(&scratch, &directory, "--entropy --compress zstd:1,zstd:2:main --codes", archives);
        let tables = tables(&scratch.join(&directory));
        let mut measured = BTreeMap::new();
        for row in rows(&tables["notations.csv"]) {
            measured
                .insert(row["notation"].clone(), (number(&row, "plies"), number(&row, "bytes")));
        }
        let plies = measured["san"].0;
        assert!(plies > 0);
        let mut compressors = 0;
        for row in rows(&tables["compress.csv"]) {
            let (plies, bytes) = measured[&row["notation"]];
            let found = (number(&row, "plies"), number(&row, "bytes_before"));
            assert_eq!(found, (plies, bytes + plies), "{archives:?}: {row:?}");
            assert_eq!(number(&row, "bytes_after") > 0, plies > 0);
            compressors += 1;
        }
        assert_eq!(compressors, 27 + 8);
        let mut tokens: BTreeMap<String, (u64, u64)> = BTreeMap::new();
        for row in rows(&tables["tokens.csv"]) {
            let sums = tokens.entry(row["notation"].clone()).or_default();
            sums.0 += number(&row, "plies");
            sums.1 += number(&row, "plies") * row["token"].len() as u64;
        }
        tokens.iter().for_each(|(name, sums)| assert_eq!(measured[name], *sums, "{name}"));
        assert!(tokens.len() >= 24);
        for (table, column) in [("ranks.csv", "rank"), ("legal_moves.csv", "legal_moves")] {
            let sum: u64 = rows(&tables[table]).iter().map(|row| number(row, "plies")).sum();
            assert_eq!(sum, plies, "{table}");
            assert!(rows(&tables[table]).iter().all(|row| number(row, column) > 0));
        }
        let of_ranks: u64 = rows(&tables["ranks.csv"])
            .iter()
            .map(|row| number(row, "plies") * number(row, "rank"))
            .sum();
        let of_choices = rows(&tables["legal_moves.csv"]);
        let of_choices: u64 =
            of_choices.iter().map(|row| number(row, "plies") * number(row, "legal_moves")).sum();
        assert!(of_ranks <= of_choices, "no place is behind the last legal move");
        codes_are_those_of_the_games(&tables, measured["san"].0);
        for row in rows(&tables["entropy.csv"]) {
            let plies = measured.get(&row["code"]).map_or(plies, |measured| measured.0);
            assert_eq!(number(&row, "plies"), plies, "{row:?}");
        }
    }
}

/// Codes write every ply, and the order-0 entropies of their symbols are those of `--entropy`.
fn codes_are_those_of_the_games(tables: &BTreeMap<String, String>, plies: u64) {
    let entropy: BTreeMap<String, String> = rows(&tables["entropy.csv"])
        .iter()
        .map(|row| (row["code"].clone(), row["bits_per_ply"].clone()))
        .collect();
    let codes = rows(&tables["codes.csv"]);
    let names = ["legal-moves", "rank-adaptive", "lichess-huffman", "opening+rank", "ply-context"];
    assert!(codes.iter().map(|row| &row["code"]).eq(&names));
    for row in &codes {
        let number = |column: &str| row[column].parse::<u64>().unwrap();
        if row["code"] == "lichess-huffman" {
            assert!(number("plies") <= plies);
            continue;
        }
        assert_eq!(number("plies"), plies, "{row:?}");
        let per_ply = format!("{:.4}", number("bits") as f64 / plies as f64);
        assert_eq!(row["bits_per_ply"], per_ply);
        match row["code"].as_str() {
            "legal-moves" => assert_eq!(row["entropy_bits_per_ply"], entropy["legal-moves"]),
            "rank-adaptive" => assert_eq!(row["entropy_bits_per_ply"], entropy["rank-entropy"]),
            _ => assert_eq!(row["entropy_bits_per_ply"], ""),
        }
    }
}

/// What is compressed of fewer games than a batch has is a text with a game in each line.
#[test]
fn a_game_is_compressed_as_a_line() {
    let scratch = Scratch::new();
    let sample = text_of(&here(SAMPLE));
    let end = Games::new(&sample).nth(150).expect("a longer sample").0;
    scratch.write("few.pgn", &sample[..end]);
    measure(&scratch, "few", "--compress zstd:3 --notations san,uci,long", &["few.pgn"]);
    let tables = tables(&scratch.join("few"));
    for row in rows(&tables["compress.csv"]) {
        let notation = pgnmill::find_notation(&row["notation"]).expect("registered");
        let (mut text, mut games) = (String::new(), Games::new(&sample[..end]).count());
        let reader = std::io::Cursor::new(sample[..end].to_vec());
        let mut read = pgnmill::Reader::from_reader("few", reader).unwrap().games();
        while let Some(game) = read.next().unwrap() {
            games -= 1;
            let line: Vec<String> =
                game.moves().map(|ply| ply.text_in(notation).to_string()).collect();
            if game.fault().is_none() && !line.is_empty() {
                text += &(line.join(" ") + "\n");
            }
        }
        assert_eq!(games, 0);
        assert_eq!(row["bytes_before"], text.len().to_string(), "{row:?}");
        let after = zstd::bulk::compress(text.as_bytes(), 3).unwrap().len();
        assert_eq!(row["bytes_after"], after.to_string(), "{row:?}");
    }
}

/// Without a move there is a row for all that was requested, and no number that is none; rows of nothing change no sum.
#[test]
fn nothing_measured_is_nothing_added() {
    let scratch = Scratch::new();
    let options = "--by all --entropy --compress zstd:1,zstd:2:main --codes";
    scratch.write("none.pgn", b"[Event \"a\"]\n\n*\n");
    scratch.write("sources.pgn", &text_of(&here(SOURCES)));
    for name in ["none", "sources"] {
        measure(&scratch, name, options, &[&format!("{name}.pgn")]);
    }
    let [none, sources] = ["none", "sources"].map(|name| tables(&scratch.join(name)));
    for (name, keys) in [
        ("notations.csv", &["notation"][..]),
        ("codes.csv", &["code"]),
        ("compress.csv", &["notation", "compressor"]),
    ] {
        let keys_of = |table: &str| -> Vec<Vec<String>> {
            let rows = rows(table);
            rows.iter().map(|row| keys.iter().map(|key| row[*key].clone()).collect()).collect()
        };
        assert_eq!(keys_of(&none[name]), keys_of(&sources[name]), "{name}");
    }
    for (name, table) in none.iter().chain(&sources) {
        for word in ["NaN", "inf,", "inf\n"] {
            assert!(!table.contains(word), "{name}: {word}");
        }
    }
    // Tokens that occur nowhere.
    let path = scratch.join("sources/tokens.csv");
    run(&scratch, &["merge", "--quiet", "-o", "as-it-was", "sources"]);
    let is_rare = |line: &&str| line.ends_with(",1,0") || line.ends_with(",1,1");
    let rare = sources["tokens.csv"].lines().filter(is_rare).take(50);
    let rare: Vec<String> =
        rare.map(|line| line[..line.len() - 3].replacen(',', ",Zz", 1) + "0,0\n").collect();
    assert_eq!(rare.len(), 50);
    fs::write(&path, sources["tokens.csv"].clone() + &rare.concat()).unwrap();
    common::reseal(&scratch.join("sources"));
    run(&scratch, &["merge", "--quiet", "-o", "with-nothing", "sources"]);
    let [before, after] = ["as-it-was", "with-nothing"].map(|name| tables(&scratch.join(name)));
    assert_eq!(before["entropy.csv"], after["entropy.csv"]);
}

/// However long a game is, it counts once in each group of its plies, and in no other.
#[test]
fn a_game_of_any_length_counts_once() {
    let scratch = Scratch::new();
    let mut expected = None;
    // Up to 600 plies have groups of their own, and some thousands are kept one by one.
    for moves in [20, 290, 310, 4_000, 5_000, 9_000] {
        let text = format!("[Event \"a\"]\n\n{}*\n", "Nf3 Nf6 Ng1 Ng8 ".repeat(moves / 2));
        scratch.write("long.pgn", text.as_bytes());
        let name = format!("of-{moves}");
        measure(&scratch, &name, "--by phase,side,role,kind,check --notations main", &["long.pgn"]);
        let mut found = Vec::new();
        for (name, table) in tables(&scratch.join(&name)) {
            if name.starts_with("by_") && name != "by_ply.csv" {
                for row in rows(&table) {
                    let [key, notation, games] = ["key", "notation", "games"].map(|it| &row[it]);
                    found.push(format!("{name} {key} {notation} {games}"));
                }
            }
        }
        assert!(found.len() > 10);
        assert_eq!(*expected.get_or_insert_with(|| found.clone()), found, "{moves} moves");
    }
}

/// The date of a sum is the latest of its parts, in whatever order they come and however they are summed before.
#[test]
fn a_sum_is_of_the_latest_day() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", &text_of(&here(SOURCES)));
    let days =
        [("2024-02-29", 1_709_200_000), ("1999-12-31", 946_600_000), ("2024-03-01", 1_709_300_000)];
    for (day, seconds) in days {
        let mut command = common::pgnmill();
        command.env("SOURCE_DATE_EPOCH", seconds.to_string()).current_dir(scratch.path());
        let done = command.args(["measure", "--quiet", "-o", day, "a.pgn"]).status().unwrap();
        assert!(done.success());
    }
    let of = |directory: &str| {
        let facts = rows(&tables(&scratch.join(directory))["summary.csv"]);
        facts.into_iter().find(|row| row["key"] == "measured_on").unwrap()["value"].clone()
    };
    days.iter().for_each(|(day, _)| assert_eq!(of(day), *day));
    for (round, order) in
        [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].iter().enumerate()
    {
        let [a, b, c] = order.map(|place| days[place].0);
        let (two, all) = (format!("two-{round}"), format!("all-{round}"));
        run(&scratch, &["merge", "--quiet", "-o", &two, a, b]);
        assert_eq!(of(&two), a.max(b));
        run(&scratch, &["merge", "--quiet", "-o", &all, &two, c]);
        assert_eq!(of(&all), "2024-03-01", "{order:?}");
    }
}

/// Every setting that can change a count is among the options, so that two runs with different settings have different
/// options.
#[test]
fn options_record_what_was_requested() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", b"[Event \"a\"]\n\n1. e4 e5 2. Nf3! *\n");
    let mut asked: Vec<String> = [
        "",
        "--by side",
        "--by phase,side",
        "--by all",
        "--sample 2",
        "--sample 3",
        "--sample 3%",
        "--sample 3 --seed 1",
        "--entropy",
        "--compress zstd:1",
        "--compress zstd:2",
        "--compress zstd:1:main",
        "--codes",
        "--from san",
        "--from uci",
        "--strict",
        "--skip-damaged",
        "--notations main",
        "--notations written",
        "--notations uci",
        "--strict --allow move-overdisambiguated",
        "--deny move-overdisambiguated --deny tag-escape-unknown",
    ]
    .map(String::from)
    .to_vec();
    let listed = run_in(scratch.path(), &["deviations"], b"").stdout;
    let listed = String::from_utf8(listed).unwrap();
    let names = listed.lines().filter_map(|line| line.split('`').nth(1));
    // At the short depth each name with one of both, in turn, and with few tables.
    let few = trials(" --notations san", "", "");
    for (number, option) in ["--deny", "--allow"].into_iter().enumerate() {
        let turn = trials(2, 1, 1);
        let names = names.clone().skip(number % turn).step_by(turn);
        asked.extend(names.map(|name| format!("{option} {name}{few}")));
    }
    let mut said = BTreeMap::new();
    for options in asked {
        let mut args = vec!["measure", "--quiet", "--overwrite", "-o", "t"];
        args.extend(options.split_whitespace());
        args.push("a.pgn");
        // Some deviations may not be allowed, some not be denied.
        if run_in(scratch.path(), &args, b"").status.code() == Some(2) {
            continue;
        }
        let facts = rows(&tables(&scratch.join("t"))["summary.csv"]);
        let value = facts.iter().find(|row| row["key"] == "options").unwrap()["value"].clone();
        if options.starts_with("--deny") || options.starts_with("--allow") {
            assert!(options.split(" --").all(|o| value.contains(o)), "{options}: {value}");
        }
        let other = said.insert(value.clone(), options.clone());
        assert_eq!(other, None, "{value} is said of {options}, too");
    }
    assert!(said.len() > trials(50, 60, 60), "{}", said.len());
}

/// Year and month are those of the first of `Date` and `UTCDate` whose year is known, whatever the other is.
#[test]
fn a_game_is_of_its_date_and_else_of_its_date_in_utc() {
    let scratch = Scratch::new();
    let dates = [
        "2013.01.31",
        "1851.??.??",
        "????.??.??",
        "????.12.01",
        "2020.13.01",
        "9999.01.01",
        "",
        "1999.7.4",
    ];
    let known = |date: &str| {
        let fields: Vec<&str> = date.split('.').collect();
        let year = fields[0].parse::<u32>().ok().filter(|year| (1400..=2100).contains(year))?;
        let month = fields.get(1).and_then(|month| month.parse::<u32>().ok());
        Some((year, month.filter(|month| (1..=12).contains(month))))
    };
    let (mut archive, mut years, mut months) = (String::new(), BTreeMap::new(), BTreeMap::new());
    for date in dates {
        for utc in dates {
            // In either order: it does not matter which pair comes first.
            let pairs = [format!("[Date \"{date}\"]\n"), format!("[UTCDate \"{utc}\"]\n")];
            for order in [[0, 1], [1, 0]] {
                let [first, second] = order.map(|place: usize| &pairs[place]);
                archive += &format!("[Event \"x\"]\n{first}{second}\n1. e4 *\n\n");
                let of = known(date).or_else(|| known(utc));
                let year = of.map_or("unknown".to_string(), |(year, _)| year.to_string());
                *years.entry(year).or_insert(0u64) += 1;
                let month = of.and_then(|(year, month)| Some(format!("{year:04}-{:02}", month?)));
                *months.entry(month.unwrap_or("unknown".to_string())).or_insert(0u64) += 1;
            }
        }
    }
    scratch.write("a.pgn", archive.as_bytes());
    measure(&scratch, "t", "--by year,month", &["a.pgn"]);
    let tables = tables(&scratch.join("t"));
    let games = |table: &str| -> BTreeMap<String, u64> {
        let rows = rows(&tables[table]).into_iter().filter(|row| row["notation"] == "san");
        rows.map(|row| (row["key"].clone(), row["games"].parse().unwrap())).collect()
    };
    assert_eq!(games("by_year.csv"), years);
    assert_eq!(games("by_month.csv"), months);
    assert!(years.len() > 3 && months.len() > 2, "{years:?} {months:?}");
}

/// The tables of `--entropy`, `--compress`, `--codes` and `--errors` exist if they were requested, are not empty, and the
/// summary names them.
fn measured_as_requested(tables: &BTreeMap<String, String>, options: &str) {
    let entropy = ["tokens.csv", "legal_moves.csv", "ranks.csv", "entropy.csv"];
    let others = [
        ("--compress", &["compress.csv"][..]),
        ("--codes", &["code_symbols.csv"]),
        ("--errors", &["errors.csv"]),
        ("--tokens", &["bpe_tokens.csv"]),
        ("--order", &["orders.csv"]),
    ];
    for (option, files) in [("--entropy", &entropy[..])].into_iter().chain(others) {
        let asked = options.contains(option);
        assert_eq!(tables["summary.csv"].contains(option), asked, "{options}");
        for file in files {
            assert_eq!(tables.contains_key(*file), asked, "{options}: {file}");
            // A vocabulary, and an order, have a row for each notation.
            let least = if ["--tokens", "--order"].contains(&option) { 8 } else { 20 };
            assert!(!asked || tables[*file].lines().count() > least, "{options}: {file}");
        }
    }
    if options.contains("zstd:3,zstd:1") {
        assert!(tables["summary.csv"].contains("--compress zstd:1,zstd:3"));
    }
}

/// Measures each run for itself and merges; the first two first, then their sum with the rest.
fn merged(
    scratch: &Scratch,
    name: &str,
    options: &str,
    runs: &[Vec<&str>],
) -> BTreeMap<String, String> {
    let part = |number: usize| format!("{name}-part-{number}");
    for (number, archives) in runs.iter().enumerate() {
        measure(scratch, &part(number), options, archives);
    }
    let mut rest: Vec<String> = (0..runs.len()).map(part).collect();
    if rest.len() > 2 {
        let two = format!("{name}-two");
        run(scratch, &["merge", "--quiet", "-o", &two, &rest[0], &rest[1]]);
        rest.splice(..2, [two]);
    }
    let mut args = vec!["merge", "--quiet", "-o", name];
    args.extend(rest.iter().map(String::as_str));
    run(scratch, &args);
    tables(&scratch.join(name))
}

/// The rows of a table as maps from column to field.
fn rows(table: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(table.as_bytes());
    let header = reader.headers().unwrap().clone();
    let fields = |record: csv::StringRecord| {
        header.iter().map(String::from).zip(record.iter().map(String::from)).collect()
    };
    reader.records().map(|record| fields(record.unwrap())).collect()
}

/// Every table by dimension sums to `notations.csv` in plies, characters and bytes, those of games in games too, for
/// every notation; and so do lengths, the moves of movetext, and disambiguations.
#[test]
fn tables_sum_to_the_whole() {
    let scratch = Scratch::new();
    let names = archives(&scratch, 100);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    measure(&scratch, "t", "--by all", &names);
    let tables = tables(&scratch.join("t"));
    let number = |row: &BTreeMap<String, String>, column: &str| row[column].parse::<u64>().unwrap();
    let sums = |rows: &[BTreeMap<String, String>], columns: &[&str]| {
        let mut sums: BTreeMap<String, Vec<u64>> = BTreeMap::new();
        for row in rows {
            let sum = sums.entry(row["notation"].clone()).or_insert_with(|| vec![0; columns.len()]);
            for (sum, column) in sum.iter_mut().zip(columns) {
                *sum += number(row, column);
            }
        }
        sums
    };
    let all = rows(&tables["notations.csv"]);
    assert_eq!(all.len(), 73);
    let of_games = [
        "rating",
        "rating_difference",
        "speed",
        "year",
        "month",
        "eco_letter",
        "eco",
        "result",
        "title",
        "eco_computed",
        "opening_name",
        "rules",
        "source",
    ];
    let mut seen = 0;
    for (file, table) in tables.iter().filter(|(file, _)| file.starts_with("by_")) {
        let key = file.trim_start_matches("by_").trim_end_matches(".csv");
        let mut columns = vec!["plies", "characters", "bytes"];
        if of_games.contains(&key) {
            columns.push("games");
        }
        let mut rows = rows(table);
        if key == "rules" {
            // Games of other rules than those of chess are in this table alone.
            rows.retain(|row| row["key"].starts_with("chess") && row["key"] != "chess99");
        }
        assert_eq!(sums(&rows, &columns), sums(&all, &columns), "{file}");
        assert!(table.starts_with("key,notation,games,plies,characters,bytes,characters_per_ply,"));
        seen += 1;
    }
    assert_eq!(seen, 22);
    let plies = sums(&all, &["plies"]);
    assert_eq!(sums(&rows(&tables["lengths.csv"]), &["plies"]), plies);
    let lengths = rows(&tables["lengths.csv"]).into_iter().map(|mut row| {
        let characters = number(&row, "characters") * number(&row, "plies");
        row.insert("characters".to_string(), characters.to_string());
        row
    });
    assert_eq!(sums(&lengths.collect::<Vec<_>>(), &["characters"]), sums(&all, &["characters"]));
    let parts = rows(&tables["movetext.csv"]);
    let part = |wanted: &[&str]| -> Vec<_> {
        parts.iter().filter(|row| wanted.contains(&row["part"].as_str())).cloned().collect()
    };
    let columns = ["characters", "bytes"];
    // The code of a game has no other table.
    let mut moves = sums(&part(&["moves"]), &columns);
    assert_eq!(moves.remove("tcn"), Some(vec![2 * plies["san"][0]; 2]));
    assert_eq!(moves, sums(&all, &columns));
    let pieces = part(&["moves", "separators", "numbers", "results"]);
    assert_eq!(sums(&pieces, &columns), sums(&part(&["total"]), &columns));
    let said: u64 =
        rows(&tables["disambiguation.csv"]).iter().map(|row| number(row, "plies")).sum();
    assert_eq!(said, plies["san"][0]);
    // Wild values are unknown.
    for file in ["by_year.csv", "by_eco.csv", "by_rating.csv", "by_speed.csv"] {
        assert!(tables[file].contains("\nunknown,san,"), "{file}");
    }
    // Some groups that must be there.
    for (file, group) in [
        ("by_speed.csv", "blitz"),
        ("by_phase.csv", "endgame"),
        ("by_kind.csv", "en-passant"),
        ("by_check.csv", "mate"),
        ("by_move.csv", "11-20"),
        ("by_result.csv", "1/2-1/2"),
        ("by_year.csv", "1851"),
        ("by_ply.csv", "601+"),
        ("by_move.csv", "301+"),
    ] {
        assert!(tables[file].contains(&format!("\n{group},san,")), "{file} has no {group}");
    }
}

/// A share holds as many games as it should, the same for any archive that they are in, and all games are counted.
#[test]
fn samples_are_drawn_game_by_game() {
    let scratch = Scratch::new();
    let sample = text_of(&here(SAMPLE));
    let games: Vec<&[u8]> = Games::new(&sample).map(|(_, game)| game).take(1000).collect();
    scratch.write("forth.pgn", &games.concat());
    let backward: Vec<&[u8]> = games.iter().rev().copied().collect();
    scratch.write("back.pgn", &backward.concat());
    scratch.write("back.pgn.zst", &zstd::encode_all(backward.concat().as_slice(), 1).unwrap());
    measure(&scratch, "all", "--per-game", &["forth.pgn"]);
    for sample in ["50%", "10%"] {
        let options = format!("--sample {sample} --by all");
        let mut found = Vec::new();
        for archive in ["forth.pgn", "back.pgn", "back.pgn.zst"] {
            let directory = format!("{archive}-{sample}");
            measure(&scratch, &directory, &options, &[archive]);
            let tables = tables(&scratch.join(&directory));
            assert!(tables["summary.csv"].contains("\ngames,1000\n"));
            assert!(tables["summary.csv"].contains(&format!("--by all --sample {sample}")));
            found.push([tables["notations.csv"].clone(), tables["by_eco.csv"].clone()]);
        }
        assert!(found.iter().all(|tables| *tables == found[0]));
        let all = &rows(&found[0][0])[0];
        let games: usize = all["games"].parse().unwrap();
        let expected = 10 * sample.trim_end_matches('%').parse::<usize>().unwrap();
        assert!(games.abs_diff(expected) * games.abs_diff(expected) < 16 * expected, "{games}");
    }
}

#[test]
fn what_does_not_go_together_is_refused() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", &text_of(&here(SOURCES)));
    measure(&scratch, "a", "", &["a.pgn"]);
    measure(&scratch, "b", "--by side", &["a.pgn"]);
    measure(&scratch, "old", "", &["a.pgn"]);
    let summary = fs::read_to_string(scratch.join("old/summary.csv")).unwrap();
    let current = summary.lines().nth(1).unwrap().to_string();
    scratch.write("old/summary.csv", summary.replace(&current, "schema_version,1").as_bytes());
    scratch.write("empty/nothing", b"");
    measure(&scratch, "broken", "", &["a.pgn"]);
    scratch.write("broken/lengths.csv", b"notation,characters,plies\nsan,2,many\n");
    measure(&scratch, "other", "", &["a.pgn"]);
    scratch.write("other/facts.csv", b"fact,count\n");
    measure(&scratch, "e", "--entropy", &["a.pgn"]);
    for (copy, gone) in [("no-tokens", "tokens.csv"), ("no-entropy", "entropy.csv")] {
        measure(&scratch, copy, "--entropy", &["a.pgn"]);
        fs::remove_file(scratch.join(copy).join(gone)).unwrap();
    }
    measure(&scratch, "odd", "--entropy", &["a.pgn"]);
    scratch.write("odd/ranks.csv", b"rank,plies,plies_of_first_half\n1,2,1\n0,2,1\n");
    measure(&scratch, "foreign", "--entropy", &["a.pgn"]);
    let tokens = |rows: &str| format!("notation,token,plies,plies_of_first_half\n{rows}");
    scratch.write("foreign/tokens.csv", tokens("san,e4,2,0\nnone,e4,2,0\n").as_bytes());
    measure(&scratch, "halves", "--entropy", &["a.pgn"]);
    scratch.write("halves/tokens.csv", tokens("san,e4,2,2\nsan,e5,2,3\n").as_bytes());
    measure(&scratch, "huge", "--entropy", &["a.pgn"]);
    let huge = format!("legal_moves,plies\n20,{}\n", u64::MAX);
    scratch.write("huge/legal_moves.csv", huge.as_bytes());
    for copy in ["no-symbols", "odd-code"] {
        measure(&scratch, copy, "--codes", &["a.pgn"]);
    }
    fs::remove_file(scratch.join("no-symbols/code_symbols.csv")).unwrap();
    scratch.write("odd-code/code_symbols.csv", b"code,symbol,plies\nply-context,1,2\n");
    measure(&scratch, "z3", "--compress zstd:3", &["a.pgn"]);
    measure(&scratch, "z4", "--compress zstd:3,zstd:4", &["a.pgn"]);
    for changed in [
        "broken",
        "other",
        "no-tokens",
        "no-entropy",
        "odd",
        "foreign",
        "halves",
        "huge",
        "no-symbols",
        "odd-code",
    ] {
        common::reseal(&scratch.join(changed));
    }
    common::twin(&scratch.join("a"), &scratch.join("again"));
    run(&scratch, &["merge", "--quiet", "-o", "done", "a", "again"]);
    let refused = |args: &[&str], words: &[&str]| {
        let output = run_in(scratch.path(), &[&["merge"], args].concat(), b"");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(words.iter().all(|word| said.contains(word)), "{args:?}: {said}");
        assert!(!scratch.join("sum").exists(), "{args:?}");
    };
    refused(&["-o", "sum", "a", "old"], &["old/summary.csv", "schema version 1", "version 3"]);
    refused(&["-o", "sum", "a", "b"], &["b/by_side.csv is there", "a/by_side.csv is not"]);
    refused(&["-o", "sum", "a", "empty"], &["cannot open empty/summary.csv"]);
    refused(&["-o", "sum", "a", "broken"], &["broken/lengths.csv", "line 2", "many"]);
    refused(&["-o", "sum", "other"], &["other/facts.csv", "fact,count,of,percent"]);
    refused(&["-o", "done", "a", "again"], &["exists already", "--overwrite"]);
    refused(&["-o", "sum"], &["DIR"]);
    refused(&["-o", "sum", "a", "e"], &["e/tokens.csv is there", "a/tokens.csv is not"]);
    refused(&["-o", "sum", "z3", "a"], &["z3/compress.csv is there", "a/compress.csv is not"]);
    refused(&["-o", "sum", "no-tokens"], &["no-tokens holds legal_moves.csv, but no tokens.csv"]);
    refused(&["-o", "sum", "no-entropy"], &["no-entropy holds tokens.csv, but no entropy.csv"]);
    refused(&["-o", "sum", "no-symbols"], &["no-symbols holds codes.csv, but no code_symbols.csv"]);
    refused(&["-o", "sum", "odd-code"], &["odd-code/code_symbols.csv", "line 2"]);
    refused(&["-o", "sum", "e", "odd"], &["odd/ranks.csv", "line 3"]);
    refused(&["-o", "sum", "e", "foreign"], &["foreign/tokens.csv", "line 3"]);
    refused(&["-o", "sum", "e", "halves"], &["halves/tokens.csv", "line 3"]);
    refused(&["-o", "sum", "e", "huge"], &["huge/legal_moves.csv", "line 2"]);
    refused(&["-o", "sum", "z3", "z4"], &["z4/compress.csv", "other compressors"]);
    let twice = tables(&scratch.join("done"));
    assert!(twice["summary.csv"].contains("\ngames,6\n"), "{}", twice["summary.csv"]);
    // A directory may take in its own sum.
    run(&scratch, &["merge", "--quiet", "--overwrite", "-o", "done", "done", "a"]);
    assert!(tables(&scratch.join("done"))["summary.csv"].contains("\ngames,9\n"));
}

/// Whatever happens to a table between a measurement and the merge, or to the list of tables, it is refused by name:
/// cut at any byte, rows that are removed or doubled, other bytes, a table of another part, a file that was not copied.
#[test]
fn tables_that_were_cut_changed_or_not_copied_are_refused_by_name() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", &text_of(&here(SOURCES)));
    scratch.write("b.pgn", b"[Event \"b\"]\n\n1. e4 e5 2. Nf3 *\n\n");
    for (directory, archive) in [("a", "a.pgn"), ("b", "b.pgn"), ("c", "a.pgn")] {
        let by = trials("--by year,eco,phase", "--by all", "--by all");
        measure(&scratch, directory, &format!("{by} --per-game --entropy"), &[archive]);
    }
    run(&scratch, &["merge", "--quiet", "-o", "whole", "a", "b"]);
    let of_b = tables(&scratch.join("b"));
    let mut tried = 0;
    for (name, text) in tables(&scratch.join("a")) {
        let path = scratch.join("a").join(&name);
        let line_ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        let mut changed: Vec<Option<Cow<str>>> = vec![None, Some("".into())];
        let cuts = line_ends.iter().copied().filter(|&end| end < text.len());
        changed.extend(
            cuts.chain([text.len() - 1, text.len() - 2]).map(|end| Some(text[..end].into())),
        );
        let last = text.split_inclusive('\n').next_back().unwrap();
        changed.push(Some(format!("{text}{last}").into()));
        changed.push((of_b[&name] != text).then(|| of_b[&name].as_str().into()));
        if let Some(at) = text.rfind(|byte: char| byte.is_ascii_digit()) {
            let mut other = text.clone().into_bytes();
            other[at] = if other[at] == b'1' { b'2' } else { b'1' };
            changed.push(Some(String::from_utf8(other).unwrap().into()));
        }
        let step = 1 + changed.len() / trials(4, 6, 400);
        let few = changed
            .iter()
            .enumerate()
            .filter(|(at, _)| *at < 4 || at % step == 0 || at + 5 > changed.len());
        for (_, text) in few {
            match text {
                None => fs::remove_file(&path).unwrap(),
                Some(text) => fs::write(&path, text.as_bytes()).unwrap(),
            }
            let output = run_in(scratch.path(), &["merge", "-o", "sum", "a", "c"], b"");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            assert_eq!(output.status.code(), Some(2), "{name}: {text:?}: {said}");
            assert!(said.contains("a/"), "{name}: {text:?}: {said}");
            assert!(!scratch.join("sum").exists(), "{name}");
            tried += 1;
        }
        fs::write(&path, &text).unwrap();
    }
    assert!(tried > 100, "{tried}");
    // A table that the run did not write.
    measure(&scratch, "few", "", &["a.pgn"]);
    for table in ["by_year.csv", "games.csv", "tokens.csv"] {
        fs::copy(scratch.join("a").join(table), scratch.join("few").join(table)).unwrap();
        let output = run_in(scratch.path(), &["merge", "-o", "sum", "few"], b"");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && said.contains(table), "{table}: {said}");
        fs::remove_file(scratch.join("few").join(table)).unwrap();
    }
    run(&scratch, &["merge", "--quiet", "-o", "sum", "a", "b"]);
    assert_eq!(tables(&scratch.join("sum")), tables(&scratch.join("whole")));
}

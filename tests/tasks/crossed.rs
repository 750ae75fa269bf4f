//! Products of dimensions (`measure --by A*B`), standardised groups, weights and held-out entropies: each is compared
//! with what follows from the games one by one, or from other tables, and does not depend on threads, runs or splits.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Cursor;
use std::path::Path;

use crate::common::{
    SAMPLE, Scratch, errors_of, exit_code, here, name_of, run_in, text_of, thinned, trials,
};
use pgnmill_core::tables::{Dimension, Product};
use pgnmill_io::archive::games::Games;

type Row = BTreeMap<String, String>;
/// Games, plies, characters and bytes.
type Counts = [u64; 4];
type Table = BTreeMap<Vec<String>, Counts>;

const COUNTS: [&str; 4] = ["games", "plies", "characters", "bytes"];
const BY: &str =
    "--by=source*phase*length,rating*speed,side*role*check,phase*ply,source*move,length*source";

/// Games of the sample, a game without a move, and games that are longer than the last group of plies, and longer than
/// is kept; one of them does not begin where games usually do.
fn games(count: usize) -> Vec<Vec<u8>> {
    let sample = text_of(&here(SAMPLE));
    let online = text_of(&here("data/lichess.pgn.zst"));
    let of = |text: &[u8], step: usize| -> Vec<Vec<u8>> {
        Games::new(text).step_by(step).take(count).map(|(_, game)| game.to_vec()).collect()
    };
    let long = |tags: &str, plies: usize| {
        let moves = ["Nf3", "Nf6", "Ng1", "Ng8"];
        let words = (0..plies).map(|ply| moves[ply % 4]).collect::<Vec<_>>().join(" ");
        format!("[Event \"long\"]\n[Result \"*\"]\n{tags}\n{words} *\n\n").into_bytes()
    };
    let fen = "[SetUp \"1\"]\n[FEN \"4k1n1/8/8/8/8/8/8/4K1N1 w - - 0 1\"]\n";
    let others = vec![long("", 700), long("", 8_192), long(fen, 9_001), long("", 0)];
    [of(&sample, 97), of(&online, 31), others].concat()
}

fn run(scratch: &Scratch, words: &[&str]) {
    let done = run_in(scratch.path(), words, b"");
    assert!(exit_code(&done) < 2, "{words:?}: {}", errors_of(&done));
}

fn measure(scratch: &Scratch, words: &[&str]) {
    run(scratch, &[&["measure", "-q", "--overwrite"], words].concat());
}

fn rows(path: &Path) -> Vec<Row> {
    let mut table = csv::Reader::from_path(path).unwrap_or_else(|it| panic!("{path:?}: {it}"));
    table.deserialize::<Row>().map(Result::unwrap).collect()
}

fn count(row: &Row, column: &str) -> u64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} of {row:?}"))
}

fn decimal(row: &Row, column: &str) -> f64 {
    row[column].parse().unwrap_or(f64::NAN)
}

/// The counts of a table by these columns.
fn counts(path: &Path, keys: &[&str]) -> Table {
    let mut table = Table::new();
    for row in rows(path) {
        let key = keys.iter().map(|key| row[*key].clone()).collect();
        add(&mut table, key, COUNTS.map(|column| count(&row, column)));
    }
    table
}

fn add(table: &mut Table, key: Vec<String>, counts: Counts) {
    let sums = table.entry(key).or_default();
    sums.iter_mut().zip(counts).for_each(|(sum, more)| *sum += more);
}

fn product(names: &str) -> Product {
    let dimensions = names.split('*').map(|name| Dimension::from_name(name).unwrap());
    Product::of(&dimensions.collect::<Vec<_>>()).unwrap()
}

/// The columns of keys of a product, and `notation`.
fn keys_of(product: Product) -> Vec<&'static str> {
    product.dimensions().map(Dimension::column_name).chain(["notation"]).collect()
}

/// All tables of a directory.
fn tables(directory: &Path) -> BTreeMap<String, String> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    let entries = entries.filter(|path| path.extension().is_some_and(|end| end == "csv"));
    entries.map(|path| (name_of(&path), fs::read_to_string(&path).unwrap())).collect()
}

/// Each game is in one group of a dimension of games: of it, the product has the rows by the dimension of plies.
#[test]
fn groups_are_those_of_each_game() {
    let scratch = Scratch::new();
    let products =
        ["phase*length", "rating*side*speed", "source*role", "length*speed", "phase*ply*result"];
    let by = format!("--by={}", products.join(","));
    let games = games(trials(5, 40, 100));
    let mut expected: BTreeMap<&str, Table> = BTreeMap::new();
    for game in &games {
        scratch.write("games.pgn", game);
        measure(&scratch, &["--notations=san,uci,stamma", "--by=all", "-o", "one", "games.pgn"]);
        for names in products {
            let dimensions: Vec<Dimension> = product(names).dimensions().collect();
            let file = |it: &Dimension| scratch.join("one").join(it.file());
            let of_plies: Vec<&Dimension> =
                dimensions.iter().filter(|it| it.is_of_plies()).collect();
            if of_plies.len() > 1 {
                continue;
            }
            let whole = counts(&scratch.join("one/notations.csv"), &["notation"]);
            let by_plies = match of_plies.first() {
                Some(it) => counts(&file(it), &["key", "notation"]),
                None => whole
                    .into_iter()
                    .map(|(key, it)| ([vec![String::new()], key].concat(), it))
                    .collect(),
            };
            for (key, sums) in by_plies.into_iter().filter(|(_, sums)| sums[0] > 0) {
                let group = |it: &Dimension| match it.is_of_plies() {
                    true => key[0].clone(),
                    false => rows(&file(it))[0]["key"].clone(),
                };
                let groups = dimensions.iter().map(group).chain([key[1].clone()]);
                add(expected.entry(names).or_default(), groups.collect(), sums);
            }
        }
    }
    scratch.write("games.pgn", &games.concat());
    measure(&scratch, &["--notations=san,uci,stamma", &by, "-o", "all", "games.pgn"]);
    for (names, expected) in &expected {
        let product = product(names);
        let found = counts(&scratch.join("all").join(product.file()), &keys_of(product));
        assert_eq!(found, *expected, "{names}");
        assert!(found.len() > 12, "{names}");
    }
    assert_eq!(expected.len(), products.len() - 1);
}

/// Side, piece type and check, from the texts of the games alone.
#[test]
fn groups_of_plies_are_those_of_their_texts() {
    let scratch = Scratch::new();
    let sample = text_of(&here(SAMPLE));
    let end = Games::new(&sample).nth(trials(120, 900, 900)).expect("a longer sample").0;
    scratch.write("games.pgn", &sample[..end]);
    measure(&scratch, &["--notations=san,uci", "--by=check*side*role", "-o", "t", "games.pgn"]);
    let mut expected = Table::new();
    let notations = ["san", "uci", "economical-letters"];
    let reader = Cursor::new(sample[..end].to_vec());
    let mut games = pgnmill::Reader::from_reader("games", reader).unwrap().games();
    while let Some(game) = games.next().unwrap() {
        if game.fault().is_some() {
            continue;
        }
        let mut met = BTreeSet::new();
        for (number, ply) in game.moves().enumerate() {
            let of = |name| ply.text_in(pgnmill::find_notation(name).unwrap()).to_string();
            let san = of("san");
            let side = ["white", "black"][number % 2];
            let role = match san.as_bytes()[0] {
                b'N' => "knight",
                b'B' => "bishop",
                b'R' => "rook",
                b'Q' => "queen",
                b'K' | b'O' => "king",
                _ => "pawn",
            };
            let check = match san.as_bytes().last() {
                Some(b'+') => "check",
                Some(b'#') => "mate",
                _ => "none",
            };
            for name in notations {
                let key = [side, role, check, name].map(String::from).to_vec();
                let length = of(name).chars().count() as u64;
                let is_first = met.insert(key.clone());
                add(&mut expected, key, [u64::from(is_first), 1, length, length]);
            }
        }
    }
    let product = product("side*role*check");
    let found = counts(&scratch.join("t").join(product.file()), &keys_of(product));
    assert_eq!(found, expected);
    assert!(found.len() > 80, "{}", found.len());
}

/// The groups of a product sum to those of each of its dimensions; games, if no other is of plies.
#[test]
fn margins_are_the_tables_by_dimension() {
    let scratch = Scratch::new();
    scratch.write("a.pgn", &games(60).concat());
    scratch.write("b.pgn", &games(3).concat());
    measure(&scratch, &["--notations=main", BY, "-o", "t", "a.pgn", "b.pgn"]);
    let products = BY["--by=".len()..].split(',').map(product);
    for product in products.collect::<BTreeSet<_>>() {
        let file = scratch.join("t").join(product.file());
        for dimension in product.dimensions() {
            let by = counts(&scratch.join("t").join(dimension.file()), &["key", "notation"]);
            let mut sums = counts(&file, &[dimension.column_name(), "notation"]);
            if product.dimensions().any(|other| other != dimension && other.is_of_plies()) {
                for (key, sums) in &mut sums {
                    assert!(sums[0] >= by[key][0] || sums[1] == 0, "{product:?} {key:?}");
                    sums[0] = by[key][0];
                }
            }
            // A game without a move is in no group of plies.
            let with_plies = |table: Table| -> Table {
                table.into_iter().filter(|(_, sums)| sums[1] > 0).collect()
            };
            let (mut sums, mut by) = (with_plies(sums), with_plies(by));
            let is_of_plies = product.dimensions().any(Dimension::is_of_plies);
            for sums in by.values_mut().chain(sums.values_mut()).filter(|_| is_of_plies) {
                sums[0] = 0;
            }
            assert_eq!(sums, by, "{product:?}, {dimension:?}");
        }
    }
}

/// One run with any number of threads, several runs, and runs over splits: the same bytes.
#[test]
fn threads_runs_and_splits_change_nothing() {
    let scratch = Scratch::new();
    let options = ["--notations=main", BY, "--cluster=game,event", "--entropy"];
    let names = ["a.pgn", "b.pgn", "c.pgn"];
    let games = games(trials(30, 200, 400));
    for (number, name) in names.iter().enumerate() {
        let own: Vec<u8> = games.iter().skip(number).step_by(3).flatten().copied().collect();
        scratch.write(name, &own);
    }
    let measured = |directory: &str, words: &[&str]| {
        measure(&scratch, &[&options[..], &["-o", directory], words].concat());
        tables(&scratch.join(directory))
    };
    let mut expected = measured("one", &[&["--threads=1"], &names[..]].concat());
    assert!(
        expected.contains_key("standardised_source.csv") && expected.contains_key("weights.csv")
    );
    for threads in thinned(2, ["--threads=2", "--threads=7"]) {
        let words = [&[threads, "--range-bytes=4099"], &names[..]].concat();
        assert_eq!(measured("other", &words), expected, "{threads}");
    }
    let runs = [&names[..1], &names[1..]].map(|it| it.to_vec());
    for (number, archives) in runs.iter().enumerate() {
        measured(&format!("run{number}"), archives);
    }
    run(&scratch, &["merge", "-q", "-o", "sum", "run1", "run0"]);
    assert_eq!(tables(&scratch.join("sum")), expected);
    let shown = run_in(scratch.path(), &[&["splits", "--target=40KiB"], &names[..]].concat(), b"");
    let splits = String::from_utf8(shown.stdout).unwrap();
    let mut merge: Vec<String> = ["merge", "-q", "-o", "of-splits"].map(String::from).to_vec();
    for (number, split) in splits.lines().enumerate() {
        let directory = format!("split{number}");
        measured(&directory, &["--split", split]);
        merge.push(directory);
    }
    assert!(merge.len() > 7, "{splits}");
    run(&scratch, &merge.iter().map(String::as_str).collect::<Vec<_>>());
    let mut of_splits = tables(&scratch.join("of-splits"));
    for table in ["summary.csv", "tables.csv", "ledger.csv"] {
        expected.remove(table);
        of_splits.remove(table);
    }
    assert_eq!(of_splits, expected);
}

/// A product has a bounded number of archives: the first ones by name, in any number of runs. A table of a product that
/// one run has and another has not is refused.
#[test]
fn archives_are_bounded() {
    let scratch = Scratch::new();
    let most = product("source*ply").sources_max();
    assert!((20..30).contains(&most), "{most}");
    let names: Vec<String> = (0..most + 7).map(|number| format!("{number:02}.pgn")).collect();
    for (number, name) in names.iter().enumerate() {
        let moves = ["1. e4 *", "1. e4 e5 *", "1. Nf3 Nf6 2. Ng1 *"][number % 3];
        scratch.write(name, format!("[Event \"{number}\"]\n\n{moves}\n").as_bytes());
    }
    let measured = |directory: &str, by: &str, names: &[&str]| {
        measure(&scratch, &[&["--notations=san", by, "-o", directory], names].concat());
    };
    let all: Vec<&str> = names.iter().map(String::as_str).collect();
    measured("all", "--by=source*ply", &all);
    let file = product("source*ply").file();
    let rows = rows(&scratch.join("all").join(file));
    let sources: BTreeSet<&String> = rows.iter().map(|row| &row["source"]).collect();
    assert_eq!(sources.len(), most + 1);
    assert!(sources.iter().any(|name| *name == "(other archives)"));
    for (number, part) in ["x", "y", "z"].iter().enumerate() {
        let own: Vec<&str> = all.iter().skip(number).step_by(3).copied().collect();
        measured(part, "--by=ply*source", &own);
    }
    run(&scratch, &["merge", "-q", "-o", "xy", "z", "y"]);
    run(&scratch, &["merge", "-q", "-o", "xyz", "xy", "x"]);
    assert_eq!(tables(&scratch.join("xyz"))[file], tables(&scratch.join("all"))[file]);
    measured("w", "--by=ply,source", &all[..2]);
    let refused = run_in(scratch.path(), &["merge", "-q", "-o", "no", "x", "w"], b"");
    assert!(exit_code(&refused) == 2 && errors_of(&refused).contains(file), "{refused:?}");
    // What is measured anew has no tables of another measurement.
    measured("all", "--by=ply", &all[..2]);
    assert!(!scratch.join("all").join(file).exists());
    for (by, word) in [
        ("month*eco", "groups are possible"),
        ("side*side", "twice"),
        ("side*role*phase*check", "4 dimensions"),
        ("side*moon", "no dimension moon"),
        ("side*", "no dimension"),
    ] {
        let refused = run_in(scratch.path(), &["measure", "--by", by, "-o", "no", all[0]], b"");
        let said = errors_of(&refused);
        assert!(exit_code(&refused) == 2 && said.contains(word), "{by}: {said}");
    }
}

/// Standardised means, from the table of the product.
#[test]
fn standardised_groups_are_those_of_the_cells() {
    let scratch = Scratch::new();
    let games = games(trials(60, 300, 600));
    for (number, name) in ["a.pgn", "b.pgn", "c.pgn"].iter().enumerate() {
        let own = games.iter().enumerate().filter(|(at, _)| (at * at / 3 + at) % 3 == number);
        scratch.write(name, &own.flat_map(|(_, game)| game.clone()).collect::<Vec<u8>>());
    }
    let fixed = ["--notations=main,stamma", "--by=source*phase*length,speed*phase*length"];
    measure(&scratch, &[&fixed[..], &["-o", "t", "a.pgn", "b.pgn", "c.pgn"]].concat());
    let mut partial = 0;
    for dimension in ["source", "speed"] {
        let product = product(&format!("{dimension}*phase*length"));
        let cells = counts(
            &scratch.join("t").join(product.file()),
            &[dimension, "phase", "length", "notation"],
        );
        // The plies of each cell, of all groups.
        let mut standard: BTreeMap<&[String], f64> = BTreeMap::new();
        for (key, sums) in cells.iter().filter(|(key, _)| key[3] == "san") {
            *standard.entry(&key[1..3]).or_default() += sums[1] as f64;
        }
        let all: f64 = standard.values().sum();
        let mean = |group: &str, notation: &str| {
            let own = cells
                .iter()
                .filter(|(key, sums)| key[0] == group && key[3] == notation && sums[1] > 0);
            let terms = own.map(|(key, sums)| {
                let weight = standard[&key[1..3]] / all;
                (weight * sums[2] as f64 / sums[1] as f64, weight)
            });
            let (sum, share) = terms.fold((0.0, 0.0), |a, b| (a.0 + b.0, a.1 + b.1));
            (sum / share, share)
        };
        let table = rows(&scratch.join(&format!("t/standardised_{dimension}.csv")));
        let by = rows(&scratch.join("t").join(format!("by_{dimension}.csv")));
        for row in &table {
            let (key, notation) = (&row["key"], &row["notation"]);
            let (own, share) = mean(key, notation);
            let close = |column: &str, expected: f64, within: f64| {
                let found = decimal(row, column);
                let is_none = found.is_nan() && !expected.is_finite();
                assert!(
                    is_none || (found - expected).abs() <= within,
                    "{column} {expected}: {row:?}"
                );
            };
            close("standardised_characters_per_ply", own, 0.000_501);
            close("share_percent", 100.0 * share, 0.005_01);
            let plain =
                by.iter().find(|it| it["key"] == *key && it["notation"] == *notation).unwrap();
            for (base, column) in
                [("san", "vs_san"), ("economical-letters", "vs_economical_letters")]
            {
                let column = format!("change_percent_{column}");
                if plain[&column].is_empty() {
                    assert_eq!(row[&format!("standardised_{column}")], "", "{row:?}");
                } else {
                    let change = 100.0 * (own / mean(key, base).0 - 1.0);
                    close(&format!("standardised_{column}"), change, 0.005_01);
                }
                assert_eq!(plain[&column], row[&column]);
            }
            assert_eq!(
                [&plain["plies"], &plain["characters_per_ply"]],
                [&row["plies"], &row["characters_per_ply"]]
            );
            partial += u32::from(share < 0.999);
        }
        let keys = |rows: &[Row]| -> Vec<String> {
            rows.iter().map(|it| it["key"].clone() + &it["notation"]).collect()
        };
        assert_eq!(keys(&table), keys(&by), "the order of the groups");
    }
    assert!(partial > 20, "{partial}");
    // With one group all is as without standardisation.
    measure(&scratch, &[&fixed[..1], &["--by=source*phase*length", "-o", "one", "a.pgn"]].concat());
    for row in rows(&scratch.join("one/standardised_source.csv")) {
        for column in
            ["characters_per_ply", "change_percent_vs_san", "change_percent_vs_economical_letters"]
        {
            if row["notation"] == "stamma" {
                continue;
            }
            let standard = &row[&format!("standardised_{column}")];
            let (plain, standard) = (decimal(&row, column), standard.parse::<f64>().unwrap());
            assert!(
                (plain - standard).abs() < 0.010_1 && row["share_percent"] == "100.00",
                "{row:?}"
            );
        }
    }
}

/// Means and changes by what counts the same, from the rows of games and of archives.
#[test]
fn weights_are_those_of_plies_games_and_archives() {
    let scratch = Scratch::new();
    let games = games(trials(60, 300, 600));
    let mut archives = vec!["a.pgn", "b.pgn", "c.pgn"];
    for (number, name) in archives.iter().enumerate() {
        let own: Vec<u8> =
            games.iter().skip(number * 5).step_by(3 + 7 * number).flatten().copied().collect();
        scratch.write(name, &own);
    }
    // An archive without a move is none of the archives.
    scratch.write("d.pgn", b"[Event \"none\"]\n\n*\n");
    archives.push("d.pgn");
    let fixed = ["--per-game", "--notations=main", "--by=source", "--cluster=game", "-o", "t"];
    measure(&scratch, &[&fixed[..], &archives].concat());
    let table = |name: &str| rows(&scratch.join("t").join(name));
    let single = table("games.csv");
    let of = |game: &Row, name: &str| {
        [count(game, &format!("characters_{}", name.replace('-', "_"))), count(game, "plies")]
    };
    let bases = ["", "san", "economical-letters"];
    let mut seen = BTreeMap::new();
    for row in table("weights.csv") {
        let name = row["notation"].as_str();
        // Characters in this notation, and plies or characters in the other, of each game.
        let pairs = |base: &str| -> Vec<(String, [u64; 2])> {
            let with_moves = single.iter().filter(|game| count(game, "plies") > 0);
            let pair = |game: &Row| {
                let below = if base.is_empty() { of(game, name)[1] } else { of(game, base)[0] };
                (game["archive"].clone(), [of(game, name)[0], below])
            };
            with_moves.map(pair).collect()
        };
        let sum = |pairs: &[(String, [u64; 2])], archive: &str| {
            let own = pairs.iter().filter(|(of, _)| archive.is_empty() || of == archive);
            own.fold([0; 2], |sum, (_, pair)| [sum[0] + pair[0], sum[1] + pair[1]])
        };
        let quotient = |[above, below]: [u64; 2]| above as f64 / below as f64;
        let mean = |ratios: Vec<f64>| ratios.iter().sum::<f64>() / ratios.len() as f64;
        let ratio = |base: &str| {
            let pairs = pairs(base);
            match row["weight"].as_str() {
                "ply" => quotient(sum(&pairs, "")),
                "game" => mean(pairs.iter().map(|(_, pair)| quotient(*pair)).collect()),
                _ => mean(archives[..3].iter().map(|it| quotient(sum(&pairs, it))).collect()),
            }
        };
        let columns =
            ["characters_per_ply", "change_percent_vs_san", "change_percent_vs_economical_letters"];
        for (base, column) in bases.into_iter().zip(columns) {
            let expected = if base.is_empty() { ratio(base) } else { 100.0 * (ratio(base) - 1.0) };
            let within = if base.is_empty() { 0.000_051 } else { 0.000_61 };
            assert!(
                (decimal(&row, column) - expected).abs() < within,
                "{column} {expected}: {row:?}"
            );
        }
        let units = match row["weight"].as_str() {
            "ply" => sum(&pairs(""), "")[1],
            "game" => pairs("").len() as u64,
            _ => 3,
        };
        assert_eq!(count(&row, "units"), units, "{row:?}");
        *seen.entry(row["weight"].clone()).or_insert(0) += 1;
    }
    assert_eq!(seen.into_values().collect::<Vec<_>>(), [8, 8, 8]);
}

/// Bits of each half of the games with the frequencies of the other, from the tables of frequencies; a game and its
/// repeats are in one half, and neither half is much larger.
#[test]
fn held_out_bits_are_those_of_the_other_half() {
    let scratch = Scratch::new();
    let all = games(trials(80, 400, 400));
    scratch.write("games.pgn", &all.concat());
    measure(&scratch, &["--notations=main", "--entropy", "-o", "t", "games.pgn"]);
    let halves = |directory: &str, file: &str, name: Option<&str>| -> Vec<[f64; 2]> {
        let rows = rows(&scratch.join(directory).join(file));
        let own = rows.iter().filter(|row| name.is_none_or(|name| row["notation"] == name));
        let of = |row: &Row| {
            let [all, first] = ["plies", "plies_of_first_half"].map(|it| count(row, it));
            assert!(first <= all, "{row:?}");
            [first as f64, (all - first) as f64]
        };
        own.map(of).collect()
    };
    let mut seen = 0;
    for row in rows(&scratch.join("t/entropy.csv")) {
        let code = row["code"].as_str();
        let counts = match code {
            "uci-12-bits" | "legal-moves" | "rank-huffman" => {
                assert_eq!(row["bits_per_ply_held_out"], "");
                continue;
            }
            "rank-entropy" => halves("t", "ranks.csv", None),
            name => halves("t", "tokens.csv", Some(name)),
        };
        let (types, mut bits, mut plies) = (counts.len() as f64, 0.0, 0.0);
        for coded in [0, 1] {
            let learnt: f64 = counts.iter().map(|it| it[1 - coded]).sum();
            for count in &counts {
                let probability = (count[1 - coded] + 0.5) / (learnt + 0.5 * types);
                bits -= count[coded] * probability.log2();
                plies += count[coded];
            }
        }
        let found = decimal(&row, "bits_per_ply_held_out");
        assert!((found - bits / plies).abs() < 0.000_051, "{code}: {found} {}", bits / plies);
        assert!(found > decimal(&row, "bits_per_ply"), "{row:?}");
        let first: f64 = counts.iter().map(|it| it[0]).sum();
        assert_eq!(plies, decimal(&row, "plies"));
        assert!(
            code == "rank-entropy" || (0.02..0.98).contains(&(first / plies)),
            "{code}: {first}"
        );
        seen += 1;
    }
    assert_eq!(seen, 9);
    // Each game is in one half, whatever its tag pairs and however often it occurs.
    let mut sides = [0; 2];
    for game in &all[..trials(8, 40, 80)] {
        let text = String::from_utf8_lossy(game).replace("[Event \"", "[Event \"again ");
        scratch.write("games.pgn", &[game, text.as_bytes()].concat());
        measure(&scratch, &["--notations=san", "--entropy", "-o", "one", "games.pgn"]);
        let counts = halves("one", "ranks.csv", None);
        let sums = [0, 1].map(|half| counts.iter().map(|it| it[half]).sum::<f64>());
        assert!(sums.contains(&0.0) && sums != [0.0; 2], "{sums:?}: {text}");
        let held_out = &rows(&scratch.join("one/entropy.csv"))[0]["bits_per_ply_held_out"];
        assert_eq!(held_out, "", "one half is empty");
        sides[usize::from(sums[0] == 0.0)] += 1;
    }
    assert!(sides.iter().all(|&games| games > 0), "{sides:?}");
}

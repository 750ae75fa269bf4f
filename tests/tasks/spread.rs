//! How games differ (`measure --cluster`): in the tables of one game every square is the square of a sum; the tables of
//! many games are the sums of those of each; groups, plies and characters are those of the tables by dimension; and
//! what is counted of single games follows from `games.csv`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::common::{Dice, SAMPLE, Scratch, here, run_in, text_of, trials};
use pgnmill_core::notation::MAIN;
use pgnmill_core::tables::Dimension;
use pgnmill_io::archive::games::Games;

/// Games of the sample, one that is longer than the last group of plies, and one that is longer than is kept.
fn games(count: usize) -> Vec<Vec<u8>> {
    let sample = text_of(&here(SAMPLE));
    let online = text_of(&here("data/lichess.pgn.zst"));
    let of = |text: &[u8], step: usize| -> Vec<Vec<u8>> {
        Games::new(text).step_by(step).take(count).map(|(_, game)| game.to_vec()).collect()
    };
    let moves = ["Nf3", "Nf6", "Ng1", "Ng8"];
    let long = |plies: usize| {
        let words = (0..plies).map(|ply| moves[ply % 4]).collect::<Vec<_>>().join(" ");
        format!("[Event \"long\"]\n[Result \"*\"]\n\n{words} *\n\n").into_bytes()
    };
    [of(&sample, 97), of(&online, 31), vec![long(700), long(8_192), long(9_001)]].concat()
}

fn measure(scratch: &Scratch, words: &[&str]) {
    let fixed = ["measure", "-q", "--notations=main", "--by=all", "--cluster=game,event,player"];
    let done = run_in(scratch.path(), &[&fixed, words].concat(), b"");
    assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
}

/// A row of a table: each value by its column.
type Row = BTreeMap<String, String>;

/// The rows of a table.
fn rows(path: &Path) -> Vec<Row> {
    let mut table = csv::Reader::from_path(path).unwrap();
    let rows = table.deserialize::<Row>();
    rows.map(Result::unwrap).collect()
}

fn count(row: &Row, column: &str) -> u64 {
    row[column].parse().unwrap_or_else(|_| panic!("{column} of {row:?}"))
}

/// The tables of standard errors of a directory.
fn tables_of_errors(directory: &Path) -> Vec<String> {
    let by = Dimension::ALL.map(|dimension| dimension.se_schema().file.to_string());
    let all: Vec<String> = ["se.csv".to_string()].into_iter().chain(by).collect();
    all.iter().for_each(|table| assert!(directory.join(table).exists(), "{table}"));
    all
}

#[test]
fn squares_of_one_game_are_squares_and_many_games_are_their_sum() {
    let scratch = Scratch::new();
    let games = games(trials(4, 8, 14));
    let mut all = Vec::new();
    let mut merge = vec!["merge".to_string(), "-q".into(), "-o".into(), "merged".into()];
    for (number, game) in games.iter().enumerate() {
        let (name, directory) = ("games.pgn", format!("one{number}"));
        scratch.write(name, game);
        all.extend_from_slice(game);
        measure(&scratch, &["-o", &directory, name]);
        merge.push(directory.clone());
        let directory = scratch.join(&directory);
        for table in tables_of_errors(&directory) {
            let rows = rows(&directory.join(&table));
            let key = |row: &Row| row.get("key").cloned();
            let characters: BTreeMap<_, _> = rows
                .iter()
                .map(|row| ((key(row), row["notation"].as_str()), count(row, "characters")))
                .collect();
            let base = |row, name| characters[&(key(row), name)];
            for row in &rows {
                let [plies, characters] = ["plies", "characters"].map(|column| count(row, column));
                let expected = [
                    ("games", 1),
                    ("plies_squared", plies * plies),
                    ("characters_times_plies", characters * plies),
                    ("characters_squared", characters * characters),
                    ("characters_times_san", characters * base(row, "san")),
                    (
                        "characters_times_economical_letters",
                        characters * base(row, "economical-letters"),
                    ),
                ];
                for (column, expected) in expected {
                    assert_eq!(count(row, column), expected, "{number} {table} {column}: {row:?}");
                }
                assert_eq!(row["se"], "", "one game has no error");
            }
        }
    }
    scratch.write("games.pgn", &all);
    let words: Vec<&str> = merge.iter().map(String::as_str).collect();
    let done = run_in(scratch.path(), &words, b"");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    for threads in ["1", "2", "7"] {
        let directory = format!("all{threads}");
        measure(&scratch, &["--threads", threads, "-o", &directory, "games.pgn"]);
        let tables = tables_of_errors(&scratch.join(&directory)).into_iter();
        for table in tables.chain(
            ["changes.csv", "clusters.csv", "clusters_by.csv", "archives.csv"].map(String::from),
        ) {
            let read = |of: &str| fs::read_to_string(scratch.join(of).join(&table)).unwrap();
            assert_eq!(read("merged"), read(&directory), "{table}, {threads} threads");
        }
    }
}

#[test]
fn groups_are_those_of_the_tables_by_dimension() {
    let scratch = Scratch::new();
    scratch.write("games.pgn", &games(60).concat());
    measure(&scratch, &["-o", "t", "games.pgn"]);
    for dimension in Dimension::ALL {
        let [by, se] = [dimension.file(), dimension.se_schema().file].map(|file| {
            let rows = rows(&scratch.join("t").join(file));
            let key = |row: &Row| (row["key"].clone(), row["notation"].clone());
            let sums = ["games", "plies", "characters"];
            // Games without a move are no clusters.
            let with_moves = rows.into_iter().filter(|row| count(row, "plies") > 0);
            let pairs = with_moves.map(|row| (key(&row), sums.map(|column| count(&row, column))));
            pairs.collect::<BTreeMap<_, _>>()
        });
        for (key, [games, plies, characters]) in &se {
            let [all, others @ ..] = by[key];
            assert!(*games <= all && [*plies, *characters] == others, "{dimension:?} {key:?}");
        }
        assert_eq!(by.len(), se.len(), "{dimension:?}");
    }
}

/// What `changes.csv` says of whole games, from the row of each game; and the sums of the random groups.
#[test]
fn distributions_follow_from_the_table_of_games() {
    let scratch = Scratch::new();
    scratch.write("games.pgn", &games(200).concat());
    measure(&scratch, &["--per-game", "-o", "t", "games.pgn"]);
    let table = |name: &str| rows(&scratch.join("t").join(name));
    let mut expected: BTreeMap<[String; 3], u64> = BTreeMap::new();
    let games = table("games.csv");
    for game in games.iter().filter(|game| count(game, "plies") >= 20) {
        for base in ["san", "economical-letters"] {
            let of = |name: &str| count(game, &format!("characters_{}", name.replace('-', "_")));
            for name in ["san", "long", "uci", "economical-letters", "economical-squares-legal"] {
                let ratio = (1_000 * of(name) / of(base)).min(2_000) / 5 * 5;
                let key = [base.to_string(), name.to_string(), ratio.to_string()];
                *expected.entry(key).or_default() += u64::from(name != base);
            }
        }
    }
    let changes = table("changes.csv");
    for ([base, name, ratio], games) in expected.into_iter().filter(|(_, games)| *games > 0) {
        let is_it = |row: &&Row| {
            (row["span"].as_str(), &row["against"], &row["notation"], &row["length_per_mille"])
                == ("game", &base, &name, &ratio)
        };
        let found = changes.iter().find(is_it).map(|row| count(row, "games"));
        assert_eq!(found, Some(games), "{base} {name} {ratio}");
    }
    let se = table("se.csv");
    for (by, times) in [("event", 1), ("player", 2)] {
        for row in &se {
            let groups = table("clusters.csv");
            let own =
                groups.iter().filter(|it| it["by"] == by && it["notation"] == row["notation"]);
            let sums = own.fold([0; 3], |mut sums, group| {
                for (sum, column) in sums.iter_mut().zip(["games", "plies", "characters"]) {
                    *sum += count(group, column);
                }
                sums
            });
            let whole = ["games", "plies", "characters"].map(|column| times * count(row, column));
            assert_eq!(sums, whole, "{by} {}", row["notation"]);
        }
    }
}

/// A span has the games that are long enough for it, those of exactly so many plies among them.
#[test]
fn spans_have_the_games_that_are_long_enough() {
    let scratch = Scratch::new();
    let game = |plies: usize| {
        let moves = ["Nf3", "Nf6", "Ng1", "Ng8"];
        let words = (0..plies).map(|ply| moves[ply % 4]).collect::<Vec<_>>().join(" ");
        format!("[Event \"a\"]\n[Result \"*\"]\n\n{words} *\n\n")
    };
    let lengths = [19, 20, 21, 39, 40, 41, 59, 60, 61, 100];
    scratch.write("games.pgn", lengths.map(game).concat().as_bytes());
    measure(&scratch, &["-o", "t", "games.pgn"]);
    let changes = rows(&scratch.join("t/changes.csv"));
    for (span, plies_min) in [("game", 20), ("first-20-moves", 40), ("later", 60)] {
        let is_it = |row: &&Row| {
            (row["span"].as_str(), row["against"].as_str(), row["notation"].as_str())
                == (span, "san", "long")
        };
        let games: u64 = changes.iter().filter(is_it).map(|row| count(row, "games")).sum();
        let expected = lengths.iter().filter(|plies| **plies >= plies_min).count() as u64;
        assert_eq!(games, expected, "{span}");
    }
}

/// The errors are those of a bootstrap: games drawn anew, with replacement, from the table of games.
#[test]
fn errors_are_those_of_a_bootstrap() {
    let scratch = Scratch::new();
    let mut all = games(400);
    // Without the long ones: one game with a tenth of all plies makes the ratio no normal one.
    all.truncate(all.len() - 3);
    scratch.write("games.pgn", &all.concat());
    measure(&scratch, &["--per-game", "-o", "t", "games.pgn"]);
    let table = |name: &str| rows(&scratch.join("t").join(name));
    let games: Vec<_> =
        table("games.csv").into_iter().filter(|game| count(game, "plies") > 0).collect();
    let mut dice = Dice::new(66);
    let draws = trials(600, 3_000, 3_000);
    let deviation = |values: &[f64]| {
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
        (squares / (values.len() - 1) as f64).sqrt()
    };
    for row in table("se.csv").iter().filter(|row| row["notation"] == "economical-priority") {
        let of = |game: &Row| {
            ["plies", "economical_priority", "san", "economical_letters"].map(|column| match column
            {
                "plies" => count(game, column),
                _ => count(game, &format!("characters_{column}")),
            })
        };
        let games: Vec<[u64; 4]> = games.iter().map(of).collect();
        let draw = |dice: &mut Dice| {
            (0..games.len()).fold([0; 4], |sums: [u64; 4], _| {
                let game = games[dice.below(games.len())];
                std::array::from_fn(|at| sums[at] + game[at])
            })
        };
        let drawn: Vec<[u64; 4]> = (0..draws).map(|_| draw(&mut dice)).collect();
        let ratios = |below: usize| -> Vec<f64> {
            drawn.iter().map(|sums| sums[1] as f64 / sums[below] as f64).collect()
        };
        let said = |column: &str| row[column].parse::<f64>().unwrap();
        for (said, drawn) in [
            (said("se"), deviation(&ratios(0))),
            (said("change_vs_san_se"), 100.0 * deviation(&ratios(2))),
            (said("change_vs_economical_letters_se"), 100.0 * deviation(&ratios(3))),
        ] {
            assert!((said / drawn - 1.0).abs() < 0.15, "{said} {drawn}");
        }
    }
}

/// The sums of the random groups of events within each group are those of the group; of all groups of a dimension of
/// games, those of the random groups of all games.
#[test]
fn random_groups_of_groups_sum_to_both() {
    let scratch = Scratch::new();
    scratch.write("games.pgn", &games(200).concat());
    measure(&scratch, &["-o", "t", "games.pgn"]);
    let table = |name: &str| rows(&scratch.join("t").join(name));
    let within = table("clusters_by.csv");
    // The plies and the characters in a notation, by some columns.
    let summed = |dimension: Dimension, column: &str, notation: &str| {
        let characters = format!("characters_{}", notation.replace('-', "_"));
        let mut all: BTreeMap<String, [u64; 2]> = BTreeMap::new();
        for row in within.iter().filter(|row| row["dimension"] == dimension.name()) {
            let own = all.entry(row[column].clone()).or_default();
            let more = [count(row, "plies"), count(row, &characters)];
            own.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
        all
    };
    let expected = |rows: &[Row], key: &str, notation: &str| -> BTreeMap<String, [u64; 2]> {
        let own = rows.iter().filter(|row| row["notation"] == notation && count(row, "plies") > 0);
        own.map(|row| (row[key].clone(), ["plies", "characters"].map(|column| count(row, column))))
            .collect()
    };
    let events: Vec<Row> =
        table("clusters.csv").into_iter().filter(|row| row["by"] == "event").collect();
    let (mut dimensions_count, mut groups_count) = (0, 0);
    for dimension in Dimension::ALL.into_iter().filter(|dimension| dimension.has_clusters()) {
        let by_group = table(dimension.se_schema().file);
        for notation in MAIN.map(|notation| notation.info().name) {
            let own = summed(dimension, "key", notation);
            assert_eq!(own, expected(&by_group, "key", notation), "{dimension:?} {notation}");
            groups_count += own.len();
            if !dimension.is_of_plies() {
                let own = summed(dimension, "cluster", notation);
                let all = expected(&events, "cluster", notation);
                assert_eq!(own, all, "{dimension:?} {notation}");
            }
        }
        dimensions_count += 1;
    }
    assert!(dimensions_count > 8 && groups_count > 200, "{dimensions_count} {groups_count}");
    // Without events as clusters, or groups of which there are few, there is no such table, and none is announced.
    for (number, (by, cluster, is_there)) in [
        ("phase,length", "game,event", true),
        ("phase", "event", true),
        ("phase", "game,player", false),
        ("ply,eco", "event", false),
    ]
    .into_iter()
    .enumerate()
    {
        let [by, cluster] = [format!("--by={by}"), format!("--cluster={cluster}")];
        let directory = format!("d{number}");
        let words = ["measure", &by, &cluster, "-o", &directory, "games.pgn"];
        let dry = run_in(scratch.path(), &[&words[..], &["--dry-run"]].concat(), b"");
        let announced = String::from_utf8_lossy(&[dry.stdout, dry.stderr].concat()).into_owned();
        assert_eq!(announced.contains("clusters_by.csv"), is_there, "{by} {cluster}");
        assert!(run_in(scratch.path(), &words, b"").status.success());
        let is_written = scratch.join(&directory).join("clusters_by.csv").exists();
        assert_eq!(is_written, is_there, "{by} {cluster}");
    }
}

/// All games of an event in a year are in one group, and so are all games of a player.
#[test]
fn an_event_and_a_player_are_in_one_group() {
    let scratch = Scratch::new();
    let game = |number: usize, event: &str, year: usize, white: &str, black: &str| {
        format!(
            "[Event \"{event}\"]\n[Site \"{number}\"]\n[Date \"{year}.01.0{}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
             [Result \"*\"]\n\n1. e4 e5 *\n\n",
            1 + number % 9
        )
    };
    let groups = |games: &[String], by: &str| {
        scratch.write("games.pgn", games.concat().as_bytes());
        measure(&scratch, &["--overwrite", "-o", "t", "games.pgn"]);
        let rows = rows(&scratch.join("t/clusters.csv"));
        let own = rows.iter().filter(|row| row["by"] == by && row["notation"] == "san");
        own.map(|row| count(row, "games")).collect::<Vec<_>>()
    };
    let same: Vec<String> = (0..40).map(|n| game(n, "Open", 2001, "A", "B")).collect();
    assert_eq!(groups(&same, "event"), [40]);
    assert_eq!(groups(&same, "player").iter().sum::<u64>(), 80);
    assert!(groups(&same, "player").len() <= 2);
    // Of one year each; without a name, the site.
    let years: Vec<String> = (0..40).map(|n| game(n, "Open", 1960 + n, "A", "B")).collect();
    assert!(groups(&years, "event").len() > 20);
    let unnamed: Vec<String> = (0..40).map(|n| game(n, "?", 2001, "A", "B")).collect();
    assert!(groups(&unnamed, "event").len() > 20);
    let players: Vec<String> =
        (0..40).map(|n| game(n, "Open", 2001, "A", &format!("P{n}"))).collect();
    let of_players = groups(&players, "player");
    assert!(of_players.len() > 20 && of_players.iter().any(|&games| games >= 40), "{of_players:?}");
}

/// Tables of other clusters, or of other numbers of errors, have no sum; a sum of sums has one.
#[test]
fn other_clusters_are_not_added() {
    let scratch = Scratch::new();
    scratch.write("games.pgn", &games(3).concat());
    let options: [(&str, &[&str]); 4] = [
        ("game", &["--cluster", "game"]),
        ("event", &["--cluster", "game,event"]),
        ("one", &["--errors"]),
        ("five", &["--errors=5"]),
    ];
    for (directory, options) in options {
        // A directory is added once: each measurement is there twice.
        for directory in [directory.to_string(), format!("{directory}2")] {
            let fixed = ["measure", "-q", "--notations=main", "-o", &directory, "games.pgn"];
            assert!(run_in(scratch.path(), &[&fixed[..], options].concat(), b"").status.success());
        }
    }
    let merge = |output: &str, inputs: &[&str]| {
        let done =
            run_in(scratch.path(), &[&["merge", "-q", "-o", output][..], inputs].concat(), b"");
        (done.status.success(), String::from_utf8(done.stderr).unwrap())
    };
    for (output, inputs, option) in
        [("a", ["game", "event"], "--cluster"), ("b", ["one", "five"], "--errors")]
    {
        let (merged, said) = merge(output, &inputs);
        assert!(!merged && said.contains(&format!("measured with other {option}")), "{said}");
        assert!(!scratch.join(output).exists());
    }
    assert!(merge("twice", &["event", "event2"]).0 && merge("thrice", &["twice", "event"]).0);
    assert!(merge("ones", &["one", "one2"]).0 && merge("more", &["one", "ones"]).0);
    assert!(!merge("c", &["twice", "game"]).0 && !merge("d", &["five", "ones"]).0);
}

/// The rows of `archives.csv`, counted from the texts, however the archive is cut into jobs.
#[test]
fn archives_are_what_their_texts_say() {
    let scratch = Scratch::new();
    let games = games(60);
    scratch.write("games.pgn", &games.concat());
    let texts: Vec<String> =
        games.iter().map(|game| String::from_utf8(game.clone()).unwrap()).collect();
    let of = |is_it: &dyn Fn(&str) -> bool| texts.iter().filter(|text| is_it(text)).count() as u64;
    let draws = of(&|text| text.trim_end().ends_with("1/2-1/2"));
    // An evaluation in a comment has the same sign.
    let moves = |text: &str| -> String {
        text.split('{').map(|part| part.rsplit('}').next().unwrap_or_default()).collect()
    };
    let mates = of(&|text| moves(text).contains('#'));
    for bytes in ["--range-bytes=4099", "--range-bytes=1048576"] {
        measure(&scratch, &["--overwrite", bytes, "-o", "t", "games.pgn"]);
        let row = rows(&scratch.join("t/archives.csv")).remove(0);
        assert_eq!(count(&row, "games"), games.len() as u64);
        assert_eq!(count(&row, "text_bytes"), games.concat().len() as u64);
        assert_eq!([count(&row, "draws"), count(&row, "mates")], [draws, mates], "{row:?}");
    }
    assert!(draws > 5 && mates > 3, "{draws} {mates}");
}

//! `sort`: the games of the inputs, each once, in the order of a naive comparison; the same file for any threads,
//! container and memory.

use std::cmp::Ordering;
use std::fs;
use std::path::Path;

use pgnmill_io::archive::games::Games;

use crate::common::{Dice, Scratch, errors_of, exit_code, run_in, sample_text, thinned, trials};

/// Values of tag pairs, in their order; the last one is no value.
const ELO: [&str; 5] = ["-5", "900", "1500", "2400", "?"];
const WHITE: [&str; 6] = ["Adams", "Adams, M", "Zukertort", "adams", "Ångström", "?"];
/// A date that is not known to the day comes before the days that it may be.
const DATE: [&str; 7] = [
    "1927.??.??",
    "1927.01.??",
    "1927.01.01",
    "1927.01.02",
    "1927.12.31",
    "2024.02.29",
    "????.??.??",
];
const MOVES: [&str; 4] = ["", "1. e4", "1. d4 d5", "1. c4 c5 2. Nc3"];

/// A game, by the indexes of its values.
#[derive(Clone, Copy, Debug)]
struct Own {
    number: usize,
    elo: usize,
    white: usize,
    date: usize,
    moves: usize,
}

impl Own {
    fn text(&self) -> String {
        let Own { number, elo, white, date, moves } = *self;
        format!(
            "[Event \"{number}\"]\n[Date \"{}\"]\n[White \"{}\"]\n[WhiteElo \"{}\"]\n[Result \"*\"]\n\n{} *\n\n",
            DATE[date], WHITE[white], ELO[elo], MOVES[moves]
        )
    }
}

/// Two values by their indexes: the last one of `count` is missing, and after all others.
fn compare(one: usize, other: usize, count: usize, is_descending: bool) -> Ordering {
    let missing = |index: usize| index + 1 == count;
    let order = one.cmp(&other);
    let turned = is_descending && !missing(one) && !missing(other);
    if turned { order.reverse() } else { order }
}

/// One thing that games are sorted by: its text, and the comparison.
type Key = (&'static str, fn(&Own, &Own, bool) -> Ordering);

const KEYS: [Key; 6] = [
    ("WhiteElo", |a, b, down| compare(a.elo, b.elo, ELO.len(), down)),
    ("White", |a, b, down| compare(a.white, b.white, WHITE.len(), down)),
    ("date", |a, b, down| compare(a.date, b.date, DATE.len(), down)),
    ("ply_count", |a, b, down| compare(a.moves, b.moves, usize::MAX, down)),
    ("WhiteElo > 1000", |a, b, down| {
        let value = |own: &Own| if own.elo == 4 { 2 } else { usize::from(own.elo > 1) };
        compare(value(a), value(b), 3, down)
    }),
    ("WhiteElo - 3000", |a, b, down| compare(a.elo, b.elo, ELO.len(), down)),
];

fn sort(directory: &Path, words: &[&str]) -> Vec<u8> {
    let done = run_in(directory, &[&["sort", "-q", "--overwrite"], words].concat(), b"");
    assert_eq!(exit_code(&done), 0, "{words:?}: {}", errors_of(&done));
    done.stdout
}

/// The numbers of the games, in the order of a text.
fn numbers(text: &[u8]) -> Vec<usize> {
    let text = std::str::from_utf8(text).unwrap();
    let events = text.split("[Event \"").skip(1);
    events.map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect()
}

#[test]
fn games_are_in_the_order_of_a_naive_comparison() {
    let scratch = Scratch::new();
    let mut dice = Dice::new(11);
    for trial in 0..trials(8, 24, 200) {
        let games: Vec<Own> = (0..dice.below(60) + 2)
            .map(|number| Own {
                number,
                elo: dice.below(ELO.len()),
                white: dice.below(WHITE.len()),
                date: dice.below(DATE.len()),
                moves: dice.below(MOVES.len()),
            })
            .collect();
        let mut keys: Vec<(Key, bool)> = Vec::new();
        for _ in 0..dice.below(3) + 1 {
            let key = dice.one(&KEYS);
            if keys.iter().all(|((name, _), _)| *name != key.0) {
                keys.push((key, dice.below(2) == 0));
            }
        }
        // An expression with an operator is negated in parentheses, if it is a number.
        keys.retain(|((name, _), down)| !(*down && name.contains(' ')));
        if keys.is_empty() {
            continue;
        }
        let words =
            keys.iter().map(|((name, _), down)| format!("{}{name}", ["", "-"][usize::from(*down)]));
        let by = words.collect::<Vec<_>>().join(", ");
        let text: String = games.iter().map(Own::text).collect();
        scratch.write("games.pgn", text.as_bytes());
        let mut expected = games.clone();
        expected.sort_by(|a, b| {
            let orders = keys.iter().map(|((_, compare), down)| compare(a, b, *down));
            orders.fold(Ordering::Equal, Ordering::then)
        });
        let sorted: String = expected.iter().map(Own::text).collect();
        let written = sort(scratch.path(), &["--by", &by, "-o", "-", "games.pgn"]);
        assert_eq!(numbers(&written), numbers(sorted.as_bytes()), "{trial}: {by}");
        assert_eq!(String::from_utf8(written).unwrap(), sorted, "{trial}: {by}");
    }
}

/// More than the least memory, so that games are on disk; and on disk in so many runs that some are merged first.
#[test]
fn the_file_does_not_depend_on_threads_memory_or_container() {
    let scratch = Scratch::new();
    // Two thirds of the sample are more runs than are merged at once.
    let sample = sample_text();
    let games = Games::new(sample).take_while(|(at, _)| *at < 18_000_000);
    let end = games.last().map_or(0, |(at, game)| at + game.len());
    let text = trials(sample[..end].to_vec(), sample.to_vec(), sample.repeat(9));
    scratch.write("games.pgn", &text);
    scratch.write("games.pgn.zst", &zstd::encode_all(&text[..], 1).unwrap());
    let keys = ["White, -date", "-rating_max, ply_count", "opening_computed"];
    for (number, by) in thinned(2, keys).enumerate() {
        let expected = sort(scratch.path(), &["--by", by, "-o", "-", "games.pgn"]);
        let ways = [
            ("1", "1MiB", "games.pgn"),
            ("2", "1MiB", "games.pgn.zst"),
            ("7", "2MiB", "games.pgn"),
        ];
        // At the short depth in turn: two of the ways with one key, the other way with the other key.
        let turn = trials(2, 1, 1);
        for (threads, memory, input) in ways.into_iter().skip(number % turn).step_by(turn) {
            let words = ["--by", by, "--threads", threads, "--memory", memory, "-o", "sorted.pgn"];
            sort(scratch.path(), &[&words[..], &[input]].concat());
            let written = fs::read(scratch.join("sorted.pgn")).unwrap();
            assert!(written == expected, "{by}, {threads} threads, {memory}, {input}");
        }
        // Sorted games stay as they are, and are those of the inputs.
        if number.is_multiple_of(turn) {
            scratch.write("again.pgn", &expected);
            assert!(
                sort(scratch.path(), &["--by", by, "-o", "-", "again.pgn"]) == expected,
                "{by}"
            );
        }
        let lines = |text: &[u8]| {
            let mut lines: Vec<Vec<u8>> = text.split(|&b| b == b'\n').map(<[u8]>::to_vec).collect();
            lines.sort_unstable();
            lines
        };
        assert!(lines(&expected) == lines(&text), "{by}: other lines than those of the inputs");
    }
    // Nothing is left beside the outputs.
    assert_eq!(scratch.names(), ["again.pgn", "games.pgn", "games.pgn.zst", "sorted.pgn"]);
}

/// Games that are delimited in every way, rejected ones among them: read again, they are the games of `select`.
#[test]
fn odd_games_stay_apart() {
    let pieces = [
        "[Event \"a\"]\n\n1. e4 e5 *\n\n",
        "[Event \"b\"]\n\n1. d4\n\n",
        "1. c4 c5 1-0\n",
        "[Event \"c\"]\n\n1. e4 {open\n\n",
        "[Event \"d\"]\n\n1. e4 (1. d4 *\n\n",
        "[Event \"e\"]\n\n1. Ke2 0-1",
        "\n\n[Event \"f\"]\n[White \"\u{c5}\"]\n\n1. f3 } *\n\n",
        "[Event \"g\"]\n\n% line\n1. g3 *\n\n",
    ];
    let scratch = Scratch::new();
    let mut dice = Dice::new(5);
    for trial in 0..trials(10, 40, 400) {
        let text: String = (0..dice.below(7) + 1).map(|_| dice.one(&pieces)).collect();
        scratch.write("games.pgn", text.as_bytes());
        run_in(scratch.path(), &["select", "-q", "--overwrite", "-o", "all.pgn", "games.pgn"], b"");
        let sorted = sort(scratch.path(), &["--by", "-Event", "-o", "-", "games.pgn"]);
        scratch.write("sorted.pgn", &sorted);
        let count = |file: &str| {
            let done = run_in(scratch.path(), &["validate", "-q", "--format", "csv", file], b"");
            let printed = String::from_utf8(done.stdout).unwrap();
            let of = |key: &str| {
                let line =
                    printed.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(','));
                line.unwrap_or_else(|| panic!("{trial}: {key}: {printed}")).to_string()
            };
            ["games", "accepted", "repaired", "rejected", "plies"].map(of)
        };
        assert_eq!(
            count("sorted.pgn"),
            count("all.pgn"),
            "{trial}: {text:?}\n{}",
            String::from_utf8_lossy(&sorted)
        );
    }
}

#[test]
fn what_cannot_be_sorted_is_refused() {
    let scratch = Scratch::new();
    scratch.write("games.pgn", b"[Event \"a\"]\n\n1. e4 *\n\n");
    let cases: [(&[&str], &str); 9] = [
        (&["--by", "player"], "a game has two players"),
        (&["--by", "White, -White"], "White is there twice"),
        (&["--by", "Wite"], "Wite"),
        (&["--by", "date,"], "the expression ends"),
        (&["--by", "date", "--memory", "1000"], "--memory is 1MiB or more; not 1000"),
        (&["--by", "date", "--resume"], "it has no --resume"),
        (&["--by", "date", "--level", "99"], "99"),
        (&[], "--by"),
        (&["--by", "date", "--head", "3"], "--head"),
    ];
    for (words, expected) in cases {
        let words = [&["sort", "-o", "sorted.pgn", "games.pgn"], words].concat();
        let done = run_in(scratch.path(), &words, b"");
        assert!(
            exit_code(&done) > 0 && errors_of(&done).contains(expected),
            "{words:?}: {}",
            errors_of(&done)
        );
    }
    let done = run_in(scratch.path(), &["sort", "--by", "date", "-o", "folder/", "games.pgn"], b"");
    assert!(errors_of(&done).contains("sort writes one file"), "{}", errors_of(&done));
    assert_eq!(scratch.names(), ["games.pgn"]);
}

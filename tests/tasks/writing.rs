//! `measure --writing`: what the texts cost to write and to send is what follows from the texts themselves.
//!
//! Laws: the counts of characters are those of the texts of all games, written one by one; the costs are those of these
//! texts, from tables that are typed here again; the same for any number of threads, and in sums.

use std::collections::BTreeMap;
use std::fs;

use crate::common::{SOURCES, Scratch, errors_of, exit_code, here, run_in, text_of, trials};
use pgnmill_core::notation::{NOTATIONS, Notation};
use pgnmill_core::reader::Reader;
use pgnmill_io::archive::games::Games;

type Row = BTreeMap<String, String>;

fn rows(path: &std::path::Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

/// The texts of all main lines of valid games.
fn texts(archive: &[u8], notation: &dyn Notation) -> Vec<String> {
    let archive = std::io::Cursor::new(archive.to_vec());
    let mut games = Reader::from_reader("games", archive).unwrap().games();
    let mut texts = Vec::new();
    while let Some(game) = games.next().unwrap() {
        let moves = game.moves().filter(|played| played.depth == 0);
        let written = moves.filter_map(|played| played.written(notation).ok());
        let written: Vec<String> = written.map(|text| text.to_string()).collect();
        if game.fault().is_none() {
            texts.extend(written);
        }
    }
    texts
}

/// Dots and dashes of the characters of some notations, typed again.
fn signal(character: char) -> Option<&'static str> {
    let letters = "a.- b-... c-.-. d-.. e. f..-. g--. h.... k-.- n-. o--- p.--. q--.- r.-. x-..- \
                   1.---- 2..--- 3...-- 4....- 5..... 6-.... 7--... 8---.. 9----. 0-----";
    let signs = [('+', ".-.-."), ('=', "-...-"), ('-', "-....-")];
    let sign = signs.into_iter().find(|(sign, _)| *sign == character).map(|(_, signal)| signal);
    let small = character.to_ascii_lowercase();
    let of_letter = letters.split(' ').find_map(|word| word.strip_prefix(small));
    sign.or(of_letter)
}

/// The duration of a text as it is sent: signal by signal, gap by gap.
fn duration(text: &str) -> usize {
    let signals: Vec<&str> = text.chars().filter_map(signal).collect();
    let on = |signal: &str| signal.replace('-', "===").replace('.', "=").len();
    let inside = |signal: &str| signal.len() - 1;
    let sent: usize = signals.iter().map(|signal| on(signal) + inside(signal)).sum();
    sent + 3 * (signals.len() - 1) + 7
}

#[test]
fn costs_are_those_of_the_texts_one_by_one() {
    let scratch = Scratch::new();
    let masters = text_of(&here("data/masters.pgn.zst"));
    let end = Games::new(&masters).nth(trials(40, 300, 3_000)).unwrap().0;
    let archive = [&masters[..end], &text_of(&here(SOURCES))].concat();
    scratch.write("a.pgn", &archive);
    let measure = ["measure", "-q", "--writing", "-o", "t", "a.pgn"];
    assert!(exit_code(&run_in(scratch.path(), &measure, b"")) < 2);
    let mut counted = BTreeMap::<(String, char), u64>::new();
    for row in rows(&scratch.join("t/characters.csv")) {
        let mut character = row["character"].chars();
        let key = (row["notation"].clone(), character.next().unwrap());
        assert!(character.next().is_none(), "{row:?}");
        let occurrences = row["occurrences"].parse().unwrap();
        assert!(counted.insert(key, occurrences).is_none() && occurrences > 0, "{row:?}");
    }
    let costs = rows(&scratch.join("t/writing.csv"));
    assert_eq!(costs.len(), NOTATIONS.len());
    for (row, notation) in costs.iter().zip(NOTATIONS) {
        let name = notation.info().name;
        let texts = texts(&archive, *notation);
        let mut expected = BTreeMap::<char, u64>::new();
        texts
            .iter()
            .flat_map(|text| text.chars())
            .for_each(|it| *expected.entry(it).or_default() += 1);
        let found = counted.range((name.to_string(), '\0')..=(name.to_string(), char::MAX));
        let found: BTreeMap<char, u64> = found.map(|((_, it), &count)| (*it, count)).collect();
        assert_eq!(found, expected, "{name}");
        let number = |column: &str| row[column].parse::<usize>().unwrap();
        let sum = |of: &dyn Fn(&str) -> usize| texts.iter().map(|text| of(text)).sum::<usize>();
        assert_eq!(number("plies"), texts.len(), "{name}");
        assert_eq!(number("characters"), sum(&|text| text.chars().count()), "{name}");
        assert_eq!(number("utf8_bytes"), sum(&str::len), "{name}");
        assert_eq!(number("utf16_bytes"), sum(&|text| 2 * text.encode_utf16().count()), "{name}");
        assert_eq!(number("alphabet"), expected.len(), "{name}");
        // What is typed again here is that of the letters of these.
        if ["san", "long", "uci", "iccf", "economical-letters", "economical-priority"]
            .contains(&name)
        {
            assert_eq!(number("morse_units"), sum(&duration), "{name}");
            let without = |text: &str| text.chars().filter(|it| signal(*it).is_none()).count();
            assert_eq!(number("characters_without_morse"), sum(&without), "{name}");
            let shifted = |text: &str| {
                text.chars().filter(|it| it.is_ascii_uppercase() || "+#".contains(*it)).count()
            };
            assert_eq!(number("keys"), sum(&str::len) + sum(&shifted), "{name}");
            assert_eq!(number("characters_without_key"), 0, "{name}");
        }
        let bits = number("characters") as f64 * (number("alphabet") as f64).log2();
        assert!((number("fixed_width_bits") as f64 - bits).abs() < 0.51, "{name}");
    }
}

#[test]
fn sums_are_those_of_one_run_for_any_threads_and_order() {
    let scratch = Scratch::new();
    let masters = text_of(&here("data/masters.pgn.zst"));
    let starts: Vec<usize> = Games::new(&masters).map(|(start, _)| start).take(201).collect();
    scratch.write("a.pgn", &masters[..starts[50]]);
    scratch.write("b.pgn", &masters[starts[50]..starts[200]]);
    scratch.write("none.pgn", b"[Event \"a\"]\n\n*\n");
    let run = |args: &str| {
        let words: Vec<&str> = args.split_whitespace().collect();
        let ran = run_in(scratch.path(), &words, b"");
        assert_eq!(exit_code(&ran), 0, "{args}: {}", errors_of(&ran));
    };
    let tables = |directory: &str| {
        let read = |name: &str| fs::read_to_string(scratch.join(directory).join(name)).unwrap();
        (read("characters.csv"), read("writing.csv"))
    };
    let measure = "measure -q --writing --notations written";
    for (threads, archives) in [(1, "a.pgn b.pgn"), (2, "a.pgn b.pgn"), (7, "b.pgn a.pgn")] {
        run(&format!("{measure} --threads {threads} -o t{threads} {archives}"));
    }
    assert_eq!(tables("t2"), tables("t1"));
    assert_eq!(tables("t7"), tables("t1"));
    ["a", "b", "none"].iter().for_each(|name| run(&format!("{measure} -o {name} {name}.pgn")));
    run("merge -q -o ab b none a");
    assert_eq!(tables("ab"), tables("t1"));
    run("merge -q -o of-sums none ab");
    assert_eq!(tables("of-sums"), tables("t1"));
    // Without the option neither table is there, and none remains of a run before.
    run("measure -q --notations written --overwrite -o t7 a.pgn");
    assert!(
        !scratch.join("t7/writing.csv").exists() && !scratch.join("t7/characters.csv").exists()
    );
    // A character is one.
    let path = scratch.join("a/characters.csv");
    let table = fs::read_to_string(&path).unwrap() + "uci,ab,1\n";
    fs::write(&path, table).unwrap();
    crate::common::reseal(&scratch.join("a"));
    let ran = run_in(scratch.path(), &["merge", "-q", "-o", "odd", "a", "b"], b"");
    assert!(exit_code(&ran) == 2 && errors_of(&ran).contains("ab"), "{}", errors_of(&ran));
}

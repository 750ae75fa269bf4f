//! `measure --tokens`: the tokens are those of the movetext of each game, encoded by itself.
//!
//! Laws: the counts are those of texts that are written here anew, divided by a naive encoder; the characters are those
//! of `movetext.csv`; the tokens are the texts again, and these the games; where tiktoken is installed, they are its
//! tokens; the same for any number of threads, and in sums; a file that is no vocabulary is refused with its line.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::process::Command;

use crate::common::{
    Dice, SOURCES, Scratch, errors_of, exit_code, here, run_in, text_of, trials, vocabulary,
};
use pgnmill_core::chess::Color;
use pgnmill_core::notation::{NOTATIONS, Notation};
use pgnmill_core::reader::Reader;
use pgnmill_core::tasks::measure::study::{Pattern, Vocabulary};
use pgnmill_io::archive::games::Games;
use pgnmill_needs::needs;

type Row = BTreeMap<String, String>;

fn rows(path: &std::path::Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

/// The movetext of all valid games that the notation can write, with their plies.
fn movetexts(archive: &[u8], notation: &dyn Notation) -> Vec<(String, usize)> {
    let archive = std::io::Cursor::new(archive.to_vec());
    let mut games = Reader::from_reader("games", archive).unwrap().games();
    let mut texts = Vec::new();
    while let Some(game) = games.next().unwrap() {
        let (mut text, mut plies) = (String::new(), 0);
        let mut is_written = true;
        for played in game.moves().filter(|played| played.depth == 0) {
            let number = played.before.fullmove_number();
            let is_white = played.before.turn() == Color::White;
            match (is_white, plies) {
                (true, _) => text += &format!("{number}. "),
                (false, 0) => text += &format!("{number}... "),
                (false, _) => {}
            }
            plies += 1;
            match played.written(notation) {
                Ok(written) => text += &format!("{written} "),
                Err(_) => is_written = false,
            }
        }
        if game.fault().is_none() && is_written {
            texts.push((text + game.result().map_or("*", |result| result.canonical()), plies));
        }
    }
    texts
}

/// The pieces of movetext with `cl100k`, as far as it has single spaces and no other whitespace.
fn pieces(text: &str) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    let letter = |at: usize| characters.get(at).is_some_and(|it| it.is_alphabetic());
    let number = |at: usize| characters.get(at).is_some_and(|it| it.is_numeric());
    let sign =
        |at: usize| at < characters.len() && !letter(at) && !number(at) && characters[at] != ' ';
    let (mut pieces, mut at) = (Vec::new(), 0);
    while at < characters.len() {
        let begin = at;
        if letter(at) || (!number(at) && letter(at + 1)) {
            at += 1;
            while letter(at) {
                at += 1;
            }
        } else if number(at) {
            while number(at) && at < begin + 3 {
                at += 1;
            }
        } else {
            at += 1;
            while sign(at) {
                at += 1;
            }
        }
        pieces.push(characters[begin..at].iter().collect());
    }
    pieces
}

/// The tokens of a piece: the pair of the lowest rank is joined, until there is none.
fn encoded(ranks: &HashMap<Vec<u8>, usize>, piece: &str) -> usize {
    if ranks.contains_key(piece.as_bytes()) {
        return 1;
    }
    let mut tokens: Vec<Vec<u8>> = piece.bytes().map(|byte| vec![byte]).collect();
    loop {
        let pairs = tokens.windows(2).enumerate();
        let joined = pairs.filter_map(|(at, pair)| Some((*ranks.get(&pair.concat())?, at)));
        let Some((_, at)) = joined.min() else { return tokens.len() };
        let last = tokens.remove(at + 1);
        tokens[at].extend(last);
    }
}

#[test]
fn tokens_are_those_of_the_movetext_of_each_game() {
    let scratch = Scratch::new();
    let masters = text_of(&here("data/masters.pgn.zst"));
    let end = Games::new(&masters).nth(trials(12, 100, 1_000)).unwrap().0;
    let odd = b"[Event \"no moves\"]\n\n1/2-1/2\n\n[Event \"rejected\"]\n\n1. e4 e5 2. Ke3 *\n\n\
        [SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 b Q - 0 998\"]\n\n998... Kd7 999. O-O-O+ Ke7 1000. Re1+ Kd6 *\n";
    let archive = [&masters[..end], &text_of(&here(SOURCES)), &odd[..]].concat();
    scratch.write("a.pgn", &archive);
    scratch.write("v.tiktoken", vocabulary::file().as_bytes());
    let measure = ["measure", "-q", "--tokens", "v.tiktoken", "-o", "t", "a.pgn"];
    assert!(exit_code(&run_in(scratch.path(), &measure, b"")) < 2);
    let ranks: HashMap<Vec<u8>, usize> = vocabulary::tokens().into_iter().zip(0..).collect();
    let mut known = HashMap::<String, usize>::new();
    let movetext: BTreeMap<String, usize> = rows(&scratch.join("t/movetext.csv"))
        .iter()
        .filter(|row| row["part"] == "total")
        .map(|row| (row["notation"].clone(), row["characters"].parse().unwrap()))
        .collect();
    let found = rows(&scratch.join("t/bpe_tokens.csv"));
    assert_eq!(found.len(), NOTATIONS.len());
    for (row, notation) in found.iter().zip(NOTATIONS) {
        let texts = movetexts(&archive, *notation);
        let number = |column: &str| row[column].parse::<usize>().unwrap();
        let name = notation.info().name;
        assert_eq!((&*row["notation"], &*row["vocabulary"]), (name, "v"));
        assert_eq!(number("games"), texts.len(), "{name}");
        assert_eq!(number("plies"), texts.iter().map(|(_, plies)| plies).sum::<usize>(), "{name}");
        let characters: usize = texts.iter().map(|(text, _)| text.chars().count()).sum();
        assert_eq!(number("characters"), characters, "{name}");
        assert_eq!(characters + texts.len(), movetext[name], "{name}");
        let mut tokens = 0;
        for piece in texts.iter().flat_map(|(text, _)| pieces(text)) {
            let count = known.get(&piece).copied();
            tokens += count.unwrap_or_else(|| {
                let count = encoded(&ranks, &piece);
                known.insert(piece, count);
                count
            });
        }
        assert_eq!(number("tokens"), tokens, "{name}");
    }
}

/// What is counted can be decoded: the tokens of a game are its movetext, and its movetext is the game.
#[test]
fn games_come_back_from_their_tokens() {
    let masters = text_of(&here("data/masters.pgn.zst"));
    let end = Games::new(&masters).nth(trials(20, 150, 5_000)).unwrap().0;
    let scratch = Scratch::new();
    scratch.write("a.pgn", &masters[..end]);
    scratch.write("v.tiktoken", vocabulary::file().as_bytes());
    let tokens = vocabulary::tokens();
    let vocabulary = Vocabulary::read("v", Pattern::Cl100k, vocabulary::file().as_bytes()).unwrap();
    let measure = ["measure", "-q", "--tokens", "v.tiktoken", "-o", "t", "a.pgn"];
    assert!(exit_code(&run_in(scratch.path(), &measure, b"")) < 2);
    let rows = rows(&scratch.join("t/bpe_tokens.csv"));
    for (notation, row) in NOTATIONS.iter().zip(&rows) {
        let texts = movetexts(&masters[..end], *notation);
        let (name, mut count, mut again) = (notation.info().name, 0, String::new());
        for (text, _) in &texts {
            let ranks = vocabulary.encode(text);
            let bytes = ranks.iter().map(|&rank| &tokens[rank as usize][..]).collect::<Vec<_>>();
            let decoded = String::from_utf8(bytes.concat()).unwrap();
            assert_eq!(decoded, *text, "{name}");
            again += &format!("[Event \"?\"]\n[MoveNotation \"{name}\"]\n\n{decoded}\n\n");
            count += ranks.len();
        }
        assert_eq!(row["tokens"], count.to_string(), "{name}");
        assert_eq!(row["games"], texts.len().to_string(), "{name}");
        // Each is written in SAN, whatever it was read in.
        let (before, after) =
            (movetexts(&masters[..end], NOTATIONS[0]), movetexts(again.as_bytes(), NOTATIONS[0]));
        assert_eq!(after, before, "{name}");
    }
}

/// Prints the tokens of texts, each after a byte 0 but the first: for each pattern and text a line of ranks.
const TIKTOKEN: &str = r#"
import base64, sys, tiktoken, tiktoken_ext.openai_public as published
lines = open(sys.argv[1], "rb").read().split(b"\n")
ranks = {base64.b64decode(line.split()[0]): int(line.split()[1]) for line in lines if line}
published.load_tiktoken_bpe = lambda *_, **__: dict(ranks)
texts = open(sys.argv[2], "rb").read().decode().split("\0")
for name in ["r50k_base", "cl100k_base", "o200k_base"]:
    pattern = getattr(published, name)()["pat_str"]
    encoding = tiktoken.Encoding(name, pat_str=pattern, mergeable_ranks=ranks, special_tokens={})
    for text in texts:
        print(*encoding.encode_ordinary(text))
"#;

#[needs("tiktoken", command = "python3 -c 'import tiktoken_ext.openai_public'")]
#[test]
fn tokens_are_those_of_tiktoken() {
    let scratch = Scratch::new();
    let masters = text_of(&here("data/masters.pgn.zst"));
    let end = Games::new(&masters).nth(trials(5, 50, 1_000)).unwrap().0;
    let games = |notation: &&'static dyn Notation| movetexts(&masters[..end], *notation);
    let mut texts: Vec<String> = NOTATIONS.iter().flat_map(games).map(|(text, _)| text).collect();
    let mut dice = Dice::new(7);
    let words = [
        "a", "B", "1", "é", "ح", "♞", "'", "'ll", "'S", ".", "/", "=", "ß", "½", " ", "  ", "\n",
        "\r\n", "\t", "\u{a0}", "O-O", "Nf3", "1012", "Кр", "e8=Q+",
    ];
    texts.extend((0..trials(500, 5_000, 50_000)).map(|_| {
        let count = 1 + dice.below(8);
        (0..count).map(|_| words[dice.below(words.len())]).collect()
    }));
    scratch.write("v.tiktoken", vocabulary::file().as_bytes());
    scratch.write("texts", texts.join("\0").as_bytes());
    let mut python = Command::new("python3");
    python.args(["-c", TIKTOKEN, "v.tiktoken", "texts"]).current_dir(scratch.path());
    let ran = python.output().unwrap();
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    let printed = String::from_utf8(ran.stdout).unwrap();
    let mut lines = printed.lines();
    for pattern in Pattern::ALL {
        let file = vocabulary::file();
        let vocabulary = Vocabulary::read("v", pattern, file.as_bytes()).unwrap();
        for text in &texts {
            let ranks: Vec<String> = vocabulary.encode(text).iter().map(u32::to_string).collect();
            assert_eq!(Some(&*ranks.join(" ")), lines.next(), "{pattern:?} {text:?}");
        }
    }
    assert_eq!(lines.next(), None);
}

#[test]
fn sums_are_those_of_one_run_for_any_threads_and_order() {
    let scratch = Scratch::new();
    let masters = text_of(&here("data/masters.pgn.zst"));
    let starts: Vec<usize> = Games::new(&masters).map(|(start, _)| start).take(101).collect();
    scratch.write("a.pgn", &masters[..starts[30]]);
    scratch.write("b.pgn", &masters[starts[30]..starts[100]]);
    scratch.write("none.pgn", b"[Event \"a\"]\n\n*\n");
    scratch.write("v.tiktoken", vocabulary::file().as_bytes());
    scratch.write("w.tiktoken", vocabulary::file_of(&vocabulary::tokens()[..256]).as_bytes());
    let run = |args: &str| {
        let words: Vec<&str> = args.split_whitespace().collect();
        run_in(scratch.path(), &words, b"")
    };
    let done = |args: &str| {
        let ran = run(args);
        assert_eq!(exit_code(&ran), 0, "{args}: {}", errors_of(&ran));
    };
    let table = |directory: &str| {
        fs::read_to_string(scratch.join(directory).join("bpe_tokens.csv")).unwrap()
    };
    let measure = "measure -q --notations written --tokens v.tiktoken,w.tiktoken:o200k";
    for (threads, archives) in [(1, "a.pgn b.pgn"), (2, "a.pgn b.pgn"), (7, "b.pgn a.pgn")] {
        done(&format!("{measure} --threads {threads} -o t{threads} {archives}"));
    }
    assert_eq!(table("t2"), table("t1"));
    assert_eq!(table("t7"), table("t1"));
    // A vocabulary of bytes alone has a token for each of them.
    for row in rows(&scratch.join("t1/bpe_tokens.csv")) {
        let is_ascii = !["fan", "fan-white", "chess99"].contains(&&*row["notation"]);
        let is_bytes = row["vocabulary"] == "w" && row["tokens"] == row["characters"];
        assert_eq!(is_bytes, row["vocabulary"] == "w" && is_ascii, "{row:?}");
    }
    ["a", "b", "none"].iter().for_each(|name| done(&format!("{measure} -o {name} {name}.pgn")));
    done("merge -q -o ab b none a");
    done(&format!("{measure} -o all a.pgn b.pgn none.pgn"));
    assert_eq!(table("ab"), table("all"));
    done("merge -q -o of-sums none ab");
    // What another vocabulary of the name, or another pattern, has counted is not added.
    let others =
        ["v.tiktoken,other/w.tiktoken:o200k", "v.tiktoken,w.tiktoken:cl100k", "v.tiktoken"];
    scratch.write("other/w.tiktoken", vocabulary::file().as_bytes());
    for (number, other) in others.iter().enumerate() {
        done(&format!("measure -q --notations written --tokens {other} -o other-{number} b.pgn"));
        let ran = run(&format!("merge -q -o odd a other-{number}"));
        let errors = errors_of(&ran);
        assert!(exit_code(&ran) == 2 && errors.contains("other --tokens"), "{errors}");
    }
    // The options are those of a command line again, and refuse another file.
    let summary = rows(&scratch.join("a/summary.csv"));
    let options = &summary.iter().find(|row| row["key"] == "options").unwrap()["value"];
    done(&format!("measure -q {options} -o again a.pgn"));
    assert_eq!(table("again"), table("a"));
    scratch.write("w.tiktoken", vocabulary::file().as_bytes());
    let ran = run(&format!("measure -q {options} -o never a.pgn"));
    assert!(exit_code(&ran) == 2 && errors_of(&ran).contains("digest"), "{}", errors_of(&ran));
    assert!(!scratch.join("never").exists());
}

#[test]
fn what_is_no_vocabulary_is_refused_by_its_line() {
    let scratch = Scratch::new();
    let whole = vocabulary::file();
    scratch.write("a.pgn", b"1. e4 *\n");
    scratch.write("v.tiktoken", whole.as_bytes());
    scratch.write("a b.tiktoken", whole.as_bytes());
    scratch.write("t/movetext.csv", whole.as_bytes());
    let refused = |tokens: &str, why: &str| {
        let args = ["measure", "-q", "--overwrite", "--tokens", tokens, "-o", "t", "a.pgn"];
        let ran = run_in(scratch.path(), &args, b"");
        let errors = errors_of(&ran);
        assert!(exit_code(&ran) == 2 && errors.contains(why), "{tokens}: {errors}");
        assert!(!errors.contains("panicked"), "{errors}");
        assert_eq!(fs::read_to_string(scratch.join("t/movetext.csv")).unwrap(), whole);
    };
    let first = whole.lines().next().unwrap();
    for (line, why) in [
        ("QUFB", "a line is a token in base64, a space and its rank"),
        ("QUF 999", "the token is not base64"),
        ("QUFB 4294967295", "the rank is no whole number"),
        ("QUFB 7", "the rank occurs in an earlier line"),
        (&first.replace(" 0", " 999"), "the token occurs in an earlier line"),
    ] {
        scratch.write("odd.tiktoken", format!("{whole}\n{line}\n").as_bytes());
        refused(
            "odd.tiktoken",
            &format!("odd.tiktoken, line {}: {why}", whole.lines().count() + 2),
        );
    }
    scratch.write("odd.tiktoken", whole.replace(&format!("{first}\n"), "").as_bytes());
    refused("odd.tiktoken", "odd.tiktoken: there is no token of the byte 0x00 alone");
    scratch.write("odd.tiktoken", b"");
    refused("odd.tiktoken", "there is no token of the byte 0x00");
    refused("v.tiktoken,t/../v.tiktoken:r50k", "two vocabularies have the name v");
    refused("a b.tiktoken", "the name of a vocabulary");
    refused("none.tiktoken", "none.tiktoken");
    refused("t", "t");
    // No output replaces the file.
    refused("t/movetext.csv", "is an input");
}

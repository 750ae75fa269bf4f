//! Results in the spellings of clubs, federations and editors: read as what they are, noted, and kept to the byte
//! (`docs/reference/games.md` has the grammar).
//!
//! Laws over the products of the grammar: a game with such a result is one game, without a fault and a ply more; the
//! game after it is another; a conversion writes the same bytes; with what can be castling or an assessment, the tag
//! pair decides.

use crate::common::{here, text_of, trials};
use crate::unended::{Read, read};
use pgnmill_core::engine::Rejects;
use pgnmill_core::notation::UCI;
use pgnmill_core::pgn::Outcome;
use pgnmill_core::pgn::deviation::Deviation;
use pgnmill_laws as laws;
use pgnmill_laws::support::{Task, ledger_of, run_of, to_san};
use pgnmill_needs::needs;

const HALVES: &[(&str, i8)] =
    &[("1", 2), ("0", 0), ("½", 1), ("1/2", 1), ("1⁄2", 1), ("0.5", 1), ("0,5", 1)];
const SEPARATORS: &[&str] = &["-", "–", "—", "−", ":"];
const SPACES: &[[&str; 2]] = &[
    ["", ""],
    [" ", " "],
    ["", " "],
    [" ", ""],
    ["\t", "  "],
    ["\n", ""],
    ["", "\n"],
    ["\r\n", "\r\n"],
    ["\u{a0}", "\u{a0}"],
    ["\u{202f}", " "],
];

/// All scores, with the outcome of each.
fn scores() -> impl Iterator<Item = (String, Outcome)> {
    HALVES.iter().flat_map(|(first, one)| {
        HALVES.iter().flat_map(move |(second, other)| {
            let outcome = match (one, other) {
                (2, 0) => Outcome::WhiteWins,
                (0, 2) => Outcome::BlackWins,
                (1, 1) => Outcome::Draw,
                _ => Outcome::Unknown,
            };
            SEPARATORS.iter().flat_map(move |separator| {
                SPACES.iter().map(move |[before, after]| {
                    (format!("{first}{before}{separator}{after}{second}"), outcome)
                })
            })
        })
    })
}

/// The games of a text that are as they should be: none rejected, and written as they were.
fn kept(text: &str) -> Vec<Read> {
    let games = read(text.as_bytes());
    assert!(games.iter().all(|game| !game.is_rejected), "{text:?}: {games:?}");
    let ledger = ledger_of(&to_san(Rejects::Apart), text.as_bytes());
    assert_eq!(String::from_utf8_lossy(&ledger.out), text, "{text:?}");
    assert_eq!(ledger.counts.between_bytes, 0, "{text:?}");
    // In another notation and back.
    let there = ledger_of(&run_of(Task::convert(UCI), Rejects::Apart), text.as_bytes());
    let back = ledger_of(&to_san(Rejects::Apart), &there.out);
    assert_eq!(String::from_utf8_lossy(&back.out), text, "{text:?}");
    games
}

#[test]
fn every_score_is_one_result() {
    let count = scores()
        .inspect(|(score, outcome)| {
            assert_eq!(Outcome::from_any(score.as_bytes()), Some(*outcome), "{score:?}");
        })
        .count();
    assert_eq!(count, 7 * 7 * 5 * 10);
    for (score, _) in scores().step_by(trials(17, 5, 1)) {
        // Black has no castling here: 0-0 is no move.
        for tag in [String::new(), format!("[Result \"{}\"]\n", score.replace(['\n', '\r'], " "))] {
            let text = format!(
                "[Event \"a\"]\n{tag}\n1. e4 e5 {score}\n\n[Event \"b\"]\n\n1. d4 {{c}} d5 {score} {{d}}\n"
            );
            let games = kept(&text);
            assert_eq!(games.len(), 2, "{text:?}");
            for (game, moves) in games.iter().zip(["e2e4 e7e5 ", "d2d4 d7d5 "]) {
                assert_eq!((&game.result[..], &game.moves[..]), (&score[..], moves), "{text:?}");
                let is_canonical = Outcome::from_canonical(score.as_bytes()).is_some();
                assert_eq!(game.notes.contains(&Deviation::ResultStyle), !is_canonical, "{text:?}");
                assert!(!game.notes.contains(&Deviation::ResultMissing));
            }
        }
    }
}

/// A `Result` tag pair contradicts the movetext if the outcomes differ, in whatever form it is written.
#[test]
fn a_tag_pair_in_any_form_is_compared_with_the_movetext() {
    let tokens = ["1-0", "0-1", "1/2-1/2", "*"];
    let (mut equal, mut different) = (0, 0);
    let tags = scores().filter(|(score, _)| !score.contains(['\n', '\r', '\t']));
    let known =
        tokens.map(|token| (token.to_string(), Outcome::from_any(token.as_bytes()).unwrap()));
    for (tag, tagged) in tags.step_by(trials(13, 3, 1)).chain(known) {
        for token in tokens {
            let text = format!("[Event \"a\"]\n[Result \"{tag}\"]\n\n1. e4 e5 {token}\n");
            let outcome = Outcome::from_canonical(token.as_bytes()).expect("canonical");
            let is_noted = kept(&text)[0].notes.contains(&Deviation::ResultMismatch);
            assert_eq!(is_noted, tagged != outcome, "{text:?}");
            *if is_noted { &mut different } else { &mut equal } += 1;
        }
    }
    assert!(equal > 20 && different > 100, "{equal}, {different}");
}

/// The same after a move of White, as the first token, and before games without tag pairs; marked as forfeits.
#[test]
fn scores_end_games_wherever_they_are() {
    let marks = ["", ".", ",", "F", "f", " ff", " FF", "\tforfeit"];
    let scores = scores().filter(|(score, _)| !score.starts_with('0') || !score.ends_with('0'));
    let marked = scores.flat_map(|(score, _)| marks.map(|mark| format!("{score}{mark}")));
    // No factor of the numbers of scores and marks: each of their parts occurs.
    for score in marked.step_by(trials(47, 11, 1)) {
        let text = format!("1. e4 {score}\n1. d4 d5 2. c4 {score}\n\n{score}\n");
        let results: Vec<String> = kept(&text).into_iter().map(|game| game.result).collect();
        assert_eq!(results, [&score[..]; 3], "{text:?}");
    }
    for forfeit in ["0-0F", "0-0 ff", "0:0"] {
        assert_eq!(kept(&format!("1. e4 {forfeit} {{c}}\n\n1. d4 *\n"))[0].result, forfeit);
    }
}

#[test]
fn what_is_no_score_ends_no_game() {
    for other in [
        "=:-", "-:=", "=:+", "=/-", "2-1", "1-0-0", "10-0", "1-", "-0", "1 -\n\n0", "1 -\r\r0",
        "1/3", "1-0x", "0.5-0.51", "1 - e4",
    ] {
        assert_eq!(Outcome::from_any(other.as_bytes()), None, "{other}");
        let games = read(format!("[Event \"a\"]\n\n1. e4 e5 {other}\n").as_bytes());
        assert!(games[0].is_rejected || games[0].result.is_empty(), "{other}: {games:?}");
    }
}

/// The moves, the `Result` tag pair, the last token; the plies and the result, or none for a rejected game.
type Case = (&'static str, &'static str, &'static str, Option<(usize, &'static str)>);

/// Texts that can be something else: the moves, the `Result` tag, the last token, and what is right.
#[test]
fn the_tag_pair_decides_what_castles_or_assesses() {
    const OPEN: &str = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5";
    const SIX: usize = 6;
    // Plies and the result; `None`: rejected.
    let cases: &[Case] = &[
        ("", "0-0", "0-0", Some((0, "0-0"))),
        ("1. e4 e5", "0-0", "0-0", Some((2, "0-0"))),
        ("1. e4 e5", "", "0-0", Some((2, "0-0"))),
        ("1. e4 e5", "*", "0 - 0", Some((2, "0 - 0"))),
        ("1. e4 e5", "1-0", "0-0", None),
        ("1. e4 e5", "1-0", "0:0", Some((2, "0:0"))),
        ("1. e4 e5", "1/2-1/2", "0 : 0", Some((2, "0 : 0"))),
        ("1. e4 e5", "0:0", "0–0", Some((2, "0–0"))),
        (OPEN, "0-0", "0-0", Some((SIX, "0-0"))),
        (OPEN, "0-0", "4. 0-0", Some((SIX + 1, ""))),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. d3", "0-0", "4… 0-0", Some((SIX + 2, ""))),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. d3", "0-0", "4... 0-0", Some((SIX + 2, ""))),
        ("1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. d3", "0-0", "0-0", Some((SIX + 1, "0-0"))),
        (OPEN, "0-0", "4. 0-0 0-0", Some((SIX + 1, "0-0"))),
        (OPEN, "0-0", "4. 0-0 Nf6 *", Some((SIX + 2, "*"))),
        (OPEN, "*", "0-0", Some((SIX + 1, ""))),
        (OPEN, "", "0-0", Some((SIX + 1, ""))),
        (OPEN, "1-0", "0-0", Some((SIX + 1, ""))),
        (OPEN, "0-0", "0-0 {c} $1", Some((SIX, "0-0"))),
        (OPEN, "0-0", "0-0 5. d3", None),
        ("1. e4 e5", "+/-", "+/-", Some((2, "+/-"))),
        ("1. e4 e5", "+:-", "+/-", Some((2, "+/-"))),
        ("1. e4 e5", "1-0", "+/-", Some((2, ""))),
        ("1. e4 e5", "", "+/-", Some((2, ""))),
        ("1. e4 e5", "", "+:-", Some((2, "+:-"))),
        ("1. e4 e5", "1-0", "+--", Some((2, "+--"))),
        ("1. e4 e5", "-/+", "-/+", Some((2, "-/+"))),
        ("1. e4 e5", "- : +", "- : +", Some((2, "- : +"))),
        ("1. e4 e5", "-/-", "-/-", Some((2, "-/-"))),
        ("1. e4 e5", "+-", "+-", Some((2, "+-"))),
        ("1. e4 e5", "=", "=", Some((2, "="))),
        ("1. e4 e5", "", "=", Some((2, ""))),
        ("1. e4 e5", "", "=-=", Some((2, "=-="))),
        ("1. e4 e5", "", "=:=", Some((2, "=:="))),
        ("1. e4 e5", "Draw", "draw", Some((2, "draw"))),
        ("1. e4 e5", "", "Draw", Some((2, "Draw"))),
        ("1. e4 e5", "", "Draw.", Some((2, "Draw."))),
        ("1. e4 e5", "", "draw..", None),
        ("1. e4 e5", "", "draw 2. d4", None),
        ("1. e4 e5", "", "--", None),
        ("1. e4 e5", "1-0", "1-0F", Some((2, "1-0F"))),
        ("1. e4 e5", "1-0 ff", "1-0 ff", Some((2, "1-0 ff"))),
        ("1. e4 e5", "", "1/2-0", Some((2, "1/2-0"))),
        ("1. e4 e5", "", "0-1/2", Some((2, "0-1/2"))),
        // Once more on the same line it is the same result, not a game.
        ("1. e4 e5", "", "1-0 1-0", Some((2, "1-0"))),
        ("1. e4 e5", "", "½–½ {c} 1/2-1/2", Some((2, "½–½"))),
    ];
    for (moves, tag, last, wanted) in cases {
        let tag = if tag.is_empty() { String::new() } else { format!("[Result \"{tag}\"]\n") };
        for end in ["\n", "", "\n\n[Event \"b\"]\n\n1. c4 *\n"] {
            let text = format!("[Event \"a\"]\n{tag}\n{moves} {last}{end}");
            let games = read(text.as_bytes());
            let game = &games[0];
            let plies = game.moves.matches(' ').count();
            let found = (!game.is_rejected).then_some((plies, &game.result[..]));
            assert_eq!(found, *wanted, "{text:?}");
            assert_eq!(games.len(), 1 + usize::from(end.len() > 1), "{text:?}");
            laws::vector::agree(text.as_bytes(), false);
            laws::replay::hold(&[&[0, 1], text.as_bytes()].concat());
        }
    }
}

/// The bytes of Latin-1 and Windows-1252.
#[test]
fn halves_and_dashes_of_one_byte_are_read() {
    for score in [&b"\xbd-\xbd"[..], b"\xbd\x96\xbd", b"1\x960", b"0 \x97 1", b"\xbd"] {
        let text =
            [b"[Event \"a\"]\n\n1. e4 e5 ", score, b"\n\n[Event \"b\"]\n\n1. d4 *\n"].concat();
        let ledger = ledger_of(&to_san(Rejects::Apart), &text);
        assert_eq!((ledger.verdicts(), ledger.out), ((2, 0, 0), text));
    }
}

#[needs("../shared/finds")]
#[test]
fn results_of_the_finds_are_read() {
    let find = |name: &str| -> Vec<(usize, String)> {
        let text = text_of(&here(&format!("../shared/finds/{name}")));
        let games = kept(&String::from_utf8(text).unwrap());
        games.into_iter().map(|g| (g.moves.matches(' ').count(), g.result)).collect()
    };
    let halves = find("12-half.pgn");
    let results: Vec<&str> = halves.iter().map(|(_, result)| &result[..]).collect();
    let wanted = [
        "½–½",
        "1/2–1/2",
        "1–0",
        "1/2",
        "0.5-0.5",
        "1/2 - 1/2",
        "1 - 0",
        "1:0",
        "½:½",
        "0-0",
        "+/-",
        "+:-",
        "1-0 ff",
        "1-0F",
        "+--",
        "½",
        "*",
        "1-0.",
        "draw",
    ];
    assert_eq!(results, wanted);
    assert!(halves.iter().all(|(plies, _)| *plies == 2));
    let pairs = |found: &[(usize, String)], wanted: &[(usize, &str)]| {
        let found: Vec<_> = found.iter().map(|(plies, result)| (*plies, &result[..])).collect();
        assert_eq!(found, wanted);
    };
    pairs(&find("21-00result.pgn"), &[(0, "0-0"), (2, "0-0"), (2, "1-0")]);
    pairs(&find("60b-endash-half.pgn"), &[(2, "1/2–1/2"), (2, "1–0")]);
    pairs(&find("60c-spaced-win.pgn"), &[(2, "1 - 0"), (1, "0 - 1")]);
    let text = text_of(&here("../shared/finds/21b-00castle.pgn"));
    let castled: Vec<_> = read(&text)
        .into_iter()
        .map(|game| (game.moves.matches(' ').count(), game.result, game.is_rejected))
        .collect();
    let wanted = [(8, "*"), (6, "0-0"), (7, "")];
    assert_eq!(castled, wanted.map(|(plies, result)| (plies, result.to_string(), false)));
}

#[needs("../shared/finds")]
#[test]
fn letters_of_the_finds_are_english() {
    let rejected = |name: &str| -> Vec<bool> {
        let text = text_of(&here(&format!("../shared/finds/{name}")));
        read(&text).into_iter().map(|game| game.is_rejected).collect()
    };
    assert_eq!(rejected("57b-pawn-letter.pgn"), [false]);
    assert_eq!(rejected("75-P-latin.pgn"), [true; 3]);
}

/// The Week in Chess marks games that were not played so: in the tag pair, as the token, or both.
#[test]
fn halves_in_brackets_are_forfeits() {
    for (score, outcome) in [
        ("(+)-(-)", Outcome::WhiteWins),
        ("(-)-(+)", Outcome::BlackWins),
        ("(-)-(-)", Outcome::Unknown),
        ("(=)-(=)", Outcome::Draw),
        ("(+) – (-)", Outcome::WhiteWins),
    ] {
        assert_eq!(Outcome::from_any(score.as_bytes()), Some(outcome), "{score}");
        for moves in ["", "1. e4 e5 "] {
            for tag in ["", score, "*"] {
                let tag =
                    if tag.is_empty() { String::new() } else { format!("[Result \"{tag}\"]\n") };
                let text =
                    format!("[Event \"a\"]\n{tag}\n{moves}{score}\n\n[Event \"b\"]\n\n1. d4 *\n");
                let games = kept(&text);
                assert_eq!((games.len(), &games[0].result[..]), (2, score), "{text:?}");
            }
        }
    }
    for other in ["(+)", "(+)-", "(+)-(+)", "(+)(-)", "(1)-(0)", "(+)-(-)x"] {
        assert_eq!(Outcome::from_any(other.as_bytes()), None, "{other}");
    }
}

/// Words that name an outcome are read as the last ones: kept to the byte, compared with the tag pair and the board, and
/// never made a result.
#[test]
fn an_outcome_in_words_is_noted_and_not_invented() {
    let words = [
        ("White resigns", Outcome::BlackWins),
        ("Black resigned.", Outcome::WhiteWins),
        ("resigns", Outcome::BlackWins),
        ("White wins", Outcome::WhiteWins),
        ("WHITE WON", Outcome::WhiteWins),
        ("black\nwins.", Outcome::BlackWins),
        ("Black won", Outcome::BlackWins),
        ("draw agreed", Outcome::Draw),
        ("Draw  Agreed.", Outcome::Draw),
    ];
    // The number of the next game is no number of Black's first move.
    for next in ["1. e5 *", "1. e4 e5 *", "1. d4 *"] {
        let games = read(format!("1. d4 White resigns\n\n\n{next}\n").as_bytes());
        assert_eq!(games.len(), 2, "{next}: {games:?}");
        assert!(!games[0].is_rejected, "{next}: {games:?}");
    }
    for (words, outcome) in words {
        for tagged in [Outcome::WhiteWins, Outcome::BlackWins, Outcome::Draw, Outcome::Unknown] {
            for after in ["", " {c}", "\n\n[Event \"b\"]\n\n1. d4 *", "\n\n1. d4 d5 *"] {
                let tag = format!("[Event \"a\"]\n[Result \"{}\"]", tagged.canonical());
                let text = format!("{tag}\n\n1. e4 e5 {words}{after}\n");
                let games = kept(&text);
                assert_eq!(games.len(), 1 + usize::from(after.contains("d4")), "{text:?}");
                let ledger = ledger_of(&to_san(Rejects::Apart), text.as_bytes());
                let counted = |kind: Deviation| ledger.counts.deviations[kind as usize];
                let written = words.split_whitespace().count() as u64;
                assert_eq!(counted(Deviation::ResultStyle), written, "{text:?}");
                assert_eq!(
                    counted(Deviation::ResultMismatch),
                    u64::from(tagged != outcome),
                    "{text:?}"
                );
            }
        }
    }
}

/// A word of a resignation is one in the place of a result alone.
#[test]
fn words_in_the_place_of_a_move_are_not_skipped() {
    for (text, is_read) in [
        ("1. e4 e5 White resigns", true),
        ("1. e4 e5 {c} Black {c} resigns. {c} 1-0", true),
        ("1. e4 e5 resigns", true),
        ("1. e4 (1. d4 d5 Black resigns) 1... e5 *", true),
        ("1. e4 White e5 *", false),
        ("1. e4 White White resigns", false),
        ("1. e4 resigns e5 *", false),
        ("1. e4 e5 White", false),
        ("1. e4 e5 White wins 1-0", true),
        ("1. e4 e5 draw agreed 1/2-1/2", true),
        ("1. e4 (1. d4 d5 White won) 1... e5 *", true),
        ("1. e4 e5 wins", false),
        ("1. e4 e5 agreed", false),
        ("1. e4 e5 White agreed", false),
        ("1. e4 e5 draw wins", false),
        ("1. e4 White wins e5 *", false),
        ("1. e4 e5 White wins resigns", false),
        ("1. e4 (1. d4 resigns d5) 1... e5 *", false),
    ] {
        let games = read(format!("[Event \"a\"]\n\n{text}\n").as_bytes());
        assert_eq!(!games[0].is_rejected, is_read, "{text}: {games:?}");
    }
}

/// A letter that marks a novelty is none where nothing that can be seen is between it and a word, or behind a move number.
#[test]
fn a_letter_that_is_part_of_a_word_is_no_mark() {
    for (blank, is_seen) in [
        (" ", true),
        ("\n", true),
        ("\u{a0}", true),
        ("\u{3000}", true),
        ("\u{200b}", false),
        ("\u{200e}", false),
        ("\u{2060}", false),
        ("\u{feff}", false),
        // Controls of ASCII separate tokens, and have no ink either.
        ("\0", false),
        ("\u{7}", false),
        ("\u{1f}", false),
        ("\u{7}\u{200b}\u{1}", false),
        ("\t", true),
        ("\u{c}", true),
    ] {
        for (text, is_read) in [
            ("1. d4 d5 2. c4 e6 3. Nc3 N_f6 *", is_seen),
            ("1. e4 N_e5 *", is_seen),
            ("1. e4 e5 2. Nf3 N_Nc6 *", is_seen),
            ("1. N_f3 d5 *", false),
            ("1. e4 e5 N_2. Nf3 Nc6 TN_*", true),
        ] {
            let text = format!("[Event \"a\"]\n\n{}\n", text.replace('_', blank));
            let games = read(text.as_bytes());
            assert_eq!(!games[0].is_rejected, is_read, "{text:?}: {games:?}");
        }
    }
}

/// The message names the whole word, and the column is that of its first byte.
#[test]
fn a_result_that_cannot_be_read_is_named_whole() {
    for (text, column, word) in [
        ("1. e4 e5 1/2-1/", 10, "1/2-1/ cannot"),
        ("1. e4 e5 1-0+", 10, "1-0+ cannot"),
        ("1. e4 e5} 2. Nf3 *", 9, "never opened"),
    ] {
        let ledger = ledger_of(&to_san(Rejects::Apart), text.as_bytes());
        let fault = &ledger.faults[0];
        assert!(fault.column == column && fault.detail.contains(word), "{text}: {fault:?}");
    }
}

/// A game whose end is not written gets the result of its tag pair, however that is spelled, where the one after it is
/// left out.
#[test]
fn the_result_that_ends_a_game_is_that_of_its_tag_pair() {
    for (tag, result) in
        [("1 : 0", "1-0"), ("½-½", "1/2-1/2"), ("0-1", "0-1"), ("?", "*"), ("(+)-(-)", "1-0")]
    {
        let text = format!("[Result \"{tag}\"]\n\n1. e4 e5\n\n1. xx *\n\n1. d4 *\n");
        let out = ledger_of(&to_san(Rejects::Apart), text.as_bytes()).out;
        let out = String::from_utf8(out).unwrap();
        let games = read(out.as_bytes());
        // Nothing is written where the next game ends it all the same.
        let written = &games[0].result[..];
        assert!(games.len() == 2 && (written.is_empty() || written == result), "{out}");
        let text = text.replace("1. d4 *", "1. d4 d5\n(c5) *").replace("1. e4 e5", "1. e4");
        let ledger = ledger_of(&to_san(Rejects::Apart), text.as_bytes());
        assert!(!String::from_utf8(ledger.out).unwrap().contains("\n*") || result == "*", "{text}");
    }
}

/// All signs of games that were not played, with every dash as a minus sign: as the last token, with the same tag pair.
#[test]
fn every_score_of_signs_is_one_result() {
    let minus = ["-", "–", "—", "−", "‐"];
    let mut count = 0;
    for separator in ["/", ":", "-", "–", "−", " : ", " / "] {
        for sign in minus {
            for (first, second, outcome) in [
                ("+", sign, Outcome::WhiteWins),
                (sign, "+", Outcome::BlackWins),
                (sign, sign, Outcome::Unknown),
                ("=", "=", Outcome::Draw),
            ] {
                let score = format!("{first}{separator}{second}");
                assert_eq!(Outcome::from_any(score.as_bytes()), Some(outcome), "{score}");
                let text = format!(
                    "[Event \"a\"]\n[Result \"{score}\"]\n\n1. e4 e5 {score}\n\n[Event \"b\"]\n\n*\n"
                );
                let games = kept(&text);
                assert_eq!((games.len(), &games[0].result[..]), (2, &score[..]), "{text:?}");
                count += 1;
            }
        }
    }
    assert_eq!(count, 7 * 5 * 4);
}

//! Games in the letters of an undeclared language: read if the letters fit, and never as other moves.
//!
//! In: games of the sample, converted to each language and to figurines, without the tag pair that names
//! them; they must come back. Besides them, single games that a reader of one language alone would get wrong.

#![allow(clippy::print_stdout, reason = "what is counted is said")]

use std::ops::Range;

use crate::common::{SAMPLE, here, text_of, trials};
use pgnmill_core::chess::Move;
use pgnmill_core::engine::Rejects;
use pgnmill_core::notation::{NOTATIONS, Notation, Ply};
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_core::replay::{Game, History, ReplayVisitor, Replayer, TagSection, Verdict};
use pgnmill_io::archive::games::Games;
use pgnmill_laws::support::{Task, ledger_of, run_of, to_san};

/// Games that are converted to every language.
fn games_count() -> usize {
    trials(40, 100, 300)
}

/// What was replayed of each game.
#[derive(Debug, Default)]
struct GameList {
    games: Vec<(Verdict, &'static str, Vec<Move>)>,
    notation: &'static str,
    moves: Vec<Move>,
}

impl ReplayVisitor for GameList {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, notation: &'static dyn Notation) {
        self.notation = notation.info().name;
        self.moves.clear();
    }

    fn ply(&mut self, _: &[u8], _: Range<usize>, ply: &Ply<'_>, _: usize) {
        self.moves.push(ply.mv());
    }

    fn end(&mut self, _: &[u8], game: &Game<'_>) {
        self.games.push((game.verdict, self.notation, std::mem::take(&mut self.moves)));
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

fn replayed(text: &[u8]) -> GameList {
    let profile = Profile::lenient();
    let mut replayed = GameList::default();
    Replayer::new(&profile, None, History::Ignored).replay(text, &mut replayed);
    replayed
}

/// The games in another notation, which is not named.
fn unnamed(text: &[u8], to: &'static dyn Notation) -> Vec<u8> {
    let named = ledger_of(&run_of(Task::convert(to), Rejects::Apart), text).out;
    let lines = named.split_inclusive(|&byte| byte == b'\n');
    lines.filter(|line| !line.starts_with(b"[MoveNotation ")).collect::<Vec<_>>().concat()
}

#[test]
fn games_of_every_undeclared_language_are_read() {
    let sample = text_of(&here(SAMPLE));
    let games: Vec<&[u8]> = Games::new(&sample).map(|(_, game)| game).take(games_count()).collect();
    let text = ledger_of(&to_san(Rejects::Apart), &games.concat()).out;
    let expected = replayed(&text).games;
    assert!(expected.len() > games_count() / 2, "{}", expected.len());
    for &to in NOTATIONS.iter().filter(|notation| notation.san_letters().is_some()) {
        let name = to.info().name;
        let foreign = unnamed(&text, to);
        let found = replayed(&foreign).games;
        assert_eq!(found.len(), expected.len(), "{name}");
        // What was written before the letters were known is not written twice.
        let back = ledger_of(&to_san(Rejects::Apart), &foreign);
        assert!(back.verdicts().2 > 0 || back.out == text, "{name}");
        let (mut read, mut misread) = (0, 0);
        for ((_, _, expected), (verdict, notation, moves)) in expected.iter().zip(&found) {
            let same = moves == expected;
            let is_read = *verdict != Verdict::Rejected;
            read += usize::from(same && is_read);
            if !same && is_read {
                assert_eq!(*notation, "san", "{name} read as {notation}");
                misread += 1;
            }
        }
        println!("{name}: {read} of {} games, {misread} as SAN", expected.len());
        // Short games may have no letter that English lacks, or fit several languages.
        assert!(read * 50 >= expected.len() * 49 && misread <= 1, "{name}: {read}, {misread}");
    }
}

/// The notation that a game of the starting position is read in, its moves in UCI, and what is odd.
fn read(movetext: &str) -> (&'static str, Verdict, Vec<String>, Vec<&'static str>) {
    let text = format!("[Event \"a\"]\n\n{movetext}\n");
    let profile = Profile::lenient();
    let mut replayed = GameList::default();
    let mut replayer = Replayer::new(&profile, None, History::Ignored);
    replayer.replay(text.as_bytes(), &mut replayed);
    let (verdict, notation, moves) = replayed.games.pop().expect("one game");
    let odd = Deviation::ALL.iter().zip(replayer.counts.deviations);
    let odd = odd.filter(|(odd, count)| *count > 0 && **odd != Deviation::RosterIncomplete);
    let moves = moves.iter().map(|mv| format!("{}{}", mv.origin(), mv.target())).collect();
    (notation, verdict, moves, odd.map(|(odd, _)| odd.name()).collect())
}

#[test]
fn the_knight_of_the_dutch_is_no_pawn() {
    let (notation, verdict, moves, odd) = read("1. e4 e5 2. Pf3 Pc6 3. Lb5 a6 1/2-1/2");
    assert_eq!((notation, verdict), ("san-nl", Verdict::Repaired));
    assert_eq!(moves, ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"]);
    assert_eq!(odd, ["piece-letter-foreign"]);
    // No letter is foreign to English, in which P is a pawn: of pawns in SAN, some may bear the letter.
    let (notation, verdict, moves, odd) = read("1. e4 e5 2. Pf3 Pc6 1/2-1/2");
    assert_eq!((notation, verdict), ("san", Verdict::Repaired));
    assert_eq!(moves, ["e2e4", "e7e5", "f2f3", "c7c6"]);
    assert_eq!(odd, ["pawn-letter"]);
}

/// An English game stays one: with a pawn's letter before any of its moves, and with an illegal move of each piece at its
/// end, its fault is that move's, whatever language could read it.
#[test]
fn an_illegal_move_makes_no_language() {
    const MOVES: [&str; 6] = ["e4", "e5", "d3", "d6", "a3", "a6"];
    let mut tried = 0;
    for lettered in 0..1 << MOVES.len() {
        let mut movetext = String::new();
        for (ply, mv) in MOVES.iter().enumerate() {
            let letter = if lettered >> ply & 1 == 1 { "P" } else { "" };
            let number = if ply % 2 == 0 { format!("{}. ", ply / 2 + 1) } else { String::new() };
            movetext += &format!("{number}{letter}{mv} ");
        }
        for wrong in ["Kc3", "Qc3", "Rc3", "Rf3", "Bc3", "Nf6", "Nb5", "Pb5", "Qh3", "Kd6"] {
            let (notation, verdict, _, odd) = read(&format!("{movetext}4. {wrong} *"));
            assert_eq!(
                (notation, verdict),
                ("san", Verdict::Rejected),
                "{movetext}{wrong}: {odd:?}"
            );
            tried += 1;
        }
        let (notation, verdict, _, odd) = read(&format!("{movetext}*"));
        let letters: &[&str] = if lettered == 0 { &[] } else { &["pawn-letter"] };
        assert_eq!((notation, odd.as_slice()), ("san", letters), "{movetext}");
        assert_ne!(verdict, Verdict::Rejected);
    }
    assert_eq!(tried, 640);
    // A letter that English has not, and the legal moves of a language that has all of the letters.
    assert_eq!(read("1. Pf3 d5 2. Pd4 e5 3. Pb5 Dd7 *").0, "san-nl");
    assert_eq!(read("1. Pd4 d5 2. Dd3 *").1, Verdict::Repaired);
    assert_eq!(read("1. Ph4 h5 2. Rc3 *").1, Verdict::Rejected);
}

#[test]
fn a_pawn_letter_is_one_where_no_language_reads_all_in_its_own() {
    let (notation, verdict, moves, odd) = read("1. Pe4 Pe5 2. Nf3 Nc6 3. Pd4 1/2-1/2");
    assert_eq!((notation, verdict), ("san", Verdict::Repaired));
    assert_eq!(moves, ["e2e4", "e7e5", "g1f3", "b8c6", "d2d4"]);
    assert_eq!(odd, ["pawn-letter"]);
}

#[test]
fn english_letters_alone_never_make_a_game_foreign() {
    // In Finnish and Icelandic it is a knight.
    for movetext in ["1. e4 e5 2. Rf3 *", "1. e4 e5 2. Nf5 *", "1. e4 N 2. e5 Xe6 *"] {
        let (notation, verdict, ..) = read(movetext);
        assert_eq!((notation, verdict), ("san", Verdict::Rejected), "{movetext}");
    }
}

#[test]
fn a_letter_of_another_language_later_in_the_game_tells() {
    // The rook cannot go there, but the Finnish knight can; the bishop's letter is none of English.
    let (notation, verdict, moves, _) = read("1. e4 e5 2. Rf3 Rc6 3. Lb5 Rf6 4. O-O 1/2-1/2");
    assert_eq!((notation, verdict), ("san-fi", Verdict::Repaired));
    assert_eq!(moves, ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "g8f6", "e1h1"]);
    // Latvian's knight, and the old English one.
    assert_eq!(read("1. Zf3 Zf6 *").0, "san-lv");
    assert_eq!(read("1. Ktf3 Ktf6 2. g3 *").0, "san-en");
}

#[test]
fn only_moves_of_the_main_line_tell() {
    // A tag pair among the moves, a comment, a variation, an annotation.
    for odd in ["[Annotator \"Xaver\"]", "{Xe5 Żf3}", "(2. Sc3)", "TN"] {
        let (notation, verdict, moves, _) = read(&format!("1. e4 e5 2. Sf3 {odd} Sc6 3. Lb5 a6 *"));
        assert_eq!((notation, verdict), ("san-hr", Verdict::Repaired), "{odd}");
        let main_line = moves.iter().filter(|mv| *mv != "b1c3");
        assert!(main_line.eq(["e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6"].iter()), "{odd}");
    }
}

#[test]
fn what_sets_of_letters_read_differently_stays_unread() {
    // A queen in Hungarian, Lithuanian and Estonian, a rook in Czech and Slovak.
    let both =
        "[Event \"a\"]\n[FEN \"3qk2r/8/8/8/8/8/8/R2QK3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Va4 *\n";
    let ledger = ledger_of(&to_san(Rejects::Apart), both.as_bytes());
    assert_eq!(ledger.verdicts(), (0, 0, 1), "{:?}", ledger.deviations());
    assert_eq!(ledger.deviations(), ["move-unreadable", "roster-incomplete"]);
    let detail = &ledger.faults[0].detail;
    assert!(detail.ends_with("legal, but they are not the same moves"), "{detail}");
    let letters = "; with K D V S J or ";
    assert!(detail.contains(letters) && detail.contains("for king to knight"), "{detail}");
}

#[test]
fn a_fault_in_other_letters_is_reported_at_its_place() {
    let game = b"[Event \"a\"]\n\n1. e4 e5 2. Sf3 Sc6 3. Lb5 a6 4. Lc7 Sf6 *\n";
    let ledger = ledger_of(&to_san(Rejects::Apart), game);
    let fault = &ledger.faults[0];
    assert_eq!((fault.kind, fault.ply, &fault.text[..]), ("move-unreadable", 3, "Sf3"));
    let further = "; with K D T L S for king to knight it goes on to ply 7: Lc7: ";
    assert!(fault.detail.contains(further), "{}", fault.detail);
}

#[test]
fn what_was_counted_before_the_letters_were_known_is_not_counted_twice() {
    // The capture without its mark comes before the first foreign letter.
    let (notation, _, _, odd) = read("1. e4 d5 2. ed5 Dxd5 3. Sc3 Da5 *");
    assert!(notation.starts_with("san-"), "{notation}");
    assert_eq!(odd, ["pawn-capture-short", "piece-letter-foreign"]);
    let text = b"[Event \"a\"]\n\n1. e4 d5 2. ed5 Dxd5 3. Sc3 Da5 *\n";
    let profile = Profile::lenient();
    let mut replayer = Replayer::new(&profile, None, History::Ignored);
    replayer.replay(text, &mut GameList::default());
    assert_eq!(replayer.counts.deviations[Deviation::PawnCaptureShort as usize], 1);
}

#[test]
fn undeclared_games_in_digits_are_read() {
    let sample = text_of(&here(SAMPLE));
    let games: Vec<&[u8]> = Games::new(&sample).map(|(_, game)| game).take(games_count()).collect();
    let text = ledger_of(&to_san(Rejects::Apart), &games.concat()).out;
    let expected = replayed(&text).games;
    let digits = unnamed(&text, pgnmill_core::notation::find("iccf").expect("registered"));
    let found = replayed(&digits).games;
    assert_eq!(found.len(), expected.len());
    for ((_, _, expected), (verdict, notation, moves)) in expected.iter().zip(&found) {
        let (named, verdict_wanted) = match expected.len() {
            0 => ("san", Verdict::Accepted),
            _ => ("iccf", Verdict::Repaired),
        };
        assert_eq!((moves, *notation, *verdict), (expected, named, verdict_wanted));
    }
    // Their deviations are reported, and they are written: SAN, and the notation itself with its name.
    let back = ledger_of(&to_san(Rejects::Apart), &digits).out;
    assert_eq!(replayed(&back).games, expected);
    let to = pgnmill_core::notation::find("iccf").expect("registered");
    let named = ledger_of(&run_of(Task::convert(to), Rejects::Apart), &digits);
    let again = ledger_of(&to_san(Rejects::Apart), &named.out);
    assert_eq!((again.counts.repaired, again.counts.rejected, &again.out), (0, 0, &back));
}

#[test]
fn digits_in_a_moves_place_are_a_move_or_a_fault() {
    for (movetext, notation, verdict, odd) in [
        ("1. 5254 5755 2. 7163 2836 1-0", "iccf", Verdict::Repaired, "notation-undeclared"),
        ("1. 5254 {c} (1. 4244 4745) 5755! $1 *", "iccf", Verdict::Repaired, "notation-undeclared"),
        ("1. 5254 5755 2. 7163 9999 1-0", "san", Verdict::Rejected, "move-unreadable"),
        ("1. 5254 5755 2. 7163 2847 1-0", "san", Verdict::Rejected, "move-unreadable"),
        ("1. e4 e5 2. 7163 *", "san", Verdict::Rejected, "move-unreadable"),
        ("1. e4 (1. 4244) e5 *", "san", Verdict::Rejected, "move-unreadable"),
        ("1. e4 1999 e5 *", "san", Verdict::Rejected, "move-unreadable"),
        ("1. e4 e5 1999Nf3 *", "san", Verdict::Rejected, "move-unreadable move-number-stuck"),
        ("1. e4 e5 1999. Nf3 *", "san", Verdict::Accepted, "move-number-wrong"),
        ("1. e4 e5 525 Nf3 *", "san", Verdict::Accepted, "move-number-wrong"),
        ("1. Nf3 d5 2. g3 e6 3. Bg2 c6 4. 00 *", "san", Verdict::Repaired, "castling-zeros"),
        (
            "1. d4 d5 2. Be3 e6 3. Nc3 c6 4. Qd2 a6 5. 000! *",
            "san",
            Verdict::Repaired,
            "castling-zeros",
        ),
        ("1. 00 *", "san", Verdict::Rejected, "move-illegal"),
    ] {
        let found = read(movetext);
        assert_eq!((found.0, found.1), (notation, verdict), "{movetext}: {:?}", found.3);
        assert_eq!(found.3.join(" "), odd, "{movetext}");
    }
}

#[test]
fn a_word_in_no_letters_hides_no_foreign_game() {
    // The fault is that word, not the first move in foreign letters before it.
    let moves = ["1. e4", "e5", "2. Sf3", "Sc6", "3. Lb5", "a6", "4. La4", "Sf6"];
    for odd in ["\u{2013}", "\u{2013}f6", "\u{2212}e4", "\u{fe0e}x9", "\u{fe0f}", "f9"] {
        for at in 4..=moves.len() {
            let (before, after) = moves.split_at(at);
            let text = [before, &[odd], after].concat().join(" ");
            let text = format!("[Event \"a\"]\n\n{text} *\n");
            let ledger = ledger_of(&to_san(Rejects::Apart), text.as_bytes());
            let Some(fault) = ledger.faults.first() else {
                assert_eq!(ledger.counts.plies, moves.len() as u64, "{text}");
                continue;
            };
            // Characters without ink are named by their codes.
            let named = pgnmill_core::pgn::deviation::quoted(odd.as_bytes());
            let further = format!("it goes on to ply {}: {named}", at + 1);
            assert!(fault.detail.contains(&further), "{text}: {}", fault.detail);
        }
    }
}

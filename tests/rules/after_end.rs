//! After the end of a game nothing is accepted: no move, no drop, no null move, whatever ended it and in whatever
//! rules.
//!
//! In: random games of each ruleset, played to their ends; positions of chess without a legal move. Out: nothing. The
//! same is tested of the text of such a game: one more move of any kind, and it is rejected.

use std::collections::BTreeMap;

use crate::common::{Dice, trials};
use pgnmill::{Input, NamedSource, Position, Profile, Reader, Verdict};
use pgnmill_core::chess::rules::{
    AnyPosition, AnyVariant, Chess99, GameEnd, Rules, RulesKind, Standard,
};
use pgnmill_core::notation::{Check, MoveText, UCI, VariantPly};
use pgnmill_core::pgn::deviation::Deviation;
use pgnmill_io::archive::Options;

/// The legal moves by the rules.
fn moves<R: Rules>(position: &R::Position) -> Vec<R::Move> {
    let mut found = Vec::new();
    R::visit_legal(position, &mut |mv| {
        found.push(mv);
        false
    });
    found
}

/// Plays at random; at each position: nothing goes on exactly if the game is over, and no null move is made in check.
/// Returns the moves, and how the game ended.
fn play<R: Rules>(
    start: R::Position,
    dice: &mut Dice,
    plies: usize,
) -> (Vec<R::Move>, Option<GameEnd>)
where
    R::Position: Copy,
    R::Move: Copy,
{
    let (mut position, mut played) = (start, Vec::new());
    loop {
        let (legal, end) = (moves::<R>(&position), R::end(&position));
        assert_eq!(legal.is_empty(), end.is_some(), "{end:?}");
        let passed = R::pass(&position);
        assert!(end.is_none() || passed.is_none(), "a null move after the end, {end:?}");
        assert!(!R::in_check(&position) || passed.is_none(), "a null move in check");
        if end.is_some() || played.len() == plies {
            return (played, end);
        }
        let mv = legal[dice.below(legal.len())];
        played.push(mv);
        let mut next = position;
        R::play_into(&position, mv, &mut next);
        position = next;
    }
}

/// The verdict on the only game of a text, in which null moves are allowed.
fn verdict(text: &str) -> Verdict {
    let source = NamedSource::bytes("text", text.as_bytes().to_vec());
    let archive = pgnmill::Archive::open(&Input::Named(source), &Options::default()).unwrap();
    let mut profile = Profile::lenient();
    assert!(profile.allow(Deviation::NullMoveMainLine));
    let mut games = Reader::of(archive).profile(profile).games();
    let verdict = games.next().unwrap().expect("a game").verdict();
    assert!(games.next().unwrap().is_none(), "one game: {text}");
    verdict
}

/// What no game has after its end.
const MORE: [&str; 8] = ["--", "Z0", "e2e4", "a7a6", "e1g1", "P@e4", "b8c6", "h1h2"];

#[test]
fn nothing_is_accepted_after_the_end_of_a_variant() {
    let mut dice = Dice::new(0x61);
    let variants = RulesKind::all().filter_map(|rules| Some((rules.variant()?, rules.title())));
    for (kind, title) in variants {
        let (mut ends, mut texts) = (BTreeMap::new(), 0);
        for _ in 0..trials(300, 300, 2_000) {
            let (played, end) = play::<AnyVariant>(kind.initial(false), &mut dice, 220);
            let Some(end) = end else { continue };
            *ends.entry(format!("{end:?}")).or_insert(0) += 1;
            if texts == 4 {
                continue;
            }
            texts += 1;
            let mut text = format!("[Variant \"{title}\"]\n[MoveNotation \"uci\"]\n\n");
            let mut position = kind.initial(false);
            for (ply, &mv) in played.iter().enumerate() {
                let (after, mut written) = (position.play(mv), MoveText::default());
                let ply_of = VariantPly::new(&position, mv, &after, Check::None);
                UCI.encode_variant(&ply_of, &mut written).expect("UCI writes all moves");
                let number =
                    if ply % 2 == 0 { format!("{}. ", ply / 2 + 1) } else { String::new() };
                text += &format!("{number}{written} ");
                position = after;
            }
            let of = verdict(&(text.clone() + "*\n"));
            assert_ne!(of, Verdict::Rejected, "{kind:?}: {text}");
            for more in MORE {
                let of = verdict(&format!("{text}{more} *\n"));
                assert_eq!(of, Verdict::Rejected, "{kind:?}: {text}{more}");
            }
        }
        // Of racing kings and crazyhouse random games are long.
        let count: i32 = ends.values().sum();
        assert!(count > 0, "{kind:?}: {ends:?}");
    }
}

#[test]
fn nothing_is_accepted_after_the_end_of_a_game_of_chess() {
    let (mut dice, mut ended) = (Dice::new(0x62), 0);
    for _ in 0..trials(300, 300, 2_000) {
        ended += usize::from(play::<Standard>(Position::initial(), &mut dice, 300).1.is_some());
    }
    assert!(ended > 5, "{ended}");
    // Mate, stalemate, with either side to move.
    for (fen, more) in [
        ("7k/5KQ1/8/8/8/8/8/8 b - - 0 9", "9..."),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 9", "9..."),
        ("8/8/8/8/8/6k1/5q2/7K w - - 0 9", "9."),
        ("8/8/8/8/8/8/5kq1/7K w - - 0 9", "9."),
    ] {
        let position = Position::from_fen(fen.as_bytes()).unwrap().0;
        assert!(Standard::pass(&position).is_none() && moves::<Standard>(&position).is_empty());
        for text in ["--", "Z0", "Kg1", "Kh7", "Kxf2", "a6"] {
            let game = format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n{more} {text} *\n");
            assert_eq!(verdict(&game), Verdict::Rejected, "{game}");
        }
    }
}

#[test]
fn nothing_is_accepted_after_the_end_of_a_game_of_chess_99() {
    let (mut dice, mut ended) = (Dice::new(0x63), 0);
    let start = || match AnyPosition::initial(RulesKind::Chess99) {
        AnyPosition::Chess99(position) => position,
        other => panic!("{other:?}"),
    };
    for _ in 0..trials(40, 40, 400) {
        ended += usize::from(play::<Chess99>(start(), &mut dice, 400).1.is_some());
    }
    assert!(ended > 0, "{ended}");
}

//! Texts of drops and of Chess 99 that are not canonical: each spelling departs by its own name, and by no other; what
//! has two readings is ambiguous.
//!
//! In: every drop and play of random positions, in other spellings. What must come of each follows from the canonical
//! text and the list of legal moves.

use crate::common::games::registered;
use crate::common::{Dice, trials};
use pgnmill_core::chess::rules::{
    AnyPosition, AnyVariant, Chess99, Position99, Rules, RulesKind, VariantKind, VariantPosition,
};
use pgnmill_core::chess::{Color, Move, Role};
use pgnmill_core::notation::{self, Check, MoveText, Notation, Ply99, VariantPly};
use pgnmill_core::pgn::deviation::{Deviation, DeviationSet};

/// Positions of random games of crazyhouse, with pieces in the pocket of the side to move.
fn crazyhouse(dice: &mut Dice, count: usize) -> Vec<VariantPosition> {
    let mut found = Vec::new();
    while found.len() < count {
        let mut position = VariantKind::Crazyhouse.initial(false);
        for _ in 0..20 + dice.below(120) {
            let legal = position.legal_moves();
            // Captures fill pockets; drops, which are many, would empty them.
            let moves: Vec<Move> = legal.iter().copied().filter(|mv| !mv.is_drop()).collect();
            let Some(&mv) = moves.get(dice.below(moves.len().max(1))) else { break };
            position = position.play(mv);
        }
        if AnyVariant::end(&position).is_none()
            && position.legal_moves().iter().any(|mv| mv.is_drop())
        {
            found.push(position);
        }
    }
    found
}

fn drops_of(position: &VariantPosition) -> Vec<Move> {
    position.legal_moves().into_iter().filter(|mv| mv.is_drop()).collect()
}

fn written(notation: &dyn Notation, position: &VariantPosition, mv: Move) -> String {
    let (after, mut text) = (position.play(mv), MoveText::default());
    let ply = VariantPly::new(position, mv, &after, Check::None);
    notation.encode_variant(&ply, &mut text).expect("a drop can be written");
    text.to_string()
}

/// The notations whose drops are a letter, `@` and a square.
const WITH_LETTERS: [&str; 6] = ["san", "long", "uci", "chess99", "san-de", "san-ru"];

#[test]
fn drops_in_other_spellings_depart_by_one_name_each() {
    let mut dice = Dice::new(0x81);
    let (mut pawns, mut others, mut small) = (0, 0, 0);
    for position in crazyhouse(&mut dice, trials(200, 200, 1_500)) {
        for name in WITH_LETTERS {
            let notation = registered(name);
            for mv in drops_of(&position) {
                let canonical = written(notation, &position, mv);
                let (letter, square) = canonical.split_once('@').expect("a drop");
                let read = |text: &str| {
                    let reading = notation.read_variant(text.as_bytes(), &position, None);
                    reading.map(|reading| (reading.mv, reading.deviations))
                };
                let only = |odd: &[Deviation]| {
                    let mut set = DeviationSet::EMPTY;
                    odd.iter().for_each(|&odd| set.add(odd));
                    Ok((mv, set))
                };
                let place = |text: &str| format!("{name}: {text} in {}", position.to_fen());
                assert_eq!(read(&canonical), only(&[]), "{}", place(&canonical));
                // A pawn with the letter that is left out, or without the one that is written.
                if mv.role() == Role::Pawn {
                    let letter = if letter.is_empty() { "P" } else { "" };
                    if letter.is_empty() || !name.contains('-') {
                        let text = format!("{letter}@{square}");
                        assert_eq!(read(&text), only(&[Deviation::DropLetter]), "{}", place(&text));
                        pawns += 1;
                    }
                } else {
                    others += 1;
                }
                // Small letters. Where a language has letters of its own they may be those of files.
                if !letter.is_empty() && !name.contains('-') {
                    let text = format!("{}@{square}", letter.to_lowercase());
                    let expected = only(&[Deviation::PieceLetterLowerCase]);
                    assert_eq!(read(&text), expected, "{}", place(&text));
                    small += 1;
                }
            }
        }
    }
    assert!(pawns > 500 && others > 500 && small > 500, "{pawns} {others} {small}");
}

/// The squares that a place in descriptive notation means, without the side: both files of a letter, White's ranks or
/// Black's.
fn places(letter: char, rank: u8, turn: Color) -> Vec<String> {
    let files = match letter {
        'R' => "ah",
        'N' => "bg",
        'B' => "cf",
        'Q' => "d",
        _ => "e",
    };
    let rank = if turn == Color::White { rank } else { 9 - rank };
    files.chars().map(|file| format!("{file}{rank}")).collect()
}

#[test]
fn drops_on_one_of_two_squares_are_ambiguous_in_descriptive_notation() {
    let mut dice = Dice::new(0x82);
    let (mut ambiguous, mut one, mut none) = (0, 0, 0);
    for name in ["descriptive", "descriptive-sides"] {
        let notation = registered(name);
        for position in crazyhouse(&mut dice, trials(150, 150, 1_000)) {
            let drops = drops_of(&position);
            for role in [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen] {
                for letter in "RNBQK".chars() {
                    for rank in 1..=8 {
                        let text = format!("{}@{letter}{rank}", char::from(role.letter()));
                        let squares = places(letter, rank, position.turn());
                        let fits = |mv: &&Move| {
                            mv.role() == role && squares.contains(&mv.target().to_string())
                        };
                        let fitting: Vec<Move> = drops.iter().filter(fits).copied().collect();
                        let expected = match fitting[..] {
                            [] => Err(Deviation::MoveIllegal),
                            [mv] => Ok(mv),
                            _ => Err(Deviation::MoveAmbiguous),
                        };
                        let found = notation.read_variant(text.as_bytes(), &position, None);
                        let found = found.map(|reading| reading.mv);
                        assert_eq!(found, expected, "{name}: {text} in {}", position.to_fen());
                        ambiguous += usize::from(expected == Err(Deviation::MoveAmbiguous));
                        one += usize::from(expected.is_ok());
                        none += usize::from(expected == Err(Deviation::MoveIllegal));
                    }
                }
            }
        }
    }
    assert!(ambiguous > 500 && one > 500 && none > 500, "{ambiguous} {one} {none}");
}

/// Every suffix after every play of Chess 99: a check that is not written, one that is none, and another order or form
/// have their own names, alone and together.
#[test]
fn check_suffixes_of_chess_99_depart_by_one_name_each() {
    let (mut dice, notation) = (Dice::new(0x83), notation::find("chess99").expect("registered"));
    let mut marks = 0;
    for _ in 0..trials(200, 200, 1_500) {
        let AnyPosition::Chess99(mut position) = AnyPosition::initial(RulesKind::Chess99) else {
            panic!()
        };
        for _ in 0..dice.below(120) {
            let mut plays = Vec::new();
            Chess99::visit_legal(&position, &mut |play| {
                plays.push(play);
                false
            });
            let Some(&play) = plays.get(dice.below(plays.len().max(1))) else { break };
            let mut after = position;
            Chess99::play_into(&position, play, &mut after);
            marks += check_suffixes(notation, &position, play, &after);
            position = after;
        }
    }
    assert!(marks > 300, "{marks}");
}

/// All suffixes of one play; returns whether it has one.
fn check_suffixes(
    notation: &dyn Notation,
    position: &Position99,
    play: <Chess99 as Rules>::Move,
    after: &Position99,
) -> usize {
    let mut text = MoveText::default();
    notation
        .encode_99(&Ply99::new(position, play, after), &mut text)
        .expect("a play can be written");
    let canonical = text.to_string();
    let body = canonical.trim_end_matches(['!', '+']);
    let marks = &canonical[body.len()..];
    let base = notation.read_99(canonical.as_bytes(), position).expect("canonical").deviations;
    for suffix in ["", "!", "+", "!+", "+!", "++"] {
        let mut expected = base;
        // `++` is a check that is written twice.
        for mark in ['!', '+'] {
            match (suffix.contains(mark), marks.contains(mark)) {
                (true, false) => expected.add(Deviation::CheckMarkExtra),
                (false, true) => expected.add(Deviation::CheckMarkMissing),
                _ => {}
            }
        }
        if matches!(suffix, "+!" | "++") {
            expected.add(Deviation::CheckMarkStyle);
        }
        let text = format!("{body}{suffix}");
        let reading = notation.read_99(text.as_bytes(), position);
        let reading = reading.unwrap_or_else(|odd| panic!("{text} in {position}: {}", odd.name()));
        assert_eq!((reading.mv, reading.deviations), (play, expected), "{text} in {position}");
    }
    usize::from(!marks.is_empty())
}

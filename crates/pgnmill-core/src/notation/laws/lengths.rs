//! Computed lengths are those of the texts: of all notations at once and of each alone, in random games.

use pgnmill_dice::trials;

use super::positions::Random;
use super::*;

/// The lengths of all notations at once are those of each alone and those of the texts, with a history and without.
#[test]
fn lengths_are_those_of_the_texts_with_a_history_and_without() {
    let mut random = Random::seeded(23);
    let apart = || NOTATIONS.iter().filter(|notation| notation.san_letters().is_none());
    let some = Chosen::of(&[find("geographical").unwrap(), find("stamma").unwrap()]);
    let main = Chosen::of(&MAIN);
    let in_main: Vec<u8> =
        free().map(|n| u8::from(MAIN.iter().any(|main| is_same(*main, n)))).collect();
    for game in 0..trials(4, 12, 360) {
        let mut position = Position::initial();
        let mut lineage = (game % 3 > 0).then(Lineage::initial);
        for _ in 0..200 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            // Pawns go first in every second game, so that there are promotions.
            let pawns: Vec<Move> =
                moves.iter().copied().filter(|mv| mv.role() == Role::Pawn).collect();
            let list = if game % 2 > 0 && !pawns.is_empty() { &pawns[..] } else { &moves[..] };
            let mv = list[random.below(list.len())];
            for &mv in &moves {
                let after = position.play(mv);
                let ply = Ply::new(&position, mv, &after, Check::of(&after))
                    .with_lineage(lineage.as_ref());
                let facts = Facts::of(&ply);
                assert_eq!(facts.shape().disambiguation(), ply.disambiguation());
                let free: Vec<u8> =
                    free().map(|notation| notation.length(&facts).characters).collect();
                assert_eq!(facts.free_lengths()[..FREE_COUNT], free[..]);
                let usual = Facts::for_notations(&ply, &main).free_lengths();
                let expected = free.iter().zip(&in_main).map(|(length, is_in)| length * is_in);
                assert!(usual.into_iter().take(FREE_COUNT).eq(expected));
                let bare = Facts::for_notations(&ply, &some);
                assert_eq!(bare.shape(), facts.shape());
                let [geographical, stamma, none @ ..] = bare.free_lengths();
                assert_eq!([geographical, stamma], free[..2]);
                assert_eq!(none, [0; FREE_COUNT - 2]);
                assert_eq!(Facts::for_notations(&ply, &Chosen::of(&[])).shape(), facts.shape());
                for notation in apart() {
                    let length = notation.length(&facts);
                    let text = write_in(*notation, &position, mv, lineage.as_ref());
                    let name = notation.info().name;
                    let fen = position.to_fen();
                    assert_eq!(length, Length::of(&text), "{name}, {fen}, {mv:?}: {text}");
                }
            }
            lineage = lineage.map(|lineage| lineage.after(mv));
            position = position.play(mv);
        }
    }
    let translated = NOTATIONS.iter().filter(|notation| notation.is_translated()).count();
    assert_eq!(apart().count(), SHAPED_COUNT + FREE_COUNT + translated);
}

/// Whether lengths follow from the shape is the same for every shape, and as the registry declares.
#[test]
fn shaped_notations_have_lengths_for_every_shape() {
    let shapes: Vec<Shape> = (0..Shape::COUNT).filter_map(Shape::from_index).collect();
    let free: Vec<&str> = free().map(|notation| notation.info().name).collect();
    for notation in NOTATIONS.iter().filter(|notation| notation.san_letters().is_none()) {
        let name = notation.info().name;
        let with = shapes.iter().filter(|shape| notation.shape_length(**shape).is_some()).count();
        assert_eq!(
            with,
            if free.contains(&name) || notation.is_translated() { 0 } else { shapes.len() },
            "{name}"
        );
        assert!(notation.info().alphabet.is_ascii() || !free.contains(&name), "{name}");
    }
    assert_eq!(free.len(), FREE_COUNT);
}

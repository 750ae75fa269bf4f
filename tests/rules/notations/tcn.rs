//! TCN against a second reading of its rules, by indexes alone, as the site's own programs have it; and its vectors.
//!
//! In: random games of chess and of Crazyhouse; games of the site's API. Laws: what is written is what the
//! arithmetic of indexes gives, and every pair of characters that this arithmetic takes is read as the same move.

use pgnmill_core::chess::rules::{VariantKind, VariantPosition};
use pgnmill_core::chess::{Move, Position, Role};
use pgnmill_core::notation::{Check, MoveText, SAN, TCN, VariantPly, write};

use crate::common::games::{HARD, position, walk};
use crate::common::{Dice, trials};

const T: &str =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!?{~}(^)[_]@#$,./&-*++=";

/// A pair in UCI, by indexes: `e7e8q`, and of a drop `Q@e4`.
fn decoded(pair: [char; 2]) -> Option<String> {
    let [first, second] = pair.map(|character| T.find(character).map(|at| at as i32));
    let (first, mut second) = (first?, second?);
    let square = |index: i32| {
        (0..64)
            .contains(&index)
            .then(|| format!("{}{}", &T[index as usize % 8..index as usize % 8 + 1], index / 8 + 1))
    };
    let mut promotion = String::new();
    if second > 63 {
        let piece = (second - 64) / 3;
        promotion = "qnrbk".get(piece as usize..piece as usize + 1)?.to_string();
        second = first + if first < 16 { -8 } else { 8 } + (second - 1) % 3 - 1;
    }
    if first > 78 {
        let piece = "QNRBKP".get(first as usize - 79..first as usize - 78)?;
        return Some(format!("{piece}@{}", square(second)?)).filter(|_| promotion.is_empty());
    }
    Some(format!("{}{}{promotion}", square(first)?, square(second)?))
}

/// All pairs of characters, and some others.
fn pairs() -> impl Iterator<Item = [char; 2]> {
    let others = [' ', 'é', '|', '"'];
    let all: Vec<char> = T.chars().chain(others).collect();
    let second = all.clone();
    all.into_iter().flat_map(move |first| second.clone().into_iter().map(move |it| [first, it]))
}

#[test]
fn pairs_are_read_as_their_indexes() {
    let mut random = Dice::new(85);
    let mut starts = vec![Position::initial()];
    starts.extend(HARD.iter().map(|fen| position(fen)));
    let mut found = 0;
    for start in starts {
        for moment in walk(start, 120, &mut random).iter().step_by(trials(23, 5, 1)) {
            let before = &moment.position;
            for pair in pairs() {
                let text: String = pair.iter().collect();
                let read = TCN.read_in(text.as_bytes(), before, None).map(|reading| reading.mv);
                let uci = decoded(pair).filter(|uci| !uci.contains('@'));
                let expected = uci.as_deref().and_then(|uci| Move::from_uci(before, uci).ok());
                assert_eq!(read.ok(), expected, "{}: {text}: {uci:?}", before.to_fen());
                found += usize::from(expected.is_some());
            }
        }
    }
    assert!(found > 300, "{found}");
}

#[test]
fn drops_are_read_as_their_indexes() {
    let mut random = Dice::new(84);
    let mut drops = 0;
    for _ in 0..trials(4, 20, 100) {
        let mut before = VariantKind::Crazyhouse.initial(false);
        for ply in 0..80 {
            let moves = before.legal_moves();
            if moves.is_empty() {
                break;
            }
            if ply % trials(11, 5, 1) == 0 {
                drops += drops_of(&before, &moves);
            }
            before = before.play(moves[random.below(moves.len())]);
        }
    }
    assert!(drops > 50, "{drops}");
}

/// The drops of a position, each of which is written and read as its indexes state.
fn drops_of(before: &VariantPosition, moves: &[Move]) -> usize {
    let mut drops = 0;
    for &mv in moves.iter().filter(|mv| mv.is_drop()) {
        let after = before.play(mv);
        let ply = VariantPly::new(before, mv, &after, Check::None);
        let mut text = MoveText::default();
        TCN.encode_variant(&ply, &mut text).unwrap();
        let text = text.to_string();
        let pair: Vec<char> = text.chars().collect();
        let letter = if mv.role() == Role::Pawn { 'P' } else { char::from(mv.role().letter()) };
        let expected = format!("{letter}@{}", mv.target());
        assert_eq!(decoded([pair[0], pair[1]]).as_ref(), Some(&expected), "{text}");
        let read = TCN.read_variant(text.as_bytes(), before, None);
        assert_eq!(read.map(|reading| reading.mv), Ok(mv), "{text}");
        drops += 1;
    }
    drops
}

/// Games of the API, as its field `tcn` and its PGN have them (29099782 and 71795087967; the second has castling long,
/// a promotion of Black and 132 plies).
const GAMES: [(&str, &str); 3] = [
    ("mC0Kgv", "e4 e5 Nf3"),
    (
        "mCZRlB!Tbs2Ucu92dlYQgv6EfAXHArWGiq5ZvM8!pxENoE",
        "e4 d6 d4 Nf6 Nc3 g6 Be3 Bg7 Qd2 c6 Nf3 Bg4 Bc4 b5 Bb3 a5 a3 Nbd7 Ng5 O-O h3 Bh5 g4",
    ),
    (
        "mC0Kgv5QfHZRHy6Zks!TltWOyk90egZEpxEvdv3VfeT3bl3MvwMSlf0FwE7TfwSDwL2ULFVNEwUMFLNFwEQ0L0T0cDMDEm86nv?!tB!wef7!fnwx\
         BKRKadxwmlFxktwono!oloxogo0MonMwnmwomeogtfgufmXHef6XiyHydaOGayXPyqucfncjqyYIyAjineGymdyqAyijsAjsemsjmeqiy4i~45PQ\
         5jajdmjcencknfQPfnPGnfGzfnzsnfsBfn1TnfBu",
        "e4 e5 Nf3 Nc6 Bb5 d6 Ba4 Bd7 c3 Nf6 d3 a6 Bc2 Be7 O-O Bg4 h3 Bxf3 Qxf3 h6 Re1 Nh7 Nd2 Ng5 Qg3 Ne6 Nf1 Bh4 Qg4 Qf6 \
         Ng3 Nf4 Nf5 g6 Nxh4 h5 Qg3 g5 Nf5 h4 Qg4 Ne7 Nxe7 Qxe7 Bxf4 gxf4 Qe2 O-O-O f3 Rhg8 d4 Rg3 Rf1 Rdg8 Rf2 Rxh3 dxe5 \
         dxe5 Rd1 Rhg3 Qd2 h3 Bd3 Rxg2+ Rxg2 Rxg2+ Qxg2 hxg2 Kxg2 Qg5+ Kf2 Qg3+ Ke2 Qg2+ Ke1 Qg1+ Bf1 Qe3+ Be2 b5 Kf1 Kb7 \
         a4 bxa4 Ra1 a5 Rxa4 Kb6 Ra3 Qc1+ Kf2 Qxb2 Ra4 c5 Rc4 Qa2 Ke1 a4 Bd1 a3 Ra4 Qb2 c4 Qc3+ Ke2 Qb2+ Ke1 a2 Ra8 a1=Q \
         Rb8+ Kc6 Rxb2 Qxb2 Be2 Qc1+ Kf2 Qc2 Kf1 Kb6 Kf2 Ka5 Kf1 Kb4 Kf2 Kc3 Kf1 Kd4 Kf2 f6 Kf1 Ke3",
    ),
];

#[test]
fn games_of_the_site_are_their_moves() {
    for (text, moves) in GAMES {
        let (mut position, mut written) = (Position::initial(), String::new());
        for san in moves.split(' ') {
            let mv = SAN.decode(&position, san.as_bytes()).unwrap();
            written += &write(TCN, &position, mv).to_string();
            position = position.play(mv);
        }
        assert_eq!(written, text);
    }
}

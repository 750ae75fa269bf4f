//! The rules and the texts of the Lichess variants against shakmaty's, ply by ply, on random games and on the archives.
//!
//! In: random play from the initial positions, from the starts of Chess960, and from random placements; the games of
//! `../shared/corpora/variants`. At every ply must be equal: the legal moves, check, the end, the FEN record, and the
//! SAN of the move that is played. Known differences (`variants.md`, section 8): shakmaty writes drops of pawns as
//! `@e4`, and judges lack of material. Then the laws of the notations: in every position, every legal move has in
//! every notation a text of its own, which is read as that move.

#![allow(clippy::print_stdout, reason = "reports how much was compared")]

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::ops::Range;

use crate::common::variants::{SHARED, mode_of, random_record, start_of_chess960, theirs_of};
use crate::common::{self, Dice, trials};
use pgnmill_core::chess::rules::{
    AnyPosition, AnyVariant, GameEnd, Rules, RulesKind, VariantKind, VariantPosition,
};
use pgnmill_core::chess::{Color, Move, Role};
use pgnmill_core::notation::{
    self, Check, Expresses, Lineage, MoveText, Notation, OtherPly, Ply, VariantPly, expresses,
};
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_core::replay::{Game, History, ReplayVisitor, Replayer, TagSection};
use pgnmill_io::archive::games::Games;
use pgnmill_needs::needs;
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::variant::{Variant, VariantPosition as Theirs};
use shakmaty::{EnPassantMode, KnownOutcome, Outcome, Position as _};

fn plies_wanted() -> u64 {
    trials(3_000, 12_000, 1_000_000)
}

fn check_of(after: &VariantPosition) -> Check {
    match AnyVariant::end(after) {
        Some(GameEnd::Win(_)) => Check::Mate,
        _ if AnyVariant::in_check(after) => Check::Check,
        _ => Check::None,
    }
}

/// The text of a move.
fn write(
    notation: &dyn Notation,
    before: &VariantPosition,
    mv: Move,
    lineage: Option<&Lineage>,
) -> Result<String, Deviation> {
    let (after, mut text) = (before.play(mv), MoveText::default());
    let ply = VariantPly::new(before, mv, &after, check_of(&after)).with_lineage(lineage);
    notation.encode_variant(&ply, &mut text)?;
    Ok(text.to_string())
}

/// Compares what both know of a position; returns the legal moves of both, by their UCI texts.
fn compared(ours: &VariantPosition, theirs: &Theirs) -> HashMap<String, (Move, shakmaty::Move)> {
    let record = ours.to_fen();
    let mode = mode_of(ours);
    let fen = Fen::from_position(theirs, EnPassantMode::Legal).to_string();
    assert_eq!(record, fen);
    // After its end a game may have no king, which no record may.
    if AnyVariant::end(ours).is_none() {
        let (again, notes) = ours.kind().from_fen(record.as_bytes(), false).expect(&record);
        assert_eq!((again.to_fen(), notes.is_clean()), (record.clone(), true), "{record}");
    }
    let their_moves = theirs.legal_moves();
    let mut moves = HashMap::new();
    for mv in ours.legal_moves() {
        let text = write(notation::UCI, ours, mv, None).expect("UCI writes every move");
        assert!(moves.insert(text, mv).is_none(), "{record}: {mv:?} twice");
    }
    // Lack of material ends no game here.
    let is_over = theirs.is_variant_end();
    let their_texts: BTreeSet<String> =
        their_moves.iter().map(|mv| mv.to_uci(mode).to_string()).collect();
    let texts: BTreeSet<String> = moves.keys().cloned().collect();
    assert_eq!(texts, their_texts, "{record}");
    let their_end = match theirs.outcome() {
        _ if !is_over && !their_moves.is_empty() => None,
        Outcome::Known(KnownOutcome::Decisive { winner }) => Some(GameEnd::Win(match winner {
            shakmaty::Color::White => Color::White,
            shakmaty::Color::Black => Color::Black,
        })),
        Outcome::Known(KnownOutcome::Draw) => Some(GameEnd::Draw),
        Outcome::Unknown => None,
    };
    assert_eq!(AnyVariant::end(ours), their_end, "{record}");
    if !is_over {
        assert_eq!(AnyVariant::in_check(ours), theirs.is_check(), "{record}");
    }
    let their_moves = their_moves.into_iter().map(|mv| (mv.to_uci(mode).to_string(), mv));
    their_moves.map(|(text, mv)| (text.clone(), (moves[&text], mv))).collect()
}

/// Plays one move in both; its SAN must be equal, and must be read as the move.
fn played(ours: &mut VariantPosition, theirs: &mut Theirs, (mv, their_mv): (Move, shakmaty::Move)) {
    let san = write(notation::SAN, ours, mv, None).expect("SAN writes every move");
    let reading = notation::SAN.read_variant(san.as_bytes(), ours, None);
    let reading = reading.unwrap_or_else(|kind| panic!("{}: {san}: {kind}", ours.to_fen()));
    assert_eq!((reading.mv, reading.deviations.is_empty()), (mv, true), "{}: {san}", ours.to_fen());
    let record = ours.to_fen();
    *ours = ours.play(mv);
    let their_san = SanPlus::from_move_and_play_unchecked(theirs, their_mv).to_string();
    let their_san = if their_san.starts_with('@') { format!("P{their_san}") } else { their_san };
    // shakmaty has a sign of mate only with a winner, as we do; a draw by lack of material has none.
    assert_eq!(san, their_san, "{record}");
}

/// Random games of a ruleset; returns the number of plies.
fn random_games(kind: VariantKind, variant: Variant, dice: &mut Dice, plies_min: u64) -> u64 {
    let mut plies = 0;
    let mut number = 0;
    while plies < plies_min {
        number += 1;
        let record = match number % 3 {
            0 => kind.initial(false).to_fen(),
            1 if !matches!(kind, VariantKind::Horde | VariantKind::RacingKings) => {
                start_of_chess960(kind, dice)
            }
            _ => random_record(kind, 20, dice),
        };
        let Ok((mut ours, _)) = kind.from_fen(record.as_bytes(), false) else { continue };
        let Some(mut theirs) = theirs_of(variant, &ours.to_fen(), mode_of(&ours)) else { continue };
        if AnyVariant::end(&ours).is_some() {
            continue;
        }
        for _ in 0..300 {
            let moves = compared(&ours, &theirs);
            let mut texts: Vec<&String> = moves.keys().collect();
            if texts.is_empty() {
                break;
            }
            texts.sort_unstable();
            let chosen = moves[texts[dice.below(texts.len())]];
            played(&mut ours, &mut theirs, chosen);
            plies += 1;
        }
    }
    plies
}

#[test]
fn random_games_are_those_of_shakmaty() {
    for (kind, variant) in SHARED {
        let plies = random_games(kind, variant, &mut Dice::new(20 + kind as u64), plies_wanted());
        println!("{}: {plies} plies", kind.name());
    }
}

/// In random positions of each ruleset every legal move has in every notation a text of its own, and it is read as
/// that move, without deviations.
#[test]
fn every_notation_is_injective_and_read_back() {
    let positions = usize::try_from(plies_wanted() / 1_000).unwrap_or(20);
    for &kind in VariantKind::ALL {
        let mut dice = Dice::new(7 + kind as u64);
        for _ in 0..positions {
            let mut position = kind.initial(false);
            let mut lineage = (!matches!(kind, VariantKind::Horde | VariantKind::RacingKings))
                .then(Lineage::initial);
            for _ in 0..dice.below(120) {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                let mv = moves[dice.below(moves.len())];
                lineage = lineage.map(|lineage| lineage.after(mv));
                position = position.play(mv);
            }
            let all = notation::NOTATIONS.iter().copied().chain([notation::TCN]);
            all.for_each(|notation| holds(notation, &position, lineage.as_ref()));
        }
    }
}

/// The laws of a notation in a position.
fn holds(notation: &dyn Notation, position: &VariantPosition, lineage: Option<&Lineage>) {
    let (name, record) = (notation.info().name, position.to_fen());
    let mut texts: HashMap<String, Move> = HashMap::new();
    for mv in position.legal_moves() {
        let text = match write(notation, position, mv, lineage) {
            Ok(text) => text,
            Err(kind) => {
                let rules = RulesKind::Variant { kind: position.kind(), chess960: false };
                let is_expected = match (kind, expresses(notation, rules)) {
                    // In Stamma's notation a piece that was dropped has no name either.
                    (Deviation::MoveNotExpressible, Expresses::WithoutDrops) => {
                        mv.is_drop() || notation.needs_lineage()
                    }
                    (Deviation::MoveNotExpressible, Expresses::WithoutKingPromotions) => {
                        mv.promoted() == Some(Role::King)
                    }
                    (Deviation::NotationNeedsInitialArray, Expresses::Nothing) => lineage.is_none(),
                    _ => false,
                };
                assert!(is_expected, "{name}, {record}: {mv:?} is {kind}");
                continue;
            }
        };
        let info = notation.info();
        let drop_bytes = 2;
        assert!(text.len() <= info.bytes_max + drop_bytes, "{name}: {text}");
        let other = texts.insert(text.clone(), mv);
        assert_eq!(other, None, "{name}, {record}: {text} is {mv:?}, too");
        let reading = notation.read_variant(text.as_bytes(), position, lineage);
        let reading = reading.unwrap_or_else(|kind| panic!("{name}, {record}: {text}: {kind}"));
        assert_eq!(reading.mv, mv, "{name}, {record}: {text}");
        assert!(reading.deviations.is_empty(), "{name}, {record}: {text}");
        let check = check_of(&position.play(mv));
        assert_eq!(reading.check_suffix.deviation(check), None, "{name}, {record}: {text}");
    }
}

/// Every vector of the specification, both ways.
#[needs("../shared/spec/vectors-variants.tsv")]
#[test]
fn shared_vectors_hold_both_ways() {
    let vectors = fs::read_to_string(common::here("../shared/spec/vectors-variants.tsv")).unwrap();
    let mut held = 0;
    for line in vectors.lines().skip(1).filter(|line| !line.ends_with("\tchess99")) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (name, record, uci, rules) = (fields[0], fields[2], fields[3], fields[6]);
        // The source's form of descriptive texts has spaces and brackets, which movetext cannot have.
        let text = match name.starts_with("descriptive") {
            true => fields[4].replace(' ', "").replace('(', "/").replace(')', ""),
            false => fields[4].to_string(),
        };
        let rules: RulesKind = rules.parse().expect(line);
        let kind = rules.variant().expect(line);
        let (position, _) = kind.from_fen(record.as_bytes(), false).expect(line);
        let initial = kind.initial(false);
        let is_initial = position.board().occupied() == initial.board().occupied();
        let lineage = is_initial.then(Lineage::initial);
        let notation = notation::find(name).expect(line);
        let mut moves = position.legal_moves().into_iter();
        let mv = moves.find(|&mv| write(notation::UCI, &position, mv, None).as_deref() == Ok(uci));
        let mv = mv.expect(line);
        let written = write(notation, &position, mv, lineage.as_ref());
        assert_eq!(written.as_deref(), Ok(text.as_str()), "{line}");
        let reading = notation.read_variant(text.as_bytes(), &position, lineage.as_ref());
        let reading = reading.unwrap_or_else(|kind| panic!("{line}: {kind}"));
        assert_eq!((reading.mv, reading.deviations.is_empty()), (mv, true), "{line}");
        held += 1;
    }
    assert!(held > 350, "{held} vectors");
}

/// The legal moves are the moves of the pieces that are legal one by one.
#[test]
fn legal_moves_are_those_that_are_legal_one_by_one() {
    use pgnmill_core::chess::Board;
    for &kind in VariantKind::ALL {
        let mut dice = Dice::new(5 + kind as u64);
        for _ in 0..plies_wanted() / 200 {
            let record = random_record(kind, 20, &mut dice);
            let Ok((position, _)) = kind.from_fen(record.as_bytes(), false) else { continue };
            for mv in position.legal_moves() {
                assert!(Board::is_legal(&position, mv), "{record}: {mv:?}");
                let same = match mv.is_drop() {
                    true => position.drop_of(mv.role(), mv.target()),
                    false => position.legal_move(mv.origin(), mv.target(), mv.promoted()),
                };
                assert_eq!(same, Some(mv), "{record}");
            }
        }
    }
}

/// Any bytes are read or refused in any notation; what is read is legal.
#[test]
fn any_bytes_are_read_or_refused() {
    let mut dice = Dice::new(99);
    let bytes = b"abcdefgh12345678NBRQKPO@x=+#-0.sneep/mathc*&\xc3\x97\xff";
    for &kind in VariantKind::ALL {
        for _ in 0..plies_wanted() / 500 {
            let record = random_record(kind, 20, &mut dice);
            let Ok((position, _)) = kind.from_fen(record.as_bytes(), false) else { continue };
            let legal = position.legal_moves();
            let length = dice.below(9);
            let text: Vec<u8> = (0..length).map(|_| bytes[dice.below(bytes.len())]).collect();
            for notation in notation::NOTATIONS {
                if let Ok(reading) = notation.read_variant(&text, &position, None) {
                    assert!(legal.contains(&reading.mv), "{record}: {text:?}");
                }
            }
        }
    }
}

#[test]
fn each_kind_of_illegal_record_has_its_fault() {
    use VariantKind::*;
    let pieces = "q".repeat(60);
    let pocket = format!("4k3/8/8/8/8/8/8/4K3[{pieces}] w - - 0 1");
    for (kind, record, fault) in [
        (Crazyhouse, pocket.as_str(), "fen-pocket"),
        (Crazyhouse, "4k3/8/8/8/8/8/8/4K3[K] w - - 0 1", "fen-pocket"),
        (Crazyhouse, "4k3/8/8/8/8/8/8/4K3[N w - - 0 1", "fen-pocket"),
        (Crazyhouse, "4k3/8/8/8/8/8/P~7/4K3[] w - - 0 1", "fen-board"),
        (Crazyhouse, "4k3/8/8/8/8/8/8/4K~3[] w - - 0 1", "fen-board"),
        (Atomic, "4k3/8/8/8/8/8/8/4K3[N] w - - 0 1", "fen-pocket"),
        (Atomic, "8/8/8/8/8/8/8/4K3 w - - 0 1", "fen-no-king"),
        (Atomic, "3kk3/8/8/8/8/8/8/4K3 w - - 0 1", "fen-no-king"),
        (Atomic, "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "fen-side-not-to-move-in-check"),
        (KingOfTheHill, "4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "fen-pawn-on-back-rank"),
        (ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 4+3 0 1", "fen-checks"),
        (ThreeCheck, "4k3/8/8/8/8/8/8/4K3 w - - 0 1 +9+0", "fen-checks"),
        (RacingKings, "8/8/8/8/8/8/P7/k6K w - - 0 1", "fen-impossible"),
        (RacingKings, "8/8/8/8/8/8/8/kR5K w - - 0 1", "fen-impossible"),
        (Horde, "8/8/8/8/8/8/PPPPPPPP/8 w - - 0 1", "fen-no-king"),
        (Horde, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "fen-no-king"),
        (Horde, "4k2P/8/8/8/8/8/8/8 w - - 0 1", "fen-pawn-on-back-rank"),
        (Antichess, "8/8/8/8/8/8/8/P7 w - - 0 1", "fen-pawn-on-back-rank"),
        (Antichess, "8/8/8/8/8/8/8/7 w - - 0 1", "fen-board"),
        (Suicide, "8/8/8/8/8/8/8/8 x - - 0 1", "fen-turn"),
    ] {
        let found = kind.from_fen(record.as_bytes(), false).map_err(|error| error.name());
        assert_eq!(found.err(), Some(fault), "{}: {record}", kind.name());
    }
    // What is possible in these rulesets alone.
    for (kind, record) in [
        (Atomic, "8/8/8/8/8/3kK3/4R3/8 w - - 0 1"),
        (Antichess, "8/8/8/8/8/8/8/KK5k w - - 0 1"),
        (Antichess, "8/8/8/8/8/8/8/N6n w - - 0 1"),
        (Horde, "4k3/8/8/8/8/8/8/PPPPPPPP w - - 0 1"),
        (Horde, "pppppppp/8/8/8/8/8/8/4K3 b - - 0 1"),
        (Crazyhouse, "4k3/8/8/8/8/8/8/4K3/QNp w - - 0 1"),
        (Crazyhouse, "4k3/8/8/8/8/8/8/4K3/ w - - 0 1"),
    ] {
        let (mut position, _) = kind.from_fen(record.as_bytes(), false).expect(record);
        let mut dice = Dice::new(3);
        for _ in 0..200 {
            let moves = position.legal_moves();
            let _ = (position.to_fen(), AnyVariant::pass(&position), AnyVariant::end(&position));
            if moves.is_empty() {
                break;
            }
            position = position.play(moves[dice.below(moves.len())]);
        }
    }
}

/// The special rules of `variants.md`, section 4, one by one.
#[test]
fn each_special_rule_holds() {
    use VariantKind::*;
    let of = |kind: VariantKind, record: &str| kind.from_fen(record.as_bytes(), false).unwrap().0;
    let texts = |position: &VariantPosition| -> BTreeSet<String> {
        let uci = |mv: Move| write(notation::UCI, position, mv, None).unwrap();
        position.legal_moves().into_iter().map(uci).collect()
    };
    let after = |position: &VariantPosition, uci: &str| {
        let reading = notation::UCI.read_variant(uci.as_bytes(), position, None).expect(uci);
        position.play(reading.mv)
    };
    // A promoted piece goes to the pocket as a pawn; a dropped rook does not castle.
    let house = of(Crazyhouse, "4k3/8/8/8/8/5r2/8/4K1N~1[] b - - 0 1");
    let house = after(&house, "f3f1");
    let house = after(&after(&house, "e1f1"), "e8e7");
    assert_eq!(house.in_pocket(Color::White, Role::Rook), 1);
    let taken = after(&of(Crazyhouse, "4k3/8/8/8/8/8/6r1/4K1N~1[] b - - 0 1"), "g2g1");
    assert_eq!(taken.in_pocket(Color::Black, Role::Pawn), 1);
    let rook = after(&of(Crazyhouse, "4k3/8/8/8/8/8/8/4K3[R] w - - 0 1"), "R@h1");
    assert!(!texts(&after(&rook, "e8e7")).contains("e1g1"));
    // A capture removes what is around it, pawns apart; kings do not capture.
    let atomic = of(Atomic, "4k3/8/8/2npn3/2PRN3/8/8/4K3 w - - 0 1");
    let burst = after(&atomic, "d4d5");
    assert_eq!(burst.board().occupied().count(), 3, "{}", burst.to_fen());
    assert!(!texts(&of(Atomic, "8/8/8/8/8/8/4r2k/4K3 w - - 0 1")).contains("e1e2"));
    // A capture is obligatory; a pawn may become a king; no move wins.
    let anti = of(Antichess, "8/1P6/8/8/3p4/4P3/8/8 w - - 0 1");
    assert_eq!(texts(&anti), BTreeSet::from(["e3d4".to_string()]));
    assert!(texts(&of(Antichess, "8/1P6/8/8/8/8/8/7k w - - 0 1")).contains("b7b8k"));
    let blocked = of(Antichess, "8/8/8/8/8/p7/P7/8 w - - 0 1");
    assert_eq!(AnyVariant::end(&blocked), Some(GameEnd::Win(Color::White)));
    let blocked = of(Suicide, "8/8/8/8/8/p7/P7/8 w - - 0 1");
    assert_eq!(AnyVariant::end(&blocked), Some(GameEnd::Draw));
    let blocked = of(Suicide, "8/8/8/8/8/p7/P7/n7 w - - 0 1");
    assert_eq!(AnyVariant::end(&blocked), Some(GameEnd::Win(Color::White)));
    let castles = of(Giveaway, "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    assert!(texts(&castles).contains("e1g1") && texts(&castles).contains("e1c1"));
    // The hill, the third check, the race.
    let hill = after(&of(KingOfTheHill, "8/8/8/8/8/3K4/8/k7 w - - 0 1"), "d3d4");
    assert_eq!(AnyVariant::end(&hill), Some(GameEnd::Win(Color::White)));
    let third = after(&of(ThreeCheck, "4k3/8/8/8/8/8/8/R3K3 w Q - 1+3 0 1"), "a1a8");
    assert_eq!(AnyVariant::end(&third), Some(GameEnd::Win(Color::White)));
    let race = of(RacingKings, "8/k6K/8/8/8/8/8/8 w - - 0 1");
    let race = after(&race, "h7h8");
    assert_eq!(AnyVariant::end(&race), None);
    assert_eq!(AnyVariant::end(&after(&race, "a7a8")), Some(GameEnd::Draw));
    assert_eq!(AnyVariant::end(&after(&race, "a7a6")), Some(GameEnd::Win(Color::White)));
    // Two steps from the first rank allow no en passant.
    let horde = after(&of(Horde, "4k3/8/8/8/8/1p6/8/P7 w - - 0 1"), "a1a3");
    assert_eq!(horde.board().en_passant_square(), None);
    let last = after(&of(Horde, "4k3/8/8/8/8/8/4r3/4P3 b - - 0 1"), "e2e1");
    assert_eq!(AnyVariant::end(&last), Some(GameEnd::Win(Color::Black)));
}

/// Compares the games of an archive with shakmaty.
struct Compare {
    variant: Variant,
    theirs: Option<Theirs>,
    ours: Option<VariantPosition>,
    plies: u64,
    games: u64,
}

impl ReplayVisitor for Compare {
    fn begin(&mut self, text: &[u8], _: usize, tags: &TagSection, _: &'static dyn Notation) {
        let Ok(AnyPosition::Variant(position)) = tags.initial_position(text, |_| ()) else {
            (self.ours, self.theirs) = (None, None);
            return;
        };
        self.theirs = theirs_of(self.variant, &position.to_fen(), mode_of(&position));
        assert!(self.theirs.is_some(), "{}", position.to_fen());
        self.ours = Some(position);
    }

    fn ply(&mut self, _: &[u8], _: Range<usize>, _: &Ply<'_>, _: usize) {}

    fn other_ply(
        &mut self,
        text: &[u8],
        span: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        if let (OtherPly::Variant(ply), 0) = (ply, depth)
            && let (Some(ours), Some(theirs)) = (&mut self.ours, &mut self.theirs)
        {
            assert_eq!(ours, ply.before());
            let moves = compared(ours, theirs);
            let uci = write(notation::UCI, ours, ply.mv(), None).unwrap();
            let chosen = *moves.get(&uci).unwrap_or_else(|| panic!("{uci}"));
            let san = write(notation::SAN, ours, ply.mv(), None).unwrap();
            assert_eq!(san.as_bytes(), &text[span], "the archives are canonical");
            played(ours, theirs, chosen);
            self.plies += 1;
        }
        Ok(())
    }

    fn end(&mut self, _: &[u8], game: &Game<'_>) {
        assert!(game.fault.is_none(), "{:?}", game.fault);
        self.games += 1;
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

#[needs("../shared/corpora/variants")]
#[test]
fn games_of_the_archives_are_those_of_shakmaty() {
    let every = trials(23, 7, 1);
    let taken = |text: &[u8]| -> Vec<u8> {
        Games::new(text).step_by(every).flat_map(|(_, game)| game).copied().collect()
    };
    let (mut games, mut plies) = (0, 0);
    for (kind, variant) in SHARED {
        let path = format!("../shared/corpora/variants/games/generated-{}.pgn.zst", kind.name());
        let text = zstd::decode_all(fs::File::open(common::here(&path)).unwrap()).unwrap();
        let profile = Profile::strict();
        let mut replayer = Replayer::new(&profile, None, History::Ignored);
        let mut compare = Compare { variant, theirs: None, ours: None, plies: 0, games: 0 };
        replayer.replay(&taken(&text), &mut compare);
        games += compare.games;
        plies += compare.plies;
    }
    // FICS writes a few repairs of suffixes; its games name no variant.
    let path =
        common::here("../shared/corpora/variants/pychess/testing__gamefiles__zh2200plus.pgn");
    let profile = Profile::lenient();
    let kind = RulesKind::Variant { kind: VariantKind::Crazyhouse, chess960: false };
    let mut replayer = Replayer::new(&profile, None, History::Ignored).with_rules(kind);
    let text = fs::read(path).unwrap();
    let variant = Variant::Crazyhouse;
    let mut compare = Compare { variant, theirs: None, ours: None, plies: 0, games: 0 };
    replayer.replay(&taken(&text), &mut compare);
    println!("{} games, {} plies", games + compare.games, plies + compare.plies);
    assert!(every * games as usize >= 5_600, "{games}");
    assert_eq!(compare.games as usize, 1_291_usize.div_ceil(every));
}

/// The record of a position is read without a note as a position with the same record, legal moves and end.
fn is_read_again(kind: VariantKind, position: &VariantPosition) {
    let record = position.to_fen();
    let chess960 = position.board().is_chess960();
    let (again, notes) = kind
        .from_fen(record.as_bytes(), chess960)
        .unwrap_or_else(|error| panic!("{kind:?}: {record}: {error}"));
    assert!(notes.is_clean(), "{kind:?}: {record}: {notes:?}");
    assert_eq!(again.to_fen(), record, "{kind:?}");
    let texts = |position: &VariantPosition| {
        let moves = position.legal_moves().into_iter();
        moves.map(|mv| format!("{mv:?}")).collect::<BTreeSet<_>>()
    };
    assert_eq!(texts(&again), texts(position), "{kind:?}: {record}");
    assert_eq!(AnyVariant::end(&again), AnyVariant::end(position), "{kind:?}: {record}");
    assert_eq!(
        again.board().castling_rooks(),
        position.board().castling_rooks(),
        "{kind:?}: {record}"
    );
}

/// The position of every ply of random games, from the initial one and from those of Chess960: kings that are captured,
/// and pawns that become kings, among them.
#[test]
fn the_record_of_every_ply_is_read_as_the_same_position() {
    for &kind in VariantKind::ALL {
        let mut dice = Dice::new(77 + kind as u64);
        let mut plies = 0;
        for number in 0.. {
            if plies > plies_wanted() / 4 {
                break;
            }
            let has_start = !matches!(kind, VariantKind::Horde | VariantKind::RacingKings);
            let record = match number % 3 {
                0 => kind.initial(false).to_fen(),
                1 if has_start => start_of_chess960(kind, &mut dice),
                _ => random_record(kind, 20, &mut dice),
            };
            let chess960 = number % 3 == 1 && has_start;
            let Ok((mut position, _)) = kind.from_fen(record.as_bytes(), chess960) else {
                continue;
            };
            for _ in 0..300 {
                let legal = position.legal_moves();
                // No game can continue from a position in which it is over, such as one without a king.
                if legal.is_empty() {
                    break;
                }
                is_read_again(kind, &position);
                plies += 1;
                position = position.play(legal[dice.below(legal.len())]);
            }
        }
    }
}

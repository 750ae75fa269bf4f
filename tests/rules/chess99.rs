//! Laws of Chess 99: its notations both ways, its container, its archive.
//!
//! In: the vectors, positions of random play from random set-ups, an archive of generated games. Oracle: the writer (a
//! text that is read is written again), and the counts of the specification (`tests/rules/perft.rs`).

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs;
use std::ops::Range;

use crate::common::{self, Dice, trials};
use pgnmill_core::chess::Color;
use pgnmill_core::chess::rules::{
    AnyPosition, Chess99, GameEnd, Play99, Position99, Rules, RulesKind,
};
use pgnmill_core::notation::{self, MoveText, Notation, OtherPly, Ply, Ply99};
use pgnmill_core::pgn::deviation::{Deviation, Profile};
use pgnmill_core::replay::{Game, History, ReplayVisitor, Replayer, TagSection, Verdict};
use pgnmill_needs::needs;

/// The notations that have texts for these games.
fn notations() -> [&'static dyn Notation; 4] {
    ["chess99", "uci", "long", "geographical"].map(|name| notation::find(name).expect(name))
}

fn position_of(record: &str) -> Position99 {
    match AnyPosition::from_fen(record.as_bytes(), RulesKind::Chess99) {
        Ok((AnyPosition::Chess99(position), _)) => position,
        other => panic!("{record}: {other:?}"),
    }
}

fn plays(position: &Position99) -> Vec<Play99> {
    let mut plays = Vec::new();
    Chess99::visit_legal(position, &mut |play| {
        plays.push(play);
        false
    });
    plays
}

fn after(position: &Position99, play: Play99) -> Position99 {
    let mut after = *position;
    Chess99::play_into(position, play, &mut after);
    after
}

fn write(
    notation: &dyn Notation,
    position: &Position99,
    play: Play99,
) -> Result<String, Deviation> {
    let (after, mut text) = (after(position, play), MoveText::default());
    notation.encode_99(&Ply99::new(position, play, &after), &mut text)?;
    Ok(text.to_string())
}

#[needs("../shared/spec/vectors-variants.tsv")]
#[test]
fn shared_vectors_hold_both_ways() {
    let vectors = fs::read_to_string(common::here("../shared/spec/vectors-variants.tsv")).unwrap();
    let mut held = 0;
    for line in vectors.lines().filter(|line| line.ends_with("\tchess99")) {
        let fields: Vec<&str> = line.split('\t').collect();
        let (name, record, wire, text) = (fields[0], fields[2], fields[3], fields[4]);
        let notation = notation::find(name).expect(name);
        let position = position_of(record);
        let play = plays(&position).into_iter().find(|play| play.to_string() == wire);
        let play = play.unwrap_or_else(|| panic!("{line}"));
        assert_eq!(write(notation, &position, play).as_deref(), Ok(text), "{line}");
        let reading = notation.read_99(text.as_bytes(), &position).expect(line);
        assert_eq!(reading.mv, play, "{line}");
        let in_place = play.is_late_promotion() && play.origin() == play.target();
        assert!(reading.deviations.is_empty() || in_place, "{line}");
        held += 1;
    }
    assert!(held > 60, "{held} vectors");
}

/// One of the 216 set-ups: each group of three files in any order, Black's point-symmetric to White's.
fn setup(number: u32) -> String {
    let orders = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]];
    let groups = [(*b"RNB", number % 6), (*b"QKA", number / 6 % 6), (*b"BNR", number / 36 % 6)];
    let white: Vec<char> = groups
        .iter()
        .flat_map(|(letters, order)| orders[*order as usize].map(|index| letters[index] as char))
        .collect();
    let black: String = white.iter().rev().map(char::to_ascii_lowercase).collect();
    let white: String = white.into_iter().collect();
    format!("{black}/ppppppppp/9/9/9/9/9/PPPPPPPPP/{white} w - 1")
}

/// A position after so many random plays; the last one in which the game is not over.
fn walked(number: u32, choices: &[u16]) -> Position99 {
    let mut position = position_of(&setup(number));
    for &choice in choices {
        let plays = plays(&position);
        let Some(&play) = plays.get(usize::from(choice) % plays.len().max(1)) else { break };
        let next = after(&position, play);
        if Chess99::end(&next).is_some() {
            break;
        }
        position = next;
    }
    position
}

/// The last position of a random game of some plies.
fn random_position(dice: &mut Dice, plies_max: usize) -> Position99 {
    let number = dice.below(216) as u32;
    let choices: Vec<u16> = (0..dice.below(plies_max)).map(|_| dice.roll() as u16).collect();
    walked(number, &choices)
}

/// No two plays of a position share a text, and a text is read as the play that it was written for.
#[test]
fn every_play_has_a_text_of_its_own() {
    let mut dice = Dice::new(990);
    for _ in 0..trials(300, 300, 3_000) {
        let position = random_position(&mut dice, 120);
        let record = position.to_string();
        assert_eq!(position_of(&record), position, "{record}");
        for notation in notations() {
            let mut texts = HashMap::new();
            for play in plays(&position) {
                let text = write(notation, &position, play).unwrap();
                assert!(text.chars().count() <= 16, "{text}");
                let other = texts.insert(text.clone(), play);
                assert!(other.is_none(), "{record}: {text} is {other:?} and {play:?}");
                let reading = notation.read_99(text.as_bytes(), &position).unwrap();
                assert_eq!(reading.mv, play, "{record}: {text}");
                let in_place = play.is_late_promotion() && play.origin() == play.target();
                assert!(in_place || reading.deviations.is_empty(), "{record}: {text}");
            }
        }
        for notation in notation::NOTATIONS {
            let is_able = notations().iter().any(|able| notation::is_same(*able, *notation));
            if let Some(&play) = plays(&position).first().filter(|_| !is_able) {
                let text = write(*notation, &position, play);
                assert_eq!(text, Err(Deviation::NotationNotForBoard));
            }
        }
    }
}

/// Any bytes are read as a play or refused; what is read has the meaning of what is then written.
#[test]
fn any_bytes_are_read_or_refused() {
    const BYTES: &[u8] = b"abdei12589KQPRBNx\xc3\x97X*=&!+#()-:ep.\xd7\xff";
    let mut dice = Dice::new(991);
    for _ in 0..trials(300, 300, 3_000) {
        let position = random_position(&mut dice, 60);
        let text: Vec<u8> = (0..dice.below(12)).map(|_| dice.one(BYTES)).collect();
        for notation in notations() {
            if let Ok(reading) = notation.read_99(&text, &position) {
                let written = write(notation, &position, reading.mv).unwrap();
                let again = notation.read_99(written.as_bytes(), &position).unwrap();
                assert_eq!(again.mv, reading.mv, "{position}: {text:?}");
                if reading.deviations.is_empty() {
                    assert_eq!(written.as_bytes(), &text[..], "{position}");
                }
            }
        }
    }
}

/// Text near a record: ranks of pieces and numbers, a side, a square, and a number or none.
fn random_record(dice: &mut Dice) -> Vec<u8> {
    let mut record = Vec::new();
    for rank in 0..=dice.below(10) {
        record.extend(if rank > 0 { &b"/"[..] } else { b"" });
        record.extend((0..dice.below(10)).map(|_| dice.one(b"KQARNBPkqarnbp123456789")));
    }
    record.extend([b' ', dice.one(b"wbx"), b' ']);
    record.extend((0..=dice.below(2)).map(|_| dice.one(b"-abcdefghij123456789")));
    if dice.below(2) == 0 {
        record.push(b' ');
        record.extend((0..dice.below(4)).map(|_| dice.one(b"0123456789")));
    }
    record
}

/// Any bytes as a record are a position or a fault, and a position is played to its end.
#[test]
fn any_record_is_read_or_refused() {
    let mut dice = Dice::new(992);
    let mut read = 0;
    for round in 0..trials(600, 600, 6_000) {
        // Of a record that is right, one byte is replaced; others are near one at most.
        let mut record = random_record(&mut dice);
        if round % 2 == 0 {
            record = random_position(&mut dice, 20).to_string().into_bytes();
            let at = dice.below(record.len());
            record[at] = dice.one(b"KQARNBPkqarnbp123456789/wb -");
        }
        if let Ok((AnyPosition::Chess99(position), _)) =
            AnyPosition::from_fen(&record, RulesKind::Chess99)
        {
            read += 1;
            let again = position_of(&position.to_string());
            assert_eq!(again.to_string(), position.to_string());
            let _ = (Chess99::end(&position), plays(&position).len());
        }
    }
    assert!(read > 20, "{read} records are positions");
}

/// What a replay delivered.
#[derive(Default)]
struct Delivered {
    plays: Vec<String>,
    fault: Option<Deviation>,
    verdict: Option<Verdict>,
}

impl ReplayVisitor for Delivered {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {
        self.plays.clear();
    }

    fn ply(&mut self, _: &[u8], _: Range<usize>, _: &Ply<'_>, _: usize) {}

    fn other_ply(
        &mut self,
        _: &[u8],
        _: Range<usize>,
        ply: &OtherPly<'_>,
        depth: usize,
    ) -> Result<(), Deviation> {
        let mut text = MoveText::default();
        ply.encode(notation::CHESS99, &mut text)?;
        self.plays.push(format!("{}{text}", "(".repeat(depth)));
        Ok(())
    }

    fn end(&mut self, _: &[u8], game: &Game<'_>) {
        self.verdict = Some(game.verdict);
        self.fault = game.fault.map(|fault| fault.kind);
    }

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

/// Replays a game: what was delivered, and the deviations that are no matter of tag pairs.
fn replayed(tags: &str, movetext: &str) -> (Delivered, Vec<Deviation>) {
    let mut text = String::from("[Variant \"Chess 99\"]\n");
    let _ = write!(text, "{tags}\n{movetext}\n");
    let profile = Profile::lenient();
    let mut replayer = Replayer::new(&profile, None, History::Ignored);
    let mut delivered = Delivered::default();
    replayer.replay(text.as_bytes(), &mut delivered);
    let found = Deviation::ALL.iter().copied().filter(|&kind| {
        let is_of_tags = matches!(kind, Deviation::RosterIncomplete | Deviation::FenWithoutSetup);
        replayer.counts.deviations[kind as usize] > 0 && !is_of_tags
    });
    let found = found.collect();
    (delivered, found)
}

/// A record in a FEN tag.
fn fen(record: &str) -> String {
    format!("[SetUp \"1\"]\n[FEN \"{record}\"]\n")
}

#[test]
fn each_deviation_of_a_text_has_its_name() {
    use Deviation::*;
    let takes = "4k4/9/9/4a4/9/9/9/4R4/4K4 w - 1";
    let promotes = "1r2k4/2P6/9/9/9/9/9/9/4K4 w - 1";
    let late = "2P1k4/9/9/9/9/9/9/9/4K4 w - 1";
    let en_passant = "4k4/9/9/9/2P6/1r7/9/9/4K4 b c4 1";
    for (record, text, canonical, deviation) in [
        (takes, "Re26xP+", "Re26×P+", CaptureMarkStyle),
        (takes, "Re26XP+", "Re26×P+", CaptureMarkStyle),
        (takes, "Re26×(P)+", "Re26×P+", CaptureBracketed),
        (takes, "Re26×+", "Re26×P+", CaptureLetterMissing),
        (takes, "Re26+", "Re26×P+", CaptureMarkMissing),
        (takes, "Re6×P+", "Re26×P+", OriginShort),
        (takes, "Re26×P", "Re26×P+", CheckMarkMissing),
        (takes, "Re26×P!+", "Re26×P+", CheckMarkExtra),
        (takes, "Re26×P++", "Re26×P+", CheckMarkStyle),
        (promotes, "cb9=B×R", "cb9×R=B", PromotionMark),
        (late, "c=B", "c=B", LatePromotionInPlace),
        (en_passant, "Rb4c(*)", "Rb4c*", CaptureBracketed),
    ] {
        let turn = if record.contains(" b ") { "1..." } else { "1." };
        let (delivered, found) = replayed(&fen(record), &format!("{turn} {text} *"));
        assert_eq!(delivered.fault, None, "{text}");
        assert_eq!(delivered.plays, [canonical], "{text}");
        assert_eq!(found, [deviation], "{text}");
    }
    // Without its star a piece declines, which is another play.
    let (delivered, found) = replayed(&fen(en_passant), "1... Rb4c *");
    assert_eq!((delivered.plays, found), (vec!["Rb4c".to_string()], vec![]));
    let two = "4k4/9/9/4a4/9/9/9/4R4/2R1K4 w - 1";
    let (delivered, _) = replayed(&fen(two), "1. Rc2 *");
    assert_eq!(delivered.fault, Some(MoveAmbiguous));
    for unread in ["e8", "re26", "Ae12", "O-O", "Qe12", "--"] {
        assert_eq!(
            replayed(&fen(takes), &format!("1. {unread} *")).0.verdict,
            Some(Verdict::Rejected)
        );
    }
}

#[test]
fn the_container_follows_the_specification() {
    use Deviation::*;
    // Either side begins; a record decides.
    let (black, found) = replayed("", "1. ... e86 2. c3 *");
    assert_eq!((black.plays, found), (vec!["e86".into(), "c3".into()], vec![]));
    assert_eq!(replayed("", "1... e86 2. c3 *").0.verdict, Some(Verdict::Accepted));
    let initial = Position99::initial().to_string();
    let (_, found) = replayed(&fen(&initial), "1... e3 e86 *");
    assert_eq!(found, [MoveNumberWrong]);
    // A resignation: alone, attached, followed, contradicted.
    let (resigned, found) = replayed("[Result \"0-1\"]\n", "1. e3 e86 2. # 0-1");
    assert_eq!((resigned.verdict, found), (Some(Verdict::Accepted), vec![]));
    let (_, found) = replayed("[Result \"1-0\"]\n", "1. e3# 1-0");
    assert_eq!(found, [ResignationAttached]);
    assert_eq!(replayed("", "1. e3 # 2. e4 *").0.fault, Some(MovesAfterEnd));
    assert_eq!(replayed("", "1. e3 # # *").0.fault, Some(MovesAfterEnd));
    let (_, found) = replayed("[Result \"1-0\"]\n", "1. # 1-0");
    assert_eq!(found, [ResultContradictsBoard, GameWithoutMoves]);
    // The king is captured; nothing follows.
    let captured = fen("4k4/9/9/9/4r4/9/9/9/3NK4 b - 1");
    assert_eq!(replayed(&captured, "1... Re51×K 2. Nd1c3 *").0.fault, Some(MovesAfterEnd));
    let (_, found) = replayed(&captured, "1... Re51×K 1-0");
    assert_eq!(found, [ResultContradictsBoard]);
    let (_, found) = replayed(&captured, "1... Re51×K 0-1");
    assert_eq!(found, []);
    // `!` is a suffix of the play, `?` an annotation; variations and comments are those of PGN.
    let checked = fen("4k4/9/9/9/4r4/9/9/9/3NK4 w - 1");
    let (delivered, found) = replayed(&checked, "1. Nd1c3!? (1. Nd1b2! {x}) *");
    assert_eq!((delivered.plays, found), (vec!["Nd1c3!".into(), "(Nd1b2!".into()], vec![]));
    for (record, fault) in [
        ("9/9/9/9/9/9/9/9/4K4 w - 1", FenNoKing),
        ("4k4/9/9/9/9/9/9/9/P3K4 w - 1", FenPawnOnBackRank),
        ("4k4/9/9/9/9/9/9/4K4 w - 1", FenUnreadable),
        ("4k4/9/9/9/9/9/9/8/4K4 w - 1", FenUnreadable),
        ("4k4/9/9/9/9/9/9/9/4K4 x - 1", FenUnreadable),
        ("4k4/9/9/9/9/9/9/9/4K4 w e10 1", FenUnreadable),
    ] {
        assert_eq!(replayed(&fen(record), "*").0.fault, Some(fault), "{record}");
    }
    let (_, found) = replayed(&fen("4k4/9/9/9/9/9/9/9/4K4 w e5 1"), "1. Ke12 *");
    assert_eq!(found, [FenEnPassantImpossible]);
}

/// The ends of `chess99.md`, section 3.
#[test]
fn a_captured_king_wins_unless_the_own_king_is_in_check() {
    let end = |record: &str, wire: &str| {
        let position = position_of(record);
        let play = plays(&position).into_iter().find(|play| play.to_string() == wire).unwrap();
        Chess99::end(&after(&position, play))
    };
    let win = Some(GameEnd::Win(Color::Black));
    assert_eq!(end("3rk4/9/9/9/9/9/9/4q4/3QK4 b - 1", "e2e1"), win);
    assert_eq!(end("3k5/9/9/9/9/9/9/4q4/3QK4 b - 1", "e2e1"), Some(GameEnd::Draw));
    let resigned = Position99::initial().resign();
    assert_eq!(Chess99::end(&resigned), win);
    assert!(plays(&resigned).is_empty());
}

#[needs("../shared/corpora/variants")]
#[test]
fn generated_games_are_accepted_and_written_back() {
    let path = common::here("../shared/corpora/variants/games/generated-chess99.pgn.zst");
    let text = zstd::decode_all(fs::File::open(path).unwrap()).unwrap();
    let profile = Profile::strict();
    let mut replayer = Replayer::new(&profile, None, History::Ignored);
    let mut copied = Copy { from: &text, ..Copy::default() };
    replayer.replay(&text, &mut copied);
    assert_eq!((replayer.counts.accepted, replayer.counts.games()), (500, 500));
    copied.text.extend_from_slice(&text[copied.at..]);
    assert_eq!(copied.text, text, "each play is written as it was read");
}

/// Writes each play again.
#[derive(Default)]
struct Copy<'t> {
    from: &'t [u8],
    at: usize,
    text: Vec<u8>,
}

impl ReplayVisitor for Copy<'_> {
    fn begin(&mut self, _: &[u8], _: usize, _: &TagSection, _: &'static dyn Notation) {}

    fn ply(&mut self, _: &[u8], _: Range<usize>, _: &Ply<'_>, _: usize) {}

    fn other_ply(
        &mut self,
        _: &[u8],
        span: Range<usize>,
        ply: &OtherPly<'_>,
        _: usize,
    ) -> Result<(), Deviation> {
        let mut text = MoveText::default();
        ply.encode(notation::CHESS99, &mut text)?;
        self.text.extend_from_slice(&self.from[self.at..span.start]);
        self.text.extend_from_slice(text.as_bytes());
        self.at = span.end;
        Ok(())
    }

    fn end(&mut self, _: &[u8], _: &Game<'_>) {}

    fn between(&mut self, _: &[u8], _: Range<usize>) {}
}

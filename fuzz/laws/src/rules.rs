//! Other rules than those of chess: any record in any ruleset, any text in any notation.
//!
//! * A record that is read is written and read again as the same record; every legal move leads to a position whose
//!   end and check are found without a panic, and whose record is read without a note.
//! * The text of a legal move is read as that move; what is read of any text is legal; read without a deviation, the
//!   text is the one that is written.

use pgnmill_core::chess::rules::{
    AnyPosition, AnyVariant, Chess99, Rules, RulesKind, TableRules, VariantKind, VariantPosition,
};
use pgnmill_core::chess::{Board, Move};
use pgnmill_core::notation::{MoveText, NOTATIONS, Notation, VariantPly};
use pgnmill_core::pgn::deviation::Deviation;

use crate::Choices;

/// A larger number of a record is taken as this one.
const CLOCK_MAX: u32 = 1_000_000_000;
/// So many moves lead on from the start at most.
const WALK_PLIES_MAX: usize = 60;
/// Longer texts are no moves, and test nothing more.
const TEXT_BYTES_MAX: usize = 64;

/// All bytes are a record, in every ruleset.
pub(crate) fn records(bytes: &[u8]) {
    for rules in RulesKind::all().skip(2) {
        let Ok((position, _)) = AnyPosition::from_fen(bytes, rules) else { continue };
        let record = position.to_fen();
        let again = AnyPosition::from_fen(record.as_bytes(), rules);
        let again = again.unwrap_or_else(|error| panic!("{rules}: {record}: {error}")).0;
        assert_eq!(again.to_fen(), record, "{rules}");
        match position {
            AnyPosition::Chess(_) => unreachable!("{rules} is not chess"),
            AnyPosition::Variant(position) => {
                let legal = position.legal_moves();
                let is_over = AnyVariant::end(&position).is_some();
                assert_eq!(is_over, legal.is_empty(), "{rules}: {record}");
                for &mv in &legal {
                    let after = position.play(mv);
                    let _ = (AnyVariant::end(&after), AnyVariant::pass(&after));
                    let record = after.to_fen();
                    let read = AnyPosition::from_fen(record.as_bytes(), rules);
                    // A record's larger number is taken as the greatest one.
                    let is_counted = after.board().fullmove_number() < CLOCK_MAX;
                    let is_over = AnyVariant::end(&after).is_some() || !is_counted;
                    assert!(
                        is_over || read.is_ok_and(|(_, notes)| notes.is_clean()),
                        "{rules}: {record}"
                    );
                }
            }
            AnyPosition::Chess99(position) => {
                Chess99::visit_legal(&position, &mut |play| {
                    let mut after = position;
                    Chess99::play_into(&position, play, &mut after);
                    let _ = (after.to_string(), Chess99::end(&after));
                    false
                });
            }
            AnyPosition::Table(position) => {
                for mv in position.legal_moves() {
                    let after = position.play(mv);
                    let _ = TableRules::end(&after);
                    let record = after.to_string();
                    let read = AnyPosition::from_fen(record.as_bytes(), rules);
                    let is_counted = after.fullmove_number() < CLOCK_MAX;
                    let is_clean = read.is_ok_and(|(_, notes)| notes.is_clean());
                    assert!(is_clean || !is_counted, "{rules}: {record}");
                }
            }
        }
    }
}

/// Chosen: ruleset, notation, moves, a legal move, and how much of its text is kept before the rest of the input.
pub(crate) fn texts(bytes: &[u8]) {
    let mut choices = Choices::new(bytes);
    let kind = VariantKind::ALL[choices.byte() % VariantKind::ALL.len()];
    let notation = NOTATIONS[choices.byte() % NOTATIONS.len()];
    let mut position = kind.initial(false);
    for _ in 0..choices.byte() % WALK_PLIES_MAX {
        let legal = position.legal_moves();
        let Some(&mv) = legal.get(choices.byte() % legal.len().max(1)) else { break };
        position = position.play(mv);
    }
    let legal = position.legal_moves();
    let (choice, front) = (choices.byte(), choices.byte());
    let mut text = Vec::new();
    if let Some(&mv) = legal.get(choice % legal.len().max(1))
        && let Ok(canonical) = write(notation, &position, mv)
    {
        let reading = notation.read_variant(&canonical, &position, None);
        let what = || format!("{}: {}", notation.info().name, canonical.escape_ascii());
        assert_eq!(reading.map(|reading| reading.mv), Ok(mv), "{}", what());
        text.extend_from_slice(&canonical[..front % (canonical.len() + 1)]);
    }
    let rest = choices.rest();
    text.extend_from_slice(&rest[..rest.len().min(TEXT_BYTES_MAX)]);
    let Ok(reading) = notation.read_variant(&text, &position, None) else { return };
    let what = || {
        let (name, record) = (notation.info().name, position.to_fen());
        format!("{name}: {} in {record}", text.escape_ascii())
    };
    assert!(legal.contains(&reading.mv), "{}", what());
    let written = write(notation, &position, reading.mv).expect("what is read can be written");
    let check = position.effect(reading.mv).into();
    if reading.deviations.is_empty() && reading.check_suffix.deviation(check).is_none() {
        assert_eq!(
            written.escape_ascii().to_string(),
            text.escape_ascii().to_string(),
            "{}",
            what()
        );
    }
}

/// The canonical text of a legal move.
fn write(
    notation: &dyn Notation,
    position: &VariantPosition,
    mv: Move,
) -> Result<Vec<u8>, Deviation> {
    let (after, mut text) = (position.play(mv), MoveText::default());
    let ply = VariantPly::new(position, mv, &after, position.effect(mv).into());
    notation.encode_variant(&ply, &mut text)?;
    Ok(text.as_bytes().to_vec())
}

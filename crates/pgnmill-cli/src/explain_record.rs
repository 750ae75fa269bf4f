//! `explain --format`: a game as a record for programs.
//!
//! In: a [`GameView`]. Out: one JSON object, or CSV with one record. Invariant: both have the same fields in the same
//! order, whatever the verdict; what a game does not have is null, in CSV empty. Cost: the length of the game.

use pgnmill_core::chess::Color;
use pgnmill_core::pgn::deviation::{Class, Deviation};
use pgnmill_core::pgn::lossy;
use pgnmill_core::replay::Verdict;
use pgnmill_io::error::Result;
use serde_json::{Map, Value};

use super::game_view::{self, GameView, advice_of, reason};
use super::near_moves;
use pgnmill_run::host::Screen;
use pgnmill_run::text::records::Records;
use pgnmill_run::{Ink, ListFormat};

/// The fields; those from `verdict` on are null where a byte belongs to no game.
const FIELDS: [&str; 20] = [
    "archive",
    "byte_offset",
    "byte_end",
    "game",
    "verdict",
    "fault",
    "fault_offset",
    "fault_text",
    "detail",
    "advice",
    "near",
    "ply",
    "turn",
    "rules",
    "fen",
    "move",
    "depth",
    "notation",
    "deviations",
    "text",
];

/// The game in a format; as text with colours if the screen has them.
pub(super) fn text_of(view: &GameView<'_>, format: ListFormat, screen: Screen) -> Result<String> {
    if format == ListFormat::Text {
        return Ok(painted(&game_view::show(view), screen));
    }
    let mut records = Records::of(&FIELDS);
    records.add(values(view));
    text(&records, format)
}

/// A byte that belongs to no game.
pub(super) fn between(archive: &str, at: u64, format: ListFormat) -> Result<String> {
    let mut values = FIELDS.map(|_| Value::Null);
    values[0] = archive.into();
    values[1] = at.into();
    let mut records = Records::of(&FIELDS);
    records.add(values);
    text(&records, format)
}

fn text(records: &Records, format: ListFormat) -> Result<String> {
    if format == ListFormat::Csv { records.csv() } else { Ok(records.json_object()) }
}

fn values(view: &GameView<'_>) -> [Value; FIELDS.len()] {
    let verdict = match view.verdict {
        Verdict::Accepted => "accepted",
        Verdict::Repaired => "repaired",
        Verdict::Rejected => "rejected",
    };
    let quoted = |bytes: &[u8]| Value::from(lossy(bytes));
    let (focus, fault) = (view.focus, view.fault);
    let position = focus.position.as_ref();
    let token = fault.and_then(|fault| view.text.get(fault.text.clone()));
    let near = fault.zip(position).zip(token).filter(|_| focus.is_fault);
    let near = near.and_then(|((fault, position), token)| {
        near_moves::of(view.notation, fault.kind, token, position)
    });
    let is_other =
        |kind: &Deviation| view.profile.class(*kind) != Class::Fault && !kind.is_of_archive();
    let deviations = view.deviations.iter().filter(|(kind, _)| is_other(kind));
    let deviations: Map<String, Value> =
        deviations.map(|(kind, times)| (kind.name().to_string(), (*times).into())).collect();
    let turn = |turn| if turn == Color::White { "white" } else { "black" };
    [
        view.archive.into(),
        view.offset.into(),
        (view.offset + view.text.len() as u64).into(),
        view.number.into(),
        verdict.into(),
        fault.map(|fault| fault.kind.name()).into(),
        fault.map(|fault| view.offset + fault.text.start as u64).into(),
        token.map_or(Value::Null, quoted),
        fault.map(|fault| reason(view, fault)).into(),
        fault.map(|fault| advice_of(view, fault.kind)).into(),
        near.into(),
        focus.ply.into(),
        position.map(|position| turn(position.turn())).into(),
        position.map(|position| position.rules().name()).into(),
        position.map(|position| position.to_fen()).into(),
        focus.played.as_ref().map(|played| played.to_string()).into(),
        focus.depth.into(),
        view.notation.info().name.into(),
        deviations.into(),
        quoted(view.text),
    ]
}

/// The page with bold labels and red carets.
fn painted(page: &str, screen: Screen) -> String {
    const LABELS: [&str; 6] = ["fault ", "why   ", "near  ", "do    ", "also  ", "FEN   "];
    if !screen.is_colored {
        return page.to_string();
    }
    let paint = |line: &str| {
        let caret = line.trim_start_matches(' ');
        let is_caret = caret.starts_with('^') && caret.trim_start_matches(['^', '~']).is_empty();
        match LABELS.iter().find_map(|label| Some((*label, line.strip_prefix(label)?))) {
            Some((label @ "fault ", rest)) => screen.paint(Ink::Red, &format!("{label}{rest}")),
            Some((label, rest)) => screen.paint(Ink::Bold, label) + rest,
            None if is_caret => screen.paint(Ink::Red, line),
            None => line.to_string(),
        }
    };
    page.lines().map(|line| paint(line) + "\n").collect()
}

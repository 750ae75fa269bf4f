//! Notations: what there is, and one move written or read.
//!
//! In: names of notations, positions as FEN, moves. Out: facts of notations, texts of moves. Invariant: every error is
//! a `UsageError` that names what is wrong. Cost: constant per move, for a few notations one text per legal move.

use pgnmill::{
    Check, Lineage, Move, MoveText, NOTATIONS, Notation, Ply, Position, TCN, UciMove, refusal,
    write_move_in,
};
use pyo3::prelude::*;

use crate::{error, settings};

/// Adds the functions.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(notation_facts, module)?)?;
    module.add_function(wrap_pyfunction!(encode, module)?)?;
    module.add_function(wrap_pyfunction!(decode, module)?)
}

/// The text of a move: UTF-8 in every notation.
pub(crate) fn text_of(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

type Facts = (
    (&'static str, &'static str, &'static str, &'static str, &'static str),
    (usize, usize),
    &'static str,
    bool,
    Vec<(&'static str, &'static str, &'static str)>,
);

/// The facts of each notation, in the order of all tables: see `pgnmill.NotationInfo`.
#[pyfunction]
fn notation_facts() -> Vec<Facts> {
    let facts = |notation: &&dyn Notation| {
        let info = notation.info();
        (
            (info.name, info.title, info.source, info.about, info.alphabet),
            (info.characters_max, info.bytes_max),
            info.needs.words(),
            info.writes_check,
            info.examples.to_vec(),
        )
    };
    NOTATIONS.iter().map(facts).collect()
}

/// The notation of a name, of movetext or of games.
fn find(py: Python<'_>, name: &str) -> PyResult<&'static dyn Notation> {
    if name == TCN.info().name { Ok(TCN) } else { settings::notation(py, name) }
}

/// A FEN record as a position.
fn position(py: Python<'_>, fen: &str) -> PyResult<Position> {
    let read = Position::from_fen(fen.as_bytes());
    read.map(|(position, _)| position)
        .map_err(|fault| error::usage(py, &format!("{fen:?} is not a legal position: {fault}")))
}

/// The history of a game that begins at the position, where the notation requires one.
fn lineage(py: Python<'_>, notation: &dyn Notation, start: &Position) -> PyResult<Option<Lineage>> {
    if !notation.needs_lineage() {
        return Ok(None);
    }
    let lineage = Lineage::of(start).ok_or_else(|| {
        let name = notation.info().name;
        let message = format!("{name} requires the history of the game: use Game.in_notation");
        error::usage(py, &message)
    });
    lineage.map(Some)
}

/// See `pgnmill.encode`.
#[pyfunction]
fn encode(py: Python<'_>, fen: &str, uci: &str, notation: &str) -> PyResult<String> {
    let (notation, before) = (find(py, notation)?, position(py, fen)?);
    let mv = Move::from_uci(&before, uci);
    let mv = mv.map_err(|fault| error::usage(py, &format!("{uci:?}: {fault}")))?;
    let lineage = lineage(py, notation, &before)?;
    let after = before.play(mv);
    let ply = Ply::new(&before, mv, &after, Check::of(&after)).with_lineage(lineage.as_ref());
    let mut text = MoveText::default();
    notation.encode_ply(&ply, &mut text);
    Ok(text_of(text.as_bytes()).to_string())
}

/// See `pgnmill.decode`.
#[pyfunction]
fn decode(py: Python<'_>, fen: &str, text: &str, notation: &str, strict: bool) -> PyResult<String> {
    let (notation, before) = (find(py, notation)?, position(py, fen)?);
    let lineage = lineage(py, notation, &before)?;
    let read = notation.read_in(text.as_bytes(), &before, lineage.as_ref());
    let mv = match read {
        Ok(reading) => reading.mv,
        Err(kind) => return Err(error::usage(py, &refusal(kind, text, notation, &before))),
    };
    let canonical = write_move_in(notation, &before, mv, lineage.as_ref());
    if strict && canonical.as_bytes() != text.as_bytes() {
        let message = format!("{text} is not canonical: the move is written {canonical}");
        return Err(error::usage(py, &message));
    }
    Ok(UciMove::of(&before, mv).to_string())
}

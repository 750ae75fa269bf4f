//! A ply of a game: `pgnmill.Move`.
//!
//! In: the position before the ply, its move and what annotates it. Out: its texts and annotations. Invariant: the
//! object does not change and depends on no game. Cost: texts are written when they are requested.

use pgnmill::columns::{Annotations, PlyNotes};
use pgnmill::{
    AnyPosition, Color, Deviation, Move as ChessMove, Notation, SAN, UCI, write_move_of_rules,
};
use pyo3::prelude::*;

use crate::error;
use crate::notation::text_of;
use crate::settings::notation as find;
use crate::value::{hash_of, loader};

/// Adds the class and what loads pickled moves.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Move>()?;
    module.add_function(wrap_pyfunction!(load_move, module)?)
}

/// What is kept of a ply beside its position: compared, and pickled.
#[derive(Clone, PartialEq, Eq, Hash, Debug, FromPyObject, IntoPyObject)]
#[pyo3(from_item_all)]
struct Annotated {
    ply: usize,
    text: String,
    clock_ms: Option<i32>,
    emt_ms: Option<i32>,
    eval_cp: Option<i16>,
    eval_mate: Option<i16>,
    nags: Vec<i16>,
    comment: Option<String>,
}

/// What is pickled: the position before the ply as FEN, its ruleset, the move in UCI, the rest.
type Saved = (String, String, String, Annotated);

/// A ply of the main line of a game. Its attributes have the names of the columns of :func:`pgnmill.plies`.
///
/// Attributes
/// ----------
/// ply : int
///     Its number in the game, from 1.
/// is_white : bool
///     Is it a move of White?
/// san : str
///     The move in SAN, canonical; ``--`` for a null move.
/// uci : str
///     The move in UCI; ``0000`` for a null move.
/// text : str
///     The move as the archive has it.
/// fen : str
///     The position before the ply.
/// clock_ms : int or None, milliseconds
///     The clock of the player after the ply, from ``%clk``.
/// emt_ms : int or None, milliseconds
///     The time that the ply took, from ``%emt``.
/// eval_cp : int or None, hundredths of a pawn
///     The evaluation after the ply from White's view, from ``%eval``, else from a comment of an engine.
/// eval_mate : int or None, moves
///     The moves to a mate, negative if Black mates, from the same.
/// nags : list of int
///     Numeric annotation glyphs; ``!``, ``?``, ``!!``, ``??``, ``!?``, ``?!`` are 1 to 6.
/// comment : str or None
///     The comments after the ply without their commands, joined by one space.
///
/// Examples
/// --------
/// >>> import pgnmill
/// >>> [game] = pgnmill.open(b'1. e4! {[%clk 0:03:00] Best by test.} e5 *')
/// >>> first = game.moves[0]
/// >>> first
/// <pgnmill.Move 1. e4>
/// >>> first.uci, first.nags, first.clock_ms, first.comment
/// ('e2e4', [1], 180000, 'Best by test.')
#[pyclass(frozen, module = "pgnmill")]
#[derive(Debug)]
pub(crate) struct Move {
    before: AnyPosition,
    mv: Option<ChessMove>,
    annotated: Annotated,
}

impl Move {
    pub(crate) fn new(
        ply: usize,
        before: AnyPosition,
        mv: Option<ChessMove>,
        text: &[u8],
        annotations: &Annotations,
        notes: &PlyNotes,
    ) -> Move {
        let annotated = Annotated {
            ply,
            text: String::from_utf8_lossy(text).into_owned(),
            clock_ms: notes.clock,
            emt_ms: notes.elapsed,
            eval_cp: notes.centipawns(),
            eval_mate: notes.mate(),
            nags: annotations.nags_of(notes).to_vec(),
            comment: annotations.comment_of(notes).map(str::to_string),
        };
        Move { before, mv, annotated }
    }

    /// The canonical text; why there is none.
    fn text_in(&self, notation: &dyn Notation) -> Result<String, Deviation> {
        let Some(mv) = self.mv else { return Ok("--".to_string()) };
        let text = write_move_of_rules(notation, &self.before, mv)?;
        Ok(text_of(text.as_bytes()).to_string())
    }

    fn written(&self, notation: &dyn Notation) -> String {
        // SAN and UCI have a text for each move.
        self.text_in(notation).unwrap_or_default()
    }
}

#[pymethods]
impl Move {
    /// Its number in the game, from 1.
    #[getter]
    fn ply(&self) -> usize {
        self.annotated.ply
    }

    /// Is it a move of White?
    #[getter]
    fn is_white(&self) -> bool {
        self.before.turn() == Color::White
    }

    /// The move in SAN.
    #[getter]
    fn san(&self) -> String {
        self.written(SAN)
    }

    /// The move in UCI.
    #[getter]
    fn uci(&self) -> String {
        if self.mv.is_none() { "0000".to_string() } else { self.written(UCI) }
    }

    /// The move as the archive has it.
    #[getter]
    fn text(&self) -> &str {
        &self.annotated.text
    }

    /// The position before the ply.
    #[getter]
    fn fen(&self) -> String {
        self.before.to_fen()
    }

    /// The clock of the player after the ply in milliseconds, or None.
    #[getter]
    fn clock_ms(&self) -> Option<i32> {
        self.annotated.clock_ms
    }

    /// The time that the ply took in milliseconds, or None.
    #[getter]
    fn emt_ms(&self) -> Option<i32> {
        self.annotated.emt_ms
    }

    /// The evaluation in hundredths of a pawn, or None.
    #[getter]
    fn eval_cp(&self) -> Option<i16> {
        self.annotated.eval_cp
    }

    /// The moves to a mate, or None.
    #[getter]
    fn eval_mate(&self) -> Option<i16> {
        self.annotated.eval_mate
    }

    /// Numeric annotation glyphs.
    #[getter]
    fn nags(&self) -> Vec<i16> {
        self.annotated.nags.clone()
    }

    /// The comments after the ply without commands, or None.
    #[getter]
    fn comment(&self) -> Option<&str> {
        self.annotated.comment.as_deref()
    }

    /// The move in a notation.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name of a notation: see :func:`pgnmill.notations`.
    ///
    /// Returns
    /// -------
    /// str
    ///     The canonical text; of a null move ``--``.
    ///
    /// Raises
    /// ------
    /// pgnmill.UsageError
    ///     There is no such notation, or it requires the history of the game: then :meth:`pgnmill.Game.in_notation`
    ///     writes the move; or it has no text for the move of a variant.
    ///
    /// Examples
    /// --------
    /// >>> import pgnmill
    /// >>> [game] = pgnmill.open(b'1. e4 e5 2. Nf3 *')
    /// >>> game.moves[2].in_notation("iccf")
    /// '7163'
    fn in_notation(&self, py: Python<'_>, name: &str) -> PyResult<String> {
        let notation = find(py, name)?;
        if notation.needs_lineage() {
            let message = format!("{name} requires the history of the game: use Game.in_notation");
            return Err(error::usage(py, &message));
        }
        self.text_in(notation).map_err(|_| {
            let message = format!("{name} has no text for {}", self.san());
            error::usage(py, &message)
        })
    }

    fn __repr__(&self) -> String {
        let dots = if self.is_white() { "." } else { "..." };
        format!("<pgnmill.Move {}{dots} {}>", self.before.fullmove_number(), self.san())
    }

    fn __eq__(&self, other: &Move) -> bool {
        self.fen() == other.fen() && self.mv == other.mv && self.annotated == other.annotated
    }

    fn __hash__(&self) -> u64 {
        hash_of((self.mv, &self.annotated))
    }

    fn __reduce__(&self, py: Python<'_>) -> PyResult<(Py<PyAny>, Saved)> {
        let name = self.before.rules().name();
        let rules = match &self.before {
            AnyPosition::Variant(before) if before.board().is_chess960() => format!("{name}960"),
            _ => name.to_string(),
        };
        Ok((loader(py, "load_move")?, (self.fen(), rules, self.uci(), self.annotated.clone())))
    }
}

/// The move that was pickled as these values.
#[pyfunction]
fn load_move(
    py: Python<'_>,
    fen: &str,
    rules: &str,
    uci: &str,
    annotated: Annotated,
) -> PyResult<Move> {
    let invalid = || error::usage(py, "not a move that this version of pgnmill has pickled");
    let rules = rules.parse().map_err(|_| invalid())?;
    let (before, _) = AnyPosition::from_fen(fen.as_bytes(), rules).map_err(|_| invalid())?;
    let mv = match (uci, &before) {
        ("0000", _) => None,
        (_, AnyPosition::Chess(before)) => {
            Some(ChessMove::from_uci(before, uci).map_err(|_| invalid())?)
        }
        (_, AnyPosition::Variant(before)) => {
            Some(UCI.read_variant(uci.as_bytes(), before, None).map_err(|_| invalid())?.mv)
        }
        (_, AnyPosition::Chess99(_) | AnyPosition::Table(_)) => return Err(invalid()),
    };
    Ok(Move { before, mv, annotated })
}

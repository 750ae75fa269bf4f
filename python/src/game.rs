//! A game: `pgnmill.Game`.
//!
//! In: a game of a reader, which owns its text. Out: its tag pairs, moves, texts in any notation, annotations, verdict.
//! Invariants: the object does not change and depends on no reader; it can be used in every thread and pickled. Cost:
//! nothing is computed before it is requested, and each request computes its value again, at the speed of the library.

use pgnmill::columns::{Annotations, Kept};
use pgnmill::{AnyPosition, Color, Lineage, Notation, OwnedGame, PlayedMove, SAN, Verdict};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString};

use crate::error;
use crate::fault::to_python;
use crate::notation::text_of;
use crate::played_move::Move;
use crate::settings::notation as find;
use crate::value::{hash_of, loader};

/// Adds the class and what loads pickled games.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Game>()?;
    module.add_function(wrap_pyfunction!(load_game, module)?)
}

/// One game of an archive: an object that owns its text and does not change.
///
/// It can be kept, compared, pickled, and used in any thread. A property is computed each time that it is requested.
///
/// Attributes
/// ----------
/// number : int
///     The number of the game in its archive, from 1; rejected games and those that ``where`` excludes are counted.
/// offset : int
///     The offset of its first byte in the text of the archive (after decompression), in bytes. With ``archive`` the
///     key of the game; the column ``byte_offset`` of :func:`pgnmill.games`.
/// archive : str
///     The path of the archive as it was given, or the name of another source.
/// text : bytes
///     The bytes of the game in the archive: tag pairs and movetext.
/// tags : dict of str to str
///     The tag pairs, in their order; a new dict each time. Of several with one name the last counts. Values are
///     without escapes; bytes that are not UTF-8 are read as Windows-1252.
/// verdict : {'accepted', 'repaired', 'rejected'}
///     ``repaired``: some text was not canonical and has one reading; ``rejected``: see ``fault``.
/// fault : pgnmill.Fault or None
///     Why and where a game was rejected.
/// result : {'1-0', '0-1', '1/2-1/2', '*'}
///     The result token of the movetext; without one, that of the tag pair ``Result``.
/// notation : str
///     The name of the notation of the movetext.
/// initial_fen : str or None
///     The position before the first move; None if the tag pairs give no legal one, which is a fault.
/// moves : list of pgnmill.Move
///     The plies of the main line, null moves included; of a rejected game those before the fault.
/// ply_count : int
///     The length of ``moves``.
/// comments : list of str
///     All comments in the order of the text, those of variations included, without braces, with commands.
/// clocks : list of (int or None), milliseconds
///     The clock of the player after each ply, from ``%clk``; None where there is none that can be read.
/// evals_cp : list of (int or None), hundredths of a pawn
///     The evaluation after each ply from White's view, from ``%eval``, else from a comment of an engine; None for a
///     mate.
/// evals_mate : list of (int or None), moves
///     The moves to a mate after each ply, negative if Black mates.
///
/// Examples
/// --------
/// >>> import pgnmill
/// >>> text = b'[White "Ann"]\n\n1. e4 {[%clk 0:03:00]} e5 2. Nf3 1-0\n'
/// >>> [game] = pgnmill.open(text)
/// >>> game
/// <pgnmill.Game 1: 'Ann' - '?', 1-0, 3 plies, accepted>
/// >>> game.tags["White"], game.san(), game.clocks
/// ('Ann', ['e4', 'e5', 'Nf3'], [180000, None, None])
/// >>> import pickle
/// >>> pickle.loads(pickle.dumps(game)) == game
/// True
#[pyclass(frozen, module = "pgnmill")]
#[derive(Debug)]
pub(crate) struct Game {
    game: OwnedGame,
}

impl Game {
    pub(crate) fn new(game: OwnedGame) -> Game {
        Game { game }
    }

    /// The texts of the main line in a notation; null moves as `null`.
    fn texts<'py>(
        &self,
        py: Python<'py>,
        notation: &'static dyn Notation,
        null: &str,
    ) -> PyResult<Bound<'py, PyList>> {
        self.check_history(py, notation)?;
        let text = |ply: Option<PlayedMove<'_>>| match ply {
            Some(ply) => {
                let written = ply.written(notation).map_err(|_| no_text(py, notation, &ply))?;
                Ok(PyString::new(py, text_of(written.as_bytes())))
            }
            None => Ok(PyString::new(py, null)),
        };
        let texts = self.game.game().main_line().map(|(_, ply)| text(ply));
        PyList::new(py, texts.collect::<PyResult<Vec<_>>>()?)
    }

    /// Raises an exception if the notation requires a history that the game does not have.
    fn check_history(&self, py: Python<'_>, notation: &dyn Notation) -> PyResult<()> {
        let has_history =
            || self.game.game().start().and_then(|start| Lineage::of(&start)).is_some();
        let is_chess = matches!(self.game.game().start_of_rules(), Some(AnyPosition::Chess(_)));
        if notation.needs_lineage() && is_chess && !has_history() {
            let name = notation.info().name;
            let message = format!("{name} requires a game from the initial array");
            return Err(error::usage(py, &message));
        }
        Ok(())
    }

    /// What annotates the plies; `keeps_text`: also NAGs and comments; `engines`: evaluations of engines, too.
    fn annotations(&self, keeps_text: bool, engines: bool) -> Annotations {
        let game = self.game.game();
        let mut annotations = Annotations::default();
        let digits = game.notation().info().digits;
        let spans = game.ply_spans();
        let (nags, comments) = (keeps_text, keeps_text);
        let kept = Kept { nags, comments, engines, variations: false };
        let movers: Vec<Color> = match engines {
            true => game.line_of_rules().map(|(before, _)| before.turn()).collect(),
            false => Vec::new(),
        };
        annotations.read(game.text(), &spans, &movers, game.movetext_end(), digits, kept);
        annotations
    }
}

/// The exception for a move of a variant that a notation cannot write.
fn no_text(py: Python<'_>, notation: &dyn Notation, ply: &PlayedMove<'_>) -> PyErr {
    let (name, san) = (notation.info().name, ply.text_in(SAN));
    error::usage(py, &format!("{name} has no text for {}", text_of(san.as_bytes())))
}

/// The null move in a notation.
fn null_in(notation: &dyn Notation) -> &'static str {
    if notation.info().name == "uci" { "0000" } else { "--" }
}

#[pymethods]
impl Game {
    /// The number of the game in its archive, from 1.
    #[getter]
    fn number(&self) -> u64 {
        self.game.game().number()
    }

    /// The offset of its first byte in the text of the archive, in bytes.
    #[getter]
    fn offset(&self) -> u64 {
        self.game.game().offset()
    }

    /// The path of the archive, or the name of another source.
    #[getter]
    fn archive(&self) -> &str {
        self.game.archive()
    }

    /// The bytes of the game: tag pairs and movetext.
    #[getter]
    fn text<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.game.game().text())
    }

    /// The tag pairs, in their order; a new dict each time.
    #[getter]
    fn tags<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let tags = PyDict::new(py);
        for tag in self.game.game().tags() {
            tags.set_item(PyString::new(py, &tag.name), PyString::new(py, &tag.value))?;
        }
        Ok(tags)
    }

    /// `accepted`, `repaired` or `rejected`.
    #[getter]
    fn verdict(&self) -> &'static str {
        match self.game.game().verdict() {
            Verdict::Accepted => "accepted",
            Verdict::Repaired => "repaired",
            Verdict::Rejected => "rejected",
        }
    }

    /// Why and where the game was rejected, or None.
    #[getter]
    fn fault<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.game.fault().map(|fault| to_python(py, fault)).transpose()
    }

    /// The result: `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[getter]
    fn result(&self) -> &'static str {
        self.game.game().result().map_or("*", |result| result.canonical())
    }

    /// The name of the notation of the movetext.
    #[getter]
    fn notation(&self) -> &'static str {
        self.game.game().notation().info().name
    }

    /// The position before the first move, or None if there is no legal one.
    #[getter]
    fn initial_fen(&self) -> Option<String> {
        self.game.game().start_of_rules().map(|start| start.to_fen())
    }

    /// The number of plies of the main line.
    #[getter]
    fn ply_count(&self) -> usize {
        self.game.game().main_line().count()
    }

    /// The plies of the main line; a new list each time.
    #[getter]
    fn moves<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let game = self.game.game();
        let annotations = self.annotations(true, true);
        let spans = game.ply_spans();
        let line = game.line_of_rules().zip(&annotations.plies).zip(spans).enumerate();
        let moves = line.map(|(index, (((before, ply), notes), span))| {
            let text = &game.text()[span.start as usize..span.end as usize];
            let mv = ply.map(|ply| ply.mv);
            Move::new(index + 1, before, mv, text, &annotations, notes)
        });
        PyList::new(py, moves.collect::<Vec<_>>())
    }

    /// All comments in the order of the text.
    #[getter]
    fn comments(&self) -> Vec<String> {
        self.game.game().comments().collect()
    }

    /// The clock after each ply in milliseconds, or None.
    #[getter]
    fn clocks(&self) -> Vec<Option<i32>> {
        self.annotations(false, false).plies.iter().map(|ply| ply.clock).collect()
    }

    /// The evaluation after each ply in hundredths of a pawn, or None.
    #[getter]
    fn evals_cp(&self) -> Vec<Option<i16>> {
        self.annotations(false, true).plies.iter().map(|ply| ply.centipawns()).collect()
    }

    /// The moves to a mate after each ply, or None.
    #[getter]
    fn evals_mate(&self) -> Vec<Option<i16>> {
        self.annotations(false, true).plies.iter().map(|ply| ply.mate()).collect()
    }

    /// The moves of the main line in SAN.
    ///
    /// Returns
    /// -------
    /// list of str
    ///     Canonical texts, whatever the notation of the archive; a null move is ``--``.
    ///
    /// Examples
    /// --------
    /// >>> import pgnmill
    /// >>> [game] = pgnmill.open(b'1. e4 e5 2. Ng1-f3 *')
    /// >>> game.san()
    /// ['e4', 'e5', 'Nf3']
    fn san<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.texts(py, SAN, "--")
    }

    /// The moves of the main line in UCI.
    ///
    /// Returns
    /// -------
    /// list of str
    ///     Castling is the king's move of two squares, in Chess960 king takes rook; a null move is ``0000``.
    ///
    /// Examples
    /// --------
    /// >>> import pgnmill
    /// >>> [game] = pgnmill.open(b'1. e4 e5 2. Nf3 *')
    /// >>> game.uci()
    /// ['e2e4', 'e7e5', 'g1f3']
    fn uci<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        self.in_notation(py, "uci")
    }

    /// The moves of the main line in a notation.
    ///
    /// Parameters
    /// ----------
    /// name : str
    ///     The name of a notation: see :func:`pgnmill.notations`.
    ///
    /// Returns
    /// -------
    /// list of str
    ///     Canonical texts; a null move is ``--``, in UCI ``0000``.
    ///
    /// Raises
    /// ------
    /// pgnmill.UsageError
    ///     There is no such notation, or it requires a game from the initial array, or has no text for a move of a
    ///     variant.
    ///
    /// Examples
    /// --------
    /// >>> import pgnmill
    /// >>> [game] = pgnmill.open(b'1. e4 e5 2. Nf3 Nc6 3. Bb5 *')
    /// >>> game.in_notation("economical-priority")
    /// ['e4', 'e5', 'gf3', 'bc6', 'b5']
    fn in_notation<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyList>> {
        let notation = find(py, name)?;
        self.texts(py, notation, null_in(notation))
    }

    /// The main line in a notation, with move numbers and the result.
    ///
    /// Parameters
    /// ----------
    /// notation : str, default 'san'
    ///     The name of a notation.
    ///
    /// Returns
    /// -------
    /// str
    ///     One line without comments, glyphs and variations.
    ///
    /// Raises
    /// ------
    /// pgnmill.UsageError
    ///     As :meth:`in_notation`.
    ///
    /// Examples
    /// --------
    /// >>> import pgnmill
    /// >>> [game] = pgnmill.open(b'1. e4 {best by test} e5 (1... c5) 2. Nf3 1-0')
    /// >>> game.movetext()
    /// '1. e4 e5 2. Nf3 1-0'
    /// >>> game.movetext("long")
    /// '1. e2-e4 e7-e5 2. Ng1-f3 1-0'
    #[pyo3(signature = (notation = "san"))]
    fn movetext(&self, py: Python<'_>, notation: &str) -> PyResult<String> {
        let notation = find(py, notation)?;
        self.texts(py, notation, "--")?;
        Ok(self.game.game().movetext(notation))
    }

    /// The positions of the main line.
    ///
    /// Returns
    /// -------
    /// list of str
    ///     FEN records, one more than :attr:`moves`: that before the first ply, and that after each. An en passant
    ///     square is given only where such a capture is legal. Empty if the tag pairs give no legal position.
    ///
    /// Examples
    /// --------
    /// >>> import pgnmill
    /// >>> [game] = pgnmill.open(b'1. e4 *')
    /// >>> game.fens()[-1]
    /// 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1'
    fn fens(&self) -> Vec<String> {
        let game = self.game.game();
        let before = game.line_of_rules().map(|(before, _)| before.to_fen());
        let mut fens: Vec<String> = before.collect();
        fens.extend(game.end_of_rules().map(|end| end.to_fen()));
        fens
    }

    /// The text of the game; bytes that are not UTF-8 are read as Windows-1252.
    fn __str__(&self) -> String {
        pgnmill::decode(self.game.game().text()).trim().to_string()
    }

    /// The tag pairs, the last position and the moves, for a notebook.
    fn _repr_html_<'py>(slf: &Bound<'py, Game>) -> PyResult<Bound<'py, PyAny>> {
        PyModule::import(slf.py(), "pgnmill._html")?.call_method1("game", (slf,))
    }

    fn __repr__(&self) -> String {
        let game = self.game.game();
        let name = |name| game.tag(name).unwrap_or("?".into());
        format!(
            "<pgnmill.Game {}: '{}' - '{}', {}, {} plies, {}>",
            game.number(),
            name("White").escape_debug(),
            name("Black").escape_debug(),
            self.result(),
            self.ply_count(),
            self.verdict()
        )
    }

    fn __eq__(&self, other: &Game) -> bool {
        self.game == other.game
    }

    fn __hash__(&self) -> u64 {
        let game = self.game.game();
        hash_of((game.offset(), game.number(), game.text()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Py<PyAny>, (Bound<'py, PyBytes>,))> {
        Ok((loader(py, "load_game")?, (PyBytes::new(py, &self.game.to_bytes()),)))
    }
}

/// The game that was pickled as these bytes.
#[pyfunction]
fn load_game(py: Python<'_>, saved: &[u8]) -> PyResult<Game> {
    let game = OwnedGame::from_bytes(saved);
    game.map(Game::new)
        .ok_or_else(|| error::usage(py, "not a game that this version of pgnmill has pickled"))
}

//! Counted positions: a stream of them, and what a table of them has of a position.
//!
//! In: sources and options; or a table, and a position as text. Out: a [`Stream`]; or the facts of a position and of
//! its moves, of which `pgnmill._explore` makes objects. Invariants: the figures are those of the program, which has
//! them from the same [`Explored`]; the interpreter lock is free meanwhile, and an exception of a signal handler ends
//! the search. Cost: that of the look-up.

use std::path::PathBuf;

use pgnmill_cli::page_of;
use pgnmill_run::args::names::{find_notation, find_rules};
use pgnmill_run::explore::ExploredMove;
use pgnmill_run::{Explore, Explored, Screen};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::calls::Calls;
use crate::ending;
use crate::reader::{Request, Rows};
use crate::run::{exception_of, in_python};
use crate::settings::ReadOptions;
use crate::source;
use crate::stream::Stream;
use crate::waiting::wait;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(position_stream, module)?)?;
    module.add_function(wrap_pyfunction!(explore, module)?)
}

/// A stream that was not read. `options`: see [`ReadOptions`].
#[pyfunction]
fn position_stream(
    py: Python<'_>,
    source: &Bound<'_, PyAny>,
    split: &Bound<'_, PyAny>,
    keeps_going: bool,
    options: &Bound<'_, PyDict>,
) -> PyResult<Stream> {
    let options = ReadOptions(options);
    let rows = Rows::Positions(options.positions()?);
    let settings = options.settings()?;
    let calls = Calls::new();
    let inputs = source::inputs(source, Some(split), &calls)?;
    Ok(Stream::of(py, Request { rows, settings, inputs, keeps_going }, calls))
}

/// The facts of a position, those of each move, in the order of a tree that is read from its root, and the page of the
/// program.
type Answer<'py> = (Bound<'py, PyDict>, Vec<Bound<'py, PyDict>>, String);

/// See `pgnmill.explore`.
#[pyfunction]
fn explore<'py>(
    py: Python<'py>,
    table: PathBuf,
    position: String,
    from_notation: &str,
    rules: &str,
    depth: Option<u32>,
    share: Option<f64>,
) -> PyResult<Answer<'py>> {
    let raised = |error| exception_of(py, &error, "explore");
    let from = match from_notation {
        "auto" => None,
        name => Some(find_notation(name).map_err(raised)?),
    };
    let rules = find_rules(rules).map_err(raised)?;
    let explore = Explore { from, rules, depth, share, ..Explore::new(&table, position) };
    let calls = Calls::new();
    ending::watch(py, &calls);
    let answered = wait(py, &calls, || explore.answer(calls.flag()), |_| Ok(()))?;
    let explored = answered.map_err(raised)?;
    let page = page_of(&explored, &table.display().to_string(), Screen::default());
    let mut moves = Vec::new();
    explored.tree.visit(|of, before| moves.push(facts_of_move(py, &explored, of, before)));
    let moves = moves.into_iter().collect::<PyResult<Vec<_>>>()?;
    Ok((facts_of_position(py, &explored)?, moves, in_python(&page, "explore")))
}

/// Values by their names.
macro_rules! facts {
    ($py:ident: $($name:ident = $value:expr),+ $(,)?) => {{
        let facts = PyDict::new($py);
        $(facts.set_item(stringify!($name), $value)?;)+
        Ok(facts)
    }};
}

fn facts_of_position<'py>(py: Python<'py>, of: &Explored) -> PyResult<Bound<'py, PyDict>> {
    let (position, opening, total) = (&of.requested.position, of.requested.opening, of.total());
    let games = of.tree.games;
    facts! { py:
        name = of.name(),
        eco = opening.map(|opening| opening.eco),
        opening = opening.map(|opening| opening.name),
        rules = position.rules().name(),
        fen = of.record(),
        games = (!of.is_book).then_some(games),
        white = total.white,
        draws = total.draws,
        black = total.black,
        rating_mean = total.rating_mean,
        last_date = total.last_date,
        weight = of.is_book.then_some(games),
        is_found = of.is_found(),
        is_cut = of.tree.is_cut,
    }
}

fn facts_of_move<'py>(
    py: Python<'py>,
    explored: &Explored,
    of: &ExploredMove,
    before: &[&ExploredMove],
) -> PyResult<Bound<'py, PyDict>> {
    let (row, opening) = (&of.row, explored.opening(of, before));
    facts! { py:
        san = &row.san,
        uci = &row.uci,
        games = row.games,
        share = explored.share(of),
        white = row.white,
        draws = row.draws,
        black = row.black,
        score = row.score,
        rating_mean = row.rating_mean,
        opponent_rating_mean = row.opponent_rating_mean,
        rated_games = row.rated_games,
        first_date = row.first_date.as_deref(),
        last_date = row.last_date.as_deref(),
        sample_archive = row.sample_archive.as_deref(),
        sample_offset = row.sample_offset,
        ply = row.ply,
        weight = row.weight,
        fen = of.record(),
        rules = of.before.rules().name(),
        eco = opening.map(|opening| opening.eco),
        opening = opening.map(|opening| opening.name),
        move_number = of.before.fullmove_number(),
        depth = before.len() + 1,
    }
}

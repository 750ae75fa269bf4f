"""The commands that read tables of measurements, and ``explain``, as functions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Union, cast

from pgnmill._run import Folder, options_of, path_of, start
from pgnmill._run_archives import tables_of
from pgnmill._run_types import Explanation, Measurement, Page, PathLike, Rewrite, Statistics, Texts
from pgnmill._streams import OneSource

__all__ = ["explain", "merge", "merge_positions", "report"]

Measured = Union[PathLike, Measurement, Statistics]


def _directory(measured: Measured, folder: Folder, name: str) -> str:
    """The directory of the tables; tables in memory are written to a temporary one."""
    if not isinstance(measured, (Measurement, Statistics)):
        return path_of(measured)
    if isinstance(measured, Measurement) and measured.output is not None:
        return path_of(measured.output)
    directory = folder.path / name
    directory.mkdir()
    tables = [measured.values_table] if isinstance(measured, Statistics) else measured.tables.values()
    for table in tables:
        (directory / f"{table.name}.csv").write_bytes(table.to_csv())
    return str(directory)


def merge(
    measured: Sequence[Measured],
    *,
    output: PathLike | None = None,
    partial: bool = False,
    overwrite: bool = False,
    quiet: bool = False,
) -> Measurement:
    """Adds the tables of several measurements.

    Measurements of splits have ledgers. They must be all splits of their archives, each once: one that is missing,
    doubled, altered or of another version of its archive is refused by name. The sums are then byte for byte the tables
    of one measurement of the archives.

    Parameters
    ----------
    measured : list of path or Measurement or Statistics
        Directories of tables, or results of :func:`measure`, :func:`stats` or of this function; or files of ledgers
        alone, which are checked and joined.
    output : path, optional
        A directory for the sums. Without it, they are in memory.
    partial : bool
        Splits may be missing: the sum is to be merged with others.
    overwrite : bool
        Replace existing tables.
    quiet : bool
        No warnings and no ``text``.

    Returns
    -------
    Measurement
        The tables of one measurement of all archives; of :func:`stats` the table ``stats`` in ``tables``.

    Raises
    ------
    UsageError
        Tables that cannot be added, such as those of other notations.
    InputError, MissingError
        Tables that cannot be read.
    OutputError, ExistsError
        An output that cannot be written, or that exists.

    Examples
    --------
    >>> import pgnmill
    >>> one = pgnmill.measure(b'[Event "a"]\\n\\n1. e4 e5 *\\n')
    >>> both = pgnmill.merge([one, one])
    >>> one.summary.games, both.summary.games
    (1, 2)
    """
    given = dict(locals())
    if isinstance(cast("object", measured), (str, Measurement, Statistics)):
        raise TypeError(f"measured is a list of directories or results, not {type(measured).__name__}")
    with Folder() as folder:
        del given["measured"]
        directory = folder.path / "merged" if output is None else Path(path_of(output))
        options = options_of({**given, "output": directory})
        inputs = [_directory(one, folder, f"in-{number}") for number, one in enumerate(measured)]
        ended = start("merge", [*options, ("inputs", inputs)], None, False)
        tables = tables_of(directory, in_memory=output is None)
        where = None if output is None else directory
        return Measurement(
            "merge", ended.summary, ended.is_clean, ended.warnings, ended.text, None, None, tables, where
        )


def merge_positions(
    tables: Sequence[PathLike],
    *,
    output: PathLike | None = None,
    partial: bool = False,
    min_games: int | None = None,
    sums: bool = False,
    format: str | None = None,
    only: str | None = None,
    min_score: int | None = None,
    uniform: bool = False,
    level: int | None = None,
    threads: int | None = None,
    overwrite: bool = False,
    quiet: bool = False,
) -> Rewrite:
    """Adds tables of positions: the sum is byte for byte what one run over all their archives writes.

    Parameters
    ----------
    tables : list of path
        Tables that :func:`write_positions` with ``sums``, or this function, has written, as Parquet or Arrow. Of tables of
        splits those of all splits of an archive are required.
    output : path, optional
        A file, as of :func:`write_positions`. Without it, the result has the bytes, in memory.
    partial : bool
        With splits: some may be missing; for sums of sums.
    min_games, sums, format, only, min_score, uniform, level
        As of :func:`write_positions`.
    threads : int, optional
        Number of worker threads, at most 1,024; by default one per processor.
    overwrite : bool
        Replace an existing output.
    quiet : bool
        No warnings and no ``text``.

    Returns
    -------
    Rewrite
        The output or its bytes.

    Raises
    ------
    UsageError
        Tables that have no exact sum, such as those of other options.
    InputError, MissingError
        Tables that cannot be read, or are damaged.
    OutputError, ExistsError
        An output that cannot be written, or that exists.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import pgnmill
    >>> games = pathlib.Path("../data/sources.pgn")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     paths = [pathlib.Path(folder, name) for name in ("a.parquet", "b.parquet")]
    ...     for path, white in zip(paths, ("Kasparov", "Anderssen")):
    ...         source = pathlib.Path(folder, f"{white}.pgn")
    ...         _ = pgnmill.select(games, where=f'White =~ "{white}"', output=source)
    ...         _ = pgnmill.write_positions(source, sums=True, max_ply=1, output=path)
    ...     merged = pgnmill.merge_positions(paths)
    >>> merged.data.decode().splitlines()[1].split(",")[3:6]
    ['e2e4', 'e4', '2']
    """
    given = dict(locals())
    if isinstance(cast("object", tables), (str, bytes)) or not isinstance(cast("object", tables), Sequence):
        raise TypeError(f"tables is a list of paths, not {type(tables).__name__}")
    inputs = [path_of(table) for table in tables]
    options = options_of(given) + ([("output", ["-"])] if output is None else [])
    ended = start("merge", [*options, ("inputs", inputs)], None, False)
    common = ("merge", ended.summary, ended.is_clean, ended.warnings, ended.text, None, None)
    if output is None:
        return Rewrite(*common, None, ended.output)
    return Rewrite(*common, Path(path_of(output)), None)


def report(
    tables: Measured,
    *,
    output: PathLike | None = None,
    figures: PathLike | None = None,
    study: bool = False,
    position: str | None = None,
    depth: int | None = None,
    share: float | None = None,
    from_notation: str | None = None,
    rules: str | None = None,
    overwrite: bool = False,
) -> Page:
    """Makes a page with the tables of a measurement, or of :func:`stats`, or of a table of positions.

    Parameters
    ----------
    tables : path or Measurement or Statistics
        The directory of the tables, or the result of :func:`measure`, :func:`stats` or :func:`merge`; or a file that
        ``pgnmill positions`` has written, of which the page is an opening explorer.
    output : path, optional
        The file: HTML, or Markdown if its name ends in ``.md``. Without it, the result has the page as HTML, which a
        notebook shows.
    figures : path, optional
        A directory to which each figure is also written, as an SVG file; Markdown then shows them.
    study : bool
        Also compare with what the documents that describe the 'Economical' notations claim.
    position : str, optional
        Of a table of positions: the position that is shown, a FEN record or the moves that lead to it. Without it, that
        of the start.
    depth : int, optional
        Of a table of positions: the plies of the tree of moves, 1 to 40. 4 if it is not given.
    share : float, optional
        Of a table of positions: the tree has the moves that at least so many percent of the games of the position play.
        1 if it is not given.
    from_notation : str, optional
        The notation of the moves of ``position``.
    rules : str, optional
        The ruleset of ``position``.
    overwrite : bool
        Replace existing outputs.

    Returns
    -------
    Page

    Raises
    ------
    UsageError
        Tables that are damaged.
    InputError, MissingError
        Tables that cannot be read.
    OutputError, ExistsError
        An output that cannot be written, or that exists.

    Examples
    --------
    >>> import pgnmill
    >>> page = pgnmill.report(pgnmill.measure(b'[Event "a"]\\n\\n1. e4 e5 *\\n'))
    >>> "</html>" in page.text
    True
    """
    given = dict(locals())
    with Folder() as folder:
        del given["tables"]
        options = options_of(given)
        options += [("output", ["-"])] if output is None else []
        options.append(("tables", [_directory(tables, folder, "tables")]))
        ended = start("report", options, None, False)
    if output is None:
        return Page(ended.output.decode(), None, ended.warnings)
    return Page(None, Path(path_of(output)), ended.warnings)


def explain(
    source: OneSource,
    *,
    at: int | None = None,
    game: int | None = None,
    ply: int | None = None,
    from_notation: str | None = None,
    rules: str | None = None,
    figurines: bool = False,
    game_per_line: bool = False,
    strict: bool = False,
    allow: Texts = (),
    deny: Texts = (),
    skip_damaged: bool = False,
) -> Explanation:
    """Explains a game of an archive: its fault, the position there, and the reason.

    Parameters
    ----------
    source : path, bytes or binary file object
        The archive, plain or compressed.
    at : int, optional
        A byte offset in the archive's text, after decompression, as in the table of faults.
    game : int, optional
        The number of the game, from 1. One of ``at`` and ``game`` is required.
    ply : int, optional
        With ``game``: the half-move to show, from 1.
    from_notation : str, optional
        The notation of games without a tag pair MoveNotation.
    rules : str, optional
        The ruleset of games without a tag pair Variant, such as ``"crazyhouse"``.
    figurines : bool
        Draw the pieces as figurines.
    game_per_line : bool
        Each line of the sources is a game: its moves, with or without numbers.
    strict : bool
        Reject games that are not canonical.
    allow, deny : str or list of str
        Deviations to accept, or to reject.
    skip_damaged : bool
        Count offsets and games as a run that skips the damaged frames of a zstd archive.

    Returns
    -------
    Explanation

    Raises
    ------
    UsageError
        A wrong or impossible request, such as the number of a game that is not there.
    InputError, MissingError, DamagedError
        A source that cannot be read.

    Examples
    --------
    >>> import pgnmill
    >>> explained = pgnmill.explain(b'[Event "a"]\\n\\n1. e5 *\\n', game=1)
    >>> print(explained.text.splitlines()[0])
    <bytes>: game 1 at bytes 0 to 21, rejected at byte 16, move-illegal
    """
    given = dict(locals())
    ended = start("explain", options_of(given), source, False)
    return Explanation(ended.shown, ended.is_clean)

"""The commands that read archives, as functions."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Union

from pgnmill._run import Ended, Folder, Tables, options_of, path_of, start
from pgnmill._run_table import Table
from pgnmill._run_types import (
    Duplicates,
    Measurement,
    Pairs,
    PathLike,
    ProgressOption,
    Rewrite,
    Run,
    Statistics,
    Summary,
    Texts,
)
from pgnmill._splits import Split
from pgnmill._streams import Source

__all__ = ["convert", "duplicates", "export", "measure", "select", "stats", "validate", "write_positions"]

GROUPS = "groups.csv"

_Common = tuple[str, Summary, bool, tuple[str, ...], str, Union[Table, None], Union[Table, None]]


def _common(command: str, ended: Ended, tables: Tables) -> _Common:
    """The fields that all results have in common."""
    faults, notes = tables.table("faults"), tables.table("notes")
    return command, ended.summary, ended.is_clean, ended.warnings, ended.text, faults, notes


def _rewrite(
    command: str, given: Mapping[str, object], source: Source, progress: ProgressOption
) -> Rewrite:
    """Runs a command that writes one output, to memory if it has no name."""
    with Folder() as folder:
        tables = Tables(given, folder)
        options = options_of(given) + tables.options
        output = given["output"]
        options += [("output", ["-"])] if output is None else []
        ended = start(command, options, source, progress, given.get("split"))
        common = _common(command, ended, tables)
        if output is None:
            return Rewrite(*common, None, ended.output)
        return Rewrite(*common, Path(path_of(output)), None)


def tables_of(directory: Path, *, in_memory: bool) -> dict[str, Table]:
    """The tables of a directory that a measurement has written."""
    files = sorted(directory.glob("*.csv"))
    if in_memory:
        return {file.stem: Table(file.stem, data=file.read_bytes()) for file in files}
    return {file.stem: Table(file.stem, path=file) for file in files}


def validate(
    source: Source,
    *,
    faults: PathLike | bool = True,
    notes: PathLike | bool = False,
    rejects: PathLike | None = None,
    summary: PathLike | None = None,
    split: Split | None = None,
    ledger: PathLike | None = None,
    where: str | None = None,
    from_notation: str | None = None,
    rules: str | None = None,
    threads: int | None = None,
    game_per_line: bool = False,
    strict: bool = False,
    allow: Texts = (),
    deny: Texts = (),
    skip_damaged: bool = False,
    keep_going: bool = False,
    overwrite: bool = False,
    quiet: bool = False,
    progress: ProgressOption = None,
) -> Run:
    """Validates every move of every game, variations included.

    Parameters
    ----------
    source : Source
        The archives, plain or compressed: paths, bytes, binary file objects, URLs, or several of these. A
        directory is searched for ``.pgn``, ``.zst``, ``.pgn.gz``, ``.pgn.bz2``, ``.pgn.xz``, ``.zip`` and ``.7z``.
    faults : path or bool
        The table of the rejected games, with the reasons: True for ``.faults`` of the result, or a file to
        write, as Parquet if its name ends in ``.parquet``.
    notes : path or bool
        The same for the notes and repairs of the other games.
    rejects : path, optional
        A file for the text of the rejected games, byte for byte.
    summary : path, optional
        A file for the counts, as a table of keys and values.
    split : Split, optional
        Read only this part of the archive whose path or URL here is ``source``.
    ledger : path, optional
        Of a split: a file for its row of the ledger, by which :func:`merge` checks that each split of an archive counts
        once.
    where : str, optional
        Read only games for which this expression is true, such as
        ``'rating_min >= 2000 and speed == "blitz"'``.
    from_notation : str, optional
        The notation of games without a tag pair MoveNotation.
    rules : str, optional
        The ruleset of games without a tag pair Variant, such as ``"crazyhouse"``.
    threads : int, optional
        Number of worker threads, at most 1,024; by default one per processor.
    game_per_line : bool
        Each line of the sources is a game: its moves, with or without numbers.
    strict : bool
        Reject games that are not canonical.
    allow : str or list of str
        Deviations to accept in games that would be rejected.
    deny : str or list of str
        Deviations to reject.
    skip_damaged : bool
        Continue after damaged zstd frames: each is a fault.
    keep_going : bool
        If a source cannot be read to its end, go on with the next one; such sources are in ``summary.failed``.
        A path that does not exist is an error.
    overwrite : bool
        Replace existing outputs.
    quiet : bool
        No warnings and no ``text``.
    progress : callable or bool, optional
        A callable that takes a :class:`Progress`, on the calling thread; its exception ends the run. True: a bar of
        tqdm, if it is installed; None: the same, if standard error is a terminal; False: nothing.

    Returns
    -------
    Run
        The counts and the table of faults. A game that is rejected is no error.

    Raises
    ------
    UsageError
        A wrong or impossible request.
    InputError, MissingError, DamagedError
        A source that cannot be read.
    OutputError, ExistsError
        An output that cannot be written, or that exists.

    Examples
    --------
    >>> import pgnmill
    >>> run = pgnmill.validate(b'[Event "a"]\\n\\n1. e4 e5 *\\n')
    >>> run.is_clean, run.summary.accepted, run.summary.plies
    (True, 1, 2)
    """
    given = dict(locals())
    with Folder() as folder:
        tables = Tables(given, folder)
        ended = start("validate", options_of(given) + tables.options, source, progress, split)
        return Run(*_common("validate", ended, tables))


def stats(
    source: Source,
    *,
    output: PathLike | None = None,
    top: int | None = None,
    sample: int | str | None = None,
    seed: int | None = None,
    faults: PathLike | bool = True,
    notes: PathLike | bool = False,
    rejects: PathLike | None = None,
    summary: PathLike | None = None,
    split: Split | None = None,
    ledger: PathLike | None = None,
    where: str | None = None,
    from_notation: str | None = None,
    rules: str | None = None,
    threads: int | None = None,
    game_per_line: bool = False,
    strict: bool = False,
    allow: Texts = (),
    deny: Texts = (),
    skip_damaged: bool = False,
    keep_going: bool = False,
    overwrite: bool = False,
    quiet: bool = False,
    progress: ProgressOption = None,
) -> Statistics:
    """Counts what is in archives: results, players, ratings, openings by position, clocks.

    Parameters
    ----------
    source : Source
        The archives, plain or compressed: paths, bytes, binary file objects, URLs, or several of these. A
        directory is searched for ``.pgn``, ``.zst``, ``.pgn.gz``, ``.pgn.bz2``, ``.pgn.xz``, ``.zip`` and ``.7z``.
    output : path, optional
        A directory for the table ``stats.csv``, with all values.
    top : int, optional
        Only so many of the most frequent players, events and other texts are in the result (all); the file of
        ``output`` has all.
    sample : int or str, optional
        Count a random sample of the selected games: so many (the sources are read twice), or a share such as ``"10%"``.
    seed : int, optional
        Which random sample (0).
    faults : path or bool
        The table of the rejected games, with the reasons: True for ``.faults`` of the result, or a file to
        write, as Parquet if its name ends in ``.parquet``.
    notes : path or bool
        The same for the notes and repairs of the other games.
    rejects : path, optional
        A file for the text of the rejected games, byte for byte.
    summary : path, optional
        A file for the counts, as a table of keys and values.
    split : Split, optional
        Read only this part of the archive whose path or URL here is ``source``.
    ledger : path, optional
        Of a split: a file for its row of the ledger, by which :func:`merge` checks that each split of an archive counts
        once.
    where : str, optional
        Read only games for which this expression is true, such as
        ``'rating_min >= 2000 and speed == "blitz"'``.
    from_notation : str, optional
        The notation of games without a tag pair MoveNotation.
    rules : str, optional
        The ruleset of games without a tag pair Variant, such as ``"crazyhouse"``.
    threads : int, optional
        Number of worker threads, at most 1,024; by default one per processor.
    game_per_line : bool
        Each line of the sources is a game: its moves, with or without numbers.
    strict : bool
        Reject games that are not canonical.
    allow : str or list of str
        Deviations to accept in games that would be rejected.
    deny : str or list of str
        Deviations to reject.
    skip_damaged : bool
        Continue after damaged zstd frames: each is a fault.
    keep_going : bool
        If a source cannot be read to its end, go on with the next one; such sources are in ``summary.failed``.
        A path that does not exist is an error.
    overwrite : bool
        Replace existing outputs.
    quiet : bool
        No warnings and no ``text``.
    progress : callable or bool, optional
        A callable that takes a :class:`Progress`, on the calling thread; its exception ends the run. True: a bar of
        tqdm, if it is installed; None: the same, if standard error is a terminal; False: nothing.

    Returns
    -------
    Statistics
        The counts by section and value.

    Raises
    ------
    UsageError
        A wrong or impossible request.
    InputError, MissingError, DamagedError
        A source that cannot be read.
    OutputError, ExistsError
        An output that cannot be written, or that exists.

    Examples
    --------
    >>> import pgnmill
    >>> stats = pgnmill.stats("../data/sources.pgn")
    >>> stats["player"]["Kasparov, Garry"], stats["has"]["date"]
    (2, 3)
    """
    given = dict(locals())
    with Folder() as folder:
        tables = Tables(given, folder)
        ended = start("stats", options_of({**given, "format": "csv"}) + tables.options, source, progress, split)
        return Statistics(*_common("stats", ended, tables), Table("stats", data=ended.shown.encode()))


def convert(
    source: Source,
    *,
    to: str,
    output: PathLike | None = None,
    flat: bool = False,
    language: str | None = None,
    level: int | None = None,
    moves_only: bool = False,
    keep_rejects: bool = False,
    to_utf8: bool = False,
    drop: Texts = (),
    set: Pairs = (),
    remove: Texts = (),
    set_eco: bool = False,
    faults: PathLike | bool = True,
    notes: PathLike | bool = False,
    rejects: PathLike | None = None,
    summary: PathLike | None = None,
    split: Split | None = None,
    ledger: PathLike | None = None,
    where: str | None = None,
    from_notation: str | None = None,
    rules: str | None = None,
    threads: int | None = None,
    game_per_line: bool = False,
    strict: bool = False,
    allow: Texts = (),
    deny: Texts = (),
    skip_damaged: bool = False,
    keep_going: bool = False,
    overwrite: bool = False,
    resume: bool = False,
    verify: bool = False,
    checkpoint: float | None = None,
    quiet: bool = False,
    progress: ProgressOption = None,
) -> Rewrite:
    """Rewrites the moves in another notation; the rest is copied.

    Parameters
    ----------
    source : Source
        The archives, plain or compressed: paths, bytes, binary file objects, URLs, or several of these. A
        directory is searched for ``.pgn``, ``.zst``, ``.pgn.gz``, ``.pgn.bz2``, ``.pgn.xz``, ``.zip`` and ``.7z``.
    to : str
        The notation to write: a name of :func:`notations`.
    output : path, optional
        A file (compressed if its name ends in ``.zst``), or a directory for one output per input. Without it, the
        result has the bytes, in memory.
    flat : bool
        In a directory of outputs: one file per input by its name alone, not in the folders of a directory that is
        read.
    language : str, optional
        With ``to="san"``: the piece letters of a language.
    level : int, optional
        Compression level of outputs that end in ``.zst``, 1 to 22 (3).
    moves_only : bool
        Write the moves of the main line alone, a game a line, as ``game_per_line`` reads them.
    keep_rejects : bool
        Keep rejected games in the output, unchanged.
    to_utf8 : bool
        Convert comments and tag values in Latin-1 or Windows-1252 to UTF-8.
    drop : str or list of str
        Drop ``comments``, ``clocks``, ``evals``, ``nags`` or ``variations`` of the games that are written.
    set : mapping or list of str
        Tag pairs to set: ``{"Event": "a"}``, or ``["Event=a"]``.
    remove : str or list of str
        Tag pairs to remove.
    set_eco : bool
        Set the tag pairs ECO and Opening by the positions that the moves reach.
    faults : path or bool
        The table of the rejected games, with the reasons: True for ``.faults`` of the result, or a file to
        write, as Parquet if its name ends in ``.parquet``.
    notes : path or bool
        The same for the notes and repairs of the other games.
    rejects : path, optional
        A file for the text of the rejected games, byte for byte.
    summary : path, optional
        A file for the counts, as a table of keys and values.
    split : Split, optional
        Read only this part of the archive whose path or URL here is ``source``.
    ledger : path, optional
        Of a split: a file for its row of the ledger, by which :func:`merge` checks that each split of an archive counts
        once.
    where : str, optional
        Read only games for which this expression is true, such as
        ``'rating_min >= 2000 and speed == "blitz"'``.
    from_notation : str, optional
        The notation of games without a tag pair MoveNotation.
    rules : str, optional
        The ruleset of games without a tag pair Variant, such as ``"crazyhouse"``.
    threads : int, optional
        Number of worker threads, at most 1,024; by default one per processor.
    game_per_line : bool
        Each line of the sources is a game: its moves, with or without numbers.
    strict : bool
        Reject games that are not canonical.
    allow : str or list of str
        Deviations to accept in games that would be rejected.
    deny : str or list of str
        Deviations to reject.
    skip_damaged : bool
        Continue after damaged zstd frames: each is a fault.
    keep_going : bool
        If a source cannot be read to its end, go on with the next one; such sources are in ``summary.failed``.
        A path that does not exist is an error.
    overwrite : bool
        Replace existing outputs.
    resume : bool
        Go on with a run that was ended, or begin it. Only such a run keeps a journal, and what it has written, if
        it is interrupted. Without a file for ``faults`` there is no such table.
    verify : bool
        With ``resume``: read the complete outputs and compare their digests.
    checkpoint : float, optional
        With ``resume``: save the state every so many seconds (30).
    quiet : bool
        No warnings and no ``text``.
    progress : callable or bool, optional
        A callable that takes a :class:`Progress`, on the calling thread; its exception ends the run. True: a bar of
        tqdm, if it is installed; None: the same, if standard error is a terminal; False: nothing.

    Returns
    -------
    Rewrite
        The counts, and the output or its bytes.

    Raises
    ------
    UsageError
        A wrong or impossible request.
    InputError, MissingError, DamagedError
        A source that cannot be read.
    OutputError, ExistsError
        An output that cannot be written, or that exists.

    Examples
    --------
    >>> import pgnmill
    >>> pgnmill.convert(b'[Event "a"]\\n\\n1. Nf3 *\\n', to="san", language="de").data.splitlines()[-1]
    b'1. Sf3 *'
    """
    given = dict(locals())
    return _rewrite("convert", given, source, progress)


def select(
    source: Source,
    *,
    output: PathLike | None = None,
    flat: bool = False,
    head: int | None = None,
    sample: int | str | None = None,
    seed: int | None = None,
    split_by: str | None = None,
    games_per_file: int | None = None,
    drop: Texts = (),
    set: Pairs = (),
    remove: Texts = (),
    level: int | None = None,
    faults: PathLike | bool = True,
    notes: PathLike | bool = False,
    rejects: PathLike | None = None,
    summary: PathLike | None = None,
    where: str | None = None,
    from_notation: str | None = None,
    rules: str | None = None,
    threads: int | None = None,
    strict: bool = False,
    allow: Texts = (),
    deny: Texts = (),
    skip_damaged: bool = False,
    keep_going: bool = False,
    overwrite: bool = False,
    resume: bool = False,
    verify: bool = False,
    checkpoint: float | None = None,
    quiet: bool = False,
    progress: ProgressOption = None,
) -> Rewrite:
    """Copies games: those of ``where``, the first ones, a random sample, one file per value, or files of so many.

    Parameters
    ----------
    source : Source
        The archives, plain or compressed: paths, bytes, binary file objects, URLs, or several of these. A
        directory is searched for ``.pgn``, ``.zst``, ``.pgn.gz``, ``.pgn.bz2``, ``.pgn.xz``, ``.zip`` and ``.7z``.
    output : path, optional
        A file (compressed if its name ends in ``.zst``), or a directory for one output per input. Without it, the
        result has the bytes, in memory.
    flat : bool
        In a directory of outputs: one file per input by its name alone, not in the folders of a directory that is
        read.
    head : int, optional
        Stop after so many selected games.
    sample : int or str, optional
        Take a random sample of the selected games: so many (the sources are read twice), or a share such as
        ``"10%"``.
    seed : int, optional
        Which random sample (0).
    split_by : str, optional
        Write one file per value of this field, such as ``ECO``, or of several such as ``year,month``, to the directory
        ``output``.
    games_per_file : int, optional
        Write files of so many games, ``000001.pgn`` and so on, to the directory ``output``.
    drop : str or list of str
        Drop ``comments``, ``clocks``, ``evals``, ``nags`` or ``variations`` of the games that are written.
    set : mapping or list of str
        Tag pairs to set: ``{"Event": "a"}``, or ``["Event=a"]``.
    remove : str or list of str
        Tag pairs to remove.
    level : int, optional
        Compression level of outputs that end in ``.zst``, 1 to 22 (3).
    faults : path or bool
        The table of the rejected games, with the reasons: True for ``.faults`` of the result, or a file to
        write, as Parquet if its name ends in ``.parquet``.
    notes : path or bool
        The same for the notes and repairs of the other games.
    rejects : path, optional
        A file for the text of the rejected games, byte for byte.
    summary : path, optional
        A file for the counts, as a table of keys and values.
    where : str, optional
        Read only games for which this expression is true, such as
        ``'rating_min >= 2000 and speed == "blitz"'``.
    from_notation : str, optional
        The notation of games without a tag pair MoveNotation.
    rules : str, optional
        The ruleset of games without a tag pair Variant, such as ``"crazyhouse"``.
    threads : int, optional
        Number of worker threads, at most 1,024; by default one per processor.
    strict : bool
        Reject games that are not canonical.
    allow : str or list of str
        Deviations to accept in games that would be rejected.
    deny : str or list of str
        Deviations to reject.
    skip_damaged : bool
        Continue after damaged zstd frames: each is a fault.
    keep_going : bool
        If a source cannot be read to its end, go on with the next one; such sources are in ``summary.failed``.
        A path that does not exist is an error.
    overwrite : bool
        Replace existing outputs.
    resume : bool
        Go on with a run that was ended, or begin it. Only such a run keeps a journal, and what it has written, if
        it is interrupted. Without a file for ``faults`` there is no such table.
    verify : bool
        With ``resume``: read the complete outputs and compare their digests.
    checkpoint : float, optional
        With ``resume``: save the state every so many seconds (30).
    quiet : bool
        No warnings and no ``text``.
    progress : callable or bool, optional
        A callable that takes a :class:`Progress`, on the calling thread; its exception ends the run. True: a bar of
        tqdm, if it is installed; None: the same, if standard error is a terminal; False: nothing.

    Returns
    -------
    Rewrite
        The counts, with ``summary.selected``, and the output or its bytes.

    Raises
    ------
    UsageError
        A wrong or impossible request.
    InputError, MissingError, DamagedError
        A source that cannot be read.
    OutputError, ExistsError
        An output that cannot be written, or that exists.

    Examples
    --------
    >>> import pgnmill
    >>> games = b'[Event "a"]\\n\\n1. e4 *\\n\\n[Event "b"]\\n\\n1. d4 *\\n'
    >>> run = pgnmill.select(games, where='Event == "b"')
    >>> run.summary.selected, run.data
    (1, b'[Event "b"]\\n\\n1. d4 *\\n')
    """
    given = dict(locals())
    return _rewrite("select", given, source, progress)


def sort(
    source: Source,
    *,
    by: str,
    output: PathLike | None = None,
    level: int | None = None,
    memory: int | str | None = None,
    faults: PathLike | bool = True,
    notes: PathLike | bool = False,
    rejects: PathLike | None = None,
    summary: PathLike | None = None,
    where: str | None = None,
    from_notation: str | None = None,
    rules: str | None = None,
    threads: int | None = None,
    strict: bool = False,
    allow: Texts = (),
    deny: Texts = (),
    skip_damaged: bool = False,
    keep_going: bool = False,
    overwrite: bool = False,
    quiet: bool = False,
    progress: ProgressOption = None,
) -> Rewrite:
    """Writes games in the order of fields.

    Parameters
    ----------
    source : Source
        The archives, plain or compressed: paths, bytes, binary file objects, URLs, or several of these. A
        directory is searched for ``.pgn``, ``.zst``, ``.pgn.gz``, ``.pgn.bz2``, ``.pgn.xz``, ``.zip`` and ``.7z``.
    by : str
        What decides the order: fields, or expressions, of ``where``, the first one first; ``-`` before one: descending.
        Games without a value come last; those that are equal in all of them keep their order.
    output : path, optional
        A file (compressed if its name ends in ``.zst``). Without it, the result has the bytes, in memory.
    level : int, optional
        Compression level of an output that ends in ``.zst``, 1 to 22 (3).
    memory : int or str, optional
        The memory of the sort, in bytes or such as ``"256MiB"`` (128 MiB); what exceeds it is written to temporary files
        beside the output.
    faults : path or bool
        The table of the rejected games, with the reasons: True for ``.faults`` of the result, or a file to
        write, as Parquet if its name ends in ``.parquet``.
    notes : path or bool
        The same for the notes and repairs of the other games.
    rejects : path, optional
        A file for the text of the rejected games, byte for byte.
    summary : path, optional
        A file for the counts, as a table of keys and values.
    where : str, optional
        Read only games for which this expression is true, such as
        ``'rating_min >= 2000 and speed == "blitz"'``.
    from_notation : str, optional
        The notation of games without a tag pair MoveNotation.
    rules : str, optional
        The ruleset of games without a tag pair Variant, such as ``"crazyhouse"``.
    threads : int, optional
        Number of worker threads, at most 1,024; by default one per processor.
    strict : bool
        Reject games that are not canonical.
    allow : str or list of str
        Deviations to accept in games that would be rejected.
    deny : str or list of str
        Deviations to reject.
    skip_damaged : bool
        Continue after damaged zstd frames: each is a fault.
    keep_going : bool
        If a source cannot be read to its end, go on with the next one; such sources are in ``summary.failed``.
        A path that does not exist is an error.
    overwrite : bool
        Replace existing outputs.
    quiet : bool
        No warnings and no ``text``.
    progress : callable or bool, optional
        A callable that takes a :class:`Progress`, on the calling thread; its exception ends the run. True: a bar of
        tqdm, if it is installed; None: the same, if standard error is a terminal; False: nothing.

    Returns
    -------
    Rewrite
        The counts, with ``summary.selected``, and the output or its bytes.

    Raises
    ------
    UsageError
        A wrong or impossible request.
    InputError, MissingError, DamagedError
        A source that cannot be read.
    OutputError, ExistsError
        An output that cannot be written, or that exists.

    Examples
    --------
    >>> import pgnmill
    >>> games = b'[Event "a"]\\n\\n1. e4 *\\n\\n[Event "b"]\\n\\n1. d4 *\\n\\n'
    >>> pgnmill.sort(games, by="-Event").data
    b'[Event "b"]\\n\\n1. d4 *\\n\\n[Event "a"]\\n\\n1. e4 *\\n\\n'
    """
    given = dict(locals())
    return _rewrite("sort", given, source, progress)


def export(
    source: Source,
    *,
    output: PathLike | None = None,
    flat: bool = False,
    sample: int | str | None = None,
    seed: int | None = None,
    table: str | None = None,
    columns: Texts = (),
    notation: Texts = (),
    format: str | None = None,
    partition_by: Texts = (),
    parts: str | None = None,
    plies: str | None = None,
    sample_plies: str | None = None,
    position: str | None = None,
    opcodes: Texts = (),
    distinct: bool = False,
    sorted: bool = False,
    memory: int | str | None = None,
    level: int | None = None,
    one_line: bool = False,
    csv_safe: bool = False,
    faults: PathLike | bool = True,
    notes: PathLike | bool = False,
    rejects: PathLike | None = None,
    summary: PathLike | None = None,
    split: Split | None = None,
    ledger: PathLike | None = None,
    where: str | None = None,
    from_notation: str | None = None,
    rules: str | None = None,
    threads: int | None = None,
    game_per_line: bool = False,
    strict: bool = False,
    allow: Texts = (),
    deny: Texts = (),
    skip_damaged: bool = False,
    keep_going: bool = False,
    overwrite: bool = False,
    resume: bool = False,
    verify: bool = False,
    checkpoint: float | None = None,
    quiet: bool = False,
    progress: ProgressOption = None,
) -> Rewrite:
    """Writes games or plies as columns: Parquet, Arrow, CSV, JSON lines; or their positions: EPD, FEN.

    Parameters
    ----------
    source : Source
        The archives, plain or compressed: paths, bytes, binary file objects, URLs, or several of these. A
        directory is searched for ``.pgn``, ``.zst``, ``.pgn.gz``, ``.pgn.bz2``, ``.pgn.xz``, ``.zip`` and ``.7z``.
    output : path, optional
        A file, or a directory for one file per input. Without it, the result has the bytes, in memory.
    flat : bool
        In a directory of outputs: one file per input by its name alone, not in the folders of a directory that is
        read.
    sample : int or str, optional
        Take a random sample of the selected games: so many (the sources are read twice), or a share such as
        ``"10%"``.
    seed : int, optional
        Which random sample (0).
    table : str, optional
        ``"games"`` (default) or ``"plies"``.
    columns : str or list of str
        The columns, in this order: ``hf``, ``default``, ``all``, and names.
    notation : str or list of str
        Also write the moves in these notations.
    format : str, optional
        ``parquet``, ``arrow``, ``csv``, ``jsonl``, ``epd`` or ``fen``; by default that of the output's name, in a
        directory Parquet.
    partition_by : str or list of str
        Write one file per value of these columns of games, or of ``Year`` and ``Month``.
    parts : str, optional
        Divide games at random into parts with these shares, ``"train:0.98,val:0.02"``: folders ``part=train``.
    plies : str, optional
        Of the table of plies: those with these numbers, such as ``"10..60"``.
    sample_plies : str, optional
        Of the table of plies: a share of the plies, such as ``"1%"``.
    position : str, optional
        Of EPD and FEN: the position ``"before"`` (default) or ``"after"`` a ply; of the table of games it is the last
        one.
    opcodes : str or list of str
        Of EPD: the operations of a line, such as ``["bm", "id=Event", "hmvc"]``.
    distinct : bool
        Of EPD and FEN: write each position once, with the line that is the first to have it.
    sorted : bool
        Of ``distinct``: in the order of the records, in place of that of the games.
    memory : int or str, optional
        Of ``distinct``: the memory, in bytes or such as ``"256MiB"`` (1 GiB); what exceeds it is written to temporary
        files.
    level : int, optional
        Compression level of Parquet, 1 to 22 (3).
    one_line : bool
        Write line ends of the movetext as spaces.
    csv_safe : bool
        In CSV: write ``'`` before texts that a spreadsheet would take as a formula.
    faults : path or bool
        The table of the rejected games, with the reasons: True for ``.faults`` of the result, or a file to
        write, as Parquet if its name ends in ``.parquet``.
    notes : path or bool
        The same for the notes and repairs of the other games.
    rejects : path, optional
        A file for the text of the rejected games, byte for byte.
    summary : path, optional
        A file for the counts, as a table of keys and values.
    split : Split, optional
        Read only this part of the archive whose path or URL here is ``source``.
    ledger : path, optional
        Of a split: a file for its row of the ledger, by which :func:`merge` checks that each split of an archive counts
        once.
    where : str, optional
        Read only games for which this expression is true, such as
        ``'rating_min >= 2000 and speed == "blitz"'``.
    from_notation : str, optional
        The notation of games without a tag pair MoveNotation.
    rules : str, optional
        The ruleset of games without a tag pair Variant, such as ``"crazyhouse"``.
    threads : int, optional
        Number of worker threads, at most 1,024; by default one per processor.
    game_per_line : bool
        Each line of the sources is a game: its moves, with or without numbers.
    strict : bool
        Reject games that are not canonical.
    allow : str or list of str
        Deviations to accept in games that would be rejected.
    deny : str or list of str
        Deviations to reject.
    skip_damaged : bool
        Continue after damaged zstd frames: each is a fault.
    keep_going : bool
        If a source cannot be read to its end, go on with the next one; such sources are in ``summary.failed``.
        A path that does not exist is an error.
    overwrite : bool
        Replace existing outputs.
    resume : bool
        Go on with a run that was ended, or begin it. Only such a run keeps a journal, and what it has written, if
        it is interrupted. Without a file for ``faults`` there is no such table.
    verify : bool
        With ``resume``: read the complete outputs and compare their digests.
    checkpoint : float, optional
        With ``resume``: save the state every so many seconds (30).
    quiet : bool
        No warnings and no ``text``.
    progress : callable or bool, optional
        A callable that takes a :class:`Progress`, on the calling thread; its exception ends the run. True: a bar of
        tqdm, if it is installed; None: the same, if standard error is a terminal; False: nothing.

    Returns
    -------
    Rewrite
        The counts, and the output or its bytes.

    Raises
    ------
    UsageError
        A wrong or impossible request.
    InputError, MissingError, DamagedError
        A source that cannot be read.
    OutputError, ExistsError
        An output that cannot be written, or that exists.

    Examples
    --------
    >>> import pgnmill
    >>> pgnmill.export(b'[Event "a"]\\n\\n1. e4 *\\n', columns=["Event", "ply_count"], format="csv").data
    b'Event,ply_count\\na,1\\n'
    """
    given = dict(locals())
    return _rewrite("export", given, source, progress)


def write_positions(
    source: Source,
    *,
    output: PathLike | None = None,
    flat: bool = False,
    max_ply: int | None = None,
    variations: bool = False,
    min_games: int | None = None,
    sums: bool = False,
    format: str | None = None,
    only: str | None = None,
    min_score: int | None = None,
    uniform: bool = False,
    level: int | None = None,
    memory: int | str | None = None,
    faults: PathLike | bool = True,
    notes: PathLike | bool = False,
    rejects: PathLike | None = None,
    summary: PathLike | None = None,
    split: Split | None = None,
    ledger: PathLike | None = None,
    where: str | None = None,
    from_notation: str | None = None,
    rules: str | None = None,
    threads: int | None = None,
    game_per_line: bool = False,
    strict: bool = False,
    allow: Texts = (),
    deny: Texts = (),
    skip_damaged: bool = False,
    keep_going: bool = False,
    overwrite: bool = False,
    resume: bool = False,
    verify: bool = False,
    checkpoint: float | None = None,
    quiet: bool = False,
    progress: ProgressOption = None,
) -> Rewrite:
    """Writes what was played in each position, and how it ended: a table for :func:`explore`, or a Polyglot book.

    :func:`positions` gives the rows of such a table without a file.

    Parameters
    ----------
    source : Source
        The archives, plain or compressed: paths, bytes, binary file objects, URLs, or several of these. A
        directory is searched for ``.pgn``, ``.zst``, ``.pgn.gz``, ``.pgn.bz2``, ``.pgn.xz``, ``.zip`` and ``.7z``.
    output : path, optional
        A file, ``.parquet``, ``.arrow``, ``.csv``, ``.jsonl`` or ``.bin``, or a directory for one file per input. Without
        it, the result has the bytes, in memory.
    flat : bool
        In a directory of outputs: one file per input by its name alone, not in the folders of a directory that is
        read.
    max_ply : int, optional
        Count moves up to this ply (60); 0: all.
    variations : bool
        Count the moves of variations too, once per game.
    min_games : int, optional
        Leave out moves that fewer games played in their position (1).
    sums : bool
        Write the sums of the ratings in place of their means, so that :func:`merge_positions` adds the tables.
    format : str, optional
        ``parquet``, ``arrow``, ``csv``, ``jsonl`` or ``bin``; by default that of the output's name, in memory CSV, in a
        directory Parquet.
    only : str, optional
        Of a book: the moves of one side alone, ``"white"`` or ``"black"``.
    min_score : int, optional
        Of a book: leave out moves with a smaller share of the points, in percent.
    uniform : bool
        Of a book: give all moves the same weight.
    level : int, optional
        Compression level of Parquet, 1 to 22 (3).
    memory : int or str, optional
        The memory of the counts, in bytes or such as ``"256MiB"`` (1 GiB); what exceeds it is written to temporary files
        beside the output.
    faults : path or bool
        The table of the rejected games, with the reasons: True for ``.faults`` of the result, or a file to
        write, as Parquet if its name ends in ``.parquet``.
    notes : path or bool
        The same for the notes and repairs of the other games.
    rejects : path, optional
        A file for the text of the rejected games, byte for byte.
    summary : path, optional
        A file for the counts, as a table of keys and values.
    split : Split, optional
        Read only this part of the archive whose path or URL here is ``source``.
    ledger : path, optional
        Of a split: a file for its row of the ledger, by which :func:`merge` checks that each split of an archive counts
        once.
    where : str, optional
        Read only games for which this expression is true, such as
        ``'rating_min >= 2000 and speed == "blitz"'``.
    from_notation : str, optional
        The notation of games without a tag pair MoveNotation.
    rules : str, optional
        The ruleset of games without a tag pair Variant, such as ``"crazyhouse"``.
    threads : int, optional
        Number of worker threads, at most 1,024; by default one per processor.
    game_per_line : bool
        Each line of the sources is a game: its moves, with or without numbers.
    strict : bool
        Reject games that are not canonical.
    allow : str or list of str
        Deviations to accept in games that would be rejected.
    deny : str or list of str
        Deviations to reject.
    skip_damaged : bool
        Continue after damaged zstd frames: each is a fault.
    keep_going : bool
        If a source cannot be read to its end, go on with the next one; such sources are in ``summary.failed``.
        A path that does not exist is an error.
    overwrite : bool
        Replace existing outputs.
    resume : bool
        Go on with a run that was ended, or begin it. Only such a run keeps a journal, and what it has written, if
        it is interrupted. Without a file for ``faults`` there is no such table.
    verify : bool
        With ``resume``: read the complete outputs and compare their digests.
    checkpoint : float, optional
        With ``resume``: save the state every so many seconds (30).
    quiet : bool
        No warnings and no ``text``.
    progress : callable or bool, optional
        A callable that takes a :class:`Progress`, on the calling thread; its exception ends the run. True: a bar of
        tqdm, if it is installed; None: the same, if standard error is a terminal; False: nothing.

    Returns
    -------
    Rewrite
        The counts, and the output or its bytes.

    Raises
    ------
    UsageError
        A wrong or impossible request.
    InputError, MissingError, DamagedError
        A source that cannot be read.
    OutputError, ExistsError
        An output that cannot be written, or that exists.

    Examples
    --------
    >>> import pgnmill
    >>> table = pgnmill.write_positions(b"1. e4 e5 1-0\\n\\n1. e4 c5 0-1\\n", max_ply=1).data.decode()
    >>> [line.split(",")[4:7] for line in table.splitlines()]
    [['san', 'games', 'white'], ['e4', '2', '1']]
    """
    given = dict(locals())
    return _rewrite("positions", given, source, progress)


def measure(
    source: Source,
    *,
    output: PathLike | None = None,
    per_game: bool = False,
    notations: Texts = (),
    by: Texts = (),
    cluster: Texts = (),
    sample: int | str | None = None,
    seed: int | None = None,
    entropy: bool = False,
    compress: Texts = (),
    order: int | None = None,
    codes: bool = False,
    errors: int | None = None,
    writing: bool = False,
    tokens: Texts = (),
    faults: PathLike | bool = True,
    notes: PathLike | bool = False,
    rejects: PathLike | None = None,
    summary: PathLike | None = None,
    split: Split | None = None,
    ledger: PathLike | None = None,
    where: str | None = None,
    from_notation: str | None = None,
    rules: str | None = None,
    threads: int | None = None,
    game_per_line: bool = False,
    strict: bool = False,
    allow: Texts = (),
    deny: Texts = (),
    skip_damaged: bool = False,
    keep_going: bool = False,
    overwrite: bool = False,
    resume: bool = False,
    verify: bool = False,
    checkpoint: float | None = None,
    quiet: bool = False,
    progress: ProgressOption = None,
) -> Measurement:
    """Measures the length of each notation.

    Parameters
    ----------
    source : Source
        The archives, plain or compressed: paths, bytes, binary file objects, URLs, or several of these. A
        directory is searched for ``.pgn``, ``.zst``, ``.pgn.gz``, ``.pgn.bz2``, ``.pgn.xz``, ``.zip`` and ``.7z``.
    output : path, optional
        A directory for the tables. Without it, they are in memory.
    per_game : bool
        Also make the table ``games``, one row per game.
    notations : str or list of str
        The notations to measure: ``all`` (default), ``written``, ``languages``, ``main``, or names.
    by : str or list of str
        Also count by these dimensions, one table each: ``all``, or some of ``ply``, ``rating``, ``eco`` and others.
    cluster : str or list of str
        Also make ``se`` and ``changes``: standard errors with games as clusters (``game``), and ``clusters`` for
        ``event`` and ``player``.
    sample : int or str, optional
        Take a random sample of the selected games: so many (the sources are read twice), or a share such as
        ``"10%"``.
    seed : int, optional
        Which random sample (0).
    entropy : bool
        Also make ``entropy`` and the frequencies from which it is computed.
    compress : str or list of str
        Also make ``compress``: the sizes after compression by compressors such as ``zstd:3`` and ``xz:6``.
    order : int, optional
        Also make ``orders``: bits of the texts in adaptive models of order 0 to this, at most 5.
    codes : bool
        Also make ``codes``: bits per ply of codes for moves that use the position; and ``code_symbols``.
    errors : int, optional
        Also make ``errors``: whether a reader refuses the text of a game with an error, of which so many of each kind
        are made in each game.
    writing : bool
        Also make ``writing``: keys, Morse code and bytes of the texts, and ``characters``, from which it is computed.
    tokens : str or list of str
        Also make ``bpe_tokens``: tokens of movetext in vocabularies of byte-pair encoders, files in the format of
        tiktoken: ``FILE`` or ``FILE:PATTERN``, where the pattern is ``r50k``, ``cl100k`` or ``o200k``.
    faults : path or bool
        The table of the rejected games, with the reasons: True for ``.faults`` of the result, or a file to
        write, as Parquet if its name ends in ``.parquet``.
    notes : path or bool
        The same for the notes and repairs of the other games.
    rejects : path, optional
        A file for the text of the rejected games, byte for byte.
    summary : path, optional
        A file for the counts, as a table of keys and values.
    split : Split, optional
        Read only this part of the archive whose path or URL here is ``source``.
    ledger : path, optional
        Of a split: a file for its row of the ledger, by which :func:`merge` checks that each split of an archive counts
        once.
    where : str, optional
        Read only games for which this expression is true, such as
        ``'rating_min >= 2000 and speed == "blitz"'``.
    from_notation : str, optional
        The notation of games without a tag pair MoveNotation.
    rules : str, optional
        The ruleset of games without a tag pair Variant, such as ``"crazyhouse"``.
    threads : int, optional
        Number of worker threads, at most 1,024; by default one per processor.
    game_per_line : bool
        Each line of the sources is a game: its moves, with or without numbers.
    strict : bool
        Reject games that are not canonical.
    allow : str or list of str
        Deviations to accept in games that would be rejected.
    deny : str or list of str
        Deviations to reject.
    skip_damaged : bool
        Continue after damaged zstd frames: each is a fault.
    keep_going : bool
        If a source cannot be read to its end, go on with the next one; such sources are in ``summary.failed``.
        A path that does not exist is an error.
    overwrite : bool
        Replace existing outputs.
    resume : bool
        Go on with a run that was ended, or begin it. Only such a run keeps a journal, and what it has written, if
        it is interrupted. Without a file for ``faults`` there is no such table.
    verify : bool
        With ``resume``: read the complete outputs and compare their digests.
    checkpoint : float, optional
        With ``resume``: save the state every so many seconds (30).
    quiet : bool
        No warnings and no ``text``.
    progress : callable or bool, optional
        A callable that takes a :class:`Progress`, on the calling thread; its exception ends the run. True: a bar of
        tqdm, if it is installed; None: the same, if standard error is a terminal; False: nothing.

    Returns
    -------
    Measurement
        The counts and the tables.

    Raises
    ------
    UsageError
        A wrong or impossible request.
    InputError, MissingError, DamagedError
        A source that cannot be read.
    OutputError, ExistsError
        An output that cannot be written, or that exists.

    Examples
    --------
    >>> import pgnmill
    >>> measured = pgnmill.measure(b'[Event "a"]\\n\\n1. e4 e5 *\\n', notations="main")
    >>> measured.tables["notations"].rows()[0]["notation"]
    'san'
    """
    given = dict(locals())
    with Folder() as folder:
        tables = Tables(given, folder)
        directory = folder.path / "measured" if output is None else Path(path_of(output))
        options = options_of({**given, "output": directory}) + tables.options
        ended = start("measure", options, source, progress, split)
        measured = tables_of(directory, in_memory=output is None)
        common = _common("measure", ended, tables)
        return Measurement(*common, measured, None if output is None else directory)


def duplicates(
    source: Source,
    *,
    output: PathLike | None = None,
    keep: str | None = None,
    same: str | None = None,
    min_plies: int | None = None,
    near: int | str | None = None,
    removed: bool = False,
    zst: bool = False,
    level: int | None = None,
    keep_rejects: bool = False,
    faults: PathLike | bool = True,
    notes: PathLike | bool = False,
    rejects: PathLike | None = None,
    summary: PathLike | None = None,
    where: str | None = None,
    from_notation: str | None = None,
    rules: str | None = None,
    threads: int | None = None,
    strict: bool = False,
    allow: Texts = (),
    deny: Texts = (),
    skip_damaged: bool = False,
    overwrite: bool = False,
    quiet: bool = False,
    progress: ProgressOption = None,
) -> Duplicates:
    """Finds duplicate games, also across archives, and makes an archive without them.

    Parameters
    ----------
    source : Source
        The archives, plain or compressed: paths, bytes, binary file objects, URLs, or several of these. A
        directory is searched for ``.pgn``, ``.zst``, ``.pgn.gz``, ``.pgn.bz2``, ``.pgn.xz``, ``.zip`` and ``.7z``.
    output : path, optional
        A directory for the table and the archives. Without it, they are in memory.
    keep : str, optional
        Make the archive without duplicates: of each group the ``first`` game, or the ``longest``.
    same : str, optional
        What exact duplicates have in common: ``moves-and-players`` (default; initials, and dates and results that
        do not contradict each other, are allowed) or ``moves``.
    min_plies : int, optional
        Games that are compared by moves alone have at least so many plies (20).
    near : int or "no", optional
        Near duplicates have at least so many plies (20); ``"no"``: exact duplicates only.
    removed : bool
        With ``keep``: also make the archive of the duplicates.
    zst : bool
        With ``keep``: compress the archives.
    level : int, optional
        With ``zst``: the compression level, 1 to 22 (3).
    keep_rejects : bool
        With ``keep``: keep rejected games, unchanged.
    faults : path or bool
        The table of the rejected games, with the reasons: True for ``.faults`` of the result, or a file to
        write, as Parquet if its name ends in ``.parquet``.
    notes : path or bool
        The same for the notes and repairs of the other games.
    rejects : path, optional
        A file for the text of the rejected games, byte for byte.
    summary : path, optional
        A file for the counts, as a table of keys and values.
    where : str, optional
        Read only games for which this expression is true, such as
        ``'rating_min >= 2000 and speed == "blitz"'``.
    from_notation : str, optional
        The notation of games without a tag pair MoveNotation.
    rules : str, optional
        The ruleset of games without a tag pair Variant, such as ``"crazyhouse"``.
    threads : int, optional
        Number of worker threads, at most 1,024; by default one per processor.
    strict : bool
        Reject games that are not canonical.
    allow : str or list of str
        Deviations to accept in games that would be rejected.
    deny : str or list of str
        Deviations to reject.
    skip_damaged : bool
        Continue after damaged zstd frames: each is a fault.
    overwrite : bool
        Replace existing outputs.
    quiet : bool
        No warnings and no ``text``.
    progress : callable or bool, optional
        A callable that takes a :class:`Progress`, on the calling thread; its exception ends the run. True: a bar of
        tqdm, if it is installed; None: the same, if standard error is a terminal; False: nothing.

    Returns
    -------
    Duplicates
        The counts and the groups. The sources are files: they are read two or three times.

    Raises
    ------
    UsageError
        A wrong or impossible request.
    InputError, MissingError, DamagedError
        A source that cannot be read.
    OutputError, ExistsError
        An output that cannot be written, or that exists.

    Examples
    --------
    >>> import pgnmill
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "twice.pgn")
    ...     _ = path.write_bytes(b'[White "A"]\\n[Black "B"]\\n\\n1. e4 e5 *\\n\\n' * 2)
    ...     run = pgnmill.duplicates(path)
    >>> len(run.groups), run.summary["duplicates"]
    (2, '1')
    """
    given = dict(locals())
    with Folder() as folder:
        tables = Tables(given, folder)
        directory = folder.path / "duplicates" if output is None else Path(path_of(output))
        options = options_of({**given, "output": directory}) + tables.options
        ended = start("duplicates", options, source, progress)
        ending = ".pgn.zst" if zst else ".pgn"
        groups = directory / GROUPS
        if output is not None:
            table, kept, duplicated = Table("groups", path=groups), None, None
        else:
            table = Table("groups", data=groups.read_bytes())
            kept = (directory / f"kept{ending}").read_bytes() if keep is not None else None
            duplicated = (directory / f"duplicates{ending}").read_bytes() if removed else None
        common = _common("duplicates", ended, tables)
        return Duplicates(*common, table, None if output is None else directory, kept, duplicated)

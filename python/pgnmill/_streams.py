"""Tables as streams of Arrow: :func:`games`, :func:`plies`, :func:`positions`, and their columns."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import IO, Any, Protocol, TypeAlias, TypedDict, Union

from pgnmill import _native
from pgnmill._errors import Error, package
from pgnmill._native import Batch
from pgnmill._splits import Split

__all__ = [
    "ColumnInfo",
    "Source",
    "Stream",
    "StreamSummary",
    "columns",
    "games",
    "plies",
    "positions",
]


class Readable(Protocol):
    """What can be read: an open binary file, a response of a server, a pipe."""

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes; none at the end."""
        ...


# Unions at run time: Python 3.10 has no others for forward references.
OneSource: TypeAlias = Union[
    str, "os.PathLike[str]", bytes, bytearray, "memoryview", IO[bytes], Readable, Split
]
#: What functions read: a path, a directory, ``bytes``, a binary file object, a URL, a :class:`Split`, or several of them.
Source: TypeAlias = Union[OneSource, Sequence[OneSource], Iterable[OneSource]]


class StreamSummary(TypedDict):
    """What a stream has read. All counts are of games unless another unit is stated.

    Examples
    --------
    >>> import pgnmill
    >>> sorted(pgnmill.StreamSummary.__required_keys__)[:3]
    ['accepted', 'damaged_bytes', 'deviations']
    """

    read: int
    accepted: int
    repaired: int
    rejected: int
    not_selected: int
    #: Rows of the batches.
    rows: int
    #: Plies of main lines.
    plies: int
    #: Bytes of text, after decompression.
    text_bytes: int
    #: Stored bytes that could not be read.
    damaged_bytes: int
    #: Occurrences of each deviation.
    deviations: dict[str, int]
    #: Values that cannot be read, by kind; they are null.
    unreadable: dict[str, int]
    #: Null values by column.
    null_counts: dict[str, int]
    #: Inputs that could not be read to their end, with the reason, if ``keep_going``.
    failed: list[tuple[str, str]]


class Stream:
    """A table as a stream of Arrow record batches, which is read once.

    Give it to any library that takes Arrow: ``pyarrow.table(stream)``, ``polars.DataFrame(stream)``,
    ``duckdb.sql("… from stream")``, ``pandas.DataFrame.from_arrow(stream)``, ``nanoarrow.ArrayStream(stream)``,
    ``arro3.core.Table.from_arrow(stream)``. Batches are read as they are requested, at most some ahead; each has
    at most 16,384 games, 131,072 rows and 16 MiB of PGN text. Reading begins with the first batch. An error raises an
    exception in that library, with its message; the exception of pgnmill is then in :attr:`error`, and a ``with`` block
    raises it instead. So is a ``KeyboardInterrupt`` while the library waits for a batch, and what the ``read`` of a file
    object raises that is no ``Exception``.

    Examples
    --------
    >>> import pgnmill
    >>> with pgnmill.games(b'[White "Anderssen"]\\n\\n1. e4 *', columns=["White", "moves"]) as stream:
    ...     print(stream)
    Stream(games: White, moves; source: <bytes>; unread)
    """

    __slots__ = ("__weakref__", "_batches", "_stream")

    def __init__(self, stream: _native.Stream) -> None:
        self._stream = stream
        self._batches: _native.Batches | None = None

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return a capsule with an Arrow C stream.

        Parameters
        ----------
        requested_schema : object, optional
            Not used: the stream has its own schema.

        Raises
        ------
        Error
            The stream was read before, or is closed.
        """
        return self._stream.capsule()

    def __arrow_c_schema__(self) -> object:
        """Return a capsule with the Arrow C schema. Nothing is read."""
        return self._stream.schema_capsule()

    def next_batch(self) -> Batch | None:
        """Return the next batch, which libraries take as they take a stream; ``None`` at the end.

        Raises
        ------
        Error
            The stream was read before, or is closed; what ends the run.

        Examples
        --------
        >>> import polars
        >>> import pgnmill
        >>> stream = pgnmill.plies(b"1. e4 e5 *", columns="san")
        >>> polars.DataFrame(stream.next_batch())["san"].to_list()
        ['e4', 'e5']
        >>> stream.next_batch() is None
        True
        """
        if self._batches is None:
            self._batches = self._stream.batches()
        return self._batches.next_batch()

    def arrays(self, *, null: int | None = None, copy: bool = False) -> Iterator[dict[str, Any]]:
        """Iterate over the batches as arrays of NumPy, which must be installed: for each column one, without a copy.

        The arrays are read-only, since they are the memory of the batch; with ``copy`` they are copies, to be written.

        Numbers are arrays of their type; dates, times and instants numbers in the unit of the column; ``board`` is an array
        of bytes with a row of 64 per ply; of names, such as those of ``mover``, an array has the place in the order in which
        the documentation lists them. Other texts and lists have no arrays.

        Parameters
        ----------
        null : int, optional
            What is in the place of nulls, which NumPy does not have. Columns with nulls are copied.
        copy : bool, optional
            Copy all columns: arrays that can be written, and that PyTorch takes without a warning.

        Raises
        ------
        Error
            The stream was read before; a column has nulls, and ``null`` is not given; what ends the run.
        UsageError
            A column has no arrays.
        PackageError
            NumPy is not installed.

        Examples
        --------
        >>> import pgnmill
        >>> [batch] = pgnmill.plies(b"1. e4 e5 1-0", columns=["board", "move_code", "outcome"]).arrays()
        >>> batch["board"].shape, batch["move_code"].tolist(), batch["outcome"].tolist()
        ((2, 64), [1804, 2356], [1, -1])
        """
        numpy = package("numpy")
        while (batch := self.next_batch()) is not None:
            arrays = {name: numpy.asarray(self._without_nulls(name, column, null)) for name, column in batch.columns()}
            yield {name: array.copy() for name, array in arrays.items()} if copy else arrays

    @staticmethod
    def _without_nulls(name: str, column: _native.Column, null: int | None) -> _native.Column:
        if column.null_count == 0:
            return column
        if null is None:
            raise Error(f"{name} has nulls, which NumPy does not have: give null=NUMBER for their place")
        return column.filled(null)

    def to_polars(self) -> Any:
        """Read all rows as a data frame of Polars, which must be installed.

        Examples
        --------
        >>> import pgnmill
        >>> pgnmill.plies(b"1. e4 e5 *", columns=["ply", "san"]).to_polars().shape
        (2, 2)
        """
        return package("polars").DataFrame(self)

    def to_pandas(self) -> Any:
        """Read all rows as a data frame of pandas, which must be installed, at version 3 or later.

        Examples
        --------
        >>> import pgnmill
        >>> pgnmill.plies(b"1. e4 e5 *", columns=["ply", "san"]).to_pandas().shape
        (2, 2)
        """
        return package("pandas").DataFrame.from_arrow(self)

    @property
    def table(self) -> str:
        """``"games"``, ``"plies"`` or ``"positions"``.

        Examples
        --------
        >>> import pgnmill
        >>> pgnmill.plies(b"").table
        'plies'
        """
        return self._stream.table

    @property
    def columns(self) -> list[str]:
        """The names of the columns.

        Examples
        --------
        >>> import pgnmill
        >>> pgnmill.plies(b"", columns=["ply", "san"], notation="uci").columns
        ['ply', 'san', 'uci']
        """
        return self._stream.columns

    @property
    def counts(self) -> dict[str, int]:
        """Games by verdict, and rows, as far as the stream was read.

        Examples
        --------
        >>> import pgnmill
        >>> pgnmill.games(b"").counts
        {'read': 0, 'accepted': 0, 'repaired': 0, 'rejected': 0, 'not_selected': 0, 'rows': 0}
        """
        totals = self._stream.totals()
        return {
            "read": totals["read"],
            "accepted": totals["accepted"],
            "repaired": totals["repaired"],
            "rejected": totals["rejected"],
            "not_selected": totals["not_selected"],
            "rows": totals["rows"],
        }

    @property
    def null_counts(self) -> dict[str, int]:
        """Null values by column, as far as the stream was read.

        Examples
        --------
        >>> import pgnmill
        >>> pgnmill.games(b"", columns="White").null_counts
        {'White': 0}
        """
        return self._stream.totals()["null_counts"]

    @property
    def summary(self) -> StreamSummary:
        """What was read, when the stream was read to its end.

        Raises
        ------
        Error
            The stream was not read to its end.

        Examples
        --------
        >>> import pgnmill
        >>> pgnmill.games(b"").summary
        Traceback (most recent call last):
        ...
        pgnmill.Error: the stream was not read to its end: unread
        """
        stage = self._stream.stage
        if stage != "ended":
            raise Error(f"the stream was not read to its end: {stage}")
        return self._stream.totals()

    @property
    def error(self) -> BaseException | None:
        """The exception that ended the stream, if there was one.

        Examples
        --------
        >>> import pgnmill
        >>> pgnmill.games(b"").error is None
        True
        """
        return self._stream.error

    def close(self) -> None:
        """End the reading. It can be called again.

        When this returns, the threads of the stream have ended, and a file object is read no more. A ``read`` that is in
        progress is awaited for half a second.

        Examples
        --------
        >>> import pgnmill
        >>> pgnmill.games(b"").close()
        """
        self._stream.close()

    def __enter__(self) -> Stream:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        error = self.error
        self.close()
        if value is not None and error is not None and value is not error:
            # What pgnmill raised, instead of what the library made of its message.
            raise error

    def __repr__(self) -> str:
        stream = self._stream
        names = ", ".join(stream.columns)
        return f"Stream({stream.table}: {names}; source: {stream.source}; {stream.stage})"


def games(
    source: Source,
    *,
    columns: str | Iterable[str] = "default",
    notation: str | Iterable[str] = (),
    where: str | None = None,
    sample: str | None = None,
    seed: int = 0,
    threads: int | None = None,
    split: Split | None = None,
    from_notation: str = "auto",
    strict: bool = False,
    allow: str | Iterable[str] = (),
    deny: str | Iterable[str] = (),
    skip_damaged: bool = False,
    keep_going: bool = False,
    one_line: bool = False,
) -> Stream:
    """Return the games of archives as a table: one row per game that is not rejected.

    Parameters
    ----------
    source : Source
        A path (of a directory: the ``.pgn``, ``.pgn.zst`` and ``.zst`` files below it), ``bytes``, ``bytearray``,
        ``memoryview``, a binary file object, a URL such as ``"s3://…"`` (requires the package fsspec), a
        :class:`Split`, or a list of these. Plain text and zstd are recognised by their first bytes.
    columns : str or iterable of str
        Names of columns and of sets: ``"hf"``, ``"default"``, ``"all"``; see :func:`columns`.
    notation : str or iterable of str
        Notations; of each there is a column ``moves_NAME`` with the moves of the main line.
    where : str, optional
        Read only games for which this expression is true, such as ``'rating_min >= 2000'``.
    sample : str, optional
        Take a share of the games, such as ``"10%"``: the same games in any source.
    seed : int
        Which random sample.
    threads : int, optional
        The number of worker threads, 1 to 1,024; one per processor if it is ``None`` or 0. The table does not depend on
        it.
    split : Split, optional
        Read only this part of the archive whose path or URL here is ``source``.
    from_notation : str
        The notation of games without a tag pair MoveNotation; ``"auto"``: SAN, or what is recognised.
    strict : bool
        Reject games that are not canonical.
    allow, deny : str or iterable of str
        Names of deviations: accept games with them, reject games with them.
    skip_damaged : bool
        Continue after damaged zstd frames.
    keep_going : bool
        Continue with the next input if one cannot be read to its end; such inputs are in
        ``summary["failed"]``.
    one_line : bool
        Write line ends of the movetext as spaces.

    Returns
    -------
    Stream
        It is read once. Nothing is read before it is given to a library that takes Arrow.

    Raises
    ------
    TypeError
        ``source`` is none, or a file object in text mode.
    MissingError
        A path does not exist.
    UsageError
        A name that is none: of a column, a notation, a deviation; an expression that cannot be read.
    PackageError
        A URL, and fsspec is not installed.

    Examples
    --------
    >>> import pyarrow as pa
    >>> import pgnmill
    >>> table = pa.table(pgnmill.games("../data/sources.pgn", columns=["White", "Result"]))
    >>> table.column_names
    ['White', 'Result']
    """
    return _stream("games", source, split, columns, notation, one_line, keep_going, {
        "threads": threads,
        "where": where,
        "from_notation": from_notation,
        "strict": strict,
        "allow": allow,
        "deny": deny,
        "skip_damaged": skip_damaged,
        "sample": sample,
        "seed": seed,
    })


def plies(
    source: Source,
    *,
    columns: str | Iterable[str] = "default",
    notation: str | Iterable[str] = (),
    where: str | None = None,
    plies: str | None = None,
    sample: str | None = None,
    sample_plies: str | None = None,
    seed: int = 0,
    threads: int | None = None,
    split: Split | None = None,
    from_notation: str = "auto",
    strict: bool = False,
    allow: str | Iterable[str] = (),
    deny: str | Iterable[str] = (),
    skip_damaged: bool = False,
    keep_going: bool = False,
) -> Stream:
    """Return the moves of archives as a table: one row per ply of the main line of a game that is not rejected.

    Parameters
    ----------
    source, columns, where, sample, seed, threads, split, from_notation, strict, allow, deny, skip_damaged, keep_going
        As of :func:`games`; the columns are those of the table of plies, without the set ``"hf"``.
    notation : str or iterable of str
        Notations; of each there is a column of its name, with ``_`` for ``-``.
    plies : str, optional
        Only the plies with these numbers, such as ``"10..60"``, ``"10.."`` or ``"..60"``, both included.
    sample_plies : str, optional
        A share of the plies, such as ``"1%"``: the same plies of a game in any source.

    Returns
    -------
    Stream
        It is read once.

    Raises
    ------
    TypeError, MissingError, UsageError, PackageError
        As of :func:`games`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> import pgnmill
    >>> pa.table(pgnmill.plies(b"1. e4 e5 *", columns=["ply", "san"])).to_pylist()
    [{'ply': 1, 'san': 'e4'}, {'ply': 2, 'san': 'e5'}]
    """
    return _stream("plies", source, split, columns, notation, False, keep_going, {
        "threads": threads,
        "where": where,
        "from_notation": from_notation,
        "strict": strict,
        "allow": allow,
        "deny": deny,
        "skip_damaged": skip_damaged,
        "plies": plies,
        "sample": sample,
        "sample_plies": sample_plies,
        "seed": seed,
    })


def positions(
    source: Source,
    *,
    where: str | None = None,
    max_ply: int = 60,
    min_games: int = 1,
    variations: bool = False,
    sums: bool = False,
    memory: int | str = "1GiB",
    threads: int | None = None,
    split: Split | None = None,
    from_notation: str = "auto",
    rules: str = "chess",
    strict: bool = False,
    allow: str | Iterable[str] = (),
    deny: str | Iterable[str] = (),
    skip_damaged: bool = False,
    keep_going: bool = False,
) -> Stream:
    """Return what was played in each position of archives, and how it ended: one row per position and move.

    The rows are those of the table that ``pgnmill positions`` and :func:`write_positions` write, in their order, and the
    batches its row groups; the column ``rules`` is always there. The first batch comes when the whole source is read.

    Parameters
    ----------
    source, where, threads, split, from_notation, strict, allow, deny, skip_damaged, keep_going
        As of :func:`games`. Of a source that cannot be read to its end, with ``keep_going``, the games before are counted.
    max_ply : int
        Count moves up to this ply; 0: all.
    min_games : int
        Leave out moves that fewer games played in their position.
    variations : bool
        Count the moves of variations too, once per game.
    sums : bool
        Give the sums of the ratings in place of their means, so that rows can be added.
    memory : int or str
        The memory of the counts, in bytes or such as ``"256MiB"``, 1 MiB at least; what exceeds it is in temporary files of
        the system, which are removed at any end.
    rules : str
        The ruleset of games without a tag pair Variant, such as ``"crazyhouse"``.

    Returns
    -------
    Stream
        It is read once.

    Raises
    ------
    TypeError, MissingError, UsageError, PackageError
        As of :func:`games`.

    Examples
    --------
    >>> import polars
    >>> import pgnmill
    >>> games = b"1. e4 e5 1-0\\n\\n1. e4 c5 0-1\\n\\n1. d4 *\\n"
    >>> rows = polars.DataFrame(pgnmill.positions(games, max_ply=1))
    >>> sorted(rows.select("san", "games", "white", "black").rows())
    [('d4', 1, 0, 0), ('e4', 2, 1, 1)]
    """
    return Stream(_native.position_stream(source, split, keep_going, {
        "threads": threads,
        "where": where,
        "from_notation": from_notation,
        "rules": rules,
        "strict": strict,
        "allow": allow,
        "deny": deny,
        "skip_damaged": skip_damaged,
        "max_ply": max_ply,
        "min_games": min_games,
        "variations": variations,
        "sums": sums,
        "memory": memory,
    }))


def _stream(
    table: str,
    source: Source,
    split: Split | None,
    columns: str | Iterable[str],
    notation: str | Iterable[str],
    one_line: bool,
    keep_going: bool,
    options: dict[str, Any],
) -> Stream:
    made = _native.stream(table, source, split, columns, notation, one_line, keep_going, options)
    return Stream(made)


@dataclass(frozen=True)
class ColumnInfo:
    """A column of a table.

    Attributes
    ----------
    name : str
    type : str
        The Arrow type.
    unit : str
        The unit of the values, or empty.
    null : str
        When a value is null.
    example : str
        A value.
    doc : str
        What it means.
    set : str
        The smallest set with it: ``"hf"``, ``"default"`` or ``"all"``.

    Examples
    --------
    >>> import pgnmill
    >>> pgnmill.columns("plies")[0].name
    'archive'
    """

    name: str
    type: str
    unit: str
    null: str
    example: str
    doc: str
    set: str


def columns(table: str = "games") -> list[ColumnInfo]:
    """Return the columns of a table, in their order, without those of notations.

    Parameters
    ----------
    table : str
        ``"games"``, ``"plies"`` or ``"positions"``.

    Returns
    -------
    list of ColumnInfo

    Raises
    ------
    UsageError
        There is no such table.

    Examples
    --------
    >>> import pgnmill
    >>> [column.name for column in pgnmill.columns() if column.type == "int16"][:2]
    ['WhiteElo', 'BlackElo']
    """
    return [ColumnInfo(*values) for values in _native.columns(table)]


def _names() -> Iterator[str]:
    # Tracebacks, pickles and documentation name the public module.
    yield from __all__


for _name in _names():
    if isinstance(globals()[_name], type):
        globals()[_name].__module__ = "pgnmill"

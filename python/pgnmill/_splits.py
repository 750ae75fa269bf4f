"""Parts of archives that are read alone: :class:`Split` and :func:`splits`."""

from __future__ import annotations

import glob
import json
import logging
import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Union, cast

from pgnmill import _native
from pgnmill._errors import MissingError, UsageError
from pgnmill._run_table import Table

__all__ = ["Split", "SplitBase", "splits"]

_log = logging.getLogger("pgnmill")


@dataclass(frozen=True)
class SplitBase:
    """What an archive has before a split.

    Attributes
    ----------
    text_bytes : int
        Bytes of text, after decompression.
    lines : int
        Line ends.
    games : int
        Games.

    Examples
    --------
    >>> import pgnmill
    >>> pgnmill.SplitBase(text_bytes=900, lines=30, games=2).games
    2
    """

    text_bytes: int
    lines: int
    games: int


@dataclass(frozen=True)
class Split:
    """A part of an archive that is read alone, each game in exactly one of them.

    A split is a few words: send it to another process or machine, as a pickle or with :meth:`to_json`, and
    give it to a function that reads, as the source or as ``split=`` beside the path or URL that the archive has there.
    It is read from the version of the archive that was divided: if the size, the time of the last modification or the
    etag differs, it is refused. The program's option ``--split`` takes the same JSON text.

    Attributes
    ----------
    archive : str
        The path or URL of the archive; its name in tables and messages.
    container : str
        ``"text"`` or ``"zstd"``.
    begin, end : int
        The range of stored bytes, in bytes. The games that begin in it are those of the split.
    stored_bytes : int
        The size of the archive, in bytes.
    target_bytes : int
        The size that ranges were requested to have, in bytes.
    frames : int
        The zstd frames before ``begin``.
    ordinal : int
        The number of the split, from 0.
    count : int
        The number of splits of the archive.
    seal : str
        A hash of the other fields, without ``base``: a split that was altered is refused.
    modified_ns : int or None
        When a file was last modified, in nanoseconds since 1970.
    etag : str or None
        The tag by which a store names this version of an object.
    base : SplitBase or None
        What the archive has before the split, where that is known. With it, rows have the offsets and numbers that they
        have in a run over the whole archive.

    Examples
    --------
    >>> import pgnmill
    >>> parts = pgnmill.splits("../data/sources.pgn", target_bytes=1000)
    >>> again = pgnmill.Split.from_json(parts[0].to_json())
    >>> again == parts[0]
    True
    """

    archive: str
    container: str
    begin: int
    end: int
    stored_bytes: int
    target_bytes: int
    frames: int
    ordinal: int
    count: int
    seal: str
    modified_ns: int | None = None
    etag: str | None = None
    base: SplitBase | None = None

    def __str__(self) -> str:
        return f"split {self.ordinal + 1} of {self.count} of {self.archive}"

    def to_json(self) -> str:
        """Return the split as JSON text: an object on one line, with the attributes that are not ``None``.

        Examples
        --------
        >>> import pgnmill
        >>> pgnmill.splits("../data/sources.pgn")[0].to_json()[:34]
        '{"archive": "../data/sources.pgn",'
        """
        values = {name: value for name, value in vars(self).items() if value is not None}
        if self.base is not None:
            values["base"] = vars(self.base)
        return json.dumps(values)

    @classmethod
    def from_json(cls, text: str) -> Split:
        """Return the split of a JSON text.

        Parameters
        ----------
        text : str
            What :meth:`to_json` returned, or a line of ``pgnmill splits``.

        Raises
        ------
        UsageError
            The text is not that of a split, or the split was altered.

        Examples
        --------
        >>> import pgnmill
        >>> pgnmill.Split.from_json("{}")
        Traceback (most recent call last):
        ...
        pgnmill.UsageError: this is not the JSON of a split: it has no valid archive
        """
        values = cast("dict[str, Any]", json.loads(_native.check_split(text)))
        base = values.pop("base", None)
        return cls(**values, base=None if base is None else SplitBase(**base))


OnePath = Union[str, "os.PathLike[str]"]


def splits(
    source: OnePath | Iterable[OnePath], *, target_bytes: int | None = None, ledger: OnePath | Table | None = None
) -> list[Split]:
    """Divide archives into parts that are read alone, by other processes or machines.

    Parameters
    ----------
    source : str or os.PathLike, or a list of these
        Archives, plain or compressed: paths (of a directory: the archives below it) and URLs (requires the package fsspec).
        In both ``*`` matches several, in the order of their names; in a path so do ``?`` and ``[…]``, and ``**`` for
        any folders, unless there is a file of exactly this name. Workers open the archives by these names. A zstd archive
        of one frame has one split; a warning of the logger ``pgnmill`` names it.
    target_bytes : int, optional
        The size of a part in stored bytes, about; 64 MiB if it is ``None``.
    ledger : path or Table, optional
        The ledger of a complete run over the same splits, such as ``tables["ledger"]`` of a measurement: each split gets
        its ``base``.

    Returns
    -------
    list of Split
        In the order of the archives, at least one of each.

    Raises
    ------
    MissingError
        An archive does not exist; a name with ``*`` matches none.
    UsageError
        A file of another format; a directory without archives; a ledger that lacks a split.
    InputError, PackageError
        An archive that cannot be read; a URL, and fsspec is not installed.

    Examples
    --------
    >>> import pyarrow as pa
    >>> import pgnmill
    >>> parts = pgnmill.splits("../data/sources.pgn", target_bytes=1000)
    >>> rows = sum(pa.table(pgnmill.games(part)).num_rows for part in parts)
    >>> rows == pa.table(pgnmill.games("../data/sources.pgn")).num_rows
    True
    """
    names: list[OnePath] = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    if ledger is not None and not isinstance(ledger, Table):
        ledger = Table("ledger", path=Path(ledger))
    bases = {} if ledger is None else _bases(ledger)
    found: list[Split] = []
    for name in [one for name in names for one in _named(name)]:
        for text, reason in _native.splits(name, target_bytes):
            found.append(Split.from_json(text))
            if reason is not None:
                _log.warning("%s", reason)
    return found if ledger is None else [_with_base(split, bases) for split in found]


def _named(name: OnePath) -> list[OnePath]:
    """The paths that a path with ``*`` matches; else the path or the URL."""
    text = os.fsdecode(name) if isinstance(cast("object", name), (str, os.PathLike)) else ""
    if "://" in text or not glob.has_magic(text) or os.path.lexists(text):
        return [name]
    found = sorted(glob.glob(text, recursive=True))
    if not found:
        raise MissingError(f"{text} names nothing", path=text)
    return list(found)


def _bases(ledger: Table) -> dict[tuple[object, object], SplitBase]:
    """What is before each split of a ledger, by archive and seal."""
    found: dict[tuple[object, object], SplitBase] = {}
    before: dict[object, SplitBase] = {}
    rows = ledger.rows()
    for row in sorted(rows, key=lambda row: cast(int, row["ordinal"])):
        base = before.setdefault(row["archive"], SplitBase(0, 0, 0))
        found[row["archive"], row["seal"]] = base
        text_bytes, lines, games = (cast(int, row[name]) for name in ("text_bytes", "lines", "games"))
        before[row["archive"]] = SplitBase(base.text_bytes + text_bytes, base.lines + lines, base.games + games)
    for archive in before:
        of_archive = [row for row in rows if row["archive"] == archive]
        if sorted(cast(int, row["ordinal"]) for row in of_archive) != list(range(cast(int, of_archive[0]["count"]))):
            raise UsageError(f"the ledger does not have each split of {archive} once")
    return found


def _with_base(split: Split, bases: dict[tuple[object, object], SplitBase]) -> Split:
    base = bases.get((split.archive, split.seal))
    if base is None:
        raise UsageError(f"the ledger has no row of {split}")
    return replace(split, base=base)


for _class in (SplitBase, Split):
    # Tracebacks, pickles and documentation name the public module.
    _class.__module__ = "pgnmill"
splits.__module__ = "pgnmill"

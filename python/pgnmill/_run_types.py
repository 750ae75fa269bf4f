"""The types that runs take and return."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Union, cast

from pgnmill import _html
from pgnmill._run_table import Table

SECTIONS = (
    "verdict", "result", "player", "event", "site", "year", "rating", "speed", "time-control", "opening", "eco", "length", "termination",
    "rules", "notation", "has", "deviation", "side", "opcode", "moves",
)

__all__ = [
    "Duplicates",
    "Explanation",
    "Measurement",
    "Page",
    "Progress",
    "Rewrite",
    "Run",
    "Statistics",
    "Summary",
]

PathLike = Union[str, "os.PathLike[str]"]

Texts = Union[str, Sequence[str]]
Pairs = Union[str, Sequence[str], Mapping[str, str]]


@dataclass(frozen=True)
class Progress:
    """How far a run is: the argument of the callable ``progress``.

    Attributes
    ----------
    event : str
        ``"progress"`` at most every 50 ms, ``"input"`` at the end of each input, ``"end"`` at the end of the run.
    seconds : float
        Time since the run began.
    input, inputs : int
        The number of the current input, from 1, and the number of inputs.
    name : str
        The name of the current input.
    stored_bytes : int
        Stored bytes that were read.
    stored_bytes_total : int or None
        The stored bytes of all inputs, if they are known.
    games, rejected : int
        Games that were read, and those of them that were rejected; of an ``"input"`` those of this input.
    games_per_second : int
        The mean speed.
    remaining_seconds : int or None
        Seconds to the end, if they can be estimated.
    accepted, repaired : int or None
        Of an ``"input"``: its games by verdict.
    failed : str or None
        Of an ``"input"``: the error, if it could not be read to its end.

    Examples
    --------
    >>> import pgnmill
    >>> steps = []
    >>> run = pgnmill.validate(b'[Event "a"]\\n\\n1. e4 e5 *\\n', progress=steps.append)
    >>> steps[-1].event, steps[-1].games
    ('end', 1)
    """

    event: str
    seconds: float
    input: int
    inputs: int
    name: str
    stored_bytes: int
    stored_bytes_total: int | None
    games: int
    rejected: int
    games_per_second: int
    remaining_seconds: int | None
    accepted: int | None = None
    repaired: int | None = None
    failed: str | None = None


ProgressOption = Union[Callable[[Progress], object], bool, None]


@dataclass(frozen=True)
class Summary(Mapping[str, str]):
    """The counts of a run: the rows of the program's table ``--summary``.

    It is a mapping of the keys of that table to their texts, with the most important ones as attributes.

    Attributes
    ----------
    games : int
        Games that were read: accepted + repaired + rejected + not selected (+ selected, of :func:`select`).
    accepted, repaired, rejected : int
        Games by verdict.
    not_selected : int
        Games for which the expression ``where`` is false.
    selected : int
        Of :func:`select`: games that were copied.
    archives : int
        Inputs that were read.
    plies, variation_plies : int
        Plies of main lines and of variations that were validated.
    text_bytes, stored_bytes : int
        Bytes of text, and as stored.
    rejected_bytes, damaged_bytes : int
        Bytes of rejected games; stored bytes of damaged frames.
    deviations : dict of str to int
        How often each deviation from canonical PGN was found.
    failed : dict of str to int
        With ``keep_going``: the inputs that could not be read to their end, and the games that were read before.
    rows : dict of str to str
        All rows.

    Examples
    --------
    >>> import pgnmill
    >>> summary = pgnmill.validate(b'[Event "a"]\\n\\n1. e4 e5 *\\n\\n[Event "b"]\\n\\n1. e5 *\\n').summary
    >>> summary.games, summary.rejected, summary.deviations["move-illegal"]
    (2, 1, 1)
    >>> summary["fault:move-illegal"]
    '1'
    """

    rows: Mapping[str, str] = field(repr=False)
    games: int = 0
    accepted: int = 0
    repaired: int = 0
    rejected: int = 0
    not_selected: int = 0
    selected: int = 0
    archives: int = 0
    plies: int = 0
    variation_plies: int = 0
    text_bytes: int = 0
    stored_bytes: int = 0
    rejected_bytes: int = 0
    damaged_bytes: int = 0
    deviations: Mapping[str, int] = field(default_factory=dict[str, int])
    failed: Mapping[str, int] = field(default_factory=dict[str, int])

    def __getitem__(self, key: str) -> str:
        return self.rows[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def __hash__(self) -> int:
        return hash(tuple(self.rows.items()))


def summary_of(facts: Sequence[tuple[str, str]]) -> Summary:
    """The summary with these rows; a later value of a key replaces an earlier one."""
    rows = dict(facts)
    deviations: dict[str, int] = {}
    failed: dict[str, int] = {}
    for key, value in rows.items():
        kind, colon, name = key.partition(":")
        if kind == "failed" and colon:
            failed[name] = int(value)
        elif colon:
            deviations[name] = int(value)

    def count(key: str) -> int:
        return int(rows.get(key, "0"))

    return Summary(
        rows=rows,
        games=count("games"),
        accepted=count("accepted"),
        repaired=count("repaired"),
        rejected=count("rejected"),
        not_selected=count("not_selected"),
        selected=count("selected"),
        archives=count("archives"),
        plies=count("plies"),
        variation_plies=count("variation_plies"),
        text_bytes=count("text_bytes"),
        stored_bytes=count("stored_bytes"),
        rejected_bytes=count("rejected_bytes"),
        damaged_bytes=count("damaged_bytes"),
        deviations=deviations,
        failed=failed,
    )


@dataclass(frozen=True)
class Run:
    """What a run returns.

    Attributes
    ----------
    command : str
        The command of the program, such as ``"validate"``.
    summary : Summary
        The counts.
    is_clean : bool
        Whether all games are valid, and all inputs archives of games: the exit code 0 of the program.
    warnings : tuple of str
        What the program prints as warnings. They are also logged by the logger ``pgnmill``.
    text : str
        The lines that the program prints at the end.
    faults : Table or None
        The rejected games, with the reasons. None if they are not required, or are written as Parquet.
    notes : Table or None
        The notes and repairs of the other games, if required.

    Examples
    --------
    >>> import pgnmill
    >>> run = pgnmill.validate(b'[Event "a"]\\n\\n1. e5 *\\n')
    >>> run.is_clean, run.faults.rows()[0]["kind"]
    (False, 'move-illegal')
    """

    command: str
    summary: Summary
    is_clean: bool
    warnings: tuple[str, ...]
    text: str = field(repr=False)
    faults: Table | None
    notes: Table | None

    def _repr_html_(self) -> str:
        names = ("games", "accepted", "repaired", "rejected", "not_selected", "plies")
        rows: list[Mapping[str, object]] = [
            {"": name.replace("_", " "), "count": getattr(self.summary, name)} for name in names
        ]
        warnings = "".join(f"<div>{escape(warning)}</div>" for warning in self.warnings)
        faults = self.faults.to_html() if self.faults is not None and len(self.faults) > 0 else ""
        return f"<b>{escape(self.command)}</b>{_html.table(['', 'count'], rows, len(rows))}{warnings}{faults}"


@dataclass(frozen=True)
class Statistics(Run, Mapping[str, Mapping[str, int]]):
    """What :func:`stats` returns: a mapping of sections to values to games.

    Attributes
    ----------
    values_table : Table
        A row per section and value; the sections are those of ``docs/check.md``.

    Examples
    --------
    >>> import pgnmill
    >>> stats = pgnmill.stats(b'[White "Ann"]\\n\\n1. e4 {[%clk 0:01:00]} 1-0\\n')
    >>> stats["result"], stats["player"], stats["has"]["clocks"]
    ({'1-0': 1}, {'Ann': 1}, 1)
    """

    values_table: Table = field(repr=False)

    @cached_property
    def _sections(self) -> Mapping[str, Mapping[str, int]]:
        sections: dict[str, dict[str, int]] = {name: {} for name in SECTIONS}
        for row in self.values_table:
            sections[str(row["section"])][str(row["value"])] = cast(int, row["games"])
        return sections

    def __getitem__(self, section: str) -> Mapping[str, int]:
        return self._sections[section]

    def __iter__(self) -> Iterator[str]:
        return iter(SECTIONS)

    def __len__(self) -> int:
        return len(SECTIONS)

    def __hash__(self) -> int:
        return hash(self.summary)

    def _repr_html_(self) -> str:
        rows: list[Mapping[str, object]] = []
        for section, counts in self.items():
            # Groups are in their order, texts already by the number of games.
            most = sorted(counts.items(), key=lambda item: -item[1])[:5]
            shown = "; ".join(f"{value} ({games:,})" for value, games in most)
            rows.extend([{"section": section, "different": len(counts), "most games": shown}] if most else [])
        return super()._repr_html_() + _html.table(["section", "different", "most games"], rows, len(rows))


@dataclass(frozen=True)
class Rewrite(Run):
    """What functions return that write one output, such as :func:`convert`, :func:`select` and :func:`export`.

    Attributes
    ----------
    output : Path or None
        The file or directory that was written.
    data : bytes or None
        Without an ``output``: the bytes of the file.

    Examples
    --------
    >>> import pgnmill
    >>> pgnmill.convert(b'[Event "a"]\\n\\n1. e4 e5 *\\n', to="uci").data.splitlines()[-1]
    b'1. e2e4 e7e5 *'
    """

    output: Path | None
    data: bytes | None = field(repr=False)


@dataclass(frozen=True)
class Measurement(Run):
    """What :func:`measure` and :func:`merge` return.

    Attributes
    ----------
    tables : dict of str to Table
        The tables by name: that of ``notations.csv`` is ``"notations"``.
    output : Path or None
        The directory of the tables. Without one, the tables are in memory.

    Examples
    --------
    >>> import pgnmill
    >>> measured = pgnmill.measure(b'[Event "a"]\\n\\n1. e4 e5 *\\n', notations="main")
    >>> measured.tables["notations"].rows()[0]["notation"]
    'san'
    """

    tables: Mapping[str, Table]
    output: Path | None


@dataclass(frozen=True)
class Duplicates(Run):
    """What :func:`duplicates` returns.

    Attributes
    ----------
    groups : Table
        One row per game of a group of duplicates.
    output : Path or None
        The directory that was written.
    kept, removed : bytes or None
        Without an ``output``: the archive without duplicates, with ``keep``, and the duplicates, with ``removed``.

    Examples
    --------
    >>> import pgnmill, tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "twice.pgn")
    ...     _ = path.write_bytes(b'[White "A"]\\n[Black "B"]\\n\\n1. e4 e5 *\\n\\n' * 2)
    ...     pgnmill.duplicates(path, keep="first").kept
    b'[White "A"]\\n[Black "B"]\\n\\n1. e4 e5 *\\n\\n'
    """

    groups: Table
    output: Path | None
    kept: bytes | None = field(repr=False)
    removed: bytes | None = field(repr=False)


@dataclass(frozen=True)
class Page:
    """What :func:`report` returns: a page with the tables of a measurement, or of a table of positions. A notebook
    shows it.

    Attributes
    ----------
    text : str or None
        Without an ``output``: the page, in HTML.
    output : Path or None
        The file that was written.
    warnings : tuple of str

    Examples
    --------
    >>> import pgnmill
    >>> measured = pgnmill.measure(b'[Event "a"]\\n\\n1. e4 e5 *\\n')
    >>> pgnmill.report(measured).text[:15]
    '<!DOCTYPE html>'
    """

    text: str | None = field(repr=False)
    output: Path | None
    warnings: tuple[str, ...]

    def _repr_html_(self) -> str | None:
        return self.text


@dataclass(frozen=True)
class Explanation:
    """What :func:`explain` returns: a game, its fault, the position there, and the reason.

    Attributes
    ----------
    text : str
        The explanation in words, with a board.
    is_valid : bool
        Whether the game is not rejected.

    Examples
    --------
    >>> import pgnmill
    >>> explained = pgnmill.explain(b'[Event "a"]\\n\\n1. e5 *\\n', game=1)
    >>> explained.is_valid, "move-illegal" in explained.text
    (False, True)
    """

    text: str = field(repr=False)
    is_valid: bool

    def __str__(self) -> str:
        return self.text

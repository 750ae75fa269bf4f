"""How a run is started: the options of its command, its temporary files, its progress, its result."""

from __future__ import annotations

import logging
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, cast

from pgnmill import _native
from pgnmill._run_table import Table
from pgnmill._run_types import Progress, ProgressOption, Summary, summary_of

_log = logging.getLogger("pgnmill")

# What the keywords take; those that are not here take text.
_FLAGS = frozenset(
    "strict skip_damaged keep_going overwrite resume verify quiet keep_rejects to_utf8 set_eco per_game entropy codes"
    " game_per_line moves_only"
    " writing flat removed zst one_line csv_safe distinct sorted figurines partial study variations sums uniform".split()
)
_WHOLE = frozenset(
    "threads level head games_per_file top min_plies seed at game ply order errors max_ply min_games min_score depth".split()
)
_TEXTS = frozenset(
    "allow deny drop set remove notations by cluster compress tokens columns notation partition_by opcodes".split()
)
_PATHS = frozenset("output rejects summary ledger figures".split())
_TABLES = ("faults", "notes")
# Keywords that are no options of the program.
_OTHERS = frozenset("source split tables progress".split())


# Names as on the command line, without dashes, and texts.
Options = list[tuple[str, list[str]]]


def _wrong(name: str, expected: str, value: object) -> TypeError:
    return TypeError(f"{name} is {expected}, not {type(value).__name__}")


def path_of(value: object) -> str:
    """A path as text; a file named ``-`` is a file, not standard output."""
    text = os.fsdecode(cast("os.PathLike[str]", value))
    return "./-" if text == "-" else text


def _texts(name: str, value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        pairs = cast("Mapping[object, object]", value)
        value = [f"{key}={text}" for key, text in pairs.items()]
    if not isinstance(value, Sequence) or isinstance(value, (bytes, bytearray)):
        raise _wrong(name, "a str or a sequence of str", value)
    items = cast("Sequence[object]", value)
    for item in items:
        if not isinstance(item, str):
            raise _wrong(name, "a str or a sequence of str", item)
    return list(cast("Sequence[str]", items))


def _values(name: str, value: object) -> list[str]:
    """The texts of an option that takes a value, each of which is given once."""
    if name in _TEXTS:
        return _texts(name, value)
    if name in _PATHS:
        try:
            return [path_of(value)]
        except TypeError:
            raise _wrong(name, "a path", value) from None
    if name in _WHOLE:
        if not isinstance(value, int) or isinstance(value, bool):
            raise _wrong(name, "an int", value)
        return [str(value)]
    if name in ("checkpoint", "share"):
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            raise _wrong(name, "a number of percent" if name == "share" else "a number of seconds", value)
        return [repr(float(value))]
    if name in ("near", "sample", "memory") and isinstance(value, int) and not isinstance(value, bool):
        return [str(value)]
    if not isinstance(value, str):
        raise _wrong(name, "a str", value)
    return [value]


def options_of(given: Mapping[str, object]) -> Options:
    """The options of a command with these keywords."""
    options: Options = []
    for name, value in given.items():
        # `from` is a word of Python.
        option = "from" if name == "from_notation" else name.replace("_", "-")
        if name in _OTHERS or name in _TABLES or value is None:
            continue
        if name in _FLAGS:
            if not isinstance(value, bool):
                raise _wrong(name, "a bool", value)
            options.extend([(option, ["true"])] if value else [])
        elif texts := _values(name, value):
            options.append((option, texts))
    return options


@dataclass(frozen=True)
class Ended:
    """What a run has reported."""

    is_clean: bool
    summary: Summary
    warnings: tuple[str, ...]
    text: str
    shown: str
    output: bytes


def start(command: str, options: Options, source: object, progress: ProgressOption, split: object = None) -> Ended:
    """Runs a command, which reads ``source`` unless the options name what it reads; or a split of it."""
    if source is None and command not in ("merge", "report"):
        raise TypeError("a source is a path, bytes, a binary file object, or a list of these; not None")
    with _Display(progress) as display:
        ended = _native.run_command(command, options, source, split, display.step)
    clean, _, facts, warnings, text, shown, output = ended
    for warning in warnings:
        _log.warning("%s", warning)
    return Ended(clean, summary_of(facts), tuple(warnings), text, shown, output)


class Folder:
    """A temporary directory that is made when it is needed."""

    def __init__(self) -> None:
        self._made: tempfile.TemporaryDirectory[str] | None = None

    @property
    def path(self) -> Path:
        """The directory."""
        if self._made is None:
            self._made = tempfile.TemporaryDirectory(prefix="pgnmill-")
        return Path(self._made.name)

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *_: object) -> None:
        if self._made is not None:
            self._made.cleanup()


class Tables:
    """The tables of faults and notes of a run: where they are written, and what they are afterwards."""

    def __init__(self, given: Mapping[str, object], folder: Folder) -> None:
        self.options: Options = []
        self._paths: dict[str, tuple[Path, bool]] = {}
        for name in _TABLES:
            value = given.get(name)
            # A run that goes on later requires the same names of files then.
            if value is None or value is False or (value is True and given.get("resume")):
                continue
            is_temporary = value is True
            try:
                path = folder.path / f"{name}.csv" if is_temporary else Path(path_of(value))
            except TypeError:
                raise _wrong(name, "a path or a bool", value) from None
            self._paths[name] = (path, is_temporary)
            self.options.append((name, [str(path)]))

    def table(self, name: str) -> Table | None:
        """The table with this name, if it is written as CSV."""
        path, is_temporary = self._paths.get(name, (None, False))
        if path is None or path.suffix == ".parquet":
            return None
        if is_temporary:
            return Table(name, data=path.read_bytes())
        return Table(name, path=path)


class _Display:
    """What becomes of the steps of a run: the callable of the caller, a bar of tqdm, or nothing."""

    def __init__(self, progress: ProgressOption) -> None:
        self.step: Callable[..., None] | None = None
        self._bar: Any = None
        if callable(progress):
            self._call = progress
            self.step = self._pass_on
        elif progress is None or isinstance(cast("object", progress), bool):
            self._bar = _bar(progress)
            self.step = None if self._bar is None else self._show
        else:
            raise _wrong("progress", "a callable, a bool or None", progress)

    def __enter__(self) -> _Display:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def _pass_on(self, fields: tuple[Any, ...], counts: tuple[int, int] | None, failed: str | None) -> None:
        accepted, repaired = counts if counts is not None else (None, None)
        now = Progress(*fields)
        self._call(replace(now, accepted=accepted, repaired=repaired, failed=failed))

    def _show(self, fields: tuple[Any, ...], *_: object) -> None:
        now = Progress(*fields)
        bar = self._bar
        bar.total = now.stored_bytes_total
        if now.event != "input":
            bar.set_postfix_str(f"{now.games:,} games, {now.rejected:,} rejected", refresh=False)
        bar.update(now.stored_bytes - bar.n)


def _bar(progress: bool | None) -> Any:
    """A bar of tqdm, if it is installed: for None on a terminal only."""
    if progress is False or (progress is None and not (sys.stderr is not None and sys.stderr.isatty())):
        return None
    try:
        bars: Any = import_module("tqdm.auto")
    except ImportError:
        return None
    return bars.tqdm(unit="B", unit_scale=True)

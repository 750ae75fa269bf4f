"""Lazy frames of Polars over archives: :func:`scan`.

In: a source. Out: a lazy frame; what a query requires is read when it is collected. Invariant: the rows are those of the
whole table with the query applied to it: a condition is passed on to ``where`` and ``plies`` only where they take no row less, and Polars
applies it again. Cost: that of the columns, the games and the rows that the query requires.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, cast

from pgnmill._errors import UsageError, package
from pgnmill._splits import Split
from pgnmill._streams import Source, Stream, games, plies
from pgnmill._where import NUMBERS, TEXTS, literal

if TYPE_CHECKING:
    import polars

__all__ = ["scan"]

_SIGNS = {"Eq": "==", "Gt": ">", "GtEq": ">=", "Lt": "<", "LtEq": "<="}
_EXCHANGED = {"Eq": "Eq", "Gt": "Lt", "GtEq": "LtEq", "Lt": "Gt", "LtEq": "GtEq"}
_TESTS = {"StartsWith": "starts_with", "EndsWith": "ends_with"}
_PLY_MAX = 1 << 31


def scan(
    source: Source,
    *,
    table: str = "games",
    columns: str | Iterable[str] = "all",
    notation: str | Iterable[str] = (),
    where: str | None = None,
    threads: int | None = None,
    split: Split | None = None,
    from_notation: str = "auto",
    strict: bool = False,
    allow: str | Iterable[str] = (),
    deny: str | Iterable[str] = (),
    skip_damaged: bool = False,
    keep_going: bool = False,
) -> polars.LazyFrame:
    """Return the games or plies of archives as a lazy frame of Polars, which must be installed.

    Nothing is read before the frame is collected, and then only the columns that the query requires, as batches. Comparisons
    of columns of games with numbers, dates and texts select games before their moves are read, as ``where`` does;
    comparisons of ``ply`` select rows of plies; ``head`` ends the reading. Each collection reads the source again.

    Parameters
    ----------
    source, notation, where, threads, split, from_notation, strict, allow, deny, skip_damaged, keep_going
        As of :func:`games`. A file object can be collected once.
    table : str
        ``"games"`` or ``"plies"``.
    columns : str or iterable of str
        The columns of the frame: all by default, since only those are computed that a query requires.

    Returns
    -------
    polars.LazyFrame

    Raises
    ------
    PackageError
        Polars is not installed.
    TypeError, MissingError, UsageError
        As of :func:`games`; also when the frame is collected.

    Examples
    --------
    >>> import polars as pl
    >>> import pgnmill
    >>> games = pgnmill.scan("../data/masters.pgn.zst")
    >>> games.filter(pl.col("year") == 1972).select(pl.len()).collect().item()
    32
    """
    if table not in ("games", "plies"):
        raise UsageError(f"the tables are games and plies; not {table}")
    pl = package("polars")
    plugins = package("polars.io.plugins")
    options: dict[str, Any] = {
        "threads": threads, "split": split, "from_notation": from_notation, "strict": strict, "allow": allow, "deny": deny,
        "skip_damaged": skip_damaged, "keep_going": keep_going,
    }
    words = [columns] if isinstance(columns, str) else list(columns)
    notations = [notation] if isinstance(notation, str) else list(notation)
    made = games if table == "games" else plies
    # The schema, and errors of the options, before anything is collected.
    schema = pl.DataFrame(made(b"", columns=words, notation=notations, where=where)).schema
    made(source, columns=words, where=where, **options)

    def read(
        with_columns: list[str] | None, predicate: Any, rows_max: int | None, _: int | None
    ) -> Iterator[polars.DataFrame]:
        wanted = list(schema) if with_columns is None else with_columns
        required = set(wanted) | set(() if predicate is None else predicate.meta.root_names())
        narrowed = _Narrowed(table, predicate if rows_max is None else None)
        conditions = [f"({one})" for one in (where, narrowed.where) if one is not None]
        of_table: dict[str, Any] = {"plies": narrowed.plies} if table == "plies" else {}
        # A table without columns has no rows.
        names = [name for name in schema if name in required] or list(schema)[:1]
        with made(source, columns=names, where=" and ".join(conditions) or None, **options, **of_table) as stream:
            for batch in _frames(pl, stream):
                frame = batch if rows_max is None else batch.head(rows_max)
                if rows_max is not None:
                    rows_max -= frame.height
                yield (frame if predicate is None else frame.filter(predicate)).select(wanted)
                if rows_max == 0:
                    return

    return cast("polars.LazyFrame", plugins.register_io_source(read, schema=schema, validate_schema=False))


def _frames(pl: Any, stream: Stream) -> Iterator[Any]:
    """The batches of a stream as data frames."""
    while (batch := stream.next_batch()) is not None:
        yield pl.DataFrame(batch)


class _Narrowed:
    """What a condition of Polars requires of games, and of the numbers of plies; ``None`` where it is not known."""

    def __init__(self, table: str, predicate: Any) -> None:
        self.first, self.last = 1, _PLY_MAX
        self._is_of_games = table == "games"
        self.where: str | None = None
        if predicate is not None:
            try:
                tree = json.loads(predicate.meta.serialize(format="json"))
                self.where = self._expression(tree, is_certain=True)
            except Exception:  # A function of Python, or a form that this version of Polars does not write.
                self.first, self.last = 1, _PLY_MAX

    @property
    def plies(self) -> str | None:
        """The numbers of the plies."""
        if self._is_of_games or (self.first, self.last) == (1, _PLY_MAX):
            return None
        # No ply has such a number: a range of one ply, of which Polars takes none.
        last = max(self.first, self.last)
        return f"{self.first}.." if last == _PLY_MAX else f"{self.first}..{last}"

    def _expression(self, tree: Any, *, is_certain: bool) -> str | None:
        """The expression of a part, which is true where the part is, and perhaps elsewhere. `is_certain`: where it is false, the
        whole is false."""
        if not isinstance(tree, Mapping):
            return None
        node = cast("Mapping[str, Any]", tree)
        if (binary := node.get("BinaryExpr")) is not None:
            operator = binary["op"]
            if operator in ("And", "LogicalAnd"):
                both = [self._expression(binary[side], is_certain=is_certain) for side in ("left", "right")]
                found = [text for text in both if text is not None]
                return f"({' and '.join(found)})" if found else None
            if operator in ("Or", "LogicalOr"):
                either = [self._expression(binary[side], is_certain=False) for side in ("left", "right")]
                return None if None in either else f"({' or '.join(cast('list[str]', either))})"
            left, right = binary["left"], binary["right"]
            if operator in _EXCHANGED and _column(left) is None:
                left, right, operator = right, left, _EXCHANGED[operator]
            return self._comparison(_column(left), operator, _value(right), is_certain)
        function = node.get("Function")
        if not isinstance(function, Mapping):
            return None
        call = cast("Mapping[str, Any]", function)
        inputs, kind = call["input"], call["function"]
        name = _column(inputs[0]) if inputs else None
        if kind == {"Boolean": "IsNotNull"}:
            return f"{name} is present" if self._is_of_games and name in NUMBERS else None
        if not isinstance(kind, Mapping):
            return None
        [(family, form)] = cast("Mapping[str, Any]", kind).items()
        if family == "Boolean" and isinstance(form, Mapping) and "IsBetween" in form:
            # The bounds themselves are taken where they are not: Polars applies the condition again.
            least = self._comparison(name, "GtEq", _value(inputs[1]), is_certain)
            most = self._comparison(name, "LtEq", _value(inputs[2]), is_certain)
            return None if least is None or most is None else f"({least} and {most})"
        if family == "StringExpr" and isinstance(form, str) and form in _TESTS:
            text = literal(name or "", _value(inputs[1])) if self._is_of_games and name in TEXTS else None
            return None if text is None else f"{_TESTS[form]}({name}, {text})"
        return None

    def _comparison(self, name: str | None, operator: str, value: object, is_certain: bool) -> str | None:
        if name == "ply" and not self._is_of_games and is_certain and type(value) is int and operator in _SIGNS:
            number = min(max(value, 0), _PLY_MAX)
            if operator in ("Eq", "GtEq", "Gt"):
                self.first = max(self.first, number + (operator == "Gt"))
            if operator in ("Eq", "LtEq", "Lt"):
                self.last = min(self.last, max(number - (operator == "Lt"), 1))
            return None
        sign = _SIGNS.get(operator)
        if name is None or sign is None or not self._is_of_games or (name in TEXTS and sign != "=="):
            return None
        text = literal(name, value)
        return None if text is None else f"{name} {sign} {text}"


def _column(tree: Any) -> str | None:
    return cast("Mapping[str, Any]", tree).get("Column") if isinstance(tree, Mapping) else None


def _value(tree: Any) -> object:
    """The value of a literal: an int, a text or a date; ``None`` for others."""
    found: Any = cast("Mapping[str, Any]", tree).get("Literal") if isinstance(tree, Mapping) else None
    while isinstance(found, Mapping):
        items = list(cast("Mapping[str, Any]", found).items())
        if len(items) != 1:
            return None
        [(kind, found)] = items
        if kind == "Date" and isinstance(found, int):
            return date(1970, 1, 1) + timedelta(days=found)
        if kind in ("Datetime", "Duration", "Time", "List", "Float", "Float64", "Float32", "Boolean"):
            return None
    value = cast("object", found)
    return value if isinstance(value, (int, str)) and not isinstance(value, bool) else None

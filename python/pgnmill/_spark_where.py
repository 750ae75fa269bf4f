"""Filters of Spark as expressions of ``where``.

In: the filters that Spark offers to a data source. Out: an expression that is true for each game with a row that passes
the filters, and perhaps for more: Spark applies the filters again. Where an expression could leave out such a game, there
is none.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Union

from pyspark.sql import datasource as spark

from pgnmill._where import DATES, NUMBERS, TEXTS, literal

__all__ = ["archives_of", "where_of"]

_SIGNS: dict[type, str] = {
    spark.EqualTo: "==",
    spark.EqualNullSafe: "==",
    spark.GreaterThan: ">",
    spark.GreaterThanOrEqual: ">=",
    spark.LessThan: "<",
    spark.LessThanOrEqual: "<=",
}
_TESTS: dict[type, str] = {
    spark.StringStartsWith: "starts_with",
    spark.StringEndsWith: "ends_with",
    spark.StringContains: "contains",
}
# An expression has 1 MiB at most.
_VALUES_MAX = 1_000

Comparison = Union[
    spark.EqualTo, spark.EqualNullSafe, spark.GreaterThan, spark.GreaterThanOrEqual, spark.LessThan, spark.LessThanOrEqual
]


def where_of(filters: Iterable[spark.Filter]) -> str | None:
    """The expression of these filters, all of which a row must pass; ``None`` if no filter has one.

    Examples
    --------
    >>> from pyspark.sql.datasource import EqualTo, GreaterThan, Not
    >>> where_of([EqualTo(("White",), "Tal"), GreaterThan(("WhiteElo",), 2500), Not(EqualTo(("ECO",), "B90"))])
    'White == "Tal" and WhiteElo > 2500'
    """
    found = [text for text in map(_expression, filters) if text is not None]
    return " and ".join(found) or None


def archives_of(filters: Iterable[spark.Filter]) -> frozenset[str] | None:
    """The archives whose games can pass the filters; ``None`` for all.

    Examples
    --------
    >>> from pyspark.sql.datasource import EqualTo, In
    >>> sorted(archives_of([In(("archive",), ("a.pgn", "b.pgn"))]))
    ['a.pgn', 'b.pgn']
    """
    names: frozenset[str] | None = None
    for one in filters:
        values: Iterable[Any]
        if isinstance(one, (spark.EqualTo, spark.EqualNullSafe)) and one.attribute == ("archive",):
            values = [one.value]
        elif isinstance(one, spark.In) and one.attribute == ("archive",):
            values = one.value
        else:
            continue
        found = frozenset(value for value in values if isinstance(value, str))
        names = found if names is None else names & found
    return names


def _expression(one: spark.Filter) -> str | None:
    """The expression of a filter."""
    if isinstance(one, spark.Not):
        # Of a number alone: a column that is null and a field that is missing both fail.
        child = one.child
        is_number = isinstance(child, spark.EqualTo) and _name(child.attribute) in NUMBERS
        text = _expression(child) if is_number else None
        return None if text is None else f"not ({text})"
    if isinstance(one, spark.IsNotNull):
        name = _name(one.attribute)
        return f"{name} is present" if name in NUMBERS | DATES else None
    if isinstance(one, spark.In):
        return _one_of(_name(one.attribute), one.value)
    for kind, function in _TESTS.items():
        if isinstance(one, kind):
            name, value = _name(one.attribute), literal(_name(one.attribute), one.value)  # type: ignore[attr-defined]
            return f"{function}({name}, {value})" if name in TEXTS and value is not None else None
    for kind, sign in _SIGNS.items():
        if isinstance(one, kind):
            name, value = _name(one.attribute), literal(_name(one.attribute), one.value)  # type: ignore[attr-defined]
            if value is None or (name in TEXTS and sign != "=="):
                return None
            return f"{name} {sign} {value}"
    return None


def _name(attribute: tuple[str, ...]) -> str:
    """The name of a column that is not part of another."""
    return attribute[0] if len(attribute) == 1 else ""


def _one_of(name: str, values: tuple[Any, ...]) -> str | None:
    literals = [literal(name, value) for value in values if value is not None]
    found = [literal for literal in literals if literal is not None]
    if not found or len(found) < len(literals) or len(found) > _VALUES_MAX:
        return None
    return f"{name} in [{', '.join(found)}]"

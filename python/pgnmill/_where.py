"""What filters of other libraries and expressions of ``where`` have in common: columns that are fields, and values.

In: the name of a column and a value. Out: the value as an expression has it; ``None`` if a column and the field of the same
name could differ for it: a text of question marks is a value in a column but missing in an expression, so that texts are
compared for equality only, with values that have another character.
"""

from __future__ import annotations

from datetime import date

__all__ = ["DATES", "NUMBERS", "TEXTS", "literal"]

# Columns of the table of games by the type of the field of the same name. The column Date is a text and the field a date;
# the other columns have no field.
NUMBERS = frozenset(
    "WhiteElo BlackElo WhiteRatingDiff BlackRatingDiff time_initial time_increment ply_count variation_plies"
    " year month time_base_ms time_increment_ms time_moves time_periods".split()
)
TEXTS = frozenset(
    "Event Site White Black Result WhiteTitle BlackTitle ECO Opening Termination TimeControl Round outcome time_kind".split()
)
DATES = frozenset(["UTCDate"])
# An expression has 1 MiB at most.
_TEXT_MAX = 256


def literal(name: str, value: object) -> str | None:
    """A value as an expression has it; ``None`` if it cannot be compared with the field."""
    if name in NUMBERS and isinstance(value, int) and not isinstance(value, bool):
        return str(value) if 0 <= value < 1 << 31 else None
    if name in DATES and isinstance(value, date):
        return value.isoformat() if value.year >= 1000 else None
    if name in TEXTS and isinstance(value, str):
        is_plain = value.isprintable() and len(value) <= _TEXT_MAX and value.strip("?") != "" and value.isascii()
        escaped = value.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"' if is_plain else None
    return None

"""What a notebook shows of games and tables: HTML without scripts, styles of a page or files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pgnmill._native import Game

__all__ = ["board", "game", "table"]

ROWS_MAX = 20
_PIECES = {"k": "\u265a", "q": "\u265b", "r": "\u265c", "b": "\u265d", "n": "\u265e", "p": "\u265f"}
_SQUARE = "width:28px;height:28px;padding:0;text-align:center;font-size:22px;line-height:28px;border:0"
# Both sides have filled pieces, of two colours with an outline: they differ on every background.
_WHITE = "color:#fff;-webkit-text-stroke:1px #222"
_BLACK = "color:#111"


def board(fen: str) -> str:
    """The pieces of a FEN record as a table, White below; empty for a board that is not that of chess."""
    ranks = fen.split(" ")[0].split("[")[0].split("/")
    rows = list[str]()
    for rank, text in enumerate(ranks):
        squares = "".join(" " * int(letter) if letter.isdigit() else letter for letter in text.replace("~", ""))
        if len(ranks) != 8 or len(squares) != 8 or squares.strip().lower().strip("kqrbnp "):
            return ""
        cells = "".join(
            f'<td style="{_SQUARE};background:{"#e8dcc5" if (rank + file) % 2 == 0 else "#b08c64"};'
            f'{_WHITE if letter.isupper() else _BLACK}">{_PIECES.get(letter.lower(), "")}</td>'
            for file, letter in enumerate(squares)
        )
        rows.append(f"<tr>{cells}</tr>")
    return f'<table style="border-collapse:collapse;display:inline-block;vertical-align:top">{"".join(rows)}</table>'


def game(of: Game) -> str:
    """A game: the players, the event, the last position of the main line, and its moves."""
    tags = of.tags
    players = escape(f"{tags.get('White', '?')} \u2013 {tags.get('Black', '?')}")
    event = escape(", ".join(tags[name] for name in ("Event", "Site", "Date") if tags.get(name, "?") not in ("", "?")))
    fens = of.fens()
    verdict = "" if of.fault is None else f"<div>rejected: {escape(of.fault.detail)}</div>"
    moves = escape(of.movetext())
    return (
        f"<div><b>{players}</b> {escape(of.result)}</div><div>{event}</div>{verdict}"
        f'{board(fens[-1]) if fens else ""}'
        f'<div style="display:inline-block;max-width:36em;padding-left:1em;text-align:left">{moves}</div>'
    )


def table(columns: Sequence[str], rows: Iterable[Mapping[str, object]], rows_count: int) -> str:
    """The first rows of a table."""
    head = "".join(f"<th>{escape(name)}</th>" for name in columns)
    shown = list(islice(rows, ROWS_MAX))

    def cell(value: object) -> str:
        align = "right" if isinstance(value, (int, float)) else "left"
        return f'<td style="text-align:{align}">{"" if value is None else escape(str(value))}</td>'

    body = "".join(f"<tr>{''.join(cell(row[name]) for name in columns)}</tr>" for row in shown)
    rest = rows_count - len(shown)
    more = f"<div>and {rest:,} more rows</div>" if rest > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"

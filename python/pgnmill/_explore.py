"""What was played in a position, of a table of positions: :func:`explore`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, cast

from pgnmill import _html, _native
from pgnmill._errors import UsageError
from pgnmill._run import path_of
from pgnmill._run_types import PathLike, Texts

__all__ = ["Exploration", "ExploredMove", "explore"]

# The fields of a record of the program, in their order.
_FIELDS = (
    "line", "rules", "fen", "eco", "opening", "ply", "uci", "san", "games", "share", "white", "draws", "black", "score",
    "rating_mean", "opponent_rating_mean", "rated_games", "first_date", "last_date", "sample_archive", "sample_offset", "weight",
    "depth",
)


@dataclass(frozen=True)
class ExploredMove:
    """A move that was played in a position.

    Attributes
    ----------
    san, uci : str
        The move. Of a move of a book that is not legal, ``san`` is empty.
    games : int or None
        The games with this move; None in a book.
    share : float or None
        Their share of the games of the requested position, 0 to 1; in a book that of the weights.
    white, draws, black : int or None
        Games that White won, drew, lost.
    score : float or None
        Points of the side to move per game with a result.
    rating_mean, opponent_rating_mean : float or None
        The mean ratings of the side to move and of the other, of the games in which both are numbers.
    rated_games : int or None
        The number of these games.
    first_date, last_date : str or None
        Of the complete dates, such as ``"2021-04-17"``.
    sample_archive, sample_offset : str or None, int or None
        A game with this move: ``pgnmill.explain(sample_archive, at=sample_offset)`` shows it.
    ply : int or None
        The smallest number of plies after which a game was in the position.
    weight : int or None
        The weight of the move in a book.
    fen : str
        The position in which it was played, without the move clocks.
    rules : str
        Its ruleset.
    eco, opening : str or None
        The opening of that position; of the requested position the last one before it, too.
    move_number : int
        The number of the move in a game.
    depth : int
        1 for the moves of the requested position.
    line : tuple of str
        The moves from that position on, this one included.
    moves : tuple of ExploredMove
        The moves after it, with ``depth``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import pgnmill
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = pathlib.Path(folder, "explorer.csv")
    ...     _ = pgnmill.write_positions("../data/sources.pgn", output=table)
    ...     first = pgnmill.explore(table).moves[0]
    >>> first.san, first.games, first.score, first.last_date
    ('e4', 3, 1.0, '1999-06-21')
    """

    san: str
    uci: str
    games: int | None
    share: float | None
    white: int | None
    draws: int | None
    black: int | None
    score: float | None
    rating_mean: float | None
    opponent_rating_mean: float | None
    rated_games: int | None
    first_date: str | None
    last_date: str | None
    sample_archive: str | None
    sample_offset: int | None
    ply: int | None
    weight: int | None
    fen: str = field(repr=False)
    rules: str = field(repr=False)
    eco: str | None = field(repr=False)
    opening: str | None = field(repr=False)
    move_number: int = field(repr=False)
    depth: int = field(repr=False)
    line: tuple[str, ...] = field(repr=False)
    moves: tuple[ExploredMove, ...] = field(repr=False)

    def __str__(self) -> str:
        return self.san or self.uci

    def row(self) -> dict[str, Any]:
        """The move as a record of ``pgnmill explore --format json``.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> import pgnmill
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     table = pathlib.Path(folder, "explorer.csv")
        ...     _ = pgnmill.write_positions("../data/sources.pgn", output=table)
        ...     [row] = [move.row() for move in pgnmill.explore(table)]
        >>> row["line"], row["uci"], row["share"]
        (['e4'], 'e2e4', 1.0)
        """
        row = {name: getattr(self, name) for name in _FIELDS}
        row["line"] = list(self.line)
        return row


@dataclass(frozen=True, repr=False)
class Exploration:
    """What :func:`explore` returns: a position and its moves, over which it iterates, the most played one first.

    Its text is the page of ``pgnmill explore``; a notebook shows a board and a table.

    Attributes
    ----------
    name : str
        The name of the position: that of its opening, or of the last position before it that has one.
    eco, opening : str or None
        The code and the name of that opening.
    fen : str
        The position, without the move clocks.
    rules : str
        Its ruleset.
    games : int or None
        The games in which a move of the position was played; None of a book.
    white, draws, black : int or None
        Games that White won, drew, lost; None of a book.
    rating_mean : float or None
        The mean rating of the side to move, of the games in which both ratings are numbers.
    last_date : str or None
        The last of the complete dates, such as ``"2021-04-17"``.
    weight : int or None
        Of a book: the sum of the weights.
    is_found : bool
        Whether the position is in the table.
    is_cut : bool
        Whether a tree has more moves than the 2,000 that are given.
    moves : tuple of ExploredMove
        The moves of the position.
    table : Path
        The table.
    text : str
        The page of ``pgnmill explore``.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import pgnmill
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = pathlib.Path(folder, "explorer.csv")
    ...     _ = pgnmill.write_positions("../data/sources.pgn", output=table)
    ...     explored = pgnmill.explore(table, "1. e4")
    >>> explored.name, explored.games, [move.san for move in explored]
    ("King's Pawn Game (B00)", 3, ['c5', 'c6', 'e5'])
    """

    name: str
    eco: str | None
    opening: str | None
    fen: str
    rules: str
    games: int | None
    white: int | None
    draws: int | None
    black: int | None
    rating_mean: float | None
    last_date: str | None
    weight: int | None
    is_found: bool
    is_cut: bool
    moves: tuple[ExploredMove, ...]
    table: Path
    text: str

    def __iter__(self) -> Iterator[ExploredMove]:
        return iter(self.moves)

    def __len__(self) -> int:
        return len(self.moves)

    def __bool__(self) -> bool:
        return self.is_found

    def all_moves(self) -> Iterator[ExploredMove]:
        """All moves of a tree, each after those that lead to it.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> import pgnmill
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     table = pathlib.Path(folder, "explorer.csv")
        ...     _ = pgnmill.write_positions("../data/sources.pgn", output=table)
        ...     tree = pgnmill.explore(table, depth=3)
        >>> [" ".join(move.line) for move in tree.all_moves()][:3]
        ['e4', 'e4 c5', 'e4 c5 Nf3']
        """
        waiting = list(reversed(self.moves))
        while waiting:
            move = waiting.pop()
            yield move
            waiting.extend(reversed(move.moves))

    def rows(self) -> list[dict[str, Any]]:
        """The records of ``pgnmill explore --format json``: one of each move, as in :meth:`all_moves`.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> import pgnmill
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     table = pathlib.Path(folder, "explorer.csv")
        ...     _ = pgnmill.write_positions("../data/sources.pgn", output=table)
        ...     rows = pgnmill.explore(table, "1. e4 c5").rows()
        >>> [(row["san"], row["opening"]) for row in rows]
        [('Nf3', 'Sicilian Defense')]
        """
        return [move.row() for move in self.all_moves()]

    def __repr__(self) -> str:
        return self.text.rstrip("\n")

    def _repr_html_(self) -> str:
        return _page(self)


def explore(
    table: PathLike,
    position: Texts | None = None,
    *,
    from_notation: str = "auto",
    rules: str = "chess",
    depth: int | None = None,
    share: float | None = None,
) -> Exploration:
    """Look up what was played in a position.

    Parameters
    ----------
    table : path
        A table that :func:`write_positions` or ``pgnmill positions`` has written, as Parquet, Arrow, CSV or JSON lines, or
        a Polyglot book (``.bin``).
    position : str or list of str, optional
        A FEN record, with or without its last fields, or the moves that lead to the position: ``"1. e4 c5 2. Nf3"``,
        ``["e2e4", "c7c5"]``. By default the position of the start.
    from_notation : str
        The notation of these moves; ``"auto"``: the usual one of the ruleset, or UCI.
    rules : str
        The ruleset of the position, such as ``"crazyhouse"``.
    depth : int, optional
        A tree of so many plies, of at most 2,000 moves.
    share : float, optional
        With ``depth``: the moves that at least so many percent of the games of the position play (1).

    Returns
    -------
    Exploration
        A position that is not in the table has no moves, and ``is_found`` is False.

    Raises
    ------
    UsageError
        A record that is none, such as one without a king; a move that is not legal, with its ply; a ruleset or a notation
        that is none.
    MissingError, InputError
        There is no such file; it cannot be read, or is no table of positions.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import pgnmill
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     table = pathlib.Path(folder, "explorer.csv")
    ...     _ = pgnmill.write_positions("../data/sources.pgn", output=table)
    ...     explored = pgnmill.explore(table, "1. e4 c5")
    >>> print(str(explored).splitlines()[0])
    Sicilian Defense (B20)
    """
    path = _path(table)
    if depth is not None and (not isinstance(cast("object", depth), int) or isinstance(cast("object", depth), bool)):
        raise TypeError(f"depth is an int, not {type(depth).__name__}")
    if depth is not None and not 1 <= depth < 1 << 32:
        raise UsageError(f"depth is 1 or more, not {depth}")
    if share is not None:
        if not isinstance(cast("object", share), (int, float)) or isinstance(cast("object", share), bool):
            raise TypeError(f"share is a number of percent, not {type(share).__name__}")
        if depth is None:
            raise UsageError("share is of the moves of a tree: give depth, too")
        if not 0 <= share <= 100:
            raise UsageError(f"share is a number of percent, 0 to 100, not {share}")
    facts, moves, text = _native.explore(path, _words(position), from_notation, rules, depth, share)
    tree = _tree(moves)
    return Exploration(**facts, moves=tree, table=Path(path), text=text)


def _path(table: object) -> str:
    try:
        return path_of(table)
    except TypeError:
        raise TypeError(f"table is a path, not {type(table).__name__}") from None


def _words(position: object) -> str:
    """A position as one text."""
    if position is None or isinstance(position, str):
        return position or ""
    kind = type(position).__name__
    words = cast("Sequence[object]", position) if isinstance(position, Sequence) else [position]
    if isinstance(position, (bytes, bytearray)) or not all(isinstance(word, str) for word in words):
        raise TypeError(f"position is a str or a list of str, not {kind}")
    return " ".join(cast("Sequence[str]", words))


def _tree(facts: list[dict[str, Any]]) -> tuple[ExploredMove, ...]:
    """The moves of the first position, with those after them; `facts` has each after those that lead to it."""
    # For each depth the moves that are waiting for the one before them, from the last one to the first.
    waiting = dict[int, list[ExploredMove]]()
    lines = list[tuple[str, ...]]()
    for one in facts:
        line = lines[-1][: one["depth"] - 1] if lines else ()
        lines.append((*line, one["san"] or one["uci"]))
    for one, line in zip(reversed(facts), reversed(lines)):
        after = waiting.pop(one["depth"] + 1, [])
        move = ExploredMove(**one, line=line, moves=tuple(reversed(after)))
        waiting.setdefault(one["depth"], []).append(move)
    return tuple(reversed(waiting.get(1, [])))


_BAR = "display:inline-block;height:12px"
_COLORS = ("background:#fff;border:1px solid #888;border-right:0", "background:#aaa", "background:#333")


def _percents(counts: Sequence[int]) -> list[int]:
    """Percentages that are 100 together, as on the page of the program: by largest remainders."""
    total = sum(counts)
    parts = [100 * count // total for count in counts]
    order = sorted(range(len(counts)), key=lambda index: -(100 * counts[index] % total))
    for index in order[: 100 - sum(parts)]:
        parts[index] += 1
    return parts


def _cells(name: str, of: ExploredMove | Exploration, share: float | None) -> str:
    """A line of the table: the cells of a move, or of the total."""
    games = of.weight if of.games is None else of.games
    counts = [count for count in (of.white, of.draws, of.black) if count is not None]
    bar, results = "", ""
    if len(counts) == 3 and sum(counts) > 0:
        parts = _percents(counts)
        bar = "".join(f'<span style="{_BAR};width:{part}px;{color}"></span>' for part, color in zip(parts, _COLORS))
        results = " ".join(map(str, parts))
    rating = "" if of.rating_mean is None else f"{of.rating_mean:.0f}"
    year = "" if of.last_date is None else of.last_date[:4]
    figures = (f"{games or 0:,}", "" if share is None else f"{share:.1%}", results, rating, year)
    cells = [f'<td style="text-align:right">{escape(text)}</td>' for text in figures]
    cells.insert(2, f'<td style="text-align:left;white-space:nowrap">{bar}</td>')
    return f'<tr><td style="text-align:left;white-space:pre">{escape(name)}</td>{"".join(cells)}</tr>'


def _page(of: Exploration) -> str:
    """A position for a notebook: its name, a board, its moves."""
    head = f"<div><b>{escape(of.name)}</b></div><div>{escape(of.fen)}</div>{_html.board(of.fen)}"
    if not of.is_found:
        return f"{head}<div>The position is not in {escape(str(of.table))}.</div>"
    moves = list(of.all_moves())
    is_tree = any(move.depth > 1 for move in moves)

    def name(move: ExploredMove) -> str:
        dots = "..." if move.fen.split(" ")[1:2] == ["b"] else "."
        return f"{' ' * (move.depth - 1)}{move.move_number}{dots} {move}" if is_tree else str(move)

    games = "weight" if of.games is None else "games"
    names = ("move", games, "share", "White, draws, Black", "%", "rating", "last")
    header = "".join(f"<th>{text}</th>" for text in names)
    rows = "".join(_cells(name(move), move, move.share) for move in moves[: _html.ROWS_MAX])
    rest = len(moves) - _html.ROWS_MAX
    more = f"<div>and {rest:,} more moves</div>" if rest > 0 else ""
    total = _cells("total", of, 1.0 if (of.games or of.weight) else None)
    return (
        f'{head}<table style="display:inline-block;vertical-align:top;padding-left:1em"><thead><tr>{header}</tr></thead>'
        f"<tbody>{rows}{total}</tbody></table>{more}"
    )


for _class in (ExploredMove, Exploration):
    _class.__module__ = "pgnmill"

"""Notations of moves: what there is, and one move written or read."""

from __future__ import annotations

import functools
from dataclasses import dataclass

from pgnmill import _native
from pgnmill._errors import UsageError

__all__ = ["NotationInfo", "decode", "encode", "notation", "notations"]


@dataclass(frozen=True)
class NotationInfo:
    """The description of a notation.

    Attributes
    ----------
    name : str
        Its name, such as ``san``, for every argument ``notation``.
    title : str
        The name in words.
    source : str
        The book, law or page that defines it.
    about : str
        One paragraph of description.
    alphabet : str
        Every character that a text may contain.
    characters_max : int
        The longest text, in characters.
    bytes_max : int
        The longest text, in bytes of UTF-8.
    needs : {'no board', 'the board', 'the game'}
        What a reader requires besides the text.
    writes_check : bool
        Does a text contain a check suffix?
    examples : tuple of (str, str, str)
        FEN, move in UCI, text.

    Examples
    --------
    >>> import pgnmill
    >>> san = pgnmill.notation("san")
    >>> san.title, san.needs, san.writes_check
    ('Standard Algebraic Notation', 'the board', True)
    """

    name: str
    title: str
    source: str
    about: str
    alphabet: str
    characters_max: int
    bytes_max: int
    needs: str
    writes_check: bool
    examples: tuple[tuple[str, str, str], ...]


NotationInfo.__module__ = "pgnmill"


@functools.cache
def _registry() -> dict[str, NotationInfo]:
    found: dict[str, NotationInfo] = {}
    for names, (characters_max, bytes_max), needs, writes_check, examples in _native.notation_facts():
        found[names[0]] = NotationInfo(*names, characters_max, bytes_max, needs, writes_check, tuple(examples))
    return found


def notations() -> list[NotationInfo]:
    """List all notations, in the order of every table of the program.

    Returns
    -------
    list of NotationInfo

    Examples
    --------
    >>> import pgnmill
    >>> [notation.name for notation in pgnmill.notations()][:3]
    ['san', 'long', 'fan']
    """
    return list(_registry().values())


def notation(name: str) -> NotationInfo:
    """Describe a notation.

    Parameters
    ----------
    name : str
        Its name.

    Returns
    -------
    NotationInfo

    Raises
    ------
    pgnmill.UsageError
        There is no such notation.

    Examples
    --------
    >>> import pgnmill
    >>> pgnmill.notation("uci").characters_max
    5
    """
    found = _registry().get(name)
    if found is None:
        raise UsageError(f'there is no notation "{name}"; pgnmill.notations() lists them')
    return found


def encode(fen: str, uci: str, notation: str) -> str:
    """Write one move in a notation.

    Parameters
    ----------
    fen : str
        The position before the move.
    uci : str
        The move, such as ``g1f3`` or ``e7e8q``; castling as ``e1g1`` or as ``e1h1``.
    notation : str
        The name of a notation, or ``tcn``.

    Returns
    -------
    str
        The canonical text.

    Raises
    ------
    pgnmill.UsageError
        The position is not legal, the move is not legal in it, or there is no such notation; the notation requires the
        history of the game, and the position is not the initial array.

    Examples
    --------
    >>> import pgnmill
    >>> initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    >>> pgnmill.encode(initial, "g1f3", "san"), pgnmill.encode(initial, "g1f3", "iccf")
    ('Nf3', '7163')
    >>> pgnmill.encode(initial, "g1f3", "tcn")
    'gv'
    """
    return _native.encode(fen, uci, notation)


def decode(fen: str, text: str, notation: str, *, strict: bool = False) -> str:
    """Read one move that is written in a notation.

    Parameters
    ----------
    fen : str
        The position before the move.
    text : str
        The text of the move.
    notation : str
        The name of a notation.
    strict : bool, default False
        Read the canonical text alone. By default every text that has exactly one legal reading is read, such as
        ``Ng1f3`` for ``Nf3``.

    Returns
    -------
    str
        The move in UCI; castling is the king's move of two squares, in Chess960 king takes rook.

    Raises
    ------
    pgnmill.UsageError
        As :func:`encode`; the text has no reading, or several.

    Examples
    --------
    >>> import pgnmill
    >>> initial = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    >>> pgnmill.decode(initial, "Ng1f3", "san")
    'g1f3'
    >>> pgnmill.decode(initial, "Ng1f3", "san", strict=True)
    Traceback (most recent call last):
    ...
    pgnmill.UsageError: Ng1f3 is not canonical: the move is written Nf3
    """
    return _native.decode(fen, text, notation, strict)


for _function in (notations, notation, encode, decode):
    _function.__module__ = "pgnmill"

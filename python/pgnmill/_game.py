"""Games as objects."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pgnmill import _native
from pgnmill._native import Game, GameReader, Move
from pgnmill._splits import Split
from pgnmill._streams import Source

__all__ = ["Fault", "Game", "GameReader", "Move", "open"]


@dataclass(frozen=True)
class Fault:
    """Why a game was rejected, and where: a row of the table of faults of :func:`pgnmill.validate`.

    Attributes
    ----------
    kind : str
        The name of the deviation, such as ``move-illegal``.
    detail : str
        The reason, for a person.
    text : str
        The offending text: its first 32 bytes; bytes that are not UTF-8 are U+FFFD.
    offset : int
        The offset of the offending text in the text of the archive, in bytes.
    line : int
        Its line in the archive, from 1.
    column : int
        Its position in the line, in bytes, from 1.
    ply : int
        The ply of the fault, from 1; 0 before the first move.
    fen : str or None
        The position before the fault, where the fault is in the moves.

    Examples
    --------
    >>> import pgnmill
    >>> [game] = pgnmill.open(b"1. e4 e5 2. Ke3 *")
    >>> game.fault.kind, game.fault.text, game.fault.line, game.fault.column, game.fault.ply
    ('move-illegal', 'Ke3', 1, 13, 3)
    """

    kind: str
    detail: str
    text: str
    offset: int
    line: int
    column: int
    ply: int
    fen: str | None


Fault.__module__ = "pgnmill"


def open(
    source: Source,
    *,
    where: str | None = None,
    threads: int | None = None,
    split: Split | None = None,
    from_notation: str = "auto",
    strict: bool = False,
    allow: str | Iterable[str] = (),
    deny: str | Iterable[str] = (),
    skip_damaged: bool = False,
) -> GameReader:
    """Read the games of a source one by one, as objects.

    The games come in the order of the source, rejected games included, and are read ahead on threads of their own. For
    tables use :func:`pgnmill.games` and :func:`pgnmill.plies`: they are faster, and make no object per game.

    Parameters
    ----------
    source : Source
        A path (of a directory: the archives below it), ``bytes``, a binary file object, a URL, a :class:`Split`, or a
        list of these: see :func:`pgnmill.games`. Plain text and zstd are recognised by their first bytes.
    where : str, optional
        Read only games for which this expression is true, such as ``'rating_min >= 2000 and speed == "blitz"'``. The
        others are counted.
    threads : int, optional
        The number of worker threads, 1 to 1,024; one per processor if it is ``None`` or 0. The games do not depend on
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
        Continue after damaged zstd frames, which are listed in :attr:`GameReader.damage`.

    Returns
    -------
    GameReader
        An iterator of :class:`Game`, also a context manager. Memory: some megabytes of text per thread.

    Raises
    ------
    pgnmill.UsageError
        An option that is not valid.
    pgnmill.MissingError
        A path does not exist.
    pgnmill.InputError
        A source that cannot be read; raised while the games are iterated, after those before the error.
    TypeError
        A source or an option of a wrong type, such as a file that was opened as text.

    See Also
    --------
    pgnmill.games : the same games as a table.

    Examples
    --------
    >>> import pgnmill
    >>> text = b'[White "Ann"]\\n\\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\\n'
    >>> for game in pgnmill.open(text):
    ...     print(game.tags["White"], game.result, game.san()[-1])
    Ann 1-0 Qxf7#
    >>> len(list(pgnmill.open(text, where="ply_count > 10")))
    0
    """
    options: dict[str, object] = {
        "threads": threads,
        "where": where,
        "from_notation": from_notation,
        "strict": strict,
        "allow": allow,
        "deny": deny,
        "skip_damaged": skip_damaged,
    }
    return _native.open_games(source, split, options)


open.__module__ = "pgnmill"

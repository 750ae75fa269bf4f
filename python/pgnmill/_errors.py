"""The exceptions of pgnmill."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__all__ = [
    "DamagedError",
    "Error",
    "ExistsError",
    "InputError",
    "InterruptedRunError",
    "MissingError",
    "OutputError",
    "PackageError",
    "UsageError",
]


class Error(Exception):
    """The base class of what pgnmill raises.

    A fault of a game is no error: it is data. An error ends a run.

    Parameters
    ----------
    message : str
        What happened, with the path where there is one.
    path : str, optional
        The file, or the name of the source, that the error concerns.
    offset : int, optional
        The offset, in stored bytes, where the error was found.

    Attributes
    ----------
    path : str or None
    offset : int or None

    Examples
    --------
    >>> import pgnmill
    >>> raise pgnmill.Error("no games", path="a.pgn")
    Traceback (most recent call last):
    ...
    pgnmill.Error: no games
    """

    path: str | None
    offset: int | None

    def __init__(self, message: str = "", *, path: str | None = None, offset: int | None = None) -> None:
        super().__init__(message)
        self.path = path
        self.offset = offset

    def __str__(self) -> str:
        # OSError would write its number first.
        return str(self.args[0]) if self.args else ""


class UsageError(Error, ValueError):
    """A wrong or impossible request, such as the name of a column that does not exist.

    Examples
    --------
    >>> issubclass(UsageError, ValueError)
    True
    """


class InputError(Error, OSError):
    """A source that cannot be read. ``__cause__`` is the exception of a file object, if one raised it.

    What a file object raises that is no :class:`Exception`, such as ``KeyboardInterrupt``, is raised as it is.

    Examples
    --------
    >>> issubclass(InputError, OSError)
    True
    """

    # OSError.__new__ takes no keywords; without this method, Python calls it with those of Error.
    def __new__(
        cls, message: str = "", *, path: str | None = None, offset: int | None = None
    ) -> InputError:
        return super().__new__(cls, message)


class MissingError(InputError, FileNotFoundError):
    """A source that does not exist.

    Examples
    --------
    >>> issubclass(MissingError, FileNotFoundError)
    True
    """


class DamagedError(InputError):
    """Compressed data that cannot be decoded, or a file that became shorter while it was read.

    ``offset`` is where the damaged frame begins, in stored bytes.

    Examples
    --------
    >>> issubclass(DamagedError, InputError)
    True
    """


class OutputError(Error, OSError):
    """An output that cannot be written.

    Examples
    --------
    >>> issubclass(OutputError, OSError)
    True
    """

    def __new__(
        cls, message: str = "", *, path: str | None = None, offset: int | None = None
    ) -> OutputError:
        return super().__new__(cls, message)


class ExistsError(OutputError, FileExistsError):
    """An output that exists and may not be replaced.

    Examples
    --------
    >>> issubclass(ExistsError, FileExistsError)
    True
    """


class PackageError(Error, ImportError):
    """A package of Python that a source requires and that is not installed, such as fsspec for URLs.

    Examples
    --------
    >>> issubclass(PackageError, ImportError)
    True
    """


class InterruptedRunError(Error):
    """A run that was ended from outside, as by closing its stream in another thread.

    Examples
    --------
    >>> issubclass(InterruptedRunError, Error)
    True
    """


def package(name: str) -> Any:
    """A package that pgnmill does without, if it is installed."""
    try:
        return import_module(name)
    except ImportError as error:
        raise PackageError(f"this requires the package {name}: pip install {name}") from error


for _class in (
    Error, UsageError, InputError, MissingError, DamagedError, OutputError, ExistsError, PackageError,
    InterruptedRunError,
):
    # Tracebacks and pickles name the public module.
    _class.__module__ = "pgnmill"

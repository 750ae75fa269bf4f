"""Chess games of PGN archives, plain or zstd, as Arrow tables and as objects, read on all processors."""

from __future__ import annotations

# One block per file, in the order of their names.
from pgnmill._errors import (
    DamagedError,
    Error,
    ExistsError,
    InputError,
    InterruptedRunError,
    MissingError,
    OutputError,
    UsageError,
)
from pgnmill._native import __version__

__all__ = [
    # Errors.
    "DamagedError",
    "Error",
    "ExistsError",
    "InputError",
    "InterruptedRunError",
    "MissingError",
    "OutputError",
    "UsageError",
    # Version.
    "__version__",
]

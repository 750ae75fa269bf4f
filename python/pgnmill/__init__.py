"""Chess games of PGN archives, plain or compressed, as Arrow tables and as objects, read on all processors."""

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
    PackageError,
    UsageError,
)
from pgnmill._explore import Exploration, ExploredMove, explore
from pgnmill._game import Fault, Game, GameReader, Move, open
from pgnmill._native import __version__
from pgnmill._run_archives import (
    convert,
    duplicates,
    export,
    measure,
    select,
    sort,
    stats,
    validate,
    write_positions,
)
from pgnmill._run_table import Table
from pgnmill._run_tables import explain, merge, merge_positions, report
from pgnmill._run_types import Duplicates, Explanation, Measurement, Page, Progress, Rewrite, Run, Statistics, Summary
from pgnmill._notations import NotationInfo, decode, encode, notation, notations
from pgnmill._scan import scan
from pgnmill._splits import Split, SplitBase, splits
from pgnmill._streams import (
    ColumnInfo,
    Source,
    Stream,
    StreamSummary,
    columns,
    games,
    plies,
    positions,
)

__all__ = [
    # Errors.
    "DamagedError",
    "Error",
    "ExistsError",
    "InputError",
    "InterruptedRunError",
    "MissingError",
    "OutputError",
    "PackageError",
    "UsageError",
    # Runs.
    "Duplicates",
    "Explanation",
    "Measurement",
    "Page",
    "Progress",
    "Rewrite",
    "Run",
    "Statistics",
    "Summary",
    "Table",
    "convert",
    "duplicates",
    "explain",
    "export",
    "measure",
    "merge",
    "merge_positions",
    "report",
    "select",
    "sort",
    "stats",
    "validate",
    "write_positions",
    # Games.
    "Fault",
    "Game",
    "GameReader",
    "Move",
    "open",
    # Notations.
    "NotationInfo",
    "decode",
    "encode",
    "notation",
    "notations",
    # Streams.
    "ColumnInfo",
    "Source",
    "Stream",
    "StreamSummary",
    "columns",
    "games",
    "plies",
    "positions",
    "scan",
    # Positions.
    "Exploration",
    "ExploredMove",
    "explore",
    # Splits.
    "Split",
    "SplitBase",
    "splits",
    # Version.
    "__version__",
]

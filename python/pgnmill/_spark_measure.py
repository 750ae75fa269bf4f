"""Measurements on a cluster of Spark: a task per split, a tree of merges, one complete merge on the driver."""

from __future__ import annotations

import io
import os
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Union, cast

from pyspark import StorageLevel
from pyspark.sql import functions

from pgnmill._errors import ExistsError, UsageError
from pgnmill._run_archives import measure as measure_here
from pgnmill._run_tables import merge
from pgnmill._run_types import Measurement, PathLike, Summary, Texts
from pgnmill._splits import Split, splits

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["MeasureJob", "measure"]

# It has no types.
pa: Any = import_module("pyarrow")

# Tables that one task merges, and that the driver merges in the end.
FAN = 32
_SCHEMA = "ordinal bigint, tables binary"
_Source = Union[PathLike, Split]
# What a task does with a split: its tables.
Work = Callable[[Split, dict[str, Any]], bytes]


def measure(
    spark: SparkSession,
    source: _Source | Iterable[_Source],
    *,
    target_bytes: int | None = None,
    per_game: bool = False,
    notations: Texts = (),
    by: Texts = (),
    entropy: bool = False,
    where: str | None = None,
    from_notation: str | None = None,
    threads: int = 1,
    strict: bool = False,
    allow: Texts = (),
    deny: Texts = (),
) -> MeasureJob:
    """Prepare the measurement of archives on a cluster. Nothing is read but what is required to divide the archives.

    Each split is a task, whose result is one row: its tables, with its row of the ledger. A task that is retried, or of
    which Spark starts a copy because it is slow, counts once, since only its result does; the final merge refuses a split
    that is missing, doubled or of another version of the archive.

    Parameters
    ----------
    spark : SparkSession
    source : path, URL or Split, or a list of these
        The archives, by names that are the same on all machines; or splits that were found before.
    target_bytes : int, optional
        The size of a split in stored bytes, about; 64 MiB if it is ``None``.
    threads : int
        Threads of each task; as many as ``spark.task.cpus``.
    per_game, notations, by, entropy, where, from_notation, strict, allow, deny
        As of :func:`pgnmill.measure`. With ``per_game`` the driver merges all tables, without a tree. ``compress`` is not
        possible: its blocks move with the cuts.

    Returns
    -------
    MeasureJob

    Raises
    ------
    UsageError, MissingError, InputError
        As of :func:`pgnmill.splits`.

    Examples
    --------
    The tests have a session:

    >>> job = measure(spark, "s3://bucket/*.pgn.zst", by="speed")  # doctest: +SKIP
    >>> job.write("tables").summary.games  # doctest: +SKIP
    """
    options: dict[str, Any] = {
        "per_game": per_game, "notations": notations, "by": by, "entropy": entropy, "where": where, "from_notation": from_notation,
        "threads": threads, "strict": strict, "allow": allow, "deny": deny,
    }
    # What is wrong with the options is reported here, not by a task.
    measure_here(b"", faults=False, quiet=True, progress=False, **options)
    is_one = isinstance(source, (str, os.PathLike, Split))
    several: list[Any] = [source] if is_one else list(source)  # type: ignore[arg-type]
    found: list[Split] = []
    for one in several:
        found += [one] if isinstance(one, Split) else splits(one, target_bytes=target_bytes)
    if not found:
        raise UsageError("no source is named")
    return MeasureJob(spark, found, options)


class MeasureJob:
    """A measurement on a cluster: what :func:`measure` returns.

    Attributes
    ----------
    splits : tuple of Split
        One per task.

    Examples
    --------
    >>> MeasureJob.__module__
    'pgnmill.spark'
    """

    splits: tuple[Split, ...]

    def __init__(
        self, spark: SparkSession, splits: Iterable[Split], options: dict[str, Any], *, work: Work | None = None
    ) -> None:
        self.splits = tuple(splits)
        self._work = work or _measured
        self._spark = spark
        self._options = options
        self._done: Measurement | None = None

    @property
    def parts(self) -> DataFrame:
        """One row per split, not computed yet: the number of the split, and its tables as the bytes of a ZIP file.

        Examples
        --------
        >>> measure(spark, "games.pgn").parts.columns  # doctest: +SKIP
        ['ordinal', 'tables']
        """
        lines = [split.to_json() for split in self.splits]
        options, work, count = self._options, self._work, len(self.splits)

        def run(batches: Iterator[Any]) -> Iterator[Any]:
            for batch in batches:
                for ordinal in cast("list[int]", batch.column(0).to_pylist()):
                    yield _row(ordinal, work(Split.from_json(lines[ordinal]), options))

        # As many partitions as splits: one row each.
        numbers: Any = self._spark.range(0, count, 1, count)
        return cast("DataFrame", numbers.mapInArrow(run, _SCHEMA))

    def write(self, output: PathLike, *, overwrite: bool = False) -> Measurement:
        """Run the job and write the tables to a directory of the driver.

        Parameters
        ----------
        output : path
            The directory.
        overwrite : bool
            Replace existing tables.

        Returns
        -------
        Measurement
            The tables are byte for byte those of :func:`pgnmill.measure` over the same archives, and ``ledger``.

        Raises
        ------
        ExistsError
            There are tables already; nothing was run.
        UsageError
            The ledger is not complete.

        Examples
        --------
        >>> measure(spark, "games.pgn").write("tables").is_clean  # doctest: +SKIP
        True
        """
        directory = Path(os.fspath(output))
        if not overwrite and any(directory.glob("*.csv")):
            raise ExistsError(f"{directory} has tables already", path=str(directory))
        return self._run(directory, overwrite)

    def collect(self) -> Measurement:
        """Run the job and return the tables in memory.

        Examples
        --------
        >>> measure(spark, "games.pgn").collect().tables["notations"]  # doctest: +SKIP
        """
        return self._run(None, False)

    @property
    def summary(self) -> Summary:
        """The counts; runs the job if it was not run.

        Examples
        --------
        >>> measure(spark, "games.pgn").summary.games  # doctest: +SKIP
        """
        return (self._done or self.collect()).summary

    def _run(self, output: Path | None, overwrite: bool) -> Measurement:
        rows: Any = self.parts
        count = len(self.splits)
        # Tables with a row per game are joined in the order of the archive, which a part of the splits does not have.
        while count > FAN and not self._options["per_game"]:
            of_group = (functions.col("ordinal") / FAN).cast("bigint").alias("ordinal")
            grouped = rows.select(of_group, "tables", functions.col("ordinal").alias("part"))
            rows = grouped.groupBy("ordinal").applyInArrow(_merged_group, _SCHEMA)
            count = (count + FAN - 1) // FAN
        with tempfile.TemporaryDirectory(prefix="pgnmill-") as folder:
            directories: dict[int, Path] = {}
            # All tasks run now; then the driver takes the rows of one task at a time.
            rows = rows.persist(StorageLevel.DISK_ONLY)
            try:
                rows.count()
                for row in rows.toLocalIterator():
                    ordinal, tables = cast("tuple[int, bytes]", row)
                    directories[ordinal] = _unpacked(bytes(tables), Path(folder, str(ordinal)))
            finally:
                rows.unpersist()
            ordered = [directories[ordinal] for ordinal in sorted(directories)]
            self._done = merge(ordered, output=output, overwrite=overwrite, quiet=True)
        return self._done


def _measured(split: Split, options: dict[str, Any]) -> bytes:
    """The tables of a split."""
    with tempfile.TemporaryDirectory(prefix="pgnmill-") as folder:
        output = Path(folder, "tables")
        measure_here(split, output=output, faults=False, quiet=True, progress=False, **options)
        return _packed(output)


def _merged_group(table: Any) -> Any:
    """The sum of the tables of a group of rows."""
    rows = sorted(zip(table["part"].to_pylist(), table["tables"].to_pylist(), strict=True))
    with tempfile.TemporaryDirectory(prefix="pgnmill-") as folder:
        parts = [_unpacked(tables, Path(folder, str(part))) for part, tables in rows]
        output = Path(folder, "merged")
        merge(parts, output=output, partial=True, quiet=True)
        return pa.Table.from_batches([_row(table["ordinal"][0].as_py(), _packed(output))])


def _row(ordinal: int, tables: bytes) -> Any:
    schema = pa.schema([("ordinal", pa.int64()), ("tables", pa.binary())])
    return pa.record_batch([pa.array([ordinal], pa.int64()), pa.array([tables], pa.binary())], schema=schema)


def _packed(directory: Path) -> bytes:
    """The files of a directory as those of a ZIP file."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
        for path in sorted(directory.iterdir()):
            file.write(path, path.name)
    return packed.getvalue()


def _unpacked(packed: bytes, directory: Path) -> Path:
    """A new directory with the files of a ZIP file."""
    directory.mkdir()
    with zipfile.ZipFile(io.BytesIO(packed)) as file:
        file.extractall(directory)
    return directory

"""pgnmill on a cluster of Apache Spark: games and plies as data frames, and measurements.

Spark schedules and retries; pgnmill divides archives into :class:`pgnmill.Split`, of which each task reads one. Requires
Spark 4.1 or later and pgnmill on each machine of the cluster. :func:`register` gives the data source ``"pgn"``,
:func:`measure` the tables of :func:`pgnmill.measure`, byte for byte as one machine writes them.

    import pgnmill.spark
    pgnmill.spark.register(spark)
    games = spark.read.format("pgn").option("columns", "White,WhiteElo,ECO").load("s3://bucket/*.pgn.zst")
    pgnmill.spark.measure(spark, "s3://bucket/*.pgn.zst").write("tables")
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, MutableMapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from pyspark.sql.datasource import DataSource, DataSourceReader, Filter, InputPartition
from pyspark.sql.types import StructType

from pgnmill._errors import UsageError
from pgnmill._notations import notations
from pgnmill._spark_measure import MeasureJob, measure
from pgnmill._spark_where import archives_of, where_of
from pgnmill._splits import Split, splits
from pgnmill._streams import Stream, columns, games, plies

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["MeasureJob", "PgnDataSource", "PgnFilterDataSource", "measure", "register"]

# They have no types.
pa: Any = import_module("pyarrow")
_types: Any = import_module("pyspark.sql.pandas.types")

_OPTIONS = frozenset(
    "path paths splits table columns notation where target threads from_notation strict allow deny one_line push_filters"
    .split()
)
_UNITS = {"": 1, "k": 10, "m": 20, "g": 30}


def register(spark: SparkSession, *, push_filters: bool = False) -> None:
    """Make the format ``"pgn"`` known to a session.

    Parameters
    ----------
    spark : SparkSession
    push_filters : bool
        Games are left out where they are read if no row of them passes the filters of a query: ``True`` is the default of
        the option ``push_filters`` of :class:`PgnDataSource`, and ``spark.sql.python.filterPushdown.enabled`` of the session
        is set, which is false by default and without which Spark offers no filters to data sources that are written in
        Python.

    Warnings
    --------
    With ``push_filters``, use a data frame that was loaded for one query only, and load it again for the next one. Spark
    keeps the reader of the first query with the data frame, and uses it for the next query to which no filter can be
    pushed: ``games.where("WhiteElo >= 2500").count()`` and then ``games.count()`` gives the first number twice. So does any
    data source in Python that takes filters, in Spark 4.3 at least. Without ``push_filters`` no query depends on another;
    the option ``where`` selects games where they are read.

    Examples
    --------
    The tests have a session:

    >>> register(spark)  # doctest: +SKIP
    >>> read = spark.read.format("pgn").option("where", "WhiteElo >= 2500")  # doctest: +SKIP
    >>> read.load("lichess_2017-05.pgn.zst").groupBy("ECO").count().show()  # doctest: +SKIP
    """
    if push_filters:
        spark.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    spark.dataSource.register(PgnFilterDataSource if push_filters else PgnDataSource)


class PgnDataSource(DataSource):
    """The data source ``"pgn"``: games or plies of archives, one partition per split.

    ``load`` takes paths and URLs, which all machines open by the same name; in both ``*`` matches several. Options:

    ``table``
        ``"games"`` (one row per game that is not rejected) or ``"plies"``.
    ``columns``, ``notation``, ``where``, ``from_notation``, ``strict``, ``allow``, ``deny``, ``one_line``
        As of :func:`pgnmill.games` and :func:`pgnmill.plies`, with commas. Spark does not report to a data source in
        Python which columns a query reads: name them here or with ``schema("White string, WhiteElo int")``; the others
        are not computed.
    ``target``
        The size of a split, such as ``64MiB``.
    ``splits``
        A file of splits, one JSON text per line, in place of paths: for stores where it costs time to find them.
    ``threads``
        Threads of each task, 1 by default.
    ``push_filters``
        ``true``: games are left out where they are read if the filters of a query leave them out. ``false`` by default,
        because Spark gives wrong rows if a data frame with this option has more than one query: see :func:`register`.

    The columns have the types of Arrow, but for ``dictionary`` (string), ``fixed_size_binary`` (binary) and
    ``time64`` (string, such as ``12:34:56``; ``time`` if ``schema`` says so and the session has that type). The columns
    ``byte_offset`` and ``game`` count from the split, unless the splits have a ``base`` or the archive is plain text:
    see :class:`pgnmill.Split`.

    Examples
    --------
    >>> PgnDataSource.name()
    'pgn'
    >>> PgnDataSource({"path": "../data/sources.pgn", "columns": "White,WhiteElo"}).schema().simpleString()
    'struct<White:string,WhiteElo:smallint>'
    """

    _pushes_filters = False

    def __init__(self, options: MutableMapping[str, str]) -> None:
        super().__init__(options)
        self._given = {name.lower(): value for name, value in dict(options).items()}
        unknown = sorted(self._given.keys() - _OPTIONS)
        if unknown:
            raise UsageError(f"the format pgn has no option {unknown[0]}; it has {', '.join(sorted(_OPTIONS))}")

    @classmethod
    def name(cls) -> str:
        """The name of the format.

        Examples
        --------
        >>> PgnDataSource.name()
        'pgn'
        """
        return "pgn"

    def schema(self) -> StructType:
        """The columns and their types. No archive is read.

        Examples
        --------
        >>> PgnDataSource({"table": "plies", "columns": "ply,san"}).schema().simpleString()
        'struct<ply:smallint,san:string>'
        """
        read = _Reading(self._given, None)
        return schema_of(pa.schema(read.stream(b"")))

    def reader(self, schema: StructType) -> DataSourceReader:
        """A reader of these columns.

        Examples
        --------
        >>> source = PgnDataSource({"path": "../data/sources.pgn", "columns": "White"})
        >>> reader = source.reader(source.schema())
        >>> [batch.num_rows for part in reader.partitions() for batch in reader.read(part)]
        [3]
        """
        # Spark offers filters to each reader that has a method for them.
        pushes = _switch(self._given, "push_filters", self._pushes_filters)
        return (PgnFilterReader if pushes else PgnReader)(self._given, schema)


class PgnFilterDataSource(PgnDataSource):
    """The same data source; the option ``push_filters`` is ``true`` by default.

    Examples
    --------
    >>> from pyspark.sql.datasource import EqualTo
    >>> source = PgnFilterDataSource({"path": "../data/sources.pgn", "columns": "White"})
    >>> reader = source.reader(source.schema())
    >>> left = list(reader.pushFilters([EqualTo(("White",), "Nobody")]))
    >>> [batch.num_rows for part in reader.partitions() for batch in reader.read(part)]
    []
    """

    _pushes_filters = True


class SplitPartition(InputPartition):
    """A partition that is a split."""

    def __init__(self, split: Split) -> None:
        super().__init__(str(split))
        self.split = split


class PgnReader(DataSourceReader):
    """Reads the splits of a data source."""

    def __init__(self, given: dict[str, str], schema: StructType) -> None:
        self._given = given
        self._schema = schema
        self._where: str | None = None
        self._archives: frozenset[str] | None = None

    def partitions(self) -> list[InputPartition]:
        """One per split."""
        found = _splits_of(self._given)
        if self._archives is not None:
            kept = [split for split in found if split.archive in self._archives]
            # Without a partition, Spark reads one that is None.
            found = kept or found[:1]
        return [SplitPartition(split) for split in found]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """The record batches of a split."""
        if not isinstance(partition, SplitPartition):
            return
        schema = _types.to_arrow_schema(self._schema, timezone="UTC")
        with _Reading(self._given, self._schema).stream(partition.split, self._where) as stream:
            for batch in pa.RecordBatchReader.from_stream(stream):
                yield _converted(batch, schema)


class PgnFilterReader(PgnReader):
    """Reads the games that can pass the filters of a query."""

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        """All filters are returned: Spark applies them too. Those of an earlier query are forgotten."""
        self._where = None
        if self._given.get("table", "games") == "games":
            self._where = where_of(filters)
        self._archives = archives_of(filters)
        return filters


class _Reading:
    """What a data source reads: the options of a stream."""

    def __init__(self, given: dict[str, str], schema: StructType | None) -> None:
        self._table = given.get("table", "games")
        if self._table not in ("games", "plies"):
            raise UsageError(f"there is no table {self._table}; there are games and plies")
        self._given = given
        names = [name.strip() for name in given.get("notation", "").split(",") if name.strip()]
        if schema is None:
            self._columns: str | list[str] = given.get("columns", "default")
            self._notations = names
        else:
            known = {column.name for column in columns(self._table)}
            of_notations = _columns_of_notations(self._table)
            self._columns = [name for name in schema.names if name in known or name not in of_notations]
            self._notations = [of_notations[name] for name in schema.names if name in of_notations]
            # A table has one column at least.
            self._columns = self._columns or ["archive"]

    def stream(self, source: Split | bytes, where: str | None = None) -> Stream:
        given = self._given
        both = [text for text in (given.get("where"), where) if text]
        options: dict[str, Any] = {
            "columns": self._columns,
            "notation": self._notations,
            "where": " and ".join(f"({text})" for text in both) or None,
            "threads": int(given.get("threads", "1")),
            "from_notation": given.get("from_notation", "auto"),
            "strict": _switch(given, "strict"),
            "allow": _words(given, "allow"),
            "deny": _words(given, "deny"),
        }
        if self._table == "plies":
            return plies(source, **options)
        return games(source, one_line=_switch(given, "one_line"), **options)


def _words(given: dict[str, str], name: str) -> list[str]:
    return [word.strip() for word in given.get(name, "").split(",") if word.strip()]


def _switch(given: dict[str, str], name: str, default: bool = False) -> bool:
    value = given.get(name, str(default)).lower()
    if value not in ("true", "false"):
        raise UsageError(f"{name} is true or false, not {value}")
    return value == "true"


def _columns_of_notations(table: str) -> dict[str, str]:
    """The names of the columns that notations have, and of the notations."""
    names = [one.name for one in notations()]
    make = plies if table == "plies" else games
    stream = make(b"", columns=["archive"], notation=names)
    return dict(zip(stream.columns[1:], names, strict=True))


def _splits_of(given: dict[str, str]) -> list[Split]:
    """The splits of the archives that the options name."""
    if "splits" in given:
        lines = Path(given["splits"]).read_text(encoding="utf-8").splitlines()
        return [Split.from_json(line) for line in lines if line.strip()]
    paths: list[str] = json.loads(given["paths"]) if "paths" in given else []
    paths += [given["path"]] if "path" in given else []
    if not paths:
        raise UsageError("load takes a path or a URL, or a list of these")
    return splits(paths, target_bytes=bytes_of(given["target"]) if "target" in given else None)


def bytes_of(text: str) -> int:
    """The number of bytes of a size such as ``64MiB``, ``64M`` or ``67108864``.

    Examples
    --------
    >>> bytes_of("64MiB"), bytes_of("64M"), bytes_of("100")
    (67108864, 67108864, 100)
    """
    digits = text.strip().rstrip("kKmMgGiIbB")
    unit = text.strip()[len(digits) :].lower().removesuffix("b").removesuffix("i")
    if not digits.isascii() or not digits.isdigit() or unit not in _UNITS or int(digits) == 0:
        raise UsageError(f"a size is a number of bytes, such as 64MiB; not {text}")
    return int(digits) << (_UNITS[unit] if unit else 0)


def schema_of(schema: Any) -> StructType:
    """The types of Spark of a schema of Arrow."""
    fields = [pa.field(field.name, _plain(field.type), field.nullable) for field in schema]
    return cast(StructType, _types.from_arrow_schema(pa.schema(fields)))


def _plain(kind: Any) -> Any:
    if pa.types.is_dictionary(kind):
        return kind.value_type
    if pa.types.is_fixed_size_binary(kind):
        return pa.binary()
    # Spark has a type for times, which queries may use only if spark.sql.timeType.enabled is true.
    if pa.types.is_time(kind):
        return pa.string()
    return kind


def _converted(batch: Any, schema: Any) -> Any:
    """A batch with the columns and types that Spark requires."""
    arrays: list[Any] = []
    for field in schema:
        array = batch.column(field.name)
        if pa.types.is_time(array.type) and pa.types.is_string(field.type):
            # Else the text has a fraction of a second.
            array = array.cast(pa.time32("s"))
        arrays.append(array.cast(field.type))
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


for _class in (MeasureJob, measure):
    _class.__module__ = "pgnmill.spark"

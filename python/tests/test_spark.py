"""The data source "pgn" and measurements on Spark, with a session of this process."""

import datetime
import os
import shutil
import subprocess
import sys

import pgnmill
import pytest
from archives import DATA, ROOT, SAMPLE, SOURCES

pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyspark", minversion="4.1")
if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
    pytest.skip("Java is not installed", allow_module_level=True)

import pgnmill.spark  # noqa: E402
from pgnmill._spark_where import where_of  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402
from pyspark.sql import datasource as filters  # noqa: E402


@pytest.fixture(scope="module")
def spark():
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").appName("pgnmill")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": "1g",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "2",
    }
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    pgnmill.spark.register(session)
    yield session
    session.stop()


@pytest.fixture
def read(spark):
    return lambda **options: spark.read.format("pgn").options(**options)


def plain(table):
    """A table of Arrow with the types that Spark has."""
    arrays = []
    for column in table.columns:
        if pa.types.is_dictionary(column.type):
            column = column.cast(column.type.value_type)
        if pa.types.is_fixed_size_binary(column.type):
            column = column.cast(pa.binary())
        if pa.types.is_time(column.type):
            column = column.cast(pa.time32("s")).cast(pa.string())
        arrays.append(column)
    return pa.table(arrays, names=table.column_names)


# Without bases, these count from the split.
OF_SPLIT = ["byte_offset", "game"]


@pytest.mark.parametrize("table", ["games", "plies"])
def test_a_data_frame_is_the_table(read, table):
    # By splits of several archives, with all columns.
    where = "White =~ '^[AB]'"
    frame = read(table=table, columns="all", notation="iccf,long", where=where, target="1MiB").load([str(SAMPLE), str(SOURCES)])
    found = frame.drop(*OF_SPLIT).toArrow()
    stream = getattr(pgnmill, table)([SAMPLE, SOURCES], columns="all", notation="iccf,long", where=where)
    expected = plain(pa.table(stream)).drop_columns(OF_SPLIT)
    assert found.num_rows == expected.num_rows > 100
    for name in expected.column_names:
        assert found[name].cast(expected[name].type).to_pylist() == expected[name].to_pylist(), name


def test_a_partition_is_a_split(read, tmp_path):
    frame = read(target="1MiB", columns="White").load(str(SAMPLE))
    parts = pgnmill.splits(SAMPLE, target_bytes=1 << 20)
    assert frame.rdd.getNumPartitions() == len(parts) > 2
    lines = tmp_path / "splits.jsonl"
    lines.write_text("".join(part.to_json() + "\n" for part in parts))
    assert read(splits=str(lines), columns="White").load().count() == frame.count() == 10_000


def test_a_schema_names_the_columns_and_their_types(read):
    [row, *_] = read().schema("White string, ply_count bigint, moves_uci string, UTCTime string").load(str(SOURCES)).collect()
    assert row.asDict().keys() == {"White", "ply_count", "moves_uci", "UTCTime"}
    assert row.White == "Anderssen, Adolf" and row.ply_count == len(row.moves_uci.split()) and row.UTCTime is None
    with pytest.raises(Exception, match="no column Wite"):
        read().schema("Wite string").load(str(SOURCES)).collect()


FILTERS = [
    "WhiteElo >= 2200",
    "WhiteElo > 1500 and WhiteElo <= 1600 and Result = '1-0'",
    "WhiteElo <> 1500 and BlackElo in (1500, 1501, 1502)",
    "WhiteElo is not null and BlackRatingDiff < 0",
    "WhiteElo is null",
    "WhiteTitle is null or WhiteTitle = 'GM'",
    "ECO like 'B9%' and Opening like '%Najdorf%' and Event like '%game'",
    "ECO between 'B20' and 'B29' and not (Result = '1-0')",
    "UTCDate = date'2017-05-01' and ply_count > 60",
    "outcome = '1/2-1/2' and verdict = 'accepted'",
    "Event <=> null",
    "TimeControl in ('180+0', '60+0', '?')",
    "Site = '\"\\\\'",
    "movetext like '%#%'",
    "UTCTime < '01:00:00'",
]


@pytest.mark.parametrize("condition", FILTERS)
def test_a_filter_leaves_what_it_leaves_without_push_down(read, spark, condition):
    spark.dataSource.register(pgnmill.spark.PgnDataSource)
    try:
        expected = read(target="2MiB").load(str(SAMPLE)).where(condition).toArrow()
    finally:
        pgnmill.spark.register(spark)
    found = read(target="2MiB").load(str(SAMPLE)).where(condition).toArrow()
    assert found.equals(expected)


def test_of_a_filter_by_archive_only_its_splits_are_partitions(read):
    frame = read(target="1MiB", columns="archive,White").load([str(SAMPLE), str(SOURCES)])
    one = frame.where(f"archive = '{SOURCES}'")
    assert (frame.rdd.getNumPartitions(), one.rdd.getNumPartitions(), one.count()) == (5, 1, 3)
    assert frame.where("archive = 'other'").count() == 0


def test_filters_are_expressions():
    name, elo, date = ("White",), ("WhiteElo",), ("UTCDate",)
    cases = [
        (filters.EqualTo(name, 'a"\\b'), r'White == "a\"\\b"'),
        (filters.In(name, ("a", None, "b")), 'White in ["a", "b"]'),
        (filters.GreaterThan(date, datetime.date(2017, 5, 1)), "UTCDate > 2017-05-01"),
        (filters.Not(filters.EqualTo(elo, 7)), "not (WhiteElo == 7)"),
        # What an expression could leave out.
        (filters.EqualTo(name, "?"), None),
        (filters.EqualTo(name, "Å"), None),
        (filters.EqualTo(name, "a\n"), None),
        (filters.LessThan(name, "a"), None),
        (filters.IsNull(elo), None),
        (filters.IsNotNull(name), None),
        (filters.Not(filters.EqualTo(name, "a")), None),
        (filters.EqualTo(elo, None), None),
        (filters.In(name, ("a", "?")), None),
        (filters.EqualTo(("tags", "White"), "a"), None),
        (filters.StringContains(("moves",), "e2e4"), None),
    ]
    for one, expected in cases:
        text = where_of([one])
        assert text == expected
        if text is not None:
            pgnmill.games(b"", where=text)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"colums": "x"}, "no option colums"),
        ({"table": "moves"}, "no table moves"),
        ({"columns": "x"}, "no column x"),
        ({"where": "x >"}, "where: "),
        ({"strict": "yes"}, "true or false"),
        ({"target": "64 apples"}, "64MiB"),
    ],
)
def test_wrong_options_are_refused(read, options, message):
    with pytest.raises(Exception, match=message):
        read(**options).load(str(SOURCES)).count()
    with pytest.raises(Exception, match="nowhere.pgn"):
        read().load(str(DATA / "nowhere.pgn")).count()


def tables_of(measured):
    """The tables as bytes, but for the ledger, which only splits have."""
    return {name: table.to_csv() for name, table in measured.tables.items() if name != "ledger"}


def test_the_tables_of_a_measurement_are_those_of_one_machine(spark, tmp_path, monkeypatch):
    archives = [SAMPLE, SOURCES]
    options = {"by": ["speed", "ply"], "entropy": True, "where": "WhiteElo is present or White is present"}
    expected = pgnmill.measure(archives, faults=False, **options)
    # A tree of merges, although there are few splits.
    monkeypatch.setattr("pgnmill._spark_measure.FAN", 3)
    job = pgnmill.spark.measure(spark, archives, target_bytes=600_000, **options)
    assert len(job.splits) > 6
    found = job.write(tmp_path / "tables")
    assert tables_of(found) == tables_of(expected)
    assert {path.stem for path in (tmp_path / "tables").glob("*.csv")} == found.tables.keys()
    assert len(found.tables["ledger"]) == len(job.splits)
    assert job.summary == found.summary and job.summary.games == 10_003
    with pytest.raises(pgnmill.ExistsError):
        job.write(tmp_path / "tables")
    # With the bases of this ledger, all rows have the numbers of a run over the archives.
    based = pgnmill.splits(archives, target_bytes=600_000, ledger=found.tables["ledger"])
    rows = pa.concat_tables([pa.table(pgnmill.games(part, columns=["game", "byte_offset"])) for part in based])
    assert rows.combine_chunks().equals(pa.table(pgnmill.games(archives, columns=["game", "byte_offset"])).combine_chunks())


def test_a_measurement_with_a_row_per_game(spark):
    expected = pgnmill.measure(SAMPLE, per_game=True, notations="main", faults=False)
    job = pgnmill.spark.measure(spark, SAMPLE, target_bytes=1 << 20, per_game=True, notations="main")
    assert tables_of(job.collect()) == tables_of(expected)


def test_what_is_wrong_is_an_error_before_the_work(spark, tmp_path):
    cases = [
        (lambda: pgnmill.spark.measure(spark, []), pgnmill.UsageError),
        (lambda: pgnmill.spark.measure(spark, tmp_path / "none.pgn"), pgnmill.MissingError),
        (lambda: pgnmill.spark.measure(spark, SOURCES, by="nothing"), pgnmill.UsageError),
        (lambda: pgnmill.spark.measure(spark, SOURCES, where="x >"), pgnmill.UsageError),
        (lambda: pgnmill.spark.measure(spark, SOURCES, compress="zstd:3"), TypeError),
    ]
    for make, kind in cases:
        with pytest.raises(kind):
            make()


def test_an_archive_that_changes_is_refused_by_name(spark, tmp_path):
    path = tmp_path / "games.pgn"
    path.write_bytes(SOURCES.read_bytes() * 20)
    job = pgnmill.spark.measure(spark, path, target_bytes=20_000)
    path.write_bytes(SOURCES.read_bytes() * 20 + b"\n")
    with pytest.raises(Exception, match=r"split \d of 2 of .*games.pgn cannot be read: the archive has changed"):
        job.collect()


def test_a_split_that_is_missing_or_doubled_is_refused(spark):
    parts = pgnmill.splits(SAMPLE, target_bytes=1 << 20)
    for some, message in [(parts[1:], "split 1 of 4"), (parts + parts[:1], "split 1 of 4")]:
        with pytest.raises(pgnmill.UsageError, match=message):
            pgnmill.spark.measure(spark, some).collect()


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="needs /proc")
def test_tasks_and_machines_that_fail_change_no_table(tmp_path):
    # With a cluster of its own, in a process of its own.
    script = ROOT / "python" / "tests" / "spark_faults.py"
    ran = subprocess.run([sys.executable, script, tmp_path / "files"], capture_output=True, text=True, timeout=600)
    if ran.returncode == 3:
        # On a slow machine.
        pytest.skip(ran.stdout)
    assert ran.returncode == 0, ran.stdout + ran.stderr[-2000:]

"""The data source "pgn" and measurements on Spark, with a session of this process."""

import contextlib
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


PUSHES = "spark.sql.python.filterPushdown.enabled"


@contextlib.contextmanager
def pushing(session):
    """Filters are pushed meanwhile."""
    pgnmill.spark.register(session, push_filters=True)
    try:
        yield
    finally:
        session.conf.set(PUSHES, "false")
        pgnmill.spark.register(session)


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
    of_split = [*OF_SPLIT, "game_index"] if table == "plies" else OF_SPLIT
    found = frame.drop(*of_split).toArrow()
    stream = getattr(pgnmill, table)([SAMPLE, SOURCES], columns="all", notation="iccf,long", where=where)
    expected = plain(pa.table(stream)).drop_columns(of_split)
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
    "moves like '%e1g1%'",
    "UTCTime < '01:00:00'",
]


@pytest.mark.parametrize("condition", FILTERS)
def test_a_filter_leaves_what_it_leaves_without_push_down(read, spark, condition):
    expected = read(target="2MiB").load(str(SAMPLE)).where(condition).toArrow()
    with pushing(spark):
        found = read(target="2MiB").load(str(SAMPLE)).where(condition).toArrow()
    assert found.equals(expected)


def test_of_a_filter_by_archive_only_its_splits_are_partitions(read, spark):
    with pushing(spark):
        # For each query a data frame of its own.
        load = lambda: read(target="1MiB", columns="archive,White").load([str(SAMPLE), str(SOURCES)])
        one = load().where(f"archive = '{SOURCES}'")
        assert (load().rdd.getNumPartitions(), one.rdd.getNumPartitions(), one.count()) == (5, 1, 3)
        assert load().where("archive = 'other'").count() == 0


# Filters that Spark pushes all, some or none of, and the games of `four` that pass them.
QUERIES = {
    "none": (lambda frame: frame, "1500 2000 2400 2600"),
    "pushed": (lambda frame: frame.where("WhiteElo >= 2500"), "2600"),
    "both": (lambda frame: frame.where("WhiteElo >= 2000 and length(White) = 4"), "2000 2400 2600"),
    "or": (lambda frame: frame.where("WhiteElo >= 2500 or White = '1500'"), "1500 2600"),
    "coalesce": (lambda frame: frame.where("coalesce(WhiteElo, 0) < 2500"), "1500 2000 2400"),
    "archive": (lambda frame: frame.where("archive = 'none'"), ""),
}


@pytest.fixture(scope="module")
def four(tmp_path_factory):
    """Four games of players whose names are their ratings."""
    path = tmp_path_factory.mktemp("spark") / "four.pgn"
    game = '[White "{0}"]\n[WhiteElo "{0}"]\n[Result "*"]\n\n1. e4 *\n\n'
    path.write_text("".join(game.format(elo) for elo in (1500, 2000, 2400, 2600)))
    return path


@pytest.mark.parametrize("before", QUERIES)
@pytest.mark.parametrize("after", QUERIES)
def test_a_query_does_not_depend_on_the_one_before(read, four, before, after):
    frame = read(columns="archive,White,WhiteElo").load(str(four))
    for query, expected in (QUERIES[before], QUERIES[after]):
        assert sorted(row.White for row in query(frame).collect()) == expected.split()
    assert QUERIES[before][0](frame).count() == len(QUERIES[before][1].split())


def test_a_session_that_offers_filters_is_not_used_by_default(read, spark, four):
    # As if another data source had requested it.
    spark.conf.set(PUSHES, "true")
    try:
        frame = read(columns="White,WhiteElo").load(str(four))
        assert [frame.where("WhiteElo >= 2500").count(), frame.count()] == [1, 4]
    finally:
        spark.conf.set(PUSHES, "false")


def test_the_option_requests_filters(read, spark, four):
    load = lambda **options: read(columns="White,WhiteElo", **options).load(str(four)).where("WhiteElo >= 2500")
    with pytest.raises(Exception, match="filterPushdown"):
        load(push_filters="true").count()
    spark.conf.set(PUSHES, "true")
    try:
        assert load(push_filters="true").count() == load().count() == 1
    finally:
        spark.conf.set(PUSHES, "false")


@pytest.mark.parametrize("source", [pgnmill.spark.PgnDataSource, pgnmill.spark.PgnFilterDataSource])
@pytest.mark.parametrize("option", [None, "true", "false"])
def test_a_reader_takes_filters_on_request_and_returns_all(source, option, four):
    given = {"path": str(four), "columns": "White,WhiteElo"} | ({} if option is None else {"push_filters": option})
    made = source(given)
    reader = made.reader(made.schema())
    rows = lambda: sum(batch.num_rows for part in reader.partitions() for batch in reader.read(part))
    pushes = option == "true" or (option is None and source is pgnmill.spark.PgnFilterDataSource)
    # Spark offers filters where a reader has a method of its own for them.
    assert (type(reader).pushFilters is not filters.DataSourceReader.pushFilters) == pushes
    assert rows() == 4
    if not pushes:
        return
    for pushed, count in [([filters.GreaterThan(("WhiteElo",), 2400)], 1), ([], 4), ([filters.EqualTo(("archive",), "x")], 4)]:
        assert list(reader.pushFilters(pushed)) == pushed
        assert rows() == count


def test_a_path_with_an_asterisk_is_several(read, spark, tmp_path):
    for name, count in [("b.pgn", 2), ("a.pgn", 1), ("c.txt", 4), ("under/d.pgn", 8), ("[x].pgn", 16)]:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(f'[White "{name}"]\n\n1. e4 *\n\n' * count)
    count = lambda name: read(columns="White").load(str(tmp_path / name)).count()
    assert [count(name) for name in ("*.pgn", "?.pgn", "[ab].pgn", "**/*.pgn", "[x].pgn", "c.txt")] == [19, 3, 3, 27, 16, 4]
    assert [split.archive for split in pgnmill.splits(tmp_path / "?.pgn")] == [str(tmp_path / "a.pgn"), str(tmp_path / "b.pgn")]
    assert len(pgnmill.spark.measure(spark, str(tmp_path / "?.pgn")).splits) == 2
    with pytest.raises(pgnmill.MissingError, match=r"x\*.pgn names nothing"):
        pgnmill.splits(tmp_path / "x*.pgn")
    with pytest.raises(Exception, match="names nothing"):
        count("x*.pgn")


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
    """The tables as bytes, but for the ledger, which only splits have, and its digest."""
    tables = {name: table.to_csv() for name, table in measured.tables.items() if name != "ledger"}
    # The last row is that of the list itself.
    rows = tables["tables"].splitlines()
    tables["tables"] = [row for row in rows if not row.startswith((b"ledger.csv,", b"tables.csv,"))]
    return tables


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

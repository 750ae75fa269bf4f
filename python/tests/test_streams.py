"""Streams: the same table in every library, read once, ended cleanly."""

import io
import os
import subprocess
import sys
import threading
import time

import pgnmill
import pytest
from conftest import threads_count

pa = pytest.importorskip("pyarrow")
COLUMNS = "default"


def read(stream):
    return pa.table(stream)


def ends_with_threads(before, seconds=3.0):
    """A thread that waits in the read of a file object may end a little later."""
    end = time.monotonic() + seconds
    while threads_count() > before and time.monotonic() < end:
        time.sleep(0.02)
    return threads_count() <= before


@pytest.fixture(scope="module", autouse=True)
def pools():
    # pyarrow creates its threads at the first use.
    pa.table(pgnmill.games(b"1. e4 *")).to_pandas()


@pytest.mark.parametrize("table", ["games", "plies"])
def test_libraries_read_the_same_table(sample, table):
    make = lambda: getattr(pgnmill, table)(sample, columns=COLUMNS)
    expected = read(make())
    assert expected.num_rows > 1000
    nanoarrow = pytest.importorskip("nanoarrow")
    assert pa.table(nanoarrow.ArrayStream(make())).equals(expected)
    assert len(nanoarrow.Array(make())) == expected.num_rows
    arro3 = pytest.importorskip("arro3.core")
    assert pa.table(arro3.Table.from_arrow(make())).equals(expected)
    duckdb = pytest.importorskip("duckdb")
    stream = make()
    found = duckdb.sql("select * from stream").to_arrow_table()
    assert found.column_names == expected.column_names
    for name in expected.column_names:
        assert found[name].to_pylist() == expected[name].to_pylist(), name
    polars = pytest.importorskip("polars")
    assert polars.DataFrame(make()).equals(polars.from_arrow(expected))
    pandas = pytest.importorskip("pandas")
    # Of pandas 3.
    if hasattr(pandas.DataFrame, "from_arrow"):
        pandas.testing.assert_frame_equal(pandas.DataFrame.from_arrow(make()), expected.to_pandas())


def plain(column):
    return column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column


@pytest.mark.parametrize("table", ["games", "plies"])
def test_the_table_is_that_of_the_program(sample, program, table, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    output = tmp_path / "a.parquet"
    command = [program, "export", "--quiet", "--table", table, "--columns", "all", "--notation", "uci"]
    subprocess.run([*command, str(sample), "--output", str(output)], check=True)
    stream = getattr(pgnmill, table)(sample, columns="all", notation="uci", threads=2)
    batches = list(pa.RecordBatchReader.from_stream(stream))
    file = parquet.ParquetFile(output)
    assert file.num_row_groups == len(batches)
    written = parquet.read_table(output)
    found = pa.Table.from_batches(batches)
    assert found.schema.names == written.schema.names
    assert found.schema.equals(written.schema)
    for name in found.column_names:
        # A dictionary in a file has only the values that occur.
        assert plain(found[name]).equals(plain(written[name])), name
    groups = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
    assert groups == [batch.num_rows for batch in batches]


def test_every_source_is_the_same_table(sample, many, tmp_path):
    path = tmp_path / "many.pgn"
    path.write_bytes(many)
    expected = read(pgnmill.games(path, columns=["White", "moves", "byte_offset"], threads=1))
    again = [many, bytearray(many), memoryview(many), io.BytesIO(many), path.open("rb"), str(path), [path]]
    for source in again:
        table = read(pgnmill.games(source, columns=["White", "moves", "byte_offset"], threads=3))
        assert table.equals(expected)
    columns = ["White", "moves", "clocks", "byte_offset"]
    compressed = read(pgnmill.games(sample, columns=columns))
    for source in [sample.read_bytes(), io.BytesIO(sample.read_bytes())]:
        assert read(pgnmill.games(source, columns=columns)).equals(compressed)


def test_a_directory_and_a_list_are_read_in_order(tmp_path):
    for name in ["b.pgn", "a.pgn", "c.txt"]:
        (tmp_path / name).write_text(f'[White "{name}"]\n\n1. e4 *\n')
    white = lambda source: read(pgnmill.games(source, columns="White"))["White"].to_pylist()
    assert white(tmp_path) == ["a.pgn", "b.pgn"]
    assert white([tmp_path / "c.txt", tmp_path, b'[White "x"]\n\n*\n']) == ["c.txt", "a.pgn", "b.pgn", "x"]


def test_a_stream_is_read_once():
    stream = pgnmill.games(b"1. e4 *")
    other = stream.__arrow_c_stream__()
    assert read(stream).num_rows == 1
    with pytest.raises(pgnmill.Error, match="read once"):
        read(stream)
    del other
    assert stream.summary["accepted"] == 1


def test_the_second_of_two_capsules_cannot_be_read(many):
    stream = pgnmill.games(many)
    first = pa.RecordBatchReader.from_stream(stream)
    second = pa.RecordBatchReader.from_stream(stream)
    first.read_next_batch()
    with pytest.raises(Exception, match="read once"):
        second.read_next_batch()
    first.read_next_batch()


@pytest.mark.parametrize("batches", [None, 0, 1, 2])
@pytest.mark.parametrize("kind", [bytes, io.BytesIO])
def test_a_stream_that_is_not_read_to_its_end_frees_its_threads(many, batches, kind):
    before = threads_count()
    stream = pgnmill.plies(kind(many))
    if batches is not None:
        reader = pa.RecordBatchReader.from_stream(stream)
        for _ in range(batches):
            assert reader.read_next_batch().num_rows > 0
        assert (threads_count() > before) == (batches > 0)
        del reader
    del stream
    assert ends_with_threads(before)


def test_close_ends_the_threads_and_the_reading(many):
    before = threads_count()
    with pgnmill.games(many) as stream:
        reader = pa.RecordBatchReader.from_stream(stream)
        reader.read_next_batch()
    assert ends_with_threads(before)
    with pytest.raises(Exception, match="closed"):
        reader.read_next_batch()
    stream.close()
    with pytest.raises(pgnmill.Error, match="closed"):
        stream.summary
    with pytest.raises(pgnmill.Error):
        read(stream)


def test_a_read_that_never_returns_does_not_keep_a_stream_open():
    # In a process of its own: the thread that waits in the read ends with it.
    code = (
        "import threading, time, pgnmill, pyarrow as pa\n"
        "class Waits:\n"
        "    def read(self, size): threading.Event().wait(1000)\n"
        "stream = pgnmill.games(Waits())\n"
        "reader = pa.RecordBatchReader.from_stream(stream)\n"
        "raised = []\n"
        "def read():\n"
        "    try: reader.read_next_batch()\n"
        "    except OSError as error: raised.append(error)\n"
        "thread = threading.Thread(target=read)\n"
        "thread.start()\n"
        "time.sleep(0.3)\n"
        "begin = time.monotonic()\n"
        "stream.close()\n"
        "thread.join(5)\n"
        "print(time.monotonic() - begin < 1, raised)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert found.stdout.startswith("True [OSError('"), found


def test_the_summary_counts_games_rows_and_nulls():
    games = b'[White "a"]\n[WhiteElo "x"]\n\n1. e4 *\n\n[White "b"]\n\n1. e5 *\n\n[White "c"]\n\n1. d4 d5 *\n'
    stream = pgnmill.games(games, columns=["White", "WhiteElo"], where='White != "c"')
    assert stream.counts["read"] == 0
    read(stream)
    summary = stream.summary
    assert (summary["read"], summary["accepted"], summary["rejected"], summary["not_selected"]) == (3, 1, 1, 1)
    assert summary["rows"] == 1
    assert summary["null_counts"] == stream.null_counts == {"White": 0, "WhiteElo": 1}
    assert summary["unreadable"] == {"bad-rating": 1} or sum(summary["unreadable"].values()) == 1
    assert sum(summary["deviations"].values()) >= 1


class Failing(io.RawIOBase):
    """Games, and then an exception."""

    def __init__(self, text, error):
        self.text, self.error = io.BytesIO(text), error

    def read(self, size=-1):
        found = self.text.read(size)
        if not found:
            raise self.error
        return found


def test_an_exception_of_a_file_object_ends_the_stream(many):
    before = threads_count()
    raised = ZeroDivisionError("the source's own")
    stream = pgnmill.games(Failing(many, raised), columns=["White"])
    reader = pa.RecordBatchReader.from_stream(stream)
    rows = 0
    with pytest.raises(OSError, match="the source's own"):
        while True:
            rows += reader.read_next_batch().num_rows
    assert rows > 100_000
    assert isinstance(stream.error, pgnmill.InputError)
    assert stream.error.__cause__ is raised
    assert ends_with_threads(before)


def test_damage_in_the_middle_of_a_file_raises(sample, tmp_path):
    stored = bytearray(sample.read_bytes())
    middle = len(stored) // 2
    stored[middle : middle + 200] = bytes(200)
    path = tmp_path / "damaged.pgn.zst"
    path.write_bytes(stored)
    polars = pytest.importorskip("polars")
    for consume in (pa.table, polars.DataFrame):
        stream = pgnmill.plies(path)
        with pytest.raises(Exception, match="damaged"):
            consume(stream)
        error = stream.error
        assert isinstance(error, pgnmill.DamagedError)
        assert error.path == str(path)
        assert 0 < error.offset <= middle
    stream = pgnmill.plies(path, skip_damaged=True)
    assert read(stream).num_rows > 1000
    assert stream.summary["damaged_bytes"] > 0
    stream = pgnmill.games([path, b'[White "x"]\n\n*\n'], keep_going=True, columns="White")
    assert read(stream)["White"].to_pylist()[-1] == "x"
    assert stream.summary["failed"][0][0] == str(path)


def test_wrong_arguments_raise_at_once(tmp_path, sources):
    cases = [
        (lambda: pgnmill.games(tmp_path / "none.pgn"), pgnmill.MissingError, "none.pgn"),
        (lambda: pgnmill.games(tmp_path), pgnmill.UsageError, "holds no"),
        (lambda: pgnmill.games([]), pgnmill.UsageError, "no source"),
        (lambda: pgnmill.games(7), TypeError, "not int"),
        (lambda: pgnmill.games(None), TypeError, "not NoneType"),
        (lambda: pgnmill.games({"a": 1}), TypeError, "not dict"),
        (lambda: pgnmill.games([7]), TypeError, "not int"),
        (lambda: pgnmill.games(io.StringIO("x")), TypeError, "text mode"),
        (lambda: pgnmill.games(sources.open()), TypeError, "text mode"),
        (lambda: pgnmill.games(b"", columns="Wite"), pgnmill.UsageError, "no column Wite"),
        (lambda: pgnmill.games(b"", columns=[]), pgnmill.UsageError, "no column"),
        (lambda: pgnmill.games(b"", columns=7), TypeError, "columns takes a str or a list of str; not int"),
        (lambda: pgnmill.games(b"", notation="x"), pgnmill.UsageError, "no notation x"),
        (lambda: pgnmill.games(b"", where="x >"), pgnmill.UsageError, "where: "),
        (lambda: pgnmill.games(b"", threads="2"), TypeError, "threads takes an int or None; not str"),
        (lambda: pgnmill.games(b"", threads=-1), pgnmill.UsageError, "threads takes 0 to 1024; not -1"),
        (lambda: pgnmill.games(b"", where=7), TypeError, "where takes a str; not int"),
        (lambda: pgnmill.games(b"", strict="x"), TypeError, "strict takes True or False; not str"),
        (lambda: pgnmill.games(b"", allow=[7]), TypeError, "allow takes a str or a list of str; not int"),
        (lambda: pgnmill.games(b"", threads=5000), pgnmill.UsageError, "5000"),
        (lambda: pgnmill.games(b"", allow="x"), pgnmill.UsageError, "no deviation x"),
        (lambda: pgnmill.games(b"", split=7), TypeError, "pgnmill.Split"),
        (lambda: pgnmill.games(sources, split=7), TypeError, "pgnmill.Split"),
        (lambda: pgnmill.columns("x"), pgnmill.UsageError, "games, plies and positions"),
        (lambda: pgnmill.splits(tmp_path), pgnmill.Error, "no"),
        (lambda: pgnmill.splits(tmp_path / "x"), FileNotFoundError, "x"),
    ]
    for make, kind, message in cases:
        with pytest.raises(kind, match=message):
            make()
    closed = sources.open("rb")
    closed.close()
    with pytest.raises(ValueError, match="closed"):
        pgnmill.games(closed)


@pytest.mark.parametrize("found", ["text", None, 7])
def test_a_file_object_that_returns_no_bytes_is_refused(found):
    class Wrong:
        def read(self, size):
            return found

    stream = pgnmill.games(Wrong())
    with pytest.raises(OSError):
        read(stream)
    assert isinstance(stream.error.__cause__, (TypeError, ValueError))


def test_urls_are_opened_with_fsspec(sources):
    fsspec = pytest.importorskip("fsspec")
    memory = fsspec.filesystem("memory")
    for name in ["b", "a"]:
        memory.pipe(f"/games/{name}.pgn", b'[White "%s"]\n\n*\n' % name.encode())
    white = lambda url: read(pgnmill.games(url, columns=["White"]))["White"].to_pylist()
    assert white("memory://games/a.pgn") == ["a"]
    assert white("memory://games/*.pgn") == ["a", "b"]
    with pytest.raises(pgnmill.MissingError):
        pgnmill.games("memory://games/x*.pgn")
    with pytest.raises(OSError, match="none.pgn"):
        white("memory://games/none.pgn")
    with pytest.raises(pgnmill.InputError, match="nosuch"):
        pgnmill.games("nosuch://a")


def test_without_fsspec_a_url_is_an_error_that_names_it():
    code = (
        "import sys; sys.modules['fsspec'] = None; sys.modules['fsspec.core'] = None\n"
        "import pgnmill\n"
        "try: pgnmill.games('s3://a/b.pgn')\n"
        "except ImportError as error: print(type(error).__name__, error)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.startswith("PackageError s3://a/b.pgn requires the package fsspec")


def test_splits_are_the_archive(sample, many, tmp_path):
    plain = tmp_path / "many.pgn"
    plain.write_bytes(many)
    columns = ["White", "moves", "ply_count"]
    for path, size in [(plain, 5_000_000), (sample, 100_000)]:
        expected = read(pgnmill.games(path, columns=columns))
        parts = pgnmill.splits(path, target_bytes=size)
        assert len(parts) > 2
        assert [part.ordinal for part in parts] == list(range(len(parts)))
        of_source = pa.concat_tables([read(pgnmill.games(part, columns=columns)) for part in parts])
        beside = [read(pgnmill.games(path, split=part, columns=columns)) for part in parts]
        again = [pgnmill.Split.from_json(part.to_json()) for part in parts]
        assert again == parts
        assert of_source.combine_chunks().equals(expected.combine_chunks())
        assert pa.concat_tables(beside).combine_chunks().equals(expected.combine_chunks())
        assert read(pgnmill.games(parts, columns=columns)).combine_chunks().equals(expected.combine_chunks())
    plain.write_bytes(many[:-1])
    stream = pgnmill.games(plain, split=pgnmill.splits(plain)[0])
    plain.write_bytes(many)
    with pytest.raises(Exception, match="split 1 of 1 of .*many.pgn cannot be read: the archive has changed since it was divided: it had"):
        read(stream)


def names():
    return [column.name for column in pgnmill.columns()]


def test_columns_are_those_of_the_streams():
    stream = pgnmill.games(b"", columns="all")
    assert stream.columns == names()
    assert pgnmill.plies(b"", columns="all").columns == [c.name for c in pgnmill.columns("plies")]
    schema = pa.schema(stream)
    assert schema.names == names()
    assert repr(stream).startswith("Stream(games: Event,")


RUN = """
import io, os, signal, sys, threading, time
import pgnmill
import pyarrow as pa
game = b'[White "a"]\\n\\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\\n\\n'
class Endless:
    def read(self, size):
        return game * (size // len(game) + 1)
source = Endless() if sys.argv[1] == "object" else sys.argv[1]
def later():
    time.sleep(0.8)
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=later, daemon=True).start()
def consume(stream):
    if sys.argv[2] == "pyarrow":
        for batch in pa.RecordBatchReader.from_stream(stream): pass
    elif sys.argv[2] == "all":
        pa.table(stream)
    else:
        import polars
        sent_before = polars.DataFrame(stream)
import pyarrow
if sys.argv[2] == "polars":
    import polars
stream = pgnmill.games(source, columns=["White"])
try:
    with stream:
        consume(stream)
    print("no interrupt")
except KeyboardInterrupt:
    took = time.monotonic() - sent
    print("interrupted", took < 1.0, took)
print(len(os.listdir("/proc/self/task")) < 20)
"""


@pytest.mark.parametrize("consumer", ["pyarrow", "all", "polars"])
def test_an_interrupt_ends_a_stream(consumer):
    found = subprocess.run(
        [sys.executable, "-c", RUN, "object", consumer], capture_output=True, text=True, timeout=60
    )
    assert found.stdout.startswith("interrupted True"), found
    assert found.stdout.endswith("True\n"), found


def test_streams_can_be_read_in_threads(many):
    expected = read(pgnmill.games(many, columns=["White"]))
    tables = [None] * 4

    def work(index):
        source = io.BytesIO(many) if index % 2 else many
        tables[index] = read(pgnmill.games(source, columns=["White"], threads=2))

    threads = [threading.Thread(target=work, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert all(table.equals(expected) for table in tables)


def rows_of(stream_or_source):
    """For other processes."""
    import pyarrow

    return pyarrow.table(pgnmill.games(stream_or_source, columns=["White"])).num_rows


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes_can_read(sample, method):
    import multiprocessing

    expected = rows_of(sample)
    parts = pgnmill.splits(sample, target_bytes=200_000)
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert sum(pool.map(rows_of, parts)) == expected


def test_a_stream_can_be_made_before_a_fork():
    stream = pgnmill.games(b"1. e4 *" * 1, columns=["moves"])
    read_end, write_end = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write_end, str(len(list(pa.RecordBatchReader.from_stream(stream)))).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read_end, 10) == b"1"
    os.close(read_end)
    os.close(write_end)
    assert read(stream).num_rows == 1


def test_a_stream_that_is_being_read_ends_in_a_fork(many):
    reader = pa.RecordBatchReader.from_stream(pgnmill.games(many))
    reader.read_next_batch()
    child = os.fork()
    if child == 0:
        try:
            reader.read_next_batch()
        except OSError as error:
            os._exit(0 if "another process" in str(error) else 2)
        os._exit(1)
    assert os.waitpid(child, 0)[1] == 0
    assert sum(batch.num_rows for batch in reader) > 100_000


MEMORY = """
import resource, sys
import pgnmill
import pyarrow as pa
game = b'[White "a"]\\n[Black "b"]\\n\\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\\n\\n' * 1000
class Long:
    left = int(sys.argv[1])
    def read(self, size):
        self.left -= len(game)
        return game if self.left > 0 else b""
rows = 0
for batch in pa.RecordBatchReader.from_stream(pgnmill.games(Long(), threads=2)):
    rows += batch.num_rows
print(rows, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_memory_does_not_grow_with_the_archive():
    most = {}
    for size in [60_000_000, 240_000_000]:
        found = subprocess.run(
            [sys.executable, "-c", MEMORY, str(size)], capture_output=True, text=True, check=True
        )
        rows, most[size] = map(int, found.stdout.split())
        assert rows > size // 80
    assert most[240_000_000] < most[60_000_000] + 100_000


def test_many_streams_leave_nothing(sources):
    stored = sources.read_bytes()
    size = lambda: int(open("/proc/self/statm").read().split()[1]) * 4096
    before = threads_count()

    def some(count):
        for number in range(count):
            stream = pgnmill.games(stored, threads=2)
            if number % 3:
                reader = pa.RecordBatchReader.from_stream(stream)
                if number % 3 == 1:
                    reader.read_all()

    some(100)
    start = size()
    some(400)
    assert size() - start < 40_000_000
    assert ends_with_threads(before)
    assert len(os.listdir("/proc/self/fd")) < 200

"""Objects of stores: what is requested of them, and that a changed one is refused."""

import os
import threading

import pgnmill
import pytest
from archives import SAMPLE, SOURCES

pa = pytest.importorskip("pyarrow")
fsspec = pytest.importorskip("fsspec")


def rows(source, **options):
    return pa.table(pgnmill.games(source, columns=["White", "moves", "Result"], **options))


class Counted:
    """Counts the ranges that are requested of a filesystem, and their bytes."""

    def __init__(self, monkeypatch, system):
        self.ranges = []
        self.lock = threading.Lock()
        original = system.cat_file

        def counted(path, start=None, end=None, **options):
            with self.lock:
                self.ranges.append((path, start, end))
            return original(path, start=start, end=end, **options)

        monkeypatch.setattr(system, "cat_file", counted)

    @property
    def bytes(self):
        return sum(end - begin for _, begin, end in self.ranges)

    def take(self):
        """The calls and the bytes since the last time."""
        found = len(self.ranges), self.bytes
        self.ranges.clear()
        return found


@pytest.fixture
def memory():
    system = fsspec.filesystem("memory")
    system.pipe("/remote/sample.pgn.zst", SAMPLE.read_bytes())
    system.pipe("/remote/plain.pgn", SOURCES.read_bytes() * 400)
    yield system
    system.rm("/remote", recursive=True)


@pytest.fixture(scope="module")
def s3():
    """A server with the interface of S3, on the loopback."""
    server_module = pytest.importorskip("moto.server")
    s3fs = pytest.importorskip("s3fs")
    given = dict(os.environ)
    server = server_module.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    os.environ.update(
        AWS_ACCESS_KEY_ID="a", AWS_SECRET_ACCESS_KEY="b", AWS_DEFAULT_REGION="us-east-1",
        AWS_ENDPOINT_URL=f"http://{host}:{port}",
    )
    s3fs.S3FileSystem.clear_instance_cache()
    system = fsspec.filesystem("s3")
    system.mkdir("games")
    system.pipe_file("games/sample.pgn.zst", SAMPLE.read_bytes())
    system.pipe_file("games/plain.pgn", SOURCES.read_bytes() * 400)
    yield system
    server.stop()
    os.environ.clear()
    os.environ.update(given)


def test_splits_of_an_object_are_the_archive(memory):
    for url, target in [("memory://remote/sample.pgn.zst", 200_000), ("memory://remote/plain.pgn", 50_000)]:
        parts = pgnmill.splits(url, target_bytes=target)
        assert len(parts) > 5 and {part.archive for part in parts} == {url}
        assert all(pgnmill.Split.from_json(part.to_json()) == part for part in parts)
        expected = rows(url).combine_chunks()
        assert pa.concat_tables(map(rows, parts)).combine_chunks().equals(expected)
        assert rows(parts).combine_chunks().equals(expected)
        beside = [rows(url, split=part) for part in parts]
        assert pa.concat_tables(beside).combine_chunks().equals(expected)


def test_a_split_of_a_file_is_read_where_the_source_says(memory, tmp_path):
    part = pgnmill.splits(SOURCES, target_bytes=1000)[0]
    expected = rows(part)
    copy = tmp_path / "copy.pgn"
    copy.write_bytes(SOURCES.read_bytes())
    os.utime(copy, ns=(part.modified_ns, part.modified_ns))
    assert rows(copy, split=part).equals(expected)
    assert rows(copy.as_uri(), split=part).equals(expected)
    [game, *_] = pgnmill.open(copy, split=part)
    assert game.archive == str(SOURCES)
    for wrong in [b"", [copy], tmp_path, part, "memory://remote/*"]:
        with pytest.raises((pgnmill.UsageError, TypeError)):
            pgnmill.games(wrong, split=part)


def test_several_objects_have_their_urls_as_names(memory):
    found = pa.table(pgnmill.games("memory://remote/*.pgn", columns=["archive"]))["archive"].unique().to_pylist()
    assert found == ["memory:///remote/plain.pgn"]
    assert pgnmill.splits("memory://remote/*")[0].archive == found[0]


def test_an_object_that_was_written_again_is_refused(memory):
    url = "memory://remote/plain.pgn"
    parts = pgnmill.splits(url, target_bytes=300_000)
    same = SOURCES.read_bytes() * 400
    memory.pipe("/remote/plain.pgn", same)
    with pytest.raises(OSError, match="split 2 of 3 of memory://remote/plain.pgn cannot be read: the archive has changed"):
        rows(parts[1])
    memory.pipe("/remote/plain.pgn", same + b"\n")
    with pytest.raises(OSError, match="it had 690400 bytes, has 690401"):
        rows(parts[1])
    memory.rm("/remote/plain.pgn")
    with pgnmill.games(parts[1]) as stream, pytest.raises(OSError):
        pa.table(stream)
    assert isinstance(stream.error, pgnmill.MissingError)
    with pytest.raises(pgnmill.MissingError, match="plain.pgn"):
        pgnmill.splits(url)


def test_a_split_that_was_altered_is_refused():
    import dataclasses

    part = pgnmill.splits(SOURCES, target_bytes=1000)[1]
    for change in [{"begin": 0}, {"ordinal": 0}, {"archive": "other.pgn"}, {"seal": "0" * 16}]:
        with pytest.raises(pgnmill.UsageError, match="altered"):
            pgnmill.games(dataclasses.replace(part, **change))


def test_an_object_without_ranges_is_an_error_of_the_read(memory, monkeypatch):
    part = pgnmill.splits("memory://remote/plain.pgn", target_bytes=300_000)[1]
    whole = lambda system, path, start=None, end=None: bytes(system.store[path].getbuffer())
    monkeypatch.setattr(type(memory), "cat_file", whole)
    with pytest.raises(OSError, match="690400 bytes were returned"):
        rows(part)


def test_requests_are_few(memory, monkeypatch):
    counted = Counted(monkeypatch, memory)
    for name, target in [("sample.pgn.zst", 1 << 20), ("plain.pgn", 1 << 18)]:
        url = f"memory://remote/{name}"
        size = memory.info(f"/remote/{name}")["size"]
        parts = pgnmill.splits(url, target_bytes=target)
        listed = counted.take()
        for part in parts:
            rows(part)
        calls, read = counted.take()
        print(f"{name}: {size} bytes, {len(parts)} splits: listed {listed}, read {calls} calls, {read} bytes")
        assert listed[0] < 15 and listed[1] < 100 << 10
        assert calls <= 2 * len(parts) and read <= size + len(parts) * (192 << 10)


def test_s3(s3, monkeypatch):
    url = "s3://games/sample.pgn.zst"
    expected = rows(SAMPLE).combine_chunks()
    assert rows(url).combine_chunks().equals(expected)
    parts = pgnmill.splits(url, target_bytes=1_000_000)
    assert len(parts) > 2 and parts[0].etag and parts[0].modified_ns is None
    counted = Counted(monkeypatch, s3)
    size = SAMPLE.stat().st_size
    assert rows(url).num_rows == 10_000
    assert counted.take() == (1, size)
    assert len(pgnmill.splits(url, target_bytes=1_000_000)) == len(parts)
    calls, read = counted.take()
    assert calls < 15 and read < 100 << 10
    assert pa.concat_tables(map(rows, parts)).combine_chunks().equals(expected)
    calls, read = counted.take()
    # One read of each range, and one of the beginning of the next.
    assert calls <= 2 * len(parts) and read <= size + len(parts) * (128 << 10)
    assert len(pgnmill.splits("s3://games/*")) == 2
    measured = pgnmill.validate(url, quiet=True)
    assert measured.summary.games == 10_000


def test_s3_an_etag_that_changed_is_refused(s3):
    stored = SOURCES.read_bytes()
    s3.pipe_file("games/changed.pgn", stored)
    part = pgnmill.splits("s3://games/changed.pgn", target_bytes=1000)[0]
    assert rows(part).num_rows > 0
    s3.pipe_file("games/changed.pgn", stored.replace(b"1-0", b"0-1"))
    with pytest.raises(OSError, match="split 1 of 2 of s3://games/changed.pgn cannot be read.* its etag was .*, is "):
        rows(part)

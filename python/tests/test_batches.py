"""Laws of batches: arrays of NumPy have the values of the table, without a copy; plies and games are drawn as by the program."""

import itertools
import subprocess
import sys

import pgnmill
import pytest

from conftest import LICHESS, SOURCES

numpy = pytest.importorskip("numpy")
pyarrow = pytest.importorskip("pyarrow")

NUMBERS = ["byte_offset", "game", "ply", "board", "board_nibbles", "castling", "en_passant", "move_code", "material_balance",
           "game_index", "hash", "legal_moves"]
NULLABLE = ["outcome", "mover_rating", "opponent_rating", "clock_ms", "eval_cp", "spent_ms"]


def test_arrays_have_the_values_of_the_table():
    expected = pyarrow.table(pgnmill.plies(str(LICHESS), columns=[*NUMBERS, *NULLABLE]))
    for threads in (1, 2):
        stream = pgnmill.plies(str(LICHESS), columns=[*NUMBERS, *NULLABLE], threads=threads)
        batches = list(stream.arrays(null=-12345))
        assert sum(len(batch["ply"]) for batch in batches) == expected.num_rows == stream.summary["rows"]
        for name in [*NUMBERS, *NULLABLE]:
            found = numpy.concatenate([batch[name] for batch in batches])
            column = expected[name].combine_chunks()
            if pyarrow.types.is_fixed_size_binary(column.type):
                assert found.dtype == numpy.uint8 and found.shape == (expected.num_rows, column.type.byte_width)
                assert found.tobytes() == b"".join(column.to_pylist()), name
            else:
                assert found.tolist() == column.fill_null(-12345).to_pylist(), name


def test_names_dates_and_times_are_numbers():
    columns = ["mover", "phase", "piece"]
    expected = pyarrow.table(pgnmill.plies(str(SOURCES), columns=columns)).combine_chunks()
    [batch] = pgnmill.plies(str(SOURCES), columns=columns).arrays(null=99)
    for name in columns:
        names = expected[name].chunk(0).dictionary.to_pylist()
        assert [names[number] for number in batch[name]] == expected[name].to_pylist()
    [batch] = pgnmill.games(str(LICHESS), columns=["UTCDate", "UTCTime", "utc_timestamp"]).arrays()
    assert (batch["utc_timestamp"] == batch["UTCDate"].astype("int64") * 86_400_000 + batch["UTCTime"] // 1_000).all()


def test_arrays_are_not_copied_and_keep_their_memory():
    stream = pgnmill.plies(str(LICHESS), columns=["board", "ply"])
    batch = stream.next_batch()
    columns = dict(batch.columns())
    one, other = numpy.asarray(columns["board"]), numpy.asarray(columns["board"])
    assert one.ctypes.data == other.ctypes.data and not one.flags.owndata
    kept = one[1234].copy()
    stream.close()
    del batch, columns, stream, other
    assert (one[1234] == kept).all()


@pytest.mark.parametrize("copy", [False, True])
def test_arrays_are_read_only_unless_they_are_copies(copy):
    names = ["mover", "phase", "piece"]
    columns = [*NUMBERS, *NULLABLE, *names]
    for stream in (pgnmill.plies(str(LICHESS), columns=columns), pgnmill.games(str(LICHESS), columns=["UTCDate", "UTCTime", "year"])):
        for batch in stream.arrays(null=0, copy=copy):
            for name, array in batch.items():
                assert array.flags.writeable == copy, name
                if copy:
                    array[:] = 0
                    assert array.flags.owndata, name
                else:
                    with pytest.raises(ValueError, match="read-only"):
                        array[0] = 1
                    with pytest.raises(ValueError):
                        array.flags.writeable = True
    # What Arrow has of the batch is not that of the arrays, or cannot be changed by them.
    batch = pgnmill.plies(str(SOURCES), columns=names).next_batch()
    before = pyarrow.table(batch).to_pylist()
    for name, column in batch.columns():
        assert not numpy.asarray(column).flags.writeable, name
    assert pyarrow.table(batch).to_pylist() == before


def test_what_has_no_array_is_named():
    with pytest.raises(pgnmill.Error, match="outcome has nulls"):
        list(pgnmill.plies(b"1. e4 *", columns="outcome").arrays())
    for name in ("san", "nags"):
        with pytest.raises(pgnmill.UsageError, match=f"{name} has no arrays"):
            list(pgnmill.plies(b"1. e4 *", columns=name).arrays())
    with pytest.raises(OverflowError):
        list(pgnmill.plies(b"1. e4 *", columns="outcome").arrays(null=1 << 20))
    assert list(pgnmill.plies(b"", columns="ply").arrays()) == []
    stream = pgnmill.plies(b"1. e4 *", columns="ply")
    assert len(list(stream.arrays())) == 1
    with pytest.raises(pgnmill.Error):
        pyarrow.table(stream)


def test_errors_of_a_source_are_raised():
    class Failing:
        def read(self, size):
            raise ValueError("no more")

    with pytest.raises(pgnmill.InputError) as raised:
        list(pgnmill.plies([str(SOURCES), Failing()], columns="ply").arrays())
    assert isinstance(raised.value.__cause__, ValueError)


@pytest.mark.parametrize("options", [
    {"plies": "10..20"}, {"sample_plies": "5%", "seed": 7}, {"sample": "20%"}, {"plies": "3..", "sample_plies": "30%", "sample": "50%"},
])
def test_plies_are_drawn_as_by_the_program(options, tmp_path):
    columns = ["byte_offset", "ply", "uci"]
    found = pyarrow.table(pgnmill.plies(str(LICHESS), columns=columns, **options))
    words = itertools.chain.from_iterable((f"--{name.replace('_', '-')}", str(value)) for name, value in options.items())
    code = "import sys; from pgnmill._run_main import main; sys.exit(main())"
    output = tmp_path / "t.parquet"
    subprocess.run([sys.executable, "-c", code, "export", "--table", "plies", "--columns", ",".join(columns), "-q", "-o",
                    str(output), str(LICHESS), *words], check=True, capture_output=True)
    parquet = pytest.importorskip("pyarrow.parquet")
    assert found.to_pylist() == parquet.read_table(output).to_pylist()
    assert 0 < found.num_rows < 74_409
    run = pgnmill.export(str(LICHESS), table="plies", columns=columns, format="parquet", output=tmp_path / "u.parquet", **options)
    assert run.is_clean and parquet.read_table(tmp_path / "u.parquet").equals(parquet.read_table(output))


@pytest.mark.parametrize("options", [{"plies": "x"}, {"sample_plies": "5"}, {"sample": "0%"}, {"sample": "nan%"}])
def test_what_is_no_share_and_no_range_is_refused(options):
    with pytest.raises(pgnmill.UsageError):
        pgnmill.plies(b"", **options)


def test_parts_are_written_in_folders(tmp_path):
    pgnmill.export(str(LICHESS), parts="train:0.8,val:0.2", columns="byte_offset", output=tmp_path / "sets")
    parquet = pytest.importorskip("pyarrow.parquet")
    counts = [parquet.read_table(tmp_path / "sets" / f"part={name}" / "games.parquet", partitioning=None).num_rows
              for name in ("train", "val")]
    assert sum(counts) == 1_000 and 700 < counts[0] < 900

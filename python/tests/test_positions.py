"""Counted positions: the rows of the program's table without a file, and the answers of `explore` as objects.

Laws: a stream has the rows of the table that the program writes, whatever the threads and the memory, and its batches are
the row groups; its sums are those of python-chess; a stream that is not read to its end frees its threads; what `explore`
gives is what the program writes as JSON, and its text is the program's page; what is wrong is named.
"""

import io
import json
import subprocess
import sys
import time
from collections import Counter

import pgnmill
import pytest
from archives import DATA, SOURCES, program, trials
from conftest import threads_count

MASTERS = DATA / "masters.pgn.zst"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
VARIANTS = (
    b'[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. P@d4 1-0\n\n'
    b'[Variant "Chess960"]\n[SetUp "1"]\n[FEN "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq - 0 1"]\n\n1. e4 e5 *\n\n'
    b"1. e4 e5 2. d4 (2. Nf3 Nc6) exd4 1/2-1/2\n"
)


def wait_for(threads, seconds=3.0):
    end = time.monotonic() + seconds
    while threads_count() > threads and time.monotonic() < end:
        time.sleep(0.02)
    return threads_count() <= threads


@pytest.fixture(scope="module")
def games(tmp_path_factory):
    """An archive of some games of masters."""
    path = tmp_path_factory.mktemp("positions") / "masters.pgn"
    pgnmill.select(MASTERS, sample=trials(700, 4_000, 6_000), output=path, quiet=True)
    return path


@pytest.fixture(scope="module")
def tables(games):
    """Its table in each format, and a book."""
    made = {}
    for ending in ("parquet", "arrow", "csv", "jsonl", "bin"):
        made[ending] = games.with_name(f"table.{ending}")
        ended = pgnmill.write_positions(games, output=made[ending], max_ply=30)
        assert ended.is_clean and ended.data is None and int(ended.summary["position_moves"]) > 1000
    return made


def run_program(*words):
    ran = subprocess.run([program(), *map(str, words)], capture_output=True)
    return ran.returncode, ran.stdout, ran.stderr.decode()


OPTIONS = [
    {},
    {"max_ply": 0},
    {"max_ply": 12, "min_games": 3},
    {"sums": True, "variations": True},
    {"where": 'Result == "1-0" and ply_count >= 40', "deny": "check-mark-missing"},
    {"memory": "1MiB"},
    {"memory": 1 << 20, "max_ply": 0, "min_games": 2},
]


def words_of(options):
    words = []
    for name, value in options.items():
        option = f"--{name.replace('_', '-')}"
        words += [option] if value is True else [] if value is False else [option, str(value)]
    return words


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_a_stream_is_the_table_of_the_program(games, options, tmp_path):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    output = tmp_path / "t.parquet"
    code, _, errors = run_program("positions", "-q", *words_of(options), "-o", output, games)
    assert code == 0, errors
    written = parquet.read_table(output)
    for threads in (1, 2, 7):
        stream = pgnmill.positions(games, threads=threads, **options)
        found = pa.table(stream)
        assert set(found["rules"].to_pylist()) <= {"chess"}
        found = found.drop_columns(["rules"])
        assert found.schema.equals(written.schema) and found.equals(written)
        assert stream.columns == ["rules", *written.column_names] and stream.table == "positions"
        assert stream.summary["rows"] == written.num_rows > 300
        assert stream.summary["read"] == stream.counts["accepted"] + stream.summary["not_selected"]


def test_batches_are_the_row_groups_and_sources_do_not_matter(games, tmp_path):
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    output = tmp_path / "t.parquet"
    data = MASTERS if trials(1, 0, 0) else games
    pgnmill.write_positions(data, output=output, max_ply=0)
    file = parquet.ParquetFile(output)
    groups = [file.metadata.row_group(index).num_rows for index in range(file.num_row_groups)]
    assert len(groups) > 1
    batches = list(pa.RecordBatchReader.from_stream(pgnmill.positions(data, max_ply=0)))
    assert [batch.num_rows for batch in batches] == groups
    expected = pa.table(pgnmill.positions(games)).drop_columns(["sample_archive"])
    text = games.read_bytes()
    for source in (text, io.BytesIO(text), [games]):
        assert pa.table(pgnmill.positions(source)).drop_columns(["sample_archive"]).equals(expected)


def test_rows_of_other_rulesets_have_their_names():
    pa = pytest.importorskip("pyarrow")
    stream = pgnmill.positions(VARIANTS)
    rows = pa.table(stream).to_pylist()
    assert Counter(row["rules"] for row in rows) == {"crazyhouse": 5, "chess960": 2, "chess": 4}
    assert [row["uci"] for row in rows if row["rules"] == "crazyhouse" and "@" in row["uci"]] == ["P@d4"]
    # The column is in the schema before anything is known.
    assert pgnmill.positions(b"").columns[0] == "rules"
    written = pgnmill.write_positions(VARIANTS).data.decode()
    assert written.startswith("rules,") and written.count("\n") == len(rows) + 1
    of_rules = pa.table(pgnmill.positions(b"1. e4 d5 2. exd5 *", rules="crazyhouse")).to_pylist()
    assert {row["rules"] for row in of_rules} == {"crazyhouse"}


def test_polars_and_duckdb_add_up_what_the_table_has(games):
    polars = pytest.importorskip("polars")
    rows = polars.DataFrame(pgnmill.positions(games, max_ply=1))
    with pgnmill.positions(games, max_ply=1) as stream:
        assert stream.to_polars().equals(rows)
    start = rows.filter(polars.col("fen") == START)
    # Each game has a first move, and some begin elsewhere: a position has as many games as moves of it.
    summary = pgnmill.validate(games).summary
    assert start["games"].sum() == rows["games"].sum() == summary.accepted + summary.repaired
    results = pgnmill.stats(games)["result"]
    assert (start["white"].sum(), start["draws"].sum(), start["black"].sum()) == (
        results["1-0"], results["1/2-1/2"], results["0-1"]
    )
    rows = polars.DataFrame(pgnmill.positions(games, sums=True, max_ply=9))
    means = polars.DataFrame(pgnmill.positions(games, max_ply=9))
    rated = means.filter(polars.col("rated_games") > 0)
    again = rows.filter(polars.col("rated_games") > 0).select(polars.col("rating_sum") / polars.col("rated_games"))
    assert rated["rating_mean"].to_list() == again["rating_sum"].to_list()
    duckdb = pytest.importorskip("duckdb")
    stream = pgnmill.positions(games, max_ply=2)
    [(most, count)] = duckdb.sql(
        f"select san, games from stream where fen = '{START}' order by games desc limit 1"
    ).fetchall()
    assert (most, count) == (start["san"][0], start["games"][0])


def test_splits_add_up_to_the_archive(games):
    polars = pytest.importorskip("polars")
    columns = ["games", "white", "draws", "black", "rated_games", "rating_sum", "opponent_rating_sum"]
    add = lambda frame: frame.group_by("fen", "uci").agg(polars.col(columns).sum()).sort("fen", "uci")
    parts = pgnmill.splits(games, target_bytes=100_000)
    rows = [polars.DataFrame(pgnmill.positions(games, split=part, sums=True)) for part in parts]
    assert len(parts) > 2 and all(len(frame) > 100 for frame in rows)
    whole = polars.DataFrame(pgnmill.positions(games, sums=True))
    assert add(polars.concat(rows)).equals(add(whole))
    of_parts = polars.concat([polars.DataFrame(pgnmill.positions(part, sums=True)) for part in parts])
    assert add(of_parts).equals(add(whole))


def test_python_chess_counts_the_same(games):
    chess = pytest.importorskip("chess")
    chess_pgn = pytest.importorskip("chess.pgn")
    polars = pytest.importorskip("polars")
    text = io.StringIO(pgnmill.select(games, head=trials(60, 400, 4_000), quiet=True).data.decode())
    counted, results = Counter(), Counter()
    while (game := chess_pgn.read_game(text)) is not None:
        board, met = game.board(), set()
        for move in game.mainline_moves():
            if board.ply() >= 40:
                break
            fen = board.fen(en_passant="legal").rsplit(" ", 2)[0]
            met.add((fen, board.uci(move), board.san(move)))
            board.push(move)
        for pair in met:
            counted[pair] += 1
            results[(*pair, game.headers["Result"])] += 1
    rows = polars.DataFrame(pgnmill.positions(text.getvalue().encode(), max_ply=40))
    found = {(row["fen"], row["uci"], row["san"]): row for row in rows.iter_rows(named=True)}
    assert {pair: row["games"] for pair, row in found.items()} == dict(counted)
    for pair, row in found.items():
        white, draws, black = (results[(*pair, result)] for result in ("1-0", "1/2-1/2", "0-1"))
        assert (row["white"], row["draws"], row["black"]) == (white, draws, black)
        points = (white if " w " in row["fen"] else black) + draws / 2
        total = white + draws + black
        assert row["score"] == (points / total if total else None)


@pytest.mark.parametrize("batches", [None, 0, 1])
def test_a_stream_that_is_not_read_to_its_end_frees_its_threads(games, batches):
    pa = pytest.importorskip("pyarrow")
    pa.table(pgnmill.positions(b"1. e4 *")).to_pandas()
    before = threads_count()
    data = [games] * 3
    stream = pgnmill.positions(data, max_ply=0)
    if batches is not None:
        reader = pa.RecordBatchReader.from_stream(stream)
        for _ in range(batches):
            assert reader.read_next_batch().num_rows > 0
        del reader
    stream.close()
    assert wait_for(before)
    with pytest.raises(pgnmill.Error, match="closed|read once"):
        pa.table(stream)


MEMORY = """
import resource, sys
import pgnmill
import pyarrow as pa
MOVES = ["a3", "a4", "b3", "b4", "c3", "c4", "d3", "d4", "e3", "e4", "f3", "f4", "g3", "g4", "h3", "h4"]
REPLIES = [move.replace("3", "6").replace("4", "5") for move in MOVES]
class Long:
    number, left = 0, int(sys.argv[1])
    def read(self, size):
        if self.left <= 0:
            return b""
        self.left -= 1000
        lines = []
        for _ in range(1000):
            number = self.number = self.number * 1103515245 + 12345 & (1 << 40) - 1
            moves = [f"{MOVES[number >> 8 & 15]} {REPLIES[number >> 12 & 15]}"]
            moves += [f"2. {('Nc3', 'Nf3')[number >> 16 & 1]} {('Nc6', 'Nf6')[number >> 17 & 1]}"]
            lines.append(f'[White "{number}"]\\n\\n1. {" ".join(moves)} *\\n\\n')
        return "".join(lines).encode()
rows = 0
stream = pgnmill.positions(Long(), threads=2, memory="8MiB")
for batch in pa.RecordBatchReader.from_stream(stream):
    rows += batch.num_rows
print(rows, stream.counts["accepted"], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def test_memory_does_not_grow_with_the_archive():
    pytest.importorskip("pyarrow")
    most = {}
    sizes = trials((50_000, 200_000), (200_000, 800_000), (200_000, 2_000_000))
    for size in sizes:
        found = subprocess.run(
            [sys.executable, "-c", MEMORY, str(size)], capture_output=True, text=True, check=True
        )
        rows, accepted, most[size] = map(int, found.stdout.split())
        assert 500 < rows < 5_000 and size * 3 // 4 < accepted < size
    # 200,000 games of four plies are 45 MB of pairs.
    assert most[sizes[1]] < most[sizes[0]] + 25_000


LATE = """
import os, signal, sys, threading, time
import pgnmill, pyarrow
signal.signal(signal.SIGINT, signal.default_int_handler)
count = int(sys.argv[2])
def begun():
    return pgnmill.positions([sys.argv[1]] * 2, max_ply=0, min_games=10**9, memory="1MiB")
def wait(stream):
    # Until everything has been read: what follows is the merge of pairs, of which no row is given.
    while stream.counts["read"] < count: time.sleep(0.001)
    return time.monotonic()
def whole():
    times = []
    stream = begun()
    thread = threading.Thread(target=lambda: times.append(wait(stream)))
    thread.start()
    assert pyarrow.table(stream).num_rows == 0
    end = time.monotonic()
    thread.join()
    return end - times[0]
def later(stream):
    wait(stream)
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
took, stream = whole(), begun()
threading.Thread(target=later, args=(stream,), daemon=True).start()
try:
    with stream: pyarrow.table(stream)
    print("read to its end", took)
except KeyboardInterrupt:
    ended = time.monotonic() - sent
    print("interrupted", ended < 0.1 + took / 3, ended, took)
"""


def test_an_interrupt_ends_the_merge_too():
    pytest.importorskip("pyarrow")
    count = pgnmill.validate(MASTERS).summary.games
    ran = subprocess.run(
        [sys.executable, "-c", LATE, str(MASTERS), str(2 * count)], capture_output=True, text=True, timeout=60
    )
    assert ran.stdout.startswith("interrupted True"), ran


@pytest.mark.parametrize(
    "options, kind, message",
    [
        ({"max_ply": -1}, pgnmill.UsageError, "max_ply takes 0 to 4294967295; not -1"),
        ({"max_ply": "9"}, TypeError, "max_ply takes an int; not str"),
        ({"min_games": True}, TypeError, "min_games takes an int; not bool"),
        ({"memory": "9KiB"}, pgnmill.UsageError, "memory: it is 1MiB or more; not 9KiB"),
        ({"memory": "much"}, pgnmill.UsageError, "memory: a size is a number of bytes"),
        ({"memory": 1.5}, TypeError, "memory takes an int or a str; not float"),
        ({"rules": "chess1000"}, pgnmill.UsageError, "no ruleset chess1000"),
        ({"where": "x >"}, pgnmill.UsageError, "where: "),
        ({"sums": "yes"}, TypeError, "sums takes True or False; not str"),
        ({"threads": 5000}, pgnmill.UsageError, "5000"),
    ],
)
def test_wrong_options_are_named(options, kind, message):
    with pytest.raises(kind, match=message):
        pgnmill.positions(b"1. e4 *", **options)


def test_a_damaged_source_ends_the_stream(tmp_path):
    pa = pytest.importorskip("pyarrow")
    stored = bytearray(MASTERS.read_bytes())
    middle = len(stored) // 2
    stored[middle : middle + 200] = bytes(200)
    path = tmp_path / "damaged.pgn.zst"
    path.write_bytes(stored)
    stream = pgnmill.positions(path, max_ply=10)
    with pytest.raises(pgnmill.DamagedError, match="damaged"), stream:
        pa.table(stream)
    stream = pgnmill.positions([path, b"1. e4 *"], keep_going=True, max_ply=10)
    assert pa.table(stream).num_rows > 100 and stream.summary["failed"][0][0] == str(path)


def test_files_are_those_of_the_program(games, tmp_path):
    for ending, words, options in [
        ("parquet", ["--level", "9"], {"level": 9}),
        ("arrow", ["--sums"], {"sums": True}),
        ("csv", ["--max-ply", "8", "--min-games", "2"], {"max_ply": 8, "min_games": 2}),
        ("bin", ["--only", "white", "--min-score", "40", "--uniform"], {"only": "white", "min_score": 40, "uniform": True}),
    ]:
        mine, other = tmp_path / f"mine.{ending}", tmp_path / f"other.{ending}"
        assert run_program("positions", "-q", *words, "-o", other, games)[0] == 0
        pgnmill.write_positions(games, output=mine, memory=1 << 20, **options)
        assert mine.read_bytes() == other.read_bytes(), ending
    data = pgnmill.write_positions(games, format="csv", max_ply=8, min_games=2).data
    assert data == (tmp_path / "other.csv").read_bytes()


def test_sums_are_merged_as_by_the_program(games, tmp_path):
    paths = [tmp_path / "a.parquet", tmp_path / "b.arrow"]
    for path, source in zip(paths, (games, SOURCES)):
        pgnmill.write_positions(source, sums=True, output=path)
    both = pgnmill.write_positions([games, SOURCES], output=tmp_path / "both.csv", min_games=2)
    merged = pgnmill.merge_positions(paths, min_games=2)
    assert merged.data == both.output.read_bytes() and merged.command == "merge"
    assert pgnmill.merge_positions(paths, output=tmp_path / "sum.bin").output.stat().st_size > 0
    with pytest.raises(pgnmill.UsageError, match="CSV|csv"):
        pgnmill.merge_positions([both.output, paths[0]])
    with pytest.raises(TypeError, match="tables is a list of paths, not str"):
        pgnmill.merge_positions(str(paths[0]))


# Positions as texts, and as the options of the program.
ASKED = [
    ("", {}),
    ("1. e4 c5", {}),
    ("e2e4 c7c5 g1f3", {}),
    ("1. d4 Nf6 2. c4 e6 3. Nc3 Bb4", {}),
    ("1. P-K4 P-QB4", {"from_notation": "descriptive"}),
    ("rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1", {}),
    ("rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -", {}),
    ("1. a3 a6 2. a4 a5 3. Ra3", {}),
    ("", {"depth": 4}),
    ("1. e4", {"depth": 6, "share": 3}),
    ("1. e4", {"depth": 2, "share": 0.0}),
    ("8/8/8/8/8/k7/8/K7 w - -", {"depth": 3}),
]


def asked_words(position, options):
    words = [position] if position else []
    for name, value in options.items():
        words += ["--from" if name == "from_notation" else f"--{name}", str(value)]
    return words


@pytest.mark.parametrize("ending", ["parquet", "arrow", "csv", "jsonl", "bin"])
@pytest.mark.parametrize("asked", ASKED, ids=str)
def test_what_is_found_is_what_the_program_writes(tables, ending, asked):
    position, options = asked
    words = asked_words(position, options)
    code, out, errors = run_program("explore", "--format", "json", tables[ending], *words)
    explored = pgnmill.explore(tables[ending], position or None, **options)
    assert code == (0 if explored.is_found else 1), errors
    records = json.loads(out)
    assert explored.rows() == records
    assert [list(row) for row in explored.rows()] == [list(record) for record in records]
    # The page is that of the program, but for its advice, which names options as Python does.
    code, page, errors = run_program("explore", tables[ending], *words)
    assert explored.text.replace("share 5 or a smaller depth", "--share 5 or a smaller --depth") == page.decode()
    assert repr(explored) == explored.text.rstrip("\n")
    assert page.decode().splitlines()[:2] == [explored.name, explored.fen]
    assert bool(explored) == explored.is_found == bool(records)


def test_totals_are_those_of_the_moves(tables):
    for ending in ("parquet", "csv"):
        for position in ("", "1. e4", "1. d4 Nf6"):
            explored = pgnmill.explore(tables[ending], position)
            for name in ("games", "white", "draws", "black"):
                assert getattr(explored, name) == sum(getattr(move, name) for move in explored.moves)
            assert explored.weight is None and len(explored) == len(explored.moves) > 1
            assert [move.games for move in explored] == sorted((move.games for move in explored), reverse=True)
            assert abs(sum(move.share for move in explored) - 1) < 1e-9
            rated = sum(move.rated_games for move in explored)
            ratings = sum(move.rating_mean * move.rated_games for move in explored if move.rated_games)
            assert explored.rating_mean == (pytest.approx(ratings / rated) if rated else None)
            dates = [move.last_date for move in explored if move.last_date]
            assert explored.last_date == max(dates, default=None)
            # A tree of one ply of all moves is the same.
            tree = pgnmill.explore(tables[ending], position, depth=1, share=0)
            assert tree.moves == explored.moves and tree.games == explored.games
    book = pgnmill.explore(tables["bin"], "1. e4")
    assert book.games is None and book.white is None
    assert book.weight == sum(move.weight for move in book) > 0


def test_a_tree_has_each_move_after_those_before_it(tables):
    tree = pgnmill.explore(tables["parquet"], "1. e4", depth=5, share=2)
    moves = list(tree.all_moves())
    assert len({move.line for move in moves}) == len(moves) > 20
    for move in moves:
        assert move.depth == len(move.line) and move.line[-1] == str(move) == move.san
        for after in move.moves:
            assert after.line == (*move.line, after.san) and after.depth == move.depth + 1
            assert after.games <= tree.games and after.share >= 0.02
        # What is after it is what the table has of the position after it.
        if move.depth == 2:
            there = pgnmill.explore(tables["parquet"], ["e4", *move.line])
            alone = {one.san: one.games for one in there}
            assert all(alone[after.san] == after.games for after in move.moves)
            assert {after.fen for after in move.moves} <= {there.fen}


def test_a_sample_is_a_game_with_the_move(tables):
    explored = pgnmill.explore(tables["csv"], "1. e4 c5")
    for move in explored.moves[:3]:
        shown = " ".join(pgnmill.explain(move.sample_archive, at=move.sample_offset).text.split())
        assert f"at bytes {move.sample_offset} to" in shown
        [game] = [game for game in pgnmill.open(move.sample_archive) if game.offset == move.sample_offset]
        assert game.san()[:3] == ["e4", "c5", move.san]


def test_every_ruleset_is_found(tmp_path):
    table = tmp_path / "variants.parquet"
    pgnmill.write_positions(VARIANTS, output=table)
    found = pgnmill.explore(table, "1. e4 d5 2. exd5 Qxd5", rules="crazyhouse")
    assert [move.san for move in found] == ["@d4"] or [move.uci for move in found] == ["P@d4"]
    assert found.rules == "crazyhouse" and found.opening is None
    found = pgnmill.explore(table, "bqnbrkrn/pppppppp/8/8/8/8/PPPPPPPP/BQNBRKRN w KQkq -", rules="chess960")
    assert [move.san for move in found] == ["e4"]
    book = tmp_path / "book.bin"
    pgnmill.write_positions(SOURCES, output=book)
    with pytest.raises(pgnmill.UsageError, match="a Polyglot book has positions of chess and Chess960 alone"):
        pgnmill.explore(book, rules="crazyhouse")


def test_what_is_wrong_is_named(tables, tmp_path):
    table = tables["csv"]
    other = tmp_path / "other.csv"
    other.write_text("a,b\n1,2\n")
    cut = tmp_path / "cut.parquet"
    cut.write_bytes(tables["parquet"].read_bytes()[:-100])
    cases = [
        (lambda: pgnmill.explore(tmp_path / "none.parquet"), pgnmill.MissingError, "none.parquet"),
        (lambda: pgnmill.explore(tmp_path), pgnmill.UsageError, "is no file"),
        (lambda: pgnmill.explore(other), pgnmill.InputError, "other.csv.*its header has no column fen"),
        (lambda: pgnmill.explore(cut), pgnmill.InputError, "cut.parquet"),
        (lambda: pgnmill.explore(SOURCES), pgnmill.InputError, "sources.pgn"),
        (lambda: pgnmill.explore(table, "1. e4 e5 2. Ke3"), pgnmill.UsageError, "ply 3: Ke3"),
        (lambda: pgnmill.explore(table, "8/8/8/8/8/8/8/K7 w - -"), pgnmill.UsageError, "is no FEN record of .*king"),
        (lambda: pgnmill.explore(table, "e4 {x}"), pgnmill.UsageError, "a position is a FEN record or moves, without '{'"),
        (lambda: pgnmill.explore(table, "e4 " * 9000), pgnmill.UsageError, "a position has at most 20000 bytes"),
        (lambda: pgnmill.explore(table, from_notation="sam"), pgnmill.UsageError, "no notation sam"),
        (lambda: pgnmill.explore(table, rules="chess1000"), pgnmill.UsageError, "no ruleset chess1000"),
        (lambda: pgnmill.explore(table, depth=0), pgnmill.UsageError, "depth is 1 or more, not 0"),
        (lambda: pgnmill.explore(table, depth=2, share=101), pgnmill.UsageError, "share is a number of percent"),
        (lambda: pgnmill.explore(table, share=5), pgnmill.UsageError, "give depth, too"),
        (lambda: pgnmill.explore(table, depth="2"), TypeError, "depth is an int, not str"),
        (lambda: pgnmill.explore(table, depth=2, share="5"), TypeError, "share is a number of percent, not str"),
        (lambda: pgnmill.explore(7), TypeError, "table is a path, not int"),
        (lambda: pgnmill.explore(table, 7), TypeError, "position is a str or a list of str, not int"),
        (lambda: pgnmill.explore(table, ["e4", 7]), TypeError, "position is a str or a list of str, not list"),
    ]
    for call, kind, message in cases:
        with pytest.raises(kind, match=message) as raised:
            call()
        assert isinstance(raised.value, (pgnmill.Error, TypeError)) and "--" not in str(raised.value)


SLOW = """
import os, signal, sys, threading, time
import pgnmill
signal.signal(signal.SIGINT, signal.default_int_handler)
begun = time.monotonic()
pgnmill.explore(sys.argv[1])
took = time.monotonic() - begun
def later():
    time.sleep(took / 4)
    global sent
    sent = time.monotonic()
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=later, daemon=True).start()
try:
    pgnmill.explore(sys.argv[1])
except KeyboardInterrupt:
    ended = time.monotonic() - sent
    print("interrupted", ended < 0.1 + took / 4, ended, took)
"""


def test_an_interrupt_ends_a_search(tmp_path):
    # A table that is read for some time: one row, again and again.
    table = tmp_path / "long.jsonl"
    [row] = pgnmill.write_positions(b"1. e4 *", format="jsonl").data.decode().splitlines()
    row = row.replace(" w ", " b ")
    table.write_text(f"{row}\n" * trials(200_000, 1_000_000, 1_000_000))
    ran = subprocess.run([sys.executable, "-c", SLOW, str(table)], capture_output=True, text=True, timeout=60)
    assert ran.stdout.startswith("interrupted True"), ran


def test_a_notebook_shows_a_board_and_a_table(tables):
    from test_html import Checked

    explored = pgnmill.explore(tables["parquet"], "1. e4")
    page = explored._repr_html_()
    words = Checked(page).words
    assert explored.name in words and "total" in words
    for move in explored.moves[:10]:
        assert f">{move.san}<" in page and f">{move.games:,}<" in page
    tree = pgnmill.explore(tables["parquet"], depth=3)
    assert ">1. e4<" in tree._repr_html_() and "> 1... " in tree._repr_html_()
    assert "is not in" in pgnmill.explore(tables["csv"], "8/8/8/8/8/k7/8/K7 w - -")._repr_html_()
    assert "<th>weight</th>" in pgnmill.explore(tables["bin"])._repr_html_()


def test_columns_are_documented():
    assert [column.name for column in pgnmill.columns("positions")] == pgnmill.positions(b"").columns
    assert all(column.doc for column in pgnmill.columns("positions"))

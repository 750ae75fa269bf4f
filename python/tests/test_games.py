"""Games as objects: laws against python-chess and the program, and hostile uses."""

import csv
import gc
import io
import itertools
import multiprocessing
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pgnmill
import pytest
from archives import CORPORA, GAMES_MAX, SAMPLE, SOURCES, corpus, program

TEXT = (
    b'[White "Ann \\"A.\\" Lee"]\n[Black "M\xfcller"]\n[White "Ann"]\n\n'
    b"{first} 1. e4! {[%clk 0:03:00] [%eval 0.17] Best.} (1. d4 {[%clk 0:09:00]} d5) "
    b"e5 $6 {[%clk 0:02:59.5] [%emt 0:00:00.5] [%eval #-3]} 2. -- Nc6 1-0\n\n"
    b'[White "B"]\n\n1. e4 e5\n2. Ke3 *\n'
)


def facts(game):
    """Everything that a game gives."""
    moves = [
        (m.ply, m.san, m.uci, m.text, m.fen, m.clock_ms, m.emt_ms, m.eval_cp, m.eval_mate, m.nags, m.comment)
        for m in game.moves
    ]
    return (
        (game.number, game.offset, game.archive, game.text, game.tags, game.verdict, game.fault, game.result),
        (game.notation, game.initial_fen, game.comments, game.clocks, game.evals_cp, game.evals_mate),
        (game.san(), game.uci(), game.fens(), game.movetext(), repr(game), moves),
    )


def test_one_game_with_everything():
    first, second = pgnmill.open(TEXT, allow="null-move-main-line")
    assert first.tags == {"White": "Ann", "Black": "Müller"}
    assert list(first.tags) == ["White", "Black"]
    assert first.san() == ["e4", "e5", "--", "Nc6"]
    assert first.uci() == ["e2e4", "e7e5", "0000", "b8c6"]
    assert first.comments[0] == "first" and len(first.comments) == 4
    assert first.clocks == [180_000, 179_500, None, None]
    assert first.evals_cp == [17, None, None, None]
    assert first.evals_mate == [None, -3, None, None]
    assert [m.nags for m in first.moves] == [[1], [6], [], []]
    assert [m.emt_ms for m in first.moves] == [None, 500, None, None]
    assert first.moves[0].comment == "Best."
    assert first.movetext() == "1. e4 e5 2. -- Nc6 1-0"
    assert first.in_notation("long") == ["e2-e4", "e7-e5", "--", "Nb8-c6"]
    assert [m.in_notation("long") for m in first.moves] == first.in_notation("long")
    assert len(first.fens()) == first.ply_count + 1 == 5
    assert (first.result, first.verdict, first.fault) == ("1-0", "repaired", None)
    assert second.verdict == "rejected"
    fault = second.fault
    assert (fault.kind, fault.text, fault.ply) == ("move-illegal", "Ke3", 3)
    assert (fault.line, fault.column) == (TEXT[: fault.offset].count(b"\n") + 1, 4)
    assert TEXT[fault.offset :].startswith(b"Ke3")
    assert second.san() == ["e4", "e5"]
    assert fault.fen == second.fens()[-1]


def words(comments):
    return " ".join(comments).split()


def check_against_python_chess(game):
    """The laws for one game that is not rejected."""
    chess = pytest.importorskip("chess")
    chess_pgn = pytest.importorskip("chess.pgn")
    text = game.text.decode("utf-8", "replace").lstrip("\ufeff")
    if game.verdict == "repaired" and re.search(r"\bo-o", text):
        return  # python-chess reads castling in capitals only
    # python-chess ends a game at an empty line in its movetext.
    tags, end, movetext = text.rpartition('"]\n')
    other = chess_pgn.read_game(io.StringIO(tags + end + "\n" + re.sub(r"\n\s*\n", "\n", movetext.lstrip("\n"))))
    assert not other.errors
    for name, value in game.tags.items():
        if name in other.headers and value.isascii():
            assert other.headers[name].replace('\\"', '"').replace("\\\\", "\\") == value, name
    nodes = list(other.mainline())
    assert game.uci() == [node.uci() for node in nodes]
    assert game.san() == [node.san() for node in nodes]
    boards = [other.board(), *(node.board() for node in nodes)]
    if not other.board().chess960:
        assert game.fens() == [board.fen() for board in boards]
    else:
        assert [fen.split(" ")[:2] for fen in game.fens()] == [board.fen().split(" ")[:2] for board in boards]
    moves = game.moves
    for move, node in zip(moves, nodes, strict=True):
        # `???` is no suffix: the repair drops it, python-chess reads `??` and `?`.
        assert set(move.nags) == node.nags or (game.verdict == "repaired" and node.nags == {2, 4})
        assert move.is_white == (node.turn() == chess.BLACK)
        if (clock := node.clock()) is not None:
            assert move.clock_ms == pytest.approx(clock * 1000, abs=1)
        if (score := node.eval()) is not None and "," not in node.comment:
            assert (move.eval_cp, move.eval_mate) == (score.white().score(), score.white().mate())
    assert game.clocks == [move.clock_ms for move in moves]
    assert game.ply_count == len(nodes)
    comments = [other.comment, *(node.comment for node in nodes)]
    if any(node.variations[1:] for node in [other, *nodes]):
        assert Counter(words(comments)) - Counter(words(game.comments)) == Counter()
    else:
        assert words(game.comments) == words(comments)
    # The tag pair may contradict the movetext.
    if game.tags.get("Result") == other.headers["Result"] != "*" and text.rstrip().endswith(other.headers["Result"]):
        assert game.result == other.headers["Result"]


@pytest.mark.parametrize(
    "name",
    [
        "data/sources.pgn",
        "data/lichess.pgn.zst",
        "tests/generated/lichess-sample.pgn.zst",
        "annotated/chess_db.pgn.zst",
        "bench/lichess-clocks.pgn.zst",
        "bench/masters.pgn.zst",
        "chess960/PGN__chess960_001.pgn",
        "engine/TCEC_Cup_3_Final.pgn",
        "lichess/lichess_magnus.pgn.zst",
        "lichess/lichess_DrDrunkenstein_2019-01-29.pgn",
        "otb/linares_2002.pgn",
    ],
)
def test_games_are_those_of_python_chess(name):
    is_ours = name.startswith(("data/", "tests/"))
    path = SOURCES.parent.parent / name if is_ours else corpus(name)
    compared = 0
    with pgnmill.open(path) as games:
        for game in itertools.islice(games, GAMES_MAX):
            # Games of other rules have no moves here.
            is_chess = game.tags.get("Variant", "Standard") in ("Standard", "From Position", "Chess960", "chess960")
            if game.verdict != "rejected" and game.notation == "san" and is_chess:
                check_against_python_chess(game)
                compared += 1
    assert compared > 0


def test_games_are_in_the_order_of_the_text():
    games = list(pgnmill.open(SAMPLE))
    assert len(games) == 10_000
    assert [game.number for game in games] == list(range(1, 10_001))
    offset = 0
    for game in games:
        assert game.offset == offset
        offset += len(game.text)


def every_pathological_archive():
    corpus("pathological")
    return sorted(path for path in (CORPORA / "pathological").rglob("*.pgn"))


def readable(path):
    """The games of an archive, or None if it is of another format."""
    try:
        return list(pgnmill.open(path))
    except pgnmill.Error:
        return None


def fault_rows(path, folder):
    table = folder / "faults.csv"
    command = [program(), "validate", "-q", "--overwrite", "--faults", str(table), str(path)]
    subprocess.run(command, capture_output=True, check=False)
    with table.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def test_faults_are_those_of_the_program(tmp_path):
    compared = 0
    cut = tmp_path / "cut.pgn"
    cut.write_bytes(TEXT)
    for path in [cut, *every_pathological_archive()]:
        games = readable(path)
        if games is None:
            continue
        found = [
            (g.fault.kind, g.fault.detail, g.fault.text, g.fault.offset, g.fault.line, g.fault.column, g.fault.ply)
            for g in games
            if g.verdict == "rejected"
        ]
        rows = fault_rows(path, tmp_path)
        expected = [
            (r["kind"], r["detail"], r["text"], int(r["byte_offset"]), int(r["line"]), int(r["column"]), int(r["ply"]))
            for r in rows
        ]
        assert found == expected, path
        assert [g.number for g in games if g.fault] == [int(r["game"]) for r in rows]
        assert [g.fault.fen or "" for g in games if g.fault] == [r["fen"] for r in rows]
        compared += len(rows)
    assert compared > 30


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_games_do_not_depend_on_the_number_of_threads(threads):
    for path in [SOURCES, *every_pathological_archive()]:
        try:
            expected = [facts(game) for game in pgnmill.open(path)]
        except pgnmill.Error:
            continue
        assert [facts(game) for game in pgnmill.open(path, threads=threads)] == expected, path


def test_a_game_can_be_pickled():
    for path in [SOURCES, *every_pathological_archive()]:
        for game in readable(path) or []:
            again = pickle.loads(pickle.dumps(game))
            assert again == game and hash(again) == hash(game)
            assert facts(again) == facts(game), (path, game.number)
    for game in pgnmill.open(TEXT, strict=True, deny=["comment-nested"], from_notation="san"):
        assert facts(pickle.loads(pickle.dumps(game))) == facts(game)
        for move in game.moves:
            assert pickle.loads(pickle.dumps(move)) == move
        assert pickle.loads(pickle.dumps(game.fault)) == game.fault


def test_what_was_not_pickled_is_refused():
    from pgnmill import _native

    game = next(pgnmill.open(TEXT))
    load, (saved,) = game.__reduce__()
    for broken in (b"", saved[:-1], b"\xff" + saved):
        with pytest.raises(pgnmill.UsageError):
            load(broken)
    with pytest.raises(TypeError):
        _native.Game()
    with pytest.raises(TypeError):
        pickle.dumps(pgnmill.open(TEXT))


def test_games_are_usable_after_the_reader_is_closed_and_gone():
    with pgnmill.open(SOURCES) as reader:
        game = next(reader)
        expected = facts(game)
    assert reader.closed
    with pytest.raises(pgnmill.UsageError, match="closed"):
        next(reader)
    reader.close()
    del reader
    gc.collect()
    assert facts(game) == expected


def test_objects_do_not_change():
    game = next(pgnmill.open(TEXT))
    for name in ("tags", "number", "other"):
        with pytest.raises(AttributeError):
            setattr(game, name, 1)
    tags = game.tags
    tags["White"] = "other"
    assert game.tags["White"] == "Ann"
    assert game != 1 and game == next(pgnmill.open(TEXT)) and len({game, next(pgnmill.open(TEXT))}) == 1


def test_a_game_is_usable_in_other_threads():
    games = list(itertools.islice(pgnmill.open(SAMPLE), 200))
    expected = [facts(game) for game in games]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(facts, games)) == expected


def test_threads_share_a_reader():
    reader = pgnmill.open(SAMPLE)
    with ThreadPoolExecutor(4) as pool:
        parts = list(pool.map(lambda _: [game.number for game in reader], range(4)))
    assert sorted(itertools.chain(*parts)) == list(range(1, 10_001))
    assert all(part == sorted(part) for part in parts)


def numbers_of(path):
    return [game.number for game in pgnmill.open(path, threads=2)]


def tags_of(game):
    return game.tags


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_other_processes_read_and_receive_games(method):
    half_read = pgnmill.open(SAMPLE, threads=2)
    games = list(itertools.islice(half_read, 20))
    with multiprocessing.get_context(method).Pool(2) as pool:
        assert pool.map(numbers_of, [SOURCES] * 4) == [[1, 2, 3]] * 4
        assert pool.map(tags_of, games) == [game.tags for game in games]
    assert next(half_read).number == 21


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_reader_of_the_parent_is_refused_and_never_awaited():
    reader = pgnmill.open(SAMPLE)
    next(reader)
    child = os.fork()
    if child == 0:
        code = 1
        try:
            next(reader)
        except pgnmill.UsageError as error:
            code = 0 if "another process" in str(error) else 2
        reader.close()
        del reader
        gc.collect()
        os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert next(reader).number == 2


def thread_count():
    if not os.path.isdir("/proc/self/task"):
        pytest.skip("the system does not list threads")
    return len(os.listdir("/proc/self/task"))


def settled(count):
    """Is the number of threads this one, soon?"""
    deadline = time.monotonic() + 10
    while thread_count() > count and time.monotonic() < deadline:
        time.sleep(0.01)
    return thread_count() <= count


@pytest.mark.parametrize("end", ["close", "del", "with", "exhaust", "error"])
def test_a_reader_frees_its_threads(end, tmp_path):
    before = thread_count()
    for _ in range(3):
        reader = pgnmill.open(SAMPLE, threads=3)
        next(reader)
        if end == "close":
            reader.close()
        elif end == "with":
            with reader:
                next(reader)
        elif end == "exhaust":
            assert sum(1 for _ in reader) == 9_999
        elif end == "error":
            broken = tmp_path / "broken.zst"
            broken.write_bytes(SAMPLE.read_bytes()[:3_000_000])
            with pytest.raises(pgnmill.DamagedError):
                list(pgnmill.open(broken))
        del reader
        gc.collect()
    assert settled(before)


def test_an_error_follows_the_games_before_it(tmp_path):
    broken = tmp_path / "broken.pgn.zst"
    broken.write_bytes(SAMPLE.read_bytes()[:3_000_000])
    reader = pgnmill.open(broken)
    games = []
    with pytest.raises(pgnmill.DamagedError) as raised:
        for game in reader:
            games.append(game)
    assert 5_000 < len(games) < 10_000
    assert str(broken) in str(raised.value) and raised.value.path == str(broken)
    assert next(reader, None) is None
    expected = itertools.islice(pgnmill.open(SAMPLE), 100)
    assert [game.text for game in games[:100]] == [game.text for game in expected]
    skipped = pgnmill.open(broken, skip_damaged=True)
    assert len(list(skipped)) >= len(games)
    assert [damage.kind for damage in skipped.damage] == ["frame-damaged"]
    assert skipped.counts["damaged_bytes"] > 0


def test_wrong_options_are_named():
    for options, words_of_message in [
        ({"from_notation": "klingon"}, "klingon"),
        ({"where": "rating >"}, "where"),
        ({"allow": "move-illegal"}, "move-illegal"),
        ({"threads": 100_000}, "threads"),
        ({"allow": ["nothing"]}, "nothing"),
        ({"deny": ["nothing"]}, "nothing"),
    ]:
        with pytest.raises(pgnmill.UsageError, match=words_of_message):
            pgnmill.open(SOURCES, **options)
    for options in [{"allow": 3}, {"threads": "2"}, {"where": 3}, {"from_notation": b"san"}]:
        with pytest.raises(TypeError):
            pgnmill.open(SOURCES, **options)
    for source in (None, 3, object()):
        with pytest.raises(TypeError):
            pgnmill.open(source)
    game = next(pgnmill.open(SOURCES))
    with pytest.raises(pgnmill.UsageError, match="klingon"):
        game.in_notation("klingon")
    with pytest.raises(TypeError):
        game.in_notation(3)


def test_a_missing_file_is_a_missing_error(tmp_path):
    with pytest.raises(FileNotFoundError) as raised:
        list(pgnmill.open(tmp_path / "none.pgn"))
    assert isinstance(raised.value, pgnmill.MissingError)
    assert raised.value.path == str(tmp_path / "none.pgn")


def test_options_select_and_judge():
    reader = pgnmill.open(SAMPLE, where="rating_min >= 2000")
    found = list(reader)
    counts = reader.counts
    assert reader.counts["accepted"] == len(found)
    assert counts["read"] == 10_000
    assert counts["not_selected"] + len(found) == 10_000
    assert all(min(int(g.tags["WhiteElo"]), int(g.tags["BlackElo"])) >= 2000 for g in found)
    loose = b"1. e4 e5 2. Ng1f3 *\n"
    assert next(pgnmill.open(loose)).verdict == "repaired"
    assert next(pgnmill.open(loose, strict=True)).verdict == "rejected"
    denied = next(pgnmill.open(loose, deny=[next(pgnmill.open(loose, strict=True)).fault.kind]))
    assert denied.verdict == "rejected"
    assert next(pgnmill.open(b"1. e2-e4 e7-e5 *", from_notation="long")).notation == "long"
    assert list(pgnmill.open(b"")) == []


def test_texts_in_every_notation_are_those_of_convert(tmp_path):
    games = list(pgnmill.open(SOURCES))
    for notation in pgnmill.notations():
        output = tmp_path / f"{notation.name}.pgn"
        command = [program(), "convert", "-q", "--to", notation.name, "-o", str(output), str(SOURCES)]
        subprocess.run(command, capture_output=True, check=True)
        converted = output.read_bytes().decode("utf-8").split("\n\n")
        movetexts = [" ".join(part.split()) for part in converted if part and not part.lstrip().startswith("[")]
        assert movetexts == [game.movetext(notation.name) for game in games], notation.name
        # And they are read back.
        assert [game.uci() for game in pgnmill.open(output)] == [game.uci() for game in games]


def test_a_notation_that_requires_the_whole_game():
    name = next(n.name for n in pgnmill.notations() if n.needs == "the game")
    [game] = pgnmill.open(b'[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]\n\n1. O-O *')
    with pytest.raises(pgnmill.UsageError, match="initial array"):
        game.in_notation(name)
    [game] = pgnmill.open(b"1. e4 *")
    assert len(game.in_notation(name)) == 1
    with pytest.raises(pgnmill.UsageError, match="history"):
        game.moves[0].in_notation(name)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")
def test_an_interrupt_ends_the_wait(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = pgnmill.open(pipe)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    try:
        timer.start()
        begun = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            next(reader)
        # 200 ms after the signal, and time for a busy machine.
        assert time.monotonic() - begun < 3
        reader.close()
    finally:
        timer.join()
        signal.signal(signal.SIGINT, before)
        # The thread that opens the pipe waits for a writer.
        os.close(os.open(pipe, os.O_RDWR | os.O_NONBLOCK))


def test_a_reader_can_be_closed_while_another_thread_waits(tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("the system has no pipes with names")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = pgnmill.open(pipe)
    found = []

    def wait():
        try:
            found.extend(reader)
        except pgnmill.UsageError as error:
            found.append(str(error))

    thread = threading.Thread(target=wait)
    thread.start()
    time.sleep(0.2)
    reader.close()
    thread.join(10)
    assert not thread.is_alive() and len(found) == 1 and "closed" in found[0]
    os.close(os.open(pipe, os.O_RDWR | os.O_NONBLOCK))


def test_the_interpreter_ends_with_an_open_reader():
    code = f"import pgnmill; r = pgnmill.open({str(SAMPLE)!r}); next(r); print('end')"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "end\n", "")


def resident_bytes():
    if not os.path.exists("/proc/self/statm"):
        pytest.skip("the system does not state resident memory")
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_nothing_is_leaked():
    def use():
        for game in pgnmill.open(TEXT, threads=1):
            facts(game)
            pickle.loads(pickle.dumps(game))
        reader = pgnmill.open(TEXT, threads=1)
        next(reader)
        with pytest.raises(pgnmill.Error):
            list(pgnmill.open(b"\x28\xb5\x2f\xfd broken", threads=1))

    for _ in range(100):
        use()
    gc.collect()
    before, objects = resident_bytes(), len(gc.get_objects())
    for _ in range(400):
        use()
    gc.collect()
    assert resident_bytes() - before < 8 << 20
    assert len(gc.get_objects()) - objects < 200


class Failing(io.RawIOBase):
    """Bytes of an archive, then an exception."""

    def __init__(self, stored, error):
        self.stored, self.error = io.BytesIO(stored), error

    def readable(self):
        return True

    def read(self, size=-1):
        part = self.stored.read(size)
        if not part:
            raise self.error
        return part


def test_an_exception_of_a_file_object_is_the_cause():
    stored = b'[White "a"]\n\n1. e4 e5 *\n\n' * 200_000
    cause = RuntimeError("the disk is gone")
    reader = pgnmill.open(Failing(stored, cause))
    games = 0
    with pytest.raises(pgnmill.InputError) as raised:
        for _ in reader:
            games += 1
    assert raised.value.__cause__ is cause
    assert games > 0
    assert next(reader, None) is None


def test_every_source_gives_the_same_games(tmp_path):
    stored = SAMPLE.read_bytes()
    expected = [game.text for game in pgnmill.open(SAMPLE)]
    with SAMPLE.open("rb") as file:
        for source in (stored, bytearray(stored), memoryview(stored), file, str(SAMPLE), [SAMPLE], io.BytesIO(stored)):
            assert [game.text for game in pgnmill.open(source)] == expected
    with SOURCES.open(encoding="utf-8") as text, pytest.raises(TypeError):
        list(pgnmill.open(text))
    both = list(pgnmill.open([SOURCES, SAMPLE]))
    assert [game.archive for game in both] == [str(SOURCES)] * 3 + [str(SAMPLE)] * 10_000
    assert both[3].number == 1


def test_each_game_is_in_one_split():
    parts = pgnmill.splits(SAMPLE, target_bytes=500_000)
    assert len(parts) > 3
    games = [game.text for part in parts for game in pgnmill.open(part)]
    assert games == [game.text for game in pgnmill.open(SAMPLE)]
    first = [game.text for game in pgnmill.open(SAMPLE, split=parts[0])]
    assert games[: len(first)] == first


def test_games_agree_with_the_columns():
    polars = pytest.importorskip("polars")
    names = ["game", "byte_offset", "verdict", "outcome", "moves", "clocks", "evals_cp", "evals_mate", "ply_count"]
    for path in [SOURCES, SAMPLE]:
        table = polars.DataFrame(pgnmill.games(path, columns=names))
        for game, row in zip(pgnmill.open(path), table.iter_rows(named=True), strict=True):
            assert (game.number, game.offset, game.verdict) == (row["game"], row["byte_offset"], row["verdict"])
            assert (game.result, game.ply_count) == (row["outcome"], row["ply_count"])
            assert " ".join(game.uci()) == row["moves"]
            nothing = [None] * game.ply_count
            assert game.clocks == (row["clocks"] or nothing)
            assert game.evals_cp == (row["evals_cp"] or nothing)
            assert game.evals_mate == (row["evals_mate"] or nothing)

"""Ways to leave a run that reads a file object: each ends the process as Python would end it, and the reads.

In: scripts, each in a process of its own under `python -X dev`, over a file object of Python and over gzip. Out: the exit
code is the expected one, and standard error has the expected traceback or nothing: no abort, no warning. Each is run
PGNMILL_TEST_RUNS times, 2 by default; 200 give a figure.
"""

import gzip
import os
import re
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

RUNS = int(os.environ.get("PGNMILL_TEST_RUNS", "2"))

# A source that has no end, which counts its reads; `left` is the number after which it raises `raised`.
PRELUDE = """
import gzip, os, signal, sys, threading, time
import pgnmill

GAME = b'[White "a"]\\n[Black "b"]\\n\\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\\n\\n' * 1000

class Endless:
    def __init__(self, left=None, raised=None):
        self.reads, self.left, self.raised = 0, left, raised
    def read(self, size):
        self.reads += 1
        if self.left is not None and self.reads > self.left:
            raise self.raised
        time.sleep(0.0005)
        return GAME

class Gzip:
    def __init__(self):
        self.reads, self.file = 0, gzip.open(sys.argv[1])
    def read(self, size):
        self.reads += 1
        return self.file.read(size)

source = Gzip() if sys.argv[2] == "gzip" else Endless()

def ended(source):
    # No read begins any more, and no thread is left; idle ones end a little later.
    reads = source.reads
    time.sleep(0.2)
    threads = len(os.listdir("/proc/self/task"))
    assert source.reads == reads, f"{source.reads - reads} reads after the end"
    assert threads <= before, f"{threads} threads after the end, {before} before"

# A shell that runs the tests in the background ignores the signal, and so do the processes that they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

def interrupt(seconds=0.3):
    threading.Thread(target=lambda: (time.sleep(seconds), os.kill(os.getpid(), signal.SIGINT)), daemon=True).start()

before = len(os.listdir("/proc/self/task"))
"""

TRACEBACK = r"Traceback \(most recent call last\):\n(  .*\n)+"
# Name, script, exit code, what is on standard error.
WAYS = {
    "abandon": ("games = pgnmill.open(source)\nnext(games)", 0, ""),
    "del": ("games = pgnmill.open(source)\nnext(games)\ndel games\nended(source)", 0, ""),
    "close": ("games = pgnmill.open(source)\nnext(games)\ngames.close()\nended(source)", 0, ""),
    "with": (
        "with pgnmill.open(source) as games:\n    next(games)\n    raise ZeroDivisionError('mine')",
        1,
        TRACEBACK + "ZeroDivisionError: mine\n",
    ),
    "exit": ("for game in pgnmill.open(source):\n    sys.exit(3)", 3, ""),
    "interrupt": ("interrupt()\nfor game in pgnmill.open(source):\n    pass", -2, TRACEBACK + "KeyboardInterrupt\n"),
    "raises": (
        "for game in pgnmill.open(Endless(40, ZeroDivisionError('mine'))):\n    pass",
        1,
        TRACEBACK + "ZeroDivisionError: mine\n\nThe above .*\n\n" + TRACEBACK + "pgnmill.InputError: .*mine\n",
    ),
    "raises-interrupt": (
        "for game in pgnmill.open(Endless(40, KeyboardInterrupt())):\n    pass",
        -2,
        TRACEBACK + "KeyboardInterrupt\n",
    ),
    "raises-exit": ("for game in pgnmill.open(Endless(40, SystemExit(5))):\n    pass", 5, ""),
    "generator": (
        "def tags():\n    for game in pgnmill.open(source):\n        yield game.tags\nall = tags()\nnext(all)",
        0,
        "",
    ),
    "several": (
        "several = [pgnmill.open(one) for one in [source, Endless(), Endless(), GAME * 100]]\n"
        "for games in several:\n    next(games)",
        0,
        "",
    ),
    "daemon": (
        "def read():\n    for game in pgnmill.open(source):\n        pass\n"
        "threading.Thread(target=read, daemon=True).start()\ntime.sleep(0.2)",
        0,
        "",
    ),
    "several-daemons": (
        "def read():\n    pgnmill.validate(Endless(), quiet=True)\n"
        "for _ in range(3):\n    threading.Thread(target=read, daemon=True).start()\n"
        "time.sleep(0.2)",
        0,
        "",
    ),
    "daemon-output": (
        "path = sys.argv[1] + f'.{os.getpid()}.pgn'\n"
        "def read():\n    pgnmill.convert(source, output=path, to='uci', quiet=True)\n"
        "threading.Thread(target=read, daemon=True).start()\ntime.sleep(0.2)\n",
        0,
        "",
    ),
}
# The same for what reads an archive to its end: a call, with `source`.
CALLS = {
    "validate": "pgnmill.validate(source, quiet=True)",
    "measure": "pgnmill.measure(source, quiet=True)",
    "convert": "pgnmill.convert(source, to='uci', output=sys.argv[1] + f'.{os.getpid()}.pgn', quiet=True)",
    "select": "pgnmill.select(source, where='ply_count > 3', output=sys.argv[1] + f'.{os.getpid()}.pgn', quiet=True)",
    "export": "pgnmill.export(source, output=sys.argv[1] + f'.{os.getpid()}.parquet', quiet=True)",
    "positions": "import pyarrow\nwith pgnmill.positions(source) as stream:\n    pyarrow.table(stream)",
    "write_positions": "pgnmill.write_positions(source, output=sys.argv[1] + f'.{os.getpid()}.csv', quiet=True)",
    "games": "import pyarrow\nwith pgnmill.games(source, columns='White') as stream:\n    pyarrow.table(stream)",
    "plies": "import pyarrow\nwith pgnmill.plies(source, columns='san') as stream:\n"
    "    for batch in pyarrow.RecordBatchReader.from_stream(stream):\n        pass",
}
ENDS = {
    "interrupt": ("source = Endless()\ninterrupt()\nbegun = time.monotonic()\n{}", -2, "KeyboardInterrupt\n"),
    "caught": (
        "source = Endless()\ninterrupt()\ntry:\n    {}\nexcept KeyboardInterrupt:\n    pass\n"
        "reads = source.reads\ntime.sleep(0.2)\nassert source.reads == reads",
        0,
        "",
    ),
    "raises": ("source = Endless(40, ZeroDivisionError('mine'))\n{}", 1, r"pgnmill\.InputError: .*mine\n"),
    "raises-interrupt": ("source = Endless(40, KeyboardInterrupt())\n{}", -2, "KeyboardInterrupt\n"),
    "raises-exit": ("source = Endless(40, SystemExit(5))\n{}", 5, ""),
}
# A stream of which one batch was read.
STREAM = "import pyarrow\nstream = pgnmill.games(source)\nreader = pyarrow.RecordBatchReader.from_stream(stream)\n"
# pyarrow creates its threads at the first use.
WARM = "import pyarrow\npyarrow.table(pgnmill.games(GAME))\ntime.sleep(0.2)\nbefore = len(os.listdir('/proc/self/task'))\n"
READS = STREAM + "reader.read_next_batch()\n"
STREAMS = {
    "abandon": (READS, 0, ""),
    "del": (WARM + READS + "del reader, stream\nended(source)", 0, ""),
    "close": (WARM + READS + "stream.close()\nended(source)", 0, ""),
    "exit": (READS + "sys.exit(3)", 3, ""),
    "raises-exit": (
        "source = Endless(400, SystemExit(5))\n" + STREAM + "with stream:\n    reader.read_all()",
        5,
        "",
    ),
    "daemon": (
        STREAM + "def read():\n    for batch in reader:\n        pass\n"
        "threading.Thread(target=read, daemon=True).start()\ntime.sleep(0.3)",
        0,
        "",
    ),
}


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    """A compressed archive that no test reads to its end."""
    path = tmp_path_factory.mktemp("ending") / "games.pgn.gz"
    game = b'[White "a"]\n[Black "b"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n'
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(100):
            file.write(game * 20_000)
    return path


def left(archive, script, kind, code, expected, run):
    """What is wrong with a run, or None."""
    options = ["-X", "dev", "-W", "ignore::ResourceWarning"]
    command = [sys.executable, *options, "-c", PRELUDE + script, str(archive), kind]
    found = subprocess.run(command, capture_output=True, text=True, timeout=60, cwd=archive.parent)
    if found.returncode == code and re.fullmatch(expected, found.stderr) and not found.stdout:
        return None
    return f"run {run}: exit code {found.returncode}, {found.stdout}{found.stderr[-3000:]}"


def check(archive, script, kind, code, expected):
    with ThreadPoolExecutor(2) as pool:
        runs = pool.map(lambda run: left(archive, script, kind, code, expected, run), range(RUNS))
        wrong = [one for one in runs if one is not None]
    files = [path for path in archive.parent.iterdir() if path != archive]
    for path in files:
        path.unlink()
    assert not wrong, f"{len(wrong)} of {RUNS} runs: {wrong[0]}"
    assert not files, files


@pytest.mark.parametrize("kind", ["object", "gzip"])
@pytest.mark.parametrize("way", WAYS)
def test_each_way_to_leave_a_reader(archive, way, kind):
    check(archive, WAYS[way][0], kind, *WAYS[way][1:])


@pytest.mark.parametrize("way", ENDS)
@pytest.mark.parametrize("call", CALLS)
def test_each_way_to_leave_a_run(archive, call, way):
    script, code, expected = ENDS[way]
    if "pyarrow" in CALLS[call]:
        pytest.importorskip("pyarrow")
    called = CALLS[call]
    if way == "caught":
        called = called.replace("\n", "\n    ")
    expected = r"(?s)Traceback.*" + expected if expected else ""
    check(archive, script.format(called), "object", code, expected)


@pytest.mark.parametrize("kind", ["object", "gzip"])
@pytest.mark.parametrize("way", STREAMS)
def test_each_way_to_leave_a_stream(archive, way, kind):
    pytest.importorskip("pyarrow")
    check(archive, STREAMS[way][0], kind, *STREAMS[way][1:])


def test_an_input_that_raises_an_interrupt_is_not_one_that_failed(archive):
    # With keep_going an exception of a source is listed, and the run goes on.
    script = (
        "sources = [Endless(40, KeyboardInterrupt()), GAME]\n"
        "try:\n    {}\nexcept KeyboardInterrupt:\n    sys.exit(7)\n"
    )
    stream = "import pyarrow\n    with pgnmill.games(sources, keep_going=True) as stream: pyarrow.table(stream)"
    for call in ["pgnmill.validate(sources, keep_going=True, quiet=True)", stream]:
        check(archive, script.format(call), "object", 7, "")


def test_a_read_that_returns_while_the_interpreter_ends(archive):
    # The end waits for it for 2 s. This one returns later, in the middle: an object that is released last sleeps.
    script = (
        "class Late:\n"
        "    def read(self, size, sleep=time.sleep):\n        sleep(2.7)\n        return GAME\n"
        "class Last:\n"
        "    def __del__(self, sleep=time.sleep): sleep(1.5)\n"
        "games, sys.last = pgnmill.open(Late()), Last()\n"
        "time.sleep(0.2)\n"
    )
    begun = time.monotonic()
    check(archive, script, "object", 0, "")
    assert time.monotonic() - begun > 3.5


def test_a_callable_that_returns_while_the_interpreter_ends(archive):
    # In a daemon: the run has ended, but its thread is in Python code.
    script = (
        "class Last:\n"
        "    def __del__(self, sleep=time.sleep): sleep(1.5)\n"
        "sys.last = Last()\n"
        "def step(progress, sleep=time.sleep):\n    sleep(0.7)\n"
        "def read():\n    pgnmill.validate(source, progress=step)\n"
        "threading.Thread(target=read, daemon=True).start()\n"
        "time.sleep(0.5)\n"
    )
    check(archive, script, "object", 0, "")


def test_a_fork_does_not_wait_for_the_threads_of_its_parent(archive):
    script = (
        "games = pgnmill.open(source)\nnext(games)\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    begun = time.monotonic()\n"
        "    mine = pgnmill.open(Endless())\n    next(mine)\n"
        "    sys.exit(0)\n"
        "begun = time.monotonic()\n"
        "assert os.waitpid(child, 0)[1] == 0\n"
        "assert time.monotonic() - begun < 1.5\n"
    )
    # Python 3.12 warns of a fork with threads.
    script = "import warnings\nwarnings.simplefilter('ignore', DeprecationWarning)\n" + script
    check(archive, script, "object", 0, "")

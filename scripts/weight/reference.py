"""The unit of processor time: compiles of reference.rs, spread over a measurement.

In: nothing. Out: rows of the log of kind `reference`; from them the pair (seconds when compiled alone, seconds when every
processor compiles it at once).
"""
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

import log

SOURCE = pathlib.Path(__file__).with_name("reference.rs")
COMPILER = os.environ.get("RUSTC", "rustc")
# No profile of this project changes them.
OPTIONS = ["--edition=2024", "--crate-type=rlib", "--crate-name=reference", "-Copt-level=2", "-Ccodegen-units=1"]
TURNS = 2


def processors():
    """How many processors cargo uses."""
    return len(os.sched_getaffinity(0))


def _compile(path, name, count):
    """Compiles the reference `count` times at once."""
    with tempfile.TemporaryDirectory() as folder:
        running = []
        for number in range(count):
            out = pathlib.Path(folder, str(number))
            out.mkdir()
            begin = time.time()
            running.append((begin, subprocess.Popen([COMPILER, *OPTIONS, f"--out-dir={out}", str(SOURCE)])))
        for begin, child in running:
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
            if child.returncode != 0:
                raise SystemExit("weigh: the reference cannot be compiled")
            fields = ["reference", "own", "reference", "-", name, "reference", "link", "", ""]
            log.write(path, log.Row(*fields, begin, time.time(), used.ru_utime, used.ru_stime))


def measure(path):
    """Appends compiles of the reference to a log: some alone, then some on all processors."""
    for _ in range(TURNS):
        _compile(path, "alone", 1)
        if processors() > 1:
            _compile(path, "together", processors())


def pair(rows):
    """Mean seconds of one compile: alone, and with all processors busy.

    The mean, not the least: what disturbs the reference for a while disturbs the build beside it too.
    """

    def mean(name):
        found = [row.seconds for row in rows if row.kind == "reference" and row.crate == name]
        return statistics.fmean(found) if found else None

    alone = mean("alone")
    if alone is None:
        raise SystemExit("weigh: the log has no reference")
    return alone, mean("together") or alone

"""Runs commands alternately and records the time and memory of each run.

In: ways, each a name and a command. Out: one TSV per section with one row per run: subject, way, turn, seconds of wall, user and
system time, peak KiB. All figures are computed from these rows, so that a section can be rerun alone.
"""
import csv
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

GNU_TIME = "/usr/bin/time"
FIELDS = ["subject", "way", "turn", "wall", "user", "system", "peak_kib"]


def run(command, stdin=None, before=()):
    """Wall, user and system seconds of a command and its child processes; a string is run by the shell."""
    argv = [*before, *(["bash", "-c", command] if isinstance(command, str) else command)]
    started = time.perf_counter()
    child = subprocess.Popen(argv, stdin=stdin or subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - started
    child.returncode = os.waitstatus_to_exitcode(status)
    # Exit code 1 of pgnmill: games were rejected.
    rejected = child.returncode == 1 and os.path.basename(command[0]) == "pgnmill"
    if child.returncode != 0 and not rejected:
        sys.exit(f"compare-peers: {command} ended with {child.returncode}: {errors.decode(errors='replace')[-500:]}")
    return wall, used.ru_utime, used.ru_stime


def peak_kib(command, stdin=None):
    """The peak memory of a command, measured by GNU time; 0 without it. The figure of wait4 would include this program,
    from which the command is forked."""
    if not os.path.exists(GNU_TIME):
        return run(command, stdin) and 0
    with tempfile.NamedTemporaryFile("r") as measured:
        run(command, stdin, [GNU_TIME, "--quiet", "-f", "%M", "-o", measured.name])
        return int(measured.read())


def shown(command, names):
    """A command as typed: paths replaced by names."""
    text = command if isinstance(command, str) else shlex.join(command)
    for path, name in names:
        text = text.replace(path, name)
    return text


class Book:
    """The rows of all sections, in a folder."""

    def __init__(self, folder):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def write(self, name, header, rows):
        """Replaces a table."""
        with open(self.folder / f"{name}.tsv", "w", newline="") as file:
            writer = csv.writer(file, delimiter="\t", lineterminator="\n")
            writer.writerows([header, *rows])

    def read(self, name):
        """The rows of a table by field; none if that section was not run."""
        path = self.folder / f"{name}.tsv"
        if not path.exists():
            return []
        with open(path, newline="") as file:
            return list(csv.DictReader(file, delimiter="\t"))

    def timed(self, section):
        """The runs of a section, with numbers parsed."""
        number = {field: float for field in ("wall", "user", "system", "peak_kib")}
        return Runs([{key: number.get(key, str)(value) for key, value in row.items()} for row in self.read(section)])


class Race:
    """A section while it runs."""

    def __init__(self, book, section, names):
        self.book, self.section, self.names = book, section, names
        self.rows, self.commands = [], {}

    def turns(self, subject, ways, pairs, feed=None):
        """Runs all ways alternately, A B A B; the first turn warms the caches and measures memory, not time."""
        peaks = {}
        for turn in range(pairs + 1):
            for way, command in ways.items():
                self.commands.setdefault(way, shown(command, self.names))
                feeder = feed() if feed else None
                stdin = feeder.stdout if feeder else None
                if turn == 0:
                    peaks[way] = peak_kib(command, stdin)
                else:
                    took = run(command, stdin)
                    self.rows.append([subject, way, turn, *(f"{value:.6f}" for value in took), peaks[way]])
                if feeder:
                    feeder.stdout.close()
                    feeder.wait()
        print(f"  {self.section}: {subject}", file=sys.stderr, flush=True)

    def close(self):
        """Writes the rows; replaces those of an earlier run."""
        self.book.write(self.section, FIELDS, self.rows)
        self.book.write(f"{self.section}.commands", ["way", "command"], self.commands.items())


class Runs:
    """The runs of a section."""

    def __init__(self, rows):
        self.rows = rows

    def __bool__(self):
        return bool(self.rows)

    def subjects(self):
        """The subjects, in the order of the runs."""
        return list(dict.fromkeys(row["subject"] for row in self.rows))

    def has(self, subject, way):
        """Is there such a run?"""
        return any((row["subject"], row["way"]) == (subject, way) for row in self.rows)

    def series(self, subject, way, what="wall"):
        """One figure per turn; `cpu` is user plus system."""
        of = (lambda row: row["user"] + row["system"]) if what == "cpu" else (lambda row: row[what])
        return [of(row) for row in self.rows if (row["subject"], row["way"]) == (subject, way)]

    def median(self, subject, way, what="wall"):
        """The median over all turns."""
        return statistics.median(self.series(subject, way, what))

    def ratio(self, subject, over, under, what="wall"):
        """The median of the ratios of each turn; `under` may be several ways, whose figures are added."""
        under = [under] if isinstance(under, str) else under
        sums = [sum(turn) for turn in zip(*(self.series(subject, way, what) for way in under))]
        return statistics.median(a / b for a, b in zip(self.series(subject, over, what), sums))

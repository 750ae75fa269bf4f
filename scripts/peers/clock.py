"""Runs commands in turn and keeps what each took.

In: ways, each a name and a command. Out: rows of a TSV a section, one a run: subject, way, turn, seconds of wall, user and
system, peak KiB. Whatever is said of them later is computed from these rows, so that a section can be rerun alone.
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
    """Wall, user and system seconds of a command with all that it starts; a text is for the shell."""
    argv = [*before, *(["bash", "-c", command] if isinstance(command, str) else command)]
    started = time.perf_counter()
    child = subprocess.Popen(argv, stdin=stdin or subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = child.stderr.read()
    _, status, used = os.wait4(child.pid, 0)
    wall = time.perf_counter() - started
    child.returncode = os.waitstatus_to_exitcode(status)
    # pgnmill says by 1 that games were rejected.
    rejected = child.returncode == 1 and os.path.basename(command[0]) == "pgnmill"
    if child.returncode != 0 and not rejected:
        sys.exit(f"compare-peers: {command} ended with {child.returncode}: {said.decode(errors='replace')[-500:]}")
    return wall, used.ru_utime, used.ru_stime


def peak_kib(command, stdin=None):
    """The most memory that a command had at once, as GNU time tells it; 0 without it. What wait4 would tell begins at
    the size of this program, from which the command is forked."""
    if not os.path.exists(GNU_TIME):
        return run(command, stdin) and 0
    with tempfile.NamedTemporaryFile("r") as told:
        run(command, stdin, [GNU_TIME, "--quiet", "-f", "%M", "-o", told.name])
        return int(told.read())


def shown(command, names):
    """A command as a reader may type it: places by their names."""
    text = command if isinstance(command, str) else shlex.join(command)
    for place, name in names:
        text = text.replace(place, name)
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
        """The runs of a section, with numbers."""
        number = {field: float for field in ("wall", "user", "system", "peak_kib")}
        return Runs([{key: number.get(key, str)(value) for key, value in row.items()} for row in self.read(section)])


class Race:
    """A section while it is run."""

    def __init__(self, book, section, names):
        self.book, self.section, self.names = book, section, names
        self.rows, self.commands = [], {}

    def turns(self, subject, ways, pairs, feed=None):
        """Runs all ways in turn, A B A B; the first turn warms the caches and tells the memory, but no time."""
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
        """Writes what was found, in place of an earlier run."""
        self.book.write(self.section, FIELDS, self.rows)
        self.book.write(f"{self.section}.commands", ["way", "command"], self.commands.items())


class Runs:
    """What a section took."""

    def __init__(self, rows):
        self.rows = rows

    def __bool__(self):
        return bool(self.rows)

    def subjects(self):
        """In the order in which they were run."""
        return list(dict.fromkeys(row["subject"] for row in self.rows))

    def has(self, subject, way):
        """Was it run?"""
        return any((row["subject"], row["way"]) == (subject, way) for row in self.rows)

    def series(self, subject, way, what="wall"):
        """One figure a turn; `cpu` is user and system together."""
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

"""The log of compilers that scripts/weight/rustc writes, and sums of it.

In: files with one line per compiler, fields separated by tabs. Out: rows; processor seconds per package; processor seconds in
compiles of the reference; units that were compiled more than once.
"""
import collections

FIELDS = "step owner package version crate kind mode profile features begin end user system".split()


class Row(collections.namedtuple("Row", FIELDS)):
    """One compiler. `kind`: lib, bin, proc-macro, cdylib, test; script, a build script is compiled; probe, a build
    script tries what the compiler accepts; reference, of scripts/weight/reference.py. `mode`: link, check or clippy."""

    __slots__ = ()

    @property
    def seconds(self):
        """Processor seconds, the linker's included."""
        return self.user + self.system

    @property
    def wall(self):
        return max(self.end - self.begin, 1e-3)

    @property
    def unit(self):
        """What is compiled and to what end."""
        return self.package, self.version, self.crate, self.kind, self.mode, self.profile, self.features


def read(*paths):
    """The rows of some logs, in the order of their beginnings."""
    rows = []
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                fields = line.rstrip("\n").split("\t")
                if len(fields) != len(FIELDS):
                    raise SystemExit(f"weigh: {path}:{number}: {len(fields)} fields instead of {len(FIELDS)}")
                rows.append(Row(*fields[:9], *map(float, fields[9:])))
    return sorted(rows, key=lambda row: row.begin)


def write(path, row):
    """Appends a row."""
    with open(path, "a", encoding="utf-8") as log:
        log.write("\t".join(f"{field:.6f}" if isinstance(field, float) else field for field in row) + "\n")


def compilers(rows):
    return [row for row in rows if row.kind != "reference"]


def load(row, rows, processors):
    """How busy the other processors were with compilers while this one ran, its own further threads included: 0 to 1."""
    if processors < 2:
        return 0.0
    busy = row.seconds / row.wall - 1.0
    for other in rows:
        if other is not row:
            common = min(row.end, other.end) - max(row.begin, other.begin)
            if common > 0:
                busy += common / row.wall * other.seconds / other.wall
    return min(max(busy / (processors - 1), 0.0), 1.0)


def in_references(part, rows, reference, processors):
    """Processor seconds of the rows `part`, in compiles of the reference at the same load.

    A processor that shares caches and units with a busy one takes longer for the same work; how much differs between machines.
    `reference` is a pair: seconds of the reference when it is compiled alone, and when all processors compile it.
    """
    alone, together = reference
    return sum(row.seconds / (alone + load(row, rows, processors) * (together - alone)) for row in part)


def by_package(rows):
    """(package and version, seconds, is it own), the heaviest first: its library, its program and its build script."""
    sums = collections.Counter()
    for row in rows:
        sums[f"{row.package} {row.version}", row.owner == "own"] += row.seconds
    return [(name, seconds, own) for (name, own), seconds in sums.most_common()]


def repeated(rows):
    """(unit, seconds of each compile but the most expensive, steps) of units compiled more than once, the heaviest first."""
    units = collections.defaultdict(list)
    for row in compilers(rows):
        if row.kind != "probe":
            units[row.unit].append(row)
    found = []
    for unit, same in units.items():
        if len(same) > 1:
            seconds = [row.seconds for row in same]
            found.append((unit, sum(seconds) - max(seconds), [row.step for row in same]))
    return sorted(found, key=lambda entry: -entry[1])


def self_test():
    def row(begin, end, seconds, crate="a", kind="lib"):
        return Row("s", "own", crate, "1", crate, kind, "link", "p", "", float(begin), float(end), float(seconds), 0.0)

    alone, first, second = row(0, 10, 10), row(20, 30, 10), row(25, 35, 10)
    rows = [alone, first, second]
    assert [load(one, rows, 2) for one in rows] == [0.0, 0.5, 0.5]
    # Four threads of its own on four processors.
    assert load(row(0, 10, 40), [], 4) == 1.0 and load(alone, rows, 1) == 0.0
    # Half beside another: 10 seconds of which each is 1.5 of an undisturbed one.
    assert abs(in_references(rows, rows, (1.0, 2.0), 2) - (10 + 10 / 1.5 * 2)) < 1e-9
    (unit, seconds, steps), = repeated([row(0, 1, 5), row(2, 3, 4), row(4, 5, 9, "b"), row(4, 5, 9, "c", "probe"), row(6, 7, 9, "c", "probe")])
    assert (unit[0], seconds, steps) == ("a", 4.0, ["s", "s"])
    assert by_package(rows) == [("a 1", 30.0, True)]

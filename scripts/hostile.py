#!/usr/bin/env python3
"""The cost per byte of the hostile shapes of tests/reading/hostile.tsv, at several sizes.

In: a program, a unit (count or time), sizes, shapes. Out: a Markdown table, one row per shape, on standard output or (--write)
in docs/development/robustness.md. If the cost per byte of a shape grows by more than 1.5 from one size to the next, its row has **grows**,
and the exit code is 1. Start-up is subtracted: the cost of the same command on an archive of one game of 17 bytes.

    cargo build --release
    scripts/hostile.py target/release/pgnmill count [SHAPE ...]    instructions (valgrind): also on a busy machine
    scripts/hostile.py target/release/pgnmill time [SHAPE ...]     seconds and memory: on a quiet machine

--sizes 1,10: MB.  --task "convert --to economical-priority": another task.  --worst 10: all shapes at the first size, then
only the ten most expensive.  --write: into the document.
"""

import argparse
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent.parent
PAGE = HERE / "docs/development/robustness.md"
FLAT = 1.5
# Short runs are repeated for this time; the fastest counts.
REPEAT_SECONDS = 0.3
# Growth is not computed from shorter times: the noise of the system is longer.
MEASURABLE_NANOSECONDS = 2e7


def unescape(text):
    """Bytes of a field of tests/reading/hostile.tsv."""
    escapes = {"n": b"\n", "r": b"\r", "t": b"\t", "0": b"\0", "\\": b"\\"}

    def one(match):
        name = match.group(1).decode()
        return bytes.fromhex(name[1:]) if name.startswith("x") else escapes[name]

    return re.sub(rb"\\(x..|.)", one, text.encode())


def shapes():
    """Name, beginning, repeated part, end."""
    for line in (HERE / "tests/reading/hostile.tsv").read_text().splitlines():
        if not line.startswith("#"):
            name, first, unit, last = line.split("\t")
            yield name, unescape(first), unit, unescape(last)


def write(path, shape, size):
    """Writes the shape, of about this size. In pieces: the system never reports a child's peak memory below that of its parent."""
    _, first, unit, last = shape
    generator = random.Random(64)
    characters = b"[]{}()\";%\\\r\n .*$!?-=+#0123456789abcdefghKQRBNO\0\xef\xff\xc2"
    with path.open("wb") as file:
        file.write(first)
        while size > 0:
            if unit == "@random":
                piece = generator.randbytes(min(size, 1 << 16))
            elif unit == "@text":
                piece = bytes(generator.choices(characters, k=min(size, 1 << 16)))
            else:
                repeated = unescape(unit)
                piece = repeated * max(1, min(size, 1 << 16) // len(repeated))
            file.write(piece)
            size -= len(piece)
        file.write(last)


def run(arguments):
    """Seconds and MiB of a run, which must end with exit code 0 or 1."""
    start = time.monotonic()
    child = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    errors = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        sys.exit(f"{arguments}: exit {child.returncode}: {errors.decode(errors='replace')}")
    return time.monotonic() - start, usage.ru_maxrss / 1024


def fastest(arguments):
    """The shortest time and the highest memory of some runs."""
    (seconds, memory), until = run(arguments), time.monotonic() + REPEAT_SECONDS
    while time.monotonic() < until:
        again = run(arguments)
        seconds, memory = min(seconds, again[0]), max(memory, again[1])
    return seconds, memory


def instructions(arguments):
    """The instructions of a run."""
    counter = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    done = subprocess.run([*counter, *arguments], capture_output=True, text=True)
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if not found or done.returncode not in (0, 1):
        sys.exit(f"{arguments}: {done.stderr[-2000:]}")
    return int(found.group(1).replace(",", ""))


class Bench:
    """A program, a task, a unit, and a folder for archives."""

    def __init__(self, program, task, counts, folder):
        self.program, self.task, self.counts = program, task.split(), counts
        self.folder = pathlib.Path(folder)
        empty = self.folder / "empty.pgn"
        empty.write_bytes(b"[Event \"a\"]\n\n*\n")
        self.idle = self.whole(empty)[0]

    def command(self, path):
        outputs = {"convert": ["-o", str(self.folder / "out.pgn"), "--overwrite"]}
        outputs["measure"] = ["-o", str(self.folder / "out"), "--overwrite"]
        often = ["--threads", "1", "--quiet", *outputs.get(self.task[0], [])]
        return [self.program, *self.task, *often, str(path)]

    def whole(self, path):
        """Instructions, or nanoseconds and MiB."""
        if self.counts:
            return instructions(self.command(path)), 0
        seconds, memory = fastest(self.command(path))
        return seconds * 1e9, memory

    def cost(self, shape, size):
        """The cost per byte without start-up, and the memory."""
        path = self.folder / "shape.pgn"
        write(path, shape, int(size * 1e6))
        whole, memory = self.whole(path)
        return max(0.0, (whole - self.idle) / path.stat().st_size), memory

    def packed(self):
        """Seconds and MiB for the last archive as one zstd frame."""
        path, frame = self.folder / "shape.pgn", self.folder / "frame.pgn.zst"
        subprocess.run(["zstd", "-q", "-f", "-1", str(path), "-o", str(frame)], check=True)
        return run(self.command(frame))

    def row(self, shape, sizes, costs):
        """The cells of a shape, given its first costs, and whether its cost per byte grows."""
        memory = 0
        for size in sizes[len(costs):]:
            cost, memory = self.cost(shape, size)
            costs.append(cost)
        # Times that are too short are not compared.
        measurable = [c * size * 1e6 > MEASURABLE_NANOSECONDS or self.counts for c, size in zip(costs, sizes)]
        pairs = [(a, b) for a, b, known in zip(costs, costs[1:], measurable) if known and a > 0]
        growth = max((b / a for a, b in pairs), default=None)
        cells = [f"{cost:.1f}" for cost in costs] + [f"{growth:.2f}" if growth else ""]
        if not self.counts:
            seconds, packed_memory = self.packed()
            cells += [f"{memory:.0f}", f"{seconds:.2f}", f"{packed_memory:.0f}"]
        grows = growth is not None and growth > FLAT
        return [shape[0] + (" **grows**" if grows else ""), *cells], grows


def head(counts, sizes):
    unit, last = "instr./byte" if counts else "ns/byte", f"{sizes[-1]:g} MB"
    cells = ["shape", *(f"{unit}, {size:g} MB" for size in sizes), "growth"]
    if not counts:
        cells += [f"MiB, {last}", f"s, {last} .zst", "MiB, .zst"]
    return cells


def table(bench, names, sizes, worst):
    """The lines of the table, which are printed at once, and the number of shapes that grow."""
    def line(cells):
        lines.append("| " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)

    lines, grown = [], 0
    line(head(bench.counts, sizes))
    line(["---"] + ["---:"] * (len(head(bench.counts, sizes)) - 1))
    chosen = [(shape, []) for shape in shapes() if not names or shape[0] in names]
    if worst:
        for shape, costs in chosen:
            costs.append(bench.cost(shape, sizes[0])[0])
        chosen = sorted(chosen, key=lambda pair: -pair[1][0])[:worst]
    for shape, costs in chosen:
        cells, grows = bench.row(shape, sizes, costs)
        grown += grows
        line(cells)
    return lines, grown


def put(lines, name):
    """Writes lines into the document, between the comments with this name."""
    begin, end = f"<!-- hostile: {name} -->\n", "<!-- hostile: end -->"
    before, rest = PAGE.read_text().split(begin)
    _, after = rest.split(end, 1)
    PAGE.write_text(before + begin + "\n".join(lines) + "\n" + end + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("by", choices=["count", "time"])
    parser.add_argument("shapes", nargs="*", metavar="SHAPE")
    parser.add_argument("--sizes", help="MB; 1,10 counted, 1,10,100 timed")
    parser.add_argument("--task", default="validate")
    parser.add_argument("--worst", type=int, default=0)
    parser.add_argument("--write", action="store_true")
    given = parser.parse_intermixed_args()
    counts = given.by == "count"
    sizes = [float(n) for n in (given.sizes or ("1,10" if counts else "1,10,100")).split(",")]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(given.program, given.task, counts, folder)
        lines, grown = table(bench, set(given.shapes), sizes, given.worst)
    print(f"start-up, subtracted: {bench.idle:,.0f} {'instructions' if counts else 'ns'}")
    if given.write:
        put(lines, f"{given.by} {given.task.split()[0]}")
    sys.exit(min(grown, 1))


if __name__ == "__main__":
    main()

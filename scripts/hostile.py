#!/usr/bin/env python3
"""What the hostile shapes of tests/hostile.tsv cost pgnmill, by the byte, at several sizes.

In: a program, what is told by, sizes, shapes. Out: a Markdown table, a row a shape, on standard output or (--write) in its
place in docs/robustness.md. A shape whose cost a byte grows by more than 1.5 from one size to the next is marked, and the
exit code is 1 then. Start-up is taken off: what the same command costs on an archive of one game of 17 bytes.

    cargo build --profile quick
    scripts/hostile.py target/quick/pgnmill count [SHAPE ...]    instructions (valgrind): a busy machine does not disturb
    scripts/hostile.py target/quick/pgnmill time [SHAPE ...]     seconds by the clock and memory: on a calm machine

--sizes 1,10: MB.  --task "convert --to economical-priority": another task.  --worst 10: all shapes at the first size, then
only the ten dearest.  --write: into the document.
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
PAGE = HERE / "docs/robustness.md"
FLAT = 1.5
# Of short runs the fastest of several is taken, until so many seconds have passed.
PATIENCE_SECONDS = 0.3
# Shorter times tell nothing of growth: the system's own work is longer.
TELLING_NANOSECONDS = 2e7


def unescape(text):
    """Bytes of a field of tests/hostile.tsv."""
    signs = {"n": b"\n", "r": b"\r", "t": b"\t", "0": b"\0", "\\": b"\\"}

    def one(match):
        sign = match.group(1).decode()
        return bytes.fromhex(sign[1:]) if sign.startswith("x") else signs[sign]

    return re.sub(rb"\\(x..|.)", one, text.encode())


def shapes():
    """Name, beginning, what is repeated, end."""
    for line in (HERE / "tests/hostile.tsv").read_text().splitlines():
        if not line.startswith("#"):
            name, first, unit, last = line.split("\t")
            yield name, unescape(first), unit, unescape(last)


def write(path, shape, size):
    """The shape of this size, about. In pieces: a child's peak memory is never told below its parent's."""
    _, first, unit, last = shape
    dice = random.Random(64)
    signs = b"[]{}()\";%\\\r\n .*$!?-=+#0123456789abcdefghKQRBNO\0\xef\xff\xc2"
    with path.open("wb") as file:
        file.write(first)
        while size > 0:
            if unit == "@random":
                piece = dice.randbytes(min(size, 1 << 16))
            elif unit == "@text":
                piece = bytes(dice.choices(signs, k=min(size, 1 << 16)))
            else:
                repeated = unescape(unit)
                piece = repeated * max(1, min(size, 1 << 16) // len(repeated))
            file.write(piece)
            size -= len(piece)
        file.write(last)


def run(arguments):
    """Seconds by the clock and MiB of a run, which must come to an end as it should."""
    start = time.monotonic()
    child = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        sys.exit(f"{arguments}: exit {child.returncode}: {said.decode(errors='replace')}")
    return time.monotonic() - start, usage.ru_maxrss / 1024


def fastest(arguments):
    """The fastest of some runs, and the most memory."""
    (seconds, memory), until = run(arguments), time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        again = run(arguments)
        seconds, memory = min(seconds, again[0]), max(memory, again[1])
    return seconds, memory


def instructions(arguments):
    """Instructions of a run, counted."""
    counter = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    done = subprocess.run([*counter, *arguments], capture_output=True, text=True)
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if not found or done.returncode not in (0, 1):
        sys.exit(f"{arguments}: {done.stderr[-2000:]}")
    return int(found.group(1).replace(",", ""))


class Bench:
    """A program and a task, what they are measured by, and a folder for archives."""

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
        """A byte's cost beyond start-up, and the memory."""
        path = self.folder / "shape.pgn"
        write(path, shape, int(size * 1e6))
        whole, memory = self.whole(path)
        return max(0.0, (whole - self.idle) / path.stat().st_size), memory

    def packed(self):
        """Of the last archive as one zstd frame: seconds and MiB."""
        path, frame = self.folder / "shape.pgn", self.folder / "frame.pgn.zst"
        subprocess.run(["zstd", "-q", "-f", "-1", str(path), "-o", str(frame)], check=True)
        return run(self.command(frame))

    def row(self, shape, sizes, costs):
        """The cells of a shape of which the first costs are known, and whether it is flat."""
        memory = 0
        for size in sizes[len(costs):]:
            cost, memory = self.cost(shape, size)
            costs.append(cost)
        # What is too short to be told from noise is not compared.
        told = [c * size * 1e6 > TELLING_NANOSECONDS or self.counts for c, size in zip(costs, sizes)]
        pairs = [(a, b) for a, b, known in zip(costs, costs[1:], told) if known and a > 0]
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


def table(bench, wanted, sizes, worst):
    """The lines of the table, printed as they come, and how many shapes grow."""
    def line(cells):
        lines.append("| " + " | ".join(cells) + " |")
        print(lines[-1], flush=True)

    lines, grown = [], 0
    line(head(bench.counts, sizes))
    line(["---"] + ["---:"] * (len(head(bench.counts, sizes)) - 1))
    chosen = [(shape, []) for shape in shapes() if not wanted or shape[0] in wanted]
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
    """Into the document, between the comments that bear the name."""
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
    asked = parser.parse_intermixed_args()
    counts = asked.by == "count"
    sizes = [float(n) for n in (asked.sizes or ("1,10" if counts else "1,10,100")).split(",")]
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(asked.program, asked.task, counts, folder)
        lines, grown = table(bench, set(asked.shapes), sizes, asked.worst)
    print(f"start-up, taken off: {bench.idle:,.0f} {'instructions' if counts else 'ns'}")
    if asked.write:
        put(lines, f"{asked.by} {asked.task.split()[0]}")
    sys.exit(min(grown, 1))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Time and memory of pgnmill on the hostile shapes of tests/hostile.tsv.

In: the shapes, a program, sizes. Out: a Markdown row a shape: instructions a byte at the two smaller sizes (counted by
valgrind, so that a busy machine does not disturb them), seconds and peak memory at all sizes, plain and as one zstd
frame. A shape whose cost a byte grows by more than 1.5 from one size to the next is marked.

    cargo build --profile quick && scripts/hostile.py target/quick/pgnmill [SHAPE ...]

PGNMILL_HOSTILE_MB (1,10,100), PGNMILL_HOSTILE_TASK (validate), PGNMILL_HOSTILE_COUNT (2: so many sizes are counted).
"""

import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent.parent
SIZES = [float(n) for n in os.environ.get("PGNMILL_HOSTILE_MB", "1,10,100").split(",")]
TASK = os.environ.get("PGNMILL_HOSTILE_TASK", "validate").split()
COUNTED = int(os.environ.get("PGNMILL_HOSTILE_COUNT", "2"))
FLAT = 1.5


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


def write(path, first, unit, last, size):
    """The shape of this size, about. In pieces: a child's peak memory is never told below its parent's."""
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


def command(program, path, folder):
    outputs = {"convert": ["-o", str(folder / "out.pgn"), "--overwrite"]}
    outputs["measure"] = ["-o", str(folder / "out"), "--overwrite"]
    return [program, *TASK, "--threads", "1", "--quiet", *outputs.get(TASK[0], []), str(path)]


def run(arguments):
    """Seconds of processor time and MiB of a run, which must come to an end as it should."""
    start = time.monotonic()
    child = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = child.stderr.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in (0, 1):
        sys.exit(f"{arguments}: exit {child.returncode}: {said.decode(errors='replace')}")
    wall = time.monotonic() - start
    return usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024


def instructions(arguments):
    """Instructions of a run, counted."""
    counter = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null"]
    done = subprocess.run([*counter, *arguments], capture_output=True, text=True)
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    if not found or done.returncode not in (0, 1):
        sys.exit(f"{arguments}: {done.stderr[-2000:]}")
    return int(found.group(1).replace(",", ""))


def row(program, shape, folder, idle):
    """One shape: what was measured, and whether it is flat."""
    name, first, unit, last = shape
    counted, seconds, memory, packed = [], [], [], []
    for index, size in enumerate(SIZES):
        path = folder / "shape.pgn"
        write(path, first, unit, last, int(size * 1e6))
        arguments = command(program, path, folder)
        if index < COUNTED:
            counted.append((instructions(arguments) - idle) / path.stat().st_size)
        cpu, _, mib = run(arguments)
        seconds.append(cpu)
        memory.append(mib)
        frame = folder / "shape.pgn.zst"
        subprocess.run(["zstd", "-q", "-f", "-1", str(path), "-o", str(frame)], check=True)
        cpu, _, mib = run(command(program, frame, folder))
        packed.append((cpu, mib))
    grown = [b / a for a, b in zip(counted, counted[1:])]
    # Very short runs say nothing.
    pairs = zip(seconds, seconds[1:], SIZES, SIZES[1:])
    grown += [(b / m) / (a / n) for a, b, n, m in pairs if a > 0.2]
    mark = " **grows**" if any(ratio > FLAT for ratio in grown) else ""
    cells = [name + mark]
    cells += [f"{n:.1f}" for n in counted]
    cells += [f"{s:.2f}" for s in seconds]
    cells += [f"{memory[-1]:.0f}", f"{packed[-1][0]:.2f}", f"{packed[-1][1]:.0f}"]
    return "| " + " | ".join(cells) + " |", bool(mark)


def main():
    program, wanted = sys.argv[1], set(sys.argv[2:])
    sizes = [f"{size:g} MB" for size in SIZES]
    head = ["shape"] + [f"instr./byte, {size}" for size in sizes[:COUNTED]]
    head += [f"s, {size}" for size in sizes]
    head += [f"MiB, {sizes[-1]}", f"s, {sizes[-1]} .zst", f"MiB, {sizes[-1]} .zst"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    grows = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        empty = folder / "empty.pgn"
        empty.write_bytes(b"[Event \"a\"]\n\n*\n")
        idle = instructions(command(program, empty, folder)) if COUNTED else 0
        for shape in shapes():
            if not wanted or shape[0] in wanted:
                line, marked = row(program, shape, folder, idle)
                grows += marked
                print(line, flush=True)
    sys.exit(min(grows, 1))


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Times the arrays of positions and moves beside those of rust_pgn_reader_python_binding, in turns.

Usage: tensors.py [--turns N] ARCHIVE.pgn

Input: one archive as text, which both get from memory: the other program as one text per game, cut at `[Event ` before
the clock starts. Output: for one thread and for two the median seconds, and the median of the ratios of the turns: the
batches dropped one after the other, as when a network is trained, and all of them kept, as the other program keeps
them. Requires the package, rust_pgn_reader_python_binding, numpy and pyarrow.
"""
import argparse
import re
import statistics
import time

import pgnmill
import pyarrow
import rust_pgn_reader_python_binding as reader

COLUMNS = ["board", "move_code", "castling", "en_passant"]


def texts_of(text):
    starts = [found.start() for found in re.finditer(rb"^\[Event ", text, re.M)] + [len(text)]
    # As Latin-1, since the other program takes text alone.
    return pyarrow.chunked_array([[text[start:end].decode("latin-1") for start, end in zip(starts, starts[1:])]])


def own(text, threads, keeps):
    rows, kept = 0, []
    for batch in pgnmill.plies(text, columns=COLUMNS, threads=threads).arrays():
        rows += len(batch["board"])
        if keeps:
            kept.append(batch)
    return rows


def other(texts, threads):
    parsed = reader.parse_games(texts, num_threads=threads)
    return sum(chunk.boards.shape[0] for chunk in parsed.chunks)


def seconds(run, *arguments):
    begun = time.perf_counter()
    rows = run(*arguments)
    return time.perf_counter() - begun, rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archive")
    parser.add_argument("--turns", type=int, default=7)
    options = parser.parse_args()
    with open(options.archive, "rb") as file:
        text = file.read()
    texts = texts_of(text)
    for threads in (1, 2):
        own(text, threads, False)
        turns = [
            (seconds(own, text, threads, False), seconds(own, text, threads, True), seconds(other, texts, threads))
            for _ in range(options.turns)
        ]
        rows, boards = turns[0][0][1], turns[0][2][1]
        print(f"threads: {threads}; plies: {rows}; boards of the other program, one more per game: {boards}")
        for name, index in (("dropped", 0), ("kept", 1)):
            taken = statistics.median(turn[index][0] for turn in turns)
            ratio = statistics.median(turn[2][0] / turn[index][0] for turn in turns)
            print(f"  batches {name}: {taken:.3f} s, {ratio:.2f} times as fast")


main()

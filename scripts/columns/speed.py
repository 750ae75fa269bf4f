#!/usr/bin/env python3
"""Measures `pgnmill export` against `pgnmill validate`, and two threads against one.

Usage: speed.py [--turns N] PGNMILL ARCHIVE.pgn.zst

Input: the program and an archive. Commands alternate: in each turn validate, then the export with one thread and with
two; first on the archive as it is, then on its text. Output: a Markdown table with the medians over the turns of the
ratios of each turn, and the bytes written.
"""
import argparse
import pathlib
import statistics
import subprocess
import tempfile
import time

GAMES = "Event,Site,White,Black,Result,WhiteElo,BlackElo,UTCDate,UTCTime,ECO,TimeControl,moves,clocks"
EXPORTS = {
    "games: tags, UCI moves, clocks": ["--columns", GAMES],
    "games: `--columns hf`": ["--columns", "hf"],
    "games: default": [],
    "plies: default": ["--table", "plies"],
    "plies: default and FEN": ["--table", "plies", "--columns", "default,fen"],
}


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, check=True)
    return time.perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--turns", type=int, default=7)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("archive", type=pathlib.Path)
    given = parser.parse_args()
    program = str(given.program.resolve())
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        text, out = work / "text.pgn", work / "out.parquet"
        with text.open("wb") as unpacked:
            subprocess.run(["zstd", "-dcq", given.archive], check=True, stdout=unpacked)
        print("| columns | archive | × validate, one thread | one thread / two | MB written |")
        print("| --- | --- | ---: | ---: | ---: |")
        for name, archive in (("as stored", given.archive), ("text", text)):
            for columns, options in EXPORTS.items():
                export = [program, "export", "-q", "--overwrite", "-o", out, *options, archive, "--threads"]
                ratios, gains = [], []
                for _ in range(given.turns):
                    validate = seconds([program, "validate", "-q", "--threads", "1", archive])
                    one, two = seconds([*export, "1"]), seconds([*export, "2"])
                    ratios.append(one / validate)
                    gains.append(one / two)
                ratio, gain = statistics.median(ratios), statistics.median(gains)
                size = out.stat().st_size / 1e6
                print(f"| {columns} | {name} | {ratio:.2f} | {gain:.2f} | {size:.1f} |", flush=True)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Counts the games of archives with an independent reader, python-chess.

Usage: count-games.py FOLDER > counts.tsv

One line for every .pgn and .zst file below the folder: its path; the number of games by chess.pgn.skip_game, called
repeatedly; and the same after blank lines are normalised: one before the first tag pair after movetext, others only among tag
pairs. The reader ends a game at every blank line, also after a comment or between moves, and only there. Requires the package
`chess` and the program `zstd`. For a file at which the reader fails, the exception replaces the number.
"""
import io
import pathlib
import subprocess
import sys

import chess.pgn


def text_of(path):
    if path.suffix == ".zst":
        unpack = ["zstd", "-dc", "--long=31", str(path)]
        stored = subprocess.run(unpack, check=True, stdout=subprocess.PIPE).stdout
    else:
        stored = path.read_bytes()
    return stored.decode("utf-8", errors="replace")


def joined(text):
    """The text with one blank line before a tag pair that follows other text, and blank lines only before tag pairs."""
    kept, pending, tag_before = [], [], True
    for line in io.StringIO(text, newline=None):
        if line.isspace():
            pending.append(line)
            continue
        tag = line.startswith("[")
        if tag:
            kept += pending if pending or tag_before else ["\n"]
        pending, tag_before = [], tag
        kept.append(line)
    return "".join(kept)


def count(text):
    try:
        text, games = io.StringIO(text, newline=None), 0
        while chess.pgn.skip_game(text):
            games += 1
        return games
    except Exception as error:  # The exception is the result.
        return type(error).__name__


def main():
    root = pathlib.Path(sys.argv[1])
    for path in sorted(root.rglob("*")):
        if path.suffix in (".pgn", ".zst") and path.is_file():
            text = text_of(path)
            print(path.relative_to(root).as_posix(), count(text), count(joined(text)), sep="\t", flush=True)


main()

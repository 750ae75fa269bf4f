#!/usr/bin/env python3
"""Counts the games of archives with a reader that is not pgnmill: python-chess.

Usage: count-games.py FOLDER > counts.tsv

One line for every .pgn and .zst file below the folder: its path; the games that chess.pgn.skip_game finds in it, one
after the other, as a program that reads games would; and the games that it finds when a blank line stands before the
first tag pair after movetext and before nothing else but tag pairs, because to it a blank line ends a game, also after a
comment or between moves, and nothing else does. Needs the package `chess` and the program `zstd`. A file that the reader cannot end has its exception in place of the number.
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
    """The text with a blank line before a tag pair that follows anything else, and before nothing but tag pairs."""
    kept, blanks, tag_before = [], [], True
    for line in io.StringIO(text, newline=None):
        if line.isspace():
            blanks.append(line)
            continue
        tag = line.startswith("[")
        if tag:
            kept += blanks if blanks or tag_before else ["\n"]
        blanks, tag_before = [], tag
        kept.append(line)
    return "".join(kept)


def count(text):
    try:
        text, games = io.StringIO(text, newline=None), 0
        while chess.pgn.skip_game(text):
            games += 1
        return games
    except Exception as error:  # What ends the reader is the answer.
        return type(error).__name__


def main():
    root = pathlib.Path(sys.argv[1])
    for path in sorted(root.rglob("*")):
        if path.suffix in (".pgn", ".zst") and path.is_file():
            text = text_of(path)
            print(path.relative_to(root).as_posix(), count(text), count(joined(text)), sep="\t", flush=True)


main()

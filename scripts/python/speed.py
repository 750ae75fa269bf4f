#!/usr/bin/env python3
"""Measure the loop of pgnmill.open, with tags and SAN, against that of python-chess.

Both read the same games, alternately, several times; the figure is the median of the ratios of each pair. Usage:

    python scripts/python/speed.py ARCHIVE [--games N] [--pairs N] [--threads N]

Needs the packages pgnmill (a release build) and chess.
"""

import argparse
import itertools
import statistics
import tempfile
import time
from pathlib import Path

import chess.pgn
import pgnmill


def with_pgnmill(path: Path, threads: int | None) -> tuple[int, int]:
    """The games and plies of the archive."""
    games = plies = 0
    for game in pgnmill.open(path, threads=threads):
        game.tags
        plies += len(game.san())
        games += 1
    return games, plies


def with_python_chess(path: Path) -> tuple[int, int]:
    """The games and plies of the archive."""
    games = plies = 0
    with path.open(encoding="utf-8", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            dict(game.headers)
            # Not node.san(), which plays the game again for each move.
            board = game.board()
            plies += sum(1 for move in game.mainline_moves() if board.san_and_push(move))
            games += 1
    return games, plies


def timed(call, *arguments) -> tuple[float, tuple[int, int]]:
    begun = time.perf_counter()
    value = call(*arguments)
    return time.perf_counter() - begun, value


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("archive", type=Path)
    parser.add_argument("--games", type=int, default=2_000, help="how many games both read, from the first on")
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--threads", type=int)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.pgn"
        with path.open("wb") as file, pgnmill.open(arguments.archive) as games:
            for game in itertools.islice(games, arguments.games):
                file.write(game.text)
        ratios = []
        for pair in range(arguments.pairs):
            ours, found = timed(with_pgnmill, path, arguments.threads)
            theirs, expected = timed(with_python_chess, path)
            assert found == expected, (found, expected)
            ratios.append(theirs / ours)
            print(f"pair {pair + 1}: pgnmill {ours:.3f} s, python-chess {theirs:.3f} s, ratio {ratios[-1]:.1f}")
        games, plies = found
        print(f"{games} games, {plies} plies: median ratio {statistics.median(ratios):.1f}")


if __name__ == "__main__":
    main()

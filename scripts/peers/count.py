#!/usr/bin/env python3
"""Validates the moves of PGN files with python-chess. Prints games, games with errors and plies, separated by tabs."""
import logging
import sys

import chess.pgn


class Validator(chess.pgn.BaseVisitor):
    """Plays the main line; variations are skipped, as by the other peers."""

    def begin_game(self):
        self.plies, self.broken = 0, False

    def begin_variation(self):
        return chess.pgn.SKIP

    def visit_move(self, board, move):
        self.plies += 1

    def handle_error(self, error):
        self.broken = True

    def result(self):
        return self.plies, self.broken


logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
games = broken = plies = 0
for path in sys.argv[1:]:
    with open(path, encoding="latin-1") as archive:
        while (found := chess.pgn.read_game(archive, Visitor=Validator)) is not None:
            games, broken, plies = games + 1, broken + found[1], plies + found[0]
print(games, broken, plies, sep="\t")

#!/usr/bin/env python3
"""Reads an archive with python-chess, for compare.py: one line per game with what decides whether games are duplicates.

Usage: reference.py ARCHIVE.pgn > games.tsv

Columns: game, starting position, moves in UCI, White, Black, date, time, result, other tags of games without moves. Names are in the
normal form of docs/duplicates.md; an unknown name or date is empty. Games with faults have no line. Requires the package `chess`.
"""
import re
import sys

import chess
import chess.pgn

# Faults are counted by this program.
chess.pgn.LOGGER.setLevel("CRITICAL")


def name_of(value):
    """The words of a name in lower case, sorted; empty if the player is unknown."""
    lower = "".join(character.lower() for character in value)
    words = sorted(word for word in re.split(r"[^\w]+", lower) if word)
    return "" if words in ([], ["nn"], ["n", "n"]) else " ".join(words)


def date_of(headers):
    """The first date with a year from 1400 to 2100, else the first with a digit."""
    dates = [headers.get(name, "").strip() for name in ["Date", "UTCDate"]]
    is_date = r"[0-9]{4}([./-]([0-9]{1,9}|[0-9?]*[?][0-9?]*)){0,2}"
    dated = [date for date in dates if re.fullmatch(is_date, date) and 1400 <= int(date[:4]) <= 2100]
    return next(iter(dated + [date for date in dates if re.search("[0-9]", date)]), "")


def main():
    sys.stdout.reconfigure(encoding="utf-8", errors="surrogateescape")
    print("game", "start", "moves", "white", "black", "date", "time", "result", "others", sep="\t")
    with open(sys.argv[1], encoding="utf-8", errors="surrogateescape") as archive:
        number = 0
        while (game := chess.pgn.read_game(archive)) is not None:
            number += 1
            if game.errors:
                continue
            headers = game.headers
            start = " ".join(game.board().fen(en_passant="legal").split()[:4])
            moves = " ".join(move.uci() for move in game.mainline_moves())
            others = [headers.get(name, "").strip() for name in ["Event", "Site", "Round", "UTCTime"]]
            fields = [
                number,
                start,
                moves,
                name_of(headers.get("White", "")),
                name_of(headers.get("Black", "")),
                date_of(headers),
                headers.get("UTCTime", "").strip(),
                headers.get("Result", "*"),
                "|".join(others),
            ]
            print(*fields, sep="\t")


if __name__ == "__main__":
    main()

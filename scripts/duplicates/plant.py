#!/usr/bin/env python3
"""Makes an archive with planted duplicates, from archives of real games.

Usage: plant.py [--games N] [--planted N] [--seed N] --truth TRUTH.tsv SOURCE.pgn... > planted.pgn

The archive has N games (100,000), some of them planted (20,000): copies of random others, changed in one of the ways of KINDS.
TRUTH.tsv has one line per planted game: its number, its kind, the number of the game that it was made of. Sources are plain
text. The same seed makes the same archive. Requires the package `chess` for the copies in another notation.
"""
import argparse
import random
import re
import sys

import chess

TAG = re.compile(r'^\[(\w+) "(.*)"\]\r?$', re.MULTILINE)
RESULTS = ["1-0", "0-1", "1/2-1/2", "*"]


class Game:
    def __init__(self, tags, moves, text=None):
        self.tags, self.moves, self.text = tags, moves, text

    def copy(self):
        return Game(dict(self.tags), list(self.moves))

    def written(self):
        """The text: as in the source, or eight moves per line."""
        if self.text is not None:
            return self.text
        tokens = []
        for ply, move in enumerate(self.moves):
            tokens.append(f"{ply // 2 + 1}. {move}" if ply % 2 == 0 else move)
        tokens.append(self.tags.get("Result", "*"))
        lines = [" ".join(tokens[at : at + 16]) for at in range(0, len(tokens), 16)]
        tags = "".join(f'[{name} "{value}"]\n' for name, value in self.tags.items())
        return tags + "\n" + "\n".join(lines) + "\n\n"


def read(path):
    """The games of a source that have no variations, glyphs or starting positions."""
    with open(path, encoding="utf-8", errors="replace", newline="\n") as source:
        text = source.read()
    for part in re.split(r"(?m)^(?=\[Event )", text):
        tags = dict(TAG.findall(part))
        movetext = re.split(r"\]\r?\n\r?\n", part, maxsplit=1)[-1]
        movetext = re.sub(r"\{[^}]*\}", " ", movetext)
        if not tags or "FEN" in tags or re.search(r"[($;%]|--", movetext):
            continue
        # python-chess ends a game at two empty lines.
        if re.search(r"\n\r?\n\r?\n.", part):
            continue
        tokens = re.sub(r"\d+\.+", " ", movetext).split()
        moves = [token for token in tokens if token not in RESULTS]
        if tags.get("Result") in RESULTS and len(moves) > 1 and all(move[0].isalpha() for move in moves):
            # python-chess begins a game after an empty line.
            yield Game(tags, moves, part.rstrip() + "\n\n")


def other_tags(game, dice):
    game.tags = {
        "Event": "another event",
        "Site": "another site",
        "Date": f"19{dice.randrange(10, 99)}.01.01",
        "Round": str(dice.randrange(1, 20)),
        "White": f"White, {dice.randrange(1000)}",
        "Black": f"Black, {dice.randrange(1000)}",
        "Result": game.tags["Result"],
        "Annotator": "another",
    }


def comments(game, dice):
    for at in dice.sample(range(len(game.moves)), min(5, len(game.moves))):
        game.moves[at] += " {a comment with 1. e4 (e5) in it}"


def variations(game, dice):
    for at in dice.sample(range(len(game.moves)), min(3, len(game.moves))):
        game.moves[at] += f" ({game.moves[at]} $1)"


def notation(game, dice):
    board, moves = chess.Board(), []
    for san in game.moves:
        move = board.parse_san(san)
        moves.append(board.lan(move).replace("-", "") if not board.is_castling(move) else board.san(move))
        board.push(move)
    game.moves = moves


def result(game, dice):
    game.tags["Result"] = dice.choice([one for one in RESULTS if one != game.tags["Result"]])


def truncated(game, dice):
    del game.moves[dice.randrange(1, len(game.moves)) :]


def truncated_other_spelling(game, dice):
    truncated(game, dice)
    for name in ["White", "Black"]:
        words = game.tags.get(name, "?").split(",")
        game.tags[name] = " ".join(word.strip() for word in reversed(words)).upper()


def truncated_other_result(game, dice):
    truncated(game, dice)
    result(game, dice)


def truncated_other_date(game, dice):
    truncated(game, dice)
    game.tags["Date"] = "1999.09.09"


def last_ply_missing(game, dice):
    """One ply fewer, and a tag pair more."""
    del game.moves[-1]
    game.tags["Source"] = "another"


def twice_truncated(game, dice):
    truncated(game, dice)
    if len(game.moves) > 1:
        truncated(game, dice)


KINDS = {
    "identical": None,
    "other-tags": other_tags,
    "comments": comments,
    "variations": variations,
    "notation": notation,
    "other-result": result,
    "truncated": truncated,
    "truncated-other-spelling": truncated_other_spelling,
    "truncated-other-result": truncated_other_result,
    "truncated-other-date": truncated_other_date,
    "last-ply-missing": last_ply_missing,
    "twice-truncated": twice_truncated,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--games", type=int, default=100_000)
    parser.add_argument("--planted", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--truth", required=True)
    parser.add_argument("sources", nargs="+")
    args = parser.parse_args()
    dice = random.Random(args.seed)
    pool = [game for path in args.sources for game in read(path)]
    real = dice.sample(pool, min(len(pool), args.games - args.planted))
    # The games that are written, with the kind and the original of planted ones.
    games = [(game, None, None) for game in real]
    for number in range(args.planted):
        original = dice.randrange(len(real))
        kind = list(KINDS)[number % len(KINDS)]
        game = real[original] if kind == "identical" else real[original].copy()
        if KINDS[kind]:
            KINDS[kind](game, dice)
        games.append((game, kind, original))
    order = list(range(len(games)))
    dice.shuffle(order)
    numbers = {index: number for number, index in enumerate(order, 1)}
    with open(args.truth, "w", encoding="utf-8") as truth:
        truth.write("game\tkind\tof\n")
        for number, index in enumerate(order, 1):
            game, kind, original = games[index]
            sys.stdout.write(game.written())
            if kind:
                truth.write(f"{number}\t{kind}\t{numbers[original]}\n")


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Compares the tables of `pgnmill export` with python-chess, value by value.

Usage: recount.py [options] ARCHIVE.pgn[.zst] GAMES.parquet [PLIES.parquet]

Input: one archive and the tables of it (rows of other archives are left out). Each row's game is read by chess.pgn
from the text between its byte_offset and that of the next row; without byte offsets the archive is read from its
begin and the rows are found by their number of the game. Columns that a table lacks are not compared.
Checked for each game: tags, ratings, dates, times, game_id, outcome, ply_count, variation_plies, moves, clocks,
evaluations and the Polyglot key of the last position; for each ply: SAN, UCI, FEN and key before the move, the number
of legal moves, pieces, check, clocks, evaluations and NAGs. All but the moves are read by chess.pgn or counted again
here by docs/columns.md. Not compared, but counted: games that chess.pgn reads with errors; commands in a form that
chess.pgn does not read; tags of games that are not UTF-8 or whose tag pairs are not one per line; suffixes such as
`???`; keys of variants. Prints the counts and the first 20 differences. Ends with 1 if there is one. Requires the
packages chess and pyarrow, and the program `zstd` for compressed archives.
"""
import argparse
import collections
import itertools
import logging
import os
import re
import sys

import archives
import chess
import chess.pgn
import chess.polyglot
import oracle
import pyarrow.parquet as parquet

COMMAND = {"clock_ms": "[%clk", "clocks": "[%clk", "emt_ms": "[%emt", "eval_cp": "[%eval", "evals_cp": "[%eval",
           "eval_mate": "[%eval", "evals_mate": "[%eval"}

TAGS = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s*(?:\[[^\r\n]*\]|%[^\r\n]*)[ \t]*(?=[\r\n]))*")


class Comparison:
    """Counts compared values and keeps the first differences."""

    def __init__(self):
        self.compared, self.notes, self.differences = (collections.Counter() for _ in range(3))
        self.examples = []

    def value(self, column, where, expected, found):
        self.compared[column] += 1
        if expected != found:
            self.differences[column] += 1
            if self.differences[column] <= 5 and len(self.examples) < 20:
                self.examples.append(f"{where}, {column}: python-chess {expected!r:.200}, table {found!r:.200}")

    def command(self, column, where, values, comment):
        """A value of a command. What chess.pgn does not read is a form of its own if the comment holds the command."""
        expected, found = values
        if expected is None and found is not None and COMMAND[column] in comment:
            self.notes[f"{column} in a form that chess.pgn does not read"] += 1
            if self.notes["examples of such forms"] < 5:
                self.notes["examples of such forms"] += 1
                self.examples.append(f"(not counted) {where}, {column}: table {found!r}, comment {comment!r:.100}")
        elif expected is None and found is not None and COMMAND[column] == "[%eval":
            self.notes[f"{column} of an engine's comment, which engines.py compares"] += 1
        elif expected is None and found is None:
            self.compared[f"{column}, null in both"] += 1
        else:
            self.value(column, where, expected, found)

    def end(self):
        for column, count in sorted(self.compared.items()):
            print(f"{column}\tcompared {count}\tdifferent {self.differences[column]}")
        for note, count in sorted(self.notes.items()):
            print(f"note\t{note}: {count}")
        for text in self.examples:
            print("DIFFERENT", text)
        count = sum(self.differences.values())
        names = {"plies": ("uci",), "clocks": ("clock_ms", "clocks"), "elapsed times": ("emt_ms",),
                 "evaluations": ("eval_cp", "evals_cp"), "mates": ("eval_mate", "evals_mate")}
        most = {name: max(self.compared[one] for one in of) for name, of in names.items()}
        print(", ".join(f"{count} {name}" for name, count in most.items() if count))
        print(f"{sum(self.compared.values())} values compared, {count} different; python-chess {chess.__version__}")
        sys.exit(1 if count else 0)


def compare_plies(comparison, where, game, rows, columns, players):
    """Compares the rows of plies of a game, none if `rows` is None. Returns lists of all plies and the last key."""
    board, lists = game.board(), {"moves": [], "clocks": [], "evals_cp": [], "evals_mate": [], "comments": []}
    for ply, node in enumerate(game.mainline(), 1):
        mover = board.turn
        if rows is not None:
            expected = oracle.expected_ply(board, node.move, columns)
            uci = expected["uci"]
        else:
            uci = board.uci(node.move)
            board.push(node.move)
        comment = node.comment
        has_command = "[%" in comment
        clock = oracle.milliseconds(chess.pgn.CLOCK_REGEX, comment) if has_command else None
        centipawns, mate = oracle.evaluation(node) if has_command else (None, None)
        for name, value in zip(lists, (uci, clock, centipawns, mate, comment)):
            lists[name].append(value)
        if rows is None or ply > len(rows):
            continue
        row, at = rows[ply - 1], f"{where}, ply {ply}"
        comparison.value("ply", at, ply, row["ply"])
        for name, value in expected.items():
            if name in columns:
                comparison.value(name, at, value, row[name])
        elapsed = oracle.milliseconds(chess.pgn.EMT_REGEX, comment) if has_command else None
        if "[%timestamp" not in comment:
            # Values are those of the table where chess.pgn does not read a form.
            read = [row.get(name) for name in ("clock_ms", "emt_ms", "eval_cp")]
            for name, value in players.of_ply(mover, *read).items():
                if name in columns and value != "other":
                    comparison.value(name, at, value, row[name])
        for name, value in (("clock_ms", clock), ("emt_ms", elapsed), ("eval_cp", centipawns), ("eval_mate", mate)):
            if name in columns:
                comparison.command(name, at, (value, row[name]), comment)
        if "comment" in columns:
            found = row["comment"] and " ".join(row["comment"].split())
            comparison.value("comment", at, oracle.remark_of(comment), found)
        if "nags" in columns:
            if len(node.nags) > 1 and not row["nags"]:
                comparison.notes["suffixes such as ???, which chess.pgn reads as several NAGs"] += 1
            else:
                comparison.value("nags", at, sorted(node.nags), sorted(set(row["nags"] or [])))
    if rows is not None:
        comparison.value("rows of plies", where, len(lists["moves"]), len(rows))
    return lists, oracle.signed(chess.polyglot.zobrist_hash(board)) if board.uci_variant == "chess" else None


def compare_movetext(comparison, row, text, is_last):
    """The movetext is what follows the tags, as it stands; after it only space, or games that were rejected."""
    where = f"game {row['game']}"
    if not row["movetext"]:
        comparison.notes["games without movetext"] += 1
        return
    movetext = row["movetext"].encode()
    begin = text.find(movetext, TAGS.match(text).end())
    comparison.value("movetext", where, True, begin >= 0)
    if begin >= 0:
        before, after = text[:begin], text[begin + len(movetext):]
        lines = [line for line in before.removeprefix(b"\xef\xbb\xbf").splitlines() if line.strip()]
        odd = [line for line in lines if not line.startswith((b"[", b"%"))]
        comparison.value("movetext, lines before it", where, [], odd)
    if begin >= 0 and is_last:
        comparison.value("movetext, text after it", where, b"", after.strip())


def compare_lists(comparison, where, lists, row):
    """The lists of a row of games: null without a command, else one element for each ply."""
    for name in ("clocks", "evals_cp", "evals_mate"):
        if name not in row:
            continue
        found, count = row[name], len(lists["moves"])
        if found is None:
            comparison.value(f"{name}, null", where, [], [value for value in lists[name] if value is not None])
            continue
        comparison.value(f"{name}, length", where, count, len(found))
        # An engine's comment has no command: both lists are there if it gives a value for one of them.
        evaluations = [value for both in ("evals_cp", "evals_mate") for value in row.get(both) or ()]
        is_of_engines = COMMAND[name] == "[%eval" and any(value is not None for value in evaluations)
        if not is_of_engines and not any(COMMAND[name] in comment for comment in lists["comments"]):
            comparison.value(f"{name}, null", where, None, found)
        for ply, values in enumerate(zip(lists[name], found), 1):
            comparison.command(name, f"{where}, ply {ply}", values, lists["comments"][ply - 1])


def compare_game(comparison, given, row, game, plies):
    """Compares a row of games and its rows of plies with a game of chess.pgn."""
    where = f"game {row['game']}"
    if game.has_odd_tags:
        comparison.notes["games with tag pairs that chess.pgn does not read, tags and movetext not compared"] += 1
    elif game.is_utf8:
        for name, value in oracle.expected_tags(game.tags).items():
            if name in row:
                comparison.value(name, where, value, row[name])
        if "tags" in row:
            comparison.value("tags", where, oracle.other_tags(game.tags), dict(row["tags"] or ()))
    else:
        comparison.notes["games that are not UTF-8, tags not compared"] += 1
    rows, columns = plies
    for name in {"byte_offset", "game", "game_id"} & set(columns) & set(row):
        comparison.value(f"{name} of plies", where, {row[name]} if rows else set(), {ply[name] for ply in rows})
    players = oracle.Players(row, row.get("outcome"))
    lists, key = compare_plies(comparison, where, game, rows, columns, players)
    if "outcome" in row and game.token is None:
        comparison.notes["games without a result token"] += 1
        expected = oracle.outcome_without_token(game, game.text)
        comparison.value("outcome, no token", where, expected, row["outcome"])
    elif "outcome" in row:
        comparison.value("outcome", where, game.token, row["outcome"])
    moves = len(lists["moves"])
    single = {"ply_count": moves, "moves": " ".join(lists["moves"]), "final_hash": key}
    if "variation_plies" in row:
        single["variation_plies"] = oracle.size_of_tree(game) - moves
    for name, value in single.items():
        if name in row and (name, value) != ("final_hash", None):
            comparison.value(name, where, value, row[name])
    compare_lists(comparison, where, lists, row)
    given.plies_left -= moves


def read_game(comparison, stored, row):
    """The game of a slice of the archive; None if chess.pgn does not read it as the table does."""
    try:
        text, is_utf8 = stored.decode("utf-8-sig"), True
    except UnicodeDecodeError:
        text, is_utf8 = stored.decode("latin-1"), False
    game = oracle.read_text(text)
    moves = sum(1 for _ in game.mainline()) if game else -1
    if "ply_count" in row and moves < row["ply_count"]:
        joined = oracle.read_text(oracle.without_empty_lines(text))
        more = sum(1 for _ in joined.mainline()) if joined else -1
        if more > moves:
            game = joined
            comparison.notes["games read again without empty lines"] += 1
    if game is None:
        comparison.notes["games that chess.pgn does not find"] += 1
        return None
    if game.errors:
        comparison.notes["games that chess.pgn reads with errors, not compared"] += 1
        comparison.notes[f"error of chess.pgn: {type(game.errors[0]).__name__}"] += 1
        return None
    game.is_utf8, game.text, game.has_odd_tags = is_utf8, text, oracle.has_odd_tags(text)
    return game


def slices_of(stored, rows):
    """The text of each row's game: to the begin of the next row's, or cut where a tag Event begins a line."""
    offsets = [row.get("byte_offset") for row in rows]
    if None not in offsets:
        return [stored[begin:end] for begin, end in zip(offsets, [*offsets[1:], len(stored)])]
    cuts = [match.start() for match in re.finditer(rb"^\[Event ", stored, re.MULTILINE)] + [len(stored)]
    return [stored[cuts[row["game"] - 1]:cuts[row["game"]]] if row["game"] < len(cuts) else b"" for row in rows]


def rows_of(path, archive):
    """The rows of a Parquet file as dictionaries, those of one archive, without the columns that are not compared."""
    file = parquet.ParquetFile(path)
    has_archive = "archive" in file.schema_arrow.names
    columns = [name for name in file.schema_arrow.names if name != "archive"]
    for batch in file.iter_batches(batch_size=8192, columns=columns + ["archive"] * has_archive):
        names = batch.column("archive").to_pylist() if has_archive else itertools.repeat(archive)
        for name, row in zip(names, batch.select(columns).to_pylist()):
            if os.path.basename(name) == os.path.basename(archive):
                yield row


class Plies:
    """The rows of plies, game by game in the order of the table."""

    def __init__(self, path, archive, key):
        self.columns, self.key = parquet.read_schema(path).names if path else (), key
        rows = rows_of(path, archive) if path else ()
        self.groups = itertools.groupby(rows, lambda row: row[key])
        self.next = next(self.groups, None)

    def of_game(self, row, is_used):
        """The rows of a game, empty for a game without plies; goes on to the next game."""
        if self.next is None or self.next[0] != row[self.key]:
            return []
        rows = list(self.next[1]) if is_used else []
        self.next = next(self.groups, None)
        return rows


def compare_rows(comparison, given, stored, rows):
    has_numbers = rows[0].get("game") is not None
    plies = Plies(given.plies, given.archive, "game" if has_numbers else "byte_offset")
    for number, (row, text) in enumerate(zip(rows, slices_of(stored, rows))):
        is_used = number % given.every == 0 and given.text.encode() in text and given.plies_left > 0
        of_game = plies.of_game(row, is_used)
        if not is_used:
            comparison.notes["rows left out by the options"] += 1
            continue
        game = read_game(comparison, text, row)
        if game is not None:
            comparison.notes["games compared"] += 1
            if "movetext" in row and game.is_utf8 and not game.has_odd_tags:
                next_number = rows[number + 1].get("game") if number + 1 < len(rows) else None
                compare_movetext(comparison, row, text, has_numbers and next_number == row["game"] + 1)
            compare_game(comparison, given, row, game, (of_game if given.plies else None, plies.columns))
    comparison.value("games left in plies", "end", None, plies.next and plies.next[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("archive")
    parser.add_argument("games")
    parser.add_argument("plies", nargs="?")
    parser.add_argument("--plies", dest="plies_left", type=int, default=10**12, metavar="N",
                        help="ends after the game with the N-th ply")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every N-th game of the table")
    parser.add_argument("--with", dest="text", default="", metavar="TEXT",
                        help="only games that contain the text, such as [%%eval")
    given = parser.parse_args()
    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)
    comparison, stored = Comparison(), archives.bytes_of(given.archive)
    rows = list(rows_of(given.games, given.archive))
    if not rows:
        sys.exit(f"{given.games} has no row of {given.archive}")
    compare_rows(comparison, given, stored, rows)
    comparison.end()


if __name__ == "__main__":
    main()

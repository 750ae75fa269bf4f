#!/usr/bin/env python3
"""Writes the rows of a table of games back as PGN.

Usage: again.py [--raw] GAMES.parquet -o OUT.pgn

Input: a Parquet file of `pgnmill export --table games` with the columns of tags and movetext. Output: one game for
each row: the seven tags of the roster, the other columns that are tags in the order of Lichess, the tags of the
column `tags` if it is there, an empty line, the movetext as it stands. A null value gives no tag. Exporting the
output again must give the same rows (same_rows.py compares). `\\` and `"` in values are escaped; --raw writes the
values as they stand. Without the column `tags`, the tag Link is lost, and with it the game_id of chess.com. A row
without tags after one without a result has no boundary in PGN: both are read as one game. Prints the number of games.
Requires the package pyarrow.
"""
import argparse

import pyarrow.parquet as parquet

ROSTER = ("Event", "Site", "Date", "Round", "White", "Black", "Result")
OTHERS = ("UTCDate", "UTCTime", "WhiteElo", "BlackElo", "WhiteRatingDiff", "BlackRatingDiff", "WhiteTitle",
          "BlackTitle", "ECO", "Opening", "TimeControl", "Termination", "Variant", "FEN")


def value_of(name, value):
    """The value of a tag as Lichess writes it."""
    if name == "UTCDate":
        return f"{value.year:04}.{value.month:02}.{value.day:02}"
    if name == "UTCTime":
        return value.strftime("%H:%M:%S")
    return f"{value:+d}" if name.endswith("RatingDiff") else str(value)


def pairs_of(row):
    for name in ROSTER + OTHERS:
        if row.get(name) is not None:
            yield name, value_of(name, row[name])
    yield from row.get("tags") or ()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("games")
    parser.add_argument("-o", dest="output", required=True)
    parser.add_argument("--raw", action="store_true", help="the values of tags are not escaped")
    given = parser.parse_args()
    file, count = parquet.ParquetFile(given.games), 0
    columns = [name for name in file.schema_arrow.names if name in ROSTER + OTHERS + ("tags", "movetext")]
    with open(given.output, "w", encoding="utf-8", newline="") as output:
        for batch in file.iter_batches(batch_size=4096, columns=columns):
            for row in batch.to_pylist():
                for name, value in pairs_of(row):
                    value = value if given.raw else value.replace("\\", "\\\\").replace('"', '\\"')
                    output.write(f'[{name} "{value}"]\n')
                output.write("\n" + row["movetext"] + "\n\n")
                count += 1
    print(f"{count} games, columns {' '.join(columns)}")


if __name__ == "__main__":
    main()

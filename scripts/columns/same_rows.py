#!/usr/bin/env python3
"""Compares two tables row by row.

Usage: same_rows.py [--except COLUMN,...] [--any-number] A.parquet B.parquet

Input: two Parquet files of `pgnmill export` of the same table. All columns but archive and byte_offset must have the
same type and the same values in the same order. --any-number leaves out the column game too: games that were rejected
have no row, so the numbers of the others change when rows are written back as PGN. It is set if the metadata of A
counts rejected games. Prints the compared rows and columns and the first differences. Ends with 1 if there is one.
Requires the package pyarrow.
"""
import argparse
import sys

import archives
import pyarrow.parquet as parquet


def read(path, left_out):
    table = parquet.read_table(path, partitioning=None)
    return table.drop_columns([name for name in table.column_names if name in left_out])


def different_rows(first, second):
    """The numbers of the rows whose values differ."""
    return [row for row, (a, b) in enumerate(zip(first.to_pylist(), second.to_pylist())) if a != b]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--except", dest="left_out", default="")
    parser.add_argument("--any-number", action="store_true")
    parser.add_argument("first")
    parser.add_argument("second")
    given = parser.parse_args()
    left_out = {"archive", "byte_offset", *given.left_out.split(",")}
    if given.any_number or archives.count_of("rejected", archives.metadata_of(given.first)):
        left_out.add("game")
    first, second = read(given.first, left_out), read(given.second, left_out)
    failed = []
    if first.schema.names != second.schema.names or first.schema.types != second.schema.types:
        failed.append(f"the schemas differ: {first.schema.types} {second.schema.types}")
    if first.num_rows != second.num_rows:
        failed.append(f"{first.num_rows} and {second.num_rows} rows")
    for name in first.column_names if not failed else ():
        if first.column(name).equals(second.column(name)):
            continue
        rows = different_rows(first.column(name), second.column(name))
        if rows:
            failed.append(f"{name}: {len(rows)} rows differ")
        for row in rows[:5]:
            values = (table.column(name)[row].as_py() for table in (first, second))
            failed.append(f"  row {row}: " + " | ".join(f"{value!r:.300}" for value in values))
    for text in failed:
        print("DIFFERENT", text)
    without = " ".join(sorted(left_out - {""}))
    print(f"{first.num_rows} rows, {len(first.column_names)} columns compared, left out: {without}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()

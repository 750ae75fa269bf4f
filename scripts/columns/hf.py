#!/usr/bin/env python3
"""Loads a table of `pgnmill export --columns hf` with the package `datasets`, with the features of a public data set.

Usage: hf.py GAMES.parquet

Input: one Parquet file. Checked: its columns have the names and the order of Lichess/standard-chess-games; `datasets`
loads it without a network; `cast` to the exact features of that data set succeeds; so does loading with these
features given; all values, null values included, are the same as pyarrow reads them. Prints the types before and
after, and warns if a reader without the Arrow schema takes UTCTime for a number. Ends with 1 on a difference.
Requires the packages datasets and pyarrow.
"""
import os
import sys
import tempfile

os.environ.update(HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", HF_HUB_DISABLE_PROGRESS_BARS="1")

import archives
import datasets
import pyarrow
import pyarrow.parquet as parquet

# The card of the data set, `dataset_info`.
FEATURES = {
    "Event": "string", "Site": "string", "White": "string", "Black": "string", "Result": "string",
    "WhiteTitle": "string", "BlackTitle": "string",
    "WhiteElo": "int16", "BlackElo": "int16", "WhiteRatingDiff": "int16", "BlackRatingDiff": "int16",
    "UTCDate": "date32", "UTCTime": "time32[s]",
    "ECO": "string", "Opening": "string", "Termination": "string", "TimeControl": "string", "movetext": "string",
}


def values_of(name, column):
    return archives.times(name, column.to_pylist())


def compare(checks, table, loaded, how):
    """All columns of the loaded data set must have the values of the table."""
    checks.equal(f"rows, {how}", {"file": table.num_rows, "datasets": loaded.num_rows})
    checks.equal(f"columns, {how}", {"file": table.column_names, "datasets": loaded.column_names})
    for name in table.column_names:
        before, after = table.column(name), loaded.data.column(name)
        checks.equal(f"null values of {name}, {how}", {"file": before.null_count, "datasets": after.null_count})
        checks.holds(f"values of {name}, {how}", values_of(name, before) == values_of(name, after))


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    path, checks = sys.argv[1], archives.Checks()
    datasets.disable_progress_bars()
    features = datasets.Features({name: datasets.Value(type) for name, type in FEATURES.items()})
    table = parquet.read_table(path, partitioning=None)
    checks.equal("columns", {"file": table.column_names, "data set": list(FEATURES)})
    stored = parquet.ParquetFile(path).schema
    with tempfile.TemporaryDirectory() as cache:
        load = {"data_files": path, "split": "train", "cache_dir": cache}
        loaded = datasets.load_dataset("parquet", **load)
        compare(checks, table, loaded, "as loaded")
        cast = loaded.cast(features)
        compare(checks, table, cast, "after cast")
        checks.equal("features after cast", {"data set": features, "datasets": cast.features})
        given = datasets.load_dataset("parquet", features=features, **load)
        compare(checks, table, given, "loaded with features")
        for position, name in enumerate(table.column_names):
            column = stored.column(position)
            print(f"{name}\t{column.physical_type} {column.logical_type}\t{table.schema.field(name).type}"
                  f"\t{loaded.features[name].dtype}\t{cast.features[name].dtype}")
        if pyarrow.types.is_integer(table.schema.field("UTCTime").type):
            print("note: UTCTime is a bare INT32, pyarrow and DuckDB read an integer")
        print(f"{table.num_rows} rows, {len(table.column_names)} columns; "
              f"datasets {datasets.__version__}, pyarrow {pyarrow.__version__}")
    checks.end()


if __name__ == "__main__":
    main()

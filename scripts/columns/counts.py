#!/usr/bin/env python3
"""Counts the rows of tables with three readers and compares them with the metadata of the files.

Usage: counts.py [--summary SUMMARY.csv] [--sample ROWS] TABLE.parquet...

Input: Parquet files of `pgnmill export`, of the tables games and plies; optionally the file of `pgnmill validate
--summary` (lines key,value) of the same archives. DuckDB, Polars and pyarrow read every column of each file into
memory.
Checked: rows, null values per column, sums of ply_count and variation_plies and the values of a sample of rows are
the same for the three readers; rows of games = accepted + repaired = games read - rejected, also for each archive;
the rows of plies are the sum of ply_count; all of them are those of the summary; no type occurs that Spark does not
read.
Prints the types of each column as the readers name them and the counts. Ends with 1 if a check failed.
Requires the packages duckdb, polars and pyarrow.
"""
import argparse
import collections
import csv
import json

import archives
import duckdb
import polars
import pyarrow
import pyarrow.compute as compute
import pyarrow.parquet as parquet

SUMMED = ("ply_count", "variation_plies")


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


class PyArrow:
    """The figures of a file by pyarrow. The classes below have the same methods."""

    def __init__(self, path):
        self.table = parquet.read_table(path, partitioning=None)
        self.names = self.table.column_names

    def rows(self):
        return self.table.num_rows

    def nulls(self, name):
        return self.table.column(name).null_count

    def sum(self, name):
        return compute.sum(self.table.column(name)).as_py() or 0

    def type(self, name):
        return str(self.table.schema.field(name).type).replace("dictionary<values=string, ", "dictionary<string, ")

    def sample(self, rows):
        return self.table.take(rows).to_pylist()


class DuckDb:
    def __init__(self, path):
        self.database = duckdb.connect()
        self.database.execute(
            "create table rows as "
            "select * from read_parquet(?, hive_partitioning = false, file_row_number = true)", [path])
        described = self.database.execute("describe rows").fetchall()
        self.types = {row[0]: row[1] for row in described if row[0] != "file_row_number"}
        self.names = list(self.types)

    def one(self, query):
        return self.database.execute(query).fetchall()[0][0]

    def rows(self):
        return self.one("select count(*) from rows")

    def nulls(self, name):
        return self.one(f"select count(*) - count({quoted(name)}) from rows")

    def sum(self, name):
        return int(self.one(f"select coalesce(sum({quoted(name)}), 0) from rows"))

    def type(self, name):
        return self.types[name]

    def sample(self, rows):
        numbers = ", ".join(map(str, rows))
        query = ("select * exclude file_row_number from rows "
                 f"where file_row_number in ({numbers}) order by file_row_number")
        return self.database.cursor().sql(query).to_arrow_table().to_pylist()


class Polars:
    def __init__(self, path):
        self.table = polars.read_parquet(path, hive_partitioning=False)
        self.names = self.table.columns

    def rows(self):
        return self.table.height

    def nulls(self, name):
        return self.table.get_column(name).null_count()

    def sum(self, name):
        return self.table.get_column(name).cast(polars.Int64).sum()

    def type(self, name):
        return str(self.table.schema[name])

    def sample(self, rows):
        return self.table[rows].to_arrow().to_pylist()


def readers_of(path):
    return {"pyarrow": PyArrow(path), "DuckDB": DuckDb(path), "Polars": Polars(path)}


def is_read_by_spark(type):
    """Spark reads neither unsigned integers nor times of 32 bits nor views."""
    text = str(type)
    return not any(word in text for word in ("uint", "time32", "_view", "halffloat"))


def compare_readers(checks, path, readers, size):
    names = readers["pyarrow"].names
    checks.equal(f"{path}: columns", {source: reader.names for source, reader in readers.items()})
    checks.equal(f"{path}: rows", {source: reader.rows() for source, reader in readers.items()})
    for name in names:
        nulls = {source: reader.nulls(name) for source, reader in readers.items()}
        checks.equal(f"{path}: null values of {name}", nulls)
        types = "\t".join(reader.type(name) for reader in readers.values())
        print(f"  {name}\t{types}\tnull {nulls['pyarrow']}")
    rows = readers["pyarrow"].rows()
    numbers = sorted(set(range(0, rows, max(1, rows // size))) | set(range(max(0, rows - 5), rows))) if rows else []
    samples = {source: reader.sample(numbers) for source, reader in readers.items()} if rows else {}
    for position, number in enumerate(numbers):
        for name in names:
            values = {source: archives.plain(archives.times(name, [sample[position][name]])[0])
                      for source, sample in samples.items()}
            checks.equal(f"{path}: {name} of row {number}", values)
    return len(numbers)


def check_spark(checks, path, schema):
    hf = schema.names[-1] == "movetext"
    for field in schema:
        if not (hf and field.name == "UTCTime"):
            checks.holds(f"{path}: Spark does not read {field.name}, {field.type}", is_read_by_spark(field.type))


def check_games(checks, path, readers, metadata):
    """The counts of a table of games; returns them under the keys of a summary."""
    counts = {key: archives.count_of(key, metadata) for key in ("games_read", "accepted", "repaired", "rejected")}
    for key, count in counts.items():
        checks.holds(f"{path}: the metadata has no count {key}", count is not None)
    counts = {key: count or 0 for key, count in counts.items()}
    rows, table = readers["pyarrow"].rows(), readers["pyarrow"].table
    checks.equal(f"{path}: games", {
        "rows + rejected": rows + counts["rejected"], "read": counts["games_read"],
        "accepted + repaired + rejected": counts["accepted"] + counts["repaired"] + counts["rejected"]})
    if "verdict" in readers["pyarrow"].names:
        verdicts = collections.Counter(table.column("verdict").to_pylist())
        checks.equal(f"{path}: verdicts", {
            "column": dict(verdicts),
            "metadata": {key: counts[key] for key in ("accepted", "repaired") if counts[key]}})
    listed = json.loads(metadata.get("archives", "[]"))
    for key in ("games", "accepted", "repaired", "rejected"):
        checks.equal(f"{path}: {key} of archives", {
            "sum": sum(one[key] for one in listed), "metadata": counts["games_read" if key == "games" else key]})
    if "archive" in readers["pyarrow"].names:
        found = collections.Counter(table.column("archive").to_pylist())
        named = {one["name"]: one["accepted"] + one["repaired"] for one in listed}
        checks.equal(f"{path}: rows of archives", {
            "column": dict(found), "metadata": {name: count for name, count in named.items() if count}})
    totals = {"games": counts["games_read"], **{key: counts[key] for key in ("accepted", "repaired", "rejected")}}
    for name, key in (("ply_count", "plies"), ("variation_plies", "variation_plies")):
        if name in readers["pyarrow"].names:
            totals[key] = readers["pyarrow"].sum(name)
    return totals


def check_table(checks, path, size):
    """Checks one file. Returns the name of its table and its counts."""
    metadata = archives.metadata_of(path)
    readers = readers_of(path)
    schema = parquet.read_schema(path)
    table = "plies" if "ply" in schema.names else "games"
    print(f"{path}: table {table}, schema version {metadata.get('schema_version')}")
    sampled = compare_readers(checks, path, readers, size)
    check_spark(checks, path, schema)
    rows = readers["pyarrow"].rows()
    checks.equal(f"{path}: rows", {"read": rows, "metadata": archives.count_of("rows", metadata)})
    for name in SUMMED:
        if name in schema.names:
            sums = {source: reader.sum(name) for source, reader in readers.items()}
            checks.equal(f"{path}: sum of {name}", sums)
            print(f"  sum of {name}: {sums['pyarrow']}")
    print(f"  {rows} rows, {sampled} of them compared by value, {len(schema.names)} columns")
    return table, check_games(checks, path, readers, metadata) if table == "games" else {"plies": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--summary")
    parser.add_argument("--sample", type=int, default=1000, help="rows of each file whose values are compared")
    parser.add_argument("tables", nargs="+")
    given = parser.parse_args()
    checks, totals = archives.Checks(), {"games": collections.Counter(), "plies": collections.Counter()}
    for path in given.tables:
        table, counts = check_table(checks, path, given.sample)
        totals[table].update(counts)
    if "plies" in totals["games"] and totals["plies"]:
        checks.equal("plies", {"sum of ply_count": totals["games"]["plies"], "rows of plies": totals["plies"]["plies"]})
    if given.summary:
        with open(given.summary, newline="") as file:
            summary = {row[0]: int(row[1]) for row in csv.reader(file) if len(row) == 2 and row[1].isdigit()}
        for table, counts in totals.items():
            for key, count in counts.items():
                checks.equal(f"{given.summary}: {key}", {"summary": summary.get(key), f"table {table}": count})
    for table, counts in totals.items():
        if counts:
            print(table, " ".join(f"{key} {count}" for key, count in counts.items()))
    print(f"duckdb {duckdb.__version__}, polars {polars.__version__}, pyarrow {pyarrow.__version__}")
    checks.end()


if __name__ == "__main__":
    main()

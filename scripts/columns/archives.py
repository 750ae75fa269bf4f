"""Reads PGN archives and Parquet tables for the other scripts of this folder.

Nothing here uses pgnmill: archives are unpacked by the program `zstd`, tables are read by pyarrow.
"""
import datetime
import subprocess
import sys

import pyarrow.parquet as parquet


class Checks:
    """Counts checks and keeps the failed ones; `end` prints them and ends the process with 0 or 1."""

    def __init__(self):
        self.count, self.failed = 0, []

    def equal(self, name, values):
        """All `values` (a dictionary from source to value) must be equal."""
        self.count += 1
        first, *others = values.values()
        if any(other != first for other in others):
            self.failed.append(f"{name}: " + ", ".join(f"{source} {value}" for source, value in values.items()))

    def holds(self, name, holds):
        self.count += 1
        if not holds:
            self.failed.append(name)

    def end(self):
        for text in self.failed[:40]:
            print("FAILED", text)
        print(f"{self.count} checks, {len(self.failed)} failed")
        sys.exit(1 if self.failed else 0)


def bytes_of(path):
    """The text of an archive, plain or compressed with zstd."""
    with open(path, "rb") as file:
        stored = file.read()
    if not str(path).endswith(".zst"):
        return stored
    return subprocess.run(["zstd", "-dc", "--long=31", str(path)], check=True, stdout=subprocess.PIPE).stdout


def metadata_of(path):
    """The key-value metadata of a Parquet file whose keys begin with `pgnmill.`, without that prefix."""
    pairs = parquet.read_metadata(path).metadata or {}
    pairs = {key.decode(): value.decode() for key, value in pairs.items()}
    return {key[8:]: value for key, value in pairs.items() if key.startswith("pgnmill.")}


def count_of(name, metadata):
    """A count of the metadata; None if the key is absent or is not a number."""
    value = metadata.get(name, "")
    return int(value) if value.isdigit() else None


def times(name, values):
    """The values of a column; those of UTCTime as times also where a reader takes them for numbers of seconds.

    A time32[s] that is stored as a bare INT32 is a time for Polars, which reads the Arrow schema of the file, and an
    integer for pyarrow and DuckDB.
    """
    if name != "UTCTime" or not any(isinstance(value, int) for value in values):
        return values
    midnight = datetime.datetime.min
    return [None if value is None else (midnight + datetime.timedelta(seconds=value)).time() for value in values]


def plain(value):
    """A value as all readers give it: maps as lists of pairs, structures of key and value as pairs."""
    if isinstance(value, dict) and set(value) == {"key", "value"}:
        return value["key"], value["value"]
    if isinstance(value, (list, tuple)):
        return type(value)(plain(item) for item in value)
    return value

#!/usr/bin/env python3
"""Reads tables with Spark and compares them with what pyarrow reads.

Usage: spark.py TABLE.parquet...

Input: Parquet files of `pgnmill export`, of any table and column set. Checked: Spark reads every column into memory; rows
and null values per column are those that pyarrow counts. Spark reads UTCTime, TIME(MICROS), only with the setting
spark.sql.timeType.enabled, which is set here. Prints the types. Ends with 1 if a check failed.
Requires Java and the packages pyspark and pyarrow.
"""
import sys

import archives
import pyarrow.parquet as parquet
import pyspark
from pyspark.sql import SparkSession


def start():
    """A session with one thread, in UTC."""
    settings = {"spark.ui.enabled": "false", "spark.sql.session.timeZone": "UTC", "spark.driver.memory": "2g",
                "spark.sql.timeType.enabled": "true"}
    builder = SparkSession.builder.master("local[1]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    session, checks = start(), archives.Checks()
    for path in sys.argv[1:]:
        table = parquet.read_table(path, partitioning=None)
        try:
            frame = session.read.parquet(path)
            found = frame.toArrow()
        except Exception as error:  # The exception is the result.
            checks.holds(f"{path}: {str(error).splitlines()[0]:.200}", False)
            continue
        checks.equal(f"{path}: columns", {"pyarrow": table.column_names, "Spark": frame.columns})
        checks.equal(f"{path}: rows", {"pyarrow": table.num_rows, "Spark": found.num_rows})
        for name, type in frame.dtypes:
            nulls = {"pyarrow": table.column(name).null_count, "Spark": found.column(name).null_count}
            checks.equal(f"{path}: null values of {name}", nulls)
            print(f"  {name}\t{table.schema.field(name).type}\t{type}\tnull {nulls['Spark']}")
        print(f"{path}: {found.num_rows} rows, {len(frame.columns)} columns; Spark {pyspark.__version__}")
    session.stop()
    checks.end()


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Counts games by `--where` and by DuckDB over `pgnmill export` of the same archives, for many expressions.

    scripts/select/against_duckdb.py PGNMILL ARCHIVE...

Needs the Python package duckdb. For each expression three numbers must be equal: the games that `validate --where` reads, those
that `select --where` copies, and the rows for which the condition in SQL is true. The table has no rejected games, so both sides
leave them out. Exit code 1 where numbers differ.
"""

import csv
import subprocess
import sys
import tempfile
from pathlib import Path

import duckdb

# A text of question marks is missing in an expression, and a text in the table.
KNOWN = "nullif({0}, '?')"
# Of the first of two dates whose year is known.
YEAR = (
    "coalesce(try_cast(case when regexp_matches(Date, '^[0-9]{4}[.]') then substr(Date, 1, 4) end as integer), year(UTCDate))"
)

# Expression, condition in SQL.
QUERIES = [
    ("WhiteElo >= 2000", "WhiteElo >= 2000"),
    ("not (WhiteElo >= 2000)", "not (WhiteElo >= 2000)"),
    ("WhiteElo is missing or BlackElo is missing", "WhiteElo is null or BlackElo is null"),
    ("rating_mean > 2250", "(WhiteElo + BlackElo) / 2.0 > 2250"),
    ("rating_difference <= 25", "abs(WhiteElo - BlackElo) <= 25"),
    ("rating_min in 1500..1800 and rating_max < 2000",
     "least(WhiteElo, BlackElo) between 1500 and 1800 and greatest(WhiteElo, BlackElo) < 2000 "
     "and WhiteElo is not null and BlackElo is not null"),
    ("WhiteElo - BlackElo > 200 and outcome == '1-0'", "WhiteElo - BlackElo > 200 and outcome = '1-0'"),
    ("outcome in ['0-1', '1/2-1/2']", "outcome in ('0-1', '1/2-1/2')"),
    ("ply_count in 1..60", "ply_count between 1 and 60"),
    ("ply_count > 150 or variation_plies > 0", "ply_count > 150 or variation_plies > 0"),
    ("ECO =~ '^B[29]'", "regexp_matches(" + KNOWN.format("ECO") + ", '^B[29]')"),
    ("ECO in 'C00'..'C49'", KNOWN.format("ECO") + " between 'C00' and 'C49'"),
    ("ECO !~ '^[AB]'", "not regexp_matches(" + KNOWN.format("ECO") + ", '^[AB]')"),
    ("Opening is present and contains(lower(Opening), 'sicilian')",
     "nullif(Opening, '?') is not null and contains(lower(Opening), 'sicilian')"),
    ("time_initial == 180 and time_increment == 0", "time_initial = 180 and time_increment = 0"),
    ("time_initial > 600", "time_initial > 600"),
    ("UTCDate in 2014-12-01..2014-12-15", "UTCDate between date '2014-12-01' and date '2014-12-15'"),
    ("UTCTime < 06:00", "UTCTime < time '06:00:00'"),
    ("year >= 2012", YEAR + " >= 2012"),
    ("WhiteTitle in ['GM', 'IM'] and not (BlackTitle in ['GM', 'IM'])",
     "WhiteTitle in ('GM', 'IM') and not (BlackTitle in ('GM', 'IM'))"),
    ("Termination == 'Time forfeit' or Termination is missing",
     "Termination = 'Time forfeit' or nullif(Termination, '?') is null"),
    ("starts_with(White, 'A') or ends_with(Black, 'n')",
     "starts_with(nullif(White, '?'), 'A') or ends_with(nullif(Black, '?'), 'n')"),
    ("White < Black", "nullif(White, '?') < nullif(Black, '?')"),
    ("clocks > 0", "clocks is not null"),
    ("evals > 0", "evals_cp is not null"),
    ("verdict == 'repaired'", "verdict = 'repaired'"),
]


def run(*words):
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True)
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(map(str, words))}: {done.stderr}")


def summary(path):
    with open(path, newline="") as file:
        return {row["key"]: row["value"] for row in csv.DictReader(file)}


def main():
    pgnmill, archives = Path(sys.argv[1]).resolve(), sys.argv[2:]
    database = duckdb.connect()
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        table, facts, copy = (Path(folder) / name for name in ("games.parquet", "summary.csv", "copy.pgn"))
        run(pgnmill, "export", "--quiet", "-o", table, *archives)
        games = f"read_parquet('{table}')"
        for expression, sql in QUERIES:
            expected = database.execute(f"select count(*) from {games} where {sql}").fetchall()[0][0]
            run(pgnmill, "validate", "--quiet", "--overwrite", "--where", expression, "--summary", facts, *archives)
            found = summary(facts)
            read = int(found["accepted"]) + int(found["repaired"])
            condition = f"verdict != 'rejected' and ({expression})"
            run(pgnmill, "select", "--quiet", "--overwrite", "--where", condition, "--summary", facts, "-o", copy, *archives)
            copied = int(summary(facts)["selected"])
            same = expected == read == copied
            wrong += not same
            print(f"{'ok   ' if same else 'WRONG'} {expected:>9} {read:>9} {copied:>9}  {expression}")
    print(f"{len(QUERIES)} expressions, {wrong} differ (DuckDB, validate, select)")
    sys.exit(1 if wrong else 0)


main()

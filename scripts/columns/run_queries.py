#!/usr/bin/env python3
"""Runs the queries of the folder `queries` with DuckDB and computes the results again without SQL.

Usage: run_queries.py [--lines N] [--no-print] [--markdown DIR] GAMES.parquet PLIES.parquet

Input: the two tables of `pgnmill export` of the same archives, as paths or globs. Each file queries/*.sql is run on
the views `games` and `plies`; its first lines of the result are printed. Then Python counts all five results from the
values that pyarrow reads. --markdown writes the first lines of each result to DIR/QUERY.md, as docs/columns.md has
them. Prints which agree; ends with 1 if one does not, if a query fails or if a query has no
check here. Requires the packages duckdb and pyarrow.
"""
import argparse
import collections
import glob
import math
import pathlib
import re
import statistics
import sys

import archives
import duckdb
import pyarrow
import pyarrow.parquet as parquet

QUERIES = pathlib.Path(__file__).parent / "queries"
GAMES = ("archive", "byte_offset", "White", "Black", "Site", "WhiteElo", "BlackElo", "UTCDate", "Date", "ECO", "Opening",
         "outcome", "time_initial", "time_increment", "ply_count", "moves")
PLIES = ("archive", "byte_offset", "ply", "san", "clock_ms", "eval_cp", "eval_mate")
SCORES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}


def columns_of(pattern, names):
    """Named columns of Parquet files as lists."""
    files = sorted(glob.glob(pattern)) or [pattern]
    table = pyarrow.concat_tables([parquet.read_table(path, columns=list(names), partitioning=None) for path in files])
    return {name: table.column(name).to_pylist() for name in names}


def rows_of(columns, *names):
    return zip(*(columns[name] for name in names))


def result_by_rating_difference(games, plies):
    scores = collections.defaultdict(list)
    for white, black, outcome in rows_of(games, "WhiteElo", "BlackElo", "outcome"):
        if white is not None and black is not None and outcome in SCORES:
            scores[(white - black) // 100 * 100].append(SCORES[outcome])
    return [(bucket, len(some), 100 * sum(some) / len(some)) for bucket, some in sorted(scores.items())]


def speed_of(seconds):
    for name, limit in (("ultraBullet", 29), ("bullet", 179), ("blitz", 479), ("rapid", 1499)):
        if seconds < limit:
            return name
    return "classical"


def clock_at_move_20(games, plies):
    speeds, clocks = {}, collections.defaultdict(list)
    names = ("archive", "byte_offset", "time_initial", "time_increment")
    for archive, offset, initial, increment in rows_of(games, *names):
        if initial is not None:
            speeds[archive, offset] = speed_of(initial + 40 * increment)
    for archive, offset, ply, clock in rows_of(plies, "archive", "byte_offset", "ply", "clock_ms"):
        if ply in (39, 40) and clock is not None and (archive, offset) in speeds:
            clocks[speeds[archive, offset]].append(clock)
    rows = [(speed, len(some), statistics.median(some) / 1000) for speed, some in clocks.items()]
    return sorted(rows, key=lambda row: (row[2], row[0]))


def quantile(values, share):
    """Linear between the two nearest values."""
    values, place = sorted(values), share * (len(values) - 1)
    below = math.floor(place)
    above = min(below + 1, len(values) - 1)
    return values[below] + (values[above] - values[below]) * (place - below)


def evaluation_swing(games, plies):
    scores, losses = {}, collections.defaultdict(list)
    names = ("archive", "byte_offset", "ply", "eval_cp", "eval_mate")
    for archive, offset, ply, centipawns, mate in rows_of(plies, *names):
        if mate is not None:
            won = mate > 0 or (mate == 0 and ply % 2 == 1)
            scores[archive, offset, ply] = 10000 if won else -10000
        if centipawns is not None:
            scores[archive, offset, ply] = centipawns
    for (archive, offset, ply), after in scores.items():
        before = scores.get((archive, offset, ply - 1))
        if before is not None:
            losses[(ply - 1) // 10 * 10 + 1].append(before - after if ply % 2 == 1 else after - before)
    return [(first, len(some), sum(some) / len(some), quantile(some, 0.9)) for first, some in sorted(losses.items())]


def month_of(utc_date, date):
    if utc_date is not None:
        return f"{utc_date.year:04}-{utc_date.month:02}"
    match = re.match("([0-9]{4})[.]([0-9]{2})", date or "")
    return "-".join(match.groups()) if match else None


def openings_by_month(games, plies):
    months = collections.defaultdict(collections.Counter)
    for utc_date, date, eco, opening in rows_of(games, "UTCDate", "Date", "ECO", "Opening"):
        month, name = month_of(utc_date, date), eco if opening is None else opening
        if month and name is not None:
            months[month][name] += 1
    rows = []
    for month, counts in sorted(months.items()):
        first = sorted(counts.items(), key=lambda item: (-item[1], item[0].encode()))[:5]
        rows += [(month, name, count, 100 * count / counts.total()) for name, count in first]
    return rows


def shortest_mates(games, plies):
    last, rows = {}, []
    for archive, offset, ply, san in rows_of(plies, "archive", "byte_offset", "ply", "san"):
        last[archive, offset] = (ply, san)
    names = ("ply_count", "archive", "byte_offset", "outcome", "White", "Black", "Site", "moves")
    for count, archive, offset, *others in rows_of(games, *names):
        ply, san = last.get((archive, offset), (None, ""))
        if ply == count and san.endswith("#"):
            rows.append((count, archive.encode(), offset, *others, san))
    return [(row[0], *row[3:]) for row in sorted(rows, key=lambda row: row[:3])[:20]]


CHECKS = {check.__name__: check for check in (
    result_by_rating_difference, clock_at_move_20, evaluation_swing, openings_by_month, shortest_mates)}


def is_same(one, other):
    """Numbers may differ by the two decimals to which a query rounds."""
    if isinstance(one, float) or isinstance(other, float):
        return one is not None and other is not None and abs(one - other) < 0.006
    return one == other


def are_same(rows, others):
    return len(rows) == len(others) and all(
        len(row) == len(other) and all(map(is_same, row, other)) for row, other in zip(rows, others))


def as_markdown(names, rows, lines):
    """The first rows of a result; numbers are aligned to the right."""
    shown = [[f"{value!s:.60}".replace("|", "\\|") for value in row] for row in rows[:lines]]
    numeric = [all(isinstance(row[position], (int, float)) for row in rows) for position in range(len(names))]
    lines = [names, ["---:" if right else "---" for right in numeric], *shown]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lines", type=int, default=12, help="lines of each result that are printed")
    parser.add_argument("--no-print", action="store_true", help="prints only which results agree")
    parser.add_argument("--markdown", metavar="DIR", type=pathlib.Path)
    parser.add_argument("games")
    parser.add_argument("plies")
    given = parser.parse_args()
    database, checks = duckdb.connect(), archives.Checks()
    for view, path in (("games", given.games), ("plies", given.plies)):
        path = path.replace("'", "''")
        database.execute(f"create view {view} as select * from read_parquet('{path}')")
    games, plies = columns_of(given.games, GAMES), columns_of(given.plies, PLIES)
    found = sorted(QUERIES.glob("*.sql"))
    checks.equal("queries", {"files": {path.stem for path in found}, "checks": set(CHECKS)})
    for path in found:
        result = database.execute(path.read_text())
        names, rows = [column[0] for column in result.description], result.fetchall()
        rows = [tuple(float(value) if type(value).__name__ == "Decimal" else value for value in row) for row in rows]
        agrees = path.stem in CHECKS and are_same(rows, CHECKS[path.stem](games, plies))
        checks.holds(f"{path.name}: the result differs from the one that Python counts", agrees)
        print(f"{path.stem}: {len(rows)} rows, {'agree' if agrees else 'DIFFER'}")
        if given.markdown:
            (given.markdown / f"{path.stem}.md").write_text(as_markdown(names, rows, given.lines), encoding="utf-8")
        if not given.no_print:
            print("  " + "\t".join(names))
            for row in rows[:given.lines]:
                print("  " + "\t".join(f"{value!s:.60}" for value in row))
    checks.holds("the tables have no games", bool(games["ply_count"]))
    checks.end()


if __name__ == "__main__":
    main()

"""Groups a table of plies by position and move with DuckDB, as `pgnmill positions --max-ply 40 --min-games 2` does.

In: the table, with `archive`, `game`, `ply`, `fen` and `uci`. Out: a table with the games of each pair.
"""
import sys

import duckdb

QUERY = """
copy (
    select regexp_replace(fen, ' \\d+ \\d+$', '') as record, uci, count(distinct (archive, game)) as games, min(ply) as ply
    from read_parquet($plies) where ply <= 40 group by all having games >= 2 order by all
) to '{table}' (format parquet)
"""


def main():
    plies, table = sys.argv[1:]
    connection = duckdb.connect()
    connection.execute("set threads = 2")
    connection.execute(QUERY.format(table=table), {"plies": plies})


if __name__ == "__main__":
    main()

"""Laws of :func:`pgnmill.scan`: a query gives the rows that it gives of the whole table, whatever is passed on."""

import datetime
import itertools
import random

import pgnmill
import pytest
from pgnmill._scan import _Narrowed

from conftest import MASTERS, SOURCES

pl = pytest.importorskip("polars")

# Conditions on games, with what they require of them.
GAMES = [
    (pl.col("WhiteElo") >= 2500, "WhiteElo >= 2500"),
    (2600 > pl.col("BlackElo"), "BlackElo < 2600"),
    (pl.col("year") == 1972, "year == 1972"),
    (pl.col("month").is_not_null(), "month is present"),
    (pl.col("ply_count").is_between(20, 40), "(ply_count >= 20 and ply_count <= 40)"),
    (pl.col("Result") == "1-0", 'Result == "1-0"'),
    (pl.col("ECO").str.starts_with("B9"), 'starts_with(ECO, "B9")'),
    (pl.col("White").str.ends_with("J"), 'ends_with(White, "J")'),
    ((pl.col("year") > 1990) & (pl.col("WhiteElo") > pl.col("BlackElo")), "(year > 1990)"),
    ((pl.col("ply_count") < 30) | (pl.col("ECO") == "C42"), '(ply_count < 30 or ECO == "C42")'),
    ((pl.col("ply_count") < 30) | pl.col("White").str.contains("^K.*v$"), None),
    (pl.col("UTCDate") >= datetime.date(2014, 1, 1), "UTCDate >= 2014-01-01"),
    (~(pl.col("year") == 1972), None),
    (pl.col("year").is_in([1972, 1985]), None),
    (pl.col("WhiteElo") >= 2500.5, None),
    (pl.col("Site") == "?", None),
    (pl.col("White") == 'Kramnik, "V"', 'White == "Kramnik, \\"V\\""'),
    (pl.col("outcome").cast(pl.String) == "0-1", None),
    (pl.col("White") > "M", None),
    (pl.col("WhiteElo").is_null(), None),
    (pl.col("moves").str.len_bytes() > 100, None),
]
PLIES = [
    (pl.col("ply") <= 6, "1..6"),
    (pl.col("ply") == 11, "11..11"),
    ((pl.col("ply") > 10) & (pl.col("ply") < 20) & (pl.col("piece") == "knight"), "11..19"),
    (pl.col("ply").is_between(5, 9, closed="none"), "5..9"),
    ((pl.col("ply") < 3) | (pl.col("san") == "O-O"), None),
    (pl.col("ply") < 0, "1..1"),
    (pl.col("ply") >= 60, "60.."),
    (pl.col("outcome") == 1, None),
    (pl.col("ply") % 2 == 1, None),
]


@pytest.fixture(scope="module")
def whole():
    """Both tables, as by hand."""
    tables = {"games": pgnmill.games, "plies": pgnmill.plies}
    return {name: pl.DataFrame(read(str(MASTERS), columns="all", where="year >= 1970")) for name, read in tables.items()}


@pytest.mark.parametrize(("table", "condition", "narrowed"),
                         [("games", *case) for case in GAMES] + [("plies", *case) for case in PLIES])
def test_a_condition_selects_the_rows_of_the_table(table, condition, narrowed, whole):
    frame = pgnmill.scan(str(MASTERS), table=table, where="year >= 1970")
    found = frame.filter(condition).collect()
    assert found.equals(whole[table].filter(condition))
    known = _Narrowed(table, condition)
    assert (known.where if table == "games" else known.plies) == narrowed


def test_conditions_columns_and_rows_together(whole):
    dice = random.Random(3)
    for _ in range(40):
        table, cases = dice.choice([("games", GAMES), ("plies", PLIES)])
        conditions = [case[0] for case in dice.sample(cases, dice.randint(0, 3))]
        names = dice.sample(whole[table].columns, dice.randint(1, 4))
        rows = dice.choice([None, 0, 1, 7, 10_000])
        query, expected = pgnmill.scan(str(MASTERS), table=table, where="year >= 1970"), whole[table].lazy()
        steps = [lambda frame, condition=one: frame.filter(condition) for one in conditions]
        steps += [lambda frame: frame] if rows is None else [lambda frame: frame.head(rows)]
        dice.shuffle(steps)
        for step in steps:
            query, expected = step(query), step(expected)
        assert query.select(names).collect().equals(expected.select(names).collect()), (names, rows, conditions)


def test_only_what_a_query_requires_is_read():
    with pytest.raises(pgnmill.MissingError):
        pgnmill.scan("no such file.pgn")
    frame = pgnmill.scan(str(SOURCES), columns=["White", "moves"], notation="san")
    assert frame.collect_schema().names() == ["White", "moves", "moves_san"]
    reads = []

    class File:
        """Games without end."""

        def read(self, size):
            reads.append(size)
            return b'[White "A"]\n\n1. e4 e5 *\n\n' * 1_000

    assert pgnmill.scan(File()).select("White").head(3).collect().height == 3
    assert len(reads) < 1_000
    with pytest.raises(pgnmill.UsageError, match="games and plies"):
        pgnmill.scan(str(SOURCES), table="moves")
    with pytest.raises(pgnmill.UsageError, match="no column Wite"):
        pgnmill.scan(str(SOURCES), columns="Wite")


def test_options_and_patterns(tmp_path):
    for number in range(3):
        (tmp_path / f"{number}.pgn").write_bytes(f'[White "{number}"]\n\n1. e4 e5 2. Ke3 *\n\n[White "x"]\n\n1. d4 *\n'.encode())
    frame = pgnmill.scan(str(tmp_path / "*.pgn"))
    assert frame.select("White", "game").collect().rows() == [("x", 2)] * 3
    assert [game.tags["White"] for game in pgnmill.open(str(tmp_path / "[01].pgn"))] == ["0", "x", "1", "x"]
    assert pgnmill.validate(str(tmp_path / "?.pgn")).summary.archives == 3
    with pytest.raises(pgnmill.MissingError):
        pgnmill.games(str(tmp_path / "*.zst"))
    # A file of this name is read, whatever else it could mean.
    (tmp_path / "[0].pgn").write_bytes(b"1. e4 *\n")
    assert pgnmill.validate(str(tmp_path / "[0].pgn")).summary.games == 1

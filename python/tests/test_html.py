"""What a notebook shows, and what prints: games, runs, tables."""

import html.parser
import io

import pgnmill
import pytest
from pgnmill import _html

from conftest import MASTERS, SOURCES

HOSTILE = b'[White "<script>alert(1)</script>"]\n[Black "&\'"]\n[Event "<b>"]\n\n1. e4 e5 2. Ke3 *\n'


class Checked(html.parser.HTMLParser):
    """Every element is closed, and none is a script."""

    def __init__(self, text):
        super().__init__()
        self.open, self.seen, self.words = [], [], []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.seen.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.words.append(data)


def test_games_have_a_board_and_their_moves():
    for game in pgnmill.open([str(SOURCES), HOSTILE, b"*", b'[Variant "Chess 99"]\n\n1. b24 *\n',
                              b'[Variant "Crazyhouse"]\n\n1. e4 d5 2. exd5 Qxd5 3. Nc3 P@e4 *\n']):
        page = Checked(game._repr_html_())
        words = "".join(page.words)
        assert "script" not in page.seen
        assert game.tags.get("White", "?") in words and game.movetext() in words
        if game.fault:
            assert game.fault.detail in words
        if game.fens() and "Chess 99" not in game.tags.get("Variant", ""):
            assert page.seen.count("td") == 64
            assert sum(word in "\u265a\u265b\u265c\u265d\u265e\u265f" for word in page.words) == sum(
                letter.isalpha() for letter in game.fens()[-1].split(" ")[0].split("[")[0])


def test_a_board_is_that_of_the_record():
    cells = Checked(_html.board("8/8/8/4k3/7r/8/4KP2/4R3 w - - 0 1")).words
    assert cells == ["\u265a", "\u265c", "\u265a", "\u265f", "\u265c"]
    for other in ("", "9/9", "8/8/8/8/8/8/8/9", "x7/8/8/8/8/8/8/8"):
        assert _html.board(other) == ""


def test_the_text_of_a_game_is_its_pgn():
    chess = pytest.importorskip("chess.pgn")
    for number, game in enumerate(pgnmill.open(str(MASTERS))):
        again = chess.read_game(io.StringIO(str(game)))
        assert [move.uci() for move in again.mainline_moves()] == game.uci()
        assert again.headers["White"] == game.tags["White"]
        if number == 50:
            break
    assert str(next(pgnmill.open(HOSTILE))) == HOSTILE.decode().strip()


def test_runs_and_tables_are_shown():
    run = pgnmill.validate([str(SOURCES), HOSTILE])
    page = Checked(run._repr_html_())
    assert "script" not in page.seen and str(run.summary.games) in page.words
    table = run.faults
    assert list(table) == table.rows()
    words = "".join(Checked(table._repr_html_()).words)
    assert all(name in words for name in table.columns) and "move-illegal" in words
    many = pgnmill.validate(HOSTILE * 30).faults
    page = Checked(many._repr_html_())
    assert page.seen.count("tr") == 21 and "and 10 more rows" in page.words


def test_statistics_are_those_of_the_program():
    stats = pgnmill.stats([str(SOURCES), HOSTILE, HOSTILE.replace(b"2. Ke3", b"2. Ke2")])
    assert stats["result"] == {"1-0": 3, "*": 1} and stats.summary.rejected == 1
    assert stats["player"]["<script>alert(1)</script>"] == 1 and stats["has"]["moves"] == 4
    assert list(stats)[:3] == ["verdict", "result", "player"] and len(stats) == 20 and stats["site"]
    assert stats["verdict"] == {"accepted": 4, "rejected": 1} and "move-illegal" in stats["deviation"]
    page = Checked(stats._repr_html_())
    assert "script" not in page.seen and any("<script>" in word for word in page.words)
    with pytest.raises(KeyError):
        stats["players"]


def test_tables_are_data_frames():
    table = pgnmill.validate(HOSTILE).faults
    polars = pytest.importorskip("polars")
    assert table.to_polars().equals(polars.DataFrame(table))
    pytest.importorskip("pandas")
    assert table.to_pandas()["kind"].tolist() == ["move-illegal"]
    assert pgnmill.games(str(SOURCES), columns="White").to_pandas().shape[1] == 1


def test_a_package_that_is_missing_is_named(monkeypatch):
    import sys

    for name, use in (("polars", lambda: pgnmill.scan(str(SOURCES))), ("pandas", pgnmill.validate(HOSTILE).faults.to_pandas),
                      ("numpy", lambda: next(pgnmill.plies(b"", columns="ply").arrays()))):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(pgnmill.PackageError, match=f"pip install {name}"):
            use()

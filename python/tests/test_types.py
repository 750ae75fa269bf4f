"""The package has types: strict checkers accept uses of it, and refuse wrong ones."""

import subprocess
import sys

import pytest

USES = '''
import pgnmill

reader: pgnmill.GameReader = pgnmill.open(b"", where="mate", threads=2)
for game in reader:
    tags: dict[str, str] = game.tags
    clocks: list[int | None] = game.clocks
    moves: list[pgnmill.Move] = game.moves
    if game.fault is not None:
        line: int = game.fault.line
    texts: list[str] = game.in_notation("uci")
with pgnmill.open(["a.pgn"], split=None) as opened:
    first: pgnmill.Game = next(opened)
text: str = pgnmill.encode("", "", "")
with pgnmill.positions(b"", max_ply=9, memory="1MiB", sums=True) as stream:
    names: list[str] = stream.columns
explored: pgnmill.Exploration = pgnmill.explore("table.parquet", "1. e4", depth=3, share=2.5)
played: list[int | None] = [move.games for move in explored]
after: tuple[pgnmill.ExploredMove, ...] = explored.moves[0].moves
written: bytes | None = pgnmill.write_positions(b"", only="white", format="bin").data
merged: pgnmill.Rewrite = pgnmill.merge_positions(["a.parquet"], min_games=2)
info: pgnmill.NotationInfo = pgnmill.notations()[0]
'''

WRONG = [
    "import pgnmill\npgnmill.positions(b'', max_ply='9')",
    "import pgnmill\npgnmill.explore('t.csv', 7)",
    "import pgnmill\nx: int = pgnmill.explore('t.csv').moves[0].games",
    "import pgnmill\npgnmill.open(3)",
    "import pgnmill\npgnmill.open(b'', nothing=1)",
    "import pgnmill\nx: int = next(pgnmill.open(b'')).result",
    "import pgnmill\nnext(pgnmill.open(b'')).tags = {}",
    "import pgnmill\npgnmill.encode(1, 2, 3)",
]


def test_uses_have_types_and_wrong_ones_are_refused(tmp_path):
    pytest.importorskip("mypy")
    # All at once: a run of mypy takes seconds.
    files = {"uses.py": USES} | {f"wrong_{number}.py": code for number, code in enumerate(WRONG)}
    for name, code in files.items():
        (tmp_path / name).write_text(code)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", *files]
    found = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path).stdout
    refused = {line.split(":")[0] for line in found.splitlines() if "error:" in line}
    assert refused == files.keys() - {"uses.py"}, found


def test_every_public_name_has_an_example():
    import pgnmill

    for name in pgnmill.__all__:
        public = getattr(pgnmill, name)
        if callable(public) and name != "Source":
            assert ">>>" in (public.__doc__ or ""), name

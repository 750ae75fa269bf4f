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
info: pgnmill.NotationInfo = pgnmill.notations()[0]
'''

WRONG = [
    "import pgnmill\npgnmill.open(3)",
    "import pgnmill\npgnmill.open(b'', nothing=1)",
    "import pgnmill\nx: int = next(pgnmill.open(b'')).result",
    "import pgnmill\nnext(pgnmill.open(b'')).tags = {}",
    "import pgnmill\npgnmill.encode(1, 2, 3)",
]


def checked(folder, code):
    pytest.importorskip("mypy")
    path = folder / "uses.py"
    path.write_text(code)
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", str(path)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


def test_uses_have_types(tmp_path):
    assert checked(tmp_path, USES).stdout == ""


@pytest.mark.parametrize("code", WRONG)
def test_wrong_uses_are_refused(code, tmp_path):
    assert "error" in checked(tmp_path, code).stdout


def test_every_public_name_has_an_example():
    import pgnmill

    for name in pgnmill.__all__:
        public = getattr(pgnmill, name)
        if callable(public) and name != "Source":
            assert ">>>" in (public.__doc__ or ""), name

"""What the tests share: archives, and the program that they compare with."""

import os
import pathlib
import shutil

import pytest

DATA = pathlib.Path(__file__).resolve().parents[2] / "data"
MASTERS, LICHESS, SOURCES = DATA / "masters.pgn.zst", DATA / "lichess.pgn.zst", DATA / "sources.pgn"


@pytest.fixture(scope="session")
def sample():
    """Games of a site, with clocks and evaluations: zstd, several frames."""
    return DATA.parent / "tests" / "generated" / "lichess-sample.pgn.zst"


@pytest.fixture(scope="session")
def sources():
    """Some games of books, plain text."""
    return DATA / "sources.pgn"


@pytest.fixture(scope="session")
def program():
    """The program: $PGNMILL, or the first of the path."""
    found = os.environ.get("PGNMILL") or shutil.which("pgnmill")
    if not found:
        pytest.skip("the program pgnmill is not installed: set PGNMILL")
    return found


@pytest.fixture(scope="session")
def many():
    """Some 30 MB of text: enough for several batches."""
    game = (
        '[White "A{0}"]\n[Black "B"]\n[WhiteElo "{0}"]\n[Result "*"]\n\n'
        "1. e4 {{ [%clk 0:10:00] }} e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n"
    )
    return "".join(game.format(number % 3000) for number in range(200_000)).encode()


def threads_count():
    """The threads of this process."""
    return len(os.listdir("/proc/self/task"))

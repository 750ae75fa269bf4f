"""Archives for the tests: those of this repository, and those of ../shared/corpora where they exist."""

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "data"
SOURCES = DATA / "sources.pgn"
SAMPLE = ROOT / "tests" / "generated" / "lichess-sample.pgn.zst"
CORPORA = ROOT.parent / "shared" / "corpora"
SPEC = ROOT.parent / "shared" / "spec"

# The games of an archive that are compared with a slow reader, at most; 0 is all.
GAMES_MAX = int(os.environ.get("PGNMILL_TEST_GAMES", "300")) or None


def corpus(name: str) -> Path:
    """An archive of ../shared/corpora; the test is skipped, with this reason, if it is absent."""
    path = CORPORA / name
    if not path.exists():
        pytest.skip(f"{path} is absent")
    return path


def spec(name: str) -> Path:
    """A file of ../shared/spec; the test is skipped, with this reason, if it is absent."""
    path = SPEC / name
    if not path.exists():
        pytest.skip(f"{path} is absent")
    return path


def program() -> str:
    """The program pgnmill: that of PGNMILL, or in PATH, or built in this repository."""
    built = [ROOT / "target" / profile / "pgnmill" for profile in ("release", "debug")]
    found = os.environ.get("PGNMILL") or shutil.which("pgnmill")
    found = found or next((str(path) for path in built if path.exists()), None)
    if found is None:
        pytest.skip("the program pgnmill is absent: set PGNMILL")
    return found

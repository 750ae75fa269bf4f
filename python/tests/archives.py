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

DEPTHS = ("short", "full", "night")
DEPTH = os.environ.get("PGNMILL_DEPTH") or "short"
if DEPTH not in DEPTHS:
    raise ValueError(f"PGNMILL_DEPTH is short, full or night, not {DEPTH}")


def trials(short, full, night):
    """The size of a test at the depth of this process, as in the tests of the program."""
    return (short, full, night)[DEPTHS.index(DEPTH)]


# The games of an archive that are compared with a slow reader, at most; None is all.
GAMES_MAX = trials(60, 300, None)


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

"""The package: what importing it loads, its version, its exceptions."""

import pickle
import subprocess
import sys

import pgnmill
import pytest


def test_the_version_is_that_of_the_crate():
    assert pgnmill.__version__.count(".") == 2


def test_importing_the_package_imports_no_other_package():
    code = (
        "import sys, pgnmill\n"
        "heavy = {'numpy', 'pyarrow', 'polars', 'pandas', 'duckdb', 'fsspec', 'tqdm'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "[]\n"


@pytest.mark.parametrize(
    "name", [n for n in pgnmill.__all__ if n.endswith("Error")]
)
def test_exceptions_have_attributes_and_can_be_pickled(name):
    made = getattr(pgnmill, name)("cannot", path="a.pgn", offset=7)
    again = pickle.loads(pickle.dumps(made))
    for error in (made, again):
        assert (str(error), error.path, error.offset) == ("cannot", "a.pgn", 7)
        assert isinstance(error, pgnmill.Error)
        assert type(error).__module__ == "pgnmill"

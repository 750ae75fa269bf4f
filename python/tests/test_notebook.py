"""The notebooks of examples/ run from their first cell to their last."""

import json

import pytest
from archives import ROOT

EXAMPLES = ROOT / "python" / "examples"
NOTEBOOKS = sorted(EXAMPLES.glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_runs(path):
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    for package in ("ipykernel", "polars", "matplotlib"):
        pytest.importorskip(package)
    notebook = nbformat.read(path, as_version=4)
    client.NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(EXAMPLES)}}).execute()


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.name)
def test_a_notebook_is_small(path):
    notebook = json.loads(path.read_text(encoding="utf-8"))
    assert len(notebook["cells"]) <= 12
    assert path.stat().st_size < 60_000
    assert str(ROOT) not in path.read_text(encoding="utf-8")


def test_there_is_a_notebook():
    assert NOTEBOOKS

"""The examples of the package's README.md and of the project's run."""

import re

import pytest
from archives import ROOT

README = (ROOT / "python" / "README.md").read_text(encoding="utf-8")
MAIN = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", README + MAIN, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("index", range(len(BLOCKS)))
def test_an_example_runs(index, monkeypatch, capsys):
    monkeypatch.chdir(ROOT)
    block = BLOCKS[index]
    for package in ("polars", "pyarrow"):
        if re.search(rf"import .*\b{package}\b", block):
            pytest.importorskip(package)
    exec(compile(block, f"README.md, example {index + 1}", "exec"), {"__name__": "readme"})


def test_the_first_ten_lines_install_and_have_three_examples():
    first = README.splitlines()[:10]
    assert any("pip install" in line for line in first)
    assert sum("pgnmill." in line for line in first) == 3

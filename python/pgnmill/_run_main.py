"""The console script ``pgnmill``: the program."""

from __future__ import annotations

import sys

from pgnmill import _native


def main() -> int:
    """Runs the command of ``sys.argv`` and returns the exit code.

    Examples
    --------
    >>> import subprocess, sys
    >>> code = "import sys; from pgnmill._run_main import main; sys.argv = ['pgnmill', '--version']; main()"
    >>> subprocess.run([sys.executable, "-c", code], capture_output=True).stdout.split()[0]
    b'pgnmill'
    """
    return _native.main(["pgnmill", *sys.argv[1:]])

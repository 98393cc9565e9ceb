"""Commands called one after another in a process that has none of the extras' packages.

Called as `python tests/without_extras.py COMMANDS.json`: a list of lists of words. Prints a list
of [exit code, stdout, stderr]. Where the packages are installed, importing them is blocked.
"""

import contextlib
import io
import json
import sys
from importlib.abc import MetaPathFinder
from pathlib import Path

from earmark.cli.main import main
from earmark.task.extras import EXTRAS


class Blocker(MetaPathFinder):
    """A finder that finds none of some packages, and lets no other finder look for them."""

    def __init__(self, packages: set[str]) -> None:
        self.packages = packages

    def find_spec(self, fullname: str, path: object, target: object = None) -> None:
        """Raise what Python raises for a package that is not there."""
        if fullname.partition(".")[0] in self.packages:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def call(words: list[str]) -> tuple[int, str, str]:
    """Return the exit code of a command, and what it printed."""
    out, err = io.StringIO(), io.StringIO()
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main(words)
        except SystemExit as stop:
            code = int(stop.code or 0)
    return code, out.getvalue(), err.getvalue()


if __name__ == "__main__":
    sys.meta_path.insert(0, Blocker({name for own in EXTRAS.values() for name in own}))
    commands = json.loads(Path(sys.argv[1]).read_text())
    json.dump([call(words) for words in commands], sys.stdout)

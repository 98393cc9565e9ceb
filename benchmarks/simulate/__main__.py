"""`python -m benchmarks.simulate [SUBJECT ...]`: do intervals, tests and ranks keep their promises?

Every module beside this one that has a function `rows()` is a subject. Data are simulated from
populations whose truth is known, from fixed seeds, and Earmark's own functions are used on them.
Prints the tables that docs/numbers.md shows; exits with 1 if a promise is missed.
"""

import importlib
import pkgutil
import sys
import time
from pathlib import Path

from benchmarks.simulate.frame import as_markdown, simulate

HERE = str(Path(__file__).parent)


def main() -> int:
    started = time.perf_counter()
    names = sys.argv[1:] or sorted(
        module.name for module in pkgutil.iter_modules([HERE]) if module.name != "__main__"
    )
    subjects = [importlib.import_module(f"benchmarks.simulate.{name}") for name in names]
    rows = [row for module in subjects if hasattr(module, "rows") for row in module.rows()]
    results = simulate(rows)
    print(as_markdown(results))
    missed = [row.name for row, values in results if row.target and row.misses(values)]
    print(f"{time.perf_counter() - started:.0f} seconds", file=sys.stderr)
    if missed:
        print(f"promises missed: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

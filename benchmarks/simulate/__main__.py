"""`python -m benchmarks.simulate [--page] [SUBJECT ...]`: do intervals, tests, ranks keep promises?

Every module beside this one that has a function `rows()` is a subject. Data are simulated from
populations whose truth is known, from fixed seeds, and Earmark's own functions are used on them.
Prints the tables that docs/numbers.md shows, and with --page puts them there. Exits with 1 if a
promise is missed, or if the whole takes more than two cores have in a quarter of an hour (seconds
of processors, which other programs do not change).
"""

import importlib
import pkgutil
import resource
import sys
import time
from pathlib import Path

from benchmarks.simulate.frame import as_markdown, simulate, with_tables

HERE = str(Path(__file__).parent)
PAGE = Path(__file__).parents[2] / "docs/numbers.md"
MOST_SECONDS = 2 * 15 * 60  # of two processors


def main() -> int:
    started = time.perf_counter()
    words = sys.argv[1:]
    names = [word for word in words if word != "--page"] or sorted(
        module.name for module in pkgutil.iter_modules([HERE]) if module.name != "__main__"
    )
    subjects = [importlib.import_module(f"benchmarks.simulate.{name}") for name in names]
    rows = [row for module in subjects if hasattr(module, "rows") for row in module.rows()]
    results = simulate(rows)
    tables = as_markdown(results)
    print(tables)
    if "--page" in words:
        page = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(with_tables(page, tables), encoding="utf-8")
    missed = [row.name for row, values in results if row.target and row.misses(values)]
    used = processor_seconds()
    passed = time.perf_counter() - started
    print(f"{used:.0f} seconds of processors, {passed:.0f} of the clock", file=sys.stderr)
    if used > MOST_SECONDS:
        missed.append(f"at most {MOST_SECONDS} seconds of processors")
    if missed:
        print(f"promises missed: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


def processor_seconds() -> float:
    """Return the seconds of processors that this process and those it waited for have used."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


if __name__ == "__main__":
    sys.exit(main())

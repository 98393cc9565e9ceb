"""One side of one row, in a process of its own: prints its CPU seconds and peak memory as JSON.

The time and memory of programs that a side starts, such as Java, are its own.
"""

import importlib
import json
import resource
import sys

OURS = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)


def main() -> None:
    task, row_name, side = sys.argv[1:]
    rows = importlib.import_module(f"benchmarks.{task}").ROWS
    row = next(row for row in rows if row.name == row_name)
    made = row.setup()
    try:
        row.sides[side](made)  # a first call, so that compiling and caching are not counted
    except ImportError as error:
        print(json.dumps({"missing": str(error)}))
        return
    before = seconds()
    row.sides[side](made)
    cpu = seconds() - before
    peak = max(resource.getrusage(who).ru_maxrss for who in OURS) / 1024
    print(json.dumps({"cpu": cpu, "megabytes": peak}))


def seconds() -> float:
    """CPU seconds so far, children that have ended included."""
    return sum(used.ru_utime + used.ru_stime for used in map(resource.getrusage, OURS))


if __name__ == "__main__":
    main()

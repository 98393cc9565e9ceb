"""One side of one row, in a process of its own: prints its CPU seconds and peak memory as JSON."""

import importlib
import json
import resource
import sys
import time


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
    before = time.process_time()
    row.sides[side](made)
    cpu = time.process_time() - before
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"cpu": cpu, "megabytes": peak}))


if __name__ == "__main__":
    main()

"""Published tables rebuilt from published data: `make papers DATA=folder`."""

import sys
from pathlib import Path

from earmark import tasks


def main() -> int:
    """Print every task's tables; the exit code is 1 when the data of none was found."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data")
    found = False
    for name in tasks.names():
        tables = tasks.load(name).papers
        if tables is None:
            continue
        place = folder / name
        if not place.is_dir():
            print(f"{name}: no data in {place}")
            continue
        found = True
        print(f"# {name}: {tasks.load(name).paper}")
        for line in tables(place):
            print(line)
        print()
    return 0 if found else 1


if __name__ == "__main__":
    sys.exit(main())

"""A sentence ends at a pause, or after twelve words. Put your own system in its place."""

import json
import sys
from pathlib import Path

PAUSE = 0.5  # seconds
LENGTH = 12  # words


def main(items: Path, output: Path) -> None:
    """Write the outputs for a folder of items."""
    lines = []
    for line in (items / "items.jsonl").read_text().splitlines():
        item = json.loads(line)
        times, last = item["times"], len(item["words"]) - 1
        if times:
            after = [k for k in range(last) if times[k + 1][0] - times[k][1] >= PAUSE]
        else:
            after = list(range(LENGTH - 1, last, LENGTH))
        lines.append(json.dumps({"item": item["id"], "after": [*after, last]}) + "\n")
    output.write_text("".join(lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

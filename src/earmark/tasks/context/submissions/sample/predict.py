"""A word that is said once in a passage is suspicious. Put your own system in its place."""

import json
import sys
from collections import Counter
from pathlib import Path


def main(items: Path, output: Path) -> None:
    """Write the outputs for a folder of items."""
    lines = []
    for line in (items / "items.jsonl").read_text().splitlines():
        item = json.loads(line)
        counts = Counter(token.lower() for token in item["tokens"])
        # long words said once first: short ones are mostly grammar
        scores = [len(token) / counts[token.lower()] for token in item["tokens"]]
        lines.append(json.dumps({"id": item["id"], "scores": scores}) + "\n")
    output.write_text("".join(lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

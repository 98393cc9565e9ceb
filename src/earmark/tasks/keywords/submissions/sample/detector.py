"""A detector that knows nothing but how long the keyword lasts. Put your own in its place.

It needs only Python's standard library.
"""

import json
import sys
import wave
from pathlib import Path

# How far a clip's length may lie outside those of the enrolment, as a share of their mean.
MARGIN = 0.05


def seconds(path: Path) -> float:
    """Return how long a recording lasts."""
    with wave.open(str(path)) as sound:
        return float(sound.getnframes() / sound.getframerate())


def enrol(recordings: Path, work: Path) -> None:
    """Keep the shortest and the longest enrolment."""
    lengths = [seconds(path) for path in sorted(recordings.glob("*.wav"))]
    margin = MARGIN * sum(lengths) / len(lengths)
    span = {"shortest": min(lengths) - margin, "longest": max(lengths) + margin}
    (work / "span.json").write_text(json.dumps(span))


def predict(clips: Path, work: Path, output: Path) -> None:
    """Wake for clips whose length is that of the keyword."""
    span = json.loads((work / "span.json").read_text())
    lines = []
    for path in sorted(clips.glob("*.wav")):
        wakes = span["shortest"] <= seconds(path) <= span["longest"]
        lines.append(f"{path.name}\t{int(wakes)}\n")
    output.write_text("".join(lines))


if __name__ == "__main__":
    action, *folders = sys.argv[1:]
    paths = [Path(folder) for folder in folders]
    enrol(*paths) if action == "enrol" else predict(*paths)

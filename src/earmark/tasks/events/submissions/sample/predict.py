"""Whatever is loud is the first label. Put your own detector in its place."""

import sys
from pathlib import Path

import numpy as np

FRAME = 0.1  # seconds
# A frame is loud when its level is this many decibels above the recording's median.
ABOVE_DB = 10.0


def loud_stretches(path: Path) -> list[tuple[float, float]]:
    """Return start and end of each loud stretch of a recording, in seconds."""
    import soundfile

    samples, rate = soundfile.read(str(path), dtype="float32", always_2d=True)
    length = max(1, int(FRAME * rate))
    frames = samples.mean(axis=1)[: len(samples) // length * length].reshape(-1, length)
    levels = 10 * np.log10(np.mean(frames**2, axis=1) + 1e-10)
    loud = np.concatenate(([False], levels > np.median(levels) + ABOVE_DB, [False]))
    edges = np.flatnonzero(loud[1:] != loud[:-1]) * FRAME
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def main(items: Path, output: Path) -> None:
    """Write the outputs for a folder of items."""
    label = (items / "labels.txt").read_text().splitlines()[0]
    lines = ["filename\tonset\toffset\tevent_label\n"]
    for recording in sorted(items.glob("*.flac")):
        for start, end in loud_stretches(recording):
            lines.append(f"{recording.name}\t{start:.3f}\t{end:.3f}\t{label}\n")
    output.write_text("".join(lines))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

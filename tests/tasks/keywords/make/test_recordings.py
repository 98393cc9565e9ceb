"""How speakers are divided into phases, and which word becomes the keyword."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from earmark.tasks.keywords.make.recordings import (
    choose_keyword,
    divide_speakers,
    read_recordings,
)
from earmark.values.errors import InputError


def test_phases_share_neither_speakers_nor_impostors() -> None:
    people = [f"s{k:02d}" for k in range(20)]
    shared = divide_speakers(people, "train:5,practice:1,feedback:2,private:2", seed=4)
    assert sorted(shared) == people
    assert Counter(shared.values()) == {"train": 10, "practice": 2, "feedback": 4, "private": 4}
    one, other = (divide_speakers(people, "train:5,practice:1", seed=seed) for seed in (5, 6))
    assert one != other


@pytest.mark.parametrize("phases", ["train:five", ":3", "train:1,,practice:1"])
def test_phases_are_pairs_of_name_and_weight(phases: str) -> None:
    with pytest.raises(InputError, match="phases are phase:weight pairs"):
        divide_speakers(["a", "b", "c", "d"], phases, seed=0)


def test_a_word_that_others_said_too_is_preferred_as_a_keyword() -> None:
    paths = tuple(Path(str(k)) for k in range(6))
    own = {"lamp": paths, "river": paths, "stone": paths[:2]}
    rng = np.random.default_rng(0)
    others = {"bo": {"river": paths[:1]}}
    chosen = {choose_keyword(own, others, rng, enrolments=5, at=Path("ana")) for _ in range(20)}
    assert chosen == {"river"}


def test_one_speaker_is_too_few(tmp_path: Path, recordings: Path) -> None:
    with pytest.raises(InputError, match="a challenge needs at least two speakers"):
        read_recordings(recordings / "ana")
    with pytest.raises(InputError, match="there is no such folder of recordings"):
        read_recordings(tmp_path / "none")

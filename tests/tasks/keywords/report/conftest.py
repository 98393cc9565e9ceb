"""A judged study of one speaker."""

from pathlib import Path

import pytest

from earmark.study import Study


@pytest.fixture
def judged(challenge: tuple[Path, Path], tmp_path: Path) -> Study:
    """One speaker, one miss, one false alarm, with scores."""
    folder, labels = challenge
    study = Study.create(tmp_path / "study", task="keywords", seed=0)
    study.make(challenge=folder, labels=labels)
    (tmp_path / "mine.txt").write_text("P0001T0001.wav 0 0.4\nP0001T0002.wav 1 0.6\n")
    study.run(tmp_path / "mine.txt", name="mine")
    return study


@pytest.fixture
def unlabelled(challenge: tuple[Path, Path], tmp_path: Path) -> Study:
    study = Study.create(tmp_path / "unlabelled", task="keywords", seed=0)
    study.make(challenge=challenge[0])
    return study

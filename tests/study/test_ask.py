"""Asking: what fails leaves the study as it was."""

from pathlib import Path

import pytest

from earmark.study import Study
from earmark.study.show import show
from earmark.values.errors import StudyError


def test_a_study_that_has_nothing_to_ask_says_so_and_nothing_is_written(tmp_path: Path) -> None:
    labels = tmp_path / "labels"
    labels.mkdir()
    (labels / "P1_test_labels.txt").write_text("a.wav 1\nb.wav 0\n", encoding="utf-8")
    study = Study.create(tmp_path / "kws", task="keywords")
    study.make(labels=labels)
    before = show(study.snapshot())
    with pytest.raises(StudyError, match=r"0 questions from 2 items \(P1-a, P1-b\)"):
        study.ask()
    assert not (tmp_path / "kws" / "2-answers").exists()
    assert show(study.snapshot()) == before

"""Asking: what fails leaves the study as it was."""

from pathlib import Path

import numpy as np
import pytest
import soundfile

from earmark.study import Study
from earmark.study.show import show
from earmark.values.errors import StudyError
from earmark.values.span import Span


def test_a_study_that_has_nothing_to_ask_says_so_and_nothing_is_written(tmp_path: Path) -> None:
    captions = tmp_path / "captions.csv"
    captions.write_text("item,caption\na.wav,a dog barks\n", encoding="utf-8")
    study = Study.create(tmp_path / "one", task="captions")
    study.make(captions=captions)
    before = show(study.snapshot())
    with pytest.raises(StudyError, match=r"0 questions from 1 item"):
        study.ask()
    assert not (tmp_path / "one" / "2-answers").exists()
    assert show(study.snapshot()) == before


def recordings(tmp_path: Path) -> Study:
    (tmp_path / "wavs").mkdir()
    soundfile.write(tmp_path / "wavs" / "a.wav", np.zeros(12 * 800), 800)
    study = Study.create(tmp_path / "own", task="events")
    study.make(audio=tmp_path / "wavs", labels=("dog",))
    return study


def answers_of(tmp_path: Path, person: str) -> Path:
    path = tmp_path / f"{person}.csv"
    path.write_text(f"item,person,labels\na@0,{person},dog\n")
    return path


def test_answers_are_about_the_questions_that_were_planned(tmp_path: Path) -> None:
    study = recordings(tmp_path)
    study.ask(window=4.0, hop=4.0)
    assert show(study.snapshot())["next"] == "earmark ask own --import FILE"
    result = study.ask(import_from=answers_of(tmp_path, "ann"))
    assert result["units"] == 3 and result["answers"] == 1
    # of 10 s windows, which are the default, a@0 would be the seconds 0 to 10
    assert study.snapshot().units()[0].span == Span(0.0, 4.0)
    assert show(study.snapshot())["next"] == "earmark reconcile own"


def test_questions_that_were_answered_are_not_cut_otherwise(tmp_path: Path) -> None:
    study = recordings(tmp_path)
    study.ask(window=4.0, hop=4.0, import_from=answers_of(tmp_path, "ann"))
    with pytest.raises(StudyError, match=r"1 answered question \(a@0\) cut otherwise"):
        study.ask(window=3.0, hop=3.0, import_from=answers_of(tmp_path, "bob"))
    assert len(study.snapshot().answers().answers) == 1


def test_batches_are_counted_from_the_end_or_from_the_start(tmp_path: Path) -> None:
    """Windows of 4 s every second, 2 s apart: 4 + 2 starts, or 2, until one may follow another."""
    study = recordings(tmp_path)
    counts = {
        word: study.ask(window=4.0, hop=1.0, apart=2.0, apart_from=word)["batches"]
        for word in ("end", "start")
    }
    assert counts == {"end": 6, "start": 2}
    path = study.folder / "2-answers" / "batches.jsonl"
    assert len(path.read_text(encoding="utf-8").splitlines()) == 1 + 2

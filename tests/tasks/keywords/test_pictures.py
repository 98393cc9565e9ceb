"""The pictures."""

from pathlib import Path

import pytest

from earmark.study import Study
from earmark.tasks.keywords.report import draw_speakers, draw_trade_off, draw_warping


@pytest.fixture
def judged(challenge, tmp_path: Path) -> Study:
    """One speaker, one miss, one false alarm, with scores."""
    folder, labels = challenge
    study = Study.create(tmp_path / "study", task="keywords", seed=0)
    study.make(challenge=folder, labels=labels)
    (tmp_path / "mine.txt").write_text("P0001T0001.wav 0 0.4\nP0001T0002.wav 1 0.6\n")
    study.run(tmp_path / "mine.txt", name="mine")
    return study


def test_the_table_holds_players_of_the_errors(judged: Study) -> None:
    figure = draw_speakers(judged)
    assert figure is not None and figure.wide
    assert figure.body.count("<audio controls") == 2
    first, second = figure.body.index("false alarm: other"), figure.body.index("missed: keyword")
    assert first < second
    assert ">10.00<" in figure.body


def test_the_curve_draws_a_line_and_a_dot_for_every_system(judged: Study) -> None:
    figure = draw_trade_off(judged)
    assert figure is not None
    assert figure.body.count("<polyline") == 1 and figure.body.count("<circle") == 1
    assert "mine: miss rate 100.0%, false-alarm rate 100.0%" in figure.body


def test_the_path_lies_in_the_clip_that_must_wake(judged: Study) -> None:
    figure = draw_warping(judged)
    assert figure is not None
    assert "P0001E001" in figure.caption and "P0001T0001" in figure.caption
    assert "<polyline" in figure.body and figure.body.count("<rect") > 50


def test_without_outputs_there_is_nothing_to_draw(challenge, tmp_path: Path) -> None:
    study = Study.create(tmp_path / "bare", task="keywords", seed=0)
    study.make(challenge=challenge[0])
    assert draw_trade_off(study) is None
    assert draw_speakers(study) is None
    assert draw_warping(study) is None

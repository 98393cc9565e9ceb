"""Curves of systems, and the quality of the corruption."""

from pathlib import Path

from earmark.study import Study
from earmark.tasks.context.report.quality import draw_curves, draw_quality, draw_quartiles


def test_each_system_has_its_curve(study: Study) -> None:
    figure = draw_curves(study)
    assert figure is not None
    assert "discourse" in figure.body and figure.body.count("<polyline") == 2


def test_quartiles_come_from_trigrams_when_no_system_compared_words(study: Study) -> None:
    figure = draw_quartiles(study)
    assert figure is not None
    assert "trigram model of the other passages" in figure.caption
    assert "originals" in figure.body


def test_quartiles_come_from_a_system_that_compared_words(talks: Path, tmp_path: Path) -> None:
    study = Study.create(tmp_path / "s", task="context", seed=2)
    study.make(text=talks, swaps=4, reveal=True)
    study.train("ngrams", out=tmp_path / "m")
    study.run("ngrams", model=tmp_path / "m")
    figure = draw_quartiles(study)
    assert figure is not None and "system ngrams" in figure.caption
    scores = study.score(resamples=0)["scores"]
    assert 0 < scores["contrastive"]["value"] <= 1


def test_the_quality_names_candidates_frames_grades_and_the_gap(study: Study) -> None:
    figure = draw_quality(study)
    assert figure is not None
    for words in ("candidates per passage", "frame of the substitute", "phonetic distance"):
        assert words in figure.body
    assert "embedding distance" in figure.body
    assert "gap: what only context reveals" in figure.body


def test_before_anything_ran_there_are_no_curves(talks: Path, tmp_path: Path) -> None:
    study = Study.create(tmp_path / "s", task="context", seed=2)
    study.make(text=talks, swaps=4)
    assert draw_curves(study) is None

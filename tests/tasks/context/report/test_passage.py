"""The passage with its marks."""

from pathlib import Path

from earmark.study import Study
from earmark.tasks.context.report.passage import draw_passage


def test_a_passage_shows_what_is_right_what_is_wrong_and_the_evidence(study: Study) -> None:
    figure = draw_passage(study)
    assert figure is not None
    for kind in ("true positive", "false negative", "false positive", "mention"):
        assert f">{kind}</span>" in figure.body
    assert "last mentioned" in figure.body
    assert '<s class="soft">' in figure.body


def test_before_anything_ran_there_is_no_passage_to_draw(talks: Path, tmp_path: Path) -> None:
    study = Study.create(tmp_path / "s", task="context", seed=2)
    study.make(text=talks, swaps=4)
    assert draw_passage(study) is None

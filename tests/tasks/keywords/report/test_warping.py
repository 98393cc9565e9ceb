"""The warping path."""

from earmark.study import Study
from earmark.tasks.keywords.report.warping import draw_warping


def test_the_path_is_in_a_clip_with_the_keyword(judged: Study) -> None:
    figure = draw_warping(judged)
    assert figure is not None
    assert "P0001E001" in figure.caption and "P0001T0001" in figure.caption
    assert "<polyline" in figure.body and figure.body.count("<rect") > 50


def test_without_labels_there_is_no_path(unlabelled: Study) -> None:
    assert draw_warping(unlabelled) is None

"""The detection error trade-off."""

from earmark.study import Study
from earmark.tasks.keywords.report.trade_off import draw_trade_off


def test_each_system_has_a_line_and_a_dot(judged: Study) -> None:
    figure = draw_trade_off(judged)
    assert figure is not None
    assert figure.body.count("<polyline") == 1 and figure.body.count("<circle") == 1
    assert "mine: miss rate 100.0%, false-alarm rate 100.0%" in figure.body


def test_without_outputs_there_is_no_trade_off(unlabelled: Study) -> None:
    assert draw_trade_off(unlabelled) is None

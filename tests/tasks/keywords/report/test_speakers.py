"""The table of speakers."""

from earmark.study import Study
from earmark.tasks.keywords.report.speakers import draw_speakers


def test_the_table_has_players_of_the_errors_false_alarms_first(judged: Study) -> None:
    figure = draw_speakers(judged)
    assert figure is not None and figure.wide
    assert figure.body.count("<audio controls") == 2
    first, second = figure.body.index("false alarm: other"), figure.body.index("missed: keyword")
    assert first < second
    assert ">10.00<" in figure.body


def test_without_outputs_there_is_no_table(unlabelled: Study) -> None:
    assert draw_speakers(unlabelled) is None

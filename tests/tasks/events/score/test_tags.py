"""Tags: whether a sound is there at all."""

from earmark.tasks import events as task
from earmark.tasks.events.values import Event, Tags, Timeline


def test_tags_are_counted_by_label() -> None:
    reference, output = Tags(frozenset("ab")), Tags(frozenset("bc"))
    assert task.tag_f1()(reference, output).value == 0.5
    assert task.tag_precision()(reference, output).value == 0.5
    assert task.tag_recall()(Timeline(3, (Event("a", 0, 1),)), Tags(frozenset("a"))).value == 1.0

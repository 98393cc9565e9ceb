"""Marks of people and systems over the words."""

from earmark.tasks.boundaries.report.marks import WordLine, marks_picture
from earmark.tasks.boundaries.values import Boundaries, Panel

WORDS = ("we", "left", "<early>", "it", "was", "dark", "then", "home")


def boundaries(*after: int) -> Boundaries:
    return Boundaries(len(WORDS), frozenset((*after, len(WORDS) - 1)))


def test_words_do_not_overlap_and_a_mark_is_between_two_of_them() -> None:
    line = WordLine.of(WORDS)
    for word in range(len(WORDS) - 1):
        assert line.starts[word] < line.ends[word] < line.starts[word + 1]
    assert line.width > line.ends[-1]


def test_a_system_s_mark_is_right_inside_a_window_and_wrong_outside() -> None:
    panel = Panel((boundaries(2, 5), boundaries(2)), ("ana", "bo"))
    picture = marks_picture(WORDS, panel, {"early": boundaries(0), "exact": boundaries(2, 5)})
    assert picture.count("early: false positive") == 1
    assert picture.count("exact: true positive") == 2
    assert picture.count("early: false negative") == picture.count("window of words") == 2
    assert "2 of 2" in picture and "1 of 2" in picture
    assert "&lt;early&gt;" in picture and "<early>" not in picture

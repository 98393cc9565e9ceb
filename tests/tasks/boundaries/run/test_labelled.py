"""Texts to learn from."""

import pytest

from earmark.stats.draw import stream
from earmark.task.task import Training
from earmark.tasks.boundaries.run.labelled import (
    LabelledText,
    class_of,
    labelled_from_study,
    split_held_out,
)
from earmark.tasks.boundaries.values import Boundaries, Panel
from earmark.values.item import Item
from earmark.values.reference import Reference


def test_marks_are_classes():
    assert [class_of(mark, "marks") for mark in ("", ",", ":", ".", "?!", "\n")] == [
        0, 1, 1, 2, 3, 0,
    ]  # fmt: skip
    assert [class_of(mark, "lines") for mark in (".", "\n", "?\n")] == [0, 2, 3]


def test_a_panel_teaches_what_half_of_it_marked():
    item = Item("a", "transcript", text="a b c d")
    panel = Panel((Boundaries(4, {1, 3}), Boundaries(4, {1}), Boundaries(4, {2})))
    (text,) = labelled_from_study(Training((item,), Reference("panel", {"a": panel})))
    assert list(text.classes) == [0, 2, 0, 0]


def talk(seed, sentences=260):
    """Sentences of a small grammar: they begin with one of three words and end with one of five."""
    draw = stream(seed, "grammar")
    units = []
    for _ in range(sentences):
        middle = [f"w{draw.integers(30)}" for _ in range(draw.integers(3, 7))]
        units.append([f"open{draw.integers(3)}", *middle, f"shut{draw.integers(5)}"])
    return units


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    path = tmp_path_factory.mktemp("text") / "talk.txt"
    path.write_text("".join(" ".join(unit) + ".\n" for unit in talk(1, 1200)))
    return path


def test_many_texts_are_held_out_whole():
    texts = [LabelledText([f"w{n}"] * 5, [0] * 5) for n in range(28)]
    many = split_held_out(texts)
    assert (len(many.training), len(many.held_out)) == (26, 2)
    little = split_held_out(texts[:1])
    assert little.held_out == little.training, "too little to hold any of it out"
    one = split_held_out([LabelledText(["w"] * 100, [0] * 100)])
    assert (len(one.training[0].words), len(one.held_out[0].words)) == (93, 7)

"""A passage of three sentences, and what four people mark in it."""

from earmark.tasks.context.ask import read, units
from earmark.tasks.context.values import Flags
from earmark.values.answer import Answer, Ballots
from earmark.values.item import Item

TEXT = "We have debt. We have a lot of shopping here. Yes."
OFFSETS = [0, 2, 3, 7, 8, 12, 12, 13, 14, 16, 17, 21, 22, 23, 24, 27, 28, 30, 31, 39, 40, 44]
ITEM = Item("talk", "passage", text=TEXT, details={"offsets": [*OFFSETS, 44, 45, 46, 49, 49, 50]})


def ballots() -> Ballots[Flags]:
    """Return the answers of Ann, Bob, Cy and Di to one question."""
    asked = tuple(units((ITEM,)))
    marks = {"ann": [5], "bob": [5, 1], "cy": [1], "di": [5]}
    answers = [Answer("talk/4", name, read(asked[0], {"marked": m})) for name, m in marks.items()]
    return Ballots(asked, tuple(answers), (ITEM,))

import math

import pytest

from earmark.tasks.context.values import Passage, Scores
from earmark.values.errors import InputError
from earmark.values.item import Item


def test_a_passage_needs_its_offsets():
    with pytest.raises(InputError, match="a passage must have a text and the offsets"):
        Passage.of(Item("a", "passage", text="x"))


def test_a_score_must_be_a_number():
    with pytest.raises(InputError) as error:
        Scores((0.1, math.nan))
    assert str(error.value) == (
        "a score must be a finite number\n"
        "  at:   token 1\n"
        "  got:  nan\n"
        "  fix:  give a low score to a token that cannot be judged"
    )

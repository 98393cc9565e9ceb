"""Texts that need not fit in memory."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.files.shelf import Shelf

NAMES = st.text(max_size=3)


@given(st.lists(st.tuples(NAMES, st.text(max_size=20))))
def test_a_shelf_is_a_dictionary_of_lists(rows):
    plain: dict[str, tuple[str, ...]] = {}
    for name, text in rows:
        plain[name] = (*plain.get(name, ()), text)
    shelf = Shelf(rows, tuple)
    assert list(shelf) == list(plain)
    assert dict(shelf) == plain and len(shelf) == len(plain)
    assert "no such name" not in shelf


def test_half_of_a_character_is_kept_as_it_is():
    assert Shelf([("\ud83d", "\ude00")], tuple)["\ud83d"] == ("\ude00",)


def test_a_name_that_is_not_there_is_missing():
    with pytest.raises(KeyError):
        Shelf([], tuple)["x"]

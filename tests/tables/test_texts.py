"""Texts that need not fit in memory."""

from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.files.digest import columns_of, digest
from earmark.tables.texts import TextTable

NAMES = st.text(max_size=3)
ROWS = st.lists(st.tuples(NAMES, st.text(max_size=20)))


@dataclass(frozen=True)
class Said:
    """A record of texts."""

    texts: tuple[str, ...]


class SaidTable(TextTable[Said]):
    """A table that can be digested."""

    def digest_columns(self):
        return self.columns("Said", "texts")


@given(ROWS)
def test_a_table_of_texts_is_a_dictionary_of_lists(rows):
    plain: dict[str, tuple[str, ...]] = {}
    for name, text in rows:
        plain[name] = (*plain.get(name, ()), text)
    table = TextTable(rows, tuple)
    assert list(table) == list(plain)
    assert dict(table) == plain and len(table) == len(plain)
    assert "no such name" not in table


@given(ROWS)
def test_a_table_has_the_digest_of_its_records_whatever_the_order_of_names(rows):
    table = SaidTable(rows, Said)
    records = dict(table)
    assert digest(table) == digest(records)
    later = sorted(rows, key=lambda row: row[0], reverse=True)
    assert digest(SaidTable(later, Said)) == digest(table)
    if rows:
        assert digest(SaidTable([*rows, ("", "more")], Said)) != digest(table)
        assert set(table.digest_columns()) == set(columns_of(records))


def test_half_of_a_character_is_kept_as_it_is():
    assert TextTable([("\ud83d", "\ude00")], tuple)["\ud83d"] == ("\ude00",)


def test_a_name_that_is_not_there_is_missing():
    with pytest.raises(KeyError):
        TextTable([], tuple)["x"]


def test_other_names_have_the_same_texts_and_the_old_table_stays() -> None:
    table = TextTable([("b", "one"), ("a", "two"), ("b", "three")], tuple)
    other = table.renamed({"b": "b.wav"})
    assert dict(other) == {"b.wav": ("one", "three"), "a": ("two",)}
    assert dict(table) == {"b": ("one", "three"), "a": ("two",)}
    assert table.renamed({"a": "a"}) is table

"""Records are checked once, when they are built, and their messages have one shape."""

import math
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.values import checks
from earmark.values.answer import Answer, Ballots
from earmark.values.counts import Hits, Mean
from earmark.values.errors import InputError, shorten
from earmark.values.item import Item
from earmark.values.pack import pack, unpack
from earmark.values.reference import Reference
from earmark.values.score import Interval, Score
from earmark.values.signature import Signature
from earmark.values.span import Span


def test_an_error_shows_only_the_parts_it_has() -> None:
    assert str(InputError("a rule", got=0, fix="mend it")) == ("a rule\n  got:  0\n  fix:  mend it")


def test_a_long_value_is_cut_in_the_middle_and_control_characters_shown() -> None:
    assert len(shorten("x" * 1000)) == 199
    assert shorten("a\x1b[31m") == "a\\x1b[31m"


def test_a_span_ends_after_it_starts_on_a_grid_of_microseconds() -> None:
    assert Span(0.1 + 0.2, 1.0) == Span(0.3, 1.0)
    for start, end in ((1, 1), (2, 1), (-1, 1), (0, math.inf), (math.nan, 1)):
        with pytest.raises(InputError, match="a span must end after it starts"):
            Span(start, end)


def test_an_item_needs_a_printable_id() -> None:
    for name in ("", "a\nb"):
        with pytest.raises(InputError, match="an item needs an id"):
            Item(name, "kind")
    assert Item("a", "kind", parent="b").group == "b"
    assert Item("a", "kind").group == "a"


def test_ballots_know_their_items_and_count_a_person_once() -> None:
    items = (Item("a", "k"), Item("b", "k"))
    good = Ballots(items, (Answer("a", "ann", 1), Answer("a", "bob", 0), Answer("b", "ann", 1)))
    assert good.people == ("ann", "bob")
    assert [answer.value for answer in good.of("a")] == [1, 0]
    with pytest.raises(InputError, match="an answer must be about an item that was asked"):
        Ballots(items, (Answer("c", "ann", 1),))
    with pytest.raises(InputError, match="a person answers an item once"):
        Ballots(items, (Answer("a", "ann", 1), Answer("a", "ann", 0)))


@dataclass(frozen=True)
class Named:
    """Draws a text that says what it was drawn with."""

    def draw(self, value: str, *, item: str, seed: int) -> str:
        return f"{value} {item} {seed}"


def test_a_reference_draws_items_that_have_a_posterior_and_leaves_the_others() -> None:
    reference = Reference("r", {"a": "x", "b": "y"}, posterior={"a": Named()})
    assert reference.draw(7) == {"a": "x a 7", "b": "y"}
    larger = Reference("r", {"c": "z", "a": "x"}, posterior={"a": Named()})
    assert larger.draw(7)["a"] == reference.draw(7)["a"]
    assert reference != Reference("r", {"a": "x", "b": "y"})
    with pytest.raises(InputError, match="a posterior must belong to an item of the reference"):
        Reference("r", {"a": "x"}, posterior={"b": Named()})


def test_doubt_lies_between_0_and_1() -> None:
    Reference("r", {"a": 1}, doubt={"a": 0.5})
    with pytest.raises(InputError, match="doubt must be between 0 and 1"):
        Reference("r", {"a": 1}, doubt={"a": 1.5})


@given(st.lists(st.floats(0, 1) | st.just(math.nan), max_size=8))
def test_a_mean_skips_what_is_undefined_and_counts_it(values: list[float]) -> None:
    total = sum((Mean.of(value) for value in values), Mean())
    assert total.undefined == sum(map(math.isnan, values))
    assert total.size + total.undefined == len(values)
    assert Mean.from_row(total.row()) == total


def test_hits_are_a_row_and_back() -> None:
    assert Hits.from_row(Hits(1, 2, 3).row()) == Hits(1, 2, 3)


@dataclass(frozen=True, slots=True)
class Bag:
    name: str
    things: frozenset[str] = frozenset()
    inner: Span | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "things", frozenset(self.things))


@given(st.text(), st.frozensets(st.text()))
def test_a_packed_value_unpacks_to_itself(name: str, things: frozenset[str]) -> None:
    bag = Bag(name, things, Span(0, 1))
    assert unpack(pack(bag), (Bag, Span)) == bag


def test_unpacking_refuses_strange_kinds_and_fields() -> None:
    with pytest.raises(InputError, match="a kind of value that this task does not know"):
        unpack({"is": "Bomb"}, (Bag,))
    with pytest.raises(InputError, match="a Bag has other fields"):
        unpack({"is": "Bag", "smell": 1}, (Bag,))


def test_equal_sets_pack_to_equal_bytes() -> None:
    assert pack({"a": {"z", "b"}}) == {"a": ["b", "z"]}


def test_same_items_names_what_is_on_one_side_only() -> None:
    with pytest.raises(InputError) as error:
        checks.same_items({"a": 1, "b": 1, "c": 1, "d": 1, "e": 1}, {"a": 1, "x": 1})
    assert str(error.value) == (
        "reference and output must name the same items\n"
        "  got:  4 items (b, c, d, ...) only in the reference, 1 item (x) only in the output\n"
        "  want: identical item ids\n"
        "  fix:  give each side exactly the items of the other"
    )
    with pytest.raises(InputError, match="at least one item"):
        checks.same_items({}, {})
    assert checks.same_items({"b": 1, "a": 2}, {"a": 1, "b": 2}) == ["a", "b"]


def test_the_small_checks() -> None:
    with pytest.raises(InputError, match="every item id must appear once"):
        checks.unique(["a", "a"])
    with pytest.raises(InputError, match="every unit id must appear once"):
        checks.unique(["a", "a"], what="unit")
    with pytest.raises(InputError, match="none is there yet"):
        checks.one_of("x", [], what="thing")
    with pytest.raises(InputError, match="must be a finite number"):
        checks.finite(math.nan, what="a time")
    assert checks.finite(1.0, what="a time") == 1.0
    with pytest.raises(InputError, match="must be between 0 and 1"):
        checks.within(2, 0, 1, what="a share")
    assert checks.within(0.5, 0, 1, what="a share") == 0.5


def test_a_score_prints_itself_for_a_paper() -> None:
    score = Score("t.m", 0.8006, Interval(0.77, 0.83), None, 20, 0, Signature("t.m", ()))
    assert str(score) == "t.m = 0.801 [0.770, 0.830]   20 items"
    assert score.as_json()["low"] == 0.77
    undefined = Score("t.m", math.nan, None, None, 1, 0, Signature("t.m", ()))
    assert str(undefined) == "t.m = undefined   1 item"
    assert undefined.as_json()["value"] is None

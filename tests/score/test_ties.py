"""Letters of tie groups."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from earmark.score.ties import letters, names

SYSTEMS = tuple("ABCDEF")
PAIRS = list(itertools.combinations(SYSTEMS, 2))


def test_letters_worked_by_hand() -> None:
    """A beats C and D, B beats D: A and B tie, B and C tie, C and D tie."""
    different = [("A", "C"), ("A", "D"), ("B", "D")]
    assert letters("ABCD", different) == {"A": "a", "B": "ab", "C": "bc", "D": "c"}
    assert letters("ABC", []) == {"A": "a", "B": "a", "C": "a"}
    assert letters("ABC", itertools.combinations("ABC", 2)) == {"A": "a", "B": "b", "C": "c"}
    assert letters([], []) == {}


@given(st.lists(st.sampled_from(PAIRS), unique=True))
def test_systems_share_a_letter_exactly_if_they_are_not_shown_to_differ(
    different: list[tuple[str, str]],
) -> None:
    named = letters(SYSTEMS, different)
    for a, b in PAIRS:
        assert bool(set(named[a]) & set(named[b])) == ((a, b) not in different)
    assert named["A"].startswith("a")


def test_there_are_letters_for_any_number_of_groups() -> None:
    some = list(itertools.islice(names(), 200))
    assert some[:2] == ["a", "b"] and some[51:53] == ["Z", "a1"] and len(set(some)) == 200

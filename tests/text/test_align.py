"""Words laid side by side."""

import math
import time
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from earmark.text.align import align

words = st.lists(st.sampled_from("abcd"), max_size=12)


def distance(left, right):
    """Levenshtein, row by row."""
    row = list(range(len(right) + 1))
    for i, one in enumerate(left, start=1):
        new = [i]
        for j, other in enumerate(right, start=1):
            new.append(min(new[-1] + 1, row[j] + 1, row[j - 1] + (one != other)))
        row = new
    return row[-1]


@given(words, words)
def test_errors_are_the_fewest_there_can_be(left, right):
    assert align(left, right).errors == distance(left, right)


@given(words, words)
def test_places_never_go_back(left, right):
    place = align(left, right).place
    assert list(place) == sorted(place)
    assert all(-1 <= at < len(left) for at in place)


def test_every_kind_of_error_is_counted():
    found = align("a b c d e g".split(), "a x c e g f".split())
    assert (found.replaced_words, found.deleted_words, found.inserted_words) == (1, 1, 1)
    assert found.error_rate == 3 / 6
    assert found.inserted == (False, False, False, False, False, True)
    assert found.place[-1] == 5


def test_nothing_against_nothing_has_no_rate():
    assert math.isnan(align([], []).error_rate)


def test_twelve_thousand_words_take_less_than_two_seconds():
    left = [f"w{at % 997}" for at in range(12_000)]
    right = [word for at, word in enumerate(left) if at % 13] + ["end"]
    start = time.process_time()
    assert align(left, right).deleted_words > 900
    assert time.process_time() - start < 2


def test_times_settle_what_words_leave_open():
    reference, output = "a b c d".split(), "a x d".split()
    spoken = [(0.0, 1.0), (1.0, 2.0), (2.0, 3.0), (3.0, 4.0)]
    early = align(reference, output, times=(spoken, [(0.0, 1.0), (1.1, 1.9), (3.0, 4.0)]))
    late = align(reference, output, times=(spoken, [(0.0, 1.0), (2.1, 2.9), (3.0, 4.0)]))
    assert early.place == (0, 1, 3)
    assert late.place == (0, 2, 3)
    assert early.errors == late.errors == 2
    before = align(["a"], ["x", "a"], times=([(1.0, 2.0)], [(0.0, 0.5), (1.0, 2.0)]))
    assert before.place == (-1, 0)


@given(words, words, st.data())
def test_times_never_send_places_back(left, right, data):
    def spoken(size):
        cuts = data.draw(st.lists(st.floats(0, 9), min_size=size + 1, max_size=size + 1))
        return list(pairwise(sorted(cuts)))

    place = align(left, right, times=(spoken(len(left)), spoken(len(right)))).place
    assert list(place) == sorted(place)

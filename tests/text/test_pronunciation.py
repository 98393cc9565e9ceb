import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from earmark.text.pronunciation import (
    PHONES,
    PronunciationIndex,
    costs,
    distance,
    phones,
    pronunciations,
    starts_with_vowel,
    word_distance,
)

ROWS = st.lists(st.sampled_from(PHONES), min_size=1, max_size=7).map(tuple)
CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def test_far_east_sounds_like_forest():
    # F AA R IY S T / F AO R AH S T: two vowels for two vowels, 2 x 0.5 over 6
    assert word_distance("far-east", "forest") == pytest.approx(1 / 6)


def test_alike_phones_cost_half_and_others_one():
    assert distance(("P",), ("B",)) == 0.5
    assert distance(("P",), ("K",)) == 1.0
    assert distance(("AA", "P"), ("AA",)) == 0.5
    assert costs().trace() == 0


def test_an_unknown_word_has_no_sound():
    assert phones("xqzzt") is None
    assert word_distance("xqzzt", "forest") is None
    assert phones("far-xqzzt") is None


def test_articles_go_by_sound():
    assert [starts_with_vowel(w) for w in ("hour", "user", "umbrella")] == [True, False, True]


@CALM
@given(ROWS, ROWS, ROWS)
def test_the_distance_is_one(one, two, three):
    assert distance(one, two) == pytest.approx(distance(two, one))
    assert distance(one, one) == 0
    edits = [
        distance(a, b) * max(len(a), len(b)) for a, b in ((one, three), (one, two), (two, three))
    ]
    assert edits[0] <= edits[1] + edits[2] + 1e-9


def test_the_index_finds_what_looking_at_every_word_finds():
    words = sorted(w for w in pronunciations() if w.isalpha())[::97]
    index = PronunciationIndex(words)
    for query in words[::120]:
        for farthest in (0.15, 0.3):
            far = {w: word_distance(query, w) or 0.0 for w in words if w != query}
            every = {w for w, distance in far.items() if distance <= farthest + 1e-9}
            found = index.near(query, farthest=farthest)
            assert {w for _, w in found} == every
            assert found == sorted(found)


def test_an_index_without_words_or_for_an_unknown_word_finds_nothing():
    assert PronunciationIndex([]).near("forest", farthest=0.3) == []
    assert PronunciationIndex(["forest"]).near("xqzzt", farthest=0.3) == []

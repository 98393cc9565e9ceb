"""Words with a recogniser's errors: how many, of which kinds, and what stays in its place."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from earmark.text.align import align
from earmark.text.recognition_noise import HIGHEST_RATE, RecognitionNoise, require_rate
from earmark.values.errors import InputError

CALM = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow], max_examples=60)
SENTENCES = (
    "I came to the harbour to write about the ferries and I stayed for their cooks",
    "every morning at four they lit the ovens and talked about the weather on the other side",
    "nobody had asked them what they knew although it was a great deal",
    "so we made a list of all that a cook has to see before anyone can eat",
    "it turned out that they were reading the sea in the way the soup moved",
    "when the captain heard this he put a small bell into the kitchen",
    "now there is a rule that the bell comes before the forecast and it has mostly been right",
)
WORDS = " ".join(SENTENCES).lower().split()
VOCABULARY = Counter(WORDS) + Counter(
    "there hole won no two too see our hour are seat reed red write right their in and an of "
    "a the for ever her been bean bill bell sea four fore whether whole kit chin out come came "
    "main mourning mine lest least new knew nor".split()
)
NOISE = RecognitionNoise(VOCABULARY)


def noisy(words, rate, seed, marked=None, noise=NOISE):
    return noise.corrupt(
        words,
        marked=marked or [False] * len(words),
        rate=rate,
        rng=np.random.default_rng(seed),
    )


@pytest.mark.parametrize("rate", [0.05, 0.1, 0.2, 0.3])
def test_the_word_error_rate_is_near_what_was_asked(rate):
    words = WORDS * 40
    measured = align(words, noisy(words, rate, 1).words).error_rate
    assert 0.8 * rate < measured < 1.2 * rate


def test_words_are_replaced_lost_and_added():
    words = WORDS * 20
    alignment = align(words, noisy(words, 0.2, 1).words)
    assert alignment.replaced_words > alignment.deleted_words > 0
    assert alignment.replaced_words > alignment.inserted_words > 0


def test_a_rate_of_0_changes_nothing():
    assert noisy(WORDS, 0, 1) == (WORDS, list(range(len(WORDS))))


def test_the_same_generator_gives_the_same_errors_and_another_gives_others():
    assert noisy(WORDS, 0.2, 1) == noisy(WORDS, 0.2, 1) != noisy(WORDS, 0.2, 2)


def test_what_was_looked_up_before_changes_no_later_text():
    fresh = RecognitionNoise(VOCABULARY)
    assert noisy(WORDS, 0.2, 3, noise=fresh) == noisy(WORDS, 0.2, 3)
    assert noisy(WORDS, 0.2, 3, noise=fresh) == noisy(WORDS, 0.2, 3)


def test_a_word_is_taken_for_one_that_sounds_alike_and_more_often_for_a_near_one():
    noise = RecognitionNoise(Counter("their there forest fair mountains".split()))
    drawn = Counter(noisy(["their"], 0.5, seed, noise=noise).words[-1] for seed in range(400))
    assert set(drawn) <= {"their", "there", "fair"}
    assert drawn["there"] > drawn["fair"] > 0


def test_words_that_nobody_pronounces_stay_right_and_the_next_word_is_wrong_instead():
    words = ["xqzzt", "1995", "their"] * 200
    noise = RecognitionNoise(Counter(["their", "there"]))
    changed = Counter(
        old for old, new in zip(words, noisy(words, 0.2, 1, noise=noise).words, strict=True)
        if old != new
    )  # fmt: skip
    assert set(changed) == {"their"}
    # 600 words at .2; one in three can be wrong, once each
    assert 80 < changed["their"] < 140


def test_one_word_becomes_two_and_two_become_one():
    noise = RecognitionNoise(Counter("in to into".split()))
    split = [noisy(["into"], 0.5, seed, noise=noise).words for seed in range(200)]
    joined = [noisy(["in", "to"], 0.5, seed, noise=noise).words for seed in range(200)]
    assert ["in", "to"] in split
    assert ["into"] in joined


def test_errors_follow_errors():
    words = ["their"] * 20_000
    noise = RecognitionNoise(Counter({"their": 1, "there": 1}))
    wrong = np.array([word == "there" for word in noisy(words, 0.1, 1, noise=noise).words])
    assert wrong[1:][wrong[:-1]].mean() > 2 * wrong[1:][~wrong[:-1]].mean()


def test_passages_differ_in_their_rate_and_their_mean_is_the_rate():
    rng = np.random.default_rng(1)
    rates = [NOISE.draw_rate(0.1, rng) for _ in range(2000)]
    assert np.mean(rates) == pytest.approx(0.1, abs=0.01)
    assert min(rates) < 0.04
    assert 0.2 < max(rates) <= HIGHEST_RATE


@CALM
@given(
    st.lists(
        st.tuples(st.sampled_from([*sorted(VOCABULARY), "xqzzt", "17"]), st.booleans()), max_size=40
    ),
    st.floats(0, HIGHEST_RATE),
    st.integers(0, 2**32),
)
def test_every_mark_keeps_a_word_of_its_own_and_their_order(pairs, rate, seed):
    words, marked = [word for word, _ in pairs], [is_marked for _, is_marked in pairs]
    result = noisy(words, rate, seed, marked or [])
    assert len(result.carrier) == len(words)
    assert result.carrier == sorted(result.carrier)
    assert all(0 <= place < len(result.words) for place in result.carrier)
    places = [place for place, mark in zip(result.carrier, marked, strict=True) if mark]
    assert len(set(places)) == len(places)
    assert set(result.words) <= {*words, *VOCABULARY}


@pytest.mark.parametrize("rate", [-0.1, 0.6, float("nan")])
def test_a_rate_that_is_none_is_refused(rate):
    with pytest.raises(InputError, match="noise is a word error rate"):
        require_rate(rate)

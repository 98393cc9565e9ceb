"""What pauses say is learnt from the talk itself."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from earmark.tasks.boundaries.run.pause_odds import PRIOR_WORDS, pause_log_odds

ENDS = np.arange(200) % 5 == 4
TEXT = np.where(ENDS, 2.0, -2.0)  # right, and not sure


def test_a_silence_that_follows_ends_speaks_for_an_end():
    gaps = np.where(ENDS, 0.7, 0.0)[:-1]
    says = pause_log_odds(gaps, TEXT)
    assert (says[:-1][ENDS[:-1]] > 1).all() and (says[:-1][~ENDS[:-1]] < 0).all()


def test_silences_that_are_alike_everywhere_say_nothing():
    assert pause_log_odds([0.1] * 199, TEXT) == pytest.approx(0.0)


def test_silences_that_are_drawn_without_regard_to_ends_say_little():
    gaps = np.random.default_rng(1).choice([0.0, 0.3, 0.7], 1999)
    says = pause_log_odds(gaps, np.tile(TEXT, 10))
    assert np.abs(says).max() < 0.4


def test_in_a_talk_of_a_few_words_a_pause_says_little():
    short = pause_log_odds([0.0, 0.0, 0.0, 0.0, 0.7, 0.0, 0.0, 0.0, 0.0], TEXT[:10])
    long = pause_log_odds(np.where(ENDS, 0.7, 0.0)[:-1], TEXT)
    assert 0 < short[4] < long[4] / 2


def test_one_round_by_hand():
    """Two words, the first probably an end, and the prior's share of both silences."""
    from earmark.tasks.boundaries.run import pause_odds

    text = np.log(np.array([0.8, 0.2, 0.5]) / np.array([0.2, 0.8, 0.5]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pause_odds, "ROUNDS", 1)
        says = pause_log_odds([1.0, 0.0], text)
    half = PRIOR_WORDS / 2
    long_pause = np.log((half + 0.8) / (half + 0.2))  # both sides have one word in all
    assert says == pytest.approx([long_pause, -long_pause, 0.0])


@given(
    st.lists(st.tuples(st.floats(-1, 5), st.floats(-14, 14)), min_size=1, max_size=60),
)
def test_whatever_the_times_the_odds_are_numbers_and_one_for_each_word(rows):
    gaps, text = [gap for gap, _ in rows], np.array([odds for _, odds in rows])
    says = pause_log_odds(gaps[:-1], text)
    assert says.shape == text.shape and np.isfinite(says).all() and says[-1] == 0

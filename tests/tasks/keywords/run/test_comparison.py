"""What a comparison measures besides costs: what follows a match, how sound changes, voices."""

import numpy as np
import pytest

from earmark.stats.warping import MatchCurve
from earmark.tasks.keywords.run.comparison import AFTER_FLOOR, NEAREST, _cosine, _level_after
from earmark.tasks.keywords.run.utterance import STEP, Spectrum

QUIET, LOUD = -6.0, 5.0
MATCH = slice(40, 80)  # frames of 10 ms


def spectrum(*loud: slice, level: float = LOUD, background: float = QUIET) -> Spectrum:
    energies = np.full((200, 40), background, dtype=np.float32)
    for frames in loud:
        energies[frames] = level
    return Spectrum(energies, slice(0, 200))


def match() -> MatchCurve:
    """Return a search that matched at MATCH."""
    columns = 200 // STEP
    cost, start = np.ones(columns), np.full(columns, MATCH.start // STEP, dtype=np.int32)
    cost[MATCH.stop // STEP - 1] = 0.1
    return MatchCurve(cost, start)


@pytest.mark.parametrize("background", [QUIET, 3.0])
def test_nothing_follows_a_keyword_in_silence_or_in_steady_noise(background: float) -> None:
    assert _level_after(spectrum(MATCH, background=background), match()) == AFTER_FLOOR


def test_a_word_that_follows_is_as_loud_as_the_keyword() -> None:
    assert _level_after(spectrum(MATCH, slice(100, 140)), match()) == 0.0


def test_the_end_of_the_keyword_in_a_room_does_not_count_as_speech_after_it() -> None:
    assert _level_after(spectrum(slice(40, 92)), match()) == AFTER_FLOOR


def test_a_keyword_at_the_very_end_of_a_clip_is_followed_by_nothing() -> None:
    whole = spectrum(MATCH)
    assert _level_after(Spectrum(whole.energies[:82], slice(0, 82)), match()) == AFTER_FLOOR


def test_smeared_sound_changes_less() -> None:
    energies = np.random.default_rng(0).uniform(0, 5, (200, 40)).astype(np.float32)
    smeared = np.stack([np.convolve(band, np.full(9, 1 / 9), "same") for band in energies.T]).T
    assert Spectrum(smeared, slice(20, 180)).change < Spectrum(energies, slice(20, 180)).change / 2
    assert Spectrum(energies, slice(20, 21)).change == 0.0


def test_a_voice_is_compared_with_the_nearest_recordings() -> None:
    """Five of the enrolled rows are the clip's own voice, the others are at right angles to it."""
    own, other = np.eye(192, dtype=np.float32)[:2]
    assert _cosine(np.stack([*[other] * 20, *[own] * NEAREST]), own) == 1.0
    assert _cosine(np.stack([other] * 25), own) == 0.0

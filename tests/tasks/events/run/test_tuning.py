"""Thresholds and medians, chosen label by label."""

import numpy as np

from earmark.tasks.events.run.tuning import choose_reading
from earmark.tasks.events.values import Event, Timeline

SECONDS = 0.1


def test_a_label_that_scores_low_gets_a_low_threshold_and_one_without_events_the_usual():
    """Label a scores .35 where it is active and .1 elsewhere; b .8 and .6; c never is."""
    line = Timeline(20.0, (Event("a", 5.0, 8.0), Event("b", 5.0, 8.0)))
    active = (np.arange(200) >= 50) & (np.arange(200) < 80)
    scores = np.stack([np.where(active, 0.35, 0.1), np.where(active, 0.8, 0.6), np.zeros(200)], 1)
    reading = choose_reading([scores], [line], "abc", SECONDS, threshold=0.45)
    assert 0.1 <= reading.thresholds[0] < 0.35
    assert 0.6 <= reading.thresholds[1] < 0.8
    assert reading.thresholds[2] == 0.45 and reading.medians[2] == 0.5


def test_short_events_get_a_short_median():
    """Events of 0.2 s vanish under a median of 0.5 s."""
    starts = range(2, 20, 4)
    line = Timeline(20.0, tuple(Event("a", k + 0.3, k + 0.5) for k in starts))
    scores = np.zeros((200, 1), dtype=np.float32)
    for k in starts:
        scores[10 * k + 3 : 10 * k + 5] = 1.0
    assert choose_reading([scores], [line], "a", SECONDS, threshold=0.5).medians == (0.1,)


def test_where_thresholds_do_equally_well_the_usual_one_stays():
    line = Timeline(20.0, (Event("a", 5.0, 8.0),))
    active = (np.arange(200) >= 50) & (np.arange(200) < 80)
    scores = np.where(active, 0.9, 0.1)[:, None]
    for usual in (0.4, 0.55):
        reading = choose_reading([scores], [line], "a", SECONDS, threshold=usual)
        assert reading.thresholds == (usual,)

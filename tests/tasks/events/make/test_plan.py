"""Plans of soundscapes keep polyphony, gaps and labels apart."""

from collections import Counter
from collections.abc import Mapping

import numpy as np
import pytest

from earmark.tasks.events.make.plan import plan
from earmark.tasks.events.make.soundscapes import Intervals, SoundscapeOptions


class FixedClips:
    """Clips of one length per label, three of each."""

    def __init__(self, lengths: Mapping[str, float]) -> None:
        self.lengths = lengths
        self.labels = sorted(lengths)

    def draw(self, label: str, rng: np.random.Generator) -> tuple[int, float]:
        return int(rng.integers(3)), self.lengths[label]


@pytest.mark.parametrize("intervals", ["gaps", "onsets"])
def test_a_plan_keeps_polyphony_gaps_and_labels_apart(intervals: Intervals) -> None:
    options = SoundscapeOptions(seconds=120.0, intervals=intervals)
    clips = FixedClips({"a": 3.0, "b": 8.0, "c": 15.0})
    planned = plan(options, clips, np.random.default_rng(3))
    assert len(planned) > 5
    for time in np.arange(0.05, 120, 0.1):
        sounding = [p.event.label for p in planned if p.event.onset <= time < p.event.offset]
        assert len(sounding) <= 2 and len(set(sounding)) == len(sounding)
    assert all(0 <= p.level_db <= 20 for p in planned)


def test_classes_and_clips_are_drawn_evenly() -> None:
    rng = np.random.default_rng(1)
    drawn: Counter[str] = Counter()
    for _ in range(60):
        planned = plan(SoundscapeOptions(), FixedClips(dict.fromkeys("abcdef", 4.0)), rng)
        drawn.update(p.event.label for p in planned)
        drawn.update(f"clip {p.clip}" for p in planned)
    shares = np.array([drawn[k] for k in "abcdef"]) / sum(drawn[k] for k in "abcdef")
    assert np.abs(shares - 1 / 6).max() < 0.02
    assert min(drawn[f"clip {k}"] for k in range(3)) > 0.28 * sum(drawn[k] for k in "abcdef")


def test_a_plan_in_which_nothing_more_fits_ends() -> None:
    clips = FixedClips({"a": 25.0})
    planned = plan(SoundscapeOptions(seconds=30.0), clips, np.random.default_rng(1))
    assert len(planned) == 1

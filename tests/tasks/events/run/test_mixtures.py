"""Soundscapes mixed as energies are those that are mixed as sound."""

import numpy as np

from earmark.stats.draw import stream
from earmark.tasks.events.make.clips import joined, synthesised_clips
from earmark.tasks.events.make.plan import plan
from earmark.tasks.events.make.soundscapes import SoundscapeOptions, mixed
from earmark.tasks.events.run import mixtures
from earmark.tasks.events.run.frames import Bands, mel_power


def test_energies_of_clips_and_background_add_up_to_those_of_their_mixture(monkeypatch):
    """Within 2 dB in the mean: phases make single cells differ, not their average."""
    monkeypatch.setattr(mixtures, "SPEEDS", (1.0,))
    monkeypatch.setattr(mixtures, "BACKGROUND_DB", 0.0)
    monkeypatch.setattr(mixtures, "BACKGROUND_SECONDS", 30.0)
    monkeypatch.setattr(mixtures, "MIXTURE_SECONDS", 20.0)
    bands = Bands(rate=8000, window=512, hop=256)
    bank = mixtures.clip_bank(synthesised_clips(8000, 1), bands, seed=1)
    example = bank.mixture(stream(5))
    options = SoundscapeOptions(seconds=20.0, rate=8000)
    rng = stream(5)
    rng.integers(len(bank.background) - len(example.power))  # the same draws as in the mixture
    rng.uniform(0.0, 0.0)
    planned = plan(options, bank.clips, rng)
    sound = mel_power(mixed(options, bank.clips, planned, rng), bands)[: len(example.power)]
    ratio = 10 * np.log10(example.power[:, 5:] / sound[:, 5:])
    assert abs(ratio.mean()) < 2 and example.targets.any()


def test_every_speed_of_a_clip_is_as_long_as_its_stretches_say(monkeypatch):
    monkeypatch.setattr(mixtures, "BACKGROUND_SECONDS", 61.0)
    bands = Bands(rate=8000, window=512, hop=256)
    folds = [synthesised_clips(8000, 1, k) for k in range(2)]
    both = joined(folds)
    assert len(both.names["siren"]) == 20
    assert np.array_equal(both.samples("siren", 13), folds[1].samples("siren", 3))
    few = joined([folds[0]])
    bank = mixtures.clip_bank(few, bands, seed=1)
    for label, own in bank.power.items():
        for power, stretches in zip(own, bank.clips.stretches[label], strict=True):
            assert abs(len(power) * bands.seconds - stretches[-1][1]) < 2 * bands.seconds

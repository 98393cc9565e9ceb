"""Soundscapes mixed as energies are those that are mixed as sound."""

import numpy as np
import pytest

from earmark.stats.draw import stream
from earmark.tasks.events.make.clips import joined, synthesised_clips
from earmark.tasks.events.make.plan import plan
from earmark.tasks.events.make.soundscapes import SoundscapeOptions, mixed
from earmark.tasks.events.run import mixtures
from earmark.tasks.events.run.frames import Bands, mel_power
from earmark.values.errors import InputError


def test_energies_of_clips_and_background_add_up_to_those_of_their_mixture(monkeypatch):
    """Within 2 dB in the mean: phases make single cells differ, not their average."""
    monkeypatch.setattr(mixtures, "SPEEDS", (1.0,))
    monkeypatch.setattr(mixtures, "BACKGROUND_DB", 0.0)
    monkeypatch.setattr(mixtures, "EQUALISER_DB", 0.0)
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
    assert len(planned) > 2
    sound = mel_power(mixed(options, bank.clips, planned, rng), bands)[: len(example.power)]
    ratio = 10 * np.log10(example.power[:, 5:] / sound[:, 5:])
    assert abs(ratio.mean()) < 2 and example.targets.any()


def test_a_clip_sounds_as_if_another_microphone_had_taken_it_every_time(monkeypatch):
    """Bands differ from mixture to mixture by a line without jumps, around the planned level."""
    monkeypatch.setattr(mixtures, "SPEEDS", (1.0,))
    monkeypatch.setattr(mixtures, "BACKGROUND_SECONDS", 12.0)
    bands = Bands(rate=8000, window=512, hop=256)
    bank = mixtures.clip_bank(synthesised_clips(8000, 1), bands, seed=1)
    rng = stream(3)
    curves = np.array([10 * np.log10(bank._gains(7.0, rng)) for _ in range(500)])
    assert curves.shape == (500, bands.bands)
    assert abs(curves.mean() - 7) < 0.5 and 2 < curves.std(axis=0).min() < 4.5
    # from point to point, 13 bands: neighbours differ by a thirteenth of what points do
    assert np.abs(np.diff(curves, axis=1)).max() < 4 * np.sqrt(2) * 4 / 13


def test_every_speed_of_a_clip_is_as_long_as_its_stretches_say(monkeypatch):
    monkeypatch.setattr(mixtures, "SPEEDS", (1.0, 0.7, 1.4))
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


@pytest.fixture
def quick_clips(tmp_path, monkeypatch):
    """Three tones of two labels, and mixtures so short that an epoch takes no time."""
    from earmark.files.sound import write_sound
    from earmark.tasks.events import train

    for name, value in (("BACKGROUND_SECONDS", 12.0), ("MIXTURE_SECONDS", 8.0),
                        ("VALIDATED", 1), ("VALIDATED_SECONDS", 10.0)):  # fmt: skip
        monkeypatch.setattr(mixtures, name, value)
    monkeypatch.setattr(mixtures, "SPEEDS", (1.0, 1.2))
    monkeypatch.setattr(train, "MIXED_STEPS", 1)
    for label, hertz in (("low", 300), ("high", 2000)):
        (tmp_path / "clips" / label).mkdir(parents=True)
        for k in range(3):
            tone = np.sin(2 * np.pi * (hertz + 10 * k) * np.arange(24000) / 16000)
            write_sound(tmp_path / "clips" / label / f"{k}.wav", tone.astype(np.float32), 16000)
    return tmp_path / "clips"


def test_nets_learn_from_a_folder_of_clips_and_each_validates_on_other_sources(
    quick_clips, tmp_path
):
    from earmark.study import Study
    from earmark.tasks.events import train
    from earmark.tasks.events.run import nets

    options = train.CrnnTrainingOptions(sounds=quick_clips, epochs=2)
    card = train.train_crnn(None, options, out=tmp_path / "model", seed=1)
    assert (card["clips"], card["nets"]) == (6, 3)  # three sources per label are three parts
    losses = card["held_out_loss"]
    assert card["shape"]["labels"] == ("high", "low") and len(set(losses)) == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["clips", "model"]
    trained, _ = nets.load(tmp_path / "model")
    power = np.random.default_rng(1).exponential(size=(50, 40)).astype(np.float32)
    alone = [nets.scores([net], power) for net in trained]
    assert nets.scores(trained, power) == pytest.approx(np.mean(alone, axis=0))
    assert not np.allclose(alone[0], alone[1])
    study = Study.create(tmp_path / "test", task="events")
    study.make("soundscapes", sounds=quick_clips, recordings=1, seconds=5.0)
    study.run("crnn", model=tmp_path / "model")
    assert study.outputs()["crnn"]["soundscape-00"].value.scores.labels == ("high", "low")


def test_training_on_clips_that_was_killed_repeats_no_net_that_is_done(
    quick_clips, tmp_path, monkeypatch
):
    from earmark.tasks.events import train
    from earmark.tasks.events.run import training

    options = train.CrnnTrainingOptions(sounds=quick_clips, epochs=2, nets=2)
    train.train_crnn(None, options, out=tmp_path / "whole", seed=1)
    taken = []
    step = training._step_loss

    def killed(net, batch):
        taken.append(net)
        if len(taken) == 4:  # in the second epoch of the second net
            raise KeyboardInterrupt
        return step(net, batch)

    monkeypatch.setattr(training, "_step_loss", killed)
    with pytest.raises(KeyboardInterrupt):
        train.train_crnn(None, options, out=tmp_path / "model", seed=1)
    train.train_crnn(None, options, out=tmp_path / "model", seed=1)
    assert len(taken) == 5
    whole, again = ((tmp_path / name).read_bytes() for name in ("whole", "model"))
    header = int.from_bytes(whole[:8], "little")
    assert whole[8 + header :] == again[-len(whole) + 8 + header :]  # cards differ in CPU time


def test_fewer_than_one_net_is_refused(quick_clips):
    from earmark.tasks.events.train import CrnnTrainingOptions

    with pytest.raises(InputError, match="nets must be between 1 and 5"):
        CrnnTrainingOptions(sounds=quick_clips, nets=0)


def test_clips_of_one_source_cannot_train_and_validate(tmp_path):
    from earmark.files.sound import write_sound
    from earmark.tasks.events.train import CrnnTrainingOptions, train_crnn

    (tmp_path / "dog").mkdir()
    write_sound(tmp_path / "dog" / "a.wav", np.ones(24000, dtype=np.float32), 16000)
    with pytest.raises(InputError, match="at least two sources per label"):
        train_crnn(None, CrnnTrainingOptions(sounds=tmp_path), out=tmp_path / "m", seed=1)

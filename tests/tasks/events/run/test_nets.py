"""The CRNN's net, its training, and what it learns from."""

from pathlib import Path

import numpy as np
import pytest

from earmark.tasks.events.run.pieces import (
    CrnnExample,
    fixed_batches,
    mixture_batches,
    varied_batches,
)
from earmark.tasks.events.values import Event, Timeline
from earmark.values.errors import InputError


def example(frames: int, seed: int = 0) -> CrnnExample:
    """Noise, and in every other ten frames a label that is a louder low half."""
    rng = np.random.default_rng(seed)
    power = rng.exponential(size=(frames, 40)).astype(np.float32)
    active = (np.arange(frames) // 10 % 2 == 1).astype(np.float32)
    power[:, :20] *= 1 + 20 * active[:, None]
    return CrnnExample(power, active[:, None])


def test_the_published_net_has_the_published_size() -> None:
    from earmark.tasks.events.run.nets import Crnn, CrnnShape

    net = Crnn(CrnnShape.of("paper", list("abcdef")))
    assert abs(sum(part.numel() for part in net.parameters()) - 366_822) < 4_000


def test_the_published_training_is_adam_for_500_epochs_with_patience_125() -> None:
    from earmark.tasks.events.run.training import RECIPES

    paper = RECIPES["paper"]
    assert (paper.epochs, paper.patience, paper.batch, paper.frames) == (500, 125, 128, 256)
    assert (paper.schedule, paper.decay, paper.smoothing, paper.varied) == ("constant", 0, 0, False)
    assert paper.threshold == 0.5 and paper.rate == 1e-3


def test_the_scaler_is_that_of_the_training_set_and_is_stored(tmp_path: Path) -> None:
    from dataclasses import replace

    from earmark.tasks.events.run.frames import LEAST_ENERGY
    from earmark.tasks.events.run.nets import CrnnShape, load, save, scores
    from earmark.tasks.events.run.training import RECIPES, Validation, batches_of, train

    recipe = replace(RECIPES["paper"], epochs=1, frames=32, batch=2)
    shape = CrnnShape(("a",), channels=(2, 2), pools=((1, 5), (1, 8)), units=4, product=True)
    data = [example(70, 1), example(70, 2)]
    learnt = train(shape, recipe, batches_of(data, recipe, seed=1), Validation(), seed=1)
    energies = np.log(np.concatenate([each.power for each in data]) + LEAST_ENERGY)
    assert learnt.net.mean.numpy() == pytest.approx(energies.mean(axis=0), abs=1e-4)
    save([learnt.net], learnt.reading, tmp_path / "m", {})
    loaded, reading = load(tmp_path / "m")
    assert reading == learnt.reading and reading.thresholds == (0.5,)
    assert np.array_equal(scores(loaded, data[0].power), scores([learnt.net], data[0].power))
    assert len(scores(loaded, data[0].power)) == 70


@pytest.mark.parametrize("key", [None, "1.out.bias", "out.bias"])
def test_a_model_without_a_first_net_is_refused(tmp_path: Path, key: str | None) -> None:
    import json
    from dataclasses import asdict

    import torch
    from safetensors.torch import save_file

    from earmark.tasks.events.run.nets import CrnnShape, load

    card = {"shape": asdict(CrnnShape(("a",))), "reading": {"thresholds": [0.4], "medians": [0.5]}}
    weights = {key: torch.zeros(1)} if key else {}
    save_file(weights, tmp_path / "m", metadata={"card": json.dumps(card)})
    with pytest.raises(InputError, match="a CRNN model is a file that train wrote"):
        load(tmp_path / "m")


def test_a_long_recording_is_scored_in_stretches_as_in_one(monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    from earmark.tasks.events.run import nets

    torch.manual_seed(1)
    net = nets.Crnn(nets.CrnnShape(("a",), channels=(4,), pools=((2, 40),), units=4))
    whole = nets.scores([net], example(900).power)
    monkeypatch.setattr(nets, "STRETCH", 600)
    assert nets.scores([net], example(900).power) == pytest.approx(whole, abs=1e-3)


def test_a_killed_training_goes_on_to_the_same_net(tmp_path: Path) -> None:
    from dataclasses import replace

    from earmark.learn.checkpoint import Checkpoint
    from earmark.tasks.events.run.nets import CrnnShape
    from earmark.tasks.events.run.training import RECIPES, Validation, batches_of, train

    recipe = replace(RECIPES["small"], epochs=4, frames=32, batch=4, steps=2)
    shape = CrnnShape(("a",), channels=(2,), pools=((2, 40),), units=4)
    validation = Validation([example(100, 9)], [Timeline(3.0, (Event("a", 0.3, 0.6),))])
    batches = batches_of([example(100, k) for k in range(3)], recipe, seed=1)

    def killed(epoch):
        if epoch == 3 and (tmp_path / "c").exists():
            raise KeyboardInterrupt
        return batches(epoch)

    whole = train(shape, recipe, batches, validation, seed=1)
    with pytest.raises(KeyboardInterrupt):
        train(shape, recipe, killed, validation, seed=1, checkpoint=Checkpoint(tmp_path / "c"))
    again = train(shape, recipe, batches, validation, seed=1, checkpoint=Checkpoint(tmp_path / "c"))
    for one, other in zip(whole.net.state_dict().values(), again.net.state_dict().values(),
                          strict=True):  # fmt: skip
        assert np.array_equal(one.numpy(), other.numpy())
    assert again.reading == whole.reading
    assert again.card["best_epoch"] == whole.card["best_epoch"]


def test_fixed_pieces_are_all_of_the_recordings_once_an_epoch_in_another_order() -> None:
    batches = fixed_batches([example(70), example(64)], frames=32, batch=2, seed=1)
    epochs = [np.concatenate([batch.power for batch in batches(k)]) for k in (0, 1)]
    assert epochs[0].shape == (5 - 1, 32, 40)  # a batch of one is left out
    assert not np.array_equal(epochs[0], epochs[1])
    assert np.array_equal(batches(1)[0].power, batches(1)[0].power)
    assert all(batch.masks.all() for batch in batches(0))


def test_varied_pieces_are_mixed_scaled_and_masked_and_drawn_by_the_epoch() -> None:
    data = [example(70), CrnnExample(*(side[:20] for side in example(70)))]
    batches = varied_batches(data, frames=32, batch=16, steps=2, seed=1)
    first, again, other = batches(0), batches(0), batches(1)
    assert len(first) == 2 and first[0].power.shape == (16, 32, 40)
    assert np.array_equal(first[1].power, again[1].power)
    assert not np.array_equal(first[1].power, other[1].power)
    assert set(np.unique(first[0].targets)) == {0.0, 1.0}
    blanked = 1 - first[0].masks.mean(axis=1)
    assert 0 < blanked.mean() < 1 / 3


def test_pieces_of_mixtures_are_whole_and_none_is_used_twice() -> None:
    number = iter(range(100))

    def mixture(rng):
        power = np.full((70, 40), next(number) + 1.0, dtype=np.float32)
        return CrnnExample(power, np.zeros((70, 1), dtype=np.float32))

    (batch,) = mixture_batches(mixture, frames=32, batch=6, steps=1, seed=1)(0)
    levels = 10 * np.log10(batch.power[:, 0, 0])
    assert batch.power.shape == (6, 32, 40) and np.ptp(batch.power, axis=(1, 2)).max() == 0
    assert len(set(levels.round(3).tolist())) == 6  # each has a gain of its own

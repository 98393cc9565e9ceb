"""The training loop."""

import pytest

from earmark.learn.checkpoint import Checkpoint
from earmark.learn.fit import TrainingPlan, fit
from earmark.learn.threads import seeded
from earmark.task.progress import reporting_to
from earmark.values.errors import InputError


def line(plan, seed=0, check=None, checkpoint=None, interrupted_at=None, drops=False):
    """A line through points on y = 3 x + 1."""
    import torch

    x = torch.linspace(-1, 1, 32)[:, None]
    y = 3 * x + 1

    def loss(model, part):
        # half the batch is dropped at random where torch's own random state shall matter
        chosen = torch.randint(0, 16, (8,)) if checkpoint or drops else slice(None)
        return ((model(x[part][chosen]) - y[part][chosen]) ** 2).mean()

    def batches(epoch):
        if epoch and epoch == interrupted_at:
            raise KeyboardInterrupt
        # another order in every epoch, as real batches have
        return [slice(0, 16), slice(16, 32)] if epoch % 2 else [slice(16, 32), slice(0, 16)]

    def right(model):
        return -float(((model(x) - y) ** 2).mean().detach())

    with seeded(seed):
        model = torch.nn.Linear(1, 1)
        done = fit(
            model,
            batches,
            loss,
            check=check or right,
            plan=plan,
            checkpoint=checkpoint,
        )
    return model, done


def test_a_line_is_learned():
    model, done = line(TrainingPlan(epochs=120, rate=0.1, patience=120, decay=0.0))
    assert float(model.weight.detach()) == pytest.approx(3, abs=0.05)
    assert done.best > -1e-3
    assert len(done.log) == 120


def test_the_same_seed_gives_the_same_weights():
    first, second, other = (line(TrainingPlan(epochs=3), seed=seed)[0] for seed in (1, 1, 2))
    assert float(first.weight.detach()) == float(second.weight.detach())
    assert float(first.weight.detach()) != float(other.weight.detach())


def test_patience_ends_the_training_and_the_best_is_kept():
    values = iter([0.1, 0.5, 0.4, 0.3, 0.2, 0.1])
    seen = []

    def check(model):
        seen.append(float(model.weight.detach()))
        return next(values)

    model, done = line(TrainingPlan(epochs=6, patience=2), check=check)
    assert (done.best, done.best_epoch, len(done.log)) == (0.5, 1, 4)
    assert float(model.weight.detach()) == pytest.approx(seen[1])


def test_processor_time_ends_the_training():
    _, done = line(TrainingPlan(epochs=50, patience=50, cpu_seconds=0.0))
    assert len(done.log) == 1


def test_smoothing_keeps_an_average_of_the_weights():
    plain, _ = line(TrainingPlan(epochs=4, rate=0.1, patience=4))
    smooth, _ = line(TrainingPlan(epochs=4, rate=0.1, patience=4, smoothing=0.9))
    assert float(plain.weight.detach()) != float(smooth.weight.detach())


def test_weights_that_are_updated_in_one_pass_are_the_same_but_for_rounding():
    apart, _ = line(TrainingPlan(epochs=9, rate=0.1, patience=9, decay=0.0))
    fused, _ = line(TrainingPlan(epochs=9, rate=0.1, patience=9, decay=0.0, fused=True))
    assert float(fused.weight.detach()) == pytest.approx(float(apart.weight.detach()), abs=1e-5)


@pytest.mark.parametrize("long_epochs", [False, True])
def test_progress_is_reported_within_long_epochs_only(long_epochs):
    seen: list[str] = []
    with reporting_to(lambda label, done, total: seen.append(label)):
        line(TrainingPlan(epochs=2, long_epochs=long_epochs))
    within = {"epoch 1", "epoch 2"} if long_epochs else set()
    assert set(seen) == {"training"} | within


@pytest.mark.parametrize(
    "how",
    [
        {"schedule": "one-cycle", "smoothing": 0.9},
        {"schedule": "constant", "smoothing": 0.9},
        {"schedule": "constant", "smoothing": 0.0, "fused": True},
    ],
)
@pytest.mark.parametrize("killed", [1, 4, 7])
def test_a_training_that_was_ended_goes_on_to_the_same_weights(tmp_path, how, killed):
    plan = TrainingPlan(epochs=8, rate=0.1, patience=3, **how)
    whole, done = line(plan, drops=True)
    place = Checkpoint(tmp_path / "line.checkpoint", of="a line")
    if killed < len(done.log):
        with pytest.raises(KeyboardInterrupt):
            line(plan, checkpoint=place, interrupted_at=killed)
        assert place.path.exists()
    again, resumed = line(plan, checkpoint=place)
    assert float(again.weight.detach()) == float(whole.weight.detach())
    assert float(again.bias.detach()) == float(whole.bias.detach())
    assert (resumed.best, resumed.best_epoch, resumed.log) == (done.best, done.best_epoch, done.log)
    assert not place.path.exists()


def test_a_training_that_had_already_waited_long_enough_does_not_go_on(tmp_path, monkeypatch):
    """Killed after the last checkpoint and before the end: the same, not one epoch more."""
    plan = TrainingPlan(epochs=8, patience=2)
    values = [0.5, 0.4, 0.3, 0.9]
    place = Checkpoint(tmp_path / "line.checkpoint", of="a line")
    place_kept = Checkpoint(tmp_path / "kept.checkpoint", of="a line")

    def once(checkpoint):
        left = iter(values)
        return line(plan, check=lambda model: next(left), checkpoint=checkpoint)

    with monkeypatch.context() as patch:
        patch.setattr(Checkpoint, "remove", lambda self: self.path.rename(place_kept.path))
        _, done = once(place)
    _, resumed = once(place_kept)
    assert resumed.log == done.log and len(done.log) == 3


def test_a_checkpoint_of_another_training_is_not_used_and_a_broken_one_is_named(tmp_path):
    path = tmp_path / "x.checkpoint"
    with pytest.raises(KeyboardInterrupt):
        line(TrainingPlan(epochs=4, patience=4), interrupted_at=2,
             checkpoint=Checkpoint(path, of="one"))  # fmt: skip
    assert Checkpoint(path, of="one").read() is not None
    assert Checkpoint(path, of="another").read() is None
    path.write_bytes(b"no checkpoint")
    with pytest.raises(InputError, match="a checkpoint cannot be read"):
        Checkpoint(path, of="one").read()


def test_without_a_check_the_last_epoch_counts():
    import torch

    with seeded(1):
        model = torch.nn.Linear(1, 1)
        done = fit(
            model,
            lambda epoch: [torch.ones(4, 1)],
            lambda net, batch: net(batch).mean(),
            check=None,
            plan=TrainingPlan(epochs=5),
        )
    assert done.best_epoch == 4

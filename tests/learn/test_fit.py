"""The training loop."""

import pytest

from earmark.learn.fit import TrainingPlan, fit
from earmark.learn.threads import seeded


def line(plan, seed=0, check=None):
    """A line through points on y = 3 x + 1."""
    import torch

    x = torch.linspace(-1, 1, 32)[:, None]
    y = 3 * x + 1

    def loss(model, part):
        return ((model(x[part]) - y[part]) ** 2).mean()

    def right(model):
        return -float(((model(x) - y) ** 2).mean().detach())

    with seeded(seed):
        model = torch.nn.Linear(1, 1)
        done = fit(
            model,
            lambda epoch: [slice(0, 16), slice(16, 32)],
            loss,
            check=check or right,
            plan=plan,
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

"""The training loop: seeded, patient, clipped, averaged, and with a limit on processor time."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from earmark.task.progress import track

FEWEST_STEPS = 20


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How to train.

    `rate` is the highest learning rate; it rises over the first tenth of the steps and falls to
    zero along a cosine. `patience` is how many checks without a better value end the training.
    `smoothing` is the decay of the running average of the weights, which is what is checked and
    kept; 0 keeps the weights themselves. `cpu_seconds` ends the training when it has used that
    much processor time, which is the one thing here that depends on the machine.
    """

    epochs: int = 10
    rate: float = 2e-3
    decay: float = 1e-2
    clip: float = 2.0
    patience: int = 3
    smoothing: float = 0.0
    cpu_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class TrainingResult:
    """What a training did: the best value it reached, when, and every epoch's loss and check."""

    best: float
    best_epoch: int
    cpu_seconds: float
    log: tuple[dict[str, float], ...]


def fit(
    model: Any,
    batches: Callable[[int], list[Any]],
    loss: Callable[[Any, Any], Any],
    *,
    check: Callable[[Any], float],
    plan: TrainingPlan,
) -> TrainingResult:
    """Train the model in place and leave it with the weights that `check` liked best.

    `batches(epoch)` gives an epoch's batches, the same number each time; `loss(model, batch)` a
    scalar to lessen; `check(model)` a number to raise, on data that is not trained on.
    """
    start = time.process_time()
    steps = _Steps(model, plan, total=plan.epochs * len(batches(0)))
    keeper = _Keeper(model, plan)
    for epoch in track(range(plan.epochs), label="training"):
        losses = [steps.take(loss(model, batch), keeper) for batch in batches(epoch)]
        keeper.look(check, epoch, sum(losses) / max(len(losses), 1))
        used = time.process_time() - start
        late = plan.cpu_seconds is not None and used >= plan.cpu_seconds
        if keeper.waited(epoch) or late:
            break
    model.load_state_dict(keeper.state)
    model.eval()
    return TrainingResult(
        keeper.best, keeper.best_epoch, time.process_time() - start, tuple(keeper.log)
    )


class _Steps:
    """The optimiser with its schedule."""

    def __init__(self, model: Any, plan: TrainingPlan, *, total: int) -> None:
        import torch

        self.model, self.clip = model, plan.clip
        self.optimiser = torch.optim.AdamW(
            model.parameters(), lr=plan.rate, weight_decay=plan.decay
        )
        steps = max(total, FEWEST_STEPS)
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(
            self.optimiser, max_lr=plan.rate, total_steps=steps, pct_start=0.1
        )
        self.left = steps - 1

    def take(self, loss: Any, keeper: "_Keeper") -> float:
        """One step down; the loss as a number."""
        import torch

        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.optimiser.step()
        if self.left:
            self.schedule.step()
            self.left -= 1
        keeper.follow(self.model)
        return float(loss.detach())


class _Keeper:
    """The averaged weights, the best of them, and the log."""

    def __init__(self, model: Any, plan: TrainingPlan) -> None:
        self.model, self.plan = model, plan
        self.average = {name: value.clone() for name, value in model.state_dict().items()}
        self.state = self.average
        self.best, self.best_epoch, self.steps = float("-inf"), -1, 0
        self.log: list[dict[str, float]] = []

    def follow(self, model: Any) -> None:
        """Let the average move towards the weights; faster while it is young."""
        self.steps += 1
        decay = min(self.plan.smoothing, self.steps / (self.steps + 10))
        for name, value in model.state_dict().items():
            if value.is_floating_point():
                self.average[name].lerp_(value, 1 - decay)
            else:
                self.average[name].copy_(value)

    def look(self, check: Callable[[Any], float], epoch: int, loss: float) -> None:
        """Check the average, keep it when it is the best so far."""
        own = {name: value.clone() for name, value in self.model.state_dict().items()}
        self.model.load_state_dict(self.average)
        self.model.eval()
        value = check(self.model)
        self.log.append({"epoch": epoch, "loss": loss, "check": value})
        if value > self.best:
            self.best, self.best_epoch = value, epoch
            self.state = {name: part.clone() for name, part in self.average.items()}
        self.model.load_state_dict(own)
        self.model.train()

    def waited(self, epoch: int) -> bool:
        """Whether the last better value is too long ago."""
        return epoch - self.best_epoch >= self.plan.patience

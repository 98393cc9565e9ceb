"""The training loop: early stopping, gradient clipping, averaged weights, a limit on CPU time."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from earmark.stats.rates import proportion
from earmark.task.progress import track

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

# OneCycleLR needs more than a few steps for its warm-up, a tenth of them, to have one.
FEWEST_STEPS = 20
WARM_UP = 0.1
# The average of weights follows them closely at first: after n steps its decay is n / (n + 10).
YOUNG = 10


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How to train.

    `rate` is the highest learning rate; it rises over the first tenth of the steps and falls to
    zero along a cosine. `decay` is AdamW's weight decay, `clip` the largest norm of the gradient.
    `patience` is how many epochs without a better check end the training. `smoothing` is the
    decay of the running average of the weights, which is what is checked and returned; 0 means
    the weights themselves. `cpu_seconds` ends the training when it has used that much CPU time,
    which is the one thing here that depends on the machine.
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
    """The best check of a training, its epoch, and every epoch's loss and check."""

    best: float
    best_epoch: int
    cpu_seconds: float
    log: tuple[dict[str, float], ...]


def fit(
    model: "Module",
    batches: Callable[[int], list[Any]],
    loss: "Callable[[Module, Any], Tensor]",
    *,
    check: "Callable[[Module], float]",
    plan: TrainingPlan,
) -> TrainingResult:
    """Train the model in place and leave it with the weights of the best check.

    `batches(epoch)` returns an epoch's batches, the same number each time; `loss(model, batch)` a
    scalar to minimise; `check(model)` a number to maximise, on held-out data.
    """
    start = time.process_time()
    steps = _Steps(model, plan, total=plan.epochs * len(batches(0)))
    keeper = _Keeper(model, plan)
    for epoch in track(range(plan.epochs), label="training"):
        losses = [steps.take(loss(model, batch), keeper) for batch in batches(epoch)]
        keeper.look(check, epoch, proportion(sum(losses), of=len(losses)))
        used = time.process_time() - start
        late = plan.cpu_seconds is not None and used >= plan.cpu_seconds
        if keeper.has_waited(epoch) or late:
            break
    model.load_state_dict(keeper.state)
    model.eval()
    return TrainingResult(
        keeper.best, keeper.best_epoch, time.process_time() - start, tuple(keeper.log)
    )


class _Steps:
    """The optimiser with its schedule."""

    def __init__(self, model: "Module", plan: TrainingPlan, *, total: int) -> None:
        import torch

        self.model, self.clip = model, plan.clip
        self.optimiser = torch.optim.AdamW(
            model.parameters(), lr=plan.rate, weight_decay=plan.decay
        )
        steps = max(total, FEWEST_STEPS)
        self.schedule = torch.optim.lr_scheduler.OneCycleLR(
            self.optimiser, max_lr=plan.rate, total_steps=steps, pct_start=WARM_UP
        )
        self.left = steps - 1

    def take(self, loss: "Tensor", keeper: "_Keeper") -> float:
        """Take one step of the optimiser; return the loss as a number."""
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

    def __init__(self, model: "Module", plan: TrainingPlan) -> None:
        self.model, self.plan = model, plan
        self.average = {name: value.clone() for name, value in model.state_dict().items()}
        self.state = self.average
        self.best, self.best_epoch, self.steps = float("-inf"), -1, 0
        self.log: list[dict[str, float]] = []

    def follow(self, model: "Module") -> None:
        """Move the average towards the weights; faster in the first steps."""
        self.steps += 1
        decay = min(self.plan.smoothing, self.steps / (self.steps + YOUNG))
        for name, value in model.state_dict().items():
            if value.is_floating_point():
                self.average[name].lerp_(value, 1 - decay)
            else:
                self.average[name].copy_(value)

    def look(self, check: "Callable[[Module], float]", epoch: int, loss: float) -> None:
        """Check the average; store it when it is the best so far."""
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

    def has_waited(self, epoch: int) -> bool:
        """Return whether the best check is `patience` epochs ago."""
        return epoch - self.best_epoch >= self.plan.patience

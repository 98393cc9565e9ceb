"""The training loop: early stopping, gradient clipping, averaged weights, checkpoints."""

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from earmark.stats.rates import proportion
from earmark.task.progress import notify, track

if TYPE_CHECKING:
    from torch import Tensor
    from torch.nn import Module

    from earmark.learn.checkpoint import Checkpoint

# OneCycleLR needs more than a few steps for its warm-up, a tenth of them, to have one.
FEWEST_STEPS = 20
WARM_UP = 0.1
# The average of weights follows them closely at first: after n steps its decay is n / (n + 10).
YOUNG = 10

Schedule = Literal["one-cycle", "constant"]


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """How to train.

    `rate` is the highest learning rate; with the schedule `one-cycle` it rises over the first tenth
    of the steps and falls to zero along a cosine, with `constant` it stays. `decay` is AdamW's
    weight decay (with 0 it is Adam), `clip` the largest norm of the gradient, None for any.
    `patience` is how many epochs without a better check end the training. `smoothing` is the
    decay of the running average of the weights, which is what is checked and returned; 0 means
    the weights themselves. `cpu_seconds` ends the training when it has used that much CPU time,
    which is the one thing here that depends on the machine. `fused` updates all weights in one
    pass, several times faster for large networks, with other roundings. `long_epochs` reports
    progress within an epoch too.
    """

    epochs: int = 10
    rate: float = 2e-3
    decay: float = 1e-2
    clip: float | None = 2.0
    patience: int = 3
    smoothing: float = 0.0
    cpu_seconds: float | None = None
    schedule: Schedule = "one-cycle"
    fused: bool = False
    long_epochs: bool = False


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
    check: "Callable[[Module], float] | None",
    plan: TrainingPlan,
    checkpoint: "Checkpoint | None" = None,
) -> TrainingResult:
    """Train the model in place and leave it with the weights of the best check.

    `batches(epoch)` returns an epoch's batches, the same number each time; `loss(model, batch)` a
    scalar to minimise; `check(model)` a number to maximise, on held-out data; without one the last
    epoch is the best. With a `checkpoint` every epoch is kept there, a training that was ended goes
    on from it, and the file is removed at the end, unless it stays.
    """
    steps = _Steps(model, plan, total=plan.epochs * len(batches(0)))
    keeper = _Keeper(model, plan)
    before = _resume(checkpoint, model, steps, keeper)
    start = time.process_time() - before
    for epoch in track(range(plan.epochs), label="training"):
        if epoch < len(keeper.log) - 1:
            continue
        if epoch == len(keeper.log) - 1:  # the last that a checkpoint holds may have been the end
            if keeper.has_waited(epoch) or _is_late(plan, before):
                break
            continue
        shown = _shown(batches(epoch), plan, epoch)
        losses = [steps.take(loss(model, batch), keeper) for batch in shown]
        keeper.look(check, epoch, proportion(sum(losses), of=len(losses)))
        used = time.process_time() - start
        if checkpoint and (epoch + 1) % checkpoint.every == 0:
            _save(checkpoint, model, steps, keeper, used)
        if keeper.has_waited(epoch) or _is_late(plan, used):
            break
    model.load_state_dict(keeper.state)
    model.eval()
    if checkpoint and not checkpoint.stays:
        checkpoint.remove()
    return TrainingResult(
        keeper.best, keeper.best_epoch, time.process_time() - start, tuple(keeper.log)
    )


def _shown(batches: list[Any], plan: TrainingPlan, epoch: int) -> Iterable[Any]:
    return track(batches, label=f"epoch {epoch + 1}") if plan.long_epochs else batches


def _is_late(plan: TrainingPlan, used: float) -> bool:
    return plan.cpu_seconds is not None and used >= plan.cpu_seconds


class _Steps:
    """The optimiser with its schedule."""

    def __init__(self, model: "Module", plan: TrainingPlan, *, total: int) -> None:
        import torch

        self.model, self.clip, self.taken = model, plan.clip, 0
        self.optimiser = torch.optim.AdamW(
            model.parameters(), lr=plan.rate, weight_decay=plan.decay, fused=plan.fused or None
        )
        steps = max(total, FEWEST_STEPS)
        self.schedule = (
            torch.optim.lr_scheduler.OneCycleLR(
                self.optimiser, max_lr=plan.rate, total_steps=steps, pct_start=WARM_UP
            )
            if plan.schedule == "one-cycle"
            else None
        )
        self.left = steps - 1

    def take(self, loss: "Tensor", keeper: "_Keeper") -> float:
        """Take one step of the optimiser; return the loss as a number."""
        import torch

        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        if self.clip is not None:
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.clip)
        self.optimiser.step()
        self._advance()
        keeper.follow(self.model)
        return float(loss.detach())

    def _advance(self) -> None:
        self.taken += 1
        if self.schedule and self.left:
            self.schedule.step()
            self.left -= 1

    def state(self) -> "dict[str, Tensor]":
        """Return the optimiser's moments: by the parameter's number and their name."""
        states = self.optimiser.state_dict()["state"]
        return {f"{k}.{name}": value for k, own in states.items() for name, value in own.items()}

    def restore(self, state: "Mapping[str, Tensor]", taken: int) -> None:
        """Go to where `state` was taken, after that many steps."""
        import warnings

        with warnings.catch_warnings():
            # torch asks for a step of the optimiser before one of the schedule; it was taken
            warnings.simplefilter("ignore", UserWarning)
            while self.taken < taken:
                self._advance()
        states: dict[int, dict[str, Tensor]] = {}
        for key, value in state.items():
            number, _, name = key.partition(".")
            states.setdefault(int(number), {})[name] = value
        self.optimiser.load_state_dict({**self.optimiser.state_dict(), "state": states})


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
        if not self.plan.smoothing:  # `look` takes the weights as they are
            return
        decay = min(self.plan.smoothing, self.steps / (self.steps + YOUNG))
        for name, value in model.state_dict().items():
            if value.is_floating_point():
                self.average[name].lerp_(value, 1 - decay)
            else:
                self.average[name].copy_(value)

    def look(self, check: "Callable[[Module], float] | None", epoch: int, loss: float) -> None:
        """Check the average; store it when it is the best so far."""
        own = {name: value.clone() for name, value in self.model.state_dict().items()}
        if not self.plan.smoothing:
            self.average = own
        self.model.load_state_dict(self.average)
        self.model.eval()
        value = check(self.model) if check else float(epoch)
        self.log.append({"epoch": epoch, "loss": loss, "check": value})
        if value > self.best:
            self.best, self.best_epoch = value, epoch
            self.state = {name: part.clone() for name, part in self.average.items()}
        self.model.load_state_dict(own)
        self.model.train()

    def has_waited(self, epoch: int) -> bool:
        """Return whether the best check is `patience` epochs ago."""
        return epoch - self.best_epoch >= self.plan.patience


def _save(
    checkpoint: "Checkpoint", model: "Module", steps: _Steps, keeper: _Keeper, used: float
) -> None:
    import torch

    tensors = {
        "model": model.state_dict(),
        "optimiser": steps.state(),
        "average": keeper.average,
        "best": keeper.state,
        "random": {"state": torch.get_rng_state()},
    }
    # safetensors refuses tensors that share memory, which the average and the best may, and those
    # that lie in memory in another order
    own = {
        group: {k: v.clone(memory_format=torch.contiguous_format) for k, v in part.items()}
        for group, part in tensors.items()
    }
    header = {
        "taken": steps.taken,
        "best": keeper.best,
        "best_epoch": keeper.best_epoch,
        "log": keeper.log,
        "cpu_seconds": used,
    }
    checkpoint.write(own, header)


def _resume(
    checkpoint: "Checkpoint | None", model: "Module", steps: _Steps, keeper: _Keeper
) -> float:
    """Go on from a checkpoint of the same training; return the CPU seconds it had used."""
    import torch

    stored = checkpoint.read() if checkpoint else None
    if stored is None:
        return 0.0
    tensors, header = stored
    model.load_state_dict(tensors["model"])
    steps.restore(tensors["optimiser"], header["taken"])
    keeper.average, keeper.state = tensors["average"], tensors["best"]
    keeper.best, keeper.best_epoch = header["best"], header["best_epoch"]
    keeper.steps, keeper.log = header["taken"], list(header["log"])
    torch.set_rng_state(tensors["random"]["state"])
    notify(f"training goes on after epoch {len(keeper.log)}")
    return float(header["cpu_seconds"])
